// SPDX-License-Identifier: Apache-2.0
// Reactions, regimes and slips of the last step: what the next one begins with.
#include <string.h>

#include "methods/timestep/timestep.h"

// What is remembered of a contact, and back.
static hf_vec3 memory_of(const hf_timestep *ts, int i)
{
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    const double *r = ts->problem.r + 3 * i;
    switch (contact->part) {
    case HF_TS_SPIN:
    case HF_TS_ROLL:
        return hf_ts_turn_of(contact, r);
    case HF_TS_PLANE:
        return hf_ts_three_of(contact, r);
    default:
        return contact->kind == HF_TS_POINT ? hf_from_axes(&contact->point.place, r) : hf_load3(r);
    }
}

static void recall_reaction(const hf_ts_contact *contact, hf_vec3 memory, double *r)
{
    hf_vec3 along = hf_in_axes(&contact->point.place, memory), y = contact->point.place.y;
    if (contact->point.grained && contact->part == HF_TS_WHOLE) {
        along.z /= hf_v3_dot(y, y);
    }
    switch (contact->part) {
    case HF_TS_SPIN:
        r[1] = along.x / contact->row_scale;
        return;
    case HF_TS_ROLL:
        r[1] = along.y / contact->row_scale;
        r[2] = along.z / contact->row_scale;
        return;
    case HF_TS_PLANE: // with its third, the next contact, whose row_scale is still 1
        r[1] = along.x;
        r[2] = along.y;
        r[4] = along.z;
        return;
    default:
        hf_store3(r, contact->kind == HF_TS_POINT ? along : memory);
    }
}

static bool is_before(const hf_ts_memory *memory, const hf_ts_contact *contact)
{
    return memory->key < contact->point.key ||
           (memory->key == contact->point.key && memory->part < contact->part);
}

void hf_ts_remember_round(hf_timestep *ts)
{
    ts->loads.round_count = 0;
    ts->loads.iterations += ts->attempt.outcome.info.iterations;
    ts->loads.solver =
        ts->attempt.outcome.warm ? ts->loads.solver : (int)ts->attempt.outcome.info.method;
    for (int i = 0; i < ts->problem.count && ts->loads.round_count < ts->machine.kept_capacity;
         ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (contact->part == HF_TS_THIRD) {
            continue;
        }
        hf_ts_memory *memory = &ts->loads.round[ts->loads.round_count++];
        *memory = (hf_ts_memory){.key = contact->point.key, .part = contact->part};
        hf_store3(memory->reaction, memory_of(ts, i));
    }
}

// Reactions of the round before in this step; both lists rise.
static void recall_round(hf_timestep *ts)
{
    for (int i = 0, k = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        while (k < ts->loads.round_count && is_before(&ts->loads.round[k], contact)) {
            ++k;
        }
        const hf_ts_memory *memory = &ts->loads.round[k];
        if (k < ts->loads.round_count && memory->key == contact->point.key &&
            memory->part == contact->part) {
            recall_reaction(contact, hf_load3(memory->reaction), ts->problem.r + 3 * i);
        }
    }
}

// Reactions of the last step, where the contact was there; both lists rise.
void hf_ts_recall(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_kept *kept = hf_ts_kept_of(sim);
    double scale = kept->step == h || !(kept->step > 0.0) ? 1.0 : h / kept->step;
    if (ts->problem.count == 0) {
        return;
    }
    memset(ts->problem.r, 0, 3 * (size_t)ts->problem.count * sizeof *ts->problem.r);
    // Nothing is known of a contact that was not there
    for (int i = 0, k = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        contact->regime = HF_REGIME_OPEN;
        contact->turn = HF_TURN_NONE;
        contact->memory = -1;
        while (k < kept->count && is_before(&kept->memories[k], contact)) {
            ++k;
        }
        if (k == kept->count || kept->memories[k].key != contact->point.key ||
            // What it was: reaction, regime, and whether it turned round
            kept->memories[k].part != contact->part) {
            continue;
        }
        const hf_ts_memory *memory = &kept->memories[k];
        hf_vec3 last = hf_v3_scale(scale, hf_load3(memory->reaction));
        contact->regime = memory->regime;
        contact->turn = memory->turn;
        contact->memory = k;
        recall_reaction(contact, last, ts->problem.r + 3 * i);
    }
    if (ts->loads.round_count >= 0) {
        recall_round(ts);
    }
}

