// SPDX-License-Identifier: Apache-2.0
// `defaults:` with `class:`, and what a joint carries with it: the same machine as written out.
#include "models_test.h"

#define HEAD                                                                                       \
    "name: test\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "method: {type: semi-implicit-euler, step: 1e-3}\n"                                            \
    "duration: 0.5\n"

static const char *const SHORT = HEAD
    "parameters: {top: 40}\n"
    "defaults:\n"
    "  drive: {type: revolute, axis: [0, 1, 0], armature: 0.02, damping: 0.1, limits: [-1, 1.5],\n"
    "          friction: {law: coulomb, level: 3, viscous: 0.4}}\n"
    "  small: {class: drive, armature: 0.01, friction: {level: 0.5}}\n"
    "bodies:\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      one: {class: drive, mass: 2, center: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1],\n"
    "            servo: {kp: 100, kd: 5, ki: 3, reference: 0.3, limit: top, rate: 500}}\n"
    "      two: {class: small, parent: one, offset: [0.4, 0, 0], mass: 1, center: [0.1, 0, 0],\n"
    "            inertia: [0.01, 0.01, 0.01], spring: {stiffness: 2, rest: 0.1}}\n";

static const char *const LONG = HEAD
    "bodies:\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      one: {type: revolute, axis: [0, 1, 0], armature: 0.02, mass: 2, center: [0.2, 0, 0],\n"
    "            inertia: [0.1, 0.1, 0.1]}\n"
    "      two: {type: revolute, axis: [0, 1, 0], armature: 0.01, parent: one, offset: [0.4, 0, "
    "0],\n"
    "            mass: 1, center: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "forces:\n"
    "  - {name: a, type: friction, on: arm.one, law: coulomb, level: {coulomb: 3, viscous: 0.4}}\n"
    "  - {name: b, type: spring, on: arm.one, stiffness: 0, damping: 0.1}\n"
    "  - {name: c, type: stop, on: arm.one, low: -1, high: 1.5}\n"
    "  - {name: d, type: controller, on: arm.one, proportional: 100, derivative: 5, integral: 3,\n"
    "     reference: 0.3, low: -40, high: 40, period: 0.002}\n"
    "  - {name: e, type: friction, on: arm.two, law: coulomb, level: {coulomb: 0.5, viscous: "
    "0.4}}\n"
    "  - {name: f, type: spring, on: arm.two, stiffness: 0, damping: 0.1}\n"
    "  - {name: g, type: spring, on: arm.two, stiffness: 2, rest: 0.1}\n"
    "  - {name: h, type: stop, on: arm.two, low: -1, high: 1.5}\n";

