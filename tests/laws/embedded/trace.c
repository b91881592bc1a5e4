// SPDX-License-Identifier: Apache-2.0
// Runs every law alone, so that a host and a microcontroller can be compared.
#include "trace.h"

#include <holdfast/laws.h>

enum { STEPS = 400, EVERY = 8 };

// Velocities without <math.h>: a triangle between +-1/64 m/s with a period of 160 steps.
static double wave(int i)
{
    int phase = (i + 40) % 160;
    int height = phase < 80 ? phase - 40 : 120 - phase;
    return (double)height / 2560.0;
}

// The states of one run.
typedef struct run {
    hf_stiction stiction, curved;
    hf_continuous continuous;
    hf_dahl dahl;
    hf_lugre lugre;
    hf_elastoplastic elastoplastic;
    hf_hayward_armstrong hayward;
    hf_armstrong armstrong;
    hf_coulomb coulomb, matrix;
    double compound[4], maxwell[4], leuven[4], gms[8];
} run;

static hf_level curved_level(void)
{
    hf_level level = hf_level_coulomb(1.0);
    level.peak[0] = level.peak[1] = 1.5;
    level.stribeck[0] = level.stribeck[1] = 0.004;
    level.viscous[0] = level.viscous[1] = 2.0;
    return level;
}

// Laws whose numbers need only + - * / and the square root.
static void exact_laws(run *r, int i, double v, double step, hf_trace_emit emit, void *context)
{
    hf_stiction_def stiction = hf_stiction_def_default();
    hf_continuous_def continuous = hf_continuous_def_default();
    hf_compound_def compound = hf_compound_def_default();
    hf_maxwell_slip_def maxwell = hf_maxwell_slip_def_default();
    hf_hayward_armstrong_def hayward = hf_hayward_armstrong_def_default();
    hf_armstrong_def armstrong = hf_armstrong_def_default();
    hf_coulomb_def coulomb = hf_coulomb_def_default();
    hf_karnopp_def karnopp = hf_karnopp_def_default();
    hf_quinn_def quinn = hf_quinn_def_default();
    hf_viscous_approximation_def viscous = hf_viscous_approximation_def_default();
    continuous.mass = 0.01;
    double h = 90.0 * v, in_plane[2] = {h, 0.5 * h}, plane[2];
    double f[] = {hf_stiction_step(&stiction, &r->stiction, v, step),
                  hf_continuous_step(&continuous, &r->continuous, v, step),
                  hf_compound_step(&compound, r->compound, v, step),
                  hf_maxwell_slip_step(&maxwell, r->maxwell, v * step),
                  hf_hayward_armstrong_step(&hayward, &r->hayward, v * step),
                  hf_armstrong_step(&armstrong, &r->armstrong, v, step),
                  hf_karnopp_force(&karnopp, v, h),
                  hf_quinn_force(&quinn, v, h),
                  hf_viscous_approximation_force(&viscous, v)};
    static const char *const names[] = {
        "stiction",  "continuous", "compound", "maxwell-slip",         "hayward-armstrong",
        "armstrong", "karnopp",    "quinn",    "viscous-approximation"};
    hf_coulomb_step_n(&coulomb, &r->coulomb, 2, 0.1, in_plane, 1.0, step, plane);
    if (i % EVERY != 0)
        return;
    for (int k = 0; k < (int)(sizeof f / sizeof f[0]); k++)
        emit(context, names[k], i, true, f[k]);
    emit(context, "coulomb", i, true, plane[0]);
    emit(context, "coulomb velocity", i, true, r->coulomb.velocity[1]);
}

// Laws with exponentials, powers or sines: the last bit belongs to the C library.
static void library_laws(run *r, int i, double v, double step, hf_trace_emit emit, void *context)
{
    hf_stiction_def stiction = hf_stiction_def_default();
    hf_dahl_def dahl = hf_dahl_def_default();
    hf_lugre_def lugre = hf_lugre_def_default();
    hf_elastoplastic_def elastoplastic = hf_elastoplastic_def_default();
    hf_leuven_def leuven = hf_leuven_def_default();
    hf_gms_def gms = hf_gms_def_default();
    hf_coulomb_def matrix = hf_coulomb_def_default();
    stiction.level = lugre.level = elastoplastic.level = gms.level = curved_level();
    static const double mass[4] = {0.1, 0.03, 0.03, 0.2};
    double in_plane[2] = {90.0 * v, 45.0 * v}, plane[2] = {0.0, 0.0};
    hf_status status =
        hf_coulomb_step_matrix(&matrix, &r->matrix, 2, mass, in_plane, 1.0, step, plane);
    double f[] = {hf_stiction_step(&stiction, &r->curved, v, step),
                  hf_dahl_step(&dahl, &r->dahl, v, step),
                  hf_lugre_step(&lugre, &r->lugre, v, step),
                  hf_elastoplastic_step(&elastoplastic, &r->elastoplastic, v, step),
                  hf_leuven_step(&leuven, r->leuven, v, step),
                  hf_gms_step(&gms, r->gms, v, step),
                  status == HF_OK ? plane[0] : 1e9};
    static const char *const names[] = {"stiction, Stribeck",  "dahl",   "lugre",
                                        "elastoplastic",       "leuven", "gms",
                                        "coulomb, mass matrix"};
    for (int k = 0; k < (int)(sizeof f / sizeof f[0]) && i % EVERY == 0; k++)
        emit(context, names[k], i, false, f[k]);
}

void hf_trace_run(hf_trace_emit emit, void *context)
{
    run r = {0};
    for (int i = 0; i < STEPS; i++) {
        exact_laws(&r, i, wave(i), 1.0 / 1024.0, emit, context);
        library_laws(&r, i, wave(i), 1.0 / 1024.0, emit, context);
    }
}
