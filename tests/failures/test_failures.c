// SPDX-License-Identifier: Apache-2.0
// Every allocation of our own fails once: while a model is loaded, a sim created, a step taken, a
// run recorded and read back. Each time there is an error with its text and nothing crashes, leaks
// or is lost: after the failure the same call succeeds and gives the same bits.
#include <hf_test.h>
#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <holdfast/holdfast.h>
#include <holdfast/robots.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failures.h"

static const char machine_text[] =
    "name: everything that allocates\n"
    "gravity: [0, 0, -9.81]\n"
    "method: {type: rk4, step: 1e-3}\n"
    "duration: 0.01\n"
    "bodies:\n"
    "  block: {type: mass, dim: 1, mass: 1}\n"
    "  belt: {type: driven, dim: 1, velocity: pull}\n"
    "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1],\n"
    "         repeat: {count: [3, 1, 1], spacing: [0.5, 0, 0]}}\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      a: {type: revolute, axis: [0, 1, 0], mass: 1, center: [1, 0, 0], inertia: [1, 1, 1]}\n"
    "      b: {type: revolute, parent: a, axis: [0, 1, 0], offset: [2, 0, 0], mass: 1,\n"
    "          center: [1, 0, 0], inertia: [1, 1, 1]}\n"
    "signals:\n"
    "  pull: \"t < 0.005 ? sin(20*t) : 1 + exp(-t)\"\n"
    "  steps: {table: {points: [[0, 0], [1, 2], [3, 1]]}}\n"
    "forces:\n"
    "  - {name: spring, on: block, to: belt, type: spring, stiffness: 90}\n"
    "  - {name: floor, on: block, type: friction, law: stiction, level: {coulomb: 10},\n"
    "     stiffness: 1e4, damping: 10}\n"
    "  - {name: push, on: arm.a, type: force, value: steps}\n"
    "  - {name: table, on: ball-1, type: contact, law: rigid-contact, friction: "
    "0.5}\n"
    "variants:\n"
    "  heavy: {bodies.block.mass: 5}\n"
    "record: [block.position, floor.force, arm.a.position, pull.value]\n";

static const char loop_text[] =
    "bodies:\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      a: {type: revolute, axis: [0, 1, 0], mass: 1, inertia: [1, 1, 1], guess: 0.5}\n"
    "      b: {type: revolute, parent: a, axis: [0, 1, 0], offset: [1, 0, 0], mass: 1,\n"
    "          inertia: [1, 1, 1], guess: -1}\n"
    "loops:\n"
    "  - {name: end, type: distance, on: arm.b, point: [1, 0, 0], to: world, to_point: [1.5, 0, "
    "0],\n"
    "     length: 0.25}\n";

// Boxes that fall on each other: more contacts from step to step.
static const char pile_text[] =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: 2e-3}\n"
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane}}\n"
    "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]},\n"
    "        position: [0, 0, 0.102], repeat: {count: [1, 1, 3], spacing: [0, 0, 0.206]}}\n"
    "forces:\n"
    "  - {name: touch, type: collide, among: all, friction: 0.5, restitution: 0}\n";