// Runs the machine to its end and gives position and velocity of both joints.
static void run(const char *text, const char *const *sets, int count, double end[4])
{
    hf_error error = {0};
    hf_overrides overrides = {.items = sets, .count = count};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, &overrides, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_sim_def def = hf_sim_def_default(model);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    for (int i = 0; i < 500; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    const char *const joints[] = {"arm.one", "arm.two"};
    for (int i = 0; i < 2; ++i) {
        hf_body joint = hf_model_find_body(model, joints[i]);
        end[i] = hf_sim_position(sim, joint)[0];
        end[2 + i] = hf_sim_velocity(sim, joint)[0];
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

static void a_short_form_is_the_long_one(void **state)
{
    (void)state;
    double a[4], b[4];
    run(SHORT, NULL, 0, a);
    run(LONG, NULL, 0, b);
    assert_memory_equal(a, b, sizeof a);
    assert_true(a[0] != 0.0 && a[1] != 0.0);
}

static void changes_reach_what_a_class_gives(void **state)
{
    (void)state;
    double a[4], b[4];
    const char *const of_joint[] = {"bodies.arm.joints.two.friction.level=0.2"};
    const char *const of_class[] = {"defaults.small.friction.level=0.2"};
    const char *const long_form[] = {"forces.e.level.coulomb=0.2"};
    run(LONG, long_form, 1, b);
    run(SHORT, of_joint, 1, a);
    assert_memory_equal(a, b, sizeof a);
    run(SHORT, of_class, 1, a);
    assert_memory_equal(a, b, sizeof a);
}

#define TWO_JOINTS(first, second)                                                                  \
    HEAD "bodies:\n"                                                                               \
         "  arm:\n"                                                                                \
         "    type: tree\n"                                                                        \
         "    joints:\n"                                                                           \
         "      one: {type: revolute, armature: 0.1, velocity: 3" first "}\n"                      \
         "      two: {type: revolute, armature: 0.1, velocity: 2" second "}\n"

// Every key of a level may stand beside `level`; one that the law has itself stays the law's.
static void keys_of_a_friction_mean_what_they_do_in_a_force(void **state)
{
    (void)state;
    double a[4], b[4];
    run(TWO_JOINTS(
            ", friction: {law: lugre, level: 0.5, stiffness: 20, damping: 0.1, viscous: 0.4}",
            ", friction: {law: coulomb, coulomb: 0.2, peak: 1.5, scale: '1 + arm.one.position'}"),
        NULL, 0, a);
    run(TWO_JOINTS("",
                   "") "forces:\n"
                       "  - {name: a, type: friction, on: arm.one, law: lugre, level: 0.5, "
                       "stiffness: 20, damping: 0.1, viscous: 0.4}\n"
                       "  - {name: b, type: friction, on: arm.two, law: coulomb,\n"
                       "     level: {coulomb: 0.2, peak: 1.5, scale: '1 + arm.one.position'}}\n",
        NULL, 0, b);
    assert_memory_equal(a, b, sizeof a);
    assert_true(a[2] < 2.0 && a[3] < 1.9);
}

static void wrong_ones_are_refused_at_their_place(void **state)
{
    (void)state;
    expect_error_with(SHORT, "bodies.arm.joints.two.class=smal", "did you mean 'small'?");
    expect_error_with(SHORT, "defaults.drive.class=small", "starts from itself");
    expect_error_with(SHORT, "defaults=3", "defaults must be a map of classes");
    expect_error_with(SHORT, "defaults.small=3", "a class must be a map");
    expect_error_with(LONG, "bodies.arm.joints.one.class=drive", "the file has no defaults");
    expect_error_with(SHORT, "bodies.arm.joints.two.limits=[1]",
                      "limits must be [low, high] or a map");
    expect_error_with(SHORT, "bodies.arm.joints.two.damping=[1]", "damping must be a number");
    expect_error_with(SHORT, "bodies.arm.joints.two.servo=3", "servo must be a map");
    expect_error_with(SHORT, "bodies.arm.joints.one.servo.limit=[3]", "limit must be a number");
    expect_error_with(SHORT, "bodies.arm.joints.one.servo.rate=[3]", "rate must be a number");
    expect_error_with(SHORT, "bodies.arm.joints.two.friction=[3]",
                      "friction must be a level or a map");
    expect_error_with(SHORT, "bodies.arm.joints.two.spring=[3]",
                      "spring must be a stiffness or a map");
    expect_error_with(SHORT, "bodies.arm.joints.two.friction.level={viscous: 1}",
                      "friction has viscous twice");
    expect_error_with(SHORT, "bodies.arm.joints.two.type=spherical",
                      "only revolute and prismatic joints have a friction");
    expect_error_with(SHORT, "defaults.drive.friction.levl=3", "did you mean 'level'?");
    // The place is that of the class's entry.
    expect_error(
        HEAD "defaults:\n"
             "  drive: {type: revolute, friction: {law: coulmb}}\n"
             "bodies:\n"
             "  arm: {type: tree, joints: {one: {class: drive, mass: 1, inertia: [1, 1, 1]}}}\n",
        "model.yaml:6:43: friction 'arm.one.friction'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_form_is_the_long_one),
        cmocka_unit_test(changes_reach_what_a_class_gives),
        cmocka_unit_test(keys_of_a_friction_mean_what_they_do_in_a_force),
        cmocka_unit_test(wrong_ones_are_refused_at_their_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
