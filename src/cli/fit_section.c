// SPDX-License-Identifier: Apache-2.0
// holdfast fit: the section `fit` of a model file, as the options that say the same. What the
// command line gives takes the place of what the file has.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/names.h"
#include "base/text.h"
#include "cli/fit.h"
#include "models/tree/node.h"

// Counts of runs, restarts and the like; what an int holds.
static const double MOST_COUNT = 1e9;

typedef struct section {
    hf_cli_fit_plan *plan;
    hf_document document;
    const char *folder; // of the model, with its last slash; "" here
    hf_error error;
    bool good;
} section;

// A copy of the text that is freed with the plan; NULL ends the reading.
static const char *keep(section *s, const char *format, ...) HF_PRINTF(2, 3);
static const char *keep(section *s, const char *format, ...)
{
    char text[2 * HF_CLI_FIT_TEXT];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept =
        length < 0 || (size_t)length >= sizeof text ? NULL : hf_arena_string(&s->plan->arena, text);
    if (kept == NULL && s->good) {
        s->good = false;
        (void)hf_cli_error("fit: a text is too long, or there is no memory");
    }
    return kept;
}

static bool fail(section *s, const hf_node *node, const char *expected)
{
    char shown[HF_NODE_SHOWN];
    if (s->good) {
        (void)hf_node_error(&s->document, node, &s->error, HF_ERROR_INPUT,
                            "fit: expected %s, got %s", expected, hf_node_show(node, shown));
        hf_cli_report(&s->error);
    }
    return s->good = false;
}

static bool push(section *s, hf_cli_list *list, const char *item)
{
    if (list->count == 0) {
        list->items = hf_arena_alloc(&s->plan->arena, HF_CLI_FIT_MOST, sizeof *list->items);
    }
    if (list->items == NULL || item == NULL || list->count >= HF_CLI_FIT_MOST) {
        s->good = s->good && hf_cli_error("fit: more than %d entries", HF_CLI_FIT_MOST) == 0;
        return false;
    }
    list->items[list->count++] = item;
    return true;
}

static const char *scalar(section *s, const hf_node *node, const char *expected)
{
    if (node == NULL || node->kind != HF_NODE_SCALAR || node->text[0] == '\0') {
        if (node != NULL) {
            (void)fail(s, node, expected);
        }
        return NULL;
    }
    return node->text;
}

// A number above `least`. NULL after a message, or where there is none.
static const char *number_above(section *s, const hf_node *node, double least, const char *expected)
{
    double number = 0.0;
    const char *text = scalar(s, node, expected);
    if (text != NULL && !(hf_cli_read_number(text, &number) && number > least)) {
        (void)fail(s, node, expected);
        return NULL;
    }
    return text;
}

