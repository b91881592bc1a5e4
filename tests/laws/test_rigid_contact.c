// SPDX-License-Identifier: Apache-2.0
// Rigid contact: [Xiong2013] (24), (25), (29); and the conventional contacts.
#include "laws/rigid_contact_relax.h"
#include "laws_test.h"

static hf_rigid_contact_def plain(double r, double beta)
{
    hf_rigid_contact_def def = hf_rigid_contact_def_default();
    def.stiffness = 1e5;
    def.damping_time = beta;
    def.filter_time = r * beta;
    def.tangent_stiffness = 5e4;
    def.tangent_damping_time = 2e-3;
    def.spin_stiffness = 30.0;
    def.rolling_stiffness = 40.0;
    return def;
}

static void check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    hf_rigid_contact_def def = hf_rigid_contact_def_default();
    assert_int_equal(hf_rigid_contact_def_check(&def, 6, &fault), HF_OK);
    def.friction = hf_level_coefficient(-0.1);
    expect_fault(hf_rigid_contact_def_check(&def, 3, &fault), &fault, "kinetic", "friction",
                 "zero");
    const double wrong[] = {-0.01, 1.01, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        def = hf_rigid_contact_def_default();
        def.restitution = wrong[i];
        expect_fault(hf_rigid_contact_def_check(&def, 3, &fault), &fault, "restitution", NULL,
                     "0 to 1");
    }
    def = plain(1.5, 0.01);
    expect_fault(hf_rigid_contact_def_check(&def, 3, &fault), &fault, "filter_time", NULL,
                 "gain energy");
    def = plain(0.5, 0.01);
    def.rolling_friction = hf_level_coefficient(0.01);
    expect_fault(hf_rigid_contact_def_check(&def, 3, &fault), &fault, "rolling_friction", NULL,
                 "turn");
    assert_int_equal(hf_rigid_contact_def_check(&def, 6, &fault), HF_OK);
    def.friction = hf_level_coulomb(1.0);
    expect_fault(hf_rigid_contact_def_check(&def, 6, &fault), &fault, "friction", NULL,
                 "coefficient");
}

// No suction, friction in its cone, both energies >= 0, stored' + dissipated = f.v, at random
// states.
static void passive_everywhere(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(71);
    int seen[3] = {0, 0, 0};
    for (int i = 0; i < 30000; i++) {
        static const int dims[] = {1, 2, 3, 6};
        int dim = dims[hf_rng_int(&rng, 0, 3)];
        hf_rigid_contact_def def = plain(hf_rng_uniform(&rng, 0.01, 1.0), 5e-3);
        double mu = hf_rng_uniform(&rng, 0.0, 1.0);
        def.friction = hf_level_coefficient(mu);
        def.spin_friction = hf_level_coefficient(0.02);
        def.rolling_friction = hf_level_coefficient(0.01);
        double alpha = def.filter_time, beta = def.damping_time, k = def.stiffness;
        double gap[6] = {hf_rng_normal(&rng) * 1e-3}, rate[6], y[6];
        for (int j = 0; j < 6; j++) {
            rate[j] = hf_rng_normal(&rng) * hf_rng_log_uniform(&rng, 1e-3, 10.0);
            y[j] = hf_rng_normal(&rng) * 1e-3;
        }
        hf_law_in in = {.gap = gap, .rate = rate, .y = y};
        evaluation ev = evaluate(HF_LAW_RIGID_CONTACT, &def, dim, &in);
        seen[ev.out.regime]++;
        double n = ev.out.normal, p = gap[0], e = y[0];
        assert_true(n >= 0.0 && ev.force[0] == -n);
        hf_check_near(n, k * fmax(0.0, e - beta * (p + e) / alpha), 1e-12 * (n + k * fabs(e)), "N",
                      "Xiong et al. 2013 (25)");
        hf_check_near(ev.dy[0], fmax(-e / beta, -(p + e) / alpha), 1e-12 * fabs(ev.dy[0]), "e'",
                      "Xiong et al. 2013 (24)");
        assert_true(ev.out.stored >= 0.0 && ev.out.dissipated >= 0.0);
        double storing = 0.0, power = dot(dim, ev.force, rate);
        // d/dt of K (e^2/2 + alpha e e' + alpha beta e'^2/2), e'' from the branch that rules
        double de = ev.dy[0];
        double dde = n > 0.0 ? -(rate[0] + de) / alpha : -de / beta;
        storing += k * (e * de + alpha * (de * de + e * dde) + alpha * beta * de * dde);
        double stored = k * (0.5 * e * e + alpha * e * de + 0.5 * alpha * beta * de * de);
        if (dim >= 2) {
            int tangents = dim == 2 ? 1 : 2;
            hf_check_below(hf_length(tangents, ev.force + 1), mu * n * (1.0 + 1e-14) + 1e-300,
                           "|ft|", "mu N");
            storing += def.tangent_stiffness * dot(tangents, y + 1, ev.dy + 1);
            stored += 0.5 * def.tangent_stiffness * dot(tangents, y + 1, y + 1);
        }
        if (dim == 6) {
            hf_check_below(fabs(ev.force[3]), 0.02 * n * (1.0 + 1e-14) + 1e-300, "|spin|", "level");
            hf_check_below(hf_length(2, ev.force + 4), 0.01 * n * (1.0 + 1e-14) + 1e-300, "|roll|",
                           "level");
            storing += def.spin_stiffness * y[3] * ev.dy[3] +
                       def.rolling_stiffness * dot(2, y + 4, ev.dy + 4);
            stored += 0.5 * (def.spin_stiffness * y[3] * y[3] +
                             def.rolling_stiffness * dot(2, y + 4, y + 4));
        }
        hf_check_near(ev.out.stored, stored,
                      1e-12 * k * (e * e + alpha * beta * de * de) + 1e-12 * stored, "stored",
                      "K (e^2/2 + alpha e e' + alpha beta e'^2/2) and the elements'");
        double size = fabs(storing) + fabs(power) + ev.out.dissipated;
        hf_check_near(storing + ev.out.dissipated, power, 1e-9 * size, "stored' + dissipated",
                      "f.v");
    }
    assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
}

