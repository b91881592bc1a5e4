// SPDX-License-Identifier: Apache-2.0
// What MJCF takes from elsewhere: gains of other kinds of actuators, inertias from geoms and from
// the compiler's bounds. Each case was compared with MuJoCo 2.2.2 (mass matrix, bias forces, 0.3 s
// of motion), or with the source of 3.x where that one differs.
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#define BODY "<body name='b' pos='0.25 0.5 0'><joint name='j'/>"

static hf_robot *load(const char *before, const char *body, const char *after)
{
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "<mujoco>%s<worldbody>" BODY "%s</body></worldbody>%s</mujoco>", before, body,
                   after);
    hf_robot *robot = hf_reading_load(text, NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    return robot;
}

// All kinds of actuators share one set of defaults: what one kind calls kp is another's gain.
static void test_gains_of_other_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *defaults, *actuator, *made;
    } cases[] = {
        {"<position kp='12' kv='3'/>", "<general joint='j'/>", "proportional: 12, derivative: 3}"},
        {"<general gainprm='7'/>", "<position joint='j'/>", "proportional: 7}"},
        {"<general gainprm='7' biasprm='0.5 -2 -4'/>", "<position joint='j'/>",
         "proportional: 7, derivative: 4, bias: 0.5}"},
        {"<general gainprm='7' biasprm='0.5 -2 -4'/>", "<position joint='j' kp='3' kv='1'/>",
         "proportional: 3, derivative: 1, bias: 0.5}"},
        {"<position kp='12'/>", "<velocity joint='j'/>", "derivative: 12}"},
        {"<velocity kv='2'/>", "<position joint='j' kp='3'/>", "proportional: 3, derivative: 2}"},
        // Of several of one class the last
        {"<position kp='12'/><general gainprm='7'/>", "<velocity joint='j'/>", "derivative: 7}"},
        {"<general gainprm='7'/><position kp='12'/>", "<velocity joint='j'/>", "derivative: 12}"},
        {"<velocity kv='1'/><velocity kv='2'/>", "<velocity joint='j'/>", "derivative: 2}"},
        // A motor begins anew
        {"<position kp='12' kv='3'/>", "<motor joint='j'/>", "type: force, on: robot.j, value"},
        {"<position kp='12'/><motor/>", "<general joint='j'/>", "type: force, on: robot.j, value"},
        // Between classes: the inner one's general over the outer one's position
        {"<position kp='12' kv='3'/><default class='c'><general gainprm='7'/></default>",
         "<position class='c' joint='j'/>", "proportional: 7, derivative: 3}"},
        {"<cylinder area='4' timeconst='0.5' bias='1 -2 -3'/>", "<general joint='j'/>",
         "gain: 4, gain_l: 0, gain_v: 0, bias: 1, kp: 2, kv: 3, filter: 0.5}"},
        {"<general gainprm='4' dynprm='0.5'/>", "<cylinder joint='j'/>",
         "gain: 4, gain_l: 0, gain_v: 0, bias: 0, kp: 0, kv: 0, filter: 0.5}"},
        {"<damper kv='3'/>", "<general joint='j'/>",
         "gain: 0, gain_l: 0, gain_v: -3, bias: 0, kp: 0, kv: 0}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char before[400], after[300];
        (void)snprintf(before, sizeof before, "<default>%s</default>", cases[i].defaults);
        (void)snprintf(after, sizeof after, "<actuator>%s</actuator>", cases[i].actuator);
        hf_robot *robot = load(before, "<geom size='0.1'/>", after);
        hf_reading_has(robot, cases[i].made);
        hf_robot_destroy(robot);
    }
}

// Mass, center and inertia (xx, yy, zz, xy, xz, yz) of the one link.
static void weight_of(const hf_robot *robot, double n[10])
{
    const char *at = strstr(hf_robot_model(robot), "mass: ");
    assert_non_null(at);
    memset(n, 0, 10 * sizeof *n);
    if (sscanf(at, "mass: %lf, center: [%lf, %lf, %lf]", &n[0], &n[1], &n[2], &n[3]) < 1) {
        fail_msg("%s", at);
    }
    at = strstr(at, "inertia: [");
    assert_non_null(at);
    int count = sscanf(at, "inertia: [%lf, %lf, %lf, %lf, %lf, %lf", n + 4, n + 5, n + 6, n + 7,
                       n + 8, n + 9);
    assert_true(count == 3 || count == 6);
}

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

