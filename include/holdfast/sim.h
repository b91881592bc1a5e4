// SPDX-License-Identifier: Apache-2.0
// hf_sim: one run of a model. No step allocates, locks or prints; but see contact.h and nlp.h.
// The same inputs give the same bits. One thread at a time may use a sim; different sims, of the
// same model too, may run in different threads.
#ifndef HOLDFAST_SIM_H
#define HOLDFAST_SIM_H

#include <holdfast/fc3d.h>
#include <holdfast/model.h>
#include <holdfast/nlp_endings.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_sim hf_sim;

// Methods of another library: hf_adaptive_methods() of adaptive.h, hf_contact_methods() of
// contact.h.
typedef struct hf_method_table hf_method_table;
#define HF_METHOD_TABLES 4

// A friction that stopped, broke away or turned, or a stop that was hit (from and to open, or to
// held), as HF_METHOD_SWITCH located it.
typedef struct hf_event {
    double time; // [s]
    hf_force force;
    int from, to; // modes: -1 sliding back, 0 stuck, 1 sliding forth, 2 open
} hf_event;

// A controller of the program, called at its own rate: at t = 0, period, 2 period, ..., whatever
// the method and its step. Steps are cut there, and adaptive methods begin anew when an input has
// changed. Between calls inputs hold: a zero-order hold.
//
//   hf_status update(void *context, hf_sim *sim, hf_error *error)
//   {
//       double q = hf_sim_q(sim, elbow), v = hf_sim_v(sim, elbow);
//       hf_sim_set_input(sim, motor, 40.0 * (target - q) - 2.0 * v);
//       return HF_OK;
//   }
//
// `update` runs within hf_sim_step. It may read the sim (time, state, channels, energy, dynamics of
// trees) and set inputs; it must not step, save, restore, reset or destroy it. A negative status
// ends hf_sim_step with it, and with what it wrote to *error (never NULL). A call that is due when
// a step begins comes first in that step, so that the caller sees the state before it; several due
// at once come in the order of the list, then sampled controllers of the model take their samples.
// The number of calls is saved with the sim; what `context` holds is the caller's to save.
typedef struct hf_controller_def {
    double period; // >= HF_LEAST_PERIOD [s]
    hf_status (*update)(void *context, hf_sim *sim, hf_error *error);
    void *context;
} hf_controller_def;

typedef struct hf_sim_def {
    hf_method_def method; // from the model by default
    // malloc and free by default. Called by hf_sim_create and hf_sim_destroy; by steps of
    // HF_METHOD_TIMESTEP that have more contacts than any before (contact.h); by HF_METHOD_NLP.
    hf_allocator allocator;
    // Methods that are linked are found without this. Tables given here come first, in any order:
    // for methods that a program loads as it runs. NULL by default.
    const hf_method_table *methods[HF_METHOD_TABLES];
    // Called within hf_sim_step for every event; must not touch the sim. NULL by default.
    void (*on_event)(void *context, const hf_event *event);
    void *event_context;
    // Controllers of the program; the list is copied. None by default.
    const hf_controller_def *controllers;
    int controller_count;
    // Asked again and again by steps that may take minutes (HF_METHOD_NLP, within IPOPT); true ends
    // hf_sim_step with HF_ERROR_STOPPED, at the state before the step. NULL by default.
    bool (*stop_wanted)(void *context);
    void *stop_context;
    // Memory taken at creation for what steps ask for later: contacts of HF_METHOD_TIMESTEP that no
    // step had before. While it suffices no step calls the allocator: hf_sim_stats tells how much
    // of it was used, and what did not fit [bytes]. 0 by default.
    size_t room;
} hf_sim_def;

// The model's method, malloc and free, nothing else.
HF_API hf_sim_def hf_sim_def_default(const hf_model *model);

// Starts a run at t = 0. `def` NULL: hf_sim_def_default(model). The model must outlive the sim.
// NULL on error: a method that does not admit one of the laws says so here, never during a step.
HF_API hf_sim *hf_sim_create(const hf_model *model, const hf_sim_def *def, hf_error *error);
HF_API void hf_sim_destroy(hf_sim *sim);
// Back to t = 0 and the initial state.
HF_API void hf_sim_reset(hf_sim *sim);

