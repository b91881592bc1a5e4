// SPDX-License-Identifier: Apache-2.0
// The contacts of a step: those that can close within it, by rising key.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/timestep/timestep.h"
#include "methods/timestep/ways.h"
#include "swarm/swarm.h"

// A further contact, to be filled; NULL: out of memory.
static hf_ts_contact *add_contact(hf_sim *sim, int force, uint64_t feature, hf_ts_kind kind)
{
    hf_timestep *ts = hf_timestep_of(sim);
    void *grown = hf_ts_grow(&sim->allocator, ts->problem.contacts, (size_t)ts->problem.count,
                             (size_t)ts->problem.count + 1, &ts->problem.contact_capacity,
                             sizeof *ts->problem.contacts);
    if (grown == NULL) {
        return NULL;
    }
    ts->problem.contacts = grown;
    hf_ts_contact *contact = &ts->problem.contacts[ts->problem.count++];
    *contact = (hf_ts_contact){.point = {.key = hf_contact_key(force, feature), .force = force},
                               .kind = kind,
                               .friction = -1,
                               .owner = -1,
                               .loader = -1,
                               .row_scale = 1.0};
    return contact;
}

// Takes the last contact back.
static void drop_contact(hf_timestep *ts)
{
    const hf_ts_contact *contact = &ts->problem.contacts[--ts->problem.count];
    if (contact->side_count > 0) {
        ts->problem.y_used = contact->sides[0].y;
    }
}

// ------------------------------------------------------------------------------------------------
// What rows weigh

// Y s along a row of a contact.
static double along(const hf_timestep *ts, const hf_ts_contact *contact, int row, const double *s)
{
    double sum = 0.0;
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        const double *y = ts->problem.y + side->y + (size_t)row * (size_t)side->count;
        for (int k = 0, end = end_of(ts, side); k < end; ++k) {
            sum += y[k] * s[side->s + k];
        }
    }
    return sum;
}

static double diagonal(const hf_timestep *ts, const hf_ts_contact *contact, int row)
{
    double sum = 0.0;
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        const double *y = ts->problem.y + side->y + (size_t)row * (size_t)side->count;
        for (int k = 0, end = end_of(ts, side); k < end; ++k) {
            sum += y[k] * y[k];
        }
    }
    return sum;
}

// The unused tangents of a contact weigh what its rows in use do on the average.
static double weigh_idle(const hf_timestep *ts, hf_ts_contact *contact)
{
    int first = contact->kind == HF_TS_FRICTION ? 1 : 0, end = 1 + contact->rows;
    double weight = 0.0;
    for (int k = first; k < end; ++k) {
        weight += diagonal(ts, contact, k) / (end - first);
    }
    for (int k = 0; k < HF_TS_ROWS; ++k) {
        contact->idle[k] = k < first || k >= end ? weight : 0.0;
    }
    return weight;
}

// ------------------------------------------------------------------------------------------------
// Points

// Whether a gap can close within the step: poses have the velocities without reactions.
static bool is_near(const hf_sim *sim, const hf_contact_place *place, int on, int to, double h)
{
    double speed = hf_v3_norm(hf_velocity_at(&sim->poses[on], place->on_arm)) +
                   hf_v3_norm(hf_velocity_at(&sim->poses[to], place->to_arm));
    return place->gap <= h * (speed + h * hf_v3_norm(sim->model->gravity));
}

static hf_status add_candidate(hf_sim *sim, const hf_contact_point *point)
{
    hf_timestep *ts = hf_timestep_of(sim);
    size_t count = (size_t)ts->nearby.candidate_count;
    void *grown = hf_ts_grow(&sim->allocator, ts->nearby.candidates, count, count + 1,
                             &ts->nearby.candidate_capacity, sizeof *ts->nearby.candidates);
    if (grown == NULL) {
        return HF_ERROR_MEMORY;
    }
    ts->nearby.candidates = grown;
    ts->nearby.candidates[ts->nearby.candidate_count++] = *point;
    return HF_OK;
}

