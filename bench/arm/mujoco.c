// SPDX-License-Identifier: Apache-2.0
// MuJoCo on the arm of arm.xml. The torques are set once a step, as its users do.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "../bench.h"
#include "arm.h"

typedef struct mujoco_arm {
    mjModel *model;
    mjData *data;
} mujoco_arm;

static void step(void *simulator, arm_state *state)
{
    mujoco_arm *arm = simulator;
    arm_torques(arm->data->time, arm->data->qfrc_applied);
    mj_step(arm->model, arm->data);
    state->time = arm->data->time;
    for (int i = 0; i < 2; i++) {
        state->q[i] = arm->data->qpos[i];
        state->v[i] = arm->data->qvel[i];
    }
}

// Seconds per step of ten simulated seconds.
static double time_steps(mujoco_arm *arm)
{
    enum { REPETITIONS = 7 };
    const long steps = lround(10.0 / arm->model->opt.timestep);
    hf_bench_parts parts = hf_bench_parts_start();
    for (int r = 0; r < REPETITIONS; r++) {
        mj_resetData(arm->model, arm->data);
        for (int part = 0; part < HF_BENCH_PARTS; part++) {
            double start = hf_bench_now();
            for (long i = 0; i < steps / HF_BENCH_PARTS; i++) {
                arm_torques(arm->data->time, arm->data->qfrc_applied);
                mj_step(arm->model, arm->data);
            }
            hf_bench_part(&parts, part, hf_bench_now() - start);
        }
    }
    return hf_bench_parts_sum(&parts) / (double)steps;
}

// MuJoCo's dry friction is a soft constraint: held by a torque f it creeps at R f/b, with
// R = (1 - d)/d times the inverse inertia and b = 2/(d t). The hardest it admits are d = mjMAXIMP
// and a time constant t of two steps.
static void harden(mjModel *model)
{
    for (int i = 0; i < model->nv; i++) {
        mjtNum *reference = model->dof_solref + mjNREF * i;
        mjtNum *impedance = model->dof_solimp + mjNIMP * i;
        reference[0] = 2.0 * model->opt.timestep;
        reference[1] = 1.0;
        impedance[0] = impedance[1] = mjMAXIMP;
    }
}

int arm_mujoco(const char *path, const arm_mujoco_case *which, arm_mujoco_result *result)
{
    char text[500] = "";
    mujoco_arm arm = {.model = mj_loadXML(path, NULL, text, sizeof text)};
    if (arm.model == NULL) {
        fprintf(stderr, "bench-arm: %s: %s\n", path, text);
        return 1;
    }
    arm.model->opt.timestep = which->step;
    arm.model->opt.integrator = which->integrator == ARM_MUJOCO_RK4 ? mjINT_RK4 : mjINT_EULER;
    if (which->hard)
        harden(arm.model);
    arm.data = mj_makeData(arm.model);
    if (arm.data == NULL) {
        fprintf(stderr, "bench-arm: MuJoCo is out of memory\n");
        mj_deleteModel(arm.model);
        return 1;
    }
    result->seconds_per_step = time_steps(&arm);
    mj_resetData(arm.model, arm.data);
    arm_drift(step, &arm, result->drift);
    mj_deleteData(arm.data);
    mj_deleteModel(arm.model);
    return 0;
}
