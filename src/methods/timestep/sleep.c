// SPDX-License-Identifier: Apache-2.0
// Islands at rest beside what moves.
//
// Bodies at rest that nothing in motion comes near are calm. The contacts that join them are an
// island, and an island of calm bodies whose last reactions hold it by its own measure is taken out
// of the step (calm.c): its bodies have no velocity, its reactions stay. All of that depends on the
// island alone: on its bodies' coordinates, on their velocities without reactions, on what is
// remembered of its contacts and on the step. When a step has left all of it as it was to the bit,
// and the next one finds it so, the island sleeps: it is not looked at again. So sleep is no
// state of the machine, and bits are those of a machine that looks at all of it (tested).
//
// What comes near is decided by the pairs within the margin of the whole search: bodies that such
// pairs join are calm together or not at all, and sleep together or not at all.
#include <math.h>
#include <string.h>

#include "base/carve.h"
#include "base/sets.h"
#include "methods/timestep/timestep.h"
#include "solvers/fc3d/fc3d_internal.h"

// ------------------------------------------------------------------------------------------------
// Creation

static const hf_body_place *body_of(const hf_sim *sim, int pose)
{
    return &sim->model->bodies[hf_timestep_of(sim)->machine.pose_body[pose] - 1];
}

static hf_ts_group *group_of(const hf_timestep *ts, int pose)
{
    return &ts->machine.groups[ts->machine.movers[ts->machine.pose_mover[pose]].group];
}

// Whether contacts of a force depend on more than the bodies that touch: its coefficients on
// whether others let go.
static bool is_plain(const hf_force_place *force)
{
    const hf_rigid_contact_def *def = force->def;
    return hf_ts_owns(force) && !hf_level_falls(&def->friction) &&
           !hf_level_falls(&def->spin_friction) && !hf_level_falls(&def->rolling_friction);
}

// Loose bodies that are solved for in contacts between shapes alone can sleep. Returns whether
// there are some.
static bool find_able(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    bool *able = ts->sleep.able, some = false;
    int movers[HF_COUPLING_MAX_TERMS];
    // One mover in its group, which is no tree, in no loop and without implicit forces
    for (int i = 1; i < model->pose_count; ++i) {
        int mover = ts->machine.pose_mover[i];
        const hf_ts_group *group = mover < 0 ? NULL : group_of(ts, i);
        able[i] = group != NULL && !group->jointed && !group->stiff && group->cluster < 0 &&
                  group->count == ts->machine.movers[mover].count;
    }
    // In no other force that is solved for
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->ops->needs_collider && !is_plain(force)) {
            return false;
        }
        if (!hf_ts_owns(force) || force->ops->needs_collider) {
            continue;
        }
        if (force->ops->keeps_pairs) {
            const hf_swarm *swarm = &model->swarms[force->coupling_index];
            for (int k = 0; k < swarm->count; ++k) {
                able[swarm->members[k].pose] = false;
            }
            continue;
        }
        int count = hf_force_movers(model, force, movers);
        for (int k = 1; k < model->pose_count; ++k) {
            for (int m = 0; m < count; ++m) {
                able[k] = able[k] && ts->machine.pose_mover[k] != movers[m];
            }
        }
    }
    for (int i = 1; i < model->pose_count; ++i) {
        some = some || able[i];
    }
    return some;
}

