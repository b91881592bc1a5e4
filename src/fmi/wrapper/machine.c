// SPDX-License-Identifier: Apache-2.0
// The machine of an instance, with the parameters that the host has set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fmi/wrapper/instance.h"

static size_t parameters_size(const hf_fmu *fmu)
{
    return (size_t)fmu->variables.parameter_count * sizeof(double);
}

static const char *mode_word(int mode)
{
    return mode == 0 ? "sticks" : mode == 2 ? "is open" : mode < 0 ? "slides back" : "slides forth";
}

static void on_event(void *context, const hf_event *event)
{
    const hf_fmu *fmu = context;
    if (fmu->logs_events) {
        (void)hf_fmu_tell(fmu, HF_FMU_OK, HF_FMU_LOG_EVENT, "t = %.9g s: %s %s", event->time,
                          hf_model_force_name(fmu->model, event->force), mode_word(event->to));
    }
}

// The model with the wanted parameters: those that are not the model's own are changes of it.
static hf_model *compile(const hf_fmu *fmu, hf_error *error)
{
    const hf_fmu_variables *v = &fmu->variables;
    size_t room = (size_t)(fmu->manifest.sets.count + v->parameter_count) + 1;
    const char **items = calloc(room, sizeof *items);
    char **changes = calloc(room, sizeof *changes);
    int count = 0;
    // What the host has changed
    bool done = items != NULL && changes != NULL;
    for (int i = v->first_parameter; i < v->first_output && done; ++i) {
        const hf_fmu_variable *p = &v->items[i];
        double wanted = fmu->parameters[p->index];
        if (p->kind != HF_FMU_CALCULATED && wanted != p->start) {
            const char *name = hf_model_parameter(fmu->model, p->index).name;
            changes[count] = hf_fmu_parameter_change(name, p->unit, wanted);
            done = changes[count++] != NULL;
        }
    }
    // The model with that
    hf_model *model = NULL;
    if (done) {
        hf_overrides overrides =
            hf_fmu_overrides(&fmu->manifest, items, (const char *const *)changes, count);
        overrides.asker = "the host's";
        model = hf_model_file_compile(fmu->file, &overrides, error);
    } else {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (int i = 0; changes != NULL && i < count; ++i) {
        free(changes[i]);
    }
    free(changes);
    free((void *)items);
    return model;
}

static void put_inputs(const hf_fmu *fmu, hf_sim *sim)
{
    const hf_fmu_variables *v = &fmu->variables;
    for (int i = 1; i <= v->input_count; ++i) {
        const hf_fmu_variable *input = &v->items[i];
        if (fmu->inputs[input->index] != input->start) {
            hf_sim_set_input(sim, input->signal, fmu->inputs[input->index]);
        }
    }
}

hf_status hf_fmu_make_sim(hf_fmu *fmu, hf_error *error)
{
    // The model, compiled again only for other parameters
    bool same = memcmp(fmu->parameters, fmu->built, parameters_size(fmu)) == 0;
    hf_model *model = same ? fmu->model : compile(fmu, error);
    if (model == NULL) {
        return error->status;
    }
    // A sim of it, in the place of the present one
    hf_sim_def def = hf_sim_def_default(model);
    def.on_event = on_event;
    def.event_context = fmu;
    hf_sim *sim = hf_sim_create(model, &def, error);
    if (sim == NULL) {
        if (!same) {
            hf_model_destroy(model);
        }
        return error->status;
    }
    put_inputs(fmu, sim);
    hf_sim_destroy(fmu->sim);
    fmu->sim = sim;
    if (!same) {
        hf_model_destroy(fmu->model);
        fmu->model = model;
        memcpy(fmu->built, fmu->parameters, parameters_size(fmu));
    }
    memcpy(fmu->live, fmu->parameters, parameters_size(fmu));
    fmu->judged = 1000;
    fmu->doubted = false;
    return HF_OK;
}

// A running machine goes on with other numbers.
static hf_status change_live(hf_fmu *fmu, hf_error *error)
{
    hf_model *model = compile(fmu, error);
    if (model == NULL) {
        return error->status;
    }
    hf_status status = hf_sim_set_model(fmu->sim, model, NULL, NULL, 0, error);
    hf_model_destroy(model);
    if (status == HF_OK) {
        memcpy(fmu->live, fmu->parameters, parameters_size(fmu));
    }
    return status;
}

hf_fmu_status hf_fmu_settle(hf_fmu *fmu, const char *function)
{
    hf_error error = {0};
    if (memcmp(fmu->parameters, fmu->live, parameters_size(fmu)) == 0) {
        return HF_FMU_OK;
    }
    bool runs = (fmu->mode & (HF_FMU_STEPPING | HF_FMU_TERMINATED | HF_FMU_FAILED)) != 0;
    hf_status status = runs ? change_live(fmu, &error) : hf_fmu_make_sim(fmu, &error);
    if (status < 0) { // what the machine refuses is not kept
        memcpy(fmu->parameters, fmu->live, parameters_size(fmu));
        return hf_fmu_tell_error(fmu, function, &error);
    }
    return HF_FMU_OK;
}
