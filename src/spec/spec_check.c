// SPDX-License-Identifier: Apache-2.0
// Checks of what goes into a description. Each message says what is wrong and what is expected.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "math/vec.h"
#include "spec/spec_data.h"

hf_status hf_check_numbers(const double *numbers, int count, const char *what, const char *name,
                           const char *member, hf_error *error)
{
    for (int i = 0; i < count; ++i) {
        if (!isfinite(numbers[i])) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, member),
                               "%s must be finite, got %g", member, numbers[i]);
        }
    }
    return HF_OK;
}

hf_status hf_check_mass(double mass, bool zero_allowed, const char *what, const char *name,
                        hf_error *error)
{
    if (!(zero_allowed ? mass >= 0.0 : mass > 0.0) || !isfinite(mass)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, "mass"),
                           "mass must %s, got %g kg",
                           zero_allowed ? "not be negative" : "be positive", mass);
    }
    return HF_OK;
}

hf_status hf_check_axes(int dim, const int *axes, const char *what, const char *name,
                        hf_error *error)
{
    if (dim < 1 || dim > 3) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, "dim"),
                           "dim must be 1, 2 or 3, got %d", dim);
    }
    for (int i = 0; i < dim; ++i) {
        if (axes[i] < 0 || axes[i] > 2 || (i > 0 && axes[i] <= axes[i - 1])) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at_member(what, name, "axes"),
                               "axes must be different and in the order x, y, z");
        }
    }
    return HF_OK;
}

// Parts of an inertia's trace that are forgiven: rounding of a matrix that is only semidefinite,
// and numbers written with six digits in the inequality of principal moments.
#define SEMIDEFINITE 1e-12
#define SIX_DIGITS   1e-6
// How far the length of a quaternion may be from 1: three digits of each number are enough.
#define THREE_DIGITS 1e-3

// Whether the pivots of S + slack I are all positive.
static bool positive_definite(hf_sym3 s, double slack)
{
    s.xx += slack;
    s.yy += slack;
    s.zz += slack;
    return s.xx > 0.0 && s.xx * s.yy - s.xy * s.xy > 0.0 && hf_s3_determinant(&s) > 0.0;
}

hf_status hf_check_inertia(const hf_sym3 *inertia, bool definite, bool any, const char *what,
                           const char *name, hf_error *error)
{
    HF_TRY(hf_check_numbers(&inertia->xx, 6, what, name, "inertia", error));
    double trace = inertia->xx + inertia->yy + inertia->zz;
    if (!definite && trace == 0.0 && inertia->xy == 0.0 && inertia->xz == 0.0 &&
        inertia->yz == 0.0) {
        return HF_OK;
    }
    if (!(trace > 0.0) || !positive_definite(*inertia, definite ? 0.0 : SEMIDEFINITE * trace)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, "inertia"),
                           "inertia must be positive definite, got diagonal %g, %g, %g",
                           inertia->xx, inertia->yy, inertia->zz);
    }
    // No mass distribution has a principal moment larger than the sum of the other two.
    hf_sym3 rest = {.xx = 0.5 * trace - inertia->xx,
                    .yy = 0.5 * trace - inertia->yy,
                    .zz = 0.5 * trace - inertia->zz,
                    .xy = -inertia->xy,
                    .xz = -inertia->xz,
                    .yz = -inertia->yz};
    if (!any && !positive_definite(rest, SIX_DIGITS * trace)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, "inertia"),
                           "inertia must be that of a body: each principal moment at most the sum "
                           "of the other two, got diagonal %g, %g, %g",
                           inertia->xx, inertia->yy, inertia->zz);
    }
    return HF_OK;
}

hf_status hf_check_unit_quat(const double *quat, const char *what, const char *name,
                             const char *member, hf_error *error)
{
    HF_TRY(hf_check_numbers(quat, 4, what, name, member, error));
    double norm = hf_quat_norm((hf_quat){quat[0], quat[1], quat[2], quat[3]});
    if (!(fabs(norm - 1.0) <= THREE_DIGITS)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, member),
                           "%s must be a unit quaternion w x y z, got one of length %g", member,
                           norm);
    }
    return HF_OK;
}

hf_status hf_check_value(const hf_spec *spec, hf_value value, const char *what, const char *name,
                         const char *member, hf_error *error)
{
    if (value.signal.id < 0 || (size_t)value.signal.id > spec->signal_count) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member(what, name, member),
                           "%s: no such signal", member);
    }
    return hf_check_numbers(&value.constant, 1, what, name, member, error);
}

