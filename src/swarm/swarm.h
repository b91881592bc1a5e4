// SPDX-License-Identifier: Apache-2.0
// Swarms: spheres of which any two may touch. Pairs that are near are found between steps by a
// grid; each keeps the state of its contact for as long as it stays near. Pairs are in the order of
// their members, so that the same machine gives the same bits.
//
// A pair's numbers are those of 1 kg times its reduced mass, unless a stiffness is given:
// frequency, restitution and stability are then the same for all pairs, whatever their masses.
//
// The state has room for `capacity` pairs; what lies beyond the pairs in use is zero in every
// vector of the sim, always, so that methods can treat all of it alike.
#ifndef HF_SWARM_SWARM_H
#define HF_SWARM_SWARM_H

#include <stdint.h>

#include <holdfast/sim.h>

#include "compile/model_data.h"
#include "couplings/contact.h"
#include "shapes/track.h"
#include "sim/pushes.h"

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

// A surface that moves by itself, as a belt or a turntable does: v + w x r, with r from its middle,
// times its speed. Frame of its body.
typedef struct hf_belt {
    hf_vec3 velocity, spin, middle; // [m/s], [rad/s], [m]
    int drive;                      // hf_belt_speed
} hf_belt;

// What the two surfaces of a point have that is not of the force's law.
typedef struct hf_point_surface {
    bool own;                 // one of these numbers is
    double mu, spin, rolling; // coefficients [-], [m], [m]; NAN: the law's
    int design;               // numbers of another restitution; -1: the law's
    bool driven;              // a surface moves by itself
    hf_belt belts[2];         // of `on` and of `to`
    bool grained, grain_on;   // friction depends on direction; the direction is fixed to `on`
    bool grain_by_world;      // or to the world
    hf_vec3 along;            // that of most friction, in the frame of its body
    double across;            // friction across it, by that along it: 0 to 1
} hf_point_surface;

// A point of contact between shapes through a step: what it is made of moves with the bodies. Each
// surface is the place of a core, a point of its body, less a radius: so round solids roll as they
// do. The normal is of one body, or joins the cores. Where features of the solids roll or slide on
// each other, the point is a track of them instead.
typedef struct hf_shape_point {
    int on, to;                // poses
    int scenery;               // id of the static body that is the world here; 0: none
    hf_vec3 on_core, to_core;  // body frames [m]
    double on_round, to_round; // [m]
    hf_vec3 normal;            // in the frame of the body that has it
    bool of_on, of_to, joins;  // the normal is of a face of `on`, of `to`; it joins the cores
    bool tracked;              // by `track`: cores, radii and normal are not looked at
    hf_track track;
    hf_spot on_spot, to_spot; // the solids in the frames of their bodies
    hf_point_surface surface;
} hf_shape_point;

// What the collider found, and the place of a point at the poses of the last evaluation
// (collide/shape_forces.c).
HF_NODISCARD hf_status hf_shape_forces_create(hf_sim *sim, hf_error *error);
void hf_shape_forces_destroy(hf_sim *sim);
// Looks for points at the sim's poses. False: there are more than there is room for.
bool hf_shape_forces_find(hf_sim *sim);
hf_status hf_shape_forces_fail(const hf_sim *sim, hf_error *error);
// How many low bits of a key are not of the pair.
int hf_shape_forces_feature_bits(const hf_sim *sim);
// Points of a force, by rising key: to features and points, which have room for them. How many.
int hf_shape_forces_list(const hf_sim *sim, int force, uint64_t *features, hf_shape_point *points);

// Numbers of a point whose surfaces have some of their own; flat: both solids are, there. *own is
// room for them.
const hf_rigid_contact_def *hf_shape_forces_numbers(const hf_sim *sim, int force,
                                                    const hf_point_surface *surface, bool flat,
                                                    hf_rigid_contact_def *own);

// Methods with steps of their own hold the points that they have, while these are what a look at
// the present state would find but for little (shape_forces.c).
bool hf_shape_forces_stay(const hf_sim *sim);
// From the next evaluation on: those of the state that it is of.
void hf_shape_forces_release(hf_sim *sim);
// Whether a look at the present state finds others than those that are held.
bool hf_shape_forces_moved(hf_sim *sim);
// Lists those of the present state again, with the memories as they are.
void hf_shape_forces_repeat(hf_sim *sim);
// Gaps of points that are listed, ways on which a point may be another one, and how far solids
// reach from their bodies' origins [m].
double hf_shape_forces_margin(const hf_sim *sim);
double hf_shape_forces_shift(const hf_sim *sim);
double hf_shape_forces_reach(const hf_sim *sim);

typedef struct hf_swarm_state {
    // Saved.
    int *count;               // pairs; negative: more were needed than there is room for
    hf_pair *pairs;           // [capacity]
    hf_pair_memory *memories; // [capacity]
    hf_vec3 *places;          // [members] where the pairs were looked for
    double *skin;             // and how far apart spheres may be to be listed [m]
    uint64_t *features;       // [capacity] keys of points between shapes, in place of pairs
    hf_vec3 *spots;           // [capacity] where they are on `on`, in its frame [m]
    // Scratch.
    hf_pair *old_pairs;           // [capacity]
    hf_pair_memory *old_memories; // [capacity]
    double *old_y;                // [capacity * dim]
    hf_vec3 *centers;             // [members] at the last evaluation
    double *mode;                 // [capacity] at the last evaluation
    hf_pair_touch *touches;       // [capacity]: those in use are dense, in the order of pairs
    int *touch_count;
    int *cells, *next;      // hash table of cells, and the members of each
    int *keys;              // [members * 3] cell coordinates
    uint64_t *old_features; // [capacity] of shapes
    hf_vec3 *old_spots;
    hf_shape_point *points;
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
// hf_sim_pushes of all pairs.
void hf_swarms_push(const hf_sim *sim, hf_push_taker *take, void *context);
// Modes and the largest force at the beginning of a step; the deepest contact now [m].
double hf_swarms_note(hf_sim *sim);
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

// Where a point between shapes is, with x along the reference's part across the normal.
hf_contact_place hf_shape_point_place(const hf_shape_point *point, const hf_pose *poses,
                                      hf_vec3 reference);

// How fast the surface of `on` runs against that of `to` at a point by their own motion, world
// axes, along the surface [m/s].
hf_vec3 hf_shape_point_belt(const hf_shape_point *point, const hf_pose *poses,
                            const hf_contact_place *place);

// Points between shapes: listed anew at every state, with the memory of their features (points.c).
// room: false where the collider found more than there is room for.
void hf_swarm_update_points(hf_sim *sim, int index, bool room);
// Their tangent directions follow the bodies.
void hf_swarm_carry_points(hf_sim *sim, int index);
// After fewer pairs are left: what the vectors of the sim hold beyond those in use is zero.
void hf_swarm_clear_unused(hf_sim *sim, const hf_swarm *swarm, int old_count, int count);
// Which stretches of the state are in use.
void hf_swarms_find_spans(hf_sim *sim);

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
