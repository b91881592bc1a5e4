// SPDX-License-Identifier: Apache-2.0
// Surfaces of single shapes, materials and pairs at points of contact between shapes: numbers of
// their own, friction that depends on direction, and surfaces that move (belts, turntables).
//
// A moving surface adds its velocity b to the rate along the tangents, r = J v + b, and nothing to
// the answer to forces. What it puts in is f.b: bodies get -f.J v, heat is f.r.
#include <math.h>
#include <string.h>

#include "methods/switch/features.h"
#include "methods/switch/switch.h"

// Surfaces move with one speed but for rounding.
#define ONE_SPEED 1e-9

// ------------------------------------------------------------------------------------------------
// Numbers

// A level of its own, or the law's.
static const hf_level *level_of(hf_level *room, double own, const hf_level *law)
{
    if (isnan(own)) {
        return law;
    }
    *room = hf_level_coefficient(own);
    return room;
}

// What two solids have under a force; NAN: what the force has.
static hf_contact_point numbers_of(const hf_sim *sim, int a, int b, int force, hf_grain *grain)
{
    const hf_collider *c = hf_switch_of(sim)->collider;
    const hf_rigid_contact_def *def = sim->model->forces[force].def;
    int low = a < b ? a : b, high = a < b ? b : a;
    const hf_solid_place *x = &c->places[low], *y = &c->places[high];
    hf_contact_point found = {
        .mu = NAN, .spin = NAN, .rolling = NAN, .restitution = def->restitution};
    if (x->told || y->told || (x->paired && y->paired)) {
        hf_collider_combine(c, low, high, force, &found);
    }
    *grain = (hf_grain){.solid = -1};
    if (x->grained || y->grained) {
        *grain = hf_collider_find_grain(c, low, high, force);
    }
    if (grain->solid >= 0) {
        found.mu = hf_collider_grain_level(c, grain, force, found.mu);
    }
    return found;
}

void hf_point_take_surface(const hf_sim *sim, hf_element *contact, int size)
{
    const hf_switch *own = hf_switch_of(sim);
    const hf_collider *c = own->collider;
    hf_switch_point *point = &contact->point;
    const hf_solid_place *on = &c->places[point->on], *to = &c->places[point->to];
    const hf_force_place *force = &sim->model->forces[contact->force];
    const hf_rigid_contact_def *def = force->def;
    // Of the force, and of the two surfaces
    double usual = force->coupling_def.turning ? NAN : 0.0;
    hf_contact_point found = numbers_of(sim, point->on, point->to, contact->force, &point->grain);
    found.spin = isnan(found.spin) ? usual : found.spin;
    found.rolling = isnan(found.rolling) ? usual : found.rolling;
    point->driven = on->driven || to->driven;
    // To the contact and its parts
    hf_level *levels = own->levels + HF_CONTACT_PARTS * contact->at;
    contact->restitution = found.restitution;
    contact->level = level_of(&levels[0], found.mu, &def->friction);
    for (int i = 1; i < size; ++i) {
        hf_element *part = contact + i;
        bool spin = part->part == 1;
        part->level = level_of(&levels[part->part], spin ? found.spin : found.rolling,
                               spin ? &def->spin_friction : &def->rolling_friction);
    }
}

