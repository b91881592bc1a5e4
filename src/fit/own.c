// SPDX-License-Identifier: Apache-2.0
// What logs that only judge have for themselves besides the starts of segments: offsets of sensors
// that are numbers of their own in each log, such as an encoder that is zeroed where the machine
// happens to stand. They are found by a fit to that log in which everything else is held.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

enum { OWN_ITERATIONS = 20 };

// The machine of a log of another fit.
typedef struct lent {
    const hf_fit *fit;
    int track;
} lent;

static hf_spec *lent_make(void *context, const double *values, hf_error *error)
{
    const hf_fit *fit = ((const lent *)context)->fit;
    return fit->def.make(fit->def.context, values, error);
}

static hf_status lent_attend(void *context, const hf_model *model, int log, const double *values,
                             hf_fit_attendance *attendance, hf_error *error)
{
    const lent *from = context;
    (void)log;
    return from->fit->def.attend(from->fit->def.context, model, from->track, values, attendance,
                                 error);
}

static void lent_leave(void *context, hf_fit_attendance *attendance)
{
    const hf_fit *fit = ((const lent *)context)->fit;
    fit->def.leave(fit->def.context, attendance);
}

static bool is_own(const hf_fit_parameter *p)
{
    return p->per_log && p->kind == HF_FIT_OFFSET;
}

// A fit to one log that judges: all numbers as they are, and only its own free.
static hf_fit *make_one(const hf_fit *fit, lent *from, const double *values,
                        hf_fit_parameter *parameters, hf_fit_match *matches, hf_error *error)
{
    // The same numbers, weights and segments
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        parameters[p] = fit->parameters[p];
        parameters[p].start = values[p];
        parameters[p].per_log = false;
    }
    for (int i = 0; i < fit->unknown_count; ++i) {
        parameters[fit->unknowns[i].parameter].typical = fit->scales[i];
    }
    for (int m = 0; m < fit->def.match_count; ++m) {
        matches[m] = fit->matches[m];
        matches[m].deviation = fit->deviations[m];
    }
    hf_fit_def def = fit->def;
    def.make = lent_make;
    def.attend = fit->def.attend == NULL ? NULL : lent_attend;
    def.leave = fit->def.leave == NULL ? NULL : lent_leave;
    def.context = from;
    def.logs = &fit->tracks[from->track].log;
    def.log_count = 1;
    def.validation_count = 0;
    def.inputs = fit->inputs;
    def.matches = matches;
    def.parameters = parameters;
    def.segments[0] = fit->segment;
    def.stage_count = def.starts = 1;
    def.iterations = OWN_ITERATIONS;
    def.progress = NULL;
    // Bounds without room hold the others
    hf_fit *one = hf_fit_create(&def, error);
    for (int p = 0; one != NULL && p < fit->def.parameter_count; ++p) {
        if (!is_own(&fit->parameters[p])) {
            one->unknowns[p].low = one->unknowns[p].high = values[p];
        }
    }
    return one;
}

// What was found becomes the track's.
static void take_over(hf_fit *fit, int index, const hf_fit *one, double *own)
{
    hf_fit_track *track = &fit->tracks[index];
    const hf_fit_track *found = &one->tracks[0];
    memcpy(own, one->x, (size_t)fit->def.parameter_count * sizeof *own);
    track->own = own;
    if (found->segment_count == track->segment_count) {
        memcpy(track->starts, found->starts,
               (size_t)(fit->state_count * track->segment_count) * sizeof *track->starts);
    }
    fit->simulations += one->simulations;
}

hf_status hf_fit_find_own(hf_fit *fit, int index, hf_error *error)
{
    // Whether it has any
    int count = 0;
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        count += is_own(&fit->parameters[p]);
    }
    if (count == 0) {
        return HF_OK;
    }
    size_t room = (size_t)fit->def.parameter_count;
    double *own = hf_arena_alloc(&fit->arena, room, sizeof *own);
    hf_fit_parameter *parameters = malloc(room * sizeof *parameters);
    hf_fit_match *matches = malloc((size_t)fit->def.match_count * sizeof *matches);
    lent from = {.fit = fit, .track = index};
    hf_status status = HF_OK;
    if (own == NULL || parameters == NULL || matches == NULL) {
        status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    } else {
        // Where the machine does not run, judging will tell
        hf_error failure = {0};
        hf_fit_values(fit, index, fit->x, own);
        hf_fit *one = make_one(fit, &from, own, parameters, matches, &failure);
        hf_status found = one == NULL ? failure.status : hf_fit_run_stage(one, 0, &failure);
        if (found == HF_OK) {
            take_over(fit, index, one, own);
        } else if (failure.status == HF_ERROR_MEMORY) {
            status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        hf_fit_destroy(one);
    }
    free(parameters);
    free(matches);
    return status;
}

void hf_fit_say_own(hf_fit *fit)
{
    for (int t = fit->def.log_count; t < fit->track_count; ++t) {
        for (int p = 0; fit->tracks[t].own != NULL && p < fit->def.parameter_count; ++p) {
            if (is_own(&fit->parameters[p])) {
                const char *unit = fit->parameters[p].unit == NULL ? "" : fit->parameters[p].unit;
                (void)hf_fit_say(fit,
                                 "%s only judges, but for %s, which each log has for itself: it "
                                 "was found there as %.4g%s%s.",
                                 fit->tracks[t].log->name, fit->parameters[p].name,
                                 fit->tracks[t].own[p], unit[0] == '\0' ? "" : " ", unit);
            }
        }
    }
}
