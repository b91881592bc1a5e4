// SPDX-License-Identifier: Apache-2.0
// Public robots held still by their friction: not a bit moves (HOLDFAST_DATA/robots; skipped
// without it).
#include "hf_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/models.h>
#include <holdfast/sim.h>

typedef struct machine {
    hf_spec *spec;
    hf_model *model;
    hf_sim *sim;
    double before[400];
    size_t count;
} machine;

// The text of a model in the folder of the robots.
static void open_machine(machine *m, const char *text)
{
    const char *data = getenv("HOLDFAST_DATA");
    hf_error error = {0};
    char folder[600];
    if (data == NULL) {
        print_message("skipped: HOLDFAST_DATA is not set\n");
        skip();
    }
    (void)snprintf(folder, sizeof folder, "%s/robots", data == NULL ? "" : data);
    m->spec = hf_spec_parse(text, strlen(text), "machine.yaml", folder, NULL, &error);
    m->model = m->spec == NULL ? NULL : hf_model_compile(m->spec, &error);
    m->sim = m->model == NULL ? NULL : hf_sim_create(m->model, NULL, &error);
    if (m->sim == NULL) {
        fail_msg("%s", error.text);
    }
}

static void close_machine(machine *m)
{
    hf_sim_destroy(m->sim);
    hf_model_destroy(m->model);
    hf_spec_destroy(m->spec);
}

static void advance(machine *m, double until)
{
    hf_error error = {0};
    if (hf_sim_advance(m->sim, until, false, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
}

static void keep(machine *m)
{
    m->count = (size_t)hf_model_get_info(m->model).coordinates;
    assert_true(m->count <= sizeof m->before / sizeof m->before[0]);
    memcpy(m->before, hf_sim_positions(m->sim), m->count * sizeof *m->before);
}

static void check_still(const machine *m)
{
    assert_memory_equal(m->before, hf_sim_positions(m->sim), m->count * sizeof *m->before);
}

static void check_stays(const char *text, double settle, double end)
{
    machine m = {0};
    open_machine(&m, text);
    advance(&m, settle);
    keep(&m);
    advance(&m, end);
    check_still(&m);
    close_machine(&m);
}

// Friction of 5 to 12 Nm in 16 joints without power: from the first step on.
static void test_the_allegro_hand_stays(void **state)
{
    (void)state;
    check_stays("gravity: [0, 0, -9.81]\n"
                "method: {type: timestep, step: 5e-3}\n"
                "bodies: {hand: {type: robot, orientation: [0.7071, 0.7071, 0, 0], file: "
                "allegro_hand_urdf/allegro_hand_description_right.urdf}}\n",
                0.0, 60.0);
}

// 5 Nm of friction; the weight is carried to 97 %, so that every joint has a load.
static void check_arm(const char *file, double share)
{
    char text[600];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\n"
                   "method: {type: timestep, step: 5e-3}\n"
                   "bodies: {arm: {type: robot, file: %s, gravity_compensation: %g, start: home}}\n"
                   "joints: {\"arm.*joint*\": {friction: {law: coulomb, level: 5}}}\n",
                   file, share);
    check_stays(text, 0.0, 60.0);
}

static void test_compensated_arms_stay(void **state)
{
    (void)state;
    check_arm("universal_robots_ur5e/ur5e.xml", 1.0);
    check_arm("universal_robots_ur5e/ur5e.xml", 0.97);
    check_arm("kuka_iiwa_14/iiwa14.xml", 1.0);
    check_arm("kuka_iiwa_14/iiwa14.xml", 0.97);
}

// On its own servos, from the key frame of its file, which lies 18 mm deep in the floor.
static void test_go1_stands(void **state)
{
    (void)state;
    machine m = {0};
    open_machine(&m, "gravity: [0, 0, -9.81]\n"
                     "method: {type: timestep, step: 4e-3}\n"
                     "bodies: {go1: {type: robot, file: unitree_go1/scene.xml, start: home}}\n");
    hf_body base = hf_spec_find_body(m.spec, "go1.trunk");
    assert_int_not_equal(base.id, 0);
    advance(&m, 3.0);
    keep(&m);
    hf_vec3 at;
    hf_quat turn;
    hf_sim_pose(m.sim, base, &at, &turn);
    assert_true(at.z > 0.24 && turn.w > 0.999); // it stands
    advance(&m, 60.0);
    check_still(&m);
    close_machine(&m);
}

static void test_g1_lies(void **state)
{
    (void)state;
    check_stays("gravity: [0, 0, -9.81]\n"
                "method: {type: timestep, step: 4e-3}\n"
                "bodies:\n"
                "  floor: {type: static, shape: {type: plane}}\n"
                "  g1: {type: robot, file: unitree_g1/g1.xml, position: [0, 0, 0.25],\n"
                "       orientation: [0.7071067811865476, 0, -0.7071067811865476, 0]}\n",
                1.5, 6.0);
}

// A gripper on a carriage closes on a box of 50 g, lifts it and shakes it. What is stuck moves by
// what the solver's tolerance leaves in a step and in no other way: in 56 s of shaking the box
// turns by 1.1e-7 rad in a pad at the usual 1e-8, whatever the step, and by 2.5e-11 rad at 1e-12.
static const char LIFT[] =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: 2e-3, tolerance: 1e-12}\n"
    "bodies:\n"
    "  hand: {type: robot, file: robotiq_2f85/2f85.xml, base: free, position: [0, 0, 0.17],\n"
    "         orientation: [0, 1, 0, 0]}\n"
    "  table: {type: static, shape: {type: plane}}\n"
    "  carriage:\n"
    "    type: tree\n"
    "    joints:\n"
    "      lift: {type: prismatic, axis: [0, 0, 1], offset: [0, 0, 0.17], mass: 2}\n"
    "      shake: {type: prismatic, axis: [1, 0, 0], parent: lift, mass: 2}\n"
    "  box: {type: rigid, mass: 0.05, position: [0, 0, 0.015],\n"
    "        shape: {type: box, size: [0.03, 0.03, 0.03]}}\n"
    "signals:\n"
    "  up: \"t < 2 ? 0 : t < 3 ? 0.1*(1 - cos(pi*(t - 2))) : 0.2 + 0.01*sin(12*(t - 3))\"\n"
    "  side: \"t < 3 ? 0 : 0.01*sin(20*(t - 3))\"\n"
    "  hand-fingers_actuator: \"t < 0.5 ? 0 : 255\"\n"
    "forces:\n"
    "  - {name: ground, type: collide, among: [box, table], friction: 0.5, restitution: 0}\n"
    "  - {name: lifter, type: controller, on: carriage.lift, reference: up,\n"
    "     proportional: 1e5, derivative: 2e3}\n"
    "  - {name: shaker, type: controller, on: carriage.shake, reference: side,\n"
    "     proportional: 1e5, derivative: 2e3}\n"
    "loops:\n"
    "  mount: {type: fixed, on: hand.base_mount, to: carriage.shake, point: [0, 0, 0],\n"
    "          to_point: [0, 0, 0], to_orientation: [0, 1, 0, 0]}\n";

