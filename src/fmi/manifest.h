// SPDX-License-Identifier: Apache-2.0
// What an FMU's binary needs besides the model: a file in its resources. It is JSON, which is
// read as the YAML that it also is.
#ifndef HF_FMI_MANIFEST_H
#define HF_FMI_MANIFEST_H

#include <holdfast/models.h>

#include "base/arena.h"

// Its name in the folder resources.
#define HF_FMU_MANIFEST "holdfast.json"

typedef struct hf_fmu_names {
    const char **items;
    int count;
} hf_fmu_names;

typedef struct hf_fmu_manifest {
    hf_arena arena;
    const char *token;   // the FMU's GUID or instantiation token
    const char *model;   // path of the model file in resources
    const char *variant; // as hf_overrides; NULL: none
    const char *method;  // the same
    double step;         // the same; 0: none [s]
    hf_fmu_names sets;
    hf_fmu_names outputs, locals; // channels by their full names
    hf_fmu_names fixed;           // parameters that a running machine does not take
    hf_fmu_names calculated;      // parameters that follow from others
} hf_fmu_manifest;

// Reads the one in a folder. On failure it is empty.
HF_NODISCARD hf_status hf_fmu_manifest_read(hf_fmu_manifest *manifest, const char *folder,
                                            hf_error *error);
void hf_fmu_manifest_free(hf_fmu_manifest *manifest);

// Its text, for the caller to free; NULL when out of memory.
char *hf_fmu_manifest_write(const hf_fmu_manifest *manifest, size_t *length);

// Adds a copy of a name to one of its lists, which has room for `capacity`. False: out of memory.
bool hf_fmu_names_add(hf_fmu_manifest *manifest, hf_fmu_names *names, int capacity,
                      const char *name);
bool hf_fmu_names_have(const hf_fmu_names *names, const char *name);

// The changes of the model that it lists, followed by `more_count` others. `items` has room for
// all of them.
hf_overrides hf_fmu_overrides(const hf_fmu_manifest *manifest, const char **items,
                              const char *const *more, int more_count);

#endif
