// SPDX-License-Identifier: Apache-2.0
// `enable` of stops and contacts: those that are enabled where a step ends must find room there. A
// rigid law would put bodies back by any force at once.
#include <math.h>

#include "base/error.h"
#include "sim/sim_data.h"

// How far beyond its limit a stop may be that is enabled: what steps leave of one [m or rad]. And
// how deep bodies may be in each other whose contact is: as others leave what lies on them [m].
#define STOP_SLACK    1e-9
#define CONTACT_SLACK 1e-4

// Whether a force is enabled at this time, and was not before.
static bool is_enabled_at(const hf_sim *sim, const hf_force_place *force, double end)
{
    int signal = force->enable.signal;
    return force->gated && signal >= 0 &&
           !(hf_signal_value(sim, signal, end, HF_SIDE_LEFT) > 0.0) &&
           hf_signal_value(sim, signal, end, HF_SIDE_RIGHT) > 0.0;
}

// A rigid contact that is enabled now must find its bodies apart.
static hf_status check_gated_contacts(hf_sim *sim, double end, hf_error *error)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->gated_contact_count; ++i) {
        const hf_force_place *force = &model->forces[model->gated_contacts[i]];
        if (force->exact != HF_EXACT_CONTACT || !is_enabled_at(sim, force, end)) {
            continue;
        }
        hf_update_poses(sim, sim->stage, sim->stage + model->nq);
        hf_force_psi(force, &(hf_motion){.q = sim->stage,
                                         .v = sim->stage + model->nq,
                                         .poses = sim->poses,
                                         .gap = sim->gap,
                                         .rate = sim->rate,
                                         .references = sim->references});
        sim->fresh = false;
        double deep = -sim->gap[force->row];
        if (deep > CONTACT_SLACK) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_time(end, "force", force->name),
                               "it is enabled where its bodies are %g m in each other; enable it "
                               "where they are apart",
                               deep);
        }
    }
    return HF_OK;
}

// An end stop that is enabled now must find its gap within its limits.
static hf_status check_gated_stops(hf_sim *sim, double end, hf_error *error)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->exact != HF_EXACT_STOP || !is_enabled_at(sim, force, end)) {
            continue;
        }
        // Its gap where the step ends
        hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
        int count = force->ops->terms == NULL ? 0 : force->ops->terms(force->item, 0, terms);
        double gap = 0.0;
        for (int k = 0; k < count; ++k) {
            gap += terms[k].factor * sim->stage[terms[k].q];
        }
        const hf_stop_def *stop = force->def;
        double beyond = fmax(stop->low - gap, gap - stop->high);
        if (beyond > STOP_SLACK) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_time(end, "force", force->name),
                               "it is enabled where its gap is %g beyond its limit; enable it "
                               "within its limits",
                               beyond);
        }
    }
    return HF_OK;
}

hf_status hf_gates_check(hf_sim *sim, double end, hf_error *error)
{
    if (sim->model->gates_stops) {
        HF_TRY(check_gated_stops(sim, end, error));
    }
    return sim->model->gated_contact_count > 0 ? check_gated_contacts(sim, end, error) : HF_OK;
}
