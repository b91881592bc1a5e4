// SPDX-License-Identifier: Apache-2.0
// hf_spec: bodies, trees and forces.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "math/vec.h"
#include "spec/spec_data.h"

// Two sides of a mass matrix are the same when they differ by this part of its diagonal: rounding.
#define SAME_SIDES 1e-12
// An axis shorter than this has no direction.
#define NO_AXIS 1e-12

static const char *label(const char *name)
{
    return name == NULL ? "" : name;
}

static hf_status check_mass(double mass, bool zero_allowed, const char *what, const char *name,
                            hf_error *error)
{
    if (!(zero_allowed ? mass >= 0.0 : mass > 0.0) || !isfinite(mass)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, "mass"),
                           "mass must %s, got %g kg",
                           zero_allowed ? "not be negative" : "be positive", mass);
    }
    return HF_OK;
}

// Appends a body under its full name.
static hf_body add_body(hf_spec *spec, const hf_spec_body *body, const char *name, hf_error *error)
{
    void *grown =
        hf_grow(spec->bodies, spec->body_count, &spec->body_capacity, sizeof *spec->bodies);
    if (grown == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_body){0};
    }
    spec->bodies = grown;
    const char *kept = hf_spec_take_name(spec, name, HF_NAME_BODY, spec->body_count, error);
    if (kept == NULL) {
        return (hf_body){0};
    }
    spec->bodies[spec->body_count] = *body;
    spec->bodies[spec->body_count].name = kept;
    spec->bodies[spec->body_count].draw = hf_draw_default();
    spec->body_count += 1;
    return (hf_body){(int)spec->body_count};
}

// ------------------------------------------------------------------------------------------------
// Masses, rigid bodies, driven bodies

hf_mass_def hf_mass_def_default(void)
{
    return (hf_mass_def){.dim = 3, .axes = {0, 1, 2}, .mass = 1.0};
}

hf_body hf_spec_add_mass(hf_spec *spec, const hf_mass_def *def, hf_error *error)
{
    const char *name = label(def->name);
    if (hf_check_axes(def->dim, def->axes, "mass", name, error) < 0 ||
        check_mass(def->mass, false, "mass", name, error) < 0 ||
        hf_check_numbers(def->position, def->dim, "mass", name, "position", error) < 0 ||
        hf_check_numbers(def->velocity, def->dim, "mass", name, "velocity", error) < 0) {
        return (hf_body){0};
    }
    return add_body(spec, &(hf_spec_body){.type = HF_BODY_MASS, .tree = -1, .mass = *def},
                    def->name, error);
}

hf_rigid_def hf_rigid_def_default(void)
{
    hf_shape sphere = {.type = HF_SHAPE_SPHERE, .size = {.x = 0.1}};
    return (hf_rigid_def){.mass = 1.0,
                          .inertia = hf_shape_inertia(sphere, 1.0),
                          .orientation = {.w = 1.0},
                          .shape = sphere};
}

hf_body hf_spec_add_rigid(hf_spec *spec, const hf_rigid_def *def, hf_error *error)
{
    const char *name = label(def->name);
    if (check_mass(def->mass, false, "rigid body", name, error) < 0 ||
        hf_check_moving_shape(&def->shape, "rigid body", name, error) < 0 ||
        hf_check_inertia(&def->inertia, true, false, "rigid body", name, error) < 0 ||
        hf_check_numbers(&def->position.x, 3, "rigid body", name, "position", error) < 0 ||
        hf_check_unit_quat(&def->orientation.w, "rigid body", name, "orientation", error) < 0 ||
        hf_check_numbers(&def->velocity.x, 3, "rigid body", name, "velocity", error) < 0 ||
        hf_check_numbers(&def->spin.x, 3, "rigid body", name, "angular velocity", error) < 0) {
        return (hf_body){0};
    }
    hf_spec_body body = {.type = HF_BODY_RIGID, .tree = -1, .rigid = *def};
    if (!hf_shape_keep(&spec->arena, &body.rigid.shape)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_body){0};
    }
    return add_body(spec, &body, def->name, error);
}

