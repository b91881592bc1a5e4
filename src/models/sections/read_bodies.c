// SPDX-License-Identifier: Apache-2.0
// `bodies:`: masses, rigid, driven and static bodies, rotors; trees are in read_tree.c.
#include <string.h>

#include "math/vec.h"
#include "models/forces.h"

// ------------------------------------------------------------------------------------------------
// Axes

// "xz" -> {0, 2}; false unless the letters are among x, y, z and in this order.
static bool parse_axes(const char *text, int *dim, int axes[3])
{
    size_t length = strlen(text);
    if (length < 1 || length > 3) {
        return false;
    }
    for (size_t i = 0; i < length; ++i) {
        axes[i] = text[i] - 'x';
        if (axes[i] < 0 || axes[i] > 2 || (i > 0 && axes[i] <= axes[i - 1])) {
            return false;
        }
    }
    *dim = (int)length;
    return true;
}

// Without `dim:` and `axes:`, `position:` or `velocity:` tells by its length; *dim holds the
// default.
static void guess_dim(const hf_node *node, int *dim)
{
    static const char *const tell[] = {"position", "velocity"};
    for (int i = 0; i < HF_COUNT(tell); ++i) {
        const hf_node *motion = hf_node_get(node, tell[i]);
        if (motion != NULL && motion->kind != HF_NODE_MAP) {
            int length = motion->kind == HF_NODE_LIST ? motion->count : 1;
            *dim = length >= 1 && length <= 3 ? length : *dim;
            return;
        }
    }
}

// `dim:` and `axes:`: either may be missing; *dim holds the default.
static bool read_axes(hf_reader *reader, const hf_node *node, int *dim, int axes[3])
{
    const hf_node *dim_node = hf_node_get(node, "dim"), *axes_node = hf_node_get(node, "axes");
    for (int i = 0; i < 3; ++i) {
        axes[i] = i;
    }
    // How many, where no axes are named
    if (dim_node != NULL && !hf_read_count(reader, dim_node, 1, 3, dim)) {
        return false;
    }
    if (axes_node == NULL) {
        if (dim_node == NULL) {
            guess_dim(node, dim);
        }
        return true;
    }
    // Which, and that they are as many as dim says
    const char *text = NULL;
    int count = 0;
    if (!hf_read_text(reader, axes_node, &text)) {
        return false;
    }
    if (!parse_axes(text, &count, axes)) {
        return hf_reader_fail(reader, axes_node, HF_ERROR_INPUT,
                              "axes must be one of x, y, z, xy, xz, yz, xyz, got '%.40s'", text);
    }
    if (dim_node != NULL && count != *dim) {
        return hf_reader_fail(reader, axes_node, HF_ERROR_INPUT,
                              "axes has %d letters, but dim is %d", count, *dim);
    }
    *dim = count;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Kinds of bodies

static bool read_mass(hf_reader *reader, const hf_node *node)
{
    static const char *const keys[] = {"type",     "dim",      "axes", "mass",
                                       "position", "velocity", "draw"};
    hf_mass_def def = hf_mass_def_default();
    def.name = node->key;
    const hf_node *mass, *position = hf_node_get(node, "position"),
                         *velocity = hf_node_get(node, "velocity");
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        !read_axes(reader, node, &def.dim, def.axes) ||
        (mass = hf_read_need(reader, node, "mass")) == NULL ||
        !hf_read_number(reader, mass, HF_RANGE_POSITIVE, &def.mass) ||
        (position != NULL && !hf_read_numbers(reader, position, def.dim, def.position)) ||
        (velocity != NULL && !hf_read_numbers(reader, velocity, def.dim, def.velocity))) {
        return false;
    }
    const double shift[3] = {reader->shift.x, reader->shift.y, reader->shift.z};
    for (int k = 0; k < def.dim; ++k) {
        def.position[k] += shift[def.axes[k]];
    }
    hf_body_note note = {.name = node->key,
                         .id = hf_spec_add_mass(reader->spec, &def, reader->error),
                         .type = HF_BODY_MASS,
                         .dim = def.dim,
                         .axes = {def.axes[0], def.axes[1], def.axes[2]},
                         .orientation = {.w = 1}};
    return note.id.id != 0 ? hf_reader_add_body(reader, &note) &&
                                 hf_read_draw(reader, node, note.id, hf_v3(0, 0, 0))
                           : hf_reader_pass_member(reader, node);
}

