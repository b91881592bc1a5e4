// SPDX-License-Identifier: Apache-2.0
// hf_spec: loops.
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "spec/spec_data.h"

static const char *const TYPE_NAMES[HF_LOOP_TYPE_COUNT] = {
    [HF_LOOP_POINT] = "point", [HF_LOOP_SPHERICAL] = "spherical", [HF_LOOP_REVOLUTE] = "revolute",
    [HF_LOOP_FIXED] = "fixed", [HF_LOOP_PRISMATIC] = "prismatic", [HF_LOOP_DISTANCE] = "distance",
    [HF_LOOP_RATIO] = "ratio"};

const char *hf_loop_type_name(hf_loop_type type)
{
    return (unsigned)type < HF_LOOP_TYPE_COUNT ? TYPE_NAMES[type] : NULL;
}

const char *hf_load_name(hf_load_type type)
{
    static const char *const names[HF_LOAD_TYPE_COUNT] = {[HF_LOAD_LOOP] = "loop",
                                                          [HF_LOAD_FORCE] = "force",
                                                          [HF_LOAD_RADIAL] = "radial",
                                                          [HF_LOAD_AXIAL] = "axial",
                                                          [HF_LOAD_MOMENT] = "moment",
                                                          [HF_LOAD_ACTUATOR] = "actuator",
                                                          [HF_LOAD_TRANSMITTED] = "transmitted",
                                                          [HF_LOAD_SERVO] = "servo"};
    return (unsigned)type < HF_LOAD_TYPE_COUNT ? names[type] : NULL;
}

hf_status hf_check_load(const hf_spec *spec, const hf_normal_def *normal, const char *name,
                        hf_error *error)
{
    hf_error_place at = hf_at_member("force", name, "normal");
    if ((unsigned)normal->load >= HF_LOAD_TYPE_COUNT ||
        (normal->load != HF_LOAD_NONE && normal->force.id != 0)) {
        return hf_error_at(error, HF_ERROR_INPUT, at, "normal: one load, of a force or a reaction");
    }
    if (normal->load == HF_LOAD_LOOP &&
        (normal->loop.id < 1 || (size_t)normal->loop.id > spec->loop_count)) {
        return hf_error_at(error, HF_ERROR_INPUT, at, "normal: no such loop");
    }
    if (normal->load <= HF_LOAD_LOOP) {
        return HF_OK;
    }
    // Of a joint
    const hf_spec_body *link = normal->joint.id < 1 || (size_t)normal->joint.id > spec->body_count
                                   ? NULL
                                   : &spec->bodies[normal->joint.id - 1];
    const hf_joint_def *joint = link == NULL ? NULL : hf_spec_joint(link);
    if (joint == NULL || (joint->type != HF_JOINT_REVOLUTE && joint->type != HF_JOINT_PRISMATIC)) {
        return hf_error_at(error, HF_ERROR_INPUT, at,
                           "normal: '%s' is no joint that turns or slides",
                           link == NULL ? "" : link->name);
    }
    // Numbers of a servo's load
    const hf_servo_load *servo = &normal->servo;
    const double parts[] = {servo->base, servo->motor, servo->external, servo->motor_square,
                            servo->external_square};
    for (int i = 0; i < 5 && normal->load == HF_LOAD_SERVO; ++i) {
        if (!(parts[i] >= 0.0 && parts[i] <= DBL_MAX)) {
            return hf_error_at(error, HF_ERROR_RANGE, at,
                               "normal: the numbers of a servo's load must not be negative, got %g",
                               parts[i]);
        }
    }
    return HF_OK;
}

hf_loop_def hf_loop_def_default(void)
{
    return (hf_loop_def){.on_frame = {.turn = {.w = 1.0}}, .to_frame = {.turn = {.w = 1.0}}};
}

