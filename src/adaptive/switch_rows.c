// SPDX-License-Identifier: Apache-2.0
// Rows of elements: their rates and accelerations, and how they answer to forces.
#include <float.h>
#include <math.h>
#include <string.h>

#include "adaptive/switch.h"
#include "solvers/least_norm.h"
#include "system/loops.h"

// Spacing of second differences [s]: truncation 1e-8 and rounding 1e-8 for a motion of 1 m in 1 s.
#define SECOND_SPACING 1e-4

static const hf_force_place *force_of(const hf_sim *sim, const hf_element *e)
{
    return &sim->model->forces[e->force];
}

static hf_motion motion_at(hf_sim *sim, const double *x, const double *v, double *gap, double *rate)
{
    return (hf_motion){.q = x,
                       .v = v,
                       .poses = sim->poses,
                       .gap = gap,
                       .rate = rate,
                       .references = sim->references};
}

void hf_switch_look(hf_sim *sim, const double *x)
{
    hf_switch *own = hf_switch_of(sim);
    const double *v = x + sim->model->nq;
    if (!own->in_space) {
        return;
    }
    hf_motion motion = motion_at(sim, x, v, sim->gap, sim->rate);
    hf_update_poses(sim, x, v);
    for (int i = 0; i < own->count; ++i) {
        hf_force_psi(sim->model, force_of(sim, &own->elements[i]), &motion);
    }
}

double hf_switch_rate(const hf_sim *sim, const hf_element *e, int k, const double *x)
{
    const double *v = x + sim->model->nq;
    return e->in_space ? sim->rate[e->row + k]
                       : v[e->on_v + k] - (e->to_v < 0 ? 0.0 : v[e->to_v + k]);
}

