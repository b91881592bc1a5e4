// SPDX-License-Identifier: Apache-2.0
// A controller of one's own, at its own rate: a digital PD loop that compensates friction.
//
// A cart of 1 kg on a bearing that sticks (2 N) follows r(t) = 0.1 m sin(2 t). Every `period` the
// program reads an encoder of 10 um and sets the motor's force,
//
//   u = m r'' + Kp (r - x) + Kd (r' - v) + F sign(r')
//
// with v by differences, and with or without the last term: the friction it knows of, in the
// direction in which the cart is about to go. The simulation's step has nothing to do with the
// period: Holdfast stops at the samples by itself. The table shows both, for fast and slow loops.
//
//   cc external_controller.c $(pkg-config --cflags --libs holdfast) && ./a.out
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/holdfast.h>

#define MASS     1.0   // [kg]
#define FRICTION 2.0   // [N]
#define KP       400.0 // [N/m]
#define KD       30.0  // [Ns/m]
#define COUNT    1e-5  // of the encoder [m]
#define SECONDS  12.0

static void stop(const hf_error *error)
{
    fprintf(stderr, "external_controller: %s\n", error->text);
    exit(1);
}

// ------------------------------------------------------------------------------------------------
// The machine: a cart, its bearing, and a motor whose force the program sets.

static hf_model *build(void)
{
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_mass_def cart = hf_mass_def_default();
    cart.name = "cart";
    cart.dim = 1;
    cart.mass = MASS;
    hf_body body = hf_spec_add_mass(spec, &cart, &error);
    if (body.id == 0)
        stop(&error);

    hf_stiction_def law = hf_stiction_def_default();
    law.level = hf_level_coulomb(FRICTION);
    hf_force_def bearing = hf_force_def_default();
    bearing.name = "bearing";
    bearing.coupling.on_coordinate.body = body;
    hf_force_use_stiction(&bearing, &law);
    if (hf_spec_add_force(spec, &bearing, &error).id == 0)
        stop(&error);

    hf_signal_def command = hf_signal_def_default();
    command.name = "command";
    command.type = HF_SIGNAL_INPUT;
    hf_force_def motor = hf_force_def_default();
    motor.name = "motor";
    motor.coupling.on_coordinate.body = body;
    motor.law = HF_LAW_FORCE;
    motor.values[0].signal = hf_spec_add_signal(spec, &command, &error);
    if (motor.values[0].signal.id == 0 || hf_spec_add_force(spec, &motor, &error).id == 0)
        stop(&error);

    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL)
        stop(&error);
    hf_spec_destroy(spec);
    return model;
}

// ------------------------------------------------------------------------------------------------
// The controller

typedef struct controller {
    hf_coordinate cart;
    hf_signal command;
    double period;
    bool compensates;
    double last; // position at the last sample [m]
    long calls;
} controller;

// Called at t = 0, period, 2 period, ... with the machine as it is there.
static hf_status update(void *context, hf_sim *sim, hf_error *error)
{
    controller *c = context;
    double t = hf_sim_time(sim);
    double r = 0.1 * sin(2.0 * t), rate = 0.2 * cos(2.0 * t), acceleration = -0.4 * sin(2.0 * t);
    double x = COUNT * floor(hf_sim_q(sim, c->cart) / COUNT + 0.5);
    double v = c->calls == 0 ? 0.0 : (x - c->last) / c->period;
    double u = MASS * acceleration + KP * (r - x) + KD * (rate - v);
    if (c->compensates)
        u += rate > 0.0 ? FRICTION : -FRICTION;
    hf_sim_set_input(sim, c->command, u);
    c->last = x;
    c->calls += 1;
    (void)error; // a negative status here, with a text, would end the run
    return HF_OK;
}

// Root mean square of the tracking error after the first two seconds [m].
static double run(const hf_model *model, double period, bool compensates, long *calls)
{
    hf_error error;
    controller c = {.cart = hf_model_find_coordinate(model, "cart"),
                    .command = hf_model_find_signal(model, "command"),
                    .period = period,
                    .compensates = compensates};
    hf_controller_def own = {.period = period, .update = update, .context = &c};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_RK4_TAU, .step = 2e-4};
    def.controllers = &own;
    def.controller_count = 1;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL)
        stop(&error);
    double squares = 0.0;
    int samples = 0;
    while (hf_sim_time(sim) < SECONDS - 1e-9) {
        if (hf_sim_step(sim, &error) < 0)
            stop(&error);
        double t = hf_sim_time(sim), e = 0.1 * sin(2.0 * t) - hf_sim_q(sim, c.cart);
        squares += t > 2.0 ? e * e : 0.0;
        samples += t > 2.0;
    }
    *calls = c.calls;
    hf_sim_destroy(sim);
    return sqrt(squares / samples);
}

int main(void)
{
    static const double periods[] = {0.5e-3, 1e-3, 1.7e-3, 3e-3, 7e-3, 15e-3};
    hf_model *model = build();
    int wrong = 0;
    printf("%12s %8s %26s %26s\n", "period [ms]", "calls", "rms error, PD alone [mm]",
           "with compensation [mm]");
    for (size_t i = 0; i < sizeof periods / sizeof periods[0]; i++) {
        long calls = 0;
        double plain = run(model, periods[i], false, &calls);
        double better = run(model, periods[i], true, &calls);
        printf("%12g %8ld %26.4f %26.4f\n", 1e3 * periods[i], calls, 1e3 * plain, 1e3 * better);
        wrong += calls != (long)ceil(SECONDS / periods[i] - 1e-9);
        wrong += !(better < 0.3 * plain);
    }
    hf_model_destroy(model);
    return wrong > 0;
}
