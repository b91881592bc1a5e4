// SPDX-License-Identifier: Apache-2.0
// holdfast excite: an input to run on the machine, whose log would tell its parameters best.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <holdfast/excite.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/model_source.h"
#include "cli/stop.h"

enum { MOST = 32, NAME = 300 };
// Larger counts would not fit into an int; they are refused, or take forever, as this one is.
static const double MOST_COUNT = 1e9;

typedef struct excite_options {
    const char *input, *criterion, *output;
    hf_cli_list frees, matches, limits, sets;
    double duration, period, rate, segment;
    long long harmonics, trials, seed;
    bool json, quiet;
} excite_options;

// The definition and all that it points to.
typedef struct plan {
    hf_excite_def def;
    hf_fit_machine *machine;
    hf_fit_parameter parameters[MOST];
    hf_fit_match matches[MOST];
    hf_excite_limit limits[MOST];
    char names[2 * MOST + 1][NAME];
    int name_count;
    bool quiet;
} plan;

static bool wrong(const char *option, const char *text, const char *expected)
{
    (void)hf_cli_usage_error("excite", "--%s %s: expected %s", option, text, expected);
    return false;
}

// The part before a mark, as a name of the plan; the rest is behind it. NULL: there is no mark.
static const char *take_name(plan *p, const char *text, char mark, const char **rest)
{
    const char *at = strrchr(text, mark);
    if (at == NULL || at == text || at - text >= NAME || p->name_count > 2 * MOST) {
        return NULL;
    }
    char *name = p->names[p->name_count++];
    (void)snprintf(name, NAME, "%.*s", (int)(at - text), text);
    *rest = at + 1;
    return name;
}

// "LOW..HIGH", or "HIGH" for both signs.
static bool read_range(const char *text, double *low, double *high)
{
    const char *dots = strstr(text, "..");
    char first[64];
    if (dots == NULL) {
        bool good = hf_cli_read_number(text, high) && *high > 0.0;
        *low = -*high;
        return good;
    }
    (void)snprintf(first, sizeof first, "%.*s", (int)(dots - text < 63 ? dots - text : 63), text);
    return hf_cli_read_number(first, low) && hf_cli_read_number(dots + 2, high) && *low < *high;
}

static bool read_frees(plan *p, const excite_options *o)
{
    hf_error error = {0};
    for (int i = 0; i < o->frees.count; ++i) {
        char text[4096], *rest = NULL;
        (void)snprintf(text, sizeof text, "%s", o->frees.items[i]);
        for (char *word = strtok_r(text, ", ", &rest); word != NULL;
             word = strtok_r(NULL, ", ", &rest)) {
            int count =
                hf_fit_machine_free(p->machine, word, p->parameters + p->def.parameter_count,
                                    MOST - p->def.parameter_count, &error);
            if (count == 0) {
                hf_cli_report(&error);
                return false;
            }
            p->def.parameter_count += count;
        }
    }
    return p->def.parameter_count > 0 || wrong("free", "", "the numbers that are to be known");
}

static bool read_channels(plan *p, const excite_options *o)
{
    const char *rest = NULL;
    for (int i = 0; i < o->matches.count && i < MOST; ++i) {
        hf_fit_match *match = &p->matches[p->def.match_count++];
        match->channel = take_name(p, o->matches.items[i], ':', &rest);
        if (match->channel == NULL || !hf_cli_read_number(rest, &match->deviation) ||
            !(match->deviation > 0.0)) {
            return wrong("match", o->matches.items[i], "CHANNEL:DEVIATION of its sensor");
        }
    }
    for (int i = 0; i < o->limits.count && i < MOST; ++i) {
        hf_excite_limit *limit = &p->limits[p->def.limit_count++];
        limit->channel = take_name(p, o->limits.items[i], '=', &rest);
        if (limit->channel == NULL || !read_range(rest, &limit->low, &limit->high)) {
            return wrong("limit", o->limits.items[i], "CHANNEL=LOW..HIGH or CHANNEL=LARGEST");
        }
    }
    return p->def.match_count > 0 || wrong("match", "", "a channel that will be measured");
}

