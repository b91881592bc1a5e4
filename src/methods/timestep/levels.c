// SPDX-License-Identifier: Apache-2.0
// Bounded multipliers whose bound depends on the reactions, or that have three coordinates.
//
// The solvers' blocks are cones |r_T| <= mu r_N of two tangents. A multiplier of one or two
// coordinates with a bound R is such a cone with mu = 1 and a normal that is R: its normal row has
// a weight w of its own and q_N = -w R, so that u_N = w (r_N - R) = 0. Two things need more than
// one problem:
//
// 1. R = bound + share N, where N is a reaction of the same step: the normal of the contact that
//    spins and rolls, or a force that loads a friction. R is taken from the reactions found last;
//    of the former, sweeps keep it up with N as they go (fc3d_internal.h).
// 2. Three coordinates: r in the ball |r| <= R, u = -lambda r with lambda = 0 inside it. A plane
//    that holds the last r and u is a cone as above; across it, where the solution has r = 0,
//    stands what is left of the law with the last lambda: u_3 + lambda r_3 = 0, |r_3| <= R.
//
// Both are repeated until the reactions solve the problem that they themselves have posed, to the
// step's tolerance in the one residual: in the plane through r a zero residual is the law in the
// ball, and with R from r it is that of loaded bounds. So the residual of a step is always that of
// its laws; a step whose turns are used up before is one that was not solved.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "methods/timestep/timestep.h"
#include "solvers/fc3d/fc3d_internal.h"

// Where contacts are redundant a turn may come to other reactions than the last one, and the bounds
// begin anew. After a few turns, therefore, sweeps go on from the last reactions, some at a time,
// and bounds follow them; now and then what sweeps cannot do is tried again. Where sweeps alone can
// solve the step, every other turn before is theirs: from reactions that another method has found
// for given bounds they come to an end where they had not.
enum { FREE_TURNS = 8, FREE_AGAIN = 16, MOST_TURNS = 300, SWEEPS = 20 };

// ------------------------------------------------------------------------------------------------
// Bounds

static const hf_level *level_of(const hf_sim *sim, const hf_ts_contact *contact)
{
    const hf_force_place *force = &sim->model->forces[contact->point.force];
    const hf_rigid_contact_def *def = force->def;
    if (contact->part == HF_TS_SPIN || contact->part == HF_TS_ROLL) {
        return contact->part == HF_TS_SPIN ? &def->spin_friction : &def->rolling_friction;
    }
    return &((const hf_coulomb_def *)force->def)->level;
}

// At the beginning of the step, on the side that the contact would slip to.
static void pose_level(hf_sim *sim, int i, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_contact *contact = &ts->problem.contacts[i];
    const hf_force_place *force = &sim->model->forces[contact->point.force];
    const hf_level *level = level_of(sim, contact);
    double third = contact->part == HF_TS_PLANE ? contact[1].before[1] : 0.0;
    double speed = hypot(hypot(contact->before[1], contact->before[2]), third) / contact->row_scale;
    bool scalar = contact->part == HF_TS_WHOLE && contact->rows == 1;
    // The side: as an earlier attempt has found, or by the motion without reactions
    int told = ts->loads.side[contact->point.force];
    int side = scalar && told > 0                         ? told - 1
               : scalar && ts->problem.q[3 * i + 1] < 0.0 ? HF_BACK
                                                          : HF_FORTH;
    contact->side = side;
    hf_regime regime = hf_ts_regime_before(sim, ts, level, contact);
    contact->stuck = regime == HF_REGIME_STICK && contact->turn == HF_TURN_NONE &&
                     level->peak[side] > level->kinetic[side];
    // Its bound, by itself or by what loads it
    double own = contact->part == HF_TS_SPIN ? contact->point.spin : contact->point.rolling;
    if (contact->owner >= 0 && contact->point.own && !isnan(own)) {
        contact->share = own / contact->row_scale;
        contact->bound = 0.0;
        return;
    }
    if (contact->owner < 0 && contact->loader < 0) {
        contact->bound = h * hf_level_at(level, side, speed, hf_normal_for(sim, force), regime);
        contact->share = 0.0;
        return;
    }
    double unloaded = hf_level_at(level, side, speed, 0.0, regime);
    contact->share = (hf_level_at(level, side, speed, 1.0, regime) - unloaded) / contact->row_scale;
    contact->bound = h * unloaded / contact->row_scale;
}

