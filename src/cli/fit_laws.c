// SPDX-License-Identifier: Apache-2.0
// holdfast fit --laws: the same fit with several laws, or variants of the model, and a table that
// compares them: by the error on logs that were not fitted to, by leaving each log out in turn, by
// AIC and BIC. Differences are judged block by block: what is not larger than twice its standard
// error over blocks is within the noise.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fit.h"
#include "cli/model_source.h"

enum { MOST_LAWS = 16, BLOCKS = 20, MOST_LEFT_OUT = 16, NAME = 64 };

typedef struct alternative {
    char name[NAME];
    bool ran;
    int unknowns;
    double fitted, validated, left_out; // rms error over the spread of what was measured [-]
    double aic, bic;
    double *blocks; // mean squares of what judges, by log, channel and block
    int block_count;
    bool stopped;
    hf_cli_fit_options options;
    hf_law_change change;
    hf_cli_fit_plan *plan;
} alternative;

// Mean square of a residual over the variance of what was measured, in BLOCKS pieces of a log.
static void add_blocks(const hf_cli_fit_plan *plan, const hf_fit *fit, int log, int match,
                       double *out)
{
    long long rows = plan->logs[log]->rows;
    const double *measured = hf_fit_measured(fit, log, match);
    const double *simulated = hf_fit_simulated(fit, log, match, false);
    double mean = 0.0, variance = 0.0;
    for (long long k = 0; k < rows; ++k) {
        mean += measured[k] / (double)rows;
    }
    for (long long k = 0; k < rows; ++k) {
        variance += (measured[k] - mean) * (measured[k] - mean) / (double)rows;
    }
    for (int b = 0; b < BLOCKS; ++b) {
        long long first = rows * b / BLOCKS, end = rows * (b + 1) / BLOCKS;
        double sum = 0.0;
        for (long long k = first; k < end; ++k) {
            sum += (measured[k] - simulated[k]) * (measured[k] - simulated[k]);
        }
        out[b] = end > first && variance > 0.0 ? sum / (double)(end - first) / variance : 0.0;
    }
}

// The mean over logs and channels, from `first` to `end`; blocks are appended where `keep`.
static double judge(const hf_cli_fit_plan *plan, const hf_fit *fit, int first, int end,
                    alternative *a, bool keep)
{
    double sum = 0.0, count = 0.0, blocks[BLOCKS];
    for (int t = first; t < end; ++t) {
        for (int m = 0; m < plan->def.match_count; ++m) {
            add_blocks(plan, fit, t, m, keep ? a->blocks + a->block_count : blocks);
            const double *made = keep ? a->blocks + a->block_count : blocks;
            for (int b = 0; b < BLOCKS; ++b) {
                sum += made[b];
                count += 1.0;
            }
            a->block_count += keep ? BLOCKS : 0;
        }
    }
    return count > 0.0 ? sqrt(sum / count) : (double)NAN;
}

// NULL after a message, or when it was stopped.
static hf_fit *run(const hf_cli_fit_plan *plan, alternative *a)
{
    hf_error error = {0};
    hf_fit *fit = hf_fit_create(&plan->def, &error);
    hf_status status = fit == NULL ? error.status : hf_fit_run(fit, &error);
    if (status < 0) {
        hf_cli_report(&error);
    }
    a->stopped = status == HF_INTERRUPTED;
    if (status != HF_OK) {
        hf_fit_destroy(fit);
        return NULL;
    }
    return fit;
}

