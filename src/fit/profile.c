// SPDX-License-Identifier: Apache-2.0
// The profile of an unknown: the least cost with it held at a value, all others fitted anew. Where
// residuals are white and the machine is about linear it is a parabola that rises by s^2 at one
// standard deviation; a flat side is a number that the logs do not bound.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

enum { PROFILE_ITERATIONS = 6 };

// What a search changes.
typedef struct kept {
    double *x, **starts, **simulated;
    double cost;
    bool converged;
} kept;

static double *copy(const double *from, size_t count)
{
    double *to = malloc((count + 1) * sizeof *to);
    if (to != NULL) {
        memcpy(to, from, count * sizeof *to);
    }
    return to;
}

static void drop(const hf_fit *fit, kept *k)
{
    for (int t = 0; t < fit->def.log_count; ++t) {
        free(k->starts == NULL ? NULL : k->starts[t]);
        free(k->simulated == NULL ? NULL : k->simulated[t]);
    }
    free(k->x);
    free((void *)k->starts);
    free((void *)k->simulated);
}

static size_t state_count(const hf_fit *fit, const hf_fit_track *track)
{
    return (size_t)(fit->state_count * track->segment_count);
}

static size_t row_count(const hf_fit *fit, const hf_fit_track *track)
{
    return (size_t)(track->rows * fit->def.match_count);
}

static bool keep(const hf_fit *fit, kept *k)
{
    size_t logs = (size_t)fit->def.log_count;
    k->cost = fit->cost;
    k->converged = fit->converged;
    k->x = copy(fit->x, (size_t)fit->unknown_count);
    k->starts = calloc(logs + 1, sizeof *k->starts);
    k->simulated = calloc(logs + 1, sizeof *k->simulated);
    bool good = k->x != NULL && k->starts != NULL && k->simulated != NULL;
    for (size_t t = 0; t < logs && good; ++t) {
        const hf_fit_track *track = &fit->tracks[t];
        k->starts[t] = copy(track->starts, state_count(fit, track));
        k->simulated[t] = copy(track->simulated, row_count(fit, track));
        good = k->starts[t] != NULL && k->simulated[t] != NULL;
    }
    return good;
}

static void put_back(hf_fit *fit, const kept *k)
{
    fit->cost = k->cost;
    fit->converged = k->converged;
    memcpy(fit->x, k->x, (size_t)fit->unknown_count * sizeof *fit->x);
    for (int t = 0; t < fit->def.log_count; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        memcpy(track->starts, k->starts[t], state_count(fit, track) * sizeof(double));
        memcpy(track->simulated, k->simulated[t], row_count(fit, track) * sizeof(double));
    }
}

hf_status hf_fit_profile(hf_fit *fit, int unknown, const double *values, int count, double *costs,
                         hf_error *error)
{
    hf_error own = {0};
    kept k = {0};
    error = error == NULL ? &own : error;
    if (!keep(fit, &k)) {
        drop(fit, &k);
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    // The fit as it is
    hf_fit_unknown *u = &fit->unknowns[unknown];
    double low = u->low, high = u->high;
    bool stopped = fit->stopped;
    fit->stopped = false;
    hf_status status = HF_OK;
    for (int i = 0; i < count; ++i) {
        costs[i] = (double)NAN;
    }
    for (int i = 0; i < count && status == HF_OK && !fit->stopped; ++i) {
        if (!(values[i] >= low && values[i] <= high)) {
            continue;
        }
        // Held by bounds that leave it no room
        hf_error failure = {0};
        put_back(fit, &k);
        fit->x[unknown] = u->low = u->high = values[i];
        status = hf_fit_search(fit, 0.2 * fit->def.secant, PROFILE_ITERATIONS, &failure);
        // A search that was stopped has not fitted the others
        costs[i] = status == HF_OK && !fit->stopped ? fit->cost : (double)NAN;
        status = status == HF_ERROR_MEMORY ? status : HF_OK;
    }
    // All as it was
    u->low = low;
    u->high = high;
    put_back(fit, &k);
    status = status == HF_OK && fit->stopped ? HF_INTERRUPTED : status;
    fit->stopped = stopped;
    drop(fit, &k);
    return status;
}
