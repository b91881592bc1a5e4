// SPDX-License-Identifier: Apache-2.0
// A start that closes all loops, found from the one that is written.
//
//   positions   of joints that are kept stay; the others move, by Levenberg and Marquardt's method
//               in the metric of the coordinates: dq = -A'(A A' + mu)^-1 phi, A the free columns of
//               J, mu -> 0; at the end Newton's method (of close_loops.c, within the kept ones)
//   velocities  of joints that are kept stay; dv = -A'(A A')^+ J v
//
// Then the rank of all rows is looked at: rows that follow from others here and nearby are
// redundant, and harmless; rows that follow from others here alone are a singular start.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "loops/loops.h"
#include "sim/start.h"
#include "solvers/small/least_norm.h"

// A loop is closed when this is left, which is rounding; kept positions that leave no more than the
// last were written with few digits, and give way [m or rad].
#define ROUNDING      2e-16
#define CLOSED        1e-14
#define NEARLY_CLOSED 1e-6
// Ends that part at less than this share of the fastest velocity do so by rounding.
#define PARTING 1e-9
enum { MOST_ITERATIONS = 400 };
// Levenberg and Marquardt's mu: at first, at least and at most; at least again after a step that
// was too long. Below the last one, with openings below NEAR, the step is Newton's own [of W].
#define MU_FIRST  1e-3
#define MU_LEAST  1e-12
#define MU_MOST   1e6
#define MU_LONGER 1e-9
#define MU_NEWTON 1e-6
#define NEAR      1e-4
// Velocities below this of the random ones that were put in: the loops leave nothing to move.
#define MOVES 1e-6
// Where the search ends at a state that is not closed, it begins again this often, with what is
// free moved by at most so much [rad or m].
enum { MOST_SEARCHES = 12 };
#define SCATTER 1.0
// A row whose part across the rows before it is this much follows from them (its square, as W has).
#define FOLLOWS 1e-12
// The distance that counts as nearby, in the metric of the coordinates, as a part of min(1,
// distance from origin).
#define NEARBY 1e-3
enum { PROBES = 3 };

typedef struct starter {
    hf_model *model;
    const hf_spec *spec;
    hf_sim *sim;
    const hf_cluster *cluster;
    bool *kept;                     // [columns]
    double *a, *b, *right, *step;   // [rows x columns], [rows x rows], [rows], [columns]
    double *trial, *written, *best; // states
    double *work, *sequence;        // of least_norm, [rows x rows]
} starter;

static hf_cluster_state *state_of(const starter *s)
{
    return hf_cluster_state_of(s->sim, s->cluster);
}

// ------------------------------------------------------------------------------------------------
// Newton's method over the free columns

static void mark_kept(starter *s, bool velocities, bool any)
{
    const hf_model *model = s->model;
    memset(s->kept, 0, (size_t)s->cluster->columns * sizeof *s->kept);
    for (int k = s->cluster->free_columns; k < s->cluster->columns; ++k) {
        s->kept[k] = true;
    }
    for (int i = 0; i < model->body_count && any; ++i) {
        const hf_body_place *place = &model->bodies[i];
        const hf_joint_def *joint = hf_spec_joint(&s->spec->bodies[i]);
        if (joint == NULL || !(velocities ? joint->keep_velocity : joint->keep_position)) {
            continue;
        }
        for (int u = 0; u < s->cluster->mover_count; ++u) {
            const hf_cluster_mover *mover = &model->cluster_movers[s->cluster->first_mover + u];
            if (place->v >= mover->v && place->v < mover->v + mover->nv) {
                memset(s->kept + mover->column + place->v - mover->v, 1,
                       (size_t)place->nv * sizeof *s->kept);
            }
        }
    }
}

