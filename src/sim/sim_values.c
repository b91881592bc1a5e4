// SPDX-License-Identifier: Apache-2.0
// The number in a channel now.
#include <math.h>

#include "base/error.h"
#include "loops/loops.h"
#include "sim/sim_data.h"

static double body_value(const hf_sim *sim, const hf_channel_place *channel)
{
    const hf_body_place *place = &sim->model->bodies[channel->component];
    const double *q = sim->x + place->q, *v = sim->x + sim->model->nq + place->v;
    switch (channel->quantity) {
    case HF_QUANTITY_POSITION:
        return q[channel->axis];
    case HF_QUANTITY_ORIENTATION:
        return q[place->nq - 4 + channel->axis];
    case HF_QUANTITY_VELOCITY:
        return v[channel->axis];
    default:
        return v[place->nv - 3 + channel->axis];
    }
}

// Force on the `on` component. Of contacts in world axes; elsewhere along the coupling's own rows.
static double force_value(const hf_sim *sim, const hf_force_place *force, int axis)
{
    const double *f = hf_sim_forces_now(sim) + force->row;
    if (!force->ops->contact || axis >= 3) {
        return 0.0 - f[axis]; // no negative zero
    }
    hf_mat3 axes = hf_force_axes(sim, force);
    hf_vec3 world = hf_m3_mulv(&axes, hf_v3(f[0], f[1], f[2]));
    return 0.0 - (axis == 0 ? world.x : (axis == 1 ? world.y : world.z));
}

// What a force puts into the bodies that it acts on.
static double power_of(const hf_sim *sim, const hf_force_place *force)
{
    const double *f = hf_sim_forces_now(sim) + force->row;
    double power = 0.0;
    for (int k = 0; k < force->dim; ++k) {
        power -= f[k] * sim->rate[force->row + k];
    }
    return power + 0.0; // no negative zero
}

static double shown_value(const hf_sim *sim, const hf_channel_place *channel)
{
    const hf_model *model = sim->model;
    const hf_force_place *force = &model->forces[channel->component];
    const double *f = hf_sim_forces_now(sim) + force->row;
    double inputs[HF_LAW_MAX_INPUTS];
    hf_law_inputs(sim, force, inputs);
    const hf_law_in in = {.gap = sim->gap + force->row,
                          .rate = sim->rate + force->row,
                          .y = sim->x + model->nq + model->nv + force->y,
                          .inputs = inputs,
                          .memory = sim->memory + force->memory};
    return force->info->show(force->def, &in, f, channel->axis);
}

static double law_value(const hf_sim *sim, const hf_channel_place *channel)
{
    const hf_model *model = sim->model;
    const hf_force_place *force = &model->forces[channel->component];
    const double *y = sim->x + model->nq + model->nv, *w = y + model->ny;
    switch (channel->quantity) {
    case HF_QUANTITY_FORCE:
        return force_value(sim, force, channel->axis);
    case HF_QUANTITY_GAP:
        return sim->gap[force->row + channel->axis];
    case HF_QUANTITY_RATE:
        return sim->rate[force->row + channel->axis];
    case HF_QUANTITY_POWER:
        return power_of(sim, force);
    case HF_QUANTITY_MODE:
        return hf_sim_mode_now(sim, channel->component);
    case HF_QUANTITY_NORMAL:
        return sim->normal[channel->component];
    case HF_QUANTITY_STATE:
        return y[force->y + channel->axis];
    case HF_QUANTITY_DISSIPATED:
    case HF_QUANTITY_INPUT:
        return w[channel->component];
    default:
        return sim->stored[channel->component];
    }
}

static double loop_value(hf_sim *sim, const hf_channel_place *channel)
{
    const hf_loop_place *loop = &sim->model->loops[channel->component];
    if (channel->quantity == HF_QUANTITY_LOOP_ERROR ||
        channel->quantity == HF_QUANTITY_LOOP_ANGLE_ERROR) {
        double error, angle;
        hf_loop_opening(sim, loop, sim->x, &error, &angle);
        return channel->quantity == HF_QUANTITY_LOOP_ERROR ? error : angle;
    }
    hf_vec3 force, torque;
    hf_loop_force(sim, loop, &force, &torque);
    hf_vec3 out = channel->quantity == HF_QUANTITY_LOOP_FORCE ? force : torque;
    return channel->axis == 0 ? out.x : (channel->axis == 1 ? out.y : out.z);
}

