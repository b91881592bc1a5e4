// SPDX-License-Identifier: Apache-2.0
// holdfast fit --report: one self-contained HTML page with tables and figures (SVG).
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fit.h"

// A tick this near to zero, of the range, is zero: the sum of steps is rounded.
static const double ZERO_TICK = 1e-9;

enum {
    WIDTH = 900,
    HEIGHT = 220,
    LEFT = 70,
    RIGHT = 20,
    TOP = 24,
    BOTTOM = 30,
    MOST_POINTS = 3000
};

// A text as HTML: nothing of it is markup.
static void put_text(FILE *file, const char *text)
{
    for (const char *s = text; *s != '\0'; ++s) {
        switch (*s) {
        case '<':
            (void)fputs("&lt;", file);
            break;
        case '>':
            (void)fputs("&gt;", file);
            break;
        case '&':
            (void)fputs("&amp;", file);
            break;
        case '"':
            (void)fputs("&quot;", file);
            break;
        default:
            (void)fputc((unsigned char)*s < 0x20 ? ' ' : *s, file);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Figures

typedef struct figure {
    FILE *file;
    double x0, x1, y0, y1; // ranges
} figure;

static double place_x(const figure *f, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (x - f->x0) / (f->x1 - f->x0);
}

static double place_y(const figure *f, double y)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (f->y1 - y) / (f->y1 - f->y0);
}

static void begin_figure(figure *f, const char *title, const char *unit)
{
    // A twentieth of the range; of a flat curve a tenth of its value, and something around zero
    const double part = 0.05, of_value = 0.1, least = 1e-12;
    double margin = part * (f->y1 - f->y0);
    margin = margin > 0.0 ? margin : fmax(least, of_value * fabs(f->y1));
    f->y0 -= margin;
    f->y1 += margin;
    (void)fprintf(f->file, "<svg viewBox=\"0 0 %d %d\"><text x=\"%d\" y=\"16\" class=\"title\">",
                  WIDTH, HEIGHT, LEFT);
    put_text(f->file, title);
    if (unit[0] != '\0') {
        (void)fputs(" [", f->file);
        put_text(f->file, unit);
        (void)fputs("]", f->file);
    }
    (void)fputs("</text>\n", f->file);
    for (int i = 0; i <= 4; ++i) {
        double y = f->y0 + (f->y1 - f->y0) * i / 4.0, x = f->x0 + (f->x1 - f->x0) * i / 4.0;
        (void)fprintf(
            f->file,
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>"
            "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">%.3g</text>"
            "<text x=\"%.1f\" y=\"%d\" class=\"tick\" text-anchor=\"middle\">%.3g</text>\n",
            LEFT, WIDTH - RIGHT, place_y(f, y), place_y(f, y), LEFT - 6, place_y(f, y) + 4,
            fabs(y) < ZERO_TICK * (f->y1 - f->y0) ? 0.0 : y, place_x(f, x), HEIGHT - 10, x);
    }
}

static void end_figure(const figure *f)
{
    (void)fputs("</svg>\n", f->file);
}

// A line through every n-th point.
static void draw_line(const figure *f, const char *class, const double *x, const double *y,
                      long long count)
{
    long long stride = 1 + count / MOST_POINTS;
    (void)fprintf(f->file, "<polyline class=\"%s\" points=\"", class);
    for (long long k = 0; k < count; k += stride) {
        (void)fprintf(f->file, "%.1f,%.1f ", place_x(f, x[k]), place_y(f, y[k]));
    }
    (void)fputs("\"/>\n", f->file);
}

static void widen(figure *f, const double *y, long long count)
{
    for (long long k = 0; k < count; ++k) {
        f->y0 = isfinite(y[k]) ? fmin(f->y0, y[k]) : f->y0;
        f->y1 = isfinite(y[k]) ? fmax(f->y1, y[k]) : f->y1;
    }
}

// Autocorrelation of the residual up to a tenth of the log.
static void draw_memory(FILE *file, const double *time, const double *e, long long rows)
{
    enum { LAGS = 200 };
    double x[LAGS], y[LAGS], square = 0.0;
    long long stride = 1 + rows / 10 / LAGS, count = 0;
    for (long long k = 0; k < rows; ++k) {
        square += e[k] * e[k];
    }
    for (long long lag = 0; lag < rows / 10 && count < LAGS; lag += stride, ++count) {
        double sum = 0.0;
        for (long long k = 0; k + lag < rows; ++k) {
            sum += e[k] * e[k + lag];
        }
        x[count] = time[lag] - time[0];
        y[count] = square > 0.0 ? sum / square : 0.0;
    }
    if (count < 2) {
        return;
    }
    figure f = {.file = file, .x0 = 0.0, .x1 = x[count - 1], .y0 = -0.2, .y1 = 1.0};
    widen(&f, y, count);
    begin_figure(&f,
                 "autocorrelation of the residual over lag [s]: 0 beyond the first lag if it "
                 "were white",
                 "");
    draw_line(&f, "error", x, y, count);
    end_figure(&f);
}

static bool draw_channel(FILE *file, const hf_cli_fit_plan *plan, const hf_fit *fit, int t, int m)
{
    const hf_fit_log *log = plan->logs[t];
    long long rows = log->rows;
    const double *measured = hf_fit_measured(fit, t, m);
    const double *simulated = hf_fit_simulated(fit, t, m, false);
    double *residual = malloc((size_t)rows * sizeof *residual);
    if (residual == NULL) {
        return hf_cli_error("out of memory") == 0;
    }
    for (long long k = 0; k < rows; ++k) {
        residual[k] = measured[k] - simulated[k];
    }
    figure f = {.file = file,
                .x0 = log->time[0],
                .x1 = log->time[rows - 1],
                .y0 = INFINITY,
                .y1 = -INFINITY};
    widen(&f, measured, rows);
    widen(&f, simulated, rows);
    begin_figure(&f, plan->matches[m].channel, "measured grey, simulated in segments blue");
    draw_line(&f, "measured", log->time, measured, rows);
    draw_line(&f, "simulated", log->time, simulated, rows);
    end_figure(&f);
    f = (figure){.file = file,
                 .x0 = log->time[0],
                 .x1 = log->time[rows - 1],
                 .y0 = INFINITY,
                 .y1 = -INFINITY};
    widen(&f, residual, rows);
    begin_figure(&f, "measured minus simulated", "");
    draw_line(&f, "error", log->time, residual, rows);
    end_figure(&f);
    draw_memory(file, log->time, residual, rows);
    free(residual);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Tables

static void put_unknowns(FILE *file, const hf_fit *fit)
{
    int count = hf_fit_get_summary(fit).unknowns;
    (void)fputs("<h2>Parameters</h2><table><tr><th>parameter<th>value<th>&plusmn; (95 %)<th>unit"
                "<th>start<th>white deviation<th>sandwich deviation<th>determined</tr>\n",
                file);
    for (int i = 0; i < count; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        (void)fputs("<tr><td>", file);
        put_text(file, u.name);
        (void)fprintf(file, "<td>%.6g<td>%.3g<td>", u.value, u.half_width);
        put_text(file, u.unit);
        (void)fprintf(file, "<td>%.5g<td>%.3g<td>%.3g<td>%s</tr>\n", u.start, u.white,
                      fmax(u.by_segments, isnan(u.by_logs) ? 0.0 : u.by_logs),
                      hf_fit_finding_text(u.finding));
    }
    (void)fputs("</table><h2>Correlations</h2><table>\n", file);
    for (int i = 0; i < count; ++i) {
        (void)fputs("<tr><td>", file);
        put_text(file, hf_fit_get_unknown(fit, i).name);
        for (int j = 0; j <= i; ++j) {
            double r = hf_fit_correlation(fit, i, j);
            (void)fprintf(file, "<td style=\"background:rgba(70,120,200,%.2f)\">%.3f",
                          0.6 * fabs(r), r);
        }
        (void)fputs("</tr>\n", file);
    }
    (void)fputs("</table>\n", file);
}

static void put_errors(FILE *file, const hf_cli_fit_plan *plan, const hf_fit *fit)
{
    (void)fputs("<h2>Errors</h2><table><tr><th>log<th>run<th>channel<th>rms<th>mean absolute"
                "<th>largest<th>relative<th>R2</tr>\n",
                file);
    for (int i = 0; i < 2 * plan->log_count * plan->def.match_count; ++i) {
        int m = i % plan->def.match_count, t = i / plan->def.match_count / 2;
        bool whole = i / plan->def.match_count % 2 == 1;
        hf_fit_error e = hf_fit_get_error(fit, t, m, whole);
        (void)fputs("<tr><td>", file);
        put_text(file, plan->logs[t]->name);
        (void)fprintf(file, "<td>%s%s<td>", t >= plan->def.log_count ? "validation, " : "",
                      whole ? "whole log" : "segments");
        put_text(file, plan->matches[m].channel);
        (void)fprintf(file, "<td>%.4g<td>%.4g<td>%.4g<td>%.4f %%<td>%.5f</tr>\n", e.rms,
                      e.mean_absolute, e.largest, 100.0 * e.relative, e.r2);
    }
    (void)fputs("</table>\n", file);
}

static const char head[] =
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width\"><title>holdfast fit</title><style>"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;"
    "color:#222;background:#fff}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;display:block;"
    "overflow-x:auto}td,th{padding:2px 10px;border-bottom:1px solid #ddd;text-align:left}"
    "svg{width:100%;height:auto;margin:6px 0}.title{font-size:13px;fill:currentColor}"
    ".tick{font-size:11px;fill:#777}.grid{stroke:#ddd;stroke-width:1}"
    "polyline{fill:none;stroke-width:1.2}.measured{stroke:#888}.simulated{stroke:#2266cc}"
    ".error{stroke:#c0392b}.verdict{font-size:17px;font-weight:600}"
    "@media(prefers-color-scheme:dark){body{background:#16181c;color:#ddd}"
    ".grid,td,th{stroke:#333;border-color:#333}}</style></head><body>\n";

bool hf_cli_fit_write_page(const hf_cli_fit_plan *plan, const hf_fit *fit, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        (void)hf_cli_error("%s: %s", path, strerror(errno));
        return false;
    }
    // What to think of it
    (void)fputs(head, file);
    (void)fputs("<h1>What the logs tell</h1>\n", file);
    for (int i = 0; hf_fit_message(fit, i) != NULL; ++i) {
        (void)fputs(i == 0 ? "<p class=\"verdict\">" : "<p>", file);
        put_text(file, hf_fit_message(fit, i));
        (void)fputs("</p>\n", file);
    }
    // Numbers and errors, then a figure of each channel
    put_unknowns(file, fit);
    put_errors(file, plan, fit);
    bool good = true;
    for (int t = 0; t < plan->log_count && good; ++t) {
        (void)fputs("<h2>", file);
        put_text(file, plan->logs[t]->name);
        (void)fputs(t >= plan->def.log_count ? " (validation)</h2>\n" : "</h2>\n", file);
        for (int m = 0; m < plan->def.match_count && good; ++m) {
            good = draw_channel(file, plan, fit, t, m);
        }
    }
    // A page that is not whole is told
    (void)fputs("</body></html>\n", file);
    bool written = ferror(file) == 0;
    written = fclose(file) == 0 && written;
    if (!written) {
        (void)hf_cli_error("%s: cannot be written", path);
    }
    return good && written;
}
