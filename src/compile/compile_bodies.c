// SPDX-License-Identifier: Apache-2.0
// Bodies: their order, their places in the state vector, their poses, the initial state. Everything
// is laid out in the order of names, never of declaration.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/model_data.h"

// ------------------------------------------------------------------------------------------------
// Order

typedef struct named_index {
    const char *name;
    int index;
    int tree, depth; // of a link: its tree's place, and how many links are below it
} named_index;

// By tree, parents before children, then by name.
static int by_name(const void *a, const void *b)
{
    const named_index *x = a, *y = b;
    if (x->tree != y->tree) {
        return x->tree < y->tree ? -1 : 1;
    }
    if (x->depth != y->depth) {
        return x->depth < y->depth ? -1 : 1;
    }
    return hf_name_compare(x->name, y->name);
}

// Spec indices of the bodies of a type, in the order of names. Returns how many; `order` has room
// for all bodies.
static int bodies_of(const hf_spec *spec, hf_body_type type, named_index *order)
{
    int count = 0;
    for (size_t i = 0; i < spec->body_count; ++i) {
        if (spec->bodies[i].type == type) {
            order[count++] = (named_index){.name = spec->bodies[i].name, .index = (int)i};
        }
    }
    qsort(order, (size_t)count, sizeof *order, by_name);
    return count;
}

// ------------------------------------------------------------------------------------------------
// Bodies

bool hf_place_turns(const hf_body_place *body, int axis)
{
    if (body->ops->unit != NULL) {
        return strcmp(body->ops->unit(body->body, axis, false), "rad") == 0;
    }
    return body->joint == HF_JOINT_REVOLUTE || (body->joint == HF_JOINT_PLANAR && axis == 2);
}

typedef struct layout {
    hf_model *model;
    const hf_spec *spec;
    hf_body_place *places;
    hf_body_set *sets;
    double *initial; // q, then v
    bool *in_space;  // by body: some coupling in space looks at it
    named_index *order;
} layout;

static void mark_in_space(layout *l)
{
    // Ends and members of couplings in space
    for (size_t i = 0; i < l->spec->force_count; ++i) {
        const hf_coupling_def *c = &l->spec->forces[i].coupling;
        const hf_coupling_ops *ops = hf_coupling_ops_of(c);
        hf_frame ends[HF_COUPLING_MAX_TERMS];
        int end_count = ops->in_space ? ops->ends(c, ends) : 0;
        for (int m = 0; ops->finds_contacts && m < c->member_count; ++m) {
            l->in_space[c->members[m].id - 1] = true;
        }
        for (int e = 0; e < end_count; ++e) {
            if (ends[e].body.id > 0) {
                l->in_space[ends[e].body.id - 1] = true;
            }
        }
    }
    // What moves a surface
    for (size_t i = 0; i < l->spec->shape_count; ++i) {
        if (l->spec->shapes[i].def.has_belt_speed) {
            l->in_space[l->spec->shapes[i].def.belt_drive - 1] = true;
        }
    }
    // Joints whose reactions load a friction
    for (size_t i = 0; i < l->spec->force_count; ++i) {
        const hf_normal_def *normal = &l->spec->forces[i].normal;
        if (normal->load > HF_LOAD_LOOP) {
            l->in_space[normal->joint.id - 1] = true;
        }
    }
    // Ends of loops, and spins of ratios
    for (size_t i = 0; i < l->spec->loop_count; ++i) {
        const int ends[2] = {l->spec->loops[i].on_frame.body.id,
                             l->spec->loops[i].to_frame.body.id};
        for (int e = 0; e < 2; ++e) {
            if (ends[e] > 0) {
                l->in_space[ends[e] - 1] = true;
            }
        }
        for (int k = 0; k < l->spec->loops[i].term_count; ++k) {
            const hf_loop_term *term = &l->spec->loops[i].terms[k];
            if (term->spin) {
                l->in_space[term->coordinate.body.id - 1] = true;
            }
        }
    }
}

