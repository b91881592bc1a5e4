// SPDX-License-Identifier: Apache-2.0
// Numbers, words, vectors, orientations and shapes of a model file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "models/reader.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *s)
{
    while (is_digit(*s)) {
        ++s;
    }
    return s;
}

// [+-] digits [. digits] [e [+-] digits], with a digit on one side of the point at least.
static bool is_decimal(const char *s)
{
    s += *s == '+' || *s == '-';
    const char *whole = s;
    s = skip_digits(s);
    bool digits = s > whole;
    if (*s == '.') {
        const char *fraction = ++s;
        s = skip_digits(s);
        digits = digits || s > fraction;
    }
    if (digits && (*s == 'e' || *s == 'E')) {
        s += 1;
        s += *s == '+' || *s == '-';
        const char *exponent = s;
        s = skip_digits(s);
        digits = s > exponent;
    }
    return digits && *s == '\0';
}

bool hf_node_is_number(const hf_node *node)
{
    return node->kind == HF_NODE_SCALAR && node->plain && is_decimal(node->text);
}

bool hf_node_is_quoted_number(const hf_node *node)
{
    return node->kind == HF_NODE_SCALAR && !node->plain && is_decimal(node->text);
}

bool hf_read_number(hf_reader *reader, const hf_node *node, hf_range range, double *number)
{
    char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN];
    bool digits = hf_node_is_number(node);
    if (hf_node_is_quoted_number(node)) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "%s must be a number, got the text %s: leave out the quotes",
                              hf_node_label(node, label), hf_node_show(node, shown));
    }
    double value = digits ? strtod(node->text, NULL) : 0.0;
    if (!digits && !hf_read_formula(reader, node, &value)) {
        return false;
    }
    const char *expected = !isfinite(value)                                  ? "finite"
                           : range == HF_RANGE_POSITIVE && !(value > 0)      ? "positive"
                           : range == HF_RANGE_NOT_NEGATIVE && !(value >= 0) ? "zero or positive"
                                                                             : NULL;
    if (expected != NULL) {
        char result[32] = "";
        if (!digits) {
            (void)snprintf(result, sizeof result, ", which is %g", value);
        }
        return hf_reader_fail(reader, node, HF_ERROR_RANGE, "%s must be %s, got %.60s%s",
                              hf_node_label(node, label), expected, node->text, result);
    }
    *number = value;
    return true;
}

bool hf_read_count(hf_reader *reader, const hf_node *node, int least, int most, int *number)
{
    double value = 0;
    if (!hf_read_number(reader, node, HF_RANGE_ANY, &value)) {
        return false;
    }
    if (!(value >= least && value <= most) || value != floor(value)) {
        char label[HF_LABEL_SIZE];
        return hf_reader_fail(reader, node, HF_ERROR_RANGE,
                              "%s must be a whole number from %d to %d, got %.60s",
                              hf_node_label(node, label), least, most, node->text);
    }
    *number = (int)value;
    return true;
}

bool hf_read_flag(hf_reader *reader, const hf_node *node, bool *flag)
{
    bool scalar = node->kind == HF_NODE_SCALAR && node->plain;
    if (scalar && strcmp(node->text, "true") == 0) {
        *flag = true;
    } else if (scalar && strcmp(node->text, "false") == 0) {
        *flag = false;
    } else {
        char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN];
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must be true or false, got %s",
                              hf_node_label(node, label), hf_node_show(node, shown));
    }
    return true;
}

bool hf_read_text(hf_reader *reader, const hf_node *node, const char **text)
{
    if (node->kind != HF_NODE_SCALAR || node->text[0] == '\0') {
        char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN];
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must be a text, got %s",
                              hf_node_label(node, label), hf_node_show(node, shown));
    }
    *text = node->text;
    return true;
}

bool hf_read_choice(hf_reader *reader, const hf_node *node, const char *const *choices, int count,
                    int *choice)
{
    const char *word = "";
    if (!hf_read_text(reader, node, &word)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        if (strcmp(word, choices[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    char label[HF_LABEL_SIZE], hint[HF_HINT_SIZE], list[220] = "";
    size_t used = 0;
    bool full = false;
    for (int i = 0; i < count && !full; ++i) {
        const char *between = i == 0 ? "" : i == count - 1 ? " or " : ", ";
        full = i < count - 1 && used > sizeof list - 80;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.30s%s", between, choices[i],
                                 full ? ", ..." : "");
    }
    return hf_reader_fail(reader, node, HF_ERROR_NAME, "%s must be %s, got '%.40s'%s",
                          hf_node_label(node, label), list, word,
                          hf_hint(word, choices, count, hint));
}

bool hf_read_numbers(hf_reader *reader, const hf_node *node, int count, double *numbers)
{
    if (count == 1 && node->kind == HF_NODE_SCALAR) {
        return hf_read_number(reader, node, HF_RANGE_ANY, numbers);
    }
    char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN];
    if (node->kind != HF_NODE_LIST) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must be %s, got %s",
                              hf_node_label(node, label),
                              count == 1   ? "a number"
                              : count == 2 ? "a list of 2 numbers"
                              : count == 3 ? "a list of 3 numbers"
                                           : "a list of numbers",
                              hf_node_show(node, shown));
    }
    if (node->count != count) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must have %d numbers, has %d",
                              hf_node_label(node, label), count, node->count);
    }
    int i = 0;
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        if (!hf_read_number(reader, item, HF_RANGE_ANY, &numbers[i++])) {
            return false;
        }
    }
    return true;
}

