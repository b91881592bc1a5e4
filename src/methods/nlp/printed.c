// SPDX-License-Identifier: Apache-2.0
// The nonlinear program of [RobotSimulation2025] as it is printed, (9)-(18), for IPOPT.
#include "methods/nlp/printed.h"
#include "methods/nlp/solve.h"

#include <IpStdCInterface.h>
#include <math.h>
#include <stddef.h>

// Constants of the document's code.
static const double EPSILON = 1e-4; // of (7), and IPOPT's tolerance
static const double FAR = 1e10;     // stands for no bound
static const int ITERATIONS = 2000;

enum { X, Z, VX, VZ, FX, FZ, S1, S2, LAMBDA, UNKNOWNS };
_Static_assert((int)UNKNOWNS == (int)HF_PRINTED_UNKNOWNS, "as printed.h says");
enum { EQUATIONS = 5, CONSTRAINTS = HF_PRINTED_CONSTRAINTS, JACOBIAN = 20, HESSIAN = 6 };

typedef struct program {
    const hf_printed_point *point;
    hf_printed_form form;
    const hf_printed_stop *stop;
    bool stopped;
    int iterations;
    hf_printed_state before;
} program;

// |f| by (7), (8), and what (15) takes for f/|f|, which is its derivative; with r = sqrt(f^2 +
// epsilon^2): r - epsilon, f/r, epsilon^2/r^3, -3 epsilon^2 f/r^5.
typedef struct smooth {
    double size, direction, bend, turn;
} smooth;

static smooth smooth_of(double f)
{
    double r = sqrt(f * f + EPSILON * EPSILON), e2 = EPSILON * EPSILON;
    return (smooth){r - EPSILON, f / r, e2 / (r * r * r), -3.0 * e2 * f / (r * r * r * r * r)};
}

// An entry of a sparse matrix.
typedef struct entry {
    int row, column;
    double value;
} entry;

// Places when `value` is NULL.
static void put(const entry *entries, Index count, Index *row, Index *column, Number *value)
{
    for (Index i = 0; i < count; ++i) {
        if (value == NULL) {
            row[i] = entries[i].row;
            column[i] = entries[i].column;
        } else {
            value[i] = entries[i].value;
        }
    }
}

static Bool eval_f(Index n, Number *x, Bool new_x, Number *value, UserDataPtr data)
{
    (void)n;
    (void)new_x;
    (void)data;
    *value = x[S1] * x[S1] + x[S2] * x[S2]; // (9)
    return TRUE;
}

static Bool eval_grad_f(Index n, Number *x, Bool new_x, Number *gradient, UserDataPtr data)
{
    (void)new_x;
    (void)data;
    for (Index i = 0; i < n; ++i) {
        gradient[i] = i == S1 || i == S2 ? 2.0 * x[i] : 0.0;
    }
    return TRUE;
}

static Bool eval_g(Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr data)
{
    (void)n;
    (void)m;
    (void)new_x;
    const program *p = data;
    const hf_printed_point *point = p->point;
    smooth f = smooth_of(x[FX]);
    double within = point->friction * x[FZ] - f.size;
    g[0] = p->before.x + point->step * x[VX] - x[X]; // (10)
    g[1] = p->before.z + point->step * x[VZ] - x[Z];
    g[2] = p->before.vx + point->step * x[FX] / point->mass - x[VX];
    g[3] = p->before.vz + point->step * (x[FZ] / point->mass - point->gravity) - x[VZ];
    g[4] = (p->form == HF_PRINTED_BEFORE ? p->before.vx : x[VX]) + x[LAMBDA] * f.direction; // (15)
    g[5] = within;                                                                          // (16)
    g[6] = x[S1] - x[FZ] * x[Z];                                                            // (11)
    g[7] = x[S2] - x[LAMBDA] * within;                                                      // (17)
    return TRUE;
}

