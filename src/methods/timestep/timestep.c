// SPDX-License-Identifier: Apache-2.0
// Method timestep: Moreau's and Jean's scheme. Over a step of h seconds
//
//   M (v+ - v) = h F + J' r,      q+ = q + h (theta v+ + (1 - theta) v)
//   u = J v+ of all contacts obeys, with the impulses r, Signorini's and Coulomb's laws   fc3d.h
//
// F: all other forces, (1 - theta) h ahead of the beginning (at it for theta = 1); J, M and gaps at
// the beginning. First order; of second order with theta = 1/2 while nothing touches. With theta =
// 1 and a contact without restitution this is [RobotSimulation2025] (10)-(18), corrected (erratum
// 20).
#include "methods/timestep/timestep.h"
#include "sim/loads.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "couplings/members.h"
#include "loops/loops.h"
#include "swarm/swarm.h"

// A step is halved so often, at most.
enum { MOST_CUTS = 12 };

// ------------------------------------------------------------------------------------------------
// Creation

// Most contacts that can be remembered.
static size_t memory_count(const hf_model *model)
{
    size_t count = 0;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        // A point, its spin and its rolling; both ends of a stop
        bool turning =
            force->coupling_def.turning || (force->ops->needs_collider && model->surfaces_turn);
        size_t parts = force->exact == HF_EXACT_CONTACT && turning ? 3 : 1;
        if (hf_ts_owns(force)) {
            count +=
                force->ops->keeps_pairs
                    ? parts * (size_t)model->swarms[force->coupling_index].capacity
                : force->ops->needs_collider
                    ? parts * (size_t)hf_touch_room(hf_model_pairs(model, &force->coupling_def))
                    : parts + 1;
        }
    }
    return count;
}

static size_t kept_size(const hf_model *model)
{
    return sizeof(hf_ts_kept) + memory_count(model) * sizeof(hf_ts_memory);
}

// A friction whose level is a multiple of a stop's force is one contact with it. Further frictions
// of the same stop, and those in three coordinates, are loaded by it (levels.c).
static void find_partners(hf_sim *sim)
{
    const hf_model *model = sim->model;
    int *partner = hf_timestep_of(sim)->machine.partner;
    for (int i = 0; i < model->force_count; ++i) {
        partner[i] = -1;
        hf_timestep_of(sim)->machine.ball[i] = hf_ts_ball_of(model, &model->forces[i]);
    }
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        int stop = force->normal_force;
        if (force->exact != HF_EXACT_FRICTION || force->dim > 2 || stop < 0 ||
            model->forces[stop].exact != HF_EXACT_STOP || partner[stop] >= 0) {
            continue;
        }
        const hf_level *level = &((const hf_coulomb_def *)force->def)->level;
        if (level->per_normal && level->viscous[HF_FORTH] == 0.0 &&
            level->viscous[HF_BACK] == 0.0) {
            partner[stop] = i;
            partner[i] = stop;
        }
    }
}

// Contacts between shapes, which must not overlap deeply at the start.
static hf_status create_collider(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    HF_TRY(hf_collider_create(model, &sim->allocator, &ts->machine.collider, error));
    if (ts->machine.collider == NULL) {
        return HF_OK;
    }
    size_t size =
        (size_t)hf_collider_capacity(ts->machine.collider) * sizeof *ts->nearby.shape_points;
    ts->nearby.shape_points = sim->allocator.allocate(sim->allocator.context, size);
    ts->nearby.level_room =
        sim->allocator.allocate(sim->allocator.context, hf_seams_room(ts->machine.collider) *
                                                            sizeof *ts->nearby.level_room);
    if (ts->nearby.shape_points == NULL || ts->nearby.level_room == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for contacts");
    }
    hf_sim_pose_start(sim);
    return hf_collider_check(ts->machine.collider, sim->poses, error);
}

static hf_status create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = sim->allocator.allocate(sim->allocator.context, sizeof *ts);
    if (ts == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for method timestep");
    }
    *ts = (hf_timestep){.machine.kept_capacity = (int)memory_count(model)};
    sim->work = ts;
    sim->exact_contacts = true;
    HF_TRY(hf_ts_movers_create(sim, error));
    HF_TRY(create_collider(sim, error));
    sim->core->method.penetration = ts->machine.allowed = hf_ts_allowed(sim);
    find_partners(sim);
    if (!hf_ts_loads_create(sim) || hf_ts_repeat_create(sim) != HF_OK ||
        hf_ts_sleep_create(sim) != HF_OK) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for method timestep");
    }
    return hf_ts_solver_create(sim, error);
}

