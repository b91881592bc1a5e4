// SPDX-License-Identifier: Apache-2.0
// What the tests of FMI's functions share: the FMUs of calls.yaml, and instances of them compared.
#ifndef HF_TEST_FMI_CALLS_H
#define HF_TEST_FMI_CALLS_H

#include <hf_test.h>

#include "loader.h"

enum { VARIABLES = 1 + 1 + 8 + 4 }; // time, push, parameters, outputs

// Of `switch`, and of `timestep`
extern fmu *opened, *other;

// The function of this name and version, as a pointer of the type that is given.
#define CALL(type, name) ((type)(intptr_t)fmu_symbol(opened, name))
typedef int derive(void *, const unsigned *, size_t, const int *, const double *);

// What an instance can be about
enum { BEFORE = 1, STARTING = 2, RUNNING = 4, ENDED = 8, FAILED = 16, MODES = 5, ALWAYS = 31 };
// Makes an instance that is.
void bring(instance *i, int mode);
instance *make(instance *i);
// The log has this text. Empties it.
void expect_log(instance *i, const char *text);

// Everything that an instance is, as bytes
typedef struct snapshot {
    size_t size;
    unsigned char *bytes;
} snapshot;

snapshot take(instance *i);
void put(instance *i, const snapshot *s);
void check_same(const snapshot *got, const snapshot *want, const char *what);
// Two instances with the same values of all variables, which go the same way from here.
void check_alike(instance *got, instance *want, const char *what);

// test_values.c
void test_ranges(void **state);
void test_units(void **state);
void test_refused_parameter(void **state);
void test_slopes(void **state);

#endif
