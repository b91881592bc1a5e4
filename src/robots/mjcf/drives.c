// SPDX-License-Identifier: Apache-2.0
// Actuators on joints, tendons, sites, slider-cranks and bodies.
//
//   force = gain ctrl + b0 + b1 length + b2 rate,   length = gear q
//
// On a joint acts gear times that force.
//
//   motor        gain 1
//   position     gain kp, b1 -kp, b2 -kv; kv = 2 dampratio sqrt(kp m), m = sum of M_jj/g_j^2
//                where all joints are at zero, g_j what the length changes by with coordinate j
//   velocity     gain kv, b2 -kv
//   general      gainprm, biasprm
//   adhesion     gain: a force that draws a body to all that it touches
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "robots/dynamics.h"
#include "robots/mjcf/mjcf.h"

// What kp moves, as MuJoCo has it: the diagonal of M over what the length changes by, squared.
static bool moved_mass(hf_mjcf *m, const hf_mjcf_drive *r, double *mass)
{
    const hf_robot_sum *sum = &r->drive->on;
    *mass = 0.0;
    for (int i = 0; i < sum->count; ++i) {
        double one = 0.0, factor = sum->terms[i].factor;
        if (!hf_robot_joint_mass(m->robot, sum->terms[i].link, &one)) {
            return false;
        }
        *mass += one / (factor * factor);
    }
    return true;
}

// Damping by the mass that a servo moves; of strings and sites it is not represented.
static bool damp_by_ratio(hf_mjcf *m, const hf_mjcf_drive *r, const char *from, double ratio,
                          double kp, double *kv)
{
    double mass = 0.0;
    const hf_robot_sum *on = &r->drive->on;
    if (on->path > 0 || on->wrench.there || on->crank.there || on->adhesion.there) {
        hf_mjcf_mark(&r->view, from, HF_FATE_MISSING,
                     "damping by the mass that a string or a site moves: give kv");
        *kv = 0.0;
        return true;
    }
    if (!(kp >= 0.0)) {
        return hf_xml_fail(r->view.element, m->robot->error, HF_ERROR_RANGE,
                           "a ratio of damping needs a gain that is not negative, got %g", kp);
    }
    if (!moved_mass(m, r, &mass)) {
        return false;
    }
    *kv = 2.0 * ratio * sqrt(kp * mass);
    return true;
}

static bool read_position(hf_mjcf *m, hf_mjcf_drive *r)
{
    const hf_mjcf_gains *from = &r->gains;
    double kp = from->gain[0], kv = fmax(-from->bias[2], 0.0), ratio = fmax(from->bias[2], 0.0),
           inherit = from->inherit;
    int kv_given = 0;
    // Gains
    if (!hf_mjcf_number(m, &r->view, "kp", &kp) ||
        !hf_mjcf_numbers(m, &r->view, "kv", 1, 1, &kv, &kv_given)) {
        return false;
    }
    ratio = kv_given > 0 ? 0.0 : ratio;
    if (!hf_mjcf_number(m, &r->view, "dampratio", &ratio) ||
        !hf_mjcf_number(m, &r->view, "inheritrange", &inherit)) {
        return false;
    }
    // Damping by the mass that it moves
    if (ratio > 0.0 && !damp_by_ratio(m, r, "dampratio", ratio, kp, &kv)) {
        return false;
    }
    double tau = from->dynamics == 2 || from->dynamics == 3 ? from->tau[0] : 0.0;
    if (!hf_mjcf_number(m, &r->view, "timeconst", &tau)) {
        return false;
    }
    if (!(tau >= 0.0 && ratio >= 0.0 && inherit >= 0.0)) {
        return hf_xml_fail(r->view.element, m->robot->error, HF_ERROR_RANGE,
                           "timeconst, dampratio and inheritrange must not be negative");
    }
    if (tau > 0.0) {
        r->drive->memory = HF_ROBOT_FILTER;
        r->drive->time_constant = tau;
    }
    if (kv_given > 0 && kv < 0.0) {
        return hf_xml_fail_at(hf_mjcf_peek(&r->view, "kv"), m->robot->error, HF_ERROR_RANGE,
                              "kv must not be negative, got %g", kv);
    }
    hf_xml_attribute *gain = hf_mjcf_peek(&r->view, "kp");
    if (gain != NULL && kp < 0.0) { // MuJoCo runs it too
        gain->lot.why = "it is negative: the drive pushes away from what it is given";
    }
    // As a controller; its range may be that of the joint
    r->drive->gain = kp;
    r->drive->proportional = kp;
    r->drive->derivative = kv;
    r->drive->bias = from->bias[0];
    if (inherit > 0.0 && r->link >= 0) {
        const hf_robot_link *link = &m->robot->links.items[r->link];
        double mean = 0.5 * (link->low + link->high), half = 0.5 * (link->high - link->low);
        if (isfinite(half)) {
            r->drive->input_low = mean - inherit * half;
            r->drive->input_high = mean + inherit * half;
        }
    }
    return true;
}

