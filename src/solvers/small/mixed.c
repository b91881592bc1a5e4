// SPDX-License-Identifier: Apache-2.0
// Frictions, contacts and stops at once: Newton's method on their projections, and sweeps.
#include "solvers/small/mixed.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "solvers/fc3d/fc3d_internal.h"
#include "solvers/small/least_norm.h"

// A residual this small is rounding; nothing smaller is looked for.
#define DONE (32.0 * DBL_EPSILON)
// The part of the fall that the slope promises which a step must give (Armijo's).
#define ARMIJO 1e-4
enum { NEWTON_MOST = 40, HALVINGS = 10, STAGES = 6, SWEEPS = 60, BALL_STEPS = 20 };

size_t hf_mixed_work(int rows)
{
    size_t n = (size_t)rows;
    return n * n + 9 * n + hf_least_norm_general_work(rows);
}

typedef struct run {
    const hf_mixed *p;
    double *f;
    double *rho;    // [rows] forces by accelerations
    double *a, *to; // a = c - W f, and P(f + rho a)
    double *trial, *step, *best;
    double *matrix, *rest;
    double least; // residual of best
} run;

// Rows of an item share one rho but for the normal of a contact.
static void set_rho(const run *r)
{
    const hf_mixed *p = r->p;
    for (int i = 0; i < p->count; ++i) {
        const hf_mixed_item *item = &p->items[i];
        bool contact = item->law == HF_MIXED_CONE || item->law == HF_MIXED_SLIDE;
        double largest = 0.0;
        for (int k = contact ? 1 : 0; k < item->dim; ++k) {
            int row = item->row + k;
            largest = fmax(largest, p->w[row * p->rows + row]);
        }
        for (int k = 0; k < item->dim; ++k) {
            int row = item->row + k;
            double w = contact && k == 0 ? p->w[row * p->rows + row] : largest;
            r->rho[row] = w > 0.0 ? 1.0 / w : 0.0;
        }
    }
}

// The point of the ball nearest to z; derivative: by z, and by the radius in `outward`.
static void project_ball(int dim, const double *z, double radius, double *to, double slope[3][3],
                         double outward[3])
{
    double squares = 0.0;
    for (int k = 0; k < dim; ++k) {
        squares += z[k] * z[k];
    }
    double size = sqrt(squares);
    bool inside = size <= radius;
    for (int k = 0; k < dim; ++k) {
        double along = inside ? 0.0 : z[k] / size;
        to[k] = inside ? z[k] : radius * along;
        outward[k] = along;
        for (int j = 0; j < dim; ++j) {
            double cross = inside ? 0.0 : along * z[j] / size;
            slope[k][j] = (inside ? 1.0 : radius / size) * ((k == j ? 1.0 : 0.0) - cross);
        }
    }
}

// What loads an item, where the load's own law puts it; *slope: its derivative by the load's z.
static double load_of(const run *r, const hf_mixed_item *item, const double *f, double *slope)
{
    *slope = 0.0;
    if (item->load < 0) {
        return 0.0;
    }
    const hf_mixed_item *load = &r->p->items[item->load];
    bool box = load->law == HF_MIXED_BOX;
    double z = f[load->row] + r->rho[load->row] * r->a[load->row];
    double low = box ? load->low : -INFINITY, high = box ? load->high : 0.0;
    double to = fmin(fmax(z, low), high);
    *slope = z > low && z < high ? (to < 0.0 ? -1.0 : 1.0) : 0.0;
    return fabs(to);
}

// P of one item at z = f + rho a under a load, with its derivatives by z, row by row, and by the
// load.
static void project(const hf_mixed_item *item, const double *z, double load, double *to,
                    double slope[3][3], double by_load[3])
{
    memset(slope, 0, 9 * sizeof slope[0][0]);
    memset(by_load, 0, 3 * sizeof *by_load);
    double part[3][3], outward[3];
    // Items of one kind of row
    switch (item->law) {
    case HF_MIXED_BOX: {
        double low = item->low - item->low_rise * load, high = item->high + item->high_rise * load;
        slope[0][0] = z[0] > low && z[0] < high ? 1.0 : 0.0;
        by_load[0] = z[0] <= low ? -item->low_rise : z[0] >= high ? item->high_rise : 0.0;
        to[0] = fmin(fmax(z[0], low), high);
        return;
    }
    case HF_MIXED_BALL:
        project_ball(item->dim, z, item->radius + item->rise * load, to, slope, by_load);
        for (int k = 0; k < item->dim; ++k) {
            by_load[k] *= item->rise;
        }
        return;
    case HF_MIXED_DRAG:
        for (int k = 0; k < item->dim; ++k) {
            by_load[k] = item->rise * item->direction[k];
            to[k] = by_load[k] * load;
        }
        return;
    default:
        break;
    }
    // Contacts: the normal, then the tangents that it bounds
    bool closed = z[0] < 0.0;
    to[0] = closed ? z[0] : 0.0;
    slope[0][0] = closed ? 1.0 : 0.0;
    if (item->law == HF_MIXED_SLIDE) {
        for (int k = 0; k < 2; ++k) {
            to[k + 1] = -item->mu * item->direction[k] * to[0];
            slope[k + 1][0] = closed ? -item->mu * item->direction[k] : 0.0;
        }
        return;
    }
    project_ball(2, z + 1, -item->mu * to[0], to + 1, part, outward);
    for (int k = 0; k < 2; ++k) {
        slope[k + 1][0] = closed ? -item->mu * outward[k] : 0.0;
        slope[k + 1][1] = part[k][0];
        slope[k + 1][2] = part[k][1];
    }
}

