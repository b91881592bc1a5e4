// SPDX-License-Identifier: Apache-2.0
// Controllers under adaptive methods: tolerances, samples that begin the integrator anew, and a
// position loop that hunts on friction.
#include "adaptive_test.h"

#include <math.h>

// m (s + 2)(s + 3)(s + 5) with m = 1, from rest at 0 to 1: e = sum of the three exponentials.
static const char SERVO[] = "bodies: {cart: {type: mass, dim: 1, mass: 1}}\n"
                            "forces:\n"
                            "  - {name: motor, type: controller, on: cart, reference: 1,\n"
                            "     proportional: 31, integral: 30, derivative: 10}\n";

static double exact_position(double t)
{
    static const double p[3] = {-2.0, -3.0, -5.0};
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        double a = p[(i + 1) % 3], b = p[(i + 2) % 3];
        sum += (-31.0 + a * b) / ((p[i] - a) * (p[i] - b)) * exp(p[i] * t);
    }
    return 1.0 - sum;
}

static void closed_loop_to_a_tolerance(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-5, 1e-7, 1e-9, 1e-11};
    static const hf_method_family families[] = {HF_FAMILY_BDF, HF_FAMILY_ADAMS, HF_FAMILY_ERK};
    hf_model *model = model_of(SERVO);
    for (int i = 0; i < 16; ++i) {
        double tolerance = tolerances[i / 4], worst = 0.0;
        hf_sim *sim = sim_with(model, i % 4 == 3 ? switching(HF_FAMILY_ADAMS, tolerance, 0.05)
                                                 : adaptive(families[i % 4], tolerance, 0.05));
        for (int k = 0; k < 60; ++k) {
            run_until(sim, 0.05 * (k + 1));
            worst = fmax(worst,
                         fabs(value_of(sim, "cart.position") - exact_position(hf_sim_time(sim))));
        }
        hf_check_below(worst, 60.0 * tolerance, "error of x", "tolerance");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// The digital loop of test_controllers.c: exact from sample to sample.
static void sampled_loop(void **state)
{
    (void)state;
    const double period = 0.037, kp = 20, ki = 15, kd = 6, limit = 12;
    hf_model *model =
        model_of("bodies: {cart: {type: mass, dim: 1, mass: 1}}\n"
                 "forces:\n"
                 "  - {name: motor, type: controller, on: cart, reference: 1,\n"
                 "     proportional: 20, integral: 15, derivative: 6, low: -12, high: 12,\n"
                 "     anti_windup: 0.5, period: 0.037}\n");
    for (int i = 0; i < 3; ++i) {
        double tolerance = 1e-10, x = 0, v = 0, integral = 0;
        hf_sim *sim = sim_with(
            model, i == 2 ? switching(HF_FAMILY_ADAMS, tolerance, period)
                          : adaptive(i == 0 ? HF_FAMILY_BDF : HF_FAMILY_ADAMS, tolerance, period));
        for (int n = 0; n < 100; ++n) {
            hf_check_near(value_of(sim, "cart.position"), x, 1e-8, "x", "recursion");
            double w = kp * (1 - x) - kd * v + integral, u = fmin(limit, fmax(-limit, w));
            hf_check_near(value_of(sim, "motor.force"), u, 1e-6, "u", "recursion");
            integral += period * (ki * (1 - x) + (u - w) / 0.5);
            x += period * v + 0.5 * period * period * u;
            v += period * u;
            run_until(sim, (n + 1) * period);
        }
        assert_true(hf_sim_get_stats(sim).restarts == 100);
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-7, "energy residual", "the ledger");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

#define SAMPLED                                                                                    \
    "bodies: {cart: {type: mass, dim: 1, mass: 1}}\n"                                              \
    "forces:\n"                                                                                    \
    "  - {name: motor, type: controller, on: cart, reference: 'sin(3*t)',\n"                       \
    "     proportional: 20, integral: 15, derivative: 1, period: 0.037}\n"

// What is recorded, and when, changes no bit between events; nor does a save between two samples.
static void recording_changes_nothing(void **state)
{
    (void)state;
    static const double steps[3] = {0.25, 0.125, 0.015625};
    hf_model *plain = model_of(SAMPLED);
    hf_model *model = model_of(SAMPLED "  - {name: pad, type: friction, law: coulomb, on: cart, "
                                       "level: 2}\n");
    double position[2][3];
    for (int i = 0; i < 6; ++i) {
        hf_sim *sim =
            sim_with(i < 3 ? plain : model, switching(HF_FAMILY_ADAMS, 1e-8, steps[i % 3]));
        while (hf_sim_time(sim) < 3.0) {
            run_until(sim, hf_sim_time(sim) + steps[i % 3]);
            (void)value_of(sim, "motor.force");
        }
        position[i / 3][i % 3] = value_of(sim, "cart.position");
        hf_sim_destroy(sim);
    }
    for (int i = 1; i < 3; ++i) {
        hf_check_same_bits(position[0][i], position[0][0], "x recorded more often");
        hf_check_near(position[1][i], position[1][0], 1e-10, "x recorded more often",
                      "events within 100 roundings");
    }
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.05)),
           *other = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.05));
    hf_error error = {0};
    char *saved = malloc(hf_sim_save_size(sim));
    assert_non_null(saved);
    run_until(sim, 1.0);
    hf_sim_save(sim, saved);
    assert_int_equal(hf_sim_restore(other, saved, hf_sim_save_size(sim), &error), HF_OK);
    run_until(sim, 2.0);
    run_until(other, 2.0);
    hf_check_same_bits(value_of(other, "cart.position"), value_of(sim, "cart.position"), "x");
    free(saved);
    hf_sim_destroy(sim);
    hf_sim_destroy(other);
    hf_model_destroy(model);
    hf_model_destroy(plain);
}

