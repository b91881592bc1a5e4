// SPDX-License-Identifier: Apache-2.0
// Every key of a model file, read back from the description it became.
#define _POSIX_C_SOURCE 200809L
#include "models_test.h"

#include <locale.h>
#include <math.h>

static const hf_signal_def *signal_of(const hf_spec *spec, const char *name)
{
    hf_signal signal = hf_spec_find_signal(spec, name);
    if (signal.id == 0) {
        fail_msg("no signal '%s'", name);
    }
    return &spec->signals[signal.id - 1].def;
}

static void check_vec3(hf_vec3 got, double x, double y, double z, const char *what)
{
    hf_check_near_array(NUMBERS(got.x, got.y, got.z), NUMBERS(x, y, z), 3, 1e-15, what, "the file");
}

static void check_quat(hf_quat got, double w, double x, double y, double z, const char *what)
{
    hf_check_near_array(NUMBERS(got.w, got.x, got.y, got.z), NUMBERS(w, x, y, z), 4, 1e-15, what,
                        "the file");
}

static void settings(void **state)
{
    (void)state;
    hf_spec *spec = parse_good("# a comment\n"
                               "name: the machine\n"
                               "description: |\n"
                               "  free text,\n"
                               "  two lines\n"
                               "gravity: [1, -2, 3.5e-1]\n"
                               "method: {type: semi-implicit-euler, step: 2e-4}\n"
                               "duration: 12.5\n"
                               "bodies: {a: {type: mass, mass: 1}}\n"
                               "record: [a.position, a.velocity.x, energy.residual]\n");
    assert_string_equal(spec->name, "the machine");
    check_vec3(spec->gravity, 1, -2, 0.35, "gravity");
    assert_int_equal(spec->method.type, HF_METHOD_SEMI_IMPLICIT_EULER);
    hf_check_near(spec->method.step, 2e-4, 0, "step", "the file");
    hf_check_near(spec->duration, 12.5, 0, "duration", "the file");
    assert_int_equal(spec->record_count, 3);
    assert_string_equal(spec->records[1], "a.velocity.x");
    assert_non_null(strstr(spec->text, "# a comment"));
    assert_non_null(strstr(spec->text, "two lines"));
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    assert_int_equal(hf_model_record_count(model), 5);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

static void settings_by_default(void **state)
{
    (void)state;
    hf_spec *spec = parse_good("bodies: {a: {type: mass, mass: 1}}\n");
    hf_method_def method = hf_method_def_default();
    assert_string_equal(spec->name, "model"); // the file's name
    assert_int_equal(spec->method.type, method.type);
    hf_check_near(spec->method.step, method.step, 0, "step", "the default");
    hf_check_near(spec->duration, 1, 0, "duration", "the default");
    check_vec3(spec->gravity, 0, 0, 0, "gravity");
    hf_spec_destroy(spec);
}

static void masses(void **state)
{
    (void)state;
    hf_spec *spec =
        parse_good("bodies:\n"
                   "  one: {type: mass, dim: 1, mass: 2, position: 3, velocity: -4}\n"
                   "  up: {type: mass, axes: z, mass: 1, position: [5]}\n"
                   "  flat: {type: mass, axes: xz, mass: 0.5, position: [1, 2], velocity: [3, 4]}\n"
                   "  space: {type: mass, mass: 1e-3, position: [1, 2, 3]}\n");
    const hf_mass_def *one = body_of(spec, "one")->def, *flat = body_of(spec, "flat")->def;
    assert_int_equal(one->dim, 1);
    assert_int_equal(one->axes[0], 0);
    hf_check_near(one->mass, 2, 0, "mass", "the file");
    hf_check_near(one->position[0], 3, 0, "position", "the file");
    hf_check_near(one->velocity[0], -4, 0, "velocity", "the file");
    assert_int_equal(((const hf_mass_def *)body_of(spec, "up")->def)->axes[0], 2);
    hf_check_near(((const hf_mass_def *)body_of(spec, "up")->def)->position[0], 5, 0, "position",
                  "the file");
    assert_int_equal(flat->dim, 2);
    assert_int_equal(flat->axes[0], 0);
    assert_int_equal(flat->axes[1], 2);
    hf_check_near_array(flat->position, NUMBERS(1, 2), 2, 0, "position", "the file");
    hf_check_near_array(flat->velocity, NUMBERS(3, 4), 2, 0, "velocity", "the file");
    assert_int_equal(((const hf_mass_def *)body_of(spec, "space")->def)->dim, 3);
    hf_spec_destroy(spec);
}

static void rigid_bodies(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "bodies:\n"
        "  a: {type: rigid, mass: 2, inertia: [3, 4, 5], position: [1, 2, 3],\n"
        "      orientation: [0, 3, 0, 4], velocity: [4, 5, 6], angular_velocity: [7, 8, 9]}\n"
        "  b: {type: rigid, mass: 1, inertia: [3, 4, 5, 0.1, 0.2, 0.3],\n"
        "      orientation: {axis: [0, 0, 2], angle: 1}}\n"
        "  c: {type: rigid, mass: 1, inertia: {zz: 5, yy: 4, xx: 3, xz: 0.2}}\n"
        "  ball: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.5}}\n"
        "  crate: {type: rigid, mass: 12, shape: {type: box, size: [1, 2, 3]}}\n");
    const hf_rigid_def *a = body_of(spec, "a")->def, *b = body_of(spec, "b")->def;
    hf_check_near(a->mass, 2, 0, "mass", "the file");
    check_vec3(a->position, 1, 2, 3, "position");
    check_quat(a->orientation, 0, 0.6, 0, 0.8, "orientation");
    check_vec3(a->velocity, 4, 5, 6, "velocity");
    check_vec3(a->spin, 7, 8, 9, "angular velocity");
    assert_int_equal(a->shape.type, HF_SHAPE_POINT);
    hf_check_near_array(&b->inertia.xx, NUMBERS(3, 4, 5, 0.1, 0.2, 0.3), 6, 0, "inertia",
                        "the file");
    check_quat(b->orientation, cos(0.5), 0, 0, sin(0.5), "orientation");
    hf_check_near_array(&((const hf_rigid_def *)body_of(spec, "c")->def)->inertia.xx,
                        NUMBERS(3, 4, 5, 0, 0.2, 0), 6, 0, "inertia", "the file");
    const hf_rigid_def *ball = body_of(spec, "ball")->def;
    assert_int_equal(ball->shape.type, HF_SHAPE_SPHERE);
    hf_check_near(ball->inertia.yy, 0.4 * 2 * 0.25, 1e-15, "inertia of a sphere", "2/5 m r^2");
    const hf_rigid_def *crate = body_of(spec, "crate")->def;
    assert_int_equal(crate->shape.type, HF_SHAPE_BOX);
    check_vec3(crate->shape.size, 1, 2, 3, "size");
    hf_check_near(crate->inertia.xx, 13, 1e-14, "inertia of a box", "m (y^2 + z^2)/12");
    hf_spec_destroy(spec);
}