static void lay_out(const hf_sim *sim, hf_ts_sleep *sleep, hf_carver *c)
{
    const hf_model *model = sim->model;
    size_t poses = (size_t)model->pose_count, groups = (size_t)model->mover_count;
    double **by_pose[] = {&sleep->rest, &sleep->margin, &sleep->speed, &sleep->residual};
    for (size_t i = 0; i < sizeof by_pose / sizeof *by_pose; ++i) {
        *by_pose[i] = hf_carve(c, poses, sizeof(double));
    }
    sleep->q = hf_carve(c, (size_t)model->nq, sizeof(double));
    sleep->free_v = hf_carve(c, (size_t)model->nv, sizeof(double));
    sleep->led = hf_carve(c, poses, sizeof *sleep->led);
    sleep->of_force = hf_carve(c, (size_t)model->force_count, sizeof *sleep->of_force);
    sleep->islands = hf_carve(c, groups, sizeof *sleep->islands);
    sleep->joined = hf_carve(c, groups, sizeof *sleep->joined);
    sleep->near = hf_carve(c, poses, sizeof *sleep->near);
    sleep->able = hf_carve(c, poses, sizeof *sleep->able);
    sleep->state = hf_carve(c, poses, sizeof *sleep->state);
    sleep->flags = hf_carve(c, poses, sizeof *sleep->flags);
    sleep->fresh = hf_carve(c, poses, sizeof *sleep->fresh);
    sleep->restless = hf_carve(c, poses, sizeof *sleep->restless);
    sleep->runs = hf_carve(c, poses, sizeof *sleep->runs);
    sleep->on = hf_carve(c, (size_t)model->force_count, sizeof *sleep->on);
}

hf_status hf_ts_sleep_create(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    hf_carver counter = {0};
    if (ts->machine.collider == NULL || sim->loads != NULL) {
        return HF_OK;
    }
    lay_out(sim, sleep, &counter);
    char *block =
        counter.overflow ? NULL : sim->allocator.allocate(sim->allocator.context, counter.used);
    if (block == NULL) {
        sleep->rest = NULL;
        return HF_ERROR_MEMORY;
    }
    memset(block, 0, counter.used);
    lay_out(sim, sleep, &(hf_carver){.base = block});
    sleep->possible = find_able(sim);
    for (int i = 1; i < sim->model->pose_count; ++i) {
        sleep->runs[i] = hf_collider_runs_surface(ts->machine.collider, i);
    }
    return HF_OK;
}