// The law is continuous: across the change of branch force and e' do not jump.
static void continuous_at_closing(void **state)
{
    (void)state;
    hf_rigid_contact_def def = plain(0.3, 5e-3);
    double y[1] = {2e-4}, rate[1] = {-1.0};
    double edge = -y[0] + def.filter_time * y[0] / def.damping_time; // e/beta = (p + e)/alpha
    double below = edge - 1e-12, above = edge + 1e-12;
    evaluation a =
        evaluate(HF_LAW_RIGID_CONTACT, &def, 1, &(hf_law_in){.gap = &below, .rate = rate, .y = y});
    evaluation b =
        evaluate(HF_LAW_RIGID_CONTACT, &def, 1, &(hf_law_in){.gap = &above, .rate = rate, .y = y});
    assert_true(a.out.regime != HF_REGIME_OPEN && b.out.regime == HF_REGIME_OPEN);
    hf_check_near(a.out.normal, 0.0, 1e-6, "N", "continuity");
    hf_check_near(a.dy[0], b.dy[0], 1e-8, "e'", "continuity");
}

// (15) pulls, (16) does not; Hunt and Crossley pulls without the clamp and not with it.
static void conventional_contacts(void **state)
{
    (void)state;
    hf_penalty_contact_def def = hf_penalty_contact_def_default();
    double gap[3] = {-1e-3, 0.0, 0.0}, rate[3] = {10.0, 1.0, 0.0}, y[2] = {0.0, 0.0};
    hf_law_in in = {.gap = gap, .rate = rate, .y = y};
    evaluation ev = evaluate(HF_LAW_PENALTY_CONTACT, &def, 3, &in);
    assert_true(ev.force[0] == 0.0 && ev.out.normal == 0.0 && ev.force[1] == 0.0);
    def.clamp = false;
    ev = evaluate(HF_LAW_PENALTY_CONTACT, &def, 3, &in);
    hf_check_near(ev.force[0], -1e5 * 1e-3 + 100.0 * 10.0, 1e-10, "force",
                  "Xiong et al. 2013 (15)");
    assert_true(ev.out.normal == 0.0 && ev.force[1] == 0.0);
    def.proportional = true;
    def.damping = 3e4;
    def.exponent = 1.5;
    ev = evaluate(HF_LAW_PENALTY_CONTACT, &def, 3, &in);
    double depth = pow(1e-3, 1.5);
    hf_check_near(ev.force[0], -(1e5 * depth - 3e4 * depth * 10.0), 1e-10, "force",
                  "Hunt and Crossley");
    assert_true(ev.force[0] > 0.0);
    def.clamp = true;
    ev = evaluate(HF_LAW_PENALTY_CONTACT, &def, 3, &in);
    assert_true(ev.force[0] == 0.0);
    gap[0] = 1e-9;
    ev = evaluate(HF_LAW_PENALTY_CONTACT, &def, 3, &in);
    assert_true(ev.force[0] == 0.0 && ev.out.stored == 0.0 && ev.out.regime == HF_REGIME_OPEN);
}

