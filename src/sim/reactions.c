// SPDX-License-Identifier: Apache-2.0
// What joints carry, for channels: from the motion now, and all that acts on the links.
#include <string.h>

#include "loops/loops.h"
#include "sim/loads.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

// Accelerations: of the state, or of methods in steps their mean over the last one.
static void find_accelerations(hf_sim *sim, double *dv)
{
    const hf_model *model = sim->model;
    bool mean = hf_sim_in_steps(sim) && sim->step_taken > 0.0;
    for (int i = 0; i < model->nv; ++i) {
        dv[i] = mean ? (sim->x[model->nq + i] - sim->v_before[i]) / sim->step_taken
                     : sim->k[model->nq + i];
    }
}

// What contacts that the method keeps itself exert.
static void add_push(void *context, const hf_contact_push *push)
{
    hf_sim *sim = context;
    hf_push_add(sim->poses, sim->wrenches, push);
}

// What pairs of swarms exert: of methods in steps over the last one.
static void push_swarms(hf_sim *sim)
{
    if (!(sim->in_steps && sim->step_taken > 0.0)) {
        hf_swarms_phi(sim);
        return;
    }
    for (int i = 0; i < sim->model->pose_count; ++i) {
        hf_wrench *sum = &sim->wrenches[i];
        sum->force = hf_v3_add(sum->force, sim->swarm_wrenches[i].force);
        sum->torque = hf_v3_add(sum->torque, sim->swarm_wrenches[i].torque);
    }
}

// Wrenches on all poses but those of contacts that a method solves: it tells these body by body.
static void push_forces(hf_sim *sim, bool solved)
{
    const hf_model *model = sim->model;
    const hf_actions actions = hf_sim_actions(sim, hf_sim_forces_now(sim), sim->x);
    memset(sim->wrenches, 0, (size_t)model->pose_count * sizeof *sim->wrenches);
    memset(sim->u, 0, (size_t)model->nv * sizeof *sim->u);
    for (int i = 0; i < model->force_count; ++i) {
        if (!solved || !model->forces[i].ops->contact) {
            hf_force_phi(&model->forces[i], &actions);
        }
    }
    if (model->swarm_count > 0 && !solved) {
        push_swarms(sim);
    }
    if (sim->plugged != NULL && sim->plugged->pushes != NULL) {
        sim->plugged->pushes(sim, add_push, sim);
    }
    if (model->loop_count > 0) {
        hf_push_loops(sim, hf_sim_in_steps(sim) ? sim->step_lambda : sim->loops->lambda);
    }
}

hf_wrench hf_joint_reaction(hf_sim *sim, const hf_body_place *place)
{
    const hf_model *model = sim->model;
    const hf_tree_body *body = &model->trees[place->index];
    double *dv = sim->slope + model->nq;
    bool solved = sim->plugged != NULL && sim->plugged->contact_wrench != NULL;
    find_accelerations(sim, dv);
    push_forces(sim, solved);
    for (int i = 0; i < model->body_count && solved && sim->core->running; ++i) {
        const hf_body_place *link = &model->bodies[i];
        if (link->ops->jointed && link->index == place->index) {
            hf_wrench touch = sim->plugged->contact_wrench(sim, i + 1, 0);
            hf_wrench *sum = &sim->wrenches[link->pose];
            sum->force = hf_v3_add(sum->force, touch.force);
            sum->torque = hf_v3_add(sum->torque, touch.torque);
        }
    }
    hf_tree_reactions(&body->tree, sim->x + body->q, sim->x + model->nq + body->v, dv + body->v,
                      sim->wrenches + body->pose, model->gravity, sim->tree_work + body->work,
                      sim->reactions);
    // evaluations without couplings in space take them to be zero
    memset(sim->wrenches, 0, (size_t)model->pose_count * sizeof *sim->wrenches);
    return sim->reactions[place->link];
}
