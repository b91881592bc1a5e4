// SPDX-License-Identifier: Apache-2.0
// The keys of model files, as tables for `holdfast schema` and `holdfast help`.
#include "cli/schema_keys.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MAP(name, kind, needed, keys)                                                              \
    {                                                                                              \
        name, kind, needed, keys, COUNT(keys)                                                      \
    }

// ------------------------------------------------------------------------------------------------
// The top of the file

static const hf_cli_schema_key root[] = {
    {"name", "text", "the machine's name; the file's name if it is left out"},
    {"description", "text", "free text, kept in recordings"},
    {"parameters", "parameters", "numbers with names, for every number and expression"},
    {"defaults", "open", "classes that bodies, joints and forces start from by `class`"},
    {"gravity", "vec3", "[x, y, z], m/s^2; zero if it is left out"},
    {"method", "method", "how time advances"},
    {"duration", "number", "how long a run lasts [s]"},
    {"bodies", "bodies", "by name"},
    {"signals", "signals", "functions of time and inputs, by name"},
    {"forces", "forces", "laws and where they act"},
    {"loops", "loops", "what closes chains, by name or as a list"},
    {"joints", "open", "more entries for joints, by patterns of their names"},
    {"friction", "open", "friction of joints, by patterns of their names"},
    {"materials", "materials", "surfaces, by name"},
    {"pairs", "pairs", "friction and restitution of pairs of materials, bodies or shapes"},
    {"friction_rule", "=maximum|minimum|product|mean|geometric|harmonic",
     "how two frictions combine"},
    {"restitution_rule", "=maximum|minimum|product|mean|geometric|harmonic",
     "how two restitutions combine"},
    {"variants", "open", "sets of changes by name: paths and values"},
    {"record", "texts", "channels to be recorded"},
    {"fit", "open", "logs, what they match and what is free: holdfast fit"},
};

static const hf_cli_schema_key parameter[] = {
    {"value", "number", "the number or formula"},
    {"unit", "text", "of value and range"},
    {"range", "numbers", "[low, high]: others are refused"},
    {"about", "text", "a phrase for tables and tools"},
};

// ------------------------------------------------------------------------------------------------
// Bodies

static const hf_cli_schema_key mass[] = {
    {"dim", "=1|2|3", "number of coordinates"},
    {"axes", "=x|y|z|xy|xz|yz|xyz", "the world axes it moves along"},
    {"mass", "number", "kg, > 0"},
    {"position", "numbers", "at t = 0 [m]"},
    {"velocity", "numbers", "at t = 0 [m/s]"},
    {"draw", "draw", "how it is shown"},
    {"repeat", "repeat", "many of them"},
};

static const hf_cli_schema_key rigid[] = {
    {"mass", "number", "kg, > 0"},
    {"inertia", "inertia", "body axes [kg m^2]; that of the solid shape if it is left out"},
    {"shape", "shape", "used by contacts"},
    {"shapes", "shapes", "several of them"},
    {"center", "vec3", "of mass, where it is drawn [m]"},
    {"position", "vec3", "at t = 0 [m]"},
    {"orientation", "orientation", "at t = 0"},
    {"velocity", "vec3", "at t = 0, world axes [m/s]"},
    {"angular_velocity", "vec3", "at t = 0, world axes [rad/s]"},
    {"draw", "draw", "how it is shown"},
    {"repeat", "repeat", "many of them"},
};

static const hf_cli_schema_key still[] = {
    {"shape", "shape", "needed, or shapes"},       {"shapes", "shapes", "several of them"},
    {"shape_center", "vec3", "of the shape [m]"},  {"position", "vec3", "m"},
    {"orientation", "orientation", "of the body"}, {"draw", "draw", "how it is shown"},
    {"repeat", "repeat", "many of them"},
};

static const hf_cli_schema_key rotor[] = {
    {"inertia", "number", "about its axis [kg m^2], > 0"},
    {"position", "number", "angle at t = 0 [rad]"},
    {"velocity", "number", "at t = 0 [rad/s]"},
    {"repeat", "repeat", "many of them"},
};

