// SPDX-License-Identifier: Apache-2.0
// A kind of body: force in, motion out, x' = A(x, u).                             [Kikuuwe2008] (1)
//
// Each kind is one file, its table of functions (hf_body_ops) and a line in bodies.def. The rest of
// the library uses the table and does not distinguish kinds. Bodies of a kind lie together in
// memory, and the functions that run in every evaluation take all of them in one call.
#ifndef HF_BODIES_BODY_H
#define HF_BODIES_BODY_H

#include <holdfast/spec.h>

#include "base/arena.h"
#include "bodies/check.h"
#include "math/spatial.h"

// Where the coordinates of a rigid body have its turns, if it counts them: behind place and
// quaternion.
enum { HF_RIGID_TURNS = 7 };

// What bodies read and write: arrays of the whole machine, in which each body has its places.
typedef struct hf_body_io {
    const double *q, *v;
    double *u;           // generalized forces
    hf_pose *poses;      // by number; 0 is the world
    hf_wrench *wrenches; // on the poses, world axes, about their origins
    double *work;        // scratch of trees
    double *places;      // where their links are, as it is kept (tree_places.c); NULL: it is not
    bool by_mass;        // their dynamics by the factors of their masses (tree_kept.c)
    hf_vec3 gravity;     // [m/s^2]
} hf_body_io;

// Forces and torques on a body, one pair for each row.
typedef struct hf_body_push {
    int pose;                      // they act on this pose,
    int below;                     // without what moves this one of its body, too; 0: with
    hf_vec3 arm;                   // the forces so far from its origin, world axes [m]
    const hf_vec3 *force, *torque; // world axes; NULL: none
    int count;
    double sign; // +1 or -1, of all of them
} hf_body_push;

// A step of h seconds without reactions, whose forces and w x I w were evaluated at there_q and
// there_v.
typedef struct hf_body_turn {
    double h, theta; // share of the end's velocity in the mean one
    const double *q, *v, *there_q, *there_v;
    double *free_v;       // velocities after it
    bool apart;           // some forces are implicit, so that their work is not that to free_v
    double *work, *spare; // scratch of the bodies, and of as many numbers as 2 q and 7 v
    double *places;       // as of hf_body_io
    double *unsettled;    // the largest turn of a joint in a step that was not found [rad]
    const double *mass;   // of one body: factor of its mass at q; NULL: none is there
} hf_body_turn;

// A number, or a slot of the sim's signal values.
typedef struct hf_input {
    double constant;
    int signal; // -1: the constant
    bool rate;  // the signal's derivative is meant
} hf_input;

// A coordinate whose motion is given: forces do not change it.
typedef struct hf_drive {
    int q, v;               // in the state
    hf_input motion;        // its position; or its velocity:
    bool by_velocity;       // the position is integrated
    bool has_rate;          // `rate` is the velocity that goes with the position;
    hf_input rate;          // without it the signal is differentiated
    hf_coordinate leader;   // it copies this coordinate; body 0: none
    int follow_q, follow_v; // the same in the state; -1: none
} hf_drive;

// A number of a definition that can be changed by name: BODY.name, or BODY.name.part.
typedef struct hf_body_number {
    const char *name, *part; // part "": none
    const char *unit;
    double *at;
} hf_body_number;

// Where a new body is put.
typedef struct hf_body_spot {
    int q, v;        // its first coordinate and velocity in the state
    int pose;        // -1: none
    hf_vec3 gravity; // [m/s^2]
    hf_arena *arena; // of the model
} hf_body_spot;

