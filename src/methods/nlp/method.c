// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_NLP: the steps of HF_METHOD_TIMESTEP, their problems solved by IPOPT.
#include <holdfast/nlp.h>

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/nlp/printed_steps.h"
#include "methods/nlp/solve.h"
#include "methods/timestep/timestep.h"

static void add(hf_nlp_info *sum, const hf_nlp_info *info)
{
    sum->starts += info->starts;
    sum->iterations += info->iterations;
    for (int i = 0; i < HF_NLP_ENDING_COUNT; ++i) {
        sum->endings[i] += info->endings[i];
    }
}

// What IPOPT leaves above the tolerance: from the solution of the friction-contact solver once
// more. Where it ends farther away than it began, that solution is the step's. In r and u the
// better of what was and is found. True: it is solved; *left: by the friction-contact solver.
static bool solve_from_contacts(hf_sim *sim, const hf_fc3d_problem *problem, double *r, double *u,
                                hf_nlp_info *own, bool *left, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    size_t size = 3 * (size_t)problem->contacts * sizeof *r;
    double *found = ts->scratch.found, tolerance = sim->core->method.tolerance;
    hf_fc3d_info info = {.residual = INFINITY};
    hf_nlp_info again;
    memcpy(found, r, size);
    // The solution to begin with
    hf_status (*plugged)(hf_sim *, const hf_fc3d_problem *, double *, double *, hf_fc3d_info *,
                         hf_error *) = ts->plugged.solve;
    ts->plugged.solve = NULL;
    hf_status status = hf_ts_solve_to(sim, tolerance, &info, error);
    ts->plugged.solve = plugged;
    if (status != HF_OK || !(info.residual <= tolerance)) {
        memcpy(r, found, size);
        hf_fc3d_velocity(problem, r, u);
        return false;
    }
    // From there
    memcpy(found, r, size);
    status = hf_nlp_solve(ts->plugged.work, problem, r, u, HF_NLP_FROM_SOLUTION, &again, error);
    add(own, &again);
    own->residual = status == HF_OK ? again.residual : info.residual;
    *left = status != HF_OK;
    if (*left) {
        memcpy(r, found, size);
        hf_fc3d_velocity(problem, r, u);
    }
    return status != HF_ERROR_STOPPED;
}

static hf_status solve(hf_sim *sim, const hf_fc3d_problem *problem, double *r, double *u,
                       hf_fc3d_info *info, hf_error *error)
{
    hf_sim_stats *stats = &sim->core->stats;
    hf_nlp_info own;
    bool left = false;
    hf_status status = hf_nlp_solve(hf_timestep_of(sim)->plugged.work, problem, r, u,
                                    HF_NLP_FROM_FEW, &own, error);
    // A budget of iterations is all that is wanted
    if (status == HF_ERROR_CONVERGENCE && sim->core->method.iterations == 0 &&
        solve_from_contacts(sim, problem, r, u, &own, &left, error)) {
        status = HF_OK;
    }
    info->iterations = own.iterations;
    info->residual = own.residual;
    if (status == HF_ERROR_STOPPED) { // by the user: no failure of the program
        return status;
    }
    stats->nlp_programs += 1;
    stats->nlp_solved += status == HF_OK ? 1 : 0;
    stats->nlp_left += left ? 1 : 0;
    stats->nlp_starts += own.starts;
    for (int i = 0; i < HF_NLP_ENDING_COUNT; ++i) {
        stats->nlp_endings[i] += own.endings[i];
    }
    return status;
}

static hf_status create(hf_sim *sim, hf_error *error)
{
    const hf_method_def *method = &sim->core->method;
    HF_TRY(hf_contact_methods()->create(sim, error));
    hf_timestep *ts = hf_timestep_of(sim);
    ts->plugged.solve = solve;
    ts->plugged.work = hf_nlp_solver_create(&(hf_nlp_settings){.tolerance = method->tolerance,
                                                               .iterations = method->iterations,
                                                               .stop_wanted = sim->stop_wanted,
                                                               .stop_context = sim->stop_context},
                                            &sim->allocator);
    if (ts->plugged.work == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for method nlp");
    }
    return method->printed ? hf_nlp_printed_admit(sim, error) : HF_OK;
}

static void destroy(hf_sim *sim)
{
    if (hf_timestep_of(sim) != NULL) {
        hf_nlp_solver_destroy(hf_timestep_of(sim)->plugged.work);
    }
    hf_contact_methods()->destroy(sim);
}

static bool serves(hf_method_type type)
{
    return type == HF_METHOD_NLP;
}

static hf_status advance(hf_sim *sim, double end, hf_error *error)
{
    return sim->core->method.printed ? hf_nlp_printed_advance(sim, end, error)
                                     : hf_contact_methods()->advance(sim, end, error);
}

static void forces(hf_sim *sim, int first, int end, double *dw)
{
    hf_contact_methods()->forces(sim, first, end, dw);
}

static void refresh(hf_sim *sim)
{
    hf_contact_methods()->refresh(sim);
}

static void hold(hf_sim *sim)
{
    hf_contact_methods()->hold(sim);
}

static int contacts(hf_sim *sim, hf_contact_view *views, int room)
{
    return hf_contact_methods()->contacts(sim, views, room);
}

static hf_wrench contact_wrench(const hf_sim *sim, int body, int other)
{
    return hf_contact_methods()->contact_wrench(sim, body, other);
}

static size_t kept_size(const hf_model *model)
{
    return hf_contact_methods()->kept_size(model);
}

static bool is_implicit(const hf_sim *sim, int force)
{
    return hf_contact_methods()->implicit(sim, force);
}

static const hf_method_table table = {.serves = serves,
                                      .create = create,
                                      .destroy = destroy,
                                      .advance = advance,
                                      .forces = forces,
                                      .refresh = refresh,
                                      .refresh_is_step = true,
                                      .hold = hold,
                                      .contacts = contacts,
                                      .contact_wrench = contact_wrench,
                                      .implicit = is_implicit,
                                      .kept_size = kept_size};

const hf_method_table *hf_nlp_methods(void)
{
    return &table;
}
