// SPDX-License-Identifier: Apache-2.0
// Method timestep: what a sim keeps for it.
//
// Velocities are looked at through a factor of the mass matrix, M = L L': s = L' v are
// mass-weighted velocities, |s|^2 twice the kinetic energy. A contact with the Jacobian J has the
// rows
//   Y = J L'^-1,   u = J v = Y s,   W = J M^-1 J' = Y Y',   M^-1 J' r = L'^-1 Y' r
// so that one array gives W, the motion of a contact, and what its reaction does.
#ifndef HF_METHODS_TIMESTEP_TIMESTEP_DATA_H
#define HF_METHODS_TIMESTEP_TIMESTEP_DATA_H

#include <holdfast/contact.h>

#include "collide/collide.h"
#include "couplings/contact_point.h"
#include "sim/sim_data.h"
#include "solvers/small/least_cone.h"

enum { HF_TS_ROWS = 3, HF_TS_ANYWHERE = -2 };

// What quick.c takes: numbers of a group, contacts of a step.
enum { HF_TS_QUICK_WIDTH = 96, HF_TS_QUICK_CONTACTS = 128 };
// Most velocities and contacts whose load is shared out (share.c): larger problems are heaps, where
// a load has one way to go or many small ones.
enum { HF_TS_SHARE_WIDTH = 48, HF_TS_SHARE_CONTACTS = 64 };

// Sweeps of every step whose reactions are not yet exact: a heap that is solved to the tolerance is
// solved better in the next step, and rests before it has crept.
enum { HF_TS_LEAST_SWEEPS = 5 };

// A mover of the model, and its place among mass-weighted velocities.
typedef struct hf_ts_mover {
    const hf_body_ops *ops;
    const void *body;
    double *mass; // what its table keeps of the factor of its mass matrix
    double *l;    // the same, or NULL: 1, of a group that is merged
    int v, count; // its velocities
    int s;        // its place among mass-weighted velocities
    int group;
} hf_ts_mover;

// What answers as one: a mover, or the movers that loops or implicit forces join. With loops,
// velocities that the loops forbid are taken out of all rows: Y := Y - (Y Q') Q, where the rows of
// Q are orthonormal and span those of the loops.
typedef struct hf_ts_group {
    int s, count;
    int cluster; // the first of its clusters in model->clusters; -1: none
    bool stiff;  // implicit forces act on it: its numbers are z = C' s (implicit.c)
    // It is a tree, and C that of A = M + J' G J itself: s = v, rows are J (implicit.c).
    bool merged;
    int rank; // rows of Q now
    size_t q; // their place
    // [count] the number before each that rows of it may have, -1: none. Of a tree alone, whose
    // implicit forces act on single coordinates, the way to the world; of others, all numbers.
    const int *above;
    // [count] The same of the factor of implicit forces, which loops do not fill.
    const int *ways;
    bool jointed;      // it has a tree or loops
    bool touched;      // scratch of quick.c
    bool lands;        // scratch of begin.c
    int island, place; // scratch of share.c
    bool still;        // at rest after the last solution (still.c)
    bool calm, asleep; // its one body is (sleep.c)
    bool pushed;       // by something heavy that takes it along, however slowly (still.c)
    bool alone;        // of parts.c: nothing but its own rows acts on it
} hf_ts_group;

// Inner states of a law, at most.
enum { HF_TS_TERM_STATES = 64 };