void hf_switch_stop(const hf_sim *sim, const hf_element *e, double *x)
{
    double *v = x + sim->model->nq;
    for (int k = 0; k < e->dim && !e->in_space; ++k) {
        if (e->on_driven >= 0) {
            v[e->to_v + k] = v[e->on_v + k];
        } else {
            v[e->on_v + k] = e->to_v < 0 ? 0.0 : v[e->to_v + k];
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Accelerations

static double driven_acceleration(const hf_sim *sim, int driven, int v, double t, hf_side side)
{
    const hf_driven *d = &sim->model->drivens[driven];
    int k = v - d->v;
    int rate = d->by_velocity ? d->motion[k].signal : d->has_rate ? d->rate[k].signal : -1;
    if (d->by_velocity || d->has_rate) {
        return rate < 0 ? 0.0 : hf_signal_rate(sim, rate, t, side);
    }
    int position = d->motion[k].signal;
    if (position < 0) {
        return 0.0;
    }
    double h = SECOND_SPACING * fmax(1.0, fabs(t));
    return (hf_signal_rate(sim, position, t + h, HF_SIDE_LEFT) -
            hf_signal_rate(sim, position, t - h, HF_SIDE_RIGHT)) /
           (2.0 * h);
}

double hf_coordinate_acceleration(const hf_sim *sim, int v, int driven, double t, hf_side side,
                                  const double *dx)
{
    return v < 0         ? 0.0
           : driven >= 0 ? driven_acceleration(sim, driven, v, t, side)
                         : dx[sim->model->nq + v];
}

// d/dt (J v) = J v' + J' v: the first from poses that move with v', the second by bias.c.
void hf_switch_accelerate(hf_sim *sim, double t, hf_side side, const double *x, const double *dx)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    double *a = own->accelerations;
    if (!own->in_space) {
        return;
    }
    memcpy(a, dx + model->nq, (size_t)model->nv * sizeof *a);
    for (int i = 0; i < model->driven_count; ++i) {
        const hf_driven *d = &model->drivens[i];
        for (int k = 0; k < d->dim; ++k) {
            a[d->v + k] = driven_acceleration(sim, i, d->v + k, t, side);
        }
    }
    hf_motion motion = motion_at(sim, x, a, own->gap_scratch, own->rate_scratch);
    hf_bias bias = {.poses = sim->poses,
                    .rates = own->pose_rates,
                    .references = sim->references,
                    .change = own->change};
    hf_update_poses(sim, x, a);
    for (int i = 0; i < own->count; ++i) {
        hf_force_psi(model, force_of(sim, &own->elements[i]), &motion);
    }
    hf_update_poses(sim, x, x + model->nq);
    hf_pose_rates(sim, own->pose_rates);
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        if (e->in_space) {
            hf_force_bias(model, force_of(sim, e), &bias);
            for (int k = 0; k < e->dim; ++k) {
                own->change[e->row + k] += own->rate_scratch[e->row + k];
            }
        }
    }
}

double hf_switch_acceleration(const hf_sim *sim, const hf_element *e, int k, double t, hf_side side,
                              const double *dx)
{
    return e->in_space ? hf_switch_of(sim)->change[e->row + k]
                       : hf_coordinate_acceleration(sim, e->on_v + k, e->on_driven, t, side, dx) -
                             hf_coordinate_acceleration(sim, e->to_v < 0 ? -1 : e->to_v + k,
                                                        e->to_driven, t, side, dx);
}

// ------------------------------------------------------------------------------------------------
// Answers to forces

int hf_switch_count_rows(hf_switch *own, const hf_element *island)
{
    int rows = 0;
    for (int i = 0; i < own->listed; ++i) {
        own->first[i] = rows;
        rows += island[own->list[i]].dim;
    }
    return rows;
}

static hf_actions actions_of(hf_sim *sim)
{
    return (hf_actions){.force = sim->force,
                        .poses = sim->poses,
                        .u = sim->u,
                        .wrenches = sim->wrenches,
                        .references = sim->references};
}

static void clear_units(hf_sim *sim, const hf_island *island)
{
    for (int i = 0; i < island->unit_count; ++i) {
        hf_unit_clear(sim, sim->model->exact.units[island->first_unit + i]);
    }
}

// M^-1 of what acts on the units, to sim->response. `keep`: the forces are there to stay, and so
// are those of loops that go with them.
static void respond_units(hf_sim *sim, const hf_island *island, const double *x, bool keep)
{
    const hf_unit *units = sim->model->exact.units + island->first_unit;
    memset(sim->response, 0, (size_t)sim->model->nv * sizeof *sim->response);
    for (int i = 0; i < island->unit_count; ++i) {
        hf_unit_respond(sim, units[i], x, sim->response);
    }
    hf_loops_project(sim, x, units, island->unit_count, sim->response, keep);
}

static void pose_units(hf_sim *sim, const hf_island *island, const double *x, const double *v)
{
    for (int i = 0; i < island->unit_count && sim->model->couplings.in_space; ++i) {
        hf_unit_pose(sim, sim->model->exact.units[island->first_unit + i], x, v);
    }
}

// One column: the response to a unit force along row k of element e.
static void fill_column(hf_sim *sim, const hf_island *island, const double *x, const hf_element *e,
                        int k, int column, int rows)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    hf_actions actions = actions_of(sim);
    hf_motion motion = motion_at(sim, x, sim->response, own->gap_scratch, own->rate_scratch);
    double kept[3];
    memcpy(kept, sim->force + e->row, (size_t)e->dim * sizeof *kept);
    memset(sim->force + e->row, 0, (size_t)e->dim * sizeof *kept);
    sim->force[e->row + k] = 1.0;
    clear_units(sim, island);
    hf_force_phi(model, force_of(sim, e), &actions);
    memcpy(sim->force + e->row, kept, (size_t)e->dim * sizeof *kept);
    respond_units(sim, island, x, false);
    pose_units(sim, island, x, sim->response);
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *other = &elements[own->list[i]];
        hf_force_psi(model, force_of(sim, other), &motion);
        for (int row = 0; row < other->dim; ++row) { // Phi applies -f
            own->w[(own->first[i] + row) * rows + column] =
                0.0 - own->rate_scratch[other->row + row];
        }
    }
}

void hf_switch_fill_w(hf_sim *sim, const hf_island *island, const double *x)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int rows = hf_switch_count_rows(own, elements);
    // Nothing else moves
    if (own->in_space) {
        hf_update_poses(sim, x, sim->rest);
    }
    for (int i = 0; i < own->listed; ++i) {
        for (int k = 0; k < elements[own->list[i]].dim; ++k) {
            fill_column(sim, island, x, &elements[own->list[i]], k, own->first[i] + k, rows);
        }
    }
    if (own->in_space) {
        hf_update_poses(sim, x, x + sim->model->nq);
    }
}