// What a wish gives, wherever the impact falls: all masses, steps and speeds are one case without
// gravity, and the forecast's own scatter says how far from it a step can be.
static void wishes_are_delivered(void **state)
{
    (void)state;
    for (double mass = 1e-3; mass < 2e3; mass *= 1e3)
        for (double step = 1e-6; step < 2e-3; step *= 1e3)
            for (int i = 1; i <= 20; i++) {
                double wish = 0.05 * i;
                hf_rigid_contact_def def = hf_rigid_contact_def_default();
                def.restitution = wish;
                hf_contact_site site = {.mass = mass,
                                        .tangent_mass = mass,
                                        .spin_inertia = 1.0,
                                        .rolling_inertia = 1.0,
                                        .step = step};
                hf_rigid_contact_choose(&def, 3, &site);
                hf_fault fault;
                assert_int_equal(hf_rigid_contact_def_check(&def, 3, &fault), HF_OK);
                assert_true(hf_rigid_contact_is_chosen(&def, 3));
                hf_contact_forecast f = hf_rigid_contact_forecast(&def, &site);
                hf_check_near(f.exact, wish, 5e-4, "restitution", "the wish");
                hf_check_below(f.spread, 5e-3, "spread over the step", "calibration");
                hf_check_below(f.frequency_step, 0.3, "w T", "Xiong et al. 2013");
            }
}

// A body that falls on a contact with `speed`, by short steps of the law itself: the speed with
// which it comes back to the surface, as a part of that, and the largest depth.
static double fall_on(const hf_rigid_contact_def *def, double mass, double gravity, double speed,
                      double *depth)
{
    double gap = 0.0, v = -speed, y[1] = {0.0};
    const double h = 1e-6;
    *depth = 0.0;
    for (int i = 0; i < 2000000 && (gap < 0.0 || i == 0); i++) {
        // Heun's method: order 2 is enough at this step
        hf_law_in in = {.gap = &gap, .rate = &v, .y = y};
        evaluation a = evaluate(HF_LAW_RIGID_CONTACT, def, 1, &in);
        double dv = -a.force[0] / mass - gravity;
        double gap2 = gap + h * v, v2 = v + h * dv, y2[1] = {y[0] + h * a.dy[0]};
        hf_law_in ahead = {.gap = &gap2, .rate = &v2, .y = y2};
        evaluation b = evaluate(HF_LAW_RIGID_CONTACT, def, 1, &ahead);
        double dv2 = -b.force[0] / mass - gravity;
        gap += 0.5 * h * (v + v2);
        v += 0.5 * h * (dv + dv2);
        y[0] += 0.5 * h * (a.dy[0] + b.dy[0]);
        *depth = fmax(*depth, -gap);
    }
    return v / speed;
}

// What is forecast is what a fall does: with gravity's share, which counts where a contact is soft
// and an impact slow; and the restitution of times that are given.
static void forecast_is_a_fall(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double speed = 0.05 * (1 << i), mass = 2.0;
        hf_contact_site site = {.mass = mass,
                                .tangent_mass = mass,
                                .spin_inertia = 1.0,
                                .rolling_inertia = 1.0,
                                .gravity = i == 2 ? 0.0 : 9.81,
                                .step = 1e-3};
        hf_rigid_contact_def def = hf_rigid_contact_def_default();
        def.restitution = 0.7;
        def.impact_speed = speed;
        hf_rigid_contact_choose(&def, 1, &site);
        hf_contact_forecast f = hf_rigid_contact_forecast(&def, &site);
        double depth, e = fall_on(&def, mass, site.gravity, speed, &depth);
        // Its steps are 0.02/w, and where gravity pulls it back the last of them counts more
        double allowed = site.gravity > 0.0 ? 0.012 : 2e-3;
        hf_check_near(f.exact, e, allowed, "restitution", "a fall");
        hf_check_near(f.impact_depth, depth, 0.02 * depth, "depth", "a fall");
        // Its own times, as if they were given
        hf_rigid_contact_def given = hf_rigid_contact_def_default();
        given.stiffness = def.stiffness;
        given.damping_time = def.damping_time;
        given.filter_time = def.filter_time;
        given.impact_speed = speed;
        hf_rigid_contact_choose(&given, 1, &site);
        hf_check_near(given.restitution, e, allowed, "restitution of given times", "a fall");
    }
}

// Under gravity, at the step that the judge recommends.
static void best_step_delivers(void **state)
{
    (void)state;
    for (double speed = 0.1; speed < 20.0; speed *= 10.0)
        for (int i = 1; i <= 20; i++) {
            hf_rigid_contact_def wished = hf_rigid_contact_def_default();
            wished.restitution = 0.05 * i;
            wished.impact_speed = speed;
            hf_contact_site site = {.mass = pow(10.0, i % 7 - 3),
                                    .tangent_mass = 2.0,
                                    .spin_inertia = 1.0,
                                    .rolling_inertia = 1.0,
                                    .gravity = 9.81,
                                    .step = 1e-3};
            hf_contact_verdict verdict = hf_rigid_contact_judge(&wished, 3, &site);
            assert_true(verdict.best_step > 0.0 && verdict.best_step <= 1e-3);
            site.step = verdict.best_step;
            hf_rigid_contact_def def = wished;
            hf_rigid_contact_choose(&def, 3, &site);
            hf_contact_forecast f = hf_rigid_contact_forecast(&def, &site);
            hf_check_near(f.restitution, wished.restitution, 0.01, "restitution", "the wish");
        }
}

