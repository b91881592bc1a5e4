// SPDX-License-Identifier: Apache-2.0
// What adaptive is to the rest: keys, defaults, what it admits. In the library holdfast.
#include "methods/adaptive/info.h"

#include <math.h>
#include <stdio.h>

#include "methods/plugs.h"

static const char *family_name(int value)
{
    return value == HF_FAMILY_DEFAULT ? NULL : hf_family_name((hf_method_family)value);
}

static const hf_method_key keys[] = {
    HF_ADAPTIVE_FAMILY("family", "integrator", "how it integrates", HF_FAMILY_BDF, family_name),
    HF_ADAPTIVE_RTOL,
    HF_ADAPTIVE_ATOL,
};

static bool level_is_held(const hf_level *level)
{
    return level->table_speed.count == 0 &&
           ((level->stribeck[HF_FORTH] == 0.0 &&
             level->peak[HF_FORTH] > level->kinetic[HF_FORTH]) ||
            (level->stribeck[HF_BACK] == 0.0 && level->peak[HF_BACK] > level->kinetic[HF_BACK]));
}

bool hf_force_is_held(const hf_force_place *force)
{
    bool held = false;
    for (int i = 0; force->info != NULL && i < force->info->param_count; ++i) {
        const hf_param *param = &force->info->params[i];
        if (param->kind == HF_PARAM_LEVEL) {
            held = held || level_is_held((const hf_level *)(const void *)((const char *)force->def +
                                                                          param->offset));
        }
    }
    return held;
}

bool hf_adaptive_admits_machine(const hf_model *model, hf_why *why)
{
    (void)snprintf(why->text, sizeof why->text, "the machine has nothing that moves");
    return model->n > model->nw;
}

static bool admits(const hf_model *model, const hf_force_place *force, hf_why *why)
{
    (void)model;
    if (!force->ops->finds_contacts || !hf_force_is_held(force)) {
        return true;
    }
    (void)snprintf(
        why->text, sizeof why->text,
        "among many bodies a static level above the kinetic one needs a Stribeck velocity");
    return false;
}

const hf_method_info hf_method_adaptive = {
    .name = "adaptive",
    .phrase = "to a tolerance, with steps of its own",
    .loads = true,
    .library = "holdfast-adaptive",
    .plug = "hf_adaptive_methods()",
    .linked = HF_LINKED(hf_adaptive_methods),
    .package = "SUNDIALS (libsundials-dev)",
    .keys = keys,
    .key_count = (int)(sizeof keys / sizeof *keys),
    .contact_scheme = HF_CONTACT_ADAPTIVE,
    .is_adaptive = true,
    .instant = true,
    .switches = true,
    .swarms = true,
    .shapes = true,
    .surfaces = true,
    .grain = true,
    .admits = admits,
    .admits_machine = hf_adaptive_admits_machine,
};
