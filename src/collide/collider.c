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

// Everything lies behind the collider, in one block.
static void lay_out(hf_collider *c, hf_carver *hand, int solids, int capacity, int specials,
                    int known)
{
    size_t n = (size_t)solids, pairs = (size_t)capacity, forces = (size_t)c->model->force_count;
    (void)hf_carve(hand, 1, sizeof *c);
    c->solids = hf_carve(hand, n, sizeof *c->solids);
    c->places = hf_carve(hand, n, sizeof *c->places);
    c->specials = hf_carve(hand, (size_t)specials, sizeof *c->specials);
    c->frictions = hf_carve(hand, forces, sizeof(double));
    c->restitutions = hf_carve(hand, forces, sizeof(double));
    c->sweep.bounds = hf_carve(hand, n, sizeof *c->sweep.bounds);
    c->sweep.order = hf_carve(hand, n, sizeof *c->sweep.order);
    c->sweep.starts = hf_carve(hand, n + 1, sizeof *c->sweep.starts);
    c->sweep.pairs = hf_carve(hand, pairs, sizeof *c->sweep.pairs);
    c->sweep.sorted = hf_carve(hand, pairs, sizeof *c->sweep.sorted);
    c->known.capacity = known;
    c->known.now = hf_carve(hand, (size_t)known, sizeof *c->known.now);
    c->known.before = hf_carve(hand, (size_t)known, sizeof *c->known.before);
    c->known.same = hf_carve(hand, n, sizeof *c->known.same);
    c->sweep.lane = hf_sweep_lane(solids);
    c->sweep.lanes = hf_carve_matrix(hand, 6, (size_t)c->sweep.lane, sizeof *c->sweep.lanes);
    c->sweep.near = hf_carve(hand, (size_t)c->sweep.lane, sizeof *c->sweep.near);
    c->sweep.count = solids;
    c->sweep.capacity = capacity;
}

// ------------------------------------------------------------------------------------------------
// Solids

static hf_solid solid_of(const hf_shape *shape)
{
    hf_solid s = {.type = shape->type, .mesh = shape->mesh};
    hf_vec3 size = shape->size;
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

static hf_solid_place place_of(const hf_model *model, int body)
{
    const hf_body_place *b = &model->bodies[body - 1];
    hf_quat turn = b->info.shape.turn;
    bool turned = turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0;
    return (hf_solid_place){.name = b->info.name,
                            .body = body,
                            .pose = b->pose,
                            .fixed = b->type == HF_BODY_STATIC,
                            .turned = turned,
                            .center = b->info.shape_center,
                            .turn = turned ? hf_quat_rotation(turn) : hf_m3_identity()};
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

// The solid of a body: solids are in the order of poses.
static int solid_of_body(const hf_collider *c, int body)
{
    int pose = c->model->bodies[body - 1].pose, low = 0, high = c->sweep.count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->places[middle].pose < pose) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < c->sweep.count && c->places[low].pose == pose ? low : -1;
}

static void add_special(hf_collider *c, int body_a, int body_b, int force, uint64_t never)
{
    int a = solid_of_body(c, body_a), b = solid_of_body(c, body_b);
    if (a < 0 || b < 0) {
        return;
    }
    c->places[a].special = c->places[b].special = true;
    int low = a < b ? a : b, high = a < b ? b : a;
    c->specials[c->special_count++] =
        (hf_special_pair){.key = hf_special_key(low, high), .never = never, .force = force};
}

static int by_key(const void *a, const void *b)
{
    const hf_special_pair *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->force > y->force) - (x->force < y->force);
}

// One entry a pair; two forces on one pair are one too many.
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
        if (last->force >= 0 && now->force >= 0) {
            return hf_error_at(
                error, HF_ERROR_INPUT, hf_at("force", c->model->forces[now->force].name),
                "the contact of '%s' and '%s' is force '%s' already",
                c->places[now->key >> 32].name, c->places[now->key & 0xffffffffu].name,
                c->model->forces[last->force].name);
        }
        last->never |= now->never;
        last->force = last->force >= 0 ? last->force : now->force;
    }
    c->special_count = kept;
    return HF_OK;
}

static hf_status add_set(hf_collider *c, int force, hf_error *error)
{
    const hf_force_place *place = &c->model->forces[force];
    const hf_coupling_def *def = &place->coupling_def;
    if (c->set_count == HF_COLLIDER_SETS) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at("force", place->name),
                           "there are more than %d forces among many shapes", HF_COLLIDER_SETS);
    }
    uint64_t bit = (uint64_t)1 << c->set_count;
    c->set_forces[c->set_count++] = force;
    for (int k = 0; k < def->member_count; ++k) {
        hf_solid_place *member = &c->places[solid_of_body(c, def->members[k].id)];
        if ((member->sets & bit) != 0) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", place->name),
                               "'%s' is a member twice", member->name);
        }
        member->sets |= bit;
    }
    for (int k = 0; k < def->except_count; ++k) {
        add_special(c, def->except[2 * k].id, def->except[2 * k + 1].id, -1, bit);
    }
    return HF_OK;
}

// Links that are neighbours in their tree touch in no set.
static void leave_out_neighbours(hf_collider *c)
{
    for (int i = 0; i < c->sweep.count; ++i) {
        const hf_body_place *body = &c->model->bodies[c->places[i].body - 1];
        if (body->type == HF_BODY_LINK && body->info.parent.id != 0) {
            add_special(c, c->places[i].body, body->info.parent.id, -1, ~(uint64_t)0);
        }
    }
}

