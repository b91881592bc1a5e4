// SPDX-License-Identifier: Apache-2.0
// Surfaces whose speed is a signal: belts that start, stop and reverse, turntables that spin up.
// Each machine has an answer in closed form, under methods that solve contacts, locate events and
// take contacts as forces.
#include <hf_machine.h>

#include <math.h>

#define FLAT(body, speed)                                                                          \
    "gravity: [0, 0, -10]\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  box: {type: rigid, mass: 2, position: [0, 0, 0.05], shape: {type: box, size: [0.2, 0.2, "   \
    "0.1]" body "}}\n"                                                                             \
    "  belt: {type: static, position: [0, 0, -0.05], shape: {type: box, size: [20, 1, 0.1]" speed  \
    "}}\n"                                                                                         \
    "forces: [{name: touch, type: collide, among: all, friction: 0.2, restitution: 0}]\n"

// Friction accelerates by 2 m/s^2.
static const hf_closed_form cases[] = {
    // Taken along from 1 s, in 0.25 s; turned back from 2 s, in 0.5 s
    {"a belt starts and reverses: 0.0625 + 0.375 - 0.75", 4.0, -0.3125, 1e-3, "box.position.x",
     FLAT("", ", surface_velocity: [0.5, 0, 0], surface_speed: \"t < 1 ? 0 : t < 2 ? 1 : -1\"")},
    // Slip heat m v^2/2 of each run-up, with v the speed against the belt
    {"its heat: 2 (0.5^2 + 1^2)/2 J", 4.0, 1.25, 1e-2, "energy.dissipated",
     FLAT("", ", surface_velocity: [0.5, 0, 0], surface_speed: \"t < 1 ? 0 : t < 2 ? 1 : -1\"")},
    // A signal in place of an expression, and a belt that stops what stands on it
    {"a belt stops: 0.5 + 1/4", 2.0, 0.75, 1e-3, "box.position.x",
     "signals: {on: \"t < 0.75 ? 1 : 0\"}\n" FLAT(
         "", ", surface_velocity: [1, 0, 0], surface_speed: on")},
    // Below the limit of friction it never slips: 0.6 sin(2t), whose integral is 0.3 (1 - cos 2t)
    {"a belt that sways carries its box", 3.0, 0.3 * (1.0 - 0.960170286650366), 2e-3,
     "box.position.x", FLAT("", ", surface_velocity: [2, 0, 0], surface_speed: \"0.3*sin(2*t)\"")},
    // The surface of what moves: a sled by its own track, which brakes it from 1 s on
    {"a sled on its track: 0.75 + 0.25", 2.0, 1.0, 2e-3, "box.position.x",
     FLAT(", surface_velocity: [-1, 0, 0], surface_speed: \"t < 1 ? 1 : 0\"", "")},
    // Both run: the belt forwards, the track backwards, 0.5 + 0.5 m/s together
    {"track and belt", 2.0, 0.25 + 1.5, 2e-3, "box.position.x",
     FLAT(", surface_velocity: [-1, 0, 0], surface_speed: 0.5",
          ", surface_velocity: [0.25, 0, 0], surface_speed: 2")},
    // A turntable spins up by 0.5 rad/s^2 to 1 rad/s: an angle of 2 rad after 3 s
    {"a turntable spins up", 3.0, 0.5 * -0.416146836547142, 1e-3, "puck.position.x",
     "gravity: [0, 0, -10]\n"
     "signals: {turn: \"min(0.5*t, 1)\"}\n"
     "bodies:\n"
     "  puck: {type: rigid, mass: 1, position: [0.5, 0, 0.05], shape: {type: box, size: [0.1, 0.1, "
     "0.1]}}\n"
     "  table: {type: static, position: [0, 0, -0.05], shape: {type: cylinder, radius: 1, length: "
     "0.1, surface_spin: [0, 0, 1], surface_speed: turn}}\n"
     "forces: [{name: touch, type: collide, among: all, friction: 0.2, restitution: 0}]\n"},
};

static void belts_with_closed_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        check_closed_form(&cases[i], "type: switch, step: 0.01", 5e-6);
        check_closed_form(&cases[i], "type: timestep, step: 1e-3", cases[i].allowed);
        check_closed_form(&cases[i], "type: rk4, step: 2.5e-4", cases[i].allowed);
    }
}

// What is stuck has gone as far as the surface has run, whatever it did.
static void stuck_is_carried_exactly(void **state)
{
    (void)state;
    hf_model *model = model_of("method: {type: timestep, step: 2e-3}\n" FLAT(
        "", ", surface_velocity: [2, 0, 0], surface_speed: \"0.3*sin(2*t)\""));
    hf_sim *sim = sim_from(model, NULL);
    for (int i = 1; i <= 20; ++i) {
        run_until(sim, 0.5 * i);
        hf_check_near(value_of(sim, "box.position.x"), 2.0 * value_of(sim, "belt.surface.position"),
                      1e-10, "box.position.x", "how far the belt has run");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A box that has come to rest, to the bit, is woken by an input of the program; saved and restored
// in between it does the same.
static void an_input_starts_the_belt(void **state)
{
    (void)state;
    hf_model *model = model_of("method: {type: timestep, step: 1e-3}\n"
                               "signals: {speed: {input: 0}}\n" FLAT(
                                   "", ", surface_velocity: [1, 0, 0], surface_speed: speed"));
    hf_sim *sim = sim_from(model, NULL);
    hf_signal speed = hf_model_find_signal(model, "speed");
    run_until(sim, 1.0);
    double x = value_of(sim, "box.position.x");
    assert_true(value_of(sim, "box.velocity.x") == 0.0);
    hf_sim *other = sim_from(model, NULL);
    size_t size = hf_sim_save_size(sim);
    void *saved = malloc(size);
    assert_non_null(saved);
    hf_sim_save(sim, saved);
    assert_int_equal(hf_sim_restore(other, saved, size, NULL), HF_OK);
    hf_sim_set_input(sim, speed, 0.5);
    hf_sim_set_input(other, speed, 0.5);
    run_until(sim, 2.0);
    run_until(other, 2.0);
    // 0.25 s to 0.5 m/s
    hf_check_near(value_of(sim, "box.position.x") - x, 0.4375, 1e-3, "way", "closed form");
    hf_check_near(value_of(sim, "box.velocity.x"), 0.5, 1e-12, "velocity", "the belt's");
    assert_true(value_of(sim, "box.position.x") == value_of(other, "box.position.x"));
    free(saved);
    hf_sim_destroy(other);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void refuse(const char *text, const char *expected)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "machine.yaml", NULL, NULL, &error);
    if (spec != NULL || strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s', got '%s'", expected, error.text);
    }
    hf_spec_destroy(spec);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    refuse("method: {type: timestep, step: 1e-3}\n" FLAT("", ", surface_speed: 2"),
           "machine.yaml:5:49: body 'belt': surface_speed multiplies surface_velocity");
    refuse("method: {type: timestep, step: 1e-3}\n" FLAT(
               "", ", surface_velocity: [1, 0, 0], surface_speed: [1, 2]"),
           "surface_speed must be");
    refuse("method: {type: timestep, step: 1e-3}\n" FLAT(
               "", ", surface_velocity: [1, 0, 0], surface_speed: 2 m/s"),
           "surface_speed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(belts_with_closed_forms),
        cmocka_unit_test(stuck_is_carried_exactly),
        cmocka_unit_test(an_input_starts_the_belt),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
