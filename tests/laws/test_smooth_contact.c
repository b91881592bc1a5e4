// SPDX-License-Identifier: Apache-2.0
// Smooth contact: [RobotSimulation2025].
#include "laws_test.h"

static void check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    hf_smooth_contact_def def = hf_smooth_contact_def_default();
    for (int dim = 1; dim <= 3; dim++)
        assert_int_equal(hf_smooth_contact_def_check(&def, dim, &fault), HF_OK);
    const double wrong[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        def = hf_smooth_contact_def_default();
        def.largest_force = wrong[i];
        expect_fault(hf_smooth_contact_def_check(&def, 3, &fault), &fault, "largest_force", NULL,
                     "positive");
        def = hf_smooth_contact_def_default();
        def.thickness = wrong[i];
        expect_fault(hf_smooth_contact_def_check(&def, 3, &fault), &fault, "thickness", NULL,
                     "positive");
        def = hf_smooth_contact_def_default();
        def.threshold = wrong[i];
        expect_fault(hf_smooth_contact_def_check(&def, 3, &fault), &fault, "threshold", NULL,
                     "positive");
    }
    def = hf_smooth_contact_def_default();
    def.damping = -1e-9;
    expect_fault(hf_smooth_contact_def_check(&def, 3, &fault), &fault, "damping", NULL, "zero");
    def = hf_smooth_contact_def_default();
    def.friction = hf_level_coulomb(1.0);
    expect_fault(hf_smooth_contact_def_check(&def, 3, &fault), &fault, "friction", NULL,
                 "coefficient");
}

static hf_smooth_contact_def random_def(hf_rng *rng, double mu)
{
    hf_smooth_contact_def def = hf_smooth_contact_def_default();
    def.largest_force = hf_rng_log_uniform(rng, 1.0, 1e5);
    def.thickness = hf_rng_log_uniform(rng, 1e-5, 0.1);
    def.damping = hf_rng_bool(rng) ? 0.0 : hf_rng_log_uniform(rng, 0.01, 100.0);
    def.clamp = hf_rng_bool(rng);
    def.friction = hf_level_coefficient(mu);
    def.threshold = hf_rng_log_uniform(rng, 1e-4, 1.0);
    return def;
}

// The document's formula; dissipated >= 0, stored' + dissipated = f.v, |ft| <= mu N at random
// states.
static void formula_and_passivity(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(81);
    int seen[3] = {0, 0, 0}, suctions = 0, cuts = 0;
    for (int i = 0; i < 30000; i++) {
        double mu = hf_rng_uniform(&rng, 0.0, 1.5);
        hf_smooth_contact_def def = random_def(&rng, mu);
        int dim = hf_rng_int(&rng, 1, 3);
        double gap[3] = {def.thickness * hf_rng_uniform(&rng, -6.0, 12.0), 9.0, 9.0}, rate[3];
        for (int k = 0; k < 3; k++)
            rate[k] = hf_rng_normal(&rng) * hf_rng_log_uniform(&rng, 1e-5, 10.0);
        evaluation ev =
            evaluate(HF_LAW_SMOOTH_CONTACT, &def, dim, &(hf_law_in){.gap = gap, .rate = rate});
        seen[ev.out.regime]++;
        double a = def.largest_force, x = gap[0] / def.thickness;
        double s = 0.5 * a * (1.0 - tanh(x)), n = s * (1.0 - def.damping * rate[0]);
        cuts += def.clamp && n < 0.0;
        n = def.clamp ? fmax(0.0, n) : n;
        double allowance = 1e-14 * a * (1.0 + def.damping * fabs(rate[0]));
        hf_check_near(-ev.force[0], n, allowance, "N", "Intro to Robot Simulation 2025");
        suctions += ev.force[0] > 0.0;
        assert_true(ev.out.normal == fmax(0.0, -ev.force[0]) && !(def.clamp && ev.force[0] > 0.0));
        double ft = mu * ev.out.normal * tanh(hf_length(dim - 1, rate + 1) / def.threshold);
        hf_check_near(hf_length(dim - 1, ev.force + 1), ft, 1e-14 * ft + 1e-300, "|ft|",
                      "mu N tanh(|v|/w)");
        assert_true(ev.out.stored >= 0.0 && ev.out.dissipated >= 0.0);
        double power = dot(dim, ev.force, rate);
        // The stored energy falls by what the repulsion gives: d stored/dt = -S p'.
        double size = a * fabs(rate[0]) + fabs(power);
        hf_check_near(ev.out.dissipated - s * rate[0], power, 1e-13 * size, "stored' + dissipated",
                      "f.v");
    }
    assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
    assert_true(suctions > 300 && cuts > 300);
}

