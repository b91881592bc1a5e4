// SPDX-License-Identifier: Apache-2.0
// `type: collide` in a file whose method is switch: every pair is a contact of its own, whose gap
// the method follows from the start.
#include <string.h>

#include "models/forces.h"

// More would be root functions without end, in every step.
enum { MOST_PAIRS = 2000 };

typedef struct pairing {
    hf_reader *reader;
    const hf_node *item;
    hf_force_def *def; // its coupling lists the members
    const char *name;
    int count;
} pairing;

static const hf_body_note *note_of(const hf_reader *reader, hf_body body)
{
    for (size_t i = 0; i < reader->body_count; ++i) {
        if (reader->bodies[i].id.id == body.id) {
            return &reader->bodies[i];
        }
    }
    return NULL;
}

static bool is_left_out(const hf_coupling_def *coupling, hf_body a, hf_body b)
{
    for (int i = 0; i < coupling->except_count; ++i) {
        const hf_body *pair = coupling->except + 2 * i;
        if ((pair[0].id == a.id && pair[1].id == b.id) ||
            (pair[0].id == b.id && pair[1].id == a.id)) {
            return true;
        }
    }
    return false;
}

// Of two members, in the order of their names; what is static comes last.
static void order_pair(const hf_body_note *a, const hf_body_note *b, const hf_body_note **on,
                       const hf_body_note **to)
{
    bool swap =
        a->type == HF_BODY_STATIC || (b->type != HF_BODY_STATIC && strcmp(a->name, b->name) > 0);
    *on = swap ? b : a;
    *to = swap ? a : b;
}

// Whether two members can be a contact: rigid spheres with each other, and rigid points, spheres,
// boxes and capsules with static planes.
static bool is_contact(const hf_body_note *on, const hf_body_note *to)
{
    bool plane = to->type == HF_BODY_STATIC && to->shape.type == HF_SHAPE_PLANE;
    bool spheres = on->shape.type == HF_SHAPE_SPHERE && to->shape.type == HF_SHAPE_SPHERE &&
                   to->type == HF_BODY_RIGID;
    bool round_or_box = on->shape.type == HF_SHAPE_POINT || on->shape.type == HF_SHAPE_SPHERE ||
                        on->shape.type == HF_SHAPE_BOX || on->shape.type == HF_SHAPE_CAPSULE;
    return on->type == HF_BODY_RIGID && ((plane && round_or_box) || spheres);
}

// The contact of two members, NAME.A.B.
static bool add_pair(const pairing *p, const hf_body_note *a, const hf_body_note *b)
{
    const hf_body_note *on, *to;
    order_pair(a, b, &on, &to);
    bool plane = to->shape.type == HF_SHAPE_PLANE;
    hf_force_def def = *p->def;
    bool turning = def.coupling.turning;
    char *head = hf_reader_join(p->reader, p->name, ".");
    char *middle = head == NULL ? NULL : hf_reader_join(p->reader, head, on->name);
    char *dot = middle == NULL ? NULL : hf_reader_join(p->reader, middle, ".");
    def.name = dot == NULL ? NULL : hf_reader_join(p->reader, dot, to->name);
    if (def.name == NULL) {
        return false;
    }
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
    return hf_add_contacts(p->reader, p->item, &def, on->shape, on->shape_center);
}

// Calls `each` for every pair that may touch, until it says no.
static bool walk_pairs(pairing *p,
                       bool (*each)(pairing *p, const hf_body_note *a, const hf_body_note *b))
{
    const hf_coupling_def *coupling = &p->def->coupling;
    for (int i = 0; i < coupling->member_count; ++i) {
        const hf_body_note *a = note_of(p->reader, coupling->members[i]);
        for (int k = i + 1; k < coupling->member_count; ++k) {
            const hf_body_note *b = note_of(p->reader, coupling->members[k]);
            bool still = a->type == HF_BODY_STATIC && b->type == HF_BODY_STATIC;
            if (!still && a != b && !is_left_out(coupling, a->id, b->id) && !each(p, a, b)) {
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

// Whether the file records a channel of the force itself, which pairs do not have.
static bool is_recorded(const hf_reader *reader, const char *name)
{
    const hf_node *records = hf_node_get(reader->document->root, "record");
    size_t length = strlen(name);
    if (records == NULL || records->kind != HF_NODE_LIST) {
        return false;
    }
    for (const hf_node *item = records->first; item != NULL; item = item->next) {
        if (item->kind == HF_NODE_SCALAR && strncmp(item->text, name, length) == 0 &&
            item->text[length] == '.') {
            return true;
        }
    }
    return false;
}

bool hf_can_be_pairs(hf_reader *reader, hf_force_def *def)
{
    pairing p = {.reader = reader, .def = def, .name = def->name};
    return walk_pairs(&p, count_pair);
}

bool hf_runs_as_pairs(hf_reader *reader, hf_force_def *def)
{
    return hf_can_be_pairs(reader, def) && !is_recorded(reader, def->name);
}

bool hf_add_pairs(hf_reader *reader, const hf_node *item, hf_force_def *def)
{
    pairing p = {.reader = reader, .item = item, .def = def, .name = def->name};
    return walk_pairs(&p, add_one);
}
