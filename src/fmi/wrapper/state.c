// SPDX-License-Identifier: Apache-2.0
// States of an instance: a head, inputs and their derivatives, parameters, and the bytes that
// hf_sim_save makes. One block, which is also its serialized form.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "fmi/wrapper/instance.h"

typedef struct state_head {
    char magic[8];
    uint64_t size;     // of the whole block
    uint64_t token;    // hash of the FMU's
    uint64_t checksum; // of all that follows it
    uint64_t sim_size;
    int64_t judged;
    double start, stop, time;
    uint32_t mode, doubted, sloped, input_count, parameter_count, unused;
} state_head;

struct hf_fmu_state {
    state_head head; // followed by the rest
};

static const char MAGIC[8] = "HFFMU01";

static uint64_t hash_token(const hf_fmu *fmu)
{
    return hf_hash_bytes(0, fmu->manifest.token, strlen(fmu->manifest.token));
}

static uint64_t checksum(const hf_fmu_state *state)
{
    size_t from = offsetof(state_head, sim_size);
    return hf_hash_bytes(0, (const char *)state + from, (size_t)state->head.size - from);
}

// Numbers before the bytes of the sim.
static size_t numbers(const hf_fmu *fmu)
{
    return (size_t)fmu->variables.input_count * (1 + HF_FMU_MOST_ORDER) +
           (size_t)fmu->variables.parameter_count;
}

// Copies inputs, their derivatives and parameters between the instance and a block.
static void copy_numbers(hf_fmu *fmu, double *block, bool out)
{
    size_t inputs = (size_t)fmu->variables.input_count;
    size_t parameters = (size_t)fmu->variables.parameter_count;
    double *const arrays[] = {fmu->inputs, fmu->slopes, fmu->parameters};
    const size_t sizes[] = {inputs, inputs * HF_FMU_MOST_ORDER, parameters};
    for (int i = 0; i < 3; ++i) {
        memcpy(out ? block : arrays[i], out ? arrays[i] : block, sizes[i] * sizeof *block);
        block += sizes[i];
    }
}

hf_fmu_status hf_fmu_save(hf_fmu *fmu, const char *function, hf_fmu_state **state)
{
    hf_fmu_status status = hf_fmu_settle(fmu, function);
    if (status != HF_FMU_OK) {
        return status;
    }
    size_t sim_size = hf_sim_save_size(fmu->sim);
    size_t size = sizeof(state_head) + numbers(fmu) * sizeof(double) + sim_size;
    // A state that the host hands back is written anew, if it has room
    hf_fmu_state *made = *state != NULL && (*state)->head.size == size ? *state : calloc(1, size);
    if (made == NULL) {
        return hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR, "%s: out of memory", function);
    }
    if (made != *state) {
        free(*state);
    }
    made->head = (state_head){.size = size,
                              .token = hash_token(fmu),
                              .sim_size = sim_size,
                              .judged = fmu->judged,
                              .start = fmu->start,
                              .stop = fmu->stop,
                              .time = fmu->time,
                              .mode = (uint32_t)fmu->mode,
                              .doubted = fmu->doubted,
                              .sloped = fmu->sloped,
                              .input_count = (uint32_t)fmu->variables.input_count,
                              .parameter_count = (uint32_t)fmu->variables.parameter_count};
    memcpy(made->head.magic, MAGIC, sizeof MAGIC);
    double *block = (double *)(made + 1);
    copy_numbers(fmu, block, true);
    hf_sim_save(fmu->sim, block + numbers(fmu));
    made->head.checksum = checksum(made);
    *state = made;
    return HF_FMU_OK;
}

size_t hf_fmu_state_size(const hf_fmu_state *state)
{
    return (size_t)state->head.size;
}

hf_fmu_status hf_fmu_restore(hf_fmu *fmu, const char *function, const hf_fmu_state *state)
{
    const state_head *head = &state->head;
    hf_error error = {0};
    copy_numbers(fmu, (double *)(state + 1), false);
    // The machine of the saved parameters, at the start; then its state
    hf_status status = HF_OK;
    size_t parameters = (size_t)fmu->variables.parameter_count * sizeof(double);
    if (memcmp(fmu->parameters, fmu->live, parameters) != 0) {
        status = hf_fmu_make_sim(fmu, &error);
    }
    if (status == HF_OK) {
        status = hf_sim_restore(fmu->sim, (const double *)(state + 1) + numbers(fmu),
                                (size_t)head->sim_size, &error);
    }
    if (status < 0) {
        fmu->mode = HF_FMU_FAILED;
        return hf_fmu_tell_error(fmu, function, &error);
    }
    // Where the experiment was
    fmu->mode = (hf_fmu_mode)head->mode;
    fmu->start = head->start;
    fmu->stop = head->stop;
    fmu->time = head->time;
    fmu->judged = head->judged;
    fmu->doubted = head->doubted != 0;
    fmu->sloped = head->sloped != 0;
    return HF_FMU_OK;
}

hf_fmu_status hf_fmu_state_write(const hf_fmu *fmu, const char *function, const hf_fmu_state *state,
                                 void *bytes, size_t size)
{
    if (size < state->head.size) {
        return hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                           "%s: %zu bytes are not enough, %zu are needed", function, size,
                           hf_fmu_state_size(state));
    }
    memcpy(bytes, state, hf_fmu_state_size(state));
    return HF_FMU_OK;
}

static bool is_mode(uint32_t mode)
{
    return mode != 0 && (mode & (mode - 1)) == 0 && (mode & HF_FMU_ANY) != 0;
}

hf_fmu_status hf_fmu_state_read(hf_fmu *fmu, const char *function, const void *bytes, size_t size,
                                hf_fmu_state **state)
{
    hf_fmu_state *made = size < sizeof(state_head) ? NULL : malloc(size);
    size_t rest = sizeof(state_head) + numbers(fmu) * sizeof(double);
    if (made != NULL) {
        memcpy(made, bytes, size);
    }
    const char *why =
        size < sizeof(state_head) ? "it is no state"
        : made == NULL            ? "out of memory"
        : memcmp(made->head.magic, MAGIC, sizeof MAGIC) != 0 || made->head.size != size
            ? "it is no state"
        : made->head.token != hash_token(fmu) ? "it is a state of another FMU"
        : size < rest || made->head.sim_size != size - rest ||
                made->head.checksum != checksum(made) || !is_mode(made->head.mode)
            ? "the state is damaged"
            : NULL;
    if (why != NULL) {
        free(made);
        return hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR, "%s: %s", function, why);
    }
    *state = made;
    return HF_FMU_OK;
}
