// SPDX-License-Identifier: Apache-2.0
// hf_model: a compiled machine. Immutable: any number of threads and sims may share it.
#ifndef HOLDFAST_MODEL_H
#define HOLDFAST_MODEL_H

#include <holdfast/parameter.h>
#include <holdfast/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_model hf_model;

// Compiles a description: names become indices, everything is checked. Order of declaration has no
// influence on any result. NULL on error. The spec may be destroyed afterwards.
HF_API hf_model *hf_model_compile(const hf_spec *spec, hf_error *error);

// Frees the model once no sim uses it. NULL is allowed.
HF_API void hf_model_destroy(hf_model *model);

// The machine's name, and the text of the model file that it was read from ("" when built in C).
HF_API const char *hf_model_name(const hf_model *model);
HF_API const char *hf_model_text(const hf_model *model);
// Parameters in the order in which they were added, index from 0. Texts are "" where none is given.
HF_API int hf_model_parameter_count(const hf_model *model);
HF_API hf_parameter_def hf_model_parameter(const hf_model *model, int index);
HF_API hf_method_def hf_model_method(const hf_model *model);
HF_API double hf_model_duration(const hf_model *model); // [s]
HF_API hf_vec3 hf_model_gravity(const hf_model *model); // [m/s^2]

// Sizes of the compiled machine.
typedef struct hf_model_info {
    int bodies; // masses, rigid bodies, driven bodies and links
    int trees;
    int forces;
    int signals;
    int coordinates; // numbers in q
    int velocities;  // numbers in v
    int law_states;  // numbers in y
    int loops;
    int loop_rows; // of all loops
    int loop_rank; // how many of them are independent, at the start
    int freedoms;  // velocities that are not driven, minus loop_rank
} hf_model_info;
HF_API hf_model_info hf_model_get_info(const hf_model *model);

// Ids by name, as in spec.h.
HF_API hf_body hf_model_find_body(const hf_model *model, const char *name);
HF_API hf_tree hf_model_find_tree(const hf_model *model, const char *name);
HF_API hf_signal hf_model_find_signal(const hf_model *model, const char *name);
HF_API hf_force hf_model_find_force(const hf_model *model, const char *name);
HF_API hf_loop hf_model_find_loop(const hf_model *model, const char *name);
HF_API const char *hf_model_body_name(const hf_model *model, hf_body body);
HF_API const char *hf_model_force_name(const hf_model *model,
                                       hf_force force); // forces are 1..info.forces
// What a body is (spec.h).
HF_API hf_body_info hf_model_body_info(const hf_model *model, hf_body body);

// What a force is: a law on a coupling between two places.
typedef struct hf_force_info {
    const char *name;
    const char *law; // file name of the law; "force" for a prescribed one
    hf_law_type type;
    bool friction; // has regimes
    // The law's definition, in the model: read it by hf_force_info_spring, ... (use_law.h). NULL
    // for a prescribed force.
    union {
        const void *def; // of a law without a member
        HF_LAW_DEFS(HF_LAW_POINTER)
    };
    const hf_rigid_contact_def *wished; // of a rigid contact: as it was declared; else NULL
    hf_coupling_def coupling;
    int dim;
    const hf_law_info *info; // of the law; NULL for a prescribed force
} hf_force_info;
HF_API hf_force_info hf_model_force_info(const hf_model *model, hf_force force);

// What a loop is, and which of its rows say nothing new. Loops are 1..info.loops.
typedef struct hf_loop_info {
    const char *name;
    hf_loop_type type;
    hf_frame on_frame, to_frame;
    double length;           // HF_LOOP_DISTANCE [m]
    int rows, redundant;     // of these: follow from rows before them (loops in the order of names)
    unsigned redundant_rows; // which: bit k is row k
    double start_error, start_angle; // how well the start closes it [m], [rad]
} hf_loop_info;
HF_API hf_loop_info hf_model_loop_info(const hf_model *model, hf_loop loop);

// What became of a rigid contact's wanted values (rigid_contact_choice.h).
typedef struct hf_contact_report {
    hf_contact_site site;         // effective masses at t = 0, the model's step
    hf_rigid_contact_def wished;  // as it was declared
    hf_rigid_contact_def chosen;  // as it is simulated
    hf_contact_forecast forecast; // at the model's step
    hf_contact_verdict verdict;
    double start_depth; // how deep the bodies begin in each other [m]
} hf_contact_report;
// False for forces that are not rigid contacts. Not fast: it integrates impacts.
HF_API bool hf_model_contact(const hf_model *model, hf_force force, hf_contact_report *report);

// What a signal is. Signals are 1..info.signals, in the order of their declaration.
typedef struct hf_signal_info {
    const char *name;
    hf_signal_type type;
} hf_signal_info;
HF_API hf_signal_info hf_model_signal_info(const hf_model *model, hf_signal signal);

