// SPDX-License-Identifier: Apache-2.0
// Sweeps: one machine, many runs with other numbers, and one row of a table for each.
// Library: holdfast-sweep.
//
//   const char *vary[] = {"floor.level.kinetic=1:20:96", "mass=log:0.1:10:32"};
//   const char *of[] = {"max(abs(block.velocity))", "block.position"};
//   hf_sweep_def def = hf_sweep_def_default();
//   def.model = "block.yaml";
//   def.vary = vary, def.vary_count = 2;
//   def.of = of, def.of_count = 2;
//   def.output = "out.h5";
//   hf_sweep *sweep = hf_sweep_create(&def, &error);
//   hf_status status = hf_sweep_run(sweep, &error);
//   hf_sweep_destroy(sweep);
//
// Every finished case is kept at once, in OUTPUT.cases. When all are there, the table is written
// (record.h) and that file removed. A program that is killed, or whose disk is full, has lost what
// was running; with `resume` it goes on with what is missing. The table is the same to the bit for
// any number of threads, shards and interruptions.
//
// docs/sweeps.md has the words of `vary` and `of`.
#ifndef HOLDFAST_SWEEP_H
#define HOLDFAST_SWEEP_H

#include <holdfast/record.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_sweep hf_sweep;

// How the values of random axes (uniform, normal, ...) are spread over the samples.
typedef enum hf_sweep_design {
    HF_SWEEP_RANDOM, // independent draws
    HF_SWEEP_LHS,    // Latin hypercube: one sample in each of N layers, for every axis
    HF_SWEEP_SOBOL   // Sobol' sequence with a digital shift; 32 axes at most
} hf_sweep_design;

// Sensitivity of the outputs to the random axes.
typedef enum hf_sweep_indices {
    HF_SWEEP_NO_INDICES,
    HF_SWEEP_SOBOL_INDICES, // first order and total, samples*(axes + 2) cases [Saltelli2010]
    HF_SWEEP_MORRIS         // elementary effects, samples*(axes + 1) cases [Morris1991]
} hf_sweep_indices;

typedef struct hf_sweep_progress {
    long long cases, done; // of this sweep; of its shard, where it is one
    long long kept;        // of these: finished by an earlier start
    long long failed, doubtful;
} hf_sweep_progress;

typedef struct hf_sweep_def {
    // The machine: a file, or `length` bytes of text with `label` for messages and `folder` for the
    // files it names (NULL: none).
    const char *model;
    const char *text;
    size_t length;
    const char *label, *folder;
    const char *const *sets; // changes for all cases: hf_overrides.items
    int set_count;
    // What varies: "NAME=VALUES". NAME is a parameter (parameter.h), one of the file's own
    // `parameters:`, or a path as hf_overrides takes it; the section may be left out.
    const char *const *vary;
    int vary_count;
    const char *const *variants; // of the file
    int variant_count;
    const char *const *methods; // by name
    int method_count;
    const char *cases; // a CSV file: a column for each name, a row for each case; NULL: none
    hf_sweep_design design;
    hf_sweep_indices indices;
    long long samples;       // of random axes, >= 1
    unsigned long long seed; // of random axes
    // What is kept of a run: "EXPRESSION" or "NAME=EXPRESSION".
    const char *const *of;
    int of_count;
    bool regimes;           // also the times in stick, slip and open of every friction force
    bool energy;            // also the energies at the end
    double after;           // expressions see states from this time on, >= 0 [s]
    double duration;        // [s]; NaN: the model's
    const char *recordings; // folder for a recording of every case; NULL: none
    long long every;        // steps between samples of expressions and recordings, >= 1
    // How
    int jobs;           // threads, >= 1
    int shard, shards;  // this is part `shard` (from 1) of `shards`; 0: the whole
    const char *output; // .h5, .hdf5 or .csv
    bool resume;        // go on with what OUTPUT.cases and those of the shards hold
    bool collect;       // as `resume`, but runs nothing: what is missing is an error
    const hf_method_table *tables[HF_METHOD_TABLES]; // hf_sim_def.methods
    // Called after every case, by one thread at a time; may be NULL.
    void (*on_case)(void *context, const hf_sweep_progress *progress);
    // Asked between cases, and within steps that take long; true ends the sweep with
    // HF_INTERRUPTED. Called from every thread; may be NULL.
    bool (*stop_wanted)(void *context);
    void *context;
} hf_sweep_def;

// One case after the other in one thread, nothing varied.
HF_API hf_sweep_def hf_sweep_def_default(void);

// Reads the machine and everything that is asked for, and checks it: names, ranges, expressions.
// What `def` points to is copied, but for `context` and the tables. NULL on error.
HF_API hf_sweep *hf_sweep_create(const hf_sweep_def *def, hf_error *error);
HF_API void hf_sweep_destroy(hf_sweep *sweep); // NULL is allowed

HF_API long long hf_sweep_count(const hf_sweep *sweep); // of cases

// Runs all cases that are missing and writes the table. HF_INTERRUPTED: stopped on request; what is
// finished is in OUTPUT.cases. A shard writes no table: a sweep with `resume` or `collect` does.
// Failed cases are rows, never an error.
HF_API HF_NODISCARD hf_status hf_sweep_run(hf_sweep *sweep, hf_error *error);
HF_API hf_sweep_progress hf_sweep_get_progress(const hf_sweep *sweep);

// ------------------------------------------------------------------------------------------------
// From a table

// Runs the case of a row again, from the model that the table keeps, and records it (`recording`
// NULL: does not). HF_ERROR_STATE: the outputs are not those of the row, to the bit. The case is
// the row's number, from 0. `tables` as in hf_sim_def, may be NULL.
HF_API HF_NODISCARD hf_status hf_sweep_repeat(const hf_table *table, long long row,
                                              const char *recording,
                                              const hf_method_table *const *tables,
                                              hf_error *error);

// Sensitivity of an output to an axis. Sobol' indices: `first` of the variance of the output is
// due to the axis alone, `total` to it and its interplay with others. Morris: mean size of the
// elementary effects (`total`), their mean (`first`) and their spread, per unit of the axis's
// probability.
typedef struct hf_sweep_index {
    double first, total;
    double first_error, total_error; // standard errors (Sobol')
    double spread;                   // standard deviation of the effects (Morris)
    long long used;                  // samples without a failed case
} hf_sweep_index;

// Of the output in column `output`, for all random axes of the table in their order: at most
// `capacity` are written. Returns how many axes there are; negative: an error.
HF_API int hf_sweep_table_indices(const hf_table *table, int output, hf_sweep_index *indices,
                                  int capacity, hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
