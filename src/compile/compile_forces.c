// SPDX-License-Identifier: Apache-2.0
// Forces: their order of evaluation, their couplings, and the groups that one loop evaluates.
//
// Order: a force whose level needs another force's size comes after it; then by coupling, dimension
// and law, so that like stands beside like in memory; then by name.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bodies/bodies.h"
#include "compile/model_data.h"
#include "couplings/members.h"
#include "shapes/touch.h"

typedef struct force_key {
    const char *name;
    int index; // in the spec
    int depth, coupling, dim, law, batch;
} force_key;

static int by_key(const void *a, const void *b)
{
    const force_key *x = a, *y = b;
    const int kx[] = {x->depth, x->coupling, x->dim, x->law, x->batch};
    const int ky[] = {y->depth, y->coupling, y->dim, y->law, y->batch};
    for (int i = 0; i < 5; ++i) {
        if (kx[i] != ky[i]) {
            return kx[i] < ky[i] ? -1 : 1;
        }
    }
    return hf_name_compare(x->name, y->name);
}

// Whether a law on a scalar coupling is evaluated in a loop with its like.
static bool batchable(const hf_spec *spec, const hf_force_def *def)
{
    double numbers[HF_LAW_BATCH_NUMBERS];
    const hf_law_info *info = hf_spec_law(spec, def->law);
    return info != NULL && info->batch != NULL && !def->has_enable &&
           hf_coupling_dim(&def->coupling) == 1 && info->batch(def->def, numbers);
}

static void fill_keys(const hf_spec *spec, force_key *keys, int *depth)
{
    for (size_t i = 0; i < spec->force_count; ++i) {
        const hf_force_def *def = &spec->forces[i];
        depth[i] = def->normal.force.id == 0 ? 0 : depth[def->normal.force.id - 1] + 1;
        keys[i] = (force_key){.name = def->name,
                              .index = (int)i,
                              .depth = depth[i],
                              .coupling = (int)def->coupling.type,
                              .dim = hf_coupling_dim(&def->coupling),
                              .law = (int)def->law,
                              .batch = batchable(spec, def)};
    }
    qsort(keys, spec->force_count, sizeof *keys, by_key);
}

// ------------------------------------------------------------------------------------------------
// Couplings

// Bodies as couplings see them.
static hf_body_site site_of(const hf_body_place *body)
{
    static const char *const xyz[] = {"x", "y", "z"}, *const planar[] = {"x", "y", "angle"};
    hf_body_site site = {.q = body->q,
                         .v = body->v,
                         .pose = body->pose,
                         .counts = body->ops->counts_turns != NULL &&
                                   body->ops->counts_turns(body->body)};
    for (int k = 0; k < HF_BODY_KIND_MOST; ++k) {
        bool flat = body->joint == HF_JOINT_PLANAR;
        bool shift = body->ops->in_axes && k < body->dim;
        bool named = body->ops->axis != NULL && k < body->nv && !shift;
        site.world[k] = shift ? body->axes[k] : -1;
        site.names[k] = named                ? body->ops->axis(body->body, k)
                        : k >= 3             ? ""
                        : flat               ? planar[k]
                        : body->ops->in_axes ? xyz[body->axes[k]]
                                             : xyz[k];
        site.turns[k] = k < body->nv && hf_place_turns(body, k);
    }
    return site;
}

static hf_status fill_sites(hf_model *model, hf_error *error)
{
    hf_body_site *sites;
    HF_ALLOC(sites, model->body_count);
    for (int i = 0; i < model->body_count; ++i) {
        sites[i] = site_of(&model->bodies[i]);
    }
    model->sites = sites;
    return HF_OK;
}

