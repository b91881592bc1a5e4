// SPDX-License-Identifier: Apache-2.0
// Holdfast: machines whose friction really sticks. Everything in one include.
//
//   hf_error err;
//   hf_model *model = hf_model_load("arm.yaml", &err);          (models.h, or spec.h in C)
//   hf_sim *sim = hf_sim_create(model, NULL, &err);
//   while (hf_sim_time(sim) < 10.0) {
//       hf_sim_set_input(sim, motor, controller(hf_sim_q(sim, elbow)));
//       if (hf_sim_step(sim, &err) != HF_OK) { fprintf(stderr, "%s\n", err.text); break; }
//   }
//   hf_sim_destroy(sim);
//   hf_model_destroy(model);
#ifndef HOLDFAST_HOLDFAST_H
#define HOLDFAST_HOLDFAST_H

#include <holdfast/adaptive.h>
#include <holdfast/base.h>
#include <holdfast/batch.h>
#include <holdfast/contact.h>
#include <holdfast/coupling.h>
#include <holdfast/excite.h>
#include <holdfast/fc3d.h>
#include <holdfast/fclib.h>
#include <holdfast/fit.h>
#include <holdfast/fmi.h>
#include <holdfast/kinds.h>
#include <holdfast/law.h>
#include <holdfast/laws.h>
#include <holdfast/loop.h>
#include <holdfast/model.h>
#include <holdfast/models.h>
#include <holdfast/nlp.h>
#include <holdfast/parameter.h>
#include <holdfast/record.h>
#include <holdfast/report.h>
#include <holdfast/robots.h>
#include <holdfast/sensitivity.h>
#include <holdfast/shape.h>
#include <holdfast/signal.h>
#include <holdfast/sim.h>
#include <holdfast/spec.h>
#include <holdfast/sweep.h>
#include <holdfast/use_law.h>

#endif
