// SPDX-License-Identifier: Apache-2.0
// What the files of `holdfast fit` share.
#ifndef HF_CLI_FIT_H
#define HF_CLI_FIT_H

#include <stdio.h>

#include <holdfast/fit.h>

#include "base/arena.h"
#include "base/json.h"
#include "cli/cli.h"
#include "models/tree/node.h"

typedef struct hf_cli_fit_options {
    hf_cli_list sets, logs, validations, inputs, matches, frees, priors, offsets, scales, each_logs;
    const char *segments, *loss, *hold, *output, *report, *laws;
    double loss_scale, cutoff;
    long long starts, evolve, iterations, jobs, seed, thin;
    bool fixed, logarithmic, per_log, json, quiet, inverse, profile;
    // Of --laws: what takes the place of the file's friction; names that fit nothing are left out
    const char *variant;
    const hf_law_change *law;
    bool lenient;
    const char *profiled; // the number whose profile is in work, for the progress; NULL: none
} hf_cli_fit_options;

enum { HF_CLI_FIT_MOST = 64, HF_CLI_FIT_MOST_PARAMETERS = 256, HF_CLI_FIT_TEXT = 400 };

// The definition and all that it points to.
typedef struct hf_cli_fit_plan {
    hf_fit_def def;
    hf_fit_machine *machine;
    hf_fit_log *logs[HF_CLI_FIT_MOST];
    int log_count;
    hf_fit_input inputs[HF_CLI_FIT_MOST];
    hf_fit_match matches[HF_CLI_FIT_MOST];
    hf_fit_parameter parameters[HF_CLI_FIT_MOST_PARAMETERS];
    char texts[2 * HF_CLI_FIT_MOST][2][HF_CLI_FIT_TEXT]; // name and expression
    int text_count;
    char names[HF_CLI_FIT_MOST][HF_CLI_FIT_TEXT]; // of delays, offsets and scales
    int name_count;
    int model_count;       // parameters of the machine, which come first
    hf_arena arena;        // of the section `fit`
    hf_document documents; // the model file, whose texts the options have
} hf_cli_fit_plan;

// The sum of squares with a number held at values about the result, which is in the middle.
enum { HF_CLI_FIT_PLACES = 7 };
typedef struct hf_cli_fit_profile {
    double values[HF_CLI_FIT_PLACES], costs[HF_CLI_FIT_PLACES];
} hf_cli_fit_profile;

// fit.c: removes the line of progress from the terminal.
void hf_cli_fit_clear(const hf_cli_fit_options *o);

// fit_section.c: adds what the model file says in its section `fit`. False after a message.
bool hf_cli_fit_section(hf_cli_fit_plan *plan, const char *model, hf_cli_fit_options *options);

// fit_plan.c: reads options, model and logs. False after a message.
bool hf_cli_fit_plan_make(hf_cli_fit_plan *plan, const char *model,
                          const hf_cli_fit_options *options);
void hf_cli_fit_plan_free(hf_cli_fit_plan *plan);

// fit_output.c: what was found for the numbers of the model; 0 for those that were not free.
void hf_cli_fit_model_values(const hf_cli_fit_plan *plan, const hf_fit *fit,
                             double values[HF_CLI_FIT_MOST_PARAMETERS]);

// fit_log.c: CSV, or a recording in HDF5. NULL on error.
hf_fit_log *hf_cli_fit_read_log(const char *path, hf_error *error);

// fit_laws.c: fits with each of these laws in turn and compares them. An exit code.
int hf_cli_fit_laws(const char *model, const hf_cli_fit_options *options,
                    bool (*progress)(void *context, const hf_fit_progress *progress));

// fit_output.c
// What was tried, from where, and what came of it.
void hf_cli_fit_print_tries(const hf_fit *fit, FILE *file);
void hf_cli_fit_print(const hf_cli_fit_plan *plan, const hf_fit *fit, double seconds);
// `profiles` may be NULL.
void hf_cli_fit_print_json(const hf_cli_fit_plan *plan, const hf_fit *fit,
                           const hf_cli_fit_profile *profiles, FILE *file);
// The fitted model. False after a message.
bool hf_cli_fit_write_model(const hf_cli_fit_plan *plan, const hf_fit *fit, const char *path);

// fit_profile.c: the profile of every unknown, [unknown]. False after a message; what was stopped
// is NaN.
bool hf_cli_fit_find_profiles(hf_fit *fit, hf_cli_fit_options *options,
                              hf_cli_fit_profile *profiles);
void hf_cli_fit_print_profiles(const hf_fit *fit, double cost, const hf_cli_fit_profile *profiles);
void hf_cli_fit_json_profiles(hf_json *json, const hf_fit *fit, const hf_cli_fit_profile *profiles);

// fit_page.c: one self-contained HTML page. False after a message.
bool hf_cli_fit_write_page(const hf_cli_fit_plan *plan, hf_fit *fit,
                           const hf_cli_fit_profile *profiles, const char *path);

// fit_curves.c: its figures. False after a message.
bool hf_cli_fit_draw_channel(FILE *file, const hf_fit_log *log, const char *name, const char *unit,
                             hf_fit *fit, int t, int m);
void hf_cli_fit_draw_profiles(FILE *file, const hf_fit *fit, const hf_cli_fit_profile *profiles);

#endif