// A = the free columns of J, B = A A' + mu.
static void fill_free(const starter *s, double mu)
{
    int rows = s->cluster->rows, columns = s->cluster->columns;
    const double *jacobian = state_of(s)->jacobian;
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < columns; ++k) {
            s->a[r * columns + k] = s->kept[k] ? 0.0 : jacobian[r * columns + k];
        }
    }
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < rows; ++j) {
            double sum = i == j ? mu : 0.0;
            for (int k = 0; k < columns; ++k) {
                sum += s->a[i * columns + k] * s->a[j * columns + k];
            }
            s->b[i * rows + j] = sum;
        }
    }
}

// step = -A' B^+ right
static void solve_free(const starter *s, double mu)
{
    int rows = s->cluster->rows, columns = s->cluster->columns;
    fill_free(s, mu);
    (void)hf_least_norm_solve(rows, s->b, s->right, s->right, s->work);
    for (int k = 0; k < columns; ++k) {
        s->step[k] = 0.0;
        for (int r = 0; r < rows; ++r) {
            s->step[k] -= s->a[r * columns + k] * s->right[r];
        }
    }
}

static double squares_of(const double *phi, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += phi[i] * phi[i];
    }
    return sum;
}

// A number in -1..1 that is always the same (Knuth's generator).
static double scatter_number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

// Moves what is free until the loops are closed, or no nearer state is found. Returns the largest
// opening.
static double close_positions(starter *s, double *x)
{
    const hf_model *model = s->model;
    hf_cluster_state *state = state_of(s);
    int rows = s->cluster->rows;
    size_t row_bytes = (size_t)rows * sizeof *s->right;
    double size = hf_cluster_openings(s->sim, s->cluster, x), mu = MU_FIRST;
    double squares = squares_of(state->phi, rows);
    // A step of Levenberg and Marquardt's method over what is free; plain Newton near the end
    for (int i = 0; i < MOST_ITERATIONS && size > ROUNDING; ++i) {
        (void)hf_cluster_openings(s->sim, s->cluster, x);
        hf_cluster_prepare(s->sim, s->cluster, x, true);
        memcpy(s->right, state->phi, row_bytes);
        solve_free(s, size < NEAR && mu < MU_NEWTON ? 0.0 : mu);
        memcpy(s->trial, x, (size_t)model->n * sizeof *x);
        hf_cluster_move(s->sim, s->cluster, s->step, s->trial);
        double now = hf_cluster_openings(s->sim, s->cluster, s->trial);
        double better = squares_of(state->phi, rows);
        // Taken if it brings the ends nearer; else a shorter one
        if (better < squares) {
            memcpy(x, s->trial, (size_t)model->n * sizeof *x);
            size = now;
            squares = better;
            mu = fmax(0.1 * mu, MU_LEAST);
        } else if (mu > MU_MOST) {
            break;
        } else {
            mu = fmax(4.0 * mu, MU_LONGER);
        }
    }
    return hf_cluster_openings(s->sim, s->cluster, x);
}

static hf_status fail_open(const hf_loop_place *loop, bool kept, double remains, hf_error *error)
{
    if (kept) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at(NULL, loop->name),
                           "loop '%s' cannot be closed with the joint positions that are given: "
                           "%.3g m (or rad) remain; leave one of them open (guess: instead of "
                           "position:)",
                           loop->name, remains);
    }
    return hf_error_at(error, HF_ERROR_INPUT, hf_at(NULL, loop->name),
                       "loop '%s' cannot be closed from the positions given: %.3g m (or rad) "
                       "remain; its bodies do not reach each other, or the guess is too far away",
                       loop->name, remains);
}

// Searches from what is written, then from states around it. Returns the least opening and
// leaves its state in x.
static double search(starter *s, double *x)
{
    const hf_model *model = s->model;
    size_t size = (size_t)(model->nq + model->nv) * sizeof *x;
    unsigned long long seed = 1;
    double best = close_positions(s, x);
    for (int i = 1; i < MOST_SEARCHES && best > NEARLY_CLOSED; ++i) {
        memcpy(s->best, x, size);
        memcpy(x, s->written, size);
        for (int k = 0; k < s->cluster->columns; ++k) {
            double part = SCATTER * i / MOST_SEARCHES;
            s->step[k] = s->kept[k] ? 0.0 : part * scatter_number(&seed);
        }
        hf_cluster_move(s->sim, s->cluster, s->step, x);
        double now = close_positions(s, x);
        if (now < best) {
            best = now;
        } else {
            memcpy(x, s->best, size);
        }
    }
    return hf_cluster_openings(s->sim, s->cluster, x);
}

