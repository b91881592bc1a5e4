// SPDX-License-Identifier: Apache-2.0
// Whether a run's answer depends on its step: the same machine a second time with another step,
// and how far places are apart.
//
//   y(h) = y + C h^p + ...          the answer of a method of order p at the step h             (1)
//   y(2h) - y(h) = C h^p (2^p - 1)  is the error of y(h) or more for every p >= 1               (2)
//   y(h) - y(h/2) = C h^p (1 - 2^-p)  is half of the error of y(h) or more                      (3)
//
// A coarser companion, with twice the step, runs in a thread of its own beside the run and costs
// half of it. If places agree by (2) nothing else is run. If they do not, or if the companion
// fails, that may be the companion's own step: a finer one, with half the step, decides by (3).
// Methods that control their error take ten times, and a tenth of, the tolerances instead.
//
// Which companions run, and what is said, depends on their results alone, never on the clock.
#ifndef HF_CLI_VERIFY_H
#define HF_CLI_VERIFY_H

#include <holdfast/sim.h>

#include "base/json.h"
#include "cli/input.h"
#include "cli/model_source.h"

typedef struct hf_cli_verify hf_cli_verify;

typedef struct hf_cli_verify_def {
    const char *word; // the model, and how it was changed; both must stay
    const hf_overrides *overrides;
    const hf_cli_input *input; // values of inputs, which are repeated; NULL: none
    long long steps;           // of the run
    bool finer;                // the finer companion only, whatever the coarser one would say
    const char *why_not;       // not to compare, and why; NULL: compare
} hf_cli_verify_def;

// At the beginning of `sim`. Starts the coarser companion. What goes wrong here or later leaves the
// run uncompared, and says so. NULL: out of memory.
hf_cli_verify *hf_cli_verify_begin(const hf_cli_verify_def *def, hf_sim *sim);
// After step `step` of the sim (from 1).
void hf_cli_verify_step(hf_cli_verify *verify, long long step);
// After the last step: waits for companions, runs the finer one where it is needed, and compares.
// `trusted`: the run has no other reason for doubt (with one no finer companion is run). A run that
// did not come to its end is not compared: `completed` false stops everything at once.
void hf_cli_verify_finish(hf_cli_verify *verify, bool completed, bool trusted);

// What it adds to the verdict: a reason for doubt, or within what the run can be trusted.
void hf_cli_verify_judge(const hf_cli_verify *verify, hf_verdict *verdict);
// A line of the summary, and the object "verify".
void hf_cli_verify_print(const hf_cli_verify *verify);
void hf_cli_verify_write(hf_json *json, const hf_cli_verify *verify);

// NULL is allowed.
void hf_cli_verify_end(hf_cli_verify *verify);

#endif
