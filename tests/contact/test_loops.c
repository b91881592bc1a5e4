// SPDX-License-Identifier: Apache-2.0
// Method timestep on closed chains: what loops are recorded to hold, with the share of contacts.
#include "contact_test.h"

#include <math.h>

// ------------------------------------------------------------------------------------------------
// A four-bar: two cranks of 1 m, 45 degrees from the vertical, carry a coupler of 2 m. A peg of it
// stands on a floor, or slides in a brake. Everything is in the plane of x and z.

static const char FOUR_BAR[] =
    "gravity: [0, 0, -10]\n"
    "bodies:\n"
    "  left: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1],\n"
    "    position: [0.35355339059327379, 0, 0.35355339059327379], velocity: [%g, 0, %g],\n"
    "    angular_velocity: [0, %g, 0]}\n"
    "  coupler: {type: rigid, mass: 3, inertia: [1, 1, 1],\n"
    "    position: [1.7071067811865475, 0, 0.70710678118654757], velocity: [%g, 0, %g]}\n"
    "  right: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1],\n"
    "    position: [2.3535533905932737, 0, 0.35355339059327379], velocity: [%g, 0, %g],\n"
    "    angular_velocity: [0, %g, 0]}\n"
    "loops:\n"
    "  - {name: a, type: revolute, on: left, point: [-0.35355339059327379, 0, "
    "-0.35355339059327379],\n"
    "     axis: [0, 1, 0], to_axis: [0, 1, 0]}\n"
    "  - {name: b, type: revolute, on: coupler, to: left, point: [-1, 0, 0], axis: [0, 1, 0], "
    "to_axis: [0, 1, 0],\n"
    "     to_point: [0.35355339059327379, 0, 0.35355339059327379]}\n"
    "  - {name: c, type: revolute, on: right, to: coupler,\n"
    "     point: [0.35355339059327379, 0, 0.35355339059327379], axis: [0, 1, 0], to_axis: [0, 1, "
    "0],\n"
    "     to_point: [1, 0, 0]}\n"
    "  - {name: d, type: revolute, on: right, axis: [0, 1, 0], to_axis: [0, 1, 0], to_point: [2, "
    "0, 0],\n"
    "     point: [-0.35355339059327379, 0, -0.35355339059327379]}\n"
    "forces:\n"
    "  - {name: push, on: coupler, type: force, value: [5, 0, 0]}\n";
static const char ON_THE_FLOOR[] =
    "  - {name: peg, on: coupler, point: [0.2, 0, -0.3], shape: {type: point}, type: contact,\n"
    "     friction: %g, restitution: 0, plane: {point: [0, 0, 0.40710678118654757]}}\n";
static const char IN_A_BRAKE[] = "  - {name: peg, on: coupler, point: [0.2, 0, -0.3], type: "
                                 "friction, law: coulomb, level: 20}\n";

static double of(hf_sim *sim, const char *name, char axis)
{
    char channel[64];
    (void)snprintf(channel, sizeof channel, "%s.%c", name, axis);
    return value_of(sim, channel);
}

static const char *four_bar(char text[4096], double spin, const char *rest, double number)
{
    const double c = 0.35355339059327379; // ends of cranks move by (w z, -w x)
    int length = snprintf(text, 4096, FOUR_BAR, c * spin, -c * spin, spin, 2.0 * c * spin,
                          -2.0 * c * spin, c * spin, -c * spin, spin);
    (void)snprintf(text + length, 4096 - (size_t)length, rest, number);
    return text;
}

// Of both ends, peg, push and weight on the coupler.
static void sum_on_coupler(hf_sim *sim, double sum[2])
{
    sum[0] = of(sim, "b.force", 'x') - of(sim, "c.force", 'x') + of(sim, "peg.force", 'x') + 5.0;
    sum[1] = of(sim, "b.force", 'z') - of(sim, "c.force", 'z') + of(sim, "peg.force", 'z') - 30.0;
}

