// SPDX-License-Identifier: Apache-2.0
// Friction models of a real servo, fitted to its 16 logs (HOLDFAST_DATA): mean absolute errors of
// the position in one run over each log, from its measured start.
//
// HF_FIT_LONG=1 fits all models to all logs (HF_FIT_MODEL=M3: one of them), and leaves the logs of
// each gain out in turn; a build fits the simplest one to the four logs of one gain.
#include "servo_scene.h"

static const char *data;

// Mean over logs of the mean absolute error, weighed by rows [rad].
static double mean_error(const hf_fit *fit, int first, int end, const hf_fit_log *const *logs)
{
    double sum = 0.0, rows = 0.0;
    for (int t = first; t < end; ++t) {
        sum += hf_fit_get_error(fit, t, 0, true).mean_absolute * (double)logs[t]->rows;
        rows += (double)logs[t]->rows;
    }
    return sum / rows;
}

typedef struct outcome {
    double fitted, judged; // [rad]
    double values[SERVO_MOST];
} outcome;

// Fits a model to the logs but those of the gain number `left` (-1: none is left out).
static outcome fit_kind(const servo_kind *kind, const double *start, int left, int gains,
                        int iterations, int starts)
{
    hf_error error = {0};
    servo_scene machine = {.machine = scene_machine(servo_model)};
    hf_fit_parameter parameters[SERVO_MOST] = {{0}};
    hf_fit_log *read[SERVO_LOGS];
    const hf_fit_log *logs[SERVO_LOGS];
    int count = 0, judged = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < 4 * gains; ++i) {
            if ((i / 4 == left) == (pass == 1)) {
                read[count] = servo_log(data, i);
                assert_non_null(read[count]);
                logs[count] = read[count];
                ++count;
                judged += pass;
            }
        }
    }
    servo_parameters(&machine, kind, parameters);
    for (int i = 0; i < kind->count && start != NULL; ++i) {
        parameters[i].start = fmin(fmax(start[i], parameters[i].low), parameters[i].high);
    }
    const hf_fit_input inputs[] = {{.signal = "goal", .expression = "goal"},
                                   {.signal = "supply", .expression = "supply"},
                                   {.signal = "enabled", .expression = "enabled"},
                                   {.signal = "temperature", .expression = "temperature"},
                                   {.signal = "gain", .expression = "kp"}};
    const hf_fit_match match = {.channel = "arm.servo.position", .expression = "position"};
    hf_fit_def def = hf_fit_def_default();
    def.make = servo_make;
    def.context = &machine;
    def.attend = servo_attend;
    def.leave = servo_leave;
    def.logs = logs;
    def.log_count = count - judged;
    def.validation_count = judged;
    def.inputs = inputs;
    def.input_count = sizeof inputs / sizeof *inputs;
    def.matches = &match;
    def.match_count = 1;
    def.parameters = parameters;
    def.parameter_count = kind->count;
    def.segments[0] = INFINITY;
    def.fixed_starts = true;
    def.loss = HF_FIT_SOFT_L1;
    def.loss_scale = 0.3;
    def.iterations = iterations;
    def.starts = starts;
    def.threads = 2;
    hf_fit *fit = hf_fit_create(&def, &error);
    if (fit == NULL || hf_fit_run(fit, &error) != HF_OK) {
        fail_msg("%s: %s", kind->name, error.text);
    }
    outcome result = {.fitted = mean_error(fit, 0, def.log_count, logs),
                      .judged = judged > 0 ? mean_error(fit, def.log_count, count, logs) : 0.0};
    for (int i = 0; i < kind->count; ++i) {
        result.values[i] = hf_fit_get_unknown(fit, i).value;
    }
    hf_fit_destroy(fit);
    for (int i = 0; i < count; ++i) {
        hf_fit_log_destroy(read[i]);
    }
    hf_fit_machine_destroy(machine.machine);
    return result;
}

static void simplest_model_on_one_gain(void **state)
{
    (void)state;
    if (data == NULL) {
        skip();
    }
    outcome o = fit_kind(&servo_kinds[0], NULL, -1, 1, 1, 1);
    print_message("M1, four logs: %.1f mrad\n", 1e3 * o.fitted);
    hf_check_below(1e3 * o.fitted, 60.0, "mean absolute error [mrad]", "M1 at the lowest gain");
}

static void models_on_all_logs(void **state)
{
    (void)state;
    static const double most[] = {57.5, 42.5, 41.5, 30.0};
    if (data == NULL || getenv("HF_FIT_LONG") == NULL) {
        skip();
    }
    for (size_t i = 0; i < sizeof servo_kinds / sizeof *servo_kinds; ++i) {
        const servo_kind *kind = &servo_kinds[i];
        const char *only = getenv("HF_FIT_MODEL");
        if (only != NULL && strcmp(only, kind->name) != 0) {
            continue;
        }
        outcome all = fit_kind(kind, NULL, -1, 4, 60, 1);
        for (int k = 0; k < kind->count; ++k) {
            print_message("%s %.4g ", kind->names[k], all.values[k]);
        }
        // A row of the table of docs/fit.md
        print_message("\n| %s | %d | %.1f |", kind->name, kind->count, 1e3 * all.fitted);
        for (int left = 0; left < 4; ++left) {
            outcome o = fit_kind(kind, all.values, left, 4, 10, 1);
            print_message(" %.1f |", 1e3 * o.judged);
        }
        print_message("\n");
        hf_check_below(1e3 * all.fitted, most[i], kind->name, "published parameters: 59.9 to 66.8");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplest_model_on_one_gain),
        cmocka_unit_test(models_on_all_logs),
    };
    data = getenv("HOLDFAST_DATA");
    if (data == NULL) {
        print_message("HOLDFAST_DATA is not set: logs of real machines are not fitted\n");
    }
    return hf_run_tests(tests);
}
