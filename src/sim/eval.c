// SPDX-License-Identifier: Apache-2.0
// The right-hand side: impedance and admittance components, and their wiring.    [Kikuuwe2008] (13)
#include <math.h>
#include <string.h>

#include "loops/loops.h"
#include "sim/loads.h"
#include "sim/sim_data.h"
#include "sim/touches.h"
#include "swarm/swarm.h"

// Prescribed motion: positions as the signals say, or velocities, with positions integrated; or as
// another coordinate moves.
void hf_sim_drive(hf_sim *sim, double t, hf_side side, double *q, double *v)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->drive_count; ++i) {
        const hf_drive *d = &model->drives[i];
        if (d->follow_q >= 0) {
            q[d->q] = q[d->follow_q];
            v[d->v] = v[d->follow_v];
        } else if (d->by_velocity) {
            v[d->v] = hf_input_value(sim, d->motion);
        } else {
            q[d->q] = hf_input_value(sim, d->motion);
            v[d->v] = d->has_rate             ? hf_input_value(sim, d->rate)
                      : d->motion.signal >= 0 ? hf_signal_rate(sim, d->motion.signal, t, side)
                                              : 0.0;
        }
    }
}

double hf_drive_acceleration(const hf_sim *sim, const hf_drive *d, double t, hf_side side,
                             const double *dv)
{
    if (d->follow_v >= 0) {
        return dv == NULL ? 0.0 : dv[d->follow_v];
    }
    if (d->by_velocity || d->has_rate) {
        int rate = d->by_velocity ? d->motion.signal : d->rate.signal;
        return rate < 0 ? 0.0 : hf_signal_rate(sim, rate, t, side);
    }
    int position = d->motion.signal;
    return position < 0 ? 0.0 : hf_signal_second(sim, position, t, side);
}

void hf_sim_prescribe(hf_sim *sim)
{
    if (sim->model->drive_count > 0) {
        hf_signals_update(sim, sim->core->time, HF_SIDE_RIGHT);
        hf_sim_drive(sim, sim->core->time, HF_SIDE_RIGHT, sim->x, sim->x + sim->model->nq);
    }
}

void hf_update_poses(hf_sim *sim, const double *q, const double *v)
{
    const hf_model *model = sim->model;
    const hf_body_io *io = hf_sim_io(sim, q, v);
    hf_bodies_pose(model->sets, model->set_count, io);
}

void hf_sim_pose_start(hf_sim *sim)
{
    const hf_model *model = sim->model;
    double *q = sim->stage, *v = q + model->nq;
    memcpy(q, model->initial, (size_t)(model->nq + model->nv) * sizeof *q);
    for (int i = 0; i < model->signal_count; ++i) {
        sim->inputs[model->signals[i].slot] = model->signals[i].def.value;
    }
    if (model->drive_count > 0) {
        hf_signals_update(sim, 0.0, HF_SIDE_RIGHT);
        hf_sim_drive(sim, 0.0, HF_SIDE_RIGHT, q, v);
    }
    sim->poses[0] = (hf_pose){.rotation = hf_m3_identity()};
    hf_bodies_still(model->sets, model->set_count, sim->poses);
    hf_update_poses(sim, q, v);
}

// A slip without a force (a level of zero, a one-way clutch that runs free) goes as it moves.
static double mode_of(const hf_law_out *out, int dim, double rate)
{
    if (out->regime != HF_REGIME_SLIP) {
        return out->regime == HF_REGIME_OPEN ? HF_MODE_OPEN : 0.0;
    }
    double along = out->force[0] != 0.0 ? out->force[0] : rate;
    return dim == 1 && along < 0.0 ? -1.0 : 1.0;
}

