// SPDX-License-Identifier: Apache-2.0
// The couplings: where on the bodies of a machine a law acts, and what it sees there.
#ifndef HOLDFAST_COUPLING_TYPE_H
#define HOLDFAST_COUPLING_TYPE_H

// clang-format off: this is a table.
// One line a coupling makes HF_COUPLING_<NAME> and its table hf_coupling_ops_<name>:
//   COORDINATE  dim 1-3: coordinates of `on` minus those of `to`
//   POINTS      dim 3: point of `on` minus point of `to`, world axes
//   DISTANCE    dim 1: distance between the two points
//   SPIN        dim 3: relative angular velocity, world axes; has no gap
//   PLANE       dim 3: a point or sphere of `on` over the plane z = 0 of frame `to`: normal, then
//               the two tangents (frame axes z, x, y)
//   FRAMES      dim 6: frame `on` in `to`: position (3), x and y of its z axis, angle about z
//   SPHERES     dim 3: sphere `on` against sphere `to`: normal, then two tangents
//   SWARM       all pairs among many spheres; pairs that are near are found as it runs. Has no rows
//               of its own (dim 0); rigid contacts only
//   SHAPES      all pairs among bodies of any shape, found as it runs. Has no rows of its own
//               (dim 0)
//   RATIO       dim 1: sum of coordinates with factors: gears, belts, ropes over pulleys
//   PATH        dim 1: length of a string through points of bodies, over round things and pulleys
//   WRENCH      dim 1: a force and a torque fixed to `on`: propellers; has no gap
//   OWN         dim 1-3: functions of coordinates, of an hf_coupling_kind: cams, cranks, wires
//   TURNS       dim 1: a RATIO with spins of bodies among its summands
//   BETWEEN     dim 1: a force and a torque between two frames, in the axes of to_frame
//   CRANK       dim 1: position of a slider on its axis, joined by a rod to a point of `on`
//   ANGLE       dim 1: angle by which on_frame is turned against to_frame, about any axis
//   ADHESION    dim 1: pulls `on` to all that it touches within `radius`: suction cups; has no gap
// clang-format on
#define HF_COUPLINGS(X)                                                                            \
    X(COORDINATE, coordinate)                                                                      \
    X(POINTS, points)                                                                              \
    X(DISTANCE, distance)                                                                          \
    X(SPIN, spin)                                                                                  \
    X(PLANE, plane)                                                                                \
    X(FRAMES, frames)                                                                              \
    X(SPHERES, spheres)                                                                            \
    X(SWARM, swarm)                                                                                \
    X(SHAPES, shapes)                                                                              \
    X(RATIO, ratio)                                                                                \
    X(PATH, path)                                                                                  \
    X(WRENCH, wrench)                                                                              \
    X(OWN, own)                                                                                    \
    X(TURNS, turns)                                                                                \
    X(BETWEEN, between)                                                                            \
    X(CRANK, crank)                                                                                \
    X(ANGLE, angle)                                                                                \
    X(ADHESION, adhesion)

typedef enum hf_coupling_type {
#define HF_COUPLING_ENTRY(NAME, name) HF_COUPLING_##NAME,
    HF_COUPLINGS(HF_COUPLING_ENTRY)
#undef HF_COUPLING_ENTRY
        HF_COUPLING_TYPE_COUNT
} hf_coupling_type;

#endif
