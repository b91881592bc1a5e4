// SPDX-License-Identifier: Apache-2.0
// A point or sphere of `on` over the plane z = 0 of a frame on `to`.  [Kikuuwe2008] (23), (27d); n
// = z
//
//   gap = n.(p_on - p_to) - R      the point of contact is p_on - R n, on both bodies
//   rate = (n, x, y).(v_on - v_to) at the point of contact; of dimension 6: also of the spins
#include "couplings/contact.h"

static hf_contact_place locate(const hf_space_coupling *c, const hf_pose *poses)
{
    const hf_pose *on = &poses[c->on], *to = &poses[c->to];
    hf_contact_place place = {
        .n = hf_arm(to, hf_column_z(&c->to_turn)),
        .x = hf_arm(to, hf_column_x(&c->to_turn)),
        .y = hf_arm(to, hf_column_y(&c->to_turn)),
    };
    hf_vec3 center = hf_arm(on, c->on_point);
    hf_vec3 plane = hf_v3_add(to->position, hf_arm(to, c->to_point));
    hf_vec3 from_plane = hf_v3_sub(hf_v3_add(on->position, center), plane);
    place.gap = hf_v3_dot(place.n, from_plane) - c->radius;
    place.on_arm = hf_v3_axpy(center, -c->radius, place.n);
    place.to_arm = hf_v3_sub(hf_v3_add(on->position, place.on_arm), to->position);
    return place;
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        hf_contact_place place = locate(c, m->poses);
        hf_contact_psi(c, &place, m);
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        if (!hf_contact_is_idle(c, a->force)) {
            hf_contact_place place = locate(c, a->poses);
            hf_contact_phi(c, &place, a);
        }
    }
}

static hf_contact_place touch(const void *item, const hf_pose *poses, const hf_vec3 *references,
                              int ends[2])
{
    const hf_space_coupling *c = item;
    (void)references;
    ends[0] = c->on;
    ends[1] = c->to;
    return locate(c, poses);
}

static hf_mat3 axes(const void *item, const hf_pose *poses, const hf_vec3 *references)
{
    hf_contact_place place = locate(item, poses);
    (void)references;
    return hf_contact_axes(&place);
}

// The axes turn with `to`; the point of contact is p_on - R n on both bodies.
static void bias(const void *item, const hf_bias *b)
{
    const hf_space_coupling *c = item;
    const hf_pose *on = &b->poses[c->on], *to = &b->poses[c->to];
    hf_contact_place place = locate(c, b->poses);
    hf_contact_turn turn = {.n = hf_v3_cross(to->spin, place.n),
                            .x = hf_v3_cross(to->spin, place.x),
                            .y = hf_v3_cross(to->spin, place.y)};
    hf_vec3 center = hf_arm(on, c->on_point);
    turn.on_arm = hf_v3_axpy(hf_v3_cross(on->spin, center), -c->radius, turn.n);
    turn.to_arm = hf_v3_add(hf_v3_sub(on->velocity, to->velocity), turn.on_arm);
    hf_contact_bias(c, &place, &turn, b);
}

const hf_coupling_ops hf_coupling_ops_plane = {
    .name = "plane",
    .item_size = sizeof(hf_space_coupling),
    .in_space = true,
    .contact = true,
    .has_gap = true,
    .on_points = true,
    .dim = hf_contact_dim,
    .check = hf_contact_check,
    .ends = hf_space_ends,
    .place = hf_space_place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .axes = axes,
    .touch = touch,
    .sight = hf_space_sight,
    .row_name = hf_contact_row_name,
    .row_turns = hf_space_row_turns,
};
