// SPDX-License-Identifier: Apache-2.0
// The stiction element: ranges, closed forms, passivity, bounds.
#include "laws_test.h"

static hf_stiction_def random_def(hf_rng *rng, int dim)
{
    hf_stiction_def def = hf_stiction_def_default();
    def.level = dim == 1 ? random_sided_level(rng) : random_level(rng);
    def.stiffness = hf_rng_log_uniform(rng, 1e2, 1e7);
    def.damping = hf_rng_bool(rng) ? hf_rng_log_uniform(rng, 1e-1, 1e3) : 0.0;
    return def;
}

static void check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    hf_stiction_def def = hf_stiction_def_default();
    assert_int_equal(hf_stiction_def_check(&def, 3, &fault), HF_OK);
    def.stiffness = 0.0;
    expect_fault(hf_stiction_def_check(&def, 1, &fault), &fault, "stiffness", NULL, "positive");
    def.stiffness = (double)NAN;
    expect_fault(hf_stiction_def_check(&def, 1, &fault), &fault, "stiffness", NULL, "positive");
    def = hf_stiction_def_default();
    def.damping = -1.0;
    expect_fault(hf_stiction_def_check(&def, 1, &fault), &fault, "damping", NULL, "zero or");
    def = hf_stiction_def_default();
    def.level.peak[1] = 0.5;
    expect_fault(hf_stiction_def_check(&def, 1, &fault), &fault, "static", "level",
                 "below kinetic");
    def = hf_stiction_def_default();
    assert_true(hf_stiction_admits(&def, 0.0));
    def.damping = 0.0;
    assert_false(hf_stiction_admits(&def, 0.0));
    assert_true(hf_stiction_admits(&def, 1e-4));
}

// |f| <= F, dissipated >= 0, power balance, e' = v to the bit in stick: 1 to 3 dimensions.
static void passive_and_bounded(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(21);
    int stuck = 0, slipping = 0;
    for (int i = 0; i < 30000; i++) {
        int dim = hf_rng_int(&rng, 1, 3);
        hf_stiction_def def = random_def(&rng, dim);
        double tau =
            def.damping == 0.0 || hf_rng_bool(&rng) ? hf_rng_log_uniform(&rng, 1e-6, 1e-2) : 0.0;
        double c = def.damping + tau * def.stiffness;
        double v[3], e[3];
        double scale = hf_rng_log_uniform(&rng, 0.01, 10.0) * def.level.peak[0];
        for (int k = 0; k < dim; k++) {
            v[k] = hf_rng_normal(&rng) * scale / c;
            e[k] = hf_rng_normal(&rng) * scale / def.stiffness;
        }
        hf_law_in in = {.rate = v, .y = e, .normal = 1.0, .tau = tau, .regime = HF_REGIME_STICK};
        evaluation ev = evaluate(HF_LAW_STICTION, &def, dim, &in);
        double slip[3], trial[3];
        for (int k = 0; k < dim; k++) {
            slip[k] = v[k] - ev.dy[k];
            trial[k] = c * v[k] + def.stiffness * e[k];
        }
        double w = hf_length(dim, slip), f = hf_length(dim, ev.force), t = hf_length(dim, trial);
        int side = dim == 1 && trial[0] < 0.0 ? HF_BACK : HF_FORTH;
        double rest = hf_level_at(&def.level, side, 0.0, 1.0, HF_REGIME_STICK);
        double level = ev.out.regime == HF_REGIME_STICK
                           ? rest
                           : hf_level_at(&def.level, side, w, 1.0, HF_REGIME_STICK);
        hf_check_below(f, level * (1.0 + 1e-9) + 1e-12 * t, "|f|", "level");
        if (ev.out.regime == HF_REGIME_STICK) {
            stuck++;
            assert_true(t <= rest * (1.0 + 1e-15));
            for (int k = 0; k < dim; k++)
                hf_check_same_bits(ev.dy[k], v[k], "e' in stick");
        } else {
            slipping++;
            hf_check_below(-dot(dim, ev.force, slip), 1e-12 * f * w, "-f.(v - e')", "dissipation");
        }
        assert_true(ev.out.dissipated >= 0.0);
        // f.v = (1/2 K e^2)' + dissipated
        double power = dot(dim, ev.force, v);
        double storing = def.stiffness * dot(dim, e, ev.dy);
        double size = f * hf_length(dim, v) + fabs(storing) + ev.out.dissipated;
        hf_check_near(storing + ev.out.dissipated, power, 1e-9 * size, "stored' + dissipated",
                      "power f.v");
        hf_check_near(ev.out.stored, 0.5 * def.stiffness * dot(dim, e, e), 1e-15 * ev.out.stored,
                      "stored", "1/2 K e^2");
    }
    assert_true(stuck > 3000 && slipping > 3000);
}