// An implicit force (implicit.c).
typedef struct hf_ts_term {
    int force;     // in model->forces
    int group;     // with all its movers
    int lo, width; // its rows' numbers in the group
    int leaf;      // of rows on one way of a tree alone (hf_ts_group); HF_TS_ANYWHERE: else
    size_t y;      // their place in term_rows: dim rows
    bool stiff;
    bool varies; // its slopes change with the motion
    bool soft;   // of these: explicit in this step, so far
    bool damps;  // it has a damper at the beginning of the step, soft or not
    double step; // [s]
    // By row: slopes by gap and rate; force, gap and rate at the beginning; what is added to the
    // force besides the slopes: by the inputs of the end, or by another regime; the share of driven
    // bodies in the rate over the step and at its beginning.
    double k[HF_LAW_MAX_DIM], d[HF_LAW_MAX_DIM];
    double f[HF_LAW_MAX_DIM], gap[HF_LAW_MAX_DIM], before[HF_LAW_MAX_DIM], ahead[HF_LAW_MAX_DIM];
    double drive[HF_LAW_MAX_DIM], drive_before[HF_LAW_MAX_DIM];
    double at[HF_LAW_MAX_DIM]; // rates at which the last pass has its slopes
} hf_ts_term;

// What one contact does to one group.
typedef struct hf_ts_side {
    int group, s, count;
    int leaf; // numbers are zero but from here on above (hf_ts_group); HF_TS_ANYWHERE: of several
              // ways
    size_t y; // place of 3 rows of `count` numbers
} hf_ts_side;

typedef enum hf_ts_kind {
    HF_TS_POINT,    // normal and two tangents of hf_contact_point
    HF_TS_STOP,     // a limit: a normal, and perhaps a friction that it loads
    HF_TS_FRICTION, // a bounded multiplier: tangents, with a normal of known size
} hf_ts_kind;

// What one force has of blocks with one key, in this order. The parts of a contact about its axes
// are bounded multipliers of their own, loaded by its normal. A friction in three coordinates is a
// plane of two and the third (levels.c).
typedef enum hf_ts_part {
    HF_TS_WHOLE,
    HF_TS_SPIN,  // of HF_TS_POINT: about the normal
    HF_TS_ROLL,  // of HF_TS_POINT: about the tangents
    HF_TS_PLANE, // of a friction in three coordinates: along place.n and place.x, in the
                 // coupling's rows
    HF_TS_THIRD, // along place.y of its plane, which is the contact before
} hf_ts_part;

typedef struct hf_ts_contact {
    hf_contact_point point; // of other kinds: key, force, mu, restitution and place.gap
    hf_ts_kind kind;
    hf_ts_part part;
    bool smooth;  // of HF_TS_POINT: without friction, and no rows but the normal
    bool yields;  // of HF_TS_POINT: friction gives way (slip.c)
    int rows;     // tangents in use, of kinds other than HF_TS_POINT
    int friction; // of HF_TS_STOP: the force that is its friction; -1: none
    int side_count;
    hf_ts_side sides[2];
    double sign;                     // of HF_TS_STOP: +1 lower limit, -1 upper
    double speed;                    // of HF_TS_STOP: limit of the rate, not of the gap; else 0
    double before[HF_TS_ROWS];       // u at the beginning of the step
    double drive[HF_TS_ROWS];        // the share of driven bodies in u, over the step
    double drive_before[HF_TS_ROWS]; // and at its beginning
    bool led;                        // loops and driven bodies move it, whatever reacts (collect.c)
    // The part of drive - drive_before that loops hand on: without a lag
    double follows[HF_TS_ROWS];
    double idle[HF_TS_ROWS]; // on W's diagonal, where a row moves nothing, or gives way
    double shift;            // what u_N is away from the velocity that r_N complements
    double rest;             // the same without restitution
    bool impact, lowered;    // it has restitution now; less than it was asked for
    bool closes;             // an impact without restitution, in this step
    bool lands;              // one that is one impulse
    int blow;                // 1 + the set of bodies that a blow spreads through; 0: none
    // Of HF_TS_FRICTION. Its bound is an impulse: bound + share times what loads it, which is the
    // normal impulse of the contact `owner`, or the impulse of the force `loader`; -1: none.
    int owner, loader;
    double bound, share;
    int side;                           // of its level: HF_FORTH or HF_BACK
    double own_bound, used_bound, miss; // by the present reactions; of the last solution; between
    double row_scale;                   // what 1 in its rows is in those of the law
    hf_regime regime;                   // of the last step, then of this one
    bool stuck;                         // it began this step stuck, and holds more than in slip
    bool slid;                          // it began it slipping, and holds more at rest
    hf_turn turn;                       // of its slip in this step
    int memory;                         // its own, of the last step; -1: none
} hf_ts_contact;