static const hf_cli_schema_key driven[] = {
    {"dim", "=1|2|3", "number of coordinates"},
    {"axes", "=x|y|z|xy|xz|yz|xyz", "the world axes it moves along"},
    {"position", "values", "where it is [m]"},
    {"velocity", "values", "how fast it goes [m/s]"},
    {"start", "numbers", "position at t = 0, with velocity [m]"},
    {"rate", "values", "another rate than the derivative of position [m/s]"},
    {"follow", "text", "a mass or coordinate whose motion it copies"},
    {"angle", "values", "a turn about axis [rad]"},
    {"axis", "vec3", "of angle, world axes"},
    {"angles", "values", "roll, pitch and yaw, about the world's x, then y, then z [rad]"},
    {"orientation", "orientation", "with no angle"},
    {"shape", "shape", "what it touches others with"},
    {"shapes", "shapes", "several of them"},
    {"draw", "draw", "how it is shown"},
};

static const hf_cli_schema_key tree[] = {
    {"joints", "joints", "joints and their links, by name"},
};

static const hf_cli_schema_key robot[] = {
    {"file", "text", "MJCF, URDF or SDF, in the model's folder or below"},
    {"base", "=file|fixed|free", "how it stands in the world"},
    {"position", "vec3", "m"},
    {"orientation", "orientation", "of its base"},
    {"start", "text", "a key frame of the file"},
    {"model", "text", "of several models in the file"},
    {"inertia", "=keep|balance|refuse", "principal moments that no body has"},
    {"collide", "=hull|boxes|none|parts", "what meshes become"},
    {"packages", "texts", "NAME=FOLDER"},
    {"gravity_compensation", "number", "how much of the links' weight is carried, 1 for all"},
};

static const hf_cli_schema_key joint[] = {
    {"type", "=revolute|prismatic|spherical|planar|free|fixed", "what it lets move"},
    {"class", "text", "of defaults"},
    {"repeat", "copies", "many of them, each on the one before"},
    {"parent", "text", "another joint of the tree; the world if it is left out"},
    {"offset", "vec3", "of the joint in the parent's frame [m]"},
    {"orientation", "orientation", "of the joint in the parent's frame"},
    {"axis", "vec3", "revolute and prismatic"},
    {"mass", "number", "of the link [kg]"},
    {"center", "vec3", "of mass, in the link's frame [m]"},
    {"inertia", "inertia", "about the center of mass [kg m^2]"},
    {"keep_inertia", "flag", "take an inertia that no body has"},
    {"armature", "number", "inertia of a rotor, seen at the joint"},
    {"shape", "shape", "used by contacts"},
    {"shapes", "shapes", "several of them"},
    {"shape_center", "vec3", "of the shape [m]"},
    {"position", "numbers", "at t = 0 [rad or m]"},
    {"velocity", "numbers", "at t = 0"},
    {"guess", "numbers", "of the position, where loops decide it"},
    {"friction", "joint-friction", "a level, or a friction's entries"},
    {"damping", "number", "Nms/rad or Ns/m"},
    {"spring", "open", "a spring's entries"},
    {"limits", "limits", "[low, high], or a stop's entries"},
    {"bearing", "open", "friction by what the joint carries: radius, friction"},
    {"efficiency", "efficiency",
     "losses of a gear between drive and link: [forth, back], or a level"},
    {"servo", "open", "a controller's entries, with kp, ki, kd, limit, rate"},
    {"draw", "draw", "how the link is shown"},
};

static const hf_cli_schema_key repeat[] = {
    {"count", "numbers", "[nx, ny, nz], or the length of a row"},
    {"spacing", "numbers", "along each axis [m]"},
    {"stagger", "numbers", "by which every other layer is shifted [m]"},
    {"jitter", "numbers", "each is shifted by up to this, at random [m]"},
    {"seed", "count", "of the random shifts"},
};

// Of forces and joints.
static const hf_cli_schema_key copies[] = {
    {"count", "count", "how many; in their texts $ is the number of each"},
    {"first", "open", "what the first has otherwise"},
    {"last", "open", "what the last has otherwise"},
};

// ------------------------------------------------------------------------------------------------
// Shapes and surfaces

