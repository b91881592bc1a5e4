// SPDX-License-Identifier: Apache-2.0
// The discontinuous law with a mass matrix.
//
// With p = M vbar/T the stationarity of the projection is  p - f = k M f/F,  v' = T k f/F,  k >= 0:
// v' has the direction of f, and its size is w = T k. In the eigenvectors of M the unit vector
// u = f/F has the parts u_i = p_i / (F(T k) + k m_i), so that one number k is left, from |u| = 1.
// By the inverse W = M^-1 with eigenvalues w_i and b = vbar/T the parts are
// u_i = b_i / (F(T k) w_i + k), also where some w_i are zero.
#include <holdfast/laws/coulomb.h>

#include "check.h"
#include "element.h"

// An entry whose square is below this part of its diagonal entries' product is rounding: (1e-17)^2.
static const double ROUNDING_SQUARED = 1e-34;

// The secular equation |u(k)| = 1.
typedef struct secular {
    const hf_level *level;
    double normal;
    hf_regime regime;
    double step;
    int dim;
    double m[3]; // eigenvalues of M [kg]; 1 with the inverse
    double w[3]; // 1; with the inverse its eigenvalues [1/kg]
    double p[3]; // M vbar/T in the eigenvectors [N]; with the inverse vbar/T [m/s^2]
} secular;

// u_i for the level at k.
static double secular_part(const secular *s, int i, double level, double k)
{
    return s->p[i] == 0.0 ? 0.0 : s->p[i] / (level * s->w[i] + k * s->m[i]);
}

// phi(k) = 1/|u| - 1, which is nearly straight, and its derivative.
static double secular_at(const secular *s, double k, double *slope)
{
    double w = s->step * k;
    double level = hf_level_at(s->level, HF_FORTH, w, s->normal, s->regime);
    double rise =
        k > 0.0 ? s->step * hf_level_slope(s->level, HF_FORTH, w, s->normal, s->regime) : 0.0;
    double square = 0.0, change = 0.0;
    for (int i = 0; i < s->dim; i++) {
        double u = secular_part(s, i, level, k);
        square += u * u;
        change +=
            u == 0.0 ? 0.0 : u * u * (s->m[i] + rise * s->w[i]) / (level * s->w[i] + k * s->m[i]);
    }
    double size = hf_sqrt(square);
    *slope = change / (square * size);
    return 1.0 / size - 1.0;
}

// Bracketed Newton between phi(low) <= 0 and phi(high) >= 0.
static double secular_root(const secular *s, double low, double high)
{
    double k = high;
    for (int i = 0; i < 200; i++) {
        double slope, value = secular_at(s, k, &slope);
        if (value == 0.0)
            return k;
        if (value < 0.0)
            low = k;
        else
            high = k;
        double next = slope > 0.0 ? k - value / slope : low;
        if (!(next > low && next < high) || i % 3 == 2)
            next = low + 0.5 * (high - low);
        if (next == k || !(next > low && next < high))
            return next;
        k = next;
    }
    return k;
}

// A level that falls somewhere can have several roots: the grid below finds the largest.
static bool level_falls(const hf_level *level)
{
    for (int i = 0; i + 1 < level->table_level.count; i++)
        if (level->table_level.values[i + 1] < level->table_level.values[i])
            return true;
    return level->table_speed.count == 0 && level->peak[0] > level->kinetic[0] &&
           level->stribeck[0] > 0.0;
}

static double secular_solve(const secular *s)
{
    double size = hf_length(s->dim, s->p);
    double least = s->m[0];
    for (int i = 1; i < s->dim; i++)
        least = s->m[i] < least ? s->m[i] : least;
    double high = size / least; // |u| <= |p|/(k least)
    double low = 0.0;
    // 400 points over 12 decades, 7 % apart: finer than any Stribeck curve's own width
    for (int i = 0; i < 400 && level_falls(s->level); i++) {
        double slope, k = high * 0.933;
        if (secular_at(s, k, &slope) <= 0.0) {
            low = k;
            break;
        }
        high = k;
    }
    return secular_root(s, low, high);
}

// Jacobi's method: a = v diag(a) v'. Three sweeps are enough for dim 2, a handful for dim 3.
static void eigen(int dim, double a[3][3], double v[3][3])
{
    // v begins as the identity
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            v[i][j] = i == j ? 1.0 : 0.0;
    for (int sweep = 0; sweep < 30; sweep++) {
        bool done = true;
        for (int p = 0; p < dim; p++)
            for (int q = p + 1; q < dim; q++) {
                // below rounding, measured as for the eigenvalues of a positive definite matrix
                if (a[p][q] == 0.0 || a[p][q] * a[p][q] <= ROUNDING_SQUARED * a[p][p] * a[q][q])
                    continue;
                done = false;
                // The rotation in the plane p, q that makes a[p][q] zero
                double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
                double t = 1.0 / (hf_abs(theta) + hf_sqrt(theta * theta + 1.0));
                t = theta < 0.0 ? -t : t;
                double c = 1.0 / hf_sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < dim; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < dim; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                    double vx = v[k][p], vy = v[k][q];
                    v[k][p] = c * vx - s * vy;
                    v[k][q] = s * vx + c * vy;
                }
                a[p][q] = a[q][p] = 0.0;
            }
        if (done)
            return;
    }
}

