// SPDX-License-Identifier: Apache-2.0
// Units as FMI has them: a name, exponents of SI base units, and units in which values are shown.
#ifndef HF_FMI_UNITS_H
#define HF_FMI_UNITS_H

#include "base/measure.h"

enum { HF_FMU_UNIT_SIZE = 96 };

typedef struct hf_fmu_unit {
    char name[HF_FMU_UNIT_SIZE];  // of the SI unit, as Modelica writes it: "N.m/rad"; "": none
    char shown[HF_FMU_UNIT_SIZE]; // of the unit that it was written in, if that is another; or ""
    hf_measure measure;           // of what was written: `shown` is 1/factor times the SI unit
} hf_fmu_unit;

// The unit of a number that is kept in SI and was written in `unit`.
hf_fmu_unit hf_fmu_unit_of(const char *unit);

#endif
