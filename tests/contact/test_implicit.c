// SPDX-License-Identifier: Apache-2.0
// Method timestep: stiff springs, dampers, servos and elements of friction are implicit. They have
// no largest step, make no energy, hold without creep, and stay within their bounds.
#include "contact_test.h"

#include <math.h>
#include <string.h>

enum { TEXT = 4096 };

// The slow motion of a spring with a strong damper, x' = s x with m s^2 + D s + K = 0.
static double slow_error(double stiffness, double rate, double h, double theta)
{
    char text[TEXT];
    double damping = stiffness / rate; // nearly
    double s = -2.0 * stiffness / (damping + sqrt(damping * damping - 4.0 * stiffness));
    (void)snprintf(text, TEXT,
                   "bodies: {a: {type: mass, dim: 1, mass: 1, position: 1, velocity: %.17g}}\n"
                   "forces: [{name: k, on: a, type: spring, stiffness: %.17g, damping: %.17g}]\n",
                   s, stiffness, damping);
    hf_method_def method = timestep(h);
    method.theta = theta;
    return fabs(value_after(text, method, 0.48, "a.position") - exp(0.48 * s));
}

// h^2 K/m from 1e2 to 1e9: of first order, of second with theta = 1/2.
static void order_on_a_stiff_machine(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20250401);
    for (int i = 0; i < 12; ++i) {
        double h = 2e-3, stiffness = hf_rng_log_uniform(&rng, 1e2, 1e9) / (h * h);
        double rate = hf_rng_uniform(&rng, 1.0, 6.0);
        double coarse = slow_error(stiffness, rate, h, 1.0);
        double fine = slow_error(stiffness, rate, 0.5 * h, 1.0);
        hf_check_below(coarse, h * rate * rate, "error at theta = 1", "first order");
        hf_check_near(coarse / fine, 2.0, 0.1, "ratio of errors", "order 1");
        coarse = slow_error(stiffness, rate, 4.0 * h, 0.5);
        fine = slow_error(stiffness, rate, 2.0 * h, 0.5);
        hf_check_near(coarse / fine, 4.0, 0.4, "ratio of errors, theta = 1/2", "order 2");
    }
}

