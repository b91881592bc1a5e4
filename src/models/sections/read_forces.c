// SPDX-License-Identifier: Apache-2.0
// `forces:`. An item whose friction is loaded by another force is added after that force, in
// whatever order they stand.
#include <stdlib.h>
#include <string.h>

#include "models/forces.h"

enum force_type {
    FORCE,
    TORQUE,
    SPRING,
    FRICTION,
    CONTACT,
    JOINT,
    COLLIDE,
    STOP,
    CONTROLLER,
    LAW,
    TYPE_COUNT
};
static const char *const TYPES[TYPE_COUNT] = {
    [FORCE] = "force",       [TORQUE] = "torque",   [SPRING] = "spring",
    [FRICTION] = "friction", [CONTACT] = "contact", [JOINT] = "joint",
    [COLLIDE] = "collide",   [STOP] = "stop",       [CONTROLLER] = "controller",
    [LAW] = "law",
};

typedef enum visit { NOT_VISITED, OPEN, ADDED } visit;

typedef struct force_item {
    const hf_node *node;
    const char *name;
    int type;
    int after; // index of the item that must come first, or -1
    visit state;
} force_item;

// ------------------------------------------------------------------------------------------------
// One force

bool hf_reader_add_force(hf_reader *reader, const hf_node *item, const hf_force_def *def)
{
    hf_force_def placed = *def;
    placed.file = item->origin == NULL && item->line > 0 ? reader->document->label : NULL;
    placed.line = item->line;
    placed.column = item->column;
    return hf_spec_add_force(reader->spec, &placed, reader->error).id != 0 ||
           hf_reader_pass_member(reader, item);
}

// A normal force, or what a level is scaled by, as a value from 0 up.
static bool read_load_value(hf_reader *reader, const hf_node *node, const char *name,
                            const char *tail, hf_value *value)
{
    char *hidden = hf_reader_join(reader, name, tail), label[HF_LABEL_SIZE];
    return hidden != NULL && hf_read_value(reader, node, hidden, value) &&
           (value->signal.id != 0 || value->constant >= 0.0 ||
            hf_reader_fail(reader, node, HF_ERROR_RANGE, "%s must be zero or positive, got %g",
                           hf_node_label(node, label), value->constant));
}

// What presses: the reaction of a joint or loop, another force by name, or a value.
static bool read_press(hf_reader *reader, const hf_node *node, const char *name,
                       hf_normal_def *normal)
{
    if (node->kind == HF_NODE_MAP && hf_node_get(node, "table") == NULL) {
        return hf_read_load(reader, node, normal);
    }
    if (node->kind == HF_NODE_SCALAR) {
        normal->loop = hf_spec_find_loop(reader->spec, node->text);
        if (normal->loop.id != 0) {
            normal->load = HF_LOAD_LOOP;
            return true;
        }
        normal->force = hf_spec_find_force(reader->spec, node->text);
        if (normal->force.id != 0) {
            return true;
        }
        if (hf_names_find(&reader->force_items, node->text, strlen(node->text)) >= 0) {
            return hf_reader_fail(reader, node, HF_ERROR_NAME,
                                  "normal: '%.60s' is a contact of a box; name one of its corners, "
                                  "%.60s.1 to .8",
                                  node->text, node->text);
        }
    }
    return read_load_value(reader, node, name, ".load", &normal->value);
}

// `scale` of a level takes the place of its normal force, or multiplies one that is a value.
static bool read_scale(hf_reader *reader, const hf_node *node, const char *name, bool pressed,
                       hf_normal_def *normal)
{
    hf_value scale = {0};
    if (!read_load_value(reader, node, name, ".scale", &scale)) {
        return false;
    }
    if (!pressed) {
        normal->value = scale;
        return true;
    }
    if (normal->load != HF_LOAD_NONE || normal->force.id != 0) {
        return hf_reader_fail_key(reader, node, HF_ERROR_UNSUPPORTED,
                                  "scale goes with a normal force that is a value, not with that "
                                  "of a force, joint or loop");
    }
    char *hidden = hf_reader_join(reader, name, ".scaled");
    return hidden != NULL &&
           hf_add_product(reader, node, hidden, scale, normal->value, false, &normal->value);
}

