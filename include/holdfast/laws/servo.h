// SPDX-License-Identifier: Apache-2.0
// Friction of geared servo drives, by load, speed and the way that power flows, [Duclusaud2025].
//
//   tau_f = Kc + |Ke te - Km tm| + s [ Ks + |Kes te - Kms tm| + q ] + Kv |w|
//   s = exp(-|w/ws|^a)
//   q = Qe te^2  where te and tm have unlike signs and |te| < |tm|: the motor lifts the load
//       Qm tm^2  where they have unlike signs and |te| > |tm|: the load drives the motor
//
// tm is the torque of the motor and te that of all else on the joint, both on its side of the gear
// and in one sense. With Ke = Km, Kes = Kms and no q it is the load-dependent Stribeck curve
// Kc + Kl |load| + s (Ks + Kls |load|). tau_f is what friction can hold or brake with: at rest any
// torque up to it.
//
// A level for controllers and microcontrollers, with no memory of its own; nothing but <math.h>.
#ifndef HOLDFAST_LAWS_SERVO_H
#define HOLDFAST_LAWS_SERVO_H

#include <holdfast/law.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_servo {
    double base;              // Kc, >= 0 [Nm]
    double motor, external;   // Km, Ke: shares of the torques, >= 0 [-]
    double rest;              // Ks: more of it at rest, >= 0 [Nm]
    double motor_rest;        // Kms, >= 0 [-]
    double external_rest;     // Kes, >= 0 [-]
    double motor_square;      // Qm, >= 0 [1/Nm]
    double external_square;   // Qe, >= 0 [1/Nm]
    double stribeck_velocity; // ws, > 0 [rad/s]; 0: no Stribeck curve, s = 0
    double shape;             // a, > 0 [-]
    double viscous;           // Kv, >= 0 [Nms/rad]
} hf_servo;

// All zero but the shape, 1.
HF_API hf_servo hf_servo_default(void);
// HF_OK, or HF_ERROR_RANGE with *fault naming the member.
HF_API HF_NODISCARD hf_status hf_servo_check(const hf_servo *servo, hf_fault *fault);
// tau_f at the torques tm, te [Nm] and the speed w [rad/s]; >= 0 [Nm].
HF_API double hf_servo_level(const hf_servo *servo, double tm, double te, double w);
// The torque of friction on the joint over one step, of an inertia > 0 [kg m^2] and `step` > 0 [s]:
// what would stop it, as far as tau_f goes. It never turns the motion around.
HF_API double hf_servo_step(const hf_servo *servo, double inertia, double tm, double te, double w,
                            double step);

// The load of a servo's gear in machines, with q as above:
//   base + |external te - motor tm| + q
// tm: of all prescribed forces and controllers on the joint; te: of all else but friction, with the
// joint as it moves and without acceleration: weights, springs, contacts, loops.
typedef struct hf_servo_load {
    double base;            // >= 0 [N or Nm]
    double motor, external; // shares of tm and te, >= 0 [-]
    double motor_square;    // Qm, >= 0 [1/N or 1/Nm]
    double external_square; // Qe, >= 0 [1/N or 1/Nm]
} hf_servo_load;

#ifdef __cplusplus
}
#endif
#endif
