// SPDX-License-Identifier: Apache-2.0
// Another law in the place of the friction of a machine.
//
// Keys that both laws know stay. One element and several elements in parallel are translated into
// each other:
//   one -> several   total level, stiffness and damping, shared out as the new law's defaults are
//   several -> one   their sums
// The common factor of the elements' levels (compound, maxwell-slip) is a level function of its
// own: it takes the place of the level when its elements' levels add up to 1.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "models/reader.h"
#include "models/tree/override.h"

enum { MOST_ELEMENTS = 256, LIST_TEXT = 32 * MOST_ELEMENTS };

// The numbers of several elements.
typedef struct series {
    double values[MOST_ELEMENTS];
    int count;
} series;

typedef struct job {
    hf_change change;
    const hf_law_info *law; // the new one
    const hf_law_change *wanted;
    hf_node *item; // of forces:
} job;

// What the item says under its old law.
typedef struct before {
    hf_node *level; // total level as a level function; NULL: not given
    double factor;  // that it must be multiplied by
    series shares, stiffnesses, dampings;
} before;

// ------------------------------------------------------------------------------------------------
// Laws and their parameters

static bool is_friction(const hf_law_info *law)
{
    return law != NULL && law->kind == HF_KIND_FRICTION;
}

static const hf_param *find_param(const hf_law_info *law, const char *name)
{
    for (int i = 0; law != NULL && i < law->param_count; ++i) {
        if (strcmp(law->params[i].name, name) == 0) {
            return &law->params[i];
        }
    }
    return NULL;
}

static hf_status unknown_law(const hf_change *change, const char *name)
{
    const char *names[HF_LAW_TYPE_COUNT];
    int count = 0;
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)i);
        if (is_friction(law)) {
            names[count++] = law->name;
        }
    }
    char message[200], hint[HF_HINT_SIZE];
    (void)snprintf(message, sizeof message, "unknown friction law '%.60s'%s", name,
                   hf_hint(name, names, count, hint));
    return hf_change_fail(change, HF_ERROR_NAME, message);
}

// The default of a list among the law's parameters.
static void default_series(const hf_law_info *law, const char *name, series *out)
{
    const hf_param *param = find_param(law, name);
    void *def = param == NULL ? NULL : calloc(1, law->def_size);
    *out = (series){.count = 0};
    if (def == NULL) {
        return;
    }
    law->set_default(def);
    const hf_list *list = (const void *)((const char *)def + param->offset);
    for (int i = 0; i < list->count && i < MOST_ELEMENTS; ++i) {
        out->values[out->count++] = list->values[i];
    }
    free(def);
}

// ------------------------------------------------------------------------------------------------
// Numbers in and out of the tree

static double sum(const series *s)
{
    double total = 0.0;
    for (int i = 0; i < s->count; ++i) {
        total += s->values[i];
    }
    return total;
}

// A list of numbers, or one number; empty when it is neither.
static void read_series(const hf_node *node, series *out)
{
    *out = (series){.count = 0};
    if (node == NULL) {
        return;
    }
    if (hf_node_is_number(node)) {
        out->values[out->count++] = strtod(node->text, NULL);
        return;
    }
    for (const hf_node *item = node->first; item != NULL && node->kind == HF_NODE_LIST;
         item = item->next) {
        if (!hf_node_is_number(item) || out->count == MOST_ELEMENTS) {
            out->count = 0;
            return;
        }
        out->values[out->count++] = strtod(item->text, NULL);
    }
}

// Gives the item a key, in the place of one of the same name.
static hf_status put_node(const job *j, const char *key, hf_node *value)
{
    if (value == NULL) {
        return j->change.error == NULL ? HF_ERROR_MEMORY : j->change.error->status;
    }
    hf_node *old = hf_node_get(j->item, key);
    value->key = hf_arena_string(&j->change.document->arena, key);
    if (value->key == NULL) {
        return hf_change_fail(&j->change, HF_ERROR_MEMORY, "out of memory");
    }
    if (old != NULL) {
        hf_node_replace(old, value);
    } else {
        hf_node_append(j->item, value);
    }
    return HF_OK;
}

static hf_status put_text(const job *j, const char *key, const char *text)
{
    return put_node(j, key, hf_change_parse(&j->change, text));
}

static hf_status put_number(const job *j, const char *key, double number)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.17g", number);
    return put_text(j, key, text);
}

