// SPDX-License-Identifier: Apache-2.0
// A figure as a gnuplot script. Names and titles come from files that are not trusted: they stand
// in single quotes only, where gnuplot replaces nothing, and on one line.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/plot_internal.h"
#include "report/thin.h"

// Okabe and Ito's colours, told apart by everyone; dashes tell rounds of them apart.
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000"};
enum { COLOUR_COUNT = sizeof colours / sizeof *colours };

enum { WIDTH = 900, SINGLE_HEIGHT = 480, PANEL_HEIGHT = 260, MOST_HEIGHT = 8000 };

void hf_plot_write_quoted(FILE *script, const char *text, size_t length)
{
    (void)fputc('\'', script);
    for (size_t i = 0; i < length && text[i] != '\0'; ++i) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\'') {
            (void)fputs("''", script);
        } else {
            (void)fputc(c < 0x20 || c == 0x7F ? ' ' : c, script);
        }
    }
    (void)fputc('\'', script);
}

void hf_plot_write_terminal(FILE *script, hf_figure_format format, int width, int height)
{
    height = height < MOST_HEIGHT ? height : MOST_HEIGHT;
    switch (format) {
    case HF_FIGURE_PNG: // twice the pixels: sharp on any screen
        (void)fprintf(script,
                      "set terminal pngcairo size %d,%d fontscale 2 linewidth 2 pointscale 2 "
                      "noenhanced font 'sans,12' background rgb 'white'\n",
                      2 * width, 2 * height);
        break;
    case HF_FIGURE_PDF:
        (void)fprintf(script, "set terminal pdfcairo size %gin,%gin noenhanced font 'sans,11'\n",
                      width / 100.0, height / 100.0);
        break;
    default:
        (void)fprintf(script,
                      "set terminal svg size %d,%d noenhanced font 'sans-serif,14' "
                      "background rgb 'white'\n",
                      width, height);
        break;
    }
}

void hf_plot_write_style(FILE *script)
{
    (void)fputs("set encoding utf8\n"
                "set border 3 linecolor rgb '#555555'\n"
                "set tics nomirror out scale 0.6 textcolor rgb '#222222'\n"
                "set grid linecolor rgb '#DDDDDD' linewidth 1 linetype 1 dashtype 1\n"
                "set key above left horizontal reverse Left samplen 2\n"
                "set lmargin 12\nset rmargin 3\n"
                "set datafile missing 'NaN'\n"
                "set zero 1e-300\n", // axes shorter than this count as empty: 1e-8 otherwise
                script);
}

// ------------------------------------------------------------------------------------------------
// Data

static const double *x_values(const hf_figure *figure)
{
    return figure->x < 0 ? figure->recording->time : figure->recording->values[figure->x];
}

static void write_point(FILE *script, double x, double y)
{
    if (isfinite(x) && isfinite(y)) {
        (void)fprintf(script, "%.9g %.9g\n", x, y);
    } else {
        (void)fputs("NaN NaN\n", script);
    }
}

void hf_plot_write_data(FILE *script, int number, const double *x, const double *y, size_t count,
                        size_t *kept)
{
    (void)fprintf(script, "$data%d << HF_END\n", number);
    if (count <= HF_THIN_LONGEST) {
        for (size_t i = 0; i < count; ++i) {
            write_point(script, x[i], y[i]);
        }
    } else {
        size_t points = hf_thin(x, y, count, kept);
        for (size_t i = 0; i < points; ++i) {
            write_point(script, x[kept[i]], y[kept[i]]);
        }
    }
    (void)fputs("HF_END\n", script);
}

void hf_plot_write_look(FILE *script, int number)
{
    (void)fprintf(script, "dashtype %d linecolor rgb '%s'", 1 + number / COLOUR_COUNT,
                  colours[number % COLOUR_COUNT]);
}

hf_plot_range hf_plot_range_of(const double *values, size_t count)
{
    hf_plot_range r = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; ++i) {
        if (isfinite(values[i])) {
            r.low = fmin(r.low, values[i]);
            r.high = fmax(r.high, values[i]);
        }
    }
    return r;
}

