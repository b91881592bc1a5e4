// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems for tests and benchmarks: random ones with a known solution, and piles
// of spheres.
#ifndef HF_TESTS_FC3D_PROBLEMS_H
#define HF_TESTS_FC3D_PROBLEMS_H

#include <stdint.h>

#include <holdfast/fc3d.h>

typedef struct hf_random_fc3d {
    int bodies, contacts;     // >= 1
    double mu_least, mu_most; // drawn between
    double mass_ratio;        // of the heaviest body to the lightest, >= 1
    double share_open;        // of contacts; the others stick or slide in equal parts
    bool repeat;              // every second contact repeats the one before: W is singular
    uint64_t seed;
} hf_random_fc3d;

// Rigid bodies with random contacts among themselves and with the ground. A solution is drawn
// first, and q such that r and u (3 contacts numbers each) are it. NULL when out of memory.
hf_fc3d_problem *hf_random_fc3d_create(const hf_random_fc3d *def, double *r, double *u);

// Spheres that fall into a box and come to rest, by time-stepping: the problem of the last step.
typedef struct hf_pile_fc3d {
    int across; // spheres along each side of the box at the start, >= 1
    int layers; // above each other
    int steps;  // of 5 ms
    double mu;
} hf_pile_fc3d;

// *speed: of the fastest sphere at the end [m/s]. NULL on failure.
hf_fc3d_problem *hf_pile_fc3d_create(const hf_pile_fc3d *def, double *speed);

#endif
