// SPDX-License-Identifier: Apache-2.0
// Friction of rolling in friction-contact problems: the cone, a sphere on a plane against closed
// forms, random problems whose solution is known, units.
#include <hf_test.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/fc3d.h>

#include "solvers/fc3d/fc3d_rolling.h"

enum { MOST = 60 };

// ------------------------------------------------------------------------------------------------
// Problems

// Dense W and q of five rows a contact, as blocks.
static hf_fc3d_problem *problem_of(int contacts, const double *w, const double *q, const double *mu,
                                   const double *mu_r)
{
    int n = 5 * contacts, wide = 6 * contacts, used = 0;
    int *start = calloc((size_t)wide + 1, sizeof *start);
    int *row = calloc((size_t)(n * n) + 1, sizeof *row);
    double *value = calloc((size_t)(n * n) + 1, sizeof *value);
    double *wide_q = calloc((size_t)wide + 1, sizeof *wide_q);
    double *both = calloc(2 * (size_t)contacts + 1, sizeof *both);
    assert_true(start != NULL && row != NULL && value != NULL && wide_q != NULL && both != NULL);
    for (int j = 0; j < wide; ++j) {
        int from = j % 6 < 3 ? j / 6 * 5 + j % 6 : j / 6 * 5 + j % 6 - 1;
        start[j] = used;
        for (int i = 0; i < n && j % 6 != 3; ++i) {
            row[used] = i / 5 * 6 + (i % 5 < 3 ? i % 5 : i % 5 + 1);
            value[used++] = w[i * n + from];
        }
        wide_q[j] = j % 6 == 3 ? 0.0 : q[from];
    }
    start[wide] = used;
    for (int c = 0; c < contacts; ++c) {
        both[2 * c] = mu[c];
        both[2 * c + 1] = mu_r[c];
    }
    hf_error error = {0};
    hf_fc3d_problem *p = hf_fc3d_problem_create(
        &(hf_fc3d_matrix){
            .rows = wide, .columns = wide, .start = start, .row = row, .value = value},
        wide_q, both, &error);
    if (p == NULL) {
        fail_msg("%s", error.text);
    }
    free(start);
    free(row);
    free(value);
    free(wide_q);
    free(both);
    return p;
}

// Five numbers of a contact among six.
static void five_of(const double *six, double five[5])
{
    memcpy(five, six, 3 * sizeof *five);
    memcpy(five + 3, six + 4, 2 * sizeof *five);
}

