// SPDX-License-Identifier: Apache-2.0
// Nonsmooth Newton on the natural map of [JeanMoreau1987], with a generalized derivative as in
// [AlartCurnier1991], alone and within proximal points:
//
//   v = W r + q + e (r - a)                                                                   (1)
//   F_i(r) = r_i - P_K(z_i),   z_i = r_i - rho_i (v_i + mu_i |v_iT| n)                         (2)
//   (I - J_i + delta) d_i + rho_i J_i (I + mu_i n t_i') ((W + e) d)_i = -F_i,
//                                                                       t_i = v_iT / |v_iT|    (3)
//
// with J_i a derivative of P_K at z_i. A step along d is halved until the merit, the sum of
// |F_i|^2 / rho_i, falls. delta makes (3) regular where contacts are redundant and W is singular:
// of all steps that serve, a small one is taken.
//
// Newton's method itself has e = 0. It cycles where the guess of which contacts open, stick and
// slip keeps changing; then some sweeps of Gauss-Seidel settle the guess, delta grows, and rho
// changes, which weighs u against r in the guess.
//
// The proximal points solve (2) for e > 0, an easier problem, and take what they find as the next
// anchor a. e falls while this goes well and grows when it does not: slow but hard to stop.
// In proportion to W_ii it leaves reactions of heavy bodies free to grow beyond those that any
// motion tells of; so there are even ones, too, where e is one number for all contacts, as large as
// the residual. From small reactions these lead to solutions with small ones. Where Newton's method
// does not find a point, sweeps with W + e come before it.
#include <float.h>
#include <string.h>

#include "fc3d_internal.h"

// delta: relative to the diagonal of W. The least keeps eight digits of a step.
static const double DELTA_LEAST = 1e-8, DELTA_MOST = 0.1, DELTA_FACTOR = 100.0;
static const double MERIT_FALL = 1e-3; // share of the merit that a whole step must take away
enum { MOST_HALVINGS = 5, SWEEPS_FIRST = 5, SWEEPS_MOST = 40, SWEEPS_LAST = 3 };
// rho_i in units of 3 / trace W_ii: the first until a failure, then each for three of them. Where a
// light body is between heavy ones, what it answers to a reaction hides what these do, which is
// smaller by the ratio of the masses: a large rho weighs it.
static const double LEVELS[2][3] = {{10.0, 100.0, 1.0}, {1e4, 1e2, 1e6}};

// e: relative to the diagonal of W: the first, and by what it falls and rises.
static const double EASE_LEAST = 1e-8, EASE_RISE = 5.0;
enum { POINT_EASY = 6 };
// A point is found when the merit has fallen by point_fall; level: rho_i in its units.
typedef struct manner {
    double ease, ease_fall, point_fall, level;
    int steps;  // that a point may take
    bool rough; // linear systems are solved once
} manner;
static const manner FAR = {
    .ease = 0.1, .ease_fall = 0.3, .point_fall = 1e-4, .level = 5.0, .steps = 12};
// Near a solution: less e, so that few points lead far along what is redundant, and a larger rho,
// by which small velocities tell in which regime a contact is.
static const manner NEAR = {
    .ease = 1e-3, .ease_fall = 0.7, .point_fall = 0.1, .level = 20.0, .steps = 20, .rough = true};
// Of even points: e for a residual of one, relative to the mean diagonal of W; what it grows to
// where points are not found, and the residuals at which Newton's method is tried.
static const double EVEN_EASE = 1.0, EVEN_FALL = 0.5, EVEN_MOST = 1e6;
static const double FINISH_FIRST = 1e-3, FINISH_AGAIN = 0.1;
enum { POINT_SWEEPS = 10, FINISH_STEPS = 8 };
// Of the normals alone: e from the first down to the least, each point to that share of the merit;
// and reactions that no solution has, in units of those that would stop the heaviest contact.
static const double NORMAL_FIRST = 1e-2, NORMAL_LEAST = 1e-11, NORMAL_FALL = 0.1;
static const double NORMAL_POINT = 1e-12, BEYOND = 1e7;

typedef struct newton {
    hf_fc3d_run *run;
    double *f;            // [3 contacts] F
    double *v, *trial_v;  // [3 contacts] (1)
    const double *anchor; // [3 contacts] a
    double ease;          // e_i = ease / weight_i,
    bool even;            // or ease / rho for all of them
    double merit;         // of run->r
    double level;         // rho_i / weight_i
    double delta;
    int failures, sweeps;
    bool heavy; // which levels
} newton;

