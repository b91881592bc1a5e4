// SPDX-License-Identifier: Apache-2.0
// `ratio: {PLACE: FACTOR, ...}`: a sum of coordinates with factors.
#include <string.h>

#include <holdfast/coupling.h>

#include "models/forces.h"

// The key of an entry, as a node.
static hf_node key_of(const hf_node *node)
{
    hf_node name = *node;
    name.kind = HF_NODE_SCALAR;
    name.text = node->key;
    name.line = node->key_line;
    name.column = node->key_column;
    return name;
}

// The coordinate that the key of an entry names.
static bool read_coordinate(hf_reader *reader, const hf_node *node, hf_coordinate *coordinate)
{
    hf_node name = key_of(node);
    hf_place place = {0};
    if (!hf_read_place(reader, &name, &place)) {
        return false;
    }
    const hf_body_note *body = place.body;
    int count = place.axis >= 0 ? place.count : body == NULL ? 0 : body->dim;
    if (body == NULL || !hf_note_ops(body)->coordinates || count != 1) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                                  "ratio: '%.60s' must be one coordinate: a joint that turns or "
                                  "slides, a mass of dimension 1, or BODY.x",
                                  node->key);
    }
    *coordinate = (hf_coordinate){body->id, place.axis >= 0 ? place.axis : 0};
    return true;
}

static bool fail_zero(hf_reader *reader, const hf_node *node, const hf_node *at)
{
    return hf_reader_fail(reader, at, HF_ERROR_RANGE,
                          "ratio: the factor of '%.60s' must not be zero", node->key);
}

// ------------------------------------------------------------------------------------------------
// Units

static bool names_spin(const char *key)
{
    size_t length = strlen(key);
    return length >= 8 && strncmp(key + length - 7, ".spin.", 6) == 0;
}

static hf_motion_kind motion_at(hf_reader *reader, const hf_node *node)
{
    hf_node name = key_of(node);
    return names_spin(node->key) ? HF_MOTION_TURNS : hf_place_motion(reader, &name);
}

hf_motion_kind hf_ratio_motion(hf_reader *reader, const hf_node *node)
{
    for (const hf_node *term = node->first; term != NULL; term = term->next) {
        if (motion_at(reader, term) == HF_MOTION_STRAIGHT) {
            return HF_MOTION_STRAIGHT;
        }
    }
    return HF_MOTION_TURNS;
}

// A factor: the radius of what turns in a sum that is a length, else a pure number.
static bool read_factor(hf_reader *reader, const hf_node *entry, const hf_node *node,
                        double *factor)
{
    hf_motion_kind motion = reader->motion;
    bool radius = motion == HF_MOTION_STRAIGHT && motion_at(reader, entry) == HF_MOTION_TURNS;
    reader->motion = HF_MOTION_STRAIGHT;
    reader->param = node->key;
    reader->param_unit = radius ? "m" : "";
    bool read = hf_read_number(reader, node, HF_RANGE_ANY, factor);
    reader->param = NULL;
    reader->motion = motion;
    return read && (*factor != 0.0 || fail_zero(reader, entry, node));
}

// `BODY.spin.x`: 1 it is one, 0 it is not, -1 failed.
static int read_spin(hf_reader *reader, const hf_node *node, hf_coordinate *coordinate)
{
    if (!names_spin(node->key)) {
        return 0;
    }
    size_t length = strlen(node->key);
    char axis = node->key[length - 1];
    const hf_body_note *body = hf_reader_find_body(reader, node->key, length - 7);
    bool turns = body != NULL && hf_note_ops(body)->turns;
    if (!turns || axis < 'x' || axis > 'z') {
        hf_reader_fail_key(reader, node, HF_ERROR_NAME,
                           "ratio: '%.60s' is no spin: BODY.spin.x, .y or .z of a rigid body or "
                           "link, about an axis of its own",
                           node->key);
        return -1;
    }
    *coordinate = (hf_coordinate){body->id, axis - 'x'};
    return 1;
}

// ------------------------------------------------------------------------------------------------
// Ratios that carry a law

// One `PLACE: FACTOR`.
static bool read_term(hf_reader *reader, const hf_node *node, hf_ratio_term *term)
{
    int spin = read_spin(reader, node, &term->coordinate);
    term->coordinate.axis += spin > 0 ? HF_SPIN_X : 0;
    return spin >= 0 && (spin > 0 || read_coordinate(reader, node, &term->coordinate)) &&
           read_factor(reader, node, node, &term->factor);
}

