// SPDX-License-Identifier: Apache-2.0
// MuJoCo's format, MJCF: what its reader's files share. [MuJoCo, XML reference]
//
// An attribute that an element does not have is taken from its class: the element's `class`, else
// the nearest `childclass` around it, else the top default; a class starts as a copy of the one
// around it. So looking an attribute up is walking over *levels*: the element, then the defaults of
// its classes.
#ifndef HF_ROBOTS_MJCF_H
#define HF_ROBOTS_MJCF_H

#include "robots/robot.h"

// A length or direction of a file that is shorter is zero.
#define HF_MJCF_LEAST 1e-14

enum { HF_MJCF_MOST_LEVELS = 40, HF_MJCF_MOST_CLASSES_DEEP = 32 };

typedef struct hf_mjcf_class {
    const char *name;
    int parent; // -1: the top
    hf_xml_element *element;
} hf_mjcf_class;

typedef struct hf_mjcf_body {
    hf_xml_element *element; // NULL: the world
    const char *name;        // or NULL
    int link;                // that carries it; -1: the world
} hf_mjcf_body;

typedef struct hf_mjcf_joint {
    hf_xml_element *element;
    const char *name; // or NULL
    int link;
} hf_mjcf_joint;

// A place: of a body, geom or frame in what is around it.
typedef struct hf_mjcf_pose {
    hf_vec3 position;
    hf_quat turn;
} hf_mjcf_pose;

typedef struct hf_mjcf_geom {
    const char *name; // or NULL
    int body, shape;  // indices; shape -1: it touches nothing
    hf_xml_element *element;
    const char *childclass; // or NULL
    hf_mjcf_pose around;    // of the frames around it, in the body
    hf_xml_attribute *idle; // its friction, where its condim lets it have none of its own; or NULL
} hf_mjcf_geom;

// A marked place; its pose is read when something refers to it.
typedef struct hf_mjcf_site {
    hf_xml_element *element;
    const char *name, *childclass; // or NULL
    int body;
    hf_vec3 at; // of the frames around it, in the body
    hf_quat turn;
} hf_mjcf_site;

typedef struct hf_mjcf_mesh {
    hf_xml_element *element;
    const char *name;
    const char *file; // relative to the robot's folder; NULL: vertices in the file
    hf_vec3 scale, shift;
    hf_quat turn;
    // Of the solid, at density 1, in the frame of the geom. Computed when first asked for.
    bool weighed;
    double volume;
    hf_vec3 center;  // of mass
    hf_sym3 inertia; // about it
} hf_mjcf_mesh;

typedef enum hf_mjcf_from_geom { HF_MJCF_NEVER, HF_MJCF_ALWAYS, HF_MJCF_AUTO } hf_mjcf_from_geom;

// What the compiler's settings of one model are, and what its names have in front.
typedef struct hf_mjcf_scope {
    bool radians, autolimits, balance, exact_meshes;
    char euler[4];
    const char *mesh_folder;
    bool strip_path;
    double least_mass, least_inertia, total_mass; // total_mass 0: as it is
    hf_mjcf_from_geom from_geom;
    int least_group, most_group;
    const char *folder; // of its file, from the robot's, with a slash behind it; ""
    const char *prefix; // of its names; ""
    const char *main;   // its top class
} hf_mjcf_scope;

typedef struct hf_mjcf {
    hf_robot *robot;
    hf_xml_element *root;
    hf_mjcf_scope *now;                   // of the element that was looked at last
    HF_ROBOT_LIST(hf_mjcf_scope, scopes); // the file's own, then those of models that it attaches
    int actuators;                        // read so far, understood or not
    int copies;                           // made by `replicate` so far
    const char *suffix; // behind the names of what is being copied (`replicate`); ""
    HF_ROBOT_LIST(hf_mjcf_class, classes);
    HF_ROBOT_LIST(hf_mjcf_body, bodies);
    HF_ROBOT_LIST(hf_mjcf_joint, joints);
    HF_ROBOT_LIST(hf_mjcf_mesh, meshes);
    HF_ROBOT_LIST(hf_mjcf_geom, geoms);
    HF_ROBOT_LIST(hf_mjcf_site, sites);
} hf_mjcf;

// The elements from which an element takes an attribute, nearest first. `tag` names it in defaults.
typedef struct hf_mjcf_levels {
    hf_xml_element *items[HF_MJCF_MOST_LEVELS];
    int count;
} hf_mjcf_levels;

// An element as it is read: where it looks for what it does not say itself.
typedef struct hf_mjcf_view {
    hf_xml_element *element;
    hf_mjcf_levels levels;
} hf_mjcf_view;

