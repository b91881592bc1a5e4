// SPDX-License-Identifier: Apache-2.0
// hf_method_info: all that readers, messages, completions and other folders need of a method.
//
// A method is a folder with its info (hf_method_NAME) and a line in <holdfast/methods.def>. The
// info is in the library holdfast, whatever the method itself needs: so a machine can be judged,
// and the missing library named, where the method is not linked.
#ifndef HF_SIM_METHOD_INFO_H
#define HF_SIM_METHOD_INFO_H

#include "sim/sim_data.h"

typedef enum hf_key_kind {
    HF_KEY_NUMBER, // a double
    HF_KEY_COUNT,  // an int
    HF_KEY_CHOICE, // an int or an enum, by name
    HF_KEY_FLAG    // a bool, by the names of false and true
} hf_key_kind;

// A member of hf_method_def that a method takes, besides type and step. 0 stands for `usual`.
typedef struct hf_method_key {
    const char *name;       // in model files: "rtol"
    const char *other_name; // in model files too; NULL: none
    const char *unit;       // SI, "" for none
    const char *meaning;    // a short phrase
    hf_key_kind kind;
    size_t offset;      // in hf_method_def
    double least, most; // of numbers and counts; least 0: positive; most INFINITY: no limit
    double usual;       // 0: chosen by the method
    // The name of a choice from 0 up; NULL where this method has none of that number.
    const char *(*choice)(int value);
    int choice_count; // numbers to ask it for
} hf_method_key;

// m x'' = -K x - B x', the force perhaps with a lag: what step-size advice applies a method to.
typedef struct hf_oscillator {
    double stiffness, damping, inverse_mass;
    double lag;    // of the force behind the motion (hf_law_info.lag); 0: none [s]
    bool implicit; // the law sees tau
} hf_oscillator;

// x' of an oscillator: (x, v), or (x, v, e) with a lag.
enum { HF_OSCILLATOR_MAX = 3 };
void hf_oscillator_rate(const hf_oscillator *o, double tau, const double *x, double *dx);
static inline int hf_oscillator_size(const hf_oscillator *o)
{
    return o->lag > 0.0 ? 3 : 2;
}

// As hf_sim_stability; a largest step of `enough` or more may be reported too short, but not below
// `enough`.
hf_stability hf_sim_stability_to(hf_sim *sim, hf_force force, double enough);

// Why a method does not run a machine: a clause, "law 'coulomb' is found over whole steps".
typedef struct hf_why {
    char text[200];
} hf_why;

typedef struct hf_method_info {
    const char *name;                       // as written in model files
    const char *phrase;                     // what it is, for help and tables
    const char *library;                    // that has it; NULL: holdfast itself
    const char *plug;                       // the function that gives its table, "hf_nlp_methods()"
    const hf_method_table *(*linked)(void); // that function; NULL: its library is not linked
    const char *package;                    // what the library needs, "IPOPT (coinor-libipopt-dev)"
    const hf_method_key *keys;
    int key_count;
    bool is_adaptive;     // chooses its steps
    bool locates_events;  // and tells of each (hf_sim_def.on_event)
    bool solves_contacts; // solves all rigid contacts and friction of a step together
    bool in_steps;        // forces and modes belong to steps, not to states
    bool loads;           // reactions may load frictions: they are found together
    bool prepares_loops;  // makes the matrices of closed loops at the beginning of each step
    bool side_by_side;    // does the same to a machine whatever else is in the sim (batch.h)
    // What it admits. Laws with needs_applied: `stepwise`, or of these the continuous ones:
    // `instant`; those with a memory that switches
    // (accept): `accepts`, or of these those that tell their switches: `switches`; set-valued laws
    // as they are: `exact`; contacts found as it runs: `shapes` and `swarms`. Law infos are asked
    // for tau = look_ahead * step.
    bool stepwise, instant, accepts, switches, exact, shapes, swarms;
    bool surfaces;     // friction and restitution of single shapes and pairs
    bool grain;        // friction of shapes that depends on direction
    bool slip;         // friction of shapes that gives way
    bool pairs;        // `type: collide` of a model file is a contact for each pair
    double look_ahead; // [steps]
    double first_tau;  // tau of its first stage [steps]
    // How a rigid contact that chooses its numbers must take its steps (rigid_contact_choice.h).
    hf_contact_scheme contact_scheme;
    const hf_contact_steps *contact_steps; // none of these schemes, but its own; NULL: the scheme
    double slip_steps; // T K/B at most for a stiction element that slips; 0: no limit
    // More that it asks of a force, and of the whole machine. NULL: nothing.
    bool (*admits)(const hf_model *model, const hf_force_place *force, hf_why *why);
    bool (*admits_machine)(const hf_model *model, hf_why *why);
    // Advances from the sim's time to `end`, h seconds later, in one go. NULL: its library does.
    hf_status (*advance)(hf_sim *sim, double h, double end, hf_error *error);
    // One step of h seconds on an oscillator. NULL: no largest step.
    void (*linear_step)(const hf_oscillator *o, const hf_method_def *method, double h,
                        const double *x, double *out);
} hf_method_info;

// The info of a method; type must be in range.
const hf_method_info *hf_method_info_get(hf_method_type type);

// A method's key of this name, or NULL.
const hf_method_key *hf_method_key_find(const hf_method_info *info, const char *name);
double hf_method_key_value(const hf_method_key *key, const hf_method_def *method);
void hf_method_key_set(const hf_method_key *key, hf_method_def *method, double value);

// The methods that have a key.
unsigned hf_methods_with_key(const char *name);

// Whether a method runs a machine. With its default settings, but for the step.
bool hf_method_runs(const hf_model *model, hf_method_type type, double step);
// HF_OK, or HF_ERROR_UNSUPPORTED with a text that says why not, and names every method that does.
HF_NODISCARD hf_status hf_method_admit(const hf_model *model, const hf_method_def *method,
                                       hf_error *error);

#endif