void hf_ts_sleep_destroy(hf_sim *sim)
{
    hf_ts_sleep *sleep = &hf_timestep_of(sim)->sleep;
    void *const blocks[] = {sleep->rest, sleep->contacts, sleep->r, sleep->memories, sleep->pairs};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        if (blocks[i] != NULL) {
            sim->allocator.release(sim->allocator.context, blocks[i]);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// The list of what sleeps

// What forces have of it, and the worst residual.
static void sum_up(hf_sim *sim)
{
    hf_ts_sleep *sleep = &hf_timestep_of(sim)->sleep;
    sleep->moved = true;
    memset(sleep->of_force, 0, (size_t)sim->model->force_count * sizeof *sleep->of_force);
    sleep->point_count = 0;
    sleep->worst = 0.0;
    // Pairs
    for (int i = 0; i < sleep->pair_count; ++i) {
        sleep->of_force[sleep->pairs[i].force].pairs += 1;
    }
    // Contacts; points of a pair stand together
    const hf_contact_point *last = NULL;
    for (int i = 0; i < sleep->count; ++i) {
        const hf_ts_contact *contact = &sleep->contacts[i];
        const double *r = sleep->r + 3 * i;
        hf_ts_slept *sum = &sleep->of_force[contact->point.force];
        sleep->point_count += contact->kind == HF_TS_POINT ? 1 : 0;
        sleep->worst = fmax(sleep->worst, sleep->residual[contact->point.on]);
        if (contact->kind != HF_TS_POINT) {
            continue;
        }
        sum->closed = sum->closed || contact->regime != HF_REGIME_OPEN;
        if (!(r[0] > 0.0)) {
            continue;
        }
        bool same = last != NULL && last->force == contact->point.force &&
                    last->on == contact->point.on && last->to == contact->point.to;
        sum->touching += same ? 0 : 1;
        sum->largest = fmax(sum->largest, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        last = &contact->point;
    }
}

// Takes out what no longer sleeps.
static void drop_awake(hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &hf_timestep_of(sim)->sleep;
    int kept = 0, pairs = 0;
    for (int i = 0; i < sleep->count; ++i) {
        if (!ts->machine.groups[sleep->contacts[i].sides[0].group].asleep) {
            continue;
        }
        if (kept < i) {
            sleep->contacts[kept] = sleep->contacts[i];
            sleep->memories[kept] = sleep->memories[i];
            memcpy(sleep->r + 3 * kept, sleep->r + 3 * i, 3 * sizeof *sleep->r);
        }
        ++kept;
    }
    for (int i = 0; i < sleep->pair_count; ++i) {
        if (sleep->state[sleep->pairs[i].pose] == HF_TS_ASLEEP) {
            sleep->pairs[pairs++] = sleep->pairs[i];
        }
    }
    sleep->count = kept;
    sleep->pair_count = pairs;
    sum_up(sim);
}

static void wake_all(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    for (int i = 1; i < sim->model->pose_count; ++i) {
        if (sleep->state[i] == HF_TS_ASLEEP) {
            group_of(ts, i)->asleep = false;
        }
        sleep->state[i] = HF_TS_STIRS;
    }
    sleep->count = sleep->pair_count = 0;
    sum_up(sim);
}

// ------------------------------------------------------------------------------------------------
// A step

// Whether forces act that did not, or the other way round.
static bool gates_changed(hf_sim *sim)
{
    hf_ts_sleep *sleep = &hf_timestep_of(sim)->sleep;
    bool changed = false;
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        bool on = force->ops->needs_collider && hf_force_is_on(sim, force);
        changed = changed || on != sleep->on[i];
        sleep->on[i] = on;
    }
    return changed;
}

void hf_ts_sleep_begin(hf_sim *sim, double h, bool running)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    if (!sleep->possible) {
        return;
    }
    // A machine that rests as a whole is left to repeat.c
    sleep->used = sim->sensitivity == NULL && !sleep->barred && ts->plugged.solve == NULL &&
                  ts->plugged.leader == NULL && ts->solver->def.method != HF_FC3D_LEMKE &&
                  !hf_ts_nothing_moves(sim);
    sleep->judged = sleep->moved = false;
    bool changed = gates_changed(sim);
    bool all = !sleep->used || sleep->anew || !running || changed || h != sleep->step ||
               h != hf_ts_kept_of(sim)->step;
    if (all && sleep->count > 0) {
        wake_all(sim);
    }
    sleep->step = h;
}

static bool is_zero(hf_vec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static bool is_at_rest(const hf_sim *sim, const hf_body_place *body)
{
    const double *v = sim->x + sim->model->nq + body->v;
    int i = 0;
    while (i < body->nv && v[i] == 0.0) {
        ++i;
    }
    return i == body->nv;
}

// Whether what a sleeping body's rest depends on is as it was.
static bool is_as_it_was(const hf_sim *sim, const hf_body_place *body)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_sleep *sleep = &ts->sleep;
    return !sleep->fresh[body->pose] && is_at_rest(sim, body) &&
           memcmp(sleep->q + body->q, sim->x + body->q, (size_t)body->nq * sizeof *sim->x) == 0 &&
           memcmp(sleep->free_v + body->v, ts->motion.free_v + body->v,
                  (size_t)body->nv * sizeof *sim->x) == 0;
}

// Flags of bodies, and of sets of them by their root.
enum { STIRRED = 1, AWAKE = 2 };

// A driven body as it is in this step; zero where nothing depends on it.
static hf_ts_placed placed(const hf_sim *sim, int pose)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_placed now;
    memset(&now, 0, sizeof now);
    if (ts->sleep.runs[pose]) {
        now.belt[0] = ts->drive.pose_before[pose];
        now.belt[1] = ts->drive.pose[pose];
    } else {
        now.position = sim->poses[pose].position;
        now.rotation = sim->poses[pose].rotation;
    }
    return now;
}