double hf_normal_for(const hf_sim *sim, const hf_force_place *force)
{
    if (force->load >= 0) {
        return hf_load_of(sim, force->load);
    }
    if (force->normal_force < 0) {
        return fmax(0.0, hf_input_value(sim, force->normal));
    }
    const hf_force_place *other = &sim->model->forces[force->normal_force];
    if (other->info != NULL && other->ops->contact) {
        return sim->normal[force->normal_force];
    }
    double squares = 0.0;
    for (int k = 0; k < other->dim; ++k) {
        squares += sim->force[other->row + k] * sim->force[other->row + k];
    }
    return sqrt(squares);
}

void hf_law_result(hf_sim *sim, int i, const hf_law_out *out, double *dw)
{
    const hf_force_place *force = &sim->model->forces[i];
    sim->mode[i] = mode_of(out, force->dim, sim->rate[force->row]);
    sim->stored[i] = out->stored;
    sim->normal[i] = out->normal;
    dw[i] = hf_force_is_active(force) ? -out->dissipated : out->dissipated;
}

void hf_law_inputs(const hf_sim *sim, const hf_force_place *force, double inputs[HF_LAW_MAX_INPUTS])
{
    for (int k = 0; k < force->value_count; ++k) {
        hf_input input = sim->model->values[force->values + k];
        inputs[k] =
            input.rate && input.signal >= 0
                ? hf_signal_rate(sim, input.signal, sim->signal_time, (hf_side)sim->signal_side)
                : hf_input_value(sim, input);
    }
}

// Contacts among many members: pairs of spheres, points between shapes; where a method solves for
// these it has no forces here.
static void eval_members(hf_sim *sim, int i, double tau, const double *y, double *dy, double *dw)
{
    if (sim->model->forces[i].swarm >= 0) {
        hf_swarm_eval(sim, i, tau, y, dy, dw);
        return;
    }
    sim->mode[i] = HF_MODE_OPEN;
    sim->stored[i] = sim->normal[i] = dw[i] = 0.0;
}

static void eval_force(hf_sim *sim, int i, double tau, const double *y, double *dy, double *dw)
{
    const hf_force_place *force = &sim->model->forces[i];
    if (force->item == NULL) {
        eval_members(sim, i, tau, y, dy, dw);
        return;
    }
    double inputs[HF_LAW_MAX_INPUTS];
    if (force->value_count > 0) {
        hf_law_inputs(sim, force, inputs);
    }
    hf_law_in in = {.gap = sim->gap + force->row,
                    .rate = sim->rate + force->row,
                    .y = y + force->y,
                    .normal = hf_normal_for(sim, force),
                    .tau = tau,
                    .regime = hf_force_regime(sim, i),
                    .step = sim->takes_steps ? sim->core->method.step : 0.0,
                    .flow = hf_relax_flow(sim, force),
                    .inputs = inputs,
                    .memory = sim->memory + force->memory,
                    .modes = sim->law_modes != NULL && force->switch_count > 0
                                 ? sim->law_modes + force->switches
                                 : NULL};
    hf_law_out out = {.force = sim->force + force->row, .dy = dy + force->y};
    force->info->eval(force->def, force->dim, &in, &out);
    if (!force->ops->contact && !hf_force_is_on(sim, force)) {
        hf_force_silence(force, &out);
    }
    hf_law_result(sim, i, &out, dw);
}

void hf_force_silence(const hf_force_place *force, hf_law_out *out)
{
    for (int k = 0; k < force->dim; ++k) {
        out->force[k] = 0.0;
    }
    for (int k = 0; k < force->y_count; ++k) {
        out->dy[k] = 0.0;
    }
    out->stored = out->dissipated = 0.0;
    out->regime = HF_REGIME_OPEN;
}

