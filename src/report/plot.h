// SPDX-License-Identifier: Apache-2.0
// Figures of recorded runs, drawn by gnuplot.
#ifndef HF_REPORT_PLOT_H
#define HF_REPORT_PLOT_H

#include <holdfast/record.h>

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
HF_NODISCARD hf_status hf_plot(const hf_recording *recording, const hf_plot_def *def,
                               hf_error *error);

#endif
