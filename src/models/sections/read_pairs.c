// SPDX-License-Identifier: Apache-2.0
// `type: collide` in a file whose method is switch: every pair is a contact of its own, whose gap
// the method follows from the start.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/forces.h"
#include "shapes/mesh.h"

// More would be root functions without end, in every step.
enum { MOST_PAIRS = 2000 };

typedef struct pairing {
    hf_reader *reader;
    const hf_node *item;
    hf_force_def *def; // its coupling lists the members
    const char *name;
    int count;
    const hf_body_note **members; // [member_count]
    uint64_t *left_out;           // [except_count] rising keys of pairs
} pairing;

static uint64_t key_of(hf_body a, hf_body b)
{
    unsigned low = (unsigned)(a.id < b.id ? a.id : b.id), high = (unsigned)(a.id + b.id) - low;
    return (uint64_t)low << 32 | high;
}

static int by_key(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static bool is_left_out(const pairing *p, hf_body a, hf_body b)
{
    uint64_t key = key_of(a, b);
    return bsearch(&key, p->left_out, (size_t)p->def->coupling.except_count, sizeof key, by_key) !=
           NULL;
}

// Finds the notes of the members, and sorts the pairs that are left out: there may be many of both.
static bool prepare(pairing *p)
{
    const hf_coupling_def *coupling = &p->def->coupling;
    hf_arena *arena = &p->reader->document->arena;
    size_t count = (size_t)coupling->member_count, except = (size_t)coupling->except_count;
    int largest = 0;
    for (size_t i = 0; i < p->reader->body_count; ++i) {
        int id = p->reader->bodies[i].id.id;
        largest = id > largest ? id : largest;
    }
    const hf_body_note **by_id = hf_arena_alloc(arena, (size_t)largest + 1, sizeof *by_id);
    p->members = hf_arena_alloc(arena, count + 1, sizeof *p->members);
    p->left_out = hf_arena_alloc(arena, except + 1, sizeof *p->left_out);
    if (by_id == NULL || p->members == NULL || p->left_out == NULL) {
        return hf_reader_out_of_memory(p->reader);
    }
    for (size_t i = 0; i < p->reader->body_count; ++i) {
        by_id[p->reader->bodies[i].id.id] = &p->reader->bodies[i];
    }
    for (size_t i = 0; i < count; ++i) {
        p->members[i] = by_id[coupling->members[i].id];
    }
    for (size_t i = 0; i < except; ++i) {
        p->left_out[i] = key_of(coupling->except[2 * i], coupling->except[2 * i + 1]);
    }
    qsort(p->left_out, except, sizeof *p->left_out, by_key);
    return true;
}

// Of two members, in the order of their names; what is static comes last.
static void order_pair(const hf_body_note *a, const hf_body_note *b, const hf_body_note **on,
                       const hf_body_note **to)
{
    bool swap =
        hf_note_ops(a)->scenery || (!hf_note_ops(b)->scenery && strcmp(a->name, b->name) > 0);
    *on = swap ? b : a;
    *to = swap ? a : b;
}

// Whether a shape can touch a plane at points of its own.
static bool has_points(const hf_shape *shape)
{
    return shape->type == HF_SHAPE_POINT || shape->type == HF_SHAPE_SPHERE ||
           shape->type == HF_SHAPE_BOX || shape->type == HF_SHAPE_CAPSULE || hf_has_corners(shape);
}

// Whether a part of a body is a shape and nothing else: no surface, belt or group of its own.
static bool is_plain(const hf_shape_def *part)
{
    const hf_surface *s = &part->surface;
    return isnan(s->friction) && isnan(s->restitution) && isnan(s->spin_friction) &&
           isnan(s->rolling_friction) && isnan(part->friction_across) && part->material.id == 0 &&
           part->slip[0] == 0.0 && part->slip[1] == 0.0 && hf_v3_norm(part->belt) == 0.0 &&
           hf_v3_norm(part->belt_spin) == 0.0 && part->group == 1 && part->mask == 1;
}

// Whether all shapes of a body touch planes at points.
static bool all_have_points(const hf_body_note *body)
{
    bool all = body->added > 0 || has_points(&body->shape);
    for (int i = 0; i < body->added; ++i) {
        all = all && is_plain(&body->parts[i]) && has_points(&body->parts[i].shape);
    }
    return all;
}

// Whether two members can be a contact: rigid spheres with each other, and rigid bodies and links
// of points, spheres, boxes, capsules and convex meshes with static planes.
static bool is_contact(const hf_body_note *on, const hf_body_note *to)
{
    bool plane = hf_note_ops(to)->scenery && to->shape.type == HF_SHAPE_PLANE && to->added == 0;
    bool spheres = on->shape.type == HF_SHAPE_SPHERE && to->shape.type == HF_SHAPE_SPHERE &&
                   hf_note_ops(on)->floats && hf_note_ops(to)->floats && on->added == 0 &&
                   to->added == 0;
    return spheres || (plane && hf_note_ops(on)->turns && all_have_points(on));
}

// "HEAD.TAIL"
static char *join(const pairing *p, const char *head, const char *tail)
{
    char *start = hf_reader_join(p->reader, head, ".");
    return start == NULL ? NULL : hf_reader_join(p->reader, start, tail);
}

// Contacts of each part of a body with a plane, NAME.A.B.PART.
static bool add_parts(const pairing *p, const hf_body_note *on, const hf_force_def *def)
{
    for (int i = 0; i < on->added; ++i) {
        const hf_shape_def *part = &on->parts[i];
        hf_force_def own = *def;
        char number[16];
        (void)snprintf(number, sizeof number, "%d", i + 1);
        own.name = join(p, def->name, part->name == NULL ? number : part->name);
        hf_vec3 center = part->center;
        if (part->drawn && part->shape.type == HF_SHAPE_MESH) {
            bool turned = hf_quat_norm(part->shape.turn) > 0.0;
            hf_mat3 turn = hf_quat_rotation(turned ? part->shape.turn : (hf_quat){.w = 1.0});
            center = hf_v3_add(center, hf_m3_mulv(&turn, part->shape.mesh->center));
        }
        if (own.name == NULL || !hf_add_contacts(p->reader, p->item, &own, part->shape, center)) {
            return false;
        }
    }
    return true;
}

// The contact of two members, NAME.A.B.
static bool add_pair(const pairing *p, const hf_body_note *a, const hf_body_note *b)
{
    const hf_body_note *on, *to;
    order_pair(a, b, &on, &to);
    bool plane = to->shape.type == HF_SHAPE_PLANE;
    hf_force_def def = *p->def;
    bool turning = def.coupling.turning;
    char *head = join(p, p->name, on->name);
    def.name = head == NULL ? NULL : join(p, head, to->name);
    if (def.name == NULL) {
        return false;
    }
    // Where it acts
    def.coupling = hf_coupling_def_default(plane ? HF_COUPLING_PLANE : HF_COUPLING_SPHERES);
    def.coupling.turning = turning;
    def.coupling.on_frame.body = on->id;
    def.coupling.to_frame.body = to->id;
    def.coupling.to_frame.point = to->shape_center;
    if (plane) {
        bool turned = to->shape.turn.w != 0.0 || to->shape.turn.x != 0.0 ||
                      to->shape.turn.y != 0.0 || to->shape.turn.z != 0.0;
        def.coupling.to_frame.turn = turned ? to->shape.turn : def.coupling.to_frame.turn;
    } else {
        def.coupling.to_radius = to->shape.size.x;
    }
    // One for each of its parts, or for its shape
    return on->added > 0 ? add_parts(p, on, &def)
                         : hf_add_contacts(p->reader, p->item, &def, on->shape, on->shape_center);
}

// Calls `each` for every pair that may touch, until it says no.
static bool walk_pairs(pairing *p,
                       bool (*each)(pairing *p, const hf_body_note *a, const hf_body_note *b))
{
    const hf_coupling_def *coupling = &p->def->coupling;
    for (int i = 0; i < coupling->member_count; ++i) {
        const hf_body_note *a = p->members[i];
        for (int k = i + 1; k < coupling->member_count; ++k) {
            const hf_body_note *b = p->members[k];
            bool still = hf_note_ops(a)->scenery && hf_note_ops(b)->scenery;
            if (!still && a != b && !is_left_out(p, a->id, b->id) && !each(p, a, b)) {
                return false;
            }
        }
    }
    return true;
}

static bool count_pair(pairing *p, const hf_body_note *a, const hf_body_note *b)
{
    const hf_body_note *on, *to;
    order_pair(a, b, &on, &to);
    return is_contact(on, to) && ++p->count <= MOST_PAIRS;
}

static bool add_one(pairing *p, const hf_body_note *a, const hf_body_note *b)
{
    return add_pair(p, a, b);
}

bool hf_can_be_pairs(hf_reader *reader, hf_force_def *def, bool *can)
{
    pairing p = {.reader = reader, .def = def, .name = def->name};
    *can = def->coupling.member_count <= MOST_PAIRS + 1 && // one body against all others
           def->coupling.against_count == 0 && hf_node_get(reader->document->root, "pairs") == NULL;
    if (*can && !prepare(&p)) {
        return false;
    }
    *can = *can && walk_pairs(&p, count_pair);
    return true;
}

bool hf_add_pairs(hf_reader *reader, const hf_node *item, hf_force_def *def)
{
    pairing p = {.reader = reader, .item = item, .def = def, .name = def->name};
    return prepare(&p) && walk_pairs(&p, add_one);
}
