// SPDX-License-Identifier: Apache-2.0
// Masses in a row, each on a frictional floor, joined by springs: cost of a step by the number of
// components (masses, friction elements and springs).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/sim.h>

#include "../bench.h"
#include "scenes.h"

// Seconds per RK4 step, best of the repetitions.
static double time_step(hf_sim *sim, long steps)
{
    enum { REPETITIONS = 7 };
    double best = HUGE_VAL;
    for (int r = 0; r < REPETITIONS; r++) {
        hf_sim_reset(sim);
        double start = hf_bench_now();
        for (long i = 0; i < steps; i++) {
            hf_error error;
            if (hf_sim_step(sim, &error) < 0) {
                fprintf(stderr, "bench-chain: %s\n", error.text);
                exit(1);
            }
        }
        best = fmin(best, (hf_bench_now() - start) / (double)steps);
    }
    return best;
}

int main(void)
{
    static const int counts[] = {10, 100, 1000, 10000, 100000};
    double least = HUGE_VAL, most = 0.0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        double start = hf_bench_now();
        hf_model *model = hf_scene_chain(counts[i]);
        double built = hf_bench_now() - start;
        hf_error error;
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        if (sim == NULL) {
            fprintf(stderr, "bench-chain: %s\n", error.text);
            return 1;
        }
        hf_model_info info = hf_model_get_info(model);
        int components = info.bodies + info.forces;
        long steps = 400000 / counts[i];
        double seconds = time_step(sim, steps > 4 ? steps : 4);
        double per_component = 1e9 * seconds / components;
        printf("chain %6d masses, %6d components: %12.1f ns per step, %6.2f ns per component; "
               "built in %.3f s\n",
               counts[i], components, 1e9 * seconds, per_component, built);
        char label[64];
        (void)snprintf(label, sizeof label, "chain of %d masses", counts[i]);
        hf_bench_result(label, per_component, "ns/component/step", "-");
        least = fmin(least, per_component);
        most = fmax(most, per_component);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    // Linear but for the caches: 100,000 masses do not fit into them.
    hf_bench_result("chain, dearest / cheapest component", most / least, "times", "<= 4");
    return 0;
}
