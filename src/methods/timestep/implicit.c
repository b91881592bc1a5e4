// SPDX-License-Identifier: Apache-2.0
// Implicit forces: springs, dampers, controllers and elements that are too stiff for the step.
//
// A force with the rows J, gap g and rate u has, theta h after the beginning of a step,
//   f = f_s + K (theta h (u + theta du) - (1 - theta) h u) + D theta du,     du = u+ - u
// where f_s is what its law says at the stage, (1 - theta) h ahead with the velocities of the
// beginning, and K, D are its slopes. Put into M (v+ - v) = h F + J' r this is
//   A (v+ - v) = h F_s - (2 theta - 1) h^2 J' K u + J' r
//   A = M + theta h J' D J + theta^2 h^2 J' K J
// the implicit Euler method with theta = 1 and the trapezoidal rule with 1/2 where the law is
// linear: no largest step, and no energy made. With M = L L' and Y = J L'^-1, A = L (I + Y' G Y)
// L' = L C C' L': mass-weighted velocities become z = C' s, rows Y C'^-1, and everything else, W
// and loops too, is as before. Where A has the zeros of M, as in a tree whose implicit forces act
// along its ways, it is factored at once, A = C C': L is 1 there, s = v and Y = J.
//
// Laws that are not linear (friction, limits of controllers, contacts) have slopes for each regime:
// held, at the level (flat), open. The law judges the step: where it has another force at its end
// than was solved for, the step is solved again with the law's value and slopes there, a few times
// at most. Most steps need no second pass: only those in which something sticks, slips, opens or
// closes.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/row.h"
#include "methods/timestep/timestep.h"

// ------------------------------------------------------------------------------------------------
// Rows

// The row of a force along one coordinate of a mover that is all of the term's numbers, in its
// place: servos, springs and dampers of joints. False: it is another one.
static bool put_coordinate(const hf_sim *sim, hf_ts_term *term)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_force_place *force = &sim->model->forces[term->force];
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
    if (force->dim != 1 || force->ops->terms == NULL ||
        force->ops->terms(force->item, 0, terms) != 1) {
        return false;
    }
    int index = ts->machine.velocity_mover[terms[0].v];
    const hf_ts_mover *mover = &ts->machine.movers[index < 0 ? 0 : index];
    if (index < 0 || mover->count != term->width ||
        mover->s != ts->machine.groups[term->group].s + term->lo) {
        return false;
    }
    double *row = ts->implicit.term_rows + term->y;
    memset(row, 0, (size_t)term->width * sizeof *row);
    row[terms[0].v - mover->v] = terms[0].factor;
    hf_ts_half(mover, row, row);
    term->drive[0] = term->drive_before[0] = 0.0;
    return true;
}

// Y of a term, in mass-weighted velocities; what driven bodies add to its rates.
hf_status hf_ts_term_rows(hf_sim *sim, hf_ts_term *term)
{
    if (put_coordinate(sim, term)) {
        return HF_OK;
    }
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_force_place *force = &sim->model->forces[term->force];
    double kept[HF_LAW_MAX_DIM];
    size_t used = ts->problem.y_used;
    memcpy(kept, sim->force + force->row, (size_t)force->dim * sizeof *kept);
    // Three rows at a time, as if they were a contact's
    for (int first = 0; first < force->dim; first += HF_TS_ROWS) {
        hf_ts_contact rows = {.friction = -1};
        int count = force->dim - first < HF_TS_ROWS ? force->dim - first : HF_TS_ROWS;
        for (int k = 0; k < count; ++k) {
            HF_TRY(hf_ts_row_of_force(sim, &rows, force, first + k, k));
        }
        // kept in their own place, with what driven bodies do
        for (int k = 0; k < count; ++k) {
            size_t place = term->y + (size_t)(first + k) * (size_t)term->width;
            const hf_ts_side *side = &rows.sides[0];
            memset(ts->implicit.term_rows + place, 0, (size_t)term->width * sizeof(double));
            if (rows.side_count > 0) {
                memcpy(ts->implicit.term_rows + place,
                       ts->problem.y + side->y + (size_t)k * (size_t)side->count + term->lo,
                       (size_t)term->width * sizeof(double));
            }
            term->drive[first + k] = rows.drive[k];
            term->drive_before[first + k] = rows.drive_before[k];
        }
        ts->problem.y_used = used;
    }
    memcpy(sim->force + force->row, kept, (size_t)force->dim * sizeof *kept);
    return HF_OK;
}

