// SPDX-License-Identifier: Apache-2.0
// How well friction holds: what it lets creep while it sticks, and how often it chatters.
//
// A friction force is held while it sticks, or slips for no more than 20 steps in one direction
// (chatter is short slips to and fro). Over the second half of the longest time that it is held:
//   drift    slope of the straight line through its displacement, by least squares [m/s or rad/s];
//            elastic motion under a load that oscillates has none.
// Over all times that it is held:
//   chatter  steps in which the force turns round and jumps by more than half of its largest size,
//            no more than 20 steps after it did so before.
#ifndef HF_CLI_WATCH_H
#define HF_CLI_WATCH_H

#include <holdfast/sim.h>

typedef struct hf_cli_watch hf_cli_watch;

typedef struct hf_cli_hold {
    bool friction; // the force has regimes; all else is of no meaning if not
    double drift;  // NaN: it was never held long enough
    double held;   // the longest time that it was held [s]
    long long chatter;
} hf_cli_hold;

// Watches all friction forces of a sim. NULL when out of memory.
hf_cli_watch *hf_cli_watch_create(hf_sim *sim);
// To be called after each step.
void hf_cli_watch_step(hf_cli_watch *watch, hf_sim *sim);
// To be called once, at the end.
void hf_cli_watch_end(hf_cli_watch *watch);
hf_cli_hold hf_cli_watch_hold(const hf_cli_watch *watch, hf_force force);
void hf_cli_watch_destroy(hf_cli_watch *watch);

#endif
