// SPDX-License-Identifier: Apache-2.0
// Parts of random machines from seed 300000 on: one kind for each answer that once was silently
// wrong, with numbers of its own (docs/reliability.md, "Put back").
#include <math.h>
#include <stdio.h>

#include "maker.h"

static void add_mass(hf_maker *m, double mass, double position, double velocity)
{
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: mass, dim: 1, mass: %.4g, position: %.4g, velocity: %.4g}\n",
                 m->bodies++, hf_maker_heavy(m, mass), position, velocity / m->slow);
}

static void add_friction(hf_maker *m, int on, const char *to, double kinetic, double still)
{
    hf_random_section *forces = &m->machine->forces;
    hf_maker_add(forces,
                 "  - {name: f%d, on: b%d, to: %s, type: friction, law: coulomb, level: {kinetic: "
                 "%.5g, static: %.5g}}\n",
                 forces->count, on, to, kinetic, still);
}

static void add_force(hf_maker *m, int on, const char *value)
{
    hf_random_section *forces = &m->machine->forces;
    hf_maker_add(forces, "  - {name: f%d, on: b%d, type: force, value: %s}\n", forces->count, on,
                 value);
}

// Frictions that hold one coordinate, under a load that rises to the sum of their static levels at
// `when`, in a machine that has something else that moves.
static void make_shared(hf_maker *m)
{
    double brake = hf_maker_uniform(m, 5.0, 15.0), kinetic = hf_maker_uniform(m, 0.5, 1.5);
    double still = kinetic * hf_maker_uniform(m, 1.5, 2.5), when = hf_maker_uniform(m, 0.05, 0.12);
    char load[60];
    add_mass(m, hf_maker_uniform(m, 0.5, 2.0), 0.0, 0.0);
    add_friction(m, 0, "world", brake, brake);
    add_friction(m, 0, "world", kinetic, still);
    (void)snprintf(load, sizeof load, "\"%.5g*t\"", (brake + still) / when / m->slow);
    add_force(m, 0, load);
}

// A mass that pushes another through a stop, with jumps below what holds that one.
static void make_pushed(hf_maker *m)
{
    double level = hf_maker_uniform(m, 8.0, 12.0), first = hf_maker_uniform(m, 1.0, 3.0);
    double second = hf_maker_uniform(m, 3.0, 5.0), when = hf_maker_uniform(m, 0.03, 0.15);
    double gap = hf_maker_uniform(m, 0.05, 0.2);
    char load[80];
    hf_random_section *forces = &m->machine->forces;
    add_mass(m, 1.0, 0.0, 0.0);
    add_mass(m, 1.0, gap, 0.0);
    hf_maker_add(forces, "  - {name: f%d, on: b1, to: b0, type: stop, low: %.4g}\n", forces->count,
                 gap);
    add_friction(m, 1, "world", level, level);
    (void)snprintf(load, sizeof load, "\"t < %.4g ? %.4g : %.4g\"", when * m->slow, first, second);
    add_force(m, 0, load);
}

// A pull of exactly what frictions hold, that nothing moves, and one beside it that goes.
static void make_at_the_bound(hf_maker *m)
{
    double level = 0.5 * hf_rng_int(&m->rng, 4, 16);
    char load[40];
    add_mass(m, hf_maker_uniform(m, 0.5, 2.0), 0.0, 0.0);
    add_friction(m, 0, "world", level, level);
    (void)snprintf(load, sizeof load, "%.5g", level);
    add_force(m, 0, load);
    add_mass(m, 1.0, 0.0, hf_maker_uniform(m, 0.1, 0.4));
    add_friction(m, 1, "b0", 0.2 * level, 0.2 * level);
    add_force(m, 1, "0.1");
}

// What lies still on a floor from the start, pulled between its kinetic and its static level; or
// above both, where methods of forces sink in and slide as the others do.
static void make_on_floor(hf_maker *m, bool slides)
{
    double mass = hf_maker_uniform(m, 0.5, 2.0), mu = hf_maker_uniform(m, 0.2, 0.4);
    double share = slides ? hf_maker_uniform(m, 1.5, 2.0) : hf_maker_uniform(m, 1.1, 1.4);
    hf_random_section *forces = &m->machine->forces;
    m->machine->heavy = true;
    hf_maker_add(&m->machine->bodies, "  b%d: {type: mass, dim: 3, axes: xyz, mass: %.4g}\n",
                 m->bodies++, hf_maker_heavy(m, mass));
    hf_maker_add(
        forces,
        "  - {name: f0, on: b0, type: contact, law: rigid-contact, restitution: 0, friction: "
        "{friction: %.4g, static_friction: %.4g}}\n",
        mu, slides ? mu : 1.6 * mu);
    hf_maker_add(forces, "  - {name: f1, on: b0, type: force, value: [%.5g, 0, 0]}\n",
                 share * mu * mass * 9.81);
}

