// SPDX-License-Identifier: Apache-2.0
// Live sims with contacts of shapes that take other numbers: contacts have them too, and what the
// program has set stays.
#include <hf_machine.h>

// A box on a floor whose friction is the shape's own, pushed sideways by an input.
static const char *pushed(const char *method, const char *mu)
{
    static char text[1000];
    (void)snprintf(
        text, sizeof text,
        "method: {type: %s, step: 1e-4}\n"
        "gravity: [0, 0, -10]\n"
        "signals: {push: {input: 0}}\n"
        "bodies:\n"
        "  floor: {type: static, shape: {type: plane, friction: %s}}\n"
        "  box: {type: rigid, mass: 2, position: [0, 0, 0.05], velocity: [1, 0, 0], "
        "shape: {type: box, size: [0.2, 0.2, 0.1]}}\n"
        "forces:\n"
        "  - {name: touch, type: collide, among: all, friction: 0, restitution: 0}\n"
        "  - {name: pusher, on: box, type: force, coupling: points, value: [0, push, 0]}\n",
        method, mu);
    return text;
}

// Contacts of shapes take the numbers of the new model, whose old one is gone; inputs of the
// program stay.
static void shapes_take_new_numbers(void **state)
{
    (void)state;
    static const char *const methods[] = {"timestep", "switch", "rk4", "discrete", "adaptive"};
    for (int i = 0; i < 5; ++i) {
        hf_error error = {0};
        hf_model *model = model_of(pushed(methods[i], "0.1"));
        hf_sim *sim = sim_from(model, NULL);
        hf_sim_set_input(sim, hf_model_find_signal(model, "push"), 1.0);
        run_until(sim, 0.02);
        assert_int_equal(hf_sim_set_parameter(sim, "box.mass", 4.0, &error), HF_OK);
        double v = value_of(sim, "box.velocity.y"), u = value_of(sim, "box.velocity.x");
        run_until(sim, 0.04);
        // 1 N by 4 kg; friction takes 1 m/s^2 along the velocity, hardly any of it sideways
        hf_check_near((value_of(sim, "box.velocity.y") - v) / 0.02, 0.25, 0.03, methods[i],
                      "the push by the new mass");
        hf_check_near((value_of(sim, "box.velocity.x") - u) / 0.02, -1.0, 0.05, methods[i],
                      "friction of 0.1");
        hf_model *other = model_of(pushed(methods[i], "0.5"));
        assert_int_equal(hf_sim_set_model(sim, other, NULL, NULL, 0, &error), HF_OK);
        hf_model_destroy(model);
        hf_model_destroy(other);
        u = value_of(sim, "box.velocity.x");
        run_until(sim, 0.06);
        hf_check_near((value_of(sim, "box.velocity.x") - u) / 0.02, -5.0, 0.1, methods[i],
                      "friction of 0.5");
        hf_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_take_new_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
