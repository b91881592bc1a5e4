// SPDX-License-Identifier: Apache-2.0
// Bodies at rest in contact with each other: the scenes of both simulators.
#ifndef HF_BENCH_PILE_H
#define HF_BENCH_PILE_H

#include <stdbool.h>

typedef struct pile_scene {
    const char *name;
    bool bricks;    // otherwise spheres in a box of 0.6 m, 1 m high or more
    int count;      // of bodies
    double *start;  // [count][3] where they start [m]
    double half[3]; // half sides of bricks; the first of spheres: radius [m]
    double mass;    // of each [kg]
    double friction;
    double step;    // [s]
    double settle;  // [s] simulated before anything is measured
    double seconds; // [s] simulated then
} pile_scene;

typedef struct pile_result {
    double seconds_per_step; // processor time
    double contacts;         // mean
    double creep;            // of the body in the middle by how far they moved [m/s]
    double fastest;          // of the one that moved farthest [m/s]
    double residual;         // mean over the steps; negative: not known
    double settling;         // processor time of a step before
} pile_result;

// How far bodies moved, from positions [count][3] before and after.
void pile_moves(const pile_scene *scene, const double *before, const double *after,
                pile_result *result);

// MuJoCo on the same scene, elliptic cones, with its Newton or its CG. Not zero: it failed, with a
// message.
int pile_mujoco(const pile_scene *scene, bool newton, pile_result *result);

#endif
