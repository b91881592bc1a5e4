// SPDX-License-Identifier: Apache-2.0
// Kinds of bodies and couplings of your own: tables of functions that a program brings
// (docs/bodies.md, docs/couplings.md). Laws of your own: law.h.
//
// A table must live as long as the models that use it. Its functions are shared by all threads:
// they must be pure and may not allocate.
#ifndef HOLDFAST_KINDS_H
#define HOLDFAST_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include <holdfast/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// A kind of body of your own: force in, motion out. It has n coordinates with q' = v and
//
//   M(q) v' = f(q, v) + u
//
// where u is what couplings do to its coordinates. A current is such a body (v is the current, M
// the inductance, u the voltage), and so is an elastic mode. Losses belong into laws on its
// coordinates, where the energy ledger sees them; f may do work only against `potential`. Every
// method takes such bodies.
enum { HF_BODY_KIND_MOST = 8 };
typedef struct hf_body_kind {
    const char *name;        // of the kind, for messages
    int coordinates;         // n, 1 to HF_BODY_KIND_MOST
    const char *const *axes; // n names of the coordinates, as in "motor.position.angle"
    // n units each, of q and of v, such as "rad" and "rad/s"; NULL: "m" and "m/s".
    const char *const *units, *const *rate_units;
    size_t def_size; // of the definition, which is copied; 0: none
    // M(q), symmetric and positive definite, n x n row by row.
    void (*mass)(const void *def, const double *q, double *m);
    void (*force)(const void *def, const double *q, const double *v, hf_vec3 gravity, double *f);
    double (*potential)(const void *def, const double *q, hf_vec3 gravity); // [J]
} hf_body_kind; // force, potential NULL: zero

// A kind of coupling of your own: where laws act, as functions of n coordinates with q' = v,
//
//   gap = psi(q),   rate = J(q) v,   J = d psi/dq,   u = -J' force,   rate' = J v' + (dJ/dt) v
//
// Any law of its dimension goes on it, and every method takes it that takes the law on a coupling
// which is no sum of coordinates. A Jacobian that is not the derivative of the gap makes or loses
// energy: the ledger tells.
enum { HF_COUPLING_KIND_ROWS = 3, HF_COUPLING_KIND_MOST = 16 };
typedef struct hf_coupling_kind {
    const char *name;             // of the kind, for messages
    int rows;                     // of the gap, 1 to HF_COUPLING_KIND_ROWS
    const char *const *row_names; // as in "wire.gap.x"; may be NULL with one row
    bool turns;                   // the gap is an angle [rad], and forces are torques
    size_t def_size;              // of the definition, which is copied; 0: none
    // psi, `rows` numbers. q: the n coordinates, in the order of the coupling's definition.
    void (*gap)(const void *def, int n, const double *q, double *gap);
    // J, rows x n, row by row.
    void (*jacobian)(const void *def, int n, const double *q, double *jacobian);
    // (dJ/dt) v, `rows` numbers. NULL: J is constant.
    void (*bias)(const void *def, int n, const double *q, const double *v, double *bias);
} hf_coupling_kind;

#ifdef __cplusplus
}
#endif
#endif