static double along(const hf_timestep *ts, const hf_ts_term *term, int row, const double *s)
{
    const double *y = hf_ts_term_row(ts, term, row);
    const double *from = s + ts->machine.groups[term->group].s + term->lo;
    double sum = 0.0;
    if (term->leaf >= 0) {
        const int *above = ts->machine.groups[term->group].ways;
        for (int i = term->leaf; i >= 0; i = above[i]) {
            sum += y[i] * from[i];
        }
        return sum;
    }
    for (int i = 0; i < term->width; ++i) {
        sum += y[i] * from[i];
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// A step

// What the law of a term says at a motion, with the states y; the force into f. `flow`: the mean
// rates of states over the step; NULL: as it begins with y.
static hf_law_out ask_law(hf_sim *sim, const hf_ts_term *term, const double *gap,
                          const double *rate, const double *y, const double *flow, double *f,
                          double *dy)
{
    const hf_force_place *force = &sim->model->forces[term->force];
    double inputs[HF_LAW_MAX_INPUTS];
    hf_law_inputs(sim, force, inputs);
    for (int k = 0; k < force->dim && force->info == NULL; ++k) {
        f[k] = hf_force_is_on(sim, force) ? -inputs[k] : 0.0;
    }
    if (force->info == NULL) {
        return (hf_law_out){.force = f, .dy = dy};
    }
    hf_law_in in = {.gap = gap,
                    .rate = rate,
                    .y = y,
                    .normal = hf_normal_for(sim, force),
                    .tau = term->step,
                    .step = term->step,
                    .regime = hf_force_regime(sim, term->force),
                    .flow = flow,
                    .inputs = inputs,
                    .memory = sim->memory + force->memory};
    hf_law_out out = {.force = f, .dy = dy};
    force->info->eval(force->def, force->dim, &in, &out);
    if (!force->ops->contact && !hf_force_is_on(sim, force)) {
        hf_force_silence(force, &out);
    }
    return out;
}

// Inner states at the end of the step, from their rates at a motion: implicit, and exact for what
// relaxes (sim/relax.c).
static void end_states(hf_sim *sim, const hf_ts_term *term, const double *gap, const double *rate,
                       double *y_end)
{
    const hf_force_place *force = &sim->model->forces[term->force];
    const double *y = hf_ts_states_of(sim, term);
    double dy[HF_TS_TERM_STATES], f[HF_LAW_MAX_DIM], lambda[HF_TS_TERM_STATES] = {0.0};
    (void)ask_law(sim, term, gap, rate, y, NULL, f, dy);
    if (force->y_count > 0 && force->info->relax != NULL) {
        hf_law_in in = {.gap = gap,
                        .rate = rate,
                        .y = y,
                        .normal = hf_normal_for(sim, force),
                        .regime = hf_force_regime(sim, term->force)};
        (void)force->info->relax(force->def, force->dim, &in, lambda);
    }
    for (int i = 0; i < force->y_count; ++i) {
        double z = -lambda[i] * term->step;
        y_end[i] = y[i] + term->step * (z < -0.5 ? expm1(z) / z : 1.0) * dy[i];
    }
}

// What the law says at the end of the step. Elements that see tau have their states there already;
// of other frictions they are those of the end.
hf_law_out hf_ts_ask_at_end(hf_sim *sim, const hf_ts_term *term, const double *gap,
                            const double *rate, double *f)
{
    const hf_law_info *info = sim->model->forces[term->force].info;
    double y[HF_TS_TERM_STATES], dy[HF_TS_TERM_STATES], flow[HF_TS_TERM_STATES];
    if (!info->friction || info->tau_axes != 0) {
        return ask_law(sim, term, gap, rate, hf_ts_states_of(sim, term), NULL, f, dy);
    }
    end_states(sim, term, gap, rate, y);
    for (int i = 0; i < sim->model->forces[term->force].y_count; ++i) {
        flow[i] = (y[i] - hf_ts_states_of(sim, term)[i]) / term->step;
    }
    return ask_law(sim, term, gap, rate, y, flow, f, dy);
}

// f at the inputs of the end, where a law has inputs: a servo follows its target at that time.
static void look_at_inputs(hf_sim *sim, double ahead)
{
    hf_timestep *ts = hf_timestep_of(sim);
    bool any = false;
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        any = any || sim->model->forces[ts->implicit.terms[i].force].value_count > 0;
    }
    if (!any || !(ahead > 0.0)) {
        return;
    }
    hf_signals_update(sim, sim->core->time + ahead, HF_SIDE_LEFT);
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        hf_ts_term *term = &ts->implicit.terms[i];
        const hf_force_place *force = &sim->model->forces[term->force];
        if (force->value_count == 0) {
            continue;
        }
        double dy[HF_TS_TERM_STATES];
        (void)ask_law(sim, term, term->gap, term->before, hf_ts_states_of(sim, term), NULL,
                      term->ahead, dy);
        for (int k = 0; k < force->dim; ++k) {
            term->ahead[k] -= term->f[k];
        }
    }
    hf_signals_update(sim, sim->core->time, HF_SIDE_RIGHT);
}

