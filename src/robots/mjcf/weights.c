// SPDX-License-Identifier: Apache-2.0
// What a geom of a simple form weighs: its volume or, with shellinertia, its surface, and the
// inertia of a mass that is spread over it.
#include <math.h>

#include "math/vec.h"
#include "robots/mjcf/mjcf.h"

static const double PI = 3.14159265358979323846;

// ------------------------------------------------------------------------------------------------
// Shells

// Of semi-axes a, b, c, to 1.1 % of the integral, which has no closed form: as MuJoCo has it.
static double ellipsoid_area(double a, double b, double c)
{
    const double p = 1.6075;
    return 4.0 * PI * pow((pow(a * b, p) + pow(b * c, p) + pow(c * a, p)) / 3.0, 1.0 / p);
}

static double area_of(hf_robot_shape_type type, const double size[3])
{
    double r = size[0], height = 2.0 * size[1];
    switch (type) {
    case HF_ROBOT_SPHERE:
        return 4.0 * PI * r * r;
    case HF_ROBOT_CAPSULE:
        return 4.0 * PI * r * r + 2.0 * PI * r * height;
    case HF_ROBOT_CYLINDER:
        return 2.0 * PI * r * r + 2.0 * PI * r * height;
    case HF_ROBOT_ELLIPSOID:
        return ellipsoid_area(size[0], size[1], size[2]);
    case HF_ROBOT_BOX:
        return 8.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
    default:
        return 0.0;
    }
}

static hf_sym3 about_z(double across, double along)
{
    return (hf_sym3){across, across, along, 0.0, 0.0, 0.0};
}

// A tube of mass m, and what closes it: of a cylinder two discs, of a capsule two half spheres,
// whose centers are r/2 from their planes.
static hf_sym3 tube(const double size[3], double mass, bool round)
{
    double r = size[0], half = size[1], side = 4.0 * PI * r * half;
    double ends = round ? 4.0 * PI * r * r : 2.0 * PI * r * r;
    double m = mass * side / (side + ends), e = mass - m;
    double across = m * (0.5 * r * r + half * half / 3.0), along = m * r * r;
    if (round) {
        double at = half + 0.5 * r;
        across += e * (2.0 / 3.0 * r * r + at * at - 0.25 * r * r);
        along += e * 2.0 / 3.0 * r * r;
    } else {
        across += e * (0.25 * r * r + half * half);
        along += e * 0.5 * r * r;
    }
    return about_z(across, along);
}

// Integral of x^2 over the surface of a box with half sides a, b, c, by its area: the two sides at
// +-a, and the four along x.
static double box_square(double a, double b, double c, double area)
{
    return (8.0 * b * c * a * a + 8.0 * (a * b + a * c) * a * a / 3.0) / area;
}

// Of an ellipsoid, as MuJoCo has it: what lies between it and one whose axes are longer by 1e-6 m.
// (That is not of one thickness: it follows the normal only at the ends of the axes.)
static hf_sym3 ellipsoid(const double s[3], double mass)
{
    const double thick = 1e-6;
    double a = s[0], b = s[1], c = s[2], volume = a * b * c;
    // Of x -> x + thick: the change of abc, and of abc times squares, without differences
    double more = thick * (b * c + a * c + a * b + thick * (a + b + c) + thick * thick);
    double x = thick * (2.0 * a + thick), y = thick * (2.0 * b + thick),
           z = thick * (2.0 * c + thick), all = volume + more;
    double xx = more * a * a + all * x, yy = more * b * b + all * y, zz = more * c * c + all * z;
    double over = 0.2 * mass / more;
    return (hf_sym3){over * (yy + zz), over * (xx + zz), over * (xx + yy), 0.0, 0.0, 0.0};
}

static hf_sym3 shell_inertia(hf_robot_shape_type type, const double size[3], double mass)
{
    double r = size[0];
    switch (type) {
    case HF_ROBOT_SPHERE:
        return about_z(2.0 / 3.0 * mass * r * r, 2.0 / 3.0 * mass * r * r);
    case HF_ROBOT_CAPSULE:
        return tube(size, mass, true);
    case HF_ROBOT_CYLINDER:
        return tube(size, mass, false);
    case HF_ROBOT_ELLIPSOID:
        return ellipsoid(size, mass);
    case HF_ROBOT_BOX: {
        double area = area_of(type, size), a = size[0], b = size[1], c = size[2];
        double x = mass * box_square(a, b, c, area), y = mass * box_square(b, c, a, area),
               z = mass * box_square(c, a, b, area);
        return (hf_sym3){y + z, x + z, x + y, 0.0, 0.0, 0.0};
    }
    default:
        return (hf_sym3){0};
    }
}

// ------------------------------------------------------------------------------------------------
// All

double hf_mjcf_form_size(hf_robot_shape_type type, const double size[3], bool shell)
{
    double r = size[0];
    if (shell) {
        return area_of(type, size);
    }
    switch (type) {
    case HF_ROBOT_SPHERE:
        return 4.0 / 3.0 * PI * r * r * r;
    case HF_ROBOT_CAPSULE:
        return PI * (r * r * 2.0 * size[1] + 4.0 / 3.0 * r * r * r);
    case HF_ROBOT_CYLINDER:
        return PI * r * r * 2.0 * size[1];
    case HF_ROBOT_ELLIPSOID:
        return 4.0 / 3.0 * PI * size[0] * size[1] * size[2];
    case HF_ROBOT_BOX:
        return 8.0 * size[0] * size[1] * size[2];
    default:
        return 0.0;
    }
}

hf_sym3 hf_mjcf_form_inertia(hf_robot_shape_type type, const double size[3], double mass,
                             bool shell)
{
    const double *s = size;
    hf_shape solid = {.size = {s[0], 0.0, 2.0 * s[1]}};
    if (shell) {
        return shell_inertia(type, size, mass);
    }
    switch (type) {
    case HF_ROBOT_SPHERE:
        solid = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {s[0], 0.0, 0.0}};
        break;
    case HF_ROBOT_CAPSULE:
        solid.type = HF_SHAPE_CAPSULE;
        break;
    case HF_ROBOT_CYLINDER:
        solid.type = HF_SHAPE_CYLINDER;
        break;
    case HF_ROBOT_ELLIPSOID:
        return (hf_sym3){0.2 * mass * (s[1] * s[1] + s[2] * s[2]),
                         0.2 * mass * (s[0] * s[0] + s[2] * s[2]),
                         0.2 * mass * (s[0] * s[0] + s[1] * s[1]),
                         0.0,
                         0.0,
                         0.0};
    case HF_ROBOT_BOX:
        solid = (hf_shape){.type = HF_SHAPE_BOX, .size = {2.0 * s[0], 2.0 * s[1], 2.0 * s[2]}};
        break;
    default:
        return (hf_sym3){0};
    }
    return hf_shape_inertia(solid, mass);
}