static void accelerate(const hf_mixed *p, const double *f, double *a)
{
    for (int i = 0; i < p->rows; ++i) {
        double sum = p->c[i];
        for (int j = 0; j < p->rows; ++j) {
            sum -= p->w[i * p->rows + j] * f[j];
        }
        a[i] = sum;
    }
}

// r->a, r->to; returns the merit: the sum of squares of f - P, each by its rho.
static double evaluate(const run *r, const double *f, double *residual)
{
    const hf_mixed *p = r->p;
    double merit = 0.0, worst = 0.0, scale = 0.0;
    accelerate(p, f, r->a);
    for (int i = 0; i < p->count; ++i) {
        const hf_mixed_item *item = &p->items[i];
        double z[3] = {0.0, 0.0, 0.0}, slope[3][3], by_load[3], by_z;
        for (int k = 0; k < item->dim; ++k) {
            z[k] = f[item->row + k] + r->rho[item->row + k] * r->a[item->row + k];
        }
        project(item, z, load_of(r, item, f, &by_z), r->to + item->row, slope, by_load);
        for (int k = 0; k < item->dim; ++k) {
            int row = item->row + k;
            double off = f[row] - r->to[row], rho = r->rho[row];
            merit += rho > 0.0 ? off * off / rho : 0.0;
            worst = !(fabs(off) <= worst) ? fabs(off) : worst;
            scale = fmax(scale, fmax(fabs(f[row]), rho * fabs(p->c[row])));
        }
    }
    *residual = worst > 0.0 || worst != worst ? worst / scale : 0.0;
    return merit;
}

// Takes a part of d(f + rho (c - W f))/df of one row from a line.
static void add_row(const run *r, int row, double part, double *line)
{
    int n = r->p->rows;
    for (int j = 0; j < n && part != 0.0; ++j) {
        line[j] += part * r->rho[row] * r->p->w[row * n + j];
    }
    line[row] -= part;
}

// The derivative of f - P(f + rho (c - W f)) at f.
static void differentiate(const run *r)
{
    const hf_mixed *p = r->p;
    int n = p->rows;
    for (int i = 0; i < p->count; ++i) {
        const hf_mixed_item *item = &p->items[i];
        double z[3] = {0.0, 0.0, 0.0}, to[3], slope[3][3], by_load[3], by_z;
        for (int k = 0; k < item->dim; ++k) {
            z[k] = r->f[item->row + k] + r->rho[item->row + k] * r->a[item->row + k];
        }
        project(item, z, load_of(r, item, r->f, &by_z), to, slope, by_load);
        for (int k = 0; k < item->dim; ++k) {
            double *line = r->matrix + (item->row + k) * n;
            memset(line, 0, (size_t)n * sizeof *line);
            for (int m = 0; m < item->dim; ++m) {
                add_row(r, item->row + m, slope[k][m], line);
            }
            if (item->load >= 0) {
                add_row(r, p->items[item->load].row, by_load[k] * by_z, line);
            }
            line[item->row + k] += 1.0;
        }
    }
}

static void keep_best(run *r, double residual)
{
    if (residual < r->least) {
        r->least = residual;
        memcpy(r->best, r->f, (size_t)r->p->rows * sizeof *r->best);
    }
}

// Until the residual is rounding, or no step makes the merit smaller.
static void newton(run *r)
{
    int n = r->p->rows;
    double residual = 0.0, merit = evaluate(r, r->f, &residual);
    keep_best(r, residual);
    for (int k = 0; k < NEWTON_MOST && residual > DONE; ++k) {
        // Newton's direction
        for (int i = 0; i < n; ++i) {
            r->trial[i] = r->to[i] - r->f[i];
        }
        differentiate(r);
        (void)hf_least_norm_general(n, r->matrix, r->trial, r->step, r->rest);
        // Shorter steps until the merit falls enough
        double share = 1.0, then = INFINITY, before = merit;
        for (int h = 0; h < HALVINGS; ++h) {
            for (int i = 0; i < n; ++i) {
                r->trial[i] = r->f[i] + share * r->step[i];
            }
            then = evaluate(r, r->trial, &residual);
            if (then < (1.0 - ARMIJO * share) * before) {
                break;
            }
            share *= 0.5;
        }
        // No step makes it smaller: this is the end
        if (!(then < before)) {
            return;
        }
        merit = then;
        memcpy(r->f, r->trial, (size_t)n * sizeof *r->f);
        keep_best(r, residual);
    }
}

