// SPDX-License-Identifier: Apache-2.0
// Rows of contacts: Y = J L'^-1, mover by mover.
#include <string.h>

#include "base/error.h"
#include "methods/timestep/timestep.h"

static hf_status out_of_room(hf_ts_contact *contact)
{
    contact->side_count = 0;
    return HF_ERROR_MEMORY;
}

static bool is_on_way(const int *above, int leaf, int k)
{
    while (leaf > k) {
        leaf = above[leaf];
    }
    return leaf == k;
}

// The contact's rows of a mover get numbers on the way from `leaf`.
static void reach(const hf_timestep *ts, hf_ts_contact *contact, const hf_ts_mover *mover, int leaf)
{
    const hf_ts_group *group = &ts->machine.groups[mover->group];
    if (!hf_ts_is_branched(ts, group)) {
        return;
    }
    hf_ts_side *side = &contact->sides[contact->side_count - 1];
    side = side->group == mover->group ? side : &contact->sides[0];
    if (side->leaf == HF_TS_ANYWHERE || leaf == HF_TS_ANYWHERE) {
        side->leaf = HF_TS_ANYWHERE;
    } else if (side->leaf < leaf) {
        bool one = side->leaf < 0 || is_on_way(group->above, leaf, side->leaf);
        side->leaf = one ? leaf : HF_TS_ANYWHERE;
    } else if (leaf >= 0 && !is_on_way(group->above, side->leaf, leaf)) {
        side->leaf = HF_TS_ANYWHERE;
    }
}

// The contact's rows of a mover, `*stride` numbers apart; NULL: out of memory. The side is new and
// zero, or the one that the contact has already.
static double *rows_on(hf_sim *sim, hf_ts_contact *contact, const hf_ts_mover *mover,
                       size_t *stride)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_group *group = &ts->machine.groups[mover->group];
    int i = 0;
    while (i < contact->side_count && contact->sides[i].group != mover->group) {
        ++i;
    }
    *stride = (size_t)group->count;
    if (i == contact->side_count) {
        size_t count = *stride * HF_TS_ROWS;
        void *grown =
            hf_ts_grow(&sim->allocator, ts->problem.y, ts->problem.y_used,
                       ts->problem.y_used + count, &ts->problem.y_capacity, sizeof *ts->problem.y);
        if (grown == NULL) {
            return NULL;
        }
        ts->problem.y = grown;
        contact->sides[contact->side_count++] =
            (hf_ts_side){.group = mover->group,
                         .s = group->s,
                         .count = group->count,
                         .leaf = hf_ts_is_branched(ts, group) ? -1 : group->count - 1,
                         .y = ts->problem.y_used};
        memset(ts->problem.y + ts->problem.y_used, 0, count * sizeof *ts->problem.y);
        ts->problem.y_used += count;
    }
    return ts->problem.y + contact->sides[i].y + (mover->s - group->s);
}

static bool is_zero(const double *row, int count)
{
    int i = 0;
    while (i < count && row[i] == 0.0) {
        ++i;
    }
    return i == count;
}

static double along(const double *row, const double *s, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += row[i] * s[i];
    }
    return sum;
}

// What loops take out of a row. Where they hold to driven bodies, velocities have a part in it that
// no reaction changes: it belongs to the share of driven bodies.
static void take_loops(const hf_sim *sim, hf_ts_contact *contact, const hf_ts_group *group, int k,
                       double *row)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const double *before = ts->motion.s_before + group->s, *free = ts->motion.s_free + group->s;
    bool driven = sim->model->cluster_driver_count > 0;
    double there = driven ? along(row, before, group->count) : 0.0;
    double then = driven ? along(row, free, group->count) : 0.0;
    hf_ts_keep_loops(ts, group, row);
    if (driven) {
        there -= along(row, before, group->count);
        then -= along(row, free, group->count);
        contact->drive_before[k] += there;
        contact->drive[k] += then;
        contact->follows[k] += then - there;
    }
}

