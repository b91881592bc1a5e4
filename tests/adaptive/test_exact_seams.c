// SPDX-License-Identifier: Apache-2.0
// Seams of floors under switch: what slides over flush static solids comes to rest where it does on
// one plane, whatever its shape, the floor's, its direction and its spin; edges that stand out stop
// it.
#include <math.h>

#include <holdfast/contact.h>

#include "adaptive_test.h"

// What slides: its shape and how high it stands. Capsules and one of the cylinders lie.
typedef struct slider {
    const char *name, *shape;
    double height;
} slider;

#define LIES "orientation: {axis: [0, 1, 0], angle: 1.5707963267948966}"
static const slider SLIDERS[] = {
    {"box", "shape: {type: box, size: [0.1, 0.1, 0.1]}", 0.05},
    {"cylinder", "shape: {type: cylinder, radius: 0.05, length: 0.1}", 0.05},
    {"cone", "shape: {type: cone, radius: 0.05, length: 0.1}", 0.025},
    {"capsule", "shape: {type: capsule, radius: 0.03, length: 0.08}, " LIES, 0.03},
    {"lying cylinder", "shape: {type: cylinder, radius: 0.03, length: 0.1}, " LIES, 0.03},
    {"hull", "shape: {type: mesh, file: wedge.obj}", 0.05},
    {"sphere", "shape: {type: sphere, radius: 0.05}", 0.05}};
enum { COUNT = sizeof SLIDERS / sizeof *SLIDERS };

// A five-sided prism, and a block with the sides of a floor's.
static void write_meshes(void)
{
    FILE *file = fopen("wedge.obj", "w");
    assert_non_null(file);
    for (int i = 0; i < 10; ++i) {
        double w = 2.0 * 3.14159265358979323846 * i / 5.0 + 0.2;
        (void)fprintf(file, "v %.17g %.17g %g\n", 0.05 * cos(w), 0.05 * sin(w),
                      i < 5 ? -0.05 : 0.05);
    }
    for (int i = 0; i < 3; ++i) {
        (void)fprintf(file, "f 1 %d %d\nf 6 %d %d\n", i + 3, i + 2, i + 7, i + 8);
    }
    for (int i = 0; i < 5; ++i) {
        int k = (i + 1) % 5;
        (void)fprintf(file, "f %d %d %d\nf %d %d %d\n", i + 1, k + 1, k + 6, i + 1, k + 6, i + 6);
    }
    (void)fclose(file);
    file = fopen("block.obj", "w");
    assert_non_null(file);
    for (int i = 0; i < 8; ++i) {
        (void)fprintf(file, "v %g %g %g\n", (i & 1) != 0 ? 0.25 : -0.25, (i & 2) != 0 ? 0.5 : -0.5,
                      (i & 4) != 0 ? 0.1 : -0.1);
    }
    (void)fprintf(file, "f 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\n"
                        "f 1 5 7\nf 1 7 3\nf 2 4 8\nf 2 8 6\n");
    (void)fclose(file);
}

// Two blocks side by side whose seam is at x = 0; NULL: a plane.
static const char *floor_of(const char *block, double step)
{
    static char text[500];
    if (block == NULL) {
        return "  a: {type: static, shape: {type: plane}}\n";
    }
    (void)snprintf(text, sizeof text,
                   "  a: {type: static, shape: {%s}, position: [-0.25, 0, -0.1]}\n"
                   "  b: {type: static, shape: {%s}, position: [0.25, 0, %.17g]}\n",
                   block, block, step - 0.1);
    return text;
}

// Where the body x of a machine is after 0.7 s. In a file, which may name meshes.
static hf_vec3 end_of(const char *text)
{
    FILE *file = fopen("exact_seams.yaml", "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
    hf_error error = {0};
    hf_model *model = hf_model_load("exact_seams.yaml", &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.7);
    hf_vec3 at = {value_of(sim, "x.position.x"), value_of(sim, "x.position.y"),
                  value_of(sim, "x.position.z")};
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return at;
}

static hf_vec3 slide(const slider *s, const char *floor, double angle, double spin)
{
    char text[2400];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\n"
                   "method: {type: switch, step: 0.01, rtol: 1e-8, atol: 1e-8}\nbodies:\n%s"
                   "  x: {type: rigid, mass: 1, %s, position: [-0.15, 0.013, %g], velocity: "
                   "[%.17g, %.17g, 0], angular_velocity: [0, 0, %g]}\nforces:\n"
                   "  - {name: touch, type: collide, among: all, friction: 0.2, restitution: 0}\n",
                   floor, s->shape, s->height, cos(angle), sin(angle), spin);
    return end_of(text);
}

static const char *const BLOCK = "type: box, size: [0.5, 1, 0.2]";

