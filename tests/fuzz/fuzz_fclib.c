// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems in FCLIB's format.
#include <holdfast/fclib.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hf_error error = {0};
    hf_fclib file;
    hf_status status = hf_fclib_read(hf_fuzz_file(data, size, ".hdf5"), &file, &error);
    hf_fuzz_expect(status == HF_OK || error.text[0] != '\0', "a refusal has a reason");
    hf_fuzz_expect((status == HF_OK) == (file.problem != NULL), "a problem was read, or refused");
    hf_fclib_clear(&file);
    return 0;
}
