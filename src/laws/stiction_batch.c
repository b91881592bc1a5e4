// SPDX-License-Identifier: Apache-2.0
// The stiction element over arrays. Plain loops without branches, for the compiler to vectorize
// (built with -O3); no contraction, so every vector width gives the bits of hf_element_eval1.
#include <holdfast/laws/prox.h>
#include <holdfast/laws/stiction.h>

void hf_stiction_batch(size_t n, double tau, const double *stiffness, const double *damping,
                       const double *level, const double *rate, const double *e,
                       double *HF_RESTRICT force, double *HF_RESTRICT de)
{
    for (size_t i = 0; i < n; i++) {
        double c = damping[i] + tau * stiffness[i];
        double spring = stiffness[i] * e[i];
        double trial = c * rate[i] + spring;
        double f = trial > level[i] ? level[i] : trial;
        f = f < -level[i] ? -level[i] : f;
        double flow = (f - spring) / c;
        force[i] = f;
        de[i] = f == trial ? rate[i] : flow;
    }
}

void hf_stiction_batch_full(size_t n, double tau, const double *stiffness, const double *damping,
                            const double *level, const double *rate, const double *e,
                            double *HF_RESTRICT force, double *HF_RESTRICT de,
                            double *HF_RESTRICT stored, double *HF_RESTRICT dissipated,
                            double *HF_RESTRICT mode)
{
    for (size_t i = 0; i < n; i++) {
        double c = damping[i] + tau * stiffness[i];
        double spring = stiffness[i] * e[i];
        double trial = c * rate[i] + spring;
        double f = trial > level[i] ? level[i] : trial;
        f = f < -level[i] ? -level[i] : f;
        double flow = (f - spring) / c;
        flow = f == trial ? rate[i] : flow;
        double slip = (hf_abs(trial) - hf_abs(f)) / c;
        force[i] = f;
        de[i] = flow;
        stored[i] = 0.5 * spring * e[i];
        dissipated[i] = hf_abs(f) * slip + c * (flow * flow);
        double side = trial < 0.0 ? -1.0 : 1.0;
        mode[i] = f == trial ? 0.0 : side;
    }
}
