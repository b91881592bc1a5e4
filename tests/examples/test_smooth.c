// SPDX-License-Identifier: Apache-2.0
// Smooth contact on machines: what it costs against the exact laws, by closed forms.
// [RobotSimulation2025].
#include <math.h>
#include <stdio.h>

#include "hf_test.h"

#include <holdfast/adaptive.h>
#include <holdfast/models.h>
#include <holdfast/sim.h>

static const double g = 9.81, mu = 0.1, mass = 10.0, pi = 3.14159265358979323846;

// The end of a run of an example or of a text.
typedef struct outcome {
    double time, q[2], v[2], residual, turnover;
} outcome;

static outcome run(hf_model *model, hf_error *error)
{
    if (model == NULL) {
        fail_msg("%s", error->text);
    }
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    hf_sim *sim = hf_sim_create(model, &def, error);
    if (sim == NULL) {
        fail_msg("%s", error->text);
    }
    while (hf_sim_time(sim) < hf_model_duration(model) - 0.5 * def.method.step) {
        if (hf_sim_step(sim, error) != HF_OK) {
            fail_msg("%s", error->text);
        }
    }
    hf_body body = hf_model_find_body(model, "point");
    const double *q = hf_sim_position(sim, body), *v = hf_sim_velocity(sim, body);
    hf_energy energy = hf_sim_energy(sim);
    outcome end = {hf_sim_time(sim), {q[0], q[1]}, {v[0], v[1]}, energy.residual, energy.turnover};
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return end;
}

static outcome run_text(const char *text, int length)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, (size_t)length, "test", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    return run(model, &error);
}

// The floor's normal impulse is m (g t + v_z), so the speed along x is 1 - mu (g t + v_z) while
// the point slides, however it lands, and it stops at 1/(2 mu g) + mu (1 - z): exactly so for a
// rigid floor, z = 0. Here it floats at z = d/2 ln(A/(m g) - 1), and tanh(v/w) lets it slide on by
// w^2/(mu g) times the integral of u (coth u - 1) from 0 on, pi^2/12.
static double stopping_place(double largest, double thickness, double threshold)
{
    double z = 0.5 * thickness * log(largest / (mass * g) - 1.0);
    return 1.0 / (2.0 * mu * g) + mu * (1.0 - z) +
           threshold * threshold * pi * pi / (12.0 * mu * g);
}

static void shipped_example(void **state)
{
    (void)state;
    hf_error error = {0};
    outcome end =
        run(hf_model_load(HF_SOURCE_DIR "/examples/point-2d-smooth.yaml", &error), &error);
    hf_check_near(end.q[0], stopping_place(1500.0, 0.01, 0.01), 2e-8, "x", "closed form");
    hf_check_near(end.q[1], 0.005 * log(1500.0 / 98.1 - 1.0), 1e-9, "z", "closed form");
    hf_check_below(fabs(end.residual), 2e-4 * end.turnover, "residual", "RK4 at 1 ms");
}

static outcome land(double sharpness)
{
    char text[1000];
    int length = snprintf(
        text, sizeof text,
        "{gravity: [0, 0, -9.81], duration: 1.6, record: [], "
        "method: {type: adaptive, family: bdf, rtol: 1e-9, atol: 1e-11, step: 0.1}, "
        "bodies: {point: {type: mass, axes: xz, mass: 10, position: [0, 1], velocity: [1, 0]}}, "
        "forces: [{name: floor, on: point, type: contact, law: smooth-contact, friction: 0.1, "
        "largest_force: 1500, thickness: %.17g, damping: 10, threshold: %.17g}]}",
        0.01 / sharpness, 0.01 / sharpness);
    return run_text(text, length);
}

// As its lengths and speeds shrink, the place of the stop goes to the exact one, with first order.
static void sharpness_converges(void **state)
{
    (void)state;
    const double exact = 1.0 / (2.0 * mu * g) + mu;
    hf_check_near(exact, 0.609683996, 5e-10, "place of the stop",
                  "Intro to Robot Simulation 2025, exact");
    double before = 0.0;
    for (double sharpness = 1.0; sharpness < 300.0; sharpness *= 4.0) {
        outcome end = land(sharpness);
        double error = exact - end.q[0];
        hf_check_near(end.q[0], stopping_place(1500.0, 0.01 / sharpness, 0.01 / sharpness), 2e-8,
                      "x", "closed form");
        assert_true(error > 0.0);
        if (before > 0.0) {
            hf_check_near(before / error, 4.0, 0.3, "error by error at four times the sharpness",
                          "first order");
        }
        before = error;
    }
    hf_check_below(before, 1e-5, "error at 256 times the sharpness", "convergence");
}

// A slope of the angle a that Coulomb friction holds: it creeps at w artanh(tan a/mu), for ever.
static void creeps_on_a_slope(void **state)
{
    (void)state;
    for (double threshold = 1e-2; threshold > 5e-4; threshold *= 0.1) {
        double places[2];
        const double angle = 0.35, coefficient = 0.5;
        for (int i = 0; i < 2; ++i) {
            char text[1000];
            int length = snprintf(
                text, sizeof text,
                "{gravity: [%.17g, 0, %.17g], duration: %d, record: [], "
                "method: {type: adaptive, family: bdf, rtol: 1e-9, atol: 1e-12, step: 0.1}, "
                "bodies: {point: {type: mass, axes: xz, mass: 10, position: [0, 0.01]}}, "
                "forces: [{name: floor, on: point, type: contact, law: smooth-contact, "
                "friction: 0.5, largest_force: 1500, thickness: 1e-3, threshold: %.17g}]}",
                g * sin(angle), -g * cos(angle), 2 + 2 * i, threshold);
            places[i] = run_text(text, length).q[0];
        }
        double creep = 0.5 * (places[1] - places[0]);
        hf_check_near(creep, threshold * atanh(tan(angle) / coefficient), 1e-6 * threshold, "creep",
                      "w artanh(tan a/mu)");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_example),
        cmocka_unit_test(sharpness_converges),
        cmocka_unit_test(creeps_on_a_slope),
    };
    return hf_run_tests(tests);
}
