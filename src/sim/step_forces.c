// SPDX-License-Identifier: Apache-2.0
// Forces that are computed once a step: laws that depend on the mass they act on and on all other
// forces, such as [Kikuuwe2005]'s discontinuous law (14), (17), Karnopp's and Quinn's.
//
// Without them the state x would reach, after a step of h seconds, the coupling velocities
//   rbar = J (v + h v'_free),                                                  [Kikuuwe2005] (17a)
// and with their forces f (in the motion's sense) it reaches
//   r = rbar - h W f,   W = J M^-1 J'.
// A force alone on its mass (W a number) has its law's closed form. Forces that share masses are
// solved one after the other with the others held, until nothing changes: block Gauss-Seidel, which
// converges because W is symmetric and positive semidefinite.
#include <math.h>
#include <string.h>

#include "loops/loops.h"
#include "sim/loads.h"
#include "sim/method_info.h"
#include "sim/sim_data.h"
#include "sim/step_island.h"
#include "solvers/small/least_norm.h"

// Rounds are ended by a change below the rounding of the largest force, or by the limit.
#define CHANGE_SLACK 1e-15
enum { MOST_ROUNDS = 2000, JOIN_ROUNDS = 100 };
// Changes of the last round, by the largest force, above which a step counts as unsolved.
#define UNSOLVED_CHANGE 1e-6
// A force's part of W with a determinant above this part of (its mean)^dim is inverted as it is.
#define REGULAR 1e-6
// A mass is the same in all directions where W differs from that by this part, which is rounding.
#define ROUND_MASS 1e-12
// Rounding of rates along directions that joints and loops hold, in parts of the island's largest.
#define HELD_SLACK 1e-10

static hf_island_work work_of(const hf_sim *sim, const hf_island *island)
{
    size_t rows = (size_t)island->rows;
    double *memory = sim->island;
    return (hf_island_work){.w = memory,
                            .free_rate = memory + rows * rows,
                            .start_rate = memory + rows * rows + rows,
                            .force = memory + rows * rows + 2 * rows,
                            .joint = memory + rows * rows + 3 * rows,
                            .rows = island->rows};
}

void hf_step_forces_clear(hf_sim *sim, int first, int end, double *dw)
{
    for (int i = first; i < end; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        memset(sim->force + force->row, 0, (size_t)force->dim * sizeof *sim->force);
        sim->mode[i] = sim->mode_before[i];
        sim->stored[i] = 0.0;
        sim->normal[i] = 0.0;
        dw[i] = 0.0;
    }
}

static const int *movers_of(const hf_sim *sim, const hf_island *island)
{
    return sim->model->island_movers + island->first_mover;
}

void hf_island_rates(hf_sim *sim, const hf_island *island, const double *q, const double *v,
                     double *out)
{
    hf_motion motion = {.q = q, .v = v, .poses = sim->poses, .gap = sim->gap, .rate = sim->rate};
    hf_movers_pose(sim, movers_of(sim, island), island->mover_count, q, v);
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        const hf_force_place *force = hf_island_force(sim, island, i);
        hf_force_psi(force, &motion);
        memcpy(out + row, sim->rate + force->row, (size_t)force->dim * sizeof *out);
        row += force->dim;
    }
}

// M^-1 J' f of the forces now in sim->force: accelerations along -f, in sim->response. They are
// there to stay, and so are the loops' forces that go with them.
static void respond(hf_sim *sim, const hf_island *island, const double *x)
{
    const int *movers = movers_of(sim, island);
    hf_movers_clear(sim, movers, island->mover_count);
    for (int i = 0; i < island->force_count; ++i) {
        hf_force_apply(sim, x, hf_island_force(sim, island, i));
    }
    hf_movers_respond(sim, movers, island->mover_count, x, true, sim->response);
}

static void set_forces(hf_sim *sim, const hf_island *island, const double *f)
{
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        const hf_force_place *force = hf_island_force(sim, island, i);
        for (int k = 0; k < force->dim; ++k, ++row) {
            sim->force[force->row + k] = f == NULL ? 0.0 : f[row];
        }
    }
}

