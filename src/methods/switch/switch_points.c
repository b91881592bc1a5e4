// SPDX-License-Identifier: Apache-2.0
// Points of contact between shapes: where they are, and their rows.
//
// A point is a pair of features of two solids (shapes/track.h). It is a contact like any other
// while it is inside of both; outside of them it is none, however deep its gap. Where it leaves
// them it seems open: its gap is then at least how far outside it is, so that it closes when it has
// come inside with a gap of zero.
#include <math.h>
#include <string.h>

#include "compile/slots.h"
#include "methods/switch/features.h"
#include "methods/switch/switch.h"

// What is outside seems open by more than what touches, in margins.
#define OUTSIDE 2.0
// Tolerances of what is inside, in margins: corners on faces and around cores are still there a
// little outside, edges that cross begin when they are a little inside, and so do corners of a
// solid that lies beside the face.
#define LAX    1.0
#define STRICT -0.5
// What comes to lie over a face from what is beside it is at its height within so many.
#define LEVEL 20.0
// What others cover is as far outside.
#define COVERED 10.0
// The gap of room for a point [m].
#define FAR 1.0
// Rows are differenced over the time in which features move or turn by this part of their size.
#define STRIDE 1e-3

// ------------------------------------------------------------------------------------------------
// Places

// A place as a contact has it, with bodies at these poses.
static hf_contact_place place_of(const hf_switch_point *point, const hf_track_place *found,
                                 const hf_pose *on, const hf_pose *to, const hf_spot *on_spot,
                                 const hf_spot *to_spot)
{
    hf_contact_place place = {.n = found->n,
                              .gap = found->gap,
                              .on_arm = hf_v3_sub(found->on, on->position),
                              .to_arm = hf_v3_sub(found->to, to->position)};
    hf_point_tangents(point, &on_spot->rotation, &to_spot->rotation, &place);
    return place;
}

// The place of a point with bodies at these poses.
static hf_contact_place place_at(const hf_switch *own, const hf_switch_point *point,
                                 const hf_pose *on, const hf_pose *to)
{
    hf_spot on_spot = hf_points_spot(&own->collider->places[point->on], on);
    hf_spot to_spot = hf_points_spot(&own->collider->places[point->to], to);
    hf_track_place found = hf_track_find(&point->track, &on_spot, &to_spot);
    return place_of(point, &found, on, to, &on_spot, &to_spot);
}

// What lies on a face, or on the side of a cone.
static bool is_on_face(const hf_track *t)
{
    return t->kind == HF_TRACK_CORNER_FACE || t->kind == HF_TRACK_FACE_CORNER ||
           t->kind == HF_TRACK_RIM_FACE || t->kind == HF_TRACK_SMOOTH;
}

double hf_point_deep(const hf_switch *own, const hf_switch_point *point)
{
    const int *first = own->first_beside;
    bool beside =
        first[point->on] < first[point->on + 1] || first[point->to] < first[point->to + 1];
    return beside && is_on_face(&point->track) ? fmin(LEVEL * own->margin, own->deep) : own->deep;
}

double hf_point_room(const hf_switch *own, const hf_switch_point *point)
{
    const hf_track *t = &point->track;
    bool face = is_on_face(t) || (t->kind == HF_TRACK_RIM_EDGE && t->round > 0.0);
    // Around cores normals go over into each other where one feature ends: of lines that are
    // parallel only their ends are points, and these are neither inside nor outside
    bool round = t->kind == HF_TRACK_CORNER_EDGE || t->kind == HF_TRACK_EDGE_CORNER ||
                 t->kind == HF_TRACK_CORNERS;
    return point->inside + ((face && point->over) || round ? LAX : STRICT) * own->margin;
}

// The gap as a contact sees it.
static double shown_gap(const hf_switch *own, const hf_switch_point *point, double gap)
{
    double room = hf_point_room(own, point);
    return point->passed ? FAR : room < 0.0 ? fmax(gap, OUTSIDE * own->margin - room) : gap;
}

// A rim that crosses an edge comes to touch where the face ends, not before: until then it comes
// nearer, which would be an impact between places that are the same but for the integrator's
// error. While it touches it is there a little longer: flat on flat is at the end of both.
static void keep_beside(const hf_switch *own, hf_element *e, hf_track_faces faces)
{
    double room = (e->point.track.round > 0.0 ? LAX : STRICT) * own->margin;
    double lax = LAX * own->margin, face = hf_element_holds(e) ? lax : 0.0;
    e->point.inside = fmin(e->point.inside, fmin(faces.face + face, faces.lax + lax) - room);
}

