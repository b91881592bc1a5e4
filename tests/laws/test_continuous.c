// SPDX-License-Identifier: Apache-2.0
// The linear continuous law of [Kikuuwe2005], and that [Kikuuwe2008] (14), [Kikuuwe2005] (29) with
// M = 0 and [Xiong2013] (18) are one law.
#include "laws_test.h"

static void check_ranges(void **state)
{
    (void)state;
    hf_fault fault;
    hf_continuous_def def = hf_continuous_def_default();
    assert_int_equal(hf_continuous_def_check(&def, 3, &fault), HF_OK);
    def.mass = -1.0;
    expect_fault(hf_continuous_def_check(&def, 1, &fault), &fault, "mass", NULL, "zero or");
    def.mass = 0.0;
    def.forward = true;
    expect_fault(hf_continuous_def_check(&def, 1, &fault), &fault, "mass", NULL, "forward");
    def = hf_continuous_def_default();
    def.stiffness = 0.0;
    expect_fault(hf_continuous_def_check(&def, 1, &fault), &fault, "stiffness", NULL, "positive");
    const hf_law_info *info = hf_law_info_get(HF_LAW_CONTINUOUS);
    def = hf_continuous_def_default();
    assert_true(info->admits(&def, 0.0));
    assert_int_equal(info->state_count(&def, 3), 3);
    def.mass = 0.1;
    assert_false(info->admits(&def, 0.0));
    assert_true(info->admits(&def, 1e-4));
    assert_int_equal(info->state_count(&def, 3), 6);
}

// Without a step the mass has its own velocity s: k z + b (v - s) pulls at it, friction of the
// whole level opposes s, and at rest as much of it as holds. What is neither stored nor given is
// heat.
static void mass_without_a_step(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(82);
    for (int run = 0; run < 300; run++) {
        int dim = 1 + run % 3;
        double level = hf_rng_log_uniform(&rng, 0.1, 10.0), k = 1e4, b = 5.0, mass = 0.2;
        hf_continuous_def def = {
            .level = hf_level_coulomb(level), .stiffness = k, .damping = b, .mass = mass};
        double y[6], rate[3], applied[3] = {0.0}, gap[3] = {0.0};
        bool rests = run % 5 == 0;
        for (int i = 0; i < dim; i++) {
            y[i] = 2e-4 * hf_rng_normal(&rng);
            y[dim + i] = rests ? 0.0 : 0.1 * hf_rng_normal(&rng);
            rate[i] = 0.1 * hf_rng_normal(&rng);
        }
        hf_law_in in = {
            .gap = gap, .rate = rate, .y = y, .normal = 1.0, .applied = applied, .mass = 1.0};
        evaluation e = evaluate(HF_LAW_CONTINUOUS, &def, dim, &in);
        double g[3] = {0.0}, power = 0.0, storing = 0.0;
        double held = 0.5 * k * dot(dim, y, y) + 0.5 * mass * dot(dim, y + dim, y + dim);
        hf_check_near(e.out.stored, held, 1e-12 * (1.0 + held), "stored", "spring and mass");
        for (int i = 0; i < dim; i++) {
            double z = y[i], s = y[dim + i], f = k * z + b * (rate[i] - s);
            hf_check_near(e.force[i], f, 1e-12 * (1.0 + fabs(f)), "force", "spring and damper");
            hf_check_near(e.dy[i], rate[i] - s, 1e-15, "z'", "its rate");
            g[i] = f - mass * e.dy[dim + i];
            power += e.force[i] * rate[i];
            storing += k * z * e.dy[i] + mass * s * e.dy[dim + i];
        }
        double size = sqrt(dot(dim, g, g)), pull = sqrt(dot(dim, e.force, e.force));
        hf_check_near(size, rests ? fmin(level, pull) : level, 1e-9 * (1.0 + level), "friction",
                      "its level, or what holds");
        double with = dot(dim, g, rests ? e.force : y + dim);
        assert_true(with > 0.0);
        hf_check_near(e.out.dissipated, power - storing, 1e-9 * (1.0 + fabs(power)), "heat",
                      "what is neither stored nor given");
    }
}

