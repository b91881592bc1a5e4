// SPDX-License-Identifier: Apache-2.0
// Anderson's mixing of sweeps [Anderson1965]. A sweep makes G(r) of r; with f = G(r) - r of this
// one and df, dr the changes of f and G(r) from sweep to sweep, the next begins at
//
//   G(r) - sum_j x_j dr_j,    x: |f - sum_j x_j df_j| least                                    (1)
//
// in the metric of energies, sum |f_i|^2 / weight_i. Where the regimes of contacts do not change,
// sweeps are linear and this is as good as a Krylov method. Where they change and f grows, what was
// kept is forgotten, and it begins anew.
//
// Where contacts are redundant and some slide, sweeps may drift: each changes reactions by nearly
// the same f, until after hundreds of them one contact opens or begins to slide. Nothing can be
// mixed from what does not change. So after some sweeps of the same f the next begins far ahead,
//
//   G(r) + n f                                                                                 (2)
//
// n is where the first contact leaves its regime: it opens, r_N + n f_N = 0, or begins to slide,
// |r_T + n f_T| = mu (r_N + n f_N). Beyond it f would be another. One event after another would
// take too long where contacts follow each other closely: so n is at least twice what it was the
// last time. So it is where r to begin with is that of a solution near by, as in steps of a
// simulation (`near`). Far from one what looks like drift is often a slow decay: there (2) comes
// later, and n is 8, 16, 32, ...
#include <string.h>

#include "fc3d_internal.h"
#include "laws/batch.h"
#include "math/lanes.h"

static const double GROWTH = 1.0;  // of |f|^2, beyond which the kept is forgotten
static const double LEAST = 1e-10; // added to the diagonal of (1), relative to it

// Drift: two f with at least this cosine, whose squares are in a ratio between these; after so many
// in a row it is time for (2). Where that was not needed for a while, the least n is the first
// again.
static const double SAME = 0.9, SHRINKS = 0.9, GROWS = 1.3, FAR_FIRST = 8.0, FAR_MOST = 256.0;
enum { STEADY = 6, STEADY_NEAR = 4, WHILE = 100 };
// What is nearer to the edge of its cone than this share of (mu r_N)^2 slides already.
static const double EDGE = 1e-9;

bool hf_fc3d_mix_allocate(hf_fc3d_mix *mix, hf_arena *arena, int contacts, int rows)
{
    size_t n = 3 * (size_t)contacts + 1, m = 3 * (size_t)rows + 1;
    *mix = (hf_fc3d_mix){.calm = mix->calm, .near = mix->near};
    hf_arena_want wanted[6 + 3 * HF_FC3D_MIXED] = {
        {&mix->before, n, sizeof(double)}, {&mix->scale, n, sizeof(double)},
        {&mix->f, n, sizeof(double)},      {&mix->swept, n, sizeof(double)},
        {&mix->motion, m, sizeof(double)}, {&mix->start, m, sizeof(double)}};
    for (int j = 0; j < HF_FC3D_MIXED; ++j) {
        hf_arena_want *next = wanted + 6 + 3 * j;
        next[0] = (hf_arena_want){&mix->df[j], n, sizeof(double)};
        next[1] = (hf_arena_want){&mix->dr[j], n, sizeof(double)};
        next[2] = (hf_arena_want){&mix->dv[j], m, sizeof(double)};
    }
    return hf_arena_take(arena, wanted, sizeof wanted / sizeof *wanted);
}

static void forget(hf_fc3d_mix *mix)
{
    mix->kept = mix->next = 0;
}

void hf_fc3d_mix_start(hf_fc3d_mix *mix, const double *weight, const double *r, int contacts)
{
    if (!(mix->last > 0.0) || memcmp(r, mix->swept, 3 * (size_t)contacts * sizeof *r) != 0) {
        forget(mix);
        mix->last = mix->far = 0.0;
        mix->steady = mix->since = 0;
    }
    for (int i = 0; i < contacts; ++i) {
        double scale = 1.0 / sqrt(weight[i]);
        mix->scale[3 * i] = mix->scale[3 * i + 1] = mix->scale[3 * i + 2] = scale;
    }
}

// ------------------------------------------------------------------------------------------------
// Loops over numbers, four at a time.

// to := now - before, before := now
HF_BATCH_BODY void differ(const double *now, double *before, double *to, int n)
{
    hf_four x, y;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        HF_LANES_LOAD(x, now + i);
        HF_LANES_LOAD(y, before + i);
        y = x - y;
        HF_LANES_STORE(to + i, y);
        HF_LANES_STORE(before + i, x);
    }
    for (; i < n; ++i) {
        to[i] = now[i] - before[i];
        before[i] = now[i];
    }
}

HF_BATCH(hf_fc3d_mix_differ, differ, (const double *now, double *before, double *to, int n),
         (now, before, to, n))

