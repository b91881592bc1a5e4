// SPDX-License-Identifier: Apache-2.0
// A point or sphere of `on` over the plane z = 0 of a frame on `to`.       000 (23), (27d); n = z
//
//   gap = n.(p_on - p_to) - R      the point of contact is p_on - R n, on both bodies
//   rate = (n, x, y).(v_on - v_to) at the point of contact; of dimension 6: also of the spins
#include "couplings/contact.h"

hf_contact_place hf_plane_place(const hf_space_coupling *c, const hf_pose *poses)
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

void hf_plane_psi(const hf_space_coupling *c, const hf_motion *m)
{
    hf_contact_place place = hf_plane_place(c, m->poses);
    hf_contact_psi(c, &place, m);
}

void hf_plane_phi(const hf_space_coupling *c, const hf_actions *a)
{
    if (hf_contact_is_idle(c, a->force)) {
        return;
    }
    hf_contact_place place = hf_plane_place(c, a->poses);
    hf_contact_phi(c, &place, a);
}

hf_mat3 hf_plane_axes(const hf_space_coupling *c, const hf_pose *poses)
{
    hf_contact_place place = hf_plane_place(c, poses);
    return hf_contact_axes(&place);
}

// The axes turn with `to`; the point of contact is p_on - R n on both bodies.
void hf_plane_bias(const hf_space_coupling *c, const hf_bias *b)
{
    const hf_pose *on = &b->poses[c->on], *to = &b->poses[c->to];
    hf_contact_place place = hf_plane_place(c, b->poses);
    hf_contact_turn turn = {.n = hf_v3_cross(to->spin, place.n),
                            .x = hf_v3_cross(to->spin, place.x),
                            .y = hf_v3_cross(to->spin, place.y)};
    hf_vec3 center = hf_arm(on, c->on_point);
    turn.on_arm = hf_v3_axpy(hf_v3_cross(on->spin, center), -c->radius, turn.n);
    turn.to_arm = hf_v3_add(hf_v3_sub(on->velocity, to->velocity), turn.on_arm);
    hf_contact_bias(c, &place, &turn, b);
}
