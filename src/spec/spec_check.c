// SPDX-License-Identifier: Apache-2.0
// Checks of what goes into a description. Each message says what is wrong and what is expected.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "math/vec.h"
#include "spec/spec_data.h"

hf_status hf_check_finite(const double *numbers, int count, const char *what, const char *name,
                          const char *member, hf_error *error)
{
    for (int i = 0; i < count; ++i) {
        if (!isfinite(numbers[i])) {
            return hf_error_set(error, HF_ERROR_RANGE, "%s '%s': %s must be finite, got %g", what,
                                name, member, numbers[i]);
        }
    }
    return HF_OK;
}

hf_status hf_check_axes(int dim, const int *axes, const char *what, const char *name,
                        hf_error *error)
{
    if (dim < 1 || dim > 3) {
        return hf_error_set(error, HF_ERROR_RANGE, "%s '%s': dim must be 1, 2 or 3, got %d", what,
                            name, dim);
    }
    for (int i = 0; i < dim; ++i) {
        if (axes[i] < 0 || axes[i] > 2 || (i > 0 && axes[i] <= axes[i - 1])) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "%s '%s': axes must be different and in the order x, y, z", what,
                                name);
        }
    }
    return HF_OK;
}

// Whether the pivots of S + slack I are all positive.
static bool positive_definite(hf_sym3 s, double slack)
{
    s.xx += slack;
    s.yy += slack;
    s.zz += slack;
    return s.xx > 0.0 && s.xx * s.yy - s.xy * s.xy > 0.0 && hf_s3_determinant(&s) > 0.0;
}

hf_status hf_check_inertia(const hf_sym3 *inertia, bool definite, const char *what,
                           const char *name, hf_error *error)
{
    HF_TRY(hf_check_finite(&inertia->xx, 6, what, name, "inertia", error));
    double trace = inertia->xx + inertia->yy + inertia->zz;
    if (!definite && trace == 0.0 && inertia->xy == 0.0 && inertia->xz == 0.0 &&
        inertia->yz == 0.0) {
        return HF_OK;
    }
    if (!(trace > 0.0) || !positive_definite(*inertia, definite ? 0.0 : 1e-12 * trace)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "%s '%s': inertia must be positive definite, got diagonal %g, %g, %g",
                            what, name, inertia->xx, inertia->yy, inertia->zz);
    }
    // No mass distribution has a principal moment larger than the sum of the other two.
    hf_sym3 rest = {.xx = 0.5 * trace - inertia->xx,
                    .yy = 0.5 * trace - inertia->yy,
                    .zz = 0.5 * trace - inertia->zz,
                    .xy = -inertia->xy,
                    .xz = -inertia->xz,
                    .yz = -inertia->yz};
    if (!positive_definite(rest, 1e-6 * trace)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "%s '%s': inertia must be that of a body: each principal moment at "
                            "most the sum of the other two, got diagonal %g, %g, %g",
                            what, name, inertia->xx, inertia->yy, inertia->zz);
    }
    return HF_OK;
}

hf_status hf_check_unit_quat(const double *quat, const char *what, const char *name,
                             const char *member, hf_error *error)
{
    HF_TRY(hf_check_finite(quat, 4, what, name, member, error));
    double norm = hf_quat_norm((hf_quat){quat[0], quat[1], quat[2], quat[3]});
    if (!(fabs(norm - 1.0) <= 1e-3)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "%s '%s': %s must be a unit quaternion w x y z, got one of length %g",
                            what, name, member, norm);
    }
    return HF_OK;
}

hf_status hf_check_value(const hf_spec *spec, hf_value value, const char *what, const char *name,
                         const char *member, hf_error *error)
{
    if (value.signal.id < 0 || (size_t)value.signal.id > spec->signal_count) {
        return hf_error_set(error, HF_ERROR_INPUT, "%s '%s': %s: no such signal", what, name,
                            member);
    }
    return hf_check_finite(&value.constant, 1, what, name, member, error);
}