typedef struct hf_body_ops {
    hf_body_type type;
    const char *name; // as model files and scenes call it
    size_t bytes;     // of one body's numbers

    // What it is.
    bool accelerates;  // forces move it: it is a mover, or part of one
    bool turns;        // its poses turn
    bool scenery;      // it never moves
    bool unplaced;     // it has no place in space: couplings in space and loops refuse it
    bool in_axes;      // its coordinates are along world axes
    bool coordinates;  // couplings can name its velocities one by one
    int shifts;        // this many of its velocities, the first, are shifts; the others turn
    bool shaped;       // it may have shapes
    bool always_posed; // it has a pose whether or not a coupling looks at it
    bool jointed;      // a link: its definition is an hf_joint_def, with its parent
    bool floats;       // it moves freely in space: place and quaternion, three shifts and a spin
    int placed;        // this many of its coordinates, the first, are its place; 0: all are

    // Its definition: the public struct of its kind, whose first member is its name.
    size_t def_size;
    hf_status (*check)(const hf_spec *spec, const void *def, const char *name, hf_error *error);
    // Replaces what the definition points to by copies; false: out of memory. NULL: nothing.
    bool (*keep)(hf_arena *arena, void *def);
    // The k-th number that can be changed; false: there is no such number. NULL: there are none.
    bool (*number)(void *def, int k, hf_body_number *number);

    // From its definition. start: q and v at t = 0, zero before. lay NULL: links, which compile
    // lays tree by tree.
    void (*size)(const void *def, int *nq, int *nv);
    bool (*lay)(const void *def, const hf_body_spot *spot, void *body); // false: out of memory
    void (*start)(const void *def, double *q, double *v);
    void (*info)(const void *def, hf_body_info *info);
    // Turns about its own axes, as coordinates behind its place: sets in the definition that they
    // are counted; whether a body counts them. NULL: it cannot.
    void (*count_turns)(void *def);
    bool (*counts_turns)(const void *body);
    // Bodies whose motion is given, all of it: how coordinate k moves; q, v and
    // follow_* of *drive are filled by compile. NULL: forces move the body, or nothing does.
    void (*drive)(const void *def, int k, hf_drive *drive);
    // Name of a coordinate in channels, and its unit or that of its rate. NULL: by joint and axes.
    const char *(*axis)(const void *body, int axis);
    const char *(*unit)(const void *body, int axis, bool rate);

    // All bodies of the kind, `count` of them from `bodies` on. NULL: nothing to do.
    void (*pose)(const void *bodies, int count, const hf_body_io *io); // poses of q and v
    // Poses of q alone: how they move is left as it was. NULL: only together.
    void (*place)(const void *bodies, int count, const hf_body_io *io);
    void (*gather)(const void *bodies, int count, const hf_body_io *io); // u += by wrenches
    // q' and v' under u, wrenches and gravity.
    void (*rate)(const void *bodies, int count, const hf_body_io *io, double *dq, double *dv);
    void (*q_rate)(const void *bodies, int count, const double *q, const double *v, double *dq);
    void (*normalize)(const void *bodies, int count, double *q); // unit quaternions again
    // Adds kinetic and potential energy [J].
    void (*energy)(const void *bodies, int count, const hf_body_io *io, double *kinetic,
                   double *potential);
    // Poses that never change.
    void (*still)(const void *bodies, int count, hf_pose *poses);
    // How the motion of poses changes while v does not; NULL: it does not.
    void (*pose_rates)(const void *bodies, int count, const hf_pose *poses, hf_pose_rate *rates);

    // Free spin: takes w x I w out of free_v and puts the turn that it makes in its place. NULL:
    // no such thing.
    void (*spin)(const void *bodies, int count, const hf_body_turn *turn);

    // One body. Those that accelerate or are driven have this:
    void (*clear)(const void *body, const hf_body_io *io); // zeroes u and wrenches on it
    // Those that accelerate have the next ones.
    // v' = M^-1 (u and wrenches) at rest, without gravity; io->v is zero.
    void (*respond)(const void *body, const hf_body_io *io, double *dv);
    // The same to a generalized force f of its own velocities: a = M^-1 f.
    void (*answer)(const void *body, const hf_body_io *io, const double *f, double *a);
    // The generalized force f that u and wrenches make on its velocities; io->v is zero, poses are
    // those of io->q.
    void (*load)(const void *body, const hf_body_io *io, double *f);
    // M = L L'. factor fills the part of L that changes, factor_size numbers at `l`; false: M is
    // not positive definite. NULL: L is constant.
    size_t (*factor_size)(const void *body);
    bool (*factor)(const void *body, const hf_body_io *io, double *l);
    void (*half)(const void *body, const double *l, const double *j, double *y); // y = L^-1 j
    // With the `above` below, from a factor at `l`: M itself, by packed rows (tree_factor.c), and
    // p := M v. NULL: it is not known from the factor.
    void (*mass)(const void *body, const double *l, double *m);
    void (*momentum)(const void *body, const double *l, const double *v, double *p);
    // y := L^-1 y and x := M^-1 y of `count` rows, a multiple of four, whose k-th numbers are side
    // by side at [k count]. NULL: row by row.
    void (*answer_rows)(const void *body, const double *l, int count, double *y, double *x);
    // hf_tree_find_ways: [velocities] the one before each on the way to the world, -1: none, and
    // lists of these ways. Where j has numbers on one such way alone, so has L^-1 j. NULL: L may be
    // full.
    const int *(*above)(const void *body);
    // The last velocity that moves a pose of the body; -1: none does.
    int (*leaf)(const void *body, int pose);
    void (*weigh)(const void *body, const hf_body_io *io, const double *l, const double *v,
                  double *s);                                                       // s = L' v
    void (*unweigh)(const void *body, const double *l, const double *s, double *v); // v += L'^-1 s
    // Adds J of a push to rows[r * stride + k], k its own velocities; there are torques, and poses
    // are those of io->q. With l it adds J L'^-1, to rows that are zero but for what another pose
    // of the body added; there are forces or torques, not both. scratch: 7 numbers for each
    // velocity.
    void (*rows)(const void *body, const hf_body_io *io, const hf_body_push *push, const double *l,
                 double *rows, size_t stride, double *scratch);
    // The pose of the last link that moves two of its poses, or is one of them; 0: none does. NULL:
    // there are no such.
    int (*meet)(const void *body, int pose, int other);
    // Its pose now, also when no coupling looks at it; `link` of a tree.
    hf_pose (*look)(const void *body, int link, const hf_body_io *io);
} hf_body_ops;

