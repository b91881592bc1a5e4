// SPDX-License-Identifier: Apache-2.0
// hf_sim: creation, the beginning and the end of a step.
#include "sim/sim_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "loops/loops.h"
#include "math/row.h"
#include "sim/loads.h"
#include "sim/meet.h"
#include "sim/method_info.h"
#include "sim/sim_layout.h"
#include "sim/touches.h"
#include "swarm/swarm.h"

static void *allocate_by_malloc(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void release_by_free(void *context, void *memory)
{
    (void)context;
    free(memory);
}

hf_sim_def hf_sim_def_default(const hf_model *model)
{
    return (hf_sim_def){.method = model->method,
                        .allocator = {.allocate = allocate_by_malloc, .release = release_by_free}};
}

// The table that serves a method of another library.
static hf_status find_plugged(const hf_sim_def *def, const hf_method_table **plugged,
                              hf_error *error)
{
    *plugged = NULL;
    if (hf_method_library(def->method.type) == NULL) {
        return HF_OK;
    }
    for (int i = 0; i < HF_METHOD_TABLES; ++i) {
        if (def->methods[i] != NULL && def->methods[i]->serves(def->method.type)) {
            *plugged = def->methods[i];
            return HF_OK;
        }
    }
    const hf_method_info *info = hf_method_info_get(def->method.type);
    if (info->linked != NULL) {
        *plugged = info->linked();
        return HF_OK;
    }
    return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                        "method %s is in the library %s, which is not linked (or set an entry of "
                        "hf_sim_def.methods to %s)",
                        info->name, info->library, info->plug);
}

unsigned long long hf_sim_hash(const hf_sim *sim)
{
    const hf_model *model = sim->model;
    unsigned long long hash = model->hash;
    for (int i = 0; i < model->clock_count; ++i) {
        hash = hf_hash_bytes(hash, &model->clocks[i].period, sizeof model->clocks[i].period);
    }
    for (int i = 0; i < sim->controller_count; ++i) {
        hash = hf_hash_bytes(hash, &sim->controllers[i].period, sizeof sim->controllers[i].period);
    }
    return hash;
}

// Room for later steps: the sim's allocator is a pool on the caller's from here on.
static bool open_pool(hf_sim *sim, size_t room, hf_error *error)
{
    const hf_allocator caller = sim->allocator;
    if (room == 0) {
        return true;
    }
    if (!hf_pool_begin(&sim->pool, &caller, room)) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a room of %zu bytes", room);
        return false;
    }
    sim->allocator = hf_pool_allocator(&sim->pool);
    return true;
}

hf_sim *hf_sim_create(const hf_model *model, const hf_sim_def *def, hf_error *error)
{
    hf_sim_def chosen = def == NULL ? hf_sim_def_default(model) : *def;
    hf_sim plan = {.model = model,
                   .allocator = chosen.allocator,
                   .on_event = chosen.on_event,
                   .event_context = chosen.event_context,
                   .stop_wanted = chosen.stop_wanted,
                   .stop_context = chosen.stop_context,
                   .controllers = chosen.controllers,
                   .controller_count = chosen.controller_count,
                   .method_given = chosen.method};
    // What cannot run is refused
    if (hf_method_check(&chosen.method, error) < 0 || hf_controllers_check(&chosen, error) < 0 ||
        find_plugged(&chosen, &plan.plugged, error) < 0 ||
        hf_method_admit(model, &chosen.method, error) < 0) {
        return NULL;
    }
    plan.in_steps = hf_method_info_get(chosen.method.type)->in_steps;
    plan.takes_steps = !hf_method_info_get(chosen.method.type)->is_adaptive;
    plan.locates_switches = hf_method_info_get(chosen.method.type)->switches;
    // Memory, and room for later steps
    hf_sim *sim = hf_sim_allocate(&plan, error);
    if (sim == NULL) {
        return NULL;
    }
    if (!open_pool(sim, chosen.room, error)) {
        chosen.allocator.release(chosen.allocator.context, sim);
        return NULL;
    }
    // The method's own part, then the initial state
    sim->core->method = hf_method_resolved(chosen.method);
    sim->core->hash = hf_sim_hash(sim);
    if (hf_signals_open(sim, error) < 0 ||
        (sim->plugged != NULL && sim->plugged->create(sim, error) < 0) ||
        hf_shape_forces_create(sim, error) < 0 || hf_touches_create(sim, error) < 0) {
        hf_sim_destroy(sim);
        return NULL;
    }
    hf_sim_reset(sim);
    if (hf_swarms_check(sim, error) < 0) {
        hf_sim_destroy(sim);
        return NULL;
    }
    sim->pool.open = true;
    return sim;
}

