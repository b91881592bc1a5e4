// SPDX-License-Identifier: Apache-2.0
// Leuven, GMS and Armstrong's seven parameters: each law's strength, and the defect its header
// states.
#include "machine.h"

static const double shares[] = {0.1, 0.2, 0.3, 0.4};
static const double levels[] = {0.15, 0.3, 0.45, 0.6}; // 1.5 N
static const double stiffnesses[] = {4e4, 3e4, 2e4, 1e4};

static hf_leuven_def leuven(double exponent)
{
    return (hf_leuven_def){.level = hf_level_coulomb(1.0),
                           .levels = {levels, 4},
                           .stiffnesses = {stiffnesses, 4},
                           .exponent = exponent,
                           .damping = 100.0};
}

static hf_gms_def gms(void)
{
    return (hf_gms_def){.level = hf_level_coulomb(1.0),
                        .shares = {shares, 4},
                        .stiffnesses = {stiffnesses, 4},
                        .attraction = 20.0,
                        .damping = 100.0};
}

static hf_level stribeck_level(void)
{
    hf_level level = hf_level_coulomb(1.0);
    level.peak[0] = level.peak[1] = 1.5;
    level.stribeck[0] = level.stribeck[1] = 0.01;
    return level;
}

static void check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    hf_leuven_def a = leuven(2.0);
    assert_int_equal(hf_leuven_def_check(&a, 1, &fault), HF_OK);
    a.exponent = 0.5;
    expect_fault(hf_leuven_def_check(&a, 1, &fault), &fault, "exponent", NULL, "at least 1");
    a = leuven(2.0);
    a.level = hf_level_coulomb(2.0);
    expect_fault(hf_leuven_def_check(&a, 1, &fault), &fault, "levels", NULL, "at least the static");
    hf_gms_def b = gms();
    assert_int_equal(hf_gms_def_check(&b, 1, &fault), HF_OK);
    b.shares.values = levels;
    expect_fault(hf_gms_def_check(&b, 1, &fault), &fault, "shares", NULL, "sum to 1");
    b = gms();
    b.attraction = 0.0;
    expect_fault(hf_gms_def_check(&b, 1, &fault), &fault, "attraction", NULL, "positive");
    b = gms();
    b.shares.count = 0;
    expect_fault(hf_gms_def_check(&b, 1, &fault), &fault, "shares", NULL, "at least one");
    hf_armstrong_def c = hf_armstrong_def_default();
    assert_int_equal(hf_armstrong_def_check(&c, 1, &fault), HF_OK);
    c.level.stribeck[1] = 0.0;
    expect_fault(hf_armstrong_def_check(&c, 1, &fault), &fault, "stribeck_velocity", "level",
                 "positive");
    c = hf_armstrong_def_default();
    c.level.shape = 1.0;
    expect_fault(hf_armstrong_def_check(&c, 1, &fault), &fault, "shape", "level", "must be 2");
    c = hf_armstrong_def_default();
    c.lag = -1.0;
    expect_fault(hf_armstrong_def_check(&c, 1, &fault), &fault, "lag", NULL, "zero or");
}

// ------------------------------------------------------------------------------------------------

// Steady sliding at F(v) + D v on both sides, with any step.
static void leuven_slides_at_its_level(void **state)
{
    (void)state;
    hf_leuven_def def = leuven(3.0);
    def.level = stribeck_level();
    def.viscous = 2.0;
    for (int side = 0; side < 2; side++)
        for (double step = 1e-5; step < 1.0; step *= 100.0) {
            double e[4] = {0}, f = 0.0, v = side ? -0.005 : 0.005;
            for (int i = 0; i < (step < 1e-4 ? 20000 : 200); i++)
                f = hf_leuven_step(&def, e, v, step);
            double want = 1.0 + 0.5 * exp(-0.25) + 2.0 * 0.005;
            hf_check_near(f, side ? -want : want, 1e-6, "f in steady sliding", "F(v) + D v");
        }
}

static void leuven_is_passive(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(111);
    for (int i = 0; i < 20000; i++) {
        hf_leuven_def def = leuven(hf_rng_uniform(&rng, 1.0, 10.0));
        def.damping = i % 2 ? 0.0 : 100.0;
        double v = hf_rng_normal(&rng), y[4], spring = 0.0;
        for (int k = 0; k < 4; k++) {
            y[k] = levels[k] / stiffnesses[k] * hf_sat(1.0, hf_rng_normal(&rng));
            spring += stiffnesses[k] * y[k];
        }
        hf_law_in in = {.rate = &v, .y = y, .normal = 1.0};
        evaluation ev = evaluate(HF_LAW_LEUVEN, &def, 1, &in);
        double storing = 0.0;
        for (int k = 0; k < 4; k++)
            storing += stiffnesses[k] * y[k] * ev.dy[k];
        double size = fabs(storing) + fabs(ev.force[0] * v);
        hf_check_near(storing + ev.out.dissipated, ev.force[0] * v, 1e-12 * size,
                      "stored' + dissipated", "f v");
        if (def.damping == 0.0 || fabs(spring) <= 1.0)
            hf_check_below(-ev.out.dissipated, 1e-12 * size, "-dissipated", "passive");
    }
}

