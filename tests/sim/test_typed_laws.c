// SPDX-License-Identifier: Apache-2.0
// Laws with their own definitions: each function sets the law that takes this definition, and gives
// it back for that law alone.
#include <holdfast/holdfast.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"

// Every law of the list: its type, and a definition as large as its table says.
static void law_and_definition(void **state)
{
    (void)state;
    int count = 0;
#define CHECK(NAME, name)                                                                          \
    {                                                                                              \
        hf_force_def force = hf_force_def_default();                                               \
        hf_##name##_def def;                                                                       \
        memset(&def, 0, sizeof def);                                                               \
        hf_force_use_##name(&force, &def);                                                         \
        assert_int_equal(force.law, HF_LAW_##NAME);                                                \
        assert_ptr_equal(force.name, &def);                                                        \
        assert_ptr_equal(force.def, &def);                                                         \
        assert_int_equal(hf_law_info_get(force.law)->def_size, sizeof def);                        \
        hf_force_info info = {.type = HF_LAW_##NAME, .def = &def};                                 \
        assert_ptr_equal(hf_force_info_##name(&info), &def);                                       \
        info.type = HF_LAW_##NAME == HF_LAW_SPRING ? HF_LAW_PID : HF_LAW_SPRING;                   \
        assert_null(hf_force_info_##name(&info));                                                  \
        count += 1;                                                                                \
    }
    HF_LAW_DEFS(CHECK)
#undef CHECK
    assert_int_equal(count, 23); // all but bouc-wen, whose numbers are set by name
}

// On a spec, and out of the model.
static void on_a_spec(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "m";
    hf_force_def force = hf_force_def_default();
    force.name = "f";
    force.coupling.on_coordinate.body = hf_spec_add_mass(spec, &mass, &error);
    hf_spring_def spring = hf_spring_def_default();
    spring.stiffness = 5.0;
    hf_force_use_spring(&force, &spring);
    hf_force id = hf_spec_add_force(spec, &force, &error);
    assert_int_not_equal(id.id, 0);
    hf_stiction_def friction = hf_stiction_def_default();
    friction.level = hf_level_coulomb(3.0);
    assert_int_equal(hf_spec_use_stiction(spec, id, &friction, &error), HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    hf_force_info info = hf_model_force_info(model, hf_model_find_force(model, "f"));
    assert_null(hf_force_info_spring(&info));
    assert_non_null(hf_force_info_stiction(&info));
    assert_true(hf_force_info_stiction(&info)->level.kinetic[0] == 3.0);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

// A law without a function of its own: the size of its definition is compared.
static void of_any_law(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_law_info mine = *hf_law_info_get(HF_LAW_SPRING);
    mine.name = "mine";
    mine.exact = HF_EXACT_NONE;
    hf_law_type type = hf_spec_register_law(spec, &mine, &error);
    assert_int_equal(type, HF_LAW_OWN);
    hf_spring_def spring = hf_spring_def_default();
    hf_force_def force = hf_force_def_default(), before = force;
    // A definition that is not this law's, and none
    assert_int_equal(hf_force_use_own(&force, spec, type, &spring, sizeof(hf_stiction_def), &error),
                     HF_ERROR_INPUT);
    char want[100];
    (void)snprintf(want, sizeof want, "a definition of law 'mine' has %zu bytes, this one has %zu",
                   sizeof spring, sizeof(hf_stiction_def));
    assert_string_equal(error.text, want);
    assert_int_equal(hf_force_use_own(&force, spec, type, NULL, sizeof spring, &error),
                     HF_ERROR_INPUT);
    // A law of another spec, and a force that has no definition
    assert_int_equal(
        hf_force_use_own(&force, spec, (hf_law_type)(type + 1), &spring, sizeof spring, &error),
        HF_ERROR_NAME);
    assert_int_equal(hf_force_use_own(&force, spec, HF_LAW_FORCE, &spring, sizeof spring, &error),
                     HF_ERROR_NAME);
    assert_int_equal(force.law, before.law);
    assert_ptr_equal(force.def, before.def);
    // Its own
    assert_int_equal(hf_force_use_own(&force, spec, type, &spring, sizeof spring, &error), HF_OK);
    assert_int_equal(force.law, type);
    assert_ptr_equal(force.def, &spring);
    // The same for a force that the spec has, which keeps its law when the definition is refused
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "m";
    force.name = "f";
    force.coupling.on_coordinate.body = hf_spec_add_mass(spec, &mass, &error);
    hf_force id = hf_spec_add_force(spec, &force, &error);
    hf_stiction_def friction = hf_stiction_def_default();
    friction.level = hf_level_coulomb(3.0);
    assert_int_equal(hf_spec_use_own(spec, id, HF_LAW_STICTION, &spring, sizeof spring, &error),
                     HF_ERROR_INPUT);
    for (int other = 0; other < 2; ++other) {
        hf_model *model = hf_model_compile(spec, &error);
        hf_force_info info = hf_model_force_info(model, hf_model_find_force(model, "f"));
        assert_int_equal(info.type, other ? HF_LAW_STICTION : type);
        assert_true((hf_force_info_stiction(&info) != NULL) == (other == 1));
        hf_model_destroy(model);
        assert_int_equal(
            hf_spec_use_own(spec, id, HF_LAW_STICTION, &friction, sizeof friction, &error), HF_OK);
    }
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_and_definition),
        cmocka_unit_test(on_a_spec),
        cmocka_unit_test(of_any_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
