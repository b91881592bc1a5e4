// SPDX-License-Identifier: Apache-2.0
// Parallel elements: compound law, its fit, Maxwell-slip.
#include "machine.h"

static const double levels[] = {1.0, 2.0, 3.0};
static const double stiffnesses[] = {3e4, 2e4, 1e4};
static const double dampings[] = {5.0, 10.0, 20.0};

static hf_compound_def compound(void)
{
    return (hf_compound_def){.levels = {levels, 3},
                             .stiffnesses = {stiffnesses, 3},
                             .dampings = {dampings, 3},
                             .factor = hf_level_coulomb(1.0)};
}

static hf_maxwell_slip_def maxwell(void)
{
    return (hf_maxwell_slip_def){
        .levels = {levels, 3}, .stiffnesses = {stiffnesses, 3}, .factor = hf_level_coulomb(1.0)};
}

static void check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    double none[] = {0.0, 0.0, 0.0}, bad[] = {1.0, -1.0, 1.0};
    hf_compound_def def = compound();
    assert_int_equal(hf_compound_def_check(&def, 3, &fault), HF_OK);
    def.levels.values = none;
    expect_fault(hf_compound_def_check(&def, 1, &fault), &fault, "levels", NULL, "sum to nothing");
    def.levels.values = bad;
    expect_fault(hf_compound_def_check(&def, 1, &fault), &fault, "levels", NULL,
                 "zero or positive");
    def.levels = (hf_list){NULL, 0};
    expect_fault(hf_compound_def_check(&def, 1, &fault), &fault, "levels", NULL, "at least one");
    def = compound();
    def.stiffnesses.count = 2;
    expect_fault(hf_compound_def_check(&def, 1, &fault), &fault, "stiffnesses", NULL, "one number");
    def = compound();
    def.stiffnesses.values = none;
    expect_fault(hf_compound_def_check(&def, 1, &fault), &fault, "stiffnesses", NULL, "positive");
    def = compound();
    def.dampings.values = bad;
    expect_fault(hf_compound_def_check(&def, 1, &fault), &fault, "dampings", NULL, "zero or");
    def.dampings.count = 1;
    expect_fault(hf_compound_def_check(&def, 1, &fault), &fault, "dampings", NULL, "or none");
    def = compound();
    def.factor.peak[0] = def.factor.peak[1] = 2.0;
    expect_fault(hf_compound_def_check(&def, 1, &fault), &fault, "static", "factor", "Stribeck");
    hf_maxwell_slip_def slip = maxwell();
    assert_int_equal(hf_maxwell_slip_def_check(&slip, 2, &fault), HF_OK);
    slip.stiffnesses.values = bad;
    expect_fault(hf_maxwell_slip_def_check(&slip, 2, &fault), &fault, "stiffnesses", NULL,
                 "positive");
    const hf_law_info *info = hf_law_info_get(HF_LAW_COMPOUND);
    def = compound();
    assert_true(info->admits(&def, 0.0));
    def.dampings.count = 0;
    assert_false(info->admits(&def, 0.0));
    assert_int_equal(info->state_count(&def, 2), 6);
}

// The compound is the sum of its elements, in any dimension, with any factor.
static void compound_is_the_sum(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(91);
    for (int i = 0; i < 5000; i++) {
        int dim = hf_rng_int(&rng, 1, 3);
        hf_compound_def def = compound();
        double normal = 1.0;
        if (i % 3 == 1) {
            def.factor.peak[0] = def.factor.peak[1] = 1.5;
            def.factor.stribeck[0] = def.factor.stribeck[1] = 0.1;
            def.factor.viscous[0] = def.factor.viscous[1] = 0.3;
        }
        if (i % 3 == 2) {
            def.factor.per_normal = true;
            normal = hf_rng_uniform(&rng, 0.0, 3.0);
        }
        double v[3], y[9], want[3] = {0.0, 0.0, 0.0}, stored = 0.0, dissipated = 0.0;
        for (int k = 0; k < dim; k++)
            v[k] = 0.2 * hf_rng_normal(&rng);
        for (int k = 0; k < 3 * dim; k++)
            y[k] = 1e-4 * hf_rng_normal(&rng);
        hf_law_in in = {.rate = v, .y = y, .normal = normal, .tau = 1e-4, .regime = HF_REGIME_SLIP};
        evaluation ev = evaluate(HF_LAW_COMPOUND, &def, dim, &in);
        for (int e = 0; e < 3; e++) {
            hf_stiction_def one = {
                .level = def.factor, .stiffness = stiffnesses[e], .damping = dampings[e]};
            for (int side = 0; side < 2; side++) {
                one.level.kinetic[side] *= levels[e];
                one.level.peak[side] *= levels[e];
                one.level.viscous[side] *= levels[e];
            }
            in.y = y + e * dim;
            evaluation part = evaluate(HF_LAW_STICTION, &one, dim, &in);
            stored += part.out.stored;
            dissipated += part.out.dissipated;
            for (int k = 0; k < dim; k++) {
                want[k] += part.force[k];
                hf_check_near(ev.dy[e * dim + k], part.dy[k], 1e-12, "e'", "one element");
            }
        }
        hf_check_near_array(ev.force, want, dim, 1e-12, "f", "sum of elements");
        hf_check_near(ev.out.stored, stored, 1e-15, "stored", "sum of elements");
        hf_check_near(ev.out.dissipated, dissipated, 1e-11, "dissipated", "sum of elements");
        assert_true(ev.out.dissipated >= 0.0);
    }
}

