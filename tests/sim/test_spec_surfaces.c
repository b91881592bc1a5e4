// SPDX-License-Identifier: Apache-2.0
// Surfaces, shapes, pairs and laws of one's own on a spec: rules of combination and masses against
// their formulas, and every refusal in words that name the component.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"

#include <holdfast/model.h>
#include <holdfast/shape.h>
#include <holdfast/spec.h>

typedef struct scene {
    hf_spec *spec;
    hf_body mass, ball, other;
    hf_error error;
} scene;

static scene begin(void)
{
    scene s = {.spec = hf_spec_create()};
    assert_non_null(s.spec);
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "mass";
    s.mass = hf_spec_add_mass(s.spec, &mass, &s.error);
    hf_rigid_def ball = hf_rigid_def_default();
    ball.name = "ball";
    s.ball = hf_spec_add_rigid(s.spec, &ball, &s.error);
    ball.name = "other";
    s.other = hf_spec_add_rigid(s.spec, &ball, &s.error);
    assert_true(s.mass.id > 0 && s.ball.id > 0 && s.other.id > 0);
    return s;
}

// The spec is as it was: what it has compiles.
static void finish(scene *s)
{
    hf_model *model = hf_model_compile(s->spec, &s->error);
    if (model == NULL) {
        fail_msg("%s", s->error.text);
    }
    hf_model_destroy(model);
    hf_spec_destroy(s->spec);
}

// status HF_OK: whatever it is.
static void told(scene *s, bool refused, hf_status status, const char *words)
{
    if (!refused || s->error.status >= 0 || (status < 0 && s->error.status != status) ||
        strstr(s->error.text, words) == NULL) {
        fail_msg("expected '%s', got %s %d '%s'", words, refused ? "refusal" : "success",
                 (int)s->error.status, s->error.text);
    }
    s->error = (hf_error){0};
}

static void rules(void **state)
{
    (void)state;
    static const char *const names[HF_RULE_COUNT] = {"maximum", "minimum",   "product",
                                                     "mean",    "geometric", "harmonic"};
    const double a = 0.2, b = 0.8;
    const double wanted[HF_RULE_COUNT] = {0.8, 0.2, 0.16, 0.5, 0.4, 0.32};
    for (int i = 0; i < HF_RULE_COUNT; ++i) {
        hf_rule rule = (hf_rule)i;
        assert_string_equal(hf_rule_name(rule), names[i]);
        assert_int_equal(hf_rule_find(names[i]), rule);
        hf_check_near(hf_rule_apply(rule, a, b), wanted[i], 1e-15, names[i], "its formula");
        // Both orders, and of nothing: nothing but the larger of two zeros
        assert_true(hf_rule_apply(rule, a, b) == hf_rule_apply(rule, b, a));
        assert_true(hf_rule_apply(rule, 0.0, 0.0) == 0.0);
    }
    assert_null(hf_rule_name(HF_RULE_COUNT));
    assert_null(hf_rule_name((hf_rule)-1));
    assert_int_equal(hf_rule_find("median"), HF_RULE_COUNT);
}

