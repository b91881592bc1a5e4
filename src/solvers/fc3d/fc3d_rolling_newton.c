// SPDX-License-Identifier: Apache-2.0
// Friction of rolling: the cone K = { r : |r_T| <= mu r_N, |r_R| <= mu_r r_N }, and Newton's method
// on the natural map of a few contacts, by dense matrices.
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "fc3d_rolling.h"

enum { ROWS = HF_ROLLING_ROWS, HALVINGS = 12, PATIENCE = 3 };

// What is added to a singular matrix, as a share of its largest number in the row.
static const double LIFT = 1e-12;

// ------------------------------------------------------------------------------------------------
// The cone

static double length(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

// The distance to z, as a function of the normal part n alone, is
//   (n - z_N)^2 + max(0, |z_T| - mu n)^2 + max(0, |z_R| - mu_r n)^2
// half of whose slope, n - z_N - mu max(..) - mu_r max(..), rises with n. Its zero is found by
// which of the bounds hold there.
hf_rolling_point hf_rolling_project(const double z[ROWS], hf_rolling_bounds bounds, double p[ROWS])
{
    double mu = bounds.mu, mu_r = bounds.mu_r, t = length(z + 1), s = length(z + 3);
    hf_rolling_point at = {.normal = 0.0};
    // The polar cone, and the cone itself
    if (mu * t + mu_r * s <= -z[0]) {
        memset(p, 0, ROWS * sizeof *p);
        at.open = true;
        return at;
    }
    // Both bounds, one, or none: the first that is consistent
    for (int k = 0; k < 4; ++k) {
        at.slips = k == 1 || k == 3;
        at.rolls = k == 2 || k == 3;
        double a = at.slips ? mu : 0.0, b = at.rolls ? mu_r : 0.0;
        at.normal = (z[0] + a * t + b * s) / (1.0 + a * a + b * b);
        bool slips = t > mu * at.normal, rolls = s > mu_r * at.normal;
        if (slips == at.slips && rolls == at.rolls && at.normal >= 0.0) {
            break;
        }
    }
    double share_t = at.slips ? mu * at.normal / t : 1.0;
    double share_s = at.rolls ? mu_r * at.normal / s : 1.0;
    p[0] = at.normal;
    p[1] = share_t * z[1];
    p[2] = share_t * z[2];
    p[3] = share_s * z[3];
    p[4] = share_s * z[4];
    return at;
}

void hf_rolling_shift(const double *r, const double *u, hf_rolling_bounds bounds, double rho,
                      double z[ROWS])
{
    z[0] = r[0] - rho * (u[0] + bounds.mu * length(u + 1) + bounds.mu_r * length(u + 3));
    for (int k = 1; k < ROWS; ++k) {
        z[k] = r[k] - rho * u[k];
    }
}

double hf_rolling_error(const double *r, const double *u, hf_rolling_bounds bounds, double rho)
{
    double z[ROWS], p[ROWS], sum = 0.0;
    hf_rolling_shift(r, u, bounds, rho, z);
    (void)hf_rolling_project(z, bounds, p);
    for (int k = 0; k < ROWS; ++k) {
        sum += (r[k] - p[k]) * (r[k] - p[k]);
    }
    return sum;
}

// Two rows of the projection's derivative: of a part that its bound holds, mu n x/|x|, and of one
// that is free. dn: the derivative of n.
static void held_rows(const double x[2], bool held, double mu, double normal, const double dn[ROWS],
                      int first, double j[ROWS * ROWS])
{
    double size = length(x);
    for (int a = 0; a < 2; ++a) {
        double *row = j + ROWS * (first + a);
        if (!held) {
            row[first + a] = 1.0;
            continue;
        }
        double along = x[a] / size;
        for (int k = 0; k < ROWS; ++k) {
            row[k] = mu * along * dn[k];
        }
        for (int b = 0; b < 2; ++b) {
            row[first + b] += mu * normal / size * ((a == b ? 1.0 : 0.0) - along * x[b] / size);
        }
    }
}

// j := an element of the projection's generalized derivative at z.
static void derivative(const double z[ROWS], hf_rolling_bounds bounds, double j[ROWS * ROWS])
{
    double p[ROWS], dn[ROWS] = {0.0};
    hf_rolling_point at = hf_rolling_project(z, bounds, p);
    memset(j, 0, ROWS * ROWS * sizeof *j);
    if (at.open) {
        return;
    }
    double a = at.slips ? bounds.mu : 0.0, b = at.rolls ? bounds.mu_r : 0.0;
    double over = 1.0 / (1.0 + a * a + b * b), t = length(z + 1), s = length(z + 3);
    dn[0] = over;
    for (int k = 0; k < 2; ++k) {
        dn[1 + k] = at.slips ? over * a * z[1 + k] / t : 0.0;
        dn[3 + k] = at.rolls ? over * b * z[3 + k] / s : 0.0;
    }
    memcpy(j, dn, sizeof dn);
    held_rows(z + 1, at.slips, bounds.mu, at.normal, dn, 1, j);
    held_rows(z + 3, at.rolls, bounds.mu_r, at.normal, dn, 3, j);
}

// ------------------------------------------------------------------------------------------------
// Dense matrices

// x := A^-1 x by Gauss with pivots by rows; A is overwritten. A pivot that is nothing beside its
// matrix is lifted: redundant contacts leave directions that nothing answers to.
static void solve_dense(double *a, int n, double *x)
{
    double largest = 0.0;
    for (int i = 0; i < n * n; ++i) {
        largest = fmax(largest, fabs(a[i]));
    }
    for (int k = 0; k < n; ++k) {
        // The largest of the column comes up
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
        }
        for (int j = 0; best != k && j < n; ++j) {
            double moved = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = moved;
        }
        double moved = x[k];
        x[k] = x[best];
        x[best] = moved;
        double *pivot = &a[k * n + k];
        if (fabs(*pivot) < LIFT * largest) {
            *pivot = *pivot < 0.0 ? -LIFT * largest : LIFT * largest;
        }
        // and is taken out of the rows below
        for (int i = k + 1; i < n; ++i) {
            double share = a[i * n + k] / *pivot;
            if (share == 0.0) {
                continue;
            }
            for (int j = k + 1; j < n; ++j) {
                a[i * n + j] -= share * a[k * n + j];
            }
            x[i] -= share * x[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) {
            x[k] -= a[k * n + j] * x[j];
        }
        x[k] /= a[k * n + k];
    }
}

// ------------------------------------------------------------------------------------------------
// Newton's method

size_t hf_rolling_work(int contacts)
{
    size_t n = ROWS * (size_t)contacts;
    return n * n + 5 * n;
}

// f := r - P_K(r - rho u~) and u = W r + q. Returns |f|.
static double look(const hf_rolling_dense *d, const double *r, double *u, double *f)
{
    int n = ROWS * d->contacts;
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        u[i] = d->q[i];
        for (int j = 0; j < n; ++j) {
            u[i] += d->w[(size_t)i * (size_t)n + (size_t)j] * r[j];
        }
    }
    for (int c = 0; c < d->contacts; ++c) {
        double z[ROWS], p[ROWS];
        hf_rolling_shift(r + ROWS * c, u + ROWS * c, d->bounds[c], d->rho, z);
        (void)hf_rolling_project(z, d->bounds[c], p);
        for (int k = 0; k < ROWS; ++k) {
            f[ROWS * c + k] = r[ROWS * c + k] - p[k];
            sum += f[ROWS * c + k] * f[ROWS * c + k];
        }
    }
    return sqrt(sum);
}