// Rows, rates and slopes at the beginning of the step.
static hf_status begin_terms(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    // Velocities, mass-weighted
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        hf_ts_weigh(sim, &ts->machine.movers[i], sim->x + sim->model->nq, ts->motion.s_before);
    }
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        hf_ts_term *term = &ts->implicit.terms[i];
        const hf_force_place *force = &sim->model->forces[term->force];
        memcpy(term->f, sim->force + force->row, (size_t)force->dim * sizeof *term->f);
        memcpy(term->gap, sim->gap + force->row, (size_t)force->dim * sizeof *term->gap);
        memset(term->ahead, 0, sizeof term->ahead);
        term->step = h;
        HF_TRY(hf_ts_term_rows(sim, term));
        for (int k = 0; k < force->dim; ++k) {
            term->before[k] = along(ts, term, k, ts->motion.s_before) + term->drive_before[k];
            term->at[k] = term->before[k];
        }
        // Slopes; of laws that are no lines, and soft now, none
        hf_ts_find_slopes(sim, term, hf_mode_regime(sim->mode[term->force]), term->gap, term->f,
                          term->before, false);
        term->damps = false;
        for (int k = 0; k < force->dim; ++k) {
            term->damps = term->damps || term->d[k] > 0.0;
        }
        term->soft =
            term->varies && sim->core->method.theta == 1.0 && hf_ts_is_soft(ts, term, force->dim);
        if (term->soft) {
            memset(term->k, 0, sizeof term->k);
            memset(term->d, 0, sizeof term->d);
        }
    }
    look_at_inputs(sim, sim->core->method.theta > 0.5 ? h : 0.0);
    return HF_OK;
}

// A without its terms: the mass, of weighted velocities 1.
static void begin_envelope(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        const hf_ts_mover *mover = &ts->machine.movers[i];
        if (ts->machine.groups[mover->group].merged) {
            mover->ops->mass(mover->body, mover->mass, hf_ts_envelope_rows(ts, mover->group));
        }
    }
    for (int g = 0; g < ts->machine.group_count; ++g) {
        if (ts->machine.groups[g].stiff && !ts->machine.groups[g].merged) {
            hf_ts_envelope_clear(ts, &ts->machine.groups[g]);
        }
    }
}

