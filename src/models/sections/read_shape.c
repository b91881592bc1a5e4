// SPDX-License-Identifier: Apache-2.0
// `shape:`: what a body looks like to contacts.
#include <stdlib.h>
#include <string.h>

#include "models/mesh_file.h"
#include "models/reader.h"

static bool read_positive(hf_reader *reader, const hf_node *node, const char *key, double *number)
{
    const hf_node *item = hf_read_need(reader, node, key);
    return item != NULL && hf_read_number(reader, item, HF_RANGE_POSITIVE, number);
}

static bool read_box(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    const hf_node *size = hf_read_need(reader, node, "size");
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
static const hf_mesh *find_mesh(const hf_reader *reader, const char *file, double scale)
{
    for (size_t i = 0; i < reader->mesh_count; ++i) {
        if (reader->meshes[i].scale == scale && strcmp(reader->meshes[i].file, file) == 0) {
            return reader->meshes[i].mesh;
        }
    }
    return NULL;
}

static bool keep_mesh(hf_reader *reader, hf_mesh_note note)
{
    if (reader->mesh_count == reader->mesh_capacity) {
        size_t capacity = 2 * reader->mesh_capacity + 8;
        hf_mesh_note *meshes = realloc(reader->meshes, capacity * sizeof *meshes);
        if (meshes == NULL) {
            hf_mesh_destroy(note.mesh);
            return hf_reader_out_of_memory(reader);
        }
        reader->meshes = meshes;
        reader->mesh_capacity = capacity;
    }
    reader->meshes[reader->mesh_count++] = note;
    return true;
}

static bool read_mesh(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    hf_mesh_note note = {.scale = 1.0};
    const hf_node *file = hf_read_need(reader, node, "file");
    if (file == NULL || !hf_read_text(reader, file, &note.file) ||
        !hf_read_number_item(reader, node, "scale", HF_RANGE_POSITIVE, &note.scale)) {
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
    note.mesh = hf_mesh_read(path, note.file, note.scale, reader->error);
    free(path);
    shape->mesh = note.mesh;
    return note.mesh == NULL ? hf_reader_pass(reader, file, false) : keep_mesh(reader, note);
}

static bool read_sizes(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    switch (shape->type) {
    case HF_SHAPE_SPHERE:
        return read_positive(reader, node, "radius", &shape->size.x);
    case HF_SHAPE_BOX:
        return read_box(reader, node, shape);
    case HF_SHAPE_CAPSULE:
    case HF_SHAPE_CYLINDER:
        return read_positive(reader, node, "radius", &shape->size.x) &&
               read_positive(reader, node, "length", &shape->size.z);
    case HF_SHAPE_MESH:
        return read_mesh(reader, node, shape);
    case HF_SHAPE_POINT:
    case HF_SHAPE_PLANE:
    case HF_SHAPE_TYPE_COUNT:
        break;
    }
    return true;
}

bool hf_read_shape(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    static const char *const keys[HF_SHAPE_TYPE_COUNT][4] = {
        [HF_SHAPE_POINT] = {"type"},
        [HF_SHAPE_SPHERE] = {"type", "radius"},
        [HF_SHAPE_BOX] = {"type", "size", "orientation"},
        [HF_SHAPE_CAPSULE] = {"type", "radius", "length", "orientation"},
        [HF_SHAPE_CYLINDER] = {"type", "radius", "length", "orientation"},
        [HF_SHAPE_PLANE] = {"type", "orientation"},
        [HF_SHAPE_MESH] = {"type", "file", "scale", "orientation"}};
    static const char *const any[] = {"type", "radius", "size",       "length",
                                      "file", "scale",  "orientation"};
    const char *types[HF_SHAPE_TYPE_COUNT];
    for (int i = 0; i < HF_SHAPE_TYPE_COUNT; ++i) {
        types[i] = hf_shape_name((hf_shape_type)i);
    }
    const hf_node *type_node;
    int type = 0, count = 0;
    if (!hf_read_map(reader, node, any, 7) ||
        (type_node = hf_read_need(reader, node, "type")) == NULL ||
        !hf_read_choice(reader, type_node, types, HF_SHAPE_TYPE_COUNT, &type)) {
        return false;
    }
    while (count < 4 && keys[type][count] != NULL) {
        ++count;
    }
    const hf_node *orientation = hf_node_get(node, "orientation");
    *shape = (hf_shape){.type = (hf_shape_type)type};
    return hf_read_map(reader, node, keys[type], count) && read_sizes(reader, node, shape) &&
           (orientation == NULL || hf_read_orientation(reader, orientation, &shape->turn));
}
