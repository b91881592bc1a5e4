// SPDX-License-Identifier: Apache-2.0
// Runs side by side have the bits of runs alone: machines of every kind that fits, and random ones,
// under every method that fits, each run with its own start, inputs and parameters.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/batch.h>
#include <holdfast/models.h>

#include "../random/machine.h"
#include "hf_test.h"

enum { RUNS = 6, STEPS = 60 };

static const char *const methods[] = {"euler", "semi-implicit-euler", "verlet", "rk4", "rk4-tau"};

static const char arm[] =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: rk4, step: 1e-3}\n"
    "signals: {shoulder: {input: 0}, elbow: {input: 0.2}, hum: \"sin(40*t)\"}\n"
    "bodies:\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      upper: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.15, 0, 0],"
    " inertia: [0.01, 0.01, 0.01]}\n"
    "      lower: {type: revolute, parent: upper, offset: [0.3, 0, 0], axis: [0, 1, 0], mass: 0.7,"
    " center: [0.1, 0, 0], inertia: [0.005, 0.005, 0.005]}\n"
    "      hand: {type: revolute, parent: lower, offset: [0.3, 0, 0], axis: [0, -1, 0], mass: 0.2,"
    " center: [0.1, 0, 0.02], inertia: [0.001, 0.001, 0.001], armature: 0.01}\n"
    "  slider: {type: mass, dim: 2, mass: 1.5}\n"
    "forces:\n"
    "  - {name: a-drive, on: arm.upper, type: torque, value: shoulder}\n"
    "  - {name: a, on: arm.upper, type: friction, law: stiction, level: 0.5, stiffness: 1e4,"
    " damping: 50}\n"
    "  - {name: lower-drive, on: arm.lower, type: torque, value: elbow}\n"
    "  - {name: b, on: arm.lower, type: friction, law: lugre, level: 0.3, stiffness: 1e3,"
    " damping: 5}\n"
    "  - {name: hand-spring, on: arm.hand, type: spring, stiffness: 3, damping: 0.01}\n"
    "  - {name: hand-hum, on: arm.hand, type: torque, value: hum}\n"
    "  - {name: pull, on: slider, type: force, value: [shoulder, hum]}\n"
    "  - {name: rub, on: slider, type: friction, law: dahl, level: 1, stiffness: 1e3}\n";

// The same numbers whenever asked: what run `run` has in place `i`.
static double number(int run, int i)
{
    return sin(1.7 * run + 0.9 * i + 0.3);
}

static hf_model *model_of(const char *text, const char *method, hf_error *error)
{
    const hf_overrides overrides = {.method = method};
    return hf_model_parse(text, strlen(text), "batch.yaml", NULL, &overrides, error);
}

static hf_body body_in(const hf_batch *batch, int run, int id)
{
    return batch == NULL ? (hf_body){id} : hf_batch_body(batch, run, (hf_body){id});
}

// Each run starts a little beside the others.
static void start(const hf_model *model, hf_sim *sim, const hf_batch *batch, int run)
{
    hf_error error = {0};
    for (int id = 1; id <= hf_model_get_info(model).bodies; ++id) {
        double v[6];
        hf_body_slots at = hf_model_body_slots(model, (hf_body){id});
        hf_body body = body_in(batch, run, id);
        if (at.velocity_count > 0) {
            memcpy(v, hf_sim_velocity(sim, body), (size_t)at.velocity_count * sizeof *v);
            for (int k = 0; k < at.velocity_count; ++k) {
                v[k] += 0.3 * number(run, k + at.velocity);
            }
            assert_int_equal(hf_sim_set_velocity(sim, body, v, &error), HF_OK);
        }
    }
}

// Inputs change at other times in each run.
static void drive(const hf_model *model, hf_sim *sim, const hf_batch *batch, int run, int step)
{
    for (int i = 0; step % (7 + run) == 0 && i < hf_model_input_count(model); ++i) {
        hf_signal input = hf_model_input(model, i);
        input = batch == NULL ? input : hf_batch_signal(batch, run, input);
        hf_sim_set_input(sim, input, number(run, step + i));
    }
}

