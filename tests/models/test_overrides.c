// SPDX-License-Identifier: Apache-2.0
// --set PATH=VALUE
#include "models_test.h"

#include "spec/spec_data.h"

static const char *const MODEL =
    "name: test\n"
    "gravity: [0, 0, -9.81]\n"
    "method: {type: rk4, step: 1e-3}\n"
    "bodies:\n"
    "  block: {type: mass, dim: 1, mass: 1}\n"
    "signals:\n"
    "  pull: 2*t\n"
    "forces:\n"
    "  - {name: spring, on: block, to: pull, type: spring, stiffness: 1000}\n"
    "  - {name: floor, on: block, type: friction, level: 1}\n"
    "record: [block.position]\n";

static hf_spec *parse_with(const char *const *items, int count)
{
    hf_error error = {0};
    hf_overrides overrides = {.items = items, .count = count};
    hf_spec *spec = hf_spec_parse(MODEL, strlen(MODEL), "model.yaml", NULL, &overrides, &error);
    if (spec == NULL) {
        fail_msg("%s", error.text);
    }
    return spec;
}

static void values_are_replaced(void **state)
{
    (void)state;
    const char *const items[] = {"bodies.block.mass=2.5",
                                 "gravity.2=-1.62",
                                 "forces.spring.stiffness=1e4",
                                 "forces.1.level={coulomb: [3, 4]}",
                                 "method={type: euler, step: 0.5}",
                                 "name=other name",
                                 "record=[block.velocity, floor.mode]"};
    hf_spec *spec = parse_with(items, 7);
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 2.5, 0, "mass", "override");
    hf_check_near(spec->gravity.z, -1.62, 0, "gravity", "override");
    const hf_spring_def *spring = spec->forces[0].def;
    hf_check_near(spring->stiffness, 1e4, 0, "stiffness", "override");
    const hf_stiction_def *stiction = spec->forces[1].def;
    hf_check_near(stiction->level.kinetic[HF_FORTH], 3, 0, "level forth", "override");
    hf_check_near(stiction->level.kinetic[HF_BACK], 4, 0, "level back", "override");
    assert_int_equal(spec->method.type, HF_METHOD_EULER);
    hf_check_near(spec->method.step, 0.5, 0, "step", "override");
    assert_string_equal(spec->name, "other name");
    assert_int_equal(spec->record_count, 2);
    assert_string_equal(spec->records[1], "floor.mode");
    hf_spec_destroy(spec);
}

// The section may be left out where one alone has the name; a name of two sections is of neither.
static void sections_are_left_out(void **state)
{
    (void)state;
    const char *const items[] = {"block.mass=2.5", "floor.level=3", "spring.stiffness=7"};
    hf_spec *spec = parse_with(items, 3);
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 2.5, 0, "mass", "override");
    hf_check_near(((const hf_spring_def *)spec->forces[0].def)->stiffness, 7, 0, "k", "override");
    hf_check_near(((const hf_stiction_def *)spec->forces[1].def)->level.kinetic[HF_FORTH], 3, 0,
                  "level", "override");
    hf_spec_destroy(spec);
    static const char twice[] = "bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
                                "loops: {b: {type: ratio, ratio: {a: 1}}}\n"
                                "forces: [{name: b, on: a, type: spring, stiffness: 1000}]\n";
    const char *const wrong[] = {"b.value=2"};
    hf_overrides overrides = {.items = wrong, .count = 1};
    hf_error error = {0};
    assert_null(hf_spec_parse(twice, strlen(twice), "m.yaml", NULL, &overrides, &error));
    assert_non_null(strstr(error.text, "there is no 'b' in the model"));
}

