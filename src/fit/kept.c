// SPDX-License-Identifier: Apache-2.0
// What a search changes, kept so that it can be put back.
#include <stdlib.h>
#include <string.h>

#include "fit/fit_data.h"

static double *copy(const double *from, size_t count)
{
    double *to = malloc((count + 1) * sizeof *to);
    if (to != NULL) {
        memcpy(to, from, count * sizeof *to);
    }
    return to;
}

void hf_fit_drop(const hf_fit *fit, hf_fit_kept *k)
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
    return (size_t)fit->state_count * (size_t)track->segment_count;
}

static size_t row_count(const hf_fit *fit, const hf_fit_track *track)
{
    return (size_t)(track->rows * fit->def.match_count);
}

bool hf_fit_keep(const hf_fit *fit, hf_fit_kept *k)
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

void hf_fit_put_back(hf_fit *fit, const hf_fit_kept *k)
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