// Fits to all logs but one, which judges.
static bool leave_out(hf_cli_fit_plan *plan, int log, alternative *a, double *squares)
{
    const hf_fit_log *order[HF_CLI_FIT_MOST];
    int count = plan->def.log_count, kept = 0;
    hf_fit_def whole = plan->def;
    hf_fit_log *logs[HF_CLI_FIT_MOST];
    memcpy(logs, plan->logs, sizeof logs);
    for (int t = 0; t < count; ++t) {
        if (t != log) {
            plan->logs[kept] = logs[t];
            order[kept++] = logs[t];
        }
    }
    plan->logs[kept] = logs[log];
    order[kept] = logs[log];
    plan->def.logs = order;
    plan->def.log_count = kept;
    plan->def.validation_count = 1;
    hf_fit *fit = run(plan, a);
    if (fit != NULL) {
        double error = judge(plan, fit, kept, kept + 1, a, true);
        *squares += error * error;
    }
    hf_fit_destroy(fit);
    plan->def = whole;
    memcpy(plan->logs, logs, sizeof logs);
    return fit != NULL;
}

static bool fit_one(alternative *a, bool (*progress)(void *, const hf_fit_progress *))
{
    // The law's own fit
    hf_cli_fit_plan *plan = a->plan;
    plan->def.progress = progress;
    plan->def.progress_context = &a->options;
    int most = plan->log_count * plan->def.match_count * BLOCKS;
    a->blocks = calloc((size_t)most + 1, sizeof *a->blocks);
    hf_fit *fit = a->blocks == NULL ? NULL : run(plan, a);
    if (a->blocks == NULL) {
        (void)hf_cli_error("out of memory");
    }
    // How well it does on the logs, on others, and on each log when that is left out
    if (fit != NULL) {
        hf_fit_summary s = hf_fit_get_summary(fit);
        int logs = plan->def.log_count;
        bool others = plan->def.validation_count > 0;
        bool each = !others && logs > 1 && logs <= MOST_LEFT_OUT;
        a->ran = true;
        a->unknowns = s.unknowns;
        a->aic = s.aic;
        a->bic = s.bic;
        a->fitted = judge(plan, fit, 0, logs, a, !others && !each);
        a->validated = judge(plan, fit, logs, plan->log_count, a, others);
        a->left_out = (double)NAN;
        double squares = 0.0;
        for (int t = 0; t < logs && each && a->ran; ++t) {
            a->ran = leave_out(plan, t, a, &squares);
        }
        a->left_out = each ? sqrt(squares / logs) : a->left_out;
    }
    hf_fit_destroy(fit);
    return a->ran;
}

// ------------------------------------------------------------------------------------------------
// The table

static double score(const alternative *a)
{
    return !isnan(a->validated) ? a->validated : !isnan(a->left_out) ? a->left_out : a->fitted;
}

// How much worse `a` is than the best: mean difference of blocks over its standard error.
static double significance(const alternative *a, const alternative *best)
{
    int n = a->block_count < best->block_count ? a->block_count : best->block_count;
    double mean = 0.0, variance = 0.0;
    for (int i = 0; i < n; ++i) {
        mean += (a->blocks[i] - best->blocks[i]) / n;
    }
    for (int i = 0; i < n; ++i) {
        double d = a->blocks[i] - best->blocks[i] - mean;
        variance += d * d / n;
    }
    return variance > 0.0 ? mean / sqrt(variance / n) : 0.0;
}

static void print_table(const alternative *all, int count)
{
    // The best of all
    const alternative *best = NULL;
    for (int i = 0; i < count; ++i) {
        best = all[i].ran && (best == NULL || score(&all[i]) < score(best)) ? &all[i] : best;
    }
    (void)printf("%-24s %8s %11s %11s %11s %11s %11s  %s\n", "Law or variant", "numbers", "fitted",
                 "validation", "left out", "AIC", "BIC", "");
    // Each against it
    for (int i = 0; i < count; ++i) {
        const alternative *a = &all[i];
        if (!a->ran) {
            hf_cli_put(stdout, "%-24s %s\n", a->name,
                       a->stopped ? "was stopped" : "could not be fitted");
            continue;
        }
        hf_cli_put(stdout, "%-24s %8d %10.4f%% ", a->name, a->unknowns, 100.0 * a->fitted);
        const double told[] = {a->validated, a->left_out};
        for (int k = 0; k < 2; ++k) {
            if (isnan(told[k])) {
                (void)printf("%11s ", "-");
            } else {
                (void)printf("%10.4f%% ", 100.0 * told[k]);
            }
        }
        double beyond = best == NULL ? 0.0 : significance(a, best);
        (void)printf("%11.1f %11.1f  %s\n", a->aic, a->bic,
                     a == best       ? "nearest"
                     : beyond <= 2.0 ? "within the noise of the nearest"
                                     : "farther");
    }
    (void)printf("\nErrors are rms over the spread of what was measured, in segments. The order is "
                 "by %s.\n",
                 best == NULL              ? "nothing"
                 : !isnan(best->validated) ? "validation"
                 : !isnan(best->left_out)  ? "logs left out in turn"
                                           : "the logs fitted to: keep one to validate");
}

