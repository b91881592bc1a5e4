// SPDX-License-Identifier: Apache-2.0
// A model file as a tree of maps, lists and scalars, each with its place in the file.
#ifndef HF_MODELS_TREE_NODE_H
#define HF_MODELS_TREE_NODE_H

#include <holdfast/base.h>

#include "base/arena.h"
#include "base/file.h"

// Limits of a model file beside HF_FILE_MAX_BYTES. A file beyond them is refused, with a message,
// before memory is spent.
enum { HF_FILE_MAX_DEPTH = 64, HF_FILE_MAX_NODES = 4 * 1000 * 1000 };

typedef enum hf_node_kind { HF_NODE_SCALAR, HF_NODE_LIST, HF_NODE_MAP } hf_node_kind;

typedef struct hf_node {
    hf_node_kind kind;
    bool plain;       // scalar: written without quotes
    bool made;        // by the reader, for a short form of the file: names may have dots
    bool exact;       // scalar: its text stands in the file letter by letter from text_column on
    int line, column; // of the value, from 1
    int text_column;  // of a scalar's first letter, behind the quote
    int key_line, key_column;
    int count;          // items of a list or map
    const char *key;    // of an item of a map; else NULL
    const char *text;   // of a scalar; else NULL
    const char *origin; // "--set PATH=VALUE" when it comes from an override; else NULL
    struct hf_node *parent, *next, *first, *last;
} hf_node;

typedef struct hf_document {
    hf_arena arena;
    const char *label; // file name for messages
    hf_node *root;
    int node_count;
} hf_document;

// Builds the tree of a YAML text. `label` is not copied. On failure the document is empty.
HF_NODISCARD hf_status hf_document_parse(hf_document *document, const char *text, size_t length,
                                         const char *label, hf_error *error);
void hf_document_free(hf_document *document);

// Parses `text` as one more tree in the arena of `document`, for overrides. NULL on error.
hf_node *hf_document_parse_value(hf_document *document, const char *text, const char *label,
                                 hf_error *error);

// The item of a map, or NULL. Linear: maps of fixed keys are small.
hf_node *hf_node_get(const hf_node *map, const char *key);

// Adds an item at the end of a map or list.
void hf_node_append(hf_node *parent, hf_node *item);

// Takes an item out of its map or list.
void hf_node_remove(hf_node *item);

// A copy of a tree, with its places; without parent and key. NULL when out of memory.
hf_node *hf_node_copy(hf_document *document, const hf_node *node);

// Puts `item` where `old` is.
void hf_node_replace(hf_node *old, hf_node *item);

// Fills *error with "label:line:column: " and the message, or with "--set ...: " and the message.
hf_status hf_node_error(const hf_document *document, const hf_node *node, hf_error *error,
                        hf_status status, const char *format, ...) HF_PRINTF(5, 6);
// The same at the node's key.
hf_status hf_node_key_error(const hf_document *document, const hf_node *node, hf_error *error,
                            hf_status status, const char *format, ...) HF_PRINTF(5, 6);
// Puts the place of `node` before the text in *error. `at_key`: the place of its key.
void hf_node_locate(const hf_document *document, const hf_node *node, bool at_key, hf_error *error);

// "a list", "a map", "nothing" or the scalar's text in quotes, for messages. Returns `buffer`.
enum { HF_NODE_SHOWN = 64 };
const char *hf_node_show(const hf_node *node, char buffer[HF_NODE_SHOWN]);

#endif
