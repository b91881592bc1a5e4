// SPDX-License-Identifier: Apache-2.0
// A hash table from names to numbers, the order in which names are listed, and the nearest name.
#include "base/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct hf_names_slot {
    const char *name; // NULL: free
    size_t length;
    int value;
} hf_names_slot;

enum { FIRST_CAPACITY = 64, LONGEST_WORD = 64 };
// Letters of a first word that tells something, with its underscore.
enum { LEAST_BEGINNING = 5 };

unsigned long long hf_hash_bytes(unsigned long long seed, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    unsigned long long hash = seed == 0 ? 14695981039346656037ULL : seed;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ byte[i]) * 1099511628211ULL;
    }
    return hash;
}

static hf_names_slot *slot_of(const hf_names *names, const char *name, size_t length)
{
    size_t i = (size_t)hf_hash_bytes(0, name, length) & (names->capacity - 1);
    while (names->slots[i].name != NULL &&
           (names->slots[i].length != length || memcmp(names->slots[i].name, name, length) != 0)) {
        i = (i + 1) & (names->capacity - 1);
    }
    return &names->slots[i];
}

static bool grow(hf_names *names)
{
    hf_names larger = {.capacity = names->capacity == 0 ? FIRST_CAPACITY : 2 * names->capacity,
                       .count = names->count};
    if (larger.capacity > SIZE_MAX / 4 / sizeof(hf_names_slot)) {
        return false;
    }
    larger.slots = calloc(larger.capacity, sizeof(hf_names_slot));
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < names->capacity; ++i) {
        if (names->slots[i].name != NULL) {
            *slot_of(&larger, names->slots[i].name, names->slots[i].length) = names->slots[i];
        }
    }
    free(names->slots);
    *names = larger;
    return true;
}

bool hf_names_add(hf_names *names, const char *name, int value)
{
    if (2 * (names->count + 1) > names->capacity && !grow(names)) {
        return false;
    }
    size_t length = strlen(name);
    *slot_of(names, name, length) = (hf_names_slot){name, length, value};
    names->count += 1;
    return true;
}

int hf_names_find(const hf_names *names, const char *name, size_t length)
{
    if (names->capacity == 0) {
        return -1;
    }
    const hf_names_slot *slot = slot_of(names, name, length);
    return slot->name == NULL ? -1 : slot->value;
}

void hf_names_free(hf_names *names)
{
    free(names->slots);
    *names = (hf_names){0};
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Compares the numbers at *a and *b and moves both past them.
static int compare_numbers(const char **a, const char **b)
{
    while (**a == '0' && is_digit((*a)[1])) {
        ++*a;
    }
    while (**b == '0' && is_digit((*b)[1])) {
        ++*b;
    }
    size_t la = 0, lb = 0;
    while (is_digit((*a)[la])) {
        ++la;
    }
    while (is_digit((*b)[lb])) {
        ++lb;
    }
    int order = la != lb ? (la < lb ? -1 : 1) : strncmp(*a, *b, la);
    *a += la;
    *b += lb;
    return order;
}

int hf_name_compare(const char *a, const char *b)
{
    const char *i = a, *j = b;
    while (*i != '\0' && *j != '\0') {
        if (is_digit(*i) && is_digit(*j)) {
            int order = compare_numbers(&i, &j);
            if (order != 0) {
                return order;
            }
        } else if (*i != *j) {
            return (unsigned char)*i < (unsigned char)*j ? -1 : 1;
        } else {
            ++i;
            ++j;
        }
    }
    if (*i != *j) {
        return *i == '\0' ? -1 : 1;
    }
    return strcmp(a, b); // 01 and 1
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int hf_edit_distance(const char *a, const char *b, int limit)
{
    size_t length_a = strlen(a), length_b = strlen(b);
    // Words that cannot be near enough
    if (length_a > LONGEST_WORD || length_b > LONGEST_WORD) {
        return limit + 1;
    }
    int la = (int)length_a, lb = (int)length_b;
    if (abs(la - lb) > limit) {
        return limit + 1;
    }
    // Three rows of the table of distances between beginnings of a and b
    int rows[3][LONGEST_WORD + 1] = {0};
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (int j = 0; j <= lb; ++j) {
        above[j] = j;
    }
    for (int i = 1; i <= la; ++i) {
        row[0] = i;
        for (int j = 1; j <= lb; ++j) {
            // The least of a letter more, a letter less, another letter, or two letters exchanged
            int change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
        int *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return least(above[lb], limit + 1);
}

// The one candidate of several words that begins with the same word, as stribeck_velocity does for
// stribeck_speed; NULL where there is none or more than one.
static const char *same_beginning(const char *word, const char *const *candidates, int count)
{
    const char *found = NULL, *end = strchr(word, '_');
    size_t length = end == NULL ? 0 : (size_t)(end - word) + 1;
    for (int i = 0; i < count && length >= LEAST_BEGINNING; ++i) {
        if (strncmp(word, candidates[i], length) == 0) {
            if (found != NULL) {
                return NULL;
            }
            found = candidates[i];
        }
    }
    return found;
}

const char *hf_nearest_name(const char *word, const char *const *candidates, int count)
{
    size_t length = strlen(word);
    int limit = length <= 3 ? 1 : (length <= 6 ? 2 : 3);
    int nearest = -1;
    for (int i = 0; i < count; ++i) {
        int distance = hf_edit_distance(word, candidates[i], limit);
        if (distance <= limit) {
            nearest = i;
            limit = distance - 1;
        }
    }
    return nearest >= 0 ? candidates[nearest] : same_beginning(word, candidates, count);
}
