// SPDX-License-Identifier: Apache-2.0
// holdfast fit: tables, JSON and the fitted model.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/fit.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void print_unknowns(const hf_fit *fit, int count)
{
    (void)printf("%-36s %13s %11s  %-9s %11s %11s %11s  %s\n", "Parameter", "value", "+- (95 %)",
                 "unit", "start", "white", "sandwich", "determined");
    for (int i = 0; i < count; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        double robust = fmax(u.by_segments, isnan(u.by_logs) ? 0.0 : u.by_logs);
        hf_cli_put(stdout, "%-36s %13.6g %11.3g  %-9s %11.5g %11.3g %11.3g  %s\n", u.name, u.value,
                   u.half_width, u.unit[0] == '\0' ? "-" : u.unit, u.start, u.white, robust,
                   hf_fit_finding_text(u.finding));
    }
    if (count > 1) {
        (void)printf("\nCorrelations\n");
        for (int i = 0; i < count; ++i) {
            hf_cli_put(stdout, "  %-34s", hf_fit_get_unknown(fit, i).name);
            for (int j = 0; j <= i; ++j) {
                (void)printf(" %6.3f", hf_fit_correlation(fit, i, j));
            }
            (void)printf("\n");
        }
    }
}

// A figure in a table; what nothing was divided into has none.
static const char *figure(char *room, size_t size, const char *format, double value)
{
    if (isnan(value)) {
        return "-";
    }
    (void)snprintf(room, size, format, value);
    return room;
}

static void print_errors(const hf_cli_fit_plan *plan, const hf_fit *fit)
{
    (void)printf("\n%-28s %-10s %-28s %10s %10s %10s %9s %9s %9s\n", "Log", "run", "channel", "rms",
                 "MAE", "largest", "relative", "NRMSE", "R2");
    for (int t = 0; t < plan->log_count; ++t) {
        for (int k = 0; k < 2; ++k) {
            for (int m = 0; m < plan->def.match_count; ++m) {
                hf_fit_error e = hf_fit_get_error(fit, t, m, k == 1);
                char relative[32], normalized[32], r2[32];
                hf_cli_put(stdout, "%-28.28s %-10s %-28s %10.4g %10.4g %10.4g %9s %9s %9s\n",
                           base_name(plan->logs[t]->name),
                           k == 1                     ? "whole"
                           : t >= plan->def.log_count ? "validation"
                                                      : "segments",
                           plan->matches[m].channel, e.rms, e.mean_absolute, e.largest,
                           figure(relative, sizeof relative, "%.4f%%", 100.0 * e.relative),
                           figure(normalized, sizeof normalized, "%.4f%%", 100.0 * e.normalized),
                           figure(r2, sizeof r2, "%.5f", e.r2));
            }
        }
    }
}

void hf_cli_fit_print_tries(const hf_fit *fit, FILE *file)
{
    int count = hf_fit_get_summary(fit).unknowns;
    hf_fit_try t;
    (void)fprintf(file, "Tried         sum of squares   from -> to\n");
    for (int i = 0; hf_fit_get_try(fit, i, &t); ++i) {
        (void)fprintf(file, "%-12s", hf_fit_way_text(t.way));
        if (isnan(t.cost)) {
            (void)fprintf(file, " %15s ", "does not run");
        } else {
            (void)fprintf(file, " %15.6g%s", t.cost, t.chosen ? "*" : " ");
        }
        for (int k = 0; k < count; ++k) {
            hf_cli_put(file, "  %s %.5g", hf_fit_get_unknown(fit, k).name, t.from[k]);
            if (!isnan(t.cost)) {
                (void)fprintf(file, " -> %.5g", t.to[k]);
            }
        }
        hf_cli_put(file, "%s%s\n", t.text[0] == '\0' ? "" : ": ", t.text);
    }
    (void)fputc('\n', file);
}

