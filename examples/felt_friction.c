// SPDX-License-Identifier: Apache-2.0
// Friction that a controller makes, with a wrong mass and with noise in the velocity.
//
// The discontinuous model of [Kikuuwe2005] renders friction, or compensates it: from the measured
// velocity v, the applied force h and the mass M it takes the force that ends the motion within one
// period T, as far as the level F allows,
//
//   f = sat(F, M' v/T + h)
//
// which asks for the mass M' = r M. The paper leaves open what an error in M does, and what noise
// in v does. Both have closed forms. While the friction holds, v+ = (1 - r) v - r n, so that
//
//   - what is left of a velocity shrinks by |1 - r| a sample: at once with r = 1, never with
//     r > 2, where a cart that nothing pushes chatters to and fro by F T/M;
//   - noise of the deviation s leaves velocities of s sqrt(r/(2 - r)), and a drift whose deviation
//     is s sqrt(t T), whatever the mass.
//
// A cart of 2 kg is pushed by 3 N against 6 N of such friction, at 1 kHz. The program compares.
//
//   cc felt_friction.c $(pkg-config --cflags --libs holdfast) && ./a.out
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/holdfast.h>

#define MASS    2.0  // [kg]
#define LEVEL   6.0  // [N]
#define PUSH    3.0  // [N]
#define PERIOD  1e-3 // [s]
#define NOISE   2e-5 // deviation of the measured velocity [m/s]
#define SECONDS 4.0
#define RUNS    40 // for deviations

static void stop(const hf_error *error)
{
    fprintf(stderr, "felt_friction: %s\n", error->text);
    exit(1);
}

// ------------------------------------------------------------------------------------------------
// The machine: a cart, the push, and the friction, which the controller sets.

static void add_force(hf_spec *spec, hf_body body, const char *name, hf_signal_type type,
                      double number)
{
    hf_error error;
    hf_signal_def value = hf_signal_def_default();
    value.name = name;
    value.type = type;
    value.value = number;
    hf_force_def force = hf_force_def_default();
    char own[40];
    snprintf(own, sizeof own, "%s-force", name);
    force.name = own;
    force.coupling.on_coordinate.body = body;
    force.law = HF_LAW_FORCE;
    force.values[0].signal = hf_spec_add_signal(spec, &value, &error);
    if (force.values[0].signal.id == 0 || hf_spec_add_force(spec, &force, &error).id == 0)
        stop(&error);
}

static hf_model *build(double velocity, double push)
{
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_mass_def cart = hf_mass_def_default();
    cart.name = "cart";
    cart.dim = 1;
    cart.mass = MASS;
    cart.velocity[0] = velocity;
    hf_body body = hf_spec_add_mass(spec, &cart, &error);
    if (body.id == 0)
        stop(&error);
    add_force(spec, body, "push", HF_SIGNAL_CONSTANT, push);
    add_force(spec, body, "friction", HF_SIGNAL_INPUT, 0.0);
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
    hf_signal friction;
    double push, ratio, noise;
    unsigned long long random;
} controller;

// A normal number of deviation 1: a sum of twelve uniform ones.
static double normal(controller *c)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        c->random = c->random * 6364136223846793005ULL + 1442695040888963407ULL;
        sum += (double)(c->random >> 11) / 9007199254740992.0;
    }
    return sum;
}

static hf_status update(void *context, hf_sim *sim, hf_error *error)
{
    controller *c = context;
    double v = hf_sim_v(sim, c->cart) + (c->noise > 0.0 ? c->noise * normal(c) : 0.0);
    double f = c->ratio * MASS * v / PERIOD + c->push;
    f = f > LEVEL ? LEVEL : f < -LEVEL ? -LEVEL : f;
    hf_sim_set_input(sim, c->friction, -f);
    (void)error;
    return HF_OK;
}

typedef struct outcome {
    double after[3]; // velocities at the last three samples [m/s]
    double squares;  // mean of the velocities' squares over the second half [m^2/s^2]
    double way;      // from half time on [m]
} outcome;

