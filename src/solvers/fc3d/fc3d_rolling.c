// SPDX-License-Identifier: Apache-2.0
// Problems with friction of rolling: residual and solution.
//
// Sweeps solve contact after contact, each with the newest reactions of the others: exactly where
// it is open or holds, else by Newton's method on its five rows. Sweeps converge linearly; where
// contacts are few, Newton's method on all rows goes on from them. Both take turns, with more of
// each, until one ends.
//
// Turns are measured in radians, tangents in meters. So that one residual is of both, turns are
// taken at a distance L from the contact at which they weigh what the other rows do,
//   u_R := L u_R,   r_R := r_R / L,   mu_r := mu_r / L,    L^2 = mean of W_N, W_T / mean of W_R
// which changes nothing of the problem. The scaled residual is that one's; the natural one is of
// the rows as they are.
#include "fc3d_rolling.h"

#include <float.h>
#include <string.h>
#include <time.h>

#include "base/carve.h"
#include "base/error.h"
#include "fc3d_internal.h"

enum {
    ROWS = HF_ROLLING_ROWS,
    SWEEPS_FIRST = 30,
    SWEEPS_MOST = 100000, // of all turns
    NEWTON_STEPS = 60,    // of a turn
    NEWTON_MOST = 240,    // contacts: above, dense matrices take longer than sweeps
    OWN_STEPS = 30,       // of a contact's own Newton's method
    OWN_SHIFTS = 200,     // projections where that fails
    CHECK_EVERY = 10
};
static const double OWN_SHARE = 1e-14; // a contact's own rows are solved to this share of r

typedef struct rolling {
    const hf_fc3d_problem *p;
    const hf_fc3d_def *def;
    hf_fc3d_info *info;
    int contacts;
    double length, rho, norm_q, scaled_q;  // L; of the rows measured in it
    double *own;                           // [contacts][25] their blocks of W, in these rows
    hf_rolling_bounds *bounds;             // in these rows
    double *r, *u;                         // the caller's
    double *best;                          // [6 contacts]
    double *dense, *dense_q, *five, *work; // of Newton's method; NULL: contacts are too many
    double residual, least;
    clock_t start;
    int sweeps, budget;
} rolling;

// ------------------------------------------------------------------------------------------------
// Five rows of a contact in the two blocks that it has

// Row k of five: block and row within it.
static int block_of(int k)
{
    return k < 3 ? 0 : 1;
}

static int row_of(int k)
{
    return k < 3 ? k : k - 2;
}

// Its place among the numbers of all blocks.
static int place_of(int contact, int k)
{
    return 3 * (2 * contact + block_of(k)) + row_of(k);
}

static double measure_of(int k, double length)
{
    return k < 3 ? 1.0 : length;
}

// W of two contacts in rows that are measured in `length`; zero where no block is stored.
static void block_between(const hf_fc3d_problem *p, int a, int b, double length,
                          double w[ROWS * ROWS])
{
    memset(w, 0, ROWS * ROWS * sizeof *w);
    for (int half = 0; half < 2; ++half) {
        for (int at = p->start[2 * a + half]; at < p->start[2 * a + half + 1]; ++at) {
            int column = p->column[at];
            for (int i = 0; i < ROWS && column / 2 == b; ++i) {
                for (int j = 0; j < ROWS && block_of(i) == half; ++j) {
                    if (block_of(j) == column % 2) {
                        w[ROWS * i + j] =
                            p->w[9 * (size_t)at + 3 * (size_t)row_of(i) + (size_t)row_of(j)] *
                            measure_of(i, length) * measure_of(j, length);
                    }
                }
            }
        }
    }
}

static void find_measure(const hf_fc3d_problem *p, double *length, double *rho)
{
    double straight = 0.0, turning = 0.0;
    int contacts = p->contacts / 2;
    for (int c = 0; c < contacts; ++c) {
        double w[ROWS * ROWS];
        block_between(p, c, c, 1.0, w);
        straight += w[0] + w[6] + w[12];
        turning += w[18] + w[24];
    }
    bool both = straight > 0.0 && turning > 0.0;
    *length = both ? sqrt(straight / 3.0 / (turning / 2.0)) : 1.0;
    *rho = straight > 0.0 ? 3.0 * contacts / straight : 1.0;
}

