// SPDX-License-Identifier: Apache-2.0
// Shapes, meshes from files, static and repeated bodies in model files.
#include "models_test.h"

#include <math.h>

#include "shapes/mesh_file.h"

// A cuboid of 1 x 2 x 3 from the origin on, once for each format.
static const char OBJ[] = "# a box\no box\n"
                          "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 1 2 0\nv 0 0 3 1.0\r\nv 1 0 3\nv 0 2 3\n"
                          "  v 1 2 3\nvn 0 0 1\nf 1 2 4 3\nusemtl steel";
static const float CORNERS[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, 0},
                                    {0, 0, 3}, {1, 0, 3}, {0, 2, 3}, {1, 2, 3}};

static size_t make_text_stl(char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "solid box\n");
    for (int i = 0; i < 8; ++i) {
        used += (size_t)snprintf(text + used, size - used, "facet normal 0 0 1\n outer loop\n");
        for (int k = 0; k < 3; ++k) {
            const float *p = CORNERS[(i + k) % 8];
            used += (size_t)snprintf(text + used, size - used, "  vertex %g %g %g\n", (double)p[0],
                                     (double)p[1], (double)p[2]);
        }
        used += (size_t)snprintf(text + used, size - used, " endloop\nendfacet\n");
    }
    return used + (size_t)snprintf(text + used, size - used, "endsolid box\n");
}

static size_t make_binary_stl(char *bytes)
{
    memset(bytes, 0, 84 + 8 * 50 + 1);
    memcpy(bytes, "solid that is binary", 20);
    bytes[80] = 8;
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) {
            memcpy(bytes + 84 + 50 * i + 12 + 12 * k, CORNERS[(i + k) % 8], 12);
        }
    }
    return 84 + 8 * 50;
}

static void check_box(hf_mesh *mesh, double scale, const hf_error *error)
{
    if (mesh == NULL) {
        fail_msg("a good mesh was refused: %s", error->text);
    }
    hf_mesh_info info = hf_mesh_get_info(mesh);
    assert_int_equal(info.vertices, 8);
    assert_int_equal(info.faces, 6);
    assert_true(fabs(info.volume - 6.0 * scale * scale * scale) < 1e-14 * scale);
    assert_true(fabs(info.center.z - 1.5 * scale) < 1e-14 * scale);
    hf_mesh_destroy(mesh);
}

static void every_format_gives_the_same_box(void **state)
{
    (void)state;
    char text[8192];
    hf_error error = {0};
    check_box(hf_mesh_parse(OBJ, sizeof OBJ - 1, "box.obj", (hf_vec3){1.0, 1.0, 1.0}, &error), 1.0,
              &error);
    size_t length = make_text_stl(text, sizeof text);
    check_box(hf_mesh_parse(text, length, "box.stl", (hf_vec3){1e-3, 1e-3, 1e-3}, &error), 1e-3,
              &error);
    length = make_binary_stl(text);
    check_box(hf_mesh_parse(text, length, "box.STL", (hf_vec3){2.0, 2.0, 2.0}, &error), 2.0,
              &error);
}

static void expect_mesh_error(const char *text, size_t length, const char *label,
                              const char *expected)
{
    hf_error error = {0};
    hf_mesh *mesh = hf_mesh_parse(text, length, label, (hf_vec3){1.0, 1.0, 1.0}, &error);
    assert_null(mesh);
    if (strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s' in '%s'", expected, error.text);
    }
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    static const char few[] = "v 0 0 0\nv 1 0 0\n", word[] = "v 0 0 0\n  vertex 1 0 0\n";
    static const char zero[] = "v 0 0 0\0v";
    expect_mesh_error(few, sizeof few - 1, "a.obj", "a.obj: ");
    expect_mesh_error(word, sizeof word - 1, "a.obj", "a.obj:2:3: this is no line of an OBJ file");
    expect_mesh_error(zero, sizeof zero - 1, "a.obj", "zero bytes");
    expect_mesh_error("v 1 2\n3", 7, "a.obj", "a.obj:1:6: a vertex has three finite numbers");
    expect_mesh_error("v 1 2 1e999", 11, "a.obj", "three finite numbers");
    expect_mesh_error("", 0, "a.ply", "ends in .obj or .stl");
    expect_mesh_error("", 0, "a.stl", "a.stl: ");
    char bytes[1024];
    size_t length = make_binary_stl(bytes);
    const float infinite = INFINITY;
    memcpy(bytes + 84 + 2 * 50 + 12, &infinite, sizeof infinite);
    expect_mesh_error(bytes, length, "a.stl", "triangle 3 has a vertex that is not finite");
    make_binary_stl(bytes);
    expect_mesh_error(bytes, length - 7, "a.stl", "neither text nor a whole binary STL file");
}

