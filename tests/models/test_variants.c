// SPDX-License-Identifier: Apache-2.0
// Variants of a file, and another law for its friction.
#include "models_test.h"

#include <holdfast/use_law.h>
#include <math.h>

#include "spec/spec_data.h"

static const char *const MODEL =
    "name: test\n"
    "method: {type: discrete, step: 1e-3}\n"
    "bodies:\n"
    "  block: {type: mass, dim: 1, mass: 1}\n"
    "forces:\n"
    "  - {name: spring, on: block, type: spring, stiffness: 1000}\n"
    "  - {name: floor, on: block, type: friction, stiffness: 8e4,\n"
    "     level: {kinetic: 4, static: 6, stribeck_velocity: 0.01}}\n"
    "  - {name: wall, on: block, type: friction, law: dahl, level: 2}\n"
    "variants:\n"
    "  heavy: {bodies.block.mass: 5, name: heavy test}\n"
    "  karnopp: {forces.floor: {name: floor, on: block, type: friction, law: karnopp, level: 1}}\n"
    "  same: {}\n";

static hf_spec *parse(const char *text, const hf_overrides *overrides, hf_error *error)
{
    *error = (hf_error){0};
    return hf_spec_parse(text, strlen(text), "model.yaml", NULL, overrides, error);
}

static hf_spec *parse_variant(const char *name)
{
    hf_error error;
    const hf_overrides overrides = {.variant = name};
    hf_spec *spec = parse(MODEL, &overrides, &error);
    if (spec == NULL) {
        fail_msg("%s", error.text);
    }
    return spec;
}

static void refused(const char *text, const hf_overrides *overrides, const char *expected)
{
    hf_error error;
    hf_spec *spec = parse(text, overrides, &error);
    assert_null(spec);
    if (strstr(error.text, expected) == NULL) {
        fail_msg("got '%s', want '%s'", error.text, expected);
    }
}

// ------------------------------------------------------------------------------------------------
// Variants

static void variants_change_the_file(void **state)
{
    (void)state;
    hf_spec *spec = parse_variant(NULL);
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 1, 0, "mass", "the file");
    hf_spec_destroy(spec);
    spec = parse_variant("heavy");
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 5, 0, "mass", "the variant");
    assert_string_equal(spec->name, "heavy test");
    assert_non_null(strstr(spec->text, "# --variant heavy\n"));
    hf_spec_destroy(spec);
    spec = parse_variant("karnopp");
    assert_int_equal(spec->forces[1].law, HF_LAW_KARNOPP);
    hf_spec_destroy(spec);
    hf_spec_destroy(parse_variant("same"));
}

static void overrides_come_after_the_variant(void **state)
{
    (void)state;
    hf_error error;
    const char *item = "bodies.block.mass=7";
    const hf_overrides overrides = {.items = &item, .count = 1, .variant = "heavy"};
    hf_spec *spec = parse(MODEL, &overrides, &error);
    assert_non_null(spec);
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 7, 0, "mass", "the override");
    hf_spec_destroy(spec);
}

static void variants_are_listed(void **state)
{
    (void)state;
    hf_variants variants;
    assert_int_equal(hf_variants_parse(MODEL, strlen(MODEL), "m", &variants, NULL), HF_OK);
    assert_int_equal(variants.count, 3);
    assert_string_equal(variants.names[0], "heavy");
    assert_string_equal(variants.names[2], "same");
    hf_variants_free(&variants);
    const char *none = "bodies: {b: {type: mass, mass: 1}}\n";
    assert_int_equal(hf_variants_parse(none, strlen(none), "m", &variants, NULL), HF_OK);
    assert_int_equal(variants.count, 0);
    hf_variants_free(&variants);
    assert_true(hf_variants_load("/nowhere.yaml", &variants, NULL) < 0);
}

