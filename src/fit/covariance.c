// SPDX-License-Identifier: Apache-2.0
// Error bars. With J the derivatives of residuals z over their deviations, starts eliminated:
//
//   white      s^2 H^-1,  H = J'J,  s^2 the mean square of z       true if residuals had no memory
//   sandwich   H^-1 G H^-1,  G = sum over blocks b of g_b g_b',  g_b = H (H - H_b)^-1 J_b' z_b
//
// Blocks are segments, or pieces of them no shorter than twice the residual's correlation time
// where segments are few, or whole logs. Neighbouring blocks of a log count half for each other
// [NeweyWest1987]. freedom.c says how many degrees of freedom that leaves each number. The largest
// of the three intervals is reported.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"
#include "fit/spectrum.h"
#include "math/dense.h"

enum { WANTED_BLOCKS = 20, LEAST_LOGS = 4 };
// Pieces of a segment share its start, which draws residuals at one end against those at the other:
// only pieces so many correlation times long are nearly independent.
static const double LEAST_MEMORIES = 8.0;
// Added to a diagonal, of its largest number: makes what rounding left singular solvable.
static const double STIFFENING = 1e-12;

// ------------------------------------------------------------------------------------------------
// Rows with starts eliminated

// Derivatives of a segment's residuals in the unknowns, minus what its starts take up:
// a - B_k C_k^-1 b.
typedef struct reduced {
    int unknowns, states;
    double *carry; // [states][unknowns]: C_k^-1 B_k'
    double *c;     // [states][states]
    double *row;   // [unknowns + states]
} reduced;

static void load_row(const hf_fit *fit, const hf_fit_track *track, long long at, double inverse,
                     reduced *r)
{
    (void)fit;
    for (int i = 0; i < r->unknowns + r->states; ++i) {
        r->row[i] = track->columns[i] == NULL ? 0.0 : track->columns[i][at] * inverse;
    }
}

static double residual(const hf_fit *fit, const hf_fit_track *track, int match, long long k)
{
    long long at = match * track->rows + k;
    return (track->measured[at] - track->simulated[at]) / fit->deviations[match];
}

static void prepare_segment(const hf_fit *fit, const hf_fit_track *track, int segment, reduced *r)
{
    int u = r->unknowns, s = r->states;
    memset(r->carry, 0, (size_t)(s * u) * sizeof *r->carry);
    memset(r->c, 0, (size_t)(s * s) * sizeof *r->c);
    // Sums of this segment: states by states, and states by unknowns
    for (int m = 0; m < fit->def.match_count; ++m) {
        for (long long k = track->first[segment]; k < track->first[segment + 1]; ++k) {
            double weight = hf_fit_loss_weight(fit, residual(fit, track, m, k));
            load_row(fit, track, m * track->rows + k, 1.0 / fit->deviations[m], r);
            for (int i = 0; i < s; ++i) {
                double wi = weight * r->row[u + i];
                for (int j = 0; j < u; ++j) {
                    r->carry[i * u + j] += wi * r->row[j];
                }
                for (int j = 0; j < s; ++j) {
                    r->c[i * s + j] += wi * r->row[u + j];
                }
            }
        }
    }
    // The states as functions of the unknowns: a little stiffer, so that it can be solved
    double largest = 0.0;
    for (int i = 0; i < s; ++i) {
        largest = fmax(largest, r->c[i * s + i]);
    }
    for (int i = 0; i < s; ++i) {
        r->c[i * s + i] += largest > 0.0 ? STIFFENING * largest : 1.0;
    }
    (void)hf_cholesky(r->c, (size_t)s);
    hf_cholesky_solve(r->c, (size_t)s, r->carry, (size_t)u);
}