// Loops hold whatever a contact pushes at, implicit forces as much of it as they do. Limits and
// frictions of one coordinate have one row; the others are zero, and stay so.
static void keep_loops(const hf_sim *sim, hf_ts_contact *contact)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        const hf_ts_group *group = &ts->machine.groups[side->group];
        double *rows = ts->problem.y + side->y;
        size_t count = (size_t)side->count;
        if (!group->stiff && group->rank == 0) {
            continue;
        }
        // Rows in use come one behind the other
        int first = 0, end = HF_TS_ROWS;
        while (first < end && is_zero(rows + (size_t)first * count, side->count)) {
            ++first;
        }
        while (end > first && is_zero(rows + (size_t)(end - 1) * count, side->count)) {
            --end;
        }
        if (group->stiff) {
            hf_ts_envelope_half_rows(ts, group, end - first, rows + (size_t)first * count);
        }
        for (int k = first; k < end && group->rank > 0; ++k) {
            take_loops(sim, contact, group, k, rows + (size_t)k * count);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Points

static int leaf_of(const hf_ts_mover *mover, int pose)
{
    return mover->ops->leaf == NULL ? HF_TS_ANYWHERE : mover->ops->leaf(mover->body, pose);
}

static bool add_point_side(hf_sim *sim, hf_ts_contact *contact, const hf_body_push *push)
{
    hf_timestep *ts = hf_timestep_of(sim);
    int index = ts->machine.pose_mover[push->pose];
    if (index < 0) {
        return true;
    }
    const hf_ts_mover *mover = &ts->machine.movers[index];
    size_t stride;
    double *y = rows_on(sim, contact, mover, &stride);
    if (y == NULL) {
        return false;
    }
    reach(ts, contact, mover, leaf_of(mover, push->pose));
    mover->ops->rows(mover->body, hf_sim_io(sim, sim->x, sim->rest), push, mover->l, y, stride,
                     ts->scratch.jacobian);
    return true;
}

// Turns of a pose, where it has them.
static bool add_turn_side(hf_sim *sim, hf_ts_contact *contact, int pose, const hf_vec3 *axes,
                          int count, double sign)
{
    hf_timestep *ts = hf_timestep_of(sim);
    int index = ts->machine.pose_mover[pose];
    if (index < 0 || !ts->machine.movers[index].ops->turns) {
        return true;
    }
    const hf_ts_mover *mover = &ts->machine.movers[index];
    size_t stride;
    double *y = rows_on(sim, contact, mover, &stride);
    if (y == NULL) {
        return false;
    }
    reach(ts, contact, mover, leaf_of(mover, pose));
    mover->ops->rows(mover->body, hf_sim_io(sim, sim->x, sim->rest),
                     &(hf_body_push){.pose = pose, .torque = axes, .count = count, .sign = sign},
                     mover->l, y + stride, stride, ts->scratch.jacobian);
    return true;
}

hf_status hf_ts_rows_of_turn(hf_sim *sim, hf_ts_contact *contact, const hf_vec3 *axes, int count)
{
    const hf_contact_point *point = &contact->point;
    if (!add_turn_side(sim, contact, point->on, axes, count, 1.0) ||
        !add_turn_side(sim, contact, point->to, axes, count, -1.0)) {
        return out_of_room(contact);
    }
    keep_loops(sim, contact);
    return HF_OK;
}

// u of what is driven, along the contact's axes.
static void add_drive(const hf_contact_place *place, hf_vec3 velocity, double sign, double *u)
{
    hf_vec3 along = hf_in_axes(place, velocity);
    u[0] += sign * along.x;
    u[1] += sign * along.y;
    u[2] += sign * along.z;
}

// The velocity of a driven pose at a point so far from its origin.
static hf_vec3 drive_at(const hf_vec3 *velocity, const hf_vec3 *spin, int pose, hf_vec3 arm)
{
    return hf_v3_add(velocity[pose], hf_v3_cross(spin[pose], arm));
}

// As hf_belt_speed, of poses with these velocities.
static double speed_of(const hf_vec3 *velocity, int drive)
{
    return drive == 0 ? 1.0 : velocity[drive].x;
}

// How fast the surface of `on` runs against that of `to`.
static hf_vec3 belts_of(const hf_contact_point *point, const hf_vec3 *velocity)
{
    return hf_v3_sub(hf_v3_scale(speed_of(velocity, point->belt_drives[0]), point->belts[0]),
                     hf_v3_scale(speed_of(velocity, point->belt_drives[1]), point->belts[1]));
}

// A turntable leads what it carries along an arc, and a step along its tangent leads outwards. The
// mean velocity over the step of the place under the body that is carried, less that of its
// beginning: (R c - c)/h - w x c with R the turn of w in h, c from the axis to the body.
static hf_vec3 arc_of(hf_vec3 w, hf_vec3 c, double h)
{
    double size = hf_v3_norm(w), angle = size * h;
    if (!(angle > 0.0)) {
        return hf_v3(0.0, 0.0, 0.0);
    }
    hf_vec3 once = hf_v3_cross(hf_v3_scale(1.0 / size, w), c);
    hf_vec3 twice = hf_v3_cross(hf_v3_scale(1.0 / size, w), once);
    double half = sin(0.5 * angle);
    return hf_v3_add(hf_v3_scale((sin(angle) - angle) / h, once),
                     hf_v3_scale(2.0 * half * half / h, twice));
}

// Whether positions of a pose are steps along its velocity: those of loose bodies are.
static bool is_loose(const hf_sim *sim, int pose)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    int index = ts->machine.pose_mover[pose];
    return index >= 0 && ts->machine.movers[index].count == 6 &&
           ts->machine.movers[index].ops->above == NULL && sim->core->method.theta == 1.0;
}

