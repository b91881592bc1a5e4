// SPDX-License-Identifier: Apache-2.0
// The friction-contact problem of a step: q, mu and a first r; its solution.
#include <math.h>
#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "methods/timestep/timestep.h"
#include "methods/timestep/ways.h"
#include "solvers/fc3d/fc3d_internal.h"
#include "solvers/fc3d/fc3d_islands.h"

// ------------------------------------------------------------------------------------------------
// Sums over sides

// u := Y s of a side, added.
static inline void add_rows(const double *restrict y, int count, const double *restrict s,
                            double u[HF_TS_ROWS])
{
    double a = 0.0, b = 0.0, c = 0.0;
    for (int k = 0; k < count; ++k) {
        a += y[k] * s[k];
        b += y[count + k] * s[k];
        c += y[2 * count + k] * s[k];
    }
    u[0] += a;
    u[1] += b;
    u[2] += c;
}

void hf_ts_add_motion(const hf_timestep *ts, const hf_ts_contact *contact, const double *s,
                      double u[HF_TS_ROWS])
{
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        const double *y = ts->problem.y + side->y;
        if (side->count == 6) {
            add_rows(y, 6, s + side->s, u);
        } else if (is_way(ts, side)) {
            add_way(y, side->count, side->leaf, ts->machine.groups[side->group].above, s + side->s,
                    first_row(contact), end_row(contact), u);
        } else {
            add_rows(y, side->count, s + side->s, u);
        }
    }
}

// s += Y' r of a side; returns |Y' r|.
static inline double add_columns(const double *restrict y, int count, const double r[HF_TS_ROWS],
                                 double *restrict s)
{
    double squares = 0.0;
    for (int k = 0; k < count; ++k) {
        double change = y[k] * r[0] + y[count + k] * r[1] + y[2 * count + k] * r[2];
        s[k] += change;
        squares += change * change;
    }
    return sqrt(squares);
}

void hf_ts_apply(hf_timestep *ts, const double *r)
{
    memset(ts->motion.s_change, 0, (size_t)ts->machine.s_count * sizeof *ts->motion.s_change);
    memset(ts->motion.s_size, 0, (size_t)ts->machine.group_count * sizeof *ts->motion.s_size);
    memset(ts->motion.s_load, 0, (size_t)ts->machine.group_count * sizeof *ts->motion.s_load);
    for (int i = 0; i < ts->problem.count; ++i, r += 3) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0) {
            continue;
        }
        // The first number of a friction is its bound, which pushes nothing.
        double push = contact->kind == HF_TS_FRICTION ? 0.0 : r[0];
        double load = sqrt(push * push + r[1] * r[1] + r[2] * r[2]);
        for (int k = 0; k < contact->side_count; ++k) {
            const hf_ts_side *side = &contact->sides[k];
            const double *y = ts->problem.y + side->y;
            double *s = ts->motion.s_change + side->s;
            ts->motion.s_load[side->group] += load;
            ts->motion.s_size[side->group] +=
                side->count == 6   ? add_columns(y, 6, r, s)
                : is_way(ts, side) ? add_way_columns(y, side->count, side->leaf,
                                                     ts->machine.groups[side->group].above, r, s)
                                   : add_columns(y, side->count, r, s);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// q, mu and r

// What friction of a stop is per normal force, on the side that the contact would slip to.
static double friction_of_stop(const hf_sim *sim, hf_ts_contact *contact,
                               const hf_force_place *force, const double *q)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_coulomb_def *def = force->def;
    int told = contact->rows == 1 ? ts->loads.side[contact->friction] : 0;
    int side = contact->rows == 1 && q[1] < 0.0 ? HF_BACK : HF_FORTH;
    contact->side = told > 0 ? told - 1 : side;
    return hf_level_at(&def->level, contact->side, hypot(contact->before[1], contact->before[2]),
                       1.0, hf_ts_regime_before(sim, ts, &def->level, contact));
}

