// SPDX-License-Identifier: Apache-2.0
// Closed chains under adaptive methods and exact friction: against machines without loops, a
// reduction to one degree of freedom by hand, and reference numbers of the 3-RPS robot.
#include <math.h>

#include "adaptive_test.h"

// The absolute tolerance is a hundredth of the relative one.
static hf_method_def closed(hf_method_family family, double tolerance, double step)
{
    hf_method_def method = switching(family, tolerance, step);
    method.atol = 1e-2 * tolerance;
    return method;
}

static hf_model *load(const char *name)
{
    char path[600];
    hf_error error = {0};
    (void)snprintf(path, sizeof path, "%s/examples/%s.yaml", HF_SOURCE_DIR, name);
    hf_model *model = hf_model_load(path, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

// ------------------------------------------------------------------------------------------------
// A pendulum on a loop

static const char PENDULUM[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  rod: {type: rigid, mass: 1.5, inertia: [0.08, 0.08, 0.001], position: [0.3, 0, -0.4],\n"
    "        orientation: {axis: [0, -1, 0], angle: 0.64350110879328438}}\n"
    "loops:\n"
    "  pin: {type: revolute, on: rod, to: world, point: [0, 0, 0.5], axis: [0, 1, 0], "
    "to_axis: [0, 1, 0]}\n";
static const char TREE_PENDULUM[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  tree:\n"
    "    type: tree\n"
    "    joints:\n"
    "      rod: {type: revolute, axis: [0, -1, 0], mass: 1.5, center: [0, 0, -0.5],\n"
    "            inertia: [0.08, 0.08, 0.001], position: 0.64350110879328438}\n";

static void pendulum(void **state)
{
    (void)state;
    const hf_method_family families[] = {HF_FAMILY_ADAMS, HF_FAMILY_BDF, HF_FAMILY_ERK};
    hf_model *model = model_of(PENDULUM), *tree = model_of(TREE_PENDULUM);
    hf_sim *fine = sim_with(tree, adaptive(HF_FAMILY_ADAMS, 1e-13, 0.05));
    run_until(fine, 3.0);
    double angle = value_of(fine, "tree.rod.position");
    for (int i = 0; i < 3; ++i) {
        const double tolerance[3] = {1e-4, 1e-7, 1e-10};
        for (int k = 0; k < 3; ++k) {
            hf_sim *sim = sim_with(model, adaptive(families[i], tolerance[k], 0.05));
            run_until(sim, 3.0);
            hf_check_near(atan2(value_of(sim, "rod.position.x"), -value_of(sim, "rod.position.z")),
                          angle, 300.0 * tolerance[k], "angle", "joint of a tree");
            hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-14, "opening", "rounding");
            hf_sim_destroy(sim);
        }
    }
    hf_sim_destroy(fine);
    hf_model_destroy(model);
    hf_model_destroy(tree);
}

// ------------------------------------------------------------------------------------------------
// The slider-crank with a dry slider, reduced by hand: M(q) q'' + M'(q) q'^2/2 = -V'(q) + torque
// - d q' - F sign(x') x'(q)

typedef struct reduced {
    double inertia, potential, slide, slope;
} reduced;

static reduced reduce(double q)
{
    const double r = 0.1, l = 0.3;
    double s = sin(q), c = cos(q), root = sqrt(l * l - r * r * s * s), rod = -r * c / root;
    double x = -r * s + 0.15 * (r * s / l) * rod, z = r * c + 0.15 * (root / l) * rod;
    double slope = -r * s - r * r * s * c / root;
    return (reduced){
        .inertia = 0.004 + 1.0 * 0.05 * 0.05 + 0.5 * (x * x + z * z) + 0.00375 * rod * rod +
                   2.0 * slope * slope,
        .potential = 9.81 * (1.0 * 0.05 * s + 0.5 * (r * s - 0.15 * r * s / l)),
        .slide = r * c + root,
        .slope = slope,
    };
}

static double acceleration(double t, double q, double v)
{
    const double h = 1e-6;
    reduced here = reduce(q), before = reduce(q - h), after = reduce(q + h);
    double bend = (after.inertia - before.inertia) / (2.0 * h);
    double fall = (after.potential - before.potential) / (2.0 * h);
    double rub = 3.0 * fabs(here.slope) * (v >= 0.0 ? 1.0 : -1.0); // it starts forth
    double torque = t < 2.0 ? 1.2 : 0.0;
    return (torque - 0.08 * v - rub - fall - 0.5 * bend * v * v) / here.inertia;
}

// Until t = 2, or until the crank stops after that: its angle, and the time.
static double run_reduced(double h, double *time, double *at_two)
{
    double q = -1.5, v = 0.0, t = 0.0;
    for (long i = 0;; ++i) {
        t = (double)i * h;
        if (i == lround(2.0 / h)) {
            *at_two = q;
        }
        // Each stage on its own side of the jump at t = 2, which is a step's end.
        double s = t + 1e-12, e = t + h - 1e-12;
        double k1 = acceleration(s, q, v), v2 = v + 0.5 * h * k1;
        double k2 = acceleration(t + 0.5 * h, q + 0.5 * h * v, v2), v3 = v + 0.5 * h * k2;
        double k3 = acceleration(t + 0.5 * h, q + 0.5 * h * v2, v3), v4 = v + h * k3;
        double k4 = acceleration(e, q + h * v3, v4);
        double next = v + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        if (t > 2.0 && next <= 0.0) { // within this step, at about constant acceleration
            *time = t - v / k1;
            return q + 0.5 * v * (*time - t);
        }
        q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v = next;
    }
}

static void dry_slider(void **state)
{
    (void)state;
    hf_model *model = load("slider-crank");
    double stop = 0.0, two = 0.0, angle = run_reduced(2e-5, &stop, &two);
    event_log log = {0};
    hf_sim *sim = sim_logged(model, closed(HF_FAMILY_ADAMS, 1e-10, 0.01), &log);
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "engine.crank.position"), two, 1e-7, "crank at 2 s", "by hand");
    hf_check_near(value_of(sim, "rail.slider.position"), reduce(two).slide, 1e-7, "slider",
                  "by hand");
    run_until(sim, 3.0);
    // Six dead centers, where the slider turns without sticking, and the stop
    assert_int_equal(log.count, 7);
    for (int i = 0; i < 6; ++i) {
        assert_int_equal(log.events[i].from, -log.events[i].to);
    }
    check_event(&log, 6, stop, 1e-6, 0, "by hand");
    hf_check_near(value_of(sim, "engine.crank.position"), angle, 1e-6, "crank", "by hand");
    double rest = value_of(sim, "rail.slider.position"),
           crank = value_of(sim, "engine.crank.position");
    run_until(sim, 5.0);
    hf_check_same_bits(value_of(sim, "rail.slider.position"), rest, "slider in stick");
    hf_check_same_bits(value_of(sim, "rail.slider.velocity"), 0.0, "velocity in stick");
    hf_check_near(value_of(sim, "engine.crank.position"), crank, 1e-15, "crank in stick", "held");
    // What friction must hold: the weights of crank and rod, through the crank's lever
    const double h = 1e-6;
    double fall = (reduce(angle + h).potential - reduce(angle - h).potential) / (2.0 * h);
    hf_check_near(value_of(sim, "dry.force"), fall / reduce(angle).slope, 1e-5, "force in stick",
                  "by hand");
    hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-13, "opening", "rounding");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The same in whole steps, [Kikuuwe2005]'s way: first order, and what sticks stays to the bit.
static void dry_slider_in_steps(void **state)
{
    (void)state;
    hf_model *model = load("slider-crank");
    double stop = 0.0, two = 0.0, errors[2];
    (void)run_reduced(1e-4, &stop, &two);
    for (int i = 0; i < 2; ++i) {
        hf_method_def method = {.type = HF_METHOD_DISCRETE, .step = i == 0 ? 4e-4 : 2e-4};
        hf_sim *sim = sim_with(model, method);
        run_until(sim, 2.0);
        errors[i] = fabs(value_of(sim, "engine.crank.position") - two);
        run_until(sim, 3.0);
        double rest = value_of(sim, "rail.slider.position");
        run_until(sim, 3.5);
        hf_check_same_bits(value_of(sim, "rail.slider.position"), rest, "slider in stick");
        hf_check_same_bits(value_of(sim, "rail.slider.velocity"), 0.0, "velocity in stick");
        hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-13, "opening", "rounding");
        hf_sim_destroy(sim);
    }
    hf_check_near(errors[0] / errors[1], 2.0, 0.2, "ratio of errors", "first order");
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// The 3-RPS robot

static void rps_robot(void **state)
{
    (void)state;
    hf_model *model = load("rps-robot-sine");
    hf_model_info info = hf_model_get_info(model);
    assert_int_equal(info.loop_rank, 9);
    assert_int_equal(info.freedoms, 3);
    event_log log = {0};
    hf_sim *sim = sim_logged(model, closed(HF_FAMILY_ADAMS, 1e-9, 0.01), &log);
    const double time[6] = {0.645605, 0.754565, 0.807604, 0.922412, 0.969869, 1.100698};
    const char *slides[3] = {"leg2.slide", "leg1.slide", "leg3.slide"};
    for (int i = 0; i < 3; ++i) { // exactly at rest, to the bit, in each first stick
        char position[40], velocity[40];
        (void)snprintf(position, sizeof position, "%s.position", slides[i]);
        (void)snprintf(velocity, sizeof velocity, "%s.velocity", slides[i]);
        run_until(sim, ceil(100.0 * time[2 * i]) / 100.0);
        double rest = value_of(sim, position);
        run_until(sim, floor(100.0 * time[2 * i + 1]) / 100.0);
        hf_check_same_bits(value_of(sim, position), rest, "slide in stick");
        hf_check_same_bits(value_of(sim, velocity), 0.0, "velocity in stick");
    }
    run_until(sim, 5.12);
    assert_int_equal(log.count, 24);
    for (int i = 0; i < 6; ++i) {
        check_event(&log, i, time[i], 1e-6, i % 2 == 0 ? 0 : -1, "NUMBERS.md");
    }
    const double q[3] = {0.628401681, 0.648345536, 0.618412128};
    for (int i = 0; i < 3; ++i) {
        char channel[40];
        (void)snprintf(channel, sizeof channel, "leg%d.slide.position", i + 1);
        hf_check_near(value_of(sim, channel), q[i], 1e-8, channel, "NUMBERS.md");
    }
    hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-13, "opening [m]", "rounding");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-6, "residual [J]", "ledger");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// A five-bar, two degrees of freedom, with friction in four joints: more of them may stick at once
// than there are freedoms.

static void five_bar_text(hf_rng *rng, char *text, size_t size)
{
    double level[4], pull[2], phase[2];
    for (int i = 0; i < 4; ++i) {
        level[i] = hf_rng_log_uniform(rng, 0.05, 1.0);
    }
    for (int i = 0; i < 2; ++i) {
        pull[i] = hf_rng_uniform(rng, 0.5, 2.5);
        phase[i] = hf_rng_uniform(rng, 0.0, 6.0);
    }
    (void)snprintf(
        text, size,
        "gravity: [0, -1, 0]\n"
        "bodies:\n"
        "  left: {type: tree, joints: {\n"
        "    a: {type: revolute, mass: 1, center: [0.2, 0, 0], inertia: [0, 0.02, 0.02], "
        "position: 2},\n"
        "    b: {type: revolute, parent: a, offset: [0.4, 0, 0], mass: 1, center: [0.3, 0, 0],\n"
        "        inertia: [0, 0.03, 0.03], guess: -1}}}\n"
        "  right: {type: tree, joints: {\n"
        "    a: {type: revolute, offset: [0.4, 0, 0], mass: 1, center: [0.2, 0, 0],\n"
        "        inertia: [0, 0.02, 0.02], position: 1.1},\n"
        "    b: {type: revolute, parent: a, offset: [0.4, 0, 0], mass: 1, center: [0.3, 0, 0],\n"
        "        inertia: [0, 0.03, 0.03], guess: 1}}}\n"
        "loops: {tip: {type: revolute, on: left.b, to: right.b, point: [0.6, 0, 0], "
        "to_point: [0.6, 0, 0]}}\n"
        "forces:\n"
        "  - {name: m1, on: left.a, type: torque, value: \"%g*sin(5*t + %g)\"}\n"
        "  - {name: m2, on: right.a, type: torque, value: \"%g*sin(7*t + %g)\"}\n"
        "  - {name: hold, on: left.a, to: 2, type: spring, stiffness: 4, damping: 0.1}\n"
        "  - {name: f1, on: left.a, type: friction, law: coulomb, level: %g}\n"
        "  - {name: f2, on: left.b, type: friction, law: coulomb, level: %g}\n"
        "  - {name: f3, on: right.a, type: friction, law: coulomb, level: %g}\n"
        "  - {name: f4, on: right.b, type: friction, law: coulomb, level: %g}\n",
        pull[0], phase[0], pull[1], phase[1], level[0], level[1], level[2], level[3]);
}

static void five_bars(void **state)
{
    (void)state;
    static const char *const joints[4] = {"left.a", "left.b", "right.a", "right.b"};
    hf_rng rng = hf_rng_create(70);
    int stuck = 0, together = 0;
    for (int trial = 0; trial < 6; ++trial) {
        char text[2500];
        five_bar_text(&rng, text, sizeof text);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, closed(HF_FAMILY_ADAMS, 1e-9, 0.01));
        for (int i = 1; i <= 200; ++i) {
            int now = 0;
            run_until(sim, 0.01 * i);
            for (int k = 0; k < 4; ++k) {
                char mode[16], velocity[32], force[16], name[8];
                (void)snprintf(mode, sizeof mode, "f%d.mode", k + 1);
                (void)snprintf(force, sizeof force, "f%d.force", k + 1);
                (void)snprintf(velocity, sizeof velocity, "%s.velocity", joints[k]);
                (void)snprintf(name, sizeof name, "f%d", k + 1);
                const hf_coulomb_def *law =
                    hf_model_force_info(model, hf_model_find_force(model, name)).def;
                double level = law->level.kinetic[0], v = value_of(sim, velocity);
                double f = value_of(sim, force);
                hf_check_below(fabs(f), level * (1.0 + 1e-6), "friction", "its level");
                if (value_of(sim, mode) == 0.0) {
                    hf_check_same_bits(fabs(v), 0.0, "velocity in stick");
                    ++now;
                } else if (fabs(v) > 1e-9) { // at an event it may have either sign
                    hf_check_near(f, v > 0.0 ? -level : level, 1e-12, "friction in slip", "level");
                }
            }
            stuck += now > 0 ? 1 : 0;
            together += now > 2 ? 1 : 0;
        }
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(fabs(energy.residual), 1e-6 * energy.turnover, "residual", "ledger");
        hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-13, "opening", "rounding");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    assert_true(stuck > 50);
    assert_true(together > 10); // all bars stand, held by more frictions than it takes
}

