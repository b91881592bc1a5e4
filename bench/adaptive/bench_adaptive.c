// SPDX-License-Identifier: Apache-2.0
// Adaptive methods: evaluations, time and error against the tolerance, as Markdown tables.
//   bench-adaptive stiction | oscillator | arm | machines | fixed | all
// Without a part: lines for the summary of bench/run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/adaptive.h>
#include <holdfast/models.h>

#include "../bench.h"
#include "laws.h"
#include "scenes.h"

enum { MOST_EVENTS = 64, MOST_BODIES = 8 };

typedef struct run {
    double q[3 * MOST_BODIES]; // up to three coordinates of each body
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
    for (int id = 1; id <= hf_model_get_info(model).bodies && id <= MOST_BODIES; ++id) {
        hf_body_info body = hf_model_body_info(model, (hf_body){id});
        int count = body.type == HF_BODY_RIGID  ? 3
                    : body.type == HF_BODY_LINK ? hf_joint_coordinates(body.joint)
                                                : body.dim;
        for (int k = 0; k < 3 && k < count; ++k) {
            r.q[3 * (id - 1) + k] = hf_sim_position(sim, (hf_body){id})[k];
        }
    }
    r.stats = hf_sim_get_stats(sim);
    r.residual = hf_sim_energy(sim).residual;
    hf_sim_destroy(sim);
    return r;
}

static double distance(const run *a, const run *b)
{
    double largest = 0.0;
    for (int i = 0; i < 3 * MOST_BODIES; ++i) {
        largest = fmax(largest, fabs(a->q[i] - b->q[i]));
    }
    return largest;
}

static hf_method_def tolerant(hf_method_type type, hf_method_family family, double tolerance,
                              double step)
{
    return (hf_method_def){
        .type = type, .family = family, .rtol = tolerance, .atol = tolerance, .step = step};
}

static hf_model *parse(const char *text)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "machine", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    if (model == NULL) {
        stop(&error);
    }
    hf_spec_destroy(spec);
    return model;
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
// [Farhat2010] (10): exact friction beside laws that avoid the discontinuity, or do not.

static const char OSCILLATOR[] =
    "bodies: {block: {type: mass, dim: 1, mass: 1, position: 2.75}}\n"
    "forces:\n"
    "  - {name: spring, on: block, type: spring, stiffness: 1}\n"
    "  - {name: floor, on: block, type: friction, law: coulomb, level: 1}\n";

static void oscillator(void)
{
    hf_model *model = parse(OSCILLATOR);
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

static void print_switch(const char *name, const run *r, double tolerance, const run *best)
{
    printf("| %s | switch | %.0e | %lld | %lld | %.2f ms | %.1e |\n", name, tolerance,
           r->stats.evaluations, r->stats.events, 1e3 * r->seconds, distance(r, best));
}

// Contacts in space know no fixed-step method for the exact law here; the others have `discrete`.
static void machines(void)
{
    const struct {
        const char *name;
        bool stepwise;
    } all[] = {{"oscillator", true},
               {"oscillator-forced", true},
               {"oscillator-2d", true},
               {"dragged-block", true},
               {"two-link-arm-exact", true},
               {"clutch", true},
               {"bouncing-ball-hybrid", false},
               {"point-2d-hybrid", false},
               {"rolling-sphere-exact", false},
               {"spinning-coin-box-exact", false},
               {"slider-crank", false},
               {"rps-robot-sine", false},
               {"rps-robot-fourier", false}};
    puts("| machine | method | rtol = atol, or step | evaluations | events | time | error of the "
         "coordinates at the end |");
    puts("|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        hf_model *model = load(all[i].name);
        double end = hf_model_duration(model);
        run best = simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, 1e-13, 0.1), end);
        for (double tolerance = 1e-5; tolerance > 1e-12; tolerance *= 1e-2) {
            run r =
                simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, tolerance, 0.1), end);
            print_switch(all[i].name, &r, tolerance, &best);
        }
        for (double step = 1e-3; all[i].stepwise && step > 5e-6; step *= 0.1) {
            run r = simulate(model, (hf_method_def){.type = HF_METHOD_DISCRETE, .step = step}, end);
            printf("| %s | discrete | %.0e s | %lld | | %.2f ms | %.1e |\n", all[i].name, step,
                   r.stats.evaluations, 1e3 * r.seconds, distance(&r, &best));
        }
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------
// The same motion to the same accuracy: exact laws by events, and regularized ones under rk4, whose
// error is that of their stiffness. The step follows the stiffness.

typedef struct pair {
    const char *name;
    const char *exact;       // text
    const char *regularized; // text with K and B, or K, beta and alpha
    bool contact;
    double end;
} pair;

