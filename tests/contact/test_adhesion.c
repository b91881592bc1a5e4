// SPDX-License-Identifier: Apache-2.0
// Adhesion: a body is drawn to what it touches, under every method.
#include "contact_test.h"

#include <math.h>
#include <string.h>

// A cup of 2 kg under a ceiling, drawn by 30 N.
static const char CEILING[] =
    "gravity: [0, 0, -10]\nbodies:\n"
    "  ceiling: {type: static, position: [0, 0, 1.5], shape: {type: box, size: [2, 2, 1]}}\n"
    "  cup: {type: rigid, mass: 2, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0.9], "
    "shape: {type: box, size: [0.4, 0.4, 0.2]}}\n"
    "forces:\n"
    "  - {name: suction, type: force, adhesion: {on: cup}, value: 30}\n"
    "  - {name: c, type: collide, among: all, friction: 0.5, restitution: 0}\n";

// What is left of 30 N presses on the ceiling. Contacts as forces sink in by what they need.
static void holds_under_every_method(void **state)
{
    (void)state;
    const struct {
        hf_method_type type;
        double step, sinks;
    } cases[] = {{HF_METHOD_TIMESTEP, 2e-3, 1e-9},
                 {HF_METHOD_SWITCH, 1e-2, 1e-9},
                 {HF_METHOD_ADAPTIVE, 1e-2, 1e-3},
                 {HF_METHOD_RK4, 5e-4, 2e-3},
                 {HF_METHOD_DISCRETE, 5e-4, 5e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_model *model = model_of(CEILING);
        hf_sim_def def = hf_sim_def_default(model);
        hf_error error = {0};
        def.method.type = cases[i].type;
        def.method.step = cases[i].step;
        hf_sim *sim = hf_sim_create(model, &def, &error);
        if (sim == NULL) {
            fail_msg("%s", error.text);
        }
        run_until(sim, 1.0);
        hf_check_near(value_of(sim, "c.normal"), 10.0, 1e-3, "normal force", "30 N less 20 N");
        hf_check_near(value_of(sim, "cup.position.z"), 0.9, cases[i].sinks, "height", "held");
        hf_check_near(value_of(sim, "cup.velocity.z"), 0.0, 1e-4, "velocity", "held");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Made heavier as it hangs: with 4 kg it falls.
static void follows_a_live_parameter(void **state)
{
    (void)state;
    hf_model *model = model_of(CEILING);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    const char *const names[] = {"cup.mass"};
    hf_error error = {0};
    run_until(sim, 0.5);
    const double heavier = 2.9, heavy = 4.0;
    if (hf_sim_set_parameters(sim, names, &heavier, 1, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "cup.position.z"), 0.9, 1e-9, "height", "30 N hold 29 N");
    assert_int_equal(hf_sim_set_parameters(sim, names, &heavy, 1, &error), HF_OK);
    run_until(sim, 1.5);
    // 2.5 m/s^2 over the first 0.1 mm, then g
    double first = sqrt(2.0 * 1e-4 / 2.5);
    hf_check_near(value_of(sim, "cup.velocity.z"), -(2.5 * first + 10.0 * (0.5 - first)), 0.02,
                  "velocity", "it falls");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A body without shapes, the world, a reach that cannot be, other types of forces.
static void refusals(void **state)
{
    (void)state;
    static const char *const forces[][2] = {
        {"type: force, adhesion: {on: bare}, value: 1", "with shapes"},
        {"type: force, adhesion: {on: world}, value: 1", "that can move"},
        {"type: force, adhesion: {on: cup, reach: -1}, value: 1", "reach"},
        {"type: force, adhesion: {on: cup}, on: cup, value: 1", "a force with 'adhesion'"},
        {"type: spring, adhesion: {on: cup}, stiffness: 1", "adhesion"}};
    for (size_t i = 0; i < sizeof forces / sizeof *forces; ++i) {
        char text[600];
        hf_error error = {0};
        (void)snprintf(
            text, sizeof text,
            "bodies:\n  cup: {type: rigid, shape: {type: sphere, radius: 1, density: 1}}\n"
            "  bare: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
            "forces:\n  - {name: f, %s}\n",
            forces[i][0]);
        hf_spec *spec = hf_spec_parse(text, strlen(text), "cup", NULL, NULL, &error);
        hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
        if (model != NULL || strstr(error.text, forces[i][1]) == NULL) {
            fail_msg("%zu: got '%s', want '%s'", i, error.text, forces[i][1]);
        }
        hf_spec_destroy(spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_under_every_method),
        cmocka_unit_test(follows_a_live_parameter),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
