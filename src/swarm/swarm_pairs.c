// SPDX-License-Identifier: Apache-2.0
// Which spheres of a swarm are near each other, and the memory of their contacts.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

// Pairs are listed up to a skin beyond touching. The skin is at least SKIN radii of the smallest
// sphere, and at least NEED times the distance that the fastest one moves in a step. It is WISH
// times that distance, so that a list serves for more steps, unless that exceeds WIDE radii: there
// the densest heap has six pairs a sphere.
#define SKIN 0.1
#define NEED 8.0
#define WISH 20.0
#define WIDE 0.4

static unsigned hash_cell(const int *key)
{
    unsigned h =
        (unsigned)key[0] * 73856093u ^ (unsigned)key[1] * 19349663u ^ (unsigned)key[2] * 83492791u;
    return h ^ h >> 15;
}

static int cell_number(double x, double size)
{
    // Beyond 1e9 cells from the origin all share one cell: that costs time and changes no pair.
    double cell = floor(x / size);
    const double most = 1e9; // an int holds twice as much
    return (int)fmax(-most, fmin(most, cell));
}

static void fill_cells(const hf_swarm *swarm, hf_swarm_state *s, double size)
{
    for (int i = 0; i < swarm->cell_count; ++i) {
        s->cells[i] = -1;
    }
    // from last to first, so that lists rise
    for (int i = swarm->count - 1; i >= 0; --i) {
        int *key = s->keys + 3 * i;
        key[0] = cell_number(s->places[i].x, size);
        key[1] = cell_number(s->places[i].y, size);
        key[2] = cell_number(s->places[i].z, size);
        unsigned cell = hash_cell(key) & (unsigned)(swarm->cell_count - 1);
        s->next[i] = s->cells[cell];
        s->cells[cell] = i;
    }
}

static bool is_near(const hf_swarm *swarm, const hf_swarm_state *s, int i, int j)
{
    double reach = swarm->members[i].radius + swarm->members[j].radius + *s->skin;
    hf_vec3 d = hf_v3_sub(s->places[i], s->places[j]);
    return hf_v3_dot(d, d) < reach * reach;
}

// Adds a pair (i, j) behind those of the same i, in the order of j.
static void insert_pair(hf_swarm_state *s, int first, int *count, int i, int j)
{
    int at = *count;
    while (at > first && s->pairs[at - 1].to > j) {
        s->pairs[at] = s->pairs[at - 1];
        --at;
    }
    s->pairs[at] = (hf_pair){.on = i, .to = j};
    *count += 1;
}

// Near pairs of member i with later ones. False: no room.
static bool list_neighbours(const hf_swarm *swarm, hf_swarm_state *s, int i, int *count)
{
    int first = *count;
    const int *key = s->keys + 3 * i;
    for (int n = 0; n < 27; ++n) {
        const int other[3] = {key[0] + n % 3 - 1, key[1] + n / 3 % 3 - 1, key[2] + n / 9 - 1};
        unsigned cell = hash_cell(other) & (unsigned)(swarm->cell_count - 1);
        for (int j = s->cells[cell]; j >= 0; j = s->next[j]) {
            if (j <= i || memcmp(s->keys + 3 * j, other, sizeof other) != 0 ||
                !is_near(swarm, s, i, j)) {
                continue;
            }
            if (*count == swarm->capacity) {
                return false;
            }
            insert_pair(s, first, count, i, j);
        }
    }
    return true;
}

static bool is_before(const hf_pair *a, const hf_pair *b)
{
    return a->on < b->on || (a->on == b->on && a->to < b->to);
}

// Pairs that were listed before keep their state; both lists are in order.
// New ones begin at rest in whatever depth they are found.
static void carry_states(const hf_swarm *swarm, hf_swarm_state *s, int old_count, int count,
                         double *y)
{
    size_t dim = (size_t)swarm->dim;
    int old = 0;
    for (int i = 0; i < count; ++i) {
        const hf_pair *pair = &s->pairs[i];
        double *state = y + dim * (size_t)i;
        while (old < old_count && is_before(&s->old_pairs[old], pair)) {
            ++old;
        }
        if (old < old_count && !is_before(pair, &s->old_pairs[old])) {
            memcpy(state, s->old_y + dim * (size_t)old, dim * sizeof *y);
            s->memories[i] = s->old_memories[old];
            continue;
        }
        double apart = hf_v3_norm(hf_v3_sub(s->places[pair->on], s->places[pair->to]));
        memset(state, 0, dim * sizeof *y);
        state[0] =
            fmax(0.0, swarm->members[pair->on].radius + swarm->members[pair->to].radius - apart);
        s->memories[i] = (hf_pair_memory){.mode = HF_MODE_OPEN};
    }
}

