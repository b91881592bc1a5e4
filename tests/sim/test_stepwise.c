// SPDX-License-Identifier: Apache-2.0
// Forces that are computed once a step ([Kikuuwe2005] (14), (17)) on machines whose masses are
// coupled; driven bodies that follow or jump, and what they put into the ledger.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include <holdfast/sim.h>
#include <holdfast/use_law.h>

static hf_body add_mass(hf_spec *spec, const char *name, double mass, double velocity)
{
    hf_error error;
    hf_mass_def def = hf_mass_def_default();
    def.name = name;
    def.dim = 1;
    def.mass = mass;
    def.velocity[0] = velocity;
    hf_body body = hf_spec_add_mass(spec, &def, &error);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void add_coulomb(hf_spec *spec, const char *name, hf_body on, hf_body to, double level)
{
    hf_error error;
    hf_coulomb_def law = hf_coulomb_def_default();
    law.level = hf_level_coulomb(level);
    hf_force_def force = hf_force_def_default();
    force.name = name;
    force.coupling.on_coordinate.body = on;
    force.coupling.to_coordinate.body = to;
    hf_force_use_coulomb(&force, &law);
    if (hf_spec_add_force(spec, &force, &error).id == 0) {
        fail_msg("%s", error.text);
    }
}

static void add_pull(hf_spec *spec, const char *name, hf_body on, double value)
{
    hf_error error;
    hf_force_def force = hf_force_def_default();
    force.name = name;
    force.coupling.on_coordinate.body = on;
    force.law = HF_LAW_FORCE;
    force.values[0].constant = value;
    assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
}

static hf_sim *start(hf_spec *spec, hf_method_type type, double step)
{
    hf_error error;
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(spec);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = type, .step = step};
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static void finish(hf_sim *sim)
{
    hf_model *model = (hf_model *)hf_sim_model(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void step(hf_sim *sim, int count)
{
    hf_error error;
    for (int i = 0; i < count; ++i) {
        if (hf_sim_step(sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
    }
}

static double value(hf_sim *sim, const char *name)
{
    hf_channel channel = hf_model_find_channel(hf_sim_model(sim), name);
    assert_int_not_equal(channel.id, 0);
    return hf_sim_value(sim, channel);
}

// A block on a sledge on ice: friction between them only. Momentum is kept; they end at the same
// velocity, to the bit, when the law of [Kikuuwe2005] says: v1 - v2 falls by T F (1/m1 + 1/m2) a
// step.
static void block_on_sledge(void **state)
{
    (void)state;
    hf_spec *spec = hf_spec_create();
    hf_body block = add_mass(spec, "block", 2.0, 3.0), sledge = add_mass(spec, "sledge", 4.0, 0.0);
    add_coulomb(spec, "between", block, sledge, 5.0);
    hf_sim *sim = start(spec, HF_METHOD_DISCRETE, 1e-3);
    double stop = 3.0 / (5.0 * (1.0 / 2.0 + 1.0 / 4.0)); // 0.8 s
    step(sim, (int)(stop / 1e-3) - 1);
    assert_true(*hf_sim_velocity(sim, block) > *hf_sim_velocity(sim, sledge));
    step(sim, 3);
    double v = *hf_sim_velocity(sim, block);
    assert_true(v == *hf_sim_velocity(sim, sledge));
    hf_check_near(v, 1.0, 1e-12, "common velocity", "momentum 6 kg m/s over 6 kg");
    hf_check_near(value(sim, "between.dissipated"), 9.0 - 3.0, 1e-9, "heat", "loss of energy");
    hf_check_near(hf_sim_energy(sim).residual, 0.0, 1e-9, "residual", "ledger");
    finish(sim);
}

// The same pair pulled: three frictions share two masses. While everything sticks nothing moves,
// and the forces balance; pulled harder than the floor holds, both slide together.
static void coupled_frictions(void **state)
{
    (void)state;
    for (int pull = 0; pull < 2; ++pull) {
        hf_spec *spec = hf_spec_create();
        hf_body block = add_mass(spec, "block", 2.0, 0.0);
        hf_body sledge = add_mass(spec, "sledge", 4.0, 0.0);
        add_coulomb(spec, "between", block, sledge, 50.0);
        add_coulomb(spec, "floor", sledge, (hf_body){0}, 10.0);
        add_pull(spec, "pull", block, pull == 0 ? 9.0 : 16.0);
        hf_sim *sim = start(spec, HF_METHOD_DISCRETE, 1e-3);
        step(sim, 1000);
        double acceleration = pull == 0 ? 0.0 : (16.0 - 10.0) / 6.0;
        hf_check_near(*hf_sim_velocity(sim, block), acceleration, 1e-11, "v(1)", "rigid pair");
        hf_check_near(*hf_sim_velocity(sim, sledge), acceleration, 1e-11, "v(1)", "rigid pair");
        hf_check_near(value(sim, "floor.force"), pull == 0 ? -9.0 : -10.0, 1e-9, "floor",
                      "balance");
        hf_check_near(value(sim, "between.force"), pull == 0 ? -9.0 : -(16.0 - 2.0), 1e-9,
                      "between", "what accelerates the sledge");
        finish(sim);
    }
}

// Two joints of an arm, their inertia coupled: the arm stops dead in finite time under every Euler
// method, energy never grows, and no joint's friction exceeds its level.
static void arm_stops(void **state)
{
    (void)state;
    static const hf_method_type methods[] = {HF_METHOD_EULER, HF_METHOD_SEMI_IMPLICIT_EULER,
                                             HF_METHOD_DISCRETE};
    for (int m = 0; m < 3; ++m) {
        hf_error error;
        hf_spec *spec = hf_spec_create();
        hf_tree tree = hf_spec_add_tree(spec, "arm", &error);
        hf_body links[2] = {{0}, {0}};
        for (int i = 0; i < 2; ++i) {
            hf_joint_def joint = hf_joint_def_default(HF_JOINT_REVOLUTE);
            joint.name = i == 0 ? "shoulder" : "elbow";
            joint.parent = i == 0 ? (hf_body){0} : links[0];
            joint.offset.x = 0.3 * i;
            joint.mass = 0.5;
            joint.center.x = 0.15;
            joint.inertia = (hf_sym3){.xx = 1e-4, .yy = 3.75e-3, .zz = 3.75e-3};
            joint.velocity[0] = i == 0 ? 3.0 : -5.0;
            links[i] = hf_spec_add_joint(spec, tree, &joint, &error);
            assert_int_not_equal(links[i].id, 0);
            add_coulomb(spec, i == 0 ? "f0" : "f1", links[i], (hf_body){0}, 0.2);
        }
        hf_sim *sim = start(spec, methods[m], 1e-3);
        double energy = hf_sim_energy(sim).kinetic;
        for (int k = 0; k < 2000; ++k) {
            step(sim, 1);
            double now = hf_sim_energy(sim).kinetic;
            assert_true(now <= energy * (1.0 + 5e-3)); // first-order dynamics, then friction
            energy = now;
            hf_check_below(fabs(value(sim, "f0.force")), 0.2 * (1.0 + 1e-12), "f0", "level");
            hf_check_below(fabs(value(sim, "f1.force")), 0.2 * (1.0 + 1e-12), "f1", "level");
        }
        assert_true(*hf_sim_velocity(sim, links[0]) == 0.0);
        assert_true(*hf_sim_velocity(sim, links[1]) == 0.0);
        finish(sim);
    }
}

// Friction on a conveyor: what the belt's drive puts in is friction times belt speed.
static void conveyor(void **state)
{
    (void)state;
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_body block = add_mass(spec, "block", 1.0, 0.0);
    hf_driven_def belt = hf_driven_def_default();
    belt.name = "belt";
    belt.by_velocity = true;
    belt.motion[0].constant = 2.0;
    hf_body driven = hf_spec_add_driven(spec, &belt, &error);
    add_coulomb(spec, "grip", block, driven, 4.0);
    hf_sim *sim = start(spec, HF_METHOD_DISCRETE, 1e-3);
    step(sim, 1000);
    assert_true(*hf_sim_velocity(sim, block) == 2.0);
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.input, 4.0 * 2.0 * 0.5, 1e-9, "input", "4 N x 2 m/s x 0.5 s of sliding");
    hf_check_near(energy.residual, 0.0, 1e-9, "residual", "ledger");
    finish(sim);
}

// Stepwise laws are refused by Runge-Kutta when the sim is created, with the methods that admit
// them.
static void refused(void **state)
{
    (void)state;
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_body block = add_mass(spec, "block", 1.0, 0.0);
    add_coulomb(spec, "floor", block, (hf_body){0}, 1.0);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim_def def = hf_sim_def_default(model);
    def.method.type = HF_METHOD_RK4;
    assert_null(hf_sim_create(model, &def, &error));
    assert_int_equal(error.status, HF_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "'floor'"));
    assert_non_null(strstr(error.text, "discrete"));
    hf_model_destroy(model);
}

static double fading(void *instance, double t)
{
    (void)instance;
    return 1.0 - 2.0 * t;
}

// A level that a signal would make negative ends the run, with time and names.
static void negative_normal(void **state)
{
    (void)state;
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_body block = add_mass(spec, "block", 1.0, 1.0);
    hf_signal_def signal = hf_signal_def_default();
    signal.name = "load";
    signal.type = HF_SIGNAL_FUNCTION;
    signal.function = fading;
    hf_stiction_def law = hf_stiction_def_default();
    law.level = hf_level_coefficient(0.5);
    hf_force_def force = hf_force_def_default();
    force.name = "pad";
    force.coupling.on_coordinate.body = block;
    hf_force_use_stiction(&force, &law);
    force.normal.value.signal = hf_spec_add_signal(spec, &signal, &error);
    assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    hf_sim *sim = start(spec, HF_METHOD_RK4, 1e-3);
    hf_status status = HF_OK;
    while (status == HF_OK && hf_sim_time(sim) < 1.0) {
        status = hf_sim_step(sim, &error);
    }
    assert_int_equal(status, HF_ERROR_RANGE);
    assert_non_null(strstr(error.text, "'pad'"));
    assert_non_null(strstr(error.text, "'load'"));
    hf_check_near(hf_sim_time(sim), 0.5, 2e-3, "end", "where the load vanishes");
    finish(sim);
}

static double jump(void *instance, double t)
{
    (void)instance;
    return t < 0.5003 ? 0.0 : 0.2;
}

// A spring's end that jumps 0.2 m puts K 0.2^2/2 in at once, off the step grid as well; so does an
// input that the caller sets.
static void jumps_put_energy_in(void **state)
{
    (void)state;
    static const double jumps[] = {0.5003};
    for (int by_input = 0; by_input < 2; ++by_input) {
        hf_error error;
        hf_spec *spec = hf_spec_create();
        hf_body block = add_mass(spec, "block", 1.0, 0.0);
        hf_signal_def signal = hf_signal_def_default();
        signal.name = "place";
        signal.type = by_input ? HF_SIGNAL_INPUT : HF_SIGNAL_FUNCTION;
        signal.function = jump;
        signal.jumps = (hf_list){jumps, 1};
        hf_driven_def end = hf_driven_def_default();
        end.name = "end";
        end.motion[0].signal = hf_spec_add_signal(spec, &signal, &error);
        hf_spring_def spring = hf_spring_def_default();
        spring.stiffness = 90.0;
        spring.damping = 1.0;
        hf_force_def force = hf_force_def_default();
        force.name = "spring";
        force.coupling.on_coordinate.body = block;
        force.coupling.to_coordinate.body = hf_spec_add_driven(spec, &end, &error);
        hf_force_use_spring(&force, &spring);
        assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
        hf_sim *sim = start(spec, HF_METHOD_RK4, 1e-3);
        step(sim, 500);
        if (by_input) {
            hf_sim_set_input(sim, hf_model_find_signal(hf_sim_model(sim), "place"), 0.2);
        }
        step(sim, 500);
        hf_energy energy = hf_sim_energy(sim);
        hf_check_near(energy.input, 0.5 * 90.0 * 0.04, 1e-12, "input", "spring stretched at once");
        hf_check_near(energy.residual, 0.0, 1e-9, "residual", "ledger");
        finish(sim);
    }
}

// A follower moves as its leader and does not act back: the leader falls freely while a mass on a
// spring is held to the follower.
static void follower(void **state)
{
    (void)state;
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_body leader = add_mass(spec, "leader", 1.0, 1.0), mass = add_mass(spec, "mass", 1.0, 1.0);
    hf_driven_def def = hf_driven_def_default();
    def.name = "follower";
    def.follow.body = leader;
    hf_body driven = hf_spec_add_driven(spec, &def, &error);
    assert_int_not_equal(driven.id, 0);
    hf_spring_def spring = hf_spring_def_default();
    spring.stiffness = 100.0;
    hf_force_def force = hf_force_def_default();
    force.name = "spring";
    force.coupling.on_coordinate.body = mass;
    force.coupling.to_coordinate.body = driven;
    hf_force_use_spring(&force, &spring);
    assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    add_pull(spec, "pull", leader, 2.0);
    hf_sim *sim = start(spec, HF_METHOD_RK4, 1e-3);
    step(sim, 1000);
    hf_check_near(*hf_sim_position(sim, leader), 2.0, 1e-12, "leader", "1 t + 1/2 2 t^2");
    assert_true(*hf_sim_position(sim, driven) == *hf_sim_position(sim, leader));
    // In the leader's frame the mass feels -2 N on 100 N/m: x = (cos(10 t) - 1) 0.02.
    hf_check_near(*hf_sim_position(sim, mass) - 2.0, 0.02 * (cos(10.0) - 1.0), 1e-9, "mass",
                  "oscillator in the leader's frame");
    hf_check_near(hf_sim_energy(sim).residual, 0.0, 1e-9, "residual", "ledger");
    finish(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_sledge), cmocka_unit_test(coupled_frictions),
        cmocka_unit_test(arm_stops),       cmocka_unit_test(conveyor),
        cmocka_unit_test(refused),         cmocka_unit_test(jumps_put_energy_in),
        cmocka_unit_test(follower),        cmocka_unit_test(negative_normal),
    };
    return hf_run_tests(tests);
}