hf_status hf_check_coordinate(const hf_spec *spec, hf_coordinate coordinate, int dim,
                              const char *what, const char *name, const char *side, hf_error *error)
{
    if (coordinate.body.id < 1 || (size_t)coordinate.body.id > spec->body_count) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member(what, name, side),
                           "'%s': no such body", side);
    }
    const hf_spec_body *body = &spec->bodies[coordinate.body.id - 1];
    int axes = hf_spec_body_axes(spec, coordinate.body);
    if (coordinate.axis < 0 || dim < 1 || coordinate.axis + dim > axes) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member(what, name, side),
                           "'%s': '%s' has %d coordinates, %d from number %d wanted", side,
                           body->name, axes, dim, coordinate.axis);
    }
    // Velocities of balls and free joints are not rates of coordinates.
    const hf_joint_def *joint = hf_spec_joint(body);
    bool ball = joint != NULL && (joint->type == HF_JOINT_SPHERICAL ||
                                  (joint->type == HF_JOINT_FREE && coordinate.axis + dim > 3));
    if (ball) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member(what, name, side),
                           "'%s': joint '%s' has no such coordinate; use a spin coupling between "
                           "the links instead",
                           side, body->name);
    }
    return HF_OK;
}

hf_status hf_coupling_check_coordinate(const hf_spec *spec, hf_coordinate coordinate, int dim,
                                       const char *name, const char *side, hf_error *error)
{
    return hf_check_coordinate(spec, coordinate, dim, "force", name, side, error);
}

hf_status hf_coupling_check_frame(const hf_spec *spec, const hf_frame *frame, const char *name,
                                  const char *side, hf_error *error)
{
    if (frame->body.id < 0 || (size_t)frame->body.id > spec->body_count) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, side),
                           "'%s': no such body", side);
    }
    if (frame->body.id > 0 && hf_body_ops_of(spec->bodies[frame->body.id - 1].type)->unplaced) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member("force", name, side),
                           "'%s': '%s' has no place in space; couple to its coordinates", side,
                           spec->bodies[frame->body.id - 1].name);
    }
    HF_TRY(hf_check_numbers(&frame->point.x, 3, "force", name, "point", error));
    return hf_check_unit_quat(&frame->turn.w, "force", name, "frame", error);
}

hf_status hf_check_coupling(const hf_spec *spec, const hf_coupling_def *coupling, const char *name,
                            hf_error *error)
{
    const hf_coupling_ops *ops = hf_coupling_ops_of(coupling);
    if (ops == NULL) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name), "unknown coupling");
    }
    return ops->check(spec, coupling, name, error);
}

// A copy of a list in place of it. False when out of memory.
static bool keep_bodies(hf_arena *arena, const hf_body **list, int count)
{
    if (*list != NULL) {
        *list = hf_arena_copy(arena, *list, count > 0 ? (size_t)count : 0, sizeof **list);
        return *list != NULL;
    }
    return true;
}

bool hf_coupling_keep(hf_arena *arena, hf_coupling_def *coupling)
{
    // What ratios, paths and functions of coordinates are made of
    if (coupling->terms != NULL) {
        size_t count = coupling->term_count > 0 ? (size_t)coupling->term_count : 0;
        coupling->terms = hf_arena_copy(arena, coupling->terms, count, sizeof *coupling->terms);
        if (coupling->terms == NULL) {
            return false;
        }
    }
    if (coupling->parts != NULL) {
        size_t count = coupling->part_count > 0 ? (size_t)coupling->part_count : 0;
        coupling->parts = hf_arena_copy(arena, coupling->parts, count, sizeof *coupling->parts);
        if (coupling->parts == NULL) {
            return false;
        }
    }
    if (coupling->coordinates != NULL) {
        size_t count = coupling->coordinate_count > 0 ? (size_t)coupling->coordinate_count : 0;
        coupling->coordinates =
            hf_arena_copy(arena, coupling->coordinates, count, sizeof *coupling->coordinates);
        if (coupling->coordinates == NULL) {
            return false;
        }
    }
    // The definition of a kind
    if (coupling->kind != NULL && coupling->kind->def_size > 0 && coupling->kind_def != NULL) {
        coupling->kind_def = hf_arena_copy(arena, coupling->kind_def, 1, coupling->kind->def_size);
        if (coupling->kind_def == NULL) {
            return false;
        }
    }
    return keep_bodies(arena, &coupling->members, coupling->member_count) &&
           keep_bodies(arena, &coupling->except, 2 * coupling->except_count) &&
           keep_bodies(arena, &coupling->against, coupling->against_count);
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
                     hf_list_copy(arena, &level->table_level) && hf_list_copy(arena, &level->gear);
        }
        if (!copied) {
            return NULL;
        }
    }
    return copy;
}
