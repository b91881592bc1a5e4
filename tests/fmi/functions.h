// SPDX-License-Identifier: Apache-2.0
// The functions of FMI that no host of an FMU of ours needs, but looks for: a table of their names
// and of what they are called with.
#ifndef HF_TEST_FMI_FUNCTIONS_H
#define HF_TEST_FMI_FUNCTIONS_H

#include "loader.h"

enum { ROOM = 64 }; // bytes of each argument that a function could write to

typedef struct lacking {
    const char *name;  // without "fmi2" and "fmi3"
    const char *takes; // of its arguments behind the instance, one letter each: functions.c
} lacking;

// Ends the program unless the FMU has every function of its version.
void fmu_find_all(const fmu *f);
// Those which the FMU has without being able to do what they say. NULL behind the last.
const lacking *fmu_lacking(const fmu *f);
// Calls one with `count` elements in each array. Every byte that it might write to is in *room.
int fmu_call_lacking(const fmu *f, const lacking *function, void *c, size_t count,
                     unsigned char room[6][ROOM]);

#endif
