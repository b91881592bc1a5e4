// SPDX-License-Identifier: Apache-2.0
// Surfaces that are not convex, as convex parts: they fill the solid, each place of it once, and
// nothing of its hollows beyond the tolerance.
#include <hf_test.h>
#include <holdfast/shape.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 20000, MOST = 400 };

typedef struct drawing {
    hf_vec3 points[POINTS];
    int corners[3 * POINTS];
    int point_count, triangle_count;
} drawing;

static drawing drawn;

static void add_quad(hf_vec3 a, hf_vec3 b, hf_vec3 c, hf_vec3 d)
{
    const hf_vec3 at[4] = {a, b, c, d};
    const int corners[6] = {0, 1, 2, 0, 2, 3};
    assert_true(drawn.point_count + 4 <= POINTS && drawn.triangle_count + 2 <= POINTS);
    for (int i = 0; i < 6; ++i) {
        drawn.corners[3 * drawn.triangle_count + i] = drawn.point_count + corners[i];
    }
    memcpy(drawn.points + drawn.point_count, at, sizeof at);
    drawn.point_count += 4;
    drawn.triangle_count += 2;
}

static hf_triangles *surface(void)
{
    hf_error error = {0};
    hf_triangles *made = hf_triangles_create(drawn.points, drawn.point_count, drawn.corners,
                                             drawn.triangle_count, &error);
    if (made == NULL) {
        fail_msg("%s", error.text);
    }
    return made;
}

// How far a point is inside of a part; negative: outside.
static double depth_in(const hf_mesh *mesh, hf_vec3 p)
{
    hf_mesh_info info = hf_mesh_get_info(mesh);
    double least = HUGE_VAL;
    for (int f = 0; f < info.faces; ++f) {
        int v[3];
        (void)hf_mesh_face(mesh, f, v, 3);
        hf_vec3 a = hf_mesh_vertex(mesh, v[0]), b = hf_mesh_vertex(mesh, v[1]),
                c = hf_mesh_vertex(mesh, v[2]);
        double x[3] = {b.x - a.x, b.y - a.y, b.z - a.z}, y[3] = {c.x - a.x, c.y - a.y, c.z - a.z};
        double n[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                       x[0] * y[1] - x[1] * y[0]};
        double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double h = n[0] * (p.x - info.center.x - a.x) + n[1] * (p.y - info.center.y - a.y) +
                   n[2] * (p.z - info.center.z - a.z);
        least = fmin(least, -h / size);
    }
    return least;
}

typedef struct parts {
    hf_mesh *at[MOST];
    int count;
    double volume;
} parts;

static parts cut(double tolerance)
{
    hf_error error = {0};
    parts p = {.count = 0};
    hf_triangles *made = surface();
    p.count = hf_triangles_cut(made, tolerance, p.at, MOST, &error);
    if (p.count == 0) {
        fail_msg("%s", error.text);
    }
    hf_triangles_destroy(made);
    for (int i = 0; i < p.count; ++i) {
        p.volume += hf_mesh_get_info(p.at[i]).volume;
    }
    return p;
}

static void clear(parts *p)
{
    for (int i = 0; i < p->count; ++i) {
        hf_mesh_destroy(p->at[i]);
    }
}

