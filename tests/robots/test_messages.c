// SPDX-License-Identifier: Apache-2.0
// Mistakes in robots' files, one each, and what is said of them with line and column.
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include <holdfast/robots.h>

typedef struct mistake {
    const char *text, *message;
} mistake;

static void check_all(const mistake *list, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        hf_error error = {0};
        hf_robot *robot =
            hf_robot_parse(list[i].text, strlen(list[i].text), "robot.xml", NULL, NULL, &error);
        if (robot != NULL || strcmp(error.text, list[i].message) != 0) {
            fail_msg("%s\ngot '%s', want '%s'", list[i].text, robot != NULL ? "" : error.text,
                     list[i].message);
        }
        assert_true(error.status < 0);
    }
}

static const mistake MJCF[] = {
    {"<mujoco><worldbody><body><inertial pos='0 0 0' mass='-1' diaginertia='1 1 "
     "1'/></body></worldbody></mujoco>",
     "robot.xml:1:26: inertial needs a mass that is not negative"},
    {"<mujoco><worldbody><body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 "
     "1 0 0 0'/></body></worldbody></mujoco>",
     "robot.xml:1:26: inertial has diaginertia and fullinertia: give one of them"},
    {"<mujoco><worldbody><body><joint name='j'/><freejoint/><geom "
     "size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:43: a free joint must be the only joint of a body of the world"},
    {"<mujoco><worldbody><body><geom size='0.1'/><body><freejoint/><geom "
     "size='0.1'/></body></body></worldbody></mujoco>",
     "robot.xml:1:50: a free joint must be the only joint of a body of the world"},
    {"<mujoco><worldbody><joint name='j'/></worldbody></mujoco>",
     "robot.xml:1:20: the world has no joint"},
    {"<mujoco><worldbody><replicate count='0'><geom size='0.1'/></replicate></worldbody></mujoco>",
     "robot.xml:1:20: replicate makes 1 copy or more, and all of a file at most 100000"},
    {"<mujoco><default><default><geom size='0.1'/></default></default></mujoco>",
     "robot.xml:1:18: a default within a default needs a class"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom name='g' "
     "size='0.1'/></body></worldbody>\n<contact><pair geom1='g'/></contact></mujoco>",
     "robot.xml:2:10: pair needs geom2"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<contact><exclude body1='b'/></contact></mujoco>",
     "robot.xml:2:10: exclude needs body2"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<contact><exclude body1='b' body2='x'/></contact></mujoco>",
     "robot.xml:2:29: there is no body 'x'"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<equality><connect body1='x' anchor='0 0 "
     "0'/></equality></mujoco>",
     "robot.xml:2:20: there is no body 'x'"},
    {"<mujoco><worldbody><body name='b'><joint name='j' type='ball'/><geom "
     "size='0.1'/></body></worldbody><equality><joint joint1='j'/></equality></mujoco>",
     "robot.xml:1:118: joint 'j' must be hinge or slide"},
    {"<mujoco><include/></mujoco>", "robot.xml:1:9: include needs a file"},
    {"<mujoco><compiler eulerseq='xyw'/></mujoco>",
     "robot.xml:1:19: eulerseq must be three letters of x, y, z, X, Y, Z, got 'xyw'"},
    {"<mujoco><compiler eulerseq='xy'/></mujoco>",
     "robot.xml:1:19: eulerseq must be three letters of x, y, z, X, Y, Z, got 'xy'"},
    {"<mujoco><compiler coordinate='global'/></mujoco>",
     "robot.xml:1:19: global coordinates are not understood (MuJoCo dropped them in 2.3.4)"},
    {"<mujoco><option timestep='0'/></mujoco>", "robot.xml:1:17: timestep must be positive"},
    {"<mujoco><option density='-1'/></mujoco>",
     "robot.xml:1:9: density and viscosity must not be negative"},
    {"<mujoco><option viscosity='-1'/></mujoco>",
     "robot.xml:1:9: density and viscosity must not be negative"},
    {"<mujoco><worldbody><geom type='capsule' size='0.1' fromto='1 2 3 1 2 "
     "3'/></worldbody></mujoco>",
     "robot.xml:1:52: fromto: the two ends coincide"},
    {"<mujoco><worldbody><geom type='sphere' size='0.1' fromto='1 2 3 1 2 "
     "4'/></worldbody></mujoco>",
     "robot.xml:1:51: fromto is for capsules, cylinders, boxes, ellipsoids"},
    {"<mujoco><worldbody><geom type='box' size='0.1 0.1 0'/></worldbody></mujoco>",
     "robot.xml:1:20: a box needs 3 sizes above zero"},
    {"<mujoco><worldbody><geom type='sphere' size='-1'/></worldbody></mujoco>",
     "robot.xml:1:20: a sphere needs 1 size above zero"},
    {"<mujoco><worldbody><body><geom size='0.1' mass='-1'/></body></worldbody></mujoco>",
     "robot.xml:1:26: mass and density of a geom must not be negative"},
    {"<mujoco><worldbody><body><geom size='0.1' density='-1'/></body></worldbody></mujoco>",
     "robot.xml:1:26: mass and density of a geom must not be negative"},
    {"<mujoco><worldbody><geom size='0.1' friction='-1 0 0'/></worldbody></mujoco>",
     "robot.xml:1:37: friction must not be negative"},
    {"<mujoco><worldbody><geom type='mesh' mesh='x'/></worldbody></mujoco>",
     "robot.xml:1:38: there is no mesh 'x'"},
    {"<mujoco><worldbody><geom type='mesh'/></worldbody></mujoco>",
     "robot.xml:1:20: a geom of type mesh needs a mesh"},
    {"<mujoco><asset><hfield name='h' nrow='1' ncol='3' size='1 1 1 1'/></asset><worldbody><geom "
     "type='hfield' hfield='h'/></worldbody></mujoco>",
     "robot.xml:1:16: a height field has 2 rows and columns or more, and at most 1000000 points; "
     "got 1 x 3"},
    {"<mujoco><asset><hfield name='h' nrow='2' ncol='2' elevation='1 2 3' size='1 1 1 "
     "1'/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
     "robot.xml:1:51: elevation must be 4 numbers: nrow times ncol"},
    {"<mujoco><asset><hfield name='h' nrow='2' ncol='2' elevation='0 0 0 1' size='1 1 0 "
     "1'/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
     "robot.xml:1:16: size must be above zero"},
    {"<mujoco><worldbody><body><joint range='1 -1' limited='true'/><geom "
     "size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:33: range must rise, got 1 to -1"},
    {"<mujoco><worldbody><body><joint type='ball' range='-1 0' limited='true'/><geom "
     "size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:45: the range of a ball joint ends at a positive angle"},
    {"<mujoco><worldbody><body><joint axis='0 0 0'/><geom size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:26: a joint's axis must not be zero, nor its armature negative"},
    {"<mujoco><worldbody><body><joint armature='-1'/><geom "
     "size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:26: a joint's axis must not be zero, nor its armature negative"},
    {"<mujoco><worldbody><body><joint actuatorfrcrange='1 -1' actuatorfrclimited='true'/><geom "
     "size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:33: actuatorfrcrange must rise, got 1 to -1"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><cylinder joint='j' "
     "timeconst='0'/></actuator></mujoco>",
     "robot.xml:2:11: timeconst must be positive"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><position joint='j' "
     "timeconst='-1'/></actuator></mujoco>",
     "robot.xml:2:11: timeconst, dampratio and inheritrange must not be negative"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><position joint='j' "
     "dampratio='-1'/></actuator></mujoco>",
     "robot.xml:2:11: timeconst, dampratio and inheritrange must not be negative"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><position joint='j' "
     "inheritrange='-1'/></actuator></mujoco>",
     "robot.xml:2:11: timeconst, dampratio and inheritrange must not be negative"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><general joint='j' dyntype='filter' "
     "dynprm='0'/></actuator></mujoco>",
     "robot.xml:2:11: the time constant of a filter must be positive"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><general joint='j' dyntype='integrator' "
     "actrange='1 0' actlimited='true'/></actuator></mujoco>",
     "robot.xml:2:51: actrange must rise, got 1 to 0"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><motor tendon='t'/></actuator></mujoco>",
     "robot.xml:2:18: there is no tendon 't'"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><motor cranksite='s' "
     "cranklength='1'/></actuator></mujoco>",
     "robot.xml:2:18: cranksite needs a slidersite"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<tendon><spatial><site "
     "site='s'/></spatial></tendon></mujoco>",
     "robot.xml:2:9: a tendon has 2 to 40 sites, geoms and pulleys"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<tendon><spatial><site site='s'/><site "
     "site='t'/></spatial></tendon></mujoco>",
     "robot.xml:2:24: there is no site 's'"},
    {"<mujoco><worldbody><body name='b'><joint name='j'/><geom "
     "size='0.1'/></body></worldbody>\n<actuator><dcmotor joint='j' motorconst='0' "
     "resistance='1'/></actuator></mujoco>",
     "robot.xml:2:11: dcmotor needs a positive motorconst and resistance, or nominal: \"voltage "
     "stall_torque no_load_speed\""},
    {"<mujoco><worldbody><body quat='0 0 0 0'><geom size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:26: quat gives no direction: it is zero, or its axes are parallel"},
    {"<mujoco><worldbody><body xyaxes='1 0 0 1 0 0'><geom size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:26: xyaxes gives no direction: it is zero, or its axes are parallel"},
    {"<mujoco><worldbody><body quat='1 0 0 0' euler='0 0 0'><geom "
     "size='0.1'/></body></worldbody></mujoco>",
     "robot.xml:1:41: there are two orientations: quat and euler"},
    {"<mujoco><worldbody><geom size='0.1' condim='1.5'/></worldbody></mujoco>",
     "robot.xml:1:37: condim must be a whole number, got 1.5"},
};

