// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: frictions and stops that hold the same motion. How they share is not unique;
// whether anything moves is: break-away is where no forces within all static levels are left, and
// nothing slips before.
#include <hf_balance.h>

#include "adaptive_test.h"

enum { MACHINES = 25, TEXT = 3000 };

static int add_friction(char *text, int used, const char *name, const char *where, double kinetic,
                        double peak)
{
    return used + snprintf(text + used, (size_t)(TEXT - used),
                           "  - {name: %s, %s, type: friction, law: coulomb,\n"
                           "     level: {coulomb: %.17g, static: %.17g}}\n",
                           name, where, kinetic, peak);
}

// Every friction sticks until `when`, to a part of it, and nothing moves until then.
static void check_break_away(const char *text, double when, double part, const char *origin)
{
    event_log log = {0};
    hf_model *model = model_of(text);
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-8, when / 40.0), &log);
    hf_balance balance = hf_balance_of(sim);
    while (hf_sim_time(sim) < 1.2 * when) {
        step(sim);
        hf_balance_sample(&balance);
    }
    if (log.count == 0) {
        fail_msg("nothing breaks away; wanted at %.9g s:\n%s", when, text);
    }
    hf_check_near(log.events[0].time, when, part * when, "first break-away", origin);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A brake of 10 N and a bearing of 1 N, 2 N at rest, pulled by 1 N/s: 12 s.
static void brake_and_bearing(void **state)
{
    (void)state;
    const char *text = "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                       "forces:\n"
                       "  - {name: pull, on: block, type: force, value: \"t\"}\n"
                       "  - {name: brake, on: block, type: friction, law: coulomb, level: 10}\n"
                       "  - {name: bearing, on: block, type: friction, law: coulomb,\n"
                       "     level: {coulomb: 1, static: 2}}\n";
    hf_model *model = model_of(text);
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.1), &log);
    run_until(sim, 14.0);
    assert_int_equal(log.count, 2);
    check_event(&log, 0, 12.0, 1e-6, 1, "sum of the static levels");
    check_event(&log, 1, 12.0, 1e-6, 1, "sum of the static levels");
    // From there on v' = t - 11
    hf_check_near(value_of(sim, "block.velocity"), 4.0, 1e-5, "velocity", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Two to five frictions with unlike levels on one body, along a line, in a plane, in space.
static void parallel(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20261116);
    static const char *const bodies[] = {"dim: 1", "axes: xy", "dim: 3"};
    for (int m = 0; m < MACHINES; ++m) {
        char text[TEXT], name[16];
        int dim = hf_rng_int(&rng, 1, 3), count = hf_rng_int(&rng, 2, 5);
        double rate = hf_rng_log_uniform(&rng, 1e-3, 1e2), sum = 0.0;
        const double along[3][3] = {{1.0, 0.0, 0.0}, {0.6, 0.8, 0.0}, {0.36, 0.48, 0.8}};
        int used = snprintf(text, TEXT,
                            "bodies: {block: {type: mass, %s, mass: %.17g}}\n"
                            "forces:\n  - {name: pull, on: block, type: force, value: ",
                            bodies[dim - 1], hf_rng_log_uniform(&rng, 1e-2, 1e2));
        for (int k = 0; k < dim; ++k) {
            used += snprintf(text + used, (size_t)(TEXT - used), "%s\"%.17g*t\"%s",
                             dim > 1 && k == 0 ? "[" : "", rate * along[dim - 1][k],
                             k < dim - 1 ? ", " : (dim > 1 ? "]}\n" : "}\n"));
        }
        for (int i = 0; i < count; ++i) {
            double kinetic = hf_rng_log_uniform(&rng, 1e-2, 1e3);
            double peak = kinetic * (hf_rng_bool(&rng) ? 1.0 : hf_rng_uniform(&rng, 1.0, 3.0));
            (void)snprintf(name, sizeof name, "rub%d", i);
            used = add_friction(text, used, name, "on: block", kinetic, peak);
            sum += peak;
        }
        check_break_away(text, sum / rate, 1e-6, "sum of the static levels");
    }
}

// Whether forces within their bounds hold two blocks under loads p and q, with frictions of each
// against the ground and between them.
static bool can_hold(double p, double q, const double level[3])
{
    double low = fmax(fmax(p - level[0], -q - level[1]), -level[2]);
    double high = fmin(fmin(p + level[0], -q + level[1]), level[2]);
    return low <= high;
}

