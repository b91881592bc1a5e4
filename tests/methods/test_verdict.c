// SPDX-License-Identifier: Apache-2.0
// Runs that are wrong and say so: contacts that a step passes over, heat that falls, forces beyond
// their law's bound; and runs that are right and long, whose work goes to and fro.
#include <hf_machine.h>

#include <math.h>

static hf_verdict verdict_of(const char *text, double seconds)
{
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, seconds);
    hf_verdict verdict = hf_sim_verdict(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return verdict;
}

static void expect_doubt(const hf_verdict *verdict, const char *why)
{
    if (verdict->trustworthy || strstr(verdict->why, why) == NULL) {
        fail_msg("expected \"%s\", got \"%s\"", why, verdict->why);
    }
}

// At 100 m/s a body of 10 mm goes through another within a step of 1 ms: forward Euler ends with
// 100 m/s and a closed ledger.
static void passing_through(void **state)
{
    (void)state;
    static const char *const shapes[] = {"sphere, radius: 0.005", "box, size: [0.01, 0.01, 0.01]"};
    static const char *const pairs[] = {"collide, among: all", "contact, on: a, to: b"};
    for (int i = 0; i < 4; ++i) {
        char text[700];
        (void)snprintf(text, sizeof text,
                       "method: {type: euler, step: 1e-3}\n"
                       "gravity: [0, 0, 0]\n"
                       "bodies:\n"
                       "  a: {type: rigid, mass: 1, shape: {type: %s}, velocity: [%d, 0, 0]}\n"
                       "  b: {type: rigid, mass: 1, shape: {type: %s}, position: [1.05, 0, 0]}\n"
                       "forces: [{name: hit, restitution: 0.5, type: %s}]\n",
                       shapes[i % 2], 100, shapes[i % 2], pairs[i / 2]);
        hf_verdict verdict = verdict_of(text, 0.02);
        expect_doubt(&verdict, "bodies moved farther than their size in");
    }
}

// Bodies that begin in each other are pushed apart in the first step, which no one has asked for.
static void begun_inside(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double height;
        bool told;
    } cases[] = {{"box, size: [0.1, 0.1, 0.1]", 0.045, true},
                 {"box, size: [0.1, 0.1, 0.1]", 0.0499, true},
                 {"box, size: [0.1, 0.1, 0.1]", 0.05, false},
                 {"box, size: [0.1, 0.1, 0.1]", 0.049999, false},
                 {"box, size: [0.1, 0.1, 0.1]", 0.055, false},
                 {"sphere, radius: 0.05", 0.048, true},
                 {"sphere, radius: 0.05", 0.05, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "method: {type: timestep, step: 1e-3}\n"
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  floor: {type: static, shape: {type: box, size: [1, 1, 0.2]},\n"
                       "          position: [0, 0, -0.1]}\n"
                       "  a: {type: rigid, mass: 1, shape: {type: %s}, position: [0, 0, %g]}\n"
                       "forces: [{name: c, type: collide, among: all, friction: 0.4}]\n",
                       cases[i].shape, cases[i].height);
        hf_verdict verdict = verdict_of(text, 0.05);
        if (cases[i].told) {
            expect_doubt(&verdict, "deep in each other and were pushed apart");
        } else if (!verdict.trustworthy) {
            fail_msg("case %zu: %s", i, verdict.why);
        }
    }
}

// A body in view of another, slow enough.
static void not_passing(void **state)
{
    (void)state;
    hf_verdict verdict =
        verdict_of("method: {type: rk4-tau, step: 1e-4}\n"
                   "gravity: [0, 0, 0]\n"
                   "bodies:\n"
                   "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05},\n"
                   "      velocity: [1, 0, 0]}\n"
                   "  b: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05},\n"
                   "      position: [0.2, 0, 0]}\n"
                   "forces: [{name: hit, restitution: 0.5, type: collide, among: all}]\n",
                   0.2);
    assert_string_equal(verdict.why, "");
}

// ------------------------------------------------------------------------------------------------
// A law that calls itself friction and drives

static void set_nothing(void *def)
{
    *(double *)def = 1.0;
}

static hf_status check_nothing(const void *def, int dim, hf_fault *fault)
{
    (void)def;
    (void)dim;
    *fault = (hf_fault){0};
    return HF_OK;
}

static int no_states(const void *def, int dim)
{
    (void)def;
    (void)dim;
    return 0;
}

