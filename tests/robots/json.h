// SPDX-License-Identifier: Apache-2.0
// A small reader of JSON, for reference data: maps, lists, numbers, texts.
#ifndef HF_TESTS_JSON_H
#define HF_TESTS_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef struct json {
    char kind; // '{', '[', 'n' number, '"' text, 'x' null, true or false
    double number;
    const char *text, *key;
    struct json *first, *next;
    int count;
} json;

json *json_read(const char *path); // NULL: not there, or not JSON
void json_free(json *value);
const json *json_get(const json *map, const char *key);
const json *json_at(const json *list, int index);
// Numbers of a list, of lists in it too; returns how many.
int json_numbers(const json *list, double *numbers, int room);

#endif
