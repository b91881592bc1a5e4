// SPDX-License-Identifier: Apache-2.0
// SDF beyond a single model: models of other files and in each other, loops, screws, gearboxes,
// friction by direction. URDF's friction by direction.
#define _XOPEN_SOURCE 700 // mkdtemp
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double G = 9.8, PI = 3.14159265358979323846;

static void set(hf_reading_machine *m, const char *input, double value)
{
    hf_sim_set_input(m->sim, hf_spec_find_signal(m->spec, input), value);
}

static hf_vec3 where(const hf_reading_machine *m, const char *body)
{
    hf_vec3 at;
    hf_quat turn;
    hf_body b = hf_spec_find_body(m->spec, body);
    if (b.id == 0) {
        fail_msg("there is no '%s'", body);
    }
    hf_sim_pose(m->sim, b, &at, &turn);
    return at;
}

#define UNIT(name)                                                                                 \
    "<link name='" name "'><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy>"          \
    "<izz>0.1</izz></inertia></inertial></link>"

// ------------------------------------------------------------------------------------------------
// Models in models

// An arm in a body, moved by (0, 0, 2) and turned by 90 degrees about z; the outer joint holds the
// inner link by its scoped name.
static void test_a_model_in_a_model(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.8'><model name='outer'><pose>1 0 0 0 0 0</pose>" UNIT(
            "base") "<model "
                    "name='inner'><pose>0 0 2 0 0 1.5707963267948966</pose>" UNIT(
                        "arm") "<link name='tip'>"
                               "<pose relative_to='arm'>0.5 0 0 0 0 0</pose></link><joint "
                               "name='wrist' type='revolute'>"
                               "<parent>arm</parent><child>tip</child><axis><xyz>0 0 "
                               "1</xyz></axis></joint></model>"
                               "<frame name='mount' attached_to='inner::arm'/>"
                               "<joint name='hold' "
                               "type='fixed'><parent>base</parent><child>mount</child></joint>"
                               "<joint name='ground' "
                               "type='fixed'><parent>world</parent><child>base</child></joint>"
                               "</model></sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_vec3 tip = where(&m, "outer.inner__wrist");
    hf_check_near(tip.x, 1.0, 1e-12, "x", "the outer pose");
    hf_check_near(tip.y, 0.5, 1e-12, "y", "half a meter along the turned x");
    hf_check_near(tip.z, 2.0, 1e-12, "z", "the inner pose");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
}

