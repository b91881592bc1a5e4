// SPDX-License-Identifier: Apache-2.0
// Controllers in machines: closed loops against exact solutions, samples at their times, saved
// states, controllers of the program.
#include "control_scenes.h"

#include <holdfast/use_law.h>
#include <stdio.h>

static hf_pid_def servo(void)
{
    // m s^3 + Kd s^2 + Kp s + Ki = m (s + 2)(s + 3)(s + 5)
    hf_pid_def def = hf_pid_def_default();
    def.proportional = 31.0 * HF_LOOP_MASS;
    def.integral = 30.0 * HF_LOOP_MASS;
    def.derivative = 10.0 * HF_LOOP_MASS;
    return def;
}

// e(t) of e''' + 10 e'' + 31 e' + 30 e = 0 from e, e', e'' at 0: Lagrange's formula at the poles.
static double exact_error(double e0, double e1, double e2, double t)
{
    static const double p[3] = {-2.0, -3.0, -5.0};
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        double a = p[(i + 1) % 3], b = p[(i + 2) % 3];
        sum += (e2 - (a + b) * e1 + a * b * e0) / ((p[i] - a) * (p[i] - b)) * exp(p[i] * t);
    }
    return sum;
}

static double constant_loop_error(double step)
{
    hf_loop_scene scene = {.pid = servo(), .position = 0.4, .velocity = -0.7};
    hf_sim *sim = loop_sim(loop_model(&scene), HF_METHOD_RK4, step);
    hf_sim_set_input(sim, loop_target(), 1.5);
    double worst = 0.0, e0 = 1.5 - 0.4, e1 = 0.7, e2 = -(31.0 * e0 + 10.0 * e1);
    for (int i = 0; i < (int)(2.0 / step + 0.5); ++i) {
        loop_step(sim);
        double want = 1.5 - exact_error(e0, e1, e2, hf_sim_time(sim));
        worst = fmax(worst, fabs(hf_sim_q(sim, loop_cart()) - want));
    }
    hf_energy energy = hf_sim_energy(sim);
    hf_force_stats stats = hf_sim_force_stats(sim, (hf_force){1});
    hf_check_near(energy.input, energy.kinetic - 0.5 * HF_LOOP_MASS * 0.49, 500.0 * worst + 1e-9,
                  "work put in", "kinetic energy");
    hf_check_near(stats.input, energy.input, 0.0, "input of the controller", "the ledger");
    hf_check_near(energy.dissipated, 0.0, 0.0, "dissipated", "a controller makes no heat");
    hf_check_near(stats.dissipated, 0.0, 0.0, "of the controller", "a controller makes no heat");
    loop_end(sim);
    return worst;
}

static void closed_loop_is_fourth_order(void **state)
{
    (void)state;
    double coarse = constant_loop_error(0.04), fine = constant_loop_error(0.02);
    hf_check_near(log2(coarse / fine), 4.0, 0.25, "order", "rk4");
    hf_check_below(constant_loop_error(0.002), 2e-10, "error of x", "exact solution");
}

// A moving reference with its exact rate and with the force that it needs: e as if it stood still.
static double sway(void *context, double t)
{
    (void)context;
    return -4.0 * HF_LOOP_MASS * 0.3 * sin(2.0 * t);
}

static void feed_forward_tracks(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "cart";
    mass.dim = 1;
    mass.mass = HF_LOOP_MASS;
    mass.velocity[0] = 0.2;
    hf_body body = hf_spec_add_mass(spec, &mass, &error);
    hf_signal_def path = hf_signal_def_default(), push = hf_signal_def_default();
    path.name = "path";
    path.type = HF_SIGNAL_FOURIER;
    path.value = 0.5;
    path.frequency = 1.0 / 3.14159265358979323846;
    path.sines = (hf_list){(const double[]){0.3}, 1};
    push.name = "push";
    push.type = HF_SIGNAL_FUNCTION;
    push.function = sway;
    hf_force_def force = hf_force_def_default();
    hf_pid_def pid = servo();
    force.name = "motor";
    force.coupling.on_coordinate.body = body;
    hf_force_use_pid(&force, &pid);
    force.values[HF_PID_REFERENCE].signal = hf_spec_add_signal(spec, &path, &error);
    force.values[HF_PID_FEED_FORWARD].signal = hf_spec_add_signal(spec, &push, &error);
    assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = loop_sim(model, HF_METHOD_RK4, 0.002);
    hf_channel channel = hf_model_find_channel(model, "motor.error");
    double e0 = 0.5, e1 = 0.6 - 0.2, e2 = -(31.0 * e0 + 10.0 * e1);
    for (int i = 0; i < 1000; ++i) {
        double want = exact_error(e0, e1, e2, hf_sim_time(sim));
        hf_check_near(hf_sim_value(sim, channel), want, 1e-10, "motor.error", "exact solution");
        loop_step(sim);
    }
    loop_end(sim);
}

