// SPDX-License-Identifier: Apache-2.0
// Methods that take contacts as forces pass the seams of floors: what slides over flush, lower or
// loose blocks, a little deep in them, comes to rest where it does on one; what stands out stops
// it.
#include <math.h>

#include <hf_machine.h>

static const char *const METHODS[] = {"verlet", "discrete", "semi-implicit-euler", "rk4", "rk4-tau",
                                      "euler",  "adaptive"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

// How far the body `x` has gone after 0.6 s.
static double slide(const char *method, double step, const char *bodies)
{
    char text[2400];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\nmethod: {type: %s, step: %g}\nbodies:\n%sforces:\n"
                   "  - {name: touch, type: collide, among: all, friction: 0.2, restitution: 0}\n",
                   method, step, bodies);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    double start = value_of(sim, "x.position.x");
    run_until(sim, 0.6);
    double way = value_of(sim, "x.position.x") - start;
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return way;
}

// Two blocks, the second with its top at `height`; x slides from the first to the second.
static const char *two_blocks(const char *shape, double height)
{
    static char text[800];
    (void)snprintf(text, sizeof text,
                   "  a: {type: static, shape: {type: box, size: [0.5, 1, 0.2]}, position: [-0.25, "
                   "0, -0.1]}\n"
                   "  b: {type: static, shape: {type: box, size: [0.5, 1, 0.2]}, position: [0.25, "
                   "0, %g]}\n"
                   "  x: {type: rigid, mass: 1, shape: {%s}, position: [-0.15, 0, 0.05], velocity: "
                   "[1, 0, 0]}\n",
                   height - 0.1, shape);
    return text;
}

static const char *const BOX = "type: box, size: [0.1, 0.1, 0.1]";
static const double WAY = 1.0 / (2.0 * 0.2 * 9.81); // v^2/(2 mu g) [m]

static void flush_blocks(void **state)
{
    (void)state;
    static const char *const shapes[] = {"type: box, size: [0.1, 0.1, 0.1]",
                                         "type: cylinder, radius: 0.05, length: 0.1"};
    for (int i = 0; i < 2 * METHOD_COUNT; ++i) {
        const char *method = METHODS[i / 2];
        for (double h = 1e-3; h > 4e-4; h /= 2.0) {
            double way = slide(method, h, two_blocks(shapes[i % 2], 0.0));
            bool euler = i / 2 == METHOD_COUNT - 2; // sinks in by 12 mm at 1 ms
            hf_check_near(way, WAY, (euler ? 0.03 : 0.01) * WAY, method, "v^2/(2 mu g)");
        }
    }
}

// It lies on two blocks at once when it comes to the next: to the corner of four, and to one that
// is as wide as both. Both sides of the wide one are covered, by one block each.
static void blocks_side_by_side(void **state)
{
    (void)state;
    static const char *const block = "static, shape: {type: box, size: [0.5, 1, 0.2]}";
    static const char *const wide = "static, shape: {type: box, size: [0.5, 2, 0.2]}";
    for (int i = 0; i < 2 * METHOD_COUNT; ++i) {
        char bodies[900];
        int at =
            snprintf(bodies, sizeof bodies,
                     "  a: {type: %s, position: [-0.25, -0.5, -0.1]}\n"
                     "  b: {type: %s, position: [-0.25, 0.5, -0.1]}\n"
                     "  c: {type: %s, position: [0.25, %g, -0.1]}\n"
                     "  x: {type: rigid, mass: 1, shape: {%s}, position: [-0.15, 0.013, 0.05], "
                     "velocity: [1, 0, 0]}\n",
                     block, block, i % 2 == 0 ? block : wide, i % 2 == 0 ? -0.5 : 0.0, BOX);
        if (i % 2 == 0) {
            (void)snprintf(bodies + at, sizeof bodies - (size_t)at,
                           "  d: {type: %s, position: [0.25, 0.5, -0.1]}\n", block);
        }
        bool euler = i / 2 == METHOD_COUNT - 2; // sinks in by 12 mm at 1 ms
        double way = slide(METHODS[i / 2], euler ? 2.5e-4 : 1e-3, bodies);
        hf_check_near(way, WAY, 0.01 * WAY, METHODS[i / 2], "v^2/(2 mu g)");
    }
}

// 3 mm lower: the box falls by them on its way.
static void a_lower_block(void **state)
{
    (void)state;
    for (int i = 0; i < METHOD_COUNT; ++i) {
        double way = slide(METHODS[i], 2.5e-4, two_blocks(BOX, -0.003));
        hf_check_near(way, 0.259, 0.003, METHODS[i], "timestep");
    }
}

// 10 mm higher: it goes 0.1 m to the edge, and back a little.
static void an_edge_stops(void **state)
{
    (void)state;
    for (int i = 0; i < METHOD_COUNT; ++i) {
        double way = slide(METHODS[i], 2.5e-4, two_blocks(BOX, 0.01));
        assert_true(way > 0.08 && way < 0.101);
    }
}

// A wall that stands on the floor's end stops what runs into it at the floor's level.
static void a_wall_stops(void **state)
{
    (void)state;
    for (int i = 0; i < METHOD_COUNT; ++i) {
        double way = slide(METHODS[i], 2.5e-4, two_blocks(BOX, 0.15));
        assert_true(way > 0.09 && way < 0.101);
    }
}

