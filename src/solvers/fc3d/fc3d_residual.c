// SPDX-License-Identifier: Apache-2.0
// The residual that judges every method.
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fc3d_internal.h"

// u := W r + q where only bodies are known.
static void velocity_by_bodies(const hf_fc3d_problem *p, const double *r, double *u)
{
    hf_fc3d_space space = {0};
    double *v = NULL;
    if (hf_fc3d_space_open(&space, p) == HF_OK) {
        v = malloc((3 * (size_t)space.rows + 1) * sizeof *v);
    }
    for (int i = 0; v == NULL && i < 3 * p->contacts; ++i) {
        u[i] = NAN;
    }
    if (v != NULL) {
        hf_fc3d_space_move(&space, r, v);
        hf_fc3d_space_feel(&space, v, u);
        hf_fc3d_space_idle(&space, r, u);
        for (int i = 0; i < 3 * p->contacts; ++i) {
            u[i] += p->q[i];
        }
    }
    free(v);
    hf_fc3d_space_free(&space);
}

void hf_fc3d_velocity(const hf_fc3d_problem *problem, const double *r, double *u)
{
    if (problem->start == NULL) {
        velocity_by_bodies(problem, r, u);
        return;
    }
    for (int i = 0; i < problem->contacts; ++i) {
        hf_fc3d_row(problem, i, r, u + 3 * i);
        for (int k = 0; k < 3; ++k) {
            u[3 * i + k] += problem->q[3 * i + k];
        }
    }
}

// sum / max, where both may be zero: a problem without contacts, or with q = 0, is solved by r = 0.
static double relative(double sum, double largest)
{
    return sum == 0.0 ? 0.0 : sum / largest;
}

hf_fc3d_errors hf_fc3d_measure_errors(const hf_fc3d_problem *problem, hf_fc3d_measure measure,
                                      double rho, double norm_q, const double *r, const double *u)
{
    bool both = measure != HF_FC3D_SCALED;
    double natural = 0.0, scaled = 0.0, rr = 0.0, uu = 0.0;
    for (int i = 0; i < problem->contacts; ++i) {
        natural += both ? hf_fc3d_contact_error(r + 3 * i, u + 3 * i, problem->mu[i], 1.0) : 0.0;
        scaled += hf_fc3d_contact_error(r + 3 * i, u + 3 * i, problem->mu[i], rho);
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            rr += r[k] * r[k];
            uu += u[k] * u[k];
        }
    }
    double size_r = sqrt(rr), size_u = fmax(norm_q, sqrt(uu));
    if (!isfinite(rr) || !isfinite(uu)) { // nothing is small beside infinity
        return (hf_fc3d_errors){.natural = NAN, .scaled = NAN, .of_motion = NAN};
    }
    // Beside reactions of 1e16 rounding hides every motion: what cannot be seen is not solved.
    double hidden = size_u > 0.0 ? DBL_EPSILON * size_r : 0.0;
    return (hf_fc3d_errors){.natural = both ? relative(sqrt(natural), fmax(size_u, size_r)) : NAN,
                            .scaled = relative(sqrt(scaled), fmax(rho * size_u, size_r)),
                            .of_motion = relative(sqrt(scaled) + hidden, rho * size_u)};
}