// Column by column. Driven bodies move whatever acts on them: their share of J v is subtracted.
static void fill_w(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                   const double *x)
{
    set_forces(sim, island, NULL);
    hf_island_rates(sim, island, x, sim->rest, work->start_rate);
    for (int i = 0, column = 0; i < island->force_count; ++i) {
        const hf_force_place *force = hf_island_force(sim, island, i);
        for (int k = 0; k < force->dim; ++k, ++column) {
            hf_row_answer(sim, movers_of(sim, island), island->mover_count, x, force, k);
            // Phi applies -f: the response to +f has the other sign.
            hf_island_rates(sim, island, x, sim->response, work->free_rate);
            for (int row = 0; row < work->rows; ++row) {
                work->w[row * work->rows + column] = work->start_rate[row] - work->free_rate[row];
            }
        }
    }
}

// A force's own part of W.
static void own_w(const hf_island_work *work, int row, int dim, double *own)
{
    for (int i = 0; i < dim; ++i) {
        for (int k = 0; k < dim; ++k) {
            int upper = i < k ? i : k, right = i < k ? k : i;
            own[i * dim + k] = work->w[(row + upper) * work->rows + row + right];
        }
    }
}

static hf_sym3 symmetric(const double *w, int dim)
{
    hf_sym3 matrix = {.xx = w[0], .yy = 1.0, .zz = 1.0};
    if (dim > 1) {
        matrix.yy = w[dim + 1];
        matrix.xy = w[1];
    }
    if (dim > 2) {
        matrix.zz = w[2 * dim + 2];
        matrix.xz = w[2];
        matrix.yz = w[dim + 2];
    }
    return matrix;
}

// Whether a force's part of W, of mean 1/mass, has an inverse that rounding leaves alone. Where
// joints or loops hold some direction of the force's motion it has none.
static bool is_regular(const hf_sym3 *w, int dim, double mass)
{
    return hf_s3_determinant(w) * pow(mass, dim) > REGULAR;
}

// Coulomb's law in space with a mass that depends on direction. `accelerations` are those without
// the force.
static bool solve_matrix(const hf_island_work *work, const hf_force_place *force, int row,
                         const hf_law_in *in, const double *accelerations, hf_law_out *out)
{
    double w[9], largest = 0.0, velocity[3];
    int dim = force->dim;
    // The body's response along these rows
    own_w(work, row, dim, w);
    hf_sym3 matrix = symmetric(w, dim);
    hf_coulomb state = {.regime = in->regime};
    memcpy(state.velocity, in->rate, (size_t)dim * sizeof(double));
    hf_status status;
    // With a mass matrix the law in space; without one its inverse alone
    if (is_regular(&matrix, dim, in->mass) && !((const hf_coulomb_def *)force->def)->approximate) {
        hf_sym3 m = hf_s3_inverse(&matrix);
        hf_vec3 f = hf_s3_mulv(&m, hf_v3(accelerations[0], accelerations[1], accelerations[2]));
        const double whole[9] = {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz};
        const double flat[4] = {m.xx, m.xy, m.xy, m.yy}, applied[3] = {f.x, f.y, f.z};
        status = hf_coulomb_step_matrix(force->def, &state, dim, dim == 2 ? flat : whole, applied,
                                        in->normal, in->step, out->force);
    } else {
        for (int i = 0; i < work->rows; ++i) {
            largest = fmax(largest, fmax(fabs(work->free_rate[i]), fabs(work->start_rate[i])));
        }
        for (int k = 0; k < dim; ++k) {
            velocity[k] = in->rate[k] + in->step * accelerations[k];
        }
        status = hf_coulomb_step_inverse(force->def, &state, dim, w, velocity, HELD_SLACK * largest,
                                         in->normal, in->step, out->force);
    }
    // Half of the velocities of both ends: the heat of the step
    if (status < 0) {
        return false;
    }
    out->regime = state.regime;
    out->dissipated = 0.0;
    for (int k = 0; k < dim; ++k) {
        out->dissipated += 0.5 * out->force[k] * (in->rate[k] + state.velocity[k]);
    }
    return true;
}

// The force that would stop a force's rows over their accelerations: W^-1 a, of least size where W
// is singular.
static void stopping_force(const hf_island_work *work, int row, int dim,
                           const double *accelerations, double *applied)
{
    double w[9], scratch[27]; // hf_least_norm_work(3)
    own_w(work, row, dim, w);
    (void)hf_least_norm_solve(dim, w, accelerations, applied, scratch);
}

