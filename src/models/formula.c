// SPDX-License-Identifier: Apache-2.0
// Numbers that are not plain digits: with a unit (12 mm), or a formula of the model's parameters
// (2*rho*L). And which unit an entry of a model file has.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/measure.h"
#include "math/expression.h"
#include "models/reader.h"

// ------------------------------------------------------------------------------------------------
// Which unit

// Units of entries that are no parameters of a law. `turns`: for a coordinate that turns it is the
// unit of a turning motion.
typedef struct key_unit {
    const char *key, *unit;
    bool turns;
} key_unit;

static const key_unit KEYS[] = {
    {"gravity", "m/s^2", false},
    {"duration", "s", false},
    {"step", "s", false},
    {"mass", "kg", false},
    {"armature", "kg", true},
    {"inertia", "kg*m^2", false},
    {"center", "m", false},
    {"offset", "m", false},
    {"shape_center", "m", false},
    {"point", "m", false},
    {"to_point", "m", false},
    {"size", "m", false},
    {"radius", "m", false},
    {"radii", "m", false},
    {"heights", "m", false},
    {"length", "m", false},
    {"height", "m", false},
    {"spacing", "m", false},
    {"stagger", "m", false},
    {"jitter", "m", false},
    {"position", "m", true},
    {"guess", "m", true},
    {"start", "m", true},
    {"velocity", "m/s", true},
    {"angular_velocity", "rad/s", false},
    {"angle", "rad", false},
    {"frequency", "Hz", false},
    {"period", "s", false},
    {"jumps", "s", false},
    {"value", "N", true},
    {"normal", "N", false},
    {"coulomb", "N", true},
    {"kinetic", "N", true},
    {"static", "N", true},
    {"viscous", "Ns/m", true},
    {"stribeck_velocity", "m/s", true},
    {"friction", "", false},
    {"static_friction", "", false}, // of what turns they may be lengths, friction times a radius
    {"shape", "", false},
    {"surface_velocity", "m/s", false},
    {"surface_spin", "rad/s", false},
    {"surface_speed", "", false},
    {"parts_tolerance", "m", false},
    {"density", "kg/m^3", false},
    {"restitution", "", false},
    {"spin_friction", "m", false},
    {"rolling_friction", "m", false},
};

static const key_unit *find_key(const char *key)
{
    for (size_t i = 0; key != NULL && i < sizeof KEYS / sizeof *KEYS; ++i) {
        if (strcmp(KEYS[i].key, key) == 0) {
            return &KEYS[i];
        }
    }
    return NULL;
}

// The entry that a number belongs to: itself, or the list or map of components that holds it.
static const hf_node *entry_of(const hf_node *node)
{
    while (node->parent != NULL && node->parent->kind == HF_NODE_LIST) {
        node = node->parent;
    }
    bool component = node->parent != NULL && node->parent->key != NULL &&
                     strcmp(node->parent->key, "inertia") == 0;
    return component ? node->parent : node;
}

// The unit of the entry, as text and as a measure. False: it has none that is known here.
static bool expected_unit(const hf_reader *reader, const hf_node *node, const char **text,
                          hf_measure *measure)
{
    const hf_node *entry = entry_of(node);
    bool turning = reader->motion == HF_MOTION_TURNS, turns = true;
    size_t position = 0;
    if (reader->param != NULL && entry->key != NULL && strcmp(entry->key, reader->param) == 0) {
        *text = reader->param_unit;
    } else {
        const key_unit *known = find_key(entry->key);
        if (known == NULL) {
            return false;
        }
        *text = known->unit;
        turns = known->turns;
        // A level is that of its law: newtons, or Nm about the axis of a joint.
        turning = turning || (reader->param != NULL && strcmp(reader->param_unit, "Nm") == 0);
    }
    if (turns && reader->motion == HF_MOTION_MIXED && (*text)[0] != '\0') {
        return false;
    }
    return hf_measure_parse(*text, turns && turning, measure, &position);
}

// ------------------------------------------------------------------------------------------------
// Formulas

hf_expression_scope hf_reader_scope(const hf_reader *reader, bool time)
{
    hf_expression_scope scope = time ? hf_expression_time : (hf_expression_scope){.time = -1};
    scope.constants = reader->parameter_names;
    scope.constant_values = reader->parameter_values;
    scope.constant_count = reader->parameter_count;
    return scope;
}

// Digits before a unit: how many letters of the text they take, 0 for none.
static size_t number_length(const char *text)
{
    size_t length = strspn(text, "+-0123456789.");
    size_t digits = strspn(text, "+-");
    if (length == digits || digits > 1) {
        return 0;
    }
    if (text[length] == 'e' || text[length] == 'E') { // an exponent, if digits follow
        size_t sign = length + 1 + (text[length + 1] == '+' || text[length + 1] == '-' ? 1 : 0);
        size_t more = strspn(text + sign, "0123456789");
        length = more > 0 ? sign + more : length;
    }
    return length;
}

static bool is_unit_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
}

