// SPDX-License-Identifier: Apache-2.0
// Loops at one configuration: their matrices, their multipliers, what they leave of a response.
#include "loops/loops.h"

#include <math.h>
#include <string.h>

#include "math/row.h"
#include "solvers/small/least_norm.h"
#include "solvers/small/rows.h"

// A response that the loops reduce below this part is rounding and becomes zero: such a coordinate
// cannot move at all.
#define CANCELLED 1e-12
// From these sizes on, factoring the mass matrix once is cheaper than an elimination for each row.
enum { LARGE_MOVER = 12, MANY_ROWS = 6 };

// ------------------------------------------------------------------------------------------------
// Rows

static void fill_rows(hf_sim *sim, const hf_cluster *cluster, const double *q)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    int columns = cluster->columns;
    memset(state->jacobian, 0, (size_t)cluster->rows * (size_t)columns * sizeof *state->jacobian);
    for (int i = 0; i < cluster->loop_count; ++i) {
        const hf_loop_place *loop = &sim->model->loops[cluster->first_loop + i];
        int row = loop->row - cluster->row;
        hf_loop_jacobian(sim, loop, q, state->jacobian + row * columns, columns, state->phi + row);
    }
}

// ------------------------------------------------------------------------------------------------
// Responses

size_t hf_cluster_mass_size(const hf_model *model, const hf_cluster *cluster,
                            const hf_cluster_mover *mover)
{
    const hf_body_ops *ops = model->movers[mover->mover].ops;
    bool worth = mover->nv >= LARGE_MOVER && cluster->rows >= MANY_ROWS;
    return worth && ops->factor != NULL && ops->half != NULL && ops->unweigh != NULL
               ? ops->factor_size(model->movers[mover->mover].body)
               : 0;
}

// Factors of the masses of large movers: one for all rows, in place of an elimination each.
static void factor_masses(hf_sim *sim, const hf_cluster *cluster, const double *x)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    double *l = state->masses;
    state->factored = true;
    for (int i = 0; i < cluster->mover_count && state->factored; ++i) {
        const hf_cluster_mover *mover = &sim->model->cluster_movers[cluster->first_mover + i];
        const hf_mover *u = &sim->model->movers[mover->mover];
        size_t size = hf_cluster_mass_size(sim->model, cluster, mover);
        state->factored = size == 0 || u->ops->factor(u->body, hf_sim_io(sim, x, sim->rest), l);
        l += size;
    }
}

// The factor of a mover's mass; NULL: there is none.
static const double *mass_of(const hf_sim *sim, const hf_cluster *cluster,
                             const hf_cluster_mover *mover)
{
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    const double *l = state->masses;
    if (!state->factored || hf_cluster_mass_size(sim->model, cluster, mover) == 0) {
        return NULL;
    }
    const hf_cluster_mover *other = &sim->model->cluster_movers[cluster->first_mover];
    for (; other < mover; ++other) {
        l += hf_cluster_mass_size(sim->model, cluster, other);
    }
    return l;
}

static bool goes_together(const hf_sim *sim, const hf_cluster *cluster,
                          const hf_cluster_mover *mover)
{
    return sim->model->movers[mover->mover].ops->answer_rows != NULL &&
           mass_of(sim, cluster, mover) != NULL;
}

// half: [columns] where L^-1 of the force is left, if the mover's mass is factored.
static void respond(hf_sim *sim, const hf_cluster *cluster, const hf_cluster_mover *mover,
                    const double *x, const double *force, double *half, double *out)
{
    const hf_mover *u = &sim->model->movers[mover->mover];
    const double *l = mass_of(sim, cluster, mover);
    if (l != NULL) {
        u->ops->half(u->body, l, force + mover->column, half + mover->column);
        memset(out + mover->column, 0, (size_t)mover->nv * sizeof *out);
        u->ops->unweigh(u->body, l, half + mover->column, out + mover->column);
        return;
    }
    const hf_body_io *io = hf_sim_io(sim, x, sim->rest);
    u->ops->answer(u->body, io, force + mover->column, out + mover->column);
}

void hf_cluster_respond(hf_sim *sim, const hf_cluster *cluster, const hf_cluster_mover *mover,
                        const double *x, const double *force, double *out)
{
    respond(sim, cluster, mover, x, force, sim->loops->halfway, out);
}

