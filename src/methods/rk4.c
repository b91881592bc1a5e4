// SPDX-License-Identifier: Apache-2.0
// The classical Runge-Kutta method, 000 (5), and its generalization with tau, 000 (21):
//
//   xi_r = F(x(k) + T_{r-1} xi_{r-1}, kT + T_{r-1}; tau_r),   T_0..T_3 = 0, T/2, T/2, T
//   x(k+1) = x(k) + (T/6)(xi_1 + 2 xi_2 + 2 xi_3 + xi_4)
//
// tau_r = 0 for rk4, and T_r = T/2, T/2, T, T for rk4-tau. The first stage sees inputs from the
// right of its time, the last from the left.
#include "methods/methods.h"

static hf_status advance(hf_sim *sim, double h, double end, const double tau[4], hf_error *error)
{
    const int n = sim->model->n;
    const double t = sim->core->time, half = 0.5 * h;
    double *stage = sim->stage, *slope = sim->slope, *sum = sim->sum;

    hf_sim_begin(sim, tau[0]);
    const double *x = sim->x, *k = sim->k;
    for (int i = 0; i < n; ++i) {
        sum[i] = k[i];
        stage[i] = x[i] + half * k[i];
    }
    hf_sim_eval(sim, t + half, HF_SIDE_AT, tau[1], stage, slope);
    for (int i = 0; i < n; ++i) {
        sum[i] += 2.0 * slope[i];
        stage[i] = x[i] + half * slope[i];
    }
    hf_sim_eval(sim, t + half, HF_SIDE_AT, tau[2], stage, slope);
    for (int i = 0; i < n; ++i) {
        sum[i] += 2.0 * slope[i];
        stage[i] = x[i] + h * slope[i];
    }
    hf_sim_eval(sim, end, HF_SIDE_LEFT, tau[3], stage, slope);
    const double sixth = h / 6.0;
    for (int i = 0; i < n; ++i) {
        stage[i] = x[i] + sixth * (sum[i] + slope[i]);
    }
    return hf_sim_commit(sim, h, end, error);
}

hf_status hf_rk4_advance(hf_sim *sim, double h, double end, hf_error *error)
{
    return advance(sim, h, end, (const double[4]){0.0, 0.0, 0.0, 0.0}, error);
}

hf_status hf_rk4_tau_advance(hf_sim *sim, double h, double end, hf_error *error)
{
    return advance(sim, h, end, (const double[4]){0.5 * h, 0.5 * h, h, h}, error);
}
