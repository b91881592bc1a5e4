// SPDX-License-Identifier: Apache-2.0
// `type: law`: a law of one's own, written in the model file.
//
//   - {name: pad, on: block, type: law, parameters: {K: 1e5, B: 100, F: 10},
//      force: "sat(F, K*e + B*rate)", states: {e: "(force - K*e)/B"}, stored: "K*dot(e, e)/2",
//      slip: "norm(K*e + B*rate) > F"}
//
// The general procedure of [Xiong2013] (31)-(32): sgn and dio of a differential inclusion become
// sat and max of elements with states e, a of their own, whose rates the law gives. On a coupling
// of several axes gap, rate, force and states are vectors. Expressions are compiled into numbers,
// which the law's definition carries: it is data, and copied with it.
#include <stdlib.h>
#include <string.h>

#include <holdfast/coupling.h>

#include "math/expression_program.h"
#include "models/forces.h"
#include "own_law.h"

enum { MOST_CONSTANTS = 256, EXPRESSIONS = HF_OWN_MAX_AXES + HF_OWN_MAX_NUMBERS + 2 };

typedef struct law_reading {
    hf_reader *reader;
    int axes;
    const char *letters[HF_OWN_MAX_AXES]; // their names: x, y, z
    bool knows_force;                     // force can be named
    bool has_gap, has_tau;                // gap may be named; tau was
    const char *coupling;                 // its name
    hf_own_slots slots;
    const char *names[HF_OWN_MAX_SLOTS]; // of the slots; of a vector's further ones "e.y"
    bool vectors[HF_OWN_MAX_SLOTS];
    int count;
    const char *constants[MOST_CONSTANTS];
    double values[MOST_CONSTANTS];
    int constant_count;
    double *numbers; // the program
    int used;
    bool leaps; // some expression jumps at a condition
} law_reading;

static bool add_constant(law_reading *r, const hf_node *node, const char *name, double value)
{
    if (r->constant_count == MOST_CONSTANTS) {
        return hf_reader_fail(r->reader, node, HF_ERROR_RANGE, "a law has at most %d parameters",
                              MOST_CONSTANTS);
    }
    r->constants[r->constant_count] = name;
    r->values[r->constant_count++] = value;
    return true;
}