void hf_cli_fit_print(const hf_cli_fit_plan *plan, const hf_fit *fit, double seconds)
{
    hf_fit_summary s = hf_fit_get_summary(fit);
    hf_fit_try second;
    if (hf_fit_get_try(fit, 1, &second)) {
        hf_cli_fit_print_tries(fit, stdout);
    }
    print_unknowns(fit, s.unknowns);
    print_errors(plan, fit);
    (void)printf("\n%lld residuals, %d segments, %lld starts estimated; %d iterations, %lld "
                 "simulations, %.2f s; condition %.3g; AIC %.1f, BIC %.1f\n\n",
                 s.residuals, s.segments, s.start_states, s.iterations, s.simulations, seconds,
                 s.condition, s.aic, s.bic);
    for (int i = 0; hf_fit_message(fit, i) != NULL; ++i) {
        hf_cli_put(stdout, "%s\n", hf_fit_message(fit, i));
    }
}

// ------------------------------------------------------------------------------------------------
// JSON

static void json_unknowns(hf_json *json, const hf_fit *fit, int count)
{
    // Each number and how well it is known
    hf_json_begin_list(json, "parameters");
    for (int i = 0; i < count; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        hf_json_begin(json, NULL);
        hf_json_text(json, "name", u.name);
        hf_json_text(json, "unit", u.unit);
        hf_json_number(json, "value", u.value);
        hf_json_number(json, "half_width_95", u.half_width);
        hf_json_number(json, "standard_deviation", u.error);
        hf_json_number(json, "white", u.white);
        hf_json_number(json, "by_segments", u.by_segments);
        hf_json_number(json, "by_logs", u.by_logs);
        hf_json_number(json, "start", u.start);
        hf_json_number(json, "low", u.low);
        hf_json_number(json, "high", u.high);
        hf_json_text(json, "determined", hf_fit_finding_text(u.finding));
        hf_json_flag(json, "found", u.finding == HF_FIT_FOUND);
        hf_json_end(json);
    }
    hf_json_end_list(json);
    // and how they depend on each other
    hf_json_begin_list(json, "correlations");
    for (int i = 0; i < count; ++i) {
        hf_json_begin_list(json, NULL);
        for (int j = 0; j < count; ++j) {
            hf_json_number(json, NULL, hf_fit_correlation(fit, i, j));
        }
        hf_json_end_list(json);
    }
    hf_json_end_list(json);
}

static void json_errors(hf_json *json, const hf_cli_fit_plan *plan, const hf_fit *fit)
{
    hf_json_begin_list(json, "errors");
    for (int i = 0; i < 2 * plan->log_count * plan->def.match_count; ++i) {
        int m = i % plan->def.match_count, t = i / plan->def.match_count / 2;
        bool whole = i / plan->def.match_count % 2 == 1;
        hf_fit_error e = hf_fit_get_error(fit, t, m, whole);
        hf_json_begin(json, NULL);
        hf_json_text(json, "log", plan->logs[t]->name);
        hf_json_flag(json, "validation", t >= plan->def.log_count);
        hf_json_text(json, "run", whole ? "whole" : "segments");
        hf_json_text(json, "channel", plan->matches[m].channel);
        hf_json_number(json, "rms", e.rms);
        hf_json_number(json, "mean_absolute", e.mean_absolute);
        hf_json_number(json, "largest", e.largest);
        hf_json_number(json, "relative", e.relative);
        hf_json_number(json, "normalized", e.normalized);
        hf_json_number(json, "r2", e.r2);
        hf_json_number(json, "correlation_time", e.correlation_time);
        hf_json_end(json);
    }
    hf_json_end_list(json);
}

static void json_tries(hf_json *json, const hf_fit *fit)
{
    hf_fit_try t;
    hf_json_begin_list(json, "tries");
    for (int i = 0; hf_fit_get_try(fit, i, &t); ++i) {
        hf_json_begin(json, NULL);
        hf_json_text(json, "way", hf_fit_way_text(t.way));
        hf_json_number(json, "cost", t.cost);
        hf_json_flag(json, "chosen", t.chosen);
        hf_json_text(json, "message", t.text);
        hf_json_end(json);
    }
    hf_json_end_list(json);
}