static hf_status start_positions(starter *s, double *opening, hf_error *error)
{
    const hf_model *model = s->model;
    size_t size = (size_t)(model->nq + model->nv) * sizeof(double);
    double *x = s->sim->x;
    memcpy(s->written, x, size);
    mark_kept(s, false, true);
    double kept = search(s, x);
    if (kept > NEARLY_CLOSED) {
        double remains = 0.0;
        const hf_loop_place *worst = hf_loops_worst(s->sim, &remains);
        memcpy(x, s->written, size);
        mark_kept(s, false, false);
        double free = search(s, x);
        bool possible = free <= NEARLY_CLOSED;
        worst = possible ? worst : hf_loops_worst(s->sim, &remains);
        return fail_open(worst, possible, possible ? kept : free, error);
    }
    *opening = fmax(*opening, kept);
    return HF_OK;
}

// The axes of fixed and prismatic loops may have closed half a turn away.
static hf_status check_turns(const starter *s, hf_error *error)
{
    for (int i = 0; i < s->cluster->loop_count; ++i) {
        const hf_loop_place *loop = &s->model->loops[s->cluster->first_loop + i];
        bool whole = loop->joint.type == HF_LOOP_FIXED || loop->joint.type == HF_LOOP_PRISMATIC;
        hf_mat3 on = hf_m3_mul(&s->sim->poses[loop->on.pose].rotation, &loop->joint.on_turn);
        hf_mat3 to = hf_m3_mul(&s->sim->poses[loop->to.pose].rotation, &loop->joint.to_turn);
        hf_mat3 turn = hf_m3_mul(
            &(hf_mat3){to.xx, to.yx, to.zx, to.xy, to.yy, to.zy, to.xz, to.yz, to.zz}, &on);
        if (whole && !(turn.xx > 0.0 && turn.zz > 0.0)) {
            return hf_error_at(
                error, HF_ERROR_INPUT, hf_at("loop", loop->name),
                "its frames are half a turn apart; turn one of them, or give a better guess");
        }
    }
    return HF_OK;
}

static hf_status start_velocities(starter *s, hf_error *error)
{
    const hf_model *model = s->model;
    hf_cluster_state *state = state_of(s);
    int rows = s->cluster->rows, columns = s->cluster->columns, worst = 0;
    double *x = s->sim->x, fastest = 0.0, parting = 0.0;
    mark_kept(s, true, true);
    hf_cluster_prepare(s->sim, s->cluster, x, false);
    // Twice, for rounding; the third pass only measures how fast the ends part
    for (int pass = 0; pass < 3; ++pass) {
        parting = 0.0;
        hf_cluster_velocities(s->sim, s->cluster, x, s->step);
        for (int r = 0; r < rows; ++r) {
            s->right[r] = 0.0;
            for (int k = 0; k < columns; ++k) {
                s->right[r] += state->jacobian[r * columns + k] * s->step[k];
                fastest = fmax(fastest, fabs(s->step[k]));
            }
            worst = fabs(s->right[r]) > parting ? r : worst;
            parting = fmax(parting, fabs(s->right[r]));
        }
        if (pass == 2) {
            break;
        }
        solve_free(s, 0.0);
        for (int u = 0; u < s->cluster->mover_count; ++u) {
            const hf_cluster_mover *mover = &model->cluster_movers[s->cluster->first_mover + u];
            for (int k = 0; k < mover->nv; ++k) {
                x[model->nq + mover->v + k] += s->step[mover->column + k];
            }
        }
    }
    // The loop of the worst row is named
    int index = s->cluster->first_loop;
    while (index + 1 < s->cluster->first_loop + s->cluster->loop_count &&
           model->loops[index + 1].row - s->cluster->row <= worst) {
        ++index;
    }
    return parting <= PARTING * fmax(1.0, fastest)
               ? HF_OK
               : hf_error_at(error, HF_ERROR_INPUT, hf_at("loop", model->loops[index].name),
                             "the joint velocities that are given part its ends at %.3g m/s (or "
                             "rad/s); give fewer of them",
                             parting);
}

