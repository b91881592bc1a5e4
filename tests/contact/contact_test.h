// SPDX-License-Identifier: Apache-2.0
// What the tests of method timestep share: machines from text, and runs.
#ifndef HF_TESTS_CONTACT_TEST_H
#define HF_TESTS_CONTACT_TEST_H

#include <hf_test.h>
#include <holdfast/contact.h>
#include <holdfast/models.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline hf_model *model_of(const char *text)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "machine.yaml", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(spec);
    return model;
}

static inline hf_method_def timestep(double step)
{
    return (hf_method_def){.type = HF_METHOD_TIMESTEP, .step = step};
}

static inline hf_sim *sim_with(const hf_model *model, hf_method_def method)
{
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_contact_methods();
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static inline void step(hf_sim *sim)
{
    hf_error error = {0};
    if (hf_sim_step(sim, &error) < 0) {
        fail_msg("%s", error.text);
    }
}

static inline void run_until(hf_sim *sim, double end)
{
    while (hf_sim_time(sim) < end * (1.0 - 1e-12)) {
        step(sim);
    }
}

static inline double value_of(hf_sim *sim, const char *channel)
{
    hf_channel found = hf_model_find_channel(hf_sim_model(sim), channel);
    if (found.id == 0) {
        fail_msg("no channel '%s'", channel);
    }
    return hf_sim_value(sim, found);
}

// A value at `end` of a machine run with a step.
static inline double value_after(const char *text, hf_method_def method, double end,
                                 const char *channel)
{
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, method);
    run_until(sim, end);
    double value = value_of(sim, channel);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return value;
}

#endif
