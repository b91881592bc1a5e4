// SPDX-License-Identifier: Apache-2.0
// Figures of the page of a fit: curves over axes, as SVG within a card.
#ifndef HF_CLI_FIT_FIGURES_H
#define HF_CLI_FIT_FIGURES_H

#include <stdbool.h>
#include <stdio.h>

// A figure in work. y0 > y1: nothing was seen yet.
typedef struct hf_cli_figure {
    FILE *file;
    int width, height;     // in units of the drawing
    double x0, x1, y0, y1; // ranges
} hf_cli_figure;

// A curve: its class gives it its colour, its name stands in the legend.
typedef struct hf_cli_curve {
    const char *paint, *name;
} hf_cli_curve;

// Rules of style for pages with figures.
extern const char hf_cli_page_style[];

// A text as HTML: nothing of it is markup.
void hf_cli_page_text(FILE *file, const char *text);

// As wide as the page, with ranges of x; as wide as a third of it.
hf_cli_figure hf_cli_figure_wide(FILE *file, double x0, double x1);
hf_cli_figure hf_cli_figure_small(FILE *file, double x0, double x1);
// Takes these numbers, where they are finite, into the range of y.
void hf_cli_figure_widen(hf_cli_figure *f, const double *y, long long count);
// A card with a heading, its unit, the names of curves, and the axes.
void hf_cli_figure_begin(hf_cli_figure *f, const char *title, const char *unit,
                         const hf_cli_curve *curves, int count, const char *across);
// A line through at most 3000 of these points; it breaks where a number is not finite.
void hf_cli_figure_line(const hf_cli_figure *f, const char *paint, const double *x, const double *y,
                        long long count);
void hf_cli_figure_dots(const hf_cli_figure *f, const char *paint, const double *x, const double *y,
                        long long count);
// A band over a range of x.
void hf_cli_figure_band(const hf_cli_figure *f, const char *paint, double x0, double x1);
void hf_cli_figure_end(const hf_cli_figure *f);

#endif
