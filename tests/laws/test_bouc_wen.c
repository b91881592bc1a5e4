// SPDX-License-Identifier: Apache-2.0
// Bouc-Wen hysteresis: closed forms, passivity, the same in every direction. Its definition is made
// by the names of its parameters.
#include "laws_test.h"

typedef union bouc_wen {
    char bytes[1024];
    double align;
} bouc_wen;

static const double LEVEL = 2.0, STIFFNESS = 5e3;

static bouc_wen make(double shape, double unloading)
{
    const hf_law_info *law = hf_law_info_get(HF_LAW_BOUC_WEN);
    hf_level level = hf_level_coulomb(LEVEL);
    bouc_wen def;
    assert_true(law->def_size <= sizeof def);
    law->set_default(&def);
    assert_int_equal(hf_law_set_level(law, &def, "level", &level), HF_OK);
    assert_int_equal(hf_law_set_number(law, &def, "stiffness", STIFFNESS), HF_OK);
    assert_int_equal(hf_law_set_number(law, &def, "shape", shape), HF_OK);
    assert_int_equal(hf_law_set_number(law, &def, "unloading", unloading), HF_OK);
    return def;
}

static double slope(const bouc_wen *def, double e, double v)
{
    hf_law_in in = {.gap = &e, .rate = &v, .y = &e, .normal = 1.0};
    return evaluate(HF_LAW_BOUC_WEN, def, 1, &in).dy[0];
}

