// SPDX-License-Identifier: Apache-2.0
// The bytes of a file, and whether they are text.
#ifndef HF_BASE_FILE_H
#define HF_BASE_FILE_H

#include <holdfast/base.h>

// No file that Holdfast reads whole may be larger.
enum { HF_FILE_MAX_BYTES = 64 * 1024 * 1024 };

// Checks that the text is UTF-8 without control characters.
HF_NODISCARD hf_status hf_text_check(const char *text, size_t length, const char *label,
                                     hf_error *error);

// Reads a file of at most HF_FILE_MAX_BYTES. The caller frees *text, which ends with a zero.
// `label` stands for it in messages. `regular_only` refuses what is not a regular file.
HF_NODISCARD hf_status hf_text_read(const char *path, const char *label, bool regular_only,
                                    char **text, size_t *length, hf_error *error);

#endif