// At rest: the coupler does not turn nor move, so the peg's force and the cranks' are in balance,
// and so is each crank.
static void at_rest(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char text[4096];
        double friction = i == 0 ? 0.0 : 0.5, sum[2];
        hf_model *model = model_of(four_bar(text, 0.0, ON_THE_FLOOR, friction));
        hf_sim *sim = sim_with(model, timestep(1e-3));
        run_until(sim, 0.1);
        hf_check_same_bits(value_of(sim, "coupler.velocity.x"), 0.0, "it rests");
        sum_on_coupler(sim, sum);
        hf_check_near(sum[0], 0.0, 1e-6, "forces on the coupler, x", "balance");
        hf_check_near(sum[1], 0.0, 1e-6, "forces on the coupler, z", "balance");
        // Of the whole by virtual work, where dz = -dx for the coupler and half of that for cranks
        double normal = of(sim, "peg.force", 'z'), along = of(sim, "peg.force", 'x');
        hf_check_near(5.0 + along - (normal - 30.0 - 10.0), 0.0, 1e-6, "virtual work", "balance");
        assert_true(fabs(along) <= friction * normal + 1e-9);
        // The crank `left` about the world's pin: the coupler at its end, its weight half way
        double end = of(sim, "b.force", 'z') - of(sim, "b.force", 'x');
        hf_check_near(0.70710678118654757 * end + 0.35355339059327379 * 10.0, 0.0, 1e-6,
                      "moment of the crank", "balance");
        hf_check_near(of(sim, "a.force", 'z') - of(sim, "b.force", 'z') - 10.0, 0.0, 1e-6,
                      "forces on the crank", "balance");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// In motion: m (v+ - v)/h is the sum of the recorded forces, up to the step's order.
static double imbalance(double h)
{
    char text[4096];
    hf_model *model = model_of(four_bar(text, 1.0, IN_A_BRAKE, 0.0));
    hf_sim *sim = sim_with(model, timestep(h));
    double worst = 0.0, sum[2];
    run_until(sim, 0.1);
    for (int i = 0; i < 5; ++i) {
        double x = value_of(sim, "coupler.velocity.x"), z = value_of(sim, "coupler.velocity.z");
        step(sim);
        sum_on_coupler(sim, sum);
        worst = fmax(worst, fabs(3.0 * (value_of(sim, "coupler.velocity.x") - x) / h - sum[0]));
        worst = fmax(worst, fabs(3.0 * (value_of(sim, "coupler.velocity.z") - z) / h - sum[1]));
    }
    hf_check_near(hypot(of(sim, "peg.force", 'x'), of(sim, "peg.force", 'z')), 20.0, 1e-6, "brake",
                  "its level");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return worst;
}

static void in_motion(void **state)
{
    (void)state;
    double coarse = imbalance(1e-3), fine = imbalance(1e-4);
    hf_check_below(coarse, 0.2, "imbalance at 1 ms", "Newton");
    hf_check_below(fine, 0.12 * coarse, "imbalance at 0.1 ms", "first order");
}

// An arm on a table that swings, by the weld of its free root: the friction of its joint bears
// 0.2 kg 0.15 m 0.45 m/s^2 of its 0.5 Nm and does not slip, so that nothing becomes heat.
static void a_stuck_joint_on_a_moving_base_makes_no_heat(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  table: {type: driven, dim: 3, position: [\"0.05*sin(3*t)\", \"0\", \"0\"]}\n"
        "  bot:\n"
        "    type: tree\n"
        "    joints:\n"
        "      root: {type: free, mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
        "      arm: {type: revolute, parent: root, axis: [0, 1, 0], mass: 0.2, center: [0, 0, "
        "-0.15],\n"
        "            inertia: [0.002, 0.002, 0.001], friction: {law: coulomb, level: 0.5}}\n"
        "loops:\n"
        "  hold: {type: fixed, on: bot.root, to: table}\n";
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, strlen(text), "table.yaml", NULL, NULL, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim *sim = sim_with(model, timestep(1e-3));
    for (int i = 0; i < 2000; ++i) {
        step(sim);
        assert_true(value_of(sim, "bot.arm.velocity") == 0.0);
    }
    hf_check_near(hf_sim_energy(sim).dissipated, 0.0, 1e-12, "heat", "nothing slips");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest),
        cmocka_unit_test(in_motion),
        cmocka_unit_test(a_stuck_joint_on_a_moving_base_makes_no_heat),
    };
    return hf_run_tests(tests);
}