// [Kikuuwe2005] (29) as printed, scalar, with the sign of [Kikuuwe2005] turned at the end.
typedef struct printed {
    double z, dz, v; // z_{k-1}, Delta z_{k-1}, v_{k-1}
} printed;

static double printed_step(const hf_continuous_def *def, printed *s, double v, double step)
{
    double k = def->stiffness, b = def->damping, m = def->mass, level = def->level.kinetic[0];
    double c = m + step * b + step * step * k;                                           // (26)
    double u = v + step * k / c * s->z - m / c * (v - s->v + s->dz / step);              // (29a)
    double g = fabs(u) <= step * level / c ? -c * u / step : (u > 0.0 ? -level : level); // (29b)
    s->dz = step * v - step * (u + step * g / c);                                        // (29c)
    s->z += s->dz;
    s->v = v;
    return k * s->z + b * s->dz / step; // minus (29d)
}

static void step_is_kikuuwe_2005_29(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(81);
    for (int run = 0; run < 100; run++) {
        hf_continuous_def def = {.level = hf_level_coulomb(hf_rng_log_uniform(&rng, 0.1, 10.0)),
                                 .stiffness = hf_rng_log_uniform(&rng, 1e3, 1e5),
                                 .damping = hf_rng_log_uniform(&rng, 0.1, 100.0),
                                 .mass = run % 2 ? hf_rng_log_uniform(&rng, 1e-4, 1.0) : 0.0};
        double step = 1e-3, level = def.level.kinetic[0];
        hf_continuous s = {0};
        printed want = {0};
        double v = 0.0;
        for (int i = 0; i < 300; i++) {
            v += 0.5 * level / (def.damping + step * def.stiffness) * hf_rng_normal(&rng);
            double f = hf_continuous_step(&def, &s, v, step);
            double reference = printed_step(&def, &want, v, step);
            hf_check_near(f, reference, 1e-9 * (level + fabs(reference)), "f(k)",
                          "Kikuuwe et al. 2005 (29)");
            hf_check_near(s.z[0], want.z, 1e-9 * (level / def.stiffness + fabs(want.z)), "z(k)",
                          "Kikuuwe et al. 2005 (29)");
        }
    }
}

// [Kikuuwe2008] (14), [Kikuuwe2005] (29) with M = 0, and [Xiong2013] (18) integrated with ever
// smaller steps.
static void three_documents_one_law(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(82);
    for (int run = 0; run < 30; run++) {
        int dim = hf_rng_int(&rng, 1, 3);
        hf_level level = dim == 1 ? random_sided_level(&rng) : random_level(&rng);
        hf_stiction_def a = {.level = level, .stiffness = 1e4, .damping = 20.0};
        hf_continuous_def b = {.level = level, .stiffness = 1e4, .damping = 20.0};
        hf_stiction sa = {0};
        hf_continuous sb = {0};
        double fa[3], fb[3], v[3];
        for (int i = 0; i < 100; i++) {
            for (int k = 0; k < dim; k++)
                v[k] = 2.0 * level.peak[0] / 30.0 * hf_rng_normal(&rng);
            hf_stiction_step_n(&a, &sa, dim, v, 1.0, 1e-3, fa);
            hf_continuous_step_n(&b, &sb, dim, v, 1.0, 1e-3, fb);
            for (int k = 0; k < dim; k++) {
                hf_check_same_bits(fb[k], fa[k], "f");
                hf_check_same_bits(sb.z[k], sa.e[k], "z = e");
            }
        }
    }
}