// Rows of a bounded multiplier, `scale` times as large.
static void scale_rows(hf_timestep *ts, hf_ts_contact *contact, double scale)
{
    contact->row_scale = scale;
    for (int k = 1; k <= contact->rows; ++k) {
        contact->drive[k] *= scale;
        contact->drive_before[k] *= scale;
        contact->follows[k] *= scale;
        for (int i = 0; i < contact->side_count; ++i) {
            const hf_ts_side *side = &contact->sides[i];
            double *y = ts->problem.y + side->y + (size_t)k * (size_t)side->count;
            for (int m = 0; m < side->count; ++m) {
                y[m] *= scale;
            }
        }
    }
}

// Friction of spin or rolling of the contact `owner`. Its rows are measured in a length at which
// they weigh what the contact's do: one residual is of both.
static hf_status add_turn(hf_sim *sim, int owner, hf_ts_part part)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_contact *contact = add_contact(sim, 0, 0, HF_TS_FRICTION);
    if (contact == NULL) {
        return HF_ERROR_MEMORY;
    }
    // About the contact's axes
    const hf_ts_contact *point = &ts->problem.contacts[owner];
    contact->point = point->point;
    hf_contact_place *place = &contact->point.place;
    place->y = point->point.grained ? hf_v3_cross(place->n, place->x) : place->y;
    const hf_vec3 axes[3] = {place->n, place->x, place->y};
    contact->part = part;
    contact->owner = owner;
    contact->rows = part == HF_TS_SPIN ? 1 : 2;
    HF_TRY(hf_ts_rows_of_turn(sim, contact, part == HF_TS_SPIN ? axes : axes + 1, contact->rows));
    // As heavy as the contact's own rows
    double weight = weigh_idle(ts, contact);
    if (!(weight > 0.0)) {
        drop_contact(ts);
        return HF_OK;
    }
    double wanted = 0.0;
    for (int k = 0; k < HF_TS_ROWS; ++k) {
        wanted += diagonal(ts, point, k) / HF_TS_ROWS;
    }
    scale_rows(ts, contact, sqrt(wanted / weight));
    (void)weigh_idle(ts, contact);
    return HF_OK;
}

// Whether there is friction of spin or rolling: of the two surfaces, NAN: of the law.
static bool turns(double own, const hf_level *level)
{
    return isnan(own) ? level != NULL && !hf_level_is_zero(level) : own > 0.0;
}

// Whether a point on a tree or in loops has no friction of any kind: it has one row then. (Loose
// bodies have six numbers a row, and more is asked of their tangents.)
static bool is_smooth(const hf_sim *sim, const hf_contact_point *point)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_force_place *force = &sim->model->forces[point->force];
    const hf_rigid_contact_def *def = force->def;
    bool jointed = false;
    for (int k = 0; k < 2; ++k) {
        int mover = ts->machine.pose_mover[k == 0 ? point->on : point->to];
        jointed =
            jointed || (mover >= 0 && ts->machine.groups[ts->machine.movers[mover].group].jointed);
    }
    bool own = point->own && !isnan(point->mu);
    bool turning = turns(point->own ? point->spin : NAN, &def->spin_friction) ||
                   turns(point->own ? point->rolling : NAN, &def->rolling_friction);
    return jointed && !turning && (own ? point->mu == 0.0 : hf_level_is_zero(&def->friction));
}