// Five numbers of a contact, of r (share = 1 / length) or u (share = length).
static void take(const double *x, int contact, double share, double five[ROWS])
{
    for (int k = 0; k < ROWS; ++k) {
        five[k] = x[place_of(contact, k)] * measure_of(k, share);
    }
}

static void put(double *x, int contact, double share, const double five[ROWS])
{
    for (int k = 0; k < ROWS; ++k) {
        x[place_of(contact, k)] = five[k] * measure_of(k, share);
    }
}

// ------------------------------------------------------------------------------------------------
// Residual

// One of the two residuals, with rows measured in `length`, of r and u. of_motion: as a share of
// the velocities alone (fc3d_internal.h); NULL: not asked for.
static double residual_of(const hf_fc3d_problem *p, double length, double rho, const double *r,
                          const double *u, double *of_motion)
{
    double sum = 0.0, rr = 0.0, uu = 0.0, qq = 0.0;
    for (int c = 0; c < p->contacts / 2; ++c) {
        double own_r[ROWS], own_u[ROWS], own_q[ROWS];
        hf_rolling_bounds bounds = {p->mu[2 * c], p->mu[2 * c + 1] / length};
        take(r, c, 1.0 / length, own_r);
        take(u, c, length, own_u);
        take(p->q, c, length, own_q);
        sum += hf_rolling_error(own_r, own_u, bounds, rho);
        for (int k = 0; k < ROWS; ++k) {
            rr += own_r[k] * own_r[k];
            uu += own_u[k] * own_u[k];
            qq += own_q[k] * own_q[k];
        }
    }
    double motion = rho * sqrt(fmax(uu, qq)), largest = fmax(motion, sqrt(rr));
    if (of_motion != NULL) {
        double hidden = motion > 0.0 ? DBL_EPSILON * sqrt(rr) : 0.0, seen = sqrt(sum) + hidden;
        *of_motion = seen == 0.0 ? 0.0 : seen / motion;
    }
    return sum == 0.0 ? 0.0 : sqrt(sum) / largest;
}

static hf_fc3d_errors errors_of(const hf_fc3d_problem *p, double length, double rho,
                                const double *r, const double *u)
{
    hf_fc3d_errors e = {.natural = residual_of(p, 1.0, 1.0, r, u, NULL)};
    e.scaled = residual_of(p, length, rho, r, u, &e.of_motion);
    return e;
}

double hf_fc3d_rolling_residual(const hf_fc3d_problem *problem, hf_fc3d_measure measure,
                                const double *r, double *u)
{
    double length, rho;
    find_measure(problem, &length, &rho);
    hf_fc3d_velocity(problem, r, u);
    hf_fc3d_errors e = errors_of(problem, length, rho, r, u);
    return hf_fc3d_measured(measure, &e);
}

// The residual of r; the best is kept. True: solved.
static bool judge(rolling *x)
{
    hf_fc3d_velocity(x->p, x->r, x->u);
    hf_fc3d_errors e = errors_of(x->p, x->length, x->rho, x->r, x->u);
    x->residual = hf_fc3d_measured(x->def->measure, &e);
    if (x->residual < x->least) {
        x->least = x->residual;
        memcpy(x->best, x->r, 3 * (size_t)x->p->contacts * sizeof *x->r);
    }
    return x->residual <= x->def->tolerance && e.of_motion <= HF_FC3D_MOST_OF_MOTION;
}

static bool out_of_time(const rolling *x)
{
    double seconds = (double)(clock() - x->start) / CLOCKS_PER_SEC;
    return x->info->iterations >= x->budget || (x->def->seconds > 0.0 && seconds > x->def->seconds);
}

// ------------------------------------------------------------------------------------------------
// Sweeps

