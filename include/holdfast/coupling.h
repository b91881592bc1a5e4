// SPDX-License-Identifier: Apache-2.0
// What a coupling is made of. A coupling is where a law acts: it maps the motion of bodies to gaps
// and rates (Psi), and the law's forces to forces on the bodies (Phi): [Kikuuwe2008] (13d),
// (13f).
//
//   rate = J(q) v,   u = -J(q)' force
//
// so that u.v = -force.rate exactly: wiring neither makes nor loses energy. Each coupling owns
// `dim` neighbouring rows of gap, rate and force. Couplings in space look at poses and add to
// wrenches; couplings of coordinates look at q, v and add to generalized forces.
//
// Every coupling of the library is one hf_coupling_ops, in a file of its own.
// A program's own couplings are an hf_coupling_kind each (kinds.h).
#ifndef HOLDFAST_COUPLING_H
#define HOLDFAST_COUPLING_H

#include <stdbool.h>
#include <stddef.h>

#include <holdfast/base.h>
#include <holdfast/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------
// What couplings see and change

// Where the model keeps a body.
typedef struct hf_body_site {
    int q, v;    // first of its coordinates in q, of its velocities in v
    int pose;    // in poses and wrenches; 0: the world; -1: no coupling in space names it
    bool counts; // a rigid body that counts its turns (spec.h)
    int world[HF_BODY_KIND_MOST]; // world axis along which each coordinate moves it; -1: none, of a
                                  // joint
    const char *names[HF_BODY_KIND_MOST]; // of its coordinates: "x", "angle"
    bool turns[HF_BODY_KIND_MOST];        // a coordinate is an angle
} hf_body_site;

// A point where two shapes touch, or nearly do.
typedef struct hf_touch {
    int on, to;             // poses; 0: the world
    hf_vec3 n;              // from `to` to `on`, world axes
    hf_vec3 on_arm, to_arm; // from the bodies' origins to the point, world axes [m]
    double gap;             // [m]
} hf_touch;

typedef struct hf_motion {
    const double *q, *v;       // coordinates
    const hf_pose *poses;      // in space
    double *gap, *rate;        // [row]
    const hf_vec3 *references; // of couplings that carry one, by memory
    const hf_touch *touches;   // of couplings that look at them
    int touch_count;
} hf_motion;

typedef struct hf_actions {
    const double *force; // [row], with the sign of the motion
    const double *q;     // coordinates
    const hf_pose *poses;
    double *u;                 // generalized forces, by velocity
    hf_wrench *wrenches;       // by pose
    const hf_vec3 *references; // as above
    const hf_touch *touches;   // as above
    int touch_count;
} hf_actions;

// How a coupling's rates change while velocities v stay: (dJ/dt) v, and the parts of the bodies'
// own rates.
typedef struct hf_bias {
    const double *q, *v; // coordinates
    const hf_pose *poses;
    const hf_pose_rate *rates; // by pose
    const hf_vec3 *references; // as above
    double *change;            // [row]
} hf_bias;

// Where a contact is.
typedef struct hf_contact_place {
    hf_vec3 n, x, y;        // world axes; n points from `to` to `on`
    hf_vec3 on_arm, to_arm; // from the bodies' origins to the point of contact
    double gap;
} hf_contact_place;

// One summand of a rate that is a sum of velocities with constant factors.
typedef struct hf_coupling_term {
    int q, v;
    double factor;
} hf_coupling_term;

// Where a coupling's numbers are.
typedef struct hf_coupling_slot {
    int row;    // the first of its rows
    int dim;    // how many
    int memory; // its reference, when it carries one
} hf_coupling_slot;

// What a picture of a force is made from.
typedef struct hf_coupling_sight {
    const hf_coupling_def *def;
    const void *item;
    const hf_body_site *sites; // by body id - 1
    const hf_pose *poses;
    const hf_vec3 *references;
    const double *force; // of its rows
    hf_vec3 apart;       // from its second end to its first, world axes [m]
} hf_coupling_sight;

typedef enum hf_coupling_quantity { HF_ROW_FORCE, HF_ROW_GAP, HF_ROW_RATE } hf_coupling_quantity;

// ------------------------------------------------------------------------------------------------
// The table of one coupling

