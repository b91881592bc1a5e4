// SPDX-License-Identifier: Apache-2.0
// Laws in a model file. Their keys are the parameters that hf_law_info lists; no law is known here
// by its name.
#include <stdio.h>
#include <string.h>

#include "models/forces.h"
#include "spec/spec_data.h"

// ------------------------------------------------------------------------------------------------
// Which law

const hf_law_info *hf_read_law_name(hf_reader *reader, const hf_node *item, hf_law_kind kind,
                                    const char *standard)
{
    const hf_node *node = hf_node_get(item, "law");
    if (node == NULL) {
        return hf_law_info_find(standard);
    }
    size_t room = HF_LAW_TYPE_COUNT + reader->spec->law_count;
    hf_arena *arena = &reader->document->arena;
    const char **names = hf_arena_alloc(arena, room, sizeof *names);
    const hf_law_info **laws = hf_arena_alloc(arena, room, sizeof *laws);
    int choice = 0;
    if (names == NULL || laws == NULL) {
        (void)hf_reader_out_of_memory(reader);
        return NULL;
    }
    int count = hf_spec_list_laws(reader->spec, kind, names, laws);
    return hf_read_choice(reader, node, names, count, &choice) ? laws[choice] : NULL;
}

bool hf_check_force_keys(hf_reader *reader, const hf_node *item, const char *const *keys, int count,
                         const hf_law_info *law)
{
    int params = law == NULL ? 0 : law->param_count, total = 0;
    const char **all =
        hf_arena_alloc(&reader->document->arena, (size_t)count + (size_t)params, sizeof *all);
    if (all == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    for (int i = 0; i < count; ++i) {
        all[total++] = keys[i];
    }
    for (int i = 0; i < params; ++i) {
        all[total++] = law->params[i].name;
    }
    return hf_read_map(reader, item, all, total);
}

// ------------------------------------------------------------------------------------------------
// Levels

// A number for both directions, or [forth, back].
static bool read_pair(hf_reader *reader, const hf_node *map, const char *key, double pair[2])
{
    const hf_node *node = hf_node_get(map, key);
    if (node == NULL) {
        return true;
    }
    if (node->kind == HF_NODE_LIST) {
        if (!hf_read_numbers(reader, node, 2, pair)) {
            return false;
        }
        for (const hf_node *side = node->first; side != NULL; side = side->next) {
            double checked = 0;
            if (!hf_read_number(reader, side, HF_RANGE_NOT_NEGATIVE, &checked)) {
                return false;
            }
        }
        return true;
    }
    if (!hf_read_number(reader, node, HF_RANGE_NOT_NEGATIVE, &pair[0])) {
        return false;
    }
    pair[1] = pair[0];
    return true;
}

// [[speed, level], ...]
static bool read_level_table(hf_reader *reader, const hf_node *node, hf_level *level)
{
    if (!hf_read_kind(reader, node, HF_NODE_LIST, "a list of [speed, level]")) {
        return false;
    }
    hf_arena *arena = &reader->document->arena;
    double *speeds = hf_arena_alloc(arena, (size_t)node->count, sizeof *speeds);
    double *levels = hf_arena_alloc(arena, (size_t)node->count, sizeof *levels);
    if (speeds == NULL || levels == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    if (node->count == 0) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "table must have at least one point");
    }
    int i = 0;
    for (const hf_node *item = node->first; item != NULL; item = item->next, ++i) {
        double point[2] = {0};
        if (!hf_read_numbers(reader, item, 2, point)) {
            return false;
        }
        speeds[i] = point[0];
        levels[i] = point[1];
    }
    level->table_speed = (hf_list){speeds, node->count};
    level->table_level = (hf_list){levels, node->count};
    return true;
}

