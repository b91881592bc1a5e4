// SPDX-License-Identifier: Apache-2.0
// Machines whose every direction is turned round do the same the other way: frictions with unlike
// levels forth and back, stops at unlike places, lossy gears, belts. Under every method, with the
// same work, and whatever interval is recorded.
#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <math.h>

#include "hf_machine.h"

enum { TEXT = 3000 };

// ~ is a sign; <a|b> is [a, b], or [b, a] in the mirror; {a|b} are the limits low and high.
typedef struct machine {
    const char *name, *methods; // that do not admit it: their first letters, 'r' also for verlet
    double step, end;
    const char *text;
} machine;

static const machine MACHINES[] = {
    {"pulled to and fro", "ra", 1e-3, 0.6,
     "bodies:\n"
     "  hand: {type: driven, dim: 1, position: \"~0.05*sin(9*t)\"}\n"
     "  block: {type: mass, dim: 1, mass: 1.3, velocity: ~0.2}\n"
     "forces:\n"
     "  - {name: pull, type: spring, on: block, to: hand, stiffness: 120, damping: 1}\n"
     "  - {name: rub, type: friction, law: coulomb, on: block, level: {kinetic: <1|1.6>, static: "
     "<1.8|1.7>}}\n"},
    {"a static level in one direction", "t", 1e-3, 0.6,
     "bodies:\n"
     "  hand: {type: driven, dim: 1, position: \"~0.05*sin(9*t)\"}\n"
     "  block: {type: mass, dim: 1, mass: 1.3, velocity: ~0.2}\n"
     "forces:\n"
     "  - {name: pull, type: spring, on: block, to: hand, stiffness: 120, damping: 1}\n"
     "  - {name: rub, type: friction, law: stiction, on: block, stiffness: 2e4, damping: 60, "
     "level: "
     "{kinetic: <1.5|1.5>, static: <1.9|1.5>}}\n"},
    {"between unlike stops", "ra", 1e-3, 0.8,
     "bodies:\n"
     "  cart: {type: mass, dim: 1, mass: 2, velocity: ~1.5}\n"
     "  load: {type: mass, dim: 1, mass: 0.7, position: ~0.02}\n"
     "forces:\n"
     "  - {name: walls, type: stop, on: cart, {-0.1|0.17}, restitution: 0.7}\n"
     "  - {name: play, type: stop, on: load, to: cart, {-0.01|0.03}, restitution: 0.3}\n"
     "  - {name: rub, type: friction, law: coulomb, on: load, level: {kinetic: <0.8|1.4>}}\n"},
    {"bristles of unlike levels", "t", 5e-4, 0.3,
     "bodies:\n"
     "  belt: {type: driven, dim: 1, velocity: \"~0.2*sin(12*t)\"}\n"
     "  block: {type: mass, dim: 1, mass: 0.6, velocity: ~0.1}\n"
     "forces:\n"
     "  - {name: rub, type: friction, law: lugre, on: block, to: belt, stiffness: 1e4, damping: "
     "20, "
     "level: {kinetic: <1|1.6>, static: <1.8|2>, stribeck_velocity: 0.02}}\n"
     "  - {name: hold, type: spring, on: block, stiffness: 60}\n"},
};
enum { COUNT = sizeof MACHINES / sizeof *MACHINES };

static const char *put(const char *from, const char *to, char *out, size_t *used)
{
    while (from < to) {
        assert_true(*used + 40 < TEXT);
        out[(*used)++] = *from++;
    }
    return to;
}

static void put_number(double value, char *out, size_t *used)
{
    *used += (size_t)snprintf(out + *used, TEXT - *used, "%.17g", value);
    assert_true(*used + 40 < TEXT);
}

static void write_machine(const char *text, bool mirrored, char out[TEXT])
{
    size_t used = 0;
    while (*text != '\0') {
        char *end;
        bool limits = *text == '{' && (text[1] == '-' || (text[1] >= '0' && text[1] <= '9'));
        if (*text == '~') {
            out[used] = '-';
            used += mirrored ? 1 : 0;
            ++text;
        } else if (*text == '<' || limits) {
            double a = strtod(text + 1, &end), b = strtod(end + 1, &end);
            const char *words[2][3] = {{"[", ", ", "]"}, {"low: ", ", high: ", ""}};
            double first = !mirrored ? a
                           : limits  ? -b
                                     : b,
                   second = !mirrored ? b
                            : limits  ? -a
                                      : a;
            (void)put(words[limits][0], words[limits][0] + strlen(words[limits][0]), out, &used);
            put_number(first, out, &used);
            (void)put(words[limits][1], words[limits][1] + strlen(words[limits][1]), out, &used);
            put_number(second, out, &used);
            (void)put(words[limits][2], words[limits][2] + strlen(words[limits][2]), out, &used);
            text = end + 1;
        } else {
            text = put(text, text + 1, out, &used);
        }
    }
    out[used] = '\0';
}

