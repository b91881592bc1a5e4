// SPDX-License-Identifier: Apache-2.0
// `shape:`: what a body looks like to contacts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/reader.h"
#include "robots/dae.h"
#include "shapes/mesh.h"

static bool read_positive(hf_reader *reader, const hf_node *node, const char *key, double *number)
{
    const hf_node *item = hf_read_need(reader, node, key);
    return item != NULL && hf_read_number(reader, item, HF_RANGE_POSITIVE, number);
}

// Three lengths.
static bool read_three(hf_reader *reader, const hf_node *node, const char *key, hf_shape *shape)
{
    const hf_node *size = hf_read_need(reader, node, key);
    if (size == NULL || !hf_read_vec3(reader, size, &shape->size)) {
        return false;
    }
    for (const hf_node *item = size->first; item != NULL; item = item->next) {
        double edge = 0;
        if (!hf_read_number(reader, item, HF_RANGE_POSITIVE, &edge)) {
            return false;
        }
    }
    return true;
}

// Bodies that name the same file share its mesh.
static const hf_mesh *find_mesh(const hf_reader *reader, const char *file, hf_vec3 scale)
{
    for (size_t i = 0; i < reader->mesh_count; ++i) {
        hf_vec3 own = reader->meshes[i].scale;
        if (reader->meshes[i].mesh != NULL && own.x == scale.x && own.y == scale.y &&
            own.z == scale.z && strcmp(reader->meshes[i].file, file) == 0) {
            return reader->meshes[i].mesh;
        }
    }
    return NULL;
}

bool hf_reader_keep_mesh(hf_reader *reader, hf_mesh_note note)
{
    if (reader->mesh_count == reader->mesh_capacity) {
        size_t capacity = 2 * reader->mesh_capacity + 8;
        hf_mesh_note *meshes = realloc(reader->meshes, capacity * sizeof *meshes);
        if (meshes == NULL) {
            hf_mesh_destroy(note.mesh);
            hf_triangles_destroy(note.triangles);
            return hf_reader_out_of_memory(reader);
        }
        reader->meshes = meshes;
        reader->mesh_capacity = capacity;
    }
    reader->meshes[reader->mesh_count++] = note;
    return true;
}

// A number above zero, or three that are not zero: negative ones mirror.
bool hf_read_scale(hf_reader *reader, const hf_node *node, hf_vec3 *scale)
{
    if (node == NULL) {
        return true;
    }
    if (node->kind != HF_NODE_LIST) {
        double all = 1.0;
        bool read = hf_read_number(reader, node, HF_RANGE_POSITIVE, &all);
        *scale = (hf_vec3){all, all, all};
        return read;
    }
    return hf_read_vec3(reader, node, scale) &&
           (scale->x * scale->y * scale->z != 0.0 ||
            hf_reader_fail(reader, node, HF_ERROR_RANGE, "scale must not be zero along any axis"));
}

static bool read_mesh(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    hf_mesh_note note = {.scale = {1, 1, 1}};
    const hf_node *file = hf_read_need(reader, node, "file");
    if (file == NULL || !hf_read_text(reader, file, &note.file) ||
        !hf_read_scale(reader, hf_node_get(node, "scale"), &note.scale)) {
        return false;
    }
    shape->mesh = find_mesh(reader, note.file, note.scale);
    if (shape->mesh != NULL) {
        return true;
    }
    char *path = hf_reader_resolve(reader, file);
    if (path == NULL) {
        return false;
    }
    note.mesh = hf_any_mesh_read(path, note.file, note.scale, reader->error);
    if (note.mesh != NULL &&
        !hf_drawn_volume(path, note.file, note.scale, &note.mesh->drawn_volume, reader->error)) {
        hf_mesh_destroy(note.mesh);
        note.mesh = NULL;
    }
    free(path);
    shape->mesh = note.mesh;
    return note.mesh == NULL ? hf_reader_pass(reader, file, false)
                             : hf_reader_keep_mesh(reader, note);
}

// A word of files alone: heights are triangles.
#define HEIGHTS HF_SHAPE_TYPE_COUNT

