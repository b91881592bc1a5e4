// SPDX-License-Identifier: Apache-2.0
// A saved state goes into the machine that it is of, and into no other: machines that differ in one
// number are told apart. What drives them from outside, formulas of time, may be another.
#include <hf_machine.h>

#include <stdlib.h>

// Before and after a number there is the rest of this machine.
static const char MACHINE[] =
    "gravity: [0, 0, @g@]\n"
    "method: {type: rk4, step: 1e-3}\n"
    "signals: {wave: \"2*sin(3*t)\"}\n"
    "bodies:\n"
    "  block: {type: mass, dim: 1, mass: @mass@}\n"
    "  disc: {type: rigid, mass: 2, inertia: [0.1, 0.2, @inertia@]}\n"
    "  arm: {type: tree, joints: {a: {type: revolute, axis: [0, 1, 0], mass: 1, center: [@center@, "
    "0, 0],\n"
    "    inertia: [0.01, 0.02, 0.02]}}}\n"
    "forces:\n"
    "  - {name: pull, on: block, type: force, value: wave}\n"
    "  - {name: rub, on: block, type: friction, law: lugre, stiffness: @bristle@, damping: 10,\n"
    "     level: {kinetic: 1, static: @static@, stribeck_velocity: 0.1, shape: @shape@, viscous: "
    "@viscous@}}\n"
    "  - {name: tie, on: disc, to: arm.a, coupling: distance, type: spring, stiffness: 10, rest: "
    "@rest@,\n"
    "     point: [@point@, 0, 1]}\n"
    "  - {name: drag, on: arm.a, type: friction, law: gms, level: 1, shares: [1], "
    "stiffnesses: "
    "[@slip@]}\n";

// The numbers by name, as they are and otherwise.
static const struct {
    const char *name, *usual, *other;
} NUMBERS[] = {
    {"@g@", "-9.81", "-9.8"},    {"@mass@", "1", "1.25"},       {"@inertia@", "0.25", "0.26"},
    {"@center@", "0.1", "0.11"}, {"@bristle@", "1e4", "1.1e4"}, {"@static@", "1.5", "1.6"},
    {"@shape@", "2", "1"},       {"@viscous@", "0.1", "0.2"},   {"@rest@", "0.5", "0.6"},
    {"@point@", "0.2", "0.3"},   {"@slip@", "1e3", "2e3"},
};
enum { COUNT = sizeof NUMBERS / sizeof *NUMBERS };

// The machine with number `changed` changed; -1: none.
static hf_model *machine(int changed)
{
    static char text[4000];
    size_t used = 0;
    for (const char *c = MACHINE; *c != '\0';) {
        int found = -1;
        for (int i = 0; i < COUNT && *c == '@'; ++i) {
            found = strncmp(c, NUMBERS[i].name, strlen(NUMBERS[i].name)) == 0 ? i : found;
        }
        if (found < 0) {
            text[used++] = *c++;
        } else {
            const char *number = found == changed ? NUMBERS[found].other : NUMBERS[found].usual;
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", number);
            c += strlen(NUMBERS[found].name);
        }
    }
    text[used] = '\0';
    return model_of(text);
}

static void every_number_counts(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = machine(-1);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.05);
    size_t size = hf_sim_save_size(sim);
    void *saved = malloc(size);
    assert_non_null(saved);
    hf_sim_save(sim, saved);
    for (int i = -1; i < COUNT; ++i) {
        hf_model *other = machine(i);
        hf_sim *to = sim_from(other, NULL);
        hf_status status =
            hf_sim_save_size(to) == size ? hf_sim_restore(to, saved, size, &error) : HF_ERROR_INPUT;
        if ((status == HF_OK) != (i < 0)) {
            fail_msg("%s: %s", i < 0 ? "the machine itself" : NUMBERS[i].name,
                     i < 0 ? error.text : "another number, and the state is taken");
        }
        hf_sim_destroy(to);
        hf_model_destroy(other);
    }
    free(saved);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_number_counts)};
    return hf_run_tests(tests);
}
