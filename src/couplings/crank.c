// SPDX-License-Identifier: Apache-2.0
// A slider-crank: a rod of length r from a point c of `on` to a slider on an axis a of `to`, which
// begins at the point p of `to`. The gap is where on the axis the slider is,
//
//   s = a.(c - p) - sqrt((a.(c - p))^2 + r^2 - |c - p|^2)            |u| = r,  u = p + a s - c
//   s' = u.w/(u.a),   w = v_c - v_x,  v_x of the point x = p + a s of `to`
//
// so that the rod pushes along itself: with u/(u.a) at c, and against it at x. Where the rod is too
// short to reach the axis, s = a.(c - p), and it pushes along a at c.            [MuJoCo,
// actuators]
#include <math.h>

#include "base/error.h"
#include "bodies/body.h"
#include "couplings/space.h"

typedef struct crank {
    hf_space_coupling ends;
    hf_vec3 axis; // unit, of the body
    double rod;
} crank;

typedef struct crank_place {
    hf_vec3 on_arm, to_arm; // of c, and of the point of `to` that the rod pushes at
    hf_vec3 u, a;           // rod and axis; u = a where it is too short
    double s, along;        // the gap; u.a
    bool reaches;
} crank_place;

static crank_place locate(const crank *c, const hf_pose *poses)
{
    const hf_pose *on = &poses[c->ends.on], *to = &poses[c->ends.to];
    crank_place p = {.on_arm = hf_arm(on, c->ends.on_point), .a = hf_arm(to, c->axis)};
    hf_vec3 begin = hf_arm(to, c->ends.to_point);
    hf_vec3 from = hf_v3_sub(hf_v3_sub(hf_v3_add(on->position, p.on_arm), to->position), begin);
    double reach = hf_v3_dot(p.a, from);
    double rest = reach * reach + c->rod * c->rod - hf_v3_dot(from, from);
    p.reaches = rest > 0.0;
    p.along = p.reaches ? -sqrt(rest) : 1.0;
    p.s = p.reaches ? reach + p.along : reach;
    p.u = p.reaches ? hf_v3_sub(hf_v3_scale(p.s, p.a), from) : p.a;
    p.to_arm = hf_v3_add(begin, p.reaches ? hf_v3_scale(p.s, p.a) : from);
    return p;
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    HF_TRY(hf_coupling_check_frame(spec, &def->on_frame, name, "on", error));
    HF_TRY(hf_coupling_check_frame(spec, &def->to_frame, name, "to", error));
    if (def->on_frame.body.id == def->to_frame.body.id) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name),
                           "a crank acts between two different bodies");
    }
    if (!(def->rod > 0.0) || !isfinite(def->rod)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "crank"),
                           "the length of a crank's rod must be positive, got %g", def->rod);
    }
    double size = hf_v3_norm(def->along);
    if (!(size > 0.0) || !isfinite(size)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "crank"),
                           "the axis of a crank's slider must not be zero");
    }
    return HF_OK;
}

static void place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item)
{
    crank *c = item;
    hf_space_place(def, sites, slot, &c->ends);
    c->axis = hf_v3_scale(1.0 / hf_v3_norm(def->along), def->along);
    c->rod = def->rod;
}

// v_c - v_x.
static hf_vec3 closing(const crank *c, const hf_pose *poses, const crank_place *p)
{
    return hf_v3_sub(hf_velocity_at(&poses[c->ends.on], p->on_arm),
                     hf_velocity_at(&poses[c->ends.to], p->to_arm));
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const crank *c = items, *end = c + count; c < end; ++c) {
        crank_place p = locate(c, m->poses);
        m->gap[c->ends.row] = p.s;
        m->rate[c->ends.row] = hf_v3_dot(p.u, closing(c, m->poses, &p)) / p.along;
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const crank *c = items, *end = c + count; c < end; ++c) {
        crank_place p = locate(c, a->poses);
        hf_vec3 push = hf_v3_scale(-a->force[c->ends.row] / p.along, p.u);
        hf_push(&a->wrenches[c->ends.on], p.on_arm, push);
        hf_push(&a->wrenches[c->ends.to], p.to_arm, hf_v3_scale(-1.0, push));
    }
}

// With N = u.w and D = u.a: s'' = (N' - s' D')/D, u' = a s' - w, a' = W x a, and x moves on `to` by
// a s'. Too short: u = a, D = 1, and x goes with c.
static void bias(const void *item, const hf_bias *b)
{
    const crank *c = item;
    const hf_pose *on = &b->poses[c->ends.on], *to = &b->poses[c->ends.to];
    crank_place p = locate(c, b->poses);
    hf_vec3 w = closing(c, b->poses, &p), a_rate = hf_v3_cross(to->spin, p.a);
    double rate = hf_v3_dot(p.u, w) / p.along;
    hf_vec3 slide = p.reaches ? hf_v3_scale(rate, p.a) : w;
    hf_vec3 arm_rate = hf_v3_add(hf_v3_cross(to->spin, p.to_arm), slide);
    hf_vec3 change = hf_v3_sub(
        hf_velocity_rate_at(on, &b->rates[c->ends.on], p.on_arm, hf_v3_cross(on->spin, p.on_arm)),
        hf_velocity_rate_at(to, &b->rates[c->ends.to], p.to_arm, arm_rate));
    hf_vec3 u_rate = p.reaches ? hf_v3_sub(slide, w) : a_rate;
    double d_rate = p.reaches ? hf_v3_dot(u_rate, p.a) + hf_v3_dot(p.u, a_rate) : 0.0;
    b->change[c->ends.row] =
        (hf_v3_dot(u_rate, w) + hf_v3_dot(p.u, change) - rate * d_rate) / p.along;
}

static hf_vec3 sight(const hf_coupling_sight *s)
{
    crank_place p = locate(s->item, s->poses);
    return hf_v3_scale(-s->force[0] / p.along, p.u);
}

static bool row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    (void)def, (void)sites, (void)row;
    return false;
}

const hf_coupling_ops hf_coupling_ops_crank = {
    .name = "crank",
    .item_size = sizeof(crank),
    .in_space = true,
    .has_gap = true,
    .travels = true,
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
