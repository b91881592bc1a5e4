// SPDX-License-Identifier: Apache-2.0
// Public robots beside MuJoCo: what both programs run.
#ifndef HF_BENCH_ROBOTS_H
#define HF_BENCH_ROBOTS_H

#include <stdbool.h>

enum { HF_BENCH_SETTLE = 6000, HF_BENCH_REST = 10000, HF_BENCH_MOVE = 2000 };
#define HF_BENCH_STEP 1e-3 // [s]

typedef struct hf_bench_robot {
    const char *name, *folder, *robot, *scene, *key; // key: NULL: none
    double friction;                                 // added to every joint [Nm]
    double amplitude;                                // of the inputs while it moves
    bool lying;                                      // on its back
    double aim;                                      // of a step at rest [us]; 0: none
} hf_bench_robot;

// Steps before anything is measured, at rest, and while inputs move.
typedef struct hf_bench_phases {
    int settle, rest, move;
} hf_bench_phases;

typedef struct hf_bench_times {
    double rest, move; // a step [us]
    double creep;      // largest change of a coordinate in the time at rest
} hf_bench_times;

// The k-th input at a time of the motion, about its value at the start.
double hf_bench_input(const hf_bench_robot *robot, int k, double start, double t);

// mujoco.c. False after a message. `data`: the folder of the robots.
bool hf_bench_robot_mujoco(const hf_bench_robot *robot, const char *data, hf_bench_phases steps,
                           hf_bench_times *times);

#endif
