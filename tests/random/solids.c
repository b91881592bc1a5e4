// SPDX-License-Identifier: Apache-2.0
// Random machines from seed 400000 on: solids of every type that fall on a plane, a box, a belt, a
// turntable, a driven tray or a field of heights, and on each other.
#include <stdio.h>

#include "maker.h"

// A solid that fits into a ball of 0.06 m.
static void write_solid(hf_maker *m, int type, char text[200])
{
    double a = hf_maker_uniform(m, 0.02, 0.035), b = hf_maker_uniform(m, 0.02, 0.035);
    double c = hf_maker_uniform(m, 0.02, 0.035);
    switch (type) {
    case 0:
        (void)snprintf(text, 200, "type: sphere, radius: %.4g", a);
        break;
    case 1:
        (void)snprintf(text, 200, "type: box, size: [%.4g, %.4g, %.4g]", 2.0 * a, 2.0 * b, 2.0 * c);
        break;
    case 2:
        (void)snprintf(text, 200, "type: capsule, radius: %.4g, length: %.4g", a, b);
        break;
    case 3:
        (void)snprintf(text, 200, "type: cylinder, radius: %.4g, length: %.4g", a, 2.0 * b);
        break;
    case 4:
        (void)snprintf(text, 200, "type: ellipsoid, radii: [%.4g, %.4g, %.4g]", a, b, c);
        break;
    default:
        (void)snprintf(text, 200, "type: cone, radius: %.4g, length: %.4g", a, 2.0 * b);
        break;
    }
}

// What a surface has that is not of the force.
static void write_surface(hf_maker *m, char text[120])
{
    double mu = hf_maker_uniform(m, 0.1, 0.8), e = hf_maker_uniform(m, 0.0, 0.6);
    double across = mu * hf_maker_uniform(m, 0.2, 0.9);
    switch (hf_rng_int(&m->rng, 0, 4)) {
    case 0:
        (void)snprintf(text, 120, ", friction: %.3g", mu);
        break;
    case 1:
        (void)snprintf(text, 120, ", restitution: %.3g", e);
        break;
    case 2:
        (void)snprintf(text, 120, ", friction: %.3g, friction_across: %.3g", mu, across);
        break;
    default:
        text[0] = '\0';
        break;
    }
}

// What solids fall on; its top is at z = 0 in the middle.
static void make_ground(hf_maker *m)
{
    hf_random_section *bodies = &m->machine->bodies;
    char surface[120];
    double v = hf_maker_uniform(m, -0.5, 0.5), w = hf_maker_uniform(m, -3.0, 3.0);
    double low = hf_maker_uniform(m, -0.01, 0.0), high = hf_maker_uniform(m, 0.0, 0.02);
    write_surface(m, surface);
    switch (hf_rng_int(&m->rng, 0, 5)) {
    case 0:
        hf_maker_add(bodies, "  ground: {type: static, shape: {type: plane%s}}\n", surface);
        break;
    case 1:
        hf_maker_add(bodies,
                     "  ground: {type: static, position: [0, 0, -0.05], shape: {type: box, size: "
                     "[2, 2, 0.1], surface_velocity: [%.3g, 0, 0]%s}}\n",
                     v, surface);
        break;
    case 2:
        hf_maker_add(bodies,
                     "  ground: {type: static, position: [0, 0, -0.05], shape: {type: cylinder, "
                     "radius: 1, length: 0.1, surface_spin: [0, 0, %.3g]%s}}\n",
                     w, surface);
        break;
    case 3:
        hf_maker_add(bodies,
                     "  ground: {type: static, shape: {type: heights, size: [1, 1], heights: [[%.3g"
                     ", 0, %.3g], [0, 0, 0], [%.3g, 0, %.3g]]%s}}\n",
                     high, low, low, high, surface);
        break;
    case 4:
        hf_maker_add(
            bodies,
            "  ground: {type: driven, dim: 3, position: [\"%.3g*sin(12*t)\", 0, -0.05], shape: "
            "{type: box, size: [2, 2, 0.1]%s}}\n",
            0.05 * v, surface);
        break;
    default:
        // Two blocks with a seam in the middle
        hf_maker_add(bodies,
                     "  ground: {type: static, position: [-0.5, 0, -0.05], shape: {type: box, size:"
                     " [1, 2, 0.1]%s}}\n",
                     surface);
        hf_maker_add(bodies,
                     "  beside: {type: static, position: [0.5, 0, -0.05], shape: {type: box, size: "
                     "[1, 2, 0.1]}}\n");
        break;
    }
}

void hf_maker_solids(hf_maker *m)
{
    hf_random_section *bodies = &m->machine->bodies, *forces = &m->machine->forces;
    int count = hf_rng_int(&m->rng, 1, 5), alike = hf_rng_int(&m->rng, 0, 9);
    m->machine->heavy = true;
    make_ground(m);
    for (; m->bodies < count; ++m->bodies) {
        char solid[200], surface[120], turn[120] = "";
        int type = alike <= 5 ? alike : hf_rng_int(&m->rng, 0, 5);
        write_solid(m, type, solid);
        write_surface(m, surface);
        // In a loose stack: each may fall on the one before
        double x = hf_maker_uniform(m, -0.03, 0.03), y = hf_maker_uniform(m, -0.03, 0.03);
        double z = 0.065 + 0.1 * m->bodies, vx = hf_maker_uniform(m, -0.6, 0.6);
        double vy = hf_maker_uniform(m, -0.3, 0.3), vz = hf_maker_uniform(m, -2.0, -0.5);
        double ax = hf_maker_uniform(m, -1.0, 1.0), ay = hf_maker_uniform(m, -1.0, 1.0);
        if (hf_maker_once_in(m, 2)) {
            (void)snprintf(turn, sizeof turn,
                           ", orientation: {axis: [%.3g, %.3g, 1], angle: %.3g}, angular_velocity: "
                           "[%.3g, %.3g, 1]",
                           ax, ay, 2.0 * ax, 4.0 * ay, 5.0 * ax);
        }
        hf_maker_add(bodies,
                     "  b%d: {type: rigid, mass: %.4g, shape: {%s%s}, position: [%.4g, %.4g, %.4g]"
                     ", velocity: [%.4g, %.4g, %.4g]%s}\n",
                     m->bodies, hf_maker_uniform(m, 0.1, 1.0), solid, surface, x, y, z, vx, vy, vz,
                     turn);
    }
    double friction = hf_maker_uniform(m, 0.0, 0.9), e = hf_maker_uniform(m, 0.0, 0.7);
    double roll = hf_maker_once_in(m, 3) ? 1e-3 : 0.0;
    hf_maker_add(forces,
                 "  - {name: touch, type: collide, among: all, friction: %.3g, restitution: %.3g, "
                 "rolling_friction: %.3g, spin_friction: %.3g}\n",
                 friction, hf_maker_once_in(m, 2) ? 0.0 : e, roll, roll);
}
