// SPDX-License-Identifier: Apache-2.0
// Laws that are written in the model file, at work: the expressions of a definition are programs of
// a stack machine, and run on the motion of the coupling.
//
//   f = force(gap, rate, y),  y' = states(gap, rate, y, f)                  [Xiong2013] (31)-(32)
//   heat = f . rate - d stored/dt
#include "own_law.h"

#include <math.h>
#include <string.h>

#include "math/expression_program.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

hf_own_slots hf_own_slots_of(int axes, int states)
{
    hf_own_slots s = {.gap = 0, .rate = axes, .force = 2 * axes, .normal = 3 * axes};
    s.tau = s.normal + 1;
    s.states = s.tau + 1;
    s.inputs = s.states + states;
    s.count = s.inputs + HF_LAW_MAX_INPUTS;
    return s;
}

static int head(const hf_own_def *def, int which)
{
    return def->program.count < HF_OWN_HEAD ? 0 : (int)def->program.values[which];
}

// A definition on its way through its expressions, one after the other.
typedef struct reading_head {
    const double *place;
    int slots;
    hf_op ops[HF_OWN_MAX_OPS];
} reading_head;

static hf_expression next(reading_head *r)
{
    const double *from = r->place;
    int count = (int)*from++;
    for (int i = 0; i < count; ++i, from += HF_OWN_OP_NUMBERS) {
        r->ops[i] = (hf_op){.code = (hf_op_code)(int)from[0],
                            .index = (int)from[1],
                            .switches = {-1, -1},
                            .a = from[2],
                            .b = from[3]};
    }
    r->place = from;
    return (hf_expression){.program = r->ops, .count = (size_t)count, .slots = r->slots};
}

static void fill(const hf_own_slots *s, int axes, int states, const hf_law_in *in, double *x)
{
    memcpy(x + s->gap, in->gap, (size_t)axes * sizeof *x);
    memcpy(x + s->rate, in->rate, (size_t)axes * sizeof *x);
    memset(x + s->force, 0, (size_t)axes * sizeof *x);
    x[s->normal] = in->normal;
    x[s->tau] = in->tau;
    memcpy(x + s->states, in->y, (size_t)states * sizeof *x);
    for (int i = 0; i < HF_LAW_MAX_INPUTS; ++i) {
        x[s->inputs + i] = in->inputs == NULL ? 0.0 : in->inputs[i];
    }
}

static void eval(const void *definition, int dim, const hf_law_in *in, hf_law_out *out)
{
    const hf_own_def *def = definition;
    int states = head(def, HF_OWN_STATES);
    hf_own_slots s = hf_own_slots_of(dim, states);
    reading_head r = {.place = def->program.values + HF_OWN_HEAD + states, .slots = s.count};
    double x[HF_OWN_MAX_SLOTS], by[HF_OWN_MAX_SLOTS];
    hf_expression e;
    // The force, which the rates of the states may contain
    fill(&s, dim, states, in, x);
    for (int k = 0; k < dim; ++k) {
        e = next(&r);
        out->force[k] = hf_expression_value(&e, x);
    }
    memcpy(x + s.force, out->force, (size_t)dim * sizeof *x);
    for (int i = 0; i < states; ++i) {
        e = next(&r);
        out->dy[i] = hf_expression_value(&e, x);
    }
    // What is not stored is heat: force times rate, less what the store takes in
    out->stored = out->dissipated = out->normal = 0.0;
    for (int k = 0; k < dim; ++k) {
        out->dissipated += out->force[k] * in->rate[k];
    }
    if (head(def, HF_OWN_STORED) != 0) {
        e = next(&r);
        out->stored = hf_expression_value(&e, x);
        hf_expression_gradient(&e, x, by);
        for (int k = 0; k < dim; ++k) {
            out->dissipated -= by[s.gap + k] * in->rate[k];
        }
        for (int i = 0; i < states; ++i) {
            out->dissipated -= by[s.states + i] * out->dy[i];
        }
    }
    // Whether it slips
    out->regime = HF_REGIME_STICK;
    if (head(def, HF_OWN_SLIP) != 0) {
        e = next(&r);
        out->regime = hf_expression_value(&e, x) != 0.0 ? HF_REGIME_SLIP : HF_REGIME_STICK;
    }
}

// By the slopes of the force along an axis and, through the states' rates, of what they add to it,
// at x; with `across` what the force along the axis changes by with the other axes too.
static void find_slopes(const hf_own_def *def, const double *x, int axis, bool across,
                        double *stiffness, double *damping)
{
    int axes = head(def, HF_OWN_AXES), states = head(def, HF_OWN_STATES);
    hf_own_slots s = hf_own_slots_of(axes, states);
    reading_head r = {.place = def->program.values + HF_OWN_HEAD + states, .slots = s.count};
    double rate[HF_OWN_MAX_SLOTS], force[HF_OWN_MAX_AXES][HF_OWN_MAX_SLOTS] = {{0.0}};
    // Slopes of the force, and of the other axes' forces, which the states may contain too
    for (int k = 0; k < axes; ++k) {
        hf_expression e = next(&r);
        hf_expression_gradient(&e, x, force[k]);
    }
    *stiffness = force[axis][s.gap + axis];
    *damping = force[axis][s.rate + axis];
    for (int k = 0; k < axes && across; ++k) {
        *stiffness += k == axis ? 0.0 : fabs(force[axis][s.gap + k]);
        *damping += k == axis ? 0.0 : fabs(force[axis][s.rate + k]);
    }
    for (int i = 0; i < states; ++i) {
        hf_expression e = next(&r);
        hf_expression_gradient(&e, x, rate);
        double slope = rate[s.rate + axis];
        for (int k = 0; k < axes; ++k) {
            slope += rate[s.force + k] * force[k][s.rate + axis];
        }
        *stiffness += force[axis][s.states + i] * slope;
    }
    *stiffness = isfinite(*stiffness) ? *stiffness : 0.0;
    *damping = isfinite(*damping) ? *damping : 0.0;
}

