// SPDX-License-Identifier: Apache-2.0
// BODY.contact_force and its kin under every method: what touches a body, all of it and one other.
#include <hf_machine.h>

// Contacts that are forces settle: steps are short, and seconds few.
static const char *const METHODS[] = {"rk4, step: 2e-4",
                                      "rk4-tau, step: 2e-4",
                                      "verlet, step: 2e-4",
                                      "discrete, step: 2e-4",
                                      "euler, step: 1e-4",
                                      "semi-implicit-euler, step: 2e-4",
                                      "adaptive, step: 0.01, rtol: 1e-8, atol: 1e-10",
                                      "switch, step: 0.01",
                                      "timestep, step: 1e-3, tolerance: 1e-10"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS, MOST_ANSWERS = 16 };

typedef struct answer {
    const char *channel;
    double want;
} answer;

static hf_sim *sim_under(const char *method, const char *machine, hf_model **model)
{
    char text[2600];
    (void)snprintf(text, sizeof text, "gravity: [0, 0, -10]\nmethod: {type: %s}\n%s", method,
                   machine);
    *model = model_of(text);
    return sim_from(*model, NULL);
}

static void close_sim(hf_sim *sim, hf_model *model)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The answers at `end` under every method.
static void check(const char *machine, double end, double allowed, const answer *answers)
{
    for (int m = 0; m < METHOD_COUNT; ++m) {
        hf_model *model;
        hf_sim *sim = sim_under(METHODS[m], machine, &model);
        run_until(sim, end);
        for (int i = 0; i < MOST_ANSWERS && answers[i].channel != NULL; ++i) {
            char what[120];
            (void)snprintf(what, sizeof what, "%s (%s)", answers[i].channel, METHODS[m]);
            hf_check_near(value_of(sim, answers[i].channel), answers[i].want, allowed, what,
                          "statics");
        }
        close_sim(sim, model);
    }
}

// A box on a floor, by a list of shapes and by a contact of its corners with a plane.
static void rest(void **state)
{
    (void)state;
    check("bodies:\n"
          "  floor: {type: static, position: [1, 0, -0.5], shape: {type: box, size: [9, 9, 1]}}\n"
          "  box: {type: rigid, mass: 2, position: [0.2, 0, 0.1], shape: {type: box, size: [0.4, "
          "0.4, 0.2]}}\n"
          "  other: {type: rigid, mass: 3, position: [5, 7, 0.1], shape: {type: box, size: [0.4, "
          "0.4, 0.2]}}\n"
          "forces:\n"
          "  - {name: c, type: collide, among: [floor, box], friction: 0.5}\n"
          "  - {name: corners, type: contact, on: other, friction: 0.5}\n"
          "record: [box.contact_force, box.contact_torque, floor.contact_force, "
          "floor.contact_torque, other.contact_force, other.contact_force.by.floor]\n",
          0.3, 2e-5,
          (const answer[]){{"box.contact_force.x", 0.0},
                           {"box.contact_force.z", 20.0},
                           {"box.contact_torque.y", 0.0},
                           {"floor.contact_force.z", -20.0},
                           {"floor.contact_torque.y", -16.0},
                           {"other.contact_force.z", 30.0},
                           {"other.contact_force.by.floor.z", 0.0},
                           {NULL, 0.0}});
}

// Pulled beyond friction: m a = pull - mu m g, and no moment about its centre.
static void sled(void **state)
{
    (void)state;
    check("bodies:\n"
          "  floor: {type: static, shape: {type: plane}}\n"
          "  sled: {type: rigid, mass: 2, position: [0, 0, 0.1], shape: {type: box, size: [0.8, "
          "0.4, 0.2]}}\n"
          "forces:\n"
          "  - {name: c, type: collide, among: all, friction: 0.5}\n"
          "  - {name: pull, on: sled, type: force, value: [16, 0, 0]}\n"
          "record: [sled.contact_force, sled.contact_torque, sled.contact_force.by.floor, "
          "sled.acceleration]\n",
          0.4, 1e-4,
          (const answer[]){{"sled.contact_force.x", -10.0},
                           {"sled.contact_force.z", 20.0},
                           {"sled.contact_force.by.floor.x", -10.0},
                           {"sled.contact_torque.y", 0.0},
                           {"sled.acceleration.x", 3.0},
                           {NULL, 0.0}});
}

