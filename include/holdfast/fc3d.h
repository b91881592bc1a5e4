// SPDX-License-Identifier: Apache-2.0
// The friction-contact problem: which contacts open, stick or slip, and the reactions, for all of
// them at once. Contacts have three coordinates, the normal first. Given W, q and mu, find r with
//
//   u  = W r + q                                                                           (1)
//   u~ = u + mu |u_T| n                                                                    (2)
//   K* contains u~, orthogonal to r in K,    K = { r : |r_T| <= mu r_N } in every contact  (3)
//
// In words, for every contact: open (u_N >= 0, r = 0), sticking (u = 0, |r_T| <= mu r_N) or sliding
// (u_N = 0, r_T = -mu r_N u_T / |u_T|). r are impulses [N s] and u velocities [m/s], or forces and
// accelerations, or any such pair. W = H' M^-1 H is symmetric and positive semidefinite: singular
// when contacts are redundant (a table on four legs), then r is not unique while u mostly is.
//
// A problem in two dimensions is one in three whose last coordinate is idle.
//
// Library: holdfast. Reading and writing FCLIB's files: holdfast/fclib.h.
#ifndef HOLDFAST_FC3D_H
#define HOLDFAST_FC3D_H

#include <holdfast/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------
// Problems

// What contacts are between: W = H' M^-1 H + C by its parts. M falls apart into bodies, each with
// freedoms of its own: six for a rigid body, or as many as a mechanism has. A contact is of one
// body, and the ground, or of two. With many contacts to a body this says the same with far fewer
// numbers than W, and the matrices of Newton's method are as large as the bodies are many, not the
// contacts. All arrays are the caller's.
typedef struct hf_fc3d_bodies {
    int count;             // >= 0
    const int *first;      // [count + 1] first freedom of each, ascending from 0
    const double *mass;    // M: body after body, freedoms squared numbers each, row by row;
                           // symmetric and positive definite. NULL: ones on its diagonal
    const double *inverse; // M^-1 in the same order; NULL: the solver inverts M
    const int *pair;       // [contacts][2] the bodies of a contact, unlike; -1: none
    const double *map;     // H': for a contact and one of its bodies [3][freedoms], the change of u
                           // per that of the body's velocity; none for body -1
    const size_t *place;   // [contacts][2] where in `map`; NULL: one after another
    const double *idle;    // [contacts][3] >= 0: C, which is diagonal; NULL: none
} hf_fc3d_bodies;

// The local form. W is kept in rows of 3x3 blocks: row i has the blocks start[i] .. start[i + 1] -
// 1, with ascending columns, the diagonal among them; when block (i, j) is stored, so is (j, i).
// `bodies` NULL: only W is known. With bodies W may be left out (start, column and w NULL), and
// only Lemke's method needs it. All arrays are the caller's.
typedef struct hf_fc3d_problem {
    int contacts;      // >= 0
    const int *start;  // [contacts + 1]
    const int *column; // [start[contacts]]
    const double *w;   // [start[contacts]][9], each block row by row [u per r]
    const double *q;   // [contacts][3] u without reactions
    const double *mu;  // [contacts] 0 to 1e6
    const hf_fc3d_bodies *bodies;
} hf_fc3d_problem;

// Compressed columns: column j has the entries start[j] .. start[j + 1] - 1.
typedef struct hf_fc3d_matrix {
    int rows, columns;
    const int *start; // [columns + 1]
    const int *row;   // [start[columns]]
    const double *value;
} hf_fc3d_matrix;

// The global form: M v = H r + f, u = H' v + w. M is symmetric and positive definite.
typedef struct hf_fc3d_global {
    int contacts;
    hf_fc3d_matrix mass; // M, degrees of freedom squared
    hf_fc3d_matrix map;  // H, degrees of freedom x 3 contacts
    const double *f;     // [degrees of freedom]
    const double *w;     // [contacts][3]
    const double *mu;    // [contacts] 0 to 1e6
} hf_fc3d_global;

// Whether sizes, order of columns, symmetry of the pattern and the ranges of all numbers are as
// above.
HF_API HF_NODISCARD hf_status hf_fc3d_problem_check(const hf_fc3d_problem *problem,
                                                    hf_error *error);

