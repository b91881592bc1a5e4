// SPDX-License-Identifier: Apache-2.0
// First guesses: a short search from each, and evolution where they do not agree.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

// Iterations that a first guess gets before the best goes on.
enum { TRIAL_ITERATIONS = 12 };
// First guesses are within this factor of the given one, or within this part of the size.
static const double GUESS_FACTOR = 2.0, GUESS_PART = 0.5;
// Two of them are in the same valley whose costs differ by less than this part; so many must be in
// the best one, or evolution searches.
static const double SAME_VALLEY = 0.02;
enum { LEAST_AGREEING = 2, EVALUATIONS_OF_ONE = 100 };

double hf_fit_random(unsigned long long *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return 2.0 * (double)((*state * 2685821657736338717ull) >> 11) / 9007199254740992.0 - 1.0;
}

const char *hf_fit_way_text(hf_fit_way way)
{
    switch (way) {
    case HF_FIT_GIVEN:
        return "first guess";
    case HF_FIT_AROUND:
        return "around it";
    case HF_FIT_EVOLVED:
        return "evolution";
    }
    return "";
}

bool hf_fit_get_try(const hf_fit *fit, int index, hf_fit_try *out)
{
    bool there = index >= 0 && index < fit->try_count;
    *out = there ? fit->tries[index] : (hf_fit_try){0};
    return there;
}

hf_status hf_fit_note_try(hf_fit *fit, hf_fit_way way, const double *from, const hf_error *failure,
                          hf_error *error)
{
    size_t u = (size_t)fit->unknown_count;
    if (fit->try_count == fit->try_room) {
        int room = 2 * fit->try_room + 8;
        hf_fit_try *more = hf_arena_alloc(&fit->arena, (size_t)room, sizeof *more);
        if (more == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        if (fit->try_count > 0) {
            memcpy(more, fit->tries, (size_t)fit->try_count * sizeof *more);
        }
        fit->tries = more;
        fit->try_room = room;
    }
    double *first = hf_arena_copy(&fit->arena, from, u, sizeof *from);
    double *last = hf_arena_copy(&fit->arena, fit->x, u, sizeof *fit->x);
    if (first == NULL || last == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    hf_fit_try *t = &fit->tries[fit->try_count++];
    *t = (hf_fit_try){
        .way = way, .from = first, .to = last, .cost = failure == NULL ? fit->cost : (double)NAN};
    if (failure != NULL) {
        (void)snprintf(t->text, sizeof t->text, "%.*s", (int)sizeof t->text - 1, failure->text);
    }
    return HF_OK;
}

static void guess(hf_fit *fit, int number, unsigned long long *random)
{
    for (int i = 0; i < fit->unknown_count; ++i) {
        const hf_fit_unknown *u = &fit->unknowns[i];
        double r = hf_fit_random(random), x = u->start;
        if (number > 0) {
            bool scaled = x > 0.0 && fit->parameters[u->parameter].kind == HF_FIT_MODEL;
            x = scaled ? x * exp(r * log(GUESS_FACTOR)) : x + GUESS_PART * r * fit->scales[i];
        }
        fit->x[i] = fmin(fmax(x, u->low), u->high);
    }
}

// A short search from the present values, which is noted.
static hf_status search_from(hf_fit *fit, hf_fit_way way, hf_error *error)
{
    size_t size = ((size_t)fit->unknown_count + 1) * sizeof *fit->x;
    double *from = malloc(size);
    hf_error failure = {0};
    if (from == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    memcpy(from, fit->x, size - sizeof *from);
    hf_status status = hf_fit_cut(fit, fit->def.segments[0], error);
    if (status == HF_OK) {
        hf_status found = hf_fit_search(fit, fit->def.secant, TRIAL_ITERATIONS, &failure);
        status = found == HF_ERROR_MEMORY
                     ? hf_error_set(error, found, "out of memory")
                     : hf_fit_note_try(fit, way, from, found == HF_OK ? NULL : &failure, error);
    }
    free(from);
    return status;
}

int hf_fit_best_try(const hf_fit *fit, int *agree)
{
    int best = -1;
    *agree = 0;
    for (int i = 0; i < fit->try_count; ++i) {
        bool better = best < 0 || fit->tries[i].cost < fit->tries[best].cost;
        best = !isnan(fit->tries[i].cost) && better ? i : best;
    }
    for (int i = 0; i < fit->try_count && best >= 0; ++i) {
        *agree += fit->tries[i].cost <= (1.0 + SAME_VALLEY) * fit->tries[best].cost;
    }
    return best;
}

// The values that a try ended with; those given where there is none.
static void go_to(hf_fit *fit, int index)
{
    for (int i = 0; i < fit->unknown_count; ++i) {
        fit->x[i] = index < 0 ? fit->unknowns[i].start : fit->tries[index].to[i];
    }
}

hf_status hf_fit_guess(hf_fit *fit, hf_error *error)
{
    unsigned long long random = fit->def.seed * 0x9e3779b97f4a7c15ull + 1;
    // From each first guess: a short search
    for (int i = 0; i < fit->def.starts && !fit->stopped; ++i) {
        fit->news.start = i + 1;
        guess(fit, i, &random);
        HF_TRY(search_from(fit, i == 0 ? HF_FIT_GIVEN : HF_FIT_AROUND, error));
    }
    // They do not agree: evolution from the best of them, and a search from there
    int agree = 0, best = hf_fit_best_try(fit, &agree), most = fit->def.evaluations;
    if (agree < LEAST_AGREEING && most >= 0 && !fit->stopped) {
        go_to(fit, best);
        HF_TRY(hf_fit_cut(fit, fit->def.segments[0], error));
        HF_TRY(
            hf_fit_evolve(fit, most > 0 ? most : EVALUATIONS_OF_ONE * fit->unknown_count, error));
        if (!fit->stopped) {
            HF_TRY(search_from(fit, HF_FIT_EVOLVED, error));
        }
        best = hf_fit_best_try(fit, &agree);
    }
    // The best goes on; where none runs the first complaint tells
    if (best < 0) {
        const char *why = fit->try_count > 0 ? fit->tries[0].text : "it was ended";
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "the machine runs from none of %d first guesses: %s", fit->try_count,
                            why);
    }
    fit->tries[best].chosen = true;
    go_to(fit, best);
    return HF_OK;
}
