// SPDX-License-Identifier: Apache-2.0
// Forces of exact friction and contact: in slip within an evaluation, in stick and of contacts
// after it.
#include <math.h>
#include <string.h>

#include "laws/element.h"
#include "methods/switch/switch.h"
#include "sim/loads.h"
#include "solvers/small/least_norm.h"

// A slip whose cosine with its aim is below this has gone through zero.
#define BEYOND -0.5
// Levels of redundant forces, as parts of the largest friction's: at least and at most this.
#define LEAST_PART 1e-10
#define STOP_PART  1e6
// Room of redundant forces, as a part of the largest: at least this.
#define LEAST_ROOM 1e-6
// The time constant with which the shift of a slip from rest decays [s].
#define SHIFT_TIME 1e-3

// ------------------------------------------------------------------------------------------------
// Slip

// The level in motion, continued smoothly to the other side of zero, where trial states may be:
// viscous friction changes its sign there, the rest does not.
static double slip_level(const hf_level *level, int side, double speed, double normal)
{
    double size = fabs(speed), f = hf_level_at(level, side, size, normal, HF_REGIME_SLIP);
    return speed < 0.0 ? f - 2.0 * level->viscous[side] * size : f;
}

double hf_switch_rise(const hf_level *level, int side, hf_regime regime)
{
    return hf_level_at(level, side, 0.0, 1.0, regime) - hf_level_at(level, side, 0.0, 0.0, regime);
}

// What is the same for every element until its force is known. A contact's mode is that of its
// friction along the surface.
static void rest_force(hf_sim *sim, const hf_element *e, double mode, double *dw)
{
    memset(sim->force + e->row, 0, (size_t)e->dim * sizeof *sim->force);
    if (e->slot && e->part == 0) { // of several points slip is seen first, then stick
        sim->mode[e->force] =
            mode == 1.0 || sim->mode[e->force] == HF_MODE_OPEN ? mode : sim->mode[e->force];
        return;
    }
    if (e->part != 0) {
        return;
    }
    sim->mode[e->force] = mode;
    sim->stored[e->force] = 0.0;
    sim->normal[e->force] = 0.0;
    dw[e->force] = 0.0;
}

// A held stop pushes away from its limit; an open one has no force.
static void eval_stop(hf_sim *sim, hf_element *e, double *dw)
{
    e->low = e->wall < 0 ? -HF_STOP_NONE : 0.0;
    e->high = e->wall < 0 ? 0.0 : HF_STOP_NONE;
    rest_force(sim, e, e->mode == 0 ? 0.0 : HF_MODE_OPEN, dw);
}

// Whether a friction has no normal force to take its level from.
static bool is_open(const hf_switch *own, const hf_element *e, double normal)
{
    bool holds = e->load >= 0 && hf_element_holds(&own->elements[e->island + e->load]);
    return hf_level_is_open(e->level, holds ? 1.0 : normal);
}

static void eval_friction(hf_sim *sim, hf_element *e, double *dw)
{
    const hf_switch *own = hf_switch_of(sim);
    double rate = sim->rate[e->row], force = 0.0;
    // Of a loaded friction the part without its load, which is solved for afterwards
    bool loaded = e->load >= 0;
    double normal = loaded ? 0.0 : hf_normal_for(sim, &sim->model->forces[e->force]);
    if (e->mode != 0) {
        int side = e->mode > 0 ? HF_FORTH : HF_BACK;
        double level = slip_level(e->level, side, e->mode * rate, normal);
        e->slope = loaded ? slip_level(e->level, side, e->mode * rate, 1.0) - level : 0.0;
        force = e->mode * level;
    } else {
        e->high = hf_level_at(e->level, HF_FORTH, 0.0, normal, HF_REGIME_STICK);
        e->low = -hf_level_at(e->level, HF_BACK, 0.0, normal, HF_REGIME_STICK);
        e->high_rise = loaded ? hf_switch_rise(e->level, HF_FORTH, HF_REGIME_STICK) : 0.0;
        e->low_rise = loaded ? hf_switch_rise(e->level, HF_BACK, HF_REGIME_STICK) : 0.0;
    }
    e->along[0] = e->mode;
    rest_force(sim, e, is_open(own, e, normal) ? HF_MODE_OPEN : (double)e->mode, dw);
    sim->force[e->row] = force;
    dw[e->force] += force * rate;
}