// ------------------------------------------------------------------------------------------------
// Rank

// An entry of the scaled W.
static double scaled_entry(const hf_cluster_state *state, int columns, int i, int j)
{
    double sum = 0.0;
    for (int k = 0; k < columns; ++k) {
        sum += state->jacobian[i * columns + k] * state->response[j * columns + k];
    }
    return sum * state->scale[i] * state->scale[j];
}

// Which rows follow from those before them: Cholesky's factorization of the scaled W, without the
// rows that have nothing of their own. Returns how many.
static int find_redundant(const starter *s, bool *redundant)
{
    const hf_cluster_state *state = state_of(s);
    int rows = s->cluster->rows, columns = s->cluster->columns, count = 0;
    double *l = s->sequence;
    for (int i = 0; i < rows; ++i) {
        double own = scaled_entry(state, columns, i, i);
        for (int j = 0; j < i; ++j) {
            double sum = scaled_entry(state, columns, i, j);
            for (int k = 0; k < j; ++k) {
                sum -= l[i * rows + k] * l[j * rows + k];
            }
            l[i * rows + j] = redundant[j] ? 0.0 : sum / l[j * rows + j];
            own -= l[i * rows + j] * l[i * rows + j];
        }
        redundant[i] = !(own > FOLLOWS);
        l[i * rows + i] = redundant[i] ? 0.0 : sqrt(own);
        count += redundant[i] ? 1 : 0;
    }
    return count;
}

// Rows of one loop and one kind, translations or turns, have one unit, and one scale.
static double largest_of_kind(const starter *s, const double *w, int row)
{
    int rows = s->cluster->rows;
    double largest = 0.0;
    for (int i = 0; i < s->cluster->loop_count; ++i) {
        const hf_loop_place *loop = &s->model->loops[s->cluster->first_loop + i];
        int first = loop->row - s->cluster->row, middle = first + (loop->rows > 3 ? 3 : loop->rows);
        int from = row < middle ? first : middle, to = row < middle ? middle : first + loop->rows;
        for (int k = from; k < to && row >= first && row < first + loop->rows; ++k) {
            largest = fmax(largest, w[k * rows + k]);
        }
    }
    return largest;
}

// The rank of all rows, the largest first. Unlike find_redundant it takes the rows of a loop as
// they are, not each as long as the others: of a planar loop that is turned a little out of the
// world's axes one row is a small part of the other two, and its own part is rounding.
static int find_rank(const starter *s)
{
    const hf_cluster_state *state = state_of(s);
    int rows = s->cluster->rows, columns = s->cluster->columns, rank = 0;
    double *w = s->b, *scale = s->right;
    // W of the cluster, and the scale of each row's kind
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < rows; ++j) {
            bool there = state->scale[i] > 0.0 && state->scale[j] > 0.0; // else rounding alone
            w[i * rows + j] = 0.0;
            for (int k = 0; k < columns && there; ++k) {
                w[i * rows + j] +=
                    state->jacobian[i * columns + k] * state->response[j * columns + k];
            }
        }
    }
    for (int i = 0; i < rows; ++i) {
        double largest = largest_of_kind(s, w, i);
        scale[i] = largest > 0.0 ? 1.0 / largest : 0.0;
    }
    // Elimination with the largest remaining part as pivot
    for (; rank < rows; ++rank) {
        int pivot = 0;
        for (int i = 1; i < rows; ++i) {
            pivot = w[i * rows + i] * scale[i] > w[pivot * rows + pivot] * scale[pivot] ? i : pivot;
        }
        double own = w[pivot * rows + pivot];
        if (!(own * scale[pivot] > FOLLOWS)) {
            break;
        }
        for (int i = 0; i < rows; ++i) {
            double part = i == pivot ? 0.0 : w[i * rows + pivot] / own;
            for (int j = 0; j < rows && i != pivot; ++j) {
                w[i * rows + j] -= j == pivot ? 0.0 : part * w[pivot * rows + j];
            }
        }
        for (int i = 0; i < rows; ++i) {
            w[i * rows + pivot] = w[pivot * rows + i] = 0.0;
        }
    }
    return rank;
}

