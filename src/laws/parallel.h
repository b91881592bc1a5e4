// SPDX-License-Identifier: Apache-2.0
// Parallel elements: what compound, Maxwell-slip, Leuven and GMS share.
#ifndef HF_LAWS_PARALLEL_H
#define HF_LAWS_PARALLEL_H

#include "check.h"
#include "element.h"

// The level L r of one element: r scaled as if by its normal force.
typedef struct hf_share {
    hf_level level;
    double normal;
} hf_share;

static inline hf_share hf_share_of(const hf_level *factor, double share, double normal)
{
    hf_share s = {.level = *factor, .normal = factor->per_normal ? share * normal : share};
    s.level.per_normal = true;
    s.level.viscous[0] *= share;
    s.level.viscous[1] *= share;
    return s;
}

// Checks levels (called `name`), stiffnesses and factor of parallel elements.
hf_status hf_check_elements(const char *name, const hf_list *levels, const hf_list *stiffnesses,
                            const hf_level *factor, int dim, hf_fault *fault);

// Sum of f_i over elements with dampings (NULL: zero).
hf_element_info hf_parallel_eval(const hf_list *levels, const hf_list *stiffnesses,
                                 const hf_list *dampings, const hf_level *factor, int dim,
                                 const hf_law_in *in, double *force, double *dy);

// ------------------------------------------------------------------------------------------------
// Elements whose switches are located (hf_law_info.switches)

// A spring of force `spring` that holds up to `limit`, moved outward with `rate`: positive while it
// is below its limit, or moves back from beyond it.
static inline hf_law_switch hf_switch_to_slip(const hf_law_in *in, double stiffness, double spring,
                                              double limit, double rate)
{
    double margin = in->near_relative * limit + stiffness * in->near_gap;
    double room = limit - spring, back = -rate * (margin / in->near_rate);
    return (hf_law_switch){.value = room > back ? room : back, .margin = margin};
}

// An element that slips with `rate` along its force: positive until that turns.
static inline hf_law_switch hf_switch_to_stick(const hf_law_in *in, double rate)
{
    return (hf_law_switch){.value = rate, .margin = in->near_rate};
}

static inline double hf_list_sum(const hf_list *list)
{
    double sum = 0.0;
    for (int i = 0; i < list->count; i++)
        sum += list->values[i];
    return sum;
}

#endif
