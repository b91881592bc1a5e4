// SPDX-License-Identifier: Apache-2.0
// Parts of random machines from seed 600000 on: gear trains on a moving base, closed chains whose
// inputs jump, solids on tables that tilt, cups that hold and let go, controllers whose samples
// fall within steps.
#include <math.h>
#include <stdio.h>

#include "maker.h"

// A motor, a shaft and a load on a base that turns to and fro: a gear that loads a friction, a
// one-way clutch or a brake behind it.
static void make_train(hf_maker *m)
{
    hf_random_section *bodies = &m->machine->bodies, *forces = &m->machine->forces;
    double ratio = hf_rng_log_uniform(&m->rng, 0.3, 6.0), inertia = hf_maker_uniform(m, 0.5, 2.0);
    double sway = hf_maker_uniform(m, 0.0, 0.05), w = hf_maker_uniform(m, 10.0, 30.0) / m->slow;
    double load = inertia * ratio * ratio * hf_maker_uniform(m, 0.2, 2.0);
    double spin = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, -0.5, 0.5) / m->slow;
    char torque[16], law[200];
    m->machine->heavy = false;
    hf_maker_add(bodies, "  b0: {type: rotor, inertia: %.4g, velocity: %.4g}\n",
                 hf_maker_heavy(m, inertia), 0.0);
    hf_maker_add(bodies, "  b1: {type: rotor, inertia: %.4g}\n", hf_maker_heavy(m, 0.5 * load));
    hf_maker_add(bodies, "  b2: {type: rotor, inertia: %.4g, velocity: %.4g}\n",
                 hf_maker_heavy(m, load), spin);
    hf_maker_add(bodies, "  b3: {type: driven, position: \"%.4g*(cos(%.4g*t) - 1)\"}\n", sway, w);
    m->bodies = 4;
    // the gear's housing is the base
    hf_maker_add(&m->machine->loops, "  l0: {type: ratio, ratio: {b0: 1, b1: %.4g, b3: %.4g}}\n",
                 -ratio, ratio - 1.0);
    hf_maker_signal(m, 6.0, torque);
    hf_maker_add(forces, "  - {name: f0, on: b0, type: torque, value: %s}\n", torque);
    double mu = hf_maker_uniform(m, 0.05, 0.25);
    if (hf_maker_once_in(m, 2)) {
        hf_maker_add(forces,
                     "  - {name: f%d, on: b0, to: b3, type: friction, law: coulomb, level: "
                     "{friction: %.3g}, normal: l0}\n",
                     forces->count, mu);
    }
    double hold = hf_maker_uniform(m, 0.2, 2.0) * ratio, back = hf_maker_uniform(m, 0.0, 0.2);
    switch (hf_rng_int(&m->rng, 0, 2)) {
    case 0: // drives the load one way
        hf_maker_add(forces,
                     "  - {name: f%d, on: b1, to: b2, type: friction, law: coulomb, level: "
                     "{coulomb: [%.4g, 1000]}}\n",
                     forces->count, back);
        break;
    case 1: // slips
        hf_maker_friction(m, hold, load, law);
        hf_maker_add(forces, "  - {name: f%d, on: b1, to: b2, type: friction, %s}\n", forces->count,
                     law);
        break;
    default: // has backlash
        hf_maker_add(forces,
                     "  - {name: f%d, on: b1, to: b2, type: stop, low: -0.002, high: 0.003, "
                     "restitution: %.2g}\n",
                     forces->count, hf_maker_once_in(m, 2) ? 0.0 : 0.4);
        break;
    }
    hf_maker_frictions(m, "b2", "b3", 3.0 * ratio, load);
    hf_maker_frictions(m, "b1", "world", 2.0 * ratio, load);
}