static double of_vector(hf_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Mean over the last step; zero before the first.
static double mean_rate(const hf_sim *sim, int v)
{
    double change = sim->x[sim->model->nq + v] - sim->v_before[v];
    return sim->step_taken > 0.0 ? change / sim->step_taken : 0.0;
}

static double asked_value(hf_sim *sim, const hf_channel_place *channel)
{
    const hf_asked *asked = &sim->model->asked[channel->component];
    const hf_body_place *place = &sim->model->bodies[asked->body - 1];
    int axis = channel->axis;
    // Means over the last step
    if (asked->kind == HF_ASKED_ACCELERATION) {
        return mean_rate(sim, place->v + axis);
    }
    if (asked->kind == HF_ASKED_TURNING) {
        return mean_rate(sim, place->v + place->nv - 3 + axis);
    }
    // Where the body is
    if (asked->kind == HF_ASKED_POSE) {
        hf_vec3 position;
        hf_quat turn;
        hf_sim_pose(sim, (hf_body){asked->body}, &position, &turn);
        const double turned[] = {turn.w, turn.x, turn.y, turn.z};
        return axis < 3 ? of_vector(position, axis) : turned[axis - 3];
    }
    // What its joint carries
    if (asked->kind == HF_ASKED_REACTION || asked->kind == HF_ASKED_MOMENT) {
        hf_wrench carried = hf_joint_reaction(sim, place);
        return of_vector(asked->kind == HF_ASKED_REACTION ? carried.force : carried.torque, axis);
    }
    // What contacts do to it
    hf_wrench wrench = hf_sim_asked_wrench(sim, channel->component);
    return of_vector(asked->kind == HF_ASKED_FORCE ? wrench.force : wrench.torque, axis);
}

static double energy_value(const hf_energy *e, int axis)
{
    const double values[] = {e->kinetic, e->potential,  e->stored,
                             e->input,   e->dissipated, e->kinetic + e->potential + e->stored,
                             e->residual};
    return values[axis];
}

// Of the last step, and of the whole run so far: in the order of SOLVER in compile/channels.c.
static double solver_value(const hf_sim *sim, int axis)
{
    const hf_sim_stats *stats = &sim->core->stats;
    const double values[] = {stats->residual,
                             stats->iterations,
                             stats->contacts,
                             (double)stats->internal_steps,
                             (double)stats->error_failures,
                             (double)stats->solve_failures,
                             (double)stats->evaluations,
                             (double)stats->restarts,
                             (double)stats->events};
    return values[axis];
}

// A channel of a sim that was refreshed; `energy` is its ledger, for channels of it.
static double value_of(hf_sim *sim, const hf_channel_place *place, const hf_energy *energy)
{
    switch (place->quantity) {
    case HF_QUANTITY_POSITION:
    case HF_QUANTITY_VELOCITY:
    case HF_QUANTITY_ORIENTATION:
    case HF_QUANTITY_ANGULAR_VELOCITY:
        return body_value(sim, place);
    case HF_QUANTITY_LOOP_ERROR:
    case HF_QUANTITY_LOOP_ANGLE_ERROR:
    case HF_QUANTITY_LOOP_FORCE:
    case HF_QUANTITY_LOOP_TORQUE:
        return loop_value(sim, place);
    case HF_QUANTITY_VALUE:
        return sim->signals[place->component];
    case HF_QUANTITY_ENERGY:
        return energy_value(energy, place->axis);
    case HF_QUANTITY_SOLVER:
        return solver_value(sim, place->axis);
    case HF_QUANTITY_ASKED:
        return asked_value(sim, place);
    case HF_QUANTITY_SHOWN:
        return shown_value(sim, place);
    default:
        return law_value(sim, place);
    }
}

double hf_sim_value(hf_sim *sim, hf_channel channel)
{
    HF_ASSERT(channel.id >= 1 && channel.id <= sim->model->channel_count);
    const hf_channel_place *place = &sim->model->channels[channel.id - 1];
    hf_sim_refresh(sim, hf_method_first_tau(sim->core->method.type, sim->core->method.step));
    hf_energy energy = {0};
    if (place->quantity == HF_QUANTITY_ENERGY) {
        energy = hf_sim_energy(sim);
    }
    return value_of(sim, place, &energy);
}

const double *hf_sim_values(hf_sim *sim)
{
    hf_sim_refresh(sim, hf_method_first_tau(sim->core->method.type, sim->core->method.step));
    const hf_energy energy = hf_sim_energy(sim);
    for (int i = 0; i < sim->model->channel_count; ++i) {
        sim->values[i] = value_of(sim, &sim->model->channels[i], &energy);
    }
    return sim->values;
}

// ------------------------------------------------------------------------------------------------
// The state

const double *hf_sim_positions(const hf_sim *sim)
{
    return sim->x;
}

const double *hf_sim_velocities(const hf_sim *sim)
{
    return sim->x + sim->model->nq;
}

const double *hf_sim_law_states(const hf_sim *sim)
{
    return sim->x + sim->model->nq + sim->model->nv;
}
