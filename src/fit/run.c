// SPDX-License-Identifier: Apache-2.0
// hf_fit_run: first guesses, stages of segment lengths, deviations of channels, and the report.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

// Times that other starts of segments are tried, in a stage.
enum { REJOINS = 5 };
// Times that segments which fit far worse than the others, or pull, are reconsidered.
enum { RECONSIDERED = 8 };
// Secants at the end, of the given one: from the first on, each narrower by the factor, down to the
// last. Below it rounding of the runs is as large as their differences.
static const double FIRST_WIDTH = 0.1, NARROWING = 0.04, LAST_WIDTH = 1e-4;

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

hf_status hf_fit_run_stage(hf_fit *fit, int stage, hf_error *error)
{
    double change = 1.0;
    fit->news.stage = stage + 1;
    HF_TRY(hf_fit_cut(fit, fit->def.segments[stage], error));
    HF_TRY(hf_fit_search(fit, fit->def.secant, fit->def.iterations, error));
    // Each kind of other starts, and once more where the last of them helped
    bool changed = true;
    for (int i = 0; i < REJOINS && (changed || i < HF_FIT_OTHERS) && !fit->stopped; ++i) {
        HF_TRY(hf_fit_rejoin(fit, (hf_fit_others)(i % HF_FIT_OTHERS), &changed, error));
        if (changed) {
            HF_TRY(hf_fit_search(fit, fit->def.secant, fit->def.iterations, error));
        }
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

// The given first guess, where it is the only one.
static hf_status note_only_try(hf_fit *fit, const hf_error *failure, hf_error *error)
{
    const hf_error copy = failure == NULL ? (hf_error){0} : *failure;
    double *from = malloc(((size_t)fit->unknown_count + 1) * sizeof *from);
    if (from == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (int i = 0; i < fit->unknown_count; ++i) {
        from[i] = fit->unknowns[i].start;
    }
    hf_status status =
        hf_fit_note_try(fit, HF_FIT_GIVEN, from, failure == NULL ? NULL : &copy, error);
    if (status == HF_OK && failure == NULL) {
        fit->tries[0].chosen = true;
    }
    free(from);
    return status;
}

hf_status hf_fit_run(hf_fit *fit, hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    fit->stopped = false;
    fit->news = (hf_fit_progress){
        .stage = 1, .stages = fit->def.stage_count, .start = 1, .starts = fit->def.starts};
    fit->try_count = 0;
    // Search, from the best of several first guesses where they are wanted
    if (fit->def.starts > 1) {
        HF_TRY(hf_fit_guess(fit, error));
    }
    for (int i = 0; i < fit->def.stage_count && !fit->stopped; ++i) {
        hf_status status = hf_fit_run_stage(fit, i, error);
        if (fit->try_count == 0) {
            HF_TRY(note_only_try(fit, status < 0 ? error : NULL, error));
        }
        HF_TRY(status);
    }
    bool better = true;
    for (int i = 0; i < RECONSIDERED && better && !fit->stopped; ++i) {
        HF_TRY(hf_fit_reconsider(fit, &better, error));
    }
    // With narrower secants, where the last digits are
    double change = 1.0;
    double width = FIRST_WIDTH;
    while (width > LAST_WIDTH && !fit->stopped) {
        HF_TRY(hf_fit_search(fit, width * fit->def.secant, fit->def.iterations, error));
        estimate_deviations(fit, &change);
        width *= NARROWING;
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