// from -= share
HF_BATCH_BODY void take_away(const double *share, int n, double *from)
{
    hf_four x, y;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        HF_LANES_LOAD(x, from + i);
        HF_LANES_LOAD(y, share + i);
        x = x - y;
        HF_LANES_STORE(from + i, x);
    }
    for (; i < n; ++i) {
        from[i] -= share[i];
    }
}

HF_BATCH(hf_fc3d_mix_take_away, take_away, (const double *share, int n, double *from),
         (share, n, from))

// x := up to four numbers; those that are not there are zero.
HF_BATCH_BODY void load(hf_four *x, const double *from, int count)
{
    *x = (hf_four){0};
    memcpy(x, from, (size_t)count * sizeof *from);
}

HF_BATCH_BODY double add_lanes(const hf_four *x)
{
    return ((*x)[0] + (*x)[1]) + ((*x)[2] + (*x)[3]);
}

typedef struct lane_sums {
    hf_four size, along, gram[HF_FC3D_MIXED], miss[HF_FC3D_MIXED];
} lane_sums;

// Numbers i to i + count - 1 of the below.
HF_BATCH_BODY void take_four(const hf_fc3d_mix *mix, const double *r, int i, int count,
                             lane_sums *sums)
{
    size_t bytes = (size_t)count * sizeof *r;
    hf_four x, last, scale, before, swept;
    load(&x, r + i, count);
    load(&last, mix->f + i, count);
    load(&scale, mix->scale + i, count);
    load(&before, mix->before + i, count);
    load(&swept, mix->swept + i, count);
    hf_four f = scale * (x - before), df = f - last, dr = x - swept;
    sums->size += f * f;
    sums->along += f * last;
    memcpy(mix->df[mix->next] + i, &df, bytes);
    memcpy(mix->dr[mix->next] + i, &dr, bytes);
    memcpy(mix->f + i, &f, bytes);
    memcpy(mix->swept + i, &x, bytes);
    for (int j = 0; j < HF_FC3D_MIXED; ++j) {
        hf_four other;
        load(&other, mix->df[j] + i, count);
        sums->gram[j] += other * df;
        sums->miss[j] += other * f;
    }
}

// f of the sweep that made r, weighted, and the changes of it and of r into the slot to fill; with
// the products of the changes: all that (1) needs, in one pass.
HF_BATCH_BODY void take_up(const hf_fc3d_mix *mix, const double *r, int n, hf_fc3d_mix_sums *out)
{
    lane_sums sums = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        take_four(mix, r, i, 4, &sums);
    }
    if (i < n) {
        take_four(mix, r, i, n - i, &sums);
    }
    out->size = add_lanes(&sums.size);
    out->along = add_lanes(&sums.along);
    for (int j = 0; j < HF_FC3D_MIXED; ++j) {
        out->gram[j] = add_lanes(&sums.gram[j]);
        out->miss[j] = add_lanes(&sums.miss[j]);
    }
}

HF_BATCH(hf_fc3d_mix_take_up, take_up,
         (const hf_fc3d_mix *mix, const double *r, int n, hf_fc3d_mix_sums *out), (mix, r, n, out))

// out := sum of share_j a_j; what is not kept has a share of zero.
HF_BATCH_BODY void add_up(double *const *a, const double *share, int n, double *out)
{
    const double *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
    const double s0 = share[0], s1 = share[1], s2 = share[2], s3 = share[3];
    hf_four x0, x1, x2, x3;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        HF_LANES_LOAD(x0, a0 + i);
        HF_LANES_LOAD(x1, a1 + i);
        HF_LANES_LOAD(x2, a2 + i);
        HF_LANES_LOAD(x3, a3 + i);
        x0 = (s0 * x0 + s1 * x1) + (s2 * x2 + s3 * x3);
        HF_LANES_STORE(out + i, x0);
    }
    for (; i < n; ++i) {
        out[i] = (s0 * a0[i] + s1 * a1[i]) + (s2 * a2[i] + s3 * a3[i]);
    }
}

HF_BATCH(hf_fc3d_mix_add_up, add_up, (double *const *a, const double *share, int n, double *out),
         (a, share, n, out))

// ------------------------------------------------------------------------------------------------
// Mixing

// x of (1), by elimination of a matrix that is positive definite. False: it is not.
static bool find_shares(hf_fc3d_mix *mix, const double *miss)
{
    double a[HF_FC3D_MIXED][HF_FC3D_MIXED], b[HF_FC3D_MIXED];
    int m = mix->kept;
    // The normal equations, a little stiffer
    memcpy(a, mix->gram, sizeof a);
    memcpy(b, miss, sizeof b);
    memset(mix->share, 0, sizeof mix->share);
    for (int i = 0; i < m; ++i) {
        a[i][i] *= 1.0 + LEAST;
    }
    // Elimination without interchanges
    for (int i = 0; i < m; ++i) {
        if (!(a[i][i] > 0.0)) {
            return false;
        }
        for (int j = i + 1; j < m; ++j) {
            double factor = a[j][i] / a[i][i];
            for (int k = i; k < m; ++k) {
                a[j][k] -= factor * a[i][k];
            }
            b[j] -= factor * b[i];
        }
    }
    // and back
    for (int i = m - 1; i >= 0; --i) {
        for (int j = i + 1; j < m; ++j) {
            b[i] -= a[i][j] * mix->share[j];
        }
        mix->share[i] = b[i] / a[i][i];
        if (!isfinite(mix->share[i])) {
            return false;
        }
    }
    return true;
}