#define SURFACE                                                                                    \
    {"friction", "number", "coefficient"}, {"restitution", "number", "0 to 1"},                    \
        {"spin_friction", "number", "m"},                                                          \
    {                                                                                              \
        "rolling_friction", "number", "m"                                                          \
    }

// What shapes have beside their sizes.
#define PLACED                                                                                     \
    {"orientation", "orientation", "in the body"},                                                 \
        {"position", "vec3", "of its center in the body [m]; in shapes"},                          \
        {"mass", "number", "kg; in shapes"}, {"density", "number", "kg/m^3"},                      \
        {"name", "text", "in shapes"}, {"material", "text", "of materials"},                       \
        {"group", "text", "what may touch it"}, {"touches", "texts", "groups that it touches"},    \
        {"surface_velocity", "vec3", "of a belt [m/s]"},                                           \
        {"surface_spin", "vec3", "of a turntable [rad/s]"},                                        \
        {"surface_speed", "values", "times both; may be a signal"},                                \
        {"friction_across", "number", "coefficient across friction_direction"},                    \
        {"friction_direction", "direction", "in the body's frame: along it friction holds"},       \
        {"slip", "pair-of-numbers",                                                                \
         "velocity a newton of friction, along it and across [m/(s N)]"},                          \
        SURFACE
#define FILE_KEYS                                                                                  \
    {"file", "text", "OBJ or STL, in the model's folder or below"},                                \
    {                                                                                              \
        "scale", "numbers", "a number, or [x, y, z]"                                               \
    }

static const hf_cli_schema_key bare[] = {PLACED};
static const hf_cli_schema_key ball[] = {{"radius", "number", "m"}, PLACED};
static const hf_cli_schema_key box[] = {{"size", "vec3", "full edges [m]"}, PLACED};
static const hf_cli_schema_key bar[] = {
    {"radius", "number", "m"}, {"length", "number", "along z [m]"}, PLACED};
static const hf_cli_schema_key ellipsoid[] = {{"radii", "vec3", "m"}, PLACED};
static const hf_cli_schema_key mesh[] = {
    FILE_KEYS,
    {"frame", "=center|file", "where its origin is"},
    {"parts", "flag", "convex parts: one of each connected piece, several where it is not convex"},
    {"parts_tolerance", "number", "depth of hollows that parts may fill [m]"},
    PLACED};
static const hf_cli_schema_key triangles[] = {FILE_KEYS, PLACED};
static const hf_cli_schema_key heights[] = {
    {"size", "numbers", "[x, y] of the grid [m]"},
    {"heights", "rows", "rows along x, from the smallest y on [m]"},
    PLACED};

static const hf_cli_schema_key material[] = {
    SURFACE,
    {"density", "number", "kg/m^3"},
};

static const hf_cli_schema_key pair[] = {
    {"between", "texts", "two names"},
    SURFACE,
    {"touch", "=as-others|never|always", "whether they touch"},
};

static const hf_cli_schema_key draw[] = {
    {"type", "=auto|none|sphere|box|cylinder|capsule|ellipsoid|mesh", "the figure"},
    {"color", "text", "a name or #rrggbb"},
    {"radius", "number", "m"},
    {"length", "number", "along z [m]"},
    {"size", "vec3", "edges [m]"},
    {"radii", "vec3", "half axes [m]"},
    {"file", "text", "of a mesh, in the model's folder"},
    {"scale", "numbers", "a number, or [x, y, z]"},
    {"center", "vec3", "m"},
    {"orientation", "orientation", "in the body"},
};

// ------------------------------------------------------------------------------------------------
// Signals

static const hf_cli_schema_key signal[] = {
    {"expression", "text", "of t, parameters, signals and channels"},
    {"through", "numbers", "a path through these points, at rest in each"},
    {"times", "numbers", "through: when [s]"},
    {"profile", "=quintic|trapezoid", "through: how it goes between them"},
    {"blend", "number", "trapezoid: the part of the time in which it gains speed"},
    {"jumps", "numbers", "times at which it jumps, rising [s]"},
    {"table", "table", "of points, or a column of a file"},
    {"fourier", "fourier", "a series"},
    {"input", "number", "set from outside; its first value"},
    {"range", "numbers", "input: [low, high]"},
    {"scale", "number", "input: of what is set"},
};

