// SPDX-License-Identifier: Apache-2.0
// `{type: tree, joints: ...}`. Joints may stand in any order; parents are added first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/turn.h"
#include "models/reader.h"

static const char *const TYPES[HF_JOINT_TYPE_COUNT] = {
    [HF_JOINT_FIXED] = "fixed",         [HF_JOINT_REVOLUTE] = "revolute",
    [HF_JOINT_PRISMATIC] = "prismatic", [HF_JOINT_SPHERICAL] = "spherical",
    [HF_JOINT_PLANAR] = "planar",       [HF_JOINT_FREE] = "free",
};

typedef enum visit { NOT_VISITED, OPEN, ADDED } visit;

typedef struct joint_item {
    const hf_node *node;
    int parent; // index, or -1: the world
    visit state;
    hf_body link;
} joint_item;

typedef struct tree_reader {
    hf_reader *reader;
    const char *name;
    hf_tree tree;
    joint_item *items;
    int count;
    int *chain; // [count]
} tree_reader;

// ------------------------------------------------------------------------------------------------
// One joint

static bool read_quaternion(hf_reader *reader, const hf_node *node, double *position)
{
    hf_quat found;
    if (!hf_read_orientation(reader, node, &found)) {
        return false;
    }
    position[0] = found.w;
    position[1] = found.x;
    position[2] = found.y;
    position[3] = found.z;
    return true;
}

static bool read_position(hf_reader *reader, const hf_node *node, hf_joint_def *def)
{
    if (def->type == HF_JOINT_SPHERICAL) {
        return read_quaternion(reader, node, def->position);
    }
    if (def->type != HF_JOINT_FREE) {
        return hf_read_numbers(reader, node, hf_joint_coordinates(def->type), def->position);
    }
    if (node->kind == HF_NODE_LIST && node->count == 3) {
        return hf_read_numbers(reader, node, 3, def->position);
    }
    if (!hf_read_numbers(reader, node, 7, def->position)) {
        return false;
    }
    double *q = def->position + 3;
    hf_quat found = {q[0], q[1], q[2], q[3]};
    if (!(hf_quat_norm(found) > HF_QUAT_LEAST)) {
        return hf_reader_fail(reader, node, HF_ERROR_RANGE,
                              "position must end with a quaternion w, x, y, z that is not zero");
    }
    found = hf_quat_normalized(found);
    q[0] = found.w, q[1] = found.x, q[2] = found.y, q[3] = found.z;
    return true;
}

static bool check_keys(hf_reader *reader, const hf_node *node, hf_joint_type type)
{
    // The last five are not of every joint; forces of its own were taken out before, and are among
    // what may have been meant
    enum { PLAIN = 17 };
    static const char *const keys[] = {
        "type",     "parent", "offset",       "orientation", "mass",       "center",
        "inertia",  "shape",  "shape_center", "draw",        "shapes",     "keep_inertia",
        "position", "guess",  "velocity",     "armature",    "axis",       "friction",
        "damping",  "spring", "limits",       "bearing",     "efficiency", "servo"};
    bool scalar = type == HF_JOINT_REVOLUTE || type == HF_JOINT_PRISMATIC;
    int count = scalar ? HF_COUNT(keys) : type == HF_JOINT_FIXED ? PLAIN - 5 : PLAIN - 1;
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        for (int i = count; i < PLAIN; ++i) {
            if (strcmp(item->key, keys[i]) == 0) {
                return hf_reader_fail_key(reader, item, HF_ERROR_INPUT, "a %s joint has no %s",
                                          TYPES[type], keys[i]);
            }
        }
    }
    return hf_read_map(reader, node, keys, count);
}

// Mass, center and inertia of a link from its shapes, where they are not given.
static bool weigh_link(hf_reader *reader, const hf_node *node, const hf_body_shapes *shapes,
                       hf_joint_def *def)
{
    const hf_node *mass = hf_node_get(node, "mass"), *inertia = hf_node_get(node, "inertia"),
                  *center = hf_node_get(node, "center");
    bool weighs = mass == NULL ? shapes->weighed : def->mass > 0.0 && shapes->count > 0;
    if (inertia == NULL && mass != NULL && hf_node_get(node, "shape") != NULL && weighs) {
        def->inertia = hf_shape_inertia(shapes->added[0].shape, def->mass);
        return true;
    }
    if (inertia != NULL || !weighs) {
        return mass != NULL || inertia == NULL || !shapes->weighed ||
               hf_reader_fail_key(reader, inertia, HF_ERROR_INPUT,
                                  "inertia follows from the densities of the shapes; give mass "
                                  "too, or leave this out");
    }
    if (center != NULL) {
        return hf_reader_fail_key(reader, center, HF_ERROR_INPUT,
                                  "center goes with inertia; without it both follow from the "
                                  "shapes");
    }
    hf_mass_properties m;
    if (!hf_weigh_shapes(reader, node, shapes, def->mass, &m)) {
        return false;
    }
    def->mass = m.mass;
    def->center = m.center;
    def->inertia = m.inertia;
    return true;
}

