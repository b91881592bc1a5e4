// SPDX-License-Identifier: Apache-2.0
// What lies on a line, spins and rolls: a capsule and a cylinder at 1 m/s and 8 rad/s, on a plane
// and over a tile that lies 0.1 mm lower. Timestep comes to the answer of switch, and the nearer
// the smaller its steps are. The ends of what spins and rolls rise and fall by the turn of a step
// alone; where they were closed without being led back they rose from step to step until the body
// fell, a thousand times in a second: 0.8 % off at 0.1 ms, for 0.02 % at 1 ms.
#include <hf_machine.h>

#include <math.h>

#define PLANE "  floor: {type: static, shape: {type: plane}}\n"
#define LOWER                                                                                      \
    "  one: {type: static, shape: {type: box, size: [1, 2, 0.2]}, position: [-0.4, 0, -0.1]}\n"    \
    "  two: {type: static, shape: {type: box, size: [1, 2, 0.2]}, position: [0.6, 0, -0.1001]}\n"

typedef struct place {
    double x, y;
} place;

static place slide(const char *shape, const char *floor, const char *method)
{
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\nmethod: {%s}\nbodies:\n%s"
                   "  body: {type: rigid, mass: 1, shape: {type: %s, radius: 0.05, length: 0.2},\n"
                   "    orientation: {axis: [1, 0, 0], angle: 1.5707963267948966},\n"
                   "    position: [-0.15, 0.013, 0.05], velocity: [1, 0.3, 0],\n"
                   "    angular_velocity: [0, 0, 8]}\nforces:\n"
                   "  - {name: c, type: collide, among: all, friction: 0.2, restitution: 0}\n",
                   method, floor, shape);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.8);
    place at = {value_of(sim, "body.position.x"), value_of(sim, "body.position.y")};
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return at;
}

static void compare(const char *shape, const char *floor, double slope, double least)
{
    place want = slide(shape, floor, "type: switch, step: 0.01, rtol: 1e-7, atol: 1e-9");
    static const double steps[] = {2e-3, 1e-3, 1e-4, 2e-5};
    for (int i = 0; i < 4; ++i) {
        char method[100], what[200];
        (void)snprintf(method, sizeof method, "type: timestep, step: %g", steps[i]);
        (void)snprintf(what, sizeof what, "%s at %g s", shape, steps[i]);
        place at = slide(shape, floor, method);
        hf_check_near(hypot(at.x - want.x, at.y - want.y), 0.0, slope * steps[i] + least, what,
                      "method switch");
    }
}

static void on_a_plane(void **state)
{
    (void)state;
    compare("capsule", PLANE, 0.3, 5e-6);
    compare("cylinder", PLANE, 0.3, 5e-6);
}

static void over_a_lower_tile(void **state)
{
    (void)state;
    compare("capsule", LOWER, 0.6, 5e-4);
    compare("cylinder", LOWER, 0.6, 5e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_a_plane),
                                       cmocka_unit_test(over_a_lower_tile)};
    return hf_run_tests(tests);
}
