// SPDX-License-Identifier: Apache-2.0
// Errors carry their place: component, member, law and time by name, and in a file the line and the
// column of what is wrong, also where the message speaks of several things.
#include "models_test.h"

#include <holdfast/use_law.h>
#include <math.h>

#include "base/error.h"

typedef struct place_case {
    const char *what;
    const char *text; // '@' stands before what must be blamed
    const char *component, *member;
} place_case;

static const place_case cases[] = {
    // Found while reading
    {"a plane that moves",
     "bodies:\n  floor:\n    type: rigid\n    mass: 1\n    inertia: [1, 1, 1]\n"
     "    shape: @{type: plane}\n",
     "floor", "shape"},
    {"an inertia of no body",
     "bodies:\n  m: {type: mass, dim: 1, mass: 1}\n  top:\n    type: rigid\n    mass: 1\n"
     "    inertia: @[1, 1, 3]\n",
     "top", "inertia"},
    {"a loop on a mass",
     "bodies:\n  m: {type: mass, dim: 3, mass: 1}\nloops:\n  - name: on\n    type: revolute\n"
     "    to: world\n    on: @m\n    axis: [0, 0, 1]\n    to_axis: [0, 0, 1]\n",
     "on", "on"},
    // Found by compiling: messages name two bodies, or something that is called like a word in them
    {"a joint that moves nothing, and a body of its name",
     "bodies:\n  elbow: {type: mass, dim: 1, mass: 1}\n  arm:\n    type: tree\n    joints:\n"
     "      shoulder: {type: revolute, axis: [0, 0, 1], mass: 1, inertia: [1, 1, 1]}\n"
     "      @elbow: {type: revolute, parent: shoulder, axis: [0, 0, 1]}\n",
     "arm.elbow", ""},
    {"a loop between things at rest",
     "bodies:\n  loop: {type: mass, dim: 1, mass: 1}\n"
     "  a: {type: static, shape: {type: box, size: [1, 1, 1]}}\n"
     "loops:\n  - @{name: l, type: point, on: a, to: world}\n",
     "l", ""},
    {"the second of two loops cannot be closed",
     "bodies:\n  a: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
     "  b: {type: tree, joints: {j: {type: prismatic, axis: [0, 0, 1], mass: 1, position: 0}}}\n"
     "loops:\n  first: {type: point, on: a, to: world}\n"
     "  @second: {type: point, on: b.j, to: world, to_point: [5, 0, 0]}\n",
     "second", ""},
    {"spheres that begin in each other",
     "method: {type: rk4, step: 1e-4}\nbodies:\n"
     "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}}\n"
     "  b: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [5, 0, 0]}\n"
     "  c: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [5, 0.05, 0]}\n"
     "forces:\n  - {name: good, type: contact, law: rigid-contact, on: a, to: b}\n"
     "  - @{name: bad, type: contact, law: rigid-contact, on: b, to: c}\n",
     "bad", ""},
    {"a channel that is called like nothing",
     "bodies:\n  block: {type: mass, dim: 1, mass: 1}\n"
     "record: [block.position, @block.positron, block.velocity]\n",
     "block.positron", "record"},
};

// Takes '@' out of `text` and says where it was; `lines` empty lines come first.
static char *prepare(const char *text, int lines, int *line, int *column)
{
    char *made = malloc(strlen(text) + (size_t)lines + 1), *to = made;
    assert_non_null(made);
    for (int i = 0; i < lines; ++i) {
        *to++ = '\n';
    }
    int at_line = lines + 1, at_column = 1;
    *line = *column = 0;
    for (const char *s = text; *s != '\0'; ++s) {
        if (*s == '@') {
            *line = at_line;
            *column = at_column;
            continue;
        }
        at_line += *s == '\n' ? 1 : 0;
        at_column = *s == '\n' ? 1 : at_column + 1;
        *to++ = *s;
    }
    *to = '\0';
    return made;
}