static void bad_variants_are_refused(void **state)
{
    (void)state;
    refused(MODEL, &(hf_overrides){.variant = "hevy"},
            "there is no variant 'hevy' (did you mean 'heavy'?); variants are heavy, karnopp");
    // Where it is chosen, and where none is
    const char *lost = "bodies: {b: {type: mass, mass: 1}}\nvariants:\n"
                       "  lost: {forces.roof.level: 1}\n  same: {}\n";
    refused(lost, &(hf_overrides){.variant = "lost"}, "model.yaml:3:10: variant lost: ");
    refused(lost, NULL, "model.yaml:3:10: variant lost: ");
    const char *none = "bodies: {b: {type: mass, mass: 1}}\n";
    refused(none, &(hf_overrides){.variant = "a"}, "the file has no variants");
    refused("bodies: {b: {type: mass, mass: 1}}\nvariants: [a]\n", NULL, "a map of variants");
    refused("bodies: {b: {type: mass, mass: 1}}\nvariants: {a: 3}\n", NULL,
            "model.yaml:2:15: variant 'a'");
    refused("bodies: {b: {type: mass, mass: 1}}\nvariants: {'a b': {}}\n", NULL, "a b");
    // The place of a number is that in the variant.
    refused("bodies: {b: {type: mass, mass: 1}}\nvariants: {a: {bodies.b.mass: -1}}\n",
            &(hf_overrides){.variant = "a"}, "model.yaml:2:31: body 'b': mass must be positive");
}

// ------------------------------------------------------------------------------------------------
// Another law

static hf_spec *with_law(const char *text, const hf_law_change *law)
{
    hf_error error;
    const hf_overrides overrides = {.law = law};
    hf_spec *spec = parse(text, &overrides, &error);
    if (spec == NULL) {
        fail_msg("%s", error.text);
    }
    return spec;
}

static void common_parameters_stay(void **state)
{
    (void)state;
    hf_spec *spec = with_law(MODEL, &(hf_law_change){.law = "lugre"});
    assert_int_equal(spec->forces[0].law, HF_LAW_SPRING);
    assert_int_equal(spec->forces[1].law, HF_LAW_LUGRE);
    assert_int_equal(spec->forces[2].law, HF_LAW_LUGRE);
    const hf_lugre_def *lugre = spec->forces[1].def;
    hf_check_near(lugre->level.kinetic[HF_FORTH], 4, 0, "kinetic level", "the file");
    hf_check_near(lugre->level.peak[HF_FORTH], 6, 0, "static level", "the file");
    hf_check_near(lugre->stiffness, 8e4, 0, "stiffness", "the file");
    hf_check_near(lugre->damping, hf_lugre_def_default().damping, 0, "damping", "default");
    assert_non_null(strstr(spec->text, "# --laws lugre"));
    hf_spec_destroy(spec);
}

static void named_forces_and_parameters(void **state)
{
    (void)state;
    const char *const force = "wall", *const parameters[] = {"threshold=0.5", "level={coulomb: 3}"};
    hf_spec *spec = with_law(MODEL, &(hf_law_change){.law = "karnopp",
                                                     .parameters = parameters,
                                                     .parameter_count = 2,
                                                     .forces = &force,
                                                     .force_count = 1});
    assert_int_equal(spec->forces[1].law, HF_LAW_STICTION);
    assert_int_equal(spec->forces[2].law, HF_LAW_KARNOPP);
    const hf_karnopp_def *karnopp = spec->forces[2].def;
    hf_check_near(karnopp->threshold, 0.5, 0, "threshold", "the parameter");
    hf_check_near(karnopp->level.kinetic[HF_BACK], 3, 0, "level", "the parameter");
    hf_spec_destroy(spec);
}

