// SPDX-License-Identifier: Apache-2.0
// Units and the factors of their mass matrices, M = L L'.
#include <math.h>
#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "loops/loops.h"
#include "math/dense.h"
#include "methods/timestep/timestep.h"

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

// L of I = L L', row by row; the spec has made sure that I is positive definite.
static void factor_inertia(const hf_sym3 *m, double l[6])
{
    double a[9] = {m->xx, 0.0, 0.0, m->xy, m->yy, 0.0, m->xz, m->yz, m->zz};
    (void)hf_cholesky(a, 3);
    memcpy(l, (double[6]){a[0], a[3], a[4], a[6], a[7], a[8]}, 6 * sizeof *l);
}

static void number_units(hf_timestep *ts, const hf_model *model)
{
    hf_ts_unit *unit = ts->units;
    size_t factor = 0;
    for (int i = 0; i < model->mass_count; ++i) {
        const hf_mass *mass = &model->masses[i];
        double root = sqrt(mass->mass);
        *unit++ = (hf_ts_unit){.type = HF_BODY_MASS,
                               .index = i,
                               .v = mass->point.v,
                               .count = mass->point.dim,
                               .root = root,
                               .inverse_root = 1.0 / root};
    }
    for (int i = 0; i < model->rigid_count; ++i) {
        const hf_rigid *rigid = &model->rigids[i];
        double root = sqrt(rigid->mass);
        *unit = (hf_ts_unit){.type = HF_BODY_RIGID,
                             .index = i,
                             .v = rigid->v,
                             .count = 6,
                             .root = root,
                             .inverse_root = 1.0 / root};
        // Positive definite, as the spec has checked.
        factor_inertia(&rigid->inertia, unit->lower);
        ++unit;
    }
    for (int i = 0; i < model->tree_count; ++i) {
        size_t count = (size_t)model->trees[i].tree.nv;
        *unit++ = (hf_ts_unit){.type = HF_BODY_LINK,
                               .index = i,
                               .v = model->trees[i].v,
                               .count = (int)count,
                               .factor = factor};
        factor += count * count;
    }
    for (int i = 0; i < ts->unit_count; ++i) {
        for (int k = 0; k < ts->units[i].count; ++k) {
            ts->velocity_unit[ts->units[i].v + k] = i;
        }
    }
}

static bool is_clustered(const hf_model *model, int unit)
{
    return model->cluster_count > 0 && model->unit_clusters[unit] >= 0;
}

// A contact has two sides. Units of a force that acts on more of them are one group: the first of
// them is their root.
static void join_units(const hf_timestep *ts, const hf_model *model, int *root)
{
    for (int i = 0; i < ts->unit_count; ++i) {
        root[i] = i;
    }
    for (int i = 0; i < model->force_count; ++i) {
        int units[HF_COUPLING_MAX_TERMS];
        int count =
            hf_ts_owns(&model->forces[i]) ? hf_force_units(model, &model->forces[i], units) : 0;
        bool loops = false; // then they are in two groups (hf_timestep_admits)
        for (int k = 0; k < count; ++k) {
            loops = loops || is_clustered(model, units[k]);
        }
        for (int k = 1; k < count && count > 2 && !loops; ++k) {
            int a = root[units[0]], b = root[units[k]], low = a < b ? a : b;
            for (int u = 0; u < ts->unit_count; ++u) {
                root[u] = root[u] == a || root[u] == b ? low : root[u];
            }
        }
    }
}

