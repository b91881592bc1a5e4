// SPDX-License-Identifier: Apache-2.0
// What hf_sim holds, and the evaluation of the right-hand side that methods call.
#ifndef HF_SIM_SIM_DATA_H
#define HF_SIM_SIM_DATA_H

#include <holdfast/sim.h>

#include <float.h>
#include <math.h>

#include "base/pool.h"
#include "compile/model_data.h"
#include "sim/pushes.h"

struct hf_swarm_state;
struct hf_loops_state;
struct hf_sensitivity;

// Modes of a force, as recorded: sliding back, stuck, sliding forth, open.
#define HF_MODE_OPEN 2.0

// A stretch of the state vector.
typedef struct hf_span {
    int first, end;
} hf_span;

// Everything that the future depends on, with the arrays behind it in one stretch of memory.
typedef struct hf_sim_core {
    unsigned long long hash; // of the model
    hf_method_def method;
    long long step_index; // steps begun
    double time;          // step_index * step, or a jump inside a step [s]
    double uncarried;     // since tangent directions of contacts were carried along [s]
    hf_sim_stats stats;
    double start_energy;    // kinetic + potential + stored at t = 0 [J]
    double start_potential; // [J]
    double driven_work;     // that driven bodies put in or took out, by its size [J]
    double depth_now;       // deepest contact at the last note, and when that was [m], [s]
    double depth_time;
    double pace; // of adaptive methods: the largest speed so far (hf_integrator_scale) [m/s]
    double sunk; // depth of the deepest over the time that something was closed [m s]
    double sunk_seconds; // that time [s]
    double start_depth;  // of bodies that began in each other and were pushed apart; 0: none [m]
    int start_limit;     // 1 + the force of a limit that was passed by that much instead; 0: none
    double lag_step;     // largest step at which nothing is jolted at the start (discrete.c) [s]
    int lag_force;       // by what, and 1; 0: nothing is
    bool accepted;       // discrete memories have seen the present state
    bool running;        // a plugged-in method's own memory belongs to the present state
    bool opened;         // the caller moved bodies: loops are to be closed
    bool touched;        // the caller changed something since time went on
    bool sampled;        // a sample was taken since the plugged-in method last looked
} hf_sim_core;

// Samples at 0, period, 2 period, ... [s]
typedef struct hf_sampler {
    double period;
    long long count; // samples taken
    double time;     // of the last one; -1: none
} hf_sampler;

// Methods that another library plugs in. They own sim->work.
struct hf_method_table {
    bool (*serves)(hf_method_type type);
    // Sets sim->work. The method admits the machine (hf_method_admit).
    hf_status (*create)(hf_sim *sim, hf_error *error);
    void (*destroy)(hf_sim *sim);
    // From core->time to `end`, committing as often as it needs; the last commit is at `end`.
    hf_status (*advance)(hf_sim *sim, double end, hf_error *error);
    // Stepwise forces first..end - 1 within an evaluation: forces, modes and power. Rigid contacts
    // too, when create set sim->exact_contacts; their states then stay as they are.
    void (*forces)(hf_sim *sim, int first, int end, double *dw);
    // Makes k, forces and modes those of the present state.
    void (*refresh)(hf_sim *sim);
    // Loops: fills sim->loops->holds with what sticks (loops.h). NULL: nothing.
    void (*hold)(hf_sim *sim);
    bool refresh_is_step; // that is the step's own first evaluation, not an observation
    int (*contacts)(hf_sim *sim, hf_contact_view *views, int room); // hf_sim_contacts; NULL: none
    // What points of contact did to a body over the last step, about its origin; of one other body
    // or, 0, of all. There where `contacts` is.
    hf_wrench (*contact_wrench)(const hf_sim *sim, int body, int other);
    // hf_sim_pushes of contacts that it keeps itself, as forces of the state. NULL: none.
    void (*pushes)(const hf_sim *sim, hf_push_taker *take, void *context);
    // Whether it takes a force, by its index, implicitly, without a largest step. NULL: none.
    bool (*implicit)(const hf_sim *sim, int force);
    // Derivatives (methods/sensitivity.h) are integrated along with the state: sets up what that
    // takes. NULL: its steps are differentiated as they are.
    hf_status (*vary)(struct hf_sensitivity *sensitivity, hf_error *error);
    void (*vary_end)(struct hf_sensitivity *sensitivity);
    // Puts a sim beside the present one to its state there, for channels.
    void (*vary_show)(struct hf_sensitivity *sensitivity, int term, int side);
    // Before the follower, a sim just beside the leader, takes the step that the leader has taken:
    // it is to go the same way in it. NULL: it goes its own.
    void (*lead)(const hf_sim *leader, hf_sim *follower);
    // Steps of a follower in which it went its own way all the same. There where `lead` is.
    long long (*loose)(const hf_sim *follower);
    // Bytes of sim->kept; NULL: none.
    size_t (*kept_size)(const hf_model *model);
    // At a save: completes what sim->kept points to. NULL: it is complete.
    void (*keep)(const hf_sim *sim);
    // At a restore, with the saved block in its place: makes sim->work what it was. It may change
    // what was saved; that is put in its place again. NULL: sim->work is found anew.
    hf_status (*resume)(hf_sim *sim, hf_error *error);
};