// A contact in quick.c: 1 over its weights, normal and tangents; the slopes of its reaction by its
// velocity; the direction of slip.
typedef struct hf_ts_quick {
    double over[2], normal, tangent, along, across, d[2];
    int regime; // of the last step of Newton's method; -1: none
} hf_ts_quick;

// What a contact may do in share.c.
typedef struct hf_ts_shared {
    hf_block_kind kind; // NONE: open, or a friction that slips
    int first, end;     // rows whose velocity it prescribes
    bool slides;
    bool gives;      // below its bound it gives way (slip.c): its tangents and their velocity stay
    double along[2]; // of what slides: tangents by the normal force
} hf_ts_shared;

// Room of share.c, with the width of HF_TS_SHARE_WIDTH at most.
typedef struct hf_ts_share_room {
    double *q;         // [width x width]
    double *wanted;    // [width]
    double *c, *d, *x; // hf_least_cone
    hf_block *block;
    double *work;
    int *contact; // of the island
    int count;
} hf_ts_share_room;

// Reactions and regimes of the last step, by rising key: where the next one begins.
typedef struct hf_ts_memory {
    uint64_t key;
    // Of points, spin and rolling in world axes, of a plane and its third in the coupling's.
    double reaction[HF_TS_ROWS]; // [N s or Nm s]
    double normal;               // the normal part of a point's
    hf_ts_part part;
    hf_regime regime;
    hf_turn turn; // of its slip in the present step
    hf_vec3 slip; // velocity at the end of the last (hf_ts_slip_of) [m/s or rad/s]
} hf_ts_memory;

// The beginning of sim->kept.
typedef struct hf_ts_kept {
    double step; // of the last step [s]
    int count;
    hf_ts_memory memories[];
} hf_ts_kept;

// ------------------------------------------------------------------------------------------------
// An attempt at a step

// What it assumes. The first attempt assumes least; what turns out wrong in one is assumed in the
// next (advance in timestep.c).
typedef struct hf_ts_assumed {
    int pass;  // of implicit forces (implicit.c): 0 the first
    bool wide; // candidates are contacts
} hf_ts_assumed;

// What its contacts are.
typedef struct hf_ts_traits {
    bool turning; // something turns fast (turned.c)
    bool carried; // something touches a driven body that moves
    bool impacts; // some contacts have restitution
    bool lands;   // some land (problem.c)
    bool loaded;  // bounds depend on reactions (levels.c)
    bool plane;   // frictions in three coordinates (levels.c)
    bool yields;  // friction of some gives way (slip.c)
    bool follows; // followers are all of these bounds: sweeps alone solve the step
} hf_ts_traits;

// What came of it.
typedef struct hf_ts_outcome {
    hf_fc3d_info info;
    bool warm;     // the last step's reactions were the solution
    bool solved;   // to the tolerance
    bool rests;    // within the tolerance nothing moves that touches
    bool followed; // bounds are those that its reactions load
    double still;  // velocities of contacts below this are zero, of unlike masses [m/s]
    double free;   // all velocities of contacts without reactions, as one vector: its size
    // How far implicit forces are from what their laws say at the end, after the last pass; 0:
    // within what is enough (implicit.c).
    double forces_off;
    int lowered; // impacts with less restitution than they were asked for (impacts.c)
} hf_ts_outcome;

typedef struct hf_ts_attempt {
    hf_ts_assumed assumed;
    hf_ts_traits traits;
    hf_ts_outcome outcome;
} hf_ts_attempt;

