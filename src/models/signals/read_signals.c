// SPDX-License-Identifier: Apache-2.0
// `signals:`, and values elsewhere that may be a number, a signal or an expression.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/expression.h"
#include "models/reader.h"

bool hf_fail_in_text(hf_reader *reader, const hf_node *node, const hf_expression_fault *fault)
{
    hf_node place = *node; // the fault's letter, where the text stands in the file as it is
    if (node->exact) {
        place.column = node->text_column + (int)fault->position;
    }
    // The item's own name says enough: signal 'pull': ...
    bool named = node->parent != NULL && node->parent->key != NULL && node->key != NULL &&
                 strcmp(node->parent->key, "signals") == 0;
    char label[HF_LABEL_SIZE];
    return hf_reader_fail(reader, &place, HF_ERROR_SYNTAX, "%s%s%s",
                          named ? "" : hf_node_label(node, label), named ? "" : ": ", fault->text);
}

// Joins the times > 0 found in the expression and those listed in the file; both rise.
static bool merge_jumps(hf_reader *reader, const hf_expression *expression, const hf_list *more,
                        hf_list *jumps)
{
    const double *found;
    int count = hf_expression_times(expression, &found), i = 0, j = 0, kept = 0;
    size_t total = (size_t)count + (size_t)more->count;
    double *all = hf_arena_alloc(&reader->document->arena, total, sizeof *all);
    if (all == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    while (i < count && !(found[i] > 0.0)) {
        ++i;
    }
    while (i < count || j < more->count) {
        bool first = j >= more->count || (i < count && found[i] <= more->values[j]);
        double next = first ? found[i++] : more->values[j++];
        if (kept == 0 || next > all[kept - 1]) {
            all[kept++] = next;
        }
    }
    *jumps = (hf_list){all, kept};
    return true;
}

bool hf_add_signal(hf_reader *reader, const hf_signal_def *def, const hf_node *node,
                   hf_signal *signal)
{
    *signal = hf_spec_add_signal(reader->spec, def, reader->error);
    if (signal->id == 0) {
        return hf_reader_pass(reader, node, true);
    }
    return true;
}

static double value_at(void *expression, double t)
{
    return hf_expression_value(expression, &t);
}

static double rate_at(void *expression, double t)
{
    return hf_expression_jet(expression, &(hf_jet){t, 1.0, 0.0}).rate;
}

static double second_at(void *expression, double t)
{
    return hf_expression_jet(expression, &(hf_jet){t, 1.0, 0.0}).second;
}

static void switches_at(void *expression, double t, double *values)
{
    hf_expression_switches(expression, &t, values);
}

static void release_expression(void *expression)
{
    hf_expression_destroy(expression);
}

// Reads the expression in `node` and adds it as the signal `name`.
static bool add_expression(hf_reader *reader, const hf_node *node, const char *name,
                           const hf_list *more, hf_signal *signal)
{
    hf_expression_fault fault = {0};
    hf_found_channels found = {.reader = reader};
    hf_expression *expression =
        hf_expression_create(node->text, hf_channel_scope(reader, &found), &fault);
    if (expression == NULL) {
        return hf_fail_in_text(reader, node, &fault);
    }
    hf_signal_def def = hf_signal_def_default();
    def.name = name;
    def.type = HF_SIGNAL_FUNCTION;
    def.function = value_at;
    def.rate = rate_at;
    def.second = second_at;
    def.switches = switches_at;
    def.switch_count = hf_expression_switch_count(expression);
    def.context = expression;
    def.release = release_expression;
    bool good = merge_jumps(reader, expression, more, &def.jumps) &&
                (found.count == 0 || hf_channel_function(&found, &def)) &&
                hf_add_signal(reader, &def, node, signal);
    if (!good) {
        def.release(def.context); // the spec takes it only on success
    }
    return good;
}

// ------------------------------------------------------------------------------------------------
// Values

static bool is_word(const char *text)
{
    size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return length > 0 && text[length] == '\0' && strspn(text, "0123456789-") == 0;
}

bool hf_read_value(hf_reader *reader, const hf_node *node, const char *hidden, hf_value *value)
{
    char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN], hint[HF_HINT_SIZE];
    *value = (hf_value){0};
    if (hf_node_is_number(node)) {
        return hf_read_number(reader, node, HF_RANGE_ANY, &value->constant);
    }
    if (node->kind != HF_NODE_SCALAR || node->text[0] == '\0') {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "%s must be a number, a signal or an expression, got %s",
                              hf_node_label(node, label), hf_node_show(node, shown));
    }
    int known = hf_names_find(&reader->signal_names, node->text, strlen(node->text));
    if (known >= 0) {
        value->signal.id = known;
        return true;
    }
    if (hf_node_is_formula(reader, node) && !hf_node_is_quoted_number(node)) {
        return hf_read_number(reader, node, HF_RANGE_ANY, &value->constant);
    }
    if (is_word(node->text) && !hf_expression_knows(hf_expression_time, node->text)) {
        return hf_reader_fail(reader, node, HF_ERROR_NAME, "%s: unknown name '%.60s'%s",
                              hf_node_label(node, label), node->text,
                              hf_reader_hint_body(reader, node->text, hint));
    }
    return add_expression(reader, node, hidden, &(hf_list){0}, &value->signal);
}

