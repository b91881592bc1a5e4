// SPDX-License-Identifier: Apache-2.0
// Level functions: ranges, formulas, tables, slopes, and the velocity at which slip settles.
#include "laws_test.h"

static const double speeds[] = {0.0, 0.1, 0.5, 2.0};
static const double levels[] = {5.0, 2.0, 3.0, 4.0};

static hf_level table_level(void)
{
    hf_level level = hf_level_coulomb(0.0);
    level.table_speed = (hf_list){speeds, 4};
    level.table_level = (hf_list){levels, 4};
    return level;
}

static void check_accepts_what_is_valid(void **state)
{
    (void)state;
    hf_fault fault;
    hf_level level = hf_level_coulomb(2.0);
    assert_int_equal(hf_level_check(&level, 3, &fault), HF_OK);
    assert_null(fault.member);
    level.kinetic[HF_BACK] = 1.0;
    assert_int_equal(hf_level_check(&level, 1, &fault), HF_OK);
    level = table_level();
    assert_int_equal(hf_level_check(&level, 2, &fault), HF_OK);
}

static void check_names_the_fault(void **state)
{
    (void)state;
    hf_fault fault;
    hf_level level = hf_level_coulomb(2.0);
    level.peak[HF_BACK] = 1.5;
    expect_fault(hf_level_check(&level, 1, &fault), &fault, "static", NULL,
                 "static level is below kinetic level");
    hf_check_near(fault.value, 1.5, 0.0, "fault.value", "definition");
    level.peak[HF_BACK] = 3.0;
    expect_fault(hf_level_check(&level, 2, &fault), &fault, "static", NULL, "forth and back");
    double bad[] = {-1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        level = hf_level_coulomb(bad[i]);
        expect_fault(hf_level_check(&level, 1, &fault), &fault, "kinetic", NULL,
                     "zero or positive");
        level = hf_level_coulomb(1.0);
        level.stribeck[0] = bad[i];
        expect_fault(hf_level_check(&level, 1, &fault), &fault, "stribeck_velocity", NULL, "zero");
        level = hf_level_coulomb(1.0);
        level.viscous[1] = bad[i];
        expect_fault(hf_level_check(&level, 1, &fault), &fault, "viscous", NULL, "zero");
        level = hf_level_coulomb(1.0);
        level.shape = bad[i];
        expect_fault(hf_level_check(&level, 1, &fault), &fault, "shape", NULL, "positive");
    }
    level = hf_level_coulomb(1.0);
    level.shape = 0.0;
    expect_fault(hf_level_check(&level, 1, &fault), &fault, "shape", NULL, "positive");
}

static void check_tables(void **state)
{
    (void)state;
    hf_fault fault;
    double unsorted[] = {0.0, 0.5, 0.5, 2.0};
    double late[] = {0.1, 0.2, 0.5, 2.0};
    double negative[] = {5.0, -2.0, 3.0, 4.0};
    hf_level level = table_level();
    level.table_speed.values = unsorted;
    expect_fault(hf_level_check(&level, 1, &fault), &fault, "table", NULL, "rising");
    level.table_speed.values = late;
    expect_fault(hf_level_check(&level, 1, &fault), &fault, "table", NULL, "begin at speed 0");
    level = table_level();
    level.table_level.values = negative;
    expect_fault(hf_level_check(&level, 1, &fault), &fault, "table", NULL, "levels");
    level = table_level();
    level.table_level.count = 3;
    expect_fault(hf_level_check(&level, 1, &fault), &fault, "table", NULL, "as many");
    level = table_level();
    level.table_speed.values = NULL;
    expect_fault(hf_level_check(&level, 1, &fault), &fault, "table", NULL, "no numbers");
}

static void values_are_the_formula(void **state)
{
    (void)state;
    hf_level level = hf_level_coulomb(1.0);
    level.kinetic[HF_BACK] = 2.0;
    level.peak[HF_FORTH] = 3.0;
    level.peak[HF_BACK] = 2.5;
    level.stribeck[HF_FORTH] = 0.1;
    level.stribeck[HF_BACK] = 0.4;
    level.viscous[HF_FORTH] = 0.5;
    level.shape = 1.5;
    for (double v = 0.0; v < 1.0; v += 0.07) {
        double forth = 1.0 + 2.0 * exp(-pow(v / 0.1, 1.5)) + 0.5 * v;
        double back = 2.0 + 0.5 * exp(-pow(v / 0.4, 1.5));
        hf_check_near(hf_level_at(&level, HF_FORTH, v, 7.0, HF_REGIME_SLIP), forth, 1e-15, "F+",
                      "formula");
        hf_check_near(hf_level_at(&level, HF_BACK, v, 7.0, HF_REGIME_STICK), back, 1e-15, "F-",
                      "formula");
        level.per_normal = true;
        hf_check_near(hf_level_at(&level, HF_FORTH, v, 7.0, HF_REGIME_SLIP),
                      7.0 * (forth - 0.5 * v) + 0.5 * v, 2e-14, "F+(N)", "formula");
        level.per_normal = false;
    }
}

