// SPDX-License-Identifier: Apache-2.0
// Draws curves over axes as SVG, for the page of a fit.
#include "cli/fit_figures.h"

#include <math.h>

enum {
    WIDTH = 900,
    HEIGHT = 230,
    SMALL_WIDTH = 340,
    SMALL_HEIGHT = 220,
    LEFT = 78,
    RIGHT = 16,
    TOP = 14,
    BOTTOM = 40,
    MOST_POINTS = 3000
};

const char hf_cli_page_style[] =
    ":root{--bg:#f4f5f7;--card:#fff;--text:#16202e;--muted:#5b6878;--line:#e1e5ea;--grid:#e9ecf0;"
    "--good:#0b7a55;--fair:#9a6200;--measured:#8c97a6;--simulated:#2459d6;--error:#c22f63;"
    "--s0:#2459d6;--s1:#c22f63;--s2:#1b8a4b;--s3:#8b46cf;--s4:#0b86a6;--s5:#9a6b00;--s6:#5d6b7c;"
    "--s7:#d0461f;"
    "--shadow:0 1px 2px rgb(20 30 50 / 6%),0 4px 18px rgb(20 30 50 / 5%);color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--bg:#0e131a;--card:#171e28;--text:#e8edf4;"
    "--muted:#94a3b5;--line:#28323f;--grid:#232c38;--good:#40c997;--fair:#f0b24a;"
    "--measured:#a9b4c3;--simulated:#6d9bff;--error:#ff7ea8;--s0:#6d9bff;"
    "--s1:#ff7ea8;--s2:#56c98a;--s3:#bd93f9;--s4:#4dc3e0;--s5:#dfb04a;--s6:#a6b3c3;--s7:#ff8f66;"
    "--shadow:0 1px 2px rgb(0 0 0 / 40%)}}"
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
    ".simulated{color:var(--simulated)}.error{color:var(--error)}.s0{color:var(--s0)}"
    ".s1{color:var(--s1)}.s2{color:var(--s2)}.s3{color:var(--s3)}.s4{color:var(--s4)}"
    ".s5{color:var(--s5)}.s6{color:var(--s6)}.s7{color:var(--s7)}.guess{color:var(--muted)}"
    "polyline.guess{stroke-dasharray:5 4}circle{fill:currentColor}rect.band{fill:currentColor;"
    "opacity:.12}.note{color:var(--muted);margin:0 0 12px}"
    ".small{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:14px}"
    ".small .card{margin:0}"
    "footer{color:var(--muted);font-size:13px;padding-top:26px}"
    "@media(max-width:700px){body{padding:16px 12px}h1{font-size:23px}.tick{font-size:22px}}"
    "@media print{body{background:#fff;padding:0;max-width:none}.card{box-shadow:none}}";

// A text as HTML: nothing of it is markup.
void hf_cli_page_text(FILE *file, const char *text)
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
// Places

hf_cli_figure hf_cli_figure_wide(FILE *file, double x0, double x1)
{
    return (hf_cli_figure){.file = file,
                           .width = WIDTH,
                           .height = HEIGHT,
                           .x0 = x0,
                           .x1 = x1,
                           .y0 = INFINITY,
                           .y1 = -INFINITY};
}

hf_cli_figure hf_cli_figure_small(FILE *file, double x0, double x1)
{
    hf_cli_figure f = hf_cli_figure_wide(file, x0, x1);
    f.width = SMALL_WIDTH;
    f.height = SMALL_HEIGHT;
    return f;
}

static double place_x(const hf_cli_figure *f, double x)
{
    return LEFT + (f->width - LEFT - RIGHT) * (x - f->x0) / (f->x1 - f->x0);
}

static double place_y(const hf_cli_figure *f, double y)
{
    return TOP + (f->height - TOP - BOTTOM) * (f->y1 - y) / (f->y1 - f->y0);
}

void hf_cli_figure_widen(hf_cli_figure *f, const double *y, long long count)
{
    for (long long k = 0; k < count; ++k) {
        f->y0 = isfinite(y[k]) ? fmin(f->y0, y[k]) : f->y0;
        f->y1 = isfinite(y[k]) ? fmax(f->y1, y[k]) : f->y1;
    }
}

