// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH on moving references: belts that stop, turn and shake. Kinks and jumps of driven
// motion are located, what is stuck obeys its friction there, and sticks exactly as long as it
// does. And the narrow rise of a Stribeck curve is not stepped over.
#include <hf_balance.h>

#include "adaptive_test.h"

static hf_model *block_on(const char *belt, double velocity, double level)
{
    char text[800];
    (void)snprintf(
        text, sizeof text,
        "bodies:\n"
        "  belt: {type: driven, dim: 1, %s}\n"
        "  block: {type: mass, dim: 1, mass: 1, velocity: %.17g}\n"
        "forces:\n"
        "  - {name: rub, on: block, to: belt, type: friction, law: coulomb, level: %g}\n",
        belt, velocity, level);
    return model_of(text);
}

// A belt that stops, by its position: the block slides on and stops 1/6 m further.
static void stops(void **state)
{
    (void)state;
    event_log log = {0};
    hf_model *model = block_on("position: \"min(t, 0.53)\"", 1.0, 3.0);
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.05), &log);
    run_until(sim, 1.5);
    assert_int_equal(log.count, 2);
    check_event(&log, 0, 0.53, 1e-12, 1, "the kink");
    check_event(&log, 1, 0.53 + 1.0 / 3.0, 1e-8, 0, "closed form");
    hf_check_near(value_of(sim, "block.position"), 0.53 + 1.0 / 6.0, 1e-8, "x", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A plate in two dimensions that carries a block, whichever of the two the friction is written on:
// the block comes to rest on it at t = |slip|/a, on a straight line, and has its velocity exactly.
static void plates(void **state)
{
    (void)state;
    for (int on_plate = 0; on_plate < 2; ++on_plate) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  plate: {type: driven, dim: 2, velocity: [0.25, -0.5]}\n"
                       "  block: {type: mass, dim: 2, mass: 2, velocity: [1, 0.5]}\n"
                       "forces:\n"
                       "  - {name: rub, on: %s, to: %s, type: friction, law: coulomb, level: 5}\n",
                       on_plate ? "plate" : "block", on_plate ? "block" : "plate");
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.05), &log);
        run_until(sim, 1.0);
        // slip (0.75, 1), 1.25 m/s; 2.5 m/s^2
        assert_int_equal(log.count, 1);
        check_event(&log, 0, 0.5, 1e-7, 0, "closed form");
        assert_true(value_of(sim, "block.velocity.x") == 0.25);
        assert_true(value_of(sim, "block.velocity.y") == -0.5);
        hf_check_near(value_of(sim, "block.position.x"), 0.25 + 0.75 * 0.25, 1e-8, "x",
                      "closed form");
        hf_check_near(value_of(sim, "block.position.y"), -0.5 + 0.25, 1e-8, "y", "closed form");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// v' = -F sign(v - belt) over half periods of a belt that turns between 2 and -2 m/s.
static double turned_velocity(double level, double half, double end)
{
    double v = 2.0;
    for (int k = 0; k * half < end; ++k) {
        double belt = k % 2 == 0 ? 2.0 : -2.0, left = fmin(half, end - k * half);
        double change = fmin(fabs(v - belt), level * left);
        v += v > belt ? -change : change;
    }
    return v;
}

// Jumps that no comparison with t tells: 2 sign(sin(5 t)). With 3 N the block comes back to the
// belt just where that turns again.
static void turns(void **state)
{
    (void)state;
    const double levels[] = {0.7, 3.0, 4.1, 20.0};
    for (int i = 0; i < 4; ++i) {
        hf_model *model = block_on("velocity: \"2*sign(sin(5*t))\"", 2.0, levels[i]);
        for (int family = 0; family < 2; ++family) {
            hf_sim *sim = sim_with(
                model, switching(family == 0 ? HF_FAMILY_ADAMS : HF_FAMILY_BDF, 1e-9, 0.01));
            hf_balance balance = hf_balance_of(sim);
            while (hf_sim_time(sim) < 4.9) {
                step(sim);
                hf_balance_sample(&balance);
                double half = 3.14159265358979323846 / 5.0;
                hf_check_near(value_of(sim, "block.velocity"),
                              turned_velocity(levels[i], half, hf_sim_time(sim)), 1e-7, "v",
                              "closed form");
            }
            hf_sim_destroy(sim);
        }
        hf_model_destroy(model);
    }
}

