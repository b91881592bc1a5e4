// SPDX-License-Identifier: Apache-2.0
// A motor with its circuit, as a law of the model file with the current, the temperature, the
// integral and the input on its way as states; and its bristles as LuGre friction. The equations
// are those of mjcf/motors.c, in words of the model file.
#include <math.h>

#include "robots/write.h"

// The words that expressions are made of. In parameters: gear, zero, K, R, ...
#define LENGTH "(gear*gap + zero)"
#define RATE   "(gear*rate)"

// The input as the controller has it: within the step `lag` no further on than the slew allows.
static void put_input(hf_text_out *out, const hf_robot_motor *motor)
{
    hf_put(out, motor->slew > 0.0 ? "(s + sat(slew*lag, u - s))" : "u");
}

// The resistance, of warm windings.
static void put_resistance(hf_text_out *out, const hf_robot_motor *motor)
{
    hf_put(out, motor->warming > 0.0 ? "(R*(1 + alpha*(T + warmer)))" : "R");
}

// The voltage.
static void put_voltage(hf_text_out *out, const hf_robot_motor *motor)
{
    bool bound = motor->most_voltage > 0.0;
    hf_put(out, bound ? "sat(most, " : "(");
    switch (motor->input) {
    case HF_ROBOT_VOLTAGE:
        put_input(out, motor);
        break;
    case HF_ROBOT_FOLLOW:
        hf_put(out, "kp*(");
        put_input(out, motor);
        hf_put(out,
               motor->ki > 0.0 ? " - " LENGTH ") + ki*x - kd*" RATE : " - " LENGTH ") - kd*" RATE);
        break;
    case HF_ROBOT_FOLLOW_SPEED:
        hf_put(out, "kp*(");
        put_input(out, motor);
        hf_put(out, motor->ki > 0.0 ? " - " RATE ") + ki*(x - " LENGTH ")" : " - " RATE ")");
        break;
    case HF_ROBOT_TORQUE_FOLLOW:
        hf_put(out, "R/K*(kp*(");
        put_input(out, motor);
        hf_put(out, motor->ki > 0.0 ? " - " LENGTH ") - kd*" RATE " + ki*x) + K*" RATE
                                    : " - " LENGTH ") - kd*" RATE ") + K*" RATE);
        break;
    case HF_ROBOT_TORQUE_SPEED:
        hf_put(out, "R/K*(kd*(");
        put_input(out, motor);
        hf_put(out, " - " RATE ") - kp*" LENGTH ") + K*" RATE);
        break;
    case HF_ROBOT_TORQUE_FEED:
        hf_put(out, "R/K*(");
        put_input(out, motor);
        hf_put(out, " - kp*" LENGTH " - kd*" RATE ") + K*" RATE);
        break;
    }
    hf_put(out, ")");
}

// The current: a state, or what the voltage drives at once.
static void put_current(hf_text_out *out, const hf_robot_motor *motor)
{
    if (motor->lag > 0.0) {
        hf_put(out, "i");
        return;
    }
    hf_put(out, "(");
    put_voltage(out, motor);
    hf_put(out, " - K*" RATE ")/");
    put_resistance(out, motor);
}

// The integral, no further than its bound.
static void put_integral(hf_text_out *out, const hf_robot_motor *motor)
{
    bool of_error = motor->input == HF_ROBOT_FOLLOW || motor->input == HF_ROBOT_TORQUE_FOLLOW;
    const char *less = of_error ? " - " LENGTH : "";
    hf_put(out, "x: {rate: \"");
    if (motor->most_integral > 0.0) {
        hf_put(out, "x >= wind ? min(");
        put_input(out, motor);
        hf_put(out, less);
        hf_put(out, ", 0) : x <= -wind ? max(");
        put_input(out, motor);
        hf_put(out, less);
        hf_put(out, ", 0) : ");
    }
    put_input(out, motor);
    hf_put(out, less);
    hf_put(out, "\", start: 0}");
}

static void put_states(hf_text_out *out, const hf_robot_motor *motor)
{
    const char *before = ",\n     states: {";
    // The input on its way, and the integral
    if (motor->slew > 0.0) {
        hf_put(out, before);
        hf_put(out, "s: {rate: \"sat(slew, (u - s)/lag)\", start: 0}");
        before = ", ";
    }
    if (motor->ki > 0.0) {
        hf_put(out, before);
        put_integral(out, motor);
        before = ", ";
    }
    // The temperature
    if (motor->warming > 0.0) {
        hf_put(out, before);
        hf_put(out, "T: {rate: \"(");
        put_resistance(out, motor);
        hf_put(out, "*(");
        put_current(out, motor);
        hf_put(out, ")^2 - T/warming)/heat\", start: 0}");
        before = ", ";
    }
    // The current
    if (motor->lag > 0.0) {
        hf_put(out, before);
        hf_put(out, motor->current_rate > 0.0 ? "i: {rate: \"sat(rush, ((" : "i: {rate: \"((");
        put_voltage(out, motor);
        hf_put(out, " - K*" RATE ")/");
        put_resistance(out, motor);
        hf_put(out, motor->current_rate > 0.0 ? " - i)/filter)" : " - i)/filter");
        hf_put(out, "\", start: 0}");
        before = ", ";
    }
    hf_put(out, before[0] == ',' && before[1] == ' ' ? "}" : "");
}

