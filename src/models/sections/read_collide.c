// SPDX-License-Identifier: Apache-2.0
// `type: collide`: any two of many bodies may touch.
#include <string.h>

#include "models/forces.h"
#include "sim/method_info.h"

// The bodies that a name stands for: a body, or all copies of a repeated one. Returns how many, 0
// with the error filled.
static int find_bodies(hf_reader *reader, const hf_node *node, const hf_body_note **first)
{
    if (node->kind == HF_NODE_SCALAR) {
        int group = hf_names_find(&reader->group_names, node->text, strlen(node->text));
        if (group >= 0) {
            *first = &reader->bodies[group];
            return (*first)->copies;
        }
    }
    if (!hf_read_body(reader, node, first)) {
        return 0;
    }
    if (*first == NULL) {
        (void)hf_reader_fail(reader, node, HF_ERROR_INPUT,
                             "the world has no shape; a floor is a body of type static");
        return 0;
    }
    return 1;
}

static hf_body *room_for(hf_reader *reader, size_t count)
{
    hf_body *bodies = hf_arena_alloc(&reader->document->arena, count + 1, sizeof *bodies);
    if (bodies == NULL) {
        (void)hf_reader_out_of_memory(reader);
    }
    return bodies;
}

// Every body with a shape.
static bool take_all(hf_reader *reader, const hf_node *node, hf_coupling_def *coupling)
{
    if (!hf_reader_spend(reader, node, (long long)reader->body_count)) {
        return false;
    }
    hf_body *members = room_for(reader, reader->body_count);
    for (size_t i = 0; members != NULL && i < reader->body_count; ++i) {
        const hf_body_note *body = &reader->bodies[i];
        bool has_pose = hf_note_ops(body)->shaped;
        if (has_pose && (body->shape.type != HF_SHAPE_POINT || body->added > 0)) {
            members[coupling->member_count++] = body->id;
        }
    }
    coupling->members = members;
    return members != NULL;
}

// Behind the members that there are already.
static bool take_listed(hf_reader *reader, const hf_node *node, hf_coupling_def *coupling)
{
    const hf_body_note *first = NULL;
    const hf_body *before = coupling->members;
    size_t room = (size_t)coupling->member_count;
    if (!hf_read_kind(reader, node, HF_NODE_LIST, "a list of bodies, or all")) {
        return false;
    }
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        int count = find_bodies(reader, item, &first);
        if (count == 0 || !hf_reader_spend(reader, item, count)) {
            return false;
        }
        room += (size_t)count;
    }
    hf_body *members = room_for(reader, room);
    for (int i = 0; members != NULL && i < coupling->member_count; ++i) {
        members[i] = before[i];
    }
    for (const hf_node *item = node->first; members != NULL && item != NULL; item = item->next) {
        int count = find_bodies(reader, item, &first);
        for (int i = 0; i < count; ++i) {
            members[coupling->member_count++] = first[i].id;
        }
    }
    coupling->members = members;
    return members != NULL;
}

// `against:`: bodies that those of `among` touch, and only they.
static bool read_against(hf_reader *reader, const hf_node *node, bool all,
                         hf_coupling_def *coupling)
{
    int count = coupling->member_count;
    if (node == NULL) {
        return true;
    }
    if (all) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT,
                                  "against needs a list in among: bodies are on one side or on the "
                                  "other");
    }
    if (!take_listed(reader, node, coupling)) {
        return false;
    }
    coupling->against = coupling->members + count;
    coupling->against_count = coupling->member_count - count;
    return true;
}