// Accelerations that a force's rows would have without it, the others held. Returns its
// effective mass (the mean over its rows), 0 when there is nothing to move; *round: the mass is the
// same in every direction.
static double free_accelerations(const hf_island_work *work, int row, int dim, double h,
                                 double *accelerations, bool *round)
{
    int n = work->rows;
    double trace = 0.0;
    for (int k = 0; k < dim; ++k) {
        trace += work->w[(row + k) * n + row + k];
    }
    if (!(trace > 0.0)) {
        return 0.0;
    }
    double mass = dim / trace;
    *round = true;
    for (int k = 0; k < dim; ++k) {
        double rate = work->free_rate[row + k];
        for (int j = 0; j < n; ++j) {
            bool own = j >= row && j < row + dim;
            double w = work->w[(row + k) * n + j];
            rate -= own ? 0.0 : h * w * work->force[j];
            if (own && fabs(w - (j == row + k ? 1.0 / mass : 0.0)) > ROUND_MASS / mass) {
                *round = false;
            }
        }
        accelerations[k] = (rate - work->start_rate[row + k]) / h;
    }
    return mass;
}

// Loops and driven bodies move what a force acts on and leave nothing free: no force of a law
// changes that: its effective mass is infinite. 0: it does not move.
static double led_mass(const hf_island_work *work, int row, int dim, double h,
                       double *accelerations)
{
    const double endless = 1e15; // [kg or kg m^2]
    double fastest = 0.0;
    for (int k = 0; k < dim; ++k) {
        double rate = work->free_rate[row + k];
        fastest = fmax(fastest, fmax(fabs(rate), fabs(work->start_rate[row + k])));
        accelerations[k] = (rate - work->start_rate[row + k]) / h;
    }
    return fastest > 0.0 ? endless : 0.0;
}

// One force with the others held. Returns how much it changed.
static double solve_one(hf_sim *sim, const hf_island_work *work, int index, int row, double h,
                        double *dx)
{
    const hf_force_place *force = &sim->model->forces[index];
    double accelerations[HF_LAW_MAX_DIM] = {0.0}, applied[HF_LAW_MAX_DIM] = {0.0};
    double fresh[HF_LAW_MAX_DIM] = {0.0}, gap[HF_LAW_MAX_DIM] = {0.0};
    int dim = force->dim;
    // What it moves: a mass, and accelerations without it
    bool round = true;
    double mass = free_accelerations(work, row, dim, h, accelerations, &round);
    if (mass == 0.0 && sim->model->cluster_driver_count > 0) {
        mass = led_mass(work, row, dim, h, accelerations);
    }
    if (mass == 0.0) {
        return 0.0;
    }
    // What the law sees
    double *dy = dx + sim->model->nq + sim->model->nv;
    hf_steps_gap(sim, force, work->start_rate + row, h, gap);
    hf_law_in in = {.gap = gap,
                    .rate = work->start_rate + row,
                    .y = sim->x + sim->model->nq + sim->model->nv + force->y,
                    .normal = hf_normal_for(sim, force),
                    .tau = h,
                    .regime = hf_island_regime(sim, work, index, row, dim),
                    .mass = mass,
                    .applied = applied,
                    .step = h};
    hf_law_out out = {.force = fresh, .dy = dy + force->y};
    if (!round && force->exact == HF_EXACT_FRICTION) {
        if (!solve_matrix(work, force, row, &in, accelerations, &out)) {
            fresh[0] = NAN; // W left the numbers: the step's end is checked
        }
    } else {
        for (int k = 0; k < dim; ++k) {
            applied[k] = mass * accelerations[k];
        }
        if (!round) {
            stopping_force(work, row, dim, accelerations, applied);
        }
        if (work->parts != NULL && !isnan(work->parts[row])) {
            hf_island_part(force->def, work->parts[row], &in, &out);
        } else {
            force->info->eval(force->def, dim, &in, &out);
        }
        if (!hf_force_is_on(sim, force)) { // an end stop that is not there
            hf_force_silence(force, &out);
        }
    }
    hf_law_result(sim, index, &out, dy + sim->model->ny);
    // How far it is from the last sweep's force
    double change = 0.0;
    for (int k = 0; k < dim; ++k) {
        change = fmax(change, fabs(fresh[k] - work->force[row + k]));
        work->force[row + k] = fresh[k];
        sim->force[force->row + k] = fresh[k]; // it may load another
    }
    return change;
}