static hf_body_place *place_body(layout *l, int body, const hf_body_ops *ops, int index)
{
    hf_body_place *place = &l->places[body];
    *place = (hf_body_place){.ops = ops,
                             .mover = -1,
                             .type = ops->type,
                             .q = l->model->nq,
                             .v = l->model->nv,
                             .index = index,
                             .link = -1,
                             .pose = -1,
                             .info = {.type = ops->type, .joint = HF_JOINT_FREE}};
    const void *def = l->spec->bodies[body].def;
    ops->size(def, &place->nq, &place->nv);
    ops->info(def, &place->info);
    place->dim = place->info.dim;
    memcpy(place->axes, place->info.axes, sizeof place->axes);
    l->model->nq += place->nq;
    l->model->nv += place->nv;
    if (ops->placed > 0) { // turns that it counts are no part of its place
        place->nq = ops->placed;
    }
    return place;
}

// A kind that the machine has.
static void add_set(layout *l, const hf_body_ops *ops, const void *bodies, int count)
{
    if (count > 0) {
        l->sets[l->model->set_count++] =
            (hf_body_set){.ops = ops, .bodies = bodies, .count = count};
    }
}

// Bodies of one kind, side by side. A pose is for those that couplings in space look at, or all.
static hf_status lay_kind(layout *l, const hf_body_ops *ops, hf_error *error)
{
    hf_model *model = l->model;
    int count = bodies_of(l->spec, ops->type, l->order);
    char *bodies = hf_arena_alloc(&model->arena, (size_t)count, ops->bytes);
    bool good = bodies != NULL;
    for (int i = 0; good && i < count; ++i) {
        int body = l->order[i].index;
        hf_body_place *place = place_body(l, body, ops, i);
        if (ops->always_posed || l->in_space[body]) {
            place->pose = model->pose_count++;
        }
        hf_body_spot spot = {.q = place->q,
                             .v = place->v,
                             .pose = place->pose,
                             .gravity = model->gravity,
                             .arena = &model->arena};
        good = ops->lay(l->spec->bodies[body].def, &spot, bodies + (size_t)i * ops->bytes);
    }
    if (!good) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    add_set(l, ops, bodies, count);
    return HF_OK;
}

static hf_tree_link link_of(const hf_joint_def *def, int parent, int q, int v)
{
    hf_vec3 axis = def->axis;
    double length = hf_v3_norm(axis);
    return (hf_tree_link){.type = def->type,
                          .parent = parent,
                          .q = q,
                          .v = v,
                          .nq = hf_joint_coordinates(def->type),
                          .nv = hf_joint_velocities(def->type),
                          .axis = length > 0.0 ? hf_v3_scale(1.0 / length, axis) : axis,
                          .offset = def->offset,
                          .tilt = hf_quat_rotation(def->tilt),
                          .mass = def->mass,
                          .center = def->center,
                          .inertia = def->inertia,
                          .armature = def->armature};
}

static hf_status order_trees(layout *l, int *tree_order, hf_error *error)
{
    hf_model *model = l->model;
    named_index *trees;
    HF_ALLOC(trees, l->spec->tree_count);
    for (size_t i = 0; i < l->spec->tree_count; ++i) {
        trees[i] = (named_index){.name = l->spec->trees[i].name, .index = (int)i};
    }
    qsort(trees, l->spec->tree_count, sizeof *trees, by_name);
    for (size_t i = 0; i < l->spec->tree_count; ++i) {
        tree_order[trees[i].index] = (int)i;
    }
    return HF_OK;
}

// All links, tree by tree. A parent is declared before its children, so one pass finds the depths.
static int order_links(layout *l, const int *tree_order, int *depth)
{
    int count = 0;
    for (size_t i = 0; i < l->spec->body_count; ++i) {
        const hf_spec_body *body = &l->spec->bodies[i];
        const hf_joint_def *joint = hf_spec_joint(body);
        if (joint == NULL) {
            continue;
        }
        int parent = joint->parent.id - 1;
        depth[i] = parent < 0 ? 0 : depth[parent] + 1;
        l->order[count++] = (named_index){
            .name = body->name, .index = (int)i, .tree = tree_order[body->tree], .depth = depth[i]};
    }
    qsort(l->order, (size_t)count, sizeof *l->order, by_name);
    return count;
}

