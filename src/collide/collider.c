// SPDX-License-Identifier: Apache-2.0
// Making a collider: one solid for every body that a force between shapes names.
#include "collide/collider.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "couplings/members.h"

enum { MOST_SOLIDS = 1 << 16 };

typedef struct collider_sizes {
    int owners, solids; // bodies, and their shapes
    int pairs;          // near each other at a time
    int specials, own;  // pairs of bodies, pairs of solids
    int materials;      // where pairs of them have numbers of their own; else 0
    int known;
} collider_sizes;

// Everything lies behind the collider, in one block.
static void lay_out(hf_collider *c, hf_carver *hand, const collider_sizes *sizes)
{
    size_t n = (size_t)sizes->solids, pairs = (size_t)sizes->pairs, known = (size_t)sizes->known;
    size_t forces = (size_t)c->model->force_count, materials = (size_t)sizes->materials;
    (void)hf_carve(hand, 1, sizeof *c);
    // Shapes, where they are, and what their surfaces do
    c->solids = hf_carve(hand, n, sizeof *c->solids);
    c->places = hf_carve(hand, n, sizeof *c->places);
    c->first = hf_carve(hand, (size_t)sizes->owners + 1, sizeof *c->first);
    c->specials = hf_carve(hand, (size_t)sizes->specials, sizeof *c->specials);
    c->surfaces = hf_carve(hand, forces, sizeof *c->surfaces);
    c->own_pairs = hf_carve(hand, (size_t)sizes->own, sizeof *c->own_pairs);
    c->material_pairs = hf_carve_matrix(hand, materials, materials, sizeof *c->material_pairs);
    c->material_pairs = materials > 0 ? c->material_pairs : NULL;
    c->material_count = sizes->materials;
    c->owner_count = sizes->owners;
    // The sweep that finds near pairs, and what is known of pairs from before
    c->sweep.bounds = hf_carve(hand, n, sizeof *c->sweep.bounds);
    c->sweep.order = hf_carve(hand, n, sizeof *c->sweep.order);
    c->sweep.starts = hf_carve(hand, n + 1, sizeof *c->sweep.starts);
    c->sweep.pairs = hf_carve(hand, pairs, sizeof *c->sweep.pairs);
    c->sweep.sorted = hf_carve(hand, pairs, sizeof *c->sweep.sorted);
    c->known.capacity = sizes->known;
    c->known.now = hf_carve(hand, known, sizeof *c->known.now);
    c->known.before = hf_carve(hand, known, sizeof *c->known.before);
    c->known.same = hf_carve(hand, n, sizeof *c->known.same);
    // Few shapes: a table of all pairs
    size_t few = n <= HF_COLLIDER_FEW ? n : 0;
    c->pair_forces = hf_carve_matrix(hand, few, few, sizeof *c->pair_forces);
    c->pair_ways = hf_carve_matrix(hand, few, few, sizeof *c->pair_ways);
    c->candidates = hf_carve_matrix(hand, few, few, sizeof *c->candidates);
    c->sweep.lane = hf_sweep_lane(sizes->solids);
    c->sweep.lanes = hf_carve_matrix(hand, 6, (size_t)c->sweep.lane, sizeof *c->sweep.lanes);
    c->sweep.near = hf_carve(hand, (size_t)c->sweep.lane, sizeof *c->sweep.near);
    c->sweep.count = sizes->solids;
    c->sweep.capacity = sizes->pairs;
}

// ------------------------------------------------------------------------------------------------
// Solids

