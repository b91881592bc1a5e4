// SPDX-License-Identifier: Apache-2.0
// Figures of several panels, each with axes of its own, drawn by gnuplot.
#ifndef HF_REPORT_PANELS_H
#define HF_REPORT_PANELS_H

#include <holdfast/base.h>

typedef struct hf_curve {
    const char *name;    // "": not in the key
    const double *x, *y; // [count]; numbers that are not finite make gaps
    size_t count;
    bool points; // marks instead of a line
} hf_curve;

typedef struct hf_panel {
    const char *title; // "": none
    const char *x_label, *y_label;
    double x_scale, y_scale; // numbers are multiplied by these; 0: by 1
    bool log_x;
    const hf_curve *curves;
    int curve_count;
} hf_panel;

typedef struct hf_panels_def {
    const char *output; // its ending selects the format: .svg, .png or .pdf
    const char *title;  // "": none
    int columns;        // >= 1
    bool one_key;       // all panels have the same curves: the key stands in the first one
    const hf_panel *panels;
    int panel_count; // >= 1
} hf_panels_def;

// Runs gnuplot, waits for it, and replaces the output only by a complete figure.
HF_NODISCARD hf_status hf_panels_draw(const hf_panels_def *def, hf_error *error);

#endif
