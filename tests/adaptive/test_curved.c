// SPDX-License-Identifier: Apache-2.0
// Cylinders, cones, ellipsoids and surfaces of triangles under switch: rims, sides and curved faces
// as contacts whose points move.
#include <math.h>

#include <holdfast/contact.h>

#include "adaptive_test.h"

#define TIGHT "method: {type: switch, step: 0.01, rtol: 1e-9, atol: 1e-10}\n"
#define PLANE "bodies:\n  floor: {type: static, shape: {type: plane}}\n"

static hf_sim *begin(const char *machine, hf_model **model)
{
    *model = model_of(machine);
    return sim_from(*model, NULL);
}

static void finish(hf_model *model, hf_sim *sim)
{
    hf_verdict verdict = hf_sim_verdict(sim);
    hf_check_below(verdict.ledger, 1e-5, "ledger", "closed");
    assert_string_equal(verdict.why, "");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Down a slope a cylinder rolls with 2/3 of g sin, on two points of its rims.
static void a_cylinder_rolls(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = begin("gravity: [4.5, 0, -9]\n" TIGHT PLANE
                        "  log: {type: rigid, mass: 2, position: [0, 0, 0.1],\n"
                        "    shape: {type: cylinder, radius: 0.1, length: 0.3},\n"
                        "    orientation: {axis: [1, 0, 0], angle: 1.57079632679489662}}\n"
                        "forces:\n  - {name: touch, type: collide, among: all, friction: 0.3, "
                        "restitution: 0}\n",
                        &model);
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "log.position.x"), 1.5, 1e-7, "way", "g sin t^2/3");
    hf_check_near(value_of(sim, "log.angular_velocity.y"), 30.0, 1e-6, "spin", "v/r");
    hf_check_near(value_of(sim, "log.position.z"), 0.1, 1e-9, "height", "the radius");
    hf_check_near(value_of(sim, "touch.normal"), 18.0, 1e-6, "normal force", "m g cos");
    hf_check_near(value_of(sim, "touch.mode"), 0.0, 0.0, "mode", "rolls");
    finish(model, sim);
}

// Pulled at its middle by 5 t N, a cylinder tips where the pull is m g r/h, whichever way it goes:
// its points that stand are turned to the pressure. Before that it does not move.
static void a_cylinder_tips(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -10]\n" TIGHT PLANE
        "  can: {type: rigid, mass: 2, position: [0, 0, 0.2],\n"
        "    shape: {type: cylinder, radius: 0.1, length: 0.4}}\n"
        "forces:\n"
        "  - {name: touch, type: collide, among: all, friction: 0.8, restitution: 0}\n"
        "  - {name: pull, type: force, on: can, value: [\"%g*t\", \"%g*t\", 0]}\n";
    // Tilt b about the point of the rim: (I + m (r^2 + h^2)) b'' = F h' - m g r', with arms that
    // turn
    double inertia = 2.0 * (0.1 * 0.1 / 4.0 + 0.4 * 0.4 / 12.0 + 0.05), b = 0.0, rate = 0.0;
    const double h = 1e-5, start = atan2(0.2, 0.1), arm = sqrt(0.05);
    for (int i = 0; i < 20000; ++i) {
        double t = 2.0 + (i + 0.5) * h, middle = b + 0.5 * h * rate, angle = start + middle;
        rate += h * arm * (5.0 * t * sin(angle) - 20.0 * cos(angle)) / inertia;
        b += h * rate;
    }
    for (int i = 0; i < 3; ++i) {
        const double ways[3][2] = {{5.0, 0.0}, {3.0, 4.0}, {-4.9, 0.99498743710662}};
        char machine[900];
        hf_model *model;
        (void)snprintf(machine, sizeof machine, text, ways[i][0], ways[i][1]);
        hf_sim *sim = begin(machine, &model);
        run_until(sim, 1.99);
        hf_check_near(value_of(sim, "can.position.x"), 0.0, 1e-12, "x", "stands");
        hf_check_near(value_of(sim, "can.position.z"), 0.2, 1e-12, "z", "stands");
        run_until(sim, 2.2);
        double wx = value_of(sim, "can.angular_velocity.x");
        double wy = value_of(sim, "can.angular_velocity.y");
        hf_check_near(sqrt(wx * wx + wy * wy), rate, 1e-4 * rate, "spin", "pendulum");
        hf_check_near(wx * ways[i][0] + wy * ways[i][1], 0.0, 1e-4, "axis", "across the pull");
        finish(model, sim);
    }
}

// An ellipsoid on its flat side rocks with w^2 = g (a^2/c - c)/((a^2 + c^2)/5 + c^2).
static void an_ellipsoid_rocks(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = begin(
        "gravity: [0, 0, -10]\n" TIGHT PLANE
        "  egg: {type: rigid, mass: 2, shape: {type: ellipsoid, radii: [0.3, 0.2, 0.1]},\n"
        "    position: [0, 0, 0.1], velocity: [0.001, 0, 0], angular_velocity: [0, 0.01, 0]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 2, restitution: "
        "0}\n",
        &model);
    double w = sqrt(10.0 * (0.9 - 0.1) / ((0.09 + 0.01) / 5.0 + 0.01));
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "egg.angular_velocity.y"), 0.01 * cos(w), 1e-6, "spin", "w0 cos");
    finish(model, sim);
}

