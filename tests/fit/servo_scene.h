// SPDX-License-Identifier: Apache-2.0
// A hobby servo that swings a pendulum: 16 logs of a real one, and the friction models M1 to M6 of
// [Duclusaud2025] as hf_servo has them. The firmware's loop, the motor and the friction of its gear
// are a controller of the program; kt, R and the numbers of the friction are free.
//
//   duty = clip(EG kp (goal - q), -1, 1)                  the firmware, kp a number of each log
//   tm   = kt V duty/R' - kt^2/R' w,  V the measured supply; 0 while the motor is disconnected
//   R'   = R (1 + a (T - 25 C)),  T the measured temperature, a that of copper
//   te   = -m g l sin(q + offset),  q what the encoder says
#ifndef HF_TESTS_SERVO_SCENE_H
#define HF_TESTS_SERVO_SCENE_H

#include <stdio.h>
#include <stdlib.h>

#include <holdfast/laws/servo.h>

#include "fit_scene.h"

enum { SERVO_LOGS = 16, SERVO_MOST = 15 };

static const double SERVO_STEP = 2e-3;            // of the friction [s]
static const double SERVO_MASS = 0.49;            // [kg]
static const double SERVO_LENGTH = 0.1;           // [m]
static const double SERVO_GRAVITY = 9.80665;      // [m/s^2]
static const double SERVO_COPPER = 3.93e-3;       // of its resistance [1/K]
static const double SERVO_GAIN = 2.877377502e-03; // EG = 4096/(2 pi)/(256*885) [1/rad]

static const char servo_model[] =
    "method: {type: discrete, step: 2e-3}\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {armature: 0.0016}\n"
    "bodies:\n"
    "  arm: {type: tree, joints: {servo: {type: revolute, axis: [0, -1, 0], mass: 0.49, center: "
    "[0, 0, -0.1], armature: armature}}}\n"
    "signals: {goal: {input: 0}, supply: {input: 7.4}, enabled: {input: 1}, gain: {input: 100}, "
    "temperature: {input: 25}, torque: {input: 0}}\n"
    "forces:\n"
    "  - {name: motor, on: arm.servo, type: torque, value: torque}\n";

// Numbers of the models, in the order of their parameters.
typedef enum servo_number {
    SERVO_ARMATURE,
    SERVO_KT,
    SERVO_R,
    SERVO_OFFSET,
    SERVO_BASE,
    SERVO_VISCOUS,
    SERVO_FRICTION // further ones, by model
} servo_number;

typedef struct servo_kind {
    const char *name;
    int count;
    const char *names[SERVO_MOST];
    double start[SERVO_MOST], high[SERVO_MOST];
} servo_kind;

#define SERVO_MOTOR       "armature", "kt", "R", "offset", "base", "viscous"
#define SERVO_MOTOR_START 0.0018, 0.32, 3.5, 0.02, 0.008, 0.008
#define SERVO_MOTOR_HIGH  0.05, 2.0, 20.0, 0.2, 0.3, 0.1

static const servo_kind servo_kinds[] = {
    {"M1", 6, {SERVO_MOTOR}, {SERVO_MOTOR_START}, {SERVO_MOTOR_HIGH}},
    {"M3", 7, {SERVO_MOTOR, "load"}, {SERVO_MOTOR_START, 0.06}, {SERVO_MOTOR_HIGH, 1.0}},
    {"M4",
     11,
     {SERVO_MOTOR, "load", "rest", "load_rest", "ws", "alpha"},
     {SERVO_MOTOR_START, 0.06, 0.005, 0.06, 1.0, 1.0},
     {SERVO_MOTOR_HIGH, 1.0, 0.3, 1.0, 20.0, 5.0}},
    {"M6",
     15,
     {SERVO_MOTOR, "motor", "external", "rest", "motor_rest", "external_rest", "ws", "alpha",
      "motor_square", "external_square"},
     {SERVO_MOTOR_START, 0.06, 0.06, 0.005, 0.06, 0.06, 1.0, 1.0, 0.06, 0.06},
     {SERVO_MOTOR_HIGH, 1.0, 1.0, 0.3, 1.0, 1.0, 20.0, 5.0, 5.0, 5.0}},
};

typedef struct servo_loop {
    hf_servo friction;
    double kt, resistance, offset, inertia;
    hf_coordinate joint;
    hf_signal goal, supply, enabled, gain, temperature, torque;
} servo_loop;

static inline hf_servo servo_friction(int count, const double *v)
{
    hf_servo s = hf_servo_default();
    s.base = v[SERVO_BASE];
    s.viscous = v[SERVO_VISCOUS];
    const double *f = v + SERVO_FRICTION;
    if (count == 7 || count == 11) {
        s.motor = s.external = f[0];
    }
    if (count == 11) {
        s.rest = f[1];
        s.motor_rest = s.external_rest = f[2];
        s.stribeck_velocity = f[3];
        s.shape = f[4];
    }
    if (count == 15) {
        s.motor = f[0];
        s.external = f[1];
        s.rest = f[2];
        s.motor_rest = f[3];
        s.external_rest = f[4];
        s.stribeck_velocity = f[5];
        s.shape = f[6];
        s.motor_square = f[7];
        s.external_square = f[8];
    }
    return s;
}

