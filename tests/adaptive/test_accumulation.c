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

// A block that one pushes at a stop and another pulls at a stop: impacts of one open the other.
static const char PUSHED_AND_PULLED[] =
    "gravity: [0,0,-9.81]\n"
    "bodies:\n"
    "  belt0: {type: driven, dim: 1, position: \"0.04308*sin(12.82*t)\"}\n"
    "  belt1: {type: driven, dim: 1, velocity: \"0.1911*sin(1.43*t)\"}\n"
    "  m0: {type: mass, dim: 1, mass: 1.207, position: 0, velocity: -0.7646}\n"
    "  m1: {type: mass, dim: 1, mass: 3.436, position: 0.3, velocity: 0}\n"
    "  m2: {type: mass, dim: 1, mass: 0.6265, position: 0.6, velocity: 0}\n"
    "  m3: {type: mass, dim: 1, mass: 0.9229, position: 0.9, velocity: 0.6962}\n"
    "forces:\n"
    "  - {name: f12, on: m3, to: belt1, type: friction, law: coulomb, level: 6.541}\n"
    "  - {name: e6, on: m1, to: m0, type: stop, low: 0.132, high: 0.562,\n"
    "      restitution: 0.00236}\n"
    "  - {name: f2, on: m1, to: m0, type: friction, law: coulomb, level: 7.295}\n"
    "  - {name: s4, on: m1, to: m0, type: spring, stiffness: 153.1, damping: 1.09}\n"
    "  - {name: p5, on: m1, type: force, value: \"1.681*sin(1.191*t)\"}\n"
    "  - {name: f11, on: m3, to: belt1, type: friction, law: coulomb, level: 0.7635}\n"
    "  - {name: p1, on: m0, type: force, value: \"0.8983*sin(15.27*t)\"}\n"
    "  - {name: f8, on: m2, to: belt1, type: friction, law: coulomb, level: 7.939}\n"
    "  - {name: f3, on: m1, type: friction, law: coulomb, level: {coulomb: 1.837,\n"
    "      static: 2.536, stribeck_velocity: 0.121}}\n"
    "  - {name: f0, on: m0, type: friction, law: coulomb, level: {coulomb: 0.6461,\n"
    "      static: 0.8533, stribeck_velocity: 0.0777}}\n"
    "  - {name: f9, on: m2, to: belt0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 5.601, static: 10.05, stribeck_velocity: 0.0411}}\n"
    "  - {name: e10, on: m2, to: m1, type: stop, low: 0.258, high: 0.423, restitution: 0}\n"
    "  - {name: f7, on: m2, to: m1, type: friction, law: coulomb,\n"
    "      level: {coulomb: 1.764, static: 2.191, stribeck_velocity: 0.129}}\n";

// Rebounds of rounding size beside a stop at rest.
static const char BOUNCES_OF_ROUNDING[] =
    "gravity: [0,0,-9.81]\n"
    "bodies:\n"
    "  belt0: {type: driven, dim: 1, position: \"0.01881*sin(21.77*t)\"}\n"
    "  m0: {type: mass, dim: 1, mass: 0.8713, position: 0, velocity: 0.0918}\n"
    "  m1: {type: mass, dim: 1, mass: 2.476, position: 0.3, velocity: 0.7862}\n"
    "  m2: {type: mass, dim: 1, mass: 0.5436, position: 0.6, velocity: 0.7657}\n"
    "  arm: {type: tree, joints: {a: {type: revolute, axis: [0,1,0], mass: 1,\n"
    "      center: [0.2,0,0], inertia: [0.01,0.02,0.02], position: 0.777},\n"
    "      b: {type: revolute, parent: a, axis: [0,1,0], offset: [0.4,0,0], mass: 1,\n"
    "      center: [0.3,0,0], inertia: [0.01,0.03,0.03], position: 0.382}}}\n"
    "forces:\n"
    "  - {name: p12, on: m2, type: force, value: \"9.207*sin(13.91*t)\"}\n"
    "  - {name: f0, on: m0, to: belt0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 4.8, static: 5.613}}\n"
    "  - {name: e7, on: m1, to: m0, type: stop, low: 0.248, high: 0.553,\n"
    "      restitution: 0.154}\n"
    "  - {name: f9, on: m2, to: m0, type: friction, law: coulomb, level: 7.292}\n"
    "  - {name: e13, on: m2, to: m1, type: stop, low: 0.292, high: 0.382, restitution: 0}\n"
    "  - {name: p4, on: m0, type: force, value: \"4.372*sin(9.626*t)\"}\n"
    "  - {name: s11, on: m2, to: m1, type: spring, stiffness: 254.9, damping: 0}\n"
    "  - {name: f2, on: m0, to: belt0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 2.4, static: 3.376, stribeck_velocity: 0.0885}}\n"
    "  - {name: fra, on: arm.a, type: friction, law: coulomb, level: {coulomb: 4.316,\n"
    "      static: 7.007, stribeck_velocity: 0.1}}\n"
    "  - {name: sta, on: arm.a, type: stop, low: -1.3, high: 1.3, restitution: 0.4}\n"
    "  - {name: f5, on: m1, to: belt0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 0.6264, static: 0.974, stribeck_velocity: 0.141}}\n"
    "  - {name: s6, on: m1, to: m0, type: spring, stiffness: 674.7, damping: 0.394}\n"
    "  - {name: tq, on: arm.a, type: torque, value: \"2.34*sin(5.54*t)\"}\n"
    "  - {name: frb, on: arm.b, type: friction, law: coulomb, level: 7.155}\n"
    "  - {name: s3, on: m0, type: spring, stiffness: 7.314, damping: 0}\n"
    "  - {name: f10, on: m2, to: m1, type: friction, law: coulomb,\n"
    "      level: {coulomb: 4.063, static: 7.849}}\n"
    "  - {name: stb, on: arm.b, type: stop, low: -1.3, high: 1.3, restitution: 0.4}\n"
    "  - {name: f1, on: m0, to: belt0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 1.838, static: 2.124, stribeck_velocity: 0.0874}}\n"
    "  - {name: f8, on: m2, to: belt0, type: friction, law: coulomb, level: 3.14}\n";

