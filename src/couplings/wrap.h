// SPDX-License-Identifier: Apache-2.0
// How a taut string goes from one point to another over a sphere or a cylinder (wrap.c).
#ifndef HF_COUPLINGS_WRAP_H
#define HF_COUPLINGS_WRAP_H

#include <stdbool.h>

#include <holdfast/base.h>

// A number and its first two derivatives by time.
typedef struct hf_jet {
    double x, d, dd;
} hf_jet;

// What a string bends around, in the world.
typedef struct hf_wrap_round {
    hf_vec3 center;
    hf_vec3 axis; // of a cylinder, length 1; of a sphere zero
    double radius;
    bool has_side; // the string passes on the side of this point, or touches the inside of what
    hf_vec3 side;  // is round where the point is within it
} hf_wrap_round;

// How it lies: where it leaves the first point's line and joins the second's, on the surface.
typedef struct hf_wrap_way {
    bool wraps;      // else it is straight
    bool inside;     // it touches the surface from within, at one point
    double sign;     // of its turn about the axis, or about from x to
    double turn;     // the angle between the two points that it goes round [rad]
    double arc;      // on the surface [m]
    hf_vec3 off, on; // places on the surface, in the world
} hf_wrap_way;

hf_wrap_way hf_wrap_find(const hf_wrap_round *round, hf_vec3 from, hf_vec3 to);

// The length of such a way, and its rates, from those of
//   out[2]  distance of each point from the center, or from the axis of a cylinder
//   angle   between the points as seen from there, along the way
//   rise    between the points along the axis; of a sphere zero
hf_jet hf_wrap_length(const hf_wrap_round *round, const hf_wrap_way *way, const hf_jet out[2],
                      hf_jet angle, hf_jet rise);

// ------------------------------------------------------------------------------------------------
// Sums, products and functions of jets

hf_jet hf_jet_add(hf_jet a, hf_jet b);
hf_jet hf_jet_sub(hf_jet a, hf_jet b);
hf_jet hf_jet_mul(hf_jet a, hf_jet b);
hf_jet hf_jet_scale(double s, hf_jet a);
hf_jet hf_jet_root(hf_jet a);            // of a positive number
hf_jet hf_jet_angle(hf_jet y, hf_jet x); // atan2

#endif
