// SPDX-License-Identifier: Apache-2.0
// Tendons: over joints, and strings through sites, around spheres and cylinders, over pulleys.
#include <math.h>
#include <string.h>

#include "couplings/wrap.h"
#include "math/turn.h"
#include "math/vec.h"
#include "robots/mjcf/mjcf.h"

// ------------------------------------------------------------------------------------------------
// Strings

static hf_vec3 turned(hf_quat turn, hf_vec3 v)
{
    hf_mat3 r = hf_quat_rotation(turn);
    return hf_m3_mulv(&r, v);
}

static bool read_site(hf_mjcf *m, hf_xml_attribute *name, int *link, hf_vec3 *point)
{
    hf_mjcf_pose pose = {.turn = {.w = 1.0}};
    int body = 0;
    if (!hf_mjcf_find_site(m, name, &body, &pose)) {
        return false;
    }
    *link = m->bodies.items[body].link;
    *point = pose.position;
    return true;
}

static bool read_round(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_part *part)
{
    hf_xml_attribute *name = hf_mjcf_need(m, view, "geom"), *side = hf_mjcf_get(view, "sidesite");
    hf_mjcf_pose pose;
    int body = 0;
    bool sphere = false;
    if (name == NULL || !hf_mjcf_find_round(m, name, &body, &pose, &sphere, &part->radius) ||
        (side != NULL && !read_site(m, side, &part->side_link, &part->side))) {
        return false;
    }
    part->kind = sphere ? HF_PATH_SPHERE : HF_PATH_CYLINDER;
    part->link = m->bodies.items[body].link;
    part->point = pose.position;
    part->axis = turned(pose.turn, hf_v3(0.0, 0.0, 1.0));
    part->has_side = side != NULL;
    return true;
}

static bool read_part(hf_mjcf *m, hf_xml_element *e, hf_robot_part *part)
{
    hf_mjcf_view view = {e, {{e}, 1}};
    *part = (hf_robot_part){.link = -1, .side_link = -1, .axis = {0.0, 0.0, 1.0}};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    if (strcmp(e->name, "site") == 0) {
        hf_xml_attribute *site = hf_mjcf_need(m, &view, "site");
        return site != NULL && read_site(m, site, &part->link, &part->point);
    }
    if (strcmp(e->name, "geom") == 0) {
        return read_round(m, &view, part);
    }
    part->kind = HF_PATH_PULLEY;
    part->divisor = 1.0;
    return hf_mjcf_need(m, &view, "divisor") != NULL &&
           hf_mjcf_number(m, &view, "divisor", &part->divisor);
}

static bool is_part(const hf_xml_element *e)
{
    return strcmp(e->name, "site") == 0 || strcmp(e->name, "geom") == 0 ||
           strcmp(e->name, "pulley") == 0;
}

static bool read_parts(hf_mjcf *m, hf_xml_element *element, hf_robot_tendon *tendon, int index)
{
    int count = 0;
    for (hf_xml_element *e = element->first; e != NULL; e = e->next) {
        count += is_part(e) ? 1 : 0;
    }
    if (count < 2 || count > HF_PATH_MOST) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_UNSUPPORTED,
                           "a tendon has 2 to %d sites, geoms and pulleys", HF_PATH_MOST);
    }
    hf_robot_part *parts = hf_arena_alloc(&m->robot->xml.arena, (size_t)count, sizeof *parts);
    if (parts == NULL) {
        return hf_robot_out_of_memory(m->robot);
    }
    for (hf_xml_element *e = element->first; e != NULL; e = e->next) {
        if (is_part(e) && !read_part(m, e, &parts[tendon->part_count++])) {
            return false;
        }
    }
    tendon->parts = parts;
    tendon->length.path = 1 + index;
    tendon->length.terms[0] = (hf_robot_term){-1, 1.0};
    tendon->length.count = 1;
    return true;
}

