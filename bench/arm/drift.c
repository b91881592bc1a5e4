// SPDX-License-Identifier: Apache-2.0
// The arm of [Kikuuwe2008] that is held by friction, and how far it drifts.
#include "arm.h"

#include <math.h>

void arm_torques(double t, double torque[2])
{
    double ramp = fmin(0.52, 0.3 * t);
    torque[0] = t < 4.0 ? ramp : 0.336 + 0.144 * sin(100.0 * t);
    torque[1] = t < 4.0 ? ramp : 0.336 + 0.144 * cos(100.0 * t);
}

void arm_angles_at(const arm_state *before, const arm_state *after, double t, double q[2])
{
    double h = after->time - before->time, s = (t - before->time) / h, r = 1.0 - s;
    for (int i = 0; i < 2; i++)
        q[i] = r * r * (1.0 + 2.0 * s) * before->q[i] + s * s * (3.0 - 2.0 * s) * after->q[i] +
               h * s * r * (r * before->v[i] - s * after->v[i]);
}

static void angles_when(void (*step)(void *simulator, arm_state *state), void *simulator, double t,
                        arm_state *state, double q[2])
{
    arm_state before = *state;
    while (state->time < t) {
        before = *state;
        step(simulator, state);
    }
    arm_angles_at(&before, state, t, q);
}

void arm_drift(void (*step)(void *simulator, arm_state *state), void *simulator, double drift[2])
{
    const double period = 2.0 * 3.14159265358979323846 / 100.0;
    const double window = ARM_DRIFT_PERIODS * period;
    arm_state state = {0};
    double first[2], last[2];
    angles_when(step, simulator, ARM_DRIFT_START, &state, first);
    angles_when(step, simulator, ARM_DRIFT_START + window, &state, last);
    for (int i = 0; i < 2; i++)
        drift[i] = (last[i] - first[i]) / window;
}