// Driven bodies: where they are, and whether they move. What slept wakes when one has jumped, which
// no velocity tells, or when a surface runs at another speed. Returns whether one has.
static bool place_led(hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_drive *drive = &ts->drive;
    hf_ts_sleep *sleep = &hf_timestep_of(sim)->sleep;
    bool jumped = false;
    for (int i = 1; i < sim->model->pose_count; ++i) {
        if (ts->machine.pose_mover[i] >= 0) {
            continue;
        }
        const hf_ts_placed now = placed(sim, i);
        bool still = is_zero(drive->pose[i]) && is_zero(drive->spin[i]) &&
                     is_zero(drive->pose_before[i]) && is_zero(drive->spin_before[i]);
        bool other = memcmp(&now, &sleep->led[i], sizeof now) != 0;
        jumped = jumped || (other && (sleep->runs[i] || sleep->state[i] == HF_TS_CALM));
        sleep->state[i] = still ? HF_TS_CALM : HF_TS_STIRS;
        sleep->led[i] = now;
    }
    return jumped;
}

// Wakes what is not as it was, with all that was near when it fell asleep.
static bool wake_changed(hf_sim *sim, bool all)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    bool woken = false;
    memset(sleep->restless, 0, (size_t)sim->model->pose_count * sizeof *sleep->restless);
    for (int i = 1; i < sim->model->pose_count; ++i) {
        if (sleep->state[i] == HF_TS_ASLEEP && (all || !is_as_it_was(sim, body_of(sim, i)))) {
            sleep->restless[hf_sets_root(sleep->near, i)] = woken = true;
        }
    }
    for (int i = 1; i < sim->model->pose_count && woken; ++i) {
        if (sleep->state[i] == HF_TS_ASLEEP && sleep->restless[hf_sets_root(sleep->near, i)]) {
            sleep->state[i] = HF_TS_STIRS;
            group_of(ts, i)->asleep = false;
        }
    }
    return woken;
}

// What moves, and what a first look finds at rest.
static void classify(hf_sim *sim, bool first)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &hf_timestep_of(sim)->sleep;
    for (int i = 1; i < sim->model->pose_count; ++i) {
        sleep->flags[i] = 0;
        if (ts->machine.pose_mover[i] >= 0 && sleep->state[i] != HF_TS_ASLEEP) {
            bool rests = first && sleep->able[i] && is_at_rest(sim, body_of(sim, i));
            sleep->state[i] = rests ? HF_TS_CALM : HF_TS_STIRS;
            sleep->flags[i] = rests ? AWAKE : AWAKE | STIRRED;
        }
    }
}

// Sets of bodies that near pairs join; flags and the fastest speed of each, at its root.
static void join_near(hf_sim *sim, int pairs)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &hf_timestep_of(sim)->sleep;
    double reach = hf_collider_reach(ts->machine.collider);
    int count = sim->model->pose_count;
    hf_sets_clear(sleep->near, count);
    for (int i = 0; i < pairs; ++i) {
        int p[2];
        hf_collider_pair_poses(ts->machine.collider, i, p);
        bool a = ts->machine.pose_mover[p[0]] >= 0, b = ts->machine.pose_mover[p[1]] >= 0;
        if (a && b) {
            hf_sets_join(sleep->near, p[0], p[1]);
        } else if (p[0] > 0 && p[1] > 0) { // one of them is driven
            int on = a ? p[0] : p[1], led = a ? p[1] : p[0];
            sleep->flags[on] |= sleep->state[led] == HF_TS_STIRS ? STIRRED : 0;
        }
    }
    for (int i = 1; i < count; ++i) {
        sleep->speed[i] = 0.0;
    }
    for (int i = 1; i < count; ++i) {
        const hf_pose *pose = &sim->poses[i];
        int root = hf_sets_root(sleep->near, i);
        double speed = hf_v3_norm(pose->velocity) + reach * hf_v3_norm(pose->spin);
        sleep->speed[root] = fmax(sleep->speed[root], speed);
        sleep->flags[root] |= sleep->flags[i];
    }
}

static const double MARGIN_STEPS = 16.0; // between two powers of two: 8

// Rounded up, so that it stays what it is while little moves: what lies still is then known.
double hf_ts_margin(const hf_sim *sim, double h, double speed)
{
    int scale = 0;
    double share = frexp(h * (2.0 * speed + h * hf_v3_norm(sim->model->gravity)), &scale);
    return ldexp(ceil(MARGIN_STEPS * share) / MARGIN_STEPS, scale);
}

