// SPDX-License-Identifier: Apache-2.0
// The classical Runge-Kutta method, [Kikuuwe2008] (5), and its generalization with tau,
// [Kikuuwe2008] (21):
//
//   xi_r = F(x(k) + T_{r-1} xi_{r-1}, kT + T_{r-1}; tau_r),   T_0..T_3 = 0, T/2, T/2, T
//   x(k+1) = x(k) + (T/6)(xi_1 + 2 xi_2 + 2 xi_3 + xi_4)
//
// tau_r = 0 for rk4, and T_r = T/2, T/2, T, T for rk4-tau. The first stage sees inputs from the
// right of its time, the last from the left.
#include "laws/batch.h"
#include "math/lanes.h"
#include "methods/fixed/methods.h"

// stage = x + way k
HF_BATCH_BODY void first_of(size_t n, double way, const double *x, const double *k,
                            double *HF_RESTRICT stage)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        hf_four at, rate;
        HF_LANES_LOAD(at, x + i);
        HF_LANES_LOAD(rate, k + i);
        at += way * rate;
        HF_LANES_STORE(stage + i, at);
    }
    for (; i < n; ++i) {
        stage[i] = x[i] + way * k[i];
    }
}

// A stage's slope joins the sum of slopes, and gives the next stage, `way` ahead.
HF_BATCH_BODY void next_of(size_t n, double way, const double *x, const double *slope,
                           double *HF_RESTRICT sum, double *HF_RESTRICT stage)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        hf_four at, rate, all;
        HF_LANES_LOAD(at, x + i);
        HF_LANES_LOAD(rate, slope + i);
        HF_LANES_LOAD(all, sum + i);
        all += 2.0 * rate;
        at += way * rate;
        HF_LANES_STORE(sum + i, all);
        HF_LANES_STORE(stage + i, at);
    }
    for (; i < n; ++i) {
        sum[i] += 2.0 * slope[i];
        stage[i] = x[i] + way * slope[i];
    }
}

// stage = x + way (sum + slope)
HF_BATCH_BODY void last_of(size_t n, double way, const double *x, const double *sum,
                           const double *slope, double *HF_RESTRICT stage)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        hf_four at, rate, all;
        HF_LANES_LOAD(at, x + i);
        HF_LANES_LOAD(rate, slope + i);
        HF_LANES_LOAD(all, sum + i);
        at += way * (all + rate);
        HF_LANES_STORE(stage + i, at);
    }
    for (; i < n; ++i) {
        stage[i] = x[i] + way * (sum[i] + slope[i]);
    }
}

static void first_numbers(size_t n, double way, const double *x, const double *k,
                          double *HF_RESTRICT stage);
HF_BATCH(first_numbers, first_of,
         (size_t n, double way, const double *x, const double *k, double *HF_RESTRICT stage),
         (n, way, x, k, stage))

static void next_numbers(size_t n, double way, const double *x, const double *slope,
                         double *HF_RESTRICT sum, double *HF_RESTRICT stage);
HF_BATCH(next_numbers, next_of,
         (size_t n, double way, const double *x, const double *slope, double *HF_RESTRICT sum,
          double *HF_RESTRICT stage),
         (n, way, x, slope, sum, stage))

static void last_numbers(size_t n, double way, const double *x, const double *sum,
                         const double *slope, double *HF_RESTRICT stage);
HF_BATCH(last_numbers, last_of,
         (size_t n, double way, const double *x, const double *sum, const double *slope,
          double *HF_RESTRICT stage),
         (n, way, x, sum, slope, stage))

static void first_stage(hf_sim *sim, double way)
{
    for (int s = 0; s < sim->span_count; ++s) {
        int i = sim->spans[s].first;
        first_numbers((size_t)(sim->spans[s].end - i), way, sim->x + i, sim->k + i, sim->stage + i);
    }
}

static void next_stage(hf_sim *sim, double way)
{
    for (int s = 0; s < sim->span_count; ++s) {
        int i = sim->spans[s].first;
        next_numbers((size_t)(sim->spans[s].end - i), way, sim->x + i, sim->slope + i, sim->k + i,
                     sim->stage + i);
    }
}

static void add_stages(hf_sim *sim, double way)
{
    for (int s = 0; s < sim->span_count; ++s) {
        int i = sim->spans[s].first;
        last_numbers((size_t)(sim->spans[s].end - i), way, sim->x + i, sim->k + i, sim->slope + i,
                     sim->stage + i);
    }
}

