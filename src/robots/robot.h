// SPDX-License-Identifier: Apache-2.0
// A robot, whatever format it was written in: what readers of URDF, MJCF and SDF fill, and what
// write_model.c turns into a model file's text. That text is read like any other model file, so
// that `run robot.xml` and `import robot.xml` followed by `run robot.yaml` are the same machine to
// the bit.
//
// A reader is a function
//
//     bool hf_read_mjcf(hf_robot *robot, hf_xml_element *root);
//
// that adds links (parents before children), shapes, drives, couplings, tendons, loops and key
// frames with the hf_robot_add_... functions, marks what it takes (xml.h), and returns false with
// robot->error filled when the file is wrong. Its table of rules settles the rest (account.h).
//
// SI units and radians; quaternions turn a frame's coordinates into those of its parent. Numbers
// that are not set are zero; limits that are not set are -INFINITY and INFINITY.
#ifndef HF_ROBOTS_ROBOT_H
#define HF_ROBOTS_ROBOT_H

#include <holdfast/robots.h>
#include <holdfast/spec.h>

#include "base/names.h"
#include "robots/account.h"

// An axis or a normal that is shorter gives no direction, and a quaternion no turn: files have them
// with a length near 1, or zero by mistake. The first is what MuJoCo's compiler takes too (mjEPS).
#define HF_ROBOT_NO_DIRECTION 1e-14
#define HF_ROBOT_NO_TURN      1e-10

// What becomes of a second coefficient without a direction.
#define HF_BY_WORLD                                                                                \
    "without fdir1 by the world's axes, as ODE has it: on floors this one acts along x"

// A joint and the link that it carries, as in hf_joint_def: the link's frame sits at the joint.
typedef struct hf_robot_link {
    const char *name; // in the tree, unique; made by hf_robot_add_link from what the file says
    const char *body; // as the file calls the body that it carries; NULL: one of several joints
    int parent;       // index, or -1: the world
    hf_joint_type type;
    hf_vec3 offset; // of the joint on the parent's frame [m]
    hf_quat tilt;
    hf_vec3 axis;
    hf_vec3 origin;  // of the file's frame of the body, in the link's; its axes are the link's [m]
    double mass;     // [kg]
    hf_vec3 center;  // of mass, link frame [m]
    hf_sym3 inertia; // about the center of mass, link axes [kg m^2]
    bool keep_inertia;    // that no body can have
    hf_quat inertia_axes; // in which the file gives it; which of equal moments a fluid drags on
    double zero; // what the file counts where the joint's coordinate is 0 (`ref`) [rad or m]
    // Of the joint's coordinate, or of each of its velocities. [N or Nm, and per rad/s, rad, ...]
    double armature, friction, damping, stiffness, rest;
    // Of higher powers: damping b v|v| + c v^3, spring b x^2 + c x^3 (x from its rest).
    double more_damping[2], more_stiffness[2];
    double low, high;        // limits of the coordinate
    double effort;           // bound of all actuators together; INFINITY: none
    double least_effort;     // MJCF: the lower one
    double speed;            // limit of the velocity; INFINITY: none
    double weight_share;     // of its weight that is taken off (`gravcomp`) [-]
    double position[7];      // at the start
    double velocity[6];      // the same
    double contact_friction; // URDF: of all its shapes; negative: not given
    double contact_across;   // URDF: across contact_direction; negative: the same
    hf_vec3 contact_direction;
    bool contact_by_world; // in its place, as of a shape
    bool no_drag;          // of the fluid
    double decay[2];       // of velocity and angular velocity: rates [1/s]
    int family;            // links of one family, above 0, never touch each other
    bool placed;           // position is given by a key frame, and kept
    hf_xml_element *from;  // the joint or body, for messages
} hf_robot_link;

typedef enum hf_robot_shape_type {
    HF_ROBOT_SPHERE,    // size.x: radius
    HF_ROBOT_BOX,       // size: full edges
    HF_ROBOT_CAPSULE,   // size.x: radius, size.z: length between the centers of its ends, along z
    HF_ROBOT_CYLINDER,  // size.x: radius, size.z: length along z
    HF_ROBOT_ELLIPSOID, // size: half axes
    HF_ROBOT_CONE, // size.x: radius, size.z: length along z; its base is a quarter below the center
    HF_ROBOT_PLANE,  // all below z = 0; of the world only
    HF_ROBOT_MESH,   // the hull of a file's vertices
    HF_ROBOT_HEIGHTS // size.x, size.y: edges of the grid that `heights` stand on
} hf_robot_shape_type;

