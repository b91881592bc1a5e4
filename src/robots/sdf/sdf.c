// SPDX-License-Identifier: Apache-2.0
// SDF from the top: worlds and models, links and joints into a tree.
#include "robots/sdf/sdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

static int find_link(const hf_sdf *s, const char *name)
{
    for (size_t i = 0; i < s->links.count; ++i) {
        if (strcmp(s->links.items[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool list_link(hf_sdf *s, hf_xml_element *e)
{
    hf_xml_attribute *name = hf_xml_get(e, "name");
    void *grown =
        hf_grow(s->links.items, s->links.count, &s->links.capacity, sizeof *s->links.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(s->robot);
    }
    s->links.items = grown;
    if (name == NULL || find_link(s, name->value) >= 0) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_NAME,
                           name == NULL ? "a link needs a name"
                                        : "there are two links of this name");
    }
    hf_sdf_link link = {.element = e, .name = name->value, .index = -1};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(name, HF_FATE_TAKEN, NULL);
    if (!hf_sdf_find_frame(s, NULL, name->value, &link.pose, 0)) {
        return false;
    }
    s->links.items[s->links.count++] = link;
    return true;
}

// A link, or one that a frame is attached to.
static bool find_end(hf_sdf *s, hf_xml_element *e, int *link)
{
    const char *name = e->text;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    *link = find_link(s, name);
    if (*link >= 0 || strcmp(name, "world") == 0) {
        return true;
    }
    for (hf_xml_element *f = hf_xml_child(s->model, "frame"); f != NULL; f = hf_xml_next(f)) {
        hf_xml_attribute *own = hf_xml_get(f, "name"), *attached = hf_xml_get(f, "attached_to");
        if (own != NULL && strcmp(own->value, name) == 0 && attached != NULL) {
            hf_xml_mark(attached, HF_FATE_TAKEN, NULL);
            *link = find_link(s, attached->value);
            return *link >= 0 || hf_xml_fail_at(attached, s->robot->error, HF_ERROR_NAME,
                                                "there is no link '%.60s'", attached->value);
        }
    }
    return hf_xml_fail(e, s->robot->error, HF_ERROR_NAME, "there is no link '%.60s'", name);
}

static bool list_joint(hf_sdf *s, hf_xml_element *e)
{
    // What it needs to have
    hf_xml_attribute *name = hf_xml_get(e, "name"), *type = hf_xml_get(e, "type");
    hf_xml_element *parent = hf_xml_child(e, "parent"), *child = hf_xml_child(e, "child");
    if (name == NULL || type == NULL || parent == NULL || child == NULL) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_INPUT,
                           "a joint needs name, type, parent and child");
    }
    hf_sdf_joint joint = {.element = e, .name = name->value, .type = type->value};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(name, HF_FATE_TAKEN, NULL);
    hf_xml_mark(type, HF_FATE_TAKEN, NULL);
    // Its ends and its frame
    if (!find_end(s, parent, &joint.parent) || !find_end(s, child, &joint.child) ||
        !hf_sdf_find_frame(s, NULL, name->value, &joint.pose, 0)) {
        return false;
    }
    if (joint.child < 0) {
        return hf_xml_fail(child, s->robot->error, HF_ERROR_INPUT, "the world cannot be a child");
    }
    // The first joint of a link carries it; another would close a loop
    hf_sdf_link *link = &s->links.items[joint.child];
    joint.closes = link->has_parent;
    link->has_parent = true;
    if (joint.closes) {
        hf_xml_mark_all(e, HF_FATE_MISSING, "a second joint of its child would close a loop");
    }
    void *grown =
        hf_grow(s->joints.items, s->joints.count, &s->joints.capacity, sizeof *s->joints.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(s->robot);
    }
    s->joints.items = grown;
    s->joints.items[s->joints.count++] = joint;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Joints

// The axis in the child link's frame.
static bool read_axis(hf_sdf *s, const hf_sdf_joint *joint, hf_xml_element *e, hf_vec3 *axis)
{
    hf_xml_element *xyz = hf_xml_child(e, "xyz");
    hf_xml_attribute *expressed = hf_xml_get(xyz, "expressed_in");
    double n[3] = {0, 0, 1};
    bool in_model = s->version < 1.45;
    if (!hf_sdf_numbers(s, e, "xyz", 3, n, NULL) ||
        !hf_sdf_flag(s, e, "use_parent_model_frame", &in_model)) {
        return false;
    }
    hf_sdf_pose frame = in_model ? (hf_sdf_pose){.turn = {.w = 1.0}} : joint->pose;
    hf_xml_mark(expressed, HF_FATE_TAKEN, NULL);
    if (expressed != NULL && expressed->value[0] != '\0' &&
        !hf_sdf_find_frame(s, expressed, expressed->value, &frame, 0)) {
        return false;
    }
    *axis = (hf_vec3){n[0], n[1], n[2]};
    if (!(hf_v3_norm(*axis) > 1e-14)) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_RANGE, "the axis must not be zero");
    }
    hf_mat3 from = hf_quat_rotation(frame.turn),
            to = hf_quat_rotation(s->links.items[joint->child].pose.turn);
    *axis = hf_m3_tmulv(&to, hf_m3_mulv(&from, *axis));
    return true;
}

