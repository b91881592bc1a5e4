// SPDX-License-Identifier: Apache-2.0
// What a step's contacts did: heat, forces, modes.
#include <math.h>
#include <string.h>

#include "laws/element.h"
#include "loops/loops.h"
#include "methods/timestep/timestep.h"
#include "swarm/swarm.h"

static double normal_heat(const hf_timestep *ts, int i)
{
    const double *before = ts->problem.contacts[i].before;
    return -0.5 * ts->problem.r[3 * i] * (before[0] + ts->problem.u[3 * i]);
}

// The mean of the velocities before and after says nothing of one contact in a row of blows that
// spread (spread.c): only their heat together is known. Each has its share by its impulse.
static void share_heat(hf_timestep *ts, double *w)
{
    double *heat = ts->scratch.work, *impulse = ts->scratch.work + ts->machine.group_count;
    memset(heat, 0, 2 * (size_t)ts->machine.group_count * sizeof *heat);
    for (int i = 0; i < ts->problem.count; ++i) {
        int set = ts->problem.contacts[i].blow - 1;
        if (set >= 0) {
            heat[set] += normal_heat(ts, i);
            impulse[set] += ts->problem.r[3 * i];
        }
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        int set = contact->blow - 1;
        if (set >= 0 && impulse[set] > 0.0) {
            double share = ts->problem.r[3 * i] / impulse[set];
            w[contact->point.force] += share * heat[set] - normal_heat(ts, i);
        }
    }
}

// Bodies whose position is given move by their mean velocity over a step (drive.c), and what goes
// along with one begins the step with the mean of the last: behind it by what the mean gains on the
// velocity of the beginning. That is no slip. What loops hand on has the velocity of the beginning.
static bool drives_lag(const hf_model *model)
{
    bool all = true;
    for (int i = 0; i < model->drive_count; ++i) {
        all = all && !model->drives[i].by_velocity && model->drives[i].follow_q < 0;
    }
    return all;
}

// Heat of a contact: -r.u over the mean of the velocities before and after, which is what the
// bodies' kinetic energy loses to it; and what driven bodies put in against it.
void hf_ts_tally_work(hf_sim *sim, double *w)
{
    hf_timestep *ts = hf_timestep_of(sim);
    bool lag = drives_lag(sim->model);
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        const double *r = ts->problem.r + 3 * i, *u = ts->problem.u + 3 * i;
        int first = contact->kind == HF_TS_FRICTION ? 1 : 0;
        int end = contact->kind == HF_TS_POINT ? 3 : 1 + contact->rows;
        for (int k = first; k < end; ++k) {
            int force = k > 0 && contact->friction >= 0 ? contact->friction : contact->point.force;
            double gain = contact->drive[k] - contact->drive_before[k] - contact->follows[k];
            double behind = lag ? -gain : 0.0;
            w[force] -= 0.5 * r[k] * (contact->before[k] + behind + u[k]);
            w[sim->model->force_count] -=
                0.5 * r[k] * (contact->drive_before[k] + behind + contact->drive[k]);
        }
    }
    if (ts->attempt.traits.impacts) {
        share_heat(ts, w);
    }
}

// Of a friction whose bound is zero: open without a normal force; else slip without a force, or
// rest.
static double unbound_mode(const hf_sim *sim, const hf_ts_contact *contact, const double *u)
{
    const hf_force_place *force = &sim->model->forces[contact->point.force];
    const hf_level *level = &((const hf_coulomb_def *)force->def)->level;
    bool loaded = contact->loader >= 0 && contact->share > 0.0;
    double normal =
        loaded ? hf_timestep_of(sim)->loads.impulse[contact->loader] : hf_normal_for(sim, force);
    if (hf_level_is_open(level, normal)) {
        return HF_MODE_OPEN;
    }
    double across = contact->rows == 1 ? 0.0 : u[2];
    double third = contact->part == HF_TS_PLANE ? u[4] : 0.0;
    bool rests = u[1] == 0.0 && across == 0.0 && third == 0.0;
    return rests ? 0.0 : contact->rows == 1 && u[1] < 0.0 ? -1.0 : 1.0;
}

static double mode_of(const hf_sim *sim, const hf_ts_contact *contact)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    size_t first = 3 * (size_t)(contact - ts->problem.contacts);
    const double *r = ts->problem.r + first;
    bool unbound = contact->kind == HF_TS_FRICTION && contact->owner < 0 && r[0] == 0.0;
    if (contact->regime == HF_REGIME_OPEN || unbound) {
        return contact->kind == HF_TS_FRICTION ? unbound_mode(sim, contact, ts->problem.u + first)
                                               : HF_MODE_OPEN;
    }
    const double *u = ts->problem.u + first;
    bool slips =
        contact->regime == HF_REGIME_SLIP || (contact->yields && (u[1] != 0.0 || u[2] != 0.0));
    bool scalar = contact->kind != HF_TS_POINT && contact->rows == 1;
    return !slips ? 0.0 : (scalar && r[1] > 0.0 ? -1.0 : 1.0);
}

