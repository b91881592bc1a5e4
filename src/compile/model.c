// SPDX-License-Identifier: Apache-2.0
// hf_model: what can be asked of a compiled machine.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "compile/model_data.h"

const char *hf_model_name(const hf_model *model)
{
    return model->name;
}

int hf_model_parameter_count(const hf_model *model)
{
    return model->parameter_count;
}

hf_parameter_def hf_model_parameter(const hf_model *model, int index)
{
    HF_ASSERT(index >= 0 && index < model->parameter_count);
    return model->parameters[index];
}

const char *hf_model_text(const hf_model *model)
{
    return model->text;
}

hf_method_def hf_model_method(const hf_model *model)
{
    return model->method;
}

double hf_model_duration(const hf_model *model)
{
    return model->duration;
}

hf_vec3 hf_model_gravity(const hf_model *model)
{
    return model->gravity;
}

hf_model_info hf_model_get_info(const hf_model *model)
{
    return (hf_model_info){.bodies = model->body_count,
                           .trees = model->tree_count,
                           .forces = model->force_count,
                           .signals = model->signal_count,
                           .coordinates = model->nq,
                           .velocities = model->nv,
                           .law_states = model->ny,
                           .loops = model->loop_count,
                           .loop_rows = model->loop_row_count,
                           .loop_rank = model->loop_rank,
                           .freedoms = model->nv - model->drive_count - model->loop_rank};
}

hf_body hf_model_find_body(const hf_model *model, const char *name)
{
    return (hf_body){hf_names_find_kind(&model->names, HF_NAME_BODY, name) + 1};
}

hf_tree hf_model_find_tree(const hf_model *model, const char *name)
{
    return (hf_tree){hf_names_find_kind(&model->names, HF_NAME_TREE, name) + 1};
}

hf_signal hf_model_find_signal(const hf_model *model, const char *name)
{
    return (hf_signal){hf_names_find_kind(&model->names, HF_NAME_SIGNAL, name) + 1};
}

hf_force hf_model_find_force(const hf_model *model, const char *name)
{
    return (hf_force){hf_names_find_kind(&model->names, HF_NAME_FORCE, name) + 1};
}

hf_loop hf_model_find_loop(const hf_model *model, const char *name)
{
    return (hf_loop){hf_names_find_kind(&model->names, HF_NAME_LOOP, name) + 1};
}

hf_loop_info hf_model_loop_info(const hf_model *model, hf_loop loop)
{
    HF_ASSERT(loop.id >= 1 && loop.id <= model->loop_count);
    const hf_loop_place *place = &model->loops[model->loop_order[loop.id - 1]];
    hf_loop_info info = {.name = place->name,
                         .type = place->joint.type,
                         .on_frame = place->on_frame,
                         .to_frame = place->to_frame,
                         .length = place->joint.length,
                         .rows = place->rows,
                         .redundant_rows = place->redundant,
                         .start_error = place->start_error,
                         .start_angle = place->start_angle};
    for (int k = 0; k < place->rows; ++k) {
        info.redundant += (int)(place->redundant >> k & 1U);
    }
    return info;
}

const char *hf_model_body_name(const hf_model *model, hf_body body)
{
    HF_ASSERT(body.id >= 0 && body.id <= model->body_count);
    return body.id == 0 ? "world" : model->body_names[body.id - 1];
}

const char *hf_model_force_name(const hf_model *model, hf_force force)
{
    HF_ASSERT(force.id >= 1 && force.id <= model->force_count);
    return model->forces[model->force_order[force.id - 1]].name;
}

hf_body_info hf_model_body_info(const hf_model *model, hf_body body)
{
    HF_ASSERT(body.id >= 1 && body.id <= model->body_count);
    return model->bodies[body.id - 1].info;
}

hf_force_info hf_model_force_info(const hf_model *model, hf_force force)
{
    HF_ASSERT(force.id >= 1 && force.id <= model->force_count);
    const hf_force_place *place = &model->forces[model->force_order[force.id - 1]];
    return (hf_force_info){.name = place->name,
                           .law = place->info == NULL ? "force" : place->info->name,
                           .type = place->law,
                           .friction = place->info != NULL && place->info->friction,
                           .def = place->def,
                           .wished = place->wished,
                           .coupling = place->coupling_def,
                           .dim = place->dim,
                           .info = place->info};
}

hf_signal_info hf_model_signal_info(const hf_model *model, hf_signal signal)
{
    HF_ASSERT(signal.id >= 1 && signal.id <= model->signal_count);
    const hf_signal_def *def = &model->signals[signal.id - 1].def;
    return (hf_signal_info){.name = def->name, .type = def->type};
}

// A coordinate is a body with one, or a body, a dot and the coordinate's axis.
hf_coordinate hf_model_find_coordinate(const hf_model *model, const char *name)
{
    hf_coordinate none = {{0}, 0};
    // A body with one coordinate, by its name alone
    hf_body whole = hf_model_find_body(model, name);
    if (whole.id != 0) {
        const hf_body_place *place = &model->bodies[whole.id - 1];
        return place->nv == 1 && place->nq == 1 ? (hf_coordinate){whole, 0} : none;
    }
    // BODY.AXIS: a world axis, a name of its kind, or a coordinate of a planar joint
    const char *dot = strrchr(name, '.');
    char body_name[256];
    if (dot == NULL || (size_t)(dot - name) >= sizeof body_name) {
        return none;
    }
    memcpy(body_name, name, (size_t)(dot - name));
    body_name[dot - name] = '\0';
    hf_body body = hf_model_find_body(model, body_name);
    if (body.id == 0) {
        return none;
    }
    const hf_body_place *place = &model->bodies[body.id - 1];
    static const char *const letters[] = {"x", "y", "z"};
    if (place->ops->in_axes) {
        for (int k = 0; k < place->dim; ++k) {
            if (strcmp(dot + 1, letters[place->axes[k]]) == 0) {
                return (hf_coordinate){body, k};
            }
        }
    }
    for (int k = 0; place->ops->axis != NULL && k < place->nv; ++k) {
        if (strcmp(dot + 1, place->ops->axis(place->body, k)) == 0) {
            return (hf_coordinate){body, k};
        }
    }
    static const char *const planar[] = {"x", "y", "angle"};
    for (int k = 0; place->joint == HF_JOINT_PLANAR && k < 3; ++k) {
        if (strcmp(dot + 1, planar[k]) == 0) {
            return (hf_coordinate){body, k};
        }
    }
    return none;
}