bool hf_read_normal(hf_reader *reader, const hf_node *item, const char *name,
                    const hf_law_info *law, const void *def, hf_normal_def *normal)
{
    const hf_node *node = hf_node_get(item, "normal"), *level = hf_node_get(item, "level");
    const hf_node *scale =
        level == NULL || level->kind != HF_NODE_MAP ? NULL : hf_node_get(level, "scale");
    // Whether a normal force is asked for
    bool coefficient = scale == NULL || hf_node_get(level, "friction") != NULL ||
                       hf_node_get(level, "per_normal") != NULL;
    bool needed = hf_law_is_per_normal(law, def) && coefficient;
    if (!needed && node != NULL) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                                  "normal has no effect: the level is not a coefficient; give the "
                                  "level as {friction: ...}");
    }
    if (needed && node == NULL) {
        return hf_reader_fail_key(reader, item, HF_ERROR_INPUT,
                                  "normal is missing: the level is a coefficient of friction");
    }
    return (!needed || read_press(reader, node, name, normal)) &&
           (scale == NULL || read_scale(reader, scale, name, needed, normal));
}

bool hf_read_enable(hf_reader *reader, const hf_node *item, const char *name, hf_force_def *def)
{
    const hf_node *node = hf_node_get(item, "enable");
    char *hidden = hf_reader_join(reader, name, ".enable");
    if (hidden == NULL || (node != NULL && !hf_read_value(reader, node, hidden, &def->enable))) {
        return false;
    }
    def->has_enable = node != NULL;
    return true;
}

// `enable` of a friction that is solved for, or is computed once a step: a scale of its level, 1 or
// 0.
static bool gate_level(hf_reader *reader, const hf_node *item, const char *name,
                       const hf_law_info *law, void *law_def, hf_force_def *def)
{
    const hf_node *node = hf_node_get(item, "enable");
    const hf_node *normal = hf_node_get(item, "normal");
    hf_value gate = def->enable;
    for (int i = 0; i < law->param_count; ++i) {
        hf_level *level = (hf_level *)(void *)((char *)law_def + law->params[i].offset);
        if (law->params[i].kind != HF_PARAM_LEVEL) {
            continue;
        }
        if (level->viscous[0] != 0.0 || level->viscous[1] != 0.0) {
            return hf_reader_fail_key(reader, node, HF_ERROR_UNSUPPORTED,
                                      "enable of law %s gates a level without viscous part; give "
                                      "that to a spring with damping and the same enable",
                                      law->name);
        }
        if (level->per_normal && (def->normal.force.id != 0 || def->normal.load != HF_LOAD_NONE ||
                                  level->cohesion[0] != 0.0 || level->cohesion[1] != 0.0)) {
            return hf_reader_fail_key(reader, node, HF_ERROR_UNSUPPORTED,
                                      "enable of law %s goes with a normal force that is a value; "
                                      "law: stiction takes it with any",
                                      law->name);
        }
        def->normal.value = level->per_normal ? def->normal.value : (hf_value){.constant = 1.0};
        level->per_normal = true;
    }
    def->has_enable = false;
    def->enable = (hf_value){0};
    char *hidden = hf_reader_join(reader, name, ".gate");
    return hidden != NULL && hf_add_product(reader, normal != NULL ? normal : node, hidden, gate,
                                            def->normal.value, true, &def->normal.value);
}

// How the coordinates of a coupling move, for the units of what is read of it.
static hf_motion_kind motion_of(hf_reader *reader, const hf_node *item,
                                const hf_coupling_def *coupling, bool torque)
{
    const hf_node *on = hf_node_get(item, "on");
    if (torque || coupling->type == HF_COUPLING_SPIN) {
        return HF_MOTION_TURNS;
    }
    if (coupling->type == HF_COUPLING_RATIO || coupling->type == HF_COUPLING_TURNS) {
        return hf_ratio_motion(reader, hf_node_get(item, "ratio"));
    }
    bool coordinate = coupling->type == HF_COUPLING_COORDINATE && on != NULL;
    return coordinate && on->kind == HF_NODE_SCALAR ? hf_place_motion(reader, on)
                                                    : HF_MOTION_STRAIGHT;
}