// Mass, inertia and center of a rigid body, from what is given and from its shapes. The keys of the
// body refer to the frame in which it is drawn; *center is where its center of mass is there.
static bool weigh_rigid(hf_reader *reader, const hf_node *node, const hf_body_shapes *shapes,
                        hf_rigid_def *def, hf_vec3 *center)
{
    const hf_node *mass = hf_node_get(node, "mass"), *inertia = hf_node_get(node, "inertia"),
                  *center_node = hf_node_get(node, "center");
    // What is given
    def->mass = 0.0;
    if ((mass == NULL && !shapes->weighed && hf_read_need(reader, node, "mass") == NULL) ||
        (mass != NULL && !hf_read_number(reader, mass, HF_RANGE_POSITIVE, &def->mass)) ||
        (inertia != NULL && !hf_read_inertia(reader, inertia, &def->inertia)) ||
        !hf_read_vec3_item(reader, node, "center", center)) {
        return false;
    }
    if (mass == NULL && (inertia != NULL || center_node != NULL)) {
        return hf_reader_fail_key(reader, inertia != NULL ? inertia : center_node, HF_ERROR_INPUT,
                                  "mass, inertia and center follow from the densities of the "
                                  "shapes; give mass too, or leave this out");
    }
    if (inertia != NULL) {
        return hf_refuse_weights(reader, node, "the body has a mass and an inertia");
    }
    // The rest follows from the shapes, if there are any
    if (!shapes->given || (shapes->count == 0 && shapes->shape.type == HF_SHAPE_POINT)) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                                  "inertia is missing, and there is no shape to take it from");
    }
    if (center_node != NULL) {
        return hf_reader_fail_key(reader, center_node, HF_ERROR_INPUT,
                                  "center goes with inertia; without it both follow from the "
                                  "shapes");
    }
    if (shapes->count == 0) {
        def->inertia = hf_shape_inertia(shapes->shape, def->mass);
        return true;
    }
    hf_mass_properties m;
    if (!hf_weigh_shapes(reader, node, shapes, def->mass, &m)) {
        return false;
    }
    def->mass = m.mass;
    def->inertia = m.inertia;
    *center = m.center;
    return true;
}

static bool read_rigid(hf_reader *reader, const hf_node *node)
{
    static const char *const keys[] = {"type",     "mass",        "inertia",  "shape",
                                       "position", "orientation", "velocity", "angular_velocity",
                                       "draw",     "shapes",      "center"};
    hf_rigid_def def = hf_rigid_def_default();
    hf_body_shapes shapes;
    hf_vec3 center = {0};
    def.name = node->key;
    const hf_node *orientation = hf_node_get(node, "orientation");
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        !hf_read_body_shapes(reader, node, &shapes) ||
        !weigh_rigid(reader, node, &shapes, &def, &center) ||
        (orientation != NULL && !hf_read_orientation(reader, orientation, &def.orientation)) ||
        !hf_read_vec3_item(reader, node, "position", &def.position) ||
        !hf_read_vec3_item(reader, node, "velocity", &def.velocity) ||
        !hf_read_vec3_item(reader, node, "angular_velocity", &def.spin)) {
        return false;
    }
    def.shape = shapes.shape;
    def.position = hf_v3_add(def.position, reader->shift);
    if (hf_v3_norm(center) > 0.0) {
        hf_mat3 turn = hf_quat_rotation(def.orientation);
        def.position = hf_v3_add(def.position, hf_m3_mulv(&turn, center));
    }
    hf_body_note note = {.name = node->key,
                         .id = hf_spec_add_rigid(reader->spec, &def, reader->error),
                         .type = HF_BODY_RIGID,
                         .shape = def.shape,
                         .orientation = def.orientation};
    return note.id.id != 0 ? hf_add_body_shapes(reader, node, &shapes, center, &note) &&
                                 hf_reader_add_body(reader, &note) &&
                                 hf_read_draw(reader, node, note.id, center)
                           : hf_reader_pass_member(reader, node);
}