// All rows of a mover with a factor, side by side.
static void respond_together(hf_sim *sim, const hf_cluster *cluster, const hf_cluster_mover *mover)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    const hf_mover *u = &sim->model->movers[mover->mover];
    int columns = cluster->columns, lanes = HF_LOOP_LANES(cluster->rows);
    double *y = sim->loops->side_by_side, *x = y + mover->nv * lanes;
    for (int k = 0; k < mover->nv; ++k) {
        const double *from = state->jacobian + mover->column + k;
        int r = 0;
        for (; r < cluster->rows; ++r, from += columns) {
            y[k * lanes + r] = *from;
        }
        for (; r < lanes; ++r) {
            y[k * lanes + r] = 0.0;
        }
    }
    u->ops->answer_rows(u->body, mass_of(sim, cluster, mover), lanes, y, x);
    for (int r = 0; r < cluster->rows; ++r) {
        double *half = state->halves + r * columns + mover->column;
        double *response = state->response + r * columns + mover->column;
        const double *from = y + r, *answer = x + r;
        for (int k = 0; k < mover->nv; ++k, from += lanes, answer += lanes) {
            half[k] = *from;
            response[k] = *answer;
        }
    }
}

static void fill_responses(hf_sim *sim, const hf_cluster *cluster, const double *x)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    int columns = cluster->columns;
    size_t size = (size_t)cluster->rows * (size_t)columns * sizeof *state->response;
    // One that is the whole cluster fills all that there is
    const hf_cluster_mover *first = &sim->model->cluster_movers[cluster->first_mover];
    if (cluster->mover_count == 1 && first->nv == columns && goes_together(sim, cluster, first)) {
        respond_together(sim, cluster, first);
        return;
    }
    memset(state->response, 0, size);
    memset(state->halves, 0, size);
    for (int i = 0; i < cluster->mover_count; ++i) {
        const hf_cluster_mover *mover = &sim->model->cluster_movers[cluster->first_mover + i];
        if (goes_together(sim, cluster, mover)) {
            respond_together(sim, cluster, mover);
        }
    }
    // The others row by row
    for (int i = 0; i < cluster->loop_count; ++i) {
        const hf_loop_place *loop = &sim->model->loops[cluster->first_loop + i];
        int places[HF_LOOP_MAX_TERMS], place_count = hf_loop_places(loop, places);
        for (int r = loop->row - cluster->row; r < loop->row - cluster->row + loop->rows; ++r) {
            const double *force = state->jacobian + r * columns;
            double *out = state->response + r * columns;
            for (int k = 0; k < place_count; ++k) {
                const hf_cluster_mover *mover = &sim->model->cluster_movers[places[k]];
                if (!goes_together(sim, cluster, mover)) {
                    respond(sim, cluster, mover, x, force, state->halves + r * columns, out);
                }
            }
        }
    }
}

static double dot(const double *a, const double *b, int count)
{
    return hf_row_dot(a, b, (size_t)count);
}

// W, scaled to a unit diagonal (scale_rows.c has exceptions), and its factors.
static void factorize(hf_sim *sim, const hf_cluster *cluster)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    int n = cluster->rows, columns = cluster->columns;
    double *w = sim->loops->square;
    for (int i = 0; i < n; ++i) {
        double own = dot(state->jacobian + i * columns, state->response + i * columns, columns);
        state->scale[i] = own > 0.0 ? 1.0 / sqrt(own) : 0.0;
    }
    hf_cluster_scale_rows(sim, cluster);
    for (int i = 0; i < n; ++i) {
        hf_rows_times(state->response, i + 1, (size_t)columns, state->jacobian + i * columns,
                      w + i * n);
        for (int j = 0; j <= i; ++j) {
            w[i * n + j] = w[j * n + i] = state->scale[i] * state->scale[j] * w[i * n + j];
        }
    }
    state->rank = hf_least_norm_factorize(n, w, state->factor);
}

// ------------------------------------------------------------------------------------------------
// Preparation

// moving: how the poses move too.
static void pose_cluster(hf_sim *sim, const hf_cluster *cluster, const double *x, bool moving)
{
    for (int i = 0; i < cluster->mover_count; ++i) {
        int mover = sim->model->cluster_movers[cluster->first_mover + i].mover;
        const hf_mover *u = &sim->model->movers[mover];
        if (!moving && u->ops->place != NULL) {
            u->ops->place(u->body, 1, hf_sim_io(sim, x, x + sim->model->nq));
        } else {
            hf_movers_pose(sim, &mover, 1, x, x + sim->model->nq);
        }
    }
    for (int i = 0; i < cluster->driver_count; ++i) {
        const hf_body_place *body =
            &sim->model->bodies[sim->model->cluster_drivers[cluster->first_driver + i].body];
        body->ops->pose(body->body, 1, hf_sim_io(sim, x, x + sim->model->nq));
    }
}

