// SPDX-License-Identifier: Apache-2.0
// Changes to a model file before it is understood: --set PATH=VALUE.
#ifndef HF_MODELS_OVERRIDE_H
#define HF_MODELS_OVERRIDE_H

#include <holdfast/models.h>

#include "models/node.h"

// Applies all of them in order. `overrides` may be NULL.
HF_NODISCARD hf_status hf_overrides_apply(hf_document *document, const hf_overrides *overrides,
                                          hf_error *error);

#endif
