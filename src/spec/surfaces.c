// SPDX-License-Identifier: Apache-2.0
// Shapes on bodies, what they weigh, materials, and pairs with numbers of their own.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "math/spatial.h"
#include "shapes/mesh.h"
#include "shapes/triangles.h"
#include "spec/spec_data.h"

// ------------------------------------------------------------------------------------------------
// Rules

static const char *const RULES[HF_RULE_COUNT] = {
    [HF_RULE_MAXIMUM] = "maximum",     [HF_RULE_MINIMUM] = "minimum",
    [HF_RULE_PRODUCT] = "product",     [HF_RULE_MEAN] = "mean",
    [HF_RULE_GEOMETRIC] = "geometric", [HF_RULE_HARMONIC] = "harmonic",
};

const char *hf_rule_name(hf_rule rule)
{
    return (unsigned)rule < HF_RULE_COUNT ? RULES[rule] : NULL;
}

hf_rule hf_rule_find(const char *name)
{
    int rule = 0;
    while (rule < HF_RULE_COUNT && strcmp(RULES[rule], name) != 0) {
        ++rule;
    }
    return (hf_rule)rule;
}

double hf_rule_apply(hf_rule rule, double a, double b)
{
    switch (rule) {
    case HF_RULE_MINIMUM:
        return fmin(a, b);
    case HF_RULE_PRODUCT:
        return a * b;
    case HF_RULE_MEAN:
        return 0.5 * (a + b);
    case HF_RULE_GEOMETRIC:
        return sqrt(a) * sqrt(b);
    case HF_RULE_HARMONIC:
        return a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
    case HF_RULE_MAXIMUM:
    case HF_RULE_COUNT:
        break;
    }
    return fmax(a, b);
}

hf_status hf_spec_set_rules(hf_spec *spec, hf_rule friction, hf_rule restitution, hf_error *error)
{
    if ((unsigned)friction >= HF_RULE_COUNT || (unsigned)restitution >= HF_RULE_COUNT) {
        return hf_error_set(error, HF_ERROR_INPUT, "unknown rule of combination");
    }
    spec->friction_rule = friction;
    spec->restitution_rule = restitution;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Surfaces

hf_surface hf_surface_default(void)
{
    return (hf_surface){NAN, NAN, NAN, NAN};
}

// A number that is not negative, or not given.
static hf_status check_told(double number, const char *member, double most, const char *what,
                            const char *name, hf_error *error)
{
    if (isnan(number) || (number >= 0.0 && number <= most && isfinite(number))) {
        return HF_OK;
    }
    return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, member),
                       most < 2.0 ? "%s must be between 0 and 1, got %g"
                                  : "%s must not be negative, got %g",
                       member, number);
}

static hf_status check_surface(const hf_surface *s, const char *what, const char *name,
                               hf_error *error)
{
    HF_TRY(check_told(s->friction, "friction", HUGE_VAL, what, name, error));
    HF_TRY(check_told(s->restitution, "restitution", 1.0, what, name, error));
    HF_TRY(check_told(s->spin_friction, "spin_friction", HUGE_VAL, what, name, error));
    return check_told(s->rolling_friction, "rolling_friction", HUGE_VAL, what, name, error);
}

static hf_status check_weight(double number, const char *member, const char *what, const char *name,
                              hf_error *error)
{
    if (number >= 0.0 && isfinite(number)) {
        return HF_OK;
    }
    return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, member),
                       "%s must not be negative, got %g", member, number);
}

hf_material_def hf_material_def_default(void)
{
    return (hf_material_def){.surface = hf_surface_default()};
}