static bool is_variant(const hf_variants *variants, const char *name)
{
    for (int i = 0; i < variants->count; ++i) {
        if (strcmp(variants->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// Splits the words, and makes the plan of each, so that what is wrong with any is reported before
// the first is fitted. How many; -1 after a message.
static int make_plans(const char *model, const hf_cli_fit_options *options,
                      const hf_variants *variants, char *text, alternative *all)
{
    char *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(text, ", ", &rest); word != NULL;
         word = strtok_r(NULL, ", ", &rest)) {
        if (count == MOST_LAWS) {
            (void)hf_cli_usage_error("fit", "--laws: more than %d", MOST_LAWS);
            return -1;
        }
        // Words are variants, or laws
        alternative *a = &all[count++];
        bool variant = is_variant(variants, word);
        (void)snprintf(a->name, sizeof a->name, "%.63s", word);
        a->change = (hf_law_change){.law = word};
        a->options = *options;
        a->options.variant = variant ? word : NULL;
        a->options.law = variant ? NULL : &a->change;
        a->options.lenient = true;
        // Its plan
        a->plan = calloc(1, sizeof *a->plan);
        if (a->plan == NULL) {
            (void)hf_cli_error("out of memory");
            return -1;
        }
        if (!hf_cli_fit_plan_make(a->plan, model, &a->options)) {
            return -1;
        }
    }
    if (count == 0) {
        (void)hf_cli_usage_error("fit", "--laws: expected LAW,LAW...");
    }
    return count == 0 ? -1 : count;
}

int hf_cli_fit_laws(const char *model, const hf_cli_fit_options *options,
                    bool (*progress)(void *context, const hf_fit_progress *progress))
{
    hf_variants variants = {0};
    if (options->output != NULL || options->report != NULL || options->json || options->profile ||
        options->inverse) {
        return hf_cli_usage_error("fit", "--laws compares, and writes no model, page or JSON: fit "
                                         "with one law for these");
    }
    if (!hf_cli_load_variants(model, &variants)) {
        return HF_CLI_USAGE;
    }
    // A plan for each law
    char *text = strdup(options->laws);
    alternative *all = calloc(MOST_LAWS, sizeof *all);
    bool room = text != NULL && all != NULL;
    int count = room ? make_plans(model, options, &variants, text, all) : -1;
    int ran = 0, code = room ? HF_CLI_USAGE : hf_cli_error("out of memory");
    // Fits one after the other, and their table
    if (count > 0) {
        bool stopped = false;
        for (int i = 0; i < count; ++i) {
            all[i].stopped = stopped;
            ran += !stopped && fit_one(&all[i], progress);
            stopped = stopped || all[i].stopped;
        }
        hf_cli_fit_clear(options);
        print_table(all, count);
        code = ran == count ? HF_CLI_DONE : HF_CLI_FAILED;
    }
    for (int i = 0; i < MOST_LAWS && all != NULL; ++i) {
        free(all[i].blocks);
        if (all[i].plan != NULL) {
            hf_cli_fit_plan_free(all[i].plan);
        }
    }
    free(all);
    free(text);
    hf_variants_free(&variants);
    return code;
}