void hf_sim_destroy(hf_sim *sim)
{
    if (sim == NULL) {
        return;
    }
    HF_ASSERT(!sim->in_update);
    if (sim->plugged != NULL) {
        sim->plugged->destroy(sim);
    }
    hf_shape_forces_destroy(sim);
    hf_touches_destroy(sim);
    hf_signals_close(sim);
    hf_model_destroy(sim->own);
    bool pooled = sim->pool.base != NULL;
    hf_allocator allocator = pooled ? sim->pool.parent : sim->allocator;
    hf_pool_end(&sim->pool);
    allocator.release(allocator.context, sim);
}

// States of laws that begin elsewhere than at zero.
static bool start_laws(hf_sim *sim)
{
    const hf_model *model = sim->model;
    double *y = sim->x + model->nq + model->nv;
    bool changed = false;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->info == NULL || force->info->start == NULL || force->dim == 0) {
            continue;
        }
        hf_law_in in = {.gap = sim->gap + force->row,
                        .rate = sim->rate + force->row,
                        .y = y + force->y,
                        .step = sim->core->method.step};
        force->info->start(force->def, force->dim, &in, y + force->y);
        changed = true;
    }
    return changed;
}

void hf_sim_put_start(hf_sim *sim)
{
    const hf_model *model = sim->model;
    // State and inputs
    memset(sim->x, 0, (size_t)model->n * sizeof *sim->x);
    memcpy(sim->x, model->initial, (size_t)(model->nq + model->nv) * sizeof *sim->x);
    for (int i = 0; i < model->signal_count; ++i) {
        sim->inputs[model->signals[i].slot] = model->signals[i].def.value;
    }
    sim->signals_valid = false;
    // Pairs and directions that are not known yet
    for (int k = 0; k < model->swarm_count; ++k) {
        *sim->swarms[k].count = 0;
        *sim->swarms[k].skin = 0.0;
    }
    hf_swarms_restart(sim);
    memset(sim->references, 0, (size_t)model->couplings.reference_count * sizeof *sim->references);
    // Poses that never change
    sim->poses[0] = (hf_pose){.rotation = hf_m3_identity()};
    hf_bodies_still(model->sets, model->set_count, sim->poses);
}

// Frictions that are solved over steps begin as if open: what moves slips, what does not sticks
// (step_forces.c). All others begin stuck.
static void start_modes(hf_sim *sim)
{
    const hf_model *model = sim->model;
    memset(sim->mode_before, 0, (size_t)model->force_count * sizeof *sim->mode_before);
    for (int i = 0; i < model->island_count && sim->plugged == NULL; ++i) {
        const hf_island *island = &model->islands[i];
        for (int k = 0; k < island->force_count; ++k) {
            int index = model->step_forces[island->first_force + k];
            bool friction = model->forces[index].exact == HF_EXACT_FRICTION;
            sim->mode_before[index] = friction ? HF_MODE_OPEN : 0.0;
        }
    }
}

