// SPDX-License-Identifier: Apache-2.0
// Where forces act: `on:`, `to:`, `point:`, `coupling:`.
#include <stdio.h>
#include <string.h>

#include <holdfast/coupling.h>

#include "models/forces.h"

// ------------------------------------------------------------------------------------------------
// Names of places

// The coordinate of a body that a word names, or -1.
static int find_axis(const hf_body_note *body, const char *word)
{
    bool letter = strlen(word) == 1 && word[0] >= 'x' && word[0] <= 'z';
    if (hf_note_ops(body)->in_axes) {
        for (int i = 0; i < body->dim && letter; ++i) {
            if (body->axes[i] == word[0] - 'x') {
                return i;
            }
        }
        return -1;
    }
    if (hf_note_ops(body)->jointed && body->joint == HF_JOINT_PLANAR) {
        return strcmp(word, "angle") == 0 ? 2 : letter && word[0] < 'z' ? word[0] - 'x' : -1;
    }
    if (hf_note_ops(body)->jointed && body->joint == HF_JOINT_FREE) {
        return letter ? word[0] - 'x' : -1;
    }
    return -1;
}

// The coordinates that a word names, one or neighbours ("xy"): the first, or -1; *count: how many.
static int find_axes(const hf_body_note *body, const char *word, int *count)
{
    int first = find_axis(body, word), letters = (int)strlen(word);
    *count = 1;
    if (first >= 0 || letters > 3) {
        return first;
    }
    for (int i = 0; i < letters; ++i) {
        const char letter[] = {word[i], '\0'};
        int axis = find_axis(body, letter);
        first = i == 0 ? axis : first;
        if (axis < 0 || axis != first + i) {
            return -1;
        }
    }
    *count = letters;
    return first;
}

static bool fail_axis(hf_reader *reader, const hf_node *node, const hf_body_note *body,
                      const char *word)
{
    char names[40] = "";
    size_t used = 0;
    static const char *const axes[] = {"x", "y", "z", "angle"};
    for (int i = 0; i < 4; ++i) {
        if (find_axis(body, axes[i]) >= 0) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", axes[i]);
        }
    }
    return hf_reader_fail(reader, node, HF_ERROR_NAME, "'%.80s' has no coordinate '%.40s'; %s%s",
                          body->name, word, used == 0 ? "write its name without one" : "it has ",
                          names);
}

// Finds a place without failing: 1 found, 0 not known, -1 failed with the error filled.
static int try_place(hf_reader *reader, const hf_node *node, hf_place *place)
{
    const char *name = node->text;
    *place = (hf_place){.body = NULL, .axis = -1};
    if (strcmp(name, "world") == 0) {
        return 1;
    }
    place->body = hf_reader_find_body(reader, name, strlen(name));
    if (place->body != NULL) {
        return 1;
    }
    const char *dot = strrchr(name, '.');
    place->body = dot == NULL ? NULL : hf_reader_find_body(reader, name, (size_t)(dot - name));
    if (place->body == NULL) {
        return 0;
    }
    place->axis = find_axes(place->body, dot + 1, &place->count);
    return place->axis >= 0 ? 1 : fail_axis(reader, node, place->body, dot + 1) ? 1 : -1;
}

static bool fail_place(hf_reader *reader, const hf_node *node)
{
    char label[HF_LABEL_SIZE], hint[HF_HINT_SIZE];
    if (hf_spec_find_tree(reader->spec, node->text).id != 0) {
        return hf_reader_fail(reader, node, HF_ERROR_NAME,
                              "%s: '%.60s' is a tree; name one of its joints: %.60s.JOINT",
                              hf_node_label(node, label), node->text, node->text);
    }
    return hf_reader_fail(reader, node, HF_ERROR_NAME, "%s: unknown body '%.60s'%s",
                          hf_node_label(node, label), node->text,
                          hf_reader_hint_body(reader, node->text, hint));
}

bool hf_read_place(hf_reader *reader, const hf_node *node, hf_place *place)
{
    const char *name = NULL;
    if (!hf_read_text(reader, node, &name)) {
        return false;
    }
    int found = try_place(reader, node, place);
    return found > 0 || (found == 0 && fail_place(reader, node));
}