void hf_swarm_clear_unused(hf_sim *sim, const hf_swarm *swarm, int old_count, int count)
{
    const hf_model *model = sim->model;
    double *const vectors[] = {sim->x, sim->k, sim->stage, sim->slope};
    size_t first = (size_t)model->nq + (size_t)model->nv + (size_t)model->forces[swarm->force].y;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && count < old_count; ++i) {
        memset(vectors[i] + first + swarm->dim * count, 0,
               (size_t)swarm->dim * (size_t)(old_count - count) * sizeof **vectors);
    }
}

// All pairs within a skin; -1: there are more than there is room for.
static int find_pairs(const hf_swarm *swarm, hf_swarm_state *s, double skin)
{
    int count = 0;
    bool room = true;
    *s->skin = skin;
    fill_cells(swarm, s, 2.0 * swarm->largest + skin);
    for (int i = 0; i < swarm->count && room; ++i) {
        room = list_neighbours(swarm, s, i, &count);
    }
    return room ? count : -1;
}

// `way`: of the fastest sphere in a step [m].
static void list_pairs(hf_sim *sim, const hf_swarm *swarm, hf_swarm_state *s, double way, double *y)
{
    int old_count = *s->count > 0 ? *s->count : 0;
    double need = fmax(SKIN * swarm->smallest, NEED * way);
    double wish = fmin(WISH * way, WIDE * swarm->smallest);
    memcpy(s->old_pairs, s->pairs, (size_t)old_count * sizeof *s->pairs);
    memcpy(s->old_memories, s->memories, (size_t)old_count * sizeof *s->memories);
    memcpy(s->old_y, y, (size_t)(old_count * swarm->dim) * sizeof *y);
    int count = find_pairs(swarm, s, fmax(need, wish));
    if (count < 0 && wish > need) {
        count = find_pairs(swarm, s, need);
    }
    sim->pairs_changed = sim->pairs_changed || count != old_count ||
                         memcmp(s->pairs, s->old_pairs, (size_t)old_count * sizeof *s->pairs) != 0;
    carry_states(swarm, s, old_count, count, y);
    hf_swarm_clear_unused(sim, swarm, old_count, count > 0 ? count : 0);
    *s->count = count;
}

// Whether a sphere has moved, or will move in this step, further than half the skin.
static bool is_stale(const hf_sim *sim, const hf_swarm *swarm, const hf_swarm_state *s,
                     double *fastest)
{
    double step = sim->core->method.step;
    bool stale = *s->skin == 0.0 || *s->count < 0;
    *fastest = 0.0;
    for (int i = 0; i < swarm->count; ++i) {
        const hf_swarm_member *member = &swarm->members[i];
        double speed = hf_v3_norm(sim->poses[member->pose].velocity);
        double moved = hf_v3_norm(hf_v3_sub(hf_swarm_center(sim->poses, member), s->places[i]));
        *fastest = fmax(*fastest, speed);
        // twice the way of one step: stages may overshoot
        stale = stale || moved + 2.0 * speed * step > 0.5 * *s->skin;
    }
    return stale;
}

// What is left of an old contact once it is less than a rounding of any size that matters.
static bool is_nothing(const double *e, int dim)
{
    const double nothing = 1e-13; // [m], [rad]
    bool small = true;
    for (int k = 0; k < dim; ++k) {
        small = small && fabs(e[k]) < nothing;
    }
    return small;
}

