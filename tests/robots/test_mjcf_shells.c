// SPDX-License-Identifier: Apache-2.0
// MJCF's shellinertia: mass and moments of surfaces against sums over many small parts of them.
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// A surface: its area, and the integrals of x^2 (or of both x^2 and y^2: equal) and z^2 over it.
typedef struct sums {
    double area, x, y, z;
} sums;

// What a profile (radius r at height z, in parts) sweeps about z.
static void add_ring(sums *s, double r0, double z0, double r1, double z1)
{
    double r = 0.5 * (r0 + r1), z = 0.5 * (z0 + z1);
    double part = 2.0 * PI * r * hypot(r1 - r0, z1 - z0);
    s->area += part;
    s->x += 0.5 * part * r * r;
    s->y += 0.5 * part * r * r;
    s->z += part * z * z;
}

enum { PARTS = 20000 };

// Half of a profile twice: an arc of radius r at `half`, or a disc, and the side.
static sums round_form(double r, double half, bool arc)
{
    sums s = {0};
    for (int i = 0; i < PARTS; ++i) {
        double a = (double)i / PARTS, b = (i + 1.0) / PARTS;
        for (int side = -1; side <= 1; side += 2) {
            if (arc) {
                add_ring(&s, r * cos(0.5 * PI * a), side * (half + r * sin(0.5 * PI * a)),
                         r * cos(0.5 * PI * b), side * (half + r * sin(0.5 * PI * b)));
            } else {
                add_ring(&s, r * a, side * half, r * b, side * half);
            }
            add_ring(&s, r, side * half * a, r, side * half * b);
        }
    }
    return s;
}

// Six sides, in small squares along each direction.
static sums box_form(const double h[3])
{
    enum { N = 2000 };
    sums s = {0};
    double *to[3] = {&s.x, &s.y, &s.z};
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double side = 8.0 * h[i] * h[j]; // both
        s.area += side;
        *to[k] += side * h[k] * h[k];
        for (int n = 0; n < N; ++n) {
            double at = (2.0 * n + 1.0) / N - 1.0;
            *to[i] += side / N * h[i] * at * h[i] * at;
            *to[j] += side / N * h[j] * at * h[j] * at;
        }
    }
    return s;
}

// Mass and moments of a body with one geom.
static void read_weight(const char *geom, double *mass, double moments[3])
{
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<mujoco><worldbody><body name='b'><freejoint/><geom shellinertia='true' "
                   "density='3' %s/></body></worldbody></mujoco>",
                   geom);
    hf_robot *robot = hf_reading_load(text, NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    assert_int_equal(hf_reading_item(robot, "geom", "shellinertia").lot, HF_ROBOT_TAKEN);
    const char *model = hf_robot_model(robot), *at = strstr(model, "mass: ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "mass: %lf", mass), 1);
    at = strstr(model, "inertia: [");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "inertia: [%lf, %lf, %lf", &moments[0], &moments[1], &moments[2]),
                     3);
    hf_robot_destroy(robot);
}

static void check(const char *what, const char *geom, sums s)
{
    double mass, moments[3];
    read_weight(geom, &mass, moments);
    const double wanted[3] = {3.0 * (s.y + s.z), 3.0 * (s.x + s.z), 3.0 * (s.x + s.y)};
    hf_check_near(mass, 3.0 * s.area, 1e-6 * mass, what, "density times the area");
    for (int k = 0; k < 3; ++k) {
        hf_check_near(moments[k], wanted[k], 1e-6 * wanted[k], what, "a sum over the surface");
    }
}

static void test_shells(void **state)
{
    (void)state;
    check("sphere", "type='sphere' size='0.2'", round_form(0.2, 0.0, true));
    check("capsule", "type='capsule' size='0.2 0.35'", round_form(0.2, 0.35, true));
    check("cylinder", "type='cylinder' size='0.2 0.35'", round_form(0.2, 0.35, false));
    check("box", "type='box' size='0.1 0.25 0.4'", box_form((double[]){0.1, 0.25, 0.4}));
}

// Of ellipsoids MuJoCo takes what lies between two of them, 1e-6 m apart along the axes, and
// Thomsen's area: as a thin layer (bc + ac + ab)(b^2 + c^2) + 2 abc (b + c), by 5 (bc + ac + ab).
static void test_ellipsoids(void **state)
{
    (void)state;
    double mass, moments[3];
    const double a = 0.1, b = 0.25, c = 0.4, p = 1.6075, s = b * c + a * c + a * b;
    read_weight("type='ellipsoid' size='0.1 0.25 0.4'", &mass, moments);
    double area = 4.0 * PI * pow((pow(a * b, p) + pow(a * c, p) + pow(b * c, p)) / 3.0, 1.0 / p);
    hf_check_near(mass, 3.0 * area, 1e-12 * mass, "ellipsoid", "Thomsen's area");
    const double wanted[3] = {b * b + c * c + 2.0 * a * b * c * (b + c) / s,
                              a * a + c * c + 2.0 * a * b * c * (a + c) / s,
                              a * a + b * b + 2.0 * a * b * c * (a + b) / s};
    for (int k = 0; k < 3; ++k) {
        hf_check_near(moments[k], 0.2 * mass * wanted[k], 2e-5 * moments[k], "ellipsoid",
                      "a thin layer");
    }
    // Of equal axes it is a sphere
    read_weight("type='ellipsoid' size='0.2 0.2 0.2'", &mass, moments);
    hf_check_near(mass, 3.0 * 4.0 * PI * 0.04, 1e-12 * mass, "of equal axes", "4 pi r^2");
    hf_check_near(moments[0], 2.0 / 3.0 * mass * 0.04, 1e-5 * moments[0], "of equal axes",
                  "2/3 m r^2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shells),
        cmocka_unit_test(test_ellipsoids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
