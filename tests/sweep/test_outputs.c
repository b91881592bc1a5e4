// SPDX-License-Identifier: Apache-2.0
// What is kept of a run, against closed forms; wrong words, and their messages.
#include <math.h>

#include "sweep_files.h"

static const double PI = 3.14159265358979323846;

// A free oscillator: x = A cos(w t), w = sqrt(k/m).
static const char oscillator[] = "method: {type: rk4, step: 1e-3}\n"
                                 "duration: 12.566370614359172\n"
                                 "parameters: {w: 2}\n"
                                 "bodies: {m: {type: mass, dim: 1, mass: 1, position: 1}}\n"
                                 "forces:\n"
                                 "  - {name: spring, on: m, type: spring, stiffness: w^2}\n"
                                 "record: [m.position]\n";

static hf_sweep_def def_of(const char *text, const char *const *vary, int vary_count,
                           const char *const *of, int of_count)
{
    hf_sweep_def def = hf_sweep_def_default();
    def.text = text;
    def.length = strlen(text);
    def.vary = vary;
    def.vary_count = vary_count;
    def.of = of;
    def.of_count = of_count;
    return def;
}

static void test_gathers(void **state)
{
    (void)state;
    const char *vary[] = {"w=1,2,3"};
    const char *of[] = {"m.position",
                        "mean(m.position^2)",
                        "rms(m.velocity)",
                        "max(abs(m.velocity))",
                        "min(m.position)",
                        "zero=first(m.position < 0)",
                        "turns=count(m.velocity < 0)",
                        "period(m.position)",
                        "amplitude(m.position)",
                        "max(m.position) - min(m.position) + max(1, 2)",
                        "t",
                        "energy.kinetic + energy.stored"};
    hf_sweep_def def = def_of(oscillator, vary, 1, of, 12);
    hf_table *t = hf_sweep_rows(&def);
    assert_int_equal(t->rows, 3);
    for (long long i = 0; i < 3; ++i) {
        double w = (double)i + 1.0, end = hf_cell(t, "time", i);
        hf_check_near(end, 4.0 * PI, 1e-3, "end", "the duration, in whole steps");
        hf_check_near(hf_cell(t, "w", i), w, 0.0, "w", "given");
        hf_check_near(hf_cell(t, "m.position", i), cos(w * end), 1e-8, "x(T)", "closed form");
        hf_check_near(hf_cell(t, of[1], i), 0.5 + sin(2 * w * end) / (4 * w * end), 1e-5,
                      "mean of x^2", "closed form");
        hf_check_near(hf_cell(t, of[2], i), w * sqrt(0.5 - sin(2 * w * end) / (4 * w * end)), 1e-5,
                      "rms of v", "closed form");
        hf_check_near(hf_cell(t, of[3], i), w, 1e-5, "largest |v|", "closed form");
        hf_check_near(hf_cell(t, of[4], i), -1.0, 1e-5, "least x", "closed form");
        hf_check_near(hf_cell(t, "zero", i), 0.5 * PI / w, 1.01e-3, "first x < 0",
                      "a quarter period, to a step");
        hf_check_near(hf_cell(t, "turns", i), 2.0 * w, 0.0, "times that v falls below 0",
                      "two periods of w = 1");
        if (i > 1) { // w = 1 and 2: too few periods in the second half
            hf_check_near(hf_cell(t, of[7], i), 2 * PI / w, 1e-6, "period", "closed form");
        } else {
            assert_true(isnan(hf_cell(t, of[7], i)));
        }
        hf_check_near(hf_cell(t, of[8], i), 1.0, 1e-5, "amplitude", "closed form");
        hf_check_near(hf_cell(t, of[9], i), 4.0, 1e-5, "max - min + max(1, 2)", "closed form");
        hf_check_near(hf_cell(t, "t", i), end, 0.0, "t", "the end");
        hf_check_near(hf_cell(t, of[11], i), 0.5 * w * w, 1e-8, "energy", "conservation");
        assert_string_equal(hf_word(t, "verdict", i), "trustworthy");
        assert_string_equal(hf_word(t, "message", i), "");
    }
    assert_string_equal(t->columns[hf_table_find(t, "m.position")].unit, "m");
    hf_table_destroy(t);
}

