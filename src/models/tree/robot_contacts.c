// SPDX-License-Identifier: Apache-2.0
// What robots touch in a machine.
//
// A robot brings a force NAME-contacts, between its own links. With all else in the machine that
// has a shape, other robots too, it meets in a force NAME-others, which is made here, unless a
// `collide` of the file names the robot: then that one says whom it meets. In `among` and `against`
// a robot's name stands for all its links with shapes. Links that never touch each other in the
// robot's file do not do so in `among: all` either.
#include <stdlib.h>
#include <string.h>

#include "models/tree/expand.h"

typedef struct meeting {
    hf_document *document;
    hf_error *error;
    hf_node *bodies, *forces;
    const char *const *robots;
    int robot_count;
    char *text; // of a force that is made
    size_t length, room;
    bool failed;
} meeting;

// ------------------------------------------------------------------------------------------------
// Text

static void put(meeting *m, const char *text)
{
    size_t length = strlen(text);
    if (!m->failed && m->length + length + 1 > m->room) {
        size_t room = 2 * m->room + length + 1024;
        char *grown = realloc(m->text, room);
        m->failed = grown == NULL;
        m->text = m->failed ? m->text : grown;
        m->room = m->failed ? m->room : room;
    }
    if (!m->failed) {
        memcpy(m->text + m->length, text, length + 1);
        m->length += length;
    }
}

static void put_name(meeting *m, const char *body, const char *link, const char *before)
{
    put(m, before);
    put(m, body);
    put(m, link == NULL ? "" : ".");
    put(m, link == NULL ? "" : link);
}

// ------------------------------------------------------------------------------------------------
// Nodes

static bool is_text(const hf_node *node, const char *text)
{
    return node != NULL && node->kind == HF_NODE_SCALAR && strcmp(node->text, text) == 0;
}

static bool has_shape(const hf_node *node)
{
    return hf_node_get(node, "shape") != NULL || hf_node_get(node, "shapes") != NULL;
}

static bool is_robot(const meeting *m, const char *name)
{
    bool found = false;
    for (int i = 0; i < m->robot_count && !found; ++i) {
        found = strcmp(m->robots[i], name) == 0;
    }
    return found;
}

// The robot's own force NAME-contacts, or NULL.
static hf_node *own_contacts(const meeting *m, const char *robot)
{
    size_t length = strlen(robot);
    for (hf_node *f = m->forces == NULL ? NULL : m->forces->first; f != NULL; f = f->next) {
        const hf_node *name = hf_node_get(f, "name");
        if (name != NULL && name->kind == HF_NODE_SCALAR &&
            strncmp(name->text, robot, length) == 0 &&
            strcmp(name->text + length, "-contacts") == 0) {
            return f;
        }
    }
    return NULL;
}

static bool lists(const hf_node *list, const char *name)
{
    bool found = false;
    for (const hf_node *i = list == NULL ? NULL : list->first; i != NULL && !found; i = i->next) {
        found = is_text(i, name);
    }
    return found;
}

// Whether a list of bodies names the robot, or one of its links.
static bool names_robot(const hf_node *list, const char *robot)
{
    size_t length = strlen(robot);
    bool found = is_text(list, "all");
    for (const hf_node *i = list == NULL || list->kind == HF_NODE_SCALAR ? NULL : list->first;
         i != NULL && !found; i = i->next) {
        found = i->kind == HF_NODE_SCALAR && strncmp(i->text, robot, length) == 0 &&
                (i->text[length] == '\0' || i->text[length] == '.');
    }
    return found;
}

// ------------------------------------------------------------------------------------------------
// Forces of the file

// A scalar in a list becomes the names of a robot's links.
static bool expand_name(meeting *m, hf_node *list, hf_node *item)
{
    const hf_node *joints = hf_node_get(hf_node_get(m->bodies, item->text), "joints");
    for (const hf_node *j = joints == NULL ? NULL : joints->first; j != NULL; j = j->next) {
        hf_node *copy = has_shape(j) ? hf_node_copy(m->document, item) : NULL;
        char *name = copy == NULL ? NULL
                                  : hf_arena_alloc(&m->document->arena,
                                                   strlen(item->text) + strlen(j->key) + 2, 1);
        if (name != NULL) {
            copy->text = strcat(strcat(strcpy(name, item->text), "."), j->key);
            hf_node_append(list, copy);
        } else if (has_shape(j)) {
            return false;
        }
    }
    hf_node_remove(item);
    return true;
}

static bool expand_names(meeting *m, hf_node *list)
{
    hf_node *item = list == NULL || list->kind != HF_NODE_LIST ? NULL : list->first;
    for (int left = item == NULL ? 0 : list->count; left > 0; --left) {
        hf_node *next = item->next;
        if (item->kind == HF_NODE_SCALAR && is_robot(m, item->text) &&
            !expand_name(m, list, item)) {
            return false;
        }
        item = next;
    }
    return true;
}

// Pairs that never touch in the robot do not do so in this force.
static bool add_exceptions(meeting *m, hf_node *force, const char *robot)
{
    const hf_node *own = own_contacts(m, robot),
                  *from = own == NULL ? NULL : hf_node_get(own, "except");
    hf_node *to = hf_node_get(force, "except");
    if (from != NULL && to == NULL) {
        to = hf_node_copy(m->document, from);
        if (to != NULL) {
            to->key = "except";
            hf_node_append(force, to);
        }
        return to != NULL;
    }
    for (const hf_node *pair = from == NULL ? NULL : from->first; pair != NULL; pair = pair->next) {
        hf_node *copy = hf_node_copy(m->document, pair);
        if (copy == NULL) {
            return false;
        }
        hf_node_append(to, copy);
    }
    return true;
}