static hf_status put_series(const job *j, const char *key, const series *s)
{
    char *text = malloc(LIST_TEXT);
    if (text == NULL) {
        return hf_change_fail(&j->change, HF_ERROR_MEMORY, "out of memory");
    }
    size_t length = 0;
    for (int i = 0; i < s->count; ++i) {
        length += (size_t)snprintf(text + length, LIST_TEXT - length, "%s%.17g",
                                   i == 0 ? "[" : ", ", s->values[i]);
    }
    (void)snprintf(text + length, LIST_TEXT - length, "]");
    hf_status status = put_text(j, key, text);
    free(text);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Levels

// Multiplies every level in a level function. Numbers that cannot be read stay as they are: the
// reader complains of them.
static hf_node *scale_level(const job *j, const hf_node *level, double factor)
{
    static const char *const scaled[] = {"coulomb", "kinetic", "static", "friction",
                                         "static_friction"};
    hf_node *copy = hf_node_copy(j->change.document, level);
    char text[40];
    if (copy == NULL || factor == 1.0) {
        return copy;
    }
    if (hf_node_is_number(copy)) {
        (void)snprintf(text, sizeof text, "%.17g", factor * strtod(copy->text, NULL));
        return hf_change_parse(&j->change, text);
    }
    for (size_t i = 0; i < sizeof scaled / sizeof *scaled; ++i) {
        hf_node *entry = hf_node_get(copy, scaled[i]);
        if (entry == NULL || !hf_node_is_number(entry)) {
            continue;
        }
        (void)snprintf(text, sizeof text, "%.17g", factor * strtod(entry->text, NULL));
        hf_node *value = hf_change_parse(&j->change, text);
        if (value == NULL) {
            return NULL;
        }
        value->key = entry->key;
        hf_node_replace(entry, value);
    }
    return copy;
}

// The largest level at rest that a level function speaks of; 0 when it cannot be told.
static double peak_of(const hf_node *level)
{
    static const char *const keys[] = {"coulomb", "kinetic", "static", "friction",
                                       "static_friction"};
    series pair;
    double peak = 0.0;
    read_series(level, &pair);
    for (int i = 0; i < pair.count; ++i) {
        peak = fmax(peak, pair.values[i]);
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
        read_series(hf_node_get(level, keys[k]), &pair);
        for (int i = 0; i < pair.count; ++i) {
            peak = fmax(peak, pair.values[i]);
        }
    }
    const hf_node *table = hf_node_get(level, "table");
    for (const hf_node *point = table == NULL ? NULL : table->first; point != NULL;
         point = point->next) {
        read_series(point, &pair);
        peak = pair.count == 2 ? fmax(peak, pair.values[1]) : peak;
    }
    return peak;
}

// ------------------------------------------------------------------------------------------------
// Translation

static hf_status look_before(const job *j, before *b)
{
    *b = (before){.factor = 1.0};
    b->level = hf_node_get(j->item, "level");
    series levels;
    read_series(hf_node_get(j->item, "levels"), &levels);
    read_series(hf_node_get(j->item, "shares"), &b->shares);
    read_series(hf_node_get(j->item, "stiffnesses"), &b->stiffnesses);
    read_series(hf_node_get(j->item, "dampings"), &b->dampings);
    if (b->shares.count == 0 && levels.count > 0 && sum(&levels) > 0.0) {
        b->shares = levels;
        for (int i = 0; i < levels.count; ++i) {
            b->shares.values[i] /= sum(&levels);
        }
    }
    if (b->level == NULL && levels.count > 0) {
        hf_node *factor = hf_node_get(j->item, "factor");
        b->factor = sum(&levels);
        b->level = factor != NULL ? factor : hf_change_parse(&j->change, "1");
        return b->level == NULL ? HF_ERROR_MEMORY : HF_OK;
    }
    b->level = b->level == NULL ? hf_node_get(j->item, "factor") : b->level;
    return HF_OK;
}

// Takes out what only the old law knows.
static void drop_old_keys(const job *j, const hf_law_info *old)
{
    for (int i = 0; old != NULL && i < old->param_count; ++i) {
        hf_node *entry = hf_node_get(j->item, old->params[i].name);
        if (entry != NULL && find_param(j->law, old->params[i].name) == NULL) {
            hf_node_remove(entry);
        }
    }
}

static hf_status share_out(const job *j, const char *key, const series *shares, double total)
{
    series parts = *shares;
    double whole = sum(shares);
    for (int i = 0; i < parts.count; ++i) {
        parts.values[i] *= total / whole;
    }
    return parts.count > 0 && whole > 0.0 ? put_series(j, key, &parts) : HF_OK;
}

static hf_status translate_level(const job *j, const before *b)
{
    const bool level = find_param(j->law, "level") != NULL;
    const bool levels = find_param(j->law, "levels") != NULL;
    const bool factor = find_param(j->law, "factor") != NULL;
    series shares = b->shares;
    if (b->level == NULL) {
        return HF_OK;
    }
    if (shares.count == 0) {
        default_series(j->law, levels ? "levels" : "shares", &shares);
    }
    if (level) {
        HF_TRY(put_node(j, "level", scale_level(j, b->level, b->factor)));
    }
    if (levels && level) { // the elements must be able to carry the level
        HF_TRY(share_out(j, "levels", &shares, b->factor * peak_of(b->level)));
    } else if (levels && factor) {
        HF_TRY(share_out(j, "levels", &shares, b->factor));
        HF_TRY(put_node(j, "factor", scale_level(j, b->level, 1.0)));
    }
    if (find_param(j->law, "shares") != NULL && b->shares.count > 0) {
        HF_TRY(put_series(j, "shares", &b->shares));
    }
    return HF_OK;
}

// `one` and `several` are the keys of a quantity of one element and of several.
static hf_status translate(const job *j, const char *one, const char *several,
                           const hf_node *single, const series *list, int elements)
{
    series total;
    read_series(single, &total);
    if (find_param(j->law, one) != NULL && list->count > 0) {
        return put_number(j, one, sum(list));
    }
    if (find_param(j->law, several) == NULL || list->count > 0) {
        return HF_OK;
    }
    if (total.count != 1) { // the default is of another number of elements: none
        return elements > 0 && strcmp(several, "dampings") == 0 ? put_text(j, several, "[]")
                                                                : HF_OK;
    }
    series shares = {.count = 0};
    default_series(j->law, several, &shares);
    if (elements > 0) {
        shares.count = elements;
        for (int i = 0; i < elements; ++i) {
            shares.values[i] = 1.0;
        }
    }
    return share_out(j, several, &shares, total.values[0]);
}

static hf_status put_parameters(const job *j)
{
    for (int i = 0; i < j->wanted->parameter_count; ++i) {
        const char *text = j->wanted->parameters[i], *equals = strchr(text, '=');
        char key[64];
        if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof key) {
            return hf_change_fail(&j->change, HF_ERROR_SYNTAX,
                                  "expected LAW:KEY=VALUE, as in karnopp:threshold=0.01");
        }
        (void)snprintf(key, sizeof key, "%.*s", (int)(equals - text), text);
        if (find_param(j->law, key) == NULL) {
            const char *names[64];
            int count = 0;
            for (; count < j->law->param_count && count < 64; ++count) {
                names[count] = j->law->params[count].name;
            }
            char message[300], hint[HF_HINT_SIZE];
            (void)snprintf(message, sizeof message, "the law %s has no '%.60s'%s", j->law->name,
                           key, hf_hint(key, names, count, hint));
            return hf_change_fail(&j->change, HF_ERROR_NAME, message);
        }
        HF_TRY(put_text(j, key, equals + 1));
    }
    return HF_OK;
}

