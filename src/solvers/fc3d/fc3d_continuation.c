// SPDX-License-Identifier: Apache-2.0
// Continuation: from a problem that is convex and has one solution, to the one given, along the
// path of solutions between, wherever it turns. Where friction is large the other methods stop at
// points that are best among their neighbours and solve nothing; a path cannot end there.
//
//   v = W r + q + t e (r - a),   e_i = 1 / weight_i                                            (1)
//   z = (mu r_N, r_T),   s = (v_N / mu + (1 - t) sqrt(|v_T|^2 + t^2 d^2), v_T)                 (2)
//   F = P^-1 (z - p(z - rho s)) = 0,   P = diag(mu, 1, 1)                                      (3)
//   p(y): its eigenvalues l, y_N -+ |y_T|, each (l + sqrt(l^2 + 4 b^2)) / 2,  b = t b_1        (4)
//
// (3) says that z and s are inside the cone { |x_T| <= x_N } and that their product z o rho s is
// b^2 in its first part and zero in the others (fc3d_scaling.h has the product). At t = 0 it is the
// problem itself in its natural map. At t = 1 nothing couples a normal to the speed of sliding: F
// is the derivative of a convex function, made round, and has one zero. For t > 0 all zeros are
// bounded, since r'v <= contacts b^2 / rho and t e > 0. So the zeros that are connected with the
// one at t = 1 are a curve that can neither end, nor return to t = 1: it leads to t = 0, and there
// to a solution unless r grows without end. This is the proof of existence of [AcaryEtAl2011],
// walked along; where that one needs some v with H'v + w inside K*, reactions are bounded here.
//
// The curve is followed by its length in r and in x = -ln t, so that it may turn back in t:
// a tangent, a step along it, and Newton's method in the plane across. On a curve of zeros the sign
// of the determinant of dF/dr tells the direction of x, whatever happened before; so no turn is too
// sharp. Near the end Newton's method for the problem itself has the last word.
#include <string.h>

#include "fc3d_internal.h"

static const double FRICTIONLESS = 1e-12; // mu below which a contact has no friction
static const double ROUND = 1e-3;         // d of (2), as a share of the usual velocity
// A point of the curve: F is less than this share of b. Much less accurate points lead from one
// curve to another.
static const double ON_CURVE = 1e-6, ON_FIRST = 1e-6;
static const double STEP_FIRST = 0.1, STEP_LEAST = 1e-8;
static const double STEP_MOST = 2.0;    // of x, and of r in units of its size
static const double LEAST_COSINE = 0.7; // between tangents at both ends of a step
static const double SHORTER = 0.3, LONGER = 2.0, BIT_LONGER = 1.3, BIT_SHORTER = 0.5;
enum { CORRECTIONS_MOST = 6, CORRECTIONS_MANY = 5, CORRECTIONS_SOME = 3, CORRECTIONS_FEW = 2 };
static const double SMALLEST = 1e-11; // t at which rounding has the word
// Newton's method for the problem itself is tried when t has fallen by this share.
static const double FINISH_FALL = 0.3;
static const double LEAST_FALL = 1e-4; // of |F| in a step at t = 1
enum { FINISH_STEPS = 8, STEPS_AT_FIRST = 50, HALVINGS = 20 };

typedef struct curve {
    hf_fc3d_run *run;
    double speed;    // the usual velocity: |q_i|, in the mean
    const double *a; // [3 contacts] the anchor of (1)
    double even;     // the weight of all; 0: each has its own
    double x, t;     // t = exp(-x)
    double *f, *f_x; // [3 contacts] F and its derivative by x
    double *newton;  // [3 contacts] -(dF/dr)^-1 F
    double *along;   // [3 contacts] dr/dx on the curve
    double *tangent; // [3 contacts], and of x: of length one
    double tangent_x;
    double *from; // [3 contacts] the last point
    double from_x;
    double step;
} curve;

// ------------------------------------------------------------------------------------------------
// F of one contact

// (l + sqrt(l^2 + 4 b^2)) / 2 and its derivatives by l and by ln b, without cancellation.
typedef struct rounded {
    double value, slope, by_b;
} rounded;

static rounded round_off(double l, double b)
{
    double root = sqrt(l * l + 4.0 * b * b);
    double value = l > 0.0 ? 0.5 * (l + root) : 2.0 * b * b / (root - l);
    return (rounded){.value = value, .slope = value / root, .by_b = 2.0 * b * b / root};
}

