// SPDX-License-Identifier: Apache-2.0
// Channels of a machine with everything in it: names, groups, units, nearest names, records.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machines.h"

#include <holdfast/sim.h>

static hf_model *rich(void)
{
    hf_machine machine = hf_machine_rich();
    return hf_machine_compile(&machine, NULL);
}

static bool is_in(hf_channel channel, const hf_channel *list, int count)
{
    for (int i = 0; i < count; ++i) {
        if (list[i].id == channel.id) {
            return true;
        }
    }
    return false;
}

// Each prefix of a channel's name that ends before a dot, and is more than a tree, is a group that
// holds the channel; but for powers, which only their own names hold.
static void check_groups(const hf_model *model, const char *name, hf_channel channel)
{
    char group[300];
    snprintf(group, sizeof group, "%s", name);
    for (char *dot = strrchr(group, '.'); dot != NULL; dot = strrchr(group, '.')) {
        bool later = strcmp(dot, ".power") == 0;
        *dot = '\0';
        if (hf_model_find_tree(model, group).id != 0) {
            continue;
        }
        if (later) {
            break;
        }
        hf_channel channels[64];
        int count = hf_model_expand_channels(model, group, channels, 64);
        if (count < 1 || count > 64 || !is_in(channel, channels, count)) {
            fail_msg("group '%s' does not hold '%s'", group, name);
        }
    }
}

static void every_name_is_found(void **state)
{
    (void)state;
    hf_model *model = rich();
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    int count = hf_model_channel_count(model);
    assert_true(count > 250);
    for (int i = 1; i <= count; ++i) {
        char name[300];
        hf_channel channel = {i}, one = {0};
        hf_model_channel_name(model, channel, name, sizeof name);
        if (hf_model_find_channel(model, name).id != i) {
            fail_msg("channel %d, '%s', is found as %d", i, name,
                     hf_model_find_channel(model, name).id);
        }
        assert_int_equal(hf_model_expand_channels(model, name, &one, 1), 1);
        assert_int_equal(one.id, i);
        check_groups(model, name, channel);
        assert_true(isfinite(hf_sim_value(sim, channel)));
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void names_and_units(void **state)
{
    (void)state;
    static const char *const wanted[][2] = {
        {"a.position", "m"},
        {"b.velocity.y", "m/s"},
        {"c.position.z", "m"},
        {"belt.position", "m"},
        {"ball.position.z", "m"},
        {"ball.orientation.w", ""},
        {"ball.velocity.x", "m/s"},
        {"ball.angular_velocity.z", "rad/s"},
        {"arm.base.position", "rad"},
        {"arm.base.velocity", "rad/s"},
        {"arm.slide.position", "m"},
        {"arm.slide.velocity", "m/s"},
        {"arm.knee.orientation.z", ""},
        {"arm.knee.angular_velocity.x", "rad/s"},
        {"arm.plate.position.x", "m"},
        {"arm.plate.position.angle", "rad"},
        {"arm.plate.velocity.angle", "rad/s"},
        {"drone.hull.position.y", "m"},
        {"drone.hull.orientation.x", ""},
        {"drone.hull.velocity.y", "m/s"},
        {"drone.hull.angular_velocity.y", "rad/s"},
        {"grip.force", "N"},
        {"grip.gap", "m"},
        {"grip.rate", "m/s"},
        {"grip.stored", "J"},
        {"grip.dissipated", "J"},
        {"one-way.force", "Nm"},
        {"one-way.gap", "rad"},
        {"one-way.rate", "rad/s"},
        {"one-way.mode", ""},
        {"rub-b.force.y", "N"},
        {"rub-b.state.1", "m"},
        {"one-way.state.0", "rad"},
        {"rub-plate.force.x", "N"},
        {"rub-plate.force.y", "N"},
        {"rub-plate.force.angle", "Nm"},
        {"rub-plate.rate.angle", "rad/s"},
        {"rub-plate.gap.angle", "rad"},
        {"bearing.force.z", "Nm"},
        {"bearing.rate.z", "rad/s"},
        {"floor.force.z", "N"},
        {"floor.gap", "m"},
        {"floor.rate.normal", "m/s"},
        {"floor.rate.tangent2", "m/s"},
        {"floor.normal", "N"},
        {"floor.mode", ""},
        {"hinge.force.bend_x", "Nm"},
        {"hinge.gap.angle", "rad"},
        {"hinge.force.z", "N"},
        {"hinge.state.0", "rad"},
        {"tie.force.y", "N"},
        {"rope.force", "N"},
        {"input.value", ""},
        {"energy.kinetic", "J"},
        {"energy.residual", "J"},
    };
    hf_model *model = rich();
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i) {
        hf_channel channel = hf_model_find_channel(model, wanted[i][0]);
        if (channel.id == 0) {
            fail_msg("channel '%s' is missing", wanted[i][0]);
        }
        const char *unit = hf_model_channel_unit(model, channel);
        if (strcmp(unit, wanted[i][1]) != 0) {
            fail_msg("unit of '%s' is '%s', not '%s'", wanted[i][0], unit, wanted[i][1]);
        }
    }
    static const char *const unknown[] = {"",
                                          "a",
                                          "a.",
                                          ".position",
                                          "a.position.x",
                                          "a.positio",
                                          "arm.position",
                                          "nobody.position",
                                          "bearing.gap.x",
                                          "push.mode",
                                          "energy"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i) {
        if (hf_model_find_channel(model, unknown[i]).id != 0) {
            fail_msg("'%s' is found as a channel", unknown[i]);
        }
    }
    hf_model_destroy(model);
}

static void groups(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int count;
    } cases[] = {{"ball.position", 3}, {"ball.orientation", 4},
                 {"ball", 13},         {"a", 2},
                 {"arm.plate", 6},     {"energy", 7},
                 {"floor.force", 3},   {"floor.rate", 3},
                 {"hinge.gap", 6},     {"input", 1},
                 {"nobody", 0},        {"ball.pos", 0},
                 {"a.position", 1}};
    hf_model *model = rich();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_channel channels[2] = {{-7}, {-7}};
        int count = hf_model_expand_channels(model, cases[i].name, channels, 1);
        if (count != cases[i].count) {
            fail_msg("group '%s' has %d channels, not %d", cases[i].name, count, cases[i].count);
        }
        assert_int_equal(channels[1].id, -7); // the capacity is kept
    }
    hf_model_destroy(model);
}