// On a body that does not move, saturated from the start: the integral goes to where w exceeds the
// limit by Tt Ki e, and no further.
static void windup_is_bounded(void **state)
{
    (void)state;
    hf_pid_def pid = {
        .proportional = 20, .integral = 300, .low = -5, .high = 5, .anti_windup = 0.1};
    hf_loop_scene scene = {.pid = pid, .position = 0.0};
    hf_model *model = loop_model(&scene);
    hf_sim *sim = loop_sim(model, HF_METHOD_RK4, 1e-3);
    hf_channel integral = hf_model_find_channel(model, "motor.integral");
    hf_channel saturated = hf_model_find_channel(model, "motor.saturated");
    hf_error error = {0};
    hf_sim_set_input(sim, loop_target(), 1.0);
    for (int i = 0; i < 1000; ++i) {
        loop_step(sim);
        // Held where it is
        assert_int_equal(hf_sim_set_position(sim, (hf_body){1}, (double[]){0.0}, &error), HF_OK);
        assert_int_equal(hf_sim_set_velocity(sim, (hf_body){1}, (double[]){0.0}, &error), HF_OK);
        double t = hf_sim_time(sim), last = 5.0 - 20.0 + 0.1 * 300.0;
        hf_check_near(hf_sim_value(sim, integral), last * (1.0 - exp(-t / 0.1)), 2e-3,
                      "motor.integral", "exact solution");
        assert_true(hf_sim_value(sim, saturated) == 1.0);
    }
    assert_true(hf_sim_force_stats(sim, (hf_force){1}).largest_force == 5.0);
    loop_end(sim);
}

// How far the cart overshoots a distant target under a small limit.
static double overshoot(double anti_windup)
{
    hf_loop_scene scene = {.pid = servo()};
    scene.pid.low = -3.0;
    scene.pid.high = 3.0;
    scene.pid.anti_windup = anti_windup;
    hf_model *model = loop_model(&scene);
    hf_sim *sim = loop_sim(model, HF_METHOD_RK4, 1e-3);
    double highest = 0.0;
    hf_sim_set_input(sim, loop_target(), 1.0);
    for (int i = 0; i < 12000; ++i) {
        loop_step(sim);
        highest = fmax(highest, hf_sim_q(sim, loop_cart()));
    }
    hf_check_below(hf_sim_force_stats(sim, (hf_force){1}).largest_force, 3.0, "force", "limit");
    loop_end(sim);
    return highest - 1.0;
}

static void anti_windup_keeps_overshoot_small(void **state)
{
    (void)state;
    hf_check_below(overshoot(0.0), 0.3 * overshoot(1e6), "overshoot", "without anti-windup");
}

// ------------------------------------------------------------------------------------------------
// Samples

static const double PERIODS[] = {0.0037, 0.01, 1.0 / 300.0, 0.0125, 0.1, 0.0005};

static void sampled_loop_is_the_recursion(void **state)
{
    (void)state;
    static const hf_method_type methods[] = {HF_METHOD_RK4, HF_METHOD_RK4_TAU};
    for (size_t i = 0; i < 2 * 2 * sizeof PERIODS / sizeof PERIODS[0]; ++i) {
        hf_loop_scene scene = {.pid = servo(), .position = -0.3, .velocity = 0.5};
        scene.pid.period = PERIODS[i / 4];
        scene.pid.differences = i % 2 == 1;
        scene.pid.bias = 0.7;
        scene.pid.low = -25.0;
        scene.pid.high = 30.0;
        hf_sim *sim = loop_sim(loop_model(&scene), methods[i / 2 % 2], 0.004);
        hf_loop_oracle oracle = {
            .pid = scene.pid, .target = 0.8, .x = scene.position, .v = scene.velocity};
        hf_sim_set_input(sim, loop_target(), 0.8);
        for (int k = 0; k < 500; ++k) {
            double x, v;
            oracle_advance(&oracle, hf_sim_time(sim));
            oracle_motion(&oracle, hf_sim_time(sim), &x, &v);
            hf_check_near(hf_sim_q(sim, loop_cart()), x, 1e-12, "x", "recursion (5)");
            hf_check_near(hf_sim_v(sim, loop_cart()), v, 1e-12, "v", "recursion (5)");
            hf_channel force = hf_model_find_channel(hf_sim_model(sim), "motor.force");
            hf_check_near(hf_sim_value(sim, force), oracle.u, 1e-10, "u", "recursion (5)");
            loop_step(sim);
        }
        loop_end(sim);
    }
}