// What the bounds of the compiler make of an inertia whose axes are not those of its body.
static void test_bounds_of_inertias(void **state)
{
    (void)state;
    static const struct {
        const char *compiler, *body;
        double n[10];
    } cases[] = {
        // Moments 0.5, 0.25, 0.5 in axes turned by 45 degrees about z: of 0.25 becomes 0.375
        {"boundinertia='0.375'",
         "<inertial pos='0 0 0' euler='0 0 45' mass='1' diaginertia='0.5 0.25 0.5'/>",
         {1, 0, 0, 0, 0.4375, 0.4375, 0.5, 0.0625, 0, 0}},
        {"boundinertia='0.375'",
         "<inertial pos='0 0 0' mass='1' fullinertia='0.375 0.375 0.5 0.125 0 0'/>",
         {1, 0, 0, 0, 0.4375, 0.4375, 0.5, 0.0625, 0, 0}},
        // All below the bound: the same about every axis
        {"boundinertia='0.6'",
         "<inertial pos='0 0 0' euler='10 20 30' mass='1' diaginertia='0.5 0.25 0.4'/>",
         {1, 0, 0, 0, 0.6, 0.6, 0.6, 0, 0, 0}},
        {"balanceinertia='true' boundinertia='0.25'",
         "<inertial pos='0 0 0' euler='0 0 45' mass='1' diaginertia='0.1 0.25 1'/>",
         {1, 0, 0, 0, 0.5, 0.5, 0.5, 0, 0, 0}},
        // What weighs nothing has its center where its body is in the parent
        {"boundmass='2' boundinertia='0.5'", "", {2, 0.25, 0.5, 0, 0.5, 0.5, 0.5, 0, 0, 0}},
        // What is given counts where there is no geom to weigh
        {"inertiafromgeom='true'",
         "<inertial pos='0 0 1' mass='1' diaginertia='0.5 0.25 0.5'/>",
         {1, 0, 0, 1, 0.5, 0.25, 0.5, 0, 0, 0}},
        {"inertiafromgeom='true'",
         "<inertial pos='0 0 1' mass='1' diaginertia='0.5 0.25 0.5'/><geom size='1' mass='0'/>",
         {1, 0, 0, 1, 0.5, 0.25, 0.5, 0, 0, 0}},
        {"inertiafromgeom='true'",
         "<inertial pos='0 0 1' mass='1' diaginertia='0.5 0.25 0.5'/><geom size='1' mass='5'/>",
         {5, 0, 0, 0, 2, 2, 2, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char before[200];
        double n[10];
        (void)snprintf(before, sizeof before, "<compiler %s/>", cases[i].compiler);
        hf_robot *robot = load(before, cases[i].body, "");
        weight_of(robot, n);
        for (int k = 0; k < 10; ++k) {
            hf_check_near(n[k], cases[i].n[k], 1e-14, cases[i].compiler, "by hand");
        }
        hf_robot_destroy(robot);
    }
}

// A fluid drags on the box of the inertia. A sphere's has three equal moments: the box stands as
// its geom does, and as the frame of `inertial` where that is given.
static void test_the_box_of_a_sphere(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "<geom size='0.1' euler='0 0 30'/>",
        "<inertial pos='0 0 0' euler='0 0 30' mass='1' diaginertia='0.5 0.5 0.5'/>"};
    for (int i = 0; i < 2; ++i) {
        hf_robot *robot = load("<option density='50'/>", bodies[i], "");
        const char *at = strstr(hf_robot_model(robot), "{name: drag-x-j");
        double x = 0, y = 0;
        assert_non_null(at);
        at = strstr(at, "force: [");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "force: [%lf, %lf", &x, &y), 2);
        hf_check_near(x, sqrt(0.75), 1e-14, "x of the box's edge", "cos 30 degrees");
        hf_check_near(y, 0.5, 1e-14, "y of the box's edge", "sin 30 degrees");
        hf_robot_destroy(robot);
    }
}

// The joint of gym's walkers: free, with attributes that a free joint has no use for.
static void test_attributes_of_free_joints(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><worldbody><body><joint name='root' type='free' armature='0' damping='0' "
        "limited='false' pos='0 0 0' axis='1 0 0' range='-1 1' ref='0' springref='0' margin='0.01' "
        "stiffness='0'/><geom size='0.1'/></body></worldbody></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    assert_int_equal(hf_reading_item(robot, "joint", "pos").lot, HF_ROBOT_SEEN);
    hf_robot_destroy(robot);
}

