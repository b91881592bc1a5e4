// SPDX-License-Identifier: Apache-2.0
// Changes to a model file before it is understood: variants, --set PATH=VALUE.
#ifndef HF_MODELS_TREE_OVERRIDE_H
#define HF_MODELS_TREE_OVERRIDE_H

#include <holdfast/models.h>

#include "models/tree/node.h"

// One change, for messages.
typedef struct hf_change {
    hf_document *document;
    hf_error *error;
    const char *origin;   // what asks for it: "--set PATH=VALUE", perhaps cut
    const hf_node *place; // where it stands in the file; NULL: outside
} hf_change;

// "ORIGIN: MESSAGE", with its place if it has one.
hf_status hf_change_fail(const hf_change *change, hf_status status, const char *message);
// "OPTION ITEM" on one line, cut to what a message can hold. NULL when out of memory.
char *hf_change_describe(hf_document *document, const char *option, const char *item);
// A value of YAML text; NULL with the error filled.
hf_node *hf_change_parse(const hf_change *change, const char *text);
// Gives the entry at a path a value; the path's last part may be new.
HF_NODISCARD hf_status hf_change_put(const hf_change *change, const char *path, hf_node *value);

// What a path of --set names: a parameter's value or an entry that the file itself writes; NULL:
// nothing.
hf_node *hf_document_find(const hf_document *document, const char *path);

// variants.c: applies the changes of a variant of the file.
HF_NODISCARD hf_status hf_variant_apply(hf_document *document, const char *name, hf_error *error);
// change_method.c: gives the machine the method overrides->method, before the items are applied;
// afterwards, HF_ERROR_INPUT where an item gave it another.
HF_NODISCARD hf_status hf_method_change_apply(hf_document *document, const hf_overrides *overrides,
                                              hf_error *error);
HF_NODISCARD hf_status hf_method_change_check(hf_document *document, const char *name,
                                              hf_error *error);

// Applies the variant, the method, the items in order and the step. `overrides` may be NULL.
HF_NODISCARD hf_status hf_overrides_apply(hf_document *document, const hf_overrides *overrides,
                                          hf_error *error);

#endif
