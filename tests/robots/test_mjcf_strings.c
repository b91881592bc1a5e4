// SPDX-License-Identifier: Apache-2.0
// MJCF: tendons through sites, around spheres and cylinders, from the inside and over pulleys;
// actuators on them and on sites; drag of a fluid. Lengths, rates and accelerations at random
// states against MuJoCo 2.2.2.
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim_data.h"

static const char STRINGS[] =
    "<mujoco model='string'> <compiler angle='radian' autolimits='true'/> <option "
    "timestep='0.001' gravity='0 0 -9.81' density='1.2' viscosity='0.03'/> <worldbody> <site "
    "name='w0' pos='0.1 0.02 0.5'/> <geom name='post' type='sphere' size='0.05' pos='0.05 0 "
    "0.3' contype='0' conaffinity='0'/> <site name='w1' pos='-0.1 0 0.35'/> <body "
    "name='upper' pos='0 0 0.3'> <joint name='shoulder' type='hinge' axis='0 1 0' "
    "damping='0.01'/> <joint name='swing' type='hinge' axis='1 0 0' damping='0.01'/> <geom "
    "name='rod' type='capsule' fromto='0 0 0 0.3 0 0' size='0.02' mass='0.6' contype='0' "
    "conaffinity='0'/> <geom name='drum' type='cylinder' size='0.03 0.1' pos='0.15 0 0.04' "
    "euler='1.5707963 0.2 0' contype='0' conaffinity='0' mass='0.1'/> <site name='side' "
    "pos='0.15 0 0.12'/> <site name='u0' pos='0.06 0 0.02'/> <site name='u1' pos='0.28 0 "
    "0.02'/> <body name='lower' pos='0.3 0 0'> <joint name='elbow' type='hinge' axis='0 1 "
    "0.1' damping='0.01' stiffness='0.7' springref='0.4'/> <geom type='capsule' fromto='0 0 "
    "0 0.25 0 0' size='0.015' mass='0.3' contype='0' conaffinity='0'/> <geom name='eye' "
    "type='sphere' size='0.03' pos='0.05 0 0.0' contype='0' conaffinity='0' mass='0.05'/> "
    "<site name='in' pos='0.05 0 0.01'/> <site name='l0' pos='0.2 0.01 0.03'/> <site "
    "name='l1' pos='0.24 0 -0.02'/> </body> </body> </worldbody> <tendon> <spatial "
    "name='plain' stiffness='40' damping='0.3' springlength='0.3'> <site site='w0'/><site "
    "site='u1'/><site site='l0'/> </spatial> <spatial name='ball' stiffness='10' "
    "damping='0.1'><site site='w0'/><geom geom='post'/><site site='u0'/></spatial> <spatial "
    "name='ballside' stiffness='13' damping='0.2'><site site='w1'/><geom geom='post' "
    "sidesite='w0'/><site site='u0'/></spatial> <spatial name='cyl' stiffness='16' "
    "damping='0.3'><site site='u0'/><geom geom='drum' sidesite='side'/><site "
    "site='l0'/></spatial> <spatial name='cylfree' stiffness='19' damping='0.4'><site "
    "site='w0'/><geom geom='drum'/><site site='l1'/></spatial> <spatial name='inner' "
    "stiffness='22' damping='0.5'><site site='u0'/><geom geom='eye' sidesite='in'/><site "
    "site='l0'/></spatial> <spatial name='pulleys' stiffness='9' damping='0.1'> <pulley "
    "divisor='2'/><site site='w0'/><site site='u1'/> <pulley divisor='3'/><site "
    "site='u1'/><geom geom='drum' sidesite='side'/><site site='l1'/><site site='w1'/> "
    "</spatial> </tendon> <actuator> <general name='pull' tendon='cyl' gear='2' gainprm='20' "
    "biastype='affine' biasprm='0 -20 -1'/> <motor name='jet' site='l1' gear='0 0.5 1 0.1 0 "
    "0.02' ctrlrange='-2 2'/> <general name='push' site='u1' gear='1 0 0 0 0 0' gainprm='2' "
    "biastype='affine' biasprm='0.1 -3 -0.4' forcerange='-5 5'/> </actuator> </mujoco>";

