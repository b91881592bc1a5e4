// SPDX-License-Identifier: Apache-2.0
// Method nlp with `program: printed`: the steps of the document's own machine.
#include "methods/nlp/printed_steps.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/nlp/printed.h"
#include "methods/nlp/solve.h"
#include "methods/timestep/timestep.h"

// The machine as the document has it.
static hf_printed_point point_of(hf_sim *sim, double h)
{
    const hf_force_place *force = &sim->model->forces[0];
    const hf_rigid_contact_def *def = force->def;
    return (hf_printed_point){.mass = 1.0 / hf_force_inverse_mass(sim, force, 0),
                              .gravity = -sim->model->gravity.z,
                              .friction =
                                  hf_level_at(&def->friction, HF_FORTH, 0.0, 1.0, HF_REGIME_SLIP),
                              .step = h};
}

// Where the point is above the floor, with the floor's axes.
static hf_contact_place place_of(const hf_sim *sim)
{
    const hf_force_place *force = &sim->model->forces[0];
    int ends[2];
    return force->ops->touch(force->item, sim->poses, sim->references, ends);
}

static bool is_landing_point(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const hf_force_place *force = model->forces;
    if (model->nq != 2 || model->nv != 2 || model->mover_count != 1 || model->force_count != 1 ||
        model->drive_count != 0 || force->exact != HF_EXACT_CONTACT || force->ops->touch == NULL ||
        model->gravity.x != 0.0 || model->gravity.y != 0.0) {
        return false;
    }
    // Its contact is that of z with 0, at any place and speed
    const hf_rigid_contact_def *def = force->def;
    hf_sim_pose_start(sim);
    hf_contact_place place = place_of(sim);
    bool floor =
        place.n.x == 0.0 && place.n.y == 0.0 && place.n.z == 1.0 && place.gap == model->initial[1];
    const hf_level *level = &def->friction;
    bool constant =
        level->table_speed.count == 0 && level->peak[HF_FORTH] == level->kinetic[HF_FORTH];
    return floor && constant && def->restitution == 0.0 && !force->gated;
}

hf_status hf_nlp_printed_admit(hf_sim *sim, hf_error *error)
{
    if (is_landing_point(sim)) {
        return HF_OK;
    }
    return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                        "the printed program is that of one machine: a mass with axes xz and a "
                        "contact with the floor, of constant friction and restitution 0; program: "
                        "corrected runs all");
}

// The floor's force as it is recorded, and its mode.
static void show(hf_sim *sim, const hf_printed_result *result, double speed)
{
    const hf_model *model = sim->model;
    const hf_force_place *force = model->forces;
    const double nothing = 1e-3; // of the weight: IPOPT ends with forces of its tolerance
    hf_contact_place place = place_of(sim);
    double *f = sim->force + force->row;
    f[0] = -result->fz;
    f[1] = -result->fx * place.x.x;
    f[2] = -result->fx * place.y.x;
    memcpy(sim->step_force, sim->force, (size_t)model->row_count * sizeof *sim->force);
    double weight = -model->gravity.z / hf_force_inverse_mass(sim, force, 0);
    sim->mode[0] = !(result->fz > nothing * weight) ? HF_MODE_OPEN : speed == 0.0 ? 0.0 : 1.0;
}

static void count(hf_sim_stats *stats, const hf_printed_result *result)
{
    bool solved = result->ending == HF_NLP_Solve_Succeeded;
    stats->iterations = result->iterations;
    stats->solver_iterations += result->iterations;
    stats->most_iterations =
        result->iterations > stats->most_iterations ? result->iterations : stats->most_iterations;
    stats->nlp_programs += 1;
    stats->nlp_starts += 1;
    stats->nlp_solved += solved ? 1 : 0;
    stats->nlp_endings[result->ending] += 1;
}

hf_status hf_nlp_printed_advance(hf_sim *sim, double end, hf_error *error)
{
    const hf_model *model = sim->model;
    double h = end - sim->core->time, *stage = sim->stage, *w = stage + 4 + model->ny;
    sim->core->running = false;
    hf_sim_refresh(sim, h);
    // The program; whatever it ends with is the next state, as in the document's code
    const hf_printed_stop stop = {sim->stop_wanted, sim->stop_context};
    const hf_printed_point point = point_of(sim, h);
    const double *x = sim->x;
    hf_printed_state state = {x[0], x[1], x[2], x[3]};
    hf_nlp_lock();
    hf_printed_result result = hf_printed_step(&point, HF_PRINTED_BEFORE, &state, &stop);
    hf_nlp_unlock();
    if (!result.started) {
        return hf_error_set(error, HF_ERROR_MEMORY, "IPOPT could not be started");
    }
    if (result.stopped) {
        return hf_error_set(error, HF_ERROR_STOPPED, "stopped within IPOPT");
    }
    count(&sim->core->stats, &result);
    // State, heat and forces
    memcpy(stage, x, (size_t)model->n * sizeof *x);
    stage[0] = state.x;
    stage[1] = state.z;
    stage[2] = state.vx;
    stage[3] = state.vz;
    w[0] -= 0.5 * h * (result.fx * (x[2] + state.vx) + result.fz * (x[3] + state.vz));
    show(sim, &result, state.vx);
    hf_sim_note(sim);
    hf_status status = hf_sim_commit(sim, h, end, error);
    sim->core->running = status >= 0;
    return status;
}
