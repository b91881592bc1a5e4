// SPDX-License-Identifier: Apache-2.0
// The solution of a step's friction-contact problem (problem.c): how it is judged, which solver
// finds it, what remains at rest, and where redundant contacts share a load.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/timestep/timestep.h"
#include "methods/timestep/ways.h"
#include "solvers/fc3d/fc3d_internal.h"
#include "solvers/fc3d/fc3d_islands.h"

// ------------------------------------------------------------------------------------------------
// How good reactions are

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
    const double *q = ts->problem.q;
    double squares = 0.0;
    for (int i = 0; i < ts->problem.count; ++i, q += 3) {
        squares += ts->problem.contacts[i].kind == HF_TS_FRICTION ? 0.0 : q[0] * q[0];
        squares += q[1] * q[1];
        squares += q[2] * q[2];
    }
    return sqrt(squares);
}

// The tolerance of a step is one of velocities too. Where reactions are far larger than what
// velocities need of them (a heavy body on a light one, a bound far beyond what it has to hold),
// the residual, which is relative to the reactions, must be smaller in that proportion; not smaller
// than rounding lets it be.
double hf_ts_tolerance_of(double tolerance, double rho, double free, double size)
{
    const double least = 1e-13;
    double share = HF_TS_ORDINARY * rho * free / size;
    return share < 1.0 ? fmax(fmin(tolerance, least), share * tolerance) : tolerance;
}

double hf_ts_tolerance(const hf_timestep *ts, double tolerance, double rho)
{
    double rr = 0.0;
    for (int i = 0; i < 3 * ts->problem.count; ++i) {
        rr += ts->problem.r[i] * ts->problem.r[i];
    }
    return hf_ts_tolerance_of(tolerance, rho, free_velocity(ts), sqrt(rr));
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
    return hf_fc3d_measure_errors(&problem, HF_FC3D_SCALED, rho, sqrt(norm_q), ts->problem.r,
                                  ts->problem.u)
        .scaled;
}

bool hf_ts_is_solved(hf_sim *sim, double rho, double *residual)
{
    hf_timestep *ts = hf_timestep_of(sim);
    *residual = hf_ts_judge(ts, rho);
    return *residual <= hf_ts_tolerance(ts, sim->core->method.tolerance, rho);
}

