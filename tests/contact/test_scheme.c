// SPDX-License-Identifier: Apache-2.0
// Method timestep against closed forms: the document's point, slopes, bounces, joints.
#include "contact_test.h"

#include <math.h>

// ------------------------------------------------------------------------------------------------
// [RobotSimulation2025]'s point

static const char POINT[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies: {point: {type: mass, axes: xz, mass: 10, position: [0, 1], velocity: [1, 0]}}\n"
    "forces: [{name: floor, on: point, type: contact, law: rigid-contact, friction: 0.1,\n"
    "          restitution: 0}]\n";
static const double EXACT_STOP = 1.019367992, EXACT_WAY = 0.609683996;

// The time of the first step that ends at rest, and where.
static double stop_of(const char *text, double h, double *way)
{
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(h));
    run_until(sim, 0.5);
    while (value_of(sim, "point.velocity.x") != 0.0 && hf_sim_time(sim) < 2.0) {
        step(sim);
    }
    double time = hf_sim_time(sim);
    *way = value_of(sim, "point.position.x");
    for (int i = 0; i < 200; ++i) {
        step(sim);
        hf_check_same_bits(value_of(sim, "point.velocity.x"), 0.0, "velocity after the stop");
        hf_check_same_bits(value_of(sim, "point.position.x"), *way, "place after the stop");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return time;
}

static void point_of_the_document(void **state)
{
    (void)state;
    double way = 0.0, time = stop_of(POINT, 1e-3, &way);
    hf_check_near(time, 1.020, 1e-12, "stop", "Intro to Robot Simulation 2025, corrected scheme");
    hf_check_near(way, 0.609184110, 1e-12, "way",
                  "Intro to Robot Simulation 2025, corrected scheme");
}

static void point_converges(void **state)
{
    (void)state;
    double way[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        double h = 1e-3 * pow(10.0, -i), time = stop_of(POINT, h, &way[i]);
        hf_check_near(time, EXACT_STOP, 2.0 * h, "stop", "Intro to Robot Simulation 2025, exact");
        hf_check_near(way[i], EXACT_WAY, 0.7 * h, "way", "Intro to Robot Simulation 2025, exact");
    }
}

// A stop and a friction that it loads are the same contact.
static void point_of_couplings(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies: {point: {type: mass, axes: xz, mass: 10, position: [0, 1], velocity: [1, 0]}}\n"
        "forces:\n"
        "  - {name: floor, on: point.z, type: stop, low: 0}\n"
        "  - {name: rub, on: point.x, type: friction, law: coulomb, level: {friction: 0.1},\n"
        "     normal: floor}\n";
    double way = 0.0, time = stop_of(text, 1e-3, &way);
    hf_check_near(time, 1.020, 1e-12, "stop", "Intro to Robot Simulation 2025, corrected scheme");
    hf_check_near(way, 0.609184110, 1e-9, "way",
                  "Intro to Robot Simulation 2025, corrected scheme");
}

// ------------------------------------------------------------------------------------------------
// A box on a slope

static const char *slope_text(char text[1024], double degrees, double mu)
{
    double angle = degrees * acos(-1.0) / 180.0, s = sin(angle), c = cos(angle);
    (void)snprintf(text, 1024,
                   "gravity: [0, 0, -9.81]\n"
                   "bodies: {box: {type: rigid, mass: 2, shape: {type: box, size: [0.4, 0.3, 0.2]},"
                   "\n  position: [%.17g, 0, %.17g], orientation: {axis: [0, 1, 0], angle: %.17g}}}"
                   "\nforces: [{name: slope, on: box, type: contact, law: rigid-contact,\n"
                   "  friction: %.17g, restitution: 0, plane: {normal: [%.17g, 0, %.17g]}}]\n",
                   -0.1 * s, 0.1 * c, -angle, mu, -s, c);
    return text;
}

static double slid(const char *text, double h, double seconds)
{
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(h));
    double x = value_of(sim, "box.position.x"), z = value_of(sim, "box.position.z");
    run_until(sim, seconds);
    double way = hypot(value_of(sim, "box.position.x") - x, value_of(sim, "box.position.z") - z);
    assert_int_equal(hf_sim_get_stats(sim).unsolved_steps, 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return way;
}

static void box_holds(void **state)
{
    (void)state;
    char text[1024];
    slope_text(text, 20.0, 0.5);
    hf_check_below(slid(text, 1e-3, 20.0), 1e-10, "slid in 20 s at 1 ms", "it holds");
    hf_check_below(slid(text, 5e-3, 20.0), 1e-10, "slid in 20 s at 5 ms", "it holds");
}

static void friction_angle(void **state)
{
    (void)state;
    char text[1024];
    double pi = acos(-1.0), mu = tan(20.0 * pi / 180.0);
    hf_check_below(slid(slope_text(text, 19.99, mu), 1e-3, 2.0), 1e-12, "slid", "below the angle");
    double angle = 20.01 * pi / 180.0, a = 9.81 * (sin(angle) - mu * cos(angle));
    // Positions by the new velocities: h a (1 + ... + n) h
    hf_check_near(slid(slope_text(text, 20.01, mu), 1e-3, 2.0), 0.5 * a * 2.0 * 2.001, 1e-8,
                  "slid above the angle", "closed form of the scheme");
}

static void sliding_acceleration(void **state)
{
    (void)state;
    char text[1024];
    double angle = 20.0 * acos(-1.0) / 180.0, a = 9.81 * (sin(angle) - 0.3 * cos(angle));
    hf_model *model = model_of(slope_text(text, 20.0, 0.3));
    hf_sim *sim = sim_with(model, timestep(1e-3));
    run_until(sim, 1.0);
    double v = hypot(value_of(sim, "box.velocity.x"), value_of(sim, "box.velocity.z"));
    hf_check_near(v, a, 1e-6 * a, "acceleration", "g (sin - mu cos)");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Bounces

static const char BALL[] = "gravity: [0, 0, -10]\n"
                           "bodies: {ball: {type: mass, axes: z, mass: 2, position: 1.25}}\n"
                           "forces: [{name: floor, on: ball, type: stop, low: 0, restitution: 0.5}]"
                           "\n";

// Hits at 0.5 s with 5 m/s; the first bounce is 0.3125 m high at 0.75 s; all is over at 1.5 s.
static void bouncing_ball(void **state)
{
    (void)state;
    double error[2] = {0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        hf_method_def method = timestep(1e-3 * (i == 0 ? 1.0 : 0.1));
        double height = value_after(BALL, method, 0.75, "ball.position");
        error[i] = fabs(height - 0.3125);
        hf_check_below(error[i], 8.0 * method.step, "error of the first bounce", "first order");
        hf_check_same_bits(value_after(BALL, method, 1.7, "ball.velocity"), 0.0, "at rest");
        hf_check_near(value_after(BALL, method, 1.7, "floor.force"), 20.0, 1e-9, "floor", "weight");
    }
}

// A perfect bounce keeps its energy, up to the method's first order.
static void perfect_bounce(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies: {ball: {type: mass, axes: z, mass: 1, position: 1}}\n"
                 "forces: [{name: floor, on: ball, type: stop, low: 0, restitution: 1}]\n");
    hf_method_def method = timestep(1e-3);
    method.theta = 0.5;
    hf_sim *sim = sim_with(model, method);
    for (int i = 0; i < 5000; ++i) {
        step(sim);
        hf_energy e = hf_sim_energy(sim);
        hf_check_below(e.kinetic + e.potential, 10.0 + 1e-9, "energy", "10 J at the start");
    }
    hf_energy e = hf_sim_energy(sim);
    hf_check_near(e.kinetic + e.potential, 10.0, 0.3, "energy after six bounces", "conserved");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Kane's paradox: a corner at (0.3, -0.4) m of a body of 1 kg and 0.1 kg m^2 hits a rough floor
// with (C/B, -1) m/s, where [A C; C B] is the inverse of W, sticks, and rebounds with e. The body
// gains (C^2/B - (1 - e^2) A)/2, which for e = 1 is 0.108 J: then half the restitution is given.
static void kanes_paradox(void **state)
{
    (void)state;
    const double det = 1.9 * 2.6 - 1.2 * 1.2, b = 1.9 / det, c = -1.2 / det;
    static const double restitutions[] = {1.0, 0.8};
    for (int i = 0; i < 2; ++i) {
        char text[512];
        double e = restitutions[i];
        (void)snprintf(
            text, sizeof text,
            "bodies: {body: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1],\n"
            "  position: [0, 0, 0.4005], velocity: [%.17g, 0, -1]}}\n"
            "forces: [{name: floor, on: body, point: [0.3, 0, -0.4], shape: {type: point},"
            "\n  type: contact, friction: 0.5, restitution: %g}]\n",
            c / b, e);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(1e-3));
        double before = hf_sim_energy(sim).kinetic;
        step(sim);
        double spin = value_of(sim, "body.angular_velocity.y");
        double up = value_of(sim, "body.velocity.z") - 0.3 * spin;
        double along = value_of(sim, "body.velocity.x") - 0.4 * spin;
        hf_check_near(along, 0.0, 1e-7, "slip of the corner", "it sticks");
        bool gains = c * c / b > (1.0 - e * e) * 2.6 / det;
        hf_check_near(up, gains ? 0.5 * e : e, 1e-7, "rebound of the corner", "the rule");
        assert_int_equal(hf_sim_get_stats(sim).lowered_impacts, gains ? 1 : 0);
        double f = gains ? 0.5 * e : e;
        double loss = 0.5 * ((1.0 - f * f) * 2.6 / det - c * c / b);
        hf_check_near(hf_sim_energy(sim).kinetic, before - loss, 1e-7, "energy", "closed form");
        assert_true(loss > 0.0 && gains == (i == 0));
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// With theta < 1 the mean velocity of an impact's step has some of that before it. The step still
// ends at the surface, wherever in it the impact falls, and the rest begins there.
static void impact_at_the_surface(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i) {
        char text[512];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -10]\n"
                       "bodies: {ball: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.1},\n"
                       "  position: [0, 0, %.17g], velocity: [0, 0, -5]}}\n"
                       "forces: [{name: floor, on: ball, type: contact, restitution: 0}]\n",
                       0.2 + 2.5e-4 * i);
        hf_model *model = model_of(text);
        hf_method_def method = timestep(1e-3);
        method.theta = 0.5;
        hf_sim *sim = sim_with(model, method);
        double before = 0.0;
        for (int k = 0; k < 60; ++k) {
            step(sim);
            hf_energy e = hf_sim_energy(sim);
            hf_check_below(0.1 - 1.01e-7, value_of(sim, "ball.position.z"), "surface", "height");
            hf_check_below(e.kinetic + e.potential, k == 0 ? HUGE_VAL : before + 1e-9,
                           "energy after a step", "before it");
            before = e.kinetic + e.potential;
        }
        hf_check_near(value_of(sim, "ball.position.z"), 0.1, 1.01e-7, "height", "it lies there");
        hf_check_below(hf_sim_get_stats(sim).largest_penetration, 1.01e-7, "penetration", "none");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------
// Smooth motion

// Two equal rods (0.5 kg, 0.3 m) at -0.5 and -1.2 rad, joint velocities -3 and 4 rad/s: the tip
// strikes the floor, friction 0.1, with (-0.1519, -0.6811) m/s. By hand, with the tip's W =
// (5.991, 1.417; 1.417, 1.265) 1/kg, one impulse without restitution leaves it sliding forth with
// -0.64582 and 2.20990 rad/s: slip reverses. However the step divides the way to the floor, the
// impact is this one impulse.
static void impact_with_reversed_slip(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20250330);
    for (int i = 0; i < 40; ++i) {
        char text[1024];
        double h = hf_rng_log_uniform(&rng, 1e-6, 1e-4),
               gap = 0.68 * h * hf_rng_uniform(&rng, 0.0, 3.0);
        (void)snprintf(text, sizeof text,
                       "bodies: {arm: {type: tree, joints: {\n"
                       "  shoulder: {type: revolute, axis: [0, -1, 0], mass: 0.5,\n"
                       "    center: [0.15, 0, 0], inertia: [0, 0.00375, 0.00375],\n"
                       "    position: -0.5, velocity: -3},\n"
                       "  elbow: {type: revolute, parent: shoulder, offset: [0.3, 0, 0],\n"
                       "    axis: [0, -1, 0], mass: 0.5, center: [0.15, 0, 0],\n"
                       "    inertia: [0, 0.00375, 0.00375], position: -0.7, velocity: 4}}}}\n"
                       "forces: [{name: floor, on: arm.elbow, point: [0.3, 0, 0],\n"
                       "  type: contact, friction: 0.1, restitution: 0,\n"
                       "  plane: {point: [0, 0, %.17g]}}]\n",
                       -0.4234393873714287 - gap);
        hf_model *model = model_of(text);
        hf_method_def method = timestep(h);
        method.theta = i % 2 == 0 ? 1.0 : 0.5;
        hf_sim *sim = sim_with(model, method);
        run_until(sim, 6.0 * h);
        // The products of velocities change the velocities meanwhile: by 60 rad/s^2.
        double way = 60.0 * 6.0 * h;
        hf_check_near(value_of(sim, "arm.shoulder.velocity"), -0.64582, 1e-5 + way, "shoulder",
                      "one impulse by hand");
        hf_check_near(value_of(sim, "arm.elbow.velocity"), 2.20990, 1e-5 + 4.0 * way, "elbow",
                      "one impulse by hand");
        hf_check_below(fabs(value_of(sim, "floor.gap")), 1e-7 + 0.1 * h, "gap", "on the floor");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Without contacts theta = 1/2 is of second order, theta = 1 of first.
static void orders(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      one: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.3, 0, 0],\n"
        "            inertia: [0.01, 0.01, 0.01]}\n"
        "      two: {type: revolute, axis: [0, 1, 0], parent: one, offset: [0.5, 0, 0], mass: 1,\n"
        "            center: [0.3, 0, 0], inertia: [0.01, 0.01, 0.01]}\n";
    hf_method_def fine = {.type = HF_METHOD_RK4, .step = 1e-4};
    double exact = value_after(text, fine, 1.0, "arm.two.position");
    for (int k = 0; k < 2; ++k) {
        double error[2];
        for (int i = 0; i < 2; ++i) {
            hf_method_def method = timestep(i == 0 ? 2e-3 : 1e-3);
            method.theta = k == 0 ? 1.0 : 0.5;
            error[i] = fabs(value_after(text, method, 1.0, "arm.two.position") - exact);
        }
        double order = log2(error[0] / error[1]);
        hf_check_near(order, k == 0 ? 1.0 : 2.0, 0.15, "order", k == 0 ? "theta 1" : "theta 1/2");
    }
}

// ------------------------------------------------------------------------------------------------
// Joints

// A pendulum between limits, with friction: it stays within, and what it weighs on is held.
static void limits_of_joints(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies:\n"
                 "  arm:\n"
                 "    type: tree\n"
                 "    joints:\n"
                 "      swing: {type: revolute, axis: [0, 1, 0], mass: 2, center: [0.5, 0, 0],\n"
                 "              inertia: [0.01, 0.01, 0.01]}\n"
                 "forces: [{name: limit, on: arm.swing, type: stop, low: -0.5, high: 0.3}]\n");
    hf_sim *sim = sim_with(model, timestep(1e-3));
    for (int i = 0; i < 2000; ++i) {
        step(sim);
        double angle = value_of(sim, "arm.swing.position");
        assert_true(angle <= 0.3 + 1e-7 && angle >= -0.5 - 1e-7);
    }
    // A turn about +y lowers the end: it rests on the upper limit.
    hf_check_near(value_of(sim, "arm.swing.position"), 0.3, 1e-7, "angle", "the upper limit");
    hf_check_near(value_of(sim, "limit.force"), -10.0 * cos(0.3), 1e-6, "torque of the limit",
                  "m g l cos(0.3)");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The arm of [Kikuuwe2008], Simulation II, with exact friction: order 1 towards what located events
// give.
static void joint_friction(void **state)
{
    (void)state;
    const double shoulder = 1.179760353, elbow = 2.451733737;
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/two-link-arm-exact.yaml", &error);
    assert_non_null(model);
    double off[2][2];
    for (int i = 0; i < 2; ++i) {
        hf_sim *sim = sim_with(model, timestep(i == 0 ? 2e-3 : 1e-3));
        run_until(sim, 10.0);
        off[i][0] = value_of(sim, "arm.shoulder.position") - shoulder;
        off[i][1] = value_of(sim, "arm.elbow.position") - elbow;
        hf_check_same_bits(value_of(sim, "arm.shoulder.velocity"), 0.0, "shoulder at rest");
        hf_check_same_bits(value_of(sim, "arm.elbow.velocity"), 0.0, "elbow at rest");
        hf_sim_destroy(sim);
    }
    for (int k = 0; k < 2; ++k) {
        hf_check_below(fabs(off[1][k]), 2e-3, "error at 1 ms", "method switch at 1e-10");
        hf_check_near(log2(off[0][k] / off[1][k]), 1.0, 0.1, "order", "first");
    }
    hf_model_destroy(model);
}

// A block on a belt takes its velocity and keeps its place on it.
static void conveyor(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -10]\n"
        "bodies:\n"
        "  block: {type: mass, axes: xz, mass: 1}\n"
        "  belt: {type: driven, axes: xz, velocity: [0.5, 0]}\n"
        "forces: [{name: grip, on: block, plane: {body: belt}, type: contact, law: rigid-contact,\n"
        "          friction: 0.2, restitution: 0}]\n");
    hf_sim *sim = sim_with(model, timestep(1e-3));
    run_until(sim, 0.3);
    hf_check_near(value_of(sim, "block.velocity.x"), 0.5, 1e-12, "velocity", "the belt's");
    double place = value_of(sim, "block.position.x") - value_of(sim, "belt.position.x");
    // Slips for 0.25 s at 2 m/s^2
    hf_check_near(place, -0.5 * 0.5 * 0.25, 1e-3, "way on the belt", "closed form");
    run_until(sim, 3.0);
    hf_check_near(value_of(sim, "block.position.x") - value_of(sim, "belt.position.x"), place,
                  1e-10, "place on the belt", "it sticks");
    hf_energy e = hf_sim_energy(sim);
    hf_check_near(e.dissipated, 0.125, 1e-3, "heat", "half of what the belt puts in");
    hf_check_below(fabs(e.residual), 1e-9, "energy residual", "no force but friction does work");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Inputs

// A table of 1 kHz, a ramp of 3 N/s, pulls a sledge; solutions of 40 steps of 10 ms.
static long long solutions_of(const char *interpolation, double *way)
{
    static char text[8192];
    int at = snprintf(text, sizeof text,
                      "gravity: [0, 0, -9.81]\n"
                      "bodies: {point: {type: mass, axes: xz, mass: 2, position: [0, 0]}}\n"
                      "signals: {ramp: {table: {interpolation: %s, points: [",
                      interpolation);
    for (int i = 0; i <= 400; ++i) {
        at += snprintf(text + at, sizeof text - (size_t)at, "[%.3f, %.3f],", 1e-3 * i, 3e-3 * i);
    }
    (void)snprintf(text + at, sizeof text - (size_t)at,
                   "]}}}\n"
                   "forces:\n"
                   "  - {name: floor, on: point, type: contact, friction: 0.01, restitution: 0}\n"
                   "  - {name: pull, on: point, type: force, value: [ramp, 0]}\n");
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-2));
    run_until(sim, 0.4);
    hf_sim_stats stats = hf_sim_get_stats(sim);
    long long count = stats.free_steps + stats.warm_steps;
    for (size_t i = 0; i < sizeof stats.solved_by / sizeof *stats.solved_by; ++i) {
        count += stats.solved_by[i];
    }
    assert_int_equal(stats.steps, 40);
    *way = value_of(sim, "point.position.x");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return count;
}