static hf_status change_item(const job *j)
{
    const hf_node *name = hf_node_get(j->item, "law");
    const hf_law_info *old = hf_law_info_find(
        name == NULL ? "stiction" : (name->kind == HF_NODE_SCALAR ? name->text : ""));
    hf_node *stiffness = hf_node_get(j->item, "stiffness");
    hf_node *damping = hf_node_get(j->item, "damping");
    if (old != j->law) {
        before b;
        HF_TRY(look_before(j, &b));
        drop_old_keys(j, old);
        HF_TRY(translate_level(j, &b));
        HF_TRY(translate(j, "stiffness", "stiffnesses", stiffness, &b.stiffnesses, b.shares.count));
        HF_TRY(translate(j, "damping", "dampings", damping, &b.dampings, b.shares.count));
    }
    HF_TRY(put_text(j, "law", j->law->name));
    return put_parameters(j);
}

// ------------------------------------------------------------------------------------------------
// Which forces

static bool is_text(const hf_node *node, const char *text)
{
    return node != NULL && node->kind == HF_NODE_SCALAR && strcmp(node->text, text) == 0;
}

static hf_status check_names(const hf_change *change, const hf_law_change *wanted,
                             const hf_node *forces)
{
    for (int i = 0; i < wanted->force_count; ++i) {
        const hf_node *item = forces->first;
        while (item != NULL && !is_text(hf_node_get(item, "name"), wanted->forces[i])) {
            item = item->next;
        }
        if (item == NULL || !is_text(hf_node_get(item, "type"), "friction")) {
            char message[200];
            (void)snprintf(message, sizeof message, "%s '%.60s'%s",
                           item == NULL ? "there is no force" : "the force", wanted->forces[i],
                           item == NULL ? "" : " is not of the type friction");
            return hf_change_fail(change, HF_ERROR_NAME, message);
        }
    }
    return HF_OK;
}

hf_status hf_law_change_apply(hf_document *document, const hf_law_change *wanted, hf_error *error)
{
    job j = {.change = {document, error, hf_change_describe(document, "--laws", wanted->law), NULL},
             .law = hf_law_info_find(wanted->law),
             .wanted = wanted};
    if (j.change.origin == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", document->label);
    }
    if (!is_friction(j.law)) {
        return unknown_law(&j.change, wanted->law);
    }
    hf_node *forces = hf_node_get(document->root, "forces");
    int changed = 0;
    if (forces != NULL && forces->kind == HF_NODE_LIST) {
        HF_TRY(check_names(&j.change, wanted, forces));
        for (hf_node *item = forces->first; item != NULL; item = item->next) {
            bool named = wanted->force_count == 0;
            for (int i = 0; i < wanted->force_count; ++i) {
                named = named || is_text(hf_node_get(item, "name"), wanted->forces[i]);
            }
            if (named && is_text(hf_node_get(item, "type"), "friction")) {
                j.item = item;
                HF_TRY(change_item(&j));
                ++changed;
            }
        }
    }
    return changed > 0 ? HF_OK
                       : hf_change_fail(&j.change, HF_ERROR_INPUT,
                                        "the machine has no force of the type friction");
}
