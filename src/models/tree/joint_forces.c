// SPDX-License-Identifier: Apache-2.0
// Forces that a joint carries with it.
//
//   friction: 3, or a map          TREE.JOINT.friction    {type: friction, level: 3}
//   damping: 0.1                   TREE.JOINT.damping     {type: spring, stiffness: 0, damping:
//   0.1} spring: 200, or a map          TREE.JOINT.spring      {type: spring, stiffness: 200}
//   limits: [low, high], or a map  TREE.JOINT.limits      {type: stop, low:, high:}
//   bearing: {radius:, friction:}  TREE.JOINT.bearing     {type: friction, normal: {joint:}}
//   efficiency: [forth, back]      TREE.JOINT.efficiency  {type: friction, normal: {joint:}}
//   servo: {kp:, ki:, kd:, ...}    TREE.JOINT.servo       {type: controller, proportional:, ...}
//
// In a map of `friction` the keys of a level (viscous:, static:) may stand among those of the law.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/number.h"
#include "models/reader.h"
#include "models/tree/expand.h"

typedef struct expansion {
    hf_document *document;
    hf_error *error;
    hf_node *forces;
    const char *tree;
    const hf_node *joint;
} expansion;

static hf_status out_of_memory(const expansion *x)
{
    return hf_error_set(x->error, HF_ERROR_MEMORY, "%.200s: out of memory", x->document->label);
}

// ------------------------------------------------------------------------------------------------
// Nodes

// A node of this kind at the place of another.
static hf_node *make(const expansion *x, const hf_node *place, hf_node_kind kind, const char *key)
{
    hf_node *node = hf_arena_copy(&x->document->arena, place, 1, sizeof *place);
    if (node != NULL) {
        node->kind = kind;
        node->made = true;
        node->key = key;
        node->text = NULL;
        node->count = 0;
        node->exact = false;
        node->parent = node->next = node->first = node->last = NULL;
    }
    return node;
}

// Adds KEY: TEXT to a map, at the place of another node. The text is A followed by B and C.
static hf_status add_text(const expansion *x, hf_node *map, const hf_node *place, const char *key,
                          const char *a, const char *b, const char *c)
{
    size_t la = strlen(a), lb = strlen(b), lc = strlen(c);
    hf_node *node = make(x, place, HF_NODE_SCALAR, key);
    char *text = hf_arena_alloc(&x->document->arena, la + lb + lc + 1, 1);
    if (node == NULL || text == NULL) {
        return out_of_memory(x);
    }
    memcpy(text, a, la);
    memcpy(text + la, b, lb);
    memcpy(text + la + lb, c, lc);
    node->text = text;
    node->plain = true;
    hf_node_append(map, node);
    return HF_OK;
}

// Moves an entry out of its map, if it is in one, into another under another key.
static void move(hf_node *map, hf_node *entry, const char *key)
{
    if (entry->parent != NULL) {
        hf_node_remove(entry);
    }
    entry->key = key;
    hf_node_append(map, entry);
}