static void compare_on(const slider *s, const char *floor, double angle, double spin)
{
    hf_vec3 seam = slide(s, floor, angle, spin);
    hf_vec3 plane = slide(s, floor_of(NULL, 0.0), angle, spin);
    hf_check_near(seam.x, plane.x, 1e-5, s->name, "x on one plane");
    hf_check_near(seam.y, plane.y, 1e-5, s->name, "y on one plane");
    hf_check_near(seam.z, plane.z, 1e-7, s->name, "z on one plane");
}

static void compare(const slider *s, const char *block, double angle, double spin)
{
    compare_on(s, floor_of(block, 0.0), angle, spin);
}

static void flush_blocks(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; ++i) {
        compare(&SLIDERS[i], BLOCK, 0.0, 0.0);
        compare(&SLIDERS[i], BLOCK, 0.5, 0.0);
    }
    compare(&SLIDERS[0], BLOCK, 0.2, 3.0);
    compare(&SLIDERS[5], BLOCK, 0.2, -3.0);
}

// Blocks turned about the vertical: no edge of theirs lies along an axis. Four tiles meet at
// corners.
static void turned_blocks(void **state)
{
    (void)state;
    const double turn = 0.5, half = 0.15;
    char floor[1800] = "";
    for (int i = 0; i < 9; ++i) {
        double x = half * (2 * (i % 3) - 2) + 0.1, y = half * (2 * (i / 3) - 2);
        (void)snprintf(floor + strlen(floor), sizeof floor - strlen(floor),
                       "  t%d: {type: static, shape: {type: box, size: [0.3, 0.3, 0.2]}, position: "
                       "[%.17g, %.17g, -0.1], orientation: {axis: [0, 0, 1], angle: %g}}\n",
                       i, cos(turn) * x - sin(turn) * y, sin(turn) * x + cos(turn) * y, turn);
    }
    for (int i = 0; i < COUNT; ++i) {
        compare_on(&SLIDERS[i], floor, 0.0, 0.0);
    }
    compare_on(&SLIDERS[3], floor, 0.2, 3.0);
    compare_on(&SLIDERS[4], floor, 0.2, 3.0);
}

// Surfaces that differ, by next to nothing: what slides touches both up to the seam, and goes the
// same way. What lies and rolls as it slides turns about the vertical, and how much depends on
// where it touches: it goes straight on.
static void unlike_blocks(void **state)
{
    (void)state;
    static const char *const sides[] = {"surface_velocity: [0, 0, 1e-9]", "friction: 0.2000000001",
                                        "restitution: 1e-12"};
    char floor[500];
    for (int i = 0; i < 3 * COUNT; ++i) {
        const slider *s = &SLIDERS[i % COUNT];
        double angle = strstr(s->shape, LIES) != NULL || i % 2 != 0 ? 0.0 : 0.5;
        (void)snprintf(floor, sizeof floor,
                       "  a: {type: static, shape: {%s}, position: [-0.25, 0, -0.1]}\n"
                       "  b: {type: static, shape: {%s, %s}, position: [0.25, 0, -0.1]}\n",
                       BLOCK, BLOCK, sides[i / COUNT]);
        compare_on(s, floor, angle, 0.0);
    }
}

static void flush_meshes(void **state)
{
    (void)state;
    static const char *const blocks[] = {"type: mesh, file: block.obj",
                                         "type: triangles, file: block.obj"};
    static const int sliders[] = {0, 3, 4, 6};
    for (int i = 0; i < 8; ++i) {
        compare(&SLIDERS[sliders[i / 2]], blocks[i % 2], 0.0, 0.0);
    }
}

// 0.1 mm lower: boxes fall by it over their front edge. A sphere that rolls is not held up.
static void a_lower_block(void **state)
{
    (void)state;
    static const int sliders[] = {0, 3, 4, 5, 6};
    for (int i = 0; i < 5; ++i) {
        const slider *s = &SLIDERS[sliders[i]];
        hf_vec3 plane = slide(s, floor_of(NULL, 0.0), 0.0, 0.0);
        hf_vec3 low = slide(s, floor_of(BLOCK, -1e-4), 0.0, 0.0);
        hf_check_near(low.x, plane.x, 4e-4, s->name, "x on one plane");
        hf_check_near(low.z, s->height - 1e-4, 1e-6, s->name, "z on the lower block");
    }
}

// 0.1 mm higher: a box goes 0.1 m to the edge, tips on it and slides back; a sphere rolls
// over it.
// However the tiles stand: what an edge between two of them has for its own leans across it.
static void turned_tiles(void **state)
{
    (void)state;
    static const double angles[] = {0.2, 0.7};
    for (int i = 0; i < 2; ++i) {
        char floor[1200];
        int used = snprintf(
            floor, sizeof floor,
            "  a: {type: static, orientation: {axis: [0, 0, 1], angle: %g}, shapes: [", angles[i]);
        for (int k = 0; k < 9; ++k) {
            int row = k / 3;
            used += snprintf(floor + used, sizeof floor - (size_t)used,
                             "%s{type: box, size: [0.2, 0.2, 0.2], position: [%g, %g, -0.1]}",
                             k == 0 ? "" : ", ", 0.2 * (k % 3) - 0.2, 0.2 * row - 0.1);
        }
        (void)snprintf(floor + used, sizeof floor - (size_t)used, "]}\n");
        compare_on(&SLIDERS[0], floor, 0.3, 4.0);
    }
}

