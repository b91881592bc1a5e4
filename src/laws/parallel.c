// SPDX-License-Identifier: Apache-2.0
// What laws of parallel elements share (compound, Maxwell-slip, Leuven, GMS): checks, evaluation.
#include "parallel.h"

static hf_status check_list(const char *member, const hf_list *list, int count, bool positive,
                            hf_fault *fault)
{
    if (list->count != count || !list->values)
        return hf_fault_set(fault, member, "must have one number an element", list->count);
    hf_status status = HF_OK;
    for (int i = 0; i < count && status == HF_OK; i++)
        status = positive ? hf_check_positive(member, list->values[i], fault)
                          : hf_check_not_negative(member, list->values[i], fault);
    return status;
}

hf_status hf_check_elements(const char *name, const hf_list *levels, const hf_list *stiffnesses,
                            const hf_level *factor, int dim, hf_fault *fault)
{
    *fault = (hf_fault){0};
    if (levels->count < 1 || !levels->values)
        return hf_fault_set(fault, name, "must have at least one element", levels->count);
    hf_status status = check_list(name, levels, levels->count, false, fault);
    if (status == HF_OK)
        status = check_list("stiffnesses", stiffnesses, levels->count, true, fault);
    if (status == HF_OK && !(hf_list_sum(levels) > 0.0))
        status = hf_fault_set(fault, name, "must not sum to nothing", 0.0);
    if (status != HF_OK)
        return status;
    status = hf_check_level("factor", factor, dim, fault);
    if (status == HF_OK && (status = hf_check_plain_level(factor, fault)) != HF_OK)
        fault->within = "factor";
    for (int side = 0; side < 2 && status == HF_OK; side++)
        if (factor->table_speed.count == 0 && factor->peak[side] > factor->kinetic[side] &&
            factor->stribeck[side] == 0.0) {
            status = hf_fault_set(fault, "static",
                                  "above the kinetic level needs a Stribeck velocity here",
                                  factor->peak[side]);
            fault->within = "factor";
        }
    return status;
}

hf_element_info hf_parallel_eval(const hf_list *levels, const hf_list *stiffnesses,
                                 const hf_list *dampings, const hf_level *factor, int dim,
                                 const hf_law_in *in, double *force, double *dy)
{
    hf_element_info sum = {.regime = HF_REGIME_SLIP};
    for (int k = 0; k < dim; k++)
        force[k] = 0.0;
    for (int i = 0; i < levels->count; i++) {
        double damping = dampings && dampings->count > 0 ? dampings->values[i] : 0.0;
        hf_share share = hf_share_of(factor, levels->values[i], in->normal);
        double f[3];
        // Elements keep no regime: their levels depend on none.
        hf_element_info info =
            hf_element_eval(&share.level, stiffnesses->values[i], damping, in->tau, dim, in->rate,
                            in->y + i * dim, share.normal, HF_REGIME_SLIP, f, dy + i * dim);
        for (int k = 0; k < dim; k++)
            force[k] += f[k];
        sum.stored += info.stored;
        sum.dissipated += info.dissipated;
        if (info.regime == HF_REGIME_STICK)
            sum.regime = HF_REGIME_STICK;
    }
    if (hf_level_is_open(factor, in->normal))
        sum.regime = HF_REGIME_OPEN;
    return sum;
}
