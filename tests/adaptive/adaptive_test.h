// SPDX-License-Identifier: Apache-2.0
// What the tests of adaptive methods share: machines from text, and runs.
#ifndef HF_TESTS_ADAPTIVE_TEST_H
#define HF_TESTS_ADAPTIVE_TEST_H

#include <hf_test.h>
#include <holdfast/holdfast.h>

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

static inline hf_sim *sim_with(const hf_model *model, hf_method_def method)
{
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_adaptive_methods();
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

enum { MOST_EVENTS = 400 };

typedef struct event_log {
    hf_event events[MOST_EVENTS];
    int count;
} event_log;

static inline void keep_event(void *context, const hf_event *event)
{
    event_log *log = context;
    if (log->count < MOST_EVENTS) {
        log->events[log->count++] = *event;
    }
}

// A sim whose events are kept.
static inline hf_sim *sim_logged(const hf_model *model, hf_method_def method, event_log *log)
{
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_adaptive_methods();
    def.on_event = keep_event;
    def.event_context = log;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static inline hf_method_def adaptive(hf_method_family family, double tolerance, double step)
{
    return (hf_method_def){.type = HF_METHOD_ADAPTIVE,
                           .step = step,
                           .family = family,
                           .rtol = tolerance,
                           .atol = tolerance};
}

static inline void run_until(hf_sim *sim, double end)
{
    hf_error error = {0};
    while (hf_sim_time(sim) < end * (1.0 - 1e-12)) {
        if (hf_sim_step(sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
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

#endif