// The force of an entry: {name: TREE.JOINT.ENTRY, type: TYPE, on: TREE.JOINT}.
static hf_status begin(const expansion *x, const hf_node *entry, const char *type, hf_node **force)
{
    char on[420], name[520];
    (void)snprintf(on, sizeof on, "%.200s.%.200s", x->tree, x->joint->key);
    (void)snprintf(name, sizeof name, "%s.%.60s", on, entry->key);
    *force = make(x, entry, HF_NODE_MAP, NULL);
    if (*force == NULL) {
        return out_of_memory(x);
    }
    (*force)->line = entry->key_line; // what is missing is missing at the entry's key
    (*force)->column = entry->key_column;
    HF_TRY(add_text(x, *force, entry, "name", name, "", ""));
    HF_TRY(add_text(x, *force, entry, "type", type, "", ""));
    HF_TRY(add_text(x, *force, entry, "on", on, "", ""));
    hf_node_append(x->forces, *force);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Entries

static hf_status fail(const expansion *x, const hf_node *entry, const char *expected)
{
    char shown[HF_NODE_SHOWN];
    return hf_node_error(x->document, entry, x->error, HF_ERROR_INPUT,
                         "joint '%.60s': %.40s must be %s, got %s", x->joint->key, entry->key,
                         expected, hf_node_show(entry, shown));
}

// Takes the entries of a map that are not part of the force itself, one by one.
static void move_all(hf_node *from, hf_node *force)
{
    for (hf_node *item = from->first, *next; item != NULL; item = next) {
        next = item->next;
        move(force, item, item->key);
    }
}

// An entry that belongs to the level. What the law itself has by this name (`viscous` of lugre)
// does not: it means what it means in a force.
static hf_node *level_entry(const hf_node *map, const char *key)
{
    const hf_node *law = hf_node_get(map, "law");
    bool named = law != NULL && law->kind == HF_NODE_SCALAR;
    const hf_law_info *info = hf_law_info_find(named ? law->text : "stiction");
    for (int i = 0; info != NULL && i < info->param_count; ++i) {
        if (strcmp(info->params[i].name, key) == 0) {
            return NULL;
        }
    }
    return hf_node_get(map, key);
}

// level: 3, viscous: 0.4 -> level: {coulomb: 3, viscous: 0.4}
static hf_status gather_level(const expansion *x, hf_node *map)
{
    static const char *const keys[] = {
        "coulomb",           "kinetic",  "static",  "friction", "static_friction",
        "stribeck_velocity", "shape",    "viscous", "rational", "table",
        "per_normal",        "cohesion", "peak",    "scale"};
    // Whether keys of a level stand beside `level:`
    hf_node *level = hf_node_get(map, "level"), *found = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && found == NULL; ++i) {
        found = level_entry(map, keys[i]);
    }
    if (found == NULL) {
        return HF_OK;
    }
    // A map for them, in which a number alone is `coulomb`
    if (level == NULL || level->kind != HF_NODE_MAP) {
        hf_node *made = make(x, level == NULL ? found : level, HF_NODE_MAP, "level");
        if (made == NULL) {
            return out_of_memory(x);
        }
        if (level != NULL) {
            move(made, level, "coulomb");
        }
        hf_node_append(map, made);
        level = made;
    }
    // They move into it, each at most once
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        hf_node *entry = level_entry(map, keys[i]);
        if (entry == NULL) {
            continue;
        }
        if (hf_node_get(level, keys[i]) != NULL) {
            return hf_node_key_error(x->document, entry, x->error, HF_ERROR_INPUT,
                                     "joint '%.60s': friction has %s twice: as level and by name",
                                     x->joint->key, keys[i]);
        }
        move(level, entry, keys[i]);
    }
    return HF_OK;
}

static hf_status expand_friction(const expansion *x, hf_node *entry)
{
    hf_node *force = NULL;
    if (entry->kind == HF_NODE_LIST) {
        return fail(x, entry, "a level or a map, as in {law: coulomb, level: 3}");
    }
    HF_TRY(begin(x, entry, "friction", &force));
    if (entry->kind == HF_NODE_SCALAR) {
        move(force, entry, "level");
        return HF_OK;
    }
    HF_TRY(gather_level(x, entry));
    move_all(entry, force);
    return HF_OK;
}

static hf_status expand_damping(const expansion *x, hf_node *entry)
{
    hf_node *force = NULL;
    if (entry->kind != HF_NODE_SCALAR) {
        return fail(x, entry, "a number");
    }
    HF_TRY(begin(x, entry, "spring", &force));
    HF_TRY(add_text(x, force, entry, "stiffness", "0", "", ""));
    move(force, entry, "damping");
    return HF_OK;
}

static hf_status expand_spring(const expansion *x, hf_node *entry)
{
    hf_node *force = NULL;
    if (entry->kind == HF_NODE_LIST) {
        return fail(x, entry, "a stiffness or a map, as in {stiffness: 200, rest: 0.1}");
    }
    HF_TRY(begin(x, entry, "spring", &force));
    if (entry->kind == HF_NODE_SCALAR) {
        move(force, entry, "stiffness");
        return HF_OK;
    }
    move_all(entry, force);
    return HF_OK;
}

