// SPDX-License-Identifier: Apache-2.0
// Machines in other units of length, mass and time: every channel under every method is the same
// number of the other units, for as much work. A limit or a tolerance without a unit of its own
// would show here.
#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <math.h>

#include "hf_machine.h"

typedef struct units {
    double length, mass, time; // one of the machine's units in these
} units;

// number@l,m,t: of the unit m^l kg^m s^t
typedef struct machine {
    const char *name, *methods; // that do not admit it, by their first letters: "ats"
    double step, end;
    const char *text;
} machine;

static const machine MACHINES[] = {
    {"oscillator under gravity", "", 2e-3, 0.8,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  a: {type: mass, dim: 1, axes: z, mass: 0.7@0,1,0, position: 0.1@1,0,0}\n"
     "  b: {type: mass, dim: 1, axes: z, mass: 1.1@0,1,0, velocity: 0.3@1,0,-1}\n"
     "signals:\n"
     "  push: \"2@1,1,-2*sin(5@0,0,-1*t)\"\n"
     "forces:\n"
     "  - {name: hold, type: spring, on: a, stiffness: 90@0,1,-2, damping: 0.4@0,1,-1}\n"
     "  - {name: link, type: spring, on: b, to: a, stiffness: 150@0,1,-2, rest: -0.02@1,0,0}\n"
     "  - {name: drive, type: force, on: b, value: push}\n"},
    {"friction on a belt", "ra", 1e-3, 0.5,
     "bodies:\n"
     "  belt: {type: driven, dim: 1, position: \"0.01@1,0,0*sin(20@0,0,-1*t)\"}\n"
     "  a: {type: mass, dim: 1, mass: 0.4@0,1,0, velocity: 0.3@1,0,-1}\n"
     "  b: {type: mass, dim: 1, mass: 1.5@0,1,0}\n"
     "forces:\n"
     "  - {name: rub, type: friction, law: coulomb, on: a, to: belt, level: {kinetic: 2@1,1,-2, "
     "static: 2.5@1,1,-2}}\n"
     "  - {name: pull, type: spring, on: a, to: b, stiffness: 300@0,1,-2, damping: 2@0,1,-1}\n"
     "  - {name: floor, type: friction, law: coulomb, on: b, level: {coulomb: 0.5@1,1,-2}}\n"},
    {"bristles", "t", 2e-4, 0.1,
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
    {"play between stops", "ra", 1e-3, 0.6,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  ball: {type: mass, dim: 1, axes: z, mass: 0.5@0,1,0, position: 0.2@1,0,0}\n"
     "  cart: {type: mass, dim: 1, axes: x, mass: 2@0,1,0, velocity: 1@1,0,-1}\n"
     "forces:\n"
     "  - {name: floor, type: stop, on: ball, low: 0, restitution: 0.6}\n"
     "  - {name: walls, type: stop, on: cart, low: -0.1@1,0,0, high: 0.15@1,0,0, restitution: "
     "0.4}\n"
     "  - {name: rub, type: friction, law: coulomb, on: cart, level: 1@1,1,-2}\n"},
    {"shafts and a gear", "ra", 1e-3, 0.4,
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
    {"an arm under a servo", "ra", 1e-3, 0.4,
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
    {"a sphere on a soft plane", "ts", 1e-3, 0.3,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  ground: {type: static, shape: {type: plane}}\n"
     "  ball: {type: rigid, mass: 0.5@0,1,0, shape: {type: sphere, radius: 0.1@1,0,0}, position: "
     "[0, 0, 0.11@1,0,0], velocity: [0.5@1,0,-1, 0, 0], angular_velocity: [0, 0, 3@0,0,-1]}\n"
     "forces:\n"
     "  - {name: floor, type: contact, on: ball, law: rigid-contact, friction: 0.3, "
     "stiffness: 1e4@0,1,-2, damping_time: 2e-3@0,0,1, filter_time: 1e-3@0,0,1}\n"},
    {"a sphere on a hard plane", "rdae", 1e-3, 0.3,
     "gravity: [0, 0, -9.81@1,0,-2]\n"
     "bodies:\n"
     "  ground: {type: static, shape: {type: plane}}\n"
     "  ball: {type: rigid, mass: 0.5@0,1,0, shape: {type: sphere, radius: 0.1@1,0,0}, position: "
     "[0, 0, 0.11@1,0,0], velocity: [0.5@1,0,-1, 0, 0], angular_velocity: [0, 0, 3@0,0,-1]}\n"
     "forces:\n"
     "  - {name: floor, type: contact, on: ball, law: rigid-contact, friction: 0.3, "
     "restitution: 0.4}\n"},
};

// ------------------------------------------------------------------------------------------------

static double unit_of(const units *u, double l, double m, double t)
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

static double unit_of_channel(const units *u, const char *unit)
{
    static const struct {
        const char *name;
        double l, m, t;
    } known[] = {{"", 0, 0, 0},    {"m", 1, 0, 0},        {"m/s", 1, 0, -1}, {"m/s^2", 1, 0, -2},
                 {"rad", 0, 0, 0}, {"rad/s", 0, 0, -1},   {"N", 1, 1, -2},   {"Nm", 2, 1, -2},
                 {"J", 2, 1, -2},  {"rad/s^2", 0, 0, -2}, {"m s", 1, 0, 1},  {"rad s", 0, 0, 1},
                 {"W", 2, 1, -3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        if (strcmp(unit, known[i].name) == 0) {
            return unit_of(u, known[i].l, known[i].m, known[i].t);
        }
    }
    fail_msg("a channel of the unit '%s': add it to the table", unit);
    return NAN;
}

static hf_sim *begin(const machine *m, const char *method, const units *u, hf_model **model)
{
    char raw[4000], text[4000];
    (void)snprintf(raw, sizeof raw, "method: {type: %s, step: %.17g@0,0,1}\n%s", method, m->step,
                   m->text);
    write_in_units(raw, u, text, sizeof text);
    *model = model_of(text);
    hf_sim_def def = hf_sim_def_default(*model);
    def.methods[0] = hf_contact_methods();
    def.methods[1] = hf_adaptive_methods();
    return sim_from(*model, &def);
}

// Every channel of both, and what the forces have told so far.
static void compare(hf_sim *a, hf_sim *b, const units *u, double allowed, const char *what)
{
    const hf_model *model = hf_sim_model(a);
    for (int c = 1; c <= hf_model_channel_count(model); ++c) {
        char name[120], full[400];
        hf_channel channel = {c};
        hf_model_channel_name(model, channel, name, sizeof name);
        if (strstr(name, ".value") != NULL || strstr(name, "floor.state") != NULL ||
            (allowed > 0.0 && strstr(name, "solver.") != NULL)) {
            continue; // units that nobody tells; how an integrator steps
        }
        double unit = unit_of_channel(u, hf_model_channel_unit(model, channel));
        (void)snprintf(full, sizeof full, "%s, %s", what, name);
        double want = hf_sim_value(a, channel), got = hf_sim_value(b, channel) / unit;
        hf_check_near(got, want, allowed * fmax(1.0, fabs(want)), full, "other units");
    }
}

// share: how much more or less the integrator may do, which begins with another tolerance.
static void check_work(const hf_sim *a, const hf_sim *b, double share)
{
    hf_sim_stats x = hf_sim_get_stats(a), y = hf_sim_get_stats(b);
    double evaluations = (double)x.evaluations, steps = (double)x.internal_steps;
    hf_check_near((double)y.evaluations, evaluations, share * evaluations, "evaluations", "work");
    hf_check_near((double)y.internal_steps, steps, share * steps, "internal steps", "work");
    assert_true(llabs(x.events - y.events) <= 2); // the last bounces of a ball
    assert_int_equal(x.solver_iterations, y.solver_iterations);
    assert_int_equal(x.most_contacts, y.most_contacts);
    assert_int_equal(x.cut_steps, y.cut_steps);
    assert_int_equal(x.passages, y.passages);
}

static void check_method(const machine *m, const char *method, double allowed)
{
    static const units tried[] = {{4.0, 1.0, 1.0},       {0.0625, 1.0, 1.0},
                                  {1.0, 1048576.0, 1.0}, {1.0, 1.0 / 16384.0, 1.0},
                                  {1.0, 1.0, 1024.0},    {1.0, 1.0, 1.0 / 256.0},
                                  {0.25, 64.0, 16.0}};
    const units plain = {1.0, 1.0, 1.0};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; ++k) {
        const units *u = &tried[k];
        char what[240];
        hf_model *models[2];
        hf_sim *a = begin(m, method, &plain, &models[0]), *b = begin(m, method, u, &models[1]);
        (void)snprintf(what, sizeof what, "%s, %s, in %g m, %g kg, %g s", m->name, method,
                       u->length, u->mass, u->time);
        while (hf_sim_time(a) < m->end) {
            step(a);
            step(b);
            compare(a, b, u, allowed, what);
        }
        check_work(a, b, allowed == 0.0 ? 0.0 : 1.0);
        assert_int_equal(hf_sim_verdict(a).trustworthy, hf_sim_verdict(b).trustworthy);
        hf_sim_destroy(a);
        hf_sim_destroy(b);
        hf_model_destroy(models[0]);
        hf_model_destroy(models[1]);
    }
}

static void check(const char *method, char letter, double allowed)
{
    for (size_t i = 0; i < sizeof MACHINES / sizeof *MACHINES; ++i) {
        if (strchr(MACHINES[i].methods, letter) == NULL) {
            check_method(&MACHINES[i], method, allowed);
        }
    }
}

static void fixed_steps(void **state)
{
    (void)state;
    check("rk4", 'r', 0.0);
    check("verlet", 'r', 0.0);
    check("semi-implicit-euler", 'e', 0.0);
}

static void discrete(void **state)
{
    (void)state;
    check("discrete", 'd', 0.0);
}

static void timestep(void **state)
{
    (void)state;
    check("timestep, penetration: 1e-6@1,0,0", 't', 0.0);
}

static void events(void **state)
{
    (void)state;
    check("switch, rtol: 1e-9, atol: 1e-12", 's', 1e-5);
}

static void adaptive(void **state)
{
    (void)state;
    check("adaptive, rtol: 1e-9, atol: 1e-12", 'a', 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps), cmocka_unit_test(discrete), cmocka_unit_test(timestep),
        cmocka_unit_test(events),      cmocka_unit_test(adaptive),
    };
    return hf_run_tests(tests);
}
