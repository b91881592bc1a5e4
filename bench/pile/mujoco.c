// SPDX-License-Identifier: Apache-2.0
// MuJoCo on piles and walls: elliptic cones, its own contacts, tolerances and iteration limits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"
#include "../mujoco.h"
#include "pile.h"

static void write_box(const pile_scene *scene, FILE *out)
{
    double half = scene->walls + 0.05, height = 0.5 * scene->height;
    for (int i = 0; i < 4; ++i) {
        double at = i % 2 == 0 ? -half : half;
        fprintf(out, "<geom type='box' pos='%g %g %g' size='%g %g %g'/>", i < 2 ? at : 0.0,
                i < 2 ? 0.0 : at, height, i < 2 ? 0.05 : scene->walls, i < 2 ? half + 0.05 : 0.05,
                height);
    }
}

// A scene and how MuJoCo solves it.
typedef struct task {
    const pile_scene *scene;
    const double *start;
    const pile_peer *peer;
} task;

// The body with this number.
static void write_geometry(const pile_scene *scene, int body, FILE *out)
{
    if (scene->parts[0].count > 0) {
        const pile_part *part = scene->parts;
        for (; body >= part->count; ++part) {
            body -= part->count;
        }
        fprintf(out, "<geom mass='%g' %s/>", part->mass, part->geometry);
    } else if (scene->bricks) {
        fprintf(out, "<geom mass='%g' type='box' size='%g %g %g'/>", scene->mass, scene->half[0],
                scene->half[1], scene->half[2]);
    } else {
        fprintf(out, "<geom mass='%g' type='sphere' size='%g'/>", scene->mass, scene->half[0]);
    }
}

// With more room for a thousand spheres MuJoCo 2.2 cannot make its data; at their impact it leaves
// contacts out, and says so.
static void write_scene(const void *context, FILE *out)
{
    const task *t = context;
    const pile_scene *scene = t->scene;
    bool turning = t->peer->turning;
    bool flat = scene->bricks || scene->parts[0].count > 0;
    int rows = flat ? 60 : turning ? 24 : 8; // for each body
    fprintf(out,
            "<mujoco><size njmax='%d' nconmax='%d'/>"
            "<option timestep='%g' gravity='0 0 -9.81' cone='elliptic' solver='%s'/>"
            "<default><geom friction='%g %g %g' condim='%d'/></default><worldbody>"
            "<geom type='plane' size='50 50 1'/>",
            rows * scene->count + 500, (flat ? 20 : 3) * scene->count + 500, scene->step,
            t->peer->newton ? "Newton" : "CG", scene->friction, turning ? scene->spin : 0.0,
            turning ? scene->rolling : 0.0, turning ? 6 : 3);
    if (scene->walls > 0.0) {
        write_box(scene, out);
    }
    for (int i = 0; i < scene->count; ++i) {
        const double *p = t->start + 3 * i;
        fprintf(out, "<body pos='%.9g %.9g %.9g'><freejoint/>", p[0], p[1], p[2]);
        write_geometry(scene, i, out);
        fprintf(out, "</body>");
    }
    fprintf(out, "</worldbody></mujoco>\n");
}

static void positions(const pile_scene *scene, const mjData *data, double *at)
{
    for (int i = 0; i < scene->count; ++i) {
        memcpy(at + 3 * i, data->qpos + 7 * i, 3 * sizeof *at);
    }
}

// Steps, until `limit` seconds of processor time are used; returns how many, *time: of one.
static long run(const mjModel *model, mjData *data, long steps, double limit, double *time,
                double *contacts)
{
    double start = hf_bench_now(), sum = 0.0;
    long done = 0;
    while (done < steps && hf_bench_now() - start < limit) {
        mj_step(model, data);
        sum += (double)data->ncon;
        ++done;
    }
    *time = (hf_bench_now() - start) / (double)done;
    *contacts = sum / (double)done;
    return done;
}

static int with_scene(const task *t, int (*use)(const task *, const mjModel *, mjData *, void *),
                      void *result)
{
    mjModel *model = hf_bench_mujoco(write_scene, t);
    mjData *data = model == NULL ? NULL : mj_makeData(model);
    int failed = data == NULL ? 1 : use(t, model, data, result);
    if (data != NULL) {
        mj_deleteData(data);
    }
    if (model != NULL) {
        mj_deleteModel(model);
    }
    return failed;
}

static int settle(const task *t, const mjModel *model, mjData *data, void *out)
{
    pile_result *result = out;
    double ignored = 0.0;
    memcpy(data->qvel + 6 * (t->scene->count - 1), t->scene->thrown, sizeof t->scene->thrown);
    result->steps = run(model, data, lround(t->scene->settle / t->scene->step), t->scene->limit,
                        &result->settling, &ignored);
    return 0;
}

// From Holdfast's rest: a tenth of the time is for MuJoCo's contacts to find their own.
static int rest(const task *t, const mjModel *model, mjData *data, void *out)
{
    const pile_scene *scene = t->scene;
    pile_result *result = out;
    long steps = lround(scene->seconds / scene->step);
    double *before = calloc(3 * (size_t)scene->count, sizeof *before);
    double *after = calloc(3 * (size_t)scene->count, sizeof *after), ignored = 0.0;
    int failed = before == NULL || after == NULL;
    if (!failed) {
        (void)run(model, data, steps / 10, scene->limit, &ignored, &ignored);
        positions(scene, data, before);
        long done =
            run(model, data, steps, scene->limit, &result->seconds_per_step, &result->contacts);
        positions(scene, data, after);
        pile_moves(scene, before, after, (double)done * scene->step, result);
        result->residual = result->on_way = -1.0;
    }
    free(before);
    free(after);
    return failed;
}

int pile_mujoco(const pile_scene *scene, const pile_peer *peer, bool at_rest, pile_result *result)
{
    task t = {scene, at_rest ? scene->rest : scene->start, peer};
    return with_scene(&t, at_rest ? rest : settle, result);
}
