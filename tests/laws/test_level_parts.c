// SPDX-License-Identifier: Apache-2.0
// Levels with all their parts (both sides, tables, gears, cohesion, the factor of stick): what is
// refused and why, values against their formulas, slopes against differences, slips against the
// equation that they solve.
#include <math.h>
#include <string.h>

#include "hf_test.h"

#include <holdfast/laws.h>

static void refused(const hf_level *level, int dim, const char *member, const char *words)
{
    hf_fault fault;
    hf_status status = hf_level_check(level, dim, &fault);
    if (status != HF_ERROR_RANGE || fault.member == NULL || strcmp(fault.member, member) != 0 ||
        strstr(fault.expected, words) == NULL) {
        fail_msg("expected '%s' '%s', got %d '%s' '%s'", member, words, (int)status,
                 fault.member == NULL ? "" : fault.member,
                 fault.member == NULL ? "" : fault.expected);
    }
}

static void accepted(const hf_level *level, int dim)
{
    hf_fault fault;
    if (hf_level_check(level, dim, &fault) != HF_OK) {
        fail_msg("'%s' '%s' %g", fault.member, fault.expected, fault.value);
    }
}

static hf_level usual(void)
{
    hf_level level = hf_level_coulomb(1.0);
    level.peak[0] = level.peak[1] = 1.5;
    level.stribeck[0] = level.stribeck[1] = 0.1;
    level.viscous[0] = level.viscous[1] = 0.3;
    level.cohesion[0] = level.cohesion[1] = 0.2;
    level.per_normal = true;
    return level;
}

// Every member, on both sides, below zero and not finite; on vectors both sides must agree.
static void members(void **state)
{
    (void)state;
    static const char *const names[] = {"kinetic", "static", "stribeck_velocity", "viscous",
                                        "cohesion"};
    static const double wrong[] = {-0.5, INFINITY, NAN};
    hf_level level;
    double *const numbers[] = {level.kinetic, level.peak, level.stribeck, level.viscous,
                               level.cohesion};
    level = usual();
    accepted(&level, 1);
    accepted(&level, 2);
    for (int i = 0; i < 5; ++i) {
        for (int side = 0; side < 2; ++side) {
            for (int k = 0; k < 3; ++k) {
                level = usual();
                numbers[i][side] = wrong[k];
                refused(&level, 1, names[i], "");
            }
            level = usual();
            numbers[i][side] *= i == 0 ? 0.9 : 1.1;
            accepted(&level, 1);
            refused(&level, 3, names[i], "same forth and back");
        }
    }
    level = usual();
    level.peak[1] = 0.9;
    refused(&level, 1, "static", "below kinetic");
    // The factor of stick: none, or at least 1
    level = usual();
    level.sticking = 0.99;
    refused(&level, 1, "peak", "at least 1");
    level.sticking = NAN;
    refused(&level, 1, "peak", "at least 1");
    level.sticking = 1.0;
    accepted(&level, 1);
    level = usual();
    level.shape = 0.0;
    refused(&level, 1, "shape", "");
}