static void pose_contact(hf_sim *sim, int i, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_contact *contact = &ts->problem.contacts[i];
    // Its velocity without reactions, and at the beginning
    double *q = ts->problem.q + 3 * i;
    memcpy(q, contact->drive, 3 * sizeof *q);
    hf_ts_add_motion(ts, contact, ts->motion.s_free, q);
    memcpy(contact->before, contact->drive_before, sizeof contact->before);
    hf_ts_add_motion(ts, contact, ts->motion.s_before, contact->before);
    ts->problem.mu[i] = 0.0;
    if (contact->smooth) {
        ts->problem.r[3 * i + 1] = ts->problem.r[3 * i + 2] = 0.0;
    }
    contact->stuck = contact->slid = false; // frictions: levels.c
    // A friction has a normal that is its bound
    if (contact->kind == HF_TS_FRICTION) {
        ts->problem.mu[i] = 1.0; // of a normal that is its bound
        q[0] = 0.0;
        return;
    }
    // The coefficient that holds in this step
    if (contact->friction >= 0) {
        const hf_force_place *force = &sim->model->forces[contact->friction];
        ts->problem.mu[i] = friction_of_stop(sim, contact, force, q);
    }
    if (contact->kind == HF_TS_POINT && contact->point.own && !isnan(contact->point.mu)) {
        ts->problem.mu[i] = contact->point.mu;
    } else if (contact->kind == HF_TS_POINT) {
        const hf_rigid_contact_def *def = sim->model->forces[contact->point.force].def;
        double speed = hypot(contact->before[1], contact->before[2]);
        ts->problem.mu[i] = hf_level_at(&def->friction, HF_FORTH, speed, 1.0,
                                        hf_ts_regime_before(sim, ts, &def->friction, contact));
    }
    // and what its normal velocity is to be
    hf_ts_pose_normal(sim, i, q[0], h);
    q[0] += contact->shift;
}

static void lay_out(hf_timestep *ts, size_t capacity, hf_carver *c)
{
    double **by_row[] = {&ts->problem.r,     &ts->problem.u,     &ts->problem.q,
                         &ts->scratch.found, &ts->scratch.given, &ts->problem.idle,
                         &ts->scratch.left,  &ts->scratch.along};
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; ++i) {
        *by_row[i] = hf_carve_matrix(c, 3, capacity, sizeof(double));
    }
    ts->problem.mu = hf_carve(c, capacity, sizeof(double));
    ts->scratch.quick = hf_carve(c, capacity, sizeof *ts->scratch.quick);
    ts->problem.followers = hf_carve(c, capacity, sizeof *ts->problem.followers);
    ts->problem.place = hf_carve_matrix(c, 2, capacity, sizeof *ts->problem.place);
    ts->problem.pair = hf_carve_matrix(c, 2, capacity, sizeof(int));
    ts->delassus.group_items = hf_carve_matrix(c, 2, capacity, sizeof(int));
    ts->delassus.cursor = hf_carve(c, capacity, sizeof(int));
    ts->delassus.start = hf_carve(c, capacity + 1, sizeof(int));
    // One of two parts (parts.c)
    double **of_part[] = {&ts->part.r, &ts->part.u, &ts->part.q, &ts->part.idle};
    for (size_t i = 0; i < sizeof of_part / sizeof *of_part; ++i) {
        *of_part[i] = hf_carve_matrix(c, 3, capacity, sizeof(double));
    }
    ts->part.mu = hf_carve(c, capacity, sizeof(double));
    ts->part.contacts = hf_carve(c, capacity, sizeof *ts->part.contacts);
    ts->part.followers = hf_carve(c, capacity, sizeof *ts->part.followers);
    ts->part.place = hf_carve_matrix(c, 2, capacity, sizeof *ts->part.place);
    ts->part.pair = hf_carve_matrix(c, 2, capacity, sizeof(int));
    ts->part_place = hf_carve(c, capacity, sizeof(int));
}

// Tables for the contacts that were found, in one block, which begins with r. What they held is
// lost when they grow; when that fails they stay as they are.
static bool reserve(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim), counted;
    size_t count = (size_t)ts->problem.count;
    if (count <= ts->problem.capacity) {
        return true;
    }
    size_t capacity = count > 2 * ts->problem.capacity ? count : 2 * ts->problem.capacity;
    hf_carver counter = {0};
    lay_out(&counted, capacity, &counter);
    const hf_allocator *allocator = &sim->allocator;
    void *block = counter.overflow ? NULL : allocator->allocate(allocator->context, counter.used);
    if (block == NULL) {
        return false;
    }
    if (ts->problem.r != NULL) {
        allocator->release(allocator->context, ts->problem.r);
    }
    lay_out(ts, capacity, &(hf_carver){.base = block});
    ts->problem.capacity = capacity;
    return true;
}

