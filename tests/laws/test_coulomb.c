// SPDX-License-Identifier: Apache-2.0
// The discontinuous law of [Kikuuwe2005]: properties, mass matrix, the approximation (18).
#include "laws_test.h"

static void check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    hf_coulomb_def def = hf_coulomb_def_default();
    assert_int_equal(hf_coulomb_def_check(&def, 3, &fault), HF_OK);
    def.level.peak[0] = 0.5;
    expect_fault(hf_coulomb_def_check(&def, 1, &fault), &fault, "static", "level", "below kinetic");
}

// Any level, mass, step and dimension: |v| <= |vbar|, |f| <= F, f = F(|v|) v/|v| or v = 0.
static void never_adds_energy(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(71);
    int stuck = 0, slipping = 0;
    for (int i = 0; i < 30000; i++) {
        int dim = hf_rng_int(&rng, 1, 3);
        hf_coulomb_def def = {.level = dim == 1 ? random_sided_level(&rng) : random_level(&rng)};
        double mass = hf_rng_log_uniform(&rng, 1e-3, 1e3);
        double step = hf_rng_log_uniform(&rng, 1e-6, 10.0);
        double size = def.level.peak[0] * hf_rng_log_uniform(&rng, 0.01, 100.0);
        hf_coulomb s = {.regime = HF_REGIME_STICK};
        double h[3], bar[3], f[3];
        for (int k = 0; k < dim; k++) {
            h[k] = hf_rng_normal(&rng) * size;
            s.velocity[k] = hf_rng_normal(&rng) * size * step / mass;
            bar[k] = s.velocity[k] + step * h[k] / mass;
        }
        hf_coulomb_step_n(&def, &s, dim, mass, h, 1.0, step, f);
        double speed = hf_length(dim, s.velocity), free = hf_length(dim, bar);
        int side = dim == 1 && bar[0] < 0.0 ? HF_BACK : HF_FORTH;
        hf_check_below(speed, free * (1.0 + 1e-14), "|v|", "|vbar|: dissipative for every T");
        assert_false(s.reversed || s.gained);
        if (s.regime == HF_REGIME_STICK) {
            stuck++;
            for (int k = 0; k < dim; k++)
                assert_true(s.velocity[k] == 0.0);
            double rest = hf_level_at(&def.level, side, 0.0, 1.0, HF_REGIME_STICK);
            hf_check_below(hf_length(dim, f), rest * (1.0 + 1e-14), "|f|", "F(0)");
        } else {
            slipping++;
            double level = hf_level_at(&def.level, side, speed, 1.0, HF_REGIME_STICK);
            for (int k = 0; k < dim; k++) {
                hf_check_near(f[k], level * s.velocity[k] / speed, 1e-13 * level, "f", "F v/|v|");
                hf_check_near(s.velocity[k], bar[k] - step * f[k] / mass, 1e-12 * free, "v",
                              "Kikuuwe et al. 2005 (17c)");
            }
        }
    }
    assert_true(stuck > 3000 && slipping > 3000);
}

// Without other forces it stops in ceil(M v/(T F)) steps, exactly, and stays.
static void stops_in_finite_time(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(72);
    for (int i = 0; i < 200; i++) {
        int dim = hf_rng_int(&rng, 1, 3);
        double level = hf_rng_log_uniform(&rng, 0.1, 10.0), mass = 2.0, step = 1e-2;
        hf_coulomb_def def = {.level = hf_level_coulomb(level)};
        hf_coulomb s = {0};
        double h[3] = {0.0, 0.0, 0.0}, f[3];
        for (int k = 0; k < dim; k++)
            s.velocity[k] = hf_rng_normal(&rng);
        double speed = hf_length(dim, s.velocity);
        int want = (int)ceil(mass * speed / (step * level) - 1e-9), steps = 0;
        while (hf_length(dim, s.velocity) > 0.0 && steps <= want) {
            hf_coulomb_step_n(&def, &s, dim, mass, h, 1.0, step, f);
            steps++;
        }
        assert_int_equal(steps, want);
        hf_coulomb_step_n(&def, &s, dim, mass, h, 1.0, step, f);
        assert_true(hf_length(dim, s.velocity) == 0.0 && f[0] == 0.0);
    }
}

