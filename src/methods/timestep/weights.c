// SPDX-License-Identifier: Apache-2.0
// Movers and the factors of their mass matrices, M = L L'.
#include <math.h>
#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "base/sets.h"
#include "loops/loops.h"
#include "methods/timestep/timestep.h"
#include "solvers/small/rows.h"

void *hf_ts_grow(const hf_allocator *allocator, void *items, size_t used, size_t count,
                 size_t *capacity, size_t size)
{
    if (count <= *capacity) {
        return items;
    }
    size_t larger = *capacity > SIZE_MAX / 4 ? count : 2 * *capacity;
    larger = larger > count ? larger : count;
    if (larger > SIZE_MAX / 2 / size) {
        return NULL;
    }
    void *grown = allocator->allocate(allocator->context, larger * size);
    if (grown == NULL) {
        return NULL;
    }
    if (items != NULL) {
        memcpy(grown, items, used * size);
        allocator->release(allocator->context, items);
    }
    *capacity = larger;
    return grown;
}

// ------------------------------------------------------------------------------------------------
// Creation

static size_t factor_size(const hf_mover *mover)
{
    return mover->ops->factor_size == NULL ? 0 : mover->ops->factor_size(mover->body);
}

static void number_movers(hf_timestep *ts, const hf_model *model)
{
    double *l = ts->motion.factors;
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        const hf_mover *mover = &model->movers[i];
        ts->machine.movers[i] = (hf_ts_mover){.ops = mover->ops,
                                              .body = mover->body,
                                              .mass = l,
                                              .l = l,
                                              .v = mover->v,
                                              .count = mover->nv};
        l += factor_size(mover);
    }
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        for (int k = 0; k < ts->machine.movers[i].count; ++k) {
            ts->machine.velocity_mover[ts->machine.movers[i].v + k] = i;
        }
    }
}

static bool is_clustered(const hf_model *model, int mover)
{
    return model->cluster_count > 0 && model->mover_clusters[mover] >= 0;
}

// A contact has two sides. Movers of a force that acts on more of them are one group, and so are
// those of an implicit force, with the loops that they belong to: the first of them is their root.
static void join_movers(const hf_timestep *ts, const hf_model *model, int *root)
{
    int movers[HF_COUPLING_MAX_TERMS];
    hf_sets_clear(root, ts->machine.mover_count);
    // Forces that are solved for
    for (int i = 0; i < model->force_count; ++i) {
        int count =
            hf_ts_owns(&model->forces[i]) ? hf_force_movers(model, &model->forces[i], movers) : 0;
        bool loops = false; // then they are in two groups (hf_timestep_admits)
        for (int k = 0; k < count; ++k) {
            loops = loops || is_clustered(model, movers[k]);
        }
        for (int k = 1; k < count && count > 2 && !loops; ++k) {
            hf_sets_join(root, movers[0], movers[k]);
        }
    }
    // Loops
    for (int i = 0; i < model->cluster_count; ++i) {
        const hf_cluster *cluster = &model->clusters[i];
        const hf_cluster_mover *members = &model->cluster_movers[cluster->first_mover];
        for (int k = 1; k < cluster->mover_count; ++k) {
            hf_sets_join(root, members[0].mover, members[k].mover);
        }
    }
    // Implicit forces
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        int count = hf_force_movers(model, &model->forces[ts->implicit.terms[i].force], movers);
        for (int k = 1; k < count; ++k) {
            hf_sets_join(root, movers[0], movers[k]);
        }
    }
    // From sets to the root of each mover
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        root[i] = hf_sets_root(root, i);
    }
}

// Chains the movers of each group, from its root to its last: next[mover], -1 at the end.
static void chain_movers(const hf_timestep *ts, const int *root, int *next)
{
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        next[i] = -1;
    }
    for (int i = ts->machine.mover_count - 1; i >= 0; --i) {
        if (root[i] != i) {
            next[i] = next[root[i]];
            next[root[i]] = i;
        }
    }
}

static void put_in_group(hf_timestep *ts, int mover, int *s)
{
    ts->machine.movers[mover].group = ts->machine.group_count;
    ts->machine.movers[mover].s = *s;
    *s += ts->machine.movers[mover].count;
}

