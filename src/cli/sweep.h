// SPDX-License-Identifier: Apache-2.0
// holdfast sweep, and holdfast-sweep-mpi, which is the same with another engine.
#ifndef HF_CLI_SWEEP_H
#define HF_CLI_SWEEP_H

#include <holdfast/sweep.h>

#include "cli/cli.h"

typedef struct hf_cli_sweep_options {
    const char *model; // MODEL, or a table
    hf_cli_list vary, of, sets;
    const char *cases, *variants, *methods, *design, *indices;
    long long samples, seed, every, jobs;
    double after, duration;
    const char *recordings, *shard, *output, *report, *repeat, *csv, *parquet;
    bool regimes, energy, resume, collect, quiet, json, strict;
} hf_cli_sweep_options;

// How cases are run: hf_sweep_run, or over several processes.
typedef hf_status hf_cli_sweep_engine(hf_sweep *sweep, hf_error *error);

// The command itself. `silent`: a process that leaves all speech to another.
int hf_cli_sweep(const hf_cli_sweep_options *options, hf_cli_sweep_engine *engine, bool silent);
extern const hf_cli_command hf_cli_command_sweep;

// What came of it (sweep_show.c).
void hf_cli_sweep_print(const char *path, const hf_table *table);
void hf_cli_sweep_print_json(const char *path, const hf_table *table);

// A table named on the command line (table_file.c): shown, a case run again, a page made.
bool hf_cli_is_table_name(const char *word);
int hf_cli_sweep_table(const hf_cli_sweep_options *options);

#endif
