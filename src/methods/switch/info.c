// SPDX-License-Identifier: Apache-2.0
// What switch is to the rest: keys, defaults, what it admits. In the library holdfast.
#include <math.h>
#include <stdio.h>

#include "methods/adaptive/info.h"

static const char *integrator_name(int value)
{
    return value == HF_FAMILY_BDF || value == HF_FAMILY_ADAMS
               ? hf_family_name((hf_method_family)value)
               : NULL;
}

static const hf_method_key keys[] = {
    {.name = "integrator",
     .other_name = "family",
     .unit = "",
     .meaning = "how it integrates between events",
     .kind = HF_KEY_CHOICE,
     .offset = offsetof(hf_method_def, family),
     .usual = HF_FAMILY_ADAMS,
     .choice = integrator_name,
     .choice_count = HF_FAMILY_COUNT},
    HF_ADAPTIVE_RTOL,
    HF_ADAPTIVE_ATOL,
};

// Whether a friction acts along the very coordinate of the stop that loads it: at rest the stop's
// force could be any, as the friction holds against it.
static bool is_along(const hf_model *model, const hf_force_place *force, const hf_force_place *stop)
{
    if (force->coupling != HF_COUPLING_COORDINATE || stop->coupling != HF_COUPLING_COORDINATE) {
        return false;
    }
    const hf_coordinate_coupling *all = model->couplings.coordinates;
    const hf_coordinate_coupling *a = &all[force->coupling_index], *b = &all[stop->coupling_index];
    int k = b->on_v - a->on_v;
    return k >= 0 && k < force->dim && (a->to_q < 0) == (b->to_q < 0) &&
           (a->to_q < 0 || b->to_v == a->to_v + k);
}

static bool admits_normal(const hf_model *model, const hf_force_place *force, hf_why *why)
{
    const hf_force_place *normal =
        force->normal_force < 0 ? NULL : &model->forces[force->normal_force];
    if (normal == NULL) {
        return true;
    }
    if (normal->exact == HF_EXACT_FRICTION) {
        (void)snprintf(why->text, sizeof why->text,
                       "its normal force is that of friction '%.60s', which in stick is found at "
                       "the same time as it",
                       normal->name);
        return false;
    }
    bool loaded =
        force->exact == HF_EXACT_FRICTION && ((const hf_coulomb_def *)force->def)->level.per_normal;
    if (loaded && normal->exact == HF_EXACT_STOP && is_along(model, force, normal)) {
        (void)snprintf(why->text, sizeof why->text,
                       "it acts along the coordinate of the stop that loads it, '%.60s': at rest "
                       "nothing says which of them holds",
                       normal->name);
        return false;
    }
    return true;
}

static bool admits(const hf_model *model, const hf_force_place *force, hf_why *why)
{
    int units[2];
    if (force->exact == HF_EXACT_NONE) {
        return true;
    }
    if (force->exact == HF_EXACT_STOP &&
        (force->coupling != HF_COUPLING_COORDINATE || force->dim != 1)) {
        (void)snprintf(why->text, sizeof why->text,
                       "law 'stop' is on neither one coordinate nor the difference of two");
        return false;
    }
    if (!admits_normal(model, force, why)) {
        return false;
    }
    (void)snprintf(why->text, sizeof why->text,
                   "it is between bodies that are driven and holds nothing");
    return hf_force_units(model, force, units) > 0;
}

const hf_method_info hf_method_switch = {
    .name = "switch",
    .phrase = "to a tolerance, with exact friction by located events",
    .library = "holdfast-adaptive",
    .plug = "hf_adaptive_methods()",
    .package = "SUNDIALS (libsundials-dev)",
    .keys = keys,
    .key_count = (int)(sizeof keys / sizeof *keys),
    .is_adaptive = true,
    .locates_events = true,
    .exact = true,
    .pairs = true,
    .admits = admits,
    .admits_machine = hf_adaptive_admits_machine,
};