// The arc of a body that is carried: whose velocity is that of the surface under it, `there`, but
// for what an arc makes of it. What slides or rolls over the surface feels the velocity where it
// is.
static void add_arc(const hf_sim *sim, hf_ts_contact *contact, int body, hf_vec3 there, hf_vec3 arc,
                    double sign)
{
    const double enough = 2.0;
    const hf_contact_place *place = &contact->point.place;
    hf_vec3 slip = hf_v3_sub(hf_timestep_of(sim)->motion.pose_velocity[body], there);
    slip = hf_v3_axpy(slip, -hf_v3_dot(slip, place->n), place->n);
    if (hf_v3_norm(slip) <= enough * hf_v3_norm(arc)) {
        add_drive(place, arc, sign, contact->drive);
    }
}

// Of driven bodies and surfaces that turn.
static void add_arcs(hf_sim *sim, hf_ts_contact *contact, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_contact_point *point = &contact->point;
    const hf_contact_place *place = &point->place;
    for (int k = 0; k < 2; ++k) {
        double sign = k == 0 ? 1.0 : -1.0;
        int pose = k == 0 ? point->on : point->to, body = k == 0 ? point->to : point->on;
        if (ts->machine.pose_mover[pose] >= 0 || !is_loose(sim, body)) {
            continue;
        }
        hf_vec3 at = sim->poses[body].position;
        hf_vec3 arm = k == 0 ? place->to_arm : place->on_arm;
        if (point->driven && point->belt_side == (k == 0 ? 1 : -1)) {
            double speed = speed_of(ts->drive.pose, point->belt_drives[k]);
            hf_vec3 spin = hf_v3_scale(speed, point->belt_spin);
            hf_vec3 arc = arc_of(spin, hf_v3_sub(at, point->belt_middle), h);
            hf_vec3 there = hf_v3_sub(hf_v3_scale(sign, belts_of(point, ts->drive.pose)),
                                      hf_v3_cross(spin, arm));
            arc = hf_v3_axpy(arc, -hf_v3_dot(arc, place->n), place->n);
            add_arc(sim, contact, body, there, arc, sign);
        } else if (sim->model->drive_count > 0 && !point->driven) {
            hf_vec3 from = hf_v3_sub(at, sim->poses[pose].position);
            add_arc(sim, contact, body, drive_at(ts->drive.pose, ts->drive.spin, pose, from),
                    arc_of(ts->drive.spin[pose], from, h), sign);
        }
    }
}

