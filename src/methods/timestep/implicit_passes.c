// SPDX-License-Identifier: Apache-2.0
// Passes over implicit forces: whether laws have, at the end of the step that was solved, the
// forces that it was solved with, and what the next pass begins with.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/timestep/timestep.h"

// Passes of a step, beyond the first: with the slopes of regimes, with chords (flatten), then with
// slopes measured at the law. A force is what its law says within this share.
// Newton's method comes to the place where a law that is no line is met from far away by a third of
// the way at a time.
enum { CHORD_PASS = 5, MEASURED_PASS = 8, MOST_PASSES = 24, FAR_PASSES = 40 };
static const double ENOUGH = 1e-3;
// Forces below this part of the largest are what the solution of the others leaves by rounding.
static const double ROUNDING = 1e-12;
// A stiff spring and a strong damper may cancel; what is left of them has an error of this part of
// either.
static const double DIGITS = 1e-14;

// Whether slip at the rates u has turned round since the last pass: between the two it sticks.
static bool turned(const hf_force_place *force, const hf_ts_term *term, const double *u)
{
    int first, end;
    double sum = 0.0;
    hf_ts_slip_rows(force, &first, &end);
    for (int k = first; k < end; ++k) {
        sum += u[k] * term->at[k];
    }
    return sum < 0.0 && !force->info->active;
}

// What the law of a term says where the step that was solved ends, theta h after its beginning.
typedef struct asked {
    double gap[HF_LAW_MAX_DIM], rate[HF_LAW_MAX_DIM], f[HF_LAW_MAX_DIM];
    hf_regime regime;
    double off, size; // how far the force that was solved for is from f; the larger of the two
    double rounding;  // of the sums that they are
} asked;

// changes: of its rates over the step.
static asked ask(hf_sim *sim, const hf_ts_term *term, const double *changes)
{
    const hf_force_place *force = &sim->model->forces[term->force];
    double theta = sim->core->method.theta;
    asked a = {.off = 0.0};
    for (int k = 0; k < force->dim; ++k) {
        a.gap[k] = term->gap[k] + hf_ts_way_of(term, k, theta, changes[k]);
        a.rate[k] = term->before[k] + theta * changes[k];
    }
    a.regime = hf_ts_ask_at_end(sim, term, a.gap, a.rate, a.f).regime;
    for (int k = 0; k < force->dim; ++k) {
        double solved = term->f[k] + hf_ts_further(term, k, theta, changes[k]);
        a.off = fmax(a.off, fabs(a.f[k] - solved));
        a.size = fmax(a.size, fmax(fabs(a.f[k]), fabs(solved)));
        a.rounding =
            fmax(a.rounding, DIGITS * (term->k[k] * fabs(a.gap[k]) + term->d[k] * fabs(a.rate[k])));
    }
    return a;
}

// Whether it is what was solved for. nothing: a force that is rounding.
static bool is_met(const asked *a, double nothing)
{
    return a->off <= fmax(ENOUGH * a->size, fmax(nothing, a->rounding));
}

// Whether the law of a term has another force at the end than was solved for; then its value and
// slopes there are those of the next pass. changes: of its rates over the step. nothing: a force
// that is rounding.
static bool revise(hf_sim *sim, hf_ts_term *term, double *changes, int pass, double nothing)
{
    bool chord = pass >= CHORD_PASS;
    const hf_force_place *force = &sim->model->forces[term->force];
    double theta = sim->core->method.theta;
    asked a = ask(sim, term, changes);
    double *gap = a.gap, *rate = a.rate, *f = a.f;
    if (is_met(&a, nothing)) {
        return false;
    }
    // What was soft may have become stiff on the way
    if (term->soft) {
        hf_ts_find_slopes(sim, term, a.regime, gap, f, rate, chord);
        term->soft = hf_ts_is_soft(hf_timestep_of(sim), term, force->dim);
        if (term->soft) {
            memset(term->k, 0, sizeof term->k);
            memset(term->d, 0, sizeof term->d);
            return false;
        }
    }
    // A slip that turns round within the step stops first
    if (a.regime == HF_REGIME_SLIP && !chord && turned(force, term, rate)) {
        int first, end;
        hf_ts_slip_rows(force, &first, &end);
        for (int k = first; k < end; ++k) {
            rate[k] = 0.0;
            gap[k] = term->gap[k];
            changes[k] = -term->before[k] / theta;
        }
        (void)hf_ts_ask_at_end(sim, term, gap, rate, f);
        a.regime = HF_REGIME_STICK;
    } else if (a.regime == HF_REGIME_SLIP && hf_ts_rows_apart(force)) {
        hf_ts_stop_rows(sim, term, gap, rate, changes, f);
    }
    // Slopes there, for the next pass
    hf_ts_find_slopes(sim, term, a.regime, gap, f, rate, chord);
    if (pass >= MEASURED_PASS && !term->varies) {
        hf_ts_measure_slopes(sim, term, gap, f, rate);
    }
    for (int k = 0; k < force->dim; ++k) {
        term->at[k] = rate[k];
        term->ahead[k] = 0.0;
        term->ahead[k] = f[k] - term->f[k] - hf_ts_further(term, k, theta, changes[k]);
    }
    return true;
}

static double largest_force(const hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    double most = 0.0;
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        const hf_ts_term *term = &ts->implicit.terms[i];
        for (int k = 0; k < sim->model->forces[term->force].dim; ++k) {
            most = fmax(most, fabs(term->f[k]));
        }
    }
    return most;
}

// Whether no more passes follow: laws that are no lines have more of them.
static bool is_last_pass(const hf_timestep *ts)
{
    bool varies = false;
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        varies = varies || (ts->implicit.terms[i].varies && !ts->implicit.terms[i].soft);
    }
    return ts->attempt.assumed.pass >= (varies ? FAR_PASSES : MOST_PASSES);
}

bool hf_ts_terms_missed(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    bool missed = false, last = is_last_pass(ts);
    if (ts->implicit.term_count == 0) {
        return false;
    }
    const double *s = hf_ts_find_end(ts);
    double nothing = ROUNDING * largest_force(sim), worst = 0.0;
    hf_signals_update(sim, sim->core->time + h, HF_SIDE_LEFT);
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        hf_ts_term *term = &ts->implicit.terms[i];
        double changes[HF_LAW_MAX_DIM];
        hf_ts_find_changes(sim, term, s, changes);
        if (sim->model->forces[term->force].info == NULL || (last && term->soft)) {
            continue; // no law to ask; explicit in this step
        }
        if (last) {
            asked a = ask(sim, term, changes);
            worst = fmax(worst, is_met(&a, nothing) ? 0.0 : a.off / a.size);
        } else {
            missed = revise(sim, term, changes, ts->attempt.assumed.pass, nothing) || missed;
        }
    }
    hf_signals_update(sim, sim->core->time, HF_SIDE_RIGHT);
    ts->attempt.outcome.forces_off = worst;
    return missed;
}

hf_status hf_ts_unmet(const hf_sim *sim, hf_error *error)
{
    double off = hf_timestep_of(sim)->attempt.outcome.forces_off;
    if (!(off > 0.0) || !sim->core->method.unsolved_fails) {
        return HF_OK;
    }
    return hf_error_at(error, HF_ERROR_CONVERGENCE, hf_at_time(sim->core->time, NULL, NULL),
                       "implicit forces are not what their laws say at the end of the step, by "
                       "%.2g of them",
                       off);
}
