// SPDX-License-Identifier: Apache-2.0
// The absolute tolerance follows the machine's own speed: a machine that is as many times slower
// gives the same answer in its own units, at default tolerances.
#include <math.h>

#include "adaptive_test.h"

// A block on a spring with friction, begun with v, stops where it does at 1 m/s, times v.
static double way(const char *method, const char *friction, double v, hf_verdict *verdict)
{
    char text[600], law[120];
    (void)snprintf(law, sizeof law, friction, 0.7 * v);
    (void)snprintf(text, sizeof text,
                   "method: {type: %s, step: 0.1}\n"
                   "bodies:\n  block: {type: mass, axes: x, mass: 1, velocity: %g}\n"
                   "forces:\n"
                   "  - {name: rub, on: block, %s}\n"
                   "  - {name: pull, type: spring, on: block, stiffness: 10}\n",
                   method, v, law);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 2.0);
    double x = value_of(sim, "block.position") / v;
    *verdict = hf_sim_verdict(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return x;
}

static void slow_machines_have_the_same_answer(void **state)
{
    (void)state;
    static const char *const methods[][2] = {
        {"switch", "type: friction, law: coulomb, level: {coulomb: %g}"},
        {"adaptive",
         "type: friction, law: lugre, level: {coulomb: %g}, stiffness: 1e3, damping: 10"}};
    for (int m = 0; m < 2; ++m) {
        hf_verdict verdict;
        double usual = way(methods[m][0], methods[m][1], 1.0, &verdict);
        for (double v = 1e-3; v > 2e-11; v *= 0.1) {
            double x = way(methods[m][0], methods[m][1], v, &verdict);
            hf_check_near(x, usual, 2e-3 * fabs(usual), methods[m][0], "1 m/s");
            assert_true(verdict.trustworthy);
        }
    }
}

// Where speeds are those of rounding the run tells that it lost its energy.
static void what_is_too_slow_is_told(void **state)
{
    (void)state;
    hf_verdict verdict;
    (void)way("switch", "type: friction, law: coulomb, level: {coulomb: %g}", 1e-14, &verdict);
    assert_false(verdict.trustworthy);
}

// What lies on a floor at 3e-9 m/s slides v^2/(2 mu g) far in space too.
static void a_slow_box_slides(void **state)
{
    (void)state;
    hf_model *model = model_of("gravity: [0, 0, -1e-8]\nmethod: {type: switch, step: 0.1}\n"
                               "bodies:\n  floor: {type: static, shape: {type: plane}}\n"
                               "  box: {type: rigid, mass: 1, position: [0, 0, 0.05],\n"
                               "    velocity: [3e-9, 0, 0],\n"
                               "    shape: {type: box, size: [0.2, 0.2, 0.1]}}\n"
                               "forces:\n  - {name: touch, type: collide, among: all, friction: "
                               "0.3, restitution: 0}\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "box.position.x"), 1.5e-9, 1e-12, "way", "v^2/(2 mu g)");
    assert_true(hf_sim_verdict(sim).trustworthy);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_machines_have_the_same_answer),
        cmocka_unit_test(what_is_too_slow_is_told),
        cmocka_unit_test(a_slow_box_slides),
    };
    return hf_run_tests(tests);
}