// Loose tolerances close loops as well as tight ones.
static void closed_at_all_tolerances(void **state)
{
    (void)state;
    hf_model *model = load("rps-robot-sine");
    const double tolerance[3] = {1e-3, 1e-5, 1e-11};
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim =
            sim_with(model, closed(i == 1 ? HF_FAMILY_BDF : HF_FAMILY_ADAMS, tolerance[i], 0.01));
        run_until(sim, 1.0);
        hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-13, "opening [m]", "rounding");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// Evaluations of the robot, absolute tolerances a hundredth of the relative ones: those of
// NUMBERS.md, 2,100, 3,200 and 4,900, within a few percent.
static void rps_robot_evaluations(void **state)
{
    (void)state;
    hf_model *model = load("rps-robot-sine");
    const double rtol[3] = {1e-6, 1e-8, 1e-10}, most[3] = {2200.0, 3300.0, 4900.0};
    for (int i = 0; i < 3; ++i) {
        hf_method_def method = switching(HF_FAMILY_ADAMS, rtol[i], 0.02);
        method.atol = 0.01 * rtol[i];
        hf_sim *sim = sim_with(model, method);
        run_until(sim, 5.12);
        hf_check_below((double)hf_sim_get_stats(sim).evaluations, most[i], "evaluations",
                       "NUMBERS.md");
        hf_check_near(value_of(sim, "leg1.slide.position"), 0.628401681, 1e-8 + rtol[i],
                      "leg1.slide.position", "NUMBERS.md");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// Without friction and control energy stays, whatever the legs do as the platform falls.
static void energy_stays(void **state)
{
    (void)state;
    hf_error error = {0};
    const char *const items[] = {"forces=[]", "record=[]"};
    hf_overrides overrides = {.items = items, .count = 2};
    hf_spec *spec = hf_spec_load(HF_SOURCE_DIR "/examples/rps-robot-sine.yaml", &overrides, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    double before = 0.0;
    for (int i = 0; i < 2; ++i) {
        hf_sim *sim = sim_with(model, adaptive(HF_FAMILY_ADAMS, i == 0 ? 1e-7 : 1e-10, 0.01));
        run_until(sim, 0.6);
        double residual = fabs(hf_sim_energy(sim).residual);
        hf_check_below(residual, i == 0 ? 1e-2 : before / 50.0, "energy [J]", "conservation");
        before = residual;
        hf_sim_destroy(sim);
    }
    hf_spec_destroy(spec);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum),
        cmocka_unit_test(dry_slider),
        cmocka_unit_test(dry_slider_in_steps),
        cmocka_unit_test(rps_robot),
        cmocka_unit_test(rps_robot_evaluations),
        cmocka_unit_test(closed_at_all_tolerances),
        cmocka_unit_test(energy_stays),
        cmocka_unit_test(five_bars),
    };
    return hf_run_tests(tests);
}