// What a kind of the caller's own must have.
static hf_status check_kind(const hf_body_def *def, const char *name, hf_error *error)
{
    const hf_body_kind *kind = def->kind;
    if (kind == NULL || kind->name == NULL || kind->axes == NULL || kind->mass == NULL ||
        (kind->def_size > 0 && def->def == NULL)) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "body '%s': its kind must have a name, axes and a mass, and the body "
                            "the definition that the kind asks for",
                            name);
    }
    if (kind->coordinates < 1 || kind->coordinates > HF_BODY_KIND_MOST) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "body '%s': kind '%s' has %d coordinates, 1 to %d can be", name,
                            kind->name, kind->coordinates, HF_BODY_KIND_MOST);
    }
    return HF_OK;
}

// M at the start must be symmetric and positive definite.
static hf_status check_kind_mass(const hf_body_def *def, const char *name, hf_error *error)
{
    double m[HF_BODY_KIND_MOST * HF_BODY_KIND_MOST] = {0.0};
    size_t n = (size_t)def->kind->coordinates;
    bool good = true;
    def->kind->mass(def->def, def->position, m);
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < i; ++k) {
            // As far as it was computed the same way on both sides.
            good = good && fabs(m[i * n + k] - m[k * n + i]) <=
                               SAME_SIDES * (fabs(m[i * n + i]) + fabs(m[k * n + k]));
        }
    }
    return good && hf_cholesky(m, n)
               ? HF_OK
               : hf_error_set(error, HF_ERROR_RANGE,
                              "body '%s': the mass matrix of kind '%s' is not symmetric and "
                              "positive definite at the start",
                              name, def->kind->name);
}

// `numbers` or zeros, kept. NULL: out of memory.
static const double *keep_numbers(hf_spec *spec, const double *numbers, int count)
{
    return numbers == NULL ? hf_arena_alloc(&spec->arena, (size_t)count, sizeof *numbers)
                           : hf_arena_copy(&spec->arena, numbers, (size_t)count, sizeof *numbers);
}

hf_body hf_spec_add_body(hf_spec *spec, const hf_body_def *def, hf_error *error)
{
    const char *name = label(def->name);
    if (check_kind(def, name, error) < 0) {
        return (hf_body){0};
    }
    int n = def->kind->coordinates;
    hf_spec_body body = {.type = HF_BODY_OWN, .tree = -1, .own = *def};
    body.own.position = keep_numbers(spec, def->position, n);
    body.own.velocity = keep_numbers(spec, def->velocity, n);
    if (def->kind->def_size > 0) {
        body.own.def = hf_arena_copy(&spec->arena, def->def, 1, def->kind->def_size);
    }
    if (body.own.position == NULL || body.own.velocity == NULL ||
        (def->kind->def_size > 0 && body.own.def == NULL)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_body){0};
    }
    if (hf_check_numbers(body.own.position, n, "body", name, "position", error) < 0 ||
        hf_check_numbers(body.own.velocity, n, "body", name, "velocity", error) < 0 ||
        check_kind_mass(&body.own, name, error) < 0) {
        return (hf_body){0};
    }
    hf_body id = add_body(spec, &body, def->name, error);
    if (id.id != 0) {
        spec->bodies[id.id - 1].draw.type = HF_DRAW_NONE;
    }
    return id;
}

hf_static_def hf_static_def_default(void)
{
    return (hf_static_def){.orientation = {.w = 1.0}, .shape = {.type = HF_SHAPE_PLANE}};
}

hf_body hf_spec_add_static(hf_spec *spec, const hf_static_def *def, hf_error *error)
{
    const char *name = label(def->name);
    if (hf_check_numbers(&def->position.x, 3, "static body", name, "position", error) < 0 ||
        hf_check_unit_quat(&def->orientation.w, "static body", name, "orientation", error) < 0 ||
        hf_check_numbers(&def->shape_center.x, 3, "static body", name, "shape center", error) < 0 ||
        hf_check_shape(&def->shape, "static body", name, error) < 0) {
        return (hf_body){0};
    }
    hf_spec_body body = {.type = HF_BODY_STATIC, .tree = -1, .fixed = *def};
    if (!hf_shape_keep(&spec->arena, &body.fixed.shape)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_body){0};
    }
    return add_body(spec, &body, def->name, error);
}

