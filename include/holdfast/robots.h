// SPDX-License-Identifier: Apache-2.0
// Robots as they are: URDF, MJCF and SDF. docs/robots.md says what of them is understood.
// Library: holdfast-robots. Functions of models.h that read model files read robots too.
//
// A robot's file becomes the text of a model file, and an account in which every element and
// attribute of the file stands in exactly one of four lists. Files are limited to 64 MiB and 200
// levels; what they name must lie in their folder or in a package. Functions may be called from
// several threads; nothing is printed.
#ifndef HOLDFAST_ROBOTS_H
#define HOLDFAST_ROBOTS_H

#include <holdfast/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_robot hf_robot;

// Is called for every file that a model or robot names and that is read for it, once for each
// reading: for those who carry a machine elsewhere with all that it needs. `path` is the file's
// true path, `name` its path from the model's folder as the model writes it, or NULL in a robot's
// file.
typedef struct hf_file_visitor {
    void (*visit)(void *context, const char *path, const char *name);
    void *context;
} hf_file_visitor;

typedef enum hf_robot_base {
    HF_ROBOT_BASE_AS_WRITTEN, // MJCF, SDF: as the file says; URDF: fixed
    HF_ROBOT_BASE_FIXED,
    HF_ROBOT_BASE_FREE
} hf_robot_base;

// What to do with inertias that no body can have: principal moments A + B < C.
typedef enum hf_robot_inertia {
    HF_ROBOT_INERTIA_KEEP,    // as written, as long as they are positive
    HF_ROBOT_INERTIA_BALANCE, // all three become their mean
    HF_ROBOT_INERTIA_REFUSE
} hf_robot_inertia;

typedef enum hf_robot_collide {
    HF_ROBOT_COLLIDE_HULL,  // meshes by their convex hulls
    HF_ROBOT_COLLIDE_BOXES, // meshes by the boxes around them
    HF_ROBOT_COLLIDE_NONE,  // nothing collides
    HF_ROBOT_COLLIDE_PARTS  // meshes by the convex hulls of their connected pieces
} hf_robot_collide;

typedef struct hf_robot_options {
    const char *name;  // of the robot's tree; NULL: as the file says
    const char *model; // SDF: which of several models; NULL: the only one
    hf_robot_base base;
    hf_robot_inertia inertia;
    hf_robot_collide collide;
    const char *mesh_folder;     // the model names meshes from this folder; NULL: hf_robot_folder
    const char *start;           // name of a key frame; NULL: all joints at their zero
    const char *const *packages; // "NAME=FOLDER"
    int package_count;
    bool part;           // of a larger machine: names of signals, forces and loops begin with NAME-
    bool placed;         // the base stands at:
    hf_vec3 position;    // [m]
    hf_quat orientation; // base to world
    // Share of the weight of every link that forces at the centers of mass carry, where the file
    // says nothing of it: a controller's gravity compensation. [-]
    double gravity_compensation;
    bool no_looks; // links are not shown by the file's visual shapes, but by what they touch with
    const hf_file_visitor *files; // NULL: none
} hf_robot_options;

// What the command does without options.
HF_API hf_robot_options hf_robot_options_default(void);

// Reads a file; its kind follows from its root element. NULL with the error filled: file, line,
// column, what is wrong.
HF_API hf_robot *hf_robot_read(const char *path, const hf_robot_options *options, hf_error *error);
// The same from memory. `folder`: where meshes lie; NULL: it may name none.
HF_API hf_robot *hf_robot_parse(const char *text, size_t length, const char *label,
                                const char *folder, const hf_robot_options *options,
                                hf_error *error);
HF_API void hf_robot_destroy(hf_robot *robot); // NULL is allowed

// Whether a text is XML with the root of a robot, so far as its first bytes tell.
HF_API bool hf_robot_is_one(const char *text, size_t length);

// The model file, in YAML; valid until the robot is destroyed.
HF_API const char *hf_robot_model(const hf_robot *robot);
// "MJCF", "URDF" or "SDF".
HF_API const char *hf_robot_format(const hf_robot *robot);
// The folder from which the model names files: the robot's own, or (with meshes of packages beside
// it) the nearest one above that has all of them. NULL: read from memory.
HF_API const char *hf_robot_folder(const hf_robot *robot);
// The name of its tree.
HF_API const char *hf_robot_name_of(const hf_robot *robot);

// ------------------------------------------------------------------------------------------------
// The account

typedef enum hf_robot_lot {
    HF_ROBOT_TAKEN,     // as it is
    HF_ROBOT_OTHERWISE, // in another way than the format's engine does
    HF_ROBOT_MISSING,   // not represented: the motion may differ
    HF_ROBOT_SEEN,      // has no influence on the motion
    HF_ROBOT_LOT_COUNT
} hf_robot_lot;

// An element or attribute of the file.
typedef struct hf_robot_item {
    hf_robot_lot lot;
    const char *file;
    int line, column;      // from 1
    const char *element;   // its name
    const char *attribute; // NULL: the element itself
    const char *value;     // of the attribute, or text of the element
    const char *why;       // a phrase
} hf_robot_item;

typedef struct hf_robot_counts {
    int elements, attributes;     // of all files that were read
    int lots[HF_ROBOT_LOT_COUNT]; // their sum is elements + attributes
} hf_robot_counts;

// How many elements and attributes were read, and how many are in each lot.
HF_API hf_robot_counts hf_robot_count(const hf_robot *robot);
// Item 0 to elements + attributes - 1, in the order of the files.
HF_API hf_robot_item hf_robot_item_get(const hf_robot *robot, int item);

// What a body of the file is in the model: link `link` of the tree, whose frame is shifted.
typedef struct hf_robot_body {
    const char *body; // as the file calls it; NULL: the link is one of several joints of a body
    const char *link; // name in the tree
    hf_vec3 origin;   // of the body's frame in the link's; the axes are the same [m]
    double zero;      // what the file counts where the joint's coordinate is 0 [rad or m]
} hf_robot_body;
HF_API int hf_robot_body_count(const hf_robot *robot);
HF_API hf_robot_body hf_robot_body_get(const hf_robot *robot, int body);

#ifdef __cplusplus
}
#endif
#endif
