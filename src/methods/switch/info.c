// SPDX-License-Identifier: Apache-2.0
// What switch is to the rest: keys, defaults, what it admits. In the library holdfast.
#include <math.h>
#include <stdio.h>

#include "compile/slots.h"
#include "methods/adaptive/info.h"
#include "methods/plugs.h"

static const char *integrator_name(int value)
{
    return value == HF_FAMILY_BDF || value == HF_FAMILY_ADAMS
               ? hf_family_name((hf_method_family)value)
               : NULL;
}

static const hf_method_key keys[] = {
    HF_ADAPTIVE_FAMILY("integrator", "family", "how it integrates between events", HF_FAMILY_ADAMS,
                       integrator_name),
    HF_ADAPTIVE_RTOL,
    HF_ADAPTIVE_ATOL,
};

// Whether a friction acts along the very coordinate of the stop that loads it: at rest the stop's
// force could be any, as the friction holds against it.
static bool is_along(const hf_force_place *force, const hf_force_place *stop)
{
    hf_coupling_term a[HF_COUPLING_MAX_TERMS], b[HF_COUPLING_MAX_TERMS];
    bool sums = force->ops->terms != NULL && stop->ops->terms != NULL;
    int count = sums ? stop->ops->terms(stop->item, 0, b) : 0;
    bool along = false;
    for (int row = 0; row < force->dim && count > 0 && !along; ++row) {
        along = force->ops->terms(force->item, row, a) == count;
        // The same sum, up to a factor
        for (int i = 0; i < count && along; ++i) {
            along = a[i].v == b[i].v && a[i].factor * b[0].factor == b[i].factor * a[0].factor;
        }
    }
    return along;
}

static bool admits_normal(const hf_model *model, const hf_force_place *force, hf_why *why)
{
    const hf_force_place *normal =
        force->normal_force < 0 ? NULL : &model->forces[force->normal_force];
    if (normal == NULL) {
        return true;
    }
    if (normal->ops->needs_collider) {
        (void)snprintf(why->text, sizeof why->text,
                       "its normal force is that of all contacts of '%.60s' together",
                       normal->name);
        return false;
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
    if (loaded && normal->exact == HF_EXACT_STOP && is_along(force, normal)) {
        (void)snprintf(why->text, sizeof why->text,
                       "it acts along the coordinate of the stop that loads it, '%.60s': at rest "
                       "nothing says which of them holds",
                       normal->name);
        return false;
    }
    return true;
}

// Whether no exact friction, stop or contact holds what a law moves that depends on all
// other forces: at rest it is undetermined which of the two holds.
static bool is_apart(const hf_model *model, const hf_force_place *force, hf_why *why)
{
    int movers[HF_COUPLING_MAX_TERMS], count = hf_force_movers(model, force, movers);
    const hf_islands *exact = &model->exact;
    for (int i = 0; i < exact->count; ++i) {
        const hf_island *island = &exact->islands[i];
        for (int k = 0; k < island->mover_count * count; ++k) {
            if (exact->movers[island->first_mover + k / count] == movers[k % count]) {
                (void)snprintf(why->text, sizeof why->text,
                               "law '%s' must know all other forces, and '%.60s', which acts on "
                               "the same masses, is found at the same time",
                               force->info->name,
                               model->forces[exact->forces[island->first_force]].name);
                return false;
            }
        }
    }
    return true;
}

static bool admits(const hf_model *model, const hf_force_place *force, hf_why *why)
{
    int movers[HF_COUPLING_MAX_TERMS];
    if (force->exact == HF_EXACT_NONE) {
        return !force->info->needs_applied || is_apart(model, force, why);
    }
    // Stops
    if (force->exact == HF_EXACT_STOP && (!force->ops->has_gap || force->dim != 1)) {
        (void)snprintf(why->text, sizeof why->text,
                       "law 'stop' is on several axes, or where there is no gap");
        return false;
    }
    if (force->exact == HF_EXACT_STOP && ((const hf_stop_def *)force->def)->speed > 0.0) {
        (void)snprintf(why->text, sizeof why->text,
                       "law 'stop' limits the speed, which is for fixed steps and timestep");
        return false;
    }
    // What loads it, and what it holds
    if (!admits_normal(model, force, why)) {
        return false;
    }
    if (force->ops->needs_collider) {
        return true;
    }
    (void)snprintf(why->text, sizeof why->text,
                   "it is between bodies that are driven and holds nothing");
    return hf_force_movers(model, force, movers) > 0;
}

const hf_method_info hf_method_switch = {
    .name = "switch",
    .phrase = "to a tolerance, with exact friction by located events",
    .library = "holdfast-adaptive",
    .plug = "hf_adaptive_methods()",
    .linked = HF_LINKED(hf_adaptive_methods),
    .package = "SUNDIALS (libsundials-dev)",
    .keys = keys,
    .key_count = (int)(sizeof keys / sizeof *keys),
    .contact_scheme = HF_CONTACT_ADAPTIVE,
    .is_adaptive = true,
    .locates_events = true,
    .exact = true,
    .loads = true,
    .instant = true,
    .switches = true,
    .pairs = true,
    .shapes = true,
    .surfaces = true,
    .grain = true,
    .admits = admits,
    .admits_machine = hf_adaptive_admits_machine,
};
