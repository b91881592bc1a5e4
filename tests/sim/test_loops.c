// SPDX-License-Identifier: Apache-2.0
// Closed chains under fixed steps: against joints of trees, closed forms of planar mechanisms, and
// conservation laws.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

// ------------------------------------------------------------------------------------------------
// A physical pendulum: a rod as a link of a tree, and as a rigid body on a loop

static double pendulum_angle(hf_sim *sim, hf_body rod)
{
    const double *q = hf_sim_position(sim, rod); // of the center, rod along -z at rest
    return atan2(q[0], -q[2]);
}

static double run_pendulum(bool loop, hf_loop_type type, double step, double seconds)
{
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_body rod;
    assert_int_equal(hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -9.81}, &error), HF_OK);
    if (loop) {
        rod = loop_scene_rod(spec, "rod", 1.5, 0.8, 1.0);
        hf_loop_def def = hf_loop_def_default();
        def.name = "pin";
        def.type = type;
        def.on_frame = (hf_frame){rod, {0.0, 0.0, 0.4}, loop_scene_turn(-0.5 * LOOP_PI, 0)};
        def.to_frame = (hf_frame){{0}, {0.0, 0.0, 0.0}, loop_scene_turn(-0.5 * LOOP_PI, 0)};
        assert_int_not_equal(hf_spec_add_loop(spec, &def, &error).id, 0);
    } else {
        hf_tree tree = hf_spec_add_tree(spec, "tree", &error);
        hf_joint_def def = hf_joint_def_default(HF_JOINT_REVOLUTE);
        def.name = "rod";
        def.axis = (hf_vec3){0.0, -1.0, 0.0};
        def.mass = 1.5;
        def.center = (hf_vec3){0.0, 0.0, -0.4};
        def.inertia = loop_scene_rod_inertia(1.5, 0.8);
        def.position[0] = 1.0;
        rod = hf_spec_add_joint(spec, tree, &def, &error);
    }
    hf_sim *sim = loop_scene_start(spec, HF_METHOD_RK4, step);
    loop_scene_run(sim, seconds);
    double angle = loop ? pendulum_angle(sim, rod) : hf_sim_q(sim, (hf_coordinate){rod, 0});
    if (loop) {
        hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-14, "opening", "rounding");
        assert_int_equal(hf_model_get_info(hf_sim_model(sim)).freedoms,
                         type == HF_LOOP_REVOLUTE ? 1 : 3);
    }
    loop_scene_finish(sim);
    return angle;
}

static void test_pendulum(void **state)
{
    (void)state;
    double exact = run_pendulum(false, HF_LOOP_POINT, 1e-4, 1.0);
    const hf_loop_type types[] = {HF_LOOP_REVOLUTE, HF_LOOP_POINT};
    for (int i = 0; i < 2; ++i) {
        double coarse = fabs(run_pendulum(true, types[i], 1e-2, 1.0) - exact);
        double fine = fabs(run_pendulum(true, types[i], 5e-3, 1.0) - exact);
        hf_check_near(log2(coarse / fine), 4.0, 0.25, "order", "Runge and Kutta");
        hf_check_near(run_pendulum(true, types[i], 1e-3, 1.0), exact, 1e-10, "angle",
                      "joint of a tree");
    }
}

// ------------------------------------------------------------------------------------------------
// Four-bar

// The angle of the rocker and coupler for a crank angle, from the triangle of diagonal and bars.
static void four_bar_closed(double crank, double ground, double a, double b, double c,
                            double *coupler, double *rocker)
{
    double x = ground - a * cos(crank), y = -a * sin(crank);
    double diagonal = hypot(x, y), direction = atan2(y, x);
    *coupler = direction + acos((b * b + diagonal * diagonal - c * c) / (2.0 * b * diagonal));
    double ex = a * cos(crank) + b * cos(*coupler) - ground;
    double ey = a * sin(crank) + b * sin(*coupler);
    *rocker = atan2(ey, ex);
}