// `efficiency` and `bearing`, or `gear`: [[speed, eta1, eta2, b1, b2], ...].
static bool read_gear(hf_reader *reader, const hf_node *node, hf_level *level)
{
    // One row, or a table of them
    const hf_node *efficiency = hf_node_get(node, "efficiency"), *table = hf_node_get(node, "gear");
    const hf_node *rows = table == NULL ? efficiency : table;
    enum { ROW = 5 };
    if (rows == NULL) {
        return true;
    }
    int count = table == NULL ? 1 : table->count;
    if (table != NULL && (table->kind != HF_NODE_LIST || count < 1)) {
        return hf_reader_fail(reader, table, HF_ERROR_INPUT,
                              "gear must be a list of [speed, efficiency driving, efficiency "
                              "driven, bearing torque driving, bearing torque driven]");
    }
    // Numbers of the table
    double *numbers =
        hf_arena_alloc(&reader->document->arena, (size_t)count * ROW, sizeof *numbers);
    if (numbers == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    double *row = numbers;
    for (const hf_node *item = table == NULL ? NULL : table->first; item != NULL;
         item = item->next, row += ROW) {
        if (!hf_read_numbers(reader, item, ROW, row)) {
            return false;
        }
    }
    // or of the one row
    bool pair = efficiency != NULL && efficiency->kind == HF_NODE_LIST;
    if (efficiency != NULL &&
        !(pair ? hf_read_numbers(reader, efficiency, 2, numbers + 1)
               : hf_read_number(reader, efficiency, HF_RANGE_ANY, numbers + 1))) {
        return false;
    }
    if (efficiency != NULL && !pair) {
        numbers[2] = numbers[1];
    }
    level->gear = (hf_list){numbers, count * ROW};
    level->per_normal = true;
    return read_pair(reader, node, "bearing", numbers + 3);
}

// What cannot stand together in a level.
static bool check_level_keys(hf_reader *reader, const hf_node *node)
{
    // Keys that exclude each other, and keys that need another: the first, or one of two
    static const char *const clashes[][2] = {{"coulomb", "kinetic"},
                                             {"coulomb", "friction"},
                                             {"kinetic", "friction"},
                                             {"static", "friction"},
                                             {"static", "static_friction"},
                                             {"coulomb", "static_friction"},
                                             {"kinetic", "static_friction"},
                                             {"table", "coulomb"},
                                             {"table", "kinetic"},
                                             {"table", "static"},
                                             {"table", "static_friction"},
                                             {"table", "friction"},
                                             {"table", "stribeck_velocity"},
                                             {"gear", "efficiency"},
                                             {"gear", "bearing"},
                                             {"gear", "friction"},
                                             {"efficiency", "friction"},
                                             {"gear", "table"},
                                             {"efficiency", "table"},
                                             {"efficiency", "cohesion"},
                                             {"gear", "cohesion"},
                                             {"scale", "efficiency"},
                                             {"scale", "gear"},
                                             {"scale", "cohesion"}};
    static const char *const needs[][3] = {{"stribeck_velocity", "static", "static_friction"},
                                           {"shape", "stribeck_velocity", "stribeck_velocity"},
                                           {"rational", "stribeck_velocity", "stribeck_velocity"},
                                           {"static", "coulomb", "kinetic"},
                                           {"static_friction", "friction", "friction"},
                                           {"bearing", "efficiency", "efficiency"},
                                           {"cohesion", "friction", "table"}};
    // Each of both lists against what is there
    for (size_t i = 0; i < sizeof clashes / sizeof clashes[0]; ++i) {
        const hf_node *second = hf_node_get(node, clashes[i][1]);
        if (second != NULL && hf_node_get(node, clashes[i][0]) != NULL) {
            return hf_reader_fail_key(reader, second, HF_ERROR_INPUT,
                                      "a level cannot have both %s and %s", clashes[i][0],
                                      clashes[i][1]);
        }
    }
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; ++i) {
        const hf_node *first = hf_node_get(node, needs[i][0]);
        if (first != NULL && hf_node_get(node, needs[i][1]) == NULL &&
            hf_node_get(node, needs[i][2]) == NULL) {
            return hf_reader_fail_key(reader, first, HF_ERROR_INPUT, "%s needs %s beside it",
                                      needs[i][0], needs[i][1]);
        }
    }
    return true;
}