void hf_ts_set_bodies(hf_timestep *ts)
{
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < 2; ++k) {
            bool there = k < contact->side_count;
            ts->problem.pair[2 * i + k] = there ? contact->sides[k].group : -1;
            ts->problem.place[2 * i + k] = there ? contact->sides[k].y : 0;
        }
        memcpy(ts->problem.idle + 3 * i, contact->idle, sizeof contact->idle);
    }
    ts->problem.bodies = (hf_fc3d_bodies){.count = ts->machine.group_count,
                                          .first = ts->machine.first,
                                          .pair = ts->problem.pair,
                                          .map = ts->problem.y,
                                          .place = ts->problem.place,
                                          .idle = ts->problem.idle};
}

hf_status hf_ts_pose_problem(hf_sim *sim, double h, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (!reserve(sim)) {
        return hf_error_at(error, HF_ERROR_MEMORY, hf_at_time(sim->core->time, NULL, NULL),
                           "out of memory for %d contacts", ts->problem.count);
    }
    hf_ts_recall(sim, h);
    ts->attempt.traits.impacts = ts->attempt.traits.lands = ts->attempt.traits.carried = false;
    for (int i = 0; i < ts->problem.count; ++i) {
        const double *drive = ts->problem.contacts[i].drive;
        pose_contact(sim, i, h);
        ts->attempt.traits.carried |= drive[0] != 0.0 || drive[1] != 0.0 || drive[2] != 0.0;
    }
    if (ts->attempt.traits.impacts) {
        hf_ts_spread(sim, h);
    }
    hf_ts_pose_levels(sim, h);
    hf_ts_set_bodies(ts);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Solution

hf_fc3d_problem hf_ts_problem(const hf_timestep *ts)
{
    return (hf_fc3d_problem){.contacts = ts->problem.count,
                             .start = ts->delassus.assembled ? ts->delassus.start : NULL,
                             .column = ts->delassus.assembled ? ts->delassus.column : NULL,
                             .w = ts->delassus.assembled ? ts->delassus.w : NULL,
                             .q = ts->problem.q,
                             .mu = ts->problem.mu,
                             .bodies = &ts->problem.bodies};
}

double hf_ts_rho(const hf_timestep *ts)
{
    double trace = 0.0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < contact->side_count; ++k) {
            const hf_ts_side *side = &contact->sides[k];
            const double *y = ts->problem.y + side->y;
            if (is_way(ts, side)) {
                const int *above = ts->machine.groups[side->group].above;
                for (int r = first_row(contact); r < end_row(contact); ++r) {
                    const double *row = ts->problem.y + side->y + (size_t)r * (size_t)side->count;
                    for (int m = side->leaf; m >= 0; m = above[m]) {
                        trace += row[m] * row[m];
                    }
                }
                continue;
            }
            for (int m = 0; m < 3 * side->count; ++m) {
                trace += y[m] * y[m];
            }
        }
        trace += contact->idle[0] + contact->idle[1] + contact->idle[2];
    }
    return trace > 0.0 ? 3.0 * ts->problem.count / trace : 1.0;
}

// All velocities of contacts without reactions, as one vector. The first number of a friction is
// its bound, and no velocity.
static double free_velocity(const hf_timestep *ts)
{
    double squares = 0.0;
    for (int i = 0; i < 3 * ts->problem.count; ++i) {
        bool bound = i % 3 == 0 && ts->problem.contacts[i / 3].kind == HF_TS_FRICTION;
        squares += bound ? 0.0 : ts->problem.q[i] * ts->problem.q[i];
    }
    return sqrt(squares);
}

// The tolerance of a step is one of velocities too. Where reactions are far larger than what
// velocities need of them (a heavy body on a light one, a bound far beyond what it has to hold),
// the residual, which is relative to the reactions, must be smaller in that proportion; not smaller
// than rounding lets it be.
double hf_ts_tolerance(const hf_timestep *ts, double tolerance, double rho)
{
    const double least = 1e-13;
    double rr = 0.0;
    for (int i = 0; i < 3 * ts->problem.count; ++i) {
        rr += ts->problem.r[i] * ts->problem.r[i];
    }
    double share = HF_TS_ORDINARY * rho * free_velocity(ts) / sqrt(rr);
    return share < 1.0 ? fmax(fmin(tolerance, least), share * tolerance) : tolerance;
}

