// SPDX-License-Identifier: Apache-2.0
// Signals that are functions of channels: where they find these, and in which order they follow
// from each other.
#include <string.h>

#include "base/error.h"
#include "compile/channels_asked.h"
#include "compile/model_data.h"

// A hidden signal, FORCE.value, is blamed at the key `value` of its force.
static hf_error_place place_of(const hf_signal_def *def)
{
    const char *dot = strrchr(def->name, '.');
    return hf_at_member("signal", def->name, dot == NULL ? "expression" : dot + 1);
}

// ------------------------------------------------------------------------------------------------
// One channel

static hf_status unknown_channel(const hf_model *model, const hf_signal_def *def, const char *name,
                                 hf_error *error)
{
    hf_channel parts[8];
    int count = hf_model_expand_channels(model, name, parts, 8);
    char nearest[300] = "";
    if (count > 1) {
        hf_model_channel_name(model, parts[0], nearest, sizeof nearest);
        return hf_error_at(error, HF_ERROR_NAME, place_of(def),
                           "'%.100s' stands for %d channels; name one of them, such as '%.100s'",
                           name, count, nearest);
    }
    hf_model_nearest_channel(model, name, nearest, sizeof nearest);
    bool near = nearest[0] != '\0';
    return hf_error_at(error, HF_ERROR_NAME, place_of(def), "unknown channel '%.100s'%s%.100s%s",
                       name, near ? "; did you mean '" : "", nearest,
                       near ? "'?" : "; `holdfast channels MODEL` lists them");
}

// A channel by its whole name, or by the beginning of it where that is one channel alone.
static hf_channel find_channel(const hf_model *model, const char *name)
{
    hf_channel channel = hf_model_find_channel(model, name), only = {0};
    if (channel.id != 0 || hf_model_expand_channels(model, name, &only, 1) != 1) {
        return channel;
    }
    return only;
}

static hf_status body_source(const hf_model *model, const hf_channel_place *channel,
                             hf_signal_source *source)
{
    const hf_body_place *place = &model->bodies[channel->component];
    bool moves = channel->quantity == HF_QUANTITY_VELOCITY ||
                 channel->quantity == HF_QUANTITY_ANGULAR_VELOCITY;
    int shift = channel->quantity == HF_QUANTITY_ORIENTATION        ? place->nq - 4
                : channel->quantity == HF_QUANTITY_ANGULAR_VELOCITY ? place->nv - 3
                                                                    : 0;
    source->kind = moves ? HF_SOURCE_V : HF_SOURCE_Q;
    source->index = (moves ? place->v : place->q) + shift + channel->axis;
    source->rate = channel->quantity == HF_QUANTITY_POSITION ? place->v + channel->axis : -1;
    return HF_OK;
}

static hf_status known_too_late(const hf_signal_def *def, const char *name, hf_error *error)
{
    return hf_error_at(error, HF_ERROR_INPUT, place_of(def),
                       "'%.100s' is known only when all forces are: an algebraic loop. An "
                       "expression takes positions, velocities, orientations, gaps, rates, "
                       "states of laws and signals",
                       name);
}

static hf_status find_source(const hf_model *model, const hf_signal_def *def, const char *name,
                             hf_signal_source *source, hf_error *error)
{
    hf_channel found = find_channel(model, name);
    if (found.id == 0) {
        // An acceleration or reaction is a channel, though not before a recording names it
        return hf_asked_known(model, name) ? known_too_late(def, name, error)
                                           : unknown_channel(model, def, name, error);
    }
    const hf_channel_place *channel = &model->channels[found.id - 1];
    const hf_force_place *force = &model->forces[channel->component];
    *source = (hf_signal_source){.rate = -1};
    switch (channel->quantity) {
    case HF_QUANTITY_POSITION:
    case HF_QUANTITY_ORIENTATION:
    case HF_QUANTITY_VELOCITY:
    case HF_QUANTITY_ANGULAR_VELOCITY:
        return body_source(model, channel, source);
    case HF_QUANTITY_GAP:
    case HF_QUANTITY_RATE:
        source->kind = channel->quantity == HF_QUANTITY_GAP ? HF_SOURCE_GAP : HF_SOURCE_RATE;
        source->index = force->row + channel->axis;
        return HF_OK;
    case HF_QUANTITY_STATE:
        source->kind = HF_SOURCE_Y;
        source->index = force->y + channel->axis;
        return HF_OK;
    case HF_QUANTITY_VALUE:
        source->kind = HF_SOURCE_SIGNAL;
        source->index = channel->component;
        return HF_OK;
    default:
        return known_too_late(def, name, error);
    }
}

// ------------------------------------------------------------------------------------------------
// The order

static bool is_observed(const hf_model *model, int signal)
{
    const hf_model_signal *s = &model->signals[signal];
    return s->def.type == HF_SIGNAL_CHANNELS && !s->timed;
}

// Signals of signals that are functions of the time are such functions too.
static void find_timed(hf_model *model)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (int i = 0; i < model->signal_count; ++i) {
            hf_model_signal *s = (hf_model_signal *)&model->signals[i];
            bool timed = is_observed(model, i);
            for (int k = 0; k < s->def.channel_count && timed; ++k) {
                timed = s->sources[k].kind == HF_SOURCE_SIGNAL &&
                        !is_observed(model, s->sources[k].index);
            }
            s->timed = s->timed || timed;
            grown = grown || timed;
        }
    }
}

