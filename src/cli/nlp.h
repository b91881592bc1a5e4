// SPDX-License-Identifier: Apache-2.0
// Method nlp in the command: in a module, if it was built with IPOPT.
#ifndef HF_CLI_NLP_H
#define HF_CLI_NLP_H

#include <holdfast/sim.h>

#include "base/json.h"

// Serves HF_METHOD_NLP. Without IPOPT: by an error that says so.
const hf_method_table *hf_cli_nlp_methods(void);

// Programs, starts and endings of a run; nothing for other methods.
void hf_cli_print_nlp(const hf_sim_stats *stats);
void hf_cli_write_nlp(hf_json *json, const hf_sim_stats *stats);

#endif
