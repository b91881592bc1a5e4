// SPDX-License-Identifier: Apache-2.0
// hf_fit_run: first guesses, stages of segment lengths, deviations of channels, and what is told.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

// Iterations that a first guess gets before the best goes on.
enum { TRIAL_ITERATIONS = 12 };
// Times that segments are tried to be joined, in a stage.
enum { REJOINS = 3 };
// First guesses are within this factor of the given one, or within this part of the size.
static const double GUESS_FACTOR = 2.0, GUESS_PART = 0.5;

// ------------------------------------------------------------------------------------------------
// Deviations of channels

static double track_rms(const hf_fit *fit, int match)
{
    double sum = 0.0;
    long long count = 0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        const hf_fit_track *track = &fit->tracks[t];
        for (long long k = 0; k < track->rows; ++k, ++count) {
            double e = track->measured[match * track->rows + k] -
                       track->simulated[match * track->rows + k];
            sum += e * e;
        }
    }
    return sqrt(sum / (double)count);
}

// Those that were not given become the residuals' own. *change: the largest, as a factor.
static void estimate_deviations(hf_fit *fit, double *change)
{
    *change = 1.0;
    for (int m = 0; m < fit->def.match_count; ++m) {
        double rms = track_rms(fit, m);
        if (fit->matches[m].deviation > 0.0 || !(rms > 0.0)) {
            continue;
        }
        *change = fmax(*change, fmax(rms / fit->deviations[m], fit->deviations[m] / rms));
        fit->deviations[m] = rms;
    }
    fit->cost = hf_fit_cost(fit, fit->x, false);
}

// Whether the weights of residuals among each other, or against priors, depend on deviations.
static bool weights_matter(const hf_fit *fit)
{
    bool matter = fit->def.match_count > 1 || fit->def.loss != HF_FIT_SQUARES;
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        matter = matter || fit->parameters[p].prior_deviation > 0.0;
    }
    return matter;
}

// ------------------------------------------------------------------------------------------------
// First guesses

double hf_fit_random(unsigned long long *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return 2.0 * (double)((*state * 2685821657736338717ull) >> 11) / 9007199254740992.0 - 1.0;
}

static void guess(hf_fit *fit, int number, unsigned long long *random)
{
    for (int i = 0; i < fit->unknown_count; ++i) {
        const hf_fit_unknown *u = &fit->unknowns[i];
        double r = hf_fit_random(random), x = u->start;
        if (number > 0) {
            bool scaled = x > 0.0 && fit->parameters[u->parameter].kind == HF_FIT_MODEL;
            x = scaled ? x * exp(r * log(GUESS_FACTOR)) : x + GUESS_PART * r * fit->scales[i];
        }
        fit->x[i] = fmin(fmax(x, u->low), u->high);
    }
}

static hf_status try_guesses(hf_fit *fit, hf_error *error)
{
    unsigned long long random = fit->def.seed * 0x9e3779b97f4a7c15ull + 1;
    size_t size = (size_t)fit->unknown_count * sizeof *fit->x;
    double *best = malloc(size), least = INFINITY;
    hf_status status = best == NULL ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory") : HF_OK;
    // From each first guess: a short search
    for (int i = 0; i < fit->def.starts && status == HF_OK && !fit->stopped; ++i) {
        fit->news.start = i + 1;
        guess(fit, i, &random);
        status = hf_fit_cut(fit, fit->def.segments[0], error);
        if (status < 0) {
            break;
        }
        hf_error failure = {0};
        hf_status found =
            hf_fit_search(fit, fit->def.secant,
                          fit->def.starts == 1 ? fit->def.iterations : TRIAL_ITERATIONS, &failure);
        // The best of them
        if (found == HF_OK && fit->cost < least) {
            least = fit->cost;
            memcpy(best, fit->x, size);
        } else if (found != HF_OK && i == 0) {
            *error = failure;
        }
        status = found == HF_ERROR_MEMORY ? found : HF_OK;
    }
    // None ran: the first complaint tells
    if (status == HF_OK && !(least < INFINITY)) {
        status = error->status < 0 ? HF_ERROR_CONVERGENCE
                                   : hf_error_set(error, HF_ERROR_CONVERGENCE,
                                                  "the machine runs from no first guess");
    } else if (status == HF_OK) {
        memcpy(fit->x, best, size);
    }
    free(best);
    return status;
}

// ------------------------------------------------------------------------------------------------

// One stage, from the present values: search, deviations, search again.
static hf_status run_stage(hf_fit *fit, int stage, hf_error *error)
{
    double change = 1.0;
    fit->news.stage = stage + 1;
    HF_TRY(hf_fit_cut(fit, fit->def.segments[stage], error));
    HF_TRY(hf_fit_search(fit, fit->def.secant, fit->def.iterations, error));
    bool changed = true;
    for (int i = 0; i < REJOINS && changed && !fit->stopped; ++i) {
        HF_TRY(hf_fit_rejoin(fit, &changed, error));
        HF_TRY(hf_fit_search(fit, fit->def.secant, fit->def.iterations, error));
    }
    for (int i = 0; i < 3 && !fit->stopped; ++i) {
        estimate_deviations(fit, &change);
        if (!weights_matter(fit) || change < 1.05) {
            break;
        }
        HF_TRY(hf_fit_search(fit, fit->def.secant, fit->def.iterations, error));
    }
    return HF_OK;
}

hf_status hf_fit_run(hf_fit *fit, hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    fit->stopped = false;
    fit->news = (hf_fit_progress){
        .stage = 1, .stages = fit->def.stage_count, .start = 1, .starts = fit->def.starts};
    // Search
    if (fit->def.starts > 1) {
        HF_TRY(try_guesses(fit, error));
    }
    for (int i = 0; i < fit->def.stage_count && !fit->stopped; ++i) {
        HF_TRY(run_stage(fit, i, error));
    }
    // With narrower secants, where the last digits are
    double change = 1.0;
    for (double width = 0.1; width > 1e-4 && !fit->stopped; width *= 0.04) {
        HF_TRY(hf_fit_search(fit, width * fit->def.secant, fit->def.iterations, error));
        estimate_deviations(fit, &change);
    }
    for (int t = 0; t < fit->def.log_count; ++t) {
        fit->tracks[t].ran = true;
    }
    for (int i = 0; i < fit->unknown_count; ++i) {
        fit->unknowns[i].value = fit->x[i];
    }
    // What is known
    HF_TRY(hf_fit_differentiate(fit, 0.2 * fit->def.secant,
                                (hf_fit_part){.end = fit->def.log_count}, error));
    HF_TRY(hf_fit_covariance(fit, error));
    HF_TRY(hf_fit_settle(fit, error));
    hf_fit_run_free(fit);
    HF_TRY(hf_fit_judge(fit, error));
    return fit->stopped ? HF_INTERRUPTED : HF_OK;
}
