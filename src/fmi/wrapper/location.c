// SPDX-License-Identifier: Apache-2.0
// The path of a folder that the host names by a file: URI or a path.
#include "fmi/wrapper/location.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// What of a URI is the path; NULL: it names no file here. [RFC 8089]
static const char *path_of(const char *uri)
{
    const char *rest = uri + 5;
    if (strncmp(rest, "//", 2) == 0) {
        rest += 2;
        rest += strncmp(rest, "localhost/", 10) == 0 ? 9 : 0;
    }
    return rest[0] == '/' ? rest : NULL;
}

char *hf_fmu_location(const char *uri)
{
    bool is_uri = strncmp(uri, "file:", 5) == 0;
    const char *from = is_uri ? path_of(uri) : uri;
    char *path = from == NULL ? NULL : malloc(strlen(from) + 1);
    if (path == NULL) {
        return NULL;
    }
    char *to = path;
    for (; *from != '\0'; ++from) {
        int high = is_uri && from[0] == '%' ? digit(from[1]) : -1;
        int low = high >= 0 ? digit(from[2]) : -1;
        *to = low >= 0 ? (char)(high * 16 + low) : *from;
        from += low >= 0 ? 2 : 0;
        if (*to++ == '\0') { // no file has that in its name
            free(path);
            return NULL;
        }
    }
    while (to > path + 1 && to[-1] == '/') {
        --to;
    }
    *to = '\0';
    return path;
}