// A step of triangles of 0.1 mm, down along x = 0, and a prism with eight sides.
static void write_step(void)
{
    FILE *file = fopen("step.obj", "w");
    assert_non_null(file);
    for (int i = 0; i < 8; ++i) {
        double x = i < 2 ? -0.6 : i < 6 ? 0.0 : 0.6;
        (void)fprintf(file, "v %g %g %g\n", x, i % 2 == 0 ? -0.6 : 0.6, i < 4 ? 0.0 : -1e-4);
    }
    for (int i = 1; i < 7; i += 2) {
        (void)fprintf(file, "f %d %d %d\nf %d %d %d\n", i, i + 2, i + 3, i, i + 3, i + 1);
    }
    (void)fclose(file);
    file = fopen("octagon.obj", "w");
    assert_non_null(file);
    for (int i = 0; i < 16; ++i) {
        double angle = (i % 8 + 0.5) * 0.7853981633974483;
        (void)fprintf(file, "v %.15g %.15g %g\n", 0.06 * cos(angle), 0.06 * sin(angle),
                      i < 8 ? -0.05 : 0.05);
    }
    (void)fprintf(file, "f 1 3 2\n");
    (void)fclose(file);
}

// The prism spins as its last corner comes to the very edge of the upper triangles, where a side of
// its base lies on that edge already: the corner's impact lifts the side, by 6e-4 m/s. It once
// stayed closed, and as the normals of both differ by 9e-4 rad, a third of the velocity went.
static void a_corner_on_a_step(void **state)
{
    (void)state;
    write_step();
    static const char *const floors[2] = {
        "  a: {type: static, shape: {type: triangles, file: step.obj}}\n",
        "  a: {type: static, shape: {type: box, size: [1, 2, 0.2]}, position: [-0.5, 0, -0.1]}\n"
        "  b: {type: static, shape: {type: box, size: [1, 2, 0.2]}, position: [0.5, 0, "
        "-0.1001]}\n"};
    for (int i = 0; i < 3; ++i) {
        hf_vec3 ends[2];
        for (int k = 0; k < 2; ++k) {
            char text[1200];
            (void)snprintf(text, sizeof text,
                           "gravity: [0, 0, -9.81]\nmethod: {type: switch, step: 0.01}\nbodies:\n%s"
                           "  x: {type: rigid, mass: 1, shape: {type: mesh, file: octagon.obj},\n"
                           "    position: [-0.12, 0.013, 0.05], velocity: [%.17g, %.17g, 0],\n"
                           "    angular_velocity: [0, 0, %g]}\nforces:\n"
                           "  - {name: touch, type: collide, among: all, friction: 0.2, "
                           "restitution: 0}\n",
                           floors[k], cos(0.3), sin(0.3), 7.9 + 0.1 * i);
            ends[k] = end_of(text);
        }
        hf_check_near(ends[0].x, ends[1].x, 1e-3, "x", "over two boxes");
        hf_check_near(ends[0].y, ends[1].y, 2e-3, "y", "over two boxes");
    }
}

static void an_edge_stops(void **state)
{
    (void)state;
    hf_vec3 box = slide(&SLIDERS[0], floor_of(BLOCK, 1e-4), 0.0, 0.0);
    // timestep: -0.06312 m at 1 ms, -0.06379 m at 0.1 ms
    hf_check_near(box.x, -0.0639, 5e-5, "box", "timestep, its step to zero");
    hf_vec3 sphere = slide(&SLIDERS[6], floor_of(BLOCK, 1e-4), 0.0, 0.0);
    hf_vec3 plane = slide(&SLIDERS[6], floor_of(NULL, 0.0), 0.0, 0.0);
    hf_check_near(sphere.z, 0.0501, 1e-9, "sphere", "on the higher block");
    assert_true(sphere.x < plane.x && sphere.x > plane.x - 2e-3);
}

int main(void)
{
    hf_work_in_own_folder();
    write_meshes();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flush_blocks),       cmocka_unit_test(turned_blocks),
        cmocka_unit_test(flush_meshes),       cmocka_unit_test(unlike_blocks),
        cmocka_unit_test(a_lower_block),      cmocka_unit_test(turned_tiles),
        cmocka_unit_test(a_corner_on_a_step), cmocka_unit_test(an_edge_stops)};
    return hf_run_tests(tests);
}
