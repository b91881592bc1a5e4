// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: stacks of blocks, each with friction in the plane under the stop that carries
// it.
#include "adaptive_test.h"

#include <math.h>

#include "sim/sim_data.h"

static hf_sim *open_sim(const hf_model *model, double tolerance, event_log *log)
{
    return sim_logged(model, switching(HF_FAMILY_ADAMS, tolerance, 0.05), log);
}

// Two blocks, one on the other, each with friction under its stop: declared in every order.
static void any_order(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "  - {name: floor, on: low.z, type: stop, low: 0}\n",
        "  - {name: deck, on: high.z, to: low.z, type: stop, low: 0.1}\n",
        "  - {name: rub, on: low.xy, type: friction, law: coulomb,\n"
        "     level: {friction: 0.08}, normal: floor}\n",
        "  - {name: cling, on: high.xy, to: low.xy, type: friction, law: coulomb,\n"
        "     level: {friction: 0.3, static_friction: 0.4}, normal: deck}\n",
        "  - {name: pull, on: high.xy, type: force, value: [\"max(0, 6*sin(4*t))\", \"max(0, "
        "3*sin(4*t+1))\"]}\n"};
    static const int orders[][5] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}};
    double first[64] = {0};
    int modes = 0;
    for (int k = 0; k < 3; ++k) {
        char text[1200];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\nbodies:\n%s%sforces:\n%s%s%s%s%s",
                       k == 1 ? "  high: {type: mass, mass: 1, position: [0, 0, 0.1]}\n" : "",
                       k == 1 ? "  low: {type: mass, mass: 2}\n"
                              : "  low: {type: mass, mass: 2}\n"
                                "  high: {type: mass, mass: 1, position: [0, 0, 0.1]}\n",
                       lines[orders[k][0]], lines[orders[k][1]], lines[orders[k][2]],
                       lines[orders[k][3]], lines[orders[k][4]]);
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim = open_sim(model, 1e-8, &log);
        run_until(sim, 4.0);
        assert_true(model->n <= 64);
        for (int i = 0; i < model->n; ++i) {
            first[i] = k == 0 ? sim->x[i] : first[i];
            hf_check_same_bits(sim->x[i], first[i], "state");
        }
        modes = log.count;
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-5, "energy residual", "rtol 1e-8");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    assert_true(modes > 4);
}

// Three blocks on each other, pulled about and lifted at random: forces stay in their cones, what
// sticks does not move, energy is accounted for.
static void random_text(hf_rng *rng, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "gravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < 3; ++i) {
        used += (size_t)snprintf(text + used, size - used,
                                 "  m%d: {type: mass, mass: %.3g, position: [0, 0, %g],\n"
                                 "       velocity: [%.3g, %.3g, 0]}\n",
                                 i, hf_rng_uniform(rng, 0.5, 3.0), 0.1 * i,
                                 hf_rng_uniform(rng, -1.0, 1.0), hf_rng_uniform(rng, -1.0, 1.0));
    }
    used += (size_t)snprintf(text + used, size - used, "forces:\n");
    for (int i = 0; i < 3; ++i) {
        double mu = hf_rng_uniform(rng, 0.05, 0.8), lift = hf_rng_uniform(rng, 6.0, 24.0);
        char under[16] = "", plane[24] = "";
        if (i > 0) {
            (void)snprintf(under, sizeof under, " to: m%d.z,", i - 1);
            (void)snprintf(plane, sizeof plane, " to: m%d.xy,", i - 1);
        }
        used += (size_t)snprintf(
            text + used, size - used,
            "  - {name: stop%d, on: m%d.z,%s type: stop, low: %g, restitution: %.2g}\n"
            "  - {name: rub%d, on: m%d.xy,%s type: friction, law: coulomb, normal: stop%d,\n"
            "     level: {friction: %.3g, static_friction: %.3g}}\n"
            "  - {name: pull%d, on: m%d, type: force,\n"
            "     value: [\"%.3g*sin(%.3g*t)\", \"%.3g*sin(%.3g*t+1)\", \"%.3g*sin(%.3g*t)\"]}\n",
            i, i, under, i == 0 ? 0.0 : 0.1, hf_rng_uniform(rng, 0.0, 0.6), i, i, plane, i, mu,
            mu * hf_rng_uniform(rng, 1.0, 1.5), i, i, hf_rng_log_uniform(rng, 0.1, 6.0),
            hf_rng_uniform(rng, 1.0, 6.0), hf_rng_log_uniform(rng, 0.1, 6.0),
            hf_rng_uniform(rng, 1.0, 6.0), lift, hf_rng_uniform(rng, 1.0, 6.0));
    }
    assert_true(used < size);
}

static void random_stacks(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(60);
    int modes[3] = {0, 0, 0};
    for (int machine = 0; machine < 12; ++machine) {
        char text[2500];
        random_text(&rng, text, sizeof text);
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim = open_sim(model, 1e-8, &log);
        hf_error error = {0};
        while (hf_sim_time(sim) < 3.0) {
            if (hf_sim_step(sim, &error) < 0) {
                fail_msg("machine %d (seed 60): %s", machine, error.text);
            }
            hf_sim_refresh(sim, 0.0);
            for (int i = 0; i < model->force_count; ++i) {
                const hf_force_place *force = &model->forces[i];
                if (force->law != HF_LAW_COULOMB) {
                    continue;
                }
                const hf_level *level = &((const hf_coulomb_def *)force->def)->level;
                const double *f = sim->force + force->row, *rate = sim->rate + force->row;
                double normal = fabs(sim->force[model->forces[force->normal_force].row]);
                double mu = sim->mode[i] == 0.0 ? level->peak[0] : level->kinetic[0];
                hf_check_below(hypot(f[0], f[1]), mu * normal + 1e-6, "friction", "its cone");
                if (sim->mode[i] == 0.0) {
                    hf_check_below(hypot(rate[0], rate[1]), 1e-14, "rate in stick", "held");
                }
                modes[(int)sim->mode[i]] += 1;
            }
            hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-3, "energy residual", "rtol 1e-8");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    assert_true(modes[0] > 10 && modes[1] > 10 && modes[2] > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order),
        cmocka_unit_test(random_stacks),
    };
    return hf_run_tests(tests);
}
