// SPDX-License-Identifier: Apache-2.0
// One run of a model file under a method, for saved.sh: three processes must give the same bits.
//   saved run     MODEL VARIANT METHOD DURATION        never interrupted
//   saved save    MODEL VARIANT METHOD DURATION FILE   saved on the way, and going on
//   saved restore MODEL VARIANT METHOD DURATION FILE   the rest, from the file
// Prints a hash of all channels, step by step, from where it is saved. Ends with 2 when the method
// does not take the machine.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <holdfast/models.h>
#include <holdfast/sim.h>

#include "base/names.h"

enum { REFUSED = 2 };
// Saved after this part of the time: within steps, not at their round multiples.
#define WHERE 0.437

static int fail(int status, const hf_error *error)
{
    fprintf(stderr, "%s\n", error->text);
    return status;
}

static bool save(const hf_sim *sim, const char *path)
{
    size_t size = hf_sim_save_size(sim);
    void *memory = malloc(size);
    FILE *file = fopen(path, "wb");
    bool done = memory != NULL && file != NULL;
    if (done) {
        hf_sim_save(sim, memory);
        done = fwrite(memory, 1, size, file) == size;
    }
    done = file != NULL && fclose(file) == 0 && done;
    free(memory);
    return done;
}

static hf_status restore(hf_sim *sim, const char *path, hf_error *error)
{
    size_t size = hf_sim_save_size(sim), got = 0;
    void *memory = malloc(size);
    FILE *file = fopen(path, "rb");
    hf_status status = HF_ERROR_FILE;
    if (memory != NULL && file != NULL) {
        got = fread(memory, 1, size, file);
        status = hf_sim_restore(sim, memory, got, error);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    free(memory);
    return status;
}

static int go(hf_sim *sim, const char *way, double duration, const char *path)
{
    hf_error error = {0};
    int channels = hf_model_channel_count(hf_sim_model(sim));
    unsigned long long hash = 0;
    bool second = strcmp(way, "restore") == 0;
    if (second && restore(sim, path, &error) < 0) {
        return fail(1, &error);
    }
    double step = hf_sim_method(sim).step;
    while (hf_sim_time(sim) < duration - 0.5 * step) {
        if (hf_sim_step(sim, &error) < 0) {
            printf("failed at %.17g ", hf_sim_time(sim));
            break;
        }
        double last = hf_sim_time(sim) - step;
        if (!second && hf_sim_time(sim) >= WHERE * duration) {
            second = true;
            hash = 0;
            if (strcmp(way, "save") == 0 && !save(sim, path)) {
                return fail(1, &(hf_error){.text = "the state could not be written"});
            }
            continue;
        }
        for (int c = 1; c <= channels && last >= 0.0; ++c) {
            double value = hf_sim_value(sim, (hf_channel){c});
            hash = hf_hash_bytes(hash, &value, sizeof value);
        }
    }
    hf_sim_stats stats = hf_sim_get_stats(sim);
    printf("%016llx, %lld internal steps, %lld events\n", hash, (long long)stats.internal_steps,
           (long long)stats.events);
    return 0;
}

int main(int count, char **arguments)
{
    hf_error error = {0};
    if (count < 6) {
        return 1;
    }
    hf_overrides changes = {.method = arguments[4],
                            .variant = strcmp(arguments[3], "-") == 0 ? NULL : arguments[3]};
    hf_model *model = hf_model_load_changed(arguments[2], &changes, &error);
    if (model == NULL) {
        return fail(REFUSED, &error);
    }
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    def.methods[1] = hf_contact_methods();
    hf_sim *sim = hf_sim_create(model, &def, &error);
    int status = sim == NULL ? fail(REFUSED, &error)
                             : go(sim, arguments[1], strtod(arguments[5], NULL),
                                  count > 6 ? arguments[6] : "");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return status;
}
