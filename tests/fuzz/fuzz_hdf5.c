// SPDX-License-Identifier: Apache-2.0
// Recordings in HDF5, with their pictures.
#include <holdfast/record.h>

#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hf_error error = {0};
    hf_recording *recording = hf_recording_read(hf_fuzz_file(data, size, ".h5"), &error);
    if (recording == NULL) {
        hf_fuzz_expect(error.status < 0 && error.text[0] != '\0', "a refusal has a reason");
        return 0;
    }
    double sum = 0.0;
    for (int i = 0; i < recording->channel_count; ++i) {
        hf_fuzz_expect(hf_recording_find(recording, recording->names[i]) == i,
                       "each channel is found by its name");
        for (long long k = 0; k < recording->samples; ++k) {
            sum += recording->time[k] + recording->values[i][k];
        }
    }
    (void)sum;
    hf_recording_destroy(recording);
    return 0;
}
