// SPDX-License-Identifier: Apache-2.0
// A DC motor as a body of the program's own kind: two coordinates, the charge that has flowed and
// the angle of the shaft, so that the velocities are the current i and the speed w.
//
//   L i' = V - R i - k w        the winding; k w is the back electromotive force
//   J w' = k i - friction       the shaft
//
// The kind gives M = diag(L, J) and f = (-k w, k i), which does no work. The resistance is a damper
// on the current and the friction a stiction element on the angle: laws, as everywhere, so that the
// energy ledger sees what they take. At which voltage does the motor begin to turn, and how fast?
// Coulomb's answer: it holds while V <= R c / k, and turns with (V - R c / k) / k beyond.
//
//   cc dc_motor.c $(pkg-config --cflags --libs holdfast) -lm && ./a.out
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/holdfast.h>

#define RESISTANCE 2.0  // R [Ohm]
#define FRICTION   0.05 // c [Nm]

typedef struct motor {
    double inductance; // L [H]
    double inertia;    // J [kg m^2]
    double constant;   // k [Nm/A or Vs/rad]
} motor;

static void motor_mass(const void *def, const double *q, double *m)
{
    const motor *d = def;
    (void)q;
    m[0] = d->inductance;
    m[1] = m[2] = 0.0;
    m[3] = d->inertia;
}

static void motor_force(const void *def, const double *q, const double *v, hf_vec3 gravity,
                        double *f)
{
    const motor *d = def;
    (void)q, (void)gravity;
    f[0] = -d->constant * v[1];
    f[1] = d->constant * v[0];
}

static const char *const axes[] = {"charge", "angle"};
static const char *const units[] = {"C", "rad"}, *const rate_units[] = {"A", "rad/s"};
static const hf_body_kind motor_kind = {.name = "dc-motor",
                                        .coordinates = 2,
                                        .axes = axes,
                                        .units = units,
                                        .rate_units = rate_units,
                                        .def_size = sizeof(motor),
                                        .mass = motor_mass,
                                        .force = motor_force};

static void stop(const hf_error *error)
{
    fprintf(stderr, "dc_motor: %s\n", error->text);
    exit(1);
}

// A force on one coordinate of the motor.
static hf_force_def on_axis(hf_body body, int axis, const char *name)
{
    hf_force_def force = hf_force_def_default();
    force.name = name;
    force.coupling = hf_coupling_def_default(HF_COUPLING_COORDINATE);
    force.coupling.dim = 1;
    force.coupling.on_coordinate = (hf_coordinate){body, axis};
    force.law = HF_LAW_FORCE;
    return force;
}

static hf_model *build(const motor *def, double voltage)
{
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_body body = hf_spec_add_body(
        spec, &(hf_body_def){.name = "motor", .kind = &motor_kind, .def = def}, &error);
    if (body.id == 0)
        stop(&error);
    hf_spring_def resistance = hf_spring_def_default();
    resistance.stiffness = 0.0;
    resistance.damping = RESISTANCE;
    hf_stiction_def friction = hf_stiction_def_default();
    friction.level = hf_level_coulomb(FRICTION);
    friction.stiffness = 100.0;
    friction.damping = 0.05;
    hf_force_def forces[3] = {on_axis(body, 0, "resistance"), on_axis(body, 1, "friction"),
                              on_axis(body, 0, "voltage")};
    hf_force_use_spring(&forces[0], &resistance);
    hf_force_use_stiction(&forces[1], &friction);
    forces[2].values[0].constant = voltage;
    for (int i = 0; i < 3; i++) {
        if (hf_spec_add_force(spec, &forces[i], &error).id == 0)
            stop(&error);
    }
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL)
        stop(&error);
    hf_spec_destroy(spec);
    return model;
}

int main(void)
{
    const motor def = {.inductance = 2e-3, .inertia = 1e-4, .constant = 0.05};
    int wrong = 0;
    printf("holds up to %g V\n\n%8s %12s %16s %18s %14s\n", RESISTANCE * FRICTION / def.constant,
           "V", "i [A]", "w [rad/s]", "Coulomb [rad/s]", "residual [J]");
    for (int volts = 1; volts <= 6; volts++) {
        hf_error error;
        hf_model *model = build(&def, volts);
        hf_sim_def run = hf_sim_def_default(model);
        run.method = (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-5};
        hf_sim *sim = hf_sim_create(model, &run, &error);
        if (sim == NULL)
            stop(&error);
        while (hf_sim_time(sim) < 2.0) {
            if (hf_sim_step(sim, &error) < 0)
                stop(&error);
        }
        const double *v = hf_sim_velocity(sim, hf_model_find_body(model, "motor"));
        double lost = RESISTANCE * FRICTION / def.constant;
        double coulomb = fmax(0.0, (volts - lost) / def.constant);
        double residual = hf_sim_energy(sim).residual;
        printf("%8d %12.6f %16.9f %18.9f %14.1e\n", volts, v[0], v[1], coulomb, residual);
        wrong += !(fabs(v[1] - coulomb) < 1e-6) || !(fabs(residual) < 1e-6);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    return wrong > 0;
}