// Something that collides, or is only shown.
typedef struct hf_robot_shape {
    const char *name; // as the file calls it; NULL: nothing
    int link;         // -1: the world
    hf_robot_shape_type type;
    hf_vec3 size;
    hf_vec3 center; // in the link's frame [m]
    hf_quat turn;
    const char *file;      // HF_ROBOT_MESH: path relative to the robot's folder
    hf_vec3 scale;         // HF_ROBOT_MESH: negative ones mirror
    const double *heights; // HF_ROBOT_HEIGHTS: rows along x, from the smallest y on [m]
    int rows_y, columns_x; // of the grid
    bool collides;         // else it is only shown
    double friction, spin_friction, rolling_friction; // [-], [m], [m]
    double across;      // friction across `direction`, above 0 or 0; negative: as along it
    hf_vec3 direction;  // in the link's frame
    bool by_world;      // in its place that which ODE takes (hf_shape_def)
    double slip[2];     // along it and across, between two shapes [m/(s N)]
    double restitution; // [-]
    bool bounces_late;  // at speeds that nothing reaches, but with what bounces earlier
    int priority;       // the higher of two names the friction
    int rows; // of a contact: 1 no friction, 3 sliding, 4 and spinning, 6 and rolling (`condim`)
    unsigned group, mask; // two touch when (group1 & mask2) | (group2 & mask1) is not zero
    hf_xml_element *from;
    bool paired;         // a pair names it
    int surface;         // set by write_shapes.c: its kind of surface
    const char *scenery; // set by write_shapes.c: of the world, name of its body
} hf_robot_shape;

// A shape that is shown. Links with one that is only shown (`only`) are shown by theirs; others, if
// they touch by the hulls of meshes, by the meshes themselves and all else that touches (`spare`
// ones too).
typedef struct hf_robot_look {
    hf_robot_shape shape; // its type, place and size
    long color;           // 0xRRGGBB; -1: not given
    bool only, spare;
} hf_robot_look;

// An ellipsoid of a link that a fluid drags on.
typedef struct hf_robot_fluid {
    int link;
    hf_vec3 center; // in the link's frame [m]
    hf_quat turn;
    double half[3];                                // axes [m]
    double blunt, slender, angular, kutta, magnus; // coefficients [-]
} hf_robot_fluid;

// One summand of a coupled coordinate.
typedef struct hf_robot_term {
    int link;
    double factor;
} hf_robot_term;

enum { HF_ROBOT_MOST_TERMS = 16, HF_ROBOT_MOST_SHARED = 6 };

// A force and a torque fixed to a link: of 1 N at a point. `between`: against another link (-1: the
// world), in the axes of a frame of it, with a length of its own: where the link's frame is in that
// one, along the force, and how far it is turned, about the torque.
typedef struct hf_robot_wrench {
    bool there, between;
    int link, to;
    hf_vec3 point, to_point, force, torque;
    hf_quat turn, to_turn;
} hf_robot_wrench;

// A rod from a point of a link to a slider on an axis of another.
typedef struct hf_robot_crank {
    bool there;
    int link, to; // -1: the world
    hf_vec3 point, to_point, axis;
    double length; // of the rod [m]
} hf_robot_crank;

// What draws a link to all that it touches.
typedef struct hf_robot_adhesion {
    bool there;
    int link;
    double reach; // how near counts as touching; 0: as the model file has it [m]
} hf_robot_adhesion;

// A sum of joints' coordinates, counted as the file does: sum of factor * q. Or one term, the
// length of a string or what a wrench acts along, times its factor.
typedef struct hf_robot_sum {
    hf_robot_term terms[HF_ROBOT_MOST_TERMS];
    int count;
    int path;               // 1 + index of the tendon whose parts the string goes through; 0: none
    hf_robot_wrench wrench; // in place of it
    hf_robot_crank crank;   // in place of it
    hf_robot_adhesion adhesion; // in place of it
} hf_robot_sum;

