// SPDX-License-Identifier: Apache-2.0
// Filling hf_error, and passing failures on.
#ifndef HF_BASE_ERROR_H
#define HF_BASE_ERROR_H

#include <holdfast/base.h>

// Fills *error (which may be NULL) and returns status.
hf_status hf_error_set(hf_error *error, hf_status status, const char *format, ...) HF_PRINTF(3, 4);

// Puts "file:line:column: " before the text and keeps the place.
void hf_error_locate(hf_error *error, const char *file, int line, int column);

// The X-macro's text of a status.
const char *hf_status_text(hf_status status);

#define HF_TRY(call)                                                                               \
    do {                                                                                           \
        hf_status hf_try_status = (call);                                                          \
        if (hf_try_status < 0)                                                                     \
            return hf_try_status;                                                                  \
    } while (0)

// Programmer errors. On in every preset but release.
#ifdef HF_RELEASE
#define HF_ASSERT(condition) ((void)sizeof(condition))
#else
#include <assert.h>
#define HF_ASSERT(condition) assert(condition)
#endif

#endif
