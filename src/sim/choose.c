// SPDX-License-Identifier: Apache-2.0
// Contacts that choose their numbers: once the machine is laid out, each rigid contact's effective
// masses at t = 0 and the method's step give what its definition leaves open.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/method_info.h"
#include "sim/sim_data.h"
#include "sim/start.h"
#include "swarm/swarm.h"

static bool chooses(const hf_force_place *force)
{
    return force->exact == HF_EXACT_CONTACT;
}

// An initial penetration of more than this many times that of an impact at impact_speed is refused
// as a mistake in the machine.
#define DEEP 3.0

// Effective mass of contacts between shapes in the tangent plane, as a part of the reduced mass:
// that of a solid sphere.
#define SHAPES_SHARE (2.0 / 7.0)

// Contacts between shapes with a lower restitution are designed for this one: less would need
// softer contacts, and piles and grips must be stiff.
#define PILE_DESIGN 0.05
// With at most this many shapes few contacts are closed at a time.
enum { FEW = 8 };

static double mass_of(double inverse)
{
    return inverse > 0.0 ? 1.0 / inverse : INFINITY;
}

// A swarm has no rows; its pairs have.
static int law_dim(const hf_force_place *force)
{
    return force->dim > 0 ? force->dim : (force->coupling_def.turning ? 6 : 3);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// Contacts between the same two bodies, such as the corners of a box, may close together.
static bool are_neighbours(const hf_force_place *a, const hf_force_place *b)
{
    return a != b && a->exact == HF_EXACT_CONTACT && b->exact == HF_EXACT_CONTACT &&
           a->dim == b->dim && a->dim > 0 &&
           a->coupling_def.on_frame.body.id == b->coupling_def.on_frame.body.id &&
           a->coupling_def.to_frame.body.id == b->coupling_def.to_frame.body.id;
}

// Pairs of a swarm: 1 kg of reduced mass, or the lightest pair when the stiffness is given. Solid
// spheres feel 2/7 of it in the tangent plane.
static hf_contact_site swarm_site(const hf_model *model, const hf_swarm *swarm)
{
    double largest = 0.0;
    for (int i = 0; i < swarm->count; ++i) {
        largest = fmax(largest, swarm->members[i].inverse_mass);
    }
    double mass = swarm->scaled ? 1.0 : 0.5 / largest;
    // 1/(1/I1 + 1/I2) is at least that of the members' least radius of gyration
    double inertia = swarm->gyration > 0.0 ? mass * swarm->gyration : INFINITY;
    return (hf_contact_site){.mass = mass,
                             .tangent_mass = 2.0 / 7.0 * mass,
                             .spin_inertia = inertia,
                             .rolling_inertia = inertia,
                             .gravity = hf_v3_norm(model->gravity),
                             .step = model->method.step,
                             .neighbours = 12};
}

// Pairs of shapes: 1 kg of reduced mass, or the two lightest when the stiffness is given. A corner
// feels a quarter of it or more, as do the corners of a cube; so do the rows across.
static hf_contact_site shapes_site(const hf_model *model, const hf_force_place *force)
{
    const hf_coupling_def *def = &force->coupling_def;
    double first = 0.0, second = 0.0, gyration = INFINITY;
    int solids = 1;
    for (int i = 0; i < def->member_count; ++i) {
        const hf_body_info *body = &model->bodies[def->members[i].id - 1].info;
        double inverse = body->mass > 0.0 ? 1.0 / body->mass : 0.0;
        second = fmax(second, fmin(first, inverse));
        first = fmax(first, inverse);
        solids = inverse > 0.0 && body->shape_count > solids ? body->shape_count : solids;
        gyration = inverse > 0.0 ? fmin(gyration, hf_least_inertia(body) * inverse) : gyration;
    }
    const hf_rigid_contact_def *law = force->wished;
    double mass = law->stiffness == 0.0 ? 1.0 : mass_of(first + second);
    return (hf_contact_site){.mass = mass,
                             .tangent_mass = SHAPES_SHARE * mass,
                             .spin_inertia = mass * gyration,
                             .rolling_inertia = mass * gyration,
                             .gravity = hf_v3_norm(model->gravity),
                             .step = model->method.step,
                             .neighbours = def->member_count > FEW ? 50 : 12,
                             .dullest = PILE_DESIGN,
                             .solids = solids};
}

static hf_contact_site site_of(hf_sim *sim, const hf_force_place *force)
{
    const hf_model *model = sim->model;
    if (force->ops->keeps_pairs) {
        return swarm_site(model, &model->swarms[force->coupling_index]);
    }
    if (force->ops->needs_collider) {
        return shapes_site(model, force);
    }
    double mass[HF_LAW_MAX_DIM] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    hf_mat3 axes = hf_force_axes(sim, force);
    hf_vec3 n = hf_v3(axes.xx, axes.yx, axes.zx);
    for (int axis = 0; axis < force->dim; ++axis) {
        mass[axis] = mass_of(hf_force_inverse_mass(sim, force, axis));
    }
    bool turning = force->dim == 6;
    return (hf_contact_site){.mass = mass[0],
                             .tangent_mass = smaller(mass[1], mass[2]),
                             .spin_inertia = turning ? mass[3] : INFINITY,
                             .rolling_inertia = turning ? smaller(mass[4], mass[5]) : INFINITY,
                             .gravity = fmax(0.0, -hf_v3_dot(n, model->gravity)),
                             .step = model->method.step};
}

// All contacts of a group of neighbours get the numbers chosen for the lightest of them: the
// corners of a box are then equally stiff, and it stands straight whatever its orientation at t =
// 0.
static void share_site(const hf_model *model, const hf_force_place *force,
                       const hf_contact_site *sites, hf_contact_site *site)
{
    for (int i = 0; i < model->force_count; ++i) {
        if (!are_neighbours(&model->forces[i], force)) {
            continue;
        }
        site->neighbours += 1;
        site->mass = smaller(site->mass, sites[i].mass);
        site->tangent_mass = smaller(site->tangent_mass, sites[i].tangent_mass);
        site->spin_inertia = smaller(site->spin_inertia, sites[i].spin_inertia);
        site->rolling_inertia = smaller(site->rolling_inertia, sites[i].rolling_inertia);
        site->speed = fmax(site->speed, sites[i].speed);
    }
}

// An inertia where nothing turns: that of a body of 3 cm, as a part of its mass [m^2].
#define USUAL_INERTIA 1e-3

// Directions in which nothing moves have an infinite mass: they take the mass of the others.
static hf_contact_site finite_site(hf_contact_site site)
{
    double usual = isfinite(site.mass) ? site.mass : 1.0;
    site.mass = usual;
    site.tangent_mass = isfinite(site.tangent_mass) ? site.tangent_mass : usual;
    site.spin_inertia = isfinite(site.spin_inertia) ? site.spin_inertia : USUAL_INERTIA * usual;
    site.rolling_inertia =
        isfinite(site.rolling_inertia) ? site.rolling_inertia : USUAL_INERTIA * usual;
    return site;
}

static hf_status check_depth(const hf_model *model, const hf_force_place *force, double depth,
                             hf_error *error)
{
    const hf_rigid_contact_def *def = force->def;
    if (depth == 0.0) {
        return HF_OK;
    }
    hf_contact_forecast f = hf_rigid_contact_forecast(def, force->site);
    double radius = force->ops->keeps_pairs ? model->swarms[force->coupling_index].smallest
                                            : force->coupling_def.radius;
    double deep = fmax(DEEP * fmax(f.impact_depth, f.rest_depth), 0.01 * radius);
    if (!(depth <= deep)) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", force->name),
                           "the bodies begin %g m deep in each other; at most %g m is accepted",
                           depth, deep);
    }
    return HF_OK;
}

