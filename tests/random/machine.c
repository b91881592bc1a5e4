// SPDX-License-Identifier: Apache-2.0
// Random machines as text of a model file.
#include "machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maker.h"

void hf_maker_add(hf_random_section *section, const char *format, ...)
{
    if (section->count == HF_RANDOM_LINES) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(section->lines[section->count++], HF_RANDOM_LINE, format, arguments);
    va_end(arguments);
}

// A draw stands in a statement of its own: compilers evaluate a call's arguments in unlike orders.
double hf_maker_uniform(hf_maker *m, double low, double high)
{
    return hf_rng_uniform(&m->rng, low, high);
}

// True once in `odds` times.
bool hf_maker_once_in(hf_maker *m, int odds)
{
    return hf_rng_int(&m->rng, 1, odds) == 1;
}

double hf_maker_heavy(const hf_maker *m, double mass)
{
    return mass * m->slow * m->slow;
}

// ------------------------------------------------------------------------------------------------
// Signals

// A signal of about this size, with or without jumps and kinks. Writes its name.
void hf_maker_signal(hf_maker *m, double size, char name[16])
{
    hf_random_section *to = &m->machine->signals;
    double a = hf_maker_uniform(m, -size, size), b = hf_maker_uniform(m, -size, size),
           w = hf_maker_uniform(m, 5.0, 40.0);
    double when = hf_maker_uniform(m, 0.02, 0.15) * m->slow, tenth = 0.1 * m->slow,
           last = 0.3 * m->slow;
    w /= m->slow;
    (void)snprintf(name, 16, "s%d", to->count);
    switch (hf_rng_int(&m->rng, 0, 8)) {
    case 0:
        hf_maker_add(to, "  %s: \"%.4g*sin(%.4g*t)\"\n", name, a, w);
        break;
    case 1:
        hf_maker_add(to, "  %s: \"t < %.4g ? %.4g : %.4g\"\n", name, when, a, b);
        break;
    case 2:
        hf_maker_add(to, "  %s: \"%.4g*abs(t - %.4g)/%.4g\"\n", name, a, when, tenth);
        break;
    case 3:
        hf_maker_add(to, "  %s: \"%.4g*min(t, %.4g)/%.4g\"\n", name, a, when, tenth);
        break;
    case 4:
        hf_maker_add(to, "  %s: \"%.4g*sign(sin(%.4g*t + 0.3))\"\n", name, a, w);
        break;
    case 5:
        hf_maker_add(
            to,
            "  %s: {table: {points: [[0, %.4g], [%.4g, %.4g], [%.4g, %.4g]], interpolation: "
            "hold}}\n",
            name, a, when, b, last, -a);
        break;
    case 6:
        hf_maker_add(to, "  %s: {table: {points: [[0, %.4g], [%.4g, %.4g], [%.4g, %.4g]]}}\n", name,
                     a, when, b, last, -a);
        break;
    case 7:
        hf_maker_add(to, "  %s: \"%.4g*max(sin(%.4g*t), 0.2)\"\n", name, a, w);
        break;
    default:
        hf_maker_add(to, "  %s: %.4g\n", name, a);
        break;
    }
}

// ------------------------------------------------------------------------------------------------
// Forces on one coordinate

// The law of a friction of about this level [N or Nm], and its parameters.
void hf_maker_friction(hf_maker *m, double level, double mass, char text[200])
{
    double most = hf_maker_once_in(m, 2) ? level : level * hf_maker_uniform(m, 1.0, 1.6);
    double stiffness = 4000.0 * mass, damping = 20.0 * mass * m->slow, curved = 0.05 / m->slow;
    if (m->laws == EXACT) {
        char curve[40] = "";
        if (hf_maker_once_in(m, 3)) {
            (void)snprintf(curve, sizeof curve, ", stribeck_velocity: %.4g", curved);
        }
        (void)snprintf(text, 200, "law: coulomb, level: {coulomb: %.4g, static: %.4g%s}", level,
                       most, curve);
        return;
    }
    switch (hf_rng_int(&m->rng, 0, 3)) {
    case 0:
        (void)snprintf(text, 200,
                       "law: lugre, level: {coulomb: %.4g, static: %.4g, stribeck_velocity: "
                       "%.4g}, stiffness: %.4g, damping: %.4g",
                       level, most, curved, stiffness, damping);
        break;
    case 1:
        (void)snprintf(text, 200, "law: dahl, level: {coulomb: %.4g}, stiffness: %.4g", level,
                       stiffness);
        break;
    default:
        (void)snprintf(text, 200,
                       "law: stiction, level: {coulomb: %.4g, static: %.4g}, stiffness: %.4g, "
                       "damping: %.4g",
                       level, most, stiffness, damping);
        break;
    }
}

