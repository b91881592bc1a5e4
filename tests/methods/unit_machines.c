// SPDX-License-Identifier: Apache-2.0
// Small machines whose numbers have units.
#include "unit_machines.h"

#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <math.h>

const machine MACHINES[] = {
    {"oscillator under gravity", "", "b", 2e-3, 0.8,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  a: {type: mass, dim: 1, axes: z, mass: 0.7@0,1,0, position: 0.10037@1,0,0}\n"
     "  b: {type: mass, dim: 1, axes: z, mass: 1.1@0,1,0, velocity: 0.3@1,0,-1}\n"
     "signals:\n"
     "  push: \"2@1,1,-2*sin(5@0,0,-1*t)\"\n"
     "forces:\n"
     "  - {name: hold, type: spring, on: a, stiffness: 90@0,1,-2, damping: 0.4@0,1,-1}\n"
     "  - {name: link, type: spring, on: b, to: a, stiffness: 150@0,1,-2, rest: -0.02@1,0,0}\n"
     "  - {name: drive, type: force, on: b, value: push}\n"},
    {"friction on a belt", "ra", "b", 1e-3, 0.5,
     "bodies:\n"
     "  belt: {type: driven, dim: 1, position: \"0.01@1,0,0*sin(20@0,0,-1*t)\"}\n"
     "  a: {type: mass, dim: 1, mass: 0.4@0,1,0, velocity: 0.3@1,0,-1}\n"
     "  b: {type: mass, dim: 1, mass: 1.5@0,1,0}\n"
     "forces:\n"
     "  - {name: rub, type: friction, law: coulomb, on: a, to: belt, level: {kinetic: 2@1,1,-2, "
     "static: 2.5@1,1,-2}}\n"
     "  - {name: pull, type: spring, on: a, to: b, stiffness: 300@0,1,-2, damping: 2@0,1,-1}\n"
     "  - {name: floor, type: friction, law: coulomb, on: b, level: {coulomb: 0.5@1,1,-2}}\n"},
    {"bristles", "t", "c", 2e-4, 0.1,
     "bodies:\n"
     "  a: {type: mass, dim: 1, mass: 0.4@0,1,0, velocity: 0.3@1,0,-1}\n"
     "  b: {type: mass, dim: 1, mass: 1.5@0,1,0}\n"
     "  c: {type: mass, dim: 1, mass: 1.2@0,1,0, velocity: -0.2@1,0,-1}\n"
     "forces:\n"
     "  - {name: rub, type: friction, law: lugre, on: a, level: {kinetic: 1@1,1,-2, static: "
     "1.6@1,1,-2, stribeck_velocity: 0.05@1,0,-1}, stiffness: 2e4@0,1,-2, damping: 30@0,1,-1}\n"
     "  - {name: pull, type: spring, on: a, to: b, stiffness: 300@0,1,-2, damping: 2@0,1,-1}\n"
     "  - {name: hold, type: friction, law: dahl, on: b, level: 0.7@1,1,-2, stiffness: "
     "1e4@0,1,-2}\n"
     "  - {name: brush, type: friction, law: bouc-wen, on: c, level: 0.9@1,1,-2, stiffness: "
     "1e4@0,1,-2}\n"},
    {"play between stops", "ra", "cart", 1e-3, 0.6,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  ball: {type: mass, dim: 1, axes: z, mass: 0.5@0,1,0, position: 0.2@1,0,0}\n"
     "  cart: {type: mass, dim: 1, axes: x, mass: 2@0,1,0, velocity: 1@1,0,-1}\n"
     "forces:\n"
     "  - {name: floor, type: stop, on: ball, low: 0, restitution: 0.6}\n"
     "  - {name: walls, type: stop, on: cart, low: -0.1@1,0,0, high: 0.15@1,0,0, restitution: "
     "0.4}\n"
     "  - {name: rub, type: friction, law: coulomb, on: cart, level: 1@1,1,-2}\n"},
    {"shafts and a gear", "ra", "load.shaft", 1e-3, 0.4,
     "bodies:\n"
     "  motor: {type: tree, joints: {shaft: {type: revolute, armature: 1@2,1,0}}}\n"
     "  load: {type: tree, joints: {shaft: {type: revolute, armature: 1.5@2,1,0, velocity: "
     "1@0,0,-1}}}\n"
     "loops:\n"
     "  mesh: {type: ratio, ratio: {motor.shaft: 1, load.shaft: -2}}\n"
     "signals:\n"
     "  push: \"10@2,1,-2*sin(6@0,0,-1*t)\"\n"
     "forces:\n"
     "  - {name: front, type: torque, on: motor.shaft, value: push}\n"
     "  - {name: bearing, type: friction, law: coulomb, on: load.shaft, level: 2@2,1,-2}\n"},
    {"an arm under a servo", "ra", "arm.elbow", 1e-3, 0.4,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  arm:\n"
     "    type: tree\n"
     "    joints:\n"
     "      shoulder: {type: revolute, axis: [0, 1, 0], mass: 2@0,1,0, center: [0.2@1,0,0, 0, 0], "
     "inertia: [0.01@2,1,0, 0.03@2,1,0, 0.03@2,1,0], position: 0.4}\n"
     "      elbow: {type: revolute, parent: shoulder, axis: [0, 1, 0], offset: [0.4@1,0,0, 0, 0], "
     "mass: 1@0,1,0, center: [0.15@1,0,0, 0, 0], inertia: [0.004@2,1,0, 0.01@2,1,0, 0.01@2,1,0]}\n"
     "signals:\n"
     "  target: \"0.3*sin(4@0,0,-1*t)\"\n"
     "forces:\n"
     "  - {name: servo, type: controller, on: arm.shoulder, reference: target, proportional: "
     "200@2,1,-2, derivative: 20@2,1,-1, low: -40@2,1,-2, high: 40@2,1,-2}\n"
     "  - {name: rub, type: friction, law: coulomb, on: arm.elbow, level: 0.4@2,1,-2}\n"},
    {"a sphere on a soft plane", "ts", NULL, 1e-3, 0.3,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  ground: {type: static, shape: {type: plane}}\n"
     "  ball: {type: rigid, mass: 0.5@0,1,0, shape: {type: sphere, radius: 0.1@1,0,0}, position: "
     "[0, 0, 0.11@1,0,0], velocity: [0.5@1,0,-1, 0, 0], angular_velocity: [0, 0, 3@0,0,-1]}\n"
     "forces:\n"
     "  - {name: floor, type: contact, on: ball, law: rigid-contact, friction: 0.3, "
     "stiffness: 1e4@0,1,-2, damping_time: 2e-3@0,0,1, filter_time: 1e-3@0,0,1}\n"},
    {"a sphere on a hard plane", "rdae", NULL, 1e-3, 0.3,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  ground: {type: static, shape: {type: plane}}\n"
     "  ball: {type: rigid, mass: 0.5@0,1,0, shape: {type: sphere, radius: 0.1@1,0,0}, position: "
     "[0, 0, 0.11@1,0,0], velocity: [0.5@1,0,-1, 0, 0], angular_velocity: [0, 0, 3@0,0,-1]}\n"
     "forces:\n"
     "  - {name: floor, type: contact, on: ball, law: rigid-contact, friction: 0.3, "
     "restitution: 0.4}\n"},
    // Loops, with forces that every method takes
    {"a crank", "", "wheel.axle", 5e-4, 0.2,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  wheel: {type: tree, joints: {axle: {type: revolute, axis: [0, 1, 0], mass: 1@0,1,0, "
     "center: [0.02@1,0,0, 0, 0], inertia: [0.01@2,1,0, 0.02@2,1,0, 0.01@2,1,0], velocity: "
     "6@0,0,-1}}}\n"
     "  rod: {type: tree, joints: {x: {type: prismatic, axis: [1, 0, 0], position: 0.5@1,0,0, "
     "mass: "
     "0.5@0,1,0}, pin: {type: revolute, parent: x, axis: [0, 1, 0], mass: 0.3@0,1,0, center: "
     "[-0.2@1,0,0, 0, 0], inertia: [0.001@2,1,0, 0.005@2,1,0, 0.005@2,1,0]}}}\n"
     "loops:\n"
     "  joint: {type: point, on: wheel.axle, point: [0.1@1,0,0, 0, 0], to: rod.pin, to_point: "
     "[-0.4@1,0,0, 0, 0]}\n"
     "forces:\n"
     "  - {name: hold, type: spring, on: rod.x, stiffness: 50@0,1,-2, damping: 1@0,1,-1, rest: "
     "0.45@1,0,0}\n"
     "  - {name: rub, type: friction, law: lugre, on: wheel.axle, level: 0.05@2,1,-2, stiffness: "
     "20@2,1,-2, damping: 0.05@2,1,-1}\n"},
    // The last one has friction, and what comes back to it is a blow to all between
    {"a row of blocks", "ra", "d", 1e-3, 0.5,
     "bodies:\n"
     "  a: {type: mass, dim: 1, mass: 1@0,1,0, velocity: 1@1,0,-1}\n"
     "  b: {type: mass, dim: 1, mass: 1@0,1,0, position: 0.10037@1,0,0}\n"
     "  c: {type: mass, dim: 1, mass: 1@0,1,0, position: 0.11037@1,0,0}\n"
     "  d: {type: mass, dim: 1, mass: 1@0,1,0, position: 0.12037@1,0,0}\n"
     "forces:\n"
     "  - {name: ab, type: stop, on: b, to: a, low: 0.01@1,0,0, restitution: 1}\n"
     "  - {name: bc, type: stop, on: c, to: b, low: 0.01@1,0,0, restitution: 1}\n"
     "  - {name: cd, type: stop, on: d, to: c, low: 0.01@1,0,0, restitution: 1}\n"
     "  - {name: wall, type: stop, on: d, high: 0.3@1,0,0, restitution: 0.5}\n"
     "  - {name: rub, type: friction, law: coulomb, on: d, level: 0.6@1,1,-2}\n"},
};

const int MACHINE_COUNT = sizeof MACHINES / sizeof *MACHINES;

double unit_of(const units *u, double l, double m, double t)
{
    return pow(u->length, l) * pow(u->mass, m) * pow(u->time, t);
}

// The text with its numbers in the units.
static void write_in_units(const char *text, const units *u, char *out, size_t room)
{
    size_t used = 0;
    while (*text != '\0') {
        char *end = NULL;
        bool begins = (*text >= '0' && *text <= '9') || (*text == '-' && text[1] != ' ');
        double value = begins ? strtod(text, &end) : 0.0, of[3];
        if (begins && end != text && *end == '@') {
            for (int k = 0; k < 3; ++k) {
                of[k] = strtod(end + 1, &end);
            }
            int wrote =
                snprintf(out + used, room - used, "%.17g", value * unit_of(u, of[0], of[1], of[2]));
            assert_true(wrote > 0);
            used += (size_t)wrote;
            text = end;
        } else {
            const char *last = begins && end != text ? end : text + 1;
            while (text < last) {
                out[used++] = *text++;
            }
        }
        assert_true(used + 40 < room);
    }
    out[used] = '\0';
}

hf_sim *begin_machine(const machine *m, const char *method, const units *u, const char *bodies,
                      const char *forces, hf_model **model)
{
    char raw[5000], text[5000];
    const char *first = strstr(m->text, "bodies:\n");
    assert_non_null(first);
    first += strlen("bodies:\n");
    int wrote = snprintf(raw, sizeof raw, "method: {type: %s, step: %.17g@0,0,1}\n%.*s%s%s%s",
                         method, m->step, (int)(first - m->text), m->text, bodies, first, forces);
    assert_true(wrote > 0 && (size_t)wrote < sizeof raw);
    write_in_units(raw, u, text, sizeof text);
    *model = model_of(text);
    hf_sim_def def = hf_sim_def_default(*model);
    def.methods[0] = hf_contact_methods();
    def.methods[1] = hf_adaptive_methods();
    return sim_from(*model, &def);
}
