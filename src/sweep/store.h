// SPDX-License-Identifier: Apache-2.0
// Finished cases on disk: OUTPUT.cases. Every case has a slot of its own, and what a slot holds is
// whole or not there, by its checksum: a program may be killed at any moment. Messages stand behind
// the slots. Threads write at the same time.
//
//   head (4096 bytes)   what the file is, the sweep's fingerprint, cases, outputs
//   slots               check, state, length and place of the message, time, outputs
//   messages
#ifndef HF_SWEEP_STORE_H
#define HF_SWEEP_STORE_H

#include <stdatomic.h>

#include "sweep/runner.h"

typedef struct hf_store {
    int file; // -1: closed
    char *path;
    unsigned long long fingerprint;
    long long count;
    int outputs;
    size_t slot;      // [bytes]
    atomic_llong end; // where the next message goes [bytes]
} hf_store;

// Opens the file of a sweep, or creates it, and locks it. *found: it was there with this
// fingerprint. HF_ERROR_STATE: it belongs to another sweep. HF_ERROR_FILE also when another program
// writes it.
HF_NODISCARD hf_status hf_store_open(hf_store *store, const char *path,
                                     unsigned long long fingerprint, long long count, int outputs,
                                     bool *found, hf_error *error);
// The same for reading alone; a file that is not there is an error.
HF_NODISCARD hf_status hf_store_look(hf_store *store, const char *path,
                                     unsigned long long fingerprint, long long count, int outputs,
                                     hf_error *error);
void hf_store_close(hf_store *store);

// Keeps a case. May be called from several threads.
HF_NODISCARD hf_status hf_store_put(hf_store *store, long long index, const hf_case_result *result,
                                    const double *outputs, hf_error *error);
// HF_CASE_MISSING in `result` when it is not there. `outputs` may be NULL.
HF_NODISCARD hf_status hf_store_get(const hf_store *store, long long index, hf_case_result *result,
                                    double *outputs, hf_error *error);

#endif
