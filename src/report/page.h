// SPDX-License-Identifier: Apache-2.0
// One HTML page that shows recorded runs: plots, tables and a 3-D replay, with everything inside.
#ifndef HF_REPORT_PAGE_H
#define HF_REPORT_PAGE_H

#include <holdfast/record.h>

typedef struct hf_page_run {
    const hf_recording *recording;
    const char *label; // how the page calls it, beside other runs
} hf_page_run;

// Whether the page's template (web/) was built into this library.
bool hf_page_is_built(void);

// Writes the page. An existing file is replaced. HF_ERROR_UNSUPPORTED when the template was not
// built in, HF_ERROR_FILE when writing fails: nothing is left then.
HF_NODISCARD hf_status hf_page_write(const char *path, const hf_page_run *runs, int count,
                                     hf_error *error);

#endif
