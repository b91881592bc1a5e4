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

static bool fail_pair(const pairing *p, const hf_body_note *a, const hf_body_note *b)
{
    return hf_reader_fail_key(p->reader, p->item, HF_ERROR_UNSUPPORTED,
                              "under method switch rigid spheres collide with each other, and "
                              "rigid spheres, boxes and capsules with static planes; '%.60s' is a "
                              "%s and '%.60s' a %s: method timestep takes them",
                              a->name, hf_shape_name(a->shape.type), b->name,
                              hf_shape_name(b->shape.type));
}

// The contact of two members, NAME.A.B in the order of their names; what is static comes last.
static bool add_pair(pairing *p, const hf_body_note *a, const hf_body_note *b)
{
    bool swap =
        a->type == HF_BODY_STATIC || (b->type != HF_BODY_STATIC && strcmp(a->name, b->name) > 0);
    const hf_body_note *on = swap ? b : a, *to = swap ? a : b;
    bool plane = to->type == HF_BODY_STATIC && to->shape.type == HF_SHAPE_PLANE;
    bool spheres = on->shape.type == HF_SHAPE_SPHERE && to->shape.type == HF_SHAPE_SPHERE &&
                   to->type == HF_BODY_RIGID;
    if (on->type != HF_BODY_RIGID || (!plane && !spheres)) {
        return fail_pair(p, on, to);
    }
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

bool hf_add_pairs(hf_reader *reader, const hf_node *item, hf_force_def *def)
{
    const hf_coupling_def *coupling = &def->coupling;
    pairing p = {.reader = reader, .item = item, .def = def, .name = def->name};
    for (int i = 0; i < coupling->member_count; ++i) {
        const hf_body_note *a = note_of(reader, coupling->members[i]);
        for (int k = i + 1; k < coupling->member_count; ++k) {
            const hf_body_note *b = note_of(reader, coupling->members[k]);
            bool still = a->type == HF_BODY_STATIC && b->type == HF_BODY_STATIC;
            if (still || a == b || is_left_out(coupling, a->id, b->id)) {
                continue;
            }
            if (++p.count > MOST_PAIRS) {
                return hf_reader_fail_key(reader, item, HF_ERROR_RANGE,
                                          "under method switch at most %d pairs can collide; "
                                          "timestep is for more",
                                          MOST_PAIRS);
            }
            if (!add_pair(&p, a, b)) {
                return false;
            }
        }
    }
    return true;
}
