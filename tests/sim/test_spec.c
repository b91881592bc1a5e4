// SPDX-License-Identifier: Apache-2.0
// Bad definitions: each is refused with a status and a message that names the thing and what is
// wrong with it, and leaves the description usable.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"

#include <holdfast/sim.h>
#include <holdfast/use_law.h>

// One member of a good definition, made bad.
typedef enum poke_kind { POKE_NUMBER, POKE_INT, POKE_NAME } poke_kind;

typedef struct poke {
    size_t offset;
    poke_kind kind;
    double value;
    const char *name;
    hf_status status;
    const char *fragment; // of the message
} poke;

#define BAD(type, member, value_, fragment_)                                                       \
    {                                                                                              \
        .offset = offsetof(type, member), .value = (value_), .status = HF_ERROR_RANGE,             \
        .fragment = (fragment_)                                                                    \
    }
#define BAD_INT(type, member, value_, status_, fragment_)                                          \
    {                                                                                              \
        .offset = offsetof(type, member), .kind = POKE_INT, .value = (value_),                     \
        .status = (status_), .fragment = (fragment_)                                               \
    }
#define BAD_NAME(type, name_, fragment_)                                                           \
    {                                                                                              \
        .offset = offsetof(type, name), .kind = POKE_NAME, .name = (name_),                        \
        .status = HF_ERROR_NAME, .fragment = (fragment_)                                           \
    }

static void apply(void *def, const poke *p)
{
    char *member = (char *)def + p->offset;
    switch (p->kind) {
    case POKE_NUMBER:
        memcpy(member, &p->value, sizeof(double));
        return;
    case POKE_INT:
        memcpy(member, &(int){(int)p->value}, sizeof(int));
        return;
    case POKE_NAME:
        memcpy(member, &p->name, sizeof p->name);
        return;
    }
}

static void check_refused(int id, const hf_error *error, hf_status status, const char *fragment)
{
    if (id != 0) {
        fail_msg("accepted, but should say '%s'", fragment);
    }
    if (error->status != status || strstr(error->text, fragment) == NULL) {
        fail_msg("got status %d, '%s'; want %d, '...%s...'", (int)error->status, error->text,
                 (int)status, fragment);
    }
}

// What all definitions below refer to.
typedef struct scene {
    hf_spec *spec;
    hf_error error;
    hf_body block, ball, hinge, socket;
    hf_tree arm, leg;
    hf_force spring;
} scene;

static scene open_scene(void)
{
    scene s = {.spec = hf_spec_create()};
    assert_non_null(s.spec);
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "block";
    mass.dim = 2;
    s.block = hf_spec_add_mass(s.spec, &mass, &s.error);
    hf_rigid_def rigid = hf_rigid_def_default();
    rigid.name = "ball";
    s.ball = hf_spec_add_rigid(s.spec, &rigid, &s.error);
    s.arm = hf_spec_add_tree(s.spec, "arm", &s.error);
    s.leg = hf_spec_add_tree(s.spec, "leg", &s.error);
    hf_joint_def joint = hf_joint_def_default(HF_JOINT_REVOLUTE);
    joint.name = "hinge";
    joint.mass = 1.0;
    joint.center.x = 1.0;
    s.hinge = hf_spec_add_joint(s.spec, s.arm, &joint, &s.error);
    joint = hf_joint_def_default(HF_JOINT_SPHERICAL);
    joint.name = "socket";
    joint.mass = 1.0;
    joint.inertia = (hf_sym3){1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    s.socket = hf_spec_add_joint(s.spec, s.arm, &joint, &s.error);
    hf_spring_def law = hf_spring_def_default();
    hf_force_def spring = hf_force_def_default();
    spring.name = "spring";
    spring.coupling.on_coordinate.body = s.block;
    hf_force_use_spring(&spring, &law);
    s.spring = hf_spec_add_force(s.spec, &spring, &s.error);
    assert_true(s.block.id && s.ball.id && s.hinge.id && s.socket.id && s.spring.id);
    return s;
}

// After all refusals the description still compiles, with nothing added.
static void close_scene(scene *s)
{
    hf_model *model = hf_model_compile(s->spec, &s->error);
    if (model == NULL) {
        fail_msg("%s", s->error.text);
    }
    hf_model_info info = hf_model_get_info(model);
    assert_int_equal(info.bodies, 4);
    assert_int_equal(info.forces, 1);
    assert_int_equal(info.signals, 0);
    hf_model_destroy(model);
    hf_spec_destroy(s->spec);
}

// ------------------------------------------------------------------------------------------------

static void names(void **state)
{
    (void)state;
    char longest[202];
    memset(longest, 'a', 201);
    longest[201] = '\0';
    const poke cases[] = {
        BAD_NAME(hf_mass_def, NULL, "a name is missing"),
        BAD_NAME(hf_mass_def, "", "a name is missing"),
        BAD_NAME(hf_mass_def, "a b", "names are letters"),
        BAD_NAME(hf_mass_def, "caf\xc3\xa9", "names are letters"),
        BAD_NAME(hf_mass_def, "new\nline", "names are letters"),
        BAD_NAME(hf_mass_def, ".a", "no dot at their ends"),
        BAD_NAME(hf_mass_def, "a.", "no dot at their ends"),
        BAD_NAME(hf_mass_def, longest, "1 to 200 letters"),
        BAD_NAME(hf_mass_def, "world", "'world' is reserved"),
        BAD_NAME(hf_mass_def, "energy", "'energy' is reserved"),
        BAD_NAME(hf_mass_def, "time", "'time' is reserved"),
        BAD_NAME(hf_mass_def, "block", "'block' is already taken"),
        BAD_NAME(hf_mass_def, "arm", "'arm' is already taken"),
        BAD_NAME(hf_mass_def, "arm.hinge", "'arm.hinge' is already taken"),
        BAD_NAME(hf_mass_def, "spring", "'spring' is already taken"),
    };
    scene s = open_scene();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_mass_def def = hf_mass_def_default();
        apply(&def, &cases[i]);
        check_refused(hf_spec_add_mass(s.spec, &def, &s.error).id, &s.error, cases[i].status,
                      cases[i].fragment);
    }
    check_refused(hf_spec_add_tree(s.spec, "block", &s.error).id, &s.error, HF_ERROR_NAME,
                  "already taken");
    check_refused(hf_spec_add_tree(s.spec, NULL, &s.error).id, &s.error, HF_ERROR_NAME, "missing");
    close_scene(&s);
}

