// SPDX-License-Identifier: Apache-2.0
// `{type: robot, file: go1.xml, ...}`: a robot of another simulator's file as a part of a machine.
//
// The file becomes the text of a model file (robots.h), whose parts are put into the tree: its tree
// of links in place of the body, of the same name; bodies of its world, signals, materials, pairs,
// forces and loops beside the others, called NAME-... . Then
//
//   joints:
//     "go1.*_calf_joint": {friction: {law: coulomb, level: 0.4}}
//
// gives keys to every joint that a pattern names (TREE.JOINT with * and ? for any letters), later
// patterns last.
#define _XOPEN_SOURCE 700 // realpath
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/robots.h>

#include "base/error.h"
#include "base/number.h"
#include "math/turn.h"
#include "models/tree/expand.h"

enum { MOST_PACKAGES = 32, MOST_ROBOTS = 64 };

typedef struct robot_reading {
    hf_document *document;
    const char *folder;
    const hf_file_visitor *files; // or NULL
    hf_error *error;
    hf_node *body;
    bool ruled, bounce_ruled; // the file says how coefficients combine
} robot_reading;

static bool fail(const robot_reading *r, const hf_node *node, const char *message)
{
    (void)hf_node_error(r->document, node, r->error, HF_ERROR_INPUT, "robot '%.60s': %s",
                        r->body->key, message);
    return false;
}

// ------------------------------------------------------------------------------------------------
// Keys

static bool read_numbers(const robot_reading *r, const hf_node *node, int count, double *numbers)
{
    const hf_node *item = node->kind == HF_NODE_LIST && node->count == count ? node->first : NULL;
    for (int i = 0; i < count; ++i) {
        if (item == NULL || item->kind != HF_NODE_SCALAR ||
            !hf_number_parse(item->text, strlen(item->text), &numbers[i])) {
            return fail(r, node,
                        count == 3 ? "expected a list of three numbers"
                                   : "expected a quaternion [w, x, y, z]");
        }
        item = item->next;
    }
    return true;
}

