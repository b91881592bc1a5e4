// SPDX-License-Identifier: Apache-2.0
// One integrator of SUNDIALS for the state of a sim: x' = hf_sim_eval(t, x) at tau = 0, piece by
// piece between the jumps of the inputs.
//
// Errors are measured in the root mean square over the state, with weights
// 1/(rtol |x_i| + atol). The works of the forces are in it: without a say of theirs the steps are
// as many, and the energy residual is a hundred times larger.
#ifndef HF_METHODS_ADAPTIVE_INTEGRATOR_H
#define HF_METHODS_ADAPTIVE_INTEGRATOR_H

#include <math.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>

#include "sim/sim_data.h"

typedef struct hf_integrator hf_integrator;

// What an integrator did when it returned.
typedef enum hf_reach {
    HF_REACH_END,   // the time asked for
    HF_REACH_ROOT,  // a root function fell through zero
    HF_REACH_PAUSE, // so many steps that a look at the machine is due: it may be stiff, or the
                    // integrator is to begin anew (hf_integrator_is_due)
    HF_REACH_FAILED
} hf_reach;

// Internal steps after which an integrator begins anew, whatever is recorded or saved. A restored
// run repeats the steps since the last beginning (resume.c): this bounds how many these are. A
// beginning costs some ten short steps.
enum { HF_INTEGRATOR_STEPS = 4000 };

// Root functions are looked at in the middle of halves of halves of a step, so often (roots.c).
// They are located to so many roundings of the time and the step, as in CVODE; a recorded state
// that is nearer to one is that of the root.
#define HF_ROOT_NEAR 100.0
// How far below zero a function may be found that may be found late (late_roots).
#define HF_ROOT_LATE 0.04
enum { HF_ROOT_DEPTH = 5, HF_ROOT_VALUES = HF_ROOT_DEPTH + 5 };

// Root functions: g of the state x (which it may write driven motion to) at time t. An event is
// where one falls through zero.
typedef void (*hf_root_function)(hf_sim *sim, double t, hf_side side, double *x, double *g);

// What an evaluation at x leaves out, to be added to dx.
typedef void (*hf_finish_function)(hf_sim *sim, double t, hf_side side, const double *x,
                                   double *dx);

// Puts a trial state x at time t where the machine can be.
typedef void (*hf_place_function)(hf_sim *sim, double t, hf_side side, double *x);

// A package of SUNDIALS.
typedef struct hf_package {
    const char *name;
    hf_status (*create)(hf_integrator *integrator, hf_error *error);
    void (*destroy)(hf_integrator *integrator);
    int (*restart)(hf_integrator *integrator, double t, double first_step);
    // No internal step beyond `stop`.
    int (*limit)(hf_integrator *integrator, double stop);
    // One internal step, towards `end`; *front: where it ended. Negative: a failure, one of the
    // package's own flags.
    int (*step)(hf_integrator *integrator, double end, double *front);
    // The state at a time within the last step, to integrator->x.
    int (*at)(hf_integrator *integrator, double t);
    int too_much_work;      // its flag for too many steps
    bool goes_through_logs; // takes a longest step: points of logs do not end pieces
    // Steps, error test failures and solver failures since the restart; errors by weight.
    void (*count)(hf_integrator *integrator, long counts[3]);
    bool (*local_errors)(hf_integrator *integrator, N_Vector errors, N_Vector weights);
    const char *(*explain)(int flag);
} hf_package;

struct hf_integrator {
    hf_sim *sim;
    const hf_package *package;
    double rtol, atol; // atol: the method's, or less for a slow machine
    hf_method_family family;
    int moving;  // numbers of x that rates depend on: all but the works, which are last
    int counted; // of these: those in use, all but the room of swarms
    hf_finish_function finish; // NULL: nothing is left out
    hf_place_function place;   // NULL: trial states are taken as they are
    hf_root_function roots;
    int root_count;
    int late_roots; // so many of the last of them may be found late: where one is above
                    // -HF_ROOT_LATE

    double from, until;    // the piece without jumps that it is in [s]
    double horizon;        // no internal step passes it [s]; 0: none
    double log_step;       // the longest internal step in a log's samples [s]; 0: none
    double longest;        // the longest internal step from the next restart on [s]; 0: any
    int pause_every;       // a pause after so many internal steps; 0: none
    double *trial;         // a state that evaluations may write to
    double *switch_values; // [4 x switch_room] of one signal's switching functions
    int switch_room;       // the most that a signal has
    int broken;            // a number whose rate was not finite since the last call, or -1
    int jammed;            // a load that was not found since the last call (sim/loads.h), or -1
    bool idle;             // rates are zero, roots are far: while SUNDIALS allocates
    int *fallen;           // [root_count] roots found, nonzero
    double *root_values;   // [HF_ROOT_VALUES x root_count], the first of them at `searched`

