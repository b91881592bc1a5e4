// SPDX-License-Identifier: Apache-2.0
// Bristles that slide fast: whatever the speed and the step, the deflection stays within what the
// law allows, the ledger is closed, and the method keeps its order.
#include <hf_machine.h>
#include <math.h>

static const char *const METHODS[] = {"euler", "semi-implicit-euler", "rk4", "rk4-tau", "discrete",
                                      "verlet"};
static const char *const LAWS[] = {"lugre", "dahl",   "elastoplastic", "hayward-armstrong",
                                   "gms",   "leuven", "bouc-wen"};

// Keys of a law with a level of `level` and a stiffness of `stiffness`.
static const char *keys_of(int law, double level, double stiffness, char *text, size_t size)
{
    double k = stiffness;
    if (law == 4) {
        (void)snprintf(text, size,
                       "level: %.17g, shares: [0.3, 0.7], stiffnesses: [%.17g, %.17g], "
                       "attraction: %.17g, damping: 0",
                       level, 0.4 * k, 0.6 * k, 1e3 * level);
    } else if (law == 5) {
        (void)snprintf(text, size,
                       "level: %.17g, levels: [%.17g, %.17g], stiffnesses: [%.17g, %.17g], "
                       "exponent: 2, damping: 0",
                       level, 0.3 * level, 0.7 * level, 0.4 * k, 0.6 * k);
    } else {
        (void)snprintf(text, size, "level: %.17g, stiffness: %.17g%s", level, k,
                       law == 0 || law == 2 ? ", damping: 0" : "");
    }
    return text;
}

// A heavy block on a belt whose speed swings between -speed and speed.
static hf_model *block_on_belt(int law, const char *method, double h, double level,
                               double stiffness, double speed)
{
    char keys[400], text[1200];
    (void)snprintf(text, sizeof text,
                   "method: {type: %s, step: %.17g}\n"
                   "bodies:\n"
                   "  block: {type: mass, dim: 1, mass: 1e3}\n"
                   "  belt: {type: driven, dim: 1, velocity: pace}\n"
                   "signals: {pace: \"%.17g*cos(3*t)\"}\n"
                   "forces:\n"
                   "  - {name: rub, on: block, to: belt, type: friction, law: %s, %s}\n",
                   method, h, speed, LAWS[law], keys_of(law, level, stiffness, keys, sizeof keys));
    return model_of(text);
}

static void forces_stay_within_the_level(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(5);
    for (int trial = 0; trial < 140; ++trial) {
        int law = hf_rng_int(&rng, 0, 6), method = hf_rng_int(&rng, 0, 5);
        double h = hf_rng_log_uniform(&rng, 1e-5, 1e-2);
        double level = hf_rng_log_uniform(&rng, 0.1, 100.0);
        double speed = hf_rng_log_uniform(&rng, 0.1, 100.0);
        // Held, the bristle and the block are an oscillator, which the step must resolve.
        double stiffness = hf_rng_log_uniform(&rng, 1e3, fmin(1e7, 0.2 * 1e3 / (h * h)));
        hf_model *model = block_on_belt(law, METHODS[method], h, level, stiffness, speed);
        hf_sim *sim = sim_from(model, NULL);
        double most = 0.0;
        for (int i = 0; i < 600; ++i) {
            step(sim);
            most = fmax(most, fabs(value_of(sim, "rub.force")));
        }
        char what[100];
        (void)snprintf(what, sizeof what, "%s under %s: largest force/level", LAWS[law],
                       METHODS[method]);
        // A law that is elastic up to its level passes it by part of what a step moves.
        bool elastic = law == 2 || law == 3 || law >= 5;
        double moved = fmin(0.5, speed * h * stiffness / level);
        hf_check_below(most / level, 1.0 + (elastic ? 0.5 * moved : 0.0) + 1e-9, what,
                       "the law's own bound");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// |e| at t = 1 s for steps that are large in lambda h: 4.5, 2.2 and 1.1 at the belt's fastest.
static double end_of(const char *method, double h)
{
    hf_model *model = block_on_belt(0, method, h, 30.0, 3e4, 1.0);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 1.0);
    double v = value_of(sim, "block.velocity");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return v;
}

static void order_is_kept(void **state)
{
    (void)state;
    // Between reversals: the belt turns at t = pi/6 s, after which the bristle forgets.
    static const struct {
        const char *method;
        double h, least, most;
    } cases[] = {{"euler", 1.0 / 250.0, 0.8, 1.3}, {"semi-implicit-euler", 1.0 / 250.0, 0.8, 1.3}};
    double exact = end_of("rk4", 1.0 / 64000.0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double coarse = fabs(end_of(cases[i].method, cases[i].h) - exact);
        double fine = fabs(end_of(cases[i].method, 0.25 * cases[i].h) - exact);
        double order = log2(coarse / fine) / 2.0;
        hf_check_below(cases[i].least, order, cases[i].method, "order of accuracy");
        hf_check_below(order, cases[i].most, cases[i].method, "order of accuracy");
    }
}

// Runge-Kutta on a bristle that slides one way at a speed that swings: lambda h from 0.6 to 3.
static double wave_end(double h)
{
    char text[800];
    (void)snprintf(text, sizeof text,
                   "method: {type: rk4, step: %.17g}\n"
                   "bodies:\n"
                   "  block: {type: mass, dim: 1, mass: 1}\n"
                   "  belt: {type: driven, dim: 1, velocity: pace}\n"
                   "signals: {pace: \"4 + cos(20*t)\"}\n"
                   "forces:\n"
                   "  - {name: hold, on: block, type: spring, stiffness: 40, damping: 1}\n"
                   "  - name: rub\n"
                   "    on: block\n"
                   "    to: belt\n"
                   "    type: friction\n"
                   "    law: lugre\n"
                   "    level: {coulomb: 1, static: 2, stribeck_velocity: 5}\n"
                   "    stiffness: 20\n"
                   "    damping: 0\n",
                   h);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 2.0);
    double x = value_of(sim, "block.position");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return x;
}