static hf_status expand_limits(const expansion *x, hf_node *entry)
{
    hf_node *force = NULL;
    if (entry->kind == HF_NODE_SCALAR || (entry->kind == HF_NODE_LIST && entry->count != 2)) {
        return fail(x, entry, "[low, high] or a map, as in {low: -1, high: 1, restitution: 0.3}");
    }
    HF_TRY(begin(x, entry, "stop", &force));
    if (entry->kind == HF_NODE_MAP) {
        move_all(entry, force);
        return HF_OK;
    }
    move(force, entry->first, "low");
    move(force, entry->first, "high");
    return HF_OK;
}

// The text of a number that becomes part of a formula: digits in SI units where it has a unit,
// which must be like `unit`.
static hf_status take_number(const expansion *x, const hf_node *node, const char *unit,
                             char number[HF_NUMBER_SIZE], const char **text)
{
    hf_measure measure, expected;
    const char *written = NULL;
    double value = 0.0;
    size_t position = 0;
    char wanted[HF_MEASURE_SHOWN + 20];
    *text = node->text;
    if (!hf_measured_number(node->text, &value, &written, &measure)) {
        return HF_OK;
    }
    if (!hf_measure_parse(unit, false, &expected, &position) ||
        !hf_measure_same(&expected, &measure)) {
        (void)snprintf(wanted, sizeof wanted, unit[0] == '\0' ? "a pure number" : "in %s", unit);
        return fail(x, node, wanted);
    }
    (void)hf_number_format(value, number);
    *text = number;
    return HF_OK;
}

// bearing: {radius: 0.02, friction: 0.003} -> a friction of mu r |F|, F what the joint carries
// across its axis
static hf_status expand_bearing(const expansion *x, hf_node *entry)
{
    bool map = entry->kind == HF_NODE_MAP && entry->count == 2;
    const hf_node *radius = map ? hf_node_get(entry, "radius") : NULL;
    const hf_node *friction = map ? hf_node_get(entry, "friction") : NULL;
    if (radius == NULL || friction == NULL || radius->kind != HF_NODE_SCALAR ||
        friction->kind != HF_NODE_SCALAR) {
        return fail(x, entry, "{radius: [m], friction: [-]}, both numbers from 0 up");
    }
    // mu r: a number, or a formula
    char digits[2][HF_NUMBER_SIZE], number[HF_NUMBER_SIZE], on[420];
    const char *r = NULL, *mu = NULL;
    HF_TRY(take_number(x, radius, "m", digits[0], &r));
    HF_TRY(take_number(x, friction, "", digits[1], &mu));
    double values[2];
    bool plain =
        hf_number_parse(r, strlen(r), &values[0]) && hf_number_parse(mu, strlen(mu), &values[1]);
    if (plain && !(values[0] >= 0.0 && values[1] >= 0.0)) {
        return fail(x, entry, "{radius: [m], friction: [-]}, both numbers from 0 up");
    }
    // The force, with its level and its load
    hf_node *force = NULL;
    HF_TRY(begin(x, entry, "friction", &force));
    HF_TRY(add_text(x, force, entry, "law", "coulomb", "", ""));
    hf_node *level = make(x, entry, HF_NODE_MAP, "level");
    hf_node *normal = make(x, entry, HF_NODE_MAP, "normal");
    if (level == NULL || normal == NULL) {
        return out_of_memory(x);
    }
    hf_node_append(force, level);
    hf_node_append(force, normal);
    if (plain) {
        (void)hf_number_format(values[0] * values[1], number);
        HF_TRY(add_text(x, level, entry, "friction", number, "", ""));
    } else {
        char formula[1000];
        int length = snprintf(formula, sizeof formula, "(%s)*(%s)", r, mu);
        if (length >= (int)sizeof formula) {
            return fail(x, entry, "{radius: [m], friction: [-]} with formulas of fewer letters");
        }
        HF_TRY(add_text(x, level, entry, "friction", formula, "", ""));
    }
    (void)snprintf(on, sizeof on, "%.200s.%.200s", x->tree, x->joint->key);
    HF_TRY(add_text(x, normal, entry, "joint", on, "", ""));
    return add_text(x, normal, entry, "reaction", "radial", "", "");
}