// One solution with bounds that depend on the reactions (levels.c). A single one: all zero.
typedef struct hf_ts_turn {
    int index;   // turns before it
    double goal; // what it is solved to, at the tolerance or below
    bool gentle; // it need not come to that
    // The motion and u are those of r, whose residual this is with the weight rho (hf_ts_rho).
    bool judged;
    double residual, rho;
} hf_ts_turn;

// ------------------------------------------------------------------------------------------------
// What lasts from attempt to attempt

// The machine as the method sees it: set up once.
typedef struct hf_ts_machine {
    hf_ts_mover *movers;
    hf_ts_group *groups;
    int mover_count, group_count, s_count;
    int *pose_mover;     // -1: world or driven
    int *pose_body;      // id of the body; 0: the world
    int *velocity_mover; // -1: driven
    int *partner;        // by force: of a stop the friction that it loads, and back; -1: none
    int *ball;           // by force: the velocities of a ball joint whose spins it holds; -1: none
    int *chain;          // [nv] k - 1: `above` of groups that are no trees
    int *first;          // [group_count + 1] first mass-weighted velocity of each
    hf_collider *collider; // contacts between shapes; NULL: none
    double allowed;        // penetration that is left alone (correct.c) [m or rad]
    int kept_capacity;     // memories
} hf_ts_machine;

// Driven bodies over the step; zero elsewhere.
typedef struct hf_ts_drive {
    hf_vec3 *pose, *pose_before; // velocities of their poses over the step, and at its beginning
    hf_vec3 *spin, *spin_before; // the same of their spin
    double *v, *v_before;        // the same of their coordinates
    double *v_end;               // velocities of their coordinates at the end
} hf_ts_drive;

// Velocities of the step, and the factors at its poses.
typedef struct hf_ts_motion {
    double *factors;                                // of the movers
    double *loop_rows;                              // Q of all clusters
    double *s_driven;                               // with which loops follow driven bodies
    double *free_v;                                 // [nv] velocities without reactions
    double *s_before, *s_free, *s_change, *s_after; // mass-weighted, [s_count]
    double *s_way;                                  // [s_count] even.c
    double *s_size;                                 // [group_count] sizes of what s_change sums
    double *s_load;                     // [group_count] sum of the sizes of reactions [N s]
    hf_vec3 *pose_velocity, *pose_spin; // [pose_count] at the beginning of the step
    hf_pose *pose_middle;               // [pose_count] half a step on, where something turns fast
    hf_pose *pose_begin;                // [pose_count] of the step, where something is fast
} hf_ts_motion;

// Implicit forces (implicit.c).
typedef struct hf_ts_implicit {
    hf_ts_term *terms; // [force_count]
    int term_count;
    double *term_rows;
    size_t term_row_count;
    double *plain, *end; // [s_count] scratch: mass-weighted without C
    double *envelope;    // C of the stiff groups, by rows (envelope.c)
    size_t *row_place;   // [s_count] where its rows begin
    int *row_first;      // [s_count] their first column, in the group
} hf_ts_implicit;

// What loads frictions.
typedef struct hf_ts_loads {
    double *impulse; // [force_count] for the frictions that they load (levels.c)
    int *side; // [force_count] side of a level that differs: 1 + HF_FORTH or HF_BACK; 0: not known
    int flips; // sides that turned out wrong with these loads
    double *lambda; // [loop_row_count] of loops, as the evaluation has them (reactions.c)
    double step;    // of the step whose reactions load frictions [s]
    // Reactions of the round before, which the next one begins with: of all that redundant contacts
    // could have, those near by, so that loads come to rest. Room for kept_capacity.
    hf_ts_memory *round;
    int round_count; // -1: the first round
    int solver;      // hf_fc3d_method of the last round that was solved anew; -1: none was
    int iterations;  // of the rounds before
} hf_ts_loads;

