// SPDX-License-Identifier: Apache-2.0
// Velocity Verlet [Verlet1967], [Hairer2003]; forces that depend on velocity see a predicted one,
// as in [GrootWarren1997] with lambda = 1. Over a step from t to t + T, tau = 0:
//
//   v'  = A(q, v, y, t)                                                                         (1)
//   q+  = q + T q'(q, v + (T/2) v')                                                             (2)
//   v'+ = A(q+, v + T v', y + T y', t + T)                                                      (3)
//   v+  = v + (T/2)(v' + v'+),  y+ = y + (T/2)(y' + y'+)                                        (4)
//
// Second order. Where masses are constant and forces depend on positions alone, (3) needs no
// prediction: the method is symplectic and reversible in time, and the energy of a spring is wrong
// by (w T)^2/4 of it at most, however long the run. With velocities in the forces (dampers,
// friction, gyroscopic forces, joints of a tree) it is an explicit method of order 2 like others.
//
// The step (2) leaves a quaternion at right angles: normalized, it is of second order too.
#include <math.h>

#include "methods/fixed/methods.h"

// Inner states of laws that relax (relax.c): ETD2RK [CoxMatthews2002, (20)-(22)], which is (4)
// where lambda = 0. Their prediction is the one of Euler's method. z = -lambda T, n = y' + lambda
// y:
//   y+ = y~ + (n~ - n) (exp(z) - 1 - z) T/z^2,   y~ the prediction                              (5)
static void correct_relaxed(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    hf_relaxation *relax = &sim->relaxation;
    int first = model->nq + model->nv;
    for (int k = 0; k < relax->force_count; ++k) {
        const hf_force_place *force = &model->forces[relax->forces[k]];
        for (int i = force->y; i < force->y + force->y_count; ++i) {
            double lambda = relax->lambda[i], z = -lambda * h, predicted = sim->stage[first + i];
            if (lambda > 0.0) {
                double change = sim->slope[first + i] - sim->k[first + i] +
                                lambda * (predicted - sim->x[first + i]);
                relax->stage[i] = predicted + h * change * (expm1(z) - z) / (z * z);
            }
        }
    }
}

// The state at the end, as (2) and Euler's method predict it, in sim->stage.
static void predict(hf_sim *sim, double h, bool relaxes)
{
    const hf_model *model = sim->model;
    const double *x = sim->x;
    double *stage = sim->stage;
    // Positions with the velocities of the middle                                             (2)
    for (int i = 0; i < model->nq; ++i) {
        stage[i] = x[i];
    }
    for (int i = model->nq; i < model->nq + model->nv; ++i) {
        stage[i] = x[i] + 0.5 * h * sim->k[i];
    }
    hf_sim_q_rate(sim, stage, sim->slope);
    for (int i = 0; i < model->nq; ++i) {
        stage[i] += h * sim->slope[i];
    }
    hf_sim_normalize(sim, stage);
    // The rest
    for (int i = model->nq; i < model->n; ++i) {
        stage[i] = x[i] + h * sim->k[i];
    }
    if (relaxes) {
        hf_relax_euler(sim, sim->k, h, stage);
        hf_relax_hold(sim, sim->k, h);
    }
}

static hf_status advance(hf_sim *sim, double h, double end, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_sim_begin(sim, 0.0); // (1)
    const bool relaxes = hf_relax_begin(sim, h);
    predict(sim, h, relaxes);
    hf_sim_eval(sim, end, HF_SIDE_LEFT, 0.0, sim->stage, sim->slope); // (3)
    if (relaxes) {
        correct_relaxed(sim, h);
        hf_relax_correct(sim, end, 0.0, h, 2.0);
        hf_relax_let_go(sim);
    }
    // Velocities, states of laws and energies; positions of what is driven by a velocity      (4)
    for (int i = model->nq; i < model->n; ++i) {
        sim->stage[i] = sim->x[i] + 0.5 * h * (sim->k[i] + sim->slope[i]);
    }
    for (int i = 0; i < model->drive_count; ++i) {
        int q = model->drives[i].q;
        sim->stage[q] = sim->x[q] + 0.5 * h * (sim->k[q] + sim->slope[q]);
    }
    if (relaxes) {
        hf_relax_put(sim, sim->stage);
    }
    return hf_sim_commit(sim, h, end, error);
}

// ------------------------------------------------------------------------------------------------
// The same on an oscillator and on an impact: x = (position, velocity, state of the law)

static void linear_step(const hf_oscillator *o, const hf_method_def *method, double h,
                        const double *x, double *out)
{
    (void)method;
    double before[HF_OSCILLATOR_MAX] = {0.0}, after[HF_OSCILLATOR_MAX] = {0.0};
    hf_oscillator_rate(o, 0.0, x, before);
    for (int i = 1; i < hf_oscillator_size(o); ++i) {
        out[i] = x[i] + h * before[i];
    }
    out[0] = x[0] + h * (x[1] + 0.5 * h * before[1]);
    hf_oscillator_rate(o, 0.0, out, after);
    for (int i = 1; i < hf_oscillator_size(o); ++i) {
        out[i] = x[i] + 0.5 * h * (before[i] + after[i]);
    }
}

static void impact_step(hf_impact_rate *rate, const void *impact, double h, const double before[3],
                        double x[3])
{
    double after[3];
    double at[3] = {x[0] + h * (x[1] + 0.5 * h * before[1]), x[1] + h * before[1],
                    x[2] + h * before[2]};
    rate(impact, at, after);
    x[0] = at[0];
    x[1] += 0.5 * h * (before[1] + after[1]);
    x[2] += 0.5 * h * (before[2] + after[2]);
}

// With these, rebounds are within 0.004 of the wanted ones, wherever in a step the impact falls; at
// a filter of 1.1 contacts with little restitution do not rebound at all.
static const hf_contact_steps CONTACT_STEPS = {
    .frequency = 0.125, .filter = 1.0, .dullest = 0.005, .liveliest = 1.0, .step = impact_step};

const hf_method_info hf_method_verlet = {
    .name = "verlet",
    .phrase = "velocity Verlet of order 2: bounded energy in long runs",
    HF_FIXED_ADMITS,
    .side_by_side = true,
    .contact_steps = &CONTACT_STEPS,
    .slip_steps = 2.0, // its stability on the negative real axis
    .advance = advance,
    .linear_step = linear_step,
};
