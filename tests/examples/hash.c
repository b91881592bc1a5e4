// SPDX-License-Identifier: Apache-2.0
// Prints a hash of the whole trajectory of each shared scene: every channel, bit by bit, after
// every step.
#include <stdio.h>

#include <holdfast/sim.h>

#include "base/names.h"
#include "scenes.h"

static int print_hash(const char *name, hf_model *model, int steps)
{
    hf_error error;
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    unsigned long long hash = 0;
    if (sim == NULL) {
        fprintf(stderr, "%s: %s\n", name, error.text);
        return 1;
    }
    int channels = hf_model_channel_count(model);
    for (int i = 0; i < steps; ++i) {
        if (hf_sim_step(sim, &error) != HF_OK) {
            fprintf(stderr, "%s: %s\n", name, error.text);
            return 1;
        }
        for (int c = 1; c <= channels; ++c) {
            double value = hf_sim_value(sim, (hf_channel){c});
            hash = hf_hash_bytes(hash, &value, sizeof value);
        }
    }
    printf("%s %016llx\n", name, hash);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return 0;
}

int main(void)
{
    return print_hash("rolling-sphere", hf_scene_rolling_sphere(), 3000) ||
           print_hash("two-link-arm", hf_scene_two_link_arm(HF_ARM_STICTION, true), 20000) ||
           print_hash("two-link-arm-lugre", hf_scene_two_link_arm(HF_ARM_LUGRE, true), 20000) ||
           print_hash("penalty-arm", hf_scene_penalty_arm(1e5), 5000) ||
           print_hash("chain", hf_scene_chain(20), 2000);
}