static bool read_plan(plan *p, const char *model, const excite_options *o)
{
    hf_error error = {0};
    const char *rest = NULL;
    const hf_overrides overrides = {.items = o->sets.items, .count = o->sets.count};
    p->def = hf_excite_def_default();
    // Numbers
    p->def.duration = isnan(o->duration) ? p->def.duration : o->duration;
    p->def.period = isnan(o->period) ? fmin(p->def.period, p->def.duration) : o->period;
    p->def.interval = isnan(o->rate) ? p->def.interval : 1.0 / o->rate;
    p->def.segment = isnan(o->segment) ? p->def.segment : o->segment;
    p->def.harmonics =
        o->harmonics > 0 ? (int)fmin((double)o->harmonics, MOST_COUNT) : p->def.harmonics;
    p->def.trials = o->trials > 0 ? (int)fmin((double)o->trials, MOST_COUNT) : p->def.trials;
    p->def.seed = o->seed > 0 ? (unsigned long long)o->seed : p->def.seed;
    if (o->criterion != NULL && strcmp(o->criterion, "D") != 0 && strcmp(o->criterion, "A") != 0) {
        return wrong("criterion", o->criterion, "D or A");
    }
    p->def.criterion = o->criterion != NULL && o->criterion[0] == 'A' ? HF_EXCITE_A : HF_EXCITE_D;
    // Names
    p->def.input = o->input == NULL ? NULL : take_name(p, o->input, '=', &rest);
    if (p->def.input == NULL || !read_range(rest, &p->def.low, &p->def.high)) {
        return wrong("input", o->input == NULL ? "" : o->input,
                     "SIGNAL=LOW..HIGH or SIGNAL=LARGEST");
    }
    p->machine = hf_cli_fit_machine(model, &overrides, &error);
    if (p->machine == NULL) {
        if (error.status != HF_OK) {
            hf_cli_report(&error);
        }
        return false;
    }
    p->def.make = hf_fit_machine_make;
    p->def.context = p->machine;
    hf_cli_methods(p->def.methods);
    p->def.parameters = p->parameters;
    p->def.matches = p->matches;
    p->def.limits = p->limits;
    p->quiet = o->quiet;
    return read_frees(p, o) && read_channels(p, o);
}

// ------------------------------------------------------------------------------------------------
// The search, and what it found

static bool progress(void *context, int trial, double criterion)
{
    const plan *p = context;
    if (!p->quiet && isatty(STDERR_FILENO)) {
        (void)fprintf(stderr, "\rtrial %d of %d: %s %.6g\033[K", trial, p->def.trials,
                      p->def.criterion == HF_EXCITE_A ? "trace" : "-log det", criterion);
    }
    return !hf_cli_stop_wanted(NULL);
}

static void print(const plan *p, const hf_excite *e)
{
    (void)printf("%-40s %12s %12s %12s  unit\n", "Parameter", "value", "deviation", "of a sine");
    for (int i = 0; i < p->def.parameter_count; ++i) {
        const hf_fit_parameter *a = &p->parameters[i];
        hf_cli_put(stdout, "%-40s %12.6g %12.3g %12.3g  %s\n", a->name, a->start,
                   hf_excite_deviation(e, i), hf_excite_sine_deviation(e, i),
                   a->unit == NULL || a->unit[0] == '\0' ? "-" : a->unit);
    }
    for (int i = 0; i < p->def.limit_count; ++i) {
        double low = 0.0, high = 0.0;
        hf_excite_reached(e, i, &low, &high);
        hf_cli_put(stdout, "%s reaches %.4g to %.4g of %g to %g\n", p->limits[i].channel, low, high,
                   p->limits[i].low, p->limits[i].high);
    }
    (void)printf("\nDeviations are those of white noise alone, at these values, first guesses, "
                 "and with known starts of segments: a fit that finds them leaves more. Run it on "
                 "the machine, fit its log, and excite anew from what was found.\n");
}

// The same as one object.
static void print_json(const plan *p, const hf_excite *e)
{
    hf_json json = {.file = stdout};
    hf_json_begin(&json, NULL);
    hf_json_text(&json, "input", p->def.input);
    hf_json_number(&json, "duration", p->def.duration);
    hf_json_count(&json, "samples", hf_excite_rows(e));
    // What its log would tell
    hf_json_begin_list(&json, "parameters");
    for (int i = 0; i < p->def.parameter_count; ++i) {
        const hf_fit_parameter *a = &p->parameters[i];
        hf_json_begin(&json, NULL);
        hf_json_text(&json, "name", a->name);
        hf_json_text(&json, "unit", a->unit == NULL ? "" : a->unit);
        hf_json_number(&json, "value", a->start);
        hf_json_number(&json, "standard_deviation", hf_excite_deviation(e, i));
        hf_json_number(&json, "of_a_sine", hf_excite_sine_deviation(e, i));
        hf_json_end(&json);
    }
    hf_json_end_list(&json);
    // Where channels go
    hf_json_begin_list(&json, "limits");
    for (int i = 0; i < p->def.limit_count; ++i) {
        double low = 0.0, high = 0.0;
        hf_excite_reached(e, i, &low, &high);
        hf_json_begin(&json, NULL);
        hf_json_text(&json, "channel", p->limits[i].channel);
        hf_json_number(&json, "low", p->limits[i].low);
        hf_json_number(&json, "high", p->limits[i].high);
        hf_json_number(&json, "least", low);
        hf_json_number(&json, "largest", high);
        hf_json_end(&json);
    }
    hf_json_end_list(&json);
    hf_json_end(&json);
    (void)putchar('\n');
}

// Columns `time` and the input, for run --input. False after a message.
static bool write_file(const plan *p, const hf_excite *e, const char *path)
{
    FILE *file = fopen(path, "w");
    const double *time = hf_excite_times(e), *input = hf_excite_input(e);
    bool good = file != NULL && fprintf(file, "time,%s\n", p->def.input) > 0;
    for (long long i = 0; good && i < hf_excite_rows(e); ++i) {
        good = fprintf(file, "%.12g,%.9g\n", time[i], input[i]) > 0;
    }
    good = (file == NULL || fclose(file) == 0) && good;
    if (!good) {
        (void)hf_cli_error("%s: cannot be written", path);
    }
    return good;
}