// Levels that differ by direction were posed for the side that everything but the reactions would
// slip to. Where the reactions have it the other way, the other side is that of the step: solved
// again. Each changes at most a few times with the same loads.
bool hf_ts_change_sides(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    bool changed = false;
    for (int i = 0; i < ts->problem.count && ts->loads.flips <= 2 * ts->problem.count; ++i) {
        // Frictions of one coordinate, by themselves or of a stop
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        int index = contact->kind == HF_TS_FRICTION ? contact->point.force : contact->friction;
        if (index < 0 || contact->kind == HF_TS_POINT || contact->part != HF_TS_WHOLE ||
            contact->rows != 1) {
            continue;
        }
        const hf_force_place *force = &sim->model->forces[index];
        const hf_level *level = &((const hf_coulomb_def *)force->def)->level;
        bool loaded = contact->kind == HF_TS_STOP || contact->loader >= 0;
        double normal = loaded ? 1.0 : hf_normal_for(sim, force);
        double forth = hf_level_at(level, HF_FORTH, 0.0, normal, HF_REGIME_STICK);
        double back = hf_level_at(level, HF_BACK, 0.0, normal, HF_REGIME_STICK);
        // Friction points against the slip
        double r = ts->problem.r[3 * i + 1], u = ts->problem.u[3 * i + 1];
        int side = r != 0.0 ? (r > 0.0 ? HF_BACK : HF_FORTH) : u < 0.0 ? HF_BACK : HF_FORTH;
        if (forth != back && side != contact->side) {
            ts->loads.side[index] = 1 + side;
            ts->loads.flips += 1;
            changed = true;
        }
    }
    return changed;
}

void hf_ts_pose_levels(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    int loaded = 0;
    ts->attempt.traits.plane = false;
    ts->problem.follower_count = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        if (contact->kind != HF_TS_FRICTION) {
            continue;
        }
        // Its level
        if (contact->part == HF_TS_THIRD) {
            contact->bound = contact[-1].bound;
            contact->share = contact[-1].share;
        } else {
            pose_level(sim, i, h);
        }
        // What is led slips: at half its speed the bound is reached already
        double speed = hypot(contact->drive[1], contact->drive[2]);
        for (int k = 0; k < HF_TS_ROWS && contact->led && contact->bound > 0.0; ++k) {
            contact->idle[k] = 0.5 * speed / contact->bound;
        }
        ts->problem.q[3 * i] = -contact->idle[0] * contact->bound;
        loaded += contact->share > 0.0 ? 1 : 0;
        ts->attempt.traits.plane = ts->attempt.traits.plane || contact->part == HF_TS_PLANE;
        if (contact->owner >= 0 && contact->share > 0.0) {
            ts->problem.followers[ts->problem.follower_count++] =
                (hf_fc3d_follower){.contact = i,
                                   .owner = contact->owner,
                                   .bound = contact->bound,
                                   .share = contact->share,
                                   .weight = contact->idle[0]};
        }
    }
    ts->attempt.traits.loaded = loaded > 0;
    ts->attempt.traits.follows = loaded == ts->problem.follower_count &&
                                 !ts->attempt.traits.plane && ts->plugged.solve == NULL;
}

