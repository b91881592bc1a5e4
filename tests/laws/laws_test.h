// SPDX-License-Identifier: Apache-2.0
// What the tests of laws share: random levels, one evaluation, faults.
#ifndef LAWS_TEST_H
#define LAWS_TEST_H

#include <holdfast/laws.h>

#include <math.h>
#include <string.h>

#include "hf_test.h"

// One evaluation with its arrays.
typedef struct evaluation {
    double force[HF_LAW_MAX_DIM];
    double dy[64];
    hf_law_out out;
} evaluation;

static inline evaluation evaluate(hf_law_type law, const void *def, int dim, const hf_law_in *in)
{
    evaluation e = {0};
    e.out.force = e.force;
    e.out.dy = e.dy;
    hf_law_info_get(law)->eval(def, dim, in, &e.out);
    return e;
}

// Fails unless `status` refused `member` (within `within`) for a reason that contains `reason`.
static inline void expect_fault(hf_status status, const hf_fault *fault, const char *member,
                                const char *within, const char *reason)
{
    assert_int_equal(status, HF_ERROR_RANGE);
    assert_non_null(fault->member);
    assert_string_equal(fault->member, member);
    if (within)
        assert_string_equal(fault->within, within);
    else
        assert_null(fault->within);
    assert_non_null(strstr(fault->expected, reason));
}

static inline double dot(int dim, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < dim; i++)
        sum += a[i] * b[i];
    return sum;
}

// Symmetric: constant, static above kinetic, viscous or Stribeck.
static inline hf_level random_level(hf_rng *rng)
{
    hf_level level = hf_level_coulomb(hf_rng_log_uniform(rng, 0.01, 100.0));
    int kind = hf_rng_int(rng, 0, 4);
    for (int side = 0; side < 2; side++) {
        if (kind == 1)
            level.viscous[side] = 3.0 * level.kinetic[0];
        if (kind >= 2)
            level.peak[side] = 1.7 * level.kinetic[0];
        if (kind >= 3)
            level.stribeck[side] = kind == 3 ? 0.01 : 1.0;
    }
    level.shape = hf_rng_bool(rng) ? 2.0 : hf_rng_uniform(rng, 0.5, 3.0);
    level.rational = kind >= 3 && hf_rng_bool(rng);
    return level;
}

// Different forth and back.
static inline hf_level random_sided_level(hf_rng *rng)
{
    hf_level forth = random_level(rng), back = random_level(rng);
    hf_level level = forth;
    level.kinetic[HF_BACK] = back.kinetic[0];
    level.peak[HF_BACK] = back.peak[0];
    level.stribeck[HF_BACK] = back.stribeck[0];
    level.viscous[HF_BACK] = back.viscous[0];
    return level;
}

#endif
