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
// The sum on one body

typedef struct push_sum {
    const hf_sim *sim;
    int body, other; // poses; other 0: any
    hf_wrench sum;
} push_sum;

static void add_push(void *context, const hf_contact_push *push)
{
    push_sum *s = context;
    const hf_model *model = s->sim->model;
    int to = push->scenery > 0 ? model->bodies[push->scenery - 1].pose : push->to;
    bool is_on = push->on == s->body && (s->other == 0 || to == s->other);
    bool is_to = to == s->body && (s->other == 0 || push->on == s->other);
    if (!is_on && !is_to) {
        return;
    }
    double sign = is_on ? 1.0 : -1.0;
    hf_vec3 place = is_on ? push->on_place : push->to_place;
    hf_push(&s->sum, hf_v3_sub(place, s->sim->poses[s->body].position),
            hf_v3_scale(sign, push->force));
    hf_twist(&s->sum, hf_v3_scale(sign, push->torque));
}

hf_wrench hf_sim_contact_wrench(const hf_sim *sim, int body, int other)
{
    if (sim->plugged != NULL && sim->plugged->contact_wrench != NULL) {
        return sim->core->running ? sim->plugged->contact_wrench(sim, body, other) : (hf_wrench){0};
    }
    // Bodies that no coupling in space looks at have no pose, and touch nothing
    const hf_body_place *bodies = sim->model->bodies;
    push_sum s = {
        .sim = sim, .body = bodies[body - 1].pose, .other = other > 0 ? bodies[other - 1].pose : 0};
    if (s.body > 0 && s.other >= 0) {
        hf_sim_pushes(sim, add_push, &s);
    }
    return s.sum;
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
    bool reactions = false;
    // Channels of contacts
    for (int i = 0; i < model->asked_count; ++i) {
        const hf_asked *asked = &model->asked[i];
        if (asked->kind == HF_ASKED_FORCE || asked->kind == HF_ASKED_TORQUE) {
            sim->asked_wrenches[i] = hf_sim_contact_wrench(sim, asked->body, asked->other);
        }
        reactions = reactions || asked->kind == HF_ASKED_REACTION || asked->kind == HF_ASKED_MOMENT;
    }
    // Joints carry what pushes their links
    if (reactions) {
        memset(sim->swarm_wrenches, 0, (size_t)model->pose_count * sizeof *sim->swarm_wrenches);
        hf_swarms_push(sim, add_of_swarm, sim);
    }
}
