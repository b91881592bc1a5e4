// SPDX-License-Identifier: Apache-2.0
// holdfast fit --report: one self-contained HTML page with tables and figures (SVG), in the colours
// of the pages of runs (web/src/style.css). Figures are in fit_figures.c.
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli/fit.h"
#include "cli/fit_figures.h"

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
        hf_cli_page_text(file, u.name);
        (void)fprintf(file, "<td><b>%.6g</b><td>%.3g<td>", u.value, u.half_width);
        hf_cli_page_text(file, u.unit);
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
        hf_cli_page_text(file, hf_fit_get_unknown(fit, i).name);
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
        hf_cli_page_text(file, hf_fit_get_unknown(fit, j).name);
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
        hf_cli_page_text(file, plan->logs[t]->name);
        (void)fprintf(file, "<td>%s%s<td>", t >= plan->def.log_count ? "validation, " : "",
                      whole ? "whole log" : "segments");
        hf_cli_page_text(file, plan->matches[m].channel);
        (void)fprintf(file, "<td>%.4g<td>%.4g<td>%.4g<td>%.4f %%<td>%.5f</tr>\n", e.rms,
                      e.mean_absolute, e.largest, 100.0 * e.relative, e.r2);
    }
    (void)fputs("</table></div></section>\n", file);
}

// ------------------------------------------------------------------------------------------------
// The page

// The machine that was fitted, for its name and its units; NULL: it cannot be had.
static hf_model *make_model(const hf_cli_fit_plan *plan, const hf_fit *fit)
{
    double values[HF_CLI_FIT_MOST_PARAMETERS];
    hf_error error = {0};
    hf_cli_fit_model_values(plan, fit, values);
    hf_spec *spec = hf_fit_machine_make(plan->machine, values, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    return model;
}

static const char *unit_of(const hf_model *model, const char *name)
{
    hf_channel channel = {0};
    if (model != NULL) {
        channel = hf_model_find_channel(model, name);
    }
    return channel.id == 0 ? "" : hf_model_channel_unit(model, channel);
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
    hf_cli_page_text(file, name);
    (void)fprintf(file, ": fit</title><style>%s</style></head><body>\n<header><h1>",
                  hf_cli_page_style);
    hf_cli_page_text(file, name);
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
        hf_cli_page_text(file, hf_fit_message(fit, i));
        (void)fputs("</p>\n", file);
    }
    (void)fputs("</div>\n", file);
}

bool hf_cli_fit_write_page(const hf_cli_fit_plan *plan, hf_fit *fit,
                           const hf_cli_fit_profile *profiles, const char *path)
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
    hf_cli_fit_draw_profiles(file, fit, profiles);
    // Figures of each channel
    bool good = true;
    for (int t = 0; t < plan->log_count && good; ++t) {
        (void)fputs("<section><h2>", file);
        hf_cli_page_text(file, plan->logs[t]->name);
        (void)fputs(t >= plan->def.log_count ? " (validation)</h2>\n" : "</h2>\n", file);
        (void)fputs("<p class=\"note\">What each number does: the change of the channel with the "
                    "number larger by what stands beside its name, half its 95 % interval where it "
                    "has one; starts of segments are held.</p>\n",
                    file);
        for (int m = 0; m < plan->def.match_count && good; ++m) {
            good = hf_cli_fit_draw_channel(file, plan->logs[t], plan->matches[m].channel,
                                           unit_of(model, plan->matches[m].channel), fit, t, m);
        }
        (void)fputs("</section>\n", file);
    }
    hf_model_destroy(model);
    // An incomplete page is reported
    (void)fputs("</main><footer>Made by holdfast " HF_VERSION "</footer></body></html>\n", file);
    bool written = ferror(file) == 0;
    written = fclose(file) == 0 && written;
    if (!written) {
        (void)hf_cli_error("%s: cannot be written", path);
    }
    return good && written;
}
