// SPDX-License-Identifier: Apache-2.0
// What every law (impedance component) looks like to the rest of Holdfast.
//
//   [f, y'] = I(gap, rate, y; tau)                                          [Kikuuwe2008] (9), (22)
//
// A law is a pure function of the motion of its coupling and of its own inner state y. It does not
// depend on bodies. Its force f has the sign of the motion: f = K gap + B rate for a spring-damper,
// f has the sign of the rate for friction. The coupling applies -f to the component the law is `on`
// and +f to the one it acts `to`.
//
// A law is described by a definition struct (hf_stiction_def, ...), which has a default and a
// check. The table hf_law_info describes its members by name, so that files, tools and fits can set
// them. Freestanding: no allocation, no I/O, no libc but <math.h>.
#ifndef HOLDFAST_LAW_H
#define HOLDFAST_LAW_H

#include <holdfast/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// `restrict`, which C++ does not have.
#if defined(__GNUC__) || defined(__clang__)
#define HF_RESTRICT __restrict
#else
#define HF_RESTRICT
#endif

// Largest dimension of a coupling (a frame-to-frame coupling) [-].
#define HF_LAW_MAX_DIM 6

// The laws; laws/laws.def has one line for each. The order is part of no file format.
typedef enum hf_law_type {
    HF_LAW_FORCE, // prescribed force or torque, constant or from a signal
#define HF_LAW(constant, symbol, name, phrase) HF_LAW_##constant,
#include <holdfast/laws/laws.def>
    HF_LAW_TYPE_COUNT,
    // Laws of the caller, registered on a spec (hf_spec_register_law).
    HF_LAW_OWN = 1024,
    HF_LAW_OWN_LAST = 2047
} hf_law_type;

// What a law is for: which forces of a model file may name it, and what tools show of it.
typedef enum hf_law_kind {
    HF_KIND_SPRING,     // no regimes
    HF_KIND_FRICTION,   // regimes: on 1 to 3 coordinates
    HF_KIND_STOP,       // rigid limits of a gap
    HF_KIND_CONTROLLER, // active
    HF_KIND_CONTACT,    // on contact couplings
    HF_KIND_JOINT       // on frames
} hf_law_kind;

// What methods that solve contacts and friction exactly put in the place of a law.
typedef enum hf_law_exact {
    HF_EXACT_NONE,     // nothing: they evaluate it
    HF_EXACT_FRICTION, // Coulomb friction of hf_coulomb_def.level
    HF_EXACT_STOP,     // the limits of an hf_stop_def
    HF_EXACT_CONTACT   // the contact of an hf_rigid_contact_def
} hf_law_exact;

// The unit of a number that a law keeps or shows, which depends on the coupling.
typedef enum hf_law_unit {
    HF_UNIT_NONE,
    HF_UNIT_GAP,   // m, or rad where the coupling turns
    HF_UNIT_FORCE, // N or Nm
    HF_UNIT_ANGLE  // rad
} hf_law_unit;

// What a definition check found. The strings are static.
typedef struct hf_fault {
    const char *member;   // the definition's member, by its file name ("stiffness"); NULL: no fault
    const char *expected; // what is expected, to follow the value: "must be positive"
    double value;         // what was found
    const char *within;   // the HF_PARAM_LEVEL member that holds it ("level"); NULL: the law's own
} hf_fault;

// One evaluation: what goes in.
typedef struct hf_law_in {
    const double *gap;  // [dim] displacement of the coupling [m or rad]
    const double *rate; // [dim] its time derivative [m/s or rad/s]
    const double *y;    // [state_count] the law's own state
    double normal;      // normal force for load-dependent levels, >= 0 [N]
    double tau;         // look-ahead of the implicit element, >= 0 [s]; 0: the plain ODE
    hf_regime regime;   // regime at the beginning of the step (static above kinetic needs it)
    // For laws with needs_applied; zero otherwise. `step` is also given to every accept.
    double mass;           // effective mass along the coupling, > 0 [kg or kg m^2]
    const double *applied; // [dim] sum of all other forces, in the motion's sense [N or Nm]
    double step;           // the method's step [s]; also without needs_applied; 0: it has none
    // [state_count] rates of the state in the mean over the step, which damping takes where the
    // state relaxes within it; NULL: the law finds them for a step that begins here
    const double *flow;
    const double *inputs; // [input_count] of laws with inputs
    const double *memory; // [memory_count] of sampled laws
    // Under methods that locate switches; NULL and zero elsewhere.
    const double *modes;  // [switch_count] one a switching function; the law gives them a meaning
    double near_gap;      // what the method may err in a gap [m or rad]
    double near_rate;     // and in a rate [m/s or rad/s]
    double near_relative; // and in both, as a part of them [-]
} hf_law_in;