void hf_sim_reset(hf_sim *sim)
{
    HF_ASSERT(!sim->in_update);
    const hf_model *model = sim->model;
    hf_method_def method = sim->core->method;
    *sim->core = (hf_sim_core){.hash = hf_sim_hash(sim), .method = method};
    hf_sim_put_start(sim);
    // What a run gathers
    memset(sim->tallies, 0, (size_t)model->force_count * sizeof *sim->tallies);
    hf_shape_forces_release(sim);
    start_modes(sim);
    memset(sim->step_force, 0, (size_t)model->row_count * sizeof *sim->step_force);
    memset(sim->step_lambda, 0, (size_t)model->loop_row_count * sizeof *sim->step_lambda);
    hf_schedule_reset(sim);
    memset(sim->kept, 0, sim->kept_size);
    sim->fresh = false;
    sim->step_taken = 0.0;
    if (model->swarm_count > 0) {
        hf_sim_prescribe(sim); // what is near is looked for before the first evaluation
    }

    // Laws begin with what they see at the start
    hf_sim_refresh(sim, hf_method_first_tau(method.type, method.step));
    if (start_laws(sim)) {
        sim->fresh = false;
        hf_sim_refresh(sim, hf_method_first_tau(method.type, method.step));
    }
    memcpy(sim->mode_before, sim->mode, (size_t)model->force_count * sizeof *sim->mode);
    if (sim->plugged != NULL && sim->plugged->refresh_is_step) {
        hf_start_friction_modes(sim);
    }
    // The ledger's start
    hf_energy energy = hf_sim_energy(sim);
    sim->core->start_energy = energy.kinetic + energy.potential + energy.stored;
    sim->core->start_potential = energy.potential;
    sim->core->stats = (hf_sim_stats){0};
    sim->fresh = false;
}

const hf_model *hf_sim_model(const hf_sim *sim)
{
    return sim->model;
}

hf_method_def hf_sim_method(const hf_sim *sim)
{
    return sim->core->method;
}

double hf_sim_time(const hf_sim *sim)
{
    return sim->core->time;
}

// ------------------------------------------------------------------------------------------------
// A step's beginning and end

// What elements that were moved back onto their bound no longer hold has become heat.
static void book_accepted(hf_sim *sim)
{
    const hf_model *model = sim->model;
    double *w = sim->x + model->nq + model->nv + model->ny;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->info != NULL && force->info->accept != NULL && !hf_force_is_active(force)) {
            w[i] += sim->stored_before[i] - sim->stored[i];
        }
    }
}

// Discrete memories of laws (elements that switch) see each new state once.
static bool accept_state(hf_sim *sim, double tau)
{
    const hf_model *model = sim->model;
    double *y = sim->x + model->nq + model->nv;
    bool changed = false;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->info == NULL || force->info->accept == NULL) {
            continue;
        }
        hf_law_in in = {.gap = sim->gap + force->row,
                        .rate = sim->rate + force->row,
                        .y = y + force->y,
                        .normal = hf_normal_for(sim, force),
                        .tau = tau,
                        .regime = hf_force_regime(sim, i),
                        .step = sim->core->method.step};
        sim->stored_before[i] = sim->stored[i];
        force->info->accept(force->def, force->dim, &in, y + force->y);
        changed = true;
    }
    return changed;
}

// Tangent directions of sphere contacts follow the spheres from step to step.
static void carry_references(hf_sim *sim)
{
    const hf_couplings *couplings = &sim->model->couplings;
    if (couplings->reference_count > 0) {
        hf_update_poses(sim, sim->x, sim->x + sim->model->nq);
        hf_couplings_carry(couplings, sim->poses, sim->core->uncarried, sim->references);
    }
}

void hf_sim_carry(hf_sim *sim)
{
    carry_references(sim);
    hf_swarms_carry(sim);
    sim->core->uncarried = 0.0;
}

void hf_sim_refresh(hf_sim *sim, double tau)
{
    if (sim->fresh && sim->fresh_tau == tau) {
        return;
    }
    sim->asked_known = false;
    // Samples that are due come before forces
    if (sim->model->clock_count > 0) {
        hf_sim_sample(sim);
    }
    hf_swarms_update(sim);
    if (!sim->core->accepted) {
        carry_references(sim);
        sim->core->uncarried = 0.0;
    }
    if (sim->plugged != NULL) {
        // Not part of the method: its own evaluations are elsewhere.
        hf_sim_stats *stats = &sim->core->stats;
        long long before = stats->evaluations;
        sim->plugged->refresh(sim);
        if (sim->plugged->refresh_is_step && !sim->core->accepted && accept_state(sim, tau)) {
            sim->plugged->refresh(sim);
            book_accepted(sim);
        }
        if (!sim->plugged->refresh_is_step) {
            stats->observations += stats->evaluations - before;
            stats->evaluations = before;
        }
    } else {
        hf_sim_eval(sim, sim->core->time, HF_SIDE_RIGHT, tau, sim->x, sim->k);
        if (!sim->core->accepted && accept_state(sim, tau)) {
            hf_sim_eval(sim, sim->core->time, HF_SIDE_RIGHT, tau, sim->x, sim->k);
            book_accepted(sim);
        }
        hf_step_forces_solve(sim, sim->x, sim->k, tau);
    }
    // All belongs to the present state now
    sim->core->accepted = true;
    sim->fresh = true;
    sim->fresh_tau = tau;
}

