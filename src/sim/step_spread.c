// SPDX-License-Identifier: Apache-2.0
// Restitution where an impact reaches bodies that rest on others (solvers/small/spread.h), of the
// stops of one island in a step: a blow on a row of bodies goes through it from pair to pair.
#include <math.h>
#include <string.h>

#include "sim/step_island.h"
#include "solvers/small/spread.h"

// Stops of an island: those that are hit in the step, or that the blow may reach within it.
typedef struct row_of_stops {
    const hf_sim *sim;
    const hf_island_work *work;
    int count;
    int row[HF_STEP_STOPS], wall[HF_STEP_STOPS]; // -1 low, 1 high
    double impulse[HF_STEP_STOPS];               // of its row
    int movers[HF_STEP_STOPS][2];
} row_of_stops;

// The speed of a stop is -wall times its rate, < 0: it approaches. A push p is the impulse wall p
// of its row.
static double moved(const void *bodies, int i)
{
    const row_of_stops *r = bodies;
    const double *line = r->work->w + (size_t)r->row[i] * (size_t)r->work->rows;
    double sum = 0.0;
    for (int k = 0; k < r->count; ++k) {
        sum -= line[r->row[k]] * r->impulse[k];
    }
    return -r->wall[i] * sum;
}

static void push(void *bodies, int i, double impulse)
{
    row_of_stops *r = bodies;
    r->impulse[i] += r->wall[i] * impulse;
}

static double weight(const void *bodies, int i)
{
    const row_of_stops *r = bodies;
    return r->work->w[(size_t)r->row[i] * (size_t)r->work->rows + (size_t)r->row[i]];
}

static bool grounded(const void *bodies, int i)
{
    const row_of_stops *r = bodies;
    return r->movers[i][0] < 0;
}

// How far a stop is from its nearer limit, and which that is.
static double room_of(const hf_sim *sim, const hf_island_work *work, const hf_force_place *force,
                      int row, double h, int *wall)
{
    const hf_stop_def *stop = force->def;
    double gap = 0.0;
    hf_steps_gap(sim, force, work->start_rate + row, h, &gap);
    *wall = gap - stop->low < stop->high - gap ? -1 : 1;
    return fmin(gap - stop->low, stop->high - gap);
}

static bool is_stop(const hf_sim *sim, const hf_force_place *force)
{
    return force->exact == HF_EXACT_STOP && force->dim == 1 && hf_force_is_on(sim, force) &&
           !(((const hf_stop_def *)force->def)->speed > 0.0);
}

// The fastest approach of a stop that is hit in the step.
static double fastest_blow(const hf_sim *sim, const hf_island *island, const hf_island_work *work,
                           double h)
{
    double fastest = 0.0;
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        int wall, index = sim->model->step_forces[island->first_force + i];
        const hf_force_place *force = &sim->model->forces[index];
        if (is_stop(sim, force)) {
            double room = room_of(sim, work, force, row, h, &wall);
            double approach = wall * work->start_rate[row];
            bool hit = approach > 0.0 && room - h * wall * work->free_rate[row] < 0.0;
            fastest = hit ? fmax(fastest, approach) : fastest;
        }
        row += force->dim;
    }
    return fastest;
}

// The stops that the blow may reach. False: fewer than two, or too many.
static bool list_stops(row_of_stops *r, const hf_island *island, double h, double reach)
{
    const hf_model *model = r->sim->model;
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        int wall, index = model->step_forces[island->first_force + i];
        const hf_force_place *force = &model->forces[index];
        if (is_stop(r->sim, force) && room_of(r->sim, r->work, force, row, h, &wall) <= reach) {
            if (r->count == HF_STEP_STOPS) {
                return false;
            }
            int all[HF_COUPLING_MAX_TERMS] = {-1, -1};
            int movers = hf_force_movers(model, force, all);
            int a = movers > 0 ? all[0] : -1, b = movers > 1 ? all[1] : -1, k = r->count++;
            r->row[k] = row;
            r->wall[k] = wall;
            r->impulse[k] = 0.0;
            r->movers[k][0] = a < b ? a : b;
            r->movers[k][1] = a < b ? b : a;
        }
        row += force->dim;
    }
    return r->count > 1;
}

bool hf_island_spread(const hf_sim *sim, const hf_island *island, const hf_island_work *work,
                      double h, double *parts)
{
    double fastest = fastest_blow(sim, island, work, h), reached = 0.0;
    row_of_stops r = {.sim = sim, .work = work};
    if (!(fastest > 0.0) || work->rows > HF_STEP_ROWS || !list_stops(&r, island, h, h * fastest)) {
        return false;
    }
    // One set; pairs are by their two bodies
    double u[HF_STEP_STOPS], goal[HF_STEP_STOPS], impulses[HF_STEP_STOPS];
    int pair[HF_STEP_STOPS], set[HF_STEP_STOPS] = {0}, struck[HF_STEP_STOPS];
    for (int i = 0; i < r.count; ++i) {
        u[i] = -r.wall[i] * work->start_rate[r.row[i]];
        pair[i] = i;
        for (int k = 0; k < i && pair[i] == i; ++k) {
            bool same = r.movers[i][0] == r.movers[k][0] && r.movers[i][1] == r.movers[k][1];
            pair[i] = same ? k : i;
        }
    }
    hf_spread spread = {.count = r.count,
                        .u = u,
                        .pair = pair,
                        .set = set,
                        .reached = &reached,
                        .goal = goal,
                        .r = impulses,
                        .struck = struck,
                        .fastest = fastest,
                        .bodies = &r,
                        .moved = moved,
                        .push = push,
                        .weight = weight,
                        .grounded = grounded};
    // What they part with, where that is not Newton's rule
    bool found = hf_spread_blows(&spread), changes = false;
    for (int i = 0; i < work->rows; ++i) {
        parts[i] = NAN;
    }
    for (int i = 0; i < r.count && found; ++i) {
        if (hf_spread_changes(&spread, i)) {
            parts[r.row[i]] = r.wall[i] * hf_spread_parts(&spread, i);
            changes = true;
        }
    }
    return changes;
}

void hf_island_part(const hf_stop_def *stop, double parts, const hf_law_in *in, hf_law_out *out)
{
    double v = in->rate[0], gap = in->gap[0], h = in->step;
    double free = v + h * in->applied[0] / in->mass;
    // parts: against the wall's sense, in which the rate is that of coming nearer
    bool low = signbit(parts);
    double limit = low ? stop->low : stop->high, touch = (limit - gap) / h;
    double bounce = -stop->restitution * parts;
    double after = low ? fmax(free, fmax(bounce, touch)) : fmin(free, fmin(bounce, touch));
    out->force[0] = in->mass * (free - after) / h;
    out->regime = after == free ? HF_REGIME_OPEN : HF_REGIME_STICK;
    out->stored = out->normal = 0.0;
    out->dissipated = 0.5 * out->force[0] * (v + after);
}

void hf_island_share_heat(const hf_sim *sim, const hf_island *island, const hf_island_work *work,
                          double *heat)
{
    double sum = 0.0, pushes = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0, row = 0; i < island->force_count; ++i) {
            int index = sim->model->step_forces[island->first_force + i];
            double push = fabs(work->force[row]);
            if (!isnan(work->parts[row]) && pass == 0) {
                sum += heat[index];
                pushes += push;
            } else if (!isnan(work->parts[row]) && pushes > 0.0) {
                heat[index] = sum * (push / pushes);
            }
            row += sim->model->forces[index].dim;
        }
    }
}