static hf_solid solid_of(const hf_shape *shape)
{
    // The center is the origin of a shape's own frame
    hf_solid s = {.type = shape->type, .mesh = shape->mesh, .triangles = shape->triangles};
    hf_vec3 size = shape->size;
    // Half sizes, radius, and the farthest point from the center
    switch (shape->type) {
    case HF_SHAPE_BOX:
        s.half = hf_v3_scale(0.5, size);
        s.reach = hf_v3_norm(s.half);
        break;
    case HF_SHAPE_CAPSULE:
        s.half = hf_v3(0.0, 0.0, 0.5 * size.z);
        s.radius = size.x;
        s.reach = s.half.z + s.radius;
        break;
    case HF_SHAPE_CYLINDER:
        s.half = hf_v3(0.0, 0.0, 0.5 * size.z);
        s.radius = size.x;
        s.reach = sqrt(s.radius * s.radius + s.half.z * s.half.z);
        break;
    case HF_SHAPE_MESH: {
        hf_vec3 a = s.mesh->least, b = s.mesh->most;
        s.half = hf_v3(fmax(-a.x, b.x), fmax(-a.y, b.y), fmax(-a.z, b.z));
        s.reach = s.mesh->radius;
        break;
    }
    case HF_SHAPE_TRIANGLES: {
        hf_vec3 a = s.triangles->least, b = s.triangles->most;
        s.half = hf_v3(fmax(-a.x, b.x), fmax(-a.y, b.y), fmax(-a.z, b.z));
        s.reach = s.triangles->radius;
        break;
    }
    case HF_SHAPE_ELLIPSOID:
        s.half = size;
        s.reach = fmax(size.x, fmax(size.y, size.z));
        break;
    case HF_SHAPE_CONE:
        s.half = hf_v3(size.x, size.x, 0.75 * size.z);
        s.radius = size.x;
        s.reach = fmax(s.half.z, sqrt(size.x * size.x + 0.0625 * size.z * size.z));
        break;
    case HF_SHAPE_PLANE:
        s.reach = HUGE_VAL;
        break;
    default:
        s.radius = s.reach = size.x;
        break;
    }
    return s;
}

hf_solid hf_solid_make(const hf_shape *shape, hf_vec3 center, hf_quat orientation)
{
    hf_solid solid = solid_of(shape);
    solid.center = center;
    solid.rotation = hf_quat_rotation(orientation);
    return solid;
}

static hf_solid_place place_of(const hf_model *model, int body, int owner, int shape)
{
    const hf_body_place *b = &model->bodies[body - 1];
    const hf_shape_def *def = &b->info.shapes[shape];
    const hf_surface *s = &def->surface;
    int drive = def->has_belt_speed ? model->bodies[def->belt_drive - 1].pose : 0;
    hf_quat turn = def->shape.turn;
    bool turned = turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0;
    bool told = !isnan(s->friction) || !isnan(s->restitution) || !isnan(s->spin_friction) ||
                !isnan(s->rolling_friction);
    return (hf_solid_place){.name = def->name,
                            .body = body,
                            .owner = owner,
                            .pose = b->pose,
                            .fixed = b->ops->scenery,
                            .led = b->ops->scenery || b->ops->drive != NULL,
                            .turned = turned,
                            .told = told || def->material.id > 0 || !isnan(def->friction_across),
                            .grained = !isnan(def->friction_across) || def->slip[0] != def->slip[1],
                            .across = def->friction_across,
                            .direction = def->friction_direction,
                            .by_world = def->friction_by_world,
                            .slip = {def->slip[0], def->slip[1]},
                            .center = def->center,
                            .turn = turned ? hf_quat_rotation(turn) : hf_m3_identity(),
                            .group = def->group,
                            .mask = def->mask,
                            .material = def->material.id,
                            .surface = *s,
                            .driven = hf_v3_norm(def->belt) + hf_v3_norm(def->belt_spin) > 0.0,
                            .belt = def->belt,
                            .belt_spin = def->belt_spin,
                            .belt_drive = drive};
}