// Damaged files give a mesh or a message, nothing else.
static void damaged_meshes_do_no_harm(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20260731);
    for (int round = 0; round < 3000; ++round) {
        char text[8192];
        bool obj = round % 3 == 0;
        size_t length = obj              ? sizeof OBJ - 1
                        : round % 3 == 1 ? make_text_stl(text, sizeof text)
                                         : make_binary_stl(text);
        if (obj) {
            memcpy(text, OBJ, sizeof OBJ);
        }
        for (int hit = 0; hit < 1 + round % 5; ++hit) {
            text[hf_rng_int(&rng, 0, (int)length - 1)] = (char)hf_rng_int(&rng, -128, 127);
        }
        length = hf_rng_int(&rng, 0, 3) == 0 ? (size_t)hf_rng_int(&rng, 0, (int)length) : length;
        text[length] = '\0';
        hf_error error = {0};
        hf_mesh *mesh =
            hf_mesh_parse(text, length, obj ? "a.obj" : "a.stl", (hf_vec3){1.0, 1.0, 1.0}, &error);
        if (mesh == NULL && error.text[0] == '\0') {
            fail_msg("round %d: refused without a message", round);
        }
        hf_mesh_destroy(mesh);
    }
}

static void copies_stand_where_they_should(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "method: {type: timestep, step: 1e-3}\n"
        "bodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  brick:\n"
        "    type: rigid\n"
        "    mass: 1\n"
        "    shape: {type: box, size: [0.2, 0.1, 0.05]}\n"
        "    position: [1, 0, 0.025]\n"
        "    repeat: {count: [3, 1, 2], spacing: [0.2, 0, 0.05], stagger: [0.1, 0, 0]}\n"
        "  dot: {type: mass, axes: xz, mass: 1, repeat: {count: 4, spacing: [1, 7, 7]}}\n"
        "forces:\n"
        "  - {name: touch, type: collide, among: [brick, floor], except: [[brick-1-1, floor]],\n"
        "     friction: 0.5}\n");
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    assert_int_equal(hf_model_get_info(model).bodies, 1 + 6 + 4);
    hf_force_info touch = hf_model_force_info(model, hf_model_find_force(model, "touch"));
    assert_int_equal(touch.coupling.type, HF_COUPLING_SHAPES);
    assert_int_equal(touch.coupling.member_count, 7);
    assert_int_equal(touch.coupling.except_count, 1);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_EULER, .step = 1e-3};
    assert_null(hf_sim_create(model, &def, &error)); // shapes are for timestep
    assert_non_null(strstr(error.text, "timestep"));
    hf_model_destroy(model);
    hf_spec_destroy(spec);

    spec = parse_good("bodies:\n"
                      "  brick:\n"
                      "    type: rigid\n"
                      "    mass: 1\n"
                      "    shape: {type: box, size: [0.2, 0.1, 0.05]}\n"
                      "    position: [1, 0, 0.025]\n"
                      "    repeat: {count: [3, 1, 2], spacing: [0.2, 0, 0.05],\n"
                      "             stagger: [0.1, 0, 0]}\n"
                      "  dot: {type: mass, axes: xz, mass: 1, position: [0, 1],\n"
                      "        repeat: {count: 4, spacing: [1, 7, 2]}}\n");
    model = hf_model_compile(spec, &error);
    assert_non_null(model);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    const double *p = hf_sim_position(sim, hf_model_find_body(model, "brick-3-2"));
    assert_true(fabs(p[0] - (1 + 0.4 + 0.1)) < 1e-15 && p[1] == 0.0 && fabs(p[2] - 0.075) < 1e-16);
    p = hf_sim_position(sim, hf_model_find_body(model, "dot-4"));
    assert_true(p[0] == 3.0 && p[1] == 7.0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_format_gives_the_same_box),
                                       cmocka_unit_test(bad_meshes_are_refused),
                                       cmocka_unit_test(damaged_meshes_do_no_harm),
                                       cmocka_unit_test(copies_stand_where_they_should)};
    return hf_run_tests(tests);
}
