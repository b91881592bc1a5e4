// SPDX-License-Identifier: Apache-2.0
// The manifest of an FMU: what its binary needs beside the model file, as JSON.
#include "fmi/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "models/tree/node.h"

bool hf_fmu_names_add(hf_fmu_manifest *manifest, hf_fmu_names *names, int capacity,
                      const char *name)
{
    if (names->items == NULL) {
        names->items = hf_arena_alloc(&manifest->arena, (size_t)capacity, sizeof *names->items);
    }
    char *copy = names->items == NULL ? NULL : hf_arena_string(&manifest->arena, name);
    if (copy == NULL) {
        return false;
    }
    HF_ASSERT(names->count < capacity);
    names->items[names->count++] = copy;
    return true;
}

bool hf_fmu_names_have(const hf_fmu_names *names, const char *name)
{
    for (int i = 0; i < names->count; ++i) {
        if (strcmp(names->items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Out

static void put_names(hf_json *json, const char *key, const hf_fmu_names *names)
{
    hf_json_begin_list(json, key);
    for (int i = 0; i < names->count; ++i) {
        hf_json_text(json, NULL, names->items[i]);
    }
    hf_json_end_list(json);
}

char *hf_fmu_manifest_write(const hf_fmu_manifest *manifest, size_t *length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    if (file == NULL) {
        return NULL;
    }
    // The model, and how it is changed
    hf_json json = {.file = file};
    hf_json_begin(&json, NULL);
    hf_json_text(&json, "holdfast", HF_VERSION);
    hf_json_text(&json, "token", manifest->token == NULL ? "" : manifest->token);
    hf_json_text(&json, "model", manifest->model);
    if (manifest->variant != NULL) {
        hf_json_text(&json, "variant", manifest->variant);
    }
    if (manifest->method != NULL) {
        hf_json_text(&json, "method", manifest->method);
    }
    if (manifest->step > 0.0) {
        hf_json_number(&json, "step", manifest->step);
    }
    put_names(&json, "set", &manifest->sets);
    // What the FMU shows of it
    put_names(&json, "outputs", &manifest->outputs);
    put_names(&json, "locals", &manifest->locals);
    put_names(&json, "fixed", &manifest->fixed);
    put_names(&json, "calculated", &manifest->calculated);
    hf_json_end(&json);
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

// ------------------------------------------------------------------------------------------------
// In

static hf_status read_text(const hf_document *document, const char *key, bool needed,
                           hf_fmu_manifest *manifest, const char **text, hf_error *error)
{
    const hf_node *node = hf_node_get(document->root, key);
    if (node == NULL && !needed) {
        return HF_OK;
    }
    if (node == NULL || node->kind != HF_NODE_SCALAR) {
        return hf_error_set(error, HF_ERROR_INPUT, "%.300s: it has no text '%s'", document->label,
                            key);
    }
    *text = hf_arena_string(&manifest->arena, node->text);
    return *text != NULL ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

static hf_status read_names(const hf_document *document, const char *key, hf_fmu_manifest *manifest,
                            hf_fmu_names *names, hf_error *error)
{
    const hf_node *list = hf_node_get(document->root, key);
    if (list == NULL || list->kind != HF_NODE_LIST) {
        return hf_error_set(error, HF_ERROR_INPUT, "%.300s: it has no list '%s'", document->label,
                            key);
    }
    for (const hf_node *item = list->first; item != NULL; item = item->next) {
        if (item->kind != HF_NODE_SCALAR) {
            return hf_error_set(error, HF_ERROR_INPUT, "%.300s: '%s' is not a list of texts",
                                document->label, key);
        }
        if (!hf_fmu_names_add(manifest, names, list->count, item->text)) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
    }
    return HF_OK;
}

static hf_status read_step(const hf_document *document, double *step, hf_error *error)
{
    const hf_node *node = hf_node_get(document->root, "step");
    if (node != NULL &&
        (node->kind != HF_NODE_SCALAR || !hf_number_parse(node->text, strlen(node->text), step))) {
        return hf_error_set(error, HF_ERROR_INPUT, "%.300s: 'step' is no number", document->label);
    }
    return HF_OK;
}

static hf_status read_all(const hf_document *document, hf_fmu_manifest *m, hf_error *error)
{
    const char *version = NULL;
    if (document->root->kind != HF_NODE_MAP) {
        return hf_error_set(error, HF_ERROR_INPUT, "%.300s: it is no map", document->label);
    }
    HF_TRY(read_text(document, "holdfast", true, m, &version, error));
    if (version == NULL || strcmp(version, HF_VERSION) != 0) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%.300s: the resources are of Holdfast %.20s, the binary is of "
                            "Holdfast " HF_VERSION,
                            document->label, version == NULL ? "" : version);
    }
    HF_TRY(read_text(document, "token", true, m, &m->token, error));
    HF_TRY(read_text(document, "model", true, m, &m->model, error));
    HF_TRY(read_text(document, "variant", false, m, &m->variant, error));
    HF_TRY(read_text(document, "method", false, m, &m->method, error));
    HF_TRY(read_step(document, &m->step, error));
    HF_TRY(read_names(document, "set", m, &m->sets, error));
    HF_TRY(read_names(document, "outputs", m, &m->outputs, error));
    HF_TRY(read_names(document, "locals", m, &m->locals, error));
    HF_TRY(read_names(document, "fixed", m, &m->fixed, error));
    return read_names(document, "calculated", m, &m->calculated, error);
}

hf_status hf_fmu_manifest_read(hf_fmu_manifest *manifest, const char *folder, hf_error *error)
{
    *manifest = (hf_fmu_manifest){0};
    size_t size = strlen(folder) + sizeof "/" HF_FMU_MANIFEST, length = 0;
    char *path = malloc(size), *text = NULL;
    if (path == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    (void)snprintf(path, size, "%s/" HF_FMU_MANIFEST, folder);
    hf_document document;
    hf_status status = hf_text_read(path, path, true, &text, &length, error);
    status = status < 0 ? status : hf_document_parse(&document, text, length, path, error);
    free(text);
    if (status == HF_OK) {
        status = read_all(&document, manifest, error);
        hf_document_free(&document);
    }
    free(path);
    if (status < 0) {
        hf_fmu_manifest_free(manifest);
    }
    return status;
}

void hf_fmu_manifest_free(hf_fmu_manifest *manifest)
{
    hf_arena_free(&manifest->arena);
    *manifest = (hf_fmu_manifest){0};
}

hf_overrides hf_fmu_overrides(const hf_fmu_manifest *manifest, const char **items,
                              const char *const *more, int more_count)
{
    int count = 0;
    for (int i = 0; i < manifest->sets.count; ++i) {
        items[count++] = manifest->sets.items[i];
    }
    for (int i = 0; i < more_count; ++i) {
        items[count++] = more[i];
    }
    return (hf_overrides){.items = items,
                          .count = count,
                          .variant = manifest->variant,
                          .method = manifest->method,
                          .step = manifest->step};
}