// A state between input and force: an integral of the input within actrange, or a filter.
static bool read_memory(hf_mjcf *m, hf_mjcf_drive *r, bool integrator)
{
    double tau[10] = {r->gains.tau[0]}, range[2] = {0};
    bool limited = false, early = false;
    r->drive->memory = integrator ? HF_ROBOT_INTEGRATOR : HF_ROBOT_FILTER;
    // Its numbers
    if (!hf_mjcf_numbers(m, &r->view, "dynprm", 1, 10, tau, NULL) ||
        !hf_mjcf_range(m, &r->view, "actrange", "actlimited", range, &limited) ||
        !hf_mjcf_flag(m, &r->view, "actearly", &early, NULL)) {
        return false;
    }
    hf_mjcf_mark(&r->view, "actearly", HF_FATE_SEEN, "which step's state a force is taken from");
    if (integrator) {
        hf_mjcf_mark(&r->view, "dynprm", HF_FATE_SEEN, "an integrator has no parameter");
    } else if (!(tau[0] > 0.0)) {
        return hf_xml_fail(r->view.element, m->robot->error, HF_ERROR_RANGE,
                           "the time constant of a filter must be positive");
    }
    r->drive->time_constant = tau[0];
    // The range of its state
    if (limited) {
        r->drive->act_low = range[0];
        r->drive->act_high = range[1];
        if (!integrator) {
            hf_mjcf_mark(&r->view, "actrange", HF_FATE_MISSING,
                         "the state of a filter would be limited: give its input a range");
        }
    }
    return true;
}

// An integrated velocity: kp (a - length) - kv rate, a' = input.
static bool read_integrated(hf_mjcf *m, hf_mjcf_drive *r)
{
    double inherit = 0.0;
    if (!read_position(m, r) || !read_memory(m, r, true)) {
        return false;
    }
    // inheritrange is of the state here
    if (hf_mjcf_peek(&r->view, "inheritrange") != NULL &&
        hf_mjcf_number(m, &r->view, "inheritrange", &inherit) && inherit > 0.0) {
        r->drive->act_low = r->drive->input_low;
        r->drive->act_high = r->drive->input_high;
        r->drive->input_low = -INFINITY;
        r->drive->input_high = INFINITY;
    }
    return true;
}

// Damping in proportion to the input: force = -kv input rate.
static bool read_damper(hf_mjcf *m, hf_mjcf_drive *r)
{
    double kv = 1.0;
    if (!hf_mjcf_number(m, &r->view, "kv", &kv)) {
        return false;
    }
    r->drive->gain = 0.0;
    r->drive->gain_rate = -kv;
    return true;
}

