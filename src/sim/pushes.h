// SPDX-License-Identifier: Apache-2.0
// What contacts exert at the present state, one by one, for channels: under methods whose contacts
// are forces of the state. Those that solve for the impulses of a step tell them themselves
// (hf_method_table.contact_wrench).
#ifndef HF_SIM_PUSHES_H
#define HF_SIM_PUSHES_H

#include "couplings/contact.h"

struct hf_sim;

// What a contact does to `on`, in world axes; `to` gets the opposite.
typedef struct hf_contact_push {
    int on, to;                 // poses; 0: the world
    int scenery;                // id of the static body that is the world here; 0: none
    hf_vec3 on_place, to_place; // where it acts on each [m]
    hf_vec3 force, torque;      // [N], [Nm]
} hf_contact_push;

typedef void hf_push_taker(void *context, const hf_contact_push *push);

// The push of forces f on the `dim` rows of a contact.
hf_contact_push hf_contact_push_of(const hf_pose *poses, int on, int to,
                                   const hf_contact_place *place, int dim, const double *f);
// Adds it to wrenches by pose.
void hf_push_add(const hf_pose *poses, hf_wrench *wrenches, const hf_contact_push *push);
// Hands over those of all contacts of a sim that was refreshed.
void hf_sim_pushes(const struct hf_sim *sim, hf_push_taker *take, void *context);
// Their sum on the body of a channel that was asked for (model->asked), about its origin, of a sim
// that was refreshed. Found for all such channels at once. Of methods in steps: over the last one.
hf_wrench hf_sim_asked_wrench(struct hf_sim *sim, int index);
// Methods in steps whose contacts are forces (discrete): what they exert over the step, as its
// forces have just been found, for channels that tell it when it is over. Driven bodies are a step
// ahead then, as they never are between steps.
void hf_sim_keep_pushes(struct hf_sim *sim);

#endif
