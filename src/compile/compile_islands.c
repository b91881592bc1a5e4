// SPDX-License-Identifier: Apache-2.0
// Islands: stepwise forces that share a mass, a rigid body or a tree, found by joining.
#include <stdlib.h>

#include "base/error.h"
#include "base/sets.h"
#include "compile/slots.h"

typedef struct member {
    int root, item;
} member;

static int by_root(const void *a, const void *b)
{
    const member *x = a, *y = b;
    return x->root != y->root ? (x->root < y->root ? -1 : 1)
                              : (x->item > y->item) - (x->item < y->item);
}

// Movers that loops join stay together.
static void join_clusters(const hf_model *model, int *parent)
{
    for (int i = 0; i < model->cluster_count; ++i) {
        const hf_cluster *cluster = &model->clusters[i];
        const hf_cluster_mover *movers = model->cluster_movers + cluster->first_mover;
        for (int k = 1; k < cluster->mover_count; ++k) { // in the order of their numbers
            parent[movers[k].mover] = movers[0].mover;
        }
    }
}

// A mover that is used brings its cluster.
static void use(const hf_model *model, int mover, bool *used)
{
    int index = model->cluster_count == 0 ? -1 : model->mover_clusters[mover];
    used[mover] = true;
    for (int k = 0; index >= 0 && k < model->clusters[index].mover_count; ++k) {
        used[model->cluster_movers[model->clusters[index].first_mover + k].mover] = true;
    }
}

// Whether a force is solved together with others: stepwise forces; or with `exact` those that exact
// methods solve for, rigid contacts that have rows among them.
static bool is_joined(const hf_force_place *force, bool exact)
{
    bool stepwise = force->info != NULL && force->info->needs_applied;
    return exact ? (stepwise && force->exact != HF_EXACT_NONE) ||
                       (force->exact == HF_EXACT_CONTACT &&
                        (force->dim > 0 || force->ops->needs_collider))
                 : stepwise;
}

// Whether a force's level is in proportion to one that is solved for too.
static bool is_loaded(const hf_model *model, const hf_force_place *force, bool contacts)
{
    return is_joined(force, contacts) && force->normal_force >= 0 &&
           is_joined(&model->forces[force->normal_force], contacts);
}

// The mover whose coordinates a driven body at an end of a force copies, by its number; -1: none.
static int leader_of(const hf_model *model, hf_body body)
{
    const hf_body_place *place = body.id == 0 ? NULL : &model->bodies[body.id - 1];
    int drive = place != NULL && place->nv > 0 ? model->drive_at[place->v] : -1;
    int v = drive < 0 ? -1 : model->drives[drive].follow_v;
    for (int i = 0; v >= 0 && i < model->mover_count; ++i) {
        if (v >= model->movers[i].v && v < model->movers[i].v + model->movers[i].nv) {
            return i;
        }
    }
    return -1;
}

// A force on a body that copies another's motion depends on what that one does.
static void join_leaders(const hf_model *model, const hf_force_place *force, int mover, int *parent,
                         bool *used)
{
    hf_frame ends[HF_COUPLING_MAX_TERMS];
    int count = force->ops->ends(&force->coupling_def, ends);
    for (int i = 0; i < count; ++i) {
        int leader = leader_of(model, ends[i].body);
        if (leader >= 0) {
            use(model, leader, used);
            hf_sets_join(parent, mover, leader);
        }
    }
}

// Joins the movers of all members of a force between shapes, any of which may touch. Returns the
// first; -1: none.
static int join_members(const hf_model *model, const hf_force_place *force, int *parent, bool *used)
{
    const hf_coupling_def *def = &force->coupling_def;
    int first = -1;
    for (int i = 0; i < def->member_count; ++i) {
        int leader = leader_of(model, def->members[i]);
        int mover = leader >= 0 ? leader : model->bodies[def->members[i].id - 1].mover;
        if (mover >= 0) {
            use(model, mover, used);
            first = first < 0 ? mover : first;
            hf_sets_join(parent, first, mover);
        }
    }
    return first;
}

