// SPDX-License-Identifier: Apache-2.0
// Waits for step k at start + k T on the monotonic clock, for `run --realtime`.
#include "cli/clock.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double NANOSECOND = 1e-9;
static const double BIN_RATIO = 1.02;
enum { SECOND = 1000000000 };

static long long now(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * SECOND + t.tv_nsec;
}

static long long time_of(const hf_cli_clock *clock, long long k)
{
    return clock->start + llround((double)k * clock->step / NANOSECOND);
}

void hf_cli_clock_start(hf_cli_clock *clock, double step, long long first)
{
    *clock = (hf_cli_clock){.step = step};
    clock->start = now() - time_of(clock, first);
}

bool hf_cli_clock_wait(const hf_cli_clock *clock, long long k)
{
    long long until = time_of(clock, k);
    const struct timespec t = {.tv_sec = (time_t)(until / SECOND), .tv_nsec = until % SECOND};
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == 0;
}

void hf_cli_clock_begin(hf_cli_clock *clock, long long k)
{
    double late = (double)(now() - time_of(clock, k)); // [ns]
    int bin = late <= 1.0 ? 0 : (int)(log(late) / log(BIN_RATIO));
    clock->bins[bin < HF_CLI_CLOCK_BINS ? bin : HF_CLI_CLOCK_BINS - 1] += 1;
    clock->latest = fmax(clock->latest, late * NANOSECOND);
    clock->steps += 1;
}

void hf_cli_clock_end(hf_cli_clock *clock, long long k)
{
    clock->missed += now() > time_of(clock, k + 1) ? 1 : 0;
}

// The lateness that `part` of the steps did not exceed [s].
static double quantile(const hf_cli_clock *clock, double part)
{
    double wanted = part * (double)clock->steps, counted = 0.0;
    for (int bin = 0; bin < HF_CLI_CLOCK_BINS; ++bin) {
        counted += (double)clock->bins[bin];
        if (counted >= wanted && counted > 0.0) {
            return fmin(pow(BIN_RATIO, bin + 0.5) * NANOSECOND, clock->latest);
        }
    }
    return clock->latest;
}

hf_cli_timing hf_cli_clock_timing(const hf_cli_clock *clock)
{
    return (hf_cli_timing){.median = quantile(clock, 0.5),
                           .most = quantile(clock, 0.99),
                           .latest = clock->latest,
                           .steps = clock->steps,
                           .missed = clock->missed};
}