// Lays the links order[first..] that belong to one tree; returns how many.
static int lay_links(layout *l, int first, int link_count, hf_tree_link *links, bool *looked_at)
{
    int q0 = l->model->nq, v0 = l->model->nv, tree = l->order[first].tree, count = 0;
    for (int i = first; i < link_count && l->order[i].tree == tree; ++i, ++count) {
        int body = l->order[i].index;
        const hf_joint_def *def = hf_spec_joint(&l->spec->bodies[body]);
        hf_body_place *place = place_body(l, body, &hf_link_ops, tree);
        place->link = count;
        place->joint = def->type;
        *looked_at = *looked_at || l->in_space[body];
        int parent = def->parent.id == 0 ? -1 : l->places[def->parent.id - 1].link;
        links[count] = link_of(def, parent, place->q - q0, place->v - v0);
    }
    return count;
}

static hf_status lay_trees(layout *l, hf_error *error)
{
    hf_model *model = l->model;
    int *tree_order, *depth;
    hf_tree_body *trees;
    hf_tree_link *links;
    HF_ALLOC(tree_order, l->spec->tree_count);
    HF_ALLOC(depth, l->spec->body_count);
    // Links, tree by tree, parents first
    HF_TRY(order_trees(l, tree_order, error));
    int link_count = order_links(l, tree_order, depth);
    HF_ALLOC(trees, l->spec->tree_count);
    HF_ALLOC(links, link_count);
    // Each tree: its places in the state, poses of all its links, scratch
    for (int first = 0; first < link_count;) {
        hf_tree_body *tree = &trees[l->order[first].tree];
        tree->q = model->nq;
        tree->v = model->nv;
        int count = lay_links(l, first, link_count, links + first, &tree->has_poses);
        tree->pose = model->pose_count;
        for (int i = first; i < first + count; ++i) {
            l->places[l->order[i].index].pose = model->pose_count + (i - first);
        }
        model->pose_count += count;
        hf_tree_prepare(links + first, count, &tree->tree);
        int *above, *ways;
        HF_ALLOC(above, tree->tree.nv);
        hf_tree_find_above(&tree->tree, above);
        HF_ALLOC(ways, hf_tree_ways_size(tree->tree.nv, above));
        hf_tree_find_ways(tree->tree.nv, above, ways);
        tree->above = ways;
        tree->work = model->tree_work;
        model->tree_work += hf_tree_work_size(&tree->tree);
        tree->places = model->tree_places;
        model->tree_places += hf_tree_places_size(&tree->tree);
        tree->keeps = hf_tree_keeps(&tree->tree);
        tree->kept = model->tree_places;
        model->tree_places += hf_tree_kept_size(&tree->tree, ways);
        first += count;
    }
    hf_trees_find_lanes(trees, (int)l->spec->tree_count);
    model->trees = trees;
    model->tree_count = (int)l->spec->tree_count;
    add_set(l, &hf_link_ops, trees, model->tree_count);
    model->tree_order = tree_order;
    return HF_OK;
}

// One coordinate whose motion is given. All bodies have their places.
static hf_drive drive_of(const layout *l, int body, int k)
{
    const hf_body_place *place = &l->places[body];
    hf_drive drive = {.q = place->q + k, .v = place->v + k, .follow_q = -1, .follow_v = -1};
    place->ops->drive(l->spec->bodies[body].def, k, &drive);
    if (drive.leader.body.id != 0) {
        const hf_body_place *leader = &l->places[drive.leader.body.id - 1];
        drive.follow_q = leader->q + drive.leader.axis;
        drive.follow_v = leader->v + drive.leader.axis;
    }
    return drive;
}