// What sticks, all of it at once: W f = what its rates would be without it, over h. Rounds
// approach it slowly where a heavy body lies on a light one. Forces beyond their bound are put back
// by the rounds that follow.
static void join_stuck(hf_sim *sim, const hf_island *island, const hf_island_work *work, double h)
{
    // Rows of what sticks
    int n = work->rows, count = 0, *rows = sim->island_rows;
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        int index = sim->model->step_forces[island->first_force + i];
        const hf_force_place *force = &sim->model->forces[index];
        bool stuck = force->exact == HF_EXACT_FRICTION && sim->mode[index] == 0.0;
        for (int end = row + force->dim; row < end; ++row) {
            if (stuck) {
                rows[count++] = row;
            }
        }
    }
    if (count == 0) {
        return;
    }
    // Their part of W, and rates with the forces of all others
    double *w = work->joint, *rate = w + (size_t)count * (size_t)count, *scratch = rate + count;
    for (int i = 0; i < count; ++i) {
        rate[i] = work->free_rate[rows[i]] / h;
        for (int j = 0, k = 0; j < n; ++j) {
            double entry = work->w[rows[i] * n + j];
            if (k < count && rows[k] == j) {
                w[i * count + k++] = entry;
            } else {
                rate[i] -= entry * work->force[j];
            }
        }
    }
    (void)hf_least_norm_solve(count, w, rate, rate, scratch);
    for (int i = 0; i < count; ++i) {
        work->force[rows[i]] = rate[i];
    }
}

// False: forces still change after the last round.
static bool solve_rounds(hf_sim *sim, const hf_island *island, const hf_island_work *work, double h,
                         double *dx)
{
    double change = 0.0, largest = 0.0;
    memset(work->force, 0, (size_t)work->rows * sizeof *work->force);
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        if (round > 0 && round % JOIN_ROUNDS == 0) {
            join_stuck(sim, island, work, h);
        }
        change = largest = 0.0;
        for (int i = 0, row = 0; i < island->force_count; ++i) {
            int index = sim->model->step_forces[island->first_force + i];
            change = fmax(change, solve_one(sim, work, index, row, h, dx));
            row += sim->model->forces[index].dim;
        }
        for (int i = 0; i < work->rows; ++i) {
            largest = fmax(largest, fabs(work->force[i]));
        }
        if (island->force_count == 1 || !(change > CHANGE_SLACK * largest)) {
            return true;
        }
    }
    return !(change > UNSOLVED_CHANGE * largest);
}

static void solve_island(hf_sim *sim, const hf_island *island, const double *x, double *dx,
                         double h)
{
    const hf_model *model = sim->model;
    const double *q = x, *v = x + model->nq;
    double *dv = dx + model->nq;
    hf_island_work work = work_of(sim, island);
    fill_w(sim, island, &work, x);
    // Velocities without these forces: v + h v' for the movers, those of the end for driven bodies.
    memcpy(sim->response, v, (size_t)model->nv * sizeof *v);
    for (int i = 0; i < model->nv; ++i) {
        sim->response[i] += h * dv[i];
    }
    for (int i = 0; i < model->drive_count && hf_steps_look_ahead(sim); ++i) {
        int k = model->drives[i].v;
        sim->response[k] = sim->ahead[model->nq + k];
    }
    hf_island_rates(sim, island, q, sim->response, work.free_rate);
    hf_island_rates(sim, island, q, v, work.start_rate);
    // Forces, until regimes agree with them
    bool solved = true;
    double parts[HF_STEP_ROWS];
    work.parts = hf_island_spread(sim, island, &work, h, parts) ? parts : NULL;
    do {
        solved = solve_rounds(sim, island, &work, h, dx);
        hf_island_call_rest_stick(sim, island, &work, h);
    } while (hf_island_let_go(sim, island, &work, h) ||
             hf_island_turn_round(sim, island, &work, h));
    if (!solved) {
        sim->core->stats.unsolved_steps += 1;
        sim->core->stats.worst_residual =
            fmax(sim->core->stats.worst_residual, hf_island_left_over(sim, island, &work, h));
    }
    hf_island_note_slip(sim, island, &work, h);
    if (work.parts != NULL) {
        hf_island_share_heat(sim, island, &work, dx + model->n - model->nw);
    }
    set_forces(sim, island, work.force);
    respond(sim, island, x);
    for (int i = 0; i < island->mover_count; ++i) {
        const hf_mover *mover = &model->movers[model->island_movers[island->first_mover + i]];
        for (int k = mover->v; k < mover->v + mover->nv; ++k) {
            dv[k] += sim->response[k];
        }
    }
    dx[model->n - 1] += model->cluster_driver_count > 0 ? sim->loops->power : 0.0;
    dx[model->n - 1] += hf_island_driven_power(sim, island, &work, x, dx + model->n - model->nw);
}