// One part of a string, as of hf_path_part.
typedef struct hf_robot_part {
    hf_path_kind kind;
    int link, side_link; // -1: the world
    hf_vec3 point, axis, side;
    double radius, divisor;
    bool has_side;
} hf_robot_part;

// What stands between an actuator's input and its force: a state a of its own.
typedef enum hf_robot_memory {
    HF_ROBOT_DIRECT,     // a = input
    HF_ROBOT_INTEGRATOR, // a' = input, within act_low and act_high
    HF_ROBOT_FILTER      // a' = (input - a)/time_constant
} hf_robot_memory;

// What the input of a motor is: the voltage, or what its own controller follows.
typedef enum hf_robot_motor_input {
    HF_ROBOT_VOLTAGE,
    HF_ROBOT_FOLLOW,        // a position, with gains in volts
    HF_ROBOT_FOLLOW_SPEED,  // a velocity, the same
    HF_ROBOT_TORQUE_FOLLOW, // a position, with gains in torques: the drive makes up for back EMF
    HF_ROBOT_TORQUE_SPEED,  // a velocity, the same
    HF_ROBOT_TORQUE_FEED    // a torque, the same
} hf_robot_motor_input;

// A motor with its circuit (mjcf/motors.c has the equations). Numbers that are 0: it has no such
// part.
typedef struct hf_robot_motor {
    bool there;
    hf_robot_motor_input input;
    double constant, resistance;  // K [Nm/A, Vs/rad], R [ohm]
    double lag, current_rate;     // L/R [s]; bound of the current's rate [A/s]
    double kp, ki, kd;            // of its controller
    double slew, most_integral;   // bounds of the input's rate and of the integral
    double most_voltage;          // [V]
    double warming, heat;         // to the surroundings [K/W], of the windings [J/K]
    double coefficient, warmer;   // of the resistance [1/K]; surroundings above its reference [K]
    double cogging, poles, phase; // [Nm], [-], [rad]
    double bristle, bristle_damping, coulomb, static_level, stribeck; // LuGre
} hf_robot_motor;

// An actuator: force = (gain + gain_length * length + gain_rate * rate) a + bias - proportional *
// length - derivative * rate, limited, on the length `on`. A servo of velocity has gain =
// derivative and no proportional part.
typedef struct hf_robot_drive {
    const char *name; // of its input signal, unique; its force is NAME-force
    hf_robot_sum on;
    double gain, bias, proportional, derivative, gain_length, gain_rate;
    hf_robot_memory memory;
    double time_constant;         // of a filter [s]
    double act_low, act_high;     // of its state
    double act_start;             // its state at t = 0
    double low, high;             // of the force [N or Nm]
    double input_low, input_high; // of the input
    double start;                 // input at t = 0
    int number;                   // among the file's actuators
    hf_robot_motor motor;         // in place of gain and bias
    int shared;                   // 1 + link whose bound `effort` holds the sum of several; or 0
    hf_xml_element *from;
} hf_robot_drive;

// Coordinates that move together: q[on] - on_zero = c0 + c1 x + ... + c4 x^4, x = q[to] - to_zero,
// counted as the file does. to < 0: q[on] - on_zero = c0.
typedef struct hf_robot_coupling {
    const char *name;
    int on, to;
    double on_zero, to_zero;
    double polynomial[5];
    hf_xml_element *from;
} hf_robot_coupling;

// A tendon over joints, or a string through parts: spring, damper, friction and limits of its
// length.
typedef struct hf_robot_tendon {
    const char *name;
    const char *file_name; // as the file calls it; or NULL
    hf_robot_sum length;
    double stiffness, damping, friction;
    double slack_low, slack_high; // of the spring: no force between them
    double low, high;
    const hf_robot_part *parts; // in the robot's memory
    int part_count;             // 0: over joints
    hf_xml_element *from;
} hf_robot_tendon;

typedef struct hf_robot_loop {
    const char *name;
    hf_loop_type type; // HF_LOOP_POINT, HF_LOOP_FIXED
    int on, to;        // -1: the world
    hf_vec3 on_point, to_point;
    hf_quat on_turn, to_turn;
    hf_xml_element *from;
} hf_robot_loop;

