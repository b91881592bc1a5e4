// SPDX-License-Identifier: Apache-2.0
// The figures of a fit: measured against simulated, residuals and their memory, what each number
// does to a channel, profiles.
#include <math.h>
#include <stdlib.h>

#include "cli/fit.h"
#include "cli/fit_figures.h"

enum { PAINTS = 8, PLACES = HF_CLI_FIT_PLACES, LAGS = 200, CURVE_NAME = 160 };

static const char *const paints[PAINTS] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};

// Autocorrelation of the residual up to a tenth of the log.
static void draw_memory(FILE *file, const double *time, const double *e, long long rows)
{
    const hf_cli_curve curve = {"error", "0 beyond the first lag if the residual is white"};
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
    hf_cli_figure f = hf_cli_figure_wide(file, 0.0, x[count - 1]);
    f.y0 = -0.2;
    f.y1 = 1.0;
    hf_cli_figure_widen(&f, y, count);
    hf_cli_figure_begin(&f, "memory of the residual", "autocorrelation", &curve, 1, "lag [s]");
    hf_cli_figure_line(&f, "error", x, y, count);
    hf_cli_figure_end(&f);
}

// ------------------------------------------------------------------------------------------------
// Sensitivities

// By how much a number is moved in a figure: half its interval; a hundredth of it where it has
// none.
static double shown_step(const hf_fit_unknown *u)
{
    const double part = 0.01;
    if (isfinite(u->half_width) && u->half_width > 0.0) {
        return u->half_width;
    }
    return part * (u->value != 0.0 ? fabs(u->value) : 1.0);
}

// Up to eight of the numbers that act on a log, from *next on. False after a message.
static bool draw_some(FILE *file, const hf_fit_log *log, hf_fit *fit, int t, int m,
                      const char *unit, int *next, double *room)
{
    int unknowns = hf_fit_get_summary(fit).unknowns, count = 0;
    char names[PAINTS][CURVE_NAME];
    hf_cli_curve curves[PAINTS];
    hf_error error = {0};
    hf_cli_figure f = hf_cli_figure_wide(file, log->time[0], log->time[log->rows - 1]);
    // A curve of each
    for (; *next < unknowns && count < PAINTS; ++*next) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, *next);
        if (u.log >= 0 && u.log != t) {
            continue;
        }
        double step = shown_step(&u), *y = room + (long long)count * log->rows;
        if (hf_fit_sensitivity(fit, t, m, *next, y, &error) != HF_OK) {
            hf_cli_report(&error);
            return false;
        }
        for (long long k = 0; k < log->rows; ++k) {
            y[k] *= step;
        }
        (void)snprintf(names[count], CURVE_NAME, "%.100s %+.3g %.40s", u.name, step, u.unit);
        curves[count] = (hf_cli_curve){paints[count], names[count]};
        hf_cli_figure_widen(&f, y, log->rows);
        ++count;
    }
    // All over the same axes
    if (count > 0) {
        hf_cli_figure_begin(&f, "what each number does", unit, curves, count, "time [s]");
        for (int i = 0; i < count; ++i) {
            hf_cli_figure_line(&f, paints[i], log->time, room + (long long)i * log->rows,
                               log->rows);
        }
        hf_cli_figure_end(&f);
    }
    return true;
}

static bool draw_sensitivities(FILE *file, const hf_fit_log *log, hf_fit *fit, int t, int m,
                               const char *unit)
{
    int next = 0;
    bool good = true;
    double *room = malloc((size_t)log->rows * PAINTS * sizeof *room);
    if (room == NULL) {
        (void)hf_cli_error("out of memory");
        return false;
    }
    while (good && next < hf_fit_get_summary(fit).unknowns) {
        good = draw_some(file, log, fit, t, m, unit, &next, room);
    }
    free(room);
    return good;
}

// ------------------------------------------------------------------------------------------------
// A channel

