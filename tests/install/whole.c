// SPDX-License-Identifier: Apache-2.0
// A program of another project that reads a model file and records a run.
#include <holdfast/holdfast.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "name: falling\n"
                           "gravity: [0, 0, -9.81]\n"
                           "method: {type: rk4, step: 1e-3}\n"
                           "duration: 0.1\n"
                           "bodies:\n"
                           "  stone: {type: mass, dim: 3, mass: 1.0}\n"
                           "record: [stone.position]\n";

int main(void)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "text", NULL, NULL, &error);
    hf_model *model = spec ? hf_model_compile(spec, &error) : NULL;
    hf_sim *sim = model ? hf_sim_create(model, NULL, &error) : NULL;
    hf_record *record = sim ? hf_record_create("falling.h5", sim, NULL, &error) : NULL;
    hf_status status = record ? hf_record_sample(record, sim, &error) : HF_ERROR_INPUT;
    if (status == HF_OK) {
        status = hf_sim_step(sim, &error);
    }
    if (record && hf_record_close(record, &error) != HF_OK) {
        status = HF_ERROR_FILE;
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    if (status != HF_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    return 0;
}