bool hf_read_values(hf_reader *reader, const hf_node *node, int count, const char *hidden,
                    hf_value *values)
{
    if (count == 1 && node->kind == HF_NODE_SCALAR) {
        return hf_read_value(reader, node, hidden, values);
    }
    char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN];
    if (node->kind != HF_NODE_LIST || node->count != count) {
        char expected[40] = "one value";
        if (count > 1) {
            (void)snprintf(expected, sizeof expected, "a list of %d values", count);
        }
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must be %s, got %s",
                              hf_node_label(node, label), expected,
                              node->kind == HF_NODE_LIST ? "a list of another length"
                                                         : hf_node_show(node, shown));
    }
    static const char *const suffixes[] = {".x", ".y", ".z", ".4", ".5", ".6"};
    int i = 0;
    for (const hf_node *item = node->first; item != NULL && i < 6; item = item->next, ++i) {
        char *name = hf_reader_join(reader, hidden, suffixes[i]);
        if (name == NULL || !hf_read_value(reader, item, name, &values[i])) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// The section

static bool read_jumps(hf_reader *reader, const hf_node *node, hf_list *jumps)
{
    if (node == NULL) {
        return true;
    }
    if (!hf_read_list(reader, node, jumps)) {
        return false;
    }
    int i = 0;
    for (const hf_node *item = node->first; item != NULL; item = item->next, ++i) {
        if (!(jumps->values[i] >= 0) || (i > 0 && !(jumps->values[i] > jumps->values[i - 1]))) {
            return hf_reader_fail(reader, item, HF_ERROR_RANGE,
                                  "jumps must be times that rise, got %.60s", item->text);
        }
    }
    return true;
}

// Coefficients from k = 1 on, times scale; with w > 0 also over k w.
static bool read_coefficients(hf_reader *reader, const hf_node *map, const char *key, double scale,
                              double w, hf_list *list)
{
    const hf_node *node = hf_node_get(map, key);
    if (node == NULL) {
        return true;
    }
    if (!hf_read_list(reader, node, list)) {
        return false;
    }
    double *scaled = hf_arena_alloc(&reader->document->arena, (size_t)list->count, sizeof *scaled);
    if (scaled == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    for (int k = 1; k <= list->count; ++k) {
        scaled[k - 1] = scale * list->values[k - 1] / (w == 0.0 ? 1.0 : k * w);
    }
    list->values = scaled;
    return true;
}

// {offset:, frequency: or period:, sines: [..], cosines: [..], scale:, integrated:}
static bool read_fourier(hf_reader *reader, const hf_node *map, hf_signal_def *def)
{
    static const char *const keys[] = {"offset",  "frequency", "period",    "sines",
                                       "cosines", "scale",     "integrated"};
    double period = 0.0, scale = 1.0;
    bool integrated = false;
    def->type = HF_SIGNAL_FOURIER;
    if (!hf_read_map(reader, map, keys, 7) ||
        !hf_read_number_item(reader, map, "offset", HF_RANGE_ANY, &def->value) ||
        !hf_read_number_item(reader, map, "frequency", HF_RANGE_POSITIVE, &def->frequency) ||
        !hf_read_number_item(reader, map, "period", HF_RANGE_POSITIVE, &period) ||
        !hf_read_number_item(reader, map, "scale", HF_RANGE_ANY, &scale)) {
        return false;
    }
    // One of frequency and period, and something to add up
    const hf_node *flag = hf_node_get(map, "integrated"), *second = hf_node_get(map, "period");
    if (flag != NULL && !hf_read_flag(reader, flag, &integrated)) {
        return false;
    }
    if ((period > 0.0) == (def->frequency > 0.0)) {
        return hf_reader_fail_key(reader, second == NULL ? map : second, HF_ERROR_INPUT,
                                  "a Fourier series needs either frequency [Hz] or period [s]");
    }
    if (hf_node_get(map, "sines") == NULL && hf_node_get(map, "cosines") == NULL) {
        return hf_reader_fail_key(reader, map, HF_ERROR_INPUT,
                                  "a Fourier series needs sines or cosines");
    }
    def->frequency = period > 0.0 ? 1.0 / period : def->frequency;
    // The integral of cos(k w t) is sin(k w t)/(k w), that of sin(k w t) is -cos(k w t)/(k w).
    double w = integrated ? 6.28318530717958647692 * def->frequency : 0.0;
    hf_list *of_sines = integrated ? &def->cosines : &def->sines;
    hf_list *of_cosines = integrated ? &def->sines : &def->cosines;
    return read_coefficients(reader, map, "sines", integrated ? -scale : scale, w, of_sines) &&
           read_coefficients(reader, map, "cosines", scale, w, of_cosines);
}

static bool read_map_form(hf_reader *reader, const hf_node *node, hf_signal *signal)
{
    static const char *const keys[] = {"expression", "jumps", "table", "fourier",
                                       "input",      "range", "scale", "through"};
    static const char *const expression_keys[] = {"expression", "jumps"};
    static const char *const table_keys[] = {"table"}, *const input_keys[] = {"input", "range",
                                                                              "scale"};
    static const char *const fourier_keys[] = {"fourier"};
    // Through points
    if (hf_node_get(node, "through") != NULL) {
        return hf_read_waypoints(reader, node, node->key, signal);
    }
    if (!hf_read_map(reader, node, keys, 8)) {
        return false;
    }
    // The key that it has says what it is
    const hf_node *item;
    hf_signal_def def = hf_signal_def_default();
    def.name = node->key;
    if ((item = hf_node_get(node, "expression")) != NULL) {
        const char *text = NULL;
        hf_list jumps = {0};
        return hf_read_map(reader, node, expression_keys, 2) && hf_read_text(reader, item, &text) &&
               read_jumps(reader, hf_node_get(node, "jumps"), &jumps) &&
               add_expression(reader, item, node->key, &jumps, signal);
    }
    if ((item = hf_node_get(node, "table")) != NULL) {
        if (!hf_read_map(reader, node, table_keys, 1)) {
            return false;
        }
        if (item->kind == HF_NODE_MAP && hf_node_get(item, "of") != NULL) {
            return hf_read_map_of(reader, item, node->key, signal);
        }
        return hf_read_table(reader, item, &def) && hf_add_signal(reader, &def, node, signal);
    }
    if ((item = hf_node_get(node, "fourier")) != NULL) {
        return hf_read_map(reader, node, fourier_keys, 1) && read_fourier(reader, item, &def) &&
               hf_add_signal(reader, &def, node, signal);
    }
    if ((item = hf_node_get(node, "input")) != NULL) {
        const hf_node *range = hf_node_get(node, "range");
        double bounds[2] = {0, 0};
        if (range != NULL && !hf_read_numbers(reader, range, 2, bounds)) {
            return false;
        }
        def.type = HF_SIGNAL_INPUT;
        def.bounded = range != NULL;
        def.low = bounds[0];
        def.high = bounds[1];
        return hf_read_map(reader, node, input_keys, 3) &&
               hf_read_number(reader, item, HF_RANGE_ANY, &def.value) &&
               hf_read_number_item(reader, node, "scale", HF_RANGE_ANY, &def.scale) &&
               hf_add_signal(reader, &def, node, signal);
    }
    return hf_reader_fail_key(
        reader, node, HF_ERROR_INPUT,
        "expected one of the keys expression, table, fourier, through or input");
}

static bool read_signal(hf_reader *reader, const hf_node *node)
{
    hf_signal signal = {0};
    // A name that expressions do not use
    if (hf_expression_knows(hf_reader_scope(reader, true), node->key)) {
        return hf_reader_fail_key(reader, node, HF_ERROR_NAME,
                                  "the name '%.60s' has a meaning in expressions", node->key);
    }
    if (!hf_reader_add_item(reader, node->key, node, true)) {
        return false;
    }
    // By its form
    bool read;
    if (node->kind == HF_NODE_MAP) {
        read = read_map_form(reader, node, &signal);
    } else if (hf_node_is_number(node)) {
        hf_signal_def def = hf_signal_def_default();
        def.name = node->key;
        read = hf_read_number(reader, node, HF_RANGE_ANY, &def.value) &&
               hf_add_signal(reader, &def, node, &signal);
    } else {
        const char *text = NULL;
        read = hf_read_kind(reader, node, HF_NODE_SCALAR, "a number, an expression or a map") &&
               hf_read_text(reader, node, &text) &&
               add_expression(reader, node, node->key, &(hf_list){0}, &signal);
    }
    if (!read) {
        return false;
    }
    return hf_names_add(&reader->signal_names, node->key, signal.id) ||
           hf_reader_out_of_memory(reader);
}

bool hf_read_signals(hf_reader *reader, const hf_node *section)
{
    if (!hf_read_kind(reader, section, HF_NODE_MAP, "a map of signals by name")) {
        return false;
    }
    for (const hf_node *node = section->first; node != NULL; node = node->next) {
        hf_reader_enter(reader, "signal", node->key);
        if (!hf_read_name(reader, node, node->key, true) || !read_signal(reader, node)) {
            return false;
        }
    }
    hf_reader_leave(reader);
    return true;
}