// A slider-crank with friction in its joints, a stop of the slider and a drive that jumps.
static void make_chain(hf_maker *m)
{
    hf_random_section *bodies = &m->machine->bodies, *forces = &m->machine->forces;
    double angle = hf_maker_uniform(m, 0.4, 2.6), s = 0.1 * sin(angle), rod = sqrt(0.09 - s * s);
    double x = 0.1 * cos(angle) + rod, mass = hf_maker_uniform(m, 0.5, 2.0);
    double bearing = hf_maker_once_in(m, 2) ? hf_maker_uniform(m, 0.05, 0.3) : 0.0;
    double low = x - hf_maker_uniform(m, 0.003, 0.03), high = x + hf_maker_uniform(m, 0.003, 0.03);
    double e = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, 0.1, 0.6);
    char torque[16], pull[16], own[80] = "";
    if (bearing > 0.0) {
        (void)snprintf(own, sizeof own, ", bearing: {radius: 0.01, friction: %.3g}", bearing);
    }
    hf_maker_add(bodies,
                 "  b0:\n    type: tree\n    joints:\n"
                 "      j0: {type: revolute, axis: [0, -1, 0], position: %.5g, mass: %.4g, center: "
                 "[0.05, 0, 0], inertia: [%.4g, %.4g, %.4g]%s}\n"
                 "      j1: {type: revolute, parent: j0, offset: [0.1, 0, 0], axis: [0, -1, 0], "
                 "guess: %.5g, mass: %.4g, center: [0.15, 0, 0], inertia: [%.4g, %.4g, %.4g]}\n",
                 angle, hf_maker_heavy(m, 1.0), hf_maker_heavy(m, 0.0002), hf_maker_heavy(m, 0.004),
                 hf_maker_heavy(m, 0.004), own, -angle - asin(s / 0.3), hf_maker_heavy(m, 0.5),
                 hf_maker_heavy(m, 0.0001), hf_maker_heavy(m, 0.00375), hf_maker_heavy(m, 0.00375));
    hf_maker_add(bodies,
                 "  b1: {type: tree, joints: {j0: {type: prismatic, axis: [1, 0, 0], guess: %.5g, "
                 "mass: %.4g}}}\n",
                 x, hf_maker_heavy(m, mass));
    m->bodies = 2;
    hf_maker_add(&m->machine->loops,
                 "  l0: {type: point, on: b0.j1, to: b1.j0, point: [0.3, 0, 0]}\n");
    hf_maker_signal(m, 1.2, torque);
    hf_maker_signal(m, 10.0, pull);
    hf_maker_add(forces, "  - {name: f%d, on: b0.j0, type: torque, value: %s}\n", forces->count,
                 torque);
    hf_maker_add(forces, "  - {name: f%d, on: b1.j0, type: force, value: %s}\n", forces->count,
                 pull);
    hf_maker_add(
        forces,
        "  - {name: f%d, on: b1.j0, type: stop, low: %.5g, high: %.5g, restitution: %.2g}\n",
        forces->count, low, high, e);
    hf_maker_frictions(m, "b1.j0", "world", 5.0, mass);
    hf_maker_frictions(m, "b0.j0", "world", 0.4, 0.01);
}

// A solid on a table that tilts or turns: friction unlike along and across, rolling and spinning.
static void make_table(hf_maker *m)
{
    hf_random_section *bodies = &m->machine->bodies, *forces = &m->machine->forces;
    double mu = hf_maker_uniform(m, 0.1, 0.6), across = mu * hf_maker_uniform(m, 0.3, 0.9);
    double tilt = hf_maker_uniform(m, 0.5, 1.6) * atan(mu), rate = hf_maker_uniform(m, 3.0, 8.0);
    double vx = hf_maker_uniform(m, -0.6, 0.6), vy = hf_maker_uniform(m, -0.6, 0.6);
    double spin = hf_maker_uniform(m, -8.0, 8.0), half = 0.001 * hf_rng_int(&m->rng, 30, 60);
    double roll = hf_maker_once_in(m, 2) ? hf_maker_uniform(m, 1e-4, 3e-3) : 0.0;
    double twist = hf_maker_once_in(m, 2) ? hf_maker_uniform(m, 1e-4, 5e-3) : 0.0;
    char grain[60] = "", motion[120];
    m->machine->heavy = true;
    if (hf_maker_once_in(m, 2)) {
        (void)snprintf(grain, sizeof grain, ", friction_across: %.3g", across);
    }
    if (hf_maker_once_in(m, 2)) {
        (void)snprintf(motion, sizeof motion, "axis: [0, 1, 0], angle: \"%.4g*sin(%.4g*t)\"", tilt,
                       rate / m->slow);
    } else {
        (void)snprintf(motion, sizeof motion, "axis: [0.2, -0.1, 1], angle: \"%.4g*t\"",
                       0.3 * rate / m->slow);
    }
    hf_maker_add(bodies,
                 "  b0: {type: driven, dim: 3, position: [0, 0, 0], %s, shapes: {top: {type: box, "
                 "size: [3, 3, 0.1], position: [0, 0, -0.05], friction: %.3g%s, spin_friction: "
                 "%.3g, rolling_friction: %.3g}}}\n",
                 motion, mu, grain, twist, roll);
    double height = half;
    char shape[120];
    switch (hf_rng_int(&m->rng, 0, 2)) {
    case 0:
        (void)snprintf(shape, sizeof shape, "{type: sphere, radius: %.4g}", half);
        break;
    case 1:
        (void)snprintf(shape, sizeof shape, "{type: box, size: [%.4g, %.4g, %.4g]}", 4.0 * half,
                       3.0 * half, 2.0 * half);
        break;
    default:
        (void)snprintf(shape, sizeof shape, "{type: cylinder, radius: %.4g, length: %.4g}",
                       1.8 * half, 2.0 * half);
        break;
    }
    hf_maker_add(bodies,
                 "  b1: {type: rigid, mass: %.4g, position: [0.1, 0.05, %.4g], velocity: [%.4g, "
                 "%.4g, 0], angular_velocity: [0, 0, %.4g], shape: %s}\n",
                 hf_maker_heavy(m, 1.0), height, vx / m->slow, vy / m->slow, spin / m->slow, shape);
    m->bodies = 2;
    hf_maker_add(forces,
                 "  - {name: f0, type: collide, among: all, restitution: 0, friction: %.3g}\n", mu);
}

