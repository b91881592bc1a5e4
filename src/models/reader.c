// SPDX-License-Identifier: Apache-2.0
// What the readers of a model file's sections share: entering an item, errors with their place.
#include "models/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void hf_reader_enter(hf_reader *reader, const char *kind, const char *name)
{
    (void)snprintf(reader->what, sizeof reader->what, "%s '%.60s'", kind, name);
}

void hf_reader_leave(hf_reader *reader)
{
    reader->what[0] = '\0';
}

static bool fail(hf_reader *reader, const hf_node *node, bool at_key, hf_status status,
                 const char *format, va_list arguments)
{
    char text[400];
    (void)vsnprintf(text, sizeof text, format, arguments);
    const char *what = reader->what, *colon = what[0] == '\0' ? "" : ": ";
    if (at_key) {
        (void)hf_node_key_error(reader->document, node, reader->error, status, "%s%s%s", what,
                                colon, text);
    } else {
        (void)hf_node_error(reader->document, node, reader->error, status, "%s%s%s", what, colon,
                            text);
    }
    return false;
}

bool hf_reader_fail(hf_reader *reader, const hf_node *node, hf_status status, const char *format,
                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fail(reader, node, false, status, format, arguments);
    va_end(arguments);
    return false;
}

bool hf_reader_fail_key(hf_reader *reader, const hf_node *node, hf_status status,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fail(reader, node, true, status, format, arguments);
    va_end(arguments);
    return false;
}

bool hf_reader_out_of_memory(hf_reader *reader)
{
    (void)hf_error_set(reader->error, HF_ERROR_MEMORY, "%s: out of memory",
                       reader->document->label);
    return false;
}

bool hf_reader_spend(hf_reader *reader, const hf_node *node, long long values)
{
    int *count = &reader->document->node_count;
    if (values > HF_FILE_MAX_NODES - *count) {
        return hf_reader_fail(reader, node, HF_ERROR_RANGE,
                              "with all copies and pairs the file holds more than %d values",
                              HF_FILE_MAX_NODES);
    }
    *count += (int)values;
    return true;
}

bool hf_reader_pass(hf_reader *reader, const hf_node *node, bool at_key)
{
    hf_node_locate(reader->document, node, at_key && node->key != NULL, reader->error);
    return false;
}

// The entry of an item that an error calls `member`: a key of it, or one that the values hidden
// behind the item were read from: NAME.load from `normal`, NAME.scale from `level`, ...
static const hf_node *find_member(const hf_node *map, const char *member)
{
    static const char *const others[][2] = {
        {"load", "normal"}, {"motion", "velocity"}, {"motion", "position"}, {"motion", "to"}};
    static const char *const maps[] = {"level", "inputs"};
    const hf_node *item = hf_node_get(map, member);
    for (size_t i = 0; i < sizeof others / sizeof *others && item == NULL; ++i) {
        item = strcmp(member, others[i][0]) == 0 ? hf_node_get(map, others[i][1]) : NULL;
    }
    for (size_t i = 0; i < sizeof maps / sizeof *maps && item == NULL; ++i) {
        const hf_node *inner = hf_node_get(map, maps[i]);
        item = inner == NULL || inner->kind != HF_NODE_MAP ? NULL : hf_node_get(inner, member);
    }
    return item;
}

// Of NAME.value.y the second entry of the list `value`.
static const hf_node *find_axis(const hf_node *map, const char *component)
{
    static const char axes[] = "xyz456";
    size_t length = strlen(component);
    const char *axis =
        length < 3 || component[length - 2] != '.' ? NULL : strchr(axes, component[length - 1]);
    char key[HF_LABEL_SIZE];
    (void)snprintf(key, sizeof key, "%.*s", (int)(axis == NULL ? 0 : length - 2), component);
    const char *dot = strrchr(key, '.');
    const hf_node *list = dot == NULL ? NULL : find_member(map, dot + 1);
    const hf_node *item = list == NULL || list->kind != HF_NODE_LIST ? NULL : list->first;
    for (const char *before = axes; item != NULL && before < axis; ++before) {
        item = item->next;
    }
    return item;
}

bool hf_reader_pass_member(hf_reader *reader, const hf_node *map)
{
    const hf_node *item = NULL;
    if (map->kind == HF_NODE_MAP) {
        item = find_member(map, reader->error->member);
        item = item == NULL ? find_axis(map, reader->error->component) : item;
    }
    return item != NULL ? hf_reader_pass(reader, item, false) : hf_reader_pass(reader, map, true);
}

