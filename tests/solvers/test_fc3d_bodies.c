// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems by their bodies: the same as by W; sequences of steps; bad input.
#include <hf_test.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fc3d_problems.h"
#include "fc3d_scenes.h"

enum { MOST = 20000 };

static hf_status solve(const hf_fc3d_problem *p, hf_fc3d_def def, double *r, double *u,
                       hf_fc3d_info *info)
{
    hf_error error;
    hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, p, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    hf_status status = hf_fc3d_solve(solver, p, r, u, info, &error);
    hf_fc3d_solver_destroy(solver);
    return status;
}

// A method, with bodies only, finds the velocities that it finds with W only.
static void bodies_and_w_agree(void **state)
{
    (void)state;
    const hf_fc3d_method methods[] = {HF_FC3D_AUTO,     HF_FC3D_GAUSS_SEIDEL, HF_FC3D_NEWTON,
                                      HF_FC3D_INTERIOR, HF_FC3D_PROXIMAL,     HF_FC3D_ADMM};
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        hf_random_fc3d random = {8, 12, 0.05, 0.15, 5, 0.3, seed % 2 == 0, seed};
        double drawn_r[36], drawn_u[36], r[36], u[36], v[36];
        hf_fc3d_problem *both = hf_random_fc3d_create(&random, drawn_r, drawn_u);
        assert_non_null(both->bodies);
        hf_fc3d_problem by_w = *both, by_bodies = *both;
        by_w.bodies = NULL;
        by_bodies.start = by_bodies.column = NULL;
        by_bodies.w = NULL;
        hf_fc3d_velocity(&by_w, drawn_r, u);
        hf_fc3d_velocity(&by_bodies, drawn_r, v);
        hf_check_near_array(v, u, 36, 1e-12, "u", "W r + q");
        hf_check_near(hf_fc3d_residual(&by_bodies, HF_FC3D_SCALED, drawn_r, v),
                      hf_fc3d_residual(&by_w, HF_FC3D_SCALED, drawn_r, u), 1e-12, "residual",
                      "with W");
        for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
            hf_fc3d_def def = hf_fc3d_def_default();
            hf_fc3d_info info;
            def.method = methods[m];
            def.tolerance = 1e-10;
            memset(r, 0, sizeof r);
            if (solve(&by_bodies, def, r, u, &info) != HF_OK) {
                fail_msg("%s, seed %d: residual %g", hf_fc3d_method_name(methods[m]), (int)seed,
                         info.residual);
            }
            hf_check_below(hf_fc3d_residual(&by_w, HF_FC3D_NATURAL, r, v), 1.1e-10, "residual",
                           "by W");
            for (int i = 0; i < 36; ++i) {
                if (i % 3 == 0 || drawn_u[i - i % 3] <= 1e-9) {
                    hf_check_near(u[i], drawn_u[i], 1e-6, "u", hf_fc3d_method_name(methods[m]));
                }
            }
        }
        hf_fc3d_problem_destroy(both);
    }
}

