// SPDX-License-Identifier: Apache-2.0
// Changes the tree of a model file: variants, and --set PATH=VALUE.
#include "models/tree/override.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "models/tree/expand.h"

enum { LONGEST_OVERRIDE = 64 * 1024, SHOWN = 120 };

hf_status hf_change_fail(const hf_change *c, hf_status status, const char *message)
{
    if (c->place != NULL) {
        return hf_node_key_error(c->document, c->place, c->error, status, "%.150s: %.300s",
                                 c->origin, message);
    }
    return hf_error_set(c->error, status, "%.150s: %.300s", c->origin, message);
}

static bool same(const char *text, const char *word, size_t length)
{
    return strncmp(text, word, length) == 0 && text[length] == '\0';
}

// The `name:` of an item of a list, or NULL.
static const char *name_of(const hf_node *item)
{
    const hf_node *name = hf_node_get(item, "name");
    return name != NULL && name->kind == HF_NODE_SCALAR ? name->text : NULL;
}

static hf_node *find_part(const hf_node *node, const char *part, size_t length)
{
    if (node->kind == HF_NODE_MAP) {
        for (hf_node *item = node->first; item != NULL; item = item->next) {
            if (same(item->key, part, length)) {
                return item;
            }
        }
        return NULL;
    }
    for (hf_node *item = node->first; item != NULL; item = item->next) {
        const char *name = name_of(item);
        if (name != NULL && same(name, part, length)) {
            return item;
        }
    }
    if (length == 0 || length > 9 || strspn(part, "0123456789") < length) {
        return NULL;
    }
    long index = strtol(part, NULL, 10);
    hf_node *item = node->first;
    while (item != NULL && index > 0) {
        item = item->next;
        --index;
    }
    return item;
}

static hf_status no_such_part(const hf_change *c, const hf_node *node, const char *part,
                              size_t length, const char *path, size_t path_length)
{
    char word[SHOWN], where[SHOWN], hint[SHOWN] = "", message[4 * SHOWN];
    (void)snprintf(word, sizeof word, "%.*s", (int)(length < 80 ? length : 80), part);
    (void)snprintf(where, sizeof where, "%.*s", (int)(path_length < 80 ? path_length : 80), path);
    const char **names = calloc((size_t)node->count + 1, sizeof *names);
    int count = 0;
    for (const hf_node *item = node->first; item != NULL && names != NULL; item = item->next) {
        const char *name = node->kind == HF_NODE_MAP ? item->key : name_of(item);
        if (name != NULL) {
            names[count++] = name;
        }
    }
    const char *nearest = names == NULL ? NULL : hf_nearest_name(word, names, count);
    if (nearest != NULL) {
        (void)snprintf(hint, sizeof hint, "; did you mean '%.80s'?", nearest);
    }
    free(names);
    (void)snprintf(message, sizeof message, "there is no '%s' in %s%s", word,
                   path_length == 0 ? "the model" : where, hint);
    return hf_change_fail(c, HF_ERROR_NAME, message);
}

static void mark_origin(hf_node *node, const char *origin)
{
    node->origin = origin; // depth is limited, so recursion is
    for (hf_node *item = node->first; item != NULL; item = item->next) {
        mark_origin(item, origin);
    }
}

hf_node *hf_change_parse(const hf_change *c, const char *text)
{
    hf_error inner = {0};
    hf_node *value = hf_document_parse_value(c->document, text, "value", &inner);
    if (value == NULL) {
        (void)hf_change_fail(c, inner.status, inner.text);
        return NULL;
    }
    mark_origin(value, c->origin);
    return value;
}

// The part of a key path up to the next '.' or to its end.
static size_t part_length(const char *part, const char *end)
{
    const char *dot = memchr(part, '.', (size_t)(end - part));
    return (size_t)((dot == NULL ? end : dot) - part);
}

// Where a value goes: the item that it replaces, or the map that gets a new one.
typedef struct target {
    hf_node *parent, *found;
    const char *key; // the path's last part
    size_t length;
} target;

// The value of the parameter of this name, where the file has one and no other entry of the name.
static hf_node *find_parameter(const hf_node *root, const char *path, const char *end)
{
    size_t length = (size_t)(end - path);
    hf_node *parameters = hf_node_get(root, "parameters");
    if (parameters == NULL || parameters->kind != HF_NODE_MAP ||
        find_part(root, path, length) != NULL) {
        return NULL;
    }
    hf_node *found = find_part(parameters, path, length);
    hf_node *value =
        found != NULL && found->kind == HF_NODE_MAP ? hf_node_get(found, "value") : NULL;
    return value != NULL ? value : found;
}

