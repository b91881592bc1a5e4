// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems as files: FCLIB's HDF5 format, for exchange with others. Library:
// holdfast-fclib.
//
//   fclib_local/W    matrix          fclib_global/M, H    matrices
//   .../vectors/q, mu                .../vectors/f, w, mu
//   .../spacedim     2, 3 or 5       .../info/title, description, math_info
//   solution/r, u    optional        guesses/1/r          optional
//
// A matrix is the datasets m, n, nz, nzmax, p, i, x. With nz >= 0 it holds triplets (p the
// columns, i the rows, as the files have it; FCLIB's documentation says the reverse), with nz = -1
// compressed columns (p where they begin, i the rows), with -2 compressed rows. Of W and M one
// triangle is enough; what is neither symmetric nor a triangle is refused. Contacts in two
// dimensions get a third, idle coordinate. Equality constraints (matrices G, V, R) are refused.
//
// Friction of rolling has five rows a contact (spacedim 5: normal, tangents, turns) and its bounds
// in .../vectors/mu_r. FCLIB has it in the group fclib_global_rolling; here fclib_local_rolling,
// and the groups above with spacedim 5, are read too. The problem then has two blocks a contact,
// for hf_fc3d_rolling_solve.
//
// HDF5 serializes nothing by itself: use these functions from one thread at a time.
#ifndef HOLDFAST_FCLIB_H
#define HOLDFAST_FCLIB_H

#include <holdfast/fc3d.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_fclib {
    hf_fc3d_problem *problem;              // a global problem is reduced to its local form
    int dimension;                         // of the file's contacts: 2, 3, or 5 with rolling
    int freedoms;                          // of a global problem; 0: the file is local
    char *title, *description, *math_info; // "" when there is none
    double *guess;                         // [blocks][3] the first guess of r; NULL: none
    double *solution;                      // [blocks][3] r; NULL: none
} hf_fclib;

// Reads a file. All memory is allocated; on failure the result is empty. Give it back by
// hf_fclib_clear.
HF_API HF_NODISCARD hf_status hf_fclib_read(const char *path, hf_fclib *file, hf_error *error);
HF_API void hf_fclib_clear(hf_fclib *file);

// Writes a local problem, and its solution unless r is NULL, with its two residuals, natural and
// scaled, in solution/residual. An existing file is replaced.
HF_API HF_NODISCARD hf_status hf_fclib_write(const char *path, const hf_fc3d_problem *problem,
                                             const char *title, const char *description,
                                             const double *r, hf_error *error);
// The same of a problem with friction of rolling, in the group fclib_local with spacedim 5.
HF_API HF_NODISCARD hf_status hf_fclib_write_rolling(const char *path,
                                                     const hf_fc3d_problem *problem,
                                                     const char *title, const char *description,
                                                     const double *r, hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
