// SPDX-License-Identifier: Apache-2.0
// The two-link arm of [Kikuuwe2008], Simulation II, in two simulators.
#ifndef HF_BENCH_ARM_ARM_H
#define HF_BENCH_ARM_ARM_H

#include <stdbool.h>

// Joint angles and velocities at a time, the start of a window of drift.
typedef struct arm_state {
    double time; // [s]
    double q[2]; // [rad]
    double v[2]; // [rad/s]
} arm_state;

// Torques of [Kikuuwe2008] (28c), (28d) at time t [Nm].
void arm_torques(double t, double torque[2]);

// Angles at time t between two neighbouring states, by cubic Hermite interpolation.
void arm_angles_at(const arm_state *before, const arm_state *after, double t, double q[2]);

// Mean angular velocity over DRIFT_PERIODS whole periods of the torque from DRIFT_START on, for a
// simulator that `step` advances by one step. An elastic ripple has the torque's period and drops
// out.
#define ARM_DRIFT_START   5.0 // [s]
#define ARM_DRIFT_PERIODS 79  // until t = 9.96 s
void arm_drift(void (*step)(void *simulator, arm_state *state), void *simulator, double drift[2]);

typedef enum arm_integrator { ARM_MUJOCO_EULER, ARM_MUJOCO_RK4 } arm_integrator;

typedef struct arm_mujoco_case {
    arm_integrator integrator;
    double step; // [s]
    bool hard;   // friction as stiff as MuJoCo allows, instead of its defaults
} arm_mujoco_case;

typedef struct arm_mujoco_result {
    double seconds_per_step;
    double drift[2]; // [rad/s]
} arm_mujoco_result;

// MuJoCo on the same arm. Returns 0, or prints what is wrong and returns 1.
int arm_mujoco(const char *path, const arm_mujoco_case *which, arm_mujoco_result *result);

#endif