// One contact: r that solves its own rows, u = W r + q.
static void solve_own(const double w[ROWS * ROWS], const double q[ROWS], hf_rolling_bounds bounds,
                      double r[ROWS])
{
    double trace = w[0] + w[6] + w[12] + w[18] + w[24], size = 0.0, left = 0.0;
    double work[ROWS * ROWS + 5 * ROWS], other[ROWS] = {0.0};
    hf_rolling_dense own = {
        .contacts = 1, .w = w, .q = q, .bounds = &bounds, .rho = trace > 0.0 ? ROWS / trace : 1.0};
    // Open
    if (q[0] >= 0.0) {
        memset(r, 0, ROWS * sizeof *r);
        return;
    }
    for (int k = 0; k < ROWS; ++k) {
        size += fabs(r[k]) + own.rho * fabs(q[k]);
    }
    // From the last reaction, or from zero
    (void)hf_rolling_newton(&own, OWN_SHARE * size, OWN_STEPS, r, work, &left);
    if (left <= 1e3 * OWN_SHARE * size) {
        return;
    }
    double again = 0.0;
    (void)hf_rolling_newton(&own, OWN_SHARE * size, OWN_STEPS, other, work, &again);
    if (again < left) {
        memcpy(r, other, sizeof other);
        left = again;
    }
    // By projections, which come near slowly but always for small steps
    for (int i = 0; i < OWN_SHIFTS && left > 1e3 * OWN_SHARE * size; ++i) {
        double u[ROWS], z[ROWS];
        for (int a = 0; a < ROWS; ++a) {
            u[a] = q[a];
            for (int b = 0; b < ROWS; ++b) {
                u[a] += w[ROWS * a + b] * r[b];
            }
        }
        left = sqrt(hf_rolling_error(r, u, bounds, own.rho));
        hf_rolling_shift(r, u, bounds, 0.5 * own.rho, z);
        (void)hf_rolling_project(z, bounds, r);
    }
}

static void sweep(rolling *x)
{
    for (int c = 0; c < x->contacts; ++c) {
        double both[6], u[ROWS], r[ROWS], q[ROWS];
        const double *w = x->own + (size_t)(ROWS * ROWS) * (size_t)c;
        // Its velocity, then without its own part
        hf_fc3d_row(x->p, 2 * c, x->r, both);
        hf_fc3d_row(x->p, 2 * c + 1, x->r, both + 3);
        take(x->r, c, 1.0 / x->length, r);
        for (int k = 0; k < ROWS; ++k) {
            int at = place_of(c, k);
            u[k] = (both[3 * block_of(k) + row_of(k)] + x->p->q[at]) * measure_of(k, x->length);
            q[k] = u[k];
            for (int j = 0; j < ROWS; ++j) {
                q[k] -= w[ROWS * k + j] * r[j];
            }
        }
        solve_own(w, q, x->bounds[c], r);
        put(x->r, c, x->length, r);
    }
}

