// SPDX-License-Identifier: Apache-2.0
// A host for FMUs: loads the binary of an unpacked one and drives it through the C interface of FMI
// 2 or 3, with declarations of its own. It shares nothing with src/fmi.
#ifndef HF_TEST_FMI_LOADER_H
#define HF_TEST_FMI_LOADER_H

#include <stdbool.h>
#include <stddef.h>

enum { STATUS_OK, STATUS_WARNING, STATUS_DISCARD, STATUS_ERROR };
enum { LOG_SIZE = 65536 };

typedef struct fmu {
    int version;
    void *library;
    char *description, *folder, *identifier, *token;
} fmu;

typedef struct instance {
    const fmu *of;
    void *c;
    char name[40];
    char log[LOG_SIZE]; // "category: message" line by line
} instance;

// Opens what was unpacked into `folder`. Ends the program with a message on failure.
fmu *fmu_open(const char *folder);
void fmu_close(fmu *f);
void *fmu_symbol(const fmu *f, const char *name);
// The value reference of a variable by its name; ends the program if there is none.
unsigned fmu_reference(const fmu *f, const char *name);
bool fmu_has(const fmu *f, const char *name);
// An attribute of a variable, "" if it has none.
void fmu_attribute(const fmu *f, const char *name, const char *attribute, char *value, size_t size);

// NULL when the FMU refuses; `log` of `into` tells why. token NULL: the right one.
instance *fmu_instantiate(const fmu *f, const char *token, const char *resources, bool logging,
                          instance *into);
void fmu_free(instance *i);
int fmu_setup(instance *i, double start, double stop); // FMI 3: also enters initialization mode
int fmu_enter(instance *i);                            // FMI 3: nothing
int fmu_exit(instance *i);
int fmu_step(instance *i, double point, double step);
int fmu_terminate(instance *i);
int fmu_reset(instance *i);
int fmu_get(instance *i, const unsigned *references, size_t count, double *values);
int fmu_set(instance *i, const unsigned *references, size_t count, const double *values);
int fmu_get_state(instance *i, void **state);
int fmu_set_state(instance *i, void *state);
int fmu_free_state(instance *i, void **state);
int fmu_state_size(instance *i, void *state, size_t *size);
int fmu_serialize(instance *i, void *state, unsigned char *bytes, size_t size);
int fmu_deserialize(instance *i, const unsigned char *bytes, size_t size, void **state);

// By name, one at a time; the first two end the program on failure.
double fmu_read(instance *i, const char *name);
void fmu_write(instance *i, const char *name, double value);
int fmu_try(instance *i, const char *name, double value);
// Setup from 0, initialization, until the first step.
void fmu_begin(instance *i);

#endif
