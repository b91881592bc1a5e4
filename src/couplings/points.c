// SPDX-License-Identifier: Apache-2.0
// Point to point, in world axes; the distance between two points; and relative spin.
#include "couplings/space.h"

// gap = p_on - p_to,   rate = v_on - v_to
void hf_points_psi(const hf_space_coupling *c, const hf_motion *m)
{
    const hf_pose *on = &m->poses[c->on], *to = &m->poses[c->to];
    hf_vec3 a = hf_arm(on, c->on_point), b = hf_arm(to, c->to_point);
    hf_store3(m->gap + c->row, hf_v3_sub(hf_v3_add(on->position, a), hf_v3_add(to->position, b)));
    hf_store3(m->rate + c->row, hf_v3_sub(hf_velocity_at(on, a), hf_velocity_at(to, b)));
}

void hf_points_phi(const hf_space_coupling *c, const hf_actions *a)
{
    hf_vec3 force = hf_load3(a->force + c->row);
    hf_push(&a->wrenches[c->on], hf_arm(&a->poses[c->on], c->on_point), hf_v3_scale(-1.0, force));
    hf_push(&a->wrenches[c->to], hf_arm(&a->poses[c->to], c->to_point), force);
}

// a_on - a_to of two points fixed in their bodies
static hf_vec3 relative_change(const hf_space_coupling *c, const hf_bias *bias, hf_vec3 a,
                               hf_vec3 b)
{
    const hf_pose *on = &bias->poses[c->on], *to = &bias->poses[c->to];
    return hf_v3_sub(hf_velocity_rate_at(on, &bias->rates[c->on], a, hf_v3_cross(on->spin, a)),
                     hf_velocity_rate_at(to, &bias->rates[c->to], b, hf_v3_cross(to->spin, b)));
}

void hf_points_bias(const hf_space_coupling *c, const hf_bias *b)
{
    hf_store3(b->change + c->row, relative_change(c, b, hf_arm(&b->poses[c->on], c->on_point),
                                                  hf_arm(&b->poses[c->to], c->to_point)));
}

hf_mat3 hf_points_axes(void)
{
    return hf_m3_identity();
}

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

// gap = |d|,   rate = d.(v_on - v_to)/|d|,   d = p_on - p_to
void hf_distance_psi(const hf_space_coupling *c, const hf_motion *m)
{
    hf_vec3 a, b;
    hf_vec3 n = direction(c, m->poses, &a, &b, m->gap + c->row);
    m->rate[c->row] = hf_v3_dot(
        n, hf_v3_sub(hf_velocity_at(&m->poses[c->on], a), hf_velocity_at(&m->poses[c->to], b)));
}

void hf_distance_phi(const hf_space_coupling *c, const hf_actions *act)
{
    hf_vec3 a, b;
    double distance;
    hf_vec3 n = direction(c, act->poses, &a, &b, &distance);
    hf_vec3 force = hf_v3_scale(act->force[c->row], n);
    hf_push(&act->wrenches[c->on], a, hf_v3_scale(-1.0, force));
    hf_push(&act->wrenches[c->to], b, force);
}

// |d|'' = n.d'' + (d'.d' - (n.d')^2)/|d|
void hf_distance_bias(const hf_space_coupling *c, const hf_bias *bias)
{
    hf_vec3 a, b;
    double distance;
    hf_vec3 n = direction(c, bias->poses, &a, &b, &distance);
    hf_vec3 v =
        hf_v3_sub(hf_velocity_at(&bias->poses[c->on], a), hf_velocity_at(&bias->poses[c->to], b));
    double along = hf_v3_dot(n, v), across = hf_v3_dot(v, v) - along * along;
    bias->change[c->row] =
        hf_v3_dot(n, relative_change(c, bias, a, b)) + (distance > 0.0 ? across / distance : 0.0);
}

// rate = w_on - w_to. Spin is the derivative of no coordinates: the gap stays zero.
void hf_spin_psi(const hf_space_coupling *c, const hf_motion *m)
{
    hf_store3(m->gap + c->row, hf_v3(0.0, 0.0, 0.0));
    hf_store3(m->rate + c->row, hf_v3_sub(m->poses[c->on].spin, m->poses[c->to].spin));
}

void hf_spin_phi(const hf_space_coupling *c, const hf_actions *a)
{
    hf_vec3 torque = hf_load3(a->force + c->row);
    hf_twist(&a->wrenches[c->on], hf_v3_scale(-1.0, torque));
    hf_twist(&a->wrenches[c->to], torque);
}

void hf_spin_bias(const hf_space_coupling *c, const hf_bias *b)
{
    hf_store3(b->change + c->row, hf_v3_sub(b->rates[c->on].spin, b->rates[c->to].spin));
}
