// SPDX-License-Identifier: Apache-2.0
// Inner states of laws that relax: bristles. In sliding the mean bristle of Dahl, LuGre and their
// kin obeys
//
//   y' = v - lambda y,   lambda = |v| K/F(v)                                                    (1)
//
// and at ordinary speed lambda h exceeds the stability bound of any explicit method (2 for
// Euler, 2.785 for Runge-Kutta): the deflection grows without bound. Methods therefore split (1)
// into -lambda y with lambda frozen at the beginning of the step, which they solve exactly, and the
// rest n = y' + lambda y, which they treat as before. z = -lambda h; phi(z) = (exp(z) - 1)/z.
//
//   Euler     y+ = y + h phi(z) y'                                                              (2)
//   RK4       ETDRK4 of Cox and Matthews [CoxMatthews2002, (26)-(29)], which is the classical
//             method where lambda = 0: the whole state keeps order 4                            (3)
//
// Both keep the steady state y = n/lambda, whatever the step, and every stage keeps the states
// within what the law can come to. States with lambda h below HF_BRISTLE_LEAST_DECAY take the plain
// step, in which they are as accurate and safe.
#include <math.h>

#include "laws/bristle.h"
#include "sim/sim_data.h"

// Above it exp(z) is zero many times over; bounds z^3.
#define MOST_DECAY 1e9

// Ways of a bristle below this part of its reach are rounding.
#define LEAST_WAY 1e-9

static double size_of(const double *y, int count)
{
    double squares = 0.0;
    for (int i = 0; i < count; ++i) {
        squares += y[i] * y[i];
    }
    return sqrt(squares);
}

// A stage in which the speed rises by orders of magnitude may leave the states anywhere.
static void keep_within(double reach, double *y, int count)
{
    double size = size_of(y, count);
    for (int i = 0; size > reach && i < count; ++i) {
        y[i] *= reach / size;
    }
}

bool hf_relax_begin(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    const double *y = sim->x + model->nq + model->nv;
    hf_relaxation *relax = &sim->relaxation;
    for (int k = 0; k < relax->force_count; ++k) {
        int index = relax->forces[k];
        const hf_force_place *force = &model->forces[index];
        hf_law_in in = {.gap = sim->gap + force->row,
                        .rate = sim->rate + force->row,
                        .y = y + force->y,
                        .normal = hf_normal_for(sim, force),
                        .regime = hf_force_regime(sim, index)};
        double *lambda = relax->lambda + force->y;
        double reach = force->info->relax(force->def, force->dim, &in, lambda);
        relax->reach[k] = fmax(reach, size_of(in.y, force->y_count));
        for (int i = 0; i < force->y_count; ++i) {
            double decay = lambda[i] * h;
            lambda[i] = !(decay > HF_BRISTLE_LEAST_DECAY) ? 0.0
                        : decay > MOST_DECAY              ? MOST_DECAY / h
                                                          : lambda[i];
        }
    }
    return relax->force_count > 0;
}

// Damping that follows the rate of each stage would count the way of a bristle by the weights of
// the stages in which it happens to move; the mean counts it once.
void hf_relax_hold(hf_sim *sim, const double *slope, double h)
{
    const hf_model *model = sim->model;
    hf_relaxation *relax = &sim->relaxation;
    const double *dy = slope + model->nq + model->nv;
    for (int k = 0; k < relax->force_count; ++k) {
        const hf_force_place *force = &model->forces[relax->forces[k]];
        for (int i = force->y; i < force->y + force->y_count; ++i) {
            double z = -relax->lambda[i] * h;
            relax->flow[i] = z < 0.0 ? dy[i] * (expm1(z) / z) : dy[i];
        }
    }
    relax->holds = true;
}

static bool is_damped(const hf_force_place *force)
{
    double stiffness = 0.0, damping = 0.0;
    if (force->info->linear != NULL) {
        force->info->linear(force->def, 0, &stiffness, &damping);
    }
    return force->info->linear == NULL || damping > 0.0;
}

// The way that the bristles of a force have gone in the step, as their flow. False: it is the flow
// that dampings took already.
static bool take_way(hf_sim *sim, int k, double h)
{
    const hf_model *model = sim->model;
    hf_relaxation *relax = &sim->relaxation;
    const hf_force_place *force = &model->forces[relax->forces[k]];
    const double *y = sim->x + model->nq + model->nv;
    bool missed = false;
    for (int i = force->y; i < force->y + force->y_count; ++i) {
        double way = relax->stage[i] - y[i];
        missed = missed || (relax->lambda[i] > 0.0 &&
                            fabs(way - h * relax->flow[i]) > LEAST_WAY * relax->reach[k]);
    }
    for (int i = force->y; missed && i < force->y + force->y_count; ++i) {
        if (relax->lambda[i] > 0.0) {
            relax->flow[i] = (relax->stage[i] - y[i]) / h;
        }
    }
    return missed;
}

