// SPDX-License-Identifier: Apache-2.0
// Piles and walls: processor time of a step of method timestep on the way to rest and there, how
// well it is solved, and how far bodies creep; MuJoCo on the same scenes in the same run, where it
// is installed. Scenes of several shapes are looked at on the way alone.
//   bench-pile [large]     with `large` also a thousand spheres, in a heap and in a column
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/contact.h>
#include <holdfast/models.h>

#include "../bench.h"
#include "pile.h"

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void pile_moves(const pile_scene *scene, const double *before, const double *after, double seconds,
                pile_result *result)
{
    double *moves = calloc((size_t)scene->count + 1, sizeof *moves);
    for (int i = 0; moves != NULL && i < scene->count; ++i) {
        double squares = 0.0;
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            squares += (after[k] - before[k]) * (after[k] - before[k]);
        }
        moves[i] = sqrt(squares) / seconds;
    }
    if (moves != NULL) {
        qsort(moves, (size_t)scene->count, sizeof *moves, compare);
        result->creep = moves[scene->count / 2];
        result->fastest = moves[scene->count - 1];
        int still = 0;
        while (still < scene->count && moves[still] == 0.0) {
            ++still;
        }
        result->still = (double)still / scene->count;
    }
    free(moves);
}

// ------------------------------------------------------------------------------------------------
// Holdfast

typedef struct machine {
    hf_model *model;
    hf_sim *sim;
} machine;

static void close_machine(machine *m)
{
    hf_sim_destroy(m->sim);
    hf_model_destroy(m->model);
}

static bool open_machine(machine *m, const char *file, const hf_overrides *overrides)
{
    char path[500];
    hf_error error;
    *m = (machine){0};
    (void)snprintf(path, sizeof path, "%s/%s", HF_BENCH_SOURCE, file);
    hf_spec *spec = hf_spec_load(path, overrides, &error);
    m->model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim_def def = m->model == NULL ? (hf_sim_def){0} : hf_sim_def_default(m->model);
    def.methods[0] = hf_contact_methods();
    m->sim = m->model == NULL ? NULL : hf_sim_create(m->model, &def, &error);
    if (m->sim == NULL) {
        fprintf(stderr, "bench-pile: %s\n", error.text);
        close_machine(m);
    }
    return m->sim != NULL;
}

// Rigid bodies' positions; how many there are.
static int positions(const machine *m, double *at)
{
    int count = 0;
    for (int id = 1; id <= hf_model_get_info(m->model).bodies; ++id) {
        if (hf_model_body_info(m->model, (hf_body){id}).type == HF_BODY_RIGID) {
            if (at != NULL) {
                memcpy(at + 3 * count, hf_sim_position(m->sim, (hf_body){id}), 3 * sizeof *at);
            }
            ++count;
        }
    }
    return count;
}

// Steps; the processor time of one, the means of residuals and of contacts.
static bool run(machine *m, long steps, double *time, double *residual, double *contacts)
{
    hf_error error;
    double start = hf_bench_now();
    *residual = *contacts = 0.0;
    for (long i = 0; i < steps; ++i) {
        if (hf_sim_step(m->sim, &error) < 0) {
            fprintf(stderr, "bench-pile: %s\n", error.text);
            return false;
        }
        hf_sim_stats stats = hf_sim_get_stats(m->sim);
        *residual += stats.residual / (double)steps;
        *contacts += stats.contacts / (double)steps;
    }
    *time = steps > 0 ? (hf_bench_now() - start) / (double)steps : 0.0;
    return true;
}

