// SPDX-License-Identifier: Apache-2.0
// Another method for a machine, as if the file had named it. Keys of the old method that the new
// one does not take are dropped, and reported; the other changes come after, whatever the order on
// the command line.
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "models/tree/override.h"
#include "sim/method_info.h"

// Whether the method takes this item of `method:` with the value that it has.
static bool takes(const hf_method_info *info, const hf_node *item)
{
    if (strcmp(item->key, "type") == 0 || strcmp(item->key, "step") == 0) {
        return true;
    }
    const hf_method_key *key = hf_method_key_find(info, item->key);
    if (key == NULL || item->kind != HF_NODE_SCALAR) {
        return key != NULL;
    }
    bool found = key->choice == NULL;
    for (int i = 0; i < key->choice_count && !found; ++i) {
        found = key->choice(i) != NULL && strcmp(key->choice(i), item->text) == 0;
    }
    return found;
}

static void drop_keys(hf_node *map, const hf_method_info *info, const hf_overrides *overrides)
{
    size_t used = 0;
    for (hf_node *item = map->first, *next; item != NULL; item = next) {
        next = item->next;
        if (takes(info, item)) {
            continue;
        }
        if (overrides->dropped != NULL && used < overrides->dropped_size) {
            int more = snprintf(overrides->dropped + used, overrides->dropped_size - used, "%s%s",
                                used == 0 ? "" : ", ", item->key);
            used += more > 0 ? (size_t)more : 0;
        }
        hf_node_remove(item);
    }
}

static hf_status fail_unknown(const hf_change *c, const char *name)
{
    const char *known[HF_METHOD_COUNT];
    char message[200];
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        known[i] = hf_method_name((hf_method_type)i);
    }
    const char *nearest = hf_nearest_name(name, known, HF_METHOD_COUNT);
    (void)snprintf(message, sizeof message, "unknown method '%.60s'%s%s%s", name,
                   nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
                   nearest == NULL ? "" : "'?");
    return hf_change_fail(c, HF_ERROR_NAME, message);
}

hf_status hf_method_change_apply(hf_document *document, const hf_overrides *overrides,
                                 hf_error *error)
{
    const char *name = overrides->method;
    hf_change c = {document, error, hf_change_describe(document, "--method", name), NULL};
    hf_method_type type = hf_method_find(name);
    hf_node *map = hf_node_get(document->root, "method");
    if (type == HF_METHOD_COUNT) {
        return fail_unknown(&c, name);
    }
    // What the file says now
    const hf_node *old = map == NULL ? NULL : hf_node_get(map, "type");
    if (map != NULL && map->kind != HF_NODE_MAP) {
        return HF_OK; // the reader says what is wrong
    }
    if (old != NULL && old->kind == HF_NODE_SCALAR && strcmp(old->text, name) == 0) {
        return HF_OK;
    }
    // The new type, alone or among the keys that it takes
    char text[80];
    (void)snprintf(text, sizeof text, map == NULL ? "{type: %.40s}" : "%.40s", name);
    hf_node *value = hf_change_parse(&c, text);
    if (value == NULL) {
        return error == NULL ? HF_ERROR_MEMORY : error->status;
    }
    if (map != NULL) {
        drop_keys(map, hf_method_info_get(type), overrides);
    }
    return hf_change_put(&c, map == NULL ? "method" : "method.type", value);
}

hf_status hf_method_change_check(hf_document *document, const char *name, hf_error *error)
{
    const hf_node *map = hf_node_get(document->root, "method");
    const hf_node *type = map == NULL || map->kind != HF_NODE_MAP ? NULL : hf_node_get(map, "type");
    if (type == NULL || type->kind != HF_NODE_SCALAR || strcmp(type->text, name) == 0) {
        return HF_OK;
    }
    hf_change c = {document, error, hf_change_describe(document, "--method", name), NULL};
    char message[200];
    (void)snprintf(message, sizeof message, "but %.60s gives method '%.60s'; name one",
                   type->origin == NULL ? "another change" : type->origin, type->text);
    return hf_change_fail(&c, HF_ERROR_INPUT, message);
}
