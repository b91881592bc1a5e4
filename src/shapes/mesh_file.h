// SPDX-License-Identifier: Apache-2.0
// Meshes from files: Wavefront OBJ (its vertices) and STL (text or binary).
#ifndef HF_SHAPES_MESH_FILE_H
#define HF_SHAPES_MESH_FILE_H

#include <holdfast/spec.h>

// The convex hull of all vertices in a file, times `scale` along each axis (negative: mirrored).
// STL is recognized by its contents, OBJ by its ending. `label` stands for the file
// in messages, which have line and column where the file has lines. NULL on error.
hf_mesh *hf_mesh_read(const char *path, const char *label, hf_vec3 scale, hf_error *error);

// The same from memory; `text` ends with a zero behind `length` bytes.
hf_mesh *hf_mesh_parse(const char *text, size_t length, const char *label, hf_vec3 scale,
                       hf_error *error);

// The hull of points as files have them: where they lie so close together that their hull cannot be
// told, they are moved to the points of a grid, by at most *moved along each axis [m]: the finest
// of 1e-6, 1e-5, 1e-4 and 1e-3 of their extent that serves. *moved is zero where that was not
// needed.
hf_mesh *hf_mesh_create_from(const hf_vec3 *points, size_t point_count, double *moved,
                             hf_error *error);

// All triangles of a file, as they are: polygons of OBJ as fans. Empty on error.
typedef struct hf_soup {
    hf_vec3 *points; // [m]
    size_t point_count;
    int *corners; // three for each triangle
    size_t triangle_count;
} hf_soup;
bool hf_soup_read(const char *path, const char *label, hf_soup *soup, hf_error *error);
bool hf_soup_parse(const char *text, size_t length, const char *label, hf_soup *soup,
                   hf_error *error);
// Along each axis; where that mirrors, triangles turn round.
void hf_soup_scale(hf_soup *soup, hf_vec3 scale);
void hf_soup_free(hf_soup *soup);

#endif