// classes.c
bool hf_mjcf_read_classes(hf_mjcf *m);
// The view of an element. `childclass`: of what is around it, or NULL. False: unknown class.
bool hf_mjcf_look(hf_mjcf *m, hf_xml_element *element, const char *tag, const char *childclass,
                  hf_mjcf_view *view);
// The attribute that counts, or NULL. It is marked as taken.
hf_xml_attribute *hf_mjcf_get(const hf_mjcf_view *view, const char *name);
// The same without a mark.
hf_xml_attribute *hf_mjcf_peek(const hf_mjcf_view *view, const char *name);
// Gives the attribute that counts a fate, if there is one. Only seen: also where it was taken, if
// it is the element's own.
void hf_mjcf_mark(const hf_mjcf_view *view, const char *name, hf_fate fate, const char *why);

// values.c: numbers of an attribute into `values`, which hold the defaults. A nearer level may give
// fewer numbers than a farther one. *count: how many were given by any level. False: not numbers.
bool hf_mjcf_numbers(hf_mjcf *m, const hf_mjcf_view *view, const char *name, int least, int most,
                     double *values, int *count);
bool hf_mjcf_number(hf_mjcf *m, const hf_mjcf_view *view, const char *name, double *value);
bool hf_mjcf_vec3(hf_mjcf *m, const hf_mjcf_view *view, const char *name, hf_vec3 *v);
bool hf_mjcf_integer(hf_mjcf *m, const hf_mjcf_view *view, const char *name, int *value);
// true, false, or (with `automatic` not NULL) auto.
bool hf_mjcf_flag(hf_mjcf *m, const hf_mjcf_view *view, const char *name, bool *flag,
                  bool *automatic);
// A range that rises, and whether it limits: by its flag, or (auto) by being there under
// `autolimits`. As in MuJoCo what is limited needs one.
bool hf_mjcf_range(hf_mjcf *m, const hf_mjcf_view *view, const char *range, const char *flag,
                   double limits[2], bool *limited);
// `condim`: 1, 3, 4 or 6.
bool hf_mjcf_condim(hf_mjcf *m, const hf_mjcf_view *view, int *condim);
// One of some words; *choice stays as it is without the attribute.
bool hf_mjcf_word(hf_mjcf *m, const hf_mjcf_view *view, const char *name, const char *const *words,
                  int count, int *choice);
// pos, and quat, axisangle, euler, xyaxes or zaxis.
bool hf_mjcf_pose_of(hf_mjcf *m, const hf_mjcf_view *view, hf_mjcf_pose *pose);
hf_mjcf_pose hf_mjcf_compose(hf_mjcf_pose outer, hf_mjcf_pose inner);
hf_quat hf_mjcf_from_euler(const hf_mjcf *m, const double *angles); // as written
double hf_mjcf_angle(const hf_mjcf *m, double written);             // [rad]

// files.c: `include` of what is below an element, `compiler` of a model, and `option`.
bool hf_mjcf_include(hf_mjcf *m, hf_xml_element *root);
bool hf_mjcf_read_compilers(hf_mjcf *m, hf_xml_element *root);
bool hf_mjcf_read_settings(hf_mjcf *m);

// attach.c: models that others attach. A new scope, with MuJoCo's defaults: its index, or -1.
int hf_mjcf_add_scope(hf_mjcf *m, const char *folder, const char *prefix);
bool hf_mjcf_attach(hf_mjcf *m);

// bodies.c
bool hf_mjcf_read_bodies(hf_mjcf *m);
int hf_mjcf_find_body(const hf_mjcf *m, const hf_xml_attribute *name); // index; -1 unknown
int hf_mjcf_find_joint(const hf_mjcf *m, const hf_xml_attribute *name);
// Where a site stands on the link of its body. False: there is none of this name.
bool hf_mjcf_find_site(hf_mjcf *m, hf_xml_attribute *name, int *body, hf_mjcf_pose *pose);
// The name of what an element makes, with the suffix of the copy; *name is NULL without one. False:
// out of memory.
bool hf_mjcf_name(hf_mjcf *m, const hf_xml_element *element, const char **name);

// joints.c: a joint's numbers into its link. `geoms.c`: a geom's mass and its shape.
bool hf_mjcf_read_joint(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_link *link);

