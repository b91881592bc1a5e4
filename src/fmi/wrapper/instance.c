// SPDX-License-Identifier: Apache-2.0
// An instance of an FMU: what the functions of FMI 2 and FMI 3 have in common.
#include "fmi/wrapper/instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

enum { TEXT_SIZE = 1024 };

// ------------------------------------------------------------------------------------------------
// Messages

static const char *category(hf_fmu_log what)
{
    static const char *const names[] = {"logEvents", "logStatusWarning", "logStatusError"};
    return names[what];
}

hf_fmu_status hf_fmu_tell(const hf_fmu *fmu, hf_fmu_status status, hf_fmu_log what,
                          const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fmu->host.log(fmu, status, category(what), text);
    return status;
}

hf_fmu_status hf_fmu_tell_error(const hf_fmu *fmu, const char *function, const hf_error *error)
{
    return hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR, "%s: %s", function, error->text);
}

bool hf_fmu_allows(const hf_fmu *fmu, const char *function, unsigned modes)
{
    const char *where = fmu->mode == HF_FMU_INSTANTIATED   ? "before the initialization"
                        : fmu->mode == HF_FMU_INITIALIZING ? "in initialization mode"
                        : fmu->mode == HF_FMU_STEPPING     ? "while the machine runs"
                        : fmu->mode == HF_FMU_TERMINATED   ? "after the end"
                                                           : "after an error";
    if ((modes & (unsigned)fmu->mode) == 0) {
        (void)hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR, "%s: not allowed %s", function,
                          where);
        return false;
    }
    return true;
}

hf_fmu_status hf_fmu_set_logging(hf_fmu *fmu, bool on, const char *const *categories, size_t count)
{
    bool events = count == 0;
    for (size_t i = 0; i < count; ++i) {
        bool all = strcmp(categories[i], "logAll") == 0;
        if (!all && strcmp(categories[i], "logEvents") != 0 &&
            strcmp(categories[i], "logStatusWarning") != 0 &&
            strcmp(categories[i], "logStatusError") != 0) {
            return hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                               "there is no category '%.100s' of messages", categories[i]);
        }
        events = events || all || strcmp(categories[i], "logEvents") == 0;
    }
    fmu->logs_events = on ? events : fmu->logs_events && !events;
    return HF_FMU_OK;
}

// ------------------------------------------------------------------------------------------------
// Making and ending

// The model file of the manifest, which lies in resources.
static hf_status read_model(hf_fmu *fmu, const char *resources, hf_error *error)
{
    size_t size = strlen(resources) + strlen(fmu->manifest.model) + 2, length = 0;
    char *path = malloc(size), *text = NULL;
    if (path == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    (void)snprintf(path, size, "%s/%s", resources, fmu->manifest.model);
    hf_status status = hf_text_read(path, path, true, &text, &length, error);
    if (status == HF_OK) {
        char *slash = strrchr(path, '/');
        *slash = '\0';
        fmu->file = hf_model_file_parse(text, length, slash + 1, path, NULL, error);
        status = fmu->file == NULL ? error->status : HF_OK;
    }
    free(text);
    free(path);
    return status;
}

// What the parameters of the machine are, before the host has set any.
static hf_status make_arrays(hf_fmu *fmu, hf_error *error)
{
    const hf_fmu_variables *v = &fmu->variables;
    size_t parameters = (size_t)v->parameter_count + 1, inputs = (size_t)v->input_count + 1;
    fmu->parameters = calloc(parameters, sizeof *fmu->parameters);
    fmu->built = calloc(parameters, sizeof *fmu->built);
    fmu->live = calloc(parameters, sizeof *fmu->live);
    fmu->inputs = calloc(inputs, sizeof *fmu->inputs);
    fmu->slopes = calloc(inputs * HF_FMU_MOST_ORDER, sizeof *fmu->slopes);
    if (fmu->parameters == NULL || fmu->built == NULL || fmu->live == NULL || fmu->inputs == NULL ||
        fmu->slopes == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (int i = 0; i < v->count; ++i) {
        const hf_fmu_variable *variable = &v->items[i];
        if (hf_fmu_is_parameter(variable)) {
            fmu->parameters[variable->index] = variable->start;
            fmu->built[variable->index] = fmu->live[variable->index] = variable->start;
        } else if (variable->kind == HF_FMU_INPUT) {
            fmu->inputs[variable->index] = variable->start;
        }
    }
    return HF_OK;
}

static hf_status prepare(hf_fmu *fmu, const char *token, const char *resources, hf_error *error)
{
    HF_TRY(hf_fmu_manifest_read(&fmu->manifest, resources, error));
    if (token == NULL || strcmp(token, fmu->manifest.token) != 0) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "the GUID or token is %.60s, that of the resources is %.60s",
                            token == NULL ? "missing" : token, fmu->manifest.token);
    }
    HF_TRY(read_model(fmu, resources, error));
    const char **items = malloc((size_t)(fmu->manifest.sets.count + 1) * sizeof *items);
    if (items == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    hf_overrides overrides = hf_fmu_overrides(&fmu->manifest, items, NULL, 0);
    fmu->model = hf_model_file_compile(fmu->file, &overrides, error);
    free((void *)items);
    if (fmu->model == NULL) {
        return error->status;
    }
    HF_TRY(hf_fmu_variables_list(&fmu->variables, fmu->model, &fmu->manifest, error));
    HF_TRY(make_arrays(fmu, error));
    return hf_fmu_make_sim(fmu, error);
}

hf_fmu *hf_fmu_create(const hf_fmu_host *host, const char *name, const char *token,
                      const char *resources, bool logs_events)
{
    hf_fmu plain = {.host = *host, .name = (char *)(name == NULL ? "" : name)};
    hf_fmu *fmu = calloc(1, sizeof *fmu);
    size_t size = strlen(plain.name) + 1;
    char *own_name = malloc(size);
    if (fmu == NULL || own_name == NULL) {
        (void)hf_fmu_tell(&plain, HF_FMU_ERROR, HF_FMU_LOG_ERROR, "out of memory");
        free(fmu);
        free(own_name);
        return NULL;
    }
    *fmu = plain;
    fmu->name = memcpy(own_name, plain.name, size);
    fmu->logs_events = logs_events;
    fmu->mode = HF_FMU_INSTANTIATED;
    fmu->stop = INFINITY;
    // The machine
    hf_error error = {0};
    hf_status status = resources == NULL ? hf_error_set(&error, HF_ERROR_FILE,
                                                        "the host names no folder of resources")
                                         : prepare(fmu, token, resources, &error);
    if (status < 0) {
        (void)hf_fmu_tell_error(fmu, "instantiate", &error);
        hf_fmu_destroy(fmu);
        return NULL;
    }
    return fmu;
}

void hf_fmu_destroy(hf_fmu *fmu)
{
    if (fmu == NULL) {
        return;
    }
    hf_sim_destroy(fmu->sim);
    hf_fmu_variables_free(&fmu->variables);
    hf_model_destroy(fmu->model);
    hf_model_file_destroy(fmu->file);
    hf_fmu_manifest_free(&fmu->manifest);
    free(fmu->parameters);
    free(fmu->built);
    free(fmu->live);
    free(fmu->inputs);
    free(fmu->slopes);
    free(fmu->name);
    free(fmu);
}