// A switching function of a law: positive within the present modes; where it falls through zero
// they change. `margin`: what it may err, in its own unit; where it begins at zero, or below by
// less, its switch is met when it has fallen by as much.
typedef struct hf_law_switch {
    double value, margin;
} hf_law_switch;

// One evaluation: what comes out. The arrays belong to the caller.
typedef struct hf_law_out {
    double *force;     // [dim] force with the sign of the motion [N or Nm]
    double *dy;        // [state_count] time derivative of y
    hf_regime regime;  // regime seen in this evaluation
    double stored;     // energy held in springs and bristles [J]
    double dissipated; // power turned into heat [W]
    double normal;     // normal force of a contact law, >= 0; else 0 [N]
} hf_law_out;

typedef enum hf_param_kind {
    HF_PARAM_NUMBER, // a double
    HF_PARAM_LEVEL,  // an hf_level
    HF_PARAM_LIST,   // an hf_list: pointer and count of doubles
    HF_PARAM_FLAG,   // a bool
    HF_PARAM_COUNT,  // an int
    HF_PARAM_AUTO    // a double; 0, or `auto` in a file: chosen when the machine is compiled
} hf_param_kind;

// A list of numbers inside a definition. The caller owns the array; a compiled model has its copy.
typedef struct hf_list {
    const double *values;
    int count;
} hf_list;

// A member of a definition struct, for files and tools.
typedef struct hf_param {
    const char *name;    // as written in a model file
    const char *unit;    // SI, "" for none
    const char *meaning; // a short phrase
    hf_param_kind kind;
    size_t offset; // in the definition struct
} hf_param;

// A number that drives a law from outside (hf_force_def.values): a constant, or a signal.
typedef struct hf_law_input {
    const char *name; // as written in a model file
    const char *unit;
    int rate_of; // the input that it is the derivative of, unless given; -1: none
} hf_law_input;

// Most inputs of a law.
#define HF_LAW_MAX_INPUTS HF_LAW_MAX_DIM

// Shortest time between samples [s].
#define HF_LEAST_PERIOD 1e-6

// A number that a law shows beside its force: a channel "force.name".
typedef struct hf_law_channel {
    const char *name;
    hf_law_unit unit;
} hf_law_channel;

// Numbers that stand for the definition of one law of a batch.
#define HF_LAW_BATCH_NUMBERS 3

// Many laws on scalar couplings, evaluated in one loop: arrays of `count` numbers; the outputs
// overlap nothing.
typedef struct hf_law_batch {
    size_t count;
    double tau;
    const double *numbers[HF_LAW_BATCH_NUMBERS]; // as `batch` gave them
    const double *gap, *rate;
    const double *y; // [count]: laws with one state each
    double *force, *dy;
    double *stored, *dissipated;
    double *mode; // -1 sliding back, 0 stuck, 1 sliding forth; laws without regimes leave it
} hf_law_batch;

