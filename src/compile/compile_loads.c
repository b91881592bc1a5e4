// SPDX-License-Identifier: Apache-2.0
// Frictions that reactions load: which reaction, and of what sign.
#include <string.h>

#include "base/error.h"
#include "compile/model_data.h"

// The level of a law's definition that takes the load, or NULL.
static const hf_level *loaded_level(const hf_force_place *force)
{
    for (int i = 0; i < force->info->param_count; ++i) {
        const hf_param *param = &force->info->params[i];
        const hf_level *level = (const void *)((const char *)force->def + param->offset);
        if (param->kind == HF_PARAM_LEVEL && level->per_normal) {
            return level;
        }
    }
    return NULL;
}

// The term of a ratio whose coordinate a friction acts on, and the friction's factor of it; -1:
// none.
static int term_in_ratio(const hf_loop_place *loop, const hf_force_place *force, double *factor)
{
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
    int count = force->ops->terms == NULL ? 0 : force->ops->terms(force->item, 0, terms);
    for (int i = 0; i < loop->term_count && count == 1; ++i) {
        if (loop->terms[i].v >= 0 && loop->terms[i].v == terms[0].v) {
            *factor = terms[0].factor;
            return i;
        }
    }
    return -1;
}

static hf_status fill_load(const hf_model *model, const hf_normal_def *normal, int index,
                           hf_load_place *load, hf_error *error)
{
    const hf_force_place *force = &model->forces[index];
    const hf_level *level = loaded_level(force);
    *load = (hf_load_place){
        .type = normal->load, .force = index, .loop = -1, .tree = -1, .servo = normal->servo};
    load->is_signed = level != NULL && level->gear.count > 0;
    load->stepwise = force->info->needs_applied;
    hf_error_place at = hf_at_member("force", force->name, "normal");
    // What a joint or its drive carries
    if (normal->load != HF_LOAD_LOOP) {
        const hf_body_place *link = &model->bodies[normal->joint.id - 1];
        load->tree = link->index;
        load->link = link->link;
        load->v = link->v;
        load->axis = link->info.axis;
        load->slides = link->joint == HF_JOINT_PRISMATIC;
        load->pose = link->pose;
    } else {
        // What a loop carries: of a ratio, by the factor of this coordinate
        load->loop = model->loop_order[normal->loop.id - 1];
        const hf_loop_place *loop = &model->loops[load->loop];
        load->link = term_in_ratio(loop, force, &load->factor);
        if (load->is_signed && load->link < 0) {
            return hf_error_at(error, HF_ERROR_INPUT, at,
                               "the losses of a gear act on one of the coordinates of its ratio; "
                               "loop '%s' is no ratio, or has not this one",
                               loop->name);
        }
    }
    // Losses of gears have a sign, and only these have one too
    bool has_sign = normal->load == HF_LOAD_LOOP || normal->load == HF_LOAD_ACTUATOR ||
                    normal->load == HF_LOAD_TRANSMITTED;
    return load->is_signed && !has_sign
               ? hf_error_at(error, HF_ERROR_INPUT, at,
                             "the losses of a gear are loaded by a ratio, {loop: NAME}, or by what "
                             "a joint hands on, {joint: NAME, reaction: transmitted}")
               : HF_OK;
}

hf_status hf_compile_loads(hf_model *model, const hf_spec *spec, hf_error *error)
{
    hf_load_place *loads;
    hf_force_place *forces = (hf_force_place *)model->forces;
    HF_ALLOC(loads, spec->force_count);
    for (int i = 0; i < model->force_count; ++i) {
        const hf_normal_def *normal = &spec->forces[forces[i].id].normal;
        const hf_level *level = forces[i].info == NULL ? NULL : loaded_level(&forces[i]);
        if (level != NULL && level->gear.count > 0 && normal->load == HF_LOAD_NONE) {
            return hf_error_at(error, HF_ERROR_INPUT,
                               hf_at_member("force", forces[i].name, "normal"),
                               "the losses of a gear are loaded by a ratio: normal: {loop: NAME}");
        }
        if (normal->load == HF_LOAD_NONE || forces[i].info == NULL) {
            continue;
        }
        HF_TRY(fill_load(model, normal, i, &loads[model->load_count], error));
        model->loads_in_steps = model->loads_in_steps || loads[model->load_count].stepwise;
        model->always_posed = model->always_posed || loads[model->load_count].tree >= 0;
        forces[i].load = model->load_count++;
    }
    model->loads = loads;
    return HF_OK;
}
