// SPDX-License-Identifier: Apache-2.0
// `type: contact`: points, spheres and boxes on planes, spheres on spheres; `type: joint`: two
// frames held together.
#include <stdio.h>
#include <string.h>

#include <holdfast/coupling.h>

#include "math/turn.h"
#include "models/forces.h"
#include "shapes/mesh.h"
#include "sim/method_info.h"

static hf_quat conjugate(hf_quat q)
{
    return (hf_quat){q.w, -q.x, -q.y, -q.z};
}

// ------------------------------------------------------------------------------------------------
// Contacts

// `velocity:` of a plane in the world, a conveyor: the plane is on a driven body NAME.surface.
static bool add_surface(hf_reader *reader, const hf_node *node, const char *name, hf_frame *frame)
{
    hf_driven_def def = hf_driven_def_default();
    def.dim = 3;
    def.axes[0] = 0;
    def.axes[1] = 1;
    def.axes[2] = 2;
    def.by_velocity = true;
    def.name = hf_reader_join(reader, name, ".surface");
    char *hidden = hf_reader_join(reader, name, ".surface.velocity");
    if (def.name == NULL || hidden == NULL ||
        !hf_read_values(reader, node, 3, hidden, def.motion)) {
        return false;
    }
    frame->body = hf_spec_add_driven(reader->spec, &def, reader->error);
    return frame->body.id != 0 || hf_reader_pass(reader, node, true);
}

static bool read_plane(hf_reader *reader, const hf_node *node, const char *name, hf_frame *frame)
{
    static const char *const keys[] = {"point", "normal", "body", "velocity"};
    const hf_body_note *body = NULL;
    if (node == NULL) { // z = 0, up
        return true;
    }
    const hf_node *normal = hf_node_get(node, "normal");
    hf_vec3 up = hf_v3(0, 0, 1);
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        !hf_read_vec3_item(reader, node, "point", &frame->point) ||
        (normal != NULL && !hf_read_direction(reader, normal, &up)) ||
        !hf_read_body(reader, hf_node_get(node, "body"), &body)) {
        return false;
    }
    frame->turn = hf_quat_from_z(up);
    const hf_node *velocity = hf_node_get(node, "velocity");
    if (body != NULL && velocity != NULL) {
        return hf_reader_fail_key(reader, velocity, HF_ERROR_INPUT,
                                  "velocity is of a plane in the world; this one moves with '%s'",
                                  body->name);
    }
    if (body != NULL) {
        frame->body = body->id;
    }
    return velocity == NULL || add_surface(reader, velocity, name, frame);
}

// A plane of a body that the same body touches in a `collide` would carry it twice.
static bool check_plane_body(hf_reader *reader, const hf_node *item, const hf_node *plane,
                             const hf_force_def *def, const hf_body_note *on)
{
    hf_body members[2] = {on->id, def->coupling.to_frame.body};
    const hf_coupling_def pair = {.members = members, .member_count = 2};
    bool shares = false;
    if (hf_node_get(plane, "body") == NULL) {
        return true;
    }
    if (!hf_shares_pairs(reader, item, &pair, true, &shares)) {
        return false;
    }
    return !shares || hf_reader_fail_key(reader, plane, HF_ERROR_INPUT,
                                         "'%s' and the body of this plane touch in a collide as "
                                         "well; name the pair in its except",
                                         on->name);
}

