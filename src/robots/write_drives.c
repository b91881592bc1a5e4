// SPDX-License-Identifier: Apache-2.0
// Drives as forces of a model file, and their inputs as signals.
#include <math.h>

#include "robots/write.h"

// How a drive becomes a force on its coordinate q, length = g q + l0:
//   a servo      gain > 0 and proportional > 0: reference = gain/(proportional g) input - ...
//   a servo of   gain = derivative, no proportional part: the input is the reference's rate
//   velocity
//   a force      else: the input feeds forward
//   a law        with a state of its own, a gain that varies, or a force away from its target
typedef struct drive_form {
    bool servo, speed, law;
    double scale; // of the input
    double gear;
} drive_form;

static drive_form form_of(const hf_robot_drive *drive)
{
    drive_form form = {.gear = hf_gear_of(&drive->on)};
    form.law = drive->motor.there || drive->shared > 0 || drive->memory != HF_ROBOT_DIRECT ||
               drive->gain_length != 0.0 || drive->gain_rate != 0.0 || drive->proportional < 0.0 ||
               drive->derivative < 0.0;
    if (drive->on.wrench.there || drive->on.crank.there) { // controllers do not go there
        form.law = form.law || drive->proportional != 0.0 || drive->derivative != 0.0 ||
                   drive->bias != 0.0 || isfinite(drive->low) || isfinite(drive->high);
    }
    if (form.law) {
        form.scale = 1.0;
        return form;
    }
    form.servo = drive->proportional > 0.0;
    form.speed = !form.servo && drive->derivative > 0.0 && drive->gain == drive->derivative;
    form.scale = form.servo   ? drive->gain / (drive->proportional * form.gear)
                 : form.speed ? 1.0 / form.gear
                              : drive->gain * form.gear;
    return form;
}

void hf_put_signals(hf_text_out *out, const hf_robot *robot)
{
    for (size_t i = 0; i < robot->drives.count; ++i) {
        const hf_robot_drive *drive = &robot->drives.items[i];
        drive_form form = form_of(drive);
        hf_put(out, i == 0 ? "signals:\n  " : "  ");
        hf_put(out, drive->name);
        hf_put_key_number(out, ": {input: ", drive->start);
        if (isfinite(drive->input_low) && isfinite(drive->input_high)) {
            hf_put(out, ", range: ");
            hf_put_numbers(out, (double[]){drive->input_low, drive->input_high}, 2);
        }
        if (form.scale != 1.0) {
            hf_put_key_number(out, ", scale: ", form.scale);
        }
        hf_put(out, "}\n");
    }
}

// Names of what belongs to one of several drives of a law have its number behind them.
static void put_named(hf_text_out *out, const char *before, const char *name, const char *number)
{
    hf_put(out, before);
    hf_put(out, name);
    hf_put(out, number);
}

static void put_parameter(hf_text_out *out, const char *name, const char *number, double value)
{
    put_named(out, ", ", name, number);
    hf_put_key_number(out, ": ", value);
}

// The force of a drive on its coordinate, within the limits of its own: l is the length, v its
// rate, a the state or the input.
//   gear ((gain + gain_l l + gain_v v) a + bias - kp l - kv v)
static void put_drive_force(hf_text_out *out, const hf_robot_drive *drive, const char *n)
{
    bool low = isfinite(drive->low), high = isfinite(drive->high);
    bool turned = drive->on.wrench.there && !drive->on.wrench.between; // its length is zero
    // Bounds open
    put_named(out, "gear", n, "*");
    hf_put(out, high ? "min(" : "");
    hf_put(out, low ? "max(" : "");
    // (gain + gain_l length + gain_v rate) a + bias - kp length - kv rate
    put_named(out, "((gain", n, "");
    if (!turned) {
        put_named(out, " + gain_l", n, "*(gear");
        put_named(out, n, "*gap + zero", n);
        hf_put(out, ")");
    }
    put_named(out, " + gain_v", n, "*gear");
    put_named(out, n, "*rate)*a", n);
    put_named(out, " + bias", n, "");
    if (!turned) {
        put_named(out, " - kp", n, "*(gear");
        put_named(out, n, "*gap + zero", n);
        hf_put(out, ")");
    }
    put_named(out, " - kv", n, "*gear");
    put_named(out, n, "*rate)", "");
    // Bounds close
    if (low) {
        hf_put_key_number(out, ", ", drive->low);
        hf_put(out, ")");
    }
    if (high) {
        hf_put_key_number(out, ", ", drive->high);
        hf_put(out, ")");
    }
}

// The rate of its state a.
static void put_drive_state(hf_text_out *out, const hf_robot_drive *drive, const char *n)
{
    put_named(out, "a", n, ": {rate: \"");
    if (drive->memory == HF_ROBOT_FILTER) {
        put_named(out, "(u", n, " - a");
        put_named(out, n, ")/filter", n);
    } else if (isfinite(drive->act_low) && isfinite(drive->act_high)) {
        put_named(out, "(a", n, "");
        hf_put_key_number(out, " <= ", drive->act_low);
        put_named(out, " && u", n, " < 0) || (a");
        hf_put(out, n);
        hf_put_key_number(out, " >= ", drive->act_high);
        put_named(out, " && u", n, " > 0) ? 0 : u");
        hf_put(out, n);
    } else {
        put_named(out, "u", n, "");
    }
    hf_put_key_number(out, "\", start: ", drive->act_start);
    hf_put(out, "}");
}

