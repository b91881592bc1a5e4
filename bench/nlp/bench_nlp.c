// SPDX-License-Identifier: Apache-2.0
// The landing point of [RobotSimulation2025] by its nonlinear program: as it is printed, with the
// velocity after the step in (15) alone, and as method nlp has it. Prints a table in Markdown; a
// file that is named gets the velocities of all three as CSV.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/models.h>
#include <holdfast/nlp.h>

#include "../bench.h"
#include "methods/nlp/printed.h"

enum { STEPS = 1199, FORMS = 4 }; // the document's N = 1200 states
// Its machine.
static const hf_printed_point document = {
    .mass = 10.0, .gravity = 9.81, .friction = 0.1, .step = 1e-3};
static const hf_printed_state start = {.x = 0.0, .z = 1.0, .vx = 1.0, .vz = 0.0};
// The exact stop is at 1.0194 s: what moves from here on should rest.
enum { REST = 1050 };

typedef struct result {
    int solved, infeasible, limit, other;
    double velocity[STEPS + 1]; // x' [m/s]
    double x;                   // at the end [m]
} result;

static bool run_printed(hf_printed_form form, result *out)
{
    hf_printed_state state = start;
    *out = (result){.velocity = {state.vx}};
    for (int k = 0; k < STEPS; ++k) {
        hf_printed_result r = hf_printed_step(&document, form, &state, NULL);
        if (!r.started) {
            fprintf(stderr, "bench-nlp: IPOPT could not be started\n");
            return false;
        }
        *(r.ending == HF_NLP_Solve_Succeeded               ? &out->solved
          : r.ending == HF_NLP_Infeasible_Problem_Detected ? &out->infeasible
          : r.ending == HF_NLP_Maximum_Iterations_Exceeded ? &out->limit
                                                           : &out->other) += 1;
        out->velocity[k + 1] = state.vx;
    }
    out->x = state.x;
    return true;
}

// The only solution that (10)-(18) leave where they have one: on the floor, where x'_k is not zero,
// lambda = |x'_k| and so f_x = -mu f_z sign(x'_k), whatever comes of x'_k+1. In flight there is
// none unless x'_k is zero; it is taken as free.
static void run_by_hand(result *out)
{
    const hf_printed_point *p = &document;
    hf_printed_state s = start;
    *out = (result){.velocity = {s.vx}};
    for (int k = 0; k < STEPS; ++k) {
        double fall = s.vz - p->gravity * p->step;
        bool flies = s.z + p->step * fall > 0.0;
        double change = flies ? 0.0 : -s.z / p->step - fall; // f_z T/m
        *(flies ? &out->infeasible : &out->solved) += 1;
        s.vx -= p->friction * change * (s.vx > 0.0 ? 1.0 : s.vx < 0.0 ? -1.0 : 0.0);
        s.vz = fall + change;
        s.x += p->step * s.vx;
        s.z = flies ? s.z + p->step * s.vz : 0.0;
        out->velocity[k + 1] = s.vx;
    }
    out->x = s.x;
}

static bool run_steps(hf_sim *sim, hf_channel x, hf_channel vx, result *out, hf_error *error)
{
    *out = (result){.velocity = {hf_sim_value(sim, vx)}};
    for (int k = 0; k < STEPS; ++k) {
        if (hf_sim_step(sim, error) != HF_OK) {
            return false;
        }
        out->velocity[k + 1] = hf_sim_value(sim, vx);
    }
    out->x = hf_sim_value(sim, x);
    // Steps of a free flight need no program: nothing is asked of IPOPT.
    hf_sim_stats stats = hf_sim_get_stats(sim);
    out->solved = (int)(stats.nlp_solved + stats.free_steps);
    out->other = STEPS - out->solved;
    return true;
}

static bool run_method(result *out)
{
    hf_error error = {0};
    hf_sim *sim = NULL;
    hf_model *model = hf_model_load(HF_BENCH_EXAMPLES "/point-2d.yaml", &error);
    if (model != NULL) {
        hf_sim_def def = hf_sim_def_default(model);
        def.method.type = HF_METHOD_NLP;
        def.method.step = document.step;
        def.methods[0] = hf_nlp_methods();
        sim = hf_sim_create(model, &def, &error);
    }
    bool good =
        sim != NULL && run_steps(sim, hf_model_find_channel(model, "point.position.x"),
                                 hf_model_find_channel(model, "point.velocity.x"), out, &error);
    if (!good) {
        fprintf(stderr, "bench-nlp: %s\n", error.text);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return good;
}

static void print_row(const char *name, const result *r)
{
    double largest = 0.0;
    int turns = 0;
    for (int k = REST; k <= STEPS; ++k) {
        largest = fmax(largest, fabs(r->velocity[k]));
        turns += r->velocity[k] * r->velocity[k - 1] < 0.0 ? 1 : 0;
    }
    printf("| %s | %d | %d | %d | %d | %.6f m | %.1e m/s | %d |\n", name, r->solved, r->infeasible,
           r->limit, r->other, r->x, largest, turns);
}

static bool write_csv(const char *path, const result results[FORMS])
{
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        good = fprintf(file,
                       "time,printed.velocity,by-hand.velocity,after.velocity,nlp.velocity\n") > 0;
        for (int k = 0; k <= STEPS && good; ++k) {
            good = fprintf(file, "%.3f,%.9g,%.9g,%.9g,%.9g\n", k * document.step,
                           results[0].velocity[k], results[1].velocity[k], results[2].velocity[k],
                           results[3].velocity[k]) > 0;
        }
        good = fclose(file) == 0 && good;
    }
    if (!good) {
        fprintf(stderr, "bench-nlp: %s: %s\n", path, strerror(errno));
    }
    return good;
}

int main(int argc, char **argv)
{
    static const char *const names[FORMS] = {"as printed, by IPOPT", "as printed, by hand",
                                             "x'_k+1 in (15), else as printed", "method `nlp`"};
    result *results = calloc(FORMS, sizeof *results);
    bool good = results != NULL && run_printed(HF_PRINTED_BEFORE, &results[0]) &&
                run_printed(HF_PRINTED_AFTER, &results[2]) && run_method(&results[3]);
    if (good) {
        run_by_hand(&results[1]);
        printf("| program of a step | solved | infeasible | iteration limit | other ends | x(1.199 "
               "s) | "
               "largest speed from 1.05 s on | its turns |\n|---|---|---|---|---|---|---|---|\n");
        for (int i = 0; i < FORMS; ++i) {
            print_row(names[i], &results[i]);
        }
        good = argc < 2 || write_csv(argv[1], results);
    }
    free(results);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
