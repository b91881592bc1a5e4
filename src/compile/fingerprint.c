// SPDX-License-Identifier: Apache-2.0
// What a saved state must agree with, in one number: the parts of the machine, how they are laid
// out, and their numbers. Members one by one, since the bytes between them may be anything. The
// order in which bodies and signals were declared does not matter: they are combined by a sum.
#include <string.h>

#include "base/names.h"
#include "compile/model_data.h"

typedef unsigned long long hash;

static hash add_numbers(hash h, const double *values, int count)
{
    return count > 0 ? hf_hash_bytes(h, values, (size_t)count * sizeof *values) : h;
}

static hash add_vector(hash h, hf_vec3 v)
{
    return add_numbers(h, (const double[]){v.x, v.y, v.z}, 3);
}

static hash add_frame(hash h, hf_frame frame)
{
    const double turn[] = {frame.turn.w, frame.turn.x, frame.turn.y, frame.turn.z};
    return add_numbers(add_vector(h, frame.point), turn, 4);
}

static hash add_list(hash h, hf_list list)
{
    return add_numbers(hf_hash_bytes(h, &list.count, sizeof list.count), list.values, list.count);
}

static hash add_level(hash h, const hf_level *level)
{
    const bool flags[] = {level->rational, level->per_normal};
    h = hf_hash_bytes(h, flags, sizeof flags);
    h = add_numbers(h, level->kinetic, 2);
    h = add_numbers(h, level->peak, 2);
    h = add_numbers(h, level->stribeck, 2);
    h = add_numbers(h, &level->shape, 1);
    h = add_numbers(h, level->viscous, 2);
    h = add_numbers(add_numbers(h, level->cohesion, 2), &level->sticking, 1);
    return add_list(add_list(add_list(h, level->table_speed), level->table_level), level->gear);
}

// The members of a law's definition, by its table.
static hash add_law(hash h, const hf_law_info *info, const void *def)
{
    for (int i = 0; i < info->param_count; ++i) {
        const char *member = (const char *)def + info->params[i].offset;
        switch (info->params[i].kind) {
        case HF_PARAM_NUMBER:
        case HF_PARAM_AUTO:
            h = hf_hash_bytes(h, member, sizeof(double));
            break;
        case HF_PARAM_LEVEL:
            h = add_level(h, (const hf_level *)(const void *)member);
            break;
        case HF_PARAM_LIST:
            h = add_list(h, *(const hf_list *)(const void *)member);
            break;
        case HF_PARAM_FLAG:
            h = hf_hash_bytes(h, member, sizeof(bool));
            break;
        case HF_PARAM_COUNT:
            h = hf_hash_bytes(h, member, sizeof(int));
            break;
        }
    }
    return h;
}

// A shape that was added to a body.
static hash add_shape(hash h, const hf_shape_def *shape)
{
    const uint32_t place[] = {(uint32_t)shape->shape.type, shape->group, shape->mask};
    const hf_quat turn = shape->shape.turn;
    const hf_surface *s = &shape->surface;
    const double numbers[] = {turn.w,
                              turn.x,
                              turn.y,
                              turn.z,
                              s->friction,
                              s->restitution,
                              s->spin_friction,
                              s->rolling_friction,
                              shape->friction_across,
                              shape->slip[0],
                              shape->slip[1],
                              shape->friction_by_world ? 1.0 : 0.0};
    h = hf_hash_bytes(h, place, sizeof place);
    h = add_vector(add_vector(h, shape->center), shape->shape.size);
    h = add_vector(add_vector(add_vector(h, shape->belt), shape->belt_spin),
                   shape->friction_direction);
    h = add_numbers(h, numbers, sizeof numbers / sizeof *numbers);
    h = hf_hash_bytes(h, &shape->has_belt_speed, sizeof shape->has_belt_speed);
    return hf_hash_bytes(h, shape->name, strlen(shape->name));
}