// Bodies with 1, 2 and 7 freedoms, rows anywhere in the map, and C: beside W as it is defined.
static void freedoms_and_idle_rows(void **state)
{
    (void)state;
    enum { BODIES = 3, CONTACTS = 5, FREEDOMS = 10 };
    static const int first[] = {0, 1, 3, 10}, pair[] = {0, 1, 1, 2, 2, -1, 0, 2, -1, 1};
    static const int start[] = {0, 5, 10, 15, 20, 25};
    hf_rng rng = hf_rng_create(3);
    double h[3 * CONTACTS][FREEDOMS] = {{0}}, map[300], idle[3 * CONTACTS];
    size_t place[2 * CONTACTS], used = 7;
    for (int i = 2 * CONTACTS - 1; i >= 0; --i) { // from the last contact to the first
        place[i] = used;
        for (int k = 0; pair[i] >= 0 && k < 3; ++k) {
            for (int e = first[pair[i]]; e < first[pair[i] + 1]; ++e) {
                h[3 * (i / 2) + k][e] = map[used++] = hf_rng_uniform(&rng, -1.0, 1.0);
            }
        }
    }
    double w[9 * CONTACTS * CONTACTS], q[3 * CONTACTS], mu[CONTACTS];
    int column[CONTACTS * CONTACTS];
    for (int i = 0; i < 3 * CONTACTS; ++i) {
        idle[i] = i % 4 == 0 ? hf_rng_uniform(&rng, 0.1, 1.0) : 0.0;
        q[i] = hf_rng_uniform(&rng, -1.0, i % 3 == 0 ? 0.0 : 1.0);
        mu[i / 3] = 0.3;
        for (int j = 0; j < 3 * CONTACTS; ++j) {
            double sum = i == j ? idle[i] : 0.0;
            for (int e = 0; e < FREEDOMS; ++e) {
                sum += h[i][e] * h[j][e];
            }
            w[9 * (CONTACTS * (i / 3) + j / 3) + 3 * (i % 3) + j % 3] = sum;
            column[CONTACTS * (i / 3) + j / 3] = j / 3;
        }
    }
    hf_fc3d_bodies bodies = {BODIES, first, NULL, NULL, pair, map, place, idle};
    hf_fc3d_problem by_w = {CONTACTS, start, column, w, q, mu, NULL};
    hf_fc3d_problem by_bodies = {CONTACTS, NULL, NULL, NULL, q, mu, &bodies};
    hf_fc3d_problem *whole = hf_fc3d_problem_expand(&by_bodies, NULL);
    assert_non_null(whole);
    double ones[3 * CONTACTS], x[3 * CONTACTS], y[3 * CONTACTS];
    for (int i = 0; i < 3 * CONTACTS; ++i) {
        ones[i] = 1.0 + i;
    }
    hf_fc3d_velocity(&by_w, ones, x);
    hf_fc3d_velocity(whole, ones, y);
    hf_check_near_array(y, x, 3 * CONTACTS, 1e-12, "u", "W r + q");
    hf_fc3d_problem_destroy(whole);
    const hf_fc3d_method methods[] = {HF_FC3D_GAUSS_SEIDEL, HF_FC3D_NEWTON, HF_FC3D_INTERIOR};
    for (size_t m = 0; m < 3; ++m) {
        double r[3 * CONTACTS] = {0}, u[3 * CONTACTS], v[3 * CONTACTS];
        hf_fc3d_def def = hf_fc3d_def_default();
        def.method = methods[m];
        def.tolerance = 1e-11;
        hf_fc3d_info info;
        assert_int_equal(solve(&by_bodies, def, r, u, &info), HF_OK);
        hf_check_below(hf_fc3d_residual(&by_w, HF_FC3D_NATURAL, r, v), 1.1e-11, "residual", "by W");
        hf_check_near_array(u, v, 3 * CONTACTS, 1e-12, "u", "W r + q");
    }
}

// A wall at rest: the floor carries its weight, and the next step needs no iteration.
static void a_wall_rests(void **state)
{
    (void)state;
    hf_scene_def def = {.wall = true, .across = 3, .layers = 4, .step = 5e-3, .mu = 0.6};
    hf_scene *scene = hf_scene_create(&def);
    hf_fc3d_def tight = hf_fc3d_def_default();
    tight.measure = HF_FC3D_SCALED;
    tight.tolerance = 1e-12;
    double *r = NULL, *u = calloc(MOST, sizeof *u);
    hf_fc3d_solver *solver = NULL;
    for (int k = 0; k < 20; ++k) {
        const hf_fc3d_problem *p = hf_scene_problem(scene, &r);
        hf_error error;
        hf_fc3d_info info;
        solver = solver == NULL ? hf_fc3d_solver_create(&tight, p, &error) : solver;
        assert_non_null(solver);
        assert_int_equal(hf_fc3d_solve(solver, p, r, u, &info, &error), HF_OK);
        double floor = 0.0;
        for (int i = 0; i < p->contacts; ++i) {
            floor += p->bodies->pair[2 * i + 1] < 0 ? r[3 * i] : 0.0;
        }
        double weight = hf_scene_bodies(scene) * 8 * 0.1 * 0.05 * 0.03 * 1000 * 9.81;
        hf_check_near(floor, weight * def.step, 1e-9 * weight, "impulse of the floor", "weight");
        hf_scene_advance(scene);
    }
    for (int i = 0; i < hf_scene_bodies(scene); ++i) {
        hf_check_below(hf_scene_shift(scene, i), 1e-12, "way of a brick", "at rest");
    }
    hf_fc3d_solver_destroy(solver);
    hf_scene_destroy(scene);
    free(u);
}

// Redundant contacts that barely touch: a pile that has come to rest.
static void a_pile_at_rest_is_solved(void **state)
{
    (void)state;
    hf_scene_def def = {.across = 3, .layers = 4, .step = 5e-3, .mu = 0.5, .drag = 0.01};
    hf_scene *scene = hf_scene_create(&def);
    double *warm = NULL;
    const hf_fc3d_problem *p = hf_scene_settle(scene, 900, 60, &warm);
    assert_non_null(p);
    hf_check_below(hf_scene_speed(scene), 1e-3, "speed of a sphere", "at rest");
    double *r = calloc(3 * (size_t)p->contacts, sizeof *r), *u = calloc(MOST, sizeof *u);
    hf_fc3d_info info;
    if (solve(p, hf_fc3d_def_default(), r, u, &info) != HF_OK) {
        fail_msg("%d contacts: residual %g", p->contacts, info.residual);
    }
    hf_check_below(hf_fc3d_residual(p, HF_FC3D_NATURAL, r, u), 1e-8, "residual", "tolerance");
    free(r);
    free(u);
    hf_scene_destroy(scene);
}