// Signals that hf_sim_set_input sets, in the order of their declaration: how many, and which.
HF_API int hf_model_input_count(const hf_model *model);
HF_API hf_signal hf_model_input(const hf_model *model, int index);

// Where a body's numbers are in hf_sim_positions and hf_sim_velocities: the first, and how many.
typedef struct hf_body_slots {
    int position, position_count;
    int velocity, velocity_count;
} hf_body_slots;
HF_API hf_body_slots hf_model_body_slots(const hf_model *model, hf_body body);

// A velocity at the start that is not the one written, because loops and ratios do not allow that.
typedef struct hf_start_change {
    hf_body body;
    int axis;              // of the body's velocities
    double written, found; // [m/s or rad/s]
    const char *unit;
} hf_start_change;
// Fills the first `room` of them, in the order of bodies; returns how many there are.
HF_API int hf_model_start_changes(const hf_model *model, hf_start_change *changes, int room);

// ------------------------------------------------------------------------------------------------
// Parameters (parameter.h)

// Calls `visit` for every parameter, in the order of declaration: gravity, bodies, signals, forces.
// It ends early when `visit` returns false.
HF_API void hf_model_parameters(const hf_model *model,
                                bool (*visit)(void *context, const hf_parameter *parameter),
                                void *context);
// The number of one. HF_ERROR_NAME: there is none of this name.
HF_API HF_NODISCARD hf_status hf_model_get_parameter(const hf_model *model, const char *name,
                                                     double *value, hf_error *error);

// A coordinate by name: "block" (1-D), "block.x", "arm.elbow". Body id zero when unknown.
HF_API hf_coordinate hf_model_find_coordinate(const hf_model *model, const char *name);

// ------------------------------------------------------------------------------------------------
// Channels: every number that can be recorded, by name.
//
//   BODY.position[.AXIS]  BODY.velocity[.AXIS]  BODY.orientation.{w,x,y,z}
//   BODY.angular_velocity.{x,y,z}
//   TREE.JOINT.position[.AXIS]  TREE.JOINT.velocity[.AXIS]
//   FORCE.force[.AXIS]    force on the `on` component, world axes for couplings in space
//   FORCE.gap[.AXIS]  FORCE.rate[.AXIS]  FORCE.mode  FORCE.normal
//   FORCE.state.N         inner state of the law (bristle deflections), N from 0
//   FORCE.reference  FORCE.error  FORCE.integral  FORCE.saturated  FORCE.input: of controllers
//   FORCE.dissipated      energy turned into heat so far [J]; FORCE.stored: held now [J]
//   LOOP.error            how far it is from closed [m]; LOOP.angle_error [rad]
//   LOOP.force.AXIS       force on the `on` component, world axes; LOOP.torque.AXIS
//   SIGNAL.value
//   energy.{kinetic,potential,stored,input,dissipated,total,residual}
//
// A name that stands for several numbers (`sphere.position`) may be recorded whole: it expands to
// its axes. One-dimensional quantities have no axis.

typedef struct hf_channel {
    int id;
} hf_channel;

// A channel by its full name; zero id when unknown.
HF_API hf_channel hf_model_find_channel(const hf_model *model, const char *name);
HF_API int hf_model_channel_count(const hf_model *model); // channels are ids 1..count
// Name and unit ("m/s", "" for none). The name is written to `name` (at most `size` bytes).
HF_API void hf_model_channel_name(const hf_model *model, hf_channel channel, char *name,
                                  size_t size);
HF_API const char *hf_model_channel_unit(const hf_model *model, hf_channel channel);

// Where a channel's number is besides hf_sim_values: in hf_sim_positions or hf_sim_velocities,
// where no evaluation is needed to read it, or in neither.
typedef enum hf_channel_home { HF_IN_VALUES, HF_IN_POSITIONS, HF_IN_VELOCITIES } hf_channel_home;
typedef struct hf_channel_slot {
    hf_channel_home home;
    int index;
} hf_channel_slot;
HF_API hf_channel_slot hf_model_channel_slot(const hf_model *model, hf_channel channel);

// Expands a name (a channel, a group such as `sphere.position`, or a pattern with * and ? such as
// `*.position`) into at most `capacity` channels. Returns how many there are, 0 when the name is
// unknown.
HF_API int hf_model_expand_channels(const hf_model *model, const char *name, hf_channel *channels,
                                    int capacity);
// The known name nearest to a wrong one, for messages; "" when nothing is near.
HF_API void hf_model_nearest_channel(const hf_model *model, const char *name, char *nearest,
                                     size_t size);

// The channels that a run records (from hf_spec_add_record, expanded; by default positions and
// velocities of everything, forces and modes of friction).
HF_API int hf_model_record_count(const hf_model *model);
HF_API hf_channel hf_model_record_channel(const hf_model *model, int index);

#ifdef __cplusplus
}
#endif
#endif