static void static_above_kinetic_depends_on_regime(void **state)
{
    (void)state;
    hf_level level = hf_level_coulomb(1.0);
    level.peak[0] = level.peak[1] = 1.5;
    assert_true(hf_level_at(&level, 0, 0.3, 1.0, HF_REGIME_SLIP) == 1.0);
    assert_true(hf_level_at(&level, 0, 0.3, 1.0, HF_REGIME_STICK) == 1.5);
    assert_true(hf_level_at(&level, 0, 0.0, 1.0, HF_REGIME_OPEN) == 1.5);
    assert_false(hf_level_is_constant(&level));
    level.peak[0] = level.peak[1] = 1.0;
    assert_true(hf_level_is_constant(&level));
    level.viscous[1] = 1e-9;
    assert_false(hf_level_is_constant(&level));
}

static void table_interpolates(void **state)
{
    (void)state;
    hf_level level = table_level();
    for (int i = 0; i < 4; i++)
        assert_true(hf_level_at(&level, 0, speeds[i], 1.0, HF_REGIME_SLIP) == levels[i]);
    hf_check_near(hf_level_at(&level, 1, 0.3, 1.0, HF_REGIME_SLIP), 2.5, 1e-15, "F(0.3)", "table");
    hf_check_near(hf_level_at(&level, 0, 9.0, 1.0, HF_REGIME_SLIP), 4.0, 0.0, "F(9)", "table");
    level.per_normal = true;
    level.viscous[0] = 2.0;
    hf_check_near(hf_level_at(&level, 0, 0.3, 10.0, HF_REGIME_SLIP), 25.6, 1e-14, "F", "table");
    assert_false(hf_level_is_constant(&level));
    double zeros[] = {0.0, 0.0, 0.0, 0.0};
    level.viscous[0] = 0.0;
    assert_false(hf_level_is_zero(&level));
    level.table_level.values = zeros;
    assert_true(hf_level_is_zero(&level));
}

static void slope_is_the_derivative(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(11);
    for (int i = 0; i < 2000; i++) {
        hf_level level = random_sided_level(&rng);
        if (i % 5 == 0) {
            level.table_speed = (hf_list){speeds, 4};
            level.table_level = (hf_list){levels, 4};
        }
        int side = hf_rng_int(&rng, 0, 1);
        double v = i % 5 == 0 ? 0.3 : hf_rng_log_uniform(&rng, 1e-3, 3.0); // no kink at 0.3
        double h = 1e-6 * v;
        double slope = hf_level_slope(&level, side, v, 1.0, HF_REGIME_SLIP);
        double high = hf_level_at(&level, side, v + h, 1.0, HF_REGIME_SLIP);
        double low = hf_level_at(&level, side, v - h, 1.0, HF_REGIME_SLIP);
        double size = level.peak[side] / v + fabs(slope);
        hf_check_near(slope, (high - low) / (2.0 * h), 1e-8 * size, "dF/dv", "central difference");
    }
}

static void stribeck_falls_and_viscous_rises(void **state)
{
    (void)state;
    hf_level level = hf_level_coulomb(1.0);
    level.peak[0] = 2.0;
    level.stribeck[0] = 0.1;
    for (double v = 0.01; v < 1.0; v += 0.01)
        hf_check_below(hf_level_at(&level, 0, v, 1.0, HF_REGIME_SLIP),
                       hf_level_at(&level, 0, v - 0.01, 1.0, HF_REGIME_SLIP), "F(v)", "F(v - dv)");
    level = hf_level_coulomb(1.0);
    level.viscous[0] = 1.0;
    hf_check_near(hf_level_slope(&level, 0, 0.5, 1.0, HF_REGIME_SLIP), 1.0, 0.0, "slope", "D");
}

// c w + F(w) = trial: satisfied, stick first, no larger root.
static void slip_solves_its_equation(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(12);
    int slips = 0;
    for (int i = 0; i < 20000; i++) {
        hf_level level = random_sided_level(&rng);
        if (i % 4 == 0) {
            level.table_speed = (hf_list){speeds, 4};
            level.table_level = (hf_list){levels, 4};
        }
        int side = hf_rng_int(&rng, 0, 1);
        double c = hf_rng_log_uniform(&rng, 1e-2, 1e5);
        double rest = hf_level_at(&level, side, 0.0, 1.0, HF_REGIME_STICK);
        double trial = rest * hf_rng_log_uniform(&rng, 0.1, 100.0);
        hf_slip s = hf_level_slip(&level, side, 1.0, HF_REGIME_STICK, c, trial);
        assert_int_equal(s.slips, trial > rest);
        if (!s.slips) {
            assert_true(s.force == trial && s.speed == 0.0);
            continue;
        }
        slips++;
        assert_true(s.speed > 0.0);
        hf_check_near(c * s.speed + s.force, trial, 4e-15 * trial, "c w + F", "trial force");
        hf_check_near(s.force, hf_level_at(&level, side, s.speed, 1.0, HF_REGIME_STICK),
                      1e-15 * trial, "f", "F(w)");
        // no root between w and trial/c: G stays positive there
        double end = trial / c;
        for (int k = 1; k < 50; k++) {
            double w = s.speed + (end - s.speed) * k / 50.0;
            double g = c * w + hf_level_at(&level, side, w, 1.0, HF_REGIME_STICK) - trial;
            hf_check_below(-g, 1e-14 * trial, "-G beyond the root", "largest root");
        }
    }
    assert_true(slips > 5000);
}

