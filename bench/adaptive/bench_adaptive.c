// SPDX-License-Identifier: Apache-2.0
// Adaptive methods: evaluations, time and error against the tolerance, as Markdown tables.
//   bench-adaptive [stiction | oscillator | arm | machines]     (default: all)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/adaptive.h>
#include <holdfast/models.h>

#include "../bench.h"
#include "laws.h"
#include "scenes.h"

enum { MOST_EVENTS = 64 };

typedef struct run {
    double q[2];
    double seconds;
    hf_sim_stats stats;
    double residual;
    hf_event events[MOST_EVENTS];
    int event_count;
    bool failed;
} run;

static void keep(void *context, const hf_event *event)
{
    run *r = context;
    if (r->event_count < MOST_EVENTS) {
        r->events[r->event_count++] = *event;
    }
}

static void stop(const hf_error *error)
{
    fprintf(stderr, "bench-adaptive: %s\n", error->text);
    exit(1);
}

static run simulate(const hf_model *model, hf_method_def method, double duration)
{
    hf_error error = {0};
    run r = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_adaptive_methods();
    def.on_event = keep;
    def.event_context = &r;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        stop(&error);
    }
    long long steps = llround(duration / method.step);
    double start = hf_bench_now();
    for (long long i = 0; i < steps && !r.failed; ++i) {
        r.failed = hf_sim_step(sim, &error) < 0;
    }
    r.seconds = hf_bench_now() - start;
    const double *q = hf_sim_position(sim, (hf_body){1});
    r.q[0] = q[0];
    r.q[1] = hf_model_get_info(model).bodies > 1 ? hf_sim_position(sim, (hf_body){2})[0] : 0.0;
    r.stats = hf_sim_get_stats(sim);
    r.residual = hf_sim_energy(sim).residual;
    hf_sim_destroy(sim);
    return r;
}

static double distance(const run *a, const run *b)
{
    return fmax(fabs(a->q[0] - b->q[0]), fabs(a->q[1] - b->q[1]));
}

static hf_method_def tolerant(hf_method_type type, hf_method_family family, double tolerance,
                              double step)
{
    return (hf_method_def){
        .type = type, .family = family, .rtol = tolerance, .atol = tolerance, .step = step};
}

// ------------------------------------------------------------------------------------------------
// The two-link arm with viscoelastic stiction: an ordinary differential equation, stiff in stick.

static void stiction(void)
{
    const hf_method_family families[] = {HF_FAMILY_BDF, HF_FAMILY_ADAMS, HF_FAMILY_ERK};
    hf_model *model = hf_scene_two_link_arm(HF_ARM_STICTION, true);
    run best = simulate(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-5}, 6.0);
    puts("| method | rtol = atol, or step | evaluations | time | error of the angles at 6 s |");
    puts("|---|---|---|---|---|");
    for (int f = 0; f < 3; ++f) {
        for (double tolerance = 1e-5; tolerance > 1e-10; tolerance *= 1e-2) {
            run r =
                simulate(model, tolerant(HF_METHOD_ADAPTIVE, families[f], tolerance, 0.01), 6.0);
            printf("| adaptive, %s | %.0e | %lld | %.1f ms | %.1e rad |\n",
                   hf_family_name(families[f]), tolerance, r.stats.evaluations, 1e3 * r.seconds,
                   distance(&r, &best));
        }
    }
    const double steps[] = {4e-4, 2e-4, 1e-4, 5e-5};
    for (int i = 0; i < 4; ++i) {
        run r = simulate(model, (hf_method_def){.type = HF_METHOD_RK4, .step = steps[i]}, 6.0);
        printf("| rk4 | %.0e s | %lld | %.1f ms | %.1e rad |\n", steps[i], r.stats.evaluations,
               1e3 * r.seconds, distance(&r, &best));
    }
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// 002 (10): exact friction beside laws that avoid the discontinuity, or do not.

static const char OSCILLATOR[] =
    "bodies: {block: {type: mass, dim: 1, mass: 1, position: 2.75}}\n"
    "forces:\n"
    "  - {name: spring, on: block, type: spring, stiffness: 1}\n"
    "  - {name: floor, on: block, type: friction, law: coulomb, level: 1}\n";

