// SPDX-License-Identifier: Apache-2.0
// The stiction element over arrays. Plain loops without branches, for the compiler to vectorize.
#include <holdfast/laws/prox.h>
#include <holdfast/laws/stiction.h>

#include "batch.h"

HF_BATCH_BODY void batch(size_t n, double tau, const double *stiffness, const double *damping,
                         const double *level, const double *rate, const double *e,
                         double *HF_RESTRICT force, double *HF_RESTRICT de)
{
    for (size_t i = 0; i < n; i++) {
        double c = damping[i] + tau * stiffness[i];
        double spring = stiffness[i] * e[i];
        double trial = c * rate[i] + spring;
        double f = hf_sat(level[i], trial);
        double flow = (f - spring) / c;
        force[i] = f;
        de[i] = f == trial ? rate[i] : flow;
    }
}

HF_BATCH_BODY void batch_full(size_t n, double tau, const double *stiffness, const double *damping,
                              const double *level, const double *rate, const double *e,
                              double *HF_RESTRICT force, double *HF_RESTRICT de,
                              double *HF_RESTRICT stored, double *HF_RESTRICT dissipated,
                              double *HF_RESTRICT mode)
{
    for (size_t i = 0; i < n; i++) {
        double c = damping[i] + tau * stiffness[i];
        double spring = stiffness[i] * e[i];
        double trial = c * rate[i] + spring;
        double f = hf_sat(level[i], trial);
        double flow = (f - spring) / c;
        flow = f == trial ? rate[i] : flow;
        double slip = (hf_abs(trial) - hf_abs(f)) / c;
        double side = trial < 0.0 ? -1.0 : 1.0;
        force[i] = f;
        de[i] = flow;
        stored[i] = 0.5 * spring * e[i];
        dissipated[i] = hf_abs(f) * slip + c * (flow * flow);
        mode[i] = f == trial ? 0.0 : side;
    }
}

HF_BATCH(hf_stiction_batch, batch,
         (size_t n, double tau, const double *stiffness, const double *damping, const double *level,
          const double *rate, const double *e, double *HF_RESTRICT force, double *HF_RESTRICT de),
         (n, tau, stiffness, damping, level, rate, e, force, de))

HF_BATCH(hf_stiction_batch_full, batch_full,
         (size_t n, double tau, const double *stiffness, const double *damping, const double *level,
          const double *rate, const double *e, double *HF_RESTRICT force, double *HF_RESTRICT de,
          double *HF_RESTRICT stored, double *HF_RESTRICT dissipated, double *HF_RESTRICT mode),
         (n, tau, stiffness, damping, level, rate, e, force, de, stored, dissipated, mode))
