// SPDX-License-Identifier: Apache-2.0
// Names: a map from name to number, an order that people expect, and the nearest known name.
#ifndef HF_BASE_NAMES_H
#define HF_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

// A map from strings (not owned) to numbers >= 0. Zero-initialized: empty.
typedef struct hf_names {
    struct hf_names_slot *slots;
    size_t capacity, count;
} hf_names;

// Adds a name that is not there yet. False when out of memory.
bool hf_names_add(hf_names *names, const char *name, int value);
// The number of a name of the given length, or -1.
int hf_names_find(const hf_names *names, const char *name, size_t length);
void hf_names_free(hf_names *names);

// Order in which digits count as numbers: m2 before m10. Total: differs for different strings.
int hf_name_compare(const char *a, const char *b);

// Number of single-letter edits (insert, delete, replace, swap) from a to b, at most `limit` + 1.
int hf_edit_distance(const char *a, const char *b, int limit);

// The candidate nearest to `word` and near enough to be meant; NULL when none is.
const char *hf_nearest_name(const char *word, const char *const *candidates, int count);

// The key that 64-bit FNV-1a gives to bytes; `seed` chains calls (0 to start).
unsigned long long hf_hash_bytes(unsigned long long seed, const void *bytes, size_t size);

#endif