static void driven_bodies(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "signals: {go: 3*t}\n"
        "bodies:\n"
        "  belt: {type: driven, velocity: 2, start: -1}\n"
        "  hand: {type: driven, axes: xy, position: [go, 'sin(t)'], rate: [3, 'cos(t)']}\n");
    const hf_driven_def *belt = body_of(spec, "belt")->def, *hand = body_of(spec, "hand")->def;
    assert_true(belt->by_velocity);
    assert_int_equal(belt->dim, 1);
    hf_check_near(belt->motion[0].constant, 2, 0, "velocity", "the file");
    hf_check_near(belt->start[0], -1, 0, "start", "the file");
    assert_false(hand->by_velocity);
    assert_true(hand->has_rate);
    assert_int_equal(hand->dim, 2);
    assert_int_equal(hand->motion[0].signal.id, hf_spec_find_signal(spec, "go").id);
    assert_int_equal(hand->motion[1].signal.id, hf_spec_find_signal(spec, "hand.motion.y").id);
    hf_check_near(hand->rate[0].constant, 3, 0, "rate", "the file");
    assert_int_equal(hand->rate[1].signal.id, hf_spec_find_signal(spec, "hand.motion-rate.y").id);
    hf_spec_destroy(spec);
}

// Without dim and axes a body has as many coordinates as its position or velocity.
static void dimensions_follow_from_lists(void **state)
{
    (void)state;
    hf_spec *spec = parse_good("bodies:\n"
                               "  table: {type: driven, position: [0, 0, 't']}\n"
                               "  puck: {type: mass, mass: 1, velocity: [1, 2]}\n"
                               "  block: {type: mass, mass: 1, position: 0.5}\n");
    assert_int_equal(((const hf_driven_def *)body_of(spec, "table")->def)->dim, 3);
    assert_int_equal(((const hf_mass_def *)body_of(spec, "puck")->def)->dim, 2);
    assert_int_equal(((const hf_mass_def *)body_of(spec, "block")->def)->dim, 1);
    hf_spec_destroy(spec);
}

