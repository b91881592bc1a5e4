// SPDX-License-Identifier: Apache-2.0
// How links look: visual shapes of the three formats, and meshes with few triangles.
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shapes/coarse.h"

// A ball of n by 2n patches, as STL has it: every triangle with corners of its own.
static hf_soup make_ball(int n)
{
    size_t count = 4 * (size_t)n * (size_t)n;
    hf_soup soup = {.points = malloc(3 * count * sizeof(hf_vec3)),
                    .corners = malloc(3 * count * sizeof(int)),
                    .point_count = 3 * count,
                    .triangle_count = count};
    size_t at = 0;
    assert_true(soup.points != NULL && soup.corners != NULL);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 2 * n; ++k) {
            static const int corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
            for (int c = 0; c < 6; ++c) {
                double u = 3.14159265358979 * (i + corners[c][0]) / n,
                       v = 3.14159265358979 * (k + corners[c][1]) / n;
                soup.corners[at] = (int)at;
                soup.points[at++] = (hf_vec3){sin(u) * cos(v), sin(u) * sin(v), cos(u)};
            }
        }
    }
    return soup;
}

// It stays a ball: vertices near the sphere (a little outside, where planes of it meet), and the
// area that it had.
static void test_coarse_meshes_keep_their_form(void **state)
{
    (void)state;
    hf_soup soup = make_ball(100);
    assert_true(hf_soup_coarsen(&soup, 2000));
    assert_in_range(soup.triangle_count, 300, 2000);
    double area = 0.0;
    for (size_t t = 0; t < soup.triangle_count; ++t) {
        const int *c = soup.corners + 3 * t;
        hf_vec3 a = soup.points[c[0]], b = soup.points[c[1]], d = soup.points[c[2]];
        double x[3] = {b.x - a.x, b.y - a.y, b.z - a.z}, y[3] = {d.x - a.x, d.y - a.y, d.z - a.z};
        area += 0.5 * hypot(hypot(x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2]),
                            x[0] * y[1] - x[1] * y[0]);
    }
    for (size_t i = 0; i < soup.point_count; ++i) {
        hf_vec3 p = soup.points[i];
        double r = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
        assert_true(r > 0.97 && r < 1.03);
    }
    assert_true(fabs(area / (4.0 * 3.14159265358979) - 1.0) < 0.05);
    hf_soup_free(&soup);
}

// A cube of 2 m, turned out of the grid, in 6 x 2 x 40 x 40 triangles.
static hf_soup make_cube(void)
{
    enum { CUTS = 40 };
    hf_soup soup = {0};
    soup.triangle_count = 12 * CUTS * CUTS;
    soup.point_count = 3 * soup.triangle_count;
    soup.points = calloc(soup.point_count, sizeof *soup.points);
    soup.corners = calloc(soup.point_count, sizeof *soup.corners);
    size_t at = 0;
    for (int side = 0; side < 6; ++side) {
        for (int cell = 0; cell < CUTS * CUTS; ++cell) {
            static const int corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
            for (int k = 0; k < 6; ++k) {
                double u = 2.0 * (cell / CUTS + corners[k][0]) / CUTS - 1.0,
                       v = 2.0 * (cell % CUTS + corners[k][1]) / CUTS - 1.0,
                       w = side % 2 == 0 ? 1.0 : -1.0;
                hf_vec3 p = side / 2 == 0   ? (hf_vec3){u, v, w}
                            : side / 2 == 1 ? (hf_vec3){w, u, v}
                                            : (hf_vec3){v, w, u};
                soup.corners[at] = (int)at;
                soup.points[at++] = (hf_vec3){0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y, p.z};
            }
        }
    }
    return soup;
}