// Prescribed forces act on `on` as given; the coupling applies -force.
static void eval_prescribed(hf_sim *sim, int i, double *dw)
{
    const hf_force_place *force = &sim->model->forces[i];
    double power = 0.0;
    if (force->dim == 1 && !force->gated) { // the commonest
        double value = hf_input_value(sim, sim->model->values[force->values]);
        sim->force[force->row] = -value;
        dw[i] = power + value * sim->rate[force->row];
        return;
    }
    for (int k = 0; k < force->dim; ++k) {
        double value = hf_force_is_on(sim, force)
                           ? hf_input_value(sim, sim->model->values[force->values + k])
                           : 0.0;
        sim->force[force->row + k] = -value;
        power += value * sim->rate[force->row + k];
    }
    dw[i] = power;
}

// Forces that lie side by side as arrays.
static void eval_batch(hf_sim *sim, const hf_force_group *group, double tau, const double *y,
                       double *dy, double *dw)
{
    const hf_model *model = sim->model;
    const hf_force_place *first = &model->forces[group->first];
    hf_law_batch batch = {.count = (size_t)group->count,
                          .tau = tau,
                          .gap = sim->gap + first->row,
                          .rate = sim->rate + first->row,
                          .y = y + first->y,
                          .force = sim->force + first->row,
                          .dy = dy + first->y,
                          .stored = sim->stored + group->first,
                          .dissipated = dw + group->first,
                          .mode = sim->mode + group->first};
    for (int k = 0; k < HF_LAW_BATCH_NUMBERS; ++k) {
        batch.numbers[k] = model->batch_numbers[k] + first->row;
    }
    first->info->eval_batch(&batch);
}

// Inner states that nothing uses.
static void hold_states(const hf_model *model, const hf_force_group *group, double *dy)
{
    const hf_force_place *last = &model->forces[group->first + group->count - 1];
    int first = model->forces[group->first].y, end = last->y + last->y_count;
    memset(dy + first, 0, (size_t)(end - first) * sizeof *dy);
}

// All laws, group by group: (13e), (22).
static void eval_forces(hf_sim *sim, double tau, const double *y, double *dy, double *dw)
{
    const hf_model *model = sim->model;
    for (int g = 0; g < model->group_count; ++g) {
        const hf_force_group *group = &model->groups[g];
        int end = group->first + group->count;
        if (group->batch) {
            eval_batch(sim, group, tau, y, dy, dw);
        } else if (group->stepwise && sim->plugged != NULL) {
            sim->plugged->forces(sim, group->first, end, dw);
        } else if (group->contacts && sim->exact_contacts && sim->plugged != NULL) {
            hold_states(model, group, dy);
            sim->plugged->forces(sim, group->first, end, dw);
        } else if (group->stepwise) {
            hf_step_forces_clear(sim, group->first, end, dw);
        } else if (group->prescribed) {
            for (int i = group->first; i < end; ++i) {
                eval_prescribed(sim, i, dw);
            }
        } else {
            for (int i = group->first; i < end; ++i) {
                eval_force(sim, i, tau, y, dy, dw);
            }
        }
    }
}

// What driven bodies put in: the laws push them with u, so whoever drives them pushes with -u.
static double driven_power(const hf_sim *sim, const double *v)
{
    double power = 0.0;
    for (int i = 0; i < sim->model->drive_count; ++i) {
        int k = sim->model->drives[i].v;
        power -= sim->u[k] * v[k];
    }
    return power;
}

void hf_sim_observe(hf_sim *sim, double t, hf_side side, double *x)
{
    const hf_model *model = sim->model;
    double *q = x, *v = q + model->nq;

    // Inputs at this time
    sim->eval_time = t;
    if (model->signal_count > 0) {
        hf_signals_update(sim, t, side);
    }
    if (model->drive_count > 0) {
        hf_sim_drive(sim, t, side, q, v);
    }

    // Psi: motion of the bodies to motion of the couplings
    if (model->couplings.in_space || model->always_posed || model->loop_count > 0) {
        hf_update_poses(sim, q, v);
    }
    if (model->couplings.touches) {
        hf_touches_find(sim);
    }
    hf_couplings_psi(&model->couplings, &(hf_motion){.q = q,
                                                     .v = v,
                                                     .poses = sim->poses,
                                                     .gap = sim->gap,
                                                     .rate = sim->rate,
                                                     .references = sim->references,
                                                     .touches = sim->touches,
                                                     .touch_count = sim->touch_count});
    hf_contacts_gate(sim, sim->gap);
    if (model->observed_count > 0) {
        hf_signals_observe(sim, t, x);
    }
}

