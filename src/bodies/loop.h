// SPDX-License-Identifier: Apache-2.0
// A loop: what closes a chain of bodies, as rows of equations between two frames, `on` and `to`.
//
//   d = p_on - p_to;  x, y, z the axes of a frame in the world
//   point, spherical   d = 0                                                             3 rows
//   revolute           d = 0;  x_to.z_on = 0, y_to.z_on = 0                              5 rows
//   fixed              d = 0;  x_to.z_on = 0, y_to.z_on = 0, y_to.x_on = 0               6 rows
//   prismatic          x_to.d = 0, y_to.d = 0;  the turns as fixed                       5 rows
//   distance           |d| = length                                                      1 row
//   ratio              sum of P_i(q_i) = value: no frames (loops/loop_rows.c)            1 row
//
// phi of a row is the left side minus the right [m or rad: for small angles the products are
// angles]. Its first two derivatives are
//   phi'  = f.(v_on - v_to) + t.(w_on - w_to)                      v at the places the row acts at
//   phi'' = the same with accelerations + bias, bias from the velocities
// so the row acts on the bodies with the force f and the torque t, times its multiplier.
#ifndef HF_BODIES_LOOP_H
#define HF_BODIES_LOOP_H

#include <holdfast/spec.h>

#include "math/vec.h"

enum { HF_LOOP_MAX_ROWS = 6 };

typedef struct hf_loop_joint {
    hf_loop_type type;
    hf_vec3 on_point, to_point; // in the bodies' frames [m]
    hf_mat3 on_turn, to_turn;   // frame to body
    double length;              // of HF_LOOP_DISTANCE [m]
} hf_loop_joint;

typedef struct hf_loop_rows {
    int count;
    hf_vec3 on_arm, to_arm; // from the bodies' origins to where the rows act, world axes [m]
    hf_vec3 force[HF_LOOP_MAX_ROWS], torque[HF_LOOP_MAX_ROWS];
    double phi[HF_LOOP_MAX_ROWS];
} hf_loop_rows;

// Whether row k is a turn (rad) rather than a shift (m).
bool hf_loop_row_turns(hf_loop_type type, int k);

// The rows at these poses.
void hf_loop_rows_at(const hf_loop_joint *loop, const hf_pose *on, const hf_pose *to,
                     hf_loop_rows *rows);

// P, P' and P'' of P(x) = p[0] x + p[1] x^2 + ...: a summand of a ratio.
void hf_loop_polynomial(const double p[HF_LOOP_POWERS], double x, double out[3]);

// phi'' of every row when the motion of the bodies' origins changes by these rates.
void hf_loop_accelerations(const hf_loop_joint *loop, const hf_pose *on, const hf_pose *to,
                           const hf_pose_rate *on_rate, const hf_pose_rate *to_rate, double *out);

#endif
