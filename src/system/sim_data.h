// SPDX-License-Identifier: Apache-2.0
// What hf_sim holds, and the evaluation of the right-hand side that methods call.
#ifndef HF_SYSTEM_SIM_DATA_H
#define HF_SYSTEM_SIM_DATA_H

#include <holdfast/sim.h>

#include "system/model_data.h"

// Modes of a force, as recorded: sliding back, stuck, sliding forth, open.
#define HF_MODE_OPEN 2.0

// Everything that the future depends on, with the arrays behind it in one stretch of memory.
typedef struct hf_sim_core {
    unsigned long long hash; // of the model
    hf_method_def method;
    long long step_index; // steps begun
    double time;          // step_index * step, or a jump inside a step [s]
    hf_sim_stats stats;
    double start_energy;    // kinetic + potential + stored at t = 0 [J]
    double start_potential; // [J]
    bool accepted;          // discrete memories have seen the present state
} hf_sim_core;

// Time spent in each mode and what happened, by force.
typedef struct hf_force_tally {
    double seconds[3]; // by hf_regime
    double largest_squared;
    long long transitions;
} hf_force_tally;

struct hf_sim {
    const hf_model *model;
    hf_allocator allocator;
    size_t saved_size; // bytes from core on

    // Saved. core is the first of them.
    hf_sim_core *core;
    double *x;               // state [n]
    double *inputs;          // values of input signals, by signal
    double *mode_before;     // modes at the beginning of the step, by force
    hf_force_tally *tallies; // by force

    // Scratch.
    bool fresh; // outputs and k belong to the present state and fresh_tau
    double fresh_tau;
    double *mode_now; // modes at the beginning of the step, by force
    double *k;        // derivative at the beginning of the step
    double *stage;    // a stage's state
    double *slope;    // a stage's derivative
    double *sum;      // weighted slopes
    double *signals;  // values now, by signal
    void **instances; // of function signals
    double signal_time;
    int signal_side;
    bool signals_valid;
    double *gap, *rate, *force; // by row
    double *u;                  // generalized forces
    hf_pose *poses;
    hf_wrench *wrenches;
    double *tree_work;
    double *mode, *stored, *normal; // by force, at the last evaluation
    double *probe;                  // [3 nv] for effective masses
};

// The side of a jump that an evaluation sees.
typedef enum hf_side { HF_SIDE_LEFT = -1, HF_SIDE_AT = 0, HF_SIDE_RIGHT = 1 } hf_side;

// x' at time t with look-ahead tau: the loops (13d)-(13g) of 000. Writes prescribed motion into x.
void hf_sim_eval(hf_sim *sim, double t, hf_side side, double tau, double *x, double *dx);

// tau that a method gives to its first stage in a step of h seconds.
double hf_method_first_tau(hf_method_type method, double h);

// Makes k, forces and modes those of the present state (evaluates only when they are not).
void hf_sim_refresh(hf_sim *sim, double tau);

// A step of h seconds begins: k is x' at its beginning, and what is there to see is tallied.
void hf_sim_begin(hf_sim *sim, double tau);
// It ends with the state in sim->stage. Fails, and keeps the old state, when that is not finite.
HF_NODISCARD hf_status hf_sim_commit(hf_sim *sim, double h, double end, hf_error *error);

// Unit quaternions again.
void hf_sim_normalize(const hf_sim *sim, double *x);

// q' alone, from the q and v in x.
void hf_sim_q_rate(const hf_sim *sim, const double *x, double *dq);

// Value and rate of a signal at time t, seen from a side (signals.c).
double hf_signal_value(const hf_sim *sim, int signal, double t, hf_side side);
double hf_signal_rate(const hf_sim *sim, int signal, double t, hf_side side);
void hf_signals_update(hf_sim *sim, double t, hf_side side);
hf_status hf_signals_open(hf_sim *sim, hf_error *error);
void hf_signals_close(hf_sim *sim);

static inline double hf_input_value(const hf_sim *sim, hf_input input)
{
    return input.signal < 0 ? input.constant : sim->signals[input.signal];
}

static inline hf_regime hf_mode_regime(double mode)
{
    return mode == 0.0 ? HF_REGIME_STICK : (mode == HF_MODE_OPEN ? HF_REGIME_OPEN : HF_REGIME_SLIP);
}

// Name of the component whose number x[index] is.
const char *hf_sim_component(const hf_sim *sim, int index);

#endif
