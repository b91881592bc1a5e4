// SPDX-License-Identifier: Apache-2.0
// COLLADA meshes, and meshes of packages beside the robot's folder.
#define _XOPEN_SOURCE 700 // mkdtemp
#include "hf_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <holdfast/models.h>

#include "robots/dae.h"

// A box of 2 x 4 x 6 inches, as a polylist; its node turns it by 90 degrees about z and moves it.
static const char BOX[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><unit name=\"inch\" "
    "meter=\"0.0254\"/><up_axis>Y_UP</up_axis></asset>\n"
    "<library_geometries><geometry id=\"g\"><mesh>\n"
    "<source id=\"s\"><float_array id=\"a\" count=\"24\">-1 -2 -3 1 -2 -3 1 2 -3 -1 2 -3\n"
    " -1 -2 3 1 -2 3 1 2 3 -1 2 3</float_array>\n"
    "<technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\"/></technique_common>"
    "</source>\n"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>\n"
    "<polylist count=\"6\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/>"
    "<vcount>4 4 4 4 4 4</vcount>\n"
    "<p>3 0 2 0 1 0 0 0  4 0 5 0 6 0 7 0  0 0 1 0 5 0 4 0  1 0 2 0 6 0 5 0  2 0 3 0 7 0 6 0 "
    " 3 0 0 0 4 0 7 0</p></polylist>\n"
    "</mesh></geometry></library_geometries>\n"
    "<library_visual_scenes><visual_scene id=\"scene\"><node id=\"n\">"
    "<translate>10 0 0</translate><rotate>0 0 1 90</rotate>"
    "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>\n"
    "<scene><instance_visual_scene url=\"#scene\"/></scene></COLLADA>\n";

static void test_a_box_is_where_its_node_puts_it(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_soup soup;
    if (!hf_dae_parse(BOX, strlen(BOX), "box.dae", &soup, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(soup.point_count, 8);
    assert_int_equal(soup.triangle_count, 12);
    hf_vec3 least = soup.points[0], most = least;
    for (size_t i = 0; i < soup.point_count; ++i) {
        hf_vec3 p = soup.points[i];
        least = (hf_vec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
        most = (hf_vec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
    }
    // Turned by 90 degrees: 4 inches along x about 10, 2 along y, 6 along z.
    hf_check_near(least.x, 8 * 0.0254, 1e-15, "least x", "by hand");
    hf_check_near(most.x, 12 * 0.0254, 1e-15, "most x", "by hand");
    hf_check_near(least.y, -1 * 0.0254, 1e-15, "least y", "by hand");
    hf_check_near(most.z, 3 * 0.0254, 1e-15, "most z", "by hand");
    hf_soup_free(&soup);
}

static void test_wrong_files_are_refused(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"<robot/>", "COLLADA"},
        {"<COLLADA/>", "without triangles"},
        {"<COLLADA><asset><unit meter=\"-1\"/></asset></COLLADA>", "unit"},
        {"<COLLADA><library_visual_scenes><visual_scene><node><instance_geometry url=\"#x\"/>"
         "</node></visual_scene></library_visual_scenes></COLLADA>",
         "no such geometry"},
        {"<COLLADA><library_nodes><node id=\"a\"><instance_node url=\"#a\"/></node></library_nodes>"
         "<library_visual_scenes><visual_scene><node><instance_node url=\"#a\"/></node>"
         "</visual_scene></library_visual_scenes></COLLADA>",
         "without end"},
        {"<COLLADA><library_geometries><geometry><mesh><source id=\"s\"><float_array>0 0 0 1 0 x"
         "</float_array></source><vertices><input semantic=\"POSITION\" source=\"#s\"/></vertices>"
         "</mesh></geometry></library_geometries></COLLADA>",
         "expected numbers"},
        {"<COLLADA><library_geometries><geometry><mesh><source id=\"s\"><float_array>0 0 0 1 0 0 0 "
         "1 0"
         "</float_array></source><vertices><input semantic=\"POSITION\" source=\"#s\"/></vertices>"
         "<triangles><input semantic=\"VERTEX\" offset=\"0\"/><p>0 1 3</p></triangles>"
         "</mesh></geometry></library_geometries></COLLADA>",
         "not there"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        hf_error error = {0};
        hf_soup soup;
        assert_false(hf_dae_parse(texts[i][0], strlen(texts[i][0]), "x.dae", &soup, &error));
        if (strstr(error.text, texts[i][1]) == NULL || strstr(error.text, "x.dae:1:") == NULL) {
            fail_msg("expected '%s' in '%s'", texts[i][1], error.text);
        }
        assert_null(soup.points);
    }
}

// Rodrigues' formula: p turned about `axis` by `angle`.
static hf_vec3 turned(hf_vec3 p, hf_vec3 axis, double angle)
{
    double size = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    hf_vec3 n = {axis.x / size, axis.y / size, axis.z / size};
    double c = cos(angle), s = sin(angle), along = (n.x * p.x + n.y * p.y + n.z * p.z) * (1.0 - c);
    return (hf_vec3){c * p.x + s * (n.y * p.z - n.z * p.y) + along * n.x,
                     c * p.y + s * (n.z * p.x - n.x * p.z) + along * n.y,
                     c * p.z + s * (n.x * p.y - n.y * p.x) + along * n.z};
}

// A triangle, every fourth number of whose source is none of its own, within two nodes: a matrix
// around a move, a turn and a scale, which act on it from the last to the first. Once the inner
// node stands there, once it is named.
static void test_maps_of_nodes(void **state)
{
    (void)state;
    const double matrix[12] = {0.5, 2, -1, 3, 1, -0.5, 0.25, -2, 0, 1, 4, 0.5};
    const hf_vec3 points[3] = {{1, 2, 3}, {-1, 0.5, 2}, {0, -3, 1}}, axis = {1, -2, 0.5};
    for (int named = 0; named < 2; ++named) {
        static const char inner[] =
            "<translate>0.1 0.2 -0.3</translate><rotate>1 -2 0.5 40</rotate><scale>2 3 -1</scale>"
            "<instance_geometry url='#g'/></node>";
        char text[3000];
        (void)snprintf(
            text, sizeof text,
            "<COLLADA><asset><unit meter='0.01'/></asset><library_geometries><geometry "
            "id='g'><mesh><source id='s'><float_array>1 2 3 9 -1 0.5 2 9 0 -3 1 9</float_array>"
            "<technique_common><accessor stride='4'/></technique_common></source><vertices>"
            "<input semantic='NORMAL' source='#n'/><input semantic='POSITION' source='#s'/>"
            "</vertices><triangles><input semantic='NORMAL' offset='0'/><input semantic='VERTEX' "
            "offset='1'/><p>7 0 7 1 7 2</p></triangles></mesh></geometry></library_geometries>"
            "<library_nodes><node id='i'>%s</library_nodes><library_visual_scenes><visual_scene "
            "id='v'><node><matrix>0.5 2 -1 3 1 -0.5 0.25 -2 0 1 4 0.5 0 0 0 1</matrix>%s%s</node>"
            "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#v'/>"
            "</scene></COLLADA>",
            inner, named ? "<instance_node url='#i'/>" : "<node>", named ? "" : inner);
        hf_error error = {0};
        hf_soup soup;
        if (!hf_dae_parse(text, strlen(text), "t.dae", &soup, &error)) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(soup.point_count, 3);
        assert_int_equal(soup.triangle_count, 1);
        for (int i = 0; i < 3; ++i) {
            hf_vec3 p = {2 * points[i].x, 3 * points[i].y, -points[i].z};
            p = turned(p, axis, 40.0 * 3.14159265358979323846 / 180.0);
            const double q[3] = {p.x + 0.1, p.y + 0.2, p.z - 0.3};
            const double got[3] = {soup.points[i].x, soup.points[i].y, soup.points[i].z};
            for (int k = 0; k < 3; ++k) {
                const double *m = matrix + 4 * k;
                double want = 0.01 * (m[0] * q[0] + m[1] * q[1] + m[2] * q[2] + m[3]);
                hf_check_near(got[k], want, 1e-15, "a corner [m]", "maps by hand");
            }
        }
        hf_soup_free(&soup);
    }
}

#define GEOMETRY(source, vertices, faces)                                                          \
    "<COLLADA><library_geometries><geometry><mesh>" source "<vertices>" vertices                   \
    "</vertices>" faces "</mesh></geometry></library_geometries></COLLADA>"
#define CORNERS  "<source id='s'><float_array>0 0 0 1 0 0 0 1 0</float_array></source>"
#define POSITION "<input semantic='POSITION' source='#s'/>"
#define NODE(inside)                                                                               \
    "<COLLADA><library_visual_scenes><visual_scene><node>" inside                                  \
    "</node></visual_scene></library_visual_scenes></COLLADA>"

// One mistake each, and the element that is blamed.
static void test_mistakes_have_places(void **state)
{
    (void)state;
    static const char counts[] = "a map of a node has another count of numbers: matrix 16, "
                                 "translate and scale 3, rotate 4";
    static const char needs[] =
        "positions need a source with a float_array and a stride of three or more";
    static const struct {
        const char *text, *element, *message;
    } cases[] = {
        {NODE("<matrix>1 2 3</matrix>"), "<matrix", counts},
        {NODE("<translate>1 2 3 4</translate>"), "<translate", counts},
        {NODE("<rotate>1 2 3</rotate>"), "<rotate", counts},
        {NODE("<scale>1 2</scale>"), "<scale", counts},
        {NODE("<scale>1 2 nan</scale>"), "<scale", "a number that is not finite"},
        {NODE("<scale>1 2 inf</scale>"), "<scale", "a number that is not finite"},
        {NODE("<scale/>"), "<scale", "expected numbers"},
        {NODE("<instance_node url='#x'/>"), "<instance_node", "there is no such node"},
        {NODE("<instance_geometry/>"), "<instance_geometry", "there is no such geometry"},
        {GEOMETRY(CORNERS, "", ""), "<vertices", "vertices need an input POSITION"},
        {GEOMETRY(CORNERS, "<input semantic='POSITION' source='#t'/>", ""), "<mesh", needs},
        {GEOMETRY("<source id='s'/>", POSITION, ""), "<source", needs},
        {GEOMETRY("<source id='s'><float_array>0 0 0</float_array><technique_common><accessor "
                  "stride='2'/></technique_common></source>",
                  POSITION, ""),
         "<source", needs},
        {GEOMETRY(CORNERS, POSITION, "<triangles><input offset='-1'/><p>0 1 2</p></triangles>"),
         "<input offset", "an offset from 0 to 100 was expected"},
        {GEOMETRY(CORNERS, POSITION, "<triangles><input offset='101'/><p>0 1 2</p></triangles>"),
         "<input offset", "an offset from 0 to 100 was expected"},
        {GEOMETRY(CORNERS, POSITION, "<triangles><p>0 1 2 0</p></triangles>"), "<p>",
         "fewer indices than its polygons need"},
        {GEOMETRY(CORNERS, POSITION, "<polylist><vcount>4</vcount><p>0 1 2</p></polylist>"), "<p>",
         "fewer indices than its polygons need"},
        {GEOMETRY(CORNERS, POSITION, "<polygons><p>0 1 -1</p></polygons>"), "<p>",
         "an index of a vertex that is not there"},
        {GEOMETRY(CORNERS, POSITION, "<polylist><vcount>x</vcount><p>0 1 2</p></polylist>"),
         "<vcount", "expected numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_error error = {0};
        hf_soup soup;
        char want[300];
        const char *text = cases[i].text;
        (void)snprintf(want, sizeof want, "x.dae:1:%d: %s",
                       (int)(strstr(text, cases[i].element) - text) + 1, cases[i].message);
        assert_false(hf_dae_parse(text, strlen(text), "x.dae", &soup, &error));
        if (strcmp(error.text, want) != 0) {
            fail_msg("%s\ngot '%s', want '%s'", text, error.text, want);
        }
        assert_null(soup.points);
    }
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

// ws/desc/urdf/arm.urdf with its mesh in ws/desc/meshes, as ROS packages have it.
static void test_meshes_of_packages_are_found(void **state)
{
    (void)state;
    static const char urdf[] =
        "<robot name=\"arm\"><link name=\"base\"/><link name=\"arm\"><inertial><mass value=\"1\"/>"
        "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"
        "<collision><geometry><mesh filename=\"package://desc/meshes/box.dae\"/></geometry>"
        "</collision></link><joint name=\"turn\" type=\"continuous\"><parent link=\"base\"/>"
        "<child link=\"arm\"/></joint></robot>";
    static const char *const machine =
        "gravity: [0, 0, -9.81]\nmethod: {type: timestep, step: 1e-3}\n"
        "bodies: {arm: {type: robot, file: desc/urdf/arm.urdf}}\n";
    char root[] = "/tmp/holdfast-dae-XXXXXX", desc[60], sub[80], path[120];
    assert_non_null(mkdtemp(root));
    (void)snprintf(desc, sizeof desc, "%s/desc", root);
    assert_int_equal(mkdir(desc, 0700), 0);
    (void)snprintf(sub, sizeof sub, "%s/meshes", desc);
    assert_int_equal(mkdir(sub, 0700), 0);
    write_file(sub, "box.dae", BOX);
    (void)snprintf(sub, sizeof sub, "%s/urdf", desc);
    assert_int_equal(mkdir(sub, 0700), 0);
    write_file(sub, "arm.urdf", urdf);
    (void)snprintf(path, sizeof path, "%s/arm.urdf", sub);
    hf_error error = {0};
    // By itself, in a machine, and added to a spec.
    hf_model *model = hf_model_load(path, &error);
    hf_model *part = model == NULL
                         ? NULL
                         : hf_model_parse(machine, strlen(machine), "machine", root, NULL, &error);
    hf_spec *spec = hf_spec_create();
    hf_tree tree = part == NULL ? (hf_tree){0} : hf_spec_add_robot(spec, path, NULL, &error);
    if (tree.id == 0) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(spec);
    hf_model_destroy(part);
    hf_model_destroy(model);
    (void)unlink(path);
    (void)rmdir(sub);
    (void)snprintf(path, sizeof path, "%s/meshes/box.dae", desc);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/meshes", desc);
    (void)rmdir(path);
    (void)rmdir(desc);
    (void)rmdir(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_box_is_where_its_node_puts_it),
        cmocka_unit_test(test_wrong_files_are_refused),
        cmocka_unit_test(test_maps_of_nodes),
        cmocka_unit_test(test_mistakes_have_places),
        cmocka_unit_test(test_meshes_of_packages_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
