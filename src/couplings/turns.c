// SPDX-License-Identifier: Apache-2.0
// A ratio with spins: a sum of coordinates and of spins of bodies about axes of their own, with
// factors.
//
//   rate = sum r_i v_i + sum r_k w_k.a_k,   a_k = R_k axis_k fixed in its body
//   gap  = sum r_i q_i + sum r_k t_k,       t_k the turns that a rigid body counts, t_k' = w_k.a_k
//
// (w.a)' = w'.a, as w.(w x a) = 0: what changes the rate while v does not is the body's own w'.
#include <math.h>

#include "base/error.h"
#include "bodies/body.h"
#include "couplings/space.h"

typedef struct turning {
    int pose;     // of a spin, about
    hf_vec3 axis; // this axis in its body's frame
    int q, v;     // of a coordinate; of a spin v is -1, and q -1 where turns are not counted
    double factor;
} turning;

typedef struct turns {
    int row, count;
    turning terms[HF_COUPLING_MAX_TERMS];
} turns;

static bool is_spin(const hf_ratio_term *term)
{
    return term->coordinate.axis >= HF_SPIN_X;
}

static hf_status check_spin(const hf_spec *spec, const hf_ratio_term *term, const char *name,
                            hf_error *error)
{
    hf_coordinate c = term->coordinate;
    HF_TRY(hf_coupling_check_frame(spec, &(hf_frame){.body = c.body, .turn = {.w = 1.0}}, name,
                                   "ratio", error));
    return c.body.id > 0 && c.axis >= HF_SPIN_X && c.axis <= HF_SPIN_Z &&
                   hf_body_ops_of(hf_spec_body_type(spec, c.body))->turns
               ? HF_OK
               : hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "ratio"),
                             "no such spin: HF_SPIN_X, _Y, _Z of rigid bodies and links");
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    hf_error_place at = hf_at_member("force", name, "ratio");
    if (def->term_count < 1 || def->term_count > HF_COUPLING_MAX_TERMS || def->terms == NULL) {
        return hf_error_at(error, HF_ERROR_RANGE, at, "a ratio has 1 to %d coordinates, got %d",
                           HF_COUPLING_MAX_TERMS, def->term_count);
    }
    for (int i = 0; i < def->term_count; ++i) {
        // A coordinate or a spin, with its factor
        const hf_ratio_term *a = &def->terms[i];
        HF_TRY(is_spin(a)
                   ? check_spin(spec, a, name, error)
                   : hf_coupling_check_coordinate(spec, a->coordinate, 1, name, "ratio", error));
        const char *body = hf_spec_body_name(spec, a->coordinate.body);
        if (!isfinite(a->factor) || a->factor == 0.0) {
            return hf_error_at(error, HF_ERROR_RANGE, at,
                               "the ratio of '%s' must be a number other than zero, got %g", body,
                               a->factor);
        }
        // that is there once
        for (int j = 0; j < i; ++j) {
            const hf_ratio_term *b = &def->terms[j];
            if (a->coordinate.body.id == b->coordinate.body.id &&
                a->coordinate.axis == b->coordinate.axis) {
                return hf_error_at(error, HF_ERROR_INPUT, at, "a coordinate of '%s' is in it twice",
                                   body);
            }
        }
    }
    return HF_OK;
}

static int ends(const hf_coupling_def *def, hf_frame *list)
{
    list[1] = (hf_frame){.turn = {.w = 1.0}};
    for (int i = 0; i < def->term_count; ++i) {
        list[i] = (hf_frame){.body = def->terms[i].coordinate.body, .turn = {.w = 1.0}};
    }
    return def->term_count < 2 ? 2 : def->term_count;
}

static void place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item)
{
    turns *t = item;
    *t = (turns){.row = slot.row, .count = def->term_count};
    for (int i = 0; i < def->term_count; ++i) {
        const hf_ratio_term *from = &def->terms[i];
        const hf_body_site *site = &sites[from->coordinate.body.id - 1];
        int axis = from->coordinate.axis - (is_spin(from) ? HF_SPIN_X : 0);
        t->terms[i] =
            is_spin(from)
                ? (turning){.pose = site->pose,
                            .axis = {axis == 0, axis == 1, axis == 2},
                            .q = site->counts ? site->q + HF_RIGID_TURNS + axis : -1,
                            .v = -1,
                            .factor = from->factor}
                : (turning){
                      .pose = -1, .q = site->q + axis, .v = site->v + axis, .factor = from->factor};
    }
}

static hf_vec3 about(const turning *term, const hf_pose *poses)
{
    return hf_v3_scale(term->factor, hf_arm(&poses[term->pose], term->axis));
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const turns *t = items, *end = t + count; t < end; ++t) {
        double gap = 0.0, rate = 0.0;
        for (int i = 0; i < t->count; ++i) {
            const turning *term = &t->terms[i];
            gap += term->q >= 0 ? term->factor * m->q[term->q] : 0.0;
            rate += term->v >= 0 ? term->factor * m->v[term->v]
                                 : hf_v3_dot(about(term, m->poses), m->poses[term->pose].spin);
        }
        m->gap[t->row] = gap;
        m->rate[t->row] = rate;
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const turns *t = items, *end = t + count; t < end; ++t) {
        double force = -a->force[t->row];
        for (int i = 0; i < t->count; ++i) {
            const turning *term = &t->terms[i];
            if (term->v >= 0) {
                a->u[term->v] += term->factor * force;
            } else {
                hf_twist(&a->wrenches[term->pose], hf_v3_scale(force, about(term, a->poses)));
            }
        }
    }
}

static void bias(const void *item, const hf_bias *b)
{
    const turns *t = item;
    double change = 0.0;
    for (int i = 0; i < t->count; ++i) {
        const turning *term = &t->terms[i];
        change += term->v >= 0 ? 0.0 : hf_v3_dot(about(term, b->poses), b->rates[term->pose].spin);
    }
    b->change[t->row] = change;
}

// A sum of angles alone is an angle; with a length among them the factors of angles are radii.
static bool row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    bool all = true;
    (void)row;
    for (int i = 0; i < def->term_count; ++i) {
        hf_coordinate c = def->terms[i].coordinate;
        all = all && (is_spin(&def->terms[i]) || sites[c.body.id - 1].turns[c.axis]);
    }
    return all;
}

const hf_coupling_ops hf_coupling_ops_turns = {
    .name = "ratio with spins",
    .item_size = sizeof(turns),
    .in_space = true,
    .has_gap = true,
    .rows = 1,
    .check = check,
    .ends = ends,
    .place = place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .row_turns = row_turns,
};
