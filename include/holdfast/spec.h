// SPDX-License-Identifier: Apache-2.0
// hf_spec: the description of a machine, built call by call (or read from a file, models.h).
// Nothing here is fast; hf_model_compile turns a description into arrays.
//
// Ids are small structs; an id of zero means none, or the world. Names are letters, digits, '_' and
// '-', at least one, and unique in the machine (a joint's name within its tree). All strings and
// lists are copied. Every function that can fail returns a zero id or a negative status and fills
// *error; a spec stays usable after an error.
#ifndef HOLDFAST_SPEC_H
#define HOLDFAST_SPEC_H

#include <holdfast/coupling_type.h>
#include <holdfast/kinds.h>
#include <holdfast/law.h>
#include <holdfast/laws.h>
#include <holdfast/laws/servo.h>
#include <holdfast/shape.h>
#include <holdfast/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

// Something with a place in the world: a mass, a rigid body, a driven body, a link of a tree, or a
// piece of scenery.
typedef struct hf_body {
    int id;
} hf_body;
typedef struct hf_tree {
    int id;
} hf_tree;
typedef struct hf_force {
    int id;
} hf_force;
typedef struct hf_loop {
    int id;
} hf_loop;

// One coordinate of a mass (axis 0, 1, 2 of its own axes), of a driven body, or of a joint (the
// joint of the given link; axis counts its velocities).
typedef struct hf_coordinate {
    hf_body body;
    int axis;
} hf_coordinate;

// ------------------------------------------------------------------------------------------------
// Machine

// An empty machine. NULL when out of memory.
HF_API hf_spec *hf_spec_create(void);
HF_API void hf_spec_destroy(hf_spec *spec); // NULL is allowed

// The machine's name, for reports; copied.
HF_API HF_NODISCARD hf_status hf_spec_set_name(hf_spec *spec, const char *name, hf_error *error);

// Gravity [m/s^2]; zero unless set.
HF_API HF_NODISCARD hf_status hf_spec_set_gravity(hf_spec *spec, hf_vec3 gravity, hf_error *error);

// The text the machine was read from, kept for recordings. May be any text.
HF_API HF_NODISCARD hf_status hf_spec_set_text(hf_spec *spec, const char *text, hf_error *error);

// How time advances: the lines of methods.def, HF_METHOD_EULER to HF_METHOD_NLP.
typedef enum hf_method_type {
#define HF_METHOD(name, symbol) HF_METHOD_##name,
#include <holdfast/methods.def>
#undef HF_METHOD
    HF_METHOD_COUNT
} hf_method_type;

// How HF_METHOD_ADAPTIVE and HF_METHOD_SWITCH integrate between recorded states.
typedef enum hf_method_family {
    HF_FAMILY_DEFAULT, // BDF for HF_METHOD_ADAPTIVE, ADAMS for HF_METHOD_SWITCH
    HF_FAMILY_BDF,     // backward differences, orders 1 to 5, Newton: stiff laws (CVODE)
    HF_FAMILY_ADAMS,   // Adams-Moulton, orders 1 to 12, fixed point: smooth laws (CVODE)
    HF_FAMILY_ERK,     // explicit Runge-Kutta, order 5 (ARKODE); not for HF_METHOD_SWITCH
    HF_FAMILY_COUNT
} hf_method_family;

typedef struct hf_method_def {
    hf_method_type type;
    double step; // > 0 [s]
    // Adaptive methods only; zero for the others.
    hf_method_family family;
    double rtol; // relative tolerance, 1e-14 to 0.1; 0: HF_DEFAULT_RTOL [-]
    double atol; // absolute tolerance of every number of the state, > 0; 0: HF_DEFAULT_ATOL [SI]
    // HF_METHOD_TIMESTEP and HF_METHOD_NLP only; zero for the others.
    double theta;        // weight of the new velocities in the motion, 0.5 to 1; 0: 1 [-]
    double tolerance;    // of a step's friction-contact problem, 1e-14 to 0.1, in the measure
                         // HF_FC3D_SCALED of fc3d.h; 0: HF_DEFAULT_TOLERANCE [-]
    int solver;          // hf_fc3d_method of fc3d.h; 0: HF_FC3D_AUTO. HF_METHOD_TIMESTEP only
    int iterations;      // of the solver, at most, >= 0: speed over accuracy; 0: as many as help
    double penetration;  // of positions, that is left alone, > 0; 0: 1e-4 of the thinnest shape,
                         // 1e-9 to 1e-5; 1e-7 where nothing has a shape [m or rad]
    bool unsolved_fails; // a step that is not solved to the tolerance ends the run
    int threads;  // 1 to 256; 0: one. Contacts that bodies join are an island, each a problem
                  // of its own, and so many threads solve them; the same bits for any
                  // number. HF_METHOD_TIMESTEP only
    bool printed; // the nonlinear program as [RobotSimulation2025] prints it, for its own
                  // machine alone. HF_METHOD_NLP only
} hf_method_def;

