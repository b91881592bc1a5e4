// SPDX-License-Identifier: Apache-2.0
// `defaults:` and `class:`.
//
//   defaults:
//     drive: {type: revolute, armature: 0.02, friction: {law: coulomb, level: 3}}
//     small: {class: drive, friction: {level: 1}}
//   bodies:
//     arm: {type: tree, joints: {elbow: {class: small, parent: shoulder, mass: 2, ...}}}
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "models/forces.h"
#include "models/tree/expand.h"

enum { MOST_ANCESTORS = 16 };

static hf_status out_of_memory(const hf_document *document, hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "%.200s: out of memory", document->label);
}

static hf_status unknown_class(const hf_document *document, const hf_node *word, hf_error *error)
{
    const hf_node *defaults = hf_node_get(document->root, "defaults");
    if (defaults == NULL) {
        return hf_node_error(document, word, error, HF_ERROR_NAME,
                             "there is no class '%.60s': the file has no defaults", word->text);
    }
    const char **names = calloc((size_t)defaults->count + 1, sizeof *names);
    int count = 0;
    for (const hf_node *item = defaults->first; item != NULL && names != NULL; item = item->next) {
        names[count++] = item->key;
    }
    const char *nearest = names == NULL ? NULL : hf_nearest_name(word->text, names, count);
    hf_status status = hf_node_error(document, word, error, HF_ERROR_NAME,
                                     "there is no class '%.60s' in defaults%s%.60s%s", word->text,
                                     nearest == NULL ? "" : "; did you mean '",
                                     nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
    free(names);
    return status;
}

// The class that a map starts from; *class is NULL without one.
static hf_status find_class(const hf_document *document, const hf_node *map, const hf_node **class,
                            hf_error *error)
{
    const hf_node *word = hf_node_get(map, "class");
    *class = NULL;
    if (word == NULL) {
        return HF_OK;
    }
    if (word->kind != HF_NODE_SCALAR) {
        return hf_node_error(document, word, error, HF_ERROR_INPUT,
                             "class must be the name of one of the defaults");
    }
    const hf_node *defaults = hf_node_get(document->root, "defaults");
    *class = defaults == NULL ? NULL : hf_node_get(defaults, word->text);
    return *class == NULL ? unknown_class(document, word, error) : HF_OK;
}

// Gives `map` what it lacks of `from`.
static hf_status merge(hf_document *document, hf_node *map, const hf_node *from, hf_error *error)
{
    for (const hf_node *entry = from->first; entry != NULL; entry = entry->next) {
        hf_node *own = hf_node_get(map, entry->key);
        if (strcmp(entry->key, "class") == 0) {
            continue;
        }
        if (own != NULL && own->kind == HF_NODE_MAP && entry->kind == HF_NODE_MAP) {
            HF_TRY(merge(document, own, entry, error)); // depth is limited, so recursion is
        }
        if (own != NULL) {
            continue;
        }
        hf_node *copy = hf_node_copy(document, entry);
        if (copy == NULL) {
            return out_of_memory(document, error);
        }
        copy->key = entry->key;
        hf_node_append(map, copy);
    }
    return HF_OK;
}

static hf_status apply_class(hf_document *document, hf_node *map, hf_error *error)
{
    if (map->kind != HF_NODE_MAP) {
        return HF_OK; // the reader says what is wrong
    }
    const hf_node *class = NULL;
    HF_TRY(find_class(document, map, &class, error));
    hf_node *word = hf_node_get(map, "class");
    for (int depth = 0; class != NULL; ++depth) {
        if (class->kind != HF_NODE_MAP) {
            return hf_node_error(document, class, error, HF_ERROR_INPUT,
                                 "a class must be a map, as in {type: revolute, armature: 0.02}");
        }
        if (depth == MOST_ANCESTORS) {
            return hf_node_error(document, word, error, HF_ERROR_INPUT,
                                 "class '%.60s' starts from itself, or from more than %d others",
                                 word->text, MOST_ANCESTORS);
        }
        HF_TRY(merge(document, map, class, error));
        HF_TRY(find_class(document, class, &class, error));
    }
    if (word != NULL) {
        hf_node_remove(word);
    }
    return HF_OK;
}

static hf_status apply_to_items(hf_document *document, hf_node *section, hf_error *error)
{
    for (hf_node *item = section == NULL ? NULL : section->first; item != NULL; item = item->next) {
        HF_TRY(apply_class(document, item, error));
        hf_node *joints = hf_node_get(item, "joints");
        for (hf_node *joint = joints == NULL ? NULL : joints->first; joint != NULL;
             joint = joint->next) {
            HF_TRY(apply_class(document, joint, error));
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Classes that nothing starts from

// All keys of bodies, joints and forces, in order (cli-schema tells which is missing).
static const char *const KEYS[] = {
    "active",
    "against",
    "among",
    "angle",
    "angles",
    "angular_velocity",
    "anti_windup",
    "approximate",
    "armature",
    "attraction",
    "axes",
    "axis",
    "base",
    "bearing",
    "bend_damping",
    "bend_stiffness",
    "bias",
    "breakaway",
    "capacity",
    "center",
    "clamp",
    "class",
    "collide",
    "coupling",
    "cubic",
    "damping",
    "damping_time",
    "dampings",
    "derivative",
    "differences",
    "dim",
    "draw",
    "dwell",
    "efficiency",
    "enable",
    "except",
    "exponent",
    "factor",
    "feed_forward",
    "file",
    "filter_time",
    "follow",
    "force",
    "forward",
    "friction",
    "friction_damping",
    "friction_stiffness",
    "gravity_compensation",
    "guess",
    "high",
    "impact_speed",
    "inertia",
    "inputs",
    "integral",
    "joints",
    "keep_inertia",
    "lag",
    "largest_force",
    "law",
    "level",
    "levels",
    "limits",
    "low",
    "mass",
    "model",
    "name",
    "normal",
    "offset",
    "on",
    "orientation",
    "packages",
    "parameters",
    "parent",
    "penetration",
    "period",
    "plane",
    "point",
    "position",
    "position_differences",
    "proportional",
    "rate",
    HF_PLACE_KEYS(HF_PLACE_WORD) HF_PLACE_KEYS_OF_FORCES(HF_PLACE_WORD) "reference",
    "reference_rate",
    "repeat",
    "rest",
    "restitution",
    "rolling_friction",
    "rolling_stiffness",
    "servo",
    "shape",
    "shape_center",
    "shapes",
    "shares",
    "slip",
    "span",
    "speed",
    "spin_friction",
    "spin_stiffness",
    "spring",
    "start",
    "states",
    "stick",
    "stiffness",
    "stiffnesses",
    "stored",
    "tangent_damping",
    "tangent_damping_time",
    "tangent_stiffness",
    "thickness",
    "threshold",
    "to",
    "to_axis",
    "to_point",
    "torque",
    "type",
    "unloading",
    "value",
    "velocity",
    "viscous",
};

// Whether something starts from a class; marks are the texts of all `class:` in the file.
static bool is_used(const hf_node *node, const char *name)
{
    const hf_node *word = node->kind == HF_NODE_MAP ? hf_node_get(node, "class") : NULL;
    bool used = word != NULL && word->kind == HF_NODE_SCALAR && strcmp(word->text, name) == 0;
    for (const hf_node *item = node->first; item != NULL && !used; item = item->next) {
        used = is_used(item, name); // depth is limited
    }
    return used;
}

// Of a class that nothing starts from no reader sees the keys: they are at least keys of something.
static hf_status check_unused(const hf_document *document, hf_error *error)
{
    const int count = HF_COUNT(KEYS);
    const hf_node *defaults = hf_node_get(document->root, "defaults");
    for (const hf_node *class = defaults->first; class != NULL; class = class->next) {
        if (class->kind != HF_NODE_MAP) {
            return hf_node_error(document, class, error, HF_ERROR_INPUT,
                                 "a class must be a map, as in {type: revolute, armature: 0.02}");
        }
        const hf_node *parent = NULL;
        HF_TRY(find_class(document, class, &parent, error));
        bool used = is_used(document->root, class->key);
        for (const hf_node *entry = class->first; entry != NULL && !used; entry = entry->next) {
            bool known = false;
            for (int i = 0; i < count && !known; ++i) {
                known = strcmp(KEYS[i], entry->key) == 0;
            }
            const char *nearest = known ? NULL : hf_nearest_name(entry->key, KEYS, count);
            if (!known) {
                return hf_node_key_error(
                    document, entry, error, HF_ERROR_INPUT,
                    "class '%.60s': no body, joint or force has a key '%.60s'%s%.60s%s", class->key,
                    entry->key, nearest == NULL ? "" : "; did you mean '",
                    nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
            }
        }
    }
    return HF_OK;
}

hf_status hf_classes_apply(hf_document *document, hf_error *error)
{
    hf_node *root = document->root, *defaults = hf_node_get(root, "defaults");
    if (defaults != NULL && defaults->kind != HF_NODE_MAP) {
        return hf_node_error(document, defaults, error, HF_ERROR_INPUT,
                             "defaults must be a map of classes by name");
    }
    if (defaults != NULL) {
        HF_TRY(check_unused(document, error));
    }
    HF_TRY(apply_to_items(document, hf_node_get(root, "bodies"), error));
    HF_TRY(apply_to_items(document, hf_node_get(root, "forces"), error));
    if (defaults != NULL) {
        hf_node_remove(defaults);
    }
    return HF_OK;
}

const hf_node *hf_class_entry(const hf_document *document, const hf_node *map, const char *key,
                              size_t length)
{
    const hf_node *class = NULL;
    if (map->kind != HF_NODE_MAP || find_class(document, map, &class, NULL) != HF_OK) {
        return NULL;
    }
    for (int depth = 0; class != NULL && depth < MOST_ANCESTORS; ++depth) {
        for (const hf_node *entry = class->first; entry != NULL; entry = entry->next) {
            if (entry->key != NULL && strncmp(entry->key, key, length) == 0 &&
                entry->key[length] == '\0') {
                return entry;
            }
        }
        if (find_class(document, class, &class, NULL) != HF_OK) {
            return NULL;
        }
    }
    return NULL;
}
