// SPDX-License-Identifier: Apache-2.0
// Lays out a sim's memory: counts all arrays, then gives each its place in one block.
#include "sim/sim_layout.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "compile/slots.h"
#include "loops/loops.h"
#include "sim/loads.h"
#include "solvers/small/least_norm.h"
#include "swarm/swarm.h"

static double *carve_doubles(hf_carver *c, int count)
{
    return hf_carve(c, (size_t)count, sizeof(double));
}

// While only counting there is no table to write to.
static void lay_out_saved_swarm(hf_sim *sim, hf_carver *c, int k)
{
    const hf_swarm *swarm = &sim->model->swarms[k];
    hf_swarm_state s = {0};
    s.count = hf_carve(c, 1, sizeof *s.count);
    s.skin = hf_carve(c, 1, sizeof *s.skin);
    s.pairs = hf_carve(c, (size_t)swarm->capacity, sizeof *s.pairs);
    s.memories = hf_carve(c, (size_t)swarm->capacity, sizeof *s.memories);
    s.places = hf_carve(c, (size_t)swarm->count, sizeof *s.places);
    s.features = hf_carve(c, swarm->shapes ? (size_t)swarm->capacity : 0, sizeof *s.features);
    s.spots = hf_carve(c, swarm->shapes ? (size_t)swarm->capacity : 0, sizeof *s.spots);
    if (c->base != NULL) {
        sim->swarms[k] = s;
    }
}

static void lay_out_swarm(hf_sim *sim, hf_carver *c, int k)
{
    const hf_swarm *swarm = &sim->model->swarms[k];
    size_t capacity = (size_t)swarm->capacity, members = (size_t)swarm->count;
    hf_swarm_state s = c->base == NULL ? (hf_swarm_state){0} : sim->swarms[k];
    s.old_pairs = hf_carve(c, capacity, sizeof *s.old_pairs);
    s.old_memories = hf_carve(c, capacity, sizeof *s.old_memories);
    s.old_y = hf_carve_matrix(c, (size_t)swarm->dim, capacity, sizeof *s.old_y);
    s.centers = hf_carve(c, members, sizeof *s.centers);
    s.mode = hf_carve(c, capacity, sizeof *s.mode);
    s.touches = hf_carve(c, capacity, sizeof *s.touches);
    s.touch_count = hf_carve(c, 1, sizeof *s.touch_count);
    s.cells = hf_carve(c, (size_t)swarm->cell_count, sizeof *s.cells);
    s.next = hf_carve(c, members, sizeof *s.next);
    s.keys = hf_carve_matrix(c, 3, members, sizeof *s.keys);
    size_t points = swarm->shapes ? capacity : 0;
    s.old_features = hf_carve(c, points, sizeof *s.old_features);
    s.old_spots = hf_carve(c, points, sizeof *s.old_spots);
    s.points = hf_carve(c, points, sizeof *s.points);
    if (c->base != NULL) {
        sim->swarms[k] = s;
    }
}

static void lay_out_cluster(hf_sim *sim, hf_carver *c, int k)
{
    const hf_cluster *cluster = &sim->model->clusters[k];
    size_t rows = (size_t)cluster->rows, columns = (size_t)cluster->columns;
    hf_cluster_state s = {0};
    s.at = carve_doubles(c, cluster->coordinates);
    s.jacobian = hf_carve_matrix(c, rows, columns, sizeof(double));
    s.response = hf_carve_matrix(c, rows, columns, sizeof(double));
    s.halves = hf_carve_matrix(c, rows, columns, sizeof(double));
    s.scale = carve_doubles(c, cluster->rows);
    s.phi = carve_doubles(c, cluster->rows);
    s.factor = hf_carve(c, hf_least_norm_work(cluster->rows), sizeof(double));
    size_t masses = 0;
    for (int i = 0; i < cluster->mover_count; ++i) {
        masses += hf_cluster_mass_size(sim->model, cluster,
                                       &sim->model->cluster_movers[cluster->first_mover + i]);
    }
    s.masses = hf_carve(c, masses, sizeof(double));
    if (c->base != NULL) {
        sim->loops->clusters[k] = s;
    }
}

// Rows of forces that may stick.
static int most_holds(const hf_model *model)
{
    int count = 0;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        bool sticks = force->info != NULL && force->info->needs_applied;
        count += sticks && force->ops->terms != NULL ? force->dim : 0;
    }
    return count;
}

