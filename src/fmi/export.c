// SPDX-License-Identifier: Apache-2.0
// A model file becomes an FMU:
//
//   modelDescription.xml
//   binaries/linux64/ID.so (FMI 2) or binaries/x86_64-linux/ID.so (FMI 3)
//   resources/holdfast.json       the manifest
//   resources/FOLDER/...          the model file and all that it names
#include <holdfast/fmi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/sim.h>

#include "base/error.h"
#include "base/file.h"
#include "base/names.h"
#include "fmi/description.h"
#include "fmi/files.h"
#include "fmi/roles.h"
#include "fmi/zip.h"

enum { ID_SIZE = 80, TOKEN_SIZE = 40 };

typedef struct exporter {
    const hf_fmu_def *def;
    hf_error *error;
    hf_fmu_files files;
    hf_fmu_manifest manifest;
    hf_fmu_variables variables;
    hf_robot *robot; // whose text the model is, or NULL
    hf_model_file *file;
    hf_model *model;
    hf_model *recorded; // the same without channels that only the FMU asks for, or NULL
    char identifier[ID_SIZE], token[TOKEN_SIZE];
} exporter;

static hf_status out_of_memory(hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

// ------------------------------------------------------------------------------------------------
// The machine

static hf_status keep_changes(exporter *e)
{
    static const hf_overrides none = {0};
    const hf_overrides *o = e->def->overrides == NULL ? &none : e->def->overrides;
    hf_fmu_manifest *m = &e->manifest;
    if (o->law != NULL) {
        return hf_error_set(e->error, HF_ERROR_UNSUPPORTED, "an FMU does not change laws");
    }
    bool done = true;
    for (int i = 0; i < o->count && done; ++i) {
        done = hf_fmu_names_add(m, &m->sets, o->count + 1, o->items[i]);
    }
    m->variant = o->variant == NULL ? NULL : hf_arena_string(&m->arena, o->variant);
    m->method = o->method == NULL ? NULL : hf_arena_string(&m->arena, o->method);
    m->step = o->step;
    return done && (o->variant == NULL || m->variant != NULL) &&
                   (o->method == NULL || m->method != NULL)
               ? HF_OK
               : out_of_memory(e->error);
}

// The machine with its changes; every file that it names is noted.
static hf_status compile(exporter *e, hf_model **model)
{
    const char **items = malloc((size_t)(e->manifest.sets.count + 1) * sizeof *items);
    if (items == NULL) {
        return out_of_memory(e->error);
    }
    hf_file_visitor visitor = hf_fmu_files_visitor(&e->files);
    hf_overrides overrides = hf_fmu_overrides(&e->manifest, items, NULL, 0);
    overrides.files = &visitor;
    if (e->def->overrides != NULL) {
        overrides.dropped = e->def->overrides->dropped;
        overrides.dropped_size = e->def->overrides->dropped_size;
    }
    *model = hf_model_file_compile(e->file, &overrides, e->error);
    free((void *)items);
    return *model == NULL ? e->error->status : HF_OK;
}

// Reads the model file, or that which a robot's file becomes, and compiles it.
static hf_status read_model(exporter *e)
{
    const hf_fmu_def *d = e->def;
    const char *text = d->text, *folder = d->folder;
    size_t length = d->length;
    // A robot's file becomes the text of a model file
    if (hf_robot_is_one(text, length)) {
        const hf_robot_options *options = d->overrides == NULL ? NULL : d->overrides->robot;
        e->robot = hf_robot_parse(text, length, d->label, folder, options, e->error);
        if (e->robot == NULL) {
            return e->error->status;
        }
        text = hf_robot_model(e->robot);
        length = strlen(text);
        folder = hf_robot_folder(e->robot) == NULL ? folder : hf_robot_folder(e->robot);
    }
    // The model with its changes
    HF_TRY(hf_fmu_files_begin(&e->files, text, length, d->label, folder, e->error));
    e->file = hf_model_file_parse(text, length, d->label, folder, NULL, e->error);
    return e->file == NULL ? e->error->status : compile(e, &e->model);
}

static hf_status check_method(const exporter *e)
{
    hf_method_type type = hf_model_method(e->model).type;
    const char *library = hf_method_library(type);
    if (library != NULL && strcmp(library, "holdfast-nlp") == 0) {
        return hf_error_set(e->error, HF_ERROR_UNSUPPORTED,
                            "%.200s: FMUs have not the method %s; choose another with --method",
                            e->def->label, hf_method_name(type));
    }
    hf_sim *sim = hf_sim_create(e->model, NULL, e->error); // admits it, or tells why not
    hf_sim_destroy(sim);
    return sim != NULL ? HF_OK : e->error->status;
}

// ------------------------------------------------------------------------------------------------
// Its channels

static hf_status add_channels(exporter *e, const hf_channel *channels, int count,
                              hf_fmu_names *names)
{
    int capacity = hf_model_channel_count(e->model);
    for (int i = 0; i < count; ++i) {
        char name[512];
        hf_model_channel_name(e->model, channels[i], name, sizeof name);
        if (!hf_fmu_names_have(&e->manifest.outputs, name) && !hf_fmu_names_have(names, name) &&
            !hf_fmu_names_add(&e->manifest, names, capacity, name)) {
            return out_of_memory(e->error);
        }
    }
    return HF_OK;
}

static hf_status expand(exporter *e, const char *const *patterns, int count, hf_fmu_names *names)
{
    int capacity = hf_model_channel_count(e->model);
    hf_channel *channels = malloc((size_t)capacity * sizeof *channels + 1);
    hf_status status = channels == NULL ? out_of_memory(e->error) : HF_OK;
    for (int i = 0; i < count && status == HF_OK; ++i) {
        int found = hf_model_expand_channels(e->model, patterns[i], channels, capacity);
        if (found == 0) {
            char nearest[256];
            hf_model_nearest_channel(e->model, patterns[i], nearest, sizeof nearest);
            status = hf_error_set(e->error, HF_ERROR_NAME, "no channel matches '%.100s'%s%s%s",
                                  patterns[i], nearest[0] == '\0' ? "" : "; did you mean '",
                                  nearest, nearest[0] == '\0' ? "" : "'?");
            break;
        }
        status = add_channels(e, channels, found, names);
    }
    free(channels);
    return status;
}

// Adds "NAME", to a list of channels in YAML.
static bool put_channel(FILE *file, const char *name)
{
    (void)fprintf(file, "\"%s\", ", name);
    return strpbrk(name, "\"\\") == NULL;
}

// The change that makes the model record what is asked for, for the caller to free. NULL: out of
// memory. *plain: all names can be written so.
static char *record_all(const exporter *e, bool *plain)
{
    const hf_fmu_def *d = e->def;
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL) {
        return NULL;
    }
    // What it records by itself, unless outputs are chosen
    (void)fputs("record=[", file);
    for (int i = 0; d->output_count == 0 && i < hf_model_record_count(e->model); ++i) {
        char name[512];
        hf_model_channel_name(e->model, hf_model_record_channel(e->model, i), name, sizeof name);
        *plain = put_channel(file, name) && *plain;
    }
    // What is asked for
    for (int i = 0; i < d->output_count; ++i) {
        *plain = put_channel(file, d->outputs[i]) && *plain;
    }
    for (int i = 0; i < d->local_count; ++i) {
        *plain = put_channel(file, d->locals[i]) && *plain;
    }
    (void)fputs("]", file);
    if (fclose(file) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

// Channels that are there only where a recording names them (accelerations, reactions): the model
// records them. Names that it then still lacks are reported later.
static hf_status ask_for_channels(exporter *e)
{
    const hf_fmu_def *d = e->def;
    bool known = true;
    hf_channel ignored;
    for (int i = 0; i < d->output_count + d->local_count; ++i) {
        const char *name = i < d->output_count ? d->outputs[i] : d->locals[i - d->output_count];
        known = known && hf_model_expand_channels(e->model, name, &ignored, 1) > 0;
    }
    if (known) {
        return HF_OK;
    }
    // All of them, as a change of the model
    bool plain = true;
    char *text = record_all(e, &plain);
    bool done = text != NULL &&
                hf_fmu_names_add(&e->manifest, &e->manifest.sets, e->manifest.sets.count + 1, text);
    free(text);
    if (!done) {
        return out_of_memory(e->error);
    }
    // The model that has them, if there is one
    hf_model *model = NULL;
    hf_status status = plain ? compile(e, &model) : HF_ERROR_NAME;
    if (status == HF_OK) {
        e->recorded = e->model;
        e->model = model;
    }
    return status == HF_ERROR_MEMORY ? status : HF_OK;
}

static hf_status choose_channels(exporter *e)
{
    hf_fmu_manifest *m = &e->manifest;
    if (e->def->output_count == 0) {
        const hf_model *own = e->recorded != NULL ? e->recorded : e->model;
        for (int i = 0; i < hf_model_record_count(own); ++i) {
            char name[512];
            hf_model_channel_name(own, hf_model_record_channel(own, i), name, sizeof name);
            hf_channel channel = hf_model_find_channel(e->model, name);
            HF_TRY(add_channels(e, &channel, 1, &m->outputs));
        }
    }
    HF_TRY(expand(e, e->def->outputs, e->def->output_count, &m->outputs));
    return expand(e, e->def->locals, e->def->local_count, &m->locals);
}

// ------------------------------------------------------------------------------------------------
// Its names

// A C identifier of the machine's name.
static void make_identifier(exporter *e)
{
    const char *name = hf_model_name(e->model);
    size_t used = 0;
    for (; *name != '\0' && used + 2 < sizeof e->identifier; ++name) {
        bool digit = *name >= '0' && *name <= '9';
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
        if (digit && used == 0) {
            e->identifier[used++] = '_';
        }
        if (letter || digit) {
            e->identifier[used++] = *name;
        } else if (used > 0 && e->identifier[used - 1] != '_') {
            e->identifier[used++] = '_';
        }
    }
    e->identifier[used] = '\0';
    if (used == 0) {
        strcpy(e->identifier, "machine");
    }
}

// The bytes of a file of the model. *made: for the caller to free.
static hf_status get_bytes(const hf_fmu_file *file, const char **bytes, size_t *length, char **made,
                           hf_error *error)
{
    *made = NULL;
    if (file->place != NULL) {
        HF_TRY(hf_text_read(file->place, file->place, true, made, length, error));
        *bytes = *made;
        return HF_OK;
    }
    *bytes = file->text;
    *length = file->length;
    return HF_OK;
}

// The token is a hash of the manifest and of all files of the model.
static hf_status make_token(exporter *e)
{
    size_t length = 0;
    char *text = hf_fmu_manifest_write(&e->manifest, &length);
    if (text == NULL) {
        return out_of_memory(e->error);
    }
    unsigned long long one = hf_hash_bytes(0, text, length);
    unsigned long long two = hf_hash_bytes(one ^ 0x9e3779b97f4a7c15ull, text, length);
    free(text);
    for (int i = 0; i < e->files.count; ++i) {
        const hf_fmu_file *file = &e->files.items[i];
        const char *bytes = NULL;
        char *made = NULL;
        HF_TRY(get_bytes(file, &bytes, &length, &made, e->error));
        one = hf_hash_bytes(one, file->entry, strlen(file->entry));
        two = hf_hash_bytes(two, &length, sizeof length);
        one = hf_hash_bytes(one, bytes, length);
        two = hf_hash_bytes(two, bytes, length);
        free(made);
    }
    (void)snprintf(e->token, sizeof e->token, "{%08llx-%04llx-%04llx-%04llx-%012llx}", one >> 32,
                   one >> 16 & 0xffff, one & 0xffff, two >> 48, two & 0xffffffffffffull);
    e->manifest.token = e->token;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// The archive

static hf_status add_made(hf_zip *zip, const char *name, char *text, size_t length, hf_error *error)
{
    hf_status status =
        text == NULL ? out_of_memory(error) : hf_zip_add(zip, name, text, length, false, error);
    free(text);
    return status;
}

// Where tools of this kind of machine look for a binary.
static const char *platform(int version)
{
#if defined __x86_64__
    return version == 2 ? "linux64" : "x86_64-linux";
#elif defined __aarch64__
    return version == 2 ? "aarch64-linux" : "aarch64-linux";
#else
    return version == 2 ? "linux32" : "x86-linux";
#endif
}

static hf_status add_binary(exporter *e, hf_zip *zip)
{
    char name[ID_SIZE + 64], *bytes = NULL;
    size_t length = 0;
    (void)snprintf(name, sizeof name, "binaries/%s/%s.so", platform(e->def->version),
                   e->identifier);
    HF_TRY(hf_text_read(e->def->binary, e->def->binary, true, &bytes, &length, e->error));
    hf_status status = hf_zip_add(zip, name, bytes, length, true, e->error);
    free(bytes);
    return status;
}

static hf_status add_files(exporter *e, hf_zip *zip)
{
    hf_status status = HF_OK;
    for (int i = 0; i < e->files.count && status == HF_OK; ++i) {
        const hf_fmu_file *file = &e->files.items[i];
        size_t length = 0, size = strlen(file->entry) + sizeof "resources/";
        const char *bytes = NULL;
        char *made = NULL, *name = malloc(size);
        status = name == NULL ? out_of_memory(e->error)
                              : get_bytes(file, &bytes, &length, &made, e->error);
        if (status == HF_OK) {
            (void)snprintf(name, size, "resources/%s", file->entry);
            status = hf_zip_add(zip, name, bytes, length, false, e->error);
        }
        free(made);
        free(name);
    }
    return status;
}

static hf_status fill_archive(exporter *e, hf_zip *zip)
{
    size_t length = 0;
    const hf_fmu_description description = {.version = e->def->version,
                                            .identifier = e->identifier,
                                            .token = e->token,
                                            .model = e->model,
                                            .variables = &e->variables};
    char *text = hf_fmu_description_write(&description, &length);
    HF_TRY(add_made(zip, "modelDescription.xml", text, length, e->error));
    HF_TRY(add_binary(e, zip));
    text = hf_fmu_manifest_write(&e->manifest, &length);
    HF_TRY(add_made(zip, "resources/" HF_FMU_MANIFEST, text, length, e->error));
    return add_files(e, zip);
}

// Written beside its place first, so that nothing half done takes the place of an older one.
static hf_status write_archive(exporter *e, const char *path)
{
    size_t size = strlen(path) + sizeof ".part";
    char *part = malloc(size);
    if (part == NULL) {
        return out_of_memory(e->error);
    }
    (void)snprintf(part, size, "%s.part", path);
    hf_zip zip;
    hf_status status = hf_zip_create(&zip, part, e->error);
    if (status == HF_OK) {
        status = fill_archive(e, &zip);
        hf_status closed = hf_zip_close(&zip, status < 0, e->error);
        status = status < 0 ? status : closed;
        if (status == HF_OK && rename(part, path) != 0) {
            status = hf_error_set(e->error, HF_ERROR_FILE, "%.300s: cannot be written", path);
        }
        if (status < 0) {
            (void)remove(part);
        }
    }
    free(part);
    return status;
}

// ------------------------------------------------------------------------------------------------

static hf_status prepare(exporter *e)
{
    HF_TRY(keep_changes(e));
    HF_TRY(read_model(e));
    HF_TRY(check_method(e));
    HF_TRY(ask_for_channels(e));
    HF_TRY(choose_channels(e));
    HF_TRY(hf_fmu_find_roles(&e->manifest, e->file, e->model, e->error));
    HF_TRY(hf_fmu_files_place(&e->files, e->error));
    e->manifest.model = e->files.items[0].entry;
    make_identifier(e);
    HF_TRY(make_token(e));
    return hf_fmu_variables_list(&e->variables, e->model, &e->manifest, e->error);
}

hf_status hf_fmu_write(const char *path, const hf_fmu_def *def, hf_fmu_counts *counts,
                       hf_error *error)
{
    hf_error own = {0};
    exporter e = {.def = def, .error = error == NULL ? &own : error};
    if (counts != NULL) {
        *counts = (hf_fmu_counts){0};
    }
    if (def->version != 2 && def->version != 3) {
        return hf_error_set(e.error, HF_ERROR_RANGE, "the version of FMI must be 2 or 3, got %d",
                            def->version);
    }
    hf_status status = prepare(&e);
    status = status < 0 ? status : write_archive(&e, path);
    if (status == HF_OK && counts != NULL) {
        *counts = (hf_fmu_counts){.inputs = e.variables.input_count,
                                  .parameters = e.variables.parameter_count,
                                  .outputs = e.variables.output_count,
                                  .locals = e.manifest.locals.count,
                                  .files = e.files.count - 1};
    }
    hf_fmu_variables_free(&e.variables);
    hf_model_destroy(e.model);
    hf_model_destroy(e.recorded);
    hf_model_file_destroy(e.file);
    hf_fmu_files_free(&e.files);
    hf_robot_destroy(e.robot);
    hf_fmu_manifest_free(&e.manifest);
    return status;
}
