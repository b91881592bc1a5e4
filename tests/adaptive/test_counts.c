// SPDX-License-Identifier: Apache-2.0
// The channels of `solver` that count what an integrator has done.
#include <hf_test.h>

#include <stdio.h>
#include <string.h>

#include "adaptive_test.h"

enum { COUNTS = 6 };

static const char *const NAMES[COUNTS] = {"solver.steps",    "solver.rejected",
                                          "solver.unsolved", "solver.evaluations",
                                          "solver.restarts", "solver.events"};

static hf_model *load(const char *example, const char *set, hf_error *error)
{
    char path[600];
    (void)snprintf(path, sizeof path, HF_SOURCE_DIR "/examples/%s.yaml", example);
    const hf_overrides overrides = {.items = &set, .count = set == NULL ? 0 : 1};
    hf_spec *spec = hf_spec_load(path, &overrides, error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, error);
    hf_spec_destroy(spec);
    return model;
}

// Two runs of 4 s, of which one is looked at after every step: equal to the bit. What is seen only
// rises and ends at the stats. The rejected steps at the end.
static double check_run(const hf_model *model, hf_method_def method, const char *origin)
{
    hf_sim *seen = sim_with(model, method), *unseen = sim_with(model, method);
    hf_error error = {0};
    double now[COUNTS] = {0.0};
    for (int k = 0; k < 400; ++k) {
        assert_int_equal(hf_sim_step(seen, &error), HF_OK);
        assert_int_equal(hf_sim_step(unseen, &error), HF_OK);
        for (int i = 0; i < COUNTS; ++i) {
            double last = now[i];
            now[i] = value_of(seen, NAMES[i]);
            if (now[i] < last) {
                fail_msg("%s: %s fell from %g to %g", origin, NAMES[i], last, now[i]);
            }
        }
    }
    hf_sim_stats stats = hf_sim_get_stats(unseen);
    const long long end[COUNTS] = {stats.internal_steps, stats.error_failures, stats.solve_failures,
                                   stats.evaluations,    stats.restarts,       stats.events};
    for (int i = 0; i < COUNTS; ++i) {
        hf_check_near(now[i], (double)end[i], 0.0, NAMES[i], origin);
    }
    assert_true(now[0] > 10.0 && now[3] > now[0] && now[4] >= 1.0);
    assert_memory_equal(seen->x, unseen->x, (size_t)model->n * sizeof *seen->x);
    hf_sim_destroy(seen);
    hf_sim_destroy(unseen);
    return now[1];
}

static void counts_agree(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *forced = load("oscillator-forced", NULL, &error);
    hf_model *robot = load("rps-robot-sine", NULL, &error);
    hf_model *smooth = load("oscillator", "forces.floor.law=viscous-approximation", &error);
    if (forced == NULL || robot == NULL || smooth == NULL) {
        fail_msg("%s", error.text);
    }
    (void)check_run(forced, switching(HF_FAMILY_ADAMS, 1e-8, 0.01), "oscillator-forced");
    assert_true(check_run(robot, switching(HF_FAMILY_ADAMS, 1e-6, 0.01), "robot, adams") > 10.0);
    assert_true(check_run(robot, switching(HF_FAMILY_BDF, 1e-6, 0.01), "robot, bdf") > 10.0);
    assert_true(check_run(smooth, adaptive(HF_FAMILY_BDF, 1e-8, 0.01), "smooth, bdf") > 1.0);
    assert_true(check_run(smooth, adaptive(HF_FAMILY_ADAMS, 1e-8, 0.01), "smooth, adams") > 1.0);
    assert_true(check_run(smooth, adaptive(HF_FAMILY_ERK, 1e-8, 0.01), "smooth, erk") > 1.0);
    hf_model_destroy(forced);
    hf_model_destroy(robot);
    hf_model_destroy(smooth);
}

static void other_methods_refuse(void **state)
{
    (void)state;
    hf_error error = {0};
    for (int i = 0; i < COUNTS; ++i) {
        char set[80];
        (void)snprintf(set, sizeof set, "record=[%s]", NAMES[i]);
        hf_model *model = load("oscillator", set, &error);
        assert_non_null(model);
        assert_int_equal(hf_model_record_count(model), 1);
        hf_model_destroy(model);
        assert_null(load("spring-mass", set, &error));
        assert_non_null(strstr(error.text, "only under the methods adaptive and switch"));
    }
    // Those of contacts stay as they were.
    hf_model *model = load("spring-mass", "record=[solver]", &error);
    assert_non_null(model);
    assert_int_equal(hf_model_record_count(model), 3);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_agree),
        cmocka_unit_test(other_methods_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
