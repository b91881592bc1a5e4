// SPDX-License-Identifier: Apache-2.0
// Sorts every element and attribute of a robot's file into the lists of the account.
#include "robots/account.h"

#include <string.h>

static bool same(const char *a, const char *b, size_t length)
{
    return strncmp(a, b, length) == 0 && a[length] == '\0';
}

// Whether a path of names, "equality/joint", ends at this element.
static bool path_fits(const char *path, const hf_xml_element *element)
{
    size_t length = strlen(path);
    while (element != NULL) {
        size_t start = length;
        while (start > 0 && path[start - 1] != '/') {
            --start;
        }
        if (!same(element->name, path + start, length - start)) {
            return false;
        }
        if (start == 0) {
            return true;
        }
        length = start - 1;
        element = element->parent;
    }
    return false;
}

static bool element_fits(const char *pattern, const hf_xml_element *element)
{
    size_t length = strlen(pattern);
    if (length < 3 || strcmp(pattern + length - 3, "/**") != 0) {
        return path_fits(pattern, element);
    }
    char path[100];
    if (length - 3 >= sizeof path) {
        return false;
    }
    memcpy(path, pattern, length - 3);
    path[length - 3] = '\0';
    for (; element != NULL; element = element->parent) {
        if (path_fits(path, element)) {
            return true;
        }
    }
    return false;
}

static hf_lot find(const hf_account_rule *rules, int count, const hf_xml_element *element,
                   const char *attribute)
{
    for (int i = 0; i < count; ++i) {
        const hf_account_rule *rule = &rules[i];
        bool all = rule->attribute != NULL && strcmp(rule->attribute, "*") == 0;
        bool fits = attribute == NULL ? rule->attribute == NULL || all
                                      : all || (rule->attribute != NULL &&
                                                strcmp(rule->attribute, attribute) == 0);
        if (fits && element_fits(rule->element, element)) {
            return (hf_lot){rule->fate, rule->why};
        }
    }
    return (hf_lot){HF_FATE_MISSING, attribute == NULL ? "this element is not known to Holdfast"
                                                       : "this attribute is not known to Holdfast"};
}

static void close_element(hf_xml_element *e, const hf_account_rule *rules, int count)
{
    if (e->lot.fate == HF_FATE_NONE) {
        e->lot = find(rules, count, e, NULL);
    }
    for (hf_xml_attribute *a = e->attributes; a != NULL; a = a->next) {
        if (a->lot.fate == HF_FATE_NONE) {
            a->lot = find(rules, count, e, a->name);
        }
    }
    for (hf_xml_element *child = e->first; child != NULL; child = child->next) {
        close_element(child, rules, count); // depth is limited
    }
}

void hf_account_close(hf_xml *xml, const hf_account_rule *rules, int count)
{
    for (size_t i = 0; i < xml->file_count; ++i) {
        close_element(xml->files[i].root, rules, count);
    }
}

// ------------------------------------------------------------------------------------------------

static void add(hf_account *account, hf_account_item *items, hf_account_item item)
{
    static const char *const usual[HF_FATE_COUNT] = {
        [HF_FATE_NONE] = "not looked at",
        [HF_FATE_SEEN] = "has no influence on the motion",
        [HF_FATE_TAKEN] = "taken",
        [HF_FATE_OTHERWISE] = "taken otherwise",
        [HF_FATE_MISSING] = "not represented",
    };
    item.why = item.why == NULL ? usual[item.fate] : item.why;
    account->counts[item.fate] += 1;
    items[account->item_count++] = item;
}

static void list(hf_account *account, hf_account_item *items, const hf_xml_element *e)
{
    account->elements += 1;
    add(account, items,
        (hf_account_item){e->lot.fate, e->file, e->line, e->column, e->name, NULL, e->text,
                          e->lot.why});
    for (const hf_xml_attribute *a = e->attributes; a != NULL; a = a->next) {
        account->attributes += 1;
        add(account, items,
            (hf_account_item){a->lot.fate, e->file, a->line, a->column, e->name, a->name, a->value,
                              a->lot.why});
    }
    for (const hf_xml_element *child = e->first; child != NULL; child = child->next) {
        list(account, items, child);
    }
}

bool hf_account_make(hf_xml *xml, hf_account *account)
{
    *account = (hf_account){0};
    size_t room = (size_t)xml->element_count + (size_t)xml->attribute_count;
    hf_account_item *items = hf_arena_alloc(&xml->arena, room, sizeof *items);
    if (items == NULL) {
        return false;
    }
    for (size_t i = 0; i < xml->file_count; ++i) {
        list(account, items, xml->files[i].root);
    }
    account->items = items;
    return true;
}