// Joins movers over such forces, and those of a force with those of what loads it; notes each such
// force with its first mover. Returns how many.
static int join(const hf_model *model, bool contacts, int *parent, bool *used, member *forces)
{
    int count = 0;
    for (int i = 0; i < model->force_count; ++i) {
        int movers[HF_COUPLING_MAX_TERMS];
        // Movers of one force
        if (!is_joined(&model->forces[i], contacts)) {
            continue;
        }
        if (model->forces[i].ops->needs_collider) {
            int any = join_members(model, &model->forces[i], parent, used);
            if (any >= 0) {
                forces[count++] = (member){.root = any, .item = i};
            }
            continue;
        }
        int mover_count = hf_force_movers(model, &model->forces[i], movers);
        if (mover_count == 0) {
            continue;
        }
        int first = movers[0];
        use(model, first, used);
        for (int k = 1; k < mover_count; ++k) {
            use(model, movers[k], used);
            hf_sets_join(parent, first, movers[k]);
        }
        // Those whose motion a driven body copies, and those of what loads it
        if (contacts) {
            join_leaders(model, &model->forces[i], first, parent, used);
        }
        if (is_loaded(model, &model->forces[i], contacts) &&
            hf_force_movers(model, &model->forces[model->forces[i].normal_force], movers) > 0) {
            hf_sets_join(parent, first, movers[0]);
        }
        forces[count++] = (member){.root = first, .item = i};
    }
    return count;
}

static hf_status fill(hf_model *model, const member *forces, int force_count, const member *members,
                      int mover_count, hf_islands *out, hf_error *error)
{
    hf_island *islands;
    int *listed;
    int *movers;
    HF_ALLOC(islands, force_count);
    HF_ALLOC(listed, force_count);
    HF_ALLOC(movers, mover_count);
    *out = (hf_islands){.islands = islands, .forces = listed, .movers = movers};
    // An island for each root
    for (int f = 0, u = 0; f < force_count;) {
        hf_island *island = &islands[out->count++];
        int root = forces[f].root;
        island->first_force = f;
        island->first_mover = u;
        // its forces, then its movers
        for (; f < force_count && forces[f].root == root; ++f) {
            listed[f] = forces[f].item;
            const hf_force_place *force = &model->forces[forces[f].item];
            island->rows +=
                force->dim + hf_force_slots(model, force) * hf_force_slot_rows(model, force);
            island->force_count += 1;
        }
        for (; u < mover_count && members[u].root == root; ++u) {
            movers[u] = members[u].item;
            island->mover_count += 1;
        }
        if (island->rows > out->largest) {
            out->largest = island->rows;
        }
    }
    return HF_OK;
}

static hf_status find_islands(hf_model *model, bool contacts, hf_islands *out, hf_error *error)
{
    int movers = model->mover_count, mover_count = 0;
    int *parent;
    bool *used;
    member *forces, *members;
    HF_ALLOC(parent, movers);
    HF_ALLOC(used, movers);
    HF_ALLOC(forces, model->force_count);
    HF_ALLOC(members, movers);
    for (int i = 0; i < movers; ++i) {
        parent[i] = i;
    }
    join_clusters(model, parent);
    int force_count = join(model, contacts, parent, used, forces);
    for (int i = 0; i < force_count; ++i) {
        forces[i].root = hf_sets_root(parent, forces[i].root);
    }
    for (int i = 0; i < movers; ++i) {
        if (used[i]) {
            members[mover_count++] = (member){.root = hf_sets_root(parent, i), .item = i};
        }
    }
    qsort(forces, (size_t)force_count, sizeof *forces, by_root);
    qsort(members, (size_t)mover_count, sizeof *members, by_root);
    return fill(model, forces, force_count, members, mover_count, out, error);
}

hf_status hf_compile_islands(hf_model *model, hf_error *error)
{
    hf_islands stepwise = {0};
    bool contacts = false; // or loads, bodies that copy others, stepwise forces that are not exact
    HF_TRY(find_islands(model, false, &stepwise, error));
    model->islands = stepwise.islands;
    model->step_forces = stepwise.forces;
    model->island_movers = stepwise.movers;
    model->island_count = stepwise.count;
    model->largest_island = stepwise.largest;
    for (int i = 0; i < model->force_count; ++i) {
        contacts = contacts || model->forces[i].exact == HF_EXACT_CONTACT ||
                   is_loaded(model, &model->forces[i], true) ||
                   (is_joined(&model->forces[i], false) && !is_joined(&model->forces[i], true));
    }
    for (int i = 0; i < model->drive_count; ++i) {
        contacts = contacts || model->drives[i].follow_v >= 0;
    }
    model->exact = stepwise;
    return contacts ? find_islands(model, true, &model->exact, error) : HF_OK;
}