// Clusters first, then the movers that are in none. Each group has its numbers side by side: of its
// clusters, then of its other movers.
void hf_ts_number_groups(hf_timestep *ts, const hf_model *model)
{
    int *root = ts->delassus.group_start, *next = ts->machine.first; // not otherwise used yet
    size_t q = 0;
    int s = 0;
    ts->machine.group_count = 0;
    // Movers that belong together, as chains
    join_movers(ts, model, root);
    chain_movers(ts, root, next);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        ts->machine.movers[i].group = -1;
    }
    // Groups with loops come first, their movers in the order of clusters
    for (int i = 0; i < model->cluster_count + ts->machine.mover_count; ++i) {
        bool loops = i < model->cluster_count;
        int first = loops ? model->cluster_movers[model->clusters[i].first_mover].mover
                          : i - model->cluster_count;
        if (ts->machine.movers[first].group >= 0) {
            continue;
        }
        hf_ts_group *group = &ts->machine.groups[ts->machine.group_count];
        *group = (hf_ts_group){.s = s, .cluster = loops ? i : -1, .q = q};
        size_t rows = 0;
        for (int c = i; c < model->cluster_count && (c == i || ts->implicit.term_count > 0); ++c) {
            const hf_cluster *cluster = &model->clusters[c];
            const hf_cluster_mover *members = &model->cluster_movers[cluster->first_mover];
            for (int k = 0; k < cluster->mover_count && root[members[0].mover] == root[first];
                 ++k) {
                put_in_group(ts, members[k].mover, &s);
            }
            rows += root[members[0].mover] == root[first] ? (size_t)cluster->rows : 0;
        }
        for (int k = root[first]; k >= 0; k = next[k]) {
            if (ts->machine.movers[k].group < 0) {
                put_in_group(ts, k, &s);
            }
        }
        group->count = s - group->s;
        q += rows * (size_t)group->count;
        ++ts->machine.group_count;
    }
    // Where each begins
    ts->machine.s_count = s;
    for (int i = 0; i < ts->machine.group_count; ++i) {
        ts->machine.first[i] = ts->machine.groups[i].s;
    }
    ts->machine.first[ts->machine.group_count] = s;
}

static void find_poses(hf_timestep *ts, const hf_model *model)
{
    for (int i = 0; i < model->pose_count; ++i) {
        ts->machine.pose_mover[i] = -1;
    }
    for (int i = 0; i < model->body_count; ++i) {
        const hf_body_place *body = &model->bodies[i];
        if (body->pose < 0) {
            continue;
        }
        ts->machine.pose_body[body->pose] = i + 1;
        // A tree whose joints are all fixed does not move.
        if (body->mover >= 0 && ts->machine.movers[body->mover].count > 0) {
            ts->machine.pose_mover[body->pose] = body->mover;
        }
    }
}

