// SPDX-License-Identifier: Apache-2.0
// Which cases a sweep has: axes, and the value of each axis in each case.
//
// Axes are crossed: variants, methods, then the others in the order given, the last varies fastest.
// Axes that belong together (the columns of a CSV file; all random axes) vary together, as one.
#ifndef HF_SWEEP_PLAN_H
#define HF_SWEEP_PLAN_H

#include <holdfast/sweep.h>

#include "base/arena.h"

// How a value reaches the machine. The names are the roles of columns in the table.
#define HF_ROUTE_LIST(X)                                                                           \
    X(HF_ROUTE_SET, "set")             /* hf_overrides.items, at `path` */                         \
    X(HF_ROUTE_PARAMETER, "parameter") /* hf_spec_set_parameter */                                 \
    X(HF_ROUTE_VARIANT, "variant")                                                                 \
    X(HF_ROUTE_METHOD, "method")
typedef enum hf_route {
#define HF_ROUTE_ENUM(name, word) name,
    HF_ROUTE_LIST(HF_ROUTE_ENUM)
#undef HF_ROUTE_ENUM
} hf_route;
const char *hf_route_name(hf_route route);

typedef enum hf_axis_kind {
    HF_AXIS_NUMBERS, // one by one
    HF_AXIS_TEXTS,   // one by one
    HF_AXIS_LINEAR,  // from `low` to `high`
    HF_AXIS_LOG,
    HF_AXIS_UNIFORM, // random from here on: between `low` and `high`
    HF_AXIS_LOG_UNIFORM,
    HF_AXIS_NORMAL,    // mean `low`, standard deviation `high`
    HF_AXIS_LOG_NORMAL // median `low`, standard deviation of the logarithm `high`
} hf_axis_kind;

typedef struct hf_axis {
    const char *name; // as given; of the column
    const char *path; // HF_ROUTE_SET
    hf_route route;
    hf_axis_kind kind;
    double low, high;
    long long count;    // of values; 0: random
    double *numbers;    // HF_AXIS_NUMBERS
    const char **texts; // HF_AXIS_TEXTS
    int group;          // axes of one group vary together
    int random;         // number among the random axes; -1: not random
} hf_axis;

typedef struct hf_plan {
    int axis_count;
    hf_axis *axes;
    int group_count;
    long long *sizes; // of the groups
    long long count;  // of cases
    int random_count; // of random axes
    hf_sweep_design design;
    hf_sweep_indices indices;
    long long samples;
    unsigned long long seed;
    hf_arena arena;
} hf_plan;

typedef struct hf_axis_value {
    const char *text; // NULL: a number
    double number;
} hf_axis_value;

// Reads "NAME=VALUES" into an axis.
HF_NODISCARD hf_status hf_axis_parse(hf_plan *plan, const char *text, hf_axis *axis,
                                     hf_error *error);
// Adds an axis of texts, or of the numbers they all are.
HF_NODISCARD hf_status hf_axis_list(hf_plan *plan, hf_axis *axis, const char *const *texts,
                                    long long count, bool numbers, hf_error *error);

// All axes of a definition, and the number of cases. Routes and paths are not yet known.
HF_NODISCARD hf_status hf_plan_make(hf_plan *plan, const hf_sweep_def *def, hf_error *error);
void hf_plan_free(hf_plan *plan);

// By how much of a random axis's probability a step of Morris's walks moves it.
double hf_morris_step(const hf_axis *axis);

// The value of an axis in a case.
hf_axis_value hf_plan_value(const hf_plan *plan, int axis, long long index);

#endif