// Copies a symmetric matrix; false when it is not symmetric and finite.
static bool copy_symmetric(int dim, const double *mass, double a[3][3])
{
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            a[i][j] = mass[i * dim + j];
            if (!hf_is_finite(a[i][j]) || mass[i * dim + j] != mass[j * dim + i])
                return false;
        }
    return true;
}

// The step's end from the secular equation: f and v' = T k u. `stick` is the force that stops.
static void finish(const hf_coulomb_def *def, hf_coulomb *state, const secular *s, double v[3][3],
                   const double *stick, bool slips, double *force)
{
    double k = slips ? secular_solve(s) : 0.0;
    double level = slips ? hf_level_at(s->level, HF_FORTH, s->step * k, s->normal, s->regime) : 0.0;
    for (int i = 0; i < s->dim; i++) {
        double along = 0.0; // u_i, back from the eigenvectors
        for (int j = 0; j < s->dim && slips; j++)
            along += v[i][j] * secular_part(s, j, level, k);
        force[i] = slips ? level * along : stick[i];
        state->velocity[i] = s->step * k * along;
    }
    state->reversed = state->gained = false;
    state->regime = hf_regime_of(&def->level, s->normal, slips);
}

hf_status hf_coulomb_step_matrix(const hf_coulomb_def *def, hf_coulomb *state, int dim,
                                 const double *mass, const double *applied, double normal,
                                 double step, double *force)
{
    double a[3][3] = {{0.0}}, v[3][3] = {{0.0}}, p[3] = {0.0, 0.0, 0.0};
    if (def->approximate)
        return HF_ERROR_UNSUPPORTED;
    if (!copy_symmetric(dim, mass, a))
        return HF_ERROR_RANGE;
    for (int i = 0; i < dim; i++) {
        p[i] = applied[i];
        for (int j = 0; j < dim; j++)
            p[i] += a[i][j] * state->velocity[j] / step;
    }
    eigen(dim, a, v);
    secular s = {
        .level = &def->level, .normal = normal, .regime = state->regime, .step = step, .dim = dim};
    for (int i = 0; i < dim; i++) {
        if (!(a[i][i] > 0.0))
            return HF_ERROR_RANGE;
        s.m[i] = a[i][i];
        s.w[i] = 1.0;
        for (int j = 0; j < dim; j++)
            s.p[i] += v[j][i] * p[j];
    }
    double rest = hf_level_at(&def->level, HF_FORTH, 0.0, normal, state->regime);
    finish(def, state, &s, v, p, hf_length(dim, p) > rest, force);
    return HF_OK;
}

// Eigenvalues of the inverse, relative to the largest, below which nothing can move along an
// eigenvector: joints and loops hold it.
#define HELD 1e-9

// Fills the secular equation by the inverse, and the force that stops. False: none does, because
// something moves where nothing gives way.
static bool by_inverse(secular *s, double a[3][3], double v[3][3], const double *vbar,
                       double rounding, double *stick)
{
    double largest = 0.0, parts[3] = {0.0, 0.0, 0.0};
    bool stops = true;
    for (int i = 0; i < s->dim; i++)
        largest = a[i][i] > largest ? a[i][i] : largest;
    for (int i = 0; i < s->dim; i++) {
        double speed = 0.0;
        for (int j = 0; j < s->dim; j++)
            speed += v[j][i] * vbar[j];
        bool held = !(a[i][i] > HELD * largest);
        s->m[i] = 1.0;
        s->w[i] = held ? 0.0 : a[i][i];
        s->p[i] = held && hf_abs(speed) <= rounding ? 0.0 : speed / s->step;
        parts[i] = held ? 0.0 : s->p[i] / s->w[i];
        stops = stops && (s->w[i] > 0.0 || s->p[i] == 0.0);
    }
    for (int i = 0; i < s->dim; i++)
        for (int j = 0; j < s->dim; j++)
            stick[i] += v[i][j] * parts[j];
    return stops;
}

hf_status hf_coulomb_step_inverse(const hf_coulomb_def *def, hf_coulomb *state, int dim,
                                  const double *inverse, const double *free_velocity,
                                  double rounding, double normal, double step, double *force)
{
    double a[3][3] = {{0.0}}, v[3][3] = {{0.0}}, stick[3] = {0.0, 0.0, 0.0}, trace = 0.0;
    if (!copy_symmetric(dim, inverse, a))
        return HF_ERROR_RANGE;
    for (int i = 0; i < dim; i++)
        trace += a[i][i];
    if (!(trace > 0.0))
        return HF_ERROR_RANGE;
    eigen(dim, a, v);
    hf_level at_speed = def->level;
    secular s = {
        .level = &def->level, .normal = normal, .regime = state->regime, .step = step, .dim = dim};
    bool stops = by_inverse(&s, a, v, free_velocity, rounding, stick);
    double rest = hf_level_at(&def->level, HF_FORTH, 0.0, normal, state->regime);
    double beyond = hf_length(dim, stick) - rest;
    if (def->approximate && beyond > 0.0) { // (18), with the mean of the inverse
        double speed = step * beyond * trace / dim;
        at_speed = hf_level_coulomb(hf_level_at(&def->level, HF_FORTH, speed, normal, s.regime));
        s.level = &at_speed;
    }
    finish(def, state, &s, v, stick, !stops || beyond > 0.0, force);
    return HF_OK;
}