// The law under the table is the same step; its dissipated power is the loss of kinetic energy.
static void law_is_the_step(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(73);
    for (int i = 0; i < 2000; i++) {
        hf_coulomb_def def = {.level = random_sided_level(&rng)};
        double v = hf_rng_normal(&rng), zero = 0.0, f;
        hf_law_in in = {.rate = &v,
                        .normal = 1.0,
                        .regime = HF_REGIME_STICK,
                        .mass = 2.0,
                        .applied = &zero,
                        .step = 0.01};
        hf_law_out out = {.force = &f};
        hf_law_info_get(HF_LAW_COULOMB)->eval(&def, 1, &in, &out);
        hf_coulomb s = {.velocity = {v}, .regime = HF_REGIME_STICK};
        hf_check_same_bits(f, hf_coulomb_step(&def, &s, 2.0, 0.0, 0.01), "f");
        double loss = 0.5 * 2.0 * (v * v - s.velocity[0] * s.velocity[0]);
        hf_check_near(0.01 * out.dissipated, loss, 1e-13 * v * v, "T dissipated", "loss of energy");
        assert_true(out.dissipated >= 0.0);
    }
}

// (18): close to (16b) for small T, not dissipative for T D/M > 1; the state says where.
static void approximation_says_where_it_fails(void **state)
{
    (void)state;
    hf_coulomb_def exact = {.level = hf_level_coulomb(10.0)};
    exact.level.viscous[0] = exact.level.viscous[1] = 5.0;
    hf_coulomb_def rough = exact;
    rough.approximate = true;
    // 10 + 5 v: largest relative difference 0.3 % at T = 1e-3, M = 1
    double worst = 0.0;
    for (double v = 0.02; v < 2.0; v += 0.01) {
        hf_coulomb a = {.velocity = {v}}, b = a;
        double f = hf_coulomb_step(&exact, &a, 1.0, 0.0, 1e-3);
        worst = fmax(worst, fabs(hf_coulomb_step(&rough, &b, 1.0, 0.0, 1e-3) / f - 1.0));
        assert_false(b.reversed || b.gained);
    }
    hf_check_below(worst, 0.005, "largest relative difference of f", "reference: 0.3 %");
    // 10 + 100 v: up to 10 %
    hf_coulomb_def steep = {.level = hf_level_coulomb(10.0)}, steep_rough;
    steep.level.viscous[0] = steep.level.viscous[1] = 100.0;
    steep_rough = steep;
    steep_rough.approximate = true;
    hf_coulomb a = {.velocity = {50.0}}, b = a;
    double ratio = hf_coulomb_step(&steep_rough, &b, 1.0, 0.0, 1e-3) /
                   hf_coulomb_step(&steep, &a, 1.0, 0.0, 1e-3);
    hf_check_near(ratio, 1.1, 1e-3, "(18)/(16b) at 50 m/s", "reference: 10 %");
    // T D/M = 1.5 reverses, 2.5 gains energy; (16b) does neither
    for (int i = 0; i < 2; i++) {
        double damping = i == 0 ? 1.5 : 2.5;
        rough.level.kinetic[0] = rough.level.kinetic[1] = 0.01;
        rough.level.peak[0] = rough.level.peak[1] = 0.01;
        rough.level.viscous[0] = rough.level.viscous[1] = damping;
        hf_coulomb s = {.velocity = {1.0}};
        hf_coulomb_step(&rough, &s, 1.0, 0.0, 1.0);
        assert_true(s.velocity[0] < 0.0 && s.reversed);
        assert_int_equal(s.gained, damping > 2.0);
        exact.level = rough.level;
        s = (hf_coulomb){.velocity = {1.0}};
        hf_coulomb_step(&exact, &s, 1.0, 0.0, 1.0);
        assert_true(s.velocity[0] > 0.0 && s.velocity[0] < 1.0 && !s.reversed);
        hf_check_near(s.velocity[0], (1.0 - 0.01) / (1.0 + damping), 1e-15, "v",
                      "Kikuuwe et al. 2005 erratum 9");
    }
}

static void random_mass_matrix(hf_rng *rng, int dim, double *mass)
{
    double a[9];
    for (int i = 0; i < dim * dim; i++)
        a[i] = hf_rng_normal(rng) * (hf_rng_bool(rng) ? 1.0 : 0.05);
    for (int i = 0; i < dim; i++)
        for (int j = i; j < dim; j++) {
            double sum = i == j ? 0.01 : 0.0;
            for (int k = 0; k < dim; k++)
                sum += a[i * dim + k] * a[j * dim + k];
            mass[i * dim + j] = mass[j * dim + i] = sum;
        }
}

