// SPDX-License-Identifier: Apache-2.0
// The parts of a figure.
#ifndef HF_REPORT_PLOT_INTERNAL_H
#define HF_REPORT_PLOT_INTERNAL_H

#include <stdio.h>

#include "report/plot.h"

typedef enum hf_figure_format {
    HF_FIGURE_UNKNOWN,
    HF_FIGURE_SVG,
    HF_FIGURE_PNG,
    HF_FIGURE_PDF
} hf_figure_format;

enum { HF_PLOT_MAX_CURVES = 64 };

// What is drawn, sorted into panels.
typedef struct hf_figure {
    const hf_recording *recording;
    hf_figure_format format;
    const char *title;
    int x; // index of the channel, -1: time
    int curve_count;
    int curves[HF_PLOT_MAX_CURVES]; // indices of channels, in the order asked for
    int panels[HF_PLOT_MAX_CURVES]; // panel of each curve, from 0
    int panel_count;
} hf_figure;

// The quantity of a channel: "velocity" of "sphere.velocity.x". Not terminated: *length bytes.
const char *hf_plot_quantity(const char *name, size_t *length);

// Writes gnuplot commands and data. HF_ERROR_FILE or HF_ERROR_MEMORY on failure.
hf_status hf_plot_write_script(const hf_figure *figure, FILE *script, hf_error *error);

// Runs gnuplot on a script; the figure goes to `figure`.
hf_status hf_plot_run_gnuplot(FILE *script, FILE *figure, hf_error *error);

#endif
