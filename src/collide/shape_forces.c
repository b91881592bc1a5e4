// SPDX-License-Identifier: Apache-2.0
// Contacts between shapes as forces of their law: what the collider finds at the beginning of a
// step, as points that move with the bodies through it (swarm.h). A method with steps of its own
// says when it is looked for them: until then the points that there are stay (held).
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "collide/collider.h"
#include "collide/point_surface.h"
#include "sim/method_info.h"
#include "swarm/swarm.h"

// How near to its axis a point of a cylinder's side is, by the radius.
#define ON_AXIS 1e-6
// How far a normal may be from an axis of a box to be that of its face: sine of the angle.
#define OF_FACE 1e-9
// Ways of the fastest body in a step within which points are listed: stages may overshoot.
#define REACH_STEPS 3.0
// Margins are rounded up to parts of a power of two: while little moves they stay what they are,
// and so does what the collider knows.
#define MARGIN_STEPS 16.0
// Of points that are held, by the size of the thinnest solid: gaps of those that are listed, and
// what makes them others: places, gaps; and normals, by the sine of the angle.
#define HELD_MARGIN 0.05
#define HELD_PLACE  2e-3
#define HELD_GAP    1e-7
#define HELD_NORMAL 1e-5

typedef struct hf_shape_forces {
    hf_collider *collider;
    hf_contact_point *points; // [hf_collider_capacity]
    int *seams;               // [hf_seams_room]
    int count;
    bool held, listed;     // points stay until they are released; there are some
    double size;           // of the thinnest solid [m]
    hf_designs designs;    // of surfaces with a restitution of their own
    uint64_t *features;    // [hf_collider_capacity] of held points: those found anew
    hf_shape_point *fresh; // [hf_collider_capacity] the same
} hf_shape_forces;

static bool has_points(const hf_model *model)
{
    for (int i = 0; i < model->swarm_count; ++i) {
        if (model->swarms[i].shapes) {
            return true;
        }
    }
    return false;
}

// The first force between shapes; NULL: none.
static const hf_force_place *first_of(const hf_model *model)
{
    for (int i = 0; i < model->force_count; ++i) {
        if (model->forces[i].ops->needs_collider) {
            return &model->forces[i];
        }
    }
    return NULL;
}

// For points that are held.
static bool make_room(hf_sim *sim, hf_shape_forces *own)
{
    size_t capacity = (size_t)hf_collider_capacity(own->collider);
    double thin = hf_collider_thinness(own->collider);
    own->size = isfinite(thin) ? thin : hf_collider_reach(own->collider);
    own->features =
        sim->allocator.allocate(sim->allocator.context, capacity * sizeof *own->features);
    own->fresh = sim->allocator.allocate(sim->allocator.context, capacity * sizeof *own->fresh);
    return own->features != NULL && own->fresh != NULL;
}

hf_status hf_shape_forces_create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    const hf_force_place *first = first_of(model);
    hf_method_type type = sim->core->method.type;
    // Whether this method has points of contact as forces, and the model room for them
    if (first == NULL || !hf_method_forces_shapes(type)) {
        return HF_OK;
    }
    if (!has_points(model)) {
        return hf_error_at(
            error, HF_ERROR_UNSUPPORTED, hf_at("force", first->name),
            "the model was compiled for method %s, which keeps no points of contact; "
            "compile it for %s",
            hf_method_name(model->method.type), hf_method_name(type));
    }
    // A collider and the points that it finds
    hf_shape_forces *own = sim->allocator.allocate(sim->allocator.context, sizeof *own);
    if (own == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for contacts");
    }
    *own = (hf_shape_forces){0};
    sim->shapes = own;
    HF_TRY(hf_collider_create(model, &sim->allocator, &own->collider, error));
    HF_TRY(hf_designs_create(&own->designs, own->collider, error));
    size_t size = (size_t)hf_collider_capacity(own->collider) * sizeof *own->points;
    own->points = sim->allocator.allocate(sim->allocator.context, size);
    own->seams = sim->allocator.allocate(sim->allocator.context,
                                         hf_seams_room(own->collider) * sizeof *own->seams);
    own->held = hf_method_is_adaptive(type);
    if (own->points == NULL || own->seams == NULL || (own->held && !make_room(sim, own))) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for contacts");
    }
    // Nothing may begin deep in each other
    hf_sim_pose_start(sim);
    return hf_collider_check(own->collider, sim->poses, error);
}

