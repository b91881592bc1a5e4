// SPDX-License-Identifier: Apache-2.0
// Laws with a memory that switches (maxwell-slip, gms, leuven, armstrong) under the methods that
// locate their switches, and Quinn's law under HF_METHOD_SWITCH.
#include "adaptive_test.h"

#include <math.h>

static hf_sim *start(const char *machine, const char *method, hf_model **model)
{
    char text[2000];
    (void)snprintf(text, sizeof text, "method: {%s}\n%s", method, machine);
    *model = model_of(text);
    return sim_from(*model, NULL);
}

static void finish(hf_sim *sim, hf_model *model)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Exact hysteresis

static const char *const METHODS[] = {
    "type: adaptive, step: 1e-3, rtol: 1e-9, atol: 1e-13",
    "type: adaptive, integrator: adams, step: 1e-3, rtol: 1e-9, atol: 1e-13",
    "type: adaptive, integrator: erk, step: 1e-3, rtol: 1e-9, atol: 1e-13",
    "type: switch, step: 1e-3, rtol: 1e-9, atol: 1e-13",
    "type: switch, integrator: bdf, step: 1e-3, rtol: 1e-9, atol: 1e-13",
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

// A slider that is moved to and fro by less and less: the force is that of the elements' stop
// operators, which hf_maxwell_slip_step follows exactly from turn to turn.
static void follows_its_loops(void **state)
{
    (void)state;
    hf_maxwell_slip_def def = hf_maxwell_slip_def_default();
    for (int m = 0; m < METHOD_COUNT; ++m) {
        hf_model *model;
        hf_sim *sim =
            start("bodies:\n"
                  "  slider: {type: driven, dim: 1, position: \"2e-5*exp(-t)*sin(20*t)\"}\n"
                  "  other: {type: mass, dim: 1, mass: 1}\n"
                  "forces:\n"
                  "  - {name: rub, on: slider, type: friction, law: maxwell-slip}\n",
                  METHODS[m], &model);
        double e[4] = {0.0}, at = 0.0, last = 0.0;
        int turn = 0;
        for (double t = 0.02; t < 1.0; t += 0.02) {
            // Turns lie where tan(20 t) = 20
            double next = (atan(20.0) + turn * acos(-1.0)) / 20.0;
            while (next < t) {
                double there = 2e-5 * exp(-next) * sin(20.0 * next);
                (void)hf_maxwell_slip_step(&def, e, there - at);
                at = there;
                next = (atan(20.0) + ++turn * acos(-1.0)) / 20.0;
            }
            double here = 2e-5 * exp(-t) * sin(20.0 * t);
            last = hf_maxwell_slip_step(&def, e, here - at);
            at = here;
            run_until(sim, t);
            hf_check_near(value_of(sim, "rub.force"), -last, 1e-6, METHODS[m], "stop operators");
        }
        hf_energy energy = hf_sim_energy(sim);
        hf_check_near(energy.residual, 0.0, 1e-10, METHODS[m], "ledger");
        finish(sim, model);
    }
}

// The same in a plane: a circle within the levels leaves no force behind, and beyond them the force
// goes around with the slider, at the levels' sum.
static void goes_around(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = start("bodies: {puck: {type: mass, dim: 2, mass: 1, velocity: [0.1, 0]}}\n"
                        "forces:\n"
                        "  - {name: turn, on: puck, type: force,\n"
                        "     value: [\"cos(40*t) - 4*sin(40*t)\", \"sin(40*t) + 4*cos(40*t)\"]}\n"
                        "  - {name: rub, on: puck, type: friction, law: maxwell-slip}\n",
                        "type: adaptive, step: 1e-3, rtol: 1e-9, atol: 1e-12", &model);
    // 4 N turn 1 kg of 0.1 m/s by 40 rad/s, 1 N is what friction takes. It takes it late: by the
    // way that loads the springs. Until then, and from then on, speed and direction oscillate a
    // little about that; friction is along the motion to the lag of its springs.
    run_until(sim, 1.0);
    double f = hypot(value_of(sim, "rub.force.x"), value_of(sim, "rub.force.y"));
    double v = hypot(value_of(sim, "puck.velocity.x"), value_of(sim, "puck.velocity.y"));
    hf_check_near(f, 1.0, 1e-5, "friction", "sum of the levels");
    hf_check_near(v, 0.1, 2e-3, "speed", "kept by the force along it");
    assert_true(hf_sim_verdict(sim).trustworthy);
    finish(sim, model);
}

// ------------------------------------------------------------------------------------------------
// Against fixed steps

// A block that is pulled by a random load, its state at 0.25 s under a method.
static void state_of(const char *friction, const char *load, const char *method, double x[2],
                     double *residual)
{
    char machine[1000];
    hf_model *model;
    (void)snprintf(machine, sizeof machine,
                   "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                   "forces:\n"
                   "  - {name: pull, on: block, type: force, value: \"%s\"}\n"
                   "  - {name: rub, on: block, type: friction, %s}\n",
                   load, friction);
    hf_sim *sim = start(machine, method, &model);
    run_until(sim, 0.25);
    x[0] = value_of(sim, "block.position");
    x[1] = value_of(sim, "block.velocity");
    hf_energy energy = hf_sim_energy(sim);
    *residual = energy.residual;
    finish(sim, model);
}

static const char *const LAWS[] = {
    "law: maxwell-slip, levels: [%.6f, %.6f, %.6f], stiffnesses: [%.0f, %.0f, %.0f]",
    "law: gms, level: {kinetic: %.6f, static: %.6f, stribeck_velocity: 0.01}, attraction: %.3f,\n"
    "     shares: [0.5, 0.3, 0.2], stiffnesses: [%.0f, %.0f, %.0f]",
    "law: leuven, level: %.6f, levels: [%.6f, %.6f], stiffnesses: [%.0f, %.0f], exponent: 1.5",
    "law: armstrong, level: {kinetic: %.6f, static: %.6f, stribeck_velocity: 0.01},\n"
    "     stiffness: %.0f, lag: %.6f, dwell: %.6f"};
enum { LAW_COUNT = sizeof LAWS / sizeof *LAWS };

static void random_friction(hf_rng *rng, int law, char *text, size_t size)
{
    double a = hf_rng_uniform(rng, 0.2, 1.0), b = hf_rng_uniform(rng, 0.2, 0.5);
    double c = hf_rng_uniform(rng, 0.2, 0.5), k[3];
    for (int i = 0; i < 3; ++i) {
        k[i] = hf_rng_log_uniform(rng, 3e3, 3e4);
    }
    switch (law) {
    case 0:
        (void)snprintf(text, size, LAWS[0], a, b, c, k[0], k[1], k[2]);
        break;
    case 1:
        (void)snprintf(text, size, LAWS[1], a, a + b, 20.0 * (1.0 + c), k[0], k[1], k[2]);
        break;
    case 2:
        (void)snprintf(text, size, LAWS[2], 0.9 * (a + b), a, b, k[0], k[1]);
        break;
    default:
        (void)snprintf(text, size, LAWS[3], a, a + b, k[0], 0.01 * b, 0.2 * c);
        break;
    }
}

// Random laws and loads: both methods come to where rk4 does at a short step, which switches at
// ends of steps, and at a small tolerance to the same place; their ledgers close. armstrong's
// memory takes samples: rk4 takes these at ends of steps too.
static void as_fixed_steps(void **state)
{
    (void)state;
    static const char *const kinds[] = {"type: adaptive", "type: switch"};
    static const double tolerances[] = {1e-6, 1e-10};
    hf_rng rng = hf_rng_create(20261117);
    for (int trial = 0; trial < 3 * LAW_COUNT; ++trial) {
        char friction[400], load[100];
        double exact[2], states[4][2], residual;
        int law = trial % LAW_COUNT;
        bool coarse = law == LAW_COUNT - 1;
        random_friction(&rng, law, friction, sizeof friction);
        (void)snprintf(load, sizeof load, "%.6f*sin(%.6f*t) + 0.3*sin(71*t)",
                       hf_rng_uniform(&rng, 1.2, 2.5), hf_rng_uniform(&rng, 15.0, 30.0));
        state_of(friction, load, coarse ? "type: rk4, step: 1e-6" : "type: rk4, step: 5e-6", exact,
                 &residual);
        for (int k = 0; k < 4; ++k) {
            char method[100];
            double *x = states[k], tolerance = tolerances[k % 2];
            (void)snprintf(method, sizeof method, "%s, step: 1e-2, rtol: %g, atol: %g",
                           kinds[k / 2], tolerance, 1e-3 * tolerance);
            state_of(friction, load, method, x, &residual);
            double near = coarse ? 2e-5 : 2e-6;
            hf_check_near(x[0], exact[0], near, friction, method);
            hf_check_near(x[1], exact[1], 50.0 * near, friction, method);
            double open = tolerance > 1e-8 ? 2e-6 : 2e-9;
            hf_check_near(residual, 0.0, coarse ? 10.0 * open : open, friction, "ledger");
        }
        double apart = coarse ? 1e-6 : 2e-8;
        hf_check_near(states[3][0], states[1][0], apart, friction,
                      "adaptive at the same tolerance");
    }
}

// ------------------------------------------------------------------------------------------------
// Rest

// Below its level a load that hums leaves the block where it was, for ever.
static void does_not_drift(void **state)
{
    (void)state;
    static const char *const laws[] = {"law: maxwell-slip", "law: gms, level: 1, damping: 200"};
    for (int i = 0; i < 2; ++i) {
        char machine[600];
        hf_model *model;
        (void)snprintf(machine, sizeof machine,
                       "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                       "forces:\n"
                       "  - {name: load, on: block, type: force,\n"
                       "     value: \"0.6*min(1, 2*t) + 0.05*sin(20*pi*t)\"}\n"
                       "  - {name: damp, on: block, type: spring, stiffness: 0, damping: 100}\n"
                       "  - {name: rub, on: block, type: friction, %s}\n",
                       laws[i]);
        hf_sim *sim = start(machine, "type: switch, step: 0.1, rtol: 1e-9, atol: 1e-14", &model);
        run_until(sim, 2.0);
        double early = value_of(sim, "block.position");
        run_until(sim, 10.0);
        hf_check_near(value_of(sim, "block.position"), early, 1e-12, laws[i], "80 periods before");
        finish(sim, model);
    }
}

// ------------------------------------------------------------------------------------------------
// With exact friction, stops and jumps

// A block with a Coulomb brake, a gms bearing and an end stop, on a belt that jumps: against fixed
// steps, whose error is of first order. An impact and a jump turn the slip at once.
static void with_impacts_and_jumps(void **state)
{
    (void)state;
    static const char machine[] =
        "bodies:\n"
        "  belt: {type: driven, dim: 1, velocity: \"t < 0.31 ? 0.4 : -0.3\"}\n"
        "  block: {type: mass, dim: 1, mass: 1}\n"
        "forces:\n"
        "  - {name: bearing, on: block, to: belt, type: friction, law: maxwell-slip,\n"
        "     levels: [1, 2], stiffnesses: [20000, 30000]}\n"
        "  - {name: brake, on: block, type: friction, law: coulomb, level: 0.5}\n"
        "  - {name: end, on: block, type: stop, high: 0.05, restitution: 0.5}\n";
    hf_model *model;
    double reference[2];
    for (int i = 0; i < 2; ++i) {
        hf_sim *sim = start(machine,
                            i == 0 ? "type: semi-implicit-euler, step: 1e-5"
                                   : "type: semi-implicit-euler, step: 5e-6",
                            &model);
        run_until(sim, 0.6);
        reference[i] = value_of(sim, "block.position");
        finish(sim, model);
    }
    hf_sim *sim = start(machine, "type: switch, step: 1e-2, rtol: 1e-8, atol: 1e-11", &model);
    run_until(sim, 0.6);
    hf_check_near(value_of(sim, "block.position"), 2.0 * reference[1] - reference[0], 2e-5,
                  "position", "semi-implicit Euler, extrapolated");
    assert_true(hf_sim_verdict(sim).trustworthy);
    finish(sim, model);
}

// Loads that rise, fall, vanish and jump: against rk4. leuven's elements leave their levels while
// these rise, which is not located: it is refused.
static void with_loads(void **state)
{
    (void)state;
    static const char *const laws[] = {
        "law: maxwell-slip, levels: [1, 2], stiffnesses: [20000, 30000], factor: {friction: 1}",
        "law: gms, level: {friction: 3}, shares: [0.4, 0.6], stiffnesses: [20000, 30000]",
        "law: leuven, level: {friction: 3}, levels: [1.5, 1.5], stiffnesses: [20000, 30000]"};
    for (int i = 0; i < 3; ++i) {
        char machine[900], text[1000];
        hf_model *model;
        double x[2];
        (void)snprintf(machine, sizeof machine,
                       "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                       "forces:\n"
                       "  - {name: pull, on: block, type: force, value: \"7*sin(17*t)\"}\n"
                       "  - {name: rub, on: block, type: friction, %s,\n"
                       "     normal: \"t < 0.2 ? 1 + 0.5*sin(30*t) : (t < 0.35 ? 0 : 1.5)\"}\n",
                       laws[i]);
        if (i == 2) {
            (void)snprintf(text, sizeof text, "method: {type: adaptive, step: 1e-3}\n%s", machine);
            model = model_of(text);
            expect_refusal(model, NULL, "rk4-tau");
            hf_model_destroy(model);
            continue;
        }
        static const char *const methods[] = {"type: rk4, step: 5e-6",
                                              "type: switch, step: 1e-2, rtol: 1e-9, atol: 1e-12"};
        for (int k = 0; k < 2; ++k) {
            hf_sim *sim = start(machine, methods[k], &model);
            run_until(sim, 0.6);
            x[k] = value_of(sim, "block.position");
            finish(sim, model);
        }
        // rk4 switches gms at ends of steps: at 2.5 us it is 9 um off, at 5 us 27 um
        hf_check_near(x[1], x[0], 5e-5, laws[i], "rk4");
    }
}

// A run that is saved in the middle goes on with the same bits.
static void goes_on_when_restored(void **state)
{
    (void)state;
    static const char *const kinds[] = {"adaptive", "switch"};
    static const char *const laws[] = {
        "maxwell-slip", "gms, level: 1", "leuven, level: 1",
        "armstrong, level: {kinetic: 1, static: 1.5, stribeck_velocity: 0.01}"};
    for (int i = 0; i < 8; ++i) {
        char machine[600], method[100];
        hf_model *model, *other;
        (void)snprintf(machine, sizeof machine,
                       "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                       "forces:\n"
                       "  - {name: pull, on: block, type: force, value: \"2*sin(50*t)\"}\n"
                       "  - {name: rub, on: block, type: friction, law: %s}\n",
                       laws[i % 4]);
        (void)snprintf(method, sizeof method, "type: %s, step: 1e-3", kinds[i / 4]);
        hf_sim *first = start(machine, method, &model), *second = start(machine, method, &other);
        check_restored(first, second, 0.1, 0.2);
        finish(first, model);
        finish(second, other);
    }
}

// ------------------------------------------------------------------------------------------------
// Quinn

// Beside exact friction on another mass; on the same mass nothing says which of both holds.
static void quinn_beside_coulomb(void **state)
{
    (void)state;
    static const char machine[] = "bodies:\n"
                                  "  a: {type: mass, dim: 1, mass: 1, velocity: 0.002}\n"
                                  "  b: {type: mass, dim: 1, mass: 1, velocity: 0.5}\n"
                                  "forces:\n"
                                  "  - {name: rope, on: a, type: force, value: 2}\n"
                                  "  - {name: rub, on: a, type: friction, law: quinn, level: 5}\n"
                                  "  - {name: brake, on: %s, type: friction, law: coulomb,\n"
                                  "     level: 5}\n";
    char text[1000];
    hf_model *model;
    (void)snprintf(text, sizeof text, machine, "b");
    hf_sim *sim = start(text, "type: switch, step: 1e-3, rtol: 1e-9, atol: 1e-12", &model);
    run_until(sim, 0.004);
    double v = 0.002 * exp(-2.0);
    hf_check_near(value_of(sim, "a.velocity"), v, 1e-9, "in its layer", "0.002 exp(-500 t)");
    hf_check_near(value_of(sim, "rub.force"), -(2.0 + 500.0 * v), 1e-6, "force", "-(h + F v/eps)");
    run_until(sim, 0.2);
    hf_check_near(value_of(sim, "b.position"), 0.025, 1e-9, "b", "v^2 m/(2 F)");
    assert_true(value_of(sim, "brake.mode") == 0.0);
    finish(sim, model);
    (void)snprintf(text, sizeof text, "method: {type: switch, step: 1e-3}\n");
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), machine, "a");
    model = model_of(text);
    expect_refusal(model, NULL, "semi-implicit-euler");
    hf_model_destroy(model);
}