static bool read_axis_numbers(hf_sdf *s, hf_xml_element *e, hf_robot_link *link, bool limited)
{
    hf_xml_element *dynamics = hf_xml_child(e, "dynamics"), *limit = hf_xml_child(e, "limit");
    double low = -1e16, high = 1e16, effort = -1.0, speed = -1.0;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(dynamics, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(limit, HF_FATE_TAKEN, NULL);
    // Numbers of the dynamics and of the limits
    if (!hf_sdf_numbers(s, dynamics, "damping", 1, &link->damping, NULL) ||
        !hf_sdf_numbers(s, dynamics, "friction", 1, &link->friction, NULL) ||
        !hf_sdf_numbers(s, dynamics, "spring_reference", 1, &link->rest, NULL) ||
        !hf_sdf_numbers(s, dynamics, "spring_stiffness", 1, &link->stiffness, NULL) ||
        !hf_sdf_numbers(s, limit, "lower", 1, &low, NULL) ||
        !hf_sdf_numbers(s, limit, "upper", 1, &high, NULL) ||
        !hf_sdf_numbers(s, limit, "effort", 1, &effort, NULL) ||
        !hf_sdf_numbers(s, limit, "velocity", 1, &speed, NULL)) {
        return false;
    }
    if (link->damping < 0.0 || link->friction < 0.0 || link->stiffness < 0.0) {
        return hf_xml_fail(dynamics, s->robot->error, HF_ERROR_RANGE,
                           "damping, friction and spring_stiffness must not be negative");
    }
    // Limits, as far as they are limits
    if (limited && low < high) {
        link->low = low > -1e15 ? low : -INFINITY;
        link->high = high < 1e15 ? high : INFINITY;
    }
    if (effort > 0.0) {
        link->effort = effort;
        hf_xml_mark_element(hf_xml_child(limit, "effort"), HF_FATE_OTHERWISE,
                            "range of the joint's input, a force or torque");
        if (link->friction >= effort) {
            hf_xml_mark_element(
                hf_xml_child(dynamics, "friction"), HF_FATE_OTHERWISE,
                "it is above the effort limit: the joint's drive can never move it");
        }
    }
    if (speed > 0.0 && speed < 1e15) {
        link->speed = speed;
        hf_xml_mark_element(hf_xml_child(limit, "velocity"), HF_FATE_OTHERWISE,
                            "a brake holds the joint at this speed, whatever drives it");
    } else if (speed == 0.0) {
        hf_xml_mark_element(hf_xml_child(limit, "velocity"), HF_FATE_MISSING,
                            "the joint would not move at all");
    }
    // Where it begins
    if (link->position[0] < link->low || link->position[0] > link->high) {
        link->position[0] = link->position[0] < link->low ? link->low : link->high;
        hf_xml_mark_element(e, HF_FATE_OTHERWISE,
                            "zero lies outside of its limits: it begins at the limit");
    }
    return true;
}

// A frame at the joint with the child link's axes, in the model.
static hf_sdf_pose joint_frame(const hf_sdf *s, const hf_sdf_joint *joint)
{
    return (hf_sdf_pose){joint->pose.position, s->links.items[joint->child].pose.turn};
}

// A new link of the robot at `frame` (in the model) on the link `parent` of the model.
static hf_robot_link *add_link(hf_sdf *s, const char *name, int parent, hf_sdf_pose frame,
                               int *index)
{
    *index = hf_robot_add_link(s->robot, name, "joint");
    if (*index < 0) {
        return NULL;
    }
    hf_robot_link *link = &s->robot->links.items[*index];
    hf_sdf_pose on = s->place; // of the parent's frame: in the world for the world
    if (parent >= 0) {
        const hf_sdf_link *carrier = &s->links.items[parent];
        const hf_robot_link *below = &s->robot->links.items[carrier->index];
        // The parent's own frame stands `origin` away from the link's.
        hf_mat3 r = hf_quat_rotation(carrier->pose.turn);
        hf_sdf_pose base = {hf_v3_sub(carrier->pose.position, hf_m3_mulv(&r, below->origin)),
                            carrier->pose.turn};
        on = hf_sdf_compose(hf_sdf_inverse(base), frame);
        link->parent = carrier->index;
    } else {
        on = hf_sdf_compose(s->place, frame);
    }
    link->offset = on.position;
    link->tilt = on.turn;
    link->family = s->self_collide ? 0 : s->family;
    return link;
}

static const struct {
    const char *name;
    hf_joint_type type;
    int axes;
    bool limited;
} TYPES[] = {
    {"revolute", HF_JOINT_REVOLUTE, 1, true},   {"continuous", HF_JOINT_REVOLUTE, 1, false},
    {"prismatic", HF_JOINT_PRISMATIC, 1, true}, {"fixed", HF_JOINT_FIXED, 0, false},
    {"ball", HF_JOINT_SPHERICAL, 0, false},     {"universal", HF_JOINT_REVOLUTE, 2, true},
    {"revolute2", HF_JOINT_REVOLUTE, 2, true}};
enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0] };