static hf_status alternate(void *context, hf_sim *sim, hf_error *error)
{
    int *count = context;
    (void)error;
    hf_sim_set_input(sim, (hf_signal){1}, *count % 2 == 0 ? 2.0 : -1.0);
    *count += 1;
    return HF_OK;
}

// A program's controller: pieces of constant force, each a parabola.
static void program_at_its_own_rate(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies: {cart: {type: mass, dim: 1, mass: 1}}\n"
                               "signals: {push: {input: 0}}\n"
                               "forces:\n"
                               "  - {name: motor, type: force, on: cart, value: push}\n");
    int count = 0;
    hf_controller_def controller = {.period = 0.07, .update = alternate, .context = &count};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = adaptive(HF_FAMILY_ADAMS, 1e-10, 0.1);
    def.methods[0] = hf_adaptive_methods();
    def.controllers = &controller;
    def.controller_count = 1;
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, &def, &error);
    assert_non_null(sim);
    run_until(sim, 0.7);
    double x = 0, v = 0;
    for (int n = 0; n < 10; ++n) {
        double u = n % 2 == 0 ? 2.0 : -1.0;
        x += 0.07 * v + 0.5 * 0.07 * 0.07 * u;
        v += 0.07 * u;
    }
    hf_check_near(value_of(sim, "cart.position"), x, 1e-9, "x", "parabolas");
    assert_int_equal(count, 10);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Hunting: integral action against a static friction above the kinetic one. Computed apart: slip is
// linear, z' = A z, z = (x - r, v, I, 1), and goes by the matrix exponential; in stick I is a line.

typedef struct hunter {
    double mass, kp, ki, kd, rest, kinetic; // levels of friction at rest and in motion
} hunter;

static void multiply(double c[4][4], double a[4][4], double b[4][4])
{
    double product[4][4] = {{0}};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            for (int k = 0; k < 4; ++k) {
                product[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    memcpy(c, product, sizeof product);
}

// exp(A t) z by Taylor's series of a scaled matrix, squared again.
static void slip(const hunter *h, double side, double t, const double z[4], double out[4])
{
    double m = h->mass;
    double a[4][4] = {{0, 1, 0, 0},
                      {-h->kp / m, -h->kd / m, 1 / m, -side * h->kinetic / m},
                      {-h->ki, 0, 0, 0},
                      {0, 0, 0, 0}};
    double sum[4][4] = {{0}}, term[4][4] = {{0}};
    for (int i = 0; i < 4; ++i) {
        sum[i][i] = term[i][i] = 1.0;
        for (int j = 0; j < 4; ++j) {
            a[i][j] *= t / 256.0;
        }
    }
    for (int n = 1; n <= 24; ++n) {
        multiply(term, term, a);
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                term[i][j] /= n;
                sum[i][j] += term[i][j];
            }
        }
    }
    for (int n = 0; n < 8; ++n) {
        multiply(sum, sum, sum);
    }
    double moved[4] = {0};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            moved[i] += sum[i][j] * z[j];
        }
    }
    memcpy(out, moved, sizeof moved);
}

