// SPDX-License-Identifier: Apache-2.0
// Shapes under adaptive: rigid contacts at the points that the collider finds, which stay while
// they are the same and are found anew, with their memory, where they are not.
#include <math.h>

#include "adaptive_test.h"

static hf_model *shapes_model(double step, const char *rest)
{
    char text[2400];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\n"
                   "method: {type: adaptive, step: %g}\n"
                   "%s",
                   step, rest);
    return model_of(text);
}

static void close_run(hf_model *model, hf_sim *sim)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Every solid comes to rest on a plane and on a box.
static void solids_rest(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double height;
    } solids[] = {
        {"{type: box, size: [0.3, 0.2, 0.1]}", 0.05},
        {"{type: sphere, radius: 0.1}", 0.1},
        {"{type: cylinder, radius: 0.1, length: 0.2}", 0.1},
        {"{type: capsule, radius: 0.1, length: 0.2, orientation: {axis: [1, 0, 0], angle: "
         "1.57079632679}}",
         0.1},
        {"{type: cone, radius: 0.1, length: 0.2}", 0.05},
    };
    for (int i = 0; i < 5; ++i) {
        char text[900];
        bool plane = i % 2 == 0;
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  ground: {type: static, shape: {type: %s}, position: [0, 0, %g]}\n"
                       "  solid: {type: rigid, mass: 2, shape: %s, position: [0, 0, %g]}\n"
                       "forces:\n"
                       "  - {name: contact, type: collide, among: [solid, ground], friction: 0.5,\n"
                       "     restitution: 0.1}\n",
                       plane ? "plane" : "box, size: [2, 2, 1]", plane ? 0.0 : -0.5,
                       solids[i % 5].shape, solids[i % 5].height + 0.002);
        hf_model *model = shapes_model(0.01, text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 0.12);
        hf_check_near(value_of(sim, "solid.position.z"), solids[i % 5].height, 1e-4, "height",
                      solids[i % 5].shape);
        hf_check_near(value_of(sim, "solid.velocity.z"), 0.0, 1e-4, "velocity", "rest");
        hf_check_near(value_of(sim, "contact.normal"), 2 * 9.81, 0.05, "normal", "weight");
        hf_check_below(hf_sim_verdict(sim).ledger, 0.01, "ledger", solids[i % 5].shape);
        close_run(model, sim);
    }
}

// What flies is not stepped over, fast or slow: two boxes at 20 m/s bounce off each other.
static void nothing_is_passed(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "method: {type: adaptive, step: 0.05}\n"
        "bodies:\n"
        "  a: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.02]},\n"
        "    position: [-2, 0, 0], velocity: [20, 0, 0]}\n"
        "  b: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.02]}}\n"
        "forces:\n"
        "  - {name: contact, type: collide, among: [a, b], friction: 0, restitution: 0.5,\n"
        "     impact_speed: 20}\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.2);
    hf_check_near(value_of(sim, "a.velocity.x"), 5.0, 0.2, "a", "(1 - e)/2 of 20 m/s");
    hf_check_near(value_of(sim, "b.velocity.x"), 15.0, 0.2, "b", "(1 + e)/2 of 20 m/s");
    close_run(model, sim);
}

static const char CUBE[] =
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane}}\n"
    "  cube: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]},\n"
    "    position: [0, 0, 0.25], orientation: {axis: [1, 2, 0.5], angle: 0.7},\n"
    "    velocity: [0.5, 0, 0], angular_velocity: [1, -2, 3]}\n"
    "forces:\n"
    "  - {name: contact, type: collide, among: [cube, ground], friction: 0.5, restitution: 0}\n";

// What is recorded has no influence but on the tangent directions' last digits.
static void recording_changes_little(void **state)
{
    (void)state;
    double x[2], z[2];
    for (int i = 0; i < 2; ++i) {
        hf_model *model = shapes_model(i == 0 ? 0.002 : 0.1, CUBE);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 0.3);
        x[i] = value_of(sim, "cube.position.x");
        z[i] = value_of(sim, "cube.position.z");
        close_run(model, sim);
    }
    hf_check_near(x[1], x[0], 1e-4, "x", "recorded every 2 ms");
    hf_check_near(z[1], z[0], 1e-5, "z", "recorded every 2 ms");
}

