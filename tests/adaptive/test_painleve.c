// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: rods that slide on their tip to where friction leaves the normal force nothing
// to answer with (Painleve). Above mu = 8/(3 sqrt 3) a rod that gets steeper comes there while it
// is pressed on the ground, its normal force without bound (Genot and Brogliato 1999): an impact
// without collision.
#include "adaptive_test.h"

#include <math.h>
#include <string.h>

#define HALF    0.5          // half of the rod's length [m]
#define INERTIA (1.0 / 12.0) // of 1 kg about its middle [kg m2]
#define GRAVITY 9.81

// The tip slides along -x, the rod stands at `angle` over +x.
typedef struct rod {
    double mu, angle, rate, slip;
} rod;

// What is left of the normal's own answer: felt = 1 - mu W_NT/W_NN.
static double felt(const rod *r)
{
    double s = sin(r->angle), c = cos(r->angle), lever = HALF * HALF / INERTIA;
    return (1.0 + lever * c * (c - r->mu * s)) / (1.0 + lever * c * c);
}

// N = (g - l sin(angle) rate^2)/(W_NN felt), and what it makes of the rates.
static rod derivative(const rod *r)
{
    double s = sin(r->angle), c = cos(r->angle), l = HALF;
    double answer = felt(r) * (1.0 + l * l * c * c / INERTIA);
    double n = (GRAVITY - l * s * r->rate * r->rate) / answer;
    double turn = n * l * (r->mu * s - c) / INERTIA;
    return (rod){
        .angle = r->rate, .rate = turn, .slip = r->mu * n + l * (s * turn + c * r->rate * r->rate)};
}

static rod moved(const rod *r, const rod *d, double h)
{
    return (rod){r->mu, r->angle + h * d->angle, r->rate + h * d->rate, r->slip + h * d->slip};
}

// Runge and Kutta's steps, shorter as the answer vanishes; then the impulse that ends the sliding
// with the tip on the ground. Returns the time; *r: after it.
static double jammed(rod *r)
{
    double t = 0.0;
    for (double left = felt(r); left > 1e-7; left = felt(r)) {
        double h = 1e-4 * fmin(1.0, 10.0 * left);
        rod a = derivative(r), b, c, d, at = moved(r, &a, 0.5 * h);
        b = derivative(&at);
        at = moved(r, &b, 0.5 * h);
        c = derivative(&at);
        at = moved(r, &c, h);
        d = derivative(&at);
        r->angle += h / 6.0 * (a.angle + 2.0 * b.angle + 2.0 * c.angle + d.angle);
        r->rate += h / 6.0 * (a.rate + 2.0 * b.rate + 2.0 * c.rate + d.rate);
        r->slip += h / 6.0 * (a.slip + 2.0 * b.slip + 2.0 * c.slip + d.slip);
        t += h;
        assert_true(r->slip < 0.0 && t < 1.0);
    }
    // W p = -u of the tip: p along x and z
    double s = sin(r->angle), c = cos(r->angle), l = HALF, k = l * l / INERTIA;
    double xx = 1.0 + k * s * s, xz = -k * s * c, zz = 1.0 + k * c * c, det = xx * zz - xz * xz;
    double px = -zz * r->slip / det, pz = xz * r->slip / det;
    r->rate += l * (s * px - c * pz) / INERTIA;
    r->slip = 0.0;
    return t;
}

// The rod as a rigid body on a contact, or as a tree that begins at its tip, on a stop.
static void write_rod(const rod *r, bool tree, char *text, size_t size)
{
    double s = sin(r->angle), c = cos(r->angle), lean = 1.5707963267948966 - r->angle;
    if (tree) {
        (void)snprintf(
            text, size,
            "gravity: [0, 0, -9.81]\n"
            "bodies:\n"
            "  rod:\n"
            "    type: tree\n"
            "    joints:\n"
            "      z: {type: prismatic, axis: [0, 0, 1], mass: 1e-9}\n"
            "      x: {type: prismatic, axis: [1, 0, 0], parent: z, mass: 1e-9, velocity: %.17g}\n"
            "      turn: {type: revolute, axis: [0, 1, 0], parent: x, mass: 1, center: [0, 0, "
            "0.5],\n"
            "             inertia: [%.17g, %.17g, 1e-4], position: %.17g, velocity: %.17g}\n"
            "forces:\n"
            "  - {name: tip, on: rod.z, type: stop, low: 0}\n"
            "  - {name: rub, on: rod.x, type: friction, law: coulomb, level: {friction: %g},\n"
            "     normal: tip}\n",
            r->slip, INERTIA, INERTIA, lean, -r->rate, r->mu);
        return;
    }
    (void)snprintf(text, size,
                   "gravity: [0, 0, -9.81]\n"
                   "bodies:\n"
                   "  rod: {type: rigid, mass: 1, inertia: [%.17g, %.17g, 1e-4],\n"
                   "        position: [0, 0, %.17g], velocity: [%.17g, 0, %.17g],\n"
                   "        angular_velocity: [0, %.17g, 0],\n"
                   "        orientation: {axis: [0, 1, 0], angle: %.17g}}\n"
                   "forces:\n"
                   "  - {name: tip, on: rod, type: contact, law: rigid-contact, friction: %g,\n"
                   "     restitution: 0, point: [0, 0, -0.5]}\n",
                   INERTIA, INERTIA, HALF * s, r->slip - HALF * s * r->rate, HALF * c * r->rate,
                   -r->rate, lean, r->mu);
}