static double norm(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static double scale(const hf_fc3d_problem *problem)
{
    double trace = 0.0;
    if (problem->start == NULL) {
        hf_fc3d_space space = {0};
        bool good = hf_fc3d_space_open(&space, problem) == HF_OK;
        for (int i = 0; good && i < 3 * problem->contacts; ++i) {
            trace += space.diagonal[9 * (size_t)(i / 3) + 4 * (size_t)(i % 3)];
        }
        hf_fc3d_space_free(&space);
        return good && trace > 0.0 ? 3.0 * problem->contacts / trace : 1.0;
    }
    for (int i = 0; i < problem->contacts; ++i) {
        for (int k = problem->start[i]; k < problem->start[i + 1]; ++k) {
            const double *w = problem->w + 9 * (size_t)k;
            trace += problem->column[k] == i ? w[0] + w[4] + w[8] : 0.0;
        }
    }
    return trace > 0.0 ? 3.0 * problem->contacts / trace : 1.0;
}

double hf_fc3d_residual(const hf_fc3d_problem *problem, hf_fc3d_measure measure, const double *r,
                        double *u)
{
    hf_fc3d_velocity(problem, r, u);
    hf_fc3d_errors e = hf_fc3d_measure_errors(problem, measure, scale(problem),
                                              norm(problem->q, 3 * problem->contacts), r, u);
    return hf_fc3d_measured(measure, &e);
}

void hf_fc3d_regimes(const hf_fc3d_problem *problem, const double *r, const double *u,
                     hf_regime *regimes)
{
    double rho = scale(problem);
    for (int i = 0; i < problem->contacts; ++i) {
        double z[3], p[3];
        hf_fc3d_shift(r + 3 * i, u + 3 * i, problem->mu[i], rho, z);
        regimes[i] = hf_fc3d_project(z, problem->mu[i], p);
    }
}

void hf_fc3d_follow(hf_fc3d_run *run)
{
    for (int i = 0; run->space != NULL && i < run->s->follower_count; ++i) {
        const hf_fc3d_follower *f = &run->s->followers[i];
        double load = fmax(run->r[3 * f->owner], 0.0);
        run->s->followed_q[3 * f->contact] = -f->weight * (f->bound + f->share * load);
    }
}

void hf_fc3d_run_product(hf_fc3d_run *run, const double *x, double *y)
{
    if (run->space != NULL) {
        hf_fc3d_space_move(run->space, x, run->s->motion[0]);
        hf_fc3d_space_feel(run->space, run->s->motion[0], y);
        hf_fc3d_space_idle(run->space, x, y);
        return;
    }
    for (int i = 0; i < run->p->contacts; ++i) {
        hf_fc3d_row(run->p, i, x, y + 3 * i);
    }
}

void hf_fc3d_run_velocity(hf_fc3d_run *run, const double *r, double *u)
{
    hf_fc3d_run_product(run, r, u);
    for (int i = 0; i < 3 * run->p->contacts; ++i) {
        u[i] += run->p->q[i];
    }
}

const double *hf_fc3d_own_block(const hf_fc3d_run *run, int contact)
{
    if (run->space != NULL) {
        return run->space->diagonal + 9 * (size_t)contact;
    }
    const hf_fc3d_problem *p = run->p;
    int k = p->start[contact];
    while (p->column[k] != contact) {
        ++k;
    }
    return p->w + 9 * (size_t)k;
}

void hf_fc3d_run_start(hf_fc3d_run *run)
{
    int n = 3 * run->p->contacts;
    double trace = 0.0;
    for (int i = 0; i < run->p->contacts; ++i) {
        const double *w = hf_fc3d_own_block(run, i);
        trace += w[0] + w[4] + w[8];
    }
    run->rho = trace > 0.0 ? n / trace : 1.0;
    run->norm_q = norm(run->p->q, n);
    run->best = HUGE_VAL;
}

bool hf_fc3d_judge(hf_fc3d_run *run, double *r, double *u, double *residual)
{
    hf_fc3d_run_velocity(run, r, u);
    hf_fc3d_errors e =
        hf_fc3d_measure_errors(run->p, run->s->def.measure, run->rho, run->norm_q, r, u);
    *residual = hf_fc3d_measured(run->s->def.measure, &e);
    if (*residual < run->best) {
        run->best = *residual;
        memcpy(run->s->best_r, r, 3 * (size_t)run->p->contacts * sizeof *r);
    }
    return *residual <= run->tolerance && e.of_motion <= HF_FC3D_MOST_OF_MOTION;
}

int hf_fc3d_left(const hf_fc3d_run *run, int iterations)
{
    int left = run->budget;
    for (int i = 0; i < HF_FC3D_METHOD_COUNT; ++i) {
        left -= run->info->of_method[i];
    }
    left = left < 0 ? 0 : left;
    return left < iterations ? left : iterations;
}

bool hf_fc3d_out_of_time(const hf_fc3d_run *run)
{
    return hf_fc3d_left(run, 1) == 0 ||
           (isfinite(run->until) && (double)clock() / CLOCKS_PER_SEC > run->until);
}
