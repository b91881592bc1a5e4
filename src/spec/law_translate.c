// SPDX-License-Identifier: Apache-2.0
// Another law in the place of a friction, by the names of their parameters.
//
// Parameters that both laws have stay. One element and several elements in parallel are translated
// into each other:
//   one -> several   total level, stiffness and damping, shared out as the new law's defaults are
//   several -> one   their sums
// The elements' levels L_i have a common factor r (compound, maxwell-slip): they slide under the
// level (sum of L_i) r, which is multiplied as a level function, with its table and its two sides.
#include <math.h>
#include <string.h>

#include "spec/spec_data.h"

// One of the two laws.
typedef struct side {
    const hf_law_info *law;
    char *def;
    const bool *given; // by parameter; NULL: all of them
} side;

typedef struct job {
    hf_arena *arena;
    side old, now;
    // What the old law says: total level, NULL: not given; shares of the elements, none: one.
    const hf_level *level;
    double factor; // that the level must be multiplied by
    hf_list shares;
} job;

// ------------------------------------------------------------------------------------------------
// Parameters by name

static bool is_number(const hf_param *param)
{
    return param->kind == HF_PARAM_NUMBER || param->kind == HF_PARAM_AUTO;
}

// The member of this name and kind that is given, or NULL.
static void *given(const side *s, const char *name, hf_param_kind kind)
{
    const hf_param *param = hf_law_param(s->law, name);
    bool same =
        param != NULL && (param->kind == kind || (kind == HF_PARAM_NUMBER && is_number(param)));
    bool said = same && (s->given == NULL || s->given[param - s->law->params]);
    return said ? s->def + param->offset : NULL;
}

// The member of this name and kind, given or not.
static void *member(const side *s, const char *name, hf_param_kind kind)
{
    const side all = {s->law, s->def, NULL};
    return given(&all, name, kind);
}

static size_t size_of(hf_param_kind kind)
{
    switch (kind) {
    case HF_PARAM_LEVEL:
        return sizeof(hf_level);
    case HF_PARAM_LIST:
        return sizeof(hf_list);
    case HF_PARAM_FLAG:
        return sizeof(bool);
    case HF_PARAM_COUNT:
        return sizeof(int);
    case HF_PARAM_NUMBER:
    case HF_PARAM_AUTO:
        break;
    }
    return sizeof(double);
}

