// SPDX-License-Identifier: Apache-2.0
// What the tests of method timestep share.
#ifndef HF_TESTS_CONTACT_TEST_H
#define HF_TESTS_CONTACT_TEST_H

#include <hf_machine.h>
#include <holdfast/contact.h>

static inline hf_method_def timestep(double step)
{
    return (hf_method_def){.type = HF_METHOD_TIMESTEP, .step = step};
}

static inline hf_sim *sim_with(const hf_model *model, hf_method_def method)
{
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_contact_methods();
    return sim_from(model, &def);
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
