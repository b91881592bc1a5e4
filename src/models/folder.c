// SPDX-License-Identifier: Apache-2.0
// Files that a model names: they lie in its folder or below.
#define _XOPEN_SOURCE 700 // realpath
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/reader.h"
#include "models/tree/expand.h"

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

// Why a path is refused: "WHAT'FILE'WHY".
static char *refuse(char *reason, size_t size, const char *what, const char *file, const char *why)
{
    (void)snprintf(reason, size, "%s'%.100s'%s", what, file, why);
    return NULL;
}

enum { REASON_SIZE = 300 };

// The file's path, to be freed; NULL: the reason is in `reason`.
static char *resolve(const char *folder, const char *file, char reason[REASON_SIZE])
{
    // A path that stays below the folder, as it is written
    if (folder == NULL) {
        (void)snprintf(reason, REASON_SIZE, "a model that is not in a file cannot name files");
        return NULL;
    }
    if (file[0] == '/' || climbs(file)) {
        return refuse(reason, REASON_SIZE, "file must lie in the model's folder or below, got ",
                      file, "");
    }
    // and as the file system has it
    size_t size = strlen(folder) + strlen(file) + 2;
    char *joined = malloc(size);
    if (joined == NULL) {
        return refuse(reason, REASON_SIZE, "file ", file, ": out of memory");
    }
    strcat(strcat(strcpy(joined, folder), "/"), file);
    char *true_folder = realpath(folder, NULL), *path = realpath(joined, NULL);
    int number = errno;
    bool there = true_folder != NULL && path != NULL;
    bool inside = there && lies_in(path, true_folder);
    free(joined);
    free(true_folder);
    if (inside) {
        return path;
    }
    // What is wrong with it
    free(path);
    if (there) {
        return refuse(reason, REASON_SIZE, "file ", file, " leads out of the model's folder");
    }
    char why[100];
    (void)snprintf(why, sizeof why, ": %s", strerror(number));
    return refuse(reason, REASON_SIZE, "file ", file, why);
}

char *hf_folder_resolve(const hf_document *document, const char *folder, const hf_node *node,
                        hf_error *error)
{
    char reason[REASON_SIZE];
    char *path = resolve(folder, node->text, reason);
    if (path == NULL) {
        (void)hf_node_error(document, node, error, HF_ERROR_FILE, "%s", reason);
    }
    return path;
}

char *hf_reader_resolve(hf_reader *reader, const hf_node *node)
{
    const char *file = NULL;
    if (!hf_read_text(reader, node, &file)) {
        return NULL;
    }
    char reason[REASON_SIZE];
    char *path = resolve(reader->folder, file, reason);
    if (path == NULL) {
        (void)hf_reader_fail(reader, node, HF_ERROR_FILE, "%s", reason);
    } else if (reader->files != NULL) {
        reader->files->visit(reader->files->context, path, file);
    }
    return path;
}
