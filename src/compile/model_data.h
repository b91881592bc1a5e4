// SPDX-License-Identifier: Apache-2.0
// What hf_model holds: the machine as arrays, by kind, each kind in the order of its names.
//
// The state vector of a sim is x = [q | v | y | w]:
//   q  coordinates of masses, rigid bodies, driven bodies, trees    v  their velocities
//   y  inner states of the laws                                     w  work of each force [J]:
//      what it turned into heat, or what an active force put in; last, what driven bodies put in
#ifndef HF_COMPILE_MODEL_DATA_H
#define HF_COMPILE_MODEL_DATA_H

#include <holdfast/model.h>

#include "bodies/bodies.h"
#include "bodies/loop.h"
#include "bodies/tree.h"
#include "couplings/couplings.h"
#include "spec/spec_data.h"

// Where a body's numbers are, by id.
typedef struct hf_body_place {
    const hf_body_ops *ops;
    const void *body; // its numbers; of a link: those of its tree
    int mover;        // what it accelerates with; -1: forces do not move it
    hf_body_type type;
    int q, v; // in the state vector's q and v
    int nq, nv;
    int index; // among its kind; of a link: its tree
    int link;  // of a link: its index in the tree; else -1
    int pose;  // -1: none
    int dim;   // of masses and driven bodies
    int axes[3];
    hf_joint_type joint;
    hf_body_info info;
    int first_channel, channel_count;
} hf_body_place;

// Whether a coordinate of a body is an angle (compile_bodies.c).
bool hf_place_turns(const hf_body_place *body, int axis);

// A force: a law on a coupling. What evaluations look at comes first, in one line of cache.
typedef struct hf_force_place {
    const hf_law_info *info; // NULL: prescribed force
    const void *def;
    const hf_coupling_ops *ops;
    const void *item; // the compiled coupling; NULL: it has no rows
    int dim;
    int row; // first entry in gap, rate and force
    int y;
    int normal_force; // index of the force whose size is the normal force; -1: normal
    int load;         // in loads; -1: no reaction loads it
    hf_input normal;
    hf_input enable; // > 0: it acts
    bool gated;      // by `enable`
    const char *name;
    hf_law_type law;
    hf_law_exact exact; // of the law
    int coupling_index; // among couplings of its type, in the order of forces
    int swarm;          // in swarms; -1: none
    hf_coupling_def coupling_def;
    int y_count;
    int memory, memory_count;   // of sampled laws
    int switches, switch_count; // of laws whose switches can be located
    int values;                 // first of its inputs: dim of a prescribed force; -1: none
    int value_count;
    int depth; // 1 + depth of normal_force
    int id;    // index in the spec
    int first_channel, channel_count;
    const char *file; // where it was written; NULL: nowhere
    int line, column;
    // Rigid contacts: what the definition asked for, where it acts, depth at t = 0 [m].
    const hf_rigid_contact_def *wished;
    const hf_rigid_contact_def *flat; // of points of flat shapes: other times (choose.c)
    const hf_contact_site *site;
    double start_depth;
} hf_force_place;

// Whether its work is put in: prescribed forces and controllers.
static inline bool hf_force_is_active(const hf_force_place *force)
{
    return force->info == NULL || force->info->active;
}

// A friction that a reaction loads (sim/loads.c).
typedef struct hf_load_place {
    hf_load_type type;
    int force;      // index in forces
    int loop;       // in loops
    int tree, link; // of a joint; link: of a ratio the term that the friction acts on, -1: none
    double factor;  // of that coordinate in the friction's own coupling
    bool is_signed; // the sign counts: losses of a gear
    bool stepwise;  // its law is computed once a step
    hf_vec3 axis;   // of the joint, in its link's frame
    bool slides;    // prismatic
    int v, pose;    // of the joint and its link
    hf_servo_load servo;
} hf_load_place;

// One end of a loop: its mover, -1: forces do not move it.
typedef struct hf_loop_end {
    int mover, place; // place: in cluster_movers, -1: none
    int body, driver; // driven: its body; where it is in cluster_drivers; -1: it is not
    int pose, link;   // link: in its tree, or -1
} hf_loop_end;

// A summand of a ratio, where the state has it.
typedef struct hf_loop_sum_term {
    int mover, place;         // as of hf_loop_end
    int body, driver;         // the same
    int q, v, column;         // of a coordinate, column: of v in its cluster; -1 of a spin
    double p[HF_LOOP_POWERS]; // P(x) = p[0] x + p[1] x^2 + ..., x = q - reference
    double reference;         // [rad or m]
    int pose;                 // of a spin, about
    hf_vec3 axis;             // this axis in its body's frame
    hf_coordinate coordinate; // as it was declared
} hf_loop_sum_term;