void hf_maker_frictions(hf_maker *m, const char *on, const char *to, double size, double mass)
{
    int count = m->laws == SMOOTH ? 0 : hf_rng_int(&m->rng, 0, 2);
    for (int i = 0; i < count; ++i) {
        char law[200];
        hf_maker_friction(m, size * hf_maker_uniform(m, 0.1, 1.0), mass, law);
        hf_maker_add(&m->machine->forces, "  - {name: f%d, on: %s, to: %s, type: friction, %s}\n",
                     m->machine->forces.count, on, to, law);
    }
}

void hf_maker_add_arm(hf_maker *m, const hf_maker_arm *arm)
{
    hf_maker_add(&m->machine->bodies,
                 "  b%d:\n    type: tree\n    joints:\n"
                 "      j0: {type: revolute, axis: [0, 1, 0], mass: %.4g, center: [0.25, 0, 0], "
                 "inertia: [%.4g, %.4g, %.4g], offset: [0, 0, %.*g], position: %.4g, velocity: "
                 "%.4g}\n"
                 "      j1: {type: revolute, axis: [0, 1, 0], parent: j0, offset: [0.5, 0, 0], "
                 "mass: %.4g, center: [0.25, 0, 0], inertia: [%.4g, %.4g, %.4g], position: %.4g, "
                 "velocity: %.4g}\n",
                 m->bodies++, arm->mass, arm->inertia, arm->inertia, arm->inertia, arm->digits,
                 arm->height, arm->first, arm->spins[0], arm->mass, arm->inertia, arm->inertia,
                 arm->inertia, arm->second, arm->spins[1]);
    hf_maker_add(&m->machine->forces,
                 "  - {name: f0, on: b0.j1, point: [0.5, 0, 0], type: contact, law: rigid-contact, "
                 "friction: %.4g, restitution: 0}\n",
                 arm->friction);
}

// Whatever acts on a coordinate at `start`; forces are of about `size`.
void hf_maker_load(hf_maker *m, const char *on, double size, double mass, double start)
{
    hf_random_section *to = &m->machine->forces;
    char name[16];
    if (hf_maker_once_in(m, 2)) {
        hf_maker_signal(m, size, name);
        hf_maker_add(to, "  - {name: f%d, on: %s, type: force, value: %s}\n", to->count, on, name);
    }
    if (hf_maker_once_in(m, 2)) {
        double damping = mass * hf_maker_uniform(m, 0.0, 3.0) * m->slow;
        double stiffness = mass * hf_rng_log_uniform(&m->rng, 20.0, 2000.0);
        hf_maker_add(to, "  - {name: f%d, on: %s, type: spring, stiffness: %.4g, damping: %.4g}\n",
                     to->count, on, stiffness, damping);
    }
    if (hf_maker_once_in(m, 4)) {
        hf_maker_signal(m, 0.05, name);
        char period[40] = "";
        if (hf_maker_once_in(m, 2)) {
            (void)snprintf(period, sizeof period, ", period: %.3g",
                           hf_maker_uniform(m, 0.002, 0.02) * m->slow);
        }
        hf_maker_add(to,
                     "  - {name: f%d, on: %s, type: controller, reference: %s, proportional: %.4g, "
                     "derivative: %.4g, integral: %.4g, low: %.4g, high: %.4g%s}\n",
                     to->count, on, name, mass * 200.0, mass * 10.0 * m->slow,
                     mass * 300.0 / m->slow, -2.0 * size, 2.0 * size, period);
    }
    if (m->laws == EXACT && hf_maker_once_in(m, 3)) {
        double restitution = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, 0.0, 0.8);
        double high = start + hf_maker_uniform(m, 0.002, 0.05),
               low = start - hf_maker_uniform(m, 0.0, 0.05);
        hf_maker_add(
            to, "  - {name: f%d, on: %s, type: stop, low: %.4g, high: %.4g, restitution: %.3g}\n",
            to->count, on, low, high, restitution);
    }
    hf_maker_frictions(m, on, "world", size, mass);
}

