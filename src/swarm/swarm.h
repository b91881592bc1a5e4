// SPDX-License-Identifier: Apache-2.0
// Swarms: spheres of which any two may touch. Pairs that are near are found between steps by a
// grid; each keeps the state of its contact for as long as it stays near. Pairs are in the order of
// their members, so that the same machine gives the same bits.
//
// A pair's numbers are those of 1 kg times its reduced mass, unless a stiffness is given:
// frequency, restitution and stability are then the same for all pairs, whatever their masses.
//
// The state has room for `capacity` pairs; what lies beyond the pairs in use is zero in every
// vector of the sim, always, so that methods need not know where it ends.
#ifndef HF_SWARM_SWARM_H
#define HF_SWARM_SWARM_H

#include <holdfast/sim.h>

#include "compile/model_data.h"
#include "couplings/contact.h"

// In a sim: the pairs of one swarm.
typedef struct hf_pair {
    int on, to; // members, on < to
} hf_pair;

typedef struct hf_pair_memory {
    double mode;       // at the beginning of the step
    hf_vec3 reference; // tangent direction, couplings/spheres.c
} hf_pair_memory;

// A pair that exerts a force, at the last evaluation.
typedef struct hf_pair_touch {
    int pair;
    double force[HF_LAW_MAX_DIM];
    hf_contact_place place;
} hf_pair_touch;

typedef struct hf_swarm_state {
    // Saved.
    int *count;               // pairs; negative: more were needed than there is room for
    hf_pair *pairs;           // [capacity]
    hf_pair_memory *memories; // [capacity]
    hf_vec3 *places;          // [members] where the pairs were looked for
    double *skin;             // and how far apart spheres may be to be listed [m]
    // Scratch.
    hf_pair *old_pairs;           // [capacity]
    hf_pair_memory *old_memories; // [capacity]
    double *old_y;                // [capacity * dim]
    hf_vec3 *centers;             // [members] at the last evaluation
    double *mode;                 // [capacity] at the last evaluation
    hf_pair_touch *touches;       // [capacity]: those in use are dense, in the order of pairs
    int *touch_count;
    int *cells, *next; // hash table of cells, and the members of each
    int *keys;         // [members * 3] cell coordinates
} hf_swarm_state;

// Lists near pairs anew when spheres have moved so far that one could have been missed.
void hf_swarms_update(hf_sim *sim);
// The part of that which lets tangent directions of the present pairs follow the spheres.
void hf_swarms_carry(hf_sim *sim);
// After the state was replaced: what is in use, and zero beyond it.
void hf_swarms_restart(hf_sim *sim);
// Laws of all pairs of a swarm: forces and y', stored energy, heat and sum of normal forces.
void hf_swarm_eval(hf_sim *sim, int force, double tau, const double *y, double *dy, double *dw);
// Their forces on the bodies.
void hf_swarms_phi(hf_sim *sim);
// Modes, depths and the largest force at the beginning of a step.
void hf_swarms_note(hf_sim *sim);
// How deep the deepest pair was when it was first listed, at t = 0 [m].
double hf_swarm_depth(const hf_sim *sim, int swarm);
// Pairs near each other at the beginning of the last step, and those that touch.
void hf_swarm_count(const hf_swarm_state *swarm, int *pairs, int *touching);
// HF_ERROR_RANGE when a swarm has more near pairs than room.
hf_status hf_swarms_check(const hf_sim *sim, hf_error *error);

// Whether a pair has nothing to forget.
static inline bool hf_swarm_is_zero(const double *y, int dim)
{
    bool zero = true;
    for (int k = 0; k < dim; ++k) {
        zero = zero && y[k] == 0.0;
    }
    return zero;
}

// Sphere and centre of a member, by the poses of the last evaluation.
static inline hf_vec3 hf_swarm_center(const hf_pose *poses, const hf_swarm_member *member)
{
    const hf_pose *pose = &poses[member->pose];
    return member->centered ? pose->position
                            : hf_v3_add(pose->position, hf_arm(pose, member->center));
}

static inline hf_sphere hf_swarm_sphere(const hf_pose *poses, const hf_swarm_member *member)
{
    return (hf_sphere){&poses[member->pose], member->center, member->radius};
}

#endif
