// SPDX-License-Identifier: Apache-2.0
#include "system/swarm.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "couplings/contact.h"
#include "system/sim_data.h"

enum { ROWS = 3 };

// How far beyond touching pairs are listed, in radii of the smallest sphere.
#define SKIN 0.1

static hf_space_coupling coupling_of(const hf_swarm *swarm, const hf_pair *pair, int slot)
{
    return (hf_space_coupling){.on = swarm->members[pair->on].pose,
                               .to = swarm->members[pair->to].pose,
                               .row = ROWS * slot,
                               .dim = ROWS,
                               .memory = 0,
                               .radius = swarm->members[pair->on].radius,
                               .to_radius = swarm->members[pair->to].radius,
                               .on_point = swarm->members[pair->on].center,
                               .to_point = swarm->members[pair->to].center};
}

static hf_vec3 center_of(const hf_sim *sim, const hf_swarm_member *member)
{
    const hf_pose *pose = &sim->poses[member->pose];
    return hf_v3_add(pose->position, hf_arm(pose, member->center));
}

// ------------------------------------------------------------------------------------------------
// Finding pairs

static unsigned hash_cell(const int *key)
{
    unsigned h =
        (unsigned)key[0] * 73856093u ^ (unsigned)key[1] * 19349663u ^ (unsigned)key[2] * 83492791u;
    return h ^ h >> 15;
}

static int cell_number(double x, double size)
{
    // Far away the grid ends: cells there are shared, which costs time and nothing else.
    double cell = floor(x / size);
    return (int)fmax(-1e9, fmin(1e9, cell));
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
    s->pairs[at] = (hf_pair){.on = i, .to = j, .mode = HF_MODE_OPEN};
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

// Pairs that were listed before keep their state; both lists are in order.
// New ones begin at rest in whatever depth they are found.
static void carry_states(const hf_swarm *swarm, hf_swarm_state *s, int old_count, int count,
                         double *y)
{
    int old = 0;
    for (int i = 0; i < count; ++i) {
        hf_pair *pair = &s->pairs[i];
        while (old < old_count &&
               (s->old_pairs[old].on < pair->on ||
                (s->old_pairs[old].on == pair->on && s->old_pairs[old].to < pair->to))) {
            ++old;
        }
        bool same =
            old < old_count && s->old_pairs[old].on == pair->on && s->old_pairs[old].to == pair->to;
        for (int k = 0; k < ROWS; ++k) {
            y[ROWS * i + k] = same ? s->old_y[ROWS * old + k] : 0.0;
        }
        if (!same) {
            double apart = hf_v3_norm(hf_v3_sub(s->places[pair->on], s->places[pair->to]));
            y[ROWS * i] = fmax(0.0, swarm->members[pair->on].radius +
                                        swarm->members[pair->to].radius - apart);
        } else {
            pair->mode = s->old_pairs[old].mode;
            pair->reference = s->old_pairs[old].reference;
        }
    }
    for (int i = ROWS * count; i < ROWS * old_count; ++i) {
        y[i] = 0.0;
    }
}

static void list_pairs(const hf_swarm *swarm, hf_swarm_state *s, double *y)
{
    int old_count = *s->count > 0 ? *s->count : 0, count = 0;
    memcpy(s->old_pairs, s->pairs, (size_t)old_count * sizeof *s->pairs);
    memcpy(s->old_y, y, (size_t)old_count * ROWS * sizeof *y);
    fill_cells(swarm, s, 2.0 * swarm->largest + *s->skin);
    bool room = true;
    for (int i = 0; i < swarm->count && room; ++i) {
        room = list_neighbours(swarm, s, i, &count);
    }
    carry_states(swarm, s, old_count, count, y);
    *s->count = room ? count : -1;
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
        double moved = hf_v3_norm(hf_v3_sub(center_of(sim, member), s->places[i]));
        *fastest = fmax(*fastest, speed);
        // twice the way of one step: stages may overshoot
        stale = stale || moved + 2.0 * speed * step > 0.5 * *s->skin;
    }
    return stale;
}

static void carry_references(hf_sim *sim, const hf_swarm *swarm, hf_swarm_state *s)
{
    double seconds = sim->core->step_index > 0 ? sim->core->method.step : 0.0;
    for (int i = 0; i < *s->count; ++i) {
        hf_space_coupling c = coupling_of(swarm, &s->pairs[i], i);
        s->pairs[i].reference = hf_spheres_carry(&c, sim->poses, s->pairs[i].reference, seconds);
    }
}

void hf_swarms_update(hf_sim *sim)
{
    const hf_model *model = sim->model;
    if (model->swarm_count == 0) {
        return;
    }
    hf_update_poses(sim, sim->x, sim->x + model->nq);
    double *y = sim->x + model->nq + model->nv;
    for (int k = 0; k < model->swarm_count; ++k) {
        const hf_swarm *swarm = &model->swarms[k];
        hf_swarm_state *s = &sim->swarms[k];
        double fastest;
        if (is_stale(sim, swarm, s, &fastest)) {
            for (int i = 0; i < swarm->count; ++i) {
                s->places[i] = center_of(sim, &swarm->members[i]);
            }
            *s->skin = fmax(SKIN * swarm->smallest, 8.0 * fastest * sim->core->method.step);
            list_pairs(swarm, s, y + model->forces[swarm->force].y);
        }
        if (!sim->core->accepted) {
            carry_references(sim, swarm, s);
        }
    }
}

