// SPDX-License-Identifier: Apache-2.0
// CMA-ES on functions whose least value is known: a sphere, an ellipsoid with axes of 1 to 1000,
// Rosenbrock's valley, a sphere with ripples, one with a bound at its least value.
#include <math.h>
#include <string.h>

#include "fit/cma.h"
#include "hf_test.h"

enum { MOST = 10 };

static double sphere(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += x[i] * x[i];
    }
    return sum;
}

static double ellipsoid(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += pow(1e6, (double)i / (n - 1)) * x[i] * x[i];
    }
    return sum;
}

static double valley(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i + 1 < n; ++i) {
        double a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
        sum += 100.0 * a * a + b * b;
    }
    return sum;
}

// A descent ends in the first ripple.
static double ripples(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += x[i] * x[i] + 0.2 * (1.0 - cos(20.0 * x[i]));
    }
    return sum;
}

// Not a number on one side, as where a machine does not run.
static double half(const double *x, int n)
{
    return x[0] < 0.0 ? (double)NAN : sphere(x, n);
}

typedef struct task {
    const char *name;
    double (*cost)(const double *x, int n);
    int n;
    double from, wanted;
    int most; // evaluations: twice what [Hansen2016]'s program needs
} task;

static double minimize(const task *t, int *evaluations, double *best)
{
    double mean[MOST], costs[64], cost = INFINITY;
    for (int i = 0; i < t->n; ++i) {
        mean[i] = t->from;
    }
    hf_cma *cma = hf_cma_create(t->n, mean, 0.5, 0, 1);
    assert_non_null(cma);
    bool going = true;
    for (*evaluations = 0; going && *evaluations < t->most && !(cost < t->wanted);) {
        const double *x = hf_cma_ask(cma);
        for (int k = 0; k < hf_cma_population(cma); ++k, ++*evaluations) {
            costs[k] = t->cost(x + k * t->n, t->n);
        }
        going = hf_cma_tell(cma, costs);
        memcpy(best, hf_cma_best(cma, &cost), (size_t)t->n * sizeof *best);
    }
    hf_cma_destroy(cma);
    return cost;
}

static void finds_what_is_known(void **state)
{
    (void)state;
    static const task tasks[] = {
        {"sphere", sphere, 2, 1.5, 1e-10, 800},
        {"sphere", sphere, 10, 1.5, 1e-10, 3600},
        {"ellipsoid", ellipsoid, 6, 1.5, 1e-10, 6500},
        {"ellipsoid", ellipsoid, 10, 1.5, 1e-10, 13000},
        {"valley", valley, 6, -0.5, 1e-10, 8000},
        {"valley", valley, 10, -0.5, 1e-10, 14000},
        {"ripples", ripples, 2, 2.0, 1e-8, 2000},
        {"half", half, 4, 1.0, 1e-10, 4000},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; ++i) {
        int evaluations = 0, again = 0;
        double best[MOST], other[MOST];
        double cost = minimize(&tasks[i], &evaluations, best);
        hf_check_below(cost, tasks[i].wanted, tasks[i].name, "0");
        // The same bits again
        (void)minimize(&tasks[i], &again, other);
        assert_int_equal(again, evaluations);
        for (int k = 0; k < tasks[i].n; ++k) {
            hf_check_same_bits(other[k], best[k], tasks[i].name);
        }
    }
}

// A cost that never changes: it says when nothing is to be had.
static double flat(const double *x, int n)
{
    (void)x;
    (void)n;
    return (double)NAN;
}

static void gives_up(void **state)
{
    (void)state;
    int evaluations = 0;
    double best[MOST];
    const task t = {"flat", flat, 3, 1.0, 0.0, 1000000};
    assert_true(isinf(minimize(&t, &evaluations, best)));
    hf_check_near(best[0], 1.0, 0.0, "best point", "the first one: nothing was better");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_is_known),
        cmocka_unit_test(gives_up),
    };
    return hf_run_tests(tests);
}
