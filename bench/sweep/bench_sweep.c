// SPDX-License-Identifier: Apache-2.0
// Sweeps beside single runs of the C loop: what the bookkeeping costs.
//
//   efficiency = cases x seconds of a single run in the C loop / seconds of the sweep
//
// Both are seconds of processors, of all threads together: other work on the machine does not
// count. A single run is hf_sim_create, steps, hf_sim_destroy on a model that is compiled already.
#include <holdfast/holdfast.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char machine[] =
    "method: {type: rk4, step: 1e-3}\n"
    "duration: 1\n"
    "parameters: {m: 1}\n"
    "bodies: {b: {type: mass, dim: 1, mass: m, position: 0.5}}\n"
    "forces:\n"
    "  - {name: spring, on: b, type: spring, stiffness: 90}\n"
    "  - {name: floor, on: b, type: friction, law: stiction, level: 2, stiffness: 1e4,"
    " damping: 50}\n";

static double seconds_of(clockid_t clock)
{
    struct timespec t = {0};
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const hf_error *error)
{
    (void)fprintf(stderr, "%s\n", error->text);
    exit(1);
}

// Seconds of one run of so many steps, in a loop of a program.
static double single(long steps, int runs)
{
    hf_error error = {0};
    hf_model *model = hf_model_parse(machine, sizeof machine - 1, "bench", NULL, NULL, &error);
    if (model == NULL) {
        die(&error);
    }
    double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < runs; ++i) {
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        for (long k = 0; sim != NULL && k < steps; ++k) {
            if (hf_sim_step(sim, &error) != HF_OK) {
                die(&error);
            }
        }
        hf_sim_destroy(sim);
    }
    double seconds = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start) / runs;
    hf_model_destroy(model);
    return seconds;
}

// Seconds of the clock; *work: of processors.
static double sweep(const char *name, long steps, long long cases, int jobs, double *work)
{
    char vary[80];
    (void)snprintf(vary, sizeof vary, "%s=uniform:1:2", name);
    const char *axes[] = {vary}, *of[] = {"b.position", "max(abs(b.velocity))"};
    hf_error error = {0};
    hf_sweep_def def = hf_sweep_def_default();
    def.text = machine;
    def.length = sizeof machine - 1;
    def.vary = axes;
    def.vary_count = 1;
    def.samples = cases;
    def.of = of;
    def.of_count = 2;
    def.duration = 1e-3 * (double)steps;
    def.jobs = jobs;
    def.output = "/tmp/bench-sweep.h5";
    double start = seconds_of(CLOCK_MONOTONIC), busy = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    hf_sweep *s = hf_sweep_create(&def, &error);
    if (s == NULL || hf_sweep_run(s, &error) != HF_OK) {
        die(&error);
    }
    hf_sweep_destroy(s);
    (void)unlink(def.output);
    *work = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - busy;
    return seconds_of(CLOCK_MONOTONIC) - start;
}

// The least of several turns of each, which a busy machine disturbs least.
static void compare(const char *axis, long steps, int jobs, double budget)
{
    enum { TURNS = 5 };
    double one = INFINITY, work = INFINITY, seconds = INFINITY;
    int runs = 1 + (int)(0.2 * budget / (4e-7 * (double)steps));
    for (int turn = 0; turn < TURNS; ++turn) {
        double busy = 0.0;
        one = fmin(one, single(steps, runs));
        seconds = fmin(seconds, sweep(axis, steps, runs, jobs, &busy));
        work = fmin(work, busy);
    }
    (void)printf("%-10s %8.3f ms %8d %8d %8.3f s %12.0f %10.3f\n", axis, 1e3 * one, runs, jobs,
                 seconds, runs / seconds, runs * one / work);
}

int main(int count, char **arguments)
{
    static const long lengths[] = {250, 2500, 25000, 100000};
    static const char *const axes[] = {"b.mass", "m"};
    double budget = count > 1 ? atof(arguments[1]) : 2.0; // seconds of each line, about
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    (void)printf("%-10s %10s %8s %8s %10s %12s %10s\n", "axis", "case", "cases", "threads", "sweep",
                 "cases/s", "efficiency");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        for (int k = 0; k < 2; ++k) {
            for (int jobs = 1; jobs <= cores; jobs *= 2) {
                compare(axes[k], lengths[i], jobs, budget);
            }
        }
    }
    return 0;
}