// A box on a box, the lower one pulled so that both slip: each pair's force, and what all do to a
// body is its mass times its acceleration.
//   top: 2.5 = 0.25 10,  low: 2 a = 24 - 2.5 - 0.25 30
static void stack(void **state)
{
    (void)state;
    check("bodies:\n"
          "  floor: {type: static, shape: {type: plane}}\n"
          "  low: {type: rigid, mass: 2, position: [0, 0, 0.1], shape: {type: box, size: [2, 0.8, "
          "0.2]}}\n"
          "  top: {type: rigid, mass: 1, position: [0.1, 0, 0.3], shape: {type: box, size: [0.2, "
          "0.2, 0.2]}}\n"
          "forces:\n"
          "  - {name: c, type: collide, among: all, friction: 0.25}\n"
          "  - {name: pull, on: low, type: force, value: [24, 0, 0]}\n"
          "record: [low.contact_force, low.contact_force.by.top, low.contact_force.by.floor, "
          "top.contact_force.by.low, top.contact_torque, floor.contact_force.by.top, "
          "low.acceleration, top.acceleration]\n",
          0.2, 1e-4,
          (const answer[]){{"low.contact_force.x", -10.0},
                           {"low.contact_force.z", 20.0},
                           {"low.contact_force.by.top.x", -2.5},
                           {"low.contact_force.by.top.z", -10.0},
                           {"low.contact_force.by.floor.x", -7.5},
                           {"low.contact_force.by.floor.z", 30.0},
                           {"top.contact_force.by.low.x", 2.5},
                           {"top.contact_torque.y", 0.0},
                           {"floor.contact_force.by.top.z", 0.0},
                           {"low.acceleration.x", 7.0},
                           {"top.acceleration.x", 2.5},
                           {NULL, 0.0}});
}

static const char LIFT[] =
    "bodies:\n"
    "  floor: {type: static, shape: {type: plane}}\n"
    "  lift:\n    type: tree\n    joints:\n"
    "      table: {type: prismatic, axis: [0, 0, 1], offset: [0, 0, 0.1], mass: 2, inertia: "
    "[1, 1, 1], shape: {type: box, size: [0.8, 0.8, 0.2]}}\n"
    "  box: {type: rigid, mass: 1, position: [0.1, 0, 0.3], shape: {type: box, size: [0.2, "
    "0.2, 0.2]}}\n"
    "forces:\n"
    "  - {name: c, type: collide, among: [lift.table, box], friction: 0.5}\n"
    "  - {name: below, type: collide, among: [lift.table, floor], friction: 0}\n"
    "  - {name: push, on: box, type: force, value: [3, 0, 0]}\n"
    "record: [lift.table.contact_force, lift.table.contact_force.by.box, "
    "lift.table.contact_torque.by.box, lift.table.contact_force.by.floor, "
    "box.contact_force.by.lift.table, lift.table.reaction_force, "
    "lift.table.reaction_torque, box.contact_torque, box.pose, lift.table.pose]\n";

// A box pushed aside on a link that slides upright and stands on a floor: the joint carries what
// friction on top does, and is told so.
static void link(void **state)
{
    (void)state;
    check(LIFT, 0.3, 1e-4,
          (const answer[]){{"lift.table.contact_force.x", 3.0},
                           {"lift.table.contact_force.z", 20.0},
                           {"lift.table.contact_force.by.box.x", 3.0},
                           {"lift.table.contact_force.by.box.z", -10.0},
                           {"lift.table.contact_force.by.floor.z", 30.0},
                           {"box.contact_force.by.lift.table.x", -3.0},
                           {"lift.table.reaction_force.x", -3.0},
                           {"lift.table.reaction_force.z", 0.0},
                           {NULL, 0.0}});
}