// HF_OK also when it does not touch.
static hf_status add_point(hf_sim *sim, const hf_contact_point *point, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    // It touches, may be touched within the step, or is far away
    if (!is_near(sim, &point->place, point->on, point->to, h) &&
        !(ts->attempt.assumed.wide && point->place.gap <= ts->nearby.reach)) {
        return point->place.gap <= ts->nearby.reach ? add_candidate(sim, point) : HF_OK;
    }
    // A contact with its rows
    hf_ts_contact *contact = add_contact(sim, point->force, 0, HF_TS_POINT);
    if (contact == NULL) {
        return HF_ERROR_MEMORY;
    }
    contact->point = *point;
    contact->smooth = is_smooth(sim, point);
    HF_TRY(hf_ts_rows_of_point(sim, contact, h));
    if (contact->side_count == 0) {
        drop_contact(ts); // between what does not move
        return HF_OK;
    }
    if (contact->smooth) {
        (void)weigh_idle(ts, contact);
        return HF_OK;
    }
    // Friction of spin and rolling
    const hf_force_place *force = &sim->model->forces[point->force];
    const hf_rigid_contact_def *def = force->def;
    int owner = ts->problem.count - 1;
    bool turning = force->coupling_def.turning;
    if (!turning && !point->own) {
        return HF_OK;
    }
    if (turns(point->own ? point->spin : NAN, turning ? &def->spin_friction : NULL)) {
        HF_TRY(add_turn(sim, owner, HF_TS_SPIN));
    }
    if (turns(point->own ? point->rolling : NAN, turning ? &def->rolling_friction : NULL)) {
        HF_TRY(add_turn(sim, owner, HF_TS_ROLL));
    }
    return HF_OK;
}

bool hf_ts_missed(hf_sim *sim, const double *v, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const double slack = 1e-9; // [m]
    if (ts->nearby.candidate_count == 0) {
        return false;
    }
    hf_update_poses(sim, sim->x, v);
    for (int i = 0; i < ts->nearby.candidate_count; ++i) {
        const hf_contact_point *point = &ts->nearby.candidates[i];
        const hf_contact_place *place = &point->place;
        hf_vec3 rate = hf_v3_sub(hf_velocity_at(&sim->poses[point->on], place->on_arm),
                                 hf_velocity_at(&sim->poses[point->to], place->to_arm));
        if (place->gap + h * hf_v3_dot(place->n, rate) < -slack) {
            return true;
        }
    }
    return false;
}

static hf_status collect_coupling(hf_sim *sim, int force, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_force_place *place = &sim->model->forces[force];
    int ends[2];
    hf_contact_point point = {
        .key = hf_contact_key(force, 0), .force = force, .restitution = hf_ts_restitution(place)};
    point.place = place->ops->touch(place->item, sim->poses, sim->references, ends);
    point.on = ends[0];
    point.to = ends[1];
    if (ts->attempt.traits.turning &&
        (hf_ts_turns(ts, ends[0], h) || hf_ts_turns(ts, ends[1], h))) {
        hf_contact_place middle =
            place->ops->touch(place->item, ts->motion.pose_middle, sim->references, ends);
        if (!hf_ts_same_contact(&point, &middle)) {
            point.place = middle;
            hf_ts_take_back(ts, &point, h);
        }
    }
    return add_point(sim, &point, h);
}

