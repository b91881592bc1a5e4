// SPDX-License-Identifier: Apache-2.0
// What draws a body to all that it touches: suction cups, sticky feet, magnets.
//
//   rate = -mean of n_i.(v_on - v_to) over the n points that are at most `radius` apart, n_i away
//          from the other body: how fast it comes nearer; the gap stays zero
//
// so that a force f draws it with f/n along each normal, and the others with the opposite at the
// same place. Nothing acts where nothing touches.
#include <math.h>

#include "base/error.h"
#include "bodies/body.h"
#include "couplings/space.h"

typedef struct adhesion {
    int on, row; // pose
    double reach;
} adhesion;

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    HF_TRY(hf_coupling_check_frame(spec, &def->on_frame, name, "on", error));
    hf_body on = def->on_frame.body;
    if (on.id == 0 || hf_spec_body_shape_count(spec, on) == 0 ||
        hf_body_ops_of(hf_spec_body_type(spec, on))->scenery) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "adhesion"),
                           "adhesion acts on a body with shapes that can move");
    }
    if (!(def->radius >= 0.0 && isfinite(def->radius))) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "adhesion"),
                           "reach must not be negative, got %g", def->radius);
    }
    return HF_OK;
}

static void place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item)
{
    *(adhesion *)item = (adhesion){
        .on = sites[def->on_frame.body.id - 1].pose, .row = slot.row, .reach = def->radius};
}

static bool is_of(const adhesion *a, const hf_touch *touch)
{
    return (touch->on == a->on || touch->to == a->on) && touch->gap <= a->reach;
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const adhesion *a = items, *end = a + count; a < end; ++a) {
        double sum = 0.0;
        int points = 0;
        for (int i = 0; i < m->touch_count; ++i) {
            const hf_touch *t = &m->touches[i];
            if (is_of(a, t)) {
                hf_vec3 v = hf_v3_sub(hf_velocity_at(&m->poses[t->on], t->on_arm),
                                      hf_velocity_at(&m->poses[t->to], t->to_arm));
                sum -= hf_v3_dot(t->n, v);
                points += 1;
            }
        }
        m->gap[a->row] = 0.0;
        m->rate[a->row] = points > 0 ? sum / points : 0.0;
    }
}

static void phi(const void *items, int count, const hf_actions *x)
{
    for (const adhesion *a = items, *end = a + count; a < end; ++a) {
        int points = 0;
        for (int i = 0; i < x->touch_count; ++i) {
            points += is_of(a, &x->touches[i]) ? 1 : 0;
        }
        for (int i = 0; i < x->touch_count; ++i) {
            const hf_touch *t = &x->touches[i];
            if (is_of(a, t)) {
                hf_vec3 push = hf_v3_scale(x->force[a->row] / points, t->n);
                hf_push(&x->wrenches[t->on], t->on_arm, push);
                hf_push(&x->wrenches[t->to], t->to_arm, hf_v3_scale(-1.0, push));
            }
        }
    }
}

const hf_coupling_ops hf_coupling_ops_adhesion = {
    .name = "adhesion",
    .item_size = sizeof(adhesion),
    .in_space = true,
    .looks_at_touches = true,
    .rows = 1,
    .check = check,
    .ends = hf_space_end_and_world,
    .place = place,
    .psi = psi,
    .phi = phi,
    .row_turns = hf_space_row_turns,
};
