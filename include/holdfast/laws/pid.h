// SPDX-License-Identifier: Apache-2.0
// PID controller with feed-forward, saturation and anti-windup: the motor of a position loop.
// One dimension. Law name: "pid".
//
//   e  = r - x,  e' = r' - v                       x, v the gap and rate of the coupling        (1)
//   w  = bias + ff + Kp e + Kd e' + I              what it would like to do                     (2)
//   u  = min(high, max(low, w))                    what it does: the force on `on`              (3)
//   I' = Ki e + (u - w)/Tt                         integral action, I = 0 at t = 0 [N or Nm]    (4)
//
// The last term is anti-windup by back-calculation (Astrom and Hagglund 1995, 3.5): while the
// limits hold, w returns to them with the time constant Tt instead of growing without bound. The
// right-hand side stays continuous, so that methods need not begin anew there. Tt is chosen when it
// is zero: sqrt(Kd/Ki), or Kp/Ki without derivative action.
//
// With a period T it is sampled, as a digital controller is: at t = n T it sees the motion and its
// inputs, and its force holds until the next sample (zero-order hold),
//
//   I(n+1) = I(n) + T (Ki e(n) + (u(n) - w(n))/Tt)          Tt at least T                       (5)
//
// with e' from the measured velocity, or, with `differences`, (e(n) - e(n-k))/(k T) over k = `span`
// samples, which is zero at the first k of them; with `position_differences`
// r' - (x(n) - x(n-k))/(k T), as drives do that differentiate what they measure alone.
//
// A controller is no passive law: it puts work into the machine, and the ledger counts it as such.
// The law's force is -u: couplings apply its opposite to `on`. Its regime is slip at a limit.
// Reference r, its rate r' and the feed-forward ff are inputs (hf_force_def.values); without a rate
// it is the derivative of r.
#ifndef HOLDFAST_LAWS_PID_H
#define HOLDFAST_LAWS_PID_H

#include <holdfast/law.h>

#ifdef __cplusplus
extern "C" {
#endif

// Beyond this there is no limit [N or Nm].
#define HF_PID_NONE 1e300

// Its inputs, in the order of hf_law_in.inputs and hf_force_def.values.
typedef enum hf_pid_input {
    HF_PID_REFERENCE,      // r [m or rad]
    HF_PID_REFERENCE_RATE, // r' [m/s or rad/s]
    HF_PID_FEED_FORWARD,   // ff [N or Nm]
    HF_PID_INPUT_COUNT
} hf_pid_input;

typedef struct hf_pid_def {
    double proportional;       // Kp, >= 0 [N/m or Nm/rad]
    double integral;           // Ki, >= 0 [N/(m s) or Nm/(rad s)]
    double derivative;         // Kd, >= 0 [Ns/m or Nms/rad]
    double bias;               // constant force [N or Nm]
    double low, high;          // limits of the force, low < high [N or Nm]
    double anti_windup;        // Tt, > 0, not below the period [s]; 0: chosen, from Kp, Ki and Kd
    double period;             // T, at least HF_LEAST_PERIOD [s]; 0: continuous
    bool differences;          // sampled: e' by differences, as with a position sensor alone
    bool position_differences; // the same of the position alone
    int span;                  // k, 1 or 2; 0: 1
} hf_pid_def;

// What a sampled one keeps.
typedef enum hf_pid_memory {
    HF_PID_INTEGRAL, // I(n+1) [N or Nm]
    HF_PID_COMMAND,  // u(n) [N or Nm]
    HF_PID_ERROR,    // e(n), or -x(n) [m or rad]
    HF_PID_OLDER,    // the same at n-1
    HF_PID_BEGUN,    // samples taken, up to 2
    HF_PID_MEMORY_COUNT
} hf_pid_memory;

// All zero, continuous, no limits.
HF_API hf_pid_def hf_pid_def_default(void);
HF_API HF_NODISCARD hf_status hf_pid_def_check(const hf_pid_def *def, int dim, hf_fault *fault);
HF_API void hf_pid_eval(const hf_pid_def *def, int dim, const hf_law_in *in, hf_law_out *out);
// One sample: writes memory[HF_PID_MEMORY_COUNT] from in->gap, rate and inputs.
HF_API void hf_pid_sample(const hf_pid_def *def, const hf_law_in *in, double *memory);
// Tt as it is used [s]; 0 without integral action.
HF_API double hf_pid_anti_windup(const hf_pid_def *def);

#ifdef __cplusplus
}
#endif
#endif