// Of meshes with a notch the legacy rule counts some of it twice; the compiler's switch is the same
// as `inertia='exact'` of each.
static void test_exact_meshes(void **state)
{
    (void)state;
    static const char notched[] =
        "v 0 0 0\nv 2 0 0\nv 2 0 .2\nv .2 0 .2\nv .2 0 2\nv 0 0 2\n"
        "v 0 1 0\nv 2 1 0\nv 2 1 .2\nv .2 1 .2\nv .2 1 2\nv 0 1 2\n"
        "f 1 2 3 4\nf 1 4 5 6\nf 10 9 8 7\nf 12 11 10 7\n"
        "f 2 1 7 8\nf 3 2 8 9\nf 4 3 9 10\nf 5 4 10 11\nf 6 5 11 12\nf 1 6 12 7\n";
    char folder[] = "/tmp/inherit-XXXXXX", mesh[300], path[300];
    double n[3][10];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(mesh, sizeof mesh, "%s/m.obj", folder);
    (void)snprintf(path, sizeof path, "%s/r.xml", folder);
    put_file(mesh, notched);
    for (int i = 0; i < 3; ++i) {
        char text[600];
        (void)snprintf(
            text, sizeof text,
            "<mujoco><compiler exactmeshinertia='%s'/><asset><mesh file='m.obj'%s/></asset>"
            "<worldbody>" BODY "<geom type='mesh' mesh='m' density='100'/></body>"
            "</worldbody></mujoco>",
            i == 2 ? "true" : "false", i == 1 ? " inertia='exact'" : "");
        put_file(path, text);
        hf_robot *robot = hf_reading_load_file(path, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        weight_of(robot, n[i]);
        hf_robot_destroy(robot);
    }
    hf_check_near(n[1][0], 76.0, 1e-5, "exact mass", "0.76 m^3 in single precision");
    assert_memory_equal(n[1], n[2], sizeof n[1]);
    assert_true(n[0][0] > 77.0);
    assert_int_equal(remove(mesh) + remove(path) + rmdir(folder), 0);
}

// A key frame gives velocities: of a free joint in the world's and the body's axes, of a ball joint
// in the body's.
static void test_velocities_of_key_frames(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><body name='a'><freejoint name='f'/><geom size='0.1'/><body "
        "name='b'><joint name='s' type='ball'/><geom size='0.1' pos='1 0 0'/><body><joint name='h' "
        "ref='90'/><geom size='0.1' pos='0 1 0'/></body></body></body></worldbody><keyframe><key "
        "name='k' time='3' qpos='0 0 1 0.6 0.8 0 0 1 0 0 0 0.5' qvel='1 2 3 4 5 6 7 8 9 10'/>"
        "</keyframe></mujoco>";
    hf_robot_options options = hf_robot_options_default();
    options.start = "k";
    hf_robot *robot = hf_reading_load(text, &options);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    for (int i = 0; i < 6; ++i) {
        hf_check_same_bits(hf_reading_v(&m, "robot.f", i), 1.0 + i, "velocity of the free joint");
    }
    for (int i = 0; i < 3; ++i) {
        hf_check_same_bits(hf_reading_v(&m, "robot.s", i), 7.0 + i, "velocity of the ball joint");
    }
    hf_check_same_bits(hf_reading_v(&m, "robot.h", 0), 10.0, "velocity of the hinge");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
    // On a fixed base
    options.base = HF_ROBOT_BASE_FIXED;
    robot = hf_reading_load(text, &options);
    hf_reading_lacks(robot, "velocity: [1,");
    hf_reading_has(robot, "velocity: [7, 8, 9]");
    hf_robot_destroy(robot);
}

// MuJoCo refuses names that occur twice; a motor on one of two joints would drive either.
static void test_names_that_occur_twice(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *words;
    } cases[] = {
        {"<joint name='x'/>", "<joint name='x'/>", "1:78: there are two joints 'x'"},
        {"<geom name='x' size='1'/>", "<geom name='x' size='1'/>", "there are two geoms 'x'"},
        {"<site name='x'/>", "<site name='x'/>", "there are two sites 'x'"},
        {"", "<body name='one'/>", "there are two bodies 'one'"},
        {"<joint name='x'/>", "<geom name='x' size='1'/><site name='x'/>", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[500];
        hf_error error = {0};
        (void)snprintf(text, sizeof text,
                       "<mujoco><worldbody><body name='one'>%s</body><body name='two'>%s</body>"
                       "</worldbody></mujoco>",
                       cases[i].first, cases[i].second);
        hf_robot *robot = hf_robot_parse(text, strlen(text), "r.xml", NULL, NULL, &error);
        if ((robot == NULL) != (cases[i].words != NULL) ||
            (robot == NULL && strstr(error.text, cases[i].words) == NULL)) {
            fail_msg("%s: %s", text, error.text);
        }
        hf_robot_destroy(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gains_of_other_kinds),
        cmocka_unit_test(test_bounds_of_inertias),
        cmocka_unit_test(test_the_box_of_a_sphere),
        cmocka_unit_test(test_attributes_of_free_joints),
        cmocka_unit_test(test_exact_meshes),
        cmocka_unit_test(test_velocities_of_key_frames),
        cmocka_unit_test(test_names_that_occur_twice),
    };
    return hf_run_tests(tests);
}