static void drive(const void *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    (void)dim;
    out->force[0] = -*(const double *)def * in->rate[0];
    out->dissipated = out->force[0] * in->rate[0];
    out->stored = out->normal = 0.0;
    out->regime = HF_REGIME_SLIP;
}

static const hf_law_info driving = {.name = "driving",
                                    .kind = HF_KIND_FRICTION,
                                    .min_dim = 1,
                                    .max_dim = 1,
                                    .friction = true,
                                    .def_size = sizeof(double),
                                    .set_default = set_nothing,
                                    .check = check_nothing,
                                    .state_count = no_states,
                                    .eval = drive};

// One that brakes what is fast and drives what is slow.
static void keep_going(const void *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    (void)dim;
    double v = in->rate[0], slow = 0.8 * *(const double *)def;
    out->force[0] = v > 0.0 ? v - slow : v < 0.0 ? v + slow : 0.0;
    out->dissipated = out->force[0] * v;
    out->stored = out->normal = 0.0;
    out->regime = HF_REGIME_SLIP;
}

// Of heat that rises and falls only the falls count.
static void heat_that_comes_and_goes(void **state)
{
    (void)state;
    static const char text[] = "method: {type: rk4, step: 1e-3}\n"
                               "bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1.5}}\n"
                               "forces:\n"
                               "  - {name: hold, on: a, type: spring, stiffness: 9}\n"
                               "  - {name: rub, on: a, type: friction, law: driving}\n";
    hf_error error = {0};
    hf_law_info law = driving;
    law.eval = keep_going;
    hf_spec *spec = hf_spec_create();
    assert_int_equal(hf_spec_register_law(spec, &law, &error), HF_LAW_OWN);
    assert_int_equal(hf_spec_read_text(spec, text, strlen(text), "m.yaml", NULL, NULL, &error),
                     HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = sim_from(model, NULL);
    double fallen = 0.0, risen = 0.0, last = 0.0;
    while (hf_sim_time(sim) < 3.0) {
        step(sim);
        double heat = value_of(sim, "rub.dissipated");
        fallen += fmax(0.0, last - heat);
        risen += fmax(0.0, heat - last);
        last = heat;
    }
    assert_true(fallen > 0.1 && risen > 2.0 * fallen);
    char wanted[80];
    (void)snprintf(wanted, sizeof wanted, "the heat of 'rub' fell, by %.2g J in all", fallen);
    hf_verdict verdict = hf_sim_verdict(sim);
    expect_doubt(&verdict, wanted);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void falling_heat(void **state)
{
    (void)state;
    static const char text[] = "method: {type: rk4, step: 1e-3}\n"
                               "bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1}}\n"
                               "forces: [{name: rub, on: a, type: friction, law: driving}]\n";
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    assert_int_equal(hf_spec_register_law(spec, &driving, &error), HF_LAW_OWN);
    assert_int_equal(hf_spec_read_text(spec, text, strlen(text), "m.yaml", NULL, NULL, &error),
                     HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 1.0);
    hf_verdict verdict = hf_sim_verdict(sim);
    expect_doubt(&verdict, "the heat of 'rub' fell, by 3.2 J in all"); // (e^2 - 1)/2
    hf_check_below(verdict.ledger, 1e-9, "ledger", "closed all the same");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A ball on a contact law of 10 kN/m bounces by exp(-pi zeta/(1 - zeta^2)^(1/2)) = 0.85. Steps of
// 5 ms take the law implicitly and leave 0.39 of it; at 2 ms it is explicit and all is left. A
// ball that lies there all the time has no bounce to lose.
static void lost_bounce(void **state)
{
    (void)state;
    static const double steps[] = {5e-3, 2e-3, 5e-3}, heights[] = {0.3, 0.3, 0.049019};
    for (int i = 0; i < 3; ++i) {
        char text[500];
        (void)snprintf(text, sizeof text,
                       "method: {type: timestep, step: %g}\n"
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05},\n"
                       "      position: [0, 0, %g]}\n"
                       "forces: [{name: floor, on: a, type: contact, law: contact,\n"
                       "          stiffness: 1e4, damping: 10, friction: 0.1}]\n",
                       steps[i], heights[i]);
        hf_verdict verdict = verdict_of(text, 0.4);
        if (i == 0) {
            expect_doubt(&verdict, "leave a restitution of 0.39 of the 0.85 that 'floor' has");
        } else {
            assert_string_equal(verdict.why, "");
        }
    }
}

// A spring on an arm is soft at the start, where the arm is long, and too stiff for the step when
// its end is drawn in: told, for the method chose at the start.
static void stiff_later(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "method: {type: timestep, step: 5e-3}\n"
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      turn: {type: revolute, axis: [0, 0, 1], mass: 0.001, inertia: [1e-5, 1e-5, 1e-5]}\n"
        "      slide: {type: prismatic, parent: turn, axis: [1, 0, 0], mass: 1, position: 1,\n"
        "              velocity: -2, inertia: [1e-5, 1e-5, 1e-5]}\n"
        "forces: [{name: coil, on: arm.turn, type: spring, stiffness: 400}]\n");
    hf_sim *sim = sim_from(model, NULL);
    hf_verdict early = hf_sim_verdict(sim);
    assert_string_equal(early.why, "");
    run_until(sim, 0.49);
    hf_verdict late = hf_sim_verdict(sim);
    expect_doubt(&late, "'coil' has become too stiff for the step, 0.005 s, since the start");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A force of 100 N sin(100 t) on a mass that slides for 20 s puts in and takes out as much: the
// ledger is judged by all of that work.
static void work_to_and_fro(void **state)
{
    (void)state;
    hf_model *model = model_of("method: {type: rk4, step: 1e-3}\n"
                               "bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1}}\n"
                               "signals: {shake: \"100*cos(100*t)\"}\n"
                               "forces: [{name: push, on: a, type: force, value: shake}]\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 6.283);
    // v = 1 + sin(100 t): half a period moves 2 J in and back: 200 of them
    hf_check_near(hf_sim_energy(sim).turnover, 401.5, 2.0, "turnover", "2 J to and fro 100 times");
    hf_check_below(fabs(hf_sim_energy(sim).input), 0.1, "input", "net");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A slope that needs 0.445, with a static coefficient of 0.5 and a kinetic one of 0.3: contacts
// that are forces of their depth swing into their load, and let it go. Rigid ones hold it.
static void slides_away_at_the_start(void **state)
{
    (void)state;
    static const char *const contacts[] = {
        "on: box, type: contact, plane: {normal: [0, 0, 1]}",
        "type: collide, among: [box, ground]",
    };
    static const char *const methods[] = {"rk4", "semi-implicit-euler"};
    for (int i = 0; i < 6; ++i) {
        char text[900];
        bool held = i >= 4; // a static coefficient that is the kinetic one's
        (void)snprintf(text, sizeof text,
                       "gravity: [%g, 0, -8.96]\n"
                       "method: {type: %s, step: 5e-4}\n"
                       "bodies:\n"
                       "  ground: {type: static, shape: {type: plane}}\n"
                       "  box: {type: rigid, mass: 1, position: [0, 0, 0.05],\n"
                       "    shape: {type: box, size: [0.2, 0.2, 0.1]}}\n"
                       "forces:\n"
                       "  - {name: floor, %s, restitution: 0,\n"
                       "     friction: {friction: %g, static_friction: 0.5}}\n",
                       3.99, methods[i % 2], contacts[i / 2 % 2], held ? 0.5 : 0.3);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 0.2);
        hf_verdict verdict = hf_sim_verdict(sim);
        bool told = strstr(verdict.why, "slid while it swung into its load") != NULL;
        bool moves = value_of(sim, "box.velocity.x") > 0.1;
        assert_int_equal(told, !held);
        assert_int_equal(moves, !held);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Ten boxes at 1 ms: what contacts can be made stiff enough at this step for one of them lies 16 mm
// deep under ten. At a quarter of the step it is 1 mm.
static void sinking(void **state)
{
    (void)state;
    static const double steps[] = {1e-3, 2.5e-4};
    for (int i = 0; i < 2; ++i) {
        char text[600];
        (void)snprintf(
            text, sizeof text,
            "gravity: [0, 0, -9.81]\n"
            "method: {type: rk4-tau, step: %g}\n"
            "bodies:\n"
            "  ground: {type: static, shape: {type: plane}}\n"
            "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]},\n"
            "    position: [0, 0, 0.1], repeat: {count: [1, 1, 10], spacing: [0, 0, 0.2]}}\n"
            "forces: [{name: c, type: collide, among: all, friction: 0.5, restitution: 0}]\n",
            steps[i]);
        hf_verdict verdict = verdict_of(text, 0.3);
        if (i == 0) {
            expect_doubt(&verdict, " m deep in");
        } else {
            assert_true(verdict.trustworthy);
        }
    }
}

// The ledger of a machine of micrograms is judged as that of one of kilograms: Runge-Kutta steps of
// a quarter period lose energy.
static void small_machines(void **state)
{
    (void)state;
    double ledgers[2];
    for (int i = 0; i < 2; ++i) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "method: {type: rk4, step: 1.5}\n"
                       "bodies: {a: {type: mass, dim: 1, mass: %g, position: 1e-3}}\n"
                       "forces: [{name: s, on: a, type: spring, stiffness: %g}]\n",
                       i == 0 ? 1.0 : 1e-9, i == 0 ? 1.0 : 1e-9);
        hf_verdict verdict = verdict_of(text, 15.0);
        ledgers[i] = verdict.ledger;
        expect_doubt(&verdict, "the energy ledger is off by");
    }
    hf_check_near(ledgers[1], ledgers[0], 1e-9, "ledger", "the same machine in kilograms");
}

// A stiff spring without a damper, whose energy implicit steps take: nothing is left that was
// turned over, and the loss is told. A heavy mass that lies still has a rounding of its energy
// alone.
static void lost_without_a_trace(void **state)
{
    (void)state;
    hf_verdict verdict = verdict_of("method: {type: timestep, step: 1e-3}\n"
                                    "bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1}}\n"
                                    "forces: [{name: k, on: a, type: spring, stiffness: 1e8}]\n",
                                    1.0);
    expect_doubt(&verdict, "the energy ledger is off by 0.5 J");
    hf_check_near(verdict.ledger, 1.0, 1e-3, "ledger", "all of it");
    verdict = verdict_of("method: {type: timestep, step: 1e-3}\n"
                         "gravity: [0, 0, -9.81]\n"
                         "bodies: {a: {type: mass, axes: z, mass: 1e7, position: 333}}\n"
                         "forces: [{name: k, on: a, type: stop, low: 333, restitution: 0}]\n",
                         0.1);
    assert_string_equal(verdict.why, "");
}

// A slider-crank that two frictions hold: all that it turns over is rounding, and no reason to
// doubt.
static void held_still(void **state)
{
    (void)state;
    hf_verdict verdict = verdict_of(
        "method: {type: discrete, step: 1e-4}\n"
        "bodies:\n"
        "  engine:\n"
        "    type: tree\n"
        "    joints:\n"
        "      crank: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.05, 0, 0],\n"
        "              inertia: [0.001, 0.002, 0.002], position: 0.3}\n"
        "      rod: {type: revolute, parent: crank, offset: [0.1, 0, 0], axis: [0, 1, 0],\n"
        "            mass: 0.5, center: [0.15, 0, 0], inertia: [0.001, 0.004, 0.004]}\n"
        "  slider: {type: mass, axes: x, mass: 0.5, position: 0.39}\n"
        "loops: {pin: {type: point, on: engine.rod, to: slider, point: [0.3, 0, 0]}}\n"
        "forces:\n"
        "  - {name: drive, on: engine.crank, type: torque, value: \"50*t\"}\n"
        "  - {name: f, on: slider, type: friction, law: coulomb, level: {kinetic: 3, static: 5}}\n"
        "  - {name: g, on: engine.crank, type: friction, law: coulomb,\n"
        "     level: {kinetic: 0.1, static: 0.2}}\n",
        7.8e-3);
    assert_string_equal(verdict.why, "");
}

// What one body does beside another of 1e12 times its mass is in the last digits of what is solved.
static void masses_too_unlike(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char text[500];
        (void)snprintf(
            text, sizeof text,
            "method: {type: discrete, step: 1e-2}\n"
            "bodies:\n"
            "  a: {type: mass, dim: 1, mass: 10, velocity: 1}\n"
            "  b: {type: mass, dim: 1, mass: %g}\n"
            "forces: [{name: f, on: a, to: b, type: friction, law: coulomb, level: 1e-4}]\n",
            i == 0 ? 1e-11 : 1e-8);
        hf_verdict verdict = verdict_of(text, 0.1);
        if (i == 0) {
            expect_doubt(&verdict, "of the two bodies of 'f' one is 1e+12 times as light");
        } else {
            assert_string_equal(verdict.why, "");
        }
    }
}

// An arm whose tip strikes the floor. By Routh's rule the slip of 0.41 m/s at mu = 0.33 stops
// within the impact and is held by springs from there, which exact contacts do by one impulse:
// other ends, and told. A lone mass has the same slip in both, whatever it does: the normal does
// not drive it.
static void normal_drives_slip(void **state)
{
    (void)state;
    static const char *const arm =
        "method: {type: %s, step: 2.5e-4}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      a: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.25, 0, 0], inertia: [0.02, "
        "0.02, 0.02], offset: [0, 0, 0.72741], position: 0.5131, velocity: 2.406}\n"
        "      b: {type: revolute, axis: [0, 1, 0], parent: a, offset: [0.5, 0, 0], mass: 1, "
        "center: "
        "[0.25, 0, 0], inertia: [0.02, 0.02, 0.02], position: 0.6956, velocity: -2.7}\n"
        "forces:\n"
        "  - {name: tip, on: arm.b, point: [0.5, 0, 0], type: contact, law: rigid-contact, "
        "friction: "
        "%g, restitution: 0}\n";
    static const char *const lone =
        "method: {type: %s, step: 2.5e-4}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {p: {type: mass, mass: 1, position: [0, 0, 0.01], velocity: [0.4, 0, -1]}}\n"
        "forces: [{name: tip, on: p, type: contact, friction: %g, restitution: 0.3}]\n";
    static const char *const methods[] = {"discrete", "semi-implicit-euler", "verlet"};
    for (int i = 0; i < 6; ++i) {
        char text[1500];
        double mu = i % 2 == 0 ? 0.3257 : 0.15; // sticks, turns round
        (void)snprintf(text, sizeof text, arm, methods[i / 2], mu);
        hf_verdict verdict = verdict_of(text, 0.2);
        expect_doubt(&verdict, "in an impact of 'tip' the normal drove its slip");
        (void)snprintf(text, sizeof text, lone, methods[i / 2], mu);
        verdict = verdict_of(text, 0.2);
        assert_true(strstr(verdict.why, "drove its slip") == NULL);
    }
    char text[1500];
    (void)snprintf(text, sizeof text, arm, "timestep", 0.3257);
    assert_true(verdict_of(text, 0.2).trustworthy);
}

// A budget of iterations leaves steps above their tolerance: the verdict names the accuracy that is
// left; without a budget, or where it was enough, there is nothing to say.
static void within_a_budget(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char text[700];
        (void)snprintf(text, sizeof text,
                       "method: {type: timestep, step: 2e-3, solver: gauss-seidel, tolerance: "
                       "1e-8%s}\n"
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  ground: {type: static, shape: {type: plane}}\n"
                       "  s: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: "
                       "[0, 0, 0.05], repeat: {count: 6, spacing: [0.01, 0, 0.1]}}\n"
                       "forces: [{name: c, type: collide, among: all, friction: 0.4}]\n",
                       i == 0 ? ", iterations: 10" : "");
        hf_verdict verdict = verdict_of(text, 0.05);
        assert_true(verdict.trustworthy || i == 0);
        assert_true((strstr(verdict.within, "budget of 10 iterations") != NULL) == (i == 0));
    }
}

// A joint that begins beyond its limit is brought back, and is no body in another.
static void begun_beyond_a_limit(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "method: {type: timestep, step: 1e-3}\n"
                       "bodies:\n"
                       "  floor: {type: static, shape: {type: plane}}\n"
                       "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}, "
                       "position: [0, 0, 0.05]}\n"
                       "  arm: {type: tree, joints: {slide: {type: prismatic, axis: [1, 0, 0], "
                       "mass: 1, position: %g, limits: {low: -0.1, high: 0.1}}}}\n"
                       "forces: [{name: touch, type: collide, among: all}]\n",
                       i == 0 ? 0.13 : 0.1);
        hf_verdict verdict = verdict_of(text, 0.01);
        if (i == 0) {
            expect_doubt(&verdict, "began 0.03 m (or rad) beyond its limit and was brought back");
        } else {
            assert_true(verdict.trustworthy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passing_through),
        cmocka_unit_test(begun_inside),
        cmocka_unit_test(begun_beyond_a_limit),
        cmocka_unit_test(not_passing),
        cmocka_unit_test(falling_heat),
        cmocka_unit_test(heat_that_comes_and_goes),
        cmocka_unit_test(work_to_and_fro),
        cmocka_unit_test(sinking),
        cmocka_unit_test(small_machines),
        cmocka_unit_test(masses_too_unlike),
        cmocka_unit_test(held_still),
        cmocka_unit_test(lost_without_a_trace),
        cmocka_unit_test(lost_bounce),
        cmocka_unit_test(stiff_later),
        cmocka_unit_test(slides_away_at_the_start),
        cmocka_unit_test(within_a_budget),
        cmocka_unit_test(normal_drives_slip),
    };
    return hf_run_tests(tests);
}