hf_material hf_spec_add_material(hf_spec *spec, const hf_material_def *def, hf_error *error)
{
    const hf_material none = {0};
    const char *name = def->name == NULL ? "" : def->name;
    // Numbers
    if (check_surface(&def->surface, "material", name, error) < 0 ||
        check_weight(def->density, "density", "material", name, error) < 0) {
        return none;
    }
    // Room, and a name that is free
    if (spec->material_count >= HF_MATERIALS_MOST) {
        hf_error_at(error, HF_ERROR_RANGE, hf_at("material", name), "there can be %d materials",
                    HF_MATERIALS_MOST);
        return none;
    }
    void *grown = hf_grow(spec->materials, spec->material_count, &spec->material_capacity,
                          sizeof *spec->materials);
    if (grown == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    spec->materials = grown;
    const char *kept =
        hf_spec_take_name(spec, def->name, HF_NAME_MATERIAL, spec->material_count, error);
    if (kept == NULL) {
        return none;
    }
    spec->materials[spec->material_count] = *def;
    spec->materials[spec->material_count].name = kept;
    spec->material_count += 1;
    return (hf_material){(int)spec->material_count};
}

hf_material hf_spec_find_material(const hf_spec *spec, const char *name)
{
    return (hf_material){hf_names_find_kind(&spec->names, HF_NAME_MATERIAL, name) + 1};
}

hf_material_def hf_spec_material(const hf_spec *spec, hf_material material)
{
    HF_ASSERT(material.id >= 1 && (size_t)material.id <= spec->material_count);
    return spec->materials[material.id - 1];
}

// ------------------------------------------------------------------------------------------------
// Shapes on bodies

hf_shape_def hf_shape_def_default(hf_shape_type type)
{
    return (hf_shape_def){.shape = {.type = type},
                          .surface = hf_surface_default(),
                          .group = 1,
                          .mask = 1,
                          .friction_across = NAN,
                          .friction_direction = {1.0, 0.0, 0.0}};
}

static hf_mat3 turn_of(const hf_shape *shape)
{
    return hf_quat_norm(shape->turn) == 0.0 ? hf_m3_identity() : hf_quat_rotation(shape->turn);
}

// The center of a shape: of a mesh as it was drawn that is where its center of mass comes to lie.
static hf_vec3 center_of(const hf_shape_def *def)
{
    if (!def->drawn || def->shape.type != HF_SHAPE_MESH || def->shape.mesh == NULL) {
        return def->center;
    }
    hf_mat3 turn = turn_of(&def->shape);
    return hf_v3_add(def->center, hf_m3_mulv(&turn, def->shape.mesh->center));
}

// Where it weighs: triangles have a frame of their own.
static hf_vec3 weight_of(const hf_shape_def *def)
{
    if (def->shape.type != HF_SHAPE_TRIANGLES || def->shape.triangles == NULL) {
        return center_of(def);
    }
    hf_mat3 turn = turn_of(&def->shape);
    return hf_v3_add(def->center, hf_m3_mulv(&turn, def->shape.triangles->center));
}

// I about a point d away, of a mass m: I + m (d.d 1 - d d').
static hf_sym3 shifted(hf_sym3 i, double m, hf_vec3 d)
{
    double square = hf_v3_dot(d, d);
    return (hf_sym3){i.xx + m * (square - d.x * d.x),
                     i.yy + m * (square - d.y * d.y),
                     i.zz + m * (square - d.z * d.z),
                     i.xy - m * d.x * d.y,
                     i.xz - m * d.x * d.z,
                     i.yz - m * d.y * d.z};
}

hf_mass_properties hf_shapes_mass(const hf_shape_def *shapes, int count)
{
    hf_mass_properties sum = {0};
    hf_vec3 moment = {0};
    for (int i = 0; i < count; ++i) {
        const hf_shape_def *s = &shapes[i];
        double mass = s->mass > 0.0 ? s->mass : s->density * hf_shape_volume(s->shape);
        sum.mass += mass;
        moment = hf_v3_axpy(moment, mass, weight_of(s));
    }
    if (!(sum.mass > 0.0)) {
        return sum;
    }
    sum.center = hf_v3_scale(1.0 / sum.mass, moment);
    for (int i = 0; i < count; ++i) {
        const hf_shape_def *s = &shapes[i];
        double mass = s->mass > 0.0 ? s->mass : s->density * hf_shape_volume(s->shape);
        hf_sym3 own =
            shifted(hf_shape_inertia(s->shape, mass), mass, hf_v3_sub(weight_of(s), sum.center));
        sum.inertia =
            (hf_sym3){sum.inertia.xx + own.xx, sum.inertia.yy + own.yy, sum.inertia.zz + own.zz,
                      sum.inertia.xy + own.xy, sum.inertia.xz + own.xz, sum.inertia.yz + own.yz};
    }
    return sum;
}

static hf_status check_grain(const hf_shape_def *def, const char *name, hf_error *error)
{
    for (int k = 0; k < 2; ++k) {
        if (!(def->slip[k] >= 0.0 && isfinite(def->slip[k]))) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("body", name, "slip"),
                               "slip must not be negative, got %g", def->slip[k]);
        }
    }
    if (isnan(def->friction_across) && def->slip[0] == def->slip[1]) {
        return HF_OK;
    }
    HF_TRY(
        hf_check_numbers(&def->friction_direction.x, 3, "body", name, "friction_direction", error));
    if (!(hf_v3_norm(def->friction_direction) > 0.0)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("body", name, "friction_direction"),
                           "friction_direction must be a direction");
    }
    if (!isnan(def->friction_across) &&
        !(def->friction_across >= 0.0 && isfinite(def->friction_across))) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("body", name, "friction_across"),
                           "friction_across must not be negative, got %g", def->friction_across);
    }
    return HF_OK;
}