static hf_sim *begin(const machine *m, const char *method, double step, bool mirrored,
                     hf_model **model)
{
    char raw[TEXT], text[TEXT];
    (void)snprintf(raw, sizeof raw, "method: {type: %s, step: %.17g}\n%s", method, step, m->text);
    write_machine(raw, mirrored, text);
    *model = model_of(text);
    hf_sim_def def = hf_sim_def_default(*model);
    def.methods[0] = hf_contact_methods();
    def.methods[1] = hf_adaptive_methods();
    return sim_from(*model, &def);
}

static void compare(hf_sim *a, hf_sim *b, double allowed, bool mirrored, const char *what)
{
    const hf_model *model = hf_sim_model(a);
    for (int c = 1; c <= hf_model_channel_count(model); ++c) {
        char name[120], full[400];
        hf_channel channel = {c};
        hf_model_channel_name(model, channel, name, sizeof name);
        double want = hf_sim_value(a, channel), got = hf_sim_value(b, channel);
        if (strstr(name, "solver.") != NULL) {
            continue;
        }
        // What has a direction is turned round; modes of rest and of stops are what they are
        got = mirrored && fabs(got + want) < fabs(got - want) ? -got : got;
        (void)snprintf(full, sizeof full, "%s, %s", what, name);
        hf_check_near(got, want, allowed * fmax(1.0, fabs(want)), full, "turned round");
    }
}

static void check(const char *method, char letter, double allowed)
{
    for (int i = 0; i < COUNT; ++i) {
        const machine *m = &MACHINES[i];
        if (strchr(m->methods, letter) != NULL) {
            continue;
        }
        char what[240];
        hf_model *models[2];
        hf_sim *a = begin(m, method, m->step, false, &models[0]);
        hf_sim *b = begin(m, method, m->step, true, &models[1]);
        (void)snprintf(what, sizeof what, "%s, %s", m->name, method);
        while (hf_sim_time(a) < m->end) {
            step(a);
            step(b);
            compare(a, b, allowed, true, what);
        }
        hf_sim_stats x = hf_sim_get_stats(a), y = hf_sim_get_stats(b);
        // Slopes are measured by steps forth alone
        double share = letter == 'a' || letter == 's' ? 0.05 : 0.0;
        hf_check_near((double)y.evaluations, (double)x.evaluations, share * (double)x.evaluations,
                      what, "evaluations");
        hf_check_near((double)y.internal_steps, (double)x.internal_steps,
                      share * (double)x.internal_steps, what, "internal steps");
        assert_int_equal(x.events, y.events);
        hf_check_near((double)y.solver_iterations, (double)x.solver_iterations,
                      0.1 * (double)x.solver_iterations, what, "iterations");
        assert_int_equal(hf_sim_verdict(a).trustworthy, hf_sim_verdict(b).trustworthy);
        hf_sim_destroy(a);
        hf_sim_destroy(b);
        hf_model_destroy(models[0]);
        hf_model_destroy(models[1]);
    }
}

static void fixed_steps(void **state)
{
    (void)state;
    check("rk4", 'r', 0.0);
    check("verlet", 'r', 0.0);
    check("semi-implicit-euler", 'e', 0.0);
    check("discrete", 'd', 1e-12);
}

static void timestep(void **state)
{
    (void)state;
    check("timestep", 't', 1e-9);
}

static void events(void **state)
{
    (void)state;
    check("switch", 's', 1e-9);
}

static void adaptive(void **state)
{
    (void)state;
    check("adaptive, rtol: 1e-9, atol: 1e-12", 'a', 1e-6);
    check("adaptive, family: adams, rtol: 1e-9, atol: 1e-12", 'a', 1e-6);
    check("adaptive, family: erk, rtol: 1e-9, atol: 1e-12", 'a', 1e-6);
}

// Records twelve times as far apart: the same states at the times that both have.
static void records_change_nothing(void **state)
{
    (void)state;
    static const char *const methods[] = {"switch, rtol: 1e-9, atol: 1e-12",
                                          "adaptive, rtol: 1e-9, atol: 1e-12"};
    for (int k = 0; k < 2 * COUNT; ++k) {
        const machine *m = &MACHINES[k / 2];
        const char *method = methods[k % 2];
        if (strchr(m->methods, method[0]) != NULL) {
            continue;
        }
        char what[240];
        hf_model *models[2];
        for (int mirrored = 0; mirrored < 2; ++mirrored) {
            hf_sim *a = begin(m, method, m->step, mirrored, &models[0]);
            hf_sim *b = begin(m, method, 12.0 * m->step, mirrored, &models[1]);
            (void)snprintf(what, sizeof what, "%s, %s, recorded", m->name, method);
            while (hf_sim_time(a) < m->end) {
                for (int i = 0; i < 12; ++i) {
                    step(a);
                }
                step(b);
                compare(a, b, 2e-3, false, what);
            }
            assert_int_equal(hf_sim_get_stats(a).events, hf_sim_get_stats(b).events);
            hf_sim_destroy(a);
            hf_sim_destroy(b);
            hf_model_destroy(models[0]);
            hf_model_destroy(models[1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps),
        cmocka_unit_test(timestep),
        cmocka_unit_test(events),
        cmocka_unit_test(adaptive),
        cmocka_unit_test(records_change_nothing),
    };
    return hf_run_tests(tests);
}
