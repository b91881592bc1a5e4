// SPDX-License-Identifier: Apache-2.0
// What an actuator acts on: a joint, a tendon, a site, two sites, the rod of a slider-crank, or all
// that a body touches.
#include <string.h>

#include "math/vec.h"
#include "robots/mjcf/mjcf.h"

// A torque between the two sides of a ball joint, in the axes of its link or (jointinparent) of the
// joint on the other side. The length is the rotation vector along it.
static void on_ball(hf_mjcf *m, hf_mjcf_drive *r, bool in_parent, const double *gear)
{
    const hf_robot_link *link = &m->robot->links.items[r->link];
    hf_vec3 about = hf_v3(gear[0], gear[1], gear[2]);
    const hf_quat none = {.w = 1.0};
    r->drive->on.wrench = in_parent ? (hf_robot_wrench){.link = r->link,
                                                        .to = link->parent,
                                                        .to_point = link->offset,
                                                        .turn = none,
                                                        .to_turn = link->tilt,
                                                        .torque = about}
                                    : (hf_robot_wrench){.link = link->parent,
                                                        .to = r->link,
                                                        .point = link->offset,
                                                        .turn = link->tilt,
                                                        .to_turn = none,
                                                        .torque = hf_v3_scale(-1.0, about)};
    r->drive->on.wrench.there = r->drive->on.wrench.between = true;
}

// A torque in the axes of a link on a free joint. Its forces are along the world's axes, which no
// wrench on a link has.
static void on_free(hf_mjcf_drive *r, const double *gear)
{
    if (hf_v3_norm(hf_v3(gear[0], gear[1], gear[2])) > 0.0) {
        hf_xml_mark_all(r->view.element, HF_FATE_MISSING,
                        "an actuator on a free joint would push along the world's axes");
        r->drive = NULL;
        return;
    }
    r->drive->on.wrench = (hf_robot_wrench){
        .there = true, .link = r->link, .torque = hf_v3(gear[3], gear[4], gear[5])};
}

static bool on_turning(hf_mjcf *m, hf_mjcf_drive *r, bool in_parent, const double *gear)
{
    if (m->robot->links.items[r->link].type == HF_JOINT_SPHERICAL) {
        on_ball(m, r, in_parent, gear);
    } else {
        on_free(r, gear);
    }
    r->link = -1;
    if (r->drive != NULL && !(hf_v3_norm(r->drive->on.wrench.torque) > 0.0)) {
        hf_xml_mark_all(r->view.element, HF_FATE_SEEN, "its gear is zero: it does nothing");
        r->drive = NULL;
    }
    if (r->drive != NULL) {
        r->drive->on.terms[0] = (hf_robot_term){-1, 1.0};
        r->drive->on.count = 1;
    }
    return true;
}

static bool on_joint(hf_mjcf *m, hf_mjcf_drive *r, hf_xml_attribute *joint, bool in_parent,
                     const double *gear)
{
    int index = hf_mjcf_find_joint(m, joint);
    if (index < 0) {
        return hf_xml_fail_at(joint, m->robot->error, HF_ERROR_NAME, "there is no joint '%.60s'",
                              joint->value);
    }
    r->link = m->joints.items[index].link;
    hf_joint_type type = m->robot->links.items[r->link].type;
    if (type != HF_JOINT_REVOLUTE && type != HF_JOINT_PRISMATIC) {
        return on_turning(m, r, in_parent, gear);
    }
    r->drive->on.terms[0] = (hf_robot_term){r->link, r->gear};
    r->drive->on.count = 1;
    return true;
}

static bool on_tendon(hf_mjcf *m, hf_mjcf_drive *r, hf_xml_attribute *name)
{
    for (size_t i = 0; i < m->robot->tendons.count; ++i) {
        const hf_robot_tendon *tendon = &m->robot->tendons.items[i];
        if (tendon->file_name != NULL && strcmp(tendon->file_name, name->value) == 0) {
            r->drive->on = tendon->length;
            hf_xml_mark(name, HF_FATE_TAKEN, NULL);
            for (int k = 0; k < tendon->length.count; ++k) {
                r->drive->on.terms[k].factor *= r->gear;
            }
            return true;
        }
    }
    return hf_xml_fail_at(name, m->robot->error, HF_ERROR_NAME, "there is no tendon '%.60s'",
                          name->value);
}

