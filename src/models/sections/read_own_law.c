// SPDX-License-Identifier: Apache-2.0
// `type: law`: a law of one's own, written in the model file.
//
//   - {name: pad, on: block, type: law, parameters: {K: 1e5, B: 100, F: 10},
//      force: "sat(F, K*e + B*rate)", states: {e: "(force - K*e)/B"}, stored: "K*e^2/2",
//      slip: "abs(K*e + B*rate) > F"}
//
// The general procedure of [Xiong2013] (31)-(32): sgn and dio of a differential inclusion become
// sat and max of elements with states e, a of their own, whose rates the law gives. Expressions are
// compiled into numbers, which the law's definition carries: it is data, and copied with it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/expression_program.h"
#include "models/forces.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum {
    MOST_STATES = 8,
    MOST_CONSTANTS = 256,
    MOST_OPS = 256,
    OP_NUMBERS = 4, // code, index, a, b
    EXPRESSIONS = MOST_STATES + 3
};

// Slots of the variables; states and inputs follow.
enum { SLOT_GAP, SLOT_RATE, SLOT_NORMAL, SLOT_TAU, SLOT_FORCE, SLOT_STATES };
enum { MOST_SLOTS = SLOT_STATES + MOST_STATES + HF_LAW_MAX_INPUTS };

// The numbers: how many states, 1 with `stored`, 1 with `slip`; the states' start; then force,
// rates, stored and slip, each as its number of operations and these.
enum { HEAD_STATES, HEAD_STORED, HEAD_SLIP, HEAD_COUNT };

typedef struct own_def {
    hf_list program;
} own_def;

// ------------------------------------------------------------------------------------------------
// The law

static int states_of(const own_def *def)
{
    return def->program.count < HEAD_COUNT ? 0 : (int)def->program.values[HEAD_STATES];
}

// Reads the expression at *place into ops, and moves on behind it.
static hf_expression take(const double **place, hf_op *ops, int slots)
{
    const double *from = *place;
    int count = (int)*from++;
    for (int i = 0; i < count; ++i, from += OP_NUMBERS) {
        ops[i] = (hf_op){.code = (hf_op_code)(int)from[0],
                         .index = (int)from[1],
                         .switches = {-1, -1},
                         .a = from[2],
                         .b = from[3]};
    }
    *place = from;
    return (hf_expression){.program = ops, .count = (size_t)count, .slots = slots};
}

static void fill(const own_def *def, const hf_law_in *in, double *x)
{
    int states = states_of(def);
    x[SLOT_GAP] = in->gap[0];
    x[SLOT_RATE] = in->rate[0];
    x[SLOT_NORMAL] = in->normal;
    x[SLOT_TAU] = in->tau;
    x[SLOT_FORCE] = 0.0;
    memcpy(x + SLOT_STATES, in->y, (size_t)states * sizeof *x);
    for (int i = 0; i < HF_LAW_MAX_INPUTS; ++i) {
        x[SLOT_STATES + states + i] = in->inputs == NULL ? 0.0 : in->inputs[i];
    }
}

static void eval(const void *definition, int dim, const hf_law_in *in, hf_law_out *out)
{
    const own_def *def = definition;
    int states = states_of(def), slots = SLOT_STATES + states + HF_LAW_MAX_INPUTS;
    const double *place = def->program.values + HEAD_COUNT + states;
    double x[MOST_SLOTS], slopes[MOST_SLOTS];
    hf_op ops[MOST_OPS];
    (void)dim;
    // The force, then rates of the states
    fill(def, in, x);
    hf_expression e = take(&place, ops, slots);
    out->force[0] = x[SLOT_FORCE] = hf_expression_value(&e, x);
    for (int i = 0; i < states; ++i) {
        e = take(&place, ops, slots);
        out->dy[i] = hf_expression_value(&e, x);
    }
    // What is not stored is heat: force times rate, less what the store takes in
    out->stored = 0.0;
    out->dissipated = out->force[0] * in->rate[0];
    if (def->program.values[HEAD_STORED] != 0.0) {
        e = take(&place, ops, slots);
        out->stored = hf_expression_value(&e, x);
        hf_expression_gradient(&e, x, slopes);
        out->dissipated -= slopes[SLOT_GAP] * in->rate[0];
        for (int i = 0; i < states; ++i) {
            out->dissipated -= slopes[SLOT_STATES + i] * out->dy[i];
        }
    }
    out->regime = HF_REGIME_STICK;
    if (def->program.values[HEAD_SLIP] != 0.0) {
        e = take(&place, ops, slots);
        out->regime = hf_expression_value(&e, x) != 0.0 ? HF_REGIME_SLIP : HF_REGIME_STICK;
    }
    out->normal = 0.0;
}

