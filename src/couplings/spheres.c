// SPDX-License-Identifier: Apache-2.0
// Two spheres: n from the centre of `to` to that of `on`.
//
//   gap = |c_on - c_to| - R_on - R_to     the point of contact lies in the middle of the gap
//   rate = (n, x, y).(v_on - v_to) at the point of contact; of dimension 6: also of the spins
//
// x is the part of a reference direction that is across n, so that it follows n as the spheres roll
// on each other. The reference is a memory that `carry` renews between steps: it turns
// with n by the shortest way, and with the mean spin of the two bodies about n. Friction's
// deflections, which are kept along x and y, are thereby carried along with the contact.
#include "couplings/contact.h"

// The part of a reference across n, of one, below which its direction is rounding.
#define ALONG_N 1e-6

// Some direction across n.
static hf_vec3 across(hf_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    return x <= y && x <= z ? hf_v3(1, 0, 0) : (y <= z ? hf_v3(0, 1, 0) : hf_v3(0, 0, 1));
}

hf_vec3 hf_contact_across(hf_vec3 reference, hf_vec3 n, hf_vec3 *used)
{
    hf_vec3 x = hf_v3_axpy(reference, -hf_v3_dot(n, reference), n);
    double length = hf_v3_norm(x);
    *used = reference;
    // A reference along n (or none yet) gives no tangent direction.
    if (!(length > ALONG_N)) {
        *used = across(n);
        x = hf_v3_axpy(*used, -hf_v3_dot(n, *used), n);
        length = hf_v3_norm(x);
    }
    return hf_v3_scale(1.0 / length, x);
}

hf_contact_place hf_spheres_place(const hf_sphere *on, const hf_sphere *to, hf_vec3 reference)
{
    hf_vec3 on_center = hf_arm(on->pose, on->center), to_center = hf_arm(to->pose, to->center);
    hf_vec3 apart = hf_v3_sub(hf_v3_add(on->pose->position, on_center),
                              hf_v3_add(to->pose->position, to_center));
    double distance = hf_v3_norm(apart);
    // Centres that coincide have no direction: any will do.
    hf_vec3 n = distance > 0.0 ? hf_v3_scale(1.0 / distance, apart) : hf_v3(0.0, 0.0, 1.0);
    hf_contact_place place = {.n = n, .gap = distance - on->radius - to->radius};
    hf_vec3 used;
    place.x = hf_contact_across(reference, n, &used);
    place.y = hf_v3_cross(n, place.x);
    place.on_arm = hf_v3_axpy(on_center, -(on->radius + 0.5 * place.gap), n);
    place.to_arm = hf_v3_axpy(to_center, to->radius + 0.5 * place.gap, n);
    return place;
}

static hf_contact_place locate(const hf_space_coupling *c, const hf_pose *poses, hf_vec3 reference)
{
    const hf_sphere on = {&poses[c->on], c->on_point, c->radius};
    const hf_sphere to = {&poses[c->to], c->to_point, c->to_radius};
    return hf_spheres_place(&on, &to, reference);
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        hf_contact_place place = locate(c, m->poses, m->references[c->memory]);
        hf_contact_psi(c, &place, m);
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        if (!hf_contact_is_idle(c, a->force)) {
            hf_contact_place place = locate(c, a->poses, a->references[c->memory]);
            hf_contact_phi(c, &place, a);
        }
    }
}

static hf_contact_place touch(const void *item, const hf_pose *poses, const hf_vec3 *references,
                              int ends[2])
{
    const hf_space_coupling *c = item;
    ends[0] = c->on;
    ends[1] = c->to;
    return locate(c, poses, references[c->memory]);
}

static hf_mat3 axes(const void *item, const hf_pose *poses, const hf_vec3 *references)
{
    const hf_space_coupling *c = item;
    hf_contact_place place = locate(c, poses, references[c->memory]);
    return hf_contact_axes(&place);
}

hf_vec3 hf_spheres_turn(const hf_sphere *on, const hf_sphere *to, hf_vec3 reference, double seconds)
{
    hf_contact_place place = hf_spheres_place(on, to, reference);
    double spin = 0.5 * hf_v3_dot(place.n, hf_v3_add(on->pose->spin, to->pose->spin));
    double angle = spin * seconds;
    return hf_v3_axpy(hf_v3_scale(cos(angle), place.x), sin(angle), place.y);
}

static hf_vec3 carry(const void *item, const hf_pose *poses, hf_vec3 reference, double seconds)
{
    const hf_space_coupling *c = item;
    const hf_sphere on = {&poses[c->on], c->on_point, c->radius};
    const hf_sphere to = {&poses[c->to], c->to_point, c->to_radius};
    return hf_spheres_turn(&on, &to, reference, seconds);
}

// How x, the direction of u = s - (n.s) n for a reference s, changes with n.
static hf_vec3 across_rate(hf_vec3 reference, const hf_contact_place *place, hf_vec3 n_rate)
{
    hf_vec3 s;
    (void)hf_contact_across(reference, place->n, &s);
    hf_vec3 u =
        hf_v3_axpy(hf_v3_scale(-hf_v3_dot(n_rate, s), place->n), -hf_v3_dot(place->n, s), n_rate);
    double length = hf_v3_norm(hf_v3_axpy(s, -hf_v3_dot(place->n, s), place->n));
    return hf_v3_scale(1.0 / length, hf_v3_axpy(u, -hf_v3_dot(place->x, u), place->x));
}

static void bias(const void *item, const hf_bias *b)
{
    const hf_space_coupling *c = item;
    const hf_pose *on = &b->poses[c->on], *to = &b->poses[c->to];
    hf_vec3 reference = b->references[c->memory];
    hf_contact_place place = locate(c, b->poses, reference);
    hf_vec3 on_turn = hf_v3_cross(on->spin, hf_arm(on, c->on_point));
    hf_vec3 to_turn = hf_v3_cross(to->spin, hf_arm(to, c->to_point));
    hf_vec3 apart = hf_v3_sub(hf_v3_add(on->velocity, on_turn), hf_v3_add(to->velocity, to_turn));
    double distance = place.gap + c->radius + c->to_radius, gap_rate = hf_v3_dot(place.n, apart);
    hf_contact_turn turn = {.n = hf_v3_axpy(apart, -gap_rate, place.n)};
    turn.n = hf_v3_scale(distance > 0.0 ? 1.0 / distance : 0.0, turn.n);
    turn.x = across_rate(reference, &place, turn.n);
    turn.y = hf_v3_add(hf_v3_cross(turn.n, place.x), hf_v3_cross(place.n, turn.x));
    turn.on_arm = hf_v3_axpy(hf_v3_axpy(on_turn, -0.5 * gap_rate, place.n),
                             -(c->radius + 0.5 * place.gap), turn.n);
    turn.to_arm = hf_v3_axpy(hf_v3_axpy(to_turn, 0.5 * gap_rate, place.n),
                             c->to_radius + 0.5 * place.gap, turn.n);
    hf_contact_bias(c, &place, &turn, b);
}

const hf_coupling_ops hf_coupling_ops_spheres = {
    .name = "spheres",
    .item_size = sizeof(hf_space_coupling),
    .in_space = true,
    .contact = true,
    .has_gap = true,
    .dim = hf_contact_dim,
    .check = hf_contact_check,
    .ends = hf_space_ends,
    .place = hf_space_place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .axes = axes,
    .touch = touch,
    .carry = carry,
    .sight = hf_space_sight,
    .row_name = hf_contact_row_name,
    .row_turns = hf_space_row_turns,
};