// d = (r + e d0)/|r + e d0| of the tangent rows. Trial states may come near zero, where it stays
// finite, and go beyond it, where it does not turn around: a slip that stops is smooth to the end.
// Several points of a body stop together only where nothing is left of e.
static void find_direction(const hf_sim *sim, hf_element *e, const double *rate, int dim)
{
    const hf_switch *own = hf_switch_of(sim);
    double moved[3] = {0.0, 0.0, 0.0};
    double shift = own->shift * exp(fmin(0.0, (e->since - sim->eval_time) / SHIFT_TIME));
    for (int k = 0; k < dim; ++k) {
        moved[k] = rate[k] + shift * e->away[k];
    }
    e->slide = hf_length3(dim, moved);
    double size = fmax(e->slide, 0.25 * own->shift), near = 0.0;
    for (int k = 0; k < dim; ++k) {
        near += moved[k] / size * e->aim[k];
    }
    e->near = near;
    e->beyond = e->beyond || near < BEYOND;
    for (int k = 0; k < dim; ++k) {
        e->along[k] = (near < BEYOND ? -moved[k] : moved[k]) / size;
    }
}

// The speed along d.
static double speed_of(const hf_element *e)
{
    return e->near < BEYOND ? -e->slide : e->slide;
}

static void eval_planar(hf_sim *sim, hf_element *e, double *dw)
{
    const double *rate = sim->rate + e->row;
    bool loaded = e->load >= 0;
    double normal = loaded ? 0.0 : hf_normal_for(sim, &sim->model->forces[e->force]);
    bool open = is_open(hf_switch_of(sim), e, normal);
    rest_force(sim, e, open ? HF_MODE_OPEN : (double)e->mode, dw);
    e->high = hf_level_at(e->level, HF_FORTH, 0.0, normal, HF_REGIME_STICK);
    e->high_rise = loaded ? hf_switch_rise(e->level, HF_FORTH, HF_REGIME_STICK) : 0.0;
    if (e->mode == 0) {
        return;
    }
    find_direction(sim, e, rate, e->dim);
    double level = slip_level(e->level, HF_FORTH, speed_of(e), normal);
    e->slope = loaded ? slip_level(e->level, HF_FORTH, speed_of(e), 1.0) - level : 0.0;
    for (int k = 0; k < e->dim; ++k) {
        sim->force[e->row + k] = level * e->along[k];
        dw[e->force] += level * e->along[k] * rate[k];
    }
}

static void eval_contact(hf_sim *sim, hf_element *e, double *dw)
{
    rest_force(sim, e, (double)e->mode, dw);
    e->high = hf_switch_rise(e->level, HF_FORTH, HF_REGIME_STICK);
    if (e->mode == 1) {
        find_direction(sim, e, sim->rate + e->row + 1, 2);
        e->mu = slip_level(e->level, HF_FORTH, speed_of(e), 1.0);
    }
}

static void eval_element(hf_sim *sim, hf_element *e, double *dw)
{
    switch (e->kind) {
    case HF_ELEMENT_STOP:
        eval_stop(sim, e, dw);
        break;
    case HF_ELEMENT_PLANAR:
        eval_planar(sim, e, dw);
        break;
    case HF_ELEMENT_CONTACT:
        eval_contact(sim, e, dw);
        break;
    default:
        eval_friction(sim, e, dw);
        break;
    }
}

// Motion of a force's points; forces of all are found anew.
static void look_at_points(hf_sim *sim, int force, double *dw)
{
    const hf_switch *own = hf_switch_of(sim);
    hf_motion motion = {.poses = sim->poses, .gap = sim->gap, .rate = sim->rate};
    hf_points_locate(sim);
    for (int k = own->by_force[force]; k < own->count && own->elements[k].force == force; ++k) {
        if (own->elements[k].part == 0) {
            hf_point_psi(sim, &own->elements[k], &motion);
        }
    }
    hf_points_drive(sim, force, sim->rate);
    sim->mode[force] = HF_MODE_OPEN;
    sim->stored[force] = sim->normal[force] = dw[force] = 0.0;
}

