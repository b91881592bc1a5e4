// SPDX-License-Identifier: Apache-2.0
// Parts of random machines from seed 500000 on: what shows faults that the kinds of items.c do not
// (docs/reliability.md, "Put back"). Each kind has something that moves, by which the rest is
// measured.
#include <math.h>
#include <stdio.h>

#include "maker.h"

static void add_mass(hf_maker *m, double mass, double position, double velocity)
{
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: mass, dim: 1, mass: %.4g, position: %.4g, velocity: %.4g}\n",
                 m->bodies++, hf_maker_heavy(m, mass), position, velocity / m->slow);
}

static void add_friction(hf_maker *m, const char *on, const char *to, double kinetic, double still,
                         const char *more)
{
    hf_random_section *forces = &m->machine->forces;
    hf_maker_add(forces,
                 "  - {name: f%d, on: %s, to: %s, type: friction, law: coulomb, level: {kinetic: "
                 "%.5g, static: %.5g}%s}\n",
                 forces->count, on, to, kinetic, still, more);
}

// Small balls that meet after a long and even flight.
static void make_far_balls(hf_maker *m)
{
    double radius = hf_maker_uniform(m, 0.002, 0.005), speed = hf_maker_uniform(m, 1.0, 1.8);
    double gap = speed * hf_maker_uniform(m, 0.08, 0.12), e = hf_maker_uniform(m, 0.2, 0.8);
    m->machine->plain = HF_PLAIN_AHEAD;
    m->machine->heavy = false;
    for (int i = 0; i < 2; ++i) {
        hf_maker_add(&m->machine->bodies,
                     "  b%d: {type: rigid, mass: %.4g, position: [%.5g, 0, 0], velocity: [%.5g, 0, "
                     "0], shape: {type: sphere, radius: %.4g}}\n",
                     m->bodies++, hf_maker_heavy(m, 1.0), i == 0 ? 0.0 : gap + 2.0 * radius,
                     i == 0 ? speed / m->slow : 0.0, radius);
    }
    hf_maker_add(&m->machine->forces,
                 "  - {name: f0, on: b0, to: b1, type: contact, friction: 0, restitution: %.3g}\n",
                 e);
}

// A box on a slope that friction holds, beside a mass that goes its way.
static void make_slope(hf_maker *m)
{
    double angle = hf_maker_uniform(m, 0.25, 0.35), mass = hf_maker_uniform(m, 1.0, 3.0);
    double s = sin(angle), c = cos(angle), half = 0.1;
    m->machine->heavy = true;
    m->machine->plain = HF_PLAIN_ALL;
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: rigid, mass: %.4g, shape: {type: box, size: [0.4, 0.3, 0.2]}, "
                 "position: [%.15g, 0, %.15g], orientation: {axis: [0, 1, 0], angle: %.15g}}\n",
                 m->bodies++, hf_maker_heavy(m, mass), -half * s, half * c, -angle);
    add_mass(m, 1.0, 0.0, 0.1);
    hf_maker_add(&m->machine->forces,
                 "  - {name: f0, on: b0, type: contact, friction: 0.5, restitution: 0, plane: "
                 "{normal: [%.15g, 0, %.15g]}}\n",
                 -s, c);
}

// A ball that bounces by numbers that are given, slow enough for every method's step.
static void make_given_bounce(hf_maker *m)
{
    double mass = hf_maker_uniform(m, 0.5, 2.0), speed = hf_maker_uniform(m, 1.0, 2.0);
    double omega = 300.0 / m->slow, share = hf_maker_uniform(m, 0.85, 1.0);
    m->machine->heavy = true;
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: mass, dim: 3, mass: %.4g, position: [0, 0, 0.05], velocity: [0, 0, "
                 "%.4g]}\n",
                 m->bodies++, hf_maker_heavy(m, mass), -speed / m->slow);
    hf_maker_add(
        &m->machine->forces,
        "  - {name: f0, on: b0, type: contact, law: rigid-contact, friction: 0, stiffness: "
        "%.5g, damping_time: %.4g, filter_time: %.4g}\n",
        hf_maker_heavy(m, mass) * omega * omega, 0.3 / omega, share * 0.3 / omega);
}

