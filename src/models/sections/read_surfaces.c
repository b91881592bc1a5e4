// SPDX-License-Identifier: Apache-2.0
// Surfaces: their numbers, materials, groups, rules of combination, and pairs with numbers of their
// own.
#include <stdlib.h>
#include <string.h>

#include "models/reader.h"

const char *const hf_surface_keys[HF_SURFACE_KEYS] = {"friction", "restitution", "spin_friction",
                                                      "rolling_friction"};

bool hf_read_surface(hf_reader *reader, const hf_node *map, hf_surface *surface)
{
    double *const numbers[HF_SURFACE_KEYS] = {&surface->friction, &surface->restitution,
                                              &surface->spin_friction, &surface->rolling_friction};
    for (int i = 0; i < HF_SURFACE_KEYS; ++i) {
        if (!hf_read_number_item(reader, map, hf_surface_keys[i], HF_RANGE_NOT_NEGATIVE,
                                 numbers[i])) {
            return false;
        }
    }
    const hf_node *restitution = hf_node_get(map, "restitution");
    if (restitution != NULL && !(surface->restitution <= 1.0)) {
        return hf_reader_fail(reader, restitution, HF_ERROR_RANGE,
                              "restitution must be between 0 and 1, got %g", surface->restitution);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Groups: names of bits

// The bit of a name, which the first use of it makes.
static bool find_group(hf_reader *reader, const hf_node *node, uint32_t *bits)
{
    const char *name = NULL;
    int k = 0;
    if (!hf_read_text(reader, node, &name) || !hf_read_name(reader, node, name, false)) {
        return false;
    }
    if (reader->group_count == 0) {
        reader->groups[reader->group_count++] = "default";
    }
    while (k < reader->group_count && strcmp(reader->groups[k], name) != 0) {
        ++k;
    }
    if (k == HF_COUNT(reader->groups)) {
        return hf_reader_fail(reader, node, HF_ERROR_RANGE,
                              "there can be %d groups, and '%.60s' "
                              "is one more",
                              HF_COUNT(reader->groups), name);
    }
    if (k == reader->group_count) {
        reader->groups[reader->group_count++] = name;
    }
    *bits |= UINT32_C(1) << k;
    return true;
}

// A name, a list of names, the bits as a number; of masks also `all` and `none`.
static bool read_bits(hf_reader *reader, const hf_node *node, bool mask, uint32_t *bits)
{
    if (node == NULL) {
        return true;
    }
    *bits = 0;
    // Names of groups
    if (node->kind == HF_NODE_LIST) {
        for (const hf_node *item = node->first; item != NULL; item = item->next) {
            if (!find_group(reader, item, bits)) {
                return false;
            }
        }
        return true;
    }
    // Bits
    if (hf_node_is_number(node)) {
        double number = 0.0;
        if (!hf_read_number(reader, node, HF_RANGE_NOT_NEGATIVE, &number)) {
            return false;
        }
        if (number > UINT32_MAX || number != (double)(uint32_t)number) {
            return hf_reader_fail(reader, node, HF_ERROR_RANGE,
                                  "bits of groups are a whole number up to 4294967295");
        }
        *bits = (uint32_t)number;
        return true;
    }
    // A word, or one name
    bool word = mask && node->kind == HF_NODE_SCALAR;
    if (word && strcmp(node->text, "all") == 0) {
        *bits = UINT32_MAX;
        return true;
    }
    return (word && strcmp(node->text, "none") == 0) || find_group(reader, node, bits);
}

bool hf_read_surface_links(hf_reader *reader, const hf_node *map, hf_shape_def *def)
{
    const hf_node *material = hf_node_get(map, "material");
    const char *name = NULL;
    if (!read_bits(reader, hf_node_get(map, "group"), false, &def->group) ||
        !read_bits(reader, hf_node_get(map, "touches"), true, &def->mask)) {
        return false;
    }
    if (material == NULL) {
        return true;
    }
    if (!hf_read_text(reader, material, &name)) {
        return false;
    }
    def->material = hf_spec_find_material(reader->spec, name);
    if (def->material.id == 0) {
        return hf_reader_fail(reader, material, HF_ERROR_NAME,
                              "there is no material '%.60s'; `materials:` lists them", name);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Materials and rules

static bool read_material(hf_reader *reader, const hf_node *node)
{
    static const char *const keys[] = {"friction", "restitution", "spin_friction",
                                       "rolling_friction", "density"};
    hf_material_def def = hf_material_def_default();
    def.name = node->key;
    hf_reader_enter(reader, "material", node->key);
    if (!hf_read_name(reader, node, node->key, true) ||
        !hf_reader_add_item(reader, node->key, node, true) ||
        !hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        !hf_read_surface(reader, node, &def.surface) ||
        !hf_read_number_item(reader, node, "density", HF_RANGE_NOT_NEGATIVE, &def.density)) {
        return false;
    }
    return hf_spec_add_material(reader->spec, &def, reader->error).id != 0 ||
           hf_reader_pass_member(reader, node);
}

static bool read_rule(hf_reader *reader, const hf_node *node, hf_rule *rule)
{
    const char *names[HF_RULE_COUNT];
    int choice = 0;
    for (int i = 0; i < HF_RULE_COUNT; ++i) {
        names[i] = hf_rule_name((hf_rule)i);
    }
    if (node != NULL && !hf_read_choice(reader, node, names, HF_RULE_COUNT, &choice)) {
        return false;
    }
    *rule = (hf_rule)choice;
    return true;
}

bool hf_read_materials(hf_reader *reader, const hf_node *root)
{
    const hf_node *section = hf_node_get(root, "materials");
    hf_rule friction, restitution;
    if (!read_rule(reader, hf_node_get(root, "friction_rule"), &friction) ||
        !read_rule(reader, hf_node_get(root, "restitution_rule"), &restitution)) {
        return false;
    }
    if (hf_spec_set_rules(reader->spec, friction, restitution, reader->error) < 0) {
        return hf_reader_pass(reader, root, false);
    }
    if (section == NULL) {
        return true;
    }
    if (!hf_read_kind(reader, section, HF_NODE_MAP, "a map of materials by name")) {
        return false;
    }
    for (const hf_node *node = section->first; node != NULL; node = node->next) {
        if (!read_material(reader, node)) {
            return false;
        }
    }
    hf_reader_leave(reader);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Pairs

// Each two names once, in either order: *known are those before, with the lines of their pairs.
static bool take_pair(hf_reader *reader, const hf_node *between, hf_names *known)
{
    const char *a = between->first->text, *b = between->last->text;
    bool turned = strcmp(a, b) > 0;
    char *first = hf_reader_join(reader, turned ? b : a, "\n");
    char *both = first == NULL ? NULL : hf_reader_join(reader, first, turned ? a : b);
    if (both == NULL) {
        return false;
    }
    int line = hf_names_find(known, both, strlen(both));
    if (line >= 0) {
        return hf_reader_fail(reader, between, HF_ERROR_NAME,
                              "'%.60s' and '%.60s' are a pair already, in line %d; one pair says "
                              "all of them",
                              a, b, line);
    }
    return hf_names_add(known, both, between->line) || hf_reader_out_of_memory(reader);
}

static bool read_pair(hf_reader *reader, const hf_node *node, hf_names *known)
{
    static const char *const keys[] = {"between",       "friction",         "restitution",
                                       "spin_friction", "rolling_friction", "touch"};
    static const char *const touches[] = {"as-others", "never", "always"};
    hf_pair_def def = hf_pair_def_default();
    const hf_node *between, *touch = hf_node_get(node, "touch");
    int choice = 0;
    if (!hf_read_map(reader, node, keys, HF_COUNT(keys)) ||
        (between = hf_read_need(reader, node, "between")) == NULL ||
        !hf_read_kind(reader, between, HF_NODE_LIST, "two names, [a, b]")) {
        return false;
    }
    if (between->count != 2) {
        return hf_reader_fail(reader, between, HF_ERROR_INPUT,
                              "a pair is between two names, [a, b]");
    }
    if (!hf_read_text(reader, between->first, &def.a) ||
        !hf_read_text(reader, between->last, &def.b) || !take_pair(reader, between, known) ||
        !hf_read_surface(reader, node, &def.surface) ||
        (touch != NULL && !hf_read_choice(reader, touch, touches, 3, &choice))) {
        return false;
    }
    def.never = choice == 1;
    def.always = choice == 2;
    return hf_spec_add_pair(reader->spec, &def, reader->error) == HF_OK ||
           hf_reader_pass(reader, between, false);
}

bool hf_read_surface_pairs(hf_reader *reader, const hf_node *root)
{
    const hf_node *section = hf_node_get(root, "pairs");
    if (section == NULL) {
        return true;
    }
    if (!hf_read_kind(reader, section, HF_NODE_LIST, "a list of pairs")) {
        return false;
    }
    hf_names known = {0};
    bool read = true;
    for (const hf_node *node = section->first; node != NULL && read; node = node->next) {
        read = read_pair(reader, node, &known);
    }
    hf_names_free(&known);
    return read;
}
