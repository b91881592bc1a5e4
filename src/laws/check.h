// SPDX-License-Identifier: Apache-2.0
// Range checks of definition members. NaN and infinity fail each of them.
#ifndef HF_LAWS_CHECK_H
#define HF_LAWS_CHECK_H

#include <holdfast/law.h>
#include <holdfast/laws/level.h>

static inline bool hf_is_finite(double x)
{
    return x - x == 0.0;
}

static inline hf_status hf_fault_set(hf_fault *fault, const char *member, const char *expected,
                                     double value)
{
    *fault = (hf_fault){.member = member, .expected = expected, .value = value};
    return HF_ERROR_RANGE;
}

static inline hf_status hf_check_positive(const char *member, double x, hf_fault *fault)
{
    if (x > 0.0 && hf_is_finite(x))
        return HF_OK;
    return hf_fault_set(fault, member, "must be positive and finite", x);
}

static inline hf_status hf_check_not_negative(const char *member, double x, hf_fault *fault)
{
    if (x >= 0.0 && hf_is_finite(x))
        return HF_OK;
    return hf_fault_set(fault, member, "must be zero or positive, and finite", x);
}

static inline hf_status hf_check_finite(const char *member, double x, hf_fault *fault)
{
    if (hf_is_finite(x))
        return HF_OK;
    return hf_fault_set(fault, member, "must be finite", x);
}

// Laws that take a level apart: without losses of a gear, cohesion and a factor of stick.
hf_status hf_check_plain_level(const hf_level *level, hf_fault *fault);

// hf_level_check for a level held in `member`.
static inline hf_status hf_check_level(const char *member, const hf_level *level, int dim,
                                       hf_fault *fault)
{
    hf_status status = hf_level_check(level, dim, fault);
    if (status != HF_OK)
        fault->within = member;
    return status;
}

// The level of a contact's friction: without a normal force there is none.
static inline hf_status hf_check_coefficient(const char *member, const hf_level *level, int dim,
                                             hf_fault *fault)
{
    hf_status status = hf_check_level(member, level, dim, fault);
    if (status == HF_OK && hf_check_plain_level(level, fault) != HF_OK) {
        fault->within = member;
        return HF_ERROR_RANGE;
    }
    if (status == HF_OK && !level->per_normal && !hf_level_is_zero(level))
        status = hf_fault_set(fault, member,
                              "must be a coefficient of the normal force (friction and "
                              "static_friction), not a level in newton (kinetic, static, coulomb)",
                              level->peak[0]);
    return status;
}

// Bristle laws divide by the level: it must not vanish in sliding.
hf_status hf_check_bristle_level(const hf_level *level, int dim, hf_fault *fault);

#endif