// Strength: inner loops close, the memory is not local. Defect: it creeps, less for larger n.
static void leuven_remembers_and_creeps(void **state)
{
    (void)state;
    hf_leuven_def def = leuven(30.0);
    def.damping = 0.0;
    double e[4] = {0}, at[4] = {0};
    const double turns[] = {1e-5, -0.5e-5, 0.5e-5, -0.5e-5}; // inner loop between -0.5 and 0.5
    double x = 0.0;
    for (int t = 0; t < 4; t++) {
        int steps = 2000;
        double dx = (turns[t] - x) / steps;
        for (int i = 0; i < steps; i++)
            at[t] = hf_leuven_step(&def, e, dx / 1e-3, 1e-3);
        x = turns[t];
    }
    hf_check_near(at[3], at[1], 1e-9, "f at the inner loop's end", "its beginning");
    double drift[2];
    for (int r = 0; r < 2; r++) {
        hf_leuven_def creeping = leuven(r == 0 ? 2.0 : 10.0);
        drift[r] = machine_drift(HF_LAW_LEUVEN, &creeping, 0.45, 0.2);
    }
    hf_check_below(1e-6, drift[0], "drift, n = 2", "known defect");
    hf_check_below(fabs(drift[1]), 0.1 * drift[0], "drift, n = 10", "a tenth of n = 2");
}

// ------------------------------------------------------------------------------------------------

// After a step every element of Maxwell-slip is within its bound, on either side by the level
// there.
static void maxwell_slip_ends_on_its_bounds(void **state)
{
    (void)state;
    hf_maxwell_slip_def def = hf_maxwell_slip_def_default();
    def.factor = hf_level_coulomb(1.0);
    def.factor.kinetic[HF_BACK] = def.factor.peak[HF_BACK] = 2.0;
    def.levels = (hf_list){levels, 4};
    def.stiffnesses = (hf_list){stiffnesses, 4};
    for (int signs = 0; signs < 16; ++signs) {
        double y[4];
        for (int k = 0; k < 4; ++k) {
            y[k] = (signs >> k & 1) != 0 ? -1.0 : 1.0; // far beyond
        }
        const double rate = 0.0, gap = 0.0;
        hf_law_in in = {.gap = &gap, .rate = &rate, .y = y, .normal = 1.0};
        hf_law_info_get(HF_LAW_MAXWELL_SLIP)->accept(&def, 1, &in, y);
        for (int k = 0; k < 4; ++k) {
            double want = ((signs >> k & 1) != 0 ? -2.0 : 1.0) * levels[k] / stiffnesses[k];
            hf_check_near(y[k], want, 1e-18, "deflection", "level/stiffness of its side");
        }
    }
}

static void gms_slides_at_its_level(void **state)
{
    (void)state;
    hf_gms_def def = gms();
    def.level = stribeck_level();
    def.viscous = 2.0;
    double want = 1.0 + 0.5 * exp(-0.25) + 2.0 * 0.005;
    for (int side = 0; side < 2; side++) {
        double y[8] = {0}, f = 0.0;
        for (int i = 0; i < 5000; i++)
            f = hf_gms_step(&def, y, side ? -0.005 : 0.005, 1e-3);
        hf_check_near(f, side ? -want : want, 1e-9, "f in steady sliding", "F(v) + D v");
        for (int k = 0; k < 4; k++)
            assert_true(y[4 + k] == (side ? -1.0 : 1.0));
        hf_gms_step(&def, y, side ? 1e-9 : -1e-9, 1e-3); // turned: all stick
        for (int k = 0; k < 4; k++)
            assert_true(y[4 + k] == 0.0);
    }
}