// Whether the cluster is prepared for the coordinates in x; if not, notes them.
static bool is_there(const hf_sim *sim, const hf_cluster *cluster, const double *x)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    bool same = state->ready;
    double *at = state->at;
    for (int i = 0; i < cluster->mover_count; ++i) {
        const hf_cluster_mover *mover = &sim->model->cluster_movers[cluster->first_mover + i];
        size_t size = (size_t)mover->nq * sizeof *at;
        same = same && memcmp(at, x + mover->q, size) == 0;
        memcpy(at, x + mover->q, size);
        at += mover->nq;
    }
    for (int i = 0; i < cluster->driver_count; ++i) {
        const hf_cluster_driver *driver = &sim->model->cluster_drivers[cluster->first_driver + i];
        size_t size = (size_t)driver->nq * sizeof *at;
        same = same && memcmp(at, x + driver->q, size) == 0;
        memcpy(at, x + driver->q, size);
        at += driver->nq;
    }
    state->ready = true;
    return same;
}

void hf_cluster_prepare(hf_sim *sim, const hf_cluster *cluster, const double *x, bool posed)
{
    if (is_there(sim, cluster, x)) {
        return;
    }
    if (!posed) {
        pose_cluster(sim, cluster, x, true);
    }
    fill_rows(sim, cluster, x);
    factor_masses(sim, cluster, x);
    fill_responses(sim, cluster, x);
    factorize(sim, cluster);
}

const double *hf_loops_mass(const hf_sim *sim, int mover)
{
    const hf_model *model = sim->model;
    int index = model->cluster_count == 0 ? -1 : model->mover_clusters[mover];
    if (index < 0 || !sim->loops->clusters[index].factored) {
        return NULL;
    }
    const hf_cluster *cluster = &model->clusters[index];
    const hf_cluster_mover *member = &model->cluster_movers[cluster->first_mover];
    while (member->mover != mover) {
        ++member;
    }
    return mass_of(sim, cluster, member);
}

void hf_loops_prepare(hf_sim *sim, const double *x)
{
    for (int i = 0; i < sim->model->cluster_count; ++i) {
        hf_cluster_prepare(sim, &sim->model->clusters[i], x, false);
    }
}

void hf_cluster_solve(hf_sim *sim, const hf_cluster *cluster, double *right)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    for (int i = 0; i < cluster->rows; ++i) {
        right[i] *= state->scale[i];
    }
    hf_least_norm_apply(cluster->rows, state->rank, right, right, state->factor);
    for (int i = 0; i < cluster->rows; ++i) {
        right[i] *= state->scale[i];
    }
}

void hf_cluster_pose(hf_sim *sim, const hf_cluster *cluster, const double *x)
{
    pose_cluster(sim, cluster, x, true);
}

double hf_cluster_openings(hf_sim *sim, const hf_cluster *cluster, const double *x)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    double largest = 0.0;
    pose_cluster(sim, cluster, x, false);
    for (int i = 0; i < cluster->loop_count; ++i) {
        const hf_loop_place *loop = &sim->model->loops[cluster->first_loop + i];
        double *phi = state->phi + loop->row - cluster->row;
        hf_loop_phi(sim, loop, x, phi);
        for (int k = 0; k < loop->rows; ++k) {
            largest = fmax(largest, fabs(phi[k]));
        }
    }
    return largest;
}

// ------------------------------------------------------------------------------------------------
// Multipliers

// Responses to the forces of the evaluation; driven bodies have none.
static void gather(const hf_sim *sim, const hf_cluster *cluster, const double *v, double *local)
{
    for (int k = cluster->free_columns; k < cluster->columns; ++k) {
        local[k] = 0.0;
    }
    for (int i = 0; i < cluster->mover_count; ++i) {
        const hf_cluster_mover *mover = &sim->model->cluster_movers[cluster->first_mover + i];
        memcpy(local + mover->column, v + mover->v, (size_t)mover->nv * sizeof *local);
    }
}