static bool sweep_on(rolling *x, int sweeps)
{
    for (int k = 0; k < sweeps && !out_of_time(x); ++k) {
        sweep(x);
        x->sweeps += 1;
        x->info->iterations += 1;
        x->info->of_method[HF_FC3D_GAUSS_SEIDEL] += 1;
        if ((k + 1) % CHECK_EVERY == 0 || k + 1 == sweeps || x->contacts == 1) {
            if (judge(x)) {
                x->info->method = HF_FC3D_GAUSS_SEIDEL;
                return true;
            }
            if (!isfinite(x->residual)) {
                return false;
            }
        }
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Newton's method on all rows

static void fill_dense(rolling *x)
{
    size_t n = ROWS * (size_t)x->contacts;
    memset(x->dense, 0, n * n * sizeof *x->dense);
    for (int a = 0; a < x->contacts; ++a) {
        take(x->p->q, a, x->length, x->dense_q + ROWS * a);
        for (int b = 0; b < x->contacts; ++b) {
            double w[ROWS * ROWS];
            block_between(x->p, a, b, x->length, w);
            for (int i = 0; i < ROWS; ++i) {
                memcpy(x->dense + ((size_t)(ROWS * a + i)) * n + (size_t)(ROWS * b), w + ROWS * i,
                       ROWS * sizeof *w);
            }
        }
    }
}

// To `enough`; the measures are judged afterwards.
static bool newton_to(rolling *x, double enough, int steps)
{
    const hf_rolling_dense d = {.contacts = x->contacts,
                                .w = x->dense,
                                .q = x->dense_q,
                                .bounds = x->bounds,
                                .rho = x->rho};
    int left_of = x->budget - x->info->iterations;
    double left = 0.0;
    for (int c = 0; c < x->contacts; ++c) {
        take(x->r, c, 1.0 / x->length, x->five + ROWS * c);
    }
    int taken =
        hf_rolling_newton(&d, enough, steps < left_of ? steps : left_of, x->five, x->work, &left);
    x->info->iterations += taken;
    x->info->factorizations += taken;
    x->info->of_method[HF_FC3D_NEWTON] += taken;
    for (int c = 0; c < x->contacts; ++c) {
        put(x->r, c, x->length, x->five + ROWS * c);
    }
    return judge(x);
}

// Where that is not enough for both measures, to rounding.
static bool newton(rolling *x, int steps)
{
    if (x->dense == NULL || out_of_time(x)) {
        return false;
    }
    double squares = 0.0;
    for (int i = 0; i < ROWS * x->contacts; ++i) {
        squares += x->dense_q[i] * x->dense_q[i];
    }
    const double share = 0.1;
    double enough = share * x->def->tolerance * x->rho * sqrt(squares);
    bool done = newton_to(x, enough, steps) || (!out_of_time(x) && newton_to(x, 0.0, steps));
    x->info->method = done ? HF_FC3D_NEWTON : x->info->method;
    return done;
}

// ------------------------------------------------------------------------------------------------
// Solution

static void lay_out(rolling *x, hf_carver *c)
{
    size_t contacts = (size_t)x->contacts, rows = ROWS * contacts;
    bool few = x->contacts <= NEWTON_MOST && x->def->method != HF_FC3D_GAUSS_SEIDEL;
    x->own = hf_carve_matrix(c, contacts, ROWS * ROWS, sizeof(double));
    x->bounds = hf_carve(c, contacts, sizeof *x->bounds);
    x->best = hf_carve_matrix(c, contacts, 6, sizeof(double));
    x->dense = hf_carve_matrix(c, few ? rows : 0, rows, sizeof(double));
    x->dense_q = hf_carve(c, few ? rows : 0, sizeof(double));
    x->five = hf_carve(c, few ? rows : 0, sizeof(double));
    x->work = hf_carve(c, few ? hf_rolling_work(x->contacts) : 0, sizeof(double));
    x->dense = few ? x->dense : NULL;
}

static bool run(rolling *x)
{
    bool sweeps_alone = x->def->method == HF_FC3D_GAUSS_SEIDEL || x->dense == NULL;
    if (judge(x)) {
        return true;
    }
    if (x->def->method == HF_FC3D_NEWTON) {
        return newton(x, x->budget);
    }
    // Turns: sweeps, then Newton's method from where they led; twice as many sweeps the next time
    for (int sweeps = SWEEPS_FIRST; x->sweeps < SWEEPS_MOST && !out_of_time(x); sweeps *= 2) {
        if (sweep_on(x, sweeps)) {
            return true;
        }
        if (sweeps_alone) {
            continue;
        }
        size_t size = 3 * (size_t)x->p->contacts * sizeof *x->r;
        double before = x->residual;
        if (newton(x, NEWTON_STEPS)) {
            return true;
        }
        if (!(x->residual < before)) { // it led astray
            memcpy(x->r, x->best, size);
        }
    }
    return false;
}

static void count_regimes(const rolling *x)
{
    hf_fc3d_info *info = x->info;
    for (int c = 0; c < x->contacts; ++c) {
        double r[ROWS], u[ROWS], z[ROWS], p[ROWS];
        take(x->r, c, 1.0 / x->length, r);
        take(x->u, c, x->length, u);
        hf_rolling_shift(r, u, x->bounds[c], x->rho, z);
        hf_rolling_point at = hf_rolling_project(z, x->bounds[c], p);
        info->open += at.open ? 1 : 0;
        info->sliding += at.slips || at.rolls ? 1 : 0;
        info->sticking += !at.open && !at.slips && !at.rolls ? 1 : 0;
    }
}

static hf_status check(const hf_fc3d_def *def, const hf_fc3d_problem *p, hf_error *error)
{
    HF_TRY(hf_fc3d_def_check(def, error));
    HF_TRY(hf_fc3d_problem_check(p, error));
    if (p->contacts % 2 != 0 || p->start == NULL) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "a problem with friction of rolling has two blocks a contact, and W");
    }
    if (def->method != HF_FC3D_AUTO && def->method != HF_FC3D_GAUSS_SEIDEL &&
        def->method != HF_FC3D_NEWTON) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "solver '%s' does not know friction of rolling; auto, gauss-seidel and "
                            "newton do",
                            hf_fc3d_method_name(def->method));
    }
    if (def->method == HF_FC3D_NEWTON && p->contacts / 2 > NEWTON_MOST) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "with friction of rolling newton solves up to %d contacts, not %d",
                            NEWTON_MOST, p->contacts / 2);
    }
    return HF_OK;
}

