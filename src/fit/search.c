// SPDX-License-Identifier: Apache-2.0
// Levenberg-Marquardt within bounds; several first guesses; stages of segment lengths.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"
#include "math/dense.h"

// Converged: the cost falls by less than this part in two iterations, or no shorter step lowers it.
static const double LEAST_GAIN = 1e-6;
// A step that promises less than this part of the cost is not tried: rounding and the events of the
// machine change the cost by more.
static const double LEAST_PROMISE = 1e-9;
static const double FIRST_DAMPING = 1e-3, LEAST_DAMPING = 1e-9, MOST_DAMPING = 1e8;
// Farthest that an unknown goes in one step: by its own size, or by a factor of e.
static const double LONGEST_STEP = 1.0;

// Memory of a search.
typedef struct search {
    hf_fit_normal normal;
    double *step, *moved; // [unknown]
    double damping;
} search;

static bool create(const hf_fit *fit, search *s)
{
    size_t u = (size_t)fit->unknown_count + 1;
    s->normal.count = fit->unknown_count;
    s->normal.matrix = malloc(u * u * sizeof(double));
    s->normal.descent = malloc(u * sizeof(double));
    s->step = malloc(u * sizeof(double));
    s->moved = malloc(u * sizeof(double));
    s->damping = FIRST_DAMPING;
    return s->normal.matrix != NULL && s->normal.descent != NULL && s->step != NULL &&
           s->moved != NULL;
}

static void destroy(search *s)
{
    free(s->normal.matrix);
    free(s->normal.descent);
    free(s->step);
    free(s->moved);
}

// Unknowns at a bound that want to go beyond it stay there; so does what nothing depends on.
static void freeze(const hf_fit *fit, search *s)
{
    int u = s->normal.count;
    double *matrix = s->normal.matrix, *descent = s->normal.descent;
    for (int i = 0; i < u; ++i) {
        const hf_fit_unknown *unknown = &fit->unknowns[i];
        bool outward = (fit->x[i] <= unknown->low && descent[i] < 0.0) ||
                       (fit->x[i] >= unknown->high && descent[i] > 0.0);
        if (outward || !(matrix[i * u + i] > 0.0)) {
            for (int j = 0; j < u; ++j) {
                matrix[i * u + j] = matrix[j * u + i] = 0.0;
            }
            matrix[i * u + i] = 1.0;
            descent[i] = 0.0;
        }
    }
}

// A step of the unknowns at the present damping, cut to bounds and to the longest step, and the
// starts that go with it. *made false: the equations could not be solved. *promise: by how much the
// cost would fall, if residuals were linear.
static hf_status propose(hf_fit *fit, search *s, bool *made, double *promise, hf_error *error)
{
    int u = s->normal.count;
    *promise = INFINITY;
    // Normal equations at this damping
    HF_TRY(hf_fit_normal_build(fit, s->damping, &s->normal, error));
    freeze(fit, s);
    memcpy(s->step, s->normal.descent, (size_t)u * sizeof *s->step);
    *made = hf_cholesky(s->normal.matrix, (size_t)u);
    if (!*made) {
        return HF_OK;
    }
    hf_cholesky_solve(s->normal.matrix, (size_t)u, s->step, 1);
    // The step, cut to the longest one and to bounds
    double longest = 0.0;
    for (int i = 0; i < u; ++i) {
        longest = fmax(longest, fabs(s->step[i]));
    }
    double cut = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1.0;
    for (int i = 0; i < u; ++i) {
        s->moved[i] = hf_fit_moved(fit, i, fit->x[i], cut * s->step[i], &s->step[i]);
        *made = *made && isfinite(s->moved[i]);
    }
    if (!*made) {
        return HF_OK;
    }
    // The starts that go with it, and what the cost promises to fall by
    HF_TRY(hf_fit_normal_starts(fit, s->damping, s->step, promise, error));
    for (int i = 0; i < u; ++i) {
        *promise += s->step[i] * s->normal.descent[i];
    }
    return HF_OK;
}

// What was tried becomes the present.
static void accept(hf_fit *fit, search *s, double cost)
{
    memcpy(fit->x, s->moved, (size_t)fit->unknown_count * sizeof *fit->x);
    for (int t = 0; t < fit->def.log_count; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        double *starts = track->starts, *simulated = track->simulated;
        track->starts = track->trial;
        track->trial = starts;
        track->simulated = track->predicted;
        track->predicted = simulated;
    }
    fit->cost = cost;
}

// Tries steps until one lowers the cost. *gain: by which part; 0: none did.
static hf_status descend(hf_fit *fit, search *s, double *gain, hf_error *error)
{
    *gain = 0.0;
    while (s->damping <= MOST_DAMPING) {
        bool made = false;
        double promise = INFINITY;
        HF_TRY(propose(fit, s, &made, &promise, error));
        if (promise < LEAST_PROMISE * fit->cost) {
            break;
        }
        hf_error failure = {0};
        if (made && hf_fit_simulate_all(fit, s->moved, true, fit->def.log_count, &failure)) {
            double cost = hf_fit_cost(fit, s->moved, true);
            if (cost < fit->cost) {
                *gain = (fit->cost - cost) / fit->cost;
                accept(fit, s, cost);
                s->damping = fmax(0.2 * s->damping, LEAST_DAMPING);
                return HF_OK;
            }
        }
        s->damping *= 5.0;
    }
    return HF_OK;
}

// Tells how it stands. False: the caller wants to stop.
static bool tell(hf_fit *fit)
{
    long long residuals = 0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        residuals += fit->tracks[t].rows * fit->def.match_count;
    }
    fit->news.iteration = fit->iterations;
    fit->news.rms = sqrt(fit->cost / (double)residuals);
    fit->news.simulations = fit->simulations;
    fit->stopped = fit->stopped || (fit->def.progress != NULL &&
                                    !fit->def.progress(fit->def.progress_context, &fit->news));
    return !fit->stopped;
}

hf_status hf_fit_search(hf_fit *fit, double width, int iterations, hf_error *error)
{
    search s = {0};
    if (!create(fit, &s)) {
        destroy(&s);
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    hf_status status = HF_OK;
    int small = 0;
    fit->converged = false;
    if (!hf_fit_simulate_all(fit, fit->x, false, fit->def.log_count, error)) {
        status = HF_ERROR_CONVERGENCE;
    } else {
        fit->cost = hf_fit_cost(fit, fit->x, false);
    }
    for (int i = 0; i < iterations && status == HF_OK && !fit->converged && tell(fit); ++i) {
        double gain = 0.0;
        fit->iterations += 1;
        status = hf_fit_differentiate(fit, width, (hf_fit_part){.end = fit->def.log_count}, error);
        status = status == HF_OK ? descend(fit, &s, &gain, error) : status;
        small = gain < LEAST_GAIN ? small + 1 : 0;
        fit->converged = gain == 0.0 || small >= 2;
    }
    destroy(&s);
    return status;
}