static void masses(void **state)
{
    (void)state;
    const poke cases[] = {
        BAD(hf_mass_def, mass, 0.0, "mass 'x': mass must be positive, got 0"),
        BAD(hf_mass_def, mass, -1.0, "mass must be positive"),
        BAD(hf_mass_def, mass, NAN, "mass must be positive"),
        BAD(hf_mass_def, mass, INFINITY, "mass must be positive"),
        BAD(hf_mass_def, position[2], NAN, "position must be finite"),
        BAD(hf_mass_def, velocity[0], -INFINITY, "velocity must be finite"),
        BAD_INT(hf_mass_def, dim, 0, HF_ERROR_RANGE, "dim must be 1, 2 or 3, got 0"),
        BAD_INT(hf_mass_def, dim, 4, HF_ERROR_RANGE, "dim must be 1, 2 or 3"),
        BAD_INT(hf_mass_def, axes[0], 3, HF_ERROR_INPUT, "axes must be different"),
        BAD_INT(hf_mass_def, axes[1], 0, HF_ERROR_INPUT, "axes must be different"),
    };
    scene s = open_scene();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_mass_def def = hf_mass_def_default();
        def.name = "x";
        apply(&def, &cases[i]);
        check_refused(hf_spec_add_mass(s.spec, &def, &s.error).id, &s.error, cases[i].status,
                      cases[i].fragment);
    }
    close_scene(&s);
}

static void rigid_bodies(void **state)
{
    (void)state;
    const poke cases[] = {
        BAD(hf_rigid_def, mass, -2.0, "rigid body 'x': mass must be positive"),
        BAD(hf_rigid_def, inertia.xx, 0.0, "inertia must be positive definite"),
        BAD(hf_rigid_def, inertia.yz, 1.0, "inertia must be positive definite"),
        BAD(hf_rigid_def, inertia.zz, 0.05, "each principal moment at most the sum"),
        BAD(hf_rigid_def, inertia.xy, NAN, "inertia must be finite"),
        BAD(hf_rigid_def, position.y, INFINITY, "position must be finite"),
        BAD(hf_rigid_def, orientation.w, 2.0, "orientation must be a unit quaternion"),
        BAD(hf_rigid_def, orientation.w, 0.0, "orientation must be a unit quaternion"),
        BAD(hf_rigid_def, orientation.x, NAN, "orientation must be finite"),
        BAD(hf_rigid_def, velocity.z, NAN, "velocity must be finite"),
        BAD(hf_rigid_def, spin.x, NAN, "angular velocity must be finite"),
        BAD(hf_rigid_def, shape.size.x, -0.1, "size must be positive"),
    };
    scene s = open_scene();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_rigid_def def = hf_rigid_def_default();
        def.name = "x";
        apply(&def, &cases[i]);
        check_refused(hf_spec_add_rigid(s.spec, &def, &s.error).id, &s.error, cases[i].status,
                      cases[i].fragment);
    }
    close_scene(&s);
}