static void followers_and_drawings(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "bodies:\n"
        "  echo: {type: driven, axes: xy, follow: puck, draw: {type: none}}\n"
        "  puck: {type: mass, axes: xy, mass: 1, draw: {color: '#D0a010'}}\n"
        "  can: {type: rigid, mass: 1, inertia: [1, 1, 1], draw: {type: capsule, radius: 0.1,\n"
        "        length: 0.3, center: [1, 2, 3], orientation: {axis: [0, 0, 1], angle: 0}}}\n");
    hf_error error;
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    hf_body_info puck = hf_model_body_info(model, hf_model_find_body(model, "puck"));
    assert_int_equal(puck.draw.type, HF_DRAW_AUTO);
    assert_int_equal(puck.draw.color, 0xd0a010);
    hf_body_info echo = hf_model_body_info(model, hf_model_find_body(model, "echo"));
    assert_int_equal(echo.draw.type, HF_DRAW_NONE);
    assert_int_equal(echo.draw.color, -1);
    hf_body_info can = hf_model_body_info(model, hf_model_find_body(model, "can"));
    assert_int_equal(can.draw.type, HF_DRAW_CAPSULE);
    check_vec3(can.draw.center, 1, 2, 3, "center");
    hf_check_near(can.draw.size.x, 0.1, 0, "radius", "the file");
    hf_check_near(can.draw.size.z, 0.3, 0, "length", "the file");
    int leader = hf_spec_find_body(spec, "puck").id;
    const hf_spec_body *follower = &spec->bodies[hf_spec_find_body(spec, "echo").id - 1];
    assert_int_equal(((const hf_driven_def *)follower->def)->follow.body.id, leader);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

static void trees(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n" // children stand before their parents
        "      tip: {type: fixed, parent: hand, offset: [0, 0, 1], mass: 0.1}\n"
        "      hand: {type: spherical, parent: elbow, mass: 1, inertia: [1, 1, 1],\n"
        "             position: {axis: [1, 0, 0], angle: 1}, velocity: [1, 2, 3]}\n"
        "      elbow: {type: prismatic, parent: shoulder, offset: [1, 2, 3], axis: [0, 2, 0],\n"
        "              orientation: {axis: [0, 0, 1], angle: 2}, mass: 3, center: [4, 5, 6],\n"
        "              inertia: [1, 1, 1, 0, 0, 0.5], armature: 7, position: 8, velocity: 9}\n"
        "      shoulder: {type: revolute, mass: 2, shape: {type: box, size: [1, 1, 2]},\n"
        "                 center: [0, 0, 1]}\n"
        "      cart: {type: planar, parent: world, mass: 1, inertia: [1, 1, 1],\n"
        "             position: [1, 2, 0.5], shape: {type: sphere, radius: 2},\n"
        "             shape_center: [0, 1, 0]}\n"
        "      bird: {type: free, mass: 1, inertia: [1, 1, 1], position: [1, 2, 3],\n"
        "             velocity: [1, 2, 3, 4, 5, 6]}\n"
        "      kite: {type: free, mass: 1, inertia: [1, 1, 1], position: [1, 2, 3, 0, 0, 2, 0]}\n");
    const hf_joint_def *elbow = body_of(spec, "arm.elbow")->def;
    assert_int_equal(elbow->type, HF_JOINT_PRISMATIC);
    assert_int_equal(elbow->parent.id, hf_spec_find_body(spec, "arm.shoulder").id);
    check_vec3(elbow->offset, 1, 2, 3, "offset");
    check_vec3(elbow->axis, 0, 2, 0, "axis");
    check_quat(elbow->tilt, cos(1), 0, 0, sin(1), "orientation");
    hf_check_near(elbow->mass, 3, 0, "mass", "the file");
    check_vec3(elbow->center, 4, 5, 6, "center");
    hf_check_near(elbow->inertia.yz, 0.5, 0, "inertia", "the file");
    hf_check_near(elbow->armature, 7, 0, "armature", "the file");
    hf_check_near(elbow->position[0], 8, 0, "position", "the file");
    hf_check_near(elbow->velocity[0], 9, 0, "velocity", "the file");
    const hf_joint_def *shoulder = body_of(spec, "arm.shoulder")->def;
    assert_int_equal(shoulder->parent.id, 0);
    check_vec3(shoulder->axis, 0, 0, 1, "axis by default");
    hf_check_near(shoulder->inertia.xx, 2 * 5.0 / 12, 1e-15, "inertia from the shape", "box");
    check_vec3(shoulder->shape_center, 0, 0, 1, "shape center by default");
    const hf_joint_def *hand = body_of(spec, "arm.hand")->def;
    hf_check_near_array(hand->position, NUMBERS(cos(0.5), sin(0.5), 0, 0), 4, 1e-15, "position",
                        "axis and angle");
    hf_check_near_array(hand->velocity, NUMBERS(1, 2, 3), 3, 0, "velocity", "the file");
    assert_int_equal(((const hf_joint_def *)body_of(spec, "arm.tip")->def)->type, HF_JOINT_FIXED);
    const hf_joint_def *cart = body_of(spec, "arm.cart")->def;
    hf_check_near_array(cart->position, NUMBERS(1, 2, 0.5), 3, 0, "position", "the file");
    check_vec3(cart->shape_center, 0, 1, 0, "shape center");
    const hf_joint_def *bird = body_of(spec, "arm.bird")->def;
    hf_check_near_array(bird->position, NUMBERS(1, 2, 3, 1, 0, 0, 0), 7, 0, "position", "the file");
    hf_check_near_array(bird->velocity, NUMBERS(1, 2, 3, 4, 5, 6), 6, 0, "velocity", "the file");
    hf_check_near_array(((const hf_joint_def *)body_of(spec, "arm.kite")->def)->position,
                        NUMBERS(1, 2, 3, 0, 0, 1, 0), 7, 0, "position", "normalized");
    hf_spec_destroy(spec);
}