// Stages of states that relax, where there are any.
static void relax_stage(hf_sim *sim, bool relaxes, int r, const double *slope, double h)
{
    if (relaxes) {
        hf_relax_stage(sim, r, slope, h);
    }
}

static void put_relaxed(hf_sim *sim, bool relaxes)
{
    if (relaxes) {
        hf_relax_put(sim, sim->stage);
    }
}

static hf_status advance_by(hf_sim *sim, double h, double end, const double tau[4], hf_error *error)
{
    const double t = sim->core->time, half = 0.5 * h;
    hf_sim_begin(sim, tau[0]);
    const bool relaxes = hf_relax_begin(sim, h);
    relax_stage(sim, relaxes, 0, sim->k, h);
    if (relaxes) {
        hf_relax_hold(sim, sim->k, h);
    }
    first_stage(sim, half);
    put_relaxed(sim, relaxes);
    for (int r = 1; r < 3; ++r) {
        hf_sim_eval(sim, t + half, HF_SIDE_AT, tau[r], sim->stage, sim->slope);
        relax_stage(sim, relaxes, r, sim->slope, h);
        next_stage(sim, r == 1 ? half : h);
        put_relaxed(sim, relaxes);
    }
    hf_sim_eval(sim, end, HF_SIDE_LEFT, tau[3], sim->stage, sim->slope);
    relax_stage(sim, relaxes, 3, sim->slope, h);
    if (relaxes) {
        hf_relax_correct(sim, end, tau[3], h, 6.0);
    }
    add_stages(sim, h / 6.0);
    put_relaxed(sim, relaxes);
    hf_relax_let_go(sim);
    return hf_sim_commit(sim, h, end, error);
}

static hf_status advance(hf_sim *sim, double h, double end, hf_error *error)
{
    return advance_by(sim, h, end, (const double[4]){0.0, 0.0, 0.0, 0.0}, error);
}

static hf_status advance_with_tau(hf_sim *sim, double h, double end, hf_error *error)
{
    return advance_by(sim, h, end, (const double[4]){0.5 * h, 0.5 * h, h, h}, error);
}

// ------------------------------------------------------------------------------------------------
// The same on an oscillator

static void step_oscillator(const hf_oscillator *o, double h, const double tau[4], const double *x,
                            double *out)
{
    const double shift[4] = {0.0, 0.5 * h, 0.5 * h, h}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double slope[HF_OSCILLATOR_MAX] = {0.0}, sum[HF_OSCILLATOR_MAX] = {0.0};
    int n = hf_oscillator_size(o);
    for (int r = 0; r < 4; ++r) {
        double stage[HF_OSCILLATOR_MAX];
        for (int i = 0; i < n; ++i) {
            stage[i] = x[i] + shift[r] * slope[i];
        }
        hf_oscillator_rate(o, tau[r], stage, slope);
        for (int i = 0; i < n; ++i) {
            sum[i] += weight[r] * slope[i];
        }
    }
    for (int i = 0; i < n; ++i) {
        out[i] = x[i] + h / 6.0 * sum[i];
    }
}

static void linear_step(const hf_oscillator *o, const hf_method_def *method, double h,
                        const double *x, double *out)
{
    (void)method;
    step_oscillator(o, h, (const double[4]){0.0, 0.0, 0.0, 0.0}, x, out);
}

static void linear_step_with_tau(const hf_oscillator *o, const hf_method_def *method, double h,
                                 const double *x, double *out)
{
    (void)method;
    step_oscillator(o, h, (const double[4]){0.5 * h, 0.5 * h, h, h}, x, out);
}

const hf_method_info hf_method_rk4 = {
    .name = "rk4",
    .phrase = "classical Runge-Kutta of order 4",
    HF_FIXED_ADMITS,
    .side_by_side = true,
    .slip_steps = 2.7852935634, // its stability on the negative real axis
    .advance = advance,
    .linear_step = linear_step,
};

const hf_method_info hf_method_rk4_tau = {
    .name = "rk4-tau",
    .phrase = "Runge-Kutta of order 4 whose stages look ahead in friction",
    HF_FIXED_ADMITS,
    .side_by_side = true,
    .look_ahead = 1.0,
    .first_tau = 0.5,
    .advance = advance_with_tau,
    .linear_step = linear_step_with_tau,
};