// A budget of sweeps and steps gives the best so far, and its residual.
static void budgets(void **state)
{
    (void)state;
    hf_scene_def scene_def = {.across = 3, .layers = 3, .step = 5e-3, .mu = 0.5};
    hf_scene *scene = hf_scene_create(&scene_def);
    double *warm = NULL, last = HUGE_VAL;
    const hf_fc3d_problem *p = hf_scene_settle(scene, 100, 30, &warm);
    double *r = calloc(3 * (size_t)p->contacts, sizeof *r), *u = calloc(MOST, sizeof *u);
    for (int budget = 1; budget <= 64; budget *= 4) {
        hf_fc3d_def def = hf_fc3d_def_default();
        def.iterations = budget;
        def.tolerance = 1e-14;
        hf_fc3d_info info;
        memset(r, 0, 3 * (size_t)p->contacts * sizeof *r);
        hf_status status = solve(p, def, r, u, &info);
        assert_true(status == HF_ERROR_CONVERGENCE || status == HF_OK);
        assert_true(info.iterations <= budget);
        hf_check_near(info.residual, hf_fc3d_residual(p, HF_FC3D_STRICTER, r, u),
                      1e-9 * info.residual, "residual", "of the reactions given back");
        hf_check_below(info.residual, last, "residual", "of a smaller budget");
        last = info.residual;
    }
    free(r);
    free(u);
    hf_scene_destroy(scene);
}

// A solver that is too small says so and leaves the reactions; with more memory the result has the
// bits that it has in a solver made for the problem.
static void memory(void **state)
{
    (void)state;
    hf_random_fc3d small = {2, 3, 0.2, 0.5, 1, 0.3, false, 1},
                   large = {20, 60, 0.2, 0.5, 1, 0.3, false, 2};
    double r[180], u[180], s[180];
    hf_fc3d_problem *little = hf_random_fc3d_create(&small, r, u);
    hf_fc3d_problem *much = hf_random_fc3d_create(&large, r, u);
    hf_error error;
    hf_fc3d_solver *solver = hf_fc3d_solver_create(NULL, little, &error);
    for (int i = 0; i < 180; ++i) {
        r[i] = i % 3 == 0 ? 0.1 : 0.0;
        s[i] = r[i];
    }
    assert_int_equal(hf_fc3d_solve(solver, much, r, u, NULL, &error), HF_ERROR_RANGE);
    assert_memory_equal(r, s, sizeof r);
    assert_int_equal(hf_fc3d_solver_reserve(solver, much, &error), HF_OK);
    assert_int_equal(hf_fc3d_solve(solver, much, r, u, NULL, &error), HF_OK);
    hf_fc3d_info info;
    assert_int_equal(solve(much, hf_fc3d_def_default(), s, u, &info), HF_OK);
    assert_memory_equal(r, s, sizeof r);
    hf_fc3d_solver_destroy(solver);
    hf_fc3d_problem_destroy(little);
    hf_fc3d_problem_destroy(much);
}

// What a problem lacks is named.
static void without_w(void **state)
{
    (void)state;
    hf_random_fc3d random = {8, 12, 0.05, 0.15, 5, 0.3, false, 1};
    double r[36], u[36];
    hf_fc3d_problem *both = hf_random_fc3d_create(&random, r, u), none = *both;
    none.start = none.column = NULL;
    none.w = NULL;
    for (int i = 0; i < 2; ++i) {
        hf_error error = {0};
        hf_fc3d_def def = hf_fc3d_def_default();
        def.method = i == 0 ? HF_FC3D_LEMKE : HF_FC3D_AUTO;
        hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, both, &error);
        assert_non_null(solver);
        none.bodies = i == 0 ? both->bodies : NULL;
        assert_true(hf_fc3d_solve(solver, &none, r, u, NULL, &error) < 0);
        if (strstr(error.text, i == 0 ? "lemke needs W" : "neither W nor bodies") == NULL &&
            strstr(error.text, i == 0 ? "lemke needs W" : "without bodies needs W") == NULL) {
            fail_msg("%s", error.text);
        }
        hf_fc3d_solver_destroy(solver);
    }
    hf_fc3d_problem_destroy(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_and_w_agree),
        cmocka_unit_test(freedoms_and_idle_rows),
        cmocka_unit_test(a_wall_rests),
        cmocka_unit_test(a_pile_at_rest_is_solved),
        cmocka_unit_test(budgets),
        cmocka_unit_test(memory),
        cmocka_unit_test(without_w),
    };
    return hf_run_tests(tests);
}