hf_status hf_ts_rows_of_point(hf_sim *sim, hf_ts_contact *contact, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_contact_point *point = &contact->point;
    const hf_vec3 axes[HF_TS_ROWS] = {point->place.n, point->place.x, point->place.y};
    // Both sides of it
    hf_body_push push = {.pose = point->on,
                         .arm = point->place.on_arm,
                         .force = axes,
                         .count = contact->smooth ? 1 : HF_TS_ROWS,
                         .sign = 1.0};
    bool good = add_point_side(sim, contact, &push);
    push.pose = point->to;
    push.arm = point->place.to_arm;
    push.sign = -1.0;
    if (!good || !add_point_side(sim, contact, &push)) {
        return out_of_room(contact);
    }
    // Loops, and what moves the surface or the bodies by themselves
    keep_loops(sim, contact);
    if (point->driven) {
        add_drive(&point->place, belts_of(point, ts->drive.pose), 1.0, contact->drive);
        add_drive(&point->place, belts_of(point, ts->drive.pose_before), 1.0,
                  contact->drive_before);
    }
    if (sim->model->drive_count > 0) {
        const hf_vec3 *now = ts->drive.pose, *spin = ts->drive.spin;
        const hf_vec3 *before = ts->drive.pose_before, *spin_before = ts->drive.spin_before;
        hf_vec3 on_arm = point->place.on_arm, to_arm = point->place.to_arm;
        add_drive(&point->place, drive_at(now, spin, point->on, on_arm), 1.0, contact->drive);
        add_drive(&point->place, drive_at(now, spin, point->to, to_arm), -1.0, contact->drive);
        add_drive(&point->place, drive_at(before, spin_before, point->on, on_arm), 1.0,
                  contact->drive_before);
        add_drive(&point->place, drive_at(before, spin_before, point->to, to_arm), -1.0,
                  contact->drive_before);
    }
    add_arcs(sim, contact, h);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Rows of couplings

// Adds sign times coordinate v to a row; alone: to one that is zero.
static bool add_coordinate(hf_sim *sim, hf_ts_contact *contact, int to, int v, double sign,
                           bool alone)
{
    hf_timestep *ts = hf_timestep_of(sim);
    int index = ts->machine.velocity_mover[v];
    // Driven bodies
    if (index < 0) {
        contact->drive[to] += sign * ts->drive.v[v];
        contact->drive_before[to] += sign * ts->drive.v_before[v];
        return true;
    }
    // A row of a mover, by half of its inverse inertia
    const hf_ts_mover *mover = &ts->machine.movers[index];
    size_t stride, n = (size_t)mover->count;
    double *y = rows_on(sim, contact, mover, &stride), *row = ts->scratch.jacobian;
    if (y == NULL) {
        return false;
    }
    reach(ts, contact, mover, v - mover->v);
    y += (size_t)to * stride;
    if (alone) {
        y[v - mover->v] = sign;
        hf_ts_half(mover, y, y);
        return true;
    }
    memset(row, 0, n * sizeof *row);
    row[v - mover->v] = sign;
    hf_ts_half(mover, row, row);
    for (size_t k = 0; k < n; ++k) {
        y[k] += row[k];
    }
    return true;
}

static bool add_terms(hf_sim *sim, hf_ts_contact *contact, const hf_force_place *force, int row,
                      int to)
{
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
    int count = force->ops->terms(force->item, row, terms);
    bool good = true;
    for (int i = 0; i < count && good; ++i) {
        good = add_coordinate(sim, contact, to, terms[i].v, terms[i].factor, count == 1);
    }
    return good;
}

// What Phi of a unit force does to driven bodies gives their share in u.
static void add_driven_share(hf_sim *sim, hf_ts_contact *contact, int to)
{
    const hf_model *model = sim->model;
    const hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < model->driven_body_count; ++i) {
        const hf_body_place *place = &model->bodies[model->driven_bodies[i]];
        int pose = place->pose;
        for (int v = place->v; v < place->v + place->nv; ++v) {
            contact->drive[to] -= sim->u[v] * ts->drive.v[v];
            contact->drive_before[to] -= sim->u[v] * ts->drive.v_before[v];
        }
        if (pose >= 0) {
            const hf_wrench *w = &sim->wrenches[pose];
            contact->drive[to] -= hf_v3_dot(w->force, ts->drive.pose[pose]) +
                                  hf_v3_dot(w->torque, ts->drive.spin[pose]);
            contact->drive_before[to] -= hf_v3_dot(w->force, ts->drive.pose_before[pose]) +
                                         hf_v3_dot(w->torque, ts->drive.spin_before[pose]);
        }
    }
}

