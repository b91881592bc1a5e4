// SPDX-License-Identifier: Apache-2.0
// Shapes on driven bodies: what moves as it is told and moves what it touches.
#include "contact_test.h"

#include <math.h>

static const char BOX[] =
    "  box: {type: rigid, mass: 1, position: [%s], shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
    "forces:\n"
    "  - {name: c, type: collide, among: all, friction: %g, restitution: 0}\n";

static hf_sim *start(const char *driven, const char *place, double mu, hf_method_def method,
                     hf_model **model)
{
    char text[1200], rest[400];
    (void)snprintf(rest, sizeof rest, BOX, place, mu);
    (void)snprintf(text, sizeof text, "gravity: [0, 0, -10]\nbodies:\n%s\n%s", driven, rest);
    *model = model_of(text);
    return sim_with(*model, method);
}

static void finish(hf_sim *sim, hf_model *model)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A tray that tips: the box sticks until the slope is mu, and then slides as on a slope.
static void a_tray_tips(void **state)
{
    (void)state;
    const char *trays[] = {"  tray: {type: driven, axes: xyz, position: [0, 0, 0], angles: [0, "
                           "-0.1*t, 0], shape: {type: box, size: [2, 1, 0.1]}}",
                           "  tray: {type: driven, axes: xyz, position: [0, 0, 0], angle: 0.1*t, "
                           "axis: [0, -2, 0], shapes: [{type: box, size: [2, 1, 0.1]}]}"};
    for (int i = 0; i < 2; ++i) {
        hf_model *model;
        hf_sim *sim = start(trays[i], "0, 0, 0.1", 0.3, timestep(2e-3), &model);
        double slope = atan(0.3) / 0.1;
        run_until(sim, slope - 0.04);
        // The tray moves it by 0.1 rad/s: along the tray it has moved by the method's order.
        double angle = 0.1 * (slope - 0.04), x = value_of(sim, "box.position.x"),
               z = value_of(sim, "box.position.z");
        hf_check_near(cos(angle) * x + sin(angle) * z, 0.0, 1e-4, "place along the tray",
                      "at rest");
        hf_check_near(cos(angle) * z - sin(angle) * x, 0.1, 1e-6, "height", "on the tray");
        hf_check_near(value_of(sim, "box.angular_velocity.y"), -0.1, 1e-8, "spin", "the tray's");
        run_until(sim, slope + 0.5);
        assert_true(value_of(sim, "box.velocity.x") < -0.02); // it slides
        finish(sim, model);
    }
}

// On a turntable a box is carried round where w^2 r < mu g, and not faster.
static void a_turntable_carries(void **state)
{
    (void)state;
    char table[200];
    for (int k = 0; k < 2; ++k) {
        hf_model *model;
        double spin = k == 0 ? 3.0 : 5.0; // mu g = 5 m/s^2 at 0.3 m: 4.1 rad/s
        (void)snprintf(table, sizeof table,
                       "  table: {type: driven, axes: xyz, position: [0, 0, 0], angle: "
                       "\"t < 2 ? 0.25*%g*t^2 : %g*(t-1)\", shape: {type: cylinder, radius: 2, "
                       "length: 0.1}}",
                       spin, spin);
        hf_sim *sim = start(table, "0.3, 0, 0.1", 0.5, timestep(1e-3), &model);
        run_until(sim, 3.0);
        double r = hypot(value_of(sim, "box.position.x"), value_of(sim, "box.position.y"));
        if (k == 0) {
            hf_check_near(r, 0.3, 0.003, "radius", "carried round"); // w^2 h t / 2 = 0.4 %
            hf_check_near(value_of(sim, "box.angular_velocity.z"), 3.0, 1e-6, "spin",
                          "the table's");
        } else {
            assert_true(r > 0.5); // thrown off
        }
        finish(sim, model);
    }
}

// Pushed and carried by what is led: the drive puts in what friction takes, under methods that
// solve contacts and under those that have springs in them.
static void pushers_do_the_work(void **state)
{
    (void)state;
    const char *scene =
        "  pusher: {type: driven, axes: xyz, position: [-0.101+0.2*t, 0, 0.06], shape: {type: box, "
        "size: [0.1, 0.6, 0.1]}}\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  wall: {type: driven, axes: x, velocity: -0.1, start: 3, shape: {type: box, size: [1, 1, "
        "1]}}";
    const hf_method_def methods[] = {timestep(1e-3), {.type = HF_METHOD_RK4, .step = 5e-4}};
    for (int i = 0; i < 2; ++i) {
        hf_model *model;
        hf_sim *sim = start(scene, "0, 0, 0.05", 0.4, methods[i], &model);
        run_until(sim, 1.0);
        double way = value_of(sim, "box.position.x"), heat = value_of(sim, "energy.dissipated");
        hf_check_near(way, 0.199, i == 0 ? 1e-5 : 1e-3, "way", "the pusher's");
        // The pusher's friction may carry some of the weight: up to mu of what it pushes with.
        assert_true(heat < 0.4 * 10.0 * way + 0.03 && heat > 0.4 * 10.0 * way / 1.17);
        double kinetic = value_of(sim, "energy.kinetic");
        hf_check_near(kinetic, 0.02, i == 0 ? 1e-9 : 1e-4, "kinetic energy", "m v^2 / 2");
        hf_check_near(value_of(sim, "energy.input"), heat + kinetic, i == 0 ? 1e-6 : 0.01, "input",
                      "heat and motion");
        hf_check_near(value_of(sim, "energy.residual"), 0.0, i == 0 ? 1e-10 : 5e-3, "residual",
                      "closed ledger");
        finish(sim, model);
    }
}

