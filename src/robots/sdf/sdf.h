// SPDX-License-Identifier: Apache-2.0
// SDF 1.4 to 1.11: what its reader's files share. [sdformat.org]
//
// Links are poses in the model's frame, or in that of `relative_to`; a joint's pose is in its
// child's; an axis is in the joint's frame (1.5 on), in the model's (before, or with
// use_parent_model_frame), or in that of `expressed_in`. A link without an inertial weighs 1 kg, 1
// kg m^2. A model stands freely unless it is static or a joint holds it to the world.
#ifndef HF_ROBOTS_SDF_H
#define HF_ROBOTS_SDF_H

#include "robots/robot.h"

typedef struct hf_sdf_pose {
    hf_vec3 position;
    hf_quat turn;
} hf_sdf_pose;

// A model, or one of those in it: names within are its own, and seen from outside `NAME::` stands
// before them.
typedef struct hf_sdf_scope {
    hf_xml_element *model;
    hf_xml_element *include; // that brought it in; NULL: it stands where it is
    const char *name, *prefix;
    int parent;       // index; -1: the first
    double version;   // of its file
    hf_sdf_pose pose; // in the first one's frame
    int known;        // 0: the pose is not known yet; 1: it is being looked for; 2: it is
} hf_sdf_scope;

typedef struct hf_sdf_link {
    hf_xml_element *element;
    const char *name; // with the prefix of its scope
    int scope;
    hf_sdf_pose pose; // in the first model's frame
    int index;        // of the robot's link that carries it; -1: not yet
    bool has_parent;  // a joint carries it
} hf_sdf_link;

typedef struct hf_sdf_joint {
    hf_xml_element *element;
    int scope;
    const char *name, *type;
    int parent, child; // indices of links; -1: the world
    hf_sdf_pose pose;  // in the first model's frame
    bool closes;       // its child has another joint, which carries it
    bool gears;        // it couples two others
} hf_sdf_joint;

typedef struct hf_sdf {
    hf_robot *robot;
    hf_sdf_pose place; // of the model in the world
    double step;       // of Gazebo's solver [s]
    bool is_static, self_collide;
    int family; // number of the model
    HF_ROBOT_LIST(hf_sdf_scope, scopes);
    HF_ROBOT_LIST(hf_sdf_link, links);
    HF_ROBOT_LIST(hf_sdf_joint, joints);
} hf_sdf;

hf_sdf_pose hf_sdf_compose(hf_sdf_pose outer, hf_sdf_pose inner);
hf_sdf_pose hf_sdf_inverse(hf_sdf_pose pose);

// A child element's text as numbers; they stay as they are without one. *found may be NULL.
bool hf_sdf_numbers(hf_sdf *s, hf_xml_element *parent, const char *name, int count, double *numbers,
                    bool *found);
bool hf_sdf_flag(hf_sdf *s, hf_xml_element *parent, const char *name, bool *flag);
// <pose> of an element, as it is written; *relative: the frame that it names, or NULL.
bool hf_sdf_read_pose(hf_sdf *s, hf_xml_element *element, hf_sdf_pose *pose,
                      hf_xml_attribute **relative);
// Where a link, joint or frame, by the name that a scope has for it, stands in the first model.
// `named`: where it is named, for messages, or NULL. False: unknown, or in a circle.
bool hf_sdf_frame_in_model(hf_sdf *s, int scope, const hf_xml_attribute *named, const char *name,
                           hf_sdf_pose *pose);
// A name with the prefix of a scope. NULL: out of memory.
const char *hf_sdf_scoped(hf_sdf *s, int scope, const char *name);
// Goes down along "a::b::c" from *scope to the scope of c, and gives c; NULL: there is none.
const char *hf_sdf_descend(const hf_sdf *s, int *scope, const char *name);
// Where the model stands in its surroundings: its pose, with its placement frame there.
bool hf_sdf_place_model(hf_sdf *s);

// includes.c: the model with all that it contains and includes, as scopes. `include` may be NULL.
bool hf_sdf_open(hf_sdf *s, hf_xml_element *model, hf_xml_element *include, double version);
// The model that an <include> names, and its file's version. NULL with the error filled.
hf_xml_element *hf_sdf_included(hf_robot *robot, hf_xml_element *include, double *version);
// Of a file; 1.6 unless given. False with the error filled.
bool hf_sdf_version(hf_robot *robot, hf_xml_element *root, double *version);

// tree.c: links and joints of all scopes.
bool hf_sdf_read_tree(hf_sdf *s);
// An <axis> of a joint: its direction in the child link's frame; its dynamics and limits, as of a
// joint of the tree. Limits that coincide are low and high alike.
bool hf_sdf_read_axis(hf_sdf *s, const hf_sdf_joint *joint, hf_xml_element *e, hf_vec3 *axis);
bool hf_sdf_read_axis_numbers(hf_sdf *s, hf_xml_element *e, hf_robot_link *link, bool limited);

// Whether a joint of its type can carry a link.
bool hf_sdf_has_place(const hf_sdf_joint *joint);

// loops.c: of two joints of a link one carries it; where the later one must, it does.
void hf_sdf_choose_loops(hf_sdf *s);
// A joint whose child has another one. It closes a chain; its axis keeps what acts on it.
bool hf_sdf_close_loop(hf_sdf *s, const hf_sdf_joint *joint);

// links.c: inertial, collisions and gravity of a link whose frame in the robot is `shift` away.
bool hf_sdf_read_link(hf_sdf *s, const hf_sdf_link *link);

// mimic.c: limits that coincide hold the axis where they are, exactly. False: out of memory.
bool hf_sdf_lock(hf_sdf *s, hf_xml_element *limit, hf_robot_link *link);
// Axes that follow others. False with the error filled.
bool hf_sdf_couple_mimics(hf_sdf *s);

#endif