// ------------------------------------------------------------------------------------------------
// Bodies

static void make_mass(hf_maker *m)
{
    int number = m->bodies++;
    double mass = hf_maker_uniform(m, 0.5, 3.0), start = hf_maker_uniform(m, -0.1, 0.1);
    char on[16];
    (void)snprintf(on, sizeof on, "b%d", number);
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: mass, dim: 1, mass: %.4g, position: %.4g, velocity: %.4g}\n",
                 number, hf_maker_heavy(m, mass), start,
                 hf_maker_once_in(m, 3) ? 0.0 : hf_maker_uniform(m, -0.5, 0.5) / m->slow);
    hf_maker_load(m, on, 6.0, mass, start);
    // To the mass before it, if there is one
    if (number > 0 && strstr(m->machine->bodies.lines[number - 1], "dim: 1") != NULL) {
        char before[16];
        (void)snprintf(before, sizeof before, "b%d", number - 1);
        hf_maker_frictions(m, on, before, 4.0, 0.5);
        if (hf_maker_once_in(m, 2)) {
            hf_maker_add(&m->machine->forces,
                         "  - {name: f%d, on: %s, to: %s, type: spring, stiffness: %.4g}\n",
                         m->machine->forces.count, on, before,
                         hf_rng_log_uniform(&m->rng, 20.0, 1000.0));
        }
    }
}

// A mass on a belt.
static void make_belt(hf_maker *m)
{
    int number = m->bodies;
    m->bodies += 2;
    char motion[16], on[16], belt[16], law[200];
    hf_maker_signal(m, 0.4 / m->slow, motion);
    (void)snprintf(on, sizeof on, "b%d", number);
    (void)snprintf(belt, sizeof belt, "b%d", number + 1);
    double mass = hf_maker_uniform(m, 0.5, 3.0);
    hf_maker_add(&m->machine->bodies, "  %s: {type: mass, dim: 1, mass: %.4g}\n", on,
                 hf_maker_heavy(m, mass));
    hf_maker_add(&m->machine->bodies, "  %s: {type: driven, velocity: %s}\n", belt, motion);
    hf_maker_load(m, on, 4.0, mass, 0.0);
    if (m->laws != SMOOTH) {
        hf_maker_friction(m, hf_maker_uniform(m, 0.5, 5.0), mass, law);
        hf_maker_add(&m->machine->forces, "  - {name: f%d, on: %s, to: %s, type: friction, %s}\n",
                     m->machine->forces.count, on, belt, law);
    }
}

static void make_tree(hf_maker *m)
{
    int number = m->bodies++, joints = hf_rng_int(&m->rng, 1, 3);
    char text[HF_RANDOM_LINE] = "";
    size_t used = 0;
    for (int i = 0; i < joints; ++i) {
        char parent[60] = "";
        if (i > 0) {
            (void)snprintf(parent, sizeof parent, "parent: j%d, offset: [0.3, 0, 0], ", i - 1);
        }
        double velocity = hf_maker_uniform(m, -1.0, 1.0) / m->slow,
               position = hf_maker_uniform(m, -1.5, 1.5);
        double mass = hf_maker_uniform(m, 0.3, 1.0);
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "      j%d: {type: revolute, axis: [0, 1, 0], %smass: %.3g, center: [0.15, 0, 0], "
            "inertia: [%.3g, %.3g, %.3g], position: %.3g, velocity: %.3g}\n",
            i, parent, hf_maker_heavy(m, mass), hf_maker_heavy(m, 0.001), hf_maker_heavy(m, 0.004),
            hf_maker_heavy(m, 0.004), position, velocity);
        used = used < sizeof text ? used : sizeof text - 1;
    }
    hf_maker_add(&m->machine->bodies, "  b%d:\n    type: tree\n    joints:\n%s", number, text);
    for (int i = 0; i < joints; ++i) {
        char on[24];
        (void)snprintf(on, sizeof on, "b%d.j%d", number, i);
        if (hf_maker_once_in(m, 2)) {
            hf_maker_frictions(m, on, "world", 0.5, 0.02);
        }
    }
}

