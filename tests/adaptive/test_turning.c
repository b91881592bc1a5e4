// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: contacts with friction of spin and of rolling, against closed forms.
#include "adaptive_test.h"

#include <math.h>

// A ball of 2 kg and 0.1 m: J = 0.008 kg m^2, its weight is 20 N.
#define BALL                                                                                       \
    "gravity: [0, 0, -10]\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  ball: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.1},\n"

// The first time after which a channel is zero to the bit, between records `step` apart.
static double stops_by(hf_sim *sim, const char *channel, double end)
{
    double last = 0.0;
    while (hf_sim_time(sim) < end * (1.0 - 1e-12)) {
        if (fabs(value_of(sim, channel)) > 1e-13) {
            last = hf_sim_time(sim);
        }
        hf_error error = {0};
        if (hf_sim_step(sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
    }
    return last;
}

// A ball spins on the spot: J w' = -c N.
static void drilling_ball(void **state)
{
    (void)state;
    hf_model *model =
        model_of(BALL "         position: [0, 0, 0.1], angular_velocity: [0, 0, 10]}\n"
                      "forces:\n"
                      "  - {name: floor, on: ball, type: contact, law: rigid-contact,\n"
                      "     friction: 0.3, spin_friction: 0.002, restitution: 0}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.125));
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "ball.angular_velocity.z"), 5.0, 1e-9, "spin", "w - c N t/J");
    hf_check_near(value_of(sim, "floor.mode"), 0.0, 0.0, "mode", "no slip along the floor");
    hf_check_near(stops_by(sim, "ball.angular_velocity.z", 3.0), 1.875, 1e-12, "last record",
                  "J w/(c N) = 2 s");
    hf_check_near(hf_sim_energy(sim).dissipated, 0.4, 1e-9, "heat", "J w^2/2");
    hf_check_near(value_of(sim, "floor.normal"), 20.0, 1e-9, "normal force", "weight");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A ball rolls out: (m + J/R^2) v' = -c N/R, straight on in any direction; then it stands.
static void rolling_ball(void **state)
{
    (void)state;
    hf_model *model = model_of(
        BALL "         position: [0, 0, 0.1], velocity: [0.6, 0.8, 0],\n"
             "         angular_velocity: [-8, 6, 0]}\n"
             "forces:\n"
             "  - {name: floor, on: ball, type: contact, law: rigid-contact, friction: 0.3,\n"
             "     rolling_friction: 0.01, spin_friction: 0.001, restitution: 0}\n");
    const double tolerance[] = {1e-6, 1e-8, 1e-10};
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, tolerance[i], 0.1));
        run_until(sim, 0.7);
        hf_check_near(value_of(sim, "ball.velocity.x"), 0.3, 100.0 * tolerance[i], "v_x",
                      "closed form");
        run_until(sim, 2.0);
        // v' = -1/1.4: after 1.4 s and 0.7 m
        hf_check_near(value_of(sim, "ball.position.x"), 0.42, 100.0 * tolerance[i], "x",
                      "v^2/(2 v')");
        hf_check_near(value_of(sim, "ball.position.y"), 0.56, 100.0 * tolerance[i], "y",
                      "v^2/(2 v')");
        hf_check_below(fabs(value_of(sim, "ball.velocity.y")), 1e-13, "velocity", "stands");
        hf_check_near(hf_sim_energy(sim).dissipated, 1.4, 100.0 * tolerance[i], "heat",
                      "kinetic energy");
        double before = value_of(sim, "ball.position.x");
        run_until(sim, 4.0);
        hf_check_near(value_of(sim, "ball.position.x"), before, 1e-15, "x", "stands");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// A push through the centre grows: the ball begins to roll where F R = c_s N, then with c.
static void begins_to_roll(void **state)
{
    (void)state;
    hf_model *model =
        model_of(BALL "         position: [0, 0, 0.1]}\n"
                      "signals: {push: \"t\"}\n"
                      "forces:\n"
                      "  - {name: hand, on: ball, type: force, value: [push, 0, 0]}\n"
                      "  - {name: floor, on: ball, type: contact, law: rigid-contact,\n"
                      "     friction: 0.9, restitution: 0,\n"
                      "     rolling_friction: {friction: 0.01, static_friction: 0.02}}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.5));
    run_until(sim, 4.0);
    hf_check_below(fabs(value_of(sim, "ball.velocity.x")), 1e-13, "velocity", "F R < c_s N");
    run_until(sim, 6.0);
    // 2.8 v' = t - 2 from t = 4 on
    hf_check_near(value_of(sim, "ball.velocity.x"), (16.0 - 4.0) / 5.6, 1e-8, "velocity",
                  "closed form");
    hf_check_near(value_of(sim, "floor.mode"), 0.0, 0.0, "mode", "rolls");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A ball that spins lands: the impulse m w (1 + e) brakes the spin, too.
static void landing_ball(void **state)
{
    (void)state;
    hf_model *model =
        model_of(BALL "         position: [0, 0, 0.6], angular_velocity: [0, 0, 20]}\n"
                      "forces:\n"
                      "  - {name: floor, on: ball, type: contact, law: rigid-contact,\n"
                      "     friction: 0.3, spin_friction: 0.001, restitution: 0.5}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.05));
    double speed = sqrt(2.0 * 10.0 * 0.5), landing = speed / 10.0;
    run_until(sim, 0.5);
    double spin = 20.0 - 0.001 * 2.0 * 1.5 * speed / 0.008;
    assert_true(landing < 0.5);
    hf_check_near(value_of(sim, "ball.angular_velocity.z"), spin, 1e-8, "spin", "one impulse");
    run_until(sim, 2.0);
    // All impulses together are m (speed + g (t - landing)) once it rests: after 3 times the fall
    spin = 20.0 - 0.001 * 2.0 * (speed + 10.0 * (2.0 - landing)) / 0.008;
    assert_true(3.0 * landing < 2.0);
    hf_check_near(value_of(sim, "ball.angular_velocity.z"), spin, 1e-7, "spin", "momentum");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A ball bounces to rest on the spot; then a push that friction of rolling can hold, and one that
// it cannot.
static void bounces_to_rest(void **state)
{
    (void)state;
    hf_model *model = model_of(
        BALL "         position: [0, 0, 0.6]}\n"
             "signals: {push: \"t < 2 ? 0 : t < 3 ? 1.9 : 2.4\"}\n"
             "forces:\n"
             "  - {name: hand, on: ball, type: force, value: [0, push, 0]}\n"
             "  - {name: floor, on: ball, type: contact, law: rigid-contact, friction: 0.5,\n"
             "     rolling_friction: 0.01, spin_friction: 0.001, restitution: 0.5}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.1));
    run_until(sim, 3.0);
    hf_check_near(value_of(sim, "ball.position.y"), 0.0, 1e-12, "y", "F R < c N");
    hf_check_near(value_of(sim, "ball.velocity.y"), 0.0, 1e-13, "velocity", "F R < c N");
    run_until(sim, 4.0);
    hf_check_near(value_of(sim, "ball.velocity.y"), 0.4 / 2.8, 1e-7, "velocity",
                  "(F - c N/R) t/(1.4 m)");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A ball that spins lies on another: they come to one spin, J w/(J + J2).
static void ball_on_a_ball(void **state)
{
    (void)state;
    hf_model *model =
        model_of(BALL "         position: [0, 0, 0.5], angular_velocity: [0, 0, 9]}\n"
                      "  big: {type: rigid, mass: 5, shape: {type: sphere, radius: 0.2},\n"
                      "        position: [0, 0, 0.2]}\n"
                      "forces:\n"
                      "  - {name: floor, on: big, type: contact, law: rigid-contact, friction: 0,\n"
                      "     restitution: 0}\n"
                      "  - {name: pair, on: ball, to: big, type: contact, law: rigid-contact,\n"
                      "     friction: 0.5, spin_friction: 0.002, restitution: 0}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.05));
    double j = 0.008, j2 = 0.08;
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "ball.angular_velocity.z"), 9.0 - 0.04 / j, 1e-8, "spin",
                  "w - c N t/J");
    hf_check_near(value_of(sim, "big.angular_velocity.z"), 0.04 / j2, 1e-8, "spin", "c N t/J2");
    run_until(sim, 2.0); // together after 9/(0.04 (1/J + 1/J2)) = 1.64 s
    hf_check_near(value_of(sim, "ball.angular_velocity.z"), 9.0 * j / (j + j2), 1e-8, "spin",
                  "momentum");
    hf_check_near(value_of(sim, "big.angular_velocity.z"), 9.0 * j / (j + j2), 1e-8, "spin",
                  "momentum");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Slip, spin and rolling at once, with bounces: as the stiff law of [Xiong2013] over fine steps.
static void as_stiff_contact(void **state)
{
    (void)state;
    hf_model *model =
        model_of("method: {type: rk4, step: 2e-5}\n" BALL
                 "         position: [0, 0, 0.1], velocity: [1, -0.5, 0],\n"
                 "         angular_velocity: [4, -3, 12]}\n"
                 "forces:\n"
                 "  - {name: floor, on: ball, type: contact, law: rigid-contact, friction: 0.2,\n"
                 "     rolling_friction: 0.004, spin_friction: 0.003, restitution: 0,\n"
                 "     penetration: 1e-7}\n");
    static const char *const channels[] = {"ball.position.x",         "ball.position.y",
                                           "ball.velocity.x",         "ball.angular_velocity.x",
                                           "ball.angular_velocity.y", "ball.angular_velocity.z"};
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.05));
    hf_sim *stiff = sim_with(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 2e-5});
    while (hf_sim_time(sim) < 2.0) {
        run_until(sim, hf_sim_time(sim) + 0.05);
        run_until(stiff, hf_sim_time(sim));
        for (int i = 0; i < 6; ++i) {
            hf_check_near(value_of(sim, channels[i]), value_of(stiff, channels[i]), 2e-3,
                          channels[i], "rk4, step 2e-5 s");
        }
    }
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-7, "energy residual", "rtol 1e-9");
    hf_sim_destroy(sim);
    hf_sim_destroy(stiff);
    hf_model_destroy(model);
}

static void save_and_restore(void **state)
{
    (void)state;
    hf_model *model = model_of(
        BALL "         position: [0, 0, 0.2], velocity: [1, -0.5, 0],\n"
             "         angular_velocity: [4, -3, 12]}\n"
             "forces:\n"
             "  - {name: floor, on: ball, type: contact, law: rigid-contact, friction: 0.2,\n"
             "     rolling_friction: 0.01, spin_friction: 0.003, restitution: 0.5}\n");
    const double when[] = {0.1, 0.5, 1.0, 2.5};
    for (int i = 0; i < 4; ++i) {
        hf_sim *one = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.05));
        hf_sim *other = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.05));
        check_restored(one, other, when[i], 3.0);
        hf_sim_destroy(one);
        hf_sim_destroy(other);
    }
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drilling_ball),    cmocka_unit_test(rolling_ball),
        cmocka_unit_test(begins_to_roll),   cmocka_unit_test(landing_ball),
        cmocka_unit_test(bounces_to_rest),  cmocka_unit_test(ball_on_a_ball),
        cmocka_unit_test(as_stiff_contact), cmocka_unit_test(save_and_restore),
    };
    return hf_run_tests(tests);
}