// Balls that fly at each other; one may rest.
static void make_balls(hf_maker *m)
{
    double radius = hf_maker_uniform(m, 0.005, 0.02), speed = hf_maker_uniform(m, 1.0, 3.0);
    double gap = speed * hf_maker_uniform(m, 0.03, 0.1), e = hf_maker_uniform(m, 0.2, 0.8);
    for (int i = 0; i < 2; ++i) {
        hf_maker_add(&m->machine->bodies,
                     "  b%d: {type: rigid, mass: %.4g, position: [%.5g, 0, 0], velocity: [%.5g, 0, "
                     "0], shape: {type: sphere, radius: %.4g}}\n",
                     m->bodies++, hf_maker_heavy(m, i == 0 ? 1.0 : 0.7),
                     i == 0 ? 0.0 : gap + 2.0 * radius, i == 0 ? speed / m->slow : 0.0, radius);
    }
    m->machine->heavy = false;
    hf_maker_add(&m->machine->forces,
                 "  - {name: f0, type: collide, among: all, friction: 0, restitution: %.3g}\n", e);
}

// A ball that bounces by numbers that are given, without a wish.
static void make_bouncing(hf_maker *m)
{
    double mass = hf_maker_uniform(m, 0.5, 2.0), speed = hf_maker_uniform(m, 1.0, 2.0);
    double share = hf_maker_uniform(m, 0.8, 1.0);
    m->machine->heavy = true;
    hf_maker_add(&m->machine->bodies,
                 "  b%d: {type: mass, dim: 3, mass: %.4g, position: [0, 0, 0.05], velocity: [0, 0, "
                 "%.4g]}\n",
                 m->bodies++, hf_maker_heavy(m, mass), -speed / m->slow);
    hf_maker_add(
        &m->machine->forces,
        "  - {name: f0, on: b0, type: contact, law: rigid-contact, friction: 0, stiffness: "
        "%.5g, damping_time: %.4g, filter_time: %.4g}\n",
        1e6 * mass, 1e-3 * m->slow, share * 1e-3 * m->slow);
}

// Belts that jump, stop and turn round under what sticks to them.
static void make_belts_that_jump(hf_maker *m)
{
    double v = hf_maker_uniform(m, 0.5, 1.5) / m->slow,
           w = hf_maker_uniform(m, 30.0, 45.0) / m->slow;
    double when = hf_maker_uniform(m, 0.04, 0.1) * m->slow, level = hf_maker_uniform(m, 3.0, 6.0);
    hf_random_section *bodies = &m->machine->bodies;
    int kind = hf_rng_int(&m->rng, 0, 3);
    add_mass(m, 1.0, 0.0, kind == 2 ? 0.0 : v * m->slow);
    if (kind == 0) {
        hf_maker_add(bodies, "  b%d: {type: driven, velocity: \"t < %.4g ? %.4g : %.4g\"}\n",
                     m->bodies++, when, v, -v);
    } else if (kind == 1) {
        hf_maker_add(bodies, "  b%d: {type: driven, position: \"%.4g*min(t, %.4g)\"}\n",
                     m->bodies++, v, when);
    } else if (kind == 2) {
        hf_maker_add(bodies, "  b%d: {type: driven, position: \"%.4g*sin(%.4g*t)\"}\n", m->bodies++,
                     0.5 * level / (w * w * m->slow * m->slow), w);
    } else {
        hf_maker_add(bodies, "  b%d: {type: driven, velocity: \"%.4g*sign(sin(%.4g*t))\"}\n",
                     m->bodies++, v, w);
    }
    add_friction(m, 0, "b1", level, kind == 3 ? level : 1.3 * level);
}

