// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_NLP: the steps of HF_METHOD_TIMESTEP, their problems solved by IPOPT.
#include <holdfast/nlp.h>

#include "base/error.h"
#include "methods/nlp/solve.h"
#include "methods/timestep/timestep.h"

static hf_status solve(hf_sim *sim, const hf_fc3d_problem *problem, double *r, double *u,
                       hf_fc3d_info *info, hf_error *error)
{
    hf_sim_stats *stats = &sim->core->stats;
    hf_nlp_info own;
    hf_status status = hf_nlp_solve(hf_timestep_of(sim)->plugged.work, problem, r, u, &own, error);
    info->iterations = own.iterations;
    info->residual = own.residual;
    if (status == HF_ERROR_STOPPED) { // by the user: it says nothing of the program
        return status;
    }
    stats->nlp_programs += 1;
    stats->nlp_solved += status == HF_OK ? 1 : 0;
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
    return ts->plugged.work != NULL
               ? HF_OK
               : hf_error_set(error, HF_ERROR_MEMORY, "out of memory for method nlp");
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
    return hf_contact_methods()->advance(sim, end, error);
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