static hf_status check_shape_def(const hf_spec *spec, const hf_spec_body *body,
                                 const hf_shape_def *def, hf_error *error)
{
    const char *name = body->name;
    const hf_body_ops *ops = hf_body_ops_of(body->type);
    if (!ops->shaped) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member("body", name, "shapes"),
                           "rigid bodies, links, static and driven bodies have shapes, a body of "
                           "type %s has none",
                           hf_body_ops_of(body->type)->name);
    }
    // The solid
    HF_TRY(ops->scenery ? hf_check_shape(&def->shape, "body", name, error)
                        : hf_check_moving_shape(&def->shape, "body", name, error));
    if (def->shape.type == HF_SHAPE_POINT) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("body", name, "shapes"),
                           "a point is no shape to add");
    }
    HF_TRY(hf_check_numbers(&def->center.x, 3, "body", name, "shapes: position", error));
    // Its surface, and how that moves
    HF_TRY(hf_check_numbers(&def->belt.x, 3, "body", name, "surface_velocity", error));
    HF_TRY(hf_check_numbers(&def->belt_spin.x, 3, "body", name, "surface_spin", error));
    if (def->has_belt_speed) {
        HF_TRY(hf_check_value(spec, def->belt_speed, "body", name, "surface_speed", error));
        if (!(hf_v3_norm(def->belt) + hf_v3_norm(def->belt_spin) > 0.0)) {
            return hf_error_at(
                error, HF_ERROR_INPUT, hf_at_member("body", name, "surface_speed"),
                "surface_speed multiplies surface_velocity and surface_spin, which are zero");
        }
    }
    HF_TRY(check_grain(def, name, error));
    HF_TRY(check_weight(def->density, "density", "body", name, error));
    HF_TRY(check_weight(def->mass, "mass", "body", name, error));
    if (def->material.id < 0 || (size_t)def->material.id > spec->material_count) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("body", name, "material"),
                           "no such material");
    }
    return check_surface(&def->surface, "body", name, error);
}

// Room for the full name of a shape.
enum { SHAPE_NAME_SIZE = 512 };

// "BODY.SHAPE", or "BODY.3" for the third of them.
static hf_status name_shape(const hf_spec *spec, hf_body body, const char *own, char *full,
                            size_t size, hf_error *error)
{
    const char *name = spec->bodies[body.id - 1].name;
    if (own != NULL && (own[0] == '\0' || strchr(own, '.') != NULL)) {
        return hf_error_at(error, HF_ERROR_NAME, hf_at_member("body", name, "shapes"),
                           "the name of a shape has letters and no dots, got '%.60s'", own);
    }
    int length =
        own != NULL ? snprintf(full, size, "%s.%s", name, own)
                    : snprintf(full, size, "%s.%d", name, hf_spec_body_shape_count(spec, body) + 1);
    return length > 0 && (size_t)length < size
               ? HF_OK
               : hf_error_at(error, HF_ERROR_NAME, hf_at("body", name), "the name is too long");
}