// c - W f of an item's rows without its own part.
static void without_own(const run *r, const hf_mixed_item *item, double q[3])
{
    const hf_mixed *p = r->p;
    for (int k = 0; k < item->dim; ++k) {
        const double *line = p->w + (item->row + k) * p->rows;
        q[k] = p->c[item->row + k];
        for (int j = 0; j < p->rows; ++j) {
            q[k] -= j >= item->row && j < item->row + item->dim ? 0.0 : line[j] * r->f[j];
        }
    }
}

static void sweep_ball(const run *r, const hf_mixed_item *item, double load, const double q[3])
{
    const hf_mixed *p = r->p;
    double *f = r->f + item->row, trace = 0.0, slope[3][3], outward[3];
    double radius = item->radius + item->rise * load;
    for (int k = 0; k < item->dim; ++k) {
        trace += p->w[(item->row + k) * p->rows + item->row + k];
    }
    for (int step = 0; step < BALL_STEPS && trace > 0.0; ++step) {
        double z[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < item->dim; ++k) {
            double a = q[k];
            for (int j = 0; j < item->dim; ++j) {
                a -= p->w[(item->row + k) * p->rows + item->row + j] * f[j];
            }
            z[k] = f[k] + a / trace;
        }
        project_ball(item->dim, z, radius, f, slope, outward);
    }
}

static void sweep_contact(const run *r, const hf_mixed_item *item, const double q[3])
{
    const hf_mixed *p = r->p;
    double *f = r->f + item->row, w[9], root = 0.0;
    for (int k = 0; k < 9; ++k) {
        w[k] = p->w[(item->row + k / 3) * p->rows + item->row + k % 3];
    }
    if (item->law == HF_MIXED_CONE) { // u = W r + q with r = -f
        (void)hf_fc3d_one_contact(w, q, item->mu, f, &root);
        for (int k = 0; k < 3; ++k) {
            f[k] = -f[k];
        }
        return;
    }
    const double *d = item->direction;
    double felt = w[0] - item->mu * (w[1] * d[0] + w[2] * d[1]);
    // Where friction leaves less than this of the normal's response, it is not used
    const double answers = 1e-3;
    felt = felt > answers * w[0] ? felt : w[0];
    f[0] = felt > 0.0 ? fmin(0.0, q[0] / felt) : 0.0;
    f[1] = -item->mu * d[0] * f[0];
    f[2] = -item->mu * d[1] * f[0];
}

static void sweep_item(const run *r, const hf_mixed_item *item, double load, const double q[3])
{
    double *f = r->f + item->row, w = r->p->w[item->row * r->p->rows + item->row];
    switch (item->law) {
    case HF_MIXED_BALL:
        sweep_ball(r, item, load, q);
        break;
    case HF_MIXED_BOX:
        f[0] = fmin(fmax(w > 0.0 ? q[0] / w : 0.0, item->low - item->low_rise * load),
                    item->high + item->high_rise * load);
        break;
    case HF_MIXED_DRAG:
        for (int k = 0; k < item->dim; ++k) {
            f[k] = item->rise * load * item->direction[k];
        }
        break;
    default:
        sweep_contact(r, item, q);
        break;
    }
}

// Gauss and Seidel: item by item, the others held.
static void sweep(const run *r, int sweeps)
{
    const hf_mixed *p = r->p;
    for (int k = 0; k < sweeps; ++k) {
        for (int i = 0; i < p->count; ++i) {
            const hf_mixed_item *item = &p->items[i];
            double q[3], load = item->load < 0 ? 0.0 : fabs(r->f[p->items[item->load].row]);
            without_own(r, item, q);
            sweep_item(r, item, load, q);
        }
    }
}

static run start(const hf_mixed *p, double *f, double *work)
{
    size_t n = (size_t)p->rows;
    run r = {.p = p, .f = f, .least = INFINITY};
    double **vectors[] = {&r.rho, &r.a, &r.to, &r.trial, &r.step, &r.best};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i, work += n) {
        *vectors[i] = work;
    }
    r.matrix = work;
    r.rest = work + n * n;
    set_rho(&r);
    return r;
}

double hf_mixed_solve(const hf_mixed *p, double *f, double *work)
{
    run r = start(p, f, work);
    double residual = 0.0;
    for (int stage = 0; stage < STAGES; ++stage) {
        newton(&r);
        if (r.least <= fmax(DONE * (double)p->count, p->enough)) { // rounding of so many
            break;
        }
        sweep(&r, SWEEPS << stage);
    }
    if (r.least < INFINITY) {
        memcpy(f, r.best, (size_t)p->rows * sizeof *f);
    }
    (void)evaluate(&r, f, &residual);
    return residual;
}

void hf_mixed_ahead(const hf_mixed *p, const double *f, double *ahead)
{
    run r = {.p = p, .rho = ahead};
    set_rho(&r);
    for (int i = 0; i < p->rows; ++i) {
        double a = p->c[i];
        for (int j = 0; j < p->rows; ++j) {
            a -= p->w[i * p->rows + j] * f[j];
        }
        ahead[i] = f[i] + ahead[i] * a;
    }
}
