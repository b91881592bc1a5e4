// SPDX-License-Identifier: Apache-2.0
// Loops: what closes a chain of bodies. Part of a description (spec.h).
#ifndef HOLDFAST_LOOP_H
#define HOLDFAST_LOOP_H

#include <holdfast/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hf_loop_type {
    HF_LOOP_POINT,     // the two points coincide: 3 rows
    HF_LOOP_SPHERICAL, // the same: a ball joint
    HF_LOOP_REVOLUTE,  // and the frames' z axes are parallel: 5 rows
    HF_LOOP_FIXED,     // and the frames' axes are: 6 rows
    HF_LOOP_PRISMATIC, // `on` slides along the z axis of `to` without turning: 5 rows
    HF_LOOP_DISTANCE,  // the points are `length` apart, as by a massless rod: 1 row
    HF_LOOP_RATIO, // a sum of coordinates times factors, or of polynomials of them, is constant:
                   // gears, racks, belts, ropes, differentials, mimic joints: 1 row
    HF_LOOP_TYPE_COUNT
} hf_loop_type;

enum { HF_LOOP_MAX_TERMS = 16, HF_LOOP_POWERS = 5 };

// One summand of a ratio that is held exactly: P(q - reference), or the integral of a spin.
typedef struct hf_loop_term {
    // A coordinate of a mass, of a joint, or of a body of your own: one whose rate is its velocity.
    // With `spin`: axis 0, 1, 2 of a rigid body or link, fixed in it.
    hf_coordinate coordinate;
    // P(x) = coefficients[0] x + coefficients[1] x^2 + ...; [0] is the factor of a gear.
    double coefficients[HF_LOOP_POWERS];
    double reference; // [rad or m]
    // The rate of this summand is coefficients[0] times the body's angular velocity about the axis;
    // the higher ones are zero. The rates of such a ratio are held, and not its sum.
    bool spin;
} hf_loop_term;

// A joint between two bodies that holds by forces, whatever these must be, and not by coordinates:
// links of one tree or of two, rigid bodies, masses, the world (docs/loops.md).
//
// The start is made to close all loops: positions of joints with keep_position stay as they are
// written, all others are moved as little as possible; then velocities likewise. A start that
// cannot be closed is an error that says what is missing.
typedef struct hf_loop_def {
    const char *name;
    hf_loop_type type;
    hf_frame on_frame, to_frame; // body zero: the world; not a driven body
    double length;               // HF_LOOP_DISTANCE: > 0 [m]
    // HF_LOOP_RATIO, which has no frames: each coordinate once, at most HF_LOOP_MAX_TERMS; copied
    const hf_loop_term *terms;
    int term_count;
    double value;    // what the sum is [rad or m]
    bool from_start; // the sum stays what it is with the positions at t = 0 as they are given
} hf_loop_def;

// A point loop between the world's origin and nothing yet.
HF_API hf_loop_def hf_loop_def_default(void);
HF_API hf_loop hf_spec_add_loop(hf_spec *spec, const hf_loop_def *def, hf_error *error);

// Number of rows of a type, and its file name ("revolute"), or NULL.
HF_API int hf_loop_rows_of(hf_loop_type type);
HF_API const char *hf_loop_type_name(hf_loop_type type);
// What row k holds: "x", "turn y", "length"; shifts along world axes, of prismatic loops along
// those of `to`; turns about axes of `to`.
HF_API const char *hf_loop_row_name(hf_loop_type type, int k);

#ifdef __cplusplus
}
#endif
#endif
