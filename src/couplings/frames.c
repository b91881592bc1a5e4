// SPDX-License-Identifier: Apache-2.0
// Frame to frame: frame B (on) seen from frame A (to), in six coordinates.       [Kikuuwe2008] (29)
//
//   p       = A' (p_B - p_A)           position                                    rows 0-2
//   (bx,by) = first two of A' z_B      how far B's z axis leans out of A's         rows 3, 4
//   angle   = atan2(cy, cx), c = A' x_B    turn of B's x axis about A's z axis     row 5
//
// With the relative spin w = A' (w_B - w_A), the rates are exact derivatives:
//   p' = A' (v_B - v_A - w_A x (p_B - p_A)),  b' = (w x z)_xy,  angle' = g.(w x c),
//   g = (-cy, cx, 0)/(cx^2 + cy^2)
// For small leaning (bx, by) = (turn about y, -turn about x). The angle is undefined at a lean of
// 90 degrees of B's x axis, where its row exerts nothing.
#include "couplings/space.h"

// The x axis of `on` seen along the z axis of `to`, squared length: below this, 1e-6 rad from
// upright, it tells no angle, and no torque acts about z.
#define UPRIGHT 1e-12

typedef struct frame_place {
    hf_mat3 axes;           // A's axes in the world (columns)
    hf_vec3 on_arm, to_arm; // from the bodies' origins to p_B
    hf_vec3 p, z, c, g;     // in A's axes
} frame_place;

static frame_place locate(const hf_space_coupling *couple, const hf_pose *poses)
{
    const hf_pose *on = &poses[couple->on], *to = &poses[couple->to];
    frame_place f;
    f.axes = hf_m3_mul(&to->rotation, &couple->to_turn);
    f.on_arm = hf_arm(on, couple->on_point);
    hf_vec3 p_b = hf_v3_add(on->position, f.on_arm);
    f.to_arm = hf_v3_sub(p_b, to->position);
    hf_vec3 p_a = hf_v3_add(to->position, hf_arm(to, couple->to_point));
    f.p = hf_m3_tmulv(&f.axes, hf_v3_sub(p_b, p_a));
    f.z = hf_m3_tmulv(&f.axes, hf_arm(on, hf_column_z(&couple->on_turn)));
    f.c = hf_m3_tmulv(&f.axes, hf_arm(on, hf_column_x(&couple->on_turn)));
    double flat = f.c.x * f.c.x + f.c.y * f.c.y;
    double scale = flat > UPRIGHT ? 1.0 / flat : 0.0;
    f.g = hf_v3(-f.c.y * scale, f.c.x * scale, 0.0);
    return f;
}

static void look(const hf_space_coupling *c, const hf_motion *m)
{
    const hf_pose *on = &m->poses[c->on], *to = &m->poses[c->to];
    frame_place f = locate(c, m->poses);
    double *gap = m->gap + c->row, *rate = m->rate + c->row;
    hf_store3(gap, f.p);
    gap[3] = f.z.x;
    gap[4] = f.z.y;
    gap[5] = atan2(f.c.y, f.c.x);

    // v_A + w_A x (p_B - p_A) is the velocity of the point of body A at p_B.
    hf_vec3 drift = hf_v3_sub(hf_velocity_at(on, f.on_arm), hf_velocity_at(to, f.to_arm));
    hf_store3(rate, hf_m3_tmulv(&f.axes, drift));
    hf_vec3 w = hf_m3_tmulv(&f.axes, hf_v3_sub(on->spin, to->spin));
    hf_vec3 lean = hf_v3_cross(w, f.z);
    rate[3] = lean.x;
    rate[4] = lean.y;
    rate[5] = hf_v3_dot(f.g, hf_v3_cross(w, f.c));
}

static void push(const hf_space_coupling *c, const hf_actions *a)
{
    frame_place f = locate(c, a->poses);
    const double *row = a->force + c->row;
    hf_vec3 force = hf_m3_mulv(&f.axes, hf_load3(row));
    // (w x z).b = w.(z x b) and g.(w x c) = w.(c x g)
    hf_vec3 bend = hf_v3_cross(f.z, hf_v3(row[3], row[4], 0.0));
    hf_vec3 turn = hf_v3_scale(row[5], hf_v3_cross(f.c, f.g));
    hf_vec3 torque = hf_m3_mulv(&f.axes, hf_v3_add(bend, turn));
    hf_push(&a->wrenches[c->on], f.on_arm, hf_v3_scale(-1.0, force));
    hf_push(&a->wrenches[c->to], f.to_arm, force);
    hf_twist(&a->wrenches[c->on], hf_v3_scale(-1.0, torque));
    hf_twist(&a->wrenches[c->to], torque);
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        look(c, m);
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        push(c, a);
    }
}

static hf_mat3 axes(const void *item, const hf_pose *poses, const hf_vec3 *references)
{
    const hf_space_coupling *c = item;
    (void)references;
    return hf_m3_mul(&poses[c->to].rotation, &c->to_turn);
}

static const char *row_name(const hf_coupling_def *def, const hf_body_site *sites,
                            hf_coupling_quantity quantity, int row)
{
    static const char *const names[] = {"x", "y", "z", "bend_x", "bend_y", "angle"};
    (void)def, (void)sites, (void)quantity;
    return names[row];
}

// No law on frames is solved by a method that asks for the bias.
const hf_coupling_ops hf_coupling_ops_frames = {
    .name = "frames",
    .item_size = sizeof(hf_space_coupling),
    .in_space = true,
    .has_gap = true,
    .on_points = true,
    .rows = 6,
    .check = hf_space_check_frames,
    .ends = hf_space_ends,
    .place = hf_space_place,
    .psi = psi,
    .phi = phi,
    .axes = axes,
    .sight = hf_space_sight,
    .row_name = row_name,
    .row_turns = hf_space_row_turns,
};