// Two spheres on an axis are a dumbbell: m1 m2/(m1 + m2) d^2 across it, 2/5 m r^2 each along it.
static void mass_of_shapes(void **state)
{
    (void)state;
    hf_shape_def shapes[2] = {hf_shape_def_default(HF_SHAPE_SPHERE),
                              hf_shape_def_default(HF_SHAPE_SPHERE)};
    const double pi = 3.14159265358979323846, r[2] = {0.1, 0.2}, density = 1000.0, d = 0.9;
    shapes[0].shape.size.x = r[0];
    shapes[1].shape.size.x = r[1];
    shapes[0].density = density;
    shapes[1].mass = 3.0; // a mass comes before a density
    shapes[1].density = density;
    shapes[0].center = (hf_vec3){0.3, 0.0, 0.0};
    shapes[1].center = (hf_vec3){0.3 + d, 0.0, 0.0};
    double m[2] = {4.0 / 3.0 * pi * r[0] * r[0] * r[0] * density, 3.0};
    hf_mass_properties sum = hf_shapes_mass(shapes, 2);
    double along = 0.4 * (m[0] * r[0] * r[0] + m[1] * r[1] * r[1]);
    double across = along + m[0] * m[1] / (m[0] + m[1]) * d * d;
    hf_check_near(sum.mass, m[0] + m[1], 1e-12, "mass", "sum");
    hf_check_near(sum.center.x, 0.3 + d * m[1] / (m[0] + m[1]), 1e-12, "center", "lever");
    hf_check_near(sum.inertia.xx, along, 1e-12, "Ixx", "spheres");
    hf_check_near(sum.inertia.yy, across, 1e-12, "Iyy", "dumbbell");
    hf_check_near(sum.inertia.zz, across, 1e-12, "Izz", "dumbbell");
    assert_true(sum.inertia.xy == 0.0 && sum.inertia.xz == 0.0 && sum.inertia.yz == 0.0);
    // Off the axes the products of inertia are -m x y, ... of the reduced mass
    shapes[1].center = (hf_vec3){0.3 + 0.1, 0.2, -0.3};
    sum = hf_shapes_mass(shapes, 2);
    double reduced = m[0] * m[1] / (m[0] + m[1]);
    hf_check_near(sum.inertia.xy, -reduced * 0.1 * 0.2, 1e-12, "Ixy", "dumbbell");
    hf_check_near(sum.inertia.xz, reduced * 0.1 * 0.3, 1e-12, "Ixz", "dumbbell");
    hf_check_near(sum.inertia.yz, reduced * 0.2 * 0.3, 1e-12, "Iyz", "dumbbell");
    hf_check_near(sum.inertia.xx, along + reduced * (0.04 + 0.09), 1e-12, "Ixx", "dumbbell");
    // Nothing that weighs
    shapes[0].density = shapes[1].density = shapes[1].mass = 0.0;
    assert_true(hf_shapes_mass(shapes, 2).mass == 0.0);
    assert_true(hf_shapes_mass(shapes, 0).mass == 0.0);
}

static hf_shape_def sphere(const char *name)
{
    hf_shape_def def = hf_shape_def_default(HF_SHAPE_SPHERE);
    def.name = name;
    def.shape.size.x = 0.1;
    return def;
}

static void shapes(void **state)
{
    (void)state;
    scene s = begin();
    hf_shape_def good = sphere("head"), def = good;
    const hf_body nobody[] = {{0}, {-1}, {99}};
    for (size_t i = 0; i < 3; ++i) {
        told(&s, hf_spec_add_shape(s.spec, nobody[i], &good, &s.error) < 0, HF_ERROR_INPUT,
             "no such body");
    }
    told(&s, hf_spec_add_shape(s.spec, s.mass, &good, &s.error) < 0, HF_ERROR_UNSUPPORTED,
         "a body of type mass has none");
    def.shape = (hf_shape){.type = HF_SHAPE_POINT};
    told(&s, hf_spec_add_shape(s.spec, s.ball, &def, &s.error) < 0, HF_ERROR_INPUT,
         "a point is no shape");
    def.shape = (hf_shape){.type = HF_SHAPE_PLANE};
    told(&s, hf_spec_add_shape(s.spec, s.ball, &def, &s.error) < 0, HF_OK, "plane");
    // A number at a time, each that is wrong in its own way
    double *const numbers[] = {&def.center.y,
                               &def.belt.z,
                               &def.belt_spin.x,
                               &def.density,
                               &def.mass,
                               &def.surface.friction,
                               &def.surface.restitution,
                               &def.friction_across,
                               &def.friction_direction.y};
    static const char *const words[] = {
        "position", "surface_velocity", "surface_spin",    "density",           "mass",
        "friction", "restitution",      "friction_across", "friction_direction"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        def = good;
        def.friction_across = 0.1;
        *numbers[i] = i < 3 || i == 8 ? NAN : -1.0;
        told(&s, hf_spec_add_shape(s.spec, s.ball, &def, &s.error) < 0, HF_OK, words[i]);
    }
    def = good;
    def.friction_across = INFINITY;
    told(&s, hf_spec_add_shape(s.spec, s.ball, &def, &s.error) < 0, HF_ERROR_RANGE, "negative");
    def.friction_across = 0.5;
    def.friction_direction = (hf_vec3){0.0, 0.0, 0.0};
    told(&s, hf_spec_add_shape(s.spec, s.ball, &def, &s.error) < 0, HF_ERROR_RANGE,
         "friction_direction must be a direction");
    // Materials and names
    const int ids[] = {-1, 1};
    for (size_t i = 0; i < 2; ++i) {
        def = good;
        def.material.id = ids[i];
        told(&s, hf_spec_add_shape(s.spec, s.ball, &def, &s.error) < 0, HF_ERROR_INPUT,
             "no such material");
    }
    static const char *const names[] = {"", "a.b"};
    for (size_t i = 0; i < 2; ++i) {
        def = sphere(names[i]);
        told(&s, hf_spec_add_shape(s.spec, s.ball, &def, &s.error) < 0, HF_ERROR_NAME, "no dots");
    }
    char name[600];
    (void)memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    def = sphere(name);
    told(&s, hf_spec_add_shape(s.spec, s.ball, &def, &s.error) < 0, HF_ERROR_NAME, "too long");
    assert_int_equal(hf_spec_add_shape(s.spec, s.ball, &good, &s.error), HF_OK);
    told(&s, hf_spec_add_shape(s.spec, s.ball, &good, &s.error) < 0, HF_ERROR_NAME, "ball.head");
    finish(&s);
}