// [Kikuuwe2005] erratum 9: f = (F + D v)/(1 + T D/M) for a Coulomb and viscous level.
static void slip_closed_form(void **state)
{
    (void)state;
    hf_level level = hf_level_coulomb(10.0);
    level.viscous[0] = 100.0;
    double mass = 1.0, step = 1e-3, v = 0.7;
    hf_slip s = hf_level_slip(&level, 0, 1.0, HF_REGIME_SLIP, mass / step, mass * v / step);
    hf_check_near(s.force, (10.0 + 100.0 * v) / (1.0 + step * 100.0 / mass), 1e-13, "f",
                  "Kikuuwe et al. 2005 erratum 9");
}

// Three solutions: stick below the peak, the largest of two slips above it.
static void steep_stribeck_takes_stick_then_the_largest(void **state)
{
    (void)state;
    hf_level level = hf_level_coulomb(1.0);
    level.peak[0] = level.peak[1] = 2.0;
    level.stribeck[0] = level.stribeck[1] = 0.01;
    double c = 10.0; // the curve falls with 86 Ns/m
    hf_slip below = hf_level_slip(&level, 0, 1.0, HF_REGIME_SLIP, c, 1.999);
    assert_false(below.slips); // w = 0.0999 would also do
    hf_slip above = hf_level_slip(&level, 0, 1.0, HF_REGIME_SLIP, c, 2.001);
    assert_true(above.slips);
    hf_check_near(above.speed, 0.1001, 1e-12, "w", "beyond the curve: (trial - Fk)/c");
}

// Where a rational curve is a little steeper than c, near its steepest point: three speeds carry
// the trial force, and the largest is taken.
static void rational_takes_the_largest(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(14);
    int folded = 0;
    for (int i = 0; i < 400; i++) {
        hf_level level = hf_level_coulomb(1.0);
        level.peak[0] = level.peak[1] = hf_rng_uniform(&rng, 1.5, 5.0);
        level.stribeck[0] = level.stribeck[1] = 0.01;
        level.rational = true;
        level.shape = hf_rng_uniform(&rng, 1.5, 6.0);
        enum { COUNT = 4000 };
        const double end = 0.05, dw = end / COUNT;
        double steepest = 0.0;
        for (int k = 0; k < COUNT; k++) {
            double slope = (hf_level_at(&level, 0, (k + 1) * dw, 1.0, HF_REGIME_SLIP) -
                            hf_level_at(&level, 0, k * dw, 1.0, HF_REGIME_SLIP)) /
                           dw;
            steepest = fmax(steepest, -slope);
        }
        // c w + F(w) rises, falls from `high` to `low`, and rises again.
        double c = steepest * hf_rng_uniform(&rng, 0.9, 0.995), high = 0.0, low = 0.0;
        double before = level.peak[0];
        for (int k = 1; k <= COUNT && !(low > 0.0); k++) {
            double now = c * k * dw + hf_level_at(&level, 0, k * dw, 1.0, HF_REGIME_SLIP);
            high = !(high > 0.0) && now < before ? before : high;
            low = high > 0.0 && now > before ? before : low;
            before = now;
        }
        double trial = low + 0.5 * (high - low);
        if (!(low > level.peak[0]) || !(high > low)) {
            continue;
        }
        folded++;
        hf_slip s = hf_level_slip(&level, 0, 1.0, HF_REGIME_SLIP, c, trial);
        assert_true(s.slips);
        for (double w = s.speed + dw; w < end; w += dw) {
            double g = c * w + hf_level_at(&level, 0, w, 1.0, HF_REGIME_SLIP) - trial;
            hf_check_below(-g, 1e-12, "-G beyond the root", "largest root");
        }
    }
    assert_true(folded > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_accepts_what_is_valid),
        cmocka_unit_test(check_names_the_fault),
        cmocka_unit_test(check_tables),
        cmocka_unit_test(values_are_the_formula),
        cmocka_unit_test(static_above_kinetic_depends_on_regime),
        cmocka_unit_test(table_interpolates),
        cmocka_unit_test(slope_is_the_derivative),
        cmocka_unit_test(stribeck_falls_and_viscous_rises),
        cmocka_unit_test(slip_solves_its_equation),
        cmocka_unit_test(slip_closed_form),
        cmocka_unit_test(steep_stribeck_takes_stick_then_the_largest),
        cmocka_unit_test(rational_takes_the_largest),
    };
    return hf_run_tests(tests);
}