// The law's own parameters hide those of the model.
static bool read_parameters(law_reading *r, const hf_node *map)
{
    hf_reader *reader = r->reader;
    if (map != NULL && !hf_read_kind(reader, map, HF_NODE_MAP, "a map of numbers by name")) {
        return false;
    }
    for (const hf_node *item = map == NULL ? NULL : map->first; item != NULL; item = item->next) {
        double value = 0.0;
        if (!hf_read_number(reader, item, HF_RANGE_ANY, &value) ||
            !add_constant(r, item, item->key, value)) {
            return false;
        }
    }
    for (int i = 0; i < reader->parameter_count; ++i) {
        if (!add_constant(r, map, reader->parameter_names[i], reader->parameter_values[i])) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Names

// Names the next slots: a number, or a vector with as many as there are axes.
static bool add_slots(law_reading *r, const char *name, bool vector)
{
    for (int k = 0; k < (vector ? r->axes : 1); ++k) {
        const char *full = name;
        if (k > 0) {
            char *dot = hf_reader_join(r->reader, name, ".");
            full = dot == NULL ? NULL : hf_reader_join(r->reader, dot, r->letters[k]);
        }
        if (full == NULL) {
            return false;
        }
        r->names[r->count] = full;
        r->vectors[r->count++] = vector && k == 0 && r->axes > 1;
    }
    return true;
}

static bool add_name(law_reading *r, const hf_node *item, bool vector)
{
    for (int i = 0; i < r->count; ++i) {
        if (strcmp(r->names[i], item->key) == 0) {
            return hf_reader_fail_key(r->reader, item, HF_ERROR_NAME,
                                      "the name '%.60s' is taken in a law: gap, rate, normal, tau, "
                                      "force, its states and its inputs",
                                      item->key);
        }
    }
    return add_slots(r, item->key, vector);
}

// The slot of a component, "rate.x": -1 where there is none.
static int find_component(void *context, const char *word, size_t length)
{
    const law_reading *r = context;
    for (int i = 0; i < r->count; ++i) {
        size_t name = strlen(r->names[i]);
        if (!r->vectors[i] || name >= length || strncmp(r->names[i], word, name) != 0 ||
            word[name] != '.') {
            continue;
        }
        for (int k = 0; k < r->axes; ++k) {
            if (strlen(r->letters[k]) == length - name - 1 &&
                strncmp(word + name + 1, r->letters[k], length - name - 1) == 0) {
                return i + k;
            }
        }
    }
    return -1;
}

// A name that expressions do not see for now.
static const char HIDDEN[] = "\x01";

static hf_expression_scope scope_of(law_reading *r, int axis)
{
    r->names[r->slots.force] = r->knows_force ? "force" : HIDDEN;
    return (hf_expression_scope){.names = r->names,
                                 .count = r->count,
                                 .time = -1,
                                 .constants = r->constants,
                                 .constant_values = r->values,
                                 .constant_count = r->constant_count,
                                 .find = r->axes > 1 ? find_component : NULL,
                                 .context = r,
                                 .axes = r->axes,
                                 .axis = axis,
                                 .vectors = r->vectors};
}

// ------------------------------------------------------------------------------------------------
// Expressions

// Whether an expression names some of the slots from `first` on.
static bool uses(const hf_expression *e, int first, int count)
{
    for (size_t i = 0; i < e->count; ++i) {
        const hf_op *op = &e->program[i];
        if ((op->code == HF_OP_VARIABLE || op->code == HF_OP_LINEAR) && op->index >= first &&
            op->index < first + count) {
            return true;
        }
    }
    return false;
}

// Compiles the text of a node behind what there is, along an axis, or with -1 as a number.
static bool add_expression(law_reading *r, const hf_node *node, int axis)
{
    hf_expression_fault fault = {0};
    const char *text = NULL;
    if (!hf_read_text(r->reader, node, &text)) {
        return false;
    }
    hf_expression *e = hf_expression_create(text, scope_of(r, axis), &fault);
    if (e == NULL) {
        return hf_fail_in_text(r->reader, node, &fault);
    }
    // What it may use, and how long it may be
    if (!r->has_gap && uses(e, r->slots.gap, r->axes)) {
        hf_expression_destroy(e);
        (void)hf_expression_fail(&fault, 0, "a %s coupling has no gap, only a rate", r->coupling);
        return hf_fail_in_text(r->reader, node, &fault);
    }
    if (e->count > HF_OWN_MAX_OPS) {
        hf_expression_destroy(e);
        return hf_reader_fail(r->reader, node, HF_ERROR_RANGE,
                              "the expression has more than %d operations", HF_OWN_MAX_OPS);
    }
    // Into the program
    r->numbers[r->used++] = (double)e->count;
    for (size_t i = 0; i < e->count; ++i) {
        const hf_op *op = &e->program[i];
        const double numbers[HF_OWN_OP_NUMBERS] = {op->code, op->index, op->a, op->b};
        memcpy(r->numbers + r->used, numbers, sizeof numbers);
        r->used += HF_OWN_OP_NUMBERS;
    }
    r->has_tau = r->has_tau || uses(e, r->slots.tau, 1);
    r->leaps = r->leaps || hf_expression_leaps(e);
    hf_expression_destroy(e);
    return true;
}

// One an axis: of a vector, or of a list of numbers.
static bool add_vector(law_reading *r, const hf_node *node)
{
    if (node->kind == HF_NODE_LIST) {
        if (node->count != r->axes) {
            return hf_reader_fail(r->reader, node, HF_ERROR_INPUT,
                                  "expected %d expressions, one an axis, got %d", r->axes,
                                  node->count);
        }
        for (const hf_node *item = node->first; item != NULL; item = item->next) {
            if (!add_expression(r, item, -1)) {
                return false;
            }
        }
        return true;
    }
    for (int k = 0; k < r->axes; ++k) {
        if (!add_expression(r, node, k)) {
            return false;
        }
    }
    return true;
}

static bool add_force(law_reading *r, const hf_node *node)
{
    r->knows_force = false; // it cannot depend on itself
    if (!add_vector(r, node)) {
        return false;
    }
    if (r->axes > 1 && node->kind == HF_NODE_SCALAR &&
        !hf_expression_is_vector(node->text, scope_of(r, 0))) {
        return hf_reader_fail(r->reader, node, HF_ERROR_INPUT,
                              "the force is one number, but there are %d axes here: make it a "
                              "vector, with gap, rate or a state in it, or a list of expressions",
                              r->axes);
    }
    r->knows_force = true;
    return true;
}

// A state: e: "rate", or e: {rate: "...", start: 0.1, scalar: true}.
typedef struct state_keys {
    const hf_node *rate, *start;
    bool scalar;
} state_keys;

static bool read_state(hf_reader *reader, const hf_node *state, state_keys *s)
{
    static const char *const keys[] = {"rate", "start", "scalar"};
    *s = (state_keys){.rate = state};
    if (state->kind != HF_NODE_MAP) {
        return true;
    }
    const hf_node *scalar = hf_node_get(state, "scalar");
    if (!hf_read_map(reader, state, keys, HF_COUNT(keys)) ||
        (scalar != NULL && !hf_read_flag(reader, scalar, &s->scalar))) {
        return false;
    }
    s->start = hf_node_get(state, "start");
    s->rate = hf_read_need(reader, state, "rate");
    return s->rate != NULL;
}

// The rates of the states; their start is in the program's head.
static bool add_states(law_reading *r, const hf_node *states)
{
    double *start = r->numbers + HF_OWN_HEAD;
    for (const hf_node *s = states == NULL ? NULL : states->first; s != NULL; s = s->next) {
        state_keys keys;
        if (!read_state(r->reader, s, &keys)) {
            return false;
        }
        int count = keys.scalar ? 1 : r->axes;
        if ((keys.start != NULL && !hf_read_numbers(r->reader, keys.start, count, start)) ||
            !(keys.scalar ? add_expression(r, keys.rate, -1) : add_vector(r, keys.rate))) {
            return false;
        }
        start += count;
    }
    return true;
}

static bool read_program(law_reading *r, const hf_node *item, hf_own_def *def)
{
    hf_reader *reader = r->reader;
    const hf_node *force = hf_read_need(reader, item, "force");
    const hf_node *stored = hf_node_get(item, "stored"), *slip = hf_node_get(item, "slip");
    if (force == NULL) {
        return false;
    }
    // The head, then all expressions in their order
    int states = r->slots.inputs - r->slots.states;
    r->numbers[HF_OWN_AXES] = r->axes;
    r->numbers[HF_OWN_STATES] = states;
    r->numbers[HF_OWN_STORED] = stored != NULL;
    r->numbers[HF_OWN_SLIP] = slip != NULL;
    r->used = HF_OWN_HEAD + states;
    if (!add_force(r, force) || !add_states(r, hf_node_get(item, "states"))) {
        return false;
    }
    r->numbers[HF_OWN_LEAPS] = r->leaps;
    if ((stored != NULL && !add_expression(r, stored, -1)) ||
        (slip != NULL && !add_expression(r, slip, -1))) {
        return false;
    }
    const double *kept =
        hf_arena_copy(&reader->document->arena, r->numbers, (size_t)r->used, sizeof *r->numbers);
    def->program = (hf_list){kept, r->used};
    return kept != NULL || hf_reader_out_of_memory(reader);
}

// With room for the longest program while it is read.
static bool read_whole(law_reading *r, const hf_node *item, hf_own_def *def)
{
    enum {
        ROOM = HF_OWN_HEAD + HF_OWN_MAX_NUMBERS +
               EXPRESSIONS * (1 + HF_OWN_MAX_OPS * HF_OWN_OP_NUMBERS)
    };
    r->numbers = calloc(ROOM, sizeof *r->numbers);
    bool read =
        r->numbers == NULL ? hf_reader_out_of_memory(r->reader) : read_program(r, item, def);
    free(r->numbers);
    return read;
}

// ------------------------------------------------------------------------------------------------
// The force

// The axes of the coupling, as its channels are called.
static bool read_axes(law_reading *r, const hf_node *item, const hf_coupling_def *coupling)
{
    static const char *const words[] = {"x", "y", "z"};
    hf_place on = {.axis = -1};
    r->axes = hf_coupling_dim(coupling);
    r->has_gap = hf_coupling_ops_get(coupling->type)->has_gap;
    r->coupling = hf_coupling_ops_get(coupling->type)->name;
    if (r->axes < 1 || r->axes > HF_OWN_MAX_AXES) {
        return hf_reader_fail_key(r->reader, item, HF_ERROR_UNSUPPORTED,
                                  "a law of the file goes on 1 to %d axes", HF_OWN_MAX_AXES);
    }
    if (coupling->type == HF_COUPLING_COORDINATE &&
        !hf_read_place(r->reader, hf_node_get(item, "on"), &on)) {
        return false;
    }
    for (int k = 0; k < r->axes; ++k) {
        int first = on.axis >= 0 ? on.axis : 0;
        bool in_axes = on.body != NULL && hf_note_ops(on.body)->in_axes;
        bool angle = on.body != NULL && on.body->joint == HF_JOINT_PLANAR && first + k == 2;
        r->letters[k] = in_axes ? words[on.body->axes[first + k]] : angle ? "angle" : words[k];
    }
    return true;
}

static bool read_names(law_reading *r, const hf_node *item, const char *name, hf_force_def *def)
{
    hf_reader *reader = r->reader;
    const hf_node *states = hf_node_get(item, "states"), *map = hf_node_get(item, "inputs");
    if ((states != NULL && !hf_read_kind(reader, states, HF_NODE_MAP, "a map by name")) ||
        (map != NULL && !hf_read_kind(reader, map, HF_NODE_MAP, "a map by name"))) {
        return false;
    }
    if ((states != NULL && states->count > HF_OWN_MAX_STATES) ||
        (map != NULL && map->count > HF_LAW_MAX_INPUTS)) {
        return hf_reader_fail_key(reader, item, HF_ERROR_RANGE,
                                  "a law has at most %d states and %d inputs", HF_OWN_MAX_STATES,
                                  HF_LAW_MAX_INPUTS);
    }
    // What an expression can name: the coupling's motion first
    if (!add_slots(r, "gap", true) || !add_slots(r, "rate", true) || !add_slots(r, "force", true) ||
        !add_slots(r, "normal", false) || !add_slots(r, "tau", false)) {
        return false;
    }
    // then states and inputs
    int first = r->count;
    for (const hf_node *s = states == NULL ? NULL : states->first; s != NULL; s = s->next) {
        state_keys keys;
        if (!read_state(reader, s, &keys) || !add_name(r, s, !keys.scalar)) {
            return false;
        }
    }
    r->slots = hf_own_slots_of(r->axes, r->count - first);
    int i = 0;
    for (const hf_node *s = map == NULL ? NULL : map->first; s != NULL; s = s->next, ++i) {
        char *dot = hf_reader_join(reader, name, ".");
        char *hidden = dot == NULL ? NULL : hf_reader_join(reader, dot, s->key);
        if (hidden == NULL || !add_name(r, s, false) ||
            !hf_read_value(reader, s, hidden, &def->values[i])) {
            return false;
        }
    }
    return true;
}

// `normal:` of such a law: a value.
static bool read_load(hf_reader *reader, const hf_node *item, const char *name, hf_force_def *def)
{
    const hf_node *node = hf_node_get(item, "normal");
    char *hidden = hf_reader_join(reader, name, ".load");
    return hidden != NULL &&
           (node == NULL || hf_read_value(reader, node, hidden, &def->normal.value));
}

bool hf_read_own_law(hf_reader *reader, const hf_node *item, const char *name)
{
    static const char *const keys[] = {
        "name",
        "type",
        "on",
        "to",
        "coupling",
        "point",
        HF_PLACE_KEYS(HF_PLACE_WORD) "to_point",
        "normal",
        "parameters",
        "inputs",
        "states",
        "force",
        "stored",
        "slip",
        "enable",
        "active",
    };
    law_reading r = {.reader = reader};
    hf_own_def own = {{NULL, 0}};
    hf_force_def def = hf_force_def_default();
    def.name = name;
    // Where it acts, and what it does
    if (!hf_check_force_keys(reader, item, keys, HF_COUNT(keys), NULL) ||
        !hf_read_coupling(reader, item, name, false, true, &def.coupling) ||
        !read_axes(&r, item, &def.coupling) ||
        !read_parameters(&r, hf_node_get(item, "parameters")) ||
        !read_names(&r, item, name, &def) || !read_whole(&r, item, &own) ||
        !read_load(reader, item, name, &def) || !hf_read_enable(reader, item, name, &def)) {
        return false;
    }
    // Which kind of law it is
    const hf_node *active_node = hf_node_get(item, "active"), *slip = hf_node_get(item, "slip");
    bool active = false;
    if (active_node != NULL && !hf_read_flag(reader, active_node, &active)) {
        return false;
    }
    if (active && slip != NULL) {
        return hf_reader_fail_key(reader, slip, HF_ERROR_INPUT, "a drive does not slip");
    }
    const hf_law_info *law = hf_own_law(slip != NULL, active, r.has_tau);
    // One law of the spec for all forces of its kind
    const hf_law_info *known = hf_spec_find_law(reader->spec, law->name);
    def.law = known != NULL ? known->type : hf_spec_register_law(reader->spec, law, reader->error);
    def.def = &own;
    return def.law != HF_LAW_FORCE ? hf_reader_add_force(reader, item, &def)
                                   : hf_reader_pass(reader, item, true);
}