static outcome run(double velocity, double push, double ratio, double noise, double seconds,
                   unsigned long long seed)
{
    hf_error error;
    hf_model *model = build(velocity, push);
    controller c = {.cart = hf_model_find_coordinate(model, "cart"),
                    .friction = hf_model_find_signal(model, "friction"),
                    .push = push,
                    .ratio = ratio,
                    .noise = noise,
                    .random = seed};
    hf_controller_def own = {.period = PERIOD, .update = update, .context = &c};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_RK4, .step = PERIOD};
    def.controllers = &own;
    def.controller_count = 1;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL)
        stop(&error);
    outcome out = {{0.0}, 0.0, 0.0};
    long steps = (long)floor(seconds / PERIOD + 0.5);
    double middle = 0.0;
    for (long k = 1; k <= steps; k++) {
        if (hf_sim_step(sim, &error) < 0)
            stop(&error);
        double v = hf_sim_v(sim, c.cart);
        out.after[0] = out.after[1];
        out.after[1] = out.after[2];
        out.after[2] = v;
        middle = 2 * k == steps ? hf_sim_q(sim, c.cart) : middle;
        out.squares += 2 * k > steps ? v * v / (double)(steps - steps / 2) : 0.0;
    }
    out.way = hf_sim_q(sim, c.cart) - middle;
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return out;
}

// ------------------------------------------------------------------------------------------------
// Measured and by the closed forms

static int check_mass(void)
{
    static const double ratios[] = {0.25, 0.5, 0.9, 1.0, 1.1, 1.5, 1.9, 2.5, 4.0};
    int wrong = 0;
    printf("%10s %24s %24s\n", "M'/M", "left a sample, |1 - r|", "chatters by, F T/M [m/s]");
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        double r = ratios[i];
        // From a velocity that the friction can end within a sample, three samples later
        outcome few = run(1e-5, PUSH, r, 0.0, 3.0 * PERIOD, 1);
        outcome late = run(0.5, 0.0, r, 0.0, SECONDS, 1);
        double left = r == 1.0 ? fabs(few.after[2]) / 1e-5 : fabs(few.after[2] / few.after[1]);
        double swing = fabs(late.after[2] - late.after[1]);
        double want = r > 2.0 ? LEVEL * PERIOD / MASS : 0.0;
        printf("%10g %11.6f, %11.6f %11.6f, %11.6f\n", r, left, fabs(1.0 - r), swing, want);
        wrong += !(fabs(left - fabs(1.0 - r)) <= 1e-9) + !(fabs(swing - want) <= 1e-9);
    }
    return wrong;
}

static int check_noise(void)
{
    static const double ratios[] = {0.25, 0.5, 1.0, 1.5, 1.9};
    int wrong = 0;
    printf("\n%10s %30s %34s\n", "M'/M", "velocity at rest [um/s]", "drift in 2 s, deviation [um]");
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        double r = ratios[i], squares = 0.0, ways = 0.0;
        for (int k = 0; k < RUNS; k++) {
            outcome out = run(0.0, PUSH, r, NOISE, SECONDS, 1000ULL * i + (unsigned long long)k);
            squares += out.squares / RUNS;
            ways += out.way * out.way / RUNS;
        }
        double speed = NOISE * sqrt(r / (2.0 - r)), drift = NOISE * sqrt(0.5 * SECONDS * PERIOD);
        printf("%10g %14.4f, %14.4f %16.4f, %16.4f\n", r, 1e6 * sqrt(squares), 1e6 * speed,
               1e6 * sqrt(ways), 1e6 * drift);
        wrong += !(fabs(sqrt(squares) / speed - 1.0) <= 0.05);
        wrong += !(fabs(sqrt(ways) / drift - 1.0) <= 0.35);
    }
    return wrong;
}

int main(void)
{
    printf("measured, by the closed form\n\n");
    int wrong = check_mass();
    wrong += check_noise();
    return wrong > 0;
}