static void oscillator(void)
{
    hf_error error = {0};
    hf_spec *spec =
        hf_spec_parse(OSCILLATOR, sizeof OSCILLATOR - 1, "oscillator", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    if (model == NULL) {
        stop(&error);
    }
    hf_spec_destroy(spec);
    puts("| friction | integrator | rtol = atol | evaluations | reached | error of x there |");
    puts("|---|---|---|---|---|---|");
    for (int f = HF_FAMILY_ADAMS; f >= HF_FAMILY_BDF; --f) {
        for (double tolerance = 1e-6; tolerance > 1e-13; tolerance *= 1e-2) {
            run r = simulate(
                model, tolerant(HF_METHOD_SWITCH, (hf_method_family)f, tolerance, 10.0), 10.0);
            printf("| exact, by events | %s | %.0e | %lld | 10 s | %.1e m |\n",
                   hf_family_name((hf_method_family)f), tolerance, r.stats.evaluations,
                   fabs(r.q[0] + 0.75));
        }
    }
    hf_bench_other_laws();
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Example files

static hf_model *load(const char *name)
{
    char path[512];
    hf_error error = {0};
    (void)snprintf(path, sizeof path, "%s/%s.yaml", HF_BENCH_EXAMPLES, name);
    hf_model *model = hf_model_load(path, &error);
    if (model == NULL) {
        stop(&error);
    }
    return model;
}

static void arm(void)
{
    hf_model *model = load("two-link-arm-exact");
    puts("| rtol = atol | evaluations | elbow breaks away | shoulder breaks away | elbow stops | "
         "shoulder stops |");
    puts("|---|---|---|---|---|---|");
    for (double tolerance = 1e-5; tolerance > 1e-14; tolerance *= 0.1) {
        run r = simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, tolerance, 0.1), 10.0);
        printf("| %.0e | %lld |", tolerance, r.stats.evaluations);
        for (int i = 0; i < r.event_count && i < 4; ++i) {
            printf(" %.10f s |", r.events[i].time);
        }
        puts("");
    }
    hf_model_destroy(model);
}

static void machines(void)
{
    const char *names[] = {"oscillator", "oscillator-forced", "two-link-arm-exact", "clutch"};
    puts("| machine | method | rtol = atol, or step | evaluations | events | time | error of the "
         "coordinates at the end |");
    puts("|---|---|---|---|---|---|---|");
    for (int i = 0; i < 4; ++i) {
        hf_model *model = load(names[i]);
        double end = hf_model_duration(model);
        run best = simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, 1e-13, 0.1), end);
        for (double tolerance = 1e-5; tolerance > 1e-12; tolerance *= 1e-2) {
            run r =
                simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, tolerance, 0.1), end);
            printf("| %s | switch | %.0e | %lld | %lld | %.2f ms | %.1e |\n", names[i], tolerance,
                   r.stats.evaluations, r.stats.events, 1e3 * r.seconds, distance(&r, &best));
        }
        for (double step = 1e-3; step > 5e-5; step *= 0.1) {
            run r = simulate(model, (hf_method_def){.type = HF_METHOD_DISCRETE, .step = step}, end);
            printf("| %s | discrete | %.0e s | %lld | | %.2f ms | %.1e |\n", names[i], step,
                   r.stats.evaluations, 1e3 * r.seconds, distance(&r, &best));
        }
        hf_model_destroy(model);
    }
}

int main(int count, char **arguments)
{
    const struct {
        const char *name;
        void (*function)(void);
    } parts[] = {
        {"stiction", stiction}, {"oscillator", oscillator}, {"arm", arm}, {"machines", machines}};
    const char *chosen = count > 1 ? arguments[1] : NULL;
    bool found = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        if (chosen != NULL && strcmp(chosen, parts[i].name) != 0) {
            continue;
        }
        found = true;
        if (chosen == NULL) {
            printf("\n%s\n\n", parts[i].name);
        }
        parts[i].function();
    }
    if (!found) {
        fprintf(stderr, "usage: bench-adaptive [stiction | oscillator | arm | machines]\n");
    }
    return found ? 0 : 2;
}
