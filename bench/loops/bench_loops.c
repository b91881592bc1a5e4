// SPDX-License-Identifier: Apache-2.0
// How closed chains are solved: coordinate partitioning, [Farhat2010] (2), against multipliers with
// projection, by the conditions of the matrices that each must invert along a motion; and what an
// evaluation costs. Prints a table in Markdown.
//
//   partitioning   the columns of J that belong to the dependent coordinates, for the best choice
//                  that is kept throughout, and for the best choice at every moment
//   multipliers    W = J M^-1 J', rows scaled to a unit diagonal; nothing is chosen
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/adaptive.h>
#include <holdfast/models.h>

#include "../bench.h"
#include "loops/loops.h"

enum { MOST = 16, MOST_PARTITIONS = 1 << 12, SAMPLES = 2000 };

static const char SLIDER_CRANK[] =
    "bodies:\n"
    "  engine:\n"
    "    type: tree\n"
    "    joints:\n"
    "      crank: {type: revolute, mass: 1, center: [0.05, 0, 0], inertia: [0, 0.01, 0.01],\n"
    "              position: 0.3, velocity: 20}\n"
    "      rod: {type: revolute, parent: crank, offset: [0.1, 0, 0], mass: 0.5,\n"
    "            center: [0.15, 0, 0], inertia: [0, 0.00375, 0.00375]}\n"
    "  piston: {type: tree, joints: {slide: {type: prismatic, axis: [1, 0, 0], mass: 2, "
    "guess: 0.4}}}\n"
    "loops: {pin: {type: point, on: engine.rod, to: piston.slide, point: [0.3, 0, 0]}}\n";
static const char FOUR_BAR[] =
    "bodies:\n"
    "  left:\n"
    "    type: tree\n"
    "    joints:\n"
    "      crank: {type: revolute, mass: 0.6, center: [0.15, 0, 0], inertia: [0, 0.005, 0.005],\n"
    "              position: 0.4, velocity: 6}\n"
    "      coupler: {type: revolute, parent: crank, offset: [0.3, 0, 0], mass: 1.8, guess: 0.1,\n"
    "                center: [0.45, 0, 0], inertia: [0, 0.12, 0.12]}\n"
    "  right: {type: tree, joints: {rocker: {type: revolute, offset: [1, 0, 0], mass: 1.4,\n"
    "          guess: 1.5, center: [0.35, 0, 0], inertia: [0, 0.06, 0.06]}}}\n"
    "loops: {pin: {type: revolute, on: left.coupler, to: right.rocker, point: [0.9, 0, 0],\n"
    "              to_point: [0.7, 0, 0]}}\n";

// The shortest and the longest bar are longer than the two others: no bar turns around, each has
// its turning points.
static const char ROCKERS[] =
    "bodies:\n"
    "  left:\n"
    "    type: tree\n"
    "    joints:\n"
    "      bar: {type: revolute, mass: 1.2, center: [0.3, 0, 0], inertia: [0, 0.04, 0.04],\n"
    "            position: 1.4, velocity: 4}\n"
    "      coupler: {type: revolute, parent: bar, offset: [0.6, 0, 0], mass: 1, guess: -1.4,\n"
    "                center: [0.25, 0, 0], inertia: [0, 0.02, 0.02]}\n"
    "  right: {type: tree, joints: {bar: {type: revolute, offset: [1, 0, 0], mass: 1.2,\n"
    "          guess: 1.7, center: [0.3, 0, 0], inertia: [0, 0.04, 0.04]}}}\n"
    "loops: {pin: {type: revolute, on: left.coupler, to: right.bar, point: [0.5, 0, 0],\n"
    "              to_point: [0.6, 0, 0]}}\n";

static double sum_column(const double *a, int n, int column)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += fabs(a[i * n + column]);
    }
    return sum;
}

static double norm(const double *a, int n)
{
    double largest = 0.0;
    for (int k = 0; k < n; ++k) {
        largest = fmax(largest, sum_column(a, n, k));
    }
    return largest;
}

// Condition in the norm of column sums, by Gauss and Jordan with pivots.
static double condition(const double *matrix, int n)
{
    double a[MOST * MOST], b[MOST * MOST] = {0};
    memcpy(a, matrix, (size_t)(n * n) * sizeof *a);
    for (int i = 0; i < n; ++i) {
        b[i * n + i] = 1.0;
    }
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        }
        double size = a[pivot * n + k];
        if (!(fabs(size) > 0.0)) {
            return INFINITY;
        }
        for (int j = 0; j < n; ++j) {
            double x = a[k * n + j], y = b[k * n + j];
            a[k * n + j] = a[pivot * n + j] / size, b[k * n + j] = b[pivot * n + j] / size;
            if (pivot != k) {
                a[pivot * n + j] = x, b[pivot * n + j] = y;
            }
        }
        for (int i = 0; i < n; ++i) {
            double factor = i == k ? 0.0 : a[i * n + k];
            for (int j = 0; j < n; ++j) {
                a[i * n + j] -= factor * a[k * n + j];
                b[i * n + j] -= factor * b[k * n + j];
            }
        }
    }
    return norm(matrix, n) * norm(b, n);
}