static const hf_cli_schema_key points[] = {
    {"points", "rows", "[[time, value], ...], or [x, value] of `of`"},
    {"interpolation", "=linear|hold|smooth", "between the points"},
    {"of", "values", "what it is over, in place of the time: a channel, signal or expression"},
};

static const hf_cli_schema_key grid[] = {
    {"of", "values", "[VALUE, VALUE]: what it is over"},
    {"x", "numbers", "of the first, rising"},
    {"y", "numbers", "of the second, rising"},
    {"values", "rows", "a row for each x"},
};

static const hf_cli_schema_key column[] = {
    {"file", "text", "CSV, in the model's folder or below"},
    {"time", "text", "the column of times"},
    {"column", "text", "the column of values"},
    {"interpolation", "=linear|hold|smooth", "between the points"},
    {"of", "values", "what it is over, in place of the time"},
};

static const hf_cli_schema_key fourier[] = {
    {"frequency", "number", "of the first harmonic [Hz]"},
    {"period", "number", "of the first harmonic [s]"},
    {"offset", "number", "mean value"},
    {"sines", "numbers", "from the first harmonic on"},
    {"cosines", "numbers", "from the first harmonic on"},
    {"scale", "number", "of all coefficients"},
    {"integrated", "flag", "the coefficients are those of the rate"},
};

// ------------------------------------------------------------------------------------------------
// Levels, loads, planes, loops

static const hf_cli_schema_key level[] = {
    {"coulomb", "pair-of-numbers", "level in sliding [N]"},
    {"kinetic", "pair-of-numbers", "the same"},
    {"static", "pair-of-numbers", "level at break-away [N]"},
    {"stribeck_velocity", "pair-of-numbers", "how fast static goes over into kinetic [m/s]"},
    {"shape", "number", "exponent of the Stribeck curve"},
    {"rational", "flag", "a rational curve in place of the exponential one"},
    {"viscous", "pair-of-numbers", "in proportion to speed [Ns/m]"},
    {"friction", "pair-of-numbers", "coefficient of the normal force, in place of kinetic"},
    {"static_friction", "pair-of-numbers", "coefficient at break-away"},
    {"table", "rows", "[[speed, level], ...]"},
    {"per_normal", "flag", "the table has coefficients"},
    {"cohesion", "pair-of-numbers", "without a normal force [N]"},
    {"peak", "number", "factor of the level in stick"},
    {"efficiency", "pair-of-numbers", "of a gear, driving and driven"},
    {"bearing", "pair-of-numbers", "of a gear, driving and driven [Nm]"},
    {"gear", "rows", "[[speed, eta1, eta2, b1, b2], ...]"},
    {"scale", "values", "what it is multiplied by: a signal or an expression"},
};

static const hf_cli_schema_key load[] = {
    {"loop", "text", "whose reaction loads it"},
    {"joint", "text", "whose reaction loads it"},
    {"reaction", "=force|radial|axial|moment|actuator|transmitted", "of the joint"},
    {"servo", "servo-load", "the load of a servo's gear, in place of reaction"},
};

static const hf_cli_schema_key servo_load[] = {
    {"base", "number", "without a load [Nm]"},
    {"motor", "number", "share of the motor's torque"},
    {"external", "number", "share of the outer torque"},
    {"motor_square", "number", "of the motor's torque, where the load drives [1/Nm]"},
    {"external_square", "number", "of the outer torque, where the motor lifts [1/Nm]"},
};

static const hf_cli_schema_key servo_law[] = {
    {"base", "number", "Kc [Nm]"},
    {"motor", "number", "Km, share of the motor's torque"},
    {"external", "number", "Ke, share of the outer torque"},
    {"viscous", "number", "Kv [Nms/rad]"},
    {"rest", "number", "Ks, more at rest [Nm]"},
    {"motor_rest", "number", "Kms, at rest"},
    {"external_rest", "number", "Kes, at rest"},
    {"motor_square", "number", "Qm, at rest [1/Nm]"},
    {"external_square", "number", "Qe, at rest [1/Nm]"},
    {"stribeck_velocity", "number", "ws [rad/s]"},
    {"shape", "number", "a, exponent of the curve"},
};

