// SPDX-License-Identifier: Apache-2.0
// A fit of 7 numbers of a servo to 16 logs of 6 s, beside the same fit driven from Python: scipy's
// least_squares with the library by ctypes (fit.py), in the same run.
//
// The logs are simulated: four motions with four gains, rows 4.0 to 5.4 ms apart, positions in
// steps of the encoder. Both fits begin at the numbers of servo.yaml, run whole logs from their
// measured starts, and take secants 5 % wide. Seconds are of processors: those of both threads, and
// on two cores the longer of half of these and of the main thread's own.
#include <holdfast/fit.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../bench.h"

enum { LOGS = 16, NUMBERS = 7 };

static const char *const names[NUMBERS] = {"armature", "kt",   "R",      "offset",
                                           "forth",    "back", "viscous"};
static const double truth[NUMBERS] = {0.0018, 0.35, 3.4, 0.02, 0.03, 0.025, 0.009};
static const double step_of_encoder = 6.283185307179586 / 4096.0; // [rad]

static void die(const char *text)
{
    (void)fprintf(stderr, "bench-fit: %s\n", text);
    exit(1);
}

static double seconds_of(clockid_t clock)
{
    struct timespec t = {0};
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double goal_of(int motion, double t)
{
    switch (motion) {
    case 0:
        return sin(t) * 1.2 + 0.4 * sin(5.0 * t);
    case 1: // then the motor is disconnected
        return -1.5 * sin(0.5235987755982988 * fmin(t, 3.0));
    case 2:
        return 0.8 * (1.0 - cos(1.0471975511965976 * t));
    default:
        return sin(t * t);
    }
}

// The log number `index` of the machine with the true numbers, also as a file of `folder`.
static hf_fit_log *make_log(hf_fit_machine *machine, int index, const char *folder)
{
    static const char *const columns[] = {"goal", "gain", "enabled", "position"};
    enum { ROWS = 1276 };
    hf_error error = {0};
    // The machine, with this gain
    hf_fit_log *log = hf_fit_log_create("simulated", ROWS, columns, 4);
    hf_spec *spec = hf_fit_machine_make(machine, truth, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    if (log == NULL || sim == NULL) {
        die(error.text);
    }
    hf_signal goal = hf_model_find_signal(model, "goal"),
              gain = hf_model_find_signal(model, "gain");
    hf_signal enabled = hf_model_find_signal(model, "enabled");
    hf_coordinate joint = hf_model_find_coordinate(model, "arm.servo");
    hf_sim_set_input(sim, gain, 100 << index / 4);
    // Row by row, at times that are not even
    char path[600];
    (void)snprintf(path, sizeof path, "%.500s/log-%d.csv", folder, index);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        die("a log cannot be written");
    }
    (void)fputs("time,goal,gain,enabled,position\n", file);
    double t = 0.0;
    for (int k = 0; k < ROWS; ++k) {
        if (hf_sim_advance(sim, t, false, &error) < 0) {
            die(error.text);
        }
        log->time[k] = t;
        log->columns[0][k] = goal_of(index % 4, t);
        log->columns[1][k] = 100 << index / 4;
        log->columns[2][k] = index % 4 == 1 && t > 3.0 ? 0.0 : 1.0;
        log->columns[3][k] = step_of_encoder * floor(hf_sim_q(sim, joint) / step_of_encoder + 0.5);
        (void)fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g\n", t, log->columns[0][k],
                      log->columns[1][k], log->columns[2][k], log->columns[3][k]);
        hf_sim_set_input(sim, goal, log->columns[0][k]);
        hf_sim_set_input(sim, enabled, log->columns[2][k]);
        t += 0.0040 + 0.0014 * ((k * 7 + index) % 11) / 10.0;
    }
    (void)fclose(file);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    return log;
}

// How the sum of squares fell: after so many seconds of processors.
typedef struct course {
    double begin, seconds[1000], rms[1000]; // rms in deviations
    int count;
} course;

static bool note_progress(void *context, const hf_fit_progress *p)
{
    course *c = context;
    if (c->count < 1000) {
        c->seconds[c->count] = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - c->begin;
        c->rms[c->count++] = p->rms;
    }
    return true;
}