void hf_step_forces_solve(hf_sim *sim, const double *x, double *dx, double h)
{
    const hf_model *model = sim->model;
    bool loaded = sim->loads != NULL && model->loads_in_steps, again = false;
    hf_steps_find_ahead(sim, x + model->nq, h);
    sim->overruns = hf_steps_overrun(sim, h);
    do {
        if (again) {
            hf_sim_eval_again(sim, h, (double *)x, dx);
        }
        for (int i = 0; i < model->island_count; ++i) {
            solve_island(sim, &model->islands[i], x, dx, h);
        }
        again = loaded && !hf_loads_next(sim, x, dx, NULL);
    } while (again);
    if (model->island_count > 0) {
        hf_update_poses(sim, x, x + model->nq);
    }
}

void hf_step_forces_solve_instant(hf_sim *sim, const double *x, double *dx)
{
    const hf_model *model = sim->model;
    bool some = false;
    for (int i = 0; i < model->island_count; ++i) {
        if (hf_island_force(sim, &model->islands[i], 0)->exact == HF_EXACT_NONE) {
            solve_island(sim, &model->islands[i], x, dx, 1.0);
            some = true;
        }
    }
    if (some) {
        hf_update_poses(sim, x, x + model->nq);
    }
}

// Whether a force sticks whose rates are sums of velocities, so that it can stop these.
static bool is_stuck(const hf_sim *sim, int index)
{
    const hf_force_place *force = &sim->model->forces[index];
    return force->exact == HF_EXACT_FRICTION && force->ops->terms != NULL &&
           sim->mode[index] == 0.0;
}

// A friction at its own bound between bodies that others have stopped: it does not move either.
static void call_stopped_stuck(const hf_sim *sim, int index, const double *v)
{
    const hf_force_place *force = &sim->model->forces[index];
    bool rests = force->exact == HF_EXACT_FRICTION && force->ops->terms != NULL &&
                 hf_mode_regime(sim->mode[index]) == HF_REGIME_SLIP;
    for (int row = 0; row < force->dim && rests; ++row) {
        hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
        int count = force->ops->terms(force->item, row, terms);
        double rate = 0.0;
        for (int k = 0; k < count; ++k) {
            rate += terms[k].factor * v[terms[k].v];
        }
        rests = rate == 0.0;
    }
    if (rests) {
        sim->mode[index] = 0.0;
    }
}

void hf_step_forces_stop(const hf_sim *sim, double *x)
{
    const hf_model *model = sim->model;
    hf_stops_begin(sim);
    for (int i = 0; i < model->island_count; ++i) {
        for (int k = 0; k < model->islands[i].force_count; ++k) {
            int index = model->step_forces[model->islands[i].first_force + k];
            if (is_stuck(sim, index)) {
                hf_stops_add(sim, &model->forces[index], x + model->nq);
            }
        }
    }
    hf_stops_end(sim, x + model->nq);
    for (int i = 0; i < model->island_count; ++i) {
        for (int k = 0; k < model->islands[i].force_count; ++k) {
            int index = model->step_forces[model->islands[i].first_force + k];
            call_stopped_stuck(sim, index, x + model->nq);
        }
    }
}

void hf_step_forces_hold(hf_sim *sim)
{
    const hf_model *model = sim->model;
    struct hf_loops_state *loops = sim->loops;
    for (int i = 0; i < model->island_count; ++i) {
        for (int k = 0; k < model->islands[i].force_count; ++k) {
            int index = model->step_forces[model->islands[i].first_force + k];
            const hf_force_place *force = &model->forces[index];
            for (int row = 0; row < force->dim && is_stuck(sim, index); ++row) {
                hf_loop_hold *hold = &loops->holds[loops->hold_count++];
                hold->count = force->ops->terms(force->item, row, hold->terms);
            }
        }
    }
}
