// SPDX-License-Identifier: Apache-2.0
// What has no velocity sticks: frictions that hold the same motion break away where the sum of
// their static levels is reached, at every step, and rest at the bound is stick.
#include <hf_machine.h>

static void shared_break_away(void **state)
{
    (void)state;
    static const char *const methods[] = {"euler", "semi-implicit-euler", "discrete"};
    static const double steps[] = {1e-2, 1e-3, 3e-4};
    for (int i = 0; i < 9; ++i) {
        char text[700];
        (void)snprintf(text, sizeof text,
                       "method: {type: %s, step: %g}\n"
                       "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                       "signals: {pull: \"2*t\"}\n"
                       "forces:\n"
                       "  - {name: rope, on: block, type: force, value: pull}\n"
                       "  - {name: brake, on: block, type: friction, law: coulomb, level: 3}\n"
                       "  - {name: bearing, on: block, type: friction, law: coulomb,\n"
                       "     level: {coulomb: 1, static: 2}}\n",
                       methods[i / 3], steps[i % 3]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 2.45);
        hf_check_near(value_of(sim, "block.velocity"), 0.0, 0.0, "velocity", "4.9 of 5 N");
        hf_check_near(value_of(sim, "brake.mode"), 0.0, 0.0, "brake", "nothing moves");
        hf_check_near(value_of(sim, "bearing.mode"), 0.0, 0.0, "bearing", "nothing moves");
        run_until(sim, 2.55);
        hf_check_below(0.01, value_of(sim, "block.velocity"), "velocity", "5.1 of 5 N");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

static void rest_at_the_bound(void **state)
{
    (void)state;
    hf_model *model =
        model_of("method: {type: discrete, step: 1e-3}\n"
                 "bodies: {block: {type: mass, dim: 1, mass: 0.7}}\n"
                 "forces:\n"
                 "  - {name: rope, on: block, type: force, value: 10}\n"
                 "  - {name: floor, on: block, type: friction, law: coulomb, level: 10}\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "block.position"), 0.0, 0.0, "position", "10 of 10 N");
    hf_check_near(value_of(sim, "floor.mode"), 0.0, 0.0, "mode", "zero velocity is stick");
    hf_force_stats stats = hf_sim_force_stats(sim, hf_model_find_force(model, "floor"));
    hf_check_near(stats.slip_seconds, 0.0, 0.0, "time in slip", "it never moved");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_break_away),
        cmocka_unit_test(rest_at_the_bound),
    };
    return hf_run_tests(tests);
}
