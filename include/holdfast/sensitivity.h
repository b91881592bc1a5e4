// SPDX-License-Identifier: Apache-2.0
// Sensitivities: how the channels of a run change with parameters, initial states and inputs.
//
//   S = d(channel)/d(parameter)   at every moment of a run, carried along with it
//
// HF_METHOD_SWITCH and HF_METHOD_ADAPTIVE integrate the variational equations of each piece between
// events, to a tolerance of 1e-8 or finer,
//   s' = (df/dx) s + df/dp,
// and at a stop, break-away, impact or jump of an input s jumps too:
//   dt/dp = -(dg/dx s + dg/dp)/(dg/dt)            of the event's root function g
//   s+    = d/dp R(x- + ...) - f+ dt/dp,  R what the event does to the state
// so that derivatives are those of the machine, through any number of events. Derivatives of f, g
// and R are central differences of some 1e-6 of the parameter, with what sticks and slides held
// fast: about nine digits.
//
// Other methods are maps from step to step, which are differentiated as they are. Under
// HF_METHOD_TIMESTEP what sticks, slips and is open in a step is held, and its reactions are
// followed by the equations that they then obey: the derivative of the step by the theorem on
// implicit functions. Elsewhere, and in steps that this does not cover
// (hf_sensitivity_loose_steps), central differences of the same size go through the whole step.
// That is the machine's derivative up to the order of the method only while nothing happens that
// steps cannot share out: a friction whose static level is above its kinetic one is refused
// (HF_ERROR_UNSUPPORTED), and an impact ends it. For those take HF_METHOD_SWITCH.
#ifndef HOLDFAST_SENSITIVITY_H
#define HOLDFAST_SENSITIVITY_H

#include <holdfast/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hf_sensitivity_kind {
    HF_BY_PARAMETER, // a number of the machine, by its name in parameter.h
    HF_BY_POSITION,  // a coordinate at t = 0
    HF_BY_VELOCITY,  // its velocity at t = 0
    HF_BY_INPUT,     // what is added to an input all through the run
    HF_BY_MODEL      // anything: two models on either side of the present one
} hf_sensitivity_kind;

// What a derivative is taken by.
typedef struct hf_sensitivity_term {
    hf_sensitivity_kind kind;
    const char *name;         // BY_PARAMETER
    hf_coordinate coordinate; // BY_POSITION, BY_VELOCITY
    hf_signal input;          // BY_INPUT
    // BY_MODEL: the same machine with the number `step` smaller and larger. They must outlive the
    // sensitivity. Small enough for central differences; 1e-6 of the number's size is good.
    const hf_model *below, *above;
    double step; // BY_MODEL; elsewhere 0: 1e-6 max(1e-3, |number|), or 1e-6 for a number of 0
} hf_sensitivity_term;

typedef struct hf_sensitivity hf_sensitivity;

// Carries derivatives along with a sim that is at its beginning (t = 0, no step taken); it has one
// sensitivity at most. Two further sims are made for each term, and one more. Allocates, and so may
// steps from then on. NULL on error: HF_ERROR_UNSUPPORTED when the derivative of the steps is not
// that of the machine, or the machine has what cannot be carried along (controllers of the program,
// swarms, contacts that are found as it runs, forces that jump without an event).
HF_API hf_sensitivity *hf_sensitivity_create(hf_sim *sim, const hf_sensitivity_term *terms,
                                             int count, hf_error *error);
// Before the sim is. NULL is allowed.
HF_API void hf_sensitivity_destroy(hf_sensitivity *sensitivity);

// HF_METHOD_TIMESTEP: steps so far in which machines just beside a number went a way of their own,
// so that an event that they have a step earlier or later is in the derivative: frictions that are
// loaded by reactions or in three coordinates, more than 64 contacts, and steps in which they touch
// elsewhere. The largest number of any term; 0 under other methods.
HF_API long long hf_sensitivity_loose_steps(const hf_sensitivity *sensitivity);

// values[k * terms + i] := d(channels[k])/d(term i) at the sim's present time. Channels of modes
// have derivative 0. HF_ERROR_STATE: there is none any more, and why: two events at once, an event
// that is only grazed, one that happens on one side of the present number alone, an impact of a
// method of fixed steps, or a state that the caller has set, restored or reset meanwhile.
HF_API HF_NODISCARD hf_status hf_sim_sensitivity(hf_sim *sim, const hf_channel *channels, int count,
                                                 double *values, hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