// How steep the rod is where its answer vanishes.
static double limit_of(double mu)
{
    return atan(0.5 * (3.0 * mu - sqrt(9.0 * mu * mu - 16.0)));
}

// A contact jams there: its rod is thrown up, spinning. Without the impact it would go on sliding.
static void contacts_that_jam(void **state)
{
    (void)state;
    const rod rods[] = {{2.0, 0.05, 2.0, -20.0},
                        {2.0, 0.05, 2.0, -5.0},
                        {1.8, 0.02, 3.5, -50.0},
                        {2.5, 0.1, 3.0, -30.0}};
    for (int i = 0; i < 4; ++i) {
        rod r = rods[i];
        r.angle = limit_of(r.mu) - r.angle;
        char text[1000];
        write_rod(&r, false, text, sizeof text);
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.001), &log);
        double t = jammed(&r);
        run_until(sim, t + 0.01);
        // It flies, and nothing turns it. The event comes where 1e-3 of the answer is left
        hf_check_near(value_of(sim, "rod.angular_velocity.y"), -r.rate, 3e-3 * r.rate, "spin",
                      "an impact without collision");
        assert_true(log.count >= 1);
        hf_check_near(log.events[0].time, t, 2e-4, "time of the impact", "own integration");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-5, "energy residual", "rtol 1e-8");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A rod that begins beyond the limit, where no normal force answers to its slide: it jams at once,
// by the impulse that ends the slide with the tip on the ground, and energy is lost.
static void begins_jammed(void **state)
{
    (void)state;
    const rod rods[] = {{2.0, 0.05, 0.0, -5.0}, {2.0, 0.1, 1.0, -3.0}, {3.0, 0.2, -0.5, -8.0}};
    for (int i = 0; i < 3; ++i) {
        rod r = rods[i];
        r.angle = limit_of(r.mu) + r.angle;
        assert_true(felt(&r) < 0.0);
        char text[1000];
        write_rod(&r, false, text, sizeof text);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 1e-5));
        assert_true(jammed(&r) == 0.0);
        run_until(sim, 1e-5);
        // Gravity turns it by less than g/l in a second
        hf_check_near(value_of(sim, "rod.angular_velocity.y"), -r.rate, 1e-3 * fabs(r.rate), "spin",
                      "the impulse that ends the slide");
        double vx = value_of(sim, "rod.velocity.x"), vz = value_of(sim, "rod.velocity.z");
        hf_check_near(vx, -HALF * sin(r.angle) * r.rate, 1e-3 * fabs(r.rate), "v_x",
                      "about the tip");
        hf_check_near(vz, HALF * cos(r.angle) * r.rate, 1e-3 * fabs(r.rate), "v_z",
                      "about the tip");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-6, "energy residual",
                       "rtol 1e-8 of 30 J");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A stop comes there at the same time, and is not passed over: the impact of a stop with the
// friction that it loads has no solution that is found, which is told.
static void stops_that_jam(void **state)
{
    (void)state;
    const rod rods[] = {{2.0, 0.1, 2.0, -20.0}, {2.0, 0.1, 2.0, -8.0}, {2.5, 0.1, 3.0, -30.0}};
    for (int i = 0; i < 3; ++i) {
        rod r = rods[i];
        r.angle = limit_of(r.mu) - r.angle;
        char text[1000];
        write_rod(&r, true, text, sizeof text);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.001));
        double t = jammed(&r);
        hf_error error = {0};
        while (hf_sim_step(sim, &error) >= 0 && hf_sim_time(sim) < t + 0.01) {
        }
        assert_non_null(strstr(error.text, "the impact at 'tip' and 1 others"));
        hf_check_near(error.time, t, 2e-4, "time of the impact", "own integration");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_that_jam),
        cmocka_unit_test(begins_jammed),
        cmocka_unit_test(stops_that_jam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
