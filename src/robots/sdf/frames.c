// SPDX-License-Identifier: Apache-2.0
// Poses and frames of an SDF model.
#include <string.h>

#include "math/vec.h"
#include "robots/sdf/sdf.h"

enum { MOST_DEEP = 100 };

hf_sdf_pose hf_sdf_compose(hf_sdf_pose outer, hf_sdf_pose inner)
{
    hf_mat3 r = hf_quat_rotation(outer.turn);
    return (hf_sdf_pose){hf_v3_add(outer.position, hf_m3_mulv(&r, inner.position)),
                         hf_quat_mul(outer.turn, inner.turn)};
}

hf_sdf_pose hf_sdf_inverse(hf_sdf_pose pose)
{
    hf_mat3 r = hf_quat_rotation(pose.turn);
    return (hf_sdf_pose){hf_v3_scale(-1.0, hf_m3_tmulv(&r, pose.position)),
                         {pose.turn.w, -pose.turn.x, -pose.turn.y, -pose.turn.z}};
}

bool hf_sdf_numbers(hf_sdf *s, hf_xml_element *parent, const char *name, int count, double *numbers,
                    bool *found)
{
    hf_xml_element *e = hf_xml_child(parent, name);
    if (found != NULL) {
        *found = e != NULL;
    }
    if (e == NULL) {
        return true;
    }
    double read[9];
    if (hf_xml_numbers(e->text, count, count, read) < 0) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_INPUT,
                           "%s must be %d number%s, got '%.60s'", name, count,
                           count == 1 ? "" : "s", e->text);
    }
    memcpy(numbers, read, (size_t)count * sizeof *numbers);
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    return true;
}

bool hf_sdf_flag(hf_sdf *s, hf_xml_element *parent, const char *name, bool *flag)
{
    hf_xml_element *e = hf_xml_child(parent, name);
    if (e == NULL) {
        return true;
    }
    bool yes =
        strcmp(e->text, "1") == 0 || strcmp(e->text, "true") == 0 || strcmp(e->text, "True") == 0;
    bool no =
        strcmp(e->text, "0") == 0 || strcmp(e->text, "false") == 0 || strcmp(e->text, "False") == 0;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    *flag = yes;
    return yes || no ||
           hf_xml_fail(e, s->robot->error, HF_ERROR_INPUT, "%s must be true or false, got '%.40s'",
                       name, e->text);
}