// Whether an evaluation at the present state changes what later ones find: driven motion goes into
// it, discrete memories see it, loops and loads go on from it.
static bool evaluation_tells(const hf_sim *sim)
{
    const hf_model *model = sim->model;
    bool tells = sim->plugged != NULL || sim->loads != NULL || model->drive_count > 0 ||
                 model->loop_count > 0 || model->swarm_count > 0;
    for (int i = 0; i < model->force_count && !tells; ++i) {
        const hf_law_info *info = model->forces[i].info;
        tells = info != NULL && info->accept != NULL;
    }
    return tells;
}

void hf_sim_meet(hf_sim *sim, double tau)
{
    bool fresh = sim->fresh && sim->fresh_tau == tau;
    if (fresh || evaluation_tells(sim)) {
        hf_sim_refresh(sim, tau);
        return;
    }
    // As in hf_sim_refresh, up to its evaluation
    if (sim->model->clock_count > 0) {
        hf_sim_sample(sim);
    }
    if (!sim->core->accepted) {
        carry_references(sim);
        sim->core->uncarried = 0.0;
    }
    sim->core->accepted = true;
}

void hf_sim_begin(hf_sim *sim, double tau)
{
    hf_sim_refresh(sim, tau);
    hf_sim_note(sim);
}

void hf_sim_note_again(hf_sim *sim)
{
    hf_sim_core *core = sim->core;
    double seconds = core->time - core->depth_time;
    if (core->depth_now > 0.0 && seconds > 0.0) {
        core->sunk += seconds * core->depth_now;
        core->sunk_seconds += seconds;
    }
    core->depth_time = core->time;
}

// The deepest contact: now, at any time, and since the last sample.
static void note_depths(hf_sim *sim)
{
    const hf_couplings *couplings = &sim->model->couplings;
    hf_sim_core *core = sim->core;
    double now = hf_swarms_note(sim);
    for (int i = 0; i < couplings->normal_count; ++i) {
        now = fmax(now, -sim->gap[couplings->normal_rows[i]]);
    }
    hf_sim_note_again(sim);
    core->depth_now = now;
    core->stats.largest_penetration = fmax(core->stats.largest_penetration, now);
}

static double stored_at(hf_sim *sim, hf_side side)
{
    double tau = hf_method_first_tau(sim->core->method.type, sim->core->method.step);
    double energy = 0.0;
    memcpy(sim->stage, sim->x, (size_t)sim->model->n * sizeof *sim->x);
    hf_sim_eval(sim, sim->core->time, side, tau, sim->stage, sim->slope);
    for (int i = 0; i < sim->model->force_count; ++i) {
        energy += sim->model->forces[i].info == NULL ? 0.0 : sim->stored[i];
    }
    return energy;
}

void hf_sim_cross_jump(hf_sim *sim)
{
    double before = stored_at(sim, HF_SIDE_LEFT);
    sim->x[sim->model->n - 1] += stored_at(sim, HF_SIDE_RIGHT) - before;
    sim->fresh = false;
}

void hf_sim_note(hf_sim *sim)
{
    hf_tally_forces(sim);
    hf_tally_passes(sim, sim->core->method.step);
    note_depths(sim);
}

