// SPDX-License-Identifier: Apache-2.0
// A robot's name in the lists of a machine's own collide stands for all of its links that have a
// shape, in among, against and except; the name of a link, a body or a pattern stays what it is.
#include "models_test.h"

#define MACHINE                                                                                    \
    "method: {type: timestep, step: 1e-3}\n"                                                       \
    "bodies:\n"                                                                                    \
    "  one: {type: robot, file: robot.urdf, position: [0, 0, 1]}\n"                                \
    "  two: {type: robot, file: robot.urdf, position: [3, 0, 1]}\n"                                \
    "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 5, 1]}\n"    \
    "forces:\n"

// The members of force "own", in order, with blanks between them; those of against behind a bar.
static void check_members(const char *line, const char *expected)
{
    char text[2000], found[400] = "";
    hf_error error = {0};
    (void)snprintf(text, sizeof text, "%s%s\n", MACHINE, line);
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", HF_SOURCE_DIR "/tests/models",
                                  NULL, &error);
    if (spec == NULL) {
        fail_msg("%s: %s", line, error.text);
    }
    const hf_coupling_def *c = &force_of(spec, "own")->coupling;
    for (int i = 0; i < c->member_count; ++i) {
        size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s%s", i > 0 ? " " : "",
                       hf_spec_body_name(spec, c->members[i]));
    }
    if (strcmp(found, expected) != 0) {
        fail_msg("%s\nhas the members '%s', expected '%s'", line, found, expected);
    }
    hf_spec_destroy(spec);
}

static void names_of_robots(void **state)
{
    (void)state;
    check_members("  - {name: own, type: collide, friction: 0, among: [ball, two.turn]}",
                  "ball two.turn");
    check_members("  - {name: own, type: collide, friction: 0, among: [ball, two]}",
                  "ball two.base two.turn");
    check_members("  - {name: own, type: collide, friction: 0, among: [one, two, ball]}",
                  "ball one.base one.turn two.base two.turn");
    check_members("  - {name: own, type: collide, friction: 0, among: [ball], against: [one, two]}",
                  "ball one.base one.turn two.base two.turn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_of_robots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