static void test_four_bar(void **state)
{
    (void)state;
    const double ground = 1.0, a = 0.3, b = 0.9, c = 0.7;
    loop_four_bar bar = loop_scene_four_bar(ground, a, b, c, 0.4, 6.0, HF_LOOP_REVOLUTE);
    hf_sim *sim = loop_scene_start(bar.spec, HF_METHOD_RK4, 1e-3);
    hf_model_info info = hf_model_get_info(hf_sim_model(sim));
    assert_int_equal(info.loop_rows, 5);
    assert_int_equal(info.loop_rank, 2);
    assert_int_equal(info.freedoms, 1);
    assert_int_equal(hf_model_loop_info(hf_sim_model(sim), (hf_loop){1}).redundant, 3);
    double energy = hf_sim_energy(sim).kinetic + hf_sim_energy(sim).potential;
    for (int i = 0; i < 30; ++i) {
        double coupler, rocker, crank = hf_sim_q(sim, bar.crank);
        four_bar_closed(crank, ground, a, b, c, &coupler, &rocker);
        hf_check_near(crank + hf_sim_q(sim, bar.coupler), coupler, 1e-12, "coupler", "triangle");
        hf_check_near(hf_sim_q(sim, bar.rocker), rocker, 1e-12, "rocker", "triangle");
        loop_scene_run(sim, hf_sim_time(sim) + 0.05);
    }
    hf_energy now = hf_sim_energy(sim);
    hf_check_near(now.kinetic + now.potential, energy, 1e-6 * energy, "energy", "conservation");
    hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-14, "opening", "rounding");
    loop_scene_finish(sim);
}

// The same hinge twice: nothing moves otherwise, and each carries half of the force.
static void test_double(void **state)
{
    (void)state;
    hf_error error;
    loop_four_bar one = loop_scene_four_bar(1.0, 0.3, 0.9, 0.7, 0.4, 6.0, HF_LOOP_REVOLUTE);
    loop_four_bar two = loop_scene_four_bar(1.0, 0.3, 0.9, 0.7, 0.4, 6.0, HF_LOOP_REVOLUTE);
    hf_loop_def def = hf_loop_def_default();
    def.name = "second";
    def.type = HF_LOOP_REVOLUTE;
    def.on_frame.body = two.coupler.body;
    def.on_frame.point.x = 0.9;
    def.to_frame.body = two.rocker.body;
    def.to_frame.point.x = 0.7;
    assert_int_not_equal(hf_spec_add_loop(two.spec, &def, &error).id, 0);
    hf_sim *a = loop_scene_start(one.spec, HF_METHOD_RK4, 1e-3);
    hf_sim *b = loop_scene_start(two.spec, HF_METHOD_RK4, 1e-3);
    assert_int_equal(hf_model_get_info(hf_sim_model(b)).loop_rows, 10);
    assert_int_equal(hf_model_get_info(hf_sim_model(b)).loop_rank, 2);
    assert_int_equal(hf_model_loop_info(hf_sim_model(b), (hf_loop){2}).redundant, 5);
    loop_scene_run(a, 1.0);
    loop_scene_run(b, 1.0);
    hf_check_near(hf_sim_q(b, two.crank), hf_sim_q(a, one.crank), 1e-10, "crank", "one hinge");
    const char *axes[] = {"x", "y"};
    for (int i = 0; i < 2; ++i) {
        char whole[32], half[32];
        (void)snprintf(whole, sizeof whole, "pin.force.%s", axes[i]);
        (void)snprintf(half, sizeof half, "second.force.%s", axes[i]);
        double f = loop_scene_value(a, whole);
        hf_check_near(loop_scene_value(b, half), 0.5 * f, 1e-7 * (1.0 + fabs(f)), half, "half");
        hf_check_near(loop_scene_value(b, whole), 0.5 * f, 1e-7 * (1.0 + fabs(f)), whole, "half");
    }
    loop_scene_finish(a);
    loop_scene_finish(b);
}

// ------------------------------------------------------------------------------------------------
// Slider-crank

