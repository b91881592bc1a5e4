// SPDX-License-Identifier: Apache-2.0
// Measures how well frictions hold: drift while stuck, and how often they chatter.
#include "cli/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/coupling.h>

enum {
    SHORT_SLIP = 20,  // steps of slip in one direction that do not end a hold
    BINS = 1024,      // a hold is kept as means over this many equal times at most
    FEWEST_BINS = 16, // for a line through the second half
    MAX_ROWS = 6
};

// Means of the displacement over equal numbers of steps.
typedef struct history {
    int count;            // full bins
    long long per_bin;    // steps
    long long in_bin;     // steps in the one being filled
    double sum[MAX_ROWS]; // of the one being filled
    double means[BINS][MAX_ROWS];
} history;

typedef struct watched {
    bool friction;
    int rows, force_rows, first_row; // first_row: 1 for contacts, whose normal is no friction
    bool by_gap;                     // displacement from the gap; else from the rate
    hf_channel motion[MAX_ROWS], force[MAX_ROWS], mode;
    // Now
    bool held;
    int slip_steps;
    double last_mode, last_force[MAX_ROWS], last_rate[MAX_ROWS], position[MAX_ROWS];
    double largest;
    long long held_steps, since_turn;
    // The last steps, which belong to the hold only if it goes on
    double ring[SHORT_SLIP + 1][MAX_ROWS];
    int ring_first, ring_count;
    history *past;
    // Results
    long long longest, chatter; // steps
    double drift;
} watched;

struct hf_cli_watch {
    int count;
    double step;
    watched *forces;
    history *histories;
};

// ------------------------------------------------------------------------------------------------
// Histories

static void history_add(history *h, const double *position, int rows)
{
    for (int k = 0; k < rows; ++k) {
        h->sum[k] += position[k];
    }
    if (++h->in_bin < h->per_bin) {
        return;
    }
    if (h->count == BINS) { // two bins become one
        for (int i = 0; i < BINS / 2; ++i) {
            for (int k = 0; k < rows; ++k) {
                h->means[i][k] = 0.5 * (h->means[2 * i][k] + h->means[2 * i + 1][k]);
            }
        }
        h->count = BINS / 2;
        h->per_bin *= 2;
        return; // the bin goes on
    }
    for (int k = 0; k < rows; ++k) {
        h->means[h->count][k] = h->sum[k] / (double)h->in_bin;
        h->sum[k] = 0.0;
    }
    h->count += 1;
    h->in_bin = 0;
}

// Slope of the straight line through the second half, per step.
static double history_slope(const history *h, int rows)
{
    int first = h->count / 2, n = h->count - first;
    double middle = 0.5 * (n - 1), squares = 0.0, sums[MAX_ROWS] = {0.0}, size = 0.0;
    if (h->count < FEWEST_BINS) {
        return (double)NAN;
    }
    for (int i = 0; i < n; ++i) {
        squares += (i - middle) * (i - middle);
        for (int k = 0; k < rows; ++k) {
            sums[k] += (i - middle) * (h->means[first + i][k] - h->means[first][k]);
        }
    }
    for (int k = 0; k < rows; ++k) {
        size = hypot(size, sums[k] / squares);
    }
    return size / (double)h->per_bin;
}

// ------------------------------------------------------------------------------------------------
// One force

static int expand(const hf_model *model, const char *force, const char *quantity,
                  hf_channel channels[MAX_ROWS])
{
    char name[400];
    (void)snprintf(name, sizeof name, "%.300s.%s", force, quantity);
    int count = hf_model_expand_channels(model, name, channels, MAX_ROWS);
    return count < MAX_ROWS ? count : MAX_ROWS;
}

static void look_at(watched *w, const hf_model *model, hf_force force)
{
    hf_force_info info = hf_model_force_info(model, force);
    hf_channel mode[MAX_ROWS];
    const hf_coupling_ops *ops = hf_coupling_ops_of(&info.coupling);
    bool contact = ops->contact;
    w->by_gap = ops->travels;
    w->rows = expand(model, info.name, w->by_gap ? "gap" : "rate", w->motion);
    w->first_row = contact ? 1 : 0;
    w->rows = contact && w->rows > 3 ? 3 : w->rows; // without spins
    w->force_rows = expand(model, info.name, "force", w->force);
    w->friction = info.friction && w->rows > w->first_row && w->force_rows > 0 &&
                  expand(model, info.name, "mode", mode) == 1;
    w->mode = mode[0];
    w->drift = (double)NAN;
    w->since_turn = SHORT_SLIP + 1;
}

static void begin_hold(watched *w)
{
    w->held = true;
    w->held_steps = 0;
    w->ring_count = 0;
    *w->past = (history){.per_bin = 1};
}