#define HF_DEFAULT_RTOL      1e-6
#define HF_DEFAULT_ATOL      1e-9
#define HF_DEFAULT_TOLERANCE 1e-8

// {HF_METHOD_RK4, 1e-3}
HF_API hf_method_def hf_method_def_default(void);
// The file name of a method ("rk4-tau"), or NULL.
HF_API const char *hf_method_name(hf_method_type type);
// Finds a method by its file name; HF_METHOD_COUNT when unknown.
HF_API hf_method_type hf_method_find(const char *name);
// Whether it steps to a tolerance (and takes family, rtol and atol).
HF_API bool hf_method_is_adaptive(hf_method_type type);
// Whether it solves rigid contacts and friction of a step together (and takes theta and tolerance).
HF_API bool hf_method_solves_contacts(hf_method_type type);
// The library that has it, "holdfast-adaptive"; NULL: holdfast itself.
HF_API const char *hf_method_library(hf_method_type type);
// The same method with the defaults in place of zeros.
HF_API hf_method_def hf_method_resolved(hf_method_def method);
// The file name of a family ("bdf"), or NULL, and back; HF_FAMILY_COUNT when unknown.
HF_API const char *hf_family_name(hf_method_family family);
HF_API hf_method_family hf_family_find(const char *name);
// HF_OK, or HF_ERROR_RANGE or HF_ERROR_INPUT: what of a definition is wrong.
HF_API HF_NODISCARD hf_status hf_method_check(const hf_method_def *method, hf_error *error);

// Method, step and duration that a run uses unless others are given.
HF_API HF_NODISCARD hf_status hf_spec_set_method(hf_spec *spec, hf_method_def method,
                                                 hf_error *error);
HF_API HF_NODISCARD hf_status hf_spec_set_duration(hf_spec *spec, double seconds, hf_error *error);

// Adds a channel to what a run records, by name (model.h lists the names). Checked at compile.
HF_API HF_NODISCARD hf_status hf_spec_add_record(hf_spec *spec, const char *channel,
                                                 hf_error *error);

// A number of the machine that has a name: what a model file's `parameters:` lists, for tools that
// vary it. The spec only keeps it; what depends on it was computed by whoever made the spec.
typedef struct hf_parameter_def {
    const char *name;
    double value;      // SI
    const char *unit;  // as written; NULL or "": a pure number, or not given
    double low, high;  // the range that makes sense; -INFINITY, INFINITY: any
    const char *about; // a phrase, or NULL
} hf_parameter_def;
HF_API HF_NODISCARD hf_status hf_spec_add_parameter(hf_spec *spec, const hf_parameter_def *def,
                                                    hf_error *error);

// ------------------------------------------------------------------------------------------------
// Bodies (admittance components)

// Point mass in 1, 2 or 3 dimensions, [Kikuuwe2008] (7).
typedef struct hf_mass_def {
    const char *name;
    int dim;            // 1, 2 or 3
    int axes[3];        // which world axis (0 x, 1 y, 2 z) each coordinate is; rising
    double mass;        // > 0 [kg]
    double position[3]; // at t = 0, first dim entries [m]
    double velocity[3]; // at t = 0 [m/s]
} hf_mass_def;

// 1 kg in 3 dimensions, at rest at the origin.
HF_API hf_mass_def hf_mass_def_default(void);
HF_API hf_body hf_spec_add_mass(hf_spec *spec, const hf_mass_def *def, hf_error *error);