// Clusters first, then the units that are in none. Each has its numbers side by side.
static void number_groups(hf_timestep *ts, const hf_model *model)
{
    int *root = ts->group_start; // not otherwise used yet
    size_t q = 0;
    int s = 0;
    join_units(ts, model, root);
    for (int i = 0; i < model->cluster_count; ++i) {
        const hf_cluster *cluster = &model->clusters[i];
        hf_ts_group *group = &ts->groups[ts->group_count];
        *group = (hf_ts_group){.s = s, .cluster = i, .q = q};
        for (int k = 0; k < cluster->unit_count; ++k) {
            const hf_cluster_unit *member = &model->cluster_units[cluster->first_unit + k];
            hf_ts_unit *unit = &ts->units[member->unit];
            unit->group = ts->group_count;
            unit->s = s;
            s += unit->count;
        }
        group->count = s - group->s;
        q += (size_t)cluster->rows * (size_t)group->count;
        ++ts->group_count;
    }
    for (int i = 0; i < ts->unit_count; ++i) {
        if (root[i] != i || is_clustered(model, i)) {
            continue;
        }
        int first = s;
        for (int k = i; k < ts->unit_count; ++k) {
            if (root[k] == i) {
                ts->units[k].group = ts->group_count;
                ts->units[k].s = s;
                s += ts->units[k].count;
            }
        }
        ts->groups[ts->group_count++] =
            (hf_ts_group){.s = first, .count = s - first, .cluster = -1};
    }
    ts->s_count = s;
    for (int i = 0; i < ts->group_count; ++i) {
        ts->first[i] = ts->groups[i].s;
    }
    ts->first[ts->group_count] = s;
}

static void find_poses(hf_timestep *ts, const hf_model *model)
{
    for (int i = 0; i < model->pose_count; ++i) {
        ts->pose_unit[i] = -1;
    }
    for (int i = 0; i < model->body_count; ++i) {
        if (model->bodies[i].pose >= 0) {
            ts->pose_body[model->bodies[i].pose] = i + 1;
        }
    }
    for (int i = 0; i < model->mass_count; ++i) {
        if (model->masses[i].point.pose >= 0) {
            ts->pose_unit[model->masses[i].point.pose] = i;
        }
    }
    for (int i = 0; i < model->rigid_count; ++i) {
        ts->pose_unit[model->rigids[i].pose] = model->mass_count + i;
    }
    for (int i = 0; i < model->tree_count; ++i) {
        const hf_tree_body *tree = &model->trees[i];
        for (int k = 0; k < tree->tree.link_count && tree->has_poses; ++k) {
            // A tree whose joints are all fixed does not move.
            ts->pose_unit[tree->pose + k] =
                tree->tree.nv > 0 ? model->mass_count + model->rigid_count + i : -1;
        }
    }
}

// Everything whose size the model knows, in one block, which begins with the units.
static void lay_out(const hf_model *model, hf_timestep *ts, hf_carver *c)
{
    size_t units = (size_t)ts->unit_count, poses = (size_t)model->pose_count;
    size_t nv = (size_t)model->nv, forces = (size_t)model->force_count;
    size_t factors = 0, loops = 0, widest = 6; // velocities of a rigid body
    for (int i = 0; i < model->tree_count; ++i) {
        size_t n = (size_t)model->trees[i].tree.nv;
        factors += n * n;
        widest = n > widest ? n : widest;
    }
    for (int i = 0; i < model->cluster_count; ++i) {
        loops += (size_t)model->clusters[i].rows * (size_t)model->clusters[i].columns;
    }
    ts->units = hf_carve(c, units, sizeof *ts->units);
    ts->groups = hf_carve(c, units, sizeof *ts->groups);
    ts->drive_pose = hf_carve(c, poses, sizeof *ts->drive_pose);
    ts->drive_before = hf_carve(c, poses, sizeof *ts->drive_before);
    ts->factors = hf_carve(c, factors, sizeof(double));
    ts->loop_rows = hf_carve(c, loops, sizeof(double));
    ts->jacobian = hf_carve_matrix(c, 7, widest, sizeof(double));
    // s_size is by unit, of which there are no more than velocities.
    double **by_velocity[] = {&ts->drive_v, &ts->drive_v_before, &ts->free_v,  &ts->s_before,
                              &ts->s_free,  &ts->s_change,       &ts->s_after, &ts->s_size};
    for (size_t i = 0; i < sizeof by_velocity / sizeof *by_velocity; ++i) {
        *by_velocity[i] = hf_carve(c, nv, sizeof(double));
    }
    ts->load = hf_carve(c, forces, sizeof(double));
    ts->work = hf_carve_matrix(c, 2, units, sizeof(double));
    int **by_pose[] = {&ts->pose_unit, &ts->pose_body};
    for (size_t i = 0; i < sizeof by_pose / sizeof *by_pose; ++i) {
        *by_pose[i] = hf_carve(c, poses, sizeof(int));
    }
    ts->velocity_unit = hf_carve(c, nv, sizeof(int));
    ts->group_start = hf_carve(c, units + 1, sizeof(int));
    ts->first = hf_carve(c, units + 1, sizeof(int));
    ts->partner = hf_carve(c, forces, sizeof(int));
}