static bool read_joint(hf_sdf *s, const hf_sdf_joint *joint)
{
    int kind = 0, index = -1;
    // Its type; one that is not known holds its links together
    while (kind < TYPE_COUNT && strcmp(TYPES[kind].name, joint->type) != 0) {
        ++kind;
    }
    if (kind == TYPE_COUNT) {
        hf_xml_mark_all(joint->element, HF_FATE_MISSING,
                        "a joint of this type: its links are held together");
        kind = 3;
    }
    hf_sdf_pose frame = joint_frame(s, joint);
    hf_sdf_link *child = &s->links.items[joint->child];
    int links = TYPES[kind].axes == 2 ? 2 : 1;
    // A link for each axis; the last of them is the child
    for (int k = 0; k < links; ++k) {
        hf_xml_element *axis = hf_xml_child(joint->element, k == 0 ? "axis" : "axis2");
        hf_robot_link *link =
            k == 0 ? add_link(s, joint->name, joint->parent, frame, &index) : NULL;
        if (k == 1) {
            int before = index;
            index = hf_robot_add_link(s->robot, joint->name, "joint");
            link = index < 0 ? NULL : &s->robot->links.items[index];
            if (link != NULL) {
                link->parent = before;
                link->family = s->self_collide ? 0 : s->family;
            }
        }
        if (link == NULL) {
            return false;
        }
        link->type = s->is_static ? HF_JOINT_FIXED : TYPES[kind].type;
        link->from = joint->element;
        link->position[0] = link->type == HF_JOINT_SPHERICAL ? 1.0 : 0.0;
        if (TYPES[kind].axes > 0 && axis != NULL &&
            (!read_axis(s, joint, axis, &link->axis) ||
             !read_axis_numbers(s, axis, link, TYPES[kind].limited))) {
            return false;
        }
        if (k == links - 1) {
            hf_mat3 r = hf_quat_rotation(child->pose.turn);
            link->body = child->name;
            link->origin = hf_m3_tmulv(&r, hf_v3_sub(child->pose.position, frame.position));
        }
    }
    child->index = index;
    return true;
}

