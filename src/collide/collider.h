// SPDX-License-Identifier: Apache-2.0
// What a collider holds.
#ifndef HF_COLLIDE_COLLIDER_H
#define HF_COLLIDE_COLLIDER_H

#include "collide/collide.h"
#include "collide/known.h"

// Sets that contacts are looked for in; a force between two bodies alone needs none.
enum { HF_COLLIDER_SETS = 64 };
// Up to so many solids, pairs are known one by one.
enum { HF_COLLIDER_FEW = 96 };

// Where a solid is fastened.
typedef struct hf_solid_place {
    const char *name;
    int body;       // id
    int owner;      // the body's place among those of the collider
    int pose;       // of the body
    bool fixed;     // scenery
    bool led;       // it does not move by what touches it: scenery, or driven
    bool turned;    // `turn` is not the identity
    bool special;   // some pair with its body is
    bool paired;    // some pair with it has numbers of its own
    bool told;      // its surface or its material has
    hf_vec3 center; // body frame
    hf_mat3 turn;   // shape to body
    hf_vec3 arm;    // from the body's origin to the center now, world axes
    // Bits of the sets it is in: of those where two kinds touch, the first kind in `sets`, the
    // second in `against`; of all others in both.
    uint64_t sets, against;
    uint32_t group, mask;
    int material; // id; 0: none
    hf_surface surface;
    bool grained; // friction or slip depends on direction: across, direction of hf_shape_def
    double across;
    hf_vec3 direction;
    bool by_world;  // in place of direction
    double slip[2]; // of hf_shape_def
    bool driven;    // its surface moves: belt and belt_spin of hf_shape_def, body frame
    hf_vec3 belt, belt_spin;
    int belt_drive; // times this speed, hf_belt_speed
} hf_solid_place;

// A pair of bodies about which more is known than the sets of its two.
typedef struct hf_special_pair {
    uint64_t key;    // hf_special_key of the owners, a < b
    uint64_t never;  // sets in which it does not touch,
    uint64_t except; // of these, because they say so
    int force;       // that has it alone; -1: none
    bool alone;      // that is a contact, no list
} hf_special_pair;

static inline uint64_t hf_special_key(int a, int b)
{
    return UINT64_C(0x100000000) * (uint64_t)a + (uint64_t)b;
}

// What two solids, or two materials, have where they touch; NAN: by their surfaces.
typedef struct hf_own_pair {
    uint64_t key; // hf_special_key of the solids, a < b; of materials the place in the table
    hf_surface surface;
    int touch;       // -1: never, 1: always, 0: as others say
    int rank, index; // of its definition: later ones win
} hf_own_pair;

typedef enum hf_collider_state {
    HF_COLLIDER_FINE,
    HF_COLLIDER_PAIRS, // no room for near pairs
    HF_COLLIDER_POINTS
} hf_collider_state;

// A direction, from the second solid to the first, along which a pair was apart; zero: none. It
// says that they still are, or nothing: whether it is known changes no answer.
typedef struct hf_pair_way {
    float x, y, z;
} hf_pair_way;

struct hf_collider {
    const hf_model *model;
    hf_allocator allocator;
    hf_solid *solids; // in the order of their poses, which is that of their names
    hf_solid_place *places;
    int *first; // [owners + 1] the first solid of a body
    int owner_count;
    hf_special_pair *specials; // by key
    int special_count;
    hf_own_pair *own_pairs; // of solids, by key
    int own_count, own_capacity;
    hf_own_pair *material_pairs; // [materials * materials]; NULL: none
    int material_count;
    hf_rule friction_rule, restitution_rule;
    int set_forces[HF_COLLIDER_SETS];
    int set_count, first_force, force_count;
    hf_surface *surfaces; // by force
    int feature_bits;
    double reach; // of moving solids, from their bodies' origins
    hf_sweep sweep;
    // Of few solids the force of every pair is known ([solids * solids], -1: none), and all pairs
    // that a force has, in order; both are empty where solids are many.
    int16_t *pair_forces;
    hf_pair_way *pair_ways; // [solids * solids] of the last search
    hf_near_pair *candidates;
    int candidate_count;
    int near_count; // of the last search; -1: none
    double near_margin;
    int looked;         // of these, pairs that were looked at
    const double *rest; // hf_course of the last look; NULL: none
    hf_known known;     // of pairs that take long
    hf_collider_state overflow;
};