void hf_shape_forces_destroy(hf_sim *sim)
{
    hf_shape_forces *own = sim->shapes;
    if (own == NULL) {
        return;
    }
    if (own->collider != NULL) {
        hf_designs_destroy(&own->designs, own->collider);
    }
    hf_collider_destroy(own->collider);
    void *const blocks[] = {own->points, own->seams, own->features, own->fresh};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        if (blocks[i] != NULL) {
            sim->allocator.release(sim->allocator.context, blocks[i]);
        }
    }
    sim->allocator.release(sim->allocator.context, own);
    sim->shapes = NULL;
}

// Within which gap points of a step are listed [m].
static double step_margin(const hf_sim *sim)
{
    double speed = 0.0, h = sim->core->method.step;
    double reach = hf_collider_reach(sim->shapes->collider);
    for (int i = 1; i < sim->model->pose_count; ++i) {
        const hf_pose *pose = &sim->poses[i];
        speed = fmax(speed, hf_v3_norm(pose->velocity) + reach * hf_v3_norm(pose->spin));
    }
    int scale = 0;
    double way = h * (REACH_STEPS * speed + h * hf_v3_norm(sim->model->gravity));
    double share = frexp(way, &scale);
    double margin = ldexp(ceil(MARGIN_STEPS * share) / MARGIN_STEPS, scale);
    return isfinite(margin) ? margin : 0.0;
}

bool hf_shape_forces_find(hf_sim *sim)
{
    hf_shape_forces *own = sim->shapes;
    double margin = own->held ? hf_shape_forces_margin(sim) : step_margin(sim);
    own->count = hf_collider_find(own->collider, sim->poses, margin, NULL, own->points,
                                  hf_collider_capacity(own->collider));
    if (own->count > 0) {
        own->count =
            hf_collider_pass_seams(own->collider, sim->poses, own->points, own->count, own->seams);
    }
    own->listed = true;
    return own->count >= 0;
}

bool hf_shape_forces_stay(const hf_sim *sim)
{
    return sim->shapes != NULL && sim->shapes->held && sim->shapes->listed;
}

void hf_shape_forces_release(hf_sim *sim)
{
    if (sim->shapes != NULL) {
        sim->shapes->listed = false;
    }
}

double hf_shape_forces_margin(const hf_sim *sim)
{
    return HELD_MARGIN * sim->shapes->size;
}

double hf_shape_forces_shift(const hf_sim *sim)
{
    return HELD_PLACE * sim->shapes->size;
}

double hf_shape_forces_reach(const hf_sim *sim)
{
    return hf_collider_reach(sim->shapes->collider);
}

hf_status hf_shape_forces_fail(const hf_sim *sim, hf_error *error)
{
    return hf_collider_fail(sim->shapes->collider, sim->core->time, error);
}

int hf_shape_forces_feature_bits(const hf_sim *sim)
{
    return sim->shapes->collider->feature_bits;
}

// ------------------------------------------------------------------------------------------------
// What a point is made of

// How much of a solid's surface at a point `arm` from its center, with the normal n outwards, is a
// radius around a core.
static double round_of(const hf_solid *solid, hf_vec3 arm, hf_vec3 n)
{
    if (solid->type == HF_SHAPE_SPHERE || solid->type == HF_SHAPE_CAPSULE) {
        return solid->radius;
    }
    if (solid->type != HF_SHAPE_CYLINDER) {
        return 0.0;
    }
    hf_vec3 axis = hf_v3(solid->rotation.xz, solid->rotation.yz, solid->rotation.zz);
    hf_vec3 core = hf_v3_axpy(arm, -solid->radius, n);
    hf_vec3 across = hf_v3_axpy(core, -hf_v3_dot(core, axis), axis);
    return hf_v3_norm(across) <= ON_AXIS * solid->radius ? solid->radius : 0.0;
}