// The fit by the library, two threads. Returns the sum of squares [rad^2]; *seconds: of processors.
static double fit_by_library(hf_fit_machine *machine, const hf_fit_parameter *parameters,
                             const hf_fit_log *const *logs, course *way, double *seconds)
{
    hf_error error = {0};
    const hf_fit_input inputs[] = {{.signal = "goal", .expression = "goal"},
                                   {.signal = "gain", .expression = "gain"},
                                   {.signal = "enabled", .expression = "enabled"}};
    const hf_fit_match match = {
        .channel = "arm.servo.position", .expression = "position", .deviation = 1e-3};
    hf_fit_def def = hf_fit_def_default();
    def.make = hf_fit_machine_make;
    def.context = machine;
    def.logs = logs;
    def.log_count = LOGS;
    def.inputs = inputs;
    def.input_count = 3;
    def.matches = &match;
    def.match_count = 1;
    def.parameters = parameters;
    def.parameter_count = NUMBERS;
    def.segments[0] = (double)INFINITY;
    def.fixed_starts = true;
    def.threads = 2;
    def.progress = note_progress;
    def.progress_context = way;
    // The search and all that is told
    double all = seconds_of(CLOCK_PROCESS_CPUTIME_ID), own = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    way->begin = all;
    hf_fit *fit = hf_fit_create(&def, &error);
    if (fit == NULL || hf_fit_run(fit, &error) < 0) {
        die(error.text);
    }
    all = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all;
    own = seconds_of(CLOCK_THREAD_CPUTIME_ID) - own;
    hf_fit_summary summary = hf_fit_get_summary(fit);
    // How near the truth
    double worst = 0.0;
    for (int i = 0; i < NUMBERS; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        printf("  %-10s %.6g +- %.2g, true %.6g\n", u.name, u.value, u.half_width, truth[i]);
        worst = fmax(worst, fabs(u.value - truth[i]) / u.half_width);
    }
    hf_bench_result("fit of 7 numbers to 16 logs of 6 s, on two cores", fmax(own, 0.5 * all), "s",
                    "<= 10");
    hf_bench_result("fit, processor time of both threads", all, "s", "-");
    hf_bench_result("fit, simulations of 6 s", (double)summary.simulations, "", "-");
    hf_bench_result("fit, simulated seconds a second of one core",
                    6.0 * (double)summary.simulations / all, "", "-");
    hf_bench_result("fit, farthest from the truth, in half widths", worst, "", "<= 2");
    double sum = 1e-6 * summary.cost;
    *seconds = all;
    hf_fit_destroy(fit);
    return sum;
}

// Seconds after which the sum of squares was down to this part of what it ended at, or below.
static double seconds_to(const course *way, double times)
{
    double end = way->rms[way->count - 1];
    for (int i = 0; i < way->count; ++i) {
        if (way->rms[i] * way->rms[i] <= times * end * end) {
            return way->seconds[i];
        }
    }
    return way->seconds[way->count - 1];
}

// What scipy came to: at its first end, and at its last.
typedef struct ends {
    double seconds[2], sums[2];
} ends;

// The same by Python: prints its own account; its ends come as one line.
static bool fit_by_python(const char *folder, double wanted, ends *e)
{
    char command[2000], line[400];
    bool found = false;
    (void)snprintf(command, sizeof command,
                   "/usr/bin/python3 %s/fit.py %s %s/servo.yaml %.500s %.9g", HF_BENCH_FIT,
                   HF_BENCH_LIBRARY, HF_BENCH_FIT, folder, wanted);
    (void)fflush(stdout);
    FILE *pipe = popen(command, "r");
    while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) {
        if (sscanf(line, "python %lf %lf %lf %lf", &e->seconds[0], &e->sums[0], &e->seconds[1],
                   &e->sums[1]) == 4) {
            found = true;
        } else {
            (void)fputs(line, stdout);
        }
    }
    return pipe != NULL && pclose(pipe) == 0 && found;
}

int main(void)
{
    char folder[] = "/tmp/bench-fit-XXXXXX", path[600];
    hf_error error = {0};
    // The machine, from its file
    static char text[4000];
    FILE *file = fopen(HF_BENCH_FIT "/servo.yaml", "r");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof text, file);
    hf_fit_machine *machine = hf_fit_machine_create(text, length, "servo.yaml", NULL, NULL, &error);
    if (mkdtemp(folder) == NULL || machine == NULL) {
        die(error.text);
    }
    (void)fclose(file);
    hf_fit_parameter parameters[NUMBERS];
    for (int i = 0; i < NUMBERS; ++i) {
        if (hf_fit_machine_free(machine, names[i], &parameters[i], 1, &error) != 1) {
            die(error.text);
        }
        parameters[i].typical = i == 3 ? 0.02 : 0.0;
    }
    // Both fits
    hf_fit_log *logs[LOGS];
    for (int i = 0; i < LOGS; ++i) {
        logs[i] = make_log(machine, i, folder);
    }
    static course way;
    double all = 0.0;
    double ours = fit_by_library(machine, parameters, (const hf_fit_log *const *)logs, &way, &all);
    ends e = {0};
    if (fit_by_python(folder, ours, &e)) {
        hf_bench_result("scipy and ctypes, processor time to its first end", e.seconds[0], "s",
                        "-");
        hf_bench_result("sum of squares there over ours", e.sums[0] / ours, "times", "-");
        hf_bench_result("our processor time to the same sum of squares",
                        seconds_to(&way, e.sums[0] / ours), "s", "-");
        hf_bench_result("scipy, processor time with narrower secants from there", e.seconds[1], "s",
                        "-");
        hf_bench_result("sum of squares there over ours, at last", e.sums[1] / ours, "times", "-");
    } else {
        (void)fprintf(stderr, "bench-fit: no comparison: fit.py did not run (python3-scipy)\n");
    }
    // Nothing is left
    for (int i = 0; i < LOGS; ++i) {
        (void)snprintf(path, sizeof path, "%s/log-%d.csv", folder, i);
        (void)unlink(path);
        hf_fit_log_destroy(logs[i]);
    }
    (void)rmdir(folder);
    hf_fit_machine_destroy(machine);
    return 0;
}
