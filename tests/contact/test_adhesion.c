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

// A machine that is read for its method: few pairs are then contacts of their own under some, and
// balls a swarm or a pair with a closed form, and are drawn all the same. A box of 10 N on a floor,
// drawn by 30 N and lifted by 20 N; two balls.
static void draws_whatever_contacts_are(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4, step: 2e-4", "discrete, step: 2e-4",
                                          "adaptive, step: 0.01", "switch, step: 0.01",
                                          "timestep, step: 1e-3"};
    static const char *const balls[] = {"type: collide, among: [a, b]",
                                        "type: contact, on: a, to: b"};
    for (size_t i = 0; i < 2 * (sizeof methods / sizeof *methods); ++i) {
        char text[1200];
        (void)snprintf(
            text, sizeof text,
            "gravity: [0, 0, -10]\nmethod: {type: %s}\nbodies:\n"
            "  floor: {type: static, shape: {type: plane}}\n"
            "  cup: {type: rigid, mass: 1, position: [0, 0, 0.1], shape: {type: box, size: [0.2, "
            "0.2, 0.2]}}\n"
            "  a: {type: rigid, mass: 1, position: [-0.1, 5, 1], shape: {type: sphere, radius: "
            "0.1}}\n"
            "  b: {type: rigid, mass: 1, position: [0.1, 5, 1], shape: {type: sphere, radius: "
            "0.1}}\n"
            "forces:\n"
            "  - {name: c, type: collide, among: [floor, cup], friction: 0.5}\n"
            "  - {name: p, %s, friction: 0.5}\n"
            "  - {name: suck, type: force, adhesion: {on: cup}, value: 30}\n"
            "  - {name: draw, type: force, adhesion: {on: a}, value: 7}\n"
            "  - {name: lift, on: cup, type: force, value: [0, 0, 20]}\n"
            "record: [cup.contact_force, a.contact_force]\n",
            methods[i / 2], balls[i % 2]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 0.3);
        hf_check_near(value_of(sim, "cup.contact_force.z"), 20.0, 1e-4, methods[i / 2],
                      "m g + 30 N - 20 N");
        hf_check_near(value_of(sim, "a.contact_force.x"), -7.0, 1e-4, methods[i / 2], "7 N");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A contact with a plane of the world is not between shapes.
static void refuses_other_contacts(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "bodies:\n  cup: {type: rigid, position: [0, 0, 1], shape: {type: sphere, radius: 1, "
        "density: 1}}\n"
        "forces:\n  - {name: floor, type: contact, on: cup}\n"
        "  - {name: suck, type: force, adhesion: {on: cup}, value: 1}\n");
    expect_refusal(model, NULL, "contact 'floor' of its body is not between shapes");
    hf_model_destroy(model);
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
        cmocka_unit_test(draws_whatever_contacts_are),
        cmocka_unit_test(refuses_other_contacts),
        cmocka_unit_test(follows_a_live_parameter),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
