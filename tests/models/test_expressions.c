// SPDX-License-Identifier: Apache-2.0
// Expressions in model files: steps that do not allocate, and steps that end at kinks.
#include "models_test.h"

#include <math.h>

#include "sim/sim_data.h"

// A sim steps over a model with expressions without allocating.
static void steps_do_not_allocate(void **state)
{
    (void)state;
    hf_spec *spec =
        parse_good("bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                   "forces:\n"
                   "  - {name: pull, on: block, type: force, value: 't<1 ? sin(t) : 1'}\n"
                   "  - {name: s, on: block, type: spring, stiffness: 1000, to: 'cos(3*t)'}\n");
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec); // the formulas live on in the model
    assert_non_null(model);
    hf_sim *sim = hf_sim_create(model, NULL, &error), *other = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    assert_non_null(other);
    long long before = hf_test_allocations();
    for (int i = 0; i < 2000; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    assert_int_equal(hf_test_allocations() - before, 0);
    hf_sim_destroy(sim);
    hf_sim_destroy(other);
    hf_model_destroy(model);
}

static hf_sim *driven_by(const char *motion, const char *method)
{
    char text[600];
    (void)snprintf(text, sizeof text,
                   "method: {type: %s, step: 0.01}\n"
                   "bodies:\n"
                   "  belt: {type: driven, %s}\n",
                   method, motion);
    hf_spec *spec = parse_good(text);
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    assert_non_null(model);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    return sim;
}

static void end(hf_sim *sim)
{
    hf_model *model = (hf_model *)hf_sim_model(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A belt whose velocity is given by an expression with kinks goes where the integral says, with a
// method that is exact for straight lines only: its steps end at the kinks.
static void steps_end_at_kinks(void **state)
{
    (void)state;
    hf_sim *sim =
        driven_by("velocity: \"min(t, 0.5333) + abs(2*t - 1.2777) + (3*t < 2.0001)\"", "rk4");
    hf_error error = {0};
    while (hf_sim_time(sim) < 1.0 - 1e-9) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    double k = 0.5333, m = 1.2777 / 2;
    double want = k * k / 2 + k * (1 - k) + m * m + (1 - m) * (1 - m) + 2.0001 / 3;
    hf_check_near(hf_sim_q(sim, (hf_coordinate){{1}, 0}), want, 1e-13, "position", "the integral");
    end(sim);
}

// Signals tell their second derivative, and what is not known before as switching functions.
static void seconds_and_switches(void **state)
{
    (void)state;
    hf_sim *sim = driven_by("position: \"0.01*sin(10*t) + 2*abs(sin(5*t)) + min(t, 0.53)\"", "rk4");
    double values[1], largest = 0.0;
    assert_int_equal(hf_signal_switch_count(sim->model, 0), 1);
    for (int i = 0; i < 1000; ++i) {
        double t = 1e3 * i + 0.1;
        hf_signal_switches(sim, 0, t, values);
        hf_check_near(values[0], sin(5 * t), 0, "switching function", "sin(5 t)");
        double want = -sin(10 * t) - 50 * fabs(sin(5 * t));
        largest = fmax(largest, fabs(hf_signal_second(sim, 0, t, HF_SIDE_AT) - want));
    }
    hf_check_below(largest, 1e-13, "error of the second derivative", "by hand");
    end(sim);
}

// Where an expression may stand, a number in quotes is one.
static void quoted_numbers_are_expressions(void **state)
{
    (void)state;
    hf_sim *sim = driven_by("velocity: \"0.25\"", "rk4");
    for (int i = 0; i < 200; ++i) {
        hf_error error;
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    hf_check_near(sim->x[0], 0.5, 1e-14, "position after 2 s", "0.25 m/s");
    end(sim);
}

int main(void)
{
    const struct CMUnitTest expressions[] = {
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(steps_end_at_kinks),
        cmocka_unit_test(seconds_and_switches),
        cmocka_unit_test(quoted_numbers_are_expressions),
    };
    return hf_run_tests(expressions);
}