// Scenery.
static bool read_static(hf_reader *reader, const hf_node *node)
{
    static const char *const keys[] = {"type",        "shape", "shape_center", "position",
                                       "orientation", "draw",  "shapes"};
    hf_static_def def = hf_static_def_default();
    hf_body_shapes shapes;
    def.name = node->key;
    const hf_node *orientation = hf_node_get(node, "orientation");
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        (hf_node_get(node, "shapes") == NULL && hf_read_need(reader, node, "shape") == NULL) ||
        !hf_read_body_shapes(reader, node, &shapes) ||
        !hf_read_vec3_item(reader, node, "shape_center", &def.shape_center) ||
        !hf_read_vec3_item(reader, node, "position", &def.position) ||
        (orientation != NULL && !hf_read_orientation(reader, orientation, &def.orientation))) {
        return false;
    }
    // It has a shape or shapes
    if (!hf_refuse_weights(reader, node, "a static body does not weigh")) {
        return false;
    }
    const hf_node *shape_center = hf_node_get(node, "shape_center");
    if (shapes.shape.type == HF_SHAPE_POINT && shapes.count == 0) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT, "it needs a shape");
    }
    if (shape_center != NULL && hf_node_get(node, "shapes") != NULL) {
        return hf_reader_fail_key(reader, shape_center, HF_ERROR_INPUT,
                                  "shape_center goes with shape; shapes have a position each");
    }
    // Into the spec, and what readers of forces ask
    def.shape = shapes.shape;
    def.position = hf_v3_add(def.position, reader->shift);
    hf_body_note note = {.name = node->key,
                         .id = hf_spec_add_static(reader->spec, &def, reader->error),
                         .type = HF_BODY_STATIC,
                         .shape = def.shape,
                         .shape_center = def.shape_center,
                         .orientation = def.orientation};
    hf_vec3 back = hf_v3_scale(-1.0, def.shape_center);
    return note.id.id != 0 ? hf_add_body_shapes(reader, node, &shapes, back, &note) &&
                                 hf_reader_add_body(reader, &note) &&
                                 hf_read_draw(reader, node, note.id, hf_v3(0, 0, 0))
                           : hf_reader_pass_member(reader, node);
}

// `position:` (with `rate:`, if known) or `velocity:` (from `start:`).
static bool read_motion(hf_reader *reader, const hf_node *node, hf_driven_def *def)
{
    const hf_node *position = hf_node_get(node, "position"), *rate = hf_node_get(node, "rate");
    const hf_node *velocity = hf_node_get(node, "velocity"), *start = hf_node_get(node, "start");
    if ((position == NULL) == (velocity == NULL)) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                                  "a driven body needs position or velocity, %s",
                                  position == NULL ? "and has neither" : "not both");
    }
    if (position != NULL && start != NULL) {
        return hf_reader_fail_key(reader, start, HF_ERROR_INPUT, "start goes with velocity only");
    }
    if (velocity != NULL && rate != NULL) {
        return hf_reader_fail_key(reader, rate, HF_ERROR_INPUT, "rate goes with position only");
    }
    def->by_velocity = velocity != NULL;
    def->has_rate = rate != NULL;
    char *motion_name = hf_reader_join(reader, node->key, ".motion");
    char *rate_name = hf_reader_join(reader, node->key, ".motion-rate");
    return motion_name != NULL && rate_name != NULL &&
           hf_read_values(reader, velocity != NULL ? velocity : position, def->dim, motion_name,
                          def->motion) &&
           (rate == NULL || hf_read_values(reader, rate, def->dim, rate_name, def->rate)) &&
           (start == NULL || hf_read_numbers(reader, start, def->dim, def->start));
}