// Of several contacts of one force, slip is seen first, then stick.
static void show_mode(hf_sim *sim, int force, double mode)
{
    if (mode == 1.0 || mode == -1.0 || sim->mode[force] == HF_MODE_OPEN) {
        sim->mode[force] = mode;
    }
}

// Friction of spin and rolling in the last rows of a contact, where it has them.
static void show_turn(const hf_sim *sim, const hf_ts_contact *contact, const double *r, double h)
{
    const hf_force_place *force = &sim->model->forces[contact->point.force];
    double *f = sim->force + force->row + (contact->part == HF_TS_SPIN ? 3 : 4);
    for (int k = 0; k < contact->rows && force->dim == 6; ++k) {
        f[k] = -contact->row_scale * r[1 + k] / h;
    }
}

// Along the axes that it was solved in.
static void show_three(hf_sim *sim, const hf_ts_contact *plane, const double *r, double h)
{
    double *f = sim->force + sim->model->forces[plane->point.force].row;
    hf_store3(f, hf_v3_scale(-1.0 / h, hf_ts_three_of(plane, r)));
    show_mode(sim, plane->point.force, mode_of(sim, plane));
}

// Forces over the step, r/h with the sign of the motion, and modes.
static void show_contact(hf_sim *sim, const hf_ts_contact *contact, const double *r, double h)
{
    int index = contact->point.force;
    const hf_force_place *force = &sim->model->forces[index];
    double *f = sim->force + force->row;
    int friction = contact->kind == HF_TS_FRICTION ? index : contact->friction;
    if (contact->kind == HF_TS_STOP) {
        f[0] -= contact->sign * r[0] / h;
        show_mode(sim, index, r[0] > 0.0 ? 0.0 : HF_MODE_OPEN);
    } else if (contact->kind == HF_TS_POINT) {
        for (int k = 0; k < 3 && force->dim >= 3; ++k) {
            f[k] = -r[k] / h;
        }
        show_mode(sim, index, mode_of(sim, contact));
    }
    for (int k = 0; k < contact->rows && friction >= 0; ++k) {
        sim->force[sim->model->forces[friction].row + k] -= r[1 + k] / h;
    }
    if (friction >= 0) {
        show_mode(sim, friction, mode_of(sim, contact));
    }
}

void hf_ts_show_forces(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    const hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (hf_ts_owns(force)) {
            sim->mode[i] = HF_MODE_OPEN;
            memset(sim->force + force->row, 0, (size_t)force->dim * sizeof *sim->force);
        }
    }
    for (int i = 0; i < model->force_count && ts->sleep.count > 0; ++i) {
        if (ts->sleep.of_force[i].closed) {
            sim->mode[i] = 0.0;
        }
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        switch (contact->part) {
        case HF_TS_SPIN:
        case HF_TS_ROLL:
            show_turn(sim, contact, ts->problem.r + 3 * i, h);
            break;
        case HF_TS_PLANE:
            show_three(sim, contact, ts->problem.r + 3 * i, h);
            break;
        case HF_TS_THIRD:
            break;
        case HF_TS_WHOLE:
            show_contact(sim, contact, ts->problem.r + 3 * i, h);
            break;
        }
    }
    memcpy(sim->step_force, sim->force, (size_t)model->row_count * sizeof *sim->force);
}

// Contacts and pairs are in one order.
void hf_ts_show_pairs(hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    int pair = 0;
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        for (int i = 0; i < *sim->swarms[k].count; ++i) {
            sim->swarms[k].mode[i] = HF_MODE_OPEN;
        }
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        const hf_force_place *force = &sim->model->forces[contact->point.force];
        if (contact->kind != HF_TS_POINT || !force->ops->keeps_pairs) {
            continue;
        }
        const hf_swarm *swarm = &sim->model->swarms[force->coupling_index];
        const hf_swarm_state *state = &sim->swarms[force->coupling_index];
        if (i == 0 || ts->problem.contacts[i - 1].point.force != contact->point.force) {
            pair = 0;
        }
        while (hf_contact_key(contact->point.force,
                              (uint64_t)state->pairs[pair].on * (uint64_t)swarm->count +
                                  (uint64_t)state->pairs[pair].to) != contact->point.key) {
            ++pair;
        }
        state->mode[pair] = mode_of(sim, contact);
    }
}