// All bodies of one kind in a machine.
typedef struct hf_body_set {
    const hf_body_ops *ops;
    const void *bodies;
    int count;
    int posed; // how many of them have poses that move
} hf_body_set;

// What accelerates as one: a mass, a rigid body, a tree.
typedef struct hf_mover {
    const hf_body_ops *ops;
    const void *body;
    int q, nq, v, nv; // its coordinates and velocities in the state
} hf_mover;

// The kinds, one file each.
#define HF_BODY(NAME, name) extern const hf_body_ops hf_##name##_ops;
#include <holdfast/bodies.def>

// The table of a type.
const hf_body_ops *hf_body_ops_of(hf_body_type type);

// Over all sets, in their order (bodies.c).
void hf_bodies_pose(const hf_body_set *sets, int count, const hf_body_io *io);
// Where they are, alone; how those that can only be posed together move is by io->v.
void hf_bodies_place(const hf_body_set *sets, int count, const hf_body_io *io);
void hf_bodies_gather(const hf_body_set *sets, int count, const hf_body_io *io);
static inline void hf_bodies_rate(const hf_body_set *sets, int count, const hf_body_io *io,
                                  double *dq, double *dv)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->ops->rate != NULL) {
            set->ops->rate(set->bodies, set->count, io, dq, dv);
        }
    }
}
void hf_bodies_q_rate(const hf_body_set *sets, int count, const double *q, const double *v,
                      double *dq);
void hf_bodies_normalize(const hf_body_set *sets, int count, double *q);
void hf_bodies_energy(const hf_body_set *sets, int count, const hf_body_io *io, double *kinetic,
                      double *potential);
void hf_bodies_still(const hf_body_set *sets, int count, hf_pose *poses);
void hf_bodies_pose_rates(const hf_body_set *sets, int count, const hf_pose *poses,
                          hf_pose_rate *rates);

#endif
