// SPDX-License-Identifier: Apache-2.0
// One solution among many, where redundant contacts slide.
//
// A sled on four feet has one normal force too many. While a foot slides, its friction goes with
// its normal force, so that the way in which the feet share the load turns the sled. Coulomb's law
// says nothing about it, and a solver ends where the order of its contacts leads it: a symmetric
// machine then leaves its line. Of all solutions with the same velocities where contacts hold, this
// takes the one of least forces: elastic bodies come near it, and method switch begins a slide with
// it.
//
// Unknowns x are the forces that are free to be shared: of a point or limit that holds all rows, of
// one that slides its normal force with mu times it against the slip, of a friction that sticks its
// own. With r = G x, and H picking the rows whose velocity the contacts prescribe,
//   B = H W G,   x -> x - (the part of x in the null space of B)
// The part in the range of B' is found by conjugate gradients for least squares (CGLS). On one tree
// with fewer unknowns than velocities B is a matrix; elsewhere its factors are applied.
#include <math.h>
#include <string.h>

#include "methods/timestep/timestep.h"
#include "solvers/small/rows.h"

// Larger problems are heaps, where a load has one way to go or many small ones. Fewer points than
// the least share nothing.
enum { MOST_CONTACTS = 64, LEAST_POINTS = 3, MOST_STEPS = 60 };
// Velocities of a tree whose B is a matrix.
enum { LEAST_TREE = 12, WIDEST = HF_TS_QUICK_WIDTH };

// Of the squared gradient where the steps end: 1e-10 of it is left.
#define CONVERGED 1e-20
// A part of the forces that is shared out otherwise and smaller than this is left alone.
#define WORTH 1e-9
// By how much of it a reaction may be beyond its cone.
#define EDGE 1e-9

static bool slides(const hf_ts_contact *c)
{
    return c->kind != HF_TS_FRICTION && c->regime == HF_REGIME_SLIP && hf_ts_quick_tangents(c) > 0;
}

// The first row whose velocity the contact prescribes, and the one after the last.
static void held_rows(const hf_ts_contact *c, int *first, int *end)
{
    bool friction = c->kind == HF_TS_FRICTION;
    int last = hf_ts_quick_tangents(c) + 1;
    *first = friction ? 1 : 0;
    *end = c->regime == HF_REGIME_STICK              ? last
           : c->regime == HF_REGIME_OPEN || friction ? *first
                                                     : 1;
}

// B, by its factors or as a matrix.
typedef struct sharing {
    hf_timestep *ts;
    double unit;             // what 1 of a friction's unknown is in forces of points
    int count;               // unknowns of the matrix; 0: there is none
    const double *b;         // [count count]
    int at[WIDEST];          // of three numbers a contact
    const double *y[WIDEST]; // rows of W's factor, whose velocity is prescribed
} sharing;

// y = H W G x for `across` false, y = G' W H' x for true; both with three numbers a contact.
static void apply_factors(const sharing *s, bool across, const double *x, double *y)
{
    hf_timestep *ts = s->ts;
    const double *r = ts->problem.r;
    double *push = ts->scratch.found;
    // r = G x, or rows as they are
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        double scale = c->kind == HF_TS_FRICTION && !across ? s->unit : 1.0;
        int first, end;
        held_rows(c, &first, &end);
        for (int k = 0; k < 3; ++k) {
            push[3 * i + k] = k >= first && k < end ? scale * x[3 * i + k] : 0.0;
        }
        for (int k = 1; k < 3 && slides(c) && !across; ++k) {
            push[3 * i + k] = x[3 * i] * (r[3 * i + k] / r[3 * i]);
        }
    }
    hf_ts_apply(ts, push);
    // Velocities, and G' of them
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        double u[3] = {0.0, 0.0, 0.0}, scale = c->kind == HF_TS_FRICTION && across ? s->unit : 1.0;
        int first, end;
        held_rows(c, &first, &end);
        for (int k = 0; k < 3 && first < end; ++k) {
            u[k] = c->idle[k] * push[3 * i + k];
        }
        if (first < end) {
            hf_ts_add_motion(ts, c, ts->motion.s_change, u);
        }
        for (int k = 1; k < 3 && slides(c) && across; ++k) {
            u[0] += u[k] * (r[3 * i + k] / r[3 * i]);
        }
        for (int k = 0; k < 3; ++k) {
            y[3 * i + k] = k >= first && k < end ? scale * u[k] : 0.0;
        }
    }
}