typedef struct call_log {
    double times[4000];
    int count;
    hf_status answer;
    double target;
    hf_pid_def pid;
    double integral;
} call_log;

static hf_status note_time(void *context, hf_sim *sim, hf_error *error)
{
    call_log *log = context;
    (void)error;
    assert_true(log->count < 4000);
    log->times[log->count++] = hf_sim_time(sim);
    return HF_OK;
}

static hf_sim *sim_with_controllers(const hf_model *model, double step,
                                    const hf_controller_def *controllers, int count)
{
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_RK4, .step = step};
    def.controllers = controllers;
    def.controller_count = count;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static void calls_are_at_their_times(void **state)
{
    (void)state;
    static const double steps[] = {0.001, 0.004, 1.0 / 60.0};
    for (size_t i = 0; i < 3 * sizeof PERIODS / sizeof PERIODS[0]; ++i) {
        hf_loop_scene scene = {.pid = servo()};
        call_log log = {.count = 0};
        double period = PERIODS[i / 3], step = steps[i % 3];
        hf_controller_def controller = {.period = period, .update = note_time, .context = &log};
        hf_sim *sim = sim_with_controllers(loop_model(&scene), step, &controller, 1);
        int steps_taken = (int)(1.9 / step);
        for (int k = 0; k < steps_taken; ++k) {
            loop_step(sim);
            hf_check_near(hf_sim_time(sim), (k + 1) * step, 0.0, "time", "n step");
        }
        double end = hf_sim_time(sim);
        for (int k = 0; k < log.count; ++k) {
            hf_check_near(log.times[k], k * period, 4.0 * 2.3e-16 * log.times[k], "time of a call",
                          "n period");
        }
        // The call that is due at the end comes with the next step.
        int want = (int)ceil(end / period * (1.0 - 1e-13));
        assert_int_equal(log.count, want);
        hf_check_near(end, steps_taken * step, 0.0, "time", "n step");
        // Steps are cut at calls, and nowhere else: where both meet, not by a rounding either
        int pieces = 0;
        for (int n = 1, m = 1; n <= steps_taken; ++pieces) {
            double gap = n * step - m * period;
            n += gap < 1e-9 ? 1 : 0;
            m += gap > -1e-9 ? 1 : 0;
        }
        assert_int_equal(hf_sim_get_stats(sim).evaluations, 4 * pieces);
        assert_int_equal(hf_sim_pieces(sim), pieces);
        loop_end(sim);
    }
}

// The same digital controller, written by the program.
static hf_status control(void *context, hf_sim *sim, hf_error *error)
{
    call_log *log = context;
    double x = hf_sim_q(sim, loop_cart()), v = hf_sim_v(sim, loop_cart());
    double e = log->target - x;
    double w = log->pid.bias + 0.0 + log->pid.proportional * e + log->pid.derivative * (0.0 - v) +
               log->integral;
    log->integral += log->pid.period * (log->pid.integral * e + 0.0);
    log->count += 1;
    (void)error;
    hf_sim_set_input(sim, loop_target(), w);
    return HF_OK;
}

static void a_program_controls_as_the_law_does(void **state)
{
    (void)state;
    hf_loop_scene scene = {.pid = servo(), .position = 0.2, .with_spring = true};
    scene.pid.period = 0.0037;
    hf_loop_scene by_program = scene;
    by_program.by_input = true;
    call_log log = {.target = 0.8, .pid = scene.pid};
    hf_controller_def controller = {.period = 0.0037, .update = control, .context = &log};
    hf_sim *law = loop_sim(loop_model(&scene), HF_METHOD_RK4, 0.001);
    hf_sim *own = sim_with_controllers(loop_model(&by_program), 0.001, &controller, 1);
    hf_sim_set_input(law, loop_target(), 0.8);
    for (int k = 0; k < 1000; ++k) {
        loop_step(law);
        loop_step(own);
        hf_check_same_bits(hf_sim_q(own, loop_cart()), hf_sim_q(law, loop_cart()), "x");
    }
    hf_check_near(hf_sim_energy(own).input, hf_sim_energy(law).input, 1e-15, "input", "the law");
    loop_end(law);
    loop_end(own);
}