hf_driven_def hf_driven_def_default(void)
{
    return (hf_driven_def){
        .dim = 1, .axes = {0, 1, 2}, .axis = {0.0, 0.0, 1.0}, .orientation = {.w = 1.0}};
}

static hf_status check_follow(const hf_spec *spec, const hf_driven_def *def, const char *name,
                              hf_error *error)
{
    if (def->by_velocity) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("driven body", name),
                           "it can follow, or be driven by velocity, not both");
    }
    HF_TRY(hf_check_coordinate(spec, def->follow, def->dim, "driven body", name, "follow", error));
    if (spec->bodies[def->follow.body.id - 1].type == HF_BODY_DRIVEN) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("driven body", name, "follow"),
                           "it cannot follow a driven body; use its signals");
    }
    return HF_OK;
}

static hf_status check_turns(const hf_spec *spec, const hf_driven_def *def, const char *name,
                             hf_error *error)
{
    int count = def->angle_count;
    if (count != 0 && count != 1 && count != 3) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("driven body", name, "angles"),
                           "it has one angle or three, not %d", count);
    }
    if (count > 0 && (def->by_velocity || def->has_rate || def->follow.body.id != 0)) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member("driven body", name, "angles"),
                           "angles go with position alone, not with velocity, rate or follow");
    }
    if (count == 1 && !(hf_v3_norm(def->axis) > 0.0 && isfinite(hf_v3_norm(def->axis)))) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("driven body", name, "axis"),
                           "it must be a direction");
    }
    for (int i = 0; i < count; ++i) {
        HF_TRY(hf_check_value(spec, def->angles[i], "driven body", name, "angles", error));
    }
    return hf_check_unit_quat(&def->orientation.w, "driven body", name, "orientation", error);
}

hf_body hf_spec_add_driven(hf_spec *spec, const hf_driven_def *def, hf_error *error)
{
    const char *name = label(def->name);
    if (hf_check_axes(def->dim, def->axes, "driven body", name, error) < 0 ||
        hf_check_numbers(def->start, def->dim, "driven body", name, "start", error) < 0) {
        return (hf_body){0};
    }
    for (int i = 0; i < def->dim; ++i) {
        if (hf_check_value(spec, def->motion[i], "driven body", name, "motion", error) < 0 ||
            hf_check_value(spec, def->rate[i], "driven body", name, "rate", error) < 0) {
            return (hf_body){0};
        }
    }
    if (check_turns(spec, def, name, error) < 0 ||
        (def->follow.body.id != 0 && check_follow(spec, def, name, error) < 0)) {
        return (hf_body){0};
    }
    return add_body(spec, &(hf_spec_body){.type = HF_BODY_DRIVEN, .tree = -1, .driven = *def},
                    def->name, error);
}

// ------------------------------------------------------------------------------------------------
// Pictures

hf_draw hf_draw_default(void)
{
    return (hf_draw){.type = HF_DRAW_AUTO, .turn = {.w = 1.0}, .color = -1};
}

hf_status hf_spec_set_draw(hf_spec *spec, hf_body body, const hf_draw *draw, hf_error *error)
{
    if (body.id < 1 || (size_t)body.id > spec->body_count) {
        return hf_error_set(error, HF_ERROR_INPUT, "draw: no such body");
    }
    const char *name = spec->bodies[body.id - 1].name;
    const bool needs[3] = {draw->type >= HF_DRAW_SPHERE, draw->type == HF_DRAW_BOX,
                           draw->type >= HF_DRAW_BOX};
    const double sizes[3] = {draw->size.x, draw->size.y, draw->size.z};
    for (int i = 0; i < 3; ++i) {
        if (needs[i] && (!(sizes[i] > 0.0) || !isfinite(sizes[i]))) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("body", name, "draw"),
                               "draw: sizes must be positive, got %g", sizes[i]);
        }
    }
    HF_TRY(hf_check_numbers(&draw->center.x, 3, "body", name, "draw: center", error));
    HF_TRY(hf_check_unit_quat(&draw->turn.w, "body", name, "draw: orientation", error));
    if ((unsigned)draw->type > HF_DRAW_CAPSULE || draw->color < -1 || draw->color > 0xffffff) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("body", name, "draw"),
                           "draw: unknown type or color");
    }
    spec->bodies[body.id - 1].draw = *draw;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Trees

