// SPDX-License-Identifier: Apache-2.0
// The variables of an FMU: the time, then inputs, parameters, outputs and local variables, each in
// the order of the machine. A variable's place in the list is its value reference.
#ifndef HF_FMI_VARIABLES_H
#define HF_FMI_VARIABLES_H

#include "fmi/manifest.h"

typedef enum hf_fmu_kind {
    HF_FMU_TIME,
    HF_FMU_INPUT,      // an input signal
    HF_FMU_PARAMETER,  // set once, before the machine runs
    HF_FMU_TUNABLE,    // a parameter that may be set while it runs
    HF_FMU_CALCULATED, // a parameter that follows from others
    HF_FMU_OUTPUT,     // a channel
    HF_FMU_LOCAL       // a channel
} hf_fmu_kind;

typedef struct hf_fmu_variable {
    hf_fmu_kind kind;
    const char *name;
    int index;        // among the inputs or parameters of the machine, or id of the channel
    hf_signal signal; // of an input
    const char *unit; // as Holdfast writes it; "": none, or not known
    const char *about;
    double start, low, high; // of inputs and parameters; SI
    bool discrete;           // a channel that takes few values: a mode
    bool apart;              // a channel that no input changes at once
} hf_fmu_variable;

typedef struct hf_fmu_variables {
    hf_arena arena;
    hf_fmu_variable *items;
    int count;
    int input_count, parameter_count, output_count;
    int first_parameter, first_output;
} hf_fmu_variables;

// Lists them, with texts of its own. HF_ERROR_NAME: the model has not a
// channel that the manifest names.
HF_NODISCARD hf_status hf_fmu_variables_list(hf_fmu_variables *variables, const hf_model *model,
                                             const hf_fmu_manifest *manifest, hf_error *error);
void hf_fmu_variables_free(hf_fmu_variables *variables);

static inline bool hf_fmu_is_parameter(const hf_fmu_variable *variable)
{
    return variable->kind >= HF_FMU_PARAMETER && variable->kind <= HF_FMU_CALCULATED;
}

static inline bool hf_fmu_is_channel(const hf_fmu_variable *variable)
{
    return variable->kind >= HF_FMU_OUTPUT;
}

// "NAME=VALUE" for hf_overrides, in a unit that makes it this SI value exactly. For the caller to
// free; NULL when out of memory.
char *hf_fmu_parameter_change(const char *name, const char *unit, double value);

#endif
