// SPDX-License-Identifier: Apache-2.0
// More machines with an answer in closed form, on each of which a method once was silently wrong:
// an impact of an arm, frictions behind a ratio, bristles on what spins fast, masses 1e8 times
// unlike, backlash behind a gear on a moving base.
#include <hf_machine.h>

#include <math.h>

// Runs a machine and compares a channel; its verdict must be trustworthy.
static void check(const char *machine, const char *method, double step, double end,
                  const char *channel, double want, double allowed)
{
    char text[2000], what[200];
    (void)snprintf(text, sizeof text, "method: {type: %s, step: %g}\n%s", method, step, machine);
    (void)snprintf(what, sizeof what, "%s at %g s (%s, step %g s)", channel, end, method, step);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, end);
    hf_check_near(value_of(sim, channel), want, allowed, what, "closed form, or an integration");
    if (!hf_sim_verdict(sim).trustworthy) {
        fail_msg("%s: %s", what, hf_sim_verdict(sim).why);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// The tip of an arm of two equal links (length l, center in the middle) strikes the floor. With the
// angles a and c of the links, their rates w and the tip's rates n.w up and t.w along,
//   M = [I + 5/4 m l^2, 1/2 m l^2 cos(c - a); ..., I + 1/4 m l^2],
// an inelastic impact that slips on has one impulse p (n - mu s t), s the sign of t.w:
//   w+ = w + M^-1 (n - mu s t) p,   n.w+ = 0

typedef struct arm {
    double mass, inertia, length, mu, angle[2], rate[2];
} arm;

// M^-1 x
static void divide(const arm *a, const double x[2], double y[2])
{
    double ml2 = a->mass * a->length * a->length;
    double m00 = a->inertia + 1.25 * ml2, m11 = a->inertia + 0.25 * ml2;
    double m01 = 0.5 * ml2 * cos(a->angle[1] - a->angle[0]), det = m00 * m11 - m01 * m01;
    y[0] = (m11 * x[0] - m01 * x[1]) / det;
    y[1] = (m00 * x[1] - m01 * x[0]) / det;
}

static void strike(const arm *a, double after[2])
{
    double n[2], t[2], push[2], answer[2];
    for (int i = 0; i < 2; ++i) {
        n[i] = -a->length * cos(a->angle[i]);
        t[i] = -a->length * sin(a->angle[i]);
    }
    double slip = t[0] * a->rate[0] + t[1] * a->rate[1], s = slip < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 2; ++i) {
        push[i] = n[i] - a->mu * s * t[i];
    }
    divide(a, push, answer);
    double p = -(n[0] * a->rate[0] + n[1] * a->rate[1]) / (n[0] * answer[0] + n[1] * answer[1]);
    for (int i = 0; i < 2; ++i) {
        after[i] = a->rate[i] + p * answer[i];
    }
    // It slips on, or there is another answer
    assert_true(p > 0.0 && s * (t[0] * after[0] + t[1] * after[1]) > 0.0);
}

static void an_arm_strikes_once(void **state)
{
    (void)state;
    static const arm arms[] = {{2.0, 0.05, 0.3, 0.1, {0.3, 1.1}, {0.5, 2.0}},
                               {0.4, 0.002, 0.4, 0.2, {0.9, 1.2}, {-1.0, 3.0}},
                               {2.0, 0.05, 0.3, 0.4, {1.2, 0.2}, {2.0, 1.0}}};
    static const double steps[] = {1e-3, 1e-4, 1e-5, 1e-6};
    for (size_t i = 0; i < sizeof arms / sizeof *arms; ++i) {
        const arm *a = &arms[i];
        double after[2], l = a->length;
        char text[1200];
        strike(a, after);
        (void)snprintf(
            text, sizeof text,
            "gravity: [0, 0, 0]\n"
            "bodies:\n  arm:\n    type: tree\n    joints:\n"
            "      j0: {type: revolute, axis: [0, 1, 0], mass: %.17g, center: [%.17g, 0, "
            "0], inertia: [%.17g, %.17g, %.17g], offset: [0, 0, %.17g], position: "
            "%.17g, velocity: %.17g}\n"
            "      j1: {type: revolute, axis: [0, 1, 0], parent: j0, offset: [%.17g, 0, "
            "0], mass: %.17g, center: [%.17g, 0, 0], inertia: [%.17g, %.17g, %.17g], "
            "position: %.17g, velocity: %.17g}\n"
            "forces:\n"
            "  - {name: tip, on: arm.j1, point: [%.17g, 0, 0], type: contact, law: "
            "rigid-contact, friction: %.17g, restitution: 0}\n",
            a->mass, 0.5 * l, a->inertia, a->inertia, a->inertia,
            l * (sin(a->angle[0]) + sin(a->angle[1])) + 1e-7, a->angle[0], a->rate[0], l, a->mass,
            0.5 * l, a->inertia, a->inertia, a->inertia, a->angle[1] - a->angle[0],
            a->rate[1] - a->rate[0], l, a->mu);
        // Two steps after the impact; rates change by their own products meanwhile
        for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
            double h = steps[k], allowed = 40.0 * h + 1e-5;
            check(text, "timestep", h, 2.0 * h, "arm.j0.velocity", after[0], allowed);
            check(text, "timestep", h, 2.0 * h, "arm.j1.velocity", after[1] - after[0], allowed);
        }
        check(text, "switch", 1e-5, 2e-5, "arm.j0.velocity", after[0], 1e-3);
        check(text, "switch", 1e-5, 2e-5, "arm.j1.velocity", after[1] - after[0], 1e-3);
    }
}

