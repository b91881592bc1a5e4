// SPDX-License-Identifier: Apache-2.0
// Bodies at rest in contact with each other: the scenes of both simulators.
#ifndef HF_BENCH_PILE_H
#define HF_BENCH_PILE_H

#include <stdbool.h>

// Bodies alike, one after another, of scenes of several shapes.
typedef struct pile_part {
    int count;
    const char *geometry; // of MuJoCo's geom
    double mass;          // of each [kg]
} pile_part;

enum { PILE_PARTS = 4 }; // at most

typedef struct pile_scene {
    const char *name;
    pile_part parts[PILE_PARTS];    // none: bricks or spheres;
    double thrown[3];               // velocity of the last body [m/s]
    bool bricks;                    // otherwise spheres in a box,
    double walls;                   // so far from its middle
    double height;                  // and so high [m]
    int count;                      // of bodies
    double *start;                  // [count][3] where they start [m]
    double *rest;                   // [count][3] where they came to rest in Holdfast
    double half[3];                 // half sides of bricks; the first of spheres: radius [m]
    double mass;                    // of each [kg]
    double friction, spin, rolling; // coefficients; of spin and rolling [m]
    double step;                    // [s]
    double settle;                  // [s] simulated from the start to rest
    double seconds;                 // [s] simulated at rest; 0: it is not looked at there
    double limit; // [s] of processor time for each part of another simulator's run
} pile_scene;

typedef struct pile_result {
    double seconds_per_step; // processor time; negative: not looked at
    double contacts;         // mean
    double creep;            // of the body in the middle by how far they moved [m/s]
    double fastest;          // of the one that moved farthest [m/s]
    double still;            // share of those that did not move at all
    double residual, on_way; // at rest and on the way there, means; negative: not known
    long unsolved;           // steps of all that ended above the tolerance; negative: not known
    double settling;         // processor time of a step on the way there,
    long steps;              // mean of so many from the start: fewer when the limit was reached
} pile_result;

// How far bodies moved within `seconds`, from positions [count][3] before and after.
void pile_moves(const pile_scene *scene, const double *before, const double *after, double seconds,
                pile_result *result);

// How MuJoCo solves a scene: by its Newton or its CG, with friction of spin and rolling (its condim
// 6) or without (3, its default, with half the unknowns).
typedef struct pile_peer {
    const char *name;
    bool newton, turning;
} pile_peer;

// MuJoCo on the same scene, elliptic cones: from the start, or from where Holdfast came to rest.
// Not zero: it failed, with a message.
int pile_mujoco(const pile_scene *scene, const pile_peer *peer, bool at_rest, pile_result *result);

#endif
