// SPDX-License-Identifier: Apache-2.0
// Method timestep: rules that a run obeys without showing them. Which forces are implicit, how far
// a correction turns a body, and the warm start of steps that are cut.
#include "contact_test.h"

#include <math.h>

#include "math/vec.h"

enum { TEXT = 1024 };

static double largest_step(double theta, double stiffness, double damping)
{
    char text[TEXT];
    (void)snprintf(text, TEXT,
                   "bodies: {m: {type: mass, dim: 1, mass: 1, position: 0.1}}\n"
                   "forces: [{name: s, on: m, type: spring, stiffness: %.17g, damping: %.17g}]\n",
                   stiffness, damping);
    hf_model *model = model_of(text);
    hf_method_def method = timestep(1e-3);
    method.theta = theta;
    hf_sim *sim = sim_with(model, method);
    double step = hf_sim_stability(sim, (hf_force){1}).largest_step;
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return step;
}

// One step on an oscillator. Soft (h^2 k/4 m + h b/2 m up to a quarter): the force (1 - theta) h
// ahead. Stiff: that of the theta method, theta f+ + (1 - theta) f.
static void oscillate(double k, double b, double m, double theta, double h, const double *x,
                      double *out)
{
    double ahead = (1.0 - theta) * h, a = -(k * x[0] + b * x[1]) / m;
    if (0.25 * h * h * k / m + 0.5 * h * b / m <= 0.25) {
        out[1] = x[1] - h / m * (k * (x[0] + ahead * x[1]) + b * (x[1] + ahead * a));
    } else {
        double weight = m + theta * h * b + theta * theta * h * h * k;
        out[1] = x[1] - h * (k * x[0] + b * x[1] + theta * h * k * x[1]) / weight;
    }
    out[0] = x[0] + h * (theta * out[1] + (1.0 - theta) * x[1]);
}

