// SPDX-License-Identifier: Apache-2.0
// What the tests of adaptive methods share.
#ifndef HF_TESTS_ADAPTIVE_TEST_H
#define HF_TESTS_ADAPTIVE_TEST_H

#include <hf_machine.h>
#include <holdfast/holdfast.h>

#include "sim/sim_data.h"

static inline hf_method_def adaptive(hf_method_family family, double tolerance, double step)
{
    return (hf_method_def){.type = HF_METHOD_ADAPTIVE,
                           .step = step,
                           .family = family,
                           .rtol = tolerance,
                           .atol = tolerance};
}

static inline hf_method_def switching(hf_method_family family, double tolerance, double step)
{
    hf_method_def method = adaptive(family, tolerance, step);
    method.type = HF_METHOD_SWITCH;
    return method;
}

static inline hf_sim_def def_with(const hf_model *model, hf_method_def method)
{
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_adaptive_methods();
    return def;
}

static inline hf_sim *sim_with(const hf_model *model, hf_method_def method)
{
    hf_sim_def def = def_with(model, method);
    return sim_from(model, &def);
}

// ------------------------------------------------------------------------------------------------
// Events

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
    hf_sim_def def = def_with(model, method);
    def.on_event = keep_event;
    def.event_context = log;
    return sim_from(model, &def);
}

static inline void check_event(const event_log *log, int index, double time, double allowance,
                               int to, const char *origin)
{
    char what[40];
    assert_true(index < log->count);
    (void)snprintf(what, sizeof what, "time of event %d", index);
    hf_check_near(log->events[index].time, time, allowance, what, origin);
    assert_int_equal(log->events[index].to, to);
}

// ------------------------------------------------------------------------------------------------
// Save and restore

// Saves `first` at a time, goes on with it and with `second` from there: the same bits at the end.
static inline void check_restored(hf_sim *first, hf_sim *second, double when, double end)
{
    hf_error error = {0};
    size_t size = hf_sim_save_size(first);
    void *memory = malloc(size);
    assert_non_null(memory);
    run_until(first, when);
    hf_sim_save(first, memory);
    assert_int_equal(hf_sim_restore(second, memory, size, &error), HF_OK);
    run_until(first, end);
    run_until(second, end);
    for (int k = 0; k < hf_sim_model(first)->n; ++k) {
        hf_check_same_bits(second->x[k], first->x[k], "state");
    }
    free(memory);
}

#endif
