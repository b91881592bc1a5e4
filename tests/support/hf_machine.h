// SPDX-License-Identifier: Apache-2.0
// What tests of methods share: machines from text, and runs. For programs that link
// holdfast-models.
#ifndef HF_TESTS_SUPPORT_HF_MACHINE_H
#define HF_TESTS_SUPPORT_HF_MACHINE_H

#include <hf_test.h>
#include <holdfast/models.h>
#include <holdfast/sim.h>

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

static inline hf_sim *sim_from(const hf_model *model, const hf_sim_def *def)
{
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

// Expects hf_sim_create to fail with a message that contains `expected`.
static inline void expect_refusal(const hf_model *model, const hf_sim_def *def,
                                  const char *expected)
{
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, def, &error);
    if (sim != NULL) {
        fail_msg("expected a refusal with '%s'", expected);
    }
    if (strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s' in '%s'", expected, error.text);
    }
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

// A machine whose channel has an answer in closed form.
typedef struct hf_closed_form {
    const char *name;
    double end, want, allowed; // time [s]; answer there, and what steps of 1 ms may err
    const char *channel;
    const char *machine; // all of the file but its method
} hf_closed_form;

// Runs it under `method` ("type: rk4, step: 1e-3"); the run must be trustworthy.
static inline void check_closed_form(const hf_closed_form *c, const char *method, double allowed)
{
    char text[2000], what[200];
    (void)snprintf(text, sizeof text, "method: {%s}\n%s", method, c->machine);
    (void)snprintf(what, sizeof what, "%s (%s)", c->name, method);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, c->end);
    hf_check_near(value_of(sim, c->channel), c->want, allowed, what, "closed form");
    if (!hf_sim_verdict(sim).trustworthy) {
        fail_msg("%s: %s", what, hf_sim_verdict(sim).why);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

#endif
