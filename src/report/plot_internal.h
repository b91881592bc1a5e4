// SPDX-License-Identifier: Apache-2.0
// The parts of a figure.
#ifndef HF_REPORT_PLOT_INTERNAL_H
#define HF_REPORT_PLOT_INTERNAL_H

#include <stdio.h>

#include <holdfast/report.h>

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

// Finds the channels that a figure shows and sorts them into panels. figure: recording, format,
// title and x = -1 are given.
hf_status hf_plot_arrange(hf_figure *figure, const hf_plot_def *def, hf_error *error);

// Writes gnuplot commands and data of an hf_figure. HF_ERROR_FILE or HF_ERROR_MEMORY on failure.
hf_status hf_plot_write_script(const void *figure, FILE *script, hf_error *error);

// By the ending of a file name.
hf_figure_format hf_plot_format_of(const char *path);
// Has a script written, runs gnuplot on it, and replaces `output` by the complete figure.
hf_status hf_plot_make(const char *output,
                       hf_status (*write)(const void *figure, FILE *script, hf_error *error),
                       const void *figure, hf_error *error);

// Parts of scripts.
typedef struct hf_plot_range {
    double low, high; // low > high: empty
} hf_plot_range;
hf_plot_range hf_plot_range_of(const double *values, size_t count); // of the finite ones
hf_plot_range hf_plot_range_join(hf_plot_range a, hf_plot_range b);
// "set xrange [...]" with a margin on both sides, as a part of the range's size.
void hf_plot_write_range(FILE *script, const char *axis, hf_plot_range range, double margin);
void hf_plot_write_terminal(FILE *script, hf_figure_format format, int width, int height);
void hf_plot_write_style(FILE *script);
// A text of at most `length` bytes in single quotes.
void hf_plot_write_quoted(FILE *script, const char *text, size_t length);
// "$dataN << ..." of at most HF_THIN_LONGEST points, thinned if there are more. `kept` has room for
// HF_THIN_ROOM.
void hf_plot_write_data(FILE *script, int number, const double *x, const double *y, size_t count,
                        size_t *kept);
// "dashtype D linecolor rgb 'C'" of the n-th curve.
void hf_plot_write_look(FILE *script, int number);

// Runs gnuplot on a script; the figure goes to `figure`.
hf_status hf_plot_run_gnuplot(FILE *script, FILE *figure, hf_error *error);

#endif