static void release(const hf_allocator *allocator, void *memory)
{
    if (memory != NULL) {
        allocator->release(allocator->context, memory);
    }
}

static void destroy(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts == NULL) {
        return;
    }
    hf_ts_solver_destroy(ts);
    hf_ts_sleep_destroy(sim);
    hf_collider_destroy(ts->machine.collider);
    void *const blocks[] = {ts->nearby.shape_points, ts->nearby.level_room, ts->implicit.term_rows,
                            ts->machine.movers,      ts->problem.contacts,  ts->nearby.candidates,
                            ts->problem.r,           ts->problem.y,         ts->delassus.w,
                            ts->repeat.signals,      ts->loads.round,       ts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        release(&sim->allocator, blocks[i]);
    }
}

// ------------------------------------------------------------------------------------------------
// Evaluations

// Sum of the last step's normal forces of a force with many contacts.
static double sum_normal(const hf_sim *sim, int force)
{
    const hf_ts_kept *kept = hf_ts_kept_of(sim);
    double sum = 0.0;
    for (int i = 0; i < kept->count; ++i) {
        if (kept->memories[i].key >> HF_CONTACT_KEY_BITS == (uint64_t)force) {
            sum += kept->memories[i].normal;
        }
    }
    return kept->step > 0.0 ? sum / kept->step : 0.0;
}

// Reactions are no forces of an evaluation: silent there. Their sizes are the last step's.
static void forces(hf_sim *sim, int first, int end, double *dw)
{
    hf_step_forces_clear(sim, first, end, dw);
    for (int i = first; i < end; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        if (force->exact != HF_EXACT_CONTACT) {
            continue;
        }
        if (force->ops->keeps_pairs) {
            const hf_swarm_state *swarm = &sim->swarms[force->coupling_index];
            for (int k = 0; k < *swarm->count; ++k) {
                swarm->mode[k] = swarm->memories[k].mode;
            }
            *swarm->touch_count = 0;
            sim->normal[i] = sum_normal(sim, i);
        } else if (force->ops->needs_collider) {
            sim->normal[i] = sum_normal(sim, i);
        } else {
            sim->normal[i] = fmax(0.0, -sim->step_force[force->row]);
        }
    }
}

static void refresh(hf_sim *sim)
{
    double h = hf_method_first_tau(HF_METHOD_TIMESTEP, sim->core->method.step);
    // At the beginning of a step, whose factors are needed anyway
    sim->io.by_mass = sim->core->method.theta == 1.0;
    hf_sim_eval(sim, sim->core->time, HF_SIDE_RIGHT, h, sim->x, sim->k);
    sim->io.by_mass = false;
}

// ------------------------------------------------------------------------------------------------
// A step

// How poses move at the beginning.
static void note_poses(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < sim->model->pose_count; ++i) {
        ts->motion.pose_velocity[i] = sim->poses[i].velocity;
        ts->motion.pose_spin[i] = sim->poses[i].spin;
    }
}

// Poses with the velocities without reactions.
static void pose_free(hf_sim *sim)
{
    if (sim->model->couplings.in_space || sim->model->always_posed) {
        hf_update_poses(sim, sim->x, hf_timestep_of(sim)->motion.free_v);
    }
}

// x' of all but reactions: sim->k, at the beginning or (1 - theta) h ahead. gap, rate and poses are
// those of the beginning, the poses with the velocities without reactions.
static hf_status evaluate(hf_sim *sim, double h, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    double ahead = (1.0 - sim->core->method.theta) * h;
    hf_sim_refresh(sim, h);
    if (ahead > 0.0) {
        // Implicit forces would throw velocities far away: these stay (implicit.c).
        int held = ts->implicit.term_count > 0 ? model->nv : 0;
        for (int i = 0; i < model->n; ++i) {
            sim->stage[i] = sim->x[i] + ahead * sim->k[i];
        }
        memcpy(sim->stage + model->nq, sim->x + model->nq, (size_t)held * sizeof *sim->x);
        hf_sim_eval(sim, sim->core->time + ahead, HF_SIDE_AT, h, sim->stage, sim->k);
    }
    for (int i = 0; i < model->nv; ++i) {
        ts->motion.free_v[i] = sim->x[model->nq + i] + h * sim->k[model->nq + i];
    }
    HF_TRY(hf_ts_masses_factor(sim, true, error));
    hf_ts_spin(sim, h, ahead > 0.0 ? sim->stage : sim->x);
    if (ahead > 0.0 || ts->implicit.term_count == 0) {
        pose_free(sim); // with implicit forces velocities are known later
    }
    if (ahead > 0.0) {
        hf_couplings_psi(&model->couplings, &(hf_motion){.q = sim->x,
                                                         .v = ts->motion.free_v,
                                                         .poses = sim->poses,
                                                         .gap = sim->gap,
                                                         .rate = sim->rate,
                                                         .references = sim->references,
                                                         .touches = sim->touches,
                                                         .touch_count = sim->touch_count});
        hf_contacts_gate(sim, sim->gap);
    }
    return HF_OK;
}

