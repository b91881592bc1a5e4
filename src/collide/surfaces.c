// SPDX-License-Identifier: Apache-2.0
// Friction and restitution by shapes, materials and pairs of them.
//
// A number of a contact is that of the most specific pair that tells it: of shapes before bodies
// before materials, the sum of both ends, and of equals the last one. Without one, it is what the
// rule of combination makes of the two surfaces; a surface that does not tell it has the number of
// the force. Where neither tells it, it is the force's law.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/collider.h"

// Ranks of an end: a pair has the sum of both.
enum { OF_MATERIAL = 0, OF_BODY = 1, OF_SHAPE = 2 };

static int rank_of(const hf_pair_end *end)
{
    return end->shape >= 0 ? OF_SHAPE : end->body > 0 ? OF_BODY : OF_MATERIAL;
}

static bool is_of_materials(const hf_spec_pair *pair)
{
    return pair->ends[0].body == 0 && pair->ends[1].body == 0;
}

// Whether a shape of a body is meant.
static bool fits(const hf_spec *spec, const hf_pair_end *end, int body, const char *shape,
                 int material)
{
    if (end->body == 0) {
        return end->material == material;
    }
    return end->body == body &&
           (end->shape < 0 || strcmp(spec->shapes[end->shape].def.name, shape) == 0);
}

static long long count_end(const hf_model *model, const hf_pair_end *end)
{
    long long count = 0;
    for (int i = 0; i < model->body_count; ++i) {
        const hf_body_info *info = &model->bodies[i].info;
        for (int k = 0; k < info->shape_count; ++k) {
            count +=
                fits(model->spec, end, i + 1, info->shapes[k].name, info->shapes[k].material.id);
        }
    }
    return count;
}

