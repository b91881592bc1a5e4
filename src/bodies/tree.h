// SPDX-License-Identifier: Apache-2.0
// Articulated tree: links, each joined to its parent (or to the world) by one joint.
// Featherstone's algorithms, with every link's quantities at its origin in the world's axes.
// [Featherstone2008, ch. 5-7]
//
// A link's frame sits at its joint. The joint's place on the parent is (offset, tilt); the joint
// then moves the link's frame: a turn about `axis`, a shift along it, a ball, a plane (x, y, turn
// about z), or freely. Coordinates of the joint types:
//
//   type       q                          v (in the link's frame unless said)
//   fixed      -                          -
//   revolute   angle                      its rate
//   prismatic  shift                      its rate
//   spherical  quaternion w x y z         angular velocity
//   planar     x, y, angle                their rates, in the joint frame on the parent
//   free       position, quaternion       velocity (joint frame on the parent), angular velocity
//
// A spherical or free joint's angular velocity is relative to the parent; its quaternion turns link
// coordinates into those of the joint frame and may be unnormalized, as inside a Runge-Kutta step.
#ifndef HF_BODIES_TREE_H
#define HF_BODIES_TREE_H

#include <holdfast/spec.h>

#include "math/spatial.h"

// What a link is when every joint moves in one plane; see tree_planar.c.
typedef struct hf_tree_plane_link {
    double sign;               // of the joint's axis along the plane's normal (revolute)
    double offset_x, offset_y; // of the joint, in the parent's plane frame [m]
    double axis_x, axis_y;     // prismatic, in the parent's plane frame
    double mass;               // [kg]
    double moment_x, moment_y; // mass times center, in the link's plane frame [kg m]
    double inertia;            // about the link's origin and the normal [kg m^2]
    double armature;           // [kg m^2 or kg]
} hf_tree_plane_link;

// Which column of a link's rotation its axis is.
typedef enum hf_tree_axis {
    HF_TREE_AXIS_X,
    HF_TREE_AXIS_Y,
    HF_TREE_AXIS_Z,
    HF_TREE_AXIS_ANY
} hf_tree_axis;

typedef struct hf_tree_link {
    hf_joint_type type;
    int parent;      // index of the parent link, < own index; -1: the world
    hf_vec3 axis;    // unit, in the link's frame (revolute, prismatic)
    hf_vec3 offset;  // of the joint on the parent's frame [m]
    hf_mat3 tilt;    // joint frame to parent frame
    double mass;     // [kg]
    hf_vec3 center;  // of mass, in the link's frame [m]
    hf_sym3 inertia; // about the center of mass, link axes [kg m^2]
    double armature; // rotor inertia seen at the joint (1-dof joints) [kg m^2 or kg]

    // Filled by hf_tree_prepare.
    int q, v;                 // first coordinate and velocity within the tree
    int nq, nv;               // their counts
    hf_tree_axis axis_case;   // whether the axis is one of the frame's own, exactly
    bool straight;            // tilt is exactly the identity
    bool falls;               // its root moves freely, with nothing but what weighs
    hf_rigid_inertia body;    // about the link's origin, link axes
    hf_tree_plane_link plane; // when the tree is planar
    hf_mat3 rest;             // link to world when all coordinates are zero
} hf_tree_link;

typedef struct hf_tree_model {
    int link_count;
    int nq, nv;
    const hf_tree_link *links; // parents before children
    bool serial;               // a chain: every link's parent is the one before it
    bool turns_only;           // all joints revolute
    // All joints revolute about parallel axes, prismatic across them, or fixed.
    bool planar;
    hf_vec3 plane_x, plane_y, plane_normal; // world axes of the plane, when planar
} hf_tree_model;

// Numbers the coordinates in the order of the links, computes the links' constants and fills *out,
// which keeps the pointer to the links. Must be called before all else, and again after any change
// of a link. `axis` must be of unit length and `tilt` a rotation.
void hf_tree_prepare(hf_tree_link *links, int count, hf_tree_model *out);

// Scratch needed by the functions below, in doubles.
size_t hf_tree_work_size(const hf_tree_model *tree);

// Numbers to keep where all links are (tree_places.c).
size_t hf_tree_places_size(const hf_tree_model *tree);

// World poses of all links (origin at the joint).
void hf_tree_poses(const hf_tree_model *tree, const double *q, const double *v, hf_pose *poses);

// How the links' motion changes while v does not, from their poses: what the joints' directions add
// as they turn (tree_joint.h).
void hf_tree_pose_rates(const hf_tree_model *tree, const hf_pose *poses, hf_pose_rate *rates);

// q' from q and v.
void hf_tree_q_rate(const hf_tree_model *tree, const double *q, const double *v, double *dq);