// Begins an attempt: velocities without reactions, contacts, the problem that they pose.
static hf_status look(hf_sim *sim, double h, hf_ts_assumed assumed, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    ts->attempt = (hf_ts_attempt){.assumed = assumed};
    HF_TRY(evaluate(sim, h, error));
    HF_TRY(hf_ts_movers_factor(sim, h, error));
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        hf_ts_weigh(sim, &ts->machine.movers[i], sim->x + sim->model->nq, ts->motion.s_before);
        hf_ts_weigh(sim, &ts->machine.movers[i], ts->motion.free_v, ts->motion.s_free);
    }
    if (ts->implicit.term_count > 0) {
        hf_ts_terms_free(sim, h);
        pose_free(sim);
    }
    hf_ts_close_loops(sim);
    HF_TRY(hf_ts_collect(sim, h, error));
    hf_ts_give_way(sim, h);
    HF_TRY(hf_ts_pose_problem(sim, h, error));
    return hf_ts_settle_calm(sim, h, error);
}

// v := velocities after the step.
static void settle(hf_sim *sim, double *v)
{
    hf_timestep *ts = hf_timestep_of(sim);
    (void)hf_ts_find_still(ts, hf_ts_unknown(sim));
    for (int i = 0; i < ts->machine.group_count; ++i) {
        const hf_ts_group *group = &ts->machine.groups[i];
        if (group->still) {
            memset(ts->motion.s_after + group->s, 0,
                   (size_t)group->count * sizeof *ts->motion.s_after);
            ts->motion.s_size[i] = -1.0;
        }
    }
    const double *change = hf_ts_plain(ts, ts->motion.s_change);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        const hf_ts_mover *mover = &ts->machine.movers[i];
        if (ts->motion.s_size[mover->group] < 0.0 || ts->machine.groups[mover->group].asleep) {
            memset(v + mover->v, 0, (size_t)mover->count * sizeof *v);
        } else if (ts->motion.s_size[mover->group] > 0.0) {
            hf_ts_add_velocity(mover, change, v);
        }
    }
}

const hf_force_place *hf_ts_stuck_friction(const hf_sim *sim, const hf_ts_contact *contact)
{
    int index = contact->friction >= 0 ? contact->friction : contact->point.force;
    const hf_force_place *force = &sim->model->forces[index];
    bool stuck = contact->kind != HF_TS_POINT && contact->rows > 0 &&
                 contact->part != HF_TS_THIRD && contact->regime == HF_REGIME_STICK;
    return stuck && force->ops->terms != NULL ? force : NULL;
}

void hf_ts_stop_coordinates(const hf_sim *sim, double *v)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    hf_stops_begin(sim);
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_force_place *force = hf_ts_stuck_friction(sim, &ts->problem.contacts[i]);
        if (force != NULL) {
            hf_stops_add(sim, force, v);
        }
    }
    hf_stops_end(sim, v);
    hf_ts_stop_balls(ts, v);
}

// The same while loops are closed.
static void hold(hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    struct hf_loops_state *loops = sim->loops;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_force_place *force = hf_ts_stuck_friction(sim, &ts->problem.contacts[i]);
        for (int row = 0; force != NULL && row < force->dim; ++row) {
            if (force->exact == HF_EXACT_FRICTION && loops->hold_count < loops->hold_capacity) {
                hf_loop_hold *held = &loops->holds[loops->hold_count++];
                held->count = force->ops->terms(force->item, row, held->terms);
            }
        }
    }
}

