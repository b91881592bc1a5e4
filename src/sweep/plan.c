// SPDX-License-Identifier: Apache-2.0
// Which cases a sweep has: its axes, and the values of each case.
#include "sweep/plan.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sweep/design.h"

static const double MOST_CASES = 1e9;
enum { MORRIS_LEVELS = 4 };

const char *hf_route_name(hf_route route)
{
    static const char *const names[] = {
#define HF_ROUTE_WORD(name, word) word,
        HF_ROUTE_LIST(HF_ROUTE_WORD)
#undef HF_ROUTE_WORD
    };
    return names[route];
}

// ------------------------------------------------------------------------------------------------
// Making

static bool is_random(const hf_axis *axis)
{
    return axis->kind >= HF_AXIS_UNIFORM;
}

static hf_status add_names(hf_plan *plan, const char *name, hf_route route,
                           const char *const *names, int count, hf_error *error)
{
    if (count == 0) {
        return HF_OK;
    }
    hf_axis *axis = &plan->axes[plan->axis_count++];
    *axis = (hf_axis){.name = name, .route = route, .random = -1, .group = plan->group_count++};
    return hf_axis_list(plan, axis, names, count, false, error);
}

// Texts for an axis called variant or method are what its name says.
static hf_route route_of(const hf_axis *axis)
{
    return axis->kind != HF_AXIS_TEXTS          ? HF_ROUTE_SET
           : strcmp(axis->name, "variant") == 0 ? HF_ROUTE_VARIANT
           : strcmp(axis->name, "method") == 0  ? HF_ROUTE_METHOD
                                                : HF_ROUTE_SET;
}

// The columns of a CSV file.
static hf_status add_table(hf_plan *plan, const hf_table *table, const char *path, hf_error *error)
{
    if (table->rows == 0) {
        return hf_error_set(error, HF_ERROR_INPUT, "%.300s: there are no cases in it", path);
    }
    // A column is an axis, by numbers or by texts
    for (int k = 0; k < table->column_count; ++k) {
        const hf_table_column *column = &table->columns[k];
        hf_axis *axis = &plan->axes[plan->axis_count++];
        *axis = (hf_axis){.name = hf_arena_string(&plan->arena, column->name),
                          .random = -1,
                          .group = plan->group_count,
                          .kind = HF_AXIS_NUMBERS,
                          .count = table->rows};
        if (column->texts != NULL) {
            HF_TRY(hf_axis_list(plan, axis, (const char *const *)column->texts, table->rows, false,
                                error));
        } else {
            axis->numbers = hf_arena_copy(&plan->arena, column->numbers, (size_t)table->rows,
                                          sizeof *axis->numbers);
        }
        if (axis->name == NULL || (axis->numbers == NULL && axis->texts == NULL)) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
        }
        axis->route = route_of(axis);
        // Numbers that can be used
        for (long long i = 0; axis->numbers != NULL && i < table->rows; ++i) {
            if (!isfinite(axis->numbers[i])) {
                return hf_error_set(error, HF_ERROR_RANGE,
                                    "%.200s: column '%.60s', case %lld: %g is not a finite number",
                                    path, column->name, i, axis->numbers[i]);
            }
        }
    }
    plan->group_count += 1;
    return HF_OK;
}

static hf_status add_axes(hf_plan *plan, const hf_sweep_def *def, const hf_table *table,
                          hf_error *error)
{
    HF_TRY(add_names(plan, "variant", HF_ROUTE_VARIANT, def->variants, def->variant_count, error));
    HF_TRY(add_names(plan, "method", HF_ROUTE_METHOD, def->methods, def->method_count, error));
    for (int i = 0; i < def->vary_count; ++i) {
        hf_axis *axis = &plan->axes[plan->axis_count];
        HF_TRY(hf_axis_parse(plan, def->vary[i], axis, error));
        plan->axis_count += 1;
        axis->route = route_of(axis);
        if (is_random(axis)) {
            axis->random = plan->random_count++;
        } else {
            axis->group = plan->group_count++;
        }
    }
    HF_TRY(table == NULL ? HF_OK : add_table(plan, table, def->cases, error));
    // Random axes are the last group: samples of one case stand together.
    for (int k = 0; k < plan->axis_count; ++k) {
        if (plan->axes[k].random >= 0) {
            plan->axes[k].group = plan->group_count;
        }
    }
    plan->group_count += plan->random_count > 0 ? 1 : 0;
    // No name twice
    for (int k = 0; k < plan->axis_count; ++k) {
        for (int j = 0; j < k; ++j) {
            if (strcmp(plan->axes[j].name, plan->axes[k].name) == 0) {
                return hf_error_set(error, HF_ERROR_NAME, "'%.100s' varies twice",
                                    plan->axes[k].name);
            }
        }
    }
    return HF_OK;
}

