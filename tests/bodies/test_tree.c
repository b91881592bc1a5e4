// SPDX-License-Identifier: Apache-2.0
// The tree's algorithms against each other, on random trees of all joints.
#include <string.h>

#include "tree_scenes.h"

#include "bodies/bodies.h"
#include "bodies/tree_internal.h"
#include "math/row.h"
#include "solvers/small/rows.h"

#include <math.h>
#include <time.h>

enum { MAX_WAYS = 4 * TREE_MAX_NV + 1 + TREE_MAX_NV * TREE_MAX_NV };
enum { MAX_ROWS = TREE_MAX_NV * (TREE_MAX_NV + 3) };
enum { TREES = 300 };

static double largest(const double *a, int count)
{
    double m = 1.0;
    for (int k = 0; k < count; k++)
        m = fmax(m, fabs(a[k]));
    return m;
}

// inverse(forward(u)) = u, for trees of any joints.
static void test_forward_inverts_inverse(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(1);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        double dv[TREE_MAX_NV], u[TREE_MAX_NV];
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, false);
        hf_wrench *external = hf_rng_bool(&rng) ? s.external : NULL;
        hf_tree_forward(&s.tree, s.q, s.v, s.u, external, s.gravity, s.work, dv);
        hf_tree_inverse(&s.tree, s.q, s.v, dv, external, s.gravity, s.work, u);
        hf_check_near_array(u, s.u, s.tree.nv, 1e-11 * largest(dv, s.tree.nv), "u",
                            "u given to hf_tree_forward");
    }
}

// H dv + c = u, where c = inverse(0).
static void test_forward_against_mass_matrix(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(2);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        static double h[TREE_MAX_NV * TREE_MAX_NV];
        double dv[TREE_MAX_NV], zero[TREE_MAX_NV] = {0}, sum[TREE_MAX_NV];
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, false);
        int n = s.tree.nv;
        hf_tree_mass_matrix(&s.tree, s.q, s.work, h);
        hf_tree_inverse(&s.tree, s.q, s.v, zero, s.external, s.gravity, s.work, sum);
        hf_tree_forward(&s.tree, s.q, s.v, s.u, s.external, s.gravity, s.work, dv);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                sum[i] += h[i * n + k] * dv[k];
                hf_check_same_bits(h[i * n + k], h[k * n + i], "H symmetric");
            }
        hf_check_near_array(sum, s.u, n, 1e-10 * largest(dv, n), "H dv + c",
                            "u given to hf_tree_forward");
    }
}

// v'Hv/2 is the kinetic energy of the links and rotors.
static void test_kinetic_against_mass_matrix(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(3);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        static double h[TREE_MAX_NV * TREE_MAX_NV];
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, false);
        int n = s.tree.nv;
        double want = 0.0;
        hf_tree_mass_matrix(&s.tree, s.q, s.work, h);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                want += 0.5 * s.v[i] * h[i * n + k] * s.v[k];
        double got = hf_tree_kinetic(&s.tree, s.q, s.v, s.work);
        hf_check_near(got, want, 1e-12 * (1.0 + want), "kinetic energy", "v'Hv/2");
    }
}

// Rows side by side are answered as each of them alone, to the bit.
static void check_side_by_side(int n, const int *ways, const double *l, const double *u,
                               const double *x)
{
    enum { ROWS = 4 };
    static double y[ROWS * TREE_MAX_NV], all[ROWS * TREE_MAX_NV];
    double half[TREE_MAX_NV], answer[TREE_MAX_NV];
    for (int k = 0; k < n; k++)
        for (int c = 0; c < ROWS; c++)
            y[ROWS * k + c] = c == 0 ? u[k] : c == 1 ? 0.0 : c == 2 ? x[k] : u[n - 1 - k];
    static double halves[ROWS * TREE_MAX_NV];
    memcpy(halves, y, sizeof y);
    hf_tree_factor_half_rows(n, ways, l, ROWS, halves);
    hf_tree_factor_answer(n, ways, l, ROWS, y, all);
    for (int c = 0; c < ROWS; c++) {
        double row[TREE_MAX_NV];
        for (int k = 0; k < n; k++)
            row[k] = c == 0 ? u[k] : c == 1 ? 0.0 : c == 2 ? x[k] : u[n - 1 - k];
        hf_tree_factor_half(n, ways, l, row, half);
        hf_tree_factor_back(n, ways, l, half, answer);
        for (int k = 0; k < n; k++) {
            assert_true(y[ROWS * k + c] == half[k] && halves[ROWS * k + c] == half[k]);
            assert_true(all[ROWS * k + c] == answer[k]);
        }
    }
}

