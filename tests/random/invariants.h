// SPDX-License-Identifier: Apache-2.0
// What must hold at every sample of every machine and method: nothing is said to slip that rests,
// or to stick that moves, and the forces on what rests balance.
#ifndef HF_TESTS_RANDOM_INVARIANTS_H
#define HF_TESTS_RANDOM_INVARIANTS_H

#include <holdfast/holdfast.h>

#include <stdbool.h>

enum { HF_WATCHED = 48 };

typedef struct hf_watched_force {
    char name[16];
    int on, to; // bodies; -1: none that is watched
    bool friction, off;
    hf_channel force, rate, mode;
    double before;     // force at the last sample
    int slips, sticks; // samples in a row that contradict the mode
} hf_watched_force;

typedef struct hf_watch {
    hf_watched_force forces[HF_WATCHED];
    hf_channel velocities[HF_WATCHED]; // by body; 0: it is not watched
    int still[HF_WATCHED];             // samples in a row at rest
    double off[HF_WATCHED], size[HF_WATCHED];
    int force_count;
    double fast;      // a rate that is no rounding [m/s]
    double rounding;  // the same of two bodies of one coordinate, under switch [m/s]
    bool exact;       // forces are those of the very instant
    char broken[160]; // the first that does not hold
} hf_watch;

// From the text of the machine, as machine.h makes it. `slow`: how long a second of it lasts.
void hf_watch_begin(hf_watch *watch, const char *text, const hf_sim *sim, double slow);
void hf_watch_look(hf_watch *watch, hf_sim *sim);

#endif
