// SPDX-License-Identifier: Apache-2.0
// Drag and lift of a fluid on an ellipsoid, as six laws along and about its axes, each of which
// has the rates of the others as inputs.            [MuJoCo, fluid forces by the ellipsoid model]
//
// With the half axes a, b, c, the velocity v of the center (less that of the fluid) and the spin w,
// both in its axes,
//
//   n = ((bc)^2 v1, (ca)^2 v2, (ab)^2 v3)         normal of the area that v meets
//   A = pi sqrt(n.n/(n.v))                        this area
//   force  = rho m v x w                          of the mass of fluid that goes along
//          + k_m rho V w x v                      lift of what spins                     Magnus
//          + k_k rho pi sqrt(n.v/n.n)/|v| (v (n.v) - n (v.v))                            Kutta
//          - (3 pi d eta + rho |v| (k_b A + k_s (A_max - A))) v
//   torque = rho (m v) x v + rho (i w) x w - (pi d^3 eta + rho |J w|) w
//
// m and i are the masses and moments of the fluid for each axis, J the moments of drag.
#include <math.h>

#include "math/vec.h"
#include "robots/write.h"

#define PI 3.14159265358979323846
// What MuJoCo takes for nothing.
#define LEAST 1e-15

// Carlson's R_D(x, y, z) = 3/2 int dt/(sqrt(t + x) sqrt(t + y) sqrt(t + z)^3), t from 0 on, by
// duplication until the arguments agree to 1e-3, which leaves 1e-18 of a series.   [Carlson1979]
static double carlson(double x, double y, double z)
{
    double sum = 0.0, part = 1.0;
    for (int i = 0; i < 60; ++i) {
        double mean = 0.2 * (x + y + 3.0 * z);
        double dx = (mean - x) / mean, dy = (mean - y) / mean, dz = (mean - z) / mean;
        if (fmax(fmax(fabs(dx), fabs(dy)), fabs(dz)) < 1e-3) {
            double ea = dx * dy, eb = dz * dz, ec = ea - eb, ed = ea - 6.0 * eb, ee = ed + ec + ec;
            double series = 1.0 + ed * (-3.0 / 14.0 + 9.0 / 88.0 * ed - 9.0 / 52.0 * dz * ee) +
                            dz * (ee / 6.0 + dz * (-9.0 / 22.0 * ec + 3.0 / 26.0 * dz * ea));
            return 3.0 * sum + part * series / (mean * sqrt(mean));
        }
        double sx = sqrt(x), sy = sqrt(y), sz = sqrt(z), l = sx * (sy + sz) + sy * sz;
        sum += part / (sz * (z + l));
        part *= 0.25;
        x = 0.25 * (x + l);
        y = 0.25 * (y + l);
        z = 0.25 * (z + l);
    }
    return 0.0;
}

// Mass and moment of fluid that go along with each axis, per density.       [Lamb1932] 114, 115
static void find_added(const double *half, double mass[3], double moment[3])
{
    double square[3], kappa[3];
    double product = half[0] * half[1] * half[2], volume = 4.0 / 3.0 * PI * product;
    for (int i = 0; i < 3; ++i) {
        square[i] = half[i] * half[i];
    }
    for (int i = 0; i < 3; ++i) {
        kappa[i] =
            2.0 / 3.0 * product * carlson(square[(i + 1) % 3], square[(i + 2) % 3], square[i]);
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double difference = square[j] - square[k], sum = square[j] + square[k];
        double below = fabs(2.0 * difference + sum * (kappa[j] - kappa[k]));
        mass[i] = volume * kappa[i] / fmax(LEAST, 2.0 - kappa[i]);
        moment[i] =
            0.2 * volume * difference * difference * fabs(kappa[k] - kappa[j]) / fmax(LEAST, below);
    }
}

static void put_name(hf_text_out *out, const hf_robot *robot, int index, int axis)
{
    static const char *const axes[] = {"-x", "-y", "-z", "-about-x", "-about-y", "-about-z"};
    hf_put(out, robot->options.part ? robot->name : "");
    hf_put_key_number(out, robot->options.part ? "-fluid-" : "fluid-", index + 1);
    hf_put(out, axes[axis]);
}

// The numbers of all six laws.
static void put_numbers(hf_text_out *out, const hf_robot *robot, const hf_robot_fluid *f)
{
    double a = f->half[0], b = f->half[1], c = f->half[2], mass[3], moment[3], most[3];
    double rho = robot->fluid_density, eta = robot->fluid_viscosity, d = 2.0 / 3.0 * (a + b + c);
    double large = fmax(fmax(a, b), c), middle = fmax(fmin(a, b), fmin(fmax(a, b), c));
    // Added masses, and the largest moments of drag about the axes
    find_added(f->half, mass, moment);
    for (int i = 0; i < 3; ++i) {
        double wide = fmax(f->half[(i + 1) % 3], f->half[(i + 2) % 3]);
        most[i] = 8.0 / 15.0 * PI * f->half[i] * wide * wide * wide * wide;
    }
    double all = 8.0 / 15.0 * PI * middle * large * large * large * large;
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {", n1: ", b * b * c * c},
        {", n2: ", c * c * a * a},
        {", n3: ", a * a * b * b},
        {", m1: ", rho * mass[0]},
        {", m2: ", rho * mass[1]},
        {", m3: ", rho * mass[2]},
        {", i1: ", rho * moment[0]},
        {", i2: ", rho * moment[1]},
        {", i3: ", rho * moment[2]},
        {", j1: ", rho * (f->angular * most[0] + f->slender * (all - most[0]))},
        {", j2: ", rho * (f->angular * most[1] + f->slender * (all - most[1]))},
        {", j3: ", rho * (f->angular * most[2] + f->slender * (all - most[2]))},
        {", magnus: ", f->magnus * rho * 4.0 / 3.0 * PI * a * b * c},
        {", kutta: ", f->kutta * rho * PI},
        {", blunt: ", rho * (f->blunt - f->slender)},
        {", slender: ", rho * f->slender * PI * large * middle},
        {", thick: ", 3.0 * PI * d * eta},
        {", thick_about: ", PI * d * d * d * eta},
    };
    // As parameters of the law
    hf_put(out, ", parameters: {");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        hf_put_key_number(out, numbers[i].key + (i == 0 ? 2 : 0), numbers[i].value);
    }
    hf_put(out, "}");
}

