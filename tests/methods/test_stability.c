// SPDX-License-Identifier: Apache-2.0
// Advice on the largest step: against analytic limits, and by running just below and just above.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

// A mass of 1 kg on one force.
static hf_machine held(hf_law_type law, double stiffness, double damping, double level)
{
    hf_machine m = hf_machine_create();
    int mass = hf_add_mass(&m, "m!", 1.0, 0.0, 1e-3);
    hf_part *force = hf_add_force(&m, "force!", law, mass, -1);
    if (law == HF_LAW_SPRING) {
        force->law.spring = (hf_spring_def){.stiffness = stiffness, .damping = damping};
    } else {
        force->law.stiction.level = hf_level_coulomb(level);
        force->law.stiction.stiffness = stiffness;
        force->law.stiction.damping = damping;
    }
    return m;
}

static double advice(const hf_machine *machine, hf_method_type method)
{
    hf_run run = hf_run_open(machine, method, 1e-3);
    double step = hf_sim_stability(run.sim, (hf_force){1}).largest_step;
    hf_run_close(&run);
    return step;
}

// Whether the motion stays bounded over many steps.
static bool stays(const hf_machine *machine, hf_method_type method, double step)
{
    hf_run run = hf_run_open(machine, method, step);
    hf_error error = {0};
    bool bounded = true;
    for (int i = 0; i < 4000 && bounded; ++i) {
        bounded =
            hf_sim_step(run.sim, &error) == HF_OK && fabs(hf_run_value(&run, "m.velocity")) < 1.0;
    }
    hf_run_close(&run);
    return bounded;
}

static void check_around(const hf_machine *machine, hf_method_type method, double step)
{
    if (!stays(machine, method, 0.985 * step)) {
        fail_msg("%s: grows below its limit of %g s", hf_method_name(method), step);
    }
    if (stays(machine, method, 1.015 * step)) {
        fail_msg("%s: does not grow above its limit of %g s", hf_method_name(method), step);
    }
}

// RK4 with tau: K T^2/m < 5.24 at B = 0, and 5.45, 2.08, 0.73, 0.22 at B T/m = 1, 2, 2.5, 2.7.
static void rk4_tau_in_stick(void **state)
{
    (void)state;
    static const double limits[][2] = {
        {0.0, 5.24}, {1.0, 5.45}, {2.0, 2.08}, {2.5, 0.73}, {2.7, 0.22}};
    for (int i = 0; i < 5; ++i) {
        // With T = 1 s at the limit, K and B are the numbers themselves.
        hf_machine m = held(HF_LAW_STICTION, limits[i][1], limits[i][0], 1e9);
        double step = advice(&m, HF_METHOD_RK4_TAU);
        hf_check_near(step, 1.0, 5e-3, "largest step", "K T^2/m as tabulated");
        check_around(&m, HF_METHOD_RK4_TAU, step);
    }
}

static void springs(void **state)
{
    (void)state;
    hf_machine undamped = held(HF_LAW_SPRING, 100.0, 0.0, 0.0);
    double rk4 = advice(&undamped, HF_METHOD_RK4);
    hf_check_near(rk4, sqrt(8.0 / 100.0), 1e-9, "RK4's largest step", "K T^2/m < 8");
    check_around(&undamped, HF_METHOD_RK4, rk4);
    hf_check_near(advice(&undamped, HF_METHOD_RK4_TAU), rk4, 1e-9, "RK4 with tau", "no friction");
    double semi = advice(&undamped, HF_METHOD_SEMI_IMPLICIT_EULER);
    hf_check_near(semi, 0.2, 1e-9, "semi-implicit Euler's largest step", "w T < 2");
    check_around(&undamped, HF_METHOD_SEMI_IMPLICIT_EULER, semi);
    hf_check_near(advice(&undamped, HF_METHOD_EULER), 0.0, 0.0, "Euler's largest step", "none");
    // Lightly damped springs: Euler needs T < B/K.
    static const double dampings[] = {0.002, 0.02, 0.2, 10.0};
    for (int i = 0; i < 4; ++i) {
        hf_machine m = held(HF_LAW_SPRING, 100.0, dampings[i], 0.0);
        double euler = advice(&m, HF_METHOD_EULER);
        hf_check_near(euler, dampings[i] / 100.0, 1e-6 * dampings[i], "Euler's largest step",
                      "B/K");
        if (dampings[i] >= 10.0) { // else it grows too slowly to wait for
            check_around(&m, HF_METHOD_EULER, euler);
        }
    }
    // A dashpot alone
    hf_machine dashpot = held(HF_LAW_SPRING, 0.0, 50.0, 0.0);
    hf_check_near(advice(&dashpot, HF_METHOD_EULER), 2.0 / 50.0, 1e-9, "Euler", "B T/m < 2");
    hf_check_near(advice(&dashpot, HF_METHOD_RK4), 2.7852935634 / 50.0, 1e-6, "RK4", "2.785");
}

