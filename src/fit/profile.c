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

hf_status hf_fit_profile(hf_fit *fit, int unknown, const double *values, int count, double *costs,
                         hf_error *error)
{
    hf_error own = {0};
    hf_fit_kept k = {0};
    error = error == NULL ? &own : error;
    if (!hf_fit_keep(fit, &k)) {
        hf_fit_drop(fit, &k);
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
        hf_fit_put_back(fit, &k);
        fit->x[unknown] = u->low = u->high = values[i];
        status = hf_fit_search(fit, 0.2 * fit->def.secant, PROFILE_ITERATIONS, &failure);
        // A search that was stopped has not fitted the others
        costs[i] = status == HF_OK && !fit->stopped ? fit->cost : (double)NAN;
        status = status == HF_ERROR_MEMORY ? status : HF_OK;
    }
    // All as it was
    u->low = low;
    u->high = high;
    hf_fit_put_back(fit, &k);
    status = status == HF_OK && fit->stopped ? HF_INTERRUPTED : status;
    fit->stopped = stopped;
    hf_fit_drop(fit, &k);
    return status;
}