// Problems with memory of their own: from W as compressed columns, and from the global form
// (W = H' M^-1 H, q = H' M^-1 f + w). Of W and M, which are symmetric, one triangle is enough; a
// matrix that is neither symmetric nor a triangle is refused. M may couple at most
// HF_FC3D_MAX_COUPLED degrees of freedom with each other. Allocate; NULL on error.
#define HF_FC3D_MAX_COUPLED 2000
HF_API hf_fc3d_problem *hf_fc3d_problem_create(const hf_fc3d_matrix *w, const double *q,
                                               const double *mu, hf_error *error);
HF_API hf_fc3d_problem *hf_fc3d_problem_reduce(const hf_fc3d_global *global, hf_error *error);
// A copy of a problem with bodies, with its W.
HF_API hf_fc3d_problem *hf_fc3d_problem_expand(const hf_fc3d_problem *problem, hf_error *error);
HF_API void hf_fc3d_problem_destroy(hf_fc3d_problem *problem); // of those above; NULL is allowed

// u := W r + q. Allocates for a while where W is left out; then u is not a number when there is no
// memory. The same holds for the residual and the regimes below.
HF_API void hf_fc3d_velocity(const hf_fc3d_problem *problem, const double *r, double *u);

// ------------------------------------------------------------------------------------------------
// Residual: one for every solver. Zero for solutions, and only for them.

typedef enum hf_fc3d_measure {
    // sqrt(sum over contacts |r - P_K(r - u~)|^2) / max(|q|, |r|, |u|), as Siconos has it. It
    // compares r with u as they are: with other units it is another number.
    HF_FC3D_NATURAL,
    // The same of r and rho u, rho q, where rho = 3 contacts / trace W: free of units, and for
    // reactions the share that is wrong.
    HF_FC3D_SCALED,
    // The larger of the two: either one alone calls some problems solved of which the other says
    // that they are wrong in the third digit, according to their units.
    HF_FC3D_STRICTER
} hf_fc3d_measure;

// Of r and u = W r + q, which is written to `u` (3 contacts numbers). Not a number when r is not.
HF_API double hf_fc3d_residual(const hf_fc3d_problem *problem, hf_fc3d_measure measure,
                               const double *r, double *u);

// Where each contact stands, by what P_K does with r - rho u~: open, sticking or sliding.
HF_API void hf_fc3d_regimes(const hf_fc3d_problem *problem, const double *r, const double *u,
                            hf_regime *regimes);

// ------------------------------------------------------------------------------------------------
// Solvers

#define HF_FC3D_METHOD_LIST(X)                                                                     \
    X(HF_FC3D_AUTO, "auto", "chosen by size, with fall-back")                                      \
    X(HF_FC3D_GAUSS_SEIDEL, "gauss-seidel", "contact by contact, each solved exactly")             \
    X(HF_FC3D_NEWTON, "newton", "nonsmooth Newton, sparse direct, with line search")               \
    X(HF_FC3D_INTERIOR, "interior", "interior points, for piles and other redundant contacts")     \
    X(HF_FC3D_PROXIMAL, "proximal", "Newton on easier problems that approach the one given")       \
    X(HF_FC3D_ADMM, "admm", "alternating directions, for redundant contacts")                      \
    X(HF_FC3D_CONTINUATION, "continuation", "a path from an easy problem, around its turns")       \
    X(HF_FC3D_LEMKE, "lemke", "pivoting: exact in 2-D, a pyramid for the cone in 3-D")

typedef enum hf_fc3d_method {
#define HF_FC3D_METHOD_ENUM(name, word, about) name,
    HF_FC3D_METHOD_LIST(HF_FC3D_METHOD_ENUM)
#undef HF_FC3D_METHOD_ENUM
        HF_FC3D_METHOD_COUNT
} hf_fc3d_method;

// The name as it stands in model files ("auto", "gauss-seidel", ...); static.
HF_API const char *hf_fc3d_method_name(hf_fc3d_method method);
// HF_FC3D_METHOD_COUNT: no such name.
HF_API hf_fc3d_method hf_fc3d_method_find(const char *name);