// A cylinder: pressure a (the input through a filter) times area, and a bias.
static bool read_cylinder(hf_mjcf *m, hf_mjcf_drive *r)
{
    const hf_mjcf_gains *from = &r->gains;
    double tau = from->tau[0], area = from->gain[0], diameter = 0.0,
           bias[3] = {from->bias[0], from->bias[1], from->bias[2]};
    int round = 0;
    if (!hf_mjcf_number(m, &r->view, "timeconst", &tau) ||
        !hf_mjcf_number(m, &r->view, "area", &area) ||
        !hf_mjcf_numbers(m, &r->view, "diameter", 1, 1, &diameter, &round) ||
        !hf_mjcf_numbers(m, &r->view, "bias", 3, 3, bias, NULL)) {
        return false;
    }
    if (!(tau > 0.0)) {
        return hf_xml_fail(r->view.element, m->robot->error, HF_ERROR_RANGE,
                           "timeconst must be positive");
    }
    r->drive->memory = HF_ROBOT_FILTER;
    r->drive->time_constant = tau;
    r->drive->gain = round > 0 ? 3.14159265358979323846 / 4.0 * diameter * diameter : area;
    r->drive->bias = bias[0];
    r->drive->proportional = -bias[1];
    r->drive->derivative = -bias[2];
    return true;
}

static bool read_general(hf_mjcf *m, hf_mjcf_drive *r)
{
    hf_mjcf_gains all = r->gains;
    const double *gain = all.gain, *bias = all.bias;
    if (!hf_mjcf_general_gains(m, &r->view, &all)) {
        return false;
    }
    // What cannot be represented is left out, and reported
    bool affine_gain = all.gain_type == 1 && (gain[1] != 0.0 || gain[2] != 0.0);
    if (all.gain_type > 1 || all.bias_type > 1 || all.dynamics > 3) {
        hf_xml_mark_all(r->view.element, HF_FATE_MISSING,
                        all.dynamics != 0 ? "an actuator with a state of its own would push"
                                          : "an actuator with this gain or bias would push");
        r->drive = NULL;
        return true;
    }
    // A gain and a linear law
    r->drive->gain = gain[0];
    r->drive->gain_length = affine_gain ? gain[1] : 0.0;
    r->drive->gain_rate = affine_gain ? gain[2] : 0.0;
    if (all.dynamics > 0 && !read_memory(m, r, all.dynamics == 1)) {
        return false;
    }
    if (all.bias_type == 1) {
        r->drive->bias = bias[0];
        r->drive->proportional = -bias[1];
        r->drive->derivative = -bias[2];
        // Of what is like a servo of position, a positive number is a damping ratio
        if (bias[2] > 0.0 && gain[0] == -bias[1] && gain[0] > 0.0 &&
            !damp_by_ratio(m, r, "biasprm", bias[2], gain[0], &r->drive->derivative)) {
            return false;
        }
    } else {
        hf_mjcf_mark(&r->view, "biasprm", HF_FATE_SEEN, "biastype none: no bias acts");
    }
    return true;
}

static bool read_range(hf_mjcf *m, const hf_mjcf_drive *r, const char *range, const char *limited,
                       double *low, double *high)
{
    double n[2] = {0, 0};
    bool on = false;
    if (!hf_mjcf_range(m, &r->view, range, limited, n, &on)) {
        return false;
    }
    if (on) {
        *low = n[0];
        *high = n[1];
    }
    return true;
}

// armature and damping of the actuator add to its joint's, times gear^2.
static bool add_to_joint(hf_mjcf *m, const hf_mjcf_drive *r)
{
    double armature = 0.0, damping = 0.0;
    if (!hf_mjcf_number(m, &r->view, "armature", &armature) ||
        !hf_mjcf_number(m, &r->view, "damping", &damping)) {
        return false;
    }
    if (!(armature >= 0.0 && damping >= 0.0)) {
        return hf_xml_fail_at(hf_mjcf_peek(&r->view, armature < 0.0 ? "armature" : "damping"),
                              m->robot->error, HF_ERROR_RANGE,
                              "armature and damping of an actuator must not be negative");
    }
    if (r->link < 0) {
        hf_mjcf_mark(&r->view, "armature", HF_FATE_MISSING, "inertia along what it drives");
        hf_mjcf_mark(&r->view, "damping", HF_FATE_MISSING, "damping along what it drives");
        return true;
    }
    m->robot->links.items[r->link].armature += r->gear * r->gear * armature;
    m->robot->links.items[r->link].damping += r->gear * r->gear * damping;
    return true;
}