// A number stands for the level's usual kind: newtons, or a coefficient where the law's default is
// one (contacts).
static bool read_level(hf_reader *reader, const hf_node *node, hf_level *level)
{
    static const char *const keys[] = {"coulomb", "kinetic",    "static",   "stribeck_velocity",
                                       "shape",   "viscous",    "friction", "static_friction",
                                       "table",   "per_normal", "rational", "cohesion",
                                       "peak",    "efficiency", "bearing",  "gear",
                                       "scale"};
    bool per_normal = level->per_normal;
    // A number alone: Coulomb friction, or a coefficient
    if (node->kind != HF_NODE_MAP) {
        double number = 0;
        if (!hf_read_number(reader, node, HF_RANGE_NOT_NEGATIVE, &number)) {
            return false;
        }
        *level = per_normal ? hf_level_coefficient(number) : hf_level_coulomb(number);
        return true;
    }
    // A map: the kinetic level first, which others begin from
    *level = hf_level_coulomb(0);
    const hf_node *table = hf_node_get(node, "table"), *flag = hf_node_get(node, "per_normal");
    const hf_node *rational = hf_node_get(node, "rational"),
                  *cohesion = hf_node_get(node, "cohesion");
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) || !check_level_keys(reader, node) ||
        !read_pair(reader, node, "coulomb", level->kinetic) ||
        !read_pair(reader, node, "kinetic", level->kinetic) ||
        !read_pair(reader, node, "friction", level->kinetic)) {
        return false;
    }
    memcpy(level->peak, level->kinetic, sizeof level->peak);
    bool coefficient = hf_node_get(node, "friction") != NULL;
    static const hf_company company[] = {{"scale", {"coulomb", "kinetic", "friction", "table"}},
                                         {"peak", {"coulomb", "kinetic", "friction", "table"}}};
    if (!hf_check_company(reader, node, company, HF_COUNT(company))) {
        return false;
    }
    if (node->count == 0) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "%s is empty: give coulomb, friction or another of its keys",
                              reader->param);
    }
    if (flag != NULL && table == NULL) {
        return hf_reader_fail_key(reader, flag, HF_ERROR_INPUT,
                                  "per_normal goes with a table; use friction for a coefficient");
    }
    // All the rest. What a level is scaled by is a normal force too (hf_read_normal)
    bool scaled = hf_node_get(node, "scale") != NULL, flagged = table != NULL && per_normal;
    if (flag != NULL && !hf_read_flag(reader, flag, &flagged)) {
        return false;
    }
    level->per_normal = coefficient || scaled || flagged;
    if (cohesion != NULL && !coefficient && !flagged) {
        return hf_reader_fail_key(reader, cohesion, HF_ERROR_INPUT,
                                  "cohesion has no effect beside a table of levels; a table of "
                                  "coefficients has per_normal: true");
    }
    return read_pair(reader, node, "static", level->peak) &&
           read_pair(reader, node, "static_friction", level->peak) &&
           read_pair(reader, node, "stribeck_velocity", level->stribeck) &&
           read_pair(reader, node, "viscous", level->viscous) &&
           hf_read_number_item(reader, node, "shape", HF_RANGE_POSITIVE, &level->shape) &&
           (rational == NULL || hf_read_flag(reader, rational, &level->rational)) &&
           read_pair(reader, node, "cohesion", level->cohesion) &&
           hf_read_number_item(reader, node, "peak", HF_RANGE_ANY, &level->sticking) &&
           read_gear(reader, node, level) &&
           (table == NULL || read_level_table(reader, table, level));
}

// ------------------------------------------------------------------------------------------------
// Parameters