// Whether a body is a link or carries it. -1: the world, which carries all.
static bool carries(const hf_robot *robot, int carrier, int link)
{
    while (link >= 0 && link != carrier) {
        link = robot->links.items[link].parent;
    }
    return link == carrier;
}

// A force and a torque in the axes of a site, against the world; or in the axes of another site,
// `refsite`, between the two.
static bool on_site(hf_mjcf *m, hf_mjcf_drive *r, hf_xml_attribute *name, const double *gear)
{
    hf_mjcf_pose pose = {.turn = {.w = 1.0}}, other = pose;
    int body = 0, to = 0;
    hf_xml_attribute *refsite = hf_mjcf_get(&r->view, "refsite");
    if (!hf_mjcf_find_site(m, name, &body, &pose) ||
        (refsite != NULL && !hf_mjcf_find_site(m, refsite, &to, &other))) {
        return false;
    }
    hf_mat3 axes = hf_quat_rotation(pose.turn);
    hf_vec3 push = hf_v3(gear[0], gear[1], gear[2]), turn = hf_v3(gear[3], gear[4], gear[5]);
    hf_robot_wrench wrench = {.there = true,
                              .between = refsite != NULL,
                              .link = m->bodies.items[body].link,
                              .to = m->bodies.items[to].link,
                              .point = pose.position,
                              .to_point = other.position,
                              .force = refsite != NULL ? push : hf_m3_mulv(&axes, push),
                              .torque = refsite != NULL ? turn : hf_m3_mulv(&axes, turn),
                              .turn = pose.turn,
                              .to_turn = other.turn};
    double size = hf_v3_norm(wrench.force) + hf_v3_norm(wrench.torque);
    if (wrench.link == wrench.to || (refsite == NULL && wrench.link < 0) || !(size > 0.0)) {
        hf_xml_mark_all(r->view.element, HF_FATE_SEEN, "it pushes at what does not move");
        r->drive = NULL;
        return true;
    }
    if (refsite != NULL && !carries(m->robot, wrench.to, wrench.link)) {
        hf_xml_mark(refsite, HF_FATE_OTHERWISE,
                    "what it pushes at has the opposite force at the same place, so that momentum "
                    "is kept");
    }
    r->drive->on.wrench = wrench;
    r->drive->on.terms[0] = (hf_robot_term){-1, 1.0};
    r->drive->on.count = 1;
    return true;
}

// A rod from `cranksite` to a slider along the z axis of `slidersite`.
static bool on_crank(hf_mjcf *m, hf_mjcf_drive *r, hf_xml_attribute *crank)
{
    hf_mjcf_pose pose = {.turn = {.w = 1.0}}, slider = pose;
    int body = 0, to = 0;
    double length = 0.0;
    hf_xml_attribute *site = hf_mjcf_get(&r->view, "slidersite");
    if (site == NULL) {
        return hf_xml_fail_at(crank, m->robot->error, HF_ERROR_INPUT,
                              "cranksite needs a slidersite");
    }
    if (!hf_mjcf_find_site(m, crank, &body, &pose) || !hf_mjcf_find_site(m, site, &to, &slider) ||
        !hf_mjcf_number(m, &r->view, "cranklength", &length)) {
        return false;
    }
    if (!(length > 0.0)) {
        return hf_xml_fail_at(crank, m->robot->error, HF_ERROR_RANGE,
                              "a slider-crank needs a positive cranklength");
    }
    hf_mat3 axes = hf_quat_rotation(slider.turn);
    hf_robot_crank rod = {.there = true,
                          .link = m->bodies.items[body].link,
                          .to = m->bodies.items[to].link,
                          .point = pose.position,
                          .to_point = slider.position,
                          .axis = hf_m3_mulv(&axes, hf_v3(0, 0, 1)),
                          .length = length};
    if (rod.link == rod.to) {
        hf_xml_mark_all(r->view.element, HF_FATE_SEEN, "it pushes at what does not move");
        r->drive = NULL;
        return true;
    }
    r->drive->on.crank = rod;
    r->drive->on.terms[0] = (hf_robot_term){-1, r->gear};
    r->drive->on.count = 1;
    return true;
}