static double solved(const hf_fc3d_problem *p, hf_fc3d_method method, double *r, double *u)
{
    hf_error error = {0};
    hf_fc3d_def def = hf_fc3d_def_default();
    hf_fc3d_info info;
    def.method = method;
    def.tolerance = 1e-10;
    memset(r, 0, 3 * (size_t)p->contacts * sizeof *r);
    if (hf_fc3d_rolling_solve(&def, p, r, u, &info, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    hf_check_near(info.residual, hf_fc3d_rolling_residual(p, HF_FC3D_STRICTER, r, u), 0.0,
                  "residual", "of the reactions");
    assert_int_equal(info.open + info.sticking + info.sliding, p->contacts / 2);
    return info.residual;
}

// ------------------------------------------------------------------------------------------------
// The cone

static void projection_is_nearest(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(3);
    for (int i = 0; i < 2000; ++i) {
        double z[5], p[5], y[5];
        hf_rolling_bounds b = {hf_rng_bool(&rng) ? hf_rng_uniform(&rng, 0.0, 2.0) : 0.0,
                               hf_rng_bool(&rng) ? hf_rng_uniform(&rng, 0.0, 2.0) : 0.0};
        for (int k = 0; k < 5; ++k) {
            z[k] = hf_rng_normal(&rng);
        }
        (void)hf_rolling_project(z, b, p);
        hf_check_below(hypot(p[1], p[2]), b.mu * p[0] + 1e-14, "|p_T|", "mu p_N");
        hf_check_below(hypot(p[3], p[4]), b.mu_r * p[0] + 1e-14, "|p_R|", "mu_r p_N");
        // (z - p).(y - p) <= 0 for every y of the cone
        for (int m = 0; m < 50; ++m) {
            double dot = 0.0;
            y[0] = hf_rng_uniform(&rng, 0.0, 3.0);
            for (int k = 1; k < 5; ++k) {
                y[k] = hf_rng_normal(&rng);
            }
            double t = hypot(y[1], y[2]), s = hypot(y[3], y[4]);
            double share = hf_rng_uniform(&rng, 0.0, 1.0), other = hf_rng_uniform(&rng, 0.0, 1.0);
            for (int k = 0; k < 2; ++k) {
                y[1 + k] *= share * b.mu * y[0] / t;
                y[3 + k] *= other * b.mu_r * y[0] / s;
            }
            for (int k = 0; k < 5; ++k) {
                dot += (z[k] - p[k]) * (y[k] - p[k]);
            }
            hf_check_below(dot, 1e-13, "(z - p).(y - p)", "nearest point of a convex set");
        }
    }
}

// ------------------------------------------------------------------------------------------------
// A sphere on a plane: mass m, radius a, moment of inertia 2/5 m a^2. Rows: v_z, v_x - a w_y, v_y +
// a w_x, w_x, w_y.

static hf_fc3d_problem *sphere(double mu, double mu_r, double v, double spin)
{
    const double m = 2.0, a = 0.1, g = 9.81, h = 1e-2, inertia = 0.4 * m * a * a;
    const double t = 1.0 / m + a * a / inertia;
    const double w[25] = {1.0 / m,
                          0,
                          0,
                          0,
                          0,
                          0,
                          t,
                          0,
                          0,
                          -a / inertia,
                          0,
                          0,
                          t,
                          a / inertia,
                          0,
                          0,
                          0,
                          a / inertia,
                          1.0 / inertia,
                          0,
                          0,
                          -a / inertia,
                          0,
                          0,
                          1.0 / inertia};
    const double q[5] = {-g * h, v - a * spin, 0.0, 0.0, spin};
    return problem_of(1, w, q, &mu, &mu_r);
}

static void sphere_rolls_and_rests(void **state)
{
    (void)state;
    const double m = 2.0, a = 0.1, g = 9.81, h = 1e-2, inertia = 0.4 * m * a * a;
    const hf_fc3d_method methods[] = {HF_FC3D_AUTO, HF_FC3D_GAUSS_SEIDEL, HF_FC3D_NEWTON};
    double r[6], u[6];
    for (int k = 0; k < 3; ++k) {
        // It rolls on: a torque of mu_r N, and the spin falls by mu_r g h/(1.4 a^2)
        hf_fc3d_problem *p = sphere(0.5, 0.002, 1.0, 10.0);
        (void)solved(p, methods[k], r, u);
        hf_check_near(r[0], m * g * h, 1e-12, "r_N", "m g h");
        hf_check_near(r[5], -0.002 * m * g * h, 1e-12, "r_R", "-mu_r r_N");
        hf_check_near(u[1], 0.0, 1e-12, "u_T", "it does not slip");
        hf_check_near(u[5], 10.0 - 0.002 * g * h / (1.4 * a * a), 1e-10, "spin", "closed form");
        hf_fc3d_problem_destroy(p);
        // Slowly: it rests, and the torque is what that takes, I_A w / h
        p = sphere(0.5, 0.002, 1e-5, 1e-4);
        (void)solved(p, methods[k], r, u);
        hf_check_near(u[5], 0.0, 1e-13, "spin", "rest");
        hf_check_near(r[5], -(inertia + m * a * a) * 1e-4, 1e-12, "r_R", "what stops it");
        hf_fc3d_problem_destroy(p);
        // It slips and rolls: the friction m dv = -mu m g h, the spin by both
        p = sphere(0.1, 0.005, 3.0, 5.0);
        (void)solved(p, methods[k], r, u);
        hf_check_near(r[1], -0.1 * m * g * h, 1e-12, "r_T", "-mu r_N");
        hf_check_near(r[5], -0.005 * m * g * h, 1e-12, "r_R", "-mu_r r_N");
        hf_check_near(u[5], 5.0 + (0.1 * a - 0.005) * m * g * h / inertia, 1e-10, "spin",
                      "closed form");
        hf_fc3d_problem_destroy(p);
    }
}

// ------------------------------------------------------------------------------------------------
// Random problems

// A pair of numbers of this size.
static void draw(hf_rng *rng, double size, double pair[2])
{
    double angle = hf_rng_uniform(rng, 0.0, 6.28);
    pair[0] = size * cos(angle);
    pair[1] = size * sin(angle);
}

// r and u of a contact in a random regime.
static void draw_contact(hf_rng *rng, double mu, double mu_r, double r[5], double u[5])
{
    memset(r, 0, 5 * sizeof *r);
    memset(u, 0, 5 * sizeof *u);
    if (hf_rng_int(rng, 0, 3) == 0) {
        u[0] = hf_rng_uniform(rng, 0.1, 1.0);
        draw(rng, 1.0, u + 1);
        draw(rng, 1.0, u + 3);
        return;
    }
    r[0] = hf_rng_uniform(rng, 0.1, 2.0);
    for (int k = 1; k < 5; k += 2) {
        double bound = k == 1 ? mu : mu_r, size = hf_rng_uniform(rng, 0.1, 1.0);
        if (hf_rng_bool(rng)) { // at its bound, against the motion
            draw(rng, bound * r[0], r + k);
            double share = bound > 0.0 ? size / (bound * r[0]) : 0.0;
            u[k] = -share * r[k];
            u[k + 1] = -share * r[k + 1];
        } else {
            draw(rng, 0.9 * size * bound * r[0], r + k);
        }
    }
}

// `freedoms` of bodies, contacts at random; the drawn solution in r and u (five rows).
static hf_fc3d_problem *random_problem(hf_rng *rng, int contacts, int freedoms, double most,
                                       double *r, double *u)
{
    int n = 5 * contacts;
    double *h = calloc((size_t)(n * freedoms), sizeof *h), *w = calloc((size_t)(n * n), sizeof *w);
    double *q = calloc((size_t)n, sizeof *q), mu[MOST], mu_r[MOST];
    assert_true(h != NULL && w != NULL && q != NULL);
    for (int i = 0; i < n * freedoms; ++i) {
        h[i] = hf_rng_normal(rng) * (i / freedoms % 5 < 3 ? 1.0 : 10.0);
    }
    for (int c = 0; c < contacts; ++c) {
        mu[c] = hf_rng_uniform(rng, 0.0, most);
        mu_r[c] = 0.1 * hf_rng_uniform(rng, 0.0, most);
        draw_contact(rng, mu[c], mu_r[c], r + 5 * c, u + 5 * c);
    }
    for (int i = 0; i < n; ++i) {
        q[i] = u[i];
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < freedoms; ++k) {
                w[i * n + j] += h[i * freedoms + k] * h[j * freedoms + k];
            }
            q[i] -= w[i * n + j] * r[j];
        }
    }
    hf_fc3d_problem *p = problem_of(contacts, w, q, mu, mu_r);
    free(h);
    free(w);
    free(q);
    return p;
}