// Cases of the random group.
static long long random_cases(const hf_plan *plan)
{
    int more = plan->indices == HF_SWEEP_SOBOL_INDICES ? plan->random_count + 2
               : plan->indices == HF_SWEEP_MORRIS      ? plan->random_count + 1
                                                       : 1;
    return plan->samples * more;
}

static hf_status check_random(const hf_plan *plan, hf_error *error)
{
    int coordinates = plan->random_count * (plan->indices == HF_SWEEP_SOBOL_INDICES ? 2 : 1);
    if (plan->indices != HF_SWEEP_NO_INDICES &&
        (plan->random_count == 0 || plan->group_count > 1)) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "indices need random axes (NAME=uniform:LOW:HIGH, normal, ...) and "
                            "none of another kind");
    }
    if (plan->random_count > 0 && !(plan->samples >= 1 && (double)plan->samples <= MOST_CASES)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "random axes need a number of samples, from 1 to %g, got %lld",
                            MOST_CASES, plan->samples);
    }
    if (plan->indices == HF_SWEEP_SOBOL_INDICES && plan->samples < 2) {
        return hf_error_set(error, HF_ERROR_RANGE, "Sobol' indices need 2 samples or more");
    }
    if (plan->design == HF_SWEEP_SOBOL && plan->indices != HF_SWEEP_MORRIS &&
        coordinates > HF_SOBOL_AXES) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "a Sobol' sequence has %d coordinates at most, and %d random axes%s "
                            "need %d: take another design",
                            HF_SOBOL_AXES, plan->random_count,
                            coordinates > plan->random_count ? " with their indices" : "",
                            coordinates);
    }
    return HF_OK;
}

static hf_status count_cases(hf_plan *plan, hf_error *error)
{
    double total = 1.0;
    plan->sizes = hf_arena_alloc(&plan->arena, (size_t)plan->group_count, sizeof *plan->sizes);
    if (plan->sizes == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
    }
    plan->count = 1;
    for (int k = 0; k < plan->axis_count; ++k) {
        const hf_axis *axis = &plan->axes[k];
        plan->sizes[axis->group] = axis->random >= 0 ? random_cases(plan) : axis->count;
    }
    for (int g = 0; g < plan->group_count; ++g) {
        total *= (double)plan->sizes[g];
        if (!(total <= MOST_CASES)) {
            return hf_error_set(error, HF_ERROR_RANGE, "%g cases are more than %g", total,
                                MOST_CASES);
        }
        plan->count *= plan->sizes[g];
    }
    return HF_OK;
}

hf_status hf_plan_make(hf_plan *plan, const hf_sweep_def *def, hf_error *error)
{
    *plan = (hf_plan){
        .design = def->design, .indices = def->indices, .samples = def->samples, .seed = def->seed};
    hf_table *table = NULL;
    if (def->cases != NULL) {
        table = hf_table_read(def->cases, error);
        if (table == NULL) {
            return error == NULL ? HF_ERROR_FILE : error->status;
        }
    }
    size_t most = (size_t)def->vary_count + 2 + (table == NULL ? 0 : (size_t)table->column_count);
    plan->axes = hf_arena_alloc(&plan->arena, most, sizeof *plan->axes);
    hf_status status = plan->axes == NULL
                           ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep")
                           : add_axes(plan, def, table, error);
    hf_table_destroy(table);
    HF_TRY(status);
    if (plan->axis_count == 0) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "nothing varies: give axes, as in "
                            "floor.level=1:20:96, variants or methods");
    }
    HF_TRY(check_random(plan, error));
    return count_cases(plan, error);
}

void hf_plan_free(hf_plan *plan)
{
    hf_arena_free(&plan->arena);
}