static const mistake URDF[] = {
    {"<bicycle/>", "robot.xml:1:1: a robot's root element is mujoco (MJCF), robot (URDF) or sdf "
                   "(SDF), got 'bicycle'"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent "
     "link='a'/></joint></robot>",
     "robot.xml:2:1: joint 'j' needs parent and child"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent "
     "link='a'/><child link='b'/></joint><joint name='k' type='fixed'><parent link='a'/><child "
     "link='b'/></joint></robot>",
     "robot.xml:2:130: link 'b' is the child of two joints"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent "
     "link='a'/><child link='b'/><limit lower='1' upper='-1' effort='1' "
     "velocity='1'/></joint></robot>",
     "robot.xml:2:68: limits must rise, got 1 to -1"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent "
     "link='a'/><child link='b'/><dynamics damping='-1'/></joint></robot>",
     "robot.xml:2:68: damping and friction must not be negative"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent "
     "link='a'/><child link='b'/><dynamics friction='-1'/></joint></robot>",
     "robot.xml:2:68: damping and friction must not be negative"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent "
     "link='a'/><child link='b'/><axis xyz='0 0 0'/></joint></robot>",
     "robot.xml:2:68: the axis must not be zero"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent "
     "link='a'/><child link='b'/><mimic joint='x'/></joint></robot>",
     "robot.xml:2:75: there is no other joint 'x'"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent "
     "link='a'/><child link='b'/><mimic joint='j'/></joint></robot>",
     "robot.xml:2:75: there is no other joint 'j'"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent "
     "link='a'/><child link='b'/><mimic joint='k'/></joint><link name='c'/><joint name='k' "
     "type='fixed'><parent link='b'/><child link='c'/></joint></robot>",
     "robot.xml:2:68: mimic joints must have one coordinate"},
    {"<robot name='r'><link name='a'><collision/></link></robot>",
     "robot.xml:1:32: a collision needs a geometry"},
    {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent "
     "link='a'/><child link='b'/><origin quat_xyzw='0 0 0 0'/></joint></robot>",
     "robot.xml:2:65: quat_xyzw must not be zero"},
};

