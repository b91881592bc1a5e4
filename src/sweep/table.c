// SPDX-License-Identifier: Apache-2.0
// The table of a finished sweep, and runs made again from it.
//
// Columns: case, the axes, verdict, time, the outputs, message. The role of a column says how its
// value reaches the machine, or what expression it is: with the facts at the root, the table holds
// all that is needed to run a case again.
#include "record/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "sweep/sweep_data.h"

static const char *const verdicts[] = {"", "trustworthy", "doubtful", "failed"};
enum { VERDICT_WIDTH = 12 };
// Whole numbers of a table are doubles: above this not every one is.
static const double MOST_EVERY = 1e15;

// ------------------------------------------------------------------------------------------------
// Writing

typedef struct source {
    hf_sweep *sweep;
    hf_case_result result;
    double *outputs;
} source;

static hf_status row(void *context, long long index, double *numbers, const char **texts,
                     hf_error *error)
{
    source *from = context;
    const hf_sweep *s = from->sweep;
    int axes = s->plan.axis_count, column = 0;
    HF_TRY(hf_store_get(&s->store, index, &from->result, from->outputs, error));
    if (from->result.state == HF_CASE_MISSING) {
        return hf_error_set(error, HF_ERROR_STATE, "%.300s: case %lld is missing or damaged",
                            s->store.path, index);
    }
    numbers[column++] = (double)index;
    for (int k = 0; k < axes; ++k) {
        hf_axis_value value = hf_plan_value(&s->plan, k, index);
        numbers[column] = value.number;
        texts[column++] = value.text;
    }
    texts[column++] = verdicts[from->result.state];
    numbers[column++] = from->result.time;
    for (int k = 0; k < s->observe.output_count; ++k) {
        numbers[column++] = from->outputs[k];
    }
    texts[column] = from->result.message;
    return HF_OK;
}