// Steps are cut where inputs jump, not where they bend: a step is one solution.
static void kinks_do_not_cut_steps(void **state)
{
    (void)state;
    double linear, held;
    assert_int_equal(solutions_of("linear", &linear), 40);
    assert_int_equal(solutions_of("hold", &held), 400);
    // From t0 = mu m g/3 on: 3 (t - t0)^3/(6 m)
    double t0 = 0.01 * 2.0 * 9.81 / 3.0, want = 3.0 * pow(0.4 - t0, 3.0) / 12.0;
    hf_check_near(linear, want, 0.1 * want, "way", "closed form");
    hf_check_near(held, want, 0.02 * want, "way", "closed form");
}

// A wall that gains speed pushes what lies on it with m a + F in every step, whatever the
// restitution, and however the wall's motion is given: nothing strikes.
static void walls_that_gain_speed_push(void **state)
{
    (void)state;
    static const char *const MOTION[] = {"position: \"0.25*t^2\"", "velocity: \"0.5*t\"",
                                         "position: \"1 - cos(0.7*t)\""};
    for (int i = 0; i < 9; ++i) {
        char text[600];
        (void)snprintf(
            text, sizeof text,
            "bodies:\n"
            "  hand: {type: driven, %s}\n"
            "  block: {type: mass, dim: 1, mass: 2}\n"
            "forces:\n"
            "  - {name: push, on: block, to: hand, type: stop, low: 0, restitution: %g}\n"
            "  - {name: rub, on: block, type: friction, law: coulomb, level: 0.02}\n",
            MOTION[i % 3], 0.3 * (i / 3 + 1));
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(1e-3));
        run_until(sim, 0.5);
        for (int k = 0; k < 20; ++k) {
            double t = hf_sim_time(sim), a = i % 3 == 2 ? 0.49 * cos(0.7 * t) : 0.5;
            hf_check_near(value_of(sim, "push.force"), 2.0 * a + 0.02, 2e-3, "force", "m a + F");
            hf_check_near(value_of(sim, "push.gap"), 0.0, 1e-10, "gap", "none");
            step(sim);
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_of_the_document),
        cmocka_unit_test(point_converges),
        cmocka_unit_test(point_of_couplings),
        cmocka_unit_test(box_holds),
        cmocka_unit_test(friction_angle),
        cmocka_unit_test(sliding_acceleration),
        cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(perfect_bounce),
        cmocka_unit_test(impact_at_the_surface),
        cmocka_unit_test(kanes_paradox),
        cmocka_unit_test(impact_with_reversed_slip),
        cmocka_unit_test(orders),
        cmocka_unit_test(limits_of_joints),
        cmocka_unit_test(joint_friction),
        cmocka_unit_test(conveyor),
        cmocka_unit_test(kinks_do_not_cut_steps),
        cmocka_unit_test(walls_that_gain_speed_push),
    };
    return hf_run_tests(tests);
}