static Bool eval_jac_g(Index n, Number *x, Bool new_x, Index m, Index count, Index *row,
                       Index *column, Number *value, UserDataPtr data)
{
    (void)n;
    (void)m;
    (void)new_x;
    const program *p = data;
    const hf_printed_point *point = p->point;
    bool places = value == NULL;
    smooth f = smooth_of(places ? 0.0 : x[FX]);
    double lambda = places ? 0.0 : x[LAMBDA], z = places ? 0.0 : x[Z], fz = places ? 0.0 : x[FZ];
    const entry entries[JACOBIAN] = {
        {0, VX, point->step},
        {0, X, -1.0},
        {1, VZ, point->step},
        {1, Z, -1.0},
        {2, FX, point->step / point->mass},
        {2, VX, -1.0},
        {3, FZ, point->step / point->mass},
        {3, VZ, -1.0},
        {4, VX, p->form == HF_PRINTED_BEFORE ? 0.0 : 1.0},
        {4, LAMBDA, f.direction},
        {4, FX, lambda * f.bend},
        {5, FZ, point->friction},
        {5, FX, -f.direction},
        {6, S1, 1.0},
        {6, FZ, -z},
        {6, Z, -fz},
        {7, S2, 1.0},
        {7, LAMBDA, f.size - point->friction * fz},
        {7, FZ, -lambda * point->friction},
        {7, FX, lambda * f.direction},
    };
    put(entries, count, row, column, value);
    return TRUE;
}

static Bool eval_h(Index n, Number *x, Bool new_x, Number factor, Index m, Number *multiplier,
                   Bool new_multiplier, Index count, Index *row, Index *column, Number *value,
                   UserDataPtr data)
{
    static const double none[CONSTRAINTS];
    (void)n;
    (void)m;
    (void)new_x;
    (void)new_multiplier;
    const hf_printed_point *point = ((const program *)data)->point;
    bool places = value == NULL;
    smooth f = smooth_of(places ? 0.0 : x[FX]);
    const double *y = places ? none : multiplier;
    double lambda = places ? 0.0 : x[LAMBDA];
    const entry entries[HESSIAN] = {
        {S1, S1, 2.0 * factor},
        {S2, S2, 2.0 * factor},
        {FX, FX, y[4] * lambda * f.turn + (y[7] * lambda - y[5]) * f.bend},
        {LAMBDA, FX, y[4] * f.bend + y[7] * f.direction},
        {LAMBDA, FZ, -y[7] * point->friction},
        {FZ, Z, -y[6]},
    };
    put(entries, count, row, column, value);
    return TRUE;
}

void hf_printed_look(const hf_printed_point *point, hf_printed_form form,
                     const hf_printed_state *before, const double *x, const double *y,
                     hf_printed_values *values)
{
    program p = {.point = point, .form = form, .before = *before};
    Number at[UNKNOWNS], multiplier[CONSTRAINTS], entries[JACOBIAN];
    Index row[JACOBIAN], column[JACOBIAN];
    *values = (hf_printed_values){0};
    for (int i = 0; i < UNKNOWNS; ++i) {
        at[i] = x[i];
    }
    for (int i = 0; i < CONSTRAINTS; ++i) {
        multiplier[i] = y[i];
    }
    // Functions and the gradient
    (void)eval_f(UNKNOWNS, at, TRUE, &values->f, &p);
    (void)eval_grad_f(UNKNOWNS, at, TRUE, values->gradient, &p);
    (void)eval_g(UNKNOWNS, at, TRUE, CONSTRAINTS, values->g, &p);
    // Sparse matrices, spread out; of the Hessian IPOPT takes the lower half
    (void)eval_jac_g(UNKNOWNS, at, TRUE, CONSTRAINTS, JACOBIAN, row, column, NULL, &p);
    (void)eval_jac_g(UNKNOWNS, at, TRUE, CONSTRAINTS, JACOBIAN, row, column, entries, &p);
    for (int i = 0; i < JACOBIAN; ++i) {
        values->jacobian[row[i]][column[i]] += entries[i];
    }
    (void)eval_h(UNKNOWNS, at, TRUE, 1.0, CONSTRAINTS, multiplier, TRUE, HESSIAN, row, column, NULL,
                 &p);
    (void)eval_h(UNKNOWNS, at, TRUE, 1.0, CONSTRAINTS, multiplier, TRUE, HESSIAN, row, column,
                 entries, &p);
    for (int i = 0; i < HESSIAN; ++i) {
        values->hessian[row[i]][column[i]] += entries[i];
        values->hessian[column[i]][row[i]] += row[i] == column[i] ? 0.0 : entries[i];
    }
}