// What files can say beside that: parameters, classes, surfaces, signals of every kind.
static const char wide_text[] =
    "method: {type: timestep, step: 1e-3}\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters:\n"
    "  mu: {value: 0.3, range: [0, 1], about: of the floor}\n"
    "  travel: 12 mm\n"
    "  weight: 9.81*load\n"
    "  load: {value: 2, unit: kg}\n"
    "defaults:\n"
    "  drive: {type: revolute, axis: [0, 1, 0], armature: 0.02, damping: 0.1,\n"
    "      limits: [-150 deg, 150 deg], friction: {law: coulomb, level: 0.3,\n"
    "      viscous: 0.4}}\n"
    "  light: {class: drive, armature: 0.005}\n"
    "materials: {steel: {friction: 0.2, restitution: 0.1}, rubber: {friction: 0.9}}\n"
    "pairs:\n"
    "  - {between: [steel, rubber], friction: 0.7}\n"
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane, material: steel}}\n"
    "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2],\n"
    "      material: rubber}, position: [0, 0, 0.5], repeat: {count: [2, 1, 1],\n"
    "      spacing: [0.5, 0, 0]}}\n"
    "  cup: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [3, 0, 1],\n"
    "      shapes: [{type: box, size: [0.1, 0.1, 0.1]}, {type: sphere, radius: 0.1,\n"
    "      position: [0.2, 0, 0]}]}\n"
    "  arm: {type: tree, joints: {a: {class: drive, mass: 1, inertia: [1, 1, 1]},\n"
    "      b: {class: light, parent: a, offset: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}}}\n"
    "  motor: {type: rotor, inertia: 0.1}\n"
    "  cart: {type: mass, dim: 1, mass: load}\n"
    "signals:\n"
    "  path: {through: [0, 1.2, 0.4], times: [0, 1, 3], profile: quintic}\n"
    "  hum: {fourier: {period: 1, sines: [0.1, 0.2], cosines: [0.3]}}\n"
    "  map: {table: {of: [cart.velocity, cart.position], x: [0, 10], y: [0, 2],\n"
    "      values: [[0, 1], [10, 21]]}}\n"
    "  set: {input: 0}\n"
    "forces:\n"
    "  - {name: servo, on: arm.b, type: controller, reference: path, proportional: 60,\n"
    "      derivative: 4, integral: 80, low: -20, high: 20}\n"
    "  - {name: drag, on: cart, type: force, value: -map + weight}\n"
    "  - {name: gate, on: cart, type: force, value: hum, enable: set}\n"
    "  - {name: touch, type: collide, among: all, friction: mu, except: [[cup, ground]]}\n"
    "loops:\n"
    "  belt: {type: ratio, ratio: {arm.a: 1, motor: -3}}\n"
    "variants: {heavy: {parameters.load: 5, bodies.cart.velocity: 1}}\n"
    "record: [cart.position, servo.force]\n";

static hf_model *parse(const char *text, hf_error *error)
{
    return hf_model_parse(text, strlen(text), "model.yaml", NULL, NULL, error);
}

static void check_told(const hf_error *error, long long number, const char *what)
{
    if (error->status >= 0 || error->text[0] == '\0') {
        fail_msg("%s, allocation %lld: no error is told (status %d)", what, number, error->status);
    }
}

static void check_no_leak(long long before, long long number, const char *what)
{
    if (hf_failures_live() != before) {
        fail_msg("%s, allocation %lld: %lld pieces of memory leak", what, number,
                 hf_failures_live() - before);
    }
}

// ------------------------------------------------------------------------------------------------
// Loading

static void load_survives(const char *text, const char *what)
{
    bool hit = true;
    for (long long number = 1; hit; ++number) {
        hf_error error = {0};
        long long before = hf_failures_live();
        hf_failures_arm(number);
        hf_model *model = parse(text, &error);
        hit = hf_failures_hit();
        hf_failures_arm(0);
        if (!hit && model == NULL) {
            fail_msg("%s: %s", what, error.text);
        }
        if (model == NULL) {
            check_told(&error, number, what);
        }
        hf_model_destroy(model);
        check_no_leak(before, number, what);
    }
}

static void loading(void **state)
{
    (void)state;
    load_survives(machine_text, "machine");
    load_survives(loop_text, "loop");
    load_survives(pile_text, "pile");
    load_survives(wide_text, "wide");
    // What is wrong is still told, as that or as a lack of memory.
    static const char wrong[] = "bodies:\n  block: {type: mass, dim: 1, mas: 1}\n";
    bool hit = true;
    for (long long number = 1; hit; ++number) {
        hf_error error = {0};
        long long before = hf_failures_live();
        hf_failures_arm(number);
        assert_null(parse(wrong, &error));
        hit = hf_failures_hit();
        check_told(&error, number, "wrong");
        check_no_leak(before, number, "wrong");
    }
    hf_failures_arm(0);
}

