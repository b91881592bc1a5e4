// SPDX-License-Identifier: Apache-2.0
// Laws alone: the friction element in batches beside a copy of its arrays, then each law by itself
// and in a batch of 1,000.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/laws.h>

#include "../bench.h"

enum { COUNT = 1000, REPETITIONS = 15, MAX_STATES = 32 };

// Keeps the compiler from dropping stores that nothing reads.
#define HF_BENCH_USE(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

// ------------------------------------------------------------------------------------------------
// Arrays

// What the batches read and write.
typedef enum column {
    STIFFNESS,
    DAMPING,
    LEVEL,
    RATE,
    DEFLECTION,
    FORCE,
    FLOW,
    APPLIED,
    THRESHOLD,
    MASS,
    STORED,
    DISSIPATED,
    MODE,
    COLUMNS
} column;

typedef struct table {
    size_t n;
    double *column[COLUMNS]; // unused ones are NULL
} table;

static void table_release(table *t)
{
    for (int k = 0; k < COLUMNS; k++)
        free(t->column[k]);
}

// Sliding forth, sticking and sliding back take turns, in no order that a branch predictor learns.
static bool table_create(table *t, size_t n, int columns)
{
    static const double value[COLUMNS] = {[STIFFNESS] = 1e5, [DAMPING] = 100.0,  [LEVEL] = 1.0,
                                          [APPLIED] = 0.5,   [THRESHOLD] = 0.01, [MASS] = 0.7};
    *t = (table){.n = n};
    for (int k = 0; k < columns; k++) {
        t->column[k] = malloc(n * sizeof(double));
        if (t->column[k] == NULL) {
            table_release(t);
            return false;
        }
        for (size_t i = 0; i < n; i++)
            t->column[k][i] = value[k];
    }
    unsigned long long seed = 12345;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        t->column[RATE][i] = ((double)(seed >> 11) / 9007199254740992.0 - 0.5) * 0.04;
        t->column[DEFLECTION][i] = 0.5e-5 * ((double)(i % 3) - 1.0);
    }
    return true;
}

typedef void (*work)(const table *t);

// Nanoseconds an element of one pass, the least of the repetitions.
static double cost(work pass, const table *t, int rounds, int repetitions)
{
    double best = HUGE_VAL;
    for (int r = 0; r < repetitions; r++) {
        double start = hf_bench_now();
        for (int i = 0; i < rounds; i++) {
            pass(t);
            HF_BENCH_USE(t);
        }
        best = fmin(best, hf_bench_now() - start);
    }
    return 1e9 * best / ((double)rounds * (double)t->n);
}

// ------------------------------------------------------------------------------------------------
// Batches

static void stiction(const table *t)
{
    double *const *c = t->column;
    hf_stiction_batch(t->n, 1e-4, c[STIFFNESS], c[DAMPING], c[LEVEL], c[RATE], c[DEFLECTION],
                      c[FORCE], c[FLOW]);
}

static void stiction_full(const table *t)
{
    double *const *c = t->column;
    hf_stiction_batch_full(t->n, 1e-4, c[STIFFNESS], c[DAMPING], c[LEVEL], c[RATE], c[DEFLECTION],
                           c[FORCE], c[FLOW], c[STORED], c[DISSIPATED], c[MODE]);
}

// The five arrays that the element reads, into the two that it writes.
static void copy(const table *t)
{
    for (int k = STIFFNESS; k <= DEFLECTION; k++) {
        double *to = t->column[k % 2 == 0 ? FORCE : FLOW];
        memcpy(to, t->column[k], t->n * sizeof(double));
        HF_BENCH_USE(to);
    }
}

static void coulomb(const table *t)
{
    double *const *c = t->column;
    hf_coulomb_batch(t->n, 1e-3, c[MASS], c[LEVEL], c[APPLIED], c[RATE], c[FORCE], c[FLOW]);
}

static void karnopp(const table *t)
{
    double *const *c = t->column;
    hf_karnopp_batch(t->n, c[THRESHOLD], c[LEVEL], c[APPLIED], c[RATE], c[FORCE]);
}

static void quinn(const table *t)
{
    double *const *c = t->column;
    hf_quinn_batch(t->n, c[THRESHOLD], c[LEVEL], c[APPLIED], c[RATE], c[FORCE]);
}

static void viscous(const table *t)
{
    double *const *c = t->column;
    hf_viscous_approximation_batch(t->n, c[THRESHOLD], c[LEVEL], c[RATE], c[FORCE]);
}

static void dahl(const table *t)
{
    double *const *c = t->column;
    hf_dahl_batch(t->n, c[STIFFNESS], c[LEVEL], c[RATE], c[DEFLECTION], c[FORCE], c[FLOW]);
}

static void lugre(const table *t)
{
    double *const *c = t->column;
    hf_lugre_batch(t->n, c[STIFFNESS], c[DAMPING], c[MASS], c[LEVEL], c[RATE], c[DEFLECTION],
                   c[FORCE], c[FLOW]);
}

static void hayward(const table *t)
{
    double *const *c = t->column;
    hf_hayward_armstrong_batch(t->n, c[STIFFNESS], c[MASS], c[LEVEL], c[RATE], c[DEFLECTION],
                               c[FORCE], c[FLOW]);
}

