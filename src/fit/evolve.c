// SPDX-License-Identifier: Apache-2.0
// Where first guesses end in different valleys: evolution of a population around the best of them
// (cma.h), on the cost in the present segments. Starts of segments stay as they are; the search
// that follows moves them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/error.h"
#include "fit/cma.h"
#include "fit/fit_data.h"

// Size of the first steps, in u: numbers vary by a half.
static const double FIRST_SIZE = 0.5;

// A generation: every point on every log.
typedef struct generation {
    const hf_fit *fit;
    double *x;     // [point][unknown]: values
    double *costs; // [point][log]; NaN: it does not run
} generation;

static bool simulate_piece(void *context, int worker, long long piece)
{
    (void)worker;
    generation *g = context;
    const hf_fit *fit = g->fit;
    int point = (int)(piece / fit->def.log_count), log = (int)(piece % fit->def.log_count);
    const hf_fit_track *track = &fit->tracks[log];
    size_t states = (size_t)fit->state_count * (size_t)track->segment_count;
    size_t rows = (size_t)track->rows * (size_t)fit->def.match_count;
    double *out = malloc((rows + states + 1) * sizeof *out), *starts = out + rows;
    g->costs[piece] = (double)NAN;
    if (out == NULL) {
        return false;
    }
    hf_error unseen = {0};
    memcpy(starts, track->starts, states * sizeof *starts);
    if (hf_fit_simulate(fit, log, g->x + (size_t)point * (size_t)fit->unknown_count, track->first,
                        track->segment_count, starts, out, &unseen) == HF_OK) {
        g->costs[piece] = hf_fit_track_cost(fit, track, out);
    }
    free(out);
    return true;
}

// Points of the population within bounds, and the values that belong to them.
static void place(const hf_fit *fit, const double *center, double *points, int count, double *x)
{
    int u = fit->unknown_count;
    for (int k = 0; k < count * u; ++k) {
        x[k] = hf_fit_moved(fit, k % u, center[k % u], points[k], &points[k]);
    }
}

// Costs of all points of a generation. False: out of memory.
static bool weigh(hf_fit *fit, generation *g, int count, double *costs)
{
    hf_crew crew = {
        .count = (long long)count * fit->def.log_count, .work = simulate_piece, .context = g};
    bool good = hf_crew_run(&crew, fit->def.threads);
    fit->simulations += crew.count;
    for (int k = 0; k < count; ++k) {
        costs[k] = hf_fit_prior_cost(fit, g->x + k * fit->unknown_count);
        for (int t = 0; t < fit->def.log_count; ++t) {
            costs[k] += g->costs[k * fit->def.log_count + t];
        }
    }
    return good;
}

// One population, until it has shrunk to a point or the evaluations are used up. The best point of
// it is kept in `best` where it costs less than *least.
static hf_status evolve_once(hf_fit *fit, hf_cma *cma, const double *center, int *evaluations,
                             double *best, double *least, hf_error *error)
{
    size_t u = (size_t)fit->unknown_count, logs = (size_t)fit->def.log_count;
    size_t count = (size_t)hf_cma_population(cma);
    double *room = malloc((count * (u + logs + 1) + 1) * sizeof *room), cost = INFINITY;
    if (room == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    generation g = {.fit = fit, .x = room, .costs = room + count * u};
    bool going = true, good = true;
    while (going && good && *evaluations > 0) {
        double *points = hf_cma_ask(cma);
        place(fit, center, points, (int)count, g.x);
        good = weigh(fit, &g, (int)count, g.costs + count * logs);
        going = good && hf_cma_tell(cma, g.costs + count * logs);
        *evaluations -= (int)count;
        // The best so far
        const double *here = hf_cma_best(cma, &cost);
        if (cost < *least) {
            *least = cost;
            memcpy(best, here, u * sizeof *best);
        }
        fit->cost = *least;
        going = hf_fit_tell(fit) && going;
    }
    free(room);
    return good ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

hf_status hf_fit_evolve(hf_fit *fit, int evaluations, hf_error *error)
{
    size_t u = (size_t)fit->unknown_count;
    double *center = calloc(3 * u + 1, sizeof *center), *origin = center + u, *best = origin + u;
    double least = INFINITY;
    if (center == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    memcpy(center, fit->x, u * sizeof *center);
    hf_status status = HF_OK;
    // Populations, each twice as large as the one before: larger ones see past small valleys
    int population = 0;
    unsigned long long seed = fit->def.seed;
    while (status == HF_OK && evaluations > 0 && !fit->stopped) {
        hf_cma *cma = hf_cma_create((int)u, origin, FIRST_SIZE, population, seed++);
        if (cma == NULL) {
            status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
            break;
        }
        status = evolve_once(fit, cma, center, &evaluations, best, &least, error);
        population = 2 * hf_cma_population(cma);
        hf_cma_destroy(cma);
    }
    // The best of all
    for (size_t i = 0; i < u && status == HF_OK && isfinite(least); ++i) {
        double made = 0.0;
        fit->x[i] = hf_fit_moved(fit, (int)i, center[i], best[i], &made);
    }
    free(center);
    return status;
}
