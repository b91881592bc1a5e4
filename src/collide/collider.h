// SPDX-License-Identifier: Apache-2.0
// What a collider holds.
#ifndef HF_COLLIDE_COLLIDER_H
#define HF_COLLIDE_COLLIDER_H

#include "collide/collide.h"
#include "collide/known.h"

// Sets that contacts are looked for in; a force between two bodies alone needs none.
enum { HF_COLLIDER_SETS = 64 };

// Where a solid is fastened.
typedef struct hf_solid_place {
    const char *name;
    int body;       // id
    int pose;       // of the body
    bool fixed;     // scenery
    bool turned;    // `turn` is not the identity
    bool special;   // some pair with it is
    hf_vec3 center; // body frame
    hf_mat3 turn;   // shape to body
    hf_vec3 arm;    // from the body's origin to the center now, world axes
    uint64_t sets;  // bits of the sets it is in
} hf_solid_place;

// A pair about which more is known than the sets of its two.
typedef struct hf_special_pair {
    uint64_t key;   // hf_special_key, a < b
    uint64_t never; // sets in which it does not touch
    int force;      // that has it alone; -1: none
} hf_special_pair;

static inline uint64_t hf_special_key(int a, int b)
{
    return UINT64_C(0x100000000) * (uint64_t)a + (uint64_t)b;
}

typedef enum hf_collider_state {
    HF_COLLIDER_FINE,
    HF_COLLIDER_PAIRS, // no room for near pairs
    HF_COLLIDER_POINTS
} hf_collider_state;

struct hf_collider {
    const hf_model *model;
    hf_allocator allocator;
    hf_solid *solids; // in the order of their poses, which is that of their names
    hf_solid_place *places;
    hf_special_pair *specials; // by key
    int special_count;
    int set_forces[HF_COLLIDER_SETS];
    int set_count, first_force, force_count;
    double *frictions, *restitutions; // by force
    int feature_bits;
    double reach; // of moving solids, from their bodies' origins
    hf_sweep sweep;
    hf_known known; // of pairs that take long
    hf_collider_state overflow;
};

// The sets in which two solids a < b may touch, and the force that has them alone (-1: none).
uint64_t hf_collider_sets(const hf_collider *collider, int a, int b, int *own);
// The force between two solids a < b, or -1.
int hf_collider_force(const hf_collider *collider, int a, int b);

#endif