// What acts on driven bodies in space and at coordinates, and their power.
static double driven_power(hf_sim *sim, const double *x)
{
    const hf_model *model = sim->model;
    double power = 0.0;
    for (int i = 0; i < model->point_count; ++i) {
        const hf_point_body *point = &model->points[i];
        bool driven = false;
        for (int k = 0; k < model->driven_count; ++k) {
            driven = driven || model->drivens[k].v == point->v;
        }
        if (driven) {
            hf_points_gather(point, 1, sim->wrenches, sim->u);
        }
    }
    for (int i = 0; i < model->driven_count; ++i) {
        const hf_driven *d = &model->drivens[i];
        for (int k = 0; k < d->dim; ++k) {
            power -= sim->u[d->v + k] * x[model->nq + d->v + k];
        }
    }
    return power;
}

static void clear_drivens(hf_sim *sim)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->driven_count; ++i) {
        const hf_driven *d = &model->drivens[i];
        memset(sim->u + d->v, 0, (size_t)d->dim * sizeof *sim->u);
    }
    for (int i = 0; i < model->point_count && model->driven_count > 0; ++i) {
        sim->wrenches[model->points[i].pose] = (hf_wrench){0};
    }
}

void hf_switch_respond(hf_sim *sim, const hf_island *island, const double *x, double *input,
                       bool keep)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    hf_actions actions = actions_of(sim);
    clear_drivens(sim);
    clear_units(sim, island);
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        double kept[3];
        memcpy(kept, sim->force + e->row, (size_t)e->dim * sizeof *kept);
        memcpy(sim->force + e->row, own->f + own->first[i], (size_t)e->dim * sizeof *kept);
        hf_force_phi(sim->model, force_of(sim, e), &actions);
        memcpy(sim->force + e->row, kept, (size_t)e->dim * sizeof *kept);
    }
    if (input != NULL && sim->model->driven_count > 0) {
        *input += driven_power(sim, x);
    }
    respond_units(sim, island, x, keep);
}

// ------------------------------------------------------------------------------------------------
// Projection

void hf_switch_hold(hf_sim *sim)
{
    const hf_switch *own = hf_switch_of(sim);
    struct hf_loops_state *loops = sim->loops;
    for (int i = 0; own != NULL && i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        for (int k = 0; k < e->dim && e->mode == 0 && !e->in_space; ++k) {
            hf_loop_hold on = {e->on_q + k, e->on_v + k, -1, -1};
            hf_loop_hold to = {e->to_q + k, e->to_v + k, -1, -1};
            bool both = e->to_v >= 0 && e->on_driven < 0 && e->to_driven < 0;
            on.to_q = both ? to.on_q : -1;
            on.to_v = both ? to.on_v : -1;
            loops->holds[loops->hold_count++] = e->on_driven >= 0 ? to : on;
        }
    }
}

void hf_switch_mark(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    if (!own->in_space) {
        return;
    }
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool stuck = e->in_space && e->kind != HF_ELEMENT_CONTACT && e->mode == 0 &&
                     force_of(sim, e)->coupling != HF_COUPLING_SPIN;
        if (stuck && !e->placed) {
            memcpy(e->place, sim->gap + e->row, (size_t)e->dim * sizeof *e->place);
        }
        e->placed = stuck;
    }
}

// How many of an element's rows are to stand still, or to have a gap.
static int still_rows(const hf_element *e, bool gaps)
{
    if (gaps) {
        bool closed = e->mode != HF_CONTACT_OPEN || e->touches;
        return e->kind == HF_ELEMENT_CONTACT ? closed : e->placed ? e->dim : 0;
    }
    if (e->kind == HF_ELEMENT_CONTACT) {
        return e->mode == HF_CONTACT_OPEN ? 0 : e->mode == 0 ? 3 : 1;
    }
    return e->mode == 0 ? e->dim : 0;
}

// W restricted to the rows in own->rows, n of them, times own->f = right: f of all rows.
static void solve_rows(hf_switch *own, int n, int rows, const double *right)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            own->copy[i * n + j] = own->w[own->rows[i] * rows + own->rows[j]];
        }
    }
    (void)hf_least_norm_solve(n, own->copy, right, own->ahead, own->work);
    memset(own->f, 0, (size_t)rows * sizeof *own->f);
    for (int i = 0; i < n; ++i) {
        own->f[own->rows[i]] = own->ahead[i];
    }
}