hf_status hf_fc3d_rolling_solve(const hf_fc3d_def *def, const hf_fc3d_problem *problem, double *r,
                                double *u, hf_fc3d_info *info, hf_error *error)
{
    hf_fc3d_def given = def == NULL ? hf_fc3d_def_default() : *def;
    hf_fc3d_info unused;
    HF_TRY(check(&given, problem, error));
    rolling x = {.p = problem,
                 .def = &given,
                 .info = info == NULL ? &unused : info,
                 .contacts = problem->contacts / 2,
                 .r = r,
                 .u = u,
                 .least = HUGE_VAL,
                 .start = clock(),
                 .budget = given.iterations > 0 ? given.iterations : 10 * SWEEPS_MOST};
    *x.info = (hf_fc3d_info){.method = given.method};
    // Memory in one block
    hf_carver counter = {0};
    lay_out(&x, &counter);
    void *block = counter.overflow ? NULL : hf_memory_take(&given.allocator, counter.used + 1);
    if (block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d contacts", x.contacts);
    }
    lay_out(&x, &(hf_carver){.base = block});
    // Rows, in which turns weigh what the others do
    find_measure(problem, &x.length, &x.rho);
    for (int c = 0; c < x.contacts; ++c) {
        block_between(problem, c, c, x.length, x.own + (size_t)(ROWS * ROWS) * (size_t)c);
        x.bounds[c] = (hf_rolling_bounds){problem->mu[2 * c], problem->mu[2 * c + 1] / x.length};
        r[6 * c + 3] = 0.0; // idle
    }
    if (x.dense != NULL) {
        fill_dense(&x);
    }
    bool solved = run(&x);
    // The best that was found, and what it is
    if (!solved && x.least < x.residual) {
        memcpy(r, x.best, 3 * (size_t)problem->contacts * sizeof *r);
    }
    solved = judge(&x);
    hf_fc3d_errors e = errors_of(problem, x.length, x.rho, r, u);
    x.info->natural = e.natural;
    x.info->scaled = e.scaled;
    x.info->residual = x.residual;
    count_regimes(&x);
    hf_memory_give(&given.allocator, block);
    if (!isfinite(x.residual)) {
        return hf_error_set(error, HF_ERROR_NOT_FINITE, "the problem holds what is no number");
    }
    if (!solved && x.residual <= given.tolerance) {
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "reactions grow without end: there seems to be no solution");
    }
    return solved ? HF_OK
                  : hf_error_set(error, HF_ERROR_CONVERGENCE,
                                 "not solved: residual %.3g, tolerance %.3g", x.residual,
                                 given.tolerance);
}