// Random chains of masses with springs and dampers of up to h^2 K/m = 1e7 between them: nothing
// gains energy, the sum of momenta stays, and with theta = 1/2 what has no damper keeps all of it.
static void chains_make_no_energy(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20250402);
    for (int i = 0; i < 24; ++i) {
        char text[TEXT], forces[TEXT];
        int count = hf_rng_int(&rng, 2, 8), used = snprintf(text, TEXT, "bodies:\n"), tail = 0;
        bool damped = i % 2 == 0;
        double mass[8], h = 1e-3, momentum = 0.0, after = 0.0, most = 1.0;
        for (int k = 0; k < count; ++k) {
            double v = hf_rng_normal(&rng);
            mass[k] = hf_rng_log_uniform(&rng, 0.1, 10.0);
            momentum += mass[k] * v;
            used += snprintf(text + used, (size_t)(TEXT - used),
                             "  m%d: {type: mass, dim: 1, mass: %.17g, velocity: %.17g}\n", k,
                             mass[k], v);
        }
        for (int k = 1; k < count; ++k) {
            double ratio = hf_rng_log_uniform(&rng, 1.0, 1e7);
            double stiffness = ratio * fmin(mass[k], mass[k - 1]) / (h * h);
            most = fmax(most, ratio);
            tail +=
                snprintf(forces + tail, (size_t)(TEXT - tail),
                         "  - {name: k%d, on: m%d, to: m%d, type: spring, stiffness: %.17g,\n"
                         "     damping: %.17g}\n",
                         k, k, k - 1, stiffness, damped ? hf_rng_log_uniform(&rng, 1.0, 1e6) : 0.0);
        }
        (void)snprintf(text + used, (size_t)(TEXT - used), "forces:\n%s", forces);
        hf_model *model = model_of(text);
        hf_method_def method = timestep(h);
        method.theta = i % 4 < 2 ? 1.0 : 0.5;
        hf_sim *sim = sim_with(model, method);
        hf_energy e = hf_sim_energy(sim);
        double start = e.kinetic + e.stored, last = start;
        double rounding = 1e-13 * most * start; // of a factor of this condition
        for (int k = 0; k < 200; ++k) {
            step(sim);
            e = hf_sim_energy(sim);
            hf_check_below(e.kinetic + e.stored, last + rounding, "energy", "of the step before");
            last = e.kinetic + e.stored;
        }
        for (int k = 0; k < count; ++k) {
            char name[40];
            (void)snprintf(name, sizeof name, "m%d.velocity", k);
            after += mass[k] * value_of(sim, name);
        }
        hf_check_near(after, momentum, 1e-6 * (1.0 + fabs(momentum)), "momentum", "of the start");
        if (!damped && method.theta == 0.5) {
            hf_check_near(last, start, 100.0 * rounding, "energy, theta = 1/2", "of the start");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// D x' = -c x^3 of a mass that hardly counts: x = x0/sqrt(1 + 2 c x0^2 t/D). With h^2 K/m to 1e9.
static double creep_error(double cubic, const char *law, double h)
{
    char text[TEXT];
    (void)snprintf(text, TEXT,
                   "parameters: {C: %.17g, D: %.17g}\n"
                   "bodies: {a: {type: mass, dim: 1, mass: 1, position: 1, velocity: -5}}\n"
                   "forces: [{name: k, on: a, type: %s}]\n",
                   cubic, 0.2 * cubic, law);
    return fabs(value_after(text, timestep(h), 0.4, "a.position") - 1.0 / sqrt(5.0));
}

static void order_on_cubic_springs(void **state)
{
    (void)state;
    static const char *const laws[] = {"spring, stiffness: 0, cubic: C, damping: D",
                                       "law, force: \"C*gap^3 + D*rate\", stored: \"C*gap^4/4\""};
    for (int i = 0; i < 8; ++i) {
        double h = 2e-3, cubic = pow(10.0, 8 + i / 2) / (h * h);
        double coarse = creep_error(cubic / 3.0, laws[i % 2], h);
        double fine = creep_error(cubic / 3.0, laws[i % 2], 0.5 * h);
        hf_check_below(coarse, 5.0 * h, "error", "first order");
        hf_check_near(coarse / fine, 2.0, 0.1, "ratio of errors", "order 1");
    }
}

// Masses in one to three dimensions on cubic springs, thrown: no step gains energy, however stiff
// the spring becomes on the way. Soft ones keep it, as explicit springs do.
static void cubic_springs_make_no_energy(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20250405);
    for (int i = 0; i < 36; ++i) {
        char text[TEXT];
        bool soft = i >= 30;
        double h = 2e-3, cubic = soft ? 100.0 : hf_rng_log_uniform(&rng, 1e2, 1e15);
        double v = hf_rng_log_uniform(&rng, 0.1, 10.0), linear = i % 3 == 0 ? -0.01 * cubic : 0.0;
        static const char *const axes[] = {"x, velocity: %g", "xy, velocity: [%g, 0.3]",
                                           "xyz, velocity: [%g, 0.3, -0.2]"};
        int used = snprintf(text, TEXT, "bodies: {a: {type: mass, mass: 1, axes: ");
        used += snprintf(text + used, (size_t)(TEXT - used), axes[i % 3], soft ? 1.0 : v);
        (void)snprintf(
            text + used, (size_t)(TEXT - used),
            "}}\nforces: [{name: k, on: a, type: spring, stiffness: %.17g, cubic: %.17g}]\n",
            soft ? 0.0 : linear, cubic);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(h));
        hf_energy e = hf_sim_energy(sim);
        double start = e.kinetic + e.stored, last = start, most = start,
               bottom = soft ? 0.0 : 0.25 * linear * linear / cubic;
        for (int k = 0; k < 1000; ++k) {
            step(sim);
            e = hf_sim_energy(sim);
            double now = e.kinetic + e.stored;
            // Stiff: by what a force that is right to 1e-3 may add. Soft: to and fro, as explicit
            // steps have it
            double above = fmax(last + bottom, 0.0), slope = 6.0 * sqrt(cubic * above);
            double share = h * h * slope > 4.0 ? 2e-3 : 0.5;
            hf_check_below(now, last + share * above + 1e-12 * bottom, "energy",
                           "of the step before");
            most = fmax(most, now);
            last = now;
        }
        if (soft) {
            hf_check_near(last, start, 0.05 * start, "energy of a soft spring", "of the start");
        } else {
            hf_check_below(most, start + 0.5 * (start + bottom), "energy", "of the start");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A link of 4e-6 kg m^2 with 0.02 Nms/rad: 0.2 ms to its final velocity.
static void light_link(void **state)
{
    (void)state;
    static const char text[] =
        "bodies: {arm: {type: tree, joints: {j: {type: revolute, axis: [0, 0, 1], mass: 0.01,\n"
        "  inertia: [4e-6, 4e-6, 4e-6], velocity: 10}}}}\n"
        "forces:\n"
        "  - {name: damper, on: arm.j, type: spring, stiffness: 0, damping: 0.02}\n"
        "  - {name: motor, on: arm.j, type: torque, value: 0.1}\n";
    static const double steps[] = {1e-3, 2e-3, 1e-2};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(value_after(text, timestep(steps[i]), 0.1, "arm.j.velocity"), 5.0, 1e-9,
                      "velocity", "torque by damping");
        // x = 5 t + 5 (1 - exp(-5000 t))/5000
        hf_check_near(value_after(text, timestep(steps[i]), 0.1, "arm.j.position"), 0.501, 1e-9,
                      "angle", "exact");
    }
}

// Fingers with pads on springs and dampers press a box, whose friction carries it; a stiff servo
// moves the hand. At 5 ms the box rides as at 0.1 ms.
static void pinch_with_pads(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  hand:\n"
        "    type: tree\n"
        "    joints:\n"
        "      lift: {type: prismatic, axis: [0, 0, 1], mass: 1}\n"
        "      left: {type: prismatic, parent: lift, axis: [1, 0, 0], mass: 0.05,\n"
        "             offset: [-0.03, 0, 0]}\n"
        "      right: {type: prismatic, parent: lift, axis: [-1, 0, 0], mass: 0.05,\n"
        "              offset: [0.03, 0, 0]}\n"
        "      pad-left: {type: prismatic, parent: left, axis: [1, 0, 0], mass: 0.005,\n"
        "                 shape: {type: box, size: [0.01, 0.04, 0.04]}}\n"
        "      pad-right: {type: prismatic, parent: right, axis: [-1, 0, 0], mass: 0.005,\n"
        "                  shape: {type: box, size: [0.01, 0.04, 0.04]}}\n"
        "  box: {type: rigid, mass: 0.2, shape: {type: box, size: [0.05, 0.05, 0.05]}}\n"
        "signals: {way: '0.05*sin(3*t)'}\n"
        "forces:\n"
        "  - {name: hold, on: hand.lift, type: controller, proportional: 1e6, derivative: 1e4,\n"
        "     reference: way}\n"
        "  - {name: press-left, on: hand.left, type: force, value: 20}\n"
        "  - {name: press-right, on: hand.right, type: force, value: 20}\n"
        "  - {name: pad-l, on: hand.pad-left, type: spring, stiffness: 5e4, damping: 50}\n"
        "  - {name: pad-r, on: hand.pad-right, type: spring, stiffness: 5e4, damping: 50}\n"
        "  - {name: contacts, type: collide, among: [box, hand.pad-left, hand.pad-right],\n"
        "     friction: 0.8, restitution: 0}\n";
    static const double steps[] = {1e-3, 5e-3};
    for (int i = 0; i < 2; ++i) {
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(steps[i]));
        run_until(sim, 1.0);
        double slip = value_of(sim, "box.position.z") - value_of(sim, "hand.lift.position");
        run_until(sim, 2.0);
        // 20 N and its damper against 5e4 N/m; the weight of 1.3 kg against 1e6 N/m
        hf_check_near(value_of(sim, "hand.pad-left.position"), -4e-4, 2e-6, "pad", "20 N/5e4 N/m");
        hf_check_near(value_of(sim, "hand.lift.position"), 0.05 * sin(6.0), 4e-5, "hand", "servo");
        hf_check_near(value_of(sim, "box.position.z") - value_of(sim, "hand.lift.position"), slip,
                      1e-9, "box in the hand", "carried, without creep");
        assert_true(hf_sim_verdict(sim).trustworthy);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// An arm with PD control pushes a box over the floor at 10 ms: what it puts in is friction's heat.
static void arm_pushes_a_box(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      shoulder: {type: revolute, offset: [0, 0, 0.12], axis: [0, 0, 1], mass: 0.5,\n"
        "        center: [0.15, 0, 0], inertia: [1e-4, 0.004, 0.004]}\n"
        "      elbow: {type: revolute, parent: shoulder, offset: [0.3, 0, 0], axis: [0, 0, 1],\n"
        "        mass: 0.5, inertia: [1e-4, 0.004, 0.004], shape: {type: sphere, radius: 0.05}}\n"
        "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.1, 0.3]},\n"
        "    position: [0.3, 0.15, 0.15]}\n"
        "signals: {turn: '0.5*t'}\n"
        "forces:\n"
        "  - {name: pd1, on: arm.shoulder, type: controller, proportional: 1e5, derivative: 500,\n"
        "     reference: turn}\n"
        "  - {name: pd2, on: arm.elbow, type: controller, proportional: 1e5, derivative: 500,\n"
        "     reference: 0}\n"
        "  - {name: contacts, type: collide, among: [ground, box, arm.elbow], friction: 0.4,\n"
        "     restitution: 0}\n";
    static const double steps[] = {1e-3, 1e-2};
    double way[2];
    for (int i = 0; i < 2; ++i) {
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(steps[i]));
        run_until(sim, 1.0);
        hf_energy e = hf_sim_energy(sim);
        way[i] = value_of(sim, "box.position.y");
        hf_check_near(value_of(sim, "arm.shoulder.position"), 0.5, 1e-3, "angle", "reference");
        hf_check_below(e.kinetic, 0.5, "kinetic energy", "of a box that is pushed");
        hf_check_below(fabs(e.residual), 0.02 * e.turnover, "ledger", "closed");
        assert_true(way[i] > 0.2);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_check_near(way[1], way[0], 5e-3, "way of the box at 10 ms", "at 1 ms");
}

// A stuck element of friction that is struck gives way at its level: as Coulomb's law does. Held
// by less than its level it stays, and does not creep.
static void elements_keep_their_level(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb", "stiction", "lugre", "dahl"};
    double way[4];
    for (int i = 0; i < 4; ++i) {
        char text[TEXT];
        (void)snprintf(text, TEXT,
                       "bodies:\n"
                       "  a: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
                       "  b: {type: mass, dim: 1, mass: 1, position: 0.1}\n"
                       "forces:\n"
                       "  - {name: touch, on: b, to: a, type: stop, low: 0, restitution: 0}\n"
                       "  - {name: rub, on: b, type: friction, law: %s, level: {coulomb: 10}%s}\n"
                       "  - {name: hum, on: b, type: force, value: 7}\n",
                       laws[i], i == 0 ? "" : ", stiffness: 1e7");
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(1e-3));
        run_until(sim, 0.09);
        double before = value_of(sim, "b.position");
        hf_check_near(before, 0.1, 2e-6, laws[i], "held below its level");
        run_until(sim, 1.0);
        way[i] = value_of(sim, "b.position");
        double after = way[i];
        run_until(sim, 2.0);
        hf_check_near(value_of(sim, "b.position"), after, i < 2 ? 1e-12 : 2e-6, laws[i],
                      "no creep");
        hf_check_below(hf_sim_force_stats(sim, hf_model_find_force(model, "rub")).largest_force,
                       10.0 * (i == 1 ? 1.001 : 1.3), laws[i], "its level");
        assert_int_equal(hf_sim_get_stats(sim).unmet_steps, 0);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    for (int i = 1; i < 4; ++i) {
        hf_check_near(way[i], way[0], 2e-3, laws[i], "coulomb");
    }
}

// A law that has no force at rest has steps without a solution. They are counted with how far off
// they are, the run is doubtful, and fails where that was asked for.
static void laws_without_a_solution(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1}}\n"
                               "signals: {way: '8e3*sin(30*t)'}\n"
                               "forces:\n"
                               "  - {name: rub, on: a, type: law, stored: '0.5*1e7*gap^2',\n"
                               "     force: '1e7*gap + 1000*sign(rate)'}\n"
                               "  - {name: push, on: a, type: force, value: way}\n");
    hf_method_def method = timestep(5e-3);
    hf_sim *sim = sim_with(model, method);
    run_until(sim, 1.0);
    hf_sim_stats stats = hf_sim_get_stats(sim);
    assert_true(stats.unmet_steps > 0 && stats.unmet_steps < stats.steps);
    assert_true(stats.worst_unmet > 0.1);
    hf_verdict verdict = hf_sim_verdict(sim);
    assert_false(verdict.trustworthy);
    assert_non_null(strstr(verdict.why, "not what their laws say"));
    hf_sim_destroy(sim);
    // As an error
    method.unsolved_fails = true;
    sim = sim_with(model, method);
    hf_error error = {0};
    hf_status status = HF_OK;
    for (int i = 0; i < 200 && status >= 0; ++i) {
        status = hf_sim_step(sim, &error);
    }
    assert_int_equal(status, HF_ERROR_CONVERGENCE);
    assert_non_null(strstr(error.text, "not what their laws say"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A stiff spring and a strong damper of one law cancel to what rounding leaves of them: no step is
// called unsolved for that.
static void cancelling_laws_are_met(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {a: {type: mass, dim: 1, mass: 1, position: 1, velocity: -5}}\n"
                 "forces: [{name: k, on: a, type: spring, stiffness: 0, cubic: 1e14,\n"
                 "          damping: 2e13}]\n");
    hf_sim *sim = sim_with(model, timestep(2e-3));
    run_until(sim, 0.4);
    assert_int_equal(hf_sim_get_stats(sim).unmet_steps, 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// What a law of the file takes and does not store is heat, also where its force has no slope.
static void laws_of_the_file_heat(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1}}\n"
                               "forces: [{name: rub, on: a, type: law, force: 'sign(rate)'}]\n");
    hf_sim *sim = sim_with(model, timestep(5e-3));
    run_until(sim, 0.5);
    hf_energy e = hf_sim_energy(sim);
    hf_check_near(e.dissipated, 0.375, 1e-12, "heat", "1/2 (1 - 0.5^2)");
    hf_check_near(e.residual, 0.0, 1e-12, "ledger", "closed");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Contact laws as forces: the sphere of the example rolls, at 5/7 of its first velocity.
static void rolling_sphere(void **state)
{
    (void)state;
    static const double steps[] = {1e-4, 1e-3, 5e-3};
    for (int i = 0; i < 3; ++i) {
        hf_error error = {0};
        hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/rolling-sphere.yaml", &error);
        hf_sim *sim = sim_with(model, timestep(steps[i]));
        run_until(sim, 1.0);
        hf_check_near(value_of(sim, "sphere.velocity.x"), 10.0 / 7.0, 1e-6, "velocity", "rolling");
        hf_check_near(value_of(sim, "sphere.position.z"), 0.2, 1e-6, "height", "on the floor");
        assert_true(hf_sim_verdict(sim).trustworthy);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// What has stiff springs comes to rest, to the bit, and such forces have no largest step.
static void rest_beside_stiff_springs(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [3, 0, -9]\n"
        "bodies:\n"
        "  block: {type: mass, dim: 3, mass: 1, velocity: [0.1, 0.05, 0]}\n"
        "  bob: {type: mass, dim: 3, mass: 0.2, position: [0, 0, 0.5]}\n"
        "forces:\n"
        "  - {name: floor, on: block, type: contact, friction: 0.5, restitution: 0}\n"
        "  - {name: rod, on: bob, to: block, type: spring, stiffness: 1e8, damping: 1e3}\n"
        "  - {name: slide, on: bob, type: friction, law: coulomb, level: {coulomb: 0.5}}\n";
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    hf_stability advice = hf_sim_stability(sim, hf_model_find_force(model, "rod"));
    assert_true(isinf(advice.largest_step));
    run_until(sim, 3.0);
    double x = value_of(sim, "block.position.x"), y = value_of(sim, "bob.position.y");
    hf_check_same_bits(value_of(sim, "energy.kinetic"), 0.0, "kinetic energy");
    run_until(sim, 4.0);
    hf_check_same_bits(value_of(sim, "block.position.x"), x, "block");
    hf_check_same_bits(value_of(sim, "bob.position.y"), y, "bob");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A spring that becomes stiff while the machine runs is implicit from then on; its state stays.
static void stiff_by_a_parameter(void **state)
{
    (void)state;
    static const char text[] = "bodies: {a: {type: mass, dim: 1, mass: 1, position: 0.1}}\n"
                               "forces: [{name: k, on: a, type: spring, stiffness: 100}]\n";
    hf_error error = {0};
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    run_until(sim, 0.1);
    double x = value_of(sim, "a.position"), v = value_of(sim, "a.velocity");
    if (hf_sim_set_parameter(sim, "k.stiffness", 1e9, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    hf_check_same_bits(value_of(sim, "a.position"), x, "position after the change");
    hf_check_same_bits(value_of(sim, "a.velocity"), v, "velocity after the change");
    run_until(sim, 0.2);
    hf_check_near(value_of(sim, "a.position"), 0.0, 1e-12, "position", "damped away");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A tree of sliders along one axis with stiff springs and dampers in its joints, some of them soft,
// is the same linear machine as separate masses with these springs between them: both take the same
// steps, though a tree's implicit forces are factored with its mass, along its branches, and those
// between masses beside it.
static void tree_and_masses(void **state)
{
    (void)state;
    enum { MOST = 9, ROOM = 3 * TEXT };
    hf_rng rng = hf_rng_create(20250409);
    for (int i = 0; i < 40; ++i) {
        char tree[ROOM], masses[ROOM], forces[TEXT], joints[TEXT];
        int count = hf_rng_int(&rng, 2, MOST), parent[MOST], tail = 0, end = 0;
        int used = snprintf(tree, ROOM, "bodies:\n  tree:\n    type: tree\n    joints:\n");
        int other = snprintf(masses, ROOM, "bodies:\n");
        double place[MOST], h = 1e-3;
        hf_method_def method = timestep(h);
        method.theta = i % 2 == 0 ? 1.0 : 0.5;
        for (int k = 0; k < count; ++k) {
            parent[k] = k == 0 ? -1 : hf_rng_int(&rng, 0, k - 1);
            double mass = hf_rng_log_uniform(&rng, 0.1, 10.0), x = 0.1 * hf_rng_normal(&rng);
            double stiffness = hf_rng_log_uniform(&rng, 1e-2, 1e2) * mass / (h * h);
            double damping = hf_rng_log_uniform(&rng, 1e-4, 1e1) * mass / h;
            place[k] = x + (k == 0 ? 0.0 : place[parent[k]]);
            char before[20] = "", to[20] = "";
            if (k > 0) {
                (void)snprintf(before, sizeof before, "parent: j%d, ", parent[k]);
                (void)snprintf(to, sizeof to, "to: j%d, ", parent[k]);
            }
            used += snprintf(tree + used, (size_t)(ROOM - used),
                             "      j%d: {type: prismatic, %saxis: [1, 0, 0], mass: %.17g, "
                             "position: %.17g}\n",
                             k, before, mass, x);
            other += snprintf(masses + other, (size_t)(ROOM - other),
                              "  j%d: {type: mass, dim: 1, mass: %.17g, position: %.17g}\n", k,
                              mass, place[k]);
            tail += snprintf(forces + tail, (size_t)(TEXT - tail),
                             "  - {name: f%d, on: j%d, %stype: spring, stiffness: %.17g, "
                             "damping: %.17g}\n",
                             k, k, to, stiffness, damping);
            end += snprintf(joints + end, (size_t)(TEXT - end),
                            "  - {name: f%d, on: tree.j%d, type: spring, stiffness: %.17g, "
                            "damping: %.17g}\n",
                            k, k, stiffness, damping);
        }
        (void)snprintf(tree + used, (size_t)(ROOM - used), "forces:\n%s", joints);
        (void)snprintf(masses + other, (size_t)(ROOM - other), "forces:\n%s", forces);
        for (int k = 0; k < count; ++k) {
            char channel[40];
            double sum = 0.0;
            for (int j = k; j >= 0; j = parent[j]) {
                (void)snprintf(channel, sizeof channel, "tree.j%d.position", j);
                sum += value_after(tree, method, 0.02, channel);
            }
            (void)snprintf(channel, sizeof channel, "j%d.position", k);
            hf_check_near(sum, value_after(masses, method, 0.02, channel), 1e-10, "position",
                          "the same of separate masses");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_and_masses),
        cmocka_unit_test(order_on_a_stiff_machine),
        cmocka_unit_test(chains_make_no_energy),
        cmocka_unit_test(order_on_cubic_springs),
        cmocka_unit_test(cubic_springs_make_no_energy),
        cmocka_unit_test(light_link),
        cmocka_unit_test(pinch_with_pads),
        cmocka_unit_test(arm_pushes_a_box),
        cmocka_unit_test(elements_keep_their_level),
        cmocka_unit_test(laws_without_a_solution),
        cmocka_unit_test(cancelling_laws_are_met),
        cmocka_unit_test(laws_of_the_file_heat),
        cmocka_unit_test(rolling_sphere),
        cmocka_unit_test(rest_beside_stiff_springs),
        cmocka_unit_test(stiff_by_a_parameter),
    };
    return hf_run_tests(tests);
}