static void pairs_and_materials(void **state)
{
    (void)state;
    scene s = begin();
    hf_shape_def head = sphere("head"), tail = sphere("tail");
    assert_int_equal(hf_spec_add_shape(s.spec, s.ball, &head, &s.error), HF_OK);
    assert_int_equal(hf_spec_add_shape(s.spec, s.ball, &tail, &s.error), HF_OK);
    hf_material_def ice = hf_material_def_default();
    ice.name = "ice";
    assert_int_equal(hf_spec_add_material(s.spec, &ice, &s.error).id, 1);
    told(&s, hf_spec_add_material(s.spec, &ice, &s.error).id == 0, HF_ERROR_NAME, "ice");
    ice.name = NULL;
    told(&s, hf_spec_add_material(s.spec, &ice, &s.error).id == 0, HF_OK, "name");
    assert_int_equal(hf_spec_find_material(s.spec, "ice").id, 1);
    assert_int_equal(hf_spec_find_material(s.spec, "mud").id, 0);
    static const struct {
        const char *a, *b;
        bool never, always;
        double friction;
        const char *words; // NULL: it is taken
    } cases[] = {
        {"nothing", "ball", false, false, NAN, "no material, no body and no shape"},
        {"ball", "nothing", false, false, NAN, "no material, no body and no shape"},
        {NULL, "ball", false, false, NAN, "no material, no body and no shape"},
        {"ball", "other", true, true, NAN, "never or always"},
        {"ball", "other", false, false, -0.5, "friction"},
        {"ball", "ball", false, false, NAN, "shapes of one body"},
        {"ball.head", "ball.tail", true, false, NAN, "shapes of one body"},
        {"ball.head", "other", true, false, NAN, NULL},
        {"ice", "ice", false, false, 0.1, NULL},
        {"ice", "other", false, true, 0.0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_pair_def pair = hf_pair_def_default();
        pair.a = cases[i].a;
        pair.b = cases[i].b;
        pair.never = cases[i].never;
        pair.always = cases[i].always;
        pair.surface.friction = cases[i].friction;
        hf_status status = hf_spec_add_pair(s.spec, &pair, &s.error);
        if (cases[i].words != NULL) {
            told(&s, status < 0, HF_OK, cases[i].words);
        } else if (status != HF_OK) {
            fail_msg("%s", s.error.text);
        }
    }
    // As many materials as there can be
    char name[20];
    hf_material found = {1};
    for (int i = 0; i < 100000 && found.id > 0; ++i) {
        (void)snprintf(name, sizeof name, "m%d", i);
        ice.name = name;
        found = hf_spec_add_material(s.spec, &ice, &s.error);
    }
    told(&s, found.id == 0, HF_ERROR_RANGE, "materials");
    finish(&s);
}

// ------------------------------------------------------------------------------------------------
// Laws of one's own

static double number_of(const void *def)
{
    (void)def;
    return 0.1;
}

static void sample(const void *def, const hf_law_in *in, double *memory)
{
    (void)def;
    (void)in;
    (void)memory;
}

static int none(const void *def, int dim)
{
    (void)def;
    (void)dim;
    return 0;
}

static hf_law_info law_like(hf_law_type type)
{
    hf_law_info law = *hf_law_info_get(type);
    law.name = "mine";
    law.exact = HF_EXACT_NONE;
    return law;
}

static void refused(scene *s, const hf_law_info *law, hf_status status, const char *words)
{
    told(s, hf_spec_register_law(s->spec, law, &s->error) == HF_LAW_FORCE, status, words);
}

static void own_laws_have_names_and_functions(void **state)
{
    (void)state;
    scene s = begin();
    const hf_law_info good = law_like(HF_LAW_SPRING);
    hf_law_info law = good;
    // Names
    static const char *const names[] = {NULL, "", "Mine", "my law", "l\xc3\xa4w"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        law.name = names[i];
        refused(&s, &law, HF_ERROR_NAME, "small letters");
    }
    static const char *const taken[] = {"spring", "force", "coulomb"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i) {
        law.name = taken[i];
        refused(&s, &law, HF_ERROR_NAME, "already");
    }
    // Functions that every law has
    for (int i = 0; i < 4; ++i) {
        law = good;
        law.set_default = i == 0 ? NULL : law.set_default;
        law.check = i == 1 ? NULL : law.check;
        law.state_count = i == 2 ? NULL : law.state_count;
        law.eval = i == 3 ? NULL : law.eval;
        refused(&s, &law, HF_ERROR_INPUT, "must be given");
    }
    // Sizes and counts
    for (int i = 0; i < 6; ++i) {
        law = good;
        law.def_size = i == 0 ? 0 : law.def_size;
        law.param_count = i == 1 ? -1 : law.param_count;
        law.input_count = i == 2 ? -1 : i == 3 ? HF_LAW_MAX_INPUTS + 1 : law.input_count;
        law.memory_count = i == 4 ? -1 : law.memory_count;
        law.channel_count = i == 5 ? -1 : law.channel_count;
        refused(&s, &law, HF_ERROR_INPUT, "out of range");
    }
    law = good;
    law.exact = HF_EXACT_CONTACT;
    refused(&s, &law, HF_ERROR_INPUT, "HF_EXACT_NONE");
    finish(&s);
}

static void own_laws_agree_with_themselves(void **state)
{
    (void)state;
    scene s = begin();
    const hf_law_info good = law_like(HF_LAW_SPRING);
    hf_law_info law;
    // What goes together
    for (int i = 0; i < 4; ++i) {
        law = good;
        law.period = i == 0 ? number_of : NULL;
        law.sample = i == 1 ? sample : NULL;
        law.batch = NULL;
        law.eval_batch = i == 2 ? hf_law_info_get(HF_LAW_SPRING)->eval_batch : NULL;
        law.channel_count = i == 3 ? 1 : 0;
        law.channels = NULL;
        if (i != 2 || law.eval_batch != NULL) {
            refused(&s, &law, HF_ERROR_INPUT, "go together");
        }
    }
    law = good;
    law.switch_count = none;
    refused(&s, &law, HF_ERROR_INPUT, "switch_count, switches and change");
    // The kind, and what agrees with it
    for (int i = 0; i < 3; ++i) {
        law = good;
        law.friction = i == 0;
        law.active = i == 1;
        law.needs_applied = i == 2;
        refused(&s, &law, HF_ERROR_INPUT, "do not agree with its kind");
    }
    law = law_like(HF_LAW_STICTION);
    law.friction = false;
    refused(&s, &law, HF_ERROR_INPUT, "do not agree with its kind");
    law.friction = law.active = true;
    refused(&s, &law, HF_ERROR_INPUT, "do not agree with its kind");
    law = law_like(HF_LAW_STOP);
    law.needs_applied = false;
    refused(&s, &law, HF_ERROR_INPUT, "do not agree with its kind");
    law.needs_applied = law.friction = true;
    refused(&s, &law, HF_ERROR_INPUT, "do not agree with its kind");
    law = law_like(HF_LAW_PID);
    law.active = false;
    refused(&s, &law, HF_ERROR_INPUT, "do not agree with its kind");
    law.active = true;
    law.input_count = 0;
    refused(&s, &law, HF_ERROR_INPUT, "do not agree with its kind");
    // Dimensions
    static const struct {
        hf_law_type like;
        int least, most;
        const char *words;
    } dims[] = {{HF_LAW_SPRING, 0, 1, "from 1 to 3"},  {HF_LAW_SPRING, 2, 1, "from 1 to 3"},
                {HF_LAW_SPRING, 1, 4, "from 1 to 3"},  {HF_LAW_CONTACT, 1, 6, "contact law"},
                {HF_LAW_CONTACT, 0, 3, "contact law"}, {HF_LAW_JOINT, 5, 6, "joint law"},
                {HF_LAW_JOINT, 6, 7, "joint law"}};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; ++i) {
        law = law_like(dims[i].like);
        law.min_dim = dims[i].least;
        law.max_dim = dims[i].most;
        refused(&s, &law, HF_ERROR_INPUT, dims[i].words);
    }
    finish(&s);
}

