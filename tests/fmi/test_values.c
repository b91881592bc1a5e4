// SPDX-License-Identifier: Apache-2.0
// Part of test-fmu-calls: values in and out, ranges, units, derivatives of inputs.
#include <math.h>
#include <stdlib.h>

#include "calls.h"

// ------------------------------------------------------------------------------------------------
// Values

// Bounds belong to the range; the next number does not. What is refused changes nothing.
void test_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double low, high; // in SI units
    } ranges[] = {{"mass", 0.5, 5.0},
                  {"share", 0.0, 1.0},
                  {"turn", -3.14159265358979323846, 3.14159265358979323846}};
    instance i;
    fmu_begin(make(&i));
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k) {
        const char *name = ranges[k].name;
        const double good[] = {ranges[k].high, ranges[k].low};
        const double wrong[] = {nextafter(ranges[k].high, INFINITY),
                                nextafter(ranges[k].low, -INFINITY)};
        for (int n = 0; n < 2; ++n) {
            fmu_write(&i, name, good[n]);
            assert_int_equal(fmu_try(&i, name, wrong[n]), STATUS_ERROR);
            expect_log(&i, "is outside of its range");
            hf_check_same_bits(fmu_read(&i, name), good[n], name);
        }
        assert_int_equal(fmu_try(&i, name, INFINITY), STATUS_ERROR);
        expect_log(&i, "must be a finite number");
    }
    fmu_write(&i, "push", -0.0); // zero has no sign
    hf_check_same_bits(fmu_read(&i, "push"), 0.0, "push");
    assert_int_equal(fmu_try(&i, "time", 1.0), STATUS_ERROR);
    expect_log(&i, "'time' is computed by the machine");
    // The first reference behind the last variable
    unsigned reference = 0;
    double value = 7.0;
    while (fmu_get(&i, &reference, 1, &value) == STATUS_OK) {
        ++reference;
    }
    assert_int_equal(reference, VARIABLES);
    i.log[0] = '\0';
    assert_int_equal(fmu_set(&i, &reference, 1, &value), STATUS_ERROR);
    expect_log(&i, "no variable with the value reference 14\n");
    fmu_free(&i);
}

// What the machine computes with is what the host said, in whatever unit the model has the
// parameter: another parameter that follows from it tells. Before, in and after the initialization.
void test_units(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"mass", "same_mass"}, {"share", "same_share"}, {"turn", "same_turn"}};
    hf_rng rng = hf_rng_create(20);
    for (int n = 0; n < 90; ++n) {
        const char *const *pair = pairs[n % 3];
        double said = hf_rng_uniform(&rng, n % 3 == 2 ? -3.0 : 0.5, n % 3 == 1 ? 1.0 : 3.0);
        instance i;
        bring(&i, 1 << (n / 3 % 3));
        fmu_write(&i, pair[0], said);
        hf_check_same_bits(fmu_read(&i, pair[0]), said, pair[0]);
        hf_check_near(fmu_read(&i, pair[1]), said, n % 3 == 1 ? 2.3e-16 : 0.0, pair[1],
                      "what it follows from");
        fmu_free(&i);
    }
}

// A parameter that the machine refuses is told when it is to act, and is not kept: the run is that
// of a host that never asked for it.
void test_refused_parameter(void **state)
{
    (void)state;
    instance i, calm;
    instance *both[] = {make(&i), make(&calm)};
    for (int k = 0; k < 2; ++k) {
        fmu_write(both[k], "push", 25.0);
        fmu_begin(both[k]);
        assert_int_equal(fmu_step(both[k], 0.0, 0.5), STATUS_OK);
    }
    i.log[0] = '\0';
    fmu_write(&i, "level", -2.0);
    assert_int_equal(fmu_step(&i, 0.5, 0.5), STATUS_ERROR);
    expect_log(&i, "level must be zero or positive, got level, which is -2");
    hf_check_same_bits(fmu_read(&i, "level"), 10.0, "level");
    fmu_write(&i, "level", -3.0);
    unsigned reference = 0;
    double time = -1.0;
    assert_int_equal(fmu_get(&i, &reference, 1, &time), STATUS_ERROR);
    expect_log(&i, "which is -3");
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(fmu_step(both[k], 0.5, 0.5), STATUS_OK);
    }
    snapshot one = take(&i), two = take(&calm);
    check_same(&one, &two, "refused parameter");
    hf_check_near(fmu_read(&i, "block.velocity"), 15.0 / 2.0, 1e-12, "speed", "(push - level) t/m");
    free(one.bytes);
    free(two.bytes);
    // Before the start
    fmu_free(&i);
    bring(&i, STARTING);
    fmu_write(&i, "level", -1.0);
    void *kept = NULL;
    assert_int_equal(fmu_get_state(&i, &kept), STATUS_ERROR);
    assert_null(kept);
    expect_log(&i, "which is -1");
    assert_int_equal(fmu_exit(&i), STATUS_OK);
    fmu_free(&i);
    fmu_free(&calm);
}