// Whether n is the normal of a face of a box or plane.
static bool has_face(const hf_solid *solid, hf_vec3 n)
{
    if (solid->type == HF_SHAPE_PLANE) {
        return true;
    }
    const hf_mat3 *r = &solid->rotation;
    const hf_vec3 axes[3] = {hf_v3(r->xx, r->yx, r->zx), hf_v3(r->xy, r->yy, r->zy),
                             hf_v3(r->xz, r->yz, r->zz)};
    bool found = false;
    for (int k = 0; k < 3 && solid->type == HF_SHAPE_BOX; ++k) {
        found = found || hf_v3_norm(hf_v3_cross(axes[k], n)) < OF_FACE;
    }
    return found;
}

// Where a solid is in its body's frame.
static hf_spot spot_of(const hf_pose *pose, const hf_solid *solid)
{
    hf_mat3 back = hf_m3_transpose(&pose->rotation);
    return (hf_spot){hf_m3_mul(&back, &solid->rotation),
                     hf_m3_tmulv(&pose->rotation, hf_v3_sub(solid->center, pose->position))};
}

// Whether two solids meet in points and faces alone, whose places have closed forms.
static bool is_simple(const hf_solid *solids[2], const hf_shape_point *p)
{
    const hf_shape_type a = solids[0]->type, b = solids[1]->type;
    if (a == HF_SHAPE_SPHERE && b == HF_SHAPE_SPHERE) {
        return true;
    }
    // what lies on a face of a box or plane, unless it rolls without a radius of its own
    const hf_solid *other = p->of_to ? solids[0] : solids[1];
    double round = p->of_to ? p->on_round : p->to_round;
    bool rolls = other->type == HF_SHAPE_ELLIPSOID || other->type == HF_SHAPE_CONE ||
                 (other->type == HF_SHAPE_CYLINDER && round == 0.0);
    return (p->of_to || p->of_on) && !rolls;
}

// The features that meet in a point, where they are more than points and faces.
static void set_track(const hf_solid *solids[2], const hf_pose *poses, const hf_vec3 surfaces[2],
                      hf_vec3 n, hf_shape_point *p)
{
    const hf_pose *on = &poses[p->on], *to = &poses[p->to];
    hf_follows follows = hf_track_at(solids[0], solids[1], n, hf_v3_add(on->position, surfaces[0]),
                                     hf_v3_add(to->position, surfaces[1]), &p->track);
    p->tracked = follows == HF_FOLLOWS_TRACK;
    p->of_to = p->of_to || follows == HF_FOLLOWS_TO_FACE;
    p->of_on = !p->of_to && (p->of_on || follows == HF_FOLLOWS_ON_FACE);
    p->on_spot = spot_of(on, solids[0]);
    p->to_spot = spot_of(to, solids[1]);
}

static hf_shape_point make_point(const hf_sim *sim, const hf_contact_point *found)
{
    const hf_solid *solids[2];
    hf_collider_solids(sim->shapes->collider, found, solids);
    const hf_pose *on = &sim->poses[found->on], *to = &sim->poses[found->to];
    const hf_contact_place *place = &found->place;
    // Both surfaces, then the cores behind them
    const hf_vec3 surfaces[2] = {hf_v3_axpy(place->on_arm, 0.5 * place->gap, place->n),
                                 hf_v3_axpy(place->to_arm, -0.5 * place->gap, place->n)};
    hf_vec3 inwards = hf_v3_scale(-1.0, place->n);
    hf_vec3 on_place = hf_v3_sub(hf_v3_add(on->position, surfaces[0]), solids[0]->center);
    hf_vec3 to_place = hf_v3_sub(hf_v3_add(to->position, surfaces[1]), solids[1]->center);
    hf_shape_point p = {.on = found->on,
                        .to = found->to,
                        .scenery = found->scenery,
                        .on_round = round_of(solids[0], on_place, inwards),
                        .to_round = round_of(solids[1], to_place, place->n)};
    hf_vec3 on_core = hf_v3_axpy(surfaces[0], p.on_round, place->n);
    hf_vec3 to_core = hf_v3_axpy(surfaces[1], -p.to_round, place->n);
    p.on_core = hf_m3_tmulv(&on->rotation, on_core);
    p.to_core = hf_m3_tmulv(&to->rotation, to_core);
    // Whose normal it is
    p.of_to = has_face(solids[1], place->n);
    p.of_on = !p.of_to && has_face(solids[0], place->n);
    if (!is_simple(solids, &p)) {
        set_track(solids, sim->poses, surfaces, place->n, &p);
    }
    p.joins = !p.of_to && !p.of_on && p.on_round + p.to_round > 0.0 &&
              p.on_round + p.to_round + place->gap > 0.0;
    p.normal = hf_m3_tmulv(p.of_on ? &on->rotation : &to->rotation, place->n);
    p.surface =
        hf_point_surface_of(sim->shapes->collider, &sim->shapes->designs, found, sim->poses);
    return p;
}

