// SPDX-License-Identifier: Apache-2.0
// Which methods run a machine, and the refusals of those that do not. All from the tables of
// methods and laws: a refusal names every method that runs the machine, and no other.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sim/method_info.h"

enum { LARGEST_DEF = 2048 }; // bytes of a law's definition

static bool refuse(hf_why *why, const hf_law_info *law, const char *text)
{
    (void)snprintf(why->text, sizeof why->text, "law '%s' %s", law->name, text);
    return false;
}

// Whether the method takes the law as the law's info describes it.
static bool admits_law(const hf_method_info *info, const hf_force_place *force, double step,
                       hf_why *why)
{
    const hf_law_info *law = force->info;
    if (info->exact && force->exact != HF_EXACT_NONE) {
        return true;
    }
    if (law->needs_applied && !info->stepwise && !(law->instant && info->instant)) {
        return refuse(why, law, "is computed once a step, from all other forces");
    }
    bool located =
        info->switches && law->switches != NULL && law->switch_count(force->def, force->dim) > 0;
    if (law->accept != NULL && !info->accepts && !located) {
        return refuse(why, law, "has a memory that switches from step to step");
    }
    if (law->admits != NULL && !law->admits(force->def, info->look_ahead * step)) {
        return refuse(why, law, "with these parameters is no function of the state");
    }
    return true;
}

static bool admits_force(const hf_method_info *info, const hf_model *model,
                         const hf_force_place *force, double step, hf_why *why)
{
    if (force->info == NULL) {
        return true; // a prescribed force
    }
    // Contacts between shapes
    if (force->ops->needs_collider && !info->shapes) {
        (void)snprintf(why->text, sizeof why->text, "contacts between shapes are found as it runs");
        return false;
    }
    if (force->ops->needs_collider && force->exact != HF_EXACT_CONTACT &&
        (info->solves_contacts || info->exact)) {
        return refuse(why, force->info,
                      "is a soft contact, and this method solves for rigid ones (rigid-contact)");
    }
    if (force->ops->needs_collider && model->surfaces_told &&
        (!info->surfaces || force->exact != HF_EXACT_CONTACT)) {
        (void)snprintf(
            why->text, sizeof why->text,
            "shapes, materials or pairs have friction, restitution or a velocity of their own");
        return false;
    }
    if (force->ops->needs_collider && model->surfaces_grain && !info->grain) {
        (void)snprintf(why->text, sizeof why->text,
                       "friction of some shapes depends on direction (friction_across)");
        return false;
    }
    if (force->ops->needs_collider && model->surfaces_slip && !info->slip) {
        (void)snprintf(why->text, sizeof why->text,
                       "friction of some shapes gives way with a velocity (slip)");
        return false;
    }
    // Pairs and loads
    if (force->ops->keeps_pairs && !info->swarms) {
        (void)snprintf(why->text, sizeof why->text, "pairs of spheres are found between steps");
        return false;
    }
    if (force->load >= 0 && !info->loads) {
        (void)snprintf(why->text, sizeof why->text,
                       "a reaction loads it, which this method does not find with it");
        return false;
    }
    // What the method says of the law, and of the force
    return admits_law(info, force, step, why) &&
           (info->admits == NULL || info->admits(model, force, why));
}

// The first force that the method does not admit; -1: it admits all.
static int first_refused(const hf_method_info *info, const hf_model *model, double step,
                         hf_why *why)
{
    for (int i = 0; i < model->force_count; ++i) {
        if (!admits_force(info, model, &model->forces[i], step, why)) {
            return i;
        }
    }
    return -1;
}

// Whether it runs the machine, compiled for it: contacts of a model file may then be pairs.
static bool runs(const hf_method_info *info, const hf_model *model, double step)
{
    hf_why why;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (!(info->pairs && force->coupling_def.pairs) &&
            !admits_force(info, model, force, step, &why)) {
            return false;
        }
    }
    return info->admits_machine == NULL || info->admits_machine(model, &why);
}

bool hf_method_runs(const hf_model *model, hf_method_type type, double step)
{
    return runs(hf_method_info_get(type), model, step);
}

// Whether the method would run the machine if every force that it refuses had the law that its own
// law names instead (hf_law_info.instead), with default parameters.
static bool runs_instead(const hf_method_info *info, const hf_model *model, double step)
{
    hf_why why;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (admits_force(info, model, force, step, &why)) {
            continue;
        }
        const hf_law_info *other =
            force->info->instead == NULL ? NULL : hf_law_info_find(force->info->instead);
        if (other == NULL || force->dim < other->min_dim || force->dim > other->max_dim ||
            other->def_size > LARGEST_DEF) {
            return false;
        }
        _Alignas(max_align_t) char def[LARGEST_DEF];
        other->set_default(def);
        hf_force_place changed = *force;
        changed.info = other;
        changed.law = other->type;
        changed.exact = other->exact;
        changed.def = def;
        if (!admits_force(info, model, &changed, step, &why)) {
            return false;
        }
    }
    return info->admits_machine == NULL || info->admits_machine(model, &why);
}

// What to do about it: "; A, B and C run this machine, and rk4 does with law: stiction".
static void advise(const hf_method_info *info, const hf_model *model, const hf_force_place *force,
                   double step, char *text, size_t size)
{
    unsigned running = 0, admitting = 0;
    hf_why why;
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        const hf_method_info *other = hf_method_info_get((hf_method_type)i);
        running |= runs(other, model, step) ? 1u << i : 0u;
        bool admitted = force != NULL && admits_force(other, model, force, step, &why);
        admitting |= admitted ? 1u << i : 0u;
    }
    unsigned named = running != 0 ? running : admitting;
    char list[160];
    hf_method_list(named, " and ", list, sizeof list);
    bool one = (named & (named - 1u)) == 0u;
    int used = named == 0 ? snprintf(text, size, "; no method does")
               : running == 0u
                   ? snprintf(text, size,
                              "; no method runs this machine: %s %s this force, but "
                              "not all others",
                              list, one ? "admits" : "admit")
                   : snprintf(text, size, "; %s %s this machine", list, one ? "runs" : "run");
    if (force != NULL && force->info->instead != NULL && used > 0 && (size_t)used < size &&
        runs_instead(info, model, step)) {
        (void)snprintf(text + used, size - (size_t)used, "; %s runs it with law: %s", info->name,
                       force->info->instead);
    }
}

hf_status hf_method_admit(const hf_model *model, const hf_method_def *method, hf_error *error)
{
    const hf_method_info *info = hf_method_info_get(method->type);
    hf_why why = {.text = ""};
    char advice[300];
    int refused = first_refused(info, model, method->step, &why);
    if (refused >= 0) {
        const hf_force_place *force = &model->forces[refused];
        advise(info, model, force, method->step, advice, sizeof advice);
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s' is not admitted by method %s: %s%s", force->name,
                            info->name, why.text, advice);
    }
    if (info->admits_machine != NULL && !info->admits_machine(model, &why)) {
        advise(info, model, NULL, method->step, advice, sizeof advice);
        return hf_error_set(error, HF_ERROR_UNSUPPORTED, "method %s: %s%s", info->name, why.text,
                            advice);
    }
    return HF_OK;
}