// Rigid body, [Kikuuwe2008] (26). Its origin is its center of mass.
typedef struct hf_rigid_def {
    const char *name;
    double mass;         // > 0 [kg]
    hf_sym3 inertia;     // about the center of mass, body axes; positive definite [kg m^2]
    hf_vec3 position;    // [m]
    hf_quat orientation; // body to world
    hf_vec3 velocity;    // of the center of mass, world frame [m/s]
    hf_vec3 spin;        // angular velocity, world frame [rad/s]
    hf_shape shape;      // used by contacts that name no shape of their own
    bool counts_turns;   // its state has the integrals of its spin about its own three axes; set
                         // where a law that needs a displacement acts on a ratio with one
} hf_rigid_def;

// A sphere of 1 kg and radius 0.1 m, at rest at the origin.
HF_API hf_rigid_def hf_rigid_def_default(void);
HF_API hf_body hf_spec_add_rigid(hf_spec *spec, const hf_rigid_def *def, hf_error *error);

// Scenery: it has a shape, and never moves.
typedef struct hf_static_def {
    const char *name;
    hf_vec3 position;    // [m]
    hf_quat orientation; // body to world
    hf_shape shape;
    hf_vec3 shape_center; // of the shape, in the body's frame [m]
} hf_static_def;

// The half space below z = 0.
HF_API hf_static_def hf_static_def_default(void);
HF_API hf_body hf_spec_add_static(hf_spec *spec, const hf_static_def *def, hf_error *error);

// Prescribed motion: a conveyor, a driven end, a gate. It has no mass of its own: it moves as the
// signals say, whatever acts on it. Shapes make it something to touch (hf_spec_add_shape).
typedef struct hf_driven_def {
    const char *name;
    int dim;            // 1, 2 or 3
    int axes[3];        // as hf_mass_def
    bool by_velocity;   // motion gives velocities, which are integrated from `start`
    hf_value motion[3]; // positions [m], or velocities [m/s]
    hf_value rate[3];   // by position: its derivative, if has_rate; else that of the signal
    bool has_rate;
    double start[3]; // by velocity: position at t = 0 [m]
    // Body not zero: moves as these `dim` coordinates of a mass or joint do, without acting back on
    // them: the reference of a position controller. Motion and rate are then not looked at.
    hf_coordinate follow;
    // Turns, with motion by position alone: one angle about `axis`, or three, roll, pitch and yaw
    // about the world's x, then y, then z [rad]. They turn the body about its own origin.
    int angle_count; // 0, 1 or 3
    hf_value angles[3];
    hf_vec3 axis;        // of one angle, not zero; world axes
    hf_quat orientation; // at zero angles, body to world
} hf_driven_def;

// Coordinates of a driven body at most: three shifts, three angles.
#define HF_DRIVEN_MOST 6

// One coordinate along x, by position.
HF_API hf_driven_def hf_driven_def_default(void);
HF_API hf_body hf_spec_add_driven(hf_spec *spec, const hf_driven_def *def, hf_error *error);

// A shaft in bearings: a motor, a flywheel. One coordinate, its angle, and no place in space:
// torques act on it, by couplings of coordinates and ratios.
typedef struct hf_rotor_def {
    const char *name;
    double inertia;  // about its axis, > 0 [kg m^2]
    double position; // at t = 0 [rad]
    double velocity; // [rad/s]
} hf_rotor_def;

// 1 kg m^2, at rest.
HF_API hf_rotor_def hf_rotor_def_default(void);
HF_API hf_body hf_spec_add_rotor(hf_spec *spec, const hf_rotor_def *def, hf_error *error);

// A body of a kind of your own, hf_body_kind (kinds.h).
typedef struct hf_body_def {
    const char *name;
    const hf_body_kind *kind;
    const void *def;                   // def_size bytes; copied
    const double *position, *velocity; // n numbers at t = 0; copied. NULL: zeros
} hf_body_def;

// An id of zero: the error says why.
HF_API hf_body hf_spec_add_body(hf_spec *spec, const hf_body_def *def, hf_error *error);

