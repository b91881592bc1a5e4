// SPDX-License-Identifier: Apache-2.0
// Method nlp beside method timestep: the same steps, each solved in another way.
// [RobotSimulation2025].
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"

#include <holdfast/contact.h>
#include <holdfast/models.h>
#include <holdfast/nlp.h>

typedef struct run {
    hf_model *model;
    hf_sim *sim;
} run;

static hf_model *read_text(const char *text)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "test", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static run open_run(hf_model *model, hf_method_type type)
{
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method.type = type;
    def.method.tolerance = 0.0;
    def.methods[0] = hf_contact_methods();
    def.methods[1] = hf_nlp_methods();
    run r = {model, hf_sim_create(model, &def, &error)};
    if (r.sim == NULL) {
        fail_msg("%s", error.text);
    }
    return r;
}

static void step_to(run *r, double end)
{
    hf_error error = {0};
    while (hf_sim_time(r->sim) < end - 0.5 * hf_sim_method(r->sim).step) {
        if (hf_sim_step(r->sim, &error) != HF_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static double value(run *r, const char *name)
{
    hf_channel channel = hf_model_find_channel(r->model, name);
    assert_true(channel.id != 0);
    return hf_sim_value(r->sim, channel);
}

static void copy_point(run *from, run *to)
{
    hf_error error = {0};
    hf_body point = hf_model_find_body(from->model, "point");
    if (hf_sim_set_position(to->sim, point, hf_sim_position(from->sim, point), &error) != HF_OK ||
        hf_sim_set_velocity(to->sim, point, hf_sim_velocity(from->sim, point), &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
}

// Through the landing; then, from where the other method has slid to, to the stop: every step
// solved, and at the end where the scheme of the document ends.
static void point_of_004(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/point-2d.yaml", &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    run r = open_run(model, HF_METHOD_NLP), other = open_run(model, HF_METHOD_TIMESTEP);
    step_to(&r, 0.48);
    step_to(&other, 0.48);
    hf_check_near(value(&r, "point.position.x"), value(&other, "point.position.x"), 1e-9, "x",
                  "timestep");
    hf_check_near(value(&r, "point.velocity.x"), value(&other, "point.velocity.x"), 1e-8, "v",
                  "timestep");
    step_to(&other, 0.98);
    copy_point(&other, &r);
    step_to(&r, 0.48 + 0.039);
    assert_true(value(&r, "point.velocity.x") > 1e-4);
    step_to(&r, 0.48 + 0.05);
    hf_check_near(value(&r, "point.position.x"), 0.609184110, 5e-10, "place of the stop",
                  "Intro to Robot Simulation 2025, scheme");
    hf_check_near(value(&r, "point.velocity.x"), 0.0, 1e-8, "speed after it",
                  "Intro to Robot Simulation 2025");
    hf_sim_stats stats = hf_sim_get_stats(r.sim);
    assert_int_equal(stats.unsolved_steps, 0);
    assert_int_equal(stats.nlp_programs, stats.steps - stats.free_steps);
    assert_int_equal(stats.nlp_solved, stats.nlp_programs);
    assert_true(stats.nlp_programs > 70);
    assert_int_equal(stats.nlp_endings[HF_NLP_Solve_Succeeded], stats.nlp_starts);
    hf_check_below(stats.worst_residual, HF_DEFAULT_TOLERANCE, "residual", "tolerance");
    hf_sim_destroy(other.sim);
    hf_sim_destroy(r.sim);
    hf_model_destroy(model);
}

// Both methods over the same steps, all channels within `allowance`: the tolerance 1e-8 of each of
// some hundred steps adds up.
static void compare(const char *text, double end, double allowance, int least_programs)
{
    hf_model *model = read_text(text);
    run a = open_run(model, HF_METHOD_TIMESTEP), b = open_run(model, HF_METHOD_NLP);
    double step = hf_sim_method(a.sim).step;
    for (int k = 1; (k - 0.5) * step < end; ++k) {
        step_to(&a, k * step);
        step_to(&b, k * step);
        for (int i = 0; i < hf_model_record_count(model); ++i) {
            char name[80];
            hf_channel channel = hf_model_record_channel(model, i);
            hf_model_channel_name(model, channel, name, sizeof name);
            hf_check_near(hf_sim_value(b.sim, channel), hf_sim_value(a.sim, channel), allowance,
                          name, "timestep");
        }
    }
    hf_sim_stats stats = hf_sim_get_stats(b.sim);
    assert_int_equal(stats.unsolved_steps, 0);
    assert_true(stats.nlp_programs >= least_programs);
    hf_sim_destroy(a.sim);
    hf_sim_destroy(b.sim);
    hf_model_destroy(model);
}

// Eight corners, four of them in contact at a time: which of them carries how much is open, but the
// motion is not, as long as it does not turn.
static void cube_with_eight_corners(void **state)
{
    (void)state;
    compare(
        "{gravity: [0, 0, -9.81], method: {type: timestep, step: 2e-3}, "
        "record: [cube.position, cube.velocity], bodies: {cube: {type: rigid, mass: 10, "
        "inertia: [0.1, 0.1, 0.1], shape: {type: box, size: [2, 2, 2]}, position: [0, 0, 1.02], "
        "velocity: [0.3, 0.2, 0]}}, forces: [{name: floor, on: cube, type: contact, "
        "law: rigid-contact, friction: 0.1, restitution: 0}]}",
        0.4, 1e-7, 150);
}

// A cube that falls on a corner: one contact, then two.
static void cube_on_a_corner(void **state)
{
    (void)state;
    compare("{gravity: [0, 0, -9.81], method: {type: timestep, step: 1e-3}, "
            "record: [cube.position, cube.velocity, cube.angular_velocity], "
            "bodies: {cube: {type: rigid, mass: 10, inertia: [6, 6, 6], shape: {type: box, "
            "size: [2, 2, 2]}, position: [0, 0, 1.75], orientation: [0.88, 0.325, 0.28, 0.2], "
            "velocity: [0.3, 0.2, 0]}}, forces: [{name: floor, on: cube, type: contact, "
            "law: rigid-contact, friction: 0.4, restitution: 0}]}",
            0.2, 1e-6, 30);
}

// Friction of joints is a contact whose normal force is known, a limit one without friction.
static void joints_and_limits(void **state)
{
    (void)state;
    compare("{gravity: [0, 0, 0], method: {type: timestep, step: 4e-3}, "
            "record: [cart.position, cart.velocity, block.position, block.velocity], "
            "bodies: {cart: {type: mass, dim: 1, mass: 2}, block: {type: mass, dim: 1, mass: 1, "
            "velocity: 2}}, forces: [{name: rub, on: block, to: cart, type: friction, "
            "law: coulomb, level: 3}, {name: brake, on: cart, type: friction, law: coulomb, "
            "level: 1}, {name: wall, on: block, type: stop, high: 0.4, restitution: 0.5}]}",
            0.48, 5e-6, 100);
}

// An open clutch, then a closed one, a brake likewise: bounds of zero are no part of the program,
// alone or beside others.
static void open_clutch(void **state)
{
    (void)state;
    compare("{gravity: [0, 0, 0], method: {type: timestep, step: 5e-3}, "
            "record: [motor.velocity, wheel.velocity], "
            "signals: {press: 't < 0.2 ? 0 : 100', squeeze: 't < 0.1 ? 0 : t < 0.3 ? 20 : 0'}, "
            "bodies: {motor: {type: mass, dim: 1, mass: 0.2, velocity: 1}, "
            "wheel: {type: mass, dim: 1, mass: 0.5}}, "
            "forces: [{name: drive, on: motor, type: force, value: 2}, "
            "{name: clutch, on: motor, to: wheel, type: friction, law: coulomb, normal: press, "
            "level: {friction: 0.03}}, {name: brake, on: wheel, type: friction, law: coulomb, "
            "normal: squeeze, level: {friction: 0.1}}]}",
            0.4, 1e-6, 80);
}

// What begins at rest is held by the static level.
static void static_level_from_the_start(void **state)
{
    (void)state;
    hf_model *model =
        read_text("{gravity: [4, 0, -9], method: {type: nlp, step: 4e-3}, record: [], bodies: "
                  "{point: {type: mass, dim: 3, mass: 1}}, forces: [{name: floor, on: point, "
                  "type: contact, friction: {static_friction: 0.5, friction: 0.3}}]}");
    run r = open_run(model, HF_METHOD_NLP);
    step_to(&r, 0.1);
    hf_check_near(value(&r, "point.velocity.x"), 0.0, 1e-8, "velocity", "held");
    hf_sim_destroy(r.sim);
    hf_model_destroy(model);
}

static void same_bits(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/point-2d.yaml", &error);
    assert_non_null(model);
    run a = open_run(model, HF_METHOD_NLP), b = open_run(model, HF_METHOD_NLP);
    step_to(&a, 0.47);
    step_to(&b, 0.47);
    char memory[4096];
    assert_true(hf_sim_save_size(a.sim) <= sizeof memory);
    hf_sim_save(a.sim, memory);
    step_to(&a, 0.48);
    step_to(&b, 0.48);
    hf_check_same_bits(value(&a, "point.velocity.x"), value(&b, "point.velocity.x"), "two runs");
    if (hf_sim_restore(b.sim, memory, hf_sim_save_size(b.sim), &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    step_to(&b, 0.48);
    hf_check_same_bits(value(&b, "point.velocity.x"), value(&a, "point.velocity.x"), "restored");
    hf_sim_destroy(a.sim);
    hf_sim_destroy(b.sim);
    hf_model_destroy(model);
}

// A budget of iterations: unsolved steps are counted, or end the run.
static void unsolved_steps(void **state)
{
    (void)state;
    static const char *const ends[] = {"report", "fail"};
    for (int i = 0; i < 2; ++i) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "{gravity: [0, 0, -9.81], method: {type: nlp, step: 1e-3, iterations: 1, "
                       "unsolved: %s}, record: [], bodies: {point: {type: mass, axes: xz, mass: 1, "
                       "velocity: [1, 0]}}, forces: [{name: floor, on: point, type: contact, "
                       "law: rigid-contact, friction: 0.1}]}",
                       ends[i]);
        hf_model *model = read_text(text);
        hf_error error = {0};
        hf_sim_def def = hf_sim_def_default(model);
        def.methods[0] = hf_nlp_methods();
        hf_sim *sim = hf_sim_create(model, &def, &error);
        assert_non_null(sim);
        hf_status status = hf_sim_step(sim, &error);
        assert_int_equal(status, i == 0 ? HF_OK : HF_ERROR_CONVERGENCE);
        hf_sim_stats stats = hf_sim_get_stats(sim);
        assert_int_equal(stats.unsolved_steps, 1);
        assert_true(stats.nlp_endings[HF_NLP_Maximum_Iterations_Exceeded] > 0);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

static void refusals(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_method_def method = hf_method_def_default();
    method.type = HF_METHOD_NLP;
    assert_int_equal(hf_method_check(&method, &error), HF_OK);
    method.solver = 1;
    assert_int_equal(hf_method_check(&method, &error), HF_ERROR_INPUT);
    assert_non_null(strstr(error.text, "solver is for timestep, not for nlp"));
    hf_model *model = read_text("{bodies: {a: {type: mass, dim: 1, mass: 1}}, record: [], "
                                "method: {type: nlp, step: 1e-3}, forces: [{name: rub, on: a, "
                                "type: friction, law: karnopp, level: 1}]}");
    hf_sim_def def = hf_sim_def_default(model);
    assert_null(hf_sim_create(model, &def, &error));
    assert_non_null(strstr(error.text, "'karnopp'")); // the linked library is found by itself
    def.methods[0] = hf_nlp_methods();
    assert_null(hf_sim_create(model, &def, &error));
    assert_non_null(strstr(error.text, "'karnopp'"));
    assert_non_null(strstr(error.text, "nlp"));
    hf_model_destroy(model);
}

// The document's point slides on the floor, 5.5 steps of 1 ms before it stops. As printed, friction
// answers to the last velocity, and IPOPT ends within the document's tolerance: it goes on. In
// flight no printed program is feasible. Corrected it stops, and stays.
static void printed_program(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "method: {type: nlp, step: 1e-3%s}\n"
        "bodies: {point: {type: mass, axes: xz, mass: 10, position: [0, %g], velocity: [%g, 0]}}\n"
        "forces: [{name: floor, on: point, type: contact, friction: 0.1, restitution: 0}]\n";
    const double most = 0.1 * 9.81 * 1e-3; // mu g T [m/s]
    for (int i = 0; i < 2; ++i) {
        char machine[600];
        (void)snprintf(machine, sizeof machine, text, i == 0 ? ", program: printed" : "", 0.0,
                       5.5 * most);
        hf_model *model = read_text(machine);
        run r = open_run(model, HF_METHOD_NLP);
        double largest = 0.0;
        for (int k = 11; k <= 20; ++k) {
            step_to(&r, 1e-3 * k);
            largest = fmax(largest, fabs(value(&r, "point.velocity.x")));
        }
        if (i == 0) {
            assert_true(largest > 0.1 * most);
        } else {
            hf_check_below(largest, 1e-12, "speed", "at rest");
        }
        hf_sim_destroy(r.sim);
        hf_model_destroy(model);
    }
    // In flight
    char machine[600];
    (void)snprintf(machine, sizeof machine, text, ", program: printed", 1.0, 1.0);
    hf_model *model = read_text(machine);
    run r = open_run(model, HF_METHOD_NLP);
    step_to(&r, 2e-3);
    hf_sim_stats stats = hf_sim_get_stats(r.sim);
    assert_int_equal(stats.nlp_programs, 2);
    assert_true(stats.nlp_solved < 2);
    assert_non_null(strstr(hf_sim_verdict(r.sim).why, "nonlinear programs were not solved"));
    hf_sim_destroy(r.sim);
    hf_model_destroy(model);
}

// Of any other machine the printed program says nothing.
static void printed_program_refuses(void **state)
{
    (void)state;
    static const char *const machines[] = {
        "bodies: {p: {type: mass, axes: xyz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, friction: 0.1, restitution: 0}]\n",
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, friction: 0.1, restitution: 0.5}]\n",
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, friction: 0.1, restitution: 0,\n"
        "          plane: {normal: [-0.6, 0, 0.8]}}]\n",
        "bodies: {p: {type: mass, axes: xz, mass: 1}, q: {type: mass, dim: 1, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, friction: 0.1, restitution: 0}]\n",
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: pull, on: p, type: force, value: [1, 0]},\n"
        "         {name: floor, on: p, type: contact, friction: 0.1, restitution: 0}]\n",
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: pull, on: p, type: force, value: [1, 0]}]\n",
        "gravity: [1, 0, -9.81]\nbodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, friction: 0.1, restitution: 0}]\n",
        "gravity: [0, 1, -9.81]\nbodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, friction: 0.1, restitution: 0}]\n",
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, friction: 0.1, restitution: 0,\n"
        "          plane: {point: [0, 0, -1]}}]\n",
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, restitution: 0,\n"
        "          friction: {friction: 0.1, static_friction: 0.2}}]\n",
        // Coefficients that are not the same at every speed
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, restitution: 0,\n"
        "          friction: {friction: 0.1, static_friction: 0.2, stribeck_velocity: 0.1}}]\n",
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, restitution: 0,\n"
        "          friction: {table: [[0, 0.5], [1, 0.2]], per_normal: true}}]\n",
        // A floor that is not always there
        "bodies: {p: {type: mass, axes: xz, mass: 1}}\n"
        "forces: [{name: floor, on: p, type: contact, friction: 0.1, restitution: 0, enable: "
        "0}]\n"};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; ++i) {
        hf_model *model = read_text(machines[i]);
        hf_error error = {0};
        hf_sim_def def = hf_sim_def_default(model);
        def.method = (hf_method_def){.type = HF_METHOD_NLP, .step = 1e-3, .printed = true};
        def.methods[0] = hf_contact_methods();
        def.methods[1] = hf_nlp_methods();
        if (hf_sim_create(model, &def, &error) != NULL ||
            strstr(error.text, "the printed program is that of one machine") == NULL) {
            fail_msg("%s is not refused: %s", machines[i], error.text);
        }
        hf_model_destroy(model);
    }
}

// A cube that has come to rest on its corners: IPOPT ends above the tolerance, from all starts. The
// friction-contact solver's solution is taken then, the run tells how often, and nothing creeps.
static void cube_at_rest(void **state)
{
    (void)state;
    hf_model *model = read_text(
        "gravity: [2, 0, -9.81]\n"
        "method: {type: nlp, step: 1e-3}\n"
        "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  cube: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]},\n"
        "         position: [0, 0, 0.1]}\n"
        "forces: [{name: c, type: collide, among: all, friction: 0.5, restitution: 0}]\n");
    run r = open_run(model, HF_METHOD_NLP);
    step_to(&r, 0.01);
    hf_sim_stats stats = hf_sim_get_stats(r.sim);
    assert_int_equal(stats.nlp_solved, stats.nlp_programs);
    hf_check_below(stats.worst_residual, HF_DEFAULT_TOLERANCE, "residual", "tolerance");
    hf_check_below(fabs(value(&r, "cube.position.x")), 1e-9, "way", "held");
    assert_true(hf_sim_verdict(r.sim).trustworthy);
    hf_sim_destroy(r.sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_of_004),
        cmocka_unit_test(cube_with_eight_corners),
        cmocka_unit_test(cube_on_a_corner),
        cmocka_unit_test(joints_and_limits),
        cmocka_unit_test(static_level_from_the_start),
        cmocka_unit_test(open_clutch),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(unsolved_steps),
        cmocka_unit_test(refusals),
        cmocka_unit_test(printed_program),
        cmocka_unit_test(printed_program_refuses),
        cmocka_unit_test(cube_at_rest),
    };
    return hf_run_tests(tests);
}