// `except:`: pairs of names; of repeated bodies all copies are meant.
static bool read_exceptions(hf_reader *reader, const hf_node *node, hf_coupling_def *coupling)
{
    if (node == NULL) {
        return true;
    }
    // Groups stand for all of their bodies: count first, then fill
    long long room = 0;
    for (int pass = 0; pass < 2; ++pass) {
        hf_body *pairs = pass == 0 ? NULL : room_for(reader, 2 * (size_t)room);
        if (!hf_read_kind(reader, node, HF_NODE_LIST, "a list of pairs [[a, b], ...]") ||
            (pass == 1 && pairs == NULL)) {
            return false;
        }
        // Each pair of names
        for (const hf_node *pair = node->first; pair != NULL; pair = pair->next) {
            const hf_body_note *a = NULL, *b = NULL;
            if (pair->kind != HF_NODE_LIST || pair->count != 2) {
                return hf_reader_fail(reader, pair, HF_ERROR_INPUT,
                                      "except is a list of pairs of bodies, [[a, b], ...]");
            }
            int a_count = find_bodies(reader, pair->first, &a);
            int b_count = a_count == 0 ? 0 : find_bodies(reader, pair->last, &b);
            long long more = (long long)a_count * b_count;
            if (b_count == 0 || (pass == 0 && !hf_reader_spend(reader, pair, more))) {
                return false;
            }
            room += pass == 0 ? more : 0;
            for (int i = 0; pass == 1 && i < a_count; ++i) {
                for (int j = 0; j < b_count; ++j) {
                    pairs[2 * coupling->except_count] = a[i].id;
                    pairs[2 * coupling->except_count + 1] = b[j].id;
                    coupling->except_count += a[i].id.id == b[j].id.id ? 0 : 1;
                }
            }
        }
        coupling->except = pairs;
    }
    return true;
}

// The bodies of another force, if it is one between shapes: of a `collide`, or of a `contact` with
// `to`.
static bool read_members(hf_reader *reader, const hf_node *item, hf_coupling_def *coupling)
{
    const hf_node *type = hf_node_get(item, "type"), *among = hf_node_get(item, "among"),
                  *against = hf_node_get(item, "against"), *on = hf_node_get(item, "on"),
                  *to = hf_node_get(item, "to");
    const char *word = type == NULL || type->kind != HF_NODE_SCALAR ? "" : type->text;
    if (strcmp(word, "collide") == 0 && among != NULL) {
        bool all = among->kind == HF_NODE_SCALAR && strcmp(among->text, "all") == 0;
        return (all ? take_all(reader, among, coupling) : take_listed(reader, among, coupling)) &&
               (against == NULL || take_listed(reader, against, coupling)) &&
               read_exceptions(reader, hf_node_get(item, "except"), coupling);
    }
    if (strcmp(word, "contact") == 0 && on != NULL && to != NULL) {
        const hf_body_note *ends[2];
        hf_body *members = room_for(reader, 2);
        if (members == NULL || !hf_read_body(reader, on, &ends[0]) ||
            !hf_read_body(reader, to, &ends[1])) {
            return false;
        }
        for (int i = 0; i < 2 && ends[0] != NULL && ends[1] != NULL; ++i) {
            members[i] = ends[i]->id;
        }
        coupling->members = members;
        coupling->member_count = ends[0] != NULL && ends[1] != NULL ? 2 : 0;
    }
    return true;
}

// Whether a pair is left out of a list.
static bool is_left_out(const hf_coupling_def *pair, const hf_coupling_def *list)
{
    bool out = false;
    for (int i = 0; i < list->except_count && !out; ++i) {
        int a = list->except[2 * i].id, b = list->except[2 * i + 1].id;
        int x = pair->members[0].id, y = pair->members[1].id;
        out = (a == x && b == y) || (a == y && b == x);
    }
    return out;
}

