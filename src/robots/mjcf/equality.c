// SPDX-License-Identifier: Apache-2.0
// What holds bodies and joints together.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "robots/mjcf/mjcf.h"

hf_xml_attribute *hf_mjcf_need(hf_mjcf *m, const hf_mjcf_view *view, const char *name)
{
    hf_xml_attribute *a = hf_mjcf_get(view, name);
    if (a == NULL) {
        (void)hf_xml_fail(view->element, m->robot->error, HF_ERROR_INPUT, "%s needs %s",
                          view->element->name, name);
    }
    return a;
}

bool hf_mjcf_find_scalar(hf_mjcf *m, const hf_mjcf_view *view, const char *name, int *link)
{
    hf_xml_attribute *a = hf_mjcf_need(m, view, name);
    int index = a == NULL ? -1 : hf_mjcf_find_joint(m, a);
    if (a == NULL) {
        return false;
    }
    if (index < 0) {
        return hf_xml_fail_at(a, m->robot->error, HF_ERROR_NAME, "there is no joint '%.60s'",
                              a->value);
    }
    *link = m->joints.items[index].link;
    hf_joint_type type = m->robot->links.items[*link].type;
    return type == HF_JOINT_REVOLUTE || type == HF_JOINT_PRISMATIC ||
           hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT,
                          "joint '%.60s' must be hinge or slide", a->value);
}

static bool find_body(hf_mjcf *m, const hf_mjcf_view *view, const char *name, bool needed,
                      int *body)
{
    hf_xml_attribute *a = needed ? hf_mjcf_need(m, view, name) : hf_mjcf_get(view, name);
    *body = a == NULL ? 0 : hf_mjcf_find_body(m, a);
    if (a == NULL) {
        return !needed;
    }
    return *body >= 0 ||
           hf_xml_fail_at(a, m->robot->error, HF_ERROR_NAME, "there is no body '%.60s'", a->value);
}

// Where the link of a body stands when all joints are at zero.
static hf_mjcf_pose rest_pose(const hf_mjcf *m, int link)
{
    hf_mjcf_pose pose = {.turn = {.w = 1.0}};
    while (link >= 0) {
        const hf_robot_link *l = &m->robot->links.items[link];
        hf_mjcf_pose joint = {l->offset, l->tilt};
        if (l->type == HF_JOINT_FREE) {
            const double *q = l->position;
            joint = (hf_mjcf_pose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}};
        }
        pose = hf_mjcf_compose(joint, pose);
        link = l->parent;
    }
    return pose;
}

// A point of the one frame, seen from the other.
static hf_vec3 seen_from(hf_mjcf_pose from, hf_mjcf_pose to, hf_vec3 point)
{
    hf_mat3 a = hf_quat_rotation(from.turn), b = hf_quat_rotation(to.turn);
    hf_vec3 world = hf_v3_add(from.position, hf_m3_mulv(&a, point));
    return hf_m3_tmulv(&b, hf_v3_sub(world, to.position));
}

// Whether it is switched on: what is not has no effect at the start, and programs may switch it on.
static bool is_active(hf_mjcf *m, const hf_mjcf_view *view, bool *active)
{
    *active = true;
    if (!hf_mjcf_flag(m, view, "active", active, NULL)) {
        return false;
    }
    if (!*active) {
        hf_xml_mark_all(view->element, HF_FATE_SEEN, "not active");
    }
    return true;
}

static int add_loop(hf_mjcf *m, const hf_mjcf_view *view, int one, int two, const char *otherwise)
{
    hf_xml_attribute *name = hf_mjcf_get(view, "name");
    int index = hf_robot_add_loop(m->robot, name == NULL ? NULL : name->value, otherwise);
    if (index >= 0) {
        hf_robot_loop *loop = &m->robot->loops.items[index];
        loop->on = m->bodies.items[one].link;
        loop->to = m->bodies.items[two].link;
        loop->from = view->element;
    }
    return index;
}

static hf_vec3 origin_of(const hf_mjcf *m, int link)
{
    return link < 0 ? (hf_vec3){0} : m->robot->links.items[link].origin;
}

// Two sites are one point, or one frame.
static bool hold_sites(hf_mjcf *m, const hf_mjcf_view *view, hf_loop_type type)
{
    hf_xml_attribute *one = hf_mjcf_need(m, view, "site1"), *two = hf_mjcf_need(m, view, "site2");
    int on = 0, to = 0;
    hf_mjcf_pose at, there;
    if (one == NULL || two == NULL || !hf_mjcf_find_site(m, one, &on, &at) ||
        !hf_mjcf_find_site(m, two, &to, &there)) {
        return false;
    }
    int index = add_loop(m, view, on, to, type == HF_LOOP_FIXED ? "weld" : "connect");
    if (index < 0) {
        return false;
    }
    hf_robot_loop *loop = &m->robot->loops.items[index];
    loop->type = type;
    loop->on_point = at.position;
    loop->to_point = there.position;
    loop->on_turn = hf_quat_normalized(at.turn);
    loop->to_turn = hf_quat_normalized(there.turn);
    return true;
}