// The packed rows of a matrix, by the ways of a tree.
static void pack(int n, const int *ways, const double *h, double *rows)
{
    memset(rows, 0, hf_tree_row_numbers(n, ways) * sizeof *rows);
    for (int k = 0; k < n; k++)
        for (int p = 0; p <= hf_tree_depth(n, ways, k); p++)
            hf_tree_row(n, ways, rows, k)[p] = h[k * n + hf_tree_way(n, ways, k)[p]];
}

static void find_ways(const hf_tree_model *tree, int *ways)
{
    int above[TREE_MAX_NV];
    hf_tree_find_above(tree, above);
    assert_true(hf_tree_ways_size(tree->nv, above) <= MAX_WAYS);
    hf_tree_find_ways(tree->nv, above, ways);
}

// What a tree keeps of the factor of its mass matrix gives that back: all of it that is not zero,
// to the bit, and its products with velocities.
static void test_mass_from_factor(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(13);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        static double h[TREE_MAX_NV * TREE_MAX_NV], l[2 * MAX_ROWS + TREE_MAX_NV];
        static double m[MAX_ROWS], want[MAX_ROWS];
        double p[TREE_MAX_NV];
        static int ways[MAX_WAYS];
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, t % 2 == 0);
        int n = s.tree.nv;
        find_ways(&s.tree, ways);
        const hf_tree_body body = {.tree = s.tree, .above = ways};
        assert_true(hf_link_ops.factor_size(&body) <= sizeof l / sizeof *l);
        const hf_body_io io = {.q = s.q, .v = s.v, .work = s.work};
        assert_true(hf_link_ops.factor(&body, &io, l));
        // The matrix, on the ways to the world; the rest of it is zero
        hf_tree_mass_matrix(&s.tree, s.q, s.work, h);
        pack(n, ways, h, want);
        hf_link_ops.mass(&body, l, m);
        for (size_t i = 0; i < hf_tree_row_numbers(n, ways); i++)
            assert_true(m[i] == want[i]);
        for (int i = 0; i < n; i++) {
            bool here[TREE_MAX_NV] = {false};
            for (int at = 0; at <= hf_tree_depth(n, ways, i); at++)
                here[hf_tree_way(n, ways, i)[at]] = true;
            for (int k = 0; k < i; k++)
                assert_true(here[k] || h[i * n + k] == 0.0);
        }
        // and products with it
        hf_link_ops.momentum(&body, l, s.v, p);
        for (int i = 0; i < n; i++) {
            double sum = 0.0, size = 0.0;
            for (int k = 0; k < n; k++) {
                sum += h[i * n + k] * s.v[k];
                size += fabs(h[i * n + k] * s.v[k]);
            }
            hf_check_near(p[i], sum, 1e-14 * size, "momentum", "H v");
        }
    }
}