// Names with '-' where there are such, and differences where there are not.
static void test_dashes(void **state)
{
    (void)state;
    const char *text = "method: {type: rk4, step: 1e-3}\n"
                       "duration: 0.01\n"
                       "bodies:\n"
                       "  box-1: {type: mass, dim: 1, mass: 1, position: 3}\n"
                       "  box: {type: mass, dim: 1, mass: 1, position: 5}\n"
                       "forces:\n"
                       "  - {name: box-spring, on: box, type: spring, stiffness: 1, rest: 5}\n";
    const char *vary[] = {"box.mass=1,2"};
    const char *of[] = {"box-1.position",
                        "box-1.position-box.position",
                        "box.position-box-1.position",
                        "max(box-1.position)",
                        "box.position-1.5",
                        "largest(box-spring)",
                        "mean(box.position-box-1.position)"};
    const double want[] = {3.0, -2.0, 2.0, 3.0, 3.5, 0.0, 2.0};
    hf_sweep_def def = def_of(text, vary, 1, of, 7);
    hf_table *t = hf_sweep_rows(&def);
    for (int k = 0; k < 7; ++k) {
        hf_check_near(hf_cell(t, of[k], 1), want[k], 1e-15, of[k], "at rest");
    }
    hf_table_destroy(t);
}

// After a time: only the end counts. The mean of cos over whole periods is 0.
static void test_after(void **state)
{
    (void)state;
    const char *vary[] = {"w=2"};
    const char *of[] = {"first(t >= 0)", "count(m.velocity < 0)", "mean(t)"};
    hf_sweep_def def = def_of(oscillator, vary, 1, of, 3);
    def.after = 3.0 * PI;
    hf_table *t = hf_sweep_rows(&def);
    hf_check_near(hf_cell(t, of[0], 0), 3.0 * PI, 1.01e-3, "first time", "after");
    hf_check_near(hf_cell(t, of[1], 0), 1.0, 0.0, "turns in one period", "closed form");
    hf_check_near(hf_cell(t, of[2], 0), 3.5 * PI, 1e-3, "mean time", "the middle");
    hf_table_destroy(t);
}

// A block that slides to rest: x = v^2/(2 mu g), then it sticks for ever.
static const char slide[] = "method: {type: discrete, step: 1e-4}\n"
                            "duration: 2\n"
                            "bodies: {b: {type: mass, dim: 1, mass: 2, velocity: 1}}\n"
                            "forces:\n"
                            "  - {name: floor, on: b, type: friction, law: coulomb, level: 4}\n";

static void test_regimes(void **state)
{
    (void)state;
    const char *vary[] = {"floor.level=2:4:3"};
    const char *of[] = {"b.position",         "stick(floor)",   "slip(floor) + open(floor)",
                        "transitions(floor)", "largest(floor)", "stop=first(b.velocity == 0)"};
    hf_sweep_def def = def_of(slide, vary, 1, of, 6);
    def.regimes = true;
    def.energy = true;
    hf_table *t = hf_sweep_rows(&def);
    assert_int_equal(t->rows, 3);
    for (long long i = 0; i < 3; ++i) {
        double level = 2.0 + (double)i, stop = 2.0 / level;
        hf_check_near(hf_cell(t, "b.position", i), 1.0 / level, 1e-4, "way", "m v^2/(2 F)");
        hf_check_near(hf_cell(t, "stop", i), stop, 1.1e-4, "time of stop", "m v/F");
        hf_check_near(hf_cell(t, "stick(floor)", i), 1.0 - stop / 2.0, 1.1e-4, "stick",
                      "closed form");
        hf_check_near(hf_cell(t, of[2], i), stop / 2.0, 1.1e-4, "slip", "closed form");
        hf_check_near(hf_cell(t, "largest(floor)", i), level, 1e-9, "largest force", "level");
        hf_check_same_bits(hf_cell(t, "floor.stick", i), hf_cell(t, "stick(floor)", i), "regimes");
        hf_check_near(hf_cell(t, "energy.dissipated", i), 1.0, 1e-3, "heat", "m v^2/2");
    }
    hf_table_destroy(t);
}

// ------------------------------------------------------------------------------------------------
// Failures are rows

static void test_failures(void **state)
{
    (void)state;
    const char *vary[] = {"b.mass=-1,-2", "method.step=1e-4,1e-3"};
    const char *of[] = {"b.position"};
    hf_sweep_def def = def_of(slide, vary, 2, of, 1);
    hf_error error = {0};
    // No case compiles: no sweep
    def.output = "/tmp/never.h5";
    assert_null(hf_sweep_create(&def, &error));
    assert_non_null(strstr(error.text, "mass"));
    vary[0] = "b.mass=1,-1";
    vary[1] = "method.step=1e-4,1e-3";
    hf_table *t = hf_sweep_rows(&def);
    assert_int_equal(t->rows, 4);
    for (long long i = 0; i < 4; ++i) {
        bool good = i < 2;
        assert_string_equal(hf_word(t, "verdict", i), good ? "trustworthy" : "failed");
        assert_int_equal(isnan(hf_cell(t, "b.position", i)), !good);
        assert_int_equal(strstr(hf_word(t, "message", i), "mass") != NULL, !good);
    }
    hf_table_destroy(t);
}

