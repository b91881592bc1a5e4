// SPDX-License-Identifier: Apache-2.0
// The branch of a step: its solution with what is open, stuck and slipping held as it was in the
// step of another sim, the leader, whose numbers are near by. There the reactions r are a smooth
// function of the state, the inputs and the machine's numbers, by which W, q and mu change:
//
//   open   r = 0
//   stuck  u = 0,                                   u = W r + q
//   slips  u_N = 0,  r_T = -mu r_N u_T/|u_T|
//
// They are found by Newton's method from the leader's, to rounding. Sims on both sides of a number
// that follow one leader so have the derivative of its steps between them by the theorem on
// implicit functions (sensitivity.c): neither an event that one of them has a step earlier nor the
// solver's tolerance is in it. Redundant reactions stay near the leader's.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/timestep/timestep.h"

enum { MOST_CONTACTS = 64, MOST_STEPS = 12 };
// Of a row's own weight, on the diagonal of Newton's matrix alone: redundant rows.
static const double RIDGE = 1e-9;
// Residuals of a branch that was found, over the terms whose sum they are.
static const double FOUND = 1e-12;

// Newton's equations, matrix * change = right.
typedef struct newton {
    int count; // 3 for each contact
    double *matrix, *right;
    double off; // largest residual over its terms
} newton;

void hf_ts_lead(const hf_sim *leader, hf_sim *follower)
{
    hf_timestep *ts = hf_timestep_of(leader);
    const hf_ts_traits *traits = &ts->attempt.traits;
    double h = hf_ts_kept_of(leader)->step, way = leader->core->time - follower->core->time;
    // Bounds that depend on reactions, and impacts, take several solutions in a step
    bool serves = !traits->loaded && !traits->plane && !traits->impacts && !traits->lands &&
                  leader->loads == NULL && ts->problem.count <= MOST_CONTACTS &&
                  ts->sleep.count == 0 && fabs(way - h) <= 1e-9 * h;
    ts->sleep.barred = true; // from its next step on
    hf_ts_plugged *plugged = &hf_timestep_of(follower)->plugged;
    long long loose = plugged->loose + (!serves && ts->problem.count > 0 ? 1 : 0);
    *plugged = (hf_ts_plugged){
        .solve = serves ? hf_ts_solve_branch : NULL, .leader = leader, .loose = loose};
}

long long hf_ts_loose(const hf_sim *follower)
{
    return hf_timestep_of(follower)->plugged.loose;
}

void hf_ts_hold_regimes(hf_timestep *ts)
{
    const hf_timestep *leader = hf_timestep_of(ts->plugged.leader);
    for (int i = 0; i < ts->problem.count; ++i) {
        ts->problem.contacts[i].regime = leader->problem.contacts[i].regime;
    }
}

// Whether both have the same contacts.
static bool is_alike(const hf_ts_posed *a, const hf_ts_posed *b)
{
    bool alike = a->count == b->count;
    for (int i = 0; alike && i < a->count; ++i) {
        const hf_ts_contact *one = &a->contacts[i], *other = &b->contacts[i];
        alike = one->point.key == other->point.key && one->kind == other->kind &&
                one->part == other->part && one->rows == other->rows && one->sign == other->sign;
    }
    return alike;
}

// u := W r + q of a contact.
static void motion_of(const hf_fc3d_problem *p, int i, const double *r, double *u)
{
    memcpy(u, p->q + 3 * i, 3 * sizeof *u);
    for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
        for (int a = 0; a < 9; ++a) {
            u[a / 3] += p->w[9 * k + a] * r[3 * p->column[k] + a % 3];
        }
    }
}

// A row of W times `factor`, into a row of the matrix.
static void add_w(const hf_fc3d_problem *p, int i, int row, double factor, double *into)
{
    for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
        for (int b = 0; b < 3; ++b) {
            into[3 * p->column[k] + b] += factor * p->w[9 * k + 3 * row + b];
        }
    }
}

// Equations that say u = 0 in a row.
static void pose_still(newton *n, const hf_fc3d_problem *p, int i, int row, const double *weight,
                       double u, double terms)
{
    double *into = n->matrix + (size_t)(3 * i + row) * (size_t)n->count;
    add_w(p, i, row, 1.0, into);
    into[3 * i + row] += RIDGE * weight[row];
    n->right[3 * i + row] = -u;
    n->off = fmax(n->off, fabs(u) / terms);
}

// Equations that say r = 0 in a row.
static void pose_none(newton *n, int i, int row, const double *weight, double r)
{
    n->matrix[(size_t)(3 * i + row) * (size_t)n->count + (size_t)(3 * i + row)] = weight[row];
    n->right[3 * i + row] = -weight[row] * r;
}

// Slip: r_T = -mu r_N d, with d the direction of the slip, or that of the leader's where there is
// one tangent.
static void pose_slip(newton *n, const hf_fc3d_problem *p, int i, const hf_ts_contact *contact,
                      const double *weight, const double *r, const double *u, const double *led)
{
    bool one = contact->kind != HF_TS_POINT && contact->rows == 1;
    double speed = hypot(u[1], u[2]), size = hypot(led[1], led[2]), mu = p->mu[i];
    one = one || !(speed > 0.0);
    double d[2] = {one ? (size > 0.0 ? -led[1] / size : 0.0) : u[1] / speed,
                   one ? (size > 0.0 ? -led[2] / size : 0.0) : u[2] / speed};
    for (int a = 0; a < 2; ++a) {
        double *into = n->matrix + (size_t)(3 * i + 1 + a) * (size_t)n->count;
        double w = weight[1 + a], miss = r[1 + a] + mu * r[0] * d[a];
        into[3 * i + 1 + a] += w;
        into[3 * i] += w * mu * d[a];
        for (int b = 0; b < 2 && !one; ++b) {
            double across = ((a == b) - d[a] * d[b]) / speed;
            add_w(p, i, 1 + b, w * mu * r[0] * across, into);
        }
        n->right[3 * i + 1 + a] = -w * miss;
        n->off = fmax(n->off, fabs(miss) / (fabs(r[1 + a]) + mu * fabs(r[0]) + DBL_MIN));
    }
}