// Lists what has rows to stand still; these in own->rows. Returns how many; *space: in space.
static int list_still(hf_sim *sim, const hf_island *island, bool gaps, bool *space)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int n = 0, row = 0;
    own->listed = 0;
    *space = false;
    for (int i = 0; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        int still = still_rows(e, gaps);
        if (still == 0) {
            continue;
        }
        *space = *space || e->in_space;
        own->list[own->listed++] = i;
        for (int k = 0; k < still; ++k) {
            own->rows[n++] = row + k;
        }
        row += e->dim;
    }
    return n;
}

// Fills own->c with gaps, or with rates, of the rows that own->rows names; returns the largest.
static double gather(hf_sim *sim, const hf_island *island, bool gaps, int n)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    double largest = 0.0;
    for (int i = 0, at = 0; i < own->listed && at < n; ++i) {
        const hf_element *e = &elements[own->list[i]];
        for (; at < n && own->rows[at] < own->first[i] + e->dim; ++at) {
            int k = own->rows[at] - own->first[i];
            double place = e->placed ? e->place[k] : 0.0;
            own->c[at] = gaps ? sim->gap[e->row + k] - place : hf_switch_rate(sim, e, k, sim->x);
            largest = fmax(largest, fabs(own->c[at]));
        }
    }
    return largest;
}

// q moves as with velocities `by` for one second.
static void displace(hf_sim *sim, const double *by)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    memcpy(own->rate, sim->x, (size_t)model->nq * sizeof *sim->x);
    memcpy(own->rate + model->nq, by, (size_t)model->nv * sizeof *sim->x);
    hf_sim_q_rate(sim, own->rate, sim->slope);
    for (int i = 0; i < model->nq; ++i) {
        sim->x[i] += sim->slope[i];
    }
    hf_sim_normalize(sim, sim->x);
}

// Stopping rates by impulses own->f turns p r/2 into heat, of each of them.
static void keep_heat(hf_sim *sim, const hf_island *island)
{
    const hf_model *model = sim->model;
    const hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    double *work = sim->x + model->n - model->nw;
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        for (int k = 0; k < e->dim; ++k) {
            work[e->force] += 0.5 * own->f[own->first[i] + k] * hf_switch_rate(sim, e, k, sim->x);
        }
    }
}

static double settle(hf_sim *sim, const hf_island *island, bool gaps)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    bool space = false;
    double first = 0.0;
    for (int pass = 0; pass < 3; ++pass) {
        int n = list_still(sim, island, gaps, &space);
        if (n == 0 || !space) {
            return first;
        }
        hf_switch_look(sim, sim->x);
        int rows = hf_switch_count_rows(own, hf_switch_island(sim, island));
        double largest = gather(sim, island, gaps, n);
        first = pass == 0 ? largest : first;
        if (!(largest > DBL_EPSILON * 0.5)) {
            break;
        }
        hf_switch_fill_w(sim, island, sim->x);
        solve_rows(own, n, rows, own->c);
        hf_switch_respond(sim, island, sim->x, gaps ? NULL : &sim->x[model->n - 1], false);
        if (gaps) {
            displace(sim, sim->response);
            continue;
        }
        keep_heat(sim, island);
        for (int i = 0; i < model->nv; ++i) {
            sim->x[model->nq + i] += sim->response[i];
        }
    }
    return first;
}

void hf_switch_settle_gaps(hf_sim *sim, const hf_island *island)
{
    hf_element *elements = hf_switch_island(sim, island);
    (void)settle(sim, island, true);
    for (int i = 0; i < island->force_count; ++i) {
        elements[i].touches = false;
    }
    hf_switch_look(sim, sim->x);
}

double hf_switch_settle(hf_sim *sim, const hf_island *island)
{
    const hf_element *elements = hf_switch_island(sim, island);
    double gap = settle(sim, island, true), rate = settle(sim, island, false);
    for (int i = 0; i < island->force_count; ++i) {
        if (still_rows(&elements[i], false) > 0) {
            hf_switch_stop(sim, &elements[i], sim->x);
        }
    }
    hf_switch_look(sim, sim->x);
    return fmax(gap, rate);
}

void hf_switch_close(hf_sim *sim)
{
    if (sim->model->loop_count > 0) {
        (void)hf_loops_close(sim, sim->x, true);
        hf_switch_look(sim, sim->x);
    }
}