static bool add_general(hf_sim *sim, hf_ts_contact *contact, const hf_force_place *force, int row,
                        int to)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    int movers[HF_COUPLING_MAX_TERMS];
    // Phi of a unit force on this row
    int count = hf_force_movers(model, force, movers);
    memset(sim->wrenches, 0, (size_t)model->pose_count * sizeof *sim->wrenches);
    memset(sim->u, 0, (size_t)model->nv * sizeof *sim->u);
    memset(sim->force + force->row, 0, (size_t)force->dim * sizeof *sim->force);
    hf_rows_push(sim, sim->x, force, row, &(const double){1.0}, 1);
    add_driven_share(sim, contact, to);
    // What that is to each mover, weighed
    for (int i = 0; i < count; ++i) {
        const hf_ts_mover *mover = &ts->machine.movers[movers[i]];
        if (mover->count == 0) {
            continue;
        }
        size_t stride;
        double *y = rows_on(sim, contact, mover, &stride);
        if (y == NULL) {
            return false;
        }
        reach(ts, contact, mover, HF_TS_ANYWHERE);
        mover->ops->load(mover->body, hf_sim_io(sim, sim->x, sim->rest), ts->scratch.jacobian);
        for (int k = 0; k < mover->count; ++k) {
            ts->scratch.jacobian[k] = -ts->scratch.jacobian[k]; // Phi applies -J'
        }
        hf_ts_half(mover, ts->scratch.jacobian, y + (size_t)to * stride);
    }
    return true;
}

hf_status hf_ts_row_of_force(hf_sim *sim, hf_ts_contact *contact, const hf_force_place *force,
                             int row, int to)
{
    bool good = force->ops->terms != NULL ? add_terms(sim, contact, force, row, to)
                                          : add_general(sim, contact, force, row, to);
    return good ? HF_OK : out_of_room(contact);
}

hf_status hf_ts_rows_of_force(hf_sim *sim, hf_ts_contact *contact, int index, int to)
{
    const hf_force_place *force = &sim->model->forces[index];
    for (int k = 0; k < force->dim; ++k) {
        HF_TRY(hf_ts_row_of_force(sim, contact, force, k, to + k));
    }
    return HF_OK;
}

hf_status hf_ts_split_rows(hf_sim *sim, hf_ts_contact *plane, hf_ts_contact *third)
{
    hf_timestep *ts = hf_timestep_of(sim);
    for (int i = 0; i < plane->side_count; ++i) {
        const hf_ts_side *side = &plane->sides[i];
        size_t n = (size_t)side->count, count = n * HF_TS_ROWS;
        void *grown =
            hf_ts_grow(&sim->allocator, ts->problem.y, ts->problem.y_used,
                       ts->problem.y_used + count, &ts->problem.y_capacity, sizeof *ts->problem.y);
        if (grown == NULL) {
            return out_of_room(third);
        }
        ts->problem.y = grown;
        double *from = ts->problem.y + side->y, *to = ts->problem.y + ts->problem.y_used;
        memset(to, 0, count * sizeof *to);
        memcpy(to + n, from, n * sizeof *to);
        memset(from, 0, n * sizeof *from);
        third->sides[i] = *side;
        third->sides[i].y = ts->problem.y_used;
        ts->problem.y_used += count;
    }
    third->side_count = plane->side_count;
    third->drive[1] = plane->drive[0];
    third->drive_before[1] = plane->drive_before[0];
    third->follows[1] = plane->follows[0];
    plane->drive[0] = plane->drive_before[0] = plane->follows[0] = 0.0;
    return HF_OK;
}

void hf_ts_finish_rows(const hf_sim *sim, hf_ts_contact *contact)
{
    keep_loops(sim, contact);
}