// A contact elsewhere in the machine changes nothing of it.
static void beside_a_contact(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  belt: {type: driven, dim: 1, velocity: \"t < 0.53 ? 1 : -1\"}\n"
        "  block: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
        "  ball: {type: mass, dim: 3, mass: 1, position: [0, 0, 1]}\n"
        "forces:\n"
        "  - {name: rub, on: block, to: belt, type: friction, law: coulomb, level: 3}\n"
        "  - {name: ground, on: ball, type: contact, law: rigid-contact, restitution: 0}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.01));
    run_until(sim, 0.8);
    hf_check_near(value_of(sim, "block.velocity"), 1.0 - 3.0 * 0.27, 1e-8, "v", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Stuck on a table that moves: the same place on it and the same velocity to the last bit, however
// long; and the internal steps are the same whatever is recorded.
static void stays_on_a_table(void **state)
{
    (void)state;
    hf_model *model = block_on("position: \"0.01*sin(10*t)\"", 0.1, 3.0);
    long long steps = 0;
    for (int k = 0; k < 2; ++k) {
        hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-6, k == 0 ? 0.5 : 0.037));
        while (hf_sim_time(sim) < 300.0) {
            step(sim);
            hf_check_same_bits(value_of(sim, "block.position"), value_of(sim, "belt.position"),
                               "position on the table");
            hf_check_same_bits(value_of(sim, "block.velocity"), value_of(sim, "belt.velocity"),
                               "velocity");
        }
        long long taken = hf_sim_get_stats(sim).internal_steps;
        hf_check_near((double)taken, k == 0 ? (double)taken : (double)steps, 3.0, "internal steps",
                      "another recording; the last may be a longer one");
        steps = taken;
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// A table whose shaking grows beyond what friction holds: the block slips to and fro, never against
// its rate, and its heat never falls.
static void growing_shake(void **state)
{
    (void)state;
    hf_model *model =
        block_on("position: \"(0.9 + 0.02*t)/3947.8417604357*sin(62.83185307179586*t)\"",
                 0.9 / 62.83185307179586, 1.0);
    hf_method_def method = switching(HF_FAMILY_ADAMS, 1e-6, 0.003);
    method.atol = 1e-9;
    hf_sim *sim = sim_with(model, method);
    hf_balance balance = hf_balance_of(sim);
    double fastest = 0.0;
    while (hf_sim_time(sim) < 15.0) {
        step(sim);
        hf_balance_sample(&balance);
        fastest = fmax(fastest, fabs(value_of(sim, "block.velocity")));
    }
    hf_check_below(fastest, 1.25 / 62.8, "speed", "the table's");
    hf_check_below(1.0, hf_sim_force_stats(sim, (hf_force){1}).slip_seconds * 100.0, "slips",
                   "it does");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A load that swings above what friction holds for a part of a step only: the block slips at the
// first peak that does, whatever is recorded. Peaks of a = (0.9 + 0.001 t) sin(20 pi t) (m/s^2) are
// at 0.025 s + n 0.05 s: the first above 1 is at 100.025 s.
static void first_peak(void **state)
{
    (void)state;
    const double records[] = {0.01, 0.7, 20.03};
    double first = 0.0;
    hf_model *model = model_of(
        "bodies:\n"
        "  block: {type: mass, dim: 1, mass: 1}\n"
        "forces:\n"
        "  - {name: pull, on: block, type: force, value: \"(0.9 + 0.001*t)*sin(20*pi*t)\"}\n"
        "  - {name: rub, on: block, type: friction, law: coulomb, level: 1}\n");
    for (int k = 0; k < 3; ++k) {
        event_log log = {0};
        hf_method_def method = switching(HF_FAMILY_ADAMS, 1e-6, records[k]);
        method.atol = 1e-9;
        hf_sim *sim = sim_logged(model, method, &log);
        run_until(sim, 100.1);
        assert_true(log.count > 0);
        hf_check_near(log.events[0].time, 100.025, 2e-3, "breaks away", "the first peak above 1 N");
        hf_check_same_bits(log.events[0].time, k == 0 ? log.events[0].time : first,
                           "another recording");
        first = log.events[0].time;
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// A ball that rests on a table which shakes with 0.9 g: it never parts from it, and is on it to
// rounding; the internal steps do not depend on what is recorded.
static void rests_on_a_shaking_table(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  table: {type: driven, axes: z, position: [\"0.9*9.81/(20*pi)^2*sin(20*pi*t)\"]}\n"
        "  ball: {type: mass, dim: 3, mass: 1, velocity: [0, 0, 0.14051797]}\n"
        "forces:\n"
        "  - {name: touch, on: ball, type: contact, law: rigid-contact, restitution: 0,\n"
        "     plane: {body: table}}\n");
    long long steps = 0;
    for (int k = 0; k < 2; ++k) {
        event_log log = {0};
        hf_method_def method = switching(HF_FAMILY_ADAMS, 1e-6, k == 0 ? 0.01 : 0.016);
        method.atol = 1e-9;
        hf_sim *sim = sim_logged(model, method, &log);
        while (hf_sim_time(sim) < 40.0 - 1e-9) {
            step(sim);
            hf_check_near(value_of(sim, "ball.position.z"), value_of(sim, "table.position"), 1e-15,
                          "z", "the table's");
            hf_check_near(value_of(sim, "ball.velocity.z"), value_of(sim, "table.velocity"),
                          hf_sim_time(sim) < 1e-3 ? 1e-7 : 1e-14, "v", "the table's");
        }
        hf_check_below((double)log.count, 1.0, "events", "it closes once");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-4, "residual",
                       "1e-6 of 40 J to and fro");
        long long taken = hf_sim_get_stats(sim).internal_steps;
        hf_check_near((double)taken, k == 0 ? (double)taken : (double)steps, 10.0, "internal steps",
                      "another recording");
        steps = taken;
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// The time to stop under F(v) = Fc + (Fs - Fc) exp(-(v/vs)^2): m dv/F(v) by Simpson's rule in
// u = asinh(v/vs), which puts its points where the curve rises.
static double time_to_stop(double m, double v0, double fc, double fs, double vs)
{
    enum { POINTS = 20000 };
    double most = asinh(v0 / vs), sum = 0.0;
    for (int i = 0; i <= POINTS; ++i) {
        double u = most * i / POINTS, v = vs * sinh(u);
        double part = m * vs * cosh(u) / (fc + (fs - fc) * exp(-(v / vs) * (v / vs)));
        sum += part * (i == 0 || i == POINTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0);
    }
    return sum * most / POINTS / 3.0;
}

static void stribeck_is_seen(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20261118);
    for (int n = 0; n < 30; ++n) {
        double m = n == 0 ? 2.24836 : hf_rng_log_uniform(&rng, 0.1, 10.0);
        double v0 = n == 0 ? 0.620869 : hf_rng_log_uniform(&rng, 0.05, 3.0);
        double fc = n == 0 ? 10.435832 : hf_rng_log_uniform(&rng, 1.0, 30.0);
        double fs = n == 0 ? 17.066496 : fc * hf_rng_uniform(&rng, 1.1, 3.0);
        double vs = n == 0 ? 0.0383423 : hf_rng_log_uniform(&rng, 1e-3, 0.2);
        char text[500];
        (void)snprintf(text, sizeof text,
                       "bodies: {block: {type: mass, dim: 1, mass: %.17g, velocity: %.17g}}\n"
                       "forces:\n"
                       "  - {name: floor, on: block, type: friction, law: coulomb,\n"
                       "     level: {coulomb: %.17g, static: %.17g, stribeck_velocity: %.17g}}\n",
                       m, v0, fc, fs, vs);
        event_log log = {0};
        double when = time_to_stop(m, v0, fc, fs, vs);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-8, when / 7.0), &log);
        run_until(sim, 1.1 * when);
        assert_int_equal(log.count, 1);
        check_event(&log, 0, when, 1e-5 * when, 0, "quadrature");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops),
        cmocka_unit_test(plates),
        cmocka_unit_test(turns),
        cmocka_unit_test(beside_a_contact),
        cmocka_unit_test(stays_on_a_table),
        cmocka_unit_test(growing_shake),
        cmocka_unit_test(first_peak),
        cmocka_unit_test(rests_on_a_shaking_table),
        cmocka_unit_test(stribeck_is_seen),
    };
    return hf_run_tests(tests);
}