static bool read_below(hf_sdf *s, int parent, int depth)
{
    if (depth > 2000) {
        return hf_xml_fail(s->model, s->robot->error, HF_ERROR_INPUT,
                           "the chain of links is too long");
    }
    for (size_t i = 0; i < s->joints.count; ++i) {
        const hf_sdf_joint *joint = &s->joints.items[i];
        if (!joint->closes && joint->parent == parent &&
            (!read_joint(s, joint) || !read_below(s, joint->child, depth + 1))) {
            return false;
        }
    }
    return true;
}

// A link that no joint carries: free, or fixed in a static model.
static bool read_root(hf_sdf *s, int link)
{
    hf_sdf_link *l = &s->links.items[link];
    int index = -1;
    hf_robot_link *on = add_link(s, l->name, -1, l->pose, &index);
    if (on == NULL) {
        return false;
    }
    bool fixed = s->is_static || s->robot->options.base == HF_ROBOT_BASE_FIXED;
    on->type = fixed ? HF_JOINT_FIXED : HF_JOINT_FREE;
    on->body = l->name;
    on->from = l->element;
    if (!fixed) {
        const double at[7] = {on->offset.x, on->offset.y, on->offset.z, on->tilt.w,
                              on->tilt.x,   on->tilt.y,   on->tilt.z};
        memcpy(on->position, at, sizeof at);
        on->offset = (hf_vec3){0};
        on->tilt = (hf_quat){.w = 1.0};
    }
    l->index = index;
    return read_below(s, link, 0);
}

static bool add_inputs(hf_sdf *s, size_t first)
{
    for (size_t i = first; i < s->robot->links.count; ++i) {
        const hf_robot_link *link = &s->robot->links.items[i];
        if (!isfinite(link->effort) || link->type == HF_JOINT_FIXED) {
            continue;
        }
        int index = hf_robot_add_drive(s->robot, link->name, "joint");
        if (index < 0) {
            return false;
        }
        hf_robot_drive *drive = &s->robot->drives.items[index];
        drive->on.terms[0] = (hf_robot_term){(int)i, 1.0};
        drive->on.count = 1;
        drive->gain = 1.0;
        drive->input_low = -link->effort;
        drive->input_high = link->effort;
        drive->number = index;
        drive->from = link->from;
    }
    return true;
}

static bool read_model(hf_sdf *s)
{
    // Where it stands, and what holds for all of it
    hf_xml_attribute *relative = NULL;
    size_t first = s->robot->links.count;
    hf_xml_mark_element(s->model, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(s->model, "name"), HF_FATE_TAKEN, NULL);
    if (!hf_sdf_read_pose(s, s->model, &s->place, &relative) ||
        !hf_sdf_flag(s, s->model, "static", &s->is_static) ||
        !hf_sdf_flag(s, s->model, "self_collide", &s->self_collide)) {
        return false;
    }
    // Links and joints are listed
    for (hf_xml_element *e = hf_xml_child(s->model, "link"); e != NULL; e = hf_xml_next(e)) {
        if (!list_link(s, e)) {
            return false;
        }
    }
    for (hf_xml_element *e = hf_xml_child(s->model, "joint"); e != NULL; e = hf_xml_next(e)) {
        if (!list_joint(s, e)) {
            return false;
        }
    }
    // Joints from the world outwards, then links with none
    if (!read_below(s, -1, 0)) { // what joints hold to the world
        return false;
    }
    for (size_t i = 0; i < s->links.count; ++i) {
        if (!s->links.items[i].has_parent && !read_root(s, (int)i)) {
            return false;
        }
    }
    // What links are
    for (size_t i = 0; i < s->links.count; ++i) {
        if (s->links.items[i].index < 0) {
            return hf_xml_fail(s->links.items[i].element, s->robot->error, HF_ERROR_INPUT,
                               "link '%.60s' is part of a cycle of joints", s->links.items[i].name);
        }
        if (!hf_sdf_read_link(s, &s->links.items[i])) {
            return false;
        }
    }
    return add_inputs(s, first);
}