// Its faces stay flat and its edges sharp: the largest coordinate of every vertex is 1 m, and its
// eight corners are there. The means of vertices would be up to 6 cm inside.
static void test_coarse_meshes_keep_their_edges(void **state)
{
    (void)state;
    hf_soup soup = make_cube();
    int corners = 0;
    assert_true(hf_soup_coarsen(&soup, 2000));
    for (size_t i = 0; i < soup.point_count; ++i) {
        hf_vec3 q = soup.points[i];
        hf_vec3 p = {0.8 * q.x + 0.6 * q.y, -0.6 * q.x + 0.8 * q.y, q.z};
        double large = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))),
               small = fmin(fabs(p.x), fmin(fabs(p.y), fabs(p.z)));
        hf_check_near(large, 1.0, 2e-3, "farthest coordinate", "on a face");
        corners += small > 0.99 ? 1 : 0;
    }
    assert_in_range(corners, 8, 16);
    hf_soup_free(&soup);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    (void)fclose(f);
}

static void remove_file(const char *folder, const char *name)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)remove(path);
}

static const char MESH[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

#define WEIGHS                                                                                     \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"        \
    "</inertial>"

static hf_robot *read_in(const char *folder, const char *name, const hf_robot_options *options)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return hf_reading_load_file(path, options);
}

// The model is one, and its link has so many figures.
static void check_figures(const char *folder, const hf_robot *robot, const char *link, int count)
{
    hf_error error = {0};
    const char *text = hf_robot_model(robot);
    hf_model *model = hf_model_parse(text, strlen(text), "r", folder, NULL, &error);
    if (model == NULL) {
        fail_msg("%s\n%s", error.text, text);
    }
    hf_body_info info = hf_model_body_info(model, hf_model_find_body(model, link));
    assert_int_equal(info.figure_count, count);
    for (int i = 0; i < count; ++i) {
        bool mesh = info.figures[i].type == HF_DRAW_MESH;
        assert_int_equal(info.figures[i].mesh.triangle_count, mesh ? 4 : 0);
    }
    hf_model_destroy(model);
}