// Asymmetric levels: upper +F_forth, lower -F_back.
static void asymmetric_bounds(void **state)
{
    (void)state;
    hf_stiction_def def = {.level = hf_level_coulomb(2.0), .stiffness = 1e3, .damping = 1.0};
    def.level.kinetic[HF_BACK] = def.level.peak[HF_BACK] = 3.0;
    double v = 100.0, e = 0.0;
    hf_law_in in = {.rate = &v, .y = &e, .normal = 1.0};
    assert_true(evaluate(HF_LAW_STICTION, &def, 1, &in).force[0] == 2.0);
    v = -100.0;
    assert_true(evaluate(HF_LAW_STICTION, &def, 1, &in).force[0] == -3.0);
    assert_int_equal(evaluate(HF_LAW_STICTION, &def, 1, &in).out.regime, HF_REGIME_SLIP);
}

// [Kikuuwe2008] (14): f(k) = sat(F, (B + T K) v + K e), e(k) = (B e + T f)/(B + T K).
static void step_is_kikuuwe_2008_14(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(22);
    for (int run = 0; run < 50; run++) {
        double level = hf_rng_log_uniform(&rng, 0.1, 10.0);
        hf_stiction_def def = {.level = hf_level_coulomb(level),
                               .stiffness = hf_rng_log_uniform(&rng, 1e3, 1e6),
                               .damping = hf_rng_log_uniform(&rng, 0.1, 100.0)};
        double step = 1e-3, k = def.stiffness, b = def.damping;
        int dim = hf_rng_int(&rng, 1, 3);
        hf_stiction element = {0};
        double want[3] = {0}, v[3], f[3], reference[3];
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < dim; j++)
                v[j] = 3.0 * level / (b + step * k) * hf_rng_normal(&rng);
            for (int j = 0; j < dim; j++)
                reference[j] = (b + step * k) * v[j] + k * want[j];
            hf_sat_n(level, dim, reference, reference);
            for (int j = 0; j < dim; j++)
                want[j] = (b * want[j] + step * reference[j]) / (b + step * k);
            hf_stiction_step_n(&def, &element, dim, v, 1.0, step, f);
            hf_check_near_array(f, reference, dim, 1e-12 * level, "f(k)",
                                "Kikuuwe and Yamamoto 2008 (14a)");
            hf_check_near_array(element.e, want, dim, 1e-12 * level / k, "e(k)",
                                "Kikuuwe and Yamamoto 2008 (14b)");
        }
    }
}

static void scalar_step_is_vector_step(void **state)
{
    (void)state;
    hf_stiction_def def = hf_stiction_def_default();
    hf_stiction a = {0}, b = {0};
    for (int i = 0; i < 1000; i++) {
        double v = 1e-3 * sin(0.02 * i), f;
        hf_stiction_step_n(&def, &b, 1, &v, 1.0, 1e-3, &f);
        hf_check_same_bits(hf_stiction_step(&def, &a, v, 1e-3), f, "f");
    }
}