static void random_problems(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(8);
    double r[6 * MOST], u[6 * MOST], drawn_r[5 * MOST], drawn_u[5 * MOST], five[5];
    for (int i = 0; i < 60; ++i) {
        // W is definite, and singular in every third
        int contacts = hf_rng_int(&rng, 1, 12);
        int freedoms = i % 3 == 2 ? 3 * contacts + 1 : 7 * contacts;
        double most = i % 2 == 0 ? 0.3 : 0.8;
        hf_fc3d_problem *p = random_problem(&rng, contacts, freedoms, most, drawn_r, drawn_u);
        (void)solved(p, HF_FC3D_AUTO, r, u);
        // Small friction and a definite W: there is one solution
        for (int c = 0; c < contacts && i % 3 != 2 && most < 0.5; ++c) {
            five_of(u + 6 * c, five);
            hf_check_near_array(five, drawn_u + 5 * c, 5, 1e-6, "u", "the drawn solution");
        }
        hf_fc3d_problem_destroy(p);
    }
}

// In millimeters and grams reactions are others, and the scaled residual is the same number.
static void free_of_units(void **state)
{
    (void)state;
    const double length = 1e3;
    hf_fc3d_problem *p = sphere(0.4, 0.003, 1.0, 8.0);
    double r[6] = {0.1, -0.01, 0.0, 0.0, 0.0, -1e-4}, u[6], one, two;
    one = hf_fc3d_rolling_residual(p, HF_FC3D_SCALED, r, u);
    // u_N, u_T in mm/s: W of these rows is 1e6 as large where r is in kg mm/s, of turns as it is in
    // 1/(kg m^2) 1e-6
    double w[25], q[5];
    const double scale[5] = {length, length, length, 1.0, 1.0};
    double mu = 0.4, mu_r = 0.003 * length;
    const double m = 2.0, a = 0.1, inertia = 0.4 * m * a * a, t = 1.0 / m + a * a / inertia;
    const double given[25] = {1.0 / m,
                              0,
                              0,
                              0,
                              0,
                              0,
                              t,
                              0,
                              0,
                              -a / inertia,
                              0,
                              0,
                              t,
                              a / inertia,
                              0,
                              0,
                              0,
                              a / inertia,
                              1.0 / inertia,
                              0,
                              0,
                              -a / inertia,
                              0,
                              0,
                              1.0 / inertia};
    const double given_q[5] = {-0.0981, 1.0 - 0.8, 0.0, 0.0, 8.0};
    for (int i = 0; i < 5; ++i) {
        q[i] = scale[i] * given_q[i];
        for (int j = 0; j < 5; ++j) { // r in kg mm/s, or kg mm^2/s
            w[5 * i + j] = given[5 * i + j] * scale[i] * scale[j] / (length * length);
        }
    }
    hf_fc3d_problem *other = problem_of(1, w, q, &mu, &mu_r);
    double r2[6] = {r[0] * length, r[1] * length, 0.0, 0.0, 0.0, r[5] * length * length};
    two = hf_fc3d_rolling_residual(other, HF_FC3D_SCALED, r2, u);
    hf_check_near(two, one, 1e-12 * one, "scaled residual", "other units");
    assert_true(one > 1e-3);
    hf_fc3d_problem_destroy(p);
    hf_fc3d_problem_destroy(other);
}