static double virgin(double x)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += hf_sat(levels[i], stiffnesses[i] * x);
    return sum;
}

// Virgin curve, then Masing's rule: f - f_turn = -+2 virgin(|x - x_turn|/2).
static void maxwell_follows_masing(void **state)
{
    (void)state;
    hf_maxwell_slip_def def = maxwell();
    double e[3] = {0.0, 0.0, 0.0}, f = 0.0, dx = 1e-7, turn = 0.0;
    for (int i = 1; i <= 2000; i++) {
        f = hf_maxwell_slip_step(&def, e, dx);
        hf_check_near(f, virgin(i * dx), 1e-9, "f on the virgin curve", "sum of elements");
    }
    turn = f;
    for (int i = 1; i <= 3000; i++) {
        f = hf_maxwell_slip_step(&def, e, -dx);
        hf_check_near(f, turn - 2.0 * virgin(0.5 * i * dx), 1e-9, "f after the turn", "Masing");
    }
}

// Rate-independent: one big step and many small ones end alike, and so does the law with tau = T.
static void maxwell_has_no_clock(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(92);
    hf_maxwell_slip_def def = maxwell();
    double big[3] = {0}, small[3] = {0}, y[3] = {0};
    for (int leg = 0; leg < 200; leg++) {
        double dx = 2e-4 * hf_rng_normal(&rng), f = hf_maxwell_slip_step(&def, big, dx), g = 0.0;
        for (int i = 0; i < 10; i++)
            g = hf_maxwell_slip_step(&def, small, dx / 10);
        hf_check_near(g, f, 1e-11, "f in ten steps", "f in one");
        double v = dx / 0.01;
        hf_law_in in = {.rate = &v, .y = y, .normal = 1.0, .tau = 0.01};
        evaluation ev = evaluate(HF_LAW_MAXWELL_SLIP, &def, 1, &in);
        for (int k = 0; k < 3; k++)
            y[k] += 0.01 * ev.dy[k];
        hf_check_near(ev.force[0], f, 1e-10, "f of the law with tau = T", "f in one step");
    }
}

// tau = 0: the elements stay on their bounds thanks to accept.
static void maxwell_without_look_ahead(void **state)
{
    (void)state;
    hf_maxwell_slip_def def = maxwell();
    const hf_law_info *info = hf_law_info_get(HF_LAW_MAXWELL_SLIP);
    double y[3] = {0}, exact[3] = {0}, x = 0.0, last = 0.0;
    for (int i = 0; i < 20000; i++) {
        double v = 0.05 * cos(2e-3 * i), step = 1e-5;
        hf_law_in in = {.rate = &v, .y = y, .normal = 1.0};
        evaluation ev = evaluate(HF_LAW_MAXWELL_SLIP, &def, 1, &in);
        assert_true(ev.out.dissipated >= 0.0);
        for (int k = 0; k < 3; k++)
            y[k] += step * ev.dy[k];
        info->accept(&def, 1, &in, y);
        x += step * v;
        last = hf_maxwell_slip_step(&def, exact, step * v);
        double f = 0.0;
        for (int k = 0; k < 3; k++)
            f += stiffnesses[k] * y[k];
        hf_check_near(f, last, 1e-9, "f", "exact path");
    }
    assert_true(fabs(last) > 1.0 && fabs(x) < 1.0);
}

// Strength: neither drifts. Defect of Maxwell-slip: nothing damps it in stick.
static void maxwell_holds_but_rings(void **state)
{
    (void)state;
    hf_compound_def damped = compound();
    hf_maxwell_slip_def plain = maxwell();
    hf_check_near(machine_drift(HF_LAW_COMPOUND, &damped, 3.0, 1.5), 0.0, 1e-9, "drift: compound",
                  "no drift");
    double ringing[2];
    for (int law = 0; law < 2; law++) {
        machine m = law == 0 ? machine_of(HF_LAW_COMPOUND, &damped, 1.0)
                             : machine_of(HF_LAW_MAXWELL_SLIP, &plain, 1.0);
        m.v = 1e-3; // stays below the first level: 1e-3 sqrt(6e4) N = 0.24 N in all
        ringing[law] = 0.0;
        for (int i = 0; i < 40000; i++) {
            machine_step(&m, 0.0, 1e-5);
            if (i > 35000)
                ringing[law] = fmax(ringing[law], fabs(m.v));
        }
    }
    hf_check_below(ringing[0], 1e-5, "speed of the compound after 0.4 s", "damped");
    hf_check_below(0.99e-3, ringing[1], "speed under Maxwell-slip after 0.4 s", "undamped");
}

