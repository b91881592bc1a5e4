// SPDX-License-Identifier: Apache-2.0
// Normal equations of the unknowns u and of the starts s_k of each segment k:
//
//   | A    B_1  B_2 .. |  | du   |   | g   |      A   = sum over rows of w a a'
//   | B_1' C_1         |  | ds_1 | = | h_1 |      B_k = sum over rows of k of w a b'
//   | B_2'      C_2    |  | ds_2 |   | h_2 |      C_k = sum over rows of k of w b b'
//
// with a, b the derivatives of a residual in u and s_k, w the weight of its loss. Starts are
// eliminated segment by segment (Schur's complement):
//
//   (A - sum B_k C_k^-1 B_k') du = g - sum B_k C_k^-1 h_k,    ds_k = C_k^-1 (h_k - B_k' du)
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"
#include "math/dense.h"

// What a row of zeros gets, over the largest diagonal number, so that the factorization exists.
static const double RIDGE = 1e-12;

double hf_fit_loss_value(const hf_fit *fit, double z)
{
    double d = fit->def.loss_scale, r = z / d;
    switch (fit->def.loss) {
    case HF_FIT_SQUARES:
        break;
    case HF_FIT_SOFT_L1:
        return 2.0 * d * d * (sqrt(1.0 + r * r) - 1.0);
    case HF_FIT_HUBER:
        return fabs(r) <= 1.0 ? z * z : 2.0 * d * fabs(z) - d * d;
    }
    return z * z;
}

double hf_fit_loss_weight(const hf_fit *fit, double z)
{
    double r = fabs(z) / fit->def.loss_scale;
    switch (fit->def.loss) {
    case HF_FIT_SQUARES:
        break;
    case HF_FIT_SOFT_L1:
        return 1.0 / sqrt(1.0 + r * r);
    case HF_FIT_HUBER:
        return r <= 1.0 ? 1.0 : 1.0 / r;
    }
    return 1.0;
}

double hf_fit_track_cost(const hf_fit *fit, const hf_fit_track *track, const double *simulated)
{
    double sum = 0.0;
    for (int s = 0; s < track->segment_count && track->asleep != NULL; ++s) {
        sum += track->asleep[s] ? 0.0 : hf_fit_segment_cost(fit, track, s, simulated);
    }
    for (int m = 0; m < fit->def.match_count && track->asleep == NULL; ++m) {
        for (long long k = 0; k < track->rows; ++k) {
            long long at = m * track->rows + k;
            sum +=
                hf_fit_loss_value(fit, (track->measured[at] - simulated[at]) / fit->deviations[m]);
        }
    }
    return sum;
}

double hf_fit_prior_cost(const hf_fit *fit, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < fit->unknown_count; ++i) {
        const hf_fit_parameter *p = &fit->parameters[fit->unknowns[i].parameter];
        if (p->prior_deviation > 0.0) {
            double z = (x[i] - p->prior) / p->prior_deviation;
            sum += z * z;
        }
    }
    return sum;
}