// What may touch within the step.
typedef struct hf_ts_nearby {
    // Gaps that only an impulse of another contact can close within the step.
    hf_contact_point *candidates;
    size_t candidate_capacity;
    int candidate_count;
    hf_contact_point *shape_points; // [hf_collider_capacity] those of this step, by rising key
    int shape_count;
    int *level_room; // [hf_seams_room] for choosing which points of level floors carry
    double reach;    // of such impulses: twice the fastest speed, times h [m]
} hf_ts_nearby;

// The friction-contact problem of the attempt.
typedef struct hf_ts_posed {
    hf_ts_contact *contacts;
    size_t contact_capacity, capacity; // of contacts; of the tables below
    int count;
    double *r, *u, *q;     // [3 capacity]
    double *mu;            // [capacity]
    double *idle;          // [3 capacity] of the contacts, side by side
    size_t *place;         // [2 capacity] where rows of their sides begin
    int *pair;             // [2 capacity] their groups; -1: none
    hf_fc3d_bodies bodies; // the problem by its parts
    // [capacity] Bounds that depend on the reaction of their contact (levels.c).
    struct hf_fc3d_follower *followers;
    int follower_count;
    double *y; // rows of the contacts and of implicit forces: a pool
    size_t y_used, y_capacity;
} hf_ts_posed;

// W = Y Y', where a solver asks for it (assemble.c).
typedef struct hf_ts_delassus {
    bool assembled; // for the present contacts
    int *start, *column;
    double *w;
    size_t block_capacity;
    int *group_start; // [group_count + 1] contacts of each group
    int *group_items; // [2 capacity] 2 contact + side
    int *cursor;      // [capacity]
} hf_ts_delassus;

// Another solver in place of ours, of another library; all NULL: none.
typedef struct hf_ts_plugged {
    hf_status (*solve)(hf_sim *sim, const hf_fc3d_problem *problem, double *r, double *u,
                       hf_fc3d_info *info, hf_error *error);
    void *work;
    const hf_sim *leader; // whose regimes the steps of this sim have (branch.c); NULL: none
    bool held;            // the last solution has them
    long long loose;      // steps that went a way of their own
} hf_ts_plugged;

// The last step, where it left all as it was (repeat.c).
typedef struct hf_ts_repeat {
    bool possible;       // the machine is one whose steps can repeat themselves
    bool watching;       // nothing moves at the beginning of the present step
    bool repeats;        // the last one left all as it was
    bool was_fresh;      // it began with an evaluation that was there already
    bool same_reactions; // and had the reactions of the one before, to the bit
    double step;         // its length [s]
    long long taken;     // steps that were not computed again
    // Evaluations within it, and before it where none was there
    long long evaluations, first_evaluations;
    hf_method_def method;    // at its beginning, as all that follows
    double *signals;         // what it saw of them
    hf_force_tally *tallies; // [force_count]
    char *saved;             // what a saved state has
} hf_ts_repeat;

// What a velocity is compared with that may be zero (still.c): what a solution does not tell from
// zero, as a share of the terms whose sum the velocity is; velocities of contacts without
// reactions, as one vector; those that are zero, of unlike masses.
typedef struct hf_ts_nothing {
    double unknown;
    double free, still; // [m/s]
} hf_ts_nothing;

// How a body takes part in a step (sleep.c).
typedef enum hf_ts_rest {
    HF_TS_STIRS,  // it moves, or may be moved
    HF_TS_CALM,   // it is at rest, and so is all that is near
    HF_TS_ASLEEP, // and it is not looked at
} hf_ts_rest;

// Sums over the contacts of an island of calm bodies (calm.c).
typedef struct hf_ts_island {
    int count;
    bool rests;
    double trace, rho;            // of W; weight of the residual
    double q, r, u, free, errors; // squares
    double residual;
    hf_ts_nothing nothing;
} hf_ts_island;

// What a force has of contacts that sleep.
typedef struct hf_ts_slept {
    int pairs, touching;
    bool closed;    // some of them
    double largest; // square of the largest reaction [N^2 s^2]
} hf_ts_slept;