static void pose(newton *n, const hf_fc3d_problem *p, const hf_ts_posed *led, const double *r)
{
    memset(n->matrix, 0, (size_t)n->count * (size_t)n->count * sizeof *n->matrix);
    n->off = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        const hf_ts_contact *contact = &led->contacts[i];
        const double *own = r + 3 * i;
        double u[3], weight[3] = {1.0, 1.0, 1.0}, terms = DBL_MIN;
        motion_of(p, i, r, u);
        // Sizes: the diagonal, and what velocities are sums of
        for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
            for (int a = 0; a < 3 && p->column[k] == i; ++a) {
                weight[a] = p->w[9 * k + 4 * a];
                terms = fmax(terms, fabs(p->q[3 * i + a]) + weight[a] * fabs(own[a]));
            }
        }
        bool open = contact->regime == HF_REGIME_OPEN;
        bool smooth = contact->smooth || p->mu[i] == 0.0;
        // Normal, then tangents
        if (open) {
            pose_none(n, i, 0, weight, own[0]);
        } else {
            pose_still(n, p, i, 0, weight, u[0], terms);
        }
        if (!open && !smooth && contact->regime == HF_REGIME_SLIP) {
            pose_slip(n, p, i, contact, weight, own, u, led->r + 3 * i);
            continue;
        }
        for (int a = 1; a < 3; ++a) {
            if (open || smooth) {
                pose_none(n, i, a, weight, own[a]);
            } else {
                pose_still(n, p, i, a, weight, u[a], terms);
            }
        }
    }
}

// Gauss' elimination with the largest pivot of each column; right becomes the change. False:
// singular.
static bool eliminate(newton *n)
{
    int size = n->count;
    double *a = n->matrix, *b = n->right;
    for (int k = 0; k < size; ++k) {
        // The largest pivot
        int best = k;
        for (int i = k + 1; i < size; ++i) {
            best = fabs(a[i * size + k]) > fabs(a[best * size + k]) ? i : best;
        }
        if (!(fabs(a[best * size + k]) > 0.0)) {
            return false;
        }
        for (int j = 0; j < size && best != k; ++j) {
            double held = a[k * size + j];
            a[k * size + j] = a[best * size + j];
            a[best * size + j] = held;
        }
        double held = b[k];
        b[k] = b[best];
        b[best] = best == k ? b[k] : held;
        // Taken from the rows below
        for (int i = k + 1; i < size; ++i) {
            double factor = a[i * size + k] / a[k * size + k];
            for (int j = k; j < size && factor != 0.0; ++j) {
                a[i * size + j] -= factor * a[k * size + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = size - 1; k >= 0; --k) {
        for (int j = k + 1; j < size; ++j) {
            b[k] -= a[k * size + j] * b[j];
        }
        b[k] /= a[k * size + k];
    }
    return true;
}

// Newton's method; r becomes the branch's. False: it was not found.
static bool find(newton *n, const hf_fc3d_problem *p, const hf_ts_posed *led, double *r)
{
    double best = INFINITY;
    memcpy(r, led->r, (size_t)n->count * sizeof *r);
    for (int step = 0; step < MOST_STEPS; ++step) {
        pose(n, p, led, r);
        // To rounding: until it comes no nearer
        if (!(n->off < 0.5 * best) && best <= FOUND) {
            return true;
        }
        best = fmin(best, n->off);
        if (!isfinite(n->off) || !eliminate(n)) {
            return false;
        }
        for (int i = 0; i < n->count; ++i) {
            r[i] += n->right[i];
        }
    }
    return best <= FOUND;
}

hf_status hf_ts_solve_branch(hf_sim *sim, const hf_fc3d_problem *problem, double *r, double *u,
                             hf_fc3d_info *info, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_posed *led = &hf_timestep_of(ts->plugged.leader)->problem;
    newton n = {.count = 3 * problem->contacts};
    size_t count = (size_t)n.count;
    ts->plugged.held = false;
    // The branch, where there is one
    if (is_alike(&ts->problem, led)) {
        n.matrix = sim->allocator.allocate(sim->allocator.context,
                                           (count * count + count) * sizeof *n.matrix);
        if (n.matrix == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for derivatives");
        }
        n.right = n.matrix + count * count;
        ts->plugged.held = find(&n, problem, led, r);
        sim->allocator.release(sim->allocator.context, n.matrix);
    }
    if (ts->plugged.held) {
        for (int i = 0; i < problem->contacts; ++i) {
            motion_of(problem, i, r, u + 3 * i);
        }
        *info = (hf_fc3d_info){.residual = 0.0};
        return HF_OK;
    }
    // Elsewhere the step as it is
    ts->plugged.loose += 1;
    hf_ts_plugged plugged = ts->plugged;
    ts->plugged.solve = NULL;
    hf_status status = hf_ts_solve_to(sim, sim->core->method.tolerance, info, error);
    ts->plugged = plugged;
    return status;
}