// A range of items for each type that has rows; *types: items by type, to be placed.
static hf_status fill_ranges(hf_model *model, const hf_spec *spec, char *items[], hf_error *error)
{
    hf_coupling_range *ranges;
    HF_ALLOC(ranges, HF_COUPLING_TYPE_COUNT);
    for (int t = 0; t < HF_COUPLING_TYPE_COUNT; ++t) {
        const hf_coupling_ops *ops = hf_coupling_ops_get((hf_coupling_type)t);
        int count = 0;
        for (size_t i = 0; i < spec->force_count; ++i) {
            count += spec->forces[i].coupling.type == (hf_coupling_type)t;
        }
        model->couplings.in_space = model->couplings.in_space || (ops->in_space && count > 0);
        model->couplings.touches = model->couplings.touches || (ops->looks_at_touches && count > 0);
        items[t] = NULL;
        if (count == 0 || ops->item_size == 0) {
            continue;
        }
        items[t] = hf_arena_alloc(&model->arena, (size_t)count, ops->item_size);
        if (items[t] == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        ranges[model->couplings.range_count++] =
            (hf_coupling_range){.ops = ops, .items = items[t], .count = count};
    }
    model->couplings.ranges = ranges;
    return HF_OK;
}

static void place_coupling(const hf_model *model, hf_force_place *force, hf_coupling_slot slot,
                           char *items)
{
    const hf_coupling_ops *ops = force->ops;
    void *item = items + (size_t)force->coupling_index * ops->item_size;
    ops->place(&force->coupling_def, model->sites, slot, item);
    force->item = item;
}

// The couplings of all forces. References stand in the order of the ranges.
static hf_status fill_couplings(hf_model *model, const hf_spec *spec, hf_force_place *forces,
                                hf_error *error)
{
    char *items[HF_COUPLING_TYPE_COUNT];
    int counts[HF_COUPLING_TYPE_COUNT] = {0}, memories[HF_COUPLING_TYPE_COUNT];
    int *normals;
    HF_ALLOC(normals, model->force_count);
    model->couplings.normal_rows = normals;
    // Ranges of couplings of one type
    HF_TRY(fill_sites(model, error));
    HF_TRY(fill_ranges(model, spec, items, error));
    for (int i = 0, t = 0; t < HF_COUPLING_TYPE_COUNT; ++t) {
        memories[t] = model->couplings.reference_count;
        if (items[t] != NULL) {
            const hf_coupling_range *range = &model->couplings.ranges[i++];
            model->couplings.reference_count += range->ops->carry != NULL ? range->count : 0;
        }
    }
    // Each force's coupling in its range
    for (int i = 0; i < model->force_count; ++i) {
        int t = (int)forces[i].coupling_def.type, index = counts[t]++;
        forces[i].coupling_index = index;
        if (items[t] != NULL) {
            hf_coupling_slot slot = {forces[i].row, forces[i].dim, memories[t] + index};
            hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
            place_coupling(model, &forces[i], slot, items[t]);
            model->has_sums = model->has_sums || (forces[i].ops->terms != NULL &&
                                                  hf_force_difference(&forces[i], 0, terms) == 0);
            if (forces[i].ops->contact) {
                normals[model->couplings.normal_count++] = slot.row;
            }
        }
    }
    for (int t = 0; t < HF_COUPLING_TYPE_COUNT; ++t) {
        const hf_coupling_ops *ops = hf_coupling_ops_get((hf_coupling_type)t);
        if (items[t] != NULL && ops->line_up != NULL) {
            ops->line_up(items[t], counts[t]);
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Forces

// Room for points of contact between shapes.
static int points_capacity(const hf_model *model, const hf_coupling_def *def)
{
    return hf_touch_room(hf_model_pairs(model, def));
}

static int by_pose(const void *a, const void *b)
{
    const hf_swarm_member *x = a, *y = b;
    return (x->pose > y->pose) - (x->pose < y->pose);
}

double hf_least_inertia(const hf_body_info *body)
{
    const hf_sym3 *s = &body->inertia;
    double x = s->xx - fabs(s->xy) - fabs(s->xz), y = s->yy - fabs(s->xy) - fabs(s->yz);
    double z = s->zz - fabs(s->xz) - fabs(s->yz);
    return fmax(fmin(x, fmin(y, z)), 0.0);
}

// Members in the order of their poses, which is that of their names.
static hf_status fill_swarm(hf_model *model, const hf_force_place *force, hf_swarm *swarm,
                            hf_error *error)
{
    const hf_coupling_def *def = &force->coupling_def;
    const hf_rigid_contact_def *law = force->def;
    hf_swarm_member *members;
    HF_ALLOC(members, def->member_count);
    *swarm = (hf_swarm){.force = (int)(force - model->forces),
                        .members = members,
                        .count = def->member_count,
                        .capacity = hf_swarm_capacity(def),
                        .dim = def->turning ? 6 : 3,
                        .cell_count = 16,
                        .scaled = law->stiffness == 0.0,
                        .gyration = HUGE_VAL,
                        .smallest = HUGE_VAL};
    // A hash table with two cells for a member, at least
    while (swarm->cell_count < 2 * def->member_count) {
        swarm->cell_count *= 2;
    }
    // Members, by rising pose, each once
    for (int i = 0; i < def->member_count; ++i) {
        const hf_body_place *body = &model->bodies[def->members[i].id - 1];
        double radius = body->info.shape.size.x;
        members[i] = (hf_swarm_member){.pose = body->pose,
                                       .center = body->info.shape_center,
                                       .centered = hf_v3_norm(body->info.shape_center) == 0.0,
                                       .radius = radius,
                                       .inverse_mass = 1.0 / body->info.mass};
        swarm->gyration = fmin(swarm->gyration, hf_least_inertia(&body->info) / body->info.mass);
        swarm->smallest = fmin(swarm->smallest, radius);
        swarm->largest = fmax(swarm->largest, radius);
    }
    qsort(members, (size_t)def->member_count, sizeof *members, by_pose);
    for (int i = 1; i < def->member_count; ++i) {
        if (members[i].pose == members[i - 1].pose) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", force->name),
                               "a body is a member twice");
        }
    }
    return HF_OK;
}

// What bodies yield to a push, by pose.
static hf_status fill_shapes(hf_model *model, const hf_force_place *force, hf_swarm *swarm,
                             hf_error *error)
{
    const hf_coupling_def *def = &force->coupling_def;
    bool rigid = force->exact == HF_EXACT_CONTACT;
    bool chosen = rigid && ((const hf_rigid_contact_def *)force->def)->stiffness == 0.0;
    double *inverse;
    HF_ALLOC(inverse, model->pose_count);
    for (int i = 0; i < def->member_count; ++i) {
        const hf_body_place *body = &model->bodies[def->members[i].id - 1];
        if (body->info.mass > 0.0) {
            inverse[body->pose] = 1.0 / body->info.mass;
        }
    }
    *swarm = (hf_swarm){.force = (int)(force - model->forces),
                        .shapes = true,
                        .inverse_masses = inverse,
                        .capacity = points_capacity(model, def),
                        .dim = def->turning ? 6 : 3,
                        .scaled = chosen,
                        .smallest = HUGE_VAL};
    return HF_OK;
}

static hf_status fill_swarms(hf_model *model, hf_force_place *forces, hf_error *error)
{
    hf_swarm *swarms;
    HF_ALLOC(swarms, model->force_count);
    model->swarms = swarms;
    for (int i = 0; i < model->force_count; ++i) {
        if (forces[i].ops->keeps_pairs) { // coupling_index counts them in this order
            forces[i].swarm = model->swarm_count;
            HF_TRY(fill_swarm(model, &forces[i], &swarms[model->swarm_count++], error));
        }
    }
    for (int i = 0; i < model->force_count; ++i) {
        if (forces[i].ops->needs_collider && forces[i].y_count > 0) {
            forces[i].swarm = model->swarm_count;
            HF_TRY(fill_shapes(model, &forces[i], &swarms[model->swarm_count++], error));
        }
    }
    return HF_OK;
}

// The caller's own laws: the model outlives the spec.
static hf_status keep_laws(hf_model *model, const hf_spec *spec, hf_error *error)
{
    hf_law_info *laws;
    HF_ALLOC(laws, spec->law_count);
    for (size_t i = 0; i < spec->law_count; ++i) {
        laws[i] = *spec->laws[i];
    }
    model->own_laws = laws;
    return HF_OK;
}

static hf_force_place place_force(hf_model *model, const hf_force_def *def, const force_key *key)
{
    hf_force_place place = {
        .name = hf_arena_string(&model->arena, def->name),
        .info = def->law >= HF_LAW_OWN ? &model->own_laws[def->law - HF_LAW_OWN]
                                       : hf_law_info_get(def->law),
        .law = def->law,
        .ops = hf_coupling_ops_of(&def->coupling),
        .coupling_def = def->coupling,
        .dim = key->dim,
        .row = model->row_count,
        .y = model->ny,
        .swarm = -1,
        .values = -1,
        .normal_force =
            def->normal.force.id == 0 ? -1 : model->force_order[def->normal.force.id - 1],
        .normal = {.constant = def->normal.value.constant,
                   .signal = def->normal.value.signal.id - 1},
        .enable = {.constant = def->enable.constant, .signal = def->enable.signal.id - 1},
        .gated = def->has_enable,
        .load = -1,
        .depth = key->depth,
        .id = key->index,
        .file = def->file == NULL ? NULL : hf_arena_string(&model->arena, def->file),
        .line = def->line,
        .column = def->column,
    };
    if (place.info != NULL) {
        place.exact = place.info->exact;
        place.def = hf_law_def_copy(&model->arena, place.info, def->def);
        place.y_count = place.info->state_count(def->def, key->dim);
    }
    place.y_count = hf_coupling_states(&def->coupling, place.y_count);
    if (place.ops->needs_collider && hf_method_forces_shapes(model->method.type)) {
        // surfaces may have friction of spin and rolling where the law has none
        bool turning = model->surfaces_turn && place.exact == HF_EXACT_CONTACT;
        place.coupling_def.turning = def->coupling.turning || turning;
        place.y_count =
            (place.coupling_def.turning ? 6 : 3) * points_capacity(model, &def->coupling);
    }
    return place;
}

static hf_input input_of(const hf_force_def *def, const hf_force_place *force, int k)
{
    hf_value value = def->values[k];
    int rate_of = force->info == NULL ? -1 : force->info->inputs[k].rate_of;
    if (rate_of < 0 || def->has_rate) {
        return (hf_input){.constant = value.constant, .signal = value.signal.id - 1};
    }
    return (hf_input){.signal = def->values[rate_of].signal.id - 1, .rate = true};
}

// What drives prescribed forces and controllers.
static hf_status fill_values(hf_model *model, const hf_spec *spec, hf_force_place *forces,
                             hf_error *error)
{
    hf_input *values;
    for (int i = 0; i < model->force_count; ++i) {
        forces[i].value_count =
            forces[i].info == NULL ? forces[i].dim : forces[i].info->input_count;
        forces[i].values = forces[i].value_count == 0 ? -1 : model->value_count;
        model->value_count += forces[i].value_count;
    }
    HF_ALLOC(values, model->value_count);
    for (int i = 0; i < model->force_count; ++i) {
        for (int k = 0; k < forces[i].value_count; ++k) {
            values[forces[i].values + k] = input_of(&spec->forces[forces[i].id], &forces[i], k);
        }
    }
    model->values = values;
    return HF_OK;
}

// Laws that are sampled and laws that switch, and room for what they keep.
static hf_status fill_clocks(hf_model *model, hf_force_place *forces, hf_error *error)
{
    hf_clock *clocks;
    HF_ALLOC(clocks, model->force_count);
    for (int i = 0; i < model->force_count; ++i) {
        const hf_law_info *info = forces[i].info;
        double period = info == NULL || info->period == NULL ? 0.0 : info->period(forces[i].def);
        forces[i].memory = model->memory_count;
        forces[i].switches = model->switch_count;
        if (info != NULL && info->switches != NULL) {
            forces[i].switch_count = info->switch_count(forces[i].def, forces[i].dim);
            model->switch_count += forces[i].switch_count;
        }
        if (info != NULL && period > 0.0) {
            clocks[model->clock_count++] = (hf_clock){.force = i, .period = period};
            forces[i].memory_count = info->memory_count;
            model->memory_count += info->memory_count;
        }
    }
    model->clocks = clocks;
    return HF_OK;
}

static hf_status fill_groups(hf_model *model, const force_key *keys, hf_error *error)
{
    hf_force_group *groups;
    double *numbers[HF_LAW_BATCH_NUMBERS];
    int *rows;
    HF_ALLOC(groups, model->force_count);
    // Numbers of laws in batches, by row
    for (int k = 0; k < HF_LAW_BATCH_NUMBERS; ++k) {
        HF_ALLOC(numbers[k], model->row_count);
        model->batch_numbers[k] = numbers[k];
    }
    HF_ALLOC(rows, model->force_count + 1);
    rows[model->force_count] = model->row_count;
    // Neighbours with the same key are one group; laws in batches have their numbers by row
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        bool same = i > 0 && keys[i].depth == keys[i - 1].depth &&
                    keys[i].coupling == keys[i - 1].coupling && keys[i].dim == keys[i - 1].dim &&
                    keys[i].law == keys[i - 1].law && keys[i].batch == keys[i - 1].batch;
        if (!same) {
            groups[model->group_count++] =
                (hf_force_group){.first = i,
                                 .batch = keys[i].batch != 0,
                                 .prescribed = force->info == NULL,
                                 .stepwise = force->info != NULL && force->info->needs_applied,
                                 .contacts = force->exact == HF_EXACT_CONTACT};
        }
        groups[model->group_count - 1].count += 1;
        rows[i] = force->row;
        double own[HF_LAW_BATCH_NUMBERS] = {0.0};
        if (keys[i].batch && force->info->batch(force->def, own)) {
            for (int k = 0; k < HF_LAW_BATCH_NUMBERS; ++k) {
                numbers[k][force->row] = own[k];
            }
        }
    }
    model->groups = groups;
    model->rows = rows;
    return HF_OK;
}

static hf_status list_signal_normals(hf_model *model, hf_error *error)
{
    int *list;
    HF_ALLOC(list, model->force_count);
    for (int i = 0; i < model->force_count; ++i) {
        if (model->forces[i].normal_force < 0 && model->forces[i].normal.signal >= 0) {
            list[model->signal_normal_count++] = i;
        }
    }
    model->signal_normals = list;
    return HF_OK;
}

static hf_status list_gated_contacts(hf_model *model, hf_error *error)
{
    int *list;
    HF_ALLOC(list, model->force_count);
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->gated && force->ops->contact && force->item != NULL) {
            list[model->gated_contact_count++] = i;
        }
    }
    model->gated_contacts = list;
    return HF_OK;
}

