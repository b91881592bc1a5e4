// SPDX-License-Identifier: Apache-2.0
// Forward dynamics of chains: nanoseconds per hf_tree_forward and per Runge-Kutta step.
// usage: bench-tree [links calls p|g|s]   one case alone, for instruction counters
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bodies/tree.h"

// The least of many short runs: what the code costs when nothing else takes the processor.
enum { REPEATS = 15 };

typedef enum chain_kind { PLANAR, GENERAL, SPATIAL } chain_kind;
static const char *const NAMES[] = {"planar", "general", "spatial"};

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Uniform rods of 0.5 kg and 0.3 m end to end. PLANAR and GENERAL: all turn about z, the second
// without the shortcut for planes; SPATIAL: about z and y in turn.
static void make_chain(hf_tree_link *links, int count, chain_kind kind)
{
    for (int i = 0; i < count; i++) {
        bool y = kind == SPATIAL && i % 2 == 1;
        links[i] = (hf_tree_link){.type = HF_JOINT_REVOLUTE,
                                  .parent = i - 1,
                                  .axis = y ? hf_v3(0, 1, 0) : hf_v3(0, 0, 1),
                                  .offset = hf_v3(i > 0 ? 0.3 : 0.0, 0, 0),
                                  .tilt = hf_m3_identity(),
                                  .mass = 0.5,
                                  .center = hf_v3(0.15, 0, 0),
                                  .inertia = {0, 0.5 * 0.09 / 12, 0.5 * 0.09 / 12, 0, 0, 0},
                                  .armature = y || kind == SPATIAL ? 1e-3 : 0.0};
    }
}

// The state is moved by each result, so that a call cannot start before the last has ended.
static double run(const hf_tree_model *tree, chain_kind kind, long calls, double *data,
                  double *work)
{
    size_t n = (size_t)tree->nv;
    double *q = data, *v = q + n, *u = v + n, *dv = u + n;
    for (size_t k = 0; k < n; k++) {
        q[k] = 0.3 + 0.1 * (double)k;
        v[k] = 0.2;
        u[k] = 0.01;
    }
    const hf_vec3 gravity = {0, 0, 0};
    double start = now();
    for (long i = 0; i < calls; i++) {
        if (kind == PLANAR)
            hf_tree_forward(tree, q, v, u, NULL, gravity, work, dv);
        else
            hf_tree_forward_general(tree, q, v, u, NULL, gravity, work, dv);
        for (size_t k = 0; k < n; k++)
            q[k] += 1e-9 * dv[k];
    }
    return (now() - start) / (double)calls;
}

// Classical Runge-Kutta steps of a tree without quaternions: what the calls cost where they are
// used, a stage's sines overlapping with the end of the stage before.
static double run_rk4(const hf_tree_model *tree, long steps, double *data, double *work)
{
    size_t n = (size_t)tree->nv;
    double *q = data, *v = q + n, *u = v + n, *dv = u + n, *qs = dv + n, *vs = qs + n;
    double *q_sum = vs + n, *v_sum = q_sum + n;
    const double step = 1e-4, ahead[4] = {0.5 * step, 0.5 * step, step, 0.0};
    const double weight[4] = {step / 6, step / 3, step / 3, step / 6};
    const hf_vec3 gravity = {0, 0, 0};
    for (size_t k = 0; k < n; k++) {
        q[k] = 0.3 + 0.1 * (double)k;
        v[k] = 0.2;
        u[k] = 0.0;
    }
    double start = now();
    for (long i = 0; i < steps; i++) {
        for (size_t k = 0; k < n; k++) {
            q_sum[k] = qs[k] = q[k];
            v_sum[k] = vs[k] = v[k];
        }
        for (int stage = 0; stage < 4; stage++) {
            hf_tree_forward(tree, qs, vs, u, NULL, gravity, work, dv);
            for (size_t k = 0; k < n; k++) {
                q_sum[k] += weight[stage] * vs[k];
                v_sum[k] += weight[stage] * dv[k];
                qs[k] = q[k] + ahead[stage] * vs[k];
                vs[k] = v[k] + ahead[stage] * dv[k];
            }
        }
        for (size_t k = 0; k < n; k++) {
            q[k] = q_sum[k];
            v[k] = v_sum[k];
        }
    }
    return (now() - start) / (double)steps;
}

static int measure(int count, chain_kind kind, long calls)
{
    hf_tree_link *links = calloc((size_t)count, sizeof *links);
    double *data = calloc((size_t)count * 8, sizeof *data);
    hf_tree_model tree;
    int status = 1;
    if (links && data) {
        make_chain(links, count, kind);
        hf_tree_prepare(links, count, &tree);
        double *work = calloc(hf_tree_work_size(&tree), sizeof *work);
        if (work) {
            double best = HUGE_VAL, step = HUGE_VAL;
            for (int repeat = 0; repeat < REPEATS; repeat++)
                best = fmin(best, run(&tree, kind, calls, data, work));
            printf("tree-forward %-8s %5d links %10.1f ns per call %8.1f ns per link", NAMES[kind],
                   count, 1e9 * best, 1e9 * best / count);
            if (kind != GENERAL) {
                for (int repeat = 0; repeat < REPEATS; repeat++)
                    step = fmin(step, run_rk4(&tree, calls / 4, data, work));
                printf(" %10.1f ns per RK4 step %8.3f Msteps/s", 1e9 * step, 1e-6 / step);
            }
            printf("\n");
            status = isfinite(data[0]) ? 0 : 1;
        }
        free(work);
    }
    free(data);
    free(links);
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 4) {
        chain_kind kind = argv[3][0] == 'p' ? PLANAR : argv[3][0] == 'g' ? GENERAL : SPATIAL;
        return measure((int)strtol(argv[1], NULL, 10), kind, strtol(argv[2], NULL, 10));
    }
    static const int counts[] = {2, 7, 30, 300};
    int status = 0;
    for (int kind = PLANAR; kind <= SPATIAL; kind++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            status |= measure(counts[i], (chain_kind)kind, 200000 / counts[i]);
    return status;
}
