// SPDX-License-Identifier: Apache-2.0
// The algebra of the cone { |x_T| <= x_N } for interior points: the scaling of Nesterov and Todd
// and what steps need of it. With J = diag(1, -1, -1), for z and s inside the cone:
//
//   Theta z = s,   Theta = b (2 w w' - J),   b = sqrt(s'Js / z'Jz)                              (1)
//   w = (s* + J z*) / sqrt(2 (1 + s*'z*)),   s* = s / sqrt(s'Js),  z* = z / sqrt(z'Jz)
//   Theta = V V,   V = sqrt(b) (2 h h' - J),   h = (w + e) / sqrt(2 (w_N + 1)),  e = (1, 0, 0)  (2)
//   Theta^-1 = (2 Jw (Jw)' - J) / b                                                            (3)
#ifndef HF_SOLVERS_FC3D_FC3D_SCALING_H
#define HF_SOLVERS_FC3D_FC3D_SCALING_H

#include <math.h>

typedef struct hf_fc3d_scaling {
    double b, w[3], h[3];
} hf_fc3d_scaling;

// x'Jx, without cancellation
static inline double hf_fc3d_det(const double x[3])
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - t) * (x[0] + t);
}

static inline hf_fc3d_scaling hf_fc3d_scaling_of(const double z[3], const double s[3])
{
    double size_z = sqrt(hf_fc3d_det(z)), size_s = sqrt(hf_fc3d_det(s));
    double dot = (s[0] * z[0] + s[1] * z[1] + s[2] * z[2]) / (size_z * size_s);
    double f = 1.0 / sqrt(2.0 * (1.0 + dot));
    hf_fc3d_scaling n = {.b = size_s / size_z};
    for (int k = 0; k < 3; ++k) {
        n.w[k] = f * (s[k] / size_s + (k == 0 ? z[k] : -z[k]) / size_z);
    }
    f = 1.0 / sqrt(2.0 * (n.w[0] + 1.0));
    for (int k = 0; k < 3; ++k) {
        n.h[k] = f * (n.w[k] + (k == 0 ? 1.0 : 0.0));
    }
    return n;
}

// y := V x
static inline void hf_fc3d_scaling_apply(const hf_fc3d_scaling *n, const double x[3], double y[3])
{
    double root = sqrt(n->b), dot = 2.0 * (n->h[0] * x[0] + n->h[1] * x[1] + n->h[2] * x[2]);
    for (int k = 0; k < 3; ++k) {
        y[k] = root * (dot * n->h[k] - (k == 0 ? x[k] : -x[k]));
    }
}

// y := V^-1 x
static inline void hf_fc3d_scaling_remove(const hf_fc3d_scaling *n, const double x[3], double y[3])
{
    double root = sqrt(n->b), dot = 2.0 * (n->h[0] * x[0] - n->h[1] * x[1] - n->h[2] * x[2]);
    for (int k = 0; k < 3; ++k) {
        y[k] = (k == 0 ? dot * n->h[k] - x[k] : x[k] - dot * n->h[k]) / root;
    }
}

// d := P Theta P and inverse := its inverse, P = diag(mu, 1, 1), row by row.
static inline void hf_fc3d_scaling_blocks(const hf_fc3d_scaling *n, double mu, double d[9],
                                          double inverse[9])
{
    for (int k = 0; k < 9; ++k) {
        int i = k / 3, j = k % 3;
        double p = (i == 0 ? mu : 1.0) * (j == 0 ? mu : 1.0), both = 2.0 * n->w[i] * n->w[j];
        double sign = (i == 0) == (j == 0) ? 1.0 : -1.0;
        double jay = i != j ? 0.0 : i == 0 ? 1.0 : -1.0;
        d[k] = p * n->b * (both - jay);
        inverse[k] = (sign * both - jay) / (p * n->b);
    }
}

// What Mehrotra's correction takes from a step towards dz, ds: y := V L^-1 (V dz o V^-1 ds), where
// x o y = (x'y, x_N y_T + y_N x_T) and L y = (V z) o y.
static inline void hf_fc3d_scaling_correct(const hf_fc3d_scaling *n, const double z[3],
                                           const double dz[3], const double ds[3], double y[3])
{
    double l[3], a[3], c[3];
    hf_fc3d_scaling_apply(n, z, l);
    hf_fc3d_scaling_apply(n, dz, a);
    hf_fc3d_scaling_remove(n, ds, c);
    double x[3] = {a[0] * c[0] + a[1] * c[1] + a[2] * c[2], a[0] * c[1] + c[0] * a[1],
                   a[0] * c[2] + c[0] * a[2]};
    double det = hf_fc3d_det(l), along = l[1] * x[1] + l[2] * x[2];
    double first = (l[0] * x[0] - along) / det, rest = (along / l[0] - x[0]) / det;
    const double solved[3] = {first, rest * l[1] + x[1] / l[0], rest * l[2] + x[2] / l[0]};
    hf_fc3d_scaling_apply(n, solved, y);
}

// The largest step from x along d within the cone: the first zero of
// det(x + t d) = c + 2 b t + a t^2, c > 0.
static inline double hf_fc3d_reach(const double x[3], const double d[3])
{
    double a = hf_fc3d_det(d), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], c = hf_fc3d_det(x);
    double inside = b * b - a * c, t = HUGE_VAL;
    if (a < 0.0 || (b < 0.0 && inside > 0.0)) {
        double root = sqrt(fmax(inside, 0.0));
        t = b <= 0.0 ? c / (root - b) : -(b + root) / a;
    }
    return d[0] < 0.0 ? fmin(t, -x[0] / d[0]) : t;
}

#endif
