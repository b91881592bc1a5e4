// SPDX-License-Identifier: Apache-2.0
// Parallel viscoelastic stiction elements: presliding hysteresis with closed loops. 1 to 3
// dimensions. Law name: "compound".
//
//   f = sum_i f_i,   f_i = sat(L_i r, (B_i + tau K_i) v + K_i e_i),  e_i as in [Kikuuwe2008] (19)
//
// from [Kikuuwe2005], IV-B.
//
// Element i has the level L_i r(w_i, N): its share L_i times a common level function r, 1 by
// default. From rest the force follows the virgin curve sum_i min(K_i x, L_i); after a turn, the
// same curve twice as large (Masing's rule). State: e_i, dim numbers an element, element after
// element. Stored and dissipated energies add up, both >= 0. Slips when all elements slip.
//
// Strength: hysteresis, no drift, any dimension.
//
// Limit: no frictional lag. With B = 0 see maxwell_slip.h.
#ifndef HOLDFAST_LAWS_COMPOUND_H
#define HOLDFAST_LAWS_COMPOUND_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_compound_def {
    hf_list levels;      // L_i, >= 0, one > 0 [N, or - if the factor is per normal force]
    hf_list stiffnesses; // K_i, > 0, as many [N/m]
    hf_list dampings;    // B_i, >= 0, as many, or none: all zero [Ns/m]
    // r [-]; static above kinetic needs a Stribeck velocity here, since elements keep no regime.
    hf_level factor;
} hf_compound_def;

// Four elements of 0.1, 0.2, 0.3, 0.4 N with 1e5 N/m and 100 Ns/m each; r = 1.
HF_API hf_compound_def hf_compound_def_default(void);
HF_API HF_NODISCARD hf_status hf_compound_def_check(const hf_compound_def *def, int dim,
                                                    hf_fault *fault);
HF_API void hf_compound_eval(const hf_compound_def *def, int dim, const hf_law_in *in,
                             hf_law_out *out);

// One step alone; e has def->levels.count numbers, zero at first. Normal force 1 N.
HF_API double hf_compound_step(const hf_compound_def *def, double *e, double velocity, double step);

// Elements from a measured virgin curve: forces at displacements, starting from the origin (not
// given). Parallel elements make concave curves only: a concave curve is met at every point,
// another is replaced by the lowest concave curve above its points.
typedef struct hf_compound_fit {
    int count;        // elements written, at most the number of points
    double deviation; // largest |fit - force| at a point [N]
} hf_compound_fit;

// Writes `levels` and `stiffnesses`, each with room for `points` numbers. HF_ERROR_RANGE: fault
// names "displacements" or "forces".
HF_API HF_NODISCARD hf_status hf_compound_fit_curve(int points, const double *displacements,
                                                    const double *forces, double *levels,
                                                    double *stiffnesses, hf_compound_fit *fit,
                                                    hf_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
