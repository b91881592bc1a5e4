// SPDX-License-Identifier: Apache-2.0
// Forces of exact friction: in slip within an evaluation, in stick after it.
#include <math.h>
#include <string.h>

#include "adaptive/switch.h"

// Spacing of second differences [s]: truncation 1e-8 and rounding 1e-8 for a motion of 1 m in 1 s.
#define SECOND_SPACING 1e-4

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

// A held stop pushes away from its limit; an open one has no force.
static void stop_bounds(hf_sim *sim, hf_element *e, double *dw)
{
    e->low = e->wall < 0 ? -HF_STOP_NONE : 0.0;
    e->high = e->wall < 0 ? 0.0 : HF_STOP_NONE;
    sim->force[e->row] = 0.0;
    sim->mode[e->force] = e->mode == 0 ? 0.0 : HF_MODE_OPEN;
    sim->stored[e->force] = 0.0;
    sim->normal[e->force] = 0.0;
    dw[e->force] = 0.0;
}

void hf_switch_forces(hf_sim *sim, int first, int end, double *dw)
{
    const hf_switch *own = hf_switch_of(sim);
    for (int i = first; i < end; ++i) {
        hf_element *e = &own->elements[own->by_force[i]];
        if (e->stop != NULL) {
            stop_bounds(sim, e, dw);
            continue;
        }
        double rate = sim->rate[e->row], force = 0.0;
        // Of a loaded friction the part without its load, which is solved for afterwards
        bool loaded = e->load >= 0;
        double normal = loaded ? 0.0 : hf_normal_for(sim, &sim->model->forces[i]);
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
        bool open = e->level->per_normal &&
                    (loaded ? own->elements[e->island + e->load].mode != 0 : !(normal > 0.0));
        sim->force[e->row] = force;
        sim->mode[i] = open ? HF_MODE_OPEN : (double)e->mode;
        sim->stored[i] = 0.0;
        sim->normal[i] = 0.0;
        dw[i] = force * rate;
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

static double coordinate_acceleration(const hf_sim *sim, int v, int driven, double t, hf_side side,
                                      const double *dx)
{
    return v < 0         ? 0.0
           : driven >= 0 ? driven_acceleration(sim, driven, v, t, side)
                         : dx[sim->model->nq + v];
}

double hf_switch_acceleration(const hf_sim *sim, const hf_element *e, double t, hf_side side,
                              const double *dx)
{
    return coordinate_acceleration(sim, e->on_v, e->on_driven, t, side, dx) -
           coordinate_acceleration(sim, e->to_v, e->to_driven, t, side, dx);
}

void hf_switch_fill_w(hf_sim *sim, const hf_element *island, const int *list, int n,
                      const double *x, double *w)
{
    const hf_model *model = sim->model;
    hf_actions actions = {
        .force = sim->force, .poses = sim->poses, .u = sim->u, .wrenches = sim->wrenches};
    for (int column = 0; column < n; ++column) {
        const hf_element *e = &island[list[column]];
        const hf_force_place *force = &model->forces[e->force];
        hf_unit units[2];
        int unit_count = hf_force_units(model, force, units);
        double kept = sim->force[e->row];
        for (int i = 0; i < unit_count; ++i) {
            hf_unit_clear(sim, units[i]);
        }
        sim->force[e->row] = 1.0;
        hf_force_phi(model, force, &actions);
        sim->force[e->row] = kept;
        memset(sim->response, 0, (size_t)model->nv * sizeof *sim->response);
        for (int i = 0; i < unit_count; ++i) {
            hf_unit_respond(sim, units[i], x, sim->response);
        }
        for (int row = 0; row < n; ++row) {
            const hf_element *other = &island[list[row]];
            double on = other->on_driven < 0 ? sim->response[other->on_v] : 0.0;
            bool moves = other->to_v >= 0 && other->to_driven < 0;
            // Phi applies -f
            w[row * n + column] = (moves ? sim->response[other->to_v] : 0.0) - on;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Stick

// Stuck coordinates have exactly the same acceleration, whatever rounding made of it. What holds
// one holds the next: as many passes as there may be links in a chain.
static void equalize(const hf_sim *sim, const hf_element *island, int count, double t, hf_side side,
                     double *dx)
{
    double *dv = dx + sim->model->nq;
    for (int pass = 0, changed = 1; pass < count && changed; ++pass) {
        changed = 0;
        for (int i = 0; i < count; ++i) {
            const hf_element *e = &island[i];
            if (e->mode != 0) {
                continue;
            }
            int target = e->on_driven < 0 ? e->on_v : e->to_v;
            double value = e->on_driven < 0
                               ? coordinate_acceleration(sim, e->to_v, e->to_driven, t, side, dx)
                               : coordinate_acceleration(sim, e->on_v, e->on_driven, t, side, dx);
            changed |= dv[target] != value;
            dv[target] = value;
        }
    }
}

// What driven bodies put in against the force of a stuck friction.
static double driven_power(const hf_sim *sim, const hf_element *e, double force, const double *x)
{
    const double *v = x + sim->model->nq;
    return (e->on_driven >= 0 ? force * v[e->on_v] : 0.0) -
           (e->to_driven >= 0 ? force * v[e->to_v] : 0.0);
}

// The elements that hold, n of them, then the frictions in slip that these load: in all m.
static int list_island(const hf_sim *sim, const hf_island *island, int *n)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int m = 0;
    for (int i = 0; i < island->force_count; ++i) {
        if (elements[i].mode == 0) {
            own->list[m++] = i;
        }
    }
    *n = m;
    for (int i = 0; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        if (e->mode != 0 && e->load >= 0 && elements[e->load].mode == 0) {
            own->list[m++] = i;
        }
    }
    return m;
}

// What the solution makes of an element's force; returns what the evaluation left out of it.
static double take_force(hf_element *e, const hf_element *elements)
{
    double normal = e->load < 0 ? 0.0 : fabs(elements[e->load].stick);
    if (e->mode != 0) {
        return e->mode * e->slope * normal;
    }
    e->high += e->high_rise * normal;
    e->low -= e->low_rise * normal;
    return e->stick;
}

static void stick_island(hf_sim *sim, const hf_island *island, double t, hf_side side,
                         const double *x, double *dx)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    hf_actions actions = {
        .force = sim->force, .poses = sim->poses, .u = sim->u, .wrenches = sim->wrenches};
    int n = 0, m = list_island(sim, island, &n);
    if (n == 0) {
        return;
    }
    // W f = c                                                                              (7)
    for (int i = 0; i < m; ++i) {
        own->c[i] = hf_switch_acceleration(sim, &elements[own->list[i]], t, side, dx);
    }
    hf_switch_fill_w(sim, elements, own->list, m, x, own->w);
    bool held = hf_switch_hold(own, elements, n, m);

    // Stops first: frictions look at them
    for (int i = 0; i < n; ++i) {
        hf_element *e = &elements[own->list[i]];
        e->stick = held ? own->f[i] : (double)NAN; // the integrator says that there is no rate
    }
    // v' with these forces
    for (int i = 0; i < island->unit_count; ++i) {
        hf_unit_clear(sim, model->units[island->first_unit + i]);
    }
    for (int i = 0; i < m; ++i) {
        hf_element *e = &elements[own->list[i]];
        double there = sim->force[e->row], force = take_force(e, elements);
        sim->force[e->row] = force;
        hf_force_phi(model, &model->forces[e->force], &actions);
        sim->force[e->row] = there + force;
        dx[model->n - 1] += driven_power(sim, e, force, x);
        dx[model->n - model->nw + e->force] += e->mode == 0 ? 0.0 : force * sim->rate[e->row];
    }
    memset(sim->response, 0, (size_t)model->nv * sizeof *sim->response);
    for (int i = 0; i < island->unit_count; ++i) {
        hf_unit_respond(sim, model->units[island->first_unit + i], x, sim->response);
    }
    for (int i = 0; i < model->nv; ++i) {
        dx[model->nq + i] += sim->response[i];
    }
    equalize(sim, elements, island->force_count, t, side, dx);
}

void hf_switch_stick(hf_sim *sim, double t, hf_side side, const double *x, double *dx)
{
    for (int i = 0; i < sim->model->island_count; ++i) {
        stick_island(sim, &sim->model->islands[i], t, side, x, dx);
    }
}
