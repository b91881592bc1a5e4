// SPDX-License-Identifier: Apache-2.0
// hf_spec: loops.
#include <math.h>

#include "base/error.h"
#include "spec/spec_data.h"

static const char *const TYPE_NAMES[HF_LOOP_TYPE_COUNT] = {
    [HF_LOOP_POINT] = "point", [HF_LOOP_SPHERICAL] = "spherical", [HF_LOOP_REVOLUTE] = "revolute",
    [HF_LOOP_FIXED] = "fixed", [HF_LOOP_PRISMATIC] = "prismatic", [HF_LOOP_DISTANCE] = "distance"};

const char *hf_loop_type_name(hf_loop_type type)
{
    return (unsigned)type < HF_LOOP_TYPE_COUNT ? TYPE_NAMES[type] : NULL;
}

hf_loop_def hf_loop_def_default(void)
{
    return (hf_loop_def){.on_frame = {.turn = {.w = 1.0}}, .to_frame = {.turn = {.w = 1.0}}};
}

static hf_status check_frame(const hf_spec *spec, const hf_loop_def *def, const hf_frame *frame,
                             const char *name, const char *side, hf_error *error)
{
    if (frame->body.id < 0 || (size_t)frame->body.id > spec->body_count) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("loop", name, side),
                           "'%s': no such body", side);
    }
    HF_TRY(hf_check_numbers(&frame->point.x, 3, "loop", name, "point", error));
    HF_TRY(hf_check_unit_quat(&frame->turn.w, "loop", name, "frame", error));
    if (frame->body.id == 0) {
        return HF_OK;
    }
    const hf_spec_body *body = &spec->bodies[frame->body.id - 1];
    if (hf_body_ops_of(body->type)->prescribed) {
        return hf_error_at(
            error, HF_ERROR_UNSUPPORTED, hf_at_member("loop", name, side),
            "'%s': '%s' is driven; loops close between masses, rigid bodies, links and the world",
            side, body->name);
    }
    if (hf_body_ops_of(body->type)->unplaced) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "loop '%s': '%s': '%s' has no place in space", name, side, body->name);
    }
    bool turns = def->type == HF_LOOP_REVOLUTE || def->type == HF_LOOP_FIXED ||
                 def->type == HF_LOOP_PRISMATIC;
    return !turns || hf_body_ops_of(body->type)->turns || hf_body_ops_of(body->type)->scenery
               ? HF_OK
               : hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member("loop", name, side),
                             "'%s': a %s loop needs bodies that can turn, and '%s' is a mass", side,
                             TYPE_NAMES[def->type], body->name);
}

static hf_status check_loop(const hf_spec *spec, const hf_loop_def *def, const char *name,
                            hf_error *error)
{
    if ((unsigned)def->type >= HF_LOOP_TYPE_COUNT) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("loop", name), "unknown type");
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

hf_loop hf_spec_add_loop(hf_spec *spec, const hf_loop_def *def, hf_error *error)
{
    const hf_loop none = {0};
    if (check_loop(spec, def, def->name == NULL ? "" : def->name, error) < 0) {
        return none;
    }
    void *grown = hf_grow(spec->loops, spec->loop_count, &spec->loop_capacity, sizeof *spec->loops);
    if (grown == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    spec->loops = grown;
    const char *kept = hf_spec_take_name(spec, def->name, HF_NAME_LOOP, spec->loop_count, error);
    if (kept == NULL) {
        return none;
    }
    spec->loops[spec->loop_count] = *def;
    spec->loops[spec->loop_count].name = kept;
    spec->loop_count += 1;
    return (hf_loop){(int)spec->loop_count};
}