// The force after a move at constant velocity, by RK4.
static double move(const bouc_wen *def, double *e, double distance)
{
    int steps = 2000;
    double h = 1.0 / steps, v = distance;
    for (int i = 0; i < steps; i++) {
        double a = slope(def, *e, v), b = slope(def, *e + 0.5 * h * a, v);
        double c = slope(def, *e + 0.5 * h * b, v), d = slope(def, *e + h * c, v);
        *e += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    return STIFFNESS * *e;
}

static void ranges(void **state)
{
    (void)state;
    const hf_law_info *law = hf_law_info_get(HF_LAW_BOUC_WEN);
    hf_fault fault;
    bouc_wen def = make(0.9, 0.5);
    expect_fault(law->check(&def, 1, &fault), &fault, "shape", NULL, "at least 1");
    def = make(1.0, 0.49);
    expect_fault(law->check(&def, 1, &fault), &fault, "unloading", NULL, "give out energy");
    def = make(1.0, 0.5);
    assert_int_equal(law->check(&def, 3, &fault), HF_OK);
    assert_int_equal(hf_law_set_number(law, &def, "stiffness", 0.0), HF_OK);
    expect_fault(law->check(&def, 1, &fault), &fault, "stiffness", NULL, "positive");
}

// From rest r' = K v/F (1 - r^n): exp for n = 1, tanh for n = 2. Unloading at sigma = 1/2 is a
// line.
static void virgin_curve_and_unloading(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(81);
    for (int i = 0; i < 20; i++) {
        double x = hf_rng_uniform(&rng, 0.1, 3.0) * LEVEL / STIFFNESS, s = STIFFNESS * x / LEVEL;
        double sign = hf_rng_int(&rng, 0, 1) == 0 ? -1.0 : 1.0;
        bouc_wen one = make(1.0, hf_rng_uniform(&rng, 0.5, 2.0)), two = make(2.0, 0.5);
        double e = 0.0;
        hf_check_near(move(&one, &e, sign * x), -sign * LEVEL * expm1(-s), 1e-10, "f",
                      "F (1 - exp(-K x/F))");
        e = 0.0;
        double top = move(&two, &e, sign * x);
        hf_check_near(top, sign * LEVEL * tanh(s), 1e-10, "f", "F tanh(K x/F)");
        double back = 0.9 * top / STIFFNESS;
        hf_check_near(move(&two, &e, -back), 0.1 * top, 1e-12, "f", "unloading along K");
    }
}

// n = 1 and sigma = 1 is Dahl's law.
static void dahl_is_a_case(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(82);
    bouc_wen def = make(1.0, 1.0);
    hf_dahl_def dahl = {.level = hf_level_coulomb(LEVEL), .stiffness = STIFFNESS};
    for (int i = 0; i < 1000; i++) {
        double y[3], v[3];
        int dim = hf_rng_int(&rng, 1, 3);
        for (int k = 0; k < dim; k++) {
            y[k] = 2e-4 * hf_rng_normal(&rng);
            v[k] = hf_rng_normal(&rng);
        }
        hf_law_in in = {.gap = y, .rate = v, .y = y, .normal = 1.0};
        evaluation a = evaluate(HF_LAW_BOUC_WEN, &def, dim, &in);
        evaluation b = evaluate(HF_LAW_DAHL, &dahl, dim, &in);
        hf_check_near_array(a.force, b.force, dim, 0.0, "force", "dahl");
        hf_check_near_array(a.dy, b.dy, dim, 1e-14 * hf_length(dim, v), "e'", "dahl");
        hf_check_near(a.out.dissipated, b.out.dissipated, 1e-13 * (1.0 + b.out.dissipated),
                      "dissipated", "dahl");
    }
}

// f.v = stored' + dissipated, dissipated >= 0, |f| <= F is kept, and a turned motion turns all.
static void passive_in_every_direction(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(83);
    for (int i = 0; i < 5000; i++) {
        bouc_wen def = make(hf_rng_uniform(&rng, 1.0, 5.0), hf_rng_uniform(&rng, 0.5, 3.0));
        int dim = hf_rng_int(&rng, 1, 3);
        double y[3] = {0}, v[3] = {0}, power = 0.0, growth = 0.0, outward = 0.0;
        for (int k = 0; k < dim; k++) {
            y[k] = hf_rng_normal(&rng);
            v[k] = hf_rng_normal(&rng);
        }
        double size = hf_rng_int(&rng, 0, 1) == 0 ? 1.0 : hf_rng_uniform(&rng, 0.0, 1.0);
        double length = hf_length(dim, y);
        for (int k = 0; k < dim; k++)
            y[k] *= size * LEVEL / (STIFFNESS * length);
        hf_law_in in = {.gap = y, .rate = v, .y = y, .normal = 1.0};
        evaluation e = evaluate(HF_LAW_BOUC_WEN, &def, dim, &in);
        for (int k = 0; k < dim; k++) {
            power += e.force[k] * v[k];
            growth += STIFFNESS * y[k] * e.dy[k];
            outward += y[k] * e.dy[k];
        }
        double speed = hf_length(dim, v);
        assert_true(e.out.dissipated >= -1e-15 * LEVEL * speed);
        hf_check_near(growth + e.out.dissipated, power, 1e-13 * LEVEL * speed,
                      "stored' + dissipated", "f.v");
        if (size == 1.0)
            assert_true(outward <= 1e-14 * speed * LEVEL / STIFFNESS);
        // A quarter turn, x to y and y to -x.
        double turned_y[3] = {-y[1], y[0], y[2]}, turned_v[3] = {-v[1], v[0], v[2]};
        hf_law_in other = {.gap = turned_y, .rate = turned_v, .y = turned_y, .normal = 1.0};
        if (dim > 1) {
            evaluation t = evaluate(HF_LAW_BOUC_WEN, &def, dim, &other);
            hf_check_near(t.dy[0], -e.dy[1], 1e-14 * speed, "e' turned", "turned e'");
            hf_check_near(t.dy[1], e.dy[0], 1e-14 * speed, "e' turned", "turned e'");
        }
    }
}

// A loop between +-A takes energy: its area is the heat.
static void loops_dissipate(void **state)
{
    (void)state;
    for (double shape = 1.0; shape <= 4.0; shape += 1.0) {
        bouc_wen def = make(shape, 0.5);
        double e = 0.0, x = 2.0 * LEVEL / STIFFNESS, heat = 0.0, work = 0.0;
        (void)move(&def, &e, x);
        double before = 0.5 * STIFFNESS * e * e;
        for (int half = 0; half < 2; half++) {
            double v = half == 0 ? -2.0 * x : 2.0 * x;
            for (int i = 0; i < 20000; i++) {
                hf_law_in in = {.gap = &e, .rate = &v, .y = &e, .normal = 1.0};
                evaluation now = evaluate(HF_LAW_BOUC_WEN, &def, 1, &in);
                heat += now.out.dissipated / 20000.0;
                work += now.force[0] * v / 20000.0;
                e += now.dy[0] / 20000.0;
            }
        }
        double stored = 0.5 * STIFFNESS * e * e - before;
        assert_true(heat > LEVEL * x);
        hf_check_near(work, heat + stored, 1e-3 * heat, "work of a loop", "heat and stored energy");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),          cmocka_unit_test(virgin_curve_and_unloading),
        cmocka_unit_test(dahl_is_a_case),  cmocka_unit_test(passive_in_every_direction),
        cmocka_unit_test(loops_dissipate),
    };
    return hf_run_tests(tests);
}