// A block squeezed between two others: an impact puts it beyond the other stop's limit.
static const char SQUEEZED[] =
    "gravity: [0,0,-9.81]\n"
    "bodies:\n"
    "  belt0: {type: driven, dim: 1, velocity: \"1.994*sin(33.21*t)\"}\n"
    "  belt1: {type: driven, dim: 1, position: \"0.2381*sin(7.773*t)\"}\n"
    "  m0: {type: mass, dim: 1, mass: 3.983, position: 0, velocity: 0}\n"
    "  m1: {type: mass, dim: 1, mass: 0.7778, position: 0.3, velocity: 0}\n"
    "  m2: {type: mass, dim: 1, mass: 3.916, position: 0.6, velocity: 0}\n"
    "  m3: {type: mass, dim: 1, mass: 0.8549, position: 0.9, velocity: 0}\n"
    "forces:\n"
    "  - {name: s6, on: m1, type: spring, stiffness: 935.4, damping: 0}\n"
    "  - {name: f4, on: m1, to: m0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 2.869, static: 5.029, stribeck_velocity: 0.0547}}\n"
    "  - {name: f15, on: m3, to: belt0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 3.334, static: 5.696}}\n"
    "  - {name: p11, on: m2, type: force, value: \"1.655*sin(16.35*t)\"}\n"
    "  - {name: e12, on: m2, to: m1, type: stop, low: 0.0399, high: 0.479,\n"
    "      restitution: 0.233}\n"
    "  - {name: s3, on: m0, type: spring, stiffness: 73.12, damping: 0.835}\n"
    "  - {name: f1, on: m0, type: friction, law: coulomb, level: 3.583}\n"
    "  - {name: f2, on: m0, type: friction, law: coulomb, level: 3.072}\n"
    "  - {name: f5, on: m1, to: belt0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 3.75, static: 7.444, stribeck_velocity: 0.0565}}\n"
    "  - {name: s10, on: m2, to: m0, type: spring, stiffness: 6.904, damping: 1.86}\n"
    "  - {name: e17, on: m3, to: m2, type: stop, low: 0.118, high: 0.318, restitution: 0}\n"
    "  - {name: f14, on: m3, to: belt0, type: friction, law: coulomb,\n"
    "      level: {coulomb: 5.843, static: 11.39}}\n"
    "  - {name: e7, on: m1, to: m0, type: stop, low: 0.253, high: 0.452, restitution: 0}\n"
    "  - {name: f13, on: m3, to: belt1, type: friction, law: coulomb,\n"
    "      level: {coulomb: 0.8495, static: 0.9487, stribeck_velocity: 0.142}}\n"
    "  - {name: s16, on: m3, to: m0, type: spring, stiffness: 35.84, damping: 0.868}\n"
    "  - {name: f9, on: m2, to: belt1, type: friction, law: coulomb,\n"
    "      level: {coulomb: 1.345, static: 1.913, stribeck_velocity: 0.0137}}\n"
    "  - {name: f0, on: m0, type: friction, law: coulomb, level: 2.782}\n"
    "  - {name: f8, on: m2, to: belt1, type: friction, law: coulomb,\n"
    "      level: {coulomb: 7.433, static: 12.69}}\n";

static void pushed_and_pulled(void **state)
{
    (void)state;
    run_checked(PUSHED_AND_PULLED, NULL, 0.0);
}

