// SPDX-License-Identifier: Apache-2.0
// Logs of `holdfast fit`: CSV as the library reads it, and recordings in HDF5.
#include <math.h>

#include "base/error.h"
#include "cli/fit.h"
#include "cli/recording.h"
#include "record/format.h"

// A recording must hold what a log must: rows, times that rise, finite numbers.
static hf_status check(const char *path, const hf_recording *r, hf_error *error)
{
    if (r->samples < 2) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%.300s: a log needs two samples at least, got %lld", path, r->samples);
    }
    for (long long k = 0; k < r->samples; ++k) {
        if (!isfinite(r->time[k]) || (k > 0 && !(r->time[k] > r->time[k - 1]))) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "%.300s: sample %lld: the time %g s does not rise", path, k + 1,
                                r->time[k]);
        }
        for (int i = 0; i < r->channel_count; ++i) {
            if (!isfinite(r->values[i][k])) {
                return hf_error_set(error, HF_ERROR_INPUT,
                                    "%.300s: sample %lld: '%.100s' is not finite", path, k + 1,
                                    r->names[i]);
            }
        }
    }
    return HF_OK;
}

hf_fit_log *hf_cli_fit_read_log(const char *path, hf_error *error)
{
    if (hf_file_format_of(path) != HF_FILE_HDF5) {
        return hf_fit_log_read(path, error);
    }
    // The recording
    hf_recording *recording = hf_cli_read_recording(path, error);
    hf_fit_log *log = NULL;
    if (recording == NULL || check(path, recording, error) != HF_OK) {
        hf_recording_destroy(recording);
        return NULL;
    }
    // Its columns
    log = hf_fit_log_create(path, recording->samples, (const char *const *)recording->names,
                            recording->channel_count);
    if (log == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (long long k = 0; log != NULL && k < recording->samples; ++k) {
        log->time[k] = recording->time[k];
        for (int i = 0; i < recording->channel_count; ++i) {
            log->columns[i][k] = recording->values[i][k];
        }
    }
    hf_recording_destroy(recording);
    return log;
}
