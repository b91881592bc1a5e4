// SPDX-License-Identifier: Apache-2.0
// The simulations of [Kikuuwe2008] against independent prototypes (same scheme, same step).
#include <math.h>
#include <stdio.h>

#include "hf_test.h"
#include "scenes.h"

#include <holdfast/sim.h>

static const double STEP = 1e-4;                        // [s]
static const double PERIOD = 6.283185307179586 / 100.0; // of the torques after 4 s [s]

typedef struct run {
    hf_model *model;
    hf_sim *sim;
    hf_channel angles[2];
} run;

static hf_channel channel(const hf_model *model, const char *name)
{
    hf_channel found = hf_model_find_channel(model, name);
    if (found.id == 0) {
        fail_msg("no channel '%s'", name);
    }
    return found;
}

static run open_run(hf_model *model, const char *first, const char *second)
{
    hf_error error = {0};
    run r = {.model = model, .sim = hf_sim_create(model, NULL, &error)};
    if (r.sim == NULL) {
        fail_msg("%s", error.text);
    }
    hf_check_near(hf_sim_method(r.sim).step, STEP, 0.0, "step", "the scene's");
    r.angles[0] = channel(model, first);
    r.angles[1] = channel(model, second);
    return r;
}

static run open_arm(hf_arm_friction friction)
{
    return open_run(hf_scene_two_link_arm(friction, true), "arm.shoulder.position",
                    "arm.elbow.position");
}

static run open_penalty_arm(double kp)
{
    return open_run(hf_scene_penalty_arm(kp), "j0.gap.angle", "j1.gap.angle");
}

static void close_run(run *r)
{
    hf_sim_destroy(r->sim);
    hf_model_destroy(r->model);
}