static size_t longest_text(const hf_axis *axis)
{
    size_t longest = 1;
    for (long long i = 0; i < axis->count; ++i) {
        size_t length = strlen(axis->texts[i]);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static hf_status longest_message(const hf_sweep *s, size_t *longest, hf_error *error)
{
    *longest = 1;
    for (long long i = 0; i < s->plan.count; ++i) {
        hf_case_result result;
        HF_TRY(hf_store_get(&s->store, i, &result, NULL, error));
        size_t length = strlen(result.message);
        *longest = length > *longest ? length : *longest;
    }
    return HF_OK;
}

static const char *join(hf_arena *arena, const char *first, const char *second)
{
    size_t size = strlen(first) + strlen(second) + 1;
    char *text = hf_arena_alloc(arena, size, 1);
    if (text != NULL) {
        (void)snprintf(text, size, "%s%s", first, second);
    }
    return text;
}

static hf_status make_columns(hf_sweep *s, hf_table_heading *columns, hf_error *error)
{
    int column = 0;
    // The case and what was varied
    columns[column++] = (hf_table_heading){"case", "", HF_ROLE_CASE, 0};
    for (int k = 0; k < s->plan.axis_count; ++k) {
        const hf_axis *axis = &s->plan.axes[k];
        const char *role = axis->route == HF_ROUTE_SET ? join(&s->arena, HF_ROLE_SET, axis->path)
                                                       : hf_route_name(axis->route);
        columns[column++] =
            (hf_table_heading){axis->name, s->axis_units[k], role,
                               axis->kind == HF_AXIS_TEXTS ? longest_text(axis) : 0};
    }
    // What came of it
    columns[column++] = (hf_table_heading){"verdict", "", HF_ROLE_VERDICT, VERDICT_WIDTH};
    columns[column++] = (hf_table_heading){"time", "s", HF_ROLE_TIME, 0};
    for (int k = 0; k < s->observe.output_count; ++k) {
        columns[column++] =
            (hf_table_heading){s->observe.outputs[k].name, s->units[k],
                               join(&s->arena, HF_ROLE_OUTPUT, s->expressions[k]), 0};
    }
    columns[column] = (hf_table_heading){"message", "", HF_ROLE_MESSAGE, 1};
    HF_TRY(longest_message(s, &columns[column].width, error));
    // No name twice
    for (int k = 0; k <= column; ++k) {
        if (columns[k].role == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a table");
        }
        for (int j = 0; j < k; ++j) {
            if (strcmp(columns[j].name, columns[k].name) == 0) {
                return hf_error_set(error, HF_ERROR_NAME,
                                    "two columns are called '%.100s': give the expression another "
                                    "name, NAME=EXPRESSION",
                                    columns[k].name);
            }
        }
    }
    return HF_OK;
}

// One text, an item a line.
static const char *lines(hf_arena *arena, const char *const *items, int count)
{
    const char *text = "";
    for (int i = 0; i < count && text != NULL; ++i) {
        const char *line = join(arena, items[i], "\n");
        text = line == NULL ? NULL : join(arena, text, line);
    }
    return text;
}

static const char *number_text(hf_arena *arena, double value)
{
    char text[HF_NUMBER_SIZE];
    (void)hf_number_format(value, text);
    return hf_arena_string(arena, text);
}

static const char *count_text(hf_arena *arena, unsigned long long value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%llu", value);
    return hf_arena_string(arena, text);
}

static const char *random_names(hf_sweep *s)
{
    const char *text = "";
    for (int k = 0; k < s->plan.axis_count && text != NULL; ++k) {
        if (s->plan.axes[k].random >= 0) {
            const char *line = join(&s->arena, s->plan.axes[k].name, "\n");
            text = line == NULL ? NULL : join(&s->arena, text, line);
        }
    }
    return text;
}

// How far a step moves each random axis.
static const char *morris_steps(hf_sweep *s)
{
    const char *text = "";
    for (int k = 0; k < s->plan.axis_count && text != NULL; ++k) {
        if (s->plan.axes[k].random >= 0 && s->plan.indices == HF_SWEEP_MORRIS) {
            const char *step = number_text(&s->arena, hf_morris_step(&s->plan.axes[k]));
            const char *line = step == NULL ? NULL : join(&s->arena, step, "\n");
            text = line == NULL ? NULL : join(&s->arena, text, line);
        }
    }
    return text;
}

hf_status hf_sweep_write_table(hf_sweep *s, hf_error *error)
{
    static const char *const designs[] = {"random", "lhs", "sobol"};
    static const char *const indices[] = {"", "sobol", "morris"};
    const hf_sweep_def *d = &s->def;
    hf_arena *a = &s->arena;
    int count = s->plan.axis_count + s->observe.output_count + 4;
    hf_table_heading *columns = hf_arena_alloc(a, (size_t)count, sizeof *columns);
    source from = {
        .sweep = s,
        .outputs = hf_arena_alloc(a, (size_t)s->observe.output_count + 1, sizeof *from.outputs)};
    if (columns == NULL || from.outputs == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a table");
    }
    HF_TRY(make_columns(s, columns, error));
    const hf_table_fact_def facts[] = {
        {"title", s->title},
        {"created_by", "holdfast " HF_VERSION},
        {"version", HF_VERSION},
        {"model", s->text},
        {"model_label", s->source.label},
        {"model_folder", s->source.folder == NULL ? "" : s->source.folder},
        {"sets", lines(a, d->sets, d->set_count)},
        {"random", random_names(s)},
        {"design", designs[s->plan.design]},
        {"indices", indices[s->plan.indices]},
        {"steps", morris_steps(s)},
        {"samples", count_text(a, (unsigned long long)s->plan.samples)},
        {"seed", count_text(a, s->plan.seed)},
        {"duration", number_text(a, d->duration)},
        {"after", number_text(a, d->after)},
        {"every", count_text(a, (unsigned long long)d->every)},
        {"fingerprint", count_text(a, s->fingerprint)},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
        if (facts[i].text == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a table");
        }
    }
    const hf_table_plan plan = {.rows = s->plan.count,
                                .column_count = count,
                                .columns = columns,
                                .fact_count = sizeof facts / sizeof *facts,
                                .facts = facts,
                                .row = row,
                                .context = &from};
    return hf_table_write(d->output, &plan, error);
}

// ------------------------------------------------------------------------------------------------
// Running a row again

typedef struct repeat {
    const hf_table *table;
    long long row;
    hf_arena arena;
    hf_source_model source;
    hf_case_value *values;
    int count;
    hf_observe observe;
    int *columns; // of the outputs
    double *outputs;
} repeat;

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static hf_status out_of_memory(hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a case");
}

static hf_status read_sets(repeat *r, hf_error *error)
{
    char *text = hf_arena_string(&r->arena, hf_table_fact(r->table, "sets"));
    size_t most = 1;
    for (const char *c = text; c != NULL && *c != '\0'; ++c) {
        most += *c == '\n' ? 1 : 0;
    }
    const char **items = hf_arena_alloc(&r->arena, most, sizeof *items);
    if (text == NULL || items == NULL) {
        return out_of_memory(error);
    }
    int count = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        items[count++] = line;
    }
    r->source.sets = items;
    r->source.set_count = count;
    return HF_OK;
}

// The values of the row's axes.
static void read_values(repeat *r)
{
    for (int k = 0; k < r->table->column_count; ++k) {
        const hf_table_column *column = &r->table->columns[k];
        hf_case_value value = {.name = column->name};
        bool axis = true;
        if (begins_with(column->role, HF_ROLE_SET)) {
            value.route = HF_ROUTE_SET;
            value.path = column->role + strlen(HF_ROLE_SET);
        } else if (strcmp(column->role, hf_route_name(HF_ROUTE_PARAMETER)) == 0) {
            value.route = HF_ROUTE_PARAMETER;
        } else if (strcmp(column->role, hf_route_name(HF_ROUTE_VARIANT)) == 0) {
            value.route = HF_ROUTE_VARIANT;
        } else if (strcmp(column->role, hf_route_name(HF_ROUTE_METHOD)) == 0) {
            value.route = HF_ROUTE_METHOD;
        } else {
            axis = false;
        }
        if (axis) {
            value.value.text = column->texts == NULL ? NULL : column->texts[r->row];
            value.value.number = column->numbers == NULL ? 0.0 : column->numbers[r->row];
            r->values[r->count++] = value;
        }
    }
}

static hf_status read_outputs(repeat *r, const hf_model *model, hf_error *error)
{
    for (int k = 0; k < r->table->column_count; ++k) {
        const hf_table_column *column = &r->table->columns[k];
        if (begins_with(column->role, HF_ROLE_OUTPUT)) {
            r->columns[r->observe.output_count] = k;
            HF_TRY(hf_observe_add(&r->observe, model, column->name,
                                  column->role + strlen(HF_ROLE_OUTPUT), error));
        }
    }
    return HF_OK;
}

static double number_fact(const repeat *r, const char *name, double otherwise)
{
    const char *text = hf_table_fact(r->table, name);
    double value = otherwise;
    return text[0] != '\0' && hf_number_parse(text, strlen(text), &value) ? value : otherwise;
}

static hf_status compare(const repeat *r, const hf_case_result *result, hf_error *error)
{
    for (int i = 0; i < r->observe.output_count; ++i) {
        const hf_table_column *column = &r->table->columns[r->columns[i]];
        double was = column->numbers == NULL ? (double)NAN : column->numbers[r->row];
        bool same =
            memcmp(&was, &r->outputs[i], sizeof was) == 0 || (isnan(was) && isnan(r->outputs[i]));
        if (!same) {
            return hf_error_set(error, HF_ERROR_STATE,
                                "case %lld: %.100s is %.17g in the table and %.17g now: another "
                                "version of holdfast or another kind of machine made it%s%.100s",
                                r->row, column->name, was, r->outputs[i],
                                result->state == HF_CASE_FAILED ? "; " : "",
                                result->state == HF_CASE_FAILED ? result->message : "");
        }
    }
    return HF_OK;
}

static hf_status run_again(repeat *r, const char *recording, const hf_method_table *const *tables,
                           hf_error *error)
{
    HF_TRY(read_sets(r, error));
    read_values(r);
    hf_model *model = hf_case_compile(&r->source, r->values, r->count, error);
    if (model == NULL) {
        return error->status;
    }
    hf_status status = read_outputs(r, model, error);
    hf_model_destroy(model);
    HF_TRY(status);
    double every = number_fact(r, "every", 1.0);
    const hf_case_rules rules = {.source = &r->source,
                                 .observe = &r->observe,
                                 .duration = number_fact(r, "duration", (double)NAN),
                                 .after = number_fact(r, "after", 0.0),
                                 .every = every >= 1.0 && every < MOST_EVERY ? (long long)every : 1,
                                 .tables = tables};
    hf_runner runner;
    hf_case_result result;
    HF_TRY(hf_runner_open(&runner, &rules, error));
    status = hf_runner_run(&runner, r->values, r->count, recording, &result, r->outputs, error);
    hf_runner_close(&runner);
    HF_TRY(status);
    return compare(r, &result, error);
}

hf_status hf_sweep_repeat(const hf_table *table, long long index, const char *recording,
                          const hf_method_table *const *tables, hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    if (index < 0 || index >= table->rows) {
        return hf_error_set(error, HF_ERROR_RANGE, "the table has cases 0 to %lld, not %lld",
                            table->rows - 1, index);
    }
    const char *text = hf_table_fact(table, "model");
    const char *folder = hf_table_fact(table, "model_folder");
    if (text[0] == '\0') {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "the table does not keep its model (CSV): run it again from the .h5");
    }
    // Room for the row
    size_t columns = (size_t)table->column_count;
    repeat r = {.table = table,
                .row = index,
                .source = {.label = hf_table_fact(table, "model_label"),
                           .folder = folder[0] == '\0' ? NULL : folder}};
    r.values = hf_arena_alloc(&r.arena, columns, sizeof *r.values);
    r.columns = hf_arena_alloc(&r.arena, columns, sizeof *r.columns);
    r.outputs = hf_arena_alloc(&r.arena, columns, sizeof *r.outputs);
    hf_status status =
        r.values == NULL || r.columns == NULL || r.outputs == NULL ? out_of_memory(error) : HF_OK;
    // The machine of the table, and the case again
    hf_model_file *file = status < 0 ? NULL
                                     : hf_model_file_parse(text, strlen(text), r.source.label,
                                                           r.source.folder, NULL, error);
    r.source.file = file;
    if (status == HF_OK) {
        status = file == NULL ? error->status : run_again(&r, recording, tables, error);
    }
    hf_model_file_destroy(file);
    hf_observe_free(&r.observe);
    hf_arena_free(&r.arena);
    return status;
}