static void signals(void **state)
{
    (void)state;
    hf_spec *spec =
        parse_good("bodies: {a: {type: mass, mass: 1}}\n"
                   "signals:\n"
                   "  constant: -2.5\n"
                   "  plain: 3*(t < 2)\n"
                   "  quoted: \"4 > t\"\n"
                   "  folded: >\n"
                   "    t < 1 ?\n"
                   "    2 : 3\n"
                   "  listed: {expression: \"t < 2 ? floor(t) : 9\", jumps: [0.5, 1, 2]}\n"
                   "  motor: {input: 0.25}\n");
    assert_int_equal(signal_of(spec, "constant")->type, HF_SIGNAL_CONSTANT);
    hf_check_near(signal_of(spec, "constant")->value, -2.5, 0, "constant", "the file");
    assert_int_equal(signal_of(spec, "plain")->type, HF_SIGNAL_FUNCTION);
    assert_int_equal(signal_of(spec, "plain")->jumps.count, 1);
    hf_check_near(signal_of(spec, "quoted")->jumps.values[0], 4, 0, "jump", "the expression");
    hf_check_near(signal_of(spec, "folded")->jumps.values[0], 1, 0, "jump", "the expression");
    const hf_list *jumps = &signal_of(spec, "listed")->jumps;
    assert_int_equal(jumps->count, 3);
    hf_check_near_array(jumps->values, NUMBERS(0.5, 1, 2), 3, 0, "jumps", "merged");
    assert_int_equal(signal_of(spec, "motor")->type, HF_SIGNAL_INPUT);
    hf_check_near(signal_of(spec, "motor")->value, 0.25, 0, "input", "the file");
    hf_spec_destroy(spec);
}

