// SPDX-License-Identifier: Apache-2.0
// A robot without power in MuJoCo, beside Holdfast in docs/robots.md: time [s] and how far the
// joint that has moved most is from its start [rad or m], on standard output.
//   mujoco-creep ROBOT SECONDS GX GY GZ        gravity in the axes of its base [m/s^2]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <mujoco/mujoco.h>

int main(int count, char **words)
{
    char text[1000] = "";
    mjModel *model = count == 6 ? mj_loadXML(words[1], NULL, text, sizeof text) : NULL;
    mjData *data = model == NULL ? NULL : mj_makeData(model);
    if (data == NULL) {
        fprintf(stderr, "mujoco-creep: %s\n", text);
        return 1;
    }
    model->opt.timestep = 1e-3;
    model->opt.integrator = mjINT_IMPLICIT;
    model->opt.disableflags |= mjDSBL_CONTACT;
    for (int i = 0; i < 3; ++i) {
        model->opt.gravity[i] = strtod(words[3 + i], NULL);
    }
    // Joints begin within their limits, as Holdfast has them
    for (int j = 0; j < model->njnt; ++j) {
        double *q = &data->qpos[model->jnt_qposadr[j]];
        if (model->jnt_limited[j]) {
            *q = fmin(fmax(*q, model->jnt_range[2 * j]), model->jnt_range[2 * j + 1]);
        }
    }
    double start[100];
    int joints = model->nq < 100 ? model->nq : 100;
    for (int i = 0; i < joints; ++i) {
        start[i] = data->qpos[i];
    }
    long steps = lround(strtod(words[2], NULL) / model->opt.timestep);
    for (long n = 1; n <= steps; ++n) {
        double most = 0.0;
        mj_step(model, data);
        for (int i = 0; i < joints; ++i) {
            most = fmax(most, fabs(data->qpos[i] - start[i]));
        }
        if (n % 200 == 0) {
            printf("%.3f %.9g\n", 1e-3 * (double)n, most);
        }
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