// Normalizes the quaternions in q.
void hf_tree_normalize(const hf_tree_model *tree, double *q);

// Forward dynamics by the articulated-body algorithm, O(links).                   [Kikuuwe2008] (8)
//   u: generalized forces [nv]. external: wrench on each link (world frame, about the link's
//   origin), or NULL. gravity: [m/s^2] in the world's frame. dv: v' [nv].
void hf_tree_forward(const hf_tree_model *tree, const double *q, const double *v, const double *u,
                     const hf_wrench *external, hf_vec3 gravity, double *work, double *dv);

// The same without the shortcut that hf_tree_forward takes for planar trees; for its tests.
void hf_tree_forward_general(const hf_tree_model *tree, const double *q, const double *v,
                             const double *u, const hf_wrench *external, hf_vec3 gravity,
                             double *work, double *dv);

// Inverse dynamics: the u that gives dv. Recursive Newton-Euler.
void hf_tree_inverse(const hf_tree_model *tree, const double *q, const double *v, const double *dv,
                     const hf_wrench *external, hf_vec3 gravity, double *work, double *u);

// What the joints carry when the tree moves so: the force and moment (about the link's origin,
// world axes) that each link's joint exerts on it, those along its axes too.
void hf_tree_reactions(const hf_tree_model *tree, const double *q, const double *v,
                       const double *dv, const hf_wrench *external, hf_vec3 gravity, double *work,
                       hf_wrench *reactions);

// Mass matrix H(q), nv x nv, row by row. Composite rigid bodies.
void hf_tree_mass_matrix(const hf_tree_model *tree, const double *q, double *work, double *h);

// above[k]: the velocity before k on the way to the world; -1: none.
void hf_tree_find_above(const hf_tree_model *tree, int *above);

// The ways of n velocities to the world, in one array of hf_tree_ways_size integers:
//   [n] above; [n] how many are before k on its way; [n + 1] where row k of a factor begins, and
//   how many numbers it has; [n] where the list of the way of k begins; the lists, from the world
//   on, k too.
size_t hf_tree_ways_size(int n, const int *above);
void hf_tree_find_ways(int n, const int *above, int *ways);

// Numbers of a factor, or of a mass matrix like it.
static inline size_t hf_tree_row_numbers(int n, const int *ways)
{
    return (size_t)ways[3 * n];
}

static inline int hf_tree_depth(int n, const int *ways, int k)
{
    return ways[n + k];
}

// Row k, by places on its way: the last is k's own.
static inline double *hf_tree_row(int n, const int *ways, double *l, int k)
{
    return l + ways[2 * n + k];
}

static inline const int *hf_tree_way(int n, const int *ways, int k)
{
    return ways + ways[3 * n + 1 + k];
}

// H = L'L in place, by packed rows; false when H is not positive definite. tree_factor.c
bool hf_tree_factor(int n, const int *ways, double *h);
// y := L'^-1 j, which may be the same array and stays zero where it is not above a number that is
// not; s := L v and x := L^-1 s, which may be the same array.
void hf_tree_factor_half(int n, const int *ways, const double *l, const double *j, double *y);
// The first, in place, of numbers on the way from `leaf` alone.
void hf_tree_factor_half_from(int leaf, int n, const int *ways, const double *l, double *y);
void hf_tree_factor_weigh(int n, const int *ways, const double *l, const double *v, double *s);
void hf_tree_factor_back(int n, const int *ways, const double *l, const double *s, double *x);
// y := L'^-1 y and x := H^-1 y of `count` rows side by side, number k of row c at [k count + c]; a
// multiple of four.
void hf_tree_factor_half_rows(int n, const int *ways, const double *l, int count, double *y);
void hf_tree_factor_answer(int n, const int *ways, const double *l, int count, double *y,
                           double *x);
// p := H v, by packed rows of H.
void hf_tree_multiply(int n, const int *ways, const double *h, const double *v, double *p);

// Jacobian of a point fixed in a link (link coordinates): 6 x nv row by row, rows 0-2 angular
// velocity, rows 3-5 velocity of the point, both in the world's frame.
void hf_tree_point_jacobian(const hf_tree_model *tree, const double *q, int link, hf_vec3 point,
                            double *work, double *jacobian);

// Kinetic energy, and potential energy -sum m g.p [J].
double hf_tree_kinetic(const hf_tree_model *tree, const double *q, const double *v, double *work);
// The same of the branch alone whose first velocity from the world is `top`.
double hf_tree_branch_kinetic(const hf_tree_model *tree, const int *above, int top, const double *q,
                              const double *v, double *work);
double hf_tree_potential(const hf_tree_model *tree, const double *q, hf_vec3 gravity, double *work);

#endif