static bool allocate_units(hf_sim *sim, hf_timestep *ts)
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

hf_status hf_ts_units_create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    ts->unit_count = model->unit_count;
    if (!allocate_units(sim, ts)) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for method timestep");
    }
    for (int i = 0; i < model->nv; ++i) {
        ts->velocity_unit[i] = -1;
    }
    number_units(ts, model);
    number_groups(ts, model);
    find_poses(ts, model);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Factors now

static hf_vec3 lower_solve(const double l[6], hf_vec3 b)
{
    double x = b.x / l[0], y = (b.y - l[1] * x) / l[2];
    return hf_v3(x, y, (b.z - l[3] * x - l[4] * y) / l[5]);
}

// L^-1 R'
static hf_mat3 half_turn(const double l[6], const hf_mat3 *r)
{
    hf_vec3 a = lower_solve(l, hf_v3(r->xx, r->xy, r->xz));
    hf_vec3 b = lower_solve(l, hf_v3(r->yx, r->yy, r->yz));
    hf_vec3 c = lower_solve(l, hf_v3(r->zx, r->zy, r->zz));
    return (hf_mat3){a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
}

void hf_ts_keep_loops(const hf_timestep *ts, const hf_ts_group *group, double *s)
{
    size_t n = (size_t)group->count;
    const double *q = ts->loop_rows + group->q;
    for (int r = 0; r < group->rank; ++r, q += n) {
        double sum = 0.0;
        for (size_t k = 0; k < n; ++k) {
            sum += q[k] * s[k];
        }
        for (size_t k = 0; k < n; ++k) {
            s[k] -= sum * q[k];
        }
    }
}

// Q of a cluster: L^-1 J' of its loops, row by row made orthonormal. Rows that follow from those
// before leave nothing but rounding, and are dropped.
static void orthonormalize(hf_sim *sim, hf_ts_group *group)
{
    const double nothing = 1e-9;
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_cluster *cluster = &model->clusters[group->cluster];
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    size_t n = (size_t)group->count;
    group->rank = 0;
    for (int r = 0; r < cluster->rows; ++r) {
        double *row = ts->loop_rows + group->q + (size_t)group->rank * n, before = 0.0, after = 0.0;
        for (int i = 0; i < cluster->unit_count; ++i) {
            const hf_cluster_unit *member = &model->cluster_units[cluster->first_unit + i];
            const hf_ts_unit *unit = &ts->units[member->unit];
            hf_ts_half(ts, unit, state->jacobian + r * cluster->columns + member->column,
                       row + (unit->s - group->s));
        }
        for (size_t k = 0; k < n; ++k) {
            before += row[k] * row[k];
        }
        // Twice is enough.
        hf_ts_keep_loops(ts, group, row);
        hf_ts_keep_loops(ts, group, row);
        for (size_t k = 0; k < n; ++k) {
            after += row[k] * row[k];
        }
        if (after > nothing * nothing * before) {
            double scale = 1.0 / sqrt(after);
            for (size_t k = 0; k < n; ++k) {
                row[k] *= scale;
            }
            ++group->rank;
        }
    }
}

hf_status hf_ts_units_factor(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < ts->unit_count; ++i) {
        hf_ts_unit *unit = &ts->units[i];
        if (unit->type == HF_BODY_RIGID) {
            unit->half =
                half_turn(unit->lower, &sim->poses[model->rigids[unit->index].pose].rotation);
        } else if (unit->type == HF_BODY_LINK && unit->count > 0) {
            const hf_tree_body *tree = &model->trees[unit->index];
            hf_tree_mass_matrix(&tree->tree, sim->x + tree->q, sim->tree_work + tree->work,
                                ts->factors + unit->factor);
            if (!hf_cholesky(ts->factors + unit->factor, (size_t)unit->count)) {
                return hf_error_set(error, HF_ERROR_NOT_FINITE,
                                    "t = %.9g s: the mass matrix of the tree of '%s' is not "
                                    "positive definite",
                                    sim->core->time, hf_sim_component(sim, model->nq + unit->v));
            }
        }
    }
    if (model->cluster_count > 0) {
        hf_loops_prepare(sim, sim->x);
        for (int i = 0; i < model->cluster_count; ++i) {
            orthonormalize(sim, &ts->groups[i]);
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Between velocities and mass-weighted ones

void hf_ts_weigh(const hf_timestep *ts, const hf_sim *sim, const hf_ts_unit *unit, const double *v,
                 double *s)
{
    v += unit->v;
    s += unit->s;
    if (unit->type == HF_BODY_LINK) {
        const double *l = ts->factors + unit->factor;
        size_t n = (size_t)unit->count;
        for (size_t k = 0; k < n; ++k) {
            s[k] = 0.0;
            for (size_t i = k; i < n; ++i) {
                s[k] += l[i * n + k] * v[i];
            }
        }
        return;
    }
    int shifts = unit->type == HF_BODY_RIGID ? 3 : unit->count;
    for (int k = 0; k < shifts; ++k) {
        s[k] = unit->root * v[k];
    }
    if (unit->type == HF_BODY_RIGID) {
        const hf_mat3 *r = &sim->poses[sim->model->rigids[unit->index].pose].rotation;
        hf_vec3 w = hf_m3_tmulv(r, hf_v3(v[3], v[4], v[5]));
        const double *l = unit->lower;
        s[3] = l[0] * w.x + l[1] * w.y + l[3] * w.z;
        s[4] = l[2] * w.y + l[4] * w.z;
        s[5] = l[5] * w.z;
    }
}

void hf_ts_add_velocity(const hf_timestep *ts, const hf_ts_unit *unit, const double *s, double *v)
{
    v += unit->v;
    s += unit->s;
    if (unit->type == HF_BODY_LINK) {
        const double *l = ts->factors + unit->factor;
        size_t n = (size_t)unit->count;
        double *x = ts->jacobian;
        hf_cholesky_upper(l, n, s, x);
        for (size_t i = 0; i < n; ++i) {
            v[i] += x[i];
        }
        return;
    }
    int shifts = unit->type == HF_BODY_RIGID ? 3 : unit->count;
    for (int k = 0; k < shifts; ++k) {
        v[k] += unit->inverse_root * s[k];
    }
    if (unit->type == HF_BODY_RIGID) {
        hf_vec3 w = hf_m3_tmulv(&unit->half, hf_v3(s[3], s[4], s[5]));
        v[3] += w.x;
        v[4] += w.y;
        v[5] += w.z;
    }
}

// y := L^-1 j, which may be the same array.
void hf_ts_half(const hf_timestep *ts, const hf_ts_unit *unit, const double *j, double *y)
{
    if (unit->type == HF_BODY_LINK) {
        const double *l = ts->factors + unit->factor;
        size_t n = (size_t)unit->count;
        hf_cholesky_lower(l, n, j, y);
        return;
    }
    int shifts = unit->type == HF_BODY_RIGID ? 3 : unit->count;
    for (int k = 0; k < shifts; ++k) {
        y[k] = unit->inverse_root * j[k];
    }
    if (unit->type == HF_BODY_RIGID) {
        hf_vec3 turn = hf_m3_mulv(&unit->half, hf_v3(j[3], j[4], j[5]));
        hf_store3(y + 3, turn);
    }
}
