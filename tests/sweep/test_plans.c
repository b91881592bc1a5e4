// SPDX-License-Identifier: Apache-2.0
// What varies and what is refused: every form of an axis against its numbers, everything that can
// be wrong about a sweep with its message, and what is kept of runs that are very short or very
// long.
#include <math.h>

#include "sweep_files.h"

static const char rest[] =
    "method: {type: rk4, step: 1e-3}\n"
    "duration: 1e-3\n"
    "parameters: {a: 1, b: 1, c: 1}\n"
    "bodies: {m: {type: mass, dim: 1, mass: 1, position: a + 10*b + 100*c}}\n";

static hf_sweep_def def_of(const char *text)
{
    hf_sweep_def def = hf_sweep_def_default();
    def.text = text;
    def.length = strlen(text);
    return def;
}

// ------------------------------------------------------------------------------------------------
// Values

static hf_table *rows_of(const char *const *vary, int count)
{
    static const char *const of[] = {"m.position"};
    hf_sweep_def def = def_of(rest);
    def.vary = vary;
    def.vary_count = count;
    def.of = of;
    def.of_count = 1;
    return hf_sweep_rows(&def);
}

// Grids have their ends exactly and equal steps (or ratios) between; the last axis varies fastest;
// and each case ran with its numbers.
static void grids(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(3);
    for (int trial = 0; trial < 12; ++trial) {
        char one[80], two[80];
        int n = hf_rng_int(&rng, 1, 7), m = hf_rng_int(&rng, 1, 5);
        double low = hf_rng_uniform(&rng, -3.0, 3.0), high = hf_rng_uniform(&rng, -3.0, 3.0);
        double from = hf_rng_log_uniform(&rng, 1e-3, 1.0), to = hf_rng_log_uniform(&rng, 1.0, 1e3);
        (void)snprintf(one, sizeof one, "a=%.17g:%.17g:%d", low, high, n);
        (void)snprintf(two, sizeof two, "b=log:%.17g:%.17g:%d", from, to, m);
        const char *vary[] = {one, two, "c=2,-1"};
        hf_table *t = rows_of(vary, 3);
        assert_int_equal(t->rows, n * m * 2);
        for (long long i = 0; i < t->rows; ++i) {
            long long k = i / (2 * m), j = i / 2 % m;
            double part = n > 1 ? (double)k / (n - 1) : 0.0,
                   share = m > 1 ? (double)j / (m - 1) : 0.0;
            double a = hf_cell(t, "a", i), b = hf_cell(t, "b", i), c = hf_cell(t, "c", i);
            hf_check_near(a, low + part * (high - low), 1e-14, "a", "equal steps");
            hf_check_near(b, from * pow(to / from, share), 1e-12 * to, "b", "equal ratios");
            hf_check_same_bits(c, i % 2 == 0 ? 2.0 : -1.0, "c");
            if (k == n - 1 && n > 1) {
                hf_check_same_bits(a, high, "end of a");
            }
            if (j == m - 1 && m > 1) {
                hf_check_same_bits(b, to, "end of b");
            }
            hf_check_near(hf_cell(t, "m.position", i), a + 10.0 * b + 100.0 * c, 1e-11 * to, "x",
                          "the case's numbers");
        }
        hf_table_destroy(t);
    }
}

// Draws lie in their ranges, and half of them on either side of the middle.
static void draws(void **state)
{
    (void)state;
    const char *vary[] = {"a=uniform:-2:6", "b=loguniform:0.01:100", "c=lognormal:3:0.5"};
    hf_sweep_def def = def_of(rest);
    static const char *const of[] = {"m.position"};
    def.of = of;
    def.of_count = 1;
    def.vary = vary;
    def.vary_count = 3;
    def.samples = 200;
    for (int design = HF_SWEEP_RANDOM; design <= HF_SWEEP_SOBOL; ++design) {
        int above[3] = {0, 0, 0};
        def.design = (hf_sweep_design)design;
        def.seed = 5;
        hf_table *t = hf_sweep_rows(&def);
        assert_int_equal(t->rows, 200);
        for (long long i = 0; i < t->rows; ++i) {
            double a = hf_cell(t, "a", i), b = hf_cell(t, "b", i), c = hf_cell(t, "c", i);
            assert_true(a >= -2.0 && a <= 6.0 && b >= 0.01 && b <= 100.0 && c > 0.0);
            above[0] += a > 2.0;
            above[1] += b > 1.0;
            above[2] += c > 3.0;
        }
        for (int k = 0; k < 3; ++k) {
            assert_in_range(above[k], design == HF_SWEEP_RANDOM ? 75 : 96,
                            design == HF_SWEEP_RANDOM ? 125 : 104);
        }
        hf_table_destroy(t);
    }
}

// ------------------------------------------------------------------------------------------------
// Refusals

typedef struct wrong {
    const char *vary[3], *of[2], *cases;
    hf_sweep_design design;
    hf_sweep_indices indices;
    double after, duration;
    long long samples, every;
    int jobs, shard, shards;
    const char *want;
} wrong;