// Everything whose size the model knows, in one block, which begins with the movers.
static void lay_out(const hf_model *model, hf_timestep *ts, hf_carver *c)
{
    size_t movers = (size_t)ts->machine.mover_count, poses = (size_t)model->pose_count;
    size_t nv = (size_t)model->nv, forces = (size_t)model->force_count;
    size_t factors = 0, loops = 0, widest = 6; // velocities of a rigid body
    for (int i = 0; i < model->mover_count; ++i) {
        size_t n = (size_t)model->movers[i].nv;
        factors += factor_size(&model->movers[i]);
        widest = n > widest ? n : widest;
    }
    for (int i = 0; i < model->cluster_count; ++i) {
        loops += (size_t)model->clusters[i].rows * nv; // implicit forces may join all
    }
    // By mover, force and pose
    ts->machine.movers = hf_carve(c, movers, sizeof *ts->machine.movers);
    ts->machine.groups = hf_carve(c, movers, sizeof *ts->machine.groups);
    ts->implicit.terms = hf_carve(c, forces, sizeof *ts->implicit.terms);
    ts->drive.pose = hf_carve(c, poses, sizeof *ts->drive.pose);
    ts->drive.pose_before = hf_carve(c, poses, sizeof *ts->drive.pose_before);
    ts->drive.spin = hf_carve(c, poses, sizeof *ts->drive.spin);
    ts->drive.spin_before = hf_carve(c, poses, sizeof *ts->drive.spin_before);
    ts->motion.pose_velocity = hf_carve(c, poses, sizeof *ts->motion.pose_velocity);
    ts->motion.pose_spin = hf_carve(c, poses, sizeof *ts->motion.pose_spin);
    ts->motion.pose_middle = hf_carve(c, poses, sizeof *ts->motion.pose_middle);
    ts->motion.pose_begin = hf_carve(c, poses, sizeof *ts->motion.pose_begin);
    ts->motion.factors = hf_carve(c, factors, sizeof(double));
    ts->motion.loop_rows = hf_carve(c, loops, sizeof(double));
    ts->scratch.jacobian = hf_carve_matrix(c, 7, widest, sizeof(double));
    // s_size is by mover, of which there are no more than velocities.
    double **by_velocity[] = {&ts->drive.v,         &ts->drive.v_before,  &ts->drive.v_end,
                              &ts->motion.free_v,   &ts->motion.s_before, &ts->motion.s_free,
                              &ts->motion.s_change, &ts->motion.s_after,  &ts->motion.s_size,
                              &ts->motion.s_load,   &ts->motion.s_way,    &ts->motion.s_driven};
    for (size_t i = 0; i < sizeof by_velocity / sizeof *by_velocity; ++i) {
        *by_velocity[i] = hf_carve(c, nv, sizeof(double));
    }
    // Loads, scratch and tables of indices
    ts->loads.impulse = hf_carve(c, forces, sizeof(double));
    ts->loads.side = hf_carve(c, forces, sizeof(int));
    ts->loads.lambda = hf_carve(c, (size_t)model->loop_row_count, sizeof(double));
    ts->scratch.spare = hf_carve(c, 2 * (size_t)model->nq + 7 * nv, sizeof(double));
    ts->scratch.work = hf_carve_matrix(c, 2, movers, sizeof(double));
    int **by_pose[] = {&ts->machine.pose_mover, &ts->machine.pose_body};
    for (size_t i = 0; i < sizeof by_pose / sizeof *by_pose; ++i) {
        *by_pose[i] = hf_carve(c, poses, sizeof(int));
    }
    ts->machine.velocity_mover = hf_carve(c, nv, sizeof(int));
    ts->delassus.group_start = hf_carve(c, movers + 1, sizeof(int));
    ts->machine.first = hf_carve(c, movers + 1, sizeof(int));
    ts->machine.partner = hf_carve(c, forces, sizeof(int));
    ts->machine.ball = hf_carve(c, forces, sizeof(int));
    ts->machine.chain = hf_carve(c, nv, sizeof(int));
    size_t width = nv < HF_TS_QUICK_WIDTH ? nv : HF_TS_QUICK_WIDTH;
    ts->scratch.matrix = hf_carve_matrix(c, width, 2 * width + 2, sizeof(double));
}

static bool allocate_movers(hf_sim *sim, hf_timestep *ts)
{
    hf_carver counter = {0};
    lay_out(sim->model, ts, &counter);
    size_t size = counter.used + 1; // an allocator may refuse nothing at all
    char *block = counter.overflow ? NULL : sim->allocator.allocate(sim->allocator.context, size);
    if (block == NULL) {
        return false;
    }
    memset(block, 0, size);
    lay_out(sim->model, ts, &(hf_carver){.base = block});
    return true;
}

// The end of the way on which both a way and a velocity lie; HF_TS_ANYWHERE: they are on two.
static int join_ways(const int *above, int leaf, int other)
{
    int far = leaf > other ? leaf : other, near = leaf > other ? other : leaf, k = far;
    if (leaf == HF_TS_ANYWHERE || other == HF_TS_ANYWHERE) {
        return HF_TS_ANYWHERE;
    }
    while (k > near) {
        k = above[k];
    }
    return k == near || near < 0 ? far : HF_TS_ANYWHERE;
}

// The end of the way of a tree on which a force acts: by its coordinates, or by its ends.
static int leaf_of(const hf_model *model, const hf_timestep *ts, const hf_force_place *force,
                   const hf_ts_mover *mover)
{
    const int *above = mover->ops->above(mover->body);
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
    hf_frame ends[HF_COUPLING_MAX_TERMS];
    int leaf = -1;
    for (int row = 0; row < force->dim && force->ops->terms != NULL; ++row) {
        int count = force->ops->terms(force->item, row, terms);
        for (int k = 0; k < count && leaf != HF_TS_ANYWHERE; ++k) {
            bool moves = ts->machine.velocity_mover[terms[k].v] >= 0;
            leaf = join_ways(above, leaf, moves ? terms[k].v - mover->v : HF_TS_ANYWHERE);
        }
    }
    if (force->ops->terms != NULL) {
        return leaf;
    }
    int count = force->ops->ends == NULL ? 0 : force->ops->ends(&force->coupling_def, ends);
    for (int k = 0; k < count && leaf != HF_TS_ANYWHERE; ++k) {
        const hf_body_place *place =
            ends[k].body.id == 0 ? NULL : &model->bodies[ends[k].body.id - 1];
        bool here = place != NULL && place->mover >= 0 && place->pose >= 0;
        leaf = here ? join_ways(above, leaf, mover->ops->leaf(mover->body, place->pose)) : leaf;
    }
    return count == 0 ? HF_TS_ANYWHERE : leaf;
}