const double *hf_ts_sleep_sort(hf_sim *sim, double h, int pairs)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    bool first = !sleep->judged;
    if (!sleep->possible || !sleep->used) {
        return NULL;
    }
    // What stirs, what has changed, and what is near it
    bool jumped = place_led(sim), woken = first && wake_changed(sim, jumped);
    classify(sim, first);
    join_near(sim, pairs);
    sleep->rest[0] = 0.0;
    double speed = -1.0, margin = 0.0;
    for (int i = 1; i < sim->model->pose_count; ++i) {
        hf_ts_rest *state = &sleep->state[i];
        int root = hf_sets_root(sleep->near, i), flags = sleep->flags[root];
        if (ts->machine.pose_mover[i] < 0) {
            sleep->rest[i] = *state == HF_TS_CALM ? 0.0 : NAN;
            continue;
        }
        // What sleeps goes on, or wakes; what is calm is so with all that is near
        if (sleep->speed[root] != speed) {
            speed = sleep->speed[root];
            margin = hf_ts_margin(sim, h, speed);
        }
        bool asleep = *state == HF_TS_ASLEEP;
        if (asleep && (flags != 0 || margin != sleep->margin[i])) {
            *state = first ? HF_TS_CALM : HF_TS_STIRS;
            group_of(ts, i)->asleep = false;
            woken = true;
        }
        *state = *state == HF_TS_CALM && (flags & STIRRED) != 0 ? HF_TS_STIRS : *state;
        group_of(ts, i)->calm = *state == HF_TS_CALM;
        sleep->rest[i] = *state == HF_TS_ASLEEP ? -1.0 : *state == HF_TS_CALM ? margin : NAN;
        sleep->margin[i] = margin;
    }
    if (woken) {
        drop_awake(sim);
    }
    sleep->slept += first ? sleep->count : 0;
    return sleep->rest;
}

// ------------------------------------------------------------------------------------------------
// Bodies fall asleep

static bool is_behind(const hf_contact_point *a, hf_ts_part part, const hf_ts_contact *b)
{
    return a->key != b->point.key ? a->key > b->point.key : part > b->part;
}

static bool reserve(hf_sim *sim, size_t more)
{
    hf_ts_sleep *sleep = &hf_timestep_of(sim)->sleep;
    const hf_allocator *allocator = &sim->allocator;
    size_t used = (size_t)sleep->count, count = used + more;
    size_t capacities[3] = {sleep->capacity, sleep->capacity, sleep->capacity};
    void *contacts = hf_ts_grow(allocator, sleep->contacts, used, count, &capacities[0],
                                sizeof *sleep->contacts);
    sleep->contacts = contacts == NULL ? sleep->contacts : contacts;
    void *r = hf_ts_grow(allocator, sleep->r, used, count, &capacities[1], 3 * sizeof *sleep->r);
    sleep->r = r == NULL ? sleep->r : r;
    void *memories = hf_ts_grow(allocator, sleep->memories, used, count, &capacities[2],
                                sizeof *sleep->memories);
    sleep->memories = memories == NULL ? sleep->memories : memories;
    bool good = contacts != NULL && r != NULL && memories != NULL;
    sleep->capacity = good ? capacities[0] : sleep->capacity;
    // Pairs have one point at least
    size_t pairs = (size_t)sleep->pair_count,
           most = pairs + (size_t)hf_timestep_of(sim)->nearby.shape_count;
    void *grown = hf_ts_grow(allocator, sleep->pairs, pairs, most, &sleep->pair_capacity,
                             sizeof *sleep->pairs);
    sleep->pairs = grown == NULL ? sleep->pairs : grown;
    return good && grown != NULL;
}