static void scatter(const hf_sim *sim, const hf_cluster *cluster, const double *local, double *v)
{
    for (int i = 0; i < cluster->mover_count; ++i) {
        const hf_cluster_mover *mover = &sim->model->cluster_movers[cluster->first_mover + i];
        memcpy(v + mover->v, local + mover->column, (size_t)mover->nv * sizeof *local);
    }
}

void hf_cluster_velocities(const hf_sim *sim, const hf_cluster *cluster, const double *x,
                           double *local)
{
    const hf_model *model = sim->model;
    gather(sim, cluster, x + model->nq, local);
    for (int i = 0; i < cluster->driver_count; ++i) {
        const hf_cluster_driver *driver = &model->cluster_drivers[cluster->first_driver + i];
        memcpy(local + driver->column, x + model->nq + driver->v,
               (size_t)driver->nv * sizeof *local);
    }
}

// What driven bodies put in against multipliers of a cluster's rows: they are pushed with -J'
// lambda.
static double driver_power(const hf_sim *sim, const hf_cluster *cluster, const double *lambda,
                           const double *v)
{
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    double power = 0.0;
    for (int i = 0; i < cluster->driver_count; ++i) {
        const hf_cluster_driver *driver = &sim->model->cluster_drivers[cluster->first_driver + i];
        for (int r = 0; r < cluster->rows; ++r) {
            const double *row = state->jacobian + r * cluster->columns + driver->column;
            for (int k = 0; k < driver->nv; ++k) {
                power += lambda[r] * row[k] * v[driver->v + k];
            }
        }
    }
    return power;
}

// local -= M^-1 J' lambda with W lambda = J local + bias (NULL: zero); `lambda` gets the sum.
// Twice: the second time takes away what rounding left. `sizes` (or NULL) gathers the sizes of what
// is subtracted.
static void hold_rows(hf_sim *sim, const hf_cluster *cluster, const double *bias, double *local,
                      double *lambda, double *sizes)
{
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    int columns = cluster->columns;
    double *right = sim->loops->right;
    for (int pass = 0; pass < 2; ++pass) {
        hf_rows_times(state->jacobian, cluster->rows, (size_t)columns, local, right);
        for (int r = 0; r < cluster->rows; ++r) {
            right[r] = (bias == NULL ? 0.0 : bias[r]) + right[r];
        }
        hf_cluster_solve(sim, cluster, right);
        for (int r = 0; r < cluster->rows; ++r) {
            const double *response = state->response + r * columns;
            lambda[r] += right[r];
            for (int k = 0; k < columns && sizes != NULL; ++k) {
                sizes[k] += fabs(right[r] * response[k]);
            }
            right[r] = -right[r];
        }
        hf_rows_add(state->response, cluster->rows, (size_t)columns, right, local);
    }
}

void hf_loops_bear(hf_sim *sim, int mover, const double *dv)
{
    int index = sim->model->mover_clusters[mover];
    const hf_cluster *cluster = &sim->model->clusters[index];
    const hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    double *local = sim->loops->local[0], *right = sim->loops->right;
    gather(sim, cluster, dv, local);
    hf_rows_times(state->jacobian, cluster->rows, (size_t)cluster->columns, local, right);
    hf_cluster_solve(sim, cluster, right);
    for (int r = 0; r < cluster->rows; ++r) {
        sim->loops->lambda[cluster->row + r] += right[r];
    }
}

void hf_loops_project(hf_sim *sim, const double *x, const int *movers, int mover_count, double *dv,
                      bool keep)
{
    const hf_model *model = sim->model;
    struct hf_loops_state *loops = sim->loops;
    if (model->loop_count == 0) {
        return;
    }
    loops->power = 0.0;
    // Each cluster of these movers once
    for (int i = 0; i < mover_count; ++i) {
        int index = model->mover_clusters[movers[i]];
        bool seen = index < 0;
        for (int j = 0; j < i && !seen; ++j) {
            seen = model->mover_clusters[movers[j]] == index;
        }
        if (seen) {
            continue;
        }
        // The change of its velocities by the loops
        const hf_cluster *cluster = &model->clusters[index];
        double *local = loops->local[0], *sizes = loops->local[1];
        hf_cluster_prepare(sim, cluster, x, false);
        gather(sim, cluster, dv, local);
        for (int k = 0; k < cluster->columns; ++k) {
            sizes[k] = fabs(local[k]);
        }
        memset(loops->part, 0, (size_t)cluster->rows * sizeof *loops->part);
        hold_rows(sim, cluster, NULL, local, loops->part, sizes);
        // A difference that is rounding becomes zero, so that what loops hold does not creep
        for (int k = 0; k < cluster->columns; ++k) {
            local[k] = fabs(local[k]) <= CANCELLED * sizes[k] ? 0.0 : local[k];
        }
        scatter(sim, cluster, local, dv);
        loops->power += driver_power(sim, cluster, loops->part, x + model->nq);
        for (int r = 0; r < cluster->rows && keep; ++r) {
            loops->lambda[cluster->row + r] += loops->part[r];
        }
    }
}