// The model that the sim was created from, and its method with all numbers filled in.
HF_API const hf_model *hf_sim_model(const hf_sim *sim);
HF_API hf_method_def hf_sim_method(const hf_sim *sim);

// Advances by one step. HF_ERROR_NOT_FINITE: the state left the finite numbers; the error names
// time and component, and the sim keeps the last finite state.
HF_API HF_NODISCARD hf_status hf_sim_step(hf_sim *sim, hf_error *error);

// Advances until `until` [s], in steps of the method; the last one is cut there, as a jump of an
// input would cut it, and the next hf_sim_step makes the rest of it. Steps end at k * step, as that
// is computed; a time within four roundings of such an end is that end. Otherwise hf_sim_time is
// exactly `until` afterwards. Nothing happens when `until` is not ahead. HF_ERROR_RANGE: not
// finite.
//
// `stop_at_event`: HF_EVENT as soon as something stopped, broke away, struck or opened. At that
// very time where the method locates events (HF_METHOD_SWITCH: as hf_sim_def.on_event tells them),
// else at the end of the step in which the regime of a force is seen to have changed. Allocates
// nothing that hf_sim_step does not.
HF_API HF_NODISCARD hf_status hf_sim_advance(hf_sim *sim, double until, bool stop_at_event,
                                             hf_error *error);

HF_API double hf_sim_time(const hf_sim *sim); // [s]

// Sets an input signal from now on.
HF_API void hf_sim_set_input(hf_sim *sim, hf_signal input, double value);
// What a signal is now, as forces see it; at a jump, behind it.
HF_API double hf_sim_signal(const hf_sim *sim, hf_signal signal);

// State. Coordinates are as hf_coordinate says; arrays are what body types own (spec.h):
// positions: mass dim; rigid 7 (position, quaternion w x y z); link: its joint's coordinates.
// velocities: mass dim; rigid 6 (velocity, angular velocity); link: its joint's velocities.
HF_API double hf_sim_q(const hf_sim *sim, hf_coordinate coordinate);
HF_API double hf_sim_v(const hf_sim *sim, hf_coordinate coordinate);
HF_API const double *hf_sim_position(const hf_sim *sim, hf_body body);
HF_API const double *hf_sim_velocity(const hf_sim *sim, hf_body body);
// Overwrites the state of a body (not driven). Quaternions are normalized. Refuses numbers that are
// not finite. Loops are closed again when the next step begins, with the least motion (in the mass
// metric) of all bodies; a step from a state that cannot be closed is an error.
HF_API HF_NODISCARD hf_status hf_sim_set_position(hf_sim *sim, hf_body body, const double *position,
                                                  hf_error *error);
HF_API HF_NODISCARD hf_status hf_sim_set_velocity(hf_sim *sim, hf_body body, const double *velocity,
                                                  hf_error *error);

// The whole state, as arrays that live as long as the sim and that every step changes: q
// (hf_model_info.coordinates numbers), v (velocities) and the inner states of laws (law_states).
// hf_model_body_slots says which are a body's, hf_model_channel_slot which is a channel's.
HF_API const double *hf_sim_positions(const hf_sim *sim);
HF_API const double *hf_sim_velocities(const hf_sim *sim);
HF_API const double *hf_sim_law_states(const hf_sim *sim);
// All channels now, hf_model_channel_count of them: the channel of id k is number k - 1. The same
// array at every call, filled anew; evaluates the forces if a step or a change came in between.
HF_API const double *hf_sim_values(hf_sim *sim);

// The number in a channel now. Forces are those at the present state and time.
HF_API double hf_sim_value(hf_sim *sim, hf_channel channel);

// Where a point of a body is now, in the world [m].
HF_API hf_vec3 hf_sim_point(hf_sim *sim, hf_frame frame);
// How a body stands now: where its origin is [m], and its frame's turn against the world's.
HF_API void hf_sim_pose(hf_sim *sim, hf_body body, hf_vec3 *position, hf_quat *orientation);

// A force in the world now.
typedef struct hf_force_view {
    hf_vec3 on_point, to_point; // where it acts; on the world's origin for the world [m]
    hf_vec3 force;              // on `on`, world axes; zero for torques, joints and pairs [N]
    double size;                // of all its rows [N or Nm]
    double gap;                 // first row [m or rad]
    hf_regime regime;
} hf_force_view;
HF_API hf_force_view hf_sim_force_view(hf_sim *sim, hf_force force);

