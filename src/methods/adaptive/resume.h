// SPDX-License-Identifier: Apache-2.0
// Saved runs of the adaptive methods, which go on to the bit as if they had not been interrupted.
//
// SUNDIALS does not give away what its integrators remember: past states, order, step. It is
// repeated instead: a saved run holds the state in which the integrator last began, how many
// internal steps it took since, and what happened in between that rates depend on. The same steps
// from the same beginning end in the same memory, to the bit. Integrators begin anew after so many
// steps, saved or not (HF_INTEGRATOR_STEPS): a restored run repeats no more than that.
//
// All of it is in sim->kept: the beginning is written there when the integrator begins, the rest
// when the run is saved.
#ifndef HF_METHODS_ADAPTIVE_RESUME_H
#define HF_METHODS_ADAPTIVE_RESUME_H

#include "base/carve.h"
#include "methods/adaptive/integrator.h"
#include "shapes/track.h"
#include "swarm/swarm.h"

typedef struct hf_element hf_element;

// What happened between two internal steps that rates depend on, without a beginning.
typedef struct hf_note {
    long long steps; // after so many
    int element;     // a slip that turned: its new aim; -1: a state was recorded; -2: a horizon
    double time;     // of that [s]
    double aim[3];   // of a horizon: the horizon itself [s]
} hf_note;

// Where the integrator is full of notes it begins anew.
enum { HF_NOTES = 256 };

typedef struct hf_resume_head {
    // The beginning
    double start, first_step, longest, log_step;
    bool stiff;
    int pause_every, note_count;
    long long steps;
    // The present
    double from, until, front, searched, stride, root_at, horizon;
    long long paused_at, spent, seen[3];
    double window;
    int window_count, stalled;
    bool look_again, anew, pairs_changed;
} hf_resume_head;

typedef struct hf_resume {
    hf_resume_head *head;
    // The beginning
    double *x;             // [n]
    double *modes;         // [forces] mode_before
    hf_vec3 *references;   // of couplings
    hf_pair_memory *pairs; // of swarms, one after the other
    bool *needed;          // [n]
    double *law_modes;     // of laws that switch
    hf_element *elements;
    hf_note *notes; // [HF_NOTES]
    // The present
    double *known, *inputs, *known_modes;
    double *root_values; // [roots]
    int *fallen;
    hf_element *elements_now;
    hf_spot *looked; // [poses] where features of shapes were looked for
} hf_resume;

// hf_method_table's kept_size, keep and resume.
size_t hf_resume_size(const hf_model *model);
void hf_resume_keep(const hf_sim *sim);
HF_NODISCARD hf_status hf_resume_go_on(hf_sim *sim, hf_error *error);

// The integrator began.
void hf_resume_begin(hf_sim *sim);
// A slip turned; a state was recorded. Where no room is left the integrator is to begin anew.
void hf_resume_note_turn(hf_sim *sim, int element);
void hf_resume_note_state(hf_sim *sim);
void hf_resume_note_horizon(hf_sim *sim);

#endif
