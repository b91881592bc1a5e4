// SPDX-License-Identifier: Apache-2.0
// Machines of many joints with friction, limits and servos: processor time of a step of method
// timestep, on the way to rest and there, beside that of the same tree without all that, and how
// far joints creep that are held.
//   bench-joints                  all machines of this folder (machines.py)
//   bench-joints FILE STEPS       one machine alone, for instruction counters
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/contact.h>
#include <holdfast/models.h>

#include "../bench.h"

enum { SETTLE = 2000, STEPS = 1000, REPEATS = 5, MOST = 100 };

typedef struct machine {
    hf_model *model;
    hf_sim *sim;
} machine;

static void close_machine(machine *m)
{
    hf_sim_destroy(m->sim);
    hf_model_destroy(m->model);
}

static bool open_machine(machine *m, const char *path)
{
    hf_error error;
    *m = (machine){.model = hf_model_load(path, &error)};
    hf_sim_def def = m->model == NULL ? (hf_sim_def){0} : hf_sim_def_default(m->model);
    def.methods[0] = hf_contact_methods();
    m->sim = m->model == NULL ? NULL : hf_sim_create(m->model, &def, &error);
    if (m->sim == NULL) {
        fprintf(stderr, "bench-joints: %s\n", error.text);
        close_machine(m);
    }
    return m->sim != NULL;
}

// The processor time of a step [us]; a negative number when one fails.
static double run(machine *m, long steps)
{
    hf_error error;
    double start = hf_bench_now();
    for (long i = 0; i < steps; ++i) {
        if (hf_sim_step(m->sim, &error) < 0) {
            fprintf(stderr, "bench-joints: %s\n", error.text);
            return -1.0;
        }
    }
    return 1e6 * (hf_bench_now() - start) / (double)steps;
}

typedef struct result {
    double moving, resting; // a step [us]
    double creep;           // largest change of a coordinate while STEPS went by at rest
    hf_sim_stats stats;
} result;

// The least time of some runs.
static bool measure(const char *name, result *r)
{
    char path[500];
    (void)snprintf(path, sizeof path, "%s/%s.yaml", HF_BENCH_JOINTS, name);
    *r = (result){.moving = HUGE_VAL, .resting = HUGE_VAL};
    for (int k = 0; k < REPEATS; ++k) {
        machine m;
        double before[MOST] = {0.0};
        if (!open_machine(&m, path)) {
            return false;
        }
        int count = hf_model_get_info(m.model).coordinates;
        count = count < MOST ? count : MOST;
        double moving = run(&m, SETTLE);
        memcpy(before, hf_sim_positions(m.sim), (size_t)count * sizeof *before);
        double resting = run(&m, STEPS);
        for (int i = 0; i < count; ++i) {
            r->creep = fmax(r->creep, fabs(hf_sim_positions(m.sim)[i] - before[i]));
        }
        r->stats = hf_sim_get_stats(m.sim);
        close_machine(&m);
        if (moving < 0.0 || resting < 0.0) {
            return false;
        }
        r->moving = fmin(r->moving, moving);
        r->resting = fmin(r->resting, resting);
    }
    return true;
}

static int run_one(const char *path, long steps)
{
    machine m;
    if (!open_machine(&m, path)) {
        return 1;
    }
    double time = run(&m, steps);
    hf_sim_stats stats = hf_sim_get_stats(m.sim);
    printf("%s: %.3f us a step; %lld iterations, %lld of %ld steps warm, %lld unsolved\n", path,
           time, stats.solver_iterations, stats.warm_steps, steps, stats.unsolved_steps);
    close_machine(&m);
    return time < 0.0 ? 1 : 0;
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name, *bare, *about, *limit;
        bool held;
    } machines[] = {
        {"arm", "arm-bare", "arm of 7 axes, moving", "-", false},
        {"quadruped", "quadruped-bare", "quadruped standing", "-", true},
        {"hand", "hand-bare", "hand of 24 joints", "<= 20", true},
        {"standing", "standing-bare", "humanoid standing", "-", true},
        {"lying", "standing-bare", "humanoid lying", "<= 40", true},
    };
    if (count == 3) {
        return run_one(arguments[1], strtol(arguments[2], NULL, 10));
    }
    printf("%-26s %12s %12s %12s %12s %10s\n", "timestep, 1 ms", "bare [us]", "moving [us]",
           "resting [us]", "creep", "unsolved");
    for (size_t i = 0; i < sizeof machines / sizeof *machines; ++i) {
        result r, bare;
        char name[100];
        if (!measure(machines[i].name, &r) || !measure(machines[i].bare, &bare)) {
            return 1;
        }
        printf("%-26s %12.2f %12.2f %12.2f %12.3g %10lld\n", machines[i].about, bare.moving,
               r.moving, r.resting, r.creep, r.stats.unsolved_steps);
        (void)snprintf(name, sizeof name, "joints: %s", machines[i].about);
        hf_bench_result(name, machines[i].held ? r.resting : r.moving, "us/step",
                        machines[i].limit);
    }
    return 0;
}
