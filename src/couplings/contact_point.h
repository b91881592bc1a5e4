// SPDX-License-Identifier: Apache-2.0
// A contact as methods that solve all contacts at once take it, whatever found it: a coupling, two
// spheres of a swarm, a pair of shapes.
#ifndef HF_COUPLINGS_CONTACT_POINT_H
#define HF_COUPLINGS_CONTACT_POINT_H

#include <stdint.h>

#include "couplings/contact.h"

// How fast a surface runs that moves by itself: the velocity of a driven body, by its pose, along
// x, of which it has no other. 0, the world: always 1.
static inline double hf_belt_speed(int drive, const hf_pose *poses)
{
    return drive == 0 ? 1.0 : poses[drive].velocity.x;
}

typedef struct hf_contact_point {
    // The same for the same pair of features (two spheres, a corner and a face) from step to step:
    // reactions of the last step are found again by it. Different for any two contacts of one force
    // at one time. The lower 40 bits are free; above them stands the force's index.
    uint64_t key;
    int on, to;  // poses; 0: the world
    int force;   // index in model->forces, whose law it obeys
    int scenery; // id of the static body that is the world here; 0: none
    bool passed; // the side of a seam that others cover (collide/seams.c)
    // Axes, arms and gap; gap < 0 in penetration. n points from `to` to `on`, (n, x, y) is a right
    // orthonormal system; x may be any direction across n. Where `grained`, friction depends on
    // direction, and y is shorter (hf_collider_grain).
    hf_contact_place place;
    bool grained, grain_on; // the direction is fixed to `on`
    bool grain_by_world;    // or to the world
    bool grain_across;      // x is across it
    // Below the bound of friction it slips with this velocity for each newton between the two
    // solids, along x and y (hf_collider_slip) [m/(s N)].
    double slip[2];
    double restitution; // 0 to 1 [-]
    // Numbers of its two surfaces, where `own`; NAN: those of the force's law.
    bool own;
    double mu;            // friction coefficient >= 0 [-]
    double spin, rolling; // >= 0 [m]
    // A surface moves: those of `on` and of `to` by these, times their speeds, across n, world axes
    bool driven;
    hf_vec3 belts[2];   // [m/s]
    int belt_drives[2]; // hf_belt_speed
    // Where one of the two surfaces turns: about its middle, from the world's origin, 1: of `on`,
    // -1: of `to`; 0: none does, or both. Times its speed.
    hf_vec3 belt_spin, belt_middle; // [rad/s], [m]
    int belt_side;
} hf_contact_point;

#define HF_CONTACT_KEY_BITS 40

// The key of a contact within a force; `feature` < 2^40.
static inline uint64_t hf_contact_key(int force, uint64_t feature)
{
    return (uint64_t)force << HF_CONTACT_KEY_BITS | feature;
}

#endif