static hf_vec3 box_in_hand(const machine *m)
{
    hf_vec3 box, hand;
    hf_quat turn;
    hf_sim_pose(m->sim, hf_spec_find_body(m->spec, "box"), &box, &turn);
    hf_sim_pose(m->sim, hf_spec_find_body(m->spec, "hand.base_mount"), &hand, &turn);
    return (hf_vec3){box.x - hand.x, box.y - hand.y, box.z - hand.z};
}

static void test_a_gripper_lifts_and_shakes(void **state)
{
    (void)state;
    machine m = {0};
    open_machine(&m, LIFT);
    advance(&m, 4.0);
    hf_vec3 first = box_in_hand(&m);
    double worst = 0.0;
    for (int i = 1; i <= 100; ++i) {
        advance(&m, 4.0 + 0.1 * i);
        hf_vec3 now = box_in_hand(&m);
        worst = fmax(worst, fmax(fabs(now.x - first.x), fabs(now.z - first.z)));
    }
    print_message("box in the hand: moved by %.2g m in 10 s\n", worst);
    hf_check_near(worst, 0.0, 1e-11, "slip of the box in the hand [m]", "held");
    close_machine(&m);
}

// When the shaking ends (at t = 3 + pi, where both signals and the lift's are at their middle) hand
// and box come to rest, and then hold for a minute to the bit, at the default tolerance too.
static void test_a_gripper_holds_what_it_has_shaken(void **state)
{
    (void)state;
    static const char *const change[][2] = {
        {", tolerance: 1e-12}", "}"},
        {": 0.2 + 0.01*sin(12*(t - 3))", ": 0.2 + (t < 3 + pi ? 0.01*sin(12*(t - 3)) : 0)"},
        {"t < 3 ? 0 : 0.01*sin(20*(t - 3))", "t > 3 && t < 3 + pi ? 0.01*sin(20*(t - 3)) : 0"}};
    char text[3000];
    machine m = {0};
    (void)snprintf(text, sizeof text, "%s", LIFT);
    for (size_t i = 0; i < sizeof change / sizeof *change; ++i) {
        char rest[3000], *at = strstr(text, change[i][0]);
        assert_non_null(at);
        (void)snprintf(rest, sizeof rest, "%s", at + strlen(change[i][0]));
        (void)snprintf(at, sizeof text - (size_t)(at - text), "%s%s", change[i][1], rest);
    }
    open_machine(&m, text);
    advance(&m, 8.0);
    hf_vec3 first = box_in_hand(&m);
    assert_true(first.z > -0.18); // it is in the hand, not on the table
    keep(&m);
    advance(&m, 68.0);
    assert_memory_equal(m.before, hf_sim_positions(m.sim), m.count * sizeof *m.before);
    close_machine(&m);
}

// Loops stay closed, in planes along no axis of the world too.
static void test_loops_stay_closed(void **state)
{
    (void)state;
    static const char *const files[] = {"robotiq_2f85/2f85.xml", "agility_cassie/cassie.xml",
                                        "stanford_tidybot/tidybot.xml"};
    for (size_t i = 0; i < 3; ++i) {
        char text[400];
        machine m = {0};
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "method: {type: timestep, step: 1e-3}\n"
                       "bodies: {robot: {type: robot, file: %s, collide: none, position: [0, 0, "
                       "1], orientation: [0.9, 0.1, 0.3, 0.2]}}\n",
                       files[i]);
        open_machine(&m, text);
        double worst = 0.0;
        for (int k = 1; k <= 50; ++k) {
            advance(&m, 0.004 * k);
            (void)hf_sim_values(m.sim); // a recorded state
        }
        hf_sim_stats stats = hf_sim_get_stats(m.sim);
        worst = fmax(stats.largest_opening, stats.largest_opening_angle);
        print_message("%s: loops open by %.2g at most\n", files[i], worst);
        hf_check_near(worst, 0.0, 1e-12, "opening of loops [m, rad]", files[i]);
        close_machine(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_allegro_hand_stays),
        cmocka_unit_test(test_compensated_arms_stay),
        cmocka_unit_test(test_go1_stands),
        cmocka_unit_test(test_g1_lies),
        cmocka_unit_test(test_a_gripper_lifts_and_shakes),
        cmocka_unit_test(test_a_gripper_holds_what_it_has_shaken),
        cmocka_unit_test(test_loops_stay_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
