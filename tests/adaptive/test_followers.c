// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH on driven bodies that copy another's motion without acting back on it.
#include "adaptive_test.h"

#include <math.h>

#include "sim/sim_data.h"

static hf_method_def method(double tolerance)
{
    return (hf_method_def){.type = HF_METHOD_SWITCH,
                           .step = 0.125,
                           .family = HF_FAMILY_ADAMS,
                           .rtol = tolerance,
                           .atol = tolerance};
}

// A cart that rubs on the ground is pulled by t. A belt copies it, and carries a block of 2 kg with
// at most 3 N. The cart breaks away at 1 s, a = t - 1, the block from the belt at 2.5 s, a = 1.5;
// the cart knows nothing of the block.
static void block_on_a_copy(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies:\n"
                 "  cart: {type: mass, axes: x, mass: 1}\n"
                 "  belt: {type: driven, axes: x, follow: cart}\n"
                 "  block: {type: mass, axes: x, mass: 2}\n"
                 "signals: {pull: \"t\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: cart, type: force, value: pull}\n"
                 "  - {name: ground, on: cart, type: friction, law: coulomb, level: 1}\n"
                 "  - {name: grip, on: block, to: belt, type: friction, law: coulomb, level: 3}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, method(1e-10), &log);
    run_until(sim, 0.75);
    hf_check_same_bits(value_of(sim, "block.velocity"), 0.0, "velocity in stick");
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "grip.force"), 2.0, 1e-9, "force on the block", "2 kg (t - 1)");
    hf_check_near(value_of(sim, "block.velocity"), 0.5, 1e-9, "velocity", "(t - 1)^2/2");
    hf_check_near(value_of(sim, "cart.velocity"), value_of(sim, "block.velocity"), 1e-15,
                  "velocity of the cart", "the block's");
    run_until(sim, 4.0);
    assert_int_equal(log.count, 2);
    hf_check_near(log.events[0].time, 1.0, 1e-9, "cart breaks away", "pull = level");
    hf_check_near(log.events[1].time, 2.5, 1e-9, "block breaks away", "2 kg (t - 1) = 3 N");
    hf_check_near(value_of(sim, "cart.velocity"), 4.5, 1e-8, "velocity of the cart", "(t - 1)^2/2");
    hf_check_near(value_of(sim, "block.velocity"), 1.125 + 1.5 * 1.5, 1e-8, "velocity of the block",
                  "closed form");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-7, "energy residual", "rtol 1e-10");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The cart runs into a wall: so does what copies it, and a stop between the copy and a block
// strikes the block as if by a body without end.
static void impact_of_a_copy(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies:\n"
                 "  cart: {type: mass, axes: x, mass: 1, velocity: 2}\n"
                 "  ram: {type: driven, axes: x, follow: cart}\n"
                 "  block: {type: mass, axes: x, mass: 3, position: 1}\n"
                 "forces:\n"
                 "  - {name: wall, on: cart, type: stop, low: -9, high: 3, restitution: 0.5}\n"
                 "  - {name: hit, on: block, to: ram, type: stop, low: 0.5, restitution: 0.25}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, method(1e-10), &log);
    run_until(sim, 1.0);
    // At 0.25 s: the block leaves with 1.25 times the ram's 2 m/s; the cart keeps them
    hf_check_near(log.events[0].time, 0.25, 1e-9, "hit", "0.5 m at 2 m/s");
    hf_check_near(value_of(sim, "block.velocity"), 2.5, 1e-9, "block", "2 (1 + e)");
    hf_check_near(value_of(sim, "cart.velocity"), 2.0, 1e-12, "cart", "feels nothing");
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "cart.velocity"), -1.0, 1e-9, "cart", "the wall");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-8, "energy residual", "rtol 1e-10");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A point lies on a table that copies a cart's motion: it slides where the cart's acceleration,
// 2 t along x, is more than mu g.
static void contact_on_a_copy(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies:\n"
                 "  cart: {type: mass, axes: x, mass: 1}\n"
                 "  table: {type: driven, axes: x, follow: cart}\n"
                 "  point: {type: mass, mass: 0.5}\n"
                 "signals: {pull: \"2*t\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: cart, type: force, value: pull}\n"
                 "  - {name: rail, on: cart, type: friction, law: coulomb, level: 0.5}\n"
                 "  - {name: top, on: point, plane: {body: table}, type: contact,\n"
                 "     law: rigid-contact, restitution: 0, friction: 0.3}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, method(1e-9), &log);
    run_until(sim, 1.5);
    hf_check_near(value_of(sim, "point.velocity.x"), value_of(sim, "cart.velocity"), 1e-9,
                  "velocity", "the cart's");
    run_until(sim, 3.0);
    // 2 t - 0.5 = 3 at 1.75 s; then 3 m/s^2
    assert_int_equal(log.count, 2);
    hf_check_near(log.events[1].time, 1.75, 1e-7, "begins to slide", "cart's acceleration = mu g");
    double v = (1.75 * 1.75 - 0.0625) - 0.5 * (1.75 - 0.25) + 3.0 * 1.25;
    hf_check_near(value_of(sim, "point.velocity.x"), v, 1e-7, "velocity", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_a_copy),
        cmocka_unit_test(impact_of_a_copy),
        cmocka_unit_test(contact_on_a_copy),
    };
    return hf_run_tests(tests);
}
