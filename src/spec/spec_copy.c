// SPDX-License-Identifier: Apache-2.0
// A copy of a description, to the bit: what was checked and normalized once is not touched again.
#include <stdlib.h>
#include <string.h>

#include "spec/spec_data.h"

// A copy of `count` items for an array that hf_grow lets grow. NULL: out of memory, or none.
static void *copy_items(const void *items, size_t count, size_t *capacity, size_t size, bool *good)
{
    *capacity = count;
    if (count == 0) {
        return NULL;
    }
    void *copy = malloc(count * size);
    if (copy == NULL) {
        *good = false;
        return NULL;
    }
    return memcpy(copy, items, count * size);
}

static bool keep_name(hf_spec *copy, const char **name, hf_name_kind kind, size_t index)
{
    *name = hf_arena_string(&copy->arena, *name);
    return *name != NULL &&
           hf_names_add(&copy->names, *name, (int)index * HF_NAME_KIND_COUNT + (int)kind);
}

static bool keep_body(hf_spec *copy, size_t i)
{
    hf_spec_body *body = &copy->bodies[i];
    const hf_body_ops *ops = hf_body_ops_of(body->type);
    body->def = hf_arena_copy(&copy->arena, body->def, 1, ops->def_size);
    if (body->def == NULL || !keep_name(copy, &body->name, HF_NAME_BODY, i)) {
        return false;
    }
    *(const char **)body->def = body->name; // its first member
    return ops->keep == NULL || ops->keep(&copy->arena, body->def);
}

static bool keep_shape(hf_spec *copy, size_t i)
{
    hf_spec_shape *shape = &copy->shapes[i];
    return keep_name(copy, &shape->def.name, HF_NAME_SHAPE, i) &&
           hf_shape_keep(&copy->arena, &shape->def.shape);
}

// Its context is shared: one user more.
static bool keep_signal(hf_spec *copy, size_t i)
{
    hf_spec_signal *signal = &copy->signals[i];
    hf_list *const lists[] = {&signal->def.times, &signal->def.values, &signal->def.jumps,
                              &signal->def.sines, &signal->def.cosines};
    bool good = true;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        good = good && hf_list_copy(&copy->arena, lists[k]);
    }
    good = good && hf_channel_names_copy(&copy->arena, &signal->def);
    if (good && keep_name(copy, &signal->def.name, HF_NAME_SIGNAL, i)) {
        if (signal->shared != NULL) {
            atomic_fetch_add(&signal->shared->users, 1);
        }
        copy->signal_count = i + 1;
        return true;
    }
    return false;
}

static bool keep_force(hf_spec *copy, size_t i)
{
    hf_force_def *force = &copy->forces[i];
    const hf_law_info *info = hf_spec_law(copy, force->law);
    if (info != NULL) {
        force->def = hf_law_def_copy(&copy->arena, info, force->def);
    }
    force->file = force->file == NULL ? NULL : hf_arena_string(&copy->arena, force->file);
    return (info == NULL || force->def != NULL) &&
           hf_coupling_keep(&copy->arena, &force->coupling) &&
           keep_name(copy, &force->name, HF_NAME_FORCE, i);
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
    for (size_t i = 0; i < spec->signal_count && good; ++i) {
        good = keep_signal(copy, i);
    }
    // Bodies and what they touch with
    for (size_t i = 0; i < copy->tree_count && good; ++i) {
        good = keep_name(copy, &copy->trees[i].name, HF_NAME_TREE, i);
    }
    for (size_t i = 0; i < copy->body_count && good; ++i) {
        good = keep_body(copy, i);
    }
    for (size_t i = 0; i < copy->material_count && good; ++i) {
        good = keep_name(copy, &copy->materials[i].name, HF_NAME_MATERIAL, i);
    }
    for (size_t i = 0; i < copy->shape_count && good; ++i) {
        good = keep_shape(copy, i);
    }
    // Forces and loops
    for (size_t i = 0; i < copy->force_count && good; ++i) {
        good = keep_force(copy, i);
    }
    for (size_t i = 0; i < copy->loop_count && good; ++i) {
        good = hf_loop_keep(&copy->arena, &copy->loops[i]) &&
               keep_name(copy, &copy->loops[i].name, HF_NAME_LOOP, i);
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

hf_spec *hf_spec_copy(const hf_spec *spec)
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
#define COPY(items, count, capacity)                                                               \
    copy->items = copy_items(spec->items, spec->count, &copy->capacity, sizeof *spec->items, &good)
    COPY(bodies, body_count, body_capacity);
    COPY(trees, tree_count, tree_capacity);
    COPY(shapes, shape_count, shape_capacity);
    COPY(materials, material_count, material_capacity);
    COPY(pairs, pair_count, pair_capacity);
    COPY(signals, signal_count, signal_capacity);
    COPY(forces, force_count, force_capacity);
    COPY(loops, loop_count, loop_capacity);
    COPY(parameters, parameter_count, parameter_capacity);
    copy->laws = copy_items((const void *)spec->laws, spec->law_count, &copy->law_capacity,
                            sizeof *spec->laws, &good);
    copy->records = copy_items((const void *)spec->records, spec->record_count,
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
