// SPDX-License-Identifier: Apache-2.0
// Adaptive methods: what a sim keeps for them.
#ifndef HF_METHODS_ADAPTIVE_ADAPTIVE_H
#define HF_METHODS_ADAPTIVE_ADAPTIVE_H

#include "methods/adaptive/integrator.h"

typedef struct hf_switch hf_switch;

// One block of memory, of the sim's allocator; exact friction has another.
typedef struct hf_adaptive {
    hf_integrator integrator;
    double *known;       // the state as the last step left it
    double *inputs;      // the inputs that it knew
    double *known_modes; // the modes that it knew, by force
    bool *held;          // by force: whether its level depends on the regime it begins a step in
    // Contacts that no step may pass over (horizon.c). NULL and false: there are none.
    double *gaps, *rates; // [rows] at the last look
    hf_vec3 *velocities;  // [poses] the same
    hf_vec3 *spins;       // [poses] the same
    double *frequencies;  // by force, of contacts [rad/s]
    bool watches;
    hf_law_switch *functions; // [model->switch_count] of laws
    bool *switched;           // [the same] those that fell
    double switch_window;     // since when switches of laws are counted [s]
    int switch_window_count;
    hf_switch *exact; // HF_METHOD_SWITCH; NULL: HF_METHOD_ADAPTIVE
} hf_adaptive;

static inline hf_adaptive *hf_adaptive_of(const hf_sim *sim)
{
    return sim->work;
}

// Whether the integrator's past belongs to the present state: nothing else changed what the future
// depends on, and no input jumps here.
bool hf_adaptive_goes_on(hf_sim *sim);
// Remembers the present state as the integrator's own.
void hf_adaptive_settle(hf_sim *sim);
// Where a signal switched before `end`: what a jump of driven positions put into springs.
void hf_adaptive_cross(hf_sim *sim, double end);
// To `end`, to where a signal switches or to the first event, with a commit there.
hf_reach hf_adaptive_reach(hf_sim *sim, double end, hf_error *error);

// Whether some contact could be passed over, and how long none can be, from the present state on
// [s]. The rate there is sim->k.
bool hf_adaptive_needs_horizon(const hf_model *model);
double hf_adaptive_horizon(hf_sim *sim);

// Exact friction (switch.c)
HF_NODISCARD hf_status hf_switch_create(hf_sim *sim, hf_error *error);
void hf_switch_destroy(hf_sim *sim);
HF_NODISCARD hf_status hf_switch_advance(hf_sim *sim, double end, hf_error *error);
void hf_switch_forces(hf_sim *sim, int first, int end, double *dw);
void hf_switch_refresh(hf_sim *sim);
// Coordinates that stick, for loops that close (loops.h).
void hf_switch_hold(hf_sim *sim);

#endif