// The law with its accept is the step, to the order of the method.
static void gms_law_is_the_step(void **state)
{
    (void)state;
    hf_gms_def def = gms();
    def.level = stribeck_level();
    def.damping = 0.0; // whose force jumps where an element switches
    const hf_law_info *info = hf_law_info_get(HF_LAW_GMS);
    double y[8] = {0}, alone[8] = {0}, worst = 0.0;
    for (int i = 0; i < 200000; i++) {
        double v = 0.003 * sin(1e-4 * i), step = 1e-5;
        hf_law_in in = {.rate = &v, .y = y, .normal = 1.0};
        evaluation ev = evaluate(HF_LAW_GMS, &def, 1, &in);
        for (int k = 0; k < 8; k++)
            y[k] += step * ev.dy[k];
        info->accept(&def, 1, &in, y);
        double f = hf_gms_step(&def, alone, v, step);
        worst = fmax(worst, fabs(f - ev.force[0]));
    }
    hf_check_below(worst, 5e-3, "largest difference of f", "same law, other integration");
}

// Strength: no drift in presliding, and lag: friction is larger while speed rises than while it
// falls.
static void gms_holds_and_lags(void **state)
{
    (void)state;
    hf_gms_def def = gms();
    // below the first element's level nothing slides
    hf_check_near(machine_drift(HF_LAW_GMS, &def, 0.12, 0.06), 0.0, 1e-12, "drift", "all stick");
    def.level = stribeck_level();
    def.damping = 0.0;
    double rising = 0.0, falling = 0.0, y[8] = {0};
    for (int i = 0; i < 40000; i++) {
        double v = 0.011 - 0.009 * cos(2e-3 * i), f = hf_gms_step(&def, y, v, 1e-5);
        if (i > 20000 && fabs(v - 0.011) < 1e-5)
            *(sin(2e-3 * i) > 0.0 ? &rising : &falling) = f;
    }
    hf_check_below(falling + 1e-3, rising, "force at falling speed", "force at rising speed");
}

// Defect: close to rest a sliding element gives out energy.
static void gms_can_be_active(void **state)
{
    (void)state;
    hf_gms_def def = gms();
    def.damping = 0.0;
    double v = 1e-6, y[8] = {0};
    for (int k = 0; k < 4; k++) {
        y[k] = 0.5 * shares[k] / stiffnesses[k];
        y[4 + k] = 1.0;
    }
    hf_law_in in = {.rate = &v, .y = y, .normal = 1.0};
    hf_check_below(evaluate(HF_LAW_GMS, &def, 1, &in).out.dissipated, -1e-6, "dissipated",
                   "known defect");
}

// ------------------------------------------------------------------------------------------------

static double breakaway_after(const hf_armstrong_def *def, double dwell)
{
    hf_armstrong s = {0};
    double step = 1e-4, f = 0.0, largest = 0.0;
    for (int i = 0; i < 5000; i++) // slide fast, so that the Stribeck part is gone
        hf_armstrong_step(def, &s, 0.5, step);
    assert_true(s.mode == 1.0 && s.deflection == 0.0); // what slides holds no spring
    hf_armstrong_step(def, &s, -1e-9, step);           // stop
    assert_true(s.mode == 0.0);
    for (int i = 0; i < (int)(dwell / step); i++)
        hf_armstrong_step(def, &s, 0.0, step);
    s.deflection = 0.0; // unloaded, then pulled quickly
    for (int i = 0; i < 2000 && s.mode == 0.0; i++) {
        f = hf_armstrong_step(def, &s, 0.01, step);
        if (s.mode == 0.0)
            largest = f;
    }
    return largest;
}

// Strength: the static level rises with the time spent at rest, as S t2/(t2 + dwell).
static void armstrong_static_level_rises(void **state)
{
    (void)state;
    hf_armstrong_def def = hf_armstrong_def_default();
    def.stiffness = 1e4;
    double last = 0.0;
    const double wait[] = {0.01, 0.1, 1.0, 10.0};
    for (int i = 0; i < 4; i++) {
        double f = breakaway_after(&def, wait[i]);
        hf_check_below(last, f, "break-away force", "rises with the dwell time");
        double rest = wait[i] + f / (1e4 * 0.01); // the pull takes time too
        hf_check_near(f, 1.0 + 0.5 * rest / (rest + 0.1), 0.012, "break-away force",
                      "Fc + S t2/(t2 + dwell)");
        last = f;
    }
}

static void armstrong_slides_on_its_curve(void **state)
{
    (void)state;
    hf_armstrong_def def = hf_armstrong_def_default();
    def.dwell = 0.0; // full static level at once
    def.level.viscous[0] = def.level.viscous[1] = 3.0;
    hf_armstrong s = {0};
    double f = 0.0;
    for (int i = 0; i < 5000; i++)
        f = hf_armstrong_step(&def, &s, -0.02, 1e-4);
    hf_check_near(f, -(1.0 + 0.5 / (1.0 + 4.0) + 0.06), 1e-12, "f in steady sliding", "the curve");
    assert_true(s.mode == -1.0);
}

