// SPDX-License-Identifier: Apache-2.0
// `parameters:`: numbers with names, usable in every number and expression of the model.
//
//   parameters:
//     mu: 0.3
//     travel: 12 mm
//     weight: 9.81*load                                    a formula of other parameters
//     load: {value: 2, unit: kg, range: [0, 10], about: "what the hook carries"}
//
// They may stand in any order. A parameter that is defined by itself is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/expression.h"
#include "models/reader.h"

enum { MOST_PARAMETERS = 256 };

static bool is_word(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return length > 0 && name[length] == '\0' && !(name[0] >= '0' && name[0] <= '9');
}

static bool check_name(hf_reader *reader, const hf_node *node)
{
    if (!is_word(node->key)) {
        return hf_reader_fail_key(
            reader, node, HF_ERROR_NAME,
            "a parameter's name must be letters, digits and '_', with a letter first, got '%.60s'",
            node->key);
    }
    if (hf_expression_knows(hf_expression_time, node->key)) {
        return hf_reader_fail_key(reader, node, HF_ERROR_NAME,
                                  "the name '%.60s' has a meaning in expressions", node->key);
    }
    return true;
}

// {value:, unit:, range:, about:}
static bool read_map(hf_reader *reader, const hf_node *node, hf_parameter_note *note)
{
    static const char *const keys[] = {"value", "unit", "range", "about"};
    const hf_node *unit = hf_node_get(node, "unit"), *about = hf_node_get(node, "about");
    if (!hf_read_map(reader, node, keys, 4) ||
        (note->node = hf_read_need(reader, node, "value")) == NULL ||
        (about != NULL && !hf_read_text(reader, about, &note->about)) ||
        (unit != NULL && !hf_read_text(reader, unit, &note->unit))) {
        return false;
    }
    size_t position = 0;
    if (unit != NULL && !hf_measure_parse(note->unit, false, &note->measure, &position)) {
        return hf_reader_fail(reader, unit, HF_ERROR_INPUT,
                              "unknown unit '%.60s'; units are words such as N, Nm, mm, kg, deg, "
                              "rpm, with *, / and ^ between them",
                              note->unit);
    }
    note->range_node = hf_node_get(node, "range");
    return true;
}

static bool read_head(hf_reader *reader, const hf_node *node, hf_parameter_note *note)
{
    *note = (hf_parameter_note){
        .node = node, .low = -INFINITY, .high = INFINITY, .measure = {.factor = 1.0}};
    hf_reader_enter(reader, "parameter", node->key);
    return check_name(reader, node) && hf_reader_add_item(reader, node->key, node, true) &&
           (node->kind != HF_NODE_MAP || read_map(reader, node, note));
}

// "12 mm" gives the parameter its unit; one that the map gives must fit.
static bool check_unit(hf_reader *reader, hf_parameter_note *note, const char *unit,
                       const hf_measure *measure)
{
    if (note->unit != NULL && !hf_measure_same(measure, &note->measure)) {
        return hf_reader_fail(reader, note->node, HF_ERROR_INPUT,
                              "value must be in %.60s, got '%.60s'", note->unit, note->node->text);
    }
    if (note->unit == NULL) {
        note->unit = unit;
        note->measure = *measure;
    }
    return true;
}

// The value of a parameter in SI units, if all that it needs is known. *known tells.
static bool evaluate(hf_reader *reader, hf_parameter_note *note, double *value, bool *known)
{
    const hf_node *node = note->node;
    *known = false;
    if (node->kind != HF_NODE_SCALAR || node->text[0] == '\0') {
        char shown[HF_NODE_SHOWN];
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "expected a number, a number with a unit or a formula, got %s",
                              hf_node_show(node, shown));
    }
    // A number with a unit
    const char *unit = NULL;
    hf_measure measure;
    if (hf_measured_number(node->text, value, &unit, &measure)) {
        *known = true;
        return check_unit(reader, note, unit, &measure);
    }
    // A formula; what it cannot find yet is for a later round
    hf_expression_fault fault = {0};
    hf_expression *expression =
        hf_expression_create(node->text, hf_reader_scope(reader, false), &fault);
    if (expression == NULL && fault.memory) {
        return hf_reader_out_of_memory(reader);
    }
    if (expression != NULL) {
        *value = hf_expression_value(expression, NULL) * note->measure.factor;
        hf_expression_destroy(expression);
        *known = true;
        if (!isfinite(*value)) {
            return hf_reader_fail(reader, node, HF_ERROR_RANGE, "the value is %g, not finite",
                                  *value);
        }
    }
    return true;
}