static void runge_kutta_keeps_order_four(void **state)
{
    (void)state;
    double exact = wave_end(1e-4);
    double coarse = fabs(wave_end(0.04) - exact), fine = fabs(wave_end(0.02) - exact);
    double order = log2(coarse / fine);
    hf_check_below(3.4, order, "order between lambda h = 1.3 and 2.6", "ETDRK4");
    hf_check_below(coarse, 1e-4, "error at the larger step", "steps of 0.1 ms");
}

// A block is put on a floor at 20 m/s: its bristle, of 0.1 mm, is drawn within 5 us. The damping of
// that takes B g/K, 0.03 Ns at most, whatever the step; acting over a whole step, or over the many
// steps of a bristle that does not come to its end, it took up to 20.
static const struct {
    const char *law, *keys;
    double taken; // [Ns]
} speeding[] = {{"lugre", "", 300.0 * 1e-4},
                {"dahl", "", 0.0},
                {"bouc-wen", "", 0.0},
                {"elastoplastic", "", 300.0 * 1e-4},
                {"leuven", ", levels: [3, 7], stiffnesses: [4e4, 6e4]", 100.0 * 7.0 / 6e4},
                {"gms", ", shares: [0.3, 0.7], stiffnesses: [4e4, 6e4]",
                 100.0 * (0.3 * 3.0 / 4e4 + 0.7 * 7.0 / 6e4)}};
static const char *const fixed_methods[] = {
    "euler", "semi-implicit-euler", "discrete", "timestep", "verlet", "rk4", "rk4-tau"};
enum {
    SPEEDING = sizeof speeding / sizeof *speeding,
    FIXED = sizeof fixed_methods / sizeof(char *)
};

