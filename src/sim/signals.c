// SPDX-License-Identifier: Apache-2.0
// Signals of a sim: values at a time, seen from the left or from the right of a jump.
//
// A step begins at a jump's right and ends at the next one's left: the first stage sees inputs just
// after its time, the last stage just before. "Just" is a few roundings of t, so that a jump
// written at 4 s and a step boundary computed as 40000 * 1e-4 s are the same place.
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "sim/sim_data.h"

static double seen_time(double t, hf_side side)
{
    return t + (double)side * HF_JUST * DBL_EPSILON * fabs(t);
}

// The same for a function: one that switches at t = 0, such as sign(sin(t)), is seen beyond that.
static double function_time(const hf_signal_def *def, double t, hf_side side)
{
    double size = def->switch_count > 0 ? fmax(fabs(t), HF_LEAST_TIME) : fabs(t);
    return t + (double)side * HF_JUST * DBL_EPSILON * size;
}

// Index of the last time at or before t, or -1. Times of logs are nearly even: the search begins
// where t would be if they were, and goes away from there in steps that double.
static int table_place(const hf_list *times, double t)
{
    const double *at = times->values;
    int last = times->count - 1;
    if (!(t >= at[0]) || t >= at[last]) {
        return t >= at[0] ? last : -1;
    }
    // at[low] <= t < at[high]
    int guess = (int)((t - at[0]) / (at[last] - at[0]) * last);
    int low = guess < last ? guess : last - 1, high = low + 1;
    for (int step = 1; at[low] > t; step *= 2) {
        high = low;
        low = high > step ? high - step : 0;
    }
    for (int step = 1; at[high] <= t; step *= 2) {
        low = high;
        high = last - low > step ? low + step : last;
    }
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (at[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double table_slope(const hf_signal_def *def, int i)
{
    return (def->values.values[i + 1] - def->values.values[i]) /
           (def->times.values[i + 1] - def->times.values[i]);
}

// Slope at point i of the parabola through it and its neighbours, or the two next ones at an end.
static double smooth_slope(const hf_signal_def *def, int i)
{
    const double *t = def->times.values;
    int count = def->times.count;
    if (count == 2) {
        return table_slope(def, 0);
    }
    int middle = i == 0 ? 1 : (i == count - 1 ? count - 2 : i);
    double before = t[middle] - t[middle - 1], after = t[middle + 1] - t[middle];
    double rise = table_slope(def, middle - 1), next = table_slope(def, middle);
    double bend = (next - rise) / (before + after); // half of the parabola's second derivative
    double slope = rise + bend * before;
    return slope + 2.0 * bend * (t[i] - t[middle]);
}

// Value, or derivative of the order 1 or 2, between the points i and i + 1: the cubic with these
// slopes.
static double smooth_value(const hf_signal_def *def, int i, double t, int order)
{
    double width = def->times.values[i + 1] - def->times.values[i];
    double s = (t - def->times.values[i]) / width, rise = table_slope(def, i);
    double begin = smooth_slope(def, i) - rise, end = smooth_slope(def, i + 1) - rise;
    // The straight line, and what bends it: s (1-s)^2 and -s^2 (1-s) times the slopes beyond it
    if (order == 2) {
        return ((6.0 * s - 4.0) * begin + (6.0 * s - 2.0) * end) / width;
    }
    if (order == 1) {
        return rise + (1.0 - s) * (1.0 - 3.0 * s) * begin + s * (3.0 * s - 2.0) * end;
    }
    return def->values.values[i] + width * s * (rise + (1.0 - s) * ((1.0 - s) * begin - s * end));
}

double hf_table_value(const hf_signal_def *def, double t)
{
    int i = table_place(&def->times, t);
    if (i < 0) {
        return def->values.values[0];
    }
    if (i == def->times.count - 1 || def->hold) {
        return def->values.values[i];
    }
    if (def->smooth) {
        return smooth_value(def, i, t, 0);
    }
    return def->values.values[i] + table_slope(def, i) * (t - def->times.values[i]);
}

double hf_table_rate(const hf_signal_def *def, double t)
{
    int i = table_place(&def->times, t);
    if (i < 0 || i == def->times.count - 1 || def->hold) {
        return 0.0;
    }
    return def->smooth ? smooth_value(def, i, t, 1) : table_slope(def, i);
}

static double table_second(const hf_signal_def *def, double t)
{
    int i = table_place(&def->times, t);
    return i < 0 || i == def->times.count - 1 || !def->smooth ? 0.0 : smooth_value(def, i, t, 2);
}

// The series, or its derivative of the order 1 or 2, by turning (cos, sin) on by the first
// harmonic's angle.
static double fourier_value(const hf_signal_def *def, double t, int order)
{
    const double w = 6.28318530717958647692 * def->frequency, c1 = cos(w * t), s1 = sin(w * t);
    double sum = order > 0 ? 0.0 : def->value, c = 1.0, s = 0.0;
    for (int k = 1; k <= def->sines.count || k <= def->cosines.count; ++k) {
        double turned = c * c1 - s * s1;
        s = s * c1 + c * s1;
        c = turned;
        double a = k <= def->sines.count ? def->sines.values[k - 1] : 0.0;
        double b = k <= def->cosines.count ? def->cosines.values[k - 1] : 0.0;
        sum += order == 0   ? a * s + b * c
               : order == 1 ? k * w * (a * c - b * s)
                            : -(k * w) * (k * w) * (a * s + b * c);
    }
    return sum;
}

// What forces see of an input.
static double input_value(const hf_signal_def *def, double set)
{
    if (def->bounded) {
        set = set < def->low ? def->low : set > def->high ? def->high : set;
    }
    return def->scale != 0.0 ? def->scale * set : set;
}

// Signals of signals of the time: values of these.
static void look(const hf_sim *sim, int signal, double t, hf_side side, double *values)
{
    const hf_model_signal *s = &sim->model->signals[signal];
    for (int i = 0; i < s->def.channel_count; ++i) {
        values[i] = hf_signal_value(sim, s->sources[i].index, t, side);
    }
}

static double timed_value(const hf_sim *sim, int signal, double t, hf_side side)
{
    double values[HF_SIGNAL_MOST_CHANNELS];
    look(sim, signal, t, side, values);
    return sim->model->signals[signal].def.of(sim->instances[signal], seen_time(t, side), values);
}

static double timed_rate(const hf_sim *sim, int signal, double t, hf_side side)
{
    const hf_model_signal *s = &sim->model->signals[signal];
    double values[HF_SIGNAL_MOST_CHANNELS], gradient[HF_SIGNAL_MOST_CHANNELS + 1];
    look(sim, signal, t, side, values);
    s->def.gradient(sim->instances[signal], seen_time(t, side), values, gradient);
    double rate = gradient[0];
    for (int i = 0; i < s->def.channel_count; ++i) {
        rate += gradient[1 + i] * hf_signal_rate(sim, s->sources[i].index, t, side);
    }
    return rate;
}

double hf_signal_value(const hf_sim *sim, int signal, double t, hf_side side)
{
    const hf_signal_def *def = &sim->model->signals[signal].def;
    switch (def->type) {
    case HF_SIGNAL_CONSTANT:
        return def->value;
    case HF_SIGNAL_INPUT:
        return input_value(def, sim->inputs[sim->model->signals[signal].slot]);
    case HF_SIGNAL_TABLE:
        return hf_table_value(def, seen_time(t, side));
    case HF_SIGNAL_FUNCTION:
        return def->function(sim->instances[signal], function_time(def, t, side));
    case HF_SIGNAL_FOURIER:
        return fourier_value(def, t, 0);
    case HF_SIGNAL_CHANNELS:
        return sim->model->signals[signal].timed ? timed_value(sim, signal, t, side)
                                                 : sim->signals[signal];
    }
    return 0.0;
}

// The derivative at t of the polynomial through five values of a function at equal spacing.
static double five_point_rate(double (*function)(void *, double), void *instance, double first,
                              double spacing, double t)
{
    double value[5], rate = 0.0, x = (t - first) / spacing;
    for (int i = 0; i < 5; ++i) {
        value[i] = function(instance, first + i * spacing);
    }
    for (int i = 0; i < 5; ++i) {
        // Derivative of the i-th Lagrange polynomial: a sum over the factor that is left out.
        double weight = 0.0;
        for (int left_out = 0; left_out < 5; ++left_out) {
            double product = left_out == i ? 0.0 : 1.0 / (i - left_out);
            for (int k = 0; k < 5; ++k) {
                product *= k == i || k == left_out ? 1.0 : (x - k) / (i - k);
            }
            weight += product;
        }
        rate += weight * value[i];
    }
    return rate / spacing;
}

// The range within `reach` of t, between the jumps around it and not before the start.
static void smooth_range(const hf_signal_def *def, double seen, double reach, double *left,
                         double *right)
{
    double low = fmin(0.0, seen), high = INFINITY;
    for (int i = 0; i < def->jumps.count; ++i) {
        double jump = def->jumps.values[i];
        if (jump <= seen) {
            low = fmax(low, seen_time(jump, HF_SIDE_RIGHT));
        } else {
            high = fmin(high, seen_time(jump, HF_SIDE_LEFT));
        }
    }
    *left = fmax(low, seen - reach);
    *right = fmin(high, *left + 2.0 * reach);
    *left = fmax(low, *right - 2.0 * reach);
}

// Differences of a program's function that has no derivative of its own (of its value, or of its
// rate). With this spacing a sine of w rad/s gets a relative error of (1e-4 w)^4/30, and rounding
// gives 1e-12 t.
static double by_differences(const hf_sim *sim, int signal, double (*function)(void *, double),
                             double t, hf_side side)
{
    const double reach = 2e-4; // to either side
    double seen = seen_time(t, side), left, right;
    smooth_range(&sim->model->signals[signal].def, seen, reach, &left, &right);
    // Jumps with less than rounding between them leave nothing to differentiate.
    const double rounding = 1e-12;
    if (!(right - left > rounding * fmax(1.0, fabs(t)))) {
        return 0.0;
    }
    return five_point_rate(function, sim->instances[signal], left, 0.25 * (right - left), seen);
}

// The second derivative of a function that gives neither rate nor second derivative: of the
// parabola through three of its values. Wider than for the rate: rounding gives 1e-9 of the value.
static double second_difference(const hf_sim *sim, int signal, double t, hf_side side)
{
    const hf_signal_def *def = &sim->model->signals[signal].def;
    const double reach = 1e-3;
    const double least = 1e-6; // shorter, rounding of three values is all that is left
    double left, right;
    smooth_range(def, seen_time(t, side), reach, &left, &right);
    double h = 0.5 * (right - left);
    if (!(h > least * fmax(1.0, fabs(t)))) {
        return 0.0;
    }
    void *instance = sim->instances[signal];
    return (def->function(instance, left) - 2.0 * def->function(instance, left + h) +
            def->function(instance, left + 2.0 * h)) /
           (h * h);
}

double hf_signal_rate(const hf_sim *sim, int signal, double t, hf_side side)
{
    const hf_signal_def *def = &sim->model->signals[signal].def;
    switch (def->type) {
    case HF_SIGNAL_CONSTANT:
    case HF_SIGNAL_INPUT:
        break;
    case HF_SIGNAL_TABLE:
        return hf_table_rate(def, seen_time(t, side));
    case HF_SIGNAL_FUNCTION:
        return def->rate != NULL ? def->rate(sim->instances[signal], function_time(def, t, side))
                                 : by_differences(sim, signal, def->function, t, side);
    case HF_SIGNAL_FOURIER:
        return fourier_value(def, t, 1);
    case HF_SIGNAL_CHANNELS:
        return sim->model->signals[signal].timed ? timed_rate(sim, signal, t, side)
                                                 : sim->signal_rates[signal];
    }
    return 0.0;
}

// The jumps and kinks next to a time, of all signals that one is made of.
static void find_piece(const hf_sim *sim, int signal, double seen, double *low, double *high)
{
    const hf_model_signal *s = &sim->model->signals[signal];
    const hf_list lists[2] = {s->def.jumps,
                              s->def.type == HF_SIGNAL_TABLE ? s->def.times : (hf_list){NULL, 0}};
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < lists[k].count; ++i) {
            double jump = lists[k].values[i];
            *low = jump <= seen ? fmax(*low, seen_time(jump, HF_SIDE_RIGHT)) : *low;
            *high = jump > seen ? fmin(*high, seen_time(jump, HF_SIDE_LEFT)) : *high;
        }
    }
    for (int i = 0; i < s->def.channel_count; ++i) {
        find_piece(sim, s->sources[i].index, seen, low, high);
    }
}

// Of the parabola through three rates.
static double timed_second(const hf_sim *sim, int signal, double t, hf_side side)
{
    const double reach = 2e-4, least = 1e-9; // [s]; shorter pieces leave rounding alone
    double seen = seen_time(t, side), low = fmin(0.0, seen), high = INFINITY;
    find_piece(sim, signal, seen, &low, &high);
    double left = fmax(low, seen - reach), right = fmin(high, left + 2.0 * reach);
    left = fmax(low, right - 2.0 * reach);
    double h = 0.5 * (right - left);
    if (!(h > least * fmax(1.0, fabs(t)))) {
        return 0.0;
    }
    double rate[3];
    for (int i = 0; i < 3; ++i) {
        rate[i] = timed_rate(sim, signal, left + i * h, HF_SIDE_AT);
    }
    double x = (seen - left) / h - 1.0;
    return (0.5 * (rate[2] - rate[0]) + x * (rate[2] - 2.0 * rate[1] + rate[0])) / h;
}

double hf_signal_second(const hf_sim *sim, int signal, double t, hf_side side)
{
    const hf_signal_def *def = &sim->model->signals[signal].def;
    switch (def->type) {
    case HF_SIGNAL_CONSTANT:
    case HF_SIGNAL_INPUT:
        break;
    case HF_SIGNAL_CHANNELS:
        return sim->model->signals[signal].timed ? timed_second(sim, signal, t, side) : 0.0;
    case HF_SIGNAL_TABLE:
        return table_second(def, seen_time(t, side));
    case HF_SIGNAL_FUNCTION:
        return def->second != NULL
                   ? def->second(sim->instances[signal], function_time(def, t, side))
               : def->rate != NULL ? by_differences(sim, signal, def->rate, t, side)
                                   : second_difference(sim, signal, t, side);
    case HF_SIGNAL_FOURIER:
        return fourier_value(def, t, 2);
    }
    return 0.0;
}

int hf_signal_switch_count(const hf_model *model, int signal)
{
    const hf_signal_def *def = &model->signals[signal].def;
    return def->type == HF_SIGNAL_FUNCTION ? def->switch_count : 0;
}

void hf_signal_switches(const hf_sim *sim, int signal, double t, double *values)
{
    if (hf_signal_switch_count(sim->model, signal) > 0) {
        sim->model->signals[signal].def.switches(sim->instances[signal], t, values);
    }
}

void hf_signals_put(hf_sim *sim, int signal, double value)
{
    const hf_model_signal *s = &sim->model->signals[signal];
    sim->inputs[s->slot] = value;
    if (sim->model->heard || s->def.type != HF_SIGNAL_INPUT) { // others may be made of it
        sim->signals_valid = false;
    } else {
        sim->signals[signal] = input_value(&s->def, value);
    }
    sim->fresh = false;
    sim->core->touched = true;
}

void hf_signals_update(hf_sim *sim, double t, hf_side side)
{
    if (sim->signals_valid && sim->signal_time == t && sim->signal_side == (int)side) {
        return;
    }
    // What is constant or set from outside stays from one time to the next
    const hf_model *model = sim->model;
    const bool all = !sim->signals_valid;
    const int count = all ? model->signal_count : model->passing_count;
    for (int k = 0; k < count; ++k) {
        int i = all ? k : model->passing[k];
        sim->signals[i] = hf_signal_value(sim, i, t, side);
    }
    sim->signal_time = t;
    sim->signal_side = (int)side;
    sim->signals_valid = true;
}

hf_status hf_signals_open(hf_sim *sim, hf_error *error)
{
    for (int i = 0; i < sim->model->signal_count; ++i) {
        const hf_signal_def *def = &sim->model->signals[i].def;
        if (def->type != HF_SIGNAL_FUNCTION && def->type != HF_SIGNAL_CHANNELS) {
            continue;
        }
        sim->instances[i] = def->open == NULL ? def->context : def->open(def->context);
        if (def->open != NULL && sim->instances[i] == NULL) {
            return hf_error_at(error, HF_ERROR_MEMORY, hf_at("signal", def->name),
                               "it could not be opened");
        }
    }
    return HF_OK;
}

void hf_signals_close(hf_sim *sim)
{
    for (int i = 0; i < sim->model->signal_count; ++i) {
        const hf_signal_def *def = &sim->model->signals[i].def;
        bool opened = def->type == HF_SIGNAL_FUNCTION || def->type == HF_SIGNAL_CHANNELS;
        if (opened && def->open != NULL && def->close != NULL && sim->instances[i] != NULL) {
            def->close(sim->instances[i]);
        }
    }
}