void hf_switch_forces(hf_sim *sim, int first, int end, double *dw)
{
    const hf_switch *own = hf_switch_of(sim);
    for (int i = first; i < end; ++i) {
        // A contact's rows that have no friction have no element
        const hf_force_place *force = &sim->model->forces[i];
        if (own->by_force[i] < 0) {
            hf_step_forces_clear(sim, i, i + 1, dw);
            continue;
        }
        memset(sim->force + force->row, 0, (size_t)force->dim * sizeof *sim->force);
        if (own->elements[own->by_force[i]].slot) {
            look_at_points(sim, i, dw);
        }
        for (int k = own->by_force[i]; k < own->count && own->elements[k].force == i; ++k) {
            eval_element(sim, &own->elements[k], dw);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Stick

int hf_switch_list_held(const hf_sim *sim, const hf_island *island, bool *plain)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int n = 0, row = 0;
    own->listed = 0;
    *plain = true;
    for (int i = 0; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        if (!hf_element_holds(e)) {
            continue;
        }
        bool slides = e->kind == HF_ELEMENT_CONTACT && e->mode == 1;
        *plain = *plain && !slides;
        own->list[own->listed++] = i;
        for (int k = 0; k < (slides ? 1 : e->dim); ++k) {
            own->rows[n++] = row + k;
        }
        row += e->dim;
    }
    for (int i = 0; i < island->force_count && n > 0; ++i) {
        if (hf_element_is_carried(&elements[i], elements)) {
            *plain = false;
            own->list[own->listed++] = i;
        }
    }
    return n;
}

// Adds to column j of A what rows from `first` on do whose forces are `share` times unknown j.
static void add_shares(hf_switch *own, int j, int n, int rows, int first, int count,
                       const double *share)
{
    for (int i = 0; i < n; ++i) {
        const double *line = own->w + own->rows[i] * rows + first;
        for (int k = 0; k < count && k < 3; ++k) {
            own->copy[i * n + j] += line[k] * share[k];
        }
    }
}

// A = W P, P from unknowns to forces: f_T = -mu d f_N of a contact that slides, f = slope N d of a
// friction in slip that a stop or contact loads. What is left of W_NN with these is `felt`.
static void fill_system(hf_switch *own, hf_element *elements, int n, int rows)
{
    // W of the unknowns
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            own->copy[i * n + j] = own->w[own->rows[i] * rows + own->rows[j]];
        }
    }
    // with what each of them brings along
    for (int at = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        bool carried = hf_element_is_carried(e, elements);
        bool slides = e->kind == HF_ELEMENT_CONTACT && e->mode == 1;
        int source = own->first[carried ? hf_switch_find(own, e->load) : at];
        double scale = carried ? e->slope * hf_element_push(&elements[e->load]) : -e->mu;
        double share[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3 && (carried || slides); ++k) {
            share[k] = scale * e->along[k];
        }
        for (int j = 0; j < n && (carried || slides); ++j) {
            if (own->rows[j] == source) {
                add_shares(own, j, n, rows, own->first[at] + (slides ? 1 : 0), slides ? 2 : e->dim,
                           share);
            }
        }
    }
    // What is left of each normal's own answer
    for (int at = 0, j = 0; at < own->listed && j < n; ++at) {
        hf_element *e = &elements[own->list[at]];
        int first = own->first[at];
        double direct = own->w[first * rows + first];
        e->felt = direct > 0.0 ? own->copy[j * n + j] / direct : 1.0;
        while (j < n && own->rows[j] < first + e->dim) {
            ++j;
        }
    }
}

// Forces of all listed rows from the unknowns in own->ahead; elements remember theirs. Normals are
// listed before the frictions in slip that they load; those in stick look at them once all are
// known.
static void take_forces(hf_switch *own, hf_element *elements, int n, int rows)
{
    // Unknowns
    memset(own->f, 0, (size_t)rows * sizeof *own->f);
    for (int j = 0; j < n; ++j) {
        own->f[own->rows[j]] = own->high[j] + own->ahead[j];
    }
    // What follows them: friction of what slides
    for (int at = 0; at < own->listed; ++at) {
        hf_element *e = &elements[own->list[at]];
        double *f = own->f + own->first[at];
        if (e->kind == HF_ELEMENT_CONTACT && e->mode == 1) {
            f[1] = -e->mu * e->along[0] * f[0];
            f[2] = -e->mu * e->along[1] * f[0];
        } else if (hf_element_is_carried(e, elements)) {
            double level = e->slope * fabs(elements[e->load].held[0]);
            for (int k = 0; k < e->dim; ++k) {
                f[k] = level * e->along[k];
            }
        }
        memcpy(e->held, f, (size_t)e->dim * sizeof *f);
    }
    // Bounds that the normals raise
    for (int at = 0; at < own->listed; ++at) {
        hf_element *e = &elements[own->list[at]];
        if (e->load >= 0 && e->mode == 0) {
            double normal = fabs(elements[e->load].held[0]);
            e->high += e->high_rise * normal;
            e->low -= e->low_rise * normal;
        }
    }
}

double hf_element_level(const hf_element *e)
{
    double level = e->kind == HF_ELEMENT_FRICTION ? 0.5 * (e->high - e->low) : e->high;
    if (e->load >= 0) { // how they compare under one load is all that is known here
        level += e->kind == HF_ELEMENT_FRICTION ? 0.5 * (e->high_rise + e->low_rise) : e->high_rise;
    }
    return e->kind == HF_ELEMENT_STOP ? HF_STOP_NONE : level;
}