// A map that an entry would get from its class: an empty one takes its place, which the class fills
// when it is applied.
static hf_status find_in_class(const hf_change *c, hf_node *node, const char *part, size_t length,
                               hf_node **found)
{
    const hf_node *entry = hf_class_entry(c->document, node, part, length);
    if (entry == NULL || entry->kind != HF_NODE_MAP) {
        return HF_OK;
    }
    hf_node *map = hf_arena_copy(&c->document->arena, entry, 1, sizeof *entry);
    if (map == NULL) {
        return hf_change_fail(c, HF_ERROR_MEMORY, "out of memory");
    }
    map->count = 0;
    map->first = map->last = map->next = NULL;
    hf_node_append(node, map);
    *found = map;
    return HF_OK;
}

// The section that a path begins in without naming it: the only one that has its first part, where
// the model itself has no such key. NULL: none.
static hf_node *find_section(const hf_node *root, const char *path, const char *end)
{
    static const char *const sections[] = {"forces", "bodies", "signals", "loops"};
    size_t length = part_length(path, end);
    hf_node *only = NULL;
    if (path + length == end || length == 0 || find_part(root, path, length) != NULL) {
        return NULL;
    }
    for (int i = 0; i < (int)(sizeof sections / sizeof *sections); ++i) {
        hf_node *section = hf_node_get(root, sections[i]);
        bool has = section != NULL && section->kind != HF_NODE_SCALAR &&
                   strspn(path, "0123456789") < length && find_part(section, path, length) != NULL;
        if (has && only != NULL) {
            return NULL;
        }
        only = has ? section : only;
    }
    return only;
}

// A joint of a tree by its name alone, as channels have it: arm.elbow. NULL: none.
static hf_node *find_joint(const hf_node *node, const char *part, size_t length)
{
    hf_node *joints = node->kind == HF_NODE_MAP ? hf_node_get(node, "joints") : NULL;
    return joints != NULL && joints->kind == HF_NODE_MAP ? find_part(joints, part, length) : NULL;
}

static hf_status find_target(const hf_change *c, const char *path, const char *end, target *t)
{
    // The name of a parameter
    hf_node *node = c->document->root;
    hf_node *named = find_parameter(node, path, end);
    if (named != NULL) {
        *t = (target){named->parent, named, path, (size_t)(end - path)};
        return HF_OK;
    }
    // Else part by part into the tree, from the root or from the section that is meant
    hf_node *section = find_section(node, path, end);
    node = section != NULL ? section : node;
    for (const char *part = path;;) {
        size_t length = part_length(part, end),
               before = part > path ? (size_t)(part - path - 1) : 0;
        bool last = part + length == end;
        if (length == 0) {
            return hf_change_fail(c, HF_ERROR_SYNTAX,
                                  "expected names with dots between them before '='");
        }
        if (node->kind == HF_NODE_SCALAR) {
            char message[2 * SHOWN];
            (void)snprintf(message, sizeof message, "%.*s is a single value and has no '%.*s'",
                           (int)(before < 80 ? before : 80), path, (int)(length < 80 ? length : 80),
                           part);
            return hf_change_fail(c, HF_ERROR_NAME, message);
        }
        hf_node *found = find_part(node, part, length);
        // What is not there may be a joint, may be in a class, or be added
        found = found == NULL && !last ? find_joint(node, part, length) : found;
        if (found == NULL && !last) {
            HF_TRY(find_in_class(c, node, part, length, &found));
        }
        if (found == NULL && !(last && node->kind == HF_NODE_MAP)) {
            return no_such_part(c, node, part, length, path, before);
        }
        if (last) {
            *t = (target){node, found, part, length};
            return HF_OK;
        }
        node = found;
        part += length + 1;
    }
}

hf_node *hf_document_find(const hf_document *document, const char *path)
{
    const char *end = path + strlen(path);
    hf_node *node = document->root, *named = find_parameter(node, path, end);
    if (named != NULL) {
        return named;
    }
    for (const char *part = path; node != NULL && part <= end;) {
        size_t length = part_length(part, end);
        node = length == 0 || node->kind == HF_NODE_SCALAR ? NULL : find_part(node, part, length);
        part += length + 1;
    }
    return node;
}

