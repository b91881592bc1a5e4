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