// Forces of the file that name robots. named[i]: robot i is in one of them.
static bool take_forces(meeting *m, bool *named)
{
    for (hf_node *f = m->forces == NULL ? NULL : m->forces->first; f != NULL; f = f->next) {
        hf_node *among = hf_node_get(f, "among"), *against = hf_node_get(f, "against");
        bool own = false;
        for (int i = 0; i < m->robot_count && !own; ++i) {
            own = f == own_contacts(m, m->robots[i]);
        }
        if (own || !is_text(hf_node_get(f, "type"), "collide")) {
            continue;
        }
        for (int i = 0; i < m->robot_count; ++i) {
            if (names_robot(among, m->robots[i]) || names_robot(against, m->robots[i])) {
                named[i] = true;
                if (!add_exceptions(m, f, m->robots[i])) {
                    return false;
                }
            }
        }
        if (!expand_names(m, among) || !expand_names(m, against)) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// NAME-others

// Whether a link cannot move: fixed joints all the way to the world.
static bool is_still(const hf_node *joints, const hf_node *link)
{
    while (link != NULL && is_text(hf_node_get(link, "type"), "fixed")) {
        const hf_node *parent = hf_node_get(link, "parent");
        if (parent == NULL) {
            return true;
        }
        link = hf_node_get(joints, parent->text);
    }
    return false;
}

static int put_links(meeting *m, const hf_node *tree)
{
    const hf_node *joints = hf_node_get(tree, "joints");
    int count = 0;
    for (const hf_node *j = joints == NULL ? NULL : joints->first; j != NULL; j = j->next) {
        if (has_shape(j)) {
            put_name(m, tree->key, j->key, count++ > 0 ? ", " : "");
        }
    }
    return count;
}

// Bodies that the robot meets: not itself, robots before it that met it, or what it brings.
static bool is_other(const meeting *m, const hf_node *body, int robot, const hf_node *own)
{
    for (int i = 0; i <= robot; ++i) {
        if (strcmp(m->robots[i], body->key) == 0) {
            return false;
        }
    }
    return !lists(own, body->key);
}

static int put_others(meeting *m, int robot, const hf_node *own)
{
    int count = 0;
    for (const hf_node *b = m->bodies->first; b != NULL; b = b->next) {
        if (!is_other(m, b, robot, own)) {
            continue;
        }
        const hf_node *joints = hf_node_get(b, "joints");
        for (const hf_node *j = joints == NULL ? NULL : joints->first; j != NULL; j = j->next) {
            if (has_shape(j)) {
                put_name(m, b->key, j->key, count++ > 0 ? ", " : "");
            }
        }
        if (has_shape(b)) {
            put_name(m, b->key, NULL, count++ > 0 ? ", " : "");
        }
    }
    return count;
}

// What stands still on both sides does not meet.
static void put_still_pairs(meeting *m, int robot, const hf_node *tree, const hf_node *own)
{
    const hf_node *joints = hf_node_get(tree, "joints");
    int count = 0;
    for (const hf_node *j = joints == NULL ? NULL : joints->first; j != NULL; j = j->next) {
        for (const hf_node *b = m->bodies->first; b != NULL && has_shape(j) && is_still(joints, j);
             b = b->next) {
            bool still = is_text(hf_node_get(b, "type"), "static");
            if (still && has_shape(b) && is_other(m, b, robot, own)) {
                put_name(m, tree->key, j->key, count++ == 0 ? ", except: [[" : ", [");
                put_name(m, b->key, NULL, ", ");
                put(m, "]");
            }
        }
    }
    put(m, count > 0 ? "]" : "");
}

static bool make_others(meeting *m, int robot)
{
    // A contact of the robot's links with everything else, as text
    hf_node *tree = hf_node_get(m->bodies, m->robots[robot]);
    const hf_node *own = own_contacts(m, m->robots[robot]);
    const hf_node *brought = own == NULL ? NULL : hf_node_get(own, "among");
    m->length = 0;
    put(m, "- {name: ");
    put(m, m->robots[robot]);
    put(m, "-others, type: collide, restitution: 0, friction: 1, among: [");
    int links = tree == NULL ? 0 : put_links(m, tree);
    put(m, "], against: [");
    int others = links == 0 ? 0 : put_others(m, robot, brought);
    if (others == 0 || m->failed) {
        return !m->failed;
    }
    put(m, "]");
    put_still_pairs(m, robot, tree, brought);
    put(m, "}\n");
    // Read, and added to the forces
    hf_node *list = m->failed
                        ? NULL
                        : hf_document_parse_value(m->document, m->text, m->robots[robot], m->error);
    if (list == NULL) {
        return false;
    }
    if (m->forces == NULL) {
        list->key = "forces";
        hf_node_append(m->document->root, list);
        m->forces = list;
        return true;
    }
    hf_node *force = list->first;
    hf_node_remove(force);
    hf_node_append(m->forces, force);
    return true;
}

bool hf_robots_meet(hf_document *document, const char *const *robots, int count, hf_error *error)
{
    meeting m = {.document = document,
                 .error = error,
                 .bodies = hf_node_get(document->root, "bodies"),
                 .forces = hf_node_get(document->root, "forces"),
                 .robots = robots,
                 .robot_count = count};
    bool *named = calloc((size_t)count + 1, sizeof *named);
    bool good = named != NULL && (m.forces == NULL || m.forces->kind == HF_NODE_LIST);
    good = good && take_forces(&m, named);
    for (int i = 0; i < count && good; ++i) {
        good = named[i] || make_others(&m, i);
    }
    free(named);
    free(m.text);
    return good;
}
