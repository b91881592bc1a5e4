// SPDX-License-Identifier: Apache-2.0
// A ball-screw axis with its position loop: the benchmark EMPS [Janot2019], whose logs are in
// HOLDFAST_DATA. Inverse dynamics gives the published values and deviations; the closed loop is
// simulated with them, and fitted with frictions that differ by direction.
//
// A build fits to the first 2 s; HF_FIT_LONG=1 to all of it, and judges by the pulses.
#include <stdio.h>
#include <stdlib.h>

#include "fit/filter.h"
#include "fit_scene.h"

static const char *data;

// Open loop: the recorded force drives it.
static const char axis[] =
    "method: {type: discrete, step: 1e-3}\n"
    "parameters: {mass: 80, fv: 150, fc: 15, offset: {value: 0, range: [-20, 20]}}\n"
    "bodies: {slide: {type: mass, dim: 1, mass: mass}}\n"
    "signals: {drive: {input: 0}}\n"
    "forces:\n"
    "  - {name: motor, on: slide, type: force, value: drive}\n"
    "  - {name: bias, on: slide, type: force, value: -offset}\n"
    "  - {name: guide, on: slide, type: friction, law: coulomb, level: {coulomb: fc, viscous: "
    "fv}}\n";

// Closed loop: 35.15 N/V times kp kv, 160.18 1/s and 243.45 Vs/m, and times kv; 10 V at most.
static const char loop[] =
    "method: {type: discrete, step: %s}\n"
    "parameters: {mass: 95.1089, fv_forth: 203.5034, fv_back: 203.5034, fc_forth: 17.2287, "
    "fc_back: 23.5583}\n"
    "bodies: {slide: {type: mass, dim: 1, mass: mass}}\n"
    "signals: {reference: {input: 0}, pulse: {input: 0}}\n"
    "forces:\n"
    "  - {name: drive, on: slide, type: controller, reference: reference, reference_rate: 0,\n"
    "     feed_forward: pulse, proportional: 1370728.53, derivative: 8557.426, period: 1e-3,\n"
    "     position_differences: true, span: 2, low: -351.5065188, high: 351.5065188}\n"
    "  - {name: guide, on: slide, type: friction, law: coulomb,\n"
    "     level: {coulomb: [fc_forth, fc_back], viscous: [fv_forth, fv_back]}}\n";

static const char force[] = "35.15065188*voltage";

// A log, or its first rows.
static hf_fit_log *read_log(const char *name, long long rows)
{
    char path[600];
    hf_error error = {0};
    (void)snprintf(path, sizeof path, "%.400s/logs/emps/%s", data, name);
    hf_fit_log *log = hf_fit_log_read(path, &error);
    if (log == NULL) {
        fail_msg("%s", error.text);
    }
    log->rows = rows < log->rows ? rows : log->rows;
    if (strcmp(name, "emps.csv") == 0) {
        assert_true(hf_fit_log_add(log, "pulse", 0.0, &error) == HF_OK);
    }
    return log;
}

static int free_all(hf_fit_machine *machine, const char *const *names, int count,
                    hf_fit_parameter *parameters)
{
    hf_error error = {0};
    for (int i = 0; i < count; ++i) {
        if (hf_fit_machine_free(machine, names[i], &parameters[i], 1, &error) != 1) {
            fail_msg("%s", error.text);
        }
    }
    return count;
}