static bool read_link(hf_reader *reader, const hf_node *node, hf_body_shapes *shapes,
                      hf_joint_def *def)
{
    const hf_node *inertia = hf_node_get(node, "inertia");
    const hf_node *shape_center = hf_node_get(node, "shape_center");
    if (!hf_read_number_item(reader, node, "mass", HF_RANGE_NOT_NEGATIVE, &def->mass) ||
        !hf_read_vec3_item(reader, node, "center", &def->center) ||
        !hf_read_body_shapes(reader, node, shapes) ||
        (inertia != NULL && !hf_read_inertia(reader, inertia, &def->inertia))) {
        return false;
    }
    def->shape = shapes->shape;
    if (shape_center != NULL && hf_node_get(node, "shape") == NULL) {
        return hf_reader_fail_key(reader, shape_center, HF_ERROR_INPUT,
                                  "shape_center needs a shape");
    }
    if (inertia == NULL && shapes->count == 0) {
        def->inertia = hf_shape_inertia(def->shape, def->mass);
    }
    def->shape_center = def->center;
    if (!hf_read_vec3_item(reader, node, "shape_center", &def->shape_center)) {
        return false;
    }
    // A single one lies where it always did: at the center of mass, or at shape_center
    for (int i = 0; hf_node_get(node, "shape") != NULL && i < shapes->count; ++i) {
        shapes->added[i].center = def->shape_center;
    }
    return weigh_link(reader, node, shapes, def);
}

static bool read_joint(hf_reader *reader, const hf_node *node, hf_body_shapes *shapes,
                       hf_joint_def *def)
{
    // Its type, and the keys of that
    const hf_node *type_node = hf_read_need(reader, node, "type");
    int type = 0;
    if (type_node == NULL ||
        !hf_read_choice(reader, type_node, TYPES, HF_JOINT_TYPE_COUNT, &type) ||
        !check_keys(reader, node, (hf_joint_type)type)) {
        return false;
    }
    *def = hf_joint_def_default((hf_joint_type)type);
    const hf_node *orientation = hf_node_get(node, "orientation"),
                  *axis = hf_node_get(node, "axis");
    const hf_node *keep = hf_node_get(node, "keep_inertia");
    // Positions that are given, or guessed for loops to find
    const hf_node *position = hf_node_get(node, "position"), *guess = hf_node_get(node, "guess"),
                  *velocity = hf_node_get(node, "velocity");
    if (position != NULL && guess != NULL) {
        return hf_reader_fail_key(reader, guess, HF_ERROR_INPUT,
                                  "give a position, or a guess that loops may change, not both");
    }
    def->keep_position = position != NULL;
    def->keep_velocity = velocity != NULL;
    position = position == NULL ? guess : position;
    // Its own frame, its link, and its start
    reader->motion = type == HF_JOINT_REVOLUTE    ? HF_MOTION_TURNS
                     : type == HF_JOINT_PRISMATIC ? HF_MOTION_STRAIGHT
                                                  : HF_MOTION_MIXED;
    bool read =
        hf_read_vec3_item(reader, node, "offset", &def->offset) &&
        (orientation == NULL || hf_read_orientation(reader, orientation, &def->tilt)) &&
        (axis == NULL || hf_read_direction(reader, axis, &def->axis)) &&
        read_link(reader, node, shapes, def) &&
        (keep == NULL || hf_read_flag(reader, keep, &def->keep_inertia)) &&
        hf_read_number_item(reader, node, "armature", HF_RANGE_NOT_NEGATIVE, &def->armature) &&
        (position == NULL || read_position(reader, position, def)) &&
        (velocity == NULL ||
         hf_read_numbers(reader, velocity, hf_joint_velocities(def->type), def->velocity));
    reader->motion = HF_MOTION_STRAIGHT;
    return read;
}

static bool add_joint(tree_reader *t, joint_item *item)
{
    hf_reader *reader = t->reader;
    const hf_node *node = item->node;
    hf_reader_enter(reader, "joint", node->key);
    hf_body_shapes shapes;
    hf_joint_def def;
    if (!read_joint(reader, node, &shapes, &def)) {
        return false;
    }
    def.name = node->key;
    def.parent = item->parent < 0 ? (hf_body){0} : t->items[item->parent].link;
    item->link = hf_spec_add_joint(reader->spec, t->tree, &def, reader->error);
    if (item->link.id == 0) {
        return hf_reader_pass_member(reader, node);
    }
    char *full = hf_reader_join(reader, t->name, ".");
    full = full == NULL ? NULL : hf_reader_join(reader, full, node->key);
    hf_body_note note = {.name = full,
                         .id = item->link,
                         .type = HF_BODY_LINK,
                         .dim = hf_joint_velocities(def.type),
                         .joint = def.type,
                         .shape = def.shape,
                         .shape_center = def.shape_center,
                         .orientation = {.w = 1}};
    hf_vec3 none = {0};
    return full != NULL && hf_reader_add_item(reader, full, node, true) &&
           hf_add_body_shapes(reader, node, &shapes, none, &note) &&
           hf_reader_add_body(reader, &note) && hf_read_draw(reader, node, note.id, none);
}

