// SPDX-License-Identifier: Apache-2.0
// Logs as inputs: the integrator goes through their samples without beginning anew, and passes over
// none of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/models.h>
#include <holdfast/sim.h>

#include "hf_test.h"

enum { ROWS = 500 };

// A block on a dry slide, pulled by a table of 500 points; `spike`: zero but for one of them.
static hf_model *build(const char *method, const char *interpolation, bool spike, double rtol)
{
    static char text[ROWS * 40 + 1000];
    int at = snprintf(
        text, sizeof text,
        "method: {type: %s, step: 0.05, rtol: %g}\n"
        "bodies: {block: {type: mass, dim: 1, mass: 2}}\n"
        "forces:\n"
        "  - {name: pull, on: block, type: force, value: log}\n"
        "%s"
        "signals: {log: {table: {interpolation: %s, points: [",
        method, rtol,
        spike ? ""
              : "  - {name: pad, on: block, type: friction, law: coulomb, level: {coulomb: "
                "3, viscous: 0.8}}\n",
        interpolation);
    for (int k = 0; k < ROWS; ++k) {
        double t = 0.01 * k;
        double u = spike ? (k == 333 ? 50.0 : 0.0)
                         : 6.0 * sin(2.0 * t) + 4.0 * sin(5.3 * t + 1.0) + 0.3 * sin(900.0 * t);
        at += snprintf(text + at, sizeof text - (size_t)at, "%s[%.3f, %.9g]", k == 0 ? "" : ", ", t,
                       u);
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "]}}}\n");
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, strlen(text), "log.yaml", NULL, NULL, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static double run(const hf_model *model, hf_sim_stats *stats, bool velocity, bool interrupted)
{
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    if (sim == NULL || hf_sim_advance(sim, 2.0, false, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    if (interrupted) {
        size_t size = hf_sim_save_size(sim);
        void *memory = malloc(size);
        assert_non_null(memory);
        hf_sim_save(sim, memory);
        hf_sim_destroy(sim);
        sim = hf_sim_create(model, NULL, &error);
        assert_true(sim != NULL && hf_sim_restore(sim, memory, size, &error) == HF_OK);
        free(memory);
    }
    assert_true(hf_sim_advance(sim, 4.9, false, &error) == HF_OK);
    *stats = hf_sim_get_stats(sim);
    double value = velocity ? hf_sim_velocities(sim)[0] : hf_sim_positions(sim)[0];
    hf_sim_destroy(sim);
    return value;
}

static void goes_through_samples(void **state)
{
    (void)state;
    static const char *const holds[] = {"linear", "smooth"};
    for (int i = 0; i < 2; ++i) {
        hf_sim_stats loose, tight;
        hf_model *model = build("switch", holds[i], false, 1e-6);
        double got = run(model, &loose, false, false);
        hf_check_same_bits(run(model, &tight, false, true), got, "a run that was interrupted");
        hf_model_destroy(model);
        // At this tolerance pieces end at every sample
        model = build("switch", holds[i], false, 1e-11);
        double want = run(model, &tight, false, false);
        hf_model_destroy(model);
        hf_check_near(got, want, 2e-4, "position [m]", "pieces from sample to sample");
        hf_check_below((double)loose.restarts, 40.0, "beginnings", "one an event");
        hf_check_below(400.0, (double)tight.restarts, "beginnings", "one a sample");
        assert_true(loose.events >= 2);
    }
}

static void passes_over_nothing(void **state)
{
    (void)state;
    static const char *const methods[] = {"switch", "adaptive"};
    for (int i = 0; i < 2; ++i) {
        hf_sim_stats stats;
        hf_model *model = build(methods[i], "linear", true, 1e-6);
        // The area of a triangle of 50 N and 0.02 s, over 2 kg
        hf_check_near(run(model, &stats, true, false), 0.25, 1e-5, "velocity [m/s]", "impulse");
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_through_samples),
        cmocka_unit_test(passes_over_nothing),
    };
    return hf_run_tests(tests);
}