static hf_status collect_swarm(hf_sim *sim, int force, double h)
{
    const hf_force_place *place = &sim->model->forces[force];
    const hf_swarm *swarm = &sim->model->swarms[place->coupling_index];
    hf_swarm_state *state = &sim->swarms[place->coupling_index];
    hf_contact_point point = {.force = force, .restitution = hf_ts_restitution(place)};
    for (int i = 0; i < *state->count; ++i) {
        const hf_pair *pair = &state->pairs[i];
        const hf_swarm_member *a = &swarm->members[pair->on], *b = &swarm->members[pair->to];
        hf_sphere on = {&sim->poses[a->pose], a->center, a->radius};
        hf_sphere to = {&sim->poses[b->pose], b->center, b->radius};
        state->mode[i] = HF_MODE_OPEN;
        if (!hf_force_is_on(sim, place)) {
            continue;
        }
        point.key =
            hf_contact_key(force, (uint64_t)pair->on * (uint64_t)swarm->count + (uint64_t)pair->to);
        point.on = a->pose;
        point.to = b->pose;
        point.place = hf_spheres_place(&on, &to, state->memories[i].reference);
        HF_TRY(add_point(sim, &point, h));
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Limits and friction of couplings

// The lower limit's row is the coupling's, the upper one's its opposite.
static void turn_normal(hf_timestep *ts, hf_ts_contact *contact)
{
    contact->drive_before[0] = -contact->drive_before[0];
    contact->drive[0] = -contact->drive[0];
    contact->follows[0] = -contact->follows[0];
    for (int i = 0; i < contact->side_count; ++i) {
        double *y = ts->problem.y + contact->sides[i].y;
        for (int k = 0; k < contact->sides[i].count; ++k) {
            y[k] = -y[k];
        }
    }
}

// Twice what the step does to a limit: others' impulses may add to it.
static double reach_of(double before, double after, double h)
{
    return 2.0 * h * (fabs(after) + fabs(after - before));
}

// Whether a limit is far away, by the velocities of its coordinates alone.
static bool is_far(const hf_sim *sim, const hf_force_place *force, double gap, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    // Rows round otherwise; loops hold velocities to more than their last digits.
    const double surely = sim->model->cluster_count > 0 ? 1.1 : 1.01;
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
    double before = 0.0, after = 0.0;
    if (force->ops->terms == NULL) {
        return false;
    }
    for (int i = force->ops->terms(force->item, 0, terms) - 1; i >= 0; --i) {
        int v = terms[i].v;
        bool driven = ts->machine.velocity_mover[v] < 0;
        before += terms[i].factor * (driven ? ts->drive.v_before[v] : sim->x[sim->model->nq + v]);
        after += terms[i].factor * (driven ? ts->drive.v[v] : ts->motion.free_v[v]);
    }
    return gap > surely * reach_of(before, after, h);
}

static hf_status collect_limit(hf_sim *sim, int force, bool upper, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_force_place *place = &sim->model->forces[force];
    const hf_stop_def *def = place->def;
    // How far the limit is; a few last digits of the difference are rounding: it is met
    double at = sim->gap[place->row], limit = upper ? def->high : def->low;
    double gap = upper ? limit - at : at - limit;
    double rounding = 4.0 * DBL_EPSILON * (fabs(at) + fabs(limit));
    if (is_far(sim, place, gap - rounding, h)) {
        return HF_OK;
    }
    // A contact with the rows of the stop, and of a friction that it loads
    hf_ts_contact *contact = add_contact(sim, force, upper, HF_TS_STOP);
    if (contact == NULL) {
        return HF_ERROR_MEMORY;
    }
    contact->point.place.gap = gap;
    contact->point.restitution = def->restitution;
    contact->sign = upper ? -1.0 : 1.0;
    contact->friction = ts->machine.partner[force];
    HF_TRY(hf_ts_rows_of_force(sim, contact, force, 0));
    if (contact->friction >= 0) {
        contact->rows = sim->model->forces[contact->friction].dim;
        HF_TRY(hf_ts_rows_of_force(sim, contact, contact->friction, 1));
    }
    hf_ts_finish_rows(sim, contact);
    if (upper) {
        turn_normal(ts, contact);
    }
    // Dropped where it is not met within the step
    double before = along(ts, contact, 0, ts->motion.s_before) + contact->drive_before[0];
    double after = along(ts, contact, 0, ts->motion.s_free) + contact->drive[0];
    double weight = weigh_idle(ts, contact);
    if (!(weight > 0.0) || gap - rounding > reach_of(before, after, h)) {
        drop_contact(ts);
    }
    return HF_OK;
}

// A limit of the rate: the lower or the upper one, as of gaps.
static hf_status collect_speed(hf_sim *sim, int force, bool upper, double h)
{
    enum { FIRST_FEATURE = 2 }; // behind the limits of the gap
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_force_place *place = &sim->model->forces[force];
    const hf_stop_def *def = place->def;
    if (!(def->speed > 0.0) || is_far(sim, place, h * def->speed, h)) {
        return HF_OK;
    }
    hf_ts_contact *contact = add_contact(sim, force, FIRST_FEATURE + upper, HF_TS_STOP);
    if (contact == NULL) {
        return HF_ERROR_MEMORY;
    }
    contact->point.place.gap = h * def->speed;
    contact->sign = upper ? -1.0 : 1.0;
    contact->speed = def->speed;
    HF_TRY(hf_ts_rows_of_force(sim, contact, force, 0));
    hf_ts_finish_rows(sim, contact);
    if (upper) {
        turn_normal(ts, contact);
    }
    if (!(weigh_idle(ts, contact) > 0.0)) {
        drop_contact(ts);
    }
    return HF_OK;
}

// A friction in three coordinates: the contact that was just added has two of them, the next one
// the third.
static hf_status collect_three(hf_sim *sim, int force)
{
    hf_timestep *ts = hf_timestep_of(sim);
    int index = ts->problem.count - 1;
    if (add_contact(sim, force, 0, HF_TS_FRICTION) == NULL) {
        return HF_ERROR_MEMORY;
    }
    // Rows of all three
    hf_ts_contact *plane = &ts->problem.contacts[index], *third = &ts->problem.contacts[index + 1];
    HF_TRY(hf_ts_rows_of_force(sim, plane, force, 0));
    hf_ts_finish_rows(sim, plane);
    double weight = 0.0;
    for (int k = 0; k < HF_TS_ROWS; ++k) {
        weight += diagonal(ts, plane, k) / HF_TS_ROWS;
    }
    if (!(weight > 0.0)) {
        drop_contact(ts);
        drop_contact(ts);
        return HF_OK;
    }
    // Two of them here, in the coupling's own axes
    plane->part = HF_TS_PLANE;
    plane->rows = 2;
    plane->idle[0] = weight;
    plane->point.place.n = hf_v3(0.0, 1.0, 0.0);
    plane->point.place.x = hf_v3(0.0, 0.0, 1.0);
    plane->point.place.y = hf_v3(1.0, 0.0, 0.0);
    // and the third
    third->part = HF_TS_THIRD;
    third->rows = 1;
    third->loader = plane->loader;
    third->idle[0] = third->idle[2] = weight;
    return hf_ts_split_rows(sim, plane, third);
}

// A friction on what loops and driven bodies move without leaving anything free: no reaction
// changes its slip, and it takes its whole level. `bare`: what its rows weigh without loops.
// Returns whether it is one.
static bool is_led(hf_timestep *ts, hf_ts_contact *contact, double bare)
{
    const double rounding = 1e-20; // of squares
    const double light = 1e-3;     // so that the bound is reached soon; levels.c: at once
    double weight = weigh_idle(ts, contact);
    if (!(weight <= rounding * bare) || (contact->drive[1] == 0.0 && contact->drive[2] == 0.0)) {
        return false;
    }
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        memset(ts->problem.y + side->y, 0,
               (size_t)side->count * HF_TS_ROWS * sizeof *ts->problem.y);
    }
    for (int k = 0; k < HF_TS_ROWS; ++k) {
        contact->idle[k] = light * bare;
    }
    contact->led = true;
    return true;
}

static hf_status collect_friction(hf_sim *sim, int force)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_force_place *place = &sim->model->forces[force];
    if (ts->machine.partner[force] >= 0) {
        return HF_OK; // with its stop
    }
    hf_ts_contact *contact = add_contact(sim, force, 0, HF_TS_FRICTION);
    if (contact == NULL) {
        return HF_ERROR_MEMORY;
    }
    int normal = place->normal_force;
    contact->loader = normal >= 0 && hf_ts_owns(&sim->model->forces[normal]) ? normal : -1;
    if (place->dim == 3) {
        return collect_three(sim, force);
    }
    contact->rows = place->dim;
    HF_TRY(hf_ts_rows_of_force(sim, contact, force, 1));
    double bare = weigh_idle(ts, contact);
    hf_ts_finish_rows(sim, contact);
    if (sim->model->cluster_driver_count > 0 && is_led(ts, contact, bare)) {
        return HF_OK;
    }
    if (!(weigh_idle(ts, contact) > 0.0)) {
        drop_contact(ts);
    }
    return HF_OK;
}