typedef struct hf_fc3d_def {
    hf_fc3d_method method;   // default: HF_FC3D_AUTO
    hf_fc3d_measure measure; // what the tolerance is of; default: HF_FC3D_STRICTER
    double tolerance;        // > 0; default 1e-8
    int iterations;          // at most, of each method; 0: as many as the method thinks useful
    int least;               // sweeps of every solution by auto and gauss-seidel, >= 0; default 0.
                             // None when the residual is below 1e-10, or a thousandth of the
                             // tolerance. So what rests is solved better from step to step
    int facets;              // of Lemke's pyramid in 3-D, even, 4..64; default 8
    double seconds;          // processor time after which to give up, >= 0; 0: no limit (default).
                             // The only setting that makes results depend on the machine
    hf_allocator allocator;  // of all its memory; malloc and free by default
} hf_fc3d_def;

// The defaults that stand beside the members.
HF_API hf_fc3d_def hf_fc3d_def_default(void);
// HF_ERROR_RANGE with the member that is out of range.
HF_API HF_NODISCARD hf_status hf_fc3d_def_check(const hf_fc3d_def *def, hf_error *error);

// What a solution took.
typedef struct hf_fc3d_info {
    hf_fc3d_method method; // that gave the solution
    int iterations;        // of all methods: sweeps, Newton steps, alternations, pivots
    int of_method[HF_FC3D_METHOD_COUNT]; // the same, by method
    int factorizations;                  // of matrices
    double residual;                     // def.measure
    double natural, scaled;              // both measures
    int open, sticking, sliding;
} hf_fc3d_info;

typedef struct hf_fc3d_solver hf_fc3d_solver;

// A solver for `problem`, for problems of the same pattern, and for others that need no more
// memory. Allocates all of it. `def` NULL: the default. NULL on error.
HF_API hf_fc3d_solver *hf_fc3d_solver_create(const hf_fc3d_def *def, const hf_fc3d_problem *problem,
                                             hf_error *error);
// Makes room for a further problem. Allocates only when the solver has too little.
HF_API HF_NODISCARD hf_status hf_fc3d_solver_reserve(hf_fc3d_solver *solver,
                                                     const hf_fc3d_problem *problem,
                                                     hf_error *error);
HF_API void hf_fc3d_solver_destroy(hf_fc3d_solver *solver); // NULL is allowed

// Solves. On entry r is where to begin (zeros, or the last step's reactions), on return r and u are
// the best that was found, whatever is returned. Allocates nothing. HF_ERROR_CONVERGENCE: the
// residual did not come below the tolerance, or only because reactions grow without end;
// HF_ERROR_RANGE: the problem needs more memory than the solver has, and r is as it was: reserve,
// and solve again; HF_ERROR_NOT_FINITE: the problem or r holds what is no number. `info` may be
// NULL. The same problem and r give the same bits.
HF_API HF_NODISCARD hf_status hf_fc3d_solve(hf_fc3d_solver *solver, const hf_fc3d_problem *problem,
                                            double *r, double *u, hf_fc3d_info *info,
                                            hf_error *error);

// ------------------------------------------------------------------------------------------------
// Friction of rolling: contacts with five coordinates, the normal, two tangents and two turns
// [rad/s where the others are m/s], and a bound on the torque of rolling,
//
//   u~ = u + (mu |u_T| + mu_r |u_R|) n,    K = { r : |r_T| <= mu r_N, |r_R| <= mu_r r_N }
//
// in (1) and (3) above; mu_r is a length. Such a problem is an hf_fc3d_problem with two blocks a
// contact and W: block 2c is the normal and the tangents of contact c, block 2c + 1 an idle
// coordinate and the two turns; mu[2c] is mu, mu[2c + 1] is mu_r. r and u are [2 contacts][3], with
// zeros in the idle places.

// As hf_fc3d_residual. In the scaled measure turns are taken at a distance from the contact at
// which they weigh in W what the other rows do: free of units.
HF_API double hf_fc3d_rolling_residual(const hf_fc3d_problem *problem, hf_fc3d_measure measure,
                                       const double *r, double *u);
// As hf_fc3d_solve, by auto, gauss-seidel or newton (up to 240 contacts). Allocates while it works.
// `def` and `info` may be NULL. `sliding` counts contacts that slip or roll.
HF_API HF_NODISCARD hf_status hf_fc3d_rolling_solve(const hf_fc3d_def *def,
                                                    const hf_fc3d_problem *problem, double *r,
                                                    double *u, hf_fc3d_info *info, hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
