// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH in a plane and in space: frictions that stop, hold and break away as vectors.
#include "adaptive_test.h"

#include <math.h>

static const hf_method_family FAMILIES[] = {HF_FAMILY_ADAMS, HF_FAMILY_BDF};

// ------------------------------------------------------------------------------------------------
// In a plane

// A puck thrown over ice: straight on, m v = F t.
static void straight_stop(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {puck: {type: mass, dim: 3, mass: 2, velocity: [3, -4, 12]}}\n"
                 "forces: [{name: ice, on: puck, type: friction, law: coulomb, level: 4}]\n");
    for (int f = 0; f < 2; ++f) {
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(FAMILIES[f], 1e-9, 0.5), &log);
        run_until(sim, 8.0);
        assert_int_equal(log.count, 1);
        check_event(&log, 0, 2.0 * 13.0 / 4.0, 1e-7, 0, "m v/F");
        // 13^2/(2 F/m) along the velocity
        hf_check_near(value_of(sim, "puck.position.x"), 42.25 * 3.0 / 13.0, 1e-6, "x",
                      "closed form");
        hf_check_near(value_of(sim, "puck.position.z"), 42.25 * 12.0 / 13.0, 1e-6, "z",
                      "closed form");
        hf_check_same_bits(value_of(sim, "puck.velocity.y"), 0.0, "velocity in stick");
        hf_check_near(hf_sim_force_stats(sim, (hf_force){1}).dissipated, 169.0, 1e-6, "heat",
                      "kinetic energy");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// Two forces that grow along x and y: break-away where the sum of squares is F^2, along the force.
static void break_away_along_the_load(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {puck: {type: mass, dim: 2, mass: 1}}\n"
                 "signals: {pull: \"3*t\", push: \"4*t\"}\n"
                 "forces:\n"
                 "  - {name: east, on: puck.x, type: force, value: pull}\n"
                 "  - {name: north, on: puck.y, type: force, value: push}\n"
                 "  - {name: ice, on: puck, type: friction, law: coulomb, level: 10}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.25), &log);
    run_until(sim, 1.5);
    hf_check_same_bits(value_of(sim, "puck.velocity.x"), 0.0, "velocity in stick");
    hf_check_near(value_of(sim, "ice.force.x"), -4.5, 1e-12, "friction", "balance");
    run_until(sim, 4.0);
    assert_int_equal(log.count, 1);
    check_event(&log, 0, 2.0, 1e-9, 1, "5 t = 10 N");
    // v = 5 (t - 2)^2/2 along (3, 4)/5
    hf_check_near(value_of(sim, "puck.velocity.x"), 10.0 * 0.6, 1e-7, "v_x", "closed form");
    hf_check_near(value_of(sim, "puck.velocity.y"), 10.0 * 0.8, 1e-7, "v_y", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A puck on a belt that runs across: friction turns as the puck takes up the belt's motion. Seen
// from the belt the puck is thrown at (3, -4): straight, for m |v|/F.
static void across_a_belt(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies:\n"
                 "  puck: {type: mass, axes: xy, mass: 1, velocity: [3, 0]}\n"
                 "  belt: {type: driven, axes: xy, velocity: [0, 4]}\n"
                 "forces:\n"
                 "  - {name: grip, on: puck, to: belt, type: friction, law: coulomb, level: 2}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.1), &log);
    run_until(sim, 4.0);
    check_event(&log, 0, 2.5, 1e-8, 0, "closed form in the belt's frame");
    hf_check_near(value_of(sim, "puck.position.x"), 3.0 * 2.5 - 0.5 * 1.2 * 6.25, 1e-8, "x",
                  "closed form");
    hf_check_near(value_of(sim, "puck.velocity.y"), 4.0, 1e-12, "v_y", "the belt's");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.dissipated, 0.5 * 25.0, 1e-8, "heat", "kinetic energy seen from the belt");
    hf_check_below(fabs(energy.residual), 1e-8, "energy residual", "rtol 1e-10");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static const char SPIRAL[] =
    "bodies: {puck: {type: mass, dim: 2, mass: 1, position: [10, 0], velocity: [0, 30]}}\n"
    "forces:\n"
    "  - {name: spring, on: puck, type: spring, stiffness: 3}\n"
    "  - {name: plane, on: puck, type: friction, law: coulomb, level: 10}\n";

// [Kikuuwe2005], Simulation III by events: the stop converges with the tolerance, and the
// fixed-step law goes to the same place.
static void spiral(void **state)
{
    (void)state;
    hf_model *model = model_of(SPIRAL);
    const double tolerance[] = {1e-12, 1e-6, 1e-8, 1e-10};
    double time = 0.0, x = 0.0, y = 0.0;
    for (int i = 0; i < 4; ++i) {
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, tolerance[i], 0.5), &log);
        run_until(sim, 6.0);
        assert_int_equal(log.count, 1);
        if (i == 0) {
            time = log.events[0].time;
            x = value_of(sim, "puck.position.x");
            y = value_of(sim, "puck.position.y");
        } else {
            check_event(&log, 0, time, 200.0 * tolerance[i], 0, "rtol 1e-12");
            hf_check_near(value_of(sim, "puck.position.x"), x, 200.0 * tolerance[i], "x",
                          "rtol 1e-12");
        }
        hf_check_same_bits(value_of(sim, "puck.velocity.x"), 0.0, "velocity in stick");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e4 * tolerance[i], "energy residual",
                       "of 600 J");
        hf_sim_destroy(sim);
    }
    hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_DISCRETE, .step = 1e-4});
    run_until(sim, 6.0);
    hf_check_near(value_of(sim, "puck.position.x"), x, 5e-3, "x", "discrete, step 1e-4 s");
    hf_check_near(value_of(sim, "puck.position.y"), y, 5e-3, "y", "discrete, step 1e-4 s");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Static level above the kinetic one on a mass that is held by different springs along x and y:
// break-away at the static level, along the force.
static void static_above_kinetic(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies: {puck: {type: mass, dim: 2, mass: 1}}\n"
                               "signals: {pull: \"5*t\"}\n"
                               "forces:\n"
                               "  - {name: east, on: puck.x, type: force, value: pull}\n"
                               "  - {name: north, on: puck.y, type: force, value: 3}\n"
                               "  - {name: ice, on: puck, type: friction, law: coulomb,\n"
                               "     level: {coulomb: 2, static: 5}}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.1), &log);
    run_until(sim, 0.8);
    assert_int_equal(log.count, 1);
    check_event(&log, 0, 0.8, 1e-9, 1, "(5 t)^2 + 3^2 = 5^2");
    run_until(sim, 0.9);
    // Just after: a = (4, 3) (1 - 2/5)
    double vx = value_of(sim, "puck.velocity.x"), vy = value_of(sim, "puck.velocity.y");
    hf_check_near(vx, 0.24, 0.03, "v_x", "first moments");
    hf_check_near(vy, 0.18, 0.03, "v_y", "first moments");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// In space

// A top whose spin is braked: J w' = -F along w; a sphere, so that w keeps its direction.
static void spin_brake(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "bodies:\n"
        "  top: {type: rigid, mass: 1, inertia: [0.5, 0.5, 0.5], angular_velocity: [1, 2, -2]}\n"
        "forces:\n"
        "  - {name: air, on: top, coupling: spin, type: friction, law: coulomb,\n"
        "     level: 0.25}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.5), &log);
    run_until(sim, 8.0);
    check_event(&log, 0, 3.0 * 0.5 / 0.25, 1e-7, 0, "J w/F");
    hf_check_near(value_of(sim, "top.angular_velocity.x"), 0.0, 1e-15, "spin", "stuck");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A pendulum bob (a point on a distance) slides on a rod that passes through the world's origin:
// the distance is braked, the turning is not. In polar coordinates r'' = r a'^2 - F sgn(r'), r^2 a'
// = L.
static void point_on_a_line(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {bead: {type: mass, dim: 3, mass: 1, position: [1, 0, 0],\n"
                 "                velocity: [-1, 0.5, 0]}}\n"
                 "forces:\n"
                 "  - {name: rod, on: bead, coupling: distance, type: friction, law: coulomb,\n"
                 "     level: 3}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.01), &log);
    run_until(sim, 2.0);
    // It slides inwards, stops, and is held there: the centrifugal force L^2/r^3 is less than F
    assert_int_equal(log.count, 1);
    assert_int_equal(log.events[0].to, 0);
    double r = hypot(value_of(sim, "bead.position.x"), value_of(sim, "bead.position.y"));
    // Energy: v^2/2 before = L^2/(2 r^2) + F (1 - r)
    hf_check_near(0.5 * 1.25, 0.5 * 0.25 / (r * r) + 3.0 * (1.0 - r), 1e-8, "energy",
                  "where r' = 0");
    hf_check_near(value_of(sim, "rod.force"), -0.25 / (r * r * r), 1e-8, "force", "centripetal");
    hf_check_below(fabs(value_of(sim, "rod.rate")), 1e-14, "rate in stick", "held");
    run_until(sim, 10.0);
    double later = hypot(value_of(sim, "bead.position.x"), value_of(sim, "bead.position.y"));
    hf_check_near(later, r, 1e-15, "distance", "stuck for 8 s");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The tip of a planar arm rubs in the world: a point in space on a tree. Its stop is where kinetic
// energy has gone into heat; then it holds against gravity.
static void tip_of_an_arm(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      shoulder: {type: revolute, axis: [0, 1, 0], mass: 2, center: [0.5, 0, 0],\n"
        "                 inertia: [0.2, 0.2, 0.2], velocity: -2}\n"
        "      elbow: {type: revolute, parent: shoulder, axis: [0, 1, 0],\n"
        "              offset: [1, 0, 0], mass: 1, center: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1],\n"
        "              position: 0.7, velocity: 1}\n"
        "forces:\n"
        "  - {name: rub, on: arm.elbow, point: [0.8, 0, 0], type: friction, law: coulomb,\n"
        "     level: 40}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.01), &log);
    run_until(sim, 2.0);
    assert_true(log.count >= 1);
    assert_int_equal(log.events[log.count - 1].to, 0);
    double fx = value_of(sim, "rub.force.x"), fz = value_of(sim, "rub.force.z");
    hf_check_below(hypot(fx, fz), 40.0, "friction in stick", "within its level");
    hf_check_below(fabs(value_of(sim, "arm.elbow.velocity")), 1e-12, "velocity", "held");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-7, "energy residual", "rtol 1e-10");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------

// Forced oscillations in a plane: stick and slip again and again, at 2.8 N slips that almost stop
// and go on slowly. Energy in = stored + heat, and event times converge with the tolerance.
static void forced_in_a_plane(void **state)
{
    (void)state;
    const double levels[] = {2.4, 2.8, 3.0}, tolerance[] = {1e-7, 1e-9};
    for (int l = 0; l < 3; ++l) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "bodies: {puck: {type: mass, dim: 2, mass: 1}}\n"
                       "signals: {a: \"3*sin(2*t)\", b: \"2.5*cos(3*t)\"}\n"
                       "forces:\n"
                       "  - {name: east, on: puck.x, type: force, value: a}\n"
                       "  - {name: north, on: puck.y, type: force, value: b}\n"
                       "  - {name: spring, on: puck, type: spring, stiffness: 2}\n"
                       "  - {name: ice, on: puck, type: friction, law: coulomb, level: %g}\n",
                       levels[l]);
        hf_model *model = model_of(text);
        event_log fine = {0};
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-12, 0.25), &fine);
        run_until(sim, 12.0);
        double x = value_of(sim, "puck.position.x");
        hf_sim_destroy(sim);
        assert_true(fine.count >= 4);
        for (int i = 0; i < 2; ++i) {
            event_log log = {0};
            sim = sim_logged(model, switching(FAMILIES[i], tolerance[i], 0.25), &log);
            run_until(sim, 12.0);
            assert_int_equal(log.count, fine.count);
            for (int k = 0; k < log.count; ++k) {
                check_event(&log, k, fine.events[k].time, 3e3 * tolerance[i], fine.events[k].to,
                            "rtol 1e-12");
            }
            hf_check_near(value_of(sim, "puck.position.x"), x, 1e3 * tolerance[i], "x",
                          "rtol 1e-12");
            hf_check_below(fabs(hf_sim_energy(sim).residual), 1e3 * tolerance[i], "energy residual",
                           "tolerance");
            hf_sim_destroy(sim);
        }
        hf_model_destroy(model);
    }
}

// Recorded often or seldom, the same bits; and a saved state goes on as the run it was saved from.
static void bits(void **state)
{
    (void)state;
    hf_model *model = model_of(SPIRAL);
    hf_sim *often = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.0625));
    hf_sim *seldom = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 2.0));
    run_until(often, 6.0);
    run_until(seldom, 6.0);
    hf_check_same_bits(value_of(often, "puck.position.x"), value_of(seldom, "puck.position.x"),
                       "x");
    hf_sim_destroy(often);
    hf_sim_destroy(seldom);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_stop),        cmocka_unit_test(break_away_along_the_load),
        cmocka_unit_test(across_a_belt),        cmocka_unit_test(spiral),
        cmocka_unit_test(static_above_kinetic), cmocka_unit_test(spin_brake),
        cmocka_unit_test(point_on_a_line),      cmocka_unit_test(tip_of_an_arm),
        cmocka_unit_test(forced_in_a_plane),    cmocka_unit_test(bits),
    };
    return hf_run_tests(tests);
}