// A cup on a wall that shakes: what draws it falls below what holds it, or lets go.
static void make_cup(hf_maker *m)
{
    hf_random_section *bodies = &m->machine->bodies, *forces = &m->machine->forces;
    double mass = hf_maker_uniform(m, 0.5, 2.0), mu = hf_maker_uniform(m, 0.4, 0.9);
    double holds = mass * 9.81 / mu, draw = holds * hf_maker_uniform(m, 1.05, 1.6);
    double less = holds * hf_maker_uniform(m, 0.3, 1.2), when = hf_maker_uniform(m, 0.04, 0.12);
    double sway = hf_maker_uniform(m, 0.0, 2.0), w = hf_maker_uniform(m, 15.0, 40.0);
    static const char *const solids[] = {"{type: box, size: [0.1, 0.2, 0.3]}",
                                         "{type: cylinder, radius: 0.1, length: 0.1, orientation: "
                                         "{axis: [0, 1, 0], angle: 90 deg}}"};
    m->machine->heavy = true;
    hf_maker_add(bodies,
                 "  b0: {type: driven, dim: 3, position: [0, \"%.4g*sin(%.4g*t)\", 0], shapes: "
                 "{wall: {type: box, size: [0.2, 4, 4], position: [-0.1, 0, 0]}}}\n",
                 sway / (w * w), w / m->slow);
    hf_maker_add(bodies,
                 "  b1: {type: rigid, mass: %.4g, position: [0.05, 0, 0], velocity: [0, %.4g, 0], "
                 "shapes: {cup: %s}}\n",
                 hf_maker_heavy(m, mass), sway / w / m->slow, solids[hf_rng_int(&m->rng, 0, 1)]);
    m->bodies = 2;
    hf_maker_add(forces,
                 "  - {name: f0, type: collide, among: all, restitution: 0, friction: %.4g}\n", mu);
    hf_maker_add(forces,
                 "  - {name: f1, type: force, adhesion: {on: b1, reach: 0.01}, value: \"t < %.4g ? "
                 "%.5g : %.5g\"}\n",
                 when * m->slow, draw, less);
}

// Masses held by controllers that sample at times of their own, with friction and stops.
static void make_sampled(hf_maker *m)
{
    hf_random_section *bodies = &m->machine->bodies, *forces = &m->machine->forces;
    int count = hf_rng_int(&m->rng, 1, 3);
    for (int i = 0; i < count; ++i) {
        double mass = hf_maker_uniform(m, 0.5, 3.0), start = hf_maker_uniform(m, -0.05, 0.05);
        double period = hf_maker_uniform(m, 0.0004, 0.02) * m->slow;
        double gain = mass * hf_rng_log_uniform(&m->rng, 50.0, 1000.0);
        double rate = 2.0 * hf_maker_uniform(m, 0.2, 0.8) * sqrt(gain * mass) * m->slow;
        double sum = gain * hf_maker_uniform(m, 0.0, 5.0) / m->slow;
        char on[16], goal[16];
        (void)snprintf(on, sizeof on, "b%d", i);
        hf_maker_signal(m, 0.05, goal);
        hf_maker_add(bodies, "  b%d: {type: mass, dim: 1, mass: %.4g, position: %.4g}\n", i,
                     hf_maker_heavy(m, mass), start);
        hf_maker_add(forces,
                     "  - {name: f%d, on: %s, type: controller, reference: %s, proportional: %.4g, "
                     "derivative: %.4g, integral: %.4g, low: -20, high: 20, period: %.5g}\n",
                     forces->count, on, goal, gain, rate, sum, period);
        hf_maker_frictions(m, on, "world", 4.0, mass);
        if (i > 0) {
            char before[16];
            (void)snprintf(before, sizeof before, "b%d", i - 1);
            hf_maker_frictions(m, on, before, 2.0, mass);
        }
        if (m->laws == EXACT && hf_maker_once_in(m, 2)) {
            double e = hf_maker_once_in(m, 2) ? 0.0 : hf_maker_uniform(m, 0.0, 0.7);
            hf_maker_add(forces,
                         "  - {name: f%d, on: %s, type: stop, low: %.4g, high: %.4g, restitution: "
                         "%.2g}\n",
                         forces->count, on, start - hf_maker_uniform(m, 0.002, 0.03), start + 0.02,
                         e);
        }
    }
    m->bodies = count;
    m->machine->heavy = false;
}

void hf_maker_wider(hf_maker *m)
{
    static void (*const kinds[])(hf_maker *) = {make_train, make_chain, make_table, make_cup,
                                                make_sampled};
    m->laws = hf_maker_once_in(m, 4) ? COMPLIANT : EXACT;
    kinds[m->machine->seed % (sizeof kinds / sizeof *kinds)](m);
}