// ------------------------------------------------------------------------------------------------

#define SOFT "contacts and limits are rigid here: there is no softness to set"

static const hf_account_rule RULES[] = {
    {"visual/**", "*", HF_FATE_SEEN, "only shown"},
    {"sensor/**", "*", HF_FATE_SEEN, "a sensor measures; it moves nothing"},
    {"plugin/**", "*", HF_FATE_SEEN, "a program of Gazebo"},
    {"light/**", "*", HF_FATE_SEEN, "a light"},
    {"scene/**", "*", HF_FATE_SEEN, "only shown"},
    {"gui/**", "*", HF_FATE_SEEN, "only shown"},
    {"audio_source/**", "*", HF_FATE_SEEN, "a sound"},
    {"particle_emitter/**", "*", HF_FATE_SEEN, "only shown"},
    {"projector/**", "*", HF_FATE_SEEN, "only shown"},
    {"physics/**", "*", HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"spherical_coordinates/**", "*", HF_FATE_SEEN, "a place on the Earth"},
    {"magnetic_field", "*", HF_FATE_SEEN, "for sensors"},
    {"wind/**", "*", HF_FATE_MISSING, "wind would push"},
    {"atmosphere/**", "*", HF_FATE_SEEN, "for sensors"},
    {"road/**", "*", HF_FATE_SEEN, "only shown"},
    {"state/**", "*", HF_FATE_MISSING, "a saved state"},
    {"actor/**", "*", HF_FATE_MISSING, "a figure that moves by itself"},
    {"enable_wind", NULL, HF_FATE_SEEN, "there is no wind"},
    {"kinematic", NULL, HF_FATE_SEEN, "how Gazebo moves it when asked"},
    {"link/self_collide", NULL, HF_FATE_SEEN, "the model's word counts"},
    {"allow_auto_disable", NULL, HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"must_be_base_link", NULL, HF_FATE_SEEN, "a word for programs"},
    {"velocity_decay/**", "*", HF_FATE_MISSING, "velocities would decay"},
    {"provide_feedback", NULL, HF_FATE_SEEN, "what Gazebo tells"},
    {"max_contacts", NULL, HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"laser_retro", NULL, HF_FATE_SEEN, "for sensors"},
    {"surface/contact/**", "*", HF_FATE_OTHERWISE, SOFT},
    {"surface/soft_contact/**", "*", HF_FATE_OTHERWISE, SOFT},
    {"bounce/threshold", NULL, HF_FATE_OTHERWISE,
     "speeds below which nothing bounces are chosen here"},
    {"fdir1", "*", HF_FATE_SEEN, "friction is the same in all directions"},
    {"friction/bullet/**", "*", HF_FATE_SEEN, "numbers of another engine; those of ode count"},
    {"joint/physics/**", "*", HF_FATE_OTHERWISE, SOFT},
    {"limit/stiffness", NULL, HF_FATE_OTHERWISE, SOFT},
    {"limit/dissipation", NULL, HF_FATE_OTHERWISE, SOFT},
    {"axis/initial_position", NULL, HF_FATE_SEEN, "not used by Gazebo"},
    {"sdf", "version", HF_FATE_TAKEN, NULL},
    {"sdf", "xmlns:drake", HF_FATE_SEEN, "a name space"},
    {"frame", "*", HF_FATE_SEEN, "a frame that nothing refers to"},
    {"frame/**", "*", HF_FATE_SEEN, "a frame that nothing refers to"},
    {"model", "canonical_link", HF_FATE_SEEN, "names its frame"},
    {"model", "placement_frame", HF_FATE_MISSING, "the model would be placed by this frame"},
    {"world", NULL, HF_FATE_TAKEN, NULL},
    {"world", "name", HF_FATE_SEEN, "a name"},
    {"include/**", "*", HF_FATE_MISSING, "another model would be included"},
    {"model/model/**", "*", HF_FATE_MISSING, "a model within a model"},
    {"gripper/**", "*", HF_FATE_MISSING, "a grasp that holds by itself"},
};

