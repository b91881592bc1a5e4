// SPDX-License-Identifier: Apache-2.0
// One JSON object, written member by member. Keys and texts may be anything.
#ifndef HF_CLI_JSON_H
#define HF_CLI_JSON_H

#include <stdbool.h>
#include <stdio.h>

// {stdout}: nothing written yet.
typedef struct hf_json {
    FILE *file;
    int depth;
    bool filled; // the present object has a member
} hf_json;

// Begins an object; key NULL: the outermost one.
void hf_json_begin(hf_json *json, const char *key);
void hf_json_end(hf_json *json);
// A list of texts: begin, items, end.
void hf_json_begin_list(hf_json *json, const char *key);
void hf_json_item(hf_json *json, const char *text);
void hf_json_end_list(hf_json *json);
// NaN and infinite numbers become null: JSON has none.
void hf_json_number(hf_json *json, const char *key, double value);
void hf_json_count(hf_json *json, const char *key, long long value);
void hf_json_text(hf_json *json, const char *key, const char *text);

#endif