// p - f = M v/T, f = F(|v|) v/|v|: exactly the conditions of the projection in the mass metric.
static void mass_matrix_projects(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(74);
    int slipping = 0, stuck = 0;
    for (int i = 0; i < 20000; i++) {
        int dim = hf_rng_int(&rng, 1, 3);
        hf_coulomb_def def = {.level = random_level(&rng)};
        double step = hf_rng_log_uniform(&rng, 1e-5, 1e-1), mass[9], h[3], p[3], f[3];
        random_mass_matrix(&rng, dim, mass);
        hf_coulomb s = {.regime = HF_REGIME_STICK};
        double size = def.level.peak[0] * hf_rng_log_uniform(&rng, 0.1, 100.0);
        for (int k = 0; k < dim; k++) {
            h[k] = size * hf_rng_normal(&rng);
            s.velocity[k] = step * size * hf_rng_normal(&rng);
        }
        for (int k = 0; k < dim; k++) {
            p[k] = h[k];
            for (int j = 0; j < dim; j++)
                p[k] += mass[k * dim + j] * s.velocity[j] / step;
        }
        assert_int_equal(hf_coulomb_step_matrix(&def, &s, dim, mass, h, 1.0, step, f), HF_OK);
        double scale = hf_length(dim, p), speed = hf_length(dim, s.velocity);
        double terms = scale; // what f + M v/T is rounded to
        for (int k = 0; k < dim; k++)
            terms += mass[k * dim + k] * speed / step;
        for (int k = 0; k < dim; k++) {
            double momentum = 0.0;
            for (int j = 0; j < dim; j++)
                momentum += mass[k * dim + j] * s.velocity[j] / step;
            hf_check_near(f[k] + momentum, p[k], 1e-14 * terms, "f + M v/T", "M vbar/T");
        }
        if (s.regime == HF_REGIME_STICK) {
            stuck++;
            assert_true(speed == 0.0);
            hf_check_below(scale, hf_level_at(&def.level, 0, 0.0, 1.0, HF_REGIME_STICK), "|p|",
                           "F(0)");
            continue;
        }
        slipping++;
        double level = hf_level_at(&def.level, 0, speed, 1.0, HF_REGIME_STICK);
        hf_check_near(hf_length(dim, f), level, 1e-11 * level, "|f|", "F(|v|)");
        for (int k = 0; k < dim; k++)
            hf_check_near(f[k] * speed, level * s.velocity[k], 1e-11 * level * speed, "f |v|",
                          "F v");
    }
    assert_true(stuck > 1000 && slipping > 5000);
}

// By the inverse: v' = vbar - T W f, |f| <= F, f along v'; W of any rank from 1 on, and motion that
// nothing can stop in one of three.
static void inverse_of_any_rank(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(76);
    int slipping = 0, stuck = 0, unstopped = 0;
    for (int i = 0; i < 20000; i++) {
        int dim = hf_rng_int(&rng, 2, 3), rank = hf_rng_int(&rng, 1, dim);
        hf_coulomb_def def = {.level = random_level(&rng)};
        double step = hf_rng_log_uniform(&rng, 1e-5, 1e-1), a[9], w[9], f[3], vbar[3] = {0.0};
        double force = def.level.peak[0] * hf_rng_log_uniform(&rng, 0.1, 100.0), large = 0.0;
        for (int k = 0; k < dim * rank; k++)
            a[k] = hf_rng_normal(&rng);
        for (int k = 0; k < dim; k++)
            for (int j = 0; j < dim; j++) {
                w[k * dim + j] = 0.0;
                for (int r = 0; r < rank; r++)
                    w[k * dim + j] += a[k * rank + r] * a[j * rank + r];
            }
        for (int r = 0; r < rank; r++) { // in the range of W
            double size = step * force * hf_rng_normal(&rng);
            for (int k = 0; k < dim; k++)
                vbar[k] += size * a[k * rank + r];
        }
        bool free_motion = hf_rng_int(&rng, 0, 2) == 0;
        for (int k = 0; k < dim; k++) {
            vbar[k] += free_motion ? step * force * hf_rng_normal(&rng) : 0.0;
            large = fmax(large, fabs(vbar[k]));
        }
        hf_coulomb s = {.regime = HF_REGIME_STICK};
        assert_int_equal(
            hf_coulomb_step_inverse(&def, &s, dim, w, vbar, 1e-9 * large, 1.0, step, f), HF_OK);
        double speed = hf_length(dim, s.velocity), size = hf_length(dim, f), terms = large;
        double level = hf_level_at(&def.level, 0, speed, 1.0, HF_REGIME_STICK);
        for (int k = 0; k < dim; k++)
            terms += step * w[k * dim + k] * size;
        for (int k = 0; k < dim; k++) {
            double left = s.velocity[k];
            for (int j = 0; j < dim; j++)
                left += step * w[k * dim + j] * f[j];
            hf_check_near(left, vbar[k], 1e-8 * terms, "v' + T W f", "vbar");
            hf_check_near(f[k] * speed, level * s.velocity[k], 1e-11 * level * speed, "f |v|",
                          "F v");
        }
        hf_check_below(size, level * (1.0 + 1e-11), "|f|", "F");
        stuck += s.regime == HF_REGIME_STICK ? 1 : 0;
        slipping += s.regime == HF_REGIME_SLIP ? 1 : 0;
        unstopped += free_motion && rank < dim ? 1 : 0;
        assert_true(!(free_motion && rank < dim) || s.regime == HF_REGIME_SLIP);
    }
    assert_true(stuck > 1000 && slipping > 5000 && unstopped > 1000);
}