// Marks the bodies that forces between shapes name; returns how many. by_pose: [poses] body ids.
static int mark_bodies(const hf_model *model, int *by_pose)
{
    int count = 0;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        for (int k = 0; force->ops->needs_collider && k < force->coupling_def.member_count; ++k) {
            int body = force->coupling_def.members[k].id;
            int *mark = &by_pose[model->bodies[body - 1].pose];
            count += *mark == 0;
            *mark = body;
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Pairs

// The place of a body among those of the collider, which are in the order of poses; -1: none.
static int owner_of(const hf_collider *c, int body)
{
    int pose = c->model->bodies[body - 1].pose, low = 0, high = c->owner_count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->places[c->first[middle]].pose < pose) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < c->owner_count && c->places[c->first[low]].pose == pose ? low : -1;
}

static const char *owner_name(const hf_collider *c, uint64_t owner)
{
    return c->model->body_names[c->places[c->first[owner]].body - 1];
}

static void add_special(hf_collider *c, int body_a, int body_b, hf_special_pair special)
{
    int a = owner_of(c, body_a), b = owner_of(c, body_b);
    if (a < 0 || b < 0) {
        return;
    }
    for (int i = c->first[a]; i < c->first[a + 1]; ++i) {
        c->places[i].special = true;
    }
    for (int i = c->first[b]; i < c->first[b + 1]; ++i) {
        c->places[i].special = true;
    }
    int low = a < b ? a : b, high = a < b ? b : a;
    special.key = hf_special_key(low, high);
    c->specials[c->special_count++] = special;
}

static int by_key(const void *a, const void *b)
{
    const hf_special_pair *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    if (x->alone != y->alone) {
        return x->alone ? -1 : 1;
    }
    return (x->force > y->force) - (x->force < y->force);
}

// One entry a pair. Its contact comes before a list of the same two; else two forces on one pair
// are one too many.
static hf_status merge_specials(hf_collider *c, hf_error *error)
{
    qsort(c->specials, (size_t)c->special_count, sizeof *c->specials, by_key);
    int kept = 0;
    for (int i = 0; i < c->special_count; ++i) {
        hf_special_pair *last = kept == 0 ? NULL : &c->specials[kept - 1], *now = &c->specials[i];
        if (last == NULL || last->key != now->key) {
            c->specials[kept++] = *now;
            continue;
        }
        if (last->force >= 0 && now->force >= 0 && last->alone == now->alone) {
            return hf_error_at(
                error, HF_ERROR_INPUT, hf_at("force", c->model->forces[now->force].name),
                "the contact of '%s' and '%s' is force '%s' already", owner_name(c, now->key >> 32),
                owner_name(c, now->key & 0xffffffffu), c->model->forces[last->force].name);
        }
        last->never |= now->never;
        last->except |= now->except;
        last->force = last->force >= 0 ? last->force : now->force;
    }
    c->special_count = kept;
    return HF_OK;
}

// How many pairs a set has at most: the fewer, the more specific it is.
static long long set_pairs(const hf_coupling_def *def)
{
    long long n = def->member_count, against = def->against_count;
    return against > 0 ? (n - against) * against : n * (n - 1) / 2;
}

static void enter(hf_collider *c, int body, uint64_t sets, uint64_t against)
{
    int owner = owner_of(c, body);
    for (int i = c->first[owner]; i < c->first[owner + 1]; ++i) {
        c->places[i].sets = (c->places[i].sets & ~(sets | against)) | sets;
        c->places[i].against = (c->places[i].against & ~(sets | against)) | against;
    }
}

static void add_set(hf_collider *c, int force)
{
    const hf_coupling_def *def = &c->model->forces[force].coupling_def;
    uint64_t bit = (uint64_t)1 << c->set_count;
    c->set_forces[c->set_count++] = force;
    for (int k = 0; k < def->member_count; ++k) {
        enter(c, def->members[k].id, bit, def->against_count > 0 ? 0 : bit);
    }
    for (int k = 0; k < def->against_count; ++k) {
        enter(c, def->against[k].id, 0, bit);
    }
    for (int k = 0; k < def->except_count; ++k) {
        add_special(c, def->except[2 * k].id, def->except[2 * k + 1].id,
                    (hf_special_pair){.force = -1, .never = bit, .except = bit});
    }
}

// Links that are neighbours in their tree touch in no set.
static void leave_out_neighbours(hf_collider *c)
{
    for (int i = 0; i < c->owner_count; ++i) {
        int id = c->places[c->first[i]].body;
        const hf_body_place *body = &c->model->bodies[id - 1];
        if (body->ops->jointed && body->info.parent.id != 0) {
            add_special(c, id, body->info.parent.id,
                        (hf_special_pair){.force = -1, .never = ~(uint64_t)0});
        }
    }
}

// Whether two solids may have two sets in common. Solids are many, the sets that they are in
// together few: those are compared.
static bool may_share(const hf_collider *c)
{
    enum { MOST_KINDS = 256 };
    const hf_solid_place *kinds[MOST_KINDS];
    int count = 0;
    for (int i = 0; i < c->sweep.count; ++i) {
        const hf_solid_place *p = &c->places[i];
        int k = 0;
        while (k < count && (kinds[k]->sets != p->sets || kinds[k]->against != p->against)) {
            ++k;
        }
        if (k == MOST_KINDS) {
            return true;
        }
        kinds[k] = p;
        count = k == count ? count + 1 : count;
    }
    for (int i = 0; i < count * count; ++i) {
        const hf_solid_place *x = kinds[i / count], *y = kinds[i % count];
        uint64_t common = (x->sets & y->against) | (x->against & y->sets);
        if ((common & (common - 1)) != 0) {
            return true;
        }
    }
    return false;
}

static int lowest(uint64_t bits)
{
    int bit = 0;
    while ((bits >> bit & 1) == 0) {
        ++bit;
    }
    return bit;
}

// A pair in two sets belongs to the one with fewer pairs; one of two with as many is not chosen.
static hf_status check_sets(const hf_collider *c, hf_error *error)
{
    bool shared = c->set_count > 1 && may_share(c);
    for (int i = 0; shared && i < c->sweep.count; ++i) {
        for (int j = i + 1; j < c->sweep.count; ++j) {
            int own;
            uint64_t common = hf_collider_sets(c, i, j, &own), rest = common & (common - 1);
            if (own >= 0 || rest == 0) {
                continue;
            }
            const hf_force_place *first = &c->model->forces[c->set_forces[lowest(common)]];
            const hf_force_place *second = &c->model->forces[c->set_forces[lowest(rest)]];
            if (set_pairs(&first->coupling_def) < set_pairs(&second->coupling_def)) {
                continue;
            }
            return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", second->name),
                               "the contact of '%s' and '%s' belongs to force '%s' already, which "
                               "has as many pairs; name the pair in except of one of them",
                               c->places[i].name, c->places[j].name, first->name);
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Forces

static hf_status add_force(hf_collider *c, int force, hf_error *error)
{
    const hf_force_place *place = &c->model->forces[force];
    const hf_coupling_def *def = &place->coupling_def;
    if (place->exact == HF_EXACT_CONTACT) { // those of soft laws are in the law alone
        const hf_rigid_contact_def *law = place->def;
        c->surfaces[force] =
            (hf_surface){.friction = law->friction.kinetic[HF_FORTH],
                         .restitution = law->restitution,
                         .spin_friction = law->spin_friction.kinetic[HF_FORTH],
                         .rolling_friction = law->rolling_friction.kinetic[HF_FORTH]};
    }
    if (def->member_count == 2) {
        add_special(c, def->members[0].id, def->members[1].id,
                    (hf_special_pair){.force = force, .alone = def->alone});
        return HF_OK;
    }
    if (c->set_count == HF_COLLIDER_SETS) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at("force", place->name),
                           "there are more than %d forces among many shapes", HF_COLLIDER_SETS);
    }
    // The more specific sets first
    int at = c->set_count++;
    for (; at > 0 &&
           set_pairs(&c->model->forces[c->set_forces[at - 1]].coupling_def) > set_pairs(def);
         --at) {
        c->set_forces[at] = c->set_forces[at - 1];
    }
    c->set_forces[at] = force;
    return HF_OK;
}

// Two surfaces of triangles do not touch each other: one must be convex, or made of convex parts.
static hf_status check_surfaces(const hf_collider *c, hf_error *error)
{
    for (int i = 0; i < c->sweep.count; ++i) {
        for (int j = i + 1; c->solids[i].type == HF_SHAPE_TRIANGLES && j < c->sweep.count; ++j) {
            int force = c->solids[j].type == HF_SHAPE_TRIANGLES ? hf_collider_force(c, i, j) : -1;
            if (force >= 0) {
                return hf_error_at(
                    error, HF_ERROR_UNSUPPORTED, hf_at("force", c->model->forces[force].name),
                    "'%s' and '%s' are both surfaces of triangles, which do not touch "
                    "each other; give one of them convex shapes, or except the pair",
                    c->places[i].name, c->places[j].name);
            }
        }
    }
    return HF_OK;
}

static hf_status add_forces(hf_collider *c, hf_error *error)
{
    c->first_force = -1;
    for (int i = 0; i < c->model->force_count; ++i) {
        if (c->model->forces[i].ops->needs_collider) {
            c->first_force = c->first_force < 0 ? i : c->first_force;
            ++c->force_count;
            HF_TRY(add_force(c, i, error));
        }
    }
    int sets = c->set_count;
    c->set_count = 0;
    for (int i = 0; i < sets; ++i) {
        add_set(c, c->set_forces[i]);
    }
    hf_collider_add_own(c);
    leave_out_neighbours(c);
    HF_TRY(merge_specials(c, error));
    HF_TRY(check_surfaces(c, error));
    return check_sets(c, error);
}

// Pairs that are worth remembering: of moving bodies that are no spheres.
static int count_known(const hf_model *model, const int *by_pose, int capacity)
{
    int count = 0;
    for (int pose = 0; pose < model->pose_count && count < capacity; ++pose) {
        const hf_body_info *info =
            by_pose[pose] == 0 ? NULL : &model->bodies[by_pose[pose] - 1].info;
        for (int k = 0;
             info != NULL && !hf_body_ops_of(info->type)->scenery && k < info->shape_count; ++k) {
            hf_shape_type type = info->shapes[k].shape.type;
            bool counts = type != HF_SHAPE_SPHERE && type != HF_SHAPE_PLANE;
            count += counts && count < capacity ? HF_PAIRS_A_MEMBER : 0;
        }
    }
    return count < capacity ? count : capacity;
}

// Room for all. False: more than can be counted.
static bool count_all(const hf_model *model, const int *by_pose, collider_sizes *sizes)
{
    long long pairs = 0, special = sizes->owners, solids = 0; // neighbours in trees
    for (int i = 0; i < model->force_count; ++i) {
        const hf_coupling_def *def = &model->forces[i].coupling_def;
        if (model->forces[i].ops->needs_collider) {
            pairs += hf_model_pairs(model, def);
            special += def->except_count + 1;
        }
    }
    for (int pose = 0; pose < model->pose_count; ++pose) {
        solids += by_pose[pose] == 0 ? 0 : model->bodies[by_pose[pose] - 1].info.shape_count;
    }
    long long own = hf_collider_count_own(model);
    if (own < 0 || pairs >= INT_MAX / 64 || special >= INT_MAX / 64 || solids > MOST_SOLIDS) {
        return false;
    }
    sizes->solids = (int)solids;
    sizes->pairs = (int)pairs;
    sizes->specials = (int)special;
    sizes->own = (int)own;
    sizes->materials = model->spec->pair_count > 0 ? (int)model->spec->material_count : 0;
    sizes->known = count_known(model, by_pose, sizes->pairs);
    return true;
}

// What few solids have to do with each other, pair by pair.
static void list_pairs(hf_collider *c)
{
    int n = c->sweep.count;
    c->near_count = -1;
    if (n > HF_COLLIDER_FEW || c->model->force_count > INT16_MAX) {
        c->pair_forces = NULL;
        return;
    }
    memset(c->pair_ways, 0, (size_t)n * (size_t)n * sizeof *c->pair_ways);
    int16_t *forces = c->pair_forces;
    c->pair_forces = NULL; // until it is filled
    for (int a = 0; a < n; ++a) {
        for (int b = a + 1; b < n; ++b) {
            int force = hf_collider_force(c, a, b);
            forces[a * n + b] = (int16_t)force;
            if (force >= 0) {
                c->candidates[c->candidate_count++] = (hf_near_pair){a, b};
            }
        }
    }
    c->pair_forces = forces;
}

static int bits_of(int count)
{
    int bits = 1;
    while ((1LL << bits) < (long long)count * count) {
        ++bits;
    }
    return bits;
}

static hf_status fill(hf_collider *c, const int *by_pose, hf_error *error)
{
    int used = 0, owners = 0;
    for (int pose = 0; pose < c->model->pose_count; ++pose) {
        const hf_body_info *info =
            by_pose[pose] == 0 ? NULL : &c->model->bodies[by_pose[pose] - 1].info;
        for (int k = 0; info != NULL && k < info->shape_count; ++k, ++used) {
            c->places[used] = place_of(c->model, by_pose[pose], owners, k);
            c->solids[used] = solid_of(&info->shapes[k].shape);
            c->sweep.order[used] = used;
            if (!c->places[used].fixed) {
                c->reach =
                    fmax(c->reach, c->solids[used].reach + hf_v3_norm(c->places[used].center));
            }
        }
        owners += info != NULL;
        c->first[owners] = used;
    }
    c->feature_bits = HF_CONTACT_KEY_BITS - bits_of(c->sweep.count);
    int16_t *forces = c->pair_forces;
    c->pair_forces = NULL; // not known yet
    HF_TRY(add_forces(c, error));
    c->pair_forces = forces;
    list_pairs(c);
    return HF_OK;
}

static hf_status create(const hf_model *model, const hf_allocator *allocator, int *by_pose,
                        hf_collider **collider, hf_error *error)
{
    // Which bodies have shapes, and how much room they need
    collider_sizes sizes = {.owners = mark_bodies(model, by_pose)};
    if (sizes.owners == 0) {
        return HF_OK;
    }
    if (!count_all(model, by_pose, &sizes)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "at most %d shapes can touch each other, and their capacities are "
                            "limited too",
                            MOST_SOLIDS);
    }
    // One block for all of it: counted, then handed out
    hf_collider plan = {.model = model, .allocator = *allocator};
    hf_carver counter = {0};
    lay_out(&plan, &counter, &sizes);
    char *block = counter.overflow ? NULL : allocator->allocate(allocator->context, counter.used);
    if (block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    memset(block, 0, counter.used);
    hf_collider *made = (hf_collider *)(void *)block;
    *made = plan;
    lay_out(made, &(hf_carver){.base = block}, &sizes);
    // Shapes, surfaces and pairs
    hf_status status = fill(made, by_pose, error);
    if (status < 0) {
        hf_collider_destroy(made);
        return status;
    }
    *collider = made;
    return HF_OK;
}

hf_status hf_collider_create(const hf_model *model, const hf_allocator *allocator,
                             hf_collider **collider, hf_error *error)
{
    *collider = NULL;
    size_t size = (size_t)model->pose_count * sizeof(int);
    int *by_pose = allocator->allocate(allocator->context, size);
    if (by_pose == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    memset(by_pose, 0, size);
    hf_status status = create(model, allocator, by_pose, collider, error);
    allocator->release(allocator->context, by_pose);
    return status;
}

void hf_collider_destroy(hf_collider *collider)
{
    if (collider != NULL) {
        hf_allocator allocator = collider->allocator;
        allocator.release(allocator.context, collider);
    }
}