static void the_right_line_is_blamed(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(41);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const place_case *c = &cases[i];
        int line, column, lines = hf_rng_int(&rng, 0, 30);
        char *text = prepare(c->text, lines, &line, &column);
        hf_error error = {0};
        hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, NULL, &error);
        free(text);
        if (spec != NULL) {
            hf_spec_destroy(spec);
            fail_msg("%s was accepted", c->what);
        }
        if (error.line != line || error.column != column ||
            strcmp(error.component, c->component) != 0 || strcmp(error.member, c->member) != 0) {
            fail_msg("%s: got '%s' of '%s' at %d:%d, want '%s' of '%s' at %d:%d: %s", c->what,
                     error.member, error.component, error.line, error.column, c->member,
                     c->component, line, column, error.text);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Without a file

static void errors_of_a_description(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "block";
    mass.dim = 1;
    mass.mass = -1.0;
    assert_int_equal(hf_spec_add_mass(spec, &mass, &error).id, 0);
    assert_string_equal(error.component, "block");
    assert_string_equal(error.member, "mass");
    assert_string_equal(error.law, "");
    assert_true(error.time < 0.0);
    mass.mass = 1.0;
    hf_body block = hf_spec_add_mass(spec, &mass, &error);
    assert_int_not_equal(block.id, 0);
    hf_spring_def spring = hf_spring_def_default();
    spring.stiffness = NAN;
    hf_force_def force = hf_force_def_default();
    force.name = "pull";
    force.coupling.on_coordinate.body = block;
    hf_force_use_spring(&force, &spring);
    assert_int_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    assert_string_equal(error.component, "pull");
    assert_string_equal(error.member, "stiffness");
    assert_string_equal(error.law, "spring");
    assert_non_null(strstr(error.text, "force 'pull': law 'spring': stiffness must be "));
    // An error without a place says so, whatever the struct held before.
    assert_int_equal(hf_spec_set_duration(spec, -1.0, &error), HF_ERROR_RANGE);
    assert_string_equal(error.component, "");
    assert_string_equal(error.law, "");
    hf_spec_destroy(spec);
}

// A run that fails names the component and the time, to the bit that of the step's end.
static void errors_of_a_run(void **state)
{
    (void)state;
    static const char text[] = "method: {type: euler, step: 0.125}\n"
                               "bodies:\n"
                               "  calm: {type: mass, dim: 1, mass: 1}\n"
                               "  wild: {type: mass, dim: 1, mass: 1, position: 1}\n"
                               "forces:\n"
                               "  - {name: s, on: wild, type: spring, stiffness: 1e12}\n";
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, strlen(text), "model.yaml", NULL, NULL, &error);
    assert_non_null(model);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    hf_status status = HF_OK;
    double end = 0.0;
    for (int i = 0; i < 10000 && status == HF_OK; ++i) {
        end = hf_sim_time(sim) + 0.125;
        status = hf_sim_step(sim, &error);
    }
    assert_int_equal(status, HF_ERROR_NOT_FINITE);
    assert_string_equal(error.component, "s"); // its work, the square of the motion, is first
    hf_check_same_bits(error.time, end, "time of the error");
    // The force's place in the file, then the time
    assert_int_equal(strncmp(error.text, "model.yaml:6:", 13), 0);
    assert_non_null(strstr(error.text, ": t = "));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Names of any length are cut, never written beyond.
static void long_names_are_cut(void **state)
{
    (void)state;
    char name[1000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    hf_error error;
    assert_int_equal(hf_error_at(&error, HF_ERROR_INPUT,
                                 (hf_error_place){.kind = "force",
                                                  .component = name,
                                                  .member = name,
                                                  .law = name,
                                                  .timed = true,
                                                  .time = 1.5},
                                 "%s", name),
                     HF_ERROR_INPUT);
    assert_int_equal(strlen(error.text), HF_ERROR_TEXT_SIZE - 1);
    assert_int_equal(strlen(error.component), HF_ERROR_NAME_SIZE - 1);
    assert_int_equal(strlen(error.member), HF_ERROR_WORD_SIZE - 1);
    assert_int_equal(strlen(error.law), HF_ERROR_WORD_SIZE - 1);
    assert_true(error.time == 1.5);
    // A component may be the error's own.
    (void)hf_error_at(&error, HF_ERROR_INPUT,
                      hf_at_member("force", error.component, "draw: center"), "cut");
    assert_int_equal(strlen(error.component), HF_ERROR_NAME_SIZE - 1);
    assert_string_equal(error.member, "draw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_line_is_blamed),
        cmocka_unit_test(errors_of_a_description),
        cmocka_unit_test(errors_of_a_run),
        cmocka_unit_test(long_names_are_cut),
    };
    return hf_run_tests(tests);
}