// A joint by its name, TREE.JOINT, and what it carries.
static void joints_have_short_names(void **state)
{
    (void)state;
    static const char text[] =
        "defaults: {drive: {type: revolute, mass: 1, inertia: [1, 1, 1], friction: {level: 2}}}\n"
        "bodies: {arm: {type: tree, joints: {elbow: {class: drive}, hand: {class: drive,\n"
        "  parent: elbow}}}}\n";
    static const char *const sets[] = {"arm.elbow.friction.level=5", "arm.hand.mass=3"};
    hf_error error = {0};
    hf_overrides overrides = {.items = sets, .count = 2};
    hf_model *model = hf_model_parse(text, strlen(text), "model.yaml", NULL, &overrides, &error);
    double level = 0.0, other = 0.0, mass = 0.0;
    assert_non_null(model);
    assert_int_equal(hf_model_get_parameter(model, "arm.elbow.friction.level", &level, NULL), 0);
    assert_int_equal(hf_model_get_parameter(model, "arm.hand.friction.level", &other, NULL), 0);
    assert_int_equal(hf_model_get_parameter(model, "arm.hand.mass", &mass, NULL), 0);
    hf_check_near(level, 5.0, 0.0, "elbow", "override");
    hf_check_near(other, 2.0, 0.0, "hand", "class");
    hf_check_near(mass, 3.0, 0.0, "mass", "override");
    hf_model_destroy(model);
}

// parameters.NAME is the value of a parameter that is a map, as NAME alone is: its unit and its
// range stay.
static void parameters_keep_their_maps(void **state)
{
    (void)state;
    static const char text[] = "parameters: {m: {value: 500, unit: g, range: [100, 900]}}\n"
                               "bodies: {block: {type: mass, dim: 1, mass: m}}\n";
    static const char *const sets[] = {"m=300", "parameters.m=300", "parameters.m.value=300"};
    for (int i = 0; i < 3; ++i) {
        hf_error error = {0};
        const hf_overrides overrides = {.items = &sets[i], .count = 1};
        hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, &overrides, &error);
        assert_non_null(spec);
        hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 0.3, 1e-15, sets[i],
                      "300 g");
        hf_spec_destroy(spec);
    }
    static const char *const beyond = "parameters.m=3000", *const whole = "parameters.m={value: 2}";
    hf_error error = {0};
    hf_overrides overrides = {.items = &beyond, .count = 1};
    assert_null(hf_spec_parse(text, strlen(text), "model.yaml", NULL, &overrides, &error));
    overrides.items = &whole; // a map replaces the map
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, &overrides, &error);
    assert_non_null(spec);
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 2.0, 0, "mass", "2 kg");
    hf_spec_destroy(spec);
}

static void keys_are_added(void **state)
{
    (void)state;
    const char *const items[] = {"duration=7", "bodies.block.velocity=3",
                                 "bodies.other={type: mass, mass: 4}", "forces.floor.damping=12"};
    hf_spec *spec = parse_with(items, 4);
    hf_check_near(spec->duration, 7, 0, "duration", "override");
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->velocity[0], 3, 0, "velocity",
                  "override");
    hf_check_near(((const hf_mass_def *)spec->bodies[1].def)->mass, 4, 0, "mass", "override");
    const hf_stiction_def *stiction = spec->forces[1].def;
    hf_check_near(stiction->damping, 12, 0, "damping", "override");
    hf_spec_destroy(spec);
}

static void later_ones_win(void **state)
{
    (void)state;
    const char *const items[] = {"bodies.block={type: mass, axes: z, mass: 3}",
                                 "bodies.block.mass=5", "bodies.block.mass=6"};
    hf_spec *spec = parse_with(items, 3);
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 6, 0, "mass",
                  "the last override");
    assert_int_equal(((const hf_mass_def *)spec->bodies[0].def)->axes[0], 2);
    hf_spec_destroy(spec);
}

static void changes_are_kept_in_the_text(void **state)
{
    (void)state;
    const char *const items[] = {"duration=7", "name=two\nlines"};
    hf_spec *spec = parse_with(items, 2);
    assert_int_equal(strncmp(spec->text, MODEL, strlen(MODEL)), 0);
    assert_string_equal(spec->text + strlen(MODEL), "# --set duration=7\n# --set name=two lines\n");
    // The text is still a model file.
    hf_spec *again = parse_good(spec->text);
    hf_spec_destroy(again);
    hf_spec_destroy(spec);
}