// Impulses of all forces: the sum of normals of contacts and stops, the size of a friction's.
static void find_loads(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    memset(ts->loads.impulse, 0, (size_t)sim->model->force_count * sizeof *ts->loads.impulse);
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        const double *r = ts->problem.r + 3 * i;
        bool friction = contact->kind == HF_TS_FRICTION;
        int other = friction ? contact->point.force : contact->friction;
        if (!friction) {
            ts->loads.impulse[contact->point.force] += r[0];
        }
        if (contact->owner < 0 && other >= 0) {
            double size = contact->row_scale * hypot(r[1], r[2]);
            ts->loads.impulse[other] = hypot(ts->loads.impulse[other], size);
        }
    }
}

// The reactions of a friction within its bound; at it where they were at the one before. `third`:
// of a plane, 1 in `row_scale`.
static void fit(double bound, bool slips, double *r, double *third, double row_scale)
{
    const double near = 1.0 - 1e-6; // at the bound, as far as a step is solved
    double size = hypot(hypot(r[1], r[2]), third == NULL ? 0.0 : row_scale * *third);
    bool at_bound = slips && size > 0.0 && size >= near * r[0];
    double scale = size > bound || at_bound ? bound / size : 1.0;
    r[0] = bound;
    r[1] *= scale;
    r[2] *= scale;
    if (third != NULL) {
        *third *= scale;
    }
}

static void set_bound(hf_timestep *ts, int i, double bound)
{
    hf_ts_contact *contact = &ts->problem.contacts[i];
    double *r = ts->problem.r + 3 * i;
    bool slips = contact->regime == HF_REGIME_SLIP, three = contact->part == HF_TS_PLANE;
    fit(bound, slips, r, three ? &r[4] : NULL, three ? contact[1].row_scale : 1.0);
    ts->problem.q[3 * i] = -contact->idle[0] * bound;
    if (three) {
        r[3] = bound;
        ts->problem.q[3 * i + 3] = -contact[1].idle[0] * bound;
    }
}

// Bounds by the present reactions.
static void set_bounds(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts->attempt.traits.loaded) {
        find_loads(sim);
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        if (contact->kind != HF_TS_FRICTION || contact->part == HF_TS_THIRD) {
            continue;
        }
        double load = contact->owner >= 0    ? ts->problem.r[3 * contact->owner]
                      : contact->loader >= 0 ? ts->loads.impulse[contact->loader]
                                             : 0.0;
        contact->own_bound = contact->bound + contact->share * fmax(load, 0.0);
        set_bound(ts, i, contact->own_bound);
    }
}

static bool is_loaded(const hf_ts_contact *contact)
{
    return contact->share > 0.0 && contact->part != HF_TS_THIRD;
}