// ------------------------------------------------------------------------------------------------
// Values

// Probability below the lowest of Morris's levels, and above the highest: distributions without
// bounds have no value at 0 and 1.
static double morris_tail(const hf_axis *axis)
{
    return axis->kind == HF_AXIS_NORMAL || axis->kind == HF_AXIS_LOG_NORMAL ? 0.005 : 0.0;
}

double hf_morris_step(const hf_axis *axis)
{
    return (1.0 - 2.0 * morris_tail(axis)) * (0.5 * MORRIS_LEVELS) / (MORRIS_LEVELS - 1);
}

// Morris: sample k is a walk of random_count + 1 points on a grid of four levels, from end to end;
// every step moves one coordinate by two of them, in a random order.             [Morris1991] 3
static double morris_uniform(const hf_plan *plan, const hf_axis *of, unsigned long long index)
{
    unsigned long long d = (unsigned long long)plan->random_count, walk = index / (d + 1);
    unsigned long long step = index % (d + 1), axis = (unsigned long long)of->random;
    unsigned long long level = hf_random_bits(plan->seed, 2 * axis, walk) % MORRIS_LEVELS;
    unsigned long long order = hf_random_place(plan->seed, 1000003 + walk, axis, d);
    if (order < step) { // has been moved
        level = level < MORRIS_LEVELS / 2 ? level + MORRIS_LEVELS / 2 : level - MORRIS_LEVELS / 2;
    }
    double tail = morris_tail(of);
    return tail + (1.0 - 2.0 * tail) * ((double)level / (MORRIS_LEVELS - 1));
}

// Sobol' indices: blocks of `samples` points A, B, and A with the coordinate i of B for each axis
// i.
static double saltelli_uniform(const hf_plan *plan, int random, unsigned long long index)
{
    unsigned long long n = (unsigned long long)plan->samples, block = index / n;
    bool second = block == 1 || block == 2 + (unsigned long long)random;
    return hf_design_uniform(plan->design, plan->seed, random + (second ? plan->random_count : 0),
                             index % n, n);
}

static double uniform_of(const hf_plan *plan, const hf_axis *axis, unsigned long long index)
{
    switch (plan->indices) {
    case HF_SWEEP_SOBOL_INDICES:
        return saltelli_uniform(plan, axis->random, index);
    case HF_SWEEP_MORRIS:
        return morris_uniform(plan, axis, index);
    default:
        return hf_design_uniform(plan->design, plan->seed, axis->random, index,
                                 (unsigned long long)plan->samples);
    }
}

static double number_of(const hf_plan *plan, const hf_axis *axis, long long digit)
{
    double low = axis->low, high = axis->high;
    double part = axis->count > 1 ? (double)digit / (double)(axis->count - 1) : 0.0;
    if (axis->random >= 0) {
        part = uniform_of(plan, axis, (unsigned long long)digit);
    }
    switch (axis->kind) {
    case HF_AXIS_NUMBERS:
        return axis->numbers[digit];
    case HF_AXIS_LINEAR: // both ends are met exactly
        return digit + 1 == axis->count && digit > 0 ? high : low + part * (high - low);
    case HF_AXIS_LOG:
        return digit + 1 == axis->count && digit > 0 ? high : low * pow(high / low, part);
    case HF_AXIS_UNIFORM:
        return low + part * (high - low);
    case HF_AXIS_LOG_UNIFORM:
        return low * pow(high / low, part);
    case HF_AXIS_NORMAL:
        return low + high * hf_normal_quantile(part);
    case HF_AXIS_LOG_NORMAL:
        return low * exp(high * hf_normal_quantile(part));
    case HF_AXIS_TEXTS:
        break;
    }
    return (double)NAN;
}

hf_axis_value hf_plan_value(const hf_plan *plan, int k, long long index)
{
    const hf_axis *axis = &plan->axes[k];
    long long rest = index;
    for (int g = plan->group_count - 1; g > axis->group; --g) {
        rest /= plan->sizes[g];
    }
    long long digit = rest % plan->sizes[axis->group];
    if (axis->kind == HF_AXIS_TEXTS) {
        return (hf_axis_value){.text = axis->texts[digit]};
    }
    return (hf_axis_value){.number = number_of(plan, axis, digit)};
}
