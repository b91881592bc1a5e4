// SPDX-License-Identifier: Apache-2.0
// Friction of geared servo drives. Equations: servo.h.
#include <holdfast/laws/prox.h>
#include <holdfast/laws/servo.h>

#include <math.h>

#include "check.h"

hf_servo hf_servo_default(void)
{
    return (hf_servo){.shape = 1.0};
}

hf_status hf_servo_check(const hf_servo *servo, hf_fault *fault)
{
    const struct {
        const char *name;
        double value;
    } members[] = {{"base", servo->base},
                   {"motor", servo->motor},
                   {"external", servo->external},
                   {"rest", servo->rest},
                   {"motor_rest", servo->motor_rest},
                   {"external_rest", servo->external_rest},
                   {"motor_square", servo->motor_square},
                   {"external_square", servo->external_square},
                   {"stribeck_velocity", servo->stribeck_velocity},
                   {"viscous", servo->viscous}};
    hf_status status = HF_OK;
    *fault = (hf_fault){0};
    for (unsigned i = 0; i < sizeof members / sizeof members[0] && status == HF_OK; i++)
        status = hf_check_not_negative(members[i].name, members[i].value, fault);
    return status == HF_OK ? hf_check_positive("shape", servo->shape, fault) : status;
}

// q: the smaller of two torques against each other counts by its square.
static double square_of(const hf_servo *servo, double tm, double te)
{
    bool against = (tm > 0.0 && te < 0.0) || (tm < 0.0 && te > 0.0);
    // Where one of them is zero the other is the larger, and the square that counts is zero.
    if (!against)
        return 0.0;
    return hf_abs(te) < hf_abs(tm)   ? servo->external_square * te * te
           : hf_abs(te) > hf_abs(tm) ? servo->motor_square * tm * tm
                                     : 0.0;
}

double hf_servo_level(const hf_servo *servo, double tm, double te, double w)
{
    double level = servo->base + hf_abs(servo->external * te - servo->motor * tm);
    if (servo->stribeck_velocity > 0.0) {
        double s = exp(-pow(hf_abs(w) / servo->stribeck_velocity, servo->shape));
        double rest = servo->rest + hf_abs(servo->external_rest * te - servo->motor_rest * tm);
        level += s * (rest + square_of(servo, tm, te));
    }
    return level + servo->viscous * hf_abs(w);
}

double hf_servo_step(const hf_servo *servo, double inertia, double tm, double te, double w,
                     double step)
{
    double level = hf_servo_level(servo, tm, te, w);
    return hf_clamp(-level, level, -(tm + te + inertia * w / step));
}