// A driven body that loops can hold to: its motion is a function of the time.
static hf_status check_driver(const hf_spec_body *body, hf_error_place at, hf_error *error)
{
    const hf_body_ops *ops = hf_body_ops_of(body->type);
    hf_drive drive = {0};
    ops->drive(body->def, 0, &drive);
    return drive.leader.body.id == 0 && ops->rows != NULL
               ? HF_OK
               : hf_error_at(error, HF_ERROR_UNSUPPORTED, at,
                             "'%s' follows another coordinate and pushes nothing back; loops hold "
                             "to what moves as a function of the time: name what it follows",
                             body->name);
}

static hf_status check_frame(const hf_spec *spec, const hf_loop_def *def, const hf_frame *frame,
                             const char *name, const char *side, hf_error *error)
{
    // A place on a body
    if (frame->body.id < 0 || (size_t)frame->body.id > spec->body_count) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("loop", name, side),
                           "'%s': no such body", side);
    }
    HF_TRY(hf_check_numbers(&frame->point.x, 3, "loop", name, "point", error));
    HF_TRY(hf_check_unit_quat(&frame->turn.w, "loop", name, "frame", error));
    if (frame->body.id == 0) {
        return HF_OK;
    }
    // A body that loops can hold
    const hf_spec_body *body = &spec->bodies[frame->body.id - 1];
    bool driven = hf_body_ops_of(body->type)->drive != NULL;
    if (driven) {
        HF_TRY(check_driver(body, hf_at_member("loop", name, side), error));
    }
    if (hf_body_ops_of(body->type)->unplaced) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "loop '%s': '%s': '%s' has no place in space", name, side, body->name);
    }
    // Where the loop holds a turn, one that turns
    bool turns = def->type == HF_LOOP_REVOLUTE || def->type == HF_LOOP_FIXED ||
                 def->type == HF_LOOP_PRISMATIC;
    return !turns || driven || hf_body_ops_of(body->type)->turns ||
                   hf_body_ops_of(body->type)->scenery
               ? HF_OK
               : hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member("loop", name, side),
                             "'%s': a %s loop needs bodies that can turn, and '%s' is a mass", side,
                             TYPE_NAMES[def->type], body->name);
}

// A summand of a ratio: a coordinate whose rate is its velocity, or a spin.
static hf_status check_term(const hf_spec *spec, const hf_loop_term *term, const char *name,
                            hf_error *error)
{
    hf_error_place at = hf_at_member("loop", name, "ratio");
    hf_coordinate c = term->coordinate;
    if (c.body.id < 1 || (size_t)c.body.id > spec->body_count) {
        return hf_error_at(error, HF_ERROR_INPUT, at, "no such body");
    }
    // A coordinate or a spin of something that answers to forces
    const hf_spec_body *body = &spec->bodies[c.body.id - 1];
    const hf_body_ops *ops = hf_body_ops_of(body->type);
    if (ops->scenery) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, at,
                           "'%s' does not move; an exact ratio is between masses, joints, rigid "
                           "bodies and driven bodies",
                           body->name);
    }
    if (ops->drive != NULL) {
        HF_TRY(check_driver(body, at, error));
    }
    const hf_joint_def *joint = hf_spec_joint(body);
    bool quaternion =
        joint != NULL && (joint->type == HF_JOINT_SPHERICAL || joint->type == HF_JOINT_FREE);
    int axes =
        quaternion ? (joint->type == HF_JOINT_FREE ? 3 : 0) : hf_spec_body_axes(spec, c.body);
    if (c.axis < 0 || c.axis >= (term->spin ? 3 : axes) || (term->spin && !ops->turns)) {
        return hf_error_at(error, HF_ERROR_INPUT, at,
                           term->spin ? "'%s' has no such spin: axes 0, 1, 2 of bodies that turn"
                                      : "'%s' has no such coordinate",
                           body->name);
    }
    // Its polynomial; a spin has a factor alone
    bool some = false, higher = false;
    for (int k = 0; k < HF_LOOP_POWERS; ++k) {
        if (!isfinite(term->coefficients[k])) {
            return hf_error_at(error, HF_ERROR_RANGE, at, "the factor of '%s' must be a number",
                               body->name);
        }
        some = some || term->coefficients[k] != 0.0;
        higher = higher || (k > 0 && term->coefficients[k] != 0.0);
    }
    if (!some || (term->spin && (higher || term->reference != 0.0)) || !isfinite(term->reference)) {
        return hf_error_at(error, HF_ERROR_RANGE, at,
                           !some ? "the factor of '%s' must not be zero"
                                 : "'%s': a spin takes one factor and no reference",
                           body->name);
    }
    return HF_OK;
}