static bool read_sizes(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    switch (shape->type) {
    case HF_SHAPE_SPHERE:
        return read_positive(reader, node, "radius", &shape->size.x);
    case HF_SHAPE_BOX:
        return read_three(reader, node, "size", shape);
    case HF_SHAPE_ELLIPSOID:
        return read_three(reader, node, "radii", shape);
    case HF_SHAPE_CAPSULE:
    case HF_SHAPE_CYLINDER:
    case HF_SHAPE_CONE:
        return read_positive(reader, node, "radius", &shape->size.x) &&
               read_positive(reader, node, "length", &shape->size.z);
    case HF_SHAPE_MESH:
        return read_mesh(reader, node, shape);
    case HF_SHAPE_TRIANGLES:
        return hf_read_triangles(reader, node, shape);
    case HF_SHAPE_POINT:
    case HF_SHAPE_PLANE:
        break;
    case HEIGHTS:
        return hf_read_heights(reader, node, shape);
    }
    return true;
}

// Keys of each solid, and those of a shape on a body besides.
typedef struct shape_keys {
    const char *keys[48];
    int count;
} shape_keys;

static void add_keys(shape_keys *list, const char *const *keys, int count)
{
    for (int i = 0; i < count && keys[i] != NULL; ++i) {
        list->keys[list->count++] = keys[i];
    }
}

static bool read_solid(hf_reader *reader, const hf_node *node, const shape_keys *more,
                       hf_shape *shape)
{
    static const char *const keys[HF_SHAPE_TYPE_COUNT + 1][4] = {
        [HF_SHAPE_POINT] = {"type"},
        [HF_SHAPE_SPHERE] = {"type", "radius"},
        [HF_SHAPE_BOX] = {"type", "size", "orientation"},
        [HF_SHAPE_CAPSULE] = {"type", "radius", "length", "orientation"},
        [HF_SHAPE_CYLINDER] = {"type", "radius", "length", "orientation"},
        [HF_SHAPE_PLANE] = {"type", "orientation"},
        [HF_SHAPE_ELLIPSOID] = {"type", "radii", "orientation"},
        [HF_SHAPE_CONE] = {"type", "radius", "length", "orientation"},
        [HF_SHAPE_TRIANGLES] = {"type", "file", "scale", "orientation"},
        [HEIGHTS] = {"type", "size", "heights", "orientation"},
        [HF_SHAPE_MESH] = {"type", "file", "scale", "orientation"}};
    static const char *const any[] = {"type", "radius", "radii",       "size",   "length",
                                      "file", "scale",  "orientation", "heights"};
    const char *types[HF_SHAPE_TYPE_COUNT + 1] = {[HEIGHTS] = "heights"};
    for (int i = 0; i < HF_SHAPE_TYPE_COUNT; ++i) {
        types[i] = hf_shape_name((hf_shape_type)i);
    }
    shape_keys all = *more, own = *more;
    const hf_node *type_node;
    int type = 0;
    add_keys(&all, any, 9);
    if (!hf_read_map(reader, node, all.keys, all.count) ||
        (type_node = hf_read_need(reader, node, "type")) == NULL ||
        !hf_read_choice(reader, type_node, types, HF_SHAPE_TYPE_COUNT + 1, &type)) {
        return false;
    }
    add_keys(&own, keys[type], 4);
    const hf_node *orientation = hf_node_get(node, "orientation");
    *shape = (hf_shape){.type = (hf_shape_type)type};
    return hf_read_map(reader, node, own.keys, own.count) && read_sizes(reader, node, shape) &&
           (orientation == NULL || hf_read_orientation(reader, orientation, &shape->turn));
}

bool hf_read_shape(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    return read_solid(reader, node, &(shape_keys){0}, shape);
}

// `slip:`, a number or [along, across].
static bool read_slip(hf_reader *reader, const hf_node *slip, hf_shape_def *def)
{
    if (slip != NULL && slip->kind != HF_NODE_LIST) {
        bool read = hf_read_number(reader, slip, HF_RANGE_NOT_NEGATIVE, &def->slip[0]);
        def->slip[1] = def->slip[0];
        return read;
    }
    if (slip != NULL && !hf_read_numbers(reader, slip, 2, def->slip)) {
        return false;
    }
    return (def->slip[0] >= 0.0 && def->slip[1] >= 0.0) ||
           hf_reader_fail(reader, slip, HF_ERROR_RANGE, "slip must not be negative");
}

