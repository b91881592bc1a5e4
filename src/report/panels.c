// SPDX-License-Identifier: Apache-2.0
// Figures of several panels, drawn by gnuplot.
#include "report/panels.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/plot_internal.h"
#include "report/thin.h"

enum { SINGLE_WIDTH = 900, COLUMN_WIDTH = 520, SINGLE_HEIGHT = 480, PANEL_HEIGHT = 300 };

static void write_label(FILE *script, const char *axis, const char *text)
{
    (void)fprintf(script, "set %slabel ", axis);
    hf_plot_write_quoted(script, text, strlen(text));
    (void)fputc('\n', script);
}

static double scale_of(double scale)
{
    return scale == 0.0 ? 1.0 : scale;
}

static hf_plot_range scaled(hf_plot_range r, double scale)
{
    return (hf_plot_range){r.low * scale_of(scale), r.high * scale_of(scale)};
}

static void write_axes(FILE *script, const hf_panel *panel)
{
    hf_plot_range x = {INFINITY, -INFINITY}, y = x;
    for (int i = 0; i < panel->curve_count; ++i) {
        const hf_curve *curve = &panel->curves[i];
        x = hf_plot_range_join(x, hf_plot_range_of(curve->x, curve->count));
        y = hf_plot_range_join(y, hf_plot_range_of(curve->y, curve->count));
    }
    x = scaled(x, panel->x_scale);
    y = scaled(y, panel->y_scale);
    if (panel->log_x && x.low > 0.0 && x.low < x.high) {
        (void)fprintf(script, "set logscale x\nset xrange [%.12g:%.12g]\n", x.low, x.high);
    } else {
        (void)fputs("unset logscale x\n", script);
        hf_plot_write_range(script, "x", x, 0.02);
    }
    hf_plot_write_range(script, "y", y, 0.06);
    write_label(script, "x", panel->x_label);
    write_label(script, "y", panel->y_label);
}

static void write_panel(FILE *script, const hf_panel *panel, int first, bool keyed)
{
    (void)fputs("set title ", script);
    hf_plot_write_quoted(script, panel->title, strlen(panel->title));
    (void)fputc('\n', script);
    write_axes(script, panel);
    int drawn = 0;
    for (int i = 0; i < panel->curve_count; ++i) {
        const hf_curve *curve = &panel->curves[i];
        if (curve->count == 0) {
            continue;
        }
        (void)fprintf(script, "%s$data%d using ($1*%.12g):($2*%.12g) with %s ",
                      drawn++ == 0 ? "plot " : ", \\\n     ", first + i, scale_of(panel->x_scale),
                      scale_of(panel->y_scale),
                      curve->points ? "linespoints pointtype 7 pointsize 0.6 linewidth 1.5"
                                    : "lines linewidth 1.6");
        hf_plot_write_look(script, i);
        if (keyed && curve->name[0] != '\0') {
            (void)fputs(" title ", script);
            hf_plot_write_quoted(script, curve->name, strlen(curve->name));
        } else {
            (void)fputs(" notitle", script);
        }
    }
    if (drawn == 0) { // a place is kept in the figure
        (void)fputs("plot NaN notitle", script);
    }
    (void)fputc('\n', script);
}

// Leaves out what no eye can see of a curve over rising x: points within a small part of the range
// from a straight line between the points that stay. (A door that swings: every point narrows the
// slopes that a line from the last kept point may have.) Returns how many stay.
static size_t straighten(const hf_curve *curve, double *x, double *y)
{
    const double part = 2e-4; // of the range of y
    hf_plot_range range = hf_plot_range_of(curve->y, curve->count);
    double allowed = part * (range.high - range.low), low = -INFINITY, high = INFINITY;
    size_t kept = 0, last = 0;
    for (size_t i = 0; i < curve->count; ++i) {
        double run = curve->x[i] - curve->x[last], rise = curve->y[i] - curve->y[last];
        bool inside = i > 0 && run > 0.0 && rise / run <= high && rise / run >= low;
        if (i > 0 && !inside && last != i - 1) { // the point before ends the line
            last = i - 1;
            x[kept] = curve->x[last];
            y[kept++] = curve->y[last];
            run = curve->x[i] - curve->x[last];
            rise = curve->y[i] - curve->y[last];
            low = -INFINITY;
            high = INFINITY;
        }
        if (i == 0 || i == curve->count - 1 || !(run > 0.0) || !isfinite(rise)) {
            last = i;
            x[kept] = curve->x[i];
            y[kept++] = curve->y[i];
            low = -INFINITY;
            high = INFINITY;
            continue;
        }
        low = fmax(low, (rise - allowed) / run);
        high = fmin(high, (rise + allowed) / run);
    }
    return kept;
}

static hf_status write_curve(FILE *script, int number, const hf_curve *curve, size_t *kept,
                             hf_error *error)
{
    if (curve->points) { // every mark stays
        hf_plot_write_data(script, number, curve->x, curve->y, curve->count, kept);
        return HF_OK;
    }
    double *room = malloc((2 * curve->count + 1) * sizeof *room);
    if (room == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a figure");
    }
    size_t count = straighten(curve, room, room + curve->count);
    hf_plot_write_data(script, number, room, room + curve->count, count, kept);
    free(room);
    return HF_OK;
}

static hf_status write_script(const void *what, FILE *script, hf_error *error)
{
    const hf_panels_def *def = what;
    size_t *kept = malloc(HF_THIN_ROOM * sizeof *kept);
    if (kept == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a figure");
    }
    // Data of all curves
    int number = 0;
    hf_status status = HF_OK;
    for (int p = 0; p < def->panel_count && status == HF_OK; ++p) {
        for (int i = 0; i < def->panels[p].curve_count && status == HF_OK; ++i) {
            status = write_curve(script, number++, &def->panels[p].curves[i], kept, error);
        }
    }
    free(kept);
    HF_TRY(status);
    // The figure
    int rows = (def->panel_count + def->columns - 1) / def->columns;
    hf_plot_write_terminal(script, hf_plot_format_of(def->output),
                           def->columns == 1 ? SINGLE_WIDTH : COLUMN_WIDTH * def->columns,
                           def->panel_count == 1 ? SINGLE_HEIGHT : PANEL_HEIGHT * rows);
    hf_plot_write_style(script);
    (void)fprintf(script, "set multiplot layout %d,%d", rows, def->columns);
    if (def->title[0] != '\0') {
        (void)fputs(" title ", script);
        hf_plot_write_quoted(script, def->title, strlen(def->title));
    }
    (void)fputc('\n', script);
    // Its panels
    number = 0;
    for (int p = 0; p < def->panel_count; ++p) {
        write_panel(script, &def->panels[p], number, p == 0 || !def->one_key);
        number += def->panels[p].curve_count;
    }
    (void)fputs("unset multiplot\n", script);
    if (fflush(script) != 0 || ferror(script)) {
        return hf_error_set(error, HF_ERROR_FILE, "cannot write a temporary file: %s",
                            strerror(errno));
    }
    return HF_OK;
}

hf_status hf_panels_draw(const hf_panels_def *def, hf_error *error)
{
    if (hf_plot_format_of(def->output) == HF_FIGURE_UNKNOWN) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%.300s: the ending must be .svg, .png or .pdf, to select the format",
                            def->output);
    }
    return hf_plot_make(def->output, write_script, def, error);
}