static hf_status refuse(void *context, hf_sim *sim, hf_error *error)
{
    call_log *log = context;
    if (log->answer < 0) {
        (void)snprintf(error->text, sizeof error->text, "no");
        error->status = log->answer;
        return log->answer;
    }
    return note_time(context, sim, error);
}

static void a_controller_may_end_the_run(void **state)
{
    (void)state;
    hf_loop_scene scene = {.pid = servo()};
    call_log log = {.count = 0};
    hf_controller_def controller = {.period = 0.01, .update = refuse, .context = &log};
    hf_sim *sim = sim_with_controllers(loop_model(&scene), 0.004, &controller, 1);
    hf_error error = {0};
    loop_step(sim);
    loop_step(sim);
    log.answer = HF_ERROR_STATE;
    assert_int_equal(hf_sim_step(sim, &error), HF_ERROR_STATE);
    assert_string_equal(error.text, "no");
    hf_check_near(hf_sim_time(sim), 0.01, 0.0, "time", "of the call");
    assert_int_equal(hf_sim_step(sim, NULL), HF_ERROR_STATE);
    log.answer = HF_OK;
    loop_step(sim); // it is called again, and the step is finished
    assert_int_equal(log.count, 2);
    hf_check_near(hf_sim_time(sim), 0.012, 1e-17, "time", "3 steps");
    loop_end(sim);
}

