// SPDX-License-Identifier: Apache-2.0
// Waypoints: a path through points at given times, at rest in each of them.
//
//   quintic    q = a + (b - a) (10 s^3 - 15 s^4 + 6 s^5), s from 0 to 1 between two times
//   trapezoid  constant acceleration in the first `blend` part of the time, constant speed, and the
//              same deceleration in the last
// Before the first time and after the last the path holds still: it ends with neither a jump nor a
// speed.
#include <stdlib.h>
#include <string.h>

#include "models/reader.h"

typedef struct waypoints {
    int count;
    bool trapezoid;
    double blend;
    double numbers[]; // count times, count points
} waypoints;

// The share of the way at the share s of the time, or its derivative of the order 1 or 2.
static double quintic(double s, int order)
{
    return order == 0   ? s * s * s * (10.0 + s * (6.0 * s - 15.0))
           : order == 1 ? 30.0 * s * s * (1.0 - s) * (1.0 - s)
                        : 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s);
}

static double trapezoid(double s, double blend, int order)
{
    double top = 1.0 / (1.0 - blend), a = top / blend; // speed and acceleration over the share
    double left = s < 0.5 ? s : 1.0 - s;               // the second half mirrors the first
    bool rises = left < blend;
    double way = rises ? 0.5 * a * left * left : top * (left - 0.5 * blend);
    if (order == 0) {
        return s < 0.5 ? way : 1.0 - way;
    }
    double speed = rises ? a * left : top;
    return order == 1 ? speed : !rises ? 0.0 : s < 0.5 ? a : -a;
}

static double path_at(const waypoints *w, double t, int order)
{
    const double *times = w->numbers, *points = w->numbers + w->count;
    int i = 0;
    while (i + 1 < w->count && times[i + 1] <= t) {
        ++i;
    }
    if (t <= times[0] || i + 1 == w->count) {
        return order > 0 ? 0.0 : points[i];
    }
    double width = times[i + 1] - times[i], s = (t - times[i]) / width;
    double share = w->trapezoid ? trapezoid(s, w->blend, order) : quintic(s, order);
    double way = (points[i + 1] - points[i]) * share;
    return order == 0 ? points[i] + way : order == 1 ? way / width : way / (width * width);
}

static double value_at(void *instance, double t)
{
    return path_at(instance, t, 0);
}

static double rate_at(void *instance, double t)
{
    return path_at(instance, t, 1);
}

static double second_at(void *instance, double t)
{
    return path_at(instance, t, 2);
}

// Where the acceleration jumps: at the points, and at the ends of the blends. Those after 0.
static bool list_jumps(hf_reader *reader, const waypoints *w, hf_list *jumps)
{
    size_t most = 3 * (size_t)w->count;
    double *list = hf_arena_alloc(&reader->document->arena, most, sizeof *list);
    int count = 0;
    if (list == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    for (int i = 0; i < w->count; ++i) {
        double at[3] = {w->numbers[i], 0.0, 0.0};
        int more = 1;
        if (w->trapezoid && i + 1 < w->count) {
            double width = w->numbers[i + 1] - w->numbers[i];
            at[1] = w->numbers[i] + w->blend * width;
            at[2] = w->numbers[i] + (1.0 - w->blend) * width;
            more = 3;
        }
        for (int k = 0; k < more; ++k) {
            if (at[k] > (count > 0 ? list[count - 1] : 0.0)) {
                list[count++] = at[k];
            }
        }
    }
    *jumps = (hf_list){list, count};
    return true;
}

static bool check_times(hf_reader *reader, const hf_node *node, const hf_list *times, int points)
{
    if (times->count != points || points < 2) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "times must be as many as the points of through, and at least two; "
                              "got %d times and %d points",
                              times->count, points);
    }
    const hf_node *item = node->first;
    for (int i = 0; i < times->count; ++i, item = item->next) {
        if (!(times->values[i] >= 0.0) || (i > 0 && !(times->values[i] > times->values[i - 1]))) {
            return hf_reader_fail(reader, item, HF_ERROR_RANGE, "times must rise from 0 on, got %g",
                                  times->values[i]);
        }
    }
    return true;
}

bool hf_read_waypoints(hf_reader *reader, const hf_node *node, const char *name, hf_signal *signal)
{
    static const char *const keys[] = {"through", "times", "profile", "blend"};
    static const char *const profiles[] = {"quintic", "trapezoid"};
    const hf_node *through = hf_node_get(node, "through"), *times;
    const hf_node *profile = hf_node_get(node, "profile"), *share = hf_node_get(node, "blend");
    hf_list points = {0}, at = {0};
    double blend = 0.25;
    int choice = 0;
    // Points and their times
    if (!hf_read_map(reader, node, keys, 4) ||
        (times = hf_read_need(reader, node, "times")) == NULL ||
        !hf_read_list(reader, through, &points) || !hf_read_list(reader, times, &at) ||
        !check_times(reader, times, &at, points.count) ||
        (profile != NULL && !hf_read_choice(reader, profile, profiles, 2, &choice)) ||
        (share != NULL && !hf_read_number(reader, share, HF_RANGE_POSITIVE, &blend))) {
        return false;
    }
    // What a trapezoid has besides
    if (share != NULL && (choice == 0 || !(blend <= 0.5))) {
        return hf_reader_fail(reader, share, HF_ERROR_RANGE,
                              "blend is the part of the time in which a trapezoid gains speed: "
                              "above 0, and at most 0.5");
    }
    // A function of its own, with its rates
    size_t count = (size_t)points.count;
    waypoints *w = malloc(sizeof *w + 2 * count * sizeof(double));
    if (w == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    *w = (waypoints){.count = points.count, .trapezoid = choice == 1, .blend = blend};
    memcpy(w->numbers, at.values, count * sizeof(double));
    memcpy(w->numbers + count, points.values, count * sizeof(double));
    hf_signal_def def = hf_signal_def_default();
    def.name = name;
    def.type = HF_SIGNAL_FUNCTION;
    def.function = value_at;
    def.rate = rate_at;
    def.second = second_at;
    def.context = w;
    def.release = free;
    if (!list_jumps(reader, w, &def.jumps) || !hf_add_signal(reader, &def, node, signal)) {
        free(w);
        return false;
    }
    return true;
}