hf_motion_kind hf_place_motion(hf_reader *reader, const hf_node *node)
{
    hf_place place = {0};
    if (try_place(reader, node, &place) <= 0 || place.body == NULL ||
        hf_note_ops(place.body)->in_axes) {
        return HF_MOTION_STRAIGHT;
    }
    switch (place.body->joint) {
    case HF_JOINT_REVOLUTE:
        return HF_MOTION_TURNS;
    case HF_JOINT_PRISMATIC:
        return HF_MOTION_STRAIGHT;
    case HF_JOINT_PLANAR:
    case HF_JOINT_FREE:
        return place.axis < 0                                                ? HF_MOTION_MIXED
               : place.axis < (place.body->joint == HF_JOINT_PLANAR ? 2 : 3) ? HF_MOTION_STRAIGHT
                                                                             : HF_MOTION_TURNS;
    default:
        return HF_MOTION_MIXED;
    }
}

bool hf_read_body(hf_reader *reader, const hf_node *node, const hf_body_note **body)
{
    hf_place place = {0};
    *body = NULL;
    if (node == NULL) {
        return true;
    }
    if (!hf_read_place(reader, node, &place)) {
        return false;
    }
    if (place.body != NULL && place.axis >= 0) {
        char label[HF_LABEL_SIZE];
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "%s must be a body here, not one of its coordinates",
                              hf_node_label(node, label));
    }
    *body = place.body;
    return true;
}

// ------------------------------------------------------------------------------------------------
// The coupling

typedef struct wiring {
    hf_reader *reader;
    const hf_node *item;
    const char *name;
    bool torque, target;
    const hf_node *on_node, *to_node, *point, *to_point;
    hf_place on, to;
    bool to_is_value;
} wiring;

static bool turns(const hf_body_note *body)
{
    return hf_note_ops(body)->turns;
}

// The coupling that what is named suggests.
static bool suggest(const wiring *w, hf_coupling_type *type)
{
    const hf_body_note *on = w->on.body;
    bool scalar = hf_note_ops(on)->jointed && on->dim == 1;
    if (w->point != NULL || w->to_point != NULL) {
        *type = HF_COUPLING_POINTS;
    } else if (w->on.axis >= 0 || scalar) {
        *type = HF_COUPLING_COORDINATE;
    } else if (hf_note_ops(on)->jointed && on->joint == HF_JOINT_PLANAR) {
        return hf_reader_fail(w->reader, w->on_node, HF_ERROR_INPUT,
                              "a planar joint has three coordinates: name one, %.60s.x, .y or "
                              ".angle, or .xy, or give a point of its link",
                              on->name);
    } else if (turns(on)) {
        *type = w->torque ? HF_COUPLING_SPIN : HF_COUPLING_POINTS;
    } else if (w->to.body != NULL && turns(w->to.body) && w->to.axis < 0 && w->to.body->dim != 1) {
        *type = HF_COUPLING_POINTS;
    } else {
        *type = HF_COUPLING_COORDINATE;
    }
    return true;
}

static bool choose_type(const wiring *w, hf_coupling_type *type)
{
    const hf_node *node = hf_node_get(w->item, "coupling");
    const char *names[HF_COUPLING_TYPE_COUNT];
    hf_coupling_type types[HF_COUPLING_TYPE_COUNT];
    int choice = 0, count = 0;
    if (node == NULL) {
        return suggest(w, type);
    }
    for (int t = 0; t < HF_COUPLING_TYPE_COUNT; ++t) {
        const hf_coupling_ops *ops = hf_coupling_ops_get((hf_coupling_type)t);
        if (ops->on_points || ops->on_places) {
            names[count] = ops->name;
            types[count++] = (hf_coupling_type)t;
        }
    }
    if (!hf_read_choice(w->reader, node, names, count, &choice)) {
        return false;
    }
    *type = types[choice];
    const hf_node *point = w->point != NULL ? w->point : w->to_point;
    if (!hf_coupling_ops_get(*type)->on_points && point != NULL) {
        return hf_reader_fail_key(w->reader, point, HF_ERROR_INPUT, "a %s coupling has no points",
                                  names[choice]);
    }
    return true;
}

// A driven body that moves as `to:` says.
static bool add_target(const wiring *w, int dim, const int *axes, hf_body *body)
{
    hf_reader *reader = w->reader;
    hf_driven_def def = hf_driven_def_default();
    char *name = hf_reader_join(reader, w->name, ".target");
    char *hidden = hf_reader_join(reader, w->name, ".target.motion");
    if (name == NULL || hidden == NULL) {
        return false;
    }
    def.name = name;
    def.dim = dim;
    for (int i = 0; i < dim; ++i) {
        def.axes[i] = axes[i];
    }
    if (!hf_read_values(reader, w->to_node, dim, hidden, def.motion)) {
        return false;
    }
    *body = hf_spec_add_driven(reader->spec, &def, reader->error);
    return body->id != 0 || hf_reader_pass(reader, w->to_node, false);
}