// About the link's origin: where the box is against it, r x (3, 0, -10) N, since nothing turns the
// box.
static void moment(void **state)
{
    (void)state;
    for (int m = 0; m < METHOD_COUNT; ++m) {
        hf_model *model;
        hf_sim *sim = sim_under(METHODS[m], LIFT, &model);
        run_until(sim, 0.3);
        double x = value_of(sim, "box.pose.x") - value_of(sim, "lift.table.pose.x");
        double z = value_of(sim, "box.pose.z") - value_of(sim, "lift.table.pose.z");
        hf_check_near(value_of(sim, "lift.table.contact_torque.by.box.y"), 3.0 * z + 10.0 * x, 1e-4,
                      METHODS[m], "r x F");
        hf_check_near(value_of(sim, "box.contact_torque.y"), 0.0, 1e-4, METHODS[m], "rest");
        close_sim(sim, model);
    }
}

// A ball in a groove without friction: m g cos 30 and m g sin 30 on two planes at right angles.
static void groove(void **state)
{
    (void)state;
    const double flat = 10.0 * 0.8660254037844386, steep = 5.0;
    check(
        "bodies:\n"
        "  flat: {type: static, shape: {type: plane}, orientation: {axis: [0, 1, 0], angle: 30 "
        "deg}}\n"
        "  steep: {type: static, shape: {type: plane}, orientation: {axis: [0, 1, 0], angle: -60 "
        "deg}}\n"
        "  ball: {type: rigid, mass: 1, position: [-0.036602540378443865, 0, 0.13660254037844387], "
        "shape: {type: sphere, radius: 0.1}}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: all, friction: 0}\n"
        "record: [ball.contact_force, ball.contact_force.by.flat, ball.contact_force.by.steep]\n",
        0.3, 1e-4,
        (const answer[]){{"ball.contact_force.x", 0.0},
                         {"ball.contact_force.z", 10.0},
                         {"ball.contact_force.by.flat.x", 0.5 * flat},
                         {"ball.contact_force.by.flat.z", 0.8660254037844386 * flat},
                         {"ball.contact_force.by.steep.x", -0.8660254037844386 * steep},
                         {"ball.contact_force.by.steep.z", 0.5 * steep},
                         {NULL, 0.0}});
}

// Two balls that are pressed together, a pair of a swarm; and one that a torque would roll, which
// rolling friction holds.
static void balls(void **state)
{
    (void)state;
    check("bodies:\n"
          "  floor: {type: static, position: [0, 0, -5], shape: {type: plane}}\n"
          "  a: {type: rigid, mass: 1, position: [-0.1, 0, 0], shape: {type: sphere, "
          "radius: 0.1}}\n"
          "  b: {type: rigid, mass: 1, position: [0.1, 0, 0], shape: {type: sphere, "
          "radius: 0.1}}\n"
          "  ball: {type: rigid, mass: 1, position: [0, 0, -4.9], shape: {type: sphere, radius: "
          "0.1}}\n"
          "forces:\n"
          "  - {name: pair, type: collide, among: [a, b], friction: 0.5}\n"
          "  - {name: right, on: a, type: force, value: [5, 0, 10]}\n"
          "  - {name: left, on: b, type: force, value: [-5, 0, 10]}\n"
          "  - {name: rolls, type: collide, among: [floor, ball], friction: 0.5, rolling_friction: "
          "0.005, spin_friction: 0.005}\n"
          "  - {name: turn, type: force, wrench: {on: ball, torque: [0, 1, 0]}, value: 0.02}\n"
          "record: [a.contact_force, b.contact_force.by.a, ball.contact_force, "
          "ball.contact_torque]\n",
          0.4, 1e-4,
          (const answer[]){{"a.contact_force.x", -5.0},
                           {"b.contact_force.by.a.x", 5.0},
                           {"ball.contact_force.z", 10.0},
                           {"ball.contact_force.x", 0.0},
                           {"ball.contact_torque.y", -0.02},
                           {NULL, 0.0}});
}