hf_actions hf_sim_actions(const hf_sim *sim, const double *force, const double *q)
{
    return (hf_actions){.force = force,
                        .q = q,
                        .poses = sim->poses,
                        .u = sim->u,
                        .wrenches = sim->wrenches,
                        .references = sim->references,
                        .touches = sim->touches,
                        .touch_count = sim->touch_count};
}

void hf_sim_push(hf_sim *sim, const double *q)
{
    const hf_actions actions = hf_sim_actions(sim, sim->force, q);
    hf_couplings_phi(&sim->model->couplings, &actions);
    if (sim->model->swarm_count > 0) {
        hf_swarms_phi(sim);
    }
}

// With the loads of frictions as they are.
static void eval_once(hf_sim *sim, double t, hf_side side, double tau, double *x, double *dx)
{
    const hf_model *model = sim->model;
    double *q = x, *v = q + model->nq, *y = v + model->nv;
    double *dq = dx, *dv = dq + model->nq, *dy = dv + model->nv, *dw = dy + model->ny;

    hf_sim_observe(sim, t, side, x);

    // Laws: motion to force
    sim->belt_power = 0.0;
    eval_forces(sim, tau, y, dy, dw);

    // Phi: forces of the couplings to forces on the bodies
    for (int i = 0; i < model->nv; ++i) {
        sim->u[i] = 0.0;
    }
    if (model->couplings.in_space) {
        memset(sim->wrenches, 0, (size_t)model->pose_count * sizeof *sim->wrenches);
    }
    hf_sim_push(sim, q);
    const hf_body_io *io = hf_sim_io(sim, q, v);
    if (model->gathers) {
        hf_bodies_gather(model->sets, model->set_count, io);
    }
    dw[model->force_count] = model->drive_count > 0 ? driven_power(sim, v) : 0.0;
    if (sim->belt_power != 0.0) {
        dw[model->force_count] += sim->belt_power;
    }

    // Bodies: force to motion                                                               (13g)
    hf_bodies_rate(model->sets, model->set_count, io, dq, dv);
    if (model->loop_count > 0) {
        hf_loops_accelerate(sim, x, dv);
        if (sim->loops->power != 0.0) {
            dw[model->force_count] += sim->loops->power;
        }
    }
    sim->core->stats.evaluations += 1;
}

void hf_sim_eval(hf_sim *sim, double t, hf_side side, double tau, double *x, double *dx)
{
    if (sim->loads == NULL) {
        eval_once(sim, t, side, tau, x, dx);
        return;
    }
    // Where laws are computed once a step, or methods solve for them, the loads are found with
    // them.
    bool later = sim->model->loads_in_steps || sim->exact_contacts;
    if (!later || sim->plugged == NULL) {
        hf_loads_begin(sim);
    }
    do {
        eval_once(sim, t, side, tau, x, dx);
    } while (!later && !hf_loads_next(sim, x, dx, NULL));
}

void hf_sim_eval_again(hf_sim *sim, double tau, double *x, double *dx)
{
    eval_once(sim, sim->eval_time, (hf_side)sim->signal_side, tau, x, dx);
}

void hf_sim_q_rate(const hf_sim *sim, const double *x, double *dq)
{
    const hf_model *model = sim->model;
    hf_bodies_q_rate(model->sets, model->set_count, x, x + model->nq, dq);
}

void hf_sim_normalize(const hf_sim *sim, double *x)
{
    if (sim->model->nq != sim->model->nv) { // there are quaternions
        hf_bodies_normalize(sim->model->sets, sim->model->set_count, x);
    }
}
