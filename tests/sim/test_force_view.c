// SPDX-License-Identifier: Apache-2.0
// The force that is shown at a body is the one that moves it: m (v(h) - v(0))/h of a step of
// Euler's method, for a law in one dimension and in three, on every coupling that has a direction
// in space.
#include <hf_machine.h>

#include <math.h>

#define STEP 1e-4

static const char *const FORCES[] = {
    "coupling: points, type: spring, stiffness: 70, damping: 3, point: [0.1, 0.2, -0.1], "
    "to_point: [0.5, -0.3, 0.2]",
    "coupling: distance, type: spring, stiffness: 70, rest: 0.2, point: [0.1, 0.2, -0.1], "
    "to_point: [0.5, -0.3, 0.2]",
    "type: contact, law: contact, stiffness: 300, damping: 5, tangent_stiffness: 200, "
    "tangent_damping: 4, friction: 5, point: [0.1, 0.1, -0.3], plane: {normal: [0.2, -0.3, 0.9], "
    "point: [0, 0, "
    "0.2]}",
    "type: joint, stiffness: 90, damping: 2, bend_stiffness: 3, bend_damping: 0.2",
};

static void shown_is_what_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FORCES / sizeof *FORCES; ++i) {
        char text[900];
        (void)snprintf(
            text, sizeof text,
            "method: {type: euler, step: %g}\n"
            "bodies:\n"
            "  body: {type: rigid, mass: 2.5, inertia: [1, 1, 1], position: [0.1, 0.2, "
            "0.3],\n"
            "    orientation: {axis: [1, 2, 3], angle: 0.7}, velocity: [0.3, -0.2, 0.1],\n"
            "    angular_velocity: [0.5, 0.1, -0.4]}\n"
            "forces: [{name: it, on: body, %s}]\n",
            STEP, FORCES[i]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        hf_body body = hf_model_find_body(model, "body");
        hf_force_view view = hf_sim_force_view(sim, hf_model_find_force(model, "it"));
        double before[3], after[3];
        memcpy(before, hf_sim_velocity(sim, body), sizeof before);
        step(sim);
        memcpy(after, hf_sim_velocity(sim, body), sizeof after);
        double moved[3], size = 0.0;
        for (int k = 0; k < 3; ++k) {
            moved[k] = 2.5 * (after[k] - before[k]) / STEP;
            size += fabs(moved[k]);
        }
        assert_true(size > 1.0);
        hf_check_near_array(&view.force.x, moved, 3, 1e-8 * size, "force that is shown",
                            "m (v(h) - v(0))/h");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shown_is_what_moves)};
    return hf_run_tests(tests);
}