// A point at which two bodies met in the last step of a method that solves all contacts of a step
// at once (HF_METHOD_TIMESTEP, HF_METHOD_NLP).
typedef struct hf_contact_view {
    hf_force force;   // whose contact it is
    hf_body on, to;   // id 0: the world
    hf_vec3 point;    // in the world [m]
    hf_vec3 normal;   // unit, from `to` to `on`
    hf_vec3 push;     // force on `on`, mean over the step, world axes [N]
    double gap;       // at the beginning of the step [m]
    hf_regime regime; // HF_REGIME_OPEN: it pushes nothing
} hf_contact_view;
// Writes the first `room` of them and returns how many there are. Contacts of a force stand
// together, those of a pair of bodies too; the same contact keeps its place among those that last.
// None before the first step, after hf_sim_restore until the next one, and by other methods.
HF_API int hf_sim_contacts(hf_sim *sim, hf_contact_view *views, int room);

// ------------------------------------------------------------------------------------------------
// Save and restore: everything that the future depends on. A restored run has the same bits as one
// that was never interrupted, in another process too, and a save changes nothing of the run that
// goes on. Restoring adaptive methods repeats their internal steps since the integrator last began,
// 4000 at most.

// Bytes that a saved state takes; the same for the whole life of a sim.
HF_API size_t hf_sim_save_size(const hf_sim *sim);
// Writes hf_sim_save_size bytes.
HF_API void hf_sim_save(const hf_sim *sim, void *memory);
// HF_ERROR_STATE when the bytes are damaged (a checksum), or not of this method and step, or not of
// this machine: its parts, their layout and their numbers (masses, inertias, places, laws, gravity;
// not the expressions of signals). Also when an adaptive method's steps cannot be repeated to the
// bit, as on another kind of machine; the sim then has the saved state, and begins anew from it.
HF_API HF_NODISCARD hf_status hf_sim_restore(hf_sim *sim, const void *memory, size_t size,
                                             hf_error *error);

// ------------------------------------------------------------------------------------------------
// What every run says

typedef struct hf_energy {
    double kinetic;    // [J]
    double potential;  // of gravity [J]
    double stored;     // in springs and bristles [J]
    double input;      // put in by forces, signals and driven bodies since t = 0 [J]
    double dissipated; // turned into heat since t = 0 [J]
    double start;      // kinetic + potential + stored at t = 0 [J]
    double residual;   // kinetic + potential + stored - start - input + dissipated [J]
    double turnover; // the scale for the residual: all work so far by its size, to and fro, kinetic
                     // and stored energy, and the change of the potential [J]
} hf_energy;
// The ledger up to now.
HF_API hf_energy hf_sim_energy(hf_sim *sim);