static void driven_bodies(void **state)
{
    (void)state;
    const poke cases[] = {
        BAD_INT(hf_driven_def, dim, -1, HF_ERROR_RANGE, "driven body 'x': dim must be"),
        BAD_INT(hf_driven_def, motion[0].signal.id, 5, HF_ERROR_INPUT, "motion: no such signal"),
        BAD_INT(hf_driven_def, rate[0].signal.id, -1, HF_ERROR_INPUT, "rate: no such signal"),
        BAD(hf_driven_def, motion[0].constant, NAN, "motion must be finite"),
        BAD(hf_driven_def, start[0], NAN, "start must be finite"),
    };
    scene s = open_scene();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_driven_def def = hf_driven_def_default();
        def.name = "x";
        apply(&def, &cases[i]);
        check_refused(hf_spec_add_driven(s.spec, &def, &s.error).id, &s.error, cases[i].status,
                      cases[i].fragment);
    }
    close_scene(&s);
}

static void joints(void **state)
{
    (void)state;
    const poke cases[] = {
        BAD_INT(hf_joint_def, type, 99, HF_ERROR_INPUT, "joint 'x': unknown type"),
        BAD_INT(hf_joint_def, parent.id, 1, HF_ERROR_INPUT, "parent is not in its tree"), // block
        BAD_INT(hf_joint_def, parent.id, -3, HF_ERROR_INPUT, "parent is not in its tree"),
        BAD_INT(hf_joint_def, parent.id, 99, HF_ERROR_INPUT, "parent is not in its tree"),
        BAD(hf_joint_def, offset.x, NAN, "offset must be finite"),
        BAD(hf_joint_def, tilt.w, 0.5, "orientation must be a unit quaternion"),
        BAD(hf_joint_def, axis.z, 0.0, "axis must not be zero"),
        BAD(hf_joint_def, axis.z, INFINITY, "axis must be finite"),
        BAD(hf_joint_def, mass, -1.0, "mass must not be negative"),
        BAD(hf_joint_def, center.y, NAN, "center must be finite"),
        BAD(hf_joint_def, inertia.xx, -1.0, "inertia must be positive definite"),
        BAD(hf_joint_def, armature, -1.0, "armature must not be negative"),
        BAD(hf_joint_def, position[0], NAN, "position must be finite"),
        BAD(hf_joint_def, velocity[0], INFINITY, "velocity must be finite"),
        BAD(hf_joint_def, shape_center.x, NAN, "shape center must be finite"),
        BAD_NAME(hf_joint_def, "a.b", "without dots"),
        BAD_NAME(hf_joint_def, NULL, "a name without dots is needed"),
        BAD_NAME(hf_joint_def, "hinge", "'arm.hinge' is already taken"),
    };
    scene s = open_scene();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_joint_def def = hf_joint_def_default(HF_JOINT_REVOLUTE);
        def.name = "x";
        apply(&def, &cases[i]);
        check_refused(hf_spec_add_joint(s.spec, s.arm, &def, &s.error).id, &s.error,
                      cases[i].status, cases[i].fragment);
    }
    hf_joint_def def = hf_joint_def_default(HF_JOINT_FREE);
    def.name = "x";
    def.position[3] = 0.0; // quaternion
    check_refused(hf_spec_add_joint(s.spec, s.arm, &def, &s.error).id, &s.error, HF_ERROR_RANGE,
                  "position must be a unit quaternion");
    def = hf_joint_def_default(HF_JOINT_FIXED);
    def.name = "x";
    def.armature = 0.1;
    check_refused(hf_spec_add_joint(s.spec, s.arm, &def, &s.error).id, &s.error, HF_ERROR_RANGE,
                  "a fixed joint has none");
    def = hf_joint_def_default(HF_JOINT_REVOLUTE);
    def.name = "x";
    def.parent = s.hinge; // of another tree
    check_refused(hf_spec_add_joint(s.spec, s.leg, &def, &s.error).id, &s.error, HF_ERROR_INPUT,
                  "parent is not in its tree");
    check_refused(hf_spec_add_joint(s.spec, (hf_tree){9}, &def, &s.error).id, &s.error,
                  HF_ERROR_INPUT, "no such tree");
    close_scene(&s);
}