// A choice takes long, and many contacts of a machine are alike: the last different choices are
// kept.
enum { MEMORY = 16 };

typedef struct choices {
    const hf_force_place *forces[MEMORY];
    int count, next;
} choices;

static bool same_site(const hf_contact_site *a, const hf_contact_site *b)
{
    return a->mass == b->mass && a->tangent_mass == b->tangent_mass &&
           a->spin_inertia == b->spin_inertia && a->rolling_inertia == b->rolling_inertia &&
           a->gravity == b->gravity && a->step == b->step && a->neighbours == b->neighbours &&
           a->scheme == b->scheme && a->speed == b->speed && a->size == b->size &&
           a->dullest == b->dullest && a->steps == b->steps && a->solids == b->solids;
}

// Equal wanted values with different bytes (0 and -0) only cost one more choice.
static bool same_wishes(const hf_rigid_contact_def *a, const hf_rigid_contact_def *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// Fills force->def from what was asked for and from its site.
static void choose_one(choices *memory, hf_force_place *force)
{
    hf_rigid_contact_def *def = (void *)force->def;
    for (int i = 0; i < memory->count; ++i) {
        const hf_force_place *other = memory->forces[i];
        if (law_dim(other) == law_dim(force) && same_site(other->site, force->site) &&
            same_wishes(other->wished, force->wished)) {
            *def = *(const hf_rigid_contact_def *)other->def;
            return;
        }
    }
    *def = *force->wished;
    hf_rigid_contact_choose(def, law_dim(force), force->site);
    memory->forces[memory->next] = force;
    memory->next = (memory->next + 1) % MEMORY;
    memory->count = memory->count < MEMORY ? memory->count + 1 : MEMORY;
}

// The masses that faces and corners of flat shapes act on, by the reduced mass: the four corners of
// a box share its mass, and one of a cube that strikes alone feels a quarter of it.
#define FLAT_SHARE 0.25
// Dull contacts with shorter times need smaller steps of Runge-Kutta methods, or are softer by
// this.
#define FLAT_SOFTER 0.5
#define FLAT_DULL   0.2

static bool times_given(const hf_rigid_contact_def *wished)
{
    return wished->damping_time > 0.0 && wished->filter_time > 0.0;
}

// Points of flat shapes swing faster on the same stiffness, so that the times that give the wished
// restitution are shorter. *flat: the numbers of round ones.
static void choose_flat(const hf_force_place *force, const hf_rigid_contact_def *wished,
                        hf_rigid_contact_def *flat)
{
    hf_contact_site site = *force->site;
    site.mass *= FLAT_SHARE;
    if (wished->restitution < FLAT_DULL && site.scheme == HF_CONTACT_RK4) {
        flat->stiffness *= FLAT_SOFTER;
        flat->tangent_stiffness *= FLAT_SOFTER;
        flat->tangent_damping_time /= sqrt(FLAT_SOFTER);
    }
    flat->damping_time = wished->damping_time;
    flat->filter_time = wished->filter_time;
    hf_rigid_contact_choose(flat, law_dim(force), &site);
}

static hf_status add_flat(hf_model *model, hf_force_place *force, hf_error *error)
{
    const hf_rigid_contact_def *wished = force->wished;
    force->flat = force->def;
    if (!force->ops->needs_collider || times_given(wished) || wished->stiffness > 0.0) {
        return HF_OK;
    }
    hf_rigid_contact_def *flat = hf_arena_copy(&model->arena, force->def, 1, sizeof *flat);
    if (flat == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    choose_flat(force, wished, flat);
    force->flat = flat;
    return HF_OK;
}

void hf_choose_restitution(const hf_force_place *force, double restitution,
                           hf_rigid_contact_def *round, hf_rigid_contact_def *flat)
{
    hf_rigid_contact_def wished = *force->wished;
    wished.restitution = restitution;
    if (times_given(&wished)) {
        wished.damping_time = wished.filter_time = 0.0;
    }
    *round = wished;
    hf_rigid_contact_choose(round, law_dim(force), force->site);
    *flat = *round;
    if (!(wished.stiffness > 0.0)) {
        choose_flat(force, &wished, flat);
    }
}

// Of the box around a convex mesh.
static double smallest_of_mesh(const hf_mesh *mesh)
{
    hf_mesh_info info = hf_mesh_get_info(mesh);
    hf_vec3 size = hf_v3_sub(info.most, info.least);
    return fmin(size.x, fmin(size.y, size.z));
}

// The smallest edge or radius of a shape; planes and surfaces of triangles have none.
static double smallest_of(const hf_shape *shape)
{
    hf_vec3 size = shape->size;
    switch (shape->type) {
    case HF_SHAPE_SPHERE:
    case HF_SHAPE_CAPSULE:
        return size.x;
    case HF_SHAPE_CYLINDER:
    case HF_SHAPE_CONE:
        return fmin(size.x, size.z);
    case HF_SHAPE_BOX:
    case HF_SHAPE_ELLIPSOID:
        return fmin(size.x, fmin(size.y, size.z));
    case HF_SHAPE_MESH:
        return smallest_of_mesh(shape->mesh);
    default:
        return INFINITY;
    }
}

static void look_at_body(const hf_sim *sim, hf_body id, hf_contact_site *site, double *fastest)
{
    const hf_body_place *body = id.id > 0 ? &sim->model->bodies[id.id - 1] : NULL;
    if (body == NULL) {
        return;
    }
    for (int k = 0; k < body->info.shape_count; ++k) {
        site->size = fmin(site->size, smallest_of(&body->info.shapes[k].shape));
    }
    *fastest = fmax(*fastest, hf_v3_norm(sim->poses[body->pose].velocity));
}

// How small bodies are, and how fast at the start, for the method that runs.
static hf_contact_site motion_of(const hf_sim *sim, const hf_force_place *force)
{
    const hf_coupling_def *def = &force->coupling_def;
    double fastest = 0.0;
    const hf_method_info *method = hf_method_info_get(sim->model->method.type);
    hf_contact_site site = {.scheme = method->contact_scheme, .steps = method->contact_steps};
    site.size = INFINITY;
    look_at_body(sim, def->on_frame.body, &site, &fastest);
    look_at_body(sim, def->to_frame.body, &site, &fastest);
    for (int i = 0; i < def->member_count; ++i) {
        look_at_body(sim, def->members[i], &site, &fastest);
    }
    site.size = isfinite(site.size) ? site.size : 0.0;
    site.speed = force->item == NULL ? 2.0 * fastest : fabs(sim->rate[force->row]);
    return site;
}

// Shapes that begin in each other are looked for by the collider itself.
static double start_depth(const hf_sim *sim, const hf_force_place *force)
{
    if (force->ops->keeps_pairs) {
        return hf_swarm_depth(sim, force->coupling_index);
    }
    return force->ops->needs_collider ? 0.0 : fmax(0.0, -sim->gap[force->row]);
}

// Numbers for all of them, from masses and motion at the start.
static hf_status choose(hf_model *model, hf_sim *sim, hf_error *error)
{
    choices memory = {.count = 0};
    hf_force_place *forces = (hf_force_place *)model->forces;
    hf_contact_site *sites, *shared;
    sites = hf_arena_alloc(&model->arena, (size_t)model->force_count, sizeof *sites);
    shared = hf_arena_alloc(&model->arena, (size_t)model->force_count, sizeof *shared);
    if (sites == NULL || shared == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    // How fast bodies begin, before poses are used to look at masses
    for (int i = 0; i < model->force_count; ++i) {
        if (chooses(&forces[i])) {
            shared[i] = motion_of(sim, &forces[i]);
        }
    }
    for (int i = 0; i < model->force_count; ++i) {
        if (chooses(&forces[i])) {
            forces[i].start_depth = start_depth(sim, &forces[i]);
            // Finding masses overwrites velocities of poses, but no positions.
            sites[i] = finite_site(site_of(sim, &forces[i]));
            sites[i].scheme = shared[i].scheme;
            sites[i].steps = shared[i].steps;
            sites[i].speed = shared[i].speed;
            sites[i].size = shared[i].size;
        }
    }
    // Each with its neighbours: numbers, and whether it begins too deep
    for (int i = 0; i < model->force_count; ++i) {
        if (!chooses(&forces[i])) {
            continue;
        }
        shared[i] = sites[i];
        share_site(model, &forces[i], sites, &shared[i]);
        forces[i].site = &shared[i];
        choose_one(&memory, &forces[i]);
        HF_TRY(add_flat(model, &forces[i], error));
        HF_TRY(check_depth(model, &forces[i], forces[i].start_depth, error));
    }
    return HF_OK;
}

// Neighbouring contacts with the same numbers read the same memory.
static void share_numbers(hf_model *model)
{
    hf_force_place *forces = (hf_force_place *)model->forces;
    for (int i = 1; i < model->force_count; ++i) {
        if (forces[i].exact == HF_EXACT_CONTACT && forces[i - 1].exact == HF_EXACT_CONTACT &&
            memcmp(forces[i].def, forces[i - 1].def, sizeof(hf_rigid_contact_def)) == 0) {
            forces[i].def = forces[i - 1].def;
        }
    }
}

bool hf_chooses_contacts(const hf_model *model)
{
    bool any = false;
    for (int i = 0; i < model->force_count && !any; ++i) {
        any = chooses(&model->forces[i]);
    }
    return any;
}

hf_status hf_choose_contacts(hf_sim *workspace, hf_model *model, hf_error *error)
{
    hf_force_place *forces = (hf_force_place *)model->forces;
    for (int i = 0; i < model->force_count; ++i) {
        if (chooses(&forces[i])) {
            const hf_rigid_contact_def *def = forces[i].def;
            forces[i].wished = hf_arena_copy(&model->arena, def, 1, sizeof *def);
            if (forces[i].wished == NULL) {
                return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
            }
        }
    }
    HF_TRY(choose(model, workspace, error));
    share_numbers(model);
    return HF_OK;
}

bool hf_model_contact(const hf_model *model, hf_force force, hf_contact_report *report)
{
    HF_ASSERT(force.id >= 1 && force.id <= model->force_count);
    const hf_force_place *place = &model->forces[model->force_order[force.id - 1]];
    *report = (hf_contact_report){0};
    if (!chooses(place)) {
        return false;
    }
    const hf_rigid_contact_def *def = place->def;
    *report = (hf_contact_report){
        .site = *place->site,
        .wished = *place->wished,
        .chosen = *def,
        .forecast = hf_rigid_contact_forecast(def, place->site),
        .verdict = hf_rigid_contact_judge(place->wished, law_dim(place), place->site),
        .start_depth = place->start_depth,
    };
    return true;
}
