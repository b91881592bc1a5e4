// SPDX-License-Identifier: Apache-2.0
// Contact forces of bodies at the present state.
#include "sim/pushes.h"

#include <string.h>

#include "sim/sim_data.h"
#include "swarm/swarm.h"

hf_contact_push hf_contact_push_of(const hf_pose *poses, int on, int to,
                                   const hf_contact_place *place, int dim, const double *f)
{
    hf_vec3 torque = {0};
    if (dim == 6) {
        torque = hf_v3_scale(-1.0, hf_from_axes(place, f + 3));
    }
    return (hf_contact_push){.on = on,
                             .to = to,
                             .on_place = hf_v3_add(poses[on].position, place->on_arm),
                             .to_place = hf_v3_add(poses[to].position, place->to_arm),
                             .force = hf_v3_scale(-1.0, hf_from_axes(place, f)),
                             .torque = torque};
}

void hf_push_add(const hf_pose *poses, hf_wrench *wrenches, const hf_contact_push *push)
{
    hf_wrench *on = &wrenches[push->on], *to = &wrenches[push->to];
    hf_push(on, hf_v3_sub(push->on_place, poses[push->on].position), push->force);
    hf_push(to, hf_v3_sub(push->to_place, poses[push->to].position),
            hf_v3_scale(-1.0, push->force));
    hf_twist(on, push->torque);
    hf_twist(to, hf_v3_scale(-1.0, push->torque));
}

// Couplings that are one contact each: spheres, points and spheres on planes.
static void couplings_push(const hf_sim *sim, hf_push_taker *take, void *context)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->item != NULL && force->ops->touch != NULL) {
            int ends[2];
            hf_contact_place place =
                force->ops->touch(force->item, sim->poses, sim->references, ends);
            hf_contact_push push = hf_contact_push_of(sim->poses, ends[0], ends[1], &place,
                                                      force->dim, sim->force + force->row);
            take(context, &push);
        }
    }
}

void hf_sim_pushes(const hf_sim *sim, hf_push_taker *take, void *context)
{
    couplings_push(sim, take, context);
    hf_swarms_push(sim, take, context);
    if (sim->plugged != NULL && sim->plugged->pushes != NULL) {
        sim->plugged->pushes(sim, take, context);
    }
}

// ------------------------------------------------------------------------------------------------
// The sums on bodies that channels ask for

static bool is_contact(const hf_asked *asked)
{
    return asked->kind == HF_ASKED_FORCE || asked->kind == HF_ASKED_TORQUE;
}

// Bodies that no coupling in space looks at have no pose, and touch nothing.
static int pose_of(const hf_model *model, int body)
{
    return body > 0 ? model->bodies[body - 1].pose : 0;
}

// To all that was asked for.
static void add_push(void *context, const hf_contact_push *push)
{
    hf_sim *sim = context;
    const hf_model *model = sim->model;
    int ends[2] = {push->on, push->scenery > 0 ? pose_of(model, push->scenery) : push->to};
    for (int i = 0; i < model->asked_count; ++i) {
        const hf_asked *asked = &model->asked[i];
        int body = pose_of(model, asked->body), other = pose_of(model, asked->other);
        int side = body == ends[0] ? 0 : 1;
        if (body <= 0 || body != ends[side] || !is_contact(asked) ||
            (asked->other > 0 && other != ends[1 - side])) {
            continue;
        }
        double sign = side == 0 ? 1.0 : -1.0;
        hf_vec3 place = side == 0 ? push->on_place : push->to_place;
        hf_wrench *sum = &sim->asked_wrenches[i];
        hf_push(sum, hf_v3_sub(place, sim->poses[body].position), hf_v3_scale(sign, push->force));
        hf_twist(sum, hf_v3_scale(sign, push->torque));
    }
}

static void find_asked(hf_sim *sim)
{
    memset(sim->asked_wrenches, 0, (size_t)sim->model->asked_count * sizeof *sim->asked_wrenches);
    hf_sim_pushes(sim, add_push, sim);
}

hf_wrench hf_sim_asked_wrench(hf_sim *sim, int index)
{
    const hf_asked *asked = &sim->model->asked[index];
    if (sim->plugged != NULL && sim->plugged->contact_wrench != NULL) {
        return sim->core->running ? sim->plugged->contact_wrench(sim, asked->body, asked->other)
                                  : (hf_wrench){0};
    }
    bool kept = sim->in_steps && sim->step_taken > 0.0;
    if (!kept && !sim->asked_known) {
        find_asked(sim);
        sim->asked_known = true;
    }
    return sim->asked_wrenches[index];
}

// ------------------------------------------------------------------------------------------------
// Over a step

static void add_of_swarm(void *context, const hf_contact_push *push)
{
    hf_sim *sim = context;
    hf_push_add(sim->poses, sim->swarm_wrenches, push);
}

void hf_sim_keep_pushes(hf_sim *sim)
{
    const hf_model *model = sim->model;
    bool contacts = false, reactions = false;
    // Channels of contacts
    for (int i = 0; i < model->asked_count; ++i) {
        hf_asked_kind kind = model->asked[i].kind;
        contacts = contacts || is_contact(&model->asked[i]);
        reactions = reactions || kind == HF_ASKED_REACTION || kind == HF_ASKED_MOMENT;
    }
    if (contacts) {
        find_asked(sim);
    }
    // Joints carry what pushes their links
    if (reactions) {
        memset(sim->swarm_wrenches, 0, (size_t)model->pose_count * sizeof *sim->swarm_wrenches);
        hf_swarms_push(sim, add_of_swarm, sim);
    }
}