// ------------------------------------------------------------------------------------------------
// Masses a and b with b = 1.5 a by a ratio, frictions of 3 N (static 4.2) and 2 N (2.4) on them: a
// load k t on a is held up to 4.2 + 1.5 2.4 = 7.8 N, then moves a by
//   v = (k (t^2 - t0^2)/2 - 6 (t - t0))/(m_a + 1.5^2 m_b)

static void a_ratio_and_two_frictions(void **state)
{
    (void)state;
    static const char *const methods[] = {"discrete", "semi-implicit-euler", "euler", "timestep",
                                          "switch"};
    double t0 = 6.7e-3, k = 7.8 / t0, end = 0.02;
    double v = (0.5 * k * (end * end - t0 * t0) - 6.0 * (end - t0)) / (1.0 + 2.25 * 0.05);
    char text[900];
    (void)snprintf(text, sizeof text,
                   "bodies:\n"
                   "  a: {type: mass, dim: 1, mass: 1}\n"
                   "  b: {type: mass, dim: 1, mass: 0.05}\n"
                   "loops: {l: {type: ratio, ratio: {a: 1.5, b: -1}}}\n"
                   "forces:\n"
                   "  - {name: f, on: a, type: friction, law: coulomb, level: {kinetic: 3, static: "
                   "4.2}}\n"
                   "  - {name: g, on: b, type: friction, law: coulomb, level: {kinetic: 2, static: "
                   "2.4}}\n"
                   "  - {name: pull, on: a, type: force, value: \"%.17g*t\"}\n",
                   k);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        check(text, methods[i], 4e-5, 6.6e-3, "a.position", 0.0, 0.0);
        check(text, methods[i], 4e-5, 6.6e-3, "g.mode", 0.0, 0.0);
        check(text, methods[i], 4e-5, end, "a.velocity", v, 1e-3);
    }
}

// ------------------------------------------------------------------------------------------------
// Bristles on what turns fast: w falls by T/I, whatever lambda h (up to 660 here)

static void bristles_on_what_turns(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4",      "rk4-tau", "semi-implicit-euler",
                                          "discrete", "verlet",  "timestep"};
    static const char *const laws[] = {"lugre, damping: 1", "dahl", "elastoplastic, damping: 1",
                                       "bouc-wen"};
    for (int i = 0; i < 24; ++i) {
        char text[900];
        const char *method = methods[i % 6], *law = laws[i / 6];
        // A ball that spins about an oblique axis, (3, 0, 4)/5
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, 0]\n"
                       "bodies: {ball: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.02], "
                       "angular_velocity: [120, 0, 160]}}\n"
                       "forces:\n"
                       "  - {name: f, on: ball, coupling: spin, type: friction, law: %s, level: "
                       "0.5, stiffness: 1000}\n",
                       law);
        check(text, method, 1e-3, 1.0, "ball.angular_velocity.x", 120.0 - 0.6 * 25.0, 0.2);
        check(text, method, 1e-3, 1.0, "ball.angular_velocity.z", 160.0 - 0.8 * 25.0, 0.2);
        // A joint of 0.1 kg m^2 with 6.6 Nm
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, 0]\n"
                       "bodies:\n  arm:\n    type: tree\n    joints:\n"
                       "      j: {type: revolute, axis: [0, 0, 1], mass: 1, center: [0, 0, 0], "
                       "inertia: [0.1, 0.1, 0.1], velocity: 100}\n"
                       "forces:\n"
                       "  - {name: f, on: arm.j, type: friction, law: %s, level: 6.6, stiffness: "
                       "1e5}\n",
                       law);
        check(text, method, 1e-3, 1.0, "arm.j.velocity", 34.0, 0.5);
    }
}

// ------------------------------------------------------------------------------------------------
// A heavy mass M sticks to a light one, which is pulled against M g of friction with 1.1 M g: both
// go with 0.1 g M/(M + 1). In a step they gain 1e-8 of the velocities that the light one is given
// and loses again.

