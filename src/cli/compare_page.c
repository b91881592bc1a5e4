// SPDX-License-Identifier: Apache-2.0
// The page of a comparison: all its runs over each other.
#include "cli/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/report.h"
#include <holdfast/report.h>

int hf_cli_compare_page_begin(hf_cli_compare_page *page, hf_cli_comparison *c)
{
    if (page->path == NULL) {
        return HF_CLI_DONE;
    }
    page->folder[0] = '\0';
    (void)pthread_mutex_init(&page->lock, NULL);
    page->files = calloc((size_t)c->count + 1, sizeof *page->files);
    if (page->files == NULL) {
        return hf_cli_error("out of memory");
    }
    if (!hf_cli_page_can_be_made() || !hf_cli_page_folder(page->folder, sizeof page->folder)) {
        return HF_CLI_FAILED;
    }
    for (int i = 0; i < c->count; ++i) {
        (void)snprintf(page->files[i], sizeof page->files[i], "%s/%d.h5", page->folder, i);
        c->trials[i].recording = page->files[i];
        c->trials[i].recording_lock = &page->lock;
    }
    return HF_CLI_DONE;
}

// Reads what was recorded. The number of runs; those that did not begin have no recording.
static int read_all(const hf_cli_compare_page *page, const hf_cli_comparison *c, hf_page_run *runs)
{
    int count = 0;
    for (int i = 0; i < c->count; ++i) {
        const hf_cli_trial *t = &c->trials[i];
        hf_error error = t->unrecorded;
        bool whole = t->created && error.status >= 0;
        hf_recording *recording = whole ? hf_recording_read(page->files[i], &error) : NULL;
        if (recording != NULL) {
            runs[count++] = (hf_page_run){recording, t->label};
        } else if (t->created) {
            hf_cli_warning("'%s' is not on the page: %s", t->label, error.text);
        }
    }
    return count;
}

static int write_page(const hf_cli_compare_page *page, const hf_cli_comparison *c)
{
    hf_page_run *runs = calloc((size_t)c->count + 1, sizeof *runs);
    if (runs == NULL) {
        return hf_cli_error("out of memory");
    }
    int count = read_all(page, c, runs);
    hf_error error = {0};
    hf_status status = hf_page_write(page->path, runs, count, &error);
    if (status != HF_OK) {
        hf_cli_report(&error);
    }
    for (int i = 0; i < count; ++i) {
        hf_recording_destroy((hf_recording *)runs[i].recording);
    }
    free(runs);
    return status == HF_OK ? HF_CLI_DONE : HF_CLI_FAILED;
}

int hf_cli_compare_page_end(hf_cli_compare_page *page, const hf_cli_comparison *c, bool write)
{
    if (page->path == NULL) {
        return HF_CLI_DONE;
    }
    int code = write ? write_page(page, c) : HF_CLI_DONE;
    for (int i = 0; page->files != NULL && page->folder[0] != '\0' && i < c->count; ++i) {
        (void)remove(page->files[i]);
    }
    if (page->folder[0] != '\0') {
        (void)rmdir(page->folder);
    }
    free(page->files);
    (void)pthread_mutex_destroy(&page->lock);
    return code;
}
