// SPDX-License-Identifier: Apache-2.0
// Units as FMI has them: name, exponents of the SI bases, factors of display units.
#include "fmi/units.h"

#include <stdio.h>
#include <string.h>

// SI units by their dimension, the first of several being meant; what is not here is made of bases.
static const struct {
    const char *name;
    int power[HF_MEASURE_BASES]; // kg, m, s, rad
} KNOWN[] = {
    {"kg", {1, 0, 0, 0}},     {"m", {0, 1, 0, 0}},       {"s", {0, 0, 1, 0}},
    {"rad", {0, 0, 0, 1}},    {"m/s", {0, 1, -1, 0}},    {"rad/s", {0, 0, -1, 1}},
    {"m/s2", {0, 1, -2, 0}},  {"rad/s2", {0, 0, -2, 1}}, {"N", {1, 1, -2, 0}},
    {"N.m", {1, 2, -2, 0}},   {"N/m", {1, 0, -2, 0}},    {"N.m/rad", {1, 2, -2, -1}},
    {"N.s/m", {1, 0, -1, 0}}, {"N.s", {1, 1, -1, 0}},    {"N.m.s/rad", {1, 2, -1, -1}},
    {"kg.m2", {1, 2, 0, 0}},  {"Hz", {0, 0, -1, 0}},     {"W", {1, 2, -3, 0}},
    {"Pa", {1, -1, -2, 0}},   {"m2", {0, 2, 0, 0}},      {"m3", {0, 3, 0, 0}},
    {"kg/m3", {1, -3, 0, 0}}, {"m/rad", {0, 1, 0, -1}},  {"1/m", {0, -1, 0, 0}},
};

// "kg.m2.s-2"
static void name_by_bases(const hf_measure *measure, char name[HF_FMU_UNIT_SIZE])
{
    static const char *const bases[HF_MEASURE_BASES] = {"kg", "m", "s", "rad"};
    size_t used = 0;
    name[0] = '\0';
    for (int i = 0; i < HF_MEASURE_BASES; ++i) {
        int power = measure->power[i];
        if (power == 0) {
            continue;
        }
        int wrote = power == 1 ? snprintf(name + used, HF_FMU_UNIT_SIZE - used, "%s%s",
                                          used > 0 ? "." : "", bases[i])
                               : snprintf(name + used, HF_FMU_UNIT_SIZE - used, "%s%s%d",
                                          used > 0 ? "." : "", bases[i], power);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

static void name_si(const hf_measure *measure, char name[HF_FMU_UNIT_SIZE])
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; ++i) {
        if (memcmp(KNOWN[i].power, measure->power, sizeof measure->power) == 0) {
            (void)snprintf(name, HF_FMU_UNIT_SIZE, "%s", KNOWN[i].name);
            return;
        }
    }
    name_by_bases(measure, name);
}

hf_fmu_unit hf_fmu_unit_of(const char *unit)
{
    hf_fmu_unit found = {.measure = {.factor = 1.0}};
    size_t position = 0;
    if (unit[0] == '\0' || !hf_measure_parse(unit, false, &found.measure, &position)) {
        found.measure = (hf_measure){.factor = 1.0};
        return found;
    }
    name_si(&found.measure, found.name);
    if (strcmp(unit, "J") == 0) { // of the dimension of N.m, which is no energy
        strcpy(found.name, "J");
    }
    if (found.measure.factor != 1.0) {
        (void)snprintf(found.shown, sizeof found.shown, "%.90s", unit);
        if (found.name[0] == '\0') { // a percentage
            strcpy(found.name, "1");
        }
    }
    return found;
}
