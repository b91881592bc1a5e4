// SPDX-License-Identifier: Apache-2.0
// A friction compensator in a 1 kHz motor controller, with nothing but libholdfast-laws: no heap,
// no operating system. The same file runs on a desktop and on a Cortex-M4.
//
// A motor turns a load slowly under PD control. Its friction falls from 0.6 Nm at rest to 0.4 Nm in
// motion, so the load hunts: it sticks, winds up the controller, breaks away, overshoots, sticks.
// The compensator adds 90 % of what a friction element says for the motion that is wanted, and the
// load follows.
//
// Prints a table, and exits 1 unless the hunting is there without compensation and gone with it.
#include <math.h>
#include <stdio.h>

#include <holdfast/laws.h>

static const double PERIOD = 1e-3;       // of the controller [s]
static const double PLANT_STEP = 1e-4;   // of the simulated motor [s]
static const double SECONDS = 10.0;      // of each run
static const double INERTIA = 0.01;      // [kg m^2]
static const double REFERENCE = 0.05;    // wanted speed [rad/s]
static const double KP = 20.0, KD = 0.5; // PD gains [Nm/rad], [Nms/rad]
static const double SHARE = 0.9;         // of the friction that is compensated [-]

// Friction of the motor: Stribeck, 0.6 Nm at rest, 0.4 Nm sliding.
static hf_level friction_level(void)
{
    hf_level level = hf_level_coulomb(0.4);
    level.peak[HF_FORTH] = level.peak[HF_BACK] = 0.6;
    level.stribeck[HF_FORTH] = level.stribeck[HF_BACK] = 0.05;
    level.shape = 2.0;
    return level;
}

typedef struct compensator {
    hf_level level; // of the whole friction
    hf_stiction_def def;
    hf_stiction state;
} compensator;

// What the friction is about to do: a friction element moved as wanted, whose level is the
// friction's at the measured speed. The torque that breaks the load away is there before the error
// is, and falls as the friction falls.
static double compensate(compensator *c, double measured, double wanted)
{
    int side = wanted >= 0.0 ? HF_FORTH : HF_BACK;
    double level = hf_level_at(&c->level, side, fabs(measured), 1.0, c->state.regime);
    c->def.level = hf_level_coulomb(SHARE * level);
    return hf_stiction_step(&c->def, &c->state, wanted, PERIOD);
}

typedef struct outcome {
    double rms_error, largest_error; // of the angle after 2 s [rad]
    double largest_speed;            // [rad/s]
    int stops;                       // times the load came to rest after 2 s
} outcome;

static outcome run(bool compensated)
{
    compensator helper = {.level = friction_level(), .def = hf_stiction_def_default()};
    helper.def.stiffness = 2000.0;
    helper.def.damping = 1.0;
    hf_coulomb_def friction = hf_coulomb_def_default();
    friction.level = friction_level();
    hf_coulomb motor = {.regime = HF_REGIME_STICK};

    outcome result = {0};
    double angle = 0.0, squares = 0.0;
    int periods = (int)(SECONDS / PERIOD + 0.5), inner = (int)(PERIOD / PLANT_STEP + 0.5);
    int counted = 0;
    for (int k = 0; k < periods; ++k) {
        // The controller, once a millisecond
        double wanted = REFERENCE * k * PERIOD, speed = motor.velocity[0];
        double torque = KP * (wanted - angle) + KD * (REFERENCE - speed);
        torque += compensated ? compensate(&helper, speed, REFERENCE) : 0.0;
        // The motor
        for (int i = 0; i < inner; ++i) {
            bool moving = motor.velocity[0] != 0.0;
            (void)hf_coulomb_step(&friction, &motor, INERTIA, torque, PLANT_STEP);
            angle += PLANT_STEP * motor.velocity[0];
            result.stops += moving && motor.velocity[0] == 0.0 && k * PERIOD > 2.0 ? 1 : 0;
        }
        if (k * PERIOD > 2.0) {
            double error = REFERENCE * (k + 1) * PERIOD - angle;
            squares += error * error;
            ++counted;
            result.largest_error = fmax(result.largest_error, fabs(error));
            result.largest_speed = fmax(result.largest_speed, motor.velocity[0]);
        }
    }
    result.rms_error = sqrt(squares / counted);
    return result;
}

int main(void)
{
    outcome without = run(false), with = run(true);
    printf("                  rms error    largest error  largest speed  stops\n");
    printf("PD alone          %.6e rad %.6e rad %.6f rad/s %d\n", without.rms_error,
           without.largest_error, without.largest_speed, without.stops);
    printf("PD + compensator  %.6e rad %.6e rad %.6f rad/s %d\n", with.rms_error,
           with.largest_error, with.largest_speed, with.stops);
    bool hunts = without.stops >= 5, follows = with.stops == 0;
    printf("hunting %s without compensation, %s with it\n", hunts ? "seen" : "NOT SEEN",
           follows ? "gone" : "NOT GONE");
    return hunts && follows ? 0 : 1;
}
