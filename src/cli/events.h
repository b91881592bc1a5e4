// SPDX-License-Identifier: Apache-2.0
// The events of a run (stops and break-aways that method switch located), kept for the summary.
#ifndef HF_CLI_EVENTS_H
#define HF_CLI_EVENTS_H

#include <holdfast/sim.h>

typedef struct hf_cli_events {
    hf_event *items;
    long long count; // of all; items has the first ones, all of them unless memory ran out
    int kept, room;
} hf_cli_events;

// For hf_sim_def.on_event; the context is an hf_cli_events. Keeps all while there is memory.
void hf_cli_keep_event(void *events, const hf_event *event);
// "stops", "breaks away forth", "turns back", ...
const char *hf_cli_event_word(const hf_event *event);

#endif