// Bodies whose motion is given, and their coordinates, kind by kind in the order of names.
static hf_status list_drives(layout *l, hf_error *error)
{
    hf_model *model = l->model;
    hf_drive *drives;
    int *at, *bodies;
    HF_ALLOC(drives, model->nv);
    HF_ALLOC(at, model->nv);
    HF_ALLOC(bodies, l->spec->body_count);
    for (int v = 0; v < model->nv; ++v) {
        at[v] = -1;
    }
    for (int s = 0; s < model->set_count; ++s) {
        const hf_body_ops *ops = l->sets[s].ops;
        int count = ops->drive == NULL ? 0 : bodies_of(l->spec, ops->type, l->order);
        for (int i = 0; i < count; ++i) {
            int body = l->order[i].index;
            bodies[model->driven_body_count++] = body;
            for (int k = 0; k < l->places[body].nv; ++k) {
                at[l->places[body].v + k] = model->drive_count;
                drives[model->drive_count++] = drive_of(l, body, k);
            }
        }
    }
    model->drives = drives;
    model->drive_at = at;
    model->driven_bodies = bodies;
    return HF_OK;
}

// What moves: movers in the order of the sets, and which sets have poses that couplings look at.
static hf_status number_movers(layout *l, hf_error *error)
{
    hf_model *model = l->model;
    hf_mover *movers;
    HF_ALLOC(movers, l->spec->body_count + l->spec->tree_count);
    for (int s = 0; s < model->set_count; ++s) {
        hf_body_set *set = &l->sets[s];
        int first = model->mover_count;
        // A mover for each body of the kind that forces move
        for (int i = 0; i < set->count && set->ops->accelerates; ++i) {
            movers[model->mover_count++] = (hf_mover){
                .ops = set->ops, .body = (const char *)set->bodies + (size_t)i * set->ops->bytes};
        }
        // Where the spec's bodies are in it; links share their tree's
        for (size_t i = 0; i < l->spec->body_count; ++i) {
            hf_body_place *place = &l->places[i];
            if (place->ops != set->ops) {
                continue;
            }
            place->body = (const char *)set->bodies + (size_t)place->index * set->ops->bytes;
            set->posed += place->pose >= 0 && place->ops->pose != NULL;
            if (set->ops->accelerates) {
                hf_mover *mover = &movers[first + place->index];
                place->mover = first + place->index;
                mover->q = mover->nq == 0 || place->q < mover->q ? place->q : mover->q;
                mover->v = mover->nv == 0 || place->v < mover->v ? place->v : mover->v;
                mover->nq += place->nq;
                mover->nv += place->nv;
            }
        }
        // What evaluations need not do
        model->gathers = model->gathers || (set->posed > 0 && set->ops->gather != NULL);
        model->always_posed =
            model->always_posed || (set->ops->always_posed && set->ops->pose != NULL);
    }
    model->sets = l->sets;
    model->movers = movers;
    return HF_OK;
}

static void set_initial(const layout *l)
{
    double *q = l->initial, *v = l->initial + l->model->nq;
    for (size_t i = 0; i < l->spec->body_count; ++i) {
        const hf_body_place *place = &l->places[i];
        place->ops->start(l->spec->bodies[i].def, q + place->q, v + place->v);
    }
    for (int i = 0; i < l->model->tree_count; ++i) {
        hf_tree_normalize(&l->model->trees[i].tree, q + l->model->trees[i].q);
    }
}

// Forward dynamics of a whole tree are lost with one joint: blames the first that moves nothing at
// all, neither its rotor nor its link nor a link that it carries; or else the first.
static hf_status fail_tree(const layout *l, int tree, hf_error *error)
{
    const hf_spec *spec = l->spec;
    hf_model *model = l->model;
    bool *carries; // by body: its link or one behind it has mass or inertia
    HF_ALLOC(carries, spec->body_count);
    const char *first = NULL, *idle = NULL;
    for (size_t b = spec->body_count; b-- > 0;) { // links come behind their parents
        const hf_body_place *place = &l->places[b];
        const hf_joint_def *joint = hf_spec_joint(&spec->bodies[b]);
        if (joint == NULL || place->index != tree) {
            continue;
        }
        const hf_sym3 *inertia = &joint->inertia;
        carries[b] = carries[b] || joint->mass > 0.0 || inertia->xx + inertia->yy + inertia->zz > 0;
        if (joint->parent.id > 0) {
            carries[joint->parent.id - 1] = carries[joint->parent.id - 1] || carries[b];
        }
        if (place->nv > 0) {
            first = spec->bodies[b].name;
            idle = carries[b] || joint->armature > 0.0 ? idle : first;
        }
    }
    return hf_error_at(error, HF_ERROR_RANGE, hf_at("joint", idle != NULL ? idle : first),
                       "it has nothing to move: give its link, or a link it carries, mass or "
                       "inertia");
}