// At rest.
static void linear(const void *definition, int axis, double *stiffness, double *damping)
{
    const double x[HF_OWN_MAX_SLOTS] = {0.0};
    find_slopes(definition, x, axis, false, stiffness, damping);
}

// At a motion: of laws without regimes that do not look ahead.
static bool slopes(const void *definition, int dim, const hf_law_in *in, double *stiffness,
                   double *damping)
{
    const hf_own_def *def = definition;
    int states = head(def, HF_OWN_STATES);
    hf_own_slots s = hf_own_slots_of(dim, states);
    reading_head r = {.place = def->program.values + HF_OWN_HEAD + states, .slots = s.count};
    double x[HF_OWN_MAX_SLOTS], force[HF_OWN_MAX_AXES];
    fill(&s, dim, states, in, x);
    for (int k = 0; k < dim; ++k) {
        hf_expression e = next(&r);
        force[k] = hf_expression_value(&e, x);
    }
    memcpy(x + s.force, force, (size_t)dim * sizeof *x);
    for (int k = 0; k < dim; ++k) {
        find_slopes(def, x, k, true, &stiffness[k], &damping[k]);
    }
    return true;
}

static bool leaps(const void *def)
{
    return head(def, HF_OWN_LEAPS) != 0;
}

static void set_default(void *def)
{
    *(hf_own_def *)def = (hf_own_def){{NULL, 0}};
}

static hf_status check(const void *def, int dim, hf_fault *fault)
{
    const hf_own_def *own = def;
    *fault = (hf_fault){.expected = "is made by `type: law`", .value = own->program.count};
    bool made = own->program.count > HF_OWN_HEAD && head(own, HF_OWN_AXES) == dim;
    fault->member = made ? NULL : "program";
    return made ? HF_OK : HF_ERROR_RANGE;
}

static int state_count(const void *def, int dim)
{
    (void)dim;
    return head(def, HF_OWN_STATES);
}

static void start(const void *def, int dim, const hf_law_in *in, double *y)
{
    const hf_own_def *own = def;
    (void)dim;
    (void)in;
    memcpy(y, own->program.values + HF_OWN_HEAD, (size_t)head(own, HF_OWN_STATES) * sizeof *y);
}

static const hf_param params[] = {
    {"program", "", "its expressions, compiled", HF_PARAM_LIST, offsetof(hf_own_def, program)},
};
static const hf_law_input inputs[HF_LAW_MAX_INPUTS] = {
    {"input1", "", -1}, {"input2", "", -1}, {"input3", "", -1},
    {"input4", "", -1}, {"input5", "", -1}, {"input6", "", -1},
};

#define OWN_LAW(title, what, is_a, is_friction, is_active, ahead, varied)                          \
    {                                                                                              \
        .name = title, .phrase = what, .source = "[Xiong2013] (31)-(32)",                          \
        .def_size = sizeof(hf_own_def), .kind = is_a, .min_dim = 1, .max_dim = HF_OWN_MAX_AXES,    \
        .friction = is_friction, .active = is_active, .tau_axes = ahead, .params = params,         \
        .param_count = COUNT(params), .inputs = inputs, .input_count = COUNT(inputs),              \
        .set_default = set_default, .check = check, .state_count = state_count, .eval = eval,      \
        .start = start, .linear = linear, .leaps = leaps, .slopes = varied                         \
    }
static const hf_law_info with_regimes =
    OWN_LAW("file-friction", "a law of the model file that sticks and slips", HF_KIND_FRICTION,
            true, false, 0, NULL);
static const hf_law_info with_regimes_ahead =
    OWN_LAW("file-element", "a law of the model file that sticks, slips and looks ahead",
            HF_KIND_FRICTION, true, false, 7, NULL);
static const hf_law_info without = OWN_LAW("file-law", "a law of the model file without regimes",
                                           HF_KIND_SPRING, false, false, 0, slopes);
static const hf_law_info without_ahead =
    OWN_LAW("file-law-ahead", "a law of the model file that looks ahead", HF_KIND_SPRING, false,
            false, 7, NULL);
static const hf_law_info driving =
    OWN_LAW("file-drive", "a drive of the model file: its work is put in", HF_KIND_CONTROLLER,
            false, true, 0, slopes);

const hf_law_info *hf_own_law(bool slips, bool drives, bool looks_ahead)
{
    if (drives) {
        return &driving;
    }
    return looks_ahead ? (slips ? &with_regimes_ahead : &without_ahead)
                       : (slips ? &with_regimes : &without);
}