// The Stribeck part follows the velocity of `lag` ago.
static void armstrong_lags(void **state)
{
    (void)state;
    hf_armstrong_def def = hf_armstrong_def_default();
    def.dwell = 0.0;
    def.lag = 0.02;
    for (int r = 0; r < 2; r++) {
        double step = r == 0 ? 1e-4 : 5e-3; // finer and coarser than the samples
        hf_armstrong s = {0};
        for (int i = 0; i < (int)(1.0 / step); i++)
            hf_armstrong_step(&def, &s, 0.01, step);
        double begin = 1.0 + 0.5 / 2.0, end = 1.0 + 0.5 / 17.0, t = 0.0, f = begin;
        while (f > 0.5 * (begin + end) && t < 1.0) {
            f = hf_armstrong_step(&def, &s, 0.04, step);
            t += step;
        }
        hf_check_near(t, 0.02, 1.6e-3 + step, "time at which friction follows a jump", "lag");
        for (int i = 0; i < 100; i++)
            f = hf_armstrong_step(&def, &s, 0.04, step);
        hf_check_near(f, end, 1e-12, "f long after the jump", "the curve");
    }
}

// Defects: the force drops at break-away, and nothing damps the spring in stick.
static void armstrong_jumps_and_rings(void **state)
{
    (void)state;
    hf_armstrong_def def = hf_armstrong_def_default();
    def.dwell = 0.0;
    def.lag = 0.0;
    hf_armstrong s = {0};
    double before = 0.0, after = 0.0;
    for (int i = 0; i < 10000 && s.mode == 0.0; i++) {
        before = after;
        after = hf_armstrong_step(&def, &s, 0.05, 1e-6);
    }
    hf_check_near(before, 1.5, 0.01, "force before break-away", "static level");
    hf_check_near(after, 1.0 + 0.5 / 26.0, 0.01, "force after it", "the curve at 0.05 m/s");
    machine m = machine_of(HF_LAW_ARMSTRONG, &def, 1.0);
    m.v = 1e-3;
    double fastest = 0.0;
    for (int i = 0; i < 50000; i++) {
        machine_step(&m, 0.0, 1e-6);
        if (i > 40000)
            fastest = fmax(fastest, fabs(m.v));
    }
    hf_check_near(fastest, 1e-3, 1e-5, "speed in stick after 0.05 s", "undamped");
}

// The law with its accept is the step.
static void armstrong_law_is_the_step(void **state)
{
    (void)state;
    hf_armstrong_def def = hf_armstrong_def_default();
    const hf_law_info *info = hf_law_info_get(HF_LAW_ARMSTRONG);
    assert_int_equal(info->state_count(&def, 1), sizeof(hf_armstrong) / sizeof(double));
    double y[64] = {0}, step = 1e-4;
    hf_armstrong s = {0};
    int sliding = 0, differ = 0;
    for (int i = 0; i < 50000; i++) {
        double v = 0.01 * sin(2e-4 * i);
        double f = hf_armstrong_step(&def, &s, v, step);
        hf_law_in in = {.rate = &v, .y = y, .normal = 1.0, .step = step};
        evaluation ev = evaluate(HF_LAW_ARMSTRONG, &def, 1, &in);
        y[0] += step * ev.dy[0];
        info->accept(&def, 1, &in, y);
        sliding += s.mode != 0.0;
        differ += fabs(f - ev.force[0]) > 0.11; // within one step's motion
        hf_check_near(y[1], s.mode, 0.0, "mode", "step");
    }
    assert_true(sliding > 10000 && sliding < 50000);
    assert_true(differ < 50); // only where it switches
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maxwell_slip_ends_on_its_bounds),
        cmocka_unit_test(check_ranges),
        cmocka_unit_test(leuven_slides_at_its_level),
        cmocka_unit_test(leuven_is_passive),
        cmocka_unit_test(leuven_remembers_and_creeps),
        cmocka_unit_test(gms_slides_at_its_level),
        cmocka_unit_test(gms_law_is_the_step),
        cmocka_unit_test(gms_holds_and_lags),
        cmocka_unit_test(gms_can_be_active),
        cmocka_unit_test(armstrong_static_level_rises),
        cmocka_unit_test(armstrong_slides_on_its_curve),
        cmocka_unit_test(armstrong_lags),
        cmocka_unit_test(armstrong_jumps_and_rings),
        cmocka_unit_test(armstrong_law_is_the_step),
    };
    return hf_run_tests(tests);
}
