// SPDX-License-Identifier: Apache-2.0
// `loops:`: a map by name, or a list of items with names.
#include "math/turn.h"
#include "models/forces.h"

static bool has_axis(hf_loop_type type)
{
    return type == HF_LOOP_REVOLUTE || type == HF_LOOP_PRISMATIC;
}

static bool has_axes(hf_loop_type type)
{
    return type == HF_LOOP_FIXED || type == HF_LOOP_PRISMATIC;
}

// Keys that a type does not have are named as such.
static bool check_keys(hf_reader *reader, const hf_node *node, hf_loop_type type)
{
    static const char *const keys[] = {"name", "type", "on", "to", "point", "to_point"};
    static const char *const more[] = {"axis", "to_axis", "orientation", "to_orientation",
                                       "length"};
    static const char *const sums[] = {"name", "type", "ratio", "value"};
    const char *known[HF_COUNT(keys) + HF_COUNT(more)];
    int count = 0;
    if (type == HF_LOOP_RATIO) {
        return hf_read_map(reader, node, sums, HF_COUNT(sums));
    }
    for (int i = 0; i < HF_COUNT(keys); ++i) {
        known[count++] = keys[i];
    }
    for (int i = 0; i < HF_COUNT(more); ++i) {
        bool fits = i < 2 ? has_axis(type) : i < 4 ? has_axes(type) : type == HF_LOOP_DISTANCE;
        const hf_node *item = hf_node_get(node, more[i]);
        if (item != NULL && !fits) {
            return hf_reader_fail_key(reader, item, HF_ERROR_INPUT, "a %s loop has no %s",
                                      hf_loop_type_name(type), more[i]);
        }
        if (fits) {
            known[count++] = more[i];
        }
    }
    return hf_read_map(reader, node, known, count);
}

// One end: `on`, `point`, `axis`, `orientation`, or the same with to_.
static bool read_end(hf_reader *reader, const hf_node *node, bool to, hf_loop_def *def)
{
    // A place on a body
    hf_frame *frame = to ? &def->to_frame : &def->on_frame;
    const hf_node *body_node = hf_node_get(node, to ? "to" : "on");
    const hf_node *axis_node = hf_node_get(node, to ? "to_axis" : "axis");
    const hf_node *other_axis = hf_node_get(node, to ? "axis" : "to_axis");
    const hf_node *turn_node = hf_node_get(node, to ? "to_orientation" : "orientation");
    const hf_body_note *body = NULL;
    hf_vec3 axis = hf_v3(0, 0, 1);
    if ((!to && hf_read_need(reader, node, "on") == NULL) ||
        !hf_read_body(reader, body_node, &body) ||
        !hf_read_vec3_item(reader, node, to ? "to_point" : "point", &frame->point)) {
        return false;
    }
    frame->body = body == NULL ? (hf_body){0} : body->id;
    // How its frame is turned there
    if (axis_node == NULL && other_axis != NULL) {
        return hf_reader_fail_key(reader, other_axis, HF_ERROR_INPUT,
                                  "axis and to_axis go together: each in the frame of its body");
    }
    if (axis_node != NULL && turn_node != NULL) {
        return hf_reader_fail_key(reader, turn_node, HF_ERROR_INPUT,
                                  "give an axis or an orientation, not both");
    }
    if (axis_node != NULL) {
        if (!hf_read_direction(reader, axis_node, &axis)) {
            return false;
        }
        frame->turn = hf_quat_from_z(axis);
    }
    return turn_node == NULL || hf_read_orientation(reader, turn_node, &frame->turn);
}

static bool read_loop(hf_reader *reader, const hf_node *node, const char *name)
{
    const char *names[HF_LOOP_TYPE_COUNT];
    const hf_node *type_node, *length;
    hf_loop_def def = hf_loop_def_default();
    int type = 0;
    // Its type, and the keys of that
    for (int i = 0; i < HF_LOOP_TYPE_COUNT; ++i) {
        names[i] = hf_loop_type_name((hf_loop_type)i);
    }
    if ((type_node = hf_read_need(reader, node, "type")) == NULL ||
        !hf_read_choice(reader, type_node, names, HF_LOOP_TYPE_COUNT, &type) ||
        !check_keys(reader, node, (hf_loop_type)type)) {
        return false;
    }
    def.name = name;
    def.type = (hf_loop_type)type;
    // By type: a ratio of coordinates, or two ends
    if (def.type == HF_LOOP_RATIO) {
        return hf_read_loop_ratio(reader, node, &def) &&
               (hf_spec_add_loop(reader->spec, &def, reader->error).id != 0 ||
                hf_reader_pass_member(reader, node));
    }
    if (def.type == HF_LOOP_DISTANCE &&
        ((length = hf_read_need(reader, node, "length")) == NULL ||
         !hf_read_number(reader, length, HF_RANGE_POSITIVE, &def.length))) {
        return false;
    }
    return read_end(reader, node, false, &def) && read_end(reader, node, true, &def) &&
           (hf_spec_add_loop(reader->spec, &def, reader->error).id != 0 ||
            hf_reader_pass_member(reader, node));
}

bool hf_read_loops(hf_reader *reader, const hf_node *section)
{
    bool list = section->kind == HF_NODE_LIST;
    if (!list && !hf_read_kind(reader, section, HF_NODE_MAP, "a map of loops by name")) {
        return false;
    }
    // Its name: the key of a map, or a key of its own in a list
    for (const hf_node *node = section->first; node != NULL; node = node->next) {
        const hf_node *name_node = NULL;
        const char *name = list ? NULL : node->key;
        hf_reader_leave(reader);
        if (!hf_read_kind(reader, node, HF_NODE_MAP, "a map") ||
            (list && ((name_node = hf_read_need(reader, node, "name")) == NULL ||
                      !hf_read_text(reader, name_node, &name)))) {
            return false;
        }
        if (!list && hf_node_get(node, "name") != NULL) {
            return hf_reader_fail_key(reader, hf_node_get(node, "name"), HF_ERROR_INPUT,
                                      "in a map of loops the key is the name");
        }
        if (!hf_read_name(reader, list ? name_node : node, name, !list)) {
            return false;
        }
        // The loop
        hf_reader_enter(reader, "loop", name);
        if (!hf_reader_add_item(reader, name, node, !list) || !read_loop(reader, node, name)) {
            return false;
        }
    }
    hf_reader_leave(reader);
    return true;
}