static void nearest(void **state)
{
    (void)state;
    hf_model *model = rich();
    char name[300];
    hf_model_nearest_channel(model, "ball.positon.x", name, sizeof name);
    assert_string_equal(name, "ball.position.x");
    hf_model_nearest_channel(model, "enrgy.residual", name, sizeof name);
    assert_string_equal(name, "energy.residual");
    hf_model_nearest_channel(model, "floor.forces.z", name, sizeof name);
    assert_string_equal(name, "floor.force.z");
    hf_model_nearest_channel(model, "completely.different.thing", name, sizeof name);
    assert_string_equal(name, "");
    char small[5];
    hf_model_nearest_channel(model, "ball.positon.x", small, sizeof small);
    assert_string_equal(small, "ball");
    hf_model_destroy(model);
}

// Positions and velocities of everything, forces and modes of friction.
static void default_records(void **state)
{
    (void)state;
    hf_model *model = rich();
    int count = hf_model_record_count(model), channels = hf_model_channel_count(model), wanted = 0;
    int next = 0;
    for (int i = 1; i <= channels; ++i) {
        char name[300];
        hf_model_channel_name(model, (hf_channel){i}, name, sizeof name);
        const char *force_dot = strstr(name, ".force");
        bool of_friction = false;
        if (force_dot != NULL) {
            char mode[300];
            snprintf(mode, sizeof mode, "%.*s.mode", (int)(force_dot - name), name);
            of_friction = hf_model_find_channel(model, mode).id != 0;
        }
        bool recorded = strstr(name, ".position") != NULL || strstr(name, "velocity") != NULL ||
                        strstr(name, ".orientation") != NULL || strstr(name, ".mode") != NULL ||
                        of_friction;
        wanted += recorded ? 1 : 0;
        if (recorded) {
            assert_true(next < count);
            assert_int_equal(hf_model_record_channel(model, next++).id, i);
        }
    }
    assert_int_equal(count, wanted);
    hf_model_destroy(model);
}