// To rest, and at rest. The time on the way is that of the first `first` steps; `before`: scratch.
static bool run_holdfast(const pile_scene *scene, const char *file, const hf_overrides *overrides,
                         long first, double *before, pile_result *result)
{
    machine m;
    long settle = lround(scene->settle / scene->step);
    double ignored = 0.0;
    if (!open_machine(&m, file, overrides)) {
        return false;
    }
    result->steps = first;
    bool good = run(&m, first, &result->settling, &result->on_way, &ignored) &&
                run(&m, settle - first, &ignored, &ignored, &ignored);
    if (!(scene->seconds > 0.0)) {
        result->unsolved = (long)hf_sim_get_stats(m.sim).unsolved_steps;
        result->seconds_per_step = -1.0;
        close_machine(&m);
        return good;
    }
    (void)positions(&m, before);
    good = good && run(&m, lround(scene->seconds / scene->step), &result->seconds_per_step,
                       &result->residual, &result->contacts);
    (void)positions(&m, scene->rest);
    pile_moves(scene, before, scene->rest, scene->seconds, result);
    result->unsolved = (long)hf_sim_get_stats(m.sim).unsolved_steps;
    close_machine(&m);
    return good;
}

// ------------------------------------------------------------------------------------------------
// Output

static void print(const pile_scene *scene, const char *who, const pile_result *r)
{
    char residual[32] = "-", on_way[32] = "-", unsolved[32] = "-";
    if (r->seconds_per_step < 0.0) { // only on the way
        if (r->on_way >= 0.0) {
            (void)snprintf(unsolved, sizeof unsolved, "%ld", r->unsolved);
            (void)snprintf(on_way, sizeof on_way, "%.1e", r->on_way);
        }
        printf("| %s | %s | - | - | - | - | - | - | %.3g (%ld) | %s | %s |\n", scene->name, who,
               1e3 * r->settling, r->steps, on_way, unsolved);
        (void)fflush(stdout);
        return;
    }
    if (r->residual >= 0.0) {
        (void)snprintf(unsolved, sizeof unsolved, "%ld", r->unsolved);
        (void)snprintf(residual, sizeof residual, "%.1e", r->residual);
        (void)snprintf(on_way, sizeof on_way, "%.1e", r->on_way);
    }
    printf("| %s | %s | %.0f | %.3g | %s | %.2g | %.2g | %.0f %% | %.3g (%ld) | %s | %s |\n",
           scene->name, who, r->contacts, 1e3 * r->seconds_per_step, residual, r->creep, r->fastest,
           100.0 * r->still, 1e3 * r->settling, r->steps, on_way, unsolved);
    (void)fflush(stdout);
}

static void tell(const pile_scene *scene, const char *when, double own, double other)
{
    char name[120];
    (void)snprintf(name, sizeof name, "%s %s", scene->name, when);
    hf_bench_result(name, 1e6 * own, "us/step", "-");
    if (isfinite(other)) {
        (void)snprintf(name, sizeof name, "%s %s, times as fast as MuJoCo", scene->name, when);
        hf_bench_result(name, other / own, "times", ">= 1");
    }
}

// How the scene is solved: what a row is called, settings of the model file; of how many other
// arrangements the worst is told.
typedef struct manner {
    const char *name;
    hf_overrides overrides;
    int arrangements;
    const char *told; // as what it is compared with MuJoCo on the way to rest; NULL: it is not
} manner;

enum { MANNERS = 5 }; // at most

static void keep_worst(const pile_result *r, pile_result *worst)
{
    worst->steps = r->steps;
    worst->contacts = fmax(worst->contacts, r->contacts);
    worst->seconds_per_step = fmax(worst->seconds_per_step, r->seconds_per_step);
    worst->settling = fmax(worst->settling, r->settling);
    worst->residual = fmax(worst->residual, r->residual);
    worst->on_way = fmax(worst->on_way, r->on_way);
    worst->creep = fmax(worst->creep, r->creep);
    worst->fastest = fmax(worst->fastest, r->fastest);
    worst->still = fmin(worst->still, r->still);
    worst->unsolved = r->unsolved > worst->unsolved ? r->unsolved : worst->unsolved;
}

static bool run_manner(const pile_scene *scene, const char *file, const manner *how, long first,
                       double *before, pile_result *result)
{
    if (how->arrangements == 0) {
        return run_holdfast(scene, file, &how->overrides, first, before, result);
    }
    bool good = true;
    *result = (pile_result){.still = 1.0};
    for (int i = 0; i < how->arrangements && good; ++i) {
        char seed[60];
        const char *const items[] = {seed};
        hf_overrides overrides = {.items = items, .count = 1, .variant = how->overrides.variant};
        pile_result one = {0};
        (void)snprintf(seed, sizeof seed, "bodies.ball.repeat.seed=%d", 2 + i);
        good = run_holdfast(scene, file, &overrides, first, before, &one);
        keep_worst(&one, result);
    }
    return good;
}

