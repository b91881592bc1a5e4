// SPDX-License-Identifier: Apache-2.0
// Shapes of a model, for people.
#ifndef HF_CLI_SHAPES_H
#define HF_CLI_SHAPES_H

#include <holdfast/model.h>

// Shapes that were drawn, or of which a body has several: places, volumes, mass and inertia.
void hf_cli_print_shapes(const hf_model *model);
// A warning for every hull that is much larger than what it replaces.
void hf_cli_warn_hulls(const hf_model *model);

#endif