// How a unit is shown: "in N/m", for a coordinate that turns "in Nm/rad".
static const char *show_unit(const char *text, const hf_measure *measure,
                             char shown[HF_MEASURE_SHOWN])
{
    hf_measure plain;
    size_t position = 0;
    if (text[0] == '\0') {
        return "a pure number";
    }
    if (hf_measure_parse(text, false, &plain, &position) && !hf_measure_same(&plain, measure)) {
        char buffer[HF_MEASURE_SHOWN];
        const char *turned = hf_measure_turned(text);
        turned = turned == text ? hf_measure_show(measure, buffer) : turned;
        (void)snprintf(shown, HF_MEASURE_SHOWN, "in %.50s", turned);
    } else {
        (void)snprintf(shown, HF_MEASURE_SHOWN, "in %.50s", text);
    }
    return shown;
}

// A coefficient of friction about an axis that a force loads: a torque by a force is a length.
static bool is_arm(const hf_reader *reader, const hf_node *node, const hf_measure *measure)
{
    const char *key = entry_of(node)->key;
    hf_measure length;
    size_t position = 0;
    return reader->motion == HF_MOTION_TURNS && key != NULL &&
           (strcmp(key, "friction") == 0 || strcmp(key, "static_friction") == 0) &&
           hf_measure_parse("m", false, &length, &position) && hf_measure_same(&length, measure);
}

// `from`: the unit of the parameter that is given, or NULL.
static bool check_dimension(hf_reader *reader, const hf_node *node, const char *from,
                            const hf_measure *measure)
{
    const char *text = "";
    char label[HF_LABEL_SIZE], shown[HF_MEASURE_SHOWN];
    hf_measure expected;
    bool known = expected_unit(reader, node, &text, &expected);
    if (!known && from != NULL) {
        return true; // a parameter's value is in SI units already
    }
    if (!known) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "%s takes no unit here; write the number in SI units, got '%.60s'",
                              hf_node_label(node, label), node->text);
    }
    if (!hf_measure_same(&expected, measure) && !is_arm(reader, node, measure)) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must be %s, got '%.60s'%s%.40s",
                              hf_node_label(node, label), show_unit(text, &expected, shown),
                              node->text, from == NULL ? "" : ", a parameter in ",
                              from == NULL ? "" : from);
    }
    return true;
}

bool hf_measured_number(const char *text, double *number, const char **unit, hf_measure *measure)
{
    size_t length = number_length(text), position = 0;
    *unit = text + length + strspn(text + length, " ");
    if (length == 0 || !is_unit_letter(**unit) ||
        !hf_measure_parse(*unit, false, measure, &position)) {
        return false;
    }
    *number = strtod(text, NULL) * measure->factor;
    return true;
}

// A formula that is nothing but a parameter with a unit has that unit.
static bool check_parameter_unit(hf_reader *reader, const hf_node *node)
{
    for (int i = 0; i < reader->parameter_count; ++i) {
        const hf_parameter_note *note = &reader->parameters[reader->parameter_notes[i]];
        if (strcmp(reader->parameter_names[i], node->text) == 0 && note->unit != NULL) {
            return check_dimension(reader, node, note->unit, &note->measure);
        }
    }
    return true;
}

void hf_blame_unit(const char *text, hf_expression_fault *fault)
{
    size_t length = number_length(text);
    const char *unit = text + length + strspn(text + length, " ");
    if (length > 0 && is_unit_letter(*unit)) {
        (void)snprintf(fault->text, sizeof fault->text, "unknown unit '%.60s'", unit);
    }
}

bool hf_node_is_formula(const hf_reader *reader, const hf_node *node)
{
    double number = 0.0;
    const char *unit = NULL;
    hf_measure measure;
    if (node->kind != HF_NODE_SCALAR || hf_node_is_number(node) || node->text[0] == '\0') {
        return false;
    }
    if (hf_measured_number(node->text, &number, &unit, &measure)) {
        return true;
    }
    hf_expression_fault fault = {0};
    hf_expression *expression =
        hf_expression_create(node->text, hf_reader_scope(reader, false), &fault);
    hf_expression_destroy(expression);
    return expression != NULL;
}

bool hf_read_formula(hf_reader *reader, const hf_node *node, double *number)
{
    char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN];
    const char *unit = NULL;
    hf_measure measure;
    if (node->kind != HF_NODE_SCALAR || node->text[0] == '\0') {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must be a number, got %s",
                              hf_node_label(node, label), hf_node_show(node, shown));
    }
    if (hf_measured_number(node->text, number, &unit, &measure)) {
        return check_dimension(reader, node, NULL, &measure);
    }
    hf_expression_fault fault = {0};
    hf_expression *expression =
        hf_expression_create(node->text, hf_reader_scope(reader, false), &fault);
    if (expression == NULL) {
        hf_blame_unit(node->text, &fault);
        bool word = strspn(node->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") ==
                    strlen(node->text);
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must be a number, got %s%s%.150s",
                              hf_node_label(node, label), hf_node_show(node, shown),
                              word && reader->parameter_count == 0 ? "" : ": ",
                              word && reader->parameter_count == 0 ? "" : fault.text);
    }
    *number = hf_expression_value(expression, NULL);
    hf_expression_destroy(expression);
    return check_parameter_unit(reader, node);
}