typedef struct hf_ts_slept_pair {
    int force, pose, other; // the pose is one that sleeps
} hf_ts_slept_pair;

// Where a driven body is; of one that runs a surface its velocity at both ends of the step,
// wherever it is.
typedef struct hf_ts_placed {
    hf_vec3 position;
    hf_mat3 rotation;
    hf_vec3 belt[2];
} hf_ts_placed;

// Islands at rest that take no part in the step (sleep.c).
typedef struct hf_ts_sleep {
    bool possible; // the machine has bodies that can sleep
    bool anew;     // every step looks at all of them, with the same bits: for tests
    bool barred;   // another sim goes along, contact by contact (branch.c)
    bool used;     // in the present step
    bool judged;   // its first look is done
    double step;   // of the last step [s]
    // By pose
    bool *able, *fresh; // it can sleep; the step has changed what is remembered of it
    bool *restless;
    unsigned char *flags;
    hf_ts_rest *state;
    double *rest, *margin;    // for the collider, and of the last search [m]
    double *speed, *residual; // of the set that near pairs join, at its root; of its island
    int *near;                // these sets
    hf_ts_placed *led;        // where driven bodies were
    bool *runs;               // a driven body is the speed of a surface
    // What the rest of bodies that sleep depends on
    double *q, *free_v;
    bool *on; // by force
    // By group: islands of calm ones, at their roots
    int *joined;
    hf_ts_island *islands;
    // Contacts that sleep, by rising key, with their reactions and what is remembered of them
    hf_ts_contact *contacts;
    double *r;
    hf_ts_memory *memories;
    size_t capacity, pair_capacity;
    hf_ts_slept_pair *pairs;
    hf_ts_slept *of_force; // by force
    int count, pair_count, point_count;
    bool moved;      // in the present step others came to them, or some went
    double worst;    // residual of their islands
    long long slept; // contacts that steps did not look at
} hf_ts_sleep;

// Numbers that no function finds as another has left them.
// The rows whose W = Y Y' is in the matrix of quick_rows.c; group: -1: none.
typedef struct hf_ts_quick_list {
    int group, count;
    int rows[HF_TS_QUICK_WIDTH];
} hf_ts_quick_list;

typedef struct hf_ts_scratch {
    double *found;        // [3 capacity] levels.c, quick.c and remain.c
    double *given;        // [3 capacity] quick.c and remain.c
    double *left;         // [3 capacity] even.c
    double *along;        // [3 capacity] the same
    double *whole;        // [3 capacity] reactions before they were shared out otherwise
    hf_ts_quick *quick;   // [capacity] the same
    hf_ts_shared *shared; // [HF_TS_SHARE_CONTACTS at most] share.c
    hf_ts_share_room share;
    hf_ts_quick_list quick_list;
    double held;      // the same
    double *matrix;   // [width (2 width + 2)] the same
    double *jacobian; // 7 rows of the widest mover
    double *work;     // [2 group_count] impacts.c
    double *spare;    // [2 nq + 4 nv] bodies that turn fast
} hf_ts_scratch;

typedef struct hf_timestep {
    hf_ts_attempt attempt; // the present one, or the last
    hf_ts_machine machine;
    hf_ts_drive drive;
    hf_ts_motion motion;
    hf_ts_implicit implicit;
    hf_ts_loads loads;
    hf_ts_nearby nearby;
    hf_ts_posed problem;
    hf_ts_posed part; // some of its contacts (parts.c)
    int *part_place;  // [capacity] where they are in it
    hf_ts_delassus delassus;
    hf_fc3d_solver *solver;
    struct hf_fc3d_islands *islands; // contacts that bodies join, each a problem
    hf_ts_plugged plugged;
    hf_ts_scratch scratch;
    hf_ts_repeat repeat;
    hf_ts_sleep sleep;
} hf_timestep;

#endif