// One element becomes several that do the same together, and back.
static void elements_share(void **state)
{
    (void)state;
    hf_spec *spec = with_law(MODEL, &(hf_law_change){.law = "compound"});
    const hf_compound_def *compound = spec->forces[1].def;
    double levels = 0, stiffness = 0;
    for (int i = 0; i < compound->levels.count; ++i) {
        levels += compound->levels.values[i];
        stiffness += compound->stiffnesses.values[i];
    }
    hf_check_near(levels * compound->factor.kinetic[0], 4, 1e-14, "sum of kinetic levels", "level");
    hf_check_near(levels * compound->factor.peak[0], 6, 1e-14, "sum of static levels", "level");
    hf_check_near(stiffness, 8e4, 1e-9, "sum of stiffnesses", "stiffness");
    hf_spec_destroy(spec);

    spec = with_law(MODEL, &(hf_law_change){.law = "leuven"}); // must be able to carry the level
    const hf_leuven_def *leuven = spec->forces[1].def;
    levels = 0;
    for (int i = 0; i < leuven->levels.count; ++i) {
        levels += leuven->levels.values[i];
    }
    hf_check_near(levels, 6, 1e-14, "sum of levels", "static level");
    hf_spec_destroy(spec);

    const char *table = "bodies: {b: {type: mass, dim: 1, mass: 1}}\n"
                        "forces:\n"
                        "  - {name: f, on: b, type: friction, law: stiction, stiffness: 100,\n"
                        "     level: {table: [[0, 2], [0.1, 5], [0.2, 3]]}}\n";
    spec = with_law(table, &(hf_law_change){.law = "leuven"});
    leuven = spec->forces[0].def;
    levels = 0;
    for (int i = 0; i < leuven->levels.count; ++i) {
        levels += leuven->levels.values[i];
    }
    hf_check_near(levels, 5, 1e-14, "sum of levels", "the largest of the table");
    hf_spec_destroy(spec);

    const char *several =
        "bodies: {b: {type: mass, dim: 1, mass: 1}}\n"
        "forces:\n"
        "  - {name: f, on: b, type: friction, law: maxwell-slip, levels: [1, 3],\n"
        "     stiffnesses: [10, 20]}\n";
    spec = with_law(several, &(hf_law_change){.law = "stiction"});
    const hf_stiction_def *stiction = spec->forces[0].def;
    hf_check_near(stiction->level.kinetic[0], 4, 0, "level", "sum");
    hf_check_near(stiction->stiffness, 30, 0, "stiffness", "sum");
    hf_spec_destroy(spec);
    spec = with_law(several, &(hf_law_change){.law = "gms"});
    const hf_gms_def *gms = spec->forces[0].def;
    hf_check_near(gms->level.kinetic[0], 4, 0, "level", "sum");
    hf_check_near(gms->shares.values[1], 0.75, 0, "share", "3 of 4");
    hf_check_near(gms->stiffnesses.values[1], 20, 0, "stiffness", "the file");
    hf_spec_destroy(spec);
    spec = with_law(several, &(hf_law_change){.law = "compound"});
    compound = spec->forces[0].def;
    assert_int_equal(compound->levels.count, 2);
    assert_int_equal(compound->dampings.count, 0);
    hf_spec_destroy(spec);
}

// A common factor that is a table, or has a level for each side, is multiplied too: 6 N, not 1 N.
static void factors_are_multiplied(void **state)
{
    (void)state;
    const char *table = "bodies: {b: {type: mass, dim: 1, mass: 1}}\n"
                        "forces:\n"
                        "  - {name: f, on: b, type: friction, law: maxwell-slip, levels: [2, 4],\n"
                        "     stiffnesses: [10, 20], factor: {table: [[0, 1], [0.1, 0.5]]}}\n";
    hf_spec *spec = with_law(table, &(hf_law_change){.law = "stiction"});
    const hf_stiction_def *stiction = spec->forces[0].def;
    hf_check_near(hf_level_at(&stiction->level, HF_FORTH, 0, 1, HF_REGIME_SLIP), 6, 0, "level",
                  "(2 N + 4 N) times 1");
    hf_check_near(hf_level_at(&stiction->level, HF_BACK, 0.1, 1, HF_REGIME_SLIP), 3, 0, "level",
                  "(2 N + 4 N) times 0.5");
    hf_spec_destroy(spec);
    const char *sides = "bodies: {b: {type: mass, dim: 1, mass: 1}}\n"
                        "forces:\n"
                        "  - {name: f, on: b, type: friction, law: compound, levels: [2, 4],\n"
                        "     stiffnesses: [10, 20], dampings: [], factor: {kinetic: [1, 0.5]}}\n";
    spec = with_law(sides, &(hf_law_change){.law = "stiction"});
    stiction = spec->forces[0].def;
    hf_check_near(stiction->level.kinetic[HF_FORTH], 6, 0, "level forth", "(2 N + 4 N) times 1");
    hf_check_near(stiction->level.kinetic[HF_BACK], 3, 0, "level back", "(2 N + 4 N) times 0.5");
    hf_spec_destroy(spec);
}