// Articulated tree in generalized coordinates, [Kikuuwe2008] (8).
HF_API hf_tree hf_spec_add_tree(hf_spec *spec, const char *name, hf_error *error);

typedef enum hf_joint_type {
    HF_JOINT_FIXED,
    HF_JOINT_REVOLUTE,
    HF_JOINT_PRISMATIC,
    HF_JOINT_SPHERICAL,
    HF_JOINT_PLANAR,
    HF_JOINT_FREE,
    HF_JOINT_TYPE_COUNT
} hf_joint_type;

// A joint and the link it carries. The link's frame sits at the joint; at zero coordinates it
// coincides with the joint's place on the parent.
typedef struct hf_joint_def {
    const char *name; // of the joint and its link
    hf_joint_type type;
    hf_body parent;     // a link of the same tree; zero: the world
    hf_vec3 offset;     // place of the joint on the parent [m]
    hf_quat tilt;       // joint frame to parent frame
    hf_vec3 axis;       // revolute, prismatic: not zero; normalized for you
    double mass;        // of the link, >= 0; a moving leaf needs mass or inertia [kg]
    hf_vec3 center;     // of mass, link frame [m]
    hf_sym3 inertia;    // about the center of mass, link axes, positive semidefinite [kg m^2]
    double armature;    // inertia added to each velocity of the joint, >= 0; of a rotor
    double position[7]; // at t = 0: coordinates of the joint; quaternions w x y z
    double velocity[6]; // at t = 0
    // In a closed chain the start must close the loops: what is not kept is a guess (hf_loop_def).
    bool keep_position, keep_velocity;
    // Accepts an inertia that no body has (a principal moment above the sum of the other two), as
    // files of others have them; it must be positive semidefinite all the same.
    bool keep_inertia;
    hf_shape shape;
    hf_vec3 shape_center; // of the shape, link frame [m]
} hf_joint_def;

// Number of coordinates and of velocities of a joint type.
HF_API int hf_joint_coordinates(hf_joint_type type);
HF_API int hf_joint_velocities(hf_joint_type type);

// A revolute joint about z, with no mass yet; quaternions in position are the identity.
HF_API hf_joint_def hf_joint_def_default(hf_joint_type type);
HF_API hf_body hf_spec_add_joint(hf_spec *spec, hf_tree tree, const hf_joint_def *def,
                                 hf_error *error);

// A further shape of a rigid body, link or static body, beside that of its definition (which
// HF_SHAPE_POINT leaves out): shape.h. Its full name is "BODY.SHAPE".
HF_API HF_NODISCARD hf_status hf_spec_add_shape(hf_spec *spec, hf_body body,
                                                const hf_shape_def *def, hf_error *error);
// What surfaces are made of, and what pairs have of their own.
HF_API hf_material hf_spec_add_material(hf_spec *spec, const hf_material_def *def, hf_error *error);
HF_API hf_material hf_spec_find_material(const hf_spec *spec, const char *name);
HF_API hf_material_def hf_spec_material(const hf_spec *spec, hf_material material);
HF_API HF_NODISCARD hf_status hf_spec_add_pair(hf_spec *spec, const hf_pair_def *def,
                                               hf_error *error);
// How numbers of two surfaces are combined: HF_RULE_MAXIMUM both unless set. Spin and rolling
// friction go by the rule of friction.
HF_API HF_NODISCARD hf_status hf_spec_set_rules(hf_spec *spec, hf_rule friction,
                                                hf_rule restitution, hf_error *error);

// How a body is shown, where its shape does not say it. No influence on any motion.
typedef enum hf_draw_type {
    HF_DRAW_AUTO, // its shape, or something sensible from mass and inertia
    HF_DRAW_NONE, // nothing
    HF_DRAW_SPHERE,
    HF_DRAW_BOX,
    HF_DRAW_CYLINDER,  // along z
    HF_DRAW_CAPSULE,   // along z, with round ends beyond its length
    HF_DRAW_ELLIPSOID, // size: half axes
    HF_DRAW_MESH       // triangles
} hf_draw_type;

// Triangles that are only shown: three corners each, indices of points [m].
typedef struct hf_draw_mesh {
    const hf_vec3 *points;
    const int *corners;
    int point_count, triangle_count;
} hf_draw_mesh;