// H = L'L: |L v|^2 is v'Hv, L^-1 and L'^-1 undo L and solve with H together, and nothing fills that
// is not on the way to the world.
static void test_factor_against_mass_matrix(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(12);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        static double h[TREE_MAX_NV * TREE_MAX_NV], l[MAX_ROWS];
        double w[TREE_MAX_NV], x[TREE_MAX_NV], sum[TREE_MAX_NV];
        static int ways[MAX_WAYS];
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, t % 2 == 0);
        int n = s.tree.nv;
        hf_tree_mass_matrix(&s.tree, s.q, s.work, h);
        find_ways(&s.tree, ways);
        pack(n, ways, h, l);
        assert_true(hf_tree_factor(n, ways, l));
        hf_tree_factor_weigh(n, ways, l, s.v, w);
        double square = 0.0;
        for (int k = 0; k < n; k++)
            square += w[k] * w[k];
        double want = 2.0 * hf_tree_kinetic(&s.tree, s.q, s.v, s.work);
        hf_check_near(square, want, 1e-11 * (1.0 + want), "|L v|^2", "twice the kinetic energy");
        hf_tree_factor_back(n, ways, l, w, w);
        hf_check_near_array(w, s.v, n, 1e-9 * largest(s.v, n), "L^-1 L v", "v");
        hf_tree_factor_half(n, ways, l, s.u, x);
        hf_tree_factor_back(n, ways, l, x, x);
        for (int i = 0; i < n; i++) {
            sum[i] = 0.0;
            for (int k = 0; k < n; k++)
                sum[i] += h[i * n + k] * x[k];
        }
        hf_check_near_array(sum, s.u, n, 1e-9 * (1.0 + largest(x, n)), "H x", "u");
        check_side_by_side(n, ways, l, s.u, x);
        double one[TREE_MAX_NV] = {0};
        int last = n - 1;
        if (n > 0) {
            one[last] = 1.0;
            hf_tree_factor_half(n, ways, l, one, one);
            for (int k = last; k >= 0; k = ways[k])
                one[k] = 0.0;
            for (int k = 0; k < n; k++)
                assert_true(one[k] == 0.0);
            l[0] = -1.0;
            assert_false(hf_tree_factor(n, ways, l) && ways[0] < 0);
        }
    }
}

// The shortcut for planes gives what the general road gives.
static void test_planar_against_general(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(4);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        double got[TREE_MAX_NV], want[TREE_MAX_NV], u[TREE_MAX_NV];
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), true, false);
        assert_true(s.tree.planar);
        hf_wrench *external = hf_rng_bool(&rng) ? s.external : NULL;
        if (hf_rng_bool(&rng))
            s.gravity = hf_v3(0, 0, 0);
        hf_tree_forward(&s.tree, s.q, s.v, s.u, external, s.gravity, s.work, got);
        hf_tree_forward_general(&s.tree, s.q, s.v, s.u, external, s.gravity, s.work, want);
        double scale = largest(want, s.tree.nv);
        hf_check_near_array(got, want, s.tree.nv, 1e-11 * scale, "dv in a plane",
                            "hf_tree_forward_general");
        hf_tree_inverse(&s.tree, s.q, s.v, got, external, s.gravity, s.work, u);
        hf_check_near_array(u, s.u, s.tree.nv, 1e-11 * scale, "u in a plane",
                            "u given to hf_tree_forward");
    }
}

// A tilt of 1e-9 rad out of the plane is not rounding.
static void test_plane_is_not_guessed(void **state)
{
    (void)state;
    static tree_scene s;
    tree_scene_arm(&s);
    assert_true(s.tree.planar);
    hf_quat turn = hf_quat_from_axis_angle(hf_v3(1, 0, 0), 1e-9);
    s.links[1].tilt = hf_quat_rotation(turn);
    tree_scene_prepare(&s, 2);
    assert_false(s.tree.planar);
    tree_scene_arm(&s);
    s.links[1].type = HF_JOINT_PRISMATIC;
    tree_scene_prepare(&s, 2);
    assert_false(s.tree.planar); // along the normal
    s.links[1].axis = hf_v3(0, 1, 0);
    tree_scene_prepare(&s, 2);
    assert_true(s.tree.planar);
}

static void point_of(const tree_scene *s, const double *q, int link, hf_vec3 point, hf_vec3 *p)
{
    hf_pose poses[TREE_MAX_LINKS];
    hf_tree_poses(&s->tree, q, s->v, poses);
    *p = hf_v3_add(poses[link].position, hf_m3_mulv(&poses[link].rotation, point));
}

