// SPDX-License-Identifier: Apache-2.0
// Friction that depends on direction: skis, brushes, wheels that slide sideways.
#include "contact_test.h"

#include <math.h>

// A plate on a slope about y whose surface has the direction `along`, on the plate or on the floor.
static hf_sim *on_slope(const char *plate, const char *ground, double angle, const char *more,
                        hf_model **model)
{
    char text[1600];
    (void)snprintf(
        text, sizeof text,
        "gravity: [0, 0, -10]\nfriction_rule: minimum\nbodies:\n"
        "  ground: {type: static, orientation: {axis: [0, 1, 0], angle: %.17g}, shape: {type: box, "
        "size: [9, 9, 1], %s}}\n"
        "  plate: {type: rigid, position: [%.17g, 0, %.17g], orientation: {axis: [0, 1, 0], angle: "
        "%.17g}, shape: {type: box, size: [0.4, 0.4, 0.02], density: 300, %s}}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: all, friction: 0.9, restitution: 0%s}\n",
        angle, ground, 0.51 * sin(angle), 0.51 * cos(angle), angle, plate, more);
    *model = model_of(text);
    return sim_with(*model, timestep(2e-3));
}

static double moved(hf_sim *sim, double angle)
{
    double x = value_of(sim, "plate.position.x"), z = value_of(sim, "plate.position.z");
    return cos(angle) * x - sin(angle) * z;
}

static void finish(hf_sim *sim, hf_model *model)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// On a slope of 0.3 rad, tan 0.309: held where the direction with 0.5 is downhill, and not by a bit
// less; sliding with 0.1 where that one is. Whoever of the two surfaces has the direction.
static void slopes_hold_by_direction(void **state)
{
    (void)state;
    const double slope = 0.3;
    const struct {
        const char *plate, *ground;
        bool holds;
    } cases[] = {
        {"friction: 0.5, friction_across: 0.1, friction_direction: [1, 0, 0]", "friction: 0.9", 1},
        {"friction: 0.1, friction_across: 0.5, friction_direction: [0, 2, 0]", "friction: 0.9", 1},
        {"friction: 0.1, friction_across: 0.5, friction_direction: [1, 0, 0]", "friction: 0.9", 0},
        {"friction: 0.5, friction_across: 0.1, friction_direction: [0, 1, 0]", "friction: 0.9", 0},
        {"friction: 0.9", "friction: 0.5, friction_across: 0.1, friction_direction: [1, 0, 3]", 1},
        {"friction: 0.9", "friction: 0.1, friction_across: 0.5, friction_direction: [1, 0, 0]", 0},
        {"friction: 0.9, rolling_friction: 0.01, spin_friction: 0.02",
         "friction: 0.1, friction_across: 0.5, friction_direction: [1, 0, 0]", 0},
        // a direction across the surface says nothing
        {"friction: 0.5, friction_across: 0.1, friction_direction: [0, 0, 1]", "friction: 0.9", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_model *model;
        hf_sim *sim = on_slope(cases[i].plate, cases[i].ground, slope, "", &model);
        run_until(sim, 0.2);
        double before = value_of(sim, "plate.position.x");
        run_until(sim, 0.5);
        if (cases[i].holds) {
            assert_true(value_of(sim, "plate.position.x") == before); // to the bit
        } else {
            double a = 10.0 * (sin(slope) - 0.1 * cos(slope));
            hf_check_near(moved(sim, slope), 0.5 * a * 0.25, 0.02 * a, "way", "closed form");
        }
        finish(sim, model);
    }
}

// Thrown at 45 degrees to the grain: the force is where the ellipse's normal is the slip, so that
// v_x' = -g mu_x^2 v_x / s, v_y' = -g mu_y^2 v_y / s with s^2 = (mu_x v_x)^2 + (mu_y v_y)^2.
static void slips_bend_to_the_grain(void **state)
{
    (void)state;
    double v[2] = {1.0, 1.0}, want[2] = {0.0, 0.0}, h = 1e-5;
    for (int i = 0; i < 200000 && hypot(v[0], v[1]) > 1e-4; ++i) {
        double s = hypot(0.1 * v[0], 0.5 * v[1]);
        v[0] -= h * 10.0 * 0.01 * v[0] / s;
        v[1] -= h * 10.0 * 0.25 * v[1] / s;
        want[0] += h * v[0];
        want[1] += h * v[1];
    }
    double last[2] = {1.0, 1.0};
    for (int k = 0; k < 2; ++k) {
        hf_model *model =
            model_of("gravity: [0, 0, -10]\nfriction_rule: minimum\nbodies:\n"
                     "  floor: {type: static, shape: {type: plane}}\n"
                     "  plate: {type: rigid, position: [0, 0, 0.005], velocity: [1, 1, 0], shape: "
                     "{type: box, size: [0.4, 0.4, 0.01], density: 625, friction: 0.1, "
                     "friction_across: 0.5, friction_direction: [1, 0, 0]}}\n"
                     "forces:\n"
                     "  - {name: c, type: collide, among: all, friction: 0.9, restitution: 0}\n");
        hf_sim *sim = sim_with(model, timestep(k == 0 ? 4e-3 : 1e-3));
        run_until(sim, 2.0);
        double off[2] = {value_of(sim, "plate.position.x") - want[0],
                         value_of(sim, "plate.position.y") - want[1]};
        for (int i = 0; i < 2; ++i) {
            assert_true(fabs(off[i]) < 0.4 * last[i]); // first order in the step
            last[i] = fabs(off[i]);
        }
        hf_check_near(value_of(sim, "energy.residual"), 0.0, 1e-10, "residual", "closed ledger");
        finish(sim, model);
    }
    assert_true(last[0] < 2e-3 && last[1] < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_hold_by_direction),
        cmocka_unit_test(slips_bend_to_the_grain),
    };
    return hf_run_tests(tests);
}