double hf_ts_judge(hf_timestep *ts, double rho)
{
    hf_fc3d_problem problem = hf_ts_problem(ts);
    double norm_q = 0.0;
    hf_ts_apply(ts, ts->problem.r);
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        double *u = ts->problem.u + 3 * i;
        for (int k = 0; k < 3; ++k) {
            double q = ts->problem.q[3 * i + k];
            u[k] = q + contact->idle[k] * ts->problem.r[3 * i + k];
            norm_q += q * q;
        }
        hf_ts_add_motion(ts, contact, ts->motion.s_change, u);
    }
    return hf_fc3d_measure_errors(&problem, rho, sqrt(norm_q), ts->problem.r, ts->problem.u).scaled;
}

bool hf_ts_is_solved(hf_sim *sim, double *residual)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double rho = hf_ts_rho(ts);
    *residual = hf_ts_judge(ts, rho);
    return *residual <= hf_ts_tolerance(ts, sim->core->method.tolerance, rho);
}

// What velocities of contacts are not told from zero where masses are so unlike that the tolerance
// is smaller than it was asked for: the residual is rho times such a velocity, as a share of the
// reactions. What bears little, on top of what bears much, has no terms of its own that are as
// large. Zero elsewhere.
static double still_of(const hf_sim *sim, double residual, double enough)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const double most_root = 10.0;
    if (!(enough < sim->core->method.tolerance) || ts->attempt.traits.carried ||
        !(residual <= enough)) {
        return 0.0;
    }
    double rr = 0.0;
    for (int i = 0; i < 3 * ts->problem.count; ++i) {
        rr += ts->problem.r[i] * ts->problem.r[i];
    }
    return enough * sqrt(rr) / hf_ts_rho(ts) * fmin(sqrt(ts->problem.count), most_root);
}

// Whether a solution with this residual leaves nothing in motion, within the tolerance.
static bool find_rest(hf_sim *sim, double residual, double enough)
{
    hf_timestep *ts = hf_timestep_of(sim);
    ts->attempt.outcome.info.residual = residual;
    ts->attempt.outcome.rests = residual <= enough && !ts->attempt.traits.carried;
    ts->attempt.outcome.still = still_of(sim, residual, enough);
    ts->attempt.outcome.free = free_velocity(ts);
    if (ts->attempt.outcome.rests) {
        ts->attempt.outcome.rests = hf_ts_find_still(ts, hf_ts_unknown(sim)) == 0;
    }
    return ts->attempt.outcome.rests;
}

bool hf_ts_is_warm(hf_sim *sim, double residual, double enough)
{
    return find_rest(sim, residual, enough) || residual <= hf_fc3d_polished(enough);
}

// Contacts, each with its frictions.
static int count_contacts(const hf_timestep *ts)
{
    int count = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_part part = ts->problem.contacts[i].part;
        count += part == HF_TS_WHOLE || part == HF_TS_PLANE ? 1 : 0;
    }
    return count;
}

void hf_ts_note(hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_fc3d_info *info = &ts->attempt.outcome.info;
    hf_sim_stats *stats = &sim->core->stats;
    stats->contacts = count_contacts(ts);
    int iterations = info->iterations + ts->loads.iterations;
    stats->iterations = iterations;
    stats->residual = info->residual;
    stats->most_contacts =
        stats->contacts > stats->most_contacts ? stats->contacts : stats->most_contacts;
    stats->most_iterations =
        iterations > stats->most_iterations ? iterations : stats->most_iterations;
    stats->solver_iterations += iterations;
    stats->worst_residual = fmax(stats->worst_residual, info->residual);
    stats->unsolved_steps += ts->attempt.outcome.solved ? 0 : 1;
    stats->unmet_steps += ts->attempt.outcome.forces_off > 0.0 ? 1 : 0;
    stats->worst_unmet = fmax(stats->worst_unmet, ts->attempt.outcome.forces_off);
    stats->lowered_impacts += ts->attempt.outcome.lowered;
    stats->free_steps += ts->problem.count == 0 ? 1 : 0;
    int solver = ts->attempt.outcome.warm ? ts->loads.solver : (int)info->method;
    stats->warm_steps += solver < 0 && ts->problem.count > 0 ? 1 : 0;
    if (solver >= 0 && ts->plugged.solve == NULL) {
        stats->solved_by[solver] += 1;
    }
}

