// SPDX-License-Identifier: Apache-2.0
// Swarms: spheres of which any two may touch. Pairs that are near are found between steps by a
// grid; each keeps the state of its contact for as long as it stays near. Pairs are in the order of
// their members, so that the same machine gives the same bits.
//
// A pair's numbers are those of 1 kg times its reduced mass, unless a stiffness is given:
// frequency, restitution and stability are then the same for all pairs, whatever their masses.
#ifndef HF_SYSTEM_SWARM_H
#define HF_SYSTEM_SWARM_H

#include <holdfast/sim.h>

#include "couplings/contact.h"
#include "system/model_data.h"

// In a sim: the pairs of one swarm.
typedef struct hf_pair {
    int on, to;        // members, on < to
    double mode;       // at the beginning of the step
    hf_vec3 reference; // tangent direction, couplings/spheres.c
} hf_pair;

typedef struct hf_swarm_state {
    // Saved.
    int *count;      // pairs; negative: more were needed than there is room for
    hf_pair *pairs;  // [capacity]
    hf_vec3 *places; // [members] where the pairs were looked for
    double *skin;    // and how far apart spheres may be to be listed [m]
    // Scratch.
    hf_pair *old_pairs;         // [capacity]
    double *old_y;              // [capacity * 3]
    double *force, *mode;       // [capacity * 3], [capacity]: of the last evaluation
    hf_contact_place *contacts; // [capacity] of the last evaluation, where there is a force
    int *cells, *next;          // hash table of cells, and the members of each
    int *keys;                  // [members * 3] cell coordinates
} hf_swarm_state;

// Lists near pairs anew when spheres have moved so far that one could have been missed.
void hf_swarms_update(hf_sim *sim);
// Laws of all pairs of a swarm: forces and y', stored energy, heat and sum of normal forces.
void hf_swarm_eval(hf_sim *sim, int force, double tau, const double *y, double *dy, double *dw);
// Their forces on the bodies.
void hf_swarms_phi(hf_sim *sim);
// Modes and depths at the beginning of a step.
void hf_swarms_note(hf_sim *sim);
// How deep the deepest pair was when it was first listed, at t = 0 [m].
double hf_swarm_depth(const hf_sim *sim, int swarm);
// Pairs near each other at the beginning of the last step, and those that touch.
void hf_swarm_count(const hf_swarm_state *swarm, int *pairs, int *touching);
// HF_ERROR_RANGE when a swarm has more near pairs than room.
hf_status hf_swarms_check(const hf_sim *sim, hf_error *error);

#endif
