// SPDX-License-Identifier: Apache-2.0
// The residual that judges every method.
#include <string.h>
#include <time.h>

#include "fc3d_internal.h"

void hf_fc3d_velocity(const hf_fc3d_problem *problem, const double *r, double *u)
{
    for (int i = 0; i < problem->contacts; ++i) {
        hf_fc3d_row(problem, i, r, u + 3 * i);
        for (int k = 0; k < 3; ++k) {
            u[3 * i + k] += problem->q[3 * i + k];
        }
    }
}

// |r - P_K(r - rho u~)|^2
static double contact_error(const double *r, const double *u, double mu, double rho)
{
    double z[3], p[3];
    hf_fc3d_shift(r, u, mu, rho, z);
    (void)hf_fc3d_project(z, mu, p);
    double a = r[0] - p[0], b = r[1] - p[1], c = r[2] - p[2];
    return a * a + b * b + c * c;
}

// sum / max, where both may be zero: a problem without contacts, or with q = 0, is solved by r = 0.
static double relative(double sum, double largest)
{
    return sum == 0.0 ? 0.0 : sum / largest;
}

hf_fc3d_errors hf_fc3d_measure_errors(const hf_fc3d_problem *problem, double rho, double norm_q,
                                      const double *r, const double *u)
{
    double natural = 0.0, scaled = 0.0, rr = 0.0, uu = 0.0;
    for (int i = 0; i < problem->contacts; ++i) {
        natural += contact_error(r + 3 * i, u + 3 * i, problem->mu[i], 1.0);
        scaled += contact_error(r + 3 * i, u + 3 * i, problem->mu[i], rho);
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            rr += r[k] * r[k];
            uu += u[k] * u[k];
        }
    }
    double size_r = sqrt(rr), size_u = fmax(norm_q, sqrt(uu));
    return (hf_fc3d_errors){.natural = relative(sqrt(natural), fmax(size_u, size_r)),
                            .scaled = relative(sqrt(scaled), fmax(rho * size_u, size_r))};
}

static double norm(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

double hf_fc3d_scale(const hf_fc3d_problem *problem)
{
    double trace = 0.0;
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
    hf_fc3d_errors e = hf_fc3d_measure_errors(problem, hf_fc3d_scale(problem),
                                              norm(problem->q, 3 * problem->contacts), r, u);
    return measure == HF_FC3D_SCALED ? e.scaled : e.natural;
}

void hf_fc3d_regimes(const hf_fc3d_problem *problem, const double *r, const double *u,
                     hf_regime *regimes)
{
    double rho = hf_fc3d_scale(problem);
    for (int i = 0; i < problem->contacts; ++i) {
        double z[3], p[3];
        hf_fc3d_shift(r + 3 * i, u + 3 * i, problem->mu[i], rho, z);
        regimes[i] = hf_fc3d_project(z, problem->mu[i], p);
    }
}

void hf_fc3d_run_start(hf_fc3d_run *run)
{
    int n = 3 * run->p->contacts;
    run->rho = hf_fc3d_scale(run->p);
    run->norm_q = norm(run->p->q, n);
    run->best = HUGE_VAL;
}

bool hf_fc3d_judge(hf_fc3d_run *run, double *r, double *u, double *residual)
{
    hf_fc3d_velocity(run->p, r, u);
    hf_fc3d_errors e = hf_fc3d_measure_errors(run->p, run->rho, run->norm_q, r, u);
    *residual = run->s->def.measure == HF_FC3D_SCALED ? e.scaled : e.natural;
    if (*residual < run->best) {
        run->best = *residual;
        memcpy(run->s->best_r, r, 3 * (size_t)run->p->contacts * sizeof *r);
    }
    return *residual <= run->tolerance;
}

bool hf_fc3d_out_of_time(const hf_fc3d_run *run)
{
    return isfinite(run->until) && (double)clock() / CLOCKS_PER_SEC > run->until;
}