void hf_points_take_surfaces(const hf_sim *sim)
{
    const hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count && hf_switch_has_points(own); ++i) {
        hf_element *e = &own->elements[i];
        int size = 1;
        while (i + size < own->count && own->elements[i + size].part != 0) {
            ++size;
        }
        if (e->slot && e->part == 0 && e->point.used) {
            hf_point_take_surface(sim, e, size);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Tangents

void hf_point_tangents(const hf_switch_point *point, const hf_mat3 *on, const hf_mat3 *to,
                       hf_contact_place *place)
{
    hf_vec3 used;
    const hf_grain *grain = &point->grain;
    if (grain->solid >= 0 && hf_grain_turn(grain, grain->solid == point->on ? on : to, place)) {
        return;
    }
    place->x = hf_contact_across(hf_m3_mulv(to, point->reference), place->n, &used);
    place->y = hf_v3_cross(place->n, place->x);
}

// ------------------------------------------------------------------------------------------------
// Surfaces that move

// v + w x r of a solid's surface at a place of the world, for a speed
// of one.
static hf_vec3 belt_at(const hf_solid_place *solid, const hf_pose *pose, hf_vec3 place)
{
    hf_vec3 middle = hf_v3_add(pose->position, hf_m3_mulv(&pose->rotation, solid->center));
    hf_vec3 v = hf_m3_mulv(&pose->rotation, solid->belt);
    hf_vec3 w = hf_m3_mulv(&pose->rotation, solid->belt_spin);
    return hf_v3_add(v, hf_v3_cross(w, hf_v3_sub(place, middle)));
}

void hf_point_belt(const hf_switch *own, const hf_switch_point *p, const hf_contact_place *place,
                   const hf_pose *on, const hf_pose *to, const double speeds[2], double belt[2])
{
    const hf_solid_place *a = &own->collider->places[p->on];
    const hf_solid_place *b = &own->collider->places[p->to];
    hf_vec3 v = hf_v3(0.0, 0.0, 0.0);
    if (a->driven) {
        v = hf_v3_scale(speeds[0], belt_at(a, on, hf_v3_add(on->position, place->on_arm)));
    }
    if (b->driven) {
        hf_vec3 other = belt_at(b, to, hf_v3_add(to->position, place->to_arm));
        v = hf_v3_axpy(v, -speeds[1], other);
    }
    belt[0] = hf_v3_dot(v, place->x);
    belt[1] = hf_v3_dot(v, place->y);
}

static bool is_one_speed(hf_vec3 v, hf_vec3 w)
{
    return hf_v3_norm(hf_v3_sub(v, w)) <= ONE_SPEED * (hf_v3_norm(v) + hf_v3_norm(w));
}

static bool is_one_belt(const hf_sim *sim, int a, int b, hf_vec3 place)
{
    const hf_solid_place *x = &hf_switch_of(sim)->collider->places[a];
    const hf_solid_place *y = &hf_switch_of(sim)->collider->places[b];
    const hf_pose *on_x = &sim->poses[x->pose], *on_y = &sim->poses[y->pose];
    if (!x->driven && !y->driven) {
        return true;
    }
    return x->belt_drive == y->belt_drive &&
           is_one_speed(belt_at(x, on_x, place), belt_at(y, on_y, place)) &&
           is_one_speed(hf_m3_mulv(&on_x->rotation, x->belt_spin),
                        hf_m3_mulv(&on_y->rotation, y->belt_spin));
}

// Whether a law's level is one coefficient.
static bool is_plain(const hf_level *law, double mu)
{
    bool plain = law->table_speed.count == 0 && law->gear.count == 0 && law->sticking <= 1.0;
    for (int side = 0; side < 2; ++side) {
        plain = plain && law->kinetic[side] == mu && law->peak[side] == mu &&
                law->viscous[side] == 0.0 && law->cohesion[side] == 0.0;
    }
    return plain;
}

// Two numbers of surfaces; NAN: the law's.
static bool is_one_level(double a, double b, const hf_level *law)
{
    if (isnan(a) || isnan(b)) {
        return (isnan(a) && isnan(b)) || is_plain(law, isnan(a) ? b : a);
    }
    return a == b;
}

bool hf_points_have_one_surface(const hf_sim *sim, int a, int b, int other, hf_vec3 place)
{
    const hf_collider *c = hf_switch_of(sim)->collider;
    int force = hf_collider_force(c, a < other ? a : other, a < other ? other : a);
    if (force != hf_collider_force(c, b < other ? b : other, b < other ? other : b)) {
        return false;
    }
    const hf_rigid_contact_def *def = sim->model->forces[force].def;
    hf_grain p, q;
    hf_contact_point x = numbers_of(sim, a, other, force, &p);
    hf_contact_point y = numbers_of(sim, b, other, force, &q);
    // Directions of its own are those of one surface alone
    bool grain = p.solid == q.solid && (p.solid < 0 || p.ratio == q.ratio);
    return grain && x.restitution == y.restitution && is_one_level(x.mu, y.mu, &def->friction) &&
           is_one_level(x.spin, y.spin, &def->spin_friction) &&
           is_one_level(x.rolling, y.rolling, &def->rolling_friction) &&
           is_one_belt(sim, a, b, place);
}

static bool moves(const hf_element *e)
{
    return e->slot && e->part == 0 && e->point.used && e->point.driven && !e->off;
}

void hf_point_speeds(const hf_sim *sim, const hf_switch_point *p, double constant, double *speeds)
{
    const hf_solid_place *places = hf_switch_of(sim)->collider->places;
    const int drives[2] = {places[p->on].belt_drive, places[p->to].belt_drive};
    for (int k = 0; k < 2; ++k) {
        speeds[k] = drives[k] == 0 ? constant : hf_belt_speed(drives[k], sim->poses);
    }
}

// constant: the speed of surfaces that no signal moves.
static void belt_now(const hf_sim *sim, const hf_element *e, double constant, double belt[2])
{
    const hf_switch *own = hf_switch_of(sim);
    const hf_switch_point *p = &e->point;
    double speeds[2];
    hf_point_speeds(sim, p, constant, speeds);
    hf_point_belt(own, p, &own->places[e->at], &sim->poses[p->on_pose], &sim->poses[p->to_pose],
                  speeds, belt);
}

// Of the points of a force; -1: of all.
static void add_belts(const hf_sim *sim, int force, double constant, double *rate)
{
    const hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count && hf_switch_has_points(own); ++i) {
        const hf_element *e = &own->elements[i];
        if (moves(e) && (force < 0 || e->force == force)) {
            double belt[2];
            belt_now(sim, e, constant, belt);
            rate[e->row + 1] += belt[0];
            rate[e->row + 2] += belt[1];
        }
    }
}

void hf_points_drive(const hf_sim *sim, int force, double *rate)
{
    add_belts(sim, force, 1.0, rate);
}

void hf_points_drive_faster(const hf_sim *sim, double *change)
{
    if (sim->model->drive_count > 0) {
        add_belts(sim, -1, 0.0, change);
    }
}

double hf_points_belt_power(const hf_sim *sim, const hf_island *island)
{
    const hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    double power = 0.0;
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        if (moves(e)) {
            double belt[2];
            belt_now(sim, e, 1.0, belt);
            power += own->f[own->first[i] + 1] * belt[0] + own->f[own->first[i] + 2] * belt[1];
        }
    }
    return power;
}