// A slip that would turn round within a step stops first: whether it stays is for its static level.
typedef enum hf_turn {
    HF_TURN_NONE,  // it does not, or is not found to yet
    HF_TURN_STOPS, // it is held by its static level, if that is enough
    HF_TURN_GOES,  // it is not: it goes on the other way, by its kinetic level
} hf_turn;

// Share of the change of a velocity over a step that it may pass beside zero and still stop there:
// rounding, and the tolerance of solvers.
#define HF_TURN_BESIDE 1e-6

// Whether a level is larger at rest than in slip.
static inline bool hf_level_falls(const hf_level *level)
{
    return level->peak[HF_FORTH] > level->kinetic[HF_FORTH] ||
           level->peak[HF_BACK] > level->kinetic[HF_BACK] || level->sticking > 1.0;
}

// Whether a velocity that goes straight from `before` to `after`, along each of `dim` axes, passes
// through zero.
static inline bool hf_turns_round(const double *before, const double *after, int dim)
{
    double squares = 0.0, other = 0.0, dot = 0.0;
    for (int k = 0; k < dim; ++k) {
        squares += before[k] * before[k];
        other += after[k] * after[k];
        dot += before[k] * after[k];
    }
    double area = dim == 1 ? 0.0 : squares * other - dot * dot; // (before x after)^2
    double way = squares + other - 2.0 * dot, beside = HF_TURN_BESIDE * way;
    return dot < 0.0 && area <= beside * beside;
}

// Time spent in each mode and what happened, by force.
typedef struct hf_force_tally {
    double seconds[3];      // by hf_regime
    double largest_squared; // of pairs and shapes: of one contact
    double impact;          // fastest approach at which it closed [m/s]
    double work;            // heat or work of all steps by its size [J]
    double fallen;          // of these, what its heat fell by [J]
    long long transitions;
    long long beyond;    // times that a largest force so far was beyond the law's own bound
    long long passes;    // steps that may have passed over its contact
    int pairs, touching; // of shapes, in the last step
    double settled;      // when a contact that lay still at the start bears its load [s]; 0: others
    double stuck;        // since when a contact sticks; 0: it does not [s]
    double open[3];      // rates of a contact that was open at the last look; open[0] >= 0: none
    double reversed;     // energy of the hardest impact whose normal drove its slip [J]
    bool slid;           // it slid before
    bool swung;          // it let go by swinging into a load that its static level would hold
    bool jolted;         // it was stuck, and what it stuck to has jumped to another velocity since
    hf_turn turn;        // of its slip in the present step
    double slip[3];      // rates at which it slipped at the end of the last [m/s]
} hf_force_tally;

// Inner states of laws that relax over a step (relax.c). Arrays by state, as y.
typedef struct hf_relaxation {
    int *forces; // those with such laws
    int force_count;
    double *lambda; // [1/s], frozen over the step; 0: takes the plain step
    double *reach;  // of each force: the largest |y| at the end of a stage
    double *first, *sum, *middle, *stage;
    double *flow;  // rates in the mean over the step, as its beginning tells them
    bool holds;    // evaluations are within a step: dampings take these
    double *again; // [n] a derivative with other flows
} hf_relaxation;

// A row in stick that is neither a coordinate nor a difference, and which of its terms gives way.
typedef struct hf_stop_sum {
    const hf_force_place *force;
    int pivot; // -1: none
} hf_stop_sum;

typedef struct hf_stops {
    bool *chosen; // [nv]
    hf_stop_sum *sums;
    int count;
} hf_stops;

