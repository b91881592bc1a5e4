// SPDX-License-Identifier: Apache-2.0
// Velocity Verlet: its discrete solution in closed form, what it conserves exactly, its order on
// machines of every kind, and its largest steps.
#include <math.h>
#include <stdio.h>

#include <hf_machine.h>

// ------------------------------------------------------------------------------------------------
// An oscillator, w = 10 rad/s

#define FREQUENCY 10.0

static hf_model *oscillator(double step)
{
    char text[300];
    (void)snprintf(text, sizeof text,
                   "method: {type: verlet, step: %.17g}\n"
                   "bodies: {block: {type: mass, dim: 1, mass: 2, position: 0.3}}\n"
                   "forces: [{name: spring, on: block, type: spring, stiffness: 200}]\n",
                   step);
    return model_of(text);
}

// From rest, x(n) = x(0) cos(n theta) with cos(theta) = 1 - (w T)^2/2, up to w T = 2.
static void oscillator_in_closed_form(void **state)
{
    (void)state;
    static const double steps[] = {1e-3, 0.02, 0.1, 0.19};
    for (int k = 0; k < 4; ++k) {
        double turn = FREQUENCY * steps[k], theta = acos(1.0 - 0.5 * turn * turn);
        hf_model *model = oscillator(steps[k]);
        hf_sim *sim = sim_from(model, NULL);
        for (int n = 1; n <= 2000; ++n) {
            step(sim);
            hf_check_near(value_of(sim, "block.position"), 0.3 * cos(n * theta), 1e-10, "x(n)",
                          "x(0) cos(n theta)");
            // v(n) = -w sqrt(1 - (w T/2)^2) x(0) sin(n theta)
            double speed = FREQUENCY * sqrt(1.0 - 0.25 * turn * turn);
            hf_check_near(value_of(sim, "block.velocity"), -0.3 * speed * sin(n * theta), 1e-9,
                          "v(n)", "closed form");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// The energy is wrong by (w T)^2/4 of it at most, and m v^2/2 + K (1 - (w T)^2/4) x^2/2 is kept.
static void energy_stays_bounded(void **state)
{
    (void)state;
    const double h = 0.02, least = 1.0 - 0.25 * (FREQUENCY * h) * (FREQUENCY * h);
    hf_model *model = oscillator(h);
    hf_sim *sim = sim_from(model, NULL);
    double start = 100.0 * 0.3 * 0.3, lowest = start, highest = start;
    for (int n = 0; n < 200000; ++n) {
        step(sim);
        double x = value_of(sim, "block.position"), v = value_of(sim, "block.velocity");
        double energy = v * v + 100.0 * x * x;
        lowest = fmin(lowest, energy);
        highest = fmax(highest, energy);
        hf_check_near(v * v + least * 100.0 * x * x, least * start, 1e-9, "kept energy", "start");
    }
    hf_check_near(lowest / start, least, 1e-6, "least energy", "1 - (w T)^2/4");
    hf_check_near(highest / start, 1.0, 1e-9, "most energy", "that of the start");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// A planet on a spring in the plane: nonlinear, forces by positions alone

static hf_model *planets(void)
{
    return model_of("method: {type: verlet, step: 5e-3}\n"
                    "bodies:\n"
                    "  a: {type: mass, dim: 3, mass: 1, position: [1, 0, 0], velocity: [0, 2, 1]}\n"
                    "  b: {type: mass, dim: 3, mass: 3, position: [0, 0.4, 0]}\n"
                    "forces:\n"
                    "  - {name: tie, on: a, to: b, coupling: distance, type: spring, "
                    "stiffness: 40, rest: 0.7}\n");
}

typedef struct motion {
    double x[2][3], v[2][3];
} motion;

static motion look(hf_sim *sim)
{
    motion m;
    for (int k = 0; k < 2; ++k) {
        memcpy(m.x[k], hf_sim_position(sim, (hf_body){k + 1}), sizeof m.x[k]);
        memcpy(m.v[k], hf_sim_velocity(sim, (hf_body){k + 1}), sizeof m.v[k]);
    }
    return m;
}

static void angular_momentum(const motion *m, double l[3])
{
    static const double mass[2] = {1.0, 3.0};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        l[i] = 0.0;
        for (int b = 0; b < 2; ++b) {
            l[i] += mass[b] * (m->x[b][j] * m->v[b][k] - m->x[b][k] * m->v[b][j]);
        }
    }
}

static void momentum_and_way_back(void **state)
{
    (void)state;
    hf_model *model = planets();
    hf_sim *sim = sim_from(model, NULL);
    motion start = look(sim);
    double before[3], after[3];
    angular_momentum(&start, before);
    for (int n = 0; n < 4000; ++n) {
        step(sim);
    }
    motion there = look(sim);
    angular_momentum(&there, after);
    for (int i = 0; i < 3; ++i) {
        hf_check_near(after[i], before[i], 1e-11, "angular momentum", "kept to rounding");
    }
    assert_true(fabs(there.x[0][0] - start.x[0][0]) > 0.1);
    // With velocities turned round it comes back to where it began
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 3; ++i) {
            there.v[k][i] = -there.v[k][i];
        }
        hf_error error = {0};
        assert_int_equal(hf_sim_set_velocity(sim, (hf_body){k + 1}, there.v[k], &error), HF_OK);
    }
    for (int n = 0; n < 4000; ++n) {
        step(sim);
    }
    motion back = look(sim);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 3; ++i) {
            hf_check_near(back.x[k][i], start.x[k][i], 1e-8, "position of the start", "reversible");
            hf_check_near(back.v[k][i], -start.v[k][i], 1e-8, "velocity of the start",
                          "reversible");
        }
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Order 2, also where forces depend on velocity and where laws have states

typedef struct scene {
    const char *what, *text, *channel;
    double step, end;
} scene;

static const scene SCENES[] = {
    {"a damped chain", // dampers see predicted velocities
     "bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1}, b: {type: mass, dim: 1, mass: 2}}\n"
     "forces: [{name: s, on: a, type: spring, stiffness: 60, damping: 3},\n"
     "  {name: u, on: b, to: a, type: spring, stiffness: 90, damping: 1}]\n",
     "b.position", 4e-3, 1.0},
    {"a double pendulum", // velocity products
     "gravity: [0, 0, -9.81]\n"
     "bodies: {arm: {type: tree, joints: {a: {type: revolute, axis: [0, 1, 0], mass: 1,\n"
     "  center: [0.2, 0, 0], inertia: [0.001, 0.02, 0.02], velocity: 3}, b: {parent: a,\n"
     "  type: revolute, axis: [0, 1, 0], offset: [0.4, 0, 0], mass: 0.6, center: [0.1, 0, 0],\n"
     "  inertia: [0.001, 0.01, 0.01]}}}}\n",
     "arm.b.position", 2e-3, 0.6},
    {"a tumbling body", // gyroscopic forces, a quaternion
     "bodies: {body: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.045],\n"
     "  angular_velocity: [2, 6, 1]}}\n",
     "body.angular_velocity.z", 4e-3, 1.0},
    {"where a tumbling body looks",
     "bodies: {body: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.045],\n"
     "  angular_velocity: [2, 6, 1]}}\n",
     "body.orientation.x", 4e-3, 1.0},
    {"a belt driven by its velocity",
     "bodies: {belt: {type: driven, dim: 1, velocity: \"2*cos(5*t) + t\"},\n"
     "  load: {type: mass, dim: 1, mass: 1}}\n"
     "forces: [{name: s, on: load, to: belt, type: spring, stiffness: 60, damping: 3}]\n",
     "load.position", 8e-3, 1.0},
    {"the belt itself", "bodies: {belt: {type: driven, dim: 1, velocity: \"2*cos(5*t) + t\"}}\n",
     "belt.position", 8e-3, 1.0},
    {"a held friction element", // its deflection is a state of the law
     "signals: {wave: \"2*sin(9*t)\"}\n"
     "bodies: {m: {type: mass, dim: 1, mass: 1}}\n"
     "forces: [{name: push, on: m, type: force, value: wave}, {name: rub, on: m, type: friction,\n"
     "  law: stiction, level: 100, stiffness: 400, damping: 5}]\n",
     "m.position", 2e-3, 1.0},
    {"a bristle that relaxes", // lambda T = 1.4 at first: (5), not (4)
     "bodies: {m: {type: mass, dim: 1, mass: 1, velocity: 1},\n"
     "  belt: {type: driven, dim: 1, velocity: \"2.5 + 0.5*cos(9*t)\"}}\n"
     "forces: [{name: rub, on: m, to: belt, type: friction, law: lugre, level: {coulomb: 1,\n"
     "  static: 1.5, stribeck_velocity: 1}, stiffness: 700, damping: 0}]\n",
     "m.velocity", 1e-3, 0.5},
    {"a jump of an input within a step",
     "signals: {push: \"t < 0.5037 ? 3 : -4\"}\n"
     "bodies: {m: {type: mass, dim: 1, mass: 1}}\n"
     "forces: [{name: s, on: m, type: spring, stiffness: 30, damping: 0.4},\n"
     "  {name: f, on: m, type: force, value: push}]\n",
     "m.position", 8e-3, 1.0},
};

static double at_end(const scene *s, const char *method, double h)
{
    char text[1200];
    (void)snprintf(text, sizeof text, "method: {type: %s, step: %.17g}\n%s", method, h, s->text);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, s->end);
    double value = value_of(sim, s->channel);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return value;
}

