// SPDX-License-Identifier: Apache-2.0
// Parts of random machines that came last: belts that jump and have kinks under several frictions,
// gates, arms between their stops, clutches and backlash by ratios, masses driven by tables.
#include <stdio.h>

#include "maker.h"

// How a belt moves: by its velocity, or by its place, with a jump of the velocity at `when`.
static void write_motion(hf_maker *m, char text[120])
{
    char signal[16];
    double v = hf_maker_uniform(m, -0.4, 0.4) / m->slow, u = hf_maker_uniform(m, -0.4, 0.4);
    double when = hf_maker_uniform(m, 0.02, 0.15) * m->slow;
    double w = hf_maker_uniform(m, 5.0, 40.0) / m->slow;
    switch (hf_rng_int(&m->rng, 0, 5)) {
    case 0:
        (void)snprintf(text, 120, "position: \"%.4g*min(t, %.4g)\"", v, when);
        break;
    case 1:
        (void)snprintf(text, 120, "position: \"%.4g*abs(t - %.4g)\"", v, when);
        break;
    case 2:
        (void)snprintf(text, 120, "position: \"%.4g*sin(%.4g*t)\"", 0.03 * u, w);
        break;
    case 3:
        (void)snprintf(text, 120, "velocity: \"t < %.4g ? %.4g : %.4g\"", when, v, u / m->slow);
        break;
    default:
        hf_maker_signal(m, 0.4 / m->slow, signal);
        (void)snprintf(text, 120, "velocity: %s", signal);
        break;
    }
}

// A gate that closes or opens within the run, or none.
static void write_gate(hf_maker *m, char text[80])
{
    double when = hf_maker_uniform(m, 0.02, 0.15) * m->slow;
    double end = when + hf_maker_uniform(m, 0.01, 0.05) * m->slow;
    text[0] = '\0';
    switch (hf_rng_int(&m->rng, 0, 4)) {
    case 0:
        (void)snprintf(text, 80, ", enable: \"t < %.4g ? 1 : 0\"", when);
        break;
    case 1:
        (void)snprintf(text, 80, ", enable: \"t < %.4g ? 0 : 1\"", when);
        break;
    case 2:
        (void)snprintf(text, 80, ", enable: \"t > %.4g && t < %.4g ? 1 : 0\"", when, end);
        break;
    default:
        break;
    }
}

// Frictions, each with a gate of its own.
static void rub(hf_maker *m, const char *on, const char *to, double size, double mass, int count)
{
    hf_random_section *forces = &m->machine->forces;
    for (int i = 0; i < count && m->laws != SMOOTH; ++i) {
        char law[200], gate[80];
        hf_maker_friction(m, size * hf_maker_uniform(m, 0.1, 1.0), mass, law);
        write_gate(m, gate);
        hf_maker_add(forces, "  - {name: f%d, on: %s, to: %s, type: friction, %s%s}\n",
                     forces->count, on, to, law, gate);
    }
}

// A mass on one or two belts, with several frictions, perhaps another mass on it.
static void make_belts(hf_maker *m)
{
    int number = m->bodies, belts = hf_rng_int(&m->rng, 1, 2);
    double mass = hf_maker_uniform(m, 0.5, 3.0);
    char on[16], belt[16], motion[120], other[16];
    (void)snprintf(on, sizeof on, "b%d", number);
    hf_maker_add(&m->machine->bodies, "  %s: {type: mass, dim: 1, mass: %.4g}\n", on,
                 hf_maker_heavy(m, mass));
    m->bodies += 1;
    for (int i = 0; i < belts; ++i) {
        write_motion(m, motion);
        (void)snprintf(belt, sizeof belt, "b%d", m->bodies++);
        hf_maker_add(&m->machine->bodies, "  %s: {type: driven, %s}\n", belt, motion);
        rub(m, on, belt, 5.0, mass, hf_rng_int(&m->rng, 1, 2));
    }
    hf_maker_load(m, on, 4.0, mass, 0.0);
    if (hf_maker_once_in(m, 2)) {
        (void)snprintf(other, sizeof other, "b%d", m->bodies++);
        hf_maker_add(&m->machine->bodies, "  %s: {type: mass, dim: 1, mass: %.4g}\n", other,
                     hf_maker_heavy(m, 0.5 * mass));
        rub(m, other, on, 3.0, mass, 2);
        rub(m, other, belt, 1.0, mass, 1);
    }
}