// The step tends to [Xiong2013] (18) with first order: the error halves with the step.
static void limit_is_xiong_2013_18(void **state)
{
    (void)state;
    hf_stiction_def def = {.level = hf_level_coulomb(1.0), .stiffness = 1e3, .damping = 10.0};
    double duration = 0.5, exact = 0.0;
    int fine = 1 << 17;
    for (int i = 0; i < fine; i++) { // [Xiong2013] (18a) by the midpoint rule
        double h = duration / fine, e1 = exact;
        double v0 = 0.05 * sin(40.0 * i * h), v1 = 0.05 * sin(40.0 * (i + 0.5) * h);
        e1 += 0.5 * h * (hf_sat(1.0 / 1e3, exact + 0.01 * v0) - exact) / 0.01;
        exact += h * (hf_sat(1.0 / 1e3, e1 + 0.01 * v1) - e1) / 0.01;
    }
    double error[2];
    for (int r = 0; r < 2; r++) {
        int steps = 1000 << r;
        double h = duration / steps;
        hf_stiction s = {0};
        for (int i = 0; i < steps; i++)
            hf_stiction_step(&def, &s, 0.05 * sin(40.0 * (i + 0.5) * h), h);
        error[r] = s.e[0] - exact;
    }
    hf_check_near(error[0] / error[1], 2.0, 0.2, "error ratio for half the step", "first order");
    hf_check_below(fabs(error[1]), 2e-6, "error", "limit");
}

// Any mass, dimension and level: bounded friction, dissipated >= 0, power balance.
static void passive_with_mass(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(83);
    int stuck = 0, slipping = 0;
    for (int i = 0; i < 20000; i++) {
        int dim = hf_rng_int(&rng, 1, 3);
        hf_continuous_def def = {.level = dim == 1 ? random_sided_level(&rng) : random_level(&rng),
                                 .stiffness = hf_rng_log_uniform(&rng, 1e2, 1e6),
                                 .damping = hf_rng_log_uniform(&rng, 0.1, 1e3),
                                 .mass = hf_rng_log_uniform(&rng, 1e-5, 10.0)};
        double tau = hf_rng_log_uniform(&rng, 1e-6, 1e-2);
        double c = def.mass / tau + def.damping + tau * def.stiffness;
        double size = def.level.peak[0] * hf_rng_log_uniform(&rng, 0.01, 10.0);
        double v[3], y[6];
        for (int k = 0; k < dim; k++) {
            v[k] = size / c * hf_rng_normal(&rng);
            y[k] = size / def.stiffness * hf_rng_normal(&rng);
            y[dim + k] = size / c * hf_rng_normal(&rng);
        }
        hf_law_in in = {.rate = v, .y = y, .normal = 1.0, .tau = tau, .regime = HF_REGIME_STICK};
        evaluation ev = evaluate(HF_LAW_CONTINUOUS, &def, dim, &in);
        assert_true(ev.out.dissipated >= 0.0);
        double storing =
            def.stiffness * dot(dim, y, ev.dy) + def.mass * dot(dim, y + dim, ev.dy + dim);
        double power = dot(dim, ev.force, v);
        double scale = fabs(power) + fabs(storing) + ev.out.dissipated +
                       hf_length(dim, ev.force) * hf_length(dim, v) +
                       def.mass * hf_length(dim, y + dim) * hf_length(dim, ev.dy + dim);
        hf_check_near(storing + ev.out.dissipated, power, 1e-10 * scale, "stored' + dissipated",
                      "f.v");
        if (ev.out.regime == HF_REGIME_STICK) {
            stuck++;
            hf_check_same_bits(ev.dy[0], v[0], "z' in stick");
        } else {
            slipping++;
        }
        // The friction on the mass, f - M s', is within its level.
        double g[3], w = 0.0;
        for (int k = 0; k < dim; k++) {
            g[k] = ev.force[k] - def.mass * ev.dy[dim + k];
            w += (v[k] - ev.dy[k]) * (v[k] - ev.dy[k]);
        }
        int side = dim == 1 && g[0] < 0.0 ? HF_BACK : HF_FORTH;
        double level = hf_level_at(&def.level, side, sqrt(w), 1.0, HF_REGIME_STICK);
        hf_check_below(hf_length(dim, g), level * (1.0 + 1e-9) + 1e-9 * size, "|g|", "level");
    }
    assert_true(stuck > 2000 && slipping > 2000);
}