static void bristles_begin_at_speed(void **state)
{
    (void)state;
    static const double steps[] = {1e-2, 1e-3};
    for (int i = 0; i < 2 * SPEEDING * FIXED; ++i) {
        char text[600], what[100];
        int law = i / FIXED % SPEEDING;
        const char *method = fixed_methods[i % FIXED];
        double h = steps[i / FIXED / SPEEDING];
        (void)snprintf(text, sizeof text,
                       "method: {type: %s, step: %g}\n"
                       "bodies: {m: {type: mass, dim: 1, mass: 1, velocity: 20}}\n"
                       "forces:\n"
                       "  - {name: f, on: m, type: friction, law: %s, level: 10%s}\n",
                       method, h, speeding[law].law, speeding[law].keys);
        (void)snprintf(what, sizeof what, "velocity after %s under %s, %g s", speeding[law].law,
                       method, h);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.0);
        // What the first two steps may miss, and of what damping takes
        double allowed = 2.0 * 10.0 * h + 0.02;
        hf_check_near(value_of(sim, "m.velocity"), 10.0 - speeding[law].taken, allowed, what,
                      "20 m/s less 10 N for 1 s");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A block on a spring, on a belt at 20 m/s that turns round every 0.3 s: but for the way of the
// bristles friction is 10 N in the belt's direction. The impulses of damping, 2 B g/K at a turn,
// belong to it: x'' = s F - 40 x - x' between turns, and v jumps at them.
static double turned_end(double impulse)
{
    double x = 0.0, v = 0.0, way = 1.0, k = 40.0, c = 1.0, t = 0.0;
    double w = sqrt(k - 0.25 * c * c);
    while (t < 1.0) {
        // The impulse of the first turn is half as large: bristles begin at zero
        double h = fmin(0.3, 1.0 - t), end = way * 10.0 / k;
        v += way * impulse * (t > 0.0 ? 1.0 : 0.5);
        double a = x - end, b = (v + 0.5 * c * a) / w, damped = exp(-0.5 * c * h);
        double sine = sin(w * h), cosine = cos(w * h);
        x = end + damped * (a * cosine + b * sine);
        v = damped * ((b * w - 0.5 * c * a) * cosine - (a * w + 0.5 * c * b) * sine);
        t += 0.3;
        way = -way;
    }
    return x;
}

static void bristles_turn_round_at_speed(void **state)
{
    (void)state;
    for (int i = 0; i < SPEEDING * FIXED; ++i) {
        char text[700], what[100];
        int law = i / FIXED;
        const char *method = fixed_methods[i % FIXED];
        (void)snprintf(text, sizeof text,
                       "method: {type: %s, step: 1e-3}\n"
                       "bodies:\n"
                       "  m: {type: mass, dim: 1, mass: 1}\n"
                       "  belt: {type: driven, dim: 1, velocity: pace}\n"
                       "signals: {pace: \"20*sign(sin(pi*t/0.3))\"}\n"
                       "forces:\n"
                       "  - {name: s, on: m, type: spring, stiffness: 40, damping: 1}\n"
                       "  - {name: f, on: m, to: belt, type: friction, law: %s, level: 10%s}\n",
                       method, speeding[law].law, speeding[law].keys);
        (void)snprintf(what, sizeof what, "place under %s, %s", speeding[law].law, method);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.0);
        double want = turned_end(2.0 * speeding[law].taken);
        hf_check_near(value_of(sim, "m.position"), want, 0.01, what, "closed form between turns");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// 1 kg at 1 m/s stops by 10 N; a step of 0.1 ms is as long as a bristle of 0.1 mm takes to its end.
// Damping takes B times the way of the bristle there too, also where it falls to its end otherwise
// than as exp(-lambda t). Against steps ten times as short.
static double stop_of(const char *law, const char *method, double h)
{
    char text[500];
    (void)snprintf(text, sizeof text,
                   "method: {type: %s, step: %g}\n"
                   "bodies: {m: {type: mass, dim: 1, mass: 1, velocity: 1}}\n"
                   "forces: [{name: f, on: m, type: friction, law: %s, level: 10}]\n",
                   method, h, law);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.2);
    double place = value_of(sim, "m.position");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return place;
}

static void damping_takes_the_way(void **state)
{
    (void)state;
    hf_check_near(stop_of("elastoplastic", "verlet", 1e-4), 0.05 - 0.003, 1e-4,
                  "elastoplastic under verlet", "v^2/(2 a) less B g/K v/a");
    hf_check_near(stop_of("elastoplastic", "rk4", 1e-4), 0.05 - 0.003, 1e-4,
                  "elastoplastic under rk4", "v^2/(2 a) less B g/K v/a");
    hf_check_near(stop_of("lugre", "rk4", 1e-4), stop_of("lugre", "rk4", 1e-5), 2e-6,
                  "lugre under rk4", "steps of 0.01 ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bristles_begin_at_speed), cmocka_unit_test(bristles_turn_round_at_speed),
        cmocka_unit_test(damping_takes_the_way),   cmocka_unit_test(forces_stay_within_the_level),
        cmocka_unit_test(order_is_kept),           cmocka_unit_test(runge_kutta_keeps_order_four),
    };
    return hf_run_tests(tests);
}