// What sticks to a table that shakes, another that sticks to it, and one that slips on it.
static void make_riders(hf_maker *m)
{
    double w = hf_maker_uniform(m, 40.0, 90.0), a = hf_maker_uniform(m, 2.0, 4.0);
    m->machine->plain = HF_PLAIN_ALL;
    hf_maker_add(&m->machine->bodies, "  b%d: {type: driven, position: \"%.5g*sin(%.5g*t)\"}\n",
                 m->bodies++, a / (w * w), w / m->slow);
    double moves = a / w;
    add_mass(m, 1.0, 0.0, moves);
    add_mass(m, 0.5, 0.0, moves);
    add_mass(m, 1.0, 0.0, 0.5);
    add_friction(m, "b1", "b0", 2.0 * a, 2.5 * a, "");
    add_friction(m, "b2", "b1", 0.6 * a, 0.8 * a, "");
    add_friction(m, "b3", "b0", 0.5 * a, 0.8 * a, "");
}

// An arm of two links whose tip strikes the floor so that its slip turns round, or stops.
static void make_striking_tip(hf_maker *m)
{
    double first = hf_maker_uniform(m, 0.5, 0.8), second = hf_maker_uniform(m, 0.9, 1.4);
    double mu = hf_maker_uniform(m, 0.1, 0.25), spin = hf_maker_uniform(m, 1.0, 2.5) / m->slow;
    double back = hf_maker_uniform(m, -3.0, 0.0) / m->slow;
    double mass = hf_maker_heavy(m, 1.0), inertia = hf_maker_heavy(m, 0.02);
    double height = 0.5 * (sin(first) + sin(second)) + hf_maker_uniform(m, 0.01, 0.04);
    m->machine->heavy = true;
    m->machine->coarse = 0.2;
    hf_maker_add_arm(m, &(hf_maker_arm){.mass = mass,
                                        .inertia = inertia,
                                        .height = height,
                                        .first = first,
                                        .second = second - first,
                                        .spins = {spin, back},
                                        .friction = mu,
                                        .digits = 5});
}

// A slider-crank with frictions on the crank's end and on the slider, whose drive rises to what
// both hold.
static void make_crank(hf_maker *m)
{
    double angle = hf_maker_uniform(m, 0.4, 1.2), one = hf_maker_uniform(m, 3.0, 6.0);
    double two = hf_maker_uniform(m, 2.0, 4.0), when = hf_maker_uniform(m, 0.09, 0.13);
    double s = 0.1 * sin(angle), rod = sqrt(0.09 - s * s);
    double way = s + s * 0.1 * cos(angle) / rod; // of the slider, by the crank's angle [m]
    hf_random_section *bodies = &m->machine->bodies, *forces = &m->machine->forces;
    m->machine->plain = HF_PLAIN_ALL;
    m->machine->heavy = false;
    hf_maker_add(bodies,
                 "  b%d:\n    type: tree\n    joints:\n"
                 "      j0: {type: revolute, axis: [0, -1, 0], position: %.5g, mass: %.4g, center: "
                 "[0.05, 0, 0], inertia: [%.4g, %.4g, %.4g]}\n"
                 "      j1: {type: revolute, parent: j0, offset: [0.1, 0, 0], axis: [0, -1, 0], "
                 "guess: %.5g, mass: %.4g, center: [0.15, 0, 0], inertia: [%.4g, %.4g, %.4g]}\n",
                 m->bodies++, angle, hf_maker_heavy(m, 1.0), hf_maker_heavy(m, 0.0002),
                 hf_maker_heavy(m, 0.004), hf_maker_heavy(m, 0.004), -angle - asin(s / 0.3),
                 hf_maker_heavy(m, 0.5), hf_maker_heavy(m, 0.0001), hf_maker_heavy(m, 0.00375),
                 hf_maker_heavy(m, 0.00375));
    hf_maker_add(bodies,
                 "  b%d: {type: tree, joints: {j0: {type: prismatic, axis: [1, 0, 0], guess: %.5g, "
                 "mass: %.4g}}}\n",
                 m->bodies++, 0.1 * cos(angle) + rod, hf_maker_heavy(m, 2.0));
    hf_maker_add(&m->machine->loops,
                 "  l0: {type: point, on: b0.j1, to: b1.j0, point: [0.3, 0, 0]}\n");
    hf_maker_add(forces, "  - {name: f%d, on: b0.j0, type: torque, value: \"%.6g*t\"}\n",
                 forces->count, (0.12 * one + 1.3 * two * way) / (when * m->slow));
    add_friction(m, "b0.j0, point: [0.1, 0, 0]", "world", one, 1.2 * one, "");
    add_friction(m, "b0.j1, point: [0.3, 0, 0]", "world", two, 1.3 * two, "");
}