typedef struct hf_draw {
    hf_draw_type type;
    hf_vec3 size;   // sphere: x radius; box: lengths of the edges; others: x radius, z length [m]
    hf_vec3 center; // in the body's frame [m]
    hf_quat turn;   // of the figure, to the body's frame
    long color;     // 0xRRGGBB; -1: chosen
    hf_draw_mesh mesh; // HF_DRAW_MESH; copied
} hf_draw;

// HF_DRAW_AUTO, color chosen.
HF_API hf_draw hf_draw_default(void);
HF_API HF_NODISCARD hf_status hf_spec_set_draw(hf_spec *spec, hf_body body, const hf_draw *draw,
                                               hf_error *error);
// One more figure, beside that of hf_spec_set_draw; HF_DRAW_AUTO and HF_DRAW_NONE are none.
HF_API HF_NODISCARD hf_status hf_spec_add_draw(hf_spec *spec, hf_body body, const hf_draw *draw,
                                               hf_error *error);

// ------------------------------------------------------------------------------------------------
// Couplings and forces (impedance components where they act)

// A place on a body: a point and axes fixed in it. Body zero: the world.
typedef struct hf_frame {
    hf_body body;
    hf_vec3 point; // in the body's frame [m]
    hf_quat turn;  // frame to body
} hf_frame;

// Axes of coordinates that are spins of a rigid body or link about its own axes: in ratios of
// HF_COUPLING_TURNS.
enum { HF_SPIN_X = 100, HF_SPIN_Y, HF_SPIN_Z };

// One summand of a ratio.
typedef struct hf_ratio_term {
    hf_coordinate coordinate;
    double factor; // not 0 [-, or m for an angle among lengths]
} hf_ratio_term;

// One part of a path: a string goes from point to point in their order.
typedef enum hf_path_kind {
    HF_PATH_POINT,    // of a body
    HF_PATH_SPHERE,   // around it, between two points, where it is in the way
    HF_PATH_CYLINDER, // the same, endless along the z axis of its frame
    HF_PATH_PULLEY    // ends a way and begins another, of which 1/divisor counts
} hf_path_kind;

enum { HF_PATH_MOST = 40 };

typedef struct hf_path_part {
    hf_path_kind kind;
    hf_frame frame; // its point; the center and axes of what the string wraps around
    double radius;  // of a sphere or cylinder [m]
    double divisor; // of a pulley [-]
    // The side on which the string passes: of two ways around the nearer to this point. A point
    // within the round thing: the string touches it from the inside.
    bool has_side;
    hf_frame side;
} hf_path_part;

typedef struct hf_coupling_def {
    hf_coupling_type type;
    int dim;                     // COORDINATE: 1-3 neighbouring coordinates
    hf_coordinate on_coordinate; // COORDINATE
    hf_coordinate to_coordinate; // COORDINATE: body zero: none
    hf_frame on_frame;           // the others
    hf_frame to_frame;
    double radius;    // PLANE: of the sphere, 0: a point; SPHERES: of `on`; ADHESION: reach [m]
    double to_radius; // SPHERES: of `to` [m]
    const hf_body *members; // SWARM: rigid bodies that are spheres; SHAPES: with shapes; copied
    int member_count;       // at least 2
    int capacity;           // most pairs near each other at a time; 0: 8 a member (SHAPES: 16)
    // SHAPES: some of the members that touch only the others, not each other, and these only them;
    // 0: any two members; copied.
    const hf_body *against;
    int against_count;
    // SHAPES: pairs of members that never touch, two bodies each; copied. Links that are neighbours
    // in a tree are left out without being named, unless they are the only two members.
    const hf_body *except;
    int except_count;           // pairs
    const hf_ratio_term *terms; // RATIO, TURNS: each coordinate once, at most 16; copied
    int term_count;
    const hf_path_part *parts; // PATH: over at most 16 bodies; copied
    int part_count;            // 2 to HF_PATH_MOST
    // What a force of 1 N does, not both zero: WRENCH in the axes of `on`, BETWEEN of to_frame
    hf_vec3 along; // force [N/N]
    hf_vec3 about; // torque [Nm/N]
    double rod;    // CRANK: length, > 0, of the rod to a slider along `along` of to_frame [m]
    bool turning;  // contacts: also the spin about the normal and the two tangents
    bool pairs;    // SWARM, SHAPES: every pair is a contact of its own; set by the reader of files
    bool alone;    // SHAPES of two members: a contact, before a list that has these two alone
    const hf_coupling_kind *kind; // OWN
    const void *kind_def;         // OWN: def_size bytes; copied
    // OWN: the coordinates that psi is a function of, 1 to HF_COUPLING_KIND_MOST; copied
    const hf_coordinate *coordinates;
    int coordinate_count;
} hf_coupling_def;

