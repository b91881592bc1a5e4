// SPDX-License-Identifier: Apache-2.0
// What is kept of a run: expressions over channels, gathered while the run goes on.
//
//   final(X) mean(X) rms(X) max(X) min(X)     of an expression X over channels and the time t
//   first(X)                                  the first time at which X is true; NaN: never
//   count(X)                                  how often X becomes true
//   period(X) amplitude(X)                    of the limit cycle: over the second half of the run
//   stick(F) slip(F) open(F)                  part of the time that force F spends so
//   transitions(F) largest(F)                 its changes of regime; its largest force
//   ledger                                    residual of the energy over what was turned over
//
// A channel outside of these is its final value, and t the time reached. min and max of several
// arguments are those of expressions. Numbers, + - * / and functions may combine them all.
//
// Two programs: one over the channels (inner), evaluated at every sample; one over what became of
// them (outer), evaluated at the end. A program is immutable, and shared by threads.
#ifndef HF_SWEEP_OBSERVE_H
#define HF_SWEEP_OBSERVE_H

#include <holdfast/sim.h>

#include "base/arena.h"
#include "math/expression.h"

#define HF_GATHER_LIST(X)                                                                          \
    X(HF_GATHER_FINAL, "final")                                                                    \
    X(HF_GATHER_MEAN, "mean")                                                                      \
    X(HF_GATHER_RMS, "rms")                                                                        \
    X(HF_GATHER_MAX, "max")                                                                        \
    X(HF_GATHER_MIN, "min")                                                                        \
    X(HF_GATHER_FIRST, "first")                                                                    \
    X(HF_GATHER_COUNT, "count")                                                                    \
    X(HF_GATHER_PERIOD, "period")                                                                  \
    X(HF_GATHER_AMPLITUDE, "amplitude")                                                            \
    X(HF_GATHER_STICK, "stick")                                                                    \
    X(HF_GATHER_SLIP, "slip")                                                                      \
    X(HF_GATHER_OPEN, "open")                                                                      \
    X(HF_GATHER_TRANSITIONS, "transitions")                                                        \
    X(HF_GATHER_LARGEST, "largest")                                                                \
    X(HF_GATHER_LEDGER, "ledger")
typedef enum hf_gather_kind {
#define HF_GATHER_ENUM(name, word) name,
    HF_GATHER_LIST(HF_GATHER_ENUM)
#undef HF_GATHER_ENUM
        HF_GATHER_COUNT_OF
} hf_gather_kind;

typedef struct hf_gather {
    hf_gather_kind kind;
    hf_expression *expression; // over the channels and t; NULL: of a force, or the ledger
    const char *force;         // by name
} hf_gather;

typedef struct hf_output {
    const char *name;          // of the column
    hf_expression *expression; // over the gathers and t
} hf_output;

typedef struct hf_observe {
    hf_arena arena;
    int channel_count, gather_count, output_count;
    size_t channel_room, gather_room, output_room;
    const char **channels; // names
    hf_gather *gathers;
    hf_output *outputs;
} hf_observe;

// Adds "EXPRESSION" or "NAME=EXPRESSION". Channels and forces are those of `model`. `name` not
// NULL: the text is an expression, and this is its name.
HF_NODISCARD hf_status hf_observe_add(hf_observe *observe, const hf_model *model, const char *name,
                                      const char *text, hf_error *error);
void hf_observe_free(hf_observe *observe);

// ------------------------------------------------------------------------------------------------
// One run (gather.c)

typedef struct hf_watcher hf_watcher;

// For one thread; used run after run. NULL: out of memory.
hf_watcher *hf_watcher_create(const hf_observe *observe);
void hf_watcher_destroy(hf_watcher *watcher);

// Before the first step: finds the channels in the sim's model. `after` [s]: earlier samples do not
// count; `end` [s]: of the run.
HF_NODISCARD hf_status hf_watcher_begin(hf_watcher *watcher, hf_sim *sim, double after, double end,
                                        hf_error *error);
// Whether hf_watcher_sample has anything to do.
bool hf_watcher_samples(const hf_watcher *watcher);
HF_NODISCARD hf_status hf_watcher_sample(hf_watcher *watcher, hf_sim *sim, hf_error *error);
// After the last step: one number an output.
void hf_watcher_end(hf_watcher *watcher, hf_sim *sim, const hf_verdict *verdict, double *outputs);

#endif
