// SPDX-License-Identifier: Apache-2.0
// The least forces in cones: against closed forms, and by the conditions of the optimum,
//   x = P_K(C'y), C x = d,  that is: x is in K, balances, and |x'| >= |x| for any other such x'.
#include <hf_test.h>

#include <math.h>
#include <string.h>

#include "solvers/small/least_cone.h"

enum { ROWS = 9, BLOCKS = 12, COLUMNS = 3 * BLOCKS };

typedef struct setting {
    hf_least_cone problem;
    double c[ROWS * COLUMNS], d[ROWS], x[COLUMNS], work[2000];
    hf_block block[BLOCKS];
} setting;

static void begin(setting *s, int rows, int blocks)
{
    memset(s, 0, sizeof *s);
    assert_true(hf_least_cone_work(rows, blocks) <= sizeof s->work / sizeof *s->work);
    s->problem = (hf_least_cone){.rows = rows,
                                 .blocks = blocks,
                                 .c = s->c,
                                 .d = s->d,
                                 .block = s->block,
                                 .x = s->x,
                                 .work = s->work};
}

// A beam with three supports at -1, 0 and a m: those of least squares, unless one would pull.
static void beam_on_three_supports(void **state)
{
    (void)state;
    setting s;
    const double at[3] = {-1.0, 0.0, 1.0};
    for (int heavy = 0; heavy < 2; ++heavy) {
        double load = heavy ? 0.9 : 0.3; // where 6 N act
        begin(&s, 2, 3);
        for (int b = 0; b < 3; ++b) {
            s.block[b].kind = HF_BLOCK_LINE;
            s.c[3 * b] = 1.0;
            s.c[9 + 3 * b] = at[b];
        }
        s.d[0] = 6.0;
        s.d[1] = 6.0 * load;
        assert_true(hf_least_cone_solve(&s.problem, 1e-12));
        // N = 2 + 3 load at; where that pulls on the left, two supports carry all
        for (int b = 0; b < 3; ++b) {
            double want = heavy ? (b == 0   ? 0.0
                                   : b == 1 ? 6.0 * (1.0 - load)
                                            : 6.0 * load)
                                : 2.0 + 3.0 * load * at[b];
            hf_check_near(s.x[3 * b], want, 1e-12, "support", "closed form");
        }
    }
}

// Two contacts of friction 0.5 share 4 N across. The first alone carries 2 N, the second 10 N: even
// shares leave the first's cone.
static void cones_limit_the_share(void **state)
{
    (void)state;
    setting s;
    begin(&s, 3, 2);
    s.block[0] = s.block[1] = (hf_block){HF_BLOCK_CONE, 0.5};
    s.c[0] = s.c[6 + 3] = 1.0;             // each normal by itself
    s.c[2 * 6 + 1] = s.c[2 * 6 + 4] = 1.0; // the sum of tangents along x
    s.d[0] = 2.0;
    s.d[1] = 10.0;
    s.d[2] = 4.0;
    assert_true(hf_least_cone_solve(&s.problem, 1e-12));
    const double want[6] = {2.0, 1.0, 0.0, 10.0, 3.0, 0.0};
    for (int i = 0; i < 6; ++i) {
        hf_check_near(s.x[i], want[i], 1e-9, "force", "closed form");
    }
    s.d[2] = 6.5; // more than both hold: 6
    assert_false(hf_least_cone_solve(&s.problem, 1e-9));
}

// Not at the edge: where a set has nothing else that balances its dual has no maximum. Returns how
// many of the numbers are free.
static int put_inside(const hf_block *block, double *x)
{
    double size = hypot(x[1], x[2]);
    double bound = block->kind == HF_BLOCK_CONE ? block->size * fabs(x[0]) : block->size;
    double part = size > 0.9 * bound ? 0.9 * bound / size : 1.0;
    bool line = block->kind == HF_BLOCK_LINE || block->kind == HF_BLOCK_NONE;
    x[0] = block->kind == HF_BLOCK_BALL || block->kind == HF_BLOCK_NONE ? 0.0 : fabs(x[0]);
    x[1] = line ? 0.0 : part * x[1];
    x[2] = line ? 0.0 : part * x[2];
    return block->kind == HF_BLOCK_NONE ? 0 : line ? 1 : 2;
}

// How far a block's forces are outside their set.
static double outside(const hf_block *block, const double *x)
{
    double size = hypot(x[1], x[2]);
    switch (block->kind) {
    case HF_BLOCK_LINE:
        return fmax(-x[0], size);
    case HF_BLOCK_CONE:
        return fmax(-x[0], size - block->size * x[0]);
    case HF_BLOCK_BALL:
        return fmax(fabs(x[0]), size - block->size);
    default:
        return fabs(x[0]) + size;
    }
}

// Random problems that have a solution: it balances, is in K, and is as small as it can be: x.w >=
// |x|^2 for every w of K that balances. Mixtures of x, the force that was known, and others of K
// are such w.
static void random_problems(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(18);
    for (int trial = 0; trial < 2000; ++trial) {
        setting s;
        double known[COLUMNS];
        int unknowns = 0;
        begin(&s, hf_rng_int(&rng, 1, ROWS), hf_rng_int(&rng, 3, BLOCKS));
        int columns = 3 * s.problem.blocks;
        for (int i = 0; i < s.problem.rows * columns; ++i) {
            s.c[i] = hf_rng_normal(&rng);
        }
        for (int b = 0; b < s.problem.blocks; ++b) {
            s.block[b].kind = (hf_block_kind)hf_rng_int(&rng, 0, 3);
            s.block[b].size = hf_rng_uniform(&rng, 0.1, 1.0);
            for (int k = 0; k < 3; ++k) {
                known[3 * b + k] = hf_rng_normal(&rng);
            }
            unknowns += put_inside(&s.block[b], known + 3 * b);
        }
        if (unknowns < s.problem.rows) {
            continue;
        }
        double size = 0.0, squares = 0.0, product = 0.0;
        for (int r = 0; r < s.problem.rows; ++r) {
            for (int i = 0; i < columns; ++i) {
                s.d[r] += s.c[r * columns + i] * known[i];
            }
            size = hypot(size, s.d[r]);
        }
        assert_true(hf_least_cone_solve(&s.problem, 1e-10));
        for (int b = 0; b < s.problem.blocks; ++b) {
            hf_check_below(outside(&s.block[b], s.x + 3 * b), 1e-12, "outside", "of K");
        }
        for (int r = 0; r < s.problem.rows; ++r) {
            double sum = -s.d[r];
            for (int i = 0; i < columns; ++i) {
                sum += s.c[r * columns + i] * s.x[i];
            }
            hf_check_below(fabs(sum), 1e-10 * size, "balance", "C x = d");
        }
        for (int i = 0; i < columns; ++i) {
            squares += s.x[i] * s.x[i];
            product += s.x[i] * known[i];
        }
        hf_check_below(squares - product, 1e-8 * squares, "x.x - x.w", "w balances too");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beam_on_three_supports),
        cmocka_unit_test(cones_limit_the_share),
        cmocka_unit_test(random_problems),
    };
    return hf_run_tests(tests);
}
