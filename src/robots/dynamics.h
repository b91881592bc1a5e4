// SPDX-License-Identifier: Apache-2.0
// What a robot's joints move, for numbers of a format that depend on it.
#ifndef HF_ROBOTS_DYNAMICS_H
#define HF_ROBOTS_DYNAMICS_H

#include "robots/robot.h"

// M_jj of a joint of one coordinate where all joints are at their zero: what it moves while the
// others are held [kg or kg m^2]. False with the error filled.
bool hf_robot_joint_mass(hf_robot *robot, int link, double *mass);

#endif
