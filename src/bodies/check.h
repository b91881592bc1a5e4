// SPDX-License-Identifier: Apache-2.0
// Checks of definitions, and what kinds of bodies ask of the description that they are added to.
// They are defined in src/spec, because they need the rest of the description. `what` names the
// thing in messages ("rigid body"), `member` the wrong number.
#ifndef HF_BODIES_CHECK_H
#define HF_BODIES_CHECK_H

#include <holdfast/spec.h>

#include "base/arena.h"

hf_status hf_check_numbers(const double *numbers, int count, const char *what, const char *name,
                           const char *member, hf_error *error);
hf_status hf_check_axes(int dim, const int *axes, const char *what, const char *name,
                        hf_error *error);
hf_status hf_check_mass(double mass, bool zero_allowed, const char *what, const char *name,
                        hf_error *error);
// `definite`: not zero in any direction. `any`: also what no mass distribution has.
hf_status hf_check_inertia(const hf_sym3 *inertia, bool definite, bool any, const char *what,
                           const char *name, hf_error *error);
hf_status hf_check_unit_quat(const double *quat, const char *what, const char *name,
                             const char *member, hf_error *error);
hf_status hf_check_value(const hf_spec *spec, hf_value value, const char *what, const char *name,
                         const char *member, hf_error *error);
hf_status hf_check_shape(const hf_shape *shape, const char *what, const char *name,
                         hf_error *error);
// A shape of a body that moves: no plane.
hf_status hf_check_moving_shape(const hf_shape *shape, const char *what, const char *name,
                                hf_error *error);
hf_status hf_check_coordinate(const hf_spec *spec, hf_coordinate coordinate, int dim,
                              const char *what, const char *name, const char *side,
                              hf_error *error);

// Replaces a shape's mesh by a copy in the arena. False when out of memory.
bool hf_shape_keep(hf_arena *arena, hf_shape *shape);

// Adds a body of a type under its full name: its definition is checked and copied by its table.
// Zero id on error.
hf_body hf_spec_put_body(hf_spec *spec, hf_body_type type, const void *def, const char *name,
                         hf_error *error);

#endif