static void a_light_mass_pulls_a_heavy_one(void **state)
{
    (void)state;
    static const char *const methods[] = {"timestep", "discrete", "semi-implicit-euler", "switch"};
    static const double heavy[] = {1e3, 1e5, 1e6, 1e7, 1e8};
    for (int i = 0; i < 20; ++i) {
        char text[700];
        double m = heavy[i / 4];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  a: {type: mass, dim: 1, mass: 1}\n"
                       "  b: {type: mass, dim: 1, mass: %g}\n"
                       "forces:\n"
                       "  - {name: f, on: a, type: friction, law: coulomb, level: %g}\n"
                       "  - {name: g, on: b, to: a, type: friction, law: coulomb, level: %g}\n"
                       "  - {name: pull, on: a, type: force, value: %g}\n",
                       m, m, 1.5 * m, 1.1 * m);
        check(text, methods[i % 4], 1e-3, 1.0, "b.velocity", 0.1 * m / (m + 1.0), 1e-6);
    }
}

// ------------------------------------------------------------------------------------------------
// A motor x drives a shaft y by a gear r on a base that turns by s = a (cos wt - 1), and the shaft
// a load z by a coupling with backlash, low <= y - z <= high, without rebounds:
//   x = r y + (1 - r) s,   (I r^2 + J) y'' = r T - I r (1 - r) s''
// with J of the shaft, and of the load where that is pressed. An impact puts the shaft at its limit
// to the last digit; the gear must follow. By an integration of its own in steps of 1 us.

typedef struct train {
    double ratio, torque, base, pace, low, high;
} train;

static const double MOTOR = 0.936, SHAFT = 0.0611, LOAD = 0.1222; // [kg m^2]

static void drive_train(const train *d, double end, double *shaft, double *load)
{
    const double h = 1e-6, own = MOTOR * d->ratio * d->ratio + SHAFT;
    double y = 0.0, v = 0.0, z = 0.0, u = 0.0;
    int pressed = 0; // at which end of the backlash
    for (long long k = 0; (double)k * h < end; ++k) {
        double sway = -d->base * d->pace * d->pace * cos(d->pace * ((double)k + 0.5) * h);
        double moment = d->ratio * (d->torque - MOTOR * (1.0 - d->ratio) * sway);
        double together = moment / (own + LOAD);
        pressed = pressed * together > 0.0 ? pressed : 0;
        double a = pressed != 0 ? together : moment / own, b = pressed != 0 ? together : 0.0;
        y += h * (v + 0.5 * h * a);
        z += h * (u + 0.5 * h * b);
        v += h * a;
        u += h * b;
        int at = y - z >= d->high ? 1 : y - z <= d->low ? -1 : 0;
        if (pressed == 0 && at != 0 && at * (v - u) > 0.0) {
            v = u = (own * v + LOAD * u) / (own + LOAD);
            z = y - (at > 0 ? d->high : d->low);
            pressed = at;
        }
    }
    *shaft = y;
    *load = z;
}

static void a_gear_on_a_base_has_backlash(void **state)
{
    (void)state;
    static const train trains[] = {{0.3338, 5.0, 0.02988, 23.92, -0.002, 0.003},
                                   {0.33, 8.0, 0.03, 24.0, -0.01, 0.01},
                                   {2.7, 9.0, 0.04, 17.0, -0.01, 0.01}};
    for (int i = 0; i < 6; ++i) {
        const train *d = &trains[i / 2];
        bool exact = i % 2 == 0;
        const char *method = exact ? "switch" : "timestep";
        double end = 0.6, step = exact ? 1e-3 : 1e-4, allowed = exact ? 2e-5 : 2e-3, y, z;
        drive_train(d, end, &y, &z);
        char text[900];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  motor: {type: rotor, inertia: %.17g}\n"
                       "  shaft: {type: rotor, inertia: %.17g}\n"
                       "  load: {type: rotor, inertia: %.17g}\n"
                       "  base: {type: driven, position: \"%.17g*(cos(%.17g*t) - 1)\"}\n"
                       "loops: {gear: {type: ratio, ratio: {motor: 1, shaft: %.17g, base: "
                       "%.17g}}}\n"
                       "forces:\n"
                       "  - {name: drive, on: motor, type: torque, value: %.17g}\n"
                       "  - {name: dog, on: shaft, to: load, type: stop, low: %.17g, high: %.17g, "
                       "restitution: 0}\n",
                       MOTOR, SHAFT, LOAD, d->base, d->pace, -d->ratio, d->ratio - 1.0, d->torque,
                       d->low, d->high);
        check(text, method, step, end, "shaft.position", y, allowed);
        check(text, method, step, end, "load.position", z, allowed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_strikes_once),
        cmocka_unit_test(a_ratio_and_two_frictions),
        cmocka_unit_test(bristles_on_what_turns),
        cmocka_unit_test(a_light_mass_pulls_a_heavy_one),
        cmocka_unit_test(a_gear_on_a_base_has_backlash),
    };
    return hf_run_tests(tests);
}