// `type: force` and `type: torque`
static bool read_prescribed(hf_reader *reader, const hf_node *item, const char *name, bool torque)
{
    static const char *const keys[] = {"name",     "type",
                                       "on",       "to",
                                       "coupling", "point",
                                       "to_point", HF_PLACE_KEYS(HF_PLACE_WORD) "value",
                                       "enable",   HF_PLACE_KEYS_OF_FORCES(HF_PLACE_WORD)};
    hf_force_def def = hf_force_def_default();
    def.name = name;
    def.law = HF_LAW_FORCE;
    const hf_node *value;
    if (!hf_check_force_keys(reader, item, keys, HF_COUNT(keys), NULL) ||
        (value = hf_read_need(reader, item, "value")) == NULL ||
        !hf_read_coupling(reader, item, name, torque, false, &def.coupling)) {
        return false;
    }
    reader->motion = motion_of(reader, item, &def.coupling, torque);
    char *hidden = hf_reader_join(reader, name, ".value");
    return hidden != NULL &&
           hf_read_values(reader, value, hf_coupling_dim(&def.coupling), hidden, def.values) &&
           hf_read_enable(reader, item, name, &def) && hf_reader_add_force(reader, item, &def);
}

// What an element must say: the library's defaults are for trials of laws, and no machine's
// numbers.
static bool check_said(hf_reader *reader, const hf_node *item, int type, const hf_law_info *law)
{
    static const char *const limits[] = {"low", "high", "speed"};
    static const hf_company company[] = {{"restitution", {"low", "high"}}};
    if (type == STOP && !hf_node_has(item, limits, HF_COUNT(limits))) {
        return hf_reader_fail_key(reader, item, HF_ERROR_INPUT,
                                  "low and high are missing: without either, or a speed, a stop "
                                  "stops nothing");
    }
    if (type == STOP) {
        return hf_check_company(reader, item, company, HF_COUNT(company));
    }
    const char *needed = type == SPRING ? "stiffness" : "level";
    bool known = false, own = hf_law_info_find(law->name) != law;
    for (int i = 0; i < law->param_count && !own; ++i) {
        known = known || strcmp(law->params[i].name, needed) == 0;
    }
    return !known || hf_node_get(item, needed) != NULL ||
           hf_reader_fail_key(reader, item, HF_ERROR_INPUT, "%s is missing%s", needed,
                              type == SPRING ? "; a damper alone has stiffness: 0" : "");
}

// `type: spring`, `type: friction` and `type: stop`
static bool read_element(hf_reader *reader, const hf_node *item, const char *name, int type)
{
    bool friction = type == FRICTION;
    static const char *const keys[] = {
        "name",     "type",  "on",       "to",
        "coupling", "point", "to_point", HF_PLACE_KEYS(HF_PLACE_WORD) "law",
        "enable",   "normal"};
    hf_force_def def = hf_force_def_default();
    def.name = name;
    // The law that it names, or the usual one
    const hf_law_info *law = type == STOP ? hf_read_law_name(reader, item, HF_KIND_STOP, "stop")
                             : friction
                                 ? hf_read_law_name(reader, item, HF_KIND_FRICTION, "stiction")
                                 : hf_read_law_name(reader, item, HF_KIND_SPRING, "spring");
    // Where it acts
    void *law_def = NULL;
    if (law == NULL ||
        !hf_check_force_keys(reader, item, keys, friction ? HF_COUNT(keys) : HF_COUNT(keys) - 1,
                             law) ||
        !hf_read_coupling(reader, item, name, false, true, &def.coupling)) {
        return false;
    }
    // The law's numbers, what presses, and what enables it
    reader->motion = motion_of(reader, item, &def.coupling, false);
    if (!hf_read_law(reader, item, law, hf_coupling_dim(&def.coupling), &law_def) ||
        !check_said(reader, item, type, law) ||
        !hf_read_normal(reader, item, name, law, law_def, &def.normal) ||
        !hf_read_enable(reader, item, name, &def)) {
        return false;
    }
    // Friction that is solved for is enabled by its level
    bool solved = type != STOP && (law->needs_applied || law->exact != HF_EXACT_NONE);
    if (def.has_enable && solved && !gate_level(reader, item, name, law, law_def, &def)) {
        return false;
    }
    def.law = law->type;
    def.def = law_def;
    return hf_reader_add_force(reader, item, &def);
}