static const char SLIDER_CRANK[] =
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  engine:\n"
    "    type: tree\n"
    "    joints:\n"
    "      crank: {type: revolute, mass: 1, center: [0.05, 0, 0], inertia: [0, 0.01, 0.01],\n"
    "              position: 0.3, velocity: 20}\n"
    "      rod: {type: revolute, parent: crank, offset: [0.1, 0, 0], mass: 0.5,\n"
    "            center: [0.15, 0, 0], inertia: [0, 0.00375, 0.00375]}\n"
    "  piston:\n"
    "    type: tree\n"
    "    joints:\n"
    "      slide: {type: prismatic, axis: [1, 0, 0], mass: 2, guess: 0.4}\n"
    "loops:\n"
    "  pin: {type: point, on: engine.rod, to: piston.slide, point: [0.3, 0, 0]}\n";

// Positions of the slider, and the inertia that the crank feels, at a crank angle.
static double crank_inertia(double angle, double *slide, double *slope)
{
    const double r = 0.1, l = 0.3;
    double s = sin(angle), c = cos(angle), root = sqrt(l * l - r * r * s * s);
    double rod = -r * c / root; // of the rod's absolute angle -asin(r s/l)
    *slide = r * c + root;
    *slope = -r * s - r * r * s * c / root;
    // center of the rod: crank pin + half of the rod
    double x = -r * s + 0.15 * (r * s / l) * rod, y = r * c + 0.15 * (root / l) * rod;
    double crank = 0.01 + 1.0 * 0.05 * 0.05;
    return crank + 0.5 * (x * x + y * y) + 0.00375 * rod * rod + 2.0 * *slope * *slope;
}

// Without forces the energy alone gives the rate at every angle.
static void test_slider_crank(void **state)
{
    (void)state;
    double error[2];
    for (int run = 0; run < 2; ++run) {
        hf_sim *sim =
            loop_scene_start(loop_scene_parse(SLIDER_CRANK), HF_METHOD_RK4, run == 0 ? 1e-3 : 5e-4);
        double slide, slope, start = crank_inertia(0.3, &slide, &slope) * 20.0 * 20.0;
        error[run] = 0.0;
        for (int i = 1; i <= 40; ++i) {
            double crank = loop_scene_value(sim, "engine.crank.position");
            double rate = loop_scene_value(sim, "engine.crank.velocity");
            double inertia = crank_inertia(crank, &slide, &slope);
            hf_check_near(loop_scene_value(sim, "piston.slide.position"), slide, 1e-14, "slide",
                          "closed form");
            hf_check_near(loop_scene_value(sim, "piston.slide.velocity"), slope * rate, 1e-12,
                          "velocity", "closed form");
            error[run] = fmax(error[run], fabs(rate - sqrt(start / inertia)));
            loop_scene_run(sim, 0.02 * i); // 2.5 turns in all: many dead centers
        }
        loop_scene_finish(sim);
    }
    hf_check_below(error[0], 1e-3, "error of the rate", "energy");
    hf_check_near(log2(error[0] / error[1]), 4.0, 0.4, "order", "Runge and Kutta");
}

// ------------------------------------------------------------------------------------------------
// Other types

// A mass on a rod: the force in the rod is m (g cos + v^2/l).
static void test_distance(void **state)
{
    (void)state;
    hf_sim *sim =
        loop_scene_start(loop_scene_parse("gravity: [0, 0, -9.81]\n"
                                          "bodies:\n"
                                          "  bob: {type: mass, dim: 2, axes: xz, "
                                          "mass: 2, position: [0.6, -0.8]}\n"
                                          "loops:\n"
                                          "  rod: {type: distance, on: bob, length: 1}\n"),
                         HF_METHOD_RK4, 1e-3);
    assert_int_equal(hf_model_get_info(hf_sim_model(sim)).freedoms, 1);
    for (int i = 1; i < 10; ++i) {
        loop_scene_run(sim, 0.1 * i);
        double x = loop_scene_value(sim, "bob.position.x");
        double z = loop_scene_value(sim, "bob.position.z");
        double vx = loop_scene_value(sim, "bob.velocity.x");
        double vz = loop_scene_value(sim, "bob.velocity.z");
        double pull = 2.0 * (-9.81 * z + vx * vx + vz * vz);
        // Loops are not corrected below 32 roundings of the reach
        hf_check_near(hypot(x, z), 1.0, 32 * 2.3e-16, "length", "rod");
        hf_check_near(loop_scene_value(sim, "rod.force.x"), -pull * x, 1e-12 * pull, "pull x",
                      "closed form");
        hf_check_near(loop_scene_value(sim, "rod.force.z"), -pull * z, 1e-12 * pull, "pull z",
                      "closed form");
        hf_check_near(0.5 * (vx * vx + vz * vz) + 9.81 * (z + 0.8), 0.0, 1e-9, "energy",
                      "conservation");
    }
    loop_scene_finish(sim);
}