// m := the derivative of a function of the eigenvalues y_N -+ |y_T|: its slopes there, the slope
// across, between them, and c = y_T / |y_T|.
static void spread(const double slope[2], double across, const double c[2], double m[9])
{
    double mean = 0.5 * (slope[0] + slope[1]), half = 0.5 * (slope[1] - slope[0]);
    m[0] = mean;
    m[1] = m[3] = half * c[0];
    m[2] = m[6] = half * c[1];
    m[4] = mean * c[0] * c[0] + across * c[1] * c[1];
    m[5] = m[7] = (mean - across) * c[0] * c[1];
    m[8] = mean * c[1] * c[1] + across * c[0] * c[0];
}

// p(y), dp/d(ln b), J = dp/dy and I - J, which is as accurate when it is small.
typedef struct projection {
    double p[3], by_b[3], j[9], rest[9];
} projection;

static void project_rounded(const double y[3], double b, projection *out)
{
    double size = sqrt(y[1] * y[1] + y[2] * y[2]);
    double c[2] = {size > 0.0 ? y[1] / size : 1.0, size > 0.0 ? y[2] / size : 0.0};
    const double l[2] = {y[0] - size, y[0] + size};
    rounded in[2] = {round_off(l[0], b), round_off(l[1], b)};
    rounded off[2] = {round_off(-l[0], b), round_off(-l[1], b)}; // -l + p(l)
    double p[2] = {0.5 * (in[0].value + in[1].value), 0.5 * (in[1].value - in[0].value)};
    double g[2] = {0.5 * (in[0].by_b + in[1].by_b), 0.5 * (in[1].by_b - in[0].by_b)};
    for (int k = 0; k < 3; ++k) {
        out->p[k] = k == 0 ? p[0] : p[1] * c[k - 1];
        out->by_b[k] = k == 0 ? g[0] : g[1] * c[k - 1];
    }
    const double equal = 1e-9; // eigenvalues so close have one slope
    bool apart = size > equal * (fabs(y[0]) + size + b);
    spread((double[2]){in[0].slope, in[1].slope},
           apart ? 0.5 * (in[1].value - in[0].value) / size : in[0].slope, c, out->j);
    spread((double[2]){off[0].slope, off[1].slope},
           apart ? 0.5 * (off[0].value - off[1].value) / size : off[0].slope, c, out->rest);
}

static void without_friction(const curve *m, int i, const double *r, const double *u)
{
    hf_fc3d_solver *s = m->run->s;
    double rho = s->weight[i], b = m->t * rho * m->speed, off_anchor = r[0] - m->a[3 * i];
    double y = r[0] - rho * u[0] - m->t * off_anchor;
    double *f = m->f + 3 * i, *f_x = m->f_x + 3 * i;
    double *left = s->left + 9 * i, *diagonal = s->diagonal + 9 * i;
    rounded in = round_off(y, b), off = round_off(-y, b);
    f[0] = r[0] - in.value;
    f[1] = r[1];
    f[2] = r[2];
    f_x[0] = in.by_b - in.slope * m->t * off_anchor;
    f_x[1] = f_x[2] = 0.0;
    memset(left, 0, 9 * sizeof *left);
    memset(diagonal, 0, 9 * sizeof *diagonal);
    left[0] = rho * in.slope;
    diagonal[0] = off.slope + in.slope * m->t;
    diagonal[4] = diagonal[8] = 1.0;
}