// Whether implicit forces on a mover, which is a group, act on single ways of it; then their
// leaves.
static bool find_leaves(const hf_model *model, hf_timestep *ts, const hf_ts_mover *mover)
{
    bool all = true;
    for (int i = 0; i < ts->implicit.term_count && all; ++i) {
        hf_ts_term *term = &ts->implicit.terms[i];
        if (term->group == mover->group) {
            term->leaf = leaf_of(model, ts, &model->forces[term->force], mover);
            all = term->leaf >= 0;
        }
    }
    for (int i = 0; i < ts->implicit.term_count && !all; ++i) {
        hf_ts_term *term = &ts->implicit.terms[i];
        term->leaf = term->group == mover->group ? HF_TS_ANYWHERE : term->leaf;
    }
    return all;
}

// Whether the factor of a group's implicit forces is found with its mass in one. What needs to know
// how its rows feel the mass alone (slopes that vary, feedback) has them apart.
static bool is_merged(const hf_timestep *ts, const hf_model *model, const hf_ts_mover *mover)
{
    const hf_ts_group *group = &ts->machine.groups[mover->group];
    bool merged = group->stiff && group->ways != ts->machine.chain && mover->ops->momentum != NULL;
    for (int i = 0; i < ts->implicit.term_count && merged; ++i) {
        const hf_ts_term *term = &ts->implicit.terms[i];
        merged = term->group != mover->group ||
                 (!term->varies && model->forces[term->force].info != NULL);
    }
    return merged;
}

// Which numbers rows of a group may have.
static void find_branches(const hf_model *model, hf_timestep *ts)
{
    for (int i = 0; i < ts->machine.s_count; ++i) {
        ts->machine.chain[i] = i - 1;
    }
    for (int i = 0; i < ts->machine.group_count; ++i) {
        ts->machine.groups[i].above = ts->machine.groups[i].ways = ts->machine.chain;
    }
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        const hf_ts_mover *mover = &ts->machine.movers[i];
        hf_ts_group *group = &ts->machine.groups[mover->group];
        group->jointed = group->jointed || mover->ops->above != NULL || group->cluster >= 0;
        if (mover->ops->above != NULL && group->count == mover->count &&
            find_leaves(model, ts, mover)) {
            group->ways = mover->ops->above(mover->body);
            group->above = group->cluster < 0 ? group->ways : group->above;
            group->merged = is_merged(ts, model, mover);
        }
    }
}

hf_status hf_ts_movers_create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    ts->machine.mover_count = model->mover_count;
    if (!allocate_movers(sim, ts)) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for method timestep");
    }
    for (int i = 0; i < model->nv; ++i) {
        ts->machine.velocity_mover[i] = -1;
    }
    number_movers(ts, model);
    hf_ts_number_groups(ts, model);
    find_poses(ts, model);
    HF_TRY(hf_ts_terms_create(sim, error));
    find_branches(model, ts);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Factors now

void hf_ts_keep_loops(const hf_timestep *ts, const hf_ts_group *group, double *s)
{
    hf_rows_remove(ts->motion.loop_rows + group->q, group->rank, (size_t)group->count, s);
}

// L^-1 J' of the rows of a cluster that hold something, one behind the other. Returns how many.
static int fill_loop_rows(hf_sim *sim, const hf_ts_group *group, const hf_cluster *cluster,
                          double *rows)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    size_t n = (size_t)group->count;
    int count = 0;
    for (int r = 0; r < cluster->rows; ++r) {
        double *row = rows + (size_t)count * n;
        if (state->scale[r] == 0.0) { // it holds nothing
            continue;
        }
        if (group->stiff) {
            memset(row, 0, n * sizeof *row);
        }
        for (int i = 0; i < cluster->mover_count; ++i) {
            const hf_cluster_mover *member = &model->cluster_movers[cluster->first_mover + i];
            const hf_ts_mover *mover = &ts->machine.movers[member->mover];
            int at = r * cluster->columns + member->column;
            if (!group->merged &&
                hf_loops_mass(sim, member->mover) != NULL) { // found with what answers to it
                memcpy(row + (mover->s - group->s), state->halves + at,
                       (size_t)mover->count * sizeof *row);
            } else {
                hf_ts_half(mover, state->jacobian + at, row + (mover->s - group->s));
            }
        }
        ++count;
    }
    if (group->stiff) {
        hf_ts_envelope_half_rows(ts, group, count, rows);
    }
    return count;
}

