// SPDX-License-Identifier: Apache-2.0
// Logs that are given more than once. One that is fitted to counts twice, and intervals come out
// too narrow; one that judges what was fitted to it agrees with itself.
#include <string.h>

#include "fit/fit_data.h"

// Whether two logs have the same rows: times, what goes in and what was measured.
static bool is_same(const hf_fit *fit, const hf_fit_track *a, const hf_fit_track *b)
{
    size_t size = (size_t)a->rows * sizeof *a->time;
    bool same = a->rows == b->rows && memcmp(a->time, b->time, size) == 0 &&
                memcmp(a->measured, b->measured, size * (size_t)fit->def.match_count) == 0;
    for (int i = 0; same && i < fit->def.input_count; ++i) {
        same = memcmp(a->inputs[i], b->inputs[i], size) == 0;
    }
    return same;
}

hf_fit_same hf_fit_say_same(hf_fit *fit)
{
    hf_fit_same found = {0};
    int fitted = fit->def.log_count;
    for (int b = 1; b < fit->track_count; ++b) {
        int a = 0, last = b < fitted ? b : fitted;
        while (a < last && !is_same(fit, &fit->tracks[a], &fit->tracks[b])) {
            ++a;
        }
        if (a == last) {
            continue;
        }
        found.fitted = found.fitted || b < fitted;
        found.judging = found.judging || b >= fitted;
        (void)hf_fit_say(fit,
                         b < fitted ? "%s has the rows of %s: they count twice, and intervals are "
                                      "too narrow."
                                    : "%s has the rows of %s, which was fitted to: it agrees with "
                                      "itself, and tells nothing of other motions.",
                         fit->tracks[b].log->name, fit->tracks[a].log->name);
    }
    return found;
}