const char *hf_sim_component(const hf_sim *sim, int index)
{
    const hf_model *model = sim->model;
    int y0 = model->nq + model->nv, w0 = y0 + model->ny;
    for (int i = 0; i < model->body_count && index < y0; ++i) {
        const hf_body_place *place = &model->bodies[i];
        int v0 = model->nq + place->v;
        if ((index >= place->q && index < place->q + place->nq) ||
            (index >= v0 && index < v0 + place->nv)) {
            return model->body_names[i];
        }
    }
    for (int i = 0; i < model->force_count && index >= y0; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (index == w0 + i || (index >= y0 + force->y && index < y0 + force->y + force->y_count)) {
            return force->name;
        }
    }
    return "the machine";
}

static hf_status report_not_finite(const hf_sim *sim, double end, hf_error *error)
{
    int index = 0;
    while (index < sim->model->n - 1 && isfinite(sim->stage[index])) {
        ++index;
    }
    return hf_error_at(error, HF_ERROR_NOT_FINITE,
                       hf_at_time(end, NULL, hf_sim_component(sim, index)),
                       "the state of '%s' left the finite numbers; the step (%g s) is probably too "
                       "large for a stiff force on it",
                       hf_sim_component(sim, index), sim->core->method.step);
}

// A level must not be negative ([Xiong2013], the procedure's condition on multiplicative factors):
// a signal that gives a normal force below zero ends the run.
static hf_status check_normals(const hf_sim *sim, double end, hf_error *error)
{
    for (int i = 0; i < sim->model->signal_normal_count; ++i) {
        const hf_force_place *force = &sim->model->forces[sim->model->signal_normals[i]];
        double normal = hf_input_value(sim, force->normal);
        if (normal < 0.0) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_time(end, "force", force->name),
                               "its normal force must not be negative, and signal '%s' is %g N",
                               sim->model->signals[force->normal.signal].def.name, normal);
        }
    }
    return HF_OK;
}

static void take_stage(hf_sim *sim)
{
    for (int s = 0; s < sim->span_count; ++s) {
        hf_span span = sim->spans[s];
        memcpy(sim->x + span.first, sim->stage + span.first,
               (size_t)(span.end - span.first) * sizeof *sim->x);
    }
}

static bool is_finite(const hf_sim *sim)
{
    bool finite = true;
    for (int s = 0; s < sim->span_count && finite; ++s) {
        const hf_span *span = &sim->spans[s];
        finite = hf_row_finite(sim->stage + span->first, (size_t)(span->end - span->first));
    }
    return finite;
}

hf_status hf_sim_commit(hf_sim *sim, double h, double end, hf_error *error)
{
    // Errors: too many pairs, corrections without end, numbers that are not finite
    HF_TRY(hf_swarms_check(sim, error));
    HF_TRY(hf_touches_check(sim, error));
    HF_TRY(check_normals(sim, end, error));
    HF_TRY(hf_loads_check(sim, end, error));
    HF_TRY(hf_gates_check(sim, end, error));
    hf_sim_normalize(sim, sim->stage); // an orientation that has overflowed is not a number, too
    if (!is_finite(sim)) {
        sim->fresh = false;
        return report_not_finite(sim, end, error);
    }
    // Loops are closed, and the ledger has the step
    if (sim->model->loop_count > 0) {
        sim->fresh = false;
        if (sim->model->cluster_driver_count > 0) { // to driven bodies as they are then
            hf_signals_update(sim, end, HF_SIDE_LEFT);
            hf_sim_drive(sim, end, HF_SIDE_LEFT, sim->stage, sim->stage + sim->model->nq);
        }
        HF_TRY(hf_loops_commit(sim, end, error));
    }
    hf_tally_work(sim);
    if (sim->model->asked_count > 0) {
        memcpy(sim->v_before, sim->x + sim->model->nq,
               (size_t)sim->model->nv * sizeof *sim->v_before);
        sim->step_taken = h;
    }
    // The new state
    take_stage(sim);
    hf_tally_modes(sim, h);
    sim->core->time = end;
    sim->core->uncarried += h;
    sim->core->accepted = false;
    sim->core->touched = false;
    sim->fresh = false;
    hf_sim_prescribe(sim);
    return HF_OK;
}