// Q of a cluster: L^-1 J' of its loops, row by row made orthonormal. Rows that follow from those
// before leave nothing but rounding, and are dropped.
static void orthonormalize(hf_sim *sim, hf_ts_group *group, const hf_cluster *cluster)
{
    const double nothing = 1e-9; // of a row's length
    size_t n = (size_t)group->count;
    double *q = hf_timestep_of(sim)->motion.loop_rows + group->q;
    int first = group->rank, count = fill_loop_rows(sim, group, cluster, q + (size_t)first * n);
    for (int r = first; r < first + count; ++r) {
        if (r != group->rank) {
            memcpy(q + (size_t)group->rank * n, q + (size_t)r * n, n * sizeof *q);
        }
        // What is its own, of length 1
        if (hf_rows_join(q, group->rank, n, nothing)) {
            ++group->rank;
        }
    }
}

// prepared: loops are, at these coordinates.
static hf_status factor_masses(hf_sim *sim, bool prepared, hf_error *error)
{
    const hf_model *model = sim->model;
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_body_io *io = hf_sim_io(sim, sim->x, sim->rest);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        hf_ts_mover *mover = &ts->machine.movers[i];
        const double *there = prepared ? hf_loops_mass(sim, i) : NULL;
        mover->l = mover->mass;
        if (there != NULL) {
            memcpy(mover->l, there, factor_size(&model->movers[i]) * sizeof *there);
        } else if (mover->count > 0 && mover->ops->factor != NULL &&
                   !mover->ops->factor(mover->body, io, mover->l)) {
            const char *name = hf_sim_component(sim, model->nq + mover->v);
            return hf_error_at(error, HF_ERROR_NOT_FINITE, hf_at_time(sim->core->time, NULL, name),
                               "the mass matrix of the body of '%s' is not positive definite",
                               name);
        }
    }
    return HF_OK;
}

hf_status hf_ts_masses_factor(hf_sim *sim, bool prepare, hf_error *error)
{
    bool prepared = prepare && sim->model->cluster_count > 0;
    if (prepared) {
        hf_loops_prepare(sim, sim->x);
    }
    return factor_masses(sim, prepared, error);
}

hf_status hf_ts_movers_factor(hf_sim *sim, double h, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        hf_ts_mover *mover = &ts->machine.movers[i];
        mover->l = ts->machine.groups[mover->group].merged ? NULL : mover->mass;
    }
    HF_TRY(hf_ts_terms_factor(sim, h, error));
    if (model->cluster_count > 0) {
        for (int i = 0; i < ts->machine.group_count; ++i) {
            ts->machine.groups[i].rank = 0;
        }
        for (int i = 0; i < model->cluster_count; ++i) {
            const hf_cluster *cluster = &model->clusters[i];
            int mover = model->cluster_movers[cluster->first_mover].mover;
            orthonormalize(sim, &ts->machine.groups[ts->machine.movers[mover].group], cluster);
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Free spin

void hf_ts_spin(hf_sim *sim, double h, const double *state)
{
    const hf_model *model = sim->model;
    const hf_timestep *ts = hf_timestep_of(sim);
    hf_body_turn turn = {.h = h,
                         .theta = sim->core->method.theta,
                         .q = sim->x,
                         .v = sim->x + model->nq,
                         .there_q = state,
                         .there_v = state + model->nq,
                         .free_v = hf_timestep_of(sim)->motion.free_v,
                         .apart = hf_timestep_of(sim)->implicit.term_count > 0,
                         .work = sim->io.work,
                         .places = sim->io.places,
                         .spare = hf_timestep_of(sim)->scratch.spare,
                         .unsettled = &sim->core->stats.unsettled_turn};
    for (const hf_body_set *set = model->sets; set < model->sets + model->set_count; ++set) {
        if (set->ops->spin != NULL && set->ops->above == NULL) {
            set->ops->spin(set->bodies, set->count, &turn);
        }
    }
    // Trees, with the factors of their masses
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        const hf_ts_mover *mover = &ts->machine.movers[i];
        if (mover->ops->spin != NULL && mover->ops->above != NULL && mover->count > 0) {
            turn.mass = mover->l;
            mover->ops->spin(mover->body, 1, &turn);
        }
    }
}