// In how many parts a point is, deeper than `margin`.
static int holds(const parts *p, hf_vec3 at, double margin)
{
    int count = 0;
    for (int i = 0; i < p->count; ++i) {
        count += depth_in(p->at[i], at) > margin;
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Cubes on a grid

enum { N = 3 };

static bool cells[N][N][N];

static bool at(int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < N && y < N && z < N && cells[x][y][z];
}

// Faces between full and empty cells.
static int draw_cells(double size)
{
    int full = 0;
    drawn.point_count = drawn.triangle_count = 0;
    for (int i = 0; i < N * N * N; ++i) {
        const int c[3] = {i / (N * N), i / N % N, i % N};
        if (!at(c[0], c[1], c[2])) {
            continue;
        }
        ++full;
        for (int axis = 0; axis < 3; ++axis) {
            for (int side = 0; side < 2; ++side) {
                int next[3] = {c[0], c[1], c[2]};
                next[axis] += side == 0 ? -1 : 1;
                if (at(next[0], next[1], next[2])) {
                    continue;
                }
                hf_vec3 q[4];
                int u = (axis + 1) % 3, v = (axis + 2) % 3;
                for (int k = 0; k < 4; ++k) {
                    double p[3] = {c[0], c[1], c[2]};
                    p[axis] += side;
                    p[u] += k == 1 || k == 2;
                    p[v] += k >= 2;
                    q[side == 0 ? 3 - k : k] = (hf_vec3){size * p[0], size * p[1], size * p[2]};
                }
                add_quad(q[0], q[1], q[2], q[3]);
            }
        }
    }
    return full;
}

// The parts fill the cells exactly.
static int check_cells(double size, int full, const char *what)
{
    parts p = cut(1e-3 * size);
    hf_check_near(p.volume, full * size * size * size, 1e-9 * size * size * size, what,
                  "volume of the cells");
    for (int i = 0; i < 8 * N * N * N; ++i) { // eight places in each
        int c[3] = {i / 8 / (N * N), i / 8 / N % N, i / 8 % N};
        hf_vec3 place = {size * (c[0] + 0.2 + 0.57 * (i & 1)),
                         size * (c[1] + 0.23 + 0.53 * (i >> 1 & 1)),
                         size * (c[2] + 0.27 + 0.49 * (i >> 2 & 1))};
        int wanted = at(c[0], c[1], c[2]) ? 1 : 0, inside = holds(&p, place, 0.0);
        if (inside != wanted) {
            fail_msg("%s: a place in cell %d %d %d is in %d parts, not %d", what, c[0], c[1], c[2],
                     inside, wanted);
        }
    }
    clear(&p);
    return p.count;
}

static void known_solids(void **state)
{
    (void)state;
    // An angle: two boxes
    memset(cells, 0, sizeof cells);
    cells[0][0][0] = cells[1][0][0] = cells[0][1][0] = true;
    assert_int_equal(check_cells(0.1, draw_cells(0.1), "angle"), 2);
    // A cube is a cube
    memset(cells, 1, sizeof cells);
    assert_int_equal(check_cells(0.1, draw_cells(0.1), "cube"), 1);
    // A cube without a corner: three boxes
    cells[2][2][2] = false;
    assert_in_range(check_cells(10.0, draw_cells(10.0), "notch"), 3, 4);
    // A box with a hollow in its middle, open above: five
    memset(cells, 1, sizeof cells);
    cells[1][1][2] = cells[1][1][1] = false;
    assert_in_range(check_cells(1e-3, draw_cells(1e-3), "cup"), 5, 7);
    // A frame: four
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 9; ++i) {
        cells[i / 3][i % 3][0] = i != 4;
    }
    assert_in_range(check_cells(1.0, draw_cells(1.0), "frame"), 4, 5);
}

// Cells that grow from one of them; those that meet at an edge alone are no closed surface.
static void random_cells(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(7001);
    int tried = 0;
    for (int k = 0; k < 60; ++k) {
        memset(cells, 0, sizeof cells);
        cells[1][1][1] = true;
        int wanted = 3 + (int)(18.0 * hf_rng_uniform(&rng, 0.0, 1.0));
        for (int i = 0; i < 300 && wanted > 0; ++i) {
            int c[3];
            for (int a = 0; a < 3; ++a) {
                c[a] = (int)fmin(N - 1, N * hf_rng_uniform(&rng, 0.0, 1.0));
            }
            bool beside = at(c[0] - 1, c[1], c[2]) || at(c[0] + 1, c[1], c[2]) ||
                          at(c[0], c[1] - 1, c[2]) || at(c[0], c[1] + 1, c[2]) ||
                          at(c[0], c[1], c[2] - 1) || at(c[0], c[1], c[2] + 1);
            if (beside && !cells[c[0]][c[1]][c[2]]) {
                cells[c[0]][c[1]][c[2]] = true;
                --wanted;
            }
        }
        int full = draw_cells(0.02);
        hf_triangles *made = surface();
        bool closed = hf_triangles_get_info(made).closed;
        hf_triangles_destroy(made);
        if (closed) {
            char what[40];
            (void)snprintf(what, sizeof what, "random cells %d", k);
            (void)check_cells(0.02, full, what);
            ++tried;
        }
    }
    assert_true(tried >= 10);
}

// A solid of a thousandth of the size, or of a thousand times it, has the same parts, as much
// smaller or larger.
static void size_does_not_matter(void **state)
{
    (void)state;
    static const double sizes[] = {1.0, 0x1p-10, 0x1p10}; // exact: so are all sums
    memset(cells, 0, sizeof cells);
    static const int full[][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 2, 0},
                                  {0, 2, 1}, {0, 2, 2}, {2, 0, 1}, {2, 1, 1}};
    for (size_t i = 0; i < sizeof full / sizeof *full; ++i) {
        cells[full[i][0]][full[i][1]][full[i][2]] = true;
    }
    parts made[3];
    for (int k = 0; k < 3; ++k) {
        (void)draw_cells(0.02);
        for (int i = 0; i < drawn.point_count; ++i) {
            hf_vec3 *p = &drawn.points[i];
            *p = (hf_vec3){sizes[k] * p->x, sizes[k] * p->y, sizes[k] * p->z};
        }
        made[k] = cut(0.02 * sizes[k]);
        assert_int_equal(made[k].count, made[0].count);
        for (int i = 0; i < made[0].count; ++i) {
            hf_mesh_info info = hf_mesh_get_info(made[k].at[i]),
                         want = hf_mesh_get_info(made[0].at[i]);
            assert_int_equal(info.vertices, want.vertices);
            hf_check_near(info.volume / pow(sizes[k], 3.0), want.volume, 0.0, "volume of a part",
                          "of the same part at another size");
        }
    }
    assert_true(made[0].count > 2);
    for (int k = 0; k < 3; ++k) {
        clear(&made[k]);
    }
}