// Contacts of the step into the list, in the order of keys; what is left of the step's.
static void move_contacts(hf_sim *sim, int more)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    int at = sleep->count - 1, to = sleep->count + more - 1;
    // From the last one on, each where its key belongs
    for (int i = ts->problem.count - 1; i >= 0; --i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (!ts->machine.groups[contact->sides[0].group].asleep) {
            continue;
        }
        for (; at >= 0 && is_behind(&sleep->contacts[at].point, sleep->contacts[at].part, contact);
             --at, --to) {
            sleep->contacts[to] = sleep->contacts[at];
            sleep->memories[to] = sleep->memories[at];
            memcpy(sleep->r + 3 * to, sleep->r + 3 * at, 3 * sizeof *sleep->r);
        }
        sleep->contacts[to] = *contact;
        memcpy(sleep->r + 3 * to, ts->problem.r + 3 * i, 3 * sizeof *sleep->r);
        bool fresh = !hf_ts_memory_at_rest(sim, i, &sleep->memories[to]);
        int poses[2] = {contact->point.on, contact->point.to};
        for (int k = 0; k < 2 && fresh; ++k) {
            sleep->fresh[poses[k]] = true;
        }
        --to;
    }
    sleep->count += more;
    // Owners come before what they own
    int kept = 0, *place = ts->part_place;
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        if (!ts->machine.groups[contact->sides[0].group].asleep) {
            place[i] = kept;
            contact->owner = contact->owner >= 0 ? place[contact->owner] : contact->owner;
            ts->problem.contacts[kept++] = *contact;
        }
    }
    ts->problem.count = kept;
}

static bool sleeps(const hf_ts_sleep *sleep, const hf_contact_point *point)
{
    return sleep->state[point->on] == HF_TS_ASLEEP || sleep->state[point->to] == HF_TS_ASLEEP;
}

// The same of points that were found, and of gaps that impulses could close.
static void move_points(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    hf_ts_nearby *nearby = &ts->nearby;
    int kept = 0, candidates = 0;
    hf_ts_slept_pair last = {.force = -1};
    for (int i = 0; i < nearby->shape_count; ++i) {
        const hf_contact_point *point = &nearby->shape_points[i];
        if (!sleeps(sleep, point)) {
            nearby->shape_points[kept++] = *point;
            continue;
        }
        int pose = sleep->state[point->on] == HF_TS_ASLEEP ? point->on : point->to;
        hf_ts_slept_pair now = {point->force, pose, point->on + point->to - pose};
        if (now.force != last.force || now.pose != last.pose || now.other != last.other) {
            sleep->pairs[sleep->pair_count++] = now;
        }
        last = now;
    }
    nearby->shape_count = kept;
    for (int i = 0; i < nearby->candidate_count; ++i) {
        if (!sleeps(sleep, &nearby->candidates[i])) {
            nearby->candidates[candidates++] = nearby->candidates[i];
        }
    }
    nearby->candidate_count = candidates;
}

hf_status hf_ts_fall_asleep(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    int more = 0;
    // Room for their contacts and pairs: without it nothing has changed
    for (int i = 0; i < ts->problem.count; ++i) {
        more += ts->machine.groups[ts->problem.contacts[i].sides[0].group].calm ? 1 : 0;
    }
    if (!reserve(sim, (size_t)more)) {
        return HF_ERROR_MEMORY;
    }
    // What their rest depends on
    for (int i = 1; i < model->pose_count; ++i) {
        if (ts->machine.pose_mover[i] < 0 || !group_of(ts, i)->calm) {
            continue;
        }
        const hf_body_place *body = body_of(sim, i);
        group_of(ts, i)->asleep = true;
        sleep->state[i] = HF_TS_ASLEEP;
        sleep->fresh[i] = false;
        memcpy(sleep->q + body->q, sim->x + body->q, (size_t)body->nq * sizeof *sleep->q);
        memcpy(sleep->free_v + body->v, ts->motion.free_v + body->v,
               (size_t)body->nv * sizeof *sleep->free_v);
    }
    // Their contacts and pairs
    move_contacts(sim, more);
    move_points(sim);
    sum_up(sim);
    return HF_OK;
}