hf_tree hf_spec_add_tree(hf_spec *spec, const char *name, hf_error *error)
{
    void *grown = hf_grow(spec->trees, spec->tree_count, &spec->tree_capacity, sizeof *spec->trees);
    if (grown == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_tree){0};
    }
    spec->trees = grown;
    const char *kept = hf_spec_take_name(spec, name, HF_NAME_TREE, spec->tree_count, error);
    if (kept == NULL) {
        return (hf_tree){0};
    }
    spec->trees[spec->tree_count] = (hf_spec_tree){.name = kept};
    spec->tree_count += 1;
    return (hf_tree){(int)spec->tree_count};
}

int hf_joint_coordinates(hf_joint_type type)
{
    static const int counts[HF_JOINT_TYPE_COUNT] = {0, 1, 1, 4, 3, 7};
    return (unsigned)type < HF_JOINT_TYPE_COUNT ? counts[type] : 0;
}

int hf_joint_velocities(hf_joint_type type)
{
    static const int counts[HF_JOINT_TYPE_COUNT] = {0, 1, 1, 3, 3, 6};
    return (unsigned)type < HF_JOINT_TYPE_COUNT ? counts[type] : 0;
}

hf_joint_def hf_joint_def_default(hf_joint_type type)
{
    hf_joint_def def = {.type = type, .tilt = {.w = 1.0}, .axis = {.z = 1.0}};
    if (type == HF_JOINT_SPHERICAL) {
        def.position[0] = 1.0;
    } else if (type == HF_JOINT_FREE) {
        def.position[3] = 1.0;
    }
    return def;
}

static hf_status check_joint(const hf_spec *spec, hf_tree tree, const hf_joint_def *def,
                             const char *name, hf_error *error)
{
    if ((unsigned)def->type >= HF_JOINT_TYPE_COUNT) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("joint", name, "type"),
                           "unknown type");
    }
    bool known = def->parent.id >= 0 && (size_t)def->parent.id <= spec->body_count;
    if (!known || (def->parent.id != 0 && spec->bodies[def->parent.id - 1].tree != tree.id - 1)) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("joint", name),
                           "its parent is not in its tree");
    }
    HF_TRY(hf_check_numbers(&def->offset.x, 3, "joint", name, "offset", error));
    HF_TRY(hf_check_unit_quat(&def->tilt.w, "joint", name, "orientation", error));
    HF_TRY(hf_check_numbers(&def->axis.x, 3, "joint", name, "axis", error));
    bool has_axis = def->type == HF_JOINT_REVOLUTE || def->type == HF_JOINT_PRISMATIC;
    if (has_axis && !(hf_v3_norm(def->axis) > NO_AXIS)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("joint", name, "axis"),
                           "axis must not be zero");
    }
    HF_TRY(check_mass(def->mass, true, "joint", name, error));
    HF_TRY(hf_check_numbers(&def->center.x, 3, "joint", name, "center", error));
    HF_TRY(hf_check_inertia(&def->inertia, false, def->keep_inertia, "joint", name, error));
    if (!(def->armature >= 0.0) || !isfinite(def->armature) || (def->armature > 0.0 && !has_axis)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("joint", name, "armature"),
                           "armature must not be negative, and only revolute and prismatic joints "
                           "have one; got %g",
                           def->armature);
    }
    HF_TRY(hf_check_numbers(def->position, hf_joint_coordinates(def->type), "joint", name,
                            "position", error));
    HF_TRY(hf_check_numbers(def->velocity, hf_joint_velocities(def->type), "joint", name,
                            "velocity", error));
    if (def->type == HF_JOINT_SPHERICAL || def->type == HF_JOINT_FREE) {
        HF_TRY(hf_check_unit_quat(def->position + (def->type == HF_JOINT_FREE ? 3 : 0), "joint",
                                  name, "position", error));
    }
    HF_TRY(hf_check_numbers(&def->shape_center.x, 3, "joint", name, "shape center", error));
    return hf_check_moving_shape(&def->shape, "joint", name, error);
}

