// SPDX-License-Identifier: Apache-2.0
#include "cli/nlp.h"

#include <stdio.h>

#include <holdfast/nlp.h>

const hf_method_table *hf_cli_nlp_methods(void)
{
    return hf_nlp_methods();
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
            (void)printf("%s%s %lld", separator, hf_nlp_ending_name((hf_nlp_ending)i),
                         stats->nlp_endings[i]);
            separator = ", ";
        }
    }
    (void)printf("\n               %.1f iterations a program, residual %.2g at most\n",
                 (double)stats->solver_iterations / (double)stats->nlp_programs,
                 stats->worst_residual);
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
    hf_json_count(json, "iterations", stats->solver_iterations);
    hf_json_number(json, "worst_residual", stats->worst_residual);
    hf_json_begin(json, "endings");
    for (int i = 0; i < HF_NLP_ENDING_COUNT; ++i) {
        if (stats->nlp_endings[i] > 0) {
            hf_json_count(json, hf_nlp_ending_name((hf_nlp_ending)i), stats->nlp_endings[i]);
        }
    }
    hf_json_end(json);
    hf_json_end(json);
}