static void lay_out_loops(hf_sim *sim, hf_carver *c)
{
    const hf_model *model = sim->model;
    int rows = 0, columns = model->largest_cluster, holds = most_holds(model);
    // Rows of the largest cluster
    for (int k = 0; k < model->cluster_count; ++k) {
        rows = model->clusters[k].rows > rows ? model->clusters[k].rows : rows;
    }
    struct hf_loops_state s = {.hold_capacity = holds};
    // Of all loops, then scratch of one cluster
    sim->loops = hf_carve(c, 1, sizeof *sim->loops);
    s.clusters = hf_carve(c, (size_t)model->cluster_count, sizeof *s.clusters);
    s.lambda = carve_doubles(c, model->loop_row_count);
    s.rates = hf_carve(c, (size_t)model->pose_count, sizeof *s.rates);
    for (int k = 0; k < 3; ++k) {
        s.local[k] = carve_doubles(c, columns);
    }
    s.halfway = carve_doubles(c, columns);
    s.side_by_side =
        hf_carve_matrix(c, 2 * (size_t)columns, HF_LOOP_LANES((size_t)rows), sizeof(double));
    s.right = carve_doubles(c, rows);
    s.part = carve_doubles(c, rows);
    s.secant = carve_doubles(c, HF_LOOP_SECANTS * rows);
    s.secant_w = carve_doubles(c, HF_LOOP_SECANTS * rows);
    s.square = hf_carve_matrix(c, (size_t)rows, (size_t)rows, sizeof(double));
    s.link_rows = hf_carve_matrix(c, 7, (size_t)columns, sizeof(double));
    s.before = carve_doubles(c, model->nq + model->nv);
    // What closing must not move
    s.holds = hf_carve(c, (size_t)holds, sizeof *s.holds);
    s.hold_rows = hf_carve_matrix(c, (size_t)holds, (size_t)columns, sizeof(double));
    s.hold_response = hf_carve_matrix(c, (size_t)holds, (size_t)columns, sizeof(double));
    s.hold_w = hf_carve_matrix(c, (size_t)holds, (size_t)holds, sizeof(double));
    s.hold_factor = hf_carve(c, hf_least_norm_work(holds), sizeof(double));
    s.hold_right = carve_doubles(c, holds);
    if (c->base != NULL) {
        *sim->loops = s;
    }
    // Matrices of each cluster
    for (int k = 0; k < model->cluster_count; ++k) {
        lay_out_cluster(sim, c, k);
    }
}

void hf_sim_list_relaxing(hf_sim *sim)
{
    hf_relaxation *relax = &sim->relaxation;
    relax->force_count = 0;
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        if (force->info != NULL && force->info->relax != NULL && force->dim > 0) {
            relax->forces[relax->force_count++] = i;
        }
    }
}

static void lay_out_relaxation(hf_sim *sim, hf_carver *c)
{
    const hf_model *model = sim->model;
    hf_relaxation *relax = &sim->relaxation;
    int count = 0, states = 0;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        bool relaxes = force->info != NULL && force->info->relax != NULL && force->dim > 0;
        count += relaxes ? 1 : 0;
        states = relaxes ? force->y + force->y_count : states;
    }
    relax->forces = hf_carve(c, (size_t)count, sizeof *relax->forces);
    relax->reach = carve_doubles(c, count);
    relax->lambda = carve_doubles(c, states);
    relax->first = carve_doubles(c, states);
    relax->sum = carve_doubles(c, states);
    relax->middle = carve_doubles(c, states);
    relax->stage = carve_doubles(c, states);
    relax->flow = carve_doubles(c, states);
    relax->again = carve_doubles(c, states > 0 ? model->n : 0);
    if (c->base != NULL) {
        hf_sim_list_relaxing(sim);
    }
}

// What hf_sim_save copies, in one stretch.
static void lay_out_saved(hf_sim *sim, hf_carver *c)
{
    const hf_model *model = sim->model;
    sim->core = hf_carve(c, 1, sizeof *sim->core);
    size_t saved_from = c->used - sizeof *sim->core;
    sim->x = carve_doubles(c, model->n);
    sim->inputs = carve_doubles(c, model->signal_count);
    sim->mode_before = carve_doubles(c, model->force_count);
    sim->tallies = hf_carve(c, (size_t)model->force_count, sizeof *sim->tallies);
    sim->references =
        hf_carve(c, (size_t)model->couplings.reference_count, sizeof *sim->references);
    sim->step_force = carve_doubles(c, model->row_count);
    sim->step_lambda = carve_doubles(c, model->loop_row_count);
    sim->samplers = hf_carve(c, (size_t)model->clock_count + (size_t)sim->controller_count,
                             sizeof *sim->samplers);
    sim->memory = carve_doubles(c, model->memory_count);
    sim->memory_before = carve_doubles(c, model->memory_count);
    bool located = model->switch_count > 0 && sim->locates_switches;
    sim->law_modes = located ? carve_doubles(c, model->switch_count) : NULL;
    for (int k = 0; k < model->swarm_count; ++k) {
        lay_out_saved_swarm(sim, c, k);
    }
    sim->kept_size =
        sim->plugged != NULL && sim->plugged->kept_size ? sim->plugged->kept_size(model) : 0;
    sim->kept = hf_carve(c, sim->kept_size, 1);
    sim->saved_size = c->used - saved_from;
}

