// SPDX-License-Identifier: Apache-2.0
// Parts that do nothing change nothing: a friction that hardly holds, a spring that hardly pulls, a
// stop that is far away, a force of zero, a body that nothing moves. Every machine with and without
// them, under every method.
#include <math.h>

#include "unit_machines.h"

typedef struct nothing {
    const char *name, *bodies, *forces; // '@' is a coordinate of the machine
    const char *methods;                // that do not admit it
} nothing;

static const nothing NOTHINGS[] = {
    {"a friction", "", "  - {name: extra, type: friction, law: coulomb, on: @, level: 1e-11}\n",
     "ra"},
    {"bristles", "",
     "  - {name: extra, type: friction, law: lugre, on: @, level: 1e-11, stiffness: 1e-6, "
     "damping: 1e-9}\n",
     ""},
    {"a spring", "", "  - {name: extra, type: spring, on: @, stiffness: 1e-10}\n", ""},
    {"a stop", "", "  - {name: extra, type: stop, on: @, low: -1e4, high: 1e4}\n", "ra"},
    {"a force", "", "  - {name: extra, type: force, on: @, value: 0}\n", ""},
    {"another body", "  zz: {type: mass, dim: 1, axes: y, mass: 3}\n", "", ""},
    {"a body at rest", "  zz: {type: mass, dim: 1, axes: y, mass: 3, position: 0.2}\n",
     "  - {name: extra, type: friction, law: coulomb, on: zz, level: 2}\n"
     "  - {name: more, type: stop, on: zz, low: 0, restitution: 0.5}\n",
     "ra"},
};

static void put(const char *text, const char *on, char *out, size_t room)
{
    size_t used = 0;
    for (; *text != '\0'; ++text) {
        int wrote = *text == '@' ? snprintf(out + used, room - used, "%s", on)
                                 : snprintf(out + used, room - used, "%c", *text);
        assert_true(wrote > 0 && used + (size_t)wrote < room);
        used += (size_t)wrote;
    }
    out[used] = '\0';
}

// Every channel of the machine without.
static void compare(hf_sim *without, hf_sim *with, double allowed, const char *what)
{
    const hf_model *model = hf_sim_model(without);
    for (int c = 1; c <= hf_model_channel_count(model); ++c) {
        char name[120], full[400];
        hf_channel channel = {c};
        hf_model_channel_name(model, channel, name, sizeof name);
        if (strstr(name, "solver.") != NULL) {
            continue;
        }
        (void)snprintf(full, sizeof full, "%s, %s", what, name);
        double want = hf_sim_value(without, channel);
        hf_check_near(value_of(with, name), want, allowed * fmax(1.0, fabs(want)), full,
                      "without it");
    }
}

static void check(const char *method, char letter, double allowed)
{
    const units si = {1.0, 1.0, 1.0};
    for (int i = 0; i < MACHINE_COUNT; ++i) {
        const machine *m = &MACHINES[i];
        for (size_t k = 0; k < sizeof NOTHINGS / sizeof *NOTHINGS; ++k) {
            const nothing *n = &NOTHINGS[k];
            char forces[600] = "", what[240];
            bool takes = m->on != NULL || strchr(n->forces, '@') == NULL;
            if (!takes || strchr(m->methods, letter) != NULL ||
                strchr(n->methods, letter) != NULL) {
                continue;
            }
            put(n->forces, m->on != NULL ? m->on : "", forces, sizeof forces);
            (void)snprintf(what, sizeof what, "%s, %s, %s", m->name, method, n->name);
            hf_model *models[2];
            hf_sim *without = begin_machine(m, method, &si, "", "", &models[0]);
            hf_sim *with = begin_machine(m, method, &si, n->bodies, forces, &models[1]);
            while (hf_sim_time(without) < m->end) {
                step(without);
                step(with);
                compare(without, with, allowed, what);
            }
            assert_int_equal(hf_sim_verdict(without).trustworthy, hf_sim_verdict(with).trustworthy);
            hf_sim_destroy(without);
            hf_sim_destroy(with);
            hf_model_destroy(models[0]);
            hf_model_destroy(models[1]);
        }
    }
}

static void fixed_steps(void **state)
{
    (void)state;
    check("rk4", 'r', 1e-7);
    check("verlet", 'r', 1e-7);
    check("semi-implicit-euler", 'e', 1e-7);
}

static void discrete(void **state)
{
    (void)state;
    check("discrete", 'd', 1e-7);
}

static void timestep(void **state)
{
    (void)state;
    check("timestep, tolerance: 1e-12", 't', 1e-6);
}

static void events(void **state)
{
    (void)state;
    check("switch, rtol: 1e-9, atol: 1e-12", 's', 1e-5);
}

static void adaptive(void **state)
{
    (void)state;
    check("adaptive, rtol: 1e-9, atol: 1e-12", 'a', 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps), cmocka_unit_test(discrete), cmocka_unit_test(timestep),
        cmocka_unit_test(events),      cmocka_unit_test(adaptive),
    };
    return hf_run_tests(tests);
}