// The largest force of forces with many contacts; pairs of shapes that were looked at, and those
// that touch. Points of a pair stand together.
static void tally_pairs(hf_sim *sim, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < sim->model->force_count; ++i) {
        hf_force_tally *tally = &sim->tallies[i];
        tally->pairs = tally->touching = 0;
        if (ts->sleep.count > 0) {
            const hf_ts_slept *slept = &ts->sleep.of_force[i];
            tally->pairs = slept->pairs;
            tally->touching = slept->touching;
            tally->largest_squared = fmax(tally->largest_squared, slept->largest / (h * h));
        }
    }
    // Pairs that were looked at
    for (int i = 0; i < ts->nearby.shape_count; ++i) {
        const hf_contact_point *point = &ts->nearby.shape_points[i], *last = point - 1;
        bool same =
            i > 0 && last->force == point->force && last->on == point->on && last->to == point->to;
        sim->tallies[point->force].pairs += same ? 0 : 1;
    }
    // and those that push
    const hf_contact_point *last = NULL;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_contact_point *point = &ts->problem.contacts[i].point;
        const double *r = ts->problem.r + 3 * i;
        const hf_coupling_ops *ops = sim->model->forces[point->force].ops;
        if (ts->problem.contacts[i].kind != HF_TS_POINT || !(r[0] > 0.0) || !ops->finds_contacts) {
            continue;
        }
        hf_force_tally *tally = &sim->tallies[point->force];
        double squares = (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / (h * h);
        tally->largest_squared = fmax(tally->largest_squared, squares);
        bool same = last != NULL && last->force == point->force && last->on == point->on &&
                    last->to == point->to;
        tally->touching += ops->needs_collider && !same ? 1 : 0;
        last = point;
    }
}

// Wrenches of points of contact, over the step; those of couplings are in sim->force.
void hf_ts_push_points(hf_sim *sim, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    for (hf_ts_cursor at = {0}; hf_ts_next(ts, &at);) {
        const hf_ts_contact *contact = at.contact;
        const hf_contact_point *point = &contact->point;
        const double *r = at.r;
        hf_wrench *on = &sim->wrenches[point->on], *to = &sim->wrenches[point->to];
        if (contact->kind == HF_TS_POINT) {
            hf_vec3 force = hf_v3_scale(1.0 / h, hf_from_axes(&point->place, r));
            hf_push(on, point->place.on_arm, force);
            hf_push(to, point->place.to_arm, hf_v3_scale(-1.0, force));
        } else if (contact->owner >= 0) {
            hf_vec3 torque = hf_v3_scale(1.0 / h, hf_ts_turn_of(contact, r));
            hf_twist(on, torque);
            hf_twist(to, hf_v3_scale(-1.0, torque));
        }
    }
}

// sim->slope := how a mover answers to the forces and wrenches in sim, by the factor of its mass
// matrix where it has one at these poses.
static void respond(hf_sim *sim, int index)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_mover *mover = &ts->machine.movers[index];
    const hf_body_io *io = hf_sim_io(sim, sim->x, sim->rest);
    if (mover->ops->unweigh == NULL || mover->ops->factor == NULL || mover->ops->load == NULL) {
        mover->ops->respond(mover->body, io, sim->slope);
        return;
    }
    double *push = ts->scratch.jacobian, *half = push + mover->count;
    mover->ops->load(mover->body, io, push);
    mover->ops->half(mover->body, mover->mass, push, half);
    memset(sim->slope + mover->v, 0, (size_t)mover->count * sizeof *sim->slope);
    mover->ops->unweigh(mover->body, mover->mass, half, sim->slope + mover->v);
}

// What loops hold: against all other forces, as the evaluation has it, and against the reactions,
//   W lambda = J M^-1 (J_c' r/h)
// with the matrices that the reactions were found with: what penetrates may have been pushed out
// since, by little (correct.c).
void hf_ts_show_loops(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    if (model->cluster_count == 0) {
        return;
    }
    if (hf_timestep_of(sim)->problem.count == 0) {
        memcpy(sim->step_lambda, sim->loops->lambda,
               (size_t)model->loop_row_count * sizeof *sim->step_lambda);
        return;
    }
    // Wrenches of all reactions; how poses move is no matter
    hf_bodies_place(model->sets, model->set_count, hf_sim_io(sim, sim->x, sim->rest));
    memset(sim->wrenches, 0, (size_t)model->pose_count * sizeof *sim->wrenches);
    memset(sim->u, 0, (size_t)model->nv * sizeof *sim->u);
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (hf_ts_owns(force) && !force->ops->contact) {
            hf_force_phi(force, &(hf_actions){.force = sim->force,
                                              .q = sim->x,
                                              .poses = sim->poses,
                                              .u = sim->u,
                                              .wrenches = sim->wrenches,
                                              .references = sim->references});
        }
    }
    hf_ts_push_points(sim, h);
    // What loops hold against them
    for (int i = 0; i < model->cluster_count; ++i) {
        const hf_cluster_mover *movers = &model->cluster_movers[model->clusters[i].first_mover];
        for (int k = 0; k < model->clusters[i].mover_count; ++k) {
            respond(sim, movers[k].mover);
        }
        hf_loops_bear(sim, movers[0].mover, sim->slope);
    }
    memcpy(sim->step_lambda, sim->loops->lambda,
           (size_t)model->loop_row_count * sizeof *sim->step_lambda);
}

void hf_ts_show(hf_sim *sim, double h)
{
    hf_ts_show_forces(sim, h);
    hf_ts_show_pairs(sim);
    tally_pairs(sim, h);
    hf_ts_show_loops(sim, h);
}
