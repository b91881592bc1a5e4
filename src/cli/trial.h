// SPDX-License-Identifier: Apache-2.0
// One run of a comparison: a machine under a law, a method and a step.
#ifndef HF_CLI_TRIAL_H
#define HF_CLI_TRIAL_H

#include <pthread.h>

#include <holdfast/models.h>
#include <holdfast/sim.h>

#include "cli/watch.h"

enum { HF_CLI_LABEL_SIZE = 120, HF_CLI_NAME_SIZE = 160 };

typedef struct hf_cli_force_result {
    char name[HF_CLI_NAME_SIZE];
    hf_force_stats stats;
    hf_cli_hold hold;
} hf_cli_force_result;

typedef struct hf_cli_value {
    char name[HF_CLI_NAME_SIZE];
    char unit[24];
    double value;  // at the end
    double *curve; // [samples]
} hf_cli_value;

typedef struct hf_cli_trial {
    // What to run
    char label[HF_CLI_LABEL_SIZE];
    const char *model; // file or example
    hf_overrides overrides;
    hf_law_change law;
    const char *method;              // NULL: the model's
    char dropped[HF_CLI_NAME_SIZE];  // keys of the model's method that it does not take
    double step, duration;           // NaN: the model's [s]
    const char *recording;           // HDF5 file to record to; NULL: none
    hf_error unrecorded;             // why the recording is not whole
    pthread_mutex_t *recording_lock; // of all trials: the HDF5 library is not for several threads
    // What came of it
    hf_status status; // of reading, creating and running
    hf_error error;
    bool created; // it ran, perhaps not to its end
    hf_method_def used;
    double end;         // time reached [s]
    double cpu_seconds; // of stepping
    hf_sim_stats stats;
    hf_energy energy;
    hf_verdict verdict;
    double smallest_stable_step; // of all forces [s]
    int force_count;             // friction forces
    hf_cli_force_result *forces;
    int value_count; // recorded channels
    hf_cli_value *values;
    long long samples;
    double *time;             // [samples]
    struct hf_record *record; // while it runs
    // The worst of its friction forces
    double drift, largest_force;
    char drift_unit[12]; // of the force that drifts most; "" without one
    long long chatter;
} hf_cli_trial;

// Loads, runs and measures. Prints nothing; may be called from several threads.
void hf_cli_trial_run(hf_cli_trial *trial);
// Runs all of them on `threads` threads. The results do not depend on how many.
void hf_cli_trials_run(hf_cli_trial *trials, int count, int threads);
void hf_cli_trial_free(hf_cli_trial *trial);

#endif