struct hf_sim {
    const hf_model *model;
    hf_allocator allocator;         // of the pool where there is one
    hf_pool pool;                   // hf_sim_def.room; its parent is the caller's allocator
    const hf_method_table *plugged; // the method's table; NULL: a fixed-step method
    void *work;                     // what it keeps
    bool exact_contacts;            // it solves rigid contacts itself
    bool in_steps;                  // its forces and modes belong to steps
    bool locates_switches;          // of laws
    bool takes_steps;               // of the length that its definition says
    void (*on_event)(void *context, const hf_event *event);
    void *event_context;
    bool (*stop_wanted)(void *context); // NULL: never
    void *stop_context;
    const hf_controller_def *controllers; // the program's own; controller_count
    int controller_count;
    bool in_update;                     // one of them is being called
    long long pieces;                   // that steps were made in
    bool stop_at_event;                 // advance ends at the next event, before its end
    hf_model *own;                      // the model, when parameters were set: the sim's to destroy
    hf_method_def method_given;         // as given to hf_sim_create
    struct hf_sensitivity *sensitivity; // derivatives that go along; NULL: none
    size_t size;                        // bytes laid out
    size_t saved_size;                  // bytes from core on
    size_t kept_size;                   // of these: kept

    // Saved. core is the first of them.
    hf_sim_core *core;
    double *x;                     // state [n]
    double *inputs;                // values of input signals, by slot
    double *mode_before;           // modes at the beginning of the step, by force
    hf_force_tally *tallies;       // by force
    hf_vec3 *references;           // tangent directions of sphere contacts, by coupling
    struct hf_swarm_state *swarms; // by swarm; what they point to is saved
    struct hf_toucher *toucher;    // finds the following (touches.h); NULL: nothing asks
    hf_touch *touches;             // [touch_count] at the last evaluation
    int touch_count;
    struct hf_shape_forces *shapes; // points of contact between shapes that are forces; NULL: none
    double *v_before;               // velocities before the last step, where a channel asks
    hf_wrench *reactions;           // [links of the largest tree] where channels ask for them
    hf_wrench *asked_wrenches;      // [asked] of contacts (pushes.h)
    bool asked_known;               // they belong to the last refresh
    hf_wrench *swarm_wrenches;      // [poses] the same of swarms
    double step_taken;              // how long that was; 0: there was none yet [s]
    double *step_force;             // methods in steps: forces over the last step, by row
    double *step_lambda;            // methods that solve contacts: of the loops over the last step
    hf_sampler *samplers;           // of the model's clocks, then of the controllers
    double *memory;                 // what sampled laws keep
    double *memory_before;          // the same before their last sample
    double *law_modes;              // of laws whose switches the method locates; NULL: it does not
    void *kept;                     // what a plugged-in method saves; zeros at t = 0

    // Scratch.
    hf_span *spans; // of the state that are in use: all of it but the room of swarms
    int span_count;
    bool pairs_changed; // of a swarm, since an adaptive method looked
    double belt_power;  // what surfaces that move by themselves put in, at the last evaluation [W]
    bool fresh;         // outputs and k belong to the present state and fresh_tau
    double fresh_tau;
    double *mode_now;       // modes at the beginning of the step, by force
    double *k;              // derivative at the beginning of the step; methods may then use it
    double *stage;          // a stage's state
    double *slope;          // a stage's derivative
    double *signals;        // values now, by signal
    double *signal_rates;   // of signals of channels whose rates are asked for
    void **instances;       // of function signals
    double eval_time;       // of the last evaluation [s]
    struct hf_loads *loads; // of frictions that reactions load; NULL: none
    double signal_time;
    int signal_side;
    bool signals_valid;
    double *gap, *rate, *force; // by row
    double *u;                  // generalized forces
    hf_pose *poses;
    hf_wrench *wrenches;
    double *tree_work;
    hf_body_io io;                  // these arrays, as bodies see them
    double *mode, *stored, *normal; // by force, at the last evaluation
    double *values;                 // of all channels, when they were last asked for
    double *stored_before;          // by force, before laws with `accept` saw the state
    double *response;               // [nv] accelerations by unit forces
    double *rest;                   // [nv] zeros
    double *ahead;          // [nq + nv] driven bodies at the end of the step (step_forces.c)
    struct hf_stops *stops; // of stops.c
    bool overruns;          // forward Euler would pass a stop in this step (overrun.c)
    double *island;         // scratch of hf_step_forces_solve
    int *island_rows;       // the same
    hf_relaxation relaxation;
    struct hf_loops_state *loops; // NULL: no loops
};