// Where contacts stand, by what the projection of the residual does with them.
static void set_regimes(hf_timestep *ts, double rho)
{
    if (ts->plugged.held) {
        hf_ts_hold_regimes(ts);
        return;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        double z[3], p[3];
        hf_fc3d_shift(ts->problem.r + 3 * i, ts->problem.u + 3 * i, ts->problem.mu[i], rho, z);
        ts->problem.contacts[i].regime = hf_fc3d_project(z, ts->problem.mu[i], p);
    }
}

void hf_ts_look_at(hf_timestep *ts, double tolerance)
{
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        const double *q = ts->problem.q + 3 * i;
        // The first number of a friction is its bound over a weight, and no velocity.
        double normal = contact->kind == HF_TS_FRICTION ? 0.0 : q[0];
        double *u = ts->problem.u + 3 * i, size = sqrt(normal * normal + q[1] * q[1] + q[2] * q[2]);
        double nothing = fmax(tolerance * size, ts->attempt.outcome.still);
        memcpy(u, contact->drive, 3 * sizeof *u);
        hf_ts_add_motion(ts, contact, ts->motion.s_after, u);
        // Redundant contacts may share a load up to the edge of a cone without any slip. Those
        // without tangents slip unless what they touch is at rest.
        bool still = hypot(u[1], u[2]) <= nothing;
        for (int k = 0; k < contact->side_count && contact->smooth; ++k) {
            still = still && ts->machine.groups[contact->sides[k].group].still;
        }
        if (contact->regime != HF_REGIME_OPEN && (contact->smooth || still)) {
            contact->regime = still ? HF_REGIME_STICK : HF_REGIME_SLIP;
        }
    }
}

hf_status hf_ts_solve_to(hf_sim *sim, double tolerance, hf_fc3d_info *info, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_fc3d_problem problem = hf_ts_problem(ts);
    if (ts->plugged.solve != NULL) {
        return ts->plugged.solve(sim, &problem, ts->problem.r, ts->problem.u, info, error);
    }
    ts->solver->def.tolerance = tolerance;
    // Rounds that look for loads want reactions near those of the last one
    ts->solver->mix.calm = sim->loads != NULL;
    // Lemke's method wants all of W
    if (ts->solver->def.method != HF_FC3D_LEMKE) {
        return hf_fc3d_islands_solve(ts->islands, ts->solver, &problem, ts->problem.r,
                                     ts->problem.u, info, error);
    }
    hf_status status =
        hf_fc3d_solve(ts->solver, &problem, ts->problem.r, ts->problem.u, info, error);
    if (status == HF_ERROR_RANGE) {
        HF_TRY(hf_fc3d_solver_reserve(ts->solver, &problem, error));
        status = hf_fc3d_solve(ts->solver, &problem, ts->problem.r, ts->problem.u, info, error);
    }
    return status;
}

// From there, to a smaller tolerance, with what is left of the budget, and without what takes long:
// it is solved to the tolerance that was asked for. The smaller one is a demand on velocities that
// nobody has made; to come near it is enough.
static hf_status solve_on(hf_sim *sim, double tolerance, hf_fc3d_info *info, hf_error *error)
{
    const double nearly = 10.0;
    hf_fc3d_solver *solver = hf_timestep_of(sim)->solver;
    int budget = solver->def.iterations, used = info->iterations;
    if (budget > 0 && used >= budget) {
        return HF_ERROR_CONVERGENCE;
    }
    solver->def.iterations = budget > 0 ? budget - used : 0;
    solver->brief = true;
    hf_status status = hf_ts_solve_to(sim, tolerance, info, error);
    solver->brief = false;
    solver->def.iterations = budget;
    info->iterations += used;
    bool near = status == HF_ERROR_CONVERGENCE && info->residual <= nearly * tolerance;
    return near ? HF_OK : status;
}