// a := df/dr = I - P' (I - rho A W), where A adds the slopes of mu |u_T| + mu_r |u_R| to the
// normal.
static void build(const hf_rolling_dense *d, const double *r, const double *u, double *a)
{
    int n = ROWS * d->contacts;
    for (int c = 0; c < d->contacts; ++c) {
        double z[ROWS], j[ROWS * ROWS], slope[ROWS] = {1.0};
        // Slopes of the contact's own laws
        const double *v = u + ROWS * c;
        double t = length(v + 1), s = length(v + 3);
        for (int k = 0; k < 2; ++k) {
            slope[1 + k] = t > 0.0 ? d->bounds[c].mu * v[1 + k] / t : 0.0;
            slope[3 + k] = s > 0.0 ? d->bounds[c].mu_r * v[3 + k] / s : 0.0;
        }
        hf_rolling_shift(r + ROWS * c, v, d->bounds[c], d->rho, z);
        derivative(z, d->bounds[c], j);
        const double *w = d->w + (size_t)(ROWS * c) * (size_t)n;
        for (int col = 0; col < n; ++col) {
            // How z changes with r of this column
            double dz[ROWS] = {0.0};
            for (int k = 0; k < ROWS; ++k) {
                double change = w[(size_t)k * (size_t)n + (size_t)col];
                dz[0] -= d->rho * slope[k] * change;
                dz[k] -= k > 0 ? d->rho * change : 0.0;
            }
            int own = col - ROWS * c;
            if (own >= 0 && own < ROWS) {
                dz[own] += 1.0;
            }
            for (int k = 0; k < ROWS; ++k) {
                double sum = own == k ? 1.0 : 0.0;
                for (int m = 0; m < ROWS; ++m) {
                    sum -= j[ROWS * k + m] * dz[m];
                }
                a[(size_t)(ROWS * c + k) * (size_t)n + (size_t)col] = sum;
            }
        }
    }
}

int hf_rolling_newton(const hf_rolling_dense *d, double enough, int steps, double *r, double *work,
                      double *left)
{
    int n = ROWS * d->contacts, taken = 0, worse = 0;
    double *a = work, *u = a + (size_t)n * (size_t)n, *f = u + n, *next = f + n, *way = next + n;
    double *best = way + n;
    // From r on, with the best kept
    double now = look(d, r, u, f), least = now;
    memcpy(best, r, (size_t)n * sizeof *r);
    while (taken < steps && now > enough && worse < PATIENCE) {
        ++taken;
        build(d, r, u, a);
        memcpy(way, f, (size_t)n * sizeof *f);
        solve_dense(a, n, way);
        // As far as it gets smaller; where it never does, a whole step to somewhere else
        double length_of = 1.0, then = INFINITY;
        for (int k = 0; k < HALVINGS && !(then < now); ++k, length_of *= 0.5) {
            for (int i = 0; i < n; ++i) {
                next[i] = r[i] - length_of * way[i];
            }
            then = look(d, next, u, f);
        }
        if (!(then < now)) {
            ++worse;
            for (int i = 0; i < n; ++i) {
                next[i] = r[i] - way[i];
            }
            then = look(d, next, u, f);
        }
        if (!isfinite(then)) {
            break;
        }
        memcpy(r, next, (size_t)n * sizeof *r);
        now = then;
        if (now < least) {
            least = now;
            memcpy(best, r, (size_t)n * sizeof *r);
        }
    }
    memcpy(r, best, (size_t)n * sizeof *r);
    *left = least;
    return taken;
}
