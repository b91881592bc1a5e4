// SPDX-License-Identifier: Apache-2.0
// The angle by which a frame is turned against another, about whatever axis: what limits a ball
// joint.
//
//   gap = |r|,  rate = n.w,   r the rotation vector of A' B, n = A r/|r|, w = w_on - w_to
//
// from 0 to pi; A the axes of `to`, B those of `on`. Frames that are not turned have no axis: no
// rate, and no torque acts. At pi the axis changes its sign.
#include <math.h>

#include "couplings/space.h"

// Half of a rotation whose sine is smaller has no axis.
#define LEAST_TURN 1e-14

// The axis in the world, and the angle.
static hf_vec3 axis_of(const hf_space_coupling *c, const hf_pose *poses, double *angle)
{
    hf_mat3 on = hf_m3_mul(&poses[c->on].rotation, &c->on_turn),
            to = hf_m3_mul(&poses[c->to].rotation, &c->to_turn),
            back = {to.xx, to.yx, to.zx, to.xy, to.yy, to.zy, to.xz, to.yz, to.zz},
            turn = hf_m3_mul(&back, &on);
    hf_quat q = hf_quat_from_rotation(&turn); // w >= 0
    hf_vec3 v = hf_v3(q.x, q.y, q.z);
    double sine = hf_v3_norm(v);
    *angle = 2.0 * atan2(sine, q.w);
    return sine > LEAST_TURN ? hf_m3_mulv(&to, hf_v3_scale(1.0 / sine, v)) : hf_v3(0.0, 0.0, 0.0);
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        hf_vec3 n = axis_of(c, m->poses, m->gap + c->row);
        m->rate[c->row] = hf_v3_dot(n, hf_v3_sub(m->poses[c->on].spin, m->poses[c->to].spin));
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        double angle;
        hf_vec3 torque = hf_v3_scale(a->force[c->row], axis_of(c, a->poses, &angle));
        hf_twist(&a->wrenches[c->on], hf_v3_scale(-1.0, torque));
        hf_twist(&a->wrenches[c->to], torque);
    }
}

// n' = 1/2 cot(angle/2) (w - n (n.w)) - 1/2 n x w, and W x n with the spin W of `to`; so that
// rate' = n.w' + (W x n).w + 1/2 cot(angle/2) (w.w - (n.w)^2).
static void bias(const void *item, const hf_bias *b)
{
    const hf_space_coupling *c = item;
    double angle;
    hf_vec3 n = axis_of(c, b->poses, &angle);
    hf_vec3 w = hf_v3_sub(b->poses[c->on].spin, b->poses[c->to].spin);
    hf_vec3 change = hf_v3_sub(b->rates[c->on].spin, b->rates[c->to].spin);
    double along = hf_v3_dot(n, w), across = hf_v3_dot(w, w) - along * along;
    double slope = hf_v3_norm(n) > 0.0 ? 0.5 / tan(0.5 * angle) : 0.0;
    b->change[c->row] =
        hf_v3_dot(n, change) + hf_v3_dot(hf_v3_cross(b->poses[c->to].spin, n), w) + slope * across;
}

static bool row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    (void)def, (void)sites, (void)row;
    return true;
}

static hf_vec3 sight(const hf_coupling_sight *s)
{
    (void)s;
    return hf_v3(0.0, 0.0, 0.0);
}

const hf_coupling_ops hf_coupling_ops_angle = {
    .name = "angle",
    .item_size = sizeof(hf_space_coupling),
    .in_space = true,
    .has_gap = true,
    .rows = 1,
    .check = hf_space_check_frames,
    .ends = hf_space_ends,
    .place = hf_space_place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .sight = sight,
    .row_turns = row_turns,
};