// Where a bristle does not fall to its end as exp(-lambda t) (the elastic part of elastoplastic,
// changes of speed), it has not gone by h times the flow of the step's beginning, and B times its
// way is what its damping takes. What is missing is added over the whole step. Its energies go with
// it. Other forces keep their flows: what is not joined to such a bristle keeps its bits.
void hf_relax_correct(hf_sim *sim, double t, double tau, double h, double weight)
{
    const hf_model *model = sim->model;
    hf_relaxation *relax = &sim->relaxation;
    bool missed = false;
    for (int k = 0; k < relax->force_count; ++k) {
        if (is_damped(&model->forces[relax->forces[k]]) && take_way(sim, k, h)) {
            missed = true;
        }
    }
    if (!missed) {
        return;
    }
    // The end of the step once more, with these flows
    hf_sim_eval(sim, t, HF_SIDE_LEFT, tau, sim->stage, relax->again);
    for (int i = model->nq; i < model->n; ++i) {
        sim->slope[i] += weight * (relax->again[i] - sim->slope[i]);
    }
}

void hf_relax_let_go(hf_sim *sim)
{
    sim->relaxation.holds = false;
}

const double *hf_relax_flow(const hf_sim *sim, const hf_force_place *force)
{
    const hf_relaxation *relax = &sim->relaxation;
    bool relaxes = relax->holds && force->info->relax != NULL && force->dim > 0;
    return relaxes && relax->lambda[force->y] > 0.0 ? relax->flow + force->y : NULL;
}

void hf_relax_euler(hf_sim *sim, const double *slope, double h, double *stage)
{
    const hf_model *model = sim->model;
    const hf_relaxation *relax = &sim->relaxation;
    int first = model->nq + model->nv;
    for (int k = 0; k < relax->force_count; ++k) {
        const hf_force_place *force = &model->forces[relax->forces[k]];
        for (int i = force->y; i < force->y + force->y_count; ++i) {
            if (relax->lambda[i] > 0.0) {
                double z = -relax->lambda[i] * h;
                stage[first + i] = sim->x[first + i] + h * (expm1(z) / z) * slope[first + i];
            }
        }
        keep_within(relax->reach[k], stage + first + force->y, force->y_count);
    }
}

// One state: the stage that follows the slope of stage `r` = 0 to 3; after the last, the step's
// end.
static double next_of(hf_relaxation *relax, int i, int r, double before, double slope, double h)
{
    double lambda = relax->lambda[i], z = -lambda * h;
    double half = exp(0.5 * z), gain = -expm1(0.5 * z) / lambda;
    double rest = slope + lambda * (r == 0 ? before : relax->stage[i]); // n
    switch (r) {
    case 0:
        relax->first[i] = rest;
        relax->sum[i] = 0.0;
        relax->middle[i] = half * before + gain * rest;
        return relax->middle[i];
    case 1:
        relax->sum[i] += rest;
        return half * before + gain * rest;
    case 2:
        relax->sum[i] += rest;
        return half * relax->middle[i] + gain * (2.0 * rest - relax->first[i]);
    default:
        break;
    }
    double full = exp(z), cube = z * z * z;
    double f1 = (-4.0 - z + full * (4.0 - 3.0 * z + z * z)) / cube;
    double f2 = (2.0 + z + full * (z - 2.0)) / cube;
    double f3 = (-4.0 - 3.0 * z - z * z + full * (4.0 - z)) / cube;
    return full * before + h * (f1 * relax->first[i] + 2.0 * f2 * relax->sum[i] + f3 * rest);
}

void hf_relax_stage(hf_sim *sim, int r, const double *slope, double h)
{
    const hf_model *model = sim->model;
    hf_relaxation *relax = &sim->relaxation;
    int first = model->nq + model->nv;
    for (int k = 0; k < relax->force_count; ++k) {
        const hf_force_place *force = &model->forces[relax->forces[k]];
        for (int i = force->y; i < force->y + force->y_count; ++i) {
            if (relax->lambda[i] > 0.0) {
                relax->stage[i] = next_of(relax, i, r, sim->x[first + i], slope[first + i], h);
            }
        }
    }
}

void hf_relax_put(const hf_sim *sim, double *stage)
{
    const hf_model *model = sim->model;
    const hf_relaxation *relax = &sim->relaxation;
    double *y = stage + model->nq + model->nv;
    for (int k = 0; k < relax->force_count; ++k) {
        const hf_force_place *force = &model->forces[relax->forces[k]];
        for (int i = force->y; i < force->y + force->y_count; ++i) {
            y[i] = relax->lambda[i] > 0.0 ? relax->stage[i] : y[i];
        }
        keep_within(relax->reach[k], y + force->y, force->y_count);
    }
}