// The inputs of a law, each a value, by the names of its table. The first must be there.
static bool read_inputs(hf_reader *reader, const hf_node *item, const char *name,
                        const hf_law_info *law, hf_force_def *def)
{
    for (int i = 0; i < law->input_count; ++i) {
        const hf_node *node = i == 0 ? hf_read_need(reader, item, law->inputs[i].name)
                                     : hf_node_get(item, law->inputs[i].name);
        if (node == NULL && i == 0) {
            return false;
        }
        char *dot = hf_reader_join(reader, name, ".");
        char *hidden = dot == NULL ? NULL : hf_reader_join(reader, dot, law->inputs[i].name);
        reader->param = law->inputs[i].name;
        reader->param_unit = law->inputs[i].unit;
        bool read = hidden != NULL &&
                    (node == NULL || hf_read_value(reader, node, hidden, &def->values[i]));
        reader->param = NULL;
        if (!read) {
            return false;
        }
        def->has_rate = def->has_rate || (node != NULL && law->inputs[i].rate_of >= 0);
    }
    return true;
}

// A controller must have something that acts, and what its other keys are about.
static bool check_controller(hf_reader *reader, const hf_node *item, const hf_law_info *law)
{
    static const char *const acting[] = {"proportional", "integral", "derivative", "feed_forward",
                                         "bias"};
    static const hf_company company[] = {{"anti_windup", {"integral"}},
                                         {"anti_windup", {"low", "high"}},
                                         {"differences", {"derivative"}},
                                         {"position_differences", {"derivative"}}};
    if (law != hf_law_info_find("pid")) {
        return true;
    }
    if (!hf_node_has(item, acting, HF_COUNT(acting))) {
        return hf_reader_fail_key(reader, item, HF_ERROR_INPUT,
                                  "it does nothing: give proportional, integral, derivative, "
                                  "feed_forward or bias");
    }
    return hf_check_company(reader, item, company, HF_COUNT(company));
}

// `type: controller`
static bool read_controller(hf_reader *reader, const hf_node *item, const char *name)
{
    static const char *const fixed[] = {
        "name",     "type",  "on",       "to",
        "coupling", "point", "to_point", HF_PLACE_KEYS(HF_PLACE_WORD) "law",
        "enable"};
    const char *keys[HF_COUNT(fixed) + HF_LAW_MAX_INPUTS];
    hf_force_def def = hf_force_def_default();
    def.name = name;
    const hf_law_info *law = hf_read_law_name(reader, item, HF_KIND_CONTROLLER, "pid");
    if (law == NULL) {
        return false;
    }
    // Keys: those of every controller, and the law's inputs
    int count = 0;
    for (; count < HF_COUNT(fixed); ++count) {
        keys[count] = fixed[count];
    }
    for (int i = 0; i < law->input_count; ++i) {
        keys[count++] = law->inputs[i].name;
    }
    // Where it acts
    void *law_def = NULL;
    if (!hf_check_force_keys(reader, item, keys, count, law) ||
        !hf_read_coupling(reader, item, name, false, false, &def.coupling)) {
        return false;
    }
    // The law, its inputs, and what enables it
    reader->motion = motion_of(reader, item, &def.coupling, false);
    if (!hf_read_law(reader, item, law, hf_coupling_dim(&def.coupling), &law_def) ||
        !read_inputs(reader, item, name, law, &def) || !check_controller(reader, item, law) ||
        !hf_read_enable(reader, item, name, &def)) {
        return false;
    }
    def.law = law->type;
    def.def = law_def;
    return hf_reader_add_force(reader, item, &def);
}