hf_status hf_ts_terms_factor(hf_sim *sim, double h, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double theta = sim->core->method.theta;
    // Terms of this step
    if (ts->attempt.assumed.pass == 0 && ts->implicit.term_count > 0 &&
        begin_terms(sim, h) != HF_OK) {
        return hf_error_at(error, HF_ERROR_MEMORY, hf_at_time(sim->core->time, NULL, NULL),
                           "out of memory for implicit forces");
    }
    // A and its factor
    begin_envelope(sim);
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        const hf_ts_term *term = &ts->implicit.terms[i];
        for (int k = 0; k < sim->model->forces[term->force].dim; ++k) {
            double g = theta * h * (term->d[k] + theta * h * term->k[k]);
            hf_ts_envelope_add(ts, term, k, g);
        }
    }
    for (int g = 0; g < ts->machine.group_count; ++g) {
        if (ts->machine.groups[g].stiff && !hf_ts_envelope_factor(ts, &ts->machine.groups[g])) {
            return hf_error_at(error, HF_ERROR_NOT_FINITE, hf_at_time(sim->core->time, NULL, NULL),
                               "implicit forces are not finite");
        }
    }
    return HF_OK;
}

void hf_ts_terms_free(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double theta = sim->core->method.theta;
    if (ts->implicit.term_count == 0) {
        return;
    }
    // s_change: mass-weighted velocities that explicit forces add, then what implicit ones do
    for (int i = 0; i < ts->machine.s_count; ++i) {
        ts->motion.s_change[i] = ts->implicit.plain[i] =
            ts->motion.s_free[i] - ts->motion.s_before[i];
    }
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        const hf_ts_mover *mover = &ts->machine.movers[i];
        if (ts->machine.groups[mover->group].merged) { // C does it all
            mover->ops->momentum(mover->body, mover->mass, ts->implicit.plain + mover->s,
                                 ts->motion.s_change + mover->s);
        }
    }
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        const hf_ts_term *term = &ts->implicit.terms[i];
        double *s = ts->motion.s_change + ts->machine.groups[term->group].s + term->lo;
        for (int k = 0; k < sim->model->forces[term->force].dim; ++k) {
            double driven = term->drive[k] - term->drive_before[k];
            double push = h * hf_ts_further(term, k, theta, driven);
            hf_row_add(s, -push, hf_ts_term_row(ts, term, k), (size_t)term->width);
        }
    }
    // Solved for in the stiff groups
    for (int g = 0; g < ts->machine.group_count; ++g) {
        const hf_ts_group *group = &ts->machine.groups[g];
        double *change = ts->motion.s_change + group->s;
        if (!group->stiff) {
            memset(change, 0, (size_t)group->count * sizeof *change);
            continue;
        }
        hf_ts_envelope_half(ts, group, change);
        hf_ts_envelope_weigh(ts, group, ts->motion.s_before + group->s);
        for (int i = 0; i < group->count; ++i) {
            ts->motion.s_free[group->s + i] = ts->motion.s_before[group->s + i] + change[i];
        }
        hf_ts_envelope_back(ts, group, change);
        for (int i = 0; i < group->count; ++i) {
            change[i] -= ts->implicit.plain[group->s + i];
        }
    }
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        if (ts->machine.groups[ts->machine.movers[i].group].stiff) {
            hf_ts_add_velocity(&ts->machine.movers[i], ts->motion.s_change, ts->motion.free_v);
        }
    }
}

const double *hf_ts_plain(hf_timestep *ts, const double *s)
{
    if (ts->implicit.term_count == 0) {
        return s;
    }
    memcpy(ts->implicit.plain, s, (size_t)ts->machine.s_count * sizeof *s);
    for (int g = 0; g < ts->machine.group_count; ++g) {
        if (ts->machine.groups[g].stiff) {
            hf_ts_envelope_back(ts, &ts->machine.groups[g],
                                ts->implicit.plain + ts->machine.groups[g].s);
        }
    }
    return ts->implicit.plain;
}

void hf_ts_find_changes(const hf_sim *sim, const hf_ts_term *term, const double *s, double *changes)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    for (int k = 0; k < sim->model->forces[term->force].dim; ++k) {
        changes[k] = along(ts, term, k, s) + term->drive[k] - term->drive_before[k];
    }
}

const double *hf_ts_find_end(hf_timestep *ts)
{
    for (int i = 0; i < ts->machine.s_count; ++i) {
        ts->implicit.end[i] =
            ts->motion.s_free[i] - ts->motion.s_before[i] + ts->motion.s_change[i];
    }
    return hf_ts_plain(ts, ts->implicit.end);
}

