// SPDX-License-Identifier: Apache-2.0
// Several forces between shapes that share a pair: the more specific has it alone, under every
// method, in whatever order they stand, whether contacts are found as the run goes or are forces of
// their own.
#include <math.h>

#include <hf_machine.h>

static const char *const METHODS[] = {"timestep", "switch", "rk4", "discrete"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static hf_model *machine(const char *method, const char *bodies, const char *const forces[2],
                         int order, double gravity)
{
    char text[2400];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, %g]\nmethod: {type: %s, step: 2e-4}\nbodies:\n%sforces:\n"
                   "  - %s\n  - %s\n",
                   gravity, method, bodies, forces[order], forces[1 - order]);
    return model_of(text);
}

// Spheres: two that strike without restitution, two with it.
static void spheres(void **state)
{
    (void)state;
    static const char bodies[] =
        "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, velocity: [1, 0, 0]}\n"
        "  b: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0.2, 0, 0]}\n"
        "  c: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0, 1, 0], "
        "velocity: [1, 0, 0]}\n"
        "  d: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0.2, 1, 0]}\n";
    static const char *const own[] = {
        "{name: own, type: collide, among: [a, b], friction: 0, restitution: 0.5}",
        "{name: own, type: contact, on: a, to: b, friction: 0, restitution: 0.5}"};
    for (int i = 0; i < 4 * METHOD_COUNT; ++i) {
        const char *const forces[2] = {
            "{name: rest, type: collide, among: all, friction: 0, restitution: 1}", own[i / 2 % 2]};
        hf_model *model = machine(METHODS[i / 4], bodies, forces, i % 2, 0.0);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 0.3);
        double own_speed = value_of(sim, "b.velocity.x") - value_of(sim, "a.velocity.x");
        double speed = value_of(sim, "d.velocity.x") - value_of(sim, "c.velocity.x");
        hf_check_near(own_speed, 0.5, 5e-3, METHODS[i / 4], "restitution of the two");
        hf_check_near(speed, 1.0, 5e-3, METHODS[i / 4], "restitution of all others");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Boxes on a plane, whose contacts are forces of their own under switch.
static void boxes_on_a_plane(void **state)
{
    (void)state;
    static const char bodies[] =
        "  floor: {type: static, shape: {type: plane}}\n"
        "  a: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.1, 0.02]}, position: [0, 0, "
        "0.01], velocity: [1, 0, 0]}\n"
        "  b: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.1, 0.02]}, position: [0, 1, "
        "0.01], velocity: [1, 0, 0]}\n";
    static const char *const own[] = {
        "{name: own, type: collide, among: [floor, a], friction: 0.25, restitution: 0}",
        "{name: own, type: contact, on: a, to: floor, friction: 0.25, restitution: 0}"};
    for (int i = 0; i < 4 * METHOD_COUNT; ++i) {
        const char *const forces[2] = {
            "{name: rest, type: collide, among: all, friction: 0.5, restitution: 0}",
            own[i / 2 % 2]};
        hf_model *model = machine(METHODS[i / 4], bodies, forces, i % 2, -9.81);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 0.6);
        hf_check_near(value_of(sim, "a.position.x"), 1.0 / (0.5 * 9.81), 1e-3, METHODS[i / 4],
                      "v^2/(2 mu g)");
        hf_check_near(value_of(sim, "b.position.x"), 1.0 / 9.81, 1e-3, METHODS[i / 4],
                      "v^2/(2 mu g)");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// What would carry a body twice is refused.
static void pairs_have_one_force(void **state)
{
    (void)state;
    static const char bodies[] =
        "  floor: {type: static, shape: {type: plane}}\n"
        "  a: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.1, 0.02]}, position: [0, 0, "
        "0.01]}\n";
    static const char *const second[] = {"{name: two, type: contact, on: a, plane: {body: floor}}",
                                         "{name: two, type: collide, among: [floor, a]}"};
    static const char *const said[] = {"touch in a collide as well", "already"};
    for (int i = 0; i < 2 * METHOD_COUNT; ++i) {
        char text[1200];
        (void)snprintf(text, sizeof text,
                       "method: {type: %s, step: 1e-3}\nbodies:\n%sforces:\n"
                       "  - {name: one, type: collide, among: all}\n  - %s\n",
                       METHODS[i / 2], bodies, second[i % 2]);
        hf_error error = {0};
        hf_model *model = hf_model_parse(text, strlen(text), "two.yaml", NULL, NULL, &error);
        hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
        assert_null(sim);
        if (strstr(error.text, said[i % 2]) == NULL) {
            fail_msg("expected '%s' in '%s'", said[i % 2], error.text);
        }
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(boxes_on_a_plane),
        cmocka_unit_test(pairs_have_one_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
