// SPDX-License-Identifier: Apache-2.0
// Surfaces that give way: below the bound of friction they slip with a velocity for each newton.
#include "contact_test.h"

#include <math.h>
#include <string.h>

// A box of 2 kg on a floor, both with surfaces, pushed by a force through its center.
static hf_sim *pushed(const char *box, const char *floor, const char *push, double step,
                      hf_model **model)
{
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -10]\nfriction_rule: minimum\nbodies:\n"
                   "  floor: {type: static, shape: {type: plane, %s}}\n"
                   "  box: {type: rigid, mass: 2, inertia: [0.03, 0.03, 0.05], position: [0, 0, "
                   "0.1], %s}\n"
                   "forces:\n"
                   "  - {name: push, on: box, type: force, value: %s}\n"
                   "  - {name: c, type: collide, among: all, friction: 1, restitution: 0}\n",
                   floor, box, push);
    *model = model_of(text);
    return sim_with(*model, timestep(step));
}

static void finish(hf_sim *sim, hf_model *model)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

#define BOX  "shape: {type: box, size: [0.4, 0.4, 0.2], friction: 0.5, "
#define BALL "shape: {type: sphere, radius: 0.1, friction: 0.5, rolling_friction: 9, "

// v' = (F - v/slip)/m: v = slip F (1 - exp(-t/(m slip))), whether it touches in four points or
// in one (a ball that cannot roll). First order in the step.
static void velocity_by_force(void **state)
{
    (void)state;
    const char *const boxes[] = {BOX "slip: 0.1}", BALL "slip: 0.1}"};
    const double want = 0.3 * (1.0 - exp(-0.3 / 0.2));
    for (int b = 0; b < 2; ++b) {
        double last = 0.0;
        for (int k = 0; k < 2; ++k) {
            hf_model *model;
            hf_sim *sim = pushed(boxes[b], "friction: 1, rolling_friction: 9", "[3, 0, 0]",
                                 k ? 5e-4 : 2e-3, &model);
            run_until(sim, 0.3);
            double off = fabs(value_of(sim, "box.velocity.x") - want);
            assert_true(k == 0 || fabs(off / last - 0.25) < 0.02);
            last = off;
            assert_true(value_of(sim, "c.mode") == 1.0); // it moves
            hf_check_near(value_of(sim, "box.velocity.y"), 0.0, 1e-9, "across", "symmetry");
            run_until(sim, 4.0);
            hf_check_near(value_of(sim, "box.velocity.x"), 0.3, 1e-7, "velocity", "slip F");
            // What is left is half a step's gain of speed in the work of the push
            hf_check_near(value_of(sim, "energy.residual"), 0.5 * (k ? 5e-4 : 2e-3) * 3.0 * 0.3,
                          1e-8, "residual", "the heat of slipping is in the ledger");
            finish(sim, model);
        }
        assert_true(last < 2e-4);
    }
}

// Along a direction and across it, of the body, of the floor, and by the world (ODE: the first
// direction of a floor is y); slips of two surfaces add up.
static void two_numbers(void **state)
{
    (void)state;
    const struct {
        const char *box, *floor;
        double x, y; // slip along the world's axes
    } cases[] = {
        {BOX "slip: [0.1, 0.02], friction_direction: [1, 0, 0]}", "friction: 1", 0.1, 0.02},
        {BOX "slip: [0.1, 0.02], friction_direction: [0, 3, 0]}", "friction: 1", 0.02, 0.1},
        {BOX "slip: [0.1, 0.02], friction_direction: [1, 0, 0]}, orientation: {axis: [0, 0, 1], "
             "angle: 1.5707963267948966}",
         "friction: 1", 0.02, 0.1},
        {BOX "slip: [0.1, 0.02], friction_direction: world}", "friction: 1", 0.02, 0.1},
        {BOX "slip: 0.03}", "friction: 1, slip: [0.05, 0], friction_direction: [1, 0, 0]", 0.08,
         0.03},
        {BOX "slip: 0.03}", "friction: 1, slip: 0.01", 0.04, 0.04},
        // with friction that depends on direction too
        {BOX "friction_across: 0.3, slip: [0.1, 0.02], friction_direction: [1, 0, 0]}",
         "friction: 1", 0.1, 0.02},
        {BOX "friction_across: 0.9, slip: [0.1, 0.02], friction_direction: [1, 0, 0]}",
         "friction: 1", 0.1, 0.02},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_model *model;
        hf_sim *sim = pushed(cases[i].box, cases[i].floor, "[3, 2, 0]", 2e-3, &model);
        run_until(sim, 4.0);
        hf_check_near(value_of(sim, "box.velocity.x"), 3.0 * cases[i].x, 1e-7, "along x", "slip F");
        hf_check_near(value_of(sim, "box.velocity.y"), 2.0 * cases[i].y, 1e-7, "along y", "slip F");
        finish(sim, model);
    }
}

// At the bound it is Coulomb's friction: 30 N against 10 N, 10 m/s^2.
static void bound(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = pushed(BOX "slip: 0.01}", "friction: 1", "[30, 0, 0]", 1e-3, &model);
    run_until(sim, 1.0);
    double before = value_of(sim, "box.velocity.x");
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "box.velocity.x") - before, 10.0, 1e-6, "gain in a second",
                  "(F - mu m g)/m");
    hf_check_near(value_of(sim, "box.velocity.y"), 0.0, 1e-6, "across", "symmetry");
    finish(sim, model);
}

// Other methods say that they cannot; numbers that cannot be are refused.
static void refusals(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = pushed(BOX "slip: 0.1}", "friction: 1", "[3, 0, 0]", 1e-3, &model);
    hf_sim_destroy(sim);
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method.type = HF_METHOD_RK4;
    sim = hf_sim_create(model, &def, &error);
    assert_null(sim);
    assert_non_null(strstr(error.text, "gives way with a velocity (slip); timestep runs"));
    hf_model_destroy(model);
    static const char text[] = "bodies:\n  b: {type: rigid, shape: {type: sphere, radius: 1, "
                               "density: 1, slip: -1}}\n";
    hf_spec *spec = hf_spec_parse(text, strlen(text), "slip", NULL, NULL, &error);
    assert_null(spec);
    assert_non_null(strstr(error.text, "slip"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_by_force),
        cmocka_unit_test(two_numbers),
        cmocka_unit_test(bound),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