// The margin of a pair that is near; below zero: it is not looked at.
double hf_collider_margin(const hf_collider *collider, int a, int b, double margin);

// The solids of a point of contact that it found, `on` first.
void hf_collider_ends(const hf_collider *collider, const hf_contact_point *point, int ends[2]);

// surfaces.c: how many pairs of solids have numbers of their own, at most; -1: too many to count.
long long hf_collider_count_own(const hf_model *model);
// Fills own_pairs and material_pairs.
void hf_collider_add_own(hf_collider *collider);
// What is given for two solids a < b by themselves; NULL: nothing.
const hf_own_pair *hf_collider_own(const hf_collider *collider, int a, int b);
// Friction and restitution of two solids under a force, where they are not the force's.
void hf_collider_combine(const hf_collider *collider, int a, int b, int force,
                         hf_contact_point *point);

// Friction of two solids that depends on direction (surfaces.c): the first tangent is along or
// across a direction of one of them, the second one shorter. mu is that along the first.
typedef struct hf_grain {
    int solid;         // -1: it does not
    hf_vec3 direction; // in the solid's frame
    bool by_world;     // in place of it
    bool across;
    double ratio; // of the second tangent, < 1; 1: slip alone depends on direction
} hf_grain;
hf_grain hf_collider_find_grain(const hf_collider *collider, int a, int b, int force);
// mu with it, of mu without; NAN: the force's.
double hf_collider_grain_level(const hf_collider *collider, const hf_grain *grain, int force,
                               double mu);
// Tangents at a normal, of a solid with this rotation. False: the direction says nothing there.
bool hf_grain_turn(const hf_grain *grain, const hf_mat3 *rotation, hf_contact_place *place);
// All of that for a point where the solids are now.
void hf_collider_grain(const hf_collider *collider, int a, int b, int force,
                       hf_contact_point *point);
// Slip of two solids at a point, whose tangents are known.
void hf_collider_slip(const hf_collider *collider, int a, int b, hf_contact_point *point);

// A vector of a solid's body in world axes.
hf_vec3 hf_collider_to_world(const hf_collider *collider, int solid, hf_vec3 v);

// Where two solids are, the one that moves first: the centers from their bodies' origins, of
// scenery from the world's; the first center from the second. World axes.
typedef struct hf_placed {
    hf_vec3 arms[2], apart;
} hf_placed;

// follow.c: the contact of two solids where their course leads them. False: it is the one that
// they have now. Else touch is the other one, with the gaps of now and the places of `at`.
bool hf_collider_follow(const hf_collider *collider, int on, int to, double margin,
                        const hf_course *course, hf_meeting *touch, hf_placed *at);
// The contact in the middle of the step, of two of which one turns fast. False: none does.
bool hf_collider_halfway(const hf_collider *collider, int on, int to, double margin,
                         const hf_course *course, hf_meeting *touch, hf_placed *at);

// seams.c: takes contacts with sides that other solids cover out of the list. Returns how many are
// left. `room` is for hf_seams_room numbers (collide.h).
int hf_collider_pass_seams(const hf_collider *collider, const hf_pose *poses,
                           hf_contact_point *points, int count, int *room);

// The velocities of their surfaces, where one moves; `on` and `to` are solids, `place` is from the
// center of `to`.
void hf_collider_drive(const hf_collider *collider, int on, int to, hf_vec3 place,
                       hf_contact_point *point);

// The sets in which two solids a < b may touch, and the force that has them alone (-1: none).
uint64_t hf_collider_sets(const hf_collider *collider, int a, int b, int *own);
// The force between two solids a < b, or -1.
int hf_collider_force(const hf_collider *collider, int a, int b);

#endif