// Counts iterations; stops IPOPT when the caller's stop function says so.
static Bool look(Index mode, Index iteration, Number objective, Number primal, Number dual,
                 Number barrier, Number size, Number regularization, Number dual_step,
                 Number primal_step, Index trials, UserDataPtr data)
{
    program *p = data;
    (void)mode;
    (void)objective;
    (void)primal;
    (void)dual;
    (void)barrier;
    (void)size;
    (void)regularization;
    (void)dual_step;
    (void)primal_step;
    (void)trials;
    p->iterations = iteration;
    p->stopped = p->stop != NULL && p->stop->wanted != NULL && p->stop->wanted(p->stop->context);
    return p->stopped ? FALSE : TRUE;
}

hf_printed_result hf_printed_step(const hf_printed_point *point, hf_printed_form form,
                                  hf_printed_state *state, const hf_printed_stop *stop)
{
    program p = {.point = point, .form = form, .stop = stop, .before = *state};
    hf_printed_result result = {.ending = HF_NLP_Other};
    double x[UNKNOWNS] = {state->x, state->z, state->vx, state->vz};
    double x_low[UNKNOWNS], x_high[UNKNOWNS], g_low[CONSTRAINTS], g_high[CONSTRAINTS];
    // Bounds: (12), (13), (14), (18)
    for (int i = 0; i < UNKNOWNS; ++i) {
        bool free = i == X || i == VX || i == VZ || i == FX;
        x_low[i] = free ? -FAR : 0.0;
        x_high[i] = FAR;
    }
    for (int i = 0; i < CONSTRAINTS; ++i) {
        g_low[i] = 0.0;
        g_high[i] = i < EQUATIONS ? 0.0 : FAR;
    }
    // As the document's code starts IPOPT
    IpoptProblem ipopt =
        CreateIpoptProblem(UNKNOWNS, x_low, x_high, CONSTRAINTS, g_low, g_high, JACOBIAN, HESSIAN,
                           0, eval_f, eval_g, eval_grad_f, eval_jac_g, eval_h);
    if (ipopt == NULL) {
        return result;
    }
    char tolerance[] = "tol", iterations[] = "max_iter", print[] = "print_level", quiet[] = "sb",
         yes[] = "yes";
    result.started = AddIpoptNumOption(ipopt, tolerance, EPSILON) != FALSE &&
                     AddIpoptIntOption(ipopt, iterations, ITERATIONS) != FALSE &&
                     AddIpoptIntOption(ipopt, print, 0) != FALSE &&
                     AddIpoptStrOption(ipopt, quiet, yes) != FALSE &&
                     SetIntermediateCallback(ipopt, look) != FALSE;
    // Where it ends
    if (result.started) {
        Number objective = 0.0;
        result.ending =
            hf_nlp_ending_of(IpoptSolve(ipopt, x, NULL, &objective, NULL, NULL, NULL, &p));
        *state = (hf_printed_state){x[X], x[Z], x[VX], x[VZ]};
        result.fx = x[FX];
        result.fz = x[FZ];
        result.iterations = p.iterations;
        result.stopped = p.stopped;
    }
    FreeIpoptProblem(ipopt);
    return result;
}