// efficiency: [0.85, 0.75] -> losses of a gear between the joint's drive and its link
static hf_status expand_efficiency(const expansion *x, hf_node *entry)
{
    char on[420];
    hf_node *force = NULL;
    HF_TRY(begin(x, entry, "friction", &force));
    HF_TRY(add_text(x, force, entry, "law", "coulomb", "", ""));
    hf_node *level = entry->kind == HF_NODE_MAP ? entry : make(x, entry, HF_NODE_MAP, "level");
    hf_node *normal = make(x, entry, HF_NODE_MAP, "normal");
    if (level == NULL || normal == NULL) {
        return out_of_memory(x);
    }
    move(force, level, "level");
    move(force, normal, "normal");
    if (level != entry) {
        move(level, entry, "efficiency");
    }
    (void)snprintf(on, sizeof on, "%.200s.%.200s", x->tree, x->joint->key);
    HF_TRY(add_text(x, normal, entry, "joint", on, "", ""));
    return add_text(x, normal, entry, "reaction", "transmitted", "", "");
}

// limit: 150 -> low: -150, high: 150
static hf_status expand_limit(const expansion *x, hf_node *force, hf_node *limit)
{
    bool digits = limit->kind == HF_NODE_SCALAR && strchr(".0123456789", limit->text[0]) != NULL;
    if (limit->kind != HF_NODE_SCALAR) {
        return fail(x, limit, "a number");
    }
    HF_TRY(add_text(x, force, limit, "low", digits ? "-" : "-(", limit->text, digits ? "" : ")"));
    move(force, limit, "high");
    return HF_OK;
}

static hf_status expand_servo(const expansion *x, hf_node *entry)
{
    static const char *const names[][2] = {
        {"kp", "proportional"}, {"ki", "integral"}, {"kd", "derivative"}};
    static const char *const twice[][2] = {{"kp", "proportional"}, {"ki", "integral"},
                                           {"kd", "derivative"},   {"limit", "low"},
                                           {"limit", "high"},      {"rate", "period"}};
    hf_node *force = NULL;
    if (entry->kind != HF_NODE_MAP) {
        return fail(x, entry, "a map, as in {kp: 400, kd: 20, reference: path, limit: 150}");
    }
    for (size_t i = 0; i < sizeof twice / sizeof *twice; ++i) {
        const hf_node *second = hf_node_get(entry, twice[i][1]);
        if (second != NULL && hf_node_get(entry, twice[i][0]) != NULL) {
            return hf_node_key_error(x->document, second, x->error, HF_ERROR_INPUT,
                                     "joint '%.60s': a servo cannot have both %s and %s",
                                     x->joint->key, twice[i][0], twice[i][1]);
        }
    }
    HF_TRY(begin(x, entry, "controller", &force));
    // Its limits and its rate
    hf_node *limit = hf_node_get(entry, "limit"), *rate = hf_node_get(entry, "rate");
    if (limit != NULL) {
        HF_TRY(expand_limit(x, force, limit));
    }
    if (rate != NULL && rate->kind != HF_NODE_SCALAR) {
        return fail(x, rate, "a number of samples a second");
    }
    if (rate != NULL) {
        char digits[HF_NUMBER_SIZE];
        const char *text = NULL;
        HF_TRY(take_number(x, rate, "Hz", digits, &text));
        HF_TRY(add_text(x, force, rate, "period", "1/(", text, ")"));
        hf_node_remove(rate);
    }
    // Its gains, by their own names, and the rest
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        hf_node *gain = hf_node_get(entry, names[i][0]);
        if (gain != NULL) {
            move(force, gain, names[i][1]);
        }
    }
    move_all(entry, force);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Friction of servo drives: servo: {...} of a friction (laws/servo.h) is two of them, what there is
// at every speed and what there is more at rest. Levels add up, in stick too.

typedef struct servo_key {
    const char *key, *in; // in the law, and in the part's load or level
} servo_key;

