// SPDX-License-Identifier: Apache-2.0
// Axes that are held, and axes that follow others (SDF 1.11):
//   q = multiplier (leader - reference) + offset
#include <math.h>
#include <string.h>

#include "robots/sdf/sdf.h"

bool hf_sdf_lock(hf_sdf *s, hf_xml_element *limit, hf_robot_link *link)
{
    double at = link->low;
    if (!(at == link->high)) {
        return true;
    }
    link->low = -INFINITY, link->high = INFINITY;
    if (link->type == HF_JOINT_FIXED) {
        hf_xml_mark_element(limit, HF_FATE_SEEN, "the model stands still");
        return true;
    }
    int coupling = hf_robot_add_coupling(s->robot, link->name, "locked");
    if (coupling < 0) {
        return false;
    }
    hf_robot_coupling *c = &s->robot->couplings.items[coupling];
    *c = (hf_robot_coupling){
        .name = c->name, .on = (int)(link - s->robot->links.items), .to = -1, .from = limit};
    c->polynomial[0] = at;
    link->position[0] = at;
    hf_xml_mark_element(limit, HF_FATE_OTHERWISE, "limits that coincide: it is held there");
    return true;
}

// The robot's link of a joint's first or second axis; -1: there is none.
static int link_of(const hf_sdf *s, const hf_xml_element *joint, bool second)
{
    for (size_t i = 0; joint != NULL && i < s->robot->links.count; ++i) {
        hf_joint_type type = s->robot->links.items[i].type;
        bool scalar = type == HF_JOINT_REVOLUTE || type == HF_JOINT_PRISMATIC;
        if (s->robot->links.items[i].from == joint && scalar) {
            int index = (int)i + (second ? 1 : 0);
            bool there = index < (int)s->robot->links.count;
            return there && s->robot->links.items[index].from == joint ? index : -1;
        }
    }
    return -1;
}

static const hf_xml_element *joint_called(const hf_sdf *s, int scope, const char *name)
{
    for (size_t i = 0; i < s->joints.count; ++i) {
        const hf_sdf_joint *joint = &s->joints.items[i];
        hf_xml_attribute *own = hf_xml_get(joint->element, "name");
        if (joint->scope == scope && own != NULL && strcmp(own->value, name) == 0) {
            return joint->element;
        }
    }
    return NULL;
}

static bool follow(hf_sdf *s, const hf_sdf_joint *joint, hf_xml_element *mimic, bool second)
{
    double multiplier = 1.0, offset = 0.0, reference = 0.0;
    hf_xml_attribute *leader = hf_xml_get(mimic, "joint"), *axis = hf_xml_get(mimic, "axis");
    bool of_second = axis != NULL && strcmp(axis->value, "axis2") == 0;
    const hf_xml_element *other =
        leader == NULL ? NULL : joint_called(s, joint->scope, leader->value);
    int on = link_of(s, joint->element, second), to = link_of(s, other, of_second);
    // Where there is nothing to couple
    if (s->is_static) {
        hf_xml_mark_all(mimic, HF_FATE_SEEN, "the model stands still");
        return true;
    }
    if (on < 0 || to < 0 || on == to) {
        hf_xml_mark_all(mimic, HF_FATE_MISSING,
                        "the axis would follow another, which is not found");
        return true;
    }
    // Its numbers
    hf_xml_mark_element(mimic, HF_FATE_TAKEN, NULL);
    hf_xml_mark(leader, HF_FATE_TAKEN, NULL);
    hf_xml_mark(axis, HF_FATE_TAKEN, NULL);
    if (!hf_sdf_numbers(s, mimic, "multiplier", 1, &multiplier, NULL) ||
        !hf_sdf_numbers(s, mimic, "offset", 1, &offset, NULL) ||
        !hf_sdf_numbers(s, mimic, "reference", 1, &reference, NULL)) {
        return false;
    }
    // The coupling
    int coupling = hf_robot_add_coupling(s->robot, joint->name, "mimic");
    if (coupling < 0) {
        return false;
    }
    hf_robot_coupling *c = &s->robot->couplings.items[coupling];
    *c = (hf_robot_coupling){
        .name = c->name, .on = on, .to = to, .to_zero = reference, .from = mimic};
    c->polynomial[0] = offset;
    c->polynomial[1] = multiplier;
    return true;
}

bool hf_sdf_couple_mimics(hf_sdf *s)
{
    for (size_t i = 0; i < s->joints.count; ++i) {
        const hf_sdf_joint *joint = &s->joints.items[i];
        for (int k = 0; k < 2; ++k) {
            hf_xml_element *axis = hf_xml_child(joint->element, k == 0 ? "axis" : "axis2"),
                           *mimic = axis == NULL ? NULL : hf_xml_child(axis, "mimic");
            if (mimic != NULL && !follow(s, joint, mimic, k == 1)) {
                return false;
            }
        }
    }
    hf_robot_start_followers(s->robot);
    return true;
}