bool hf_read_ratio(hf_reader *reader, const hf_node *item, const hf_node *node,
                   hf_coupling_def *coupling)
{
    // It says all that others keys would
    static const char *const others[] = {"on", "to", "coupling", "point", "to_point"};
    for (int i = 0; i < (int)(sizeof others / sizeof *others); ++i) {
        const hf_node *other = hf_node_get(item, others[i]);
        if (other != NULL) {
            return hf_reader_fail_key(reader, other, HF_ERROR_INPUT,
                                      "a force with 'ratio' has no '%s': the ratio names all that "
                                      "it acts on",
                                      others[i]);
        }
    }
    if (node->kind != HF_NODE_MAP || node->count < 1 || node->count > HF_COUPLING_MAX_TERMS) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "ratio must be a map of 1 to %d coordinates and their factors: "
                              "{motor.shaft: 1, drum.axle: -12}",
                              HF_COUPLING_MAX_TERMS);
    }
    // Each summand
    hf_ratio_term *terms =
        hf_arena_alloc(&reader->document->arena, (size_t)node->count, sizeof *terms);
    if (terms == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    int count = 0;
    bool spins = false;
    reader->motion = hf_ratio_motion(reader, node);
    for (const hf_node *term = node->first; term != NULL; term = term->next, ++count) {
        terms[count] = (hf_ratio_term){0};
        if (!read_term(reader, term, &terms[count])) {
            return false;
        }
        spins = spins || terms[count].coordinate.axis >= HF_SPIN_X;
    }
    reader->motion = HF_MOTION_STRAIGHT;
    *coupling = hf_coupling_def_default(spins ? HF_COUPLING_TURNS : HF_COUPLING_RATIO);
    coupling->terms = terms;
    coupling->term_count = count;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Ratios that are held exactly

// A factor, or the coefficients of x, x^2, ...
static bool read_coefficients(hf_reader *reader, const hf_node *entry, const hf_node *node,
                              hf_loop_term *term)
{
    bool some = false;
    if (node->kind != HF_NODE_LIST) {
        return read_factor(reader, entry, node, &term->coefficients[0]);
    }
    if (node->count < 1 || node->count > HF_LOOP_POWERS || (term->spin && node->count > 1)) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              term->spin ? "ratio: a spin takes one factor"
                                         : "ratio: 1 to %d coefficients, of x, x^2, ...",
                              HF_LOOP_POWERS);
    }
    int k = 0;
    for (const hf_node *item = node->first; item != NULL; item = item->next, ++k) {
        if (!hf_read_number(reader, item, HF_RANGE_ANY, &term->coefficients[k])) {
            return false;
        }
        some = some || term->coefficients[k] != 0.0;
    }
    return some || fail_zero(reader, entry, node);
}

// `PLACE: FACTOR`, `PLACE: [A, B, ...]` or `PLACE: {coefficients:, reference:}`.
static bool read_loop_term(hf_reader *reader, const hf_node *node, hf_loop_term *term)
{
    static const char *const keys[] = {"coefficients", "reference"};
    int spin = read_spin(reader, node, &term->coordinate);
    term->spin = spin > 0;
    if (spin < 0 || (spin == 0 && !read_coordinate(reader, node, &term->coordinate))) {
        return false;
    }
    if (node->kind != HF_NODE_MAP) {
        return read_coefficients(reader, node, node, term);
    }
    const hf_node *list, *reference = hf_node_get(node, "reference");
    if (!hf_read_map(reader, node, keys, 2) ||
        (list = hf_read_need(reader, node, "coefficients")) == NULL ||
        !read_coefficients(reader, node, list, term)) {
        return false;
    }
    // In the unit of its own coordinate
    hf_motion_kind motion = reader->motion;
    reader->motion = motion_at(reader, node);
    reader->param = "reference";
    reader->param_unit = "m";
    bool read =
        reference == NULL || hf_read_number(reader, reference, HF_RANGE_ANY, &term->reference);
    reader->param = NULL;
    reader->motion = motion;
    return read;
}