hf_body hf_spec_add_joint(hf_spec *spec, hf_tree tree, const hf_joint_def *def, hf_error *error)
{
    const char *name = label(def->name);
    if (tree.id < 1 || (size_t)tree.id > spec->tree_count) {
        hf_error_at(error, HF_ERROR_INPUT, hf_at("joint", name), "no such tree");
        return (hf_body){0};
    }
    if (name[0] == '\0' || strchr(name, '.') != NULL) {
        hf_error_at(error, HF_ERROR_NAME, hf_at("joint", name), "a name without dots is needed");
        return (hf_body){0};
    }
    if (check_joint(spec, tree, def, name, error) < 0) {
        return (hf_body){0};
    }
    char full[512];
    int length = snprintf(full, sizeof full, "%s.%s", spec->trees[tree.id - 1].name, name);
    if (length < 0 || (size_t)length >= sizeof full) {
        hf_error_at(error, HF_ERROR_NAME, hf_at("joint", name), "the name is too long");
        return (hf_body){0};
    }
    hf_spec_body body = {.type = HF_BODY_LINK, .tree = tree.id - 1, .joint = *def};
    if (!hf_shape_keep(&spec->arena, &body.joint.shape)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_body){0};
    }
    hf_body link = add_body(spec, &body, full, error);
    if (link.id != 0) {
        spec->trees[tree.id - 1].link_count += 1;
    }
    return link;
}

hf_status hf_check_body_masses(const hf_spec *spec, const hf_spec_body *body, hf_error *error)
{
    switch (body->type) {
    case HF_BODY_MASS:
        return check_mass(body->mass.mass, false, "mass", body->name, error);
    case HF_BODY_RIGID:
        HF_TRY(check_mass(body->rigid.mass, false, "rigid body", body->name, error));
        return hf_check_inertia(&body->rigid.inertia, true, false, "rigid body", body->name, error);
    case HF_BODY_LINK:
        return check_joint(spec, (hf_tree){body->tree + 1}, &body->joint, body->name, error);
    default:
        return HF_OK;
    }
}

// ------------------------------------------------------------------------------------------------
// Forces

hf_coupling_def hf_coupling_def_default(hf_coupling_type type)
{
    return (hf_coupling_def){
        .type = type, .dim = 1, .on_frame = {.turn = {.w = 1.0}}, .to_frame = {.turn = {.w = 1.0}}};
}

hf_force_def hf_force_def_default(void)
{
    return (hf_force_def){.coupling = hf_coupling_def_default(HF_COUPLING_COORDINATE),
                          .law = HF_LAW_SPRING};
}

// A law goes on couplings of its dimension; contact laws on planes, joint laws on frames.
static hf_status check_law(const hf_force_def *def, const hf_law_info *info, const char *name,
                           hf_error *error)
{
    int dim = hf_coupling_dim(&def->coupling);
    bool contact_law = info->kind == HF_KIND_CONTACT;
    const hf_coupling_ops *ops = hf_coupling_ops_of(&def->coupling);
    bool touches = ops->contact;
    bool spins = contact_law && dim == 6 && info->max_dim < 6;
    if (contact_law != touches || spins ||
        (!contact_law && (dim < info->min_dim || dim > info->max_dim))) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_law(name, info->name, "law"),
                           "law '%s' does not go on a %s coupling of dimension %d", info->name,
                           ops->name, dim);
    }
    if (ops->keeps_pairs && info->exact != HF_EXACT_CONTACT) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': law '%s' does not go on a swarm: its pairs have the law "
                            "rigid-contact",
                            name, info->name);
    }
    if (info->needs_gap && !ops->has_gap) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_law(name, info->name, "law"),
                           "law '%s' needs a displacement, and a %s coupling has none", info->name,
                           ops->name);
    }
    hf_fault fault = {0};
    bool turning = touches && def->coupling.turning;
    if (info->check(def->def, turning ? 6 : dim, &fault) < 0) {
        return hf_error_at(
            error, HF_ERROR_RANGE,
            hf_at_law(name, info->name, fault.within != NULL ? fault.within : fault.member),
            "law '%s': %s%s%s %s, got %g", info->name, fault.within == NULL ? "" : fault.within,
            fault.within == NULL ? "" : ": ", fault.member == NULL ? "definition" : fault.member,
            fault.expected == NULL ? "is not valid" : fault.expected, fault.value);
    }
    return HF_OK;
}

