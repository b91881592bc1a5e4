// SPDX-License-Identifier: Apache-2.0
// `path: [...]`, a string through points of bodies; `wrench: {...}`, a force and a torque fixed to
// a body; `crank: {...}`, a rod to a slider; `angle: {...}`, the turn between two frames; and
// `adhesion: {...}`, what a body touches.
#include <string.h>

#include <holdfast/coupling.h>

#include "math/turn.h"
#include "models/forces.h"

// They say all that other keys would.
static bool check_alone(hf_reader *reader, const hf_node *item, const char *key)
{
    static const char *const others[] = {"on", "to", "coupling", "point", "to_point", "ratio"};
    for (int i = 0; i < HF_COUNT(others); ++i) {
        const hf_node *other = hf_node_get(item, others[i]);
        if (other != NULL) {
            return hf_reader_fail_key(reader, other, HF_ERROR_INPUT,
                                      "a force with '%s' has no '%s': the %s names all that it "
                                      "acts on",
                                      key, others[i], key);
        }
    }
    return true;
}

// `on` and `point` of a map.
static bool read_frame(hf_reader *reader, const hf_node *node, hf_frame *frame)
{
    const hf_body_note *body = NULL;
    const hf_node *on = hf_read_need(reader, node, "on");
    *frame = (hf_frame){.turn = {.w = 1.0}};
    if (on == NULL || !hf_read_body(reader, on, &body) ||
        !hf_read_vec3_item(reader, node, "point", &frame->point)) {
        return false;
    }
    frame->body = body == NULL ? (hf_body){0} : body->id;
    return true;
}

// `side`: a point of the same body, or {on: BODY, point: [...]}.
static bool read_side(hf_reader *reader, const hf_node *node, hf_path_part *part)
{
    static const char *const keys[] = {"on", "point"};
    part->has_side = node != NULL;
    part->side = (hf_frame){.body = part->frame.body, .turn = {.w = 1.0}};
    if (node == NULL || node->kind != HF_NODE_MAP) {
        return node == NULL || hf_read_vec3(reader, node, &part->side.point);
    }
    return hf_read_map(reader, node, keys, HF_COUNT(keys)) && read_frame(reader, node, &part->side);
}

static bool read_part(hf_reader *reader, const hf_node *node, hf_path_part *part)
{
    static const char *const keys[] = {"on", "point", "sphere", "cylinder", "axis", "side"};
    static const char *const pulley_keys[] = {"pulley"};
    const hf_node *pulley = hf_node_get(node, "pulley"), *sphere = hf_node_get(node, "sphere"),
                  *cylinder = hf_node_get(node, "cylinder"), *axis = hf_node_get(node, "axis"),
                  *side = hf_node_get(node, "side"), *round = sphere == NULL ? cylinder : sphere;
    hf_vec3 along = {0.0, 0.0, 1.0};
    *part = (hf_path_part){.frame = {.turn = {.w = 1.0}}};
    if (pulley != NULL) {
        part->kind = HF_PATH_PULLEY;
        return hf_read_map(reader, node, pulley_keys, 1) &&
               hf_read_number(reader, pulley, HF_RANGE_POSITIVE, &part->divisor);
    }
    // Where it is
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        !read_frame(reader, node, &part->frame)) {
        return false;
    }
    // What it is
    const hf_node *odd = sphere != NULL && cylinder != NULL ? cylinder
                         : round == NULL && side != NULL    ? side
                         : cylinder == NULL                 ? axis
                                                            : NULL;
    if (odd != NULL) {
        return hf_reader_fail_key(reader, odd, HF_ERROR_INPUT,
                                  "a part of a path is a point, a sphere or a cylinder; only these "
                                  "two have a side, and only a cylinder has an axis");
    }
    part->kind = sphere != NULL     ? HF_PATH_SPHERE
                 : cylinder != NULL ? HF_PATH_CYLINDER
                                    : HF_PATH_POINT;
    if ((round != NULL && !hf_read_number(reader, round, HF_RANGE_POSITIVE, &part->radius)) ||
        (axis != NULL && !hf_read_direction(reader, axis, &along)) ||
        !read_side(reader, side, part)) {
        return false;
    }
    part->frame.turn = hf_quat_from_z(along);
    return true;
}

bool hf_read_path(hf_reader *reader, const hf_node *item, const hf_node *node,
                  hf_coupling_def *coupling)
{
    if (!check_alone(reader, item, "path")) {
        return false;
    }
    if (node->kind != HF_NODE_LIST || node->count < 2 || node->count > HF_PATH_MOST) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "path must be a list of 2 to %d parts: [{on: world, point: [0, 0, "
                              "1]}, {on: arm.upper, point: [0.1, 0, 0]}]",
                              HF_PATH_MOST);
    }
    hf_path_part *parts =
        hf_arena_alloc(&reader->document->arena, (size_t)node->count, sizeof *parts);
    if (parts == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    int count = 0;
    for (const hf_node *part = node->first; part != NULL; part = part->next) {
        if (!read_part(reader, part, &parts[count++])) {
            return false;
        }
    }
    *coupling = hf_coupling_def_default(HF_COUPLING_PATH);
    coupling->parts = parts;
    coupling->part_count = count;
    return true;
}