static void reduce_row(reduced *r)
{
    for (int i = 0; i < r->states; ++i) {
        double b = r->row[r->unknowns + i];
        for (int j = 0; j < r->unknowns; ++j) {
            r->row[j] -= b * r->carry[i * r->unknowns + j];
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Sums

typedef struct sums {
    int u;
    double *h, *by_blocks, *by_logs; // [u][u]
    double *score, *log;             // [u]: of a block, of a log
    double squares;                  // of z, weighed
    long long rows;
    int blocks;
    double *scores; // [block][u]
    double *parts;  // [block][u][u]: of H
    bool *follows;  // [block]: the block before it is of the same log
} sums;

static void add_product(double *matrix, int u, const double *a, const double *b, double factor)
{
    for (int i = 0; i < u; ++i) {
        for (int j = 0; j < u; ++j) {
            matrix[i * u + j] += factor * a[i] * b[j];
        }
    }
}

// A block is complete.
static void end_block(sums *s, bool has_before)
{
    size_t u = (size_t)s->u, b = (size_t)s->blocks;
    memcpy(s->scores + b * u, s->score, u * sizeof *s->score);
    s->follows[b] = has_before;
    for (int i = 0; i < s->u; ++i) {
        s->log[i] += s->score[i];
    }
    memset(s->score, 0, u * sizeof *s->score);
    s->blocks += 1;
}

// What fills the sandwich: residuals of a block are smaller than errors, by what the block itself
// has drawn the numbers to it. H (H - H_b)^-1 g_b is its score without that, as if it had been left
// out (the jackknife, CR3 of [BellMcCaffrey2002]).
static bool fill_blocks(sums *s)
{
    size_t u = (size_t)s->u;
    double *room = malloc((u * u + 2 * u + 1) * sizeof *room);
    if (room == NULL) {
        return false;
    }
    // Each block's score, and what is left of H without it
    double *rest = room, *left = rest + u * u;
    for (int b = 0; b < s->blocks; ++b) {
        double *score = s->scores + (size_t)b * u;
        for (size_t i = 0; i < u * u; ++i) {
            rest[i] = s->h[i] - s->parts[(size_t)b * u * u + i];
        }
        memcpy(left, score, u * sizeof *left);
        if (hf_cholesky(rest, u)) {
            hf_cholesky_solve(rest, u, left, 1);
            for (size_t i = 0; i < u; ++i) {
                score[i] = 0.0;
                for (size_t j = 0; j < u; ++j) {
                    score[i] += s->h[i * u + j] * left[j];
                }
            }
        }
        // The sum, with half of what neighbours share
        add_product(s->by_blocks, s->u, score, score, 1.0);
        if (s->follows[b]) {
            add_product(s->by_blocks, s->u, score, score - u, HF_FIT_NEIGHBOUR);
            add_product(s->by_blocks, s->u, score - u, score, HF_FIT_NEIGHBOUR);
        }
    }
    free(room);
    return true;
}

static void add_rows(const hf_fit *fit, const hf_fit_track *track, long long begin, long long end,
                     reduced *r, sums *s)
{
    for (int m = 0; m < fit->def.match_count; ++m) {
        for (long long k = begin; k < end; ++k) {
            double z = residual(fit, track, m, k), weight = hf_fit_loss_weight(fit, z);
            load_row(fit, track, m * track->rows + k, 1.0 / fit->deviations[m], r);
            reduce_row(r);
            add_product(s->h, s->u, r->row, r->row, weight);
            add_product(s->parts + (size_t)s->blocks * (size_t)(s->u * s->u), s->u, r->row, r->row,
                        weight);
            for (int i = 0; i < s->u; ++i) {
                s->score[i] += weight * z * r->row[i];
            }
            s->squares += weight * z * z;
            s->rows += 1;
        }
    }
}

static void add_track(const hf_fit *fit, int index, int pieces, reduced *r, sums *s)
{
    const hf_fit_track *track = &fit->tracks[index];
    bool has_before = false;
    memset(s->log, 0, (size_t)s->u * sizeof *s->log);
    for (int k = 0; k < track->segment_count; ++k) {
        long long first = track->first[k], count = track->first[k + 1] - first;
        prepare_segment(fit, track, k, r);
        for (int p = 0; p < pieces; ++p) {
            add_rows(fit, track, first + count * p / pieces, first + count * (p + 1) / pieces, r,
                     s);
            end_block(s, has_before);
            has_before = true;
        }
    }
    add_product(s->by_logs, s->u, s->log, s->log, 1.0);
}

// Into how many pieces segments are cut, so that there are enough blocks but none is too short.
static int pieces_of(const hf_fit *fit, int segments)
{
    double memory = 0.0, span = 0.0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        span += fit->tracks[t].time[fit->tracks[t].rows - 1];
        for (int m = 0; m < fit->def.match_count; ++m) {
            memory = fmax(memory, hf_fit_get_error(fit, t, m, false).correlation_time);
        }
    }
    int wanted = (WANTED_BLOCKS + segments - 1) / segments;
    double most = memory > 0.0 ? span / segments / (LEAST_MEMORIES * memory) : wanted;
    int pieces = most < wanted ? (int)most : wanted;
    return pieces < 1 ? 1 : pieces;
}

// ------------------------------------------------------------------------------------------------
// Covariances

// Standard deviations of the sandwich with the filling `g`, from the inverse of H.
static void sandwich(const double *inverse, const double *g, int u, double *room, double *out)
{
    for (int i = 0; i < u; ++i) {
        for (int j = 0; j < u; ++j) {
            double sum = 0.0;
            for (int k = 0; k < u; ++k) {
                sum += inverse[i * u + k] * g[k * u + j];
            }
            room[i * u + j] = sum;
        }
    }
    for (int i = 0; i < u; ++i) {
        for (int j = 0; j < u; ++j) {
            double sum = 0.0;
            for (int k = 0; k < u; ++k) {
                sum += room[i * u + k] * inverse[k * u + j];
            }
            out[i * u + j] = sum;
        }
    }
}

// Priors are measurements of their own: they add to H, and as much to what fills the sandwich.
static void add_priors(const hf_fit *fit, sums *s)
{
    for (int i = 0; i < s->u; ++i) {
        const hf_fit_parameter *p = &fit->parameters[fit->unknowns[i].parameter];
        if (p->prior_deviation > 0.0) {
            double slope = (p->logarithmic ? fit->x[i] : fit->scales[i]) / p->prior_deviation;
            s->h[i * s->u + i] += slope * slope;
            s->by_blocks[i * s->u + i] += slope * slope;
            s->by_logs[i * s->u + i] += slope * slope;
        }
    }
}

// The largest of the three standard deviations, and of the intervals that belong to them.
static void keep_largest(hf_fit *fit, hf_fit_unknown *unknown, double white_freedom, double freedom)
{
    double logs = isnan(unknown->by_logs) ? 0.0 : unknown->by_logs;
    unknown->error = fmax(fmax(unknown->white, unknown->by_segments), logs);
    unknown->half_width = fmax(hf_fit_student(fmax(white_freedom, 1.0)) * unknown->white,
                               hf_fit_student(fmax(freedom, 1.0)) * unknown->by_segments);
    if (logs > 0.0) {
        double by_logs = hf_fit_student(fit->def.log_count - 1.0) * logs;
        unknown->half_width = fmax(unknown->half_width, by_logs);
    }
}

// Standard deviations of the values, from the three covariances in u. False: out of memory.
static bool keep_errors(hf_fit *fit, const sums *s, const double *inverse, double *room,
                        double *covariance, long long starts)
{
    int u = s->u;
    double freedom = fmax((double)(s->rows - u - starts), 1.0);
    double white = s->squares / freedom;
    bool logs = fit->def.log_count >= LEAST_LOGS;
    double few_logs = logs ? (double)fit->def.log_count / (fit->def.log_count - 1) : 0.0;
    const hf_fit_blocks blocks = {.unknowns = u,
                                  .count = s->blocks,
                                  .h = s->h,
                                  .inverse = inverse,
                                  .parts = s->parts,
                                  .follows = s->follows};
    // By logs, if there are enough
    sandwich(inverse, s->by_logs, u, room, covariance);
    for (int i = 0; i < u; ++i) {
        fit->unknowns[i].by_logs = logs ? sqrt(few_logs * covariance[i * u + i]) : (double)NAN;
    }
    // White, and by blocks
    sandwich(inverse, s->by_blocks, u, room, covariance);
    for (int i = 0; i < u; ++i) {
        hf_fit_unknown *unknown = &fit->unknowns[i];
        bool logarithmic = fit->parameters[unknown->parameter].logarithmic;
        double size = logarithmic ? fit->x[i] : fit->scales[i], own = 0.0, excess = 1.0;
        if (!hf_fit_freedom(&blocks, i, &own, &excess)) {
            return false;
        }
        unknown->white = size * sqrt(white * inverse[i * u + i]);
        unknown->by_segments = size * sqrt(covariance[i * u + i] / excess);
        unknown->by_logs *= size;
        keep_largest(fit, unknown, freedom, own);
    }
    // Correlations of the sandwich, deviations as reported
    for (int i = 0; i < u; ++i) {
        for (int j = 0; j < u; ++j) {
            double scale = sqrt(covariance[i * u + i] * covariance[j * u + j]);
            double correlation = scale > 0.0 ? covariance[i * u + j] / scale : i == j;
            fit->covariance[i * u + j] =
                correlation * fit->unknowns[i].error * fit->unknowns[j].error;
        }
    }
    return true;
}

static bool create(sums *s, reduced *r, const hf_fit *fit, int blocks, double **memory)
{
    size_t u = (size_t)fit->unknown_count;
    size_t n = fit->def.fixed_starts ? 0 : (size_t)fit->state_count;
    size_t all = (size_t)blocks;
    double *at = *memory =
        calloc(5 * u * u + 4 * u + n * u + n * n + n + 1 + all * (u * u + u), sizeof *at);
    bool *follows = calloc(all + 1, sizeof *follows);
    if (at == NULL || follows == NULL) {
        free(follows);
        return false;
    }
    *s = (sums){.u = (int)u,
                .h = at,
                .by_blocks = at + u * u,
                .by_logs = at + 2 * u * u,
                .follows = follows};
    at += 5 * u * u; // two of them are room
    s->score = at;
    s->log = at + u;
    at += 3 * u;
    *r = (reduced){.unknowns = (int)u, .states = (int)n, .row = at, .carry = at + u + n};
    r->c = r->carry + n * u;
    s->scores = r->c + n * n;
    s->parts = s->scores + all * u;
    return true;
}

// What half the step of the method would move the numbers by: H^-1 J' (simulated - simulated with
// half of it). NaN where the machine does not run so.
static void find_shifts(hf_fit *fit, reduced *r, const double *inverse, sums *s)
{
    int u = s->u;
    bool ran = true;
    hf_error unseen = {0};
    memset(s->score, 0, (size_t)u * sizeof *s->score);
    // The scores of what changes
    for (int t = 0; t < fit->def.log_count && ran; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        fit->halved = true;
        ran = hf_fit_simulate(fit, t, fit->x, track->first, track->segment_count, track->starts,
                              track->predicted, &unseen) == HF_OK;
        fit->halved = false;
        for (int k = 0; k < track->segment_count && ran; ++k) {
            prepare_segment(fit, track, k, r);
            for (int m = 0; m < fit->def.match_count; ++m) {
                for (long long row = track->first[k]; row < track->first[k + 1]; ++row) {
                    long long at = m * track->rows + row;
                    double weight = hf_fit_loss_weight(fit, residual(fit, track, m, row));
                    double change =
                        (track->simulated[at] - track->predicted[at]) / fit->deviations[m];
                    load_row(fit, track, at, 1.0 / fit->deviations[m], r);
                    reduce_row(r);
                    for (int i = 0; i < u; ++i) {
                        s->score[i] += weight * change * r->row[i];
                    }
                }
            }
        }
    }
    // The numbers that belong to them
    for (int i = 0; i < u; ++i) {
        bool logarithmic = fit->parameters[fit->unknowns[i].parameter].logarithmic;
        double sum = 0.0;
        for (int j = 0; j < u; ++j) {
            sum += inverse[i * u + j] * s->score[j];
        }
        fit->shifts[i] = ran ? sum * (logarithmic ? fit->x[i] : fit->scales[i]) : (double)NAN;
    }
}

hf_status hf_fit_covariance(hf_fit *fit, hf_error *error)
{
    sums s;
    reduced r;
    double *memory = NULL;
    int u = fit->unknown_count, segments = 0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        segments += fit->tracks[t].segment_count;
    }
    int pieces = pieces_of(fit, segments);
    // Room
    double *inverse = malloc(((size_t)u * (size_t)u + 1) * sizeof *inverse);
    if (inverse == NULL || !create(&s, &r, fit, segments * pieces, &memory)) {
        free(inverse);
        free(memory);
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    // The sums over all logs, by pieces that errors are not correlated beyond
    for (int t = 0; t < fit->def.log_count; ++t) {
        add_track(fit, t, pieces, &r, &s);
    }
    hf_status status =
        fill_blocks(&s) ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    add_priors(fit, &s);
    // Their inverse, and errors of the numbers
    memcpy(fit->normal, s.h, (size_t)u * (size_t)u * sizeof *fit->normal);
    status = status == HF_OK ? hf_spectrum_invert(s.h, u, inverse, &fit->condition, error) : status;
    if (status == HF_OK &&
        !keep_errors(fit, &s, inverse, memory + 3 * u * u, memory + 4 * u * u,
                     fit->def.fixed_starts ? 0 : (long long)segments * fit->state_count)) {
        status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    if (status == HF_OK) {
        fit->blocks = s.blocks;
        find_shifts(fit, &r, inverse, &s);
    }
    free(inverse);
    free(s.follows);
    free(memory);
    return status;
}