// Those that the collider found for this force.
static hf_status collect_shapes(hf_sim *sim, int force, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    int low = 0, high = ts->nearby.shape_count;
    while (low < high) { // they are in the order of forces
        int middle = low + (high - low) / 2;
        if (ts->nearby.shape_points[middle].force < force) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    double restitution = hf_ts_restitution(&sim->model->forces[force]);
    for (int i = low; i < ts->nearby.shape_count && ts->nearby.shape_points[i].force == force;
         ++i) {
        if (!ts->nearby.shape_points[i].own) {
            ts->nearby.shape_points[i].restitution = restitution;
        }
        HF_TRY(add_point(sim, &ts->nearby.shape_points[i], h));
    }
    return HF_OK;
}

static hf_status collect_force(hf_sim *sim, int force, double h)
{
    const hf_force_place *place = &sim->model->forces[force];
    if (place->exact == HF_EXACT_FRICTION) {
        return collect_friction(sim, force);
    }
    if (!hf_force_is_on(sim, place) && !place->ops->keeps_pairs) {
        return HF_OK; // a stop or contact that is not there
    }
    if (place->exact == HF_EXACT_STOP) {
        HF_TRY(collect_limit(sim, force, false, h));
        HF_TRY(collect_limit(sim, force, true, h));
        HF_TRY(collect_speed(sim, force, false, h));
        return collect_speed(sim, force, true, h);
    }
    return place->ops->keeps_pairs      ? collect_swarm(sim, force, h)
           : place->ops->needs_collider ? collect_shapes(sim, force, h)
                                        : collect_coupling(sim, force, h);
}

// How deep a body goes into what is in its way before that counts as such, in allowed penetrations:
// what lies on a floor may be as deep in it as is allowed, and the next tile of the floor is none.
static const double IN_THE_WAY = 3.0;

static double fastest(const hf_sim *sim)
{
    double squares = 0.0;
    for (int i = 1; i < sim->model->pose_count; ++i) {
        squares = fmax(squares, hf_v3_dot(sim->poses[i].velocity, sim->poses[i].velocity));
    }
    return sqrt(squares);
}

// Points of contact between shapes that anything can close within the step.
static hf_status find_shapes(hf_sim *sim, double h, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts->machine.collider == NULL) {
        return HF_OK;
    }
    hf_collider *collider = ts->machine.collider;
    double speed = 0.0, reach = hf_collider_reach(collider);
    for (int i = 1; i < sim->model->pose_count; ++i) {
        const hf_pose *pose = &sim->poses[i];
        speed = fmax(speed, hf_v3_norm(pose->velocity) + reach * hf_v3_norm(pose->spin));
    }
    double margin = hf_ts_margin(sim, h, speed);
    int pairs = hf_collider_search(collider, sim->poses, margin);
    const hf_course course = {.velocities = ts->motion.pose_velocity,
                              .spins = ts->motion.pose_spin,
                              .step = h,
                              .depth = IN_THE_WAY * ts->machine.allowed,
                              .turn = HF_TS_TURN,
                              .rest = hf_ts_sleep_sort(sim, h, pairs)};
    hf_contact_point *points = ts->nearby.shape_points;
    int count = pairs < 0 ? -1
                          : hf_collider_points(collider, margin, &course, points,
                                               hf_collider_capacity(collider));
    ts->nearby.shape_count = hf_collider_even_out(collider, points, count, ts->nearby.level_room);
    return ts->nearby.shape_count < 0 ? hf_collider_fail(collider, sim->core->time, error) : HF_OK;
}

hf_status hf_ts_collect(hf_sim *sim, double h, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    ts->problem.count = 0;
    ts->problem.y_used = 0;
    ts->delassus.assembled = false;
    ts->nearby.candidate_count = 0;
    ts->nearby.reach = 2.0 * h * fastest(sim);
    hf_ts_turn_poses(sim, h);
    HF_TRY(find_shapes(sim, h, error));
    for (int i = 0; i < sim->model->force_count; ++i) {
        if (hf_ts_owns(&sim->model->forces[i]) && collect_force(sim, i, h) != HF_OK) {
            return hf_error_at(error, HF_ERROR_MEMORY, hf_at_time(sim->core->time, NULL, NULL),
                               "out of memory for contacts");
        }
    }
    return HF_OK;
}
