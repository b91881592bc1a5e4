// SPDX-License-Identifier: Apache-2.0
// Several first guesses: what was tried is kept, and where they end in different valleys evolution
// goes on. An oscillator over whole logs has many valleys, one for each swing that is missed.
#include "fit_scene.h"

static const char swing[] = "method: {type: rk4, step: 5e-3}\n"
                            "parameters: {k: 60, d: 0.2}\n"
                            "bodies: {block: {type: mass, dim: 1, mass: 1, position: 5}}\n"
                            "signals: {drive: {input: 0}}\n"
                            "forces:\n"
                            "  - {name: motor, on: block, type: force, value: drive}\n"
                            "  - {name: coil, on: block, type: spring, stiffness: k, damping: d}\n";

// A log of the oscillator, and a fit to all of it at once from this first guess.
static scene swing_begin(double stiffness)
{
    static const double truth[] = {100.0, 0.2};
    hf_rng rng = hf_rng_create(1);
    scene s = scene_begin(swing);
    scene_free(&s, "k", stiffness);
    scene_free(&s, "d", 0.2);
    s.logs[s.log_count++] =
        scene_log(s.machine, truth, "block.position", 6.0, 1e-3, 0.0, 0.0, &rng);
    s.parameters[1].high = 0.4; // much damping would make one valley of all
    s.def.segments[0] = INFINITY;
    s.def.fixed_starts = true;
    return s;
}

static void evolution_leaves_a_valley(void **state)
{
    (void)state;
    scene s = swing_begin(40.0);
    // A search alone is lost
    s.def.starts = 2;
    s.def.seed = 3; // with which the two end in different valleys
    s.def.evaluations = -1;
    hf_fit *fit = scene_run(&s);
    double lost = hf_fit_get_unknown(fit, 0).value;
    hf_check_below(5.0, fabs(lost - 100.0), "stiffness off by", "another valley");
    // and says so, though its interval is narrow
    assert_int_equal(hf_fit_get_unknown(fit, 0).finding, HF_FIT_FOUND);
    assert_true(scene_says(fit, "No two of 2 first guesses ended in the same valley"));
    assert_true(strncmp(hf_fit_message(fit, 0), "Doubtful", 8) == 0);
    hf_fit_destroy(fit);
    // Evolution is not
    s.def.evaluations = 600;
    fit = scene_run(&s);
    hf_check_near(hf_fit_get_unknown(fit, 0).value, 100.0, 0.1, "stiffness", "machine of the log");
    hf_check_below(hf_fit_get_error(fit, 0, 0, false).rms, 0.05, "rms [m]", "swings of 5 m");
    assert_true(scene_says(fit, "evolution (CMA-ES) found a better one"));
    hf_fit_try t;
    int count = 0, chosen = -1;
    for (; hf_fit_get_try(fit, count, &t); ++count) {
        chosen = t.chosen ? count : chosen;
    }
    assert_int_equal(count, 3);
    assert_int_equal(chosen, 2);
    assert_true(hf_fit_get_try(fit, 2, &t) && t.way == HF_FIT_EVOLVED);
    assert_true(hf_fit_get_try(fit, 0, &t) && t.way == HF_FIT_GIVEN);
    hf_check_near(t.from[0], 40.0, 0.0, "first guess", "given");
    hf_fit_destroy(fit);
    scene_end(&s);
}

static void agreeing_guesses_need_none(void **state)
{
    (void)state;
    scene s = swing_begin(99.0);
    s.def.segments[0] = 0.5; // short segments have one valley
    s.def.fixed_starts = false;
    s.def.starts = 3;
    hf_fit *fit = scene_run(&s);
    assert_true(scene_says(fit, "3 of 3 first guesses ended in the same valley"));
    assert_true(scene_says(fit, "Trustworthy: the search converged, and"));
    hf_fit_try t;
    assert_false(hf_fit_get_try(fit, 3, &t));
    hf_fit_destroy(fit);
    scene_end(&s);
}

// A spring to the square of a number: its negative is as good.
static void names_a_twin(void **state)
{
    (void)state;
    static const char text[] =
        "method: {type: rk4, step: 5e-3}\n"
        "parameters: {s: {value: 3, range: [-20, 20]}}\n"
        "bodies: {block: {type: mass, dim: 1, mass: 1, position: 1}}\n"
        "signals: {drive: {input: 0}}\n"
        "forces:\n"
        "  - {name: motor, on: block, type: force, value: drive}\n"
        "  - {name: coil, on: block, type: spring, stiffness: s*s, damping: 0.2}\n";
    static const double truth[] = {5.0};
    hf_rng rng = hf_rng_create(2);
    scene s = scene_begin(text);
    scene_free(&s, "s", -0.1); // around it, on either side of 0
    s.logs[s.log_count++] =
        scene_log(s.machine, truth, "block.position", 6.0, 1e-3, 0.0, 0.0, &rng);
    s.def.segments[0] = 0.5;
    s.parameters[0].low = -20.0;
    s.parameters[0].typical = 3.0;
    s.def.starts = 8;
    hf_fit *fit = scene_run(&s);
    hf_check_near(fabs(hf_fit_get_unknown(fit, 0).value), 5.0, 0.05, "root", "machine of the log");
    assert_true(scene_says(fit, "Another valley is as good: there s is"));
    assert_true(scene_says(fit, "Doubtful: converged, but no second first guess"));
    hf_fit_destroy(fit);
    scene_end(&s);
}

static int made; // machines by `refuse`

static hf_spec *refuse(void *context, const double *values, hf_error *error)
{
    // The first machine is made when the fit is; no other
    (void)context;
    (void)values;
    hf_fit_machine *machine = scene_machine(swing);
    hf_spec *spec = made++ == 0 ? hf_fit_machine_make(machine, NULL, error) : NULL;
    if (spec == NULL) {
        error->status = HF_ERROR_INPUT;
        (void)strcpy(error->text, "no such machine");
    }
    hf_fit_machine_destroy(machine);
    return spec;
}

// A fit that fails leaves what it tried.
static void failure_leaves_the_tries(void **state)
{
    (void)state;
    for (int starts = 1; starts <= 3; starts += 2) {
        scene s = swing_begin(60.0);
        hf_error error = {0};
        hf_fit_try t;
        made = 0;
        s.def.make = refuse;
        s.def.starts = starts;
        hf_fit *fit = scene_create(&s, &error);
        assert_non_null(fit);
        assert_true(hf_fit_run(fit, &error) < 0);
        assert_non_null(strstr(error.text, "no such machine"));
        assert_true(hf_fit_get_try(fit, 0, &t) && isnan(t.cost));
        assert_non_null(strstr(t.text, "no such machine"));
        hf_check_near(t.from[0], 60.0, 0.0, "first guess", "given");
        assert_true(hf_fit_get_try(fit, starts - 1, &t) && !hf_fit_get_try(fit, starts + 1, &t));
        hf_fit_destroy(fit);
        scene_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evolution_leaves_a_valley),
        cmocka_unit_test(agreeing_guesses_need_none),
        cmocka_unit_test(names_a_twin),
        cmocka_unit_test(failure_leaves_the_tries),
    };
    return hf_run_tests(tests);
}