// [Xiong2013] (18) is the same element with tau = 0 and beta = B/K.
static void tau_zero_is_xiong_2013_18(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(23);
    for (int i = 0; i < 2000; i++) {
        double level = 2.0, k = hf_rng_log_uniform(&rng, 1e2, 1e6), beta = 2e-3;
        hf_stiction_def def = {
            .level = hf_level_coulomb(level), .stiffness = k, .damping = k * beta};
        double v = hf_rng_normal(&rng) * level / (k * beta), a = hf_rng_normal(&rng) * level / k;
        hf_law_in in = {.rate = &v, .y = &a, .normal = 1.0};
        evaluation ev = evaluate(HF_LAW_STICTION, &def, 1, &in);
        double s = hf_sat(level / k, a + beta * v);
        hf_check_near(ev.force[0], k * s, 1e-14 * level, "f", "Xiong et al. 2013 (18b)");
        hf_check_near(ev.dy[0], (s - a) / beta, 1e-13 * fabs(a + beta * v) / beta, "a'",
                      "Xiong et al. 2013 (18a)");
    }
}

// In slip at constant velocity e tends to F/K as exp(-K t/B): [Xiong2013] (18a) solved.
static void slip_transient_closed_form(void **state)
{
    (void)state;
    hf_stiction_def def = {.level = hf_level_coulomb(2.0), .stiffness = 1e3, .damping = 10.0};
    double e = 0.0, v = 5.0, step = 1e-5;
    for (int i = 0; i < 2000; i++) { // classical Runge-Kutta on e' alone
        double slope[4], stage = e;
        for (int r = 0; r < 4; r++) {
            hf_law_in in = {.rate = &v, .y = &stage, .normal = 1.0};
            slope[r] = evaluate(HF_LAW_STICTION, &def, 1, &in).dy[0];
            stage = e + step * (r == 2 ? 1.0 : 0.5) * slope[r];
        }
        e += step / 6.0 * (slope[0] + 2.0 * slope[1] + 2.0 * slope[2] + slope[3]);
    }
    double want = 2e-3 * (1.0 - exp(-1e3 * 2000 * step / 10.0));
    hf_check_near(e, want, 1e-16, "e(0.02)", "closed form");
}

// Holding under a load below the level: no drift, whatever the ripple.
static void no_drift_in_stick(void **state)
{
    (void)state;
    hf_stiction_def def = {.level = hf_level_coulomb(0.5), .stiffness = 5e3, .damping = 10.0};
    hf_stiction element = {0};
    double x = 0.0, v = 0.0, step = 1e-4, mean[2] = {0.0, 0.0};
    int settled = 120, end = 160, samples = 625; // steps a period
    double omega = 2.0 * acos(-1.0) / (samples * step);
    for (int i = 0; i < end * samples; i++) {
        double load = 0.336 + 0.144 * cos(omega * i * step);
        v += step * (load - hf_stiction_step(&def, &element, v, step));
        x += step * v;
        int period = i / samples;
        if (period == settled)
            mean[0] += x / samples;
        if (period == end - 1)
            mean[1] += x / samples;
    }
    hf_check_near(mean[1], mean[0], 1e-15, "mean of x over the last period", "no drift");
}

// Static above kinetic: break-away at the peak, sliding at the kinetic level, caught again below
// it.
static void static_above_kinetic(void **state)
{
    (void)state;
    hf_stiction_def def = {.level = hf_level_coulomb(1.0), .stiffness = 1e4, .damping = 10.0};
    def.level.peak[0] = def.level.peak[1] = 1.5;
    hf_stiction element = {0};
    double largest = 0.0, last = 0.0;
    for (int i = 0; i < 400; i++) {
        last = hf_stiction_step(&def, &element, 1e-3, 1e-3);
        largest = fmax(largest, last);
    }
    hf_check_near(largest, 1.5, 0.02, "largest force", "static level");
    hf_check_near(last, 1.0, 1e-12, "force in sliding", "kinetic level");
    assert_int_equal(element.regime, HF_REGIME_SLIP);
    hf_stiction_step(&def, &element, -1e-4, 1e-3);
    assert_int_equal(element.regime, HF_REGIME_STICK);
}