// `follow:`: the coordinates of a mass or joint, which have been read already.
static bool read_follow(hf_reader *reader, const hf_node *follow, hf_driven_def *def)
{
    static const char *const others[] = {"position", "rate", "velocity", "start"};
    hf_place leader;
    for (int i = 0; i < HF_COUNT(others); ++i) {
        const hf_node *other = hf_node_get(follow->parent, others[i]);
        if (other != NULL) {
            return hf_reader_fail_key(reader, other, HF_ERROR_INPUT,
                                      "a body that follows another has no %s of its own",
                                      others[i]);
        }
    }
    if (!hf_read_place(reader, follow, &leader)) {
        return false;
    }
    if (leader.body == NULL) {
        return hf_reader_fail(reader, follow, HF_ERROR_INPUT, "the world does not move");
    }
    def->follow = (hf_coordinate){leader.body->id, leader.axis < 0 ? 0 : leader.axis};
    return true;
}

// `angle:` about `axis:`, or `angles: [roll, pitch, yaw]`; `orientation:` at zero angles.
static bool read_turns(hf_reader *reader, const hf_node *node, hf_driven_def *def)
{
    const hf_node *one = hf_node_get(node, "angle"), *three = hf_node_get(node, "angles");
    const hf_node *axis = hf_node_get(node, "axis");
    const hf_node *orientation = hf_node_get(node, "orientation");
    char *name = hf_reader_join(reader, node->key, ".turn");
    if (one != NULL && three != NULL) {
        return hf_reader_fail_key(reader, three, HF_ERROR_INPUT,
                                  "a driven body has an angle or angles, not both");
    }
    if (axis != NULL && one == NULL) {
        return hf_reader_fail_key(reader, axis, HF_ERROR_INPUT, "axis goes with angle");
    }
    def->angle_count = one != NULL ? 1 : three != NULL ? 3 : 0;
    return name != NULL && (axis == NULL || hf_read_direction(reader, axis, &def->axis)) &&
           (orientation == NULL || hf_read_orientation(reader, orientation, &def->orientation)) &&
           (def->angle_count == 0 ||
            hf_read_values(reader, one != NULL ? one : three, def->angle_count, name, def->angles));
}

static bool read_driven(hf_reader *reader, const hf_node *node)
{
    static const char *const keys[] = {"type",     "dim",   "axes",        "position", "rate",
                                       "velocity", "start", "follow",      "draw",     "angle",
                                       "angles",   "axis",  "orientation", "shape",    "shapes"};
    hf_body_shapes shapes;
    const hf_node *follow = hf_node_get(node, "follow");
    hf_driven_def def = hf_driven_def_default();
    def.name = node->key;
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        !read_axes(reader, node, &def.dim, def.axes) ||
        !hf_read_body_shapes(reader, node, &shapes) || !read_turns(reader, node, &def) ||
        !(follow != NULL ? read_follow(reader, follow, &def) : read_motion(reader, node, &def))) {
        return false;
    }
    if (!hf_refuse_weights(reader, node, "a driven body does not weigh")) {
        return false;
    }
    hf_shape_def plain = hf_shape_def_default(shapes.shape.type);
    if (shapes.count == 0 && shapes.shape.type != HF_SHAPE_POINT) {
        plain.name = "shape";
        plain.shape = shapes.shape;
        shapes.added = &plain;
        shapes.count = 1;
    }
    hf_body_note note = {.name = node->key,
                         .id = hf_spec_add_driven(reader->spec, &def, reader->error),
                         .type = HF_BODY_DRIVEN,
                         .dim = def.dim,
                         .axes = {def.axes[0], def.axes[1], def.axes[2]},
                         .orientation = def.orientation};
    return note.id.id != 0 ? hf_add_body_shapes(reader, node, &shapes, hf_v3(0, 0, 0), &note) &&
                                 hf_reader_add_body(reader, &note) &&
                                 hf_read_draw(reader, node, note.id, hf_v3(0, 0, 0))
                           : hf_reader_pass_member(reader, node);
}

