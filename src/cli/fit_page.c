// SPDX-License-Identifier: Apache-2.0
// holdfast fit --report: one self-contained HTML page with tables and figures (SVG), in the colours
// of the pages of runs (web/src/style.css).
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fit.h"

enum {
    WIDTH = 900,
    HEIGHT = 230,
    LEFT = 78,
    RIGHT = 16,
    TOP = 14,
    BOTTOM = 40,
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

// A round step, 1, 2 or 5 times a power of ten, of which at most `most` go into a range.
static double round_step(double range, int most)
{
    double power = pow(10.0, floor(log10(range / most)));
    double steps[] = {1.0, 2.0, 5.0, 10.0};
    int i = 0;
    while (i < 3 && steps[i] * power * most < range) {
        ++i;
    }
    return steps[i] * power;
}

// Lines at round numbers of y, ticks at those of x, what stands across.
static void draw_axes(const figure *f, const char *across)
{
    double step = round_step(f->y1 - f->y0, 4);
    for (double k = ceil(f->y0 / step); k * step <= f->y1; k += 1.0) {
        double y = place_y(f, k * step);
        (void)fprintf(f->file,
                      "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>"
                      "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">%.6g</text>\n",
                      LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4.0, k == 0.0 ? 0.0 : k * step);
    }
    step = round_step(f->x1 - f->x0, 8);
    for (double k = ceil(f->x0 / step); k * step <= f->x1; k += 1.0) {
        (void)fprintf(
            f->file,
            "<text x=\"%.1f\" y=\"%d\" class=\"tick\" text-anchor=\"middle\">%.6g</text>\n",
            place_x(f, k * step), HEIGHT - BOTTOM + 16, k == 0.0 ? 0.0 : k * step);
    }
    (void)fprintf(f->file,
                  "<text x=\"%d\" y=\"%d\" class=\"tick\" text-anchor=\"middle\">%s</text>\n",
                  LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6, across);
}

// A card with a heading, its unit, and curves by name, each in the colour of its class.
static void begin_figure(figure *f, const char *title, const char *unit, const char *const *curves,
                         const char *across)
{
    // A twentieth of the range; of a flat curve a tenth of its value, and something around zero
    const double part = 0.05, of_value = 0.1, least = 1e-12;
    double margin = part * (f->y1 - f->y0);
    margin = margin > 0.0 ? margin : fmax(least, of_value * fabs(f->y1));
    f->y0 -= margin;
    f->y1 += margin;
    // The heading
    (void)fputs("<div class=\"card figure\"><div class=\"figure-head\"><h3>", f->file);
    put_text(f->file, title);
    (void)fputs(" <span class=\"unit\">", f->file);
    put_text(f->file, unit);
    (void)fputs("</span></h3><span class=\"legend\">", f->file);
    for (int i = 0; curves[i] != NULL; i += 2) {
        (void)fprintf(f->file, "<span><i class=\"%s\"></i>%s</span>", curves[i], curves[i + 1]);
    }
    // and the axes
    (void)fprintf(f->file, "</span></div><svg viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH,
                  HEIGHT);
    draw_axes(f, across);
}

static void end_figure(const figure *f)
{
    (void)fputs("</svg></div>\n", f->file);
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
    static const char *const curves[] = {"error", "0 beyond the first lag if the residual is white",
                                         NULL};
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
    begin_figure(&f, "memory of the residual", "autocorrelation", curves, "lag [s]");
    draw_line(&f, "error", x, y, count);
    end_figure(&f);
}

static bool draw_channel(FILE *file, const hf_cli_fit_plan *plan, const hf_model *model,
                         const hf_fit *fit, int t, int m)
{
    static const char *const both[] = {"measured", "measured", "simulated", "simulated in segments",
                                       NULL};
    static const char *const apart[] = {"error", "measured minus simulated", NULL};
    const hf_fit_log *log = plan->logs[t];
    long long rows = log->rows;
    const double *measured = hf_fit_measured(fit, t, m);
    const double *simulated = hf_fit_simulated(fit, t, m, false);
    hf_channel channel = {0};
    if (model != NULL) {
        channel = hf_model_find_channel(model, plan->matches[m].channel);
    }
    const char *unit = channel.id == 0 ? "" : hf_model_channel_unit(model, channel);
    double *residual = malloc((size_t)rows * sizeof *residual);
    if (residual == NULL) {
        return hf_cli_error("out of memory") == 0;
    }
    for (long long k = 0; k < rows; ++k) {
        residual[k] = measured[k] - simulated[k];
    }
    // Both curves
    const figure empty = {.file = file,
                          .x0 = log->time[0],
                          .x1 = log->time[rows - 1],
                          .y0 = INFINITY,
                          .y1 = -INFINITY};
    figure f = empty;
    widen(&f, measured, rows);
    widen(&f, simulated, rows);
    begin_figure(&f, plan->matches[m].channel, unit, both, "time [s]");
    draw_line(&f, "measured", log->time, measured, rows);
    draw_line(&f, "simulated", log->time, simulated, rows);
    end_figure(&f);
    // What is between them
    f = empty;
    widen(&f, residual, rows);
    begin_figure(&f, "residual", unit, apart, "time [s]");
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
    (void)fputs("<section><h2>Parameters</h2><div class=\"card table\"><table><tr><th>parameter"
                "<th>value<th>&plusmn; (95 %)<th>unit<th>start<th>white deviation"
                "<th>sandwich deviation<th>determined</tr>\n",
                file);
    for (int i = 0; i < count; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        (void)fputs("<tr><td>", file);
        put_text(file, u.name);
        (void)fprintf(file, "<td><b>%.6g</b><td>%.3g<td>", u.value, u.half_width);
        put_text(file, u.unit);
        (void)fprintf(file, "<td>%.5g<td>%.3g<td>%.3g<td>%s</tr>\n", u.start, u.white,
                      fmax(u.by_segments, isnan(u.by_logs) ? 0.0 : u.by_logs),
                      hf_fit_finding_text(u.finding));
    }
    (void)fputs("</table></div></section>\n", file);
}

// The lower half of the matrix, with names along both sides.
static void put_correlations(FILE *file, const hf_fit *fit)
{
    int count = hf_fit_get_summary(fit).unknowns;
    if (count < 2) {
        return;
    }
    (void)fputs(
        "<section><h2>Correlations</h2><div class=\"card table\"><table class=\"matrix\">\n", file);
    for (int i = 1; i < count; ++i) {
        (void)fputs("<tr><td>", file);
        put_text(file, hf_fit_get_unknown(fit, i).name);
        for (int j = 0; j < i; ++j) {
            double r = hf_fit_correlation(fit, i, j);
            (void)fprintf(file, "<td style=\"background:rgb(61 116 232 / %.0f%%)\">%.3f",
                          60.0 * fabs(r), r);
        }
        (void)fputs("</tr>\n", file);
    }
    (void)fputs("<tr><td>", file);
    for (int j = 0; j + 1 < count; ++j) {
        (void)fputs("<td>", file);
        put_text(file, hf_fit_get_unknown(fit, j).name);
    }
    (void)fputs("</tr></table></div></section>\n", file);
}

static void put_errors(FILE *file, const hf_cli_fit_plan *plan, const hf_fit *fit)
{
    (void)fputs("<section><h2>Errors</h2><div class=\"card table\"><table><tr><th>log<th>run"
                "<th>channel<th>rms<th>mean absolute<th>largest<th>relative<th>R2</tr>\n",
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
    (void)fputs("</table></div></section>\n", file);
}

// ------------------------------------------------------------------------------------------------
// The page

static const char style[] =
    ":root{--bg:#f4f5f7;--card:#fff;--text:#16202e;--muted:#5b6878;--line:#e1e5ea;--grid:#e9ecf0;"
    "--good:#0b7a55;--fair:#9a6200;--measured:#8c97a6;--simulated:#2459d6;--error:#c22f63;"
    "--shadow:0 1px 2px rgb(20 30 50 / 6%),0 4px 18px rgb(20 30 50 / 5%);color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--bg:#0e131a;--card:#171e28;--text:#e8edf4;"
    "--muted:#94a3b5;--line:#28323f;--grid:#232c38;--good:#40c997;--fair:#f0b24a;"
    "--measured:#a9b4c3;--simulated:#6d9bff;--error:#ff7ea8;--shadow:0 1px 2px rgb(0 0 0 / 40%)}}"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:1100px;padding:26px 24px;"
    "background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe "
    "UI',Roboto,'Helvetica Neue','Noto Sans',sans-serif}"
    "h1{font-size:28px;line-height:1.2;letter-spacing:-.015em;margin:0;font-weight:680;"
    "overflow-wrap:anywhere}h2{font-size:18px;margin:0 0 12px;font-weight:640}"
    "h3{font-size:14px;margin:0;font-weight:620;overflow-wrap:anywhere}"
    ".subtitle{margin:4px 0 0;color:var(--muted)}section{margin-top:30px}"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:12px;"
    "box-shadow:var(--shadow);padding:12px 16px;margin-bottom:14px;break-inside:avoid}"
    ".verdict{margin-top:18px;overflow-wrap:anywhere}.verdict p{margin:6px 0}"
    ".verdict p:first-child{font-weight:640}.good p:first-child{color:var(--good)}"
    ".fair p:first-child{color:var(--fair)}.table{overflow-x:auto}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:14px}"
    "th{color:var(--muted);font-weight:500}td,th{padding:4px 18px 4px 0;text-align:left;"
    "white-space:nowrap}tr+tr td{border-top:1px solid var(--line)}"
    ".matrix td{border:0;padding:4px 10px}.figure-head{display:flex;flex-wrap:wrap;gap:4px 18px;"
    "justify-content:space-between}.unit{color:var(--muted);font-weight:400}"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 16px;color:var(--muted);font-size:13px}"
    ".legend i{display:inline-block;width:14px;height:3px;border-radius:2px;margin:0 6px 4px 0;"
    "background:currentColor}svg{display:block;width:100%;height:auto}"
    ".tick{font-size:12px;fill:var(--muted)}.grid{stroke:var(--grid)}"
    "polyline{fill:none;stroke:currentColor;stroke-width:1.5}.measured{color:var(--measured)}"
    ".simulated{color:var(--simulated)}.error{color:var(--error)}"
    "footer{color:var(--muted);font-size:13px;padding-top:26px}"
    "@media(max-width:700px){body{padding:16px 12px}h1{font-size:23px}.tick{font-size:22px}}"
    "@media print{body{background:#fff;padding:0;max-width:none}.card{box-shadow:none}}";

// The machine that was fitted, for its name and its units; NULL: it cannot be had.
static hf_model *make_model(const hf_cli_fit_plan *plan, const hf_fit *fit)
{
    double values[HF_CLI_FIT_MOST_PARAMETERS] = {0};
    hf_error error = {0};
    for (int i = 0; i < hf_fit_get_summary(fit).unknowns; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        if (u.parameter < plan->model_count) {
            values[u.parameter] = u.value;
        }
    }
    hf_spec *spec = hf_fit_machine_make(plan->machine, values, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    return model;
}

// Its name, what was fitted to, and what to think of it.
static void put_heading(FILE *file, const hf_cli_fit_plan *plan, const hf_model *model,
                        const hf_fit *fit)
{
    hf_fit_summary summary = hf_fit_get_summary(fit);
    const char *name = model == NULL ? "Fit" : hf_model_name(model);
    (void)fputs("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>",
                file);
    put_text(file, name);
    (void)fprintf(file, ": fit</title><style>%s</style></head><body>\n<header><h1>", style);
    put_text(file, name);
    int logs = plan->def.log_count, others = plan->log_count - logs;
    (void)fprintf(
        file,
        "</h1><p class=\"subtitle\">fitted to %d log%s%s &middot; %d parameter%s &middot; "
        "%lld residuals &middot; %lld simulations</p></header>\n<main>",
        logs, logs == 1 ? "" : "s",
        others == 0   ? ""
        : others == 1 ? ", judged by another"
                      : ", judged by others",
        summary.unknowns, summary.unknowns == 1 ? "" : "s", summary.residuals, summary.simulations);
    // The verdict goes first
    const char *verdict = hf_fit_message(fit, 0);
    bool good = verdict != NULL && strncmp(verdict, "Trustworthy", 11) == 0;
    (void)fprintf(file, "<div class=\"card verdict %s\">\n", good ? "good" : "fair");
    for (int i = 0; hf_fit_message(fit, i) != NULL; ++i) {
        (void)fputs("<p>", file);
        put_text(file, hf_fit_message(fit, i));
        (void)fputs("</p>\n", file);
    }
    (void)fputs("</div>\n", file);
}

bool hf_cli_fit_write_page(const hf_cli_fit_plan *plan, const hf_fit *fit, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        (void)hf_cli_error("%s: %s", path, strerror(errno));
        return false;
    }
    // What to think of it, numbers and errors
    hf_model *model = make_model(plan, fit);
    put_heading(file, plan, model, fit);
    put_unknowns(file, fit);
    put_correlations(file, fit);
    put_errors(file, plan, fit);
    // Figures of each channel
    bool good = true;
    for (int t = 0; t < plan->log_count && good; ++t) {
        (void)fputs("<section><h2>", file);
        put_text(file, plan->logs[t]->name);
        (void)fputs(t >= plan->def.log_count ? " (validation)</h2>\n" : "</h2>\n", file);
        for (int m = 0; m < plan->def.match_count && good; ++m) {
            good = draw_channel(file, plan, model, fit, t, m);
        }
        (void)fputs("</section>\n", file);
    }
    hf_model_destroy(model);
    // A page that is not whole is told
    (void)fputs("</main><footer>Made by holdfast " HF_VERSION "</footer></body></html>\n", file);
    bool written = ferror(file) == 0;
    written = fclose(file) == 0 && written;
    if (!written) {
        (void)hf_cli_error("%s: cannot be written", path);
    }
    return good && written;
}