bool hf_shares_pairs(hf_reader *reader, const hf_node *item, const hf_coupling_def *coupling,
                     bool lists, bool *shares)
{
    // Marks of its members
    int largest = 0;
    for (size_t i = 0; i < reader->body_count; ++i) {
        int id = reader->bodies[i].id.id;
        largest = id > largest ? id : largest;
    }
    bool *marked = hf_arena_alloc(&reader->document->arena, (size_t)largest + 1, sizeof *marked);
    *shares = false;
    if (marked == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    for (int i = 0; i < coupling->member_count; ++i) {
        marked[coupling->members[i].id] = true;
    }
    // Any other force with two of them
    const hf_node *forces = hf_node_get(reader->document->root, "forces");
    for (const hf_node *other = forces->first; other != NULL && !*shares; other = other->next) {
        hf_coupling_def theirs = {0};
        if (other == item || (lists && hf_node_get(other, "among") == NULL)) {
            continue;
        }
        if (!read_members(reader, other, &theirs) ||
            !hf_reader_spend(reader, other, 1 + theirs.member_count)) {
            return false;
        }
        int common = 0;
        for (int i = 0; i < theirs.member_count; ++i) {
            common += marked[theirs.members[i].id];
        }
        *shares = common > 1 && !(coupling->member_count == 2 && is_left_out(coupling, &theirs));
    }
    return true;
}

// Rigid spheres alone can do with a swarm, which every method runs.
static bool are_rigid_spheres(const hf_reader *reader, const hf_coupling_def *coupling)
{
    for (int i = 0; i < coupling->member_count; ++i) {
        hf_body body = coupling->members[i];
        hf_shape shape = hf_spec_body_shape(reader->spec, body);
        if (!hf_body_ops_of(hf_spec_body_type(reader->spec, body))->floats ||
            shape.type != HF_SHAPE_SPHERE || hf_spec_body_shape_count(reader->spec, body) > 1) {
            return false;
        }
    }
    return true;
}

bool hf_has_adhesion(const hf_reader *reader)
{
    const hf_node *forces = hf_node_get(reader->document->root, "forces");
    const hf_node *item = forces->first;
    while (item != NULL && hf_node_get(item, "adhesion") == NULL) {
        item = item->next;
    }
    return item != NULL;
}

bool hf_read_collide(hf_reader *reader, const hf_node *item, const char *name)
{
    static const char *const keys[] = {"name",    "type",   "law",      "among",
                                       "against", "except", "capacity", "enable"};
    hf_force_def def = hf_force_def_default();
    def.name = name;
    def.coupling = hf_coupling_def_default(HF_COUPLING_SHAPES);
    const hf_law_info *law = hf_read_law_name(reader, item, HF_KIND_CONTACT, "rigid-contact");
    const hf_node *among, *capacity = hf_node_get(item, "capacity"),
                          *except = hf_node_get(item, "except"),
                          *against = hf_node_get(item, "against");
    void *law_def = NULL;
    if (law == NULL || !hf_check_force_keys(reader, item, keys, HF_COUNT(keys), law) ||
        (among = hf_read_need(reader, item, "among")) == NULL) {
        return false;
    }
    // Members, what they do not touch, and room for contacts
    bool all = among->kind == HF_NODE_SCALAR && strcmp(among->text, "all") == 0;
    if (!(all ? take_all(reader, among, &def.coupling)
              : take_listed(reader, among, &def.coupling)) ||
        !read_against(reader, against, all, &def.coupling) ||
        !read_exceptions(reader, except, &def.coupling) ||
        (capacity != NULL &&
         !hf_read_count(reader, capacity, 1, 10000000, &def.coupling.capacity))) {
        return false;
    }
    // Spheres alone have a faster search
    bool own = hf_node_get(reader->document->root, "pairs") != NULL;
    bool soft = law->exact != HF_EXACT_CONTACT;
    bool shares = false;
    if (!hf_shares_pairs(reader, item, &def.coupling, false, &shares)) {
        return false;
    }
    if (except == NULL && against == NULL && !own && !soft && !shares &&
        are_rigid_spheres(reader, &def.coupling) && !hf_has_adhesion(reader)) {
        def.coupling.type = HF_COUPLING_SWARM;
    }
    // The law, and whether there are so few that they are pairs
    def.coupling.turning = hf_wants_turning(item);
    if (!hf_read_law(reader, item, law, def.coupling.turning ? 6 : 3, &law_def) ||
        !hf_check_wishes(reader, item, law, law_def) || !hf_read_enable(reader, item, name, &def)) {
        return false;
    }
    def.law = law->type;
    def.def = law_def;
    bool pairs = false;
    if (soft) {
        return hf_reader_add_force(reader, item, &def);
    }
    if (!shares && !hf_can_be_pairs(reader, &def, &pairs)) {
        return false;
    }
    pairs = pairs && !hf_has_adhesion(reader);
    if (pairs && hf_method_info_get(reader->method)->pairs) {
        return hf_add_pairs(reader, item, &def);
    }
    def.coupling.pairs = pairs;
    return hf_reader_add_force(reader, item, &def);
}