// Just before or after a time t: this many roundings of t. A step's end, step * index, is up to
// three from the same time written as a decimal number.
#define HF_JUST 4.0

// Times nearer than this are the same: jumps of inputs, ends of steps, samples.
static inline double hf_near_time(double t)
{
    return 0.75 * HF_JUST * DBL_EPSILON * fabs(t);
}
// The same at t = 0: as if it were this time [s].
#define HF_LEAST_TIME 1e-3

// The side of a jump that an evaluation sees.
typedef enum hf_side { HF_SIDE_LEFT = -1, HF_SIDE_AT = 0, HF_SIDE_RIGHT = 1 } hf_side;

// x' at time t with look-ahead tau: the loops (13d)-(13g) of [Kikuuwe2008]. Writes prescribed
// motion into x.
void hf_sim_eval(hf_sim *sim, double t, hf_side side, double tau, double *x, double *dx);

// Signals, prescribed motion, poses, gaps and rates at time t in the state x.
void hf_sim_observe(hf_sim *sim, double t, hf_side side, double *x);
// Phi with these forces at the coordinates q, and of all couplings and swarms: adds to u, wrenches.
hf_actions hf_sim_actions(const hf_sim *sim, const double *force, const double *q);
void hf_sim_push(hf_sim *sim, const double *q);
// Where a signal jumps: frictions that stuck to a driven body whose velocity does too slip from
// there on, at the level of slip. Friction gives no impulse.
void hf_sim_jolt(hf_sim *sim);
// The same where something else changes velocities between the two.
void hf_sim_jolt_begin(hf_sim *sim);
void hf_sim_jolt_end(hf_sim *sim);

// Poses in the initial state, driven bodies where they are at t = 0. Uses sim->stage.
void hf_sim_pose_start(hf_sim *sim);
// Puts prescribed motion at the present time into the state.
void hf_sim_prescribe(hf_sim *sim);
// The same at time t, seen from a side, into any q and v. Signals must be up to date.
void hf_sim_drive(hf_sim *sim, double t, hf_side side, double *q, double *v);
// The acceleration of a driven coordinate; dv: those of all, of what it may follow (or NULL).
double hf_drive_acceleration(const hf_sim *sim, const hf_drive *d, double t, hf_side side,
                             const double *dv);

// tau that a method gives to its first stage in a step of h seconds.
double hf_method_first_tau(hf_method_type method, double h);

// Makes k, forces and modes those of the present state (evaluates only when they are not).
void hf_sim_refresh(hf_sim *sim, double tau);

// Directions that couplings and pairs of swarms keep follow the bodies, after a commit.
void hf_sim_carry(hf_sim *sim);

// A step of h seconds begins: k is x' at its beginning, and what is there to see is tallied.
void hf_sim_begin(hf_sim *sim, double tau);
// The tallying alone, for methods that evaluate elsewhere than at the present state.
void hf_sim_note(hf_sim *sim);
// The same of a step that repeats the last one, where no evaluation is needed.
void hf_sim_note_again(hf_sim *sim);
// Of the verdict (tally.c): modes over h seconds; the work of a step that ends in sim->stage;
// forces and modes of the last evaluation; contacts that a step of h seconds may pass over.
void hf_tally_modes(hf_sim *sim, double h);
void hf_tally_work(hf_sim *sim);
void hf_tally_forces(hf_sim *sim);
// A contact that is a force and has just closed: whether the normal drives its slip.
void hf_tally_reversal(hf_sim *sim, int i);
void hf_tally_passes(hf_sim *sim, double h);
// A driven position that jumps stretches springs at once: what that puts in goes to the ledger.
void hf_sim_cross_jump(hf_sim *sim);
// It ends with the state in sim->stage. Fails, and keeps the old state, when that is not finite.
HF_NODISCARD hf_status hf_sim_commit(hf_sim *sim, double h, double end, hf_error *error);

// Closes loops after the caller moved bodies; the ledger's start moves with it (close_loops.c).
HF_NODISCARD hf_status hf_sim_close_again(hf_sim *sim, hf_error *error);