// On a hoist that rises with 1 m/s^2: m (g + a), of a box and of a link whose joint carries nothing
// upright; and a belt that runs under a box.
static void driven(void **state)
{
    (void)state;
    check(
        "bodies:\n"
        "  hoist: {type: driven, dim: 3, position: [0, 0, \"0.5*t*t - 0.1\"], shape: {type: box, "
        "size: [4, 4, 0.2]}}\n"
        "  load: {type: rigid, mass: 3, position: [1, 0, 0.1], shape: {type: box, size: [0.2, 0.2, "
        "0.2]}}\n"
        "  lift:\n    type: tree\n    joints:\n"
        "      table: {type: prismatic, axis: [0, 0, 1], offset: [0, 0, 0.1], mass: 2, inertia: "
        "[1, 1, 1], shape: {type: box, size: [0.4, 0.4, 0.2]}}\n"
        "  belt: {type: static, position: [0, 9, -0.5], shape: {type: box, size: [8, 8, 1], "
        "surface_velocity: [2, 0, 0]}}\n"
        "  box: {type: rigid, mass: 2, position: [0, 9, 0.1], shape: {type: box, size: [0.4, 0.4, "
        "0.2]}}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: [hoist, load, lift.table, belt, box], friction: 0.3, "
        "penetration: 1e-4}\n"
        "record: [load.contact_force, hoist.contact_force.by.load, lift.table.contact_force, "
        "lift.table.reaction_force, box.contact_force.by.belt]\n",
        0.4, 2e-3, // contacts as forces swing once the hoist starts
        (const answer[]){{"load.contact_force.z", 33.0},
                         {"hoist.contact_force.by.load.z", -33.0},
                         {"lift.table.contact_force.z", 22.0},
                         {"lift.table.reaction_force.z", 0.0},
                         {"box.contact_force.by.belt.x", 6.0},
                         {"box.contact_force.by.belt.z", 20.0},
                         {NULL, 0.0}});
}

// A hand of two fingers that hold a box by friction and rise with it by 1 m/s^2. How much of it
// each bears is not determined.
static void hand(void **state)
{
    (void)state;
    check(
        "bodies:\n"
        "  hand:\n    type: tree\n    joints:\n"
        "      lift: {type: prismatic, axis: [0, 0, 1], mass: 1, inertia: [1, 1, 1]}\n"
        "      left: {type: prismatic, parent: lift, axis: [1, 0, 0], offset: [-0.15, 0, 0], mass: "
        "0.5, inertia: [1, 1, 1], shape: {type: box, size: [0.1, 0.2, 0.2]}}\n"
        "      right: {type: prismatic, parent: lift, axis: [1, 0, 0], offset: [0.15, 0, 0], mass: "
        "0.5, inertia: [1, 1, 1], shape: {type: box, size: [0.1, 0.2, 0.2]}}\n"
        "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]}}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: [hand.left, hand.right, box], friction: 0.8}\n"
        "  - {name: up, on: hand.lift, type: force, value: 33}\n"
        "  - {name: l, on: hand.left, type: force, value: 20}\n"
        "  - {name: r, on: hand.right, type: force, value: -20}\n"
        "record: [box.contact_force, box.contact_force.by.hand.left, "
        "box.contact_force.by.hand.right]\n",
        0.4, 1e-4,
        (const answer[]){{"box.contact_force.x", 0.0},
                         {"box.contact_force.z", 11.0},
                         {"box.contact_force.by.hand.left.x", 20.0},
                         {"box.contact_force.by.hand.right.x", -20.0},
                         {NULL, 0.0}});
}