static const hf_cli_schema_key plane[] = {
    {"point", "vec3", "of the plane [m]"},
    {"normal", "vec3", "out of the ground"},
    {"body", "text", "in which it is fixed; the world if it is left out"},
    {"velocity", "values", "of a conveyor in the world [m/s]"},
};

#define ENDS                                                                                       \
    {"name", "text", "in a list"}, {"on", "text", "a body"},                                       \
        {"to", "text", "another; the world if it is left out"},                                    \
        {"point", "vec3", "on the first body [m]"},                                                \
    {                                                                                              \
        "to_point", "vec3", "on the second body [m]"                                               \
    }
#define AXES                                                                                       \
    {"axis", "vec3", "in the frame of on"},                                                        \
    {                                                                                              \
        "to_axis", "vec3", "in the frame of to"                                                    \
    }
#define TURNS                                                                                      \
    {"orientation", "orientation", "of the frame on the first body"},                              \
    {                                                                                              \
        "to_orientation", "orientation", "of the frame on the second body"                         \
    }

static const hf_cli_schema_key pinned[] = {ENDS};
static const hf_cli_schema_key hinged[] = {ENDS, AXES};
static const hf_cli_schema_key fixed[] = {ENDS, TURNS};
static const hf_cli_schema_key sliding[] = {ENDS, AXES, TURNS};
static const hf_cli_schema_key rod[] = {ENDS, {"length", "number", "of the rod [m]"}};
static const hf_cli_schema_key ratio[] = {
    {"name", "text", "in a list"},
    {"ratio", "ratio", "coordinates and their factors"},
    {"value", "number", "what the sum is; that of the start if it is left out"},
};

static const hf_cli_schema_key ratio_term[] = {
    {"coefficients", "numbers", "of q - reference, its square, ..."},
    {"reference", "number", "rad or m"},
};

static const hf_cli_schema_key path_part[] = {
    {"on", "text", "a body, or the world"},
    {"point", "vec3", "in its frame: a point of the string, or the middle of what it wraps [m]"},
    {"sphere", "number", "radius of what it wraps around [m]"},
    {"cylinder", "number", "the same"},
    {"axis", "vec3", "of a cylinder"},
    {"side", "side", "where the string passes; within: from the inside"},
    {"pulley", "number", "divisor of what follows"},
};

static const hf_cli_schema_key side[] = {
    {"on", "text", "a body, or the world"},
    {"point", "vec3", "in its frame [m]"},
};

static const hf_cli_schema_key wrench[] = {
    {"on", "text", "a rigid body or a link"},
    {"point", "vec3", "in its frame [m]"},
    {"force", "vec3", "of 1 N, in its axes"},
    {"torque", "vec3", "of 1 N, in its axes [Nm/N]"},
    {"to", "text", "what it acts against; force and torque are then in the axes of that frame"},
    {"to_point", "vec3", "in the frame of to [m]"},
    {"orientation", "orientation", "of the frame on the body, with to"},
    {"to_orientation", "orientation", "of the frame on to"},
};

static const hf_cli_schema_key crank[] = {
    {"on", "text", "what the rod is joined to: a body, or the world"},
    {"point", "vec3", "in its frame [m]"},
    {"to", "text", "what the slider is on; the world if it is left out"},
    {"to_point", "vec3", "where the slider's axis begins [m]"},
    {"axis", "vec3", "of the slider, in the frame of to; z if it is left out"},
    {"length", "number", "of the rod [m]"},
};

static const hf_cli_schema_key angle[] = {
    {"on", "text", "a rigid body or a link"},
    {"to", "text", "what it is turned against; the world if it is left out"},
    {"orientation", "orientation", "of the frame on the body"},
    {"to_orientation", "orientation", "of the frame on to"},
};

static const hf_cli_schema_key adhesion[] = {
    {"on", "text", "a body with shapes"},
    {"reach", "number", "how near counts as touching; 0.1 mm if it is left out [m]"},
};