// The new state into sim->stage.
static void move(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    double theta = sim->core->method.theta;
    double *stage = sim->stage, *v = stage + model->nq;
    const double *x = sim->x, *before = x + model->nq;
    // States that are integrated, and inner states that relax
    memcpy(stage, x, (size_t)model->n * sizeof *x);
    for (int i = model->nq + model->nv; i < model->n; ++i) {
        stage[i] += h * sim->k[i];
    }
    if (hf_relax_begin(sim, h)) {
        hf_relax_euler(sim, sim->k, h, stage);
    }
    // Velocities: what rests rests exactly
    memcpy(v, ts->motion.free_v, (size_t)model->nv * sizeof *v);
    settle(sim, v);
    hf_ts_look_at(ts, hf_ts_unknown(sim));
    for (int i = 0; i < model->drive_count; ++i) {
        v[model->drives[i].v] = ts->drive.v[model->drives[i].v];
    }
    hf_ts_stop_coordinates(sim, v);
    hf_ts_terms_finish(sim, h, v);
    // Positions by both velocities
    bool differs = theta < 1.0 || ts->attempt.traits.lands;
    for (int i = 0; i < model->nv && differs; ++i) {
        ts->motion.free_v[i] = v[i];
        v[i] = theta < 1.0 ? theta * v[i] + (1.0 - theta) * before[i] : v[i];
    }
    if (differs) {
        hf_ts_land(sim, h, v);
    }
    hf_sim_q_rate(sim, stage, sim->slope);
    for (int i = 0; i < model->nq; ++i) {
        stage[i] += h * sim->slope[i];
    }
    if (differs) {
        memcpy(v, ts->motion.free_v, (size_t)model->nv * sizeof *v);
    }
    hf_ts_tally_work(sim, stage + model->nq + model->nv + model->ny);
}

// One attempt: contacts under what is assumed, and their reactions. The first pushes out what
// penetrates before it solves; rounds that look for loads do not push again.
static hf_status attempt(hf_sim *sim, double h, hf_ts_assumed assumed, hf_error *error)
{
    HF_TRY(look(sim, h, assumed, error));
    if (assumed.pass == 0 && !assumed.wide && hf_timestep_of(sim)->loads.round_count < 0) {
        hf_ts_correction correction = hf_ts_correct(sim);
        if (correction == HF_TS_LARGE) {
            sim->fresh = false;
            HF_TRY(look(sim, h, assumed, error));
        } else if (correction == HF_TS_SMALL) {
            HF_TRY(hf_ts_pose_problem(sim, h, error));
        }
    }
    return hf_ts_solve_impacts(sim, error);
}

// Whether impulses of the attempt close gaps that were taken for open.
static bool closes_more(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double *v = sim->stage + sim->model->nq;
    bool any = ts->nearby.candidate_count > 0;
    const double *change = any ? hf_ts_plain(ts, ts->motion.s_change) : NULL;
    memcpy(v, ts->motion.free_v, (size_t)sim->model->nv * sizeof *v);
    for (int i = 0; i < ts->machine.mover_count && any; ++i) {
        hf_ts_add_velocity(&ts->machine.movers[i], change, v);
    }
    return hf_ts_missed(sim, v, h);
}

// Whether the solved attempt contradicts what it assumed. Then *assumed is for the next one.
static bool must_repeat(hf_sim *sim, double h, hf_ts_assumed *assumed)
{
    // Impulses close further gaps: all that they can reach are contacts
    if (!assumed->wide && closes_more(sim, h)) {
        assumed->wide = true;
        return true;
    }
    // Laws have other forces at the end of the step than were solved for
    if (hf_ts_terms_missed(sim, h)) {
        *assumed = (hf_ts_assumed){.pass = assumed->pass + 1};
        return true;
    }
    // Levels are those of the other direction
    if (hf_ts_change_sides(sim)) {
        *assumed = (hf_ts_assumed){.pass = 0};
        return true;
    }
    // Frictions have other loads, one was let go, or slips turn round: from the beginning
    if (!hf_ts_loads_found(sim, h) || hf_ts_let_go(sim) || hf_ts_turn_round(sim)) {
        *assumed = (hf_ts_assumed){.pass = 0};
        hf_timestep_of(sim)->loads.flips = 0;
        return true;
    }
    return false;
}

// Attempts until one agrees with what it assumed. Where reactions load frictions a plugged solver
// solves the last of them alone: its reactions are no function of the loads to more digits than its
// tolerance, and of what is redundant it finds now these and now others.
static hf_status find_reactions(hf_sim *sim, double h, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_assumed assumed = {.pass = 0};
    hf_ts_plugged plugged = ts->plugged;
    bool last_only = sim->loads != NULL && plugged.solve != NULL;
    hf_status status;
    ts->plugged.solve = last_only ? NULL : plugged.solve;
    do {
        status = attempt(sim, h, assumed, error);
    } while (status == HF_OK && must_repeat(sim, h, &assumed));
    ts->plugged.solve = plugged.solve;
    return status == HF_OK && last_only ? attempt(sim, h, assumed, error) : status;
}