// A sphere or a box above the floor, or resting on it.
static void make_rigid(hf_maker *m)
{
    int number = m->bodies++;
    bool box = hf_maker_once_in(m, 2);
    double half = 0.001 * hf_rng_int(&m->rng, 40, 100),
           gap = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, 0.0, 0.02);
    char shape[80], contact[120];
    (void)snprintf(shape, sizeof shape,
                   box ? "{type: box, size: [%.4g, %.4g, %.4g]}" : "{type: sphere, radius: %.4g}",
                   box ? 4.0 * half : half, 4.0 * half, 2.0 * half);
    double across = hf_maker_uniform(m, -0.3, 0.3) / m->slow,
           along = hf_maker_uniform(m, -0.5, 0.5) / m->slow;
    double mass = hf_maker_heavy(m, hf_maker_uniform(m, 0.5, 2.0));
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: rigid, mass: %.4g, shape: %s, position: [%.4g, 0, %.6g], "
                 "velocity: [%.4g, %.4g, 0]}\n",
                 number, mass, shape, 0.6 * number, half + gap, along, across);
    double restitution = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, 0.1, 0.7);
    double friction = hf_maker_uniform(m, 0.0, 0.8);
    (void)snprintf(contact, sizeof contact, "law: rigid-contact, friction: %.3g, restitution: %.3g",
                   friction, restitution);
    if (m->laws != SMOOTH) {
        hf_maker_add(&m->machine->forces, "  - {name: f%d, on: b%d, type: contact, %s}\n",
                     m->machine->forces.count, number, contact);
    }
    m->machine->heavy = true;
}

// Two masses in space on rods: a double pendulum.
static void make_rods(hf_maker *m)
{
    int number = m->bodies;
    m->bodies += 2;
    double y = hf_maker_uniform(m, -0.2, 0.2), x = hf_maker_uniform(m, -0.2, 0.2);
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: mass, mass: %.4g, position: [%.4g, %.4g, -0.3]}\n", number,
                 hf_maker_heavy(m, 1.0), x, y);
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: mass, mass: %.4g, position: [0.1, %.4g, -0.7]}\n", number + 1,
                 hf_maker_heavy(m, 0.5), hf_maker_uniform(m, -0.2, 0.2));
    hf_maker_add(&m->machine->loops, "  l%d: {type: distance, on: b%d, to: world, length: 0.4}\n",
                 m->machine->loops.count, number);
    hf_maker_add(&m->machine->loops, "  l%d: {type: distance, on: b%d, to: b%d, length: 0.4}\n",
                 m->machine->loops.count, number + 1, number);
}

// A screw: a light drive and a heavy load by a ratio of any size, frictions on both sides.
static void make_screw(hf_maker *m)
{
    int number = m->bodies;
    m->bodies += 2;
    double ratio = hf_rng_log_uniform(&m->rng, 1e-3, 10.0), mass = hf_maker_uniform(m, 0.5, 2.0);
    double load = mass / (ratio * ratio) * hf_maker_uniform(m, 0.1, 2.0);
    char drive[16], nut[16];
    (void)snprintf(drive, sizeof drive, "b%d", number);
    (void)snprintf(nut, sizeof nut, "b%d", number + 1);
    hf_maker_add(&m->machine->bodies, "  %s: {type: mass, dim: 1, mass: %.4g}\n", drive,
                 hf_maker_heavy(m, mass));
    hf_maker_add(&m->machine->bodies, "  %s: {type: mass, dim: 1, mass: %.6g}\n", nut,
                 hf_maker_heavy(m, load));
    hf_maker_add(&m->machine->loops, "  l%d: {type: ratio, ratio: {%s: %.6g, %s: -1}}\n",
                 m->machine->loops.count, drive, ratio, nut);
    hf_maker_load(m, drive, 6.0, mass, 0.0);
    hf_maker_frictions(m, nut, "world", 6.0 / ratio, load);
}

