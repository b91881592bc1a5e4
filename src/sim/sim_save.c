// SPDX-License-Identifier: Apache-2.0
// hf_sim: save and restore. Everything that the future depends on is one stretch of memory; a saved
// state is that, and a checksum of it.
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

typedef unsigned long long checksum;

size_t hf_sim_save_size(const hf_sim *sim)
{
    return sim->saved_size + sizeof(checksum);
}

void hf_sim_save(const hf_sim *sim, void *memory)
{
    HF_ASSERT(!sim->in_update);
    if (sim->plugged != NULL && sim->plugged->keep != NULL) {
        sim->plugged->keep(sim);
    }
    memcpy(memory, sim->core, sim->saved_size);
    checksum sum = hf_hash_bytes(0, memory, sim->saved_size);
    memcpy((char *)memory + sim->saved_size, &sum, sizeof sum);
}

static void put_back(hf_sim *sim, const void *memory)
{
    memcpy(sim->core, memory, sim->saved_size);
    hf_swarms_restart(sim);
    sim->fresh = false;
    sim->signals_valid = false;
}

hf_status hf_sim_restore(hf_sim *sim, const void *memory, size_t size, hf_error *error)
{
    hf_sim_core core;
    checksum sum;
    HF_ASSERT(!sim->in_update);
    sim->step_taken = 0.0;
    if (size != hf_sim_save_size(sim)) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "a saved state of this sim has %zu bytes, got %zu",
                            hf_sim_save_size(sim), size);
    }
    // It must be whole, and of this model and method
    memcpy(&core, memory, sizeof core);
    memcpy(&sum, (const char *)memory + sim->saved_size, sizeof sum);
    if (sum != hf_hash_bytes(0, memory, sim->saved_size)) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "the saved state is damaged: its checksum differs");
    }
    if (core.hash != sim->core->hash || core.method.type != sim->core->method.type ||
        core.method.step != sim->core->method.step ||
        core.method.family != sim->core->method.family ||
        core.method.rtol != sim->core->method.rtol || core.method.atol != sim->core->method.atol ||
        core.method.theta != sim->core->method.theta ||
        core.method.tolerance != sim->core->method.tolerance ||
        core.method.solver != sim->core->method.solver ||
        core.method.iterations != sim->core->method.iterations ||
        core.method.penetration != sim->core->method.penetration) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "the saved state is of another model, method or step, or of other "
                            "periods of controllers");
    }
    // A method that keeps memory of its own restores it too
    hf_status status = HF_OK;
    put_back(sim, memory);
    hf_shape_forces_release(sim);
    if (sim->plugged != NULL && sim->plugged->resume != NULL) {
        status = sim->plugged->resume(sim, error);
        put_back(sim, memory);
    } else {
        sim->core->running = false;
    }
    sim->core->running = sim->core->running && status >= 0;
    return status;
}
