// SPDX-License-Identifier: Apache-2.0
// URDF: what its reader's files share. [ROS, urdf/XML]
//
// A link's frame is that of the joint that carries it, as in Holdfast. Of links without an inertial
// no mass is made. Nothing in URDF says how the base stands: fixed, unless --base free; a root link
// called world is fixed. Beside the format itself: Gazebo's <gazebo>, Bullet's <contact>, Drake's
// drake: names, <joint_properties>, and transmissions.
#ifndef HF_ROBOTS_URDF_H
#define HF_ROBOTS_URDF_H

#include "robots/robot.h"

typedef struct hf_urdf_link {
    hf_xml_element *element;
    const char *name;
    int index; // of the robot's link; -1: not added yet
    bool is_child;
} hf_urdf_link;

typedef struct hf_urdf_joint {
    hf_xml_element *element;
    const char *name, *parent, *child;
    hf_joint_type type;
    int index; // of the robot's link
} hf_urdf_joint;

typedef struct hf_urdf {
    hf_robot *robot;
    hf_xml_element *root;
    HF_ROBOT_LIST(hf_urdf_link, links);
    HF_ROBOT_LIST(hf_urdf_joint, joints);
    bool self_collide; // <gazebo> of any link asks for it
} hf_urdf;

// values.c of URDF: numbers of an attribute of a child element; *found tells whether it is there.
// All mark what they take, and fail with its place.
bool hf_urdf_numbers(hf_urdf *u, hf_xml_element *element, const char *attribute, int count,
                     double *numbers, bool *found);
// <origin xyz rpy>: turned about x, then y, then z of what is around.
bool hf_urdf_origin(hf_urdf *u, hf_xml_element *element, hf_vec3 *position, hf_quat *turn);
// Text of a child element as a number.
bool hf_urdf_text_number(hf_urdf *u, hf_xml_element *element, double *number);

// links.c: inertial and collisions of a link.
bool hf_urdf_read_link(hf_urdf *u, const hf_urdf_link *link);
// extras.c: <gazebo>, transmissions, and the rest.
bool hf_urdf_read_extras(hf_urdf *u);
void hf_urdf_settle(hf_urdf *u);

#endif