static void penetration_is_a_wish(void **state)
{
    (void)state;
    hf_contact_site site = {.mass = 1.0,
                            .tangent_mass = 1.0,
                            .spin_inertia = 1.0,
                            .rolling_inertia = 1.0,
                            .gravity = 10.0,
                            .step = 1e-4};
    hf_rigid_contact_def wished = hf_rigid_contact_def_default(), def;
    wished.penetration = 1e-4;
    wished.impact_speed = 50.0; // gravity hardly matters
    def = wished;
    hf_rigid_contact_choose(&def, 3, &site);
    hf_check_near(def.stiffness, 1e5, 1e-6, "K", "weight by depth");
    hf_contact_verdict verdict = hf_rigid_contact_judge(&wished, 3, &site);
    assert_true(verdict.penetration && verdict.restitution && verdict.best_step == site.step);
    site.step = 1e-2; // w T = 3
    verdict = hf_rigid_contact_judge(&wished, 3, &site);
    assert_false(verdict.penetration);
    hf_check_below(verdict.best_step * sqrt(1e5), 0.3, "w T", "the limit");
    assert_true(verdict.best_step * sqrt(1e5) > 0.1);
}

// Open, a contact needs no velocities: what it says without them is what it says with them, and its
// friction is the element at level zero, a' = -a/(beta_t + tau).
static void open_without_rates(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(73);
    int seen = 0;
    for (int i = 0; i < 20000; i++) {
        static const int dims[] = {1, 2, 3, 6};
        int dim = dims[hf_rng_int(&rng, 0, 3)];
        hf_rigid_contact_def def = plain(hf_rng_uniform(&rng, 0.1, 1.0), 5e-3);
        bool viscous = dim > 1 && hf_rng_bool(&rng);
        def.friction.viscous[HF_FORTH] = def.friction.viscous[HF_BACK] = viscous ? 0.5 : 0.0;
        double gap[6] = {hf_rng_normal(&rng) * 1e-3}, rate[6], y[6], dy[6];
        double tau = hf_rng_bool(&rng) ? 0.0 : 1e-3;
        for (int j = 0; j < 6; j++) {
            rate[j] = hf_rng_normal(&rng);
            y[j] = hf_rng_normal(&rng) * 1e-3;
        }
        hf_law_in in = {.gap = gap, .rate = rate, .y = y, .tau = tau};
        evaluation ev = evaluate(HF_LAW_RIGID_CONTACT, &def, dim, &in);
        hf_law_out out = {.dy = dy};
        bool relaxes = hf_rigid_contact_relax(&def, dim, gap[0], tau, y, &out);
        assert_int_equal(relaxes, ev.out.normal == 0.0 && !viscous);
        if (!relaxes)
            continue;
        seen++;
        assert_int_equal(out.regime, HF_REGIME_OPEN);
        assert_int_equal(ev.out.regime, HF_REGIME_OPEN);
        hf_check_same_bits(out.stored, ev.out.stored, "stored");
        hf_check_same_bits(out.dissipated, ev.out.dissipated, "dissipated");
        for (int j = 0; j < dim; j++) {
            double want = j == 0 ? -y[0] / def.damping_time : -y[j] / (2e-3 + tau);
            assert_true(ev.force[j] == 0.0);
            hf_check_same_bits(dy[j], ev.dy[j], "y'");
            hf_check_near(dy[j], want, 1e-12 * fabs(want), "y'",
                          "Xiong et al. 2013 (24), (30) at N = 0");
        }
    }
    assert_true(seen > 5000);
    double y[3] = {0.0, 1e-3, 0.0}, dy[3];
    hf_law_out out = {.dy = dy};
    hf_rigid_contact_def def = plain(0.5, 5e-3);
    assert_false(hf_rigid_contact_relax(&def, 3, (double)NAN, 0.0, y, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_ranges),          cmocka_unit_test(passive_everywhere),
        cmocka_unit_test(continuous_at_closing), cmocka_unit_test(conventional_contacts),
        cmocka_unit_test(wishes_are_delivered),  cmocka_unit_test(forecast_is_a_fall),
        cmocka_unit_test(best_step_delivers),    cmocka_unit_test(penetration_is_a_wish),
        cmocka_unit_test(open_without_rates),
    };
    return hf_run_tests(tests);
}
