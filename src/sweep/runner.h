// SPDX-License-Identifier: Apache-2.0
// One case: from its values to its row.
#ifndef HF_SWEEP_RUNNER_H
#define HF_SWEEP_RUNNER_H

#include <pthread.h>

#include <holdfast/models.h>
#include <holdfast/record.h>

#include "sweep/observe.h"
#include "sweep/plan.h"

// The machine of all cases. Nothing is owned.
typedef struct hf_source_model {
    const hf_model_file *file;
    const char *label, *folder;
    const char *const *sets;
    int set_count;
} hf_source_model;

// One value and how it reaches the machine.
typedef struct hf_case_value {
    const char *name; // of a parameter
    const char *path; // of a change
    hf_route route;
    hf_axis_value value;
} hf_case_value;

// How runs go: the same for all cases.
typedef struct hf_case_rules {
    const hf_source_model *source;
    const hf_observe *observe;            // NULL: nothing is kept
    double duration;                      // [s]; NaN: the model's
    double after;                         // [s]
    long long every;                      // steps between samples
    const hf_method_table *const *tables; // [HF_METHOD_TABLES]; NULL: none
    bool (*stop_wanted)(void *context);
    void *context;
    pthread_mutex_t *recording_lock; // HDF5 serializes nothing by itself; NULL: one thread
} hf_case_rules;

typedef enum hf_case_state {
    HF_CASE_MISSING,
    HF_CASE_TRUSTWORTHY,
    HF_CASE_DOUBTFUL,
    HF_CASE_FAILED
} hf_case_state;
enum { HF_CASE_MESSAGE = HF_ERROR_TEXT_SIZE };

typedef struct hf_case_result {
    hf_case_state state;
    double time;                   // reached [s]
    char message[HF_CASE_MESSAGE]; // why it failed, or is doubtful
} hf_case_result;

// The machine of some changes to the file: what a case needs before its parameters are set. It is
// kept for the next case with the same changes.
typedef struct hf_kept_model {
    hf_model *model;
    char *key; // the changes
} hf_kept_model;

// Compiles the machine of a case; NULL on error.
hf_model *hf_case_compile(const hf_source_model *source, const hf_case_value *values, int count,
                          hf_error *error);

// A sim that is reused from case to case, while only parameters of the machine vary.
typedef struct hf_live_sim {
    hf_sim *sim;
    bool tried;   // to make it, of this machine
    bool damaged; // its last run failed
} hf_live_sim;

// What one thread needs, case after case.
typedef struct hf_runner {
    const hf_case_rules *rules;
    hf_watcher *watcher;
    hf_kept_model kept;
    hf_live_sim live;
} hf_runner;

HF_NODISCARD hf_status hf_runner_open(hf_runner *runner, const hf_case_rules *rules,
                                      hf_error *error);
void hf_runner_close(hf_runner *runner);

// Runs a case. `outputs`: one number an output, NaN where it failed. `recording`: a file to write,
// or NULL. HF_INTERRUPTED: stopped on request, there is no result. An error is one of the sweep (a
// recording that cannot be written); what is wrong with the case itself is its result.
HF_NODISCARD hf_status hf_runner_run(hf_runner *runner, const hf_case_value *values, int count,
                                     const char *recording, hf_case_result *result, double *outputs,
                                     hf_error *error);

#endif
