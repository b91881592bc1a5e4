// SPDX-License-Identifier: Apache-2.0
// A program of another project: a mass on a spring, one period of it.
#include <holdfast/holdfast.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "block";
    mass.dim = 1;
    mass.position[0] = 0.1;
    hf_body block = hf_spec_add_mass(spec, &mass, &error);

    hf_spring_def spring = hf_spring_def_default();
    spring.stiffness = 39.47841760435743; // (2 pi)^2: a period of 1 s
    hf_force_def force = hf_force_def_default();
    force.name = "spring";
    force.coupling = hf_coupling_def_default(HF_COUPLING_COORDINATE);
    force.coupling.on_coordinate.body = block;
    hf_force_use_spring(&force, &spring);
    hf_spec_add_force(spec, &force, &error);

    hf_model *model = hf_model_compile(spec, &error);
    hf_sim *sim = model ? hf_sim_create(model, NULL, &error) : NULL;
    for (int i = 0; sim && i < 1000; i++) {
        if (hf_sim_step(sim, &error) != HF_OK) {
            break;
        }
    }
    double end = sim ? hf_sim_position(sim, block)[0] : NAN;
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    if (!(fabs(end - 0.1) < 1e-9)) {
        fprintf(stderr, "block.position after one period: %.17g, want 0.1: %s\n", end, error.text);
        return 1;
    }
    printf("Holdfast %s: back at %.12f m after one period\n", HF_VERSION, end);
    return 0;
}