// Between steps: tangent directions follow the spheres, and old contacts are forgotten.
static void carry_pairs(hf_sim *sim, const hf_swarm *swarm, hf_swarm_state *s, double *y)
{
    double seconds = sim->core->uncarried;
    for (int i = 0; i < *s->count; ++i) {
        hf_pair_memory *memory = &s->memories[i];
        double *e = y + (ptrdiff_t)swarm->dim * i;
        if (memory->mode == HF_MODE_OPEN && is_nothing(e, swarm->dim)) {
            if (!hf_swarm_is_zero(e, swarm->dim)) {
                memset(e, 0, (size_t)swarm->dim * sizeof *e);
            }
            memory->reference = hf_v3(0.0, 0.0, 0.0);
            continue;
        }
        hf_sphere on = hf_swarm_sphere(sim->poses, &swarm->members[s->pairs[i].on]);
        hf_sphere to = hf_swarm_sphere(sim->poses, &swarm->members[s->pairs[i].to]);
        memory->reference = hf_spheres_turn(&on, &to, memory->reference, seconds);
    }
}

void hf_swarms_find_spans(hf_sim *sim)
{
    const hf_model *model = sim->model;
    int first = 0, count = 0;
    for (int i = 0; i < model->force_count && model->swarm_count > 0; ++i) {
        const hf_force_place *force = &model->forces[i]; // in the order of their y
        if (force->swarm < 0) {
            continue;
        }
        int y = model->nq + model->nv + force->y, pairs = *sim->swarms[force->swarm].count;
        int end = y + model->swarms[force->swarm].dim * (pairs > 0 ? pairs : 0);
        sim->spans[count++] = (hf_span){first, end};
        first = y + force->y_count;
    }
    sim->spans[count++] = (hf_span){first, model->n};
    sim->span_count = count;
}

void hf_swarms_restart(hf_sim *sim)
{
    double *const vectors[] = {sim->k, sim->stage, sim->slope};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && sim->model->swarm_count > 0; ++i) {
        memset(vectors[i], 0, (size_t)sim->model->n * sizeof **vectors);
    }
    hf_swarms_find_spans(sim);
}

void hf_swarms_update(hf_sim *sim)
{
    const hf_model *model = sim->model;
    if (model->swarm_count == 0) {
        return;
    }
    // Points of contact between shapes
    hf_update_poses(sim, sim->x, sim->x + model->nq);
    bool stay = hf_shape_forces_stay(sim);
    bool room = sim->shapes == NULL || stay || hf_shape_forces_find(sim);
    for (int k = 0; k < model->swarm_count; ++k) {
        const hf_swarm *swarm = &model->swarms[k];
        if (swarm->shapes && stay) {
            if (!sim->core->accepted) {
                hf_swarm_carry_points(sim, k);
            }
            continue;
        }
        // Those that the collider found
        if (swarm->shapes) {
            hf_swarm_update_points(sim, k, room);
            continue;
        }
        // Pairs of spheres: listed again when one may have come near
        hf_swarm_state *s = &sim->swarms[k];
        double *y = sim->x + model->nq + model->nv + model->forces[swarm->force].y;
        double fastest;
        if (is_stale(sim, swarm, s, &fastest)) {
            for (int i = 0; i < swarm->count; ++i) {
                s->places[i] = hf_swarm_center(sim->poses, &swarm->members[i]);
            }
            list_pairs(sim, swarm, s, fastest * sim->core->method.step, y);
            hf_swarms_find_spans(sim);
        }
        if (!sim->core->accepted) {
            carry_pairs(sim, swarm, s, y);
        }
    }
}

void hf_swarms_carry(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_update_poses(sim, sim->x, sim->x + model->nq);
    for (int k = 0; k < model->swarm_count; ++k) {
        int y = model->forces[model->swarms[k].force].y;
        if (model->swarms[k].shapes) {
            hf_swarm_carry_points(sim, k);
            continue;
        }
        carry_pairs(sim, &model->swarms[k], &sim->swarms[k], sim->x + model->nq + model->nv + y);
    }
}

hf_status hf_swarms_check(const hf_sim *sim, hf_error *error)
{
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        const hf_swarm *swarm = &sim->model->swarms[k];
        if (*sim->swarms[k].count < 0 && swarm->shapes) {
            return hf_shape_forces_fail(sim, error);
        }
        if (*sim->swarms[k].count < 0) {
            return hf_error_at(
                error, HF_ERROR_RANGE,
                hf_at_time(sim->core->time, NULL, sim->model->forces[swarm->force].name),
                "'%s' has more than %d pairs of spheres near each other; give it a larger capacity",
                sim->model->forces[swarm->force].name, swarm->capacity);
        }
    }
    return HF_OK;
}