// A joint that moves nothing is found when the machine is compiled.
static void weightless_joint(void **state)
{
    (void)state;
    hf_error error = {0};
    static const hf_joint_type types[] = {HF_JOINT_REVOLUTE, HF_JOINT_PRISMATIC, HF_JOINT_SPHERICAL,
                                          HF_JOINT_PLANAR, HF_JOINT_FREE};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        hf_spec *spec = hf_spec_create();
        hf_tree arm = hf_spec_add_tree(spec, "arm", &error);
        hf_joint_def def = hf_joint_def_default(types[i]);
        def.name = "ghost";
        assert_true(hf_spec_add_joint(spec, arm, &def, &error).id != 0);
        hf_model *model = hf_model_compile(spec, &error);
        check_refused(model != NULL, &error, HF_ERROR_RANGE, "joint 'arm.ghost': it has nothing");
        hf_spec_destroy(spec);
    }
}

// ------------------------------------------------------------------------------------------------

static hf_force_def good_force(const scene *s, hf_coupling_type type, const void *law)
{
    hf_force_def def = hf_force_def_default();
    def.name = "x";
    def.coupling = hf_coupling_def_default(type);
    def.coupling.on_coordinate.body = s->block;
    def.coupling.on_frame.body = s->ball;
    def.def = law;
    return def;
}

static void couplings(void **state)
{
    (void)state;
    scene s = open_scene();
    const poke coordinate[] = {
        BAD_INT(hf_force_def, coupling.type, 77, HF_ERROR_INPUT, "unknown coupling"),
        BAD_INT(hf_force_def, coupling.on_coordinate.body.id, 0, HF_ERROR_INPUT, "no such body"),
        BAD_INT(hf_force_def, coupling.on_coordinate.body.id, 99, HF_ERROR_INPUT, "no such body"),
        BAD_INT(hf_force_def, coupling.on_coordinate.axis, 2, HF_ERROR_INPUT,
                "'block' has 2 coordinates"),
        BAD_INT(hf_force_def, coupling.on_coordinate.axis, -1, HF_ERROR_INPUT, "coordinates"),
        BAD_INT(hf_force_def, coupling.dim, 3, HF_ERROR_INPUT, "'block' has 2 coordinates"),
        BAD_INT(hf_force_def, coupling.dim, 0, HF_ERROR_INPUT, "coordinates"),
        BAD_INT(hf_force_def, coupling.on_coordinate.body.id, s.ball.id, HF_ERROR_INPUT,
                "'ball' has 0 coordinates"),
        BAD_INT(hf_force_def, coupling.on_coordinate.body.id, s.socket.id, HF_ERROR_UNSUPPORTED,
                "use a spin coupling"),
        BAD_INT(hf_force_def, coupling.to_coordinate.body.id, s.block.id, HF_ERROR_INPUT,
                "two different coordinates"),
        BAD_INT(hf_force_def, coupling.to_coordinate.body.id, 99, HF_ERROR_INPUT, "'to'"),
    };
    const poke space[] = {
        BAD_INT(hf_force_def, coupling.on_frame.body.id, 0, HF_ERROR_INPUT, "different bodies"),
        BAD_INT(hf_force_def, coupling.to_frame.body.id, s.ball.id, HF_ERROR_INPUT,
                "different bodies"),
        BAD_INT(hf_force_def, coupling.to_frame.body.id, -2, HF_ERROR_INPUT, "no such body"),
        BAD(hf_force_def, coupling.on_frame.point.x, NAN, "point must be finite"),
        BAD(hf_force_def, coupling.to_frame.turn.w, 3.0, "frame must be a unit quaternion"),
    };
    hf_spring_def spring = hf_spring_def_default();
    for (size_t i = 0; i < sizeof coordinate / sizeof coordinate[0]; ++i) {
        hf_force_def def = good_force(&s, HF_COUPLING_COORDINATE, &spring);
        apply(&def, &coordinate[i]);
        check_refused(hf_spec_add_force(s.spec, &def, &s.error).id, &s.error, coordinate[i].status,
                      coordinate[i].fragment);
    }
    for (size_t i = 0; i < sizeof space / sizeof space[0]; ++i) {
        hf_force_def def = good_force(&s, HF_COUPLING_POINTS, &spring);
        apply(&def, &space[i]);
        check_refused(hf_spec_add_force(s.spec, &def, &s.error).id, &s.error, space[i].status,
                      space[i].fragment);
    }
    close_scene(&s);
}