// An arm whose joints have stops, frictions and torques.
static void make_arm(hf_maker *m)
{
    int number = m->bodies++, joints = hf_rng_int(&m->rng, 1, 2);
    char text[HF_RANDOM_LINE] = "";
    size_t used = 0;
    for (int i = 0; i < joints; ++i) {
        double position = hf_maker_uniform(m, -0.3, 0.3), mass = hf_maker_uniform(m, 0.3, 1.0);
        double velocity = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, -2.0, 2.0) / m->slow;
        char parent[60] = "";
        if (i > 0) {
            (void)snprintf(parent, sizeof parent, "parent: j%d, offset: [0, 0, -0.3], ", i - 1);
        }
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "      j%d: {type: revolute, axis: [0, 1, 0], %smass: %.3g, center: [0, 0, -0.15], "
            "inertia: [%.3g, %.3g, %.3g], position: %.3g, velocity: %.3g}\n",
            i, parent, hf_maker_heavy(m, mass), hf_maker_heavy(m, 0.004), hf_maker_heavy(m, 0.004),
            hf_maker_heavy(m, 0.001), position, velocity);
        used = used < sizeof text ? used : sizeof text - 1;
    }
    hf_maker_add(&m->machine->bodies, "  b%d:\n    type: tree\n    joints:\n%s", number, text);
    for (int i = 0; i < joints; ++i) {
        char on[24], torque[16], gate[80];
        hf_random_section *forces = &m->machine->forces;
        (void)snprintf(on, sizeof on, "b%d.j%d", number, i);
        hf_maker_signal(m, 1.0, torque);
        hf_maker_add(forces, "  - {name: f%d, on: %s, type: torque, value: %s}\n", forces->count,
                     on, torque);
        hf_maker_frictions(m, on, "world", 0.5, 0.02);
        double low = hf_maker_uniform(m, -0.6, -0.35), high = hf_maker_uniform(m, 0.35, 0.6);
        double e = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, 0.1, 0.6);
        if (m->laws == EXACT) {
            hf_maker_add(forces,
                         "  - {name: f%d, on: %s, type: stop, low: %.3g, high: %.3g, restitution: "
                         "%.3g}\n",
                         forces->count, on, low, high, e);
        }
        write_gate(m, gate);
        double stiffness = hf_maker_uniform(m, 0.5, 10.0);
        hf_maker_add(forces,
                     "  - {name: f%d, on: %s, type: spring, stiffness: %.3g, damping: %.3g%s}\n",
                     forces->count, on, stiffness, 0.01 * m->slow, gate);
    }
}

// Two shafts and what is between them: a clutch, a brake, backlash or a spring by a ratio.
static void make_drive(hf_maker *m)
{
    int number = m->bodies;
    m->bodies += 2;
    double ratio = hf_rng_log_uniform(&m->rng, 0.2, 5.0), inertia = hf_maker_uniform(m, 0.5, 2.0);
    double spin = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, -0.5, 0.5) / m->slow;
    char drive[16], load[16], gate[80], law[200], between[80];
    hf_random_section *forces = &m->machine->forces;
    (void)snprintf(drive, sizeof drive, "b%d", number);
    (void)snprintf(load, sizeof load, "b%d", number + 1);
    (void)snprintf(between, sizeof between, "ratio: {%s: %.4g, %s: -1}", drive, ratio, load);
    hf_maker_add(&m->machine->bodies, "  %s: {type: rotor, inertia: %.4g, velocity: %.4g}\n", drive,
                 hf_maker_heavy(m, inertia), spin);
    hf_maker_add(&m->machine->bodies, "  %s: {type: rotor, inertia: %.4g}\n", load,
                 hf_maker_heavy(m, inertia * ratio));
    hf_maker_load(m, drive, 6.0, inertia, 0.0);
    write_gate(m, gate);
    switch (m->laws == EXACT ? hf_rng_int(&m->rng, 0, 2) : 2) {
    case 0:
        hf_maker_friction(m, hf_maker_uniform(m, 1.0, 6.0), inertia, law);
        hf_maker_add(forces, "  - {name: f%d, %s, type: friction, %s%s}\n", forces->count, between,
                     law, gate);
        break;
    case 1:
        hf_maker_add(forces,
                     "  - {name: f%d, %s, type: stop, low: -0.005, high: %.3g, restitution: 0}\n",
                     forces->count, between, hf_maker_uniform(m, 0.002, 0.02));
        break;
    default:
        hf_maker_add(forces,
                     "  - {name: f%d, %s, type: spring, stiffness: %.4g, damping: %.3g%s}\n",
                     forces->count, between, hf_maker_uniform(m, 50.0, 500.0), 0.5 * m->slow, gate);
        break;
    }
    rub(m, load, "world", 4.0, inertia, hf_rng_int(&m->rng, 0, 2));
}

void hf_maker_latest(hf_maker *m)
{
    int first = hf_rng_int(&m->rng, 0, 2);
    for (int i = 0; i < 1 + (hf_maker_once_in(m, 3) ? 1 : 0); ++i) {
        switch ((first + i) % 3) {
        case 0:
            make_belts(m);
            break;
        case 1:
            make_arm(m);
            break;
        default:
            make_drive(m);
            break;
        }
    }
}
