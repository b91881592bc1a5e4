// SPDX-License-Identifier: Apache-2.0
// Text that grows: a model file being written.
#ifndef HF_ROBOTS_WRITE_H
#define HF_ROBOTS_WRITE_H

#include "robots/robot.h"

typedef struct hf_text_out {
    char *text; // ends with a zero; the caller frees it
    size_t count, capacity;
    bool failed; // out of memory: nothing more is written
} hf_text_out;

void hf_put(hf_text_out *out, const char *text);
void hf_put_number(hf_text_out *out, double value); // shortest digits that read back the same
void hf_put_numbers(hf_text_out *out, const double *values, int count);
void hf_put_vec3(hf_text_out *out, hf_vec3 v);
void hf_put_quat(hf_text_out *out, hf_quat q);
void hf_put_quoted(hf_text_out *out, const char *text); // in double quotes, as YAML has them

// "KEY" and the number.
void hf_put_key_number(hf_text_out *out, const char *key, double value);
// "TREE.LINK", or "world".
void hf_put_link_name(hf_text_out *out, const hf_robot *robot, int link);

// Whether a turn is none at all.
bool hf_is_unturned(hf_quat q);

// write_shapes.c: what collides. `shapes: {...}` of a link, behind a comma; the bodies of the
// world's shapes; materials and pairs; the one force between all of them.
void hf_put_link_shapes(hf_text_out *out, const hf_robot *robot, int link);
bool hf_name_scenery(hf_robot *robot); // first of all; false: out of memory
void hf_put_scenery(hf_text_out *out, const hf_robot *robot);
bool hf_put_surfaces(hf_text_out *out, hf_robot *robot);
void hf_put_contacts(hf_text_out *out, hf_robot *robot);
// "{type: ..., sizes" of a shape, open for more.
void hf_put_solid(hf_text_out *out, const hf_robot *robot, const hf_robot_shape *s);
// looks.c: `draw: [...]` of a link, behind a comma.
void hf_put_looks(hf_text_out *out, const hf_robot *robot, int link);
bool hf_link_has_shapes(const hf_robot *robot, int link);

// write_forces.c: drives, tendons and weights as forces; loops and couplings.
void hf_put_forces(hf_text_out *out, hf_robot *robot);
void hf_put_loops(hf_text_out *out, hf_robot *robot);
// Where a force on a length acts: `on: LINK` for one joint, whose force is the factor times that on
// the length, or `ratio`, `path`, `wrench`, `crank`, behind a comma.
void hf_put_place(hf_text_out *out, const hf_robot *robot, const hf_robot_sum *sum);
// The factor between length and coordinate: a ratio has it in its terms.
double hf_gear_of(const hf_robot_sum *sum);
// What the length is where all of the model's coordinates are zero.
double hf_length_at_zero(const hf_robot *robot, const hf_robot_sum *sum);
// `low` and `high` times a factor, as far as there are any, behind commas.
void hf_put_limits(hf_text_out *out, double low, double high, double factor);

// write_drives.c: inputs, and a drive as a force.
void hf_put_signals(hf_text_out *out, const hf_robot *robot);
void hf_put_drive(hf_text_out *out, const hf_robot *robot, int index);

// write_motor.c: a motor with its circuit.
void hf_put_motor(hf_text_out *out, const hf_robot *robot, const hf_robot_drive *drive);

// write_wind.c: whether the fluid around moves; the laws that tell a link of it, and its velocity
// along an axis of the link, as an expression.
bool hf_robot_has_wind(const hf_robot *robot);
void hf_put_wind(hf_text_out *out, const hf_robot *robot, int link);
void hf_put_wind_along(hf_text_out *out, const hf_robot *robot, int link, hf_vec3 axis);
// write_fluid.c: drag on a link.
void hf_put_fluid(hf_text_out *out, const hf_robot *robot, int link);
// write_ellipsoid.c: drag and lift on an ellipsoid.
void hf_put_ellipsoid(hf_text_out *out, const hf_robot *robot, int index);

#endif
