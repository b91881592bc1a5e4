// SPDX-License-Identifier: Apache-2.0
// Closed chains that the tests share.
#ifndef HF_TESTS_LOOP_SCENES_H
#define HF_TESTS_LOOP_SCENES_H

#include <holdfast/models.h>
#include <holdfast/sim.h>

#define LOOP_PI 3.14159265358979323846

// A turn about a world axis (0 x, 1 y, 2 z).
hf_quat loop_scene_turn(double angle, int axis);
// The product of two quaternions.
hf_quat loop_scene_quat(hf_quat a, hf_quat b);
// A slender rod along z, about its center.
hf_sym3 loop_scene_rod_inertia(double mass, double length);
// The rod as a rigid body that hangs from the origin in the plane y = 0, `angle` from -z to x.
hf_body loop_scene_rod(hf_spec *spec, const char *name, double mass, double length, double angle);

// Crank and coupler as one tree, rocker as another, in the plane z = 0, joined by a loop: bars of
// lengths a, b, c over a ground of length `ground` along x, with gravity along -y. The crank starts
// at an angle and a rate; the others are found.
typedef struct loop_four_bar {
    hf_spec *spec;
    hf_coordinate crank, coupler, rocker; // coupler: relative to the crank
} loop_four_bar;
loop_four_bar loop_scene_four_bar(double ground, double a, double b, double c, double angle,
                                  double rate, hf_loop_type type);

// A spec from the text of a model file; fails the test on errors.
hf_spec *loop_scene_parse(const char *text);
// A channel's number now; fails the test when there is none.
double loop_scene_value(hf_sim *sim, const char *channel);

// Compiles (and destroys) the spec and starts a sim; fails the test on errors.
hf_sim *loop_scene_start(hf_spec *spec, hf_method_type type, double step);
// Steps until t >= seconds, to rounding.
void loop_scene_run(hf_sim *sim, double seconds);
void loop_scene_finish(hf_sim *sim);

#endif