static const mistake SDF[] = {
    {"<sdf version='1.7'><model name='m'><link/></model></sdf>",
     "robot.xml:1:36: a link needs a name"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='a'/></model></sdf>",
     "robot.xml:1:52: there are two links of this name"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/><link "
     "name='b'/></model></sdf>",
     "robot.xml:1:68: there are two links of this name"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
     "type='revolute'><parent>a</parent></joint></model></sdf>",
     "robot.xml:2:1: a joint needs name, type, parent and child"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint "
     "type='revolute'><parent>a</parent><child>b</child></joint></model></sdf>",
     "robot.xml:2:1: a joint needs name, type, parent and child"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
     "type='revolute'><parent>a</parent><child>world</child></joint></model></sdf>",
     "robot.xml:2:51: the world cannot be a child"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
     "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 "
     "0</xyz></axis></joint></model></sdf>",
     "robot.xml:2:67: the axis must not be zero"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
     "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 "
     "1</xyz><dynamics><damping>-1</damping></dynamics></axis></joint></model></sdf>",
     "robot.xml:2:89: damping, friction and spring_stiffness must not be negative"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
     "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 "
     "1</xyz><dynamics><friction>-1</friction></dynamics></axis></joint></model></sdf>",
     "robot.xml:2:89: damping, friction and spring_stiffness must not be negative"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
     "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 "
     "1</xyz><dynamics><spring_stiffness>-1</spring_stiffness></dynamics></axis></joint></model></"
     "sdf>",
     "robot.xml:2:89: damping, friction and spring_stiffness must not be negative"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
     "type='screw'><parent>a</parent><child>b</child><axis><xyz>0 0 "
     "1</xyz></axis><thread_pitch>0</thread_pitch></joint></model></sdf>",
     "robot.xml:2:1: a screw needs a screw_thread_pitch, or a thread_pitch other than zero"},
    {"<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
     "type='fixed'><parent>a</parent><child>b</child></joint><joint name='k' "
     "type='fixed'><parent>b</parent><child>a</child></joint></model></sdf>",
     "robot.xml:1:36: link 'a' is part of a cycle of joints"},
    {"<sdf version='1.7'><model name='m'><include/><link name='a'/></model></sdf>",
     "robot.xml:1:36: include needs a uri"},
    {"<sdf version='1.7'><model name='m'><link name='a'><collision name='c'/></link></model></sdf>",
     "robot.xml:1:51: a collision needs a geometry"},
    {"<sdf version='1.7'><model name='m'><static>true</static><link name='a'><collision "
     "name='c'><geometry><plane><normal>0 0 "
     "0</normal></plane></geometry></collision></link></model></sdf>",
     "robot.xml:1:102: the normal must not be zero"},
    {"<sdf version='1.7'><model name='m'><link "
     "name='a'><velocity_decay><linear>1</linear></velocity_decay></link></model></sdf>",
     "robot.xml:1:51: velocity_decay must be from 0 to below 1"},
    {"<sdf version='1.7'><model name='m'><static>maybe</static><link name='a'/></model></sdf>",
     "robot.xml:1:36: static must be true or false, got 'maybe'"},
    {"<sdf version='1.7'><model name='m'><link name='a'><pose rotation_format='quat_xyzw'>0 0 0 0 "
     "0 0 0</pose></link></model></sdf>",
     "robot.xml:1:51: a quaternion of zero has no direction"},
    {"<sdf version='1.7'><model name='m'><link name='a'><pose relative_to='x'>0 0 0 0 0 "
     "0</pose></link></model></sdf>",
     "robot.xml:1:57: frame 'x' is not in the model"},
};

