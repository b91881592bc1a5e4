// SPDX-License-Identifier: Apache-2.0
// Problems of the benchmark solved by Siconos, with its own defaults.
#include "siconos.h"

#include <math.h>
#include <stdlib.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>
#include <fc3d_compute_error.h>

#include "../bench.h"

enum { GAUSS_SEIDEL_MOST = 10000 }; // sweeps; Siconos' own limit is 1000

static const int IDS[SICONOS_METHODS] = {
    [SICONOS_GAUSS_SEIDEL] = SICONOS_FRICTION_3D_NSGS,
    [SICONOS_NEWTON] = SICONOS_FRICTION_3D_NSN_AC,
    [SICONOS_NEWTON_JEAN_MOREAU] = SICONOS_FRICTION_3D_NSN_NM,
    [SICONOS_NEWTON_FISCHER] = SICONOS_FRICTION_3D_NSN_FB,
    [SICONOS_PROXIMAL] = SICONOS_FRICTION_3D_PROX,
    [SICONOS_ADMM] = SICONOS_FRICTION_3D_ADMM,
};

// Those that take W in blocks.
static bool takes_blocks(siconos_method method)
{
    return method == SICONOS_GAUSS_SEIDEL || method == SICONOS_PROXIMAL;
}

// W in blocks, column by column within each, for Gauss-Seidel.
static NumericsMatrix *block_matrix(const hf_fc3d_problem *p)
{
    SparseBlockStructuredMatrix *m = calloc(1, sizeof *m);
    unsigned n = (unsigned)p->contacts, blocks = (unsigned)p->start[p->contacts];
    m->nbblocks = blocks;
    m->blocknumber0 = m->blocknumber1 = n;
    m->blocksize0 = calloc(n + 1, sizeof *m->blocksize0);
    m->blocksize1 = calloc(n + 1, sizeof *m->blocksize1);
    m->index1_data = calloc(n + 1, sizeof *m->index1_data);
    m->index2_data = calloc(blocks, sizeof *m->index2_data);
    m->block = calloc(blocks, sizeof *m->block);
    m->filled1 = n + 1;
    m->filled2 = blocks;
    for (unsigned i = 0; i < n; ++i) {
        m->blocksize0[i] = m->blocksize1[i] = 3 * (i + 1);
        m->index1_data[i + 1] = (size_t)p->start[i + 1];
    }
    for (unsigned k = 0; k < blocks; ++k) {
        m->index2_data[k] = (size_t)p->column[k];
        m->block[k] = malloc(9 * sizeof(double));
        for (int e = 0; e < 9; ++e) {
            m->block[k][3 * (e % 3) + e / 3] = p->w[9 * (size_t)k + (size_t)e];
        }
    }
    return NM_new_SBM(3 * p->contacts, 3 * p->contacts, m);
}

// W in single numbers, for Newton.
static NumericsMatrix *sparse_matrix(const hf_fc3d_problem *p)
{
    NumericsMatrix *m = NM_create(NM_SPARSE, 3 * p->contacts, 3 * p->contacts);
    NM_triplet_alloc(m, 9 * p->start[p->contacts]);
    m->matrix2->origin = NSM_TRIPLET;
    for (int i = 0; i < p->contacts; ++i) {
        for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
            for (int e = 0; e < 9; ++e) {
                NM_zentry(m, 3 * i + e / 3, 3 * p->column[k] + e % 3,
                          p->w[9 * (size_t)k + (size_t)e], 0.0);
            }
        }
    }
    return m;
}

siconos_result siconos_solve(const hf_fc3d_problem *problem, siconos_method method,
                             double tolerance, int times, double *r)
{
    size_t n = 3 * (size_t)problem->contacts;
    double *q = malloc(n * sizeof *q), *mu = malloc(n * sizeof *mu), *u = calloc(n, sizeof *u);
    double size = 0.0;
    for (size_t i = 0; i < n; ++i) {
        q[i] = problem->q[i];
        size += q[i] * q[i];
        r[i] = 0.0;
        mu[i / 3] = problem->mu[i / 3];
    }
    NumericsMatrix *w = takes_blocks(method) ? block_matrix(problem) : sparse_matrix(problem);
    FrictionContactProblem *p =
        frictionContactProblem_new_with_data(3, problem->contacts, w, q, mu);
    SolverOptions *options = solver_options_create(IDS[method]);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    if (method == SICONOS_GAUSS_SEIDEL) {
        options->iparam[SICONOS_IPARAM_MAX_ITER] = GAUSS_SEIDEL_MOST;
    }
    int failed = 0;
    double start = hf_bench_now();
    for (int i = 0; i < times; ++i) {
        for (size_t k = 0; k < n; ++k) {
            r[k] = u[k] = 0.0;
        }
        failed = fc3d_driver(p, r, u, options);
    }
    siconos_result result = {.solved = failed == 0,
                             .iterations = options->iparam[SICONOS_IPARAM_ITER_DONE],
                             .seconds = (hf_bench_now() - start) / times};
    fc3d_compute_error(p, r, u, tolerance, options, sqrt(size), &result.residual);
    solver_options_delete(options);
    free(options);
    frictionContactProblem_free(p);
    free(u);
    return result;
}