// Laws where they do not belong, and laws with bad numbers.
static void forces(void **state)
{
    (void)state;
    scene s = open_scene();
    hf_spring_def spring = hf_spring_def_default();
    hf_contact_def contact = hf_contact_def_default();
    hf_joint_law_def joint = hf_joint_law_def_default();
    hf_stiction_def stiction = hf_stiction_def_default(), sloped = stiction, soft = stiction;
    sloped.level.peak[0] = 0.2;
    soft.stiffness = 0.0;
    const struct {
        hf_law_type law;
        const void *def;
        hf_coupling_type coupling;
        hf_body on;
        hf_status status;
        const char *fragment;
    } cases[] = {
        {HF_LAW_CONTACT, &contact, HF_COUPLING_POINTS, s.ball, HF_ERROR_UNSUPPORTED,
         "law 'contact' does not go on"},
        {HF_LAW_SPRING, &spring, HF_COUPLING_PLANE, s.ball, HF_ERROR_UNSUPPORTED, "on a plane"},
        {HF_LAW_JOINT, &joint, HF_COUPLING_POINTS, s.ball, HF_ERROR_UNSUPPORTED, "dimension 3"},
        {HF_LAW_STICTION, &stiction, HF_COUPLING_FRAMES, s.ball, HF_ERROR_UNSUPPORTED,
         "dimension 6"},
        {HF_LAW_SPRING, &spring, HF_COUPLING_SPIN, s.ball, HF_ERROR_UNSUPPORTED,
         "needs a displacement"},
        {HF_LAW_FORCE, NULL, HF_COUPLING_SPIN, s.block, HF_ERROR_UNSUPPORTED, "that can turn"},
        {HF_LAW_FORCE, NULL, HF_COUPLING_FRAMES, s.block, HF_ERROR_UNSUPPORTED, "that can turn"},
        {HF_LAW_SPRING, NULL, HF_COUPLING_POINTS, s.ball, HF_ERROR_INPUT, "definition is missing"},
        {(hf_law_type)777, &spring, HF_COUPLING_POINTS, s.ball, HF_ERROR_INPUT, "unknown law"},
        {HF_LAW_STICTION, &sloped, HF_COUPLING_POINTS, s.ball, HF_ERROR_RANGE, "below kinetic"},
        {HF_LAW_STICTION, &soft, HF_COUPLING_POINTS, s.ball, HF_ERROR_RANGE, "stiffness"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_force_def def = good_force(&s, cases[i].coupling, cases[i].def);
        def.coupling.on_frame.body = cases[i].on;
        def.law = cases[i].law;
        check_refused(hf_spec_add_force(s.spec, &def, &s.error).id, &s.error, cases[i].status,
                      cases[i].fragment);
    }
    const poke members[] = {
        BAD_INT(hf_force_def, normal.force.id, 7, HF_ERROR_INPUT, "normal: no such force"),
        BAD_INT(hf_force_def, normal.value.signal.id, 7, HF_ERROR_INPUT, "normal: no such signal"),
        BAD(hf_force_def, normal.value.constant, -1.0, "normal must not be negative"),
        BAD(hf_force_def, normal.value.constant, NAN, "normal must be finite"),
        BAD(hf_force_def, coupling.radius, -1.0, "radius must not be negative"),
        BAD_NAME(hf_force_def, "block", "already taken"),
        BAD_NAME(hf_force_def, NULL, "a name is missing"),
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        hf_force_def def = good_force(&s, HF_COUPLING_POINTS, &stiction);
        def.law = HF_LAW_STICTION;
        apply(&def, &members[i]);
        check_refused(hf_spec_add_force(s.spec, &def, &s.error).id, &s.error, members[i].status,
                      members[i].fragment);
    }
    hf_force_def push = good_force(&s, HF_COUPLING_POINTS, NULL);
    push.law = HF_LAW_FORCE;
    push.values[2].constant = NAN;
    check_refused(hf_spec_add_force(s.spec, &push, &s.error).id, &s.error, HF_ERROR_RANGE,
                  "value must be finite");
    close_scene(&s);
}

static void signals(void **state)
{
    (void)state;
    static const double falling[] = {0.0, 2.0, 1.0}, same[] = {0.0, 1.0, 1.0},
                        good[] = {0.0, 1.0, 2.0}, broken[] = {0.0, NAN, 2.0};
    const struct {
        hf_signal_def def;
        const char *fragment;
    } cases[] = {
        {{.type = HF_SIGNAL_CONSTANT, .value = NAN}, "value must be finite"},
        {{.type = HF_SIGNAL_INPUT, .value = INFINITY}, "value must be finite"},
        {{.type = HF_SIGNAL_TABLE}, "as many values as times, and at least one"},
        {{.type = HF_SIGNAL_TABLE, .times = {good, 3}, .values = {good, 2}},
         "3 times and 2 values"},
        {{.type = HF_SIGNAL_TABLE, .times = {NULL, 3}, .values = {good, 3}}, "as many values"},
        {{.type = HF_SIGNAL_TABLE, .times = {falling, 3}, .values = {good, 3}}, "times must rise"},
        {{.type = HF_SIGNAL_TABLE, .times = {same, 3}, .values = {good, 3}}, "times must rise"},
        {{.type = HF_SIGNAL_TABLE, .times = {broken, 3}, .values = {good, 3}}, "must be finite"},
        {{.type = HF_SIGNAL_TABLE, .times = {good, 3}, .values = {broken, 3}}, "must be finite"},
        {{.type = HF_SIGNAL_FUNCTION}, "function is missing"},
        {{.type = (hf_signal_type)9}, "unknown type"},
    };
    scene s = open_scene();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_signal_def def = cases[i].def;
        def.name = "x";
        int id = hf_spec_add_signal(s.spec, &def, &s.error).id;
        check_refused(id, &s.error, s.error.status, cases[i].fragment);
        assert_true(s.error.status == HF_ERROR_INPUT || s.error.status == HF_ERROR_RANGE);
        assert_non_null(strstr(s.error.text, "signal 'x'"));
    }
    close_scene(&s);
}