// At rest, by the slopes of the force and, through the states' rates, of what they add to it.
static void linear(const void *definition, int axis, double *stiffness, double *damping)
{
    const own_def *def = definition;
    int states = states_of(def), slots = SLOT_STATES + states + HF_LAW_MAX_INPUTS;
    const double *place = def->program.values + HEAD_COUNT + states;
    double x[MOST_SLOTS] = {0.0}, force[MOST_SLOTS], rate[MOST_SLOTS];
    hf_op ops[MOST_OPS];
    (void)axis;
    hf_expression e = take(&place, ops, slots);
    hf_expression_gradient(&e, x, force);
    *stiffness = force[SLOT_GAP];
    *damping = force[SLOT_RATE];
    for (int i = 0; i < states; ++i) {
        e = take(&place, ops, slots);
        hf_expression_gradient(&e, x, rate);
        *stiffness +=
            force[SLOT_STATES + i] * (rate[SLOT_RATE] + rate[SLOT_FORCE] * force[SLOT_RATE]);
    }
    *stiffness = isfinite(*stiffness) ? *stiffness : 0.0;
    *damping = isfinite(*damping) ? *damping : 0.0;
}

static void set_default(void *def)
{
    *(own_def *)def = (own_def){{NULL, 0}};
}

static hf_status check(const void *def, int dim, hf_fault *fault)
{
    const own_def *own = def;
    *fault = (hf_fault){.expected = "is made by `type: law`", .value = own->program.count};
    fault->member = dim != 1 || own->program.count <= HEAD_COUNT ? "program" : NULL;
    return fault->member == NULL ? HF_OK : HF_ERROR_RANGE;
}

static int state_count(const void *def, int dim)
{
    (void)dim;
    return states_of(def);
}

static void start(const void *def, int dim, const hf_law_in *in, double *y)
{
    const own_def *own = def;
    (void)dim;
    (void)in;
    memcpy(y, own->program.values + HEAD_COUNT, (size_t)states_of(own) * sizeof *y);
}

static const hf_param params[] = {
    {"program", "", "its expressions, compiled", HF_PARAM_LIST, offsetof(own_def, program)},
};
static const hf_law_input inputs[HF_LAW_MAX_INPUTS] = {
    {"input1", "", -1}, {"input2", "", -1}, {"input3", "", -1},
    {"input4", "", -1}, {"input5", "", -1}, {"input6", "", -1},
};

#define OWN_LAW(title, what, is_a, is_friction, is_active)                                         \
    {                                                                                              \
        .name = title, .phrase = what, .source = "[Xiong2013] (31)-(32)",                          \
        .def_size = sizeof(own_def), .kind = is_a, .min_dim = 1, .max_dim = 1, .needs_gap = true,  \
        .friction = is_friction, .active = is_active, .params = params,                            \
        .param_count = COUNT(params), .inputs = inputs, .input_count = COUNT(inputs),              \
        .set_default = set_default, .check = check, .state_count = state_count, .eval = eval,      \
        .start = start, .linear = linear                                                           \
    }
static const hf_law_info with_regimes =
    OWN_LAW("file-friction", "a law of the model file that sticks and slips", HF_KIND_FRICTION,
            true, false);
static const hf_law_info without =
    OWN_LAW("file-law", "a law of the model file without regimes", HF_KIND_SPRING, false, false);
static const hf_law_info driving = OWN_LAW(
    "file-drive", "a drive of the model file: its work is put in", HF_KIND_CONTROLLER, false, true);