// Bounds on the way to those. Taken as they are they may swing about the solution, or come near it
// slowly; the way is as long as the last two turns advise (Aitken's rule for vectors),
//   x += w f,   f = own bounds - x,   w *= -f_last.(f - f_last)/|f - f_last|^2
static void approach_bounds(hf_timestep *ts, int turn, double *way)
{
    const double least = 0.05, most = 3.0;
    double along = 0.0, squares = 0.0;
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        double miss = contact->own_bound - contact->used_bound, change = miss - contact->miss;
        if (is_loaded(contact)) {
            along += contact->miss * change;
            squares += change * change;
            contact->miss = miss;
        }
    }
    if (turn >= FREE_TURNS) {
        *way = 1.0;
    } else if (turn > 1 && squares > 0.0) {
        *way = fmin(fmax(-*way * along / squares, least), most);
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        if (is_loaded(contact)) {
            double ahead = contact->used_bound + *way * contact->miss;
            contact->used_bound = turn == 0 ? contact->own_bound : fmax(ahead, 0.0);
            set_bound(ts, i, contact->used_bound);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Three coordinates

static hf_vec3 mover_of(hf_vec3 v)
{
    return hf_v3_scale(1.0 / hf_v3_norm(v), v);
}

// e: a right system whose first two axes span r and u.
static void find_axes(hf_vec3 r, hf_vec3 u, hf_vec3 e[3])
{
    const double nothing = 1e-9; // sine: along each other but for rounding
    double r_size = hf_v3_norm(r), u_size = hf_v3_norm(u);
    hf_vec3 first = r_size > 0.0 ? r : u_size > 0.0 ? u : hf_v3(1.0, 0.0, 0.0);
    e[0] = mover_of(first);
    hf_vec3 across = hf_v3_axpy(u, -hf_v3_dot(e[0], u), e[0]);
    if (!(hf_v3_norm(across) > nothing * u_size)) {
        // Any plane will do: that of the axis which is most across.
        double x = fabs(e[0].x), y = fabs(e[0].y), z = fabs(e[0].z);
        hf_vec3 axis = y <= x && y <= z ? hf_v3(0.0, 1.0, 0.0)
                       : z <= x         ? hf_v3(0.0, 0.0, 1.0)
                                        : hf_v3(1.0, 0.0, 0.0);
        across = hf_v3_axpy(axis, -hf_v3_dot(e[0], axis), e[0]);
    }
    e[1] = mover_of(across);
    e[2] = hf_v3_cross(e[0], e[1]);
}

// (a, b, c) := (a, b, c / row_scale) along e, the third times `next`.
static inline void turn_numbers(const hf_vec3 e[3], double row_scale, double next, double *a,
                                double *b, double *c)
{
    hf_vec3 v = hf_v3(*a, *b, *c / row_scale);
    *a = hf_v3_dot(e[0], v);
    *b = hf_v3_dot(e[1], v);
    *c = next * hf_v3_dot(e[2], v);
}

// Rows and all numbers of a friction in three coordinates along e, given in its present axes.
static void turn_rows(hf_timestep *ts, int i, const hf_vec3 e[3], double next)
{
    hf_ts_contact *plane = &ts->problem.contacts[i], *third = plane + 1;
    double row_scale = third->row_scale, *q = ts->problem.q + 3 * i, *r = ts->problem.r + 3 * i;
    // Rows of both, and what is counted along them
    for (int s = 0; s < plane->side_count; ++s) {
        size_t n = (size_t)plane->sides[s].count;
        double *y = ts->problem.y + plane->sides[s].y + n,
               *z = ts->problem.y + third->sides[s].y + n;
        for (size_t k = 0; k < n; ++k) {
            turn_numbers(e, row_scale, next, &y[k], &y[n + k], &z[k]);
        }
    }
    turn_numbers(e, row_scale, next, &q[1], &q[2], &q[4]);
    turn_numbers(e, row_scale, next, &plane->before[1], &plane->before[2], &third->before[1]);
    turn_numbers(e, row_scale, next, &plane->drive[1], &plane->drive[2], &third->drive[1]);
    turn_numbers(e, row_scale, next, &plane->drive_before[1], &plane->drive_before[2],
                 &third->drive_before[1]);
    turn_numbers(e, row_scale, next, &plane->follows[1], &plane->follows[2], &third->follows[1]);
    // The reaction, along the first
    hf_vec3 reaction = hf_v3(r[1], r[2], row_scale * r[4]);
    r[1] = hf_v3_norm(reaction) > 0.0 ? hf_v3_dot(e[0], reaction) : 0.0;
    r[2] = r[4] = 0.0;
    const hf_contact_place old = plane->point.place;
    hf_vec3 *const axes[3] = {&plane->point.place.n, &plane->point.place.x, &plane->point.place.y};
    for (int k = 0; k < 3; ++k) {
        const double along[3] = {e[k].x, e[k].y, e[k].z};
        *axes[k] = hf_from_axes(&old, along);
    }
    third->row_scale = next;
}

static double weight_of_row(const hf_timestep *ts, const hf_ts_contact *contact,
                            const hf_vec3 *along, double row_scale)
{
    double sum = 0.0;
    for (int s = 0; s < contact->side_count; ++s) {
        size_t n = (size_t)contact->sides[s].count;
        const double *y = ts->problem.y + contact->sides[s].y + n,
                     *z = ts->problem.y + contact[1].sides[s].y + n;
        for (size_t k = 0; k < n; ++k) {
            double entry = along->x * y[k] + along->y * y[n + k] + along->z * z[k] / row_scale;
            sum += entry * entry;
        }
    }
    return sum;
}

// The plane through r and u of friction i. lambda is where r - rho u is projected from:
//   r = R z/|z|,   z = r - rho u   =>   u = -(|z|/R - 1)/rho r
// The third row is scaled so that its weight, with lambda, is that of the others.
static void turn_plane(hf_timestep *ts, int i)
{
    const hf_ts_contact *plane = &ts->problem.contacts[i];
    hf_ts_contact *third = &ts->problem.contacts[i + 1];
    const double *r = ts->problem.r + 3 * i, *u = ts->problem.u + 3 * i;
    double row_scale = third->row_scale, weight = plane->idle[0], bound = r[0];
    hf_vec3 reaction = hf_v3(r[1], r[2], row_scale * r[4]);
    hf_vec3 motion = hf_v3(u[1], u[2], (u[4] - third->idle[1] * r[4]) / row_scale);
    double ahead = hf_v3_norm(hf_v3_axpy(reaction, -1.0 / weight, motion));
    double lambda = ahead > bound && bound > 0.0 ? (ahead / bound - 1.0) * weight : 0.0;
    hf_vec3 e[3];
    find_axes(reaction, motion, e);
    double across = weight_of_row(ts, plane, &e[2], row_scale) + lambda;
    double next = across > 0.0 ? sqrt(weight / across) : 1.0;
    turn_rows(ts, i, e, next);
    third->idle[1] = lambda * next * next;
    ts->problem.idle[3 * i + 4] = third->idle[1];
}

// ------------------------------------------------------------------------------------------------
// Turns

// The problem that the present reactions pose.
static void pose_again(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    set_bounds(sim);
    ts->delassus.assembled = false;
    if (!ts->attempt.traits.plane) {
        return;
    }
    (void)hf_ts_judge(ts, 1.0);
    for (int i = 0; i < ts->problem.count; ++i) {
        if (ts->problem.contacts[i].part == HF_TS_PLANE) {
            turn_plane(ts, i);
        }
    }
}

// Its turns are used up, or the solver gave up in one of them: the reactions that it found stay, as
// those of the bounds that they were found for; their residual is that of the bounds they load.
static hf_status give_up(hf_sim *sim, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    memcpy(ts->scratch.found, ts->problem.r, 3 * (size_t)ts->problem.count * sizeof *ts->problem.r);
    pose_again(sim);
    ts->attempt.outcome.solved =
        hf_ts_is_solved(sim, hf_ts_rho(ts), &ts->attempt.outcome.info.residual);
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_part part = ts->problem.contacts[i].part;
        if (part != HF_TS_PLANE && part != HF_TS_THIRD) {
            memcpy(ts->problem.r + 3 * i, ts->scratch.found + 3 * i, 3 * sizeof *ts->problem.r);
        }
    }
    hf_ts_apply(ts, ts->problem.r);
    return ts->attempt.outcome.solved ? HF_OK : hf_ts_unsolved(sim, HF_ERROR_CONVERGENCE, error);
}

// Whether the reactions solve the problem that they pose. Where sweeps alone do, they go on beyond
// the tolerance, as without bounds.
static bool is_closed(hf_sim *sim, hf_ts_turn *turn)
{
    hf_timestep *ts = hf_timestep_of(sim);
    turn->rho = hf_ts_rho(ts);
    bool closed = hf_ts_is_solved(sim, turn->rho, &turn->residual);
    if (turn->index > 0) {
        return closed;
    }
    return closed && ts->plugged.solve == NULL &&
           (!ts->attempt.traits.follows ||
            hf_ts_is_warm(sim, turn->residual, sim->core->method.tolerance));
}

// How a turn is solved, of which `left` iterations are left and `chosen` is the method.
static void set_solver(hf_sim *sim, hf_ts_turn *turn, hf_fc3d_method chosen, int left)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_fc3d_solver *solver = ts->solver;
    turn->gentle = turn->index >= FREE_TURNS && turn->index % FREE_AGAIN != 0;
    left = turn->gentle && left > SWEEPS ? SWEEPS : left;
    solver->def.method = turn->gentle ? HF_FC3D_GAUSS_SEIDEL : chosen;
    solver->def.iterations = left < INT_MAX ? left : 0;
    bool again = ts->attempt.traits.follows && turn->index < FREE_TURNS && turn->index % 2 == 1;
    bool follow = turn->index == 0 || again || turn->gentle || sim->core->method.iterations > 0;
    solver->followers = ts->problem.followers;
    solver->follower_count = follow ? ts->problem.follower_count : 0;
    solver->followed_q = ts->problem.q;
}