// Weights of the unknowns of redundant forces to own->low: roots of their levels as parts of the
// largest, over what they answer with, so that those that hold one motion by unlike ratios come to
// their bounds together. A stop takes what it can.
static void weigh(hf_switch *own, const hf_element *elements, int n, int rows)
{
    double largest = 0.0, answer = 0.0;
    // The largest level, and the largest answer to a force
    for (int at = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        double level = hf_element_level(e);
        largest = fmax(largest, e->kind == HF_ELEMENT_STOP ? 0.0 : level);
    }
    for (int j = 0; j < n; ++j) {
        answer = fmax(answer, own->w[own->rows[j] * rows + own->rows[j]]);
    }
    // Each by these
    for (int at = 0, j = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        double part = largest > 0.0 ? hf_element_level(e) / largest : 1.0;
        for (; j < n && own->rows[j] < own->first[at] + e->dim; ++j) {
            double w = own->w[own->rows[j] * rows + own->rows[j]];
            double arm = w > 0.0 ? sqrt(w / answer) : 1.0;
            own->low[j] = sqrt(fmin(fmax(part / arm, LEAST_PART), STOP_PART));
        }
    }
}

// The same by the room that each had when modes were decided: those that are near a bound take
// little of what changes, so that all come to their bounds together.
static void weigh_by_room(hf_switch *own, const hf_element *elements, int n)
{
    double largest = 0.0;
    for (int at = 0; at < own->listed; ++at) {
        largest = fmax(largest, elements[own->list[at]].leeway);
    }
    for (int at = 0, j = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        double part = largest > 0.0 ? fmax(e->leeway / largest, LEAST_ROOM) : 1.0;
        for (; j < n && own->rows[j] < own->first[at] + e->dim; ++j) {
            own->low[j] = part;
        }
    }
}

// Of all f that hold the least sum of f^2/D^2, D in own->low: W is singular, and in own->copy no
// more.
static void share_by_weights(hf_switch *own, int n, int rows)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            own->copy[i * n + j] =
                own->low[i] * own->w[own->rows[i] * rows + own->rows[j]] * own->low[j];
        }
        own->c[i] *= own->low[i];
    }
    (void)hf_least_norm_solve(n, own->copy, own->c, own->ahead, own->work);
    for (int i = 0; i < n; ++i) {
        own->ahead[i] *= own->low[i];
    }
}

// Whether forces own->ahead hold W f = b.
static bool holds_with(const hf_switch *own, int n, int rows, const double *b)
{
    bool held = true;
    for (int i = 0; i < n && held; ++i) {
        double miss = -b[i], size = fabs(b[i]);
        for (int j = 0; j < n; ++j) {
            double part = own->w[own->rows[i] * rows + own->rows[j]] * own->ahead[j];
            miss += part;
            size += fabs(part);
        }
        held = fabs(miss) <= HF_SWITCH_AT_BOUND * size;
    }
    return held;
}

// Shares by weights, of frictions and stops. A stop that would pull so has no share: others hold
// what it seems to hold, as long as they can.
static void share_without_pulls(hf_switch *own, const hf_element *elements, int n, int rows)
{
    double *b = own->spare_c;
    memcpy(b, own->c, (size_t)n * sizeof *b);
    share_by_weights(own, n, rows);
    bool pulls = true;
    while (pulls) {
        pulls = false;
        double largest = 0.0;
        for (int j = 0; j < n; ++j) {
            largest = fmax(largest, fabs(own->ahead[j]));
        }
        for (int at = 0; at < own->listed; ++at) {
            const hf_element *e = &elements[own->list[at]];
            int j = own->first[at]; // all listed hold, with all their rows
            double f = own->high[j] + own->ahead[j], beyond = fmax(f - e->high, e->low - f);
            if (e->kind == HF_ELEMENT_STOP && own->low[j] != 0.0 &&
                beyond > HF_SWITCH_NOTHING * largest) {
                own->low[j] = 0.0;
                pulls = true;
            }
        }
        if (pulls) { // without them, if that holds
            memcpy(own->f, own->ahead, (size_t)n * sizeof *own->f);
            memcpy(own->c, b, (size_t)n * sizeof *b);
            share_by_weights(own, n, rows);
            if (!holds_with(own, n, rows, b)) {
                memcpy(own->ahead, own->f, (size_t)n * sizeof *own->f);
                pulls = false;
            }
        }
    }
}