void hf_points_locate_one(const hf_sim *sim, hf_element *e)
{
    const hf_switch *own = hf_switch_of(sim);
    hf_switch_point *point = &e->point;
    const hf_collider *c = own->collider;
    const hf_pose *on = &sim->poses[point->on_pose], *to = &sim->poses[point->to_pose];
    hf_spot on_spot = hf_points_spot(&c->places[point->on], on);
    hf_spot to_spot = hf_points_spot(&c->places[point->to], to);
    const hf_solid *on_solid = &c->solids[point->on], *to_solid = &c->solids[point->to];
    hf_track_place found = hf_track_find(&point->track, &on_spot, &to_spot);
    own->places[e->at] = place_of(point, &found, on, to, &on_spot, &to_spot);
    point->inside = hf_track_inside(&point->track, on_solid, to_solid, &on_spot, &to_spot);
    keep_beside(own, e,
                hf_track_facing(&point->track, &found, on_solid, to_solid, &on_spot, &to_spot));
    point->over = fabs(point->inside) > OUTSIDE * own->margin ||
                  hf_track_is_over(&point->track, &c->solids[point->on], &c->solids[point->to],
                                   &on_spot, &to_spot, OUTSIDE * own->margin);
    if (hf_point_is_covered(sim, point)) {
        point->inside = fmin(point->inside, -COVERED * own->margin);
    }
}

void hf_points_locate(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count && hf_switch_has_points(own); ++i) {
        hf_element *e = &own->elements[i];
        if (e->slot && e->part == 0 && e->point.used) {
            hf_points_locate_one(sim, e);
        }
    }
}

void hf_switch_clear_point(hf_element *e)
{
    e->point = (hf_switch_point){.used = false};
    e->mode = e->told = e->part == 0 ? HF_CONTACT_OPEN : 1;
    e->candidate = e->forced = e->latched = e->struck = e->touches = e->settles = false;
    e->burst = e->latched_at = -INFINITY;
    e->burst_count = e->latches = 0;
    e->allowance = e->slow = e->narrow = 0.0;
    memset(e->held, 0, sizeof e->held);
    memset(e->base, 0, sizeof e->base);
}

// ------------------------------------------------------------------------------------------------
// Rows

// The contact that an element is, or is a part of.
static const hf_element *contact_of(const hf_switch *own, const hf_element *e)
{
    return e->part == 0 ? e : &own->elements[e->island + e->load];
}

static hf_space_coupling rows_of(const hf_sim *sim, const hf_element *contact)
{
    const hf_model *model = sim->model;
    return (hf_space_coupling){.on = contact->point.on_pose,
                               .to = contact->point.to_pose,
                               .row = contact->row,
                               .dim = hf_force_slot_rows(model, &model->forces[contact->force])};
}

// Axes of spin and rolling: those of a contact whose friction does not depend on direction.
static hf_contact_place upright(const hf_contact_place *place)
{
    hf_contact_place axes = *place;
    axes.y = hf_v3_cross(place->n, place->x);
    return axes;
}

// Psi of a point at a place.
static void look(const hf_space_coupling *c, const hf_contact_place *place, const hf_motion *m)
{
    hf_space_coupling slip = *c;
    hf_contact_place axes = upright(place);
    slip.dim = 3;
    hf_contact_psi(c, &axes, m);
    hf_contact_psi(&slip, place, m);
}

void hf_point_psi(const hf_sim *sim, const hf_element *e, const hf_motion *motion)
{
    const hf_switch *own = hf_switch_of(sim);
    const hf_element *contact = contact_of(own, e);
    const hf_contact_place *place = &own->places[contact->at];
    hf_space_coupling c = rows_of(sim, contact);
    if (!contact->point.used || contact->off) {
        memset(motion->rate + c.row, 0, (size_t)c.dim * sizeof *motion->rate);
        memset(motion->gap + c.row, 0, (size_t)c.dim * sizeof *motion->gap);
        motion->gap[c.row] = FAR;
        return;
    }
    look(&c, place, motion);
    motion->gap[c.row] = shown_gap(own, &contact->point, place->gap);
}

void hf_point_push(hf_sim *sim, const hf_element *e, const double *f)
{
    const hf_switch *own = hf_switch_of(sim);
    const hf_element *contact = contact_of(own, e);
    hf_space_coupling c = rows_of(sim, contact);
    double rows[6] = {0.0};
    memcpy(rows + (e->row - contact->row), f, (size_t)e->dim * sizeof *f);
    c.row = 0;
    hf_contact_place axes = own->places[contact->at];
    axes = e->part == 0 ? axes : upright(&axes);
    hf_contact_phi(&c, &axes,
                   &(hf_actions){.force = rows, .poses = sim->poses, .wrenches = sim->wrenches});
}

