// SPDX-License-Identifier: Apache-2.0
// Laws alone: the friction element in batches, and each law one evaluation at a time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/laws.h>

#include "../bench.h"

enum { COUNT = 1024, REPETITIONS = 15 };

// Sliding forth, sticking and sliding back take turns, in no order that a branch predictor learns.
static void fill(double *rate, double *e)
{
    unsigned long long seed = 12345;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        rate[i] = ((double)(seed >> 11) / 9007199254740992.0 - 0.5) * 0.04;
        e[i] = 0.5e-5 * (double)(i % 3 - 1);
    }
}

typedef struct batch {
    double stiffness[COUNT], damping[COUNT], level[COUNT], rate[COUNT], e[COUNT];
    double force[COUNT], de[COUNT], stored[COUNT], dissipated[COUNT], mode[COUNT];
} batch;

// Evaluations a second, best of the repetitions.
static double batch_speed(batch *b, bool full)
{
    enum { ROUNDS = 4000 };
    double best = HUGE_VAL;
    for (int r = 0; r < REPETITIONS; r++) {
        double start = hf_bench_now();
        for (int i = 0; i < ROUNDS; i++) {
            if (full)
                hf_stiction_batch_full(COUNT, 1e-4, b->stiffness, b->damping, b->level, b->rate,
                                       b->e, b->force, b->de, b->stored, b->dissipated, b->mode);
            else
                hf_stiction_batch(COUNT, 1e-4, b->stiffness, b->damping, b->level, b->rate, b->e,
                                  b->force, b->de);
            b->rate[i % COUNT] += 1e-12 * b->force[0]; // each round needs the one before
        }
        best = fmin(best, (hf_bench_now() - start) / ((double)ROUNDS * COUNT));
    }
    return 1.0 / best;
}

// Nanoseconds per evaluation through hf_law_info, as the system calls a law.
static double single_cost(const hf_law_info *law, const void *def, int dim, const batch *b)
{
    enum { ROUNDS = 200 };
    double best = HUGE_VAL, sum = 0.0;
    for (int r = 0; r < REPETITIONS; r++) {
        double start = hf_bench_now();
        for (int k = 0; k < ROUNDS * COUNT; k++) {
            int i = k % COUNT;
            double gap[HF_LAW_MAX_DIM], rate[HF_LAW_MAX_DIM], y[8] = {b->e[i]};
            double force[HF_LAW_MAX_DIM], dy[8];
            for (int d = 0; d < dim; d++) {
                gap[d] = -1e-5;
                rate[d] = b->rate[i];
            }
            hf_law_in in = {.gap = gap, .rate = rate, .y = y, .normal = 1.0, .tau = 1e-4};
            hf_law_out out = {.force = force, .dy = dy};
            law->eval(def, dim, &in, &out);
            sum += force[0];
        }
        best = fmin(best, (hf_bench_now() - start) / ((double)ROUNDS * COUNT));
    }
    return isfinite(sum) ? 1e9 * best : HUGE_VAL;
}

int main(void)
{
    static const struct {
        const char *name;
        int dim;
    } laws[] = {{"spring", 1}, {"stiction", 1}, {"stiction", 2}, {"dahl", 1},
                {"lugre", 1},  {"contact", 3},  {"joint", 6}};
    batch *b = calloc(1, sizeof *b);
    if (b == NULL)
        return 1;
    for (int i = 0; i < COUNT; i++) {
        b->stiffness[i] = 1e5;
        b->damping[i] = 100.0;
        b->level[i] = 1.0;
    }
    fill(b->rate, b->e);
    double plain = batch_speed(b, false), full = batch_speed(b, true);
    printf("stiction batch: %7.1f million evaluations a second; with energies and modes %7.1f\n",
           1e-6 * plain, 1e-6 * full);
    hf_bench_result("friction element, batch", plain, "evaluations/s", ">= 2e8");
    hf_bench_result("friction element, batch, energies and modes", full, "evaluations/s", "-");
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        const hf_law_info *law = hf_law_info_find(laws[i].name);
        void *def = law == NULL ? NULL : malloc(law->def_size);
        if (def == NULL)
            return 1;
        law->set_default(def);
        printf("%-9s %d-D: %6.1f ns per evaluation\n", laws[i].name, laws[i].dim,
               single_cost(law, def, laws[i].dim, b));
        free(def);
    }
    free(b);
    return 0;
}