// Velocities of contacts that count as zero where masses are so unlike that the tolerance
// is smaller than it was asked for: the residual is rho times such a velocity, as a share of the
// reactions. What bears little, on top of what bears much, has no terms of its own that are as
// large. Zero elsewhere.
static double still_of(const hf_sim *sim, double residual, double enough)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    if (!(enough < sim->core->method.tolerance) || ts->attempt.traits.carried ||
        !(residual <= enough)) {
        return 0.0;
    }
    double rr = 0.0;
    for (int i = 0; i < 3 * ts->problem.count; ++i) {
        rr += ts->problem.r[i] * ts->problem.r[i];
    }
    return enough * sqrt(rr) / hf_ts_rho(ts) * hf_ts_root(ts->problem.count);
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
    stats->contacts = count_contacts(ts) + ts->sleep.point_count;
    int iterations = info->iterations + ts->loads.iterations;
    stats->iterations = iterations;
    stats->residual = fmax(info->residual, ts->sleep.worst);
    stats->most_contacts =
        stats->contacts > stats->most_contacts ? stats->contacts : stats->most_contacts;
    stats->most_iterations =
        iterations > stats->most_iterations ? iterations : stats->most_iterations;
    stats->solver_iterations += iterations;
    stats->worst_residual = fmax(stats->worst_residual, stats->residual);
    stats->unsolved_steps += ts->attempt.outcome.solved ? 0 : 1;
    stats->unmet_steps += ts->attempt.outcome.forces_off > 0.0 ? 1 : 0;
    stats->worst_unmet = fmax(stats->worst_unmet, ts->attempt.outcome.forces_off);
    stats->lowered_impacts += ts->attempt.outcome.lowered;
    bool touches = ts->problem.count > 0 || ts->sleep.count > 0;
    stats->free_steps += touches ? 0 : 1;
    int solver = ts->attempt.outcome.warm ? ts->loads.solver : (int)info->method;
    stats->warm_steps += solver < 0 && touches ? 1 : 0;
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
        for (int k = 0; k < contact->side_count; ++k) {
            const hf_ts_group *group = &ts->machine.groups[contact->sides[k].group];
            still = still && (contact->smooth ? group->still : !group->pushed);
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

// ------------------------------------------------------------------------------------------------
// Solution

// Which solver found a solution.
typedef enum found_by {
    BY_QUICK, // Newton's method over the machine's own velocities (quick.c)
    BY_PARTS, // the same for a part (parts.c)
    BY_SWEEPS // sweeps and what follows them (fc3d.h)
} found_by;

// Islands are solved one by one, each judged by its own reactions. A step is solved when the whole
// is, with the one weight rho: so islands are solved better, in proportion, until it is.
static hf_status solve_whole(hf_sim *sim, double rho, hf_fc3d_info *info, hf_error *error)
{
    const int rounds = 3;
    const double better = 0.9;
    double tolerance = sim->core->method.tolerance;
    hf_status status = HF_OK;
    for (int round = 0; round <= rounds && status == HF_OK; ++round) {
        info->residual = hf_ts_judge(hf_timestep_of(sim), rho);
        if (info->residual <= tolerance) {
            return HF_OK;
        }
        if (round < rounds) {
            status = solve_on(sim, better * tolerance * tolerance / info->residual, info, error);
        }
    }
    info->residual = hf_ts_judge(hf_timestep_of(sim), rho);
    return info->residual <= tolerance ? HF_OK : HF_ERROR_CONVERGENCE;
}

// A solution from r, which is judged with the weight rho (hf_ts_rho), and which sweeps share out
// evenly before if so wished.
static hf_status solve_anew(hf_sim *sim, const hf_ts_turn *turn, double rho, bool posed, bool even,
                            found_by *by, hf_fc3d_info *info, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_method_def *method = &sim->core->method;
    // Newton's method, for all or for a part
    *by = BY_QUICK;
    if (!posed && hf_ts_quick_serves(ts) &&
        hf_ts_quick_solve(ts, rho, method->tolerance, true, info)) {
        return HF_OK;
    }
    *by = BY_PARTS;
    hf_status parts = posed ? HF_ERROR_CONVERGENCE : hf_ts_solve_parts(sim, rho, info, error);
    if (parts == HF_ERROR_MEMORY || parts == HF_OK) {
        return parts;
    }
    // Sweeps and what follows them
    *by = BY_SWEEPS;
    if (!posed && even && ts->plugged.solve == NULL) {
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
    hf_status status = hf_ts_solve_to(sim, posed ? aim : method->tolerance, info, error);
    if (posed && status == HF_ERROR_CONVERGENCE &&
        (turn->gentle || info->residual <= method->tolerance)) {
        status = HF_OK;
    }
    if (!posed && status == HF_OK && ts->plugged.solve == NULL) {
        status = solve_whole(sim, rho, info, error);
    }
    double wanted = hf_ts_tolerance(ts, method->tolerance, rho);
    if (status == HF_OK && !(info->residual <= wanted) && ts->plugged.solve == NULL &&
        !turn->gentle) {
        status = solve_on(sim, wanted, info, error);
    }
    hf_ts_apply(ts, ts->problem.r);
    return status;
}

// A solution in place of another where contacts are redundant (share.c), solved from there. One
// that is not solved is given up. True: there is another.
static bool share_out(hf_sim *sim, const hf_ts_turn *turn, double rho, double enough, bool judged,
                      hf_fc3d_info *info)
{
    const int rounds = 3;
    hf_timestep *ts = hf_timestep_of(sim);
    size_t bytes = 3 * (size_t)ts->problem.count * sizeof *ts->problem.r;
    bool changed = false;
    for (int round = 0; round < rounds; ++round) {
        // Other forces
        memcpy(ts->scratch.whole, ts->problem.r, bytes);
        if (!hf_ts_share(sim, enough, rho)) {
            break;
        }
        // and the solution near them, or what was there
        judged = false;
        hf_fc3d_info other = {.residual = hf_ts_judge(ts, rho)};
        hf_error unused = {0};
        found_by by;
        bool solved = other.residual <= enough ||
                      (solve_anew(sim, turn, rho, false, false, &by, &other, &unused) == HF_OK &&
                       other.residual <= enough);
        if (!solved) {
            memcpy(ts->problem.r, ts->scratch.whole, bytes);
            break;
        }
        info->iterations += other.iterations;
        changed = true;
    }
    info->residual = judged ? info->residual : hf_ts_judge(ts, rho);
    return changed;
}

// Reactions with which all that held in the last step holds on, as the first guess of a solution.
// True: they are one.
static bool hold_on(hf_sim *sim, double rho, double enough, hf_fc3d_info *info)
{
    hf_timestep *ts = hf_timestep_of(sim);
    size_t bytes = 3 * (size_t)ts->problem.count * sizeof *ts->problem.r;
    memcpy(ts->scratch.whole, ts->problem.r, bytes);
    if (!hf_ts_hold(sim, enough, rho, false)) {
        memcpy(ts->problem.r, ts->scratch.whole, bytes);
        return false;
    }
    info->residual = hf_ts_judge(ts, rho);
    return info->residual <= enough;
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
    double rho = turn->judged ? turn->rho : hf_ts_rho(ts);
    double enough = hf_ts_tolerance(ts, method->tolerance, rho);
    info.residual = turn->judged ? turn->residual : hf_ts_judge(ts, rho);
    // Bounds that are found by turns are solved to the tolerance and left alone.
    bool posed = turn->index > 0 || ((ts->attempt.traits.loaded || ts->attempt.traits.plane) &&
                                     !ts->attempt.traits.follows && ts->plugged.solve == NULL);
    bool warm = posed ? info.residual <= enough
                      : ts->plugged.solve == NULL && hf_ts_is_warm(sim, info.residual, enough);
    hf_status status = HF_OK;
    found_by by = BY_SWEEPS;
    bool chooses = !posed && ts->plugged.solve == NULL && !ts->plugged.held;
    bool gives = ts->attempt.traits.yields;
    bool holds = !warm && chooses && !gives && hold_on(sim, rho, enough, &info);
    if (!warm && !holds) {
        status = solve_anew(sim, turn, rho, posed, true, &by, &info, error);
    }
    // Of many solutions that of least forces, or one in which more remains at rest
    if (status == HF_OK && chooses && (!warm || sim->loads != NULL)) {
        bool judged = warm || holds || by == BY_QUICK;
        warm = !share_out(sim, turn, rho, enough, judged, &info) && warm;
    }
    ts->attempt.outcome.followed = ts->attempt.traits.follows && by != BY_SWEEPS;
    // The last step's reactions may solve this one too with a motion that begins
    bool begins = !warm || (ts->plugged.solve == NULL && !ts->attempt.outcome.rests);
    if (status == HF_OK && begins && !posed && by != BY_QUICK && !gives) {
        bool other = hf_ts_remain(sim, enough, rho, &info);
        warm = warm && !other;
        ts->attempt.outcome.followed = ts->attempt.outcome.followed && !other;
    }
    // What it says
    (void)find_rest(sim, info.residual, enough);
    set_regimes(ts, rho);
    ts->attempt.outcome.info = info;
    ts->attempt.outcome.warm = warm;
    ts->attempt.outcome.solved = status == HF_OK;
    return status == HF_OK ? HF_OK : hf_ts_unsolved(sim, status, error);
}