// `to`, `to_point` and turns of both frames, where there are any.
static bool read_other_frame(hf_reader *reader, const hf_node *node, hf_coupling_def *coupling,
                             bool turns)
{
    const hf_body_note *body = NULL;
    const hf_node *to = hf_node_get(node, "to");
    coupling->to_frame = (hf_frame){.turn = {.w = 1.0}};
    if ((to != NULL && !hf_read_body(reader, to, &body)) ||
        !hf_read_vec3_item(reader, node, "to_point", &coupling->to_frame.point)) {
        return false;
    }
    coupling->to_frame.body = body == NULL ? (hf_body){0} : body->id;
    const hf_node *turn = hf_node_get(node, "orientation"),
                  *to_turn = hf_node_get(node, "to_orientation");
    return !turns ||
           ((turn == NULL || hf_read_orientation(reader, turn, &coupling->on_frame.turn)) &&
            (to_turn == NULL || hf_read_orientation(reader, to_turn, &coupling->to_frame.turn)));
}

bool hf_read_wrench(hf_reader *reader, const hf_node *item, const hf_node *node,
                    hf_coupling_def *coupling)
{
    static const char *const keys[] = {"on", "point",    "force",       "torque",
                                       "to", "to_point", "orientation", "to_orientation"};
    bool between = hf_node_get(node, "to") != NULL;
    *coupling = hf_coupling_def_default(between ? HF_COUPLING_BETWEEN : HF_COUPLING_WRENCH);
    if (!check_alone(reader, item, "wrench") || !hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        !read_frame(reader, node, &coupling->on_frame) ||
        !hf_read_vec3_item(reader, node, "force", &coupling->along) ||
        !hf_read_vec3_item(reader, node, "torque", &coupling->about)) {
        return false;
    }
    // Between two frames
    for (int i = 5; i < HF_COUNT(keys) && !between; ++i) {
        const hf_node *alone = hf_node_get(node, keys[i]);
        if (alone != NULL) {
            return hf_reader_fail_key(reader, alone, HF_ERROR_INPUT,
                                      "'%s' of a wrench goes with 'to': what it acts against",
                                      keys[i]);
        }
    }
    return !between || read_other_frame(reader, node, coupling, true);
}

bool hf_read_crank(hf_reader *reader, const hf_node *item, const hf_node *node,
                   hf_coupling_def *coupling)
{
    static const char *const keys[] = {"on", "point", "to", "to_point", "axis", "length"};
    *coupling = hf_coupling_def_default(HF_COUPLING_CRANK);
    coupling->along = hf_v3(0, 0, 1);
    return check_alone(reader, item, "crank") && hf_read_map(reader, node, keys, HF_COUNT(keys)) &&
           read_frame(reader, node, &coupling->on_frame) &&
           read_other_frame(reader, node, coupling, false) &&
           hf_read_vec3_item(reader, node, "axis", &coupling->along) &&
           hf_read_need(reader, node, "length") != NULL &&
           hf_read_number_item(reader, node, "length", HF_RANGE_POSITIVE, &coupling->rod);
}

bool hf_read_angle(hf_reader *reader, const hf_node *item, const hf_node *node,
                   hf_coupling_def *coupling)
{
    static const char *const keys[] = {"on", "to", "orientation", "to_orientation"};
    *coupling = hf_coupling_def_default(HF_COUPLING_ANGLE);
    return check_alone(reader, item, "angle") && hf_read_map(reader, node, keys, HF_COUNT(keys)) &&
           read_frame(reader, node, &coupling->on_frame) &&
           read_other_frame(reader, node, coupling, true);
}

bool hf_read_adhesion(hf_reader *reader, const hf_node *item, const hf_node *node,
                      hf_coupling_def *coupling)
{
    static const char *const keys[] = {"on", "reach"};
    const double usual = 1e-4; // [m]
    *coupling = hf_coupling_def_default(HF_COUPLING_ADHESION);
    coupling->radius = usual;
    return check_alone(reader, item, "adhesion") &&
           hf_read_map(reader, node, keys, HF_COUNT(keys)) &&
           read_frame(reader, node, &coupling->on_frame) &&
           hf_read_number_item(reader, node, "reach", HF_RANGE_NOT_NEGATIVE, &coupling->radius);
}
