// SPDX-License-Identifier: Apache-2.0
// Maxwell-slip: parallel perfectly elastoplastic elements [Iwan1966], [Kikuuwe2005] figure 4. 1 to
// 3 dimensions. Law name: "maxwell-slip".
//
//   f = sum_i K_i e_i,   e_i' = v while |K_i e_i| < L_i r, else v without its outward part
//
// Over a step (tau = T) each element is [Kikuuwe2008] (14) with B = 0, exact for straight paths.
// Stored and dissipated energies are >= 0.
//
// Strength: rate-independent: the force depends on the path, not on its speed. Masing
// hysteresis, closed loops, no drift.
//
// Known defect: undamped in stick; lag and the dependence of break-away on the force rate are
// missing.
#ifndef HOLDFAST_LAWS_MAXWELL_SLIP_H
#define HOLDFAST_LAWS_MAXWELL_SLIP_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_maxwell_slip_def {
    hf_list levels;      // L_i, >= 0, one > 0 [N, or - if the factor is per normal force]
    hf_list stiffnesses; // K_i, > 0, as many [N/m]
    hf_level factor;     // r: common factor of the levels [-]
} hf_maxwell_slip_def;

// Four elements of 0.1, 0.2, 0.3, 0.4 N with 1e5 N/m each; r = 1.
HF_API hf_maxwell_slip_def hf_maxwell_slip_def_default(void);
HF_API HF_NODISCARD hf_status hf_maxwell_slip_def_check(const hf_maxwell_slip_def *def, int dim,
                                                        hf_fault *fault);
HF_API void hf_maxwell_slip_eval(const hf_maxwell_slip_def *def, int dim, const hf_law_in *in,
                                 hf_law_out *out);

// Moves by `displacement` and returns the force: exact, without time. e has def->levels.count
// numbers, zero at first. Normal force 1 N; the factor is taken at rest.
HF_API double hf_maxwell_slip_step(const hf_maxwell_slip_def *def, double *e, double displacement);

#ifdef __cplusplus
}
#endif
#endif