// Jumps, samples and controllers (schedule.c).
// Where the next step from the present time must end, at most `end`.
double hf_schedule_next(const hf_sim *sim, double end);
// Whether an input jumps at the present time.
bool hf_schedule_at_jump(const hf_sim *sim);
// Calls the program's controllers that are due now, and takes samples.
HF_NODISCARD hf_status hf_schedule_meet(hf_sim *sim, hf_error *error);
// Samples of laws that are due now, or taken now with something changed since.
void hf_sim_sample(hf_sim *sim);
void hf_schedule_reset(hf_sim *sim);
HF_NODISCARD hf_status hf_controllers_check(const hf_sim_def *def, hf_error *error);

// World axes (columns) of a coupling's first three rows of force.
hf_mat3 hf_force_axes(const hf_sim *sim, const hf_force_place *place);

// Unit quaternions again.
void hf_sim_normalize(const hf_sim *sim, double *x);

// q' alone, from the q and v in x.
void hf_sim_q_rate(const hf_sim *sim, const double *x, double *dq);

// Value, rate and second derivative of a signal at time t, seen from a side (signals.c). Exact for
// expressions, tables and Fourier series; by differences for functions of a program without them;
// zero for inputs.
double hf_signal_value(const hf_sim *sim, int signal, double t, hf_side side);
double hf_signal_rate(const hf_sim *sim, int signal, double t, hf_side side);
double hf_signal_second(const hf_sim *sim, int signal, double t, hf_side side);

// The value and slope of a table at t, whatever its argument is.
double hf_table_value(const hf_signal_def *def, double t);
double hf_table_rate(const hf_signal_def *def, double t);

// Jumps and kinks of signals. Those at known times (points of tables, jumps that are listed, and
// conditions that are linear in t: t < 4, min(t, 0.5), abs(2*t - 1), sign(t - 3)) are in
// model->jumps: the schedule cuts steps there; of methods that solve contacts not at kinks of
// tables (model->breaks), which cost a solution each. The others are where one of a
// signal's switching functions changes its sign: 2*sign(sin(5*t)) has the function sin(5 t). The
// signal is smooth as long as none does, and a method that locates events takes them as roots.
// Counts do not change; values are continuous between known times. Allocates nothing.
int hf_signal_switch_count(const hf_model *model, int signal);
void hf_signal_switches(const hf_sim *sim, int signal, double t, double *values);
// Those of channels keep their values: hf_signals_observe finds them.
void hf_signals_update(hf_sim *sim, double t, hf_side side);
// Sets an input.
void hf_signals_put(hf_sim *sim, int signal, double value);
// Signals of channels, from the state x and the gaps and rates there (observe.c).
void hf_signals_observe(hf_sim *sim, double t, const double *x);
// How a signal changes with the state when the velocities change along dv (nv numbers), or the
// coordinates along the same way: *by_rate and *by_gap. `force`, `row`: the row whose rate changes
// by 1 then. Zero where it is a function of the time.
void hf_signal_slopes(hf_sim *sim, int signal, const double *dv, const hf_force_place *force,
                      int row, double *by_gap, double *by_rate);
hf_status hf_signals_open(hf_sim *sim, hf_error *error);
void hf_signals_close(hf_sim *sim);

static inline double hf_input_value(const hf_sim *sim, hf_input input)
{
    return input.signal < 0 ? input.constant : sim->signals[input.signal];
}

// Whether a force acts: what gates it is above zero.
static inline bool hf_force_is_on(const hf_sim *sim, const hf_force_place *force)
{
    return !force->gated || hf_input_value(sim, force->enable) > 0.0;
}

// Whether stops and contacts that are enabled where a step ends find room there (gates.c).
hf_status hf_gates_check(hf_sim *sim, double end, hf_error *error);
// The gap of a contact that does not act: far open, so that it holds nothing and what is left in
// its states dies away [m].
#define HF_GAP_OFF 1e3
// Contacts of couplings that do not act are open, after Psi.
static inline void hf_contacts_gate(const hf_sim *sim, double *gap)
{
    for (int i = 0; i < sim->model->gated_contact_count; ++i) {
        const hf_force_place *force = &sim->model->forces[sim->model->gated_contacts[i]];
        gap[force->row] = hf_force_is_on(sim, force) ? gap[force->row] : HF_GAP_OFF;
    }
}

static inline hf_regime hf_mode_regime(double mode)
{
    return mode == 0.0 ? HF_REGIME_STICK : (mode == HF_MODE_OPEN ? HF_REGIME_OPEN : HF_REGIME_SLIP);
}