// M -> 0 is M = 0.
static void small_mass_is_no_mass(void **state)
{
    (void)state;
    hf_continuous_def light = {
        .level = hf_level_coulomb(1.0), .stiffness = 1e4, .damping = 10.0, .mass = 1e-12};
    hf_continuous_def none = light;
    none.mass = 0.0;
    hf_continuous a = {0}, b = {0};
    for (int i = 0; i < 2000; i++) {
        double v = 0.2 * sin(0.01 * i);
        hf_check_near(hf_continuous_step(&light, &a, v, 1e-3),
                      hf_continuous_step(&none, &b, v, 1e-3), 1e-7, "f", "M = 0");
    }
}

// (22) agrees with (29) as T -> 0 and goes unstable where (29) does not.
static void forward_form(void **state)
{
    (void)state;
    hf_continuous_def back = {
        .level = hf_level_coulomb(1.0), .stiffness = 1e4, .damping = 10.0, .mass = 0.1};
    hf_continuous_def forth = back;
    forth.forward = true;
    double difference[2];
    for (int r = 0; r < 2; r++) {
        double step = r == 0 ? 1e-4 : 5e-5, sum = 0.0;
        hf_continuous a = {0}, b = {0};
        int steps = (int)(0.2 / step);
        for (int i = 0; i < steps; i++) {
            double v = 0.01 * sin(60.0 * i * step);
            sum += step * fabs(hf_continuous_step(&back, &a, v, step) -
                               hf_continuous_step(&forth, &b, v, step));
        }
        difference[r] = sum;
    }
    hf_check_near(difference[0] / difference[1], 2.0, 0.5, "difference for half the step",
                  "first order");
    // T B/M = 10, T^2 K/M = 100: (22) flings the mass about, (29) just slides
    back.mass = forth.mass = 1e-4;
    hf_continuous a = {0}, b = {0};
    double quiet = 0.0, wild = 0.0;
    for (int i = 0; i < 30; i++) {
        double f = hf_continuous_step(&back, &a, 0.5, 1e-3);
        double g = hf_continuous_step(&forth, &b, 0.5, 1e-3);
        if (i >= 20) {
            quiet = fmax(quiet, fabs(f));
            wild = fmax(wild, fabs(g));
        }
    }
    hf_check_near(quiet, 1.0, 1e-7, "(29): largest force in sliding", "level");
    hf_check_below(2.0, wild, "(22): largest force in sliding", "unstable");
}

// In sliding (22) has the roots of r^2 - (2 - a - b) r + 1 - a, a = T B/M, b = T^2 K/M: stable
// below 2 a + b = 4.
static void forward_stability_limit(void **state)
{
    (void)state;
    const double step = 1e-3, mass = 1e-2, v = 100.0;
    for (int r = 0; r < 2; r++) {
        double b = r == 0 ? 1.95 : 2.05;
        hf_continuous_def def = {.level = hf_level_coulomb(1.0),
                                 .stiffness = b * mass / (step * step),
                                 .damping = mass / step, // a = 1
                                 .mass = mass,
                                 .forward = true};
        // The steady state, off by a micrometre: the mass never comes near rest.
        double steady = (1.0 - def.stiffness * step * v) / def.stiffness;
        hf_continuous s = {.z = {steady + 1e-6}, .s = {v}, .regime = HF_REGIME_SLIP};
        for (int i = 0; i < 100; i++)
            hf_continuous_step(&def, &s, v, step);
        double want = 1e-6 * pow(b - 1.0, 100.0);
        hf_check_near(fabs(s.z[0] - steady), want, 1e-3 * want, "deviation after 100 steps",
                      "|r|^100, r = 1 - b");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_ranges),
        cmocka_unit_test(mass_without_a_step),
        cmocka_unit_test(step_is_kikuuwe_2005_29),
        cmocka_unit_test(three_documents_one_law),
        cmocka_unit_test(limit_is_xiong_2013_18),
        cmocka_unit_test(passive_with_mass),
        cmocka_unit_test(small_mass_is_no_mass),
        cmocka_unit_test(forward_form),
        cmocka_unit_test(forward_stability_limit),
    };
    return hf_run_tests(tests);
}