static void keep_common(const job *j)
{
    for (int i = 0; i < j->now.law->param_count; ++i) {
        const hf_param *param = &j->now.law->params[i];
        hf_param_kind kind = is_number(param) ? HF_PARAM_NUMBER : param->kind;
        const void *old = given(&j->old, param->name, kind);
        if (old != NULL) {
            memcpy(j->now.def + param->offset, old, size_of(kind));
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Lists and levels

static double sum_of(const hf_list *list)
{
    double sum = 0.0;
    for (int i = 0; i < list->count; ++i) {
        sum += list->values[i];
    }
    return sum;
}

// The list times a factor.
static bool scale_list(hf_arena *arena, const hf_list *list, double factor, hf_list *out)
{
    double *values = hf_arena_alloc(arena, (size_t)list->count, sizeof *values);
    if (values == NULL) {
        return false;
    }
    for (int i = 0; i < list->count; ++i) {
        values[i] = factor * list->values[i];
    }
    *out = (hf_list){values, list->count};
    return true;
}

// The list in proportion, with this sum.
static bool share_out(hf_arena *arena, const hf_list *shares, double total, hf_list *out)
{
    double whole = sum_of(shares);
    return shares->count == 0 || !(whole > 0.0) || scale_list(arena, shares, total / whole, out);
}

// The level times a factor, at every velocity: viscous friction too.
static bool scale_level(hf_arena *arena, const hf_level *level, double factor, hf_level *out)
{
    *out = *level;
    for (int k = 0; k < 2; ++k) {
        out->kinetic[k] *= factor;
        out->peak[k] *= factor;
        out->viscous[k] *= factor;
        out->cohesion[k] *= factor;
    }
    return scale_list(arena, &level->table_level, factor, &out->table_level);
}

// The largest level at rest or in a table, on either side.
static double peak_of(const hf_level *level)
{
    double peak = fmax(level->peak[HF_FORTH], level->peak[HF_BACK]);
    if (level->table_level.count > 0) {
        peak = 0.0;
    }
    for (int i = 0; i < level->table_level.count; ++i) {
        peak = fmax(peak, level->table_level.values[i]);
    }
    return peak;
}

// ------------------------------------------------------------------------------------------------
// Translation

// What the old law slides under, and how its elements share it.
static bool look(job *j)
{
    const hf_list *levels = member(&j->old, "levels", HF_PARAM_LIST);
    const hf_list *said = given(&j->old, "levels", HF_PARAM_LIST);
    const hf_list *shares = given(&j->old, "shares", HF_PARAM_LIST);
    const hf_level *factor = member(&j->old, "factor", HF_PARAM_LEVEL);
    j->factor = 1.0;
    j->level = given(&j->old, "level", HF_PARAM_LEVEL);
    if (levels != NULL && factor != NULL &&
        (said != NULL || given(&j->old, "factor", HF_PARAM_LEVEL) != NULL)) {
        j->level = factor;
        j->factor = sum_of(levels);
    }
    j->shares = shares != NULL ? *shares : (hf_list){0};
    return said == NULL || shares != NULL || share_out(j->arena, said, 1.0, &j->shares);
}

static bool put_level(const job *j)
{
    hf_level *level = member(&j->now, "level", HF_PARAM_LEVEL);
    hf_level *factor = member(&j->now, "factor", HF_PARAM_LEVEL);
    hf_list *levels = member(&j->now, "levels", HF_PARAM_LIST);
    hf_list *shares = member(&j->now, "shares", HF_PARAM_LIST);
    if (shares != NULL && j->shares.count > 0) {
        *shares = j->shares;
    }
    if (j->level == NULL) {
        return true;
    }
    if (level != NULL && !scale_level(j->arena, j->level, j->factor, level)) {
        return false;
    }
    const hf_list *like = j->shares.count > 0 ? &j->shares : levels;
    if (levels != NULL && level != NULL) { // the elements must be able to carry the level
        return share_out(j->arena, like, j->factor * peak_of(j->level), levels);
    }
    if (levels != NULL && factor != NULL) {
        *factor = *j->level;
        return share_out(j->arena, like, j->factor, levels);
    }
    return true;
}

// `one` and `several` are the names of a quantity of one element and of several.
static bool put_quantity(const job *j, const char *one, const char *several)
{
    // What both laws call it
    double *single = member(&j->now, one, HF_PARAM_NUMBER);
    hf_list *list = member(&j->now, several, HF_PARAM_LIST);
    const double *old = given(&j->old, one, HF_PARAM_NUMBER);
    const hf_list *old_list = given(&j->old, several, HF_PARAM_LIST);
    if (single != NULL && old_list != NULL && old_list->count > 0) {
        *single = sum_of(old_list);
    }
    if (list == NULL || old_list != NULL) {
        return true;
    }
    // As many equal parts as there are elements, or parts like the new law's defaults.
    int elements = j->shares.count;
    if (old == NULL) {
        if (elements > 0 && elements != list->count && strcmp(several, "dampings") == 0) {
            *list = (hf_list){0}; // the defaults are of other elements: none
        }
        return true;
    }
    if (elements > 0) {
        double *equal = hf_arena_alloc(j->arena, (size_t)elements, sizeof *equal);
        for (int i = 0; equal != NULL && i < elements; ++i) {
            equal[i] = *old / elements;
        }
        *list = (hf_list){equal, elements};
        return equal != NULL;
    }
    return share_out(j->arena, list, *old, list);
}

void *hf_law_translate(hf_arena *arena, const hf_law_info *old, const void *def,
                       const bool *given_params, const hf_law_info *law)
{
    job j = {.arena = arena,
             .old = {old, hf_arena_copy(arena, def, 1, old->def_size), given_params},
             .now = {law, hf_arena_alloc(arena, 1, law->def_size), NULL}};
    if (j.old.def == NULL || j.now.def == NULL) {
        return NULL;
    }
    law->set_default(j.now.def);
    keep_common(&j);
    bool done =
        old == law || (look(&j) && put_level(&j) && put_quantity(&j, "stiffness", "stiffnesses") &&
                       put_quantity(&j, "damping", "dampings"));
    return done ? j.now.def : NULL;
}
