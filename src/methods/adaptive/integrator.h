// SPDX-License-Identifier: Apache-2.0
// One integrator of SUNDIALS for the state of a sim: x' = hf_sim_eval(t, x) at tau = 0, piece by
// piece between the jumps of the inputs.
//
// Errors are measured in the root mean square over the state, with weights
// 1/(rtol |x_i| + atol). The works of the forces are in it: without a say of theirs the steps are
// as many, and the energy residual is a hundred times larger.
#ifndef HF_METHODS_ADAPTIVE_INTEGRATOR_H
#define HF_METHODS_ADAPTIVE_INTEGRATOR_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>

#include "sim/sim_data.h"

typedef struct hf_integrator hf_integrator;

// What an integrator did when it returned.
typedef enum hf_reach {
    HF_REACH_END,   // the time asked for
    HF_REACH_ROOT,  // a root function fell through zero
    HF_REACH_PAUSE, // so many steps that a look at the machine is due: it may be stiff
    HF_REACH_FAILED
} hf_reach;

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
    // To `end` or to the first root; negative: a failure, one of the package's own flags. *root and
    // integrator->paused say what else ended it.
    int (*reach)(hf_integrator *integrator, double end, double *reached, bool *root);
    // Steps, error test failures and solver failures since the restart; errors by weight.
    void (*count)(hf_integrator *integrator, long counts[3]);
    bool (*local_errors)(hf_integrator *integrator, N_Vector errors, N_Vector weights);
    const char *(*explain)(int flag);
} hf_package;

struct hf_integrator {
    hf_sim *sim;
    const hf_package *package;
    double rtol, atol;
    hf_method_family family;
    int moving;  // numbers of x that rates depend on: all but the works, which are last
    int counted; // of these: those in use, all but the room of swarms
    hf_finish_function finish; // NULL: nothing is left out
    hf_place_function place;   // NULL: trial states are taken as they are
    hf_root_function roots;
    int root_count;

    double from, until;    // the piece without jumps that it is in [s]
    double longest;        // the longest internal step from the next restart on [s]; 0: any
    double *trial;         // a state that evaluations may write to
    double *switch_values; // [4 x switch_room] of one signal's switching functions
    int switch_room;       // the most that a signal has
    int broken;            // a number whose rate was not finite since the last call, or -1
    bool idle;             // rates are zero, roots are far: while SUNDIALS allocates
    int *fallen;           // [root_count] roots found, nonzero

    // CVODE by Adams may have a second memory, by BDF, for pieces that are stiff.
    bool wants_stiff; // asked for at creation
    bool stiff;       // from the next restart on
    bool paused;      // the last call ended with HF_REACH_PAUSE
    int pauses;       // in a row
    bool *needed;     // [n] of a stiff piece: numbers that its stiffness is in; NULL: all

    SUNContext context;
    N_Vector x, errors, weights;
    void *memory;                      // the package's, in use
    void *plain_memory, *stiff_memory; // CVODE's
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    long seen[3]; // counts that are in the sim's stats already
};

extern const hf_package hf_package_cvode, hf_package_erk;

// Fills a zeroed integrator whose sim, finish, roots, root_count, trial and fallen are set.
HF_NODISCARD hf_status hf_integrator_create(hf_integrator *integrator, hf_error *error);
void hf_integrator_destroy(hf_integrator *integrator);

// Begins anew at the sim's present state, in the piece between jumps where it is.
HF_NODISCARD hf_status hf_integrator_restart(hf_integrator *integrator, hf_error *error);

// The piece between jumps and kinks that begins at t, to from and until (pieces.c).
void hf_integrator_find_piece(hf_integrator *integrator, double t);
// Whether t is at the end of the piece (and so at a jump).
bool hf_integrator_at_jump(const hf_integrator *integrator, double t);

// Goes on to `end`, to the end of the piece or to the first event before it; the state there is in
// sim->stage.
hf_reach hf_integrator_reach(hf_integrator *integrator, double end, double *reached,
                             hf_error *error);

// ------------------------------------------------------------------------------------------------
// For packages

int hf_integrator_rate(double t, N_Vector x, N_Vector dx, void *integrator);
int hf_integrator_weigh(N_Vector x, N_Vector weights, void *integrator);
int hf_integrator_roots(double t, N_Vector x, double *g, void *integrator);
// Whether a Jacobian can do without number j of x: room for pairs of swarms that are not there,
// states of laws that the method solves itself, and in a stiff piece between plain ones what is not
// stiff.
bool hf_integrator_is_idle(const hf_integrator *integrator, int j);
// Silence: what it would print is said by hf_error.
void hf_integrator_hush(int code, const char *module, const char *function, char *text,
                        void *integrator);

#endif
