// SPDX-License-Identifier: Apache-2.0
// A run that is saved and goes on, in the same sim or in another one, ends with the same bits and
// has done the same work; so does one that is begun again, and one that is asked to advance to a
// time. Every machine under every method.
#include <math.h>

#include "unit_machines.h"

static const units SI = {1.0, 1.0, 1.0};

// y: what was counted of the second before it was asked for its channels, which evaluates.
static void same(hf_sim *got, hf_sim *want, hf_sim_stats y, const char *what)
{
    hf_sim_stats x = hf_sim_get_stats(got);
    const hf_model *model = hf_sim_model(want);
    for (int c = 1; c <= hf_model_channel_count(model); ++c) {
        char name[120], full[400];
        hf_channel channel = {c};
        hf_model_channel_name(model, channel, name, sizeof name);
        (void)snprintf(full, sizeof full, "%s, %s", what, name);
        hf_check_same_bits(hf_sim_value(got, channel), hf_sim_value(want, channel), full);
    }
    assert_int_equal(x.steps, y.steps);
    assert_int_equal(x.evaluations, y.evaluations);
    assert_int_equal(x.internal_steps, y.internal_steps);
    assert_int_equal(x.restarts, y.restarts);
    assert_int_equal(x.events, y.events);
    assert_int_equal(x.error_failures, y.error_failures);
    assert_int_equal(x.solver_iterations, y.solver_iterations);
    assert_int_equal(hf_sim_verdict(got).trustworthy, hf_sim_verdict(want).trustworthy);
}

static void to_end(hf_sim *sim, const machine *m)
{
    while (hf_sim_time(sim) < m->end) {
        step(sim);
    }
}

static void *saved(const hf_sim *sim)
{
    void *memory = malloc(hf_sim_save_size(sim));
    assert_non_null(memory);
    hf_sim_save(sim, memory);
    return memory;
}

static void check_machine(const machine *m, const char *method)
{
    hf_model *models[2];
    hf_error error = {0};
    char what[240];
    hf_sim *whole = begin_machine(m, method, &SI, "", "", &models[0]);
    hf_sim *other = begin_machine(m, method, &SI, "", "", &models[1]);
    to_end(whole, m);
    hf_sim_stats stats = hf_sim_get_stats(whole);
    for (int k = 0; k < 4; ++k) {
        // Saved after a while, and gone on with
        hf_sim_reset(other);
        for (double until = 0.23 * k * m->end; hf_sim_time(other) < until;) {
            step(other);
        }
        void *memory = saved(other);
        size_t size = hf_sim_save_size(other);
        to_end(other, m);
        (void)snprintf(what, sizeof what, "%s, %s, saved at %d", m->name, method, k);
        same(other, whole, stats, what);
        // The same sim, back to there
        assert_int_equal(hf_sim_restore(other, memory, size, &error), HF_OK);
        to_end(other, m);
        (void)snprintf(what, sizeof what, "%s, %s, back to %d", m->name, method, k);
        same(other, whole, stats, what);
        // One that has never been there
        hf_model *model;
        hf_sim *fresh = begin_machine(m, method, &SI, "", "", &model);
        assert_int_equal(hf_sim_restore(fresh, memory, size, &error), HF_OK);
        to_end(fresh, m);
        (void)snprintf(what, sizeof what, "%s, %s, elsewhere from %d", m->name, method, k);
        same(fresh, whole, stats, what);
        hf_sim_destroy(fresh);
        hf_model_destroy(model);
        free(memory);
    }
    hf_sim_destroy(whole);
    hf_sim_destroy(other);
    hf_model_destroy(models[0]);
    hf_model_destroy(models[1]);
}

static void check(const char *method, char letter)
{
    for (int i = 0; i < MACHINE_COUNT; ++i) {
        if (strchr(MACHINES[i].methods, letter) == NULL) {
            check_machine(&MACHINES[i], method);
        }
    }
}

static void fixed_steps(void **state)
{
    (void)state;
    check("rk4", 'r');
    check("verlet", 'r');
    check("semi-implicit-euler", 'e');
    check("discrete", 'd');
}

static void timestep(void **state)
{
    (void)state;
    check("timestep", 't');
}

static void events(void **state)
{
    (void)state;
    check("switch", 's');
}

static void adaptive(void **state)
{
    (void)state;
    check("adaptive", 'a');
    check("adaptive, family: adams", 'a');
    check("adaptive, family: erk", 'a');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps),
        cmocka_unit_test(timestep),
        cmocka_unit_test(events),
        cmocka_unit_test(adaptive),
    };
    return hf_run_tests(tests);
}
