// SPDX-License-Identifier: Apache-2.0
// Lying cylinders and capsules that go over the end of a box, straight and at an angle. A face goes
// over into its edge, and a barrel into its rim, without a step: nothing strikes there.
//
// Without friction the axis of what slides over an edge, straight, moves like a point on a circle:
//   v^2 = u^2 + 2 g r (1 - cos a),   it leaves where v^2 = g r cos a,   cos a = 2/3 + u^2/(3 g r)
// and goes on with v cos a in level flight. What rolls faster than sqrt(g r) leaves at once. At an
// angle no energy is lost, no force acts along the edge, and of two bodies on smooth ground none
// acts along that.
#include <math.h>

#include <holdfast/contact.h>

#include "adaptive_test.h"

#define GRAVITY 9.81
#define RADIUS  0.05
#define EDGE    0.2

static const char *const SHAPES[] = {"cylinder", "capsule"};

typedef struct roll {
    const char *shape;
    bool moves; // the box it lies on, on smooth ground
    double angle, speed, friction;
    double rtol, atol;
} roll;

// 50 mm before the end of a box that is 0.5 m high, its axis at an angle to the end.
static hf_sim *sim_of(const roll *r, hf_model **model)
{
    char text[2000];
    double c = sqrt(0.5) * cos(0.5 * r->angle), s = sqrt(0.5) * sin(0.5 * r->angle);
    double x = cos(r->angle), y = sin(r->angle), spin = r->friction > 0.0 ? r->speed / RADIUS : 0.0;
    (void)snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "method: {type: switch, step: 0.01, rtol: %.17g, atol: %.17g}\nbodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  box: {type: %s, shape: {type: box, size: [0.4, 0.6, 0.5]}, position: [0, 0, 0.25]}\n"
        "  can: {type: rigid, mass: 1, shape: {type: %s, radius: 0.05, length: 0.2}, "
        "position: [0.15, 0.01, 0.55], orientation: [%.17g, %.17g, %.17g, %.17g], "
        "velocity: [%.17g, %.17g, 0], angular_velocity: [%.17g, %.17g, 0]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: %.17g}\n",
        r->rtol, r->atol, r->moves ? "rigid, mass: 2" : "static", r->shape, c, c, s, s,
        r->speed * x, r->speed * y, -spin * y, spin * x, r->friction);
    *model = model_of(text);
    return sim_from(*model, NULL);
}

static void destroy(hf_sim *sim, hf_model *model)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Straight

static void slides_over_as_a_point_on_a_circle(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        roll r = {.shape = SHAPES[i % 2], .speed = 0.3};
        r.rtol = r.atol = i < 2 ? 1e-8 : 1e-6;
        hf_model *model;
        hf_sim *sim = sim_of(&r, &model);
        run_until(sim, 0.35);
        double cosine = 2.0 / 3.0 + r.speed * r.speed / (3.0 * GRAVITY * RADIUS);
        double want = sqrt(GRAVITY * RADIUS * cosine) * cosine;
        hf_check_near(value_of(sim, "can.velocity.x"), want, 20.0 * r.atol, r.shape,
                      "closed form of a point on a circle");
        hf_check_near(value_of(sim, "can.angular_velocity.y"), 0.0, 1e-9, r.shape, "no friction");
        destroy(sim, model);
    }
}

// Features hand over within a margin m, which is 10 atol at 1 m/s: the normal there is m/r off, and
// so is the speed along it, of which friction may take as much from the spin.
static void rolls_off_into_free_fall(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        roll r = {.shape = SHAPES[i % 2], .moves = i % 4 > 1, .speed = 1.0, .friction = 0.3};
        r.rtol = r.atol = i < 4 ? 1e-8 : 1e-6;
        hf_model *model;
        hf_sim *sim = sim_of(&r, &model);
        run_until(sim, 0.2);
        double fallen = 0.2 - 0.05 / r.speed;
        double spin = 2.0 * 10.0 * r.atol * r.speed / (RADIUS * RADIUS);
        hf_check_near(value_of(sim, "can.position.x"), 0.35, 100.0 * r.atol, r.shape, "rolls on");
        hf_check_near(value_of(sim, "can.angular_velocity.y"), 20.0, spin, r.shape,
                      "spin of rolling");
        hf_check_near(value_of(sim, "can.position.z"), 0.55 - 0.5 * GRAVITY * fallen * fallen,
                      100.0 * r.atol, r.shape, "free fall from the end of the box");
        destroy(sim, model);
    }
}