static void test_links_are_shown_by_their_visuals(void **state)
{
    (void)state;
    char folder[] = "/tmp/looks-XXXXXX";
    assert_non_null(mkdtemp(folder));
    write_file(folder, "part.obj", MESH);
    write_file(folder, "broken.stl", "solid x\nfacet normal oh");
    write_file(folder, "arm.urdf",
               "<robot name='arm'><material name='blue'><color rgba='0 0 1 1'/></material>"
               "<link name='base'>" WEIGHS "</link>"
               "<link name='upper'>" WEIGHS "<visual><origin xyz='0 0 0.5'/><geometry>"
               "<mesh filename='part.obj' scale='2 2 -2'/></geometry><material name='blue'/>"
               "</visual><visual><geometry><box size='1 2 3'/></geometry></visual><visual>"
               "<geometry><mesh filename='missing.stl'/></geometry></visual><visual><geometry>"
               "<mesh filename='broken.stl'/></geometry></visual><collision><geometry>"
               "<sphere radius='0.1'/></geometry></collision></link>"
               "<joint name='a' type='continuous'><parent link='base'/><child link='upper'/>"
               "</joint></robot>");
    write_file(folder, "arm.sdf",
               "<sdf version='1.9'><model name='arm'><link name='base'/><link name='upper'>"
               "<visual name='v'><pose>0 0 0.5 0 0 0</pose><geometry><mesh><uri>part.obj</uri>"
               "</mesh></geometry><material><diffuse>1 0 0 1</diffuse></material></visual></link>"
               "<joint name='a' type='revolute'><parent>base</parent><child>upper</child><axis>"
               "<xyz>0 0 1</xyz></axis></joint></model></sdf>");
    write_file(folder, "arm.xml",
               "<mujoco model='arm'><default><geom group='0'/><default class='seen'><geom group='2'"
               " contype='0' conaffinity='0' mass='0' type='mesh'/></default></default><asset>"
               "<mesh file='part.obj'/><material name='red' rgba='1 0 0 1'/></asset><worldbody>"
               "<body name='upper'><joint name='a'/><geom class='seen' mesh='part' pos='0 0 0.5' "
               "material='red'/><geom type='box' size='1 1 1' group='3'/><geom type='sphere' "
               "size='0.2'/></body></worldbody></mujoco>");
    write_file(folder, "bare.xml",
               "<mujoco model='bare'><asset><mesh file='part.obj'/></asset><worldbody><body><joint "
               "name='a'/><geom type='mesh' mesh='part' group='3'/><geom type='sphere' size='0.2' "
               "group='4'/></body></worldbody></mujoco>");
    // Those that can be read, with their colors and places
    hf_robot *robot = read_in(folder, "arm.urdf", NULL);
    hf_reading_has(robot, "draw: [{type: mesh, file: \"part.obj\", scale: [2, 2, -2], center: "
                          "[0, 0, 0.5], color: \"#0000ff\"},\n            {type: box, size: [1, 2, "
                          "3]}]");
    hf_reading_lacks(robot, "missing.stl");
    hf_reading_lacks(robot, "broken.stl");
    assert_int_equal(hf_reading_item(robot, "visual", NULL).lot, HF_ROBOT_SEEN);
    check_figures(folder, robot, "arm.a", 2);
    hf_robot_destroy(robot);
    robot = read_in(folder, "arm.sdf", NULL);
    hf_reading_has(robot, "color: \"#ff0000\"");
    check_figures(folder, robot, "arm.a", 1);
    hf_robot_destroy(robot);
    // MJCF: what groups 0 to 2 have
    robot = read_in(folder, "arm.xml", NULL);
    hf_reading_has(robot, "draw: [{type: mesh, file: \"part.obj\", scale: 1, center: [0, 0, 0.5], "
                          "color: \"#ff0000\"},\n            {type: sphere, radius: 0.2}]");
    check_figures(folder, robot, "arm.a", 2);
    hf_robot_destroy(robot);
    // Without any that only shows: what touches, meshes as they are and not by their hulls
    robot = read_in(folder, "bare.xml", NULL);
    hf_reading_has(robot, "draw: [{type: mesh, file: \"part.obj\", scale: 1},\n            {type: "
                          "sphere, radius: 0.2}]");
    check_figures(folder, robot, "bare.a", 2);
    hf_robot_destroy(robot);
    // None, where none are wanted
    hf_robot_options options = hf_robot_options_default();
    options.no_looks = true;
    robot = read_in(folder, "arm.xml", &options);
    hf_reading_lacks(robot, "draw");
    hf_robot_destroy(robot);
    static const char *const names[] = {"part.obj", "broken.stl", "arm.urdf",
                                        "arm.sdf",  "arm.xml",    "bare.xml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        remove_file(folder, names[i]);
    }
    assert_int_equal(rmdir(folder), 0);
}

// Several meshes of a link, each by its pieces: all have names of their own.
static void test_pieces_of_several_meshes(void **state)
{
    (void)state;
    hf_error error = {0};
    char folder[] = "/tmp/pieces-XXXXXX";
    assert_non_null(mkdtemp(folder));
    write_file(folder, "part.obj", MESH);
    const char text[] = "bodies: {a: {type: rigid, mass: 1, shapes: [{type: mesh, file: part.obj, "
                        "frame: file, parts: true}, {type: mesh, file: part.obj, frame: file, "
                        "parts: true, position: [2, 0, 0]}]}}\n";
    hf_spec *spec = hf_spec_parse(text, strlen(text), "r", folder, NULL, &error);
    if (spec == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(hf_spec_body_shape_count(spec, hf_spec_find_body(spec, "a")), 2);
    hf_spec_destroy(spec);
    remove_file(folder, "part.obj");
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coarse_meshes_keep_their_form),
        cmocka_unit_test(test_coarse_meshes_keep_their_edges),
        cmocka_unit_test(test_links_are_shown_by_their_visuals),
        cmocka_unit_test(test_pieces_of_several_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
