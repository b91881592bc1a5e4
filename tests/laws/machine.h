// SPDX-License-Identifier: Apache-2.0
// The smallest machine: a mass on a line under one law and a load, by semi-implicit Euler.
#ifndef LAWS_MACHINE_H
#define LAWS_MACHINE_H

#include "laws_test.h"

typedef struct machine {
    const hf_law_info *info;
    const void *def;
    double mass;
    double x, v;
    double y[64];
    hf_regime regime;
    evaluation last;
} machine;

static inline machine machine_of(hf_law_type law, const void *def, double mass)
{
    return (machine){.info = hf_law_info_get(law), .def = def, .mass = mass};
}

// Takes tau = step where the law wants a look-ahead.
static inline void machine_step(machine *m, double load, double step)
{
    bool ahead = m->info->admits && !m->info->admits(m->def, 0.0);
    hf_law_in in = {.gap = &m->x,
                    .rate = &m->v,
                    .y = m->y,
                    .normal = 1.0,
                    .tau = ahead ? step : 0.0,
                    .regime = m->regime,
                    .mass = m->mass,
                    .applied = &load,
                    .step = step};
    m->last = (evaluation){0};
    m->last.out.force = m->last.force;
    m->last.out.dy = m->last.dy;
    m->info->eval(m->def, 1, &in, &m->last.out);
    m->regime = m->last.out.regime;
    m->v += step * (load - m->last.force[0]) / m->mass;
    m->x += step * m->v;
    for (int i = 0; i < m->info->state_count(m->def, 1); i++)
        m->y[i] += step * m->last.dy[i];
    if (m->info->accept)
        m->info->accept(m->def, 1, &in, m->y);
}

// Drift [m/s] under load mean + ripple cos: mean position of whole periods, the last against one
// before, after the start has died out.
static inline double machine_drift(hf_law_type law, const void *def, double mean, double ripple)
{
    enum { PERIOD = 600, SETTLE = 100, MEASURE = 60 };
    const double step = 1e-4, omega = 2.0 * 3.14159265358979323846 / (PERIOD * 1e-4);
    machine m = machine_of(law, def, 1.0);
    double first = 0.0, last = 0.0;
    for (int i = 0; i < (SETTLE + MEASURE) * PERIOD; i++) {
        // the ripple begins softly, so that the start does not slip
        double grow = i < 20 * PERIOD ? i / (20.0 * PERIOD) : 1.0;
        machine_step(&m, grow * (mean + ripple * cos(omega * i * step)), step);
        if (i / PERIOD == SETTLE)
            first += m.x / PERIOD;
        if (i / PERIOD == SETTLE + MEASURE - 1)
            last += m.x / PERIOD;
    }
    return (last - first) / ((MEASURE - 1) * PERIOD * step);
}

#endif