static hf_level random_level(hf_rng *rng, double *speeds, double *levels)
{
    hf_level level = hf_level_coulomb(1);
    for (int k = 0; k < 2; ++k) {
        level.kinetic[k] = hf_rng_uniform(rng, 0.5, 2);
        level.peak[k] = level.kinetic[k] + hf_rng_uniform(rng, 0, 1);
        level.stribeck[k] = hf_rng_uniform(rng, 0.01, 0.1);
        level.viscous[k] = hf_rng_uniform(rng, 0, 3);
    }
    if (hf_rng_int(rng, 0, 1) == 1) {
        for (int i = 0; i < 3; ++i) {
            speeds[i] = 0.1 * i;
            levels[i] = hf_rng_uniform(rng, 0.5, 2);
        }
        level.table_speed = (hf_list){speeds, 3};
        level.table_level = (hf_list){levels, 3};
    }
    return level;
}

// The level that a law of one or of several elements slides under.
static double total_level(const hf_law_info *law, const void *def, int side, double speed)
{
    const hf_param *level = hf_law_param(law, "level"), *factor = hf_law_param(law, "factor");
    const hf_param *levels = hf_law_param(law, "levels");
    const char *bytes = def;
    double sum = 1;
    if (level == NULL) {
        const hf_list *list = (const void *)(bytes + levels->offset);
        sum = 0;
        for (int i = 0; i < list->count; ++i) {
            sum += list->values[i];
        }
    }
    const void *place = bytes + (level != NULL ? level : factor)->offset;
    return sum * hf_level_at(place, side, speed, 1, HF_REGIME_SLIP);
}

// Whatever laws a friction goes through, its level stays the same function of the velocity.
static void levels_survive_every_change(void **state)
{
    (void)state;
    static const hf_law_type laws[] = {HF_LAW_STICTION, HF_LAW_COMPOUND,     HF_LAW_DAHL,
                                       HF_LAW_GMS,      HF_LAW_MAXWELL_SLIP, HF_LAW_LEUVEN};
    hf_rng rng = hf_rng_create(71);
    for (int n = 0; n < 100; ++n) {
        hf_error error = {0};
        hf_spec *spec = hf_spec_create();
        hf_mass_def mass = hf_mass_def_default();
        mass.name = "b";
        mass.dim = 1;
        hf_compound_def compound = hf_compound_def_default();
        double speeds[3], values[3], shares[2] = {hf_rng_uniform(&rng, 0.5, 5), 2},
                                     stiffnesses[2] = {1e4, 3e4};
        compound.levels = (hf_list){shares, 2};
        compound.stiffnesses = (hf_list){stiffnesses, 2};
        compound.dampings = (hf_list){0};
        compound.factor = random_level(&rng, speeds, values);
        hf_force_def def = hf_force_def_default();
        def.name = "f";
        def.coupling.on_coordinate.body = hf_spec_add_mass(spec, &mass, &error);
        hf_force_use_compound(&def, &compound);
        hf_force force = hf_spec_add_force(spec, &def, &error);
        assert_int_equal(force.id, 1);
        for (int k = 0; k < 6; ++k) {
            hf_law_type type = laws[hf_rng_int(&rng, 0, 5)];
            const hf_law_info *law = hf_spec_law(spec, type);
            if (hf_spec_change_law(spec, force, type, &error) != HF_OK) {
                fail_msg("%s", error.text);
            }
            for (int i = 0; i < 5; ++i) {
                double speed = hf_rng_uniform(&rng, 0, 0.3);
                int side = hf_rng_int(&rng, 0, 1);
                double want =
                    (shares[0] + 2) * hf_level_at(&compound.factor, side, speed, 1, HF_REGIME_SLIP);
                hf_check_near(total_level(law, spec->forces[0].def, side, speed), want,
                              1e-12 * want, "level", "that of the first law");
            }
        }
        hf_spec_destroy(spec);
    }
}

