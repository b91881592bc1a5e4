// SPDX-License-Identifier: Apache-2.0
#include "info.h"

static const hf_law_info *const table[HF_LAW_TYPE_COUNT] = {
    [HF_LAW_SPRING] = &hf_spring_info,
    [HF_LAW_STICTION] = &hf_stiction_info,
    [HF_LAW_DAHL] = &hf_dahl_info,
    [HF_LAW_LUGRE] = &hf_lugre_info,
    [HF_LAW_CONTACT] = &hf_contact_info,
    [HF_LAW_JOINT] = &hf_joint_info,
    [HF_LAW_COULOMB] = &hf_coulomb_info,
    [HF_LAW_CONTINUOUS] = &hf_continuous_info,
    [HF_LAW_COMPOUND] = &hf_compound_info,
    [HF_LAW_MAXWELL_SLIP] = &hf_maxwell_slip_info,
    [HF_LAW_KARNOPP] = &hf_karnopp_info,
    [HF_LAW_VISCOUS_APPROXIMATION] = &hf_viscous_approximation_info,
    [HF_LAW_QUINN] = &hf_quinn_info,
    [HF_LAW_ELASTOPLASTIC] = &hf_elastoplastic_info,
    [HF_LAW_LEUVEN] = &hf_leuven_info,
    [HF_LAW_GMS] = &hf_gms_info,
    [HF_LAW_ARMSTRONG] = &hf_armstrong_info,
    [HF_LAW_HAYWARD_ARMSTRONG] = &hf_hayward_armstrong_info,
    [HF_LAW_RIGID_CONTACT] = &hf_rigid_contact_info,
    [HF_LAW_PENALTY_CONTACT] = &hf_penalty_contact_info,
    [HF_LAW_SMOOTH_CONTACT] = &hf_smooth_contact_info,
    [HF_LAW_STOP] = &hf_stop_info,
    [HF_LAW_PID] = &hf_pid_info,
};

const hf_law_info *hf_law_info_get(hf_law_type type)
{
    // One comparison for both ends, whatever the sign of the enumeration's type.
    return (unsigned)type < HF_LAW_TYPE_COUNT ? table[type] : NULL;
}

// strcmp is not freestanding.
static bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const hf_law_info *hf_law_info_find(const char *name)
{
    for (int i = 0; i < HF_LAW_TYPE_COUNT; i++)
        if (table[i] && same_text(table[i]->name, name))
            return table[i];
    return NULL;
}