static void mistakes(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"bodies.block.mas=2",
         "--set bodies.block.mas=2: body 'block': unknown key 'mas'; did you mean 'mass'?"},
        {"bodies.blok.mass=2",
         "--set bodies.blok.mass=2: there is no 'blok' in bodies; did you mean 'block'?"},
        {"bodies.block.mass=-2",
         "--set bodies.block.mass=-2: body 'block': mass must be positive, got -2"},
        // Within a map that the override brings, too.
        {"bodies.block={type: mass, dim: 1, mass: -2}",
         "--set bodies.block={type: mass, dim: 1, mass: -2}: body 'block': mass must be positive, "
         "got -2"},
        {"bodies.block={type: mass, dim: 1, mas: 2}",
         "--set bodies.block={type: mass, dim: 1, mas: 2}: body 'block': unknown key 'mas'"},
        {"bodies.block.mass=[1", "--set bodies.block.mass=[1: value:"},
        {"bodies.block.mass=", "--set bodies.block.mass=: body 'block': mass must be a number"},
        {"bodies.block.mass.x=1", "bodies.block.mass is a single value and has no 'x'"},
        {"forces.flor.level=1", "there is no 'flor' in forces; did you mean 'floor'?"},
        {"forces.2.level=1", "there is no '2' in forces"},
        {"forces.new=1", "there is no 'new' in forces"},
        {"gravity.3=1", "there is no '3' in gravity"},
        {"gravity.99999999999999999999=1", "there is no '99999999999999999999' in gravity"},
        {"gravity.-1=1", "there is no '-1' in gravity"},
        {"nothing.at.all=1", "there is no 'nothing' in the model"},
        {"duration", "expected PATH=VALUE"},
        {"=3", "expected names with dots between them before '='"},
        {"bodies..mass=3", "expected names with dots between them before '='"},
        {"bodies.=3", "expected names with dots between them before '='"},
        {"signals.pull=2*sn(t)", "--set signals.pull=2*sn(t): signal 'pull': unknown name 'sn'"},
        {"record.0=block.positon",
         "unknown channel 'block.positon'; did you mean 'block.position'"},
        {"name=\x01", "control character"},
        {"name=\xff", "not UTF-8"},
        {"name=&a b", "anchors"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        expect_error_with(MODEL, cases[i][0], cases[i][1]);
    }
}

static void no_place_in_the_file(void **state)
{
    (void)state;
    hf_error error = {0};
    const char *item = "bodies.block.mass=-2";
    hf_overrides overrides = {.items = &item, .count = 1};
    assert_null(hf_spec_parse(MODEL, strlen(MODEL), "model.yaml", NULL, &overrides, &error));
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
    assert_int_equal(error.status, HF_ERROR_RANGE);
}

static void absurd_ones(void **state)
{
    (void)state;
    size_t size = 70 * 1024;
    char *item = malloc(size);
    assert_non_null(item);
    memset(item, 'x', size);
    memcpy(item, "name=", 5);
    item[size - 1] = '\0';
    expect_error_with(MODEL, item, "longer than 64 KiB");
    memset(item, '[', size);
    memcpy(item, "name=", 5);
    item[60000] = '\0';
    expect_error_with(MODEL, item, "nested deeper than 64 levels");
    memset(item, '.', size);
    memcpy(item + 60000, "=1", 3);
    expect_error_with(MODEL, item, "expected names with dots");
    free(item);
}

int main(void)
{
    const struct CMUnitTest overrides[] = {
        cmocka_unit_test(values_are_replaced),
        cmocka_unit_test(keys_are_added),
        cmocka_unit_test(sections_are_left_out),
        cmocka_unit_test(joints_have_short_names),
        cmocka_unit_test(later_ones_win),
        cmocka_unit_test(changes_are_kept_in_the_text),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(no_place_in_the_file),
        cmocka_unit_test(absurd_ones),
        cmocka_unit_test(parameters_keep_their_maps),
    };
    return hf_run_tests(overrides);
}
