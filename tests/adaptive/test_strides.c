// SPDX-License-Identifier: Apache-2.0
// Where root functions are looked for: rounding costs little, short dips are found, and a run whose
// time does not go on ends with a message.
#include "adaptive_test.h"

#include <math.h>

#include "methods/adaptive/adaptive.h"

// A mass that flies on, and a stop far away: its root functions are replaced.
static const char machine[] = "method: {type: switch, step: 0.1}\n"
                              "bodies:\n"
                              "  puck: {type: mass, axes: x, mass: 1, velocity: [1]}\n"
                              "forces:\n"
                              "  - {name: wall, on: puck, type: stop, high: 100}\n"
                              "  - {name: spring, on: puck, type: spring, stiffness: 4}\n";

static long looks;
static double dip_at, dip_depth;

static hf_integrator *integrator_of(hf_sim *sim, hf_root_function roots)
{
    hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    integrator->roots = roots;
    return integrator;
}

static void all_far(hf_sim *sim, double *g)
{
    const hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    for (int i = 0; i < integrator->root_count; ++i) {
        g[i] = 1.0;
    }
    ++looks;
}

// The last digits of a difference that is zero.
static void rounding(hf_sim *sim, double t, hf_side side, double *x, double *g)
{
    (void)side;
    (void)x;
    all_far(sim, g);
    g[0] = 4e-16 + 1e-16 * sin(1e9 * t) + 5e-17 * sin(1e15 * t);
    assert_true(looks < 1000000); // it would go on for hours
}

static void noise_costs_little(void **state)
{
    (void)state;
    hf_model *model = model_of(machine);
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 1e-3));
    (void)integrator_of(sim, rounding);
    looks = 0;
    run_until(sim, 0.01);
    hf_check_near(sim->x[0], 0.5 * sin(0.02), 1e-8, "the mass", "sin(2 t)/2");
    assert_true(looks < 200000);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A parabola that is below zero for a short time.
static void dip(hf_sim *sim, double t, hf_side side, double *x, double *g)
{
    (void)side;
    (void)x;
    all_far(sim, g);
    g[0] = (t - dip_at) * (t - dip_at) - dip_depth;
}

static void short_dips_are_found(void **state)
{
    (void)state;
    hf_model *model = model_of(machine);
    for (int i = 0; i < 2; ++i) {
        hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.1));
        hf_integrator *integrator = integrator_of(sim, dip);
        hf_error error = {0};
        double reached = 0.0, half = pow(10.0, -3 - i); // half its width [s]
        dip_at = 0.0712345678;
        dip_depth = half * half;
        hf_sim_begin(sim, 0.0);
        assert_int_equal(hf_integrator_restart(integrator, &error), HF_OK);
        assert_int_equal(hf_integrator_reach(integrator, 0.1, &reached, &error), HF_REACH_ROOT);
        hf_check_near(reached, dip_at - half, 1e-14, "root", "t0 - sqrt(depth)");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// One event after the other.
static void always_again(hf_sim *sim, double t, hf_side side, double *x, double *g)
{
    (void)side;
    (void)x;
    all_far(sim, g);
    g[hf_adaptive_of(sim)->integrator.root_count - 1] = 1.0 - (t - sim->core->time) / 1e-13;
    assert_true(looks < 10000000);
}

static void events_without_end_are_an_error(void **state)
{
    (void)state;
    hf_model *model = model_of(machine);
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.1));
    (void)integrator_of(sim, always_again);
    hf_error error = {0};
    looks = 0;
    assert_int_equal(hf_sim_step(sim, &error), HF_ERROR_CONVERGENCE);
    assert_non_null(strstr(error.text, "'wall' and others leave method switch no headway"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Rates that jump at any scale: steps become as short as they may.
static void rough(hf_sim *sim, double t, hf_side side, const double *x, double *dx)
{
    (void)side;
    (void)x;
    dx[sim->model->nq] += 1e7 * (sin(1e12 * t) > 0.0 ? 1.0 : -1.0);
    assert_true(++looks < 10000000);
}

static void steps_without_headway_are_an_error(void **state)
{
    (void)state;
    hf_model *model = model_of(machine);
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.1));
    hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    integrator->finish = rough;
    hf_error error = {0};
    looks = 0;
    assert_int_equal(hf_sim_step(sim, &error), HF_ERROR_CONVERGENCE);
    assert_non_null(strstr(error.text, "'wall' and others leave method switch no headway"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_costs_little),
        cmocka_unit_test(short_dips_are_found),
        cmocka_unit_test(events_without_end_are_an_error),
        cmocka_unit_test(steps_without_headway_are_an_error),
    };
    return hf_run_tests(tests);
}
