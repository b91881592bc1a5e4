// SPDX-License-Identifier: Apache-2.0
// Signals that are functions of channels: their values and rates in a state, and how they change
// with it.
#include "sim/sim_data.h"

// The channels of a signal, in the state x.
static void look(const hf_sim *sim, const hf_model_signal *signal, const double *x, double *values)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < signal->def.channel_count; ++i) {
        const hf_signal_source *source = &signal->sources[i];
        switch (source->kind) {
        case HF_SOURCE_Q:
            values[i] = x[source->index];
            break;
        case HF_SOURCE_V:
            values[i] = x[model->nq + source->index];
            break;
        case HF_SOURCE_Y:
            values[i] = x[model->nq + model->nv + source->index];
            break;
        case HF_SOURCE_GAP:
            values[i] = sim->gap[source->index];
            break;
        case HF_SOURCE_RATE:
            values[i] = sim->rate[source->index];
            break;
        case HF_SOURCE_SIGNAL:
            values[i] = sim->signals[source->index];
            break;
        }
    }
}

// Its derivative by the time.
static double rate_of(const hf_sim *sim, int index, double t, const double *x, const double *values)
{
    const hf_model_signal *signal = &sim->model->signals[index];
    double gradient[HF_SIGNAL_MOST_CHANNELS + 1];
    signal->def.gradient(sim->instances[index], t, values, gradient);
    double rate = gradient[0];
    for (int i = 0; i < signal->def.channel_count; ++i) {
        const hf_signal_source *source = &signal->sources[i];
        double change = source->kind == HF_SOURCE_GAP ? sim->rate[source->index]
                        : source->kind == HF_SOURCE_SIGNAL
                            ? hf_signal_rate(sim, source->index, t, (hf_side)sim->signal_side)
                            : x[sim->model->nq + source->rate];
        rate += gradient[1 + i] * change;
    }
    return rate;
}

void hf_signals_observe(hf_sim *sim, double t, const double *x)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->observed_count; ++i) {
        int index = model->observed[i];
        const hf_model_signal *signal = &model->signals[index];
        double values[HF_SIGNAL_MOST_CHANNELS];
        look(sim, signal, x, values);
        sim->signals[index] = signal->def.of(sim->instances[index], t, values);
        if (signal->rated) {
            sim->signal_rates[index] = rate_of(sim, index, t, x, values);
        }
    }
}

void hf_signal_slopes(hf_sim *sim, int signal, const double *dv, const hf_force_place *force,
                      int row, double *by_gap, double *by_rate)
{
    const hf_model_signal *s = &sim->model->signals[signal];
    *by_gap = *by_rate = 0.0;
    // Functions of the time alone have none
    if (s->def.type != HF_SIGNAL_CHANNELS) {
        return;
    }
    // The gradient by channels, and what each channel does along the way
    double values[HF_SIGNAL_MOST_CHANNELS], gradient[HF_SIGNAL_MOST_CHANNELS + 1];
    look(sim, s, sim->x, values);
    s->def.gradient(sim->instances[signal], sim->core->time, values, gradient);
    for (int i = 0; i < s->def.channel_count; ++i) {
        const hf_signal_source *source = &s->sources[i];
        double slope = gradient[1 + i], gap = 0.0, rate = 0.0;
        bool own = source->index == force->row + row;
        switch (source->kind) {
        case HF_SOURCE_Q:
            *by_gap += source->rate >= 0 ? slope * dv[source->rate] : 0.0;
            break;
        case HF_SOURCE_V:
            *by_rate += slope * dv[source->index];
            break;
        case HF_SOURCE_GAP:
            *by_gap += own ? slope : 0.0;
            break;
        case HF_SOURCE_RATE:
            *by_rate += own ? slope : 0.0;
            break;
        case HF_SOURCE_SIGNAL:
            hf_signal_slopes(sim, source->index, dv, force, row, &gap, &rate);
            *by_gap += slope * gap;
            *by_rate += slope * rate;
            break;
        case HF_SOURCE_Y:
            break;
        }
    }
}
