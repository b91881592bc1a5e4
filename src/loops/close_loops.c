// SPDX-License-Identifier: Apache-2.0
// Closing loops that a step, or a trial state of an integrator, left open: the nearest state in the
// mass metric,
//
//   q <- q + dq,  dq = -M^-1 J' W^+ phi        Newton's method; the first matrices do while it
//   v <- v - M^-1 J' W^+ J v                   contracts, as the state is nearly closed: at the
//                                              end of a short step those of its beginning
//
// A friction that sticks must not creep by this. Rows S of what is held change the correction to
//   d <- d - A S' (S A S')^+ S d,   A = M^-1 - M^-1 J' W^+ J M^-1
// which closes as well. Where loops and frictions together leave nothing free, loops go first.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "loops/loops.h"
#include "sim/method_info.h"
#include "solvers/small/least_norm.h"
#include "solvers/small/rows.h"

// Matrices are made anew where a correction leaves more than this part of the last residual.
#define CONTRACTION 0.1
enum { MOST_CORRECTIONS = 60 };
// Least size of a machine in the tolerances [m].
#define LEAST_REACH 1e-3
// Residuals below this many roundings of the largest distance from the origin are not corrected.
#define ROUNDINGS 32.0
// A loop that stays open by more than this part of max(1 m, its distance from the origin) is an
// error: a thousand times what rounding leaves.
#define OPEN 1e-11
// An integrator's state is pulled towards the closed one at this many times the rate at which the
// directions of the loops turn.
#define PULL 3.0
// A driven body has jumped where it leaves its loops open by more than JUMP of max(1 m, its
// distance from the origin). Its velocity has jumped where the ends of a loop part faster than
// STRIKES of the fastest velocity.
#define JUMP    1e-8
#define STRIKES 1e-10
// Loops already hold a coordinate where they reduce its response below this part.
#define FIXED 1e-10

// ------------------------------------------------------------------------------------------------
// What is held

// The column of a velocity of the machine in a cluster, or -1.
static int column_of(const hf_model *model, const hf_cluster *cluster, int v)
{
    for (int i = 0; i < cluster->mover_count && v >= 0; ++i) {
        const hf_cluster_mover *mover = &model->cluster_movers[cluster->first_mover + i];
        if (v >= mover->v && v < mover->v + mover->nv) {
            return mover->column + v - mover->v;
        }
    }
    return -1;
}

// Whether a cluster has some coordinate of a hold.
static bool is_in(const hf_model *model, const hf_cluster *cluster, const hf_loop_hold *hold)
{
    bool some = false;
    for (int i = 0; i < hold->count && !some; ++i) {
        some = column_of(model, cluster, hold->terms[i].v) >= 0;
    }
    return some;
}

