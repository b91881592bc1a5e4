// SPDX-License-Identifier: Apache-2.0
// Couplings: where laws act. Psi maps the bodies' motion to gaps and rates; Phi, its transpose,
// maps the laws' forces to the bodies.                                              000 (13d),
// (13f)
//
//   rate = J(q) v                u = -J(q)' force          so that  u.v = -force.rate  exactly:
//
// wiring neither makes nor loses energy. Each coupling owns `dim` neighbouring rows of gap, rate
// and force. Couplings in space look at poses and add to wrenches; couplings of coordinates look at
// q, v and add to generalized forces.
#ifndef HF_COUPLINGS_COUPLINGS_H
#define HF_COUPLINGS_COUPLINGS_H

#include "math/vec.h"

// Coordinates of `on` minus those of `to` (to_q = -1: none).
typedef struct hf_coordinate_coupling {
    int on_q, on_v, to_q, to_v;
    int dim, row;
} hf_coordinate_coupling;

// Two places on bodies.
typedef struct hf_space_coupling {
    int on, to; // poses
    int row;
    int dim;    // rows: of contacts 3, or 6 with the spins
    int memory; // of spheres: which reference
    double radius, to_radius;
    hf_vec3 on_point, to_point;
    hf_mat3 on_turn, to_turn; // frame to body
} hf_space_coupling;

typedef struct hf_couplings {
    const hf_coordinate_coupling *coordinates;
    const hf_space_coupling *points;
    const hf_space_coupling *distances;
    const hf_space_coupling *spins;
    const hf_space_coupling *planes;
    const hf_space_coupling *frames;
    const hf_space_coupling *spheres;
    int coordinate_count, point_count, distance_count, spin_count, plane_count, frame_count;
    int sphere_count;
    bool in_space; // there are others than of coordinates, so that wrenches are ever written
} hf_couplings;

// What couplings see and change.
typedef struct hf_motion {
    const double *q, *v;       // coordinates
    const hf_pose *poses;      // in space
    double *gap, *rate;        // [row]
    const hf_vec3 *references; // of spheres, by memory
} hf_motion;

typedef struct hf_actions {
    const double *force; // [row], with the sign of the motion
    const hf_pose *poses;
    double *u;                 // generalized forces, by velocity
    hf_wrench *wrenches;       // by pose
    const hf_vec3 *references; // of spheres, by memory
} hf_actions;

// All couplings, kind by kind.
void hf_couplings_psi(const hf_couplings *couplings, const hf_motion *motion);
void hf_couplings_phi(const hf_couplings *couplings, const hf_actions *actions);

// One coupling of each kind: Psi of it, and Phi of it.
void hf_coordinate_psi(const hf_coordinate_coupling *c, const hf_motion *m);
void hf_coordinate_phi(const hf_coordinate_coupling *c, const hf_actions *a);
void hf_points_psi(const hf_space_coupling *c, const hf_motion *m);
void hf_points_phi(const hf_space_coupling *c, const hf_actions *a);
void hf_distance_psi(const hf_space_coupling *c, const hf_motion *m);
void hf_distance_phi(const hf_space_coupling *c, const hf_actions *a);
void hf_spin_psi(const hf_space_coupling *c, const hf_motion *m);
void hf_spin_phi(const hf_space_coupling *c, const hf_actions *a);
void hf_plane_psi(const hf_space_coupling *c, const hf_motion *m);
void hf_plane_phi(const hf_space_coupling *c, const hf_actions *a);
void hf_spheres_psi(const hf_space_coupling *c, const hf_motion *m);
void hf_spheres_phi(const hf_space_coupling *c, const hf_actions *a);
void hf_frames_psi(const hf_space_coupling *c, const hf_motion *m);
void hf_frames_phi(const hf_space_coupling *c, const hf_actions *a);

// How a coupling's rates change while velocities v do not: J' v, and what the bodies' own rates
// add.
typedef struct hf_bias {
    const hf_pose *poses;
    const hf_pose_rate *rates; // by pose
    const hf_vec3 *references; // of spheres, by memory
    double *change;            // [row]
} hf_bias;

void hf_points_bias(const hf_space_coupling *c, const hf_bias *b);
void hf_distance_bias(const hf_space_coupling *c, const hf_bias *b);
void hf_spin_bias(const hf_space_coupling *c, const hf_bias *b);
void hf_plane_bias(const hf_space_coupling *c, const hf_bias *b);
void hf_spheres_bias(const hf_space_coupling *c, const hf_bias *b);

// The world axes (columns) along which a coupling in space exerts its first three rows of force.
hf_mat3 hf_points_axes(void);
hf_mat3 hf_plane_axes(const hf_space_coupling *c, const hf_pose *poses);
hf_mat3 hf_spheres_axes(const hf_space_coupling *c, const hf_pose *poses, hf_vec3 reference);
hf_mat3 hf_frames_axes(const hf_space_coupling *c, const hf_pose *poses);

// The reference of two spheres after `seconds`, seen from the present one.
hf_vec3 hf_spheres_carry(const hf_space_coupling *c, const hf_pose *poses, hf_vec3 reference,
                         double seconds);

#endif