static const hf_cli_schema_key inertia[] = {
    {"xx", "number", "kg m^2"}, {"yy", "number", "kg m^2"}, {"zz", "number", "kg m^2"},
    {"xy", "number", "kg m^2"}, {"xz", "number", "kg m^2"}, {"yz", "number", "kg m^2"},
};

// ------------------------------------------------------------------------------------------------
// Forces

#define PLACE                                                                                      \
    {"name", "text", "unique in the file"}, {"class", "text", "of defaults"},                      \
        {"repeat", "copies", "many of them"},                                                      \
        {"enable", "values", "it acts while this is above zero"},                                  \
        {"on", "text", "where it acts: a body, a coordinate, a joint"},                            \
        {"to", "values", "what it acts against; the world if it is left out"},                     \
        {"coupling", "=coordinate|points|distance|spin|plane|frames", "how they are compared"},    \
        {"point", "vec3", "in the frame of on [m]"},                                               \
        {"to_point", "vec3", "in the frame of to [m]"},                                            \
        {"path", "path", "a string through points of bodies, in place of on and to"},              \
        {"wrench", "wrench-map", "force and torque fixed to a body, in place of on and to"},       \
        {"crank", "crank-map", "a rod to a slider, in place of on and to"},                        \
        {"angle", "angle-map", "the turn between two frames, in place of on and to"},              \
    {                                                                                              \
        "ratio", "ratio", "coordinates and factors, in place of on and to"                         \
    }

static const hf_cli_schema_key force[] = {
    PLACE,
    {"adhesion", "adhesion-map", "draws a body to what it touches, in place of on and to"},
    {"value", "values", "what acts along each axis [N or Nm]"},
};

static const hf_cli_schema_key spring[] = {
    PLACE,
    {"law", "text", "spring if it is left out"},
};

static const hf_cli_schema_key friction[] = {
    PLACE,
    {"law", "text", "stiction if it is left out"},
    {"normal", "load", "a value [N], a force's name, or a reaction"},
    {"servo", "servo-law", "friction of a servo drive, in place of level and normal"},
};

static const hf_cli_schema_key state[] = {
    {"rate", "texts", "an expression; a list: one an axis"},
    {"start", "numbers", "at t = 0"},
    {"scalar", "flag", "one number, where the coupling has several axes"},
};

static const hf_cli_schema_key own_law[] = {
    PLACE,
    {"force", "texts",
     "expression of gap, rate, states, inputs and parameters; a list: one an axis"},
    {"states", "states", "their rates, by name"},
    {"stored", "text", "energy [J]"},
    {"slip", "text", "whether it slips"},
    {"active", "flag", "it drives: its work is put into the machine"},
    {"parameters", "numbers-by-name", "of the law"},
    {"inputs", "values-by-name", "signals and expressions that it knows"},
    {"normal", "values", "N"},
};

static const hf_cli_schema_key contact[] = {
    {"name", "text", "unique in the file"},
    {"class", "text", "of defaults"},
    {"on", "text", "a body"},
    {"to", "text", "another body, in place of a plane"},
    {"law", "text", "rigid-contact if it is left out"},
    {"plane", "plane", "z = 0 if it is left out"},
    {"shape", "shape", "the body's if it is left out"},
    {"point", "vec3", "of the shape's center in the body [m]"},
    {"enable", "values", "it acts while this is above zero"},
};

static const hf_cli_schema_key collide[] = {
    {"name", "text", "unique in the file"},
    {"class", "text", "of defaults"},
    {"law", "text", "rigid-contact if it is left out"},
    {"among", "texts", "bodies, or all"},
    {"against", "texts", "bodies that those of among touch, in place of each other"},
    {"except", "rows-of-texts", "pairs that never touch"},
    {"capacity", "count", "most pairs near each other at a time"},
    {"enable", "values", "it acts while this is above zero"},
};

static const hf_cli_schema_key jointed[] = {
    {"name", "text", "unique in the file"},
    {"class", "text", "of defaults"},
    {"on", "text", "a body"},
    {"to", "text", "another; the world if it is left out"},
    {"law", "text", "joint"},
    {"point", "vec3", "on the first body [m]"},
    {"to_point", "vec3", "on the second body [m]"},
    {"axis", "vec3", "in the frame of on"},
    {"to_axis", "vec3", "in the frame of to"},
    {"torque", "values", "a motor about the axis [Nm]"},
    {"enable", "values", "it acts while this is above zero"},
    {"normal", "load", "when the level is a coefficient"},
};