// Refuses a key that a map of the section does not have.
static bool know_keys(section *s, const hf_node *map, const char *const *keys, int count)
{
    for (const hf_node *item = map->first; item != NULL && s->good; item = item->next) {
        bool known = false;
        for (int i = 0; i < count; ++i) {
            known = known || strcmp(item->key, keys[i]) == 0;
        }
        if (!known) {
            const char *nearest = hf_nearest_name(item->key, keys, count);
            (void)hf_node_key_error(&s->document, item, &s->error, HF_ERROR_NAME,
                                    "fit: unknown key '%.60s'%s%s%s", item->key,
                                    nearest == NULL ? "" : "; did you mean '",
                                    nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
            hf_cli_report(&s->error);
            s->good = false;
        }
    }
    return s->good;
}

// ------------------------------------------------------------------------------------------------
// Entries

// `run.csv`, or {file: run.csv, NAME: NUMBER, ...} with numbers that hold for the whole log.
static void read_logs(section *s, const hf_node *list, hf_cli_list *out)
{
    if (list->kind != HF_NODE_LIST) {
        (void)fail(s, list, "a list of logs");
    }
    for (const hf_node *item = list->first; item != NULL && s->good; item = item->next) {
        bool map = item->kind == HF_NODE_MAP;
        const char *file = scalar(s, map ? hf_node_get(item, "file") : item, "the name of a log");
        if (file == NULL) {
            (void)fail(s, item, "the name of a log, or a map with 'file'");
            return;
        }
        const char *text = keep(s, "%s%s", file[0] == '/' ? "" : s->folder, file), *mark = ":";
        for (const hf_node *n = map ? item->first : NULL; n != NULL && s->good; n = n->next) {
            if (strcmp(n->key, "file") != 0) {
                const char *number = scalar(s, n, "a number");
                text = number == NULL ? NULL : keep(s, "%s%s%s=%s", text, mark, n->key, number);
                mark = ",";
            }
        }
        (void)push(s, out, text);
    }
}

// SIGNAL: EXPRESSION, or SIGNAL: {column: EXPRESSION, delay: 0.02 or free}
static void read_inputs(section *s, const hf_node *map, hf_cli_list *out)
{
    static const char *const keys[] = {"column", "delay"};
    if (map->kind != HF_NODE_MAP) {
        (void)fail(s, map, "a map of inputs");
    }
    for (const hf_node *item = map->first; item != NULL && s->good; item = item->next) {
        bool more = item->kind == HF_NODE_MAP;
        if (more && !know_keys(s, item, keys, 2)) {
            return;
        }
        const char *column = scalar(s, more ? hf_node_get(item, "column") : item, "a column");
        const char *delay =
            more ? scalar(s, hf_node_get(item, "delay"), "a delay in seconds, or free") : NULL;
        if (column == NULL) {
            (void)fail(s, item, "a column, or a map with 'column'");
            return;
        }
        (void)push(s, out,
                   keep(s, "%s=%s%s%s", item->key, column, delay == NULL ? "" : "@",
                        delay == NULL ? "" : delay));
    }
}

// CHANNEL: EXPRESSION, or CHANNEL: {column: EXPRESSION, deviation: D, offset: free, scale: free}
static void read_matches(section *s, const hf_node *map, hf_cli_fit_options *o)
{
    static const char *const keys[] = {"column", "deviation", "offset", "scale"};
    // Each channel of the map
    if (map->kind != HF_NODE_MAP) {
        (void)fail(s, map, "a map of channels");
    }
    for (const hf_node *item = map->first; item != NULL && s->good; item = item->next) {
        bool more = item->kind == HF_NODE_MAP;
        if (more && !know_keys(s, item, keys, 4)) {
            return;
        }
        const char *column = scalar(s, more ? hf_node_get(item, "column") : item, "a column");
        const char *deviation =
            more ? number_above(s, hf_node_get(item, "deviation"), 0.0, "a deviation above 0")
                 : NULL;
        if (column == NULL) {
            (void)fail(s, item, "a column, or a map with 'column'");
            return;
        }
        // As the options of the command have it
        (void)push(s, &o->matches,
                   keep(s, "%s=%s%s%s", item->key, column, deviation == NULL ? "" : ":",
                        deviation == NULL ? "" : deviation));
        // What is free of the measurement itself
        for (int i = 2; i < 4 && more; ++i) {
            const hf_node *node = hf_node_get(item, keys[i]);
            if (node != NULL && (node->kind != HF_NODE_SCALAR || strcmp(node->text, "free") != 0)) {
                (void)fail(s, node, "free");
            } else if (node != NULL) {
                (void)push(s, i == 2 ? &o->offsets : &o->scales, keep(s, "%s", item->key));
            }
        }
    }
}

// NAME: {low:, high:, prior: [value, deviation], per_log: true}, or a list of names.
// The key of a lone name, `free: kt`, is that of the section.
static void read_free(section *s, const hf_node *item, bool lone, hf_cli_fit_options *o)
{
    static const char *const keys[] = {"low", "high", "prior", "per_log"};
    // Its name, and which keys it may have
    bool map = item->kind == HF_NODE_MAP;
    const char *name =
        item->key != NULL && !lone ? item->key : scalar(s, item, "the name of a number");
    if (name == NULL || (map && !know_keys(s, item, keys, 4))) {
        return;
    }
    // Bounds
    const hf_node *low = map ? hf_node_get(item, "low") : NULL;
    const hf_node *high = map ? hf_node_get(item, "high") : NULL;
    const hf_node *prior = map ? hf_node_get(item, "prior") : NULL;
    const hf_node *own = map ? hf_node_get(item, "per_log") : NULL;
    double bottom = -INFINITY;
    const char *least = low == NULL ? "" : number_above(s, low, -INFINITY, "a number");
    (void)(least != NULL && hf_cli_read_number(least, &bottom));
    const char *most =
        high == NULL ? "" : number_above(s, high, bottom, "a number above the lower bound");
    if (least == NULL || most == NULL) {
        return;
    }
    bool bounded = low != NULL || high != NULL;
    (void)push(s, &o->frees,
               keep(s, "%s%s%s%s%s", name, bounded ? "=" : "", least, bounded ? ".." : "", most));
    // A prior
    if (prior != NULL && (prior->kind != HF_NODE_LIST || prior->count != 2 ||
                          prior->first->kind != HF_NODE_SCALAR)) {
        (void)fail(s, prior, "[value, standard deviation]");
    } else if (prior != NULL) {
        const char *deviation = scalar(s, prior->last, "a standard deviation");
        (void)push(s, &o->priors,
                   deviation == NULL ? NULL
                                     : keep(s, "%s=%s:%s", name, prior->first->text, deviation));
    }
    if (own != NULL && own->kind == HF_NODE_SCALAR && strcmp(own->text, "true") == 0) {
        (void)push(s, &o->each_logs, keep(s, "%s", name));
    }
}

// A scalar, or a list of them with commas between.
static const char *joined(section *s, const hf_node *node)
{
    if (node->kind == HF_NODE_SCALAR) {
        return node->text;
    }
    const char *text = "";
    for (const hf_node *n = node->first; n != NULL && s->good; n = n->next) {
        bool all = n->kind == HF_NODE_SCALAR && strcmp(n->text, "all") == 0;
        const char *word = all ? n->text : number_above(s, n, 0.0, "a length above 0 s, or 'all'");
        text = word == NULL ? "" : keep(s, "%s%s%s", text, n == node->first ? "" : ",", word);
    }
    return text;
}

static long long whole(section *s, const hf_node *node, long long given)
{
    double number = 0.0;
    const char *text = given > 0 ? NULL : scalar(s, node, "a whole number from 1 up");
    if (text == NULL) {
        return given;
    }
    if (!hf_cli_read_number(text, &number) || !(number >= 1.0 && number <= MOST_COUNT) ||
        floor(number) != number) {
        (void)fail(s, node, "a whole number from 1 up");
    }
    return (long long)number;
}

static void read_settings(section *s, const hf_node *map, hf_cli_fit_options *o)
{
    const hf_node *n = hf_node_get(map, "segments");
    o->segments = o->segments == NULL && n != NULL ? joined(s, n) : o->segments;
    n = hf_node_get(map, "loss");
    o->loss = o->loss == NULL && n != NULL ? scalar(s, n, "a loss") : o->loss;
    n = hf_node_get(map, "hold");
    o->hold = o->hold == NULL && n != NULL ? scalar(s, n, "held, linear or smooth") : o->hold;
    o->starts = whole(s, hf_node_get(map, "starts"), o->starts);
    o->evolve = whole(s, hf_node_get(map, "evolve"), o->evolve);
    o->iterations = whole(s, hf_node_get(map, "iterations"), o->iterations);
    o->seed = whole(s, hf_node_get(map, "seed"), o->seed);
    bool *const flags[] = {&o->fixed, &o->logarithmic, &o->per_log};
    static const char *const names[] = {"fixed_starts", "logarithmic", "per_log"};
    for (int i = 0; i < 3; ++i) {
        n = hf_node_get(map, names[i]);
        if (n != NULL && (n->kind != HF_NODE_SCALAR ||
                          (strcmp(n->text, "true") != 0 && strcmp(n->text, "false") != 0))) {
            (void)fail(s, n, "true or false");
        } else if (n != NULL) {
            *flags[i] = *flags[i] || strcmp(n->text, "true") == 0;
        }
    }
}

// ------------------------------------------------------------------------------------------------

static void read_section(section *s, const hf_node *map, hf_cli_fit_options *o)
{
    static const char *const keys[] = {"logs",       "validate", "inputs",       "match",
                                       "free",       "segments", "loss",         "hold",
                                       "iterations", "starts",   "fixed_starts", "logarithmic",
                                       "per_log",    "seed",     "evolve"};
    // Keys it may have
    if (map->kind != HF_NODE_MAP) {
        (void)fail(s, map, "a map");
        return;
    }
    if (!know_keys(s, map, keys, (int)(sizeof keys / sizeof *keys))) {
        return;
    }
    const hf_node *logs = hf_node_get(map, "logs"), *validate = hf_node_get(map, "validate");
    const hf_node *inputs = hf_node_get(map, "inputs"), *match = hf_node_get(map, "match");
    const hf_node *frees = hf_node_get(map, "free");
    // What the command line says goes first
    if (logs != NULL && o->logs.count == 0) {
        read_logs(s, logs, &o->logs);
    }
    if (validate != NULL && o->validations.count == 0) {
        read_logs(s, validate, &o->validations);
    }
    if (inputs != NULL && o->inputs.count == 0) {
        read_inputs(s, inputs, &o->inputs);
    }
    if (match != NULL && o->matches.count == 0) {
        read_matches(s, match, o);
    }
    if (frees != NULL && o->frees.count == 0) {
        if (frees->kind == HF_NODE_SCALAR) {
            read_free(s, frees, true, o);
        }
        for (const hf_node *n = frees->first; n != NULL && s->good; n = n->next) {
            read_free(s, n, false, o);
        }
    }
    read_settings(s, map, o);
}

bool hf_cli_fit_section(hf_cli_fit_plan *plan, const char *model, hf_cli_fit_options *o)
{
    section s = {.plan = plan, .good = true};
    char *text = NULL;
    size_t length = 0;
    const char *slash = strrchr(model, '/');
    // Examples have no logs; a file that cannot be read is reported with the model
    if (hf_text_read(model, model, false, &text, &length, &s.error) != HF_OK) {
        return true;
    }
    s.folder = keep(&s, "%.*s", slash == NULL ? 0 : (int)(slash - model) + 1, model);
    if (hf_document_parse(&s.document, text, length, model, &s.error) == HF_OK) {
        const hf_node *map =
            s.document.root->kind == HF_NODE_MAP ? hf_node_get(s.document.root, "fit") : NULL;
        if (map != NULL) {
            read_section(&s, map, o);
        }
        // Texts of scalars are the document's
        plan->documents = s.document;
    }
    free(text);
    return s.good;
}