static void open_without_normal_force(void **state)
{
    (void)state;
    hf_stiction_def def = {.level = hf_level_coefficient(0.5), .stiffness = 1e4, .damping = 10.0};
    double v[2] = {1.0, 2.0}, e[2] = {1e-3, 0.0};
    hf_law_in in = {.rate = v, .y = e, .normal = 0.0, .tau = 1e-3};
    evaluation ev = evaluate(HF_LAW_STICTION, &def, 2, &in);
    assert_int_equal(ev.out.regime, HF_REGIME_OPEN);
    assert_true(ev.force[0] == 0.0 && ev.force[1] == 0.0);
    hf_check_near(ev.dy[0], -1e4 * 1e-3 / (10.0 + 1e-3 * 1e4), 1e-15, "e'", "relaxation");
    in.normal = 4.0;
    ev = evaluate(HF_LAW_STICTION, &def, 2, &in);
    assert_int_equal(ev.out.regime, HF_REGIME_SLIP);
    hf_check_near(hf_length(2, ev.force), 2.0, 1e-15, "|f|", "mu N");
}

// B = 0 and tau = 0: the stop operator; finite everywhere, passive.
static void algebraic_element_is_finite(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(24);
    for (int i = 0; i < 5000; i++) {
        hf_stiction_def def = {.level = hf_level_coulomb(i % 7 == 0 ? 0.0 : 1.0), .stiffness = 1e3};
        int dim = hf_rng_int(&rng, 1, 3);
        double v[3], e[3];
        for (int k = 0; k < dim; k++) {
            v[k] = hf_rng_normal(&rng);
            e[k] = i % 11 == 0 ? 0.0 : 1e-3 * hf_rng_normal(&rng);
        }
        hf_law_in in = {.rate = v, .y = e, .normal = 1.0};
        evaluation ev = evaluate(HF_LAW_STICTION, &def, dim, &in);
        hf_check_below(hf_length(dim, ev.force), def.level.peak[0] * (1.0 + 1e-15), "|f|", "level");
        assert_true(ev.out.dissipated >= 0.0);
        for (int k = 0; k < dim; k++)
            assert_true(isfinite(ev.dy[k]));
        if (hf_length(dim, e) < 0.999e-3 && def.level.peak[0] > 0.0) {
            hf_check_same_bits(ev.dy[0], v[0], "e' inside the bound");
            hf_check_near(ev.force[0], 1e3 * e[0], 1e-15, "f", "K e");
        }
    }
}

static void not_a_number_is_not_hidden(void **state)
{
    (void)state;
    hf_stiction_def def = hf_stiction_def_default();
    double v[3] = {(double)NAN, 0.0, 0.0}, e[3] = {0.0, 0.0, 0.0};
    for (int dim = 1; dim <= 3; dim++) {
        hf_law_in in = {.rate = v, .y = e, .normal = 1.0};
        evaluation ev = evaluate(HF_LAW_STICTION, &def, dim, &in);
        assert_true(isnan(ev.force[0]) && isnan(ev.dy[0]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_ranges),
        cmocka_unit_test(passive_and_bounded),
        cmocka_unit_test(asymmetric_bounds),
        cmocka_unit_test(step_is_kikuuwe_2008_14),
        cmocka_unit_test(scalar_step_is_vector_step),
        cmocka_unit_test(tau_zero_is_xiong_2013_18),
        cmocka_unit_test(slip_transient_closed_form),
        cmocka_unit_test(no_drift_in_stick),
        cmocka_unit_test(static_above_kinetic),
        cmocka_unit_test(open_without_normal_force),
        cmocka_unit_test(algebraic_element_is_finite),
        cmocka_unit_test(not_a_number_is_not_hidden),
    };
    return hf_run_tests(tests);
}
