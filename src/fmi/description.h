// SPDX-License-Identifier: Apache-2.0
// modelDescription.xml of an FMU.
#ifndef HF_FMI_DESCRIPTION_H
#define HF_FMI_DESCRIPTION_H

#include "fmi/variables.h"

typedef struct hf_fmu_description {
    int version;            // of FMI: 2 or 3
    const char *identifier; // a C identifier
    const char *token;
    const hf_model *model;
    const hf_fmu_variables *variables;
} hf_fmu_description;

// Its text, for the caller to free; NULL when out of memory.
char *hf_fmu_description_write(const hf_fmu_description *description, size_t *length);

#endif