static void put_numbers(hf_text_out *out, const hf_robot *robot, const hf_robot_drive *drive)
{
    const hf_robot_motor *motor = &drive->motor;
    // Numbers that only some motors have
    const struct {
        const char *key;
        double value;
        bool needed;
    } numbers[] = {
        {", kp: ", motor->kp, motor->input != HF_ROBOT_VOLTAGE},
        {", ki: ", motor->ki, motor->ki > 0.0},
        {", kd: ", motor->kd, motor->input != HF_ROBOT_VOLTAGE},
        {", slew: ", motor->slew, motor->slew > 0.0},
        {", lag: ", robot->step > 0.0 ? robot->step : 1e-3, motor->slew > 0.0},
        {", wind: ", motor->most_integral, motor->ki > 0.0 && motor->most_integral > 0.0},
        {", most: ", motor->most_voltage, motor->most_voltage > 0.0},
        {", alpha: ", motor->coefficient, motor->warming > 0.0},
        {", warmer: ", motor->warmer, motor->warming > 0.0},
        {", warming: ", motor->warming, motor->warming > 0.0},
        {", heat: ", motor->heat, motor->warming > 0.0},
        {", filter: ", motor->lag, motor->lag > 0.0},
        {", rush: ", motor->current_rate, motor->lag > 0.0 && motor->current_rate > 0.0},
        {", cogging: ", motor->cogging, motor->cogging != 0.0},
        {", poles: ", motor->poles, motor->cogging != 0.0},
        {", phase: ", motor->phase, motor->cogging != 0.0},
    };
    // Those of all, then these
    hf_put_key_number(out, "parameters: {gear: ", hf_gear_of(&drive->on));
    hf_put_key_number(out, ", zero: ", hf_length_at_zero(robot, &drive->on));
    hf_put_key_number(out, ", K: ", motor->constant);
    hf_put_key_number(out, ", R: ", motor->resistance);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        if (numbers[i].needed) {
            hf_put_key_number(out, numbers[i].key, numbers[i].value);
        }
    }
    hf_put(out, "}");
}

// Bristles of the length g q: in the coordinate g^2 as stiff, with g times the level.
static void put_bristles(hf_text_out *out, const hf_robot *robot, const hf_robot_drive *drive)
{
    const hf_robot_motor *motor = &drive->motor;
    double g = fabs(hf_gear_of(&drive->on));
    hf_put(out, "  - {name: ");
    hf_put(out, drive->name);
    hf_put(out, "-friction, type: friction, law: lugre");
    hf_put_place(out, robot, &drive->on);
    hf_put_key_number(out, ", stiffness: ", g * g * motor->bristle);
    hf_put_key_number(out, ", damping: ", g * g * motor->bristle_damping);
    hf_put_key_number(out, ", level: {coulomb: ", g * motor->coulomb);
    hf_put_key_number(out, ", static: ", g * motor->static_level);
    hf_put_key_number(out, ", stribeck_velocity: ", motor->stribeck / g);
    hf_put(out, "}}\n");
}

void hf_put_motor(hf_text_out *out, const hf_robot *robot, const hf_robot_drive *drive)
{
    const hf_robot_motor *motor = &drive->motor;
    bool bound = isfinite(drive->low) && isfinite(drive->high);
    // Where it acts, with which numbers
    hf_put(out, "  - {name: ");
    hf_put(out, drive->name);
    hf_put(out, "-force, type: law, active: true");
    hf_put_place(out, robot, &drive->on);
    hf_put(out, ",\n     inputs: {u: ");
    hf_put(out, drive->name);
    hf_put(out, "}, ");
    put_numbers(out, robot, drive);
    // The torque of the current within its bounds, and what the teeth of the iron do
    hf_put(out, bound ? ",\n     force: \"-gear*(prox(K*" : ",\n     force: \"-gear*(K*");
    put_current(out, motor);
    if (bound) {
        hf_put_key_number(out, ", ", drive->low);
        hf_put_key_number(out, ", ", drive->high);
        hf_put(out, ")");
    }
    hf_put(out, motor->cogging != 0.0 ? " + cogging*sin(poles*" LENGTH " + phase))\"" : ")\"");
    put_states(out, motor);
    hf_put(out, "}\n");
    if (motor->bristle > 0.0) {
        put_bristles(out, robot, drive);
    }
}