static void what_is_refused(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_fc3d_def def = hf_fc3d_def_default();
    hf_fc3d_problem *p = sphere(0.5, 0.002, 1.0, 10.0);
    double r[6] = {0.0}, u[6];
    def.method = HF_FC3D_LEMKE;
    assert_int_equal(hf_fc3d_rolling_solve(&def, p, r, u, NULL, &error), HF_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "does not know friction of rolling"));
    def = hf_fc3d_def_default();
    def.iterations = 1;
    def.tolerance = 1e-300;
    assert_int_equal(hf_fc3d_rolling_solve(&def, p, r, u, NULL, &error), HF_ERROR_CONVERGENCE);
    hf_fc3d_problem_destroy(p);
}

// A body between two walls that close: no reactions part them, however large.
static void walls_that_close(void **state)
{
    (void)state;
    double w[100] = {0.0}, q[10] = {0.0}, r[12] = {0.0}, u[12];
    const double mu[2] = {0.5, 0.5}, mu_r[2] = {0.01, 0.01};
    for (int c = 0; c < 2; ++c) {
        for (int k = 0; k < 5; ++k) {
            w[(5 * c + k) * 11] = 1.0;
        }
        q[5 * c] = -1.0;
    }
    w[5] = w[50] = -1.0; // what pushes it from one wall pushes it to the other
    hf_fc3d_problem *p = problem_of(2, w, q, mu, mu_r);
    hf_error error = {0};
    hf_fc3d_def def = hf_fc3d_def_default();
    def.iterations = 20000;
    assert_int_equal(hf_fc3d_rolling_solve(&def, p, r, u, NULL, &error), HF_ERROR_CONVERGENCE);
    hf_fc3d_problem_destroy(p);
}

int main(void)
{
    const struct CMUnitTest rolling[] = {
        cmocka_unit_test(projection_is_nearest), cmocka_unit_test(sphere_rolls_and_rests),
        cmocka_unit_test(random_problems),       cmocka_unit_test(free_of_units),
        cmocka_unit_test(what_is_refused),       cmocka_unit_test(walls_that_close),
    };
    return hf_run_tests(rolling);
}
