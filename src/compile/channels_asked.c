// SPDX-License-Identifier: Apache-2.0
// Channels that a machine has only where a recording asks for them by name: there are too many of
// them, or they cost too much, to be there for every body.
//
//   BODY.pose                      of its frame in the world: x y z, qw qx qy qz
//   BODY.acceleration              rate of its velocity, coordinate by coordinate; mean of a step
//   BODY.angular_acceleration      the same of its angular velocity
//   JOINT.reaction_force           what the joint of a link exerts on it, world axes
//   JOINT.reaction_torque          the same about the link's origin
//   BODY.contact_force             sum of what touches it does to it, world axes
//   BODY.contact_torque            the same about the body's origin
//   BODY.contact_force.by.OTHER    of one other body alone; contact_torque too
#include <string.h>

#include "base/error.h"
#include "compile/channels_asked.h"

static const struct {
    const char *word;
    bool contact; // by what touches the body
} KINDS[HF_ASKED_COUNT] = {[HF_ASKED_POSE] = {"pose", false},
                           [HF_ASKED_ACCELERATION] = {"acceleration", false},
                           [HF_ASKED_TURNING] = {"angular_acceleration", false},
                           [HF_ASKED_FORCE] = {"contact_force", true},
                           [HF_ASKED_TORQUE] = {"contact_torque", true},
                           [HF_ASKED_REACTION] = {"reaction_force", false},
                           [HF_ASKED_MOMENT] = {"reaction_torque", false}};

// The body whose name is the first `length` letters; 0: none.
static int body_at(const hf_model *model, const char *name, size_t length)
{
    int value = hf_names_find(&model->names, name, length);
    bool body = value >= 0 && value % HF_NAME_KIND_COUNT == HF_NAME_BODY;
    return body ? value / HF_NAME_KIND_COUNT + 1 : 0;
}

int hf_asked_axes(const hf_model *model, const hf_asked *asked)
{
    const hf_body_place *place = &model->bodies[asked->body - 1];
    int turning = place->nq != place->nv ? 3 : 0; // it has a quaternion
    switch (asked->kind) {
    case HF_ASKED_POSE:
        return 7;
    case HF_ASKED_ACCELERATION:
        return place->nv - turning;
    case HF_ASKED_TURNING:
        return turning;
    case HF_ASKED_REACTION:
    case HF_ASKED_MOMENT:
        return place->ops->jointed ? 3 : 0;
    default:
        return 3;
    }
}

// ".by.OTHER" at the beginning of `rest`: OTHER is as long as a body has such a name. Returns how
// long it is with the body's name; 0: there is none.
static size_t read_other(const hf_model *model, const char *rest, int *other)
{
    if (strncmp(rest, ".by.", 4) != 0) {
        return 0;
    }
    for (size_t length = strlen(rest); length > 4; --length) {
        bool end = rest[length] == '\0' || rest[length] == '.';
        *other = end ? body_at(model, rest + 4, length - 4) : 0;
        if (*other > 0) {
            return length;
        }
    }
    return 0;
}

// What `text` asks for, with its name without an axis. False: nothing of this kind.
static bool read_asked(const hf_model *model, const char *text, hf_asked *asked, size_t *length)
{
    for (size_t dot = strlen(text); dot > 0; --dot) {
        int body = text[dot] == '.' ? body_at(model, text, dot) : 0;
        for (int kind = 0; body > 0 && kind < HF_ASKED_COUNT; ++kind) {
            size_t end = dot + 1 + strlen(KINDS[kind].word);
            if (strncmp(text + dot + 1, KINDS[kind].word, end - dot - 1) != 0 ||
                (text[end] != '\0' && text[end] != '.')) {
                continue;
            }
            *asked = (hf_asked){.kind = (hf_asked_kind)kind, .body = body};
            *length =
                end + (KINDS[kind].contact ? read_other(model, text + end, &asked->other) : 0);
            return hf_asked_axes(model, asked) > 0;
        }
    }
    return false;
}

bool hf_asked_known(const hf_model *model, const char *name)
{
    hf_asked asked;
    size_t length = 0;
    return read_asked(model, name, &asked, &length);
}

hf_status hf_asked_list(hf_model *model, const hf_spec *spec, hf_error *error)
{
    hf_asked *list;
    HF_ALLOC(list, spec->record_count);
    for (size_t i = 0; i < spec->record_count; ++i) {
        const char *text = spec->records[i];
        hf_asked asked;
        size_t length = 0;
        if (!read_asked(model, text, &asked, &length)) {
            continue;
        }
        // Each name once
        char *name = hf_arena_copy(&model->arena, text, length + 1, 1);
        if (name == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        name[length] = '\0';
        int k = 0;
        while (k < model->asked_count && strcmp(list[k].name, name) != 0) {
            ++k;
        }
        asked.name = name;
        list[k] = asked;
        model->asked_count += k == model->asked_count;
    }
    model->asked = list;
    return HF_OK;
}

const hf_asked *hf_asked_find(const hf_model *model, const char *name, size_t length)
{
    for (int i = 0; i < model->asked_count; ++i) {
        const char *own = model->asked[i].name;
        if (strncmp(own, name, length) == 0 && own[length] == '\0') {
            return &model->asked[i];
        }
    }
    return NULL;
}

const char *hf_asked_axis(const hf_asked *asked, int axis)
{
    static const char *const names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    return axis < 3 || asked->kind == HF_ASKED_POSE ? names[axis] : "";
}

const char *hf_asked_unit(const hf_asked *asked, int axis, const char *rate)
{
    switch (asked->kind) {
    case HF_ASKED_POSE:
        return axis < 3 ? "m" : "";
    case HF_ASKED_ACCELERATION:
        return strcmp(rate, "rad/s") == 0 ? "rad/s^2" : strcmp(rate, "m/s") == 0 ? "m/s^2" : "";
    case HF_ASKED_TURNING:
        return "rad/s^2";
    case HF_ASKED_FORCE:
    case HF_ASKED_REACTION:
        return "N";
    default:
        return "Nm";
    }
}