// J v against the poses' velocities (exact) and against central differences of the poses along q'.
static void test_jacobian(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(5);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        hf_pose poses[TREE_MAX_LINKS];
        double j[6 * TREE_MAX_NV], rate[TREE_MAX_NQ], q[TREE_MAX_NQ], jv[6] = {0};
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, false);
        int n = s.tree.nv, link = hf_rng_int(&rng, 0, s.tree.link_count - 1);
        hf_vec3 point = random_vector(&rng), ahead, behind;
        hf_tree_point_jacobian(&s.tree, s.q, link, point, s.work, j);
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < n; k++)
                jv[r] += j[r * n + k] * s.v[k];
        hf_tree_poses(&s.tree, s.q, s.v, poses);
        hf_vec3 w = poses[link].spin;
        hf_vec3 arm = hf_m3_mulv(&poses[link].rotation, point);
        hf_vec3 p = hf_v3_add(poses[link].velocity, hf_v3_cross(w, arm));
        double want[6] = {w.x, w.y, w.z, p.x, p.y, p.z};
        hf_check_near_array(jv, want, 6, 1e-12 * largest(want, 6), "J v", "poses");

        const double h = 1e-6;
        hf_tree_q_rate(&s.tree, s.q, s.v, rate);
        for (int k = 0; k < s.tree.nq; k++)
            q[k] = s.q[k] + h * rate[k];
        point_of(&s, q, link, point, &ahead);
        for (int k = 0; k < s.tree.nq; k++)
            q[k] = s.q[k] - h * rate[k];
        point_of(&s, q, link, point, &behind);
        hf_vec3 d = hf_v3_scale(0.5 / h, hf_v3_sub(ahead, behind));
        double differences[3] = {d.x, d.y, d.z};
        // h^2/6 times the third derivative, which reaches 1e3 for a dozen turns at unit rates.
        hf_check_near_array(jv + 3, differences, 3, 1e-8 * largest(want, 6), "J v",
                            "central differences of the poses");
    }
}

// Columns of a Jacobian are zero for velocities that do not move the link.
static void test_jacobian_of_other_branch(void **state)
{
    (void)state;
    static tree_scene s;
    double j[6 * 2];
    tree_scene_arm(&s);
    s.links[1].parent = -1;
    tree_scene_prepare(&s, 2);
    hf_tree_point_jacobian(&s.tree, s.q, 1, hf_v3(1, 0, 0), s.work, j);
    double want[12] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    hf_check_near_array(j, want, 12, 0.0, "J", "two separate arms");
}

// External wrenches do what their transpose maps say: inverse with a wrench = without - J'w.
static void test_wrench_is_jacobian_transposed(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(6);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        double j[6 * TREE_MAX_NV], with[TREE_MAX_NV], without[TREE_MAX_NV];
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, false);
        int n = s.tree.nv;
        hf_tree_inverse(&s.tree, s.q, s.v, s.u, s.external, s.gravity, s.work, with);
        hf_tree_inverse(&s.tree, s.q, s.v, s.u, NULL, s.gravity, s.work, without);
        for (int i = 0; i < s.tree.link_count; i++) {
            hf_wrench e = s.external[i];
            double w[6] = {e.torque.x, e.torque.y, e.torque.z, e.force.x, e.force.y, e.force.z};
            hf_tree_point_jacobian(&s.tree, s.q, i, hf_v3(0, 0, 0), s.work, j);
            for (int k = 0; k < n; k++)
                for (int r = 0; r < 6; r++)
                    without[k] -= j[r * n + k] * w[r];
        }
        hf_check_near_array(with, without, n, 1e-11 * largest(without, n), "u with wrenches",
                            "u without - J'w");
    }
}

// Nothing allocates.
static void test_no_allocation(void **state)
{
    (void)state;
    static tree_scene s;
    static double h[TREE_MAX_NV * TREE_MAX_NV];
    hf_rng rng = hf_rng_create(7);
    hf_pose poses[TREE_MAX_LINKS];
    double a[TREE_MAX_NV], j[6 * TREE_MAX_NV], dq[TREE_MAX_NQ];
    long long before = hf_test_allocations();
    for (int planar = 0; planar < 2; planar++) {
        tree_scene_random(&s, &rng, TREE_MAX_LINKS, planar == 1, false);
        hf_tree_forward(&s.tree, s.q, s.v, s.u, s.external, s.gravity, s.work, a);
        hf_tree_inverse(&s.tree, s.q, s.v, s.u, s.external, s.gravity, s.work, a);
        hf_tree_mass_matrix(&s.tree, s.q, s.work, h);
        hf_tree_point_jacobian(&s.tree, s.q, 5, hf_v3(1, 0, 0), s.work, j);
        hf_tree_poses(&s.tree, s.q, s.v, poses);
        hf_tree_q_rate(&s.tree, s.q, s.v, dq);
        double energy = hf_tree_kinetic(&s.tree, s.q, s.v, s.work) +
                        hf_tree_potential(&s.tree, s.q, s.gravity, s.work);
        assert_true(isfinite(energy));
    }
    assert_int_equal(hf_test_allocations() - before, 0);
}

