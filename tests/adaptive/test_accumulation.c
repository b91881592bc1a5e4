// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: machines whose events accumulate. Stops are met again after the smallest
// rebound, frictions on belts break away where rounding turns the first motion around, and several
// frictions rub on one shaking belt: runs end, with a closed ledger and forces in balance.
#include <hf_balance.h>

#include "adaptive_test.h"

// A stop of restitution 1/2 between blocks of which one rubs on a belt with kinks. Its last
// rebounds are smaller than what the integrator may err in the gap.
static const char REBOUNDS[] =
    "bodies:\n"
    "  belt0: {type: driven, dim: 1, velocity: \"0.09644*abs(sin(15.87*t))\"}\n"
    "  m0: {type: mass, dim: 1, mass: 2.276, position: 0, velocity: 0}\n"
    "  m1: {type: mass, dim: 1, mass: 2.901, position: 0.3, velocity: 0}\n"
    "forces:\n"
    "  - {name: p0, on: m0, type: force, value: \"3.197*sin(1.641*t+2.74)\"}\n"
    "  - {name: s0, on: m0, type: spring, stiffness: 93.63, damping: 0.947}\n"
    "  - {name: f00, on: m0, type: friction, law: coulomb, level: {coulomb: 1.38, static: 1.38}}\n"
    "  - {name: f01, on: m0, type: friction, law: coulomb, level: {coulomb: 0.9619, static: "
    "0.9619}}\n"
    "  - {name: p1, on: m1, type: force, value: \"3.332*sin(8.209*t+4.91)\"}\n"
    "  - {name: s1, on: m1, type: spring, stiffness: 66.61, damping: 0.124}\n"
    "  - {name: f10, on: m1, to: belt0, type: friction, law: coulomb, level: {coulomb: 3.133, "
    "static: 3.133}}\n"
    "  - {name: t1, on: m1, to: m0, type: stop, low: 0.25, restitution: 0.5}\n";

// Blocks that rub on each other, on the ground and on belts. The friction between two that a belt
// carries breaks away under a load that hardly rises.
static const char CHAIN[] =
    "bodies:\n"
    "  belt0: {type: driven, dim: 1, velocity: \"0.08877*abs(sin(11.86*t))\"}\n"
    "  belt1: {type: driven, dim: 1, position: \"0.05686*sin(10.51*t)\"}\n"
    "  m0: {type: mass, dim: 1, mass: 2.919, position: 0, velocity: 0}\n"
    "  m1: {type: mass, dim: 1, mass: 2.255, position: 0.3, velocity: 0.2894}\n"
    "  m2: {type: mass, dim: 1, mass: 2.904, position: 0.6, velocity: 0.1723}\n"
    "forces:\n"
    "  - {name: p0, on: m0, type: force, value: \"3.341*sin(4.542*t+0.25)\"}\n"
    "  - {name: s0, on: m0, type: spring, stiffness: 69.28, damping: 0.135}\n"
    "  - {name: f00, on: m0, to: belt0, type: friction, law: coulomb, level: {coulomb: 2.722, "
    "static: 2.722}}\n"
    "  - {name: p1, on: m1, type: force, value: \"4.235*sin(2.361*t+3.6)\"}\n"
    "  - {name: f10, on: m1, type: friction, law: coulomb, level: {coulomb: 2.832, static: "
    "2.832}}\n"
    "  - {name: c1, on: m1, to: m0, type: friction, law: coulomb, level: {coulomb: 3.925}}\n"
    "  - {name: p2, on: m2, type: force, value: \"5.933*sin(3.297*t+5.99)\"}\n"
    "  - {name: s2, on: m2, type: spring, stiffness: 82.55, damping: 0.963}\n"
    "  - {name: f20, on: m2, type: friction, law: coulomb, level: {coulomb: 3.943, static: "
    "3.943}}\n"
    "  - {name: f21, on: m2, to: belt0, type: friction, law: coulomb, level: {coulomb: 2.071, "
    "static: 2.071}}\n"
    "  - {name: c2, on: m2, to: m1, type: friction, law: coulomb, level: {coulomb: 1.226}}\n";

// Two unlike frictions between a block and one shaking belt, a third against the ground.
static const char ONE_BELT[] =
    "bodies:\n"
    "  belt: {type: driven, dim: 1, position: \"0.02*sin(9*t)\"}\n"
    "  block: {type: mass, dim: 1, mass: 1.3}\n"
    "forces:\n"
    "  - {name: one, on: block, to: belt, type: friction, law: coulomb,\n"
    "     level: {coulomb: 1, static: 1.4}}\n"
    "  - {name: two, on: block, to: belt, type: friction, law: coulomb, level: 0.3}\n"
    "  - {name: ground, on: block, type: friction, law: coulomb, level: 0.4}\n";

// Runs to the end: the ledger closed to a part of what was turned over, forces in balance.
static void run_checked(const char *text, const char *stop, double low)
{
    hf_model *model = model_of(text);
    hf_method_def method = switching(HF_FAMILY_ADAMS, 1e-6, 0.01);
    method.atol = 1e-9;
    hf_sim *sim = sim_with(model, method);
    hf_balance balance = hf_balance_of(sim);
    balance.impacts = true; // and several events within a sample
    balance.least_heat = 1e-5;
    while (hf_sim_time(sim) < 4.0) {
        step(sim);
        hf_balance_sample(&balance);
        if (stop != NULL) {
            hf_force_view view = hf_sim_force_view(sim, hf_model_find_force(model, stop));
            hf_check_below(low - view.gap, 1e-6, "depth beyond the stop", "10 rtol of positions");
        }
    }
    hf_energy energy = hf_sim_energy(sim);
    hf_check_below(fabs(energy.residual), 2e-5 * energy.turnover, "residual", "the ledger");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void small_rebounds(void **state)
{
    (void)state;
    run_checked(REBOUNDS, "t1", 0.25);
}

static void chain_on_belts(void **state)
{
    (void)state;
    run_checked(CHAIN, NULL, 0.0);
}

static void one_shaking_belt(void **state)
{
    (void)state;
    run_checked(ONE_BELT, NULL, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_rebounds),
        cmocka_unit_test(chain_on_belts),
        cmocka_unit_test(one_shaking_belt),
    };
    return hf_run_tests(tests);
}