static inline hf_status servo_update(void *context, hf_sim *sim, hf_error *error)
{
    const servo_loop *s = context;
    (void)error;
    double q = hf_sim_q(sim, s->joint), w = hf_sim_v(sim, s->joint), tm = 0.0;
    if (hf_sim_signal(sim, s->enabled) > 0.5) {
        double wish = SERVO_GAIN * hf_sim_signal(sim, s->gain) * (hf_sim_signal(sim, s->goal) - q);
        double duty = fmin(fmax(wish, -1.0), 1.0);
        double warm = hf_sim_signal(sim, s->temperature) - 25.0;
        double resistance = s->resistance * (1.0 + SERVO_COPPER * warm);
        tm = s->kt / resistance * (hf_sim_signal(sim, s->supply) * duty - s->kt * w);
    }
    double te = -SERVO_MASS * SERVO_GRAVITY * SERVO_LENGTH * sin(q + s->offset);
    double tf = hf_servo_step(&s->friction, s->inertia, tm, te, w, SERVO_STEP);
    hf_sim_set_input(sim, s->torque, tm + te + tf);
    return HF_OK;
}

// hf_fit_def.context
typedef struct servo_scene {
    hf_fit_machine *machine;
    int count;
} servo_scene;

static inline hf_spec *servo_make(void *context, const double *values, hf_error *error)
{
    return hf_fit_machine_make(((servo_scene *)context)->machine, values, error);
}

static inline hf_status servo_attend(void *context, const hf_model *model, int log,
                                     const double *values, hf_fit_attendance *attendance,
                                     hf_error *error)
{
    servo_loop *s = calloc(1, sizeof *s);
    (void)log;
    (void)error;
    if (s == NULL) {
        return HF_ERROR_MEMORY;
    }
    s->friction = servo_friction(((servo_scene *)context)->count, values);
    s->kt = values[SERVO_KT];
    s->resistance = values[SERVO_R];
    s->offset = values[SERVO_OFFSET];
    s->inertia = values[SERVO_ARMATURE] + SERVO_MASS * SERVO_LENGTH * SERVO_LENGTH;
    s->joint = hf_model_find_coordinate(model, "arm.servo");
    s->goal = hf_model_find_signal(model, "goal");
    s->supply = hf_model_find_signal(model, "supply");
    s->enabled = hf_model_find_signal(model, "enabled");
    s->gain = hf_model_find_signal(model, "gain");
    s->temperature = hf_model_find_signal(model, "temperature");
    s->torque = hf_model_find_signal(model, "torque");
    attendance->own = s;
    attendance->count = 1;
    attendance->controllers[0] =
        (hf_controller_def){.period = SERVO_STEP, .update = servo_update, .context = s};
    return HF_OK;
}

static inline void servo_leave(void *context, hf_fit_attendance *attendance)
{
    (void)context;
    free(attendance->own);
}

// The parameters of a kind: what the model file has first, then what the controller has.
static inline void servo_parameters(servo_scene *machine, const servo_kind *kind,
                                    hf_fit_parameter *parameters)
{
    hf_error error = {0};
    machine->count = kind->count;
    for (int i = 0; i < kind->count; ++i) {
        hf_fit_parameter *p = &parameters[i];
        if (i == SERVO_ARMATURE) {
            if (hf_fit_machine_free(machine->machine, kind->names[i], p, 1, &error) != 1) {
                fail_msg("%s", error.text);
            }
        } else {
            *p = (hf_fit_parameter){.name = kind->names[i], .kind = HF_FIT_PROGRAM};
        }
        p->start = kind->start[i];
        p->high = kind->high[i];
        p->low = i == SERVO_OFFSET ? -p->high : p->start * 1e-4;
    }
}

// Log number `index`, with a column `kp`; NULL: it is not there.
static inline hf_fit_log *servo_log(const char *data, int index)
{
    static const char *const motions[] = {"sin-sin", "lift-and-drop", "up-and-down",
                                          "sin-time-square"};
    static const int gains[] = {100, 200, 400, 800};
    char path[600];
    hf_error error = {0};
    (void)snprintf(path, sizeof path, "%.400s/logs/xl330/%s-kp%d.csv", data, motions[index % 4],
                   gains[index / 4]);
    hf_fit_log *log = hf_fit_log_read(path, &error);
    if (log != NULL && hf_fit_log_add(log, "kp", gains[index / 4], &error) != HF_OK) {
        hf_fit_log_destroy(log);
        return NULL;
    }
    return log;
}

#endif