static bool has_level(const hf_law_info *law)
{
    bool has = false;
    for (int i = 0; i < law->param_count; ++i) {
        has = has || strcmp(law->params[i].name, "level") == 0;
    }
    return has;
}

// Every law can take the place of every other.
static void every_pair_of_laws(void **state)
{
    (void)state;
    int pairs = 0;
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *old = hf_law_info_get((hf_law_type)i);
        for (int k = 0; k < HF_LAW_TYPE_COUNT; ++k) {
            const hf_law_info *law = hf_law_info_get((hf_law_type)k);
            if (old == NULL || law == NULL || !old->friction || !law->friction ||
                old->min_dim != 1 || law->min_dim != 1) {
                continue;
            }
            char text[400];
            (void)snprintf(text, sizeof text,
                           "bodies: {b: {type: mass, dim: 1, mass: 1}}\n"
                           "method: {type: discrete}\n"
                           "forces: [{name: f, on: b, type: friction, law: %s%s}]\n",
                           old->name, has_level(old) ? ", level: 1" : "");
            hf_spec *spec = with_law(text, &(hf_law_change){.law = law->name});
            assert_int_equal(spec->forces[0].law, law->type);
            hf_spec_destroy(spec);
            ++pairs;
        }
    }
    assert_true(pairs >= 15 * 15);
}

static void bad_changes_are_refused(void **state)
{
    (void)state;
    const char *roof = "roof", *spring = "spring", *key = "thresold=1", *range = "threshold=-1",
               *shape = "threshold";
    hf_law_change law = {.law = "karnop"};
    const hf_overrides overrides = {.law = &law};
    refused(MODEL, &overrides, "unknown friction law 'karnop'; did you mean 'karnopp'?");
    law = (hf_law_change){.law = "spring"};
    refused(MODEL, &overrides, "unknown friction law 'spring'");
    law = (hf_law_change){.law = "karnopp", .forces = &roof, .force_count = 1};
    refused(MODEL, &overrides, "there is no force 'roof'");
    law.forces = &spring;
    refused(MODEL, &overrides, "the force 'spring' is not of the type friction");
    law = (hf_law_change){.law = "karnopp", .parameters = &key, .parameter_count = 1};
    refused(MODEL, &overrides, "the law karnopp has no 'thresold'; did you mean 'threshold'?");
    law.parameters = &range;
    refused(MODEL, &overrides, "--laws karnopp: friction 'floor': threshold must be");
    law.parameters = &shape;
    refused(MODEL, &overrides, "expected LAW:KEY=VALUE");
    law = (hf_law_change){.law = "karnopp"};
    refused("bodies: {b: {type: mass, mass: 1}}\n", &overrides, "no force of the type friction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_change_the_file),
        cmocka_unit_test(overrides_come_after_the_variant),
        cmocka_unit_test(variants_are_listed),
        cmocka_unit_test(bad_variants_are_refused),
        cmocka_unit_test(common_parameters_stay),
        cmocka_unit_test(named_forces_and_parameters),
        cmocka_unit_test(elements_share),
        cmocka_unit_test(factors_are_multiplied),
        cmocka_unit_test(levels_survive_every_change),
        cmocka_unit_test(every_pair_of_laws),
        cmocka_unit_test(bad_changes_are_refused),
    };
    return hf_run_tests(tests);
}