// A step allocates nothing, and a restored run goes on with the same bits: in the air and while
// it tumbles.
static void saves_go_on(void **state)
{
    (void)state;
    hf_model *model = shapes_model(0.01, CUBE);
    for (int i = 0; i < 2; ++i) {
        hf_sim *sim = sim_from(model, NULL), *other = sim_from(model, NULL);
        run_until(sim, 0.05 + 0.1 * i);
        size_t size = hf_sim_save_size(sim);
        void *saved = malloc(size);
        hf_error error = {0};
        hf_sim_save(sim, saved);
        assert_int_equal(hf_sim_restore(other, saved, size, &error), HF_OK);
        long long before = hf_test_allocations();
        run_until(sim, 0.1 + 0.1 * i);
        assert_int_equal(hf_test_allocations() - before, 0);
        run_until(other, 0.1 + 0.1 * i);
        hf_check_same_bits(value_of(other, "cube.position.x"), value_of(sim, "cube.position.x"),
                           "x");
        hf_check_same_bits(value_of(other, "cube.position.z"), value_of(sim, "cube.position.z"),
                           "z");
        hf_check_same_bits(value_of(other, "contact.normal"), value_of(sim, "contact.normal"), "N");
        free(saved);
        hf_sim_destroy(other);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// Three bricks, one on two others, and a board that leans on them: nothing creeps.
static void walls_stand(void **state)
{
    (void)state;
    hf_model *model = shapes_model(
        0.01, "bodies:\n"
              "  ground: {type: static, shape: {type: plane}}\n"
              "  a: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
              "    position: [0, 0, 0.05]}\n"
              "  b: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
              "    position: [0.205, 0, 0.05]}\n"
              "  c: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
              "    position: [0.08, 0, 0.15]}\n"
              "forces:\n"
              "  - {name: contacts, type: collide, among: all, friction: 0.6, restitution: 0}\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.2);
    double x = value_of(sim, "c.position.x");
    hf_check_near(x, 0.08, 1e-5, "x", "start");
    hf_check_near(value_of(sim, "c.position.z"), 0.15, 1e-4, "z", "start");
    hf_check_near(value_of(sim, "contacts.normal"), 8 * 9.81, 0.01, "sum of normal forces",
                  "weights, that of the upper brick twice");
    run_until(sim, 0.3);
    hf_check_near(value_of(sim, "c.position.x"), x, 1e-8, "x", "a tenth of a second before");
    close_run(model, sim);
}

// A file that records the contact's own channels runs under methods in which it becomes several
// contacts: those of each are meant.
static void families_of_channels(void **state)
{
    (void)state;
    static const char *const methods[] = {"adaptive", "timestep", "switch"};
    static const int counts[] = {1, 1, 8}; // a box against a plane: eight corners
    for (int i = 0; i < 3; ++i) {
        char text[1200];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\nmethod: {type: %s, step: 1e-3}\n%s"
                       "record: [contact.normal]\n",
                       methods[i], CUBE);
        hf_model *model = model_of(text);
        assert_int_equal(hf_model_record_count(model), counts[i]);
        for (int k = 0; k < counts[i]; ++k) {
            assert_string_equal(hf_model_channel_unit(model, hf_model_record_channel(model, k)),
                                "N");
        }
        assert_int_equal(hf_model_expand_channels(model, "contact.nonsense", NULL, 0), 0);
        assert_int_equal(hf_model_expand_channels(model, "contac.normal", NULL, 0), 0);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_rest), cmocka_unit_test(nothing_is_passed),
        cmocka_unit_test(walls_stand), cmocka_unit_test(recording_changes_little),
        cmocka_unit_test(saves_go_on), cmocka_unit_test(families_of_channels),
    };
    return hf_run_tests(tests);
}
