// SPDX-License-Identifier: Apache-2.0
// A machine at rest: a step that repeats the last one is not computed again.
//
// A step is a function of what hf_sim_save saves and of the signals over the step: two sims with
// the same of both go on with the same bits (tested). So when a step has left all of it as it was,
// bit by bit, and nothing of it has changed since, the next step leaves it as it is too. Then only
// what counts steps and seconds goes on. Nothing is assumed about rest: there is no threshold, and
// no state of sleep that could be wrong. Whatever disturbs the machine changes a number that is
// compared: bodies that are set, inputs, signals, driven bodies, samples of controllers. A state
// that is restored, a parameter that is set: core->running is false, and the step is computed.
#include <string.h>

#include "methods/timestep/timestep.h"

// Times at which a step looks at signals: its beginning, (1 - theta) h ahead, its end from both
// sides; value, rate and second derivative at each.
enum { LOOKS = 4, NUMBERS = 3 };

// What the future depends on, but counters, samplers, and reactions (memory.c compares those).
typedef struct stretch {
    const void *from;
    size_t size;
} stretch;

static stretch between(const void *from, const void *to)
{
    return (stretch){from, (size_t)((const char *)to - (const char *)from)};
}

static int list(const hf_sim *sim, stretch parts[3])
{
    parts[0] = between(sim->x, sim->tallies);
    parts[1] = between(sim->references, sim->samplers);
    parts[2] = between(sim->memory, sim->kept);
    return 3;
}

static size_t size_of(const hf_sim *sim)
{
    stretch parts[3];
    size_t size = 0;
    for (int i = list(sim, parts) - 1; i >= 0; --i) {
        size += parts[i].size;
    }
    return size;
}

static bool is_timed(const hf_model_signal *signal)
{
    hf_signal_type type = signal->def.type;
    return type != HF_SIGNAL_CONSTANT && type != HF_SIGNAL_INPUT;
}

