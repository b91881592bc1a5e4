// SPDX-License-Identifier: Apache-2.0
// `dcmotor`: a motor with its circuit, its controller and friction of its own.
//                                                       [MuJoCo, DC motor technical note, 3.7 on]
// With the length l, its rate w, the current i and the temperature T above the surroundings:
//
//   V   = u, or what the controller gives          R  = R0 (1 + alpha (T + ambient - reference))
//   i'  = ((V - K w)/R - i)/lag, or without inductance i = (V - K w)/R
//   T'  = (R i^2 - T/R_T)/C
//   f   = K i within its bounds + A sin(n l + phi) - LuGre friction
//
//   position   V = kp (u - l) + ki x - kd w,  x' = u - l
//   velocity   V = kp (u - w) + ki (x - l),   x' = u
//   pos, vel, ff (newer files): V = (R0/K) tau + K w, tau with gains in torques
//
// The constants: K = sqrt(Kt Ke), or the one that is given; of a nominal point K = voltage/speed,
// R = K voltage/torque.
#include <math.h>
#include <string.h>

#include "robots/mjcf/mjcf.h"

// K and R. What gives none of them is no motor.
static bool read_circuit(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_motor *motor)
{
    double constants[2] = {0}, nominal[3] = {0}, inductance[2] = {0};
    int given = 0;
    if (!hf_mjcf_numbers(m, view, "motorconst", 1, 2, constants, NULL) ||
        !hf_mjcf_number(m, view, "resistance", &motor->resistance) ||
        !hf_mjcf_numbers(m, view, "nominal", 3, 3, nominal, &given) ||
        !hf_mjcf_numbers(m, view, "inductance", 1, 2, inductance, NULL)) {
        return false;
    }
    // The constant, then the resistance that goes with it
    bool both = constants[0] > 0.0 && constants[1] > 0.0;
    motor->constant =
        both ? sqrt(constants[0] * constants[1]) : fmax(fmax(constants[0], constants[1]), 0.0);
    if (given > 0 && !(motor->constant > 0.0) && nominal[2] > 0.0) {
        motor->constant = nominal[0] / nominal[2];
    }
    if (given > 0 && !(motor->resistance > 0.0) && nominal[1] > 0.0) {
        motor->resistance = motor->constant * nominal[0] / nominal[1];
    }
    if (!(motor->constant > 0.0) || !(motor->resistance > 0.0)) {
        return hf_xml_fail(view->element, m->robot->error, HF_ERROR_RANGE,
                           "dcmotor needs a positive motorconst and resistance, or nominal: "
                           "\"voltage stall_torque no_load_speed\"");
    }
    motor->lag = inductance[0] > 0.0 ? inductance[0] / motor->resistance : fmax(inductance[1], 0.0);
    return true;
}

// Which input it has. *known: it is one that is represented.
static bool read_input(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_motor *motor, bool *known)
{
    static const struct {
        const char *word;
        hf_robot_motor_input input;
    } words[] = {{"voltage", HF_ROBOT_VOLTAGE},       {"position", HF_ROBOT_FOLLOW},
                 {"velocity", HF_ROBOT_FOLLOW_SPEED}, {"pos", HF_ROBOT_TORQUE_FOLLOW},
                 {"vel", HF_ROBOT_TORQUE_SPEED},      {"ff", HF_ROBOT_TORQUE_FEED}};
    (void)m;
    const hf_xml_attribute *input = hf_mjcf_get(view, "input");
    *known = input == NULL;
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !*known; ++i) {
        if (strcmp(input->value, words[i].word) == 0) {
            motor->input = words[i].input;
            *known = true;
        }
    }
    return true;
}

