// SPDX-License-Identifier: Apache-2.0
// Finds MODEL: a file, or a shipped example of that name.
#include "cli/model_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/names.h"
#include "cli/cli.h"
#include "cli/examples.h"
#include "cli/nlp.h"
#include "models/tree/node.h"
#include "sim/method_info.h"

static bool is_file_name(const char *word)
{
    const char *ending = strrchr(word, '.');
    return strchr(word, '/') != NULL ||
           (ending != NULL && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0 ||
                               strcmp(ending, ".xml") == 0 || strcmp(ending, ".urdf") == 0 ||
                               strcmp(ending, ".sdf") == 0 || strcmp(ending, ".xacro") == 0));
}

static void report_unknown(const char *word)
{
    const char *nearest = hf_cli_example_nearest(word);
    char file[512];
    int length = snprintf(file, sizeof file, "%s.yaml", word);
    if (access(word, R_OK) == 0) {
        (void)hf_cli_error("there is no example '%s'; for the file of that name write './%s'", word,
                           word);
    } else if (length > 0 && (size_t)length < sizeof file && access(file, R_OK) == 0) {
        (void)hf_cli_error("there is no example '%s'; for the file write '%s'", word, file);
    } else if (nearest != NULL) {
        (void)hf_cli_error("there is no example '%s'; did you mean '%s'? A model file's name ends "
                           "in .yaml or has a '/'",
                           word, nearest);
    } else {
        (void)hf_cli_error("there is no example '%s' ('holdfast examples' lists them); a model "
                           "file's name ends in .yaml or has a '/'",
                           word);
    }
}

hf_model *hf_cli_try_model(const char *word, const hf_overrides *overrides, hf_error *error)
{
    if (is_file_name(word)) {
        return hf_model_load_changed(word, overrides, error);
    }
    const hf_cli_example *example = hf_cli_example_find(word);
    if (example == NULL) {
        (void)hf_error_set(error, HF_ERROR_NAME, "there is no example '%.100s'", word);
        return NULL;
    }
    char label[128];
    (void)snprintf(label, sizeof label, "%s.yaml", word);
    return hf_model_parse((const char *)example->text, example->length, label, NULL, overrides,
                          error);
}

bool hf_cli_know_model(const char *word)
{
    bool known = is_file_name(word) || hf_cli_example_find(word) != NULL;
    if (!known) {
        report_unknown(word);
    }
    return known;
}

hf_model *hf_cli_load_model(const char *word, const hf_overrides *overrides)
{
    hf_error error = {0};
    if (!hf_cli_know_model(word)) {
        return NULL;
    }
    hf_model *model = hf_cli_try_model(word, overrides, &error);
    if (model == NULL) {
        hf_cli_report(&error);
    }
    return model;
}

bool hf_cli_load_variants(const char *word, hf_variants *variants)
{
    hf_error error = {0};
    *variants = (hf_variants){0};
    if (!hf_cli_know_model(word)) {
        return false;
    }
    hf_status status = HF_OK;
    if (is_file_name(word)) {
        status = hf_variants_load(word, variants, &error);
    } else {
        const hf_cli_example *example = hf_cli_example_find(word);
        status =
            hf_variants_parse((const char *)example->text, example->length, word, variants, &error);
    }
    if (status != HF_OK) {
        hf_cli_report(&error);
    }
    return status == HF_OK;
}

bool hf_cli_know_method(const char *command, const char *option, const char *name)
{
    if (hf_method_find(name) != HF_METHOD_COUNT) {
        return true;
    }
    const char *known[HF_METHOD_COUNT];
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        known[i] = hf_method_name((hf_method_type)i);
    }
    const char *nearest = hf_nearest_name(name, known, HF_METHOD_COUNT);
    char list[300];
    hf_method_list((1u << HF_METHOD_COUNT) - 1u, " and ", list, sizeof list);
    (void)hf_cli_usage_error(command, "--%s: unknown method '%s'%s%s%s; methods are %s", option,
                             name, nearest == NULL ? "" : " (did you mean '",
                             nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)", list);
    return false;
}

void hf_cli_tell_dropped(const char *method, const char *dropped)
{
    if (method != NULL && dropped[0] != '\0') {
        hf_cli_warning("--method %s: left out of the model's method, which %s does not take: %s",
                       method, method, dropped);
    }
}

bool hf_cli_model_text_read(hf_cli_model_text *text, const char *word, hf_error *error)
{
    const hf_cli_example *example = hf_cli_example_find(word);
    *text = (hf_cli_model_text){0};
    if (!hf_cli_know_model(word)) {
        return false;
    }
    if (!is_file_name(word)) {
        (void)snprintf(text->label, sizeof text->label, "%.500s.yaml", word);
        text->text = (const char *)example->text;
        text->length = example->length;
        return true;
    }
    if (hf_text_read(word, word, false, &text->made, &text->length, error) != HF_OK) {
        return false;
    }
    const char *slash = strrchr(word, '/');
    (void)snprintf(text->label, sizeof text->label, "%s", word);
    (void)snprintf(text->folder, sizeof text->folder, "%.*s",
                   slash == NULL ? 1 : (int)(slash - word) + (slash == word),
                   slash == NULL ? "." : word);
    text->text = text->made;
    return true;
}

const char *hf_cli_model_folder(const hf_cli_model_text *text)
{
    return text->made == NULL ? NULL : text->folder;
}

void hf_cli_model_text_free(hf_cli_model_text *text)
{
    free(text->made);
    *text = (hf_cli_model_text){0};
}

hf_fit_machine *hf_cli_fit_machine(const char *word, const hf_overrides *overrides, hf_error *error)
{
    hf_cli_model_text text;
    if (!hf_cli_model_text_read(&text, word, error)) {
        return NULL;
    }
    hf_fit_machine *machine = hf_fit_machine_create(text.text, text.length, text.label,
                                                    hf_cli_model_folder(&text), overrides, error);
    hf_cli_model_text_free(&text);
    return machine;
}

void hf_cli_methods(const hf_method_table *methods[HF_METHOD_TABLES])
{
    methods[0] = hf_cli_nlp_methods(); // in a module; the others are linked
}

hf_sim_def hf_cli_sim_def(const hf_model *model)
{
    hf_sim_def def = hf_sim_def_default(model);
    hf_cli_methods(def.methods);
    return def;
}
