// SPDX-License-Identifier: Apache-2.0
// The same run of every law alone, on the host and on a microcontroller.
#ifndef LAWS_EMBEDDED_TRACE_H
#define LAWS_EMBEDDED_TRACE_H

#include <stdbool.h>

// Receives one force [N]. `exact`: no function of <math.h> but the square root was used, so that
// the number is the same to the bit everywhere.
typedef void (*hf_trace_emit)(void *context, const char *law, int step, bool exact, double force);

// Freestanding.
void hf_trace_run(hf_trace_emit emit, void *context);

#endif
