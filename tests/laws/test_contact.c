// SPDX-License-Identifier: Apache-2.0
// Contact, spring and penalty joint.
#include "laws_test.h"

static void contact_check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    hf_contact_def def = hf_contact_def_default();
    assert_int_equal(hf_contact_def_check(&def, 3, &fault), HF_OK);
    def.stiffness = 0.0;
    expect_fault(hf_contact_def_check(&def, 3, &fault), &fault, "stiffness", NULL, "positive");
    def = hf_contact_def_default();
    def.tangent_stiffness = -1.0;
    expect_fault(hf_contact_def_check(&def, 3, &fault), &fault, "tangent_stiffness", NULL, "zero");
    def = hf_contact_def_default();
    def.tangent_damping = (double)NAN;
    expect_fault(hf_contact_def_check(&def, 3, &fault), &fault, "tangent_damping", NULL, "zero");
    def = hf_contact_def_default();
    def.friction = hf_level_coulomb(1.0);
    expect_fault(hf_contact_def_check(&def, 3, &fault), &fault, "friction", NULL, "coefficient");
    def.friction = hf_level_coefficient(0.3);
    def.friction.kinetic[1] = 0.2;
    expect_fault(hf_contact_def_check(&def, 3, &fault), &fault, "kinetic", "friction", "forth");
}

// N >= 0, |ft| <= mu N, dissipated >= 0, power balance, over random states.
static void contact_is_passive(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(51);
    int seen[3] = {0, 0, 0};
    for (int i = 0; i < 30000; i++) {
        double mu = hf_rng_uniform(&rng, 0.0, 1.5);
        hf_contact_def def = {.stiffness = hf_rng_log_uniform(&rng, 1e3, 1e7),
                              .damping = hf_rng_log_uniform(&rng, 0.1, 1e3),
                              .friction = hf_level_coefficient(mu)};
        if (hf_rng_bool(&rng)) {
            def.tangent_stiffness = 0.3 * def.stiffness;
            def.tangent_damping = 2.0 * def.damping;
        }
        double kt = def.tangent_stiffness > 0.0 ? def.tangent_stiffness : def.stiffness;
        double gap[3] = {hf_rng_normal(&rng) * 1e-3, 9.0, 9.0}, rate[3], e[2];
        for (int k = 0; k < 3; k++)
            rate[k] = hf_rng_normal(&rng) * hf_rng_log_uniform(&rng, 1e-5, 10.0);
        double scale = mu * def.stiffness * fabs(gap[0]) / kt * hf_rng_log_uniform(&rng, 0.01, 2.0);
        for (int k = 0; k < 2; k++)
            e[k] = hf_rng_normal(&rng) * scale;
        hf_law_in in = {.gap = gap, .rate = rate, .y = e, .tau = i % 2 ? 1e-4 : 0.0};
        evaluation ev = evaluate(HF_LAW_CONTACT, &def, 3, &in);
        seen[ev.out.regime]++;
        assert_true(ev.force[0] <= 0.0 && ev.out.normal == -ev.force[0]);
        if (gap[0] >= 0.0)
            assert_true(ev.force[0] == 0.0);
        if (ev.out.normal == 0.0)
            assert_int_equal(ev.out.regime, HF_REGIME_OPEN);
        hf_check_below(hf_length(2, ev.force + 1), mu * ev.out.normal * (1.0 + 1e-14), "|ft|",
                       "mu N");
        assert_true(ev.out.dissipated >= 0.0);
        double storing = kt * dot(2, e, ev.dy);
        double spring = gap[0] < 0.0 ? def.stiffness * gap[0] * rate[0] : 0.0;
        double power = dot(3, ev.force, rate);
        double size = fabs(storing) + fabs(spring) + fabs(power) + ev.out.dissipated;
        hf_check_near(storing + spring + ev.out.dissipated, power, 1e-11 * size,
                      "stored' + dissipated", "f.v");
        double stored =
            0.5 * kt * dot(2, e, e) + (gap[0] < 0.0 ? 0.5 * def.stiffness * gap[0] * gap[0] : 0.0);
        hf_check_near(ev.out.stored, stored, 1e-14 * stored, "stored", "springs");
    }
    assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
}