static void apply(const sharing *s, bool across, const double *x, double *y)
{
    double given[WIDEST], found[WIDEST];
    if (s->count == 0) {
        apply_factors(s, across, x, y);
        return;
    }
    for (int j = 0; j < s->count; ++j) {
        given[j] = x[s->at[j]];
        found[j] = 0.0;
    }
    if (across) {
        hf_rows_add(s->b, s->count, (size_t)s->count, given, found);
    } else {
        hf_rows_times(s->b, s->count, (size_t)s->count, given, found);
    }
    for (int j = 0; j < s->count; ++j) {
        y[s->at[j]] = found[j];
    }
}

// The unknowns, and rows whose velocity is prescribed, of a tree that all contacts are on. False:
// contacts are on several bodies, or unknowns are as many as its velocities.
static bool list_unknowns(sharing *s)
{
    const hf_ts_posed *problem = &s->ts->problem;
    int group = problem->contacts[0].sides[0].group, n = problem->contacts[0].sides[0].count;
    s->count = 0;
    for (int i = 0; i < problem->count; ++i) {
        const hf_ts_contact *c = &problem->contacts[i];
        int first, end;
        held_rows(c, &first, &end);
        if (c->side_count != 1 || c->sides[0].group != group || n < LEAST_TREE || n > WIDEST ||
            s->count + end - first >= n) {
            s->count = 0;
            return false;
        }
        for (int k = first; k < end; ++k) {
            s->y[s->count] = problem->y + c->sides[0].y + (size_t)k * (size_t)n;
            s->at[s->count++] = 3 * i + k;
        }
    }
    return s->count > 0;
}

// B = H Y (Y' G), plus what rows that move nothing have on W's diagonal.
static void fill_matrix(sharing *s)
{
    const hf_ts_posed *problem = &s->ts->problem;
    size_t n = (size_t)problem->contacts[0].sides[0].count, count = (size_t)s->count;
    double *b = s->ts->scratch.matrix, *pushes = b + count * count;
    // Y' G
    for (int j = 0; j < s->count; ++j) {
        int i = s->at[j] / 3;
        const hf_ts_contact *c = &problem->contacts[i];
        const double *r = problem->r + 3 * i, *row = s->y[j];
        double scale = c->kind == HF_TS_FRICTION ? s->unit : 1.0, *push = pushes + (size_t)j * n;
        for (size_t m = 0; m < n; ++m) {
            push[m] = scale * row[m];
            if (slides(c)) {
                push[m] += r[1] / r[0] * row[n + m] + r[2] / r[0] * row[2 * n + m];
            }
        }
    }
    // B
    for (int j = 0; j < s->count; ++j) {
        const hf_ts_contact *c = &problem->contacts[s->at[j] / 3];
        double scale = c->kind == HF_TS_FRICTION ? s->unit : 1.0;
        hf_rows_times(pushes, s->count, n, s->y[j], b + (size_t)j * count);
        b[(size_t)j * count + (size_t)j] += scale * c->idle[s->at[j] % 3];
    }
    s->b = b;
}

static double squares(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += x[i] * x[i];
    }
    return sum;
}

// The part of `left` in the null space of B stays in it. False: it was not found.
static bool take_null(const sharing *s, double *left)
{
    const hf_timestep *ts = s->ts;
    int rows = 3 * ts->problem.count;
    double *way = ts->scratch.along, *other = ts->scratch.given;
    memset(other, 0, (size_t)rows * sizeof *other);
    apply(s, false, left, other);
    memcpy(way, other, (size_t)rows * sizeof *way);
    double size = squares(other, rows), end = CONVERGED * size;
    for (int step = 0; step < MOST_STEPS && size > end; ++step) {
        apply(s, true, way, other);
        double length = squares(other, rows), far = length > 0.0 ? size / length : 0.0;
        for (int i = 0; i < rows; ++i) {
            left[i] -= far * other[i];
        }
        apply(s, false, left, other);
        double before = size;
        size = squares(other, rows);
        for (int i = 0; i < rows; ++i) {
            way[i] = other[i] + size / before * way[i];
        }
    }
    return size <= end;
}

