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

static hf_sphere sphere_of(const hf_sim *sim, const hf_swarm_member *member)
{
    return (hf_sphere){&sim->poses[member->pose], member->center, member->radius};
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

// Between steps: tangent directions follow the spheres, and what is left of old contacts is
// forgotten once it is less than a rounding of any size that matters.
static void carry_pairs(hf_sim *sim, const hf_swarm *swarm, hf_swarm_state *s, double *y)
{
    const double nothing = 1e-13; // [m]
    double seconds = sim->core->step_index > 0 ? sim->core->method.step : 0.0;
    for (int i = 0; i < *s->count; ++i) {
        hf_pair *pair = &s->pairs[i];
        double *e = y + ROWS * i;
        if (pair->mode == HF_MODE_OPEN && fabs(e[0]) < nothing && fabs(e[1]) < nothing &&
            fabs(e[2]) < nothing) {
            e[0] = e[1] = e[2] = 0.0;
            pair->reference = hf_v3(0.0, 0.0, 0.0);
            continue;
        }
        hf_sphere on = sphere_of(sim, &swarm->members[pair->on]);
        hf_sphere to = sphere_of(sim, &swarm->members[pair->to]);
        pair->reference = hf_spheres_turn(&on, &to, pair->reference, seconds);
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
            carry_pairs(sim, swarm, s, y + model->forces[swarm->force].y);
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

void hf_swarm_count(const hf_swarm_state *swarm, int *pairs, int *touching)
{
    *pairs = *swarm->count > 0 ? *swarm->count : 0;
    *touching = 0;
    for (int i = 0; i < *pairs; ++i) {
        *touching += swarm->pairs[i].mode != HF_MODE_OPEN;
    }
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

// One pair: its law, with the force kept for hf_swarms_phi.
static hf_law_out eval_pair(hf_sim *sim, const hf_force_place *force, const hf_swarm *swarm,
                            hf_swarm_state *s, int i, double tau, const double *y, double *dy)
{
    const hf_pair *pair = &s->pairs[i];
    const hf_swarm_member *a = &swarm->members[pair->on], *b = &swarm->members[pair->to];
    hf_sphere on = sphere_of(sim, a), to = sphere_of(sim, b);
    hf_contact_place *place = &s->contacts[i];
    *place = hf_spheres_place(&on, &to, pair->reference);
    hf_vec3 velocity =
        hf_v3_sub(hf_velocity_at(on.pose, place->on_arm), hf_velocity_at(to.pose, place->to_arm));
    double rate[ROWS];
    hf_store3(rate, hf_in_axes(place, velocity));
    hf_law_in in = {
        .gap = &place->gap, .rate = rate, .y = y, .tau = tau, .regime = hf_mode_regime(pair->mode)};
    hf_law_out out = {.force = s->force + ROWS * i, .dy = dy};
    hf_rigid_contact_eval(force->def, ROWS, &in, &out);
    double scale = swarm->scaled ? 1.0 / (a->inverse_mass + b->inverse_mass) : 1.0;
    for (int k = 0; k < ROWS; ++k) {
        out.force[k] *= scale;
    }
    out.stored *= scale;
    out.dissipated *= scale;
    out.normal *= scale;
    return out;
}

void hf_swarm_eval(hf_sim *sim, int force, double tau, const double *y, double *dy, double *dw)
{
    const hf_force_place *place = &sim->model->forces[force];
    const hf_swarm *swarm = &sim->model->swarms[place->coupling_index];
    hf_swarm_state *s = &sim->swarms[place->coupling_index];
    double stored = 0.0, heat = 0.0, normal = 0.0;
    bool slips = false;
    for (int i = 0; i < *s->count; ++i) {
        const double *e = y + place->y + ROWS * i;
        double *de = dy + place->y + ROWS * i, *f = s->force + ROWS * i;
        s->mode[i] = HF_MODE_OPEN;
        if (is_idle(sim, swarm, &s->pairs[i], e)) {
            de[0] = de[1] = de[2] = f[0] = f[1] = f[2] = 0.0;
            continue;
        }
        hf_law_out out = eval_pair(sim, place, swarm, s, i, tau, e, de);
        if (out.regime != HF_REGIME_OPEN) {
            s->mode[i] = out.regime == HF_REGIME_SLIP ? 1.0 : 0.0;
        }
        slips = slips || out.regime == HF_REGIME_SLIP;
        stored += out.stored;
        heat += out.dissipated;
        normal += out.normal;
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
            const double *f = s->force + ROWS * i;
            if (f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0) {
                continue;
            }
            const hf_contact_place *place = &s->contacts[i];
            hf_vec3 force = hf_from_axes(place, f);
            hf_push(&sim->wrenches[swarm->members[s->pairs[i].on].pose], place->on_arm,
                    hf_v3_scale(-1.0, force));
            hf_push(&sim->wrenches[swarm->members[s->pairs[i].to].pose], place->to_arm, force);
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
