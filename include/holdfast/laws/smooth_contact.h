// SPDX-License-Identifier: Apache-2.0
// Smooth contact: a floor without an edge, a force without a jump. The simplest of the contacts of
// [RobotSimulation2025], for comparison and for optimizers that need derivatives. Law name:
// "smooth-contact".
//
// Coupling coordinates as for rigid-contact, 1 to 3 dimensions:
//   S   = A/2 (1 - tanh(p/d))                        repulsion, at every distance p           (1)
//   N   = S (1 - B p'), not below 0 if clamped       damping in proportion to it              (2)
//   f_t = F(|v|, N) tanh(|v|/w) v/|v|                friction, F = mu N                        (3)
// The document's point has A = 1500 N, d = 0.01 m, B = 10 s/m and no clamp, and instead of (3) a
// sign with a case for the last step; its cube is clamped.
//
// Stored A d/2 ln(1 + exp(-2 p/d)), the integral of (1); dissipated S B p'^2, or S p' where the
// clamp cuts, and f_t.v: never negative. No state.
//
// Strength: all derivatives exist (without the clamp); nothing to detect, no event.
//
// Known defects: a load W floats at the height d/2 ln(A/W - 1), and one above A falls through. (3)
// holds nothing: on a slope of the angle a below the friction angle it creeps at w artanh(tan
// a/mu). Explicit methods need T < 2.8 m/(A B), T < 2.8 m w/(mu A), T < 2.8 sqrt(2 m d/A).
#ifndef HOLDFAST_LAWS_SMOOTH_CONTACT_H
#define HOLDFAST_LAWS_SMOOTH_CONTACT_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_smooth_contact_def {
    double largest_force; // A, > 0 [N]
    double thickness;     // d, > 0 [m]
    double damping;       // B, >= 0 [s/m]
    bool clamp;           // no suction
    hf_level friction;    // mu, per normal force
    double threshold;     // w, > 0 [m/s]
} hf_smooth_contact_def;

// [RobotSimulation2025]: A = 1500 N, d = 0.01 m, B = 10 s/m; clamped, mu = 0.5, w = 0.01 m/s.
HF_API hf_smooth_contact_def hf_smooth_contact_def_default(void);
HF_API HF_NODISCARD hf_status hf_smooth_contact_def_check(const hf_smooth_contact_def *def, int dim,
                                                          hf_fault *fault);
HF_API void hf_smooth_contact_eval(const hf_smooth_contact_def *def, int dim, const hf_law_in *in,
                                   hf_law_out *out);

#ifdef __cplusplus
}
#endif
#endif
