// SPDX-License-Identifier: Apache-2.0
// Level functions: how large friction can be, F(v, N) >= 0. Every friction law takes any level.
//
//   F(v, N) = s [ Fk + (Fs - Fk) exp(-|v/vs|^delta) ] + D |v|,   s = N if per_normal, else 1
//   F(v, N) = s [ Fk + (Fs - Fk)/(1 + |v/vs|^delta) ] + D |v|  when rational
//   F(v, N) = s table(|v|) + D |v|                               when a table is given
//   F(v, N) = c + N [...] + D |v|                                with cohesion c, per_normal
//
// The rational form with Fk = 0 is that of [Xiong2013] (47).
//
// Losses of a gear, of efficiency eta1 when what the friction acts on drives and eta2 when it is
// driven, and bearing torques b1, b2 (Pelchen, Schweiger and Otter 2002). T is the torque that goes
// on behind the loss, signed as the motion forth is; s = 1 forth, -1 back:
//   F(v, T) = max( ((1 - eta1) s T + b1)/eta1,  -(1 - eta2) s T + eta2 b2,  0 ) + [...] + D |v|
// They are what the law of [Pelchen2002] for the torque tau = T + s F before the loss gives when it
// is solved for F. With eta2 <= 0 no torque behind the gear moves it.
//
// Each of Fk, Fs, vs, D has a value for motion forth (v > 0, index 0) and back (v < 0, index 1).
// With vs = 0 and Fs > Fk the level is Fs in a step that begins in stick and Fk in one that begins
// in slip: it changes between steps, so that each step sees a continuous law. A table takes the
// place of kinetic, peak and stribeck, which are then not used.
#ifndef HOLDFAST_LAWS_LEVEL_H
#define HOLDFAST_LAWS_LEVEL_H

#include <holdfast/law.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HF_FORTH = 0, HF_BACK = 1 };

typedef struct hf_level {
    double kinetic[2];  // Fk: level in fast sliding, >= 0 [N], or coefficient [-] if per_normal
    double peak[2];     // Fs: static (break-away) level, >= Fk [N or -]
    double stribeck[2]; // vs: Stribeck velocity, >= 0 [m/s]; 0: no Stribeck curve
    double shape;       // delta: exponent of the Stribeck curve, > 0 [-]
    bool rational;      // the curve is 1/(1 + |v/vs|^delta), with a slower end than the exponential
    double viscous[2];  // D: viscous coefficient, >= 0 [Ns/m]
    bool per_normal;    // kinetic, peak and table are multiplied by the normal force N
    hf_list table_speed; // speeds, rising from 0 [m/s]; empty: no table
    hf_list table_level; // levels at these speeds, >= 0 [N or -]; constant beyond the last
    double cohesion[2];  // c: level without a normal force, >= 0 [N]; per_normal only
    double sticking;     // what the level is multiplied by in stick, >= 1 [-]; 0: 1
    // Rows of speed, eta1, eta2, b1, b2: speeds rising from 0 [m/s or rad/s], 0 < eta1 <= 1, eta2
    // <= 1 [-], b1, b2 >= 0 [N or Nm]; linear between, constant beyond the last. Empty: no gear.
    // The normal force is then T, signed, and multiplies nothing else; per_normal is set.
    hf_list gear;
} hf_level;

// A constant Coulomb level [N]: kinetic and peak are the same, shape 2, all else zero.
HF_API hf_level hf_level_coulomb(double level);

// A level of mu times the normal force.
HF_API hf_level hf_level_coefficient(double mu);

// HF_OK, or HF_ERROR_RANGE with *fault naming the member. Vector couplings (dim > 1) need the same
// values forth and back. A zero peak is not "same as kinetic": peak < kinetic is a fault.
HF_API HF_NODISCARD hf_status hf_level_check(const hf_level *level, int dim, hf_fault *fault);

// Whether the level is the same number at every velocity, side, regime and normal force.
HF_API bool hf_level_is_constant(const hf_level *level);

// Whether the level is zero everywhere.
HF_API bool hf_level_is_zero(const hf_level *level);

// The level [N] on a side (HF_FORTH or HF_BACK) at a speed >= 0.
HF_API double hf_level_at(const hf_level *level, int side, double speed, double normal,
                          hf_regime regime);

// d F / d speed at the same place, for speed > 0.
HF_API double hf_level_slope(const hf_level *level, int side, double speed, double normal,
                             hf_regime regime);

// Friction in series with a dashpot c (or over one step of a mass, c = M/T):
//
//   find w >= 0 and f:  c w + f = trial,  f = F(w) if w > 0,  f <= F(0) if w = 0
//                                                                        [Kikuuwe2005] (16b), (28b)
typedef struct hf_slip {
    double force; // f, >= 0 [N]
    double speed; // w, >= 0 [m/s]; exactly 0 in stick
    bool slips;   // trial is above the level at rest
} hf_slip;

// Solves it for trial >= 0 and c > 0, to machine precision, with a bracketed Newton method (piece
// by piece for a table). Where a steep Stribeck curve (c < -dF/dw) gives several solutions, it
// takes stick if that is one, else the root of the largest w: the one nearest trial/c.
HF_API hf_slip hf_level_slip(const hf_level *level, int side, double normal, hf_regime regime,
                             double c, double trial);

#ifdef __cplusplus
}
#endif
#endif