enum { JOINTS = 3, TENDONS = 7, INPUTS = 3, STATES = 6 };

static const char *const TENDON_NAMES[TENDONS] = {"plain",   "ball",  "ballside", "cyl",
                                                  "cylfree", "inner", "pulleys"};
static const char *const JOINT_NAMES[JOINTS] = {"string.shoulder", "string.swing", "string.elbow"};
static const char *const INPUT_NAMES[INPUTS] = {"pull", "jet", "push"};

static const struct {
    double q[JOINTS], v[JOINTS], input[INPUTS], length[TENDONS], rate[TENDONS], dv[JOINTS];
} CASES[STATES] = {
    {{0.1473124204889463, -0.66004004937598482, -0.2565797294753509},
     {-0.1121232132949509, -0.42991749822623915, -0.71043789745794506},
     {0.095331749341139471, 0.54701805547672233, 0.593102754486307},
     {0.50278929557576268, 0.19709661773041531, 0.1677846653483705, 0.4400078527225027,
      0.49971586383799121, 0.43187417244833659, 0.56004466936085295},
     {-0.036777356682912377, -0.0016331959827583968, -0.0014235303413782077, -0.052351070755808526,
      -0.099866503157164568, -0.027167527888147681, -0.034196339067890193},
     {122.26505424010234, 337.8108281976078, -544.21566178859462}},
    {{-0.64606878135635926, -1.1903721459165084, -0.09460587003017111},
     {-0.64735340962528876, 0.25233245978706176, 0.88974719768843946},
     {0.51912689896725439, -0.73500459081726366, -0.36437868751323721},
     {0.34022616083754537, 0.16777614870004789, 0.14485167870569543, 0.45084169809549102,
      0.3544088292845699, 0.43751121423422079, 0.46469723674399577},
     {-0.12386403631985449, -0.019848726918461092, -0.03173878105868936, 0.053409320092619915,
      -0.057998021934529215, 0.027818953589390846, -0.071462369566276607},
     {30.208489309685827, -71.973659003023897, -64.127344674707899}},
    {{-1.1021919060043022, -0.13452611329710398, -0.78133788946146976},
     {-0.26695866289872616, -0.88236144365852764, 0.12486561626422477},
     {-0.54909117813179786, 0.56802958055307606, 0.10266578400166038},
     {0.26237581432040763, 0.16557863089269262, 0.1101581888519262, 0.39029407517596471,
      0.30320614587747924, 0.40652143404409269, 0.37987840516698584},
     {0.015685748944320389, 0.0049413894477306286, -0.013880980558161941, 0.014343856169552123,
      0.026022985411967698, 0.0071822944065914086, 0.0065481511676495369},
     {273.1229206518264, 38.517170675755843, -1374.7388737132085}},
    {{0.051081679971461111, -0.70349129564291391, 0.88506077401575667},
     {0.54093229656151132, 0.53651760403836035, -0.81248272946685685},
     {-0.50466310919945268, -0.43170420764093487, -0.18180017076982191},
     {0.4992725732563511, 0.19202883600159121, 0.165599717019183, 0.46776960377556714,
      0.52255252253154238, 0.42106851246146937, 0.52471467059457133},
     {0.1071858014580879, 0.024217792913827661, 0.012009654854627912, 0.020733896596639784,
      0.15497779551635107, 0.045629087412616509, 0.11238749967523773},
     {-44.801724477471801, 91.746980634956117, 286.46713874897711}},
    {{-0.45998645055107135, 0.66180406672032721, -0.6156513844689594},
     {-0.59251837040880617, -0.98688726312801578, -0.50501960865455664},
     {0.24648255342453834, -0.4756805045649784, 0.56048463904787083},
     {0.36493433115518908, 0.17096850322450574, 0.14756169889334664, 0.40830912413640347,
      0.34891147327820771, 0.41560381785046319, 0.46576163199164322},
     {-0.15574155392336519, -0.029665842616596085, -0.033092166449167543, -0.051753815496847037,
      -0.17412523658048329, -0.026266018423267742, -0.12504086500824416},
     {89.960717404312845, -132.15652486592674, -306.53689155139062}},
    {{0.26206872270538867, -1.1304857689563583, 0.92076807716897136},
     {0.73255235223684112, -0.86056472913388382, -0.34479836437143307},
     {-0.68892191743427977, -0.095642544024457488, -0.17036985602247054},
     {0.54625060501431766, 0.21111345790420588, 0.17106464375992739, 0.4668039035754713,
      0.53818442778193376, 0.41904026501409553, 0.54449278189393302},
     {0.15174383765348307, 0.059749491241446316, 0.011787586969988759, 0.0098502294933549474,
      0.095367874135466144, 0.019804493041768473, 0.098936138745116031},
     {-52.492367922172775, 174.96017575108033, 289.11323075861191}},
};