static void step(run *r)
{
    hf_error error = {0};
    if (hf_sim_step(r->sim, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
}

static void run_to(run *r, double end)
{
    while (hf_sim_time(r->sim) < end - 0.5 * STEP) {
        step(r);
    }
}

static void read_angles(run *r, double theta[2])
{
    for (int i = 0; i < 2; ++i) {
        theta[i] = hf_sim_value(r->sim, r->angles[i]);
    }
}

static void check_angles(run *r, double end, double first, double second, double allowance)
{
    double theta[2];
    char quantity[2][40];
    run_to(r, end);
    read_angles(r, theta);
    for (int i = 0; i < 2; ++i) {
        snprintf(quantity[i], sizeof quantity[i], "theta%d(%g)", i, end);
    }
    hf_check_near(theta[0], first, allowance, quantity[0], "NUMBERS, Kikuuwe and Yamamoto 2008");
    hf_check_near(theta[1], second, allowance, quantity[1], "NUMBERS, Kikuuwe and Yamamoto 2008");
}

// Mean angles over `periods` whole periods of the torques from now on, by the trapezoidal rule.
static void mean_angles(run *r, int periods, double mean[2])
{
    int steps = (int)lround(periods * PERIOD / STEP);
    double sum[2] = {0.0, 0.0}, theta[2];
    for (int i = 0; i <= steps; ++i) {
        read_angles(r, theta);
        for (int k = 0; k < 2; ++k) {
            sum[k] += i == 0 || i == steps ? 0.5 * theta[k] : theta[k];
        }
        if (i < steps) {
            step(r);
        }
    }
    mean[0] = sum[0] / steps;
    mean[1] = sum[1] / steps;
}

// Mean drift [rad/s] between windows of whole periods at two times.
static void drift(run *r, double from, double to, int periods, double rate[2])
{
    double first[2], last[2];
    run_to(r, from);
    mean_angles(r, periods, first);
    run_to(r, to - periods * PERIOD);
    double between = hf_sim_time(r->sim) - from;
    mean_angles(r, periods, last);
    rate[0] = (last[0] - first[0]) / between;
    rate[1] = (last[1] - first[1]) / between;
}

// ------------------------------------------------------------------------------------------------

// Simulation I: the sphere slides, and rolls from 2/3.43 s on.
static void rolling_sphere(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_scene_rolling_sphere();
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    hf_channel slip = channel(model, "floor.rate.tangent1");
    double rolls = 0.0;
    while (hf_sim_time(sim) < 1.0 - 0.5 * STEP) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        if (rolls == 0.0 && hf_sim_value(sim, slip) <= 0.0) {
            rolls = hf_sim_time(sim);
        }
    }
    hf_check_near(rolls, 0.584, 2e-3, "start of rolling", "NUMBERS, Kikuuwe and Yamamoto 2008");
    hf_check_near(hf_sim_value(sim, channel(model, "sphere.velocity.x")), 10.0 / 7.0, 1e-8, "vx(1)",
                  "momentum about the contact point");
    hf_check_near(hf_sim_value(sim, channel(model, "sphere.position.x")), 1.595, 1e-3, "px(1)",
                  "NUMBERS, Kikuuwe and Yamamoto 2008");
    hf_force_stats stats = hf_sim_force_stats(sim, hf_model_find_force(model, "floor"));
    // It bounces (restitution 0.99 at this damping): it is in the air for most of the time.
    hf_check_near(stats.stick_seconds + stats.slip_seconds + stats.open_seconds, 1.0, 1e-9,
                  "time in all modes", "all of it");
    assert_true(stats.stick_seconds > 0.0 && stats.slip_seconds > 0.0 && stats.transitions > 10);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Simulation II: the arm stops and stays.
static void two_link_arm(void **state)
{
    (void)state;
    run r = open_arm(HF_ARM_STICTION);
    check_angles(&r, 2.0, 9.4143599e-5, 0.060431508, 1e-9);
    check_angles(&r, 4.0, 0.821457438, 2.417518810, 1e-6);
    check_angles(&r, 6.0, 1.180225051, 2.451858190, 1e-6);
    check_angles(&r, 10.0, 1.180247841, 2.451905066, 1e-6);
    close_run(&r);
}

static void two_link_arm_does_not_drift(void **state)
{
    (void)state;
    run r = open_arm(HF_ARM_STICTION);
    double rate[2];
    drift(&r, 6.0, 60.0, 50, rate);
    hf_check_near(rate[0], 0.0, 1e-9, "drift of the shoulder [rad/s]", "it sticks");
    hf_check_near(rate[1], 0.0, 1e-9, "drift of the elbow [rad/s]", "it sticks");
    close_run(&r);
}

// The same with LuGre's law, whose defect this shows.
static void two_link_arm_lugre(void **state)
{
    (void)state;
    run r = open_arm(HF_ARM_LUGRE);
    double rate[2];
    drift(&r, 6.0, 10.0, 15, rate);
    hf_check_near(rate[0], 5.42e-3, 5.42e-5, "drift of the shoulder [rad/s]",
                  "NUMBERS, Kikuuwe and Yamamoto 2008");
    hf_check_near(rate[1], 6.32e-3, 6.32e-5, "drift of the elbow [rad/s]",
                  "NUMBERS, Kikuuwe and Yamamoto 2008");
    close_run(&r);
    r = open_arm(HF_ARM_LUGRE);
    check_angles(&r, 10.0, 1.230122169, 2.487345577, 1e-6);
    close_run(&r);
}

// Simulation III: rigid links and penalty joints; the difference falls as 1/Kp.
static void two_link_arm_penalty(void **state)
{
    (void)state;
    static const double stiffnesses[] = {1e5, 1e6};
    double off[2];
    for (int i = 0; i < 2; ++i) {
        run r = open_penalty_arm(stiffnesses[i]);
        double theta[2];
        run_to(&r, 6.0);
        read_angles(&r, theta);
        off[i] = fmax(fabs(theta[0] - 1.180225051), fabs(theta[1] - 2.451858190));
        close_run(&r);
    }
    hf_check_below(off[1], 2e-5, "|theta(6) - II| at Kp = 1e6",
                   "NUMBERS, Kikuuwe and Yamamoto 2008");
    hf_check_near(off[0] / off[1], 10.0, 4.0, "ratio of the errors", "1/Kp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling_sphere),
        cmocka_unit_test(two_link_arm),
        cmocka_unit_test(two_link_arm_does_not_drift),
        cmocka_unit_test(two_link_arm_lugre),
        cmocka_unit_test(two_link_arm_penalty),
    };
    return hf_run_tests(tests);
}