void hf_ts_show_terms(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts->implicit.term_count == 0) {
        return;
    }
    const double *s = hf_ts_find_end(ts);
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        const hf_ts_term *term = &ts->implicit.terms[i];
        const hf_force_place *force = &sim->model->forces[term->force];
        double changes[HF_LAW_MAX_DIM];
        hf_ts_find_changes(sim, term, s, changes);
        for (int k = 0; k < force->dim; ++k) {
            sim->force[force->row + k] =
                term->f[k] + hf_ts_further(term, k, sim->core->method.theta, changes[k]);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// The end of a step

// Work that a term turns over in a step in which its rates change by `change`: of controllers all
// of it, of what has friction or a damper, or whose law says that it heats (power, at the end),
// what bodies lose to it and it does not store. A spring without either has no heat: what the
// implicit step takes from it is the ledger's residual.
static double work_of(const hf_force_place *force, const hf_ts_term *term, const double *change,
                      const double *f, double power, double stored)
{
    const double least = 1e-9; // of the power: what is not stored and more is no rounding
    bool active = hf_force_is_active(force);
    bool heats = !active && (force->info->friction || force->ops->contact || term->damps);
    double work = 0.0, turned = 0.0;
    for (int k = 0; k < force->dim; ++k) {
        work += term->step * f[k] * (term->before[k] + 0.5 * change[k]);
        turned += fabs(f[k] * (term->before[k] + change[k]));
        heats = heats || term->d[k] > 0.0;
    }
    heats = heats || fabs(power) > least * turned;
    return active ? -work : (heats ? work - stored : 0.0);
}

void hf_ts_terms_finish(hf_sim *sim, double h, const double *v)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    double theta = sim->core->method.theta;
    if (ts->implicit.term_count == 0) {
        return;
    }
    // Velocities over the step, mass-weighted
    hf_signals_update(sim, sim->core->time + h, HF_SIDE_LEFT);
    double *y = sim->stage + model->nq + model->nv, *w = y + model->ny;
    const double *w_before = sim->x + model->nq + model->nv + model->ny;
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        hf_ts_weigh(sim, &ts->machine.movers[i], v, ts->implicit.end);
        hf_ts_weigh(sim, &ts->machine.movers[i], sim->x + model->nq, ts->implicit.plain);
    }
    for (int i = 0; i < ts->machine.s_count; ++i) {
        ts->implicit.end[i] -= ts->implicit.plain[i];
    }
    // Forces, gaps and rates at the end
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        const hf_ts_term *term = &ts->implicit.terms[i];
        const hf_force_place *force = &model->forces[term->force];
        double gap[HF_LAW_MAX_DIM], rate[HF_LAW_MAX_DIM], change[HF_LAW_MAX_DIM], driven = 0.0;
        double *f = sim->force + force->row;
        for (int k = 0; k < force->dim; ++k) {
            double shift = term->drive[k] - term->drive_before[k];
            change[k] = along(ts, term, k, ts->implicit.end) + shift;
            f[k] = term->f[k] + hf_ts_further(term, k, theta, change[k]);
            rate[k] = term->before[k] + change[k];
            gap[k] = term->gap[k] + h * (term->before[k] + theta * change[k]);
            driven += 0.5 * h * f[k] * (term->drive[k] + term->drive_before[k]) -
                      h * term->f[k] * term->drive_before[k];
        }
        // Inner states, stored energy and work
        double dy[HF_TS_TERM_STATES], unused[HF_LAW_MAX_DIM];
        end_states(sim, term, gap, rate, y + force->y);
        hf_law_out end = ask_law(sim, term, gap, rate, y + force->y, NULL, unused, dy);
        double stored = end.stored - sim->stored[term->force];
        w[term->force] =
            w_before[term->force] + work_of(force, term, change, f, end.dissipated, stored);
        w[model->force_count] += driven;
    }
    hf_signals_update(sim, sim->core->time, HF_SIDE_RIGHT);
}