static bool is_same(const hf_ts_memory *a, const hf_ts_memory *b)
{
    return a->key == b->key && a->part == b->part && a->regime == b->regime && a->turn == b->turn &&
           a->normal == b->normal && a->slip.x == b->slip.x && a->slip.y == b->slip.y &&
           a->slip.z == b->slip.z && memcmp(a->reaction, b->reaction, sizeof a->reaction) == 0;
}

bool hf_ts_memory_at_rest(const hf_sim *sim, int i, hf_ts_memory *memory)
{
    static const double none[2 * HF_TS_ROWS] = {0};
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    const hf_ts_kept *kept = hf_ts_kept_of(sim);
    bool known = contact->memory >= 0 && kept->step == ts->sleep.step;
    const hf_ts_memory *before = known ? &kept->memories[contact->memory] : NULL;
    *memory = (hf_ts_memory){.key = contact->point.key,
                             .normal = contact->kind == HF_TS_POINT ? ts->problem.r[3 * i] : 0.0,
                             .part = contact->part,
                             .regime = contact->regime,
                             .slip = hf_ts_slip_of(contact, none, none + HF_TS_ROWS)};
    hf_store3(memory->reaction, known ? hf_load3(before->reaction) : memory_of(ts, i));
    return contact->regime == HF_REGIME_OPEN ? contact->memory < 0
                                             : known && is_same(memory, before);
}

// Behind what is kept so far, where it is not among the first `known` already: of contacts that
// sleep, those before the key and part. Returns the first that is not.
static int keep_asleep(hf_timestep *ts, hf_ts_kept *kept, int known, int from,
                       const hf_ts_contact *before)
{
    const hf_ts_sleep *sleep = &ts->sleep;
    int i = from;
    for (; i < sleep->count && (before == NULL || is_before(&sleep->memories[i], before)); ++i) {
        if (sleep->memories[i].regime != HF_REGIME_OPEN &&
            kept->count < ts->machine.kept_capacity) {
            hf_ts_memory *to = &kept->memories[kept->count++];
            bool there = to - kept->memories < known && !sleep->moved;
            if (!there || to->key != sleep->memories[i].key ||
                to->part != sleep->memories[i].part) {
                *to = sleep->memories[i];
            }
        }
    }
    return i;
}

void hf_ts_remember(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_kept *kept = hf_ts_kept_of(sim);
    int count = kept->count, asleep = 0;
    // Reactions of a round are not those of the last step
    bool warm = ts->attempt.outcome.warm && ts->loads.round_count < 0 && kept->step == h;
    bool same = kept->step == h && ts->sleep.count == 0;
    kept->step = h;
    kept->count = 0;
    for (int i = 0; i < ts->problem.count && kept->count < ts->machine.kept_capacity; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        const double *r = ts->problem.r + 3 * i;
        if (contact->regime == HF_REGIME_OPEN || contact->part == HF_TS_THIRD) {
            continue;
        }
        asleep = keep_asleep(ts, kept, count, asleep, contact);
        int place = kept->count++;
        hf_ts_memory *memory = &kept->memories[place], before = *memory;
        // Reactions that were the solution stay as they are, without the rounding of axes
        bool stays = warm && contact->memory >= place;
        hf_vec3 reaction =
            stays ? hf_load3(kept->memories[contact->memory].reaction) : memory_of(ts, i);
        *memory = (hf_ts_memory){
            .key = contact->point.key,
            .normal = contact->kind == HF_TS_POINT ? r[0] : 0.0,
            .part = contact->part,
            .regime = contact->regime,
            .slip = hf_ts_slip_of(contact, ts->problem.u + 3 * i, ts->problem.u + 3 * i + 3)};
        hf_store3(memory->reaction, reaction);
        same = same && place < count && is_same(memory, &before);
    }
    (void)keep_asleep(ts, kept, count, asleep, NULL);
    ts->repeat.same_reactions = same && kept->count == count;
}