// Positions, velocities and inputs of a case.
static void set_case(hf_reading_machine *m, int k)
{
    hf_error error = {0};
    for (int i = 0; i < JOINTS; ++i) {
        hf_body joint = hf_spec_find_body(m->spec, JOINT_NAMES[i]);
        assert_int_equal(hf_sim_set_position(m->sim, joint, &CASES[k].q[i], &error), HF_OK);
        assert_int_equal(hf_sim_set_velocity(m->sim, joint, &CASES[k].v[i], &error), HF_OK);
    }
    for (int i = 0; i < INPUTS; ++i) {
        hf_sim_set_input(m->sim, hf_spec_find_signal(m->spec, INPUT_NAMES[i]), CASES[k].input[i]);
    }
}

static double channel(const hf_reading_machine *m, const char *force, const char *what)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%s-spring.%s", force, what);
    hf_channel found = hf_model_find_channel(m->model, name);
    assert_int_not_equal(found.id, 0);
    return hf_sim_value(m->sim, found);
}

static void test_strings_and_drag(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(STRINGS, NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    for (int k = 0; k < STATES; ++k) {
        set_case(&m, k);
        for (int i = 0; i < TENDONS; ++i) {
            // MuJoCo finds where a string touches from within by Newton's method, to 1e-6 rad
            double allowed = strcmp(TENDON_NAMES[i], "inner") == 0 ? 1e-9 : 1e-14;
            hf_check_near(channel(&m, TENDON_NAMES[i], "gap"), CASES[k].length[i], allowed,
                          "length", TENDON_NAMES[i]);
            hf_check_near(channel(&m, TENDON_NAMES[i], "rate"), CASES[k].rate[i], allowed, "rate",
                          TENDON_NAMES[i]);
        }
        hf_sim_eval(m.sim, 0.0, HF_SIDE_RIGHT, 0.0, m.sim->x, m.sim->slope);
        for (int i = 0; i < JOINTS; ++i) {
            int v =
                hf_model_body_slots(m.model, hf_spec_find_body(m.spec, JOINT_NAMES[i])).velocity;
            hf_check_near(m.sim->slope[m.model->nq + v], CASES[k].dv[i],
                          1e-9 * (1.0 + fabs(CASES[k].dv[i])), "acceleration", JOINT_NAMES[i]);
        }
    }
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// Ellipsoids in a dense and in a thick fluid. MuJoCo has the mass of fluid that goes along by a
// quadrature of 1e-6 (a sphere's is 5.654863e-5 m^3 in place of 5.654867e-5), here it is exact.
static const char WET[] =
    "<mujoco model='m'><compiler angle='radian' autolimits='true'/><option density='%g' "
    "viscosity='0.9'/><worldbody><body pos='0 0 1'><joint name='j0' axis='0 1 0'/>"
    "<joint name='j1' axis='1 0 0.2'/><geom type='ellipsoid' size='0.1 0.05 0.03' "
    "pos='0.2 0.01 0' euler='0.3 0.2 0.1' fluidshape='ellipsoid' contype='0' conaffinity='0'/>"
    "<body pos='0.3 0 0'><joint name='j2' axis='0 1 0.2'/><geom type='capsule' size='0.03 0.1' "
    "pos='0.05 0 0.1' fluidshape='ellipsoid' fluidcoef='0.6 0.2 1.2 0.9 0.8' contype='0' "
    "conaffinity='0'/><geom type='box' size='0.03 0.1 0.05' pos='0.2 0 0' fluidshape='ellipsoid' "
    "contype='0' conaffinity='0'/></body></body></worldbody></mujoco>";

enum { WET_STATES = 4 };

// Accelerations at a density of 1000 and of 0 kg/m^3.
typedef struct wet_case {
    double q[JOINTS], v[JOINTS], dv[2][JOINTS];
} wet_case;

static const wet_case WET_CASES[WET_STATES] = {
    {{-0.87989720603446342, 0.57663693073049038, -0.59386338181507936},
     {-0.30287373219750535, -0.27678119450657679, -0.73072267031796401},
     {{20.691584940515309, 0.81732086004976168, -36.862495372040996},
      {20.367464419842424, -0.082153638943321283, -38.327574109997691}}},
    {{-0.24806394113603236, -0.481356682014352, -0.91136749643430459},
     {0.75912305887747689, 0.26073120593127386, -0.24571004847330513},
     {{31.848945859184603, 11.138653223497352, -43.134332211300986},
      {33.640259114937415, 12.408490424244285, -44.858369856040589}}},
    {{-0.36054281767482999, 0.65571578948559051, -0.14979067032681348},
     {-0.026736820594750688, 0.58139011803147844, 0.91054046894914498},
     {{25.044309904170852, 9.6910562700083815, -20.619179281105176},
      {25.141864388667319, 10.335815304928023, -19.460693355478533}}},
    {{0.42751321821823396, -0.29592479639496883, 0.68388050686748714},
     {-0.275239775551129, -0.23395859135033492, -0.84302745100251752},
     {{39.863503802135192, -1.2673766854952673, -55.443353603841437},
      {39.745624073034804, -1.1521421988388694, -58.17554284415052}}},
};

// The same bodies in a wind, the first of them by the box of its inertia.
static const char WINDY[] =
    "<mujoco model='m'><compiler angle='radian' autolimits='true'/><option density='%g' "
    "wind='1.5 -0.7 0.4' viscosity='0.9'/><worldbody><body pos='0 0 1'><joint name='j0' "
    "axis='0 1 0'/><joint name='j1' axis='1 0 0.2'/><geom type='ellipsoid' size='0.1 0.05 0.03' "
    "pos='0.2 0.01 0' euler='0.3 0.2 0.1' contype='0' conaffinity='0'/><body pos='0.3 0 0'>"
    "<joint name='j2' axis='0 1 0.2'/><geom type='capsule' size='0.03 0.1' pos='0.05 0 0.1' "
    "fluidshape='ellipsoid' fluidcoef='0.6 0.2 1.2 0.9 0.8' contype='0' conaffinity='0'/>"
    "<geom type='box' size='0.03 0.1 0.05' pos='0.2 0 0' fluidshape='ellipsoid' contype='0' "
    "conaffinity='0'/></body></body></worldbody></mujoco>";

static const wet_case WINDY_CASES[WET_STATES] = {
    {{-0.45050880752993228, -0.90706447041922456, 0.98551044891844986},
     {-0.83993910990652587, -0.70462240637495288, -0.84071065478059959},
     {{103.91943009923537, -85.345743574644871, -80.407344447090111},
      {28.51788693354133, -5.596508266578283, -5.0862283133592356}}},
    {{-0.43886704716778691, -0.1030891896705558, -0.0035043344849274849},
     {0.78800372583233003, -0.96865072658688334, -0.45069956753901186},
     {{6.2964608728190363, 11.323315757694393, 53.52106219356245},
      {35.679478636652632, 2.0937415299341833, -45.73442185785828}}},
    {{0.94283748136034129, -0.557443709837945, -0.1670098058725753},
     {-0.48772599896775837, -0.27316138486990771, -0.45630577740087441},
     {{-55.561597972521795, 46.61854766998843, 144.57973346799778},
      {4.8212817699354762, 1.9856715051438472, 25.30679939943915}}},
    {{-0.16806646770241973, -0.4875141547469023, -0.39429907658803232},
     {-0.077460723499516382, -0.09766607037636732, -0.42921812340115106},
     {{-43.495731252126632, 25.94227000288927, 180.2729849633177},
      {30.809925931653495, -0.69625117487097166, -26.617092640944328}}},
};

static void check_wet(const char *format, const wet_case *cases)
{
    static const char *const joints[JOINTS] = {"m.j0", "m.j1", "m.j2"};
    for (int thick = 0; thick < 2; ++thick) {
        char text[2000];
        (void)snprintf(text, sizeof text, format, thick == 1 ? 0.0 : 1000.0);
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        // Each ellipsoid's laws by its number, from one on
        hf_reading_has(robot, "fluid-1-x");
        hf_reading_has(robot, "fluid-2-about-z");
        hf_reading_machine m = hf_reading_start(robot, NULL);
        hf_error error = {0};
        for (int k = 0; k < WET_STATES; ++k) {
            for (int i = 0; i < JOINTS; ++i) {
                hf_body joint = hf_spec_find_body(m.spec, joints[i]);
                assert_int_equal(hf_sim_set_position(m.sim, joint, &cases[k].q[i], &error), HF_OK);
                assert_int_equal(hf_sim_set_velocity(m.sim, joint, &cases[k].v[i], &error), HF_OK);
            }
            hf_sim_eval(m.sim, 0.0, HF_SIDE_RIGHT, 0.0, m.sim->x, m.sim->slope);
            for (int i = 0; i < JOINTS; ++i) {
                int v = hf_model_body_slots(m.model, hf_spec_find_body(m.spec, joints[i])).velocity;
                double want = cases[k].dv[thick][i];
                hf_check_near(m.sim->slope[m.model->nq + v], want,
                              (thick == 1 ? 1e-11 : 2e-6) * (1.0 + fabs(want)), "acceleration",
                              "MuJoCo 2.2.2");
            }
        }
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
}

static void test_ellipsoids_in_a_fluid(void **state)
{
    (void)state;
    check_wet(WET, WET_CASES);
}

static void test_wind(void **state)
{
    (void)state;
    check_wet(WINDY, WINDY_CASES);
}

// A sphere that falls in a wind ends with it: no force is left across its fall. Without a fluid
// the wind is only seen.
static void test_a_sphere_goes_with_the_wind(void **state)
{
    (void)state;
    hf_robot *robot =
        hf_reading_load("<mujoco model='m'><option wind='1 2 -0.5'/><option timestep='0.001' "
                        "gravity='0 0 0' density='20' viscosity='0.5' "
                        "/><worldbody><body euler='20 30 40'><freejoint name='j'/><geom size='0.1' "
                        "mass='0.7' fluidshape='ellipsoid'/></body></worldbody></mujoco>",
                        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    static const char *const methods[] = {"method={type: timestep, step: 5e-3}",
                                          "method={type: rk4, step: 5e-3}",
                                          "method={type: discrete, step: 5e-3}"};
    static const double wind[3] = {1.0, 2.0, -0.5};
    for (int i = 0; i < 3; ++i) {
        hf_reading_machine m = hf_reading_start(robot, methods[i]);
        hf_reading_run(&m, 20.0);
        for (int k = 0; k < 3; ++k) {
            hf_check_near(hf_reading_v(&m, "m.j", k), wind[k], 1e-6, "velocity", methods[i]);
        }
        hf_reading_end(&m);
    }
    hf_robot_destroy(robot);
    robot = hf_reading_load("<mujoco><option wind='1 0 0'/><worldbody><body><freejoint/><geom "
                            "size='0.1'/></body></worldbody></mujoco>",
                            NULL);
    assert_int_equal(hf_reading_item(robot, "option", "wind").lot, HF_ROBOT_SEEN);
    hf_robot_destroy(robot);
}

// A sphere of radius r that falls in a fluid of density rho and viscosity eta ends at the speed of
// 6 pi r eta v + k_b rho pi r^2 v^2 = m g, under every method.
static void test_a_sphere_sinks(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco model='m'><option timestep='0.001' density='2' viscosity='0.5'/><worldbody><body>"
        "<joint name='j' type='slide' axis='0 0 1'/><geom size='0.1' mass='0.7' "
        "fluidshape='ellipsoid'/></body></worldbody></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    static const char *const methods[] = {"method={type: timestep, step: 5e-3}",
                                          "method={type: rk4, step: 5e-3}",
                                          "method={type: discrete, step: 5e-3}"};
    double a = 0.5 * 2.0 * 3.14159265358979 * 0.01, b = 6.0 * 3.14159265358979 * 0.1 * 0.5;
    double speed = (sqrt(b * b + 4.0 * a * 0.7 * 9.81) - b) / (2.0 * a);
    for (int i = 0; i < 3; ++i) {
        hf_reading_machine m = hf_reading_start(robot, methods[i]);
        hf_reading_run(&m, 10.0);
        hf_check_near(hf_reading_v(&m, "m.j", 0), -speed, 1e-6, "speed", methods[i]);
        hf_reading_end(&m);
    }
    hf_robot_destroy(robot);
}

// A drone of four rotors: hovers at a quarter of its weight each, and turns by their torques.
static void test_rotors_lift(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><option timestep='0.001'/><worldbody><body name='drone'><freejoint name='f'/>"
        "<inertial pos='0 0 0' mass='1.2' diaginertia='0.01 0.01 0.02'/>"
        "<site name='a' pos='0.1 0.1 0'/><site name='b' pos='-0.1 0.1 0'/>"
        "<site name='c' pos='-0.1 -0.1 0'/><site name='d' pos='0.1 -0.1 0'/></body></worldbody>"
        "<actuator><motor name='ra' site='a' gear='0 0 1 0 0 0.02'/>"
        "<motor name='rb' site='b' gear='0 0 1 0 0 -0.02'/>"
        "<motor name='rc' site='c' gear='0 0 1 0 0 0.02'/>"
        "<motor name='rd' site='d' gear='0 0 1 0 0 -0.02'/></actuator></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    const double quarter = 1.2 * 9.81 / 4.0;
    static const char *const rotors[] = {"ra", "rb", "rc", "rd"};
    for (int i = 0; i < 4; ++i) {
        double more = i % 2 == 0 ? 0.05 : -0.05;
        hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, rotors[i]), quarter + more);
    }
    hf_reading_run(&m, 1.0);
    hf_check_near(hf_reading_v(&m, "robot.f", 2), 0.0, 1e-12, "climb", "all carry a quarter");
    hf_check_near(hf_reading_v(&m, "robot.f", 5), 4.0 * 0.05 * 0.02 / 0.02, 1e-12, "turning",
                  "torque over inertia");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A tendon over joints is slack where the springs of these rest, whether they have any:
// MuJoCo 2.2.2 has tendon_lengthspring 0.75 here (1.5 times 0.5). Damped, the hinge comes to rest
// at its springref.
static void test_slack_where_joints_rest(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><compiler angle='radian'/><option timestep='0.002' gravity='0 0 0'/><worldbody>"
        "<body><joint name='h' axis='0 1 0' ref='0.2' springref='0.5' damping='1'/><inertial "
        "pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></worldbody><tendon><fixed "
        "name='t' stiffness='50'><joint joint='h' coef='1.5'/></fixed></tendon></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    assert_int_equal(hf_reading_item(robot, "joint", "springref").lot, HF_ROBOT_TAKEN);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 20.0);
    hf_check_near(hf_reading_q(&m, "robot.h", 0), 0.3, 1e-12, "where it rests",
                  "springref less ref");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_and_drag),
        cmocka_unit_test(test_ellipsoids_in_a_fluid),
        cmocka_unit_test(test_wind),
        cmocka_unit_test(test_a_sphere_goes_with_the_wind),
        cmocka_unit_test(test_a_sphere_sinks),
        cmocka_unit_test(test_rotors_lift),
        cmocka_unit_test(test_slack_where_joints_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
