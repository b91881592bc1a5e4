// SPDX-License-Identifier: Apache-2.0
// Expressions and tables of channels.
#include <stdlib.h>
#include <string.h>

#include "math/expression.h"
#include "models/reader.h"
#include "sim/sim_data.h"
#include "spec/spec_data.h"

// ------------------------------------------------------------------------------------------------
// Expressions

// Whether `signals:` declares this word, wherever it stands.
static bool is_signal(const hf_reader *reader, const char *word, size_t length)
{
    const hf_node *section = hf_node_get(reader->document->root, "signals");
    const hf_node *item = section != NULL && section->kind == HF_NODE_MAP ? section->first : NULL;
    for (; item != NULL; item = item->next) {
        if (strlen(item->key) == length && memcmp(item->key, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static int find_channel(void *context, const char *word, size_t length)
{
    hf_found_channels *found = context;
    hf_reader *reader = found->reader;
    if (memchr(word, '.', length) == NULL && !is_signal(reader, word, length)) {
        return -1;
    }
    for (int i = 0; i < found->count; ++i) {
        if (strncmp(found->names[i], word, length) == 0 && found->names[i][length] == '\0') {
            return i + 1;
        }
    }
    char *name = hf_arena_alloc(&reader->document->arena, length + 1, 1);
    if (name == NULL || found->count == HF_SIGNAL_MOST_CHANNELS) {
        return -2;
    }
    memcpy(name, word, length);
    found->names[found->count++] = name;
    return found->count;
}

hf_expression_scope hf_channel_scope(hf_reader *reader, hf_found_channels *found)
{
    hf_expression_scope scope = hf_reader_scope(reader, true);
    scope.find = find_channel;
    scope.context = found;
    return scope;
}

// The variables of an expression: the time, then the channels. Returns how many there are at most.
static void line_up(double t, const double *values, int count, double *variables)
{
    variables[0] = t;
    memcpy(variables + 1, values, (size_t)count * sizeof *values);
}

// An expression with the number of its channels.
typedef struct channel_expression {
    hf_expression *expression;
    int count;
} channel_expression;

static double value_of(void *instance, double t, const double *values)
{
    const channel_expression *own = instance;
    double variables[HF_SIGNAL_MOST_CHANNELS + 1];
    line_up(t, values, own->count, variables);
    return hf_expression_value(own->expression, variables);
}

static void gradient_of(void *instance, double t, const double *values, double *gradient)
{
    const channel_expression *own = instance;
    double variables[HF_SIGNAL_MOST_CHANNELS + 1];
    line_up(t, values, own->count, variables);
    hf_expression_gradient(own->expression, variables, gradient);
}

static void release_expression(void *context)
{
    channel_expression *own = context;
    hf_expression_destroy(own->expression);
    free(own);
}

bool hf_channel_function(const hf_found_channels *found, hf_signal_def *def)
{
    channel_expression *own = malloc(sizeof *own);
    if (own == NULL) {
        return hf_reader_out_of_memory(found->reader);
    }
    *own = (channel_expression){.expression = def->context, .count = found->count};
    def->type = HF_SIGNAL_CHANNELS;
    def->channels = found->names;
    def->channel_count = found->count;
    def->leaps = hf_expression_leaps(def->context);
    def->of = value_of;
    def->gradient = gradient_of;
    def->context = own;
    def->release = release_expression;
    def->function = NULL;
    def->rate = def->second = NULL;
    def->switches = NULL;
    def->switch_count = 0;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Tables

// Over one channel: `times` are its values. Over two: linear in both between the points of a grid,
// values row by row, constant beyond it.
typedef struct channel_map {
    hf_signal_def table;
    int columns; // of a grid; 0: over one channel
    const double *x, *y, *values;
    int rows;
    double numbers[];
} channel_map;

// The piece of a rising list that holds v, and how far along it is, 0 to 1; *width: 0 beyond it.
static int find_piece(const double *list, int count, double v, double *part, double *width)
{
    int low = 0, high = count - 1;
    *part = *width = 0.0;
    if (count == 1 || !(v > list[0])) {
        return 0;
    }
    if (v >= list[high]) {
        *part = 1.0;
        return high - 1;
    }
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (list[middle] <= v) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *width = list[high] - list[low];
    *part = (v - list[low]) / *width;
    return low;
}

// Value of a grid, and its slopes.
static double grid_at(const channel_map *map, const double *at, double *by_x, double *by_y)
{
    double a, b, wide_x, wide_y;
    int i = find_piece(map->x, map->rows, at[0], &a, &wide_x);
    int j = find_piece(map->y, map->columns, at[1], &b, &wide_y);
    int next_i = i + 1 < map->rows ? i + 1 : i, next_j = j + 1 < map->columns ? j + 1 : j;
    const double *low = map->values + (size_t)i * (size_t)map->columns;
    const double *high = map->values + (size_t)next_i * (size_t)map->columns;
    double first = low[j] + b * (low[next_j] - low[j]);
    double second = high[j] + b * (high[next_j] - high[j]);
    double left = low[j] + a * (high[j] - low[j]);
    double right = low[next_j] + a * (high[next_j] - low[next_j]);
    *by_x = wide_x > 0.0 ? (second - first) / wide_x : 0.0;
    *by_y = wide_y > 0.0 ? (right - left) / wide_y : 0.0;
    return first + a * (second - first);
}

static double map_value(void *instance, double t, const double *values)
{
    const channel_map *map = instance;
    double by_x, by_y;
    (void)t;
    return map->columns == 0 ? hf_table_value(&map->table, values[0])
                             : grid_at(map, values, &by_x, &by_y);
}

static void map_gradient(void *instance, double t, const double *values, double *gradient)
{
    const channel_map *map = instance;
    (void)t;
    gradient[0] = 0.0;
    if (map->columns == 0) {
        gradient[1] = hf_table_rate(&map->table, values[0]);
    } else {
        (void)grid_at(map, values, &gradient[1], &gradient[2]);
    }
}

static void release_map(void *context)
{
    free(context);
}

// One argument: an expression or a signal. Its name is that of a channel.
static bool read_argument(hf_reader *reader, const hf_node *node, const char *hidden,
                          const char **name)
{
    hf_value value = {0};
    char label[HF_LABEL_SIZE];
    if (node->kind == HF_NODE_SCALAR && is_signal(reader, node->text, strlen(node->text))) {
        *name = node->text; // which may stand below
        return true;
    }
    if (!hf_read_value(reader, node, hidden, &value)) {
        return false;
    }
    if (value.signal.id == 0) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "%s must be a channel, a signal or an expression of them, got a "
                              "number",
                              hf_node_label(node, label));
    }
    *name = reader->spec->signals[value.signal.id - 1].def.name;
    return true;
}

static bool check_rising(hf_reader *reader, const hf_node *node, const hf_list *list)
{
    const hf_node *item = node->first;
    char label[HF_LABEL_SIZE];
    for (int i = 0; i < list->count; ++i, item = item->next) {
        if (i > 0 && !(list->values[i] > list->values[i - 1])) {
            return hf_reader_fail(reader, item, HF_ERROR_RANGE, "%s must rise, got %g after %g",
                                  hf_node_label(node, label), list->values[i], list->values[i - 1]);
        }
    }
    return list->count > 0 ||
           hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must have at least one number",
                          hf_node_label(node, label));
}

// The grid's lists, then its values.
static channel_map *read_grid(hf_reader *reader, const hf_node *node)
{
    // Both lists rise
    const hf_node *x = hf_read_need(reader, node, "x"), *y = NULL, *values = NULL;
    hf_list xs = {0}, ys = {0};
    if (x == NULL || (y = hf_read_need(reader, node, "y")) == NULL ||
        (values = hf_read_need(reader, node, "values")) == NULL || !hf_read_list(reader, x, &xs) ||
        !hf_read_list(reader, y, &ys) || !check_rising(reader, x, &xs) ||
        !check_rising(reader, y, &ys) || !hf_read_kind(reader, values, HF_NODE_LIST, "a list")) {
        return NULL;
    }
    if (values->count != xs.count) {
        (void)hf_reader_fail(reader, values, HF_ERROR_INPUT,
                             "values must have one row for each x, got %d rows and %d x",
                             values->count, xs.count);
        return NULL;
    }
    // One block
    size_t rows = (size_t)xs.count, columns = (size_t)ys.count;
    channel_map *map = malloc(sizeof *map + (rows + columns + rows * columns) * sizeof(double));
    if (map == NULL) {
        (void)hf_reader_out_of_memory(reader);
        return NULL;
    }
    double *to = map->numbers;
    *map = (channel_map){.rows = xs.count,
                         .columns = ys.count,
                         .x = to,
                         .y = to + rows,
                         .values = to + rows + columns};
    memcpy(to, xs.values, rows * sizeof *to);
    memcpy(to + rows, ys.values, columns * sizeof *to);
    to += rows + columns;
    // Row by row
    for (const hf_node *row = values->first; row != NULL; row = row->next, to += columns) {
        if (!hf_read_numbers(reader, row, ys.count, to)) {
            free(map);
            return NULL;
        }
    }
    return map;
}

static channel_map *read_line(hf_reader *reader, const hf_node *node)
{
    hf_signal_def table = hf_signal_def_default();
    if (!hf_read_table(reader, node, &table)) {
        return NULL;
    }
    size_t count = (size_t)table.times.count;
    channel_map *map = malloc(sizeof *map + 2 * count * sizeof(double));
    if (map == NULL) {
        (void)hf_reader_out_of_memory(reader);
        return NULL;
    }
    *map = (channel_map){.table = table};
    memcpy(map->numbers, table.times.values, count * sizeof(double));
    memcpy(map->numbers + count, table.values.values, count * sizeof(double));
    map->table.times.values = map->numbers;
    map->table.values.values = map->numbers + count;
    return map;
}

bool hf_read_map_of(hf_reader *reader, const hf_node *node, const char *name, hf_signal *signal)
{
    static const char *const grid_keys[] = {"of", "x", "y", "values"};
    // Over one value or over two
    const hf_node *of = hf_node_get(node, "of");
    bool grid = of->kind == HF_NODE_LIST;
    const char *names[2] = {NULL, NULL};
    char *hidden = hf_reader_join(reader, name, ".of");
    char *second = hidden == NULL ? NULL : hf_reader_join(reader, hidden, ".y");
    if (second == NULL || (grid && !hf_read_map(reader, node, grid_keys, 4))) {
        return false;
    }
    if (grid && of->count != 2) {
        return hf_reader_fail(reader, of, HF_ERROR_INPUT,
                              "of must be one value, or a list of two for a table over both");
    }
    if (!read_argument(reader, grid ? of->first : of, hidden, &names[0]) ||
        (grid && !read_argument(reader, of->first->next, second, &names[1]))) {
        return false;
    }
    // The table
    channel_map *map = grid ? read_grid(reader, node) : read_line(reader, node);
    if (map == NULL) {
        return false;
    }
    // as a signal of channels
    hf_signal_def def = hf_signal_def_default();
    def.name = name;
    def.type = HF_SIGNAL_CHANNELS;
    def.channels = names;
    def.channel_count = grid ? 2 : 1;
    def.leaps = map->table.hold;
    def.of = map_value;
    def.gradient = map_gradient;
    def.context = map;
    def.release = release_map;
    if (!hf_add_signal(reader, &def, node, signal)) {
        free(map);
        return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Products of two values

// Constants of what is no signal. A gate counts as 1 while it is above zero, else as 0.
typedef struct channel_product {
    bool gates, first_signal, second_signal;
    double first, second;
} channel_product;

static void factors_of(const channel_product *own, const double *values, double *first,
                       double *second)
{
    double gate = own->first_signal ? values[0] : own->first;
    *first = !own->gates ? gate : gate > 0.0 ? 1.0 : 0.0;
    *second = own->second_signal ? values[own->first_signal ? 1 : 0] : own->second;
}

static double product_value(void *instance, double t, const double *values)
{
    double first, second;
    (void)t;
    factors_of(instance, values, &first, &second);
    return first != 0.0 ? first * second : 0.0;
}

static void product_gradient(void *instance, double t, const double *values, double *gradient)
{
    const channel_product *own = instance;
    double first, second;
    (void)t;
    factors_of(own, values, &first, &second);
    gradient[0] = gradient[1] = gradient[2] = 0.0;
    if (own->first_signal && !own->gates) {
        gradient[1] = second;
    }
    if (own->second_signal) {
        gradient[own->first_signal ? 2 : 1] = first;
    }
}

bool hf_add_product(hf_reader *reader, const hf_node *node, const char *name, hf_value first,
                    hf_value second, bool gates, hf_value *product)
{
    const hf_value both[2] = {first, second};
    const char *names[2];
    hf_signal_def def = hf_signal_def_default();
    channel_product *own = malloc(sizeof *own);
    if (own == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    *own = (channel_product){gates, first.signal.id != 0, second.signal.id != 0, first.constant,
                             second.constant};
    // Both are numbers
    if (!own->first_signal && !own->second_signal) {
        *product = (hf_value){.constant = product_value(own, 0.0, NULL)};
        free(own);
        return true;
    }
    // Else a signal of those that are signals
    for (int i = 0; i < 2; ++i) {
        if (both[i].signal.id != 0) {
            const hf_signal_def *of = &reader->spec->signals[both[i].signal.id - 1].def;
            def.leaps = def.leaps || (i == 0 && gates && of->type == HF_SIGNAL_CHANNELS);
            names[def.channel_count++] = of->name;
        }
    }
    def.name = name;
    def.type = HF_SIGNAL_CHANNELS;
    def.channels = names;
    def.of = product_value;
    def.gradient = product_gradient;
    def.context = own;
    def.release = free;
    *product = (hf_value){0};
    if (!hf_add_signal(reader, &def, node, &product->signal)) {
        free(own);
        return false;
    }
    return true;
}