static void own_laws_describe_their_parameters(void **state)
{
    (void)state;
    scene s = begin();
    const hf_law_info good = law_like(HF_LAW_SPRING);
    hf_law_info law;
    // Names, units and meanings
    hf_param params[2] = {good.params[0], good.params[1]};
    law = good;
    law.params = params;
    law.param_count = 2;
    for (int i = 0; i < 3; ++i) {
        params[1] = good.params[1];
        params[1].name = i == 0 ? NULL : params[1].name;
        params[1].unit = i == 1 ? NULL : params[1].unit;
        params[1].meaning = i == 2 ? NULL : params[1].meaning;
        refused(&s, &law, HF_ERROR_INPUT, "no name, unit or meaning");
    }
    params[1] = params[0];
    refused(&s, &law, HF_ERROR_NAME, "two parameters");
    // Places in the definition
    static const hf_param_kind kinds[] = {HF_PARAM_NUMBER, HF_PARAM_LEVEL, HF_PARAM_LIST,
                                          HF_PARAM_FLAG, HF_PARAM_COUNT};
    static const char *const own[] = {"mine-0", "mine-1", "mine-2", "mine-3", "mine-4"};
    const size_t sizes[] = {sizeof(double), sizeof(hf_level), sizeof(hf_list), sizeof(bool),
                            sizeof(int)};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        // A byte too far, and beyond the end; what just fits is taken, below
        params[1] = good.params[1];
        params[1].kind = kinds[i];
        law.def_size = 1000;
        params[1].offset = 1000 - sizes[i] + 1;
        refused(&s, &law, HF_ERROR_RANGE, "outside the definition");
        params[1].offset = 1001;
        refused(&s, &law, HF_ERROR_RANGE, "outside the definition");
        params[1].offset = 1000 - sizes[i];
        law.name = own[i];
        if (hf_spec_register_law(s.spec, &law, &s.error) != (hf_law_type)(HF_LAW_OWN + (int)i)) {
            fail_msg("%s", s.error.text);
        }
        law.name = "mine";
    }
    finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules),
        cmocka_unit_test(mass_of_shapes),
        cmocka_unit_test(shapes),
        cmocka_unit_test(pairs_and_materials),
        cmocka_unit_test(own_laws_have_names_and_functions),
        cmocka_unit_test(own_laws_agree_with_themselves),
        cmocka_unit_test(own_laws_describe_their_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
