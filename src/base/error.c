// SPDX-License-Identifier: Apache-2.0
// Fills hf_error: text, place in the file, component, member, law, time.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void keep(char *target, size_t size, const char *name)
{
    (void)snprintf(target, size, "%s", name == NULL ? "" : name);
}

// A member as model files call it: "shape center" is shape_center, "draw: center" is in draw.
static void keep_member(char *target, size_t size, const char *member)
{
    keep(target, size, member);
    target[strcspn(target, ":")] = '\0';
    for (char *c = target; *c != '\0'; ++c) {
        *c = *c == ' ' ? '_' : *c;
    }
}

// Put together apart from *error: names and arguments may be those of the same error.
static void fill(hf_error *error, hf_status status, const hf_error_place *place, const char *format,
                 va_list arguments)
{
    char text[sizeof error->text] = "";
    size_t used = 0;
    if (place->timed) {
        used = (size_t)snprintf(text, sizeof text, "t = %.9g s: ", place->time);
    }
    if (place->kind != NULL) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s '%.*s': ", place->kind,
                                 (int)sizeof error->component - 1, place->component);
    }
    (void)vsnprintf(text + used, sizeof text - used, format, arguments);
    hf_error made = {.status = status, .time = place->timed ? place->time : -1.0};
    memcpy(made.text, text, sizeof text);
    keep(made.component, sizeof made.component, place->component);
    keep_member(made.member, sizeof made.member, place->member);
    keep(made.law, sizeof made.law, place->law);
    *error = made;
}

hf_status hf_error_set(hf_error *error, hf_status status, const char *format, ...)
{
    if (error != NULL) {
        const hf_error_place nowhere = {0};
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, &nowhere, format, arguments);
        va_end(arguments);
    }
    return status;
}

hf_status hf_error_at(hf_error *error, hf_status status, hf_error_place place, const char *format,
                      ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, &place, format, arguments);
        va_end(arguments);
    }
    return status;
}

void hf_error_locate(hf_error *error, const char *file, int line, int column)
{
    if (error == NULL) {
        return;
    }
    char text[sizeof error->text];
    memcpy(text, error->text, sizeof text);
    int place = snprintf(error->text, sizeof error->text, "%.200s:%d:%d: ", file, line, column);
    size_t start = place < 0 ? 0 : (size_t)place;
    size_t length = strlen(text);
    if (length > sizeof error->text - 1 - start) {
        length = sizeof error->text - 1 - start;
    }
    memcpy(error->text + start, text, length);
    error->text[start + length] = '\0';
    error->line = line;
    error->column = column;
    error->place_size = (int)start;
}

const char *hf_status_text(hf_status status)
{
    switch (status) {
#define HF_STATUS_CASE(name, code, text)                                                           \
    case name:                                                                                     \
        return text;
        HF_STATUS_LIST(HF_STATUS_CASE)
#undef HF_STATUS_CASE
    }
    return "unknown status";
}