    // Since the last beginning
    double start, first_step; // where it was, and the step that it was given [s]
    double behind, front;     // where the last internal step began, and where it ended [s]
    double searched;          // up to here there is no root [s]
    double stride;            // the longest stretch that root functions are looked at at once [s]
    bool look_again;          // root functions may be others now: to be searched from there
    double root_at;           // a root that was found, and not reported yet [s]; INFINITY: none
    bool full;                // there is no room for more notes (resume.h)
    long steps;               // internal steps
    long paused_at;           // of these at the last pause
    long spent;               // steps since the last recorded state or root
    double headway;           // since when steps without headway are counted [s]
    int idle_steps;           // these
    bool stands;              // they were too many

    // CVODE by Adams may have a second memory, by BDF, for pieces that are stiff.
    bool wants_stiff; // asked for at creation
    bool stiff;       // from the next restart on
    bool *needed;     // [n] of a stiff piece: numbers that its stiffness is in; NULL: all

    SUNContext context;
    N_Vector x, errors, weights;
    void *memory;                      // the package's, in use
    void *plain_memory, *stiff_memory; // CVODE's
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    struct hf_compact *compact; // the linear solver's own; NULL: it is one of SUNDIALS
    long seen[3];               // counts that are in the sim's stats already
};

extern const hf_package hf_package_cvode, hf_package_erk;

// Fills a zeroed integrator whose sim, finish, roots, root_count, trial, fallen and root_values are
// set.
HF_NODISCARD hf_status hf_integrator_create(hf_integrator *integrator, hf_error *error);
void hf_integrator_destroy(hf_integrator *integrator);

// The absolute tolerance follows the machine: at most a small part of the largest speed, and of
// what accelerations make of it in a second, that there was where the integrator began. By the
// present state and its rate sim->k.
void hf_integrator_scale(hf_integrator *integrator, bool with_rates);
// The same by what is known already.
void hf_integrator_set_atol(hf_integrator *integrator);

// Begins anew at the sim's present state, in the piece between jumps where it is.
HF_NODISCARD hf_status hf_integrator_restart(hf_integrator *integrator, hf_error *error);

// The piece between jumps and kinks that begins at t, to from and until (pieces.c).
void hf_integrator_find_piece(hf_integrator *integrator, double t);
// Whether t is at the end of the piece (and so at a jump).
bool hf_integrator_at_jump(const hf_integrator *integrator, double t);

// The same at a state and with a first step that are known: to repeat what was done from there.
int hf_integrator_repeat(hf_integrator *integrator, double t, const double *x, double first_step);

// Whether so much was done since the beginning that it is to begin anew.
static inline bool hf_integrator_is_due(const hf_integrator *integrator)
{
    return integrator->paused_at >= HF_INTEGRATOR_STEPS || integrator->full;
}

// The state at a time within the last step, where the machine can be, to sim->stage. Negative: a
// failure of the package.
int hf_integrator_show(hf_integrator *integrator, double t);

// No internal step beyond the piece and the horizon. Negative: it is there already.
int hf_integrator_limit(hf_integrator *integrator);

// Goes on to `end`, to the end of the piece or to the first event before it; the state there is in
// sim->stage. Internal steps and roots do not depend on `end`.
hf_reach hf_integrator_reach(hf_integrator *integrator, double end, double *reached,
                             hf_error *error);

// ------------------------------------------------------------------------------------------------
// For packages

int hf_integrator_rate(double t, N_Vector x, N_Vector dx, void *integrator);
// The same of plain numbers. 1: the rate cannot be evaluated there.
int hf_integrator_rate_at(hf_integrator *integrator, double t, const double *x, double *rate);
int hf_integrator_weigh(N_Vector x, N_Vector weights, void *integrator);
// Whether a Jacobian can do without number j of x: room for pairs of swarms that are not there,
// states of laws that the method solves itself, and in a stiff piece between plain ones what is not
// stiff.
bool hf_integrator_is_idle(const hf_integrator *integrator, int j);
// Of a Jacobian by forward differences: weights, and the least increment by weight; then the rate
// with number j moved by *step, to `moved`. Nonzero: it could not be evaluated.
int hf_integrator_differences(hf_integrator *integrator, N_Vector rate, N_Vector weights,
                              double *least);
int hf_integrator_difference(hf_integrator *integrator, double t, N_Vector x, N_Vector moved,
                             N_Vector weights, double least, int j, double *step);
// The state as evaluations see it at time t; *closed: whether loops could be closed. *t and *side
// are those of the piece.
double *hf_integrator_trial(hf_integrator *integrator, double *t, hf_side *side, const double *x,
                            bool *closed);
// Searches one more stride between integrator->searched and the front: moves `searched`, or puts
// the first root to root_at and fallen (roots.c). Negative: a failure of the package.
int hf_integrator_search(hf_integrator *integrator);
// Silence: what it would print is said by hf_error.
void hf_integrator_hush(int code, const char *module, const char *function, char *text,
                        void *integrator);

// What SUNDIALS takes for the end of a piece: a time that is never reached where there is none.
static inline double hf_stop_time(double stop)
{
    const double never = 1e300;
    return isfinite(stop) ? stop : never;
}

#endif