// Two links that never touch.
typedef struct hf_robot_exception {
    int a, b;
} hf_robot_exception;

// Two shapes whose contact has a friction of its own; they touch whatever their groups say.
typedef struct hf_robot_pair {
    int a, b;           // indices of shapes
    double friction[3]; // sliding [-], spinning [m], rolling [m]
    int rows;           // of the contact, as of a shape
    hf_xml_element *from;
} hf_robot_pair;

typedef struct hf_robot_key {
    const char *name;
    hf_xml_element *from;
} hf_robot_key;

#define HF_ROBOT_LIST(type, name)                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    } name

struct hf_robot {
    hf_xml xml;
    hf_error *error;
    hf_robot_options options;
    const char *folder; // of the file; NULL: from memory
    const char *root;   // from which the model names files: write_shapes.c
    const char *label;
    const char *format;                    // "MJCF", "URDF", "SDF"
    const char *name;                      // of the tree
    const char *title;                     // as the file says
    hf_vec3 gravity;                       // [m/s^2]
    double fluid_density, fluid_viscosity; // that all links are in; 0: none [kg/m^3, Pa s]
    hf_vec3 wind;                          // velocity of the fluid, world axes [m/s]
    double step;                           // [s]; 0: not given
    hf_xml_attribute *start_from;          // where the start is written; NULL: nowhere
    double opened;                         // by how much it left loops open that were closed
    bool no_self_contacts;                 // its links never touch each other
    const char **surface_names;            // set by write_shapes.c
    const char *friction_rule;             // how the format combines the coefficients of two shapes
    HF_ROBOT_LIST(hf_robot_link, links);
    HF_ROBOT_LIST(hf_robot_shape, shapes);
    HF_ROBOT_LIST(hf_robot_look, looks);
    HF_ROBOT_LIST(hf_robot_fluid, fluids);
    HF_ROBOT_LIST(hf_robot_drive, drives);
    HF_ROBOT_LIST(hf_robot_coupling, couplings);
    HF_ROBOT_LIST(hf_robot_tendon, tendons);
    HF_ROBOT_LIST(hf_robot_loop, loops);
    HF_ROBOT_LIST(hf_robot_exception, exceptions);
    HF_ROBOT_LIST(hf_robot_pair, pairs);
    HF_ROBOT_LIST(hf_robot_key, keys);
    hf_names link_names; // of the tree
    hf_names names;      // of the machine: signals, forces, loops, bodies
    hf_account account;
    char *text;
};

// ------------------------------------------------------------------------------------------------
// For readers

// Each returns the index of the new item, whose numbers are the defaults, or -1 when out of memory
// with the error filled. `wanted` is the name in the file, or NULL; letters that names cannot have
// become '_', and what is taken gets a number behind it.
int hf_robot_add_link(hf_robot *robot, const char *wanted, const char *otherwise);
int hf_robot_add_shape(hf_robot *robot);
int hf_robot_add_fluid(hf_robot *robot);
int hf_robot_add_drive(hf_robot *robot, const char *wanted, const char *otherwise);
int hf_robot_add_coupling(hf_robot *robot, const char *wanted, const char *otherwise);
int hf_robot_add_tendon(hf_robot *robot, const char *wanted, const char *otherwise);
int hf_robot_add_loop(hf_robot *robot, const char *wanted, const char *otherwise);
int hf_robot_add_exception(hf_robot *robot, int a, int b);
int hf_robot_add_pair(hf_robot *robot, int a, int b);
int hf_robot_add_key(hf_robot *robot, const char *name);

// What a name could have been, for a message: "'a', 'b'", and "..." where there are too many.
typedef struct hf_robot_choices {
    char text[200];
    int count;
} hf_robot_choices;
void hf_robot_add_choice(hf_robot_choices *choices, const char *name);

// A valid name that `names` did not have; it is added. NULL when out of memory.
const char *hf_robot_name(hf_robot *robot, hf_names *names, const char *wanted,
                          const char *otherwise);
// Text in the robot's memory; NULL with the error filled.
const char *hf_robot_print(hf_robot *robot, const char *format, ...) HF_PRINTF(2, 3);
bool hf_robot_out_of_memory(hf_robot *robot);