hf_status hf_check_coordinate(const hf_spec *spec, hf_coordinate coordinate, int dim,
                              const char *what, const char *name, const char *side, hf_error *error)
{
    if (coordinate.body.id < 1 || (size_t)coordinate.body.id > spec->body_count) {
        return hf_error_set(error, HF_ERROR_INPUT, "%s '%s': '%s': no such body", what, name, side);
    }
    const hf_spec_body *body = &spec->bodies[coordinate.body.id - 1];
    int axes = hf_spec_body_axes(spec, coordinate.body);
    if (coordinate.axis < 0 || dim < 1 || coordinate.axis + dim > axes) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%s '%s': '%s': '%s' has %d coordinates, %d from number %d wanted",
                            what, name, side, body->name, axes, dim, coordinate.axis);
    }
    // Velocities of balls and free joints are not rates of coordinates.
    bool ball = body->type == HF_BODY_LINK &&
                (body->joint.type == HF_JOINT_SPHERICAL ||
                 (body->joint.type == HF_JOINT_FREE && coordinate.axis + dim > 3));
    if (ball) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "%s '%s': '%s': joint '%s' has no such coordinate; use a spin "
                            "coupling between the links instead",
                            what, name, side, body->name);
    }
    return HF_OK;
}

static hf_status check_frame(const hf_spec *spec, const hf_frame *frame, const char *name,
                             const char *side, hf_error *error)
{
    if (frame->body.id < 0 || (size_t)frame->body.id > spec->body_count) {
        return hf_error_set(error, HF_ERROR_INPUT, "force '%s': '%s': no such body", name, side);
    }
    HF_TRY(hf_check_finite(&frame->point.x, 3, "force", name, "point", error));
    return hf_check_unit_quat(&frame->turn.w, "force", name, "frame", error);
}

static hf_status check_swarm(const hf_spec *spec, const hf_coupling_def *coupling, const char *name,
                             hf_error *error)
{
    if (coupling->member_count < 2 || coupling->members == NULL || coupling->capacity < 0 ||
        coupling->capacity > INT_MAX / 64 || coupling->member_count > INT_MAX / 64) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "force '%s': it needs at least two members, and no negative capacity",
                            name);
    }
    for (int i = 0; i < coupling->member_count; ++i) {
        int id = coupling->members[i].id;
        const hf_spec_body *body =
            id < 1 || (size_t)id > spec->body_count ? NULL : &spec->bodies[id - 1];
        if (body == NULL || body->type != HF_BODY_RIGID ||
            body->rigid.shape.type != HF_SHAPE_SPHERE) {
            return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                                "force '%s': member '%s' is not a rigid body with the shape of a "
                                "sphere",
                                name, body == NULL ? "?" : body->name);
        }
        for (int j = 0; j < i && i < 64; ++j) { // compile finds the others
            if (coupling->members[j].id == id) {
                return hf_error_set(error, HF_ERROR_INPUT, "force '%s': '%s' is a member twice",
                                    name, body->name);
            }
        }
    }
    return HF_OK;
}

// Whether bodies of any shape can touch this one.
static bool has_shape(const hf_spec_body *body)
{
    return (body->type == HF_BODY_RIGID && body->rigid.shape.type != HF_SHAPE_POINT) ||
           (body->type == HF_BODY_LINK && body->joint.shape.type != HF_SHAPE_POINT) ||
           body->type == HF_BODY_STATIC;
}

static bool is_member(const hf_coupling_def *coupling, int id)
{
    for (int i = 0; i < coupling->member_count; ++i) {
        if (coupling->members[i].id == id) {
            return true;
        }
    }
    return false;
}

static hf_status check_shapes(const hf_spec *spec, const hf_coupling_def *coupling,
                              const char *name, hf_error *error)
{
    bool lists = coupling->members != NULL && coupling->member_count >= 2 &&
                 (coupling->except_count == 0 || coupling->except != NULL);
    if (!lists || coupling->capacity < 0 || coupling->capacity > INT_MAX / 64 ||
        coupling->member_count > INT_MAX / 64 || coupling->except_count < 0 ||
        coupling->except_count > INT_MAX / 64) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "force '%s': it needs at least two members, and no negative capacity",
                            name);
    }
    for (int i = 0; i < coupling->member_count; ++i) {
        int id = coupling->members[i].id;
        const hf_spec_body *body =
            id < 1 || (size_t)id > spec->body_count ? NULL : &spec->bodies[id - 1];
        if (body == NULL || !has_shape(body)) {
            return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                                "force '%s': member '%s' has no shape: rigid bodies, links and "
                                "static bodies with one can touch",
                                name, body == NULL ? "?" : body->name);
        }
        for (int j = 0; j < i && i < 64; ++j) { // the others are found when a sim is created
            if (coupling->members[j].id == id) {
                return hf_error_set(error, HF_ERROR_INPUT, "force '%s': '%s' is a member twice",
                                    name, body->name);
            }
        }
    }
    for (int i = 0; i < coupling->except_count; ++i) {
        int a = coupling->except[2 * i].id, b = coupling->except[2 * i + 1].id;
        if (a == b || !is_member(coupling, a) || !is_member(coupling, b)) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "force '%s': except must name two different members", name);
        }
    }
    return HF_OK;
}

