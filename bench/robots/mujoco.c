// SPDX-License-Identifier: Apache-2.0
// The same robots under MuJoCo, Debian's 2.2.2. Its reader does not know some attributes of newer
// files: the integrator implicitfast becomes implicit, inheritrange and actuatorfrcrange go, and
// dampratio becomes the velocity gain that it stands for.
#include "robots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

#include "../bench.h"

enum { MOST = 200 };

// Replaces every occurrence; the result is for the caller to free.
static char *replaced(char *text, const char *old, const char *new)
{
    size_t count = 0, length = strlen(old);
    for (const char *at = text; (at = strstr(at, old)) != NULL; at += length) {
        ++count;
    }
    char *made = malloc(strlen(text) + count * (strlen(new) + 1) + 1), *to = made;
    for (const char *at = text; made != NULL;) {
        const char *next = strstr(at, old);
        size_t plain = next == NULL ? strlen(at) : (size_t)(next - at);
        memcpy(to, at, plain);
        to += plain;
        if (next == NULL) {
            break;
        }
        to = stpcpy(to, new);
        at = next + length;
    }
    if (made != NULL) {
        *to = '\0';
    }
    free(text);
    return made;
}

// Takes ` NAME="..."` out of a text, in place.
static void drop(char *text, const char *name)
{
    char word[60];
    (void)snprintf(word, sizeof word, " %s=\"", name);
    for (char *at; text != NULL && (at = strstr(text, word)) != NULL;) {
        char *end = strchr(at + strlen(word), '"');
        memmove(at, end + 1, strlen(end + 1) + 1);
    }
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file == NULL ? NULL : calloc(1, 1000000);
    if (text != NULL) {
        (void)!fread(text, 1, 999999, file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

// Runs of blanks become one, and none stays beside a quote: 2.2.2 counts them as numbers.
static void tidy(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0'; ++at) {
        bool blank = *at == ' ' || *at == '\n' || *at == '\t' || *at == '\r';
        bool drop_it = blank && to > text && (to[-1] == ' ' || (to[-1] == '"' && to[-2] == '='));
        if (*at == '"' && to > text && to[-1] == ' ') {
            --to;
        }
        if (!drop_it) {
            *to++ = blank ? ' ' : *at;
        }
    }
    *to = '\0';
}

static bool copy_file(const char *from, const char *to, const char *assets, bool *dampratio)
{
    char *text = read_text(from);
    *dampratio = *dampratio || (text != NULL && strstr(text, "dampratio") != NULL);
    text = text == NULL ? NULL : replaced(text, "implicitfast", "implicit");
    if (text != NULL && strstr(text, "autolimits") == NULL) { // on by default since 3.0
        text = replaced(text, "<compiler ", "<compiler autolimits=\"true\" ");
    }
    text = text == NULL ? NULL : replaced(text, "meshdir=\"assets\"", assets);
    if (text != NULL) {
        tidy(text);
    }
    drop(text, "dampratio");
    drop(text, "inheritrange");
    drop(text, "actuatorfrcrange");
    FILE *file = text == NULL ? NULL : fopen(to, "w");
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL) {
        good = fclose(file) == 0 && good;
    }
    free(text);
    return good;
}

// kv = 2 sqrt(kp m), m the diagonal of M at the zero of all joints [MuJoCo: dampratio].
static void set_damping(mjModel *model)
{
    for (int i = 0; i < model->nu; ++i) {
        int dof = model->jnt_dofadr[model->actuator_trnid[2 * i]];
        double kp = model->actuator_gainprm[i * mjNGAIN];
        model->actuator_biasprm[i * mjNBIAS + 2] = -2.0 * sqrt(kp * model->dof_M0[dof]);
    }
}

static mjModel *load(const hf_bench_robot *robot, const char *data, bool *dampratio)
{
    char folder[] = "/tmp/holdfast-bench-XXXXXX", from[800], to[2][200], assets[800];
    char text[500] = "";
    if (mkdtemp(folder) == NULL) {
        return NULL;
    }
    (void)snprintf(assets, sizeof assets, "meshdir=\"%s/%s/assets\"", data, robot->folder);
    bool good = true;
    const char *const files[2] = {robot->robot, robot->scene};
    for (int i = 0; i < 2; ++i) {
        (void)snprintf(from, sizeof from, "%s/%s/%s", data, robot->folder, files[i]);
        (void)snprintf(to[i], sizeof to[i], "%s/%s", folder, files[i]);
        good = copy_file(from, to[i], assets, dampratio) && good;
    }
    mjModel *model = good ? mj_loadXML(to[1], NULL, text, sizeof text) : NULL;
    (void)unlink(to[0]);
    (void)unlink(to[1]);
    (void)rmdir(folder);
    if (model == NULL) {
        fprintf(stderr, "bench-robots: MuJoCo: %s: %s\n", robot->name, text);
    }
    return model;
}

static double run(mjModel *model, mjData *data, const hf_bench_robot *robot, const double *start,
                  int steps, bool moving)
{
    double begun = hf_bench_now();
    for (int i = 0; i < steps; ++i) {
        for (int k = 0; k < model->nu && moving; ++k) {
            data->ctrl[k] = hf_bench_input(robot, k, start[k], i * HF_BENCH_STEP);
        }
        mj_step(model, data);
    }
    return steps > 0 ? 1e6 * (hf_bench_now() - begun) / steps : 0.0;
}

// The start: a key frame, or all zero; on its back.
static void set_start(const mjModel *model, mjData *data, const hf_bench_robot *robot)
{
    int key = robot->key == NULL ? -1 : mj_name2id(model, mjOBJ_KEY, robot->key);
    if (key >= 0) {
        mj_resetDataKeyframe(model, data, key);
    } else {
        mj_resetData(model, data);
    }
    if (robot->lying) {
        const double base[7] = {0, 0, 0.25, 0.7071067811865476, 0, -0.7071067811865476, 0};
        memcpy(data->qpos, base, sizeof base);
    }
}

bool hf_bench_robot_mujoco(const hf_bench_robot *robot, const char *data, hf_bench_phases steps,
                           hf_bench_times *times)
{
    double start[MOST], before[MOST];
    bool dampratio = false;
    mjModel *model = load(robot, data, &dampratio);
    mjData *d = model == NULL ? NULL : mj_makeData(model);
    if (d == NULL || model->nq > MOST || model->nu > MOST) {
        return false;
    }
    if (dampratio) {
        set_damping(model);
    }
    model->opt.timestep = HF_BENCH_STEP;
    for (int i = 0; i < model->nv && robot->friction > 0.0; ++i) {
        model->dof_frictionloss[i] = robot->friction;
    }
    set_start(model, d, robot);
    memcpy(start, d->ctrl, (size_t)model->nu * sizeof *start);
    (void)run(model, d, robot, start, steps.settle, false);
    memcpy(before, d->qpos, (size_t)model->nq * sizeof *before);
    times->rest = run(model, d, robot, start, steps.rest, false);
    times->creep = 0.0;
    for (int i = 0; i < model->nq; ++i) {
        times->creep = fmax(times->creep, fabs(d->qpos[i] - before[i]));
    }
    times->move = run(model, d, robot, start, steps.move, true);
    mj_deleteData(d);
    mj_deleteModel(model);
    return true;
}