// A closed state near x, in a random direction that the loops leave. False: none found.
static bool find_nearby(const starter *s, const double *x, unsigned long long *seed)
{
    const hf_model *model = s->model;
    double *v = s->trial + model->nq, largest = 0.0, reach = NEARBY;
    // A random velocity, as far as the loops leave it
    memcpy(s->trial, x, (size_t)model->n * sizeof *x);
    for (int u = 0; u < s->cluster->mover_count; ++u) {
        const hf_cluster_mover *mover = &model->cluster_movers[s->cluster->first_mover + u];
        for (int k = 0; k < mover->nv; ++k) {
            v[mover->v + k] = scatter_number(seed);
        }
    }
    int first = model->cluster_movers[s->cluster->first_mover].mover;
    hf_loops_project(s->sim, x, &first, 1, v, false);
    // As far as the smallest arm allows
    for (int i = 0; i < s->cluster->loop_count; ++i) {
        const hf_loop_joint *joint = &model->loops[s->cluster->first_loop + i].joint;
        double arm = hf_v3_norm(joint->on_point) + hf_v3_norm(joint->to_point);
        reach = arm > 0.0 ? fmin(reach, NEARBY * arm) : reach;
    }
    for (int u = 0; u < s->cluster->mover_count; ++u) {
        const hf_cluster_mover *mover = &model->cluster_movers[s->cluster->first_mover + u];
        for (int k = 0; k < mover->nv; ++k) {
            s->step[mover->column + k] = v[mover->v + k];
            largest = fmax(largest, fabs(v[mover->v + k]));
        }
    }
    // Nothing can move; else go there and close
    if (!(largest > MOVES)) {
        return false;
    }
    for (int k = 0; k < s->cluster->free_columns; ++k) {
        s->step[k] *= reach / largest;
    }
    hf_cluster_move(s->sim, s->cluster, s->step, s->trial);
    return hf_loops_close(s->sim, s->trial, false);
}