// The coupling types' dimension; `dim` for COORDINATE.
HF_API int hf_coupling_dim(const hf_coupling_def *coupling);

// Whether contact laws go on it: PLANE, SPHERES, SWARM and SHAPES.
HF_API bool hf_coupling_is_contact(hf_coupling_type type);

// A coordinate against the world; body frames identical to their bodies.
HF_API hf_coupling_def hf_coupling_def_default(hf_coupling_type type);

// Reactions that load a friction, found in the same instant as it (docs/laws/loads.md).
typedef enum hf_load_type {
    HF_LOAD_NONE,
    HF_LOAD_LOOP,        // what a loop holds with: |force|; of a ratio its torque or force
    HF_LOAD_FORCE,       // of a joint: the size of the force that it carries [N]
    HF_LOAD_RADIAL,      // the same across its axis
    HF_LOAD_AXIAL,       // the same along its axis
    HF_LOAD_MOMENT,      // of the moment that it carries, but about its axis [Nm]
    HF_LOAD_ACTUATOR,    // of all prescribed forces and controllers on the joint together [N or Nm]
    HF_LOAD_TRANSMITTED, // what the joint hands on to its link about or along its axis [N or Nm]
    HF_LOAD_SERVO,       // hf_servo_load [N or Nm]
    HF_LOAD_TYPE_COUNT
} hf_load_type;

// Where a load-dependent level takes its normal force from.
typedef struct hf_normal_def {
    hf_value value;      // >= 0 [N]; used when the others are zero
    hf_force force;      // the size of another force's normal or force
    hf_load_type load;   // a reaction,
    hf_loop loop;        // HF_LOAD_LOOP: of this loop
    hf_body joint;       // the others: of this link's joint, which turns or slides
    hf_servo_load servo; // HF_LOAD_SERVO
} hf_normal_def;

// The file name of a reaction ("moment"), or NULL.
HF_API const char *hf_load_name(hf_load_type type);

// A law on a coupling.
typedef struct hf_force_def {
    const char *name;
    hf_coupling_def coupling;
    // The law, and its definition in the union's member of the same name; copied. Set both by
    // hf_force_use_spring, ... or hf_force_use_own (use_law.h). HF_LAW_FORCE has no definition.
    hf_law_type law;
    union {
        const void *def; // for laws without a member; hf_force_use_own compares its size
        HF_LAW_DEFS(HF_LAW_POINTER)
    };
    hf_value values[HF_LAW_MAX_DIM]; // HF_LAW_FORCE: force on `on` along each coordinate [N or Nm];
                                     // laws with inputs: these, as hf_law_info.inputs lists them
    bool has_rate;        // inputs that are the rate of another are given; else its derivative
    hf_normal_def normal; // for levels with per_normal, except in contacts
    // With has_enable the force acts while this is above zero; else it is silent, and its states
    // rest. Not for stops, contacts and laws that are computed once a step or are solved for
    // (coulomb).
    hf_value enable;
    bool has_enable;
    // Where it was written, for messages of runs; file NULL: nowhere. Copied.
    const char *file;
    int line, column;
} hf_force_def;

// A spring on a coordinate, whose definition must be given.
HF_API hf_force_def hf_force_def_default(void);
// Checks and copies the definition. An id of zero: the error says why.
HF_API hf_force hf_spec_add_force(hf_spec *spec, const hf_force_def *def, hf_error *error);

// Gives a force another law and definition, which is copied. All else of it stays. The definition's
// type is not checked: prefer hf_spec_use_spring, ... or hf_spec_use_own (use_law.h).
HF_API HF_NODISCARD hf_status hf_spec_set_law(hf_spec *spec, hf_force force, hf_law_type law,
                                              const void *def, hf_error *error);