// All runs side by side; false where a step fails. rows: [RUNS][STEPS][channels]
static bool run_batch(const hf_model *model, hf_batch *batch, double *rows)
{
    hf_error error = {0};
    hf_sim *sim = hf_batch_sim(batch);
    int channels = hf_model_record_count(model);
    for (int run = 0; run < RUNS; ++run) {
        start(model, sim, batch, run);
    }
    for (int k = 0; k < STEPS; ++k) {
        for (int run = 0; run < RUNS; ++run) {
            drive(model, sim, batch, run, k);
        }
        if (hf_sim_step(sim, &error) < 0) {
            return false;
        }
        for (int run = 0; run < RUNS; ++run) {
            for (int i = 0; i < channels; ++i) {
                hf_channel c = hf_batch_channel(batch, run, hf_model_record_channel(model, i));
                rows[(run * STEPS + k) * channels + i] = c.id == 0 ? 0.0 : hf_sim_value(sim, c);
            }
        }
    }
    return true;
}

static void check_alone(const hf_model *model, hf_batch *batch, hf_sim *sim, int run,
                        const double *rows, const char *what)
{
    hf_error error = {0};
    int channels = hf_model_record_count(model);
    start(model, sim, NULL, run);
    for (int k = 0; k < STEPS; ++k) {
        drive(model, sim, NULL, run, k);
        if (hf_sim_step(sim, &error) < 0) {
            fail_msg("%s: %s", what, error.text);
        }
        for (int i = 0; i < channels; ++i) {
            hf_channel c = hf_model_record_channel(model, i);
            double want = hf_sim_value(sim, c), got = rows[(run * STEPS + k) * channels + i];
            if (hf_batch_channel(batch, run, c).id != 0 && memcmp(&want, &got, sizeof got) != 0 &&
                !(isnan(want) && isnan(got))) {
                char name[200];
                hf_model_channel_name(model, c, name, sizeof name);
                fail_msg("%s, run %d, step %d: %s is %.17g side by side, %.17g alone", what, run, k,
                         name, got, want);
            }
        }
    }
}

// Returns whether the machine fits and runs.
static bool check_machine(const char *text, const char *method, const char *what)
{
    hf_error error = {0};
    hf_model *model = model_of(text, method, &error);
    hf_batch *batch = model == NULL ? NULL : hf_batch_create(model, NULL, RUNS, &error);
    bool fits = batch != NULL;
    assert_true(model == NULL || hf_model_record_count(model) > 0);
    if (fits) {
        size_t size = (size_t)(RUNS * STEPS * hf_model_record_count(model)) + 1;
        double *rows = calloc(size, sizeof *rows);
        assert_non_null(rows);
        fits = run_batch(model, batch, rows);
        for (int run = 0; fits && run < RUNS; ++run) {
            hf_sim *sim = hf_sim_create(model, NULL, &error);
            assert_non_null(sim);
            check_alone(model, batch, sim, run, rows, what);
            hf_sim_destroy(sim);
        }
        free(rows);
    } else if (model != NULL) {
        assert_true(error.status < 0 && error.text[0] != '\0');
    }
    hf_batch_destroy(batch);
    hf_model_destroy(model);
    return fits;
}

static void test_arm(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        assert_true(check_machine(arm, methods[m], methods[m]));
    }
}

static void test_random(void **state)
{
    (void)state;
    int fits = 0;
    for (uint64_t seed = 1; seed <= 150; ++seed) {
        hf_random_machine machine;
        hf_random_machine_make(&machine, seed, 1.0);
        char *text = hf_random_machine_text(&machine, 0);
        assert_non_null(text);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
            char what[80];
            (void)snprintf(what, sizeof what, "machine %d, %s", (int)seed, methods[m]);
            fits += check_machine(text, methods[m], what) ? 1 : 0;
        }
        free(text);
    }
    print_message("%d random machines ran side by side\n", fits);
    assert_true(fits >= 40);
}

// Each run its own numbers: trees that are no longer alike too.
static void test_parameters(void **state)
{
    (void)state;
    enum { NAMES = 3 };
    static const char *const names[NAMES] = {"arm.lower.mass", "a.level", "slider.mass"};
    hf_error error = {0};
    hf_model *model = model_of(arm, "rk4", &error);
    hf_batch *batch = hf_batch_create(model, NULL, RUNS, &error);
    assert_non_null(batch);
    char marked[RUNS * NAMES][80];
    const char *all[RUNS * NAMES];
    double values[RUNS * NAMES];
    for (int i = 0; i < RUNS * NAMES; ++i) {
        all[i] = marked[i];
        values[i] = 1.5 + number(i / NAMES, i % NAMES);
        assert_int_equal(
            hf_batch_parameter(batch, i / NAMES, names[i % NAMES], marked[i], sizeof *marked),
            HF_OK);
    }
    assert_int_equal(hf_sim_set_parameters(hf_batch_sim(batch), all, values, RUNS * NAMES, &error),
                     HF_OK);
    double *rows = calloc((size_t)(RUNS * STEPS * hf_model_record_count(model)), sizeof *rows);
    assert_non_null(rows);
    assert_true(run_batch(model, batch, rows));
    for (int run = 0; run < RUNS; ++run) {
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        assert_int_equal(hf_sim_set_parameters(sim, names, values + run * NAMES, NAMES, &error),
                         HF_OK);
        check_alone(model, batch, sim, run, rows, "with parameters");
        hf_sim_destroy(sim);
    }
    // Of the whole machine, unknown, too long
    char to[8];
    assert_int_equal(hf_batch_parameter(batch, 1, "gravity.z", to, sizeof to), HF_ERROR_NAME);
    assert_int_equal(hf_batch_parameter(batch, 1, "none.mass", to, sizeof to), HF_ERROR_NAME);
    assert_int_equal(hf_batch_parameter(batch, 1, "slider.mass", to, sizeof to), HF_ERROR_RANGE);
    free(rows);
    hf_batch_destroy(batch);
    hf_model_destroy(model);
}