// With tau = 0 a slipping element needs T K/B < 2.785: beyond, e does not come to rest at F/K.
static void rk4_in_slip(void **state)
{
    (void)state;
    hf_machine m = held(HF_LAW_STICTION, 1e4, 10.0, 0.5);
    m.parts[0].mass.mass = 1e4; // keeps sliding, and does not matter in stick
    m.parts[0].mass.velocity[0] = 1.0;
    double step = advice(&m, HF_METHOD_RK4);
    hf_check_near(step, 2.7852935634 * 10.0 / 1e4, 1e-9, "largest step", "T K/B < 2.785");
    for (int above = 0; above < 2; ++above) {
        hf_run run = hf_run_open(&m, HF_METHOD_RK4, (above ? 1.02 : 0.98) * step);
        hf_run_steps(&run, 2000);
        double off = fabs(hf_run_value(&run, "force.state.0") * 1e4 / 0.5 - 1.0);
        assert_true(above ? off > 1e-3 : off < 1e-9);
        hf_run_close(&run);
    }
    // tau = T has no such limit
    hf_check_below(10.0 * step, advice(&m, HF_METHOD_RK4_TAU), "largest step", "tau");
    hf_run run = hf_run_open(&m, HF_METHOD_RK4_TAU, 10.0 * step);
    hf_run_steps(&run, 2000);
    hf_check_near(hf_run_value(&run, "force.state.0"), 0.5 / 1e4, 1e-15, "e", "F/K");
    hf_run_close(&run);
}

// The effective mass along a coupling, against closed forms.
static void effective_masses(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    int a = hf_add_mass(&m, "a!", 2.0, 0.0, 0.0), b = hf_add_mass(&m, "b!", 3.0, 1.0, 0.0);
    hf_part *ball = hf_machine_add(&m, HF_PART_RIGID, "ball!"); // 1 kg, radius 0.1 m
    int ball_index = hf_machine_index(&m, ball);
    int tree = hf_machine_index(&m, hf_machine_add(&m, HF_PART_TREE, "arm!"));
    hf_part *joint = hf_machine_add(&m, HF_PART_JOINT, "hinge!");
    joint->tree = tree;
    joint->joint.mass = 0.5;
    joint->joint.center.x = 0.15;
    joint->joint.inertia = (hf_sym3){1e-4, 0.00375, 0.00375, 0.0, 0.0, 0.0};
    int hinge = hf_machine_index(&m, joint);
    hf_part *driven = hf_machine_add(&m, HF_PART_DRIVEN, "wall!");
    int wall = hf_machine_index(&m, driven);
    (void)hf_add_force(&m, "pair!", HF_LAW_SPRING, a, b);
    (void)hf_add_force(&m, "to-wall!", HF_LAW_SPRING, a, wall);
    hf_part *floor = hf_add_force(&m, "floor!", HF_LAW_CONTACT, ball_index, -1);
    floor->force.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    floor->force.coupling.radius = 0.1;
    floor->law.contact.tangent_stiffness = 1e9; // so that its axis is the one advised on
    (void)hf_add_force(&m, "turn!", HF_LAW_SPRING, hinge, -1);
    hf_part *tip = hf_add_force(&m, "tip!", HF_LAW_SPRING, hinge, a);
    tip->force.coupling = hf_coupling_def_default(HF_COUPLING_DISTANCE);
    tip->force.coupling.on_frame.point.x = 0.3;
    tip->force.coupling.to_frame.point = (hf_vec3){0.3, 1.0, 0.0}; // across the rod
    const struct {
        const char *name;
        double mass;
    } cases[] = {{"pair", 1.0 / (1.0 / 2.0 + 1.0 / 3.0)},
                 {"to-wall", 2.0},
                 {"floor", 1.0 / (1.0 + 2.5)}, // 1/m + R^2/J, J = 2/5 m R^2
                 {"turn", 0.015},
                 {"tip", 0.015 / 0.09}}; // a moves along x only
    hf_run run = hf_run_open(&m, HF_METHOD_RK4_TAU, 1e-3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_stability s = hf_sim_stability(run.sim, hf_model_find_force(run.model, cases[i].name));
        hf_check_near(s.effective_mass, cases[i].mass, 1e-12, cases[i].name, "closed form");
    }
    hf_run_close(&run);
}