static bool wire_coordinates(const wiring *w, hf_coupling_def *coupling)
{
    const hf_body_note *on = w->on.body, *to = w->to.body;
    if (!hf_note_ops(on)->coordinates || on->dim == 0) {
        return hf_reader_fail(w->reader, w->on_node, HF_ERROR_INPUT,
                              "'%.60s' has no coordinates; use coupling: points or spin", on->name);
    }
    // Which coordinates
    coupling->dim = w->on.axis >= 0 ? w->on.count : on->dim;
    coupling->on_coordinate = (hf_coordinate){on->id, w->on.axis >= 0 ? w->on.axis : 0};
    if (coupling->dim > 3) {
        return hf_reader_fail(w->reader, w->on_node, HF_ERROR_INPUT,
                              "'%.60s' has %d coordinates; name one, or use coupling: points",
                              on->name, coupling->dim);
    }
    // A moving target in place of a body
    if (w->to_is_value) {
        static const int first[] = {0, 1, 2};
        const int *axes = hf_note_ops(on)->jointed ? first : on->axes;
        axes += w->on.axis >= 0 && !hf_note_ops(on)->jointed ? w->on.axis : 0;
        return add_target(w, coupling->dim, axes, &coupling->to_coordinate.body);
    }
    if (to == NULL) {
        return true;
    }
    // As many on the other side, and other ones
    int dim = w->to.axis >= 0 ? w->to.count : to->dim;
    if (dim != coupling->dim) {
        return hf_reader_fail(w->reader, w->to_node, HF_ERROR_INPUT,
                              "to has %d coordinates, but on has %d", dim, coupling->dim);
    }
    coupling->to_coordinate = (hf_coordinate){to->id, w->to.axis >= 0 ? w->to.axis : 0};
    if (to == on && coupling->to_coordinate.axis == coupling->on_coordinate.axis) {
        return hf_reader_fail(w->reader, w->to_node, HF_ERROR_INPUT,
                              "to must be another place than on");
    }
    return true;
}

static bool wire_frames(const wiring *w, hf_coupling_def *coupling)
{
    static const int axes[] = {0, 1, 2};
    const hf_node *split = w->on.axis >= 0                         ? w->on_node
                           : w->to.body != NULL && w->to.axis >= 0 ? w->to_node
                                                                   : NULL;
    if (split != NULL) {
        char label[HF_LABEL_SIZE];
        return hf_reader_fail(
            w->reader, split, HF_ERROR_INPUT, "a %s coupling acts on bodies; %s names a coordinate",
            hf_coupling_ops_get(coupling->type)->name, hf_node_label(split, label));
    }
    coupling->on_frame.body = w->on.body->id;
    if (w->to.body != NULL) {
        coupling->to_frame.body = w->to.body->id;
    }
    if ((w->point != NULL && !hf_read_vec3(w->reader, w->point, &coupling->on_frame.point)) ||
        (w->to_point != NULL && !hf_read_vec3(w->reader, w->to_point, &coupling->to_frame.point))) {
        return false;
    }
    return !w->to_is_value || add_target(w, 3, axes, &coupling->to_frame.body);
}

// `to:` as a place, or as a value where that is allowed.
static bool read_to(wiring *w)
{
    const hf_node *node = w->to_node;
    w->to = (hf_place){.body = NULL, .axis = -1};
    if (node == NULL) {
        return true;
    }
    if (node->kind == HF_NODE_SCALAR && node->text[0] != '\0' && !hf_node_is_number(node)) {
        int found = try_place(w->reader, node, &w->to);
        if (found != 0) {
            return found > 0;
        }
    }
    if (!w->target) {
        return hf_read_place(w->reader, node, &w->to);
    }
    // A word with a dot in it can only have been meant as a place.
    bool word = node->kind == HF_NODE_SCALAR && node->plain && strchr(node->text, '.') != NULL &&
                strspn(node->text, "0123456789.+-*/^()") == 0 &&
                strcspn(node->text, " +*/^()?<>=") == strlen(node->text);
    if (word) {
        return fail_place(w->reader, node);
    }
    w->to_is_value = true;
    return true;
}