bool hf_read_vec3(hf_reader *reader, const hf_node *node, hf_vec3 *vector)
{
    double numbers[3] = {0};
    if (!hf_read_numbers(reader, node, 3, numbers)) {
        return false;
    }
    *vector = hf_v3(numbers[0], numbers[1], numbers[2]);
    return true;
}

bool hf_read_direction(hf_reader *reader, const hf_node *node, hf_vec3 *vector)
{
    if (!hf_read_vec3(reader, node, vector)) {
        return false;
    }
    double size = hf_v3_norm(*vector);
    if (!(size > 0) || !isfinite(size)) { // also directions whose length under- or overflows
        char label[HF_LABEL_SIZE];
        return hf_reader_fail(reader, node, HF_ERROR_RANGE,
                              "%s must be a direction, not a vector of length %g",
                              hf_node_label(node, label), size);
    }
    return true;
}

bool hf_read_list(hf_reader *reader, const hf_node *node, hf_list *list)
{
    if (!hf_read_kind(reader, node, HF_NODE_LIST, "a list of numbers")) {
        return false;
    }
    double *values = hf_arena_alloc(&reader->document->arena, (size_t)node->count, sizeof(double));
    if (values == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    int i = 0;
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        if (!hf_read_number(reader, item, HF_RANGE_ANY, &values[i++])) {
            return false;
        }
    }
    *list = (hf_list){values, node->count};
    return true;
}

bool hf_read_orientation(hf_reader *reader, const hf_node *node, hf_quat *orientation)
{
    // An axis and an angle
    if (node->kind == HF_NODE_MAP) {
        static const char *const keys[] = {"axis", "angle"};
        hf_vec3 axis = {0};
        double angle = 0;
        const hf_node *axis_node, *angle_node;
        if (!hf_read_map(reader, node, keys, 2) ||
            (axis_node = hf_read_need(reader, node, "axis")) == NULL ||
            (angle_node = hf_read_need(reader, node, "angle")) == NULL ||
            !hf_read_direction(reader, axis_node, &axis) ||
            !hf_read_number(reader, angle_node, HF_RANGE_ANY, &angle)) {
            return false;
        }
        *orientation = hf_quat_from_axis_angle(axis, angle);
        return true;
    }
    // A quaternion
    double q[4] = {0};
    if (!hf_read_kind(reader, node, HF_NODE_LIST,
                      "[w, x, y, z] or {axis: [x, y, z], angle: rad}") ||
        !hf_read_numbers(reader, node, 4, q)) {
        return false;
    }
    hf_quat found = {q[0], q[1], q[2], q[3]};
    double size = hf_quat_norm(found);
    if (!(size > 0) || !isfinite(size)) {
        char label[HF_LABEL_SIZE];
        return hf_reader_fail(reader, node, HF_ERROR_RANGE,
                              "%s must be a quaternion [w, x, y, z], not one of length %g",
                              hf_node_label(node, label), size);
    }
    *orientation = hf_quat_normalized(found);
    return true;
}

bool hf_read_number_item(hf_reader *reader, const hf_node *map, const char *key, hf_range range,
                         double *number)
{
    const hf_node *node = hf_node_get(map, key);
    return node == NULL || hf_read_number(reader, node, range, number);
}

bool hf_read_vec3_item(hf_reader *reader, const hf_node *map, const char *key, hf_vec3 *vector)
{
    const hf_node *node = hf_node_get(map, key);
    return node == NULL || hf_read_vec3(reader, node, vector);
}

bool hf_read_inertia(hf_reader *reader, const hf_node *node, hf_sym3 *inertia)
{
    static const char *const keys[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    double numbers[6] = {0};
    if (node->kind == HF_NODE_MAP) {
        if (!hf_read_map(reader, node, keys, 6)) {
            return false;
        }
        for (int i = 0; i < 6; ++i) {
            if ((i < 3 && hf_read_need(reader, node, keys[i]) == NULL) ||
                !hf_read_number_item(reader, node, keys[i], HF_RANGE_ANY, &numbers[i])) {
                return false;
            }
        }
    } else {
        char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN];
        if (node->kind != HF_NODE_LIST || (node->count != 3 && node->count != 6)) {
            return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                                  "%s must be [xx, yy, zz] or [xx, yy, zz, xy, xz, yz], got %s",
                                  hf_node_label(node, label),
                                  node->kind == HF_NODE_LIST ? "a list of another length"
                                                             : hf_node_show(node, shown));
        }
        if (!hf_read_numbers(reader, node, node->count, numbers)) {
            return false;
        }
    }
    *inertia = (hf_sym3){.xx = numbers[0],
                         .yy = numbers[1],
                         .zz = numbers[2],
                         .xy = numbers[3],
                         .xz = numbers[4],
                         .yz = numbers[5]};
    return true;
}