// Two of one model of another folder, one of a file; the second stands by its placement frame.
static void test_models_of_other_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/hf-sdf-XXXXXX", inner[64], path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(inner, sizeof inner, "%s/ball", folder);
    (void)snprintf(path, sizeof path, "%s/world.sdf", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    write_file(inner, "model.config",
               "<model><name>Ball</name><sdf version='1.5'>old.sdf</sdf>"
               "<sdf version='1.7'>ball.sdf</sdf></model>");
    write_file(inner, "ball.sdf",
               "<sdf version='1.7'><model name='ball'><pose>9 9 9 0 0 0</pose>" UNIT(
                   "link") "<frame name='top'><pose>0 0 0.3 0 0 0</pose></frame></model></sdf>");
    write_file(folder, "single.sdf",
               "<sdf version='1.6'><model name='one'>" UNIT("link") "</model></sdf>");
    write_file(folder, "world.sdf",
               "<sdf version='1.7'><world name='w'><include><uri>model://ball</uri><name>a</name>"
               "<pose>1 0 5 0 0 0</pose></include><include><uri>model://ball</uri><name>b</name>"
               "<placement_frame>top</placement_frame><pose>2 0 5 0 0 0</pose><static>1</static>"
               "</include><include><uri>single.sdf</uri></include></world></sdf>");
    hf_robot *robot = hf_reading_load_file(path, NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_check_near(where(&m, "w.link").z, 5.0, 1e-12, "first", "its pose");
    hf_check_near(where(&m, "w.link-2").z, 4.7, 1e-12, "second", "below its placement frame");
    hf_reading_run(&m, 1.0);
    hf_check_near(where(&m, "w.link").z, 5.0 - 0.5 * G, 1e-2, "first", "free fall");
    hf_check_near(where(&m, "w.link-2").z, 4.7, 0.0, "second", "static");
    hf_check_near(where(&m, "w.link-3").z, -0.5 * G, 1e-2, "third", "free fall");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
    // A model that includes itself, and one that is not there
    hf_error error = {0};
    write_file(folder, "single.sdf",
               "<sdf version='1.6'><model name='one'><include><uri>single.sdf</uri></include>"
               "</model></sdf>");
    assert_null(hf_robot_read(path, NULL, &error));
    assert_non_null(strstr(error.text, "does one include itself"));
    write_file(folder, "single.sdf",
               "<sdf version='1.6'><model name='one'><include><uri>../x.sdf</uri></include>"
               "</model></sdf>");
    assert_null(hf_robot_read(path, NULL, &error));
    if (strstr(error.text, "single.sdf:1:47: file '../x.sdf'") == NULL) {
        fail_msg("%s", error.text);
    }
    static const char *const made[] = {"ball/model.config", "ball/ball.sdf", "single.sdf",
                                       "world.sdf"};
    for (size_t i = 0; i < sizeof made / sizeof *made; ++i) {
        char one[200];
        (void)snprintf(one, sizeof one, "%s/%s", folder, made[i]);
        (void)remove(one);
    }
    (void)rmdir(inner);
    (void)rmdir(folder);
}

// ------------------------------------------------------------------------------------------------
// Joints

#define HINGE(name, parent, child, at)                                                             \
    "<joint name='" name "' type='revolute'><pose relative_to='__model__'>" at                     \
    "</pose><parent>" parent "</parent><child>" child                                              \
    "</child><axis><xyz>0 1 0</xyz></axis></joint>"
#define BAR(name, at)                                                                              \
    "<link name='" name "'><pose>" at "</pose><inertial><mass>1</mass><inertia><ixx>0.1</ixx>"     \
    "<iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link>"

// A parallelogram: two cranks of 1 m, a coupler that a second joint closes. The coupler moves on a
// circle without turning. Small swings under a pull of 0.01 m/s^2 to the side have a closed form.
static void test_a_second_joint_closes_a_loop(void **state)
{
    (void)state;
    hf_robot *robot =
        hf_reading_load("<sdf version='1.7'><model name='bars'>" BAR("left", "0 0 -0.5 0 0 0")
                            BAR("right", "1 0 -0.5 0 0 0") BAR("low", "0.5 0 -1 0 0 0")
                                HINGE("a", "world", "left",
                                      "0 0 0 0 0 0") HINGE("b", "world", "right", "1 0 0 0 0 0")
                                    HINGE("c", "left", "low", "0 0 -1 0 0 0")
                                        HINGE("d", "right", "low", "1 0 -1 0 0 0") "</model></sdf>",
                        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_has(robot, "d: {type: revolute, on: bars.c, to: bars.b");
    hf_reading_machine m = hf_reading_start(robot, "gravity=[0.01, 0, -9.81]");
    // Both cranks: 0.1 + 1/4 about their pins; the coupler: 1 kg at 1 m.
    double inertia = 2 * (0.1 + 0.25) + 1.0, moment = 9.81 * (2 * 0.5 + 1.0);
    double w = sqrt(moment / inertia), largest = 0.0;
    for (int i = 1; i <= 2000; ++i) {
        hf_reading_run(&m, i * 1e-3);
        double swing = -0.01 / 9.81 * (1.0 - cos(w * i * 1e-3));
        largest = fmax(largest, fabs(hf_reading_q(&m, "bars.a", 0) - swing));
        hf_check_near(hf_reading_q(&m, "bars.b", 0), hf_reading_q(&m, "bars.a", 0), 1e-9,
                      "right crank", "parallelogram");
    }
    hf_check_near(largest, 0.0, 5e-6, "swing", "closed form");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A screw of 0.1 m a turn under gravity: m g = (m + I (2 pi/p)^2) a. The older number has another
// sign and unit.
static void test_a_screw(void **state)
{
    (void)state;
    static const char *const pitches[] = {"<screw_thread_pitch>0.1</screw_thread_pitch>",
                                          "<thread_pitch>-62.83185307179586</thread_pitch>"};
    for (int i = 0; i < 2; ++i) {
        char text[800];
        (void)snprintf(text, sizeof text,
                       "<sdf version='1.9'><model name='s'>" UNIT(
                           "nut") "<joint name='j' type='screw'><parent>world</parent><child>nut"
                                  "</child><axis><xyz>0 0 1</xyz></axis>%s</joint></model></sdf>",
                       pitches[i]);
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_machine m = hf_reading_start(robot, NULL);
        hf_reading_run(&m, 1.0);
        double k = 2 * PI / 0.1, a = -9.81 / (1.0 + 0.1 * k * k);
        hf_check_near(hf_reading_v(&m, "s.j-2", 0), a, 1e-6, "speed of the nut", "g m/(m + I k^2)");
        hf_check_near(hf_reading_v(&m, "s.j", 0), a * k, 1e-5, "turning", "k v");
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
}

// A gearbox 3 : 1 between two wheels on one base; the second wheel's own axis points back.
static void test_a_gearbox(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.7'><model name='g'>" UNIT("base") UNIT("one") UNIT(
            "two") "<joint name='w' type='fixed'><parent>world</parent><child>base</child></joint>"
                   "<joint name='a' type='revolute'><parent>base</parent><child>one</child><axis>"
                   "<xyz>1 0 0</xyz><limit><effort>100</effort></limit></axis></joint>"
                   "<joint name='b' type='revolute'><parent>base</parent><child>two</child><axis>"
                   "<xyz>-1 0 0</xyz></axis></joint>"
                   "<joint name='gear' type='gearbox'><parent>one</parent><child>two</child>"
                   "<gearbox_ratio>3</gearbox_ratio><gearbox_reference_body>base"
                   "</gearbox_reference_body><axis><xyz>1 0 0</xyz></axis><axis2><xyz>1 0 0</xyz>"
                   "</axis2></joint></model></sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    set(&m, "a", 2.0);
    hf_reading_run(&m, 1.0);
    // 2 Nm on 0.1 + 9 * 0.1; theta2 about +x is -3 theta1, the joint counts about -x
    hf_check_near(hf_reading_v(&m, "g.a", 0), 2.0, 1e-9, "first", "M t/(I + 9 I)");
    hf_check_near(hf_reading_v(&m, "g.b", 0), 6.0, 1e-9, "second", "3 times, about -x");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// ------------------------------------------------------------------------------------------------
// Friction by direction

// A block pushed along and across fdir1: mu along, mu2 across. Gravity lies in the plane.
#define SLED                                                                                       \
    "<link name='floor'><collision name='c'><geometry><plane><normal>0 0 1</normal></plane>"       \
    "</geometry><surface><friction><ode><mu>9</mu><mu2>9</mu2></ode></friction></surface>"         \
    "</collision></link>"

static void test_friction_by_direction(void **state)
{
    (void)state;
    for (int across = 0; across < 2; ++across) {
        char text[1500];
        (void)snprintf(
            text, sizeof text,
            "<sdf version='1.7'><world name='w'><gravity>%s -9.8</gravity><model name='f'>"
            "<static>1</static>" SLED "</model><model name='b'><pose>0 0 0.1 0 0 0</pose><link "
            "name='block'><inertial><mass>1</mass></inertial><collision name='c'><geometry><box>"
            "<size>0.4 0.4 0.2</size></box></geometry><surface><friction><ode><mu>0.1</mu>"
            "<mu2>0.6</mu2><fdir1>1 0 0</fdir1></ode></friction></surface></collision></link>"
            "</model></world></sdf>",
            across ? "0 3" : "3 0");
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_machine m = hf_reading_start(robot, NULL);
        hf_reading_run(&m, 1.0);
        double v = hf_reading_v(&m, "w.block", across);
        hf_check_near(v, across ? 0.0 : 3.0 - 0.1 * G, 1e-6, "speed",
                      across ? "0.6 holds 3 m/s^2" : "g (0.306 - 0.1) t");
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
    hf_robot_options free_base = hf_robot_options_default();
    free_base.base = HF_ROBOT_BASE_FREE;
    hf_robot *robot = hf_reading_load(
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
        "izz='1'/></inertial><collision><geometry><box size='1 1 1'/></geometry></collision>"
        "</link><gazebo reference='a'><mu1>0.2</mu1><mu2>0.7</mu2><fdir1>0 1 0</fdir1></gazebo>"
        "</robot>",
        &free_base);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_has(robot, "friction_across: 0.7, friction_direction: [0, 1, 0]");
    hf_robot_destroy(robot);
    robot = hf_reading_load("<robot name='r'><link name='a'/><gazebo reference='a'><mu1>0.2</mu1>"
                            "<mu2>0.7</mu2></gazebo></robot>",
                            NULL);
    assert_int_equal(hf_reading_item(robot, "mu2", NULL).lot, HF_ROBOT_OTHERWISE);
    hf_robot_destroy(robot);
    // Without friction is without friction, and a mu2 alone has the default of 1 beside it
    robot = hf_reading_load(
        "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link><link name='b'><collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link><joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
        "</joint><gazebo reference='a'><mu1>0</mu1><mu2>0</mu2></gazebo><gazebo reference='b'>"
        "<mu2>0.7</mu2></gazebo></robot>",
        NULL);
    hf_reading_has(robot, "{friction: 0,");
    hf_reading_has(robot, "friction_across: 0.7, friction_direction: world");
    hf_robot_destroy(robot);
}

// Without fdir1: as ODE has it (0.16.2, seen there: 4 N on 2 kg, mu 0.5, mu2 0.1: 1 m/s^2 along x,
// nothing along y). With slip1 0.1 and slip2 0.02: 0.08 m/s along x and 0.4 m/s along y.
static void test_directions_of_ode(void **state)
{
    (void)state;
    static const char *const surfaces[] = {"<mu>0.5</mu><mu2>0.1</mu2>",
                                           "<mu>5</mu><mu2>5</mu2><slip1>0.1</slip1>"
                                           "<slip2>0.02</slip2>"};
    static const char *const pushes[] = {"2 0", "0 2", "2 2"};
    const double want[2][3][2] = {{{2.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}},
                                  {{0.08, 0.0}, {0.0, 0.4}, {0.08, 0.4}}};
    for (int i = 0; i < 6; ++i) {
        int slip = i / 3, push = i % 3;
        if (!slip && push == 2) {
            continue; // an ellipse here, a pyramid there
        }
        char text[1500];
        (void)snprintf(
            text, sizeof text,
            "<sdf version='1.7'><world name='w'><gravity>%s -10</gravity><model name='f'>"
            "<static>1</static>" SLED "</model><model name='b'><pose>0 0 0.1 0 0 0</pose><link "
            "name='block'><inertial><mass>2</mass></inertial><collision name='c'><geometry><box>"
            "<size>0.4 0.4 0.2</size></box></geometry><surface><friction><ode>%s</ode></friction>"
            "</surface></collision></link></model></world></sdf>",
            pushes[push], surfaces[slip]);
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_has(robot, "friction_direction: world");
        hf_reading_machine m = hf_reading_start(robot, NULL);
        hf_reading_run(&m, 2.0);
        for (int k = 0; k < 2; ++k) {
            hf_check_near(hf_reading_v(&m, "w.block", k), want[slip][push][k], 5e-5, "velocity",
                          "ODE");
        }
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
}

#define WHEEL(name, y)                                                                             \
    "<link name='" name "'><pose>0 " y " 0 -1.5707963267948966 0 0</pose><inertial><mass>0.2"      \
    "</mass><inertia><ixx>0.0006</ixx><iyy>0.0006</iyy><izz>0.001</izz></inertia></inertial>"      \
    "<collision name='c'><geometry><cylinder><radius>0.1</radius><length>0.04</length></cylinder>" \
    "</geometry><surface><friction><ode><mu>1</mu><mu2>0.6</mu2><fdir1>0 0 1</fdir1>"              \
    "<slip1>0.02</slip1><slip2>0.05</slip2></ode></friction></surface></collision></link>"         \
    "<joint name='j" name "' type='revolute'><parent>body</parent><child>" name "</child><axis>"   \
    "<xyz>0 0 1</xyz><limit><effort>5</effort></limit></axis></joint>"

// A car on tyres that slip, two wheels with 0.135 Nm each and a caster without friction: momentum
// 2.5 v + (2 I/r^2) w r = 2 T t/r. Both come to 1 m/s^2, and 1.25 N at each tyre, across fdir1, to
// a slip of 0.05 times that.
static void test_tyres_slip(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.9'><world name='w'><gravity>0 0 -9.8</gravity><model name='f'>"
        "<static>1</static>" SLED "</model><model name='car'><pose>0 0 0.1 0 0 0</pose><link "
        "name='body'><pose>0 0 0.05 0 0 0</pose><inertial><mass>2</mass><inertia><ixx>0.02</ixx>"
        "<iyy>0.03</iyy><izz>0.04</izz></inertia></inertial></link>" WHEEL("l", "0.15") WHEEL(
            "r", "-0.15") "<link name='caster'><pose>-0.2 0 -0.05 0 0 0</pose><inertial>"
                          "<mass>0.1</mass><inertia><ixx>1e-4</ixx><iyy>1e-4</iyy><izz>1e-4</izz></"
                          "inertia>"
                          "</inertial><collision "
                          "name='c'><geometry><sphere><radius>0.05</radius></sphere>"
                          "</geometry><surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></"
                          "friction></surface>"
                          "</collision></link><joint name='jc' type='fixed'><parent>body</parent>"
                          "<child>caster</child></joint></model></world></sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "jl"), 0.135);
    hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "jr"), 0.135);
    hf_reading_run(&m, 2.0);
    double v = hf_reading_v(&m, "w.body", 0), rim = 0.1 * hf_reading_v(&m, "w.jl", 0);
    hf_check_near(2.5 * v + 0.2 * rim, 5.4, 1e-8, "momentum", "2 T t/r");
    hf_check_near(rim - v, 0.0625, 1e-8, "slip of a tyre", "slip2 times the force");
    hf_check_near(hf_reading_q(&m, "w.body", 1), 0.0, 1e-8, "sideways", "symmetry");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A dumbbell whose inertia follows from its collisions: a rod of 500 kg/m^3 and two balls of 2000,
// hinged at its middle about z. Turned by 1 Nm for a second.
static void test_inertia_by_collisions(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.11'><model name='m'><link name='a'><inertial auto='true'><mass>77</mass>"
        "</inertial><collision name='r'><density>500</density><geometry><box><size>1 0.1 0.2"
        "</size></box></geometry></collision><collision name='b'><pose>0.5 0 0 0 0 0</pose>"
        "<density>2000</density><geometry><sphere><radius>0.1</radius></sphere></geometry>"
        "</collision><collision name='c'><pose>-0.5 0 0 0 0 0</pose><density>2000</density>"
        "<geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>"
        "<joint name='j' type='revolute'><parent>world</parent><child>a</child><axis><xyz>0 0 1"
        "</xyz><limit><effort>9</effort></limit></axis></joint></model></sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    assert_int_equal(hf_reading_item(robot, "mass", NULL).lot, HF_ROBOT_SEEN);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "j"), 1.0);
    hf_reading_run(&m, 1.0);
    double rod = 500.0 * 0.02, ball = 2000.0 * 4.0 / 3.0 * acos(-1.0) * 1e-3;
    double inertia = rod * (1.0 + 0.01) / 12.0 + 2.0 * ball * (0.4 * 0.01 + 0.25);
    hf_check_near(hf_reading_v(&m, "m.j", 0), 1.0 / inertia, 1e-12, "rate", "T t/I");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A decay of 0.002 a step of 1 ms: v = v0 exp(-2 t), and the same for turning.
static void test_velocities_decay(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.7'><world name='w'><gravity>0 0 0</gravity><model name='b'><link "
        "name='block'><velocity_decay><linear>0.002</linear><angular>0.002</angular>"
        "</velocity_decay></link></model></world></sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m =
        hf_reading_start(robot, "bodies.w.joints.block.velocity=[1, 0, 0, 0, 0, 3]");
    hf_reading_run(&m, 1.0);
    hf_check_near(hf_reading_v(&m, "w.block", 0), exp(-2.0), 1e-3, "speed", "exp(-2 t)");
    hf_check_near(hf_reading_v(&m, "w.block", 5), 3 * exp(-2.0), 3e-3, "turning", "exp(-2 t)");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

#define AXLE(name, child, more)                                                                    \
    "<joint name='" name "' type='revolute'><parent>base</parent><child>" child                    \
    "</child><axis><xyz>0 0 1</xyz>" more "</axis></joint>"

// An axis that follows another, one whose limits coincide, and one whose limits cross.
static void test_axes_follow_and_are_held(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.11'><model name='m'>" UNIT("base") UNIT("a") UNIT("b") UNIT("c") UNIT(
            "d") "<joint name='g' "
                 "type='fixed'><parent>world</parent><child>base</child></joint>" AXLE(
                     "lead", "a", "<limit><effort>10</effort></limit>")
                     AXLE("follow", "b",
                          "<mimic joint='lead' axis='axis'><multiplier>-2</multiplier>"
                          "<offset>0.3</offset><reference>0.1</reference></mimic>")
                         AXLE("held", "c", "<limit><lower>0.2</lower><upper>0.2</upper></limit>")
                             AXLE("crossed", "d",
                                  "<limit><lower>1</lower><upper>-1</upper></limit>") "</"
                                                                                      "model></"
                                                                                      "sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 1);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    set(&m, "lead", 0.5);
    hf_reading_run(&m, 0.5);
    double lead = hf_reading_q(&m, "m.lead", 0);
    hf_check_below(0.1, lead, "0.1", "it moves");
    hf_check_near(hf_reading_q(&m, "m.follow", 0), 0.3 - 2.0 * (lead - 0.1), 1e-12, "follower",
                  "-2 (q - 0.1) + 0.3");
    hf_check_near(hf_reading_q(&m, "m.held", 0), 0.2, 1e-12, "held", "its limits");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// What the account calls taken changes the model when it is deleted.
// A flag has one of six words.
static void test_words_of_flags(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        int flag; // -1: refused
    } words[] = {{"1", 1},     {"true", 1},  {"True", 1},    {"0", 0},  {"false", 0},
                 {"False", 0}, {"TRUE", -1}, {"falsch", -1}, {"2", -1}, {"no", -1}};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        char text[400];
        hf_error error = {0};
        (void)snprintf(text, sizeof text,
                       "<sdf version='1.7'><model name='m'><static>%s</static><link name='a'>"
                       "<inertial><mass>2</mass></inertial></link></model></sdf>",
                       words[i].word);
        hf_robot *robot = hf_robot_parse(text, strlen(text), "robot.sdf", NULL, NULL, &error);
        assert_int_equal(robot != NULL, words[i].flag >= 0);
        if (robot == NULL) {
            assert_non_null(strstr(error.text, "static must be true or false"));
        } else {
            assert_int_equal(strstr(hf_robot_model(robot), "type: free") == NULL, words[i].flag);
        }
        hf_robot_destroy(robot);
    }
}

static void test_what_is_taken_acts(void **state)
{
    (void)state;
    int tried = hf_reading_check_taken(
        "<sdf version='1.8'><world name='w'><gravity>0 1 -9</gravity><model name='m' "
        "placement_frame='top'><pose>1 2 3 0.1 0.2 0.3</pose><self_collide>1</self_collide>\n"
        "<link name='a'><pose relative_to='top'>0 0 1 0 0 0</pose><inertial><mass>2</mass><inertia>"
        "<ixx>0.3</ixx><iyy>0.4</iyy><izz>0.5</izz></inertia></inertial><velocity_decay><linear>"
        "0.01</linear><angular>0.02</angular></velocity_decay><collision name='c'><pose>0 0 0.1 0 "
        "0 0</pose><geometry><box><size>0.1 0.2 0.3</size></box></geometry><surface><friction><ode>"
        "<mu>0.3</mu><mu2>0.6</mu2><fdir1>0 1 0</fdir1></ode></friction></surface></collision>"
        "</link>\n<frame name='top' attached_to='n::b'><pose>0 0.5 0 0 0 0</pose></frame>"
        "<model name='n'><pose>0 0 2 0 0 0.4</pose><link name='b'><pose>0.1 0 0 0 0 0</pose>"
        "<collision name='c'><geometry><sphere><radius>0.2</radius></sphere></geometry>"
        "</collision></link></model>\n<link name='d'><pose>0 0 4 0 0 0</pose><collision "
        "name='c'><geometry><sphere>"
        "<radius>0.3</radius></sphere></geometry></collision></link>"
        "<joint name='j' type='screw'><pose>0 0 0.1 0 0 0</pose><parent>a</parent><child>n::b"
        "</child><screw_thread_pitch>0.2</screw_thread_pitch><axis><xyz "
        "expressed_in='__model__'>1 0 0</xyz><dynamics><damping>0.1</damping><friction>0.2"
        "</friction></dynamics></axis></joint>\n"
        "<joint name='k' type='revolute'><parent>a</parent><child>d</child><axis><xyz>0 1 0</xyz>"
        "</axis></joint><joint name='l' type='ball'><parent>n::b</parent><child>d</child></joint>\n"
        "</model></world></sdf>");
    assert_true(tried > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_model_in_a_model),
        cmocka_unit_test(test_models_of_other_files),
        cmocka_unit_test(test_a_second_joint_closes_a_loop),
        cmocka_unit_test(test_a_screw),
        cmocka_unit_test(test_a_gearbox),
        cmocka_unit_test(test_friction_by_direction),
        cmocka_unit_test(test_directions_of_ode),
        cmocka_unit_test(test_tyres_slip),
        cmocka_unit_test(test_inertia_by_collisions),
        cmocka_unit_test(test_velocities_decay),
        cmocka_unit_test(test_words_of_flags),
        cmocka_unit_test(test_what_is_taken_acts),
        cmocka_unit_test(test_axes_follow_and_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