static void bounces_of_rounding(void **state)
{
    (void)state;
    run_checked(BOUNCES_OF_ROUNDING, NULL, 0.0);
}

static void squeezed(void **state)
{
    (void)state;
    run_checked(SQUEEZED, NULL, 0.0);
}

static void one_shaking_belt(void **state)
{
    (void)state;
    run_checked(ONE_BELT, NULL, 0.0);
}

// Four feet of a box on a turntable reach their bounds together. Called slip one by one they would
// stop again at once, thousands of times. Where it is at 3 s: timestep at 1, 0.5 and 0.25 ms,
// extrapolated.
static void a_box_on_a_turntable(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -10]\nmethod: {type: switch, step: 0.01}\nbodies:\n"
        "  table: {type: driven, position: [0, 0, 0], axis: [0, 0, 1], angle: \"0.25*t^2\",\n"
        "    shape: {type: cylinder, radius: 0.5, length: 0.1}}\n"
        "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.06, 0.06, 0.04]},\n"
        "    position: [0.3, 0, 0.07]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0.05, restitution: 0}\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 2.5); // r sqrt(0.5^2 + (t/2)^4) < mu g until 2.5218 s
    hf_check_near(value_of(sim, "touch.mode"), 0.0, 0.0, "mode before it slips", "stuck");
    run_until(sim, 3.0);
    hf_check_near(value_of(sim, "touch.mode"), 1.0, 0.0, "mode after", "slips");
    hf_check_near(value_of(sim, "box.position.x"), -0.190775, 2e-6, "x", "timestep");
    hf_check_near(value_of(sim, "box.position.y"), 0.240055, 4e-6, "y", "timestep");
    hf_check_below((double)hf_sim_get_stats(sim).events, 20.0, "events", "one break-away");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Rear wheels that lock hop until they slide. Then, with m = 12 kg, its center at h = 0.35 m, axles
// L = 0.8 m apart, front wheels that roll (spin I, radius r) and a the deceleration,
//   (m + 2 I/r^2) a = mu N,   N L = m g L/2 - (m h + 2 I/r) a.
static void a_braking_cart(void **state)
{
    (void)state;
    static const char wheel[] =
        "      %s: {type: revolute, parent: base, axis: [0, 1, 0], offset: [%g, %g, -0.3],\n"
        "        mass: 0.5, inertia: [0.0016, 0.0025, 0.0016], velocity: 30,\n"
        "        shape: {type: sphere, radius: 0.1}%s}\n";
    static const char brake[] = ", friction: {law: coulomb, level: 50}";
    char text[2000];
    int n = snprintf(text, sizeof text,
                     "gravity: [0, 0, -9.81]\nmethod: {type: switch, step: 0.01}\nbodies:\n"
                     "  floor: {type: static, shape: {type: plane}}\n"
                     "  cart:\n    type: tree\n    joints:\n"
                     "      base: {type: free, mass: 10, inertia: [0.3, 0.5, 0.6],\n"
                     "        position: [0, 0, 0.4, 1, 0, 0, 0], velocity: [3, 0, 0, 0, 0, 0]}\n");
    for (int i = 0; i < 4; ++i) {
        static const char *const names[4] = {"rl", "rr", "fl", "fr"};
        n += snprintf(text + n, sizeof text - (size_t)n, wheel, names[i], i < 2 ? -0.4 : 0.4,
                      i % 2 == 0 ? 0.2 : -0.2, i < 2 ? brake : "");
    }
    (void)snprintf(text + n, sizeof text - (size_t)n,
                   "forces:\n  - {name: tyres, type: collide, friction: 0.8, restitution: 0,\n"
                   "      among: [cart.rl, cart.rr, cart.fl, cart.fr, floor]}\n");
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.1);
    double before = value_of(sim, "cart.base.velocity.x");
    run_until(sim, 0.3);
    double normal = 0.4 * 12.0 * 9.81 / (0.8 + (12.0 * 0.35 + 0.05) * 0.8 / 12.5);
    double slower = before - value_of(sim, "cart.base.velocity.x");
    hf_check_near(slower, 0.2 * 0.8 * normal / 12.5, 1e-5, "loss of speed", "a t");
    hf_check_near(value_of(sim, "cart.base.position.y"), 0.0, 1e-12, "y", "straight");
    hf_check_below((double)hf_sim_get_stats(sim).events, 100.0, "events", "a few hops");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_rebounds),       cmocka_unit_test(chain_on_belts),
        cmocka_unit_test(one_shaking_belt),     cmocka_unit_test(pushed_and_pulled),
        cmocka_unit_test(bounces_of_rounding),  cmocka_unit_test(squeezed),
        cmocka_unit_test(a_box_on_a_turntable), cmocka_unit_test(a_braking_cart),
    };
    return hf_run_tests(tests);
}
