// SPDX-License-Identifier: Apache-2.0
// `shape:` and `shapes:` of a body: what it has besides a plain solid at its origin.
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "models/reader.h"

static const char *const PLAIN[] = {"type",   "radius", "radii", "size",
                                    "length", "file",   "scale", "orientation"};

// Whether a `shape:` is nothing but a solid about its center of mass.
static bool is_plain(const hf_node *node)
{
    const hf_node *type = hf_node_get(node, "type");
    bool drawn = type != NULL && type->kind == HF_NODE_SCALAR &&
                 (strcmp(type->text, "triangles") == 0 || strcmp(type->text, "heights") == 0);
    if (drawn) {
        return false;
    }
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        bool known = false;
        for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN && !known; ++i) {
            known = strcmp(item->key, PLAIN[i]) == 0;
        }
        if (!known) {
            return false;
        }
    }
    return true;
}

// A density is the shape's own, or that of its material.
static void weigh(const hf_reader *reader, hf_body_shapes *shapes, hf_shape_def *def, bool told)
{
    if (!told && def->mass == 0.0 && def->material.id > 0) {
        def->density = hf_spec_material(reader->spec, def->material).density;
    }
    shapes->weighed = shapes->weighed || def->density > 0.0 || def->mass > 0.0;
}

// left: shapes that follow.
static bool read_one(hf_reader *reader, const hf_node *node, bool placed, const char *name,
                     int left, hf_body_shapes *shapes)
{
    const hf_node *parts = hf_node_get(node, "parts");
    bool cut = false;
    // The shape
    hf_shape_def *def = &shapes->added[shapes->count];
    hf_motion_kind motion = reader->motion;
    reader->motion = HF_MOTION_STRAIGHT; // its position is a place, whatever its joint does
    bool good = hf_read_shape_def(reader, node, placed, def);
    reader->motion = motion;
    if (!good) {
        return false;
    }
    if (def->shape.type == HF_SHAPE_POINT) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "a point is no shape to touch with");
    }
    // What it weighs
    def->name = name;
    weigh(reader, shapes, def, hf_node_get(node, "density") != NULL);
    // As convex parts, where that is asked for
    const hf_node *tolerance = hf_node_get(node, "parts_tolerance");
    if ((parts != NULL || tolerance != NULL) && def->shape.type != HF_SHAPE_MESH) {
        return hf_reader_fail_key(reader, parts != NULL ? parts : tolerance, HF_ERROR_INPUT,
                                  "only meshes have parts");
    }
    if (parts != NULL && !hf_read_flag(reader, parts, &cut)) {
        return false;
    }
    if (tolerance != NULL && !cut) {
        return hf_reader_fail_key(reader, tolerance, HF_ERROR_INPUT,
                                  "parts_tolerance goes with parts: true");
    }
    if (cut) {
        hf_shape_def all = *def;
        return hf_read_parts(reader, node, &all, left, shapes);
    }
    ++shapes->count;
    return true;
}

static int by_name(const void *a, const void *b)
{
    const hf_shape_def *x = a, *y = b;
    return strcmp(x->name, y->name);
}

// {name: {...}, ...} or [{...}, ...], whose items may have a `name`. Those of a map are put in the
// order of their names: sums over them do not depend on where they stand.
static bool read_several(hf_reader *reader, const hf_node *section, hf_body_shapes *shapes)
{
    bool list = section->kind == HF_NODE_LIST;
    if (!list &&
        !hf_read_kind(reader, section, HF_NODE_MAP, "a list of shapes, or a map by name")) {
        return false;
    }
    int left = section->count;
    for (const hf_node *node = section->first; node != NULL; node = node->next) {
        --left;
        const hf_node *name_node = hf_node_get(node, "name");
        const char *name = list ? NULL : node->key;
        if (name_node != NULL && !list) {
            return hf_reader_fail_key(reader, name_node, HF_ERROR_INPUT,
                                      "it has a name already: '%.60s'", node->key);
        }
        if ((name_node != NULL && !hf_read_text(reader, name_node, &name)) ||
            !read_one(reader, node, true, name, left, shapes)) {
            return false;
        }
    }
    if (!list && shapes->count > 1) {
        qsort(shapes->added, (size_t)shapes->count, sizeof *shapes->added, by_name);
    }
    return true;
}

