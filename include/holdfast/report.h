// SPDX-License-Identifier: Apache-2.0
// Recorded runs as figures, drawn by gnuplot, and as one HTML page. In the library holdfast-report.
#ifndef HOLDFAST_REPORT_H
#define HOLDFAST_REPORT_H

#include <holdfast/record.h>

#ifdef __cplusplus
extern "C" {
#endif

// A run among several.
typedef struct hf_page_run {
    const hf_recording *recording;
    const char *label; // how it is called beside other runs
} hf_page_run;

// ------------------------------------------------------------------------------------------------
// Figures

typedef struct hf_plot_def {
    const char *output;          // its ending selects the format: .svg, .png or .pdf
    const char *const *channels; // names, or groups such as sphere.position
    int channel_count;           // >= 1
    const char *x;               // channel of the horizontal axis; NULL: time
    const char *title;           // NULL: the recording's
} hf_plot_def;

// Draws the channels against time or against another channel (a phase portrait): one panel for each
// unit (for each quantity, where units are unknown), all with the same horizontal axis. Of long
// runs it draws what can be seen: every extreme stays. Runs gnuplot, waits for it, and replaces the
// output only by a complete figure.
HF_API HF_NODISCARD hf_status hf_plot(const hf_recording *recording, const hf_plot_def *def,
                                      hf_error *error);

// The same of several runs, over each other: one panel for each channel, one curve for each run.
// All of them must have the channels. Groups of channels are those of the first run.
HF_API HF_NODISCARD hf_status hf_plot_runs(const hf_page_run *runs, int count,
                                           const hf_plot_def *def, hf_error *error);

// Tables of sweeps: a column over another, as points; with `colour` a map of three.
typedef struct hf_table_plot_def {
    const char *output; // its ending selects the format: .svg, .png or .pdf
    const char *x, *y;  // columns
    const char *colour; // column; NULL: none
    const char *title;  // NULL: the table's
} hf_table_plot_def;

// Rows that have no number in one of the columns are left out. Columns of texts have a place for
// each. An axis whose values are in equal ratios is logarithmic. Runs gnuplot, as hf_plot does.
HF_API HF_NODISCARD hf_status hf_table_plot(const hf_table *table, const hf_table_plot_def *def,
                                            hf_error *error);

// ------------------------------------------------------------------------------------------------
// Pages: plots, tables and a 3-D replay, with everything inside

// Whether the page's template (web/) was built into this library.
HF_API bool hf_page_is_built(void);

// Writes the page. An existing file is replaced. HF_ERROR_UNSUPPORTED when the template was not
// built in, HF_ERROR_FILE when writing fails: nothing is left then.
HF_API HF_NODISCARD hf_status hf_page_write(const char *path, const hf_page_run *runs, int count,
                                            hf_error *error);

// The same of a sweep's table: a map, parallel coordinates, a matrix of pairs, and every case by a
// click. `file` is the table's name, for the command that runs a case again; `runs` a folder beside
// the page with a page case-K.html of every case K that did not fail, or NULL.
HF_API HF_NODISCARD hf_status hf_table_page_write(const char *path, const hf_table *table,
                                                  const char *file, const char *runs,
                                                  hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