long long hf_collider_count_own(const hf_model *model)
{
    long long sum = 0;
    for (size_t i = 0; i < model->spec->pair_count; ++i) {
        const hf_spec_pair *pair = &model->spec->pairs[i];
        if (!is_of_materials(pair)) {
            sum += count_end(model, &pair->ends[0]) * count_end(model, &pair->ends[1]);
        }
        if (sum > INT_MAX / 64) {
            return -1;
        }
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// Tables

static int by_key(const void *a, const void *b)
{
    const hf_own_pair *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->rank != y->rank ? x->rank - y->rank : x->index - y->index;
}

static void override(double *number, double other)
{
    *number = isnan(other) ? *number : other;
}

static void override_pair(hf_own_pair *pair, const hf_surface *surface, int touch)
{
    override(&pair->surface.friction, surface->friction);
    override(&pair->surface.restitution, surface->restitution);
    override(&pair->surface.spin_friction, surface->spin_friction);
    override(&pair->surface.rolling_friction, surface->rolling_friction);
    pair->touch = touch != 0 ? touch : pair->touch;
}

static int touch_of(const hf_spec_pair *pair)
{
    return pair->never ? -1 : pair->always ? 1 : 0;
}

static void add_material_pair(hf_collider *c, const hf_spec_pair *pair)
{
    int a = pair->ends[0].material - 1, b = pair->ends[1].material - 1, n = c->material_count;
    override_pair(&c->material_pairs[a * n + b], &pair->surface, touch_of(pair));
    if (a != b) {
        override_pair(&c->material_pairs[b * n + a], &pair->surface, touch_of(pair));
    }
}

static void add_solid_pairs(hf_collider *c, const hf_spec_pair *pair, int index)
{
    const hf_spec *spec = c->model->spec;
    for (int i = 0; i < c->sweep.count; ++i) {
        const hf_solid_place *x = &c->places[i];
        if (!fits(spec, &pair->ends[0], x->body, x->name, x->material)) {
            continue;
        }
        for (int k = 0; k < c->sweep.count; ++k) {
            const hf_solid_place *y = &c->places[k];
            if (x->body != y->body && fits(spec, &pair->ends[1], y->body, y->name, y->material)) {
                int low = i < k ? i : k, high = i < k ? k : i;
                c->own_pairs[c->own_count++] =
                    (hf_own_pair){.key = hf_special_key(low, high),
                                  .surface = pair->surface,
                                  .touch = touch_of(pair),
                                  .rank = rank_of(&pair->ends[0]) + rank_of(&pair->ends[1]),
                                  .index = index};
            }
        }
    }
}

// One entry for each pair of solids, which begins with what their materials have.
static void merge_own(hf_collider *c)
{
    qsort(c->own_pairs, (size_t)c->own_count, sizeof *c->own_pairs, by_key);
    int kept = 0;
    for (int i = 0; i < c->own_count; ++i) {
        hf_own_pair now = c->own_pairs[i];
        if (kept == 0 || c->own_pairs[kept - 1].key != now.key) {
            hf_solid_place *x = &c->places[now.key >> 32], *y = &c->places[now.key & 0xffffffffu];
            hf_own_pair first = {.surface = hf_surface_default()};
            if (c->material_pairs != NULL && x->material > 0 && y->material > 0) {
                first = c->material_pairs[(x->material - 1) * c->material_count + y->material - 1];
            }
            first.key = now.key;
            x->paired = y->paired = true;
            c->own_pairs[kept++] = first;
        }
        override_pair(&c->own_pairs[kept - 1], &now.surface, now.touch);
    }
    c->own_count = kept;
}

void hf_collider_add_own(hf_collider *c)
{
    const hf_spec *spec = c->model->spec;
    c->friction_rule = spec->friction_rule;
    c->restitution_rule = spec->restitution_rule;
    for (int i = 0; i < c->material_count * c->material_count; ++i) {
        c->material_pairs[i] = (hf_own_pair){.surface = hf_surface_default()};
    }
    for (size_t i = 0; i < spec->pair_count; ++i) {
        if (is_of_materials(&spec->pairs[i])) {
            add_material_pair(c, &spec->pairs[i]);
        } else {
            add_solid_pairs(c, &spec->pairs[i], (int)i);
        }
    }
    merge_own(c);
}

// ------------------------------------------------------------------------------------------------
// Looking up

// Friction along and across a direction differ by this factor at most; a direction that is across
// the surface up to this share of it says nothing.
static const double MOST_GRAIN = 1000.0, UPRIGHT = 1e-6;

const hf_own_pair *hf_collider_own(const hf_collider *c, int a, int b)
{
    const hf_solid_place *x = &c->places[a], *y = &c->places[b];
    uint64_t key = hf_special_key(a, b);
    for (int low = 0, high = x->paired && y->paired ? c->own_count : 0; low < high;) {
        int middle = low + (high - low) / 2;
        if (c->own_pairs[middle].key == key) {
            return &c->own_pairs[middle];
        }
        if (c->own_pairs[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool made = c->material_pairs != NULL && x->material > 0 && y->material > 0;
    return made ? &c->material_pairs[(x->material - 1) * c->material_count + y->material - 1]
                : NULL;
}

// A number of two surfaces; NAN: neither tells it.
static double combine(hf_rule rule, double a, double b, double of_force)
{
    if (isnan(a) && isnan(b)) {
        return NAN;
    }
    return hf_rule_apply(rule, isnan(a) ? of_force : a, isnan(b) ? of_force : b);
}

void hf_collider_combine(const hf_collider *c, int a, int b, int force, hf_contact_point *point)
{
    const hf_surface *x = &c->places[a].surface, *y = &c->places[b].surface;
    const hf_surface *usual = &c->surfaces[force];
    const hf_own_pair *pair = hf_collider_own(c, a, b);
    hf_rule rule = c->friction_rule;
    double restitution =
        combine(c->restitution_rule, x->restitution, y->restitution, usual->restitution);
    point->own = true;
    point->mu = combine(rule, x->friction, y->friction, usual->friction);
    point->spin = combine(rule, x->spin_friction, y->spin_friction, usual->spin_friction);
    point->rolling =
        combine(rule, x->rolling_friction, y->rolling_friction, usual->rolling_friction);
    if (pair != NULL) {
        override(&point->mu, pair->surface.friction);
        override(&restitution, pair->surface.restitution);
        override(&point->spin, pair->surface.spin_friction);
        override(&point->rolling, pair->surface.rolling_friction);
    }
    override(&point->restitution, restitution);
}

// How much friction across the direction of solid a is of that along it, against solid b.
static double grain_of(const hf_collider *c, int a, int b, int force)
{
    double usual = c->surfaces[force].friction, own = c->places[a].surface.friction;
    double other = c->places[b].surface.friction;
    other = isnan(other) ? usual : other;
    double along = hf_rule_apply(c->friction_rule, isnan(own) ? usual : own, other);
    if (isnan(c->places[a].across)) {
        return 1.0; // its slip alone depends on direction
    }
    double across = hf_rule_apply(c->friction_rule, c->places[a].across, other);
    return along > 0.0 ? across / along : across > 0.0 ? MOST_GRAIN : 1.0;
}

// Of friction with coefficients mu along x and g mu along y, g < 1, the ellipse
//   (r_x / mu)^2 + (r_y / (g mu))^2 <= r_N^2,    and the slip that takes most energy from motion,
// is a circle for the tangents x and g y: u_y and r_y are then g u.y and r.y / g. So the shorter
// tangent says it all, and forces follow from it as they do elsewhere.
hf_grain hf_collider_find_grain(const hf_collider *c, int a, int b, int force)
{
    // The surface whose numbers differ more
    double of_a = c->places[a].grained ? grain_of(c, a, b, force) : 1.0;
    double of_b = c->places[b].grained ? grain_of(c, b, a, force) : 1.0;
    bool first = fmax(of_a, 1.0 / of_a) >= fmax(of_b, 1.0 / of_b);
    double ratio = fmin(fmax(first ? of_a : of_b, 1.0 / MOST_GRAIN), MOST_GRAIN);
    // Where friction does not depend on direction, the one whose slip does
    if (ratio == 1.0) {
        first = c->places[a].slip[0] != c->places[a].slip[1];
        if (!first && c->places[b].slip[0] == c->places[b].slip[1]) {
            return (hf_grain){.solid = -1, .ratio = 1.0};
        }
    }
    // The tangent of more friction first
    const hf_solid_place *p = &c->places[first ? a : b];
    return (hf_grain){.solid = first ? a : b,
                      .direction = p->turned ? hf_m3_tmulv(&p->turn, p->direction) : p->direction,
                      .by_world = p->by_world,
                      .across = ratio > 1.0,
                      .ratio = fmin(ratio, 1.0 / ratio)};
}

double hf_collider_grain_level(const hf_collider *c, const hf_grain *grain, int force, double mu)
{
    double along = isnan(mu) ? c->surfaces[force].friction : mu;
    return !grain->across ? mu
           : along > 0.0  ? along / grain->ratio
                          : c->places[grain->solid].across;
}

// The first direction of ODE (dPlaneSpace): across x where the surface is flatter than 45 degrees,
// else horizontal.
static hf_vec3 direction_by_world(hf_vec3 n)
{
    return n.z * n.z > 0.5 ? hf_v3(0.0, -n.z, n.y) : hf_v3(-n.y, n.x, 0.0);
}

bool hf_grain_turn(const hf_grain *grain, const hf_mat3 *rotation, hf_contact_place *place)
{
    // Its direction in the surface, world axes
    hf_vec3 n = place->n;
    hf_vec3 d = grain->by_world ? direction_by_world(n) : hf_m3_mulv(rotation, grain->direction);
    hf_vec3 x = hf_v3_axpy(d, -hf_v3_dot(d, n), n);
    double length = hf_v3_norm(x);
    if (!(length > UPRIGHT * hf_v3_norm(d))) {
        return false;
    }
    x = hf_v3_scale(1.0 / length, x);
    hf_vec3 y = hf_v3_cross(n, x);
    place->x = grain->across ? y : x;
    place->y = hf_v3_scale(grain->across ? -grain->ratio : grain->ratio, grain->across ? x : y);
    return true;
}

void hf_collider_grain(const hf_collider *c, int a, int b, int force, hf_contact_point *point)
{
    hf_grain grain = hf_collider_find_grain(c, a, b, force);
    if (grain.solid >= 0 &&
        hf_grain_turn(&grain, &c->solids[grain.solid].rotation, &point->place)) {
        point->mu = hf_collider_grain_level(c, &grain, force, point->mu);
        point->grained = true;
        point->grain_across = grain.across;
        point->grain_by_world = grain.by_world;
        point->grain_on = c->places[grain.solid].pose == point->on;
    }
}

// Along the tangents x and y. Where y is shorter, g y, the velocity along it is g times what it is,
// and the force 1/g times: u_y = g v.y = -g slip f.y = -g^2 slip r_y.
void hf_collider_slip(const hf_collider *c, int a, int b, hf_contact_point *point)
{
    const hf_solid_place *p = &c->places[a], *q = &c->places[b];
    int first = point->grained && point->grain_across ? 1 : 0;
    double square = hf_v3_dot(point->place.y, point->place.y);
    point->slip[0] = p->slip[first] + q->slip[first];
    point->slip[1] = square * (p->slip[1 - first] + q->slip[1 - first]);
}

// Shape to world is body to world times shape to body.
hf_vec3 hf_collider_to_world(const hf_collider *c, int solid, hf_vec3 v)
{
    const hf_solid_place *p = &c->places[solid];
    return hf_m3_mulv(&c->solids[solid].rotation, p->turned ? hf_m3_tmulv(&p->turn, v) : v);
}

// v + w x r of a surface, in world axes; r from the middle of the solid.
static hf_vec3 belt_at(const hf_collider *c, int solid, hf_vec3 r)
{
    const hf_solid_place *p = &c->places[solid];
    return hf_v3_add(hf_collider_to_world(c, solid, p->belt),
                     hf_v3_cross(hf_collider_to_world(c, solid, p->belt_spin), r));
}

void hf_collider_drive(const hf_collider *c, int on, int to, hf_vec3 place, hf_contact_point *point)
{
    hf_vec3 apart = hf_v3_sub(c->solids[on].center, c->solids[to].center);
    const hf_vec3 from[2] = {hf_v3_sub(place, apart), place}, n = point->place.n;
    for (int k = 0; k < 2; ++k) {
        int solid = k == 0 ? on : to;
        hf_vec3 v = {0};
        if (c->places[solid].driven) {
            v = belt_at(c, solid, from[k]);
        }
        point->belts[k] = hf_v3_axpy(v, -hf_v3_dot(v, n), n);
        point->belt_drives[k] = c->places[solid].belt_drive;
    }
    bool turns[2] = {hf_v3_norm(c->places[on].belt_spin) > 0.0,
                     hf_v3_norm(c->places[to].belt_spin) > 0.0};
    if (turns[0] != turns[1]) {
        int solid = turns[0] ? on : to;
        point->belt_side = turns[0] ? 1 : -1;
        point->belt_spin = hf_collider_to_world(c, solid, c->places[solid].belt_spin);
        point->belt_middle = c->solids[solid].center;
    }
    point->driven = true;
}