// A mass that falls onto its floor and bounces, and one in it with play, which is pulled up.
static void make_play(hf_maker *m)
{
    int number = m->bodies;
    m->bodies += 2;
    double height = hf_maker_uniform(m, 0.0, 0.003), e = hf_maker_uniform(m, 0.0, 0.6),
           play = hf_maker_uniform(m, 0.005, 0.03);
    double up = hf_maker_uniform(m, 11.0, 20.0), start = hf_maker_uniform(m, 0.0, 0.5) * play;
    hf_random_section *to = &m->machine->forces;
    hf_maker_add(&m->machine->bodies, "  b%d: {type: mass, dim: 1, mass: %.4g, position: %.4g}\n",
                 number, hf_maker_heavy(m, 1.0), height);
    hf_maker_add(&m->machine->bodies, "  b%d: {type: mass, dim: 1, mass: %.4g, position: %.4g}\n",
                 number + 1, hf_maker_heavy(m, 1.0), height + start);
    hf_maker_add(to, "  - {name: f%d, on: b%d, type: force, value: -9.81}\n", to->count, number);
    hf_maker_add(to, "  - {name: f%d, on: b%d, type: stop, low: 0, restitution: %.3g}\n", to->count,
                 number, e);
    hf_maker_add(to, "  - {name: f%d, on: b%d, type: force, value: %.4g}\n", to->count, number + 1,
                 up - 9.81);
    hf_maker_add(
        to,
        "  - {name: f%d, on: b%d, to: b%d, type: stop, low: 0, high: %.4g, restitution: %.3g}\n",
        to->count, number + 1, number, play, e);
}

// Machines from here on have kinds that were added later: those before are as they were.
enum {
    LATER = 100000,
    LATEST = 200000,
    ITEMS = 300000,
    SOLIDS = 400000,
    FAULTS = 500000,
    WIDER = 600000
};

static void make_later(hf_maker *m)
{
    if (m->laws == EXACT && hf_maker_once_in(m, 2)) {
        make_play(m);
    } else {
        make_screw(m);
    }
}

void hf_random_machine_make(hf_random_machine *machine, uint64_t seed, double slow)
{
    *machine = (hf_random_machine){.seed = seed, .slow = slow};
    hf_maker m = {.machine = machine, .rng = hf_rng_create(seed), .slow = slow};
    static const hf_random_family often[] = {EXACT, EXACT, EXACT, COMPLIANT, COMPLIANT, SMOOTH};
    m.laws = often[hf_rng_int(&m.rng, 0, 5)];
    machine->heavy = hf_rng_bool(&m.rng);
    int wanted = hf_rng_int(&m.rng, 1, 5);
    if (seed >= WIDER) {
        hf_maker_wider(&m);
        return;
    }
    if (seed >= FAULTS) {
        hf_maker_faults(&m);
        return;
    }
    if (seed >= SOLIDS) {
        hf_maker_solids(&m);
        return;
    }
    if (seed >= ITEMS) {
        hf_maker_items(&m);
        return;
    }
    if (seed >= LATEST) {
        hf_maker_latest(&m);
    } else if (seed >= LATER) {
        make_later(&m);
    }
    while (m.bodies < wanted) {
        switch (hf_rng_int(&m.rng, 0, 9)) {
        case 0:
        case 1:
            make_belt(&m);
            break;
        case 2:
            make_tree(&m);
            break;
        case 3:
            make_rigid(&m);
            break;
        case 4:
            make_rods(&m);
            break;
        default:
            make_mass(&m);
            break;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Text

static void append(char *text, const char *title, const hf_random_section *section, hf_rng *rng)
{
    int order[HF_RANDOM_LINES];
    if (section->count == 0) {
        return;
    }
    for (int i = 0; i < section->count; ++i) {
        int j = rng == NULL ? i : hf_rng_int(rng, 0, i);
        order[i] = i;
        order[i] = order[j];
        order[j] = i;
    }
    (void)strcat(text, title);
    for (int i = 0; i < section->count; ++i) {
        (void)strcat(text, section->lines[order[i]]);
    }
}

char *hf_random_machine_text(const hf_random_machine *machine, uint64_t shuffle)
{
    char *text = malloc(5 * HF_RANDOM_LINES * HF_RANDOM_LINE);
    if (text == NULL) {
        return NULL;
    }
    hf_rng rng = hf_rng_create(shuffle), *order = shuffle == 0 ? NULL : &rng;
    double slow = machine->slow;
    (void)sprintf(text, "gravity: [0, 0, %.4g]\nduration: %.4g\n",
                  machine->heavy ? -9.81 / (slow * slow) : 0.0, 0.2 * slow);
    append(text, "signals:\n", &machine->signals, order);
    append(text, "bodies:\n", &machine->bodies, order);
    append(text, "forces:\n", &machine->forces, order);
    append(text, "loops:\n", &machine->loops, order);
    return text;
}