// The best that MuJoCo does.
typedef struct peers_result {
    double at_rest, settling; // processor time of a step [s]
    long steps;               // on the way, as many as it had time for
} peers_result;

#ifdef HF_BENCH_MUJOCO
static const pile_peer PEERS[] = {{"MuJoCo, CG", false, false},
                                  {"MuJoCo, CG, with rolling", false, true},
                                  {"MuJoCo, Newton", true, false}};

// Newton's method factorizes a matrix of all freedoms: seconds a step for a thousand spheres. With
// friction of rolling it cannot allocate what these need.
static bool takes_part(const pile_scene *scene, const pile_peer *peer)
{
    bool few = scene->count < 500;
    return (few || !peer->newton) && (!peer->turning || (few && scene->rolling > 0.0));
}

static bool run_peers(const pile_scene *scene, bool at_rest, pile_result *results,
                      peers_result *best)
{
    for (size_t i = 0; i < sizeof PEERS / sizeof *PEERS; ++i) {
        pile_result *r = &results[i];
        if (!takes_part(scene, &PEERS[i])) {
            continue;
        }
        r->seconds_per_step = r->on_way = -1.0;
        if (pile_mujoco(scene, &PEERS[i], at_rest, r) != 0) {
            return false;
        }
        if (at_rest || !(scene->seconds > 0.0)) {
            print(scene, PEERS[i].name, r);
        }
        if (at_rest) {
            best->at_rest = fmin(best->at_rest, r->seconds_per_step);
        } else {
            best->settling = fmin(best->settling, r->settling);
            best->steps = r->steps > best->steps ? r->steps : best->steps;
        }
    }
    return true;
}
#endif

// MuJoCo's part from the start; then Holdfast, in each manner; then MuJoCo at rest. The first
// manner is the one that is compared.
static bool measure_in(pile_scene *scene, const char *file, const manner *manners, int count,
                       double *before)
{
    pile_result own = {0};
    double told[MANNERS] = {0.0};
    peers_result best = {.at_rest = HUGE_VAL, .settling = HUGE_VAL};
    bool good = true;
#ifdef HF_BENCH_MUJOCO
    pile_result others[sizeof PEERS / sizeof *PEERS] = {{0}};
    good = run_peers(scene, false, others, &best);
#else
    best.steps = lround(scene->settle / scene->step);
#endif
    for (int i = count - 1; i >= 0 && good; --i) {
        good = run_manner(scene, file, &manners[i], best.steps, before, &own);
        if (good) {
            print(scene, manners[i].name, &own);
            told[i] = own.settling;
        }
    }
#ifdef HF_BENCH_MUJOCO
    good = good && (!(scene->seconds > 0.0) || run_peers(scene, true, others, &best));
#endif
    if (good) {
        if (scene->seconds > 0.0) {
            tell(scene, "at rest", own.seconds_per_step, best.at_rest);
        }
        tell(scene, "on the way to rest", own.settling, best.settling);
        for (int i = 0; i < count; ++i) {
            if (manners[i].told != NULL) {
                tell(scene, manners[i].told, told[i], best.settling);
            }
        }
    }
    return good;
}

static bool measure(pile_scene *scene, const char *file, const manner *manners, int count)
{
    machine m;
    if (!open_machine(&m, file, &manners[0].overrides)) {
        return false;
    }
    scene->count = positions(&m, NULL);
    size_t numbers = 3 * (size_t)scene->count;
    double *before = calloc(numbers, sizeof *before);
    scene->start = calloc(numbers, sizeof *scene->start);
    scene->rest = calloc(numbers, sizeof *scene->rest);
    bool good = before != NULL && scene->start != NULL && scene->rest != NULL;
    if (good) {
        (void)positions(&m, scene->start);
    }
    close_machine(&m);
    good = good && measure_in(scene, file, manners, count, before);
    free(before);
    free(scene->start);
    free(scene->rest);
    return good;
}

