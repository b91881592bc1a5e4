// SPDX-License-Identifier: Apache-2.0
// Steps on the monotonic clock: step k begins at start + k T, whatever the steps before it took.
#ifndef HF_CLI_CLOCK_H
#define HF_CLI_CLOCK_H

#include <stdbool.h>

// Lateness is counted in bins that grow by 2 %, from 1 ns to more than an hour.
enum { HF_CLI_CLOCK_BINS = 1480 };

typedef struct hf_cli_clock {
    double step;     // [s]
    long long start; // on the monotonic clock [ns]
    long long steps, missed;
    double latest; // [s]
    long long bins[HF_CLI_CLOCK_BINS];
} hf_cli_clock;

// What came of it: how long after its time each step began.
typedef struct hf_cli_timing {
    double median, most, latest; // half of the steps, 99 % of them, all of them [s]
    long long steps;
    long long missed; // ended after the next one's time
} hf_cli_timing;

void hf_cli_clock_start(hf_cli_clock *clock, double step, long long first);
// Waits for the time of step k. False when a signal came first.
bool hf_cli_clock_wait(const hf_cli_clock *clock, long long k);
// Step k begins, step k ends.
void hf_cli_clock_begin(hf_cli_clock *clock, long long k);
void hf_cli_clock_end(hf_cli_clock *clock, long long k);
hf_cli_timing hf_cli_clock_timing(const hf_cli_clock *clock);

#endif
