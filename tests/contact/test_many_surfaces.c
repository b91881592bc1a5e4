// SPDX-License-Identifier: Apache-2.0
// Methods that take contacts as forces design each restitution that surfaces can make: n surfaces
// that tell one make n (n + 1)/2 as pairs and n with the force's own. There is room for 4096: 89
// surfaces have 4094, 90 have 4185.
#include <stdio.h>
#include <string.h>

#include "hf_test.h"

#include <holdfast/contact.h>
#include <holdfast/models.h>

static void write_machine(int surfaces, char *text, size_t size)
{
    int used = snprintf(text, size, "method: {type: rk4, step: 1e-4}\nbodies:\n");
    for (int i = 0; i < surfaces; ++i) {
        used += snprintf(text + used, size - (size_t)used,
                         "  b%d: {type: rigid, mass: 1, position: [%d, 0, 0], shape: {type: box, "
                         "size: [0.1, 0.1, 0.1], restitution: %.3f}}\n",
                         i, i, 0.01 * (i + 1));
    }
    (void)snprintf(
        text + used, size - (size_t)used,
        "forces: [{name: c, type: collide, among: all, friction: 0, restitution: 0.5}]\n");
}

static void check_room(int surfaces, const char *refusal)
{
    static char text[20000];
    hf_error error = {0};
    write_machine(surfaces, text, sizeof text);
    hf_spec *spec = hf_spec_parse(text, strlen(text), "test", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_contact_methods();
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if ((sim == NULL) != (refusal != NULL) ||
        (refusal != NULL && strstr(error.text, refusal) == NULL)) {
        fail_msg("%d surfaces: expected '%s', got '%s'", surfaces, refusal == NULL ? "" : refusal,
                 error.text);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

static void room_for_restitutions(void **state)
{
    (void)state;
    check_room(89, NULL);
    check_room(90, "surfaces can make 4185 different restitutions; methods that take contacts as "
                   "forces have room for 4096");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(room_for_restitutions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