const hf_rigid_contact_def *hf_shape_forces_numbers(const hf_sim *sim, int force,
                                                    const hf_point_surface *surface, bool flat,
                                                    hf_rigid_contact_def *own)
{
    const hf_force_place *place = &sim->model->forces[force];
    if (surface->design >= 0) {
        const hf_design *design = &sim->shapes->designs.items[surface->design];
        *own = flat ? design->flat : design->round;
    } else {
        *own = *(const hf_rigid_contact_def *)(flat ? place->flat : place->def);
    }
    own->friction = isnan(surface->mu) ? own->friction : hf_level_coefficient(surface->mu);
    own->spin_friction =
        isnan(surface->spin) ? own->spin_friction : hf_level_coefficient(surface->spin);
    own->rolling_friction =
        isnan(surface->rolling) ? own->rolling_friction : hf_level_coefficient(surface->rolling);
    return own;
}

int hf_shape_forces_list(const hf_sim *sim, int force, uint64_t *features, hf_shape_point *points)
{
    const hf_shape_forces *own = sim->shapes;
    const uint64_t mask = (UINT64_C(1) << HF_CONTACT_KEY_BITS) - 1;
    int count = 0;
    for (int i = 0; i < own->count; ++i) {
        if (own->points[i].force == force) {
            features[count] = own->points[i].key & mask;
            points[count++] = make_point(sim, &own->points[i]);
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Points that are held

// Whether two points of the same features are one place, where the bodies are now.
static bool is_same(const hf_sim *sim, const hf_shape_point *a, const hf_shape_point *b)
{
    const double size = sim->shapes->size;
    const hf_vec3 none = {0};
    hf_contact_place p = hf_shape_point_place(a, sim->poses, none);
    hf_contact_place q = hf_shape_point_place(b, sim->poses, none);
    return fabs(p.gap - q.gap) <= HELD_GAP * size &&
           hf_v3_norm(hf_v3_sub(p.on_arm, q.on_arm)) <= HELD_PLACE * size &&
           hf_v3_norm(hf_v3_sub(p.n, q.n)) <= HELD_NORMAL;
}

bool hf_shape_forces_moved(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_shape_forces *own = sim->shapes;
    hf_update_poses(sim, sim->x, sim->x + model->nq);
    bool moved = !hf_shape_forces_find(sim);
    for (int k = 0; k < model->swarm_count && !moved; ++k) {
        const hf_swarm_state *s = &sim->swarms[k];
        if (!model->swarms[k].shapes) {
            continue;
        }
        int count = hf_shape_forces_list(sim, model->swarms[k].force, own->features, own->fresh);
        moved = count != *s->count;
        for (int i = 0; i < count && !moved; ++i) {
            moved =
                own->features[i] != s->features[i] || !is_same(sim, &own->fresh[i], &s->points[i]);
        }
    }
    return moved;
}

void hf_shape_forces_repeat(hf_sim *sim)
{
    const hf_model *model = sim->model;
    if (sim->shapes == NULL) {
        return;
    }
    hf_update_poses(sim, sim->x, sim->x + model->nq);
    (void)hf_shape_forces_find(sim);
    for (int k = 0; k < model->swarm_count; ++k) {
        if (model->swarms[k].shapes) {
            (void)hf_shape_forces_list(sim, model->swarms[k].force, sim->shapes->features,
                                       sim->swarms[k].points);
        }
    }
}