hf_plot_range hf_plot_range_join(hf_plot_range a, hf_plot_range b)
{
    return (hf_plot_range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

// gnuplot cannot draw an empty range, and warns of a flat one.
void hf_plot_write_range(FILE *script, const char *axis, hf_plot_range r, double margin)
{
    double size = r.high - r.low;
    if (!(r.low <= r.high) || !isfinite(size)) {
        (void)fprintf(script, "set %srange [*:*]\n", axis);
        return;
    }
    // Flat but for rounding: a thousandth to either side, and something around zero
    const double flat = 1e-9, aside = 1e-3, least = 1e-9;
    double around = size > flat * fmax(fabs(r.low), fabs(r.high))
                        ? margin * size
                        : fmax(aside * fabs(r.low), least);
    (void)fprintf(script, "set %srange [%.12g:%.12g]\n", axis, r.low - around, r.high + around);
}

// ------------------------------------------------------------------------------------------------
// Panels

static void write_label(FILE *script, const char *axis, const char *quantity, size_t length,
                        const char *unit)
{
    char label[120];
    if (unit[0] == '\0') {
        (void)snprintf(label, sizeof label, "%.*s", (int)(length < 60 ? length : 60), quantity);
    } else if (length == 0) {
        (void)snprintf(label, sizeof label, "%.50s", unit);
    } else {
        (void)snprintf(label, sizeof label, "%.*s [%.50s]", (int)(length < 60 ? length : 60),
                       quantity, unit);
    }
    (void)fprintf(script, "set %slabel ", axis);
    hf_plot_write_quoted(script, label, sizeof label);
    (void)fputc('\n', script);
}

// The quantity that all curves of a panel show; none when they differ.
static void write_y_label(const hf_figure *figure, int panel, FILE *script)
{
    const hf_recording *recording = figure->recording;
    const char *quantity = NULL, *unit = "";
    size_t length = 0;
    for (int i = 0; i < figure->curve_count; ++i) {
        if (figure->panels[i] != panel) {
            continue;
        }
        size_t own_length = 0;
        const char *own = hf_plot_quantity(recording->names[figure->curves[i]], &own_length);
        if (quantity == NULL) {
            quantity = own;
            length = own_length;
            unit = recording->units[figure->curves[i]];
        } else if (own_length != length || memcmp(own, quantity, length) != 0) {
            length = 0;
        }
    }
    write_label(script, "y", quantity, length, unit);
}

static void write_panel(const hf_figure *figure, int panel, FILE *script)
{
    const hf_recording *recording = figure->recording;
    hf_plot_range y = {INFINITY, -INFINITY};
    bool last = panel == figure->panel_count - 1;
    // Range of all its curves, and labels
    for (int i = 0; i < figure->curve_count; ++i) {
        if (figure->panels[i] == panel) {
            y = hf_plot_range_join(y, hf_plot_range_of(recording->values[figure->curves[i]],
                                                       (size_t)recording->samples));
        }
    }
    hf_plot_write_range(script, "y", y, 0.04);
    write_y_label(figure, panel, script);
    (void)fprintf(script, "set format x '%s'\n", last ? "%g" : "");
    if (!last) {
        (void)fputs("unset xlabel\n", script);
    } else if (figure->x < 0) {
        write_label(script, "x", "time", 4, "s");
    } else {
        const char *name = recording->names[figure->x];
        write_label(script, "x", name, strlen(name), recording->units[figure->x]);
    }
    // The curves
    int drawn = 0;
    for (int i = 0; i < figure->curve_count; ++i) {
        if (figure->panels[i] != panel) {
            continue;
        }
        const char *name = recording->names[figure->curves[i]];
        (void)fprintf(script, "%s$data%d using 1:2 with lines linewidth 1.8 ",
                      drawn == 0 ? "plot " : ", \\\n     ", i);
        hf_plot_write_look(script, drawn);
        (void)fputs(" title ", script);
        hf_plot_write_quoted(script, name, strlen(name));
        ++drawn;
    }
    (void)fputc('\n', script);
}

hf_status hf_plot_write_script(const void *what, FILE *script, hf_error *error)
{
    const hf_figure *figure = what;
    const hf_recording *recording = figure->recording;
    size_t samples = (size_t)recording->samples;
    size_t *kept = malloc(HF_THIN_ROOM * sizeof *kept);
    if (kept == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a figure");
    }
    // Data of all curves
    for (int i = 0; i < figure->curve_count; ++i) {
        hf_plot_write_data(script, i, x_values(figure), recording->values[figure->curves[i]],
                           samples, kept);
    }
    free(kept);
    // The figure, then its panels
    hf_plot_write_terminal(script, figure->format, WIDTH,
                           figure->panel_count == 1 ? SINGLE_HEIGHT
                                                    : PANEL_HEIGHT * figure->panel_count);
    hf_plot_write_style(script);
    hf_plot_write_range(script, "x", hf_plot_range_of(x_values(figure), samples),
                        figure->x < 0 ? 0.0 : 0.04);
    (void)fprintf(script, "set multiplot layout %d,1", figure->panel_count);
    if (figure->title[0] != '\0') {
        (void)fputs(" title ", script);
        hf_plot_write_quoted(script, figure->title, strlen(figure->title));
    }
    (void)fputc('\n', script);
    for (int panel = 0; panel < figure->panel_count; ++panel) {
        write_panel(figure, panel, script);
    }
    (void)fputs("unset multiplot\n", script);
    if (fflush(script) != 0 || ferror(script)) {
        return hf_error_set(error, HF_ERROR_FILE, "cannot write a temporary file: %s",
                            strerror(errno));
    }
    return HF_OK;
}