// ------------------------------------------------------------------------------------------------
// Round hollows

// A bowl: a hemisphere of radius 1 less one of 0.8, open above.
static void draw_bowl(int around, int up)
{
    const double pi = 3.14159265358979323846, radii[2] = {1.0, 0.8};
    drawn.point_count = drawn.triangle_count = 0;
    for (int i = 0; i < around; ++i) {
        double a[2] = {2.0 * pi * i / around, 2.0 * pi * ((i + 1) % around) / around};
        hf_vec3 top[2][2];
        for (int k = 0; k < up; ++k) {
            for (int s = 0; s < 2; ++s) {
                hf_vec3 q[2][2];
                for (int u = 0; u < 2; ++u) {
                    double e = 0.5 * pi * (k + u) / up, r = k + u == 0 ? 0.0 : radii[s] * sin(e);
                    double z = k + u == up ? 0.0 : -radii[s] * cos(e);
                    for (int v = 0; v < 2; ++v) {
                        q[u][v] = (hf_vec3){r * cos(a[v]), r * sin(a[v]), z};
                    }
                }
                memcpy(top[s], q[1], sizeof q[1]);
                if (s == 0) {
                    add_quad(q[0][0], q[0][1], q[1][1], q[1][0]);
                } else {
                    add_quad(q[0][0], q[1][0], q[1][1], q[0][1]);
                }
            }
        }
        add_quad(top[0][0], top[0][1], top[1][1], top[1][0]);
    }
}

static void a_bowl_stays_hollow(void **state)
{
    (void)state;
    draw_bowl(16, 5);
    hf_triangles *made = surface();
    hf_triangles_info info = hf_triangles_get_info(made);
    assert_true(info.closed);
    hf_triangles_destroy(made);
    double last = HUGE_VAL;
    int count = 0;
    hf_rng rng = hf_rng_create(7002);
    for (int k = 0; k < 3; ++k) {
        const double tolerances[3] = {0.1, 0.03, 0.005};
        parts p = cut(tolerances[k]);
        double beyond = p.volume - info.volume;
        print_message("bowl, tolerance %g: %d parts, volume %.4f of %.4f\n", tolerances[k], p.count,
                      p.volume, info.volume);
        // Finer cuts fill less of the hollow, by more parts
        assert_true(beyond > -1e-9 && beyond <= last + 1e-9);
        assert_true(p.count >= count);
        last = beyond;
        count = p.count;
        // Nothing of the hollow deeper than the tolerance, all of the wall
        for (int i = 0; i < 400; ++i) {
            double a = hf_rng_uniform(&rng, 0.0, 6.28318), e = hf_rng_uniform(&rng, 0.0, 1.5);
            hf_vec3 d = {sin(e) * cos(a), sin(e) * sin(a), -cos(e)};
            double inner = 0.77 - 1.5 * tolerances[k];
            hf_vec3 hollow = {inner * d.x, inner * d.y, inner * d.z};
            hf_vec3 wall = {0.87 * d.x, 0.87 * d.y, 0.87 * d.z};
            assert_int_equal(holds(&p, hollow, 0.0), 0);
            assert_true(holds(&p, wall, -1e-9) >= 1);
        }
        clear(&p);
    }
    assert_true(last < 0.03 * info.volume);
}

// ------------------------------------------------------------------------------------------------

static void what_cannot_be_cut_is_refused(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_mesh *made[MOST];
    memset(cells, 1, sizeof cells);
    (void)draw_cells(1.0);
    drawn.triangle_count -= 1;
    hf_triangles *open = surface();
    assert_int_equal(hf_triangles_cut(open, 0.1, made, MOST, &error), 0);
    assert_non_null(strstr(error.text, "not closed"));
    hf_triangles_destroy(open);
    draw_bowl(16, 5);
    hf_triangles *bowl = surface();
    assert_int_equal(hf_triangles_cut(bowl, 0.005, made, 8, &error), 0);
    assert_non_null(strstr(error.text, "more than 8 convex parts"));
    assert_int_equal(hf_triangles_cut(bowl, NAN, made, MOST, &error), 0);
    hf_triangles_destroy(bowl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_solids),
        cmocka_unit_test(random_cells),
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(a_bowl_stays_hollow),
        cmocka_unit_test(what_cannot_be_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
