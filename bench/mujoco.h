// SPDX-License-Identifier: Apache-2.0
// What benchmarks beside MuJoCo share.
#ifndef HF_BENCH_MUJOCO_H
#define HF_BENCH_MUJOCO_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

// The model whose XML `write` writes: MuJoCo reads files only. NULL after a message.
static inline mjModel *hf_bench_mujoco(void (*write)(const void *scene, FILE *out),
                                       const void *scene)
{
    char path[] = "/tmp/holdfast-bench-XXXXXX", text[500] = "";
    int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (out == NULL) {
        fprintf(stderr, "bench: cannot write a temporary file\n");
        return NULL;
    }
    write(scene, out);
    fclose(out);
    mjModel *model = mj_loadXML(path, NULL, text, sizeof text);
    (void)unlink(path);
    if (model == NULL) {
        fprintf(stderr, "bench: MuJoCo: %s\n", text);
    }
    return model;
}

#endif