void hf_fc3d_set_weights(const hf_fc3d_run *run)
{
    const hf_fc3d_problem *p = run->p;
    for (int i = 0; i < p->contacts; ++i) {
        const double *w = hf_fc3d_own_block(run, i);
        double trace = w[0] + w[4] + w[8];
        run->s->weight[i] = trace > 0.0 ? 3.0 / trace : run->rho;
    }
}

static double ease_of(const newton *m, int i)
{
    return m->ease / (m->even ? m->run->rho : m->run->s->weight[i]);
}

// rho_i, for which an even e may be much larger than W_ii
static double rho_of(const newton *m, int i)
{
    double weight = m->run->s->weight[i];
    return m->level * (m->even ? weight / (1.0 + weight * ease_of(m, i)) : weight);
}

// (1) and (2) at r with u = W r + q; returns the merit.
static double natural_map(const newton *m, const double *r, const double *u, double *v, double *f)
{
    const hf_fc3d_problem *p = m->run->p;
    double merit = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        double rho = rho_of(m, i), e = ease_of(m, i), z[3], projected[3], sum = 0.0;
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            v[k] = m->ease > 0.0 ? u[k] + e * (r[k] - m->anchor[k]) : u[k];
        }
        hf_fc3d_shift(r + 3 * i, v + 3 * i, p->mu[i], rho, z);
        (void)hf_fc3d_project(z, p->mu[i], projected);
        for (int k = 0; k < 3; ++k) {
            f[3 * i + k] = r[3 * i + k] - projected[k];
            sum += f[3 * i + k] * f[3 * i + k];
        }
        merit += sum / rho;
    }
    return merit;
}

// (3): left_i = rho_i J_i (I + mu n t'), diagonal_i = I - J_i + delta + e_i left_i.
static void form_matrix(const newton *m)
{
    const hf_fc3d_problem *p = m->run->p;
    for (int i = 0; i < p->contacts; ++i) {
        double rho = rho_of(m, i), e = ease_of(m, i), z[3], j[9], mu = p->mu[i];
        double *left = m->run->s->left + 9 * i, *diagonal = m->run->s->diagonal + 9 * i;
        const double *v = m->v + 3 * i;
        hf_fc3d_shift(m->run->r + 3 * i, v, mu, rho, z);
        hf_fc3d_project_derivative(z, mu, j);
        double speed = sqrt(v[1] * v[1] + v[2] * v[2]);
        double a = speed > 0.0 ? mu * v[1] / speed : 0.0;
        double b = speed > 0.0 ? mu * v[2] / speed : 0.0;
        for (int k = 0; k < 9; k += 3) {
            left[k] = rho * j[k];
            left[k + 1] = rho * (j[k + 1] + j[k] * a);
            left[k + 2] = rho * (j[k + 2] + j[k] * b);
        }
        for (int k = 0; k < 9; ++k) {
            diagonal[k] = (k % 4 == 0 ? 1.0 + m->delta : 0.0) - j[k] + e * left[k];
        }
    }
}

static bool find_step(newton *m, hf_fc3d_method method)
{
    hf_fc3d_solver *s = m->run->s;
    form_matrix(m);
    ++m->run->info->of_method[method];
    if (!hf_fc3d_factorize(m->run, false)) {
        return false;
    }
    for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
        s->step[i] = -m->f[i];
    }
    hf_fc3d_solve_linear(m->run, s->step);
    return true;
}

// Halves the step until the merit falls; takes it then, and says how long it was. 0: it never fell.
static double take_step(newton *m, bool *done)
{
    hf_fc3d_run *run = m->run;
    hf_fc3d_solver *s = run->s;
    size_t n = 3 * (size_t)run->p->contacts;
    double length = 1.0;
    for (int k = 0; k < MOST_HALVINGS; ++k) {
        double residual = 0.0;
        for (size_t i = 0; i < n; ++i) {
            s->trial_r[i] = run->r[i] + length * s->step[i];
        }
        *done = hf_fc3d_judge(run, s->trial_r, s->trial_u, &residual);
        double merit = natural_map(m, s->trial_r, s->trial_u, m->trial_v, s->extra[0]);
        if (*done || merit <= (1.0 - MERIT_FALL * length) * m->merit) {
            memcpy(run->r, s->trial_r, n * sizeof *run->r);
            memcpy(run->u, s->trial_u, n * sizeof *run->u);
            memcpy(m->v, m->trial_v, n * sizeof *m->v);
            memcpy(m->f, s->extra[0], n * sizeof *m->f);
            run->residual = residual;
            m->merit = merit;
            return length;
        }
        length *= 0.5;
    }
    return 0.0;
}

