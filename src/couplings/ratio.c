// SPDX-License-Identifier: Apache-2.0
// A sum of coordinates with factors: a gear, a belt, a rope over pulleys, a differential.
//
//   gap = sum r_i q_i,   rate = sum r_i v_i,   u_i = -r_i force
//
// J is constant, so that rates change with v' alone.
#include "base/error.h"
#include "couplings/couplings.h"

typedef struct ratio {
    int row, count;
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
} ratio;

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    if (def->term_count < 1 || def->term_count > HF_COUPLING_MAX_TERMS || def->terms == NULL) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "force '%s': a ratio has 1 to %d coordinates, got %d", name,
                            HF_COUPLING_MAX_TERMS, def->term_count);
    }
    for (int i = 0; i < def->term_count; ++i) {
        const hf_ratio_term *term = &def->terms[i];
        HF_TRY(hf_coupling_check_coordinate(spec, term->coordinate, 1, name, "ratio", error));
        const char *body = hf_spec_body_name(spec, term->coordinate.body);
        if (!isfinite(term->factor) || term->factor == 0.0) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "force '%s': the ratio of '%s' must be a number other than zero, "
                                "got %g",
                                name, body, term->factor);
        }
        for (int j = 0; j < i; ++j) {
            if (def->terms[j].coordinate.body.id == term->coordinate.body.id &&
                def->terms[j].coordinate.axis == term->coordinate.axis) {
                return hf_error_set(error, HF_ERROR_INPUT,
                                    "force '%s': a coordinate of '%s' is in its ratio twice", name,
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
        list[i] = (hf_frame){.body = def->terms[i].coordinate.body};
    }
    return def->term_count;
}

static void place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item)
{
    ratio *r = item;
    *r = (ratio){.row = slot.row, .count = def->term_count};
    for (int i = 0; i < def->term_count; ++i) {
        const hf_ratio_term *term = &def->terms[i];
        const hf_body_site *site = &sites[term->coordinate.body.id - 1];
        r->terms[i] = (hf_coupling_term){.q = site->q + term->coordinate.axis,
                                         .v = site->v + term->coordinate.axis,
                                         .factor = term->factor};
    }
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const ratio *r = items, *end = r + count; r < end; ++r) {
        double gap = 0.0, rate = 0.0;
        for (int i = 0; i < r->count; ++i) {
            gap += r->terms[i].factor * m->q[r->terms[i].q];
            rate += r->terms[i].factor * m->v[r->terms[i].v];
        }
        m->gap[r->row] = gap;
        m->rate[r->row] = rate;
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const ratio *r = items, *end = r + count; r < end; ++r) {
        for (int i = 0; i < r->count; ++i) {
            a->u[r->terms[i].v] -= r->terms[i].factor * a->force[r->row];
        }
    }
}

static int terms(const void *item, int row, hf_coupling_term *list)
{
    const ratio *r = item;
    (void)row;
    for (int i = 0; i < r->count; ++i) {
        list[i] = r->terms[i];
    }
    return r->count;
}

// A sum of angles alone is an angle; with a length among them the factors of angles are radii.
static bool row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    bool all = true;
    (void)row;
    for (int i = 0; i < def->term_count; ++i) {
        hf_coordinate c = def->terms[i].coordinate;
        all = all && sites[c.body.id - 1].turns[c.axis];
    }
    return all;
}

const hf_coupling_ops hf_coupling_ops_ratio = {
    .name = "ratio",
    .item_size = sizeof(ratio),
    .has_gap = true,
    .travels = true,
    .rows = 1,
    .check = check,
    .ends = ends,
    .place = place,
    .psi = psi,
    .phi = phi,
    .terms = terms,
    .row_turns = row_turns,
};
