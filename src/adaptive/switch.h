// SPDX-License-Identifier: Apache-2.0
// Exact friction by events: Coulomb's law itself, set-valued at rest.                        002
//
// Each friction (an element) is in a mode: sliding back (-1), stuck (0), sliding forth (1).
//
//   slip   f = s F(s r)                        s the mode, r the rate of the coupling      (8)
//   stick  J v' = J_t' over all that are stuck (0, or what a driven body does): the linear
//          system W f = c, W = J M^-1 J', c the accelerations without f; of redundant
//          frictions the f of least norm                                                  (7)
//
// Within a piece between events the modes are fixed, whatever the integrator tries: a rejected
// step leaves nothing behind (4.3.3), and a trial state on the other side of zero sees the law
// continued smoothly (4.3.1). Events are where a root function falls through zero:
//
//   slip   s r, and s r + margin               the margin is 002's Delta, (9): it meets the
//   stick  room = min(high - f, f - low),      start of a motion that rounding turned around
//          and room + margin
//
// At an event the frictions at zero velocity get their modes from the complementarity problem of
// box_lcp.h, all at once (erratum 14), with the level at rest as bound. A friction that reached
// its bound slips. Of several that reach theirs together, the motion of one may relieve another:
// then the problem is solved a moment later, where their loads are above their bounds. Where the
// level in motion is lower than the one at rest, the others are solved again with the lower one.
//
// An end stop is an element too: open (mode 1, no force, gap between its limits), or held at one of
// them (mode 0), where its force is bounded on one side: f <= 0 at the low limit, f >= 0 at the
// high one. So a stop that rests and is released is a friction that breaks away without force. An
// open one whose gap closes is an impact: the impulses p of all stops that are touched solve the
// same complementarity problem with velocities,
//   r+ + e r- = (1 + e) r- - W p,   p <= 0 and r+ + e r- >= 0 at low limits, and so on.
//
// A friction may be loaded by a stop: its level is in proportion to the size N of the stop's force.
// All these problems are then solved again with the bounds of the last N until it stays; at once
// where the stop's force does not depend on the friction's. An impact loads it with its impulse:
// Coulomb's law in impulses.
#ifndef HF_ADAPTIVE_SWITCH_H
#define HF_ADAPTIVE_SWITCH_H

#include "adaptive/adaptive.h"

// One friction or stop on one coordinate, or on the difference of two.
typedef struct hf_element {
    int force, row;
    int on_v, to_v;             // to_v -1: against the world
    int on_driven, to_driven;   // which driven body it is, or -1
    const hf_level *level;      // of a friction
    const hf_stop_def *stop;    // NULL: a friction
    int on_q, to_q;             // of a stop
    int wall;                   // of a stop: the limit it is at or was last, -1 low, 1 high
    bool struck;                // of a stop: an impact to be told
    int island;                 // where its island begins in `elements`
    int load;                   // of a friction: the stop that loads it, from there; -1: none
    double low_rise, high_rise; // by what N of the load widens low and high
    double slope;               // by what N raises the level in slip
    int mode;
    int told;         // the mode that events have told
    bool candidate;   // at zero velocity, mode to be found
    bool latched;     // stuck by the rule for accumulations
    double low, high; // bounds of the force in stick, at the last evaluation [N or Nm]
    double stick;     // the force in stick, at the last evaluation
    double burst;     // when its present burst of events began [s]
    int burst_count;
} hf_element;

// Bounds of one unknown: low - low_rise N and high + high_rise N, N the size of unknown `load`.
typedef struct hf_bound {
    double low, high, low_rise, high_rise;
    int load; // -1: none
} hf_bound;

struct hf_switch {
    hf_element *elements; // in the order of model->step_forces
    int *by_force;        // force -> element, or -1
    int count;
    bool anew;     // the integrator begins anew
    double margin; // of rates [m/s or rad/s], and of gaps [m or rad]
    double window; // when the present count of events began [s]
    int window_count;
    double *rate;                                          // [n] a derivative, for root functions
    double *w, *copy, *c, *low, *high, *f, *before, *work; // of the largest island
    hf_bound *bounds;
    int *list, *side;
};

static inline hf_switch *hf_switch_of(const hf_sim *sim)
{
    return hf_adaptive_of(sim)->exact;
}

// Elements of an island: a stretch of `elements`.
static inline hf_element *hf_switch_island(const hf_sim *sim, const hf_island *island)
{
    return hf_switch_of(sim)->elements + island->first_force;
}

// Stick: adds its forces to what an evaluation at (t, x) left out (switch_stick.c).
void hf_switch_stick(hf_sim *sim, double t, hf_side side, const double *x, double *dx);
// W of the elements island[list[0..n-1]] at the state x.
void hf_switch_fill_w(hf_sim *sim, const hf_element *island, const int *list, int n,
                      const double *x, double *w);
// By what a unit of normal force raises a level at rest.
double hf_switch_rise(const hf_level *level, int side, hf_regime regime);
// Relative acceleration of an element, from dv and the motion of driven bodies.
double hf_switch_acceleration(const hf_sim *sim, const hf_element *e, double t, hf_side side,
                              const double *dx);

// A state to decide at: x at time t, with room for its derivative.
typedef struct hf_switch_place {
    double t;
    hf_side side;
    double *x, *dx;
} hf_switch_place;

// Solves the complementarity problem of own->w, c and bounds for own->f and side, with n unknowns
// (switch_load.c). False: not solved, or loads that do not settle.
bool hf_switch_solve(hf_switch *own, int n);
// The place of an island's element in own->list, or -1.
int hf_switch_listed(const hf_switch *own, int n, int element);
// Stick with loads: own->f of the first n unknowns of m in own->list, the others being frictions in
// slip that these load. W and c are of all m. False: loads do not settle.
bool hf_switch_hold(hf_switch *own, const hf_element *island, int n, int m);

// Modes of all candidates at a place; at the present state, RIGHT of its time, when it is NULL
// (switch_modes.c). Fails when the complementarity problem is not solved.
HF_NODISCARD hf_status hf_switch_decide(hf_sim *sim, const hf_switch_place *place, hf_error *error);
// Modes of everything, from the rates and the modes before.
HF_NODISCARD hf_status hf_switch_decide_all(hf_sim *sim, hf_error *error);
// How far a stop is from its nearer limit in the state x, and which that is.
double hf_switch_gap(const hf_sim *sim, const hf_element *e, const double *x, int *wall);
// Impacts at the present state: of all stops that are touched and approach, or are held. Changes
// velocities; modes of what it moved are new.
HF_NODISCARD hf_status hf_switch_strike(hf_sim *sim, hf_error *error);
// Relative rate of an element in the state x.
double hf_switch_rate(const hf_sim *sim, const hf_element *e, const double *x);
// Makes it exactly zero.
void hf_switch_stop(const hf_sim *sim, const hf_element *e, double *x);

#endif