static bool read_range(hf_reader *reader, hf_parameter_note *note, double value)
{
    if (note->range_node == NULL) {
        return true;
    }
    double range[2] = {0};
    if (!hf_read_numbers(reader, note->range_node, 2, range)) {
        return false;
    }
    note->low = range[0] * note->measure.factor;
    note->high = range[1] * note->measure.factor;
    if (!(note->low < note->high)) {
        return hf_reader_fail(reader, note->range_node, HF_ERROR_RANGE,
                              "range must be [low, high] with low < high");
    }
    if (!(value >= note->low && value <= note->high)) {
        bool united = note->unit != NULL;
        return hf_reader_fail(reader, note->node, HF_ERROR_RANGE,
                              "%.60s is outside of the parameter's range, %g to %g%s%.60s",
                              note->node->text, range[0], range[1], united ? " " : "",
                              united ? note->unit : "");
    }
    return true;
}

// What is left when no further parameter can be evaluated: an unknown name, or a circle.
static bool fail_left(hf_reader *reader, const hf_node *section, const bool *done)
{
    const char *names[MOST_PARAMETERS];
    double zeros[MOST_PARAMETERS] = {0};
    int count = 0, index = 0;
    for (const hf_node *node = section->first; node != NULL; node = node->next) {
        names[count++] = node->key;
    }
    const hf_expression_scope all = {
        .time = -1, .constants = names, .constant_values = zeros, .constant_count = count};
    const hf_node *first = NULL;
    for (const hf_node *node = section->first; node != NULL; node = node->next, ++index) {
        if (done[index]) {
            continue;
        }
        const hf_node *value = reader->parameters[index].node;
        hf_expression_fault fault = {0};
        hf_expression *expression = hf_expression_create(value->text, all, &fault);
        hf_reader_enter(reader, "parameter", node->key);
        if (expression == NULL) {
            hf_blame_unit(value->text, &fault);
            return hf_reader_fail(reader, value, HF_ERROR_SYNTAX, "%s", fault.text);
        }
        hf_expression_destroy(expression);
        first = first == NULL ? node : first;
    }
    hf_reader_enter(reader, "parameter", first->key);
    return hf_reader_fail_key(reader, first, HF_ERROR_INPUT,
                              "it is defined by itself, directly or through others");
}

// One round over all that are not known yet; *more: at least one was found.
static bool evaluate_round(hf_reader *reader, const hf_node *section, hf_parameter_note *notes,
                           bool *done, bool *more)
{
    int index = 0;
    *more = false;
    for (const hf_node *node = section->first; node != NULL; node = node->next, ++index) {
        double value = 0.0;
        bool known = false;
        if (done[index]) {
            continue;
        }
        hf_reader_enter(reader, "parameter", node->key);
        if (!evaluate(reader, &notes[index], &value, &known) ||
            (known && !read_range(reader, &notes[index], value))) {
            return false;
        }
        if (known) {
            notes[index].value = value;
            reader->parameter_names[reader->parameter_count] = node->key;
            reader->parameter_values[reader->parameter_count] = value;
            reader->parameter_notes[reader->parameter_count++] = index;
            done[index] = *more = true;
        }
    }
    return true;
}

static bool keep(hf_reader *reader, const hf_node *section, const hf_parameter_note *notes)
{
    int index = 0;
    for (const hf_node *node = section->first; node != NULL; node = node->next, ++index) {
        const hf_parameter_note *note = &notes[index];
        const hf_parameter_def def = {.name = node->key,
                                      .value = note->value,
                                      .unit = note->unit,
                                      .low = note->low,
                                      .high = note->high,
                                      .about = note->about};
        if (hf_spec_add_parameter(reader->spec, &def, reader->error) != HF_OK) {
            return hf_reader_pass(reader, node, true);
        }
    }
    hf_reader_leave(reader);
    return true;
}

bool hf_read_parameters(hf_reader *reader, const hf_node *section)
{
    if (!hf_read_kind(reader, section, HF_NODE_MAP, "a map of parameters by name")) {
        return false;
    }
    if (section->count > MOST_PARAMETERS) {
        return hf_reader_fail_key(reader, section, HF_ERROR_RANGE, "at most %d parameters, got %d",
                                  MOST_PARAMETERS, section->count);
    }
    // Room for all of them
    hf_arena *arena = &reader->document->arena;
    size_t room = (size_t)section->count + 1;
    hf_parameter_note *notes = hf_arena_alloc(arena, room, sizeof *notes);
    reader->parameters = notes;
    reader->parameter_names = hf_arena_alloc(arena, room, sizeof *reader->parameter_names);
    reader->parameter_values = hf_arena_alloc(arena, room, sizeof *reader->parameter_values);
    reader->parameter_notes = hf_arena_alloc(arena, room, sizeof *reader->parameter_notes);
    bool done[MOST_PARAMETERS] = {false}, more = true;
    if (notes == NULL || reader->parameter_names == NULL || reader->parameter_values == NULL ||
        reader->parameter_notes == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    // Their heads, then values: each round those whose formulas are known
    int index = 0;
    for (const hf_node *node = section->first; node != NULL; node = node->next) {
        if (!read_head(reader, node, &notes[index++])) {
            return false;
        }
    }
    while (more) {
        if (!evaluate_round(reader, section, notes, done, &more)) {
            return false;
        }
    }
    return reader->parameter_count == section->count ? keep(reader, section, notes)
                                                     : fail_left(reader, section, done);
}