static bool read_models(hf_robot *robot, hf_xml_element *parent, double version, int *count)
{
    for (hf_xml_element *e = hf_xml_child(parent, "model"); e != NULL; e = hf_xml_next(e)) {
        hf_xml_attribute *name = hf_xml_get(e, "name");
        if (robot->options.model != NULL &&
            (name == NULL || strcmp(name->value, robot->options.model) != 0)) {
            hf_xml_mark_all(e, HF_FATE_SEEN, "not the model that was asked for");
            continue;
        }
        hf_sdf s = {.robot = robot, .version = version, .model = e, .family = ++*count};
        bool read = read_model(&s);
        free(s.links.items);
        free(s.joints.items);
        if (!read) {
            return false;
        }
    }
    return true;
}

bool hf_read_sdf(hf_robot *robot, hf_xml_element *root)
{
    hf_xml_attribute *version = hf_xml_get(root, "version");
    hf_xml_element *world = hf_xml_child(root, "world"), *model = hf_xml_child(root, "model");
    hf_xml_attribute *title = hf_xml_get(model != NULL ? model : world, "name");
    double number = 1.6;
    int count = 0;
    // What holds for all models
    robot->gravity = (hf_vec3){0, 0, -9.81};
    robot->friction_rule = "minimum";
    hf_xml_mark_element(root, HF_FATE_TAKEN, NULL);
    hf_xml_mark(version, HF_FATE_TAKEN, NULL);
    if (version != NULL) {
        // 1.10 and 1.11 come after 1.9.
        const char *dot = strchr(version->value, '.');
        number = 1.0 + (dot == NULL ? 6.0 : atof(dot + 1)) /
                           (dot != NULL && strlen(dot + 1) > 1 ? 100.0 : 10.0);
        number = dot != NULL && strlen(dot + 1) > 1 ? 1.9 : number;
    }
    // The world's settings, then the models
    hf_sdf settings = {.robot = robot};
    double gravity[3] = {0, 0, world != NULL ? -9.8 : -9.81};
    if (robot->options.start != NULL) {
        return hf_xml_fail(root, robot->error, HF_ERROR_INPUT, "an SDF has no key frames");
    }
    if (!hf_robot_set_title(robot, title == NULL ? NULL : title->value) ||
        !hf_sdf_numbers(&settings, world, "gravity", 3, gravity, NULL)) {
        return false;
    }
    robot->gravity = (hf_vec3){gravity[0], gravity[1], gravity[2]};
    if (!read_models(robot, root, number, &count) || !read_models(robot, world, number, &count)) {
        return false;
    }
    if (count == 0) {
        return hf_xml_fail(root, robot->error, HF_ERROR_INPUT, "there is no model%s%.60s%s",
                           robot->options.model != NULL ? " '" : "",
                           robot->options.model != NULL ? robot->options.model : "",
                           robot->options.model != NULL ? "'" : "");
    }
    hf_account_close(&robot->xml, RULES, (int)(sizeof RULES / sizeof RULES[0]));
    return true;
}