// Against rk4 at a step that is 40 times smaller: an independent answer, not a difference of its
// own.
static void second_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; ++i) {
        const scene *s = &SCENES[i];
        double exact = at_end(s, "rk4", s->step / 40.0);
        double first = fabs(at_end(s, "verlet", s->step) - exact);
        double second = fabs(at_end(s, "verlet", 0.5 * s->step) - exact);
        hf_check_near(log2(first / second), 2.0, 0.3, s->what, "order 2");
        assert_true(first > 1e-9); // not rounding
    }
}

// ------------------------------------------------------------------------------------------------
// Largest steps, and the cost of one

static void largest_steps(void **state)
{
    (void)state;
    static const struct {
        double stiffness, damping, limit;
    } springs[] = {{100.0, 0.0, 0.2}, {0.0, 50.0, 2.0 / 50.0}};
    for (int i = 0; i < 2; ++i) {
        for (int above = 0; above < 2; ++above) {
            char text[300];
            double h = (above ? 1.01 : 0.99) * springs[i].limit;
            (void)snprintf(text, sizeof text,
                           "method: {type: verlet, step: %.17g}\n"
                           "bodies: {m: {type: mass, dim: 1, mass: 1, velocity: 1e-3}}\n"
                           "forces: [{name: s, on: m, type: spring, stiffness: %g, damping: %g}]\n",
                           h, springs[i].stiffness, springs[i].damping);
            hf_model *model = model_of(text);
            hf_sim *sim = sim_from(model, NULL);
            hf_check_near(hf_sim_stability(sim, (hf_force){1}).largest_step, springs[i].limit, 1e-6,
                          "largest step", i == 0 ? "w T < 2" : "B T/m < 2");
            long long before = hf_sim_get_stats(sim).evaluations;
            for (int n = 0; n < 400; ++n) {
                step(sim);
            }
            assert_int_equal(hf_sim_get_stats(sim).evaluations - before, 2 * 400);
            assert_true((fabs(value_of(sim, "m.velocity")) > 1.0) == above);
            hf_sim_destroy(sim);
            hf_model_destroy(model);
        }
    }
}

