// SPDX-License-Identifier: Apache-2.0
// A force at a point of a body and a torque, both fixed to the body, in a given proportion: a
// propeller, a jet.
//
//   rate = F.v + T.w,   F = R along, T = R about, v of the point     the gap stays zero
#include <math.h>

#include "base/error.h"
#include "bodies/body.h"
#include "couplings/space.h"

typedef struct thrust {
    int on, row;
    hf_vec3 point, along, about;
} thrust;

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    HF_TRY(hf_coupling_check_frame(spec, &def->on_frame, name, "on", error));
    hf_body on = def->on_frame.body;
    double size = hf_v3_norm(def->along) + hf_v3_norm(def->about);
    if (on.id == 0 || !hf_body_ops_of(hf_spec_body_type(spec, on))->turns) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name),
                           "a wrench acts on a body that can turn: a rigid body or a link");
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
    *(thrust *)item = (thrust){.on = sites[def->on_frame.body.id - 1].pose,
                               .row = slot.row,
                               .point = def->on_frame.point,
                               .along = def->along,
                               .about = def->about};
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const thrust *t = items, *end = t + count; t < end; ++t) {
        const hf_pose *on = &m->poses[t->on];
        hf_vec3 v = hf_velocity_at(on, hf_arm(on, t->point));
        m->gap[t->row] = 0.0;
        m->rate[t->row] =
            hf_v3_dot(hf_arm(on, t->along), v) + hf_v3_dot(hf_arm(on, t->about), on->spin);
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const thrust *t = items, *end = t + count; t < end; ++t) {
        const hf_pose *on = &a->poses[t->on];
        double force = -a->force[t->row];
        hf_push(&a->wrenches[t->on], hf_arm(on, t->point),
                hf_v3_scale(force, hf_arm(on, t->along)));
        hf_twist(&a->wrenches[t->on], hf_v3_scale(force, hf_arm(on, t->about)));
    }
}

// F' = w x F, and T'.w = 0.
static void bias(const void *item, const hf_bias *b)
{
    const thrust *t = item;
    const hf_pose *on = &b->poses[t->on];
    hf_vec3 arm = hf_arm(on, t->point), along = hf_arm(on, t->along), about = hf_arm(on, t->about);
    hf_vec3 change = hf_velocity_rate_at(on, &b->rates[t->on], arm, hf_v3_cross(on->spin, arm));
    b->change[t->row] = hf_v3_dot(hf_v3_cross(on->spin, along), hf_velocity_at(on, arm)) +
                        hf_v3_dot(along, change) + hf_v3_dot(about, b->rates[t->on].spin);
}

static hf_vec3 sight(const hf_coupling_sight *s)
{
    const thrust *t = s->item;
    return hf_v3_scale(-s->force[0], hf_arm(&s->poses[t->on], t->along));
}

const hf_coupling_ops hf_coupling_ops_wrench = {
    .name = "wrench",
    .item_size = sizeof(thrust),
    .in_space = true,
    .rows = 1,
    .check = check,
    .ends = hf_space_end_and_world,
    .place = place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .sight = sight,
    .row_turns = hf_space_row_turns,
};