// Couplings by their keys.
static const struct {
    const char *key;
    bool (*read)(hf_reader *reader, const hf_node *item, const hf_node *node,
                 hf_coupling_def *coupling);
} OWN_KEYS[] = {
#define OWN_KEY(key) {#key, hf_read_##key},
    HF_PLACE_KEYS(OWN_KEY) HF_PLACE_KEYS_OF_FORCES(OWN_KEY)
#undef OWN_KEY
};

// Whether a force has no other of these keys: each names all that the force acts on.
static bool is_only(hf_reader *reader, const hf_node *item, int own)
{
    for (int i = own + 1; i < HF_COUNT(OWN_KEYS); ++i) {
        const hf_node *other = hf_node_get(item, OWN_KEYS[i].key);
        if (other != NULL) {
            return hf_reader_fail_key(reader, other, HF_ERROR_INPUT,
                                      "a force with '%s' has no '%s': the %s names all that it "
                                      "acts on",
                                      OWN_KEYS[own].key, other->key, OWN_KEYS[own].key);
        }
    }
    return true;
}

// What runs along a length takes a force.
static bool check_torque_key(hf_reader *reader, const hf_node *node)
{
    static const char *const lengths[] = {"path", "crank", "adhesion"};
    for (int i = 0; i < HF_COUNT(lengths); ++i) {
        if (strcmp(node->key, lengths[i]) == 0) {
            return hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                                      "%s takes a force, not a torque", lengths[i]);
        }
    }
    return strcmp(node->key, "ratio") != 0 || node->kind != HF_NODE_MAP ||
           hf_ratio_motion(reader, node) == HF_MOTION_TURNS ||
           hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                              "this ratio is a length: it takes a force, not a torque");
}

// A torque turns: it acts on turns or on coordinates that are angles, at no point.
static bool check_torque(const wiring *w, hf_coupling_type type)
{
    hf_reader *reader = w->reader;
    const hf_node *point = w->point != NULL ? w->point : w->to_point;
    const char *name = w->on.body->name;
    if (point != NULL) {
        return hf_reader_fail_key(reader, point, HF_ERROR_INPUT,
                                  "a torque has no point: it is the same at all; a force has one");
    }
    if (type != HF_COUPLING_SPIN && type != HF_COUPLING_COORDINATE) {
        return hf_reader_fail(reader, hf_node_get(w->item, "coupling"), HF_ERROR_INPUT,
                              "a torque acts on turns: coupling: spin, not %s",
                              hf_coupling_ops_get(type)->name);
    }
    return type == HF_COUPLING_SPIN || hf_place_motion(reader, w->on_node) == HF_MOTION_TURNS ||
           hf_reader_fail(reader, w->on_node, HF_ERROR_INPUT,
                          "'%.60s' does not turn along this coordinate; use a force instead of a "
                          "torque",
                          name);
}

bool hf_read_coupling(hf_reader *reader, const hf_node *item, const char *name, bool torque,
                      bool target, hf_coupling_def *coupling)
{
    // A coupling with a key of its own
    for (int i = 0; i < HF_COUNT(OWN_KEYS); ++i) {
        const hf_node *node = hf_node_get(item, OWN_KEYS[i].key);
        if (node != NULL) {
            return is_only(reader, item, i) && (!torque || check_torque_key(reader, node)) &&
                   OWN_KEYS[i].read(reader, item, node, coupling);
        }
    }
    // Two places
    wiring w = {.reader = reader,
                .item = item,
                .name = name,
                .torque = torque,
                .target = target,
                .on_node = hf_read_need(reader, item, "on"),
                .to_node = hf_node_get(item, "to"),
                .point = hf_node_get(item, "point"),
                .to_point = hf_node_get(item, "to_point")};
    hf_coupling_type type = HF_COUPLING_COORDINATE;
    if (w.on_node == NULL || !hf_read_place(reader, w.on_node, &w.on)) {
        return false;
    }
    if (w.on.body == NULL) {
        return hf_reader_fail(reader, w.on_node, HF_ERROR_INPUT,
                              "on must be a body; the world can only be in to");
    }
    if (torque && !turns(w.on.body) && w.on.body->joint != HF_JOINT_REVOLUTE) {
        return hf_reader_fail(reader, w.on_node, HF_ERROR_INPUT,
                              "'%.60s' cannot turn; use a force instead of a torque",
                              w.on.body->name);
    }
    if (!read_to(&w) || !choose_type(&w, &type) || (torque && !check_torque(&w, type))) {
        return false;
    }
    *coupling = hf_coupling_def_default(type);
    return type == HF_COUPLING_COORDINATE ? wire_coordinates(&w, coupling)
                                          : wire_frames(&w, coupling);
}