typedef struct told {
    int count, of[4]; // events of each force
    double last;
} told;

static void hear(void *context, const hf_event *event)
{
    told *t = context;
    assert_true(event->force.id >= 1 && event->force.id <= 3);
    assert_true(event->from != event->to && event->time >= t->last);
    t->count += 1;
    t->of[event->force.id] += 1;
    t->last = event->time;
}

// Events of such laws are told with the force that switched, and counted.
static void events_name_their_force(void **state)
{
    (void)state;
    hf_model *model = model_of("method: {type: switch, step: 1e-2}\n"
                               "bodies: {first: {type: mass, dim: 1, mass: 1, position: 0.1},\n"
                               "         block: {type: mass, dim: 1, mass: 1}}\n"
                               "forces:\n"
                               "  - {name: alone, on: first, type: spring, stiffness: 50}\n"
                               "  - {name: rub, on: block, type: friction, law: gms, level: 1}\n"
                               "  - {name: push, on: block, type: force, value: '3*sin(9*t)'}\n");
    hf_sim_def def = hf_sim_def_default(model);
    told heard = {0};
    def.on_event = hear;
    def.event_context = &heard;
    hf_sim *sim = sim_from(model, &def);
    run_until(sim, 2.0);
    assert_true(heard.of[2] > 5 && heard.of[1] == 0 && heard.of[3] == 0);
    assert_int_equal(hf_sim_get_stats(sim).events, heard.count);
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_its_loops),       cmocka_unit_test(goes_around),
        cmocka_unit_test(as_fixed_steps),          cmocka_unit_test(does_not_drift),
        cmocka_unit_test(with_impacts_and_jumps),  cmocka_unit_test(with_loads),
        cmocka_unit_test(goes_on_when_restored),   cmocka_unit_test(quinn_beside_coulomb),
        cmocka_unit_test(events_name_their_force),
    };
    return hf_run_tests(tests);
}