// How a law begins a step. What is switched on begins stuck, with what it holds at rest.
static inline hf_regime hf_force_regime(const hf_sim *sim, int i)
{
    const hf_force_place *force = &sim->model->forces[i];
    hf_regime regime = hf_mode_regime(sim->mode_before[i]);
    bool was_off = regime == HF_REGIME_OPEN && force->gated && !force->ops->contact;
    return was_off ? HF_REGIME_STICK : regime;
}

// What forces and modes are now. Under methods in steps they belong to these: those of
// the last one, if there was one.
static inline bool hf_sim_in_steps(const hf_sim *sim)
{
    return sim->in_steps && sim->core->step_index > 0;
}

static inline const double *hf_sim_forces_now(const hf_sim *sim)
{
    return hf_sim_in_steps(sim) ? sim->step_force : sim->force;
}

static inline bool hf_force_is_implicit(const hf_sim *sim, int force)
{
    return sim->plugged != NULL && sim->plugged->implicit != NULL &&
           sim->plugged->implicit(sim, force);
}

// Where forces are those of the coming step (the Euler methods), what that step will bring to rest
// slides still.
static inline double hf_sim_mode_now(const hf_sim *sim, int force)
{
    double now = sim->mode[force], last = sim->mode_before[force];
    const hf_force_place *place = &sim->model->forces[force];
    if (hf_sim_in_steps(sim)) {
        return last;
    }
    bool ends = sim->plugged == NULL && place->exact == HF_EXACT_FRICTION &&
                hf_mode_regime(now) == HF_REGIME_STICK && hf_mode_regime(last) == HF_REGIME_SLIP;
    bool moves = false;
    for (int k = 0; ends && k < place->dim; ++k) {
        moves = moves || sim->rate[place->row + k] != 0.0;
    }
    return moves ? last : now;
}

// Modes of frictions before the first step of a method that finds them in steps alone: what moves
// slips, what is off is open (step_regimes.c).
void hf_start_friction_modes(hf_sim *sim);
// What bodies read and write, with the state at q and v; until the next call.
static inline const hf_body_io *hf_sim_io(hf_sim *sim, const double *q, const double *v)
{
    sim->io.q = q;
    sim->io.v = v;
    return &sim->io;
}

// Poses of everything that couplings in space look at.
void hf_update_poses(hf_sim *sim, const double *q, const double *v);
// Force and moment (about the link's origin, world axes) that the joint of a link exerts on it.
hf_wrench hf_joint_reaction(hf_sim *sim, const hf_body_place *link);
// Normal force that a force's level is multiplied by [N].
double hf_normal_for(const hf_sim *sim, const hf_force_place *force);
// What drives a law, at the time of the present signals.
void hf_law_inputs(const hf_sim *sim, const hf_force_place *force,
                   double inputs[HF_LAW_MAX_INPUTS]);
// What it says while it does not act.
void hf_force_silence(const hf_force_place *force, hf_law_out *out);
// Keeps what a law said.
void hf_law_result(hf_sim *sim, int force, const hf_law_out *out, double *dw);

// Stepwise forces (step_forces.c): silent during an evaluation; then, over a step of h seconds from
// the state x whose derivative without them is dx, solved together and added to dx.
void hf_step_forces_clear(hf_sim *sim, int first, int end, double *dw);
void hf_step_forces_solve(hf_sim *sim, const double *x, double *dx, double h);
// The same for those alone that the method does not solve itself, in islands of their own; h in the
// sense of laws that use the other forces alone (hf_law_info.instant).
void hf_step_forces_solve_instant(hf_sim *sim, const double *x, double *dx);
// Whether forward Euler would pass a stop within h [s], at the rates of the last evaluation
// (overrun.c).
bool hf_steps_overrun(const hf_sim *sim, double h);
// The gap that a law of steps starts from: under forward Euler that at the end of the step.
void hf_steps_gap(const hf_sim *sim, const hf_force_place *force, const double *rate, double h,
                  double *gap);
// Puts the velocities that driven bodies have at the end of the solved step into a state there, for
// methods whose evaluations are of its beginning.
void hf_step_forces_drive(const hf_sim *sim, double *x);
// Velocities that Coulomb's law has stopped are exactly zero (or those of what they stick to).
void hf_step_forces_stop(const hf_sim *sim, double *x);
// Notes the same coordinates as what closing loops must not move.
void hf_step_forces_hold(hf_sim *sim);