// One part: the force, its level and its load. Entries of `servo` that it takes move over.
static hf_status add_part(const expansion *x, hf_node *force, hf_node *servo, const char *on,
                          const servo_key *loads, int load_count, const servo_key *levels,
                          int level_count)
{
    hf_node *level = make(x, servo, HF_NODE_MAP, "level");
    hf_node *normal = make(x, servo, HF_NODE_MAP, "normal");
    hf_node *load = make(x, servo, HF_NODE_MAP, "servo");
    if (level == NULL || normal == NULL || load == NULL) {
        return out_of_memory(x);
    }
    for (int i = 0; i < load_count + level_count; ++i) {
        const servo_key *k = i < load_count ? &loads[i] : &levels[i - load_count];
        hf_node *entry = hf_node_get(servo, k->key);
        if (entry != NULL) {
            move(i < load_count ? load : level, entry, k->in);
        }
    }
    HF_TRY(add_text(x, normal, servo, "joint", on, "", ""));
    move(normal, load, "servo");
    move(force, level, "level");
    move(force, normal, "normal");
    return HF_OK;
}

// What no part took is unknown, or has no curve.
static hf_status refuse_servo_key(const expansion *x, const char *name, const hf_node *entry)
{
    static const char *const keys[] = {
        "base", "motor",      "external",      "viscous",      "stribeck_velocity", "shape",
        "rest", "motor_rest", "external_rest", "motor_square", "external_square"};
    const int count = (int)(sizeof keys / sizeof *keys);
    bool known = false;
    for (int i = 0; i < count; ++i) {
        known = known || strcmp(keys[i], entry->key) == 0;
    }
    const char *nearest = known ? NULL : hf_nearest_name(entry->key, keys, count);
    return known ? hf_node_key_error(x->document, entry, x->error, HF_ERROR_INPUT,
                                     "friction '%.60s': %.60s needs a stribeck_velocity beside it",
                                     name, entry->key)
                 : hf_node_key_error(x->document, entry, x->error, HF_ERROR_INPUT,
                                     "friction '%.60s': servo has no key '%.60s'%s%.60s%s", name,
                                     entry->key, nearest == NULL ? "" : "; did you mean '",
                                     nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
}

static hf_status expand_servo_friction(const expansion *x, hf_node *force)
{
    static const servo_key loads[] = {
        {"base", "base"}, {"motor", "motor"}, {"external", "external"}};
    static const servo_key rests[] = {{"rest", "base"},
                                      {"motor_rest", "motor"},
                                      {"external_rest", "external"},
                                      {"motor_square", "motor_square"},
                                      {"external_square", "external_square"}};
    static const servo_key levels[] = {{"viscous", "viscous"}};
    static const servo_key curves[] = {{"stribeck_velocity", "stribeck_velocity"},
                                       {"shape", "shape"}};
    hf_node *servo = hf_node_get(force, "servo"), *name = hf_node_get(force, "name");
    const hf_node *on = hf_node_get(force, "on"), *level = hf_node_get(force, "level");
    if (servo->kind != HF_NODE_MAP || level != NULL || hf_node_get(force, "normal") != NULL ||
        on == NULL || on->kind != HF_NODE_SCALAR || name == NULL || name->kind != HF_NODE_SCALAR) {
        return hf_node_key_error(x->document, servo, x->error, HF_ERROR_INPUT,
                                 "servo is a map in place of level and normal, of a friction with "
                                 "a name on a joint");
    }
    // The part at rest: a copy of the force, with its own name
    hf_node_remove(servo);
    bool rests_too = hf_node_get(servo, "stribeck_velocity") != NULL;
    hf_node *rest = rests_too ? hf_node_copy(x->document, force) : NULL;
    if (!hf_node_get(force, "law")) {
        HF_TRY(add_text(x, force, servo, "law", "coulomb", "", ""));
    }
    // The part at every speed: what the force itself becomes
    HF_TRY(add_part(x, force, servo, on->text, loads, 3, levels, 1));
    HF_TRY(add_text(x, hf_node_get(force, "level"), servo, "friction", "1", "", ""));
    if (rests_too) {
        if (rest == NULL) {
            return out_of_memory(x);
        }
        hf_node_remove(hf_node_get(rest, "name"));
        HF_TRY(add_text(x, rest, name, "name", name->text, ".rest", ""));
        if (!hf_node_get(rest, "law")) {
            HF_TRY(add_text(x, rest, servo, "law", "coulomb", "", ""));
        }
        HF_TRY(add_part(x, rest, servo, on->text, rests, 5, curves, 2));
        hf_node *curve = hf_node_get(rest, "level");
        HF_TRY(add_text(x, curve, servo, "friction", "0", "", ""));
        HF_TRY(add_text(x, curve, servo, "static_friction", "1", "", ""));
        if (hf_node_get(curve, "shape") == NULL) {
            HF_TRY(add_text(x, curve, servo, "shape", "1", "", ""));
        }
        hf_node_append(x->forces, rest);
    }
    return servo->first == NULL ? HF_OK : refuse_servo_key(x, name->text, servo->first);
}

static hf_status expand_servo_frictions(expansion *x)
{
    x->forces = hf_node_get(x->document->root, "forces");
    hf_node *last = x->forces == NULL || x->forces->kind != HF_NODE_LIST ? NULL : x->forces->last;
    for (hf_node *f = last == NULL ? NULL : x->forces->first; f != NULL; f = f->next) {
        const hf_node *type = hf_node_get(f, "type");
        if (f->kind == HF_NODE_MAP && type != NULL && type->kind == HF_NODE_SCALAR &&
            strcmp(type->text, "friction") == 0 && hf_node_get(f, "servo") != NULL) {
            HF_TRY(expand_servo_friction(x, f));
        }
        if (f == last) {
            break;
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// The tree

static const struct {
    const char *key;
    hf_status (*expand)(const expansion *x, hf_node *entry);
} ENTRIES[] = {{"friction", expand_friction},    {"damping", expand_damping},
               {"spring", expand_spring},        {"limits", expand_limits},
               {"bearing", expand_bearing},      {"servo", expand_servo},
               {"efficiency", expand_efficiency}};

static hf_status expand_joint(expansion *x, hf_node *joint)
{
    const hf_node *type = hf_node_get(joint, "type");
    const char *word = type != NULL && type->kind == HF_NODE_SCALAR ? type->text : "";
    bool scalar = strcmp(word, "revolute") == 0 || strcmp(word, "prismatic") == 0;
    x->joint = joint;
    for (size_t i = 0; i < sizeof ENTRIES / sizeof *ENTRIES; ++i) {
        hf_node *entry = hf_node_get(joint, ENTRIES[i].key);
        if (entry == NULL) {
            continue;
        }
        if (!scalar) {
            return hf_node_key_error(x->document, entry, x->error, HF_ERROR_INPUT,
                                     "joint '%.60s': only revolute and prismatic joints have a "
                                     "%s of their own%s",
                                     joint->key, ENTRIES[i].key,
                                     strcmp(word, "spherical") == 0
                                         ? "; a spherical one takes a force with coupling: spin"
                                         : "");
        }
        hf_node_remove(entry);
        HF_TRY(ENTRIES[i].expand(x, entry));
    }
    return HF_OK;
}

static bool has_entries(const hf_node *joint)
{
    for (size_t i = 0; i < sizeof ENTRIES / sizeof *ENTRIES; ++i) {
        if (hf_node_get(joint, ENTRIES[i].key) != NULL) {
            return true;
        }
    }
    return false;
}

// The list of forces, made if there is none; NULL when it is no list, which its reader tells.
static hf_status find_forces(expansion *x)
{
    hf_node *root = x->document->root;
    x->forces = hf_node_get(root, "forces");
    if (x->forces == NULL) {
        x->forces = make(x, root, HF_NODE_LIST, "forces");
        if (x->forces == NULL) {
            return out_of_memory(x);
        }
        hf_node_append(root, x->forces);
    }
    return HF_OK;
}

hf_status hf_joint_forces_expand(hf_document *document, hf_error *error)
{
    expansion x = {.document = document, .error = error};
    hf_node *bodies = hf_node_get(document->root, "bodies");
    for (hf_node *body = bodies == NULL ? NULL : bodies->first; body != NULL; body = body->next) {
        hf_node *joints = hf_node_get(body, "joints");
        x.tree = body->key;
        for (hf_node *joint = joints == NULL ? NULL : joints->first; joint != NULL;
             joint = joint->next) {
            if (joint->key == NULL || x.tree == NULL || !has_entries(joint)) {
                continue;
            }
            HF_TRY(find_forces(&x));
            if (x.forces->kind != HF_NODE_LIST) {
                return HF_OK;
            }
            HF_TRY(expand_joint(&x, joint));
        }
    }
    return expand_servo_frictions(&x);
}