double hf_fit_cost(const hf_fit *fit, const double *x, bool trial)
{
    double sum = hf_fit_prior_cost(fit, x);
    for (int t = 0; t < fit->def.log_count; ++t) {
        const hf_fit_track *track = &fit->tracks[t];
        sum += hf_fit_track_cost(fit, track, trial ? track->predicted : track->simulated);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// One segment

// Sums over the rows of a segment: all derivatives, unknowns before states. Lower triangle.
typedef struct block {
    int unknowns, states, count; // count: of both
    double *matrix, *descent;    // [count][count], [count]
    double *row;                 // [count]
} block;

static bool block_create(const hf_fit *fit, block *b)
{
    b->unknowns = fit->unknown_count;
    b->states = fit->def.fixed_starts ? 0 : fit->state_count;
    b->count = b->unknowns + b->states;
    size_t n = (size_t)b->count + 1;
    b->matrix = malloc(n * n * sizeof *b->matrix);
    b->descent = malloc(n * sizeof *b->descent);
    b->row = malloc(n * sizeof *b->row);
    return b->matrix != NULL && b->descent != NULL && b->row != NULL;
}

static void block_free(block *b)
{
    free(b->matrix);
    free(b->descent);
    free(b->row);
}

static void add_row(block *b, double z, double weight)
{
    for (int i = 0; i < b->count; ++i) {
        double wi = weight * b->row[i];
        if (wi == 0.0) {
            continue;
        }
        b->descent[i] += wi * z;
        for (int j = 0; j <= i; ++j) {
            b->matrix[i * b->count + j] += wi * b->row[j];
        }
    }
}

static void sum_segment(const hf_fit *fit, const hf_fit_track *track, int segment, block *b)
{
    size_t n = (size_t)b->count;
    memset(b->matrix, 0, n * n * sizeof *b->matrix);
    memset(b->descent, 0, n * sizeof *b->descent);
    for (int m = 0; m < fit->def.match_count; ++m) {
        double inverse = 1.0 / fit->deviations[m];
        for (long long k = track->first[segment]; k < track->first[segment + 1]; ++k) {
            long long at = m * track->rows + k;
            double z = (track->measured[at] - track->simulated[at]) * inverse;
            for (int i = 0; i < b->count; ++i) {
                b->row[i] = track->columns[i] == NULL ? 0.0 : track->columns[i][at] * inverse;
            }
            add_row(b, z, hf_fit_loss_weight(fit, z));
        }
    }
}

// C_k with its damping, factored, out of the block. `room` has states * states numbers.
static void factor_states(const block *b, double damping, double *room)
{
    int s = b->states, u = b->unknowns;
    double largest = 0.0;
    for (int i = 0; i < s; ++i) {
        largest = fmax(largest, b->matrix[(u + i) * b->count + u + i]);
    }
    double ridge = largest > 0.0 ? RIDGE * largest : 1.0;
    for (int i = 0; i < s; ++i) {
        for (int j = 0; j <= i; ++j) {
            room[i * s + j] = room[j * s + i] = b->matrix[(u + i) * b->count + u + j];
        }
        room[i * s + i] += damping * room[i * s + i] + ridge;
    }
    (void)hf_cholesky(room, (size_t)s);
}

// Adds a segment's share to the equations of the unknowns.
static void add_segment(const block *b, double damping, hf_fit_normal *normal, double *room)
{
    int u = b->unknowns, s = b->states;
    double *factor = room, *column = room + s * s, *solved = column + s;
    factor_states(b, damping, factor);
    for (int i = 0; i < u; ++i) {
        // C_k^-1 B_k' e_i
        for (int k = 0; k < s; ++k) {
            column[k] = b->matrix[(u + k) * b->count + i];
        }
        memcpy(solved, column, (size_t)s * sizeof *solved);
        hf_cholesky_solve(factor, (size_t)s, solved, 1);
        normal->descent[i] += b->descent[i];
        for (int k = 0; k < s; ++k) {
            normal->descent[i] -= solved[k] * b->descent[u + k];
        }
        for (int j = 0; j <= i; ++j) {
            double sum = b->matrix[i * b->count + j];
            for (int k = 0; k < s; ++k) {
                sum -= solved[k] * b->matrix[(u + k) * b->count + j];
            }
            normal->matrix[i * u + j] += sum;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// All of them

static double *new_room(const block *b)
{
    size_t s = (size_t)b->states;
    return malloc((s * s + 2 * s + 1) * sizeof(double));
}

static void add_priors(const hf_fit *fit, hf_fit_normal *normal)
{
    for (int i = 0; i < fit->unknown_count; ++i) {
        const hf_fit_parameter *p = &fit->parameters[fit->unknowns[i].parameter];
        if (p->prior_deviation > 0.0) {
            double slope = (p->logarithmic ? fit->x[i] : fit->scales[i]) / p->prior_deviation;
            normal->matrix[i * fit->unknown_count + i] += slope * slope;
            normal->descent[i] -= slope * (fit->x[i] - p->prior) / p->prior_deviation;
        }
    }
}

hf_status hf_fit_normal_build(const hf_fit *fit, double damping, hf_fit_normal *normal,
                              hf_error *error)
{
    block b = {0};
    size_t u = (size_t)fit->unknown_count;
    double *room = NULL;
    if (!block_create(fit, &b) || (room = new_room(&b)) == NULL) {
        block_free(&b);
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    // Sums over all segments that are awake, and the priors
    memset(normal->matrix, 0, u * u * sizeof *normal->matrix);
    memset(normal->descent, 0, u * sizeof *normal->descent);
    for (int t = 0; t < fit->def.log_count; ++t) {
        for (int s = 0; s < fit->tracks[t].segment_count; ++s) {
            if (fit->tracks[t].asleep != NULL && fit->tracks[t].asleep[s]) {
                continue;
            }
            sum_segment(fit, &fit->tracks[t], s, &b);
            add_segment(&b, damping, normal, room);
        }
    }
    add_priors(fit, normal);
    // The other triangle, and the damping
    for (size_t i = 0; i < u; ++i) {
        for (size_t j = 0; j < i; ++j) {
            normal->matrix[j * u + i] = normal->matrix[i * u + j];
        }
        normal->matrix[i * u + i] *= 1.0 + damping;
    }
    block_free(&b);
    free(room);
    return HF_OK;
}

hf_status hf_fit_normal_segment(const hf_fit *fit, const hf_fit_track *track, int segment,
                                hf_fit_normal *normal, hf_error *error)
{
    block b = {0};
    size_t u = (size_t)fit->unknown_count;
    double *room = NULL;
    bool good = block_create(fit, &b) && (room = new_room(&b)) != NULL;
    if (good) {
        memset(normal->matrix, 0, u * u * sizeof *normal->matrix);
        memset(normal->descent, 0, u * sizeof *normal->descent);
        sum_segment(fit, track, segment, &b);
        add_segment(&b, 0.0, normal, room);
    }
    for (size_t i = 0; i < u * u && good; ++i) {
        normal->matrix[i] = i / u < i % u ? normal->matrix[i % u * u + i / u] : normal->matrix[i];
    }
    block_free(&b);
    free(room);
    return good ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

double hf_fit_segment_cost(const hf_fit *fit, const hf_fit_track *track, int segment,
                           const double *simulated)
{
    double sum = 0.0;
    for (int m = 0; m < fit->def.match_count; ++m) {
        for (long long k = track->first[segment]; k < track->first[segment + 1]; ++k) {
            long long at = m * track->rows + k;
            sum +=
                hf_fit_loss_value(fit, (track->measured[at] - simulated[at]) / fit->deviations[m]);
        }
    }
    return sum;
}

bool hf_fit_segment_step(const hf_fit *fit, const hf_fit_track *track, int segment, double damping,
                         double *step)
{
    block b = {0};
    double *room = NULL;
    bool good = block_create(fit, &b) && (room = new_room(&b)) != NULL;
    if (good) {
        // Unknowns do not move: their columns may not even be there
        sum_segment(fit, track, segment, &b);
        factor_states(&b, damping, room);
        memcpy(step, b.descent + b.unknowns, (size_t)b.states * sizeof *step);
        hf_cholesky_solve(room, (size_t)b.states, step, 1);
    }
    for (int k = 0; k < b.states && good; ++k) {
        good = isfinite(step[k]);
    }
    block_free(&b);
    free(room);
    return good;
}

hf_status hf_fit_normal_starts(hf_fit *fit, double damping, const double *step, double *promise,
                               hf_error *error)
{
    *promise = 0.0;
    block b = {0};
    double *room = NULL;
    if (!block_create(fit, &b) || (room = new_room(&b)) == NULL) {
        block_free(&b);
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    // The starts that go with this step of the unknowns, segment by segment
    int u = b.unknowns, n = fit->state_count;
    double *factor = room, *solved = room + b.states * b.states;
    for (int t = 0; t < fit->def.log_count; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        memcpy(track->trial, track->starts,
               (size_t)(n * track->segment_count) * sizeof *track->trial);
        for (int s = 0; s < track->segment_count && b.states > 0; ++s) {
            if (track->asleep != NULL && track->asleep[s]) {
                continue;
            }
            sum_segment(fit, track, s, &b);
            factor_states(&b, damping, factor);
            for (int k = 0; k < b.states; ++k) {
                solved[k] = b.descent[u + k];
                for (int i = 0; i < u; ++i) {
                    solved[k] -= b.matrix[(u + k) * b.count + i] * step[i];
                }
            }
            hf_cholesky_solve(factor, (size_t)b.states, solved, 1);
            for (int k = 0; k < n; ++k) {
                *promise += fabs(solved[k] * b.descent[u + k]);
                // At most the size of the state in one step
                double most = fit->states[k].scale;
                track->trial[s * n + k] += fmin(fmax(solved[k], -most), most);
            }
        }
    }
    block_free(&b);
    free(room);
    return HF_OK;
}