enum { SHORT_CHAIN = 100, LONG_CHAIN = 800 };

// Processor time of one forward dynamics of a chain, the least of many [s].
static double chain_time(int count, bool planar)
{
    static hf_tree_link links[LONG_CHAIN];
    static double q[LONG_CHAIN], v[LONG_CHAIN], u[LONG_CHAIN], dv[LONG_CHAIN];
    static double work[LONG_CHAIN * 128];
    hf_tree_model tree;
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        links[i] = (hf_tree_link){.type = HF_JOINT_REVOLUTE,
                                  .parent = i - 1,
                                  .axis = {0, planar || i % 2 ? 0 : 1, planar || i % 2 ? 1 : 0},
                                  .offset = {0.1, 0, 0},
                                  .tilt = hf_m3_identity(),
                                  .mass = 1.0,
                                  .center = {0.05, 0, 0},
                                  .inertia = {0.01, 0.01, 0.01, 0, 0, 0}};
        q[i] = 0.1;
    }
    hf_tree_prepare(links, count, &tree);
    assert_true(tree.planar == planar);
    assert_true(hf_tree_work_size(&tree) <= sizeof work / sizeof work[0]);
    for (int repeat = 0; repeat < 40; repeat++) {
        clock_t start = clock();
        for (int k = 0; k < 4 * LONG_CHAIN / count; k++)
            hf_tree_forward(&tree, q, v, u, NULL, hf_v3(0, -9.81, 0), work, dv);
        double calls = (double)(4 * LONG_CHAIN / count);
        least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC / calls);
    }
    assert_true(isfinite(dv[count - 1]));
    return least;
}

// Eight times the links take about eight times as long; a quadratic algorithm would take 64 times.
// Between them lie the caches, hence a bound of 20.
static void test_cost_is_linear(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++)
        hf_check_below(chain_time(LONG_CHAIN, planar == 1) / chain_time(SHORT_CHAIN, planar == 1),
                       20.0, "time of 800 links over 100", "O(n)");
}

// Places that are kept give the bits of those that are found anew, whichever configuration was
// looked at before, and differ by the sign of a zero.
static void test_kept_places(void **state)
{
    (void)state;
    enum { ONE = 1 + TREE_MAX_NQ + 12 * TREE_MAX_LINKS + 3 * TREE_MAX_NV, ROOM = 1 + 2 * ONE };
    enum { STATES = 3, LOOKS = 10 };
    static const int order[LOOKS] = {0, 1, 1, 0, 1, 2, 1, 0, 0, 2};
    hf_rng rng = hf_rng_create(21);
    for (int t = 0; t < TREES; t++) {
        static tree_scene s;
        static double kept[ROOM], h[2][TREE_MAX_NV * TREE_MAX_NV];
        static hf_pose poses[2][TREE_MAX_LINKS];
        double q[STATES][TREE_MAX_NQ], a[2][TREE_MAX_NV];
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, t % 2 == 0);
        assert_true(hf_tree_places_size(&s.tree) <= ROOM);
        size_t nv = (size_t)s.tree.nv * sizeof(double);
        // Three configurations, by turns and twice
        for (int i = 0; i < STATES; i++) {
            memcpy(q[i], s.q, sizeof s.q);
            q[i][s.tree.nq > 0 ? s.tree.nq - 1 : 0] += 0.25 * i;
        }
        memset(kept, 0, sizeof kept);
        memset(poses, 0, sizeof poses);
        // The last two are kept where they are
        const hf_tree_place *links = hf_tree_places_at(&s.tree, q[0], kept).links;
        assert_true(s.tree.nq == 0 || hf_tree_places_at(&s.tree, q[1], kept).links != links);
        assert_true(hf_tree_places_at(&s.tree, q[0], kept).links == links);
        for (int i = 0; i < LOOKS; i++) {
            const double *x = q[order[i]];
            hf_tree_places places = hf_tree_places_at(&s.tree, x, kept);
            hf_tree_poses(&s.tree, x, s.v, poses[0]);
            hf_tree_poses_at(&s.tree, &places, x, s.v, poses[1]);
            assert_memory_equal(poses[0], poses[1], sizeof poses[0]);
            hf_tree_mass_matrix(&s.tree, x, s.work, h[0]);
            hf_tree_mass_matrix_at(&s.tree, &places, x, s.work, h[1]);
            assert_memory_equal(h[0], h[1], nv * (size_t)s.tree.nv);
            hf_tree_forward(&s.tree, x, s.v, s.u, s.external, s.gravity, s.work, a[0]);
            hf_tree_forward_at(&s.tree, &places, x, s.v, s.u, s.external, s.gravity, s.work, a[1]);
            assert_memory_equal(a[0], a[1], nv);
            hf_tree_inverse(&s.tree, x, s.v, s.u, s.external, s.gravity, s.work, a[0]);
            hf_tree_inverse_at(&s.tree, &places, x, s.v, s.u, s.external, s.gravity, s.work, a[1]);
            assert_memory_equal(a[0], a[1], nv);
        }
    }
}