static void wrong_controllers_are_refused(void **state)
{
    (void)state;
    hf_loop_scene scene = {.pid = servo()};
    hf_model *model = loop_model(&scene);
    hf_controller_def controller = {.period = 1e-9, .update = note_time};
    hf_sim_def def = hf_sim_def_default(model);
    hf_error error = {0};
    def.controllers = &controller;
    def.controller_count = 1;
    assert_null(hf_sim_create(model, &def, &error));
    assert_non_null(strstr(error.text, "controller 0: period must be at least 1e-06 s"));
    controller = (hf_controller_def){.period = 0.1};
    assert_null(hf_sim_create(model, &def, &error));
    assert_non_null(strstr(error.text, "update is missing"));
    def.controllers = NULL;
    assert_null(hf_sim_create(model, &def, &error));
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Saved states, looking, order

static void saved_between_samples(void **state)
{
    (void)state;
    hf_loop_scene scene = {.pid = servo(), .position = 0.2, .with_spring = true};
    scene.pid.period = 0.0137;
    scene.pid.differences = true;
    hf_model *model = loop_model(&scene);
    call_log log = {.count = 0};
    hf_controller_def controller = {.period = 0.0061, .update = note_time, .context = &log};
    hf_sim *sim = sim_with_controllers(model, 0.004, &controller, 1);
    hf_sim *other = sim_with_controllers(model, 0.004, &controller, 1);
    hf_error error = {0};
    char saved[4096];
    size_t size = hf_sim_save_size(sim);
    assert_true(size <= sizeof saved);
    hf_sim_set_input(sim, loop_target(), 0.8);
    for (int k = 0; k < 50; ++k) {
        loop_step(sim);
    }
    hf_sim_save(sim, saved);
    int calls = log.count;
    for (int k = 0; k < 300; ++k) {
        loop_step(sim);
    }
    int more = log.count - calls;
    loop_step(other);
    assert_int_equal(hf_sim_restore(other, saved, size, &error), HF_OK);
    calls = log.count;
    for (int k = 0; k < 300; ++k) {
        loop_step(other);
    }
    assert_int_equal(log.count - calls, more);
    hf_check_same_bits(hf_sim_q(other, loop_cart()), hf_sim_q(sim, loop_cart()), "x");
    hf_check_same_bits(hf_sim_v(other, loop_cart()), hf_sim_v(sim, loop_cart()), "v");
    hf_sim_destroy(other);
    controller.period = 0.007;
    other = sim_with_controllers(model, 0.004, &controller, 1);
    assert_int_equal(hf_sim_restore(other, saved, size, &error), HF_ERROR_STATE);
    assert_non_null(strstr(error.text, "periods of controllers"));
    hf_sim_destroy(other);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Channels read between steps change nothing, even at the instant of a sample; and an input set
// there is seen by that sample.
static void looking_changes_nothing(void **state)
{
    (void)state;
    hf_loop_scene scene = {.pid = servo(), .position = 0.2};
    scene.pid.period = 0.01;
    hf_model *model = loop_model(&scene);
    hf_sim *blind = loop_sim(model, HF_METHOD_RK4, 0.005);
    hf_sim *seeing = loop_sim(model, HF_METHOD_RK4, 0.005);
    hf_channel force = hf_model_find_channel(model, "motor.force");
    hf_loop_oracle oracle = {.pid = scene.pid, .x = 0.2};
    for (int k = 0; k < 200; ++k) {
        double target = sin(0.1 * k);
        (void)hf_sim_value(seeing, force);
        hf_sim_set_input(blind, loop_target(), target);
        hf_sim_set_input(seeing, loop_target(), target);
        oracle.target = target;
        oracle_advance(&oracle, hf_sim_time(seeing));
        hf_check_near(hf_sim_value(seeing, force), oracle.u, 1e-10, "u", "recursion (5)");
        loop_step(blind);
        loop_step(seeing);
        hf_check_same_bits(hf_sim_q(seeing, loop_cart()), hf_sim_q(blind, loop_cart()), "x");
    }
    hf_sim_destroy(blind);
    loop_end(seeing);
}

// Two carts on a spring, a controller each, one of them sampled, in either order of declaration.
static hf_model *two_carts(bool reversed)
{
    static const char *const carts[] = {"left", "right"}, *const motors[] = {"m1", "m2"};
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body bodies[2];
    for (int i = 0; i < 2; ++i) {
        int k = reversed ? 1 - i : i;
        hf_mass_def mass = hf_mass_def_default();
        mass.name = carts[k];
        mass.dim = 1;
        mass.mass = 1.0 + k;
        bodies[k] = hf_spec_add_mass(spec, &mass, &error);
    }
    for (int i = 0; i < 3; ++i) {
        int k = reversed ? 2 - i : i;
        hf_pid_def pid = servo();
        hf_spring_def spring = hf_spring_def_default();
        hf_force_def force = hf_force_def_default();
        pid.period = k == 1 ? 0.0037 : 0.0;
        force.coupling.on_coordinate.body = bodies[k % 2];
        force.coupling.to_coordinate.body = k == 2 ? bodies[1] : (hf_body){0};
        force.name = k == 2 ? "spring" : motors[k];
        hf_force_use_pid(&force, &pid);
        if (k == 2) {
            hf_force_use_spring(&force, &spring);
        }
        force.values[HF_PID_REFERENCE].constant = k == 2 ? 0.0 : 0.3 - k;
        assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    }
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    assert_non_null(model);
    return model;
}

static void order_of_declaration(void **state)
{
    (void)state;
    hf_sim *sims[2];
    for (int i = 0; i < 2; ++i) {
        sims[i] = loop_sim(two_carts(i == 1), HF_METHOD_RK4, 0.001);
        for (int k = 0; k < 700; ++k) {
            loop_step(sims[i]);
        }
    }
    hf_coordinate a = hf_model_find_coordinate(hf_sim_model(sims[0]), "left");
    hf_coordinate b = hf_model_find_coordinate(hf_sim_model(sims[1]), "left");
    hf_check_same_bits(hf_sim_q(sims[0], a), hf_sim_q(sims[1], b), "x of left");
    size_t size = hf_sim_save_size(sims[0]);
    char saved[4096];
    hf_error error = {0};
    assert_true(size <= sizeof saved);
    hf_sim_save(sims[0], saved); // fits the other
    assert_int_equal(hf_sim_restore(sims[1], saved, size, &error), HF_OK);
    loop_end(sims[0]);
    loop_end(sims[1]);
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    hf_loop_scene scene = {.pid = servo()};
    scene.pid.period = 0.0037;
    call_log log = {.count = 0};
    hf_controller_def controller = {.period = 0.0061, .update = note_time, .context = &log};
    hf_sim *sim = sim_with_controllers(loop_model(&scene), 0.001, &controller, 1);
    long long before = hf_test_allocations();
    for (int k = 0; k < 500; ++k) {
        loop_step(sim);
    }
    assert_int_equal(hf_test_allocations() - before, 0);
    loop_end(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_loop_is_fourth_order),
        cmocka_unit_test(feed_forward_tracks),
        cmocka_unit_test(windup_is_bounded),
        cmocka_unit_test(anti_windup_keeps_overshoot_small),
        cmocka_unit_test(sampled_loop_is_the_recursion),
        cmocka_unit_test(calls_are_at_their_times),
        cmocka_unit_test(a_program_controls_as_the_law_does),
        cmocka_unit_test(a_controller_may_end_the_run),
        cmocka_unit_test(wrong_controllers_are_refused),
        cmocka_unit_test(saved_between_samples),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(order_of_declaration),
        cmocka_unit_test(steps_do_not_allocate),
    };
    return hf_run_tests(tests);
}
