// SPDX-License-Identifier: Apache-2.0
// Files that a model names: they lie in its folder or below.
#define _XOPEN_SOURCE 700 // realpath
#include <errno.h>
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

static char *fail(const hf_document *document, const hf_node *node, hf_error *error,
                  const char *what, const char *file, const char *why)
{
    (void)hf_node_error(document, node, error, HF_ERROR_FILE, "%s'%.100s'%s", what, file, why);
    return NULL;
}

char *hf_folder_resolve(const hf_document *document, const char *folder, const hf_node *node,
                        hf_error *error)
{
    // A path that stays below the folder, as it is written
    const char *file = node->text;
    if (folder == NULL) {
        (void)hf_node_error(document, node, error, HF_ERROR_FILE,
                            "a model that is not in a file cannot name files");
        return NULL;
    }
    if (file[0] == '/' || climbs(file)) {
        return fail(document, node, error, "file must lie in the model's folder or below, got ",
                    file, "");
    }
    // and as the file system has it
    size_t size = strlen(folder) + strlen(file) + 2;
    char *joined = malloc(size);
    if (joined == NULL) {
        return fail(document, node, error, "file ", file, ": out of memory");
    }
    strcat(strcat(strcpy(joined, folder), "/"), file);
    char *true_folder = realpath(folder, NULL), *path = realpath(joined, NULL);
    int number = errno;
    bool inside = true_folder != NULL && path != NULL && lies_in(path, true_folder);
    bool there = true_folder != NULL && path != NULL;
    free(joined);
    free(true_folder);
    // What is wrong with it
    if (inside) {
        return path;
    }
    free(path);
    if (there) {
        return fail(document, node, error, "file ", file, " leads out of the model's folder");
    }
    (void)hf_node_error(document, node, error, HF_ERROR_FILE, "file '%.100s': %s", file,
                        strerror(number));
    return NULL;
}

char *hf_reader_resolve(hf_reader *reader, const hf_node *node)
{
    const char *file = NULL;
    if (!hf_read_text(reader, node, &file)) {
        return NULL;
    }
    hf_error own = {0};
    char *path = hf_folder_resolve(reader->document, reader->folder, node, &own);
    if (path == NULL) {
        // The same with the item being read in front of the message.
        const char *text = strstr(own.text, "file ") != NULL ? strstr(own.text, "file ") : own.text;
        text = reader->folder == NULL ? "a model that is not in a file cannot name files" : text;
        (void)hf_reader_fail(reader, node, HF_ERROR_FILE, "%s", text);
    } else if (reader->files != NULL) {
        reader->files->visit(reader->files->context, path, file);
    }
    return path;
}
