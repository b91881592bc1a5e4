// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: frictions in a plane and in space whose level is in proportion to the force of
// a stop or contact, which is found with them.
#include "adaptive_test.h"

#include <math.h>

static const hf_method_family FAMILIES[] = {HF_FAMILY_ADAMS, HF_FAMILY_BDF};

static hf_sim *open_sim(const hf_model *model, double tolerance, event_log *log)
{
    return sim_logged(model, switching(HF_FAMILY_ADAMS, tolerance, 0.05), log);
}

// Events of one force.
static int count_events(const hf_sim *sim, const event_log *log, const char *name, hf_event *events)
{
    hf_force force = hf_model_find_force(hf_sim_model(sim), name);
    int count = 0;
    for (int i = 0; i < log->count; ++i) {
        if (log->events[i].force.id == force.id) {
            events[count++] = log->events[i];
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Closed forms

// A block thrown over a floor: v/(mu g) long, v^2/(2 mu g) far, straight on.
static void thrown_block(void **state)
{
    (void)state;
    hf_model *model = model_of("gravity: [0, 0, -10]\n"
                               "bodies: {block: {type: mass, mass: 2, velocity: [3, -4, 0]}}\n"
                               "forces:\n"
                               "  - {name: floor, on: block.z, type: stop, low: 0}\n"
                               "  - {name: rub, on: block.xy, type: friction, law: coulomb,\n"
                               "     level: {friction: 0.25}, normal: floor}\n");
    for (int f = 0; f < 2; ++f) {
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(FAMILIES[f], 1e-9, 0.25), &log);
        run_until(sim, 1.0);
        hf_check_near(value_of(sim, "rub.force.x"), -5.0 * 0.6, 1e-7, "friction in slip", "mu m g");
        hf_check_near(value_of(sim, "rub.force.y"), 5.0 * 0.8, 1e-7, "friction in slip", "mu m g");
        hf_check_near(value_of(sim, "floor.force"), 20.0, 1e-9, "normal force", "weight");
        run_until(sim, 3.0);
        assert_int_equal(log.count, 1);
        hf_check_near(log.events[0].time, 2.0, 1e-7, "stop", "v/(mu g)");
        assert_int_equal(log.events[0].to, 0);
        hf_check_near(value_of(sim, "block.position.x"), 3.0, 1e-7, "x", "v^2/(2 mu g)");
        hf_check_near(value_of(sim, "block.position.y"), -4.0, 1e-7, "y", "v^2/(2 mu g)");
        hf_check_same_bits(value_of(sim, "block.velocity.x"), 0.0, "velocity in stick");
        hf_check_near(hf_sim_energy(sim).dissipated, 25.0, 1e-7, "heat", "kinetic energy");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// The pull grows and turns, the press too: break-away where |pull| = mu_s N, to the digit, along
// the pull; then with the kinetic coefficient.
static void break_away(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {block: {type: mass, mass: 1}}\n"
                 "signals: {east: \"3*t\", north: \"4*t\", press: \"-10-2*t\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: block, type: force, value: [east, north, press]}\n"
                 "  - {name: floor, on: block.z, type: stop, low: 0}\n"
                 "  - {name: rub, on: block.xy, type: friction, law: coulomb,\n"
                 "     level: {friction: 0.2, static_friction: 0.5}, normal: floor}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 1.0);
    hf_check_same_bits(value_of(sim, "block.velocity.x"), 0.0, "velocity in stick");
    hf_check_near(value_of(sim, "rub.force.y"), -4.0, 1e-12, "friction in stick", "the pull");
    run_until(sim, 2.0);
    // 5 t = 0.5 (10 + 2 t) at t = 1.25; then v' = 5 t - 0.2 (10 + 2 t) = 4.6 t - 2
    assert_int_equal(log.count, 1);
    hf_check_near(log.events[0].time, 1.25, 1e-9, "break-away", "5 t = mu_s N");
    double v = 2.3 * (4.0 - 1.5625) - 2.0 * 0.75;
    hf_check_near(value_of(sim, "block.velocity.x"), 0.6 * v, 1e-7, "v_x", "closed form");
    hf_check_near(value_of(sim, "block.velocity.y"), 0.8 * v, 1e-7, "v_y", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A block that sticks is lifted off: the friction lets go with the floor and is open, the block
// flies on a parabola, lands with an impulse of friction and stops.
static void release_and_landing(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies: {block: {type: mass, mass: 1}}\n"
                 "signals: {pull: \"t < 1 ? 12*t : 0\", side: \"t < 1 ? 0 : t < 1.5 ? 2 : 0\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: block, type: force, value: [0, side, pull]}\n"
                 "  - {name: floor, on: block.z, type: stop, low: 0}\n"
                 "  - {name: rub, on: block.xy, type: friction, law: coulomb,\n"
                 "     level: {friction: 0.4}, normal: floor}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 0.9);
    hf_event rub[MOST_EVENTS];
    assert_int_equal(count_events(sim, &log, "rub", rub), 1);
    hf_check_near(rub[0].time, 10.0 / 12.0, 1e-8, "release", "pull = weight");
    assert_int_equal(rub[0].to, 2);
    hf_check_near(value_of(sim, "rub.mode"), 2.0, 0.0, "mode in the air", "open");
    run_until(sim, 3.0);
    // Up with 12 (1 - 5/6)^2/2 from z = 12 (1/6)^3/6: down again with w
    double up = 6.0 / 36.0, w = sqrt(up * up + 20.0 * (12.0 / 6.0 / 216.0));
    double landing = 1.0 + (up + w) / 10.0;
    assert_true(landing < 1.5);
    // Across: 2 (t - 1), less than what the impulse can stop; then the push is within 0.4 x 10 N
    assert_true(2.0 * (landing - 1.0) < 0.4 * w);
    assert_int_equal(count_events(sim, &log, "rub", rub), 2);
    hf_check_near(rub[1].time, landing, 1e-8, "landing", "parabola");
    assert_int_equal(rub[1].to, 0);
    hf_check_near(value_of(sim, "block.position.y"), (landing - 1.0) * (landing - 1.0), 1e-8, "y",
                  "parabola");
    hf_check_same_bits(value_of(sim, "block.velocity.y"), 0.0, "velocity in stick");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-8, "energy residual", "rtol 1e-10");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A known force that loads: a spring that swings. v' = -mu k |cos t|.
static void under_a_spring(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies:\n"
                               "  weight: {type: mass, axes: z, mass: 1, position: 1}\n"
                               "  puck: {type: mass, axes: xy, mass: 1, velocity: [0.6, 0.8]}\n"
                               "forces:\n"
                               "  - {name: coil, on: weight, type: spring, stiffness: 1}\n"
                               "  - {name: rub, on: puck, type: friction, law: coulomb,\n"
                               "     level: {friction: 0.8}, normal: coil}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 4.0);
    // 1 = 0.8 (2 - sin t) beyond pi/2
    hf_event rub[MOST_EVENTS];
    assert_int_equal(count_events(sim, &log, "rub", rub), 1);
    hf_check_near(rub[0].time, acos(-1.0) - asin(0.75), 1e-7, "stop", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A pad on one body presses, another body feels the friction: a brake.
static const char BRAKE[] =
    "bodies:\n"
    "  pad: {type: mass, axes: z, mass: 0.1, position: 0.05, velocity: -1}\n"
    "  rotor: {type: tree, joints: {axle: {type: revolute, inertia: [1, 1, 2],\n"
    "          velocity: 5}}}\n"
    "signals: {press: \"-20*t\"}\n"
    "forces:\n"
    "  - {name: piston, on: pad, type: force, value: press}\n"
    "  - {name: disc, on: pad, type: stop, low: 0}\n"
    "  - {name: rub, on: rotor.axle, type: friction, law: coulomb,\n"
    "     level: {friction: 0.3}, normal: disc}\n";

static void brake(void **state)
{
    (void)state;
    hf_model *model = model_of(BRAKE);
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 3.0);
    // The pad arrives at t1 with w: 0.05 - t - 200 t^3/6; its momentum takes 0.3 m w/J, then
    // 2 w' = -0.3 x 20 t
    double t1 = 0.049;
    for (int i = 0; i < 20; ++i) {
        t1 -= (t1 + 100.0 / 3.0 * t1 * t1 * t1 - 0.05) / (1.0 + 100.0 * t1 * t1);
    }
    double spin = 5.0 - 0.3 * 0.1 * (1.0 + 100.0 * t1 * t1) / 2.0;
    hf_event rub[MOST_EVENTS];
    assert_int_equal(count_events(sim, &log, "rub", rub), 2);
    hf_check_near(rub[0].time, t1, 1e-9, "the pad arrives", "closed form");
    hf_check_near(rub[1].time, sqrt(t1 * t1 + 2.0 * spin / 3.0), 1e-8, "stop", "closed form");
    hf_check_same_bits(value_of(sim, "rotor.axle.velocity"), 0.0, "velocity in stick");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A sphere on a smooth floor drills: a friction of spins, loaded by the contact. J w' = -r mu N.
static void drilling_sphere(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies:\n"
                 "  ball: {type: rigid, mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 0, 1],\n"
                 "         velocity: [1, 0, 0], angular_velocity: [1, 2, -2], shape: {type: "
                 "sphere, radius: 1}}\n"
                 "forces:\n"
                 "  - {name: floor, on: ball, type: contact, restitution: 0, friction: 0}\n"
                 "  - {name: drill, on: ball, coupling: spin, type: friction, law: coulomb,\n"
                 "     level: {friction: 0.05}, normal: floor}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 2.0);
    hf_event drill[MOST_EVENTS];
    assert_int_equal(count_events(sim, &log, "drill", drill), 1);
    hf_check_near(drill[0].time, 3.0 * 0.5 / (0.05 * 20.0), 1e-8, "stop", "J w/(mu N)");
    hf_check_near(value_of(sim, "ball.position.x"), 2.0, 1e-9, "x", "no friction along");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// The rigid contact beside it

// A point that is thrown, bounces, slides on a curved path, stops, breaks away and is lifted off.
#define FLIGHT                                                                                     \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "bodies: {block: {type: mass, mass: 1.5, position: [0, 0, 0.3], velocity: [2, 1, 0]}}\n"       \
    "signals: {east: \"-2*sin(3*t)\", north: \"max(0, 6*cos(3*t))\", lift: \"t < 3 ? 4*sin(5*t) "  \
    ": "                                                                                           \
    "8*(t-3)\"}\n"                                                                                 \
    "forces:\n"                                                                                    \
    "  - {name: hand, on: block, type: force, value: [east, north, lift]}\n"                       \
    "  - {name: spring, on: block.x, type: spring, stiffness: 4}\n"

static void as_rigid_contact(void **state)
{
    (void)state;
    hf_model *loaded =
        model_of(FLIGHT "  - {name: floor, on: block.z, type: stop, low: 0, restitution: 0.4}\n"
                        "  - {name: rub, on: block.xy, type: friction, law: coulomb,\n"
                        "     level: {friction: 0.25, static_friction: 0.35}, normal: floor}\n");
    hf_model *rigid = model_of(
        FLIGHT "  - {name: floor, on: block, type: contact, law: rigid-contact, restitution: 0.4,\n"
               "     friction: {friction: 0.25, static_friction: 0.35}}\n");
    static const char *const channels[] = {"block.position.x", "block.position.y",
                                           "block.position.z", "block.velocity.x",
                                           "block.velocity.y"};
    event_log one = {0}, two = {0};
    hf_sim *a = open_sim(loaded, 1e-10, &one), *b = open_sim(rigid, 1e-10, &two);
    int stuck = 0, slid = 0, open = 0;
    while (hf_sim_time(a) < 5.45) {
        run_until(a, hf_sim_time(a) + 0.05);
        run_until(b, hf_sim_time(a));
        for (int i = 0; i < 5; ++i) {
            hf_check_near(value_of(a, channels[i]), value_of(b, channels[i]), 1e-6, channels[i],
                          "rigid contact");
        }
        double mode = value_of(a, "rub.mode");
        hf_check_near(mode, value_of(b, "floor.mode"), 0.0, "mode", "rigid contact");
        stuck += mode == 0.0;
        slid += mode == 1.0;
        open += mode == 2.0;
        if (mode != 2.0) {
            hf_check_near(value_of(a, "rub.force.x"), value_of(b, "floor.force.x"), 1e-5,
                          "friction", "rigid contact");
        }
    }
    assert_true(stuck > 5 && slid > 5 && open > 2);
    hf_event rub[MOST_EVENTS] = {{.time = 0.0}};
    int count = count_events(a, &one, "rub", rub);
    int next = 0;
    for (int i = 0; i < two.count; ++i) { // bounces are told of what bounces alone
        if (two.events[i].from == two.events[i].to) {
            continue;
        }
        assert_true(next < count);
        hf_check_near(rub[next].time, two.events[i].time, 1e-7, "event", "rigid contact");
        assert_int_equal(rub[next].to, two.events[i].to);
        ++next;
    }
    assert_int_equal(next, count);
    hf_check_below(fabs(hf_sim_energy(a).residual), 1e-7, "energy residual", "rtol 1e-10");
    hf_sim_destroy(a);
    hf_sim_destroy(b);
    hf_model_destroy(loaded);
    hf_model_destroy(rigid);
}

// The example: its events converge with the tolerance, its forces stay in the cone of the moment.
static void dragged_block(void **state)
{
    (void)state;
    static event_log log[2];
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/dragged-block.yaml", &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    for (int i = 0; i < 2; ++i) {
        log[i].count = 0;
        hf_sim *sim = open_sim(model, i == 0 ? 1e-11 : 1e-8, &log[i]);
        while (hf_sim_time(sim) < 12.55) {
            run_until(sim, hf_sim_time(sim) + 0.05);
            double fx = value_of(sim, "rub.force.x"), fy = value_of(sim, "rub.force.y");
            double normal = value_of(sim, "floor.force"), mode = value_of(sim, "rub.mode");
            double most = (mode == 0.0 ? 0.45 : 0.3) * normal;
            hf_check_below(hypot(fx, fy), most * (1.0 + 1e-9) + 1e-9, "friction", "its cone");
            if (mode == 1.0) {
                hf_check_near(hypot(fx, fy), most, 1e-7, "friction in slip", "mu N");
            }
        }
        hf_check_near(value_of(sim, "rub.mode"), 2.0, 0.0, "mode at the end", "lifted off");
        hf_sim_destroy(sim);
    }
    assert_int_equal(log[0].count, log[1].count);
    assert_true(log[0].count > 30);
    for (int i = 0; i < log[0].count; ++i) {
        hf_check_near(log[1].events[i].time, log[0].events[i].time, 2e-6, "event", "rtol 1e-11");
    }
    hf_model_destroy(model);
}

// Fixed steps find the same, to first order: the normal force of the same step loads the friction.
static void over_fixed_steps(void **state)
{
    (void)state;
    hf_error error = {0};
    event_log log = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/dragged-block.yaml", &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 3.0);
    double x = value_of(sim, "block.position.x"), off[2];
    hf_sim_destroy(sim);
    for (int i = 0; i < 2; ++i) {
        sim = sim_with(model,
                       (hf_method_def){.type = HF_METHOD_DISCRETE, .step = i == 0 ? 1e-3 : 2.5e-4});
        run_until(sim, 3.0);
        off[i] = fabs(value_of(sim, "block.position.x") - x);
        hf_sim_destroy(sim);
    }
    hf_check_below(off[0], 2e-3, "x, step 1 ms", "method switch");
    hf_check_below(off[1], 0.5 * off[0], "x, step 0.25 ms", "first order");
    hf_model_destroy(model);
    // What loads acts on another body
    model = model_of(BRAKE);
    sim = sim_with(model, (hf_method_def){.type = HF_METHOD_DISCRETE, .step = 1e-3});
    run_until(sim, 1.5);
    double t1 = 0.0470, spin = 5.0 - 0.3 * 0.1 * (1.0 + 100.0 * t1 * t1) / 2.0;
    hf_check_near(value_of(sim, "rotor.axle.velocity"), spin - 1.5 * (2.25 - t1 * t1), 2e-2, "spin",
                  "closed form, first order");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Directions that feel each other

// A carriage on a floor carries a slide that leans: what presses the stop depends on the friction.
static const char LEANING[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  leg:\n"
    "    type: tree\n"
    "    joints:\n"
    "      cart: {type: planar, mass: 1, inertia: [1, 1, 1], velocity: [1.5, -1, 0]}\n"
    "      lift: {type: prismatic, parent: cart, axis: [0.48, 0.36, 0.8], mass: 1}\n"
    "forces:\n"
    "  - {name: hold, on: leg.cart.angle, type: spring, stiffness: 50, damping: 1}\n"
    "  - {name: coil, on: leg.cart.xy, type: spring, stiffness: 6}\n"
    "  - {name: floor, on: leg.lift, type: stop, low: 0}\n"
    "  - {name: rub, on: leg.cart.xy, type: friction, law: coulomb, level: {friction: 0.3},\n"
    "     normal: floor}\n";

// While the lift is held the cart moves alone: 2 a = -6 x - mu N d, N = b.a + 0.8 g, the angle is
// 0.
static void lean_rate(const double *x, double *rate)
{
    double v = hypot(x[2], x[3]), d[2] = {x[2] / v, x[3] / v};
    double normal = (0.8 * 9.81 - 3.0 * (0.48 * x[0] + 0.36 * x[1])) /
                    (1.0 + 0.15 * (0.48 * d[0] + 0.36 * d[1]));
    for (int k = 0; k < 2; ++k) {
        rate[k] = x[2 + k];
        rate[2 + k] = -3.0 * x[k] - 0.15 * normal * d[k];
    }
}

static void lean_step(double *x, double h)
{
    static const double part[] = {0.5, 0.5, 1.0, 0.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    double at[4], rate[4], sum[4] = {0.0, 0.0, 0.0, 0.0};
    memcpy(at, x, sizeof at);
    for (int stage = 0; stage < 4; ++stage) {
        lean_rate(at, rate);
        for (int k = 0; k < 4; ++k) {
            sum[k] += weight[stage] * rate[k];
            at[k] = x[k] + part[stage] * h * rate[k];
        }
    }
    for (int k = 0; k < 4; ++k) {
        x[k] += h / 6.0 * sum[k];
    }
}

static void coupled_directions(void **state)
{
    (void)state;
    hf_model *model = model_of(LEANING);
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    double x[4] = {0.0, 0.0, 1.5, -1.0};
    while (hf_sim_time(sim) < 0.72) { // then it is nearly at rest, and RK4 is lost
        assert_true(value_of(sim, "rub.mode") == 1.0);
        hf_check_near(value_of(sim, "leg.cart.position.x"), x[0], 2e-9, "x", "RK4, 1e-4 s");
        hf_check_near(value_of(sim, "leg.cart.velocity.y"), x[3], 2e-9, "v_y", "RK4, 1e-4 s");
        double normal = value_of(sim, "floor.force"), v = hypot(x[2], x[3]);
        hf_check_near(value_of(sim, "rub.force.x"), -0.3 * normal * x[2] / v, 1e-7,
                      "friction in slip", "mu N against v");
        for (int i = 0; i < 500; ++i) {
            lean_step(x, 1e-4);
        }
        run_until(sim, hf_sim_time(sim) + 0.05);
    }
    run_until(sim, 3.0);
    double normal = value_of(sim, "floor.force");
    double fx = value_of(sim, "rub.force.x"), fy = value_of(sim, "rub.force.y");
    hf_check_near(normal, 0.8 * 9.81, 1e-9, "normal force at rest", "weight along the lift");
    hf_check_near(fx, 6.0 * value_of(sim, "leg.cart.position.x"), 1e-9, "friction at rest",
                  "the spring");
    hf_check_below(hypot(fx, fy), 0.3 * normal, "friction at rest", "its cone");
    hf_check_same_bits(value_of(sim, "leg.cart.velocity.x"), 0.0, "velocity in stick");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-7, "energy residual", "rtol 1e-10");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Sliding towards the side where friction presses harder than the stop can answer: no accelerations
// solve that (Painleve), an impact without collision ends the sliding. In one dimension and in two.
static void jam(void **state)
{
    (void)state;
    static const char *const slides[] = {
        "type: prismatic, axis: [1, 0, 0], mass: 0.1, velocity: -2",
        "type: planar, mass: 0.1, inertia: [1, 1, 1], velocity: [-2, 0, 0]"};
    static const char *const places[] = {"leg.cart", "leg.cart.xy"};
    for (int i = 0; i < 2; ++i) {
        char text[700];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies: {leg: {type: tree, joints: {cart: {%s},\n"
                       "  lift: {type: prismatic, parent: cart, axis: [0.8, 0, 0.6], mass: 1}}}}\n"
                       "forces:\n"
                       "  - {name: floor, on: leg.lift, type: stop, low: 0}\n"
                       "  - {name: rub, on: %s, type: friction, law: coulomb,\n"
                       "     level: {friction: 2}, normal: floor}\n",
                       slides[i], places[i]);
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim = open_sim(model, 1e-9, &log);
        run_until(sim, 0.5);
        hf_check_near(value_of(sim, i == 0 ? "leg.cart.velocity" : "leg.cart.velocity.x"), 0.0,
                      1e-12, "velocity", "stopped at once");
        hf_check_near(value_of(sim, i == 0 ? "leg.cart.position" : "leg.cart.position.x"), 0.0,
                      1e-9, "position", "stopped at once");
        hf_check_near(hf_sim_energy(sim).dissipated, 0.5 * 1.1 * 4.0, 1e-9, "heat",
                      "kinetic energy");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------
// Memory, refusals

static void save_and_restore(void **state)
{
    (void)state;
    hf_model *model = model_of(LEANING);
    const double when[] = {0.2, 0.7, 1.2};
    for (int i = 0; i < 3; ++i) {
        event_log log = {0};
        hf_sim *first = open_sim(model, 1e-8, &log), *second = open_sim(model, 1e-8, &log);
        check_restored(first, second, when[i], 1.5);
        hf_sim_destroy(first);
        hf_sim_destroy(second);
    }
    hf_model_destroy(model);
}

static void refusals(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies: {block: {type: mass, mass: 1}}\n"
                               "forces:\n"
                               "  - {name: floor, on: block.z, type: stop, low: 0}\n"
                               "  - {name: rub, on: block, type: friction, law: coulomb,\n"
                               "     level: {friction: 0.5}, normal: floor}\n");
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    def.method = switching(HF_FAMILY_ADAMS, 1e-8, 0.1);
    expect_refusal(model, &def, "it acts along the coordinate of the stop that loads it, 'floor'");
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thrown_block),
        cmocka_unit_test(break_away),
        cmocka_unit_test(release_and_landing),
        cmocka_unit_test(under_a_spring),
        cmocka_unit_test(brake),
        cmocka_unit_test(drilling_sphere),
        cmocka_unit_test(as_rigid_contact),
        cmocka_unit_test(coupled_directions),
        cmocka_unit_test(dragged_block),
        cmocka_unit_test(over_fixed_steps),
        cmocka_unit_test(jam),
        cmocka_unit_test(save_and_restore),
        cmocka_unit_test(refusals),
    };
    return hf_run_tests(tests);
}