hf_status hf_ts_solve_levels(hf_sim *sim, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (!ts->attempt.traits.loaded && !ts->attempt.traits.plane) {
        return hf_ts_solve(sim, &(hf_ts_turn){0}, error);
    }
    int budget = sim->core->method.iterations, used = 0;
    hf_fc3d_method chosen = ts->solver->def.method;
    const double part = 0.1; // of the residual, to which a turn is solved
    size_t rows = 3 * (size_t)ts->problem.count;
    double way = 1.0;
    bool closed = false;
    hf_fc3d_info info = {.residual = 0.0};
    hf_ts_turn turn = {0};
    hf_status status = HF_OK;
    // Turns: bounds by the reactions, then reactions by the bounds
    for (turn.index = 0; status == HF_OK && turn.index < MOST_TURNS; ++turn.index) {
        pose_again(sim);
        turn.judged = false;
        closed = is_closed(sim, &turn);
        if (closed ||
            (turn.index > 0 && (!ts->attempt.outcome.solved || (budget > 0 && used >= budget)))) {
            break;
        }
        set_solver(sim, &turn, chosen, budget > 0 ? budget - used : INT_MAX);
        memcpy(ts->scratch.found, ts->problem.r, rows * sizeof *ts->problem.r);
        approach_bounds(ts, turn.index, &way);
        turn.judged = turn.index == 0 &&
                      memcmp(ts->scratch.found, ts->problem.r, rows * sizeof *ts->problem.r) == 0;
        turn.goal =
            ts->solver->follower_count > 0 ? sim->core->method.tolerance : part * turn.residual;
        status = hf_ts_solve(sim, &turn, error);
        used += ts->attempt.outcome.info.iterations;
        info = ts->attempt.outcome.warm ? info : ts->attempt.outcome.info;
        if (status == HF_OK && ts->attempt.outcome.followed) {
            break; // bounds are those of the reactions already
        }
    }
    turn.goal = 0.0;
    turn.judged = false;
    ts->solver->follower_count = 0;
    bool at_once = closed && turn.index == 0;
    hf_sim_stats *stats = &sim->core->stats;
    stats->most_turns = turn.index > stats->most_turns ? turn.index : stats->most_turns;
    if (status == HF_OK && !ts->attempt.outcome.followed) {
        // Of the bounds that the reactions load: no work, but the regimes and the residual.
        status = closed ? hf_ts_solve(sim, &turn, error) : give_up(sim, error);
    }
    ts->solver->def.iterations = budget;
    ts->solver->def.method = chosen;
    ts->attempt.outcome.warm = at_once;
    ts->attempt.outcome.info.iterations = used;
    ts->attempt.outcome.info.method = info.method;
    return status;
}
