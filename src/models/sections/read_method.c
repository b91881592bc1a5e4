// SPDX-License-Identifier: Apache-2.0
// `method:`, by the keys that the method's info lists.
#include <stdio.h>

#include "models/reader.h"
#include "sim/method_info.h"

enum { MOST_KEYS = 32, MOST_CHOICES = 32 };

static bool read_choice(hf_reader *reader, const hf_node *node, const hf_method_key *key,
                        double *value)
{
    const char *names[MOST_CHOICES];
    int numbers[MOST_CHOICES], count = 0, choice = 0;
    for (int i = 0; i < key->choice_count && count < MOST_CHOICES; ++i) {
        if (key->choice(i) != NULL) {
            numbers[count] = i;
            names[count++] = key->choice(i);
        }
    }
    if (!hf_read_choice(reader, node, names, count, &choice)) {
        return false;
    }
    *value = (double)numbers[choice];
    return true;
}

static bool read_key(hf_reader *reader, const hf_node *map, const hf_method_key *key,
                     hf_method_def *method)
{
    enum { MOST_COUNT = 1000000 };
    const hf_node *node = hf_node_get(map, key->name);
    const hf_node *other = key->other_name == NULL ? NULL : hf_node_get(map, key->other_name);
    double value = 0.0;
    int whole = 0;
    bool read = true;
    // One of its two names
    if (node != NULL && other != NULL) {
        return hf_reader_fail(reader, other, HF_ERROR_INPUT, "'%s' and '%s' are the same; give one",
                              key->name, key->other_name);
    }
    node = node == NULL ? other : node;
    if (node == NULL) {
        return true;
    }
    // By kind
    switch (key->kind) {
    case HF_KEY_NUMBER:
        read = hf_read_number(reader, node, HF_RANGE_POSITIVE, &value);
        break;
    case HF_KEY_COUNT:
        read = hf_read_count(reader, node, (int)key->least, MOST_COUNT, &whole);
        value = (double)whole;
        break;
    case HF_KEY_CHOICE:
    case HF_KEY_FLAG:
        read = read_choice(reader, node, key, &value);
        break;
    }
    hf_method_key_set(key, method, value);
    return read;
}

// Refuses keys that the method does not have.
static bool check_keys(hf_reader *reader, const hf_node *node, const hf_method_info *info)
{
    const char *names[MOST_KEYS] = {"type", "step"};
    int count = 2;
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        unsigned owners = hf_methods_with_key(item->key);
        if (owners != 0 && hf_method_key_find(info, item->key) == NULL) {
            char list[160];
            hf_method_list(owners, " and ", list, sizeof list);
            return hf_reader_fail_key(reader, item, HF_ERROR_NAME, "'%s' is for %s, not for %s",
                                      item->key, list, info->name);
        }
    }
    for (int i = 0; i < info->key_count && count + 2 <= MOST_KEYS; ++i) {
        names[count++] = info->keys[i].name;
        if (info->keys[i].other_name != NULL) {
            names[count++] = info->keys[i].other_name;
        }
    }
    return hf_read_map(reader, node, names, count);
}

bool hf_read_method(hf_reader *reader, const hf_node *node)
{
    const char *names[HF_METHOD_COUNT];
    if (node == NULL) {
        return true;
    }
    // Which method
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        names[i] = hf_method_name((hf_method_type)i);
    }
    hf_method_def method = hf_method_def_default();
    if (!hf_read_kind(reader, node, HF_NODE_MAP, "a map, as in {type: rk4, step: 1e-3}")) {
        return false;
    }
    (void)snprintf(reader->what, sizeof reader->what, "method");
    const hf_node *type_node = hf_node_get(node, "type");
    int type = (int)method.type;
    if (type_node != NULL && !hf_read_choice(reader, type_node, names, HF_METHOD_COUNT, &type)) {
        return false;
    }
    method.type = reader->method = (hf_method_type)type;
    // Its keys
    const hf_method_info *info = hf_method_info_get(method.type);
    if (!check_keys(reader, node, info) ||
        !hf_read_number_item(reader, node, "step", HF_RANGE_POSITIVE, &method.step)) {
        return false;
    }
    for (int i = 0; i < info->key_count; ++i) {
        if (!read_key(reader, node, &info->keys[i], &method)) {
            return false;
        }
    }
    hf_reader_leave(reader);
    return hf_spec_set_method(reader->spec, method, reader->error) == HF_OK ||
           hf_reader_pass(reader, node, false);
}