static newton start(hf_fc3d_run *run, double level)
{
    hf_fc3d_set_weights(run);
    return (newton){.run = run,
                    .f = run->s->change,
                    .v = run->s->felt,
                    .trial_v = run->s->trial_felt,
                    .level = level,
                    .delta = DELTA_LEAST,
                    .sweeps = SWEEPS_FIRST};
}

// ------------------------------------------------------------------------------------------------
// Newton

// After a step that led nowhere.
static bool start_anew(newton *m)
{
    hf_fc3d_run *run = m->run;
    m->delta = fmin(DELTA_FACTOR * m->delta, DELTA_MOST);
    m->level = LEVELS[m->heavy][(m->failures / 3 + 1) % 3];
    ++m->failures;
    bool done = hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, m->sweeps));
    m->sweeps = m->sweeps < SWEEPS_MOST ? 2 * m->sweeps : SWEEPS_MOST;
    m->merit = natural_map(m, run->r, run->u, m->v, m->f);
    return done;
}

static bool solve(hf_fc3d_run *run, int iterations, int failures, bool heavy)
{
    newton m = start(run, LEVELS[heavy][0]);
    m.heavy = heavy;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    m.merit = natural_map(&m, run->r, run->u, m.v, m.f);
    for (int k = 0; k < iterations && !done; ++k) {
        if (m.failures > failures || !isfinite(m.merit) || hf_fc3d_out_of_time(run) ||
            !find_step(&m, HF_FC3D_NEWTON)) {
            return false;
        }
        double length = take_step(&m, &done);
        if (length == 0.0) {
            done = start_anew(&m);
        } else if (length == 1.0) {
            m.delta = fmax(m.delta / DELTA_FACTOR, DELTA_LEAST);
            m.sweeps = SWEEPS_FIRST;
        }
    }
    return done;
}

bool hf_fc3d_newton(hf_fc3d_run *run, int iterations, int failures)
{
    return solve(run, iterations, failures, false);
}

bool hf_fc3d_newton_heavy(hf_fc3d_run *run, int iterations)
{
    return solve(run, iterations, iterations, true);
}

// ------------------------------------------------------------------------------------------------
// Proximal points

// The steps until the merit is below `enough`; 0: it did not come there.
static int find_point(newton *m, int steps, double enough, bool *done)
{
    m->merit = natural_map(m, m->run->r, m->run->u, m->v, m->f);
    for (int k = 1; k <= steps; ++k) {
        if (!find_step(m, HF_FC3D_PROXIMAL) || take_step(m, done) == 0.0) {
            return 0;
        }
        if (*done || m->merit <= enough) {
            return k;
        }
    }
    return 0;
}

// r := the anchor. Whether that is good enough.
static bool go_back(const newton *m)
{
    hf_fc3d_run *run = m->run;
    memcpy(run->r, m->anchor, 3 * (size_t)run->p->contacts * sizeof *run->r);
    return hf_fc3d_judge(run, run->r, run->u, &run->residual);
}

// Bounds that follow loads are those of the reactions now. Whether these are good enough.
static bool follow_loads(newton *m)
{
    hf_fc3d_run *run = m->run;
    if (run->s->follower_count == 0) {
        return false;
    }
    hf_fc3d_follow(run);
    run->best = HUGE_VAL; // the best so far solved another problem
    return hf_fc3d_judge(run, run->r, run->u, &run->residual);
}

static bool find_points(hf_fc3d_run *run, const manner *how, int iterations)
{
    hf_fc3d_solver *s = run->s;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    newton m = start(run, how->level);
    m.anchor = s->extra[1];
    m.ease = how->ease;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    int before = run->info->of_method[HF_FC3D_PROXIMAL];
    while (!done && run->info->of_method[HF_FC3D_PROXIMAL] - before < iterations) {
        memcpy(s->extra[1], run->r, size);
        m.merit = natural_map(&m, run->r, run->u, m.v, m.f);
        int steps = find_point(&m, how->steps, how->point_fall * m.merit, &done);
        if (!isfinite(m.merit) || hf_fc3d_out_of_time(run)) {
            break;
        }
        if (!done && steps == 0) {
            done = go_back(&m);
            m.ease *= EASE_RISE;
        } else if (steps <= POINT_EASY) {
            m.ease = fmax(how->ease_fall * m.ease, EASE_LEAST);
        }
        done = run->s->follower_count == 0 ? done : follow_loads(&m);
    }
    return done;
}

