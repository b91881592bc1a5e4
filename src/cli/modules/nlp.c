// SPDX-License-Identifier: Apache-2.0
// The module holdfast-nlp.so.
#include "cli/modules/module.h"

extern const hf_nlp_module hf_module_nlp;
const hf_nlp_module hf_module_nlp = {.module = {HF_VERSION}, .methods = hf_nlp_methods};