typedef struct hf_loop_place {
    const char *name;
    int id; // index in the spec
    hf_frame on_frame, to_frame;
    hf_loop_joint joint;
    hf_loop_end on, to;
    // HF_LOOP_RATIO: sum of the terms = value.
    const hf_loop_sum_term *terms;
    int term_count;
    double value;
    bool turns; // all of it are angles
    bool rates; // with a spin: the rates are held alone
    int cluster;
    int row, rows;                   // among all loops' rows
    unsigned redundant;              // at the start: bit k, row k follows from rows before it
    double start_error, start_angle; // [m], [rad]
    int first_channel, channel_count;
} hf_loop_place;

// A mover in a cluster: its numbers in the state, and its columns in the cluster's matrices.
typedef struct hf_cluster_mover {
    int mover; // in model->movers
    int q, nq, v, nv, column;
} hf_cluster_mover;

// A driven body that loops hold something to: its columns come behind those of all movers.
typedef struct hf_cluster_driver {
    int body; // in model->bodies
    int q, nq, v, nv, column;
} hf_cluster_driver;

// Movers that loops join: they answer to forces as one. Driven bodies take part in its rows, and do
// not answer.
typedef struct hf_cluster {
    int first_loop, loop_count;     // in loops
    int first_mover, mover_count;   // in cluster_movers
    int row, rows;                  // of its loops
    int columns, coordinates;       // velocities and coordinates of its movers and driven bodies
    int free_columns;               // those of its movers: the first
    int first_driver, driver_count; // in cluster_drivers
} hf_cluster;

// Forces that depend on all other forces (info->needs_applied) and that share movers: solved
// together, once a step.
typedef struct hf_island {
    int first_force, force_count; // in step_forces
    int first_mover, mover_count; // in island_movers
    int rows;                     // of all its forces together
} hf_island;

typedef struct hf_islands {
    const hf_island *islands;
    const int *forces;  // indices in forces, island by island
    const int *movers;  // the same of movers
    int count, largest; // rows of the largest
} hf_islands;

typedef struct hf_swarm_member {
    int pose;
    bool centered;  // at the body's origin
    hf_vec3 center; // of the sphere, body frame [m]
    double radius;
    double inverse_mass;
} hf_swarm_member;

// Spheres of which any two may touch (swarm.h). Or points of contact between shapes, which the
// collider finds: these have no members.
typedef struct hf_swarm {
    int force;                    // index in forces
    bool shapes;                  // points between shapes
    const double *inverse_masses; // by pose, of shapes; 0: it does not yield
    const hf_swarm_member *members;
    int count, capacity;
    int dim;                  // rows of a pair: 3, or 6 with the spins
    int cell_count;           // of the hash table: a power of two
    bool scaled;              // the law's numbers are those of 1 kg
    double gyration;          // least moment of inertia by mass [m^2]
    double smallest, largest; // radii [m]
} hf_swarm;

// Whether contacts between shapes are forces of their law under a method, with states
// (hf_method_info).
bool hf_method_forces_shapes(hf_method_type type);

// Not more than a body's smallest moment of inertia, and that itself for a sphere: by Gershgorin's
// circles.
double hf_least_inertia(const hf_body_info *body);

// A sampled law.
typedef struct hf_clock {
    int force; // index in forces
    double period;
} hf_clock;

// Neighbouring forces that one loop evaluates.
typedef struct hf_force_group {
    int first, count;
    bool batch; // scalar springs, or stiction elements with constant levels: structure of arrays
    bool prescribed;
    bool stepwise; // evaluated once a step, after the others
    bool contacts; // rigid contacts
} hf_force_group;

// Where a signal of channels finds one of them.
typedef enum hf_source_kind {
    HF_SOURCE_Q,    // in the state: coordinates,
    HF_SOURCE_V,    // velocities,
    HF_SOURCE_Y,    // inner states of laws
    HF_SOURCE_GAP,  // by row
    HF_SOURCE_RATE, // by row
    HF_SOURCE_SIGNAL
} hf_source_kind;

typedef struct hf_signal_source {
    hf_source_kind kind;
    int index;
    int rate; // HF_SOURCE_Q: the velocity that is its rate; -1: none
} hf_signal_source;

typedef struct hf_model_signal {
    hf_signal_def def;
    const hf_signal_source *sources; // of a signal of channels, def.channel_count
    bool rated;                      // its rate is asked for
    bool moves;                      // it is the position of a driven body
    bool timed;                      // of channels that are all signals of the time
    hf_signal_context *shared;
    int slot; // its place among all signals in the order of names
    int first_channel;
} hf_model_signal;

