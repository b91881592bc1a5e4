// SPDX-License-Identifier: Apache-2.0
// `repeat:` of forces and joints, and forces on every copy of a repeated body.
//
//   forces:
//     - {name: link, repeat: 9, on: bead-$, to: bead-$+1, type: spring, stiffness: 100}
//     - {name: floor, on: bead, type: friction, level: 0.1}       each of bead-1, bead-2, ...
//   joints:
//     link: {repeat: {count: 10, first: {offset: [0, 0, 0]}}, type: revolute,
//            offset: [0, 0, -0.1], ...}
//
// In the texts of a copy `$` is its number, from 1 on, and `$+1`, `$-1` are its neighbours'. Copies
// are called NAME-1, NAME-2, ..., unless the name has a `$` itself. Each joint but the first hangs
// on the one before it, unless `parent` has a `$`. `first` and `last` change these copies alone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "models/tree/expand.h"

enum { MOST_COPIES = 100000 };

typedef struct copying {
    hf_document *document;
    hf_error *error;
} copying;

static hf_status out_of_memory(const copying *c)
{
    return hf_error_set(c->error, HF_ERROR_MEMORY, "%.200s: out of memory", c->document->label);
}

// ------------------------------------------------------------------------------------------------
// Texts

// `text` with the numbers of copy `number` in place of every `$`; itself when it has none.
static const char *numbered(const copying *c, const char *text, int number)
{
    size_t marks = 0;
    for (const char *s = text; *s != '\0'; ++s) {
        marks += *s == '$';
    }
    if (marks == 0) {
        return text;
    }
    char *to = hf_arena_alloc(&c->document->arena, strlen(text) + 12 * marks + 1, 1), *end = to;
    for (const char *s = text; to != NULL && *s != '\0';) {
        if (*s != '$') {
            *end++ = *s++;
            continue;
        }
        char *after = (char *)++s;
        bool shifted = (s[0] == '+' || s[0] == '-') && s[1] >= '0' && s[1] <= '9';
        long shift = shifted ? strtol(s, &after, 10) : 0;
        shift = shift > MOST_COPIES ? MOST_COPIES : shift < -MOST_COPIES ? -MOST_COPIES : shift;
        end += sprintf(end, "%ld", number + shift);
        s = after;
    }
    return to;
}

// The same for all texts below a node.
static bool number_all(const copying *c, hf_node *node, int number)
{
    if (node->kind == HF_NODE_SCALAR) {
        const char *text = numbered(c, node->text, number);
        node->exact = node->exact && text == node->text;
        node->text = text;
        return text != NULL;
    }
    for (hf_node *item = node->first; item != NULL; item = item->next) {
        if (!number_all(c, item, number)) { // depth is limited, so recursion is
            return false;
        }
    }
    return true;
}

// A copy with another text, at the same place.
static hf_node *with_text(const copying *c, const hf_node *like, const char *key, const char *text)
{
    hf_node *node = hf_arena_copy(&c->document->arena, like, 1, sizeof *like);
    char *own = node == NULL ? NULL : hf_arena_string(&c->document->arena, text);
    if (own == NULL) {
        return NULL;
    }
    node->kind = HF_NODE_SCALAR;
    node->key = key;
    node->text = own;
    node->plain = true;
    node->exact = false;
    node->count = 0;
    node->parent = node->next = node->first = node->last = NULL;
    return node;
}

static long long count_nodes(const hf_node *node)
{
    long long count = 1;
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        count += count_nodes(item);
    }
    return count;
}

