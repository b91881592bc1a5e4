// SPDX-License-Identifier: Apache-2.0
// A copy of a description, to the bit: what was checked and normalized once is not touched again.
// Or several machines like it, side by side in one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/spec_data.h"

// A copy of `count` items, `times` times, for an array that hf_grow lets grow. NULL: out of memory,
// or none.
static void *copy_items(const void *items, size_t count, size_t times, size_t *capacity,
                        size_t size, bool *good)
{
    *capacity = count * times;
    if (count == 0) {
        return NULL;
    }
    char *copy = malloc(*capacity * size);
    if (copy == NULL) {
        *good = false;
        return NULL;
    }
    for (size_t k = 0; k < times; ++k) {
        memcpy(copy + k * count * size, items, count * size);
    }
    return copy;
}

// The first machine keeps its names; those of the others have a number behind: "floor#1". The mark
// stands before all letters of names, so that the order of names, by which forces are added up, is
// the same in each machine.
static char *name_in(hf_arena *arena, const char *name, size_t machine)
{
    size_t room = strlen(name) + HF_COPY_MARK_SIZE;
    char *own = machine == 0 ? hf_arena_string(arena, name) : hf_arena_alloc(arena, room, 1);
    if (own != NULL && machine > 0) {
        (void)snprintf(own, room, "%s#%zu", name, machine);
    }
    return own;
}

// `each`: so many of this kind has a machine.
static bool keep_name(hf_spec *copy, const char **name, hf_name_kind kind, size_t index,
                      size_t each)
{
    *name = name_in(&copy->arena, *name, index / each);
    return *name != NULL &&
           hf_names_add(&copy->names, *name, (int)index * HF_NAME_KIND_COUNT + (int)kind);
}

static bool keep_body(hf_spec *copy, size_t i, size_t each)
{
    hf_spec_body *body = &copy->bodies[i];
    const hf_body_ops *ops = hf_body_ops_of(body->type);
    body->def = hf_arena_copy(&copy->arena, body->def, 1, ops->def_size);
    if (body->def == NULL || !keep_name(copy, &body->name, HF_NAME_BODY, i, each)) {
        return false;
    }
    *(const char **)body->def = body->name; // its first member
    // How it is shown
    size_t figures = (size_t)body->figure_count;
    body->figures =
        figures == 0 ? NULL
                     : hf_arena_copy(&copy->arena, body->figures, figures, sizeof *body->figures);
    body->figure_capacity = body->figure_count;
    bool good = hf_draw_keep(&copy->arena, &body->draw) && (figures == 0 || body->figures != NULL);
    for (size_t k = 0; k < figures && good; ++k) {
        good = hf_draw_keep(&copy->arena, &body->figures[k]);
    }
    return good && (ops->keep == NULL || ops->keep(&copy->arena, body->def));
}

static bool keep_shape(hf_spec *copy, size_t i)
{
    hf_spec_shape *shape = &copy->shapes[i];
    return keep_name(copy, &shape->def.name, HF_NAME_SHAPE, i, copy->shape_count) &&
           hf_shape_keep(&copy->arena, &shape->def.shape);
}

// Its context is shared: one user more.
static bool keep_signal(hf_spec *copy, size_t i, size_t each)
{
    hf_spec_signal *signal = &copy->signals[i];
    hf_list *const lists[] = {&signal->def.times, &signal->def.values, &signal->def.jumps,
                              &signal->def.sines, &signal->def.cosines};
    bool good = true;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        good = good && hf_list_copy(&copy->arena, lists[k]);
    }
    good = good && hf_channel_names_copy(&copy->arena, &signal->def);
    if (good && keep_name(copy, &signal->def.name, HF_NAME_SIGNAL, i, each)) {
        if (signal->shared != NULL) {
            atomic_fetch_add(&signal->shared->users, 1);
        }
        copy->signal_count = i + 1;
        return true;
    }
    return false;
}

