// SPDX-License-Identifier: Apache-2.0
// COLLADA meshes (.dae), on expat: triangles, polylists and polygons of all geometries, where the
// nodes of the visual scene put them, in meters. The up axis is not applied: URDF and SDF mean the
// file's own axes, as RViz and Gazebo show them.
#ifndef HF_ROBOTS_DAE_H
#define HF_ROBOTS_DAE_H

#include "shapes/mesh_file.h"

// Whether a file's name says that it is one.
bool hf_dae_is_one(const char *name);
// The triangles of a file. False with the error filled, which names file, line and column.
bool hf_dae_read(const char *path, const char *label, hf_soup *soup, hf_error *error);
bool hf_dae_parse(const char *text, size_t length, const char *label, hf_soup *soup,
                  hf_error *error);

// Meshes of any format: hf_soup_read and hf_mesh_read, and DAE beside OBJ and STL.
bool hf_any_soup_read(const char *path, const char *label, hf_soup *soup, hf_error *error);
hf_mesh *hf_any_mesh_read(const char *path, const char *label, hf_vec3 scale, hf_error *error);

#endif
