// SPDX-License-Identifier: Apache-2.0
// Runs side by side: a model of several machines, and what the names and ids of one are in another.
#include <holdfast/batch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sim/method_info.h"
#include "sim/sim_data.h"
#include "spec/spec_data.h"

enum { NAME_SIZE = 512 };

struct hf_batch {
    const hf_model *one;
    hf_model *all;
    hf_sim *sim;
    int count;
};

static hf_status refuse(hf_error *error, const char *why)
{
    return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                        "the machine cannot be stepped side by side with others: %s", why);
}

// What of the machine does not fit, in words; the decision is hf_spec_stands_alone's.
static const char *name_reason(const hf_model *model)
{
    const hf_spec *spec = model->spec;
    bool driven = false, own = false, many = false, sums = false, loads = false;
    // Bodies and forces that need more than two of their own machine
    for (size_t i = 0; i < spec->body_count; ++i) {
        driven = driven || hf_body_ops_of(spec->bodies[i].type)->drive != NULL;
        own = own || spec->bodies[i].type == HF_BODY_OWN;
    }
    for (size_t i = 0; i < spec->force_count; ++i) {
        const hf_coupling_def *c = &spec->forces[i].coupling;
        many = many || c->member_count > 0;
        sums = sums || c->term_count + c->coordinate_count > 0;
        own = own || c->kind != NULL;
        loads = loads || spec->forces[i].normal.load != HF_LOAD_NONE;
    }
    // The first that is found
    return spec->loop_count > 0        ? "it has loops"
           : many                      ? "it has contacts among many bodies"
           : driven                    ? "it has driven bodies"
           : model->observed_count > 0 ? "it has signals of channels"
           : sums                      ? "it has forces on sums of coordinates"
           : loads                     ? "it has frictions that reactions load"
           : own                       ? "it has bodies or couplings of your own"
                                       : "it has shapes or their pairs";
}

static hf_status refuse_method(hf_error *error)
{
    char why[200] = "its method is none of ";
    size_t used = strlen(why);
    unsigned set = 0;
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        set |= hf_method_info_get((hf_method_type)i)->side_by_side ? 1u << i : 0u;
    }
    hf_method_list(set, ", ", why + used, sizeof why - used);
    return refuse(error, why);
}

static hf_status check_fit(const hf_model *model, const hf_sim_def *def, hf_error *error)
{
    if (!hf_method_info_get(def->method.type)->side_by_side) {
        return refuse_method(error);
    }
    if (def->controller_count > 0 || model->clock_count > 0) {
        return refuse(error, "it has controllers");
    }
    bool alone =
        hf_spec_stands_alone(model->spec) && model->swarm_count == 0 && model->observed_count == 0;
    bool stepwise = false;
    for (int g = 0; g < model->group_count; ++g) {
        stepwise = stepwise || model->groups[g].stepwise;
    }
    return !alone     ? refuse(error, name_reason(model))
           : stepwise ? refuse(error, "it has laws that are found over whole steps")
                      : HF_OK;
}

hf_batch *hf_batch_create(const hf_model *model, const hf_sim_def *def, int count, hf_error *error)
{
    hf_sim_def chosen = def == NULL ? hf_sim_def_default(model) : *def;
    if (count < 1 || count > HF_BATCH_MOST) {
        (void)hf_error_set(error, HF_ERROR_RANGE, "a batch has 1 to %d runs, not %d", HF_BATCH_MOST,
                           count);
        return NULL;
    }
    if (check_fit(model, &chosen, error) < 0) {
        return NULL;
    }
    hf_batch *batch = calloc(1, sizeof *batch);
    hf_spec *spec = batch == NULL ? NULL : hf_spec_side_by_side(model->spec, count);
    if (spec == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d runs", count);
        free(batch);
        return NULL;
    }
    *batch = (hf_batch){.one = model, .count = count, .all = hf_model_compile(spec, error)};
    hf_spec_destroy(spec);
    batch->sim = batch->all == NULL ? NULL : hf_sim_create(batch->all, &chosen, error);
    if (batch->sim == NULL) {
        hf_batch_destroy(batch);
        return NULL;
    }
    return batch;
}

void hf_batch_destroy(hf_batch *batch)
{
    if (batch != NULL) {
        hf_sim_destroy(batch->sim);
        hf_model_destroy(batch->all);
        free(batch);
    }
}

hf_sim *hf_batch_sim(hf_batch *batch)
{
    return batch->sim;
}

hf_body hf_batch_body(const hf_batch *batch, int run, hf_body body)
{
    HF_ASSERT(run >= 0 && run < batch->count);
    return (hf_body){body.id + run * batch->one->body_count};
}

hf_signal hf_batch_signal(const hf_batch *batch, int run, hf_signal signal)
{
    HF_ASSERT(run >= 0 && run < batch->count);
    return (hf_signal){signal.id + run * batch->one->signal_count};
}

// COMPONENT.REST, with the mark of the run behind the component.
static hf_status mark(const hf_batch *batch, int run, const char *name, char *to, size_t size)
{
    const hf_names *names = &batch->one->spec->names;
    HF_ASSERT(run >= 0 && run < batch->count);
    for (size_t length = strlen(name); length > 0; --length) {
        if (name[length] == '.' && hf_names_find(names, name, length) >= 0) {
            int more = run == 0
                           ? snprintf(to, size, "%s", name)
                           : snprintf(to, size, "%.*s#%d%s", (int)length, name, run, name + length);
            return more >= 0 && (size_t)more < size ? HF_OK : HF_ERROR_RANGE;
        }
    }
    return HF_ERROR_NAME;
}

hf_channel hf_batch_channel(const hf_batch *batch, int run, hf_channel channel)
{
    char name[NAME_SIZE], marked[NAME_SIZE];
    hf_model_channel_name(batch->one, channel, name, sizeof name);
    if (strlen(name) + 1 >= sizeof name || mark(batch, run, name, marked, sizeof marked) < 0) {
        return (hf_channel){0};
    }
    return hf_model_find_channel(batch->all, marked);
}

hf_status hf_batch_parameter(const hf_batch *batch, int run, const char *name, char *to,
                             size_t size)
{
    return mark(batch, run, name, to, size);
}
