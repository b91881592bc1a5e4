// SPDX-License-Identifier: Apache-2.0
// Machines that tests and benchmarks share, built in C. Each returns a compiled model and stops the
// program with a message when that fails.
#ifndef HF_TESTS_SCENES_H
#define HF_TESTS_SCENES_H

#include <holdfast/model.h>

// [Kikuuwe2008] Simulation I: a sphere lands sliding on a plane, and rolls.
hf_model *hf_scene_rolling_sphere(void);

typedef enum hf_arm_friction { HF_ARM_STICTION, HF_ARM_LUGRE, HF_ARM_FREE } hf_arm_friction;

// [Kikuuwe2008] Simulation II: two equal uniform rods (0.5 kg, 0.3 m) with friction in both joints,
// driven by the torques (28c), (28d) when `driven`.
hf_model *hf_scene_two_link_arm(hf_arm_friction friction, bool driven);

// [Kikuuwe2008] Simulation III: the same arm of rigid bodies and penalty joints of stiffness kp
// [N/m].
hf_model *hf_scene_penalty_arm(double kp);

// `count` masses in a row, each on a frictional floor, joined by springs, the first pulled.
hf_model *hf_scene_chain(int count);

#endif
