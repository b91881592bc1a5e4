// SPDX-License-Identifier: Apache-2.0
// A force and a torque between two frames, in a given proportion and in the axes A of `to`: what a
// hand does against the base that it names.
//
//   gap = along.A'(p_on - p_to) + about.r,   r the rotation vector of A' B, B the axes of `on`
//   rate = F.(v_on - v_to) + T.(w_on - w_to),   F = A along, T = A about
//
// v_to is that of the point of `to` at p_on, where the opposite force acts, so that momentum is
// kept. The rate is that of the gap while the frames turn against each other about one axis.
#include <math.h>

#include "base/error.h"
#include "bodies/body.h"
#include "couplings/space.h"

// Half of a rotation whose sine is smaller is none.
#define LEAST_TURN 1e-14

typedef struct reach {
    hf_space_coupling ends;
    hf_vec3 along, about;
} reach;

// The force and the torque of 1 N in the world, and the arms of the point where it acts.
typedef struct reach_place {
    hf_vec3 along, about, on_arm, to_arm;
    hf_mat3 axes; // of `to`
} reach_place;

static reach_place locate(const reach *t, const hf_pose *poses)
{
    const hf_pose *on = &poses[t->ends.on], *to = &poses[t->ends.to];
    reach_place p = {.on_arm = hf_arm(on, t->ends.on_point)};
    p.axes = hf_m3_mul(&to->rotation, &t->ends.to_turn);
    p.along = hf_m3_mulv(&p.axes, t->along);
    p.about = hf_m3_mulv(&p.axes, t->about);
    p.to_arm = hf_v3_sub(hf_v3_add(on->position, p.on_arm), to->position);
    return p;
}

// Axis times angle, from -pi to pi.
static hf_vec3 rotation_vector(const hf_mat3 *turn)
{
    hf_quat q = hf_quat_from_rotation(turn);
    hf_vec3 v = hf_v3(q.x, q.y, q.z);
    double sine = hf_v3_norm(v), cosine = q.w;
    if (!(sine > LEAST_TURN)) {
        return hf_v3_scale(cosine < 0.0 ? -2.0 : 2.0, v);
    }
    double angle = 2.0 * (cosine < 0.0 ? atan2(-sine, -cosine) : atan2(sine, cosine));
    return hf_v3_scale(angle / sine, v);
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    HF_TRY(hf_coupling_check_frame(spec, &def->on_frame, name, "on", error));
    HF_TRY(hf_coupling_check_frame(spec, &def->to_frame, name, "to", error));
    hf_body on = def->on_frame.body, to = def->to_frame.body;
    double size = hf_v3_norm(def->along) + hf_v3_norm(def->about);
    bool turns = (on.id == 0 || hf_body_ops_of(hf_spec_body_type(spec, on))->turns) &&
                 (to.id == 0 || hf_body_ops_of(hf_spec_body_type(spec, to))->turns);
    if (!turns) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name),
                           "a wrench acts on bodies that can turn: rigid bodies or links");
    }
    if (on.id == to.id) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name),
                           "a wrench with 'to' acts between two different bodies");
    }
    if (!(size > 0.0) || !isfinite(size)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "wrench"),
                           "a wrench needs a force or a torque other than zero");
    }
    return HF_OK;
}

static void place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item)
{
    reach *t = item;
    hf_space_place(def, sites, slot, &t->ends);
    t->along = def->along;
    t->about = def->about;
}

static double gap_of(const reach *t, const hf_pose *poses, const reach_place *p)
{
    const hf_pose *on = &poses[t->ends.on], *to = &poses[t->ends.to];
    hf_vec3 apart = hf_v3_sub(p->to_arm, hf_arm(to, t->ends.to_point));
    double gap = hf_v3_dot(p->along, apart);
    if (hf_v3_norm(t->about) > 0.0) {
        hf_mat3 axes = hf_m3_mul(&on->rotation, &t->ends.on_turn),
                back = {p->axes.xx, p->axes.yx, p->axes.zx, p->axes.xy, p->axes.yy,
                        p->axes.zy, p->axes.xz, p->axes.yz, p->axes.zz},
                turn = hf_m3_mul(&back, &axes);
        gap += hf_v3_dot(t->about, rotation_vector(&turn));
    }
    return gap;
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const reach *t = items, *end = t + count; t < end; ++t) {
        const hf_pose *on = &m->poses[t->ends.on], *to = &m->poses[t->ends.to];
        reach_place p = locate(t, m->poses);
        hf_vec3 v = hf_v3_sub(hf_velocity_at(on, p.on_arm), hf_velocity_at(to, p.to_arm));
        m->gap[t->ends.row] = gap_of(t, m->poses, &p);
        m->rate[t->ends.row] =
            hf_v3_dot(p.along, v) + hf_v3_dot(p.about, hf_v3_sub(on->spin, to->spin));
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const reach *t = items, *end = t + count; t < end; ++t) {
        reach_place p = locate(t, a->poses);
        double force = -a->force[t->ends.row];
        hf_vec3 push = hf_v3_scale(force, p.along), twist = hf_v3_scale(force, p.about);
        hf_push(&a->wrenches[t->ends.on], p.on_arm, push);
        hf_twist(&a->wrenches[t->ends.on], twist);
        hf_push(&a->wrenches[t->ends.to], p.to_arm, hf_v3_scale(-1.0, push));
        hf_twist(&a->wrenches[t->ends.to], hf_v3_scale(-1.0, twist));
    }
}

// F' = W x F and T' = W x T with the spin W of `to`, whose point goes with that of `on`: its arm
// changes by v_on less the velocity of the origin.
static void bias(const void *item, const hf_bias *b)
{
    const reach *t = item;
    const hf_pose *on = &b->poses[t->ends.on], *to = &b->poses[t->ends.to];
    reach_place p = locate(t, b->poses);
    hf_vec3 v = hf_velocity_at(on, p.on_arm);
    hf_vec3 change = hf_v3_sub(
        hf_velocity_rate_at(on, &b->rates[t->ends.on], p.on_arm, hf_v3_cross(on->spin, p.on_arm)),
        hf_velocity_rate_at(to, &b->rates[t->ends.to], p.to_arm, hf_v3_sub(v, to->velocity)));
    hf_vec3 turn = hf_v3_sub(b->rates[t->ends.on].spin, b->rates[t->ends.to].spin);
    v = hf_v3_sub(v, hf_velocity_at(to, p.to_arm));
    hf_vec3 w = hf_v3_sub(on->spin, to->spin);
    b->change[t->ends.row] =
        hf_v3_dot(hf_v3_cross(to->spin, p.along), v) + hf_v3_dot(p.along, change) +
        hf_v3_dot(hf_v3_cross(to->spin, p.about), w) + hf_v3_dot(p.about, turn);
}

static hf_vec3 sight(const hf_coupling_sight *s)
{
    reach_place p = locate(s->item, s->poses);
    return hf_v3_scale(-s->force[0], p.along);
}

static bool row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    (void)sites, (void)row;
    return !(hf_v3_norm(def->along) > 0.0);
}

const hf_coupling_ops hf_coupling_ops_between = {
    .name = "between",
    .item_size = sizeof(reach),
    .in_space = true,
    .has_gap = true,
    .rows = 1,
    .check = check,
    .ends = hf_space_ends,
    .place = place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .sight = sight,
    .row_turns = row_turns,
};
