// SPDX-License-Identifier: Apache-2.0
// The linear systems of the methods: (D + L W) x = b with D and L of one 3x3 block a contact.
//
// Where bodies are known, x = D^-1 (b - L u) with u = H' v, v = M^-1 H x, and so
//
//   (M + H D^-1 L H') v = H D^-1 b                                                             (1)
//
// has as many rows as the bodies have freedoms. Of W = H' M^-1 H + C, D takes L C. D may be almost
// singular (contacts that stick); what that costs in digits comes back by repetition with
// b - (D + L W) x.
#include <string.h>

#include "fc3d_internal.h"
#include "math/dense.h"

enum { REPEATS = 1 };

// c := a b for 3x3
static void multiply(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 9; ++k) {
        const double *row = a + k / 3 * 3;
        c[k] = row[0] * b[k % 3] + row[1] * b[3 + k % 3] + row[2] * b[6 + k % 3];
    }
}

// y := y + sign A x
static void apply(const double *a, const double *x, double sign, double *y)
{
    for (int k = 0; k < 3; ++k) {
        y[k] += sign * (a[3 * k] * x[0] + a[3 * k + 1] * x[1] + a[3 * k + 2] * x[2]);
    }
}

bool hf_fc3d_plan(hf_fc3d_run *run)
{
    const hf_fc3d_problem *p = run->p;
    hf_block_pattern pattern = {.n = p->contacts, .start = p->start, .column = p->column};
    hf_status status = run->rough           ? hf_fc3d_space_rigid_plan(run->space, false)
                       : run->space != NULL ? hf_fc3d_space_plan(run->space, false)
                                            : hf_block_lu_plan(run->s->lu, &pattern, false);
    run->no_room = status != HF_OK;
    return status == HF_OK;
}

hf_block_lu_size hf_fc3d_plan_size(const hf_fc3d_run *run)
{
    return hf_block_lu_plan_size(run->space != NULL ? run->space->lu : run->s->lu);
}

// D += L C of a contact; whether C is not zero.
static bool join_idle(const hf_fc3d_run *run, int i)
{
    const double *idle = run->space->b->idle == NULL ? NULL : run->space->b->idle + 3 * i;
    if (idle == NULL || (idle[0] == 0.0 && idle[1] == 0.0 && idle[2] == 0.0)) {
        return false;
    }
    for (int k = 0; k < 9; ++k) {
        run->s->diagonal[9 * i + k] += run->s->left[9 * i + k] * idle[k % 3];
    }
    return true;
}

static bool is_zero(const double a[9])
{
    bool zero = true;
    for (int k = 0; k < 9; ++k) {
        zero = zero && a[k] == 0.0;
    }
    return zero;
}

static void set_diagonal(double a[9], double x)
{
    for (int k = 0; k < 9; ++k) {
        a[k] = k % 4 == 0 ? x : 0.0;
    }
}

bool hf_fc3d_factorize(hf_fc3d_run *run, bool inverse_given)
{
    hf_fc3d_solver *s = run->s;
    ++run->info->factorizations;
    s->inverse_given = inverse_given;
    if (!hf_fc3d_plan(run)) {
        return false;
    }
    if (run->space == NULL) {
        return hf_block_lu_factorize(s->lu, run->p->w, s->left, s->diagonal) >= 0;
    }
    for (int i = 0; i < run->p->contacts; ++i) {
        double *inverse = s->inverse + 9 * i;
        if (run->rough && is_zero(s->left + 9 * i)) { // it opens, and moves nothing
            set_diagonal(inverse, 1.0 / s->diagonal[9 * i]);
            memset(s->stiff + 9 * i, 0, 9 * sizeof *s->stiff);
            continue;
        }
        bool joined = join_idle(run, i);
        if ((joined || !inverse_given) && !hf_dense_invert3(s->diagonal + 9 * i, inverse)) {
            return false;
        }
        multiply(inverse, s->left + 9 * i, s->stiff + 9 * i);
    }
    return run->rough ? hf_fc3d_space_rigid_factorize(run->space, s->stiff)
                      : hf_fc3d_space_factorize(run->space, s->stiff);
}

// det(D + L W) = det(D) det(M + H D^-1 L H') / det(M), and M is positive definite.
int hf_fc3d_determinant_sign(const hf_fc3d_run *run)
{
    if (run->space == NULL) {
        return hf_block_lu_sign(run->s->lu);
    }
    int sign = hf_block_lu_sign(run->space->lu);
    for (int i = 0; i < run->p->contacts; ++i) {
        const double *d = run->s->diagonal + 9 * i;
        double determinant = d[0] * (d[4] * d[8] - d[5] * d[7]) +
                             d[1] * (d[5] * d[6] - d[3] * d[8]) +
                             d[2] * (d[3] * d[7] - d[4] * d[6]);
        sign = determinant < 0.0 ? -sign : sign;
    }
    return sign;
}

// x += the solution for b, by (1); b is lost.
static void add_solution(hf_fc3d_run *run, double *b, double *x)
{
    hf_fc3d_solver *s = run->s;
    int n = run->p->contacts;
    for (int i = 0; i < n; ++i) {
        double y[3] = {0};
        apply(s->inverse + 9 * i, b + 3 * i, 1.0, y);
        for (int k = 0; k < 3; ++k) {
            x[3 * i + k] += y[k];
            b[3 * i + k] = y[k];
        }
    }
    hf_fc3d_space_push(run->space, b, s->motion[1]);
    if (run->rough) {
        hf_tile_lu_solve(run->space->rigid, s->motion[1]);
    } else {
        hf_fc3d_space_solve(run->space, s->motion[1]);
    }
    hf_fc3d_space_feel(run->space, s->motion[1], b);
    for (int i = 0; i < n; ++i) {
        apply(s->stiff + 9 * i, b + 3 * i, -1.0, x + 3 * i);
    }
}

void hf_fc3d_solve_linear(hf_fc3d_run *run, double *x)
{
    hf_fc3d_solver *s = run->s;
    if (run->space == NULL) {
        hf_block_lu_solve(s->lu, x);
        return;
    }
    size_t size = 3 * (size_t)run->p->contacts * sizeof *x;
    memcpy(s->right, x, size);
    memcpy(s->back, x, size);
    memset(x, 0, size);
    add_solution(run, s->back, x);
    for (int k = 0; k < REPEATS && !s->inverse_given && !run->rough; ++k) {
        hf_fc3d_space_move(run->space, x, s->motion[0]);
        hf_fc3d_space_feel(run->space, s->motion[0], s->back);
        for (int i = 0; i < run->p->contacts; ++i) {
            double left[3] = {s->right[3 * i], s->right[3 * i + 1], s->right[3 * i + 2]};
            apply(s->left + 9 * i, s->back + 3 * i, -1.0, left);
            apply(s->diagonal + 9 * i, x + 3 * i, -1.0, left);
            memcpy(s->back + 3 * i, left, sizeof left);
        }
        add_solution(run, s->back, x);
    }
}