// Whether two solids may have two sets in common. Solids are many, the sets that they are in
// together few: those are compared.
static bool may_share(const hf_collider *c)
{
    enum { MOST_KINDS = 256 };
    uint64_t kinds[MOST_KINDS];
    int count = 0;
    for (int i = 0; i < c->sweep.count; ++i) {
        int k = 0;
        while (k < count && kinds[k] != c->places[i].sets) {
            ++k;
        }
        if (k == MOST_KINDS) {
            return true;
        }
        kinds[k] = c->places[i].sets;
        count = k == count ? count + 1 : count;
    }
    for (int i = 0; i < count * count; ++i) {
        uint64_t common = kinds[i / count] & kinds[i % count];
        if ((common & (common - 1)) != 0) {
            return true;
        }
    }
    return false;
}

// Nothing may belong to two sets at once.
static hf_status check_sets(const hf_collider *c, hf_error *error)
{
    bool shared = c->set_count > 1 && may_share(c);
    for (int i = 0; shared && i < c->sweep.count; ++i) {
        for (int j = i + 1; j < c->sweep.count; ++j) {
            int own, set = 0;
            uint64_t common = hf_collider_sets(c, i, j, &own), rest = common & (common - 1);
            if (own >= 0 || rest == 0) {
                continue;
            }
            while ((rest >> set & 1) == 0) {
                ++set;
            }
            return hf_error_at(error, HF_ERROR_INPUT,
                               hf_at("force", c->model->forces[c->set_forces[set]].name),
                               "the contact of '%s' and '%s' belongs to force '%s' already; name "
                               "the pair in except of one of them",
                               c->places[i].name, c->places[j].name,
                               c->model->forces[hf_collider_force(c, i, j)].name);
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
    if (place->exact != HF_EXACT_CONTACT) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at("force", place->name),
                           "contacts between shapes have the law rigid-contact, not '%s'",
                           place->info == NULL ? "force" : place->info->name);
    }
    const hf_rigid_contact_def *law = place->def;
    c->frictions[force] = law->friction.kinetic[HF_FORTH];
    c->restitutions[force] = law->restitution;
    if (def->member_count > 2) {
        return add_set(c, force, error);
    }
    add_special(c, def->members[0].id, def->members[1].id, force, 0);
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
    leave_out_neighbours(c);
    HF_TRY(merge_specials(c, error));
    return check_sets(c, error);
}

// Room for near pairs and special pairs. False: more than can be counted.
static bool count_pairs(const hf_model *model, int solids, int *capacity, int *specials)
{
    long long pairs = 0, special = solids; // neighbours in trees
    for (int i = 0; i < model->force_count; ++i) {
        const hf_coupling_def *def = &model->forces[i].coupling_def;
        if (model->forces[i].ops->needs_collider) {
            pairs += hf_shapes_capacity(def);
            special += def->except_count + 1;
        }
    }
    *capacity = (int)pairs;
    *specials = (int)special;
    return pairs < INT_MAX / 64 && special < INT_MAX / 64 && solids <= MOST_SOLIDS;
}

// Pairs that are worth remembering: of moving bodies that are no spheres.
static int count_known(const hf_model *model, const int *by_pose, int capacity)
{
    int count = 0;
    for (int pose = 0; pose < model->pose_count && count < capacity; ++pose) {
        const hf_body_info *info =
            by_pose[pose] == 0 ? NULL : &model->bodies[by_pose[pose] - 1].info;
        bool counts = info != NULL && info->type != HF_BODY_STATIC &&
                      info->shape.type != HF_SHAPE_SPHERE && info->shape.type != HF_SHAPE_PLANE;
        count += counts ? HF_PAIRS_A_MEMBER : 0;
    }
    return count < capacity ? count : capacity;
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
    int used = 0;
    for (int pose = 0; pose < c->model->pose_count; ++pose) {
        if (by_pose[pose] != 0) {
            c->places[used] = place_of(c->model, by_pose[pose]);
            c->solids[used] = solid_of(&c->model->bodies[by_pose[pose] - 1].info.shape);
            c->sweep.order[used] = used;
            if (!c->places[used].fixed) {
                c->reach =
                    fmax(c->reach, c->solids[used].reach + hf_v3_norm(c->places[used].center));
            }
            ++used;
        }
    }
    c->feature_bits = HF_CONTACT_KEY_BITS - bits_of(c->sweep.count);
    return add_forces(c, error);
}

static hf_status create(const hf_model *model, const hf_allocator *allocator, int *by_pose,
                        hf_collider **collider, hf_error *error)
{
    int solids = mark_bodies(model, by_pose), capacity, specials;
    if (solids == 0) {
        return HF_OK;
    }
    if (!count_pairs(model, solids, &capacity, &specials)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "at most %d bodies can touch each other, and their capacities are "
                            "limited too",
                            MOST_SOLIDS);
    }
    int known = count_known(model, by_pose, capacity);
    hf_collider plan = {.model = model, .allocator = *allocator};
    hf_carver counter = {0};
    lay_out(&plan, &counter, solids, capacity, specials, known);
    char *block = counter.overflow ? NULL : allocator->allocate(allocator->context, counter.used);
    if (block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    memset(block, 0, counter.used);
    hf_collider *made = (hf_collider *)(void *)block;
    *made = plan;
    lay_out(made, &(hf_carver){.base = block}, solids, capacity, specials, known);
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