// Each joint of a tree needs something to move: forward dynamics must be finite at the start.
static hf_status check_trees(const layout *l, hf_error *error)
{
    hf_model *model = l->model;
    double *work, *u, *dv;
    HF_ALLOC(work, model->tree_work);
    HF_ALLOC(u, model->nv);
    HF_ALLOC(dv, model->nv);
    for (int i = 0; i < model->tree_count; ++i) {
        const hf_tree_body *tree = &model->trees[i];
        if (tree->tree.nv == 0) {
            continue;
        }
        hf_tree_forward(&tree->tree, l->initial + tree->q, l->initial + model->nq + tree->v, u,
                        NULL, model->gravity, work, dv);
        for (int k = 0; k < tree->tree.nv; ++k) {
            if (!isfinite(dv[k])) {
                return fail_tree(l, i, error);
            }
        }
    }
    return HF_OK;
}

// How it is shown.
static hf_status keep_figures(hf_model *model, const hf_spec_body *body, hf_body_info *info,
                              hf_error *error)
{
    size_t count = (size_t)body->figure_count;
    info->draw = body->draw;
    hf_draw *figures =
        count == 0 ? NULL
                   : hf_arena_copy(&model->arena, body->figures, count, sizeof *body->figures);
    bool good = hf_draw_keep(&model->arena, &info->draw) && (count == 0 || figures != NULL);
    for (size_t i = 0; i < count && good; ++i) {
        good = hf_draw_keep(&model->arena, &figures[i]);
    }
    info->figures = figures;
    info->figure_count = good ? (int)count : 0;
    return good ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

hf_status hf_compile_bodies(hf_model *model, const hf_spec *spec, hf_error *error)
{
    layout l = {.model = model, .spec = spec};
    const char **names;
    HF_ALLOC(l.places, spec->body_count);
    HF_ALLOC(l.in_space, spec->body_count);
    HF_ALLOC(l.order, spec->body_count);
    HF_ALLOC(l.sets, HF_BODY_TYPE_COUNT);
    HF_ALLOC(names, spec->body_count);
    // Bodies kind by kind, then what goes across kinds
    model->pose_count = 1; // the world
    mark_in_space(&l);
    for (int type = 0; type < HF_BODY_TYPE_COUNT; ++type) {
        const hf_body_ops *ops = hf_body_ops_of((hf_body_type)type);
        HF_TRY(ops->lay == NULL ? lay_trees(&l, error) : lay_kind(&l, ops, error));
    }
    HF_TRY(list_drives(&l, error));
    HF_TRY(number_movers(&l, error));
    // The start
    HF_ALLOC(l.initial, model->nq + model->nv);
    set_initial(&l);
    HF_TRY(check_trees(&l, error));
    // Names, shapes and pictures, for those who look at the model
    for (size_t i = 0; i < spec->body_count; ++i) {
        names[i] = hf_arena_string(&model->arena, spec->bodies[i].name);
        if (names[i] == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        l.places[i].info.name = names[i];
        if (!hf_shape_keep(&model->arena, &l.places[i].info.shape)) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        HF_TRY(keep_figures(model, &spec->bodies[i], &l.places[i].info, error));
    }
    HF_TRY(hf_compile_shapes(model, spec, l.places, error));
    model->bodies = l.places;
    model->body_names = names;
    model->body_count = (int)spec->body_count;
    model->initial = l.initial;
    return HF_OK;
}