static bool read_controller(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_motor *motor)
{
    double n[6] = {0};
    if (!hf_mjcf_numbers(m, view, "controller", 1, 6, n, NULL)) {
        return false;
    }
    motor->kp = n[0];
    motor->ki = fmax(n[1], 0.0);
    motor->kd = n[2];
    motor->slew = fmax(n[3], 0.0);
    motor->most_integral = fmax(n[4], 0.0);
    motor->most_voltage = fmax(n[5], 0.0);
    // Gains are those of what follows
    if (motor->input == HF_ROBOT_VOLTAGE) {
        motor->kp = motor->ki = motor->kd = motor->most_integral = 0.0;
        if (motor->slew == 0.0 && !(motor->most_voltage > 0.0 && motor->lag > 0.0)) {
            motor->most_voltage = 0.0;
            hf_mjcf_mark(view, "controller", HF_FATE_SEEN, "its input is the voltage itself");
        }
    }
    return true;
}

static bool read_thermal(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_motor *motor)
{
    double n[6] = {0};
    int given = 0;
    if (!hf_mjcf_numbers(m, view, "thermal", 1, 6, n, &given)) {
        return false;
    }
    if (given == 0 || (n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0)) {
        hf_mjcf_mark(view, "thermal", HF_FATE_SEEN, "all zero: it stays as warm as it is");
        return true;
    }
    // The time constant goes before the capacitance
    double resistance = n[0], capacitance = n[1];
    if (n[2] > 0.0 && resistance > 0.0) {
        capacitance = n[2] / resistance;
    } else if (n[2] > 0.0 && capacitance > 0.0) {
        resistance = n[2] / capacitance;
    }
    if (!(resistance > 0.0) || !(capacitance > 0.0)) {
        return hf_xml_fail_at(hf_mjcf_peek(view, "thermal"), m->robot->error, HF_ERROR_RANGE,
                              "thermal needs two of resistance, capacitance and timeconst, "
                              "positive");
    }
    motor->warming = resistance;
    motor->heat = capacitance;
    motor->coefficient = n[3];
    motor->warmer = n[5] - n[4];
    return true;
}

// Bounds, cogging and the bristles.
static bool read_mechanics(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_drive *drive)
{
    hf_robot_motor *motor = &drive->motor;
    double most[3] = {0}, cogging[3] = {0}, bristles[5] = {0};
    if (!hf_mjcf_numbers(m, view, "saturation", 1, 3, most, NULL) ||
        !hf_mjcf_numbers(m, view, "cogging", 1, 3, cogging, NULL) ||
        !hf_mjcf_numbers(m, view, "lugre", 1, 5, bristles, NULL)) {
        return false;
    }
    // Bounds, and cogging
    double torque = most[0] > 0.0 ? most[0] : motor->constant * most[1];
    if (torque > 0.0) {
        drive->low = -torque;
        drive->high = torque;
    }
    motor->current_rate = fmax(most[2], 0.0);
    motor->cogging = cogging[0];
    motor->poles = cogging[1];
    motor->phase = cogging[2];
    // Friction
    motor->bristle = bristles[0];
    motor->bristle_damping = bristles[1];
    motor->coulomb = bristles[2];
    motor->static_level = bristles[3];
    motor->stribeck = bristles[4];
    if (motor->bristle > 0.0 && (!(motor->coulomb > 0.0) || !(motor->stribeck >= 0.0) ||
                                 !(motor->bristle_damping >= 0.0))) {
        return hf_xml_fail_at(hf_mjcf_peek(view, "lugre"), m->robot->error, HF_ERROR_RANGE,
                              "lugre needs a positive coulomb friction, and damping and stribeck "
                              "velocity that are not negative");
    }
    if (motor->bristle > 0.0 && motor->static_level < motor->coulomb) {
        motor->static_level = motor->coulomb;
        hf_mjcf_mark(view, "lugre", HF_FATE_OTHERWISE,
                     "static friction below coulomb: taken as equal to it");
    }
    return true;
}

bool hf_mjcf_read_motor(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_drive *drive, bool *known)
{
    hf_robot_motor *motor = &drive->motor;
    motor->there = true;
    return read_input(m, view, motor, known) &&
           (!*known || (read_circuit(m, view, motor) && read_controller(m, view, motor) &&
                        read_thermal(m, view, motor) && read_mechanics(m, view, drive)));
}
