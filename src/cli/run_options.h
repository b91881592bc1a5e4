// SPDX-License-Identifier: Apache-2.0
// The options of `holdfast run`, and what they make of a model.
#ifndef HF_CLI_RUN_OPTIONS_H
#define HF_CLI_RUN_OPTIONS_H

#include <holdfast/sim.h>

#include "cli/cli.h"
#include "cli/robot_options.h"

typedef struct hf_cli_run_options {
    const char *model;   // MODEL
    const char *output;  // NULL: not recorded
    const char *save;    // file for the state at the end; NULL: none
    const char *from;    // file of the state to go on from; NULL: from the start
    const char *report;  // page to write; NULL: none
    const char *variant; // of the model; NULL: the model as it is
    const char *input;   // values of the input signals: FILE.csv or "-"; NULL: none
    const char *method;  // NULL: the model's
    double step;         // [s]; NaN: the model's
    const char *family;  // of an adaptive method; NULL: the model's
    double rtol, atol;   // of an adaptive method; NaN: the model's
    double duration;     // [s]; NaN: the model's
    hf_cli_list sets;
    hf_cli_list sensitivity;    // what derivatives are taken by
    hf_cli_robot_options robot; // how a robot's file is read
    char keys[3][64];           // of family, rtol and atol as changes of the model
    long long every;            // steps between samples
    const char *dump;           // folder for friction-contact problems; NULL: none
    long long dump_every, dump_above;
    bool json, quiet, strict;
    bool realtime; // steps on a clock
    bool verify;   // compares with half the step
    bool no_verify;
} hf_cli_run_options;

// Checks what was given, and makes changes of the model from what is of single keys. False after a
// message.
bool hf_cli_run_check(hf_cli_run_options *options);

// The command itself (run.c).
int hf_cli_run(void *options, const hf_cli_list *operands);

// What a run will do.
typedef struct hf_cli_plan {
    hf_sim_def sim;
    double duration; // [s]
    long long steps; // from t = 0 to the end
} hf_cli_plan;

// Applies the options to the model, which has been read with the step among them. False after a
// message on stderr.
bool hf_cli_make_plan(const hf_cli_run_options *options, const hf_model *model, hf_cli_plan *plan);

#endif
