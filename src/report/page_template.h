// SPDX-License-Identifier: Apache-2.0
// The page that web/ builds, embedded by page_template.cmake.
#ifndef HF_REPORT_PAGE_TEMPLATE_H
#define HF_REPORT_PAGE_TEMPLATE_H

#include <stddef.h>
#include <stdio.h>

#include <holdfast/base.h>

extern const unsigned char hf_page_template[];
extern const size_t hf_page_template_size; // 0: it was not built

// Writes the page with what `write` puts into its gap; it returns NULL, or what went wrong
// (page.c).
hf_status hf_page_put(const char *path, const char *(*write)(FILE *file, const void *context),
                      const void *context, hf_error *error);

#endif
