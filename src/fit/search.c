// SPDX-License-Identifier: Apache-2.0
// Levenberg-Marquardt within bounds; several first guesses; stages of segment lengths.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"
#include "math/dense.h"

// Converged: the cost falls by less than a part of it in two iterations, or no shorter step lowers
// it. One standard deviation of one number is worth one independent residual's share of the cost;
// a tenth of it, whose square this is, is not worth going on for. Kinks of stops would let a search
// creep there for long.
static const double GAIN_OF_ONE = 0.01;
static const double LEAST_GAIN = 1e-6, MOST_GAIN = 1e-4; // within these parts
// A step that promises less than this part of the cost is not tried: rounding and the events of the
// machine change the cost by more.
static const double LEAST_PROMISE = 1e-9;
static const double FIRST_DAMPING = 1e-3, LEAST_DAMPING = 1e-9, MOST_DAMPING = 1e8;
// Derivatives are corrected by what a step did (hf_fit_update), at the price of no run, as long as
// a step gains at least this part of what they promised; so many times at most.
static const double GOOD_SHARE = 0.25;
enum { MOST_UPDATES = 10 };
// A step of numbers with settled starts is tried at dampings from the first one on, while it
// promises so many times a gain that is worth it.
static const double MOST_SETTLED = 20.0, SETTLED_FACTOR = 100.0, LEAST_SETTLED = 10.0;
// Farthest that an unknown goes in one step: by its own size, or by a factor of e.
static const double LONGEST_STEP = 1.0;

// Memory of a search.
typedef struct search {
    hf_fit_normal normal;
    double *step, *moved; // [unknown]
    double *factor;       // [unknown][unknown]
    bool *held;           // [unknown]: at the end of its reach
    double damping;
    int updates;   // of the derivatives, since they were secants
    double share;  // of what the last step promised that it gained
    double enough; // gain that is worth going on for
} search;

static bool create(const hf_fit *fit, search *s)
{
    size_t u = (size_t)fit->unknown_count + 1;
    s->normal.count = fit->unknown_count;
    s->normal.matrix = malloc(u * u * sizeof(double));
    s->normal.descent = malloc(u * sizeof(double));
    s->step = malloc(u * sizeof(double));
    s->moved = malloc(u * sizeof(double));
    s->factor = malloc(u * u * sizeof(double));
    s->held = malloc(u * sizeof(bool));
    s->damping = FIRST_DAMPING;
    return s->normal.matrix != NULL && s->normal.descent != NULL && s->step != NULL &&
           s->moved != NULL && s->factor != NULL && s->held != NULL;
}

static void destroy(search *s)
{
    free(s->normal.matrix);
    free(s->normal.descent);
    free(s->step);
    free(s->moved);
    free(s->factor);
    free(s->held);
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

// Steps that an unknown may make: within its bounds, and not farther than LONGEST_STEP.
static void reach_of(const hf_fit *fit, int unknown, double *least, double *most)
{
    const hf_fit_unknown *u = &fit->unknowns[unknown];
    double x = fit->x[unknown], scale = fit->scales[unknown], longest = LONGEST_STEP;
    if (fit->parameters[u->parameter].logarithmic) {
        *least = u->low > 0.0 ? fmax(log(u->low / x), -longest) : -longest;
        *most = fmin(log(u->high / x), longest);
    } else {
        longest *= fmax(1.0, fabs(x) / scale); // of what is larger now than its first guess
        *least = fmax((u->low - x) / scale, -longest);
        *most = fmin((u->high - x) / scale, longest);
    }
}

// Solves the normal equations within reach: unknowns that would go beyond it go to its end, and
// the others are found anew with these held there. False: the equations could not be solved.
static bool solve_within(const hf_fit *fit, search *s)
{
    int u = s->normal.count, beyond = 1;
    for (int i = 0; i < u; ++i) {
        s->held[i] = false;
    }
    while (beyond > 0) {
        // Held ones are moved to the right-hand side
        for (int i = 0; i < u; ++i) {
            double sum = s->normal.descent[i];
            for (int j = 0; j < u; ++j) {
                bool out = s->held[i] || s->held[j];
                sum -= s->held[j] ? s->normal.matrix[i * u + j] * s->step[j] : 0.0;
                s->factor[i * u + j] = out ? (i == j) : s->normal.matrix[i * u + j];
            }
            s->moved[i] = s->held[i] ? s->step[i] : sum;
        }
        if (!hf_cholesky(s->factor, (size_t)u)) {
            return false;
        }
        hf_cholesky_solve(s->factor, (size_t)u, s->moved, 1);
        // Who goes too far
        beyond = 0;
        for (int i = 0; i < u; ++i) {
            double least, most;
            reach_of(fit, i, &least, &most);
            bool far = !s->held[i] && !(s->moved[i] >= least && s->moved[i] <= most);
            s->held[i] = s->held[i] || far;
            s->step[i] = far ? fmin(fmax(s->moved[i], least), most) : s->moved[i];
            beyond += far;
        }
    }
    return true;
}

// A step of the unknowns at the present damping, within bounds and the longest step, and the starts
// that go with it. *made false: the equations could not be solved. *promise: by how much the cost
// would fall, if residuals were linear.
static hf_status propose(hf_fit *fit, search *s, bool *made, double *promise, hf_error *error)
{
    int u = s->normal.count;
    *promise = INFINITY;
    // Normal equations at this damping
    HF_TRY(hf_fit_normal_build(fit, s->damping, &s->normal, error));
    freeze(fit, s);
    *made = solve_within(fit, s);
    for (int i = 0; i < u && *made; ++i) {
        s->moved[i] = hf_fit_moved(fit, i, fit->x[i], s->step[i], &s->step[i]);
        *made = isfinite(s->moved[i]);
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

// Tries steps until one lowers the cost; one alone with corrected derivatives, which may be to
// blame where it does not. *gain: by which part; 0: none did.
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
                s->share = (fit->cost - cost) / promise;
                accept(fit, s, cost);
                s->damping = fmax(0.2 * s->damping, LEAST_DAMPING);
                return HF_OK;
            }
        }
        if (s->updates > 0) {
            break;
        }
        s->damping *= 5.0;
    }
    return HF_OK;
}