// A body on a rail at 30 degrees falls with half of gravity, without turning; a second one, welded
// to it, goes along as if they were one.
static void test_rail(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("gravity: [0, 0, -10]\n"
                         "bodies:\n"
                         "  sled: {type: rigid, mass: 3, inertia: [0.1, 0.2, 0.3]}\n"
                         "  load: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], "
                         "position: [0, 0.5, 0.3]}\n"
                         "loops:\n"
                         "  rail: {type: prismatic, on: sled, to: world, "
                         "axis: [0.86602540378443865, 0, -0.5], "
                         "to_axis: [0.86602540378443865, 0, -0.5]}\n"
                         "  weld: {type: fixed, on: load, to: sled, to_point: [0, 0.5, 0.3]}\n"),
        HF_METHOD_RK4, 1e-2);
    hf_model_info info = hf_model_get_info(hf_sim_model(sim));
    assert_int_equal(info.loop_rank, 11);
    assert_int_equal(info.freedoms, 1);
    loop_scene_run(sim, 1.0);
    hf_check_near(loop_scene_value(sim, "load.position.z"), 0.3 - 1.25, 1e-13, "z", "g sin/2");
    hf_check_near(loop_scene_value(sim, "load.position.y"), 0.5, 1e-14, "y", "rail");
    hf_check_near(loop_scene_value(sim, "sled.orientation.w"), 1.0, 1e-14, "turn", "rail");
    // what the weld must hold: m (a - g) = 1 kg across the rail, g cos 30
    hf_check_near(loop_scene_value(sim, "weld.force.x"), 10.0 * cos(LOOP_PI / 6.0) * 0.5, 1e-11,
                  "force x", "m (a - g)");
    hf_check_near(loop_scene_value(sim, "weld.force.z"),
                  10.0 * cos(LOOP_PI / 6.0) * cos(LOOP_PI / 6.0), 1e-11, "force z", "m (a - g)");
    hf_check_near(loop_scene_value(sim, "weld.torque.x"), 0.0, 1e-11, "torque", "no turning");
    loop_scene_finish(sim);
}

// ------------------------------------------------------------------------------------------------
// Random machines

enum { CHAIN = 4 };

static void add_chain(hf_spec *spec, hf_rng *rng, const char *name, double x, hf_body *links)
{
    hf_error error;
    hf_tree tree = hf_spec_add_tree(spec, name, &error);
    for (int i = 0; i < CHAIN; ++i) {
        char joint[8];
        hf_joint_type type = i == 1 && hf_rng_bool(rng) ? HF_JOINT_SPHERICAL : HF_JOINT_REVOLUTE;
        hf_joint_def def = hf_joint_def_default(type);
        (void)snprintf(joint, sizeof joint, "j%d", i);
        def.name = joint;
        def.parent = i == 0 ? (hf_body){0} : links[i - 1];
        def.offset = i == 0 ? (hf_vec3){x, 0.0, 0.0} : (hf_vec3){0.0, 0.0, -0.4};
        def.axis = (hf_vec3){hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng)};
        def.mass = hf_rng_uniform(rng, 0.5, 2.0);
        def.center = (hf_vec3){hf_rng_uniform(rng, -0.1, 0.1), 0.0, -0.2};
        def.inertia = (hf_sym3){0.02, 0.03, 0.025, 0.001, 0.0, 0.0};
        if (type == HF_JOINT_REVOLUTE) {
            def.position[0] = hf_rng_uniform(rng, -0.7, 0.7);
            def.velocity[0] = hf_rng_uniform(rng, -1.0, 1.0);
        }
        links[i] = hf_spec_add_joint(spec, tree, &def, &error);
        assert_int_not_equal(links[i].id, 0);
    }
}

