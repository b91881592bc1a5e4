// SPDX-License-Identifier: Apache-2.0
// Driven bodies that shift and turn: their pose is that of the signals, and its velocity and spin
// are the pose's own rates, by differences of poses at two near times.
#include <hf_machine.h>

#include <math.h>

#include "sim/sim_data.h"

static hf_pose at(hf_sim *sim, double time)
{
    hf_error error = {0};
    assert_int_equal(hf_sim_advance(sim, time, false, &error), HF_OK);
    (void)value_of(sim, "tie.force"); // poses of now
    hf_body table = hf_model_find_body(sim->model, "table");
    return sim->poses[sim->model->bodies[table.id - 1].pose];
}

// R' = [w] R: w from two rotations, dt apart, about the middle.
static hf_vec3 spin_between(const hf_mat3 *a, const hf_mat3 *b, double dt)
{
    // D = (R_b - R_a) R_m', R_m the mean: its antisymmetric part is w dt
    hf_mat3 m = *a, d = *a;
    const double *pa = &a->xx, *pb = &b->xx;
    double *pm = &m.xx, *pd = &d.xx;
    for (int i = 0; i < 9; ++i) {
        pm[i] = 0.5 * (pa[i] + pb[i]);
        pd[i] = (pb[i] - pa[i]) / dt;
    }
    double w[9];
    for (int i = 0; i < 9; ++i) {
        w[i] = 0.0;
        for (int k = 0; k < 3; ++k) {
            w[i] += pd[i / 3 * 3 + k] * pm[i % 3 * 3 + k];
        }
    }
    return (hf_vec3){0.5 * (w[7] - w[5]), 0.5 * (w[2] - w[6]), 0.5 * (w[3] - w[1])};
}

static void rates_are_those_of_the_pose(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "axes: xyz, position: [0.3*sin(t), 0.2*t*t, cos(2*t)], angles: [0.5*t, -0.2*t*t, sin(t)]",
        "axes: xz, position: [0.3*sin(t), 0.2*t], axis: [1, 2, -1], angle: 0.7*t + 0.1*sin(3*t)",
        "axes: x, position: 0.1*t, orientation: {axis: [0, 1, 0], angle: 0.4}, angles: [t, 2*t, "
        "0.3*t*t]"};
    for (int i = 0; i < 3; ++i) {
        char text[600];
        (void)snprintf(
            text, sizeof text,
            "method: {type: rk4, step: 1e-3}\n"
            "bodies:\n"
            "  table: {type: driven, %s}\n"
            "  ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 2, 3]}\n"
            "forces: [{name: tie, on: ball, to: table, coupling: distance, type: spring,\n"
            "  stiffness: 1, to_point: [0.1, 0, 0]}]\n",
            bodies[i]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        for (double t = 0.4; t < 2.0; t += 0.4) {
            const double dt = 2e-4;
            hf_pose before = at(sim, t - 0.5 * dt), now = at(sim, t), after = at(sim, t + 0.5 * dt);
            hf_vec3 w = spin_between(&before.rotation, &after.rotation, dt);
            hf_vec3 v = hf_v3_scale(1.0 / dt, hf_v3_sub(after.position, before.position));
            hf_check_near_array(&now.spin.x, &w.x, 3, 1e-6, "spin", "differences of poses");
            hf_check_near_array(&now.velocity.x, &v.x, 3, 1e-6, "velocity", "differences of poses");
            assert_true(hf_v3_norm(w) > 0.1);
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_those_of_the_pose)};
    return hf_run_tests(tests);
}