typedef enum hf_quantity {
    HF_QUANTITY_POSITION,
    HF_QUANTITY_VELOCITY,
    HF_QUANTITY_ORIENTATION,
    HF_QUANTITY_ANGULAR_VELOCITY,
    HF_QUANTITY_FORCE,
    HF_QUANTITY_GAP,
    HF_QUANTITY_RATE,
    HF_QUANTITY_MODE,
    HF_QUANTITY_NORMAL,
    HF_QUANTITY_STATE,
    HF_QUANTITY_DISSIPATED,
    HF_QUANTITY_STORED,
    HF_QUANTITY_VALUE,
    HF_QUANTITY_ENERGY,
    HF_QUANTITY_SOLVER,
    HF_QUANTITY_SHOWN, // what a law shows besides its force: axis is the channel of its table
    HF_QUANTITY_INPUT,
    HF_QUANTITY_POWER, // what a force puts into bodies
    HF_QUANTITY_LOOP_ERROR,
    HF_QUANTITY_LOOP_ANGLE_ERROR,
    HF_QUANTITY_LOOP_FORCE,
    HF_QUANTITY_LOOP_TORQUE,
    HF_QUANTITY_ASKED // what a recording asked for: the component is its place in `asked`
} hf_quantity;

typedef enum hf_asked_kind {
    HF_ASKED_POSE,
    HF_ASKED_ACCELERATION,
    HF_ASKED_TURNING,
    HF_ASKED_FORCE,
    HF_ASKED_TORQUE,
    HF_ASKED_REACTION,
    HF_ASKED_MOMENT,
    HF_ASKED_COUNT
} hf_asked_kind;

// Channels that are there because a recording names them (channels_asked.c).
typedef struct hf_asked {
    hf_asked_kind kind;
    const char *name; // without an axis
    int body, other;  // ids; other 0: all
    int first_channel, channel_count;
} hf_asked;

typedef struct hf_channel_place {
    hf_quantity quantity;
    int component; // body id - 1, or index of a force, loop or signal
    int axis;
} hf_channel_place;

struct hf_model {
    hf_arena arena;
    hf_names names; // as in the spec: kinds and spec indices
    const char *name, *text;
    hf_parameter_def *parameters;
    int parameter_count;
    hf_spec *spec;           // a copy of what it was compiled from, for parameters
    unsigned long long hash; // of everything that a saved state must agree with
    hf_vec3 gravity;
    hf_method_def method;
    double duration;

    int nq, nv, ny, nw, n; // n = nq + nv + ny + nw

    const hf_body_set *sets; // the kinds of bodies that the machine has
    const hf_mover *movers;  // set by set
    int set_count, mover_count;
    const hf_tree_body *trees;
    int tree_count;
    // Coordinates whose motion is given, body by body; by velocity, which of them it is (-1: none);
    // the bodies that have them, by id - 1.
    const hf_drive *drives;
    const int *drive_at, *driven_bodies;
    int drive_count, driven_body_count;
    int pose_count;    // pose 0 is the world
    bool gathers;      // wrenches act on masses and driven bodies
    bool always_posed; // some bodies have poses whether or not a coupling looks at them
    size_t tree_work, tree_places;
    const double *initial; // q and v at t = 0
    const double *written; // [nv] v as it was written, before loops; NULL: there are none

    const hf_body_place *bodies; // by id - 1
    const char **body_names;
    const int *tree_order; // spec index of a tree -> index in trees
    int body_count;
    bool surfaces_told;  // some shapes or pairs have friction or restitution of their own
    bool surfaces_turn;  // friction of spin or rolling
    bool surfaces_grain; // friction that depends on direction
    bool surfaces_slip;  // friction that gives way: slip of hf_shape_def

    const hf_force_place *forces; // in evaluation order
    const int *force_order;       // spec index -> index in forces
    const hf_force_group *groups;
    int force_count, group_count, row_count;
    hf_couplings couplings;
    bool has_sums;             // some rows are sums of coordinates other than differences
    const hf_body_site *sites; // by id - 1: bodies as couplings see them
    const hf_swarm *swarms;    // of spheres, by coupling_index; behind them those of shapes
    int swarm_count;
    const hf_input *values; // of prescribed forces and controllers
    int value_count;
    const hf_clock *clocks; // in the order of forces
    int clock_count, memory_count;
    int switch_count;            // switching functions of laws
    const hf_law_info *own_laws; // of the caller, by type
    const hf_load_place *loads;
    int load_count;
    bool loads_in_steps;       // some load is of a law that is computed once a step
    const int *signal_normals; // forces whose normal force is a signal
    int signal_normal_count;
    const hf_island *islands;
    const int *step_forces;           // indices in forces, island by island
    const int *island_movers;         // indices in movers, island by island
    int island_count, largest_island; // rows of the largest
    hf_islands exact; // the same, with the rigid contacts: for methods that solve these too
    // Of forces in batches (hf_law_info.batch), by row.
    const double *batch_numbers[HF_LAW_BATCH_NUMBERS];
    const int *rows;   // first row of each force; one more: the number of rows
    bool gates_stores; // laws that may store energy have an `enable`
    bool gates_stops;  // end stops have one
    // Contacts on planes and between two spheres that have one, as indices in forces.
    const int *gated_contacts;
    int gated_contact_count;