static const pair PAIRS[] = {
    {"oscillator, 1 stop", OSCILLATOR,
     "bodies: {block: {type: mass, dim: 1, mass: 1, position: 2.75}}\n"
     "forces:\n"
     "  - {name: spring, on: block, type: spring, stiffness: 1}\n"
     "  - {name: floor, on: block, type: friction, level: 1, stiffness: %.17g, damping: %.17g}\n",
     false, 10.0},
    {"oscillator in a plane, 15 events",
     "bodies: {puck: {type: mass, axes: xy, mass: 1}}\n"
     "signals: {east: \"3*sin(2*t)\", north: \"2.5*cos(3*t)\"}\n"
     "forces:\n"
     "  - {name: a, on: puck.x, type: force, value: east}\n"
     "  - {name: b, on: puck.y, type: force, value: north}\n"
     "  - {name: spring, on: puck, type: spring, stiffness: 2}\n"
     "  - {name: plane, on: puck, type: friction, law: coulomb, level: 3}\n",
     "bodies: {puck: {type: mass, axes: xy, mass: 1}}\n"
     "signals: {east: \"3*sin(2*t)\", north: \"2.5*cos(3*t)\"}\n"
     "forces:\n"
     "  - {name: a, on: puck.x, type: force, value: east}\n"
     "  - {name: b, on: puck.y, type: force, value: north}\n"
     "  - {name: spring, on: puck, type: spring, stiffness: 2}\n"
     "  - {name: plane, on: puck, type: friction, level: 3, stiffness: %.17g, damping: %.17g}\n",
     false, 12.0},
    {"sphere begins to roll",
     "gravity: [0, 0, -9.8]\n"
     "bodies:\n"
     "  sphere: {type: rigid, mass: 0.3, shape: {type: sphere, radius: 0.2},\n"
     "           position: [0, 0, 0.2], velocity: [2, 0, 0]}\n"
     "forces:\n"
     "  - {name: floor, on: sphere, type: contact, law: rigid-contact, friction: 0.1,\n"
     "     restitution: 0}\n",
     "gravity: [0, 0, -9.8]\n"
     "bodies:\n"
     "  sphere: {type: rigid, mass: 0.3, shape: {type: sphere, radius: 0.2},\n"
     "           position: [0, 0, 0.2], velocity: [2, 0, 0]}\n"
     "forces:\n"
     "  - {name: floor, on: sphere, type: contact, law: rigid-contact, friction: 0.1,\n"
     "     stiffness: %.17g, damping_time: %.17g, filter_time: %.17g}\n",
     true, 1.0},
};

// Critical damping, B = 2 sqrt(K M), and steps of a tenth of sqrt(M/K), M = 1 kg.
static run regularized(const pair *p, double stiffness)
{
    char text[1500];
    double time = 2.0 / sqrt(stiffness);
    if (p->contact) {
        (void)snprintf(text, sizeof text, p->regularized, stiffness, time, 0.2 * time);
    } else {
        (void)snprintf(text, sizeof text, p->regularized, stiffness, time * stiffness);
    }
    hf_model *model = parse(text);
    double steps = ceil(p->end / (0.1 / sqrt(stiffness)));
    run r = simulate(model, (hf_method_def){.type = HF_METHOD_RK4, .step = p->end / steps}, p->end);
    hf_model_destroy(model);
    return r;
}

static void fixed(void)
{
    puts("| machine | law, method | setting | evaluations | time | error of the coordinates at the "
         "end |");
    puts("|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; ++i) {
        const pair *p = &PAIRS[i];
        hf_model *model = parse(p->exact);
        run best = simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, 1e-13, 0.1), p->end);
        for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 1e-2) {
            run r = simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, tolerance, 0.1),
                             p->end);
            printf("| %s | exact, switch | rtol = atol = %.0e | %lld | %.2f ms | %.1e |\n", p->name,
                   tolerance, r.stats.evaluations, 1e3 * r.seconds, distance(&r, &best));
        }
        for (double stiffness = 1e3; stiffness < 2e9; stiffness *= 1e2) {
            run r = regularized(p, stiffness);
            printf("| %s | %s, rk4 | K = %.0e N/m | %lld | %.2f ms | %.1e |\n", p->name,
                   p->contact ? "rigid-contact" : "stiction", stiffness, r.stats.evaluations,
                   1e3 * r.seconds, distance(&r, &best));
        }
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------

// For the summary: evaluations of [Farhat2010] (10), with 20 % more than a careful program needs,
// and what the machines in space take.
static void summarize(void)
{
    const double tolerance[] = {1e-6, 1e-8, 1e-10, 1e-12};
    const char *const limit[] = {"<= 72", "<= 117", "<= 213", "<= 427"};
    hf_model *model = parse(OSCILLATOR);
    for (int i = 0; i < 4; ++i) {
        char name[100];
        run r =
            simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, tolerance[i], 10.0), 10.0);
        (void)snprintf(name, sizeof name, "oscillator by events, rtol %.0e", tolerance[i]);
        hf_bench_result(name, (double)r.stats.evaluations, "evaluations", limit[i]);
    }
    hf_model_destroy(model);
    const char *const names[] = {"oscillator-2d", "two-link-arm-exact", "rolling-sphere-exact",
                                 "spinning-coin-box-exact"};
    for (int i = 0; i < 4; ++i) {
        char name[100];
        model = load(names[i]);
        run r = simulate(model, tolerant(HF_METHOD_SWITCH, HF_FAMILY_ADAMS, 1e-8, 0.1),
                         hf_model_duration(model));
        (void)snprintf(name, sizeof name, "%s, rtol 1e-8", names[i]);
        hf_bench_result(name, (double)r.stats.evaluations, "evaluations", "-");
        hf_bench_result(name, 1e3 * r.seconds, "ms", "-");
        hf_model_destroy(model);
    }
}

int main(int count, char **arguments)
{
    const struct {
        const char *name;
        void (*function)(void);
    } parts[] = {{"stiction", stiction},
                 {"oscillator", oscillator},
                 {"arm", arm},
                 {"machines", machines},
                 {"fixed", fixed}};
    if (count < 2) {
        summarize();
        return 0;
    }
    bool all = strcmp(arguments[1], "all") == 0, found = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        if (!all && strcmp(arguments[1], parts[i].name) != 0) {
            continue;
        }
        found = true;
        if (all) {
            printf("\n%s\n\n", parts[i].name);
        }
        parts[i].function();
    }
    if (!found) {
        fprintf(stderr,
                "usage: bench-adaptive [stiction | oscillator | arm | machines | fixed | all]\n");
    }
    return found ? 0 : 2;
}