typedef struct tally {
    double kept[MOST_PARTITIONS]; // worst of each partition, by its bits
    double switched, multipliers;
    int changes, last;
} tally;

static int bits_in(int mask)
{
    int count = 0;
    for (; mask != 0; mask &= mask - 1) {
        ++count;
    }
    return count;
}

static void look(hf_sim *sim, const int *rows, int rank, tally *t)
{
    const hf_cluster *cluster = &sim->model->clusters[0];
    int n = cluster->columns, best = -1;
    double matrix[MOST * MOST], least = INFINITY;
    hf_loops_prepare(sim, sim->x);
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    for (int mask = 0; mask < 1 << n; ++mask) { // dependent columns
        if (bits_in(mask) != rank) {
            continue;
        }
        for (int i = 0; i < rank; ++i) {
            for (int k = 0, column = 0; k < n; ++k) {
                if ((mask >> k & 1) != 0) {
                    matrix[i * rank + column++] = state->jacobian[rows[i] * n + k];
                }
            }
        }
        double here = condition(matrix, rank);
        t->kept[mask] = fmax(t->kept[mask], here);
        best = here < least ? mask : best;
        least = fmin(least, here);
    }
    t->switched = fmax(t->switched, least);
    t->changes += best != t->last ? 1 : 0;
    t->last = best;
    for (int i = 0; i < rank; ++i) {
        for (int j = 0; j < rank; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += state->jacobian[rows[i] * n + k] * state->response[rows[j] * n + k];
            }
            matrix[i * rank + j] = state->scale[rows[i]] * state->scale[rows[j]] * sum;
        }
    }
    t->multipliers = fmax(t->multipliers, condition(matrix, rank));
}

// Time of an evaluation at changing states [us].
static double time_evaluation(hf_sim *sim)
{
    const hf_model *model = sim->model;
    double least = INFINITY;
    for (int part = 0; part < HF_BENCH_PARTS; ++part) {
        double start = hf_bench_now();
        for (int i = 0; i < 400; ++i) {
            memcpy(sim->stage, sim->x, (size_t)model->n * sizeof *sim->x);
            sim->stage[model->clusters[0].first_mover] += 1e-9 * i;
            hf_sim_eval(sim, sim->core->time, HF_SIDE_AT, 0.0, sim->stage, sim->slope);
        }
        least = fmin(least, hf_bench_now() - start);
    }
    return 1e6 * least / 400.0;
}

static void compare(const char *name, hf_model *model, hf_method_def method, double seconds)
{
    static tally t;
    hf_error error;
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_adaptive_methods();
    hf_sim *sim = hf_sim_create(model, &def, &error);
    int rows[MOST], rank = 0;
    if (sim == NULL) {
        (void)fprintf(stderr, "%s: %s\n", name, error.text);
        exit(1);
    }
    for (int i = 0; i < model->loop_count; ++i) {
        for (int k = 0; k < model->loops[i].rows; ++k) {
            if ((model->loops[i].redundant >> k & 1U) == 0) {
                rows[rank++] = model->loops[i].row + k;
            }
        }
    }
    t = (tally){.last = -1};
    for (int i = 0; i < SAMPLES; ++i) {
        while (hf_sim_time(sim) < seconds * i / SAMPLES) {
            if (hf_sim_step(sim, &error) < 0) {
                (void)fprintf(stderr, "%s: %s\n", name, error.text);
                exit(1);
            }
        }
        look(sim, rows, rank, &t);
    }
    double kept = INFINITY;
    for (int mask = 0; mask < 1 << model->clusters[0].columns; ++mask) {
        kept = bits_in(mask) == rank ? fmin(kept, t.kept[mask]) : kept;
    }
    printf("| %s | %.3g | %.3g, with %d changes | %.3g | %.2g us |\n", name, kept, t.switched,
           t.changes - 1, t.multipliers, time_evaluation(sim));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static hf_model *model_of(const char *text, const char *path)
{
    hf_error error;
    hf_spec *spec = path == NULL ? hf_spec_parse(text, strlen(text), "bench", NULL, NULL, &error)
                                 : hf_spec_load(path, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    if (model == NULL) {
        (void)fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    hf_spec_destroy(spec);
    return model;
}

int main(void)
{
    const hf_method_def rk4 = {.type = HF_METHOD_RK4, .step = 1e-3};
    hf_model *robot = model_of(NULL, HF_BENCH_EXAMPLES "/rps-robot-sine.yaml");
    puts("| machine | one partition, the best | the best partition at every moment | "
         "multipliers | evaluation |");
    puts("|---|---|---|---|---|");
    compare("slider-crank, 3 turns", model_of(SLIDER_CRANK, NULL), rk4, 1.0);
    compare("four-bar, 5 turns", model_of(FOUR_BAR, NULL), rk4, 6.0);
    compare("four-bar without a crank, 6 s", model_of(ROCKERS, NULL), rk4, 6.0);
    compare("3-RPS robot, along its sines", robot, hf_model_method(robot), 5.12);
    return 0;
}