// From the present time to `end`. Where bodies go through each other on the way and it can be cut,
// nothing is done but *through.
static hf_status advance_piece(hf_sim *sim, double end, bool can_cut, bool *through,
                               hf_error *error)
{
    const hf_sim_core *core = sim->core;
    double step = core->method.step;
    bool whole = core->time == (double)core->step_index * step &&
                 end == (double)(core->step_index + 1) * step;
    double h = whole ? step : end - core->time;
    if (hf_ts_repeat_step(sim, h, end)) {
        return HF_OK;
    }
    bool running = core->running;
    sim->core->running = false; // until it ends well: contacts are those of the last step
    // What the step begins with
    hf_sim_refresh(sim, h);
    hf_ts_repeat_begun(sim);
    note_poses(sim);
    hf_ts_move_driven(sim, h, end);
    hf_ts_sleep_begin(sim, h, running);
    if (sim->loads != NULL) {
        hf_loads_begin(sim);
    }
    hf_timestep *ts = hf_timestep_of(sim);
    memset(ts->loads.side, 0, (size_t)sim->model->force_count * sizeof *ts->loads.side);
    ts->loads.flips = ts->loads.iterations = 0;
    ts->loads.round_count = ts->loads.solver = -1;
    hf_status status = find_reactions(sim, h, error);
    if (status == HF_OK) {
        status = hf_ts_unmet(sim, error);
    }
    // Its end, and what is on the way there
    if (status == HF_OK) {
        move(sim, h);
        *through = hf_ts_goes_through(sim, h);
        if (*through && can_cut) {
            sim->fresh = false;
            return HF_OK;
        }
    }
    // It is shown, kept and committed
    if (status != HF_ERROR_STOPPED) {
        hf_ts_note(sim);
    }
    HF_TRY(status);
    hf_ts_show(sim, h);
    hf_ts_remember(sim, h);
    hf_sim_note(sim);
    status = hf_sim_commit(sim, h, end, error);
    sim->core->running = status >= 0;
    hf_ts_repeat_done(sim);
    return status;
}

// A step, in halves, quarters, ... where bodies go through each other.
static hf_status advance(hf_sim *sim, double end, hf_error *error)
{
    const hf_sim_core *core = sim->core;
    hf_sim_stats *stats = &sim->core->stats;
    double goal = end;
    int cuts = 0;
    hf_status status = HF_OK;
    while (status == HF_OK && core->time < end) {
        bool through = false;
        double begin = core->time;
        status = advance_piece(sim, goal, cuts < MOST_CUTS, &through, error);
        if (status == HF_OK && core->time == begin) { // once more, half as far
            stats->cut_steps += cuts == 0 && goal == end ? 1 : 0;
            cuts += 1;
            goal = begin + 0.5 * (goal - begin);
            continue;
        }
        stats->passages += through ? 1 : 0;
        // The next one may be twice as long
        cuts -= cuts > 0 ? 1 : 0;
        goal = fmin(end, goal + 2.0 * (goal - begin));
    }
    return status;
}

// ------------------------------------------------------------------------------------------------
// The table

static bool serves(hf_method_type type)
{
    return type == HF_METHOD_TIMESTEP;
}

static const hf_method_table table = {.serves = serves,
                                      .create = create,
                                      .destroy = destroy,
                                      .advance = advance,
                                      .forces = forces,
                                      .refresh = refresh,
                                      .refresh_is_step = true,
                                      .hold = hold,
                                      .contacts = hf_ts_views,
                                      .contact_wrench = hf_ts_contact_wrench,
                                      .implicit = hf_ts_is_implicit,
                                      .lead = hf_ts_lead,
                                      .loose = hf_ts_loose,
                                      .kept_size = kept_size};

const hf_method_table *hf_contact_methods(void)
{
    return &table;
}

bool hf_contact_problem(hf_sim *sim, hf_fc3d_problem *problem, const double **reactions)
{
    if (!hf_method_solves_contacts(sim->core->method.type) ||
        hf_timestep_of(sim)->problem.count == 0) {
        return false;
    }
    hf_timestep *ts = hf_timestep_of(sim);
    if (!ts->delassus.assembled && hf_ts_assemble(ts, &sim->allocator) != HF_OK) {
        return false;
    }
    *problem = hf_ts_problem(ts);
    *reactions = ts->problem.r;
    return true;
}