// What lies or stands keeps still: a cone on its base and on its side, a can on a can that is
// shifted, a log on two logs.
static void they_rest(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = begin(
        "gravity: [0, 0, -10]\n" TIGHT PLANE
        "  hat: {type: rigid, mass: 1, shape: {type: cone, radius: 0.1, length: 0.2},\n"
        "    position: [2, 0, 0.05]}\n"
        "  low: {type: rigid, mass: 1, shape: {type: cylinder, radius: 0.1, length: 0.1},\n"
        "    position: [0, 0, 0.05]}\n"
        "  high: {type: rigid, mass: 1, shape: {type: cylinder, radius: 0.1, length: 0.1},\n"
        "    position: [0.05, 0.02, 0.15]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0.5, restitution: 0}\n",
        &model);
    run_until(sim, 0.5);
    hf_check_near(value_of(sim, "hat.position.z"), 0.05, 1e-12, "cone", "stands");
    hf_check_near(value_of(sim, "high.position.x"), 0.05, 1e-12, "can on a can", "stands");
    hf_check_near(value_of(sim, "high.position.z"), 0.15, 1e-12, "can on a can", "stands");
    hf_check_near(value_of(sim, "touch.normal"), 40.0, 1e-6, "normal forces", "10, 20 and 10 N");
    finish(model, sim);
    sim = begin(
        "gravity: [0, 0, -10]\n" TIGHT "bodies:\n"
        "  left: {type: static, shape: {type: cylinder, radius: 0.1, length: 0.4},\n"
        "    position: [-0.12, 0, 0], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
        "  right: {type: static, shape: {type: cylinder, radius: 0.1, length: 0.4},\n"
        "    position: [0.12, 0, 0], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
        "  log: {type: rigid, mass: 2, shape: {type: cylinder, radius: 0.1, length: 0.4},\n"
        "    position: [0, 0, 0.161], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0, restitution: 0}\n",
        &model);
    run_until(sim, 0.3);
    hf_check_near(value_of(sim, "log.position.z"), 0.16, 1e-9, "log", "on two logs");
    hf_check_near(value_of(sim, "touch.normal"), 25.0, 1e-6, "normal forces", "m g/cos");
    finish(model, sim);
}

// A box and a ball over a floor of 32 triangles do as on a plane: nothing is felt of its seams.
static void triangles_are_a_plane(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = begin(
        "gravity: [2, 1, -9]\n" TIGHT "bodies:\n"
        "  floor: {type: static, shape: {type: heights, size: [4, 4], heights: [[0, 0, 0, 0, 0],\n"
        "    [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]}}\n"
        "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.3, 0.2, 0.1]},\n"
        "    position: [-0.2, 0.1, 0.05]}\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
        "    position: [-0.5, -0.7, 0.1]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0.1, restitution: 0}\n",
        &model);
    run_until(sim, 1.0);
    double pull = sqrt(5.0), slid = 0.5 * (pull - 0.9);
    hf_check_near(value_of(sim, "box.position.x"), -0.2 + slid * 2.0 / pull, 1e-6, "box", "plane");
    hf_check_near(value_of(sim, "box.position.z"), 0.05, 1e-9, "box", "on it");
    hf_check_near(value_of(sim, "ball.position.x"), -0.5 + 1.0 / 1.4, 1e-6, "ball", "rolls");
    hf_check_near(value_of(sim, "ball.position.y"), -0.7 + 0.5 / 1.4, 1e-6, "ball", "rolls");
    finish(model, sim);
}

// A saved run goes on with the same bits: points that stand turned, surfaces with their own
// numbers.
static void the_same_bits(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -10]\n" TIGHT "bodies:\n"
        "  floor: {type: static, position: [0, 0, -0.1],\n"
        "    shapes: {top: {type: box, size: [9, 9, 0.2], friction: 0.8, surface_velocity: [0.1, "
        "0, "
        "0]}}}\n"
        "  can: {type: rigid, mass: 2, position: [0, 0, 0.2],\n"
        "    shape: {type: cylinder, radius: 0.1, length: 0.4}}\n"
        "  egg: {type: rigid, mass: 2, position: [1, 0, 0.3], angular_velocity: [3, 2, 1],\n"
        "    shape: {type: ellipsoid, radii: [0.3, 0.2, 0.1]}}\n"
        "forces:\n"
        "  - {name: touch, type: collide, among: all, friction: 0.1, restitution: 0}\n"
        "  - {name: pull, type: force, on: can, value: [\"3*t\", \"4*t\", 0]}\n");
    const double times[3] = {0.3, 1.95, 2.05};
    for (int i = 0; i < 3; ++i) {
        hf_sim *first = sim_from(model, NULL), *second = sim_from(model, NULL);
        check_restored(first, second, times[i], times[i] + 0.15);
        hf_sim_destroy(first);
        hf_sim_destroy(second);
    }
    hf_model_destroy(model);
}

