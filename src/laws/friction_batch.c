// SPDX-License-Identifier: Apache-2.0
// Friction laws over arrays, for constant levels: the one-dimensional evaluations of their own
// files, written without branches.
#include <holdfast/laws/coulomb.h>
#include <holdfast/laws/dahl.h>
#include <holdfast/laws/hayward_armstrong.h>
#include <holdfast/laws/karnopp.h>
#include <holdfast/laws/lugre.h>
#include <holdfast/laws/prox.h>
#include <holdfast/laws/quinn.h>
#include <holdfast/laws/viscous_approximation.h>

#include "adhesion.h"
#include "batch.h"

HF_BATCH_BODY void coulomb(size_t n, double step, const double *mass, const double *level,
                           const double *applied, const double *velocity, double *HF_RESTRICT force,
                           double *HF_RESTRICT next)
{
    for (size_t i = 0; i < n; i++) {
        double c = mass[i] / step;
        double trial = applied[i] + c * velocity[i];
        double f = hf_sat(level[i], trial);
        force[i] = f;
        next[i] = (trial - f) / c;
    }
}

HF_BATCH_BODY void karnopp(size_t n, const double *threshold, const double *level,
                           const double *applied, const double *rate, double *HF_RESTRICT force)
{
    for (size_t i = 0; i < n; i++) {
        double hold = hf_sat(level[i], applied[i]);
        double slide = rate[i] < 0.0 ? -level[i] : level[i];
        force[i] = hf_abs(rate[i]) > threshold[i] ? slide : hold;
    }
}

HF_BATCH_BODY void quinn(size_t n, const double *threshold, const double *level,
                         const double *applied, const double *rate, double *HF_RESTRICT force)
{
    for (size_t i = 0; i < n; i++) {
        double bar = hf_sat(1.0, applied[i] / level[i]) + rate[i] / threshold[i];
        force[i] = level[i] * hf_sat(1.0, bar);
    }
}

HF_BATCH_BODY void viscous(size_t n, const double *threshold, const double *level,
                           const double *rate, double *HF_RESTRICT force)
{
    for (size_t i = 0; i < n; i++)
        force[i] = level[i] * hf_sat(1.0, rate[i] / threshold[i]);
}

HF_BATCH_BODY void dahl(size_t n, const double *stiffness, const double *level, const double *rate,
                        const double *e, double *HF_RESTRICT force, double *HF_RESTRICT de)
{
    for (size_t i = 0; i < n; i++) {
        double decay = hf_abs(rate[i]) * stiffness[i] / level[i];
        force[i] = stiffness[i] * e[i];
        de[i] = rate[i] - decay * e[i];
    }
}

HF_BATCH_BODY void lugre(size_t n, const double *stiffness, const double *damping,
                         const double *viscosity, const double *level, const double *rate,
                         const double *e, double *HF_RESTRICT force, double *HF_RESTRICT de)
{
    for (size_t i = 0; i < n; i++) {
        double decay = hf_abs(rate[i]) * stiffness[i] / level[i];
        double flow = rate[i] - decay * e[i];
        force[i] = stiffness[i] * e[i] + (damping[i] * flow + viscosity[i] * rate[i]);
        de[i] = flow;
    }
}

HF_BATCH_BODY void hayward(size_t n, const double *stiffness, const double *stick,
                           const double *level, const double *rate, const double *e,
                           double *HF_RESTRICT force, double *HF_RESTRICT de)
{
    for (size_t i = 0; i < n; i++) {
        double decay =
            hf_adhesion(stick[i], hf_abs(e[i]), level[i] / stiffness[i]) * hf_abs(rate[i]);
        force[i] = stiffness[i] * e[i];
        de[i] = rate[i] - decay * e[i];
    }
}

HF_BATCH(hf_coulomb_batch, coulomb,
         (size_t n, double step, const double *mass, const double *level, const double *applied,
          const double *velocity, double *HF_RESTRICT force, double *HF_RESTRICT next),
         (n, step, mass, level, applied, velocity, force, next))

HF_BATCH(hf_karnopp_batch, karnopp,
         (size_t n, const double *threshold, const double *level, const double *applied,
          const double *rate, double *HF_RESTRICT force),
         (n, threshold, level, applied, rate, force))

HF_BATCH(hf_quinn_batch, quinn,
         (size_t n, const double *threshold, const double *level, const double *applied,
          const double *rate, double *HF_RESTRICT force),
         (n, threshold, level, applied, rate, force))

HF_BATCH(hf_viscous_approximation_batch, viscous,
         (size_t n, const double *threshold, const double *level, const double *rate,
          double *HF_RESTRICT force),
         (n, threshold, level, rate, force))

HF_BATCH(hf_dahl_batch, dahl,
         (size_t n, const double *stiffness, const double *level, const double *rate,
          const double *e, double *HF_RESTRICT force, double *HF_RESTRICT de),
         (n, stiffness, level, rate, e, force, de))

HF_BATCH(hf_lugre_batch, lugre,
         (size_t n, const double *stiffness, const double *damping, const double *viscosity,
          const double *level, const double *rate, const double *e, double *HF_RESTRICT force,
          double *HF_RESTRICT de),
         (n, stiffness, damping, viscosity, level, rate, e, force, de))

HF_BATCH(hf_hayward_armstrong_batch, hayward,
         (size_t n, const double *stiffness, const double *stick, const double *level,
          const double *rate, const double *e, double *HF_RESTRICT force, double *HF_RESTRICT de),
         (n, stiffness, stick, level, rate, e, force, de))