// Where the angles begin is where the shape is: neither the start nor the check looks at zero.
static void it_begins_where_it_is(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = start("  gate: {type: driven, axes: xyz, position: [1, 0, 0], angles: [0, 0, "
                        "1.5], shape: {type: box, size: [2, 0.1, 1]}}",
                        "0, 0, 0", 0.5, timestep(1e-3), &model);
    run_until(sim, 0.1);
    hf_check_near(value_of(sim, "gate.position.yaw"), 1.5, 1e-15, "yaw", "the file's");
    hf_check_near(value_of(sim, "box.position.z"), -0.05, 1e-3, "fall", "free");
    finish(sim, model);
}

// What a turntable carries stays on its circle, and turns with it: a surface that turns and a body
// that does, one that moves and turns, at 1 and 5 ms. (It went outwards by w^2 r h/2 a second.)
static void turntables_carry(void **state)
{
    (void)state;
    const char *tables[] = {
        "  table: {type: static, position: [0, 0, -0.05], shape: {type: cylinder, radius: 1,\n"
        "    length: 0.1, surface_spin: [0, 0, 2]}}",
        "  table: {type: driven, axes: xyz, position: [0, 0, -0.05], angle: 2*t, axis: [0, 0, 1],\n"
        "    shape: {type: cylinder, radius: 1, length: 0.1}}",
        "  table: {type: driven, axes: xyz, position: [0.1*t, 0, -0.05], angle: 2*t,\n"
        "    axis: [0, 0, 1], shape: {type: box, size: [2, 2, 0.1]}}"};
    const char *things[] = {"box, size: [0.1, 0.1, 0.05]", "cylinder, radius: 0.05, length: 0.05"};
    for (int i = 0; i < 12; ++i) {
        char text[1200];
        double slide = i % 3 == 2 ? 0.1 : 0.0, h = i < 6 ? 1e-3 : 5e-3;
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -10]\nbodies:\n%s\n"
                       "  box: {type: rigid, mass: 1, position: [0.5, 0, 0.025],\n"
                       "    velocity: [%g, 1, 0], angular_velocity: [0, 0, 2],\n"
                       "    shape: {type: %s}}\n"
                       "forces:\n"
                       "  - {name: c, type: collide, among: all, friction: 0.5, restitution: 0}\n",
                       tables[i % 3], slide, things[i / 3 % 2]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(h));
        run_until(sim, 6.0);
        hf_check_near(value_of(sim, "box.position.x"), 0.5 * cos(12.0) + 6.0 * slide, 1e-8, "x",
                      "circle");
        hf_check_near(value_of(sim, "box.position.y"), 0.5 * sin(12.0), 1e-8, "y", "circle");
        finish(sim, model);
    }
}

// What slides over one is not led: held at one place, it feels friction along the surface's
// velocity there; a sphere rolls in a circle of its own, at 2/7 of the table's spin.
static void turntables_pass_under(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -10]\nbodies:\n"
        "  table: {type: static, position: [0, 0, -0.05], shape: {type: cylinder, radius: 2,\n"
        "    length: 0.1, surface_spin: [0, 0, 7]}}\n"
        "  ball: {type: rigid, mass: 1, position: [0.5, 0, 0.05], velocity: [0, 0.2, 0],\n"
        "    angular_velocity: [66, 0, 0], shape: {type: sphere, radius: 0.05}}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: all, friction: 0.5, restitution: 0}\n");
    hf_sim *sim = sim_with(model, timestep(1e-4));
    double period = 2.0 * 3.14159265358979 / 2.0;
    run_until(sim, round(period / 1e-4) * 1e-4);
    hf_check_near(value_of(sim, "ball.position.x"), 0.5, 2e-3, "x after a circle", "closed form");
    hf_check_near(value_of(sim, "ball.position.y"), 0.0, 2e-3, "y after a circle", "closed form");
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turntables_carry),    cmocka_unit_test(turntables_pass_under),
        cmocka_unit_test(a_tray_tips),         cmocka_unit_test(a_turntable_carries),
        cmocka_unit_test(pushers_do_the_work), cmocka_unit_test(it_begins_where_it_is),
    };
    return hf_run_tests(tests);
}