static hf_spec *random_machine(uint64_t seed, hf_loop_def *loops, int *count)
{
    hf_error error;
    hf_rng rng = hf_rng_create(seed);
    hf_spec *spec = hf_spec_create();
    hf_body left[CHAIN], right[CHAIN];
    assert_int_equal(hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -9.81}, &error), HF_OK);
    add_chain(spec, &rng, "left", 0.0, left);
    add_chain(spec, &rng, "right", 0.5, right);
    hf_rigid_def rigid = hf_rigid_def_default();
    rigid.name = "free";
    rigid.position = (hf_vec3){0.3, 0.4, -1.0};
    rigid.spin = (hf_vec3){0.5, -1.0, 0.2};
    hf_body free = hf_spec_add_rigid(spec, &rigid, &error);
    static const hf_loop_type types[] = {HF_LOOP_POINT, HF_LOOP_DISTANCE, HF_LOOP_REVOLUTE};
    static const char *const names[] = {"one", "two"};
    for (*count = 0; *count < 2; ++*count) {
        hf_loop_def *def = &loops[*count];
        *def = hf_loop_def_default();
        def->name = names[*count];
        def->type = types[hf_rng_int(&rng, 0, 2)];
        def->length = def->type == HF_LOOP_DISTANCE ? 0.5 : 0.0;
        def->on_frame.body = *count == 0 ? left[hf_rng_int(&rng, 2, 3)] : right[3];
        def->to_frame.body = *count == 0 ? right[hf_rng_int(&rng, 2, 3)] : free;
        def->on_frame.point = (hf_vec3){0.0, hf_rng_uniform(&rng, -0.2, 0.2), -0.3};
    }
    return spec;
}

