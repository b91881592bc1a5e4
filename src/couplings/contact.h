// SPDX-License-Identifier: Apache-2.0
// What contacts share: axes at a point of contact, and the rows of motion and force in them.
//
//   rows 0-2: velocity of `on` against `to` at the point of contact along n, x, y
//   rows 3-5: spin of `on` against `to` about n, x, y (couplings of dimension 6)
#ifndef HF_COUPLINGS_CONTACT_H
#define HF_COUPLINGS_CONTACT_H

#include "couplings/space.h"

// A sphere of a body.
typedef struct hf_sphere {
    const hf_pose *pose;
    hf_vec3 center; // body frame [m]
    double radius;  // [m]
} hf_sphere;

// The unit vector along a reference's part across n; *used: the reference it was made of, another
// where this one gives none (spheres.c).
hf_vec3 hf_contact_across(hf_vec3 reference, hf_vec3 n, hf_vec3 *used);

// Two spheres (spheres.c): their contact, and their reference after `seconds`.
hf_contact_place hf_spheres_place(const hf_sphere *on, const hf_sphere *to, hf_vec3 reference);
hf_vec3 hf_spheres_turn(const hf_sphere *on, const hf_sphere *to, hf_vec3 reference,
                        double seconds);

// Parts of the tables of contacts (contact.c).
int hf_contact_dim(const hf_coupling_def *def);
hf_status hf_contact_check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                           hf_error *error);
const char *hf_contact_row_name(const hf_coupling_def *def, const hf_body_site *sites,
                                hf_coupling_quantity quantity, int row);

static inline hf_vec3 hf_in_axes(const hf_contact_place *place, hf_vec3 v)
{
    return hf_v3(hf_v3_dot(place->n, v), hf_v3_dot(place->x, v), hf_v3_dot(place->y, v));
}

static inline hf_vec3 hf_from_axes(const hf_contact_place *place, const double *f)
{
    return hf_v3_axpy(hf_v3_axpy(hf_v3_scale(f[0], place->n), f[1], place->x), f[2], place->y);
}

// Only the first row has a gap.
static inline void hf_contact_psi(const hf_space_coupling *c, const hf_contact_place *place,
                                  const hf_motion *m)
{
    const hf_pose *on = &m->poses[c->on], *to = &m->poses[c->to];
    hf_vec3 velocity =
        hf_v3_sub(hf_velocity_at(on, place->on_arm), hf_velocity_at(to, place->to_arm));
    hf_store3(m->gap + c->row, hf_v3(place->gap, 0.0, 0.0));
    hf_store3(m->rate + c->row, hf_in_axes(place, velocity));
    if (c->dim == 6) {
        hf_store3(m->gap + c->row + 3, hf_v3(0.0, 0.0, 0.0));
        hf_store3(m->rate + c->row + 3, hf_in_axes(place, hf_v3_sub(on->spin, to->spin)));
    }
}

static inline void hf_contact_phi(const hf_space_coupling *c, const hf_contact_place *place,
                                  const hf_actions *a)
{
    const double *f = a->force + c->row;
    hf_vec3 force = hf_from_axes(place, f);
    hf_push(&a->wrenches[c->on], place->on_arm, hf_v3_scale(-1.0, force));
    hf_push(&a->wrenches[c->to], place->to_arm, force);
    if (c->dim == 6) {
        hf_vec3 torque = hf_from_axes(place, f + 3);
        hf_twist(&a->wrenches[c->on], hf_v3_scale(-1.0, torque));
        hf_twist(&a->wrenches[c->to], torque);
    }
}

// How axes and arms of a contact change.
typedef struct hf_contact_turn {
    hf_vec3 n, x, y;
    hf_vec3 on_arm, to_arm;
} hf_contact_turn;

static inline void hf_contact_bias(const hf_space_coupling *c, const hf_contact_place *place,
                                   const hf_contact_turn *turn, const hf_bias *b)
{
    const hf_pose *on = &b->poses[c->on], *to = &b->poses[c->to];
    const hf_pose_rate *on_rate = &b->rates[c->on], *to_rate = &b->rates[c->to];
    const hf_contact_place turned = {.n = turn->n, .x = turn->x, .y = turn->y};
    hf_vec3 v = hf_v3_sub(hf_velocity_at(on, place->on_arm), hf_velocity_at(to, place->to_arm));
    hf_vec3 change = hf_v3_sub(hf_velocity_rate_at(on, on_rate, place->on_arm, turn->on_arm),
                               hf_velocity_rate_at(to, to_rate, place->to_arm, turn->to_arm));
    hf_store3(b->change + c->row, hf_v3_add(hf_in_axes(place, change), hf_in_axes(&turned, v)));
    if (c->dim == 6) {
        hf_vec3 spin = hf_v3_sub(on->spin, to->spin);
        hf_vec3 spin_change = hf_v3_sub(on_rate->spin, to_rate->spin);
        hf_store3(b->change + c->row + 3,
                  hf_v3_add(hf_in_axes(place, spin_change), hf_in_axes(&turned, spin)));
    }
}

// Whether a coupling exerts nothing.
static inline bool hf_contact_is_idle(const hf_space_coupling *c, const double *force)
{
    const double *f = force + c->row;
    bool idle = f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0;
    return idle && (c->dim < 6 || (f[3] == 0.0 && f[4] == 0.0 && f[5] == 0.0));
}

static inline hf_mat3 hf_contact_axes(const hf_contact_place *p)
{
    return (hf_mat3){p->n.x, p->x.x, p->y.x, p->n.y, p->x.y, p->y.y, p->n.z, p->x.z, p->y.z};
}

#endif