// The words of the laws; n.n and n.v not below what MuJoCo takes for nothing, and roots of what is
// not zero, so that they have slopes.
#define NV    "(n1*v1^2 + n2*v2^2 + n3*v3^2)"
#define NN    "((n1*v1)^2 + (n2*v2)^2 + (n3*v3)^2)"
#define VV    "(v1^2 + v2^2 + v3^2)"
#define SPEED "sqrt(" VV " + 1e-30)"
#define AREA  "pi*sqrt(" NN "/max(1e-15, " NV ") + 1e-30)"
// k_k rho cos(alpha) A, with the same guards as of A and of the cosine.
#define LIFT "kutta*" NV "/max(1e-15, " SPEED "*" NN ")*sqrt(" NN "/max(1e-15, " NV ") + 1e-30)"
#define DRAG "(thick + " SPEED "*(blunt*" AREA " + slender))"
#define SPIN "(thick_about + sqrt((j1*w1)^2 + (j2*w2)^2 + (j3*w3)^2 + 1e-30))"

static const char *const FORCES[6] = {
    DRAG "*v1 - (m2*v2*w3 - m3*v3*w2) - magnus*(w2*v3 - w3*v2) - " LIFT "*(v1*" NV " - n1*v1*" VV
         ")",
    DRAG "*v2 - (m3*v3*w1 - m1*v1*w3) - magnus*(w3*v1 - w1*v3) - " LIFT "*(v2*" NV " - n2*v2*" VV
         ")",
    DRAG "*v3 - (m1*v1*w2 - m2*v2*w1) - magnus*(w1*v2 - w2*v1) - " LIFT "*(v3*" NV " - n3*v3*" VV
         ")",
    SPIN "*w1 - (m2 - m3)*v2*v3 - (i2 - i3)*w2*w3",
    SPIN "*w2 - (m3 - m1)*v3*v1 - (i3 - i1)*w3*w1",
    SPIN "*w3 - (m1 - m2)*v1*v2 - (i1 - i2)*w1*w2",
};

// The expression with its own rate, less the wind, in place of one of the words.
static void put_force(hf_text_out *out, int axis, bool wind)
{
    static const char *const words[] = {"v1", "v2", "v3", "w1", "w2", "w3"};
    const char *own = words[axis];
    for (const char *c = FORCES[axis]; *c != '\0';) {
        char one[2] = {*c, '\0'};
        bool here = c[0] == own[0] && c[1] == own[1];
        hf_put(out, here ? (wind ? "(rate - wind)" : "rate") : one);
        c += here ? 2 : 1;
    }
}

void hf_put_ellipsoid(hf_text_out *out, const hf_robot *robot, int index)
{
    static const char *const words[] = {"v1: ", "v2: ", "v3: ", "w1: ", "w2: ", "w3: "};
    const hf_robot_fluid *f = &robot->fluids.items[index];
    const bool wind = hf_robot_has_wind(robot);
    hf_mat3 axes = hf_quat_rotation(f->turn);
    const hf_vec3 columns[3] = {hf_v3(axes.xx, axes.yx, axes.zx), hf_v3(axes.xy, axes.yy, axes.zy),
                                hf_v3(axes.xz, axes.yz, axes.zz)};
    for (int axis = 0; axis < 6; ++axis) {
        // Where it acts
        hf_put(out, "  - {name: ");
        put_name(out, robot, index, axis);
        hf_put(out, ", type: law, wrench: {on: ");
        hf_put_link_name(out, robot, f->link);
        if (axis < 3) {
            hf_put(out, ", point: ");
            hf_put_vec3(out, f->center);
        }
        hf_put(out, axis < 3 ? ", force: " : ", torque: ");
        hf_put_vec3(out, columns[axis % 3]);
        // Rates of the others
        hf_put(out, "},\n     inputs: {");
        bool first = true;
        for (int other = 0; other < 6; ++other) {
            if (other != axis) {
                hf_put(out, first ? "" : ", ");
                hf_put(out, words[other]);
                hf_put(out, "\"'");
                put_name(out, robot, index, other);
                hf_put(out, ".rate'");
                if (wind && other < 3) {
                    hf_put(out, " - (");
                    hf_put_wind_along(out, robot, f->link, columns[other]);
                    hf_put(out, ")");
                }
                hf_put(out, "\"");
                first = false;
            }
        }
        if (wind && axis < 3) {
            hf_put(out, ", wind: \"");
            hf_put_wind_along(out, robot, f->link, columns[axis]);
            hf_put(out, "\"");
        }
        hf_put(out, "}");
        put_numbers(out, robot, f);
        hf_put(out, ",\n     force: \"");
        put_force(out, axis, wind && axis < 3);
        hf_put(out, "\"}\n");
    }
}
