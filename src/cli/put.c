// SPDX-License-Identifier: Apache-2.0
// Prints text with control characters escaped, so that a file cannot command the terminal.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/cli.h"

void hf_cli_vput(FILE *file, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        return;
    }
    // What was formatted, then the same escaped
    size_t size = (size_t)length + 1, room = HF_TEXT_ESCAPED_SIZE((size_t)length);
    char *text = malloc(size + room);
    if (text == NULL) {
        (void)fputs("out of memory for a message\n", file);
        return;
    }
    (void)vsnprintf(text, size, format, arguments);
    (void)hf_text_escape(text + size, room, text);
    (void)fputs(text + size, file);
    free(text);
}

void hf_cli_put(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hf_cli_vput(file, format, arguments);
    va_end(arguments);
}

double hf_cli_shown(double value)
{
    return isnan(value) ? fabs((double)NAN) : value;
}