static void springs_and_places(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "bodies:\n"
        "  one: {type: mass, dim: 1, mass: 1}\n"
        "  flat: {type: mass, axes: xz, mass: 1}\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 1}}\n"
        "  arm: {type: tree, joints: {hinge: {type: revolute, mass: 1, center: [1, 0, 0]},\n"
        "        cart: {type: planar, mass: 1, inertia: [1, 1, 1]}}}\n"
        "signals: {pull: t}\n"
        "forces:\n"
        "  - {name: a, on: one, type: spring, stiffness: 5, damping: 6, rest: 7}\n"
        "  - {name: b, on: flat.z, to: one, type: spring, stiffness: 9}\n"
        "  - {name: c, on: flat, to: [pull, 2], type: spring, stiffness: 9}\n"
        "  - {name: d, on: arm.hinge, to: '2*t', type: spring, stiffness: 9}\n"
        "  - {name: e, on: arm.cart.angle, to: arm.hinge, type: spring, stiffness: 9}\n"
        "  - {name: f, on: ball, point: [1, 0, 0], to: arm.hinge, to_point: [0, 1, 0], type: "
        "spring, stiffness: 9}\n"
        "  - {name: g, type: spring, stiffness: 9, on: ball, coupling: distance}\n"
        "  - {name: h, on: ball, to: [1, pull, 't^2'], type: spring, stiffness: 9}\n"
        "  - {name: i, on: one, to: world, type: spring, stiffness: 9}\n");
    const hf_spring_def *a = force_of(spec, "a")->def;
    hf_check_near_array(&a->stiffness, NUMBERS(5, 6, 7), 3, 0, "spring", "the file");
    assert_int_equal(force_of(spec, "a")->coupling.to_coordinate.body.id, 0);
    const hf_coupling_def *b = &force_of(spec, "b")->coupling;
    assert_int_equal(b->dim, 1);
    assert_int_equal(b->on_coordinate.axis, 1);
    assert_int_equal(b->to_coordinate.body.id, hf_spec_find_body(spec, "one").id);
    const hf_coupling_def *c = &force_of(spec, "c")->coupling;
    const hf_driven_def *target = body_of(spec, "c.target")->def;
    assert_int_equal(c->dim, 2);
    assert_int_equal(c->to_coordinate.body.id, hf_spec_find_body(spec, "c.target").id);
    assert_int_equal(target->axes[1], 2);
    assert_int_equal(target->motion[0].signal.id, hf_spec_find_signal(spec, "pull").id);
    hf_check_near(target->motion[1].constant, 2, 0, "target", "the file");
    assert_int_equal(((const hf_driven_def *)body_of(spec, "d.target")->def)->motion[0].signal.id,
                     hf_spec_find_signal(spec, "d.target.motion").id);
    const hf_coupling_def *e = &force_of(spec, "e")->coupling;
    assert_int_equal(e->type, HF_COUPLING_COORDINATE);
    assert_int_equal(e->on_coordinate.axis, 2);
    const hf_coupling_def *f = &force_of(spec, "f")->coupling;
    assert_int_equal(f->type, HF_COUPLING_POINTS);
    check_vec3(f->on_frame.point, 1, 0, 0, "point");
    check_vec3(f->to_frame.point, 0, 1, 0, "to_point");
    assert_int_equal(f->to_frame.body.id, hf_spec_find_body(spec, "arm.hinge").id);
    assert_int_equal(force_of(spec, "g")->coupling.type, HF_COUPLING_DISTANCE);
    assert_int_equal(force_of(spec, "h")->coupling.to_frame.body.id,
                     hf_spec_find_body(spec, "h.target").id);
    assert_int_equal(force_of(spec, "i")->coupling.to_coordinate.body.id, 0);
    hf_spec_destroy(spec);
}

// Some of a body's coordinates, which must be neighbours in their order.
static void neighbouring_coordinates(void **state)
{
    (void)state;
    static const char head[] =
        "bodies:\n"
        "  block: {type: mass, mass: 1}\n"
        "  flat: {type: mass, axes: xz, mass: 1}\n"
        "  cart: {type: tree, joints: {base: {type: planar, mass: 1, inertia: [1, 1, 1]}}}\n"
        "forces:\n";
    static const char *const bad[] = {"block.yx", "block.xz",     "block.xyzz",
                                      "flat.xy",  "cart.base.xz", "block."};
    char text[600];
    (void)snprintf(text, sizeof text, "%s%s", head,
                   "  - {name: a, on: block.yz, type: spring, stiffness: 9}\n"
                   "  - {name: b, on: flat.xz, to: block.xy, type: spring, stiffness: 9}\n"
                   "  - {name: c, on: cart.base.xy, to: [1, 2], type: spring, stiffness: 9}\n");
    hf_spec *spec = parse_good(text);
    const hf_coupling_def *a = &force_of(spec, "a")->coupling;
    assert_int_equal(a->dim, 2);
    assert_int_equal(a->on_coordinate.axis, 1);
    const hf_coupling_def *b = &force_of(spec, "b")->coupling;
    assert_int_equal(b->dim, 2);
    assert_int_equal(b->to_coordinate.axis, 0);
    assert_int_equal(force_of(spec, "c")->coupling.dim, 2);
    assert_int_equal(((const hf_driven_def *)body_of(spec, "c.target")->def)->dim, 2);
    hf_spec_destroy(spec);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        (void)snprintf(text, sizeof text, "%s  - {name: a, on: %s, type: spring}\n", head, bad[i]);
        expect_error(text, "has no coordinate");
    }
    (void)snprintf(text, sizeof text, "%s%s", head,
                   "  - {name: a, on: block.xy, to: flat.x, type: spring, stiffness: 9}\n");
    expect_error(text, "to has 1 coordinates, but on has 2");
}