// Gives a friction another friction law. Parameters that both have stay, by their names; laws of
// several elements share out level, stiffness and damping as their defaults do, and single elements
// take the sums; all else is the new law's default.
HF_API HF_NODISCARD hf_status hf_spec_change_law(hf_spec *spec, hf_force force, hf_law_type law,
                                                 hf_error *error);

// A law of your own (docs/laws/README.md, "Laws of your own"): checked, and added to those that
// forces of this spec may have. *law is copied, with a type of its own; its tables, texts and
// functions must live as long as the spec and the models compiled from it. Its functions must be
// pure: they may be called from several threads, and nothing in them may allocate. Returns the type
// for hf_force_def.law; HF_LAW_FORCE on error.
HF_API hf_law_type hf_spec_register_law(hf_spec *spec, const hf_law_info *law, hf_error *error);
// A law by its type or its file name, of the library or registered; NULL when unknown.
HF_API const hf_law_info *hf_spec_law(const hf_spec *spec, hf_law_type type);
HF_API const hf_law_info *hf_spec_find_law(const hf_spec *spec, const char *name);

// ------------------------------------------------------------------------------------------------
// Looking up

// Ids by name; zero id when unknown. A link is "tree.joint".
HF_API hf_body hf_spec_find_body(const hf_spec *spec, const char *name);
HF_API hf_tree hf_spec_find_tree(const hf_spec *spec, const char *name);
HF_API hf_signal hf_spec_find_signal(const hf_spec *spec, const char *name);
HF_API hf_force hf_spec_find_force(const hf_spec *spec, const char *name);
HF_API hf_loop hf_spec_find_loop(const hf_spec *spec, const char *name);

// What kind a body is: the lines of bodies.def, HF_BODY_MASS, HF_BODY_RIGID, ...
typedef enum hf_body_type {
#define HF_BODY(NAME, name) HF_BODY_##NAME,
#include <holdfast/bodies.def>
    HF_BODY_TYPE_COUNT
} hf_body_type;
HF_API hf_body_type hf_spec_body_type(const hf_spec *spec, hf_body body);
// Its name, in the spec; NULL: there is no such body.
HF_API const char *hf_spec_body_name(const hf_spec *spec, hf_body body);
// Number of coordinates that hf_coordinate.axis can name: dim of a mass or driven body, velocities
// of a joint, 1 for a rotor, 0 for a rigid body.
HF_API int hf_spec_body_axes(const hf_spec *spec, hf_body body);
HF_API hf_joint_type hf_spec_joint_type(const hf_spec *spec, hf_body link);
// The shape of its definition, and how many it has with those that were added.
HF_API hf_shape hf_spec_body_shape(const hf_spec *spec, hf_body body);
HF_API int hf_spec_body_shape_count(const hf_spec *spec, hf_body body);

// What a body is, for pictures and tools.
typedef struct hf_body_info {
    const char *name;
    hf_body_type type;
    hf_joint_type joint; // of a link; of a rotor HF_JOINT_REVOLUTE
    int dim;             // of a mass or driven body
    int axes[3];         // of a mass or driven body: which world axis each coordinate is
    double mass;         // [kg]; 0 for a driven body
    // Of a rigid body or link, about its center of mass; of a rotor zz, about its axis [kg m^2].
    hf_sym3 inertia;
    hf_shape shape;             // of its definition; HF_SHAPE_POINT: none given
    hf_vec3 shape_center;       // in the body's frame [m]
    const hf_shape_def *shapes; // all of them, that of the definition first
    int shape_count;
    hf_vec3 center;         // of mass, in the body's frame [m]
    hf_body parent;         // of a link; zero: the world
    hf_vec3 offset;         // of a link's joint on its parent [m]
    hf_vec3 axis;           // of a revolute or prismatic joint, in the link's frame
    hf_draw draw;           // how it is shown
    const hf_draw *figures; // and with what besides
    int figure_count;
} hf_body_info;

#ifdef __cplusplus
}
#endif

#include <holdfast/loop.h>

#endif