hf_status hf_swarms_check(const hf_sim *sim, hf_error *error)
{
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        const hf_swarm *swarm = &sim->model->swarms[k];
        if (*sim->swarms[k].count < 0) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "t = %.9g s: '%s' has more than %d pairs of spheres near each "
                                "other; give it a larger capacity",
                                sim->core->time, sim->model->forces[swarm->force].name,
                                swarm->capacity);
        }
    }
    return HF_OK;
}

double hf_swarm_depth(const hf_sim *sim, int swarm)
{
    const hf_swarm_state *s = &sim->swarms[swarm];
    const double *y = sim->x + sim->model->nq + sim->model->nv +
                      sim->model->forces[sim->model->swarms[swarm].force].y;
    double deepest = 0.0;
    for (int i = 0; i < *s->count; ++i) {
        deepest = fmax(deepest, y[ROWS * i]);
    }
    return deepest;
}

// ------------------------------------------------------------------------------------------------
// Evaluation

// Apart and with nothing to forget: no force.
static bool is_idle(const hf_sim *sim, const hf_swarm *swarm, const hf_pair *pair, const double *y)
{
    const hf_swarm_member *on = &swarm->members[pair->on], *to = &swarm->members[pair->to];
    double reach = on->radius + to->radius;
    hf_vec3 d = hf_v3_sub(center_of(sim, on), center_of(sim, to));
    return y[0] == 0.0 && y[1] == 0.0 && y[2] == 0.0 && hf_v3_dot(d, d) > reach * reach;
}

void hf_swarm_eval(hf_sim *sim, int force, double tau, const double *y, double *dy, double *dw)
{
    const hf_force_place *place = &sim->model->forces[force];
    const hf_swarm *swarm = &sim->model->swarms[place->coupling_index];
    hf_swarm_state *s = &sim->swarms[place->coupling_index];
    double stored = 0.0, heat = 0.0, normal = 0.0;
    bool slips = false;
    for (int i = 0; i < *s->count; ++i) {
        const hf_pair *pair = &s->pairs[i];
        const double *e = y + place->y + ROWS * i;
        double *de = dy + place->y + ROWS * i, *f = s->force + ROWS * i;
        if (is_idle(sim, swarm, pair, e)) {
            de[0] = de[1] = de[2] = f[0] = f[1] = f[2] = 0.0;
            s->mode[i] = HF_MODE_OPEN;
            continue;
        }
        hf_space_coupling c = coupling_of(swarm, pair, 0);
        double gap[ROWS], rate[ROWS];
        hf_spheres_psi(
            &c, &(hf_motion){
                    .poses = sim->poses, .gap = gap, .rate = rate, .references = &pair->reference});
        hf_law_in in = {
            .gap = gap, .rate = rate, .y = e, .tau = tau, .regime = hf_mode_regime(pair->mode)};
        hf_law_out out = {.force = f, .dy = de};
        hf_rigid_contact_eval(place->def, ROWS, &in, &out);
        double scale = swarm->scaled ? 1.0 / (swarm->members[pair->on].inverse_mass +
                                              swarm->members[pair->to].inverse_mass)
                                     : 1.0;
        for (int k = 0; k < ROWS; ++k) {
            f[k] *= scale;
        }
        s->mode[i] = out.regime == HF_REGIME_OPEN ? HF_MODE_OPEN
                                                  : (out.regime == HF_REGIME_SLIP ? 1.0 : 0.0);
        slips = slips || out.regime == HF_REGIME_SLIP;
        stored += scale * out.stored;
        heat += scale * out.dissipated;
        normal += scale * out.normal;
    }
    int used = *s->count > 0 ? ROWS * *s->count : 0;
    memset(dy + place->y + used, 0, (size_t)(place->y_count - used) * sizeof *dy);
    sim->stored[force] = stored;
    sim->normal[force] = normal;
    sim->mode[force] = normal > 0.0 ? (slips ? 1.0 : 0.0) : HF_MODE_OPEN;
    dw[force] = heat;
}

void hf_swarms_phi(hf_sim *sim)
{
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        const hf_swarm *swarm = &sim->model->swarms[k];
        const hf_swarm_state *s = &sim->swarms[k];
        for (int i = 0; i < *s->count; ++i) {
            hf_space_coupling c = coupling_of(swarm, &s->pairs[i], i);
            hf_spheres_phi(&c, &(hf_actions){.force = s->force,
                                             .poses = sim->poses,
                                             .wrenches = sim->wrenches,
                                             .references = &s->pairs[i].reference});
        }
    }
}

void hf_swarms_note(hf_sim *sim)
{
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        const hf_swarm *swarm = &sim->model->swarms[k];
        hf_swarm_state *s = &sim->swarms[k];
        for (int i = 0; i < *s->count; ++i) {
            const hf_swarm_member *on = &swarm->members[s->pairs[i].on];
            const hf_swarm_member *to = &swarm->members[s->pairs[i].to];
            s->pairs[i].mode = s->mode[i];
            if (s->mode[i] == HF_MODE_OPEN) {
                continue;
            }
            double apart = hf_v3_norm(hf_v3_sub(center_of(sim, on), center_of(sim, to)));
            double depth = on->radius + to->radius - apart;
            sim->core->stats.largest_penetration =
                fmax(sim->core->stats.largest_penetration, depth);
        }
    }
}