const hf_cli_schema_map hf_cli_schema_maps[] = {
    MAP("machine", 0, "bodies", root),
    MAP("parameter-map", 0, "value", parameter),
    MAP("joint", 0, "", joint),
    MAP("repeat", 0, "count", repeat),
    MAP("material", 0, "", material),
    MAP("pair", 0, "between", pair),
    MAP("draw-map", 0, "", draw),
    MAP("signal-map", 0, "", signal),
    MAP("copies-map", 0, "count", copies),
    MAP("state-map", 0, "rate", state),
    MAP("table-grid", 0, "of x y values", grid),
    MAP("table-points", 0, "points", points),
    MAP("table-file", 0, "file column", column),
    MAP("fourier", 0, "", fourier),
    MAP("level-map", 0, "", level),
    MAP("load-map", 0, "", load),
    MAP("servo-load", 0, "", servo_load),
    MAP("servo-law", 0, "", servo_law),
    MAP("plane", 0, "", plane),
    MAP("ratio-term", 0, "coefficients", ratio_term),
    MAP("path-part", 0, "", path_part),
    MAP("side-map", 0, "on", side),
    MAP("wrench-map", 0, "on", wrench),
    MAP("crank-map", 0, "on length", crank),
    MAP("adhesion-map", 0, "on", adhesion),
    MAP("angle-map", 0, "on", angle),
    MAP("inertia-map", 0, "xx yy zz", inertia),
};
const int hf_cli_schema_map_count = COUNT(hf_cli_schema_maps);

const hf_cli_schema_map hf_cli_schema_shapes[] = {
    MAP("point", "point", "", bare),
    MAP("sphere", "sphere", "radius", ball),
    MAP("box", "box", "size", box),
    MAP("capsule", "capsule", "radius length", bar),
    MAP("cylinder", "cylinder", "radius length", bar),
    MAP("ellipsoid", "ellipsoid", "radii", ellipsoid),
    MAP("cone", "cone", "radius length", bar),
    MAP("mesh", "mesh", "file", mesh),
    MAP("triangles", "triangles", "file", triangles),
    MAP("heights", "heights", "size heights", heights),
    MAP("plane", "plane", "", bare),
};
const int hf_cli_schema_shape_count = COUNT(hf_cli_schema_shapes);

const hf_cli_schema_map hf_cli_schema_loops[] = {
    MAP("point", "point", "on", pinned),          MAP("spherical", "spherical", "on", pinned),
    MAP("revolute", "revolute", "on", hinged),    MAP("fixed", "fixed", "on", fixed),
    MAP("prismatic", "prismatic", "on", sliding), MAP("distance", "distance", "on length", rod),
    MAP("ratio", "ratio", "ratio", ratio),
};
const int hf_cli_schema_loop_count = COUNT(hf_cli_schema_loops);

const hf_cli_schema_map hf_cli_schema_bodies[] = {
    MAP("mass", "mass", "mass", mass),       MAP("rigid", "rigid", "", rigid),
    MAP("static", "static", "", still),      MAP("driven", "driven", "", driven),
    MAP("tree", "tree", "joints", tree),     MAP("robot", "robot", "file", robot),
    MAP("rotor", "rotor", "inertia", rotor),
};
const int hf_cli_schema_body_count = COUNT(hf_cli_schema_bodies);

const hf_cli_schema_map hf_cli_schema_forces[] = {
    MAP("force", "force", "value", force),       MAP("torque", "torque", "value", force),
    MAP("spring", "spring", "", spring),         MAP("stop", "stop", "", spring),
    MAP("friction", "friction", "", friction),   MAP("contact", "contact", "on", contact),
    MAP("collide", "collide", "among", collide), MAP("joint-force", "joint", "on", jointed),
    MAP("controller", "controller", "", spring), MAP("own-law", "law", "force", own_law),
};
const int hf_cli_schema_force_count = COUNT(hf_cli_schema_forces);