typedef struct hf_sim_stats {
    long long steps;
    long long evaluations;        // of the right-hand side
    double largest_penetration;   // of any contact [m]
    double largest_opening;       // of any loop, at recorded states [m]
    double largest_opening_angle; // [rad]
    // Adaptive methods; zero for the others.
    long long observations;   // further evaluations, to see forces at recorded times and events
    long long internal_steps; // accepted steps of the integrator
    long long error_failures; // steps that failed the error test and were repeated
    long long solve_failures; // steps whose corrector did not converge
    long long restarts;       // starts of the integrator: at t = 0, jumps, events, interventions
    long long events;         // changes of mode located by HF_METHOD_SWITCH, as on_event tells them
    long long chatter_events; // of these, taken as lasting stick by the rule for accumulations
    // Methods that solve all contacts of a step at once; zero for the others.
    int contacts;                // in the last step, each with its frictions
    int iterations;              // of the solver in the last step
    double residual;             // of the last step, HF_FC3D_SCALED; 0 without contacts
    int most_contacts;           // in any step
    int most_iterations;         // in any step
    long long solver_iterations; // in all steps
    double worst_residual;       // of any step
    long long unsolved_steps;    // that ended above the tolerance
    long long unmet_steps; // whose implicit forces are not what their laws say at the end, by 1e-3
    double worst_unmet;    // of any step: by how much, as a share of the force
    double unsettled_turn; // largest turn of a joint in a step whose velocity products were not
                           // found [rad]; 0: none
    int most_turns;        // solutions in any step whose bounds the reactions themselves load
    long long free_steps;  // without contacts
    long long warm_steps;  // that the reactions of the step before solved
    long long solved_by[HF_FC3D_METHOD_COUNT]; // the other steps, by the solver's method
    double largest_correction;                 // of a position, to take back penetration [m]
    long long room_used;                       // of hf_sim_def.room, at most so far [bytes]
    long long room_missed;     // pieces of memory that steps took from the allocator nevertheless
    long long lowered_impacts; // with less restitution than asked for, which would have made energy
    long long cut_steps;       // taken in pieces, because bodies would have gone through each other
    long long passages; // pieces of steps in which they did nevertheless, as far as can be seen
    // HF_METHOD_NLP; zero for the others.
    long long nlp_programs; // nonlinear programs: one or more in a step with contacts
    long long nlp_solved;   // of these, to the tolerance
    long long nlp_starts;   // of IPOPT on them
    long long nlp_left;     // of the solved, left to the friction-contact solver: IPOPT was started
                            // at its solution and ended farther away
    long long nlp_endings[HF_NLP_ENDING_COUNT]; // how these ended, by hf_nlp_ending
} hf_sim_stats;
// Counts and extremes since t = 0.
HF_API hf_sim_stats hf_sim_get_stats(const hf_sim *sim);
// In how many pieces the steps were made since the sim was created: samples of controllers and
// jumps of signals cut them, so that a method's real steps may be shorter than its step.
HF_API long long hf_sim_pieces(const hf_sim *sim);

typedef struct hf_force_stats {
    bool friction; // has regimes
    double stick_seconds;
    double slip_seconds; // of a controller: at one of its limits
    double open_seconds;
    long long transitions; // changes of regime
    double dissipated;     // [J]
    double input;          // [J]
    double largest_force;  // [N or Nm], at step ends; of many pairs: of one contact [N]
    int pairs;             // of bodies near each other, at the beginning of the last step
    int touching;          // of these: pressed together
} hf_force_stats;
// Of one force since t = 0.
HF_API hf_force_stats hf_sim_force_stats(const hf_sim *sim, hf_force force);

// Largest step that is stable for a force alone at the present state, from its effective mass
// [s]; INFINITY when there is no limit, 0 when the method is unstable at any step.
typedef struct hf_stability {
    double largest_step;   // [s]
    double effective_mass; // [kg or kg m^2]
    double stiffness;      // [N/m or Nm/rad]
    double damping;        // [Ns/m or Nms/rad]
} hf_stability;
HF_API hf_stability hf_sim_stability(hf_sim *sim, hf_force force);

// How far the run can be trusted up to now. Doubtful: the energy ledger is off by more than 2 % of
// what was turned over; the step is larger than the largest stable one of a force; contacts of a
// step were left unsolved (a residual above 1e-2, or without a budget of iterations more than one
// step in a thousand above the tolerance); implicit forces of a step are not what their laws say
// (by more than 1e-2, or by 1e-3 in more than one step in a thousand); nonlinear programs were not
// solved; bodies went deep into each other, or moved by more than their size in a step of a method
// that does not look ahead; the heat of a law fell by more than 2 % of what was turned over; the
// force of a law with a bounded inner state was more than 10 % beyond what it can give.
// Trustworthy: none of these.
enum { HF_VERDICT_TEXT = 400 };
typedef struct hf_verdict {
    bool trustworthy;
    int reasons;   // for doubt
    double ledger; // residual of the energy ledger over what was turned over [-]
    // The least stable step of the forces whose step is too large; INFINITY: none [s]
    double largest_step;
    char why[HF_VERDICT_TEXT]; // the reasons, joined by "; "; empty when trustworthy
    // What a budget of iterations left unsolved, at most 1e-2: the accuracy within which the run
    // can be trusted; empty: all contacts were solved to the tolerance, or there is no budget
    char within[HF_VERDICT_TEXT];
    bool compared; // with a run of another step: false of a sim, which knows its own step alone
} hf_verdict;
// Does not allocate. Takes as long as an evaluation for each force, for 2,000 of them at most.
HF_API hf_verdict hf_sim_verdict(hf_sim *sim);

