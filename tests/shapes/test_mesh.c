// SPDX-License-Identifier: Apache-2.0
// Convex hulls and the mass of solids, against closed forms and counting.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brute.h"

static hf_mesh *mesh_of(const hf_vec3 *points, int count)
{
    hf_error error = {0};
    hf_mesh *mesh = hf_mesh_create(points, count, &error);
    if (mesh == NULL) {
        fail_msg("%s", error.text);
    }
    return mesh;
}

// Euler's formula, planes that hold all, edges between their faces.
static void check_mesh(const hf_mesh *m)
{
    assert_int_equal(m->vertex_count - m->edge_count + m->face_count, 2);
    for (int f = 0; f < m->face_count; ++f) {
        const hf_mesh_plane *plane = &hf_mesh_faces(m)[f];
        hf_check_near(hf_v3_norm(plane->normal), 1.0, 1e-14, "length of a normal", "unit");
        for (int v = 0; v < m->vertex_count; ++v) {
            hf_check_below(hf_v3_dot(plane->normal, hf_mesh_vertices(m)[v]) - plane->offset,
                           1e-12 + 1e-6 * m->radius, "vertex outside a face", "convex");
        }
    }
}

static void test_box(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(1);
    for (int round = 0; round < 20; ++round) {
        hf_vec3 size = hf_v3(hf_rng_uniform(&rng, 0.1, 2.0), hf_rng_uniform(&rng, 0.1, 2.0),
                             hf_rng_uniform(&rng, 0.1, 2.0));
        hf_mat3 turn = hf_quat_rotation(brute_turn(&rng));
        hf_vec3 place = hf_v3_scale(3.0, brute_direction(&rng)), points[208];
        for (int i = 0; i < 208; ++i) {
            // corners, then points inside and on faces
            hf_vec3 p = hf_v3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
            if (i >= 8) {
                p = hf_v3(hf_rng_uniform(&rng, -0.5, 0.5), hf_rng_uniform(&rng, -0.5, 0.5),
                          i < 100 ? 0.5 : hf_rng_uniform(&rng, -0.5, 0.5));
            }
            p = hf_v3(p.x * size.x, p.y * size.y, p.z * size.z);
            points[i] = hf_v3_add(place, hf_m3_mulv(&turn, p));
        }
        hf_mesh *mesh = mesh_of(points, 208);
        hf_mesh_info info = hf_mesh_get_info(mesh);
        check_mesh(mesh);
        assert_int_equal(info.vertices, 8);
        assert_int_equal(info.edges, 12);
        assert_int_equal(info.faces, 6);
        hf_check_near(info.volume, size.x * size.y * size.z, 1e-12, "volume", "a box");
        hf_check_below(hf_v3_norm(hf_v3_sub(info.center, place)), 1e-13, "center", "a box");
        hf_shape box = {.type = HF_SHAPE_BOX, .size = size},
                 shape = {.type = HF_SHAPE_MESH, .mesh = mesh};
        box.turn = hf_quat_from_rotation(&turn);
        hf_sym3 want = hf_shape_inertia(box, 3.0), got = hf_shape_inertia(shape, 3.0);
        hf_check_near_array(&got.xx, &want.xx, 6, 1e-11, "inertia", "a box");
        hf_mesh_destroy(mesh);
    }
}

static void test_random(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(2);
    for (int round = 0; round < 60; ++round) {
        int count = hf_rng_int(&rng, 4, 300);
        hf_vec3 points[300];
        bool ball = hf_rng_bool(&rng);
        for (int i = 0; i < count; ++i) {
            points[i] =
                hf_v3_scale(ball ? 1.0 : hf_rng_uniform(&rng, 0.0, 1.0), brute_direction(&rng));
            if (i > 8 && i % 5 == 0) {
                points[i] = points[i - 1]; // again
            }
        }
        hf_mesh *mesh = mesh_of(points, count);
        check_mesh(mesh);
        // every point is inside
        hf_vec3 center = hf_mesh_get_info(mesh).center;
        for (int i = 0; i < count; ++i) {
            for (int f = 0; f < mesh->face_count; ++f) {
                const hf_mesh_plane *plane = &hf_mesh_faces(mesh)[f];
                hf_check_below(hf_v3_dot(plane->normal, hf_v3_sub(points[i], center)) -
                                   plane->offset,
                               2e-6, "point outside", "the hull holds it");
            }
        }
        hf_mesh_destroy(mesh);
    }
}

// Mass of shapes by counting points of a grid in them.
static bool is_inside(const hf_shape *shape, hf_vec3 p)
{
    double r = shape->size.x, h = 0.5 * shape->size.z, across = hypot(p.x, p.y);
    if (shape->type == HF_SHAPE_CYLINDER) {
        return across < r && fabs(p.z) < h;
    }
    double end = fmax(0.0, fabs(p.z) - h);
    return hypot(across, end) < r;
}

static void test_inertia(void **state)
{
    (void)state;
    const hf_shape shapes[] = {{.type = HF_SHAPE_CAPSULE, .size = {0.4, 0.0, 0.7}},
                               {.type = HF_SHAPE_CYLINDER, .size = {0.5, 0.0, 0.9}}};
    enum { GRID = 160 };
    for (int k = 0; k < 2; ++k) {
        double count = 0.0, xx = 0.0, zz = 0.0;
        for (int i = 0; i < GRID * GRID * GRID; ++i) {
            hf_vec3 p = hf_v3(2.0 * (i % GRID + 0.5) / GRID - 1.0,
                              2.0 * (i / GRID % GRID + 0.5) / GRID - 1.0,
                              2.0 * (i / GRID / GRID + 0.5) / GRID - 1.0);
            if (is_inside(&shapes[k], p)) {
                count += 1.0;
                xx += p.y * p.y + p.z * p.z;
                zz += p.x * p.x + p.y * p.y;
            }
        }
        hf_sym3 inertia = hf_shape_inertia(shapes[k], 1.0);
        hf_check_near(inertia.xx, xx / count, 2e-4, "inertia across", "counting");
        hf_check_near(inertia.zz, zz / count, 2e-4, "inertia along", "counting");
        hf_shape turned = shapes[k];
        turned.turn = hf_quat_from_axis_angle(hf_v3(0, 1, 0), 1.5707963267948966);
        hf_sym3 other = hf_shape_inertia(turned, 1.0);
        hf_check_near(other.xx, inertia.zz, 1e-15, "inertia of a turned shape", "exchanged");
    }
}

static void expect_refusal(const hf_vec3 *points, int count, const char *words)
{
    hf_error error = {0};
    assert_null(hf_mesh_create(points, count, &error));
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' is not in '%s'", words, error.text);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    hf_vec3 points[64];
    for (int i = 0; i < 64; ++i) {
        points[i] = hf_v3(i % 8, i / 8, 3.0);
    }
    expect_refusal(points, 3, "at least 4 vertices");
    expect_refusal(points, 64, "volume is zero");
    expect_refusal(points, 8, "volume is zero"); // a line
    points[5] = hf_v3(0, 0, 3.0 + 1e-9);
    expect_refusal(points, 64, "volume is zero");
    points[5].z = NAN;
    expect_refusal(points, 64, "finite");
    points[5].z = 1e300;
    expect_refusal(points, 64, "size");
    for (int i = 0; i < 64; ++i) {
        points[i] = hf_v3(2.0, 3.0, 4.0);
    }
    expect_refusal(points, 64, "volume is zero");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_inertia),
        cmocka_unit_test(test_refusals),
    };
    return hf_run_tests(tests);
}