// Forces of points by those of frictions that move the machine alike: the root of the ratio of the
// mean diagonals of W.
static double unit_of_frictions(const hf_timestep *ts)
{
    double sum[2] = {0.0, 0.0};
    int count[2] = {0, 0};
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        int kind = c->kind == HF_TS_FRICTION ? 1 : 0;
        for (int k = 0; k < c->side_count; ++k) {
            int n = c->sides[k].count;
            const double *y = ts->problem.y + c->sides[k].y + (size_t)(kind * n);
            sum[kind] += squares(y, n);
        }
        count[kind] += 1;
    }
    return sum[0] > 0.0 && sum[1] > 0.0 ? sqrt(sum[0] / count[0] * count[1] / sum[1]) : 1.0;
}

// r of contact i after `way` of the change.
static void changed(const hf_timestep *ts, double unit, int i, double way, const double *left,
                    double r[3])
{
    const hf_ts_contact *c = &ts->problem.contacts[i];
    const double *now = ts->problem.r + 3 * i;
    double scale = c->kind == HF_TS_FRICTION ? unit : 1.0;
    bool tied = slides(c);
    for (int k = 0; k < 3; ++k) {
        double part = tied && k > 0 ? left[0] * (now[k] / now[0]) : scale * left[k];
        r[k] = now[k] - way * part;
    }
}

static bool is_inside(const hf_timestep *ts, double unit, double way, const double *left)
{
    bool inside = true;
    for (int i = 0; i < ts->problem.count && inside; ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        double r[3];
        changed(ts, unit, i, way, left + 3 * i, r);
        bool held = c->regime == HF_REGIME_STICK;
        double bound = c->kind == HF_TS_FRICTION ? r[0] : ts->problem.mu[i] * r[0];
        inside = (c->regime == HF_REGIME_OPEN || r[0] >= 0.0) &&
                 (!held || hypot(r[1], r[2]) <= bound * (1.0 + EDGE));
    }
    return inside;
}

bool hf_ts_share(hf_timestep *ts, bool *looked)
{
    *looked = false;
    double *left = ts->scratch.left, *r = ts->problem.r;
    int points = 0, sliding = 0, rows = 3 * ts->problem.count;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        bool loaded = c->kind == HF_TS_POINT && c->regime != HF_REGIME_OPEN && r[3 * i] > 0.0;
        if (slides(c) && !(r[3 * i] > 0.0)) {
            return false;
        }
        points += loaded ? 1 : 0;
        sliding += loaded && slides(c) && ts->problem.mu[i] > 0.0 ? 1 : 0;
    }
    if (points < LEAST_POINTS || sliding == 0 || ts->problem.count > MOST_CONTACTS ||
        ts->problem.follower_count > 0) {
        return false;
    }
    // The unknowns, and their part that changes nothing where contacts hold
    *looked = true;
    double unit = unit_of_frictions(ts);
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        double scale = c->kind == HF_TS_FRICTION ? 1.0 / unit : 1.0;
        int first, end;
        held_rows(c, &first, &end);
        for (int k = 0; k < 3; ++k) {
            left[3 * i + k] = k >= first && k < end ? scale * r[3 * i + k] : 0.0;
        }
    }
    double whole = squares(left, rows);
    sharing s = {.ts = ts, .unit = unit};
    if (list_unknowns(&s)) {
        fill_matrix(&s);
    }
    if (!take_null(&s, left) || !(squares(left, rows) > WORTH * WORTH * whole)) {
        return false;
    }
    // As far as the cones allow
    double way = 1.0;
    while (way > 0.1 && !is_inside(ts, unit, way, left)) {
        way *= 0.5;
    }
    for (int i = 0; i < ts->problem.count && way > 0.1; ++i) {
        changed(ts, unit, i, way, left + 3 * i, r + 3 * i);
    }
    return way > 0.1;
}
