// SPDX-License-Identifier: Apache-2.0
// The page of a run that is just being made (`holdfast run --report`).
#ifndef HF_CLI_REPORT_H
#define HF_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <holdfast/record.h>

typedef struct hf_cli_page {
    const char *path;      // of the page; NULL: none is wanted
    const char *label;     // how it calls the run
    const char *recording; // HDF5 file to record to
    bool temporary;        // the recording is only for the page
    char folder[256], file[280];
} hf_cli_page;

// Chooses the recording: `output` if it is HDF5, else a temporary file. False after a message.
bool hf_cli_page_begin(hf_cli_page *page, const char *path, const char *output, const char *label);
// Writes the page from the closed recording and removes a temporary one. `write` false: only
// removes. An exit code.
int hf_cli_page_end(hf_cli_page *page, bool write);

// Runs all cases of a sweep's table again and writes case-K.html of each that did not fail into the
// folder `name` beside the page. An exit code, after a message.
int hf_cli_run_pages(const hf_table *table, const char *page, const char *name);

// Whether this program has the page's template; a message if not.
bool hf_cli_page_can_be_made(void);
// Creates a temporary folder and writes its name. False after a message.
bool hf_cli_page_folder(char *folder, size_t size);
// Whether a page can be called so; a message if not.
bool hf_cli_page_check_name(const char *command, const char *path);
// The same of a figure.
bool hf_cli_figure_check_name(const char *command, const char *path);

#endif
