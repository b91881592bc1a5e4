// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems as a simulation meets them, one step after another: spheres that fall
// into a box, and a wall of bricks. For tests and benchmarks of the solvers alone; holdfast's own
// time-stepping has no part in it.
#ifndef HF_TESTS_FC3D_SCENES_H
#define HF_TESTS_FC3D_SCENES_H

#include <holdfast/fc3d.h>

typedef struct hf_scene_def {
    bool wall;   // bricks in running bond; otherwise spheres in a box
    int across;  // bodies along each side of the floor, >= 1
    int layers;  // above each other
    double step; // [s]
    double mu;
    double drag;  // share of the velocity that a step takes away
    double slope; // of the floor, about y [rad]
} hf_scene_def;

typedef struct hf_scene hf_scene;

hf_scene *hf_scene_create(const hf_scene_def *def); // NULL when out of memory
void hf_scene_destroy(hf_scene *scene);             // NULL is allowed

// The problem of the next step, by bodies, without W; it lives until the next call. *r: the
// reactions of the last step where a contact was there before, otherwise zero.
const hf_fc3d_problem *hf_scene_problem(hf_scene *scene, double **r);
// Moves on with the reactions in r.
void hf_scene_advance(hf_scene *scene);

double hf_scene_speed(const hf_scene *scene); // of the fastest body's centre [m/s]
// How far body `body` has moved from where it was created [m].
double hf_scene_shift(const hf_scene *scene, int body);
int hf_scene_bodies(const hf_scene *scene);

// The problem after `steps` of them, each with `sweeps` of Gauss-Seidel at most. It belongs to the
// scene. *r as above. NULL on failure.
const hf_fc3d_problem *hf_scene_settle(hf_scene *scene, int steps, int sweeps, double **r);

#endif