static hf_status check_ratio(const hf_spec *spec, const hf_loop_def *def, const char *name,
                             hf_error *error)
{
    hf_error_place at = hf_at_member("loop", name, "ratio");
    if (def->term_count < 1 || def->term_count > HF_LOOP_MAX_TERMS || def->terms == NULL) {
        return hf_error_at(error, HF_ERROR_RANGE, at, "a ratio has 1 to %d coordinates, got %d",
                           HF_LOOP_MAX_TERMS, def->term_count);
    }
    if (!isfinite(def->value)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("loop", name, "value"),
                           "value must be a number");
    }
    for (int i = 0; i < def->term_count; ++i) {
        const hf_loop_term *a = &def->terms[i];
        HF_TRY(check_term(spec, a, name, error));
        for (int j = 0; j < i; ++j) {
            const hf_loop_term *b = &def->terms[j];
            if (a->coordinate.body.id == b->coordinate.body.id &&
                a->coordinate.axis == b->coordinate.axis && a->spin == b->spin) {
                return hf_error_at(error, HF_ERROR_INPUT, at, "a coordinate of '%s' is in it twice",
                                   spec->bodies[a->coordinate.body.id - 1].name);
            }
        }
    }
    return HF_OK;
}

static hf_status check_loop(const hf_spec *spec, const hf_loop_def *def, const char *name,
                            hf_error *error)
{
    if ((unsigned)def->type >= HF_LOOP_TYPE_COUNT) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("loop", name), "unknown type");
    }
    if (def->type == HF_LOOP_RATIO) {
        return check_ratio(spec, def, name, error);
    }
    HF_TRY(check_frame(spec, def, &def->on_frame, name, "on", error));
    HF_TRY(check_frame(spec, def, &def->to_frame, name, "to", error));
    if (def->on_frame.body.id == def->to_frame.body.id) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("loop", name),
                           "it must join two different bodies, or one to the world");
    }
    bool rod = def->type == HF_LOOP_DISTANCE;
    if (!isfinite(def->length) || (rod ? !(def->length > 0.0) : def->length != 0.0)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("loop", name, "length"),
                           rod ? "length must be positive, got %g m"
                               : "length is for distance loops alone, got %g m",
                           def->length);
    }
    return HF_OK;
}

bool hf_loop_keep(hf_arena *arena, hf_loop_def *loop)
{
    if (loop->type != HF_LOOP_RATIO) {
        loop->terms = NULL;
        loop->term_count = 0;
        return true;
    }
    loop->on_frame = loop->to_frame = (hf_frame){.turn = {.w = 1.0}};
    loop->terms = hf_arena_copy(arena, loop->terms, (size_t)loop->term_count, sizeof *loop->terms);
    return loop->terms != NULL;
}

hf_loop hf_spec_add_loop(hf_spec *spec, const hf_loop_def *def, hf_error *error)
{
    const hf_loop none = {0};
    if (check_loop(spec, def, def->name == NULL ? "" : def->name, error) < 0) {
        return none;
    }
    hf_loop_def loop = *def;
    void *grown = hf_grow(spec->loops, spec->loop_count, &spec->loop_capacity, sizeof *spec->loops);
    if (grown == NULL || !hf_loop_keep(&spec->arena, &loop)) {
        spec->loops = grown == NULL ? spec->loops : grown;
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    spec->loops = grown;
    const char *kept = hf_spec_take_name(spec, def->name, HF_NAME_LOOP, spec->loop_count, error);
    if (kept == NULL) {
        return none;
    }
    loop.name = kept;
    spec->loops[spec->loop_count] = loop;
    spec->loop_count += 1;
    return (hf_loop){(int)spec->loop_count};
}
