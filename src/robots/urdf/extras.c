// SPDX-License-Identifier: Apache-2.0
// What others have put into URDF: Gazebo, transmissions, Drake; and the rules of the rest.
#include <math.h>
#include <string.h>

#include "robots/urdf/urdf.h"

static hf_robot_link *find_link(hf_urdf *u, const char *name)
{
    for (size_t i = 0; i < u->links.count; ++i) {
        if (strcmp(u->links.items[i].name, name) == 0 && u->links.items[i].index >= 0) {
            return &u->robot->links.items[u->links.items[i].index];
        }
    }
    return NULL;
}

static hf_robot_link *find_joint(hf_urdf *u, const char *name)
{
    for (size_t i = 0; i < u->joints.count; ++i) {
        if (strcmp(u->joints.items[i].name, name) == 0) {
            return &u->robot->links.items[u->joints.items[i].index];
        }
    }
    return NULL;
}

static bool is_true(const hf_xml_element *e)
{
    const hf_xml_attribute *value = hf_xml_get(e, "value");
    const char *text = value != NULL ? value->value : e->text;
    return strcmp(text, "true") == 0 || strcmp(text, "True") == 0 || strcmp(text, "1") == 0;
}

static bool is_false(const hf_xml_element *e)
{
    const hf_xml_attribute *value = hf_xml_get(e, "value");
    const char *text = value != NULL ? value->value : e->text;
    return strcmp(text, "false") == 0 || strcmp(text, "False") == 0 || strcmp(text, "0") == 0;
}

// <gazebo reference="LINK"> or "JOINT".
static bool read_gazebo(hf_urdf *u, hf_xml_element *g)
{
    hf_xml_attribute *reference = hf_xml_get(g, "reference");
    hf_xml_mark_element(g, HF_FATE_TAKEN, NULL);
    hf_xml_mark(reference, HF_FATE_TAKEN, NULL);
    if (reference == NULL) {
        return true;
    }
    // What it refers to
    hf_robot_link *link = find_link(u, reference->value), *joint = find_joint(u, reference->value);
    double first = NAN, second = NAN;
    // Friction, weight, springs, contacts with itself
    for (hf_xml_element *e = g->first; e != NULL; e = e->next) {
        bool gravity_off = (strcmp(e->name, "turnGravityOff") == 0 && is_true(e)) ||
                           (strcmp(e->name, "gravity") == 0 && !is_true(e));
        if (strcmp(e->name, "mu1") == 0 || strcmp(e->name, "mu2") == 0) {
            double *to = e->name[2] == '1' ? &first : &second;
            if (!hf_urdf_text_number(u, e, to)) {
                return false;
            }
        } else if (strcmp(e->name, "turnGravityOff") == 0 || strcmp(e->name, "gravity") == 0) {
            hf_xml_mark_all(e, HF_FATE_TAKEN, NULL);
            if (!is_true(e) && !is_false(e)) {
                return hf_xml_fail(e, u->robot->error, HF_ERROR_INPUT, "%s must be true or false",
                                   e->name);
            }
            if (link != NULL && gravity_off) {
                link->weight_share = 1.0;
                hf_xml_mark_element(e, HF_FATE_OTHERWISE, "a force that carries its weight");
            }
        } else if (joint != NULL && strcmp(e->name, "springStiffness") == 0) {
            if (!hf_urdf_text_number(u, e, &joint->stiffness)) {
                return false;
            }
        } else if (joint != NULL && strcmp(e->name, "springReference") == 0) {
            if (!hf_urdf_text_number(u, e, &joint->rest)) {
                return false;
            }
        } else if (strcmp(e->name, "selfCollide") == 0 || strcmp(e->name, "self_collide") == 0) {
            hf_xml_mark_all(e, HF_FATE_TAKEN, NULL);
            u->self_collide = u->self_collide || is_true(e);
        }
    }
    // Friction by direction
    hf_xml_element *fdir = hf_xml_child(g, "fdir1");
    double n[3] = {0};
    bool directed = fdir != NULL && hf_xml_numbers(fdir->text, 3, 3, n) == 3 &&
                    (n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0);
    first = isfinite(second) && !isfinite(first) ? 1.0 : first; // SDF's default
    if (isfinite(second) && second != first) {
        hf_xml_mark_element(hf_xml_child(g, "mu2"), directed ? HF_FATE_TAKEN : HF_FATE_OTHERWISE,
                            directed ? NULL : HF_BY_WORLD);
        if (link != NULL && second >= 0.0) {
            link->contact_across = second;
            link->contact_direction = (hf_vec3){n[0], n[1], n[2]};
            link->contact_by_world = !directed;
        }
    }
    hf_xml_mark_element(fdir, directed ? HF_FATE_TAKEN : HF_FATE_SEEN,
                        directed ? NULL : "names no direction");
    if (link != NULL && isfinite(first)) {
        link->contact_friction = first;
    }
    return true;
}

// Parts of a transmission that are not represented: a flexibility, a screw, a motor's own inertia.
static void mark_unknown(hf_xml_element *of)
{
    static const char *const known[] = {"type",
                                        "joint",
                                        "actuator",
                                        "mechanicalReduction",
                                        "drake:gear_ratio",
                                        "drake:rotor_inertia",
                                        "hardwareInterface",
                                        "motorTorqueConstant",
                                        "role"};
    for (hf_xml_element *e = of->first; e != NULL; e = e->next) { // depth is limited
        size_t i = 0, count = sizeof known / sizeof *known;
        while (i < count && strcmp(e->name, known[i]) != 0) {
            ++i;
        }
        if (i == count) {
            hf_xml_mark_all(e, HF_FATE_MISSING, "what it does in a transmission is not known");
        } else {
            mark_unknown(e);
        }
    }
}