// left = rho P^-1 J P^-1 (I + (1 - t) mu n t'), diagonal = P^-1 (I - J) P + t e left
static void with_friction(const curve *m, int i, const double *r, const double *u)
{
    hf_fc3d_solver *solver = m->run->s;
    double mu = m->run->p->mu[i], rho = solver->weight[i], t = m->t, d = t * ROUND * m->speed;
    double v[3], dv[3], y[3];
    // The velocity at t, and how it changes with x
    for (int k = 0; k < 3; ++k) {
        double pull = t * (r[k] - m->a[3 * i + k]) / rho;
        v[k] = u[k] + pull;
        dv[k] = -pull;
    }
    double speed = sqrt(v[1] * v[1] + v[2] * v[2] + d * d);
    double speed_x = (v[1] * dv[1] + v[2] * dv[2] - d * d) / speed;
    const double s_x[3] = {dv[0] / mu + t * speed + (1.0 - t) * speed_x, dv[1], dv[2]};
    // Where it is projected to, with the derivatives of that
    y[0] = mu * r[0] - rho * (v[0] / mu + (1.0 - t) * speed);
    y[1] = r[1] - rho * v[1];
    y[2] = r[2] - rho * v[2];
    projection at;
    project_rounded(y, t * rho * m->speed, &at);
    const double slide[2] = {(1.0 - t) * v[1] / speed, (1.0 - t) * v[2] / speed};
    // F, its derivative by x, and the blocks of its matrix
    for (int k = 0; k < 3; ++k) {
        double row = k == 0 ? 1.0 / mu : 1.0; // of P^-1
        const double *j = at.j + 3 * k;
        double *left = solver->left + 9 * i + 3 * k, *diagonal = solver->diagonal + 9 * i + 3 * k;
        m->f[3 * i + k] = r[k] - row * at.p[k];
        m->f_x[3 * i + k] =
            row * (at.by_b[k] + rho * (j[0] * s_x[0] + j[1] * s_x[1] + j[2] * s_x[2]));
        left[0] = row * rho * j[0] / mu;
        left[1] = row * rho * (j[1] + j[0] * slide[0]);
        left[2] = row * rho * (j[2] + j[0] * slide[1]);
        for (int l = 0; l < 3; ++l) {
            diagonal[l] = row * at.rest[3 * k + l] * (l == 0 ? mu : 1.0) + t / rho * left[l];
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Points

// a'b, with reactions in units of weight_i times the usual velocity; the mean of the contacts.
static double product(const curve *m, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < m->run->p->contacts; ++i, a += 3, b += 3) {
        double size = m->run->s->weight[i] * m->speed;
        sum += (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (size * size);
    }
    return sum / m->run->p->contacts;
}

static void go_to(curve *m, double x)
{
    m->x = x;
    m->t = exp(-x);
}

// F and its derivatives at r; returns |F|.
static double evaluate(curve *m, const double *r)
{
    hf_fc3d_run_velocity(m->run, r, m->run->u);
    for (int i = 0; i < m->run->p->contacts; ++i) {
        if (m->run->p->mu[i] < FRICTIONLESS) {
            without_friction(m, i, r + 3 * i, m->run->u + 3 * i);
        } else {
            with_friction(m, i, r + 3 * i, m->run->u + 3 * i);
        }
    }
    return sqrt(product(m, m->f, m->f));
}

// Newton's step at constant x, and dr/dx.
static bool find_directions(curve *m)
{
    ++m->run->info->of_method[HF_FC3D_CONTINUATION];
    if (!hf_fc3d_factorize(m->run, false)) {
        return false;
    }
    for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
        m->newton[i] = -m->f[i];
        m->along[i] = -m->f_x[i];
    }
    hf_fc3d_solve_linear(m->run, m->newton);
    hf_fc3d_solve_linear(m->run, m->along);
    return true;
}

// The one solution at t = 1, by Newton's method with line search.
static bool begin(curve *m)
{
    hf_fc3d_run *run = m->run;
    int n = 3 * run->p->contacts;
    double *trial = run->s->trial_r;
    go_to(m, 0.0);
    memset(run->r, 0, (size_t)n * sizeof *run->r);
    double size = evaluate(m, run->r);
    for (int k = 0; k < STEPS_AT_FIRST; ++k) {
        if (!find_directions(m)) {
            return false;
        }
        if (size <= ON_FIRST) {
            return true;
        }
        double length = 1.0, now = HUGE_VAL;
        for (int j = 0; j < HALVINGS && !(now <= (1.0 - LEAST_FALL * length) * size); ++j) {
            length = j == 0 ? 1.0 : 0.5 * length;
            for (int i = 0; i < n; ++i) {
                trial[i] = run->r[i] + length * m->newton[i];
            }
            now = evaluate(m, trial);
        }
        memcpy(run->r, trial, (size_t)n * sizeof *trial);
        size = now;
    }
    return false;
}

// The tangent at a point, from dr/dx and the determinant's sign.
static void find_tangent(curve *m)
{
    double size = sqrt(product(m, m->along, m->along) + 1.0);
    m->tangent_x = (hf_fc3d_determinant_sign(m->run) < 0 ? -1.0 : 1.0) / size;
    for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
        m->tangent[i] = m->tangent_x * m->along[i];
    }
}

// A step along the tangent: r as if it were linear in t when t falls, which it is near the end.
static void predict(curve *m)
{
    double dx = m->step * m->tangent_x, length = m->step;
    const double tiny = 1e-3; // below it (1 - exp(-dx))/dx is 1 but for dx/2
    length *= dx > tiny ? (1.0 - exp(-dx)) / dx : 1.0;
    for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
        m->run->r[i] = m->from[i] + length * m->tangent[i];
    }
    go_to(m, m->from_x + dx);
}

