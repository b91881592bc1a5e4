// SPDX-License-Identifier: Apache-2.0
// Model files under every method: read, compiled, created, stepped a few times, saved, restored.
// libFuzzer takes one method an input, by a sum over its bytes; a replay takes them all.
#include <holdfast/holdfast.h>

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { STEPS = 6, LARGEST_SAVE = 1 << 22 };

// How long a run takes is the model's choice. libFuzzer runs small machines, thousands a second;
// larger ones are read and compiled.
#ifdef HF_FUZZ_REPLAY
enum { MOST_VELOCITIES = 1 << 30 };
#else
enum { MOST_VELOCITIES = 40 };
#endif

// A run may fail; it says why.
static void run(hf_sim *sim)
{
    hf_error error = {0};
    hf_status status = HF_OK;
    const hf_model *model = hf_sim_model(sim);
    double sum = 0.0;
    for (int k = 0; k < STEPS && status >= 0; ++k) {
        status = hf_sim_step(sim, &error);
        hf_fuzz_expect(status >= 0 || error.text[0] != '\0', "a failed step has a reason");
        for (int i = 0; status >= 0 && i < hf_model_record_count(model); ++i) {
            sum += hf_sim_value(sim, hf_model_record_channel(model, i));
        }
    }
    (void)sum;
    (void)hf_sim_energy(sim);
    (void)hf_sim_verdict(sim);
}

static void save_and_restore(hf_sim *sim)
{
    hf_error error = {0};
    size_t size = hf_sim_save_size(sim);
    void *memory = size <= LARGEST_SAVE ? malloc(size) : NULL;
    if (memory != NULL) {
        hf_sim_save(sim, memory);
        hf_fuzz_expect(hf_sim_restore(sim, memory, size, &error) == HF_OK,
                       "what was saved is restored");
    }
    free(memory);
}

static void try_method(const char *text, size_t size, const char *method)
{
    hf_error error = {0};
    const hf_overrides overrides = {.method = method};
    hf_model *model = hf_model_parse(text, size, "fuzz.yaml", NULL, &overrides, &error);
    if (model == NULL) {
        hf_fuzz_expect(error.status < 0 && error.text[0] != '\0', "a refusal has a reason");
        return;
    }
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    def.methods[1] = hf_contact_methods();
    bool small = hf_model_get_info(model).velocities <= MOST_VELOCITIES;
    hf_sim *sim = small ? hf_sim_create(model, &def, &error) : NULL;
    if (sim != NULL) {
        run(sim);
        save_and_restore(sim);
    } else if (small) {
        hf_fuzz_expect(error.status < 0 && error.text[0] != '\0', "a refusal has a reason");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = hf_fuzz_text(data, size);
#ifdef HF_FUZZ_REPLAY
    try_method(text, size, NULL);
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        try_method(text, size, hf_method_name((hf_method_type)i));
    }
#else
    unsigned sum = 0;
    for (size_t i = 0; i < size; ++i) {
        sum += data[i];
    }
    unsigned chosen = sum % (HF_METHOD_COUNT + 1);
    try_method(text, size,
               chosen == HF_METHOD_COUNT ? NULL : hf_method_name((hf_method_type)chosen));
#endif
    free(text);
    return 0;
}
