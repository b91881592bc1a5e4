// SPDX-License-Identifier: Apache-2.0
// A small reader of JSON, for reference data.
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json *read_value(char **at);

static void blanks(char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static char *read_string(char **at)
{
    char *start = ++*at, *end = strchr(start, '"');
    if (end == NULL) {
        return NULL;
    }
    *at = end + 1;
    char *copy = malloc((size_t)(end - start) + 1);
    memcpy(copy, start, (size_t)(end - start));
    copy[end - start] = '\0';
    return copy;
}

static json *read_items(char **at, json *value)
{
    char close = value->kind == '{' ? '}' : ']';
    json **end = &value->first;
    for (++*at;;) {
        blanks(at);
        if (**at == close) {
            ++*at;
            return value;
        }
        char *key = NULL;
        if (value->kind == '{') {
            key = read_string(at);
            blanks(at);
            ++*at; // the colon
        }
        json *item = read_value(at);
        if (item == NULL) {
            return NULL;
        }
        item->key = key;
        *end = item;
        end = &item->next;
        value->count += 1;
        blanks(at);
        *at += **at == ',' ? 1 : 0;
    }
}

static json *read_value(char **at)
{
    blanks(at);
    json *value = calloc(1, sizeof *value);
    value->kind = **at;
    if (**at == '{' || **at == '[') {
        return read_items(at, value);
    }
    if (**at == '"') {
        value->text = read_string(at);
    } else if (**at >= 'a' && **at <= 'z') {
        value->kind = 'x';
        *at += strspn(*at, "abcdefghijklmnopqrstuvwxyz");
    } else {
        char *after = *at;
        value->kind = 'n';
        value->number = strtod(*at, &after);
        if (after == *at) {
            free(value);
            return NULL;
        }
        *at = after;
    }
    return value;
}

json *json_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    (void)fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1), *at = text;
    size_t got = fread(text, 1, (size_t)size, file);
    (void)fclose(file);
    json *value = got == (size_t)size ? read_value(&at) : NULL;
    free(text);
    return value;
}

void json_free(json *value)
{
    while (value != NULL) {
        json *next = value->next;
        json_free(value->first);
        free((void *)value->key);
        free((void *)value->text);
        free(value);
        value = next;
    }
}

const json *json_get(const json *map, const char *key)
{
    const json *item = map == NULL ? NULL : map->first;
    while (item != NULL && strcmp(item->key, key) != 0) {
        item = item->next;
    }
    return item;
}

const json *json_at(const json *list, int index)
{
    const json *item = list == NULL ? NULL : list->first;
    for (; index > 0 && item != NULL; --index) {
        item = item->next;
    }
    return item;
}

int json_numbers(const json *list, double *numbers, int room)
{
    int count = 0;
    for (const json *item = list == NULL ? NULL : list->first; item != NULL; item = item->next) {
        if (item->kind == '[') {
            count += json_numbers(item, numbers + count, room - count);
        } else if (count < room) {
            numbers[count++] = item->number;
        }
    }
    return count;
}
