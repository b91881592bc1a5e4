// SPDX-License-Identifier: Apache-2.0
// The page that web/ builds, embedded by page_template.cmake.
#ifndef HF_REPORT_PAGE_TEMPLATE_H
#define HF_REPORT_PAGE_TEMPLATE_H

#include <stddef.h>

extern const unsigned char hf_page_template[];
extern const size_t hf_page_template_size; // 0: it was not built

#endif