// What an evaluation of the right-hand side writes.
static void lay_out_evaluation(hf_sim *sim, hf_carver *c)
{
    const hf_model *model = sim->model;
    sim->mode_now = carve_doubles(c, model->force_count);
    sim->k = carve_doubles(c, model->n);
    sim->stage = carve_doubles(c, model->n);
    sim->slope = carve_doubles(c, model->n);
    sim->signals = carve_doubles(c, model->signal_count);
    sim->signal_rates = carve_doubles(c, model->signal_count);
    sim->instances = hf_carve(c, (size_t)model->signal_count, sizeof *sim->instances);
    int rows_of_all = model->row_count + hf_model_slot_rows(model);
    sim->gap = carve_doubles(c, rows_of_all);
    sim->rate = carve_doubles(c, rows_of_all);
    sim->force = carve_doubles(c, rows_of_all);
    sim->u = carve_doubles(c, model->nv);
    sim->poses = hf_carve(c, (size_t)model->pose_count, sizeof *sim->poses);
    sim->wrenches = hf_carve(c, (size_t)model->pose_count, sizeof *sim->wrenches);
    sim->tree_work = hf_carve(c, model->tree_work, sizeof *sim->tree_work);
    double *places = hf_carve(c, model->tree_places, sizeof *places);
    sim->io = (hf_body_io){.u = sim->u,
                           .poses = sim->poses,
                           .wrenches = sim->wrenches,
                           .work = sim->tree_work,
                           .places = places,
                           .gravity = model->gravity};
    sim->mode = carve_doubles(c, model->force_count);
    sim->stored = carve_doubles(c, model->force_count);
    sim->normal = carve_doubles(c, model->force_count);
    if (model->load_count > 0) {
        hf_loads_lay_out(sim, c);
    }
}

void hf_sim_lay_out(hf_sim *sim, hf_carver *c)
{
    const hf_model *model = sim->model;
    sim->swarms = hf_carve(c, (size_t)model->swarm_count, sizeof *sim->swarms);
    lay_out_saved(sim, c);
    for (int k = 0; k < model->swarm_count; ++k) {
        lay_out_swarm(sim, c, k);
    }
    // What controllers and questions about reactions need
    sim->v_before = carve_doubles(c, model->asked_count > 0 ? model->nv : 0);
    sim->reactions = hf_carve(c, model->asked_count > 0 ? (size_t)hf_most_links(model) : 0,
                              sizeof *sim->reactions);
    sim->asked_wrenches = hf_carve(c, (size_t)model->asked_count, sizeof *sim->asked_wrenches);
    sim->swarm_wrenches = hf_carve(c, model->asked_count > 0 ? (size_t)model->pose_count : 0,
                                   sizeof *sim->swarm_wrenches);
    hf_controller_def *controllers =
        hf_carve(c, (size_t)sim->controller_count, sizeof *sim->controllers);
    if (c->base != NULL && sim->controller_count > 0) {
        memcpy(controllers, sim->controllers, (size_t)sim->controller_count * sizeof *controllers);
        sim->controllers = controllers;
    }
    sim->spans = hf_carve(c, (size_t)model->swarm_count + 1, sizeof *sim->spans);
    lay_out_evaluation(sim, c);
    // Of what is solved beside an evaluation: stops, islands, relaxation, loops
    sim->stored_before = carve_doubles(c, model->force_count);
    sim->values = carve_doubles(c, model->channel_count);
    sim->response = carve_doubles(c, model->nv);
    sim->rest = carve_doubles(c, model->nv);
    sim->ahead = carve_doubles(c, model->drive_count > 0 ? model->nq + model->nv : 0);
    hf_stops stops = {.chosen = hf_carve(c, (size_t)model->nv, sizeof(bool)),
                      .sums = hf_carve(c, (size_t)model->force_count, sizeof(hf_stop_sum))};
    sim->stops = hf_carve(c, 1, sizeof stops);
    if (c->base != NULL) {
        *sim->stops = stops;
    }
    size_t rows = (size_t)model->largest_island;
    // W and three columns; the part of W that sticks, with its rates, and their solver
    sim->island = hf_carve_matrix(c, rows, 4 * rows + 7, sizeof *sim->island);
    sim->island_rows = hf_carve(c, rows, sizeof *sim->island_rows);
    lay_out_relaxation(sim, c);
    if (model->loop_count > 0) {
        lay_out_loops(sim, c);
    }
}

hf_sim *hf_sim_allocate(const hf_sim *plan, hf_error *error)
{
    // How much
    const hf_allocator *allocator = &plan->allocator;
    hf_sim counted = *plan;
    hf_carver counter = {.used = sizeof counted};
    hf_sim_lay_out(&counted, &counter);
    char *block = counter.overflow
                      ? NULL
                      : allocator->allocate(allocator->context, counter.used + HF_CARVE_ALIGNMENT);
    if (block == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sim of %zu bytes", counter.used);
        return NULL;
    }
    memset(block, 0, counter.used + HF_CARVE_ALIGNMENT);
    // The sim itself stays where the allocator put it; the arrays are aligned from there.
    hf_sim *sim = (hf_sim *)(void *)block;
    *sim = *plan;
    size_t shift =
        (HF_CARVE_ALIGNMENT - (uintptr_t)block % HF_CARVE_ALIGNMENT) % HF_CARVE_ALIGNMENT;
    hf_carver hand = {.base = block + shift, .used = sizeof *sim};
    hf_sim_lay_out(sim, &hand);
    sim->size = counter.used;
    return sim;
}