static hf_status put(const hf_change *c, const target *t, hf_node *value)
{
    HF_ASSERT(t->key != NULL);
    if (t->found != NULL) {
        value->key = t->found->key;
        hf_node_replace(t->found, value);
        return HF_OK;
    }
    char *key = hf_arena_alloc(&c->document->arena, t->length + 1, 1);
    if (key == NULL) {
        return hf_change_fail(c, HF_ERROR_MEMORY, "out of memory");
    }
    memcpy(key, t->key, t->length);
    value->key = key;
    hf_node_append(t->parent, value);
    return HF_OK;
}

hf_status hf_change_put(const hf_change *c, const char *path, hf_node *value)
{
    target t = {0};
    HF_TRY(find_target(c, path, path + strlen(path), &t));
    return put(c, &t, value);
}

static hf_status set_value(const hf_change *c, const char *path, const char *equals)
{
    target t = {0};
    HF_TRY(find_target(c, path, equals, &t));
    hf_node *value = hf_change_parse(c, equals + 1);
    if (value == NULL) {
        return c->error == NULL ? HF_ERROR_SYNTAX : c->error->status;
    }
    // A number for a parameter that is a map is its value: unit, range and words stay
    bool parameter = t.found != NULL && t.found->kind == HF_NODE_MAP &&
                     t.parent == hf_node_get(c->document->root, "parameters");
    hf_node *inner = parameter ? hf_node_get(t.found, "value") : NULL;
    if (inner != NULL && value->kind == HF_NODE_SCALAR) {
        t = (target){t.found, inner, "value", 5};
    }
    return put(c, &t, value);
}

char *hf_change_describe(hf_document *document, const char *option, const char *item)
{
    char text[SHOWN + 32];
    (void)snprintf(text, sizeof text, "%.16s %.*s%s", option, SHOWN, item,
                   strlen(item) > SHOWN ? "..." : "");
    for (char *s = text; *s != '\0'; ++s) {
        if ((unsigned char)*s < 0x20) {
            *s = ' ';
        }
    }
    return hf_arena_string(&document->arena, text);
}

static hf_status apply_items(hf_document *document, const hf_overrides *overrides, hf_error *error)
{
    const char *asker = overrides->asker == NULL ? "--set" : overrides->asker;
    for (int i = 0; i < overrides->count; ++i) {
        const char *item = overrides->items[i];
        hf_change c = {document, error, hf_change_describe(document, asker, item), NULL};
        if (c.origin == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "%s: out of memory", document->label);
        }
        if (strlen(item) > LONGEST_OVERRIDE) {
            return hf_change_fail(&c, HF_ERROR_INPUT, "longer than 64 KiB");
        }
        const char *equals = strchr(item, '=');
        if (equals == NULL) {
            return hf_change_fail(&c, HF_ERROR_SYNTAX,
                                  "expected PATH=VALUE, as in bodies.block.mass=2");
        }
        HF_TRY(set_value(&c, item, equals));
    }
    return HF_OK;
}

// The method's step, as if the file had it.
static hf_status apply_step(hf_document *document, double step, hf_error *error)
{
    char value[32], whole[48];
    (void)snprintf(value, sizeof value, "%.17g", step);
    (void)snprintf(whole, sizeof whole, "{step: %s}", value);
    hf_change c = {document, error, hf_change_describe(document, "--step", value), NULL};
    if (c.origin == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "%s: out of memory", document->label);
    }
    bool absent = hf_node_get(document->root, "method") == NULL;
    hf_node *node = hf_change_parse(&c, absent ? whole : value);
    if (node == NULL) {
        return error == NULL ? HF_ERROR_MEMORY : error->status;
    }
    return hf_change_put(&c, absent ? "method" : "method.step", node);
}

hf_status hf_overrides_apply(hf_document *document, const hf_overrides *overrides, hf_error *error)
{
    if (overrides == NULL) {
        return HF_OK;
    }
    if (overrides->variant != NULL) {
        HF_TRY(hf_variant_apply(document, overrides->variant, error));
    }
    if (overrides->dropped != NULL && overrides->dropped_size > 0) {
        overrides->dropped[0] = '\0';
    }
    if (overrides->method != NULL) {
        HF_TRY(hf_method_change_apply(document, overrides, error));
    }
    HF_TRY(apply_items(document, overrides, error));
    if (overrides->method != NULL) {
        HF_TRY(hf_method_change_check(document, overrides->method, error));
    }
    if (overrides->step > 0.0) {
        HF_TRY(apply_step(document, overrides->step, error));
    }
    return HF_OK;
}