// Two points of two bodies are one.
static bool read_connect(hf_mjcf *m, const hf_mjcf_view *view)
{
    int one = 0, two = 0;
    hf_vec3 anchor = {0};
    if (hf_xml_get(view->element, "site1") != NULL) {
        return hold_sites(m, view, HF_LOOP_POINT);
    }
    if (!find_body(m, view, "body1", true, &one) || !find_body(m, view, "body2", false, &two) ||
        hf_mjcf_need(m, view, "anchor") == NULL || !hf_mjcf_vec3(m, view, "anchor", &anchor)) {
        return false;
    }
    int index = add_loop(m, view, one, two, "connect");
    if (index < 0) {
        return false;
    }
    hf_robot_loop *loop = &m->robot->loops.items[index];
    loop->on_point = hf_v3_add(anchor, origin_of(m, loop->on));
    loop->to_point = seen_from(rest_pose(m, loop->on), rest_pose(m, loop->to), loop->on_point);
    return true;
}

// relpose: of body 2 in body 1; without one, or with a quaternion of zero, as they stand at first.
static bool read_weld(hf_mjcf *m, const hf_mjcf_view *view)
{
    int one = 0, two = 0;
    double relative[7] = {0};
    hf_vec3 anchor = {0};
    if (hf_xml_get(view->element, "site1") != NULL) {
        return hold_sites(m, view, HF_LOOP_FIXED);
    }
    // Both bodies, and how they stand to each other
    if (!find_body(m, view, "body1", true, &one) || !find_body(m, view, "body2", false, &two) ||
        !hf_mjcf_numbers(m, view, "relpose", 7, 7, relative, NULL) ||
        !hf_mjcf_vec3(m, view, "anchor", &anchor)) {
        return false;
    }
    // A loop between them
    int index = add_loop(m, view, one, two, "weld");
    if (index < 0) {
        return false;
    }
    hf_robot_loop *loop = &m->robot->loops.items[index];
    loop->type = HF_LOOP_FIXED;
    hf_vec3 on_origin = origin_of(m, loop->on), to_origin = origin_of(m, loop->to);
    hf_quat turn = {relative[3], relative[4], relative[5], relative[6]};
    hf_mjcf_pose on = rest_pose(m, loop->on), to = rest_pose(m, loop->to);
    if (hf_quat_norm(turn) > HF_ROBOT_NO_TURN) {
        // Body 2 stands at relpose in body 1.
        loop->on_point = hf_v3_add(on_origin, (hf_vec3){relative[0], relative[1], relative[2]});
        loop->on_turn = hf_quat_normalized(turn);
        loop->to_point = to_origin;
        return true;
    }
    hf_quat back = {on.turn.w, -on.turn.x, -on.turn.y, -on.turn.z};
    loop->to_point = hf_v3_add(to_origin, anchor);
    loop->on_point = seen_from(to, on, loop->to_point);
    loop->on_turn = hf_quat_normalized(hf_quat_mul(back, to.turn));
    return true;
}

static bool read_coupled(hf_mjcf *m, const hf_mjcf_view *view)
{
    hf_xml_attribute *name = hf_mjcf_get(view, "name");
    int on = -1, to = -1;
    double c[5] = {0, 1, 0, 0, 0};
    if (!hf_mjcf_find_scalar(m, view, "joint1", &on) ||
        (hf_mjcf_peek(view, "joint2") != NULL && !hf_mjcf_find_scalar(m, view, "joint2", &to)) ||
        !hf_mjcf_numbers(m, view, "polycoef", 1, 5, c, NULL)) {
        return false;
    }
    if (on == to) {
        return hf_xml_fail_at(hf_mjcf_peek(view, "joint2"), m->robot->error, HF_ERROR_INPUT,
                              "a joint cannot follow itself");
    }
    // A constant depends on no other joint
    to = c[1] == 0.0 && c[2] == 0.0 && c[3] == 0.0 && c[4] == 0.0 ? -1 : to;
    int index = hf_robot_add_coupling(m->robot, name == NULL ? NULL : name->value, "coupling");
    if (index < 0) {
        return false;
    }
    hf_robot_coupling *coupling = &m->robot->couplings.items[index];
    coupling->on = on;
    coupling->to = to;
    // Counted from where both joints are at first, which is their zero.
    coupling->on_zero = m->robot->links.items[on].zero;
    coupling->to_zero = to < 0 ? 0.0 : m->robot->links.items[to].zero;
    memcpy(coupling->polynomial, c, sizeof c);
    coupling->from = view->element;
    return true;
}

bool hf_mjcf_read_equality(hf_mjcf *m)
{
    for (hf_xml_element *s = hf_xml_child(m->root, "equality"); s != NULL; s = hf_xml_next(s)) {
        hf_xml_mark_element(s, HF_FATE_TAKEN, NULL);
        for (hf_xml_element *e = s->first; e != NULL; e = e->next) {
            bool connect = strcmp(e->name, "connect") == 0, weld = strcmp(e->name, "weld") == 0,
                 joint = strcmp(e->name, "joint") == 0, active = true;
            hf_mjcf_view view;
            if (!connect && !weld && !joint) {
                continue;
            }
            if (!hf_mjcf_look(m, e, "equality", NULL, &view) || !is_active(m, &view, &active) ||
                (active && !(connect ? read_connect(m, &view)
                             : weld  ? read_weld(m, &view)
                                     : read_coupled(m, &view)))) {
                return false;
            }
        }
    }
    return true;
}
