// SPDX-License-Identifier: Apache-2.0
// Numbers of rigid contacts: what K, alpha and beta deliver is what methods without them take.
#include <hf_machine.h>
#include <holdfast/adaptive.h>
#include <holdfast/contact.h>

#include <math.h>

static hf_sim *any_sim(const hf_model *model)
{
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    def.methods[1] = hf_contact_methods();
    return sim_from(model, &def);
}

// A ball of 1 kg that falls from 1 m on a floor of these numbers.
static hf_model *ball_model(const char *method, const char *numbers)
{
    char text[600];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.8]\n"
                   "method: {type: %s, step: 1e-3}\n"
                   "bodies: {ball: {type: mass, dim: 1, axes: z, mass: 1, position: 1}}\n"
                   "forces: [{name: floor, on: ball, type: contact, law: rigid-contact, %s}]\n",
                   method, numbers);
    return model_of(text);
}

// The highest that it comes after its first impact, 0.4518 s after its fall began.
static double rebound_height(const char *method, const char *numbers)
{
    hf_model *model = ball_model(method, numbers);
    hf_sim *sim = any_sim(model);
    double highest = 0.0;
    run_until(sim, 0.5);
    while (hf_sim_time(sim) < 1.4) {
        run_until(sim, hf_sim_time(sim) + 1e-3);
        highest = fmax(highest, value_of(sim, "ball.position"));
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return highest;
}

static void given_numbers_bounce(void **state)
{
    (void)state;
    static const char *const methods[] = {"switch", "timestep"};
    static const char *const filters[] = {"0.01", "0.007", "0.005", "0.001"};
    for (int i = 0; i < 8; ++i) {
        char numbers[120];
        (void)snprintf(numbers, sizeof numbers,
                       "stiffness: 1e5, damping_time: 0.01, filter_time: %s, impact_speed: 4.427",
                       filters[i % 4]);
        double smooth = sqrt(rebound_height("rk4", numbers));
        hf_check_near(sqrt(rebound_height(methods[i / 4], numbers)), smooth, 0.02,
                      "restitution of given K, alpha and beta", "rk4");
    }
}

// Equal times lose nothing: the ball comes back to 1 m, whatever the method.
static void equal_times_lose_nothing(void **state)
{
    (void)state;
    const char *numbers = "stiffness: 1e5, damping_time: 0.01, filter_time: 0.01";
    hf_check_near(rebound_height("switch", numbers), 1.0, 1e-3, "height under switch", "energy");
    hf_check_near(rebound_height("timestep", numbers), 1.0, 5e-3, "height under timestep",
                  "energy, to the step");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_numbers_bounce),
        cmocka_unit_test(equal_times_lose_nothing),
    };
    return hf_run_tests(tests);
}
