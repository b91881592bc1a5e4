// SPDX-License-Identifier: Apache-2.0
// Small machines and runs of them, for the tests of methods.
#ifndef HF_TESTS_METHODS_RUN_H
#define HF_TESTS_METHODS_RUN_H

#include <holdfast/sim.h>

#include "machines.h"

// A run of a machine with a method and a step; ends the test on any failure.
typedef struct hf_run {
    hf_model *model;
    hf_sim *sim;
} hf_run;

hf_run hf_run_open(const hf_machine *machine, hf_method_type type, double step);
void hf_run_close(hf_run *run);
void hf_run_steps(hf_run *run, int steps);
void hf_run_to(hf_run *run, double end);
double hf_run_value(hf_run *run, const char *channel);

// Parts: a mass in one dimension, and a force on it with its law's defaults.
int hf_add_mass(hf_machine *machine, const char *name, double mass, double position,
                double velocity);
hf_part *hf_add_force(hf_machine *machine, const char *name, hf_law_type law, int on, int to);
// A function of time.
int hf_add_function(hf_machine *machine, const char *name, double (*function)(void *, double));

// The order that three runs of `end` seconds show: log2 of the ratio of the differences between
// steps of h and h/2, and of h/2 and h/4, in all coordinates and velocities.
double hf_measured_order(const hf_machine *machine, hf_method_type type, double h, double end);

#endif