typedef enum kind {
    GENERAL,
    MOTOR,
    POSITION,
    VELOCITY,
    DAMPER,
    INTEGRATED,
    CYLINDER,
    DCMOTOR,
    ADHESION,
    KIND_COUNT
} kind;
static const char *const KINDS[KIND_COUNT] = {"general",  "motor",   "position",
                                              "velocity", "damper",  "intvelocity",
                                              "cylinder", "dcmotor", "adhesion"};

static bool read_dcmotor(hf_mjcf *m, hf_mjcf_drive *r)
{
    bool known = false;
    if (!hf_mjcf_read_motor(m, &r->view, r->drive, &known)) {
        return false;
    }
    bool at_site = r->drive->on.wrench.there && !r->drive->on.wrench.between;
    if (!known || at_site) {
        hf_xml_mark_all(r->view.element, HF_FATE_MISSING,
                        known ? "a motor with a circuit would push at a site"
                              : "a motor with this input would drive");
        r->drive = NULL;
    }
    return true;
}

static bool read_own_kind(hf_mjcf *m, hf_mjcf_drive *r, kind what)
{
    double kv = r->gains.gain[0];
    r->drive->gain = what == ADHESION ? kv : 1.0;
    switch (what) {
    case GENERAL:
        return read_general(m, r);
    case MOTOR:
        return true;
    case ADHESION:
        return hf_mjcf_number(m, &r->view, "gain", &r->drive->gain);
    case POSITION:
        return read_position(m, r);
    case VELOCITY:
        if (!hf_mjcf_number(m, &r->view, "kv", &kv)) {
            return false;
        }
        r->drive->gain = r->drive->derivative = kv;
        return true;
    case DAMPER:
        return read_damper(m, r);
    case INTEGRATED:
        return read_integrated(m, r);
    case CYLINDER:
        return read_cylinder(m, r);
    case DCMOTOR:
        return read_dcmotor(m, r);
    case KIND_COUNT:
        break;
    }
    return true;
}

// Its gains, from what its classes say of its kind, over what they say of others.
static bool read_kind(hf_mjcf *m, hf_mjcf_drive *r, kind what)
{
    int levels = r->view.levels.count;
    bool starts_anew = what == MOTOR || what == DAMPER || what == DCMOTOR;
    bool read = starts_anew || hf_mjcf_inherit_gains(m, &r->view, &r->gains);
    read = read && read_own_kind(m, r, what);
    r->view.levels.count = levels;
    return read;
}

// A force that draws has no law but its gain: limits of the force are limits of its input.
static void hold_range(hf_mjcf_drive *r)
{
    hf_robot_drive *d = r->drive;
    if (!(d->gain > 0.0) || d->memory != HF_ROBOT_DIRECT || d->bias != 0.0 ||
        d->proportional != 0.0 || d->derivative != 0.0 || d->gain_length != 0.0 ||
        d->gain_rate != 0.0) {
        hf_xml_mark_all(r->view.element, HF_FATE_MISSING,
                        "an actuator with this gain or bias would draw its body to others");
        r->drive = NULL;
        return;
    }
    d->input_low = fmax(d->input_low, d->low / d->gain);
    d->input_high = fmin(d->input_high, d->high / d->gain);
    d->low = -INFINITY;
    d->high = INFINITY;
}