// ------------------------------------------------------------------------------------------------
// The right-hand side and its linearization, at the present time and inputs
//
//   z' = f(z, u),   z = [q | v | y],   u: inputs in the order of hf_model_input
//
// with the look-ahead tau that the method gives to its first stage. Driven coordinates are as their
// signals say, whatever z has there. Forces that methods find over whole steps are no functions of
// the state: laws coulomb and stop, and rigid contacts of methods that solve these. A machine with
// such forces is refused (HF_ERROR_UNSUPPORTED, which names one), unless `smooth` asks for the rest
// of the machine without them. The sim's state stays as it is; nothing is allocated.

// Numbers in z.
HF_API int hf_sim_state_size(const hf_sim *sim);
// rate := f. `state` NULL: the present one.
HF_API HF_NODISCARD hf_status hf_sim_rate(hf_sim *sim, const double *state, bool smooth,
                                          double *rate, hf_error *error);
// A = df/dz (n x n) and B = df/du (n x inputs), row by row; either may be NULL. `state` as above.
//
// Rows of q are exact: q' is linear in v, and bilinear in quaternions and v. Laws do not tell their
// derivatives: all other rows are central differences over +- h, h = 6e-6 max(1, |z|) for q, v and
// inputs, 6e-6 max(1e-3, |y|) for inner states; their error is h^2/6 of the third derivative and
// some 1e-11 of f by rounding. Across a kink (a stiction element at its level) they give a mean of
// both sides. Quaternions count as four plain numbers.
HF_API HF_NODISCARD hf_status hf_sim_linearize(hf_sim *sim, const double *state, bool smooth,
                                               double *a, double *b, hf_error *error);

// ------------------------------------------------------------------------------------------------
// Parameters of a live sim: parameter.h has their names.
//
// The machine becomes what it would have been had its description had this number, and is checked
// as it was then: the error is the same. State, time, inputs and statistics stay; what the change
// does to the stored energy moves the ledger's start. Adaptive methods begin anew. Sims that share
// the model are not touched: the sim has its own from then on, which hf_sim_model tells. Ids stay.
// Compiles and allocates (by malloc): not for a loop in real time. After an error the sim is as
// before.
HF_API HF_NODISCARD hf_status hf_sim_set_parameter(hf_sim *sim, const char *name, double value,
                                                   hf_error *error);
// Several at once, compiled once.
HF_API HF_NODISCARD hf_status hf_sim_set_parameters(hf_sim *sim, const char *const *names,
                                                    const double *values, int count,
                                                    hf_error *error);
// The same with the numbers of another model of the same machine, and parameters changed in it: a
// file that was read again with another value of its own `parameters:`. The model is not kept.
// HF_ERROR_UNSUPPORTED: it has other bodies, forces or signals.
HF_API HF_NODISCARD hf_status hf_sim_set_model(hf_sim *sim, const hf_model *model,
                                               const char *const *names, const double *values,
                                               int count, hf_error *error);

// ------------------------------------------------------------------------------------------------
// Dynamics of a tree at given coordinates (q, v of the tree; NULL: the present ones).
// Sizes: nq and nv from hf_sim_tree_size. Forces of laws and loops are not included; gravity is.

typedef struct hf_tree_size {
    int links, coordinates, velocities;
} hf_tree_size;
// Sizes of the arrays below.
HF_API hf_tree_size hf_sim_tree_size(const hf_sim *sim, hf_tree tree);

// v' from generalized forces u.
HF_API void hf_sim_forward_dynamics(hf_sim *sim, hf_tree tree, const double *q, const double *v,
                                    const double *u, double *dv);
// Generalized forces u that give v'.
HF_API void hf_sim_inverse_dynamics(hf_sim *sim, hf_tree tree, const double *q, const double *v,
                                    const double *dv, double *u);
// Mass matrix, velocities x velocities, row by row.
HF_API void hf_sim_mass_matrix(hf_sim *sim, hf_tree tree, const double *q, double *matrix);
// Jacobian of a point of a link: 6 x velocities row by row; angular (3), then linear (3), world
// axes.
HF_API void hf_sim_point_jacobian(hf_sim *sim, hf_tree tree, const double *q, hf_body link,
                                  hf_vec3 point, double *jacobian);

#ifdef __cplusplus
}
#endif
#endif
