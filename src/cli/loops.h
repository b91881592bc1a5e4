// SPDX-License-Identifier: Apache-2.0
// What is said about loops: by `check`, and after a run.
#ifndef HF_CLI_LOOPS_H
#define HF_CLI_LOOPS_H

#include <holdfast/sim.h>

#include "base/json.h"

// A table of loops, and what is redundant. Nothing when there are none.
void hf_cli_print_loops(const hf_model *model);

// Velocities of the start that loops have changed: at most five warnings.
void hf_cli_warn_start(const hf_model *model);
// "3 loops: 9 rows, 9 independent; 3 degrees of freedom". Nothing when there are none.
void hf_cli_print_loop_sizes(const hf_model *model);
// The largest openings of a run. Nothing when there are no loops.
void hf_cli_print_openings(const hf_sim *sim);
void hf_cli_write_loops(hf_json *json, const hf_sim *sim);

#endif
