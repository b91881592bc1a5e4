// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "cli/nlp.h"
#include "sim/method_info.h"

static bool serves(hf_method_type type)
{
    return type == HF_METHOD_NLP;
}

static hf_status create(hf_sim *sim, hf_error *error)
{
    const hf_method_info *info = hf_method_info_get(sim->core->method.type);
    return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                        "method %s: this holdfast was built without %s; %s solves the same steps",
                        info->name, info->package, hf_method_name(HF_METHOD_TIMESTEP));
}

static void destroy(hf_sim *sim)
{
    (void)sim;
}

static const hf_method_table table = {.serves = serves, .create = create, .destroy = destroy};

const hf_method_table *hf_cli_nlp_methods(void)
{
    return &table;
}

void hf_cli_print_nlp(const hf_sim_stats *stats)
{
    (void)stats;
}

void hf_cli_write_nlp(hf_json *json, const hf_sim_stats *stats)
{
    (void)json;
    (void)stats;
}
