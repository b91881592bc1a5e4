// SPDX-License-Identifier: Apache-2.0
// Inputs that are found: within their limits, and better than a plain sine when a log of them is
// fitted; deviations as promised.
#include <stdlib.h>

#include <holdfast/excite.h>

#include "fit_scene.h"

static const char slide[] =
    "method: {type: discrete, step: 5e-3}\n"
    "parameters: {m: 1.5, fc: 2, fv: 0.9}\n"
    "bodies: {block: {type: mass, dim: 1, mass: m}}\n"
    "signals: {drive: {input: 0}}\n"
    "forces:\n"
    "  - {name: motor, on: block, type: force, value: drive}\n"
    "  - {name: spring, on: block, type: spring, stiffness: 4}\n"
    "  - {name: pad, on: block, type: friction, law: coulomb, level: {coulomb: fc, viscous: fv}}\n";

enum { COUNT = 3 };
static const double truth[COUNT] = {1.5, 2.0, 0.9};
static const double NOISE = 1e-3, LARGEST = 8.0, SECONDS = 10.0, INTERVAL = 0.02;

typedef struct bench {
    hf_fit_machine *machine;
    hf_fit_parameter parameters[COUNT];
    hf_fit_match match;
    hf_excite_limit limits[2];
    hf_excite_def def;
} bench;

static void begin(bench *s)
{
    hf_error error = {0};
    *s = (bench){.machine = scene_machine(slide),
                 .match = {.channel = "block.position", .expression = "y", .deviation = NOISE},
                 .limits = {{"block.velocity", -3.0, 3.0}, {"block.position", -1.2, 1.2}},
                 .def = hf_excite_def_default()};
    static const char *const names[] = {"m", "fc", "fv"};
    for (int i = 0; i < COUNT; ++i) {
        assert_int_equal(hf_fit_machine_free(s->machine, names[i], &s->parameters[i], 1, &error),
                         1);
    }
    s->def.make = hf_fit_machine_make;
    s->def.context = s->machine;
    s->def.parameters = s->parameters;
    s->def.parameter_count = COUNT;
    s->def.matches = &s->match;
    s->def.match_count = 1;
    s->def.input = "drive";
    s->def.low = -LARGEST;
    s->def.high = LARGEST;
    s->def.limits = s->limits;
    s->def.limit_count = 2;
    s->def.duration = SECONDS;
    s->def.interval = INTERVAL;
    s->def.trials = 60;
}

// Runs an input on the machine, with noise on the sensor, and fits the log.
static void fit_log(bench *s, const double *input, long long rows, hf_rng *rng, double *white)
{
    static const char *const names[] = {"u", "y"};
    hf_error error = {0};
    hf_fit_log *log = hf_fit_log_create("excite.csv", rows, names, 2);
    hf_spec *spec = hf_fit_machine_make(s->machine, truth, &error);
    hf_model *model = hf_model_compile(spec, &error);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    hf_channel position = hf_model_find_channel(model, "block.position");
    for (long long k = 0; k < rows; ++k) {
        log->time[k] = INTERVAL * (double)k;
        assert_int_equal(hf_sim_advance(sim, log->time[k], false, &error), HF_OK);
        log->columns[0][k] = input[k];
        log->columns[1][k] = hf_sim_value(sim, position) + NOISE * hf_rng_normal(rng);
        hf_sim_set_input(sim, hf_model_find_signal(model, "drive"), input[k]);
    }
    scene fitted = scene_begin(slide);
    for (int i = 0; i < COUNT; ++i) {
        scene_free(&fitted, s->parameters[i].name, s->parameters[i].start);
    }
    fitted.match = s->match;
    fitted.logs[fitted.log_count++] = log;
    hf_fit *fit = scene_run(&fitted);
    for (int i = 0; i < COUNT; ++i) {
        white[i] = hf_fit_get_unknown(fit, i).white;
    }
    hf_fit_destroy(fit);
    scene_end(&fitted);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

static void test_better_than_a_sine(void **state)
{
    (void)state;
    hf_error error = {0};
    bench s;
    begin(&s);
    hf_excite *e = hf_excite_create(&s.def, &error);
    if (e == NULL) {
        fail_msg("%s", error.text);
    }
    // Within the limits, and swelling from the middle
    long long rows = hf_excite_rows(e);
    const double *input = hf_excite_input(e);
    for (long long k = 0; k < rows; ++k) {
        assert_true(fabs(input[k]) <= LARGEST);
    }
    hf_check_near(input[0], 0.0, 1e-12, "input at the start", "definition");
    for (int i = 0; i < 2; ++i) {
        double low = 0.0, high = 0.0;
        hf_excite_reached(e, i, &low, &high);
        assert_true(low >= s.limits[i].low && high <= s.limits[i].high);
    }
    // A log of it, and one of a plain sine that the limits allow too
    hf_rng rng = hf_rng_create(4);
    double found[COUNT], naive[COUNT], *sine = calloc((size_t)rows, sizeof *sine);
    for (long long k = 0; k < rows; ++k) {
        sine[k] = 4.0 * sin(2.0 * 3.14159265 * INTERVAL * (double)k / 2.5);
    }
    fit_log(&s, input, rows, &rng, found);
    fit_log(&s, sine, rows, &rng, naive);
    double better = 0.0; // D: of all together
    for (int i = 0; i < COUNT; ++i) {
        double promised = hf_excite_deviation(e, i);
        better += log(promised / hf_excite_sine_deviation(e, i));
        if (!(found[i] < naive[i])) {
            fail_msg("parameter %d: %g, and %g of a sine", i, found[i], naive[i]);
        }
        // The fit estimates starts of segments too: somewhat more than promised
        if (!(found[i] > 0.5 * promised && found[i] < 4.0 * promised)) {
            fail_msg("parameter %d: promised %g, found %g", i, promised, found[i]);
        }
    }
    assert_true(better < 0.0);
    free(sine);
    hf_excite_destroy(e);
    hf_fit_machine_destroy(s.machine);
}

static void expect(bench *s, const char *part)
{
    hf_error error = {0};
    assert_null(hf_excite_create(&s->def, &error));
    if (strstr(error.text, part) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, part);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    bench s;
    begin(&s);
    s.def.trials = 2;
    s.def.input = "drvie";
    expect(&s, "no input 'drvie'");
    s.def.input = "drive";
    s.limits[1].high = -1.0; // it begins at 0
    expect(&s, "no input was found within the limits");
    s.limits[1].high = 1.2;
    s.def.high = 1.0; // below what breaks it away: nothing moves
    s.def.low = -1.0;
    expect(&s, "tells these numbers apart");
    s.def.low = 2.0;
    expect(&s, "limits");
    hf_fit_machine_destroy(s.machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_better_than_a_sine),
                                       cmocka_unit_test(test_refusals)};
    return hf_run_tests(tests);
}