bool hf_fc3d_proximal(hf_fc3d_run *run, int iterations)
{
    return find_points(run, &FAR, iterations);
}

// What a solution to the tolerance leaves is spread evenly by a few sweeps, as it is after sweeps
// alone: the next step of a simulation then begins nearer to its own.
bool hf_fc3d_proximal_near(hf_fc3d_run *run, int iterations)
{
    double tolerance = run->tolerance;
    run->rough = NEAR.rough && hf_fc3d_space_rigid(run->space);
    bool done = find_points(run, &NEAR, iterations);
    run->rough = false;
    if (done) {
        run->tolerance = hf_fc3d_polished(tolerance);
        (void)hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, SWEEPS_LAST));
        run->tolerance = tolerance;
        if (!(run->residual <= tolerance)) {
            hf_fc3d_restore_best(run);
        }
    }
    return done;
}

// ------------------------------------------------------------------------------------------------
// Even proximal points

// u := (W r)_i + q_i, by what the bodies have where they are known.
static void feel(const hf_fc3d_run *run, int i, double u[3])
{
    const hf_fc3d_space *t = run->space;
    if (t == NULL) {
        hf_fc3d_row(run->p, i, run->r, u);
    } else {
        for (int k = 0; k < 3; ++k) {
            u[k] = t->b->idle == NULL ? 0.0 : t->b->idle[3 * i + k] * run->r[3 * i + k];
        }
        for (int k = 2 * i; k < 2 * i + 2; ++k) {
            int body = t->b->pair[k];
            if (body >= 0) {
                hf_fc3d_part_feel(t->b->map + t->map_at[k],
                                  t->b->first[body + 1] - t->b->first[body],
                                  run->s->motion[0] + 3 * (size_t)t->row[body], u);
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        u[k] += run->p->q[3 * i + k];
    }
}

// r_i := next, and the bodies follow.
static void settle(const hf_fc3d_run *run, int i, const double next[3])
{
    const hf_fc3d_space *t = run->space;
    double change[3];
    for (int k = 0; k < 3; ++k) {
        change[k] = next[k] - run->r[3 * i + k];
        run->r[3 * i + k] = next[k];
    }
    for (int k = 2 * i; t != NULL && k < 2 * i + 2; ++k) {
        int body = t->b->pair[k];
        if (body >= 0) {
            hf_fc3d_part_move(t->moves + t->map_at[k], t->b->first[body + 1] - t->b->first[body],
                              change, run->s->motion[0] + 3 * (size_t)t->row[body]);
        }
    }
}

// Contact by contact, each solved exactly with W + e.
static void sweep_point(const newton *m, int sweeps)
{
    hf_fc3d_run *run = m->run;
    hf_fc3d_run_velocity(run, run->r, run->u); // and the bodies' with it
    for (int k = 0; k < sweeps; ++k) {
        for (int i = 0; i < run->p->contacts; ++i) {
            const double *own = hf_fc3d_own_block(run, i), *r = run->r + 3 * i;
            const double e = ease_of(m, i), *a = m->anchor + 3 * i;
            double w[9], u[3], next[3];
            memcpy(w, own, sizeof w);
            w[0] += e;
            w[4] += e;
            w[8] += e;
            feel(run, i, u);
            for (int j = 0; j < 3; ++j) { // without its own share
                u[j] -= own[3 * j] * r[0] + own[3 * j + 1] * r[1] + own[3 * j + 2] * r[2];
                u[j] -= e * a[j];
            }
            (void)hf_fc3d_one_contact(w, u, run->p->mu[i], next, &run->s->root[i]);
            settle(run, i, next);
        }
    }
    hf_fc3d_run_velocity(run, run->r, run->u);
}

// Newton's method for the problem itself; leaves r where it was unless this solves it.
static bool finish(const newton *m)
{
    hf_fc3d_run *run = m->run;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    double *kept = run->s->extra[1]; // the anchor's place: the next one is r itself
    memcpy(kept, run->r, size);
    return hf_fc3d_newton(run, FINISH_STEPS, 0) || go_back(m);
}

bool hf_fc3d_proximal_even(hf_fc3d_run *run, int iterations)
{
    hf_fc3d_solver *s = run->s;
    newton m = start(run, FAR.level);
    m.anchor = s->extra[1];
    m.even = true;
    double share = 1.0, next_finish = FINISH_FIRST;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    int before = run->info->of_method[HF_FC3D_PROXIMAL];
    while (!done && run->info->of_method[HF_FC3D_PROXIMAL] - before < iterations) {
        // A point, by Newton's method from the last one or from sweeps
        memcpy(s->extra[1], run->r, 3 * (size_t)run->p->contacts * sizeof *run->r);
        m.ease = share * EVEN_EASE * run->residual;
        m.merit = natural_map(&m, run->r, run->u, m.v, m.f);
        double enough = FAR.point_fall * m.merit;
        bool found = find_point(&m, FAR.steps, enough, &done) > 0;
        if (!found && !done) {
            sweep_point(&m, POINT_SWEEPS);
            found = find_point(&m, FAR.steps, enough, &done) > 0;
        }
        if (!isfinite(m.merit) || !(share <= EVEN_MOST) || hf_fc3d_out_of_time(run)) {
            break;
        }
        // How easy the next one has to be
        if (!done && !found) {
            done = go_back(&m);
            share *= EASE_RISE;
        } else {
            share = fmax(EVEN_FALL * share, 1.0);
        }
        if (!done && run->residual < next_finish) {
            next_finish = FINISH_AGAIN * run->residual;
            done = finish(&m);
        }
    }
    return done;
}

// ------------------------------------------------------------------------------------------------
// Problems without a solution
//
// Where normals close (a body between walls that approach each other) there are normal reactions
// d >= 0 with W d = 0 and q'd < 0. Every solution has u_N >= 0, so 0 <= d'u = (W d)'r + q'd, and
//
//   |r| >= -q'd / |W d|                                                                        (4)
//
// for every d, whatever the friction. The problem without friction is convex, and grows along such
// a d as what eases it goes to zero.

// r := the solution without friction, eased by less and less.
static void ease_normals(newton *m)
{
    bool done = false;
    for (m->ease = NORMAL_FIRST; m->ease > NORMAL_LEAST; m->ease *= NORMAL_FALL) {
        m->merit = natural_map(m, m->run->r, m->run->u, m->v, m->f);
        double enough = NORMAL_POINT * m->merit;
        if (find_point(m, FAR.steps, enough, &done) == 0) {
            sweep_point(m, POINT_SWEEPS);
            (void)find_point(m, FAR.steps, enough, &done);
        }
    }
}

// (4) for the normals of r, with what rounding may hide of W d.
static double bound_reactions(hf_fc3d_run *run)
{
    double *d = run->r, *moved = run->s->trial_u, work = 0.0, size = 0.0, hidden = 0.0;
    for (int i = 0; i < run->p->contacts; ++i) {
        d[3 * i] = fmax(d[3 * i], 0.0);
        d[3 * i + 1] = d[3 * i + 2] = 0.0;
        work -= run->p->q[3 * i] * d[3 * i];
        hidden += d[3 * i] / run->s->weight[i];
    }
    hf_fc3d_run_product(run, d, moved);
    for (int i = 0; i < 3 * run->p->contacts; ++i) {
        size += moved[i] * moved[i];
    }
    const double rounding = 8.0 * DBL_EPSILON;
    return work > 0.0 ? work / (sqrt(size) + rounding * hidden) : 0.0;
}

bool hf_fc3d_none(hf_fc3d_run *run)
{
    hf_fc3d_solver *s = run->s;
    const hf_fc3d_problem *whole = run->p;
    hf_fc3d_problem normals = *whole;
    size_t size = 3 * (size_t)whole->contacts * sizeof *run->r;
    double best = run->best, tolerance = run->tolerance, heaviest = 0.0;
    // The same without friction, from zero; what is best of the problem itself is kept
    memcpy(s->anchor, s->best_r, size);
    memset(s->shift, 0, (size_t)whole->contacts * sizeof *s->shift);
    memset(s->extra[1], 0, size);
    memset(run->r, 0, size);
    normals.mu = s->shift;
    run->p = &normals;
    run->tolerance = 0.0;
    newton m = start(run, FAR.level);
    m.anchor = s->extra[1];
    hf_fc3d_run_velocity(run, run->r, run->u);
    ease_normals(&m);
    double least = bound_reactions(run);
    // Back, and what (4) says
    run->p = whole;
    run->tolerance = tolerance;
    run->best = best;
    memcpy(s->best_r, s->anchor, size);
    memcpy(run->r, s->anchor, size);
    (void)hf_fc3d_judge(run, run->r, run->u, &run->residual);
    for (int i = 0; i < whole->contacts; ++i) {
        heaviest = fmax(heaviest, s->weight[i]);
    }
    run->least = least > BEYOND * heaviest * run->norm_q ? least : 0.0;
    return run->least > 0.0;
}