hf_status hf_compile_forces(hf_model *model, const hf_spec *spec, hf_error *error)
{
    force_key *keys;
    int *depth, *order;
    hf_force_place *forces;
    HF_ALLOC(keys, spec->force_count);
    HF_ALLOC(depth, spec->force_count);
    HF_ALLOC(order, spec->force_count);
    HF_ALLOC(forces, spec->force_count);
    HF_TRY(keep_laws(model, spec, error));
    fill_keys(spec, keys, depth);
    // Where each one is, by the order of declaration
    for (size_t i = 0; i < spec->force_count; ++i) {
        order[keys[i].index] = (int)i;
    }
    model->force_order = order;
    // Forces, sorted so that equal laws lie side by side
    for (size_t i = 0; i < spec->force_count; ++i) {
        const hf_force_def *def = &spec->forces[keys[i].index];
        forces[i] = place_force(model, def, &keys[i]);
        if (forces[i].name == NULL || (forces[i].info != NULL && forces[i].def == NULL) ||
            !hf_coupling_keep(&model->arena, &forces[i].coupling_def)) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        model->row_count += forces[i].dim;
        model->ny += forces[i].y_count;
    }
    model->forces = forces;
    model->force_count = (int)spec->force_count;
    // What they share: couplings, swarms, inputs, clocks, groups and islands
    HF_TRY(fill_couplings(model, spec, forces, error));
    HF_TRY(fill_swarms(model, forces, error));
    HF_TRY(fill_values(model, spec, forces, error));
    HF_TRY(fill_clocks(model, forces, error));
    HF_TRY(list_signal_normals(model, error));
    HF_TRY(list_gated_contacts(model, error));
    HF_TRY(fill_groups(model, keys, error));
    return hf_compile_islands(model, error);
}
