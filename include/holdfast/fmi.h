// SPDX-License-Identifier: Apache-2.0
// Machines for other simulators: FMUs for co-simulation, of FMI 2.0 and FMI 3.0. docs/fmi.md says
// what becomes what.
// Library: holdfast-fmi.
#ifndef HOLDFAST_FMI_H
#define HOLDFAST_FMI_H

#include <holdfast/models.h>

#ifdef __cplusplus
extern "C" {
#endif

// What goes into an FMU.
typedef struct hf_fmu_def {
    // The model file or robot's file: its text, how messages call it, and the folder of the files
    // that it names (NULL: it names none), as for hf_model_parse.
    const char *text;
    size_t length;
    const char *label, *folder;
    // Changes of it: items, variant, method, step and robot count, others must be zero. The FMU has
    // the changed machine. NULL: none.
    const hf_overrides *overrides;
    int version; // of FMI, 2 or 3
    // Channels by name, group or pattern: outputs (none: what the model records), and further ones
    // that can be read but not connected.
    const char *const *outputs;
    int output_count;
    const char *const *locals;
    int local_count;
    const char *binary; // path of holdfast-fmu.so, which the FMU carries
} hf_fmu_def;

// How many variables an FMU has.
typedef struct hf_fmu_counts {
    int inputs, parameters, outputs, locals;
    int files; // that the model names, and that were taken along
} hf_fmu_counts;

// Writes the FMU, with all files that the model names. The same model and binary make the same
// bytes. An existing file is replaced once the new one is whole. `counts` may be NULL.
//
// HF_ERROR_UNSUPPORTED: a method that no FMU has (nlp).
HF_API HF_NODISCARD hf_status hf_fmu_write(const char *path, const hf_fmu_def *def,
                                           hf_fmu_counts *counts, hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