static bool read_force(hf_reader *reader, const force_item *force)
{
    hf_reader_enter(reader, TYPES[force->type], force->name);
    reader->motion = HF_MOTION_STRAIGHT;
    switch (force->type) {
    case FORCE:
    case TORQUE:
        return read_prescribed(reader, force->node, force->name, force->type == TORQUE);
    case SPRING:
    case FRICTION:
    case STOP:
        return read_element(reader, force->node, force->name, force->type);
    case CONTACT:
        return hf_read_contact(reader, force->node, force->name);
    case CONTROLLER:
        return read_controller(reader, force->node, force->name);
    case LAW:
        return hf_read_own_law(reader, force->node, force->name);
    case COLLIDE:
        return hf_read_collide(reader, force->node, force->name);
    default:
        return hf_read_penalty_joint(reader, force->node, force->name);
    }
}

// ------------------------------------------------------------------------------------------------
// The section

static bool read_head(hf_reader *reader, const hf_node *node, int index, force_item *force)
{
    hf_reader_leave(reader);
    *force = (force_item){.node = node, .after = -1};
    const hf_node *name, *type;
    if (!hf_read_kind(reader, node, HF_NODE_MAP, "a map") ||
        (name = hf_read_need(reader, node, "name")) == NULL ||
        !hf_read_text(reader, name, &force->name) ||
        !hf_read_name(reader, name, force->name, false)) {
        return false;
    }
    hf_reader_enter(reader, "force", force->name);
    if ((type = hf_read_need(reader, node, "type")) == NULL ||
        !hf_read_choice(reader, type, TYPES, TYPE_COUNT, &force->type) ||
        !hf_reader_add_item(reader, force->name, node, false)) {
        return false;
    }
    return hf_names_add(&reader->force_items, force->name, index) ||
           hf_reader_out_of_memory(reader);
}

// The item that `normal:` names: a force, or a part of one (crate.1).
static int find_normal(const hf_reader *reader, const hf_node *item)
{
    const hf_node *normal = hf_node_get(item, "normal");
    if (normal == NULL || normal->kind != HF_NODE_SCALAR) {
        return -1;
    }
    int index = hf_names_find(&reader->force_items, normal->text, strlen(normal->text));
    const char *dot = strchr(normal->text, '.');
    if (index < 0 && dot != NULL) {
        index = hf_names_find(&reader->force_items, normal->text, (size_t)(dot - normal->text));
    }
    return index;
}

// Adds the forces that this one needs, then this one.
static bool add_in_order(hf_reader *reader, force_item *forces, int *chain, int index)
{
    int length = 0;
    while (index >= 0 && forces[index].state == NOT_VISITED) {
        forces[index].state = OPEN;
        chain[length++] = index;
        index = forces[index].after;
    }
    if (index >= 0 && forces[index].state == OPEN) {
        const force_item *last = &forces[chain[length - 1]];
        hf_reader_enter(reader, TYPES[last->type], last->name);
        return hf_reader_fail(reader, hf_node_get(last->node, "normal"), HF_ERROR_INPUT,
                              "normal forces depend on each other in a circle");
    }
    while (length > 0) {
        force_item *force = &forces[chain[--length]];
        if (!read_force(reader, force)) {
            return false;
        }
        force->state = ADDED;
    }
    return true;
}

bool hf_read_forces(hf_reader *reader, const hf_node *section)
{
    if (!hf_read_kind(reader, section, HF_NODE_LIST, "a list of forces")) {
        return false;
    }
    hf_arena *arena = &reader->document->arena;
    force_item *forces = hf_arena_alloc(arena, (size_t)section->count, sizeof *forces);
    int *chain = hf_arena_alloc(arena, (size_t)section->count, sizeof *chain);
    if (forces == NULL || chain == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    int count = 0;
    for (const hf_node *node = section->first; node != NULL; node = node->next, ++count) {
        if (!read_head(reader, node, count, &forces[count])) {
            return false;
        }
    }
    for (int i = 0; i < count; ++i) {
        forces[i].after = find_normal(reader, forces[i].node);
    }
    for (int i = 0; i < count; ++i) {
        if (!add_in_order(reader, forces, chain, i)) {
            return false;
        }
    }
    hf_reader_leave(reader);
    return true;
}
