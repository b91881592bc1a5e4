// SPDX-License-Identifier: Apache-2.0
// Runs with derivatives, and differences of whole runs to compare them with.
#ifndef HF_TESTS_SENSITIVITY_RUNS_H
#define HF_TESTS_SENSITIVITY_RUNS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/models.h>
#include <holdfast/sensitivity.h>

#include "hf_test.h"

static inline hf_model *parse_with(const char *text, const char *name, double value)
{
    hf_error error = {0};
    char item[100];
    (void)snprintf(item, sizeof item, "%s=%.17g", name, value);
    const char *items[] = {item};
    hf_overrides overrides = {.items = items, .count = 1};
    hf_model *model = hf_model_parse(text, strlen(text), "test", NULL,
                                     name[0] == '\0' ? NULL : &overrides, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static inline hf_model *parse(const char *text)
{
    return parse_with(text, "", 0.0);
}

typedef struct run {
    hf_model *model;
    hf_sim *sim;
    hf_sensitivity *sensitivity;
} run;

static inline run begin(const char *text, const hf_sensitivity_term *terms, int count)
{
    hf_error error = {0};
    run r = {.model = parse(text)};
    r.sim = hf_sim_create(r.model, NULL, &error);
    if (r.sim == NULL) {
        fail_msg("%s", error.text);
    }
    if (count > 0) {
        r.sensitivity = hf_sensitivity_create(r.sim, terms, count, &error);
        if (r.sensitivity == NULL) {
            fail_msg("%s", error.text);
        }
    }
    return r;
}

static inline void finish(run *r)
{
    hf_sensitivity_destroy(r->sensitivity);
    hf_sim_destroy(r->sim);
    hf_model_destroy(r->model);
}

static inline void go(run *r, double until)
{
    hf_error error = {0};
    if (hf_sim_advance(r->sim, until, false, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
}

static inline void derivatives(run *r, const char *channel, double *values)
{
    hf_error error = {0};
    hf_channel c = hf_model_find_channel(r->model, channel);
    assert_true(c.id > 0);
    if (hf_sim_sensitivity(r->sim, &c, 1, values, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
}

// Channels at the end of a run with a parameter changed.
enum { MOST_CHANNELS = 4 };
static inline void values_with(const char *text, const char *name, double value, double until,
                               const char *const *channels, int count, double *values)
{
    hf_error error = {0};
    hf_model *model = parse_with(text, name, value);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    if (hf_sim_advance(sim, until, false, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    for (int i = 0; i < count; ++i) {
        values[i] = hf_sim_value(sim, hf_model_find_channel(model, channels[i]));
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Central differences of order four over whole runs.
static inline void by_differences(const char *text, const char *name, double value, double h,
                                  double until, const char *const *channels, int count,
                                  double *slopes)
{
    static const double at[] = {-2.0, -1.0, 1.0, 2.0}, weight[] = {1.0, -8.0, 8.0, -1.0};
    memset(slopes, 0, (size_t)count * sizeof *slopes);
    for (int k = 0; k < 4; ++k) {
        double values[MOST_CHANNELS];
        values_with(text, name, value + at[k] * h, until, channels, count, values);
        for (int i = 0; i < count; ++i) {
            slopes[i] += weight[k] * values[i] / (12.0 * h);
        }
    }
}

// A machine whose derivatives by a parameter are compared with those of whole runs.
typedef struct check {
    const char *text, *name; // of an entry, as --set has it
    double value;
    double until, h; // step of differences
    double allowed;  // over the derivative, or over 1
    const char *channels[MOST_CHANNELS];
    long long events; // at least
} check;

// Against differences of the runs of `reference`: the same machine.
static inline void compare_with(const check *c, const char *reference)
{
    double step = 1e-6 * fabs(c->value), want[MOST_CHANNELS], at = 0.0;
    hf_model *below = parse_with(c->text, c->name, c->value - step);
    hf_model *above = parse_with(c->text, c->name, c->value + step);
    const hf_sensitivity_term term = {
        .kind = HF_BY_MODEL, .below = below, .above = above, .step = step};
    run r = begin(c->text, &term, 1);
    int count = 0;
    while (count < MOST_CHANNELS && c->channels[count] != NULL) {
        ++count;
    }
    go(&r, c->until);
    by_differences(reference, c->name, c->value, c->h, c->until, c->channels, count, want);
    for (int k = 0; k < count; ++k) {
        derivatives(&r, c->channels[k], &at);
        hf_check_near(at, want[k], c->allowed * fmax(1.0, fabs(want[k])), c->name,
                      "differences of whole runs");
    }
    assert_true(hf_sim_get_stats(r.sim).events >= c->events);
    finish(&r);
    hf_model_destroy(below);
    hf_model_destroy(above);
}

static inline void compare(const check *c)
{
    compare_with(c, c->text);
}

#endif