// ------------------------------------------------------------------------------------------------
// At an angle

static void loses_nothing_at_an_angle(void **state)
{
    (void)state;
    static const double angles[] = {0.01, 0.1, 0.5};
    for (int i = 0; i < 12; ++i) {
        roll r = {.shape = SHAPES[i % 2],
                  .moves = i % 4 > 1,
                  .angle = angles[i / 4],
                  .speed = 0.3,
                  .rtol = 1e-7,
                  .atol = 1e-7};
        hf_model *model;
        hf_sim *sim = sim_of(&r, &model);
        run_until(sim, 0.4);
        hf_energy energy = hf_sim_energy(sim);
        hf_check_near(energy.dissipated, 0.0, 1e-6, r.shape, "no friction and no impact");
        hf_check_near(value_of(sim, "can.position.z") < 0.53, 1.0, 0.0, r.shape, "it fell");
        double along = value_of(sim, "can.velocity.y"), across = value_of(sim, "can.velocity.x");
        if (r.moves) {
            double box = value_of(sim, "box.velocity.x");
            hf_check_near(across + 2.0 * box, 0.3 * cos(r.angle), 1e-6, r.shape, "momentum");
        } else {
            hf_check_near(along, 0.3 * sin(r.angle), 1e-6, r.shape, "no force along the edge");
        }
        destroy(sim, model);
    }
}

// The same at two tolerances: an end of the can goes over the edge before the other does.
static void agrees_with_itself(void **state)
{
    (void)state;
    static const double angles[] = {0.01, 0.1};
    for (int i = 0; i < 8; ++i) {
        double ends[2][6];
        roll r = {.shape = SHAPES[i % 2], .moves = i % 4 > 1, .angle = angles[i / 4]};
        r.speed = 0.3;
        r.friction = 0.3;
        for (int k = 0; k < 2; ++k) {
            r.rtol = r.atol = k == 0 ? 1e-6 : 1e-8;
            hf_model *model;
            hf_sim *sim = sim_of(&r, &model);
            run_until(sim, 0.3);
            static const char *const channels[] = {
                "can.position.x",         "can.position.y",         "can.position.z",
                "can.angular_velocity.x", "can.angular_velocity.y", "can.angular_velocity.z"};
            for (int n = 0; n < 6; ++n) {
                ends[k][n] = value_of(sim, channels[n]);
            }
            destroy(sim, model);
        }
        for (int n = 0; n < 6; ++n) {
            hf_check_near(ends[0][n], ends[1][n], n < 3 ? 1e-4 : 5e-3, r.shape,
                          "the same at a hundredth of the tolerance");
        }
    }
}

// ------------------------------------------------------------------------------------------------
// A cart that slides to rest under a can

static double lands_at(double aside, double length, double rtol, double atol)
{
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "method: {type: switch, step: 0.01, rtol: %.17g, atol: %.17g}\nbodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  cart: {type: rigid, mass: 2, shape: {type: box, size: [0.4, 0.3, 0.1]}, "
        "position: [0, 0, 0.05], velocity: [2, %.17g, 0]}\n"
        "  can: {type: rigid, mass: 1, shape: {type: cylinder, radius: 0.05, length: %.17g}, "
        "position: [%.17g, %.17g, 0.15], orientation: {axis: [1, 0, 0], angle: "
        "1.5707963267948966}, velocity: [2, %.17g, 0]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0.3}\n",
        rtol, atol, 100.0 * aside, length, 10.0 * aside, aside, 100.0 * aside);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.5);
    double at = value_of(sim, "can.position.x");
    destroy(sim, model);
    return at;
}

static void rolls_off_a_cart(void **state)
{
    (void)state;
    static const double tolerances[][2] = {{1e-6, 1e-9}, {1e-5, 1e-8}};
    for (int i = 0; i < 4; ++i) {
        double aside = i % 2 == 0 ? 0.0 : 0.001, length = i % 2 == 0 ? 0.2 : 0.19;
        const double *t = tolerances[i / 2];
        hf_check_near(lands_at(aside, length, t[0], t[1]), lands_at(aside, length, 1e-8, 1e-10),
                      1e-5, "a can on a cart", "the same at small tolerances");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides_over_as_a_point_on_a_circle),
        cmocka_unit_test(rolls_off_into_free_fall), cmocka_unit_test(loses_nothing_at_an_angle),
        cmocka_unit_test(agrees_with_itself), cmocka_unit_test(rolls_off_a_cart)};
    return hf_run_tests(tests);
}