// A slipping element comes to rest at e = F/K below T K/B = 2, and does not above.
static void slipping_element(void **state)
{
    (void)state;
    for (int above = 0; above < 2; ++above) {
        char text[400];
        double limit = 2.0 * 10.0 / 1e4;
        (void)snprintf(text, sizeof text,
                       "method: {type: verlet, step: %.17g}\n"
                       "bodies: {m: {type: mass, dim: 1, mass: 1e4, velocity: 1}}\n"
                       "forces: [{name: rub, on: m, type: friction, law: stiction, level: 0.5,\n"
                       "  stiffness: 1e4, damping: 10}]\n",
                       (above ? 1.02 : 0.98) * limit);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        hf_check_near(hf_sim_stability(sim, (hf_force){1}).largest_step, limit, 1e-9,
                      "largest step", "T K/B < 2");
        for (int n = 0; n < 3000; ++n) {
            step(sim);
        }
        double off = fabs(value_of(sim, "rub.state.0") * 1e4 / 0.5 - 1.0);
        assert_true(above ? off > 1e-3 : off < 1e-9);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Contacts that are left their numbers deliver the restitution that is wished, at steps of any
// size.
static void rebounds(void **state)
{
    (void)state;
    static const double wishes[] = {0.05, 0.1, 0.3, 0.5, 0.8, 0.95};
    static const double steps[] = {1e-4, 1e-3, 2e-3};
    for (int i = 0; i < 18; ++i) {
        char text[400];
        (void)snprintf(
            text, sizeof text,
            "method: {type: verlet, step: %g}\n"
            "bodies: {ball: {type: mass, dim: 1, axes: z, mass: 1, position: 0.0101234,\n"
            "  velocity: -1}}\n"
            "forces: [{name: floor, on: ball, type: contact, law: rigid-contact,\n"
            "  restitution: %g}]\n",
            steps[i / 6], wishes[i % 6]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 0.5);
        hf_check_near(value_of(sim, "ball.velocity"), wishes[i % 6], 0.01, "rebound", "the wish");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Exact Coulomb friction and elements without damping are for other methods, which are named.
static void refusals(void **state)
{
    (void)state;
    static const char *const laws[] = {"law: coulomb, level: 1",
                                       "law: stiction, level: 1, stiffness: 1e4, damping: 0"};
    for (int i = 0; i < 2; ++i) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "method: {type: verlet, step: 1e-3}\n"
                       "bodies: {m: {type: mass, dim: 1, mass: 1}}\n"
                       "forces: [{name: rub, on: m, type: friction, %s}]\n",
                       laws[i]);
        hf_model *model = model_of(text);
        expect_refusal(model, NULL, "verlet");
        expect_refusal(model, NULL, "semi-implicit-euler");
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_in_closed_form),
        cmocka_unit_test(energy_stays_bounded),
        cmocka_unit_test(momentum_and_way_back),
        cmocka_unit_test(second_order),
        cmocka_unit_test(largest_steps),
        cmocka_unit_test(slipping_element),
        cmocka_unit_test(rebounds),
        cmocka_unit_test(refusals),
    };
    return hf_run_tests(tests);
}
