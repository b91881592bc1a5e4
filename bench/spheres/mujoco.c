// SPDX-License-Identifier: Apache-2.0
// MuJoCo on the spheres: Euler steps (its default) with its own contacts, solver and tolerances.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"
#include "../mujoco.h"
#include "spheres.h"

static void write_scene(const void *context, FILE *out)
{
    const spheres_scene *scene = context;
    const int count = scene->count;
    fprintf(out,
            "<mujoco><size njmax='%d' nconmax='%d'/>"
            "<option timestep='%g' gravity='0 0 -9.81' cone='elliptic'/>"
            "<default><geom friction='0.5 0 0'/></default><worldbody>"
            "<geom type='plane' size='50 50 1'/>",
            7 * count + 500, 3 * count + 500, SPHERES_STEP);
    for (int i = 0; i < count; i++) {
        double p[3];
        spheres_start(scene, i, p);
        fprintf(out,
                "<body pos='%.9g %.9g %.9g'><freejoint/>"
                "<geom type='sphere' size='%g' mass='1'/></body>",
                p[0], p[1], p[2], SPHERES_RADIUS);
    }
    fprintf(out, "</worldbody></mujoco>\n");
}

int spheres_mujoco(const spheres_scene *scene, spheres_result *result)
{
    const int count = scene->count, steps = (int)lround(scene->seconds / SPHERES_STEP);
    mjModel *model = hf_bench_mujoco(write_scene, scene);
    mjData *data = model == NULL ? NULL : mj_makeData(model);
    if (data == NULL) {
        return 1;
    }
    *result = (spheres_result){.near = -1.0};
    double start = hf_bench_now();
    for (int k = 0; k < steps; k++) {
        mj_step(model, data);
        result->contacts += (double)data->ncon / steps;
        for (int c = 0; c < data->ncon; c++) {
            result->penetration = fmax(result->penetration, -data->contact[c].dist);
        }
    }
    result->seconds_per_step = (hf_bench_now() - start) / steps;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            result->speed += data->qvel[6 * i + k] * data->qvel[6 * i + k] / count;
        }
    }
    result->speed = sqrt(result->speed);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