static void prepare(void *options)
{
    excite_options *o = options;
    o->duration = o->period = o->rate = o->segment = (double)NAN;
}

static int start(void *options, const hf_cli_list *operands)
{
    const excite_options *o = options;
    hf_error error = {0};
    plan *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return hf_cli_error("out of memory");
    }
    // The search
    int code = HF_CLI_USAGE;
    if (read_plan(p, operands->items[0], o)) {
        hf_cli_catch_signals();
        p->def.progress = progress;
        p->def.progress_context = p;
        hf_excite *e = hf_excite_create(&p->def, &error);
        if (!o->quiet && isatty(STDERR_FILENO)) {
            (void)fputs("\r\033[K", stderr);
        }
        // What it found
        if (e == NULL) {
            hf_cli_report(&error);
            code = error.status == HF_ERROR_CONVERGENCE ? HF_CLI_FAILED : HF_CLI_USAGE;
        } else {
            if (o->json) {
                print_json(p, e);
            } else {
                print(p, e);
            }
            code = o->output == NULL || write_file(p, e, o->output) ? HF_CLI_DONE : HF_CLI_FAILED;
        }
        hf_excite_destroy(e);
    }
    hf_fit_machine_destroy(p->machine);
    free(p);
    return code;
}

#define AT(member) offsetof(excite_options, member)

static const hf_cli_option table[] = {
    {"input", 0, "S=R", "the input S, and its largest value or LOW..HIGH", HF_CLI_TEXT, AT(input),
     HF_CLI_WORD_ANY, NULL},
    {"match", 0, "C:D", "channel C will be measured, with the deviation D; may be repeated",
     HF_CLI_LIST, AT(matches), HF_CLI_WORD_ANY, NULL},
    {"free", 0, "P", "a number that is to be known, as in fit; may be repeated", HF_CLI_LIST,
     AT(frees), HF_CLI_WORD_ANY, NULL},
    {"limit", 0, "C=R", "channel C stays below R by its size, or in LOW..HIGH; may be repeated",
     HF_CLI_LIST, AT(limits), HF_CLI_WORD_ANY, NULL},
    {"duration", 0, "T", "of the input [s]; 20 unless given", HF_CLI_NUMBER, AT(duration),
     HF_CLI_WORD_ANY, NULL},
    {"period", 0, "T", "of the Fourier series [s]; 5 unless given", HF_CLI_NUMBER, AT(period),
     HF_CLI_WORD_ANY, NULL},
    {"harmonics", 0, "N", "of the series; 8 unless given", HF_CLI_COUNT, AT(harmonics),
     HF_CLI_WORD_ANY, NULL},
    {"rate", 0, "F", "samples a second [Hz]; 100 unless given", HF_CLI_NUMBER, AT(rate),
     HF_CLI_WORD_ANY, NULL},
    {"segment", 0, "T", "length of the fit's segments [s]; 1 unless given", HF_CLI_NUMBER,
     AT(segment), HF_CLI_WORD_ANY, NULL},
    {"criterion", 0, "C", "D (default): all intervals together; A: their squares summed",
     HF_CLI_TEXT, AT(criterion), HF_CLI_WORD_ANY, NULL},
    {"trials", 0, "N", "inputs to simulate; 300 unless given", HF_CLI_COUNT, AT(trials),
     HF_CLI_WORD_ANY, NULL},
    {"seed", 0, "N", "of the search; 1 unless given", HF_CLI_COUNT, AT(seed), HF_CLI_WORD_ANY,
     NULL},
    {"set", 0, "P=V", "give the value V to the model's entry P; may be repeated", HF_CLI_LIST,
     AT(sets), HF_CLI_WORD_ANY, NULL},
    {"output", 'o', "FILE", "write the input as CSV, for run --input and for the machine",
     HF_CLI_TEXT, AT(output), HF_CLI_WORD_FILE, NULL},
    {"json", 0, NULL, "print one JSON object", HF_CLI_FLAG, AT(json), HF_CLI_WORD_ANY, NULL},
    {"quiet", 'q', NULL, "no progress", HF_CLI_FLAG, AT(quiet), HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_excite = {
    .name = "excite",
    .phrase = "find an input whose log tells parameters best",
    .usage = "MODEL --input S=R --match C:D --free P [options]",
    .about = "Finds a Fourier series for an input of the machine, within limits of the input and\n"
             "of channels such as speed and travel, whose log would give the smallest intervals\n"
             "of the free numbers. Ctrl-C leaves the best so far. docs/fit.md explains.\n",
    .after = "\nExample:\n"
             "  holdfast excite axis.yaml --input drive=10 --match slide.position:1e-5 \\\n"
             "      --free 'bodies.slide.mass,forces.guide.level.*' --limit slide.velocity=0.5 \\\n"
             "      --limit slide.position=-0.2..0.2 -o excite.csv\n",
    HF_CLI_ONE_MODEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(excite_options),
    .prepare = prepare,
    .start = start,
};
