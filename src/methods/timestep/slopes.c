// SPDX-License-Identifier: Apache-2.0
// Slopes of implicit forces by gap and rate: of each regime, and of laws that are no lines at the
// present motion.
#include <math.h>
#include <string.h>

#include "methods/timestep/timestep.h"

// K and D of a force that holds. tau: of elements whose damping sees it.
void hf_ts_held_slopes(const hf_force_place *force, int row, double tau, double *k, double *d)
{
    *k = *d = 0.0;
    force->info->linear(force->def, row, k, d);
    *k = *k > 0.0 ? *k : 0.0;
    *d = *d > 0.0 ? *d : 0.0;
    if ((force->info->tau_axes >> row & 1U) != 0) {
        *d += tau * *k;
        *k = 0.0;
    }
}

// The rows that slip: of a contact its tangents, of a penalty joint its axis.
void hf_ts_slip_rows(const hf_force_place *force, int *first, int *end)
{
    *first = force->ops->contact ? 1 : (force->dim == 6 ? 5 : 0);
    *end = force->ops->contact && force->dim > 3 ? 3 : force->dim;
}

const double *hf_ts_states_of(const hf_sim *sim, const hf_ts_term *term)
{
    const hf_model *model = sim->model;
    return sim->x + model->nq + model->nv + model->forces[term->force].y;
}

// Those of a law that is no line, at a motion.
static void varied_slopes(hf_sim *sim, hf_ts_term *term, const double *gap, const double *rate)
{
    const hf_force_place *force = &sim->model->forces[term->force];
    double inputs[HF_LAW_MAX_INPUTS];
    hf_law_inputs(sim, force, inputs);
    hf_law_in in = {.gap = gap,
                    .rate = rate,
                    .y = hf_ts_states_of(sim, term),
                    .normal = hf_normal_for(sim, force),
                    .tau = term->step,
                    .inputs = inputs};
    (void)force->info->slopes(force->def, force->dim, &in, term->k, term->d);
    for (int k = 0; k < force->dim; ++k) {
        term->k[k] = term->k[k] > 0.0 ? term->k[k] : 0.0;
        term->d[k] = term->d[k] > 0.0 ? term->d[k] : 0.0;
    }
}

bool hf_ts_is_soft(const hf_timestep *ts, const hf_ts_term *term, int dim)
{
    double h = term->step, sum = 0.0;
    for (int k = 0; k < dim; ++k) {
        const double *y = hf_ts_term_row(ts, term, k);
        double square = 0.0;
        for (int i = 0; i < term->width; ++i) {
            square += y[i] * y[i];
        }
        sum += square * (0.25 * h * h * term->k[k] + 0.5 * h * term->d[k]);
    }
    return sum <= HF_TS_SOFT;
}

// Slopes of a force in a regime, with f at the gap and the rates u.
void hf_ts_find_slopes(hf_sim *sim, hf_ts_term *term, hf_regime regime, const double *gap,
                       const double *f, const double *u, bool chord)
{
    const hf_force_place *force = &sim->model->forces[term->force];
    if (!hf_force_is_on(sim, force)) {
        memset(term->k, 0, sizeof term->k);
        memset(term->d, 0, sizeof term->d);
        return;
    }
    if (force->info == NULL) {
        hf_ts_feedback_slopes(sim, term);
        return;
    }
    if (term->varies) {
        varied_slopes(sim, term, gap, u);
        return;
    }
    // As if it held
    bool rubs = force->info->friction || force->ops->contact;
    int first, end;
    hf_ts_slip_rows(force, &first, &end);
    for (int k = 0; k < force->dim; ++k) {
        hf_ts_held_slopes(force, k, term->step, &term->k[k], &term->d[k]);
    }
    // Open, or at its level
    if (regime == HF_REGIME_OPEN && rubs) {
        memset(term->k, 0, sizeof term->k);
        memset(term->d, 0, sizeof term->d);
        return;
    }
    if (regime == HF_REGIME_SLIP && (force->info->active || rubs)) {
        double k_held[HF_LAW_MAX_DIM], d_held[HF_LAW_MAX_DIM];
        memcpy(k_held, term->k, sizeof k_held);
        memcpy(d_held, term->d, sizeof d_held);
        hf_ts_flatten(term, first, end, f, u, chord && rubs);
        for (int k = 0; k < force->dim && hf_ts_rows_apart(force); ++k) {
            bool holds = hf_ts_row_holds(sim, term, k, gap, u, f, d_held[k], k_held[k]);
            term->k[k] = holds ? k_held[k] : term->k[k];
            term->d[k] = holds ? d_held[k] : term->d[k];
        }
    }
    if (force->ops->contact && force->dim > 3) { // spin and rolling
        hf_ts_flatten(term, 3, force->dim, f, u, true);
    }
}

void hf_ts_measure_slopes(hf_sim *sim, hf_ts_term *term, const double *gap, const double *f,
                          const double *rate)
{
    const double NEAR = 1e-6; // a change of the rate, by the rates at which its force is all of it
    const hf_force_place *force = &sim->model->forces[term->force];
    double ahead = sim->core->method.theta * term->step, size = 0.0;
    double at[HF_LAW_MAX_DIM], moved[HF_LAW_MAX_DIM], there[HF_LAW_MAX_DIM];
    for (int k = 0; k < force->dim; ++k) {
        double held, stiffness;
        hf_ts_held_slopes(force, k, term->step, &stiffness, &held);
        held += ahead * stiffness;
        size = fmax(size, fmax(fabs(rate[k]), held > 0.0 ? fabs(f[k]) / held : 0.0));
    }
    for (int k = 0; k < force->dim && size > 0.0; ++k) {
        memcpy(at, gap, (size_t)force->dim * sizeof *at);
        memcpy(moved, rate, (size_t)force->dim * sizeof *moved);
        at[k] += ahead * NEAR * size;
        moved[k] += NEAR * size;
        (void)hf_ts_ask_at_end(sim, term, at, moved, there);
        double slope = (there[k] - f[k]) / (NEAR * size);
        term->d[k] = slope > 0.0 ? slope : 0.0;
        term->k[k] = 0.0;
    }
}