// `friction_across:`, `slip:` and `friction_direction:`.
static bool read_grain(hf_reader *reader, const hf_node *node, hf_shape_def *def)
{
    const hf_node *direction = hf_node_get(node, "friction_direction");
    const hf_node *across = hf_node_get(node, "friction_across"), *slip = hf_node_get(node, "slip");
    if (!read_slip(reader, slip, def)) {
        return false;
    }
    if (direction != NULL && across == NULL && def->slip[0] == def->slip[1]) {
        return hf_reader_fail_key(reader, direction, HF_ERROR_INPUT,
                                  "friction_direction goes with friction_across, the coefficient "
                                  "across it, or with a slip of two numbers");
    }
    if (!hf_read_number_item(reader, node, "friction_across", HF_RANGE_NOT_NEGATIVE,
                             &def->friction_across)) {
        return false;
    }
    def->friction_by_world = direction != NULL && direction->kind == HF_NODE_SCALAR &&
                             strcmp(direction->text, "world") == 0;
    return direction == NULL || def->friction_by_world ||
           hf_read_direction(reader, direction, &def->friction_direction);
}

// `surface_speed`, a value. Signals that are made of expressions have a name that no other has.
static bool read_belt_speed(hf_reader *reader, const hf_node *node, hf_shape_def *def)
{
    const hf_node *speed = hf_node_get(node, "surface_speed");
    if (speed == NULL) {
        return true;
    }
    char count[40];
    (void)snprintf(count, sizeof count, ".%d", ++reader->surface_speeds);
    char *hidden = hf_reader_join(reader, "surface_speed", count);
    def->has_belt_speed = true;
    return hidden != NULL && hf_reader_add_item(reader, hidden, speed, true) &&
           hf_read_value(reader, speed, hidden, &def->belt_speed);
}

bool hf_read_shape_def(hf_reader *reader, const hf_node *node, bool placed, hf_shape_def *def)
{
    static const char *const keys[] = {
        "material",     "group",         "touches",         "density",
        "frame",        "parts",         "parts_tolerance", "surface_velocity",
        "surface_spin", "surface_speed", "friction_across", "friction_direction",
        "slip",         "mass",          "position",        "name"};
    static const char *const frames[] = {"center", "file"};
    shape_keys more = {0};
    int frame = 0;
    // Keys of solids, of surfaces, and of shapes that are placed
    add_keys(&more, hf_surface_keys, HF_SURFACE_KEYS);
    int all = (int)(sizeof keys / sizeof *keys), only_placed = 3; // the last ones
    add_keys(&more, keys, placed ? all : all - only_placed);
    *def = hf_shape_def_default(HF_SHAPE_POINT);
    if (!read_solid(reader, node, &more, &def->shape) ||
        !hf_read_surface(reader, node, &def->surface) ||
        !hf_read_surface_links(reader, node, def) ||
        !hf_read_number_item(reader, node, "density", HF_RANGE_NOT_NEGATIVE, &def->density) ||
        (placed && !hf_read_number_item(reader, node, "mass", HF_RANGE_NOT_NEGATIVE, &def->mass)) ||
        !hf_read_vec3_item(reader, node, "surface_velocity", &def->belt) ||
        !hf_read_vec3_item(reader, node, "surface_spin", &def->belt_spin) ||
        !read_belt_speed(reader, node, def) ||
        !hf_read_vec3_item(reader, node, "position", &def->center) ||
        !read_grain(reader, node, def)) {
        return false;
    }
    // Which frame a mesh is in
    const hf_node *frame_node = hf_node_get(node, "frame");
    if (frame_node != NULL && def->shape.type != HF_SHAPE_MESH) {
        return hf_reader_fail_key(reader, frame_node, HF_ERROR_INPUT, "only meshes have a frame");
    }
    if (frame_node != NULL && !hf_read_choice(reader, frame_node, frames, 2, &frame)) {
        return false;
    }
    def->drawn = frame == 1;
    return true;
}
