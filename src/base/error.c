// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

hf_status hf_error_set(hf_error *error, hf_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        error->status = status;
        error->line = 0;
        error->column = 0;
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