// A heavy block that slides to rest on a plate of next to nothing, which friction below holds, and
// one that rides on it.
static void make_light_plate(hf_maker *m)
{
    double plate = hf_rng_log_uniform(&m->rng, 1e-5, 1e-3), top = hf_maker_uniform(m, 30.0, 60.0);
    double speed = hf_maker_uniform(m, 0.1, 0.3), mass = hf_maker_uniform(m, 5.0, 15.0);
    m->machine->plain = HF_PLAIN_ALL;
    add_mass(m, plate, 0.0, 0.0);
    add_mass(m, mass, 0.0, speed);
    add_friction(m, "b1", "b0", top, 1.5 * top, "");
    add_friction(m, "b0", "world", 0.75 * top, 1.4 * top, "");
}

// Blocks that rub on each other, on the ground and on belts: the friction between two that a belt
// carries breaks away under a load that hardly rises, where rounding turns the first motion round.
static void make_chain(hf_maker *m)
{
    static const double masses[] = {2.919, 2.255, 2.904}, places[] = {0.0327, 0.321, -0.1113},
                        rates[] = {0.0858, 0.0858, -0.1769};
    static const double pushes[] = {3.341, 4.235, 5.933}, turns[] = {4.542, 2.361, 3.297},
                        ahead[] = {7.97, 7.61, 11.59};
    hf_random_section *bodies = &m->machine->bodies, *forces = &m->machine->forces;
    double near = hf_maker_uniform(m, 0.995, 1.005), level = hf_maker_uniform(m, 0.99, 1.01);
    hf_maker_add(bodies, "  b%d: {type: driven, velocity: \"%.5g*abs(sin(%.5g*t + 20.16))\"}\n",
                 m->bodies++, 0.08877 / m->slow, 11.86 / m->slow);
    for (int i = 0; i < 3; ++i) {
        add_mass(m, masses[i], places[i], rates[i]);
        hf_maker_add(forces,
                     "  - {name: f%d, on: b%d, type: force, value: \"%.5g*sin(%.5g*t + %.4g)\"}\n",
                     forces->count, i + 1, near * pushes[i], turns[i] / m->slow, ahead[i]);
    }
    hf_maker_add(forces, "  - {name: f%d, on: b1, type: spring, stiffness: 69.28}\n",
                 forces->count);
    hf_maker_add(forces, "  - {name: f%d, on: b3, type: spring, stiffness: 82.55}\n",
                 forces->count);
    add_friction(m, "b1", "b0", 2.722 * level, 2.722 * level, "");
    add_friction(m, "b2", "world", 2.832 * level, 2.832 * level, "");
    add_friction(m, "b2", "b1", 3.925 * level, 3.925 * level, "");
    add_friction(m, "b3", "world", 3.943 * level, 3.943 * level, "");
    add_friction(m, "b3", "b0", 2.071 * level, 2.071 * level, "");
    add_friction(m, "b3", "b2", 1.226 * level, 1.226 * level, "");
}

