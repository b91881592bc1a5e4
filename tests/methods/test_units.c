// SPDX-License-Identifier: Apache-2.0
// Machines in other units of length, mass and time: every channel under every method is the same
// number of the other units, for as much work. A limit or a tolerance without a unit of its own
// would show here.
#include <math.h>

#include "unit_machines.h"

static double unit_of_channel(const units *u, const char *unit)
{
    static const struct {
        const char *name;
        double l, m, t;
    } known[] = {{"", 0, 0, 0},    {"m", 1, 0, 0},        {"m/s", 1, 0, -1}, {"m/s^2", 1, 0, -2},
                 {"rad", 0, 0, 0}, {"rad/s", 0, 0, -1},   {"N", 1, 1, -2},   {"Nm", 2, 1, -2},
                 {"J", 2, 1, -2},  {"rad/s^2", 0, 0, -2}, {"m s", 1, 0, 1},  {"rad s", 0, 0, 1},
                 {"W", 2, 1, -3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        if (strcmp(unit, known[i].name) == 0) {
            return unit_of(u, known[i].l, known[i].m, known[i].t);
        }
    }
    fail_msg("a channel of the unit '%s': add it to the table", unit);
    return NAN;
}

// Every channel of both, and what the forces have told so far.
static void compare(hf_sim *a, hf_sim *b, const units *u, double allowed, const char *what)
{
    const hf_model *model = hf_sim_model(a);
    for (int c = 1; c <= hf_model_channel_count(model); ++c) {
        char name[120], full[400];
        hf_channel channel = {c};
        hf_model_channel_name(model, channel, name, sizeof name);
        if (strstr(name, ".value") != NULL || strstr(name, "floor.state") != NULL ||
            (allowed > 0.0 && strstr(name, "solver.") != NULL)) {
            continue; // units that nobody tells; how an integrator steps
        }
        double unit = unit_of_channel(u, hf_model_channel_unit(model, channel));
        (void)snprintf(full, sizeof full, "%s, %s", what, name);
        double want = hf_sim_value(a, channel), got = hf_sim_value(b, channel) / unit;
        hf_check_near(got, want, allowed * fmax(1.0, fabs(want)), full, "other units");
    }
}

// share: how much more or less the integrator may do, which begins with another tolerance.
static void check_work(const hf_sim *a, const hf_sim *b, double share)
{
    hf_sim_stats x = hf_sim_get_stats(a), y = hf_sim_get_stats(b);
    double evaluations = (double)x.evaluations, steps = (double)x.internal_steps;
    hf_check_near((double)y.evaluations, evaluations, share * evaluations, "evaluations", "work");
    hf_check_near((double)y.internal_steps, steps, share * steps, "internal steps", "work");
    assert_true(llabs(x.events - y.events) <= 2); // the last bounces of a ball
    assert_int_equal(x.solver_iterations, y.solver_iterations);
    assert_int_equal(x.most_contacts, y.most_contacts);
    assert_int_equal(x.cut_steps, y.cut_steps);
    assert_int_equal(x.passages, y.passages);
}

static void check_method(const machine *m, const char *method, double allowed)
{
    static const units tried[] = {{4.0, 1.0, 1.0},       {0.0625, 1.0, 1.0},
                                  {1.0, 1048576.0, 1.0}, {1.0, 1.0 / 16384.0, 1.0},
                                  {1.0, 1.0, 1024.0},    {1.0, 1.0, 1.0 / 256.0},
                                  {0.25, 64.0, 16.0}};
    const units plain = {1.0, 1.0, 1.0};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; ++k) {
        const units *u = &tried[k];
        char what[240];
        hf_model *models[2];
        hf_sim *a = begin_machine(m, method, &plain, "", "", &models[0]),
               *b = begin_machine(m, method, u, "", "", &models[1]);
        (void)snprintf(what, sizeof what, "%s, %s, in %g m, %g kg, %g s", m->name, method,
                       u->length, u->mass, u->time);
        while (hf_sim_time(a) < m->end) {
            step(a);
            step(b);
            compare(a, b, u, allowed, what);
        }
        check_work(a, b, allowed == 0.0 ? 0.0 : 1.0);
        assert_int_equal(hf_sim_verdict(a).trustworthy, hf_sim_verdict(b).trustworthy);
        hf_sim_destroy(a);
        hf_sim_destroy(b);
        hf_model_destroy(models[0]);
        hf_model_destroy(models[1]);
    }
}

static void check(const char *method, char letter, double allowed)
{
    for (int i = 0; i < MACHINE_COUNT; ++i) {
        if (strchr(MACHINES[i].methods, letter) == NULL) {
            check_method(&MACHINES[i], method, allowed);
        }
    }
}

static void fixed_steps(void **state)
{
    (void)state;
    check("rk4", 'r', 0.0);
    check("verlet", 'r', 0.0);
    check("semi-implicit-euler", 'e', 0.0);
}

static void discrete(void **state)
{
    (void)state;
    check("discrete", 'd', 0.0);
}

static void timestep(void **state)
{
    (void)state;
    check("timestep, penetration: 1e-6@1,0,0", 't', 0.0);
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