static hash of_body(const hf_body_place *body, const char *name)
{
    const hf_body_info *info = &body->info;
    const int place[] = {(int)body->type, body->q, body->v, (int)info->shape.type};
    const double numbers[] = {info->mass,       info->inertia.xx, info->inertia.yy,
                              info->inertia.zz, info->inertia.xy, info->inertia.xz,
                              info->inertia.yz};
    hash h = hf_hash_bytes(0, place, sizeof place);
    h = add_numbers(h, numbers, sizeof numbers / sizeof *numbers);
    h = add_vector(add_vector(h, info->shape.size), info->shape_center);
    h = add_vector(add_vector(add_vector(h, info->center), info->offset), info->axis);
    for (int i = info->shape.type != HF_SHAPE_POINT; i < info->shape_count; ++i) {
        h = add_shape(h, &info->shapes[i]);
    }
    return hf_hash_bytes(h, name, strlen(name));
}

static hash of_signal(const hf_model_signal *signal)
{
    const hf_signal_def *def = &signal->def;
    const int place[] = {(int)def->type, signal->slot, def->hold, def->smooth};
    const double numbers[] = {def->value, def->frequency, def->scale, def->low, def->high};
    bool plain = def->scale == 0.0 && !def->bounded; // as before there was more
    hash h = hf_hash_bytes(0, place, sizeof place);
    h = add_numbers(h, numbers, plain ? 2 : 5);
    h = add_list(add_list(h, def->times), def->values);
    h = add_list(add_list(h, def->sines), def->cosines);
    for (int i = 0; i < def->channel_count; ++i) {
        h = hf_hash_bytes(h, def->channels[i], strlen(def->channels[i]));
    }
    return hf_hash_bytes(h, def->name, strlen(def->name));
}

static hash add_force(hash h, const hf_force_place *force)
{
    const hf_coupling_def *coupling = &force->coupling_def;
    const int place[] = {(int)force->law, (int)coupling->type, force->dim, force->y};
    const double radii[] = {coupling->radius, coupling->to_radius};
    h = hf_hash_bytes(h, place, sizeof place);
    h = add_frame(add_frame(h, coupling->on_frame), coupling->to_frame);
    h = add_numbers(h, radii, 2);
    if (coupling->type == HF_COUPLING_BETWEEN || coupling->type == HF_COUPLING_CRANK) {
        h = add_vector(add_vector(h, coupling->along), coupling->about);
        h = add_numbers(h, &coupling->rod, 1);
    }
    if (force->info != NULL) {
        h = add_law(h, force->info, force->def);
    }
    return hf_hash_bytes(h, force->name, strlen(force->name));
}

unsigned long long hf_model_fingerprint(const hf_model *model)
{
    const int sizes[] = {model->nq, model->nv,           model->ny,
                         model->nw, model->signal_count, model->memory_count};
    hash h = hf_hash_bytes(0, sizes, sizeof sizes);
    h = add_vector(h, model->gravity);
    // Bodies and signals, whatever their order
    for (int i = 0; i < model->body_count; ++i) {
        h += of_body(&model->bodies[i], model->body_names[i]);
    }
    for (int i = 0; i < model->signal_count; ++i) {
        h += of_signal(&model->signals[i]);
    }
    // Forces and loops, in the model's own order
    for (int i = 0; i < model->force_count; ++i) {
        h = add_force(h, &model->forces[i]);
    }
    for (int i = 0; i < model->loop_count; ++i) {
        const hf_loop_place *loop = &model->loops[i];
        const int place[] = {(int)loop->joint.type, loop->on.mover, loop->to.mover};
        h = hf_hash_bytes(h, place, sizeof place);
        h = add_frame(add_frame(h, loop->on_frame), loop->to_frame);
        h = loop->term_count > 0 ? add_numbers(h, &loop->value, 1) : h;
        for (int k = 0; k < loop->term_count; ++k) {
            const hf_loop_sum_term *term = &loop->terms[k];
            const int where[] = {term->coordinate.body.id, term->coordinate.axis, term->q < 0};
            h = hf_hash_bytes(h, where, sizeof where);
            h = add_numbers(add_numbers(h, term->p, HF_LOOP_POWERS), &term->reference, 1);
        }
        h = hf_hash_bytes(h, loop->name, strlen(loop->name));
    }
    return h;
}