int hf_force_difference(const hf_force_place *force, int row, hf_coupling_term *terms)
{
    int count = force->ops->terms == NULL ? 0 : force->ops->terms(force->item, row, terms);
    bool plain = count > 0 && count <= 2 && terms[0].factor == 1.0 &&
                 (count == 1 || terms[1].factor == -1.0);
    return plain ? count : 0;
}

int hf_force_movers(const hf_model *model, const hf_force_place *force, int *movers)
{
    hf_frame ends[HF_COUPLING_MAX_TERMS];
    int count = 0, end_count = force->ops->ends(&force->coupling_def, ends);
    for (int i = 0; i < end_count; ++i) {
        int id = ends[i].body.id, mover = id == 0 ? -1 : model->bodies[id - 1].mover, k = 0;
        while (k < count && movers[k] != mover) {
            ++k;
        }
        if (mover >= 0 && k == count) {
            movers[count++] = mover;
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Where numbers are

int hf_model_input_count(const hf_model *model)
{
    int count = 0;
    for (int i = 0; i < model->signal_count; ++i) {
        count += model->signals[i].def.type == HF_SIGNAL_INPUT ? 1 : 0;
    }
    return count;
}

hf_signal hf_model_input(const hf_model *model, int index)
{
    for (int i = 0; i < model->signal_count; ++i) {
        if (model->signals[i].def.type == HF_SIGNAL_INPUT && index-- == 0) {
            return (hf_signal){i + 1};
        }
    }
    return (hf_signal){0};
}

hf_body_slots hf_model_body_slots(const hf_model *model, hf_body body)
{
    HF_ASSERT(body.id >= 1 && body.id <= model->body_count);
    const hf_body_place *place = &model->bodies[body.id - 1];
    return (hf_body_slots){.position = place->q,
                           .position_count = place->nq,
                           .velocity = place->v,
                           .velocity_count = place->nv};
}

hf_channel_slot hf_model_channel_slot(const hf_model *model, hf_channel channel)
{
    HF_ASSERT(channel.id >= 1 && channel.id <= model->channel_count);
    const hf_channel_place *at = &model->channels[channel.id - 1];
    const hf_body_place *body = &model->bodies[at->component];
    switch (at->quantity) {
    case HF_QUANTITY_POSITION:
        return (hf_channel_slot){HF_IN_POSITIONS, body->q + at->axis};
    case HF_QUANTITY_ORIENTATION:
        return (hf_channel_slot){HF_IN_POSITIONS, body->q + body->nq - 4 + at->axis};
    case HF_QUANTITY_VELOCITY:
        return (hf_channel_slot){HF_IN_VELOCITIES, body->v + at->axis};
    case HF_QUANTITY_ANGULAR_VELOCITY:
        return (hf_channel_slot){HF_IN_VELOCITIES, body->v + body->nv - 3 + at->axis};
    default:
        return (hf_channel_slot){HF_IN_VALUES, channel.id - 1};
    }
}

// ------------------------------------------------------------------------------------------------
// The start

// Velocities that differ by less than this share of the fastest are those that were written: few
// digits of a factor part them by as much.
#define SAME_VELOCITY 1e-6

int hf_model_start_changes(const hf_model *model, hf_start_change *changes, int room)
{
    int count = 0;
    double fastest = 0.0;
    const double *found = model->initial + model->nq, *written = model->written;
    if (written == NULL) {
        return 0;
    }
    // The fastest of them
    for (int i = 0; i < model->nv; ++i) {
        fastest = fmax(fastest, fabs(written[i]));
    }
    // Those that are others now
    for (int b = 0; fastest > 0.0 && b < model->body_count; ++b) {
        const hf_body_place *place = &model->bodies[b];
        for (int k = 0; k < place->nv; ++k) {
            double was = written[place->v + k], is = found[place->v + k];
            if (was == 0.0 || fabs(is - was) <= SAME_VELOCITY * fastest) {
                continue; // not written, or kept
            }
            if (count < room) {
                changes[count] =
                    (hf_start_change){{b + 1}, k, was, is, hf_body_rate_unit(place, k)};
            }
            ++count;
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Parameters

// Whether all rows of a force turn.
static bool force_turns(const void *of, size_t force)
{
    const hf_model *model = of;
    const hf_force_place *place = &model->forces[model->force_order[force]];
    bool turns = place->dim > 0 && place->ops->row_turns != NULL;
    for (int row = 0; turns && row < place->dim; ++row) {
        turns = place->ops->row_turns(&place->coupling_def, model->sites, row);
    }
    return turns;
}

void hf_model_parameters(const hf_model *model,
                         bool (*visit)(void *context, const hf_parameter *parameter), void *context)
{
    hf_spec_parameters(model->spec, force_turns, model, visit, context);
}

hf_status hf_model_get_parameter(const hf_model *model, const char *name, double *value,
                                 hf_error *error)
{
    return hf_spec_get_parameter(model->spec, name, value, error);
}