// Erratum 3: no suction while the body leaves fast.
static void contact_does_not_pull(void **state)
{
    (void)state;
    hf_contact_def def = {
        .stiffness = 1e4, .damping = 100.0, .friction = hf_level_coefficient(0.5)};
    double gap[3] = {-1e-3, 0.0, 0.0}, rate[3] = {1.0, 2.0, 0.0}, e[2] = {1e-3, 0.0};
    hf_law_in in = {.gap = gap, .rate = rate, .y = e, .tau = 1e-3};
    evaluation ev = evaluate(HF_LAW_CONTACT, &def, 3, &in);
    assert_true(ev.force[0] == 0.0 && ev.force[1] == 0.0);
    assert_int_equal(ev.out.regime, HF_REGIME_OPEN);
    hf_check_near(ev.dy[0], -1e4 * 1e-3 / (100.0 + 1e-3 * 1e4), 1e-15, "e'", "relaxation");
    rate[0] = -0.05;
    ev = evaluate(HF_LAW_CONTACT, &def, 3, &in);
    hf_check_near(ev.force[0], -15.0, 1e-14, "f0", "K gap + B rate");
    hf_check_near(ev.force[1], 7.5, 1e-14, "f1", "mu N");
    assert_int_equal(ev.out.regime, HF_REGIME_SLIP);
}

// A frictionless contact slips freely and holds nothing.
static void contact_without_friction(void **state)
{
    (void)state;
    hf_contact_def def = hf_contact_def_default();
    hf_fault fault;
    def.friction = hf_level_coulomb(0.0);
    assert_int_equal(hf_contact_def_check(&def, 3, &fault), HF_OK);
    double gap[3] = {-1e-3, 0.0, 0.0}, rate[3] = {0.0, 2.0, 1.0}, e[2] = {0.0, 0.0};
    hf_law_in in = {.gap = gap, .rate = rate, .y = e};
    evaluation ev = evaluate(HF_LAW_CONTACT, &def, 3, &in);
    assert_true(ev.force[1] == 0.0 && ev.force[2] == 0.0 && ev.dy[0] == 0.0);
    assert_int_equal(ev.out.regime, HF_REGIME_SLIP);
}

static void spring_is_linear(void **state)
{
    (void)state;
    hf_fault fault;
    hf_spring_def def = {.stiffness = 90.0, .damping = 3.0, .rest = 0.5};
    assert_int_equal(hf_spring_def_check(&def, 1, &fault), HF_OK);
    expect_fault(hf_spring_def_check(&def, 2, &fault), &fault, "rest", NULL, "more than one");
    double gap[3] = {1.5, -2.0, 3.0}, rate[3] = {0.1, 0.2, -0.3};
    hf_law_in in = {.gap = gap, .rate = rate};
    evaluation ev = evaluate(HF_LAW_SPRING, &def, 1, &in);
    hf_check_near(ev.force[0], 90.3, 1e-13, "f", "Kikuuwe and Yamamoto 2008 (10)");
    hf_check_near(ev.out.stored, 45.0, 1e-13, "stored", "1/2 K x^2");
    hf_check_near(ev.out.dissipated, 0.03, 1e-16, "dissipated", "B v^2");
    def.rest = 0.0;
    ev = evaluate(HF_LAW_SPRING, &def, 3, &in);
    hf_check_near(ev.force[2], 90.0 * 3.0 - 0.9, 1e-12, "f[2]", "Kikuuwe and Yamamoto 2008 (10)");
    hf_check_near(ev.out.stored, 45.0 * (2.25 + 4.0 + 9.0), 1e-11, "stored", "1/2 K |x|^2");
    def.stiffness = -1.0;
    expect_fault(hf_spring_def_check(&def, 1, &fault), &fault, "stiffness", NULL, "zero or");
}