// ------------------------------------------------------------------------------------------------
// Axes

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
static void draw_axes(const hf_cli_figure *f, const char *across)
{
    double step = round_step(f->y1 - f->y0, 4);
    double first = ceil(f->y0 / step);
    for (int i = 0; (first + i) * step <= f->y1; ++i) {
        double k = first + i;
        double y = place_y(f, k * step);
        (void)fprintf(f->file,
                      "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>"
                      "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">%.6g</text>\n",
                      LEFT, f->width - RIGHT, y, y, LEFT - 8, y + 4.0, k == 0.0 ? 0.0 : k * step);
    }
    const int apart = 84; // of ticks
    step = round_step(f->x1 - f->x0, f->width / apart);
    first = ceil(f->x0 / step);
    for (int i = 0; (first + i) * step <= f->x1; ++i) {
        double k = first + i;
        (void)fprintf(
            f->file,
            "<text x=\"%.1f\" y=\"%d\" class=\"tick\" text-anchor=\"middle\">%.6g</text>\n",
            place_x(f, k * step), f->height - BOTTOM + 16, k == 0.0 ? 0.0 : k * step);
    }
    (void)fprintf(f->file, "<text x=\"%d\" y=\"%d\" class=\"tick\" text-anchor=\"middle\">",
                  LEFT + (f->width - LEFT - RIGHT) / 2, f->height - 6);
    hf_cli_page_text(f->file, across);
    (void)fputs("</text>\n", f->file);
}

// A little room about the curves: a twentieth of the range; of a flat curve a tenth of its value,
// and something around zero.
static void add_margin(hf_cli_figure *f)
{
    const double part = 0.05, of_value = 0.1, least = 1e-12;
    if (!(f->y0 <= f->y1)) {
        f->y0 = f->y1 = 0.0; // nothing to draw
    }
    double margin = part * (f->y1 - f->y0);
    margin = margin > 0.0 ? margin : fmax(least, of_value * fabs(f->y1));
    f->y0 -= margin;
    f->y1 += margin;
}

void hf_cli_figure_begin(hf_cli_figure *f, const char *title, const char *unit,
                         const hf_cli_curve *curves, int count, const char *across)
{
    add_margin(f);
    // The heading
    (void)fputs("<div class=\"card figure\"><div class=\"figure-head\"><h3>", f->file);
    hf_cli_page_text(f->file, title);
    (void)fputs(" <span class=\"unit\">", f->file);
    hf_cli_page_text(f->file, unit);
    (void)fputs("</span></h3><span class=\"legend\">", f->file);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(f->file, "<span><i class=\"%s\"></i>", curves[i].paint);
        hf_cli_page_text(f->file, curves[i].name);
        (void)fputs("</span>", f->file);
    }
    // and the axes
    (void)fprintf(f->file, "</span></div><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
                  f->width, f->height);
    hf_cli_page_text(f->file, title);
    (void)fputs("\">\n", f->file);
    draw_axes(f, across);
}

void hf_cli_figure_end(const hf_cli_figure *f)
{
    (void)fputs("</svg></div>\n", f->file);
}

// ------------------------------------------------------------------------------------------------
// Curves

// One point. *open: a line is under way.
static void add_point(const hf_cli_figure *f, const char *paint, double x, double y, bool *open)
{
    if (!isfinite(y)) {
        (void)fputs(*open ? "\"/>\n" : "", f->file);
        *open = false;
        return;
    }
    if (!*open) {
        (void)fprintf(f->file, "<polyline class=\"%s\" points=\"", paint);
        *open = true;
    }
    (void)fprintf(f->file, "%.1f,%.1f ", place_x(f, x), place_y(f, y));
}

// Of many points the least and the largest of each few, in their order: no spike is lost.
void hf_cli_figure_line(const hf_cli_figure *f, const char *paint, const double *x, const double *y,
                        long long count)
{
    long long each = count <= MOST_POINTS ? 1 : 1 + 2 * count / MOST_POINTS;
    bool open = false;
    for (long long from = 0; from < count; from += each) {
        long long least = from, largest = from, end = from + each < count ? from + each : count;
        for (long long k = from + 1; k < end; ++k) {
            least = y[k] < y[least] ? k : least;
            largest = y[k] > y[largest] ? k : largest;
        }
        long long first = least < largest ? least : largest, last = least + largest - first;
        add_point(f, paint, x[first], y[first], &open);
        if (last != first) {
            add_point(f, paint, x[last], y[last], &open);
        }
    }
    (void)fputs(open ? "\"/>\n" : "", f->file);
}

void hf_cli_figure_dots(const hf_cli_figure *f, const char *paint, const double *x, const double *y,
                        long long count)
{
    for (long long k = 0; k < count; ++k) {
        if (isfinite(y[k])) {
            (void)fprintf(f->file, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                          paint, place_x(f, x[k]), place_y(f, y[k]));
        }
    }
}

void hf_cli_figure_band(const hf_cli_figure *f, const char *paint, double x0, double x1)
{
    double left = place_x(f, fmax(x0, f->x0)), right = place_x(f, fmin(x1, f->x1));
    (void)fprintf(f->file,
                  "<rect class=\"band %s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                  paint, left, TOP, fmax(0.0, right - left), f->height - TOP - BOTTOM);
}