static void refuse(const wrong *w)
{
    char path[64] = "";
    hf_sweep_def def = def_of(rest);
    hf_error error = {0};
    def.vary = w->vary;
    def.of = w->of;
    while (def.vary_count < 3 && w->vary[def.vary_count] != NULL) {
        ++def.vary_count;
    }
    while (def.of_count < 2 && w->of[def.of_count] != NULL) {
        ++def.of_count;
    }
    if (w->cases != NULL) {
        hf_temporary(path, "cases.csv");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        (void)fputs(w->cases, file);
        (void)fclose(file);
        def.cases = path;
    }
    def.design = w->design;
    def.indices = w->indices;
    def.after = w->after;
    def.duration = w->duration != 0.0 ? w->duration : (double)NAN;
    def.samples = w->samples;
    def.every = w->every != 0 ? w->every : 1;
    def.jobs = w->jobs != 0 ? w->jobs : 1;
    def.shard = w->shard;
    def.shards = w->shards;
    def.output = "/tmp/never.h5";
    hf_sweep *sweep = hf_sweep_create(&def, &error);
    if (sweep != NULL || strstr(error.text, w->want) == NULL) {
        fail_msg("no '%s' in '%s'", w->want, sweep != NULL ? "a sweep" : error.text);
    }
    if (path[0] != '\0') {
        hf_remove(path);
    }
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    static char long_word[400];
    memset(long_word, 'w', sizeof long_word - 1);
    const wrong all[] = {
        {.vary = {"a=1:2:1e10"}, .of = {"t"}, .want = "whole number"},
        {.vary = {"a=log:1:-2:3"}, .of = {"t"}, .want = "logarithm"},
        {.vary = {"a=loguniform:0:2"}, .of = {"t"}, .want = "logarithm"},
        {.vary = {"a=lognormal:-1:2"}, .of = {"t"}, .want = "logarithm"},
        {.vary = {"a=lognormal:1:0"}, .of = {"t"}, .want = "deviation"},
        {.vary = {"a=loguniform:2:1"}, .of = {"t"}, .want = "below HIGH"},
        {.vary = {"a=uniform:1:2:3"}, .of = {"t"}, .want = "uniform:LOW:HIGH"},
        {.vary = {"a=normal:x:1"}, .of = {"t"}, .want = "normal:MEAN:DEVIATION"},
        {.vary = {"a=1,2", "a=3,4"}, .of = {"t"}, .want = "'a' varies twice"},
        {.vary = {"a=1,2"}, .of = {"t"}, .cases = "a\n1\n2\n", .want = "varies twice"},
        {.vary = {"a=1,2"}, .of = {"t"}, .cases = "b\n", .want = "no cases"},
        {.vary = {"a=1,2"}, .of = {"t"}, .cases = "b\n1\nnan\n", .want = "not a finite number"},
        {.vary = {"a=1:2:1000000", "b=1:2:1000000", "c=1:2:2"},
         .of = {"t"},
         .want = "are more than"},
        {.vary = {"a=1,2"}, .of = {"t"}, .indices = HF_SWEEP_SOBOL_INDICES, .want = "random axes"},
        {.vary = {"a=1,2", "b=uniform:1:2"},
         .of = {"t"},
         .indices = HF_SWEEP_MORRIS,
         .want = "none of another kind"},
        {.vary = {"b=uniform:1:2"}, .of = {"t"}, .samples = -1, .want = "number of samples"},
        {.vary = {"b=uniform:1:2"},
         .of = {"t"},
         .samples = 2000000000,
         .want = "number of samples, from 1 to 1e+09"},
        {.vary = {"a=1,2"}, .of = {"t"}, .samples = 4, .want = "samples are of random axes"},
        {.vary = {"b=uniform:1:2"},
         .of = {"t"},
         .samples = 1,
         .indices = HF_SWEEP_SOBOL_INDICES,
         .want = "2 samples or more"},
        {.vary = {"a=1,2"}, .of = {"final(t, 2)"}, .want = "final has one thing in brackets"},
        {.vary = {"a=1,2"}, .of = {"final + 1"}, .want = "final(X)"},
        {.vary = {"a=1,2"}, .of = {"stick(a, b)"}, .want = "stick(FORCE), not several"},
        {.vary = {"a=1,2"}, .of = {"t"}, .after = -1.0, .want = "after must be"},
        {.vary = {"a=1,2"}, .of = {"t"}, .after = INFINITY, .want = "after must be"},
        {.vary = {"a=1,2"}, .of = {"t"}, .duration = -1.0, .want = "duration must be"},
        {.vary = {"a=1,2"}, .of = {"t"}, .duration = INFINITY, .want = "duration must be"},
        {.vary = {"a=1,2"}, .of = {"t"}, .every = -1, .want = "every and jobs"},
        {.vary = {"a=1,2"}, .of = {"t"}, .jobs = -1, .want = "every and jobs"},
        {.vary = {"a=1,2"}, .of = {"t"}, .shards = -2, .want = "shard must be"},
        {.vary = {"a=1,2"}, .of = {"t"}, .shards = 3, .shard = 4, .want = "shard must be"},
        {.vary = {"a=1,2"}, .of = {"t"}, .shards = 3, .want = "shard must be"},
        {.vary = {"a=1,2"}, .of = {"x=t", "x=2*t"}, .want = "asked for twice"},
        {.vary = {"a=1,2"}, .of = {long_word}, .want = "too long"},
        {.vary = {"a=1,2"}, .of = {"max(t, 1"}, .want = "not closed"},
        {.vary = {"a=1,2"}, .of = {"stick(2)"}, .want = "name of a force"},
        {.vary = {"a=1,2"}, .of = {"g_0"}, .want = "unknown name"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        refuse(&all[i]);
    }
}

// ------------------------------------------------------------------------------------------------
// Short and long runs

// Numbers in expressions as C writes them; names that begin like those of the translation.
static void words_of_expressions(void **state)
{
    (void)state;
    const char *vary[] = {"a=1,2"};
    const char *of[] = {"1.5e+1*m.position",   "2E-1*m.position",           "m.position*.5", "1e2",
                        "x.y2=m.position + 1", "m.position >= 111 && t < 1"};
    hf_sweep_def def = def_of(rest);
    def.vary = vary;
    def.vary_count = 1;
    def.of = of;
    def.of_count = 6;
    hf_table *t = hf_sweep_rows(&def);
    for (long long i = 0; i < 2; ++i) {
        double x = 111.0 + (double)i;
        const double want[] = {15.0 * x, 0.2 * x, 0.5 * x, 100.0, x + 1.0, 1.0};
        for (int k = 0; k < 6; ++k) {
            hf_check_near(hf_cell(t, k == 4 ? "x.y2" : of[k], i), want[k], 1e-12 * x, of[k],
                          "by hand");
        }
    }
    hf_table_destroy(t);
}

// What begins after the end has seen nothing; at the end, one state.
static void few_states(void **state)
{
    (void)state;
    const char *vary[] = {"a=1"};
    const char *of[] = {"mean(m.position)", "rms(m.position)",       "max(m.position)",
                        "min(m.position)",  "amplitude(m.position)", "period(m.position)",
                        "first(t >= 0)",    "count(t > 0)",          "m.position"};
    hf_sweep_def def = def_of(rest);
    def.vary = vary;
    def.vary_count = 1;
    def.of = of;
    def.of_count = 9;
    for (int one = 0; one < 2; ++one) {
        def.after = one ? 1e-3 : 5.0;
        hf_table *t = hf_sweep_rows(&def);
        for (int k = 0; k < 4; ++k) {
            double value = hf_cell(t, of[k], 0);
            assert_true(one ? fabs(value - 111.0) < 1e-12 : isnan(value));
        }
        assert_true(isnan(hf_cell(t, of[4], 0)) == !one && isnan(hf_cell(t, of[5], 0)));
        assert_true(isnan(hf_cell(t, of[6], 0)) == !one);
        hf_check_near(hf_cell(t, of[7], 0), one ? 1.0 : 0.0, 0.0, "count", "states");
        hf_check_near(hf_cell(t, of[8], 0), 111.0, 1e-12, "at the end", "at rest");
        hf_table_destroy(t);
    }
}

// Limit cycles of runs with more states than are kept: every second one, then every fourth.
static void long_cycles(void **state)
{
    (void)state;
    static const char text[] = "method: {type: semi-implicit-euler, step: 1e-3}\n"
                               "duration: 700\n"
                               "parameters: {w: 2}\n"
                               "bodies: {m: {type: mass, dim: 1, mass: 1, position: 1}}\n"
                               "forces: [{name: spring, on: m, type: spring, stiffness: w^2}]\n";
    const char *vary[] = {"w=2,3"};
    const char *of[] = {"period(m.position)", "amplitude(m.position)", "period(m.velocity)"};
    hf_sweep_def def = def_of(text);
    def.vary = vary;
    def.vary_count = 1;
    def.of = of;
    def.of_count = 3;
    for (int half = 0; half < 2; ++half) {
        def.after = half ? 300.0 : 0.0;
        hf_table *t = hf_sweep_rows(&def);
        for (long long i = 0; i < 2; ++i) {
            double w = 2.0 + (double)i, period = 2.0 * acos(-1.0) / w;
            hf_check_near(hf_cell(t, of[0], i), period, 1e-5 * period, "period", "closed form");
            hf_check_near(hf_cell(t, of[2], i), period, 1e-5 * period, "period", "closed form");
            hf_check_near(hf_cell(t, of[1], i), 1.0, 5e-3, "amplitude", "closed form");
        }
        hf_table_destroy(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids),       cmocka_unit_test(draws),
        cmocka_unit_test(few_states),  cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(long_cycles), cmocka_unit_test(words_of_expressions),
    };
    return hf_run_tests(tests);
}
