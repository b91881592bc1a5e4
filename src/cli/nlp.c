// SPDX-License-Identifier: Apache-2.0
// Method nlp in the command: its table, and the module that has the method itself.
#include "cli/nlp.h"

#include <stdio.h>

#include <holdfast/contact.h>

#include "base/error.h"
#include "cli/modules/module.h"
#include "sim/method_info.h"

// ------------------------------------------------------------------------------------------------
// The method's table, until the module with the method is there

static bool serves(hf_method_type type)
{
    return type == HF_METHOD_NLP;
}

// Loads the module, which takes the sim over: from here on it is served by the module's table.
static hf_status create(hf_sim *sim, hf_error *error)
{
    if (!HF_HAS_IPOPT) {
        const hf_method_info *info = hf_method_info_get(sim->core->method.type);
        return hf_error_set(
            error, HF_ERROR_UNSUPPORTED,
            "method %s: this holdfast was built without %s; %s solves the same steps", info->name,
            info->package, hf_method_name(HF_METHOD_TIMESTEP));
    }
    const hf_nlp_module *module = (const hf_nlp_module *)hf_module_load("nlp", error);
    if (module == NULL) {
        return HF_ERROR_FILE;
    }
    sim->plugged = module->methods();
    return sim->plugged->create(sim, error);
}

static void destroy(hf_sim *sim)
{
    (void)sim;
}

// Memory is laid out before create. The method's steps are those of timestep.
static size_t kept_size(const hf_model *model)
{
    return hf_contact_methods()->kept_size(model);
}

const hf_method_table *hf_cli_nlp_methods(void)
{
    static const hf_method_table table = {
        .serves = serves, .create = create, .destroy = destroy, .kept_size = kept_size};
    return &table;
}

// ------------------------------------------------------------------------------------------------
// What came of it

static const char *ending_name(int ending)
{
    static const char *const names[HF_NLP_ENDING_COUNT] = {
#define ENDING_NAME(name) [HF_NLP_##name] = #name,
        HF_NLP_ENDING_LIST(ENDING_NAME)
#undef ENDING_NAME
            [HF_NLP_Other] = "another code",
    };
    return names[ending];
}

void hf_cli_print_nlp(const hf_sim_stats *stats)
{
    if (stats->nlp_programs == 0) {
        return;
    }
    (void)printf(
        "  IPOPT        %lld programs, %lld solved, %lld not; %lld starts:", stats->nlp_programs,
        stats->nlp_solved, stats->nlp_programs - stats->nlp_solved, stats->nlp_starts);
    const char *separator = " ";
    for (int i = 0; i < HF_NLP_ENDING_COUNT; ++i) {
        if (stats->nlp_endings[i] > 0) {
            (void)printf("%s%s %lld", separator, ending_name(i), stats->nlp_endings[i]);
            separator = ", ";
        }
    }
    (void)printf("\n               %.1f iterations a program, residual %.2g at most\n",
                 (double)stats->solver_iterations / (double)stats->nlp_programs,
                 stats->worst_residual);
    if (stats->nlp_left > 0) {
        (void)printf("               %lld of the solved are the friction-contact solver's: IPOPT "
                     "began there and ended farther away\n",
                     stats->nlp_left);
    }
}

void hf_cli_write_nlp(hf_json *json, const hf_sim_stats *stats)
{
    if (stats->nlp_programs == 0) {
        return;
    }
    hf_json_begin(json, "ipopt");
    hf_json_count(json, "programs", stats->nlp_programs);
    hf_json_count(json, "solved", stats->nlp_solved);
    hf_json_count(json, "starts", stats->nlp_starts);
    hf_json_count(json, "left", stats->nlp_left);
    hf_json_count(json, "iterations", stats->solver_iterations);
    hf_json_number(json, "worst_residual", stats->worst_residual);
    hf_json_begin(json, "endings");
    for (int i = 0; i < HF_NLP_ENDING_COUNT; ++i) {
        if (stats->nlp_endings[i] > 0) {
            hf_json_count(json, ending_name(i), stats->nlp_endings[i]);
        }
    }
    hf_json_end(json);
    hf_json_end(json);
}
