// SPDX-License-Identifier: Apache-2.0
// Threads that wait for work: many short rounds of independent pieces. hf_crew_run starts threads
// for every round; a team keeps them.
//
// A round takes one lock at its beginning and one at its end for each thread, and none in between:
// pieces are handed out by a counter. What a piece gives must depend on its index alone; then the
// result is the same for any number of threads.
#ifndef HF_BASE_TEAM_H
#define HF_BASE_TEAM_H

#include <holdfast/base.h>

enum { HF_TEAM_MOST = 256 }; // threads

typedef struct hf_team hf_team;

// `threads` >= 1 with the caller's own; fewer where the system does not give more. NULL: no memory.
hf_team *hf_team_create(const hf_allocator *allocator, int threads);
void hf_team_destroy(hf_team *team); // NULL is allowed
int hf_team_size(const hf_team *team);

// Does work(context, worker, index) for all indices below `count`, and waits for them. `worker` is
// the number of the thread, from 0, the caller's. Allocates nothing.
void hf_team_run(hf_team *team, int count, void (*work)(void *context, int worker, int index),
                 void *context);

#endif
