// SPDX-License-Identifier: Apache-2.0
// What a run's verdict and summary are made from, noted step by step: time in each mode, work by
// its size, heat that fell, forces beyond their bounds, contacts that a step may pass over.
#include <math.h>
#include <string.h>

#include <holdfast/laws/rigid_contact.h>

#include "sim/sim_data.h"
#include "swarm/swarm.h"

// Share of its bound that a force may be beyond it and still count as within the method's error.
#define BEYOND_SHARE 0.1
// |z'| of a bristle by |v|: 1, and the level at rest over that in sliding.
#define BRISTLE_RATE 3.0
// Gaps that are closed but for rounding [m].
#define TOUCHING 1e-9
// How far into its oscillation a contact bears its load without overshooting [rad].
#define SETTLING 30.0
// Of its static level: what holds a body that needs no more than this.
#define HELD_SHARE 0.98

void hf_tally_modes(hf_sim *sim, double h)
{
    const int count = sim->model->force_count;
    const double *mode = sim->mode_now;
    hf_force_tally *tally = sim->tallies;
    for (int i = 0; i < count; ++i, ++tally) {
        hf_regime now = hf_mode_regime(mode[i]);
        tally->seconds[now] += h;
        if (mode[i] != sim->mode_before[i]) {
            tally->transitions += now != hf_mode_regime(sim->mode_before[i]) ? 1 : 0;
            sim->mode_before[i] = mode[i];
        }
        tally->jolted = false;
        tally->turn = HF_TURN_NONE;
    }
}

void hf_tally_work(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const double *before = sim->x + model->n - 1 - model->force_count;
    const double *after = sim->stage + model->n - 1 - model->force_count;
    for (int i = 0; i < model->force_count; ++i) {
        double change = after[i] - before[i];
        sim->tallies[i].work += fabs(change);
        sim->tallies[i].fallen += change < 0.0 ? -change : 0.0;
    }
    sim->core->driven_work += fabs(after[model->force_count] - before[model->force_count]);
}

// The largest force that a law whose inner state is bounded can come to at this motion:
// K |y| + B |z'|. INFINITY: not known.
static double bound_of(const hf_sim *sim, const hf_force_place *force, double speed)
{
    double lambda[HF_LAW_MAX_DIM], stiffness, damping;
    if (force->info == NULL || force->info->relax == NULL || force->info->linear == NULL ||
        force->y_count > HF_LAW_MAX_DIM) {
        return INFINITY;
    }
    hf_law_in in = {.gap = sim->gap + force->row,
                    .rate = sim->rate + force->row,
                    .y = sim->x + sim->model->nq + sim->model->nv + force->y,
                    .normal = hf_normal_for(sim, force),
                    .regime = HF_REGIME_STICK};
    double reach = force->info->relax(force->def, force->dim, &in, lambda);
    force->info->linear(force->def, 0, &stiffness, &damping);
    return stiffness * reach + BRISTLE_RATE * damping * speed;
}

// Whether a contact is held by more at rest than in motion, without a curve between both.
static bool holds_more(const hf_force_place *force)
{
    if (force->exact != HF_EXACT_CONTACT) {
        return false;
    }
    const hf_level *level = &((const hf_rigid_contact_def *)force->def)->friction;
    return level->stribeck[HF_FORTH] == 0.0 && level->table_speed.count == 0 &&
           level->peak[HF_FORTH] > level->kinetic[HF_FORTH];
}

// Whether it touches, and nothing of the machine moves.
static bool lies(const hf_sim *sim, const hf_force_place *force)
{
    double speed = 0.0, gap = force->item == NULL ? INFINITY : sim->gap[force->row];
    for (int i = 0; i < sim->model->nv; ++i) {
        speed = fmax(speed, fabs(sim->x[sim->model->nq + i]));
    }
    if (force->swarm >= 0) {
        const hf_swarm_state *s = &sim->swarms[force->swarm];
        for (int i = 0; i < *s->touch_count; ++i) {
            gap = fmin(gap, s->touches[i].place.gap);
        }
    }
    return gap <= TOUCHING && speed == 0.0;
}

// How long a contact swings into its load [s].
static double settling_time(const hf_force_place *force)
{
    double stiffness = ((const hf_rigid_contact_def *)force->def)->stiffness;
    return force->site == NULL ? 0.0 : SETTLING * sqrt(force->site->mass / stiffness);
}

// The friction that would hold a body as it is now, by what the contact can hold at rest: its
// force, and what it lacks to stop the acceleration. Uses sim->response.
static double needed_share(hf_sim *sim, const hf_force_place *force)
{
    const hf_model *model = sim->model;
    const double *dv = sim->k + model->nq, *v = sim->x + model->nq;
    const hf_level *level = &((const hf_rigid_contact_def *)force->def)->friction;
    double acceleration[HF_LAW_MAX_DIM], squares = 0.0;
    double normal = -sim->force[force->row], rate[HF_LAW_MAX_DIM], gap[HF_LAW_MAX_DIM];
    memcpy(rate, sim->rate + force->row, (size_t)force->dim * sizeof *rate);
    memcpy(gap, sim->gap + force->row, (size_t)force->dim * sizeof *gap);
    hf_update_poses(sim, sim->x, dv);
    hf_force_psi(force, &(hf_motion){.q = sim->x,
                                     .v = dv,
                                     .poses = sim->poses,
                                     .gap = sim->gap,
                                     .rate = sim->rate,
                                     .references = sim->references});
    memcpy(acceleration, sim->rate + force->row, (size_t)force->dim * sizeof *acceleration);
    hf_update_poses(sim, sim->x, v);
    for (int k = 1; k < force->dim && k < 3; ++k) {
        double inverse = hf_force_inverse_mass(sim, force, k);
        double lacks = inverse > 0.0 ? acceleration[k] / inverse : 0.0;
        double needed = sim->force[force->row + k] + lacks;
        squares += needed * needed;
    }
    memcpy(sim->rate + force->row, rate, (size_t)force->dim * sizeof *rate);
    memcpy(sim->gap + force->row, gap, (size_t)force->dim * sizeof *gap);
    return normal > 0.0 ? sqrt(squares) / (normal * level->peak[HF_FORTH]) : INFINITY;
}

