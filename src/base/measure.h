// SPDX-License-Identifier: Apache-2.0
// Units as people write them, 12 mm, 3 rpm, 0.2 Nms/rad: a factor to SI and a dimension.
//
// An angle is a dimension of its own here, so that a torsion spring's Nm/rad is no torque in Nm.
#ifndef HF_BASE_MEASURE_H
#define HF_BASE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

enum { HF_MEASURE_KG, HF_MEASURE_M, HF_MEASURE_S, HF_MEASURE_RAD, HF_MEASURE_BASES };

typedef struct hf_measure {
    double factor; // to kg, m, s, rad
    int power[HF_MEASURE_BASES];
} hf_measure;

// Reads words with '*', '/', '^' and blanks between them: N/m, kg*m^2, m s^-2, 1/s. An empty text
// is a pure number. `turning` reads the unit of a coordinate that turns in place of one that moves
// straight: N as Nm, m as rad, kg as kg*m^2. False for what is no unit; *position is then the
// letter that was not understood.
bool hf_measure_parse(const char *text, bool turning, hf_measure *measure, size_t *position);

// The name of the unit that takes its place where the coordinate turns: "Nm/rad" of "N/m". Of what
// has none, `unit` itself.
const char *hf_measure_turned(const char *unit);

// Whether both have one dimension; their factors may differ.
bool hf_measure_same(const hf_measure *a, const hf_measure *b);

// "kg*m^2/s^2", in the bases. Returns `buffer`.
enum { HF_MEASURE_SHOWN = 64 };
const char *hf_measure_show(const hf_measure *measure, char buffer[HF_MEASURE_SHOWN]);

#endif
