// SPDX-License-Identifier: Apache-2.0
// Room for points of contact between shapes under methods that solve for each as a constraint: rows
// behind those of the forces.
#ifndef HF_COMPILE_SLOTS_H
#define HF_COMPILE_SLOTS_H

#include "compile/model_data.h"

// Features of a pair that may be near each other, and the most of a force: all that touch are one
// dense problem.
enum { HF_SLOTS_A_PAIR = 32, HF_SLOTS_MOST = 384 };

// Points that a force between shapes has room for; 0: it is none, or its law is no rigid contact.
static inline int hf_force_slots(const hf_model *model, const hf_force_place *force)
{
    if (!force->ops->needs_collider || force->exact != HF_EXACT_CONTACT) {
        return 0;
    }
    int pairs = hf_model_pairs(model, &force->coupling_def);
    return pairs < HF_SLOTS_MOST / HF_SLOTS_A_PAIR ? HF_SLOTS_A_PAIR * pairs : HF_SLOTS_MOST;
}

// Rows of one of them.
static inline int hf_force_slot_rows(const hf_model *model, const hf_force_place *force)
{
    return force->coupling_def.turning || model->surfaces_turn ? 6 : 3;
}

// Rows of all.
static inline int hf_model_slot_rows(const hf_model *model)
{
    int rows = 0;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        rows += hf_force_slots(model, force) * hf_force_slot_rows(model, force);
    }
    return rows;
}

#endif