int main(int count, char **arguments)
{
    bool large = count > 1 && strcmp(arguments[1], "large") == 0;
    static const char *const budget[] = {"method.iterations=200"};
    pile_scene hundred = {.name = "pile of 100 spheres",
                          .walls = 0.3,
                          .height = 1.0,
                          .half = {0.045},
                          .mass = 0.5,
                          .friction = 0.4,
                          .spin = 1e-3,
                          .rolling = 5e-4,
                          .step = 2e-3,
                          .settle = 4.0,
                          .seconds = 1.0,
                          .limit = 20.0};
    pile_scene thousand = hundred;
    thousand.name = "pile of 1,000 spheres";
    thousand.walls = 0.55;
    thousand.height = 2.0;
    thousand.limit = 40.0;
    pile_scene column = thousand;
    column.name = "column of 1,000 spheres";
    column.walls = 0.3;
    column.height = 6.0;
    column.settle = 7.0;
    pile_scene wall = {.name = "wall of 125 bricks",
                       .bricks = true,
                       .half = {0.1, 0.05, 0.05},
                       .mass = 2.0,
                       .friction = 0.6,
                       .step = 2e-3,
                       .settle = 0.2,
                       .seconds = 1.0,
                       .limit = 20.0};
    pile_scene shapes = {.name = "64 mixed shapes",
                         .parts = {{16, "type='sphere' size='0.05'", 0.5},
                                   {16, "type='box' size='0.05 0.04 0.03'", 0.5},
                                   {16, "type='capsule' size='0.035 0.04'", 0.5},
                                   {16, "type='cylinder' size='0.045 0.04'", 0.5}},
                         .walls = 0.3,
                         .height = 1.0,
                         .friction = 0.5,
                         .step = 2e-3,
                         .settle = 2.0,
                         .limit = 20.0};
    pile_scene wreck = {.name = "wrecked wall",
                        .parts = {{60, "type='box' size='0.1 0.05 0.05'", 2.0},
                                  {1, "type='sphere' size='0.15'", 20.0}},
                        .thrown = {0.0, 6.0, 0.0},
                        .friction = 0.6,
                        .step = 2e-3,
                        .settle = 1.5,
                        .limit = 20.0};
    const manner as_is[] = {{.name = "timestep"}};
    const manner few[] = {{.name = "timestep", .overrides = {.variant = "hundred"}},
                          {.name = "timestep, worst of ten others",
                           .overrides = {.variant = "hundred"},
                           .arrangements = 10},
                          {.name = "timestep, 200 sweeps",
                           .overrides = {.items = budget, .count = 1, .variant = "hundred"}},
                          {.name = "timestep, 30 sweeps",
                           .overrides = {.variant = "budget"},
                           .told = "on the way to rest, 30 sweeps a step"},
                          {.name = "timestep, without rolling friction",
                           .overrides = {.variant = "rolling"},
                           .told = "on the way to rest, without rolling friction"}};
    const manner many[] = {{.name = "timestep", .overrides = {.variant = "thousand"}}};
    const manner high[] = {{.name = "timestep", .overrides = {.variant = "column"}}};
    printf("| scene | by | contacts | at rest: ms/step | residual | creep [m/s], median | largest "
           "| still | on the way: ms/step (steps) | residual | steps above the tolerance |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|\n");
    bool good = measure(&wall, "examples/wall.yaml", as_is, 1) &&
                measure(&hundred, "examples/pile.yaml", few, MANNERS) &&
                measure(&shapes, "bench/pile/shapes.yaml", as_is, 1) &&
                measure(&wreck, "bench/pile/wreck.yaml", as_is, 1);
    good = good && (!large || (measure(&thousand, "examples/pile.yaml", many, 1) &&
                               measure(&column, "examples/pile.yaml", high, 1)));
    return good ? 0 : 1;
}
