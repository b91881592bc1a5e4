// SPDX-License-Identifier: Apache-2.0
// Threads that are started once and share many short rounds of independent work.
#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct member {
    hf_team *team;
    int worker;
    pthread_t id;
} member;

struct hf_team {
    hf_allocator allocator;
    int size; // with the caller
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    // Under the lock
    long long round; // the number of the present one
    int busy;        // members that have not finished it
    bool over;
    // Of a round: set before it begins
    int count;
    void (*work)(void *context, int worker, int index);
    void *context;
    atomic_int next;
    member members[];
};

static void take_part(hf_team *team, int worker)
{
    for (;;) {
        int index = atomic_fetch_add(&team->next, 1);
        if (index >= team->count) {
            return;
        }
        team->work(team->context, worker, index);
    }
}

static void *live(void *argument)
{
    const member *self = argument;
    hf_team *team = self->team;
    long long done = 0;
    for (;;) {
        // Wait for a round
        (void)pthread_mutex_lock(&team->lock);
        while (team->round == done && !team->over) {
            (void)pthread_cond_wait(&team->begin, &team->lock);
        }
        done = team->round;
        bool over = team->over;
        (void)pthread_mutex_unlock(&team->lock);
        if (over) {
            return NULL;
        }
        take_part(team, self->worker);
        // The last one to finish tells the caller
        (void)pthread_mutex_lock(&team->lock);
        team->busy -= 1;
        if (team->busy == 0) {
            (void)pthread_cond_signal(&team->end);
        }
        (void)pthread_mutex_unlock(&team->lock);
    }
}

hf_team *hf_team_create(const hf_allocator *allocator, int threads)
{
    int wanted = threads < 1 ? 1 : threads > HF_TEAM_MOST ? HF_TEAM_MOST : threads;
    size_t others = (size_t)wanted - 1;
    hf_team *team =
        allocator->allocate(allocator->context, sizeof *team + others * sizeof *team->members);
    if (team == NULL) {
        return NULL;
    }
    // Nobody but the caller, and no round yet
    team->allocator = *allocator;
    team->size = 1;
    team->round = 0;
    team->busy = team->count = 0;
    team->over = false;
    (void)pthread_mutex_init(&team->lock, NULL);
    (void)pthread_cond_init(&team->begin, NULL);
    (void)pthread_cond_init(&team->end, NULL);
    atomic_init(&team->next, 0);
    // The others, as many as there can be
    for (int i = 0; i < wanted - 1; ++i) {
        member *m = &team->members[i];
        m->team = team;
        m->worker = i + 1;
        if (pthread_create(&m->id, NULL, live, m) != 0) {
            break;
        }
        team->size += 1;
    }
    return team;
}

void hf_team_destroy(hf_team *team)
{
    if (team == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&team->lock);
    team->over = true;
    (void)pthread_cond_broadcast(&team->begin);
    (void)pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->size - 1; ++i) {
        (void)pthread_join(team->members[i].id, NULL);
    }
    (void)pthread_mutex_destroy(&team->lock);
    (void)pthread_cond_destroy(&team->begin);
    (void)pthread_cond_destroy(&team->end);
    hf_allocator allocator = team->allocator;
    allocator.release(allocator.context, team);
}

int hf_team_size(const hf_team *team)
{
    return team->size;
}

void hf_team_run(hf_team *team, int count, void (*work)(void *context, int worker, int index),
                 void *context)
{
    team->count = count;
    team->work = work;
    team->context = context;
    atomic_store(&team->next, 0);
    bool alone = team->size == 1 || count < 2;
    if (!alone) {
        (void)pthread_mutex_lock(&team->lock);
        team->round += 1;
        team->busy = team->size - 1;
        (void)pthread_cond_broadcast(&team->begin);
        (void)pthread_mutex_unlock(&team->lock);
    }
    take_part(team, 0);
    if (!alone) {
        (void)pthread_mutex_lock(&team->lock);
        while (team->busy > 0) {
            (void)pthread_cond_wait(&team->end, &team->lock);
        }
        (void)pthread_mutex_unlock(&team->lock);
    }
}
