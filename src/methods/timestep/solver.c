// SPDX-License-Identifier: Apache-2.0
// The solvers of a sim's steps: one for each thread, and one for what is not solved by islands.
#include "methods/timestep/timestep.h"
#include "solvers/fc3d/fc3d_islands.h"

hf_status hf_ts_solver_create(hf_sim *sim, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_method_def *method = &sim->core->method;
    // A budget is meant to save time: sweeps are what can be stopped anywhere.
    hf_fc3d_def def = hf_fc3d_def_default();
    def.method = (hf_fc3d_method)method->solver;
    if (def.method == HF_FC3D_AUTO && method->iterations > 0) {
        def.method = HF_FC3D_GAUSS_SEIDEL;
    }
    def.measure = HF_FC3D_SCALED;
    def.tolerance = method->tolerance;
    def.iterations = method->iterations;
    def.least = HF_TS_LEAST_SWEEPS;
    def.allocator = sim->allocator;
    // Room for one contact; the first problems make it larger.
    const int start[] = {0, 1}, column[] = {0};
    const double one[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, zeros[3] = {0.0, 0.0, 0.0};
    const hf_fc3d_problem small = {
        .contacts = 1, .start = start, .column = column, .w = one, .q = zeros, .mu = zeros};
    ts->solver = hf_fc3d_solver_create(&def, &small, error);
    if (ts->solver != NULL) {
        int threads = method->threads > 0 ? method->threads : 1;
        ts->islands = hf_fc3d_islands_create(&def, threads, &small, error);
    }
    return ts->islands != NULL ? HF_OK : HF_ERROR_MEMORY;
}

void hf_ts_solver_destroy(hf_timestep *ts)
{
    hf_fc3d_solver_destroy(ts->solver);
    hf_fc3d_islands_destroy(ts->islands);
}