// What a driven body's signal is made of moves it too.
static void pass_on_moves(hf_model *model)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (int i = 0; i < model->signal_count; ++i) {
            const hf_model_signal *s = &model->signals[i];
            for (int k = 0; k < s->def.channel_count && s->timed && s->moves; ++k) {
                hf_model_signal *source = (hf_model_signal *)&model->signals[s->sources[k].index];
                grown = grown || !source->moves;
                source->moves = true;
            }
        }
    }
}

// The first signal of channels that this one needs and that is not `done`; -1: none.
static int waits_for(const hf_model *model, int signal, const bool *done)
{
    const hf_model_signal *s = &model->signals[signal];
    for (int i = 0; i < s->def.channel_count; ++i) {
        const hf_signal_source *source = &s->sources[i];
        if (source->kind == HF_SOURCE_SIGNAL && is_observed(model, source->index) &&
            !done[source->index]) {
            return source->index;
        }
    }
    return -1;
}

static hf_status blame_circle(const hf_model *model, int signal, const bool *done, hf_error *error)
{
    // As many steps as there are signals end within the circle
    for (int i = 0; i < model->signal_count; ++i) {
        signal = waits_for(model, signal, done);
    }
    int other = waits_for(model, signal, done);
    return hf_error_at(error, HF_ERROR_INPUT, place_of(&model->signals[signal].def),
                       "an algebraic loop: '%.60s' depends on '%.60s'%s",
                       model->signals[signal].def.name, model->signals[other].def.name,
                       other == signal ? "" : ", and that on it");
}

static hf_status order_signals(hf_model *model, int *order, bool *done, hf_error *error)
{
    for (int waiting = 1, grown = 1; waiting > 0; grown = 0) {
        int last = -1;
        waiting = 0;
        for (int i = 0; i < model->signal_count; ++i) {
            if (!is_observed(model, i) || done[i]) {
                continue;
            }
            if (waits_for(model, i, done) < 0) {
                order[model->observed_count++] = i;
                done[i] = true;
                grown = 1;
            } else {
                waiting += 1;
                last = i;
            }
        }
        if (waiting > 0 && grown == 0) {
            return blame_circle(model, last, done, error);
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Who uses them

// Rates of these: of positions, gaps, the time and each other.
static hf_status need_rate(hf_model *model, int signal, hf_error *error)
{
    hf_model_signal *s = (hf_model_signal *)&model->signals[signal];
    if (!is_observed(model, signal) || s->rated) {
        return HF_OK;
    }
    s->rated = true;
    for (int i = 0; i < s->def.channel_count; ++i) {
        const hf_signal_source *source = &s->sources[i];
        if (source->kind == HF_SOURCE_SIGNAL) {
            HF_TRY(need_rate(model, source->index, error));
        } else if (source->kind != HF_SOURCE_GAP && source->rate < 0) {
            return hf_error_at(error, HF_ERROR_INPUT, place_of(&s->def),
                               "its rate is asked for, and that of '%.100s' is not known before "
                               "the forces; give the rate (reference_rate) too",
                               s->def.channels[i]);
        }
    }
    return HF_OK;
}

static hf_status check_driven(const hf_model *model, hf_error *error)
{
    for (int i = 0; i < model->drive_count; ++i) {
        const hf_drive *drive = &model->drives[i];
        int used[2] = {drive->motion.signal, drive->has_rate ? drive->rate.signal : -1};
        for (int u = 0; u < 2 && drive->follow_q < 0; ++u) {
            if (used[u] >= 0 && is_observed(model, used[u])) {
                const hf_signal_def *def = &model->signals[used[u]].def;
                return hf_error_at(error, HF_ERROR_INPUT, place_of(def),
                                   "what is driven moves as a function of the time; '%.60s' "
                                   "depends on '%.60s'",
                                   def->name, def->channels[0]);
            }
        }
    }
    return HF_OK;
}

// What a spring has stored is taken out when it is disabled, at a known time.
static hf_status check_gates(hf_model *model, hf_error *error)
{
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (!force->gated || hf_force_is_active(force)) {
            continue;
        }
        model->gates_stores = true;
        model->gates_stops = model->gates_stops || force->exact == HF_EXACT_STOP;
        if (force->enable.signal >= 0 && is_observed(model, force->enable.signal)) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", force->name, "enable"),
                               "what its law has stored is taken out at a known time: enable must "
                               "be a function of the time, and '%.60s' depends on '%.60s'",
                               model->signals[force->enable.signal].def.name,
                               model->signals[force->enable.signal].def.channels[0]);
        }
    }
    return HF_OK;
}

hf_status hf_compile_observed(hf_model *model, hf_error *error)
{
    int *order;
    bool *done;
    HF_ALLOC(order, model->signal_count);
    HF_ALLOC(done, model->signal_count);
    model->observed = order;
    for (int i = 0; i < model->signal_count; ++i) {
        hf_model_signal *signal = (hf_model_signal *)&model->signals[i];
        hf_signal_source *sources;
        HF_ALLOC(sources, signal->def.channel_count);
        for (int k = 0; k < signal->def.channel_count; ++k) {
            HF_TRY(find_source(model, &signal->def, signal->def.channels[k], &sources[k], error));
        }
        signal->sources = sources;
    }
    find_timed(model);
    pass_on_moves(model);
    HF_TRY(order_signals(model, order, done, error));
    for (int i = 0; i < model->value_count; ++i) {
        if (model->values[i].rate && model->values[i].signal >= 0) {
            HF_TRY(need_rate(model, model->values[i].signal, error));
        }
    }
    HF_TRY(check_gates(model, error));
    return check_driven(model, error);
}