static void prescribed_forces(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "bodies:\n"
        "  one: {type: mass, dim: 1, mass: 1}\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 1}}\n"
        "  arm: {type: tree, joints: {hinge: {type: revolute, mass: 1, center: [1, 0, 0]}}}\n"
        "signals: {pull: t}\n"
        "forces:\n"
        "  - {name: a, on: one, type: force, value: 3}\n"
        "  - {name: b, on: ball, type: force, value: [pull, 0, '2*t'], point: [0, 0, 1]}\n"
        "  - {name: c, on: ball, type: torque, value: [1, 2, 3]}\n"
        "  - {name: d, on: arm.hinge, type: torque, value: pull}\n"
        "  - {name: e, on: arm.hinge, type: force, value: [0, 0, 1], point: [1, 0, 0]}\n");
    assert_int_equal(force_of(spec, "a")->law, HF_LAW_FORCE);
    hf_check_near(force_of(spec, "a")->values[0].constant, 3, 0, "value", "the file");
    const hf_force_def *b = force_of(spec, "b");
    assert_int_equal(b->coupling.type, HF_COUPLING_POINTS);
    assert_int_equal(b->values[0].signal.id, hf_spec_find_signal(spec, "pull").id);
    assert_int_equal(b->values[2].signal.id, hf_spec_find_signal(spec, "b.value.z").id);
    assert_int_equal(force_of(spec, "c")->coupling.type, HF_COUPLING_SPIN);
    hf_check_near(force_of(spec, "c")->values[2].constant, 3, 0, "value", "the file");
    assert_int_equal(force_of(spec, "d")->coupling.type, HF_COUPLING_COORDINATE);
    assert_int_equal(force_of(spec, "e")->coupling.type, HF_COUPLING_POINTS);
    hf_spec_destroy(spec);
}

static void frictions_and_levels(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "bodies: {one: {type: mass, dim: 1, mass: 1}, two: {type: mass, dim: 1, mass: 1}}\n"
        "signals: {load: 2*t}\n"
        "forces:\n"
        "  - {name: a, on: one, to: two, type: friction, law: stiction, stiffness: 5, damping: 6,\n"
        "     level: {kinetic: [1, 2], static: [3, 4], stribeck_velocity: [0.1, 0.2], shape: 1.5,\n"
        "             viscous: [7, 8]}}\n"
        "  - {name: b, on: one, type: friction, law: dahl, level: 9}\n"
        "  - {name: c, on: one, type: friction, law: lugre, level: {coulomb: 2}, viscous: 3}\n"
        "  - {name: d, on: one, type: friction, level: {friction: 0.2, static_friction: 0.3},\n"
        "     normal: load}\n"
        "  - {name: e, on: one, type: friction, level: {table: [[0, 2], [1, 1]], viscous: 3}}\n"
        "  - {name: f, on: one, type: friction, level: {friction: 0.2}, normal: g}\n"
        "  - {name: g, on: one, type: spring, stiffness: 4}\n"
        "  - {name: h, on: one, type: friction, normal: 5,\n"
        "     level: {table: [[0, 0.2]], per_normal: true}}\n"
        "  - {name: i, on: one, type: friction, level: {friction: 0.2}, normal: '1 + t'}\n");
    const hf_stiction_def *a = force_of(spec, "a")->def;
    assert_int_equal(force_of(spec, "a")->law, HF_LAW_STICTION);
    hf_check_near_array(a->level.kinetic, NUMBERS(1, 2), 2, 0, "kinetic", "the file");
    hf_check_near_array(a->level.peak, NUMBERS(3, 4), 2, 0, "static", "the file");
    hf_check_near_array(a->level.stribeck, NUMBERS(0.1, 0.2), 2, 0, "stribeck", "the file");
    hf_check_near(a->level.shape, 1.5, 0, "shape", "the file");
    hf_check_near_array(a->level.viscous, NUMBERS(7, 8), 2, 0, "viscous", "the file");
    hf_check_near(a->stiffness, 5, 0, "stiffness", "the file");
    hf_check_near(a->damping, 6, 0, "damping", "the file");
    assert_int_equal(force_of(spec, "b")->law, HF_LAW_DAHL);
    hf_check_near(((const hf_dahl_def *)force_of(spec, "b")->def)->level.kinetic[1], 9, 0, "level",
                  "the file");
    assert_int_equal(force_of(spec, "c")->law, HF_LAW_LUGRE);
    hf_check_near(((const hf_lugre_def *)force_of(spec, "c")->def)->viscous, 3, 0, "viscous",
                  "the file");
    const hf_force_def *d = force_of(spec, "d");
    const hf_level *level = &((const hf_stiction_def *)d->def)->level;
    assert_true(level->per_normal);
    hf_check_near(level->kinetic[0], 0.2, 0, "friction", "the file");
    hf_check_near(level->peak[1], 0.3, 0, "static friction", "the file");
    assert_int_equal(d->normal.value.signal.id, hf_spec_find_signal(spec, "load").id);
    const hf_level *table = &((const hf_stiction_def *)force_of(spec, "e")->def)->level;
    assert_int_equal(table->table_speed.count, 2);
    hf_check_near_array(table->table_level.values, NUMBERS(2, 1), 2, 0, "table", "the file");
    assert_false(table->per_normal);
    // The load of f stands below it.
    assert_int_equal(force_of(spec, "f")->normal.force.id, hf_spec_find_force(spec, "g").id);
    hf_check_near(force_of(spec, "h")->normal.value.constant, 5, 0, "normal", "the file");
    assert_true(((const hf_stiction_def *)force_of(spec, "h")->def)->level.per_normal);
    assert_true(force_of(spec, "i")->normal.value.signal.id > 0);
    hf_spec_destroy(spec);
}