static void settings(void **state)
{
    (void)state;
    hf_error error = {0};
    scene s = open_scene();
    static const double steps[] = {0.0, -1e-3, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(
            hf_spec_set_method(s.spec, (hf_method_def){.type = HF_METHOD_RK4, .step = steps[i]},
                               &error),
            HF_ERROR_RANGE);
        assert_non_null(strstr(error.text, "step must be positive"));
    }
    assert_int_equal(hf_spec_set_method(
                         s.spec, (hf_method_def){.type = (hf_method_type)50, .step = 1.0}, &error),
                     HF_ERROR_INPUT);
    assert_int_equal(hf_spec_set_duration(s.spec, -1.0, &error), HF_ERROR_RANGE);
    assert_int_equal(hf_spec_set_duration(s.spec, NAN, &error), HF_ERROR_RANGE);
    assert_int_equal(hf_spec_set_gravity(s.spec, (hf_vec3){0.0, NAN, 0.0}, &error), HF_ERROR_RANGE);
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        assert_int_equal(hf_method_find(hf_method_name((hf_method_type)i)), i);
    }
    assert_int_equal(hf_method_find("rk5"), HF_METHOD_COUNT);
    assert_null(hf_method_name(HF_METHOD_COUNT));
    close_scene(&s);
}

// A method whose library is not linked, as none is here.
static void libraries(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "block";
    assert_true(hf_spec_add_mass(spec, &mass, &error).id > 0);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    assert_non_null(model);
    static const struct {
        hf_method_type method;
        const char *library, *function;
    } others[] = {{HF_METHOD_ADAPTIVE, "library holdfast-adaptive", "hf_adaptive_methods()"},
                  {HF_METHOD_SWITCH, "library holdfast-adaptive", "hf_adaptive_methods()"},
                  {HF_METHOD_TIMESTEP, "library holdfast-contact", "hf_contact_methods()"},
                  {HF_METHOD_NLP, "library holdfast-nlp", "hf_nlp_methods()"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        hf_sim_def def = hf_sim_def_default(model);
        def.method = (hf_method_def){.type = others[i].method, .step = 1e-3};
        assert_null(hf_sim_create(model, &def, &error));
        assert_int_equal(error.status, HF_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, others[i].library));
        assert_non_null(strstr(error.text, others[i].function));
    }
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),        cmocka_unit_test(masses),
        cmocka_unit_test(rigid_bodies), cmocka_unit_test(driven_bodies),
        cmocka_unit_test(joints),       cmocka_unit_test(weightless_joint),
        cmocka_unit_test(couplings),    cmocka_unit_test(forces),
        cmocka_unit_test(signals),      cmocka_unit_test(settings),
        cmocka_unit_test(libraries),
    };
    return hf_run_tests(tests);
}