// A multiple of the identity gives the scalar law.
static void scalar_matrix_is_scalar_mass(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(75);
    for (int i = 0; i < 3000; i++) {
        hf_coulomb_def def = {.level = random_level(&rng)};
        // Every fourth by a table that falls nowhere but in its last piece: several roots
        double speeds[3] = {0.0, 0.3, 0.3 + hf_rng_uniform(&rng, 0.01, 0.5)};
        double levels[3] = {1.0, 1.0 + hf_rng_uniform(&rng, 0.0, 0.5),
                            hf_rng_uniform(&rng, 0.1, 0.9)};
        if (i % 4 == 0) {
            def.level = hf_level_coulomb(1.0);
            def.level.table_speed = (hf_list){speeds, 3};
            def.level.table_level = (hf_list){levels, 3};
        }
        double step = i % 4 == 0 ? 1.0 : 0.01; // m/T below the slope of the fall
        double mass[9] = {2.0, 0, 0, 0, 2.0, 0, 0, 0, 2.0}, h[3], f[3], want[3];
        hf_coulomb a = {.regime = HF_REGIME_STICK}, b = a;
        for (int k = 0; k < 3; k++) {
            h[k] = hf_rng_normal(&rng) * def.level.peak[0] * 2.0;
            a.velocity[k] = b.velocity[k] = hf_rng_normal(&rng);
        }
        assert_int_equal(hf_coulomb_step_matrix(&def, &a, 3, mass, h, 1.0, step, f), HF_OK);
        hf_coulomb_step_n(&def, &b, 3, 2.0, h, 1.0, step, want);
        double size = hf_length(3, want);
        hf_check_near_array(f, want, 3, 1e-11 * size, "f", "scalar mass");
        hf_check_near_array(a.velocity, b.velocity, 3, 1e-11, "v", "scalar mass");
    }
}

static void mass_matrix_is_checked(void **state)
{
    (void)state;
    hf_coulomb_def def = hf_coulomb_def_default();
    hf_coulomb s = {.velocity = {1.0, 2.0}};
    double h[2] = {0.0, 0.0}, f[2] = {7.0, 7.0};
    double lopsided[4] = {1.0, 0.1, 0.2, 1.0}, indefinite[4] = {1.0, 2.0, 2.0, 1.0};
    double nan[4] = {1.0, (double)NAN, (double)NAN, 1.0};
    assert_int_equal(hf_coulomb_step_matrix(&def, &s, 2, lopsided, h, 1.0, 0.1, f), HF_ERROR_RANGE);
    assert_int_equal(hf_coulomb_step_matrix(&def, &s, 2, indefinite, h, 1.0, 0.1, f),
                     HF_ERROR_RANGE);
    assert_int_equal(hf_coulomb_step_matrix(&def, &s, 2, nan, h, 1.0, 0.1, f), HF_ERROR_RANGE);
    def.approximate = true;
    double good[4] = {1.0, 0.5, 0.5, 1.0};
    assert_int_equal(hf_coulomb_step_matrix(&def, &s, 2, good, h, 1.0, 0.1, f),
                     HF_ERROR_UNSUPPORTED);
    double nothing[4] = {0.0, 0.0, 0.0, 0.0};
    assert_int_equal(hf_coulomb_step_inverse(&def, &s, 2, lopsided, h, 0.0, 1.0, 0.1, f),
                     HF_ERROR_RANGE);
    assert_int_equal(hf_coulomb_step_inverse(&def, &s, 2, nothing, h, 0.0, 1.0, 0.1, f),
                     HF_ERROR_RANGE);
    assert_true(s.velocity[0] == 1.0 && s.velocity[1] == 2.0 && f[0] == 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_ranges),
        cmocka_unit_test(never_adds_energy),
        cmocka_unit_test(stops_in_finite_time),
        cmocka_unit_test(law_is_the_step),
        cmocka_unit_test(approximation_says_where_it_fails),
        cmocka_unit_test(mass_matrix_projects),
        cmocka_unit_test(inverse_of_any_rank),
        cmocka_unit_test(scalar_matrix_is_scalar_mass),
        cmocka_unit_test(mass_matrix_is_checked),
    };
    return hf_run_tests(tests);
}
