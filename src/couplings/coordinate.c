// SPDX-License-Identifier: Apache-2.0
// Coordinates of masses and joints, alone or as differences.
//
//   gap = q_on - q_to,   rate = v_on - v_to
#include "base/error.h"
#include "couplings/couplings.h"

// Least number of single coordinates that are worth a loop of their own.
enum { SHORTEST = 4 };

// Coordinates of `on` minus those of `to` (to_q = -1: none).
typedef struct coordinate {
    int on_q, on_v, to_q, to_v;
    int dim, row;
    // 0: several coordinates, or a difference. 1: one coordinate, alone, the commonest coupling.
    // More: the first of so many of these, in neighbouring rows and at equal steps in q and v, as
    // in a batch of machines
    int run, step_q, step_v;
} coordinate;

static int dim(const hf_coupling_def *def)
{
    return def->dim;
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    HF_TRY(hf_coupling_check_coordinate(spec, def->on_coordinate, def->dim, name, "on", error));
    if (def->to_coordinate.body.id != 0) {
        HF_TRY(hf_coupling_check_coordinate(spec, def->to_coordinate, def->dim, name, "to", error));
    }
    if (def->on_coordinate.body.id == def->to_coordinate.body.id &&
        def->on_coordinate.axis == def->to_coordinate.axis) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name),
                           "it must act between two different coordinates");
    }
    return HF_OK;
}

static int ends(const hf_coupling_def *def, hf_frame *list)
{
    list[0] = (hf_frame){.body = def->on_coordinate.body};
    list[1] = (hf_frame){.body = def->to_coordinate.body};
    return 2;
}

static void place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                  void *item)
{
    const hf_body_site *on = &sites[def->on_coordinate.body.id - 1];
    coordinate c = {.on_q = on->q + def->on_coordinate.axis,
                    .on_v = on->v + def->on_coordinate.axis,
                    .to_q = -1,
                    .to_v = -1,
                    .dim = slot.dim,
                    .row = slot.row};
    if (def->to_coordinate.body.id != 0) {
        const hf_body_site *to = &sites[def->to_coordinate.body.id - 1];
        c.to_q = to->q + def->to_coordinate.axis;
        c.to_v = to->v + def->to_coordinate.axis;
    }
    c.run = c.dim == 1 && c.to_q < 0 ? 1 : 0;
    *(coordinate *)item = c;
}

// Singles from here on whose places go up by the same steps.
static int measure_run(const coordinate *c, int count)
{
    int run = 1;
    while (run < count && c[run].run == 1 && c[run].row == c->row + run &&
           c[run].on_q - c[run - 1].on_q == c[1].on_q - c->on_q &&
           c[run].on_v - c[run - 1].on_v == c[1].on_v - c->on_v) {
        ++run;
    }
    return run;
}

static void line_up(void *items, int count)
{
    for (coordinate *c = items, *end = c + count; c < end; ++c) {
        int run = c->run == 1 ? measure_run(c, (int)(end - c)) : 0;
        if (run >= SHORTEST) {
            c->run = run;
            c->step_q = c[1].on_q - c->on_q;
            c->step_v = c[1].on_v - c->on_v;
            c += run - 1;
        }
    }
}

// How many of a run are asked for.
static int run_of(const coordinate *c, const coordinate *end)
{
    int left = (int)(end - c);
    return c->run < left ? c->run : left;
}

static void psi(const void *items, int count, const hf_motion *m)
{
    const double *q = m->q, *v = m->v;
    double *gap = m->gap, *rate = m->rate;
    for (const coordinate *c = items, *end = c + count; c < end; ++c) {
        // Coordinates alone
        for (; c < end && c->run == 1; ++c) {
            gap[c->row] = q[c->on_q];
            rate[c->row] = v[c->on_v];
        }
        if (c == end) {
            return;
        }
        // Those at equal steps
        if (c->run > 1) {
            const double *on_q = q + c->on_q, *on_v = v + c->on_v;
            const int run = run_of(c, end);
            for (int k = 0; k < run; ++k) {
                gap[c->row + k] = on_q[k * c->step_q];
                rate[c->row + k] = on_v[k * c->step_v];
            }
            c += run - 1;
            continue;
        }
        // Several of a body, or differences
        for (int i = 0; i < c->dim; ++i) {
            gap[c->row + i] = q[c->on_q + i] - (c->to_q < 0 ? 0.0 : q[c->to_q + i]);
            rate[c->row + i] = v[c->on_v + i] - (c->to_v < 0 ? 0.0 : v[c->to_v + i]);
        }
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    const double *force = a->force;
    double *u = a->u;
    for (const coordinate *c = items, *end = c + count; c < end; ++c) {
        // Coordinates alone
        for (; c < end && c->run == 1; ++c) {
            u[c->on_v] -= force[c->row];
        }
        if (c == end) {
            return;
        }
        // Those at equal steps
        if (c->run > 1) {
            double *on_v = u + c->on_v;
            const int run = run_of(c, end);
            for (int k = 0; k < run; ++k) {
                on_v[k * c->step_v] -= force[c->row + k];
            }
            c += run - 1;
            continue;
        }
        // Several of a body, or differences
        for (int i = 0; i < c->dim; ++i) {
            u[c->on_v + i] -= force[c->row + i];
            if (c->to_v >= 0) {
                u[c->to_v + i] += force[c->row + i];
            }
        }
    }
}

static int terms(const void *item, int row, hf_coupling_term *list)
{
    const coordinate *c = item;
    list[0] = (hf_coupling_term){c->on_q + row, c->on_v + row, 1.0};
    if (c->to_v < 0) {
        return 1;
    }
    list[1] = (hf_coupling_term){c->to_q + row, c->to_v + row, -1.0};
    return 2;
}

static const hf_body_site *site_of(const hf_coupling_def *def, const hf_body_site *sites)
{
    return &sites[def->on_coordinate.body.id - 1];
}

// Only coordinates of masses point along axes of the world.
static hf_vec3 sight(const hf_coupling_sight *s)
{
    const hf_body_site *on = site_of(s->def, s->sites);
    double world[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < s->def->dim; ++k) {
        int axis = on->world[s->def->on_coordinate.axis + k];
        if (axis >= 0) {
            world[axis] = -s->force[k];
        }
    }
    return hf_v3(world[0], world[1], world[2]);
}

static const char *row_name(const hf_coupling_def *def, const hf_body_site *sites,
                            hf_coupling_quantity quantity, int row)
{
    (void)quantity;
    return def->dim == 1 ? "" : site_of(def, sites)->names[def->on_coordinate.axis + row];
}

static bool row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    return site_of(def, sites)->turns[def->on_coordinate.axis + row];
}

const hf_coupling_ops hf_coupling_ops_coordinate = {
    .name = "coordinate",
    .item_size = sizeof(coordinate),
    .has_gap = true,
    .travels = true,
    .on_places = true,
    .dim = dim,
    .check = check,
    .ends = ends,
    .place = place,
    .line_up = line_up,
    .psi = psi,
    .phi = phi,
    .terms = terms,
    .sight = sight,
    .row_name = row_name,
    .row_turns = row_turns,
};