static hf_spec *small_spec(void)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "block";
    assert_true(hf_spec_add_mass(spec, &mass, &error).id != 0);
    return spec;
}

static void chosen_records(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = small_spec();
    assert_int_equal(hf_spec_add_record(spec, "energy.kinetic", &error), HF_OK);
    assert_int_equal(hf_spec_add_record(spec, "block.velocity", &error), HF_OK);
    assert_int_equal(hf_spec_add_record(spec, "block.velocity.y", &error), HF_OK); // once is enough
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    static const char *const wanted[] = {"energy.kinetic", "block.velocity.x", "block.velocity.y",
                                         "block.velocity.z"};
    assert_int_equal(hf_model_record_count(model), 4);
    for (int i = 0; i < 4; ++i) {
        char name[100];
        hf_model_channel_name(model, hf_model_record_channel(model, i), name, sizeof name);
        assert_string_equal(name, wanted[i]);
    }
    hf_model_destroy(model);
    assert_int_equal(hf_spec_add_record(spec, "block.velocty.x", &error), HF_OK);
    assert_null(hf_model_compile(spec, &error));
    assert_int_equal(error.status, HF_ERROR_NAME);
    assert_string_equal(error.text, "record: unknown channel 'block.velocty.x'; did you "
                                    "mean 'block.velocity.x'?");
    hf_spec_destroy(spec);
}

// A signal may be named like a channel of a body; both are found.
static void names_within_names(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = small_spec();
    hf_signal_def signal = hf_signal_def_default();
    signal.name = "block.position";
    assert_true(hf_spec_add_signal(spec, &signal, &error).id != 0);
    signal.name = "block.position.x";
    assert_true(hf_spec_add_signal(spec, &signal, &error).id != 0);
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    for (int i = 1; i <= hf_model_channel_count(model); ++i) {
        char name[100];
        hf_model_channel_name(model, (hf_channel){i}, name, sizeof name);
        assert_int_equal(hf_model_find_channel(model, name).id, i);
    }
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

static void coordinates_by_name(void **state)
{
    (void)state;
    hf_model *model = rich();
    static const struct {
        const char *name, *body;
        int axis; // -1: unknown
    } cases[] = {{"a", "a", 0},
                 {"b.y", "b", 1},
                 {"c.z", "c", 2},
                 {"arm.base", "arm.base", 0},
                 {"arm.plate.angle", "arm.plate", 2},
                 {"b", "", -1},
                 {"b.z", "", -1},
                 {"ball.x", "", -1},
                 {"arm.knee", "", -1},
                 {"arm", "", -1},
                 {"", "", -1},
                 {"nobody.x", "", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_coordinate c = hf_model_find_coordinate(model, cases[i].name);
        if (cases[i].axis < 0) {
            assert_int_equal(c.body.id, 0);
        } else {
            assert_int_equal(c.body.id, hf_model_find_body(model, cases[i].body).id);
            assert_int_equal(c.axis, cases[i].axis);
        }
    }
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_found),
        cmocka_unit_test(names_and_units),
        cmocka_unit_test(groups),
        cmocka_unit_test(nearest),
        cmocka_unit_test(default_records),
        cmocka_unit_test(chosen_records),
        cmocka_unit_test(names_within_names),
        cmocka_unit_test(coordinates_by_name),
    };
    return hf_run_tests(tests);
}