// Back to the curve within the plane across the tangent: Newton's method for F = 0 and
// tangent'(dr, dx) = 0. Returns the number of corrections; -1: the step was too long.
static int correct(curve *m)
{
    double last = HUGE_VAL;
    for (int k = 0; k < CORRECTIONS_MOST; ++k) {
        double size = evaluate(m, m->run->r);
        if (!(size < last) || m->x < 0.0 || !find_directions(m)) {
            return -1;
        }
        double slope = product(m, m->tangent, m->along) + m->tangent_x;
        if (size <= ON_CURVE * m->t) {
            double cosine = fabs(slope) / sqrt(product(m, m->along, m->along) + 1.0);
            return cosine < LEAST_COSINE ? -1 : k;
        }
        double dx = -product(m, m->tangent, m->newton) / slope;
        for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
            m->run->r[i] += m->newton[i] + dx * m->along[i];
        }
        if (!(fabs(dx) < 2.0 * m->step + STEP_LEAST)) {
            return -1;
        }
        go_to(m, m->x + dx);
        last = size;
    }
    return -1;
}

static void choose_step(curve *m, int corrections)
{
    double factor = corrections <= CORRECTIONS_FEW    ? LONGER
                    : corrections <= CORRECTIONS_SOME ? BIT_LONGER
                    : corrections >= CORRECTIONS_MANY ? BIT_SHORTER
                                                      : 1.0;
    double most = STEP_MOST * (1.0 + sqrt(product(m, m->from, m->from)));
    m->step = fmin(fmin(factor * m->step, most), STEP_MOST / fabs(m->tangent_x));
}

// ------------------------------------------------------------------------------------------------

// What a velocity is worth in reactions: contact by contact, or the same for all.
static void set_weights(const curve *m)
{
    hf_fc3d_set_weights(m->run);
    for (int i = 0; m->even > 0.0 && i < m->run->p->contacts; ++i) {
        m->run->s->weight[i] = m->even;
    }
}

// Follows the curve from `from`. True: the residual is below the tolerance.
static bool follow(curve *m, int end)
{
    hf_fc3d_run *run = m->run;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    double next_finish = FINISH_FALL;
    while (run->info->of_method[HF_FC3D_CONTINUATION] < end && m->step > STEP_LEAST &&
           m->t > SMALLEST && !hf_fc3d_out_of_time(run)) {
        // A point of the curve
        predict(m);
        int corrections = correct(m);
        if (corrections < 0) {
            m->step *= SHORTER;
            go_to(m, m->from_x);
            continue;
        }
        find_tangent(m);
        memcpy(m->from, run->r, size);
        m->from_x = m->x;
        // The end of the curve, by this method or by Newton's from here
        if (hf_fc3d_judge(run, run->r, run->u, &run->residual)) {
            return true;
        }
        if (m->t < next_finish && m->tangent_x > 0.0) {
            next_finish = FINISH_FALL * m->t;
            if (hf_fc3d_newton(run, FINISH_STEPS, 0)) {
                return true;
            }
            set_weights(m);
        }
        choose_step(m, corrections);
    }
    return false;
}

bool hf_fc3d_continuation(hf_fc3d_run *run, const double *anchor, double even, int iterations)
{
    hf_fc3d_solver *s = run->s;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    if (done || !(run->norm_q > 0.0)) {
        return done;
    }
    curve m = {.run = run,
               .speed = run->norm_q / sqrt((double)run->p->contacts),
               .a = anchor,
               .even = even,
               .f = s->change, // Newton's method leaves extra 1 to 3 alone
               .f_x = s->felt,
               .newton = s->step,
               .along = s->extra[1],
               .tangent = s->extra[2],
               .from = s->extra[3],
               .step = STEP_FIRST};
    int end = run->info->of_method[HF_FC3D_CONTINUATION] + iterations;
    set_weights(&m);
    if (begin(&m)) {
        find_tangent(&m);
        memcpy(m.from, run->r, size);
        done = follow(&m, end);
    }
    if (!done) {
        memcpy(run->r, m.from, size);
        done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    }
    return done;
}
