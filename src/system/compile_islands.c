// SPDX-License-Identifier: Apache-2.0
// Islands: stepwise forces that share a mass, a rigid body or a tree, found by joining.
#include <stdlib.h>

#include "base/error.h"
#include "system/sim_data.h"

// Units in one numbering: masses, rigid bodies, trees.
static int unit_number(const hf_model *model, hf_unit unit)
{
    return unit.type == HF_BODY_MASS    ? unit.index
           : unit.type == HF_BODY_RIGID ? model->mass_count + unit.index
                                        : model->mass_count + model->rigid_count + unit.index;
}

static hf_unit unit_of(const hf_model *model, int number)
{
    if (number < model->mass_count) {
        return (hf_unit){HF_BODY_MASS, number};
    }
    number -= model->mass_count;
    return number < model->rigid_count ? (hf_unit){HF_BODY_RIGID, number}
                                       : (hf_unit){HF_BODY_LINK, number - model->rigid_count};
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

typedef struct member {
    int root, item;
} member;

static int by_root(const void *a, const void *b)
{
    const member *x = a, *y = b;
    return x->root != y->root ? (x->root < y->root ? -1 : 1)
                              : (x->item > y->item) - (x->item < y->item);
}

// Joins units over stepwise forces; notes each such force with its first unit. Returns how many.
static int join(const hf_model *model, int *parent, bool *used, member *forces)
{
    int count = 0;
    for (int i = 0; i < model->force_count; ++i) {
        hf_unit units[2];
        if (model->forces[i].info == NULL || !model->forces[i].info->needs_applied) {
            continue;
        }
        int unit_count = hf_force_units(model, &model->forces[i], units);
        if (unit_count == 0) {
            continue;
        }
        int first = unit_number(model, units[0]);
        used[first] = true;
        if (unit_count == 2) {
            int second = unit_number(model, units[1]);
            used[second] = true;
            int a = root_of(parent, first), b = root_of(parent, second);
            parent[a > b ? a : b] = a > b ? b : a;
        }
        forces[count++] = (member){.root = first, .item = i};
    }
    return count;
}

static hf_status fill(hf_model *model, const member *forces, int force_count, const member *members,
                      int unit_count, hf_error *error)
{
    hf_island *islands;
    int *step_forces;
    hf_unit *units;
    HF_ALLOC(islands, force_count);
    HF_ALLOC(step_forces, force_count);
    HF_ALLOC(units, unit_count);
    for (int f = 0, u = 0; f < force_count;) {
        hf_island *island = &islands[model->island_count++];
        int root = forces[f].root;
        island->first_force = f;
        island->first_unit = u;
        for (; f < force_count && forces[f].root == root; ++f) {
            step_forces[f] = forces[f].item;
            island->rows += model->forces[forces[f].item].dim;
            island->force_count += 1;
        }
        for (; u < unit_count && members[u].root == root; ++u) {
            units[u] = unit_of(model, members[u].item);
            island->unit_count += 1;
        }
        if (island->rows > model->largest_island) {
            model->largest_island = island->rows;
        }
    }
    model->islands = islands;
    model->step_forces = step_forces;
    model->units = units;
    return HF_OK;
}

hf_status hf_compile_islands(hf_model *model, hf_error *error)
{
    int units = model->mass_count + model->rigid_count + model->tree_count, unit_count = 0;
    int *parent;
    bool *used;
    member *forces, *members;
    HF_ALLOC(parent, units);
    HF_ALLOC(used, units);
    HF_ALLOC(forces, model->force_count);
    HF_ALLOC(members, units);
    for (int i = 0; i < units; ++i) {
        parent[i] = i;
    }
    int force_count = join(model, parent, used, forces);
    for (int i = 0; i < force_count; ++i) {
        forces[i].root = root_of(parent, forces[i].root);
    }
    for (int i = 0; i < units; ++i) {
        if (used[i]) {
            members[unit_count++] = (member){.root = root_of(parent, i), .item = i};
        }
    }
    qsort(forces, (size_t)force_count, sizeof *forces, by_root);
    qsort(members, (size_t)unit_count, sizeof *members, by_root);
    return fill(model, forces, force_count, members, unit_count, error);
}
