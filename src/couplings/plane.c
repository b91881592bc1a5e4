// SPDX-License-Identifier: Apache-2.0
// A point or sphere of `on` over the plane z = 0 of a frame on `to`.       000 (23), (27d); n = z
//
//   gap = n.(p_on - p_to) - R      the point of contact is p_on - R n, on both bodies
//   rate = (n, x, y).(v_on - v_to) at the point of contact
//
// The gap's row is the first of three; only it is filled in `gap`.
#include "couplings/space.h"

typedef struct contact_place {
    hf_vec3 n, x, y;        // world axes
    hf_vec3 on_arm, to_arm; // from the bodies' origins to the point of contact
    double gap;
} contact_place;

static contact_place locate(const hf_space_coupling *c, const hf_pose *poses)
{
    const hf_pose *on = &poses[c->on], *to = &poses[c->to];
    contact_place place = {
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
    contact_place place = locate(c, m->poses);
    hf_vec3 velocity = hf_v3_sub(hf_velocity_at(&m->poses[c->on], place.on_arm),
                                 hf_velocity_at(&m->poses[c->to], place.to_arm));
    hf_store3(m->gap + c->row, hf_v3(place.gap, 0.0, 0.0));
    hf_store3(m->rate + c->row, hf_v3(hf_v3_dot(place.n, velocity), hf_v3_dot(place.x, velocity),
                                      hf_v3_dot(place.y, velocity)));
}

void hf_plane_phi(const hf_space_coupling *c, const hf_actions *a)
{
    const double *f = a->force + c->row;
    if (f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0) {
        return;
    }
    contact_place place = locate(c, a->poses);
    hf_vec3 force =
        hf_v3_axpy(hf_v3_axpy(hf_v3_scale(f[0], place.n), f[1], place.x), f[2], place.y);
    hf_push(&a->wrenches[c->on], place.on_arm, hf_v3_scale(-1.0, force));
    hf_push(&a->wrenches[c->to], place.to_arm, force);
}

hf_mat3 hf_plane_axes(const hf_space_coupling *c, const hf_pose *poses)
{
    contact_place p = locate(c, poses);
    return (hf_mat3){p.n.x, p.x.x, p.y.x, p.n.y, p.x.y, p.y.y, p.n.z, p.x.z, p.y.z};
}