static double product(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// One row of S and of A S'. False when the loops alone hold it.
static bool hold_row(hf_sim *sim, const hf_cluster *cluster, const double *x,
                     const hf_loop_hold *hold, double *row, double *response)
{
    const hf_model *model = sim->model;
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    double *right = sim->loops->right;
    int columns = cluster->columns;
    memset(row, 0, (size_t)columns * sizeof *row);
    memset(response, 0, (size_t)columns * sizeof *response);
    // The row
    for (int i = 0; i < hold->count; ++i) {
        int column = column_of(model, cluster, hold->terms[i].v);
        if (column >= 0) {
            row[column] = hold->terms[i].factor;
        }
    }
    // Its response to a force along it, without loops
    for (int i = 0; i < cluster->mover_count; ++i) {
        const hf_cluster_mover *mover = &model->cluster_movers[cluster->first_mover + i];
        bool here = false;
        for (int k = 0; k < mover->nv; ++k) {
            here = here || row[mover->column + k] != 0.0;
        }
        if (here) {
            hf_cluster_respond(sim, cluster, mover, x, row, response);
        }
    }
    // And with them; twice, for rounding
    double alone = product(row, response, columns);
    for (int pass = 0; pass < 2; ++pass) {
        for (int r = 0; r < cluster->rows; ++r) {
            right[r] = product(state->jacobian + r * columns, response, columns);
        }
        hf_cluster_solve(sim, cluster, right);
        for (int r = 0; r < cluster->rows; ++r) {
            for (int k = 0; k < columns; ++k) {
                response[k] -= right[r] * state->response[r * columns + k];
            }
        }
    }
    return product(row, response, columns) > FIXED * alone;
}

// S, A S' and the factors of S A S' for the holds of a cluster. Returns how many there are.
static int fill_holds(hf_sim *sim, const hf_cluster *cluster, const double *x, int *rank)
{
    struct hf_loops_state *loops = sim->loops;
    int columns = cluster->columns, n = 0;
    for (int i = 0; i < loops->hold_count; ++i) {
        const hf_loop_hold *hold = &loops->holds[i];
        if (is_in(sim->model, cluster, hold) &&
            hold_row(sim, cluster, x, hold, loops->hold_rows + n * columns,
                     loops->hold_response + n * columns)) {
            ++n;
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            loops->hold_w[i * n + j] = product(loops->hold_rows + i * columns,
                                               loops->hold_response + j * columns, columns);
        }
    }
    *rank = n == 0 ? 0 : hf_least_norm_factorize(n, loops->hold_w, loops->hold_factor);
    return n;
}

// Held differences are as they were, to the bit.
static void restore_holds(const hf_sim *sim, const double *before, double *x)
{
    const hf_model *model = sim->model;
    const struct hf_loops_state *loops = sim->loops;
    for (int i = 0; i < loops->hold_count; ++i) {
        const hf_loop_hold *hold = &loops->holds[i];
        const hf_coupling_term *a = &hold->terms[0], *b = &hold->terms[1];
        const int on[2] = {a->q, model->nq + a->v}, to[2] = {b->q, model->nq + b->v};
        bool difference = hold->count == 2 && a->factor == -b->factor;
        for (int k = 0; k < 2; ++k) {
            if (hold->count == 1) {
                x[on[k]] = before[on[k]];
            } else if (difference && before[on[k]] == before[to[k]]) {
                x[on[k]] = x[to[k]];
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// One cluster

typedef struct closing {
    hf_sim *sim;
    const hf_cluster *cluster;
    int holds, rank; // of what is held
    bool near;       // matrices that are there are those of a state nearby
} closing;

// step = the correction for the residuals of the rows in loops->part. steps: so many were made with
// these matrices before, of positions; -1: of velocities.
static void correct(const closing *c, int steps, double *step)
{
    struct hf_loops_state *loops = c->sim->loops;
    const hf_cluster_state *state = hf_cluster_state_of(c->sim, c->cluster);
    int columns = c->cluster->columns;
    // Multipliers, and what they move
    memcpy(loops->right, loops->part, (size_t)c->cluster->rows * sizeof *loops->right);
    hf_cluster_solve(c->sim, c->cluster, loops->right);
    if (steps >= 0 && c->holds == 0) {
        hf_loops_secant(loops, c->cluster->rows, steps, loops->right);
    }
    memset(step, 0, (size_t)columns * sizeof *step);
    for (int r = 0; r < c->cluster->rows; ++r) {
        loops->right[r] = -loops->right[r];
    }
    hf_rows_add(state->response, c->cluster->rows, (size_t)columns, loops->right, step);
    if (c->holds == 0) {
        return;
    }
    // without what is held
    for (int i = 0; i < c->holds; ++i) {
        loops->hold_right[i] = product(loops->hold_rows + i * columns, step, columns);
    }
    hf_least_norm_apply(c->holds, c->rank, loops->hold_right, loops->hold_right,
                        loops->hold_factor);
    for (int i = 0; i < c->holds; ++i) {
        for (int k = 0; k < columns; ++k) {
            step[k] -= loops->hold_right[i] * loops->hold_response[i * columns + k];
        }
    }
}

void hf_cluster_move(hf_sim *sim, const hf_cluster *cluster, const double *by, double *x)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < cluster->mover_count; ++i) {
        const hf_cluster_mover *mover = &model->cluster_movers[cluster->first_mover + i];
        const hf_mover *u = &model->movers[mover->mover];
        double *rate = sim->slope, *v = sim->slope + model->nq; // no method is within a stage here
        memcpy(v + mover->v, by + mover->column, (size_t)mover->nv * sizeof *v);
        u->ops->q_rate(u->body, 1, x, v, rate);
        for (int k = mover->q; k < mover->q + mover->nq; ++k) {
            x[k] += rate[k];
        }
        if (u->ops->normalize != NULL) {
            u->ops->normalize(u->body, 1, x);
        }
    }
}

// The largest distance of a cluster's ends from the origin: what rounding is a part of [m].
static double reach_of(const hf_sim *sim, const hf_cluster *cluster, const double *x)
{
    double reach = 0.0;
    for (int i = 0; i < cluster->loop_count; ++i) {
        const hf_loop_place *loop = &sim->model->loops[cluster->first_loop + i];
        reach = fmax(reach, hf_loop_reach(sim, loop, x));
    }
    return reach;
}

static bool close_positions(closing *c, double *x)
{
    struct hf_loops_state *loops = c->sim->loops;
    hf_cluster_state *state = hf_cluster_state_of(c->sim, c->cluster);
    size_t rows = (size_t)c->cluster->rows * sizeof *state->phi;
    // What rounding leaves, and what is still called closed
    double *step = loops->local[2], size = hf_cluster_openings(c->sim, c->cluster, x);
    double reach = fmax(reach_of(c->sim, c->cluster, x), LEAST_REACH);
    double least = ROUNDINGS * DBL_EPSILON * reach, most = OPEN * fmax(1.0, reach);
    bool fresh = c->near && state->ready;
    if (fresh && size > least) {
        c->holds = fill_holds(c->sim, c->cluster, x, &c->rank);
    }
    // Newton's method; matrices are made again only where it contracts badly
    for (int i = 0, steps = 0; i < MOST_CORRECTIONS && size > least; ++i, ++steps) {
        if (!fresh) {
            hf_cluster_prepare(c->sim, c->cluster, x, true);
            c->holds = fill_holds(c->sim, c->cluster, x, &c->rank);
            fresh = true;
            steps = 0;
        }
        memcpy(loops->part, state->phi, rows);
        correct(c, steps, step);
        hf_cluster_move(c->sim, c->cluster, step, x);
        double now = hf_cluster_openings(c->sim, c->cluster, x);
        // It does not contract: what is left is rounding, or cannot be closed, or the matrices are
        // old
        if (!(now <= CONTRACTION * size)) {
            if (now <= most || !isfinite(now)) {
                size = now;
                break; // rounding, or nothing to hope for
            }
            fresh = false;
        }
        size = now;
    }
    return size <= most;
}

static void close_velocities(closing *c, double *x)
{
    const hf_model *model = c->sim->model;
    struct hf_loops_state *loops = c->sim->loops;
    const hf_cluster_state *state = hf_cluster_state_of(c->sim, c->cluster);
    int columns = c->cluster->columns;
    double *v = loops->local[0], *step = loops->local[2];
    hf_cluster_prepare(c->sim, c->cluster, x, true); // close_positions has posed it here
    c->holds = fill_holds(c->sim, c->cluster, x, &c->rank);
    for (int pass = 0; pass < 2; ++pass) {
        hf_cluster_velocities(c->sim, c->cluster, x, v);
        hf_rows_times(state->jacobian, c->cluster->rows, (size_t)columns, v, loops->part);
        correct(c, -1, step);
        for (int i = 0; i < c->cluster->mover_count; ++i) {
            const hf_cluster_mover *mover = &model->cluster_movers[c->cluster->first_mover + i];
            for (int k = 0; k < mover->nv; ++k) {
                x[model->nq + mover->v + k] += step[mover->column + k];
            }
        }
    }
}

static void find_holds(hf_sim *sim)
{
    if (sim->plugged == NULL) {
        hf_step_forces_hold(sim);
    } else if (sim->plugged->hold != NULL) {
        sim->plugged->hold(sim);
    }
}

// Whether loops and frictions leave a cluster nothing, and all that is held is at rest.
static bool stands(const closing *c, const double *x)
{
    const hf_model *model = c->sim->model;
    const struct hf_loops_state *loops = c->sim->loops;
    const double *v = x + model->nq;
    bool still = c->holds > 0 && hf_cluster_state_of(c->sim, c->cluster)->rank + c->rank ==
                                     c->cluster->free_columns;
    // What is held to a driven body stands while that one does
    for (int i = 0; i < c->cluster->driver_count && still; ++i) {
        const hf_cluster_driver *driver = &model->cluster_drivers[c->cluster->first_driver + i];
        for (int k = 0; k < driver->nv && still; ++k) {
            still = v[driver->v + k] == 0.0 && x[driver->q + k] == c->sim->x[driver->q + k];
        }
    }
    for (int i = 0; i < loops->hold_count && still; ++i) {
        const hf_loop_hold *hold = &loops->holds[i];
        for (int k = 0; k < hold->count && is_in(model, c->cluster, hold); ++k) {
            still = still && v[hold->terms[k].v] == 0.0;
        }
    }
    return still;
}

// Then it is at rest as a whole, to the bit. Where it was at rest when the step began, it is where
// it was.
static void stop_cluster(const closing *c, double *x)
{
    const hf_model *model = c->sim->model;
    const double *start = c->sim->x;
    bool still = x == c->sim->stage;
    for (int i = 0; i < c->cluster->mover_count; ++i) {
        const hf_cluster_mover *mover = &model->cluster_movers[c->cluster->first_mover + i];
        memset(x + model->nq + mover->v, 0, (size_t)mover->nv * sizeof *x);
        for (int k = 0; k < mover->nv && still; ++k) {
            still = start[model->nq + mover->v + k] == 0.0;
        }
    }
    for (int i = 0; i < c->cluster->mover_count && still; ++i) {
        const hf_cluster_mover *mover = &model->cluster_movers[c->cluster->first_mover + i];
        memcpy(x + mover->q, start + mover->q, (size_t)mover->nq * sizeof *x);
    }
}

static bool close_all(hf_sim *sim, double *x, bool hold, bool near)
{
    const hf_model *model = sim->model;
    bool closed = true;
    double *before = sim->loops->before;
    sim->loops->hold_count = 0;
    if (hold) {
        find_holds(sim);
    }
    memcpy(before, x, (size_t)(model->nq + model->nv) * sizeof *before);
    for (int i = 0; i < model->cluster_count; ++i) {
        closing c = {.sim = sim, .cluster = &model->clusters[i], .near = near};
        closed = close_positions(&c, x) && closed;
        close_velocities(&c, x);
        if (stands(&c, before)) {
            stop_cluster(&c, x);
        }
    }
    restore_holds(sim, before, x);
    return closed;
}

bool hf_loops_close(hf_sim *sim, double *x, bool hold)
{
    return close_all(sim, x, hold, false);
}

// How fast the directions of a cluster's rows turn [1/s].
static double turning_of(const hf_sim *sim, const hf_cluster *cluster, const double *x)
{
    double squares = 0.0;
    for (int i = 0; i < cluster->loop_count; ++i) {
        squares += hf_loop_turning(sim, &sim->model->loops[cluster->first_loop + i], x);
    }
    return sqrt(squares);
}

void hf_loops_pull(hf_sim *sim, const double *x, const double *closed, double *dx)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->cluster_count; ++i) {
        const hf_cluster *cluster = &model->clusters[i];
        hf_cluster_pose(sim, cluster, closed);
        double pull = PULL * turning_of(sim, cluster, closed);
        for (int k = 0; k < cluster->mover_count; ++k) {
            const hf_cluster_mover *mover = &model->cluster_movers[cluster->first_mover + k];
            for (int j = mover->q; j < mover->q + mover->nq; ++j) {
                dx[j] -= pull * (x[j] - closed[j]);
            }
            for (int j = model->nq + mover->v; j < model->nq + mover->v + mover->nv; ++j) {
                dx[j] -= pull * (x[j] - closed[j]);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// A step's end

const hf_loop_place *hf_loops_worst(const hf_sim *sim, double *opening)
{
    const hf_model *model = sim->model;
    const hf_loop_place *worst = &model->loops[0];
    *opening = -1.0;
    for (int i = 0; i < model->loop_count; ++i) {
        const hf_loop_place *loop = &model->loops[i];
        const hf_cluster *cluster = &model->clusters[loop->cluster];
        const double *phi = hf_cluster_state_of(sim, cluster)->phi + loop->row - cluster->row;
        for (int k = 0; k < loop->rows; ++k) {
            if (!(fabs(phi[k]) <= *opening)) {
                *opening = fabs(phi[k]);
                worst = loop;
            }
        }
    }
    return worst;
}

// Of the state that was closed: phi is there, unless what is held was put back since.
static void note_openings(hf_sim *sim, const double *x)
{
    hf_sim_stats *stats = &sim->core->stats;
    for (int i = 0; i < sim->model->cluster_count && sim->loops->hold_count > 0; ++i) {
        (void)hf_cluster_openings(sim, &sim->model->clusters[i], x);
    }
    for (int i = 0; i < sim->model->loop_count; ++i) {
        const hf_loop_place *loop = &sim->model->loops[i];
        const hf_cluster *cluster = &sim->model->clusters[loop->cluster];
        double error, angle;
        hf_loop_sizes(loop, hf_cluster_state_of(sim, cluster)->phi + loop->row - cluster->row,
                      &error, &angle);
        stats->largest_opening = fmax(stats->largest_opening, error);
        stats->largest_opening_angle = fmax(stats->largest_opening_angle, angle);
    }
}

static hf_status fail_open(const hf_sim *sim, double t, hf_error *error)
{
    double opening;
    const hf_loop_place *loop = hf_loops_worst(sim, &opening);
    return hf_error_at(error, HF_ERROR_CONVERGENCE, hf_at_time(t, NULL, loop->name),
                       "loop '%s' cannot be closed, %.3g m (or rad) remain: the step is too large, "
                       "or the machine is where its loops jam",
                       loop->name, opening);
}

static double mechanical(hf_sim *sim)
{
    hf_energy energy = hf_sim_energy(sim);
    return energy.kinetic + energy.potential + energy.stored;
}

hf_status hf_sim_close_again(hf_sim *sim, hf_error *error)
{
    double before = mechanical(sim);
    if (!hf_loops_close(sim, sim->x, false)) {
        return fail_open(sim, sim->core->time, error);
    }
    sim->fresh = false;
    sim->core->opened = false;
    sim->core->start_energy += mechanical(sim) - before;
    return HF_OK;
}

hf_status hf_loops_commit(hf_sim *sim, double end, hf_error *error)
{
    // Matrices of the beginning of a step are a matter of that step alone where it prepares them
    bool near = hf_method_info_get(sim->core->method.type)->prepares_loops;
    if (!close_all(sim, sim->stage, true, near)) {
        return fail_open(sim, end, error);
    }
    note_openings(sim, sim->stage);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Driven bodies whose motion jumps

// How fast the ends of a cluster's loops part in sim->x, by the fastest of its velocities.
static double parting_of(hf_sim *sim, const hf_cluster *cluster)
{
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    double *v = sim->loops->local[0], parting = 0.0, fastest = 0.0;
    hf_cluster_velocities(sim, cluster, sim->x, v);
    for (int k = 0; k < cluster->columns; ++k) {
        fastest = fmax(fastest, fabs(v[k]));
    }
    for (int r = 0; r < cluster->rows; ++r) {
        const double *row = state->jacobian + r * cluster->columns;
        double size = 0.0;
        for (int k = 0; k < cluster->columns; ++k) {
            size = fmax(size, fabs(row[k]));
        }
        if (size > 0.0 && state->scale[r] > 0.0) {
            parting = fmax(parting, fabs(product(row, v, cluster->columns)) / size);
        }
    }
    return fastest > 0.0 ? parting / fastest : 0.0;
}

static hf_status fail_jump(const hf_sim *sim, const hf_cluster *cluster, hf_error *error)
{
    double opening;
    const hf_loop_place *loop = hf_loops_worst(sim, &opening);
    const char *driven =
        sim->model->body_names[sim->model->cluster_drivers[cluster->first_driver].body];
    return hf_error_at(error, HF_ERROR_INPUT, hf_at_time(sim->core->time, "loop", loop->name),
                       "torn open by %.3g m (or rad): the position of '%s' jumps; "
                       "drive it by a signal without jumps, or by its velocity",
                       opening, driven);
}

// Whether driven motion at the present time, in sim->x, strikes what loops hold to it.
static hf_status look_for_strike(hf_sim *sim, bool *strikes, hf_error *error)
{
    const hf_model *model = sim->model;
    *strikes = false;
    for (int i = 0; i < model->cluster_count; ++i) {
        const hf_cluster *cluster = &model->clusters[i];
        if (cluster->driver_count == 0) {
            continue;
        }
        double opening = hf_cluster_openings(sim, cluster, sim->x);
        if (!(opening <= JUMP * fmax(1.0, reach_of(sim, cluster, sim->x)))) {
            return fail_jump(sim, cluster, error);
        }
        hf_cluster_prepare(sim, cluster, sim->x, true);
        *strikes = *strikes || parting_of(sim, cluster) > STRIKES;
    }
    return HF_OK;
}

hf_status hf_loops_meet(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    bool strikes;
    if (model->cluster_driver_count == 0) {
        return HF_OK;
    }
    hf_sim_prescribe(sim);
    HF_TRY(look_for_strike(sim, &strikes, error));
    if (!strikes) {
        return HF_OK;
    }
    double before = mechanical(sim);
    hf_sim_jolt_begin(sim);
    sim->loops->hold_count = 0;
    for (int i = 0; i < model->cluster_count; ++i) {
        closing c = {.sim = sim, .cluster = &model->clusters[i]};
        if (c.cluster->driver_count > 0) {
            (void)hf_cluster_openings(sim, c.cluster, sim->x); // poses
            close_velocities(&c, sim->x);
        }
    }
    hf_sim_jolt_end(sim);
    sim->x[model->n - 1] += mechanical(sim) - before;
    return HF_OK;
}