static work batch_of(hf_law_type type)
{
    switch (type) {
    case HF_LAW_STICTION:
        return stiction;
    case HF_LAW_COULOMB:
        return coulomb;
    case HF_LAW_KARNOPP:
        return karnopp;
    case HF_LAW_QUINN:
        return quinn;
    case HF_LAW_VISCOUS_APPROXIMATION:
        return viscous;
    case HF_LAW_DAHL:
        return dahl;
    case HF_LAW_LUGRE:
        return lugre;
    case HF_LAW_HAYWARD_ARMSTRONG:
        return hayward;
    default:
        return NULL;
    }
}

// ------------------------------------------------------------------------------------------------
// One by one, through hf_law_info, as the system calls a law

typedef struct single {
    const hf_law_info *law;
    const void *def;
    int dim;
    double y[COUNT][MAX_STATES];
    double force[COUNT][HF_LAW_MAX_DIM], dy[COUNT][MAX_STATES];
} single;

// Nanoseconds an evaluation of `instances` laws in turn: 1, or all that there are.
static double single_cost(single *s, const table *t, int instances)
{
    enum { ROUNDS = 50 };
    const double inputs[HF_LAW_MAX_INPUTS] = {0.0}, memory[MAX_STATES] = {0.0};
    double best = HUGE_VAL;
    for (int r = 0; r < REPETITIONS; r++) {
        double start = hf_bench_now();
        for (int k = 0; k < ROUNDS * COUNT; k++) {
            int i = k % instances;
            double gap[HF_LAW_MAX_DIM], rate[HF_LAW_MAX_DIM], applied[HF_LAW_MAX_DIM];
            for (int d = 0; d < s->dim; d++) {
                gap[d] = -1e-5;
                rate[d] = t->column[RATE][k % COUNT];
                applied[d] = 0.5;
            }
            hf_law_in in = {.gap = gap,
                            .rate = rate,
                            .y = s->y[i],
                            .normal = 1.0,
                            .tau = 1e-4,
                            .mass = 0.7,
                            .applied = applied,
                            .inputs = inputs,
                            .memory = memory,
                            .step = 1e-3};
            hf_law_out out = {.force = s->force[i], .dy = s->dy[i]};
            s->law->eval(s->def, s->dim, &in, &out);
            HF_BENCH_USE(&out);
        }
        best = fmin(best, hf_bench_now() - start);
    }
    return 1e9 * best / ((double)ROUNDS * COUNT);
}

static int compare_laws(single *s, const table *t)
{
    printf("\n%-22s %4s %12s %14s\n", "law", "dim", "alone [ns]", "in 1,000 [ns]");
    for (int type = HF_LAW_FORCE + 1; type < HF_LAW_TYPE_COUNT; type++) {
        s->law = hf_law_info_get((hf_law_type)type);
        void *def = s->law == NULL ? NULL : malloc(s->law->def_size);
        if (def == NULL)
            return 1;
        s->law->set_default(def);
        s->def = def;
        s->dim = s->law->min_dim > 0 ? s->law->min_dim : 3; // 0: contact couplings
        if (s->law->state_count(def, s->dim) > MAX_STATES) {
            free(def);
            return 1;
        }
        memset(s->y, 0, sizeof s->y);
        work batch = batch_of(s->law->type);
        printf("%-22s %4d %12.1f ", s->law->name, s->dim, single_cost(s, t, 1));
        if (batch != NULL)
            printf("%14.2f\n", cost(batch, t, 2000, REPETITIONS));
        else
            printf("%14.2f  one by one\n", single_cost(s, t, COUNT));
        free(def);
    }
    return 0;
}

int main(void)
{
    table small, large;
    single *s = malloc(sizeof *s);
    if (s == NULL || !table_create(&small, COUNT, COLUMNS))
        return 1;
    double plain = cost(stiction, &small, 4000, REPETITIONS);
    double full = cost(stiction_full, &small, 4000, REPETITIONS);
    double copied = cost(copy, &small, 4000, REPETITIONS);
    printf("stiction batch of 1,000: %.2f ns an element, with energies and modes %.2f ns; "
           "copy of its arrays %.2f ns\n",
           plain, full, copied);
    hf_bench_result("friction element, batch", 1e9 / plain, "evaluations/s", ">= 2e8");
    hf_bench_result("friction element, batch, energies and modes", 1e9 / full, "evaluations/s",
                    "-");
    hf_bench_result("friction element, batch in cache, against a copy", plain / copied, "times",
                    "<= 4");
    if (table_create(&large, 10000000, FLOW + 1)) {
        double far = cost(stiction, &large, 1, 5), far_copy = cost(copy, &large, 1, 5);
        printf("ten million: %.2f ns an element; copy %.2f ns\n", far, far_copy);
        hf_bench_result("friction element, ten million, against a copy", far / far_copy, "times",
                        "<= 1.2");
        table_release(&large);
    } else {
        printf("ten million: not enough memory, left out\n");
    }
    int status = compare_laws(s, &small);
    table_release(&small);
    free(s);
    return status;
}