// `to:` another body: two spheres, which every method runs, or two shapes of any kind.
static bool read_other(hf_reader *reader, const hf_node *item, const hf_node *node,
                       const hf_body_note *on, const hf_shape *shape, hf_coupling_def *coupling)
{
    const hf_body_note *to = NULL;
    if (!hf_read_body(reader, node, &to)) {
        return false;
    }
    // Both have shapes
    bool on_has = shape->type != HF_SHAPE_POINT || on->added > 0;
    if (!on_has || to == NULL || (to->shape.type == HF_SHAPE_POINT && to->added == 0)) {
        return hf_reader_fail(reader, node, HF_ERROR_UNSUPPORTED,
                              "a contact goes between a body and a plane, or between two bodies "
                              "with shapes; %s has none",
                              on_has ? "'to'" : "'on'");
    }
    // The pair, which may belong to a `collide` as well
    hf_body *members = hf_arena_alloc(&reader->document->arena, 2, sizeof *members);
    if (members == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    members[0] = on->id;
    members[1] = to->id;
    hf_coupling_def pair = hf_coupling_def_default(HF_COUPLING_SHAPES);
    pair.members = members;
    pair.member_count = 2;
    pair.alone = true;
    bool shares = false;
    if (!hf_shares_pairs(reader, item, &pair, true, &shares)) {
        return false;
    }
    // Two spheres have a closed form
    if (shape->type == HF_SHAPE_SPHERE && to->shape.type == HF_SHAPE_SPHERE && !shares &&
        !hf_note_ops(to)->scenery && on->added == 0 && to->added == 0 && !hf_has_adhesion(reader)) {
        *coupling = hf_coupling_def_default(HF_COUPLING_SPHERES);
        coupling->to_frame.body = to->id;
        coupling->to_frame.point = to->shape_center;
        coupling->to_radius = to->shape.size.x;
        return true;
    }
    const hf_node *own = hf_node_get(item, "shape") != NULL ? hf_node_get(item, "shape")
                                                            : hf_node_get(item, "point");
    if (own != NULL) {
        return hf_reader_fail_key(reader, own, HF_ERROR_UNSUPPORTED,
                                  "a contact between two shapes takes those of the bodies");
    }
    // All others are a pair for the collider
    *coupling = pair;
    return true;
}

// The law when none is named: rigid-contact, unless a stiffness or damping is given and none of its
// own keys.
static const char *usual_law(const hf_node *item)
{
    static const char *const own[] = {
        "restitution",    "penetration",          "damping_time",  "filter_time",
        "impact_speed",   "tangent_damping_time", "spin_friction", "rolling_friction",
        "spin_stiffness", "rolling_stiffness"};
    for (int i = 0; i < HF_COUNT(own); ++i) {
        if (hf_node_get(item, own[i]) != NULL) {
            return "rigid-contact";
        }
    }
    const hf_node *stiffness = hf_node_get(item, "stiffness");
    bool number = stiffness != NULL && stiffness->kind == HF_NODE_SCALAR &&
                  strcmp(stiffness->text, "auto") != 0;
    bool damping =
        hf_node_get(item, "damping") != NULL || hf_node_get(item, "tangent_damping") != NULL;
    return number || damping ? "contact" : "rigid-contact";
}

bool hf_check_wishes(hf_reader *reader, const hf_node *item, const hf_law_info *law,
                     const void *def)
{
    if (law->exact != HF_EXACT_CONTACT) {
        return true;
    }
    const hf_rigid_contact_def *contact = def;
    const hf_node *restitution = hf_node_get(item, "restitution");
    const hf_node *penetration = hf_node_get(item, "penetration");
    if ((contact->damping_time > 0) != (contact->filter_time > 0)) {
        return hf_reader_fail_key(reader, item, HF_ERROR_INPUT,
                                  "damping_time and filter_time go together; give restitution "
                                  "instead to have both chosen");
    }
    if (restitution != NULL && contact->damping_time > 0) {
        return hf_reader_fail_key(reader, restitution, HF_ERROR_INPUT,
                                  "restitution follows from damping_time and filter_time; give "
                                  "either it or them");
    }
    if (penetration != NULL && contact->stiffness > 0) {
        return hf_reader_fail_key(reader, penetration, HF_ERROR_INPUT,
                                  "penetration follows from stiffness; give either");
    }
    return true;
}

// A contact with a plane at each of some points of a shape.
static bool add_at_points(hf_reader *reader, const hf_node *item, hf_force_def *def,
                          const hf_vec3 *points, int count)
{
    const char *name = def->name;
    for (int i = 0; i < count; ++i) {
        char suffix[16];
        (void)snprintf(suffix, sizeof suffix, ".%d", i + 1);
        def->coupling.on_frame.point = points[i];
        def->name = count == 1 ? name : hf_reader_join(reader, name, suffix);
        if (def->name == NULL || !hf_reader_add_force(reader, item, def)) {
            return false;
        }
    }
    return true;
}

bool hf_has_corners(const hf_shape *shape)
{
    return shape->type == HF_SHAPE_MESH && shape->mesh != NULL &&
           shape->mesh->vertex_count <= HF_MOST_CORNERS;
}

bool hf_add_contacts(hf_reader *reader, const hf_node *item, hf_force_def *def, hf_shape shape,
                     hf_vec3 center)
{
    hf_vec3 points[HF_MOST_CORNERS] = {center};
    int count = 1;
    hf_mat3 turn =
        hf_quat_rotation(hf_quat_norm(shape.turn) > 0.0 ? shape.turn : (hf_quat){.w = 1.0});
    // Where a shape can touch a plane: its corners, its ends, or its center
    if (shape.type == HF_SHAPE_BOX) {
        for (count = 0; count < 8; ++count) {
            hf_vec3 corner = hf_v3((count & 1 ? 0.5 : -0.5) * shape.size.x,
                                   (count & 2 ? 0.5 : -0.5) * shape.size.y,
                                   (count & 4 ? 0.5 : -0.5) * shape.size.z);
            points[count] = hf_v3_add(center, hf_m3_mulv(&turn, corner));
        }
    } else if (hf_has_corners(&shape)) {
        for (count = 0; count < shape.mesh->vertex_count; ++count) {
            hf_vec3 corner = hf_mesh_vertices(shape.mesh)[count];
            points[count] = hf_v3_add(center, hf_m3_mulv(&turn, corner));
        }
    } else if (shape.type == HF_SHAPE_CAPSULE) {
        for (count = 0; count < 2; ++count) {
            hf_vec3 end = hf_v3(0.0, 0.0, (count == 0 ? -0.5 : 0.5) * shape.size.z);
            points[count] = hf_v3_add(center, hf_m3_mulv(&turn, end));
        }
    } else if (shape.type != HF_SHAPE_POINT && shape.type != HF_SHAPE_SPHERE) {
        unsigned finding = 0;
        for (int i = 0; i < HF_METHOD_COUNT; ++i) {
            finding |= hf_method_info_get((hf_method_type)i)->shapes ? 1u << i : 0u;
        }
        char methods[120];
        hf_method_list(finding, " or ", methods, sizeof methods);
        return hf_reader_fail_key(reader, item, HF_ERROR_UNSUPPORTED,
                                  "a %s on a plane needs the plane as a body: 'to' a static body "
                                  "whose shape is a plane, under method %s",
                                  hf_shape_name(shape.type), methods);
    }
    // Round ones keep their distance
    bool round = shape.type == HF_SHAPE_SPHERE || shape.type == HF_SHAPE_CAPSULE;
    def->coupling.radius = round ? shape.size.x : 0.0;
    return add_at_points(reader, item, def, points, count);
}

bool hf_wants_turning(const hf_node *item)
{
    return hf_node_get(item, "spin_friction") != NULL ||
           hf_node_get(item, "rolling_friction") != NULL;
}

bool hf_read_contact(hf_reader *reader, const hf_node *item, const char *name)
{
    static const char *const keys[] = {"name",  "type",  "on",    "to",    "law",
                                       "plane", "shape", "point", "enable"};
    hf_force_def def = hf_force_def_default();
    def.name = name;
    def.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    const hf_law_info *law = hf_read_law_name(reader, item, HF_KIND_CONTACT, usual_law(item));
    const hf_node *on, *shape_node = hf_node_get(item, "shape"), *to = hf_node_get(item, "to");
    const hf_node *plane = hf_node_get(item, "plane");
    const hf_body_note *body = NULL;
    void *law_def = NULL;
    if (law == NULL || !hf_check_force_keys(reader, item, keys, HF_COUNT(keys), law) ||
        (on = hf_read_need(reader, item, "on")) == NULL || !hf_read_body(reader, on, &body)) {
        return false;
    }
    if (body == NULL) {
        return hf_reader_fail(reader, on, HF_ERROR_INPUT, "on must be a body, not the world");
    }
    static const hf_company company[] = {{"spin_stiffness", {"spin_friction"}},
                                         {"rolling_stiffness", {"rolling_friction"}}};
    if (to == NULL && !hf_check_company(reader, item, company, HF_COUNT(company))) {
        return false; // surfaces of two bodies may have such friction
    }
    // What touches: the body's shape, or another at a point of it
    hf_shape shape = body->shape;
    hf_vec3 center = body->shape_center;
    if ((shape_node != NULL && !hf_read_shape(reader, shape_node, &shape)) ||
        !hf_read_vec3_item(reader, item, "point", &center)) {
        return false;
    }
    if (to != NULL && plane != NULL) {
        return hf_reader_fail_key(reader, plane, HF_ERROR_INPUT,
                                  "a contact has a plane or 'to', not both");
    }
    // What it touches, and the law
    bool turning = hf_wants_turning(item);
    if (!(to != NULL ? read_other(reader, item, to, body, &shape, &def.coupling)
                     : read_plane(reader, plane, name, &def.coupling.to_frame)) ||
        !hf_read_law(reader, item, law, turning ? 6 : 3, &law_def) ||
        !hf_check_wishes(reader, item, law, law_def) || !hf_read_enable(reader, item, name, &def)) {
        return false;
    }
    def.law = law->type;
    def.def = law_def;
    def.coupling.turning = turning;
    if (plane != NULL && shape_node == NULL && !check_plane_body(reader, item, plane, &def, body)) {
        return false;
    }
    // Two solids are one force; a solid and a plane one for each point of contact
    if (hf_coupling_ops_of(&def.coupling)->finds_contacts) {
        return hf_reader_add_force(reader, item, &def);
    }
    if (body->added > 1 && shape_node == NULL) {
        return hf_reader_fail(reader, on, HF_ERROR_UNSUPPORTED,
                              "'%s' has %d shapes, and a contact with a plane has one; make the "
                              "plane a static body, and both members of a collide",
                              body->name, body->added);
    }
    def.coupling.on_frame.body = body->id;
    return hf_add_contacts(reader, item, &def, shape, center);
}

// ------------------------------------------------------------------------------------------------
// Penalty joints

// The frames of a joint: z along its axis, coinciding at t = 0 unless `to_axis` says otherwise.
static bool read_frames(hf_reader *reader, const hf_node *item, const hf_body_note *on,
                        const hf_body_note *to, hf_coupling_def *coupling)
{
    const hf_node *axis_node = hf_node_get(item, "axis"), *to_node = hf_node_get(item, "to_axis");
    hf_vec3 axis = hf_v3(0, 0, 1), to_axis = axis;
    if (!hf_read_vec3_item(reader, item, "point", &coupling->on_frame.point) ||
        !hf_read_vec3_item(reader, item, "to_point", &coupling->to_frame.point) ||
        (axis_node != NULL && !hf_read_direction(reader, axis_node, &axis)) ||
        (to_node != NULL && !hf_read_direction(reader, to_node, &to_axis))) {
        return false;
    }
    coupling->on_frame.body = on->id;
    coupling->on_frame.turn = hf_quat_from_z(axis);
    if (to != NULL) {
        coupling->to_frame.body = to->id;
    }
    if (to_node != NULL) {
        coupling->to_frame.turn = hf_quat_from_z(to_axis);
        return true;
    }
    if (hf_note_ops(on)->jointed || (to != NULL && hf_note_ops(to)->jointed)) {
        return hf_reader_fail_key(reader, item, HF_ERROR_INPUT,
                                  "to_axis is needed where a link of a tree is joined");
    }
    hf_quat to_world = to == NULL ? (hf_quat){.w = 1.0} : to->orientation;
    coupling->to_frame.turn =
        hf_quat_mul(conjugate(to_world), hf_quat_mul(on->orientation, coupling->on_frame.turn));
    return true;
}

// `torque:` about the axis of a joint, as a force of its own on the same coupling.
static bool add_torque(hf_reader *reader, const hf_node *item, const hf_force_def *joint)
{
    const hf_node *node = hf_node_get(item, "torque");
    if (node == NULL) {
        return true;
    }
    hf_force_def def = hf_force_def_default();
    char *name = hf_reader_join(reader, joint->name, ".torque");
    char *hidden = hf_reader_join(reader, joint->name, ".torque.value");
    if (name == NULL || hidden == NULL || !hf_read_value(reader, node, hidden, &def.values[5])) {
        return false;
    }
    def.name = name;
    def.law = HF_LAW_FORCE;
    def.coupling = joint->coupling;
    def.has_enable = joint->has_enable;
    def.enable = joint->enable;
    return hf_reader_add_force(reader, item, &def);
}

bool hf_read_penalty_joint(hf_reader *reader, const hf_node *item, const char *name)
{
    static const char *const keys[] = {"name",     "type", "on",      "to",     "law",    "point",
                                       "to_point", "axis", "to_axis", "torque", "normal", "enable"};
    hf_force_def def = hf_force_def_default();
    def.name = name;
    def.coupling = hf_coupling_def_default(HF_COUPLING_FRAMES);
    const hf_law_info *law = hf_read_law_name(reader, item, HF_KIND_JOINT, "joint");
    const hf_node *on_node;
    const hf_body_note *on = NULL, *to = NULL;
    void *law_def = NULL;
    // Its law and its two bodies
    if (law == NULL || !hf_check_force_keys(reader, item, keys, HF_COUNT(keys), law) ||
        (on_node = hf_read_need(reader, item, "on")) == NULL ||
        !hf_read_body(reader, on_node, &on) ||
        !hf_read_body(reader, hf_node_get(item, "to"), &to)) {
        return false;
    }
    if (on == NULL) {
        return hf_reader_fail(reader, on_node, HF_ERROR_INPUT, "on must be a body, not the world");
    }
    // Where it sits, and the numbers of its law
    static const hf_company company[] = {{"friction_stiffness", {"level"}},
                                         {"friction_damping", {"level"}}};
    if (!hf_check_company(reader, item, company, HF_COUNT(company)) ||
        !read_frames(reader, item, on, to, &def.coupling) ||
        !hf_read_law(reader, item, law, 6, &law_def) ||
        !hf_read_normal(reader, item, name, law, law_def, &def.normal) ||
        !hf_read_enable(reader, item, name, &def)) {
        return false;
    }
    def.law = law->type;
    def.def = law_def;
    return hf_reader_add_force(reader, item, &def) && add_torque(reader, item, &def);
}