static void joint_check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    hf_joint_law_def def = hf_joint_law_def_default();
    assert_int_equal(hf_joint_law_def_check(&def, 6, &fault), HF_OK);
    def.level = hf_level_coulomb(0.5);
    expect_fault(hf_joint_law_def_check(&def, 6, &fault), &fault, "friction_stiffness", NULL,
                 "positive");
    def.friction_stiffness = 5000.0;
    assert_int_equal(hf_joint_law_def_check(&def, 6, &fault), HF_OK);
    def.bend_stiffness = 0.0;
    expect_fault(hf_joint_law_def_check(&def, 6, &fault), &fault, "bend_stiffness", NULL,
                 "positive");
}

// Springs on 0..4; the angle is the stiction element, to the bit.
static void joint_is_springs_and_an_element(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(52);
    for (int i = 0; i < 3000; i++) {
        hf_joint_law_def def = {.stiffness = 1e6,
                                .damping = 250.0,
                                .bend_stiffness = 100.0,
                                .bend_damping = 0.02,
                                .level = random_sided_level(&rng),
                                .friction_stiffness = 5e3,
                                .friction_damping = 1.0};
        double gap[6], rate[6], e = 2e-3 * hf_rng_normal(&rng);
        for (int k = 0; k < 6; k++) {
            gap[k] = 1e-3 * hf_rng_normal(&rng);
            rate[k] = hf_rng_normal(&rng);
        }
        hf_law_in in = {.gap = gap, .rate = rate, .y = &e, .normal = 1.0, .tau = 1e-4};
        evaluation ev = evaluate(HF_LAW_JOINT, &def, 6, &in);
        double power = dot(6, ev.force, rate), storing = def.friction_stiffness * e * ev.dy[0];
        for (int k = 0; k < 5; k++) {
            double stiffness = k < 3 ? 1e6 : 100.0, damping = k < 3 ? 250.0 : 0.02;
            hf_check_near(ev.force[k], stiffness * gap[k] + damping * rate[k], 1e-9, "f", "spring");
            storing += stiffness * gap[k] * rate[k];
        }
        assert_true(ev.out.dissipated >= 0.0);
        hf_check_near(storing + ev.out.dissipated, power, 1e-9 * (fabs(power) + fabs(storing)),
                      "stored' + dissipated", "f.v");
        hf_stiction_def element = {.level = def.level, .stiffness = 5e3, .damping = 1.0};
        hf_law_in turn = {.rate = rate + 5, .y = &e, .normal = 1.0, .tau = 1e-4};
        evaluation want = evaluate(HF_LAW_STICTION, &element, 1, &turn);
        hf_check_same_bits(ev.force[5], want.force[0], "f[5]");
        hf_check_same_bits(ev.dy[0], want.dy[0], "e'");
        assert_int_equal(ev.out.regime, want.out.regime);
        def.level = hf_level_coulomb(0.0);
        def.friction_stiffness = def.friction_damping = 0.0;
        ev = evaluate(HF_LAW_JOINT, &def, 6, &in);
        assert_true(ev.force[5] == 0.0 && ev.dy[0] == 0.0);
    }
}

// A spring that only its cubic part brings back may push away at first; one without may not.
static void springs_are_checked(void **state)
{
    (void)state;
    const struct {
        double cubic, stiffness;
        hf_status status;
    } cases[] = {{0.0, 10.0, HF_OK},           {0.0, -10.0, HF_ERROR_RANGE},
                 {0.5, -10.0, HF_OK},          {3.0, -10.0, HF_OK},
                 {-0.5, 10.0, HF_ERROR_RANGE}, {0.5, NAN, HF_ERROR_RANGE},
                 {NAN, 10.0, HF_ERROR_RANGE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_spring_def def = {.cubic = cases[i].cubic, .stiffness = cases[i].stiffness};
        hf_fault fault;
        assert_int_equal(hf_spring_def_check(&def, 1, &fault), cases[i].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_are_checked),
        cmocka_unit_test(contact_check_ranges),
        cmocka_unit_test(contact_is_passive),
        cmocka_unit_test(contact_does_not_pull),
        cmocka_unit_test(contact_without_friction),
        cmocka_unit_test(spring_is_linear),
        cmocka_unit_test(joint_check_ranges),
        cmocka_unit_test(joint_is_springs_and_an_element),
    };
    return hf_run_tests(tests);
}