bool hf_read_body_shapes(hf_reader *reader, const hf_node *body, hf_body_shapes *shapes)
{
    const hf_node *one = hf_node_get(body, "shape"), *several = hf_node_get(body, "shapes");
    *shapes = (hf_body_shapes){.given = one != NULL || several != NULL};
    if (one != NULL && several != NULL) {
        return hf_reader_fail_key(reader, several, HF_ERROR_INPUT,
                                  "a body has a shape or shapes, not both");
    }
    if (one != NULL && (one->kind != HF_NODE_MAP || is_plain(one))) {
        return hf_read_shape(reader, one, &shapes->shape);
    }
    size_t room = several != NULL ? (size_t)several->count + 1 : 1;
    shapes->added = hf_arena_alloc(&reader->document->arena, room, sizeof *shapes->added);
    if (shapes->added == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    return (one == NULL || read_one(reader, one, false, "shape", 0, shapes)) &&
           (several == NULL || read_several(reader, several, shapes));
}

static bool refuse_weight(hf_reader *reader, const hf_node *shape, const char *reason)
{
    const hf_node *density = hf_node_get(shape, "density"), *mass = hf_node_get(shape, "mass");
    const hf_node *weight = density != NULL ? density : mass;
    return weight == NULL ||
           hf_reader_fail_key(reader, weight, HF_ERROR_INPUT, "%s of a shape has no effect: %s",
                              weight->key, reason);
}

bool hf_refuse_weights(hf_reader *reader, const hf_node *body, const char *reason)
{
    const hf_node *one = hf_node_get(body, "shape"), *several = hf_node_get(body, "shapes");
    bool good = one == NULL || refuse_weight(reader, one, reason);
    for (const hf_node *s = several == NULL ? NULL : several->first; s != NULL && good;
         s = s->next) {
        good = refuse_weight(reader, s, reason);
    }
    return good;
}

bool hf_weigh_shapes(hf_reader *reader, const hf_node *node, const hf_body_shapes *shapes,
                     double mass, hf_mass_properties *m)
{
    for (int i = 0; i < shapes->count && !shapes->weighed; ++i) {
        shapes->added[i].density = 1.0;
    }
    *m = hf_shapes_mass(shapes->added, shapes->count);
    if (mass > 0.0 && m->mass > 0.0) {
        double s = mass / m->mass;
        m->mass = mass;
        m->inertia = (hf_sym3){s * m->inertia.xx, s * m->inertia.yy, s * m->inertia.zz,
                               s * m->inertia.xy, s * m->inertia.xz, s * m->inertia.yz};
    }
    return m->mass > 0.0 ||
           hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                              "its shapes have no volume, as open surfaces have none; give mass "
                              "and inertia");
}

bool hf_add_body_shapes(hf_reader *reader, const hf_node *body, const hf_body_shapes *shapes,
                        hf_vec3 center, hf_body_note *note)
{
    const hf_node *section = hf_node_get(body, shapes->count == 0            ? "type"
                                               : hf_node_get(body, "shapes") ? "shapes"
                                                                             : "shape");
    hf_shape_def *parts =
        hf_arena_alloc(&reader->document->arena, (size_t)shapes->count + 1, sizeof *parts);
    if (parts == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    for (int i = 0; i < shapes->count; ++i) {
        hf_shape_def def = shapes->added[i];
        const hf_node *own = def.name == NULL ? NULL : hf_node_get(section, def.name);
        def.center = hf_v3_sub(def.center, center);
        parts[i] = def;
        if (hf_spec_add_shape(reader->spec, note->id, &def, reader->error) < 0) {
            return hf_reader_pass(reader, own == NULL ? section : own, true);
        }
    }
    note->added = shapes->count;
    note->parts = parts;
    if (shapes->count == 1) {
        note->shape = shapes->added[0].shape;
        note->shape_center = hf_v3_sub(shapes->added[0].center, center);
    }
    return true;
}
