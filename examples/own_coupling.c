// SPDX-License-Identifier: Apache-2.0
// A coupling of one's own, from outside the library: a wire from a carriage on a rail, over a small
// pulley at the height H, down to a weight that hangs on it.
//
//   gap = sqrt(x^2 + H^2) + z           the length of wire that is used
//   J   = (x/s, 1),   s = sqrt(x^2 + H^2)
//   (dJ/dt) v = H^2 x'^2 / s^3
//
// x is the carriage's place on the rail, z the depth of the weight below the pulley. The wire is a
// stiff spring with a little damping on this coupling. Let go at rest, the weight sinks and the
// carriage runs towards the pulley; where it passes below it (x = 0) the weight stands still for an
// instant, and has given all its energy to the carriage:
//
//   1/2 m x'^2 = M g (sqrt(x0^2 + H^2) - H)
//
//   cc own_coupling.c $(pkg-config --cflags --libs holdfast) -lm && ./a.out
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/holdfast.h>

#define CARRIAGE 2.0  // m [kg]
#define WEIGHT   0.5  // M [kg]
#define GRAVITY  9.81 // g [m/s^2]

// ------------------------------------------------------------------------------------------------
// The coupling

typedef struct pulley {
    double height; // H [m]
} pulley;

static double slant(const pulley *p, double x)
{
    return hypot(x, p->height);
}

static void wire_gap(const void *def, int n, const double *q, double *gap)
{
    (void)n;
    gap[0] = slant(def, q[0]) + q[1];
}

static void wire_jacobian(const void *def, int n, const double *q, double *jacobian)
{
    (void)n;
    jacobian[0] = q[0] / slant(def, q[0]);
    jacobian[1] = 1.0;
}

static void wire_bias(const void *def, int n, const double *q, const double *v, double *bias)
{
    const pulley *p = def;
    double s = slant(p, q[0]);
    (void)n;
    bias[0] = p->height * p->height * v[0] * v[0] / (s * s * s);
}

static const hf_coupling_kind wire_kind = {.name = "wire over a pulley",
                                           .rows = 1,
                                           .def_size = sizeof(pulley),
                                           .gap = wire_gap,
                                           .jacobian = wire_jacobian,
                                           .bias = wire_bias};

// ------------------------------------------------------------------------------------------------
// The machine

static void stop(const hf_error *error)
{
    fprintf(stderr, "own_coupling: %s\n", error->text);
    exit(1);
}

static hf_body add_mass(hf_spec *spec, const char *name, double mass, double position)
{
    hf_error error;
    hf_mass_def def = hf_mass_def_default();
    def.name = name;
    def.dim = 1;
    def.mass = mass;
    def.position[0] = position;
    hf_body body = hf_spec_add_mass(spec, &def, &error);
    if (body.id == 0)
        stop(&error);
    return body;
}

static void add_force(hf_spec *spec, const hf_force_def *force)
{
    hf_error error;
    if (hf_spec_add_force(spec, force, &error).id == 0)
        stop(&error);
}

static hf_model *build(double height, double start)
{
    hf_spec *spec = hf_spec_create();
    hf_body carriage = add_mass(spec, "carriage", CARRIAGE, start);
    hf_body weight = add_mass(spec, "weight", WEIGHT, 1.0);
    const hf_coordinate ends[] = {{carriage, 0}, {weight, 0}};
    const pulley def = {height};

    hf_spring_def spring = hf_spring_def_default();
    spring.stiffness = 1e7;
    spring.damping = 1e3;
    spring.rest = hypot(start, height) + 1.0; // just tight
    hf_force_def wire = hf_force_def_default();
    wire.name = "wire";
    wire.coupling = hf_coupling_def_default(HF_COUPLING_OWN);
    wire.coupling.kind = &wire_kind;
    wire.coupling.kind_def = &def;
    wire.coupling.coordinates = ends;
    wire.coupling.coordinate_count = 2;
    hf_force_use_spring(&wire, &spring);
    add_force(spec, &wire);

    hf_force_def gravity = hf_force_def_default(); // z points down
    gravity.name = "gravity";
    gravity.coupling = hf_coupling_def_default(HF_COUPLING_COORDINATE);
    gravity.coupling.on_coordinate.body = weight;
    gravity.law = HF_LAW_FORCE;
    gravity.values[0].constant = WEIGHT * GRAVITY;
    add_force(spec, &gravity);

    hf_error error;
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL)
        stop(&error);
    hf_spec_destroy(spec);
    return model;
}

// The carriage's speed where it passes below the pulley.
static double speed_below(const hf_model *model, double *residual)
{
    hf_error error;
    hf_sim_def run = hf_sim_def_default(model);
    run.method = (hf_method_def){.type = HF_METHOD_RK4, .step = 2e-5};
    hf_sim *sim = hf_sim_create(model, &run, &error);
    if (sim == NULL)
        stop(&error);
    hf_body carriage = hf_model_find_body(model, "carriage");
    while (hf_sim_position(sim, carriage)[0] > 0.0 && hf_sim_time(sim) < 10.0) {
        if (hf_sim_step(sim, &error) < 0)
            stop(&error);
    }
    double speed = hf_sim_velocity(sim, carriage)[0];
    *residual = hf_sim_energy(sim).residual;
    hf_sim_destroy(sim);
    return speed;
}

int main(void)
{
    int wrong = 0;
    printf("%8s %8s %16s %20s %14s\n", "H [m]", "x0 [m]", "x' [m/s]", "all its energy [m/s]",
           "residual [J]");
    for (int i = 1; i <= 4; i++) {
        double height = 0.25 * i, start = 0.8, residual;
        hf_model *model = build(height, start);
        double speed = speed_below(model, &residual);
        double fall = hypot(start, height) - height;
        double closed = -sqrt(2.0 * WEIGHT * GRAVITY * fall / CARRIAGE);
        printf("%8g %8g %16.6f %20.6f %14.1e\n", height, start, speed, closed, residual);
        wrong += !(fabs(speed - closed) < 2e-4) || !(fabs(residual) < 1e-6);
        hf_model_destroy(model);
    }
    return wrong > 0;
}