static bool read_rotor(hf_reader *reader, const hf_node *node)
{
    static const char *const keys[] = {"type", "inertia", "position", "velocity"};
    hf_rotor_def def = hf_rotor_def_default();
    def.name = node->key;
    const hf_node *inertia;
    reader->motion = HF_MOTION_TURNS;
    bool read = hf_read_map(reader, node, keys, HF_COUNT(keys)) &&
                (inertia = hf_read_need(reader, node, "inertia")) != NULL &&
                hf_read_number(reader, inertia, HF_RANGE_POSITIVE, &def.inertia) &&
                hf_read_number_item(reader, node, "position", HF_RANGE_ANY, &def.position) &&
                hf_read_number_item(reader, node, "velocity", HF_RANGE_ANY, &def.velocity);
    reader->motion = HF_MOTION_STRAIGHT;
    if (!read) {
        return false;
    }
    hf_body_note note = {.name = node->key,
                         .id = hf_spec_add_rotor(reader->spec, &def, reader->error),
                         .type = HF_BODY_ROTOR,
                         .dim = 1,
                         .joint = HF_JOINT_REVOLUTE,
                         .orientation = {.w = 1}};
    return note.id.id != 0 ? hf_reader_add_body(reader, &note)
                           : hf_reader_pass_member(reader, node);
}

// The kinds by the word after `type:`, one line each.
typedef struct body_kind {
    const char *word;
    bool (*read)(hf_reader *reader, const hf_node *node);
    bool repeats; // `repeat:` makes copies of it
} body_kind;

static const body_kind KINDS[] = {
    {"mass", read_mass, true},     {"rigid", read_rigid, true},   {"driven", read_driven, false},
    {"tree", hf_read_tree, false}, {"static", read_static, true}, {"rotor", read_rotor, true},
};

static bool read_type(hf_reader *reader, const hf_node *node, const body_kind **kind)
{
    const char *words[HF_COUNT(KINDS)];
    for (int i = 0; i < HF_COUNT(KINDS); ++i) {
        words[i] = KINDS[i].word;
    }
    const hf_node *type_node;
    int type = 0;
    bool good = hf_read_kind(reader, node, HF_NODE_MAP, "a map") &&
                (type_node = hf_read_need(reader, node, "type")) != NULL &&
                hf_read_choice(reader, type_node, words, HF_COUNT(KINDS), &type);
    *kind = &KINDS[type];
    return good;
}

static bool read_body(hf_reader *reader, const hf_node *node)
{
    const body_kind *kind;
    hf_reader_enter(reader, "body", node->key);
    if (node->kind == HF_NODE_MAP && hf_node_get(node, "repeat") != NULL) {
        if (!read_type(reader, node, &kind)) {
            return false;
        }
        if (!kind->repeats) {
            return hf_reader_fail_key(
                reader, hf_node_get(node, "repeat"), HF_ERROR_UNSUPPORTED,
                "masses, rotors, rigid and static bodies can be repeated, trees and "
                "driven bodies cannot");
        }
        return hf_read_repeated(reader, node, read_body);
    }
    return hf_read_name(reader, node, node->key, true) &&
           hf_reader_add_item(reader, node->key, node, true) && read_type(reader, node, &kind) &&
           kind->read(reader, node);
}

// Bodies that follow others come after them, wherever they stand in the file.
bool hf_read_bodies(hf_reader *reader, const hf_node *section)
{
    if (!hf_read_kind(reader, section, HF_NODE_MAP, "a map of bodies by name")) {
        return false;
    }
    for (int followers = 0; followers < 2; ++followers) {
        for (const hf_node *node = section->first; node != NULL; node = node->next) {
            bool follows = node->kind == HF_NODE_MAP && hf_node_get(node, "follow") != NULL;
            if (follows == (followers == 1) && !read_body(reader, node)) {
                return false;
            }
        }
    }
    hf_reader_leave(reader);
    return true;
}
