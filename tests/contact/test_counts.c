// SPDX-License-Identifier: Apache-2.0
// What timestep counts of a run is what its steps say one by one: sums, largest values, and steps
// without contacts.
#include <hf_machine.h>
#include <holdfast/contact.h>

#include <math.h>

static void counts_are_those_of_the_steps(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -9.81]\n"
                 "method: {type: timestep, step: 2e-3}\n"
                 "bodies:\n"
                 "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.4, 0.3, 0.2]},\n"
                 "    position: [0, 0, 0.6], velocity: [1, 0.3, 0], angular_velocity: [2, 3, 1]}\n"
                 "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [3, "
                 "0, 0.9]}\n"
                 "forces:\n"
                 "  - {name: floor, on: box, type: contact, friction: 0.5, restitution: 0.4}\n"
                 "  - {name: ground, on: ball, type: contact, friction: 0.5, restitution: 0.6}\n");
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_contact_methods();
    hf_sim *sim = sim_from(model, &def);
    int contacts = 0, iterations = 0, with = 0;
    long long sum = 0;
    double residual = 0.0;
    hf_sim_stats stats = {0};
    for (int k = 0; k < 1500; ++k) {
        step(sim);
        stats = hf_sim_get_stats(sim);
        contacts = stats.contacts > contacts ? stats.contacts : contacts;
        iterations = stats.iterations > iterations ? stats.iterations : iterations;
        residual = fmax(residual, stats.residual);
        sum += stats.iterations;
        with += stats.contacts > 0 ? 1 : 0;
        assert_int_equal(stats.most_contacts, contacts);
        assert_int_equal(stats.most_iterations, iterations);
        assert_int_equal(stats.solver_iterations, sum);
        hf_check_near(stats.worst_residual, residual, 0.0, "worst residual", "of all steps");
    }
    assert_true(contacts >= 5 && iterations > 1 && sum > iterations); // box and ball at rest
    assert_int_equal(stats.unsolved_steps, 0);
    assert_true(stats.free_steps >= 100 && stats.free_steps <= 1500 - with); // they fall at first
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_those_of_the_steps)};
    return hf_run_tests(tests);
}
