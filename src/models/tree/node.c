// SPDX-License-Identifier: Apache-2.0
// The tree of a model file: finds, copies and replaces nodes, and makes errors with their place.
#include "models/tree/node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

void hf_document_free(hf_document *document)
{
    hf_arena_free(&document->arena);
    document->root = NULL;
}

hf_node *hf_node_get(const hf_node *map, const char *key)
{
    if (map == NULL || map->kind != HF_NODE_MAP) {
        return NULL;
    }
    for (hf_node *item = map->first; item != NULL; item = item->next) {
        if (strcmp(item->key, key) == 0) {
            return item;
        }
    }
    return NULL;
}

void hf_node_append(hf_node *parent, hf_node *item)
{
    item->parent = parent;
    item->next = NULL;
    if (parent->last == NULL) {
        parent->first = item;
    } else {
        parent->last->next = item;
    }
    parent->last = item;
    parent->count += 1;
}

void hf_node_remove(hf_node *item)
{
    hf_node *parent = item->parent, *before = NULL;
    for (hf_node *other = parent->first; other != item; other = other->next) {
        before = other;
    }
    if (before == NULL) {
        parent->first = item->next;
    } else {
        before->next = item->next;
    }
    parent->last = parent->last == item ? before : parent->last;
    parent->count -= 1;
    item->parent = item->next = NULL;
}

hf_node *hf_node_copy(hf_document *document, const hf_node *node)
{
    hf_node *copy = hf_arena_copy(&document->arena, node, 1, sizeof *node);
    if (copy == NULL) {
        return NULL;
    }
    copy->parent = copy->next = copy->first = copy->last = NULL;
    copy->key = NULL;
    copy->count = 0;
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        hf_node *child = hf_node_copy(document, item); // depth is limited, so recursion is
        if (child == NULL) {
            return NULL;
        }
        child->key = item->key;
        hf_node_append(copy, child);
    }
    return copy;
}

void hf_node_replace(hf_node *old, hf_node *item)
{
    hf_node *parent = old->parent;
    item->parent = parent;
    item->next = old->next;
    if (parent->first == old) {
        parent->first = item;
    } else {
        hf_node *before = parent->first;
        while (before->next != old) {
            before = before->next;
        }
        before->next = item;
    }
    if (parent->last == old) {
        parent->last = item;
    }
}

void hf_node_locate(const hf_document *document, const hf_node *node, bool at_key, hf_error *error)
{
    if (error == NULL) {
        return;
    }
    if (node->origin == NULL) {
        hf_error_locate(error, document->label, at_key ? node->key_line : node->line,
                        at_key ? node->key_column : node->column);
        return;
    }
    char text[sizeof error->text];
    memcpy(text, error->text, sizeof text);
    text[sizeof text - 1] = '\0';
    (void)snprintf(error->text, sizeof error->text, "%.150s: %.320s", node->origin, text);
    error->line = 0;
    error->column = 0;
    error->place_size = 0;
}

static hf_status set_error(const hf_document *document, const hf_node *node, bool at_key,
                           hf_error *error, hf_status status, const char *format, va_list arguments)
{
    if (error != NULL) {
        char text[sizeof error->text];
        (void)vsnprintf(text, sizeof text, format, arguments);
        (void)hf_error_set(error, status, "%s", text);
        hf_node_locate(document, node, at_key, error);
    }
    return status;
}

hf_status hf_node_error(const hf_document *document, const hf_node *node, hf_error *error,
                        hf_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)set_error(document, node, false, error, status, format, arguments);
    va_end(arguments);
    return status;
}

hf_status hf_node_key_error(const hf_document *document, const hf_node *node, hf_error *error,
                            hf_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)set_error(document, node, node->key != NULL, error, status, format, arguments);
    va_end(arguments);
    return status;
}

const char *hf_node_show(const hf_node *node, char buffer[HF_NODE_SHOWN])
{
    if (node->kind != HF_NODE_SCALAR) {
        (void)snprintf(buffer, HF_NODE_SHOWN, "%s", node->kind == HF_NODE_MAP ? "a map" : "a list");
    } else if (node->text[0] == '\0' && node->plain) {
        (void)snprintf(buffer, HF_NODE_SHOWN, "nothing");
    } else {
        bool cut = strlen(node->text) > 40;
        (void)snprintf(buffer, HF_NODE_SHOWN, "'%.40s%s'", node->text, cut ? "..." : "");
        for (char *c = buffer; *c != '\0'; ++c) { // one line, whatever the text
            if (*c == '\n' || *c == '\r' || *c == '\t') {
                *c = ' ';
            }
        }
    }
    return buffer;
}