// The driven body that runs as fast as a shape's surface: "BODY.surface" of a body with one shape,
// else "BODY.SHAPE.surface". shape: its full name.
static hf_status add_belt_drive(hf_spec *spec, const char *shape, hf_shape_def *def,
                                hf_error *error)
{
    static const char only[] = ".shape";
    char name[SHAPE_NAME_SIZE + sizeof ".surface"];
    size_t length = strlen(shape), tail = sizeof only - 1;
    if (length > tail && strcmp(shape + length - tail, only) == 0) {
        length -= tail;
    }
    (void)snprintf(name, sizeof name, "%.*s.surface", (int)length, shape);
    hf_driven_def drive = hf_driven_def_default();
    drive.name = name;
    drive.by_velocity = true;
    drive.motion[0] = def->belt_speed;
    hf_body body = hf_spec_add_driven(spec, &drive, error);
    def->belt_drive = body.id;
    if (body.id == 0) {
        return HF_ERROR_INPUT;
    }
    // Pages show the surface that it moves
    hf_draw draw = hf_draw_default();
    draw.type = HF_DRAW_NONE;
    return hf_spec_set_draw(spec, body, &draw, error);
}

hf_status hf_spec_add_shape(hf_spec *spec, hf_body body, const hf_shape_def *def, hf_error *error)
{
    char full[SHAPE_NAME_SIZE];
    // Whether it can be
    if (body.id < 1 || (size_t)body.id > spec->body_count) {
        return hf_error_set(error, HF_ERROR_INPUT, "shape: no such body");
    }
    HF_TRY(check_shape_def(spec, &spec->bodies[body.id - 1], def, error));
    HF_TRY(name_shape(spec, body, def->name, full, sizeof full, error));
    hf_spec_shape *grown =
        hf_grow(spec->shapes, spec->shape_count, &spec->shape_capacity, sizeof *spec->shapes);
    if (grown == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    spec->shapes = grown;
    // A copy with a name, and with what moves its surface
    hf_spec_shape shape = {.body = body.id, .def = *def};
    shape.def.center = center_of(def);
    shape.def.drawn = false;
    if (!hf_shape_keep(&spec->arena, &shape.def.shape)) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    shape.def.name = hf_spec_take_name(spec, full, HF_NAME_SHAPE, spec->shape_count, error);
    if (shape.def.name == NULL) {
        return HF_ERROR_NAME;
    }
    if (def->has_belt_speed) {
        HF_TRY(add_belt_drive(spec, full, &shape.def, error));
    }
    spec->shapes[spec->shape_count++] = shape;
    spec->bodies[body.id - 1].shape_count += 1;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Pairs

hf_pair_def hf_pair_def_default(void)
{
    return (hf_pair_def){.surface = hf_surface_default()};
}

static hf_status find_end(const hf_spec *spec, const char *name, hf_pair_end *end, hf_error *error)
{
    const char *what = name == NULL ? "" : name;
    int shape = hf_names_find_kind(&spec->names, HF_NAME_SHAPE, what);
    *end = (hf_pair_end){.material = hf_spec_find_material(spec, what).id,
                         .body = shape >= 0 ? spec->shapes[shape].body
                                            : hf_spec_find_body(spec, what).id,
                         .shape = shape};
    if (end->material == 0 && end->body == 0) {
        return hf_error_at(error, HF_ERROR_NAME, hf_at("pair", what),
                           "it is no material, no body and no shape of one");
    }
    return HF_OK;
}

hf_status hf_spec_add_pair(hf_spec *spec, const hf_pair_def *def, hf_error *error)
{
    hf_spec_pair pair = {.surface = def->surface, .never = def->never, .always = def->always};
    HF_TRY(find_end(spec, def->a, &pair.ends[0], error));
    HF_TRY(find_end(spec, def->b, &pair.ends[1], error));
    HF_TRY(check_surface(&def->surface, "pair", def->a, error));
    if (def->never && def->always) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("pair", def->a),
                           "two things touch never or always, not both");
    }
    if (pair.ends[0].body != 0 && pair.ends[0].body == pair.ends[1].body) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("pair", def->a),
                           "shapes of one body do not touch each other");
    }
    hf_spec_pair *grown =
        hf_grow(spec->pairs, spec->pair_count, &spec->pair_capacity, sizeof *spec->pairs);
    if (grown == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    spec->pairs = grown;
    spec->pairs[spec->pair_count++] = pair;
    return HF_OK;
}