// What is wrong is told before anything runs.
static void test_messages(void **state)
{
    (void)state;
    static const struct {
        const char *vary, *of, *want;
    } wrong[] = {
        {"floor.level", "t", "expected NAME=VALUES"},
        {"floor.level=", "t", "expected NAME=VALUES"},
        {"floor.level=1:2", "t", "expected LOW:HIGH:COUNT"},
        {"floor.level=1:2:x", "t", "expected LOW:HIGH:COUNT"},
        {"floor.level=1:2:0", "t", "whole number"},
        {"floor.level=1:2:2.5", "t", "whole number"},
        {"floor.level=log:-1:2:3", "t", "logarithm"},
        {"floor.level=normal:1:-1", "t", "deviation"},
        {"floor.level=uniform:2:1", "t", "below HIGH"},
        {"floor.level=uniform:1:2", "t", "number of samples"},
        {"floor.level=log:1:2", "t", "log:LOW:HIGH:COUNT"},
        {"floor.level=1,,2", "t", "empty"},
        {"floor.levle=1,2", "t", "levle"},
        {"flor.level=1,2", "t", "did you mean 'floor.level'"},
        {"bodies.b.maas=1,2", "t", "maas"},
        {"floor.level.coulomb=1,2", "t", "is a single value"},
        {"floor.level=1,2", "b.positio", "did you mean 'b.position'"},
        {"floor.level=1,2", "max(b.position", "not closed"},
        {"floor.level=1,2", "stick(flor)", "name of a force"},
        {"floor.level=1,2", "max(c_0)", "unknown name"},
        {"floor.level=1,2", "fnal(b.position)", "unknown name 'fnal' (did you mean 'final'?)"},
        {"floor.level=1,2", "1 +", "of '1 +'"},
        {"floor.level=1,2", "nonsense(b.position)", "unknown"},
        {"floor.level=1,2", "'b.position", "not ended"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        hf_sweep_def def = def_of(slide, &wrong[i].vary, 1, &wrong[i].of, 1);
        hf_error error = {0};
        def.output = "/tmp/never.h5";
        hf_sweep *sweep = hf_sweep_create(&def, &error);
        if (sweep != NULL || strstr(error.text, wrong[i].want) == NULL) {
            fail_msg("%s, %s: no '%s' in '%s'", wrong[i].vary, wrong[i].of, wrong[i].want,
                     error.text);
        }
    }
    hf_sweep_def def = def_of(slide, NULL, 0, NULL, 0);
    hf_error error = {0};
    def.output = "out.h5";
    assert_null(hf_sweep_create(&def, &error));
    assert_non_null(strstr(error.text, "nothing varies"));
    def.output = "out.txt";
    assert_null(hf_sweep_create(&def, &error));
    assert_non_null(strstr(error.text, ".csv"));
}

// Texts, units and several axes: the last varies fastest.
static void test_axes(void **state)
{
    (void)state;
    const char *vary[] = {"floor.law=coulomb,dahl", "bodies.b.mass=1 kg,500 g",
                          "method.step=log:1e-4:1e-2:3"};
    const char *of[] = {"energy.kinetic"};
    hf_sweep_def def = def_of(slide, vary, 3, of, 1);
    def.duration = 0.01;
    hf_table *t = hf_sweep_rows(&def);
    assert_int_equal(t->rows, 12);
    assert_string_equal(hf_word(t, "floor.law", 5), "coulomb");
    assert_string_equal(hf_word(t, "floor.law", 6), "dahl");
    assert_string_equal(hf_word(t, "bodies.b.mass", 2), "1 kg");
    assert_string_equal(hf_word(t, "bodies.b.mass", 3), "500 g");
    hf_check_near(hf_cell(t, "method.step", 1), 1e-3, 1e-18, "middle of the log grid", "ratio");
    hf_check_same_bits(hf_cell(t, "method.step", 2), 1e-2, "end of the log grid");
    hf_table_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gathers),  cmocka_unit_test(test_dashes),
        cmocka_unit_test(test_after),    cmocka_unit_test(test_regimes),
        cmocka_unit_test(test_failures), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
