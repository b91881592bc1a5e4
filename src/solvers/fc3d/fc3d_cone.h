// SPDX-License-Identifier: Apache-2.0
// Coulomb's cone K = { r : |r_T| <= mu r_N } and the projection on it.
#ifndef HF_SOLVERS_FC3D_FC3D_CONE_H
#define HF_SOLVERS_FC3D_FC3D_CONE_H

#include <math.h>

#include <holdfast/base.h>

// p := the point of K nearest to z.
//   |z_T| <= mu z_N     z itself                                                (stick)
//   mu |z_T| <= -z_N    0: z is in the polar cone                               (open)
//   otherwise           p_N = (z_N + mu |z_T|) / (1 + mu^2), p_T = mu p_N z_T / |z_T|  (slip)
static inline hf_regime hf_fc3d_project(const double z[3], double mu, double p[3])
{
    double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    if (t <= mu * z[0] && z[0] >= 0.0) {
        p[0] = z[0];
        p[1] = z[1];
        p[2] = z[2];
        return HF_REGIME_STICK;
    }
    if (mu * t <= -z[0]) {
        p[0] = p[1] = p[2] = 0.0;
        return HF_REGIME_OPEN;
    }
    p[0] = (z[0] + mu * t) / (1.0 + mu * mu);
    double share = mu * p[0] / t;
    p[1] = share * z[1];
    p[2] = share * z[2];
    return HF_REGIME_SLIP;
}

// j := an element of the projection's generalized derivative at z, row by row.
static inline void hf_fc3d_project_derivative(const double z[3], double mu, double j[9])
{
    double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    bool stick = t <= mu * z[0] && z[0] >= 0.0;
    for (int k = 0; k < 9; ++k) {
        j[k] = stick && k % 4 == 0 ? 1.0 : 0.0;
    }
    if (stick || mu * t <= -z[0]) {
        return;
    }
    double s = 1.0 / (1.0 + mu * mu), c = z[1] / t, d = z[2] / t;
    double share = mu * s * (z[0] + mu * t) / t; // mu p_N / |z_T|
    double along = mu * mu * s - share;
    j[0] = s;
    j[1] = j[3] = mu * s * c;
    j[2] = j[6] = mu * s * d;
    j[4] = share + along * c * c;
    j[5] = j[7] = along * c * d;
    j[8] = share + along * d * d;
}

// z := r - rho (u + mu |u_T| n)
static inline void hf_fc3d_shift(const double r[3], const double u[3], double mu, double rho,
                                 double z[3])
{
    double t = sqrt(u[1] * u[1] + u[2] * u[2]);
    z[0] = r[0] - rho * (u[0] + mu * t);
    z[1] = r[1] - rho * u[1];
    z[2] = r[2] - rho * u[2];
}

// |r - P_K(r - rho u~)|^2 of one contact
static inline double hf_fc3d_contact_error(const double r[3], const double u[3], double mu,
                                           double rho)
{
    double z[3], now[3];
    hf_fc3d_shift(r, u, mu, rho, z);
    (void)hf_fc3d_project(z, mu, now);
    double a = r[0] - now[0], b = r[1] - now[1], c = r[2] - now[2];
    return a * a + b * b + c * c;
}

#endif