// Rows in wide registers: the bits of math/row.h, and orthonormal where they are joined.
static void test_wide_rows(void **state)
{
    (void)state;
    enum { MOST_ROWS = 9, WIDEST = 37 };
    hf_rng rng = hf_rng_create(22);
    for (int t = 0; t < TREES; t++) {
        int rows = hf_rng_int(&rng, 1, MOST_ROWS), n = hf_rng_int(&rng, rows, WIDEST);
        double a[MOST_ROWS * WIDEST], x[WIDEST], sum[WIDEST], products[MOST_ROWS];
        for (int k = 0; k < rows * n; k++)
            a[k] = hf_rng_uniform(&rng, -1.0, 1.0);
        for (int k = 0; k < n; k++)
            x[k] = sum[k] = hf_rng_uniform(&rng, -1.0, 1.0);
        hf_rows_times(a, rows, (size_t)n, x, products);
        for (int r = 0; r < rows; r++) {
            assert_true(products[r] == hf_row_dot(a + r * n, x, (size_t)n));
            hf_row_add(sum, products[r], a + r * n, (size_t)n);
        }
        hf_rows_add(a, rows, (size_t)n, products, x);
        assert_memory_equal(x, sum, (size_t)n * sizeof *x);
        // The lower half of sums of products, up to three
        int count = rows < 3 ? rows : 3;
        static double square[WIDEST * WIDEST];
        memset(square, 0, sizeof square);
        hf_rows_outer(x, a, 1, (size_t)n, square);
        hf_rows_outer(a, a, count, (size_t)n, square);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k <= i; k++) {
                double wanted = 0.0;
                for (int r = 0; r < count; r++)
                    wanted += a[r * n + i] * a[r * n + k];
                assert_true(square[i * n + k] == x[i] * a[k] + wanted);
            }
        }
        // Orthonormal
        for (int r = 0; r < rows; r++) {
            assert_true(hf_rows_join(a, r, (size_t)n, 1e-9));
            for (int k = 0; k <= r; k++) {
                double wanted = k == r ? 1.0 : 0.0;
                double got = hf_row_dot(a + r * n, a + k * n, (size_t)n);
                hf_check_near_array(&got, &wanted, 1, 1e-14, "q_r.q_k", "1 or 0");
            }
        }
        hf_rows_remove(a, rows, (size_t)n, x);
        for (int r = 0; r < rows; r++)
            assert_true(fabs(hf_row_dot(a + r * n, x, (size_t)n)) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forward_inverts_inverse),
        cmocka_unit_test(test_forward_against_mass_matrix),
        cmocka_unit_test(test_kinetic_against_mass_matrix),
        cmocka_unit_test(test_mass_from_factor),
        cmocka_unit_test(test_factor_against_mass_matrix),
        cmocka_unit_test(test_kept_places),
        cmocka_unit_test(test_wide_rows),
        cmocka_unit_test(test_planar_against_general),
        cmocka_unit_test(test_plane_is_not_guessed),
        cmocka_unit_test(test_jacobian),
        cmocka_unit_test(test_jacobian_of_other_branch),
        cmocka_unit_test(test_wrench_is_jacobian_transposed),
        cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_cost_is_linear),
    };
    return hf_run_tests(tests);
}