// A ramp that rises from the floor stops it too, at every angle. Methods of forces once went into
// ramps of 26 to 60 degrees and were thrown out, up to 0.4 m high.
static void a_ramp_stops(void **state)
{
    (void)state;
    static const char *const methods[] = {"discrete", "semi-implicit-euler", "rk4", "verlet"};
    static const double angles[] = {0.35, 0.5236, 0.8}; // of its face, from the vertical
    for (int i = 0; i < 3; ++i) {
        // A box whose face meets the floor at x = 0, 0.1 m before the box
        char bodies[600];
        double s = 0.1 * sin(angles[i]), c = 0.1 * cos(angles[i]);
        (void)snprintf(
            bodies, sizeof bodies,
            "  a: {type: static, shape: {type: box, size: [2, 1, 0.2]}, position: [0, 0, "
            "-0.1]}\n"
            "  b: {type: static, shape: {type: box, size: [0.2, 1, 0.4]}, position: "
            "[%.6f, 0, %.6f], orientation: {axis: [0, 1, 0], angle: %g}}\n"
            "  x: {type: rigid, mass: 1, shape: {%s}, position: [-0.15, 0, 0.05], "
            "velocity: [1, 0, 0]}\n",
            s + c, c - s, angles[i], BOX);
        for (int k = 0; k < 4; ++k) {
            hf_check_near(slide(methods[k], 2.5e-4, bodies), 0.0862, 0.006, methods[k], "timestep");
        }
    }
}

static void loose_blocks(void **state)
{
    (void)state;
    static const char *const bodies = "  ground: {type: static, shape: {type: plane}}\n"
                                      "  t: {type: rigid, mass: 3, shape: {type: box, size: [0.1, "
                                      "0.3, 0.1]}, position: [-0.1, 0, "
                                      "0.05], repeat: {count: 5, spacing: [0.1, 0, 0]}}\n"
                                      "  x: {type: rigid, mass: 1, shape: {type: box, size: [0.1, "
                                      "0.1, 0.1]}, position: [-0.1, 0, "
                                      "0.15], velocity: [1, 0, 0]}\n";
    static const char *const methods[] = {"rk4", "discrete", "verlet"};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(slide(methods[i], 2.5e-4, bodies), WAY, 0.01 * WAY, methods[i],
                      "v^2/(2 mu g)");
    }
}

// Speeds of a box, z and about x and y, after it has fallen flat on something with restitution.
static void fall(const char *method, double step, const char *floor, double speeds[3])
{
    char text[9000];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\nmethod: {type: %s, step: %g}\nbodies:\n%s"
                   "  x: {type: rigid, mass: 2, shape: {type: box, size: [0.3, 0.3, 0.1]}, "
                   "position: [0.01, 0.02, 0.1], velocity: [0, 0, -1]}\n"
                   "forces:\n"
                   "  - {name: touch, type: collide, among: all, friction: 0.3, restitution: "
                   "0.5}\n",
                   method, step, floor);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.1);
    speeds[0] = value_of(sim, "x.velocity.z");
    speeds[1] = value_of(sim, "x.angular_velocity.x");
    speeds[2] = value_of(sim, "x.angular_velocity.y");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// n by n tiles of 0.8 m in all, or one surface of triangles over n by n squares.
static const char *floor_of(int n, bool triangles)
{
    static char text[8000];
    size_t used = 0;
    double side = 0.8 / n;
    if (triangles) {
        used += (size_t)snprintf(text, sizeof text,
                                 "  floor: {type: static, shape: {type: heights, size: [0.8, 0.8], "
                                 "heights: [");
        for (int i = 0; i <= n; ++i) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", i > 0 ? ", [0" : "[0");
            for (int k = 0; k < n; ++k) {
                used += (size_t)snprintf(text + used, sizeof text - used, ", 0");
            }
            used += (size_t)snprintf(text + used, sizeof text - used, "]");
        }
        (void)snprintf(text + used, sizeof text - used, "]}}\n");
        return text;
    }
    for (int i = 0; i < n * n; ++i) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  t%d: {type: static, shape: {type: box, size: [%.9g, %.9g, "
                                 "0.2]}, position: [%.9g, %.9g, -0.1]}\n",
                                 i, side, side, side * (i % n - 0.5 * (n - 1)),
                                 side * (i / n - 0.5 * (n - 1)));
    }
    return text;
}

// A flat box bounces off tiles and triangles as off a plane: what carries it are four points, for
// which its stiffness and restitution are chosen.
static void flat_impacts(void **state)
{
    (void)state;
    static const char *const methods[] = {"adaptive", "discrete", "semi-implicit-euler"};
    for (int i = 0; i < 3; ++i) {
        double step = i == 0 ? 1e-3 : 2.5e-4, plane[3], other[3];
        fall(methods[i], step, "  floor: {type: static, shape: {type: plane}}\n", plane);
        for (int k = 0; k < 6; ++k) {
            static const int counts[] = {2, 5, 8};
            fall(methods[i], step, floor_of(counts[k / 2], k % 2 == 1), other);
            hf_check_near(other[0], plane[0], 1e-3, methods[i], "speed after it fell on a plane");
            hf_check_near(other[1], 0.0, 1e-3, methods[i], "no spin");
            hf_check_near(other[2], 0.0, 1e-3, methods[i], "no spin");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flush_blocks),  cmocka_unit_test(blocks_side_by_side),
        cmocka_unit_test(a_lower_block), cmocka_unit_test(an_edge_stops),
        cmocka_unit_test(a_wall_stops),  cmocka_unit_test(a_ramp_stops),
        cmocka_unit_test(loose_blocks),  cmocka_unit_test(flat_impacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
