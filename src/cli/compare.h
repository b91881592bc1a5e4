// SPDX-License-Identifier: Apache-2.0
// What `holdfast compare` prints and draws.
#ifndef HF_CLI_COMPARE_H
#define HF_CLI_COMPARE_H

#include "cli/cli.h"
#include "cli/trial.h"

enum { HF_CLI_FILE_SIZE = 300 };

typedef struct hf_cli_comparison {
    const char *model; // as given on the command line
    hf_cli_trial *trials;
    int count;
} hf_cli_comparison;

void hf_cli_compare_table(const hf_cli_comparison *comparison);
void hf_cli_compare_json(const hf_cli_comparison *comparison);
// Recordings of the trials in a temporary folder, and the page that is made of them.
typedef struct hf_cli_compare_page {
    const char *path; // of the page; NULL: none is wanted
    char folder[256];
    char (*files)[HF_CLI_FILE_SIZE]; // of each trial
    pthread_mutex_t lock;
} hf_cli_compare_page;

// Tells each trial where to record to. An exit code, after a message if it is not HF_CLI_DONE.
int hf_cli_compare_page_begin(hf_cli_compare_page *page, hf_cli_comparison *comparison);
// Writes the page (`write`) and removes the recordings. An exit code likewise.
int hf_cli_compare_page_end(hf_cli_compare_page *page, const hf_cli_comparison *comparison,
                            bool write);

// An exit code, after a message if it is not HF_CLI_DONE.
int hf_cli_compare_csv(const hf_cli_comparison *comparison, const char *path);
// One panel for each channel, a curve for each trial, or (`separate`) the other way round.
// `channels` empty: all that are recorded, but modes and inner states.
int hf_cli_compare_figure(const hf_cli_comparison *comparison, const char *path,
                          const hf_cli_list *channels, bool separate);

#endif
