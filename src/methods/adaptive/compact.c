// SPDX-License-Identifier: Apache-2.0
// Newton's linear systems without the room that is not in use.
//
// Points of contact between shapes have room in the state for all that there may ever be. In
// M = I - gamma J the columns of numbers that rates do not depend on are those of I: with the
// active numbers first
//   M = [ I - gamma J_aa   0 ]      x_a from its own system,
//       [   - gamma J_ra   I ]      x_r = b_r + gamma J_ra x_a
// where r are the numbers in use that are not active (the works). What is not in use has x = b. A
// stack of ten boxes has 792 numbers and 250 active ones: a thirtieth of the factorization.
#include "methods/adaptive/compact.h"

#include <string.h>

#include <sundials/sundials_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "base/carve.h"
#include "base/error.h"

struct hf_compact {
    int capacity; // n
    int active_count, rest_count;
    int *active, *rest; // [n]
    double *jacobian;   // [n x n] column by column: rows of the active numbers, then of the rest
    double *system;     // [n x n] I - gamma J_aa, factored
    double **columns;   // [n] of the system
    sunindextype *pivots;
    double *part; // [n]
    double gamma;
};

static hf_compact *lay_out(size_t n, hf_carver *c)
{
    hf_compact *own = hf_carve(c, 1, sizeof *own);
    hf_compact s = {.capacity = (int)n};
    s.active = hf_carve(c, n, sizeof *s.active);
    s.rest = hf_carve(c, n, sizeof *s.rest);
    s.jacobian = hf_carve_matrix(c, n, n, sizeof *s.jacobian);
    s.system = hf_carve_matrix(c, n, n, sizeof *s.system);
    s.columns = hf_carve(c, n, sizeof *s.columns);
    s.pivots = hf_carve(c, n, sizeof *s.pivots);
    s.part = hf_carve(c, n, sizeof *s.part);
    if (c->base != NULL) {
        *own = s;
    }
    return own;
}

// Adds the active numbers from `first` to `end` that are in use.
static void list_active(hf_compact *own, const hf_integrator *integrator, int first, int end)
{
    const hf_sim *sim = integrator->sim;
    for (int s = 0; s < sim->span_count; ++s) {
        int from = sim->spans[s].first > first ? sim->spans[s].first : first;
        int to = sim->spans[s].end < end ? sim->spans[s].end : end;
        for (int j = from; j < to; ++j) {
            if (!hf_integrator_is_idle(integrator, j)) {
                own->active[own->active_count++] = j;
            } else {
                own->rest[own->rest_count++] = j;
            }
        }
    }
}

// Numbers that rates depend on, and the others in use. States of laws come first: each meets few
// others, and the factorization passes over zeros.
static void sort_numbers(hf_compact *own, const hf_integrator *integrator)
{
    const hf_sim *sim = integrator->sim;
    const hf_model *model = sim->model;
    int motion = model->nq + model->nv;
    own->active_count = own->rest_count = 0;
    list_active(own, integrator, motion, integrator->moving);
    list_active(own, integrator, 0, motion);
    for (int j = integrator->moving; j < model->n; ++j) {
        own->rest[own->rest_count++] = j;
    }
}

static int fill_jacobian(hf_compact *own, hf_integrator *integrator, double t, N_Vector x,
                         N_Vector rate, N_Vector moved, N_Vector weights)
{
    const double *f = N_VGetArrayPointer(rate), *ahead = N_VGetArrayPointer(moved);
    double step, least = 0.0;
    int failed = hf_integrator_differences(integrator, rate, weights, &least);
    sort_numbers(own, integrator);
    int m = own->active_count, r = own->rest_count;
    for (int k = 0; k < m && failed == 0; ++k) {
        double *column = own->jacobian + (size_t)k * (size_t)(m + r);
        failed = hf_integrator_difference(integrator, t, x, moved, weights, least, own->active[k],
                                          &step);
        for (int i = 0; i < m + r; ++i) {
            int row = i < m ? own->active[i] : own->rest[i - m];
            column[i] = (ahead[row] - f[row]) / step;
        }
    }
    return failed;
}