hf_status hf_ts_unsolved(const hf_sim *sim, hf_status status, hf_error *error)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_method_def *method = &sim->core->method;
    if (status == HF_ERROR_CONVERGENCE && !method->unsolved_fails) {
        return HF_OK;
    }
    if (status == HF_ERROR_MEMORY) {
        return hf_error_at(error, status, hf_at_time(sim->core->time, NULL, NULL),
                           "out of memory for %d contacts", ts->problem.count);
    }
    if (status == HF_ERROR_STOPPED) {
        return hf_error_at(error, status, hf_at_time(sim->core->time, NULL, NULL),
                           "stopped while %d contacts were being solved", ts->problem.count);
    }
    return hf_error_at(error, status, hf_at_time(sim->core->time, NULL, NULL),
                       "the %d contacts of the step were not solved: residual %.3g, tolerance %.3g",
                       ts->problem.count, ts->attempt.outcome.info.residual, method->tolerance);
}

hf_status hf_ts_solve(hf_sim *sim, const hf_ts_turn *turn, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_method_def *method = &sim->core->method;
    hf_fc3d_info info = {.residual = 0.0};
    ts->attempt.outcome.info = info;
    ts->attempt.outcome.warm = ts->attempt.outcome.solved = true;
    ts->attempt.outcome.rests = ts->attempt.outcome.followed = false;
    ts->attempt.outcome.still = 0.0;
    ts->attempt.outcome.free = free_velocity(ts);
    if (ts->problem.count == 0) {
        hf_ts_apply(ts, ts->problem.r);
        return HF_OK;
    }
    double rho = hf_ts_rho(ts), enough = hf_ts_tolerance(ts, method->tolerance, rho);
    info.residual = hf_ts_judge(ts, rho);
    // Bounds that are found by turns are solved to the tolerance and left alone.
    bool posed = turn->index > 0 || ((ts->attempt.traits.loaded || ts->attempt.traits.plane) &&
                                     !ts->attempt.traits.follows && ts->plugged.solve == NULL);
    bool warm = posed ? info.residual <= enough
                      : ts->plugged.solve == NULL && hf_ts_is_warm(sim, info.residual, enough);
    hf_status status = HF_OK;
    // Newton's method, alone or for a part; else the solvers of fc3d.h
    bool quick = !warm && !posed && hf_ts_quick_serves(ts) &&
                 hf_ts_quick_solve(ts, rho, method->tolerance, &info);
    bool parted = false;
    if (!warm && !quick && !posed) {
        hf_status parts = hf_ts_solve_parts(sim, rho, &info, error);
        if (parts == HF_ERROR_MEMORY) {
            return parts;
        }
        parted = parts == HF_OK;
    }
    // By sweeps and what follows them
    if (!warm && !quick && !parted) {
        if (!posed && ts->plugged.solve == NULL) {
            hf_ts_even(ts);
        }
        bool needs_w = ts->plugged.solve != NULL || ts->solver->def.method == HF_FC3D_LEMKE;
        if (needs_w && hf_ts_assemble(ts, &sim->allocator) != HF_OK) {
            return hf_error_at(error, HF_ERROR_MEMORY, hf_at_time(sim->core->time, NULL, NULL),
                               "out of memory for %d contacts", ts->problem.count);
        }
        // One of several turns is solved better than what they are to come to, when they are near.
        const double better = 0.01, rounding = 1e-13; // of a residual, which is relative
        double aim =
            fmin(fmax(fmax(better * method->tolerance, turn->goal), rounding), method->tolerance);
        status = hf_ts_solve_to(sim, posed ? aim : method->tolerance, &info, error);
        if (posed && status == HF_ERROR_CONVERGENCE &&
            (turn->gentle || info.residual <= method->tolerance)) {
            status = HF_OK;
        }
        double wanted = hf_ts_tolerance(ts, method->tolerance, rho);
        if (status == HF_OK && !(info.residual <= wanted) && ts->plugged.solve == NULL &&
            !turn->gentle) {
            status = solve_on(sim, wanted, &info, error);
        }
        hf_ts_apply(ts, ts->problem.r);
    }
    ts->attempt.outcome.followed = ts->attempt.traits.follows && (quick || parted);
    if (status == HF_OK && !warm && !posed && !quick) {
        bool other = hf_ts_remain(sim, enough, &info);
        ts->attempt.outcome.followed = ts->attempt.outcome.followed && !other;
    }
    (void)find_rest(sim, info.residual, enough);
    set_regimes(ts, rho);
    ts->attempt.outcome.info = info;
    ts->attempt.outcome.warm = warm;
    ts->attempt.outcome.solved = status == HF_OK;
    return status == HF_OK ? HF_OK : hf_ts_unsolved(sim, status, error);
}