static hf_status check_force(const hf_spec *spec, const hf_force_def *def, const char *name,
                             hf_error *error)
{
    HF_TRY(hf_check_coupling(spec, &def->coupling, name, error));
    if (def->law == HF_LAW_FORCE) {
        for (int i = 0; i < hf_coupling_dim(&def->coupling); ++i) {
            HF_TRY(hf_check_value(spec, def->values[i], "force", name, "value", error));
        }
        return HF_OK;
    }
    const hf_law_info *info = hf_spec_law(spec, def->law);
    if (info == NULL || def->def == NULL) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name), "%s",
                           info == NULL ? "unknown law" : "the law's definition is missing");
    }
    HF_TRY(check_law(def, info, name, error));
    for (int i = 0; i < info->input_count; ++i) {
        HF_TRY(hf_check_value(spec, def->values[i], "force", name, info->inputs[i].name, error));
    }
    if (def->normal.force.id < 0 || (size_t)def->normal.force.id > spec->force_count) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "normal"),
                           "normal: no such force");
    }
    HF_TRY(hf_check_load(spec, &def->normal, name, error));
    HF_TRY(hf_check_value(spec, def->normal.value, "force", name, "normal", error));
    if (def->normal.value.signal.id == 0 && !(def->normal.value.constant >= 0.0)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "normal"),
                           "normal must not be negative, got %g N", def->normal.value.constant);
    }
    return HF_OK;
}

hf_force hf_spec_add_force(hf_spec *spec, const hf_force_def *def, hf_error *error)
{
    const hf_force none = {0};
    if (check_force(spec, def, label(def->name), error) < 0) {
        return none;
    }
    void *grown =
        hf_grow(spec->forces, spec->force_count, &spec->force_capacity, sizeof *spec->forces);
    const hf_law_info *info = hf_spec_law(spec, def->law);
    void *copy = info == NULL ? NULL : hf_law_def_copy(&spec->arena, info, def->def);
    if (grown != NULL) {
        spec->forces = grown;
    }
    if (grown == NULL || (info != NULL && copy == NULL)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    const char *kept = hf_spec_take_name(spec, def->name, HF_NAME_FORCE, spec->force_count, error);
    if (kept == NULL) {
        return none;
    }
    spec->forces[spec->force_count] = *def;
    spec->forces[spec->force_count].name = kept;
    spec->forces[spec->force_count].def = copy;
    hf_coupling_def *coupling = &spec->forces[spec->force_count].coupling;
    if (!hf_coupling_keep(&spec->arena, coupling)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    spec->force_count += 1;
    return (hf_force){(int)spec->force_count};
}

hf_status hf_spec_set_law(hf_spec *spec, hf_force force, hf_law_type law, const void *def,
                          hf_error *error)
{
    HF_ASSERT(force.id >= 1 && (size_t)force.id <= spec->force_count);
    hf_force_def *kept = &spec->forces[force.id - 1], changed = *kept;
    changed.law = law;
    changed.def = def;
    HF_TRY(check_force(spec, &changed, kept->name, error));
    const hf_law_info *info = hf_spec_law(spec, law);
    changed.def = info == NULL ? NULL : hf_law_def_copy(&spec->arena, info, def);
    if (info != NULL && changed.def == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    *kept = changed;
    return HF_OK;
}