static void end_hold(watched *w, double step)
{
    if (w->held && w->held_steps > w->longest) {
        w->longest = w->held_steps;
        w->drift = history_slope(w->past, w->rows - w->first_row) / step;
    }
    w->held = false;
}

static void pass_ring(watched *w, const double *position)
{
    int rows = w->rows - w->first_row;
    if (w->ring_count > SHORT_SLIP) {
        history_add(w->past, w->ring[w->ring_first], rows);
        w->held_steps += 1;
        w->ring_first = (w->ring_first + 1) % (SHORT_SLIP + 1);
        w->ring_count -= 1;
    }
    int place = (w->ring_first + w->ring_count) % (SHORT_SLIP + 1);
    memcpy(w->ring[place], position, (size_t)rows * sizeof *position);
    w->ring_count += 1;
}

static void follow(watched *w, hf_sim *sim, double step)
{
    for (int k = w->first_row, i = 0; k < w->rows; ++k, ++i) {
        double now = hf_sim_value(sim, w->motion[k]);
        w->position[i] = w->by_gap ? now : w->position[i] + 0.5 * step * (now + w->last_rate[i]);
        w->last_rate[i] = now;
    }
}

static void watch_force(watched *w, hf_sim *sim, double step)
{
    double mode = hf_sim_value(sim, w->mode), along = 0.0, jump = 0.0, size = 0.0;
    for (int k = 0; k < w->force_rows; ++k) {
        double f = hf_sim_value(sim, w->force[k]);
        along += f * w->last_force[k];
        jump = hypot(jump, f - w->last_force[k]);
        size = hypot(size, f);
        w->last_force[k] = f;
    }
    w->largest = fmax(w->largest, size);
    follow(w, sim, step);

    // Sliding for good, or held
    bool same = mode == w->last_mode && along >= 0.0;
    w->slip_steps = mode == 0.0 ? 0 : (same ? w->slip_steps + 1 : 1);
    w->last_mode = mode;
    if (mode == 2.0 || w->slip_steps > SHORT_SLIP) {
        end_hold(w, step);
        return;
    }
    if (!w->held) {
        begin_hold(w);
    }
    pass_ring(w, w->position);
    // One turn is a reversal of the motion; more of them, close together, are chatter.
    w->since_turn += 1;
    if (along < 0.0 && jump > 0.5 * w->largest) {
        w->chatter += w->since_turn <= SHORT_SLIP ? 1 : 0;
        w->since_turn = 0;
    }
}

// ------------------------------------------------------------------------------------------------
// All of them

hf_cli_watch *hf_cli_watch_create(hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    hf_cli_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return NULL;
    }
    watch->count = hf_model_get_info(model).forces;
    watch->step = hf_sim_method(sim).step;
    watch->forces = calloc((size_t)watch->count + 1, sizeof *watch->forces);
    int frictions = 0;
    for (int i = 0; watch->forces != NULL && i < watch->count; ++i) {
        look_at(&watch->forces[i], model, (hf_force){i + 1});
        frictions += watch->forces[i].friction ? 1 : 0;
    }
    watch->histories = calloc((size_t)frictions + 1, sizeof *watch->histories);
    if (watch->forces == NULL || watch->histories == NULL) {
        hf_cli_watch_destroy(watch);
        return NULL;
    }
    for (int i = 0, next = 0; i < watch->count; ++i) {
        if (watch->forces[i].friction) {
            watch->forces[i].past = &watch->histories[next++];
            follow(&watch->forces[i], sim, 0.0);
        }
    }
    return watch;
}

void hf_cli_watch_step(hf_cli_watch *watch, hf_sim *sim)
{
    for (int i = 0; i < watch->count; ++i) {
        if (watch->forces[i].friction) {
            watch_force(&watch->forces[i], sim, watch->step);
        }
    }
}

void hf_cli_watch_end(hf_cli_watch *watch)
{
    for (int i = 0; i < watch->count; ++i) {
        watched *w = &watch->forces[i];
        if (!w->friction || !w->held) {
            continue;
        }
        for (; w->ring_count > 0; --w->ring_count) { // the run's end ends no hold
            history_add(w->past, w->ring[w->ring_first], w->rows - w->first_row);
            w->held_steps += 1;
            w->ring_first = (w->ring_first + 1) % (SHORT_SLIP + 1);
        }
        end_hold(w, watch->step);
    }
}

hf_cli_hold hf_cli_watch_hold(const hf_cli_watch *watch, hf_force force)
{
    const watched *w = &watch->forces[force.id - 1];
    return (hf_cli_hold){.friction = w->friction,
                         .drift = w->drift,
                         .held = (double)w->longest * watch->step,
                         .chatter = w->chatter};
}

void hf_cli_watch_destroy(hf_cli_watch *watch)
{
    if (watch != NULL) {
        free(watch->forces);
        free(watch->histories);
        free(watch);
    }
}
