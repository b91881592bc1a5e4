// SPDX-License-Identifier: Apache-2.0
// The PID law by itself: its equations, limits and samples.
#include "laws_test.h"

static hf_pid_def gains(void)
{
    hf_pid_def def = hf_pid_def_default();
    def.proportional = 30.0;
    def.integral = 50.0;
    def.derivative = 4.0;
    def.bias = 0.5;
    return def;
}

// (1)-(4) at random motions; the limits hold whatever comes.
static void equations(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(71);
    for (int i = 0; i < 2000; i++) {
        hf_pid_def def = gains();
        def.low = hf_rng_uniform(&rng, -20.0, -1.0);
        def.high = hf_rng_uniform(&rng, 1.0, 20.0);
        def.anti_windup = hf_rng_uniform(&rng, 0.01, 2.0);
        double x = hf_rng_normal(&rng), v = hf_rng_normal(&rng), y = 10.0 * hf_rng_normal(&rng);
        double inputs[HF_PID_INPUT_COUNT] = {hf_rng_normal(&rng), hf_rng_normal(&rng),
                                             hf_rng_normal(&rng)};
        hf_law_in in = {.gap = &x, .rate = &v, .y = &y, .inputs = inputs};
        evaluation e = evaluate(HF_LAW_PID, &def, 1, &in);
        double w = 0.5 + inputs[2] + 30.0 * (inputs[0] - x) + 4.0 * (inputs[1] - v) + y;
        double u = fmin(def.high, fmax(def.low, w));
        hf_check_near(-e.force[0], u, 1e-12, "u", "(3)");
        hf_check_near(e.dy[0], 50.0 * (inputs[0] - x) + (u - w) / def.anti_windup, 1e-9, "I'",
                      "(4)");
        hf_check_near(e.out.dissipated, -u * v, 1e-12, "power taken", "-u v");
        assert_true(-e.force[0] >= def.low && -e.force[0] <= def.high);
        assert_true(e.out.stored == 0.0);
    }
}

// Samples are the recursion (5), and the force holds between them.
static void samples(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(72);
    for (int differences = 0; differences < 2; differences++) {
        hf_pid_def def = gains();
        def.low = -8.0;
        def.high = 9.0;
        def.period = 0.01;
        def.differences = differences == 1;
        double memory[HF_PID_MEMORY_COUNT] = {0}, integral = 0.0, before = 0.0;
        double back = def.period / sqrt(4.0 / 50.0);
        for (int n = 0; n < 500; n++) {
            double x = 0.3 * hf_rng_normal(&rng), v = hf_rng_normal(&rng);
            double inputs[HF_PID_INPUT_COUNT] = {0.1, 0.2, 0.3};
            double error = 0.1 - x;
            double rate = differences == 0 ? 0.2 - v : (n == 0 ? 0.0 : (error - before) / 0.01);
            double w = 0.5 + 0.3 + 30.0 * error + 4.0 * rate + integral;
            double u = fmin(9.0, fmax(-8.0, w));
            hf_law_in in = {.gap = &x, .rate = &v, .inputs = inputs, .memory = memory};
            hf_pid_sample(&def, &in, memory);
            integral += 0.01 * 50.0 * error + back * (u - w);
            before = error;
            x = 77.0; // the motion between samples has no say
            evaluation e = evaluate(HF_LAW_PID, &def, 1, &in);
            hf_check_near(-e.force[0], u, 1e-12, "u", "(5)");
            hf_check_near(memory[HF_PID_INTEGRAL], integral, 1e-11, "I", "(5)");
        }
    }
}

// The drive of a benchmark: u = Kp (r - x) - Kd (x(n) - x(n-2))/(2 T).
static void differences_over_two_samples(void **state)
{
    (void)state;
    hf_pid_def def = {.proportional = 30.0,
                      .derivative = 4.0,
                      .low = -HF_PID_NONE,
                      .high = HF_PID_NONE,
                      .period = 0.01,
                      .position_differences = true,
                      .span = 2};
    double memory[HF_PID_MEMORY_COUNT] = {0};
    const double x[] = {0.1, 0.12, 0.17, 0.13}, r[] = {0.0, 1.0, 3.0, 2.0};
    for (int n = 0; n < 4; ++n) {
        double v = 55.0; // the velocity has no say
        const double inputs[HF_PID_INPUT_COUNT] = {r[n], 0.0, 0.0};
        hf_law_in in = {.gap = &x[n], .rate = &v, .inputs = inputs, .memory = memory};
        hf_pid_sample(&def, &in, memory);
        double want = 30.0 * (r[n] - x[n]) - (n < 2 ? 0.0 : 4.0 * (x[n] - x[n - 2]) / 0.02);
        hf_check_near(memory[HF_PID_COMMAND], want, 1e-12, "u", "differences by hand");
    }
    hf_fault fault;
    def.span = 3;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "span", NULL, "1 or 2");
    def = gains();
    def.span = 2;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "span", NULL, "goes with");
    def = gains();
    def.position_differences = true;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "position_differences", NULL,
                 "needs a period");
}

static void chosen_anti_windup(void **state)
{
    (void)state;
    hf_pid_def def = gains();
    hf_check_near(hf_pid_anti_windup(&def), sqrt(4.0 / 50.0), 1e-15, "Tt", "sqrt(Kd/Ki)");
    def.derivative = 0.0;
    hf_check_near(hf_pid_anti_windup(&def), 30.0 / 50.0, 1e-15, "Tt", "Kp/Ki");
    def.period = 1.0;
    hf_check_near(hf_pid_anti_windup(&def), 1.0, 0.0, "Tt", "not below the period");
    def.anti_windup = 3.0;
    hf_check_near(hf_pid_anti_windup(&def), 3.0, 0.0, "Tt", "as given");
    def.integral = 0.0;
    hf_check_near(hf_pid_anti_windup(&def), 0.0, 0.0, "Tt", "no integral action");
}

static void faults(void **state)
{
    (void)state;
    hf_fault fault;
    hf_pid_def def = gains();
    assert_int_equal(hf_pid_def_check(&def, 1, &fault), HF_OK);
    def.integral = -1.0;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "integral", NULL, "zero or positive");
    def = gains();
    def.low = 2.0;
    def.high = 2.0;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "high", NULL, "above low");
    def = gains();
    def.high = 2.0;
    def.proportional = def.derivative = 0.0;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "anti_windup", NULL, "must be given");
    def = gains();
    def.period = 1e-9;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "period", NULL, "at least 1e-6");
    def.period = 0.1;
    def.anti_windup = 0.05;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "anti_windup", NULL, "below period");
    def = gains();
    def.differences = true;
    expect_fault(hf_pid_def_check(&def, 1, &fault), &fault, "differences", NULL, "needs a period");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations),
        cmocka_unit_test(samples),
        cmocka_unit_test(chosen_anti_windup),
        cmocka_unit_test(differences_over_two_samples),
        cmocka_unit_test(faults),
    };
    return hf_run_tests(tests);
}
