// SPDX-License-Identifier: Apache-2.0
// MuJoCo on piles and walls: elliptic cones, its own contacts, tolerances and iteration limits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"
#include "../mujoco.h"
#include "pile.h"

static void write_box(FILE *out)
{
    static const double walls[4][2] = {{-0.35, 0.0}, {0.35, 0.0}, {0.0, -0.35}, {0.0, 0.35}};
    for (int i = 0; i < 4; ++i) {
        fprintf(out, "<geom type='box' pos='%g %g 3' size='%g %g 3'/>", walls[i][0], walls[i][1],
                i < 2 ? 0.05 : 0.3, i < 2 ? 0.4 : 0.05);
    }
}

// A scene and how MuJoCo solves it.
typedef struct task {
    const pile_scene *scene;
    bool newton;
} task;

static void write_scene(const void *context, FILE *out)
{
    const task *t = context;
    const pile_scene *scene = t->scene;
    fprintf(out,
            "<mujoco><size njmax='%d' nconmax='%d'/>"
            "<option timestep='%g' gravity='0 0 -9.81' cone='elliptic' solver='%s'/>"
            "<default><geom friction='%g 0 0'/></default><worldbody>"
            "<geom type='plane' size='50 50 1'/>",
            (scene->bricks ? 60 : 8) * scene->count + 500,
            (scene->bricks ? 20 : 3) * scene->count + 500, scene->step, t->newton ? "Newton" : "CG",
            scene->friction);
    if (!scene->bricks) {
        write_box(out);
    }
    for (int i = 0; i < scene->count; ++i) {
        const double *p = scene->start + 3 * i;
        fprintf(out, "<body pos='%.9g %.9g %.9g'><freejoint/><geom mass='%g' ", p[0], p[1], p[2],
                scene->mass);
        if (scene->bricks) {
            fprintf(out, "type='box' size='%g %g %g'/></body>", scene->half[0], scene->half[1],
                    scene->half[2]);
        } else {
            fprintf(out, "type='sphere' size='%g'/></body>", scene->half[0]);
        }
    }
    fprintf(out, "</worldbody></mujoco>\n");
}

static void positions(const pile_scene *scene, const mjData *data, double *at)
{
    for (int i = 0; i < scene->count; ++i) {
        memcpy(at + 3 * i, data->qpos + 7 * i, 3 * sizeof *at);
    }
}

static double run(const mjModel *model, mjData *data, long steps, double *contacts)
{
    double start = hf_bench_now();
    *contacts = 0.0;
    for (long i = 0; i < steps; ++i) {
        mj_step(model, data);
        *contacts += (double)data->ncon / (double)steps;
    }
    return (hf_bench_now() - start) / (double)steps;
}

int pile_mujoco(const pile_scene *scene, bool newton, pile_result *result)
{
    mjModel *model = hf_bench_mujoco(write_scene, &(task){scene, newton});
    mjData *data = model == NULL ? NULL : mj_makeData(model);
    double *before = calloc(3 * (size_t)scene->count, sizeof *before);
    double *after = calloc(3 * (size_t)scene->count, sizeof *after), ignored = 0.0;
    int failed = data == NULL || before == NULL || after == NULL;
    if (!failed) {
        result->settling = run(model, data, lround(scene->settle / scene->step), &ignored);
        positions(scene, data, before);
        result->seconds_per_step =
            run(model, data, lround(scene->seconds / scene->step), &result->contacts);
        positions(scene, data, after);
        pile_moves(scene, before, after, result);
        result->residual = -1.0;
    }
    free(before);
    free(after);
    if (data != NULL) {
        mj_deleteData(data);
    }
    if (model != NULL) {
        mj_deleteModel(model);
    }
    return failed;
}
