// SPDX-License-Identifier: Apache-2.0
// The discontinuous law over one step: Coulomb friction that reaches exactly zero velocity in
// finite time, without a threshold. 1 to 3 dimensions. Law name: "coulomb".
//
//   vbar = v + T h/M                                 velocity without friction  [Kikuuwe2005] (17a)
//   f    = M vbar/T             if |vbar| <= T F(0)/M        stick: v' = 0      [Kikuuwe2005] (16a)
//   f    = F(|v'|) sgn(vbar)    else, v' = vbar - T f/M      solved for v'      [Kikuuwe2005] (16b)
//
// f has the sign of the motion; [Kikuuwe2005] writes the opposite sign. With a steep Stribeck
// curve, T max(-dF/dv)/M > 1, (16b) has several solutions: stick is taken if it is one, else the
// root nearest vbar. Beyond the document: a mass matrix, by projection on the ball |f| <= F in the
// mass metric.
//
// Valid for every T, M > 0. Not an impedance: needs the mass M, all other forces h and the step
// T.
//
// Strength: |v'| <= |vbar| for every T, so that it never adds energy; an exact stop; no
// parameter besides the level.
//
// Limit: M and h must be known; first order in T.
#ifndef HOLDFAST_LAWS_COULOMB_H
#define HOLDFAST_LAWS_COULOMB_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_coulomb_def {
    hf_level level; // F
    // Take F at |vbar| - T F(0)/M instead of |v'|, [Kikuuwe2005] (18). Cheaper for curved levels,
    // but no longer dissipative for every T: with a viscous level D it reverses the velocity when T
    // D/M > 1 and diverges when > 2. hf_coulomb says where.
    bool approximate;
} hf_coulomb_def;

// 1 N, exact.
HF_API hf_coulomb_def hf_coulomb_def_default(void);
HF_API HF_NODISCARD hf_status hf_coulomb_def_check(const hf_coulomb_def *def, int dim,
                                                   hf_fault *fault);

// As a law: needs in->mass, in->applied and in->step. `dissipated` is f.(v + v')/2, the exact loss
// of kinetic energy over the step for h = 0.
HF_API void hf_coulomb_eval(const hf_coulomb_def *def, int dim, const hf_law_in *in,
                            hf_law_out *out);

// A mass under friction, one call a step: friction compensation, haptic rendering ([Kikuuwe2005]
// VI).
typedef struct hf_coulomb {
    double velocity[3]; // v, exactly 0 in stick [m/s]
    hf_regime regime;
    bool reversed; // the last step turned the velocity around: (18) only
    bool gained;   // the last step's friction added kinetic energy: (18) only
} hf_coulomb;

// Advances the velocity of a scalar mass under the other forces `applied`; returns f. Normal force
// 1 N.
HF_API double hf_coulomb_step(const hf_coulomb_def *def, hf_coulomb *state, double mass,
                              double applied, double step);

// The same in dim = 1, 2 or 3 dimensions.
HF_API void hf_coulomb_step_n(const hf_coulomb_def *def, hf_coulomb *state, int dim, double mass,
                              const double *applied, double normal, double step, double *force);

// The same with a mass matrix, symmetric and positive definite, row by row:
//   minimize (f - M vbar/T)' M^-1 (f - M vbar/T)  over |f| <= F(|v'|),   v' = vbar - T M^-1 f.
// HF_ERROR_RANGE: the matrix is not symmetric positive definite. HF_ERROR_UNSUPPORTED:
// `approximate`. The state and force are then untouched.
HF_API HF_NODISCARD hf_status hf_coulomb_step_matrix(const hf_coulomb_def *def, hf_coulomb *state,
                                                     int dim, const double *mass,
                                                     const double *applied, double normal,
                                                     double step, double *force);

// The same by the inverse W = J M^-1 J' of the mass matrix, symmetric and positive semidefinite,
// and the velocity vbar that the step would reach without friction [m/s]:
//   v' = vbar - T W f,   |f| <= F(|v'|),   f along v'.
// W may be singular: where joints or loops let a point move only along some directions, friction
// acts along these. Parts of vbar along the others that are not larger than `rounding` [m/s] count
// as zero; larger ones are motion that nothing stops (a belt across a rail), and friction slips.
// With `approximate` the level is (18)'s at the mean of W. HF_ERROR_RANGE: W is not symmetric or is
// zero; the state and force are then untouched.
HF_API HF_NODISCARD hf_status hf_coulomb_step_inverse(const hf_coulomb_def *def, hf_coulomb *state,
                                                      int dim, const double *inverse,
                                                      const double *free_velocity, double rounding,
                                                      double normal, double step, double *force);

// Many scalar masses at once: arrays of n numbers. Writes f and the next velocity.
// Constant symmetric levels, normal force 1 N; nothing is checked, the outputs overlap nothing. The
// numbers are hf_coulomb_step's, to the bit.
HF_API void hf_coulomb_batch(size_t n, double step, const double *mass, const double *level,
                             const double *applied, const double *velocity,
                             double *HF_RESTRICT force, double *HF_RESTRICT next);

#ifdef __cplusplus
}
#endif
#endif