static hf_status look_at_rank(starter *s, hf_error *error)
{
    hf_model *model = s->model;
    hf_loop_place *loops = (hf_loop_place *)model->loops;
    bool *here, *there;
    unsigned long long seed = 1;
    HF_ALLOC(here, s->cluster->rows);
    HF_ALLOC(there, s->cluster->rows);
    // Rows that follow from others at the start
    hf_cluster_prepare(s->sim, s->cluster, s->sim->x, false);
    int count = find_redundant(s, here), rank = find_rank(s);
    model->loop_rank += s->cluster->rows - count;
    for (int i = 0; i < s->cluster->loop_count; ++i) {
        hf_loop_place *loop = &loops[s->cluster->first_loop + i];
        for (int k = 0; k < loop->rows; ++k) {
            loop->redundant |= here[loop->row - s->cluster->row + k] ? 1U << k : 0U;
        }
    }
    // Nearby the same rows must follow, or the start is singular
    for (int probe = 0; probe < PROBES && count > 0; ++probe) {
        if (!find_nearby(s, s->sim->x, &seed)) {
            continue;
        }
        hf_cluster_prepare(s->sim, s->cluster, s->trial, false);
        if (find_redundant(s, there) >= count || find_rank(s) <= rank) {
            continue;
        }
        int row = 0;
        while (row + 1 < s->cluster->rows && !(here[row] && !there[row])) {
            ++row;
        }
        int index = s->cluster->first_loop;
        while (index + 1 < s->cluster->first_loop + s->cluster->loop_count &&
               loops[index + 1].row - s->cluster->row <= row) {
            ++index;
        }
        return hf_error_at(
            error, HF_ERROR_INPUT, hf_at("loop", loops[index].name),
            "the start is singular: its row %d follows from the other rows there, though not "
            "nearby, so that the machine could go on in several ways; start elsewhere",
            row - (loops[index].row - s->cluster->row) + 1);
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// All clusters

static hf_status allocate(starter *s, hf_error *error)
{
    hf_model *model = s->model;
    size_t rows = 0, columns = (size_t)model->largest_cluster;
    for (int i = 0; i < model->cluster_count; ++i) {
        rows = (size_t)model->clusters[i].rows > rows ? (size_t)model->clusters[i].rows : rows;
    }
    HF_ALLOC(s->kept, columns);
    HF_ALLOC(s->a, rows * columns);
    HF_ALLOC(s->b, rows * rows);
    HF_ALLOC(s->sequence, rows * rows);
    HF_ALLOC(s->right, rows);
    HF_ALLOC(s->step, columns);
    HF_ALLOC(s->trial, model->n);
    HF_ALLOC(s->written, model->n);
    HF_ALLOC(s->best, model->n);
    HF_ALLOC(s->work, hf_least_norm_work((int)rows));
    return HF_OK;
}

// Without a value the sum of a ratio is what it is at the start, driven bodies as they are at t =
// 0.
static void set_value(const starter *s, hf_loop_place *loop, const double *x)
{
    bool driven = false;
    double sum = 0.0, p[3];
    for (int k = 0; k < loop->term_count && !loop->rates; ++k) {
        driven = driven || loop->terms[k].driver >= 0;
        hf_loop_polynomial(loop->terms[k].p, x[loop->terms[k].q] - loop->terms[k].reference, p);
        sum += p[0];
    }
    if (driven && s->spec->loops[loop->id].from_start) {
        loop->value = sum;
    }
}

static hf_status start(starter *s, hf_error *error)
{
    hf_model *model = s->model;
    hf_loop_place *loops = (hf_loop_place *)model->loops;
    double *x = s->sim->x, opening = 0.0;
    model->written = hf_arena_copy(&model->arena, x + model->nq, (size_t)model->nv, sizeof *x);
    if (model->written == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    // A ratio with a driven body keeps the sum of its own start
    for (int i = 0; i < model->loop_count; ++i) {
        set_value(s, &loops[i], x);
    }
    // Positions that close each cluster
    for (int i = 0; i < model->cluster_count; ++i) {
        s->cluster = &model->clusters[i];
        HF_TRY(start_positions(s, &opening, error));
    }
    // Openings of starts that are written with few digits
    memcpy(s->trial, x, (size_t)model->n * sizeof *x);
    if (opening > CLOSED && !hf_loops_close(s->sim, x, false)) {
        const hf_loop_place *worst = hf_loops_worst(s->sim, &opening);
        return hf_error_at(error, HF_ERROR_INPUT, hf_at(NULL, worst->name),
                           "loop '%s' cannot be closed from the positions given: %.3g m (or rad) "
                           "remain",
                           worst->name, opening);
    }
    memcpy(x + model->nq, s->trial + model->nq, (size_t)model->nv * sizeof *x);
    for (int i = 0; i < model->cluster_count; ++i) {
        s->cluster = &model->clusters[i];
        HF_TRY(check_turns(s, error));
        HF_TRY(start_velocities(s, error));
        HF_TRY(look_at_rank(s, error));
    }
    for (int i = 0; i < model->loop_count; ++i) {
        hf_loop_opening(s->sim, &loops[i], x, &loops[i].start_error, &loops[i].start_angle);
    }
    memcpy((double *)model->initial, x, (size_t)(model->nq + model->nv) * sizeof *x);
    return HF_OK;
}

hf_status hf_start_loops(hf_sim *workspace, hf_model *model, const hf_spec *spec, hf_error *error)
{
    starter s = {.model = model, .spec = spec, .sim = workspace};
    HF_TRY(allocate(&s, error));
    return start(&s, error);
}