static void put_drive_numbers(hf_text_out *out, const hf_robot *robot, const hf_robot_drive *drive,
                              const char *n, bool first)
{
    put_named(out, first ? "" : ", ", "gear", n);
    hf_put_key_number(out, ": ", hf_gear_of(&drive->on));
    put_parameter(out, "zero", n, hf_length_at_zero(robot, &drive->on));
    put_parameter(out, "gain", n, drive->gain);
    put_parameter(out, "gain_l", n, drive->gain_length);
    put_parameter(out, "gain_v", n, drive->gain_rate);
    put_parameter(out, "bias", n, drive->bias);
    put_parameter(out, "kp", n, drive->proportional);
    put_parameter(out, "kv", n, drive->derivative);
    if (drive->memory == HF_ROBOT_FILTER) {
        put_parameter(out, "filter", n, drive->time_constant);
    }
}

// Laws of the file: of one drive, or of all that share the bound of their joint, whose sum is
// within it. A law's force has the sign of the motion.
static void put_drive_laws(hf_text_out *out, const hf_robot *robot,
                           const hf_robot_drive *const *drives, int count)
{
    static const char *const numbers[] = {"", "1", "2", "3", "4", "5", "6"};
    const hf_robot_link *link = count > 1 ? &robot->links.items[drives[0]->on.terms[0].link] : NULL;
    int states = 0;
    // Where they act
    hf_put(out, "  - {name: ");
    hf_put(out, drives[0]->name);
    hf_put(out, count > 1 ? "-forces, type: law, active: true" : "-force, type: law, active: true");
    hf_put_place(out, robot, &drives[0]->on);
    // Inputs and numbers
    hf_put(out, ",\n     inputs: {");
    for (int i = 0; i < count; ++i) {
        const char *n = numbers[count > 1 ? i + 1 : 0];
        put_named(out, i > 0 ? ", " : "", drives[i]->memory == HF_ROBOT_DIRECT ? "a" : "u", n);
        hf_put(out, ": ");
        hf_put(out, drives[i]->name);
    }
    hf_put(out, "}, parameters: {");
    for (int i = 0; i < count; ++i) {
        put_drive_numbers(out, robot, drives[i], numbers[count > 1 ? i + 1 : 0], i == 0);
    }
    // The force within the limits
    hf_put(out, count > 1 ? "},\n     force: \"-prox(" : "},\n     force: \"-");
    for (int i = 0; i < count; ++i) {
        hf_put(out, i > 0 ? " + " : "");
        put_drive_force(out, drives[i], numbers[count > 1 ? i + 1 : 0]);
    }
    if (link != NULL) {
        hf_put_key_number(out, ", ", link->least_effort);
        hf_put_key_number(out, ", ", link->effort);
        hf_put(out, ")");
    }
    hf_put(out, "\"");
    // The states
    for (int i = 0; i < count; ++i) {
        if (drives[i]->memory != HF_ROBOT_DIRECT) {
            hf_put(out, states++ == 0 ? ",\n     states: {" : ", ");
            put_drive_state(out, drives[i], numbers[count > 1 ? i + 1 : 0]);
        }
    }
    hf_put(out, states > 0 ? "}}\n" : "}\n");
}

// All drives that share the bound of a joint, with the first of them.
static void put_shared(hf_text_out *out, const hf_robot *robot, int index)
{
    const hf_robot_drive *all[HF_ROBOT_MOST_SHARED];
    int count = 0, shared = robot->drives.items[index].shared;
    for (int i = 0; i < (int)robot->drives.count; ++i) {
        if (robot->drives.items[i].shared == shared && i < index) {
            return;
        }
        if (robot->drives.items[i].shared == shared && count < HF_ROBOT_MOST_SHARED) {
            all[count++] = &robot->drives.items[i];
        }
    }
    put_drive_laws(out, robot, all, count);
}

void hf_put_drive(hf_text_out *out, const hf_robot *robot, int index)
{
    const hf_robot_drive *drive = &robot->drives.items[index];
    // What form the drive has in a model file
    drive_form form = form_of(drive);
    if (drive->motor.there) {
        hf_put_motor(out, robot, drive);
        return;
    }
    if (drive->shared > 0) {
        put_shared(out, robot, index);
        return;
    }
    if (form.law) {
        put_drive_laws(out, robot, &drive, 1);
        return;
    }
    double g = form.gear, shift = hf_length_at_zero(robot, &drive->on);
    double bias = g * (drive->bias - drive->proportional * shift);
    bool plain = !form.servo && drive->derivative == 0.0 && bias == 0.0 && !isfinite(drive->low) &&
                 !isfinite(drive->high);
    hf_put(out, "  - {name: ");
    hf_put(out, drive->name);
    hf_put(out, plain ? "-force, type: force" : "-force, type: controller");
    hf_put_place(out, robot, &drive->on);
    // A plain force
    if (plain) {
        hf_put(out, ", value: ");
        hf_put(out, drive->name);
        hf_put(out, "}\n");
        return;
    }
    // A controller
    hf_put(out, ", reference: ");
    hf_put(out, form.servo ? drive->name : "0");
    hf_put(out, ", reference_rate: ");
    hf_put(out, form.speed ? drive->name : "0");
    if (!form.servo && !form.speed) {
        hf_put(out, ", feed_forward: ");
        hf_put(out, drive->name);
    }
    if (form.servo) {
        hf_put_key_number(out, ", proportional: ", g * g * drive->proportional);
    }
    if (drive->derivative > 0.0) {
        hf_put_key_number(out, ", derivative: ", g * g * drive->derivative);
    }
    if (bias != 0.0) {
        hf_put_key_number(out, ", bias: ", bias);
    }
    hf_put_limits(out, drive->low, drive->high, g);
    hf_put(out, "}\n");
}