static void contacts(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "gravity: [0, 0, -9.8]\n"
        "bodies:\n"
        "  drop: {type: mass, mass: 1, position: [0, 0, 3]}\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.5}}\n"
        "  crate: {type: rigid, mass: 1, shape: {type: box, size: [2, 4, 6]}}\n"
        "forces:\n"
        "  - {name: a, on: ball, type: contact, stiffness: 1e6, damping: 7, friction: 0.3}\n"
        "  - {name: b, on: crate, type: contact, friction: {friction: 0.3, static_friction: 0.4},\n"
        "     law: contact, plane: {point: [0, 0, -9], normal: [1, 0, 0], body: ball}}\n"
        "  - {name: c, on: drop, type: contact}\n"
        "  - {name: d, on: crate, type: contact, shape: {type: sphere, radius: 0.1},\n"
        "     point: [1, 2, 3], tangent_stiffness: 5, tangent_damping: 6}\n"
        "  - {name: e, on: drop.x, type: friction, level: {friction: 0.1}, normal: b.3}\n");
    const hf_force_def *a = force_of(spec, "a");
    const hf_contact_def *law = a->def;
    assert_int_equal(a->coupling.type, HF_COUPLING_PLANE);
    hf_check_near(a->coupling.radius, 0.5, 0, "radius", "the body's shape");
    check_quat(a->coupling.to_frame.turn, 1, 0, 0, 0, "plane by default");
    hf_check_near(law->stiffness, 1e6, 0, "stiffness", "the file");
    hf_check_near(law->damping, 7, 0, "damping", "the file");
    hf_check_near(law->friction.kinetic[0], 0.3, 0, "friction", "the file");
    assert_true(law->friction.per_normal);
    double h = sqrt(0.5);
    for (int corner = 0; corner < 8; ++corner) {
        char name[8];
        (void)snprintf(name, sizeof name, "b.%d", corner + 1);
        const hf_force_def *b = force_of(spec, name);
        check_vec3(b->coupling.on_frame.point, corner & 1 ? 1 : -1, corner & 2 ? 2 : -2,
                   corner & 4 ? 3 : -3, "corner");
        check_quat(b->coupling.to_frame.turn, h, 0, h, 0, "z turned to x");
        check_vec3(b->coupling.to_frame.point, 0, 0, -9, "point of the plane");
        assert_int_equal(b->coupling.to_frame.body.id, hf_spec_find_body(spec, "ball").id);
        hf_check_near(((const hf_contact_def *)b->def)->friction.peak[0], 0.4, 0, "static friction",
                      "the file");
    }
    hf_check_near(force_of(spec, "c")->coupling.radius, 0, 0, "radius", "a point");
    const hf_force_def *d = force_of(spec, "d");
    check_vec3(d->coupling.on_frame.point, 1, 2, 3, "point");
    hf_check_near(d->coupling.radius, 0.1, 0, "radius", "the force's shape");
    hf_check_near(((const hf_contact_def *)d->def)->tangent_stiffness, 5, 0, "tangent stiffness",
                  "the file");
    assert_int_equal(force_of(spec, "e")->normal.force.id, hf_spec_find_force(spec, "b.3").id);
    hf_spec_destroy(spec);
}

