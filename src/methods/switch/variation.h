// SPDX-License-Identifier: Apache-2.0
// Derivatives that are integrated along with the state (sensitivity.h), by HF_METHOD_ADAPTIVE and
// HF_METHOD_SWITCH.
//
// The sims beside the present one, at p - h and p + h, have its modes and never run by themselves:
// they evaluate rates, root functions and events in the states x - h s and x + h s. What they
// remember besides the state (places where things stick, samples of controllers) is that of their
// own number.
//
//   between events   s' = (f+(x + h s) - f-(x - h s))/(2 h)
//   at an event      dt = dt/dp = -((g+(x + h s) - g-(x - h s))/(2 h))/g'
//                    x -+ h (s + f dt) at t -+ h dt are where it happens to the others; each goes
//                    through it there, with its own numbers, and
//                    s := (difference of what it leaves)/(2 h) - f dt, f the rate after it
//   jump of an input the same, with dt from the times at which it jumps for the others
#ifndef HF_METHODS_SWITCH_VARIATION_H
#define HF_METHODS_SWITCH_VARIATION_H

#include "methods/adaptive/adaptive.h"
#include "methods/sensitivity.h"

// hf_method_table's vary, vary_end and vary_show.
HF_NODISCARD hf_status hf_variation_create(hf_sensitivity *sensitivity, hf_error *error);
void hf_variation_destroy(hf_sensitivity *sensitivity);
void hf_variation_show(hf_sensitivity *sensitivity, int term, int side);

// Where a method is. All do nothing for sims without derivatives, and where these have ended.
// It is about to begin anew at the present state.
void hf_variation_before(hf_sim *sim);
// It has begun.
void hf_variation_begun(hf_sim *sim);
// It has come to the present time; `event`: a root function fell there, and is to be met.
void hf_variation_reached(hf_sim *sim, bool event);
// The event was met.
void hf_variation_met(hf_sim *sim);

// ------------------------------------------------------------------------------------------------
// Between variation.c and variation_events.c

typedef struct hf_variation {
    double time;        // of the state and of s [s]
    double *before;     // [n] the state before an event
    double *slope;      // [n] its rate
    double *after;      // [n] the rate after it
    double *low, *high; // [n] scratch: states of the sims beside
    double *shift;      // [terms] dt of the event
    double stride;      // the last internal step [s]
    double rtol, atol;
    bool running; // what it was when the method began anew
    bool waiting; // between hf_variation_before or reached and what comes after it
    SUNContext context;
    N_Vector y;    // state, then derivative of each term
    N_Vector rate; // of these
    void *memory;
} hf_variation;

static inline hf_variation *hf_variation_of(const hf_sensitivity *se)
{
    return se->work;
}

static inline hf_integrator *hf_integrator_of(const hf_sim *sim)
{
    return &hf_adaptive_of(sim)->integrator;
}

// Puts a sim beside the present one to a state at a time.
void hf_variation_place(const hf_sensitivity *se, hf_sim *other, double t, const double *x);
// x + factor (s + dt rate), of n numbers.
void hf_variation_move(int n, const double *x, double factor, const double *s, double dt,
                       const double *rate, double *out);

// What has to follow an event or a jump: all sims go through it with `pass`, and s is new.
typedef hf_status (*hf_pass)(hf_sim *other, hf_error *error);
void hf_variation_cross(hf_sim *sim, hf_pass pass);
// dt of the root functions that fell, for each term.
void hf_variation_find_shifts(hf_sim *sim);

#endif
