// SPDX-License-Identifier: Apache-2.0
// The laws that forces of a spec may have: those of the library, and the caller's own.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "spec/spec_data.h"

const hf_law_info *hf_spec_law(const hf_spec *spec, hf_law_type type)
{
    size_t own = (size_t)type - HF_LAW_OWN;
    if (type >= HF_LAW_OWN && own < spec->law_count) {
        return spec->laws[own];
    }
    return hf_law_info_get(type);
}

const hf_law_info *hf_spec_find_law(const hf_spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->law_count; ++i) {
        if (strcmp(spec->laws[i]->name, name) == 0) {
            return spec->laws[i];
        }
    }
    return hf_law_info_find(name);
}

int hf_spec_list_laws(const hf_spec *spec, hf_law_kind kind, const char **names,
                      const hf_law_info **laws)
{
    int count = 0;
    for (int i = 0; i < HF_LAW_TYPE_COUNT + (int)spec->law_count; ++i) {
        const hf_law_info *law = i < HF_LAW_TYPE_COUNT ? hf_law_info_get((hf_law_type)i)
                                                       : spec->laws[i - HF_LAW_TYPE_COUNT];
        if (law != NULL && law->kind == kind) {
            names[count] = law->name;
            laws[count++] = law;
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Laws of the caller

static hf_status refuse(const hf_law_info *law, const char *what, hf_error *error)
{
    return hf_error_set(error, HF_ERROR_INPUT, "law '%.60s': %s", law->name, what);
}

static size_t size_of(hf_param_kind kind)
{
    return kind == HF_PARAM_LEVEL   ? sizeof(hf_level)
           : kind == HF_PARAM_LIST  ? sizeof(hf_list)
           : kind == HF_PARAM_FLAG  ? sizeof(bool)
           : kind == HF_PARAM_COUNT ? sizeof(int)
                                    : sizeof(double);
}

static hf_status check_params(const hf_law_info *law, hf_error *error)
{
    for (int i = 0; i < law->param_count; ++i) {
        const hf_param *param = &law->params[i];
        if (param->name == NULL || param->unit == NULL || param->meaning == NULL) {
            return refuse(law, "a parameter has no name, unit or meaning", error);
        }
        if (param->offset > law->def_size || law->def_size - param->offset < size_of(param->kind)) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "law '%.60s': parameter '%.60s' lies outside the definition",
                                law->name, param->name);
        }
        for (int k = 0; k < i; ++k) {
            if (strcmp(param->name, law->params[k].name) == 0) {
                return hf_error_set(error, HF_ERROR_NAME,
                                    "law '%.60s': there are two parameters '%.60s'", law->name,
                                    param->name);
            }
        }
    }
    return HF_OK;
}

// The kind says on what couplings the law goes.
static hf_status check_kind(const hf_law_info *law, hf_error *error)
{
    bool fits = false;
    switch (law->kind) {
    case HF_KIND_SPRING:
        fits = !law->friction && !law->active && !law->needs_applied;
        break;
    case HF_KIND_FRICTION:
        fits = law->friction && !law->active;
        break;
    case HF_KIND_STOP:
        fits = !law->friction && law->needs_applied;
        break;
    case HF_KIND_CONTROLLER:
        fits = law->active && law->input_count > 0;
        break;
    case HF_KIND_CONTACT:
        return law->min_dim == 0 && (law->max_dim == 0 || law->max_dim == 6)
                   ? HF_OK
                   : refuse(law, "a contact law has min_dim 0, and max_dim 0 or 6", error);
    case HF_KIND_JOINT:
        return law->min_dim == 6 && law->max_dim == 6
                   ? HF_OK
                   : refuse(law, "a joint law has min_dim and max_dim 6", error);
    }
    if (!fits) {
        return refuse(law, "friction, active, needs_applied or inputs do not agree with its kind",
                      error);
    }
    return law->min_dim >= 1 && law->max_dim >= law->min_dim && law->max_dim <= 3
               ? HF_OK
               : refuse(law, "min_dim and max_dim must be from 1 to 3", error);
}

static hf_status check_own(const hf_spec *spec, const hf_law_info *law, hf_error *error)
{
    // A name of its own
    if (law->name == NULL || law->name[0] == '\0' ||
        law->name[strspn(law->name, "abcdefghijklmnopqrstuvwxyz0123456789-_")] != '\0') {
        return hf_error_set(error, HF_ERROR_NAME,
                            "a law's name is of small letters, digits, '-' and '_', not '%.60s'",
                            law->name == NULL ? "" : law->name);
    }
    if (hf_spec_find_law(spec, law->name) != NULL || strcmp(law->name, "force") == 0) {
        return hf_error_set(error, HF_ERROR_NAME, "there is a law '%.60s' already", law->name);
    }
    // What every law must have
    if (law->set_default == NULL || law->check == NULL || law->state_count == NULL ||
        law->eval == NULL) {
        return refuse(law, "set_default, check, state_count and eval must be given", error);
    }
    if (law->def_size == 0 || law->param_count < 0 || law->input_count < 0 ||
        law->input_count > HF_LAW_MAX_INPUTS || law->memory_count < 0 || law->channel_count < 0) {
        return refuse(law, "a size or count is out of range", error);
    }
    // What goes together
    if (law->exact != HF_EXACT_NONE) {
        return refuse(law, "exact is for the library's laws; it must be HF_EXACT_NONE", error);
    }
    if ((law->period == NULL) != (law->sample == NULL) ||
        (law->batch == NULL) != (law->eval_batch == NULL) ||
        (law->channel_count > 0 && (law->channels == NULL || law->show == NULL))) {
        return refuse(law, "period and sample, batch and eval_batch, channels and show go together",
                      error);
    }
    if ((law->switches == NULL) != (law->switch_count == NULL) ||
        (law->switches == NULL) != (law->change == NULL)) {
        return refuse(law, "switch_count, switches and change go together", error);
    }
    HF_TRY(check_kind(law, error));
    return check_params(law, error);
}

hf_law_type hf_spec_register_law(hf_spec *spec, const hf_law_info *law, hf_error *error)
{
    if (check_own(spec, law, error) != HF_OK) {
        return HF_LAW_FORCE;
    }
    if (spec->law_count > HF_LAW_OWN_LAST - HF_LAW_OWN) {
        (void)hf_error_set(error, HF_ERROR_RANGE, "more than %d laws of one's own",
                           HF_LAW_OWN_LAST - HF_LAW_OWN + 1);
        return HF_LAW_FORCE;
    }
    hf_law_info *kept = hf_arena_copy(&spec->arena, law, 1, sizeof *law);
    void *grown =
        hf_grow((void *)spec->laws, spec->law_count, &spec->law_capacity, sizeof *spec->laws);
    if (grown != NULL) {
        spec->laws = grown;
    }
    if (kept == NULL || grown == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return HF_LAW_FORCE;
    }
    kept->type = (hf_law_type)(HF_LAW_OWN + (int)spec->law_count);
    kept->phrase = kept->phrase == NULL ? "" : kept->phrase;
    kept->source = kept->source == NULL ? "" : kept->source;
    spec->laws[spec->law_count++] = kept;
    return kept->type;
}

// ------------------------------------------------------------------------------------------------
// Another law for a force

hf_status hf_spec_change_law(hf_spec *spec, hf_force force, hf_law_type type, hf_error *error)
{
    HF_ASSERT(force.id >= 1 && (size_t)force.id <= spec->force_count);
    const hf_force_def *def = &spec->forces[force.id - 1];
    const hf_law_info *old = hf_spec_law(spec, def->law), *law = hf_spec_law(spec, type);
    if (old == NULL || law == NULL || old->kind != HF_KIND_FRICTION ||
        law->kind != HF_KIND_FRICTION) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "force '%s': a friction law changes into another friction law",
                            def->name);
    }
    void *translated = hf_law_translate(&spec->arena, old, def->def, NULL, law);
    if (translated == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    return hf_spec_set_law(spec, force, type, translated, error);
}
