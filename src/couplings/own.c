// SPDX-License-Identifier: Apache-2.0
// Couplings of the program's own kinds: functions of coordinates, as hf_coupling_kind says.
//
//   gap = psi(q),   rate = J(q) v,   u = -J' force,   rate' = J v' + (dJ/dt) v
//
// J is computed for Psi and again for Phi: the compiled coupling is shared by threads and keeps
// nothing.
#include "base/error.h"
#include "couplings/couplings.h"

_Static_assert(HF_COUPLING_KIND_MOST <= HF_COUPLING_MAX_TERMS, "every coordinate is an end");

typedef struct own {
    const hf_coupling_kind *kind;
    const void *def;
    int row, count;
    int q[HF_COUPLING_KIND_MOST], v[HF_COUPLING_KIND_MOST];
} own;

enum { ENTRIES = HF_COUPLING_KIND_ROWS * HF_COUPLING_KIND_MOST };

static int dim(const hf_coupling_def *def)
{
    return def->kind == NULL ? 1 : def->kind->rows;
}

static hf_status check_kind(const hf_coupling_def *def, const char *name, hf_error *error)
{
    const hf_coupling_kind *kind = def->kind;
    if (kind == NULL || kind->name == NULL || kind->gap == NULL || kind->jacobian == NULL ||
        (kind->rows > 1 && kind->row_names == NULL) ||
        (kind->def_size > 0 && def->kind_def == NULL)) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "force '%s': the kind of its coupling must have a name, a gap and a "
                            "jacobian, names for several rows, and the coupling the definition "
                            "that the kind asks for",
                            name);
    }
    if (kind->rows < 1 || kind->rows > HF_COUPLING_KIND_ROWS) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "force '%s': coupling '%s' has %d rows, 1 to %d can be", name,
                            kind->name, kind->rows, HF_COUPLING_KIND_ROWS);
    }
    return HF_OK;
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    HF_TRY(check_kind(def, name, error));
    const char *kind = def->kind->name;
    int count = def->coordinate_count;
    if (count < 1 || count > HF_COUPLING_KIND_MOST || def->coordinates == NULL) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "force '%s': coupling '%s' is of 1 to %d coordinates, got %d", name,
                            kind, HF_COUPLING_KIND_MOST, count);
    }
    for (int i = 0; i < count; ++i) {
        hf_coordinate at = def->coordinates[i];
        HF_TRY(hf_coupling_check_coordinate(spec, at, 1, name, kind, error));
        for (int j = 0; j < i; ++j) {
            if (def->coordinates[j].body.id == at.body.id && def->coordinates[j].axis == at.axis) {
                return hf_error_set(error, HF_ERROR_INPUT,
                                    "force '%s': a coordinate of '%s' is in coupling '%s' twice",
                                    name, hf_spec_body_name(spec, at.body), kind);
            }
        }
    }
    return HF_OK;
}

static int ends(const hf_coupling_def *def, hf_frame *list)
{
    list[1] = (hf_frame){.turn = {.w = 1.0}};
    for (int i = 0; i < def->coordinate_count; ++i) {
        list[i] = (hf_frame){.body = def->coordinates[i].body};
    }
    return def->coordinate_count;
}

static void place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item)
{
    own *c = item;
    *c = (own){
        .kind = def->kind, .def = def->kind_def, .row = slot.row, .count = def->coordinate_count};
    for (int i = 0; i < c->count; ++i) {
        hf_coordinate at = def->coordinates[i];
        c->q[i] = sites[at.body.id - 1].q + at.axis;
        c->v[i] = sites[at.body.id - 1].v + at.axis;
    }
}

// The coupling's numbers among those of the machine.
static void gather(const int *index, int count, const double *from, double *to)
{
    for (int i = 0; i < count; ++i) {
        to[i] = from[index[i]];
    }
}

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const own *c = items, *end = c + count; c < end; ++c) {
        double q[HF_COUPLING_KIND_MOST], jacobian[ENTRIES] = {0.0};
        gather(c->q, c->count, m->q, q);
        c->kind->gap(c->def, c->count, q, m->gap + c->row);
        c->kind->jacobian(c->def, c->count, q, jacobian);
        for (int row = 0; row < c->kind->rows; ++row) {
            double rate = 0.0;
            for (int i = 0; i < c->count; ++i) {
                rate += jacobian[row * c->count + i] * m->v[c->v[i]];
            }
            m->rate[c->row + row] = rate;
        }
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const own *c = items, *end = c + count; c < end; ++c) {
        double q[HF_COUPLING_KIND_MOST], jacobian[ENTRIES] = {0.0};
        gather(c->q, c->count, a->q, q);
        c->kind->jacobian(c->def, c->count, q, jacobian);
        for (int row = 0; row < c->kind->rows; ++row) {
            for (int i = 0; i < c->count; ++i) {
                a->u[c->v[i]] -= jacobian[row * c->count + i] * a->force[c->row + row];
            }
        }
    }
}

static void bias(const void *item, const hf_bias *b)
{
    const own *c = item;
    double q[HF_COUPLING_KIND_MOST], v[HF_COUPLING_KIND_MOST], *change = b->change + c->row;
    for (int row = 0; row < c->kind->rows; ++row) {
        change[row] = 0.0;
    }
    if (c->kind->bias != NULL) {
        gather(c->q, c->count, b->q, q);
        gather(c->v, c->count, b->v, v);
        c->kind->bias(c->def, c->count, q, v, change);
    }
}

static const char *row_name(const hf_coupling_def *def, const hf_body_site *sites,
                            hf_coupling_quantity quantity, int row)
{
    (void)sites, (void)quantity;
    return def->kind->rows == 1 ? "" : def->kind->row_names[row];
}

static bool row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    (void)sites, (void)row;
    return def->kind->turns;
}

const hf_coupling_ops hf_coupling_ops_own = {
    .name = "own",
    .item_size = sizeof(own),
    .has_gap = true,
    .travels = true,
    .dim = dim,
    .check = check,
    .ends = ends,
    .place = place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .row_name = row_name,
    .row_turns = row_turns,
};