hf_status hf_ts_repeat_create(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_ts_repeat *repeat = &hf_timestep_of(sim)->repeat;
    size_t forces = (size_t)model->force_count, signals = (size_t)model->signal_count;
    repeat->possible = sim->loads == NULL;
    for (int i = 0; i < model->signal_count; ++i) {
        const hf_model_signal *signal = &model->signals[i];
        repeat->possible &= signal->def.type != HF_SIGNAL_CHANNELS || signal->timed;
    }
    // One block: numbers of signals, tallies, and all else
    size_t numbers = LOOKS * NUMBERS * signals * sizeof(double);
    size_t tallies = forces * sizeof *repeat->tallies;
    char *block = sim->allocator.allocate(sim->allocator.context, numbers + tallies + size_of(sim));
    if (block == NULL) {
        return HF_ERROR_MEMORY;
    }
    repeat->signals = (double *)(void *)block;
    memset(repeat->signals, 0, numbers);
    repeat->tallies = (hf_force_tally *)(void *)(block + numbers);
    repeat->saved = block + numbers + tallies;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Signals

static void look(const hf_sim *sim, int signal, double t, hf_side side, double numbers[NUMBERS])
{
    numbers[0] = hf_signal_value(sim, signal, t, side);
    numbers[1] = hf_signal_rate(sim, signal, t, side);
    numbers[2] = hf_signal_second(sim, signal, t, side);
}

// Notes what a step to `end` sees of signals. False: it is something else than what was noted.
static bool note_signals(hf_sim *sim, double h, double end)
{
    hf_ts_repeat *repeat = &hf_timestep_of(sim)->repeat;
    double begin = sim->core->time, ahead = begin + (1.0 - sim->core->method.theta) * h;
    bool same = true;
    for (int i = 0; i < sim->model->signal_count; ++i) {
        double now[LOOKS][NUMBERS], *noted = repeat->signals + LOOKS * NUMBERS * i;
        if (!is_timed(&sim->model->signals[i])) {
            continue;
        }
        look(sim, i, begin, HF_SIDE_RIGHT, now[0]);
        look(sim, i, ahead, HF_SIDE_AT, now[1]);
        look(sim, i, end, HF_SIDE_LEFT, now[2]);
        look(sim, i, end, HF_SIDE_RIGHT, now[3]);
        same = same && memcmp(noted, now, sizeof now) == 0;
        memcpy(noted, now, sizeof now);
    }
    return same;
}

// ------------------------------------------------------------------------------------------------
// What is saved

// Two tallies but for the seconds.
static bool same_tally(const hf_force_tally *a, const hf_force_tally *b)
{
    return a->largest_squared == b->largest_squared && a->impact == b->impact &&
           a->work == b->work && a->fallen == b->fallen && a->transitions == b->transitions &&
           a->beyond == b->beyond && a->passes == b->passes && a->pairs == b->pairs &&
           a->touching == b->touching && a->settled == b->settled && a->slid == b->slid &&
           a->jolted == b->jolted && a->turn == b->turn &&
           memcmp(a->slip, b->slip, sizeof a->slip) == 0;
}

static bool is_as_noted(const hf_sim *sim)
{
    const hf_ts_repeat *repeat = &hf_timestep_of(sim)->repeat;
    const char *saved = repeat->saved;
    stretch parts[3];
    for (int i = 0, count = list(sim, parts); i < count; saved += parts[i++].size) {
        if (memcmp(saved, parts[i].from, parts[i].size) != 0) {
            return false;
        }
    }
    for (int i = 0; i < sim->model->force_count; ++i) {
        if (!same_tally(&repeat->tallies[i], &sim->tallies[i])) {
            return false;
        }
    }
    return memcmp(&repeat->method, &sim->core->method, sizeof repeat->method) == 0;
}

static void note(hf_sim *sim)
{
    hf_ts_repeat *repeat = &hf_timestep_of(sim)->repeat;
    char *saved = repeat->saved;
    stretch parts[3];
    for (int i = 0, count = list(sim, parts); i < count; saved += parts[i++].size) {
        memcpy(saved, parts[i].from, parts[i].size);
    }
    memcpy(repeat->tallies, sim->tallies,
           (size_t)sim->model->force_count * sizeof *repeat->tallies);
    memcpy(&repeat->method, &sim->core->method, sizeof repeat->method);
}

bool hf_ts_nothing_moves(const hf_sim *sim)
{
    const double *v = sim->x + sim->model->nq;
    int i = 0;
    while (i < sim->model->nv && v[i] == 0.0) {
        ++i;
    }
    return i == sim->model->nv;
}

// ------------------------------------------------------------------------------------------------
// A step

// The counters of a step that repeats the last one.
static void count(hf_sim *sim, double h, double end)
{
    hf_ts_repeat *repeat = &hf_timestep_of(sim)->repeat;
    hf_sim_core *core = sim->core;
    repeat->taken += 1;
    core->stats.evaluations += repeat->evaluations + (sim->fresh ? 0 : repeat->first_evaluations);
    hf_ts_note(sim);
    hf_sim_note_again(sim);
    if (sim->model->swarm_count > 0) {
        hf_ts_show_pairs(sim);
    }
    for (int i = 0; i < sim->model->force_count; ++i) {
        sim->tallies[i].seconds[hf_mode_regime(sim->mode_before[i])] += h;
    }
    core->time = end;
    core->uncarried = h;
    core->accepted = core->touched = sim->fresh = false;
}

bool hf_ts_repeat_step(hf_sim *sim, double h, double end)
{
    hf_ts_repeat *repeat = &hf_timestep_of(sim)->repeat;
    const hf_sim_core *core = sim->core;
    bool fresh = sim->fresh && sim->fresh_tau == h;
    repeat->watching = repeat->possible && sim->sensitivity == NULL &&
                       hf_timestep_of(sim)->plugged.solve == NULL && hf_ts_nothing_moves(sim);
    if (!repeat->watching) {
        repeat->repeats = false;
        return false;
    }
    // The same beginning: state and signals. Where an evaluation came before the step that was
    // watched, one must have come before this one
    bool sampled_again = core->touched && sim->model->clock_count > 0;
    bool same = repeat->repeats && core->running && h == repeat->step && !sampled_again &&
                (fresh || !repeat->was_fresh) && is_as_noted(sim);
    same = note_signals(sim, h, end) && same;
    if (same) {
        count(sim, h, end);
        return true;
    }
    // Watched, to see whether it leaves all as it is
    note(sim);
    repeat->was_fresh = fresh;
    repeat->step = h;
    repeat->repeats = false;
    repeat->evaluations = core->stats.evaluations;
    return false;
}

void hf_ts_repeat_begun(hf_sim *sim)
{
    hf_ts_repeat *repeat = &hf_timestep_of(sim)->repeat;
    repeat->first_evaluations = sim->core->stats.evaluations - repeat->evaluations;
    repeat->evaluations = sim->core->stats.evaluations;
}

void hf_ts_repeat_done(hf_sim *sim)
{
    hf_ts_repeat *repeat = &hf_timestep_of(sim)->repeat;
    repeat->evaluations = sim->core->stats.evaluations - repeat->evaluations;
    repeat->repeats = repeat->watching && repeat->same_reactions &&
                      hf_timestep_of(sim)->attempt.outcome.solved && is_as_noted(sim);
}
