// SPDX-License-Identifier: Apache-2.0
// `repeat:`: one body many times, in a row, a wall or a heap.
//
//   count: [nx, ny, nz]    how many along x, y, z, `spacing` apart along each; or a number: a row,
//   spacing: [dx, dy, dz]  each `spacing` from the one before
//   stagger: [x, y, z]     every other layer (along z, or along the last axis that repeats) is
//                          shifted by this: the running bond of a wall
//   jitter: r, seed: n     each copy is shifted by up to r along each axis, the same for one seed
//
// Copies are called NAME-1, NAME-2, ..., or by their places along the axes that repeat, NAME-1-3.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "models/reader.h"

enum { MOST_COPIES = 100000 };

typedef struct repetition {
    int count[3];
    bool row; // count is a number
    hf_vec3 spacing, stagger;
    double jitter;
    int seed;
    int layer_axis; // the last that repeats
} repetition;

static bool read_counts(hf_reader *reader, const hf_node *node, int count[3])
{
    if (node->kind != HF_NODE_LIST) {
        return hf_read_count(reader, node, 1, MOST_COPIES, &count[0]);
    }
    int axis = 0;
    if (node->count < 1 || node->count > 3) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT,
                              "count must be a number or a list of up to three, along x, y and z");
    }
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        if (!hf_read_count(reader, item, 1, MOST_COPIES, &count[axis++])) {
            return false;
        }
    }
    return true;
}

static bool read_repetition(hf_reader *reader, const hf_node *node, repetition *r)
{
    static const char *const keys[] = {"count", "spacing", "stagger", "jitter", "seed"};
    static const hf_company company[] = {{"seed", {"jitter"}}};
    const hf_node *count, *seed = hf_node_get(node, "seed");
    // Its keys
    *r = (repetition){.count = {1, 1, 1}, .seed = 1};
    if (!hf_read_map(reader, node, keys, 5) ||
        (count = hf_read_need(reader, node, "count")) == NULL ||
        !read_counts(reader, count, r->count) ||
        !hf_read_vec3_item(reader, node, "spacing", &r->spacing) ||
        !hf_read_vec3_item(reader, node, "stagger", &r->stagger) ||
        !hf_read_number_item(reader, node, "jitter", HF_RANGE_NOT_NEGATIVE, &r->jitter) ||
        (seed != NULL && !hf_read_count(reader, seed, 0, INT32_MAX, &r->seed)) ||
        !hf_check_company(reader, node, company, HF_COUNT(company))) {
        return false;
    }
    if ((long long)r->count[0] * r->count[1] > MOST_COPIES ||
        (long long)r->count[0] * r->count[1] * r->count[2] > MOST_COPIES) {
        return hf_reader_fail(reader, count, HF_ERROR_RANGE, "at most %d copies, got more",
                              MOST_COPIES);
    }
    // What has no place is not shifted
    const hf_node *type = hf_node_get(node->parent, "type");
    bool placeless =
        type != NULL && type->kind == HF_NODE_SCALAR && strcmp(type->text, "rotor") == 0;
    for (int i = 1; i < 4 && placeless; ++i) {
        const hf_node *shift = hf_node_get(node, keys[i]);
        if (shift != NULL) {
            return hf_reader_fail_key(reader, shift, HF_ERROR_INPUT,
                                      "%s has no effect: a rotor has no place", keys[i]);
        }
    }
    r->row = count->kind != HF_NODE_LIST;
    for (int k = 0; k < 3; ++k) {
        r->layer_axis = r->count[k] > 1 ? k : r->layer_axis;
    }
    return true;
}

// -1 to 1, by a mixing of bits whose every output bit depends on every input bit (splitmix64).
static double random_share(int seed, int copy, int axis)
{
    uint64_t z = (uint64_t)seed * 1000003u + (uint64_t)copy * 3u + (uint64_t)axis;
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

static hf_vec3 shift_of(const repetition *r, const int place[3], int copy)
{
    const double odd = place[r->layer_axis] % 2;
    const double step[3] = {r->spacing.x, r->spacing.y, r->spacing.z};
    const double stagger[3] = {r->stagger.x, r->stagger.y, r->stagger.z};
    double shift[3];
    for (int k = 0; k < 3; ++k) {
        shift[k] = place[r->row ? 0 : k] * step[k] + odd * stagger[k] +
                   r->jitter * random_share(r->seed, copy, k);
    }
    return (hf_vec3){shift[0], shift[1], shift[2]};
}

static char *name_of(hf_reader *reader, const repetition *r, const int place[3], const char *name)
{
    char suffix[40] = "";
    int used = 0;
    for (int k = 0; k < 3; ++k) {
        bool named = r->count[k] > 1 || (k == r->layer_axis && used == 0);
        if (named) {
            used += snprintf(suffix + used, sizeof suffix - (size_t)used, "-%d", place[k] + 1);
        }
    }
    return hf_reader_join(reader, name, suffix);
}

static long long count_nodes(const hf_node *node)
{
    long long count = 1;
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        count += count_nodes(item); // depth is limited, so recursion is
    }
    return count;
}

static bool read_copy(hf_reader *reader, const hf_node *node, const char *name,
                      bool (*read)(hf_reader *reader, const hf_node *copy))
{
    hf_node *copy = hf_node_copy(reader->document, node);
    if (copy == NULL || name == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    copy->key = name;
    copy->key_line = node->key_line;
    copy->key_column = node->key_column;
    hf_node_remove(hf_node_get(copy, "repeat"));
    return read(reader, copy);
}

bool hf_read_repeated(hf_reader *reader, const hf_node *node,
                      bool (*read)(hf_reader *reader, const hf_node *copy))
{
    repetition r;
    size_t first = reader->body_count;
    hf_reader_enter(reader, "body", node->key);
    // How often, along three directions
    if (!hf_read_name(reader, node, node->key, true) ||
        !hf_reader_add_item(reader, node->key, node, true) ||
        !read_repetition(reader, hf_node_get(node, "repeat"), &r)) {
        return false;
    }
    long long copies = (long long)r.count[0] * r.count[1] * r.count[2];
    if (!hf_reader_spend(reader, node, copies * count_nodes(node))) {
        return false;
    }
    // Copy by copy, each at its place
    int copy = 0, place[3];
    for (place[2] = 0; place[2] < r.count[2]; ++place[2]) {
        for (place[1] = 0; place[1] < r.count[1]; ++place[1]) {
            for (place[0] = 0; place[0] < r.count[0]; ++place[0], ++copy) {
                reader->shift = shift_of(&r, place, copy);
                if (!read_copy(reader, node, name_of(reader, &r, place, node->key), read)) {
                    return false;
                }
            }
        }
    }
    // All of them under one name
    reader->shift = (hf_vec3){0};
    reader->bodies[first].copies = copy;
    return hf_names_add(&reader->group_names, node->key, (int)first) ||
           hf_reader_out_of_memory(reader);
}