static void test_refusals(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = model_of(arm, "timestep", &error);
    assert_non_null(model);
    assert_null(hf_batch_create(model, NULL, 4, &error));
    assert_int_equal(error.status, HF_ERROR_UNSUPPORTED);
    static const char *const others[][2] = {
        {"bodies: {b: {type: driven, velocity: 1}}\n", "driven bodies"},
        {"bodies: {b: {type: mass, dim: 1, mass: 1}}\n"
         "forces: [{name: f, on: b, type: force, value: -b.velocity}]\n",
         "signals of channels"},
        {"bodies: {b: {type: mass, dim: 1, mass: 1}}\n"
         "forces: [{name: f, on: b, type: friction, law: coulomb, level: 1}]\n",
         "whole steps"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        hf_model *other = model_of(others[i][0], i == 2 ? "euler" : "rk4", &error);
        assert_non_null(other);
        assert_null(hf_batch_create(other, NULL, 4, &error));
        assert_non_null(strstr(error.text, others[i][1]));
        hf_model_destroy(other);
    }
    assert_null(hf_batch_create(model, NULL, 0, &error));
    assert_int_equal(error.status, HF_ERROR_RANGE);
    hf_batch_destroy(NULL);
    hf_model_destroy(model);
}

// Chains in lanes whose angles are near, at the end of what sine and cosine of four at once reach,
// and beyond.
static void far_angles(void **state)
{
    (void)state;
    static const double angles[RUNS] = {0.3, 4.99e5, -5.01e5, 1e9, -4.9e5, 7.0};
    hf_error error = {0};
    for (int far = 0; far < 2; ++far) { // all near, then one beyond
        hf_model *model = model_of(arm, "rk4", &error);
        hf_batch *batch = hf_batch_create(model, NULL, RUNS, &error);
        assert_non_null(batch);
        int tree = hf_model_find_body(model, "arm.upper").id;
        double all[RUNS][2];
        for (int run = 0; run < RUNS; ++run) {
            double q[] = {far == 0 && fabs(angles[run]) > 5e5 ? 2.0 : angles[run]};
            for (int alone = 0; alone < 2; ++alone) {
                hf_sim *sim = alone == 1 ? hf_sim_create(model, NULL, &error) : hf_batch_sim(batch);
                for (int id = tree; id < tree + 3; ++id) {
                    hf_body body = alone == 1 ? (hf_body){id} : body_in(batch, run, id);
                    assert_int_equal(hf_sim_set_position(sim, body, q, &error), HF_OK);
                }
                if (alone == 1) {
                    assert_int_equal(hf_sim_step(sim, &error), HF_OK);
                    all[run][0] = hf_sim_velocity(sim, (hf_body){tree})[0];
                    all[run][1] = hf_sim_velocity(sim, (hf_body){tree + 2})[0];
                    hf_sim_destroy(sim);
                }
            }
        }
        assert_int_equal(hf_sim_step(hf_batch_sim(batch), &error), HF_OK);
        for (int run = 0; run < RUNS; ++run) {
            hf_sim *sim = hf_batch_sim(batch);
            hf_check_same_bits(hf_sim_velocity(sim, body_in(batch, run, tree))[0], all[run][0],
                               "the first link");
            hf_check_same_bits(hf_sim_velocity(sim, body_in(batch, run, tree + 2))[0], all[run][1],
                               "the last link");
        }
        hf_batch_destroy(batch);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm),        cmocka_unit_test(test_random),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_refusals),
        cmocka_unit_test(far_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