// Where a link stands when all joints are where their springs rest.
static hf_mjcf_pose spring_pose(const hf_mjcf *m, int link)
{
    hf_mjcf_pose pose = {.turn = {.w = 1.0}};
    for (; link >= 0; link = m->robot->links.items[link].parent) {
        const hf_robot_link *l = &m->robot->links.items[link];
        hf_mjcf_pose joint = {l->offset, l->tilt}, moved = {.turn = {.w = 1.0}};
        double by = l->rest - l->zero, size = hf_v3_norm(l->axis);
        if (l->type == HF_JOINT_FREE) {
            const double *q = l->position;
            joint = (hf_mjcf_pose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}};
        } else if (l->type == HF_JOINT_REVOLUTE && size > 0.0) {
            moved.turn = hf_quat_from_axis_angle(hf_v3_scale(1.0 / size, l->axis), by);
        } else if (l->type == HF_JOINT_PRISMATIC && size > 0.0) {
            moved.position = hf_v3_scale(by / size, l->axis);
        }
        pose = hf_mjcf_compose(joint, hf_mjcf_compose(moved, pose));
    }
    return pose;
}

static hf_vec3 place_of(const hf_mjcf *m, int link, hf_vec3 point)
{
    hf_mjcf_pose pose = spring_pose(m, link);
    return hf_v3_add(pose.position, turned(pose.turn, point));
}

// The length of a string there.
static double string_length(const hf_mjcf *m, const hf_robot_tendon *tendon)
{
    double length = 0.0, share = 1.0;
    for (int i = 0; i < tendon->part_count; ++i) {
        const hf_robot_part *a = &tendon->parts[i], *b = a + 1;
        share = a->kind == HF_PATH_PULLEY ? 1.0 / a->divisor : share;
        if (a->kind != HF_PATH_POINT || i + 1 == tendon->part_count || b->kind == HF_PATH_PULLEY) {
            continue;
        }
        bool round = b->kind != HF_PATH_POINT && i + 2 < tendon->part_count;
        const hf_robot_part *to = round ? b + 1 : b;
        hf_vec3 p = place_of(m, a->link, a->point), q = place_of(m, to->link, to->point);
        hf_wrap_way way = {.wraps = false};
        if (round) {
            hf_wrap_round thing = {.center = place_of(m, b->link, b->point),
                                   .radius = b->radius,
                                   .has_side = b->has_side,
                                   .side = place_of(m, b->side_link, b->side)};
            if (b->kind == HF_PATH_CYLINDER) {
                thing.axis = turned(spring_pose(m, b->link).turn, b->axis);
            }
            way = hf_wrap_find(&thing, p, q);
        }
        length += share * (way.wraps ? hf_v3_norm(hf_v3_sub(way.off, p)) + way.arc +
                                           hf_v3_norm(hf_v3_sub(q, way.on))
                                     : hf_v3_norm(hf_v3_sub(q, p)));
    }
    return length;
}

// ------------------------------------------------------------------------------------------------
// Over joints, and all

static bool read_terms(hf_mjcf *m, hf_xml_element *element, hf_robot_sum *sum)
{
    for (hf_xml_element *e = hf_xml_child(element, "joint"); e != NULL; e = hf_xml_next(e)) {
        hf_mjcf_view view = {e, {{e}, 1}};
        hf_robot_term term = {0};
        hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
        if (!hf_mjcf_find_scalar(m, &view, "joint", &term.link) ||
            hf_mjcf_need(m, &view, "coef") == NULL ||
            !hf_mjcf_number(m, &view, "coef", &term.factor)) {
            return false;
        }
        if (sum->count == HF_ROBOT_MOST_TERMS) {
            return hf_xml_fail(e, m->robot->error, HF_ERROR_UNSUPPORTED,
                               "a tendon over more than %d joints is not understood",
                               HF_ROBOT_MOST_TERMS);
        }
        sum->terms[sum->count] = term;
        sum->count += term.factor == 0.0 ? 0 : 1;
    }
    return true;
}