bool hf_cli_fit_draw_channel(FILE *file, const hf_fit_log *log, const char *name, const char *unit,
                             hf_fit *fit, int t, int m)
{
    static const hf_cli_curve both[] = {{"measured", "measured"},
                                        {"simulated", "simulated in segments"}};
    static const hf_cli_curve apart = {"error", "measured minus simulated"};
    long long rows = log->rows;
    const double *measured = hf_fit_measured(fit, t, m);
    const double *simulated = hf_fit_simulated(fit, t, m, false);
    double *residual = malloc((size_t)rows * sizeof *residual);
    if (residual == NULL) {
        (void)hf_cli_error("out of memory");
        return false;
    }
    for (long long k = 0; k < rows; ++k) {
        residual[k] = measured[k] - simulated[k];
    }
    // Both curves
    hf_cli_figure f = hf_cli_figure_wide(file, log->time[0], log->time[rows - 1]);
    hf_cli_figure_widen(&f, measured, rows);
    hf_cli_figure_widen(&f, simulated, rows);
    hf_cli_figure_begin(&f, name, unit, both, 2, "time [s]");
    hf_cli_figure_line(&f, "measured", log->time, measured, rows);
    hf_cli_figure_line(&f, "simulated", log->time, simulated, rows);
    hf_cli_figure_end(&f);
    // What is between them
    f = hf_cli_figure_wide(file, log->time[0], log->time[rows - 1]);
    hf_cli_figure_widen(&f, residual, rows);
    hf_cli_figure_begin(&f, "residual", unit, &apart, 1, "time [s]");
    hf_cli_figure_line(&f, "error", log->time, residual, rows);
    hf_cli_figure_end(&f);
    draw_memory(file, log->time, residual, rows);
    free(residual);
    return draw_sensitivities(file, log, fit, t, m, unit);
}

// ------------------------------------------------------------------------------------------------
// Profiles

// The parabola of a machine that is linear in its numbers: (v - value)^2 / white^2 of the mean
// square of a residual, in % of the sum of squares.
static double parabola(const hf_fit_summary *s, const hf_fit_unknown *u, double v)
{
    double z = (v - u->value) / u->white;
    double free_count = (double)(s->residuals - s->start_states - s->unknowns);
    return 100.0 * z * z / fmax(free_count, 1.0);
}

static void draw_profile(FILE *file, const hf_fit_summary *s, const hf_fit_unknown *u,
                         const hf_cli_fit_profile *profile)
{
    static const hf_cli_curve curves[] = {{"s0", "fitted anew"}, {"guess", "if it were linear"}};
    enum { FINE = 41 };
    double rise[PLACES], x[FINE], y[FINE];
    double from = profile->values[0], to = profile->values[PLACES - 1];
    for (int i = 0; i < PLACES; ++i) {
        rise[i] = 100.0 * (profile->costs[i] - s->cost) / s->cost;
    }
    for (int i = 0; i < FINE; ++i) {
        x[i] = from + (to - from) * i / (FINE - 1);
        y[i] = parabola(s, u, x[i]);
    }
    hf_cli_figure f = hf_cli_figure_small(file, from, to);
    hf_cli_figure_widen(&f, rise, PLACES);
    hf_cli_figure_widen(&f, y, FINE);
    char across[CURVE_NAME];
    (void)snprintf(across, sizeof across, u->unit[0] == '\0' ? "%.110s" : "%.110s [%.40s]", u->name,
                   u->unit);
    hf_cli_figure_begin(&f, u->name, "rise [%]", curves, 2, across);
    if (isfinite(u->half_width)) {
        hf_cli_figure_band(&f, "s0", u->value - u->half_width, u->value + u->half_width);
    }
    hf_cli_figure_line(&f, "guess", x, y, FINE);
    hf_cli_figure_line(&f, "s0", profile->values, rise, PLACES);
    hf_cli_figure_dots(&f, "s0", profile->values, rise, PLACES);
    hf_cli_figure_end(&f);
}

void hf_cli_fit_draw_profiles(FILE *file, const hf_fit *fit, const hf_cli_fit_profile *profiles)
{
    hf_fit_summary s = hf_fit_get_summary(fit);
    (void)fputs(
        "<section><h2>Profiles</h2><p class=\"note\">By how many % the sum of squares rises "
        "with a number held beside its value and all others fitted anew. Shaded: its 95 % "
        "interval. A side that does not rise is not bounded by the logs; a curve that "
        "leaves the dashed parabola bends with the number, and its interval does not.</p>"
        "<div class=\"small\">\n",
        file);
    for (int i = 0; i < s.unknowns; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        draw_profile(file, &s, &u, &profiles[i]);
    }
    (void)fputs("</div></section>\n", file);
}
