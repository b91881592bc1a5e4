// SPDX-License-Identifier: Apache-2.0
// Model files. Library: holdfast-models.
#ifndef HOLDFAST_MODELS_H
#define HOLDFAST_MODELS_H

#include <holdfast/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// A change to a model file before it is understood: "bodies.block.mass=2". Path elements are keys,
// names of list items, or indices from 0; the value is YAML.
typedef struct hf_overrides {
    const char *const *items;
    int count;
} hf_overrides;

// Reads a model file (YAML). Errors carry file, line and column. Files that it names (tables) must
// lie in its folder or below. `overrides` may be NULL.
hf_spec *hf_spec_load(const char *path, const hf_overrides *overrides, hf_error *error);

// The same from text in memory. `label` stands for the file name in messages; tables are looked for
// in `folder` (NULL: tables are refused).
hf_spec *hf_spec_parse(const char *text, size_t length, const char *label, const char *folder,
                       const hf_overrides *overrides, hf_error *error);

// hf_spec_load and hf_model_compile in one.
hf_model *hf_model_load(const char *path, hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