// Inner states that relax (relax.c). Their rates lambda at the motion of the last evaluation, for a
// step of h seconds; false: there are none, and the other functions need not be called.
bool hf_relax_begin(hf_sim *sim, double h);
// From now on, until hf_relax_let_go, evaluations are stages of a step that began with `slope`.
void hf_relax_hold(hf_sim *sim, const double *slope, double h);
// When states at the end of the step are known: dampings take the way that they have gone.
// sim->slope is that of sim->stage at time t, and counts by h/weight.
void hf_relax_correct(hf_sim *sim, double t, double tau, double h, double weight);
void hf_relax_let_go(hf_sim *sim);
// What an evaluation gives the law of a force as its flow; NULL: none.
const double *hf_relax_flow(const hf_sim *sim, const hf_force_place *force);
// Their part of x + h slope.
void hf_relax_euler(hf_sim *sim, const double *slope, double h, double *stage);
// Runge-Kutta: after the slope of stage r = 0 to 3 is known, their part of the next stage (r = 3:
// of the step's end), which hf_relax_put writes.
void hf_relax_stage(hf_sim *sim, int r, const double *slope, double h);
void hf_relax_put(const hf_sim *sim, double *stage);

// One coupling: Psi and Phi of a force's rows.
// Rates of forces that stick, whose couplings have terms, are made exactly zero (stops.c): begin,
// add each of them, end.
void hf_stops_begin(const hf_sim *sim);
void hf_stops_add(const hf_sim *sim, const hf_force_place *force, double *v);
void hf_stops_end(const hf_sim *sim, double *v);

static inline void hf_force_psi(const hf_force_place *force, const hf_motion *motion)
{
    if (force->item != NULL) {
        force->ops->psi(force->item, 1, motion);
    }
}

static inline void hf_force_phi(const hf_force_place *force, const hf_actions *actions)
{
    if (force->item != NULL) {
        force->ops->phi(force->item, 1, actions);
    }
}

// d/dt (J v) of a force's rows while v does not change, from poses with velocities and their rates
// then. For all couplings but frames (bias.c).
void hf_force_bias(const hf_force_place *force, const hf_bias *bias);
// Rates of the poses in sim->poses while v does not change: those of links.
void hf_pose_rates(const hf_sim *sim, hf_pose_rate *rates);
// Rows and answers (rows.c). Movers are listed by their index in model->movers.
// Zeroes what acts on movers.
void hf_movers_clear(hf_sim *sim, const int *movers, int count);
// Poses of movers with velocities v.
void hf_movers_pose(hf_sim *sim, const int *movers, int count, const double *q, const double *v);
// M^-1 u of movers at the state x at rest, without gravity, from sim->u and sim->wrenches, as far
// as loops let them: writes their part of dv. `keep`: the forces are there to stay, and so are
// those of loops that go with them.
void hf_movers_respond(hf_sim *sim, const int *movers, int count, const double *x, bool keep,
                       double *dv);
// Phi of one force at q, of which the poses are: adds to sim->u and sim->wrenches.
void hf_force_apply(hf_sim *sim, const double *q, const hf_force_place *force);
// The same with f on `count` of its rows from `first` on and nothing on the others.
void hf_rows_push(hf_sim *sim, const double *q, const hf_force_place *force, int first,
                  const double *f, int count);
// sim->response := minus M^-1 J' of one row alone (Phi applies -f); zero but for these movers.
void hf_row_answer(hf_sim *sim, const int *movers, int count, const double *x,
                   const hf_force_place *force, int row);
// 1/m = J M^-1 J' along one row of a force at the present state; 0 where nothing moves. Overwrites
// u, wrenches, poses, gap and rate.
double hf_force_inverse_mass(hf_sim *sim, const hf_force_place *force, int row);
// The column of W = J M^-1 J' of one row: how the rates of all rows of the force answer to a force
// along it. Overwrites the same.
void hf_force_answers(hf_sim *sim, const hf_force_place *force, int row, double *column);
// How many times more one of the two bodies of a force gives way along a row than the other; 1
// where it does not act between two.
double hf_force_mass_ratio(hf_sim *sim, const hf_force_place *force, int row);

// What a saved state must agree with: the model's, and when samples are taken.
unsigned long long hf_sim_hash(const hf_sim *sim);
// Name of the component whose number x[index] is.
const char *hf_sim_component(const hf_sim *sim, int index);

#endif