static bool keep_force(hf_spec *copy, size_t i, size_t each)
{
    hf_force_def *force = &copy->forces[i];
    const hf_law_info *info = hf_spec_law(copy, force->law);
    if (info != NULL) {
        force->def = hf_law_def_copy(&copy->arena, info, force->def);
    }
    force->file = force->file == NULL ? NULL : hf_arena_string(&copy->arena, force->file);
    return (info == NULL || force->def != NULL) &&
           hf_coupling_keep(&copy->arena, &force->coupling) &&
           keep_name(copy, &force->name, HF_NAME_FORCE, i, each);
}

// All strings, lists and definitions become the copy's own.
static bool keep_all(hf_spec *copy, const hf_spec *spec)
{
    bool good = true;
    // Laws and signals, which others name
    for (size_t i = 0; i < copy->law_count && good; ++i) {
        copy->laws[i] = hf_arena_copy(&copy->arena, spec->laws[i], 1, sizeof **spec->laws);
        good = copy->laws[i] != NULL;
    }
    for (size_t i = 0; i < copy->signal_capacity && good; ++i) {
        good = keep_signal(copy, i, spec->signal_count);
    }
    // Bodies and what they touch with
    for (size_t i = 0; i < copy->tree_count && good; ++i) {
        good = keep_name(copy, &copy->trees[i].name, HF_NAME_TREE, i, spec->tree_count);
    }
    for (size_t i = 0; i < copy->body_count && good; ++i) {
        good = keep_body(copy, i, spec->body_count);
    }
    for (size_t i = 0; i < copy->material_count && good; ++i) {
        good = keep_name(copy, &copy->materials[i].name, HF_NAME_MATERIAL, i, copy->material_count);
    }
    for (size_t i = 0; i < copy->shape_count && good; ++i) {
        good = keep_shape(copy, i);
    }
    // Forces and loops
    for (size_t i = 0; i < copy->force_count && good; ++i) {
        good = keep_force(copy, i, spec->force_count);
    }
    for (size_t i = 0; i < copy->loop_count && good; ++i) {
        good = hf_loop_keep(&copy->arena, &copy->loops[i]) &&
               keep_name(copy, &copy->loops[i].name, HF_NAME_LOOP, i, copy->loop_count);
    }
    // Parameters and what is recorded
    for (size_t i = 0; i < copy->parameter_count && good; ++i) {
        hf_parameter_def *p = &copy->parameters[i];
        p->name = hf_arena_string(&copy->arena, p->name);
        p->unit = hf_arena_string(&copy->arena, p->unit == NULL ? "" : p->unit);
        p->about = hf_arena_string(&copy->arena, p->about == NULL ? "" : p->about);
        good = p->name != NULL && p->unit != NULL && p->about != NULL;
    }
    for (size_t i = 0; i < copy->record_count && good; ++i) {
        copy->records[i] = hf_arena_string(&copy->arena, spec->records[i]);
        good = copy->records[i] != NULL;
    }
    return good;
}

static hf_spec *copy_times(const hf_spec *spec, size_t times)
{
    hf_spec *copy = calloc(1, sizeof *copy);
    if (copy == NULL) {
        return NULL;
    }
    // Lists are copied item by item
    *copy = *spec;
    copy->arena = (hf_arena){0};
    copy->names = (hf_names){0};
    copy->signal_count = 0; // counts those whose contexts it uses
    bool good = true;
#define COPY(items, count, capacity, times)                                                        \
    copy->items =                                                                                  \
        copy_items(spec->items, spec->count, times, &copy->capacity, sizeof *spec->items, &good)
    COPY(bodies, body_count, body_capacity, times);
    COPY(trees, tree_count, tree_capacity, times);
    COPY(shapes, shape_count, shape_capacity, 1);
    COPY(materials, material_count, material_capacity, 1);
    COPY(pairs, pair_count, pair_capacity, 1);
    COPY(signals, signal_count, signal_capacity, times);
    COPY(forces, force_count, force_capacity, times);
    COPY(loops, loop_count, loop_capacity, 1);
    COPY(parameters, parameter_count, parameter_capacity, 1);
    copy->body_count *= times;
    copy->tree_count *= times;
    copy->force_count *= times;
    copy->laws = copy_items((const void *)spec->laws, spec->law_count, 1, &copy->law_capacity,
                            sizeof *spec->laws, &good);
    copy->records = copy_items((const void *)spec->records, spec->record_count, 1,
                               &copy->record_capacity, sizeof *spec->records, &good);
#undef COPY
    // Texts and definitions go to the copy's own memory
    copy->name = hf_arena_string(&copy->arena, spec->name);
    copy->text = hf_arena_string(&copy->arena, spec->text);
    if (!good || copy->name == NULL || copy->text == NULL || !keep_all(copy, spec)) {
        hf_spec_destroy(copy);
        return NULL;
    }
    return copy;
}