// The stored energy is the integral of the repulsion, also far outside and deep inside, where
// exponentials overflow and 1 - tanh loses all digits.
static void stored_is_the_integral(void **state)
{
    (void)state;
    hf_smooth_contact_def def = hf_smooth_contact_def_default();
    double a = def.largest_force, d = def.thickness, rate[1] = {0.0};
    const double places[] = {-2000.0, -30.0, -3.0, -0.3, 0.0, 0.7, 4.0, 25.0};
    for (int i = 0; i < 8; i++) {
        double h = 1e-4 * d, stored[2], force = 0.0;
        for (int k = 0; k < 3; k++) {
            double gap[1] = {places[i] * d + (k - 1) * h};
            evaluation ev =
                evaluate(HF_LAW_SMOOTH_CONTACT, &def, 1, &(hf_law_in){.gap = gap, .rate = rate});
            if (k == 1)
                force = -ev.force[0];
            else
                stored[k / 2] = ev.out.stored;
        }
        // central difference: h^2 relative to d^2, and rounding of the stored energy over h
        double allowance = 1e-7 * force + 4e-16 * stored[0] / h;
        hf_check_near((stored[0] - stored[1]) / (2.0 * h), force, allowance, "-d stored/dp", "S");
    }
    double gap[1] = {25.0 * d};
    evaluation ev =
        evaluate(HF_LAW_SMOOTH_CONTACT, &def, 1, &(hf_law_in){.gap = gap, .rate = rate});
    hf_check_near(-ev.force[0], a * exp(-50.0), 1e-14 * a * exp(-50.0), "S at 25 d",
                  "A exp(-2 p/d)");
    gap[0] = 1e6;
    ev = evaluate(HF_LAW_SMOOTH_CONTACT, &def, 1, &(hf_law_in){.gap = gap, .rate = rate});
    assert_true(ev.force[0] == 0.0 && ev.out.stored == 0.0 && ev.out.regime == HF_REGIME_OPEN);
}

// Two dimensions: friction may differ forth and back. At rest there is none. NaN is passed on.
static void friction_of_sides(void **state)
{
    (void)state;
    hf_smooth_contact_def def = hf_smooth_contact_def_default();
    def.friction.kinetic[HF_BACK] = def.friction.peak[HF_BACK] = 0.2;
    double gap[3] = {0.0}, rate[3] = {0.0, 1.0, 0.0};
    hf_law_in in = {.gap = gap, .rate = rate};
    evaluation ev = evaluate(HF_LAW_SMOOTH_CONTACT, &def, 2, &in);
    hf_check_near(ev.force[1], 0.5 * 750.0, 1e-10, "forth", "mu N");
    rate[1] = -1.0;
    ev = evaluate(HF_LAW_SMOOTH_CONTACT, &def, 2, &in);
    hf_check_near(ev.force[1], -0.2 * 750.0, 1e-10, "back", "mu N");
    rate[1] = 0.0;
    ev = evaluate(HF_LAW_SMOOTH_CONTACT, &def, 2, &in);
    assert_true(ev.force[1] == 0.0 && ev.out.regime == HF_REGIME_STICK);
    gap[0] = (double)NAN;
    ev = evaluate(HF_LAW_SMOOTH_CONTACT, &def, 2, &in);
    assert_true(isnan(ev.force[0]));
    rate[1] = (double)NAN;
    ev = evaluate(HF_LAW_SMOOTH_CONTACT, &def, 2, &in);
    assert_true(isnan(ev.force[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_ranges),
        cmocka_unit_test(formula_and_passivity),
        cmocka_unit_test(stored_is_the_integral),
        cmocka_unit_test(friction_of_sides),
    };
    return hf_run_tests(tests);
}
