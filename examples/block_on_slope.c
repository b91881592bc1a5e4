// SPDX-License-Identifier: Apache-2.0
// A block on a slope, written in C: at which angle does it begin to slide?
//
// Coulomb's answer: it holds while tan(angle) <= mu, and slides with g (sin - mu cos) beyond.
// The table shows the simulation beside it.
//
//   cc block_on_slope.c $(pkg-config --cflags --libs holdfast) && ./a.out
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/holdfast.h>

#define GRAVITY   9.81 // [m/s^2]
#define MASS      1.0  // [kg]
#define MU        0.5  // friction coefficient [-]
#define STIFFNESS 1e5  // of the slope's surface, along it and across [N/m]
#define DAMPING   2e3  // [Ns/m]

static void stop(const hf_error *error)
{
    fprintf(stderr, "block_on_slope: %s\n", error->text);
    exit(1);
}

// The machine: one mass, and its contact with a plane that falls towards +x.
static hf_model *build(double angle)
{
    hf_error error;
    hf_spec *spec = hf_spec_create();
    if (hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -GRAVITY}, &error) < 0)
        stop(&error);

    // The block starts at rest, pressed into the surface by its own weight.
    double depth = MASS * GRAVITY * cos(angle) / STIFFNESS;
    hf_mass_def block = hf_mass_def_default();
    block.name = "block";
    block.mass = MASS;
    block.position[0] = -depth * sin(angle);
    block.position[2] = -depth * cos(angle);
    hf_body body = hf_spec_add_mass(spec, &block, &error);
    if (body.id == 0)
        stop(&error);

    // A law (contact with friction) on a coupling (the block over the plane z = 0 of a turned
    // frame of the world).
    hf_contact_def law = hf_contact_def_default();
    law.stiffness = STIFFNESS;
    law.damping = DAMPING;
    law.friction = hf_level_coefficient(MU);
    hf_force_def slope = hf_force_def_default();
    slope.name = "slope";
    slope.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    slope.coupling.on_frame.body = body;
    slope.coupling.to_frame.turn = (hf_quat){.w = cos(angle / 2), .y = sin(angle / 2)};
    hf_force_use_contact(&slope, &law);
    if (hf_spec_add_force(spec, &slope, &error).id == 0)
        stop(&error);

    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL)
        stop(&error);
    hf_spec_destroy(spec);
    return model;
}

// What the block does in the second after it is let go.
typedef struct outcome {
    double slip_seconds;
    double distance;     // down the slope [m]
    double acceleration; // mean of the second half [m/s^2]
} outcome;

static outcome run(const hf_model *model, double angle)
{
    hf_error error;
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-4};
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL)
        stop(&error);

    hf_body block = hf_model_find_body(model, "block");
    double speed[2];
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < 5000; i++) {
            if (hf_sim_step(sim, &error) < 0)
                stop(&error);
        }
        const double *v = hf_sim_velocity(sim, block);
        speed[half] = v[0] * cos(angle) - v[2] * sin(angle);
    }
    const double *p = hf_sim_position(sim, block);
    hf_force_stats stats = hf_sim_force_stats(sim, hf_model_find_force(model, "slope"));
    outcome result = {.slip_seconds = stats.slip_seconds,
                      .distance = p[0] * cos(angle) - p[2] * sin(angle),
                      .acceleration = (speed[1] - speed[0]) / 0.5};
    hf_sim_destroy(sim);
    return result;
}

int main(void)
{
    const double degree = 3.14159265358979323846 / 180.0;
    int wrong = 0;
    printf("mu = %g: holds up to %.2f degrees\n\n", MU, atan(MU) / degree);
    printf("%8s %10s %14s %22s %18s\n", "degrees", "slips [s]", "goes down [m]",
           "acceleration [m/s^2]", "Coulomb [m/s^2]");
    for (int degrees = 10; degrees <= 45; degrees += 5) {
        double angle = degrees * degree;
        hf_model *model = build(angle);
        outcome result = run(model, angle);
        hf_model_destroy(model);
        double coulomb = fmax(0.0, GRAVITY * (sin(angle) - MU * cos(angle)));
        printf("%8d %10.3f %14.6f %22.9g %18.9g\n", degrees, result.slip_seconds, result.distance,
               result.acceleration, coulomb);
        wrong += !(fabs(result.acceleration - coulomb) < 1e-8);
    }
    return wrong > 0;
}