// Contacts that are forces swing into a load that comes at once: a body that its static level would
// hold may slide away by that, and is then held by the kinetic one alone.
static void tally_swing(hf_sim *sim, int i)
{
    const hf_force_place *force = &sim->model->forces[i];
    hf_force_tally *tally = &sim->tallies[i];
    double now = sim->core->time;
    bool stuck = sim->mode[i] == 0.0;
    if (!stuck && sim->mode[i] != HF_MODE_OPEN && tally->stuck > 0.0 &&
        now - tally->stuck > settling_time(force) && !tally->swung && force->item != NULL &&
        force->dim > 1) {
        tally->swung = needed_share(sim, force) < HELD_SHARE;
    }
    tally->stuck = !stuck ? 0.0 : tally->stuck > 0.0 ? tally->stuck : now;
}

// Contacts that are forces of their depth begin without one: while they swing into their load, a
// body that its static level would hold may slide away, and is then held by the kinetic one alone.
static void tally_start(hf_sim *sim, int i)
{
    const hf_force_place *force = &sim->model->forces[i];
    hf_force_tally *tally = &sim->tallies[i];
    if (!holds_more(force) || sim->exact_contacts ||
        hf_method_solves_contacts(sim->core->method.type)) {
        return;
    }
    tally_swing(sim, i);
    if (sim->core->time == 0.0) {
        tally->settled = lies(sim, force) ? settling_time(force) : 0.0;
    } else if (sim->core->time < tally->settled) {
        tally->slid = tally->slid || (sim->mode[i] != HF_MODE_OPEN && sim->mode[i] != 0.0);
    }
}

// Whether a force can be a contact: most machines have none, and their steps ask for nothing of it.
static bool has_contacts(const hf_model *model)
{
    return model->couplings.normal_count > 0 || model->swarm_count > 0;
}

// A force larger than any before it.
static void tally_largest(hf_sim *sim, int i, double squares)
{
    const hf_model *model = sim->model;
    hf_force_tally *tally = &sim->tallies[i];
    double speed = 0.0;
    for (int row = model->rows[i]; row < model->rows[i + 1]; ++row) {
        speed += sim->rate[row] * sim->rate[row];
    }
    tally->largest_squared = squares;
    double bound = bound_of(sim, &model->forces[i], sqrt(speed));
    tally->beyond += sqrt(squares) > (1.0 + BEYOND_SHARE) * bound ? 1 : 0;
}

void hf_tally_forces(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const int count = model->force_count, *rows = model->rows;
    const double *force = sim->force;
    for (int i = 0; i < count; ++i) {
        double squares = 0.0, now = sim->mode[i];
        for (int row = rows[i]; row < rows[i + 1]; ++row) {
            squares += force[row] * force[row];
        }
        sim->mode_now[i] = now;
        if (now != sim->mode_before[i] && sim->mode_before[i] == HF_MODE_OPEN &&
            rows[i] < rows[i + 1]) {
            sim->tallies[i].impact = fmax(sim->tallies[i].impact, fabs(sim->rate[rows[i]]));
        }
        if (squares > sim->tallies[i].largest_squared) {
            tally_largest(sim, i, squares);
        }
    }
    for (int i = 0; i < count && has_contacts(model); ++i) {
        hf_tally_reversal(sim, i);
        tally_start(sim, i);
    }
}

// Whether one of many bodies moves by more than two of the smallest in a step.
static bool leaps(const hf_sim *sim, const hf_swarm *swarm, double h)
{
    const hf_contact_site *site = sim->model->forces[swarm->force].site;
    double way = swarm->shapes ? 2.0 * (site == NULL ? 0.0 : site->size) : 4.0 * swarm->smallest;
    int count = swarm->shapes ? sim->model->pose_count : swarm->count;
    double fastest = 0.0;
    for (int i = 0; i < count; ++i) {
        int pose = swarm->shapes ? i : swarm->members[i].pose;
        if (!swarm->shapes || swarm->inverse_masses[i] > 0.0) {
            hf_vec3 v = sim->poses[pose].velocity;
            fastest = fmax(fastest, hf_v3_dot(v, v));
        }
    }
    return way > 0.0 && fastest * h * h > way * way;
}

// Methods of fixed steps see a contact where a step ends: what is open there and would be closed by
// more than the bodies' own size at the end of the next may have come out on the other side.
void hf_tally_passes(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->swarm_count && sim->plugged == NULL; ++i) {
        sim->tallies[model->swarms[i].force].passes += leaps(sim, &model->swarms[i], h) ? 1 : 0;
    }
    for (int i = 0; i < model->force_count && sim->plugged == NULL && has_contacts(model); ++i) {
        const hf_force_place *force = &model->forces[i];
        double size = force->site == NULL ? 0.0 : force->site->size;
        if (size > 0.0 && force->item != NULL && sim->gap[force->row] > 0.0 &&
            sim->gap[force->row] + h * sim->rate[force->row] < -size) {
            sim->tallies[i].passes += 1;
        }
    }
}
