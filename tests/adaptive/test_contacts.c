// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH with rigid contacts: the set-valued law itself, against closed forms.
#include "adaptive_test.h"

#include <math.h>

// ------------------------------------------------------------------------------------------------
// Spheres

static const char SPHERE[] =
    "gravity: [0, 0, -9.8]\n"
    "bodies:\n"
    "  sphere: {type: rigid, mass: 0.3, shape: {type: sphere, radius: 0.2},\n"
    "           position: [0, 0, 0.2], velocity: [%g, %g, 0], angular_velocity: [%g, %g, %g]}\n"
    "forces:\n"
    "  - {name: floor, on: sphere, type: contact, law: rigid-contact, friction: %g,\n"
    "     restitution: 0}\n";

// A sphere thrown along the floor with any spin: the slip s = v + w x (-R n) keeps its direction
// and falls by 7/2 mu g; it ends after 2 |s|/(7 mu g), the speed having lost 2/7 s. [Kikuuwe2008],
// Simulation I.
static void sphere_begins_to_roll(void **state)
{
    (void)state;
    const double tries[3][6] = {
        {2, 0, 0, 0, 0, 0.1}, {2, 1, 3, -20, 5, 0.2}, {-1, 0.5, 8, 2, -3, 0.4}};
    for (int i = 0; i < 3; ++i) {
        const double *v = tries[i];
        char text[600];
        (void)snprintf(text, sizeof text, SPHERE, v[0], v[1], v[2], v[3], v[4], v[5]);
        hf_model *model = model_of(text);
        double s[2] = {v[0] - 0.2 * v[3], v[1] + 0.2 * v[2]};
        double time = 2.0 * hypot(s[0], s[1]) / (7.0 * v[5] * 9.8);
        const double tolerance[] = {1e-6, 1e-8, 1e-10};
        for (int k = 0; k < 3; ++k) {
            event_log log = {0};
            hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, tolerance[k], 0.05), &log);
            run_until(sim, 1.5);
            assert_int_equal(log.count, 1);
            check_event(&log, 0, time, 100.0 * tolerance[k], 0, "closed form");
            hf_check_near(value_of(sim, "sphere.velocity.x"), v[0] - 2.0 / 7.0 * s[0],
                          20.0 * tolerance[k], "v_x", "rolling");
            hf_check_near(value_of(sim, "sphere.velocity.y"), v[1] - 2.0 / 7.0 * s[1],
                          20.0 * tolerance[k], "v_y", "rolling");
            hf_check_near(value_of(sim, "sphere.position.z"), 0.2, 1e-15, "height", "touches");
            hf_check_below(
                hypot(value_of(sim, "floor.rate.tangent1"), value_of(sim, "floor.rate.tangent2")),
                1e-14, "slip", "rolls");
            hf_check_near(value_of(sim, "floor.force.z"), 0.3 * 9.8, 1e-12, "N", "weight");
            // m |s|^2/7 turns into heat
            hf_check_near(hf_sim_energy(sim).dissipated, 0.3 / 7.0 * (s[0] * s[0] + s[1] * s[1]),
                          100.0 * tolerance[k], "heat", "closed form");
            hf_sim_destroy(sim);
        }
        hf_model_destroy(model);
    }
}

// A sphere that falls with spin and speed, restitution e: the impulse across is the smaller of
// mu (1 + e) m v and 2/7 m |s|.
static void spinning_impact(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        double mu = i == 0 ? 0.05 : 0.6, e = 0.5;
        char text[600];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  ball: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.1},\n"
                       "         position: [0, 0, 1.1], velocity: [1, -2, -4],\n"
                       "         angular_velocity: [5, 10, 3]}\n"
                       "forces:\n"
                       "  - {name: floor, on: ball, type: contact, law: rigid-contact,\n"
                       "     friction: %g, restitution: %g}\n",
                       mu, e);
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.05), &log);
        double s[2] = {1.0 - 0.1 * 10.0, -2.0 + 0.1 * 5.0}, size = hypot(s[0], s[1]);
        double p = fmin(mu * (1.0 + e) * 2.0 * 4.0, 2.0 / 7.0 * 2.0 * size);
        run_until(sim, 0.5);
        assert_int_equal(log.count, 1);
        check_event(&log, 0, 0.25, 1e-12, 2, "1 m at 4 m/s");
        hf_check_near(value_of(sim, "ball.velocity.z"), 4.0 * e, 1e-12, "v_z", "restitution");
        hf_check_near(value_of(sim, "ball.velocity.y"), -2.0 - p / 2.0 * s[1] / size, 1e-12, "v_y",
                      "impulse of friction");
        hf_check_near(value_of(sim, "ball.angular_velocity.x"),
                      5.0 - 0.1 * p * s[1] / size / (0.4 * 2.0 * 0.01), 1e-11, "spin",
                      "impulse of friction");
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(fabs(energy.residual), 1e-12, "energy residual", "rounding");
        assert_true(energy.dissipated > 0.0);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Bounces accumulate at t = v/g (1 + e)/(1 - e) after the first impact and end there, at rest.