bool hf_read_loop_ratio(hf_reader *reader, const hf_node *item, hf_loop_def *def)
{
    const hf_node *node = hf_read_need(reader, item, "ratio");
    const hf_node *value = hf_node_get(item, "value");
    if (node == NULL) {
        return false;
    }
    if (node->kind != HF_NODE_MAP || node->count < 1 || node->count > HF_LOOP_MAX_TERMS) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "ratio must be a map of 1 to %d coordinates and their factors: "
                              "{motor.shaft: 1, drum.axle: -12}",
                              HF_LOOP_MAX_TERMS);
    }
    // Each summand
    hf_loop_term *terms =
        hf_arena_alloc(&reader->document->arena, (size_t)node->count, sizeof *terms);
    if (terms == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    int count = 0;
    reader->motion = hf_ratio_motion(reader, node);
    for (const hf_node *term = node->first; term != NULL; term = term->next) {
        if (!read_loop_term(reader, term, &terms[count++])) {
            return false;
        }
    }
    def->terms = terms;
    def->term_count = count;
    def->from_start = value == NULL;
    // Its value, in the unit of the sum
    reader->param = "value";
    reader->param_unit = "m";
    bool read = value == NULL || hf_read_number(reader, value, HF_RANGE_ANY, &def->value);
    reader->param = NULL;
    reader->motion = HF_MOTION_STRAIGHT;
    return read;
}

// ------------------------------------------------------------------------------------------------
// Reactions as loads

// {base:, motor:, external:, motor_square:, external_square:}
static bool read_servo_load(hf_reader *reader, const hf_node *node, hf_servo_load *servo)
{
    static const char *const keys[] = {"base", "motor", "external", "motor_square",
                                       "external_square"};
    return hf_read_map(reader, node, keys, 5) &&
           hf_read_number_item(reader, node, keys[0], HF_RANGE_NOT_NEGATIVE, &servo->base) &&
           hf_read_number_item(reader, node, keys[1], HF_RANGE_NOT_NEGATIVE, &servo->motor) &&
           hf_read_number_item(reader, node, keys[2], HF_RANGE_NOT_NEGATIVE, &servo->external) &&
           hf_read_number_item(reader, node, keys[3], HF_RANGE_NOT_NEGATIVE,
                               &servo->motor_square) &&
           hf_read_number_item(reader, node, keys[4], HF_RANGE_NOT_NEGATIVE,
                               &servo->external_square);
}

bool hf_read_load(hf_reader *reader, const hf_node *node, hf_normal_def *normal)
{
    static const char *const keys[] = {"loop", "joint", "reaction", "servo"};
    const hf_node *loop = hf_node_get(node, "loop"), *joint = hf_node_get(node, "joint");
    const hf_node *reaction = hf_node_get(node, "reaction"), *servo = hf_node_get(node, "servo");
    const char *names[HF_LOAD_TYPE_COUNT], *text = NULL;
    const hf_body_note *link = NULL;
    int type = 0, first = HF_LOAD_FORCE;
    if (!hf_read_map(reader, node, keys, 4)) {
        return false;
    }
    // One of three forms
    if ((loop == NULL) == (joint == NULL) || (loop != NULL && reaction != NULL) ||
        (servo != NULL && (loop != NULL || reaction != NULL))) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "a load is {loop: NAME}, {joint: NAME, reaction: WORD} or {joint: "
                              "NAME, servo: {...}}");
    }
    // What a loop carries
    if (loop != NULL) {
        normal->load = HF_LOAD_LOOP;
        if (!hf_read_text(reader, loop, &text)) {
            return false;
        }
        normal->loop = hf_spec_find_loop(reader->spec, text);
        return normal->loop.id != 0 || hf_reader_fail(reader, loop, HF_ERROR_NAME,
                                                      "normal: there is no loop '%.60s'", text);
    }
    // What a joint carries
    for (int i = first; i < HF_LOAD_SERVO; ++i) {
        names[i - first] = hf_load_name((hf_load_type)i);
    }
    if (!hf_read_body(reader, joint, &link) ||
        (reaction != NULL &&
         !hf_read_choice(reader, reaction, names, HF_LOAD_SERVO - first, &type))) {
        return false;
    }
    if (servo != NULL && !read_servo_load(reader, servo, &normal->servo)) {
        return false;
    }
    normal->load = servo != NULL ? HF_LOAD_SERVO : (hf_load_type)(first + type);
    normal->joint = link == NULL ? (hf_body){0} : link->id;
    return (link != NULL && hf_note_ops(link)->jointed && link->dim == 1) ||
           hf_reader_fail(reader, joint, HF_ERROR_INPUT,
                          "normal: '%.60s' is no joint that turns or slides", joint->text);
}