static void inverse_dynamics_as_published(void **state)
{
    (void)state;
    static const char *const names[] = {"mass", "fv", "fc", "offset"};
    static const double values[] = {95.1089, 203.5034, 20.3935, -3.1648};
    static const double deviations[] = {0.1085, 1.1460, 0.1012, 0.0444};
    if (data == NULL) {
        skip();
    }
    hf_error error = {0};
    hf_fit_machine *machine = scene_machine(axis);
    hf_fit_parameter parameters[4];
    hf_fit_log *log = read_log("emps.csv", 1000000);
    const hf_fit_log *logs[] = {log};
    const hf_fit_input input = {.signal = "drive", .expression = force};
    const hf_fit_match match = {.channel = "slide.position", .expression = "position"};
    hf_fit_def def = hf_fit_def_default();
    def.make = hf_fit_machine_make;
    def.context = machine;
    def.logs = logs;
    def.log_count = 1;
    def.inputs = &input;
    def.input_count = 1;
    def.matches = &match;
    def.match_count = 1;
    def.parameters = parameters;
    def.parameter_count = free_all(machine, names, 4, parameters);
    hf_fit *fit = hf_fit_create(&def, &error);
    const hf_fit_inverse_def inverse = {.cutoff = 100.0, .trim = 0.05, .every = 10};
    hf_fit_inverse found;
    if (fit == NULL || hf_fit_run_inverse(fit, &inverse, &found, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(found.linear, 4);
    for (int i = 0; i < 4; ++i) {
        print_message("%s: %.4f (%.4f)\n", names[i], found.values[i], found.deviations[i]);
        hf_check_near(found.values[i], values[i], 2e-3 * fabs(values[i]), names[i],
                      "EMPS_Description.pdf");
        hf_check_near(found.deviations[i], deviations[i], 0.01 * deviations[i], names[i],
                      "its printed deviation");
    }
    hf_check_near(found.relative, 0.040834, 1e-4, "relative error", "EMPS_Description.pdf");
    hf_fit_destroy(fit);
    hf_fit_log_destroy(log);
    hf_fit_machine_destroy(machine);
}

// ||measured - simulated|| / ||measured|| from row 50 on, measured filtered at 100 Hz forth and
// back, as it is published; or as it was measured: a filter makes slopes of the pulses' edges.
static double published_error(const hf_fit *fit, int log, int match, long long rows, bool filter)
{
    double *measured = malloc((size_t)rows * sizeof *measured), above = 0.0, below = 0.0;
    const double *simulated = hf_fit_simulated(fit, log, match, true);
    assert_non_null(measured);
    memcpy(measured, hf_fit_measured(fit, log, match), (size_t)rows * sizeof *measured);
    assert_true(!filter || hf_filter_both_ways(measured, rows, 0.1));
    for (long long k = 50; k < rows; ++k) {
        above += (measured[k] - simulated[k]) * (measured[k] - simulated[k]);
        below += measured[k] * measured[k];
    }
    free(measured);
    return sqrt(above / below);
}

typedef struct outcome {
    double position, force, judged_position, judged_force; // relative errors [-]
} outcome;

// The closed loop with the published values (iterations 0), or fitted.
static outcome run_loop(long long rows, const char *step, int iterations, bool judge)
{
    static const char *const names[] = {"mass", "fv_forth", "fv_back", "fc_forth", "fc_back"};
    hf_error error = {0};
    char text[2000];
    (void)snprintf(text, sizeof text, loop, step);
    hf_fit_machine *machine = scene_machine(text);
    hf_fit_parameter parameters[5];
    hf_fit_log *read[2] = {read_log("emps.csv", rows),
                           judge ? read_log("emps-pulses.csv", rows) : NULL};
    const hf_fit_log *logs[] = {read[0], read[1]};
    const hf_fit_input inputs[] = {{.signal = "reference", .expression = "reference"},
                                   {.signal = "pulse", .expression = "35.15065188*1.0139*pulse"}};
    const hf_fit_match matches[] = {{.channel = "slide.position", .expression = "position"},
                                    {.channel = "drive.force", .expression = force}};
    hf_fit_def def = hf_fit_def_default();
    def.make = hf_fit_machine_make;
    def.context = machine;
    def.logs = logs;
    def.log_count = 1;
    def.validation_count = judge ? 1 : 0;
    def.inputs = inputs;
    def.input_count = 2;
    def.matches = matches;
    def.match_count = 2;
    def.parameters = parameters;
    def.parameter_count = free_all(machine, names, 5, parameters);
    def.segments[0] = INFINITY;
    def.fixed_starts = true;
    def.iterations = iterations;
    def.threads = 2;
    hf_fit *fit = hf_fit_create(&def, &error);
    if (fit == NULL || hf_fit_run(fit, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    outcome o = {.position = published_error(fit, 0, 0, read[0]->rows, true),
                 .force = published_error(fit, 0, 1, read[0]->rows, true)};
    if (judge) {
        o.judged_position = published_error(fit, 1, 0, read[1]->rows, false);
        o.judged_force = published_error(fit, 1, 1, read[1]->rows, false);
    }
    print_message("position %.5f %%, force %.3f %%; pulses %.5f %%, %.3f %%\n", 100.0 * o.position,
                  100.0 * o.force, 100.0 * o.judged_position, 100.0 * o.judged_force);
    for (int i = 0; i < 5; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        print_message("  %s %.5g +- %.3g\n", u.name, u.value, u.half_width);
    }
    hf_fit_destroy(fit);
    hf_fit_log_destroy(read[0]);
    hf_fit_log_destroy(read[1]);
    hf_fit_machine_destroy(machine);
    return o;
}

static void closed_loop(void **state)
{
    (void)state;
    if (data == NULL) {
        skip();
    }
    outcome o = run_loop(2000, "2.5e-4", 1, false);
    hf_check_below(o.position, 3e-5, "position, relative", "the first 2 s");
    hf_check_below(o.force, 0.05, "force, relative", "the first 2 s");
}

static void closed_loop_against_published_errors(void **state)
{
    (void)state;
    if (data == NULL || getenv("HF_FIT_LONG") == NULL) {
        skip();
    }
    outcome before = run_loop(1000000, "5e-5", 0, false);
    hf_check_below(100.0 * before.position, 0.013752, "position [%]", "published simulation");
    hf_check_below(100.0 * before.force, 5.848, "force [%]", "published simulation");
    outcome fitted = run_loop(1000000, "5e-5", 20, true);
    hf_check_below(100.0 * fitted.position, 0.0009, "position [%]", "unlike directions");
    hf_check_below(100.0 * fitted.force, 3.7, "force [%]", "unlike directions");
    hf_check_below(100.0 * fitted.judged_force, 4.5, "force on the pulses [%]", "not seen");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_dynamics_as_published),
        cmocka_unit_test(closed_loop),
        cmocka_unit_test(closed_loop_against_published_errors),
    };
    data = getenv("HOLDFAST_DATA");
    if (data == NULL) {
        print_message("HOLDFAST_DATA is not set: logs of real machines are not fitted\n");
    }
    return hf_run_tests(tests);
}