void hf_points_push(hf_sim *sim)
{
    const hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        if (e->slot && contact_of(own, e)->point.used) {
            hf_point_push(sim, e, sim->force + e->row);
        }
    }
}

void hf_points_tell(const hf_sim *sim, hf_push_taker *take, void *context)
{
    const hf_switch *own = hf_switch_of(sim);
    for (int i = 0; own != NULL && hf_switch_has_points(own) && i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        if (!e->slot || !contact_of(own, e)->point.used) {
            continue;
        }
        const hf_element *contact = contact_of(own, e);
        const hf_contact_place *place = &own->places[contact->at];
        const hf_contact_place axes = e->part == 0 ? *place : upright(place);
        double rows[6] = {0.0};
        memcpy(rows + (e->row - contact->row), sim->force + e->row, (size_t)e->dim * sizeof *rows);
        hf_contact_push push = hf_contact_push_of(sim->poses, contact->point.on_pose,
                                                  contact->point.to_pose, &axes, 6, rows);
        take(context, &push);
    }
}

// ------------------------------------------------------------------------------------------------
// How rows change

// exp([w]) of a rotation vector.
static hf_mat3 turn_by(hf_vec3 w)
{
    double angle = hf_v3_norm(w), half = 0.5 * angle;
    double scale = angle > 0.0 ? sin(half) / angle : 0.5;
    return hf_quat_rotation((hf_quat){cos(half), scale * w.x, scale * w.y, scale * w.z});
}

// A body `s` seconds on, while its own velocities do not change.
static hf_pose pose_after(const hf_pose *pose, const hf_pose_rate *rate, double s)
{
    hf_mat3 turn = turn_by(hf_v3_scale(s, pose->spin));
    return (hf_pose){.rotation = hf_m3_mul(&turn, &pose->rotation),
                     .position = hf_v3_axpy(pose->position, s, pose->velocity),
                     .velocity = hf_v3_axpy(pose->velocity, s, rate->velocity),
                     .spin = hf_v3_axpy(pose->spin, s, rate->spin)};
}

// Rates of a point's rows s seconds on.
static void rates_after(const hf_sim *sim, const hf_element *e, double s, double *rows)
{
    const hf_switch *own = hf_switch_of(sim);
    const hf_switch_point *p = &e->point;
    hf_pose poses[2] = {pose_after(&sim->poses[p->on_pose], &own->pose_rates[p->on_pose], s),
                        pose_after(&sim->poses[p->to_pose], &own->pose_rates[p->to_pose], s)};
    hf_contact_place place = place_at(own, p, &poses[0], &poses[1]);
    hf_space_coupling c = rows_of(sim, e);
    double gaps[6];
    c.on = 0;
    c.to = 1;
    c.row = 0;
    look(&c, &place, &(hf_motion){.poses = poses, .gap = gaps, .rate = rows});
    if (p->driven) {
        double speeds[2], belt[2];
        hf_point_speeds(sim, p, 1.0, speeds);
        hf_point_belt(own, p, &place, &poses[0], &poses[1], speeds, belt);
        rows[1] += belt[0];
        rows[2] += belt[1];
    }
}

// Differences of fourth order: of what moves by STRIDE of its size they are rounding.
void hf_point_bias(hf_sim *sim, const hf_element *e)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_switch_point *p = &e->point;
    if (!p->used) {
        return;
    }
    // How fast features move and turn
    const hf_pose *on = &sim->poses[p->on_pose], *to = &sim->poses[p->to_pose];
    const hf_contact_place *place = &own->places[e->at];
    double size = own->near_margin;
    hf_vec3 v = hf_v3_sub(hf_velocity_at(on, place->on_arm), hf_velocity_at(to, place->to_arm));
    double pace = hf_v3_norm(on->spin) + hf_v3_norm(to->spin) + hf_v3_norm(v) / size;
    hf_spot on_spot = hf_points_spot(&own->collider->places[p->on], on);
    hf_spot to_spot = hf_points_spot(&own->collider->places[p->to], to);
    pace *= hf_track_pace(&p->track, &on_spot, &to_spot);
    if (!(pace > 0.0)) {
        return;
    }
    // Rates before and after
    double s = STRIDE / pace, rows[4][6];
    const double times[4] = {-2.0 * s, -s, s, 2.0 * s};
    for (int i = 0; i < 4; ++i) {
        rates_after(sim, e, times[i], rows[i]);
    }
    int dim = rows_of(sim, e).dim;
    for (int k = 0; k < dim; ++k) {
        double slope = 8.0 * (rows[2][k] - rows[1][k]) - (rows[3][k] - rows[0][k]);
        own->change[e->row + k] += slope / (12.0 * s);
    }
}
