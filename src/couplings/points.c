// SPDX-License-Identifier: Apache-2.0
// Point to point, in world axes.
//
//   gap = p_on - p_to,   rate = v_on - v_to
#include "couplings/space.h"

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        const hf_pose *on = &m->poses[c->on], *to = &m->poses[c->to];
        hf_vec3 a = hf_arm(on, c->on_point), b = hf_arm(to, c->to_point);
        hf_store3(m->gap + c->row,
                  hf_v3_sub(hf_v3_add(on->position, a), hf_v3_add(to->position, b)));
        hf_store3(m->rate + c->row, hf_v3_sub(hf_velocity_at(on, a), hf_velocity_at(to, b)));
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        hf_vec3 force = hf_load3(a->force + c->row);
        hf_push(&a->wrenches[c->on], hf_arm(&a->poses[c->on], c->on_point),
                hf_v3_scale(-1.0, force));
        hf_push(&a->wrenches[c->to], hf_arm(&a->poses[c->to], c->to_point), force);
    }
}

static void bias(const void *item, const hf_bias *b)
{
    const hf_space_coupling *c = item;
    hf_store3(b->change + c->row, hf_points_change(c, b, hf_arm(&b->poses[c->on], c->on_point),
                                                   hf_arm(&b->poses[c->to], c->to_point)));
}

const hf_coupling_ops hf_coupling_ops_points = {
    .name = "points",
    .item_size = sizeof(hf_space_coupling),
    .in_space = true,
    .has_gap = true,
    .travels = true,
    .on_points = true,
    .rows = 3,
    .check = hf_space_check_points,
    .ends = hf_space_ends,
    .place = hf_space_place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .sight = hf_space_sight,
    .row_name = hf_space_row_name,
    .row_turns = hf_space_row_turns,
};