static hf_status spend(const copying *c, const hf_node *node, long long copies)
{
    long long values = copies * count_nodes(node);
    if (values > HF_FILE_MAX_NODES - c->document->node_count) {
        return hf_node_error(c->document, node, c->error, HF_ERROR_RANGE,
                             "with all copies the file holds more than %d values",
                             HF_FILE_MAX_NODES);
    }
    c->document->node_count += (int)values;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// How many

// A whole number, or a parameter that is one.
static int whole_of(const copying *c, const hf_node *node)
{
    const hf_node *parameters = hf_node_get(c->document->root, "parameters");
    if (node == NULL || node->kind != HF_NODE_SCALAR) {
        return 0;
    }
    const hf_node *named = parameters == NULL || parameters->kind != HF_NODE_MAP
                               ? NULL
                               : hf_node_get(parameters, node->text);
    named = named != NULL && named->kind == HF_NODE_MAP ? hf_node_get(named, "value") : named;
    const char *text = named != NULL && named->kind == HF_NODE_SCALAR ? named->text : node->text;
    size_t digits = strspn(text, "0123456789");
    long number = digits > 0 && digits < 8 && text[digits] == '\0' ? strtol(text, NULL, 10) : 0;
    return number > MOST_COPIES ? 0 : (int)number;
}

// Of `repeat: N` or `repeat: {count: N, first:, last:}`.
static hf_status read_count(const copying *c, const hf_node *repeat, int *count)
{
    static const char *const keys[] = {"count", "first", "last"};
    const hf_node *number = repeat->kind == HF_NODE_MAP ? hf_node_get(repeat, "count") : repeat;
    for (const hf_node *item = repeat->kind == HF_NODE_MAP ? repeat->first : NULL; item != NULL;
         item = item->next) {
        bool known = false;
        for (int i = 0; i < 3; ++i) {
            known = known || strcmp(item->key, keys[i]) == 0;
        }
        if (!known || (item != number && item->kind != HF_NODE_MAP)) {
            return hf_node_key_error(c->document, item, c->error, HF_ERROR_INPUT,
                                     "repeat of forces and joints has count, first and last, the "
                                     "latter maps of keys that these copies have otherwise");
        }
    }
    *count = whole_of(c, number);
    if (*count < 1) {
        return hf_node_error(c->document, number == NULL ? repeat : number, c->error,
                             HF_ERROR_INPUT,
                             "repeat must be a whole number from 1 to %d, or a parameter that is "
                             "one",
                             MOST_COPIES);
    }
    return HF_OK;
}

// Gives a copy what `first` or `last` says.
static hf_status change(const copying *c, hf_node *copy, const hf_node *repeat, const char *which)
{
    const hf_node *changes = repeat->kind == HF_NODE_MAP ? hf_node_get(repeat, which) : NULL;
    for (const hf_node *item = changes == NULL ? NULL : changes->first; item != NULL;
         item = item->next) {
        hf_node *own = hf_node_get(copy, item->key), *made = hf_node_copy(c->document, item);
        if (made == NULL) {
            return out_of_memory(c);
        }
        made->key = item->key;
        if (own != NULL) {
            hf_node_remove(own);
        }
        hf_node_append(copy, made);
    }
    return HF_OK;
}

// Copy `number` of `count`, without its `repeat`.
static hf_status make_copy(const copying *c, const hf_node *node, int number, int count,
                           hf_node **copy)
{
    const hf_node *repeat = hf_node_get(node, "repeat");
    *copy = hf_node_copy(c->document, node);
    if (*copy == NULL) {
        return out_of_memory(c);
    }
    hf_node_remove(hf_node_get(*copy, "repeat"));
    if (number == 1) {
        HF_TRY(change(c, *copy, repeat, "first"));
    }
    if (number == count) {
        HF_TRY(change(c, *copy, repeat, "last"));
    }
    return number_all(c, *copy, number) ? HF_OK : out_of_memory(c);
}

// NAME-3, or NAME as it is where its `$` has made it different.
static const char *name_of(const copying *c, const char *name, int number)
{
    char joined[300];
    if (strchr(name, '$') != NULL) {
        return numbered(c, name, number);
    }
    (void)snprintf(joined, sizeof joined, "%.250s-%d", name, number);
    return hf_arena_string(&c->document->arena, joined);
}

// ------------------------------------------------------------------------------------------------
// Joints

static hf_status copy_joint(const copying *c, hf_node *joints, const hf_node *joint)
{
    // How often
    const hf_node *parent = hf_node_get(joint, "parent");
    bool marked = parent != NULL && parent->kind == HF_NODE_SCALAR && strchr(parent->text, '$');
    int count = 0;
    HF_TRY(read_count(c, hf_node_get(joint, "repeat"), &count));
    HF_TRY(spend(c, joint, count));
    const char *before = NULL;
    // Copy after copy; each is the child of the one before unless the file says otherwise
    for (int i = 1; i <= count; ++i) {
        hf_node *copy = NULL;
        HF_TRY(make_copy(c, joint, i, count, &copy));
        const char *name = name_of(c, joint->key, i);
        if (name == NULL) {
            return out_of_memory(c);
        }
        copy->key = name;
        if (before != NULL && !marked) {
            hf_node *own = hf_node_get(copy, "parent");
            hf_node *made = with_text(c, own == NULL ? copy : own, "parent", before);
            if (made == NULL) {
                return out_of_memory(c);
            }
            if (own != NULL) {
                hf_node_remove(own);
            }
            hf_node_append(copy, made);
        }
        hf_node_append(joints, copy);
        before = name;
    }
    return HF_OK;
}

hf_status hf_joints_repeat(hf_document *document, hf_error *error)
{
    const copying c = {document, error};
    const hf_node *bodies = hf_node_get(document->root, "bodies");
    for (hf_node *body = bodies == NULL ? NULL : bodies->first; body != NULL; body = body->next) {
        hf_node *joints = body->kind == HF_NODE_MAP ? hf_node_get(body, "joints") : NULL;
        hf_node *joint = joints == NULL || joints->kind != HF_NODE_MAP ? NULL : joints->first;
        for (hf_node *next; joint != NULL; joint = next) {
            next = joint->next;
            if (joint->kind == HF_NODE_MAP && hf_node_get(joint, "repeat") != NULL) {
                hf_node_remove(joint);
                HF_TRY(copy_joint(&c, joints, joint));
            }
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Forces

static hf_status copy_force(const copying *c, hf_node *forces, const hf_node *force)
{
    const hf_node *name = hf_node_get(force, "name");
    int count = 0;
    HF_TRY(read_count(c, hf_node_get(force, "repeat"), &count));
    HF_TRY(spend(c, force, count));
    for (int i = 1; i <= count; ++i) {
        hf_node *copy = NULL;
        HF_TRY(make_copy(c, force, i, count, &copy));
        // A name that all share gets a number; one with a `$`, or of `first` and `last`, is its
        // own.
        hf_node *own = hf_node_get(copy, "name");
        bool shared = own != NULL && own->kind == HF_NODE_SCALAR && name != NULL &&
                      name->kind == HF_NODE_SCALAR && strcmp(own->text, name->text) == 0;
        const char *text = shared ? name_of(c, name->text, i) : NULL;
        if (shared && text == NULL) {
            return out_of_memory(c);
        }
        if (shared) {
            own->text = text;
        }
        hf_node_append(forces, copy);
    }
    return HF_OK;
}

// The repeated body that a place begins with, and what of the text names it; NULL: none.
static const hf_node *repeated_body(const copying *c, const hf_node *place, size_t *length)
{
    const hf_node *bodies = hf_node_get(c->document->root, "bodies");
    const hf_node *body = bodies == NULL || bodies->kind != HF_NODE_MAP ? NULL : bodies->first;
    if (place == NULL || place->kind != HF_NODE_SCALAR) {
        return NULL;
    }
    *length = strcspn(place->text, ".");
    for (; body != NULL; body = body->next) {
        if (body->kind == HF_NODE_MAP && strlen(body->key) == *length &&
            strncmp(body->key, place->text, *length) == 0 && hf_node_get(body, "repeat") != NULL) {
            return body;
        }
    }
    return NULL;
}

// How often a body is there along x, y and z; false: the count is not plain.
static bool body_counts(const copying *c, const hf_node *body, int count[3])
{
    const hf_node *repeat = hf_node_get(body, "repeat");
    const hf_node *number = repeat->kind == HF_NODE_MAP ? hf_node_get(repeat, "count") : NULL;
    count[0] = count[1] = count[2] = 1;
    if (number == NULL || number->kind == HF_NODE_MAP || number->count > 3) {
        return false;
    }
    if (number->kind == HF_NODE_SCALAR) {
        count[0] = whole_of(c, number);
        return count[0] > 0;
    }
    int axis = 0;
    for (const hf_node *item = number->first; item != NULL; item = item->next, ++axis) {
        count[axis] = whole_of(c, item);
        if (count[axis] == 0) {
            return false;
        }
    }
    return axis > 0 && (long long)count[0] * count[1] * count[2] <= MOST_COPIES;
}

// The ending of copy `index`, from 0: as repeat.c names bodies.
static void ending_of(const int count[3], int index, char text[40])
{
    int place[3] = {index % count[0], index / count[0] % count[1], index / count[0] / count[1]};
    int last = count[2] > 1 ? 2 : count[1] > 1 ? 1 : 0, used = 0;
    text[0] = '\0';
    for (int k = 0; k < 3; ++k) {
        if (count[k] > 1 || (k == last && used == 0)) {
            used += snprintf(text + used, 40 - (size_t)used, "-%d", place[k] + 1);
        }
    }
}

static bool name_copy(const copying *c, hf_node *copy, const char *key, size_t length,
                      const char *ending)
{
    hf_node *node = hf_node_get(copy, key);
    char text[400];
    (void)snprintf(text, sizeof text, "%.*s%s%.200s", (int)(length < 150 ? length : 150),
                   node->text, ending, node->text + length);
    node->text = hf_arena_string(&c->document->arena, text);
    node->exact = false;
    return node->text != NULL;
}

// One force for each copy of the body that it is `on`, or acts `to`; of both, pair by pair.
static hf_status spread(const copying *c, hf_node *forces, hf_node *force)
{
    static const char *const keys[2] = {"on", "to"};
    const hf_node *bodies[2];
    size_t length[2] = {0, 0};
    int count[2][3], total[2] = {0, 0};
    // Which ends are repeated, and how often
    for (int i = 0; i < 2; ++i) {
        bodies[i] = repeated_body(c, hf_node_get(force, keys[i]), &length[i]);
        if (bodies[i] != NULL && !body_counts(c, bodies[i], count[i])) {
            return HF_OK; // the reader says what is wrong with it
        }
        total[i] = bodies[i] == NULL ? 0 : count[i][0] * count[i][1] * count[i][2];
    }
    hf_node *name = hf_node_get(force, "name");
    if ((bodies[0] == NULL && bodies[1] == NULL) || name == NULL || name->kind != HF_NODE_SCALAR) {
        return HF_OK;
    }
    // Pair by pair
    if (bodies[0] != NULL && bodies[1] != NULL && total[0] != total[1]) {
        return hf_node_error(c->document, hf_node_get(force, "to"), c->error, HF_ERROR_INPUT,
                             "'%.60s' and '%.60s' are repeated %d and %d times; a force between "
                             "them pairs their copies",
                             bodies[0]->key, bodies[1]->key, total[0], total[1]);
    }
    // A force for each
    int copies = total[0] > 0 ? total[0] : total[1];
    HF_TRY(spend(c, force, copies));
    hf_node_remove(force);
    for (int n = 0; n < copies; ++n) {
        hf_node *copy = hf_node_copy(c->document, force);
        bool good = copy != NULL;
        char ending[40];
        for (int i = 0; i < 2 && good; ++i) {
            if (bodies[i] != NULL) {
                ending_of(count[i], n, ending);
                good = name_copy(c, copy, keys[i], length[i], ending);
            }
        }
        ending_of(count[bodies[0] != NULL ? 0 : 1], n, ending);
        if (!good || !name_copy(c, copy, "name", strlen(name->text), ending)) {
            return out_of_memory(c);
        }
        hf_node_append(forces, copy);
    }
    return HF_OK;
}

hf_status hf_forces_repeat(hf_document *document, hf_error *error)
{
    const copying c = {document, error};
    hf_node *forces = hf_node_get(document->root, "forces");
    if (forces == NULL || forces->kind != HF_NODE_LIST) {
        return HF_OK;
    }
    const hf_node *end = forces->last; // copies come behind it
    bool more = forces->first != NULL;
    for (hf_node *force = forces->first, *next; more; force = next) {
        next = force->next;
        more = force != end;
        if (force->kind == HF_NODE_MAP && hf_node_get(force, "repeat") != NULL) {
            hf_node_remove(force);
            HF_TRY(copy_force(&c, forces, force));
        }
    }
    end = forces->last;
    more = forces->first != NULL;
    for (hf_node *force = forces->first, *next; more; force = next) {
        next = force->next;
        more = force != end;
        if (force->kind == HF_NODE_MAP) {
            HF_TRY(spread(&c, forces, force));
        }
    }
    return HF_OK;
}