// The tip of an arm on a taut rope: the shoulder turns round at its dead center, where its rate is
// zero for an instant while the elbow goes on.
static void make_rope(hf_maker *m)
{
    double s = hf_maker_uniform(m, 1.0, 1.1), e = hf_maker_uniform(m, -1.15, -1.05);
    double turn = hf_maker_uniform(m, 3.8, 4.6), bend = hf_maker_uniform(m, -9.0, -8.4);
    double x = 0.4 * cos(s) + 0.3 * cos(s + e) - 0.6, z = 0.4 * sin(s) + 0.3 * sin(s + e);
    double slack = hf_maker_uniform(m, 0.0, 0.003), bounce = hf_maker_uniform(m, 0.0, 0.3);
    m->machine->heavy = true;
    hf_maker_add(
        &m->machine->bodies,
        "  b%d:\n    type: tree\n    joints:\n"
        "      j0: {type: revolute, axis: [0, 1, 0], mass: %.4g, center: [0.2, 0, 0], "
        "inertia: [%.4g, %.4g, %.4g], position: %.5g, velocity: %.5g, bearing: {radius: "
        "0.02, friction: 0.3}}\n"
        "      j1: {type: revolute, axis: [0, 1, 0], parent: j0, offset: [0.4, 0, 0], mass: "
        "%.4g, center: [0.15, 0, 0], inertia: [%.4g, %.4g, %.4g], position: %.5g, "
        "velocity: %.5g}\n",
        m->bodies++, hf_maker_heavy(m, 1.0), hf_maker_heavy(m, 0.001), hf_maker_heavy(m, 0.02),
        hf_maker_heavy(m, 0.02), s, turn / m->slow, hf_maker_heavy(m, 0.6),
        hf_maker_heavy(m, 0.001), hf_maker_heavy(m, 0.01), hf_maker_heavy(m, 0.01), e,
        bend / m->slow);
    add_friction(m, "b0.j1", "world", 0.4, 0.6, "");
    hf_maker_add(&m->machine->forces,
                 "  - {name: f1, coupling: distance, on: b0.j1, point: [0.3, 0, 0], to: world, "
                 "to_point: [0.6, 0, 0], type: stop, high: %.5g, restitution: %.3g}\n",
                 hypot(x, z) + slack, bounce);
}

// A differential whose lock is off at first, under a torque that rises to what its bearings hold.
static void make_differential(hf_maker *m)
{
    double still = hf_maker_uniform(m, 0.5, 1.0), right = hf_maker_uniform(m, 0.75, 0.95);
    double in = hf_maker_uniform(m, 0.1, 0.3), when = hf_maker_uniform(m, 0.06, 0.1);
    char gate[60];
    m->machine->plain = HF_PLAIN_ALL;
    for (int i = 0; i < 3; ++i) {
        hf_maker_add(&m->machine->bodies, "  b%d: {type: rotor, inertia: %.4g}\n", m->bodies++,
                     hf_maker_heavy(m, i == 0 ? 0.01 : 0.03));
    }
    hf_maker_add(&m->machine->loops, "  l0: {type: ratio, ratio: {b1: 0.5, b2: 0.5, b0: -1}}\n");
    hf_maker_add(&m->machine->forces, "  - {name: f%d, on: b0, type: torque, value: \"%.6g*t\"}\n",
                 m->machine->forces.count, (2.0 * still + in) / (when * m->slow));
    add_friction(m, "b1", "world", 0.6 * still, still, "");
    add_friction(m, "b2", "world", right * still, still, "");
    add_friction(m, "b0", "world", 0.5 * in, in, "");
    (void)snprintf(gate, sizeof gate, ", enable: \"t > %.4g ? 1 : 0\"", (when + 0.03) * m->slow);
    add_friction(m, "b1", "b2", 0.3, 0.3, gate);
}

// A box that slides from one block to another, flush with it.
static void make_seam(hf_maker *m)
{
    double speed = hf_maker_uniform(m, 0.8, 1.2), mass = hf_maker_uniform(m, 0.5, 2.0);
    double start = -0.05 - hf_maker_uniform(m, 0.02, 0.05);
    hf_random_section *bodies = &m->machine->bodies;
    m->machine->heavy = true;
    for (int i = 0; i < 2; ++i) {
        hf_maker_add(bodies,
                     "  b%d: {type: static, shape: {type: box, size: [0.5, 1, 0.2]}, position: "
                     "[%.4g, 0, -0.1]}\n",
                     m->bodies++, i == 0 ? -0.25 : 0.25);
    }
    hf_maker_add(bodies,
                 "  b%d: {type: rigid, mass: %.4g, shape: {type: box, size: [0.1, 0.1, 0.1]}, "
                 "position: [%.5g, 0, 0.05], velocity: [%.4g, 0, 0]}\n",
                 m->bodies++, hf_maker_heavy(m, mass), start, speed / m->slow);
    hf_maker_add(&m->machine->forces,
                 "  - {name: f0, type: collide, among: all, friction: 0.2, restitution: 0}\n");
}

void hf_maker_faults(hf_maker *m)
{
    static void (*const kinds[])(hf_maker *) = {
        make_far_balls,    make_slope,        make_given_bounce, make_riders,
        make_striking_tip, make_crank,        make_light_plate,  make_chain,
        make_rope,         make_differential, make_seam};
    m->laws = EXACT;
    kinds[m->machine->seed % (sizeof kinds / sizeof *kinds)](m);
}