// Mass and inertia of what is put together, about the origin of some frame.
typedef struct hf_mjcf_weight {
    double mass;
    hf_vec3 moment;  // mass times center
    hf_sym3 inertia; // about the origin
    int count;       // of what was put together
    hf_quat turn;    // the frame of what was added last
} hf_mjcf_weight;
// weights.c: what the density of a simple form counts (a volume, or with `shell` its surface), and
// the inertia of a mass that is spread over that, about its center. size: as MJCF has it.
double hf_mjcf_form_size(hf_robot_shape_type type, const double size[3], bool shell);
hf_sym3 hf_mjcf_form_inertia(hf_robot_shape_type type, const double size[3], double mass,
                             bool shell);
void hf_mjcf_weight_add(hf_mjcf_weight *sum, double mass, hf_vec3 center, hf_quat turn,
                        hf_sym3 inertia);

// `pose`: of the frame around the geom in the body. `weigh`: the body's inertia comes from its
// geoms.
bool hf_mjcf_read_geom(hf_mjcf *m, hf_xml_element *element, const char *childclass,
                       hf_mjcf_pose pose, int body, bool weigh, hf_mjcf_weight *sum);

// A sphere or cylinder that a tendon names: where it stands on the link of its body.
bool hf_mjcf_find_round(hf_mjcf *m, hf_xml_attribute *name, int *body, hf_mjcf_pose *pose,
                        bool *sphere, double *radius);

// heights.c: a height field of the file as a shape. *known: its heights can be read.
bool hf_mjcf_heights(hf_mjcf *m, const hf_mjcf_view *geom, hf_robot_shape *shape, bool *known);

// contacts.c: pairs and exceptions. Whether a pair of the file names a geom.
bool hf_mjcf_in_pair(const hf_mjcf *m, const char *geom);

// meshes.c
bool hf_mjcf_read_meshes(hf_mjcf *m);
// A file of meshes or heights in the folder of the compiler's settings. NULL: out of memory.
const char *hf_mjcf_asset(hf_mjcf *m, const char *file);
hf_mjcf_mesh *hf_mjcf_find_mesh(hf_mjcf *m, const hf_xml_attribute *name);
bool hf_mjcf_weigh_mesh(hf_mjcf *m, hf_mjcf_mesh *mesh);
// A mesh's scale and place, from that of its geom. False: refpos or refquat cannot be followed.
bool hf_mjcf_place_mesh(const hf_mjcf_mesh *mesh, hf_robot_shape *shape);
bool hf_mjcf_collide_mesh(hf_mjcf *m, const hf_mjcf_mesh *mesh, hf_robot_shape *shape);

// equality.c: an attribute that must be there; the link of a hinge or slide that one names.
hf_xml_attribute *hf_mjcf_need(hf_mjcf *m, const hf_mjcf_view *view, const char *name);
bool hf_mjcf_find_scalar(hf_mjcf *m, const hf_mjcf_view *view, const char *name, int *link);

// drives.c, equality.c, tendons.c, keys.c
bool hf_mjcf_read_drives(hf_mjcf *m);
bool hf_mjcf_read_equality(hf_mjcf *m);
bool hf_mjcf_read_tendons(hf_mjcf *m);
bool hf_mjcf_read_contacts(hf_mjcf *m);
bool hf_mjcf_read_keys(hf_mjcf *m);

// gains.c: the numbers behind the gains of all kinds of actuators, as `general` has them.
typedef struct hf_mjcf_gains {
    int gain_type, bias_type, dynamics; // of the words of `general`, in its order
    double gain[10], bias[10], tau[10];
    double inherit; // the share of its joint's range that its input has
} hf_mjcf_gains;
// The attributes of `general`, over what was set before.
bool hf_mjcf_general_gains(hf_mjcf *m, const hf_mjcf_view *view, hf_mjcf_gains *gains);
// What the levels of a view set from the first on that is of another kind than the element itself;
// the view ends before it then.
bool hf_mjcf_inherit_gains(hf_mjcf *m, hf_mjcf_view *view, hf_mjcf_gains *gains);

// targets.c: what an actuator acts on. The drive is NULL afterwards when it is not represented.
typedef struct hf_mjcf_drive {
    hf_mjcf_view view;
    hf_robot_drive *drive;
    hf_mjcf_gains gains; // that it begins with
    double gear;
    int link; // on a joint of one coordinate; else -1
} hf_mjcf_drive;
bool hf_mjcf_read_target(hf_mjcf *m, hf_mjcf_drive *r);

// motors.c: `dcmotor`. *known: its input is one that is represented.
bool hf_mjcf_read_motor(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_drive *drive, bool *known);

// rules.c: whether a list of words, each between blanks, has this one; it must not be empty.
bool hf_mjcf_has_word(const char *list, const char *word);
// What becomes of the rest.
void hf_mjcf_settle(hf_mjcf *m);

#endif