static bool read_word(const robot_reading *r, const char *key, const char *const *words, int count,
                      int *choice)
{
    const hf_node *node = hf_node_get(r->body, key);
    for (int i = 0; node != NULL && node->kind == HF_NODE_SCALAR && i < count; ++i) {
        if (strcmp(node->text, words[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    if (node == NULL) {
        return true;
    }
    (void)hf_node_error(r->document, node, r->error, HF_ERROR_INPUT,
                        "robot '%.60s': %s must be %s, %s%s%s%s%s", r->body->key, key, words[0],
                        words[1], count > 3 ? ", " : " or ", words[2], count > 3 ? " or " : "",
                        count > 3 ? words[3] : "");
    return false;
}

static bool read_keys(const robot_reading *r)
{
    static const char *const keys[] = {
        "type",  "file",    "base",    "position", "orientation",         "start",
        "model", "inertia", "collide", "packages", "gravity_compensation"};
    for (const hf_node *item = r->body->first; item != NULL; item = item->next) {
        bool known = false;
        for (size_t i = 0; i < sizeof keys / sizeof keys[0] && !known; ++i) {
            known = strcmp(item->key, keys[i]) == 0;
        }
        if (!known) {
            (void)hf_node_key_error(r->document, item, r->error, HF_ERROR_INPUT,
                                    "robot '%.60s': unknown key '%.60s'; a robot has file, base, "
                                    "position, orientation, start, model, inertia, collide, "
                                    "packages, gravity_compensation",
                                    r->body->key, item->key);
            return false;
        }
    }
    return true;
}

// How much of the links' weight is carried.
static bool read_share(const robot_reading *r, const hf_node *node, hf_robot_options *options)
{
    double *share = &options->gravity_compensation;
    if (node == NULL) {
        return true;
    }
    bool number =
        node->kind == HF_NODE_SCALAR && hf_number_parse(node->text, strlen(node->text), share);
    return (number && *share >= 0.0 && *share <= 10.0) ||
           fail(r, node, "gravity_compensation must be a number from 0 to 10");
}

static bool read_options(const robot_reading *r, hf_robot_options *options,
                         const char *packages[MOST_PACKAGES])
{
    static const char *const bases[] = {"file", "fixed", "free"};
    static const char *const inertias[] = {"keep", "balance", "refuse"};
    static const char *const collides[] = {"hull", "boxes", "none", "parts"};
    int base = 0, inertia = 0, collide = 0;
    const hf_node *position = hf_node_get(r->body, "position"),
                  *turn = hf_node_get(r->body, "orientation"),
                  *start = hf_node_get(r->body, "start"), *model = hf_node_get(r->body, "model"),
                  *list = hf_node_get(r->body, "packages"),
                  *share = hf_node_get(r->body, "gravity_compensation");
    double p[3] = {0}, q[4] = {1, 0, 0, 0};
    // Names of a start and of a model, words, place and shares
    const hf_node *name = start != NULL && start->kind != HF_NODE_SCALAR ? start : model;
    if (name != NULL && name->kind != HF_NODE_SCALAR) {
        return fail(r, name, name == start ? "start must be a name" : "model must be a name");
    }
    if (!read_keys(r) || !read_word(r, "base", bases, 3, &base) ||
        !read_word(r, "inertia", inertias, 3, &inertia) ||
        !read_word(r, "collide", collides, 4, &collide) ||
        (position != NULL && !read_numbers(r, position, 3, p)) ||
        (turn != NULL && !read_numbers(r, turn, 4, q)) || !read_share(r, share, options)) {
        return false;
    }
    // Folders of packages
    if (list != NULL && list->kind != HF_NODE_LIST) {
        return fail(r, list, "packages is a list of at most 32 texts NAME=FOLDER");
    }
    for (const hf_node *item = list == NULL ? NULL : list->first; item != NULL; item = item->next) {
        const char *equals = item->kind == HF_NODE_SCALAR ? strchr(item->text, '=') : NULL;
        if (equals == NULL || equals == item->text || equals[1] == '\0' ||
            options->package_count == MOST_PACKAGES) {
            return fail(r, item, "packages is a list of at most 32 texts NAME=FOLDER");
        }
        packages[options->package_count++] = item->text;
    }
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > HF_QUAT_LEAST * HF_QUAT_LEAST)) {
        return fail(r, turn, "orientation must not be zero");
    }
    // As the library has them
    options->packages = packages;
    options->name = r->body->key;
    options->part = true;
    options->base = (hf_robot_base)base;
    options->inertia = (hf_robot_inertia)inertia;
    options->collide = (hf_robot_collide)collide;
    options->start = start == NULL ? NULL : start->text;
    options->model = model == NULL ? NULL : model->text;
    options->placed = position != NULL || turn != NULL;
    options->position = (hf_vec3){p[0], p[1], p[2]};
    options->orientation = (hf_quat){q[0], q[1], q[2], q[3]};
    return true;
}

// ------------------------------------------------------------------------------------------------
// Into the tree

// The section of the model, made if it is not there. NULL: out of memory.
static hf_node *section(const robot_reading *r, const hf_node *like)
{
    hf_node *found = hf_node_get(r->document->root, like->key);
    if (found == NULL) {
        found = hf_arena_copy(&r->document->arena, like, 1, sizeof *like);
        if (found != NULL) {
            found->first = found->last = found->next = found->parent = NULL;
            found->count = 0;
            hf_node_append(r->document->root, found);
        }
    }
    return found;
}

// The machine has an expression of the name of one of the robot's inputs: it drives the input,
// within the input's range and times its scale.
static bool drive_input(const robot_reading *r, const hf_node *input, hf_node *own)
{
    static const char *const parts[] = {"(", ")*max(", ", min(", ", ", "))"};
    const hf_node *range = hf_node_get(input, "range"), *scale = hf_node_get(input, "scale");
    if (own->kind != HF_NODE_SCALAR) {
        (void)hf_node_error(r->document, own, r->error, HF_ERROR_INPUT,
                            "signal '%.60s' drives an input of robot '%.60s': it must be an "
                            "expression, which may name other signals",
                            own->key, r->body->key);
        return false;
    }
    if (range == NULL && scale == NULL) {
        return true;
    }
    const char *words[] = {scale == NULL ? "1" : scale->text,
                           range == NULL ? "-1e300" : range->first->text,
                           range == NULL ? "1e300" : range->last->text, own->text};
    size_t length = 1;
    for (size_t i = 0; i < 4; ++i) {
        length += strlen(words[i]) + strlen(parts[i]);
    }
    char *text = hf_arena_alloc(&r->document->arena, length + strlen(parts[4]), 1);
    if (text == NULL) {
        return fail(r, own, "out of memory");
    }
    for (size_t i = 0; i < 4; ++i) {
        strcat(strcat(text, parts[i]), words[i]);
    }
    own->text = strcat(text, parts[4]);
    return true;
}

// Moves the items of a section of the robot's model to that of the machine.
static bool graft(const robot_reading *r, hf_node *from)
{
    if (from->kind == HF_NODE_SCALAR) {
        // friction_rule, restitution_rule: one for the machine, which the file may choose
        hf_node *own = hf_node_get(r->document->root, from->key);
        bool ruled = strcmp(from->key, "friction_rule") == 0 ? r->ruled : r->bounce_ruled;
        if (own != NULL && !ruled && own->kind == HF_NODE_SCALAR &&
            strcmp(own->text, from->text) != 0) {
            (void)hf_node_error(r->document, r->body, r->error, HF_ERROR_INPUT,
                                "robot '%.60s': its format means %s: %s, and the machine has %s; "
                                "write %s into the file to choose one for all",
                                r->body->key, from->key, from->text, own->text, from->key);
            return false;
        }
        if (own == NULL) {
            hf_node_remove(from);
            hf_node_append(r->document->root, from);
        }
        return true;
    }
    // Sections with items
    hf_node *to = section(r, from);
    if (to == NULL || to->kind != from->kind) {
        return fail(r, r->body,
                    to == NULL ? "out of memory"
                               : "a section that it adds to is written in another way "
                                 "(forces: a list; loops: a map)");
    }
    // Inputs of the robot may be driven by the machine's own signals
    bool signals = strcmp(from->key, "signals") == 0;
    while (from->first != NULL) {
        hf_node *item = from->first, *own = signals ? hf_node_get(to, item->key) : NULL;
        hf_node_remove(item);
        if (own != NULL) {
            if (!drive_input(r, item, own)) {
                return false;
            }
        } else {
            hf_node_append(to, item);
        }
    }
    return true;
}

static bool graft_all(const robot_reading *r, hf_node *root)
{
    static const char *const sections[] = {"bodies",        "signals",         "materials",
                                           "pairs",         "forces",          "loops",
                                           "friction_rule", "restitution_rule"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
        hf_node *from = hf_node_get(root, sections[i]);
        hf_node *tree = from == NULL || i > 0 ? NULL : hf_node_get(from, r->body->key);
        if (tree != NULL) {
            hf_node_remove(tree);
            hf_node_replace(r->body, tree);
        } else if (i == 0) {
            hf_node_remove(r->body);
        }
        if (from != NULL && !graft(r, from)) {
            return false;
        }
    }
    return true;
}

// The robot's text, in the document's memory. NULL with the error filled.
static const char *read_robot(const robot_reading *r, const hf_node *file)
{
    hf_robot_options options = hf_robot_options_default();
    const char *packages[MOST_PACKAGES];
    if (!read_options(r, &options, packages)) {
        return NULL;
    }
    char *path = hf_folder_resolve(r->document, r->folder, file, r->error);
    if (path == NULL) {
        return NULL;
    }
    if (r->files != NULL) {
        r->files->visit(r->files->context, path, file->text);
    }
    options.mesh_folder = r->folder;
    options.files = r->files;
    hf_robot *robot = hf_robot_read(path, &options, r->error);
    char *text = robot == NULL ? NULL : hf_arena_string(&r->document->arena, hf_robot_model(robot));
    if (robot != NULL && text == NULL) {
        (void)fail(r, r->body, "out of memory");
    }
    hf_robot_destroy(robot);
    free(path);
    return text;
}

static bool expand(robot_reading *r)
{
    const hf_node *file = hf_node_get(r->body, "file");
    if (file == NULL || file->kind != HF_NODE_SCALAR) {
        return fail(r, r->body, "it needs a file");
    }
    const char *text = read_robot(r, file);
    hf_node *root =
        text == NULL ? NULL : hf_document_parse_value(r->document, text, file->text, r->error);
    return root != NULL && graft_all(r, root);
}

// ------------------------------------------------------------------------------------------------
// `joints:` by patterns

static bool give_keys(robot_reading *r, const hf_node *pattern, hf_node *joint)
{
    for (const hf_node *key = pattern->first; key != NULL; key = key->next) {
        hf_node *copy = hf_node_copy(r->document, key), *own = hf_node_get(joint, key->key);
        if (copy == NULL) {
            (void)hf_error_set(r->error, HF_ERROR_MEMORY, "out of memory");
            return false;
        }
        copy->key = key->key;
        if (own != NULL) {
            hf_node_remove(own);
        }
        hf_node_append(joint, copy);
    }
    return true;
}

// Whether a pattern for several joints passes over one: what it gives is for joints that turn or
// slide, and the robot's base is free, its ankles are balls or its flange is fixed.
static bool passes_over(const hf_node *pattern, const hf_node *joint)
{
    static const char *const keys[] = {"friction", "damping", "spring",    "limits",
                                       "servo",    "bearing", "efficiency"};
    const hf_node *type = hf_node_get(joint, "type");
    bool single = false;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        single = single || hf_node_get(pattern, keys[i]) != NULL;
    }
    return single && strpbrk(pattern->key, "*?[") != NULL && type != NULL &&
           type->kind == HF_NODE_SCALAR && strcmp(type->text, "revolute") != 0 &&
           strcmp(type->text, "prismatic") != 0;
}

static bool apply_pattern(robot_reading *r, hf_node *bodies, const hf_node *pattern)
{
    bool found = false;
    for (hf_node *body = bodies == NULL ? NULL : bodies->first; body != NULL; body = body->next) {
        hf_node *joints = hf_node_get(body, "joints");
        for (hf_node *j = joints == NULL ? NULL : joints->first; j != NULL; j = j->next) {
            char name[300];
            if (strlen(body->key) + strlen(j->key) + 2 > sizeof name) {
                continue;
            }
            strcat(strcat(strcpy(name, body->key), "."), j->key);
            if (fnmatch(pattern->key, name, 0) == 0 && !passes_over(pattern, j)) {
                found = true;
                if (j->kind == HF_NODE_MAP && !give_keys(r, pattern, j)) {
                    return false;
                }
            }
        }
    }
    if (!found) {
        (void)hf_node_key_error(r->document, pattern, r->error, HF_ERROR_NAME,
                                "no joint is called '%.100s'; names are TREE.JOINT, with * "
                                "and ? for any letters",
                                pattern->key);
    }
    return found;
}

// friction: {PATTERN: {...}} -> joints: {PATTERN: {friction: {...}}}, behind those that are there
static bool gather_frictions(robot_reading *r)
{
    hf_node *root = r->document->root, *frictions = hf_node_get(root, "friction");
    hf_node *patterns = hf_node_get(root, "joints");
    if (frictions == NULL) {
        return true;
    }
    if (frictions->kind != HF_NODE_MAP) {
        (void)hf_node_error(r->document, frictions, r->error, HF_ERROR_INPUT,
                            "friction must be a map of patterns of joints, {\"arm.*\": {...}}");
        return false;
    }
    // `joints:`, made if there is none
    hf_node_remove(frictions);
    if (patterns == NULL) {
        patterns = hf_arena_copy(&r->document->arena, frictions, 1, sizeof *frictions);
        if (patterns == NULL) {
            (void)hf_error_set(r->error, HF_ERROR_MEMORY, "out of memory");
            return false;
        }
        patterns->key = "joints";
        patterns->first = patterns->last = patterns->parent = patterns->next = NULL;
        patterns->count = 0;
        hf_node_append(root, patterns);
    }
    // A pattern each, which has the friction alone
    for (hf_node *item = frictions->first, *next; item != NULL; item = next) {
        hf_node *entry = hf_arena_copy(&r->document->arena, item, 1, sizeof *item);
        next = item->next;
        if (entry == NULL) {
            (void)hf_error_set(r->error, HF_ERROR_MEMORY, "out of memory");
            return false;
        }
        entry->kind = HF_NODE_MAP;
        entry->first = entry->last = entry->parent = entry->next = NULL;
        entry->count = 0;
        hf_node_remove(item);
        item->key = "friction";
        hf_node_append(entry, item);
        hf_node_append(patterns, entry);
    }
    return true;
}

static bool apply_patterns(robot_reading *r)
{
    if (!gather_frictions(r)) {
        return false;
    }
    hf_node *patterns = hf_node_get(r->document->root, "joints");
    if (patterns == NULL) {
        return true;
    }
    if (patterns->kind != HF_NODE_MAP) {
        (void)hf_node_error(r->document, patterns, r->error, HF_ERROR_INPUT,
                            "joints must be a map of patterns");
        return false;
    }
    for (hf_node *p = patterns->first; p != NULL; p = p->next) {
        r->body = p;
        if (p->kind != HF_NODE_MAP) {
            return fail(r, p, "expected a map of keys of a joint");
        }
        if (!apply_pattern(r, hf_node_get(r->document->root, "bodies"), p)) {
            return false;
        }
    }
    hf_node_remove(patterns);
    return true;
}

hf_status hf_robots_expand(hf_document *document, const char *folder, const hf_file_visitor *files,
                           hf_error *error)
{
    hf_error own = {0};
    robot_reading r = {.document = document,
                       .folder = folder,
                       .files = files,
                       .error = error == NULL ? &own : error,
                       .ruled = hf_node_get(document->root, "friction_rule") != NULL,
                       .bounce_ruled = hf_node_get(document->root, "restitution_rule") != NULL};
    hf_node *bodies = hf_node_get(document->root, "bodies");
    const char *robots[MOST_ROBOTS];
    int count = 0;
    // Each robot becomes bodies, forces and loops
    for (hf_node *body = bodies == NULL ? NULL : bodies->first; body != NULL;) {
        hf_node *next = body->next;
        const hf_node *type = hf_node_get(body, "type");
        if (type != NULL && type->kind == HF_NODE_SCALAR && strcmp(type->text, "robot") == 0) {
            r.body = body;
            if (count == MOST_ROBOTS) {
                (void)fail(&r, body, "a machine has at most 64 robots");
                return r.error->status;
            }
            robots[count++] = body->key;
            if (!expand(&r)) {
                return r.error->status == HF_OK ? HF_ERROR_INPUT : r.error->status;
            }
        }
        body = next;
    }
    // What the machine says of several robots at once
    if (!apply_patterns(&r)) {
        return r.error->status;
    }
    if (count > 0 && !hf_robots_meet(document, robots, count, r.error)) {
        return r.error->status != HF_OK ? r.error->status
                                        : hf_error_set(r.error, HF_ERROR_MEMORY,
                                                       "%.300s: out of memory", document->label);
    }
    return HF_OK;
}