static void tables(void **state)
{
    (void)state;
    double speeds[3] = {0.0, 0.1, 0.4}, levels[3] = {3.0, 2.0, 2.5};
    hf_level level = hf_level_coulomb(1.0);
    level.table_speed = (hf_list){speeds, 3};
    level.table_level = (hf_list){levels, 3};
    accepted(&level, 1);
    level.table_level.count = 2;
    refused(&level, 1, "table", "as many levels");
    level.table_level.count = level.table_speed.count = -1;
    refused(&level, 1, "table", "as many levels");
    level.table_level = (hf_list){NULL, 3};
    level.table_speed.count = 3;
    refused(&level, 1, "table", "no numbers");
    level.table_level = (hf_list){levels, 3};
    level.table_speed.values = NULL;
    refused(&level, 1, "table", "no numbers");
    level.table_speed.values = speeds;
    static const struct {
        int at;
        double speed, level;
        const char *words;
    } cases[] = {{0, 0.01, 3.0, "begin at speed 0"},
                 {1, 0.0, 2.0, "rising"},
                 {2, 0.1, 2.5, "rising"},
                 {2, INFINITY, 2.5, "rising"},
                 {1, NAN, 2.0, "rising"},
                 {0, 0.0, -1.0, "zero or positive"},
                 {1, 0.1, INFINITY, "and finite"},
                 {2, 0.4, NAN, "zero or positive"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double v = speeds[cases[i].at], f = levels[cases[i].at];
        speeds[cases[i].at] = cases[i].speed;
        levels[cases[i].at] = cases[i].level;
        refused(&level, 1, "table", cases[i].words);
        speeds[cases[i].at] = v;
        levels[cases[i].at] = f;
    }
    levels[1] = 0.0; // zero is allowed
    accepted(&level, 1);
    assert_false(hf_level_is_zero(&level));
    levels[0] = levels[2] = 0.0;
    assert_true(hf_level_is_zero(&level));
}

// Losses of a gear: ((1 - eta1) T + b1)/eta1 while it drives, -(1 - eta2) T + eta2 b2 while it is
// driven, the larger one; linear between the rows.
static void gears(void **state)
{
    (void)state;
    double rows[10] = {0.0, 0.8, 0.6, 0.1, 0.2, 0.5, 0.9, 0.7, 0.3, 0.1};
    hf_level level = hf_level_coulomb(0.0);
    level.gear = (hf_list){rows, 10};
    level.per_normal = true;
    accepted(&level, 1);
    refused(&level, 2, "gear", "one dimension");
    level.gear.count = 9;
    refused(&level, 1, "gear", "five numbers");
    level.gear.count = -5;
    refused(&level, 1, "gear", "five numbers");
    level.gear.count = 10;
    static const struct {
        int at;
        double number;
        const char *member, *words;
    } cases[] = {{0, 0.1, "gear", "rise from 0"},
                 {5, 0.0, "gear", "rise from 0"},
                 {3, NAN, "gear", "finite"},
                 {9, INFINITY, "gear", "finite"},
                 {1, 0.0, "efficiency", "driving"},
                 {6, 1.01, "efficiency", "driving"},
                 {2, 1.01, "efficiency", "driven"},
                 {3, -0.1, "bearing", "zero or positive"},
                 {9, -0.1, "bearing", "zero or positive"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double old = rows[cases[i].at];
        rows[cases[i].at] = cases[i].number;
        refused(&level, 1, cases[i].member, cases[i].words);
        rows[cases[i].at] = old;
    }
    double table[1] = {0.0};
    level.table_speed = level.table_level = (hf_list){table, 1};
    refused(&level, 1, "gear", "without a table");
    level.table_speed = level.table_level = (hf_list){0};
    assert_false(hf_level_is_zero(&level));
    // Values at, between and beyond the rows, under loads that drive and that are driven
    static const double speeds[] = {0.0, 0.2, 0.5, 2.0}, loads[] = {-3.0, -0.05, 0.0, 2.0};
    for (size_t i = 0; i < 16; ++i) {
        double v = speeds[i % 4], load = loads[i / 4], s = fmin(v / 0.5, 1.0);
        double e1 = 0.8 + 0.1 * s, e2 = 0.6 + 0.1 * s, b1 = 0.1 + 0.2 * s, b2 = 0.2 - 0.1 * s;
        for (int side = 0; side < 2; ++side) {
            double torque = side == HF_FORTH ? load : -load;
            double want = fmax(((1.0 - e1) * torque + b1) / e1, -(1.0 - e2) * torque + e2 * b2);
            hf_check_near(hf_level_at(&level, side, v, load, HF_REGIME_SLIP), fmax(0.0, want),
                          1e-14, "level of a gear", "formula");
            if (v != 0.0 && v != 0.5) {
                const double h = 1e-6;
                double slope = (hf_level_at(&level, side, v + h, load, HF_REGIME_SLIP) -
                                hf_level_at(&level, side, v - h, load, HF_REGIME_SLIP)) /
                               (2.0 * h);
                hf_check_near(hf_level_slope(&level, side, v, load, HF_REGIME_SLIP), slope, 1e-8,
                              "slope of a gear", "difference");
            }
        }
    }
}

// F = sticking (mu N + c) + D v in stick, without the factor in slip; so is its slope.
static void parts(void **state)
{
    (void)state;
    hf_level level = usual();
    level.sticking = 1.4;
    level.peak[1] = 1.8;
    level.cohesion[1] = 0.5;
    const double v = 0.07, n = 2.5, h = 1e-6;
    for (int side = 0; side < 2; ++side) {
        double mu = 1.0 + (level.peak[side] - 1.0) * exp(-(v / 0.1) * (v / 0.1));
        double base = mu * n + level.cohesion[side];
        hf_check_near(hf_level_at(&level, side, v, n, HF_REGIME_SLIP), base + 0.3 * v, 1e-14,
                      "level in slip", "formula");
        hf_check_near(hf_level_at(&level, side, v, n, HF_REGIME_STICK), 1.4 * base + 0.3 * v, 1e-14,
                      "level in stick", "formula");
        static const hf_regime regimes[] = {HF_REGIME_SLIP, HF_REGIME_STICK};
        for (int k = 0; k < 2; ++k) {
            double slope = (hf_level_at(&level, side, v + h, n, regimes[k]) -
                            hf_level_at(&level, side, v - h, n, regimes[k])) /
                           (2.0 * h);
            hf_check_near(hf_level_slope(&level, side, v, n, regimes[k]), slope, 1e-7, "slope",
                          "difference");
        }
    }
    // Constant, or not, by each of its parts
    hf_level plain = hf_level_coulomb(2.0);
    assert_true(hf_level_is_constant(&plain) && !hf_level_is_zero(&plain));
    for (int i = 0; i < 7; ++i) {
        hf_level other = plain;
        double one[1] = {0.0}, two[1] = {2.0};
        other.per_normal = i == 0;
        other.viscous[0] = i == 1 ? 0.1 : 0.0;
        other.viscous[1] = i == 2 ? 0.1 : 0.0;
        other.kinetic[1] = i == 3 ? 1.9 : 2.0;
        other.peak[0] = i == 4 ? 2.1 : 2.0;
        other.peak[1] = i == 5 ? 2.1 : 2.0;
        other.sticking = i == 6 ? 1.1 : 1.0;
        assert_false(hf_level_is_constant(&other));
        other = plain;
        other.table_speed = (hf_list){one, 1};
        other.table_level = (hf_list){two, 1};
        assert_false(hf_level_is_constant(&other));
        hf_level nothing = hf_level_coulomb(0.0);
        assert_true(hf_level_is_zero(&nothing));
        nothing.viscous[0] = i == 0;
        nothing.viscous[1] = i == 1;
        nothing.cohesion[0] = i == 2;
        nothing.cohesion[1] = i == 3;
        nothing.peak[0] = i == 4;
        nothing.peak[1] = i >= 5;
        assert_false(hf_level_is_zero(&nothing));
    }
}

// c w + F(w) = trial with F of a level with every part, on both sides and in every regime; at rest
// the force is the trial, and no more than F(0).
static void slips(void **state)
{
    (void)state;
    double rows[10] = {0.0, 0.8, 0.6, 0.1, 0.2, 0.5, 0.9, 0.7, 0.3, 0.1};
    hf_rng rng = hf_rng_create(5);
    int slipping = 0, resting = 0;
    for (int i = 0; i < 600; ++i) {
        hf_level level = usual();
        level.sticking = i % 3 == 0 ? 1.3 : 0.0;
        level.rational = i % 2 == 0;
        if (i % 5 == 0) {
            level = hf_level_coulomb(0.1);
            level.per_normal = true;
            level.gear = (hf_list){rows, 10};
        }
        hf_regime regime = i % 4 < 2 ? HF_REGIME_SLIP : HF_REGIME_STICK;
        double c = hf_rng_log_uniform(&rng, 5.0, 500.0), normal = hf_rng_uniform(&rng, 0.1, 2.0);
        double trial = hf_rng_uniform(&rng, 0.0, 8.0);
        int side = i % 2 == 0 ? HF_FORTH : HF_BACK;
        hf_slip slip = hf_level_slip(&level, side, normal, regime, c, trial);
        double at_rest = hf_level_at(&level, side, 0.0, normal, regime);
        if (slip.slips) {
            double force = hf_level_at(&level, side, slip.speed, normal, regime);
            hf_check_near(c * slip.speed + force, trial, 1e-9, "c w + F(w)", "trial");
            hf_check_near(slip.force, force, 1e-9, "force", "level");
            assert_true(slip.speed >= 0.0);
            ++slipping;
        } else {
            assert_true(trial <= at_rest * (1.0 + 1e-12));
            hf_check_near(slip.force, trial, 0.0, "force at rest", "trial");
            assert_true(slip.speed == 0.0);
            ++resting;
        }
        assert_true(trial > at_rest || !slip.slips || slip.speed > 0.0);
    }
    assert_true(slipping > 100 && resting > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members), cmocka_unit_test(tables), cmocka_unit_test(gears),
        cmocka_unit_test(parts),   cmocka_unit_test(slips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
