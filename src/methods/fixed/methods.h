// SPDX-License-Identifier: Apache-2.0
// Fixed-step methods. Each advances from sim->core->time to `end`, h seconds later, in one go. h is
// given so that a whole step is the method's step to the bit.
#ifndef HF_METHODS_FIXED_METHODS_H
#define HF_METHODS_FIXED_METHODS_H

#include "sim/method_info.h"

// What all of them admit: a line of each table.
#define HF_FIXED_ADMITS                                                                            \
    .loads = true, .accepts = true, .shapes = true, .surfaces = true, .grain = true, .swarms = true

// Velocities by a step of Euler's, positions with the new velocities.
void hf_semi_implicit_linear_step(const hf_oscillator *o, const hf_method_def *method, double h,
                                  const double *x, double *out);

#endif