// Derivatives of the input, all orders at once: the method takes the force in the middle of each of
// its steps, whose sum is the momentum. Under `timestep`, which adds up nothing else.
void test_slopes(void **state)
{
    (void)state;
    if (opened->version != 2) {
        skip();
    }
    derive *set = CALL(derive *, "fmi2SetRealInputDerivatives");
    const double c[] = {3.0, -20.0, 90.0, 700.0, -2500.0}, h = 0.01, mass = 2.0;
    const int orders[] = {1, 2, 3, 4};
    instance i, *j = &i;
    assert_non_null(fmu_instantiate(other, NULL, NULL, true, j));
    unsigned push = fmu_reference(other, "push"), refs[] = {push, push, push, push};
    fmu_write(j, "level", 0.0);
    fmu_begin(j);
    double momentum = 0.0;
    for (int n = 0; n < 4; ++n) { // communication steps of 10, 3, 10 and 5 steps of the method
        static const int counts[] = {10, 3, 10, 5}, starts[] = {0, 10, 13, 23};
        double t = starts[n] * h, end = (starts[n] + counts[n]) * h;
        fmu_write(j, "push", c[0]);
        assert_int_equal(set(j->c, refs, 4, orders, c + 1), STATUS_OK);
        for (int k = 0; k < counts[n]; ++k) { // sum of c[k] s^k/k!
            double s = (k + 0.5) * h;
            momentum += h * (c[0] + s * (c[1] + s / 2 * (c[2] + s / 3 * (c[3] + s / 4 * c[4]))));
        }
        assert_int_equal(fmu_step(j, t, end - t), STATUS_OK);
        hf_check_near(fmu_read(j, "block.velocity"), momentum / mass, 1e-12, "speed",
                      "sum of forces in the middle of steps");
        double s = end - t;
        hf_check_near(fmu_read(j, "push"),
                      c[0] + s * (c[1] + s / 2 * (c[2] + s / 3 * (c[3] + s / 4 * c[4]))), 1e-12,
                      "input", "what the derivatives say");
    }
    // What cannot be a derivative
    static const struct {
        const char *name;
        int order;
        double value;
        const char *why;
    } wrong[] = {{"push", 0, 1.0, "takes finite derivatives of the orders 1 to 4"},
                 {"push", 5, 1.0, "takes finite derivatives of the orders 1 to 4"},
                 {"push", -1, 1.0, "takes finite derivatives of the orders 1 to 4"},
                 {"push", 1, (double)INFINITY, "takes finite derivatives of the orders 1 to 4"},
                 {"mass", 1, 1.0, "'mass' is no input"},
                 {"block.position", 1, 1.0, "'block.position' is no input"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        unsigned reference = fmu_reference(other, wrong[k].name);
        assert_int_equal(set(j->c, &reference, 1, &wrong[k].order, &wrong[k].value), STATUS_ERROR);
        expect_log(j, wrong[k].why);
    }
    unsigned far = 99;
    assert_int_equal(set(j->c, &far, 1, orders, c), STATUS_ERROR);
    expect_log(j, "value reference 99");
    assert_int_equal(set(NULL, refs, 1, orders, c), STATUS_ERROR);
    assert_int_equal(set(j->c, NULL, 0, NULL, NULL), STATUS_OK);
    fmu_free(j);
}