// The length where the springs of its joints rest (`springref`), whether they have any or not.
static double sum_at_rest(const hf_mjcf *m, const hf_robot_tendon *tendon)
{
    double length = 0.0;
    for (int i = 0; i < tendon->length.count; ++i) {
        const hf_robot_term *t = &tendon->length.terms[i];
        const hf_robot_link *link = &m->robot->links.items[t->link];
        length += t->factor * link->rest;
        if (tendon->stiffness > 0.0 && link->from != NULL) {
            hf_xml_mark(hf_xml_get(link->from, "springref"), HF_FATE_TAKEN, NULL);
        }
    }
    return length;
}

static bool read_tendon(hf_mjcf *m, hf_xml_element *e)
{
    hf_mjcf_view view;
    double range[2] = {0}, slack[2] = {-1, -1};
    int slacked = 0;
    bool limited = false;
    if (!hf_mjcf_look(m, e, "tendon", NULL, &view)) {
        return false;
    }
    // Its name
    hf_xml_attribute *name = hf_mjcf_get(&view, "name");
    int index = hf_robot_add_tendon(m->robot, name == NULL ? NULL : name->value, "tendon");
    if (index < 0) {
        return false;
    }
    hf_robot_tendon *tendon = &m->robot->tendons.items[index];
    tendon->file_name = name == NULL ? NULL : name->value;
    tendon->from = e;
    // Which joints or parts, and what acts along its length
    bool string = strcmp(e->name, "spatial") == 0;
    if (!(string ? read_parts(m, e, tendon, index) : read_terms(m, e, &tendon->length)) ||
        !hf_mjcf_number(m, &view, "stiffness", &tendon->stiffness) ||
        !hf_mjcf_number(m, &view, "damping", &tendon->damping) ||
        !hf_mjcf_number(m, &view, "frictionloss", &tendon->friction) ||
        !hf_mjcf_numbers(m, &view, "springlength", 1, 2, slack, &slacked) ||
        !hf_mjcf_range(m, &view, "range", "limited", range, &limited)) {
        return false;
    }
    // Limits, and the length at which its spring is slack
    if (limited) {
        tendon->low = range[0];
        tendon->high = range[1];
    }
    slack[1] = slacked == 1 ? slack[0] : slack[1];
    if (!(slack[0] <= slack[1])) {
        return hf_xml_fail_at(hf_mjcf_peek(&view, "springlength"), m->robot->error, HF_ERROR_RANGE,
                              "springlength must not fall, got %g to %g", slack[0], slack[1]);
    }
    if (slack[0] < 0.0) {
        slack[0] = slack[1] = string ? string_length(m, tendon) : sum_at_rest(m, tendon);
    }
    tendon->slack_low = slack[0];
    tendon->slack_high = slack[1];
    // What has no effect, and what is otherwise
    static const char *const seen[] = {"width", "rgba", "material", "group", "user"};
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; ++i) {
        hf_mjcf_mark(&view, seen[i], HF_FATE_SEEN, "only shown");
    }
    static const char *const soft[] = {"solreflimit", "solimplimit", "solreffriction",
                                       "solimpfriction", "margin"};
    for (size_t i = 0; i < sizeof soft / sizeof soft[0]; ++i) {
        hf_mjcf_mark(&view, soft[i], HF_FATE_OTHERWISE, "limits are rigid and friction holds");
    }
    hf_mjcf_mark(&view, "armature", HF_FATE_MISSING, "inertia of the tendon's length");
    hf_mjcf_mark(&view, "actuatorfrcrange", HF_FATE_MISSING,
                 "the force of all actuators on the tendon would be limited");
    return true;
}

bool hf_mjcf_read_tendons(hf_mjcf *m)
{
    for (hf_xml_element *s = hf_xml_child(m->root, "tendon"); s != NULL; s = hf_xml_next(s)) {
        hf_xml_mark_element(s, HF_FATE_TAKEN, NULL);
        for (hf_xml_element *e = s->first; e != NULL; e = e->next) {
            bool known = strcmp(e->name, "fixed") == 0 || strcmp(e->name, "spatial") == 0;
            if (known && !read_tendon(m, e)) {
                return false;
            }
        }
    }
    return true;
}