// Nothing to be unstable: no limit.
static void no_limit(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    int a = hf_add_mass(&m, "a!", 2.0, 0.0, 0.0);
    hf_add_force(&m, "push!", HF_LAW_FORCE, a, -1)->force.values[0].constant = 1.0;
    hf_run run = hf_run_open(&m, HF_METHOD_RK4, 1e-3);
    hf_check_near(hf_sim_stability(run.sim, (hf_force){1}).largest_step, INFINITY, 0.0,
                  "largest step", "a prescribed force");
    hf_run_close(&run);
}

// A run is trusted while its ledger is closed and its step is stable; otherwise it says why.
static void verdicts(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    int a = hf_add_mass(&m, "a!", 1.0, 0.1, 0.0);
    hf_part *spring = hf_add_force(&m, "spring!", HF_LAW_SPRING, a, -1);
    spring->law.spring.stiffness = 1e4;
    // RK4 bears h sqrt(K/m) up to 2.83.
    hf_run run = hf_run_open(&m, HF_METHOD_RK4, 1e-3);
    hf_run_steps(&run, 100);
    hf_verdict good = hf_sim_verdict(run.sim);
    assert_true(good.trustworthy);
    assert_string_equal(good.why, "");
    hf_check_below(good.ledger, 1e-3, "ledger", "0.1 s at a tenth of a radian a step");
    hf_run_close(&run);
    run = hf_run_open(&m, HF_METHOD_RK4, 0.03);
    hf_run_steps(&run, 10);
    hf_verdict bad = hf_sim_verdict(run.sim);
    assert_false(bad.trustworthy);
    assert_int_equal(bad.reasons, 2);
    assert_non_null(strstr(bad.why, "the energy ledger is off by"));
    assert_non_null(strstr(bad.why, "the step, 0.03 s, is larger than the largest stable step of "
                                    "'spring'"));
    hf_check_near(bad.largest_step, 2.8284271e-2, 1e-6, "largest step", "RK4's limit, 2 sqrt(2)");
    hf_run_close(&run);
    // Forward Euler makes an undamped spring grow, however short the step.
    run = hf_run_open(&m, HF_METHOD_EULER, 1e-6);
    hf_run_steps(&run, 1);
    assert_non_null(strstr(hf_sim_verdict(run.sim).why, "method euler is unstable at any step"));
    hf_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rk4_tau_in_stick), cmocka_unit_test(springs),
        cmocka_unit_test(rk4_in_slip),      cmocka_unit_test(effective_masses),
        cmocka_unit_test(no_limit),         cmocka_unit_test(verdicts),
    };
    return hf_run_tests(tests);
}
