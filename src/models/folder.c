// SPDX-License-Identifier: Apache-2.0
// Files that a model names: they lie in its folder or below.
#define _XOPEN_SOURCE 700 // realpath
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "models/reader.h"

// Whether a relative path has a part "..".
static bool climbs(const char *path)
{
    for (const char *part = path; *part != '\0';) {
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            return true;
        }
        part += length;
        part += strspn(part, "/");
    }
    return false;
}

static bool lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    length -= length > 0 && folder[length - 1] == '/' ? 1 : 0; // the root
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

char *hf_reader_resolve(hf_reader *reader, const hf_node *node)
{
    const char *file = NULL;
    if (!hf_read_text(reader, node, &file)) {
        return NULL;
    }
    if (reader->folder == NULL) {
        (void)hf_reader_fail(reader, node, HF_ERROR_FILE,
                             "a model that is not in a file cannot name files");
        return NULL;
    }
    if (file[0] == '/' || climbs(file)) {
        (void)hf_reader_fail(reader, node, HF_ERROR_FILE,
                             "file must lie in the model's folder or below, got '%.100s'", file);
        return NULL;
    }
    char *joined = hf_reader_join(reader, reader->folder, "/");
    joined = joined == NULL ? NULL : hf_reader_join(reader, joined, file);
    if (joined == NULL) {
        return NULL;
    }
    char *folder = realpath(reader->folder, NULL), *path = realpath(joined, NULL);
    if (folder == NULL || path == NULL) {
        (void)hf_reader_fail(reader, node, HF_ERROR_FILE, "file '%.100s': %s", file,
                             strerror(errno));
    } else if (!lies_in(path, folder)) {
        (void)hf_reader_fail(reader, node, HF_ERROR_FILE,
                             "file '%.100s' leads out of the model's folder", file);
    } else {
        free(folder);
        return path;
    }
    free(folder);
    free(path);
    return NULL;
}