// A step that starts of segments spoil: where a start is beside a cliff (a stop falls into another
// step of the method), every step that moves it over is refused, and all numbers with it. Here the
// numbers move alone, and the starts settle with them. *gain: by which part the cost falls.
static hf_status descend_settled(hf_fit *fit, search *s, double *gain, hf_error *error)
{
    hf_fit_kept kept = {0};
    hf_status status =
        hf_fit_keep(fit, &kept) ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    s->damping = FIRST_DAMPING;
    while (status == HF_OK && s->damping <= MOST_SETTLED && *gain == 0.0) {
        // The numbers of a step
        bool made = false;
        double promise = INFINITY;
        status = propose(fit, s, &made, &promise, error);
        if (status != HF_OK || !made || promise < LEAST_SETTLED * s->enough * fit->cost) {
            break;
        }
        // The starts that fit them, segment by segment
        memcpy(fit->x, s->moved, (size_t)fit->unknown_count * sizeof *fit->x);
        hf_error failure = {0};
        bool ran = hf_fit_settle_logs(fit, &failure) == HF_OK;
        status = failure.status == HF_ERROR_MEMORY
                     ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory")
                     : HF_OK;
        // Kept where they are better together
        double cost = ran ? hf_fit_cost(fit, fit->x, false) : INFINITY;
        if (cost < kept.cost) {
            *gain = (kept.cost - cost) / kept.cost;
            fit->cost = cost;
        } else {
            hf_fit_put_back(fit, &kept);
        }
        s->damping *= SETTLED_FACTOR;
    }
    hf_fit_drop(fit, &kept);
    return status;
}

// Derivatives for the next step: corrected by the last one where it did what they had promised,
// else by runs.
static hf_status renew(hf_fit *fit, search *s, double width, hf_error *error)
{
    if (s->share >= GOOD_SHARE && s->updates < MOST_UPDATES) {
        s->updates += 1;
        return hf_fit_update(fit, s->step, error);
    }
    s->updates = 0;
    return hf_fit_differentiate(fit, width, (hf_fit_part){.end = fit->def.log_count}, error);
}

bool hf_fit_tell(hf_fit *fit)
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
    double enough = LEAST_GAIN;
    fit->converged = false;
    if (!hf_fit_simulate_all(fit, fit->x, false, fit->def.log_count, error)) {
        status = HF_ERROR_CONVERGENCE;
    } else {
        fit->cost = hf_fit_cost(fit, fit->x, false);
        enough = fmin(fmax(GAIN_OF_ONE / hf_fit_independent(fit), LEAST_GAIN), MOST_GAIN);
    }
    // Iterations are those that cost derivatives
    for (int i = 0; i < iterations && status == HF_OK && !fit->converged && hf_fit_tell(fit);) {
        double gain = 0.0;
        status = renew(fit, &s, width, error);
        i += s.updates == 0;
        fit->iterations += s.updates == 0;
        s.share = 0.0;
        status = status == HF_OK ? descend(fit, &s, &gain, error) : status;
        if (status == HF_OK && gain == 0.0 && s.updates == 0 && fit->closely) {
            s.enough = enough;
            status = descend_settled(fit, &s, &gain, error);
            s.damping = FIRST_DAMPING;
        }
        // Little gain: derivatives by runs have the last word
        small = gain < enough ? small + 1 : 0;
        s.share = gain < enough ? 0.0 : s.share;
        fit->converged = s.updates == 0 && (gain == 0.0 || small >= 2);
    }
    destroy(&s);
    return status;
}