// With random numbers, soft and stiff; and no step is too large.
static void linear_step(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(41);
    for (int i = 0; i < 80; ++i) {
        double k = hf_rng_log_uniform(&rng, 1.0, 1e6), b = hf_rng_log_uniform(&rng, 1e-2, 1e3);
        double m = hf_rng_uniform(&rng, 0.5, 2.0);
        double h = hf_rng_log_uniform(&rng, 1e-3, 0.1), out[2];
        double theta = hf_rng_uniform(&rng, 0.5, 1.0);
        const double x[2] = {hf_rng_normal(&rng), hf_rng_normal(&rng)};
        char text[TEXT];
        (void)snprintf(text, TEXT,
                       "bodies: {m: {type: mass, dim: 1, mass: %.17g, position: %.17g, velocity: "
                       "%.17g}}\n"
                       "forces: [{name: s, on: m, type: spring, stiffness: %.17g, damping: "
                       "%.17g}]\n",
                       m, x[0], x[1], k, b);
        hf_model *model = model_of(text);
        hf_method_def method = timestep(h);
        method.theta = theta;
        hf_sim *sim = sim_with(model, method);
        step(sim);
        oscillate(k, b, m, theta, h, x, out);
        hf_check_near(value_of(sim, "m.position"), out[0], 1e-11 * (1.0 + fabs(out[0])), "x",
                      "linear step");
        hf_check_near(value_of(sim, "m.velocity"), out[1], 1e-11 * (1.0 + fabs(out[1])), "v",
                      "linear step");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    assert_true(isinf(largest_step(1.0, 100.0, 0.0)));
    assert_true(isinf(largest_step(0.5, 1e9, 1e3)));
}

// A cube that is easily turned begins with an edge in the floor: it is turned out of it by 0.1 rad
// in a step at most.
static void corrections_turn_little(void **state)
{
    (void)state;
    const double tilt = 0.2, depth = 0.0099;
    char text[TEXT];
    (void)snprintf(text, TEXT,
                   "bodies:\n"
                   "  ground: {type: static, shape: {type: plane}}\n"
                   "  rod: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]},\n"
                   "    inertia: [1e-5, 1e-5, 1e-5], position: [0, 0, %.17g],\n"
                   "    orientation: {axis: [0, 1, 0], angle: %g}}\n"
                   "forces:\n"
                   "  - {name: floor, type: collide, among: all, friction: 0.1}\n",
                   0.05 * (cos(tilt) + sin(tilt)) - depth, tilt);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    const double *pose = hf_sim_position(sim, hf_model_find_body(model, "rod"));
    double before = tilt, most = 0.0;
    for (int k = 0; k < 40; ++k) {
        step(sim);
        double angle = 2.0 * atan2(pose[5], pose[3]);
        hf_check_below(fabs(angle - before), 0.101, "turn of a correction", "0.1 rad");
        most = fmax(most, fabs(angle - before));
        before = angle;
    }
    hf_check_below(0.09, most, "0.09 rad", "a turn that reaches the limit");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A stack at rest, in steps that are cut where the force on another body jumps: reactions are
// impulses, and those of the last step begin the next, scaled to its length.
static void cut_steps_begin_warm(void **state)
{
    (void)state;
    char text[TEXT];
    (void)snprintf(text, TEXT,
                   "gravity: [0, 0, -9.81]\n"
                   "bodies:\n"
                   "  ground: {type: static, shape: {type: plane}}\n"
                   "  a: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, "
                   "position: [0, 0, 0.05]}\n"
                   "  b: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, "
                   "position: [0, 0, 0.15]}\n"
                   "  other: {type: mass, dim: 1, mass: 1}\n"
                   "signals:\n"
                   "  jumps: \"t < 0.10037 ? 0 : t < 0.20071 ? 1 : t < 0.30013 ? 0 : 1\"\n"
                   "forces:\n"
                   "  - {name: push, on: other, type: force, value: jumps}\n"
                   "  - {name: floor, type: collide, among: all, friction: 0.5}\n");
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    run_until(sim, 0.09);
    hf_sim_stats before = hf_sim_get_stats(sim);
    run_until(sim, 0.4);
    hf_sim_stats after = hf_sim_get_stats(sim);
    assert_int_equal(after.steps - before.steps, 310);
    assert_int_equal(after.warm_steps - before.warm_steps, 313); // three are cut in two
    assert_int_equal(after.solver_iterations - before.solver_iterations, 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A pair that a set leaves out and another force names belongs to that force, whichever comes
// first: b lies on a.
static void excepted_pairs_have_their_force(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char text[TEXT];
        (void)snprintf(text, TEXT,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  ground: {type: static, shape: {type: plane}}\n"
                       "  a: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, "
                       "position: [0, 0, 0.05]}\n"
                       "  b: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, "
                       "position: [0, 0, 0.15]}\n"
                       "forces:\n"
                       "  - {name: %s, type: collide, among: [a, b], friction: 0.5}\n"
                       "  - {name: %s, type: collide, among: all, except: [[a, b]], "
                       "friction: 0.5}\n",
                       i == 0 ? "first" : "second", i == 0 ? "second" : "first");
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(1e-3));
        run_until(sim, 0.1);
        hf_check_near(value_of(sim, "b.position.z"), 0.15, 1e-6, "b", "on a");
        hf_check_near(value_of(sim, "a.position.z"), 0.05, 1e-6, "a", "on the ground");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Modes by one number under every method: of level zero the side of the motion, off open.
static void modes_without_a_force(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_TIMESTEP, HF_METHOD_DISCRETE,
                                           HF_METHOD_SEMI_IMPLICIT_EULER, HF_METHOD_EULER};
    static const char *const names[] = {"ra.mode", "rb.mode", "rc.mode", "ea.mode", "eb.mode"};
    static const double want[] = {1.0, 0.0, -1.0, 2.0, 2.0};
    hf_model *model =
        model_of("bodies:\n"
                 "  a: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
                 "  b: {type: mass, dim: 1, mass: 1}\n"
                 "  c: {type: mass, dim: 1, mass: 1, velocity: -1}\n"
                 "forces:\n"
                 "  - {name: ra, on: a, type: friction, law: coulomb, level: 0}\n"
                 "  - {name: rb, on: b, type: friction, law: coulomb, level: 0}\n"
                 "  - {name: rc, on: c, type: friction, law: coulomb, level: 0}\n"
                 "  - {name: ea, on: a, type: friction, law: coulomb, level: 1, enable: '0*t'}\n"
                 "  - {name: eb, on: b, type: friction, law: coulomb, level: 1, enable: '0*t'}\n");
    for (int i = 0; i < 4; ++i) {
        hf_method_def method = timestep(1e-3);
        method.type = types[i];
        hf_sim *sim = sim_with(model, method);
        run_until(sim, 0.01);
        for (int k = 0; k < 5; ++k) {
            hf_check_near(value_of(sim, names[k]), want[k], 0.0, names[k],
                          hf_method_name(types[i]));
        }
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_without_a_force),           cmocka_unit_test(linear_step),
        cmocka_unit_test(corrections_turn_little),         cmocka_unit_test(cut_steps_begin_warm),
        cmocka_unit_test(excepted_pairs_have_their_force),
    };
    return hf_run_tests(tests);
}