// ------------------------------------------------------------------------------------------------
// Reading

typedef struct law_reading {
    hf_reader *reader;
    const char *names[MOST_SLOTS]; // of the slots
    int count;
    const char *constants[MOST_CONSTANTS];
    double values[MOST_CONSTANTS];
    int constant_count;
    double *numbers; // the program
    int used;
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

static bool add_name(law_reading *r, const hf_node *item)
{
    for (int i = 0; i < r->count; ++i) {
        if (strcmp(r->names[i], item->key) == 0) {
            return hf_reader_fail_key(r->reader, item, HF_ERROR_NAME,
                                      "the name '%.60s' is taken in a law: gap, rate, normal, tau, "
                                      "force, its states and its inputs",
                                      item->key);
        }
    }
    r->names[r->count++] = item->key;
    return true;
}

// Compiles the text of a node behind what there is.
static bool add_expression(law_reading *r, const hf_node *node)
{
    hf_expression_fault fault = {0};
    hf_expression_scope scope = {.names = r->names,
                                 .count = r->count,
                                 .time = -1,
                                 .constants = r->constants,
                                 .constant_values = r->values,
                                 .constant_count = r->constant_count};
    const char *text = NULL;
    if (!hf_read_text(r->reader, node, &text)) {
        return false;
    }
    hf_expression *e = hf_expression_create(text, scope, &fault);
    if (e == NULL) {
        return hf_fail_in_text(r->reader, node, &fault);
    }
    if (e->count > MOST_OPS) {
        hf_expression_destroy(e);
        return hf_reader_fail(r->reader, node, HF_ERROR_RANGE,
                              "the expression has more than %d operations", MOST_OPS);
    }
    r->numbers[r->used++] = (double)e->count;
    for (size_t i = 0; i < e->count; ++i) {
        const hf_op *op = &e->program[i];
        const double numbers[OP_NUMBERS] = {op->code, op->index, op->a, op->b};
        memcpy(r->numbers + r->used, numbers, sizeof numbers);
        r->used += OP_NUMBERS;
    }
    hf_expression_destroy(e);
    return true;
}

// e: "rate" or e: {rate: "...", start: 0.1}
static const hf_node *rate_of(hf_reader *reader, const hf_node *state, double *start_value)
{
    static const char *const keys[] = {"rate", "start"};
    *start_value = 0.0;
    if (state->kind != HF_NODE_MAP) {
        return state;
    }
    return hf_read_map(reader, state, keys, 2) &&
                   hf_read_number_item(reader, state, "start", HF_RANGE_ANY, start_value)
               ? hf_read_need(reader, state, "rate")
               : NULL;
}

static bool read_program(law_reading *r, const hf_node *item, own_def *def)
{
    hf_reader *reader = r->reader;
    const hf_node *force = hf_read_need(reader, item, "force");
    const hf_node *states = hf_node_get(item, "states"), *stored = hf_node_get(item, "stored");
    const hf_node *slip = hf_node_get(item, "slip");
    int count = states == NULL ? 0 : states->count;
    if (force == NULL) {
        return false;
    }
    r->numbers[HEAD_STATES] = count;
    r->numbers[HEAD_STORED] = stored != NULL;
    r->numbers[HEAD_SLIP] = slip != NULL;
    r->used = HEAD_COUNT + count;
    // The force cannot depend on itself: its name comes after it
    r->names[SLOT_FORCE] = "\x01";
    if (!add_expression(r, force)) {
        return false;
    }
    r->names[SLOT_FORCE] = "force";
    int i = 0;
    for (const hf_node *s = states == NULL ? NULL : states->first; s != NULL; s = s->next, ++i) {
        const hf_node *rate = rate_of(reader, s, &r->numbers[HEAD_COUNT + i]);
        if (rate == NULL || !add_expression(r, rate)) {
            return false;
        }
    }
    // What it stores and when it slips, where that is told
    if ((stored != NULL && !add_expression(r, stored)) ||
        (slip != NULL && !add_expression(r, slip))) {
        return false;
    }
    const double *kept =
        hf_arena_copy(&reader->document->arena, r->numbers, (size_t)r->used, sizeof *r->numbers);
    def->program = (hf_list){kept, r->used};
    return kept != NULL || hf_reader_out_of_memory(reader);
}

// With room for the longest program while it is read.
static bool read_whole(law_reading *r, const hf_node *item, own_def *def)
{
    enum { ROOM = HEAD_COUNT + MOST_STATES + EXPRESSIONS * (1 + MOST_OPS * OP_NUMBERS) };
    r->numbers = calloc(ROOM, sizeof *r->numbers);
    bool read =
        r->numbers == NULL ? hf_reader_out_of_memory(r->reader) : read_program(r, item, def);
    free(r->numbers);
    return read;
}

static bool read_names(law_reading *r, const hf_node *item, const char *name, hf_force_def *def)
{
    static const char *const slots[SLOT_STATES] = {"gap", "rate", "normal", "tau", "force"};
    hf_reader *reader = r->reader;
    const hf_node *states = hf_node_get(item, "states"), *map = hf_node_get(item, "inputs");
    // What an expression can name: the coupling's motion first
    for (r->count = 0; r->count < SLOT_STATES; ++r->count) {
        r->names[r->count] = slots[r->count];
    }
    if ((states != NULL && !hf_read_kind(reader, states, HF_NODE_MAP, "a map by name")) ||
        (map != NULL && !hf_read_kind(reader, map, HF_NODE_MAP, "a map by name"))) {
        return false;
    }
    if ((states != NULL && states->count > MOST_STATES) ||
        (map != NULL && map->count > HF_LAW_MAX_INPUTS)) {
        return hf_reader_fail_key(reader, item, HF_ERROR_RANGE,
                                  "a law has at most %d states and %d inputs", MOST_STATES,
                                  HF_LAW_MAX_INPUTS);
    }
    // then states and inputs
    for (const hf_node *s = states == NULL ? NULL : states->first; s != NULL; s = s->next) {
        if (!add_name(r, s)) {
            return false;
        }
    }
    int i = 0;
    for (const hf_node *s = map == NULL ? NULL : map->first; s != NULL; s = s->next, ++i) {
        char *dot = hf_reader_join(reader, name, ".");
        char *hidden = dot == NULL ? NULL : hf_reader_join(reader, dot, s->key);
        if (hidden == NULL || !add_name(r, s) ||
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
    static const char *const keys[] = {"name",   "type",   "on",       "to",     "coupling",
                                       "point",  "ratio",  "to_point", "normal", "parameters",
                                       "inputs", "states", "force",    "stored", "slip",
                                       "enable", "active"};
    law_reading r = {.reader = reader};
    own_def own = {{NULL, 0}};
    hf_force_def def = hf_force_def_default();
    def.name = name;
    // Where it acts, and what it does
    if (!hf_check_force_keys(reader, item, keys, COUNT(keys), NULL) ||
        !hf_read_coupling(reader, item, name, false, true, &def.coupling) ||
        !read_parameters(&r, hf_node_get(item, "parameters")) ||
        !read_names(&r, item, name, &def) || !read_whole(&r, item, &own) ||
        !read_load(reader, item, name, &def) || !hf_read_enable(reader, item, name, &def)) {
        return false;
    }
    if (hf_coupling_dim(&def.coupling) != 1) {
        return hf_reader_fail_key(reader, item, HF_ERROR_UNSUPPORTED,
                                  "a law of the file goes on one coordinate; name one, as in %s.x",
                                  hf_node_get(item, "on") == NULL ? "block"
                                                                  : hf_node_get(item, "on")->text);
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
    const hf_law_info *law = active ? &driving : slip != NULL ? &with_regimes : &without;
    // One law of the spec for all forces of its kind
    const hf_law_info *known = hf_spec_find_law(reader->spec, law->name);
    def.law = known != NULL ? known->type : hf_spec_register_law(reader->spec, law, reader->error);
    def.def = &own;
    return def.law != HF_LAW_FORCE ? hf_reader_add_force(reader, item, &def)
                                   : hf_reader_pass(reader, item, true);
}