// NAME.1 and NAME.target, which a reader made of NAME, stand where it does.
static const hf_node *find_component(const hf_reader *reader, const char *name)
{
    for (size_t length = strlen(name); length > 0;) {
        int index = hf_names_find(&reader->item_nodes, name, length);
        if (index >= 0) {
            return reader->items[index];
        }
        while (length > 0 && name[length - 1] != '.') {
            --length;
        }
        length -= length > 0 ? 1 : 0;
    }
    return NULL;
}

bool hf_reader_pass_component(hf_reader *reader, const hf_node *root)
{
    const hf_error *error = reader->error;
    // A channel of `record:` that is unknown
    const hf_node *records = hf_node_get(root, "record");
    bool recorded = strcmp(error->member, "record") == 0 && records != NULL;
    for (const hf_node *item = recorded ? records->first : NULL; item != NULL; item = item->next) {
        if (strncmp(item->text, error->component, sizeof error->component - 1) == 0) {
            return hf_reader_pass(reader, item, false);
        }
    }
    // A body, force, loop or signal
    const hf_node *item = find_component(reader, error->component);
    return item != NULL ? hf_reader_pass_member(reader, item) : hf_reader_pass(reader, root, false);
}

const char *hf_hint(const char *word, const char *const *candidates, int count,
                    char buffer[HF_HINT_SIZE])
{
    const char *nearest = hf_nearest_name(word, candidates, count);
    buffer[0] = '\0';
    if (nearest != NULL) {
        (void)snprintf(buffer, HF_HINT_SIZE, "; did you mean '%.80s'?", nearest);
    }
    return buffer;
}

const char *hf_node_label(const hf_node *node, char buffer[HF_LABEL_SIZE])
{
    if (node->key != NULL) {
        (void)snprintf(buffer, HF_LABEL_SIZE, "%.60s", node->key);
        return buffer;
    }
    // Items of lists by their indices, outermost first: points[3][0].
    int indices[3], depth = 0;
    const hf_node *at = node;
    for (; at->key == NULL && at->parent != NULL && depth < 3; at = at->parent) {
        int index = 0;
        for (const hf_node *item = at->parent->first; item != at; item = item->next) {
            ++index;
        }
        indices[depth++] = index;
    }
    int length = snprintf(buffer, HF_LABEL_SIZE, "%.40s",
                          at->key != NULL ? at->key
                          : depth == 0    ? "the model"
                                          : "item ");
    while (depth > 0 && length > 0 && length < HF_LABEL_SIZE) {
        length +=
            snprintf(buffer + length, (size_t)(HF_LABEL_SIZE - length), "[%d]", indices[--depth]);
    }
    return buffer;
}

bool hf_read_kind(hf_reader *reader, const hf_node *node, hf_node_kind kind, const char *expected)
{
    if (node->kind == kind) {
        return true;
    }
    char label[HF_LABEL_SIZE], shown[HF_NODE_SHOWN];
    return hf_reader_fail(reader, node, HF_ERROR_INPUT, "%s must be %s, got %s",
                          hf_node_label(node, label), expected, hf_node_show(node, shown));
}

// Keys, as many as a message has room for.
enum { KEYS_SIZE = 320 };
static const char *list_keys(const char *const *keys, int count, char list[KEYS_SIZE])
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(keys[i]);
        if (used + length + sizeof ", , ..." > KEYS_SIZE) {
            (void)snprintf(list + used, KEYS_SIZE - used, ", ...");
            break;
        }
        used += (size_t)snprintf(list + used, KEYS_SIZE - used, "%s%s", i > 0 ? ", " : "", keys[i]);
    }
    return list;
}

bool hf_read_map(hf_reader *reader, const hf_node *node, const char *const *keys, int count)
{
    char hint[HF_HINT_SIZE], label[HF_LABEL_SIZE], list[KEYS_SIZE], shown[HF_NODE_SHOWN];
    if (node->kind != HF_NODE_MAP) {
        return hf_reader_fail(
            reader, node, HF_ERROR_INPUT, "%s must be a map, got %s; its keys are: %s",
            hf_node_label(node, label), hf_node_show(node, shown), list_keys(keys, count, list));
    }
    // Keys that are known
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        bool known = false;
        for (int i = 0; i < count && !known; ++i) {
            known = strcmp(item->key, keys[i]) == 0;
        }
        if (known) {
            continue;
        }
        // What may have been meant, or what there is
        (void)hf_hint(item->key, keys, count, hint);
        if (hint[0] != '\0') {
            return hf_reader_fail_key(reader, item, HF_ERROR_NAME, "unknown key '%.60s'%s",
                                      item->key, hint);
        }
        return hf_reader_fail_key(reader, item, HF_ERROR_NAME,
                                  "unknown key '%.60s' in %s; expected one of: %s", item->key,
                                  hf_node_label(node, label), list_keys(keys, count, list));
    }
    return true;
}