// Loops that are closed where the machine happens to be.
static void add_closed_loops(hf_spec *spec, hf_loop_def *loops, int count)
{
    hf_error error;
    hf_model *model = hf_model_compile(spec, &error);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    for (int i = 0; i < count; ++i) {
        hf_vec3 at, p = hf_sim_point(sim, loops[i].on_frame);
        hf_quat a, b;
        hf_sim_pose(sim, loops[i].on_frame.body, &at, &a);
        hf_sim_pose(sim, loops[i].to_frame.body, &at, &b);
        // point and turn of `on` in the frame of `to`
        hf_quat back = {b.w, -b.x, -b.y, -b.z}, d = {0.0, p.x - at.x, p.y - at.y, p.z - at.z};
        hf_quat r = loop_scene_quat(loop_scene_quat(back, d), b);
        loops[i].to_frame.point = (hf_vec3){r.x, r.y, r.z};
        loops[i].to_frame.point.x += loops[i].length;
        loops[i].to_frame.turn = loop_scene_quat(back, a);
        assert_int_not_equal(hf_spec_add_loop(spec, &loops[i], &error).id, 0);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static double random_residual(uint64_t seed, double step)
{
    hf_loop_def loops[2];
    int count = 0;
    hf_spec *spec = random_machine(seed, loops, &count);
    add_closed_loops(spec, loops, count);
    hf_sim *sim = loop_scene_start(spec, HF_METHOD_RK4, step);
    loop_scene_run(sim, 0.4);
    double residual = hf_sim_energy(sim).residual;
    hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-13, "opening", "rounding");
    hf_check_below(hf_sim_get_stats(sim).largest_opening_angle, 1e-13, "angle", "rounding");
    loop_scene_finish(sim);
    return fabs(residual);
}

// Loops do no work: what the ledger misses falls with the order of the method, at least, once the
// step is small enough for what the machine does.
static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        double step = 4e-3, coarse, fine = random_residual(seed, step);
        do {
            coarse = fine;
            step *= 0.5;
            fine = random_residual(seed, step);
        } while (coarse > 1e-5 && step > 2e-4);
        hf_check_below(coarse, 1e-5, "residual [J]", "loops do no work");
        if (coarse > 1e-8 && !(fine < coarse / 8.0)) {
            fail_msg("seed %d: residual %g at %g s, %g at half of it", (int)seed, coarse,
                     2.0 * step, fine);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Habits

static uint64_t hash_run(bool reversed)
{
    const char *left =
        "  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\n"
        "  b: {type: rigid, mass: 2, inertia: [0.2, 0.1, 0.2], position: [2, 0, 0]}\n";
    const char *right =
        "  b: {type: rigid, mass: 2, inertia: [0.2, 0.1, 0.2], position: [2, 0, 0]}\n"
        "  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\n";
    const char *first = "  p: {type: point, on: a, to: world, point: [-1, 0, 0]}\n"
                        "  q: {type: revolute, on: b, to: a, point: [-1, 0, 0]}\n";
    const char *second = "  q: {type: revolute, on: b, to: a, point: [-1, 0, 0]}\n"
                         "  p: {type: point, on: a, to: world, point: [-1, 0, 0]}\n";
    char text[1000];
    (void)snprintf(text, sizeof text, "gravity: [0, 1, -9.81]\nbodies:\n%sloops:\n%s",
                   reversed ? right : left, reversed ? second : first);
    hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, 5e-3);
    loop_scene_run(sim, 1.0);
    hf_body body = hf_model_find_body(hf_sim_model(sim), "b");
    uint64_t hash = 0;
    for (int i = 0; i < 7; ++i) {
        uint64_t bits;
        memcpy(&bits, hf_sim_position(sim, body) + i, sizeof bits);
        hash = hash * 1099511628211u ^ bits;
    }
    loop_scene_finish(sim);
    return hash;
}

static void test_order_of_declaration(void **state)
{
    (void)state;
    assert_true(hash_run(false) == hash_run(true));
}

static void test_no_allocation(void **state)
{
    (void)state;
    hf_error error;
    loop_four_bar bar = loop_scene_four_bar(1.0, 0.3, 0.9, 0.7, 0.4, 6.0, HF_LOOP_REVOLUTE);
    hf_sim *sim = loop_scene_start(bar.spec, HF_METHOD_RK4, 1e-3);
    long long before = hf_test_allocations();
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    assert_int_equal(hf_test_allocations() - before, 0);
    loop_scene_finish(sim);
}

// A saved state goes on with the same bits; a body that the caller moved is joined again.
static void test_save_and_move(void **state)
{
    (void)state;
    hf_error error;
    static unsigned char saved[1 << 16];
    loop_four_bar bar = loop_scene_four_bar(1.0, 0.3, 0.9, 0.7, 0.4, 6.0, HF_LOOP_REVOLUTE);
    hf_sim *sim = loop_scene_start(bar.spec, HF_METHOD_RK4, 1e-3);
    loop_scene_run(sim, 0.1);
    assert_true(hf_sim_save_size(sim) <= sizeof saved);
    hf_sim_save(sim, saved);
    loop_scene_run(sim, 0.2);
    double angle = hf_sim_q(sim, bar.crank);
    assert_int_equal(hf_sim_restore(sim, saved, hf_sim_save_size(sim), &error), HF_OK);
    loop_scene_run(sim, 0.2);
    hf_check_same_bits(hf_sim_q(sim, bar.crank), angle, "crank");
    double moved = angle + 0.01;
    assert_int_equal(hf_sim_set_position(sim, bar.crank.body, &moved, &error), HF_OK);
    loop_scene_run(sim, 0.3);
    double coupler, rocker, crank = hf_sim_q(sim, bar.crank);
    four_bar_closed(crank, 1.0, 0.3, 0.9, 0.7, &coupler, &rocker);
    hf_check_near(hf_sim_q(sim, bar.rocker), rocker, 1e-12, "rocker", "triangle");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-6, "residual", "ledger");
    loop_scene_finish(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),      cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_double),        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_distance),      cmocka_unit_test(test_rail),
        cmocka_unit_test(test_random),        cmocka_unit_test(test_order_of_declaration),
        cmocka_unit_test(test_no_allocation), cmocka_unit_test(test_save_and_move),
    };
    return hf_run_tests(tests);
}