// ------------------------------------------------------------------------------------------------

static void fit_meets_concave_curves(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(93);
    for (int run = 0; run < 500; run++) {
        int n = hf_rng_int(&rng, 1, 8);
        double x[8], f[8], level[8], stiffness[8], slope = 1e5, px = 0.0, pf = 0.0;
        for (int i = 0; i < n; i++) {
            slope *= hf_rng_uniform(&rng, 0.2, 0.9);
            double dx = hf_rng_log_uniform(&rng, 1e-6, 1e-4);
            x[i] = px += dx;
            f[i] = pf += slope * dx;
        }
        hf_compound_fit fit;
        hf_fault fault;
        assert_int_equal(hf_compound_fit_curve(n, x, f, level, stiffness, &fit, &fault), HF_OK);
        assert_int_equal(fit.count, n);
        hf_check_below(fit.deviation, 1e-12 * f[n - 1], "deviation", "concave curve");
        double sum = 0.0, total = 0.0;
        for (int i = 0; i < n; i++) {
            assert_true(level[i] > 0.0 && stiffness[i] > 0.0);
            sum += level[i];
            total += stiffness[i];
        }
        hf_check_near(sum, f[n - 1], 1e-12 * f[n - 1], "sum of levels", "last force");
        hf_check_near(total, f[0] / x[0], 1e-12 * total, "sum of stiffnesses", "first slope");
    }
}

// The fitted elements come back from their own virgin curve, and drive the law.
static void fit_round_trip(void **state)
{
    (void)state;
    double x[3], f[3], level[3], stiffness[3];
    for (int i = 0; i < 3; i++) {
        x[i] = levels[i] / stiffnesses[i];
        f[i] = virgin(x[i]);
    }
    hf_compound_fit fit;
    hf_fault fault;
    assert_int_equal(hf_compound_fit_curve(3, x, f, level, stiffness, &fit, &fault), HF_OK);
    assert_int_equal(fit.count, 3);
    hf_check_near_array(level, levels, 3, 1e-12, "levels", "what made the curve");
    hf_check_near_array(stiffness, stiffnesses, 3, 1e-8, "stiffnesses", "what made the curve");
}

static void fit_of_other_curves(void **state)
{
    (void)state;
    double level[4], stiffness[4];
    hf_compound_fit fit;
    hf_fault fault;
    // a dent at 2: bridged from 1 to 3
    double x[] = {1.0, 2.0, 3.0, 4.0}, dent[] = {4.0, 4.5, 7.0, 7.0};
    assert_int_equal(hf_compound_fit_curve(4, x, dent, level, stiffness, &fit, &fault), HF_OK);
    assert_int_equal(fit.count, 2);
    hf_check_near(fit.deviation, 1.0, 1e-12, "deviation", "4 + 1.5 - 4.5");
    hf_check_near(level[0] + level[1], 7.0, 1e-12, "sum of levels", "last force");
    double fall[] = {4.0, 3.0, 5.0, 6.0}, zero[] = {0.0, 0.0, 0.0, 0.0},
           back[] = {1.0, 1.0, 2.0, 3.0};
    expect_fault(hf_compound_fit_curve(4, x, fall, level, stiffness, &fit, &fault), &fault,
                 "forces", NULL, "must not fall");
    expect_fault(hf_compound_fit_curve(4, x, zero, level, stiffness, &fit, &fault), &fault,
                 "forces", NULL, "all zero");
    expect_fault(hf_compound_fit_curve(4, back, dent, level, stiffness, &fit, &fault), &fault,
                 "displacements", NULL, "rise");
    expect_fault(hf_compound_fit_curve(0, x, dent, level, stiffness, &fit, &fault), &fault,
                 "displacements", NULL, "at least one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_ranges),
        cmocka_unit_test(compound_is_the_sum),
        cmocka_unit_test(maxwell_follows_masing),
        cmocka_unit_test(maxwell_has_no_clock),
        cmocka_unit_test(maxwell_without_look_ahead),
        cmocka_unit_test(maxwell_holds_but_rings),
        cmocka_unit_test(fit_meets_concave_curves),
        cmocka_unit_test(fit_round_trip),
        cmocka_unit_test(fit_of_other_curves),
    };
    return hf_run_tests(tests);
}