    const hf_loop_place *loops; // cluster by cluster, in the order of names
    const int *loop_order;      // spec index -> index in loops
    const hf_cluster *clusters;
    const hf_cluster_mover *cluster_movers;
    const int *mover_clusters; // by mover: its cluster, or -1
    const hf_cluster_driver *cluster_drivers;
    int cluster_driver_count;
    int loop_count, loop_row_count, loop_rank, cluster_count;
    int largest_cluster; // columns

    const hf_model_signal *signals;
    int signal_count;
    const int *passing; // signals that change by themselves: neither constants nor inputs
    int passing_count;
    bool heard;          // signals are made of signals
    const int *observed; // signals of channels, in the order in which they follow from each other
    int observed_count;
    // Jumps and kinks of all signals, rising, without repetition; those without kinks of tables.
    const double *jumps, *breaks;
    int jump_count, break_count;
    // Jumps without the points of logs: long tables, linear or smooth, whose values are forces and
    // not motions. An integrator with error control goes through these, in steps of `log_step` at
    // most [s]; 0: there is no log.
    const double *stops;
    int stop_count;
    double log_step;

    const hf_asked *asked;
    int asked_count;
    const hf_channel_place *channels;
    int channel_count;
    const int *records; // channel ids
    int record_count;
};

// Room for `count` items that are freed with `model`; returns from the caller when there is none.
// For compile functions, which have `model` and `error`.
#define HF_ALLOC(target, count)                                                                    \
    do {                                                                                           \
        (target) = hf_arena_alloc(&model->arena, (size_t)(count), sizeof *(target));               \
        if ((target) == NULL)                                                                      \
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");                          \
    } while (0)

// What a saved state must agree with (fingerprint.c).
unsigned long long hf_model_fingerprint(const hf_model *model);
// All tables of a model (compile.c). What depends on its initial state is still open: loops may not
// close there, and contacts have not chosen their numbers. hf_model_destroy.
hf_model *hf_compile_tables(const hf_spec *spec, hf_error *error);
// The unit of one of a body's velocities (channel_units.c).
const char *hf_body_rate_unit(const hf_body_place *place, int axis);
// Bodies and the initial state (compile_bodies.c).
hf_status hf_compile_bodies(hf_model *model, const hf_spec *spec, hf_error *error);
// Their shapes (compile_shapes.c).
hf_status hf_compile_shapes(hf_model *model, const hf_spec *spec, hf_body_place *places,
                            hf_error *error);
// Most near pairs of a force between shapes.
int hf_model_pairs(const hf_model *model, const hf_coupling_def *def);

// `floor.normal` where `floor` became several contacts: that of each, as hf_model_expand_channels
// has them (channel_families.c).
int hf_channels_of_family(const hf_model *model, const char *name, hf_channel *channels,
                          int capacity);
// The channels whose names fit a pattern, with or without their axis (channel_families.c).
int hf_channels_by_pattern(const hf_model *model, const char *pattern, hf_channel *channels,
                           int capacity);
// Channels are numbered by compile (channels.c).
hf_status hf_compile_channels(hf_model *model, const hf_spec *spec, hf_error *error);
// Signals that are functions of channels (compile_observed.c), after channels.
hf_status hf_compile_observed(hf_model *model, hf_error *error);
// Forces, couplings and groups (compile_forces.c).
hf_status hf_compile_forces(hf_model *model, const hf_spec *spec, hf_error *error);

// Loops and clusters (compile_loops.c), before forces.
hf_status hf_compile_loops(hf_model *model, const hf_spec *spec, hf_error *error);
// Ratios that are held exactly must not follow from each other, nor leave nothing to move
// (compile_ratios.c).
hf_status hf_check_ratios(hf_model *model, const hf_spec *spec, const hf_loop_place *loops,
                          hf_error *error);

// Frictions that reactions load (compile_loads.c), after forces and loops.
hf_status hf_compile_loads(hf_model *model, const hf_spec *spec, hf_error *error);

// Islands of stepwise forces (compile_islands.c).
hf_status hf_compile_islands(hf_model *model, hf_error *error);

// Terms of a row that is a coordinate, or the difference of two: 1 or 2; else 0. Room for
// HF_COUPLING_MAX_TERMS.
int hf_force_difference(const hf_force_place *force, int row, hf_coupling_term *terms);

// The movers that a force acts on, each once; room for HF_COUPLING_MAX_TERMS. How many.
int hf_force_movers(const hf_model *model, const hf_force_place *force, int *movers);

#endif
