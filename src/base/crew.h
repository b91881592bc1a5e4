// SPDX-License-Identifier: Apache-2.0
// Many independent pieces of work on several threads. For libraries that use POSIX threads.
//
// Pieces are handed out one by one, in order, to whoever is free. What a piece gives must depend on
// its index alone: then the result is the same for any number of threads.
#ifndef HF_BASE_CREW_H
#define HF_BASE_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { HF_CREW_MOST = 256 }; // threads

typedef struct hf_crew {
    long long count; // of pieces
    // Does the piece `index`; `worker` is the number of the thread that does it, from 0. False ends
    // the whole: no further piece is handed out.
    bool (*work)(void *context, int worker, long long index);
    void *context;
    // Private
    atomic_llong next;
    atomic_int workers;
    atomic_bool ended;
} hf_crew;

static inline void *hf_crew_member(void *argument)
{
    hf_crew *crew = argument;
    int worker = atomic_fetch_add(&crew->workers, 1);
    while (!atomic_load(&crew->ended)) {
        long long index = atomic_fetch_add(&crew->next, 1);
        if (index >= crew->count) {
            break;
        }
        if (!crew->work(crew->context, worker, index)) {
            atomic_store(&crew->ended, true);
        }
    }
    return NULL;
}

// How many threads work on so many pieces if `threads` are wanted.
static inline int hf_crew_size(long long count, int threads)
{
    long long size = threads < count ? threads : count;
    return size < 1 ? 1 : size < HF_CREW_MOST ? (int)size : HF_CREW_MOST;
}

// Does all pieces on hf_crew_size(count, threads) threads, the caller's among them, and waits for
// them. Where fewer can be had, fewer do it. False when a piece ended the whole.
static inline bool hf_crew_run(hf_crew *crew, int threads)
{
    pthread_t ids[HF_CREW_MOST];
    int started = 0, wanted = hf_crew_size(crew->count, threads);
    atomic_init(&crew->next, 0);
    atomic_init(&crew->workers, 0);
    atomic_init(&crew->ended, false);
    while (started < wanted - 1 && pthread_create(&ids[started], NULL, hf_crew_member, crew) == 0) {
        ++started;
    }
    (void)hf_crew_member(crew);
    for (int i = 0; i < started; ++i) {
        (void)pthread_join(ids[i], NULL);
    }
    return !atomic_load(&crew->ended);
}

#endif