// Most terms of a row, and most bodies that a coupling with rows acts on.
#define HF_COUPLING_MAX_TERMS 16

// `items` below are compiled couplings, item_size bytes each, as `place` made them.
typedef struct hf_coupling_ops {
    const char *name; // in model files, messages and scenes
    size_t item_size; // 0: it has no rows, and neither place, psi nor phi

    // What other code needs of it
    bool in_space;         // it looks at poses and adds to wrenches
    bool contact;          // contact laws go on it; the first row is the normal
    bool has_gap;          // its gap is a displacement, which springs need
    bool travels;          // gap' = rate in every row, without a wrap: creep shows in the gap
    bool on_points;        // a force in a file may name it, with points of its two bodies
    bool on_places;        // a force in a file may name it, without points
    bool finds_contacts;   // among many members; it has no rows
    bool keeps_pairs;      // finds pairs of spheres itself, and keeps them in the state
    bool needs_collider;   // the method finds its contacts, between shapes
    bool looks_at_touches; // it acts where shapes touch, within `radius` of its definition

    // Rows of a definition.
    int rows; // where dim is NULL
    int (*dim)(const hf_coupling_def *def);
    // HF_OK, or a message that begins with "force 'NAME': ".
    hf_status (*check)(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error);
    // The places on bodies between which it acts, at most HF_COUPLING_MAX_TERMS; how many. The
    // first two are drawn. Body zero: the world. Those of members are not listed.
    int (*ends)(const hf_coupling_def *def, hf_frame *ends);
    // Compiles a definition.
    void (*place)(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item);
    // Once all of a range are placed: what neighbours have in common; NULL: nothing.
    void (*line_up)(void *items, int count);
    // Psi and Phi of `count` couplings, one after the other.
    void (*psi)(const void *items, int count, const hf_motion *motion);
    void (*phi)(const void *items, int count, const hf_actions *actions);
    // How its rates change; NULL: only with v'.
    void (*bias)(const void *item, const hf_bias *bias);
    // World axes (columns) along which it exerts its first three rows of force; NULL: those of the
    // world.
    hf_mat3 (*axes)(const void *item, const hf_pose *poses, const hf_vec3 *references);
    // The terms of a row; how many. NULL: its rates are no such sums.
    int (*terms)(const void *item, int row, hf_coupling_term *terms);
    // Of contacts: where it is, between which poses (on, to).
    hf_contact_place (*touch)(const void *item, const hf_pose *poses, const hf_vec3 *references,
                              int ends[2]);
    // The reference of its tangents after `seconds`; NULL: it has none.
    hf_vec3 (*carry)(const void *item, const hf_pose *poses, hf_vec3 reference, double seconds);
    // Force on its first end in world axes, for pictures; NULL: nothing to draw.
    hf_vec3 (*sight)(const hf_coupling_sight *sight);
    // Name of a row in channels (NULL: it is the only one and needs none), and whether it is a
    // turn.
    const char *(*row_name)(const hf_coupling_def *def, const hf_body_site *sites,
                            hf_coupling_quantity quantity, int row);
    bool (*row_turns)(const hf_coupling_def *def, const hf_body_site *sites, int row);
    // Inner states that it needs when its law has `of_law`; NULL: these.
    int (*states)(const hf_coupling_def *def, int of_law);
} hf_coupling_ops;

// The library's own, by type and by name; NULL: there is none.
HF_API const hf_coupling_ops *hf_coupling_ops_get(hf_coupling_type type);

// The table of a definition.
HF_API const hf_coupling_ops *hf_coupling_ops_of(const hf_coupling_def *coupling);

// ------------------------------------------------------------------------------------------------
// Checks that couplings share. `name` is the force's, `side` names the place in messages.

// That `dim` coordinates from this one on exist in the description.
HF_API hf_status hf_coupling_check_coordinate(const hf_spec *spec, hf_coordinate coordinate,
                                              int dim, const char *name, const char *side,
                                              hf_error *error);
// That the frame's body exists (id 0: the world) and its point and turn are finite.
HF_API hf_status hf_coupling_check_frame(const hf_spec *spec, const hf_frame *frame,
                                         const char *name, const char *side, hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