bool hf_sdf_read_pose(hf_sdf *s, hf_xml_element *element, hf_sdf_pose *pose,
                      hf_xml_attribute **relative)
{
    hf_xml_element *e = hf_xml_child(element, "pose");
    *pose = (hf_sdf_pose){.turn = {.w = 1.0}};
    *relative = NULL;
    if (e == NULL) {
        return true;
    }
    // Numbers, as angles or as a quaternion
    hf_xml_attribute *degrees = hf_xml_get(e, "degrees"),
                     *format = hf_xml_get(e, "rotation_format"), *frame = hf_xml_get(e, "frame");
    double n[7] = {0};
    bool quaternion = format != NULL && strcmp(format->value, "quat_xyzw") == 0;
    int count = hf_xml_numbers(e->text, 0, 7, n);
    if (count != 0 && count != (quaternion ? 7 : 6)) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_INPUT,
                           "pose must be %d numbers, got '%.60s'", quaternion ? 7 : 6, e->text);
    }
    // In degrees, where it says so
    bool in_degrees = degrees != NULL &&
                      (strcmp(degrees->value, "true") == 0 || strcmp(degrees->value, "1") == 0);
    double unit = in_degrees ? 3.14159265358979323846 / 180.0 : 1.0;
    pose->position = (hf_vec3){n[0], n[1], n[2]};
    pose->turn = quaternion ? hf_quat_normalized((hf_quat){n[6], n[3], n[4], n[5]})
                            : hf_robot_from_rpy(unit * n[3], unit * n[4], unit * n[5]);
    if (quaternion && !(hf_quat_norm((hf_quat){n[6], n[3], n[4], n[5]}) > HF_ROBOT_NO_TURN)) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_RANGE,
                           "a quaternion of zero has no direction");
    }
    // What it is relative to
    *relative = hf_xml_get(e, "relative_to");
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(degrees, HF_FATE_TAKEN, NULL);
    hf_xml_mark(format, HF_FATE_TAKEN, NULL);
    hf_xml_mark(*relative, HF_FATE_TAKEN, NULL);
    if (frame != NULL && frame->value[0] != '\0') {
        hf_xml_mark(frame, HF_FATE_MISSING, "the pose would be in this frame (SDF before 1.7)");
    }
    hf_xml_mark(frame, HF_FATE_SEEN, "names no frame");
    if (*relative != NULL && (*relative)->value[0] == '\0') {
        *relative = NULL;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Frames by name

const char *hf_sdf_scoped(hf_sdf *s, int scope, const char *name)
{
    const char *prefix = s->scopes.items[scope].prefix;
    return prefix[0] == '\0' ? name : hf_robot_print(s->robot, "%s%s", prefix, name);
}

static int find_scope(const hf_sdf *s, int parent, const char *name, size_t length)
{
    for (size_t i = 0; i < s->scopes.count; ++i) {
        const hf_sdf_scope *scope = &s->scopes.items[i];
        if (scope->parent == parent && strncmp(scope->name, name, length) == 0 &&
            scope->name[length] == '\0') {
            return (int)i;
        }
    }
    return -1;
}

const char *hf_sdf_descend(const hf_sdf *s, int *scope, const char *name)
{
    for (const char *sign = strstr(name, "::"); sign != NULL; sign = strstr(name, "::")) {
        *scope = find_scope(s, *scope, name, (size_t)(sign - name));
        if (*scope < 0) {
            return NULL;
        }
        name = sign + 2;
    }
    return name;
}

static hf_xml_element *find_named(const hf_xml_element *model, const char *kind, const char *name)
{
    for (hf_xml_element *e = hf_xml_child(model, kind); e != NULL; e = hf_xml_next(e)) {
        const hf_xml_attribute *a = hf_xml_get(e, "name");
        if (a != NULL && strcmp(a->value, name) == 0) {
            return e;
        }
    }
    return NULL;
}

static bool fail_frame(hf_sdf *s, int scope, const hf_xml_attribute *named, const char *name,
                       const char *why)
{
    return named != NULL ? hf_xml_fail_at(named, s->robot->error, HF_ERROR_NAME, "frame '%.60s' %s",
                                          name, why)
                         : hf_xml_fail(s->scopes.items[scope].model, s->robot->error, HF_ERROR_NAME,
                                       "frame '%.60s' %s", name, why);
}

static bool find_frame(hf_sdf *s, int scope, const hf_xml_attribute *named, const char *name,
                       hf_sdf_pose *pose, int depth);

// What its own pose says; `around`: whose frame that is in, NULL: that of the parent. A placement
// frame stands there in place of the model's own.
static bool placed(hf_sdf *s, int scope, hf_sdf_pose *pose, hf_xml_attribute **relative, int depth)
{
    hf_sdf_scope *c = &s->scopes.items[scope];
    hf_xml_element *by_include = hf_xml_child(c->include, "pose");
    hf_xml_element *from = by_include != NULL ? c->include : c->model,
                   *frame = hf_xml_child(c->include, "placement_frame");
    hf_xml_attribute *own = hf_xml_get(c->model, "placement_frame");
    if (by_include != NULL) {
        hf_xml_mark_element(hf_xml_child(c->model, "pose"), HF_FATE_SEEN,
                            "the include says where it stands");
    }
    if (!hf_sdf_read_pose(s, from, pose, relative)) {
        return false;
    }
    hf_xml_mark_element(frame, HF_FATE_TAKEN, NULL);
    hf_xml_mark(own, HF_FATE_TAKEN, NULL);
    const char *by = frame != NULL ? frame->text : own != NULL ? own->value : "";
    hf_sdf_pose inner = {.turn = {.w = 1.0}};
    if (by[0] != '\0' && !find_frame(s, scope, own, by, &inner, depth + 1)) {
        return false;
    }
    *pose = by[0] != '\0' ? hf_sdf_compose(*pose, hf_sdf_inverse(inner)) : *pose;
    return true;
}

bool hf_sdf_place_model(hf_sdf *s)
{
    hf_xml_attribute *relative = NULL;
    return placed(s, 0, &s->place, &relative, 0);
}

// Where a scope stands in its parent.
static bool place_in_parent(hf_sdf *s, int scope, hf_sdf_pose *pose, int depth)
{
    hf_xml_attribute *relative = NULL;
    hf_sdf_pose base = {.turn = {.w = 1.0}};
    if (!placed(s, scope, pose, &relative, depth) ||
        (relative != NULL && !find_frame(s, s->scopes.items[scope].parent, relative,
                                         relative->value, &base, depth + 1))) {
        return false;
    }
    *pose = hf_sdf_compose(base, *pose);
    return true;
}

// Where a scope stands in the first model.
static bool scope_pose(hf_sdf *s, int scope, hf_sdf_pose *pose, int depth)
{
    *pose = (hf_sdf_pose){.turn = {.w = 1.0}};
    if (scope == 0) {
        return true;
    }
    if (s->scopes.items[scope].known != 2) {
        hf_sdf_pose own, outer;
        if (s->scopes.items[scope].known == 1 || depth > MOST_DEEP) {
            return fail_frame(s, scope, NULL, s->scopes.items[scope].name,
                              "stands in itself, by its relative_to");
        }
        s->scopes.items[scope].known = 1;
        if (!place_in_parent(s, scope, &own, depth + 1) ||
            !scope_pose(s, s->scopes.items[scope].parent, &outer, depth + 1)) {
            return false;
        }
        s->scopes.items[scope].pose = hf_sdf_compose(outer, own);
        s->scopes.items[scope].known = 2;
    }
    *pose = s->scopes.items[scope].pose;
    return true;
}

static bool find_frame(hf_sdf *s, int scope, const hf_xml_attribute *named, const char *name,
                       hf_sdf_pose *pose, int depth);

// A link, joint, frame or inner model that stands in the scope's model itself.
static bool find_named_frame(hf_sdf *s, int scope, const hf_xml_attribute *named, const char *name,
                             hf_sdf_pose *pose, int depth)
{
    // Which of them
    const hf_xml_element *model = s->scopes.items[scope].model;
    hf_xml_element *link = find_named(model, "link", name),
                   *joint = link == NULL ? find_named(model, "joint", name) : NULL,
                   *frame = link == NULL && joint == NULL ? find_named(model, "frame", name) : NULL;
    hf_xml_element *e = link != NULL ? link : joint != NULL ? joint : frame;
    int nested = e == NULL ? find_scope(s, scope, name, strlen(name)) : -1;
    if (nested >= 0) {
        return place_in_parent(s, nested, pose, depth + 1);
    }
    if (e == NULL) {
        return fail_frame(s, scope, named, name, "is not in the model");
    }
    // Its own pose, and what that is relative to
    hf_sdf_pose own, base = {.turn = {.w = 1.0}};
    hf_xml_attribute *relative = NULL;
    if (!hf_sdf_read_pose(s, e, &own, &relative)) {
        return false;
    }
    // Without relative_to: links in the model, joints in their child, frames in what they are
    // attached to.
    const char *around = relative != NULL ? relative->value : NULL;
    if (around == NULL && joint != NULL) {
        hf_xml_element *child = hf_xml_child(joint, "child");
        around = child == NULL ? NULL : child->text;
    } else if (around == NULL && frame != NULL) {
        hf_xml_attribute *attached = hf_xml_get(frame, "attached_to");
        hf_xml_mark(attached, HF_FATE_TAKEN, NULL);
        around = attached == NULL ? NULL : attached->value;
    }
    hf_xml_mark_element(frame, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(frame, "name"), HF_FATE_TAKEN, NULL);
    if (around != NULL && around[0] != '\0' &&
        !find_frame(s, scope, relative, around, &base, depth + 1)) {
        return false;
    }
    *pose = hf_sdf_compose(base, own);
    return true;
}

// The pose of what has this name, in the frame of the scope's model.
static bool find_frame(hf_sdf *s, int scope, const hf_xml_attribute *named, const char *name,
                       hf_sdf_pose *pose, int depth)
{
    // A name with :: is one of an inner model
    int inner = scope;
    const char *last = hf_sdf_descend(s, &inner, name);
    *pose = (hf_sdf_pose){.turn = {.w = 1.0}};
    if (last == NULL || depth > MOST_DEEP) {
        return fail_frame(s, scope, named, name,
                          last == NULL ? "is not in the model"
                                       : "stands in itself, by its relative_to");
    }
    if (inner != scope) { // in a model of this one: by way of the first
        hf_sdf_pose there, here;
        if (!find_frame(s, inner, named, last, pose, depth + 1) ||
            !scope_pose(s, inner, &there, depth + 1) || !scope_pose(s, scope, &here, depth + 1)) {
            return false;
        }
        *pose = hf_sdf_compose(hf_sdf_inverse(here), hf_sdf_compose(there, *pose));
        return true;
    }
    // Names that every model has
    if (strcmp(name, "__model__") == 0) {
        return true;
    }
    if (strcmp(name, "world") == 0) {
        hf_sdf_pose here;
        if (!scope_pose(s, scope, &here, depth + 1)) {
            return false;
        }
        *pose = hf_sdf_inverse(hf_sdf_compose(s->place, here));
        return true;
    }
    return find_named_frame(s, scope, named, name, pose, depth);
}

bool hf_sdf_frame_in_model(hf_sdf *s, int scope, const hf_xml_attribute *named, const char *name,
                           hf_sdf_pose *pose)
{
    hf_sdf_pose here;
    if (!find_frame(s, scope, named, name, pose, 0) || !scope_pose(s, scope, &here, 0)) {
        return false;
    }
    *pose = hf_sdf_compose(here, *pose);
    return true;
}
