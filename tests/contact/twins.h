// SPDX-License-Identifier: Apache-2.0
// A machine twice: one that leaves out what it need not compute, one that computes all of it. Both
// have the same bits, whatever disturbs them.
#ifndef HF_TEST_TWINS_H
#define HF_TEST_TWINS_H

#include "contact_test.h"
#include "methods/timestep/timestep.h"

typedef struct twins {
    hf_model *model;
    hf_sim *quiet, *busy;
    char *states[2];
    long long taken; // by sims that are no longer
} twins;

twins twins_of(const char *text);
void close_twins(twins *t);
// `busy` computes every step, of all bodies.
void keep_busy(twins *t);
// Steps that `quiet` did not compute.
long long steps_taken(const twins *t);
// A step of both; all that a saved state has is the same.
void step_twins(twins *t, int piece);
void compare_twins(twins *t, int piece);
void compare_channels(twins *t);
void compare_contacts(twins *t);
// One of all that may happen between steps, to both.
void disturb_twins(twins *t, hf_rng *rng);

#endif