static bool read_member(hf_reader *reader, const hf_node *node, const hf_param *param, void *def)
{
    void *member = (char *)def + param->offset;
    switch (param->kind) {
    case HF_PARAM_AUTO:
        if (node->kind == HF_NODE_SCALAR && strcmp(node->text, "auto") == 0) {
            *(double *)member = 0.0;
            return true;
        }
        return hf_read_number(reader, node, HF_RANGE_POSITIVE, member);
    case HF_PARAM_NUMBER:
        return hf_read_number(reader, node, HF_RANGE_ANY, member);
    case HF_PARAM_LEVEL:
        return read_level(reader, node, member);
    case HF_PARAM_LIST:
        return hf_read_list(reader, node, member);
    case HF_PARAM_FLAG:
        return hf_read_flag(reader, node, member);
    case HF_PARAM_COUNT:
        return hf_read_count(reader, node, 0, 1000000, member);
    }
    return false;
}

static bool read_param(hf_reader *reader, const hf_node *node, const hf_param *param, void *def)
{
    reader->param = param->name;
    reader->param_unit = param->unit;
    bool read = read_member(reader, node, param, def);
    reader->param = NULL;
    return read;
}

// The message of a fault, at the number that caused it.
static bool fail_fault(hf_reader *reader, const hf_node *item, const hf_fault *fault)
{
    const char *member = fault->member == NULL ? "law" : fault->member;
    const char *expected = fault->expected == NULL ? "is not valid" : fault->expected;
    const hf_node *holder = fault->within == NULL ? item : hf_node_get(item, fault->within);
    const hf_node *node = hf_node_get(holder, member);
    if (node == NULL && strcmp(member, "kinetic") == 0) {
        node = hf_node_get(holder, "coulomb");
    }
    if (node == NULL && fault->within != NULL && strcmp(member, "viscous") != 0) {
        node = hf_node_get(holder, strcmp(member, "static") == 0 ? "static_friction" : "friction");
    }
    // "static static level is below ..." where the expectation repeats the member.
    bool repeats = strncmp(expected, member, strlen(member)) == 0;
    const char *space = repeats ? "" : " ";
    member = repeats ? "" : member;
    if (node != NULL) {
        return hf_reader_fail(reader, node, HF_ERROR_RANGE, "%s%s%s, got %g", member, space,
                              expected, fault->value);
    }
    const char *hint = holder == item ? " (it is not given)" : "";
    return hf_reader_fail_key(reader, holder == NULL ? item : holder, HF_ERROR_RANGE,
                              "%s%s%s, got %g%s", member, space, expected, fault->value, hint);
}

bool hf_read_law(hf_reader *reader, const hf_node *item, const hf_law_info *law, int dim,
                 void **def)
{
    *def = hf_arena_alloc(&reader->document->arena, 1, law->def_size);
    if (*def == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    law->set_default(*def);
    return hf_read_params(reader, item, law, dim, *def);
}

bool hf_read_params(hf_reader *reader, const hf_node *item, const hf_law_info *law, int dim,
                    void *def)
{
    for (int i = 0; i < law->param_count; ++i) {
        const hf_node *node = hf_node_get(item, law->params[i].name);
        if (node != NULL && !read_param(reader, node, &law->params[i], def)) {
            return false;
        }
    }
    bool fits = law->kind == HF_KIND_CONTACT || (dim >= law->min_dim && dim <= law->max_dim);
    if (!fits) {
        return hf_reader_fail_key(reader, item, HF_ERROR_UNSUPPORTED,
                                  "the law %s goes on %d to %d coordinates, not on %d", law->name,
                                  law->min_dim, law->max_dim, dim);
    }
    hf_fault fault = {0};
    return law->check(def, dim, &fault) == HF_OK || fail_fault(reader, item, &fault);
}

bool hf_law_is_per_normal(const hf_law_info *law, const void *def)
{
    for (int i = 0; i < law->param_count; ++i) {
        if (law->params[i].kind == HF_PARAM_LEVEL) {
            const hf_level *level = (const void *)((const char *)def + law->params[i].offset);
            if (level->per_normal) {
                return true;
            }
        }
    }
    return false;
}
