// SPDX-License-Identifier: Apache-2.0
// The bytes of a file: size, kind and encoding are checked before anything looks at them.
#define _POSIX_C_SOURCE 200809L // open, read
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

hf_status hf_text_check(const char *text, size_t length, const char *label, hf_error *error)
{
    const unsigned char *s = (const unsigned char *)text;
    int line = 1, column = 1;
    for (size_t i = 0; i < length;) {
        const char *fault = NULL;
        size_t step = hf_utf8_length(text + i, length - i);
        if (step == 0) {
            fault = "this byte is not UTF-8 text";
        } else if (s[i] == 0) {
            fault = "the text contains a NUL byte: this is not a text file";
        } else if ((s[i] < 0x20 && s[i] != '\t' && s[i] != '\n' && s[i] != '\r') || s[i] == 0x7F) {
            fault = "the text contains a control character";
        }
        if (fault != NULL) {
            (void)hf_error_set(error, HF_ERROR_SYNTAX, "%s (0x%02X)", fault, (unsigned)s[i]);
            hf_error_locate(error, label, line, column);
            return HF_ERROR_SYNTAX;
        }
        bool end_of_line = s[i] == '\n';
        line += end_of_line ? 1 : 0;
        column = end_of_line ? 1 : column + 1;
        i += step;
    }
    return HF_OK;
}

static hf_status too_large(const char *path, hf_error *error)
{
    return hf_error_set(error, HF_ERROR_FILE, "%s: the file is larger than %d MiB", path,
                        HF_FILE_MAX_BYTES / (1024 * 1024));
}

// Reads until the end; the size that was seen before may be that of a pipe, or out of date.
static hf_status read_all(int file, const char *path, size_t expected, char **text, size_t *length,
                          hf_error *error)
{
    size_t capacity = expected + 4096, count = 0;
    char *buffer = malloc(capacity);
    while (buffer != NULL) {
        // The next piece; a signal may interrupt it
        ssize_t got = read(file, buffer + count, capacity - count - 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            free(buffer);
            return hf_error_set(error, HF_ERROR_FILE, "%s: %s", path, strerror(errno));
        }
        count += (size_t)got;
        // What is too large, or at its end
        if (count > HF_FILE_MAX_BYTES) {
            free(buffer);
            return too_large(path, error);
        }
        if (got == 0) {
            buffer[count] = '\0';
            *text = buffer;
            *length = count;
            return HF_OK;
        }
        // Twice the room where it is used up
        if (capacity - count < 2) {
            capacity *= 2;
            char *grown = realloc(buffer, capacity);
            if (grown == NULL) {
                free(buffer);
            }
            buffer = grown;
        }
    }
    return hf_error_set(error, HF_ERROR_MEMORY, "%s: out of memory", path);
}

hf_status hf_text_read(const char *path, const char *label, bool regular_only, char **text,
                       size_t *length, hf_error *error)
{
    *text = NULL;
    *length = 0;
    struct stat info;
    if (stat(path, &info) != 0) {
        return hf_error_set(error, HF_ERROR_FILE, "%s: %s", label, strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) {
        return hf_error_set(error, HF_ERROR_FILE, "%s: is a directory, not a file", label);
    }
    if (regular_only && !S_ISREG(info.st_mode)) {
        return hf_error_set(error, HF_ERROR_FILE, "%s: is not a regular file", label);
    }
    if (S_ISREG(info.st_mode) && info.st_size > HF_FILE_MAX_BYTES) {
        return too_large(label, error);
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return hf_error_set(error, HF_ERROR_FILE, "%s: %s", label, strerror(errno));
    }
    size_t expected = S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
    hf_status status = read_all(file, label, expected, text, length, error);
    (void)close(file);
    return status;
}
