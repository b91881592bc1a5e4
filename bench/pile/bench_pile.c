// SPDX-License-Identifier: Apache-2.0
// Piles and walls at rest: processor time of a step of method timestep, how well it is solved, and
// how far bodies creep; MuJoCo on the same scenes in the same run, where it is installed.
//   bench-pile [large]     with `large` also a thousand spheres
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

void pile_moves(const pile_scene *scene, const double *before, const double *after,
                pile_result *result)
{
    double *moves = calloc((size_t)scene->count + 1, sizeof *moves);
    for (int i = 0; moves != NULL && i < scene->count; ++i) {
        double squares = 0.0;
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            squares += (after[k] - before[k]) * (after[k] - before[k]);
        }
        moves[i] = sqrt(squares) / scene->seconds;
    }
    if (moves != NULL) {
        qsort(moves, (size_t)scene->count, sizeof *moves, compare);
        result->creep = moves[scene->count / 2];
        result->fastest = moves[scene->count - 1];
    }
    free(moves);
}

// ------------------------------------------------------------------------------------------------
// Holdfast

// Rigid bodies' positions; how many there are.
static int positions(const hf_sim *sim, const hf_model *model, double *at)
{
    int count = 0;
    for (int id = 1; id <= hf_model_get_info(model).bodies; ++id) {
        if (hf_model_body_info(model, (hf_body){id}).type == HF_BODY_RIGID) {
            if (at != NULL) {
                memcpy(at + 3 * count, hf_sim_position(sim, (hf_body){id}), 3 * sizeof *at);
            }
            ++count;
        }
    }
    return count;
}

// Steps for `seconds`; the mean of residuals and of contacts.
static bool run(hf_sim *sim, double step, double seconds, double *time, double *residual,
                double *contacts)
{
    hf_error error;
    long steps = lround(seconds / step);
    double start = hf_bench_now();
    *residual = *contacts = 0.0;
    for (long i = 0; i < steps; ++i) {
        if (hf_sim_step(sim, &error) < 0) {
            fprintf(stderr, "bench-pile: %s\n", error.text);
            return false;
        }
        hf_sim_stats stats = hf_sim_get_stats(sim);
        *residual += stats.residual / (double)steps;
        *contacts += stats.contacts / (double)steps;
    }
    *time = (hf_bench_now() - start) / (double)steps;
    return true;
}

// Fills the scene's bodies, and runs it.
static bool run_holdfast(pile_scene *scene, const char *file, const hf_overrides *overrides,
                         pile_result *result)
{
    char path[500];
    hf_error error;
    (void)snprintf(path, sizeof path, "%s/%s", HF_BENCH_EXAMPLES, file);
    hf_spec *spec = hf_spec_load(path, overrides, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim_def def = model == NULL ? (hf_sim_def){0} : hf_sim_def_default(model);
    def.methods[0] = hf_contact_methods();
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fprintf(stderr, "bench-pile: %s\n", error.text);
        hf_model_destroy(model);
        return false;
    }
    scene->count = positions(sim, model, NULL);
    scene->start = calloc(3 * (size_t)scene->count, sizeof *scene->start);
    double *before = calloc(3 * (size_t)scene->count, sizeof *before);
    double *after = calloc(3 * (size_t)scene->count, sizeof *after), ignored = 0.0;
    bool good = scene->start != NULL && before != NULL && after != NULL;
    if (good) {
        (void)positions(sim, model, scene->start);
        good = run(sim, scene->step, scene->settle, &result->settling, &ignored, &ignored);
        (void)positions(sim, model, before);
        good = good && run(sim, scene->step, scene->seconds, &result->seconds_per_step,
                           &result->residual, &result->contacts);
        (void)positions(sim, model, after);
        pile_moves(scene, before, after, result);
    }
    free(before);
    free(after);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return good;
}

// ------------------------------------------------------------------------------------------------
// Output

static void print(const pile_scene *scene, const char *who, const pile_result *r)
{
    char residual[32] = "-";
    if (r->residual >= 0.0) {
        (void)snprintf(residual, sizeof residual, "%.1e", r->residual);
    }
    printf("| %s | %s | %.0f | %.3g | %.3g | %s | %.2g | %.2g |\n", scene->name, who, r->contacts,
           1e3 * r->seconds_per_step, 1e3 * r->settling, residual, r->creep, r->fastest);
}

static bool measure(pile_scene *scene, const char *file, const hf_overrides *overrides)
{
    char name[120];
    pile_result own = {0}, best = {.seconds_per_step = HUGE_VAL};
    if (!run_holdfast(scene, file, overrides, &own)) {
        return false;
    }
    print(scene, "timestep", &own);
#ifdef HF_BENCH_MUJOCO
    // Newton's method factorizes a matrix of all freedoms: seconds a step for a thousand spheres.
    for (int newton = 0; newton < (scene->count < 500 ? 2 : 1); ++newton) {
        pile_result other = {0};
        if (pile_mujoco(scene, newton == 1, &other) != 0) {
            return false;
        }
        print(scene, newton == 1 ? "MuJoCo, Newton" : "MuJoCo, CG", &other);
        best = other.seconds_per_step < best.seconds_per_step ? other : best;
    }
#endif
    (void)snprintf(name, sizeof name, "%s at rest", scene->name);
    hf_bench_result(name, 1e6 * own.seconds_per_step, "us/step", "-");
    if (isfinite(best.seconds_per_step)) {
        (void)snprintf(name, sizeof name, "%s at rest, times as fast as MuJoCo", scene->name);
        hf_bench_result(name, best.seconds_per_step / own.seconds_per_step, "times", ">= 1");
    }
    free(scene->start);
    scene->start = NULL;
    return true;
}

int main(int count, char **arguments)
{
    bool large = count > 1 && strcmp(arguments[1], "large") == 0;
    static const char *const budget[] = {"method.iterations=50"};
    pile_scene hundred = {.name = "pile of 100 spheres",
                          .half = {0.045},
                          .mass = 0.5,
                          .friction = 0.4,
                          .step = 2e-3,
                          .settle = 4.0,
                          .seconds = 1.0};
    pile_scene thousand = hundred;
    thousand.name = "pile of 1,000 spheres";
    pile_scene wall = {.name = "wall of 125 bricks",
                       .bricks = true,
                       .half = {0.1, 0.05, 0.05},
                       .mass = 2.0,
                       .friction = 0.6,
                       .step = 2e-3,
                       .settle = 0.2,
                       .seconds = 1.0};
    const hf_overrides few = {.items = budget, .count = 1, .variant = "hundred"};
    const hf_overrides many = {.items = budget, .count = 1, .variant = "thousand"};
    printf("| scene | by | contacts | ms/step at rest | while settling | residual | creep [m/s], "
           "median | largest |\n|---|---|---|---|---|---|---|---|\n");
    bool good = measure(&wall, "wall.yaml", NULL) && measure(&hundred, "pile.yaml", &few);
    good = good && (!large || measure(&thousand, "pile.yaml", &many));
    return good ? 0 : 1;
}