// When the velocity returns to zero.
static double stop_time(const hunter *h, double side, const double z[4])
{
    double stride = 0.01 * sqrt(h->mass / h->kp), low = 0.0, high = 0.0, trial[4];
    do {
        low = high;
        high += stride;
        slip(h, side, high, z, trial);
    } while (side * trial[1] > 0.0);
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        slip(h, side, middle, z, trial);
        *(side * trial[1] > 0.0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

// From stick to the next stick: when it breaks away and when it stops; z at the stop.
static void hunt(const hunter *h, double z[4], double *break_away, double *stop)
{
    double e = -z[0], side = e > 0.0 ? 1.0 : -1.0;
    // u = kp e + I + ki e t reaches the level at rest on the side of e.
    double wait = (side * h->rest - h->kp * e - z[2]) / (h->ki * e);
    assert_true(wait > 0.0);
    z[2] += h->ki * e * wait;
    double moving = stop_time(h, side, z);
    slip(h, side, moving, z, z);
    z[1] = 0.0;
    assert_true(fabs(h->kp * z[0] - z[2]) < h->rest); // it stays
    *break_away = wait;
    *stop = wait + moving;
}

static void hunting(void **state)
{
    (void)state;
    const hunter h = {.mass = 1, .kp = 40, .ki = 120, .kd = 4, .rest = 3, .kinetic = 2};
    hf_model *model = model_of("bodies: {cart: {type: mass, dim: 1, mass: 1}}\n"
                               "forces:\n"
                               "  - {name: motor, type: controller, on: cart, reference: 0.05,\n"
                               "     proportional: 40, integral: 120, derivative: 4}\n"
                               "  - {name: pad, type: friction, law: coulomb, on: cart,\n"
                               "     level: {coulomb: 2, static: 3}}\n");
    static event_log log;
    log.count = 0;
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-11, 0.1), &log);
    run_until(sim, 40.0);
    double z[4] = {-0.05, 0.0, 0.0, 1.0}, time = 0.0, break_away, stop;
    int seen = 0;
    for (; seen + 1 < log.count; seen += 2) {
        int side = z[0] < 0.0 ? 1 : -1;
        hunt(&h, z, &break_away, &stop);
        hf_check_near(log.events[seen].time, time + break_away, 1e-7, "break-away",
                      "matrix exponential");
        time += stop;
        hf_check_near(log.events[seen + 1].time, time, 1e-7, "stop", "matrix exponential");
        assert_int_equal(log.events[seen].to, side);
        assert_int_equal(log.events[seen + 1].to, 0);
    }
    assert_true(seen >= 16);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The example: its limit cycle, found apart as the fixed point of `hunt`.
static void servo_stick(void **state)
{
    (void)state;
    const hunter h = {
        .mass = 0.002, .kp = 5, .ki = 118, .kd = 0.063, .rest = 0.12, .kinetic = 0.08};
    double z[4] = {-0.01, 0.0, 0.0, 1.0}, break_away = 0.0, half = 0.0;
    for (int i = 0; i < 60; ++i) {
        hunt(&h, z, &break_away, &half);
    }
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/servo-stick.yaml", &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    static event_log log;
    log.count = 0;
    hf_method_def method = hf_model_method(model);
    method.step = 0.25;
    hf_sim *sim = sim_logged(model, method, &log);
    run_until(sim, 10.0);
    int last = log.count - 1;
    while (log.events[last].to != 0) {
        --last;
    }
    hf_check_near(log.events[last].time - log.events[last - 2].time, half, 1e-6, "half a period",
                  "fixed point");
    hf_check_near(log.events[last - 1].time - log.events[last - 2].time, break_away, 1e-6,
                  "time in stick", "fixed point");
    run_until(sim, 10.25);
    hf_check_near(fabs(value_of(sim, "servo.error")), fabs(z[0]), 1e-7, "error in stick",
                  "fixed point");
    assert_true(value_of(sim, "bearing.mode") == 0.0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_loop_to_a_tolerance),
        cmocka_unit_test(sampled_loop),
        cmocka_unit_test(recording_changes_nothing),
        cmocka_unit_test(program_at_its_own_rate),
        cmocka_unit_test(hunting),
        cmocka_unit_test(servo_stick),
    };
    return hf_run_tests(tests);
}