// Counts sweeps that drift. True: it is time for (2).
static bool drifts(hf_fc3d_mix *mix, const hf_fc3d_mix_sums *sums)
{
    double size = sums->size;
    bool same = mix->last > 0.0 && sums->along > SAME * sqrt(size * mix->last) &&
                size > SHRINKS * mix->last && size < GROWS * mix->last;
    mix->steady = same ? mix->steady + 1 : 0;
    mix->since += 1;
    mix->far = mix->since > WHILE ? 0.0 : mix->far;
    return mix->steady >= (mix->near ? STEADY_NEAR : STEADY) && !mix->calm;
}

// The n of (2) at which a contact with friction mu leaves its regime, where r and f are its own.
static double find_event(const double r[3], const double f[3], double mu)
{
    double opens = f[0] < 0.0 ? -r[0] / f[0] : HUGE_VAL, m = mu * mu;
    // a n^2 + 2 b n + c = 0, c < 0: the first positive root, if there is one
    double a = f[1] * f[1] + f[2] * f[2] - m * f[0] * f[0];
    double b = r[1] * f[1] + r[2] * f[2] - m * r[0] * f[0];
    double c = r[1] * r[1] + r[2] * r[2] - m * r[0] * r[0];
    double d = b * b - a * c, to = b + sqrt(fmax(d, 0.0));
    bool slides = c < -EDGE * m * r[0] * r[0] && d >= 0.0 && to > 0.0;
    return slides ? fmin(opens, -c / to) : opens;
}

// The first n of all contacts that are closed; at most FAR_MOST.
static double find_first_event(const hf_fc3d_mix *mix, const double *mu, const double *r,
                               int contacts)
{
    double first = FAR_MOST;
    for (int i = 0; i < contacts; ++i, r += 3) {
        const double *f = mix->f + 3 * i, over = 1.0 / mix->scale[3 * i];
        const double own[3] = {over * f[0], over * f[1], over * f[2]};
        first = r[0] > 0.0 ? fmin(first, find_event(r, own, mu[i])) : first;
    }
    return first;
}

// (2): dr, dv := what to take away for it.
static void go_ahead(hf_fc3d_mix *mix, const double *mu, const double *r, int contacts,
                     const double *v, int m, double *dr, double *dv)
{
    mix->far = mix->far > 0.0 ? fmin(2.0 * mix->far, FAR_MOST) : FAR_FIRST;
    mix->steady = mix->since = 0;
    double n = mix->near ? fmax(mix->far, find_first_event(mix, mu, r, contacts)) : mix->far;
    for (int i = 0; i < 3 * contacts; ++i) {
        dr[i] = -n * mix->f[i] / mix->scale[i];
    }
    for (int i = 0; i < m; ++i) {
        dv[i] = -n * (v[i] - mix->start[i]);
    }
}

bool hf_fc3d_mix_sweep(hf_fc3d_mix *mix, const double *mu, const double *r, int contacts,
                       const double *v, int rows, double *dr, double *dv)
{
    int n = 3 * contacts, m = v == NULL ? 0 : 3 * rows, slot = mix->next;
    hf_fc3d_mix_sums sums;
    // What this sweep changed, and by how much that differs from the last one
    hf_fc3d_mix_take_up(mix, r, n, &sums);
    hf_fc3d_mix_differ(v == NULL ? r : v, mix->motion, mix->dv[slot], m);
    bool ahead = drifts(mix, &sums);
    // Kept where it does not grow; else all is forgotten
    bool keep = mix->last > 0.0 && sums.size <= GROWTH * mix->last;
    mix->last = sums.size;
    if (ahead || !keep) {
        forget(mix);
        if (ahead) {
            go_ahead(mix, mu, r, contacts, v, m, dr, dv);
        }
        return ahead;
    }
    // The shares of each change
    mix->next = (slot + 1) % HF_FC3D_MIXED;
    mix->kept = mix->kept < HF_FC3D_MIXED ? mix->kept + 1 : HF_FC3D_MIXED;
    for (int j = 0; j < HF_FC3D_MIXED; ++j) {
        mix->gram[slot][j] = mix->gram[j][slot] = sums.gram[j];
    }
    if (!find_shares(mix, sums.miss)) {
        forget(mix);
        return false;
    }
    hf_fc3d_mix_add_up(mix->dr, mix->share, n, dr);
    hf_fc3d_mix_add_up(mix->dv, mix->share, m, dv);
    return true;
}
