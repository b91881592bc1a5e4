// SPDX-License-Identifier: Apache-2.0
// Meshes from files: Wavefront OBJ (its vertices) and STL (text or binary).
#ifndef HF_MODELS_MESH_FILE_H
#define HF_MODELS_MESH_FILE_H

#include <holdfast/spec.h>

// The convex hull of all vertices in a file, times `scale`. The format is told by the contents of
// STL and by the ending of OBJ. `label` stands for the file in messages, which have line and column
// where the file has lines. NULL on error.
hf_mesh *hf_mesh_read(const char *path, const char *label, double scale, hf_error *error);

// The same from memory; `text` ends with a zero behind `length` bytes.
hf_mesh *hf_mesh_parse(const char *text, size_t length, const char *label, double scale,
                       hf_error *error);

#endif
