// SPDX-License-Identifier: Apache-2.0
// The distance between two points.
//
//   gap = |d|,   rate = d.(v_on - v_to)/|d|,   d = p_on - p_to
#include "couplings/space.h"

// The unit vector from `to` to `on`, and the distance. Points that coincide have no direction: the
// zero vector, so that no force acts.
static hf_vec3 direction(const hf_space_coupling *c, const hf_pose *poses, hf_vec3 *a, hf_vec3 *b,
                         double *distance)
{
    *a = hf_arm(&poses[c->on], c->on_point);
    *b = hf_arm(&poses[c->to], c->to_point);
    hf_vec3 d =
        hf_v3_sub(hf_v3_add(poses[c->on].position, *a), hf_v3_add(poses[c->to].position, *b));
    *distance = hf_v3_norm(d);
    return *distance > 0.0 ? hf_v3_scale(1.0 / *distance, d) : hf_v3(0.0, 0.0, 0.0);
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        hf_vec3 a, b;
        hf_vec3 n = direction(c, m->poses, &a, &b, m->gap + c->row);
        m->rate[c->row] = hf_v3_dot(
            n, hf_v3_sub(hf_velocity_at(&m->poses[c->on], a), hf_velocity_at(&m->poses[c->to], b)));
    }
}

static void phi(const void *items, int count, const hf_actions *act)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        hf_vec3 a, b;
        double distance;
        hf_vec3 n = direction(c, act->poses, &a, &b, &distance);
        hf_vec3 force = hf_v3_scale(act->force[c->row], n);
        hf_push(&act->wrenches[c->on], a, hf_v3_scale(-1.0, force));
        hf_push(&act->wrenches[c->to], b, force);
    }
}

// |d|'' = n.d'' + (d'.d' - (n.d')^2)/|d|
static void bias(const void *item, const hf_bias *bias)
{
    const hf_space_coupling *c = item;
    hf_vec3 a, b;
    double distance;
    hf_vec3 n = direction(c, bias->poses, &a, &b, &distance);
    hf_vec3 v =
        hf_v3_sub(hf_velocity_at(&bias->poses[c->on], a), hf_velocity_at(&bias->poses[c->to], b));
    double along = hf_v3_dot(n, v), across = hf_v3_dot(v, v) - along * along;
    bias->change[c->row] =
        hf_v3_dot(n, hf_points_change(c, bias, a, b)) + (distance > 0.0 ? across / distance : 0.0);
}

static hf_vec3 sight(const hf_coupling_sight *s)
{
    double distance = hf_v3_norm(s->apart);
    return hf_v3_scale(distance > 0.0 ? -s->force[0] / distance : 0.0, s->apart);
}

const hf_coupling_ops hf_coupling_ops_distance = {
    .name = "distance",
    .item_size = sizeof(hf_space_coupling),
    .in_space = true,
    .has_gap = true,
    .travels = true,
    .on_points = true,
    .rows = 1,
    .check = hf_space_check_points,
    .ends = hf_space_ends,
    .place = hf_space_place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .sight = sight,
    .row_turns = hf_space_row_turns,
};
