// SPDX-License-Identifier: Apache-2.0
// What every run says.
#ifndef HF_CLI_SUMMARY_H
#define HF_CLI_SUMMARY_H

#include <holdfast/sim.h>

#include "cli/clock.h"

#include "cli/events.h"
#include "cli/verify.h"

typedef struct hf_cli_outcome {
    const char *model_word; // as given on the command line
    hf_sim *sim;
    double duration;     // as planned [s]
    double wall_seconds; // of stepping and recording
    const char *status;  // "completed", "interrupted" or "failed"
    const char *message; // "" when completed
    const char *output;  // NULL: not recorded
    long long samples;
    const hf_cli_timing *timing; // NULL: not on the clock
    const hf_cli_events *events;
    const hf_cli_verify *verify;
    const hf_verdict *verdict;
} hf_cli_outcome;

// Simulated time over wall time; infinite for a run too short to be measured.
double hf_cli_real_time_factor(const hf_cli_outcome *outcome);
// Residual over turnover; 0 when neither is there, infinite where either left the finite numbers.
double hf_cli_relative_residual(const hf_energy *energy);

// To stdout: tables for people, or one JSON object.
void hf_cli_print_summary(const hf_cli_outcome *outcome);
void hf_cli_print_json(const hf_cli_outcome *outcome);

#endif