// While things fall and bounce nothing is lost between two bodies: the sums of all vanish, and what
// acts on a body is what the pairs tell.
static void pairs_are_opposite(void **state)
{
    (void)state;
    static const char machine[] =
        "bodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  low: {type: rigid, mass: 2, position: [0, 0, 0.15], velocity: [0.3, 0, 0], shape: "
        "{type: "
        "box, size: [0.4, 0.4, 0.2]}}\n"
        "  top: {type: rigid, mass: 1, position: [0.05, 0.02, 0.4], shape: {type: sphere, radius: "
        "0.1}}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: all, friction: 0.4, restitution: 0.3}\n"
        "record: [floor.contact_force, low.contact_force, top.contact_force, "
        "low.contact_force.by.top, low.contact_force.by.floor]\n";
    for (int m = 0; m < METHOD_COUNT; ++m) {
        hf_model *model;
        hf_sim *sim = sim_under(METHODS[m], machine, &model);
        int touched = 0;
        for (int i = 0; i < 40; ++i) {
            run_until(sim, 0.01 * (i + 1));
            double low = value_of(sim, "low.contact_force.z");
            double top = value_of(sim, "top.contact_force.z");
            double floor = value_of(sim, "floor.contact_force.z");
            double size =
                1e-12 * (1.0 + (low < 0.0 ? -low : low) + (top < 0.0 ? -top : top) - floor);
            hf_check_near(low + top + floor, 0.0, size, METHODS[m], "action and reaction");
            hf_check_near(value_of(sim, "low.contact_force.by.top.z") +
                              value_of(sim, "low.contact_force.by.floor.z"),
                          low, size, METHODS[m], "its pairs");
            touched += floor < 0.0 && top > 0.0;
        }
        assert_true(touched > 3);
        close_sim(sim, model);
    }
}

// A contact comes before a list of the same two bodies alone, whichever is named first.
static void contact_of_two(void **state)
{
    (void)state;
    static const char *const forces[] = {
        "  - {name: list, type: collide, among: [floor, sled], friction: 0.1}\n"
        "  - {name: own, type: contact, on: sled, to: floor, friction: 0.5}\n",
        "  - {name: own, type: contact, on: sled, to: floor, friction: 0.5}\n"
        "  - {name: list, type: collide, among: [floor], against: [sled], friction: 0.1}\n"};
    for (int i = 0; i < 2; ++i) {
        char text[900];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  floor: {type: static, shape: {type: plane}}\n"
                       "  sled: {type: rigid, mass: 2, position: [0, 0, 0.1], shape: {type: box, "
                       "size: [0.8, 0.4, 0.2]}}\n"
                       "forces:\n%s"
                       "  - {name: pull, on: sled, type: force, value: [16, 0, 0]}\n"
                       "record: [sled.contact_force]\n",
                       forces[i]);
        check(text, 0.3, 1e-4,
              (const answer[]){
                  {"sled.contact_force.x", -10.0}, {"sled.contact_force.z", 20.0}, {NULL, 0.0}});
    }
    // Two balls, whose list would else be a swarm
    check(
        "bodies:\n"
        "  low: {type: static, shape: {type: plane}}\n"
        "  a: {type: rigid, mass: 1, position: [0, 0, 0.1], shape: {type: sphere, radius: 0.1}}\n"
        "  b: {type: rigid, mass: 1, position: [0, 0, 0.3], shape: {type: sphere, radius: 0.1}}\n"
        "forces:\n"
        "  - {name: ground, type: collide, among: [low, a], friction: 0.5}\n"
        "  - {name: list, type: collide, among: [a, b], friction: 0.1}\n"
        "  - {name: own, type: contact, on: b, to: a, friction: 0.5}\n"
        "record: [b.contact_force, own.normal, list.normal]\n",
        0.3, 1e-4,
        (const answer[]){
            {"b.contact_force.z", 10.0}, {"own.normal", 10.0}, {"list.normal", 0.0}, {NULL, 0.0}});
}

// Neither steps nor samples ask for memory.
static void no_allocations(void **state)
{
    (void)state;
    for (int m = 0; m < METHOD_COUNT; ++m) {
        hf_model *model;
        hf_sim *sim = sim_under(METHODS[m], LIFT, &model);
        run_until(sim, 0.05);
        long long before = hf_test_allocations();
        for (int i = 0; i < 20; ++i) {
            step(sim);
            (void)hf_sim_values(sim);
        }
        assert_int_equal(hf_test_allocations() - before, 0);
        close_sim(sim, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest),           cmocka_unit_test(sled),
        cmocka_unit_test(stack),          cmocka_unit_test(link),
        cmocka_unit_test(moment),         cmocka_unit_test(groove),
        cmocka_unit_test(balls),          cmocka_unit_test(pairs_are_opposite),
        cmocka_unit_test(contact_of_two), cmocka_unit_test(driven),
        cmocka_unit_test(hand),           cmocka_unit_test(no_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