// CVLsLinSysFn: M at the state x, whose J may be that of before.
static int prepare(double t, N_Vector x, N_Vector rate, SUNMatrix none, int keeps, int *fresh,
                   double gamma, void *data, N_Vector a, N_Vector b, N_Vector c)
{
    hf_integrator *integrator = data;
    hf_compact *own = integrator->compact;
    (void)none;
    (void)c;
    *fresh = !keeps;
    int failed = keeps ? 0 : fill_jacobian(own, integrator, t, x, rate, a, b);
    int m = own->active_count, r = own->rest_count;
    own->gamma = gamma;
    for (int k = 0; k < m && failed == 0; ++k) {
        const double *column = own->jacobian + (size_t)k * (size_t)(m + r);
        own->columns[k] = own->system + (size_t)k * (size_t)m;
        for (int i = 0; i < m; ++i) {
            own->columns[k][i] = (i == k ? 1.0 : 0.0) - gamma * column[i];
        }
    }
    return failed;
}

static SUNLinearSolver_Type direct(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

static int factor(SUNLinearSolver solver, SUNMatrix none)
{
    hf_compact *own = solver->content;
    (void)none;
    sunindextype m = own->active_count;
    return SUNDlsMat_denseGETRF(own->columns, m, m, own->pivots) == 0 ? SUNLS_SUCCESS
                                                                      : SUNLS_LUFACT_FAIL;
}

static int solve(SUNLinearSolver solver, SUNMatrix none, N_Vector x, N_Vector b, double tolerance)
{
    hf_compact *own = solver->content;
    double *to = N_VGetArrayPointer(x);
    int m = own->active_count, r = own->rest_count;
    (void)none;
    (void)tolerance;
    N_VScale(1.0, b, x);
    // The active numbers by their own system
    for (int i = 0; i < m; ++i) {
        own->part[i] = to[own->active[i]];
    }
    if (m > 0) { // none while SUNDIALS allocates
        SUNDlsMat_denseGETRS(own->columns, m, own->pivots, own->part);
    }
    // The others from these
    for (int k = 0; k < m; ++k) {
        const double *column = own->jacobian + (size_t)k * (size_t)(m + r) + m;
        double share = own->gamma * own->part[k];
        to[own->active[k]] = own->part[k];
        for (int i = 0; i < r; ++i) {
            to[own->rest[i]] += share * column[i];
        }
    }
    return SUNLS_SUCCESS;
}

bool hf_compact_create(hf_integrator *integrator, void *memory)
{
    const hf_allocator *allocator = &integrator->sim->allocator;
    size_t n = (size_t)integrator->sim->model->n;
    hf_carver counter = {0};
    (void)lay_out(n, &counter);
    char *block = counter.overflow ? NULL : allocator->allocate(allocator->context, counter.used);
    if (block == NULL) {
        return false;
    }
    memset(block, 0, counter.used);
    integrator->compact = lay_out(n, &(hf_carver){.base = block});
    integrator->matrix = SUNDenseMatrix(1, 1, integrator->context);
    integrator->linear = SUNLinSolNewEmpty(integrator->context);
    if (integrator->matrix == NULL || integrator->linear == NULL) {
        return false;
    }
    integrator->linear->content = integrator->compact;
    integrator->linear->ops->gettype = direct;
    integrator->linear->ops->setup = factor;
    integrator->linear->ops->solve = solve;
    return CVodeSetLinearSolver(memory, integrator->linear, integrator->matrix) == 0 &&
           CVodeSetLinSysFn(memory, prepare) == 0;
}

void hf_compact_destroy(hf_integrator *integrator)
{
    const hf_allocator *allocator = &integrator->sim->allocator;
    if (integrator->linear != NULL && integrator->compact != NULL) {
        SUNLinSolFreeEmpty(integrator->linear);
        integrator->linear = NULL;
    }
    if (integrator->compact != NULL) {
        allocator->release(allocator->context, integrator->compact);
        integrator->compact = NULL;
    }
}
