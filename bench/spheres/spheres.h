// SPDX-License-Identifier: Apache-2.0
// Spheres of 1 kg that fall on a plane and on each other: the scene of both simulators.
#ifndef HF_BENCH_SPHERES_H
#define HF_BENCH_SPHERES_H

#include <math.h>

#define SPHERES_RADIUS 0.05 // [m]
#define SPHERES_STEP   5e-4 // [s]

typedef struct spheres_scene {
    int count;
    int heap;       // spheres to a heap; heaps do not meet
    double seconds; // simulated
} spheres_scene;

// Spheres to a side of the layers in which a heap starts.
static inline int spheres_side(int heap)
{
    int side = (int)ceil(cbrt(0.5 * heap) - 1e-9);
    return side < 1 ? 1 : side;
}

// Where sphere i starts: layers of side x side, each shifted a little against the one below.
static inline void spheres_start(const spheres_scene *scene, int i, double position[3])
{
    int heap = i / scene->heap, in_heap = i % scene->heap, side = spheres_side(scene->heap);
    int layer = in_heap / (side * side), rest = in_heap % (side * side);
    double pitch = 2.1 * SPHERES_RADIUS, shift = 0.3 * SPHERES_RADIUS * (layer % 3);
    position[0] = 4.0 * (heap % 10) + pitch * (rest % side - 0.5 * (side - 1)) + shift;
    position[1] = 4.0 * (heap / 10) + pitch * (rest / side - 0.5 * (side - 1)) + 0.7 * shift;
    position[2] = SPHERES_RADIUS * (1.1 + 2.2 * layer);
}

typedef struct spheres_result {
    double seconds_per_step;
    double contacts;    // mean over the steps: closed ones
    double near;        // at the end: pairs within reach of each other; negative: not known
    double penetration; // deepest [m]
    double speed;       // at the end, root mean square [m/s]
} spheres_result;

// MuJoCo on the same scene. Not zero: it failed, with a message.
int spheres_mujoco(const spheres_scene *scene, spheres_result *result);

#endif
