// SPDX-License-Identifier: Apache-2.0
// Runs of one machine side by side: many small machines stepped at once.
//
// A small machine's step is mostly bookkeeping, and its few numbers do not fill the processor's
// lanes. A batch is one sim of `count` machines that do not touch each other: laws and bodies of
// all of them are evaluated together, four numbers at a time where the processor can. Each run has
// the same bits as in a sim of its own.
//
//   hf_batch *batch = hf_batch_create(model, NULL, 16, &error);   // NULL: the machine does not fit
//   hf_sim_set_input(hf_batch_sim(batch), hf_batch_signal(batch, 3, motor), 0.5);
//   hf_sim_step(hf_batch_sim(batch), &error);
//   double q = hf_sim_value(hf_batch_sim(batch), hf_batch_channel(batch, 3, position));
#ifndef HOLDFAST_BATCH_H
#define HOLDFAST_BATCH_H

#include <holdfast/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_batch hf_batch;

enum { HF_BATCH_MOST = 1024 };

// `def`: as for hf_sim_create, NULL for the model's; without controllers. `count`: runs, 1 to
// HF_BATCH_MOST. NULL on error. HF_ERROR_UNSUPPORTED: the machine does not fit, run it in sims of
// its own. It fits under methods of fixed steps that do the same to a machine whatever else is in
// the sim (the error names them), when it has masses, rotors, rigid bodies and trees, forces
// between two of them or to the ground, and signals of time: no contacts among many shapes, loops,
// driven bodies, laws that are found over whole steps or sample with a clock, and no signals of
// channels. The model must outlive the batch.
HF_API hf_batch *hf_batch_create(const hf_model *model, const hf_sim_def *def, int count,
                                 hf_error *error);
HF_API void hf_batch_destroy(hf_batch *batch); // NULL is allowed

// The sim of all runs. Steps, time and inputs are as of any sim; energies, statistics and the
// verdict are those of all runs together. A run that fails ends the step of all.
HF_API hf_sim *hf_batch_sim(hf_batch *batch);

// What a body, signal or channel of the model is in run 0 to count - 1. A channel of the whole
// machine (energy.residual) has none: id 0.
HF_API hf_body hf_batch_body(const hf_batch *batch, int run, hf_body body);
HF_API hf_signal hf_batch_signal(const hf_batch *batch, int run, hf_signal signal);
HF_API hf_channel hf_batch_channel(const hf_batch *batch, int run, hf_channel channel);
// The name of a parameter in a run, for hf_sim_set_parameters. HF_ERROR_NAME: it is one of the
// whole machine (gravity.z), or there is none of this name. HF_ERROR_RANGE: `size` is too small.
HF_API HF_NODISCARD hf_status hf_batch_parameter(const hf_batch *batch, int run, const char *name,
                                                 char *to, size_t size);

#ifdef __cplusplus
}
#endif
#endif