static bool can_turn(const hf_spec *spec, hf_body body)
{
    return body.id != 0 && (spec->bodies[body.id - 1].type == HF_BODY_RIGID ||
                            spec->bodies[body.id - 1].type == HF_BODY_LINK);
}

hf_status hf_check_coupling(const hf_spec *spec, const hf_coupling_def *coupling, const char *name,
                            hf_error *error)
{
    if ((unsigned)coupling->type >= HF_COUPLING_TYPE_COUNT) {
        return hf_error_set(error, HF_ERROR_INPUT, "force '%s': unknown coupling", name);
    }
    if (coupling->type == HF_COUPLING_COORDINATE) {
        HF_TRY(hf_check_coordinate(spec, coupling->on_coordinate, coupling->dim, "force", name,
                                   "on", error));
        if (coupling->to_coordinate.body.id != 0) {
            HF_TRY(hf_check_coordinate(spec, coupling->to_coordinate, coupling->dim, "force", name,
                                       "to", error));
        }
        if (coupling->on_coordinate.body.id == coupling->to_coordinate.body.id &&
            coupling->on_coordinate.axis == coupling->to_coordinate.axis) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "force '%s': it must act between two different coordinates", name);
        }
        return HF_OK;
    }
    if (coupling->type == HF_COUPLING_SWARM) {
        return check_swarm(spec, coupling, name, error);
    }
    if (coupling->type == HF_COUPLING_SHAPES) {
        return check_shapes(spec, coupling, name, error);
    }
    HF_TRY(check_frame(spec, &coupling->on_frame, name, "on", error));
    HF_TRY(check_frame(spec, &coupling->to_frame, name, "to", error));
    if (coupling->on_frame.body.id == 0 ||
        coupling->on_frame.body.id == coupling->to_frame.body.id) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "force '%s': it must act between two different bodies", name);
    }
    bool turns = coupling->type == HF_COUPLING_SPIN || coupling->type == HF_COUPLING_FRAMES ||
                 (hf_coupling_is_contact(coupling->type) && coupling->turning);
    hf_body to = coupling->to_frame.body;
    bool points =
        !can_turn(spec, coupling->on_frame.body) ||
        (to.id != 0 && !can_turn(spec, to) && spec->bodies[to.id - 1].type != HF_BODY_STATIC);
    if (turns && points) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': its coupling needs bodies that can turn: rigid bodies or "
                            "links",
                            name);
    }
    double radii[2] = {coupling->radius, coupling->to_radius};
    for (int i = 0; i < 2; ++i) {
        if (!(radii[i] >= 0.0) || !isfinite(radii[i])) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "force '%s': radius must not be negative, got %g", name, radii[i]);
        }
    }
    return HF_OK;
}

bool hf_members_keep(hf_arena *arena, hf_coupling_def *coupling)
{
    bool swarm = coupling->type == HF_COUPLING_SWARM, shapes = coupling->type == HF_COUPLING_SHAPES;
    if (swarm || shapes) {
        coupling->members = hf_arena_copy(arena, coupling->members, (size_t)coupling->member_count,
                                          sizeof *coupling->members);
        coupling->except =
            hf_arena_copy(arena, coupling->except, shapes ? 2 * (size_t)coupling->except_count : 0,
                          sizeof *coupling->except);
    }
    return !(swarm || shapes) || (coupling->members != NULL && coupling->except != NULL);
}

bool hf_list_copy(hf_arena *arena, hf_list *list)
{
    int count = list->count > 0 ? list->count : 0;
    const double *copy = hf_arena_copy(arena, list->values, (size_t)count, sizeof(double));
    *list = (hf_list){copy, count};
    return copy != NULL;
}

void *hf_law_def_copy(hf_arena *arena, const hf_law_info *info, const void *def)
{
    char *copy = hf_arena_copy(arena, def, 1, info->def_size);
    for (int i = 0; copy != NULL && i < info->param_count; ++i) {
        void *member = copy + info->params[i].offset;
        bool copied = true;
        if (info->params[i].kind == HF_PARAM_LIST) {
            copied = hf_list_copy(arena, member);
        } else if (info->params[i].kind == HF_PARAM_LEVEL) {
            hf_level *level = member;
            copied = hf_list_copy(arena, &level->table_speed) &&
                     hf_list_copy(arena, &level->table_level);
        }
        if (!copied) {
            return NULL;
        }
    }
    return copy;
}