// Robots of the three formats.
static void robots(void **state)
{
    (void)state;
    static const char *const texts[3] = {
        "<mujoco model=\"arm\"><compiler angle=\"radian\"/>\n"
        "<default><joint damping=\"0.1\" frictionloss=\"0.2\"/></default>\n"
        "<worldbody><geom type=\"plane\" size=\"1 1 1\"/><body name=\"upper\" pos=\"0 0 2\">\n"
        "<joint name=\"hip\" type=\"hinge\" axis=\"0 1 0\" range=\"-1 1\" limited=\"true\"/><geom "
        "type=\"capsule\" size=\"0.05 0.2\"/>\n"
        "<body name=\"lower\" pos=\"0 0 -0.5\"><joint name=\"knee\" type=\"hinge\" axis=\"0 1 "
        "0\"/>\n"
        "<geom type=\"box\" size=\"0.1 0.1 0.1\"/></body></body></worldbody>\n"
        "<actuator><position name=\"servo\" joint=\"knee\" kp=\"10\"/></actuator>\n"
        "<contact><exclude body1=\"upper\" body2=\"lower\"/></contact></mujoco>\n",
        "<robot name=\"two\"><link name=\"base\"/><link name=\"tip\"><inertial><mass "
        "value=\"1\"/>\n"
        "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
        "iyz=\"0\"/></inertial><collision><geometry><box size=\"1 1 1\"/></geometry>\n"
        "</collision></link><joint name=\"turn\" type=\"revolute\"><parent link=\"base\"/><child "
        "link=\"tip\"/><axis xyz=\"0 1 0\"/>\n"
        "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\"/><dynamics damping=\"0.1\" "
        "friction=\"0.3\"/></joint></robot>\n",
        "<sdf version=\"1.7\"><model name=\"one\"><link "
        "name=\"box\"><inertial><mass>2</mass></inertial><collision name=\"c\">\n"
        "<geometry><box><size>1 1 1</size></box></geometry></collision></link><link "
        "name=\"other\"/><joint name=\"hinge\"\n"
        "type=\"revolute\"><parent>box</parent><child>other</child><axis><xyz>0 0 "
        "1</xyz><dynamics><friction>1</friction></dynamics>\n"
        "</axis></joint></model></sdf>\n"};
    hf_robot_options options = hf_robot_options_default();
    // As long as it is, each copy of it is an allocation of its own
    const char *label = "a-robot-whose-name-is-long-enough-for-a-piece-of-memory-of-its-own.xml";
    for (int i = 0; i < 3; ++i) {
        bool hit = true;
        for (long long number = 1; hit; ++number) {
            hf_error error = {0};
            long long before = hf_failures_live();
            hf_failures_arm(number);
            hf_robot *robot =
                hf_robot_parse(texts[i], strlen(texts[i]), label, ".", &options, &error);
            hit = hf_failures_hit();
            hf_failures_arm(0);
            if (!hit && robot == NULL) {
                fail_msg("robot %d: %s", i, error.text);
            }
            if (robot == NULL) {
                check_told(&error, number, "robot");
            }
            hf_robot_destroy(robot);
            check_no_leak(before, number, "robot");
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Sims

static hf_sim_def def_of(const hf_model *model, hf_method_type method)
{
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = method, .step = 1e-3};
    def.methods[0] = hf_adaptive_methods();
    def.methods[1] = hf_contact_methods();
    return def;
}

static void creating(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        hf_method_type method;
    } runs[] = {{machine_text, HF_METHOD_RK4},   {machine_text, HF_METHOD_ADAPTIVE},
                {loop_text, HF_METHOD_SWITCH},   {loop_text, HF_METHOD_DISCRETE},
                {loop_text, HF_METHOD_TIMESTEP}, {pile_text, HF_METHOD_TIMESTEP}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
        hf_error error = {0};
        hf_model *model = parse(runs[i].text, &error);
        assert_non_null(model);
        hf_sim_def def = def_of(model, runs[i].method);
        const char *name = hf_method_name(runs[i].method);
        bool hit = true;
        for (long long number = 1; hit; ++number) {
            long long before = hf_failures_live();
            error = (hf_error){0};
            hf_failures_arm(number);
            hf_sim *sim = hf_sim_create(model, &def, &error);
            hit = hf_failures_hit();
            if (hit) {
                assert_null(sim);
                check_told(&error, number, name);
            } else if (sim == NULL) {
                fail_msg("%s: %s", name, error.text);
            }
            hf_sim_destroy(sim);
            check_no_leak(before, number, name);
        }
        hf_failures_arm(0);
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------
// Steps that grow

enum { STEPS = 60 };

// The state after each step, as saved; `fail` > 0: that allocation fails, and the step is repeated.
static bool run_pile(const hf_model *model, long long fail, double *hash)
{
    hf_error error = {0};
    hf_sim_def def = def_of(model, HF_METHOD_TIMESTEP);
    def.method = hf_model_method(model);
    hf_sim *sim = hf_sim_create(model, &def, &error);
    assert_non_null(sim);
    hf_failures_arm(fail);
    bool hit = false;
    for (int i = 0; i < STEPS; ++i) {
        double before = hf_sim_time(sim);
        hf_status status = hf_sim_step(sim, &error);
        if (status < 0) {
            hit = true;
            assert_true(hf_failures_hit());
            assert_int_equal(status, HF_ERROR_MEMORY);
            check_told(&error, fail, "step");
            assert_non_null(strstr(error.text, "out of memory"));
            assert_true(hf_sim_time(sim) == before);
            status = hf_sim_step(sim, &error);
        }
        if (status != HF_OK) {
            fail_msg("allocation %lld, step %d: %s", fail, i, error.text);
        }
    }
    hit = hit || hf_failures_hit();
    hf_failures_arm(0);
    int count = hf_model_record_count(model);
    for (int i = 0; i < count; ++i) {
        hash[i] = hf_sim_value(sim, hf_model_record_channel(model, i));
    }
    hf_sim_destroy(sim);
    return hit;
}

static void stepping(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = parse(pile_text, &error);
    assert_non_null(model);
    int count = hf_model_record_count(model);
    double *want = calloc((size_t)count, sizeof *want), *got = calloc((size_t)count, sizeof *got);
    (void)run_pile(model, 0, want);
    bool hit = true;
    long long number = 1;
    for (; hit; ++number) {
        long long before = hf_failures_live();
        hit = run_pile(model, number, got);
        check_no_leak(before, number, "step");
        for (int i = 0; i < count; ++i) {
            hf_check_same_bits(got[i], want[i], "channel after a failed and repeated step");
        }
    }
    assert_true(number > 5); // steps did grow
    free(want);
    free(got);
    hf_model_destroy(model);
}

// The solver is whole or empty after a failure: a second reserve works, of whatever size, and so
// does the solution.
static void reserve_always(const hf_fc3d_def *def, const hf_fc3d_problem *few,
                           const hf_fc3d_problem *many)
{
    double r[120], u[120];
    bool hit = true;
    assert_true(many->contacts <= 40);
    for (long long number = 1; hit; ++number) {
        hf_error error = {0};
        long long before = hf_failures_live();
        hf_fc3d_solver *solver = hf_fc3d_solver_create(def, few, &error);
        assert_non_null(solver);
        hf_failures_arm(number);
        hf_status status = hf_fc3d_solver_reserve(solver, many, &error);
        hit = hf_failures_hit();
        hf_failures_arm(0);
        assert_int_equal(status, hit ? HF_ERROR_MEMORY : HF_OK);
        if (hit) {
            check_told(&error, number, "reserve");
            memset(r, 0, sizeof r);
            // Where only room for factors is missing, sweeps may do without.
            hf_status early = hf_fc3d_solve(solver, many, r, u, NULL, &error);
            assert_true(early == HF_OK || early == HF_ERROR_RANGE || early == HF_ERROR_MEMORY);
            memset(r, 0, sizeof r);
            assert_int_equal(hf_fc3d_solver_reserve(solver, few, &error), HF_OK);
            assert_int_equal(hf_fc3d_solve(solver, few, r, u, NULL, &error), HF_OK);
            hf_check_near(r[0], 1.0, 1e-7, "normal reaction", "W = 1, q = -1");
            assert_int_equal(hf_fc3d_solver_reserve(solver, many, &error), HF_OK);
        }
        memset(r, 0, sizeof r);
        assert_int_equal(hf_fc3d_solve(solver, many, r, u, NULL, &error), HF_OK);
        hf_check_near(r[3 * many->contacts - 3], 1.0, 1e-7, "normal reaction", "W = 1, q = -1");
        hf_fc3d_solver_destroy(solver);
        check_no_leak(before, number, "reserve");
    }
}

static void reserving(void **state)
{
    (void)state;
    enum { MANY = 40 };
    int start[MANY + 1], column[MANY];
    double w[9 * MANY] = {0}, q[3 * MANY], mu[MANY];
    for (int i = 0; i < MANY; ++i) {
        start[i] = column[i] = i;
        w[9 * i] = w[9 * i + 4] = w[9 * i + 8] = 1.0;
        q[3 * i] = -1.0;
        q[3 * i + 1] = 0.1;
        q[3 * i + 2] = 0.2;
        mu[i] = 0.5;
    }
    start[MANY] = MANY;
    hf_fc3d_problem few = {
        .contacts = 1, .start = start, .column = column, .w = w, .q = q, .mu = mu};
    hf_fc3d_problem many = few;
    many.contacts = MANY;
    hf_fc3d_def def = hf_fc3d_def_default();
    reserve_always(&def, &few, &many);
    def.method = HF_FC3D_LEMKE; // it has a table besides, which grows with the square
    many.contacts = 6;
    reserve_always(&def, &few, &many);
}

// All memory of a sim under timestep is the caller's allocator's.
typedef struct counter {
    long long taken, given;
} counter;

static void *take(void *context, size_t size)
{
    ++((counter *)context)->taken;
    return malloc(size);
}

static void give(void *context, void *memory)
{
    ++((counter *)context)->given;
    free(memory);
}

static void the_callers_allocator(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = parse(pile_text, &error);
    assert_non_null(model);
    counter counts = {0};
    hf_sim_def def = def_of(model, HF_METHOD_TIMESTEP);
    def.allocator = (hf_allocator){.allocate = take, .release = give, .context = &counts};
    hf_failures_arm(0);
    hf_sim *sim = hf_sim_create(model, &def, &error);
    assert_non_null(sim);
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    hf_sim_destroy(sim);
    assert_true(counts.taken > 5);
    assert_int_equal(counts.given, counts.taken);
    assert_int_equal(hf_failures_count(), counts.taken);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Recording

static hf_status record_run(const char *path, hf_sim *sim, hf_error *error)
{
    hf_record *record = hf_record_create(path, sim, NULL, error);
    if (record == NULL) {
        return error->status;
    }
    hf_status status = HF_OK;
    for (int i = 0; i < 10 && status == HF_OK; ++i) {
        status = hf_record_sample(record, sim, error);
        status = status < 0 ? status : hf_sim_step(sim, error);
    }
    hf_error end = {0};
    hf_status closed = hf_record_close(record, &end);
    if (status == HF_OK && closed < 0) {
        *error = end;
        return closed;
    }
    return status;
}

static void recording(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = parse(machine_text, &error);
    assert_non_null(model);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    static const char *const endings[] = {"csv", "h5"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        char path[64];
        (void)snprintf(path, sizeof path, "failures-%ld.%s", (long)getpid(), endings[i]);
        bool hit = true;
        for (long long number = 1; hit; ++number) {
            long long before = hf_failures_live();
            error = (hf_error){0};
            hf_failures_arm(number);
            hf_status status = record_run(path, sim, &error);
            hit = hf_failures_hit();
            hf_failures_arm(0);
            if (status < 0) {
                assert_true(hit);
                check_told(&error, number, endings[i]);
            } else { // what was called a success can be read
                hf_recording *read = hf_recording_read(path, &error);
                if (read == NULL) {
                    fail_msg("%s, allocation %lld: %s", endings[i], number, error.text);
                }
                assert_int_equal(read->samples, 10);
                hf_recording_destroy(read);
            }
            check_no_leak(before, number, endings[i]);
        }
        hit = true;
        for (long long number = 1; hit; ++number) {
            long long before = hf_failures_live();
            error = (hf_error){0};
            hf_failures_arm(number);
            hf_recording *read = hf_recording_read(path, &error);
            hit = hf_failures_hit();
            if (read == NULL) {
                assert_true(hit);
                check_told(&error, number, "read");
            }
            hf_recording_destroy(read);
            check_no_leak(before, number, "read");
        }
        hf_failures_arm(0);
        (void)remove(path);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading),   cmocka_unit_test(creating),
        cmocka_unit_test(reserving), cmocka_unit_test(the_callers_allocator),
        cmocka_unit_test(stepping),  cmocka_unit_test(recording),
        cmocka_unit_test(robots),
    };
    return hf_run_tests(tests);
}