static void bounces_accumulate(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies:\n"
                 "  ball: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.1},\n"
                 "         position: [0, 0, 0.9], velocity: [0.3, 0, 0]}\n"
                 "forces:\n"
                 "  - {name: floor, on: ball, type: contact, law: rigid-contact, friction: 0,\n"
                 "     restitution: 0.6}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.05), &log);
    run_until(sim, 3.0);
    double fall = 0.4, time = fall;
    for (int k = 0; k < 8; ++k) {
        check_event(&log, k, time, 1e-8, 2, "closed form");
        time += 2.0 * fall * pow(0.6, k + 1);
    }
    const hf_event *last = &log.events[log.count - 1];
    assert_int_equal(last->to, 1); // without friction it slides
    hf_check_near(last->time, fall * (1.0 + 0.6) / (1.0 - 0.6), 1e-3, "end", "accumulation point");
    hf_check_near(value_of(sim, "ball.position.z"), 0.1, 1e-15, "height", "rests");
    hf_check_near(value_of(sim, "ball.velocity.x"), 0.3, 1e-15, "v_x", "no friction");
    assert_int_equal(hf_sim_get_stats(sim).chatter_events, 1); // ended once, and stays
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Billiards: the line of centres is 30 degrees off; momentum and spin about the whole's centre
// stay.
static void two_spheres(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies:\n"
                               "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
                               "      position: [0, 0, 0], velocity: [1, 0, 0]}\n"
                               "  b: {type: rigid, mass: 3, shape: {type: sphere, radius: 0.1},\n"
                               "      position: [1, 0.1, 0]}\n"
                               "forces:\n"
                               "  - {name: hit, on: a, to: b, type: contact, law: rigid-contact,\n"
                               "     friction: 0.05, restitution: 0.8}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.05), &log);
    run_until(sim, 2.0);
    check_event(&log, 0, 1.0 - 0.1 * sqrt(3.0), 1e-12, 2, "distance 0.2 m");
    // Normal n = (-sqrt 3, -1)/2 from b to a; reduced mass 3/4; sliding: mu below 2/7 tan
    double c = 0.5 * sqrt(3.0), approach = c, p = 0.75 * 1.8 * approach, t = 0.05 * p;
    hf_check_near(value_of(sim, "a.velocity.x"), 1.0 - p * c - t * 0.5, 1e-12, "a's v_x",
                  "closed form");
    hf_check_near(value_of(sim, "b.velocity.x"), (p * c + t * 0.5) / 3.0, 1e-12, "b's v_x",
                  "closed form");
    hf_check_near(value_of(sim, "a.velocity.y") + 3.0 * value_of(sim, "b.velocity.y"), 0.0, 1e-14,
                  "momentum", "conserved");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A sphere in a groove of two planes at 45 degrees rolls with an effective inertia about the line
// through both contacts: v = v0/(1 + (2/5)/(1/2)).
static void groove(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies:\n"
                 "  s: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
                 "      position: [0, 0, 0.14142135623730953], velocity: [0, 1, 0]}\n"
                 "forces:\n"
                 "  - {name: left, on: s, type: contact, law: rigid-contact, friction: 0.3,\n"
                 "     restitution: 0, plane: {normal: [1, 0, 1]}}\n"
                 "  - {name: right, on: s, type: contact, law: rigid-contact, friction: 0.3,\n"
                 "     restitution: 0, plane: {normal: [-1, 0, 1]}}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.01), &log);
    run_until(sim, 1.0);
    // Each N = m g/sqrt 2, friction 2 mu N = mu sqrt 2 g brakes; slip v + w h ends with v = 5/9
    double brake = 0.3 * sqrt(2.0) * 10.0;
    check_event(&log, 0, (4.0 / 9.0) / brake, 1e-8, 0, "closed form");
    hf_check_near(value_of(sim, "s.velocity.y"), 5.0 / 9.0, 1e-9, "v", "closed form");
    hf_check_below(fabs(value_of(sim, "left.rate.tangent2")), 1e-14, "slip", "rolls");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Boxes

// On a slope of 30 degrees: below tan 30 it slides with g (sin - mu cos), above it sticks.
static void box_on_a_slope(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        double mu = i == 0 ? 0.3 : 0.58, g = 9.81, up = g * 0.5 * sqrt(3.0);
        char text[600];
        (void)snprintf(text, sizeof text,
                       "gravity: [4.905, 0, %.17g]\n"
                       "bodies:\n"
                       "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
                       "        position: [0, 0, 0.05]}\n"
                       "forces:\n"
                       "  - {name: floor, on: box, type: contact, law: rigid-contact,\n"
                       "     friction: %g, restitution: 0.5}\n",
                       -up, mu);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.05));
        run_until(sim, 1.0);
        double a = 4.905 - mu * up, sum = 0.0, x = i == 0 ? 0.5 * a : 0.0;
        hf_check_near(value_of(sim, "box.position.x"), x, 1e-7 * x + 1e-14, "x", "closed form");
        hf_check_near(value_of(sim, "box.angular_velocity.y"), 0.0, 1e-14, "tilt", "flat");
        static const char *const normals[] = {"floor.1.force.z", "floor.2.force.z",
                                              "floor.3.force.z", "floor.4.force.z"};
        for (int k = 0; k < 4; ++k) {
            double n = value_of(sim, normals[k]);
            assert_true(n > 0.0);
            sum += n;
        }
        hf_check_near(sum, 2.0 * up, 1e-9, "sum of normal forces", "weight");
        assert_int_equal(value_of(sim, "floor.1.mode"), i == 0 ? 1 : 0);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Thrown flat with a turn: sliding and turning end together, at one event, and stay ended.
static void box_slides_and_turns(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
        "        position: [0, 0, 0.05], velocity: [1, 0.3, 0], angular_velocity: [0, 0, 6]}\n"
        "forces:\n"
        "  - {name: floor, on: box, type: contact, law: rigid-contact, friction: 0.3,\n"
        "     restitution: 0.5}\n");
    double time = 0.0, x = 0.0;
    const double tolerance[] = {1e-11, 1e-7, 1e-9};
    for (int i = 0; i < 3; ++i) {
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, tolerance[i], 0.05), &log);
        run_until(sim, 1.0);
        assert_int_equal(log.count, 4);
        if (i == 0) {
            time = log.events[0].time;
            x = value_of(sim, "box.position.x");
        }
        for (int k = 0; k < 4; ++k) {
            check_event(&log, k, time, 1e4 * tolerance[i], 0, "rtol 1e-11");
        }
        hf_check_near(value_of(sim, "box.position.x"), x, 1e3 * tolerance[i], "x", "rtol 1e-11");
        hf_energy energy = hf_sim_energy(sim);
        hf_check_near(energy.dissipated, energy.start - energy.potential, 100.0 * tolerance[i],
                      "heat", "all kinetic energy");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// On a belt: heat and what the motor gives are both m v^2/2 more than the box has at last.
static void box_on_a_belt(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies:\n"
                 "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
                 "        position: [0, 0, 0.05]}\n"
                 "forces:\n"
                 "  - {name: belt, on: box, type: contact, law: rigid-contact, friction: 0.1,\n"
                 "     restitution: 0.5, plane: {velocity: [1, 0, 0]}}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.05), &log);
    run_until(sim, 2.0);
    assert_int_equal(log.count, 4);
    check_event(&log, 3, 1.0, 1e-7, 0, "v/(mu g)");
    hf_check_near(value_of(sim, "box.position.x"), 1.5, 1e-7, "x", "closed form");
    hf_check_near(value_of(sim, "box.velocity.x"), 1.0, 1e-14, "v", "the belt's");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.input, 2.0, 1e-7, "input", "m v^2");
    hf_check_near(energy.dissipated, 1.0, 1e-7, "heat", "m v^2/2");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// On a table that shakes, along and across: it slips, sticks and hops. What the table gives in
// impacts is in the ledger, and the box is never in the table.
static void box_on_a_shaken_table(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -9.81]\n"
                 "signals: {sx: \"0.05*sin(9*t)\", sz: \"0.02*sin(31*t)\"}\n"
                 "bodies:\n"
                 "  table: {type: driven, axes: xz, position: [sx, sz]}\n"
                 "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]},\n"
                 "        position: [0, 0, 0.05]}\n"
                 "forces:\n"
                 "  - {name: top, on: box, type: contact, law: rigid-contact, friction: 0.3,\n"
                 "     restitution: 0.2, plane: {body: table}}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.01));
    hf_error error = {0};
    while (hf_sim_time(sim) < 1.5) {
        if (hf_sim_step(sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
        hf_check_below(0.0 - value_of(sim, "top.1.gap"), 1.1e-7, "depth", "margin");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-4, "energy residual", "rtol 1e-8");
    }
    assert_true(hf_sim_get_stats(sim).events > 10);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Points and planar machines

// [RobotSimulation2025]'s landing point, as a contact of a mass in a plane; the numbers of
// point-2d-hybrid.
static void landing_point(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies: {point: {type: mass, axes: xz, mass: 1, position: [0, 1], velocity: [1, 0]}}\n"
        "forces:\n"
        "  - {name: floor, on: point, type: contact, law: rigid-contact, friction: 0.1,\n"
        "     restitution: 0}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.01), &log);
    run_until(sim, 1.5);
    double fall = sqrt(2.0 / 9.81), v = 1.0 - 0.1 * 9.81 * fall, slide = v / 0.981;
    assert_int_equal(log.count, 2);
    check_event(&log, 0, fall, 1e-9, 1, "closed form");
    check_event(&log, 1, fall + slide, 1e-8, 0, "closed form");
    hf_check_near(value_of(sim, "point.position.x"), fall + 0.5 * v * slide, 1e-8, "x",
                  "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A rod that slides on its tip, mu up to 3: where rigid accelerations have no solution (Painleve)
// impulses do. It always comes to rest, flat, with all its energy turned into heat.
static void sliding_rods(void **state)
{
    (void)state;
    const double mus[] = {0.3, 0.8, 1.4, 2.0, 3.0}, speeds[] = {4.0, -4.0, -1.0};
    for (int i = 0; i < 15; ++i) {
        char text[800];
        double mu = mus[i / 3];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  rod: {type: rigid, mass: 1, inertia: [0.0833, 0.0833, 1e-4],\n"
                       "        position: [0, 0, 0.4330127018922194], velocity: [%g, 0, 0],\n"
                       "        orientation: {axis: [0, 1, 0], angle: 0.5235987755982988}}\n"
                       "forces:\n"
                       "  - {name: tip, on: rod, type: contact, law: rigid-contact, friction: %g,\n"
                       "     restitution: 0, point: [0, 0, -0.5]}\n"
                       "  - {name: top, on: rod, type: contact, law: rigid-contact, friction: %g,\n"
                       "     restitution: 0, point: [0, 0, 0.5]}\n",
                       speeds[i % 3], mu, mu);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.05));
        run_until(sim, 3.0);
        hf_check_near(value_of(sim, "rod.position.z"), 0.0, 1e-14, "height", "lies");
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(energy.kinetic, 1e-25, "kinetic energy", "at rest");
        hf_check_below(fabs(energy.residual), 2e-5, "energy residual", "rtol 1e-8");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// The regularized contact under rk4 goes to the exact one as its stiffness grows.
static void limit_of_stiff_contacts(void **state)
{
    (void)state;
    const char *text =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
        "         position: [0, 0, 0.1], velocity: [1, 0.5, 0], angular_velocity: [0, -5, 0]}\n"
        "forces:\n"
        "  - {name: floor, on: ball, type: contact, law: rigid-contact, friction: 0.2,\n"
        "     stiffness: %g, damping_time: %g, filter_time: %g}\n";
    double exact[2] = {0}, error[3];
    for (int i = -1; i < 3; ++i) {
        char with[600];
        double stiffness = 1e4 * pow(16.0, i < 0 ? 0 : i), time = 4.0 / sqrt(stiffness);
        (void)snprintf(with, sizeof with, text, stiffness, time, 0.1 * time);
        hf_model *model = model_of(with);
        hf_method_def rk4 = {.type = HF_METHOD_RK4, .step = 0.02 / sqrt(stiffness)};
        hf_sim *sim = sim_with(model, i < 0 ? switching(HF_FAMILY_ADAMS, 1e-10, 0.05) : rk4);
        run_until(sim, 1.0);
        double x = value_of(sim, "ball.position.x"), y = value_of(sim, "ball.position.y");
        if (i < 0) {
            exact[0] = x;
            exact[1] = y;
        } else {
            error[i] = hypot(x - exact[0], y - exact[1]);
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_check_below(error[2], 1e-3, "distance to the exact law", "K = 2.56e6 N/m");
    assert_true(error[1] < 0.5 * error[0] && error[2] < 0.5 * error[1]);
}

// ------------------------------------------------------------------------------------------------
// Examples

static hf_model *example(const char *name)
{
    char path[600];
    hf_error error = {0};
    (void)snprintf(path, sizeof path, "%s/examples/%s.yaml", HF_SOURCE_DIR, name);
    hf_model *model = hf_model_load(path, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static hf_sim *as_written(const hf_model *model, event_log *log)
{
    hf_sim *sim = sim_logged(model, hf_model_method(model), log);
    run_until(sim, hf_model_duration(model));
    return sim;
}

static void rolling_sphere_exact(void **state)
{
    (void)state;
    event_log log = {0};
    hf_model *model = example("rolling-sphere-exact");
    hf_sim *sim = as_written(model, &log);
    assert_int_equal(log.count, 1);
    check_event(&log, 0, 2.0 / 3.43, 1e-9, 0, "closed form");
    hf_check_near(value_of(sim, "sphere.velocity.x"), 10.0 / 7.0, 1e-10, "v_x", "closed form");
    hf_check_near(value_of(sim, "sphere.angular_velocity.y"), 50.0 / 7.0, 1e-9, "spin", "rolls");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The coin comes to rest on four corners; where, converges with the tolerance.
static void spinning_coin_box_exact(void **state)
{
    (void)state;
    event_log log = {0};
    hf_model *model = example("spinning-coin-box-exact");
    hf_sim *sim = as_written(model, &log);
    double x = value_of(sim, "coin.position.x");
    hf_check_near(value_of(sim, "coin.position.z"), 0.005, 1e-15, "height", "lies flat");
    hf_check_near(value_of(sim, "floor.1.normal"), 0.1 * 9.81 / 4.0, 1e-9, "N", "a quarter");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_below(energy.kinetic, 1e-30, "kinetic energy", "rests");
    hf_check_near(energy.dissipated, energy.start - energy.potential, 2e-7, "heat",
                  "all that was there");
    hf_sim_destroy(sim);
    sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-11, 0.01));
    run_until(sim, 0.5);
    hf_check_near(x, value_of(sim, "coin.position.x"), 1e-6, "x", "rtol 1e-11");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------

static void refusals(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model =
        model_of("bodies: {ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
                 "         position: [0, 0, 0.1]}, other: {type: rigid, mass: 1,\n"
                 "         shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.5]}}\n"
                 "forces: [{name: heap, type: collide, among: all}]\n");
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    def.method = switching(HF_FAMILY_ADAMS, 1e-6, 0.1);
    expect_refusal(model, &def, "pairs of spheres are found between steps");
    hf_model_destroy(model);
    model = model_of("gravity: [0, 0, -10]\n"
                     "bodies:\n"
                     "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
                     "         position: [0, 0, 0.0999]}\n"
                     "forces: [{name: floor, on: ball, type: contact, friction: 0.2}]\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-6, 0.1));
    assert_int_equal(hf_sim_step(sim, &error), HF_ERROR_RANGE);
    assert_non_null(strstr(error.text, "the bodies of contact 'floor' are 0.0001 m in each other"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_begins_to_roll),
        cmocka_unit_test(spinning_impact),
        cmocka_unit_test(bounces_accumulate),
        cmocka_unit_test(two_spheres),
        cmocka_unit_test(groove),
        cmocka_unit_test(box_on_a_slope),
        cmocka_unit_test(box_slides_and_turns),
        cmocka_unit_test(box_on_a_belt),
        cmocka_unit_test(box_on_a_shaken_table),
        cmocka_unit_test(landing_point),
        cmocka_unit_test(sliding_rods),
        cmocka_unit_test(limit_of_stiff_contacts),
        cmocka_unit_test(rolling_sphere_exact),
        cmocka_unit_test(spinning_coin_box_exact),
        cmocka_unit_test(refusals),
    };
    return hf_run_tests(tests);
}