// Whether one of the elements listed is a contact: those share by their modes' own forces.
static bool lists_contact(const hf_switch *own, const hf_element *elements)
{
    bool contact = false;
    for (int at = 0; at < own->listed; ++at) {
        contact = contact || elements[own->list[at]].kind == HF_ELEMENT_CONTACT;
    }
    return contact;
}

bool hf_switch_lists_both(const hf_switch *own, const hf_element *elements)
{
    bool friction = false;
    for (int at = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        friction = friction || (e->kind == HF_ELEMENT_FRICTION && e->part == 0 && !e->in_space);
    }
    return friction && lists_contact(own, elements);
}

// W f = c                                                                                  (7)
static void solve_held(hf_sim *sim, const hf_island *island, int n, bool plain, double t,
                       hf_side side, const double *x, const double *dx)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    // What is to be held
    hf_switch_fill_w(sim, island, x);
    int rows = hf_switch_count_rows(own, elements);
    for (int at = 0, j = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        for (; j < n && own->rows[j] < own->first[at] + e->dim; ++j) {
            int k = own->rows[j] - own->first[at];
            own->c[j] = hf_switch_acceleration(sim, e, k, t, side, dx);
            own->high[j] = e->base[k]; // not otherwise used here
        }
    }
    // less what the forces of before hold already
    fill_system(own, elements, n, rows);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            own->c[i] -= own->copy[i * n + j] * own->high[j];
        }
    }
    // Where rows follow from others, the least forces; frictions share by their levels
    int rank = plain && !own->follows
                   ? hf_least_norm_solve(n, own->copy, own->c, own->ahead, own->work)
                   : hf_least_norm_general(n, own->copy, own->c, own->ahead, own->work);
    bool contacts = lists_contact(own, elements);
    if (rank < n && plain && !own->follows &&
        (!contacts || own->even || elements[own->list[0]].tight ||
         hf_switch_lists_both(own, elements))) {
        if (contacts) {
            weigh_by_room(own, elements, n);
            share_by_weights(own, n, rows);
        } else {
            weigh(own, elements, n, rows);
            share_without_pulls(own, elements, n, rows);
        }
    }
    for (int at = 0; at < own->listed; ++at) {
        elements[own->list[at]].shared = rank < n;
    }
    take_forces(own, elements, n, rows);
}

static void stick_island(hf_sim *sim, const hf_island *island, double t, hf_side side,
                         const double *x, double *dx)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    bool plain = true;
    int n = hf_switch_list_held(sim, island, &plain);
    if (n == 0) {
        return;
    }
    solve_held(sim, island, n, plain, t, side, x, dx);
    // v' with these forces
    hf_switch_respond(sim, island, x, &dx[model->n - 1], true);
    dx[model->n - 1] += hf_points_belt_power(sim, island);
    for (int i = 0; i < model->nv; ++i) {
        dx[model->nq + i] += sim->response[i];
    }
    if (hf_switch_is_pinned(sim, island)) {
        hf_switch_rest(sim, island, dx + model->nq);
    }
    // Forces and power
    for (int at = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        const double *f = own->f + own->first[at];
        double *power = &dx[model->n - model->nw + e->force];
        bool contact = e->kind == HF_ELEMENT_CONTACT;
        for (int k = 0; k < e->dim; ++k) {
            sim->force[e->row + k] += f[k];
            *power += e->mode == 0 || (contact && k == 0) ? 0.0 : f[k] * sim->rate[e->row + k];
        }
        if (contact) {
            sim->normal[e->force] = fmax(0.0, -f[0]) + (e->slot ? sim->normal[e->force] : 0.0);
        }
    }
}

static void stick_once(hf_sim *sim, double t, hf_side side, const double *x, double *dx)
{
    hf_switch_accelerate(sim, t, side, x, dx);
    for (int i = 0; i < sim->model->exact.count; ++i) {
        stick_island(sim, &hf_switch_of(sim)->islands[i], t, side, x, dx);
    }
    hf_switch_tie_rates(sim, t, side, dx);
    hf_step_forces_solve_instant(sim, x, dx);
}

void hf_switch_stick(hf_sim *sim, double t, hf_side side, const double *x, double *dx)
{
    if (sim->loads == NULL) {
        stick_once(sim, t, side, x, dx);
        return;
    }
    // Loads begin at zero, whatever was evaluated before: the same state has the same rates
    hf_loads_begin(sim);
    do {
        hf_sim_eval_again(sim, 0.0, (double *)x, dx);
        stick_once(sim, t, side, x, dx);
    } while (!hf_loads_next(sim, x, dx, hf_points_push));
}