hf_spec *hf_spec_copy(const hf_spec *spec)
{
    return copy_times(spec, 1);
}

// ------------------------------------------------------------------------------------------------
// Side by side

// What ids of the first machine become in another one.
typedef struct shift {
    int body, tree, signal, force;
} shift;

static void shift_body_id(hf_body *body, const shift *by)
{
    body->id += body->id > 0 ? by->body : 0;
}

static void shift_value(hf_value *value, const shift *by)
{
    value->signal.id += value->signal.id > 0 ? by->signal : 0;
}

static void shift_body(hf_spec_body *body, const shift *by)
{
    body->tree += body->tree >= 0 ? by->tree : 0;
    if (hf_body_ops_of(body->type)->jointed) {
        shift_body_id(&((hf_joint_def *)body->def)->parent, by);
    }
}

static void shift_force(hf_force_def *force, const shift *by)
{
    hf_coupling_def *c = &force->coupling;
    shift_body_id(&c->on_coordinate.body, by);
    shift_body_id(&c->to_coordinate.body, by);
    shift_body_id(&c->on_frame.body, by);
    shift_body_id(&c->to_frame.body, by);
    for (int i = 0; i < HF_LAW_MAX_DIM; ++i) {
        shift_value(&force->values[i], by);
    }
    shift_value(&force->enable, by);
    shift_value(&force->normal.value, by);
    force->normal.force.id += force->normal.force.id > 0 ? by->force : 0;
}

bool hf_spec_stands_alone(const hf_spec *spec)
{
    bool alone = spec->loop_count == 0 && spec->shape_count == 0 && spec->pair_count == 0;
    for (size_t i = 0; i < spec->body_count && alone; ++i) {
        hf_body_type type = spec->bodies[i].type;
        alone = hf_body_ops_of(type)->drive == NULL && type != HF_BODY_OWN;
    }
    for (size_t i = 0; i < spec->signal_count && alone; ++i) {
        alone = spec->signals[i].def.channel_count == 0;
    }
    for (size_t i = 0; i < spec->force_count && alone; ++i) {
        const hf_coupling_def *c = &spec->forces[i].coupling;
        alone = c->member_count == 0 && c->term_count == 0 && c->part_count == 0 &&
                c->kind == NULL && c->coordinate_count == 0 &&
                spec->forces[i].normal.load == HF_LOAD_NONE;
    }
    return alone;
}

hf_spec *hf_spec_side_by_side(const hf_spec *spec, int count)
{
    hf_spec *all = copy_times(spec, (size_t)count);
    for (size_t i = spec->body_count; all != NULL && i < all->body_count; ++i) {
        int k = (int)(i / spec->body_count);
        shift_body(&all->bodies[i],
                   &(shift){.body = k * (int)spec->body_count, .tree = k * (int)spec->tree_count});
    }
    for (size_t i = spec->force_count; all != NULL && i < all->force_count; ++i) {
        int k = (int)(i / spec->force_count);
        shift_force(&all->forces[i], &(shift){.body = k * (int)spec->body_count,
                                              .signal = k * (int)spec->signal_count,
                                              .force = k * (int)spec->force_count});
    }
    return all;
}