void hf_loops_follow(hf_sim *sim, const double *x, const double *driven, double *v)
{
    const hf_model *model = sim->model;
    struct hf_loops_state *loops = sim->loops;
    for (int i = 0; i < model->cluster_count; ++i) {
        const hf_cluster *cluster = &model->clusters[i];
        if (cluster->driver_count == 0) {
            continue;
        }
        double *local = loops->local[0];
        hf_cluster_prepare(sim, cluster, x, false);
        memset(local, 0, (size_t)cluster->columns * sizeof *local);
        for (int k = 0; k < cluster->driver_count; ++k) {
            const hf_cluster_driver *d = &model->cluster_drivers[cluster->first_driver + k];
            memcpy(local + d->column, driven + d->v, (size_t)d->nv * sizeof *local);
        }
        memset(loops->part, 0, (size_t)cluster->rows * sizeof *loops->part);
        hold_rows(sim, cluster, NULL, local, loops->part, NULL);
        scatter(sim, cluster, local, v);
    }
}

// Accelerations of driven bodies at the time of the evaluation.
static void gather_drives(const hf_sim *sim, const hf_cluster *cluster, double *local)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < cluster->driver_count; ++i) {
        const hf_cluster_driver *driver = &model->cluster_drivers[cluster->first_driver + i];
        for (int k = 0; k < driver->nv; ++k) {
            const hf_drive *drive = &model->drives[model->drive_at[driver->v + k]];
            local[driver->column + k] =
                hf_drive_acceleration(sim, drive, sim->eval_time, (hf_side)sim->signal_side, NULL);
        }
    }
}

// Accelerations of the ends when v' = 0.
static void fill_bias(hf_sim *sim, const hf_cluster *cluster, const double *x, double *bias)
{
    const hf_model *model = sim->model;
    hf_pose_rate *rates = sim->loops->rates;
    for (int i = 0; i < cluster->mover_count; ++i) {
        const hf_mover *mover =
            &model->movers[model->cluster_movers[cluster->first_mover + i].mover];
        if (mover->ops->pose_rates != NULL) {
            mover->ops->pose_rates(mover->body, 1, sim->poses, rates);
        }
    }
    for (int i = 0; i < cluster->driver_count; ++i) {
        const hf_body_place *body =
            &model->bodies[model->cluster_drivers[cluster->first_driver + i].body];
        if (body->pose >= 0 && body->ops->pose_rates != NULL) {
            rates[body->pose] = (hf_pose_rate){0};
            body->ops->pose_rates(body->body, 1, sim->poses, rates);
        }
    }
    for (int i = 0; i < cluster->loop_count; ++i) {
        const hf_loop_place *loop = &model->loops[cluster->first_loop + i];
        hf_loop_bias(sim, loop, x, bias + loop->row - cluster->row);
    }
}

void hf_loops_accelerate(hf_sim *sim, const double *x, double *dv)
{
    const hf_model *model = sim->model;
    struct hf_loops_state *loops = sim->loops;
    memset(loops->lambda, 0, (size_t)model->loop_row_count * sizeof *loops->lambda);
    loops->power = 0.0;
    for (int i = 0; i < model->cluster_count; ++i) {
        const hf_cluster *cluster = &model->clusters[i];
        hf_cluster_prepare(sim, cluster, x, true);
        fill_bias(sim, cluster, x, loops->part);
        gather(sim, cluster, dv, loops->local[0]);
        gather_drives(sim, cluster, loops->local[0]);
        hold_rows(sim, cluster, loops->part, loops->local[0], loops->lambda + cluster->row, NULL);
        scatter(sim, cluster, loops->local[0], dv);
        loops->power += driver_power(sim, cluster, loops->lambda + cluster->row, x + model->nq);
    }
}
