// SPDX-License-Identifier: Apache-2.0
// `variants:`: sets of changes by name, each a map from path to value.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "models/reader.h"
#include "models/tree/override.h"

bool hf_read_variants(hf_reader *reader, const hf_node *section)
{
    if (section == NULL) {
        return true;
    }
    if (!hf_read_kind(reader, section, HF_NODE_MAP, "a map of variants by name")) {
        return false;
    }
    for (const hf_node *node = section->first; node != NULL; node = node->next) {
        hf_reader_enter(reader, "variant", node->key);
        if (!hf_read_name(reader, node, node->key, true) ||
            !hf_read_kind(reader, node, HF_NODE_MAP,
                          "a map of changes, as in {bodies.block.mass: 2}")) {
            return false;
        }
    }
    hf_reader_leave(reader);
    return true;
}

static hf_status unknown_variant(const hf_document *document, const hf_node *variants,
                                 const char *name, hf_error *error)
{
    if (variants == NULL || variants->kind != HF_NODE_MAP || variants->first == NULL) {
        return hf_error_set(error, HF_ERROR_NAME,
                            "%.200s: there is no variant '%.80s': the file "
                            "has no variants",
                            document->label, name);
    }
    const char **names = calloc((size_t)variants->count, sizeof *names);
    int count = 0;
    char list[160] = "";
    size_t length = 0;
    for (const hf_node *item = variants->first; item != NULL && names != NULL; item = item->next) {
        names[count++] = item->key;
        int more = snprintf(list + length, sizeof list - length, "%s%.60s", length == 0 ? "" : ", ",
                            item->key);
        length += more > 0 && (size_t)more < sizeof list - length ? (size_t)more : 0;
        list[length] = '\0';
    }
    const char *nearest = names == NULL ? NULL : hf_nearest_name(name, names, count);
    hf_status status = hf_error_set(
        error, HF_ERROR_NAME, "%.150s: there is no variant '%.60s'%s%.60s%s; variants are %s",
        document->label, name, nearest == NULL ? "" : " (did you mean '",
        nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)", list);
    free(names);
    return status;
}

hf_status hf_variant_apply(hf_document *document, const char *name, hf_error *error)
{
    const hf_node *variants = hf_node_get(document->root, "variants");
    const hf_node *variant = hf_node_get(variants, name);
    if (variant == NULL) {
        return unknown_variant(document, variants, name, error);
    }
    if (variant->kind != HF_NODE_MAP) {
        return HF_OK; // hf_read_variants says so
    }
    char *origin = hf_change_describe(document, "variant", name);
    if (origin == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", document->label);
    }
    for (const hf_node *item = variant->first; item != NULL; item = item->next) {
        hf_change change = {document, error, origin, item};
        hf_node *value = hf_node_copy(document, item);
        if (value == NULL) {
            return hf_change_fail(&change, HF_ERROR_MEMORY, "out of memory");
        }
        HF_TRY(hf_change_put(&change, item->key, value));
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Names

static hf_status list_names(const hf_document *document, hf_variants *variants, hf_error *error)
{
    const hf_node *section = hf_node_get(document->root, "variants");
    if (section == NULL || section->kind != HF_NODE_MAP) {
        return HF_OK; // reading the machine says what is wrong
    }
    variants->names = calloc((size_t)section->count + 1, sizeof *variants->names);
    for (const hf_node *item = section->first; item != NULL && variants->names != NULL;
         item = item->next) {
        char *name = strdup(item->key);
        if (name == NULL) {
            break;
        }
        variants->names[variants->count++] = name;
    }
    if (variants->names == NULL || variants->count < section->count) {
        hf_variants_free(variants);
        return hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", document->label);
    }
    return HF_OK;
}

hf_status hf_variants_parse(const char *text, size_t length, const char *label,
                            hf_variants *variants, hf_error *error)
{
    hf_document document;
    *variants = (hf_variants){0};
    HF_TRY(hf_document_parse(&document, text, length, label, error));
    hf_status status = list_names(&document, variants, error);
    hf_document_free(&document);
    return status;
}

hf_status hf_variants_load(const char *path, hf_variants *variants, hf_error *error)
{
    char *text = NULL;
    size_t length = 0;
    *variants = (hf_variants){0};
    HF_TRY(hf_text_read(path, path, false, &text, &length, error));
    hf_status status = hf_variants_parse(text, length, path, variants, error);
    free(text);
    return status;
}

void hf_variants_free(hf_variants *variants)
{
    for (int i = 0; i < variants->count && variants->names != NULL; ++i) {
        free(variants->names[i]);
    }
    free((void *)variants->names);
    *variants = (hf_variants){0};
}
