// SPDX-License-Identifier: Apache-2.0
// Laws in a model file: no law is known to the reader by name, all come from their tables.
#include "models_test.h"

#include "spec/spec_data.h"

// Appends "key: value" for a parameter, as it stands in the definition.
static void write_param(char *text, size_t size, const hf_param *param, const void *def)
{
    const void *member = (const char *)def + param->offset;
    size_t used = strlen(text);
    text += used;
    size -= used;
    switch (param->kind) {
    case HF_PARAM_NUMBER:
        (void)snprintf(text, size, ", %s: %.17g", param->name, *(const double *)member);
        break;
    case HF_PARAM_AUTO:
        if (*(const double *)member == 0) {
            (void)snprintf(text, size, ", %s: auto", param->name);
        } else {
            (void)snprintf(text, size, ", %s: %.17g", param->name, *(const double *)member);
        }
        break;
    case HF_PARAM_FLAG:
        (void)snprintf(text, size, ", %s: %s", param->name,
                       *(const bool *)member ? "true" : "false");
        break;
    case HF_PARAM_COUNT:
        (void)snprintf(text, size, ", %s: %d", param->name, *(const int *)member);
        break;
    case HF_PARAM_LIST: {
        const hf_list *list = member;
        int length = snprintf(text, size, ", %s: [", param->name);
        for (int i = 0; i < list->count; ++i) {
            length += snprintf(text + length, size - (size_t)length, "%s%.17g", i > 0 ? ", " : "",
                               list->values[i]);
        }
        (void)snprintf(text + length, size - (size_t)length, "]");
        break;
    }
    case HF_PARAM_LEVEL:
        (void)snprintf(text, size, ", %s: %.17g", param->name,
                       ((const hf_level *)member)->kinetic[0]);
        break;
    }
}

// Every law is known by its name, and every parameter of its table is a key.
static void every_parameter_of_every_law(void **state)
{
    (void)state;
    int seen = 0;
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)i);
        if (law == NULL) {
            continue;
        }
        bool contact = law->min_dim == 0, joint = law->min_dim > 3;
        max_align_t def[64];
        assert_true(law->def_size <= sizeof def);
        law->set_default(def);
        char text[4000];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  rod: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
                       "  block: {type: mass, dim: 1, mass: 1}\n"
                       "forces:\n"
                       "  - {name: f, law: %s, on: %s, type: %s",
                       law->name, contact || joint ? "rod" : "block",
                       contact              ? "contact"
                       : joint              ? "joint"
                       : law->friction      ? "friction"
                       : law->needs_applied ? "stop"
                       : law->active        ? "controller, reference: 0"
                                            : "spring");
        for (int k = 0; k < law->param_count; ++k) {
            write_param(text, sizeof text, &law->params[k], def);
        }
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "}\n");
        hf_spec *spec = parse_good(text);
        assert_int_equal(spec->force_count, 1);
        const hf_force_def *force = &spec->forces[0];
        assert_int_equal(force->law, law->type);
        for (int k = 0; k < law->param_count; ++k) {
            char got[400] = "", want[400] = "";
            write_param(got, sizeof got, &law->params[k], force->def);
            write_param(want, sizeof want, &law->params[k], def);
            assert_string_equal(got, want);
            ++seen;
        }
        hf_spec_destroy(spec);
    }
    assert_true(seen > 10);
}

int main(void)
{
    const struct CMUnitTest law_keys[] = {cmocka_unit_test(every_parameter_of_every_law)};
    return hf_run_tests(law_keys);
}