void hf_cli_fit_print_json(const hf_cli_fit_plan *plan, const hf_fit *fit,
                           const hf_cli_fit_profile *profiles, FILE *file)
{
    hf_json json = {.file = file};
    hf_fit_summary s = hf_fit_get_summary(fit);
    hf_json_begin(&json, NULL);
    hf_json_text(&json, "verdict", hf_fit_message(fit, 0));
    hf_json_flag(&json, "converged", s.converged);
    json_unknowns(&json, fit, s.unknowns);
    json_errors(&json, plan, fit);
    json_tries(&json, fit);
    if (profiles != NULL) {
        hf_cli_fit_json_profiles(&json, fit, profiles);
    }
    hf_json_count(&json, "residuals", s.residuals);
    hf_json_count(&json, "segments", s.segments);
    hf_json_count(&json, "iterations", s.iterations);
    hf_json_count(&json, "simulations", s.simulations);
    hf_json_number(&json, "condition", s.condition);
    hf_json_number(&json, "aic", s.aic);
    hf_json_number(&json, "bic", s.bic);
    hf_json_begin_list(&json, "messages");
    for (int i = 0; hf_fit_message(fit, i) != NULL; ++i) {
        hf_json_text(&json, NULL, hf_fit_message(fit, i));
    }
    hf_json_end_list(&json);
    hf_json_end(&json);
    (void)fputc('\n', file);
}

// ------------------------------------------------------------------------------------------------
// The fitted model

// What was found, as comments at the end of the file.
static void write_comments(const hf_cli_fit_plan *plan, const hf_fit *fit, FILE *file)
{
    (void)fprintf(file, "# Fitted by holdfast fit to");
    for (int t = 0; t < plan->def.log_count; ++t) {
        hf_cli_put(file, "%s %s", t == 0 ? "" : ",", base_name(plan->logs[t]->name));
    }
    (void)fputc('\n', file);
    if (hf_fit_message(fit, 0) != NULL) { // the verdict
        hf_cli_put(file, "# %s\n", hf_fit_message(fit, 0));
    }
    for (int i = 0; i < hf_fit_get_summary(fit).unknowns; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        hf_cli_put(file, "#   %s: %.6g +- %.3g%s%s (95 %%), %s\n", u.name, u.value, u.half_width,
                   u.unit[0] == '\0' ? "" : " ", u.unit, hf_fit_finding_text(u.finding));
    }
}

void hf_cli_fit_model_values(const hf_cli_fit_plan *plan, const hf_fit *fit,
                             double values[HF_CLI_FIT_MOST_PARAMETERS])
{
    memset(values, 0, HF_CLI_FIT_MOST_PARAMETERS * sizeof *values);
    for (int i = 0; i < hf_fit_get_summary(fit).unknowns; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        if (u.parameter < plan->model_count) {
            values[u.parameter] = u.value;
        }
    }
}

bool hf_cli_fit_write_model(const hf_cli_fit_plan *plan, const hf_fit *fit, const char *path)
{
    double values[HF_CLI_FIT_MOST_PARAMETERS];
    hf_error error = {0};
    hf_cli_fit_model_values(plan, fit, values);
    // The file's text with these, and what was found as comments
    char *text = hf_fit_machine_text(plan->machine, values, &error);
    if (text == NULL) {
        hf_cli_report(&error);
        return false;
    }
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        size_t length = strlen(text);
        (void)fputs(text, file);
        (void)fputs(length > 0 && text[length - 1] != '\n' ? "\n" : "", file);
        write_comments(plan, fit, file);
        good = ferror(file) == 0;
        good = fclose(file) == 0 && good;
    }
    free(text);
    if (!good) {
        (void)hf_cli_error("%s: %s", path, strerror(errno));
    }
    return good;
}