bool hf_node_has(const hf_node *map, const char *const *keys, int count)
{
    for (int i = 0; i < count && keys[i] != NULL; ++i) {
        if (hf_node_get(map, keys[i]) != NULL) {
            return true;
        }
    }
    return false;
}

bool hf_check_company(hf_reader *reader, const hf_node *map, const hf_company *table, int count)
{
    for (int i = 0; i < count; ++i) {
        const hf_company *c = &table[i];
        const hf_node *node = hf_node_get(map, c->key);
        if (node == NULL || hf_node_has(map, c->with, HF_COUNT(c->with))) {
            continue;
        }
        char list[120];
        size_t used = 0;
        for (int k = 0; k < HF_COUNT(c->with) && c->with[k] != NULL && used < sizeof list; ++k) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? " or " : "",
                                     c->with[k]);
        }
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT, "%s has no effect without %s",
                                  c->key, list);
    }
    return true;
}

const hf_node *hf_read_need(hf_reader *reader, const hf_node *map, const char *key)
{
    const hf_node *node = hf_node_get(map, key);
    if (node == NULL) {
        (void)hf_reader_fail_key(reader, map, HF_ERROR_INPUT, "%s is missing", key);
    }
    return node;
}

bool hf_reader_add_body(hf_reader *reader, const hf_body_note *note)
{
    hf_body_note *grown =
        hf_grow(reader->bodies, reader->body_count, &reader->body_capacity, sizeof *grown);
    if (grown == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    reader->bodies = grown;
    reader->bodies[reader->body_count] = *note;
    if (!hf_names_add(&reader->body_names, note->name, (int)reader->body_count)) {
        return hf_reader_out_of_memory(reader);
    }
    reader->body_count += 1;
    return true;
}

const hf_body_note *hf_reader_find_body(const hf_reader *reader, const char *name, size_t length)
{
    int index = hf_names_find(&reader->body_names, name, length);
    return index < 0 ? NULL : &reader->bodies[index];
}

const char *hf_reader_hint_body(hf_reader *reader, const char *word, char buffer[HF_HINT_SIZE])
{
    buffer[0] = '\0';
    size_t capacity = reader->body_count + reader->item_count + 1;
    const char **names = malloc(capacity * sizeof *names);
    if (names == NULL) {
        return buffer;
    }
    int count = 0;
    for (size_t i = 0; i < reader->body_count; ++i) {
        names[count++] = reader->bodies[i].name;
    }
    for (size_t i = 0; i < reader->item_count; ++i) {
        const hf_node *section = reader->items[i]->parent;
        if (section != NULL && section->key != NULL && strcmp(section->key, "signals") == 0) {
            names[count++] = reader->items[i]->key;
        }
    }
    (void)hf_hint(word, names, count, buffer);
    free(names);
    return buffer;
}

bool hf_reader_add_item(hf_reader *reader, const char *name, const hf_node *node, bool at_key)
{
    int taken = hf_names_find(&reader->item_nodes, name, strlen(name));
    if (taken >= 0) {
        // Sections are read in another order than people write them: blame the later place.
        const hf_node *other = reader->items[taken];
        int line = at_key ? node->key_line : node->line;
        int other_line = other->key != NULL ? other->key_line : other->line;
        bool later = node->origin != NULL || line >= other_line;
        hf_reader_leave(reader);
        return hf_reader_fail_key(reader, later ? node : other, HF_ERROR_NAME,
                                  "the name '%.60s' is already taken in line %d", name,
                                  later ? other_line : line);
    }
    const hf_node **grown =
        hf_grow((void *)reader->items, reader->item_count, &reader->item_capacity, sizeof *grown);
    if (grown == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    reader->items = grown;
    reader->items[reader->item_count] = node;
    if (!hf_names_add(&reader->item_nodes, name, (int)reader->item_count)) {
        return hf_reader_out_of_memory(reader);
    }
    reader->item_count += 1;
    return true;
}

bool hf_read_name(hf_reader *reader, const hf_node *node, const char *name, bool at_key)
{
    size_t length =
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (node->made || (length > 0 && length <= 100 && name[length] == '\0')) {
        return true;
    }
    hf_reader_leave(reader);
    const char *format = "the name '%.60s' must be 1 to 100 letters, digits, '_' and '-'";
    return at_key ? hf_reader_fail_key(reader, node, HF_ERROR_NAME, format, name)
                  : hf_reader_fail(reader, node, HF_ERROR_NAME, format, name);
}

char *hf_reader_join(hf_reader *reader, const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    char *joined = hf_arena_alloc(&reader->document->arena, la + lb + 1, 1);
    if (joined == NULL) {
        (void)hf_reader_out_of_memory(reader);
        return NULL;
    }
    memcpy(joined, a, la);
    memcpy(joined + la, b, lb);
    return joined;
}
