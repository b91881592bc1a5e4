// SPDX-License-Identifier: Apache-2.0
// hf_sim: save and restore. Everything that the future depends on is one stretch of memory.
#include <string.h>

#include "base/error.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

size_t hf_sim_save_size(const hf_sim *sim)
{
    return sim->saved_size;
}

void hf_sim_save(const hf_sim *sim, void *memory)
{
    HF_ASSERT(!sim->in_update);
    sim->core->running = false;
    memcpy(memory, sim->core, sim->saved_size);
}

hf_status hf_sim_restore(hf_sim *sim, const void *memory, size_t size, hf_error *error)
{
    hf_sim_core core;
    HF_ASSERT(!sim->in_update);
    if (size != sim->saved_size) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "a saved state of this sim has %zu bytes, got %zu", sim->saved_size,
                            size);
    }
    memcpy(&core, memory, sizeof core);
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
    memcpy(sim->core, memory, size);
    hf_swarms_restart(sim);
    sim->fresh = false;
    sim->signals_valid = false;
    return HF_OK;
}