// ------------------------------------------------------------------------------------------------
// The order

static bool fail_cycle(tree_reader *t, int first, int length)
{
    char path[200] = "";
    size_t used = 0;
    for (int i = first; i <= length && used < sizeof path - 70; ++i) {
        const char *name = t->items[t->chain[i < length ? i : first]].node->key;
        used += (size_t)snprintf(path + used, sizeof path - used, "%s%.50s",
                                 i > first ? " -> " : "", name);
    }
    const hf_node *node = t->items[t->chain[first]].node;
    hf_reader_enter(t->reader, "tree", t->name);
    return hf_reader_fail(t->reader, hf_node_get(node, "parent"), HF_ERROR_INPUT,
                          "the parents of the joints form a cycle: %s", path);
}

// Adds the parents of a joint that are not there yet, then the joint.
static bool add_with_parents(tree_reader *t, int index)
{
    int length = 0;
    while (index >= 0 && t->items[index].state == NOT_VISITED) {
        t->items[index].state = OPEN;
        t->chain[length++] = index;
        index = t->items[index].parent;
    }
    if (index >= 0 && t->items[index].state == OPEN) {
        int first = 0;
        while (t->chain[first] != index) {
            ++first;
        }
        return fail_cycle(t, first, length);
    }
    while (length > 0) {
        joint_item *item = &t->items[t->chain[--length]];
        if (!add_joint(t, item)) {
            return false;
        }
        item->state = ADDED;
    }
    return true;
}

static bool find_parent(tree_reader *t, const hf_names *names, joint_item *item)
{
    hf_reader *reader = t->reader;
    const hf_node *parent = hf_node_get(item->node, "parent");
    const char *name = NULL;
    hf_reader_enter(reader, "joint", item->node->key);
    item->parent = -1;
    if (!hf_read_kind(reader, item->node, HF_NODE_MAP, "a map") ||
        !hf_read_name(reader, item->node, item->node->key, true)) {
        return false;
    }
    // The world, or a joint of the tree
    if (parent == NULL) {
        return true;
    }
    if (!hf_read_text(reader, parent, &name)) {
        return false;
    }
    if (strcmp(name, "world") == 0) {
        return true;
    }
    item->parent = hf_names_find(names, name, strlen(name));
    if (item->parent >= 0) {
        return true;
    }
    // Neither: which was meant
    const char **known = malloc((size_t)t->count * sizeof *known);
    for (int i = 0; i < t->count && known != NULL; ++i) {
        known[i] = t->items[i].node->key;
    }
    char hint[HF_HINT_SIZE] = "";
    if (known != NULL) {
        (void)hf_hint(name, known, t->count, hint);
    }
    free(known);
    return hf_reader_fail(reader, parent, HF_ERROR_NAME,
                          "parent must be world or a joint of '%.60s', got '%.60s'%s", t->name,
                          name, hint);
}

static bool read_joints(tree_reader *t, const hf_node *joints, hf_names *names)
{
    int i = 0;
    for (const hf_node *node = joints->first; node != NULL; node = node->next, ++i) {
        t->items[i].node = node;
        if (!hf_names_add(names, node->key, i)) {
            return hf_reader_out_of_memory(t->reader);
        }
    }
    for (i = 0; i < t->count; ++i) {
        if (!find_parent(t, names, &t->items[i])) {
            return false;
        }
    }
    for (i = 0; i < t->count; ++i) {
        if (!add_with_parents(t, i)) {
            return false;
        }
    }
    return true;
}

bool hf_read_tree(hf_reader *reader, const hf_node *node)
{
    static const char *const keys[] = {"type", "joints"};
    const hf_node *joints;
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        (joints = hf_read_need(reader, node, "joints")) == NULL ||
        !hf_read_kind(reader, joints, HF_NODE_MAP, "a map of joints by name")) {
        return false;
    }
    if (joints->count == 0) {
        return hf_reader_fail(reader, joints, HF_ERROR_INPUT, "a tree needs at least one joint");
    }
    tree_reader t = {.reader = reader, .name = node->key, .count = joints->count};
    t.tree = hf_spec_add_tree(reader->spec, node->key, reader->error);
    if (t.tree.id == 0) {
        return hf_reader_pass(reader, node, true);
    }
    t.items = hf_arena_alloc(&reader->document->arena, (size_t)t.count, sizeof *t.items);
    t.chain = hf_arena_alloc(&reader->document->arena, (size_t)t.count, sizeof *t.chain);
    if (t.items == NULL || t.chain == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    hf_names names = {0};
    bool read = read_joints(&t, joints, &names);
    hf_names_free(&names);
    return read;
}