// Whether a body touches anything by itself, and the largest margin of its geoms: within it MuJoCo
// counts a contact.
static bool find_reach(hf_mjcf *m, int body, double *reach, bool *touches)
{
    for (size_t i = 0; i < m->geoms.count; ++i) {
        const hf_mjcf_geom *g = &m->geoms.items[i];
        if (g->body != body || g->shape < 0 || !m->robot->shapes.items[g->shape].collides) {
            continue;
        }
        hf_mjcf_view view;
        double margin = 0.0;
        if (!hf_mjcf_look(m, g->element, "geom", g->childclass, &view) ||
            !hf_mjcf_number(m, &view, "margin", &margin)) {
            return false;
        }
        hf_mjcf_mark(&view, "margin", HF_FATE_OTHERWISE,
                     "how far the adhesion of its body reaches; contacts are rigid");
        *reach = margin > *reach ? margin : *reach;
        *touches = true;
    }
    return true;
}

// A body that is drawn to what it touches, by a force that all its contacts share.
static bool on_body(hf_mjcf *m, hf_mjcf_drive *r, hf_xml_attribute *name)
{
    int body = hf_mjcf_find_body(m, name);
    double reach = 0.0;
    bool touches = false;
    if (body < 0) {
        return hf_xml_fail_at(name, m->robot->error, HF_ERROR_NAME, "there is no body '%.60s'",
                              name->value);
    }
    if (!find_reach(m, body, &reach, &touches)) {
        return false;
    }
    int link = m->bodies.items[body].link;
    if (!touches || link < 0) {
        hf_xml_mark_all(r->view.element, touches ? HF_FATE_MISSING : HF_FATE_SEEN,
                        touches ? "what does not move would draw others to it"
                                : "its body touches nothing");
        r->drive = NULL;
        return true;
    }
    r->drive->on.adhesion = (hf_robot_adhesion){.there = true, .link = link, .reach = reach};
    r->drive->on.terms[0] = (hf_robot_term){-1, 1.0};
    r->drive->on.count = 1;
    return true;
}

// An actuator names one thing that it acts on.
static bool check_one(hf_mjcf *m, const hf_mjcf_drive *r)
{
    static const char *const names[] = {"joint", "jointinparent", "tendon",
                                        "site",  "cranksite",     "body"};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        hf_xml_attribute *a = hf_mjcf_peek(&r->view, names[i]);
        if (a != NULL && first != NULL) {
            return hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT,
                                  "an actuator acts on one thing: %s and %s are given", first,
                                  names[i]);
        }
        first = a != NULL ? names[i] : first;
    }
    return true;
}

bool hf_mjcf_read_target(hf_mjcf *m, hf_mjcf_drive *r)
{
    double gear[6] = {1, 0, 0, 0, 0, 0};
    hf_xml_attribute *joint = hf_mjcf_get(&r->view, "joint"),
                     *tendon = hf_mjcf_get(&r->view, "tendon");
    if (!check_one(m, r) || !hf_mjcf_numbers(m, &r->view, "gear", 1, 6, gear, NULL)) {
        return false;
    }
    // A joint or a tendon
    bool in_parent = joint == NULL;
    joint = in_parent ? hf_mjcf_get(&r->view, "jointinparent") : joint;
    r->gear = gear[0];
    r->link = -1;
    if (joint != NULL) {
        return on_joint(m, r, joint, in_parent, gear);
    }
    if (tendon != NULL) {
        return on_tendon(m, r, tendon);
    }
    // A site or a slider-crank
    hf_xml_attribute *site = hf_mjcf_get(&r->view, "site");
    if (site != NULL) {
        return on_site(m, r, site, gear);
    }
    hf_xml_attribute *crank = hf_mjcf_get(&r->view, "cranksite");
    if (crank != NULL) {
        return on_crank(m, r, crank);
    }
    hf_xml_attribute *body = hf_mjcf_get(&r->view, "body");
    if (body != NULL) {
        hf_mjcf_mark(&r->view, "gear", HF_FATE_SEEN, "adhesion has no gear");
        return on_body(m, r, body);
    }
    hf_xml_mark_all(r->view.element, HF_FATE_MISSING, "it names nothing that it would push");
    r->drive = NULL;
    return true;
}
