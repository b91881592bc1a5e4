// SPDX-License-Identifier: Apache-2.0
// hf_model_compile: the tables, then what the machine's initial state tells.
#include "sim/start.h"

#include "base/error.h"
#include "sim/sim_layout.h"
#include "swarm/swarm.h"

static void close_workspace(hf_sim *workspace)
{
    if (workspace != NULL) {
        hf_signals_close(workspace);
        workspace->allocator.release(workspace->allocator.context, workspace);
    }
}

static hf_sim *open_workspace(const hf_model *model, hf_error *error)
{
    const hf_sim plan = {.model = model, .allocator = hf_sim_def_default(model).allocator};
    hf_sim *workspace = hf_sim_allocate(&plan, error);
    if (workspace == NULL) {
        return NULL;
    }
    workspace->core->method = model->method;
    if (hf_signals_open(workspace, error) < 0) {
        close_workspace(workspace);
        return NULL;
    }
    return workspace;
}

// Signals, poses, gaps and rates at t = 0; pairs of swarms, and the directions that they and
// contacts of spheres keep. No law is evaluated: contacts may have no numbers yet.
static void observe_start(hf_sim *workspace)
{
    hf_sim_put_start(workspace);
    hf_sim_prescribe(workspace);
    hf_swarms_update(workspace);
    hf_sim_carry(workspace);
    hf_sim_observe(workspace, 0.0, HF_SIDE_RIGHT, workspace->x);
}

static hf_status find_start(hf_sim *workspace, hf_model *model, const hf_spec *spec,
                            hf_error *error)
{
    // A start that closes the loops
    if (model->loop_count > 0) {
        observe_start(workspace);
        HF_TRY(hf_start_loops(workspace, model, spec, error));
    }
    // There, the masses that contacts act on
    if (hf_chooses_contacts(model)) {
        observe_start(workspace);
        HF_TRY(hf_swarms_check(workspace, error));
        HF_TRY(hf_choose_contacts(workspace, model, error));
    }
    return HF_OK;
}

hf_model *hf_model_compile(const hf_spec *spec, hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    hf_model *model = hf_compile_tables(spec, error);
    if (model == NULL || (model->loop_count == 0 && !hf_chooses_contacts(model))) {
        return model;
    }
    hf_sim *workspace = open_workspace(model, error);
    hf_status status =
        workspace == NULL ? error->status : find_start(workspace, model, spec, error);
    close_workspace(workspace);
    if (status < 0) {
        hf_model_destroy(model);
        return NULL;
    }
    return model;
}