static void test_mjcf(void **state)
{
    (void)state;
    check_all(MJCF, sizeof MJCF / sizeof *MJCF);
}

static void test_urdf(void **state)
{
    (void)state;
    check_all(URDF, sizeof URDF / sizeof *URDF);
}

static void test_sdf(void **state)
{
    (void)state;
    check_all(SDF, sizeof SDF / sizeof *SDF);
}

// A mesh of a package: where its folder is not known, and where it is and lacks the mesh.
static void test_packages(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='r'><link name='a'><collision><geometry><mesh "
        "filename='package://p/a.stl'/></geometry></collision></link></robot>";
    static const char *const named[] = {"p=/tmp"};
    for (int i = 0; i < 2; ++i) {
        hf_error error = {0};
        hf_robot_options options = hf_robot_options_default();
        options.packages = named;
        options.package_count = i;
        assert_null(hf_robot_parse(text, strlen(text), "r.urdf", "/tmp", &options, &error));
        assert_string_equal(
            error.text, i == 0 ? "r.urdf:1:59: file 'package://p/a.stl' is not found; name its "
                                 "package: --package NAME=FOLDER"
                               : "r.urdf:1:59: file 'package://p/a.stl' is not found in the folder "
                                 "that --package names");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mjcf),
        cmocka_unit_test(test_urdf),
        cmocka_unit_test(test_sdf),
        cmocka_unit_test(test_packages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