static bool read_drive(hf_mjcf *m, hf_xml_element *e, kind what)
{
    hf_mjcf_drive r = {.link = -1};
    int number = m->actuators++;
    if (!hf_mjcf_look(m, e, KINDS[what], NULL, &r.view)) {
        return false;
    }
    // Its name and number
    hf_xml_attribute *name = hf_mjcf_get(&r.view, "name");
    int index = hf_robot_add_drive(m->robot, name == NULL ? NULL : name->value, "actuator");
    if (index < 0) {
        return false;
    }
    r.drive = &m->robot->drives.items[index];
    r.drive->from = e;
    r.drive->number = number;
    // What has no effect on motion
    static const char *const seen[] = {"group", "user", "lengthrange"};
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; ++i) {
        hf_mjcf_mark(&r.view, seen[i], HF_FATE_SEEN, "for programs and pictures");
    }
    // What it drives, how, and between which limits
    bool read = hf_mjcf_read_target(m, &r) && (r.drive == NULL || read_kind(m, &r, what)) &&
                (r.drive == NULL ||
                 (read_range(m, &r, "ctrlrange", "ctrllimited", &r.drive->input_low,
                             &r.drive->input_high) &&
                  read_range(m, &r, "forcerange", "forcelimited", &r.drive->low, &r.drive->high) &&
                  add_to_joint(m, &r)));
    if (read && r.drive != NULL && r.drive->on.adhesion.there) {
        hold_range(&r);
    }
    if (read && r.drive == NULL) {
        m->robot->drives.count -= 1;
    } else if (read && r.drive->on.wrench.there && !r.drive->on.wrench.between) {
        r.drive->proportional = r.drive->gain_length = 0.0; // the length of a site is zero
    }
    return read;
}

// The bound of all actuators of a joint together is that of its only one, or of the law that is
// made of several.
static void limit_joint(hf_mjcf *m, int index)
{
    hf_robot_link *link = &m->robot->links.items[index];
    hf_robot_drive *only = NULL;
    int count = 0, alone = 0;
    // What drives it
    for (size_t k = 0; k < m->robot->drives.count; ++k) {
        hf_robot_drive *drive = &m->robot->drives.items[k];
        for (int t = 0; t < drive->on.count; ++t) {
            bool here = drive->on.terms[t].link == index;
            count += here ? 1 : 0;
            alone += here && drive->on.count == 1 && !drive->motor.there ? 1 : 0;
            only = here && drive->on.count == 1 ? drive : only;
        }
    }
    // One, several by themselves, or more than that
    bool free_parts = only != NULL && (only->motor.cogging != 0.0 || only->motor.bristle > 0.0);
    if (count == 1 && only != NULL && !free_parts) {
        double g = only->on.terms[0].factor, a = link->least_effort / g, b = link->effort / g;
        only->low = fmax(only->low, fmin(a, b));
        only->high = fmin(only->high, fmax(a, b));
    } else if (count > 1 && alone == count && count <= HF_ROBOT_MOST_SHARED) {
        for (size_t k = 0; k < m->robot->drives.count; ++k) {
            hf_robot_drive *drive = &m->robot->drives.items[k];
            bool here = drive->on.count == 1 && drive->on.terms[0].link == index;
            drive->shared = here ? index + 1 : drive->shared;
        }
        return;
    } else if (count > 0) {
        hf_xml_mark_element(link->from, HF_FATE_MISSING,
                            "actuatorfrcrange would limit the sum of all that drives the joint");
    }
    link->effort = INFINITY;
}

bool hf_mjcf_read_drives(hf_mjcf *m)
{
    for (hf_xml_element *s = hf_xml_child(m->root, "actuator"); s != NULL; s = hf_xml_next(s)) {
        hf_xml_mark_element(s, HF_FATE_TAKEN, NULL);
        for (hf_xml_element *e = s->first; e != NULL; e = e->next) {
            int what = 0;
            while (what < KIND_COUNT && strcmp(KINDS[what], e->name) != 0) {
                ++what;
            }
            if (what == KIND_COUNT) {
                m->actuators += strcmp(e->name, "include") != 0 ? 1 : 0;
            } else if (!read_drive(m, e, (kind)what)) {
                return false;
            }
        }
    }
    for (size_t i = 0; i < m->robot->links.count; ++i) {
        if (isfinite(m->robot->links.items[i].effort)) {
            limit_joint(m, (int)i);
        }
    }
    return true;
}