// parts.c: the tree's name from the file's title. False: out of memory.
bool hf_robot_set_title(hf_robot *robot, const char *title);
// Rz(yaw) Ry(pitch) Rx(roll).
hf_quat hf_robot_from_rpy(double roll, double pitch, double yaw);
// The shortest turn that takes z to a direction, which is not zero.
hf_quat hf_robot_from_z(hf_vec3 z);
// An inertia in the axes of what is around.
hf_sym3 hf_robot_turned(hf_sym3 inertia, hf_quat turn);
// Principal moments that no body can have, as the options say: kept, balanced or refused. False
// with the error filled.
bool hf_robot_check_inertias(hf_robot *robot);
// Principal moments, and their axes in columns: of equal moments those nearest the frame `near`.
void hf_robot_principal(const hf_sym3 *inertia, hf_quat near, double moments[3], double axes[3][3]);
hf_sym3 hf_robot_from_principal(const double moments[3], double axes[3][3]);
// Whether an inertia is off: a principal moment above the sum of the other two, by more than six
// digits. It becomes a third of its trace along all axes.
bool hf_robot_inertia_is_off(const hf_sym3 *inertia);
void hf_robot_balance(hf_sym3 *inertia);
// A mesh that collides, by its hull or (as the options say) the box around it; shape->scale, center
// and turn are set. *known: its file can be read. `attribute` names the file, or NULL: the element
// does.
bool hf_robot_mesh(hf_robot *robot, hf_xml_element *element, hf_xml_attribute *attribute,
                   const char *file, hf_robot_shape *shape, bool *known);

// robot.c: SDF's cones have their middle at their place; moves the center to where it weighs.
void hf_robot_place_cone(hf_robot_shape *shape);
// looks.c: adds a shape that is shown, unless the options want none or its mesh (`file`, as the
// robot names it) cannot be read. Nothing is marked. False: out of memory.
bool hf_robot_add_look(hf_robot *robot, hf_robot_look look, const char *file);
// 0xRRGGBB of "r g b ..." from 0 to 1; -1: it is none, or nothing can be seen of it.
long hf_robot_color(const char *rgba);

// visuals.c: <visual> of a link of URDF or SDF; the root has the materials. False: out of memory.
bool hf_robot_read_visuals(hf_robot *robot, const hf_xml_element *element,
                           const hf_xml_element *root, int link);

// paths.c: the true path of a file that a robot names, for the caller to free, and its path
// relative to the robot's folder in the robot's memory. `file` may be package://N/...,
// model://N/... or file://...; it must lie, after symbolic links, in the robot's folder or in one
// of its packages. NULL with the error filled, at the attribute or (without one) at the element.
char *hf_robot_resolve(hf_robot *robot, const hf_xml_element *element,
                       const hf_xml_attribute *attribute, const char *file, const char **relative);

// A mesh's file as the model names it: from the options' folder, or from robot->root.
const char *hf_robot_file_name(const hf_robot *robot, const char *file);
// Sets robot->root: the nearest folder above the robot's that has all its meshes. False: memory.
bool hf_robot_find_root(hf_robot *robot);

// stand.c: puts the robot where and how the options say, and free ones on their floor. False: out
// of memory.
bool hf_robot_stand(hf_robot *robot);
// Where its links are at the start: origins and axes in the world.
typedef struct hf_robot_pose {
    hf_vec3 at;
    hf_quat turn;
} hf_robot_pose;
void hf_robot_find_poses(const hf_robot *robot, hf_robot_pose *poses);
// close.c: loops that the start leaves open are closed by the least change of the joints, where
// that can be done. False: out of memory.
bool hf_robot_close(hf_robot *robot);
// What a coordinate that follows another is, by the other.
double hf_robot_followed(const hf_robot *robot, const hf_robot_coupling *coupling);
// Joints that follow others begin where their couplings put them, so that leaders stay at their
// own start.
void hf_robot_start_followers(hf_robot *robot);

// write_model.c: robot->text from all the rest. False with the error filled.
bool hf_robot_write(hf_robot *robot);

// The readers of the formats, and their rules.
bool hf_read_mjcf(hf_robot *robot, hf_xml_element *root);
bool hf_read_urdf(hf_robot *robot, hf_xml_element *root);
bool hf_read_sdf(hf_robot *robot, hf_xml_element *root);

#endif
