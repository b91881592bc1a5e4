// SPDX-License-Identifier: Apache-2.0
// Meetings of pairs whose solids have not moved by a single bit since they were last looked at:
// what lies still need not be found again. A meeting depends on the two poses and the margin alone,
// so that what is recalled is what would be found.
#ifndef HF_COLLIDE_KNOWN_H
#define HF_COLLIDE_KNOWN_H

#include "shapes/touch.h"

typedef struct hf_known_pair {
    int force, a, b; // ascending, in this order
    double margin;
    hf_meeting touch;
} hf_known_pair;

typedef struct hf_known {
    hf_known_pair *before, *now; // [capacity] of the last search and of this one
    int before_count, now_count, capacity;
    int at;     // where `before` is looked at: searches go through pairs in order
    bool *same; // by solid: has not moved since the last search
} hf_known;

// A new search.
static inline void hf_known_begin(hf_known *known)
{
    hf_known_pair *last = known->now;
    known->now = known->before;
    known->before = last;
    known->before_count = known->now_count;
    known->now_count = known->at = 0;
}

// Whatever is found next is found anew.
static inline void hf_known_forget(hf_known *known)
{
    known->now_count = 0;
}

static inline bool hf_known_is_before(const hf_known_pair *k, int force, int a, int b)
{
    return k->force != force ? k->force < force : k->a != a ? k->a < a : k->b < b;
}

// The meeting of a pair that has been looked at before, with the same margin, and has not moved;
// NULL: look.
static inline const hf_meeting *hf_known_recall(hf_known *known, int force, int a, int b,
                                                double margin)
{
    while (known->at < known->before_count &&
           hf_known_is_before(&known->before[known->at], force, a, b)) {
        ++known->at;
    }
    const hf_known_pair *k = &known->before[known->at];
    bool there = known->at < known->before_count && k->force == force && k->a == a && k->b == b;
    there = there && k->margin == margin;
    return there && known->same[a] && known->same[b] ? &k->touch : NULL;
}

// Where there is no room for more, it is looked for again the next time.
static inline void hf_known_remember(hf_known *known, int force, int a, int b, double margin,
                                     const hf_meeting *touch)
{
    if (known->now_count < known->capacity) {
        known->now[known->now_count++] =
            (hf_known_pair){.force = force, .a = a, .b = b, .margin = margin, .touch = *touch};
    }
}

#endif