// A slip that slows down to the narrow rise of a Stribeck curve and would go on without it, along a
// parabola that steps of any length follow: it stops, and stays until its static level is reached.
static void make_narrow_rise(hf_maker *m)
{
    double kinetic = hf_maker_uniform(m, 2.0, 4.0), narrow = hf_maker_uniform(m, 2e-4, 1e-3);
    double when = hf_maker_uniform(m, 0.07, 0.1), mass = hf_maker_uniform(m, 0.8, 1.2);
    double bend = hf_maker_uniform(m, 30.0, 60.0); // of the velocity [m/s^3]
    char load[80];
    hf_random_section *forces = &m->machine->forces;
    add_mass(m, mass, 0.0, 0.3 * narrow + 0.5 * bend * when * when);
    hf_maker_add(forces,
                 "  - {name: f%d, on: b0, type: friction, law: coulomb, level: {kinetic: %.4g, "
                 "static: %.4g, stribeck_velocity: %.4g}}\n",
                 forces->count, kinetic, 4.0 * kinetic, narrow / m->slow);
    (void)snprintf(load, sizeof load, "\"%.6g + %.6g*(t - %.5g)\"", kinetic, mass * bend / m->slow,
                   when * m->slow);
    add_force(m, 0, load);
}

// An arm of two links whose tip strikes the floor.
static void make_tip(hf_maker *m)
{
    double first = hf_maker_uniform(m, 0.5, 0.8), second = hf_maker_uniform(m, 0.5, 0.9);
    double mu = hf_maker_uniform(m, 0.3, 0.8), spin = hf_maker_uniform(m, 1.0, 2.5) / m->slow;
    double mass = hf_maker_heavy(m, 1.0), inertia = hf_maker_heavy(m, 0.02);
    double height = 0.5 * (sin(first) + sin(second)) + hf_maker_uniform(m, 0.01, 0.06);
    m->machine->heavy = true;
    hf_maker_add_arm(m, &(hf_maker_arm){.mass = mass,
                                        .inertia = inertia,
                                        .height = height,
                                        .first = first,
                                        .second = second - first,
                                        .spins = {spin, 0.0},
                                        .friction = mu,
                                        .digits = 4});
}

// Two masses joined by a rod's ratio, unlike frictions on both, a load that rises to what they
// hold.
static void make_joined(hf_maker *m)
{
    double one = hf_maker_uniform(m, 1.0, 4.0), two = hf_maker_uniform(m, 1.0, 4.0);
    double ratio = hf_maker_uniform(m, 0.5, 2.0), when = hf_maker_uniform(m, 0.05, 0.1);
    char load[60];
    add_mass(m, hf_maker_uniform(m, 0.5, 2.0), 0.0, 0.0);
    add_mass(m, hf_maker_uniform(m, 0.01, 0.1), 0.0, 0.0);
    add_friction(m, 0, "world", one, 1.4 * one);
    add_friction(m, 1, "world", two, 1.2 * two);
    add_friction(m, 1, "b0", 0.3 * two, 0.3 * two);
    hf_maker_add(&m->machine->loops, "  l0: {type: ratio, ratio: {b0: %.4g, b1: -1}}\n", ratio);
    double sum =
        1.4 * one + ratio * 1.2 * two + (ratio > 1.0 ? ratio - 1.0 : 1.0 - ratio) * 0.3 * two;
    (void)snprintf(load, sizeof load, "\"%.5g*t\"", sum / when / m->slow);
    add_force(m, 0, load);
}

// An arm that falls to its inelastic stops, and a mass that chatters on a belt.
static void make_accumulation(hf_maker *m)
{
    double e = hf_maker_uniform(m, 0.3, 0.7), spin = hf_maker_uniform(m, 2.0, 5.0);
    char load[40];
    hf_random_section *forces = &m->machine->forces;
    add_mass(m, 1.0, 0.02, 0.1 * spin);
    hf_maker_add(forces,
                 "  - {name: f%d, on: b0, type: stop, low: 0, high: 0.03, restitution: %.3g}\n",
                 forces->count, e);
    add_friction(m, 0, "world", 0.2, 0.5);
    (void)snprintf(load, sizeof load, "%.4g", -8.0 * spin);
    add_force(m, 0, load);
}

void hf_maker_items(hf_maker *m)
{
    m->laws = EXACT;
    switch (m->machine->seed % 12) {
    case 0:
        make_shared(m);
        break;
    case 1:
        make_pushed(m);
        break;
    case 2:
        make_at_the_bound(m);
        break;
    case 3:
    case 4:
        make_on_floor(m, m->machine->seed % 12 == 4);
        break;
    case 5:
        make_balls(m);
        break;
    case 6:
        make_bouncing(m);
        break;
    case 7:
        make_belts_that_jump(m);
        break;
    case 8:
        make_narrow_rise(m);
        break;
    case 9:
        make_tip(m);
        break;
    case 10:
        make_joined(m);
        break;
    default:
        make_accumulation(m);
        break;
    }
}