// Two blocks on the ground and on each other: three frictions for two motions, and shares in
// proportion to the levels are not always within them.
static void triangle(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20261117);
    for (int m = 0; m < MACHINES; ++m) {
        char text[TEXT];
        double level[3], p = hf_rng_uniform(&rng, 0.2, 2.0), q = hf_rng_uniform(&rng, -2.0, 2.0);
        int used = snprintf(text, TEXT,
                            "bodies:\n"
                            "  a: {type: mass, dim: 1, mass: %.17g}\n"
                            "  b: {type: mass, dim: 1, mass: %.17g}\n"
                            "forces:\n"
                            "  - {name: p, on: a, type: force, value: \"%.17g*t\"}\n"
                            "  - {name: q, on: b, type: force, value: \"%.17g*t\"}\n",
                            hf_rng_log_uniform(&rng, 0.1, 10.0),
                            hf_rng_log_uniform(&rng, 0.1, 10.0), p, q);
        static const char *const where[] = {"on: a", "on: b", "on: a, to: b"};
        static const char *const names[] = {"left", "right", "between"};
        for (int i = 0; i < 3; ++i) {
            level[i] = hf_rng_log_uniform(&rng, 0.5, 20.0);
            used = add_friction(text, used, names[i], where[i],
                                level[i] * hf_rng_uniform(&rng, 0.5, 1.0), level[i]);
        }
        double holds = 0.0, moves = 1e3;
        for (int k = 0; k < 80; ++k) {
            double t = 0.5 * (holds + moves);
            bool held = can_hold(p * t, q * t, level);
            holds = held ? t : holds;
            moves = held ? moves : t;
        }
        check_break_away(text, holds, 1e-6, "no forces within the levels");
    }
}

// A block between a wall and its friction, pushed and pulled: the wall takes the push, friction the
// pull up to its level, and nothing slips before.
static void wall_and_friction(void **state)
{
    (void)state;
    const char *text =
        "bodies: {block: {type: mass, dim: 1, mass: 2}}\n"
        "forces:\n"
        "  - {name: load, on: block, type: force, value: \"t < 8 ? -10*t : 5*(t - 8)\"}\n"
        "  - {name: wall, on: block, type: stop, low: 0}\n"
        "  - {name: rub, on: block, type: friction, law: coulomb, level: 10}\n"
        "  - {name: drag, on: block, type: friction, law: coulomb, level: 5}\n";
    hf_model *model = model_of(text);
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.125), &log);
    hf_balance balance = hf_balance_of(sim);
    while (hf_sim_time(sim) < 12.0) {
        step(sim);
        hf_balance_sample(&balance);
        if (hf_sim_time(sim) < 10.99) {
            hf_check_same_bits(value_of(sim, "rub.mode"), 0.0, "mode");
            hf_check_same_bits(value_of(sim, "drag.mode"), 0.0, "mode");
            hf_check_same_bits(value_of(sim, "block.velocity"), 0.0, "velocity");
        }
    }
    // 5 (t - 8) = 15
    hf_check_near(log.events[log.count - 1].time, 11.0, 1e-6, "break-away", "sum of the levels");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// 2 and 5 N under 8 sin(3 t) N: stuck to asin(7/8)/3 s.
static void under_a_sine(void **state)
{
    (void)state;
    check_break_away("bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                     "forces:\n"
                     "  - {name: pull, on: block, type: force, value: \"8*sin(3*t)\"}\n"
                     "  - {name: two, on: block, type: friction, law: coulomb, level: 2}\n"
                     "  - {name: five, on: block, type: friction, law: coulomb, level: 5}\n",
                     asin(7.0 / 8.0) / 3.0, 1e-6, "closed form");
}

// Two frictions on both sides of a gear of any ratio: they let go where the sum of what both hold
// at rest, as seen from the drive, is reached: 0.6 + 0.7 N at 1.3 s.
static void frictions_across_a_ratio(void **state)
{
    (void)state;
    static const double ratios[] = {1.0, 0.1, 8e-4, 50.0};
    for (int i = 0; i < 4; ++i) {
        char text[700];
        double r = ratios[i];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  drive: {type: mass, dim: 1, mass: 1}\n"
                       "  load: {type: mass, dim: 1, mass: 1}\n"
                       "loops: {gear: {type: ratio, ratio: {drive: %.17g, load: -1}}}\n"
                       "signals: {pull: t}\n"
                       "forces:\n"
                       "  - {name: pull-it, on: drive, type: force, value: pull}\n"
                       "  - {name: bearing, on: drive, type: friction, law: coulomb,\n"
                       "     level: {coulomb: 0.1, static: 0.6}}\n"
                       "  - {name: guide, on: load, type: friction, law: coulomb,\n"
                       "     level: {coulomb: %.17g, static: %.17g}}\n",
                       r, 0.5 / r, 0.7 / r);
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim =
            sim_logged(model, (hf_method_def){.type = HF_METHOD_SWITCH, .step = 0.05}, &log);
        run_until(sim, 1.29);
        hf_check_near(value_of(sim, "drive.position"), 0.0, 1e-18, "place", "held");
        run_until(sim, 1.4);
        assert_true(log.count == 2);
        for (int k = 0; k < 2; ++k) {
            hf_check_near(log.events[k].time, 1.3, 1e-6, "break-away", "sum of the static levels");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frictions_across_a_ratio),
        cmocka_unit_test(brake_and_bearing),
        cmocka_unit_test(parallel),
        cmocka_unit_test(triangle),
        cmocka_unit_test(wall_and_friction),
        cmocka_unit_test(under_a_sine),
    };
    return hf_run_tests(tests);
}
