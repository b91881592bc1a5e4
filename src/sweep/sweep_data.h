// SPDX-License-Identifier: Apache-2.0
// A sweep from the inside, for its own files and for the program that runs it under MPI.
#ifndef HF_SWEEP_SWEEP_DATA_H
#define HF_SWEEP_SWEEP_DATA_H

#include <pthread.h>
#include <stdatomic.h>

#include "sweep/plan.h"
#include "sweep/runner.h"
#include "sweep/store.h"

struct hf_sweep {
    hf_arena arena;
    hf_sweep_def def; // with strings of our own
    char *text;       // of the model
    char *folder;
    hf_model_file *file; // parsed
    hf_source_model source;
    const char *title; // the model's name
    hf_plan plan;
    hf_observe observe;
    const char **expressions;       // of the outputs, as given
    const char **units;             // of the outputs
    const char **axis_units;        // of the axes
    unsigned long long fingerprint; // of all that the table depends on
    hf_case_rules rules;
    pthread_mutex_t recording_lock, progress_lock;
    hf_store store;
    bool opened;
    bool finished;       // the table was there before
    atomic_bool stopped; // on request
    hf_sweep_progress progress;
    hf_error error; // the first of any thread
};

// Roles of columns: what a value is, and how the case can be run again.
#define HF_ROLE_CASE    "case"
#define HF_ROLE_VERDICT "verdict"
#define HF_ROLE_TIME    "time"
#define HF_ROLE_MESSAGE "message"
#define HF_ROLE_OUTPUT  "output:" // and the expression
#define HF_ROLE_SET     "set:"    // and the path

// ------------------------------------------------------------------------------------------------
// Running, piece by piece. hf_sweep_run does all of it on threads.

// Opens OUTPUT.cases, takes over what other parts have finished, and counts.
HF_NODISCARD hf_status hf_sweep_begin(hf_sweep *sweep, hf_error *error);
// Whether this sweep (or this shard) has to run the case.
HF_NODISCARD hf_status hf_sweep_wants(const hf_sweep *sweep, long long index, bool *wanted,
                                      hf_error *error);
// Runs a case. `outputs` has room for sweep->observe.output_count numbers.
HF_NODISCARD hf_status hf_sweep_compute(const hf_sweep *sweep, hf_runner *runner, long long index,
                                        hf_case_result *result, double *outputs, hf_error *error);
// Keeps its result and counts it. Several threads may.
HF_NODISCARD hf_status hf_sweep_keep(hf_sweep *sweep, long long index, const hf_case_result *result,
                                     const double *outputs, hf_error *error);
// When nothing is missing: writes the table and removes what it was made from.
HF_NODISCARD hf_status hf_sweep_finish(hf_sweep *sweep, hf_error *error);

// Values of all axes in a case. `values` has room for plan->axis_count.
void hf_plan_case(const hf_plan *plan, long long index, hf_case_value *values);

// resolve.c: how the values of every axis reach the machine. The reference is a model of the sweep.
HF_NODISCARD hf_status hf_sweep_resolve(hf_sweep *sweep, hf_error *error);

// table.c
HF_NODISCARD hf_status hf_sweep_write_table(hf_sweep *sweep, hf_error *error);

#endif