// The description of a law.
typedef struct hf_law_info {
    hf_law_type type;
    const char *name;   // as written in a model file: "stiction"
    const char *phrase; // what it does, in a line
    const char *source; // "[Kikuuwe2008] (19), [Xiong2013] (18)"
    size_t def_size;
    hf_law_kind kind;
    hf_law_exact exact;
    int min_dim, max_dim;   // dimensions of couplings it goes on; min 0: contact couplings (dim 3,
                            // and with spins 6 when max_dim is 6)
    bool needs_gap;         // uses gap, not only rate (refused on couplings without one)
    bool friction;          // has regimes; is listed in the stick/slip table
    bool needs_applied;     // uses mass, applied and step: not an impedance, Euler methods only
    bool instant;           // of these: uses applied alone, and is continuous in it and in the
                            // motion, so that it is a function of the state for adaptive methods
    bool active;            // a controller: what it does is work put in, not heat; `dissipated` is
                            // then the power that it takes out
    unsigned tau_axes;      // bit k: along coordinate k tau adds tau K to the damping B of
                            // `linear`, for step-size advice
    hf_law_unit state_unit; // of its inner state, for channels
    const hf_param *params; // param_count members
    int param_count;
    const hf_law_input *inputs; // input_count of them
    int input_count;
    // Fills *def with the default.
    void (*set_default)(void *def);
    // Checks *def for couplings of dimension dim. HF_OK, or HF_ERROR_RANGE with *fault filled.
    hf_status (*check)(const void *def, int dim, hf_fault *fault);
    // How many numbers of inner state it has on a coupling of dimension dim.
    int (*state_count)(const void *def, int dim);
    // Evaluates (pure: writes only what *out points to and *out itself).
    void (*eval)(const void *def, int dim, const hf_law_in *in, hf_law_out *out);
    // Sets y at t = 0 from the motion there. NULL: zeros.
    void (*start)(const void *def, int dim, const hf_law_in *in, double *y);
    // Called once after each accepted step with the motion at its end, to update discrete memory in
    // y (elements that switch). NULL: the law has none.
    void (*accept)(const void *def, int dim, const hf_law_in *in, double *y);
    // Stiffness and damping of the linearized law for motion along coordinate `axis` while it holds
    // (stick, closed), for step-size advice. Either may be zero.
    void (*linear)(const void *def, int axis, double *stiffness, double *damping);
    // Whether the law is an ordinary function at this look-ahead. NULL: at every tau >= 0. Where it
    // is false eval is still finite, but no explicit method keeps its state right.
    bool (*admits)(const void *def, double tau);
    // Lag alpha of the force behind the motion along `axis` while it holds, K (1 + s B/K)/(1 + s
    // alpha) instead of K + s B [s]. NULL: none.
    double (*lag)(const void *def, int axis);
    // Rates lambda >= 0 [1/s] at which the states relax, y' = -lambda y + the rest, one a state, at
    // this motion: explicit methods solve that part exactly, so that it cannot grow. NULL: none
    // relaxes so fast that it matters. Returns the largest |y| that the law can come to.
    double (*relax)(const void *def, int dim, const hf_law_in *in, double *lambda);
    // Sampled laws: time between samples [s], 0: this one is not sampled. NULL: none is.
    double (*period)(const void *def);
    // How many numbers they keep from sample to sample, zero at first, and the sample itself, at
    // t = 0 and at each multiple of the period; in->step is the period.
    int memory_count;
    void (*sample)(const void *def, const hf_law_in *in, double *memory);
    // A law of the same friction that methods admit which do not admit this one. NULL: none.
    const char *instead;
    // What it shows besides its force, channel_count numbers: the value of number k, from the
    // motion, state, inputs and memory and from the force there.
    const hf_law_channel *channels;
    int channel_count;
    double (*show)(const void *def, const hf_law_in *in, const double *force, int k);
    // Whether one of these on a scalar coupling goes into a batch, and its numbers there; and the
    // loop, whose results are those of eval to the bit. NULL: each is evaluated by itself.
    bool (*batch)(const void *def, double numbers[HF_LAW_BATCH_NUMBERS]);
    void (*eval_batch)(const hf_law_batch *batch);
    // Laws with a memory that switches, under methods that locate events. Between switches eval is
    // smooth where in->modes are given, whatever motion is tried. How many switching functions
    // there are, their values, and what happens where some fell: `change` sets the modes (in->modes
    // are those before), and y where it jumps. All zeros are modes to begin with. The energy that y
    // loses is heat. NULL, or a count of 0: `accept` alone, in steps.
    int (*switch_count)(const void *def, int dim);
    void (*switches)(const void *def, int dim, const hf_law_in *in, hf_law_switch *functions);
    void (*change)(const void *def, int dim, const hf_law_in *in, const bool *fallen, double *modes,
                   double *y);
    // Whether the force, or the rate of a state, may jump where the motion does not, without one of
    // these functions. NULL: never.
    bool (*leaps)(const void *def);
    // Laws whose slopes change with the motion, apart from regimes: those along each coordinate at
    // this motion, dim of each, not below what the force changes by in any direction. Steps that
    // take stiff forces implicitly ask for them in every step. NULL, or false: those of `linear`,
    // wherever it holds.
    bool (*slopes)(const void *def, int dim, const hf_law_in *in, double *stiffness,
                   double *damping);
} hf_law_info;

// The description of a law, or NULL for HF_LAW_FORCE (which the system evaluates itself) and for
// types out of range.
HF_API const hf_law_info *hf_law_info_get(hf_law_type type);

// Finds a law by its file name; NULL when unknown.
HF_API const hf_law_info *hf_law_info_find(const char *name);

// A parameter of a law by its name; NULL when it has none of it. With set_default and the offset a
// definition is made without its struct: of def_size bytes, aligned for any object.
HF_API const hf_param *hf_law_param(const hf_law_info *law, const char *name);
// Sets a number, or a level, of such a definition. HF_ERROR_NAME: there is no such parameter.
HF_API HF_NODISCARD hf_status hf_law_set_number(const hf_law_info *law, void *def, const char *name,
                                                double number);
struct hf_level;
HF_API HF_NODISCARD hf_status hf_law_set_level(const hf_law_info *law, void *def, const char *name,
                                               const struct hf_level *level);

#ifdef __cplusplus
}
#endif
#endif
