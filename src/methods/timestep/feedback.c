// SPDX-License-Identifier: Apache-2.0
// Prescribed forces whose values depend on the motion: F = -0.3 v |v|, and their slopes.
//
// Of a value F(q, v) on the row J the step takes what F changes by when the row alone is pushed,
// dv = M^-1 J' r: D = -dF/dv.dv/(J dv) and K likewise, where these resist the motion. It is the
// linearly implicit Euler method with the part of the Jacobian that can make explicit steps
// explode. Soft ones stay explicit, as all forces do.
#include <string.h>

#include "methods/timestep/timestep.h"

bool hf_ts_is_feedback(const hf_model *model, const hf_force_place *force)
{
    for (int i = 0; force->info == NULL && i < force->value_count; ++i) {
        int signal = model->values[force->values + i].signal;
        if (signal >= 0 && model->signals[signal].def.type == HF_SIGNAL_CHANNELS) {
            return true;
        }
    }
    return false;
}

// sim->response := the velocities that a unit impulse on a row gives. Returns the rate of the row.
static double push_row(hf_sim *sim, const hf_ts_term *term, int row)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const double *y = hf_ts_term_row(ts, term, row);
    double *s = ts->implicit.end + ts->machine.groups[term->group].s + term->lo, sum = 0.0;
    memset(ts->implicit.end, 0, (size_t)ts->machine.s_count * sizeof *ts->implicit.end);
    memset(sim->response, 0, (size_t)sim->model->nv * sizeof *sim->response);
    for (int i = 0; i < term->width; ++i) {
        s[i] = y[i];
        sum += y[i] * y[i];
    }
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        if (ts->machine.movers[i].group == term->group) {
            hf_ts_add_velocity(&ts->machine.movers[i], ts->implicit.end, sim->response);
        }
    }
    return sum;
}

void hf_ts_feedback_slopes(hf_sim *sim, hf_ts_term *term)
{
    const hf_force_place *force = &sim->model->forces[term->force];
    double h = term->step;
    for (int k = 0; k < force->dim; ++k) {
        int signal = sim->model->values[force->values + k].signal;
        double rate = push_row(sim, term, k), by_gap = 0.0, by_rate = 0.0;
        for (int i = 0; i < sim->model->nv && rate > 0.0; ++i) {
            sim->response[i] /= rate;
        }
        if (signal >= 0 && rate > 0.0) {
            hf_signal_slopes(sim, signal, sim->response, force, k, &by_gap, &by_rate);
        }
        term->k[k] = by_gap < 0.0 ? -by_gap : 0.0;
        term->d[k] = by_rate < 0.0 ? -by_rate : 0.0;
        if (rate * (0.25 * h * h * term->k[k] + 0.5 * h * term->d[k]) <= HF_TS_SOFT) {
            term->k[k] = term->d[k] = 0.0;
        }
    }
}