// Rotor inertia and gear ratio of Drake: J n^2 on the joint.
static bool read_transmission(hf_urdf *u, hf_xml_element *t)
{
    hf_xml_element *joint = hf_xml_child(t, "joint"), *actuator = hf_xml_child(t, "actuator");
    hf_xml_attribute *name = hf_xml_get(joint, "name");
    hf_robot_link *link = name == NULL ? NULL : find_joint(u, name->value);
    // Its numbers
    double inertia = 0.0, ratio = 1.0, reduction = 1.0;
    hf_xml_element *rotor = hf_xml_child(actuator, "drake:rotor_inertia"),
                   *gear = hf_xml_child(actuator, "drake:gear_ratio"),
                   *reduced = hf_xml_child(actuator, "mechanicalReduction");
    reduced = reduced == NULL ? hf_xml_child(joint, "mechanicalReduction") : reduced;
    if ((rotor != NULL && !hf_urdf_text_number(u, rotor, &inertia)) ||
        (gear != NULL && !hf_urdf_text_number(u, gear, &ratio)) ||
        (reduced != NULL && reduced->text[0] != '\0' &&
         !hf_urdf_text_number(u, reduced, &reduction))) {
        return false;
    }
    // What they do, and what is reported of the rest
    if (link != NULL) {
        link->armature += inertia * ratio * ratio;
    }
    if (reduced != NULL && reduction != 1.0) {
        hf_xml_mark_element(reduced, HF_FATE_OTHERWISE,
                            "the joint's input is behind the reduction");
    }
    if (link == NULL && rotor != NULL) {
        hf_xml_mark_element(rotor, HF_FATE_MISSING, "there is no such joint: it would be heavier");
    }
    hf_xml_mark_all(t, HF_FATE_OTHERWISE, "the joint's input is its torque or force");
    mark_unknown(t);
    return true;
}

bool hf_urdf_read_extras(hf_urdf *u)
{
    for (hf_xml_element *e = u->root->first; e != NULL; e = e->next) {
        if ((strcmp(e->name, "gazebo") == 0 && !read_gazebo(u, e)) ||
            (strcmp(e->name, "transmission") == 0 && !read_transmission(u, e))) {
            return false;
        }
    }
    u->robot->no_self_contacts = !u->self_collide;
    return true;
}

#define SOFT "contacts are rigid here: there is no softness to set"

static const hf_account_rule RULES[] = {
    {"visual/**", "*", HF_FATE_SEEN, "only shown"},
    {"material/**", "*", HF_FATE_SEEN, "a colour"},
    {"sensor/**", "*", HF_FATE_SEEN, "a sensor measures; it moves nothing"},
    {"gazebo/plugin/**", "*", HF_FATE_SEEN, "a program of Gazebo"},
    {"ros2_control/**", "*", HF_FATE_SEEN, "settings of controllers"},
    {"gazebo/kp", "*", HF_FATE_OTHERWISE, SOFT},
    {"gazebo/kd", "*", HF_FATE_OTHERWISE, SOFT},
    {"gazebo/minDepth", "*", HF_FATE_OTHERWISE, SOFT},
    {"gazebo/maxVel", "*", HF_FATE_OTHERWISE, SOFT},
    {"gazebo/maxContacts", "*", HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"gazebo/stopCfm", "*", HF_FATE_OTHERWISE, SOFT},
    {"gazebo/stopErp", "*", HF_FATE_OTHERWISE, SOFT},
    {"gazebo/cfmDamping", "*", HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"gazebo/implicitSpringDamper", "*", HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"gazebo/provideFeedback", "*", HF_FATE_SEEN, "what Gazebo tells"},
    {"gazebo/disableFixedJointLumping", "*", HF_FATE_SEEN, "fixed links stay as they are"},
    {"gazebo/preserveFixedJoint", "*", HF_FATE_SEEN, "fixed links stay as they are"},
    {"gazebo/dampingFactor", "*", HF_FATE_MISSING, "velocities would decay"},
    {"contact/contact_cfm", "*", HF_FATE_OTHERWISE, SOFT},
    {"contact/contact_erp", "*", HF_FATE_OTHERWISE, SOFT},
    {"contact/stiffness", "*", HF_FATE_OTHERWISE, SOFT},
    {"contact/damping", "*", HF_FATE_OTHERWISE, SOFT},
    {"contact/inertia_scaling", "*", HF_FATE_MISSING, "the inertia would be scaled"},
    {"mujoco/**", "*", HF_FATE_SEEN, "settings of MuJoCo's compiler"},
    {"joint/safety_controller", "*", HF_FATE_SEEN, "settings of controllers"},
    {"joint/calibration", "*", HF_FATE_SEEN, "where a joint's sensor switches"},
    {"joint/hardwareInterface", "*", HF_FATE_SEEN, "settings of controllers"},
    {"robot", "version", HF_FATE_SEEN, "the version of the format"},
    {"robot", "xmlns:xacro", HF_FATE_SEEN, "a name space"},
    {"robot", "xmlns:drake", HF_FATE_SEEN, "a name space"},
    {"robot", "xmlns:xsi", HF_FATE_SEEN, "a name space"},
    {"robot", "xsi:schemaLocation", HF_FATE_SEEN, "a name space"},
    {"robot", "xmlns", HF_FATE_SEEN, "a name space"},
    {"link", "type", HF_FATE_SEEN, "a word for programs"},
    {"drake:ignore/**", "*", HF_FATE_SEEN, "asks to be ignored"},
    {"collision/verbose", "*", HF_FATE_SEEN, "a word for programs"},
};

void hf_urdf_settle(hf_urdf *u)
{
    hf_account_close(&u->robot->xml, RULES, (int)(sizeof RULES / sizeof RULES[0]));
}