// Things on a belt that a post stops: how redundant points share the load of a can and a log has no
// end of ways, and the run goes on. A cone is carried along freely.
static void a_belt_with_a_post(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = begin(
        "gravity: [0, 0, -9.81]\nmethod: {type: switch, step: 0.01}\nbodies:\n"
        "  belt: {type: static, shapes: {top: {type: box, size: [6, 1, 0.2], position: [0, 0, "
        "-0.1],\n"
        "    surface_velocity: [1, 0, 0]}}}\n"
        "  post: {type: static, shape: {type: box, size: [0.1, 1, 0.3]}, position: [1.5, 0, "
        "0.15]}\n"
        "  can: {type: rigid, mass: 1, shape: {type: cylinder, radius: 0.1, length: 0.1},\n"
        "    position: [0, 0, 0.05]}\n"
        "  log: {type: rigid, mass: 1, shape: {type: cylinder, radius: 0.1, length: 0.3},\n"
        "    position: [0.5, 0, 0.1], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
        "  cone: {type: rigid, mass: 1, shape: {type: cone, radius: 0.1, length: 0.2},\n"
        "    position: [-0.5, 0, 0.05]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0.3, restitution: 0}\n",
        &model);
    run_until(sim, 1.2);
    double lag = 1.0 / (2.0 * 0.3 * 9.81);
    hf_check_near(value_of(sim, "cone.position.x"), -0.5 + 1.2 - lag, 1e-5, "cone", "carried");
    hf_check_near(value_of(sim, "log.position.x") - value_of(sim, "can.position.x"), 0.2, 1e-6,
                  "log and can", "in touch");
    finish(model, sim);
}

// Every pair of solids collides as it does under timestep, which comes near at first order.
static void pairs_as_under_timestep(void **state)
{
    (void)state;
    static const char *const shapes[] = {"{type: cylinder, radius: 0.08, length: 0.2}",
                                         "{type: cone, radius: 0.1, length: 0.2}",
                                         "{type: ellipsoid, radii: [0.12, 0.09, 0.06]}",
                                         "{type: sphere, radius: 0.1}",
                                         "{type: box, size: [0.2, 0.16, 0.12]}",
                                         "{type: capsule, radius: 0.06, length: 0.2}"};
    static const char *const methods[] = {"{type: switch, step: 0.01, rtol: 1e-8, atol: 1e-9}",
                                          "{type: timestep, step: 4e-4}",
                                          "{type: timestep, step: 4e-5}"};
    for (int k = 0; k < 18; ++k) {
        double z[3], x[3];
        for (int i = 0; i < 3; ++i) {
            char machine[1200];
            (void)snprintf(
                machine, sizeof machine,
                "method: %s\nbodies:\n"
                "  low: {type: rigid, mass: 2, shape: %s, velocity: [0, 0, 4],\n"
                "    orientation: {axis: [0.3, 1, %g], angle: 1}}\n"
                "  high: {type: rigid, mass: 1, shape: %s, position: [0.03, 0.02, 0.4],\n"
                "    orientation: {axis: [1, 0.2, -0.4], angle: %g}, angular_velocity: [1, 2, 1]}\n"
                "forces:\n  - {name: touch, type: collide, among: all, friction: 0.3, "
                "restitution: 0.4}\n",
                methods[i], shapes[k / 6], 0.1 * (k % 6), shapes[k % 6], 2.0 - 0.3 * (k / 6));
            hf_model *model;
            hf_sim *sim = begin(machine, &model);
            run_until(sim, 0.12);
            z[i] = value_of(sim, "high.position.z");
            x[i] = value_of(sim, "high.position.x");
            if (i == 0) {
                assert_true(hf_sim_get_stats(sim).events > 0);
                finish(model, sim);
            } else {
                hf_sim_destroy(sim);
                hf_model_destroy(model);
            }
        }
        char what[60];
        (void)snprintf(what, sizeof what, "pair %d of timestep", k);
        double off = fabs(z[1] - z[0]) + fabs(x[1] - x[0]);
        hf_check_below(fabs(z[2] - z[0]) + fabs(x[2] - x[0]), fmax(0.4 * off, 2.0 * 4.0 * 4e-5),
                       what, "nearer at a tenth of the step");
        hf_check_near(z[2], z[0], 1e-3, what, "switch");
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cylinder_rolls),      cmocka_unit_test(a_cylinder_tips),
        cmocka_unit_test(an_ellipsoid_rocks),    cmocka_unit_test(they_rest),
        cmocka_unit_test(triangles_are_a_plane), cmocka_unit_test(the_same_bits),
        cmocka_unit_test(a_belt_with_a_post),    cmocka_unit_test(pairs_as_under_timestep),
    };
    return hf_run_tests(tests);
}
