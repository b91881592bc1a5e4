// SPDX-License-Identifier: Apache-2.0
// Rows of implicit forces that slip: those of the library's frictions all at once; those of laws of
// one's own on several axes, such as friction within a box, one by one.
#include <math.h>
#include <string.h>

#include "methods/timestep/timestep.h"

// Rows first to end - 1 of a friction at its level: flat. After some passes they take the slope of
// the chord instead, |f|/|u|, along which a force that opposes motion ends it and does not reverse
// it.
void hf_ts_flatten(hf_ts_term *term, int first, int end, const double *f, const double *u,
                   bool chord)
{
    double force = 0.0, speed = 0.0;
    for (int k = first; k < end; ++k) {
        force = hypot(force, f[k]);
        speed = hypot(speed, u[k]);
    }
    for (int k = first; k < end; ++k) {
        double held = term->d[k] + term->step * term->k[k];
        term->d[k] = !chord ? 0.0 : force < held * speed ? force / speed : held;
        term->k[k] = 0.0;
    }
}

bool hf_ts_rows_apart(const hf_force_place *force)
{
    return force->info->type >= HF_LAW_OWN && force->info->friction && force->dim > 1;
}

// Its force along the row rises there as when it holds.
bool hf_ts_row_holds(hf_sim *sim, const hf_ts_term *term, int k, const double *gap,
                     const double *rate, const double *f, double damping, double stiffness)
{
    const double NEAR = 1e-6, SAME = 1.0 - 1e-7; // a change of the rate, and nearly the held slope
    const hf_force_place *force = &sim->model->forces[term->force];
    double ahead = sim->core->method.theta * term->step, held = damping + ahead * stiffness;
    double size = 0.0, at[HF_LAW_MAX_DIM], moved[HF_LAW_MAX_DIM], there[HF_LAW_MAX_DIM];
    if (!(held > 0.0)) {
        return false;
    }
    for (int i = 0; i < force->dim; ++i) {
        size = fmax(size, fmax(fabs(rate[i]), fabs(f[i]) / held));
    }
    if (size == 0.0) {
        return true;
    }
    double step = NEAR * size;
    memcpy(at, gap, (size_t)force->dim * sizeof *at);
    memcpy(moved, rate, (size_t)force->dim * sizeof *moved);
    at[k] += ahead * step;
    moved[k] += step;
    (void)hf_ts_ask_at_end(sim, term, at, moved, there);
    return there[k] - f[k] >= SAME * held * step;
}

// A row whose slip has turned round since the last pass stops first, where it holds then.
void hf_ts_stop_rows(hf_sim *sim, const hf_ts_term *term, double *gap, double *rate,
                     double *changes, double *f)
{
    const hf_force_place *force = &sim->model->forces[term->force];
    double theta = sim->core->method.theta, there[HF_LAW_MAX_DIM];
    for (int k = 0; k < force->dim; ++k) {
        double kept_gap = gap[k], kept_rate = rate[k], stiffness, damping;
        if (!(rate[k] * term->at[k] < 0.0)) {
            continue;
        }
        // Asked at rest
        gap[k] = term->gap[k];
        rate[k] = 0.0;
        (void)hf_ts_ask_at_end(sim, term, gap, rate, there);
        hf_ts_held_slopes(force, k, term->step, &stiffness, &damping);
        if (hf_ts_row_holds(sim, term, k, gap, rate, there, damping, stiffness)) {
            changes[k] = -term->before[k] / theta;
            memcpy(f, there, (size_t)force->dim * sizeof *f);
        } else {
            gap[k] = kept_gap;
            rate[k] = kept_rate;
        }
    }
}
