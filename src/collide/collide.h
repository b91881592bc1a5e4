// SPDX-License-Identifier: Apache-2.0
// Contacts between the shapes of a machine: which pairs are near (sweep and prune), and where they
// touch. What is found depends on the poses and their course alone, not on what was looked for
// before.
//
// Memory is allocated by hf_collider_create alone. The number of near pairs is limited by the
// capacities of the forces; more of them are an error.
#ifndef HF_COLLIDE_COLLIDE_H
#define HF_COLLIDE_COLLIDE_H

#include <holdfast/sim.h>

#include "compile/model_data.h"
#include "couplings/contact_point.h"
#include "shapes/touch.h"

typedef struct hf_collider hf_collider;

// A collider for all forces of the model whose coupling needs one; *collider is NULL
// when there are none. Refuses a pair of bodies that two forces claim.
HF_NODISCARD hf_status hf_collider_create(const hf_model *model, const hf_allocator *allocator,
                                          hf_collider **collider, hf_error *error);
void hf_collider_destroy(hf_collider *collider); // NULL is allowed

// The solids of a point of contact that it found, `on` first.
void hf_collider_solids(const hf_collider *collider, const hf_contact_point *point,
                        const hf_solid *solids[2]);

// The same for all points of two solids under one force, and for no others.
uint64_t hf_collider_pair(const hf_collider *collider, const hf_contact_point *point);

// How far the farthest point of a moving solid is from its body's origin [m].
double hf_collider_reach(const hf_collider *collider);
// Half of the thinnest side of any solid; HUGE_VAL: planes only [m].
double hf_collider_thinness(const hf_collider *collider);
// Most points that hf_collider_find can find.
int hf_collider_capacity(const hf_collider *collider);

// How bodies move on from here: what has no contact along this way is not held by it (follow.c).
typedef struct hf_course {
    const hf_vec3 *velocities, *spins; // by pose, of its origin, world axes
    double step;                       // [s]
    double depth; // of a contact in the way, twice the allowed penetration or more [m]
    double turn;  // beyond this in a step, contacts are those of its middle [rad]
    // By pose: the margin of what is at rest, if all of a pair is; NAN: it is not, and has that of
    // the search; below zero: its pairs are not looked at. NULL: nothing is at rest.
    const double *rest; // [m]
} hf_course;

// All points of contact with gaps of at most `margin` [m], by rising key: force by force, in the
// order of the bodies' names. course: NULL: nothing moves. Returns how many, or -1 when there are
// more than `capacity` or more near pairs than there is room for: hf_collider_fail says so.
int hf_collider_find(hf_collider *collider, const hf_pose *poses, double margin,
                     const hf_course *course, hf_contact_point *points, int capacity);
hf_status hf_collider_fail(const hf_collider *collider, double time, hf_error *error);
// The same in two steps: pairs that are near each other (how many, or -1), and their points.
int hf_collider_search(hf_collider *collider, const hf_pose *poses, double margin);
int hf_collider_points(hf_collider *collider, double margin, const hf_course *course,
                       hf_contact_point *points, int capacity);
// Of the points that a solid has in one plane of scenery with one surface, keeps the four that
// carry it, as on a single plane (seams.c). Returns how many are left; `room` is for hf_seams_room
// numbers.
int hf_collider_even_out(const hf_collider *collider, hf_contact_point *points, int count,
                         int *room);
size_t hf_seams_room(const hf_collider *collider);
// The poses of a pair that was found to be near; 0: scenery.
void hf_collider_pair_poses(const hf_collider *collider, int pair, int poses[2]);
// Whether a driven body is the speed of a surface (hf_belt_speed), by its pose.
bool hf_collider_runs_surface(const hf_collider *collider, int pose);

// Whether pairs that are near each other were looked at last.
bool hf_collider_has_near(const hf_collider *collider);
// Whether two solids that were near each other at the last search go through each other on the way
// from poses to poses, in h seconds (pass.c): deeper than a tenth of half of the thinnest side,
// and than at the beginning. Then ends are the two.
bool hf_collider_passes(const hf_collider *collider, const hf_pose *from, const hf_pose *to,
                        double h, int ends[2]);

// All pairs of solids within `margin` of each other, in order, to collider->sweep.pairs
// (collider.h), and the solids to where they are. Returns how many, or -1: hf_collider_fail.
int hf_collider_near(hf_collider *collider, const hf_pose *poses, double margin);

// Refuses bodies that begin deeper in each other than a tenth of the smaller one.
HF_NODISCARD hf_status hf_collider_check(hf_collider *collider, const hf_pose *poses,
                                         hf_error *error);

// ------------------------------------------------------------------------------------------------
// Near pairs (broad.c)

typedef struct hf_bounds {
    double least[3], most[3];
} hf_bounds;

typedef struct hf_near_pair {
    int a, b; // a < b
} hf_near_pair;

// What the sweep needs. Its order is kept from the last time: it is then nearly sorted already.
typedef struct hf_sweep {
    int count;
    hf_bounds *bounds; // [count]
    int *order;        // [count] a permutation
    hf_near_pair *pairs, *sorted;
    int *starts; // [count + 1]
    int capacity;
    // The bounds in their order, least and most along the axis swept and the other two, each of
    // `lane` numbers; and those that one may touch.
    double *lanes; // [6 lane]
    int *near;     // [lane]
    int lane;
} hf_sweep;

// Room for the bounds in their order.
static inline int hf_sweep_lane(int count)
{
    return (count + 7) / 4 * 4;
}

// Pairs whose bounds overlap and that `wanted` lets through, in rising order of (a, b), in pairs.
// Returns how many, or -1: more than the capacity. Bounds may be infinite.
int hf_sweep_pairs(hf_sweep *sweep, bool (*wanted)(const void *context, int a, int b),
                   const void *context);

#endif