static void penalty_joints(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "bodies:\n"
        "  a: {type: rigid, mass: 1, inertia: [1,1,1], orientation: {axis: [0,0,1], angle: 1}}\n"
        "  b: {type: rigid, mass: 1, inertia: [1,1,1], orientation: {axis: [1,0,0], angle: 2}}\n"
        "forces:\n"
        "  - {name: pin, on: a, to: b, type: joint, point: [1, 2, 3], to_point: [4, 5, 6],\n"
        "     axis: [0, 1, 0], stiffness: 1, damping: 2, bend_stiffness: 3, bend_damping: 4,\n"
        "     level: {coulomb: 5}, friction_stiffness: 6, friction_damping: 7, torque: 'sin(t)'}\n"
        "  - {name: post, on: a, type: joint, to_axis: [1, 0, 0]}\n");
    const hf_force_def *pin = force_of(spec, "pin"), *torque = force_of(spec, "pin.torque");
    const hf_joint_law_def *law = pin->def;
    assert_int_equal(pin->coupling.type, HF_COUPLING_FRAMES);
    check_vec3(pin->coupling.on_frame.point, 1, 2, 3, "point");
    check_vec3(pin->coupling.to_frame.point, 4, 5, 6, "to_point");
    double h = sqrt(0.5);
    check_quat(pin->coupling.on_frame.turn, h, -h, 0, 0, "z turned to y");
    hf_check_near_array(&law->stiffness, NUMBERS(1, 2, 3, 4), 4, 0, "law", "the file");
    hf_check_near(law->level.kinetic[0], 5, 0, "level", "the file");
    hf_check_near(law->friction_stiffness, 6, 0, "friction stiffness", "the file");
    hf_check_near(law->friction_damping, 7, 0, "friction damping", "the file");
    assert_int_equal(torque->law, HF_LAW_FORCE);
    assert_int_equal(torque->coupling.type, HF_COUPLING_FRAMES);
    assert_true(torque->values[5].signal.id > 0);
    check_quat(force_of(spec, "post")->coupling.to_frame.turn, h, 0, h, 0, "z turned to x");
    // Both frames of the pin coincide at t = 0: no bending, no angle.
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    static const char *const zero[] = {"pin.gap.bend_x", "pin.gap.bend_y", "pin.gap.angle"};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(hf_sim_value(sim, hf_model_find_channel(model, zero[i])), 0, 1e-15, zero[i],
                      "frames that coincide");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

// The first example of the reference is a whole model.
static void documented_example(void **state)
{
    (void)state;
    size_t length = 0;
    char *page = read_whole(HF_SOURCE_DIR "/docs/model-file.md", &length);
    char *start = strstr(page, "```yaml\n"), *end = start == NULL ? NULL : strstr(start, "\n```\n");
    assert_non_null(end);
    end[1] = '\0';
    hf_spec *spec = parse_good(start + strlen("```yaml\n"));
    assert_string_equal(spec->name, "block on a spring");
    assert_int_equal(spec->record_count, 4);
    hf_spec_destroy(spec);
    free(page);
}

// A program that speaks German reads the same numbers, and speaks German afterwards.
static void numbers_do_not_depend_on_the_language(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        (void)setlocale(LC_ALL, "de_DE.utf8");
    }
    hf_spec *spec = parse_good("bodies: {a: {type: mass, dim: 1, mass: 1.5}}\n"
                               "signals: {s: 't < 2.5'}\n");
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 1.5, 0, "mass", "the file");
    hf_check_near(spec->signals[0].def.jumps.values[0], 2.5, 0, "jump", "the expression");
    assert_ptr_equal(uselocale((locale_t)0), LC_GLOBAL_LOCALE);
    hf_spec_destroy(spec);
    (void)setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest model_files[] = {
        cmocka_unit_test(settings),
        cmocka_unit_test(settings_by_default),
        cmocka_unit_test(masses),
        cmocka_unit_test(rigid_bodies),
        cmocka_unit_test(driven_bodies),
        cmocka_unit_test(followers_and_drawings),
        cmocka_unit_test(trees),
        cmocka_unit_test(signals),
        cmocka_unit_test(springs_and_places),
        cmocka_unit_test(neighbouring_coordinates),
        cmocka_unit_test(prescribed_forces),
        cmocka_unit_test(frictions_and_levels),
        cmocka_unit_test(contacts),
        cmocka_unit_test(penalty_joints),
        cmocka_unit_test(dimensions_follow_from_lists),
        cmocka_unit_test(documented_example),
        cmocka_unit_test(numbers_do_not_depend_on_the_language),
    };
    return hf_run_tests(model_files);
}
