// SPDX-License-Identifier: Apache-2.0
// Keeps the first events of a run (stops and break-aways) for the summary.
#include "cli/events.h"

#include <limits.h>
#include <stdlib.h>

enum { OPEN = 2 }; // hf_event
enum { FIRST_ROOM = 256 };

void hf_cli_keep_event(void *context, const hf_event *event)
{
    hf_cli_events *events = context;
    events->count += 1;
    if (events->kept == events->room && events->room <= INT_MAX / 2) {
        int room = events->room == 0 ? FIRST_ROOM : 2 * events->room;
        hf_event *items = realloc(events->items, (size_t)room * sizeof *items);
        if (items != NULL) {
            events->items = items;
            events->room = room;
        }
    }
    if (events->kept < events->room) {
        events->items[events->kept++] = *event;
    }
}

const char *hf_cli_event_word(const hf_event *event)
{
    if (event->from == OPEN || event->to == OPEN) {
        return event->to == OPEN ? (event->from == OPEN ? "bounces" : "opens")
               : event->to == 0  ? "closes and holds"
               : event->to > 0   ? "closes, slipping forth"
                                 : "closes, slipping back";
    }
    if (event->to == 0) {
        return "stops";
    }
    if (event->from == 0) {
        return event->to > 0 ? "breaks away forth" : "breaks away back";
    }
    return event->to > 0 ? "turns forth" : "turns back";
}
